(** * The greatest cells along axes, as compositions build them

    What reductions that are made of ReduceMax share (c/onnx/expand_reduce.c): the axes, ascending, and the
    greatest cells.  Where one cell is left for each, they are the same cells in another shape. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.KeepDims onnx.Composition onnx.Steps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** [injection] would compute what is inside. *)
Lemma some_eq {A} (a b : A) : Some a = Some b -> a = b.
Proof. intros E. now injection E. Qed.

(** ** Axes *)

(** Given in any order, counted from the end if negative; of none: all of them, or none with [noop]. *)
Definition axes_given (rank : nat) (noop : bool) (zs : list Z) : option (list nat) :=
  match zs with
  | [] => Some (if noop then [] else seq 0 rank)
  | _ => axes_of rank zs
  end.

Definition ascending (rank : nat) (axes : list nat) : list nat := filter (fun k => has k axes) (seq 0 rank).

Lemma has_ascending r axes k : k < r -> has k (ascending r axes) = has k axes.
Proof.
  intros lt. apply eq_true_iff_eq. rewrite has_in. unfold ascending. rewrite filter_In, in_seq.
  split; [now intros [_ H] | intros H; split; [lia | exact H]].
Qed.

Lemma marks_ascending r axes : marks r (ascending r axes) = marks r axes.
Proof. unfold marks. apply map_ext_in. intros k I. apply in_seq in I. apply has_ascending. lia. Qed.

Lemma ascending_range r axes : NoDup (ascending r axes) /\ forall k, In k (ascending r axes) -> k < r.
Proof.
  split; [apply NoDup_filter, seq_NoDup |]. intros k I. apply filter_In in I. destruct I as [I _]. apply in_seq in I. lia.
Qed.

(** ** One cell for each *)

Lemma single_marked m : forall ds, cell_count (marked m ds) = 1 -> single (marked m ds) = true.
Proof.
  induction m as [| b m IH]; intros [| d ds] E; try reflexivity. destruct b; cbn [marked] in *; [| now apply IH].
  cbn in E. apply Nat.eq_mul_1 in E. destruct E as [-> E]. cbn. now apply IH.
Qed.

Lemma reduce_dims_count keep m : forall ds, length m = length ds -> cell_count (marked m ds) = 1 ->
  cell_count (reduce_dims keep m ds) = cell_count ds.
Proof.
  unfold reduce_dims, unmarked. induction m as [| b m IH]; intros [| d ds] L E; try discriminate; [now destruct keep |].
  injection L as L. destruct b; cbn [marked] in E.
  - cbn in E. apply Nat.eq_mul_1 in E. destruct E as [-> E]. specialize (IH ds L E).
    destruct keep; cbn in *; unfold cell_count in *; lia.
  - specialize (IH ds L E). destruct keep; cbn in *; unfold cell_count in *; lia.
Qed.

(** What stands at an index of the result, and that it stands at the same place. *)
Definition rest_at (keep : bool) (m : list bool) (i : list Z) : list Z := if keep then unmarked m i else i.

Lemma weave_single keep m : forall ds i, length m = length ds -> cell_count (marked m ds) = 1 ->
  in_box (reduce_dims keep m ds) i = true ->
  let j := weave m (map (fun _ => 0%Z) (marked m ds)) (rest_at keep m i) in
  in_box ds j = true /\ position ds j = position (reduce_dims keep m ds) i.
