(** * What a gradient is about: the source program, its tangent, the tensors of the result *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Numbers kernel.Gradient.
From Calque Require Import kernel.GatherForm kernel.GradientProgram kernel.SweepProof kernel.StepProof.
From Calque Require Import kernel.NeededProof.
Import ListNotations.
Open Scope Z_scope.

(** The cell that an index names: a scalar is read with index 0 or without index. *)
Definition cell_of (d : list nat) (i : list Z) : list Z :=
  match i with [] => if scalar d then [0] else [] | _ => i end.

Section Source.
  Variable F : field.
  Notation store := (store (text F)).
  Notation source := (list (list Z * stmt (text F))).

  Definition source_steps (p : source) : list (step F) :=
    map (fun s => Step F (snd s) (fst s) None false) p.

  (** The values of a source program. *)
  Definition run_source (p : source) (st : store) : store := run F (source_steps p) st.

  (** ** The tangent of a statement, of a program *)

  Definition tangent_step (s : step F) (st du : store) : store :=
    upd (S := text F) du (out (does F s)) (fun i =>
      let d := dims (does F s) in
      if index_in d i
      then if fixed F s then r0 F
           else tangent F st du (stores_max F s) (own_at d (cell_of d i)) (cell_of d i) (body (does F s))
      else r0 F).

  Fixpoint tangent_steps (l : list (step F)) (st du : store) : store :=
    match l with
    | [] => du
    | s :: l' => tangent_steps l' (run_step F s st) (tangent_step s st du)
    end.

  (** In the direction [du]: each statement in the store in which it runs. *)
  Definition tangent_source (p : source) (st du : store) : store := tangent_steps (source_steps p) st du.

  (** ** Directions *)

  (** The direction of one cell of [x], of shape [d]. *)
  Definition unit_at (d : list nat) (x : tid) (a : list Z) : store :=
    fun t i => if (t =? x)%nat && tuple_eqb (cell_of d i) a then r1 F else r0 F.

  (** ** The tensors of a result *)

  Definition is_adjoint (x : tid) (q : origin * list nat) : bool :=
    match fst q with AdjointOf t => (t =? x)%nat | _ => false end.

  Fixpoint first_place {A} (f : A -> bool) (l : list A) : nat :=
    match l with [] => O | a :: l' => if f a then O else S (first_place f l') end.

  (** The tensor d<x>: the given adjoint of an output, the gradient by [x], or both. *)
  Definition adjoint (r : result F) (x : tid) : tid := first_place (is_adjoint x) (result_tensors F r).
End Source.
