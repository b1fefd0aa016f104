(** * A whole model as one function

    The kernel program of a graph, with the given tensors inlined in turn and without the
    statements that nothing needs, as one function and one call of it.  Inputs lie in their
    arrays, constants in the weights, the rest in the arena where the plan says. *)

From Coq Require Import Bool List Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.InlineAll.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs.
From Calque Require Import model.Function model.Unit model.Compile model.GraphKernel.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

Section Fused.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (Tensor.tensor (num S)).

  (** Where what the program is given lies, and the weights from [off] on. *)
  Fixpoint place_sources (size_of : tid -> sizes) (off : nat) (l : list (tid * source S)) : list place * list (num S) :=
    match l with
    | [] => ([], [])
    | (t, FromInput k) :: l' =>
        let (ps, w) := place_sources size_of off l' in (Place t (input_array k) 0 (size_of t) :: ps, w)
    | (t, FromConstant u) :: l' =>
        let (ps, w) := place_sources size_of (off + List.length (cells u)) l' in
        (Place t weights_array off (size_of t) :: ps, cells u ++ w)
    end.

  Definition given_tensors (P : program S) : list (tid * sizes) :=
    map (fun ts => (fst ts, shape_in (p_tensors P) (fst ts))) (p_sources P).

  Definition fused (inlined : list tid) (P : program S) : list (Kernel.stmt K) :=
    fst (live K (p_outputs P) (inline_all K (p_outputs P) inlined (p_prog P))).

  Definition compile_program (size : nat) (plan : list nat) (inlined : list tid) (P : program S) : option (unit_ S) :=
    let p := fused inlined P in
    let ins := given_tensors P in
    let? f := compile_function ins p in
    let (given, w) := place_sources (shape_in (p_tensors P)) 0 (p_sources P) in
    let? (news, _) := allot 0 plan (map snd (stored p)) in
    let args := given ++ news in
    let ts := tensors ins p in
    let? outs := traverse (fun t => if existsb (Nat.eqb t) (map fst ts) then nth_error args (param ts t) else None)
                          (p_outputs P) in
    if function_ok size f args then Some (Unit [Call f args] size w outs) else None.

  Definition compile_fused (constant_of : N -> option value -> option tensor) (size : nat) (plan : list nat)
      (inlined : list tid) (g : Pattern.tgraph) (outputs : list nat) : option (unit_ S) :=
    let? P := graph_kernel S constant_of g outputs in compile_program size plan inlined P.
End Fused.

Arguments place_sources {S}.
Arguments given_tensors {S}.
Arguments fused {S}.
Arguments compile_program {S}.
Arguments compile_fused {S}.
