(** * Sums over dimensions that are kept as ones

    Broadcast again, each cell meets the sum that it is part of. *)

From Coq Require Import Bool Lia List Arith NArith ZArith Ring_theory Ring.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope nat_scope.

Notation kept m ds := (reduce_dims true m ds).

Lemma kept_length m ds : length m = length ds -> length (kept m ds) = length ds.
Proof. intros E. cbn. rewrite map_length, combine_length. lia. Qed.

Lemma broadcast_kept m ds : length m = length ds -> broadcast ds (kept m ds) = Some ds.
Proof.
  intros E. unfold broadcast. rewrite kept_length, Nat.max_id by exact E.
  replace (lead (length ds) (kept m ds)) with (kept m ds)
    by (unfold lead; rewrite kept_length, Nat.sub_diag by exact E; reflexivity).
  rewrite lead_same. apply agree_or_one.
  revert ds E. induction m as [| b m IH]; intros [| d ds] E; try discriminate; [constructor |].
  cbn. constructor; [destruct b; auto |]. apply IH. now injection E.
Qed.

Lemma clip_kept m : forall ds i, length m = length ds -> in_box ds i = true ->
  unmarked m (clip (kept m ds) ds i) = unmarked m i /\ in_box (kept m ds) (clip (kept m ds) ds i) = true.
Proof.
  unfold reduce_dims, unmarked.
  induction m as [| b m IH]; intros [| d ds] [| z i] E I; try discriminate; [now split |].
  apply in_box_cons in I. destruct I as [Z0 I]. destruct (IH ds i ltac:(now injection E) I) as [U B].
  cbn [combine map fst snd clip]. destruct b; cbn [map marked negb].
  - split; [exact U |]. apply in_box_cons. split; [| exact B]. destruct (Nat.eqb_spec 1 d); lia.
  - rewrite Nat.eqb_refl, U. split; [reflexivity |]. apply in_box_cons. split; [exact Z0 | exact B].
Qed.

Section KeepDims.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).

  (** An operand of one cell for each sum. *)
  Lemma map2_kept f (x : tensor) m g : length m = length (dims x) ->
    map2 S f x (tabulate (kept m (dims x)) (fun i => g (unmarked m i))) =
    Some (tabulate (dims x) (fun i => f (at_ x i) (g (unmarked m i)))).
  Proof.
    intros E. unfold map2. cbn [dims tabulate]. rewrite (broadcast_kept m (dims x) E). unfold table. f_equal.
    apply tabulate_ext. intros i I. unfold spread_at. rewrite spread_same by exact I. cbn [dims tabulate].
    unfold spread. rewrite (kept_length m _ E), Nat.sub_diag. cbn [skipn].
    destruct (clip_kept m (dims x) i E I) as [U B]. now rewrite at_tabulate, U by exact B.
  Qed.

  (** A fold with one scalar behind. *)
  Lemma fold_scalar f (x a : tensor) : dims a = [] ->
    fold_all S f x [a] = Some (tabulate (dims x) (fun i => f (at_ x i) (at_ a []))).
  Proof.
    intros D. unfold fold_all. cbn [map broadcast_all]. rewrite D, broadcast_nil. unfold table. f_equal.
    apply tabulate_ext. intros i I. cbn [fold_left]. unfold spread_at. rewrite spread_same by exact I.
    rewrite D. reflexivity.
  Qed.
End KeepDims.

