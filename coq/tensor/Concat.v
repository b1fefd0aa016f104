(** * Concat and Split undo each other

    [concat_part]: in the concatenation, part [j] lies behind the sizes of those before it.
    [concat_split], [split_concat]: cutting and putting together. *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** The sizes along an axis *)

(** The sum of the first [j]. *)
Definition start (j : nat) (sizes : list nat) : nat := list_sum (firstn j sizes).

Lemma locate sizes k : k < list_sum sizes ->
  exists j n, nth_error sizes j = Some n /\ start j sizes <= k < start j sizes + n.
Proof.
  revert k. induction sizes as [| m sizes IH]; intros k lt; simpl in lt; [lia |].
  destruct (Nat.lt_ge_cases k m) as [l | ge_].
  - exists 0, m. split; [reflexivity |]. unfold start. simpl. lia.
  - destruct (IH (k - m) ltac:(lia)) as (j & n & at_j & lo). exists (S j), n. split; [exact at_j |].
    unfold start in *. simpl. lia.
Qed.

Lemma start_le sizes j n : nth_error sizes j = Some n -> start j sizes + n <= list_sum sizes.
Proof.
  revert j. induction sizes as [| m sizes IH]; intros [| j] H; try discriminate; unfold start in *; simpl in *.
  - injection H as ->. lia.
  - specialize (IH j H). lia.
Qed.

