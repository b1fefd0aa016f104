(** * Operators with their sums in lanes

    What [--sums=lanes] makes of the kernels of operators, and the value of an operator then: that
    of the kernel, its sums as [kernel.Lanes] says.  An operator without such a sum keeps its value. *)

From Coq Require Import String Bool List Arith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Numbers kernel.Lanes.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel.
Import ListNotations.
Open Scope nat_scope.

Section Lanes.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation stmt := (Kernel.stmt K).
  Notation tensor := (Tensor.tensor (num S)).

  Definition sums (r : reduction) : bool := match r with KSum => true | KMax => false end.
  Definition same_sum (r : reduction) : reduction := r.

  (** The temporaries of a kernel are [tT 0], ..; new ones come behind them. *)
  Definition temporary_after (t : tid) : nat := if t mod 3 =? 2 then t / 3 + 1 else 0.
  Definition first_temporary (p : list stmt) : nat :=
    list_max (map temporary_after (flat_map (fun s => out s :: loads (body s)) p)).

  Definition op_lanes (p : list stmt) : list stmt :=
    lanes_prog (S := K) sums OAdd same_sum tT (first_temporary p) p.

  (** Is a sum taken? *)
  Definition any_taken (p : list stmt) : bool :=
    existsb (fun s => match snd (lanes_ex (S := K) sums OAdd same_sum tT (Kernel.dims s) 0 (body s)) with
                      | [] => false
                      | _ => true
                      end) p.

  (** ** Values *)

  (** What a program stores, each tensor tabulated. *)
  Notation tensors := (list (tid * tensor)).
  Definition held (ts : tensors) : Kernel.store K := fun t i =>
    match look_up Nat.eqb ts t with Some u => get (s_zero S) u i | None => s_zero S end.

  Definition lanes_step (ts : tensors) (s : stmt) : tensors :=
    (out s, Tensor.tabulate (Kernel.dims s)
              (fun i => eval_lanes (S := K) sums OAdd same_sum (Kernel.dims s) (held ts) i (body s))) :: ts.

  Definition lanes_run (p : list stmt) (ts : tensors) : tensors := fold_left lanes_step p ts.

  Definition named (ts : list tensor) : tensors := combine (map tX (seq 0 (length ts))) ts.

  (** The kernel of an operator in which a sum is taken, with its inputs and the sizes of its result. A Gather has no sum. *)
  Definition kernel_in_lanes (name : string) (l : attributes) (vs : list (gvalue tensor)) :
      option (list stmt * list tensor * sizes) :=
    let? v := inputs vs in
    let? ts := traverse (fun o : option tensor => o) v in
    match op_infer name l (map (map_value Tensor.dims) vs) with
    | Some (GTensor d) =>
        let? p := op_kernel S name l (map Tensor.dims ts) d (s_integer S) [] in
        if any_taken p && negb (String.eqb name "Gather") then Some (p, ts, d) else None
    | _ => None
    end.

  (** What the kernel stores as its output, of these sizes. *)
  Definition output (d : sizes) (ts : tensors) : option tensor :=
    let? u := look_up Nat.eqb ts (tY 0) in if all2 Nat.eqb d (Tensor.dims u) then Some u else None.

  Definition op_value_lanes (name : string) (l : attributes) (vs : list (gvalue tensor)) : option (gvalue tensor) :=
    match kernel_in_lanes name l vs with
    | Some (p, ts, d) =>
        match output d (lanes_run p (named ts)) with Some u => Some (GTensor u) | None => op_value S name l vs end
    | None => op_value S name l vs
    end.
End Lanes.