Section Lower.
  Variable S : arith.
  Variable laws : real_laws S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Local Notation "0" := (s_zero S).
  Local Infix "*" := (s_mul S).

  Add Ring numbers : (ring_is S (real_ring S laws)).

  Lemma at_square x sq i : map2 S (s_mul S) x x = Some sq -> at_ sq i = at_ x i * at_ x i.
  Proof.
    intros H. rewrite map2_same in H by reflexivity. injection H as <-.
    destruct (in_box (dims x) i) eqn:B; [now rewrite at_tabulate |].
    rewrite !at_outside by (simpl; exact B). ring.
  Qed.

  Theorem lower_l2 axes e x u eps : dims eps = [] -> at_ eps [] = s_real S e -> l2_norm S axes e x = Some u ->
    exists sq r t q, map2 S (s_mul S) x x = Some sq /\ dims sq = dims x /\ reduce_sum S true axes sq = Some r /\
      fold_all S (s_max S) r [eps] = Some t /\ map1 S (s_sqrt S) t = Some q /\ map2 S (div_cell S) x q = Some u.
  Proof.
    intros De Ee U. pose (m := marks (length (dims x)) axes).
    assert (length m = length (dims x)) as Lm by apply marks_length.
    pose proof (map2_same S (s_mul S) x x eq_refl) as Q. set (sq := tabulate (dims x) _) in Q.
    pose (g := fun rest => s_sqrt S (s_max S (sum_over S m sq rest) (s_real S e))).
    exists sq. eexists. eexists. exists (tabulate (kept m (dims x)) (fun i => g (unmarked m i))).
    split; [exact Q |]. split; [reflexivity |]. split; [reflexivity |]. split; [now apply fold_scalar |].
    split.
    - unfold map1. f_equal. cbn [dims tabulate]. apply tabulate_ext. intros i I. unfold g.
      rewrite at_tabulate by exact I. rewrite at_tabulate by exact I. now rewrite Ee.
    - rewrite (map2_kept S (div_cell S) x m g Lm). rewrite <- U. unfold l2_norm, table. f_equal.
      apply tabulate_ext. intros i I. rewrite (quotient S laws). unfold g, sum_over. f_equal. f_equal. f_equal.
      apply s_sum_ext. intros k _. unfold fellows. now rewrite (at_square x sq _ Q).
  Qed.
End Lower.

(** ** Cells that belong together *)

Lemma weave_fellow m : forall ds i k, length m = length ds -> in_box ds i = true -> in_box (marked m ds) k = true ->
  in_box ds (weave m k (unmarked m i)) = true /\ unmarked m (weave m k (unmarked m i)) = unmarked m i.
Proof.
  unfold unmarked.
  induction m as [| b m IH]; intros [| d ds] [| z i] k E I K; try discriminate; [now destruct k |].
  apply in_box_cons in I. destruct I as [Z0 I]. destruct b; cbn [map marked negb weave] in *.
  - destruct k as [| y k]; [discriminate |]. apply in_box_cons in K. destruct K as [Y0 K].
    destruct (IH ds i k ltac:(now injection E) I K) as [B U]. split; [apply in_box_cons; now split | exact U].
  - destruct (IH ds i k ltac:(now injection E) I K) as [B U].
    split; [apply in_box_cons; now split | cbn [marked]; now rewrite U].
Qed.

Lemma axes_of_range n a : a <= n -> axes_of n (map Z.of_nat (seq a (n - a))) = Some (seq a (n - a)).
Proof.
  intros le. unfold axes_of.
  assert (forall l, (forall k, In k l -> k < n) -> traverse (axis_of n n) (map Z.of_nat l) = Some l) as T.
  { induction l as [| k l IH]; intros H; [reflexivity |]. cbn [map traverse].
    rewrite IH by (intros j inj; apply H; now right). unfold axis_of.
    assert (k < n) as lt by (apply H; now left).
    rewrite (proj2 (Z.leb_le (- Z.of_nat n) (Z.of_nat k)) ltac:(lia)), (proj2 (Z.ltb_lt (Z.of_nat k) (Z.of_nat n)) ltac:(lia)).
    cbn [andb]. rewrite (proj2 (Z.ltb_ge (Z.of_nat k) 0) ltac:(lia)). now rewrite Nat2Z.id. }
  rewrite T by (intros k ink; apply in_seq in ink; lia).
  assert (distinct (seq a (n - a)) = true) as ->; [| reflexivity].
  generalize (n - a). clear. intros m. revert a. induction m as [| m IH]; intros a; [reflexivity |].
  cbn [seq distinct]. rewrite IH, andb_true_r. apply negb_true_iff. unfold has. apply not_true_iff_false. intros H.
  apply existsb_exists in H. destruct H as (x & inx & E). apply Nat.eqb_eq in E. apply in_seq in inx. lia.
Qed.