Section Concat.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Variable axis : nat.
  Notation along := (map (fun t : tensor => nth axis (dims t) 0)).

  (** ** Concat *)

  Lemma concat_cell_at ts : forall j x l t i,
    ts = x :: l -> nth_error ts j = Some t -> axis < length i -> (0 <= nth axis i 0 < Z.of_nat (nth axis (dims t) 0%nat))%Z ->
    concat_cell S axis x l (set_nth axis (nth axis i 0 + Z.of_nat (start j (along ts)))%Z i) = at_ t i.
  Proof.
    induction ts as [| x' ts IH]; intros j x l t i E at_j la lt; [discriminate |]. injection E as -> ->.
    destruct j as [| j].
    - injection at_j as ->. unfold start. simpl firstn. simpl list_sum. rewrite Z.add_0_r, set_nth_same.
      destruct l as [| y l]; [reflexivity |]. cbn [concat_cell]. now rewrite (proj2 (Z.ltb_lt _ _)) by lia.
    - destruct l as [| y l]; [now destruct j |]. cbn [concat_cell nth_error] in *.
      rewrite nth_set_same by exact la.
      assert (start (Datatypes.S j) (along (x :: y :: l)) = nth axis (dims x) 0 + start j (along (y :: l))) as Es by reflexivity.
      rewrite Es. rewrite (proj2 (Z.ltb_ge _ _)) by lia. rewrite set_nth_twice.
      replace (nth axis i 0 + Z.of_nat (nth axis (dims x) 0%nat + start j (along (y :: l))) - Z.of_nat (nth axis (dims x) 0%nat))%Z
        with (nth axis i 0 + Z.of_nat (start j (along (y :: l))))%Z by lia.
      now apply IH.
  Qed.

  Lemma fold_sum l : forall n, fold_left (fun n b => n + nth axis b 0) l n = n + list_sum (map (fun b => nth axis b 0) l).
  Proof. induction l as [| b l IH]; intros n; simpl; [lia |]. rewrite IH. lia. Qed.

  (** Equal sizes but along the axis. *)
  Definition alike (x y : tensor) : Prop :=
    length (dims y) = length (dims x) /\ set_nth axis 0 (dims y) = set_nth axis 0 (dims x).

  Lemma concat_iff x l c : concat S axis x l = Some c <->
    (forall y, In y l -> alike x y) /\
    c = tabulate (set_nth axis (list_sum (along (x :: l))) (dims x)) (concat_cell S axis x l).
  Proof.
    unfold concat, table, concat_dims, guard. rewrite fold_sum, map_map.
    assert (forallb (fun b => (length b =? length (dims x)) && sizes_eqb (set_nth axis 0 b) (set_nth axis 0 (dims x))) (map dims l) = true <->
            forall y, In y l -> alike x y) as A.
    { rewrite forallb_forall. split.
      - intros H y iny. specialize (H (dims y) (in_map dims _ _ iny)). apply andb_true_iff in H. destruct H as [a b].
        apply Nat.eqb_eq in a. unfold sizes_eqb in b. destruct (list_eq_dec _ _ _); [now split | discriminate].
      - intros H b inb. apply in_map_iff in inb. destruct inb as (y & <- & iny). destruct (H y iny) as [a e].
        rewrite a, Nat.eqb_refl. unfold sizes_eqb. now destruct (list_eq_dec _ _ _). }
    destruct (forallb _ _) eqn:F; split.
    - intros H. injection H as <-. split; [now apply A | reflexivity].
    - now intros [_ ->].
    - discriminate.
    - intros [H _]. apply A in H. discriminate.
  Qed.

  Lemma alike_dims x y : alike x y -> axis < length (dims x) -> dims y = set_nth axis (nth axis (dims y) 0) (dims x).
  Proof.
    intros [len E] lt. apply (set_nth_eq axis 0 _ _ 0).
    - now rewrite set_nth_twice.
    - lia.
    - now rewrite nth_set_same.
  Qed.

  Lemma all_alike x l j t : (forall y, In y l -> alike x y) -> nth_error (x :: l) j = Some t -> alike x t.
  Proof.
    intros H at_j. apply nth_error_In in at_j. destruct at_j as [<- | inl]; [now split | now apply H].
  Qed.

  (** Where a part is. *)
  Theorem concat_part x l c j t i :
    concat S axis x l = Some c -> nth_error (x :: l) j = Some t -> axis < length (dims x) ->
    in_box (dims t) i = true ->
    let i' := set_nth axis (nth axis i 0 + Z.of_nat (start j (along (x :: l))))%Z i in
    in_box (dims c) i' = true /\ at_ c i' = at_ t i.
  Proof.
    intros C at_j la I i'. apply concat_iff in C. destruct C as [al ->].
    pose proof (all_alike x l j t al at_j) as at_. pose proof (alike_dims x t at_ la) as D.
    pose proof I as I'. apply in_box_nth in I'. destruct I' as [len less].
    assert (length (dims t) = length (dims x)) as lt by (destruct at_; lia).
    specialize (less axis ltac:(lia)).
    assert (in_box (set_nth axis (list_sum (along (x :: l))) (dims x)) i' = true) as Ib.
    { assert (set_nth axis (list_sum (along (x :: l))) (dims x) = set_nth axis (list_sum (along (x :: l))) (dims t)) as ->
        by (rewrite D, set_nth_twice; reflexivity).
      apply in_box_set; [exact I |].
      assert (nth_error (along (x :: l)) j = Some (nth axis (dims t) 0)) as at_n by (rewrite nth_error_map, at_j; reflexivity).
      pose proof (start_le _ _ _ at_n). lia. }
    split; [exact Ib |]. unfold Ops.at_ at 1. rewrite get_tabulate by exact Ib.
    apply (concat_cell_at (x :: l) j); try reflexivity; try assumption; lia.
  Qed.

  (** ** Split *)

  Lemma nth_parts x sizes : forall s j, axis < length (dims x) ->
    nth_error (parts S axis x s (map (fun n => set_nth axis n (dims x)) sizes)) j =
    option_map (fun n => part S axis x (s + start j sizes) (set_nth axis n (dims x))) (nth_error sizes j).
  Proof.
    induction sizes as [| n sizes IH]; intros s [| j] la; simpl; try reflexivity.
    - unfold start. simpl. now rewrite Nat.add_0_r.
    - rewrite nth_set_same by exact la. rewrite IH by exact la. destruct (nth_error sizes j); [| reflexivity].
      simpl. unfold start. simpl. do 2 f_equal. lia.
  Qed.

  Lemma parts_length x s l : length (parts S axis x s l) = length l.
  Proof. revert s. induction l as [| d l IH]; intros s; simpl; [reflexivity | now rewrite IH]. Qed.

  Lemma split_iff sizes x ts : split S axis sizes x = Some ts <->
    list_sum sizes = nth axis (dims x) 0 /\ ts = parts S axis x 0 (map (fun n => set_nth axis n (dims x)) sizes).
  Proof.
    unfold split, split_dims, guard. destruct (Nat.eqb_spec (list_sum sizes) (nth axis (dims x) 0)); split.
    - intros H. injection H as <-. now split.
    - now intros [_ ->].
    - discriminate.
    - now intros [E _].
  Qed.

  Lemma split_nth sizes x ts j t : split S axis sizes x = Some ts -> axis < length (dims x) -> nth_error ts j = Some t ->
    exists n, nth_error sizes j = Some n /\ t = part S axis x (start j sizes) (set_nth axis n (dims x)).
  Proof.
    intros H la at_j. apply split_iff in H. destruct H as [_ ->]. rewrite nth_parts in at_j by exact la.
    destruct (nth_error sizes j) as [n |]; [| discriminate]. injection at_j as <-. now exists n.
  Qed.

  (** The first parts, if they are all there is, put together. *)
  Theorem concat_split sizes m x p ps :
    good x -> axis < length (dims x) ->
    firstn m (parts S axis x 0 (map (fun n => set_nth axis n (dims x)) sizes)) = p :: ps ->
    list_sum (firstn m sizes) = nth axis (dims x) 0 ->
    concat S axis p ps = Some x.
  Proof.
    intros G la E Sum.
    assert (forall j, nth_error (p :: ps) j =
              option_map (fun n => part S axis x (start j sizes) (set_nth axis n (dims x))) (nth_error (firstn m sizes) j)) as at_.
    { intros j. rewrite <- E. destruct (Nat.lt_ge_cases j m) as [lt | ge_].
      - assert (forall A (l : list A), nth_error (firstn m l) j = nth_error l j) as fn.
        { clear - lt. intros A l. revert m lt l. induction j as [| j IH]; intros [| m] lt [| a l]; simpl; try lia; try reflexivity.
          apply IH. lia. }
        rewrite !fn. now apply nth_parts.
      - assert (forall A (l : list A), nth_error (firstn m l) j = None) as fn
          by (intros A l; apply nth_error_None; rewrite firstn_length; lia).
        now rewrite !fn. }
    assert (exists n0, nth_error (firstn m sizes) 0 = Some n0 /\ p = part S axis x 0 (set_nth axis n0 (dims x))) as (n0 & at_0 & Ep).
    { specialize (at_ 0). simpl nth_error at 1 in at_. destruct (nth_error (firstn m sizes) 0) as [n0 |]; [| discriminate].
      injection at_ as ->. exists n0. split; [reflexivity |]. reflexivity. }
    assert (dims p = set_nth axis n0 (dims x)) as Dp by (rewrite Ep; reflexivity).
    assert (along (p :: ps) = firstn m sizes) as Al.
    { apply nth_ext with (d := 0) (d' := 0).
      - rewrite map_length. apply Nat.le_antisymm; apply Nat.nlt_ge; intros lt; apply nth_error_Some in lt; apply lt.
        + pose proof (at_ (length (firstn m sizes))) as H. rewrite (proj2 (nth_error_None (firstn m sizes) _) (Nat.le_refl _)) in H.
          exact H.
        + pose proof (at_ (length (p :: ps))) as H. rewrite (proj2 (nth_error_None (p :: ps) _) (Nat.le_refl _)) in H.
          destruct (nth_error (firstn m sizes) (length (p :: ps))); [discriminate | reflexivity].
      - intros j lt. rewrite map_length in lt. pose proof lt as lt'. apply nth_error_Some in lt'. specialize (at_ j).
        destruct (nth_error (p :: ps) j) as [t |] eqn:at_j; [| easy].
        destruct (nth_error (firstn m sizes) j) as [n |] eqn:at_n; [| discriminate]. injection at_ as ->.
        rewrite (nth_error_nth (firstn m sizes) j 0 at_n).
        apply nth_error_nth. rewrite nth_error_map, at_j. simpl. f_equal. now apply nth_set_same. }
    apply concat_iff. split.
    - intros y iny. apply In_nth_error in iny. destruct iny as [j at_j]. specialize (at_ (Datatypes.S j)). simpl nth_error at 1 in at_.
      rewrite at_j in at_. destruct (nth_error (firstn m sizes) (Datatypes.S j)) as [n |]; [| discriminate]. injection at_ as ->.
      unfold alike. rewrite Dp. cbn [dims part tabulate]. now rewrite !set_nth_length, !set_nth_twice.
    - rewrite Al, Sum, Dp, set_nth_twice, set_nth_same.
      apply (tensor_ext (s_zero S)); [exact G | apply good_tabulate | reflexivity |].
      intros i I. rewrite get_tabulate by exact I. change (get (s_zero S) x i) with (Ops.at_ S x i).
      pose proof I as I'. apply in_box_nth in I'. destruct I' as [len less]. specialize (less axis la).
      destruct (locate (firstn m sizes) (Z.to_nat (nth axis i 0%Z))) as (j & n & at_n & lo); [lia |].
      assert (start j (firstn m sizes) = start j sizes) as Es.
      { unfold start. rewrite firstn_firstn. f_equal. f_equal.
        assert (j < length (firstn m sizes)) as lj by (apply nth_error_Some; congruence).
        rewrite firstn_length in lj. lia. }
      set (i' := set_nth axis (nth axis i 0 - Z.of_nat (start j sizes))%Z i).
      assert (nth axis i' 0 = nth axis i 0 - Z.of_nat (start j sizes))%Z as Ei by (unfold i'; rewrite nth_set_same by lia; reflexivity).
      assert (set_nth axis (nth axis i' 0 + Z.of_nat (start j sizes))%Z i' = i) as Eb.
      { unfold i' at 2. rewrite set_nth_twice, Ei.
        replace (nth axis i 0 - Z.of_nat (start j sizes) + Z.of_nat (start j sizes))%Z with (nth axis i 0%Z) by lia.
        apply set_nth_same. }
      specialize (at_ j). rewrite at_n in at_. simpl option_map in at_.
      rewrite <- Eb at 2. rewrite <- Es at 1. rewrite <- Al at 1.
      rewrite (concat_cell_at (p :: ps) j p ps _ i' eq_refl at_).
      + unfold Ops.at_ at 2. unfold part. rewrite get_tabulate; [now rewrite Eb |].
        unfold i'. apply in_box_set; [exact I | lia].
      + unfold i'. rewrite set_nth_length. lia.
      + cbn [dims part tabulate]. rewrite nth_set_same by exact la. rewrite Ei. lia.
  Qed.

  (** Cutting what was put together. *)
  Theorem split_concat x l c :
    (forall t, In t (x :: l) -> good t) -> axis < length (dims x) -> concat S axis x l = Some c ->
    split S axis (along (x :: l)) c = Some (x :: l).
  Proof.
    intros G la C. pose proof C as C'. apply concat_iff in C'. destruct C' as [al Ec].
    assert (dims c = set_nth axis (list_sum (along (x :: l))) (dims x)) as Dc by (rewrite Ec; reflexivity).
    apply split_iff. split; [rewrite Dc; now rewrite nth_set_same |].
    assert (axis < length (dims c)) as lc by (rewrite Dc, set_nth_length; exact la).
    apply (nth_ext _ _ x x).
    - now rewrite parts_length, !map_length.
    - intros j lt. pose proof lt as lt'. apply nth_error_Some in lt'.
      destruct (nth_error (x :: l) j) as [t |] eqn:at_j; [| easy].
      rewrite (nth_error_nth _ _ x at_j). symmetry. apply nth_error_nth.
      rewrite nth_parts by exact lc. rewrite nth_error_map, at_j. simpl option_map. f_equal.
      pose proof (all_alike x l j t al at_j) as at_. pose proof (alike_dims x t at_ la) as Dt.
      assert (set_nth axis (nth axis (dims t) 0) (dims c) = dims t) as Dp by (rewrite Dc, set_nth_twice; now symmetry).
      apply (tensor_ext (s_zero S)); [apply good_tabulate | apply G; now apply nth_error_In with j | exact Dp |].
      intros i I. cbn [dims part tabulate] in I. unfold part. rewrite get_tabulate by exact I. rewrite Dp in I.
      exact (proj2 (concat_part x l c j t i C at_j la I)).
  Qed.
End Concat.
