(** * Padding by zeros before a convolution becomes the convolution's own *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof attr.Slices graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesFold.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.Algebra tensor.Factors tensor.PadConv.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Values of expressions *)

Lemma ints_inv v zs : ints_of v = Some zs -> v = VTuple (map VInt zs).
Proof.
  destruct v as [| | | | | vs]; try discriminate. cbn [ints_of]. revert zs. induction vs as [| v vs IH]; intros zs H; cbn in H.
  - now injection H as <-.
  - destruct v as [| | z | | |]; try discriminate. cbn [int_of] in H. destruct (traverse int_of vs) as [ws |]; [| discriminate].
    injection H as <-. specialize (IH ws eq_refl). injection IH as ->. reflexivity.
Qed.

Lemma all_true vs : Attr.reduce RAll vs = Some (VBool true) -> Forall (eq (VBool true)) vs.
Proof.
  unfold Attr.reduce. cbn [reduction_start reduction_step].
  assert (forall vs (b : bool), fold_left (fun u v => match u with Some w => binary_op BAnd w v | None => None end) vs (Some (VBool b)) =
    Some (VBool true) -> b = true /\ Forall (eq (VBool true)) vs) as go.
  { clear vs. induction vs as [| v vs IH]; intros b H; cbn [fold_left] in H.
    - split; [now injection H | constructor].
    - destruct v as [| c | | | |]; cbn [binary_op] in H.
      2: { apply IH in H. destruct H as [H F]. apply andb_true_iff in H. destruct H as [-> ->]. split; [reflexivity |].
           now constructor. }
      all: exfalso; clear - H; induction vs as [| v' vs IH]; [discriminate | exact (IH H)]. }
  intros H. now apply go in H.
Qed.

Lemma all_at_least zs us : traverse (fun w => binary_op BGe w (VInt 0)) (map VInt zs) = Some us ->
  Attr.reduce RAll us = Some (VBool true) -> Forall (Z.le 0) zs.
Proof.
  intros T R. apply all_true in R. revert us T R. induction zs as [| z zs IH]; intros us T R; [constructor |].
  cbn [map traverse binary_op] in T. destruct (traverse _ (map VInt zs)) as [vs |] eqn:E; [| discriminate].
  injection T as <-. inversion R as [| ? ? B R']; subst. constructor; [injection B as B; symmetry in B; now apply Z.leb_le in B |].
  now apply (IH vs).
Qed.

(** Sums of pairs. *)
Definition pair_sum (w : value) : option value :=
  let? v := match w with VTuple vs => tuple_index vs 0 | _ => None end in
  let? v' := match w with VTuple vs => tuple_index vs 1 | _ => None end in binary_op BAdd v v'.

Lemma added_value qs : forall zs us, Forall (Z.le 0) zs ->
  traverse pair_sum (map (fun c => VTuple [fst c; snd c]) (combine (map (fun d => VInt (Z.of_nat d)) qs) (map VInt zs))) = Some us ->
  VTuple us = shape_value (added qs zs).
Proof.
  induction qs as [| q qs IH]; intros zs us N T; [now injection T as <- |].
  destruct zs as [| z zs]; [now injection T as <- |]. cbn [map combine traverse fst snd] in T.
  change (pair_sum (VTuple [VInt (Z.of_nat q); VInt z])) with (int_result (Z.of_nat q + z)) in T. unfold int_result in T.
  destruct (in_int64 _); [| discriminate]. destruct (traverse _ _) as [vs |] eqn:E; [| discriminate]. injection T as <-.
  inversion N; subst. apply IH in E; [| assumption]. unfold shape_value, added in E |- *. cbn [combine map fst snd]. injection E as ->.
  do 3 f_equal. lia.
Qed.

Lemma and_true a b : (let? v := a in let? w := b in binary_op BAnd v w) = Some (VBool true) ->
  a = Some (VBool true) /\ b = Some (VBool true).
Proof.
  destruct a as [[| x | | | |] |]; try discriminate; destruct b as [[| y | | | |] |]; try discriminate.
  cbn. intros E. injection E as E. apply andb_true_iff in E. destruct E as [-> ->]. now split.
Qed.

Lemma equal_true a w : (let? v := a in binary_op BEq v w) = Some (VBool true) -> a = Some w.
Proof. destruct a as [v |]; [| discriminate]. cbn [binary_op]. intros E. injection E as E. now apply value_eqb_iff in E as ->. Qed.

Lemma zero_at ps k : tuple_index (map VInt ps) (Z.of_nat k) = Some (VInt 0) -> k < List.length ps /\ nth k ps 0%Z = 0%Z.
Proof.
  unfold tuple_index. rewrite map_length. intros H.
  destruct ((0 <=? Z.of_nat k)%Z && (Z.of_nat k <? Z.of_nat (List.length ps))%Z) eqn:I.
  - apply andb_true_iff in I. destruct I as [_ I]. apply Z.ltb_lt in I. rewrite Nat2Z.id, nth_error_map in H.
    assert (k < List.length ps) as lt by lia. split; [exact lt |].
    rewrite (nth_error_nth' ps 0%Z lt) in H. now injection H.
  - destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. rewrite andb_false_r in H. discriminate.
Qed.

(** Pads of nothing in the first two dimensions. *)
Lemma zero_pads ps r : 2 <= r -> List.length ps = 2 * r -> nth 0 ps 0%Z = 0%Z -> nth 1 ps 0%Z = 0%Z ->
  nth r ps 0%Z = 0%Z -> nth (r + 1) ps 0%Z = 0%Z ->
  firstn r ps = 0%Z :: 0%Z :: firstn (r - 2) (skipn 2 ps) /\ skipn r ps = 0%Z :: 0%Z :: skipn (r + 2) ps.
Proof.
  intros two len z0 z1 zr zr1. split.
  - destruct ps as [| a [| b ps]]; try (simpl in len; lia). cbn in z0, z1. subst a b.
    destruct r as [| [| r]]; try lia. cbn [firstn skipn]. now rewrite !Nat.sub_succ, Nat.sub_0_r.
  - assert (forall l : list Z, 2 <= List.length l -> nth 0 l 0%Z = 0%Z -> nth 1 l 0%Z = 0%Z -> l = 0%Z :: 0%Z :: skipn 2 l) as go.
    { intros [| a [| b l]] ge_ a0 b0; simpl in ge_; try lia. cbn in a0, b0. now subst. }
    rewrite <- (Nat.add_0_r r) in zr. rewrite <- nth_skipn in zr, zr1.
    etransitivity; [apply go; [rewrite skipn_length; lia | exact zr | exact zr1] |]. do 2 f_equal.
    clear. revert ps. induction r as [| r IH]; intros [| z ps]; try reflexivity. cbn [skipn Nat.add]. apply IH.
Qed.

Lemma pad_given S l (x px : tensor (num S)) :
  (let? (mode, value, lo, hi) := pad_params l (dims x) in pad S mode value lo hi x) = Some px ->
  attribute l "mode"%string = Some (VStr "constant") -> attribute l "value"%string = Some (VFloat 0) ->
  exists ps, attribute l "pads"%string = Some (VTuple (map VInt ps)) /\ List.length ps = 2 * List.length (dims x) /\
    pad S PadConstant 0 (firstn (List.length (dims x)) ps) (skipn (List.length (dims x)) ps) x = Some px.
Proof.
  unfold pad_params, ints_attr, text_attr, real_attr, attr_or. intros E A B. rewrite A, B in E. clear A B.
  destruct (attribute l "pads"%string) as [v |]; [| discriminate]. destruct (ints_of v) as [ps |] eqn:I; [| discriminate].
  apply ints_inv in I. subst v. cbn in E. unfold guard in E.
  destruct (List.length ps =? _) eqn:Q; [| discriminate]. apply Nat.eqb_eq in Q.
  exists ps. split; [reflexivity |]. split; [exact Q | exact E].
Qed.

(** The kernel's sizes do not depend on the pads. *)
Lemma params_padded l l' (x px f : sizes) win grp lo hi : conv_params l px f = Some (win, grp) ->
  List.length px = List.length x -> attribute l "pads"%string <> None ->
  attribute l' "pads"%string = Some (shape_value (added (pads win) (lo ++ hi))) ->
  (forall name, In name ["kernel_shape"; "strides"; "dilations"; "group"]%string -> attribute l' name = attribute l name) ->
  conv_params l' x f = Some (padded_window win lo hi, grp).
Proof.
  intros P len _ Pa E. revert P. unfold conv_params, window_of, sizes_attr, nat_attr, attr_or. rewrite Pa, !E by (simpl; tauto).
  rewrite len, shape_of_value.
  destruct (match attribute l "strides"%string with Some v => shape_of v | None => _ end) as [ss |]; [| discriminate].
  destruct (match attribute l "pads"%string with Some v => shape_of v | None => _ end) as [qs |]; [| discriminate].
  destruct (match attribute l "dilations"%string with Some v => shape_of v | None => _ end) as [ds |]; [| discriminate].
  destruct (match attribute l "kernel_shape"%string with Some v => shape_of v | None => _ end) as [ks |]; [| discriminate].
  destruct (match attribute l "group"%string with Some v => natural v | None => _ end) as [gr |]; [| discriminate].
  unfold guard. destruct (sizes_eqb ks (skipn 2 f)); [| discriminate]. intros H. injection H as <- <-. reflexivity.
Qed.

Lemma params_pads l (x f : sizes) win grp v : conv_params l x f = Some (win, grp) -> attribute l "pads"%string = Some v ->
  v = shape_value (pads win).
Proof.
  unfold conv_params, window_of, sizes_attr, attr_or. intros P E. rewrite E in P. apply shape_of_inv.
  destruct (match attribute l "strides"%string with Some v => shape_of v | None => _ end) as [ss |]; [| discriminate].
  destruct (shape_of v) as [qs |]; [| discriminate].
  destruct (match attribute l "dilations"%string with Some v => shape_of v | None => _ end) as [ds |]; [| discriminate].
  destruct (match attribute l "kernel_shape"%string with Some v => shape_of v | None => _ end) as [ks |]; [| discriminate].
  destruct (nat_attr l _ _) as [gr |]; [| discriminate]. unfold guard in P.
  destruct (sizes_eqb ks (skipn 2 f)); [| discriminate]. injection P as <- _. reflexivity.
Qed.

Lemma Forall_part {A} (P : A -> Prop) l m n : Forall P l -> Forall P (firstn m (skipn n l)) /\ Forall P (skipn n l).
Proof.
  intros F. rewrite Forall_forall in F. split; apply Forall_forall; intros a ina; apply F.
  - assert (In a (skipn n l)) as H by (rewrite <- (firstn_skipn m (skipn n l)); apply in_or_app; now left).
    rewrite <- (firstn_skipn n l). apply in_or_app. now right.
  - rewrite <- (firstn_skipn n l). apply in_or_app. now right.
Qed.

Theorem rule_simplify_pad_conv_sound : ring_rule rule_text_simplify_pad_conv.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 5 l5 V5 L5 C5. see 4 l4 V4 L4 C4.
  apply conv_called in V5. destruct V5 as (px & f & o & u & win & grp & R4 & R1 & T3 & R5 & P5 & F5 & Gu).
  open1 V4 x0 px' R0 U4 F4 G4. rewrite R4 in U4. injection U4 as <-.
  SoundTactic.claim 4 0 md Md Md'. SoundTactic.claim 4 1 vl Vl Vl'. require 0 Rq. require 1 Rp. mean m. conv_attributes C5.
  attribute_of E C5. repeat attribute_of E C4. repeat attribute_of Rq C4. repeat attribute_of Rp C4.
  attr_of Md C4 Am. attr_of Vl C4 Av. apply value_eqb_iff in Md'. subst md.
  assert (exists b, vl = VFloat b) as [b Eb].
  { destruct vl; destruct Vl' as [Vl' | [_ Vl']]; try (cbn in Vl'; discriminate Vl'); now eexists. }
  assert (vl = VFloat 0) as ->.
  { subst vl. destruct Vl' as [Vl' | [_ Vl']]; cbn in Vl'.
    - now destruct b.
    - match type of Vl' with match ?d with _ => _ end = true => destruct d as [[| | | | t |] |] end; try discriminate.
      apply andb_true_iff in Vl'. destruct Vl' as [_ Vl']. apply N.eqb_eq in Vl'. now subst b. }
  clear Eb Vl'. destruct (pad_given S l4 x0 px F4 Am Av) as (ps & Ap & len & Pd).
  set (r := List.length (dims x0)) in *.
  assert (List.length (dims px) = r) as lpx.
  { pose proof Pd as Pd'. apply table_iff in Pd'. destruct Pd' as (ds & D & ->). now destruct (pad_dims_length _ _ _ _ _ D) as (_ & _ & L). }
  assert (2 <= r) as two.
  { apply table_iff in F5. destruct F5 as (out & D & _). unfold conv_dims in D. destruct (dims px) as [| a [| b' ns]]; try discriminate.
    simpl in lpx. lia. }
  unfold look, attribute in *. rewrite Ap in Rq, Rp, E.
  destruct (Pattern.label_at _ _ _ (0, None) "ndim"%string) as [nd |] eqn:Ln; [| destruct (look_up eqb l5 "pads"%string); discriminate E].
  says_leaf Ln Dn. pose proof (ndim_label _ _ _ _ _ _ _ _ _ Dn R0) as En. fold r in En. subst nd.
  apply and_true in Rq. destruct Rq as [Rq Z3]. apply and_true in Rq. destruct Rq as [Rq Z2]. apply and_true in Rq. destruct Rq as [Z0 Z1].
  apply equal_true in Z0, Z1, Z2, Z3. apply (zero_at ps 0) in Z0. apply (zero_at ps 1) in Z1. apply (zero_at ps r) in Z2.
  cbn [binary_op] in Z3. unfold int_result in Z3. destruct (in_int64 (Z.of_nat r + 1)); [| discriminate].
  replace (Z.of_nat r + 1)%Z with (Z.of_nat (r + 1)) in Z3 by lia. apply zero_at in Z3.
  destruct (zero_pads ps r two len (proj2 Z0) (proj2 Z1) (proj2 Z2) (proj2 Z3)) as [Elo Ehi].
  set (lo := firstn (r - 2) (skipn 2 ps)) in *. set (hi := skipn (r + 2) ps) in *.
  assert (Forall (Z.le 0) ps) as Np.
  { destruct (traverse _ (map VInt ps)) as [us |] eqn:Tr in Rp; [| discriminate]. cbn [option_map] in Rp. exact (all_at_least ps us Tr Rp). }
  destruct (look_up eqb l5 "pads"%string) as [vq |] eqn:Aq; [| discriminate].
  pose proof (params_pads l5 _ _ _ _ vq P5 Aq) as ->.
  change (func_op FSlice [VTuple (map VInt ps); VInt 2; VInt (Z.of_nat r); VNone])
    with (Attr.slice_op (map VInt ps) (VInt (Z.of_nat 2)) (VInt (Z.of_nat r)) VNone) in E.
  rewrite slice_is in E by (rewrite ?map_length; lia). rewrite skipn_map, firstn_map in E. fold lo in E.
  cbn [binary_op] in E. unfold int_result at 1 in E. destruct (in_int64 (Z.of_nat r + 2)); [| discriminate].
  change (func_op FSlice [VTuple (map VInt ps); VInt (Z.of_nat r + 2); VNone; VNone])
    with (Attr.slice_op (map VInt ps) (VInt (Z.of_nat r + 2)) VNone VNone) in E.
  replace (Z.of_nat r + 2)%Z with (Z.of_nat (r + 2)) in E by lia.
  rewrite slice_from in E by (rewrite map_length; lia). rewrite skipn_map in E. fold hi in E. rewrite <- map_app in E.
  change (func_op FZip [shape_value (pads win); VTuple (map VInt (lo ++ hi))])
    with (zip_op [map (fun d => VInt (Z.of_nat d)) (pads win); map VInt (lo ++ hi)]) in E.
  rewrite zip_is in E. destruct (traverse _ _) as [us |] eqn:Tr in E; [| discriminate]. cbn [option_map] in E.
  assert (Forall (Z.le 0) lo /\ Forall (Z.le 0) hi) as [Lo Hi]
    by (split; [exact (proj1 (Forall_part _ ps (r - 2) 2 Np)) | exact (proj2 (Forall_part _ ps 0 (r + 2) Np))]).
  apply (added_value (pads win) (lo ++ hi) us) in Tr; [| now apply Forall_app].
  injection E as <-. rewrite Tr in X. rewrite Elo, Ehi in Pd.
  pose proof (conv_padded S win grp x0 px f o lo hi Pd Lo Hi u (zero_times S laws) F5) as Cu.
  rewrite X, R5, R0, R1. eapply (op3_intro S inputs constants shapes "Conv"); [reflexivity | exact T3 | | split; [exact Gu | reflexivity]].
  cbv beta. erewrite (params_padded l5 _ _ (dims px)); [exact Cu | exact P5 | exact lpx | unfold attribute; congruence | reflexivity |].
  intros name [<- | [<- | [<- | [<- | []]]]]; unfold attribute; symmetry; assumption.
Qed.

#[export] Hint Resolve rule_simplify_pad_conv_sound : sound_rules.
