(** * Operators with their sums of products fused

    What [--fma] makes of the kernels of operators, and the value of an operator then: that of the
    kernel, its sums as [kernel.Fma] says.  With [--sums=lanes] too, they are first put in lanes.
    An operator without a sum that changes keeps its value. *)

From Coq Require Import String Bool List Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Numbers kernel.Fma.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.OpLanes.
Import ListNotations.
Open Scope nat_scope.

Definition is_product (o : Numbers.operator) : bool := match o with OMul => true | _ => false end.
Definition is_addition (o : Numbers.operator) : bool := match o with OAdd => true | _ => false end.

(** The constants of operators that are 0. *)
Definition is_nought (c : literal) : bool :=
  match c with LInt z => (z =? 0)%Z | LReal bits => (bits =? 0)%N | _ => false end.
Definition minus_nought : literal := LReal minus_zero_bits.

Section Fma.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Variable fma : num S -> num S -> num S -> num S.
  Variable in_lanes : bool.
  Notation stmt := (Kernel.stmt K).
  Notation tensor := (Tensor.tensor (num S)).

  Definition formal_scalars : scalars := formal K OMul is_addition sums fma.

  Definition op_fma (p : list stmt) : list (Kernel.stmt formal_scalars) :=
    fma_prog (S := K) OMul is_product is_addition sums fma is_nought minus_nought p.

  Definition any_sum_fused (p : list stmt) : bool :=
    existsb (fun s => any_fused (S := K) is_product sums is_nought (body s)) p.

  (** The kernel that is fused. *)
  Definition before_fma (p : list stmt) : list stmt := if in_lanes then op_lanes S p else p.

  (** ** Values *)

  Notation tensors := (list (tid * tensor)).

  Definition fma_step (ts : tensors) (s : stmt) : tensors :=
    (out s, Tensor.tabulate (Kernel.dims s)
              (fun i => eval_fma (S := K) is_product sums fma is_nought minus_nought (held S ts) i (body s))) :: ts.

  Definition fma_run (p : list stmt) (ts : tensors) : tensors := fold_left fma_step p ts.

  (** The kernel of an operator in which a sum is fused, with its inputs and the sizes of its result. A Gather has no sum. *)
  Definition kernel_fused (name : string) (l : attributes) (vs : list (gvalue tensor)) :
      option (list stmt * list tensor * sizes) :=
    let? v := inputs vs in
    let? ts := traverse (fun o : option tensor => o) v in
    match op_infer name l (map (map_value Tensor.dims) vs) with
    | Some (GTensor d) =>
        let? p := op_kernel S name l (map Tensor.dims ts) d (s_integer S) [] in
        let q := before_fma p in
        if any_sum_fused q && negb (String.eqb name "Gather") then Some (q, ts, d) else None
    | _ => None
    end.

  Definition op_value_plain (name : string) (l : attributes) (vs : list (gvalue tensor)) : option (gvalue tensor) :=
    if in_lanes then op_value_lanes S name l vs else op_value S name l vs.

  Definition op_value_fma (name : string) (l : attributes) (vs : list (gvalue tensor)) : option (gvalue tensor) :=
    match kernel_fused name l vs with
    | Some (p, ts, d) =>
        match output S d (fma_run p (named S ts)) with Some u => Some (GTensor u) | None => op_value_plain name l vs end
    | None => op_value_plain name l vs
    end.
End Fma.