Lemma marks_range n a : marks n (seq a (n - a)) = map (Nat.leb a) (seq 0 n).
Proof.
  unfold marks. apply map_ext_in. intros k ink. apply in_seq in ink. unfold has.
  destruct (Nat.leb_spec a k) as [le | lt].
  - apply existsb_exists. exists k. split; [apply in_seq; lia | apply Nat.eqb_refl].
  - apply not_true_iff_false. intros H. apply existsb_exists in H. destruct H as (x & inx & E).
    apply Nat.eqb_eq in E. apply in_seq in inx. lia.
Qed.

Section Standard.
  Variable S : arith.
  Variable laws : real_laws S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).

  (** x less its mean, and that by the root of the mean square: as five operators. *)
  Theorem standard_built axes m e (x eps : tensor) :
    m = marks (length (dims x)) axes -> dims eps = [] -> at_ eps [] = s_real S e ->
    exists mean d dd var p q r,
      reduce_mean S true axes x = Some mean /\ map2 S (s_sub S) x mean = Some d /\ dims d = dims x /\
      map2 S (s_mul S) d d = Some dd /\ dims dd = dims x /\ reduce_mean S true axes dd = Some var /\
      map2 S (s_add S) var eps = Some p /\ map1 S (s_sqrt S) p = Some q /\ map2 S (div_cell S) d q = Some r /\
      r = tabulate (dims x) (fun i => standard S e (marked m (dims x)) (fellows S m x i) (at_ x i)).
  Proof.
    intros Em De Ee. assert (length m = length (dims x)) as Lm by (rewrite Em; apply marks_length).
    set (ns := marked m (dims x)). set (n := cell_count ns).
    pose (mu := fun rest => over_count S n (sum_over S m x rest)).
    assert (reduce_mean S true axes x = Some (tabulate (kept m (dims x)) (fun i => mu (unmarked m i)))) as E1
      by (unfold reduce_mean; rewrite <- Em; reflexivity).
    pose proof (map2_kept S (s_sub S) x m mu Lm) as E2. set (d := tabulate (dims x) _) in E2.
    pose proof (map2_same S (s_mul S) d d eq_refl) as E3. set (dd := tabulate (dims d) _) in E3.
    pose (va := fun rest => over_count S n (sum_over S m dd rest)).
    assert (reduce_mean S true axes dd = Some (tabulate (kept m (dims x)) (fun i => va (unmarked m i)))) as E4
      by (unfold reduce_mean; cbn [dims tabulate dd d]; rewrite <- Em; reflexivity).
    pose (g := fun rest => s_sqrt S (s_add S (va rest) (s_real S e))).
    pose proof (map2_kept S (div_cell S) d m g ltac:(cbn [dims tabulate d]; exact Lm)) as E7.
    eexists. exists d, dd. eexists. eexists. eexists. eexists.
    split; [exact E1 |]. split; [exact E2 |]. split; [reflexivity |]. split; [exact E3 |]. split; [reflexivity |].
    split; [exact E4 |]. split; [now apply map2_scalar_r |]. split; [reflexivity |].
    assert (forall t, t = tabulate (kept m (dims d)) (fun i => g (unmarked m i)) -> 
      map2 S (div_cell S) d t = Some (tabulate (dims d) (fun i => div_cell S (at_ d i) (g (unmarked m i))))) as E8
      by (intros t ->; exact E7).
    split.
    - apply E8. cbn [dims tabulate d]. apply tabulate_ext. intros i I. rewrite at_tabulate by exact I.
      rewrite at_tabulate by exact I. now rewrite Ee.
    - cbn [dims tabulate d]. apply tabulate_ext. intros i I. rewrite (quotient S laws). unfold standard.
      assert (at_ d i = s_sub S (at_ x i) (mean_of S ns (fellows S m x i))) as Dd by (unfold d; now rewrite at_tabulate).
      rewrite Dd. f_equal. unfold g. f_equal. f_equal. unfold va, variance_of, sum_over. fold n.
      f_equal. cbn [dims tabulate dd d]. fold ns. apply s_sum_ext. intros k K.
      destruct (weave_fellow m (dims x) i k Lm I K) as [B U].
      rewrite (at_square S laws d dd _ E3). unfold d. rewrite at_tabulate by exact B. rewrite U. reflexivity.
  Qed.
End Standard.
