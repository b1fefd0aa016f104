(** * A kernel padded by zeros, in a ring

    The window grows by what the kernel is padded by, and the pads by what the window's begin moves: the same sums with
    terms 0 added.  Dilations are 1. *)

From Coq Require Import Bool List Lia Arith NArith ZArith Ring_theory Ring.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Algebra tensor.PadConv.
Import ListNotations.
Open Scope nat_scope.

(** Where a cell of the kernel is in the padded one. *)
Fixpoint moved (lo k : list Z) : list Z :=
  match lo, k with p :: lo', z :: k' => (z + p)%Z :: moved lo' k' | _, _ => k end.

Lemma moved_back ns : forall lo k, length lo = length ns -> length k = length ns -> pad_at PadConstant ns lo (moved lo k) = k.
Proof.
  induction ns as [| n ns IH]; intros [| p lo] [| z k] ll lk; try discriminate; [reflexivity |].
  cbn [moved pad_at pad_place]. rewrite IH by (simpl in *; lia). f_equal. lia.
Qed.

Lemma moved_in ns : forall lo hi ns' k, pad_dims PadConstant ns lo hi = Some ns' -> Forall (Z.le 0) lo -> Forall (Z.le 0) hi ->
  in_box ns k = true -> in_box ns' (moved lo k) = true.