Proof.
  unfold rest_at. induction m as [| b m IH]; intros [| d ds] i L E I; try discriminate.
  { destruct keep, i; try discriminate; now split. }
  injection L as L. destruct b; cbn [marked] in E.
  - cbn [cell_count fold_right] in E. apply Nat.eq_mul_1 in E. destruct E as [-> E].
    assert (exists i', in_box (reduce_dims keep m ds) i' = true /\
      position (reduce_dims keep (true :: m) (1 :: ds)) i = position (reduce_dims keep m ds) i' /\
      (if keep then unmarked (true :: m) i else i) = (if keep then unmarked m i' else i')) as (i' & I' & P & ->).
    { destruct keep; [| now exists i]. destruct i as [| z i]; [discriminate |]. exists i.
      cbn [reduce_dims combine map fst snd] in I. apply in_box_cons in I. destruct I as [Z0 I].
      split; [exact I |]. split; [| reflexivity]. unfold reduce_dims.
      cbn [combine map fst snd position]. replace z with 0%Z by lia. reflexivity. }
    destruct (IH ds i' L E I') as [B Q]. cbn [map weave marked]. rewrite P.
    split; [apply in_box_cons; split; [lia | exact B] |]. cbn [position]. rewrite Q. cbn. lia.
  - assert (exists z i', i = z :: i' /\ (0 <= z < Z.of_nat d)%Z /\ in_box (reduce_dims keep m ds) i' = true /\
      position (reduce_dims keep (false :: m) (d :: ds)) i =
        Z.to_nat z * cell_count ds + position (reduce_dims keep m ds) i' /\
      (if keep then unmarked (false :: m) i else i) = z :: (if keep then unmarked m i' else i'))
      as (z & i' & -> & Z0 & I' & P & ->).
    { pose proof (reduce_dims_count keep m ds L E) as C.
      destruct i as [| z i]; [now destruct keep |]. exists z, i. rewrite <- C.
      destruct keep; unfold reduce_dims, unmarked in *; cbn [combine map fst snd marked negb position] in *;
        apply in_box_cons in I; destruct I as [Z0 I]; repeat split; try assumption; lia. }
    destruct (IH ds i' L E I') as [B Q]. cbn [marked weave]. rewrite P.
    split; [apply in_box_cons; split; [exact Z0 | exact B] |]. cbn [position]. now rewrite Q.
Qed.

(** ** Indices along one axis *)

Lemma marks_one r a : a < r -> marks r [a] = repeat false a ++ true :: repeat false (r - 1 - a).
Proof.
  intros lt. apply (nth_ext _ _ false false).
  { rewrite marks_length, app_length. cbn [length]. rewrite !repeat_length. lia. }
  intros k K. rewrite marks_length in K. unfold marks.
  rewrite (nth_map_lt (fun k => has k [a]) (seq 0 r) k 0 false) by (rewrite seq_length; exact K). rewrite seq_nth by exact K.
  cbn [plus has existsb]. rewrite orb_false_r. destruct (lt_eq_lt_dec k a) as [[l | ->] | g].
  - rewrite app_nth1 by (rewrite repeat_length; lia). rewrite nth_repeat. apply Nat.eqb_neq. lia.
  - rewrite app_nth2 by (rewrite repeat_length; lia). rewrite repeat_length, Nat.sub_diag. apply Nat.eqb_refl.
  - rewrite app_nth2 by (rewrite repeat_length; lia). rewrite repeat_length. destruct (k - a) as [| j] eqn:J; [lia |].
    cbn [nth]. rewrite nth_repeat. apply Nat.eqb_neq. lia.
Qed.

Lemma marked_one r a (ds : sizes) : a < r -> length ds = r -> marked (marks r [a]) ds = [nth a ds 0].
Proof.
  intros lt <-. rewrite (marks_one _ a lt). generalize (length ds - 1 - a) as q. intros q.
  assert (F : forall (n : nat) (l : sizes), marked (repeat false n) l = []).
  { induction n as [| n IH]; intros [| b l]; try reflexivity. cbn. apply IH. }
  revert ds lt. induction a as [| a IH]; intros [| d ds] lt; cbn [length] in lt; try lia.
  - cbn. now rewrite F.
  - cbn. apply IH. lia.
Qed.

Lemma nth_weave_one r a k rest : a < r -> length rest = r - 1 -> nth a (weave (marks r [a]) [k] rest) 0%Z = k.
Proof.
  intros lt L. rewrite (marks_one _ a lt). generalize (r - 1 - a) as q. intros q.
  assert (a <= length rest) as le by lia. clear lt L. revert rest le.
  induction a as [| a IH]; intros rest le; [reflexivity |]. destruct rest as [| z rest]; [cbn in le; lia |].
  cbn [repeat app weave nth]. apply IH. cbn in le. lia.
Qed.

Lemma unmarked_weave m : forall k rest, length k = length (filter (fun b => b) m) -> length rest = length (filter negb m) ->
  unmarked m (weave m k rest) = rest.
Proof.
  unfold unmarked. induction m as [| [|] m IH]; intros k rest K R; cbn in K, R.
  - destruct rest; [reflexivity | discriminate].
  - destruct k as [| z k]; [discriminate |]. cbn. apply IH; [now injection K | exact R].
  - destruct rest as [| z rest]; [discriminate |]. cbn. f_equal. apply IH; [exact K | now injection R].
Qed.

Lemma filter_marks_one r a : a < r ->
  length (filter (fun b => b) (marks r [a])) = 1 /\ length (filter negb (marks r [a])) = r - 1.
Proof.
  intros lt. rewrite (marks_one _ a lt), !filter_app. cbn [filter negb]. rewrite !app_length. cbn [length].
  assert (forall n, filter (fun b : bool => b) (repeat false n) = [] /\ filter negb (repeat false n) = repeat false n) as F.
  { induction n as [| n [I J]]; [now split |]. cbn. now rewrite I, J. }
  destruct (F a) as [-> ->], (F (r - 1 - a)) as [-> ->]. rewrite !repeat_length. cbn. lia.
Qed.

(** What is left of an index of the result. *)
Lemma rest_length keep r a ds i : a < r -> length ds = r -> in_box (reduce_dims keep (marks r [a]) ds) i = true ->
  length (rest_at keep (marks r [a]) i) = r - 1.
Proof.
  intros lt L I. rewrite <- (proj2 (filter_marks_one r a lt)). apply in_box_length in I.
  pose proof (marks_length r [a]) as M. revert I M. generalize (marks r [a]) as m. intros m I M. rewrite <- L in M. clear L lt.
  unfold rest_at, reduce_dims, unmarked in *.
  revert ds i I M. induction m as [| b m IH]; intros [| d ds] i I M; try discriminate.
  - destruct keep, i; try discriminate; reflexivity.
  - injection M as M. destruct keep, b; cbn in I; try (destruct i as [| z i]; [discriminate |]); cbn; try f_equal;
      try (apply (IH ds); [now injection I | exact M]); try (apply (IH ds); assumption).
Qed.

Lemma line_index n l : in_box [n] l = true -> exists k, k < n /\ l = [Z.of_nat k].
Proof.
  intros I. destruct l as [| z [| y l]]; [discriminate | | apply in_box_length in I; discriminate].
  apply in_box_cons in I. destruct I as [Z0 _]. exists (Z.to_nat z). split; [lia |]. f_equal. lia.
Qed.

(** ** Steps *)

(** In another shape, if it is another one (make_reshape). *)
Definition reshaped (now want : sizes) (x : nat) : build nat :=
  if sizes_eqb now want then Return x else apply "Reshape" [("shape", nats_value want)] [x].

Definition greatest (keep : bool) (axes : list nat) (ds : sizes) (x : nat) : build nat :=
  let m := marks (length ds) axes in
  if cell_count (marked m ds) =? 1 then reshaped ds (reduce_dims keep m ds) x
  else apply "ReduceMax" [("axes", nats_value (ascending (length ds) axes)); ("keepdims", bool_value keep)] [x].

Section Greatest.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Notation runs := (runs S typed).
  Notation knows := (knows S).

  Lemma runs_reshaped vs ds (x : tensor) k : knows vs k (GTensor x) -> good x -> cell_count ds = cell_count (dims x) ->
    runs vs (reshaped (dims x) ds k) (fun ws j => knows ws j (GTensor (Tensor ds (cells x)))).
  Proof.
    intros K G E. unfold reshaped. destruct (sizes_eqb (dims x) ds) eqn:D.
    - apply sizes_eqb_iff in D. apply runs_return. subst ds. now destruct x.
    - apply (runs_apply S typed vs _ _ _ [GTensor x]); [| now apply reshape_value]. repeat constructor. exact K.
  Qed.

  (** The tensor of the greatest cells, as [Ops.reduce_max] has it. *)
  Definition greatest_of (keep : bool) (axes : list nat) (x : tensor) : tensor :=
    let m := marks (length (dims x)) axes in
    tabulate (reduce_dims keep m (dims x))
      (fun i => s_greatest S (marked m (dims x)) (fun k => at_ x (weave m k (rest_at keep m i)))).

  Lemma no_zero_marked m : forall ds, cell_count ds <> 0 -> forallb (fun n => negb (n =? 0)) (marked m ds) = true.
  Proof.
    induction m as [| b m IH]; intros [| d ds] E; try reflexivity. change (d * cell_count ds <> 0) in E.
    assert (d <> 0 /\ cell_count ds <> 0) as [D C] by (split; intros Q; rewrite Q in E; lia).
    destruct b; cbn [marked]; [| now apply IH]. cbn [forallb]. rewrite IH by exact C.
    apply Nat.eqb_neq in D. now rewrite D.
  Qed.

  Lemma greatest_value keep axes (x : tensor) : cell_count (dims x) <> 0 ->
    op_value S "ReduceMax" [("axes", nats_value (ascending (length (dims x)) axes)); ("keepdims", bool_value keep)]
      [GTensor x] = Some (GTensor (greatest_of keep axes x)).
  Proof.
    intros E. destruct (ascending_range (length (dims x)) axes) as [D R]. rewrite reduce_max_value by assumption.
    unfold reduce_max. rewrite marks_ascending. unfold greatest_dims, guard. rewrite no_zero_marked by exact E. reflexivity.
  Qed.

  (** One cell for each is what stands there. *)
  Lemma greatest_single keep axes (x : tensor) : good x ->
    cell_count (marked (marks (length (dims x)) axes) (dims x)) = 1 ->
    Tensor (reduce_dims keep (marks (length (dims x)) axes) (dims x)) (cells x) = greatest_of keep axes x.
  Proof.
    set (m := marks (length (dims x)) axes). intros G E.
    assert (L : length m = length (dims x)) by apply marks_length.
    pose proof (reduce_dims_count keep m (dims x) L E) as C.
    apply (tensor_ext (s_zero S)); [unfold good; cbn [dims cells]; now rewrite C | apply good_tabulate | reflexivity |].
    cbn [dims]. intros i I. unfold greatest_of. fold m. rewrite get_tabulate by exact I.
    unfold s_greatest. rewrite (single_marked m (dims x) E).
    destruct (weave_single keep m (dims x) i L E I) as [B P]. unfold Ops.at_, get. cbn [dims cells]. now rewrite I, B, P.
  Qed.

  Lemma runs_greatest vs keep axes (x : tensor) k : knows vs k (GTensor x) -> good x -> cell_count (dims x) <> 0 ->
    runs vs (greatest keep axes (dims x) k) (fun ws j => knows ws j (GTensor (greatest_of keep axes x))).
  Proof.
    intros K G E. unfold greatest.
    destruct (Nat.eqb_spec (cell_count (marked (marks (length (dims x)) axes) (dims x))) 1) as [O | _].
    - rewrite <- greatest_single by assumption. apply runs_reshaped; try assumption.
      apply reduce_dims_count; [apply marks_length | exact O].
    - apply (runs_apply S typed vs _ _ _ [GTensor x]); [| now apply greatest_value]. repeat constructor. exact K.
  Qed.

  Lemma greatest_good keep axes x : good (greatest_of keep axes x).
  Proof. apply good_tabulate. Qed.
End Greatest.
