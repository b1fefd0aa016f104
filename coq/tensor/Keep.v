(** * Sums over dimensions that are kept as ones

    Broadcast again, each cell meets the sum that it is part of. *)

From Coq Require Import Bool Lia List Arith NArith ZArith Ring_theory Ring.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors.
Import ListNotations.
Open Scope nat_scope.

Notation kept m ds := (reduce_dims true m ds).

Lemma kept_length m ds : length m = length ds -> length (kept m ds) = length ds.
Proof. intros E. cbn. rewrite map_length, combine_length. lia. Qed.

Lemma marks_length n axes : length (marks n axes) = n.
Proof. unfold marks. now rewrite map_length, seq_length. Qed.

Lemma broadcast_kept m ds : length m = length ds -> broadcast ds (kept m ds) = Some ds.
Proof.
  intros E. unfold broadcast. rewrite kept_length, Nat.max_id by exact E.
  replace (lead (length ds) (kept m ds)) with (kept m ds)
    by (unfold lead; rewrite kept_length, Nat.sub_diag by exact E; reflexivity).
  rewrite lead_own. apply agree_or_one.
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

Section Keep.
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
    apply tabulate_ext. intros i I. unfold spread_at. rewrite spread_own by exact I. cbn [dims tabulate].
    unfold spread. rewrite (kept_length m _ E), Nat.sub_diag. cbn [skipn].
    destruct (clip_kept m (dims x) i E I) as [U B]. now rewrite at_tabulate, U by exact B.
  Qed.

  Lemma broadcast_scalar a : broadcast a [] = Some a.
  Proof.
    unfold broadcast. cbn [length]. rewrite Nat.max_0_r, lead_own. unfold lead. cbn [length].
    rewrite Nat.sub_0_r, app_nil_r. apply agree_ones.
  Qed.

  (** A fold with one scalar behind. *)
  Lemma fold_scalar f (x a : tensor) : dims a = [] ->
    fold_all S f x [a] = Some (tabulate (dims x) (fun i => f (at_ x i) (at_ a []))).
  Proof.
    intros D. unfold fold_all. cbn [map broadcast_all]. rewrite D, broadcast_scalar. unfold table. f_equal.
    apply tabulate_ext. intros i I. cbn [fold_left]. unfold spread_at. rewrite spread_own by exact I.
    rewrite D. reflexivity.
  Qed.
End Keep.

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