Proof.
  intros lo hi ns' k P Lo Hi I. destruct (pad_dims_length _ _ _ _ _ P) as (ll & _ & _). pose proof (in_box_length _ _ I) as lk.
  apply (in_padded ns lo hi ns' (moved lo k) P Lo Hi).
  - clear -ll lk. revert lo k ll lk. induction ns as [| n ns IH]; intros [| p lo] [| z k] ll lk; try discriminate; [reflexivity |].
    cbn. specialize (IH lo k ltac:(now injection ll) ltac:(now injection lk)). lia.
  - now rewrite moved_back.
Qed.

Section Ring.
  Variable S : arith.
  Variable laws : ring_laws S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Local Notation "0" := (s_zero S).
  Local Infix "+" := (s_add S).
  Local Infix "*" := (s_mul S).

  Add Ring pad_numbers : (ring_is S laws).

  (** ** Sums in which only the terms of an inner box count *)

  Definition total {A} (l : list A) (f : A -> num) : num := fold_left (fun a z => a + f z) l 0.

  Lemma total_from {A} (l : list A) f : forall a, fold_left (fun a z => a + f z) l a = a + total l f.
  Proof.
    unfold total. induction l as [| z l IH]; intros a; cbn [fold_left]; [ring |]. rewrite (IH (a + f z)), (IH (0 + f z)). ring.
  Qed.

  Lemma total_app {A} (l m : list A) f : total (l ++ m) f = total l f + total m f.
  Proof. unfold total. now rewrite fold_left_app, total_from. Qed.

  Lemma total_zero {A} (l : list A) f : (forall z, In z l -> f z = 0) -> total l f = 0.
  Proof.
    induction l as [| z l IH]; intros Z; [reflexivity |]. unfold total. cbn [fold_left]. rewrite total_from, IH by (intros y iny; apply Z; now right).
    rewrite Z by now left. ring.
  Qed.

  Lemma total_ext {A} (l : list A) f g : (forall z, In z l -> f z = g z) -> total l f = total l g.
  Proof. intros E. unfold total. apply fold_left_ext_in. intros a z inz. now rewrite E. Qed.

  Lemma total_map {A B} (h : A -> B) l f : total (map h l) f = total l (fun z => f (h z)).
  Proof. unfold total. exact (fold_left_map (fun a z => a + f z) h l 0). Qed.

  Lemma sum_total ns f : s_sum S ns f = total (box ns) f.
  Proof. apply (sum_is S laws). Qed.

  (** The outer dimension first. *)
  Lemma sum_cons n ns f : s_sum S (n :: ns) f = total (seq 0 n) (fun z => s_sum S ns (fun k => f (Z.of_nat z :: k))).
  Proof.
    rewrite sum_total. cbn [Kernel.box]. generalize (seq 0 n). intros l. induction l as [| z l IH]; [reflexivity |].
    cbn [flat_map]. rewrite total_app, total_map, IH. unfold total at 3. cbn [fold_left]. rewrite total_from, sum_total. ring.
  Qed.

  Lemma total_inner p n q f : (forall z, (z < p + n + q)%nat -> (z < p \/ p + n <= z)%nat -> f z = 0) -> total (seq 0 (p + n + q)) f = total (seq 0 n) (fun z => f (z + p)%nat).
  Proof.
    intros Z. rewrite !seq_app, !total_app. rewrite (total_zero (seq 0 p)), (total_zero (seq (0 + (p + n))%nat q)).
    - cbn [Nat.add]. assert (seq p n = map (fun z => z + p)%nat (seq 0 n)) as ->; [| rewrite total_map; ring].
      clear. assert (forall s, seq (s + p) n = map (fun z => z + p)%nat (seq s n)) as go; [| exact (go O)].
      induction n as [| n IH]; intros s; [reflexivity |]. cbn. f_equal. exact (IH (Datatypes.S s)).
    - intros z inz. apply in_seq in inz. apply Z; lia.
    - intros z inz. apply in_seq in inz. apply Z; lia.
  Qed.

  Lemma sum_inner ns : forall lo hi ns' f, pad_dims PadConstant ns lo hi = Some ns' -> Forall (Z.le 0%Z) lo -> Forall (Z.le 0%Z) hi ->
    (forall k, in_box ns' k = true -> in_box ns (pad_at PadConstant ns lo k) = false -> f k = 0) ->
    s_sum S ns' f = s_sum S ns (fun k => f (moved lo k)).
  Proof.
    induction ns as [| n ns IH]; intros [| p lo] [| q hi] ns' f P Lo Hi Z; try discriminate; cbn [pad_dims] in P.
    - injection P as <-. reflexivity.
    - unfold guard in P. destruct (_ && _); [| discriminate]. destruct (pad_dims PadConstant ns lo hi) as [l |] eqn:E; [| discriminate].
      injection P as <-. inversion Lo; subst. inversion Hi; subst. rewrite !sum_cons.
      replace (Z.to_nat (Z.of_nat n + p + q)) with (Z.to_nat p + n + Z.to_nat q)%nat by lia.
      rewrite total_inner.
      + apply total_ext. intros z inz. apply in_seq in inz. rewrite (IH lo hi l _ E) by (first [assumption |
          intros k Ik O; apply Z; [apply in_box_cons; split; [lia | exact Ik] |
                                   cbn [pad_at pad_place Kernel.in_box]; rewrite O; apply andb_false_r]]).
        apply s_sum_ext. intros k _. cbn [moved]. do 2 f_equal. lia.
      + intros z lt out. rewrite sum_total. apply total_zero. intros k ink. apply in_box_box in ink.
        apply Z; [apply in_box_cons; split; [lia | exact ink] |]. cbn [pad_at pad_place Kernel.in_box].
        apply andb_false_iff. left. apply andb_false_iff. rewrite Z.leb_gt, Z.ltb_ge. lia.
  Qed.

  (** ** The convolution *)

  Lemma counts_grown ns : forall ks lo hi ks' ss ps qs, pad_dims PadConstant ks lo hi = Some ks' -> Forall (Z.le 0%Z) lo -> Forall (Z.le 0%Z) hi ->
    forallb (Nat.ltb 0) ks = true -> length ks = length ns -> length ps = length ns -> length qs = length ns ->
    window_counts false ns ks' ss (repeat 1%nat (length ns)) (added ps lo) (added qs hi) =
    window_counts false ns ks ss (repeat 1%nat (length ns)) ps qs.
  Proof.
    induction ns as [| n ns IH]; intros [| k ks] lo hi ks' ss ps qs P Lo Hi K lk lp lq; try discriminate.
    - destruct lo, hi; try discriminate. cbn in P. injection P as <-. destruct ps, qs; try discriminate. reflexivity.
    - destruct lo as [| p lo], hi as [| q hi]; try discriminate. cbn [pad_dims] in P. unfold guard in P.
      destruct (_ && _); [| discriminate]. destruct (pad_dims PadConstant ks lo hi) as [l |] eqn:E; [| discriminate]. injection P as <-.
      destruct ps as [| p' ps], qs as [| q' qs]; try discriminate. inversion Lo; subst. inversion Hi; subst.
      cbn [forallb] in K. apply andb_true_iff in K. destruct K as [k0 K]. apply Nat.ltb_lt in k0.
      cbn [added combine map fst snd length repeat]. fold (added ps lo) (added qs hi). destruct ss as [| s ss]; [reflexivity |].
      cbn [window_counts]. rewrite (IH ks lo hi l ss ps qs E) by (try assumption; simpl in lk, lp, lq; lia).
      unfold window_count, extent. set (e := Z.to_nat (Z.of_nat k + p + q)). assert (e = k + (Z.to_nat p + Z.to_nat q))%nat as -> by (unfold e; lia).
      rewrite !Nat.mul_1_r.
      replace (n + (p' + Z.to_nat p) + (q' + Z.to_nat q))%nat with (n + p' + q' + (Z.to_nat p + Z.to_nat q))%nat by lia.
      set (d := (Z.to_nat p + Z.to_nat q)%nat). replace (k + d - 1 + 1)%nat with (k - 1 + 1 + d)%nat by lia.
      replace (n + p' + q' + d <? k - 1 + 1 + d)%nat with (n + p' + q' <? k - 1 + 1)%nat
        by (destruct (Nat.ltb_spec (n + p' + q') (k - 1 + 1)%nat), (Nat.ltb_spec (n + p' + q' + d) (k - 1 + 1 + d)%nat); lia || reflexivity).
      replace (n + p' + q' + d - (k - 1 + 1 + d))%nat with (n + p' + q' - (k - 1 + 1))%nat by lia. reflexivity.
  Qed.

  Lemma window_moved ss : forall ps lo y k, length ps = length lo -> length k = length lo -> Forall (Z.le 0%Z) lo ->
    window_at ss (repeat 1%nat (length lo)) (added ps lo) y (moved lo k) = window_at ss (repeat 1%nat (length lo)) ps y k.
  Proof.
    induction ss as [| s ss IH]; intros [| p ps] [| z lo] y [| a k] lp lk Lo; try discriminate; try reflexivity.
    cbn [length repeat added combine map fst snd moved window_at]. fold (added ps lo). destruct y as [| v y]; [reflexivity |].
    inversion Lo; subst. cbn [window_at]. rewrite IH by (try assumption; simpl in *; lia). f_equal. lia.
  Qed.

  Theorem kernel_padded w w' (x f fp : tensor) b u o c ks lo hi : conv S w 1 x f b = Some u -> dims f = o :: c :: ks ->
    pad S PadConstant 0 (0%Z :: 0%Z :: lo) (0%Z :: 0%Z :: hi) f = Some fp -> Forall (Z.le 0%Z) lo -> Forall (Z.le 0%Z) hi ->
    strides w' = strides w -> dilations w = repeat 1%nat (length ks) -> dilations w' = dilations w ->
    pads w' = added (pads w) (lo ++ hi) -> conv S w' 1 x fp b = Some u.
  Proof.
    intros H Df P Lo Hi Ss Ds Ds' Ps. apply (conv_iff S laws) in H. destruct H as (out & D & B & ->).
    pose proof P as P'. apply table_iff in P'. destruct P' as (ds & Dp & Ep). rewrite Df in Dp. cbn [pad_dims] in Dp. unfold guard in Dp.
    destruct (_ && _) in Dp; [| discriminate]. destruct (_ && _) in Dp; [| discriminate].
    destruct (pad_dims PadConstant ks lo hi) as [ks' |] eqn:E; [| discriminate]. cbn [option_map] in Dp. injection Dp as Dp.
    assert (dims fp = o :: c :: ks') as Dfp.
    { rewrite Ep. cbn [dims tabulate]. rewrite <- Dp. f_equal; [lia |]. f_equal. lia. }
    destruct (pad_dims_length _ _ _ _ _ E) as (ll & lh & lk').
    unfold conv_dims in D. rewrite Df in D. destruct (dims x) as [| n [| c' ns]] eqn:Dx; try discriminate. unfold guard in D.
    destruct (_ && _ && _ && _ && _ && _) eqn:C in D; [| discriminate]. unfold spatial_dims, guard in D.
    destruct (window_ok (length ns) w && forallb (Nat.ltb 0) ks) eqn:W in D; [| discriminate].
    apply andb_true_iff in W. destruct W as [W K]. pose proof W as W'. unfold window_ok in W. rewrite !andb_true_iff, !Nat.eqb_eq in W.
    destruct W as ((((ls & ld) & lp) & _) & _). rewrite Ds, repeat_length in ld.
    assert (pads w = pads_before w ++ pads_after w) as Epw by (symmetry; apply firstn_skipn).
    assert (length (pads_before w) = length ns) as lb by (unfold pads_before; rewrite firstn_length; lia).
    assert (length (pads_after w) = length ns) as la by (unfold pads_after; rewrite skipn_length; lia).
    rewrite Epw, added_app in Ps by congruence.
    assert (length (added (pads_before w) lo) = length (strides w)) as lab by (rewrite added_length; lia).
    assert (pads_before w' = added (pads_before w) lo) as Eb.
    { unfold pads_before at 1. rewrite Ps, Ss, <- lab, firstn_app, Nat.sub_diag, firstn_all. apply app_nil_r. }
    assert (pads_after w' = added (pads_after w) hi) as Ea.
    { unfold pads_after at 1. rewrite Ps, Ss, <- lab, skipn_app, Nat.sub_diag, skipn_all. reflexivity. }
    apply (conv_iff S laws). exists out. split; [| split].
    - unfold conv_dims. rewrite Dx, Dfp. unfold guard. rewrite C. unfold spatial_dims, guard.
      assert (window_ok (length ns) w' = true) as ->.
      { revert W'. unfold window_ok. rewrite Ss, Ds', Ps, app_length, !added_length, lb, la, ll, lh, ld, !Nat.min_id.
        replace (length ns + length ns =? 2 * length ns) with true by (symmetry; apply Nat.eqb_eq; lia).
        rewrite lp, Nat.eqb_refl. tauto. }
      assert (forallb (Nat.ltb 0) ks' = true) as ->.
      { clear -E K Lo Hi. revert lo hi ks' E Lo Hi. induction ks as [| k ks IH]; intros [| p lo] [| q hi] ks' E Lo Hi; try discriminate; cbn [pad_dims] in E.
        - now injection E as <-.
        - unfold guard in E. destruct (_ && _); [| discriminate]. destruct (pad_dims _ ks lo hi) as [l |] eqn:P; [| discriminate].
          injection E as <-. cbn [forallb] in K |- *. apply andb_true_iff in K. destruct K as [k0 K]. inversion Lo; subst. inversion Hi; subst.
          apply Nat.ltb_lt in k0. apply andb_true_iff. split; [apply Nat.ltb_lt; lia | now apply (IH K lo hi)]. }
      rewrite Eb, Ea, Ss, Ds', Ds, ld in *. cbn [andb]. rewrite (counts_grown ns ks lo hi ks' _ _ _ E Lo Hi K ld lb la). exact D.
    - rewrite Dfp. rewrite Df in B. exact B.
    - apply tabulate_ext. intros i I. f_equal. unfold conv_cell. destruct i as [| m [| q y]]; try reflexivity.
      rewrite Df, Dfp. cbn [tl].
      assert (pad_dims PadConstant (c :: ks) (0%Z :: lo) (0%Z :: hi) = Some (c :: ks')) as Eck.
      { cbn [pad_dims]. rewrite E. unfold guard. rewrite !Z.add_0_r, Nat2Z.id. destruct (Z.leb_spec 0 (Z.of_nat c)); [reflexivity | lia]. }
      rewrite (sum_inner (c :: ks) (0%Z :: lo) (0%Z :: hi) (c :: ks') _ Eck (Forall_cons _ (Z.le_refl _) Lo) (Forall_cons _ (Z.le_refl _) Hi)).
      + apply s_sum_ext. intros [| z k] Ik; [discriminate |]. pose proof (in_box_length _ _ Ik) as lk. injection lk as lk.
        cbn [moved]. rewrite Z.add_0_r. unfold conv_term. rewrite Df, Dfp. cbn [nth tl]. rewrite Nat.div_1_r.
        unfold place. rewrite Eb, Ss, Ds', Ds, <- ll, (window_moved (strides w) (pads_before w) lo y k) by (congruence || exact Lo).
        destruct (in_box (dims x) _); [| reflexivity]. f_equal. rewrite Ep. 
        destruct (in_box (o :: c :: ks) (q :: z :: k)) eqn:Bq.
        * apply in_box_cons in Bq. destruct Bq as [bq Bk]. rewrite at_tabulate.
          -- cbv zeta. rewrite Df. cbn [pad_at pad_place]. rewrite !Z.sub_0_r. apply in_box_cons in Bk. destruct Bk as [bz Bk].
             rewrite moved_back by congruence. now rewrite (proj2 (in_box_cons o (c :: ks) q (z :: k)) (conj bq (proj2 (in_box_cons c ks z k) (conj bz Bk)))).
          -- rewrite <- Dp. apply in_box_cons in Bk. destruct Bk as [bz Bk]. apply in_box_cons. split; [lia |]. apply in_box_cons. split; [lia |].
             exact (moved_in ks lo hi ks' k E Lo Hi Bk).
        * rewrite (at_outside S f) by (rewrite Df; exact Bq). symmetry. apply at_outside. cbn [dims tabulate]. rewrite <- Dp.
          cbn [Kernel.in_box] in Bq |- *. apply in_box_cons in Ik. destruct Ik as [bz Ik]. rewrite Ik in Bq.
          rewrite !Z.add_0_r, !Nat2Z.id.
          destruct (Z.leb_spec 0 q), (Z.ltb_spec q (Z.of_nat o)), (Z.leb_spec 0 z), (Z.ltb_spec z (Z.of_nat c)); try lia; try reflexivity; discriminate Bq.
      + intros [| z k] Ik O; [discriminate |]. unfold conv_term. destruct (in_box (dims x) _); [| reflexivity].
        assert (at_ fp (q :: z :: k) = 0) as ->; [| ring]. rewrite Ep.
        destruct (in_box ds (q :: z :: k)) eqn:Bq; [rewrite at_tabulate by exact Bq | now apply at_outside].
        cbv zeta. rewrite Df. cbn [pad_at pad_place]. rewrite !Z.sub_0_r in *. cbn [pad_at pad_place] in O. rewrite Z.sub_0_r in O.
        cbn [Kernel.in_box] in O |- *. rewrite O, andb_false_r. reflexivity.
  Qed.
End Ring.
