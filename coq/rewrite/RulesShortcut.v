(** * A convolution plus its input: a 1 at the centre of the kernel *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof attr.Slices graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesNorm rewrite.RulesFold rewrite.RulesConv rewrite.RulesMergeConv rewrite.RulesPad.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.Algebra tensor.Factors tensor.Shortcut.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Values of expressions *)

(** conv.ndim - 2, w.shape[j + 2], and half of it *)
Definition rank_text : attr := ABinary BSub (AAccess 4%N "ndim"%string) (AConst (VInt 2)).
Definition size_text : attr := AProj (AAccess 1%N "shape"%string) (ABinary BAdd (ASymbol 0%N) (AConst (VInt 2))).
Definition half_text : attr := ABinary BFloordiv size_text (AConst (VInt 2)).

Lemma eval_range G s n a m v : eval G n = Some (VInt (Z.of_nat m)) -> eval G (AVar s n a) = Some v ->
  exists vs, v = VTuple vs /\ List.length vs = m /\
    forall j w, nth_error vs j = Some w -> eval (bind G s (VInt (Z.of_nat j))) a = Some w.
Proof.
  intros N E. cbn [eval] in E. rewrite N in E. destruct (count (Z.of_nat m)) as [m' |] eqn:C; [| discriminate].
  assert (m' = m) as -> by (unfold count in C; destruct (_ && _); [injection C as <-; apply Nat2Z.id | discriminate]).
  destruct (traverse _ (seq 0 m)) as [vs |] eqn:T; [| discriminate]. injection E as <-. exists vs. split; [reflexivity |].
  assert (forall m s vs, traverse (fun i => eval (bind G s (VInt (Z.of_nat i))) a) (seq 0 m) = Some vs -> List.length vs = m /\
    forall j w, nth_error vs j = Some w -> eval (bind G s (VInt (Z.of_nat j))) a = Some w) as go; [| now apply go].
  clear. intros m s. assert (forall b vs, traverse (fun i => eval (bind G s (VInt (Z.of_nat i))) a) (seq b m) = Some vs -> List.length vs = m /\
    forall j w, nth_error vs j = Some w -> eval (bind G s (VInt (Z.of_nat (b + j)))) a = Some w) as go.
  { induction m as [| m IH]; intros b vs T; cbn [seq traverse] in T; [injection T as <-; split; [reflexivity | now intros [|]] |].
    destruct (eval _ a) as [w |] eqn:E; [| discriminate]. destruct (traverse _ (seq (Datatypes.S b) m)) as [ws |] eqn:Tr; [| discriminate].
    injection T as <-. destruct (IH _ _ Tr) as [len all]. split; [cbn; now rewrite len |].
    intros [| j] w' at_j; cbn in at_j; [injection at_j as <-; now rewrite Nat.add_0_r |].
    rewrite <- Nat.add_succ_comm. now apply all. }
  intros vs T. exact (go 0 vs T).
Qed.

Lemma eval_all G t : eval G (AReduce RAll t) = Some (VBool true) ->
  exists vs, eval G t = Some (VTuple vs) /\ Forall (eq (VBool true)) vs.
Proof.
  cbn [eval]. destruct (eval G t) as [[| | | | | vs] |]; try discriminate. intros E. exists vs. split; [reflexivity | now apply all_true].
Qed.

Lemma eval_rank G rank : access G 4%N "ndim"%string = Some (VInt (Z.of_nat (2 + rank))) -> forall v, eval G rank_text = Some v ->
  v = VInt (Z.of_nat rank).
Proof.
  intros A v E. remember (Z.of_nat (2 + rank)) as z eqn:Ez in A. cbn [rank_text eval] in E. rewrite A in E. cbn [binary_op] in E.
  unfold int_result in E. destruct (in_int64 _); [| discriminate]. injection E as <-. f_equal. lia.
Qed.

(** A loop over the spatial dimensions whose values are sizes. *)
Lemma rank_known G rank a v : access G 4%N "ndim"%string = Some (VInt (Z.of_nat (2 + rank))) ->
  eval G (AVar 0%N rank_text a) = Some v -> eval G rank_text = Some (VInt (Z.of_nat rank)).
Proof.
  intros A E. destruct (eval G rank_text) as [n |] eqn:N; [f_equal; now apply (eval_rank G rank A) |].
  change (match eval G rank_text with Some (VInt k) => match count k with Some m => option_map VTuple
              (traverse (fun i => eval (bind G 0%N (VInt (Z.of_nat i))) a) (seq 0 m)) | None => None end | _ => None end = Some v) in E.
  rewrite N in E. discriminate.
Qed.

Lemma eval_sizes G rank a v (h : nat -> nat) : access G 4%N "ndim"%string = Some (VInt (Z.of_nat (2 + rank))) ->
  eval G (AVar 0%N rank_text a) = Some v ->
  (forall j w, j < rank -> eval (bind G 0%N (VInt (Z.of_nat j))) a = Some w -> w = VInt (Z.of_nat (h j))) ->
  v = shape_value (map h (seq 0 rank)).
Proof.
  intros A E H. pose proof (rank_known G rank a v A E) as N.
  destruct (eval_range G _ _ _ _ _ N E) as (vs & -> & len & all). unfold shape_value. f_equal. rewrite map_map.
  apply nth_ext with (d := VInt 0) (d' := VInt 0); [now rewrite map_length, seq_length |].
  intros j lt. rewrite (nth_indep (map _ _) _ ((fun j => VInt (Z.of_nat (h j))) 0)) by (rewrite map_length, seq_length; lia).
  rewrite (map_nth (fun j => VInt (Z.of_nat (h j)))), seq_nth by lia.
  apply (H j); [lia |]. apply all. now apply nth_error_nth'.
Qed.

Section Sizes.
  Variables (G : env) (o c : nat) (ks : sizes).
  Hypothesis A : access G 1%N "shape"%string = Some (shape_value (o :: c :: ks)).
  Hypothesis R : access G 4%N "ndim"%string = Some (VInt (Z.of_nat (2 + List.length ks))).

  Lemma eval_size j w : eval (bind G 0%N (VInt (Z.of_nat j))) size_text = Some w -> w = VInt (Z.of_nat (nth j ks 0)).
  Proof.
    intros E. unfold size_text in E. cbn [eval access bind value_of N.eqb binary_op] in E. rewrite A in E. unfold int_result in E.
    unfold shape_value in E. destruct (in_int64 _); [| discriminate]. replace (Z.of_nat j + 2)%Z with (Z.of_nat (j + 2)) in E by lia.
    apply tuple_index_shape in E. destruct E as [_ ->]. now rewrite Nat.add_comm.
  Qed.

  Lemma eval_half j w : eval (bind G 0%N (VInt (Z.of_nat j))) half_text = Some w -> w = VInt (Z.of_nat (nth j ks 0 / 2)).
  Proof.
    intros E. apply eval_binary in E. destruct E as (a & b & Ea & Eb & E). apply eval_size in Ea. subst a. cbn in Eb. injection Eb as <-.
    cbn [binary_op Z.eqb] in E. unfold int_result in E. destruct (in_int64 _); [| discriminate]. injection E as <-.
    rewrite Nat2Z.inj_div. reflexivity.
  Qed.

  Lemma map_centre : map (fun j => nth j ks 0 / 2) (seq 0 (List.length ks)) = centre ks.
  Proof.
    clear. unfold centre. induction ks as [| k l IH]; [reflexivity |]. cbn [List.length seq map nth]. f_equal.
    now rewrite <- seq_shift, map_map.
  Qed.

  Lemma eval_centre v : eval G (AVar 0%N rank_text half_text) = Some v -> v = shape_value (centre ks).
  Proof. intros E. rewrite <- map_centre. apply (eval_sizes G _ _ _ _ R E). intros j w _. apply eval_half. Qed.

  Definition zeros_text : attr := ATuple [AConst (VInt 0); AConst (VInt 0)].
  Definition border_text : attr := AVar 0%N rank_text half_text.

  (** (0, 0) + centre + (0, 0) + centre *)
  Lemma eval_border v :
    eval G (ABinary BAdd (ABinary BAdd (ABinary BAdd zeros_text border_text) zeros_text) border_text) = Some v ->
    v = shape_value (0 :: 0 :: centre ks ++ 0 :: 0 :: centre ks).
  Proof.
    intros E. apply eval_binary in E. destruct E as (a & b & E & Eb & V). apply eval_binary in E. destruct E as (a' & b' & E & Eb' & V').
    apply eval_binary in E. destruct E as (a2 & b2 & E & Eb2 & V2). apply eval_centre in Eb, Eb2. cbn in E, Eb'.
    injection E as <-. injection Eb' as <-. subst b b2. unfold shape_value in *. cbn in V2. injection V2 as <-. cbn in V'. injection V' as <-.
    cbn in V. injection V as <-. cbn [map]. rewrite map_app. cbn [map]. now rewrite <- !app_assoc.
  Qed.

  (** (o, o) + (1, .., 1) *)
  Definition square_text : attr := ATuple [AProj (AAccess 1%N "shape"%string) (AConst (VInt 0)); AProj (AAccess 1%N "shape"%string) (AConst (VInt 0))].

  Lemma eval_square v : eval G square_text = Some v -> v = shape_value [o; o].
  Proof. intros E. cbn [square_text eval traverse] in E. rewrite A in E. cbn in E. now injection E as <-. Qed.

  Lemma eval_matrix v : eval G (ABinary BAdd square_text (AVar 0%N rank_text (AConst (VInt 1)))) = Some v ->
    v = shape_value (o :: o :: repeat 1 (List.length ks)).
  Proof.
    intros E. apply eval_binary in E. destruct E as (a & b & Ea & Eb & V). apply eval_square in Ea.
    apply (eval_sizes G _ _ _ (fun _ => 1) R) in Eb; [| intros j w _ W; cbn in W; now injection W as <-]. subst a b.
    cbn in V. injection V as <-. unfold shape_value. cbn [map].
    assert (forall m s, map (fun _ : nat => 1) (seq s m) = repeat 1 m) as ->; [| reflexivity].
    induction m as [| m IH]; intros s; [reflexivity |]. cbn. f_equal. apply IH.
  Qed.

  (** The conditions: odd sizes, strides 1, pads of half the kernel. *)
  Lemma eval_odd ss : access G 4%N "strides"%string = Some (shape_value ss) -> List.length ss = List.length ks ->
    eval G (AReduce RAll (AVar 0%N rank_text
      (ABinary BAnd (ABinary BEq (ABinary BMod size_text (AConst (VInt 2))) (AConst (VInt 1)))
                    (ABinary BEq (AProj (AAccess 4%N "strides"%string) (ASymbol 0%N)) (AConst (VInt 1)))))) = Some (VBool true) ->
    odd_sizes ks /\ ss = repeat 1 (List.length ks).
  Proof.
    intros As ls E. apply eval_all in E. destruct E as (us & L & E). pose proof (rank_known G _ _ _ R L) as N.
    destruct (eval_range G 0%N rank_text _ _ (VTuple us) N L) as (vs & Ev & len & all). injection Ev as <-.
    assert (forall j, j < List.length ks -> nth j ks 0 mod 2 = 1 /\ nth j ss 0 = 1) as each.
    { intros j lt. rewrite <- len in lt. pose proof (nth_error_nth' us (VBool true) lt) as at_j.
      rewrite Forall_forall in E. rewrite <- (E _ (nth_In us (VBool true) lt)) in at_j. apply all in at_j.
      apply eval_binary in at_j. destruct at_j as (a & b & Ea & Eb & V).
      apply eval_binary in Ea. destruct Ea as (m & k & Em & Ek & Va). apply eval_binary in Em. destruct Em as (z & t & Ez & Et & Vm).
      apply eval_size in Ez. subst z. cbn in Et, Ek. injection Et as <-. injection Ek as <-.
      cbn [binary_op Z.eqb] in Vm. unfold int_result in Vm. destruct (in_int64 _); [| discriminate]. injection Vm as <-.
      apply eval_binary in Eb. destruct Eb as (s & k & Es & Ek & Vb). cbn in Ek. injection Ek as <-.
      cbn [eval access bind value_of N.eqb] in Es. rewrite As in Es. unfold shape_value in Es. apply tuple_index_shape in Es.
      destruct Es as [_ ->]. cbn [binary_op] in Va, Vb. injection Va as <-. injection Vb as <-. cbn [binary_op] in V. injection V as V.
      apply andb_true_iff in V. destruct V as [V1 V2]. cbn [value_eqb] in V1, V2. apply Z.eqb_eq in V1, V2.
      split; [| lia]. change 2%Z with (Z.of_nat 2) in V1. rewrite <- Nat2Z.inj_mod in V1. lia. }
    split.
    - apply Forall_forall. intros k ink. apply (In_nth _ _ 0) in ink. destruct ink as (j & lt & <-). now apply each.
    - apply nth_ext with (d := 0) (d' := 0); [now rewrite repeat_length |]. intros j lt. rewrite ls in lt.
      destruct (each j lt) as [_ ->]. symmetry. rewrite (nth_indep _ 0 1) by now rewrite repeat_length. apply nth_repeat.
  Qed.

  Lemma map_half ds : List.length ds = List.length ks -> map (fun j => nth j ds 0 * (nth j ks 0 / 2)) (seq 0 (List.length ks)) = half ds ks.
  Proof.
    clear. unfold half. revert ds. induction ks as [| k l IH]; intros [| d ds] E; try discriminate; [reflexivity |].
    cbn [List.length seq map nth combine fst snd]. f_equal. rewrite <- seq_shift, map_map. apply IH. now injection E.
  Qed.

  Lemma eval_pads ds ps : access G 4%N "dilations"%string = Some (shape_value ds) -> List.length ds = List.length ks ->
    access G 4%N "pads"%string = Some (shape_value ps) ->
    let h := AVar 0%N rank_text (ABinary BMul (AProj (AAccess 4%N "dilations"%string) (ASymbol 0%N)) half_text) in
    eval G (ABinary BEq (AAccess 4%N "pads"%string) (ABinary BAdd h h)) = Some (VBool true) -> ps = half ds ks ++ half ds ks.
  Proof.
    intros Ad ld Ap h E. apply eval_binary in E. destruct E as (a & b & Ea & Eb & V).
    apply eval_binary in Eb. destruct Eb as (c1 & c2 & E1 & E2 & Vb). assert (c2 = c1) as -> by congruence. clear E2.
    apply (eval_sizes G _ _ _ (fun j => nth j ds 0 * (nth j ks 0 / 2)) R) in E1.
    - rewrite map_half in E1 by exact ld. subst c1. cbn [eval] in Ea. rewrite Ap in Ea. injection Ea as <-.
      unfold shape_value in Vb. cbn [binary_op] in Vb. injection Vb as <-. cbn [binary_op] in V. injection V as V.
      match type of V with all2 value_eqb ?a ?b = true => change (value_eqb (VTuple a) (VTuple b) = true) in V end.
      apply value_eqb_iff in V. rewrite <- map_app in V. now apply shape_value_inj in V.
    - intros j w _ W. apply eval_binary in W. destruct W as (x & y & Ex & Ey & W). apply eval_half in Ey. subst y.
      cbn [eval access bind value_of N.eqb] in Ex. rewrite Ad in Ex. unfold shape_value in Ex. apply tuple_index_shape in Ex.
      destruct Ex as [_ ->]. cbn [binary_op] in W. unfold int_result in W. destruct (in_int64 _); [| discriminate]. injection W as <-.
      now rewrite Nat2Z.inj_mul.
  Qed.
End Sizes.

(** ** Attributes of convolutions *)

Lemma params_window l (x f : sizes) w g : conv_params l x f = Some (w, g) ->
  (forall v, attribute l "strides"%string = Some v -> v = shape_value (strides w)) /\
  (forall v, attribute l "dilations"%string = Some v -> v = shape_value (dilations w)).
Proof.
  unfold conv_params, window_of, sizes_attr, attr_or. intros P.
  destruct (match attribute l "strides"%string with Some v => shape_of v | None => _ end) as [ss |] eqn:Es; [| discriminate].
  destruct (match attribute l "pads"%string with Some v => shape_of v | None => _ end) as [qs |]; [| discriminate].
  destruct (match attribute l "dilations"%string with Some v => shape_of v | None => _ end) as [ds |] eqn:Ed; [| discriminate].
  destruct (match attribute l "kernel_shape"%string with Some v => shape_of v | None => _ end) as [ks |]; [| discriminate].
  destruct (nat_attr l _ _) as [gr |]; [| discriminate]. unfold guard in P.
  destruct (sizes_eqb ks (skipn 2 f)); [| discriminate]. injection P as <- _. cbn [strides dilations].
  split; intros v E; rewrite E in *; now apply shape_of_inv.
Qed.

Lemma counts_length c ns : forall ks ss ds ps qs l, window_counts c ns ks ss ds ps qs = Some l ->
  List.length ks = List.length ns /\ List.length l = List.length ns.
Proof.
  induction ns as [| n ns IH]; intros [| k ks] [| s ss] [| d ds] [| p ps] [| q qs] l E; try discriminate; [now injection E as <- |].
  cbn [window_counts] in E. destruct (window_count _ _ _ _ _ _ _) as [m |]; [| discriminate].
  destruct (window_counts c ns ks ss ds ps qs) as [l' |] eqn:W; [| discriminate]. injection E as <-.
  destruct (IH _ _ _ _ _ _ W) as [K L]. split; cbn; lia.
Qed.

(** Its ranks. *)
Lemma conv_ranks S w g (x f : tensor (num S)) b u : conv S w g x f b = Some u ->
  exists o c ks, dims f = o :: c :: ks /\ List.length (strides w) = List.length ks /\ List.length (dilations w) = List.length ks /\
    List.length (pads w) = 2 * List.length ks /\ List.length (dims u) = 2 + List.length ks.
Proof.
  intros H. apply table_iff in H. destruct H as (out & D & ->). cbn [dims tabulate]. unfold conv_dims in D.
  destruct (dims x) as [| n [| c ns]]; try discriminate. destruct (dims f) as [| o [| c' ks]]; try discriminate.
  unfold guard in D. destruct (_ && _ && _ && _ && _ && _); [| discriminate]. unfold spatial_dims, guard in D.
  destruct (window_ok (List.length ns) w && _) eqn:W; [| discriminate]. apply andb_true_iff in W. destruct W as [W _].
  unfold window_ok in W. rewrite !andb_true_iff, !Nat.eqb_eq in W. destruct W as ((((ls & ld) & lp) & _) & _).
  destruct (window_counts _ _ _ _ _ _ _) as [l |] eqn:C; [| discriminate]. injection D as <-. apply counts_length in C.
  destruct C as [lk ll]. exists o, c', ks. repeat split; cbn; lia.
Qed.

(** ** The nodes that are made *)

Lemma zeros_made S inputs constants shapes v ds : shape_of v = Some ds ->
  calls (tensors S inputs constants shapes) "ConstantOfShape"%string [("shape"%string, v); ("value"%string, VFloat 0)] (strip []) =
  Some (Of (filled S ds (s_zero S))).
Proof.
  intros E. apply calls_value. split; [| split].
  - unfold op_value. cbn. unfold sizes_attr, real_attr, dtype_attr, int_attr, attr_or. cbn. now rewrite E.
  - apply well_good, good_tabulate.
  - unfold stated. cbn. rewrite E. now apply sizes_eqb_iff.
Qed.

Lemma eye_made S inputs constants shapes (x e : tensor (num S)) : eye S 0 x = Some e -> good e ->
  calls (tensors S inputs constants shapes) "EyeLike"%string [("dtype"%string, VInt 1)] (strip [Of x]) = Some (Of e).
Proof. intros E G. eapply op1_intro; [reflexivity | exact E | now apply fine_plain]. Qed.

Lemma pad_made S inputs constants shapes lo hi (x p : tensor (num S)) :
  List.length lo = List.length (dims x) -> List.length hi = List.length (dims x) ->
  pad S PadConstant 0 (map Z.of_nat lo) (map Z.of_nat hi) x = Some p ->
  calls (tensors S inputs constants shapes) "Pad"%string
    [("pads"%string, shape_value (lo ++ hi)); ("mode"%string, VStr "constant"); ("value"%string, VFloat 0)] (strip [Of x]) = Some (Of p).
Proof.
  intros ll lh E. eapply op1_intro; [reflexivity | | apply fine_plain; [reflexivity | now apply table_good in E]].
  assert (ints_of (shape_value (lo ++ hi)) = Some (map Z.of_nat lo ++ map Z.of_nat hi)) as I.
  { unfold shape_value. cbn [ints_of]. rewrite <- map_app. generalize (lo ++ hi). intros l. induction l as [| d l IH]; [reflexivity |].
    cbn [map traverse int_of]. now rewrite IH. }
  cbv beta. unfold pad_params, ints_attr, text_attr, real_attr, attr_or. cbn [attribute look_up find fst snd String.eqb Ascii.eqb Bool.eqb option_map].
  rewrite I. unfold guard. cbv zeta. cbn [String.eqb Ascii.eqb Bool.eqb]. rewrite app_length, !map_length, ll, lh.
  replace (List.length (dims x) + List.length (dims x) =? 2 * List.length (dims x)) with true by (symmetry; apply Nat.eqb_eq; lia).
  assert (firstn (List.length (dims x)) (map Z.of_nat lo ++ map Z.of_nat hi) = map Z.of_nat lo) as ->.
  { rewrite <- ll, <- (map_length Z.of_nat lo), firstn_app, Nat.sub_diag, firstn_all. apply app_nil_r. }
  assert (skipn (List.length (dims x)) (map Z.of_nat lo ++ map Z.of_nat hi) = map Z.of_nat hi) as ->; [| exact E].
  now rewrite <- ll, <- (map_length Z.of_nat lo), skipn_app, Nat.sub_diag, skipn_all.
Qed.

Theorem rule_conv_shortcut_add_sound : ring_rule rule_text_conv_shortcut_add.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 5 l5 V5 L5 C5. see 4 l4 V4 L4 C4.
  apply conv_called in V4. destruct V4 as (x0 & f & b & u & win & grp & R0 & R1 & T3 & R4 & P4 & F4 & Gu).
  open2 V5 u' x1 z S4 S0 S5 F5 G5. rewrite S4 in R4. injection R4 as ->. rewrite R0 in S0. injection S0 as <-.
  SoundTactic.claim 4 0 vg Vg Vg'. apply value_eqb_iff in Vg'. subst vg.
  require 0 Rq. equal_labels Rq Lu Lx.
  pose proof (requires_nth _ _ _ _ _ fs 1 _ eq_refl) as Rodd.
  pose proof (requires_nth _ _ _ _ _ fs 2 _ eq_refl) as Rpads.
  mean m.
  says_call Lu C4 Du. says_leaf Lx Dx. pose proof (shape_label _ _ _ _ _ _ _ _ _ Du S4) as Eu.
  pose proof (shape_label _ _ _ _ _ _ _ _ _ Dx R0) as Ex. assert (dims u = dims x0) as D by congruence. clear Du Dx Eu Ex Lu Lx Rq.
  destruct (Pattern.label_at _ _ _ (1, None) "shape"%string) as [s |] eqn:Ls; [| discriminate E9].
  says_leaf Ls Ds. apply shape_label with (t := f) in Ds; [| exact R1]. apply shape_of_inv in Ds. subst s.
  destruct (Pattern.label_at _ _ _ (4, None) "ndim"%string) as [nd |] eqn:Ln;
    [| exfalso; clear - E7; cbn in E7; repeat match type of E7 with context [match ?x with _ => _ end] => destruct x; try discriminate E7 end].
  says_call Ln C4 Dn. apply ndim_label with (t := u) in Dn; [| exact S4]. subst nd.
  destruct (conv_ranks S win grp x0 f b u F4) as (o & c & ks & Df & ls & ld & lp & lu). rewrite Df, lu in *.
  set (Q := env_at (patterns rule_text_conv_shortcut_add) g M None) in *.
  assert (access Q 1%N "shape"%string = Some (shape_value (o :: c :: ks))) as A1
    by (unfold Q; now rewrite (access_at rule_text_conv_shortcut_add g M None 1%N 1 _ _ eq_refl eq_refl)).
  assert (forall l s, Pattern.label_at (patterns rule_text_conv_shortcut_add) g M (4, None) l = Some s -> access Q 4%N l = Some s) as A4
    by (intros l s Es; unfold Q; now rewrite (access_at rule_text_conv_shortcut_add g M None 4%N 4 _ _ eq_refl eq_refl)).
  pose proof (A4 _ _ Ln) as An. pose proof (A4 _ _ E0) as As. pose proof (A4 _ _ E1) as Ap. pose proof (A4 _ _ E2) as Ad. clear A4.
  attr_of Vg C4 Bg. conv_attributes C4.
  destruct (params_window l4 _ _ _ _ P4) as [Ws Wd].
  match goal with As : access Q 4%N "strides"%string = Some ?v |- _ => assert (v = shape_value (strides win)) as -> by now apply Ws end.
  match goal with As : access Q 4%N "dilations"%string = Some ?v |- _ => assert (v = shape_value (dilations win)) as -> by now apply Wd end.
  match goal with As : access Q 4%N "pads"%string = Some ?v |- _ =>
    assert (v = shape_value (pads win)) as -> by (now apply (params_pads l4 _ _ _ _ v P4)) end.
  destruct (eval_odd Q o c ks A1 An _ As ls Rodd) as [Odd St].
  pose proof (eval_pads Q o c ks A1 An _ _ Ad ld Ap Rpads) as Pd.
  assert (pads_before win = half (dilations win) ks) as Pb.
  { unfold pads_before. rewrite Pd, ls. assert (List.length (half (dilations win) ks) = List.length ks) as lh
      by (unfold half; rewrite map_length, combine_length; lia). now rewrite <- lh, firstn_app, Nat.sub_diag, firstn_all, app_nil_r. }
  assert (grp = 1) as -> by (rewrite <- Df in P4; exact (params_group l4 _ _ _ _ Bg P4)).
  set (K := labels_env [((1%N, "shape"%string), shape_value (o :: c :: ks)); ((4%N, "ndim"%string), VInt (Z.of_nat (2 + List.length ks)))]).
  match type of E9 with _ = Some ?v => change (eval K square_text = Some v) in E9; apply (eval_square K o c ks eq_refl) in E9; subst v end.
  match type of E7 with _ = Some ?v => change (eval K (ABinary BAdd square_text (AVar 0%N rank_text (AConst (VInt 1)))) = Some v) in E7;
    apply (eval_matrix K o c ks eq_refl eq_refl) in E7; subst v end.
  match type of E4 with _ = Some ?v =>
    change (eval K (ABinary BAdd (ABinary BAdd (ABinary BAdd zeros_text border_text) zeros_text) border_text) = Some v) in E4;
    apply (eval_border K o c ks eq_refl eq_refl) in E4; subst v end.
  injection E5 as <-. injection E6 as <-. injection E8 as <-. injection E10 as <-.
  destruct (unit_kernel S o ks (filled S [o; o] (s_zero S)) eq_refl Odd) as (e & r & p & Ee & Ge & Er & Ep & Dp & Cp).
  assert (y5 = Some (Of (filled S [o; o] (s_zero S)))) as -> by (rewrite X4; apply zeros_made, shape_of_value). cbv beta iota in X3.
  assert (y4 = Some (Of e)) as -> by (rewrite X3; now apply eye_made). cbv beta iota in X2.
  assert (y3 = Some (Of r)) as -> by (rewrite X2; now apply reshape_made). cbv beta iota in X1.
  assert (dims r = o :: o :: repeat 1 (List.length ks)) as Dr by (apply recast_iff in Er; now destruct Er as [_ ->]).
  assert (centre_at ks = map Z.of_nat (centre ks)) as Ec by (unfold centre_at, centre; now rewrite map_map).
  change (0 :: 0 :: centre ks ++ 0 :: 0 :: centre ks) with ((0 :: 0 :: centre ks) ++ (0 :: 0 :: centre ks)) in X1.
  assert (y2 = Some (Of p)) as ->.
  { rewrite X1. apply pad_made; [| | cbn [map]; rewrite <- Ec; exact Ep]; rewrite Dr; cbn [List.length]; unfold centre;
      now rewrite map_length, repeat_length. }
  cbv beta iota in X0. rewrite R1 in X0.
  destruct (conv_shortcut S laws win x0 f p b u z o c ks F4 D Df Odd St Pb Dp Cp F5) as (fk & Fk & Dfk & Ck).
  assert (y0 = Some (Of fk)) as -> by (rewrite X0; now apply (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl)).
  cbv beta iota in X.
  rewrite X, R0, S5. eapply (op3_intro S inputs constants shapes "Conv"); [reflexivity | exact T3 | | split; [exact (proj1 G5) | reflexivity]].
  cbv beta. rewrite Dfk, Df. erewrite conv_params_same with (l' := l4) (f' := o :: c :: ks); [rewrite P4; exact Ck | | reflexivity].
  repeat constructor; unfold attribute; cbn [look_up find fst snd String.eqb Ascii.eqb Bool.eqb option_map]; congruence.
Qed.

#[export] Hint Resolve rule_conv_shortcut_add_sound : sound_rules.
