(** * Operands with one value for each place of a dimension

    A tensor of sizes (C, 1, .., 1) broadcasts along the dimension of another that has as
    many behind it: what stands at a cell is its element at that cell's place. *)

From Coq Require Import Bool Lia List Arith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes.
From Calque Require Import tensor.Ops tensor.Algebra tensor.Channel.
Import ListNotations.
Open Scope nat_scope.

Lemma broadcast_along pre c ys : broadcast (pre ++ c :: ys) (c :: repeat 1 (length ys)) = Some (pre ++ c :: ys).
Proof.
  unfold broadcast. rewrite app_length. cbn [length]. rewrite repeat_length.
  replace (Nat.max (length pre + S (length ys)) (S (length ys))) with (length (pre ++ c :: ys))
    by (rewrite app_length; simpl; lia).
  rewrite lead_same. unfold lead. cbn [length]. rewrite repeat_length, app_length. cbn [length].
  replace (length pre + S (length ys) - S (length ys)) with (length pre) by lia.
  apply agree_or_one. apply Forall2_app; [clear; induction pre; constructor; auto |].
  constructor; [now left |]. clear. induction ys; constructor; auto.
Qed.

Lemma spread_along pre c ys i : in_box (pre ++ c :: ys) i = true ->
  spread (c :: repeat 1 (length ys)) (pre ++ c :: ys) i = nth (length pre) i 0%Z :: repeat 0%Z (length ys) /\
  (0 <= nth (length pre) i 0 < Z.of_nat c)%Z.
Proof.
  intros I. unfold spread. rewrite app_length. cbn [length]. rewrite repeat_length.
  replace (length pre + S (length ys) - S (length ys)) with (length pre) by lia.
  apply (in_box_skipn (length pre)) in I. rewrite skipn_app, skipn_all, Nat.sub_diag in *. cbn [app skipn] in *.
  destruct (skipn (length pre) i) as [| z j] eqn:E; [discriminate |].
  assert (nth (length pre) i 0%Z = z) as -> by (rewrite <- (Nat.add_0_r (length pre)), <- nth_skipn, E; reflexivity).
  apply in_box_cons in I. destruct I as [Z0 I]. split; [| exact Z0].
  cbn [clip]. now rewrite Nat.eqb_refl, (clip_ones ys j I).
Qed.

Section Along.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Theorem map2_along f (x k : tensor) pre c ys : dims x = pre ++ c :: ys -> dims k = c :: repeat 1 (length ys) ->
    map2 S f x k = Some (tabulate (dims x) (fun i => f (at_ x i) (chan S k (nth (length pre) i 0%Z)))).
  Proof.
    intros Dx Dk. unfold map2. rewrite Dx, Dk, broadcast_along. unfold table. f_equal. apply tabulate_ext.
    intros i I. unfold spread_at. rewrite Dx, Dk, spread_same by exact I.
    destruct (spread_along pre c ys i I) as [-> J]. f_equal. now apply (at_chan_front S k c).
  Qed.

  (** A bias is a sum, the bias reshaped. *)
  Theorem bias_add_sum axis (x b u : tensor) : axis < length (dims x) -> good b -> bias_add S axis x b = Some u ->
    exists c k, dims b = [c] /\ recast (c :: repeat 1 (length (dims x) - 1 - axis)) b = Some k /\
      map2 S (s_add S) x k = Some u.
  Proof.
    intros lt G B. apply bias_add_iff in B. destruct B as [Db ->].
    set (c := nth axis (dims x) 0) in *. exists c, (Tensor (c :: repeat 1 (length (dims x) - 1 - axis)) (cells b)).
    split; [exact Db |]. split.
    - apply recast_iff. split; [| reflexivity]. rewrite G, Db. cbn. rewrite cell_count_ones. lia.
    - destruct (nth_split (dims x) 0 lt) as (pre & ys & Dx & len). fold c in Dx.
      assert (length (dims x) - 1 - axis = length ys) as -> by (rewrite Dx, app_length; simpl; lia).
      rewrite (map2_along _ x (Tensor (c :: repeat 1 (length ys)) (cells b)) pre c ys Dx eq_refl). f_equal. apply tabulate_ext. intros i I. f_equal.
      rewrite len, Dx in *. destruct (spread_along pre c ys i I) as [_ J]. rewrite len in J. symmetry.
      now apply (at_chan_vector S b c).
  Qed.
End Along.
