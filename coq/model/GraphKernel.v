(** * A graph as one kernel program

    The kernels of the operators one after the other over one table of tensors, as
    c/tensor/graph_kernel.c has them: inputs and constants are tensors that the program is
    given, results and temporaries have numbers of their own.  Fields of tuples and tuples
    only name tensors.  Refused as by [Compile], and look-ups by data, and results without
    cells. *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel.
From Calque Require Import model.Compile model.Function model.Rename.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

Section GraphKernel.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (tensor (num S)).
  Notation stmt := (Kernel.stmt K).

  Variable constant_of : N -> option value -> option tensor.

  Inductive source := FromInput (k : N) | FromConstant (t : tensor).

  (** A tensor by number, with its sizes. *)
  Notation named := (tid * sizes)%type.

  Record kstate := KState {
    k_bound : list (gvalue named);
    k_sources : list (tid * source);
    k_prog : list stmt;
    k_tensors : list named;
    k_next : tid
  }.

  Definition k_alias (st : kstate) (b : gvalue named) : kstate :=
    KState (k_bound st ++ [b]) (k_sources st) (k_prog st) (k_tensors st) (k_next st).

  Definition k_given (st : kstate) (src : source) (ds : sizes) : kstate :=
    let t := k_next st in
    KState (k_bound st ++ [GTensor (t, ds)]) (k_sources st ++ [(t, src)]) (k_prog st)
           (k_tensors st ++ [(t, ds)]) (t + 1).

  Definition k_index (st : kstate) (name : string) (attrs : attributes) (xs : list named) : option (list Z) :=
    if String.eqb name "Gather" then
      match xs with
      | [x; ix] =>
          match look_up Nat.eqb (k_sources st) (fst ix) with
          | Some (FromConstant t) =>
              let? axis := axis_in attrs (Some 0%Z) (snd x) in
              let n := Z.of_nat (nth axis (snd x) 0) in
              let? index := traverse (s_index S) (cells t) in
              if forallb (fun z => (- n <=? z) && (z <? n))%Z index then Some index else None
          | _ => None
          end
      | _ => None
      end
    else Some [].

  (** The tensors of an operator's kernel, and which tensors of the program they are. *)
  Definition formals (n : nat) (p : list stmt) : list tid := map tX (seq 0 n) ++ map out p.
  Definition actual (xs : list named) (p : list stmt) (next t : tid) : tid :=
    nth (place_of t (formals (List.length xs) p)) (map fst xs ++ seq next (List.length p)) 0.

  Definition k_result (f : tid -> tid) (p : list stmt) (j : nat) (d : sizes) : option named :=
    let? s := find (fun s => out s =? tY j) p in
    if all2 Nat.eqb d (Kernel.dims s) then Some (f (tY j), d) else None.

  Definition k_results (f : tid -> tid) (p : list stmt) (s : gvalue sizes) : option (gvalue named) :=
    match s with
    | GTensor d => let? r := k_result f p 0 d in Some (GTensor r)
    | GTuple ds =>
        let? rs := traverse (fun jd => k_result f p (fst jd) (snd jd)) (combine (seq 0 (List.length ds)) ds) in
        Some (GTuple rs)
    | GAbsent => None
    end.

  Definition k_call (st : kstate) (name : string) (attrs : attributes) (bs : list (gvalue named)) : option kstate :=
    let? l := inputs bs in
    let? xs := traverse (fun o : option named => o) l in
    let? s := op_infer name attrs (map (map_value snd) bs) in
    let? index := k_index st name attrs xs in
    let? p := op_kernel S name attrs (map snd xs) (output_sizes s) (s_integer S) index in
    let f := actual xs p (k_next st) in
    let? b := k_results f p s in
    if distinct (formals (List.length xs) p) && reads_known (map tX (seq 0 (List.length xs))) p && as_stated name attrs s
    then Some (KState (k_bound st ++ [b]) (k_sources st) (k_prog st ++ map (rename K f) p)
                      (k_tensors st ++ map (fun s => (f (out s), Kernel.dims s)) p) (k_next st + List.length p))
    else None.

  Definition k_node (st : kstate) (n : node Pattern.oper) : option kstate :=
    let o := op n in
    let? bs := traverse (nth_error (k_bound st)) (args n) in
    match Pattern.what o, bs with
    | Pattern.KAbsent, [] => Some (k_alias st GAbsent)
    | Pattern.KInput k, [] => let? ds := declared_sizes o in Some (k_given st (FromInput k) ds)
    | Pattern.KConst k v, [] =>
        let? t := constant_of k v in
        if List.length (cells t) =? cell_count (dims t) then Some (k_given st (FromConstant t) (dims t)) else None
    | Pattern.KCall name, _ => k_call st name (Pattern.attrs o) bs
    | Pattern.KProj k, [GTuple rs] =>
        if (k <? 0)%Z then None else let? r := nth_error rs (Z.to_nat k) in Some (k_alias st (GTensor r))
    | Pattern.KTuple, _ =>
        let? rs := traverse (fun b => match b with GTensor r => Some r | _ => None end) bs in
        Some (k_alias st (GTuple rs))
    | _, _ => None
    end.

  Fixpoint k_nodes (st : kstate) (g : Pattern.tgraph) : option kstate :=
    match g with
    | [] => Some st
    | n :: g' => let? st' := k_node st n in k_nodes st' g'
    end.

  Record program := Program {
    p_sources : list (tid * source);     (** what the program is given *)
    p_prog : list stmt;
    p_tensors : list named;
    p_outputs : list tid
  }.

  Definition graph_kernel (g : Pattern.tgraph) (outputs : list nat) : option program :=
    let? st := k_nodes (KState [] [] [] [] 0) g in
    let? outs := traverse (fun i => match nth_error (k_bound st) i with Some (GTensor (t, _)) => Some t | _ => None end) outputs in
    Some (Program (k_sources st) (k_prog st) (k_tensors st) outs).

  (** What the tensors hold before the program runs. *)
  Definition k_store (sources : list (tid * source)) (values : N -> option tensor) : Kernel.store K := fun t =>
    match look_up Nat.eqb sources t with
    | Some (FromInput k) => match values k with Some u => get (s_zero S) u | None => fun _ => s_zero S end
    | Some (FromConstant u) => get (s_zero S) u
    | None => fun _ => s_zero S
    end.
End GraphKernel.

Arguments KState {S}.
Arguments k_bound {S}.
Arguments k_sources {S}.
Arguments k_prog {S}.
Arguments k_tensors {S}.
Arguments k_next {S}.
Arguments FromInput {S}.
Arguments FromConstant {S}.
Arguments p_sources {S}.
Arguments p_prog {S}.
Arguments p_tensors {S}.
Arguments p_outputs {S}.
