(** * Headline theorems: look-ups by data *)

From Coq Require Import List ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Lookup kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Shapes tensor.Ops tensor.OpKernel.
From Calque Require tensor.OpLookup.
Import ListNotations.
Open Scope Z_scope.

(** A cell has a value exactly where the judgement gives it one, and none where its index is
    outside of the dimension or is no integer. *)
Theorem look_cell_iff :
  forall S index st l i x, look_cell (S := S) index st l i = Some x <-> looked index st l i x.
Proof. exact looked_iff. Qed.

Theorem look_outside_iff :
  forall S index st l i, look_cell (S := S) index st l i = None <-> outside index st l i.
Proof. exact outside_iff. Qed.

(** A look-up is done where no index of its output is outside; its cells are then those of the
    judgement, and no other tensor changes. *)
Theorem look_done_iff :
  forall S index l st,
    (exists st', exec_look (S := S) index l st = Filled st') <->
    (forall i, in_box (ldims l) i = true -> ~ outside index st l i).
Proof. exact exec_look_done. Qed.

Theorem look_done_cells :
  forall S index l st st', exec_look (S := S) index l st = Filled st' ->
    (forall i x, in_box (ldims l) i = true -> (st' (lout l) i = x <-> looked index st l i x)) /\
    (forall t, t <> lout l -> st' t = st t).
Proof.
  intros S index l st st' D. split; [intros i x I; now apply exec_look_cell | intros t N].
  exact (exec_look_frame S index l st st' t D N).
Qed.

(** Else the error names the first cell, in the order of the output, whose index is outside. *)
Theorem look_outside_first :
  forall S index l st m p x,
    exec_look (S := S) index l st = Outside m p x <->
    m = l /\ exists a i b, box (ldims l) = a ++ i :: b /\ outside index st l i /\
      (forall j, In j a -> ~ outside index st l j) /\ p = where_at l i /\ x = number st l i.
Proof. exact exec_look_outside. Qed.

(** Programs without look-ups are those of [Kernel]; programs compose. *)
Theorem look_lines :
  forall S index p q st,
    exec_lines (S := S) index (map Assign p ++ q) st = exec_lines index q (exec_prog p st).
Proof. intros S index p q st. now rewrite exec_lines_app, exec_lines_assign. Qed.

(** Gather, when its indices are data, is a look-up: it has the operator's value; where there is
    none for an index outside, it says so; at known indices it does what the kernel made for
    them does. *)
Theorem gather_is_look :
  forall A axis x ix st t,
    (axis < length (dims x))%nat -> OpEval.holds A st [x; ix] -> gather A axis x ix = Some t ->
    exists st', exec_look (S := kernel_scalars A) (s_index A) (OpLookup.gather_look axis (dims x) (dims ix)) st = Filled st' /\
      forall i, in_box (dims t) i = true -> st' (tY 0) i = get (s_zero A) t i.
Proof. intros A axis x ix st t below H M. exact (OpLookup.gather_look_gives A axis x ix st below H t M). Qed.

Theorem gather_outside_is_look :
  forall A axis x ix st,
    (axis < length (dims x))%nat -> OpEval.holds A st [x; ix] -> gather A axis x ix = None ->
    box (gather_dims axis (dims x) (dims ix)) <> [] ->
    exists p a, exec_look (S := kernel_scalars A) (s_index A) (OpLookup.gather_look axis (dims x) (dims ix)) st =
      Outside (OpLookup.gather_look axis (dims x) (dims ix)) p a.
Proof. intros A axis x ix st below H M some. exact (OpLookup.gather_look_outside A axis x ix st below H M some). Qed.

Theorem gather_constant_is_look :
  forall A axis x ix st t zs p,
    (axis < length (dims x))%nat -> OpEval.holds A st [x; ix] -> good ix ->
    traverse (s_index A) (cells ix) = Some zs -> gather A axis x ix = Some t ->
    k_gather A (map dims [x; ix]) (dims t) axis zs = Some p ->
    exists st', exec_look (S := kernel_scalars A) (s_index A) (OpLookup.gather_look axis (dims x) (dims ix)) st = Filled st' /\
      forall i, in_box (dims t) i = true -> st' (tY 0) i = exec_prog p st (tY 0) i.
Proof.
  intros A axis x ix st t zs p below H G Z M P.
  exact (OpLookup.gather_look_constant A axis x ix st below H t zs p G Z M P).
Qed.

(** What the oracle runs. *)
Theorem look_kernel_look :
  forall l st, kernel_look l st = exec_look (S := int64s) (fun a => a) l st.
Proof. reflexivity. Qed.
