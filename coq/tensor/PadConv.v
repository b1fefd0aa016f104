(** * Padding by zeros before a convolution

    The convolution's own pads do the same but where the window lies in the padding: there a weight is multiplied
    by 0, where the own pads give 0.  In a ring that is the same; floats: [FloatSums]. *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Algebra.
Import ListNotations.
Open Scope nat_scope.

(** Pads added position by position. *)
Definition added (a : list nat) (b : list Z) : list nat := map (fun c => fst c + Z.to_nat (snd c)) (combine a b).

Lemma added_length a b : length (added a b) = Nat.min (length a) (length b).
Proof. unfold added. now rewrite map_length, combine_length. Qed.

Lemma added_app a : forall b c d, length a = length c -> added (a ++ b) (c ++ d) = added a c ++ added b d.
Proof.
  induction a as [| n a IH]; intros b [| z c] d E; try discriminate; [reflexivity |].
  cbn. f_equal. apply IH. now injection E.
Qed.

(** The window over the padded input, over the input itself. *)
Definition padded_window (w : window) (lo hi : list Z) : window :=
  Window (strides w) (dilations w) (added (pads w) (lo ++ hi)).

Lemma pad_dims_length mode ns : forall lo hi ns', pad_dims mode ns lo hi = Some ns' ->
  length lo = length ns /\ length hi = length ns /\ length ns' = length ns.
Proof.
  induction ns as [| n ns IH]; intros [| p lo] [| q hi] ns' E; try discriminate; cbn [pad_dims] in E.
  - now injection E as <-.
  - unfold guard in E. destruct (_ && _); [| discriminate].
    destruct (pad_dims mode ns lo hi) as [l |] eqn:P; [| discriminate]. injection E as <-.
    destruct (IH _ _ _ P) as (a & b & L). cbn. lia.
Qed.

Lemma counts_padded ns : forall lo hi ns' ks ss ds ps qs,
  pad_dims PadConstant ns lo hi = Some ns' -> Forall (Z.le 0) lo -> Forall (Z.le 0) hi ->
  length ps = length ns -> length qs = length ns ->
  window_counts false ns ks ss ds (added ps lo) (added qs hi) = window_counts false ns' ks ss ds ps qs.
Proof.
  induction ns as [| n ns IH]; intros [| p lo] [| q hi] ns' ks ss ds ps qs E Lo Hi lp lq; try discriminate; cbn [pad_dims] in E.
  - injection E as <-. destruct ps, qs; try discriminate. reflexivity.
  - unfold guard in E. destruct (_ && _); [| discriminate].
    destruct (pad_dims _ ns lo hi) as [l |] eqn:P; [| discriminate]. injection E as <-.
    destruct ps as [| p' ps], qs as [| q' qs]; try discriminate. inversion Lo; subst. inversion Hi; subst.
    cbn [added map combine fst snd]. fold (added ps lo) (added qs hi). destruct ks as [| k ks], ss as [| s ss], ds as [| d ds]; try reflexivity.
    cbn [window_counts]. rewrite (IH lo hi l ks ss ds ps qs P) by (try assumption; simpl in lp, lq; lia).
    unfold window_count. replace (Z.to_nat (Z.of_nat n + p + q) + p' + q') with (n + (p' + Z.to_nat p) + (q' + Z.to_nat q)) by lia.
    reflexivity.
Qed.

Lemma window_padded ss : forall ds ps lo ns y u, length ps = length ns -> length lo = length ns -> Forall (Z.le 0) lo ->
  window_at ss ds (added ps lo) y u = pad_at PadConstant ns lo (window_at ss ds ps y u).
Proof.
  induction ss as [| s ss IH]; intros ds ps lo ns y u lp ll Lo.
  - cbn. destruct ns, lo; reflexivity.
  - destruct ds as [| d ds]; [cbn; destruct ns, lo; reflexivity |].
    destruct ps as [| p ps], lo as [| z lo], ns as [| n ns]; try discriminate; [reflexivity |].
    cbn [added map combine fst snd]. fold (added ps lo). destruct y as [| a y]; [reflexivity |]. destruct u as [| b u]; [reflexivity |].
    inversion Lo; subst. cbn [window_at pad_at pad_place]. rewrite (IH ds ps lo ns y u) by (try assumption; simpl in lp, ll; lia).
    f_equal. lia.
Qed.

Lemma window_at_length ss : forall ds ps y u, length (window_at ss ds ps y u) <= length ps.
Proof.
  induction ss as [| s ss IH]; intros [| d ds] [| p ps] [| a y] [| b u]; cbn; try lia. specialize (IH ds ps y u). lia.
Qed.

(** What is in the input is in the padded input. *)
Lemma in_padded ns : forall lo hi ns' j, pad_dims PadConstant ns lo hi = Some ns' ->
  Forall (Z.le 0) lo -> Forall (Z.le 0) hi -> length j <= length ns ->
  in_box ns (pad_at PadConstant ns lo j) = true -> in_box ns' j = true.
Proof.
  induction ns as [| n ns IH]; intros [| p lo] [| q hi] ns' j E Lo Hi le I; try discriminate; cbn [pad_dims] in E.
  - injection E as <-. destruct j; [reflexivity | simpl in le; lia].
  - unfold guard in E. destruct (_ && _); [| discriminate].
    destruct (pad_dims _ ns lo hi) as [l |] eqn:P; [| discriminate]. injection E as <-.
    destruct j as [| z j]; [discriminate |]. cbn [pad_at pad_place] in I. apply in_box_cons in I. destruct I as [b I].
    inversion Lo; subst. inversion Hi; subst. apply in_box_cons. split; [lia |]. apply (IH lo hi l j P); try assumption.
    simpl in le. lia.
Qed.

Section Conv.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Section Padded.
    Variables (w : window) (g : nat) (x px f : tensor) (b : option tensor) (lo hi : list Z).
    Hypothesis P : pad S PadConstant 0 (0%Z :: 0%Z :: lo) (0%Z :: 0%Z :: hi) x = Some px.
    Hypotheses (Lo : Forall (Z.le 0) lo) (Hi : Forall (Z.le 0) hi).

    Lemma padded_dims : exists n c ns ns', dims x = n :: c :: ns /\ dims px = n :: c :: ns' /\ pad_dims PadConstant ns lo hi = Some ns'.
    Proof.
      apply table_iff in P. destruct P as (ds & D & ->). cbn [dims tabulate].
      destruct (dims x) as [| n [| c ns]]; try discriminate; cbn [pad_dims] in D; unfold guard in D;
        repeat (destruct (_ && _); [| discriminate]); try discriminate.
      destruct (pad_dims PadConstant ns lo hi) as [l |] eqn:E; [| discriminate]. cbn [option_map] in D. injection D as <-.
      exists n, c, ns, l. repeat split; try assumption. f_equal; [lia |]. f_equal. lia.
    Qed.

    Lemma padded_conv_dims bd out : conv_dims w g (dims px) (dims f) bd = Some out ->
      conv_dims (padded_window w lo hi) g (dims x) (dims f) bd = Some out /\
      length (pads_before w) = length lo /\ pads_before (padded_window w lo hi) = added (pads_before w) lo.
    Proof.
      destruct padded_dims as (n & c & ns & ns' & Dx & Dp & E). rewrite Dx, Dp. unfold conv_dims, guard.
      destruct (dims f) as [| o [| c' ks]]; try discriminate. destruct (pad_dims_length _ _ _ _ _ E) as (ll & lh & ln). rewrite ln.
      destruct (_ && _ && _ && _ && _ && _); [| discriminate]. unfold spatial_dims, guard. rewrite ln.
      destruct (window_ok (length ns) w && forallb (Nat.ltb 0) ks) eqn:O; [| discriminate].
      apply andb_true_iff in O. destruct O as [O K]. pose proof O as O'. unfold window_ok in O.
      rewrite !andb_true_iff, !Nat.eqb_eq in O. destruct O as ((((ls & ld) & lp) & _) & _).
      assert (pads w = pads_before w ++ pads_after w) as Ep by (symmetry; apply firstn_skipn).
      assert (length (pads_before w) = length ns) as lb by (unfold pads_before; rewrite firstn_length; lia).
      assert (length (pads_after w) = length ns) as la by (unfold pads_after; rewrite skipn_length; lia).
      assert (pads (padded_window w lo hi) = added (pads_before w) lo ++ added (pads_after w) hi) as Eq.
      { cbn [padded_window pads]. rewrite Ep. apply added_app. congruence. }
      assert (length (added (pads_before w) lo) = length (strides w)) as lab by (rewrite added_length; lia).
      assert (pads_before (padded_window w lo hi) = added (pads_before w) lo) as Eb.
      { unfold pads_before at 1. rewrite Eq. cbn [padded_window strides]. rewrite <- lab, firstn_app, Nat.sub_diag, firstn_all.
        apply app_nil_r. }
      assert (pads_after (padded_window w lo hi) = added (pads_after w) hi) as Ea.
      { unfold pads_after at 1. rewrite Eq. cbn [padded_window strides]. rewrite <- lab, skipn_app, Nat.sub_diag, skipn_all. reflexivity. }
      assert (window_ok (length ns) (padded_window w lo hi) = true) as ->.
      { revert O'. unfold window_ok. cbn [padded_window strides dilations]. rewrite Eq, app_length, !added_length, lb, la, ll, lh, lp.
        rewrite !Nat.min_id. replace (length ns + length ns =? 2 * length ns) with true by (symmetry; apply Nat.eqb_eq; lia).
        now rewrite Nat.eqb_refl. }
      rewrite K, Eb, Ea. cbn [andb padded_window strides dilations].
      rewrite (counts_padded ns lo hi ns' ks _ _ _ _ E Lo Hi lb la). intros H. repeat split; [exact H | congruence].
    Qed.

    (** A term of the sum: the same, or a weight times a padded 0 where the own pads give 0. *)
    Lemma padded_term n o y k : length (pads_before w) = length lo ->
      pads_before (padded_window w lo hi) = added (pads_before w) lo ->
      conv_term S w g px f n o y k = conv_term S (padded_window w lo hi) g x f n o y k \/
      conv_term S (padded_window w lo hi) g x f n o y k = s_zero S /\
      conv_term S w g px f n o y k = s_mul S (s_zero S) (at_ f (o :: k)).
    Proof.
      intros lb Eb. destruct padded_dims as (m & c & ns & ns' & Dx & Dp & E). destruct (pad_dims_length _ _ _ _ _ E) as (ll & lh & ln).
      unfold conv_term. cbv zeta. set (z := (_ + nth 0 k 0)%Z). unfold place. rewrite Eb. cbn [padded_window strides dilations].
      rewrite (window_padded (strides w) (dilations w) (pads_before w) lo ns y (tl k) ltac:(congruence) ll Lo).
      set (j := window_at _ _ (pads_before w) y (tl k)).
      assert (length j <= length ns) as lj by (rewrite <- ll, <- lb; apply window_at_length).
      pose proof P as T. apply table_iff in T. destruct T as (ds & _ & T).
      assert (ds = dims px) as -> by now rewrite T. rewrite Dx in T.
      destruct (in_box (dims px) (n :: z :: j)) eqn:B.
      - rewrite T, at_tabulate by exact B. cbn [pad_at pad_place]. rewrite !Z.sub_0_r, Dx.
        destruct (in_box (m :: c :: ns) (n :: z :: pad_at PadConstant ns lo j)); [now left | right; split; reflexivity].
      - left. rewrite Dx. destruct (in_box (m :: c :: ns) (n :: z :: pad_at PadConstant ns lo j)) eqn:B'; [| reflexivity].
        exfalso. rewrite Dp in B. apply in_box_cons in B'. destruct B' as [b1 B']. apply in_box_cons in B'. destruct B' as [b2 B'].
        pose proof (in_padded ns lo hi ns' j E Lo Hi lj B') as I.
        assert (in_box (m :: c :: ns') (n :: z :: j) = true); [| congruence]. apply in_box_cons. split; [exact b1 |].
        apply in_box_cons. now split.
    Qed.

    (** Where each cell is the same, so is the convolution. *)
    Lemma padded_conv u : conv S w g px f b = Some u ->
      (length (pads_before w) = length lo -> pads_before (padded_window w lo hi) = added (pads_before w) lo ->
       forall i, in_box (dims u) i = true -> conv_cell S w g px f i = conv_cell S (padded_window w lo hi) g x f i) ->
      conv S (padded_window w lo hi) g x f b = Some u.
    Proof.
      intros H Eq. apply table_iff in H. destruct H as (out & D & ->). destruct (padded_conv_dims _ _ D) as (D' & lb & Eb).
      apply table_iff. exists out. split; [exact D' |]. apply tabulate_ext. intros i I. now rewrite (Eq lb Eb i I).
    Qed.

    Theorem conv_padded u : (forall a, s_mul S (s_zero S) a = s_zero S) -> conv S w g px f b = Some u ->
      conv S (padded_window w lo hi) g x f b = Some u.
    Proof.
      intros Z H. apply (padded_conv u H). intros lb Eb i _. unfold conv_cell. destruct i as [| n [| o y]]; try reflexivity.
      apply s_sum_ext. intros k _. destruct (padded_term n o y k lb Eb) as [-> | [-> ->]]; [reflexivity | apply Z].
    Qed.
  End Padded.
End Conv.
