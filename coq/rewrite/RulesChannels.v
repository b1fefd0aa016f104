(** * Two convolutions added become one of the inputs next to each other *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof attr.Slices graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library.
From Calque Require Import rewrite.RulesFold rewrite.RulesMerge rewrite.RulesMergeConv rewrite.RulesPad.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.Algebra tensor.Factors tensor.LawsChannels.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** In a ring -0 is 0. *)
Lemma minus_zero_const S inputs constants shapes : ring_laws S ->
  option_map Of (consts (tensors S inputs constants shapes) 0 (Some (VFloat 9223372036854775808%N))) = Some (Of (zero_scalar S)).
Proof.
  intros laws. change (Some (Of (tabulate [] (fun _ => s_real S minus_zero_bits))) = Some (Of (zero_scalar S))).
  unfold zero_scalar. now rewrite (ring_minus_zero S laws).
Qed.

(** [m : means .. p y] of an optional input whose node [n] is known, the default being -0. *)
Ltac optional_minus_zero laws p m G Z Q :=
  lazymatch type of m with
  | means (tensors ?S ?inputs ?constants ?shapes) (patterns ?r) ?g ?M ?i ?p' ?y =>
      lazymatch pattern_at r p with
      | Some ?q =>
          lazymatch eval cbv in (form q) with
          | POptional ?kid _ =>
              let P := fresh "P" in let E := fresh "Y" in let ii := fresh "ii" in let vv := fresh "vv" in let Ev := fresh "Ev" in
              destruct (means_optional _ r g M i p q y kid _ m eq_refl eq_refl ltac:(by_text) eq_refl _ _ G Z)
                as [[P E] | [P (ii & vv & _ & Ev & E)]];
              rewrite Q in P; [try discriminate P | try discriminate P];
              try (cbn in Ev; injection Ev as <-; rewrite (minus_zero_const S inputs constants shapes laws) in E);
              change (inst_of i q) with (@None nat) in E; subst y
          end
      end
  end.

Lemma tuple_first v a d ds : shape_of v = Some (d :: ds) ->
  match v with VTuple vs => tuple_index vs 0 | _ => None end = Some a -> a = VInt (Z.of_nat d).
Proof.
  intros E. apply shape_of_inv in E. subst v. unfold shape_value. intros H. apply (tuple_index_shape (d :: ds) 0) in H. now destruct H as [_ ->].
Qed.

(** shape[2:] *)
Lemma shape_rest ds : 2 <= List.length ds ->
  func_op FSlice [shape_value ds; VInt 2; VNone; VNone] = Some (shape_value (skipn 2 ds)).
Proof.
  intros two. change (Attr.slice_op (map (fun d => VInt (Z.of_nat d)) ds) (VInt (Z.of_nat 2)) VNone VNone = Some (shape_value (skipn 2 ds))).
  rewrite slice_from by (rewrite map_length; exact two). unfold shape_value. now rewrite skipn_map.
Qed.

Lemma equal_both a b : (let? v := a in let? w := b in binary_op BEq v w) = Some (VBool true) ->
  exists v, a = Some v /\ b = Some v.
Proof.
  destruct a as [v |]; [| discriminate]. destruct b as [w |]; [| discriminate]. cbn [binary_op]. intros E. injection E as E.
  apply value_eqb_iff in E. subst w. now exists v.
Qed.

(** The shape of the leaf [p], whose value is [R], from an equation that needs it. *)
Ltac leaf_shape E p R Ls :=
  lazymatch type of E with
  | context [Pattern.label_at ?ps ?g ?M (p, ?j) "shape"%string] =>
      let s := fresh "s" in let D := fresh "D" in
      destruct (Pattern.label_at ps g M (p, j) "shape"%string) as [s |] eqn:Ls; [| discriminate E];
      says_leaf Ls D; apply (fun H => shape_label _ _ _ _ _ _ _ _ _ H R) in D; apply shape_of_inv in D; subst s
  end.

Lemma map_int_inj (a b : list nat) :
  map (fun d => VInt (Z.of_nat d)) a = map (fun d => VInt (Z.of_nat d)) b -> a = b.
Proof. intros E. apply shape_value_inj. unfold shape_value. now rewrite E. Qed.

Theorem rule_two_conv_add_sound : ring_rule rule_text_two_conv_add.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 10 l10 V10 L10 C10. see 8 l8 V8 L8 C8. see 9 l9 V9 L9 C9.
  SoundTactic.claim 8 0 vg Vg Vg'. apply value_eqb_iff in Vg'. subst vg.
  claim 9 "kernel_shape"%string k0 K0 K0'. claim 9 "strides"%string k1 K1 K1'. claim 9 "pads"%string k2 K2 K2'.
  claim 9 "dilations"%string k3 K3 K3'. claim 9 "group"%string k4 K4 K4'.
  apply conv_called in V8. destruct V8 as (x1 & f1 & o1 & u1 & win & grp & R0 & R2 & T1 & U1 & P8 & F8 & Gu1).
  apply conv_called in V9. destruct V9 as (x2 & f2 & o2 & u2 & win' & grp' & R1 & R3 & T2 & U2 & P9 & F9 & Gu2).
  open2 V10 u1' u2' z S1 S2 Rz F10 G10. rewrite S1 in U1. injection U1 as ->. rewrite S2 in U2. injection U2 as ->.
  require 0 Rq.
  apply and_true in Rq. destruct Rq as [Rq Rw]. apply and_true in Rq. destruct Rq as [Rn Rs].
  apply equal_both in Rn, Rs, Rw. destruct Rn as (vn & Rn & Rn'). destruct Rs as (vs & Rs & Rs'). destruct Rw as (vw & Rw & Rw').
  leaf_shape Rn 0 R0 Lx1. leaf_shape Rn' 1 R1 Lx2. leaf_shape Rw 2 R2 Lw1. leaf_shape Rw' 3 R3 Lw2.
  destruct (conv_weights _ _ _ _ _ _ _ F8) as [r1 B1]. destruct (conv_weights _ _ _ _ _ _ _ F9) as [r2 B2].
  destruct (LawsMerge.conv_is S win grp x1 f1 o1 u1 F8) as (n & c1 & ns & o & c1' & ks & l & D1 & E1 & _ & _ & _ & Cc & _).
  destruct (LawsMerge.conv_is S win' grp' x2 f2 o2 u2 F9) as (n' & c2 & ns' & o' & c2' & ks' & l' & D2 & E2 & _ & _ & _ & Cc' & _).
  rewrite D1, D2, E1, E2 in *. clear r1 r2 B1 B2.
  rewrite shape_rest in Rs, Rs' by (simpl; lia). rewrite <- Rs' in Rs. injection Rs as Rs. apply map_int_inj in Rs.
  unfold shape_value in Rn, Rn', Rw, Rw'. cbn in Rn, Rn', Rw, Rw'.
  assert (n' = n) as -> by (rewrite <- Rn' in Rn; injection Rn as Rn; lia).
  assert (o' = o) as -> by (rewrite <- Rw' in Rw; injection Rw as Rw; lia).
  assert (ns' = ns) as -> by congruence.
  attr_of Vg C8 Bg. assert (grp = 1) as -> by exact (params_group l8 _ _ _ _ Bg P8).
  conv_attributes C8. conv_attributes C9.
  assert (skipn 2 (o :: c2' :: ks') = skipn 2 (o :: c1' :: ks)) as Ek.
  { match goal with A : look_up eqb l8 "kernel_shape"%string = Some ?v, B : look_up eqb l9 "kernel_shape"%string = Some _ |- _ =>
      pose proof (params_kernel l8 _ _ _ _ A P8) as Q1; pose proof (params_kernel l9 _ _ _ _ B P9) as Q2 end. congruence. }
  assert (ks' = ks) as -> by (cbn in Ek; exact Ek). clear Ek.
  assert (conv_params l9 (n :: c2 :: ns) (o :: c2' :: ks) = conv_params l8 (n :: c1 :: ns) (o :: c1' :: ks)) as Ep.
  { transitivity (conv_params l8 (n :: c2 :: ns) (o :: c2' :: ks)); [| reflexivity]. same_params. reflexivity. }
  rewrite P9, P8 in Ep. injection Ep as -> ->. rewrite Nat.div_1_r in Cc, Cc'. subst c1' c2'.
  destruct (conv_channels S laws win x1 x2 f1 f2 o1 o2 u1 u2 z n o c1 c2 ns ks D1 D2 E1 E2 F8 F9 F10)
    as (X & F & HX & GX & HF & GF & KF & LX & none & some).
  pose proof (concat_made S inputs constants shapes 1 x1 [x2] X HX GX ltac:(rewrite D1; simpl; lia)) as MX.
  pose proof (concat_made S inputs constants shapes 1 f1 [f2] F HF GF ltac:(rewrite E1; simpl; lia)) as MF. cbn [map] in MX, MF.
  assert (conv_params l8 (dims X) (dims F) = Some (win, 1)) as PX.
  { rewrite <- P8. unfold conv_params. now rewrite KF, LX, D1. }
  see_optional 5 e5 n5 G5 Z5 L5 Q5 R5;
    [see_variable 4 t4 V4; rewrite R5, V4 in T1; destruct o1 as [b1 |]; [injection T1 as -> | discriminate T1]
    | rewrite R5 in T1; destruct o1; [discriminate T1 | clear T1]];
    (see_optional 7 e7 n7 G7 Z7 L7 Q7 R7;
      [see_variable 6 t6 V6; rewrite R7, V6 in T2; destruct o2 as [b2 |]; [injection T2 as -> | discriminate T2]
      | rewrite R7 in T2; destruct o2; [discriminate T2 | clear T2]]);
    mean m;
    match goal with Cn : (let? _ := _ in _) = Some (VBool _) |- _ => rewrite L5, L7, Q5, Q7 in Cn; cbn in Cn; try discriminate Cn end;
    conv_attributes C8;
    try match goal with m : means _ _ _ _ _ 5 _ |- _ => optional_minus_zero laws 5 m G5 Z5 Q5 end;
    try match goal with m : means _ _ _ _ _ 7 _ |- _ => optional_minus_zero laws 7 m G7 Z7 Q7 end.
  all: repeat match goal with E : Some (VInt 1) = Some ?v |- _ => injection E as <- end.
  all: match goal with E : ?y = calls _ "Concat"%string _ (strip [rho _ _ _ (0, None); _]) |- _ =>
         rewrite R0, R1 in E; assert (y = Some (Of X)) as -> by (rewrite E; exact MX); clear E end.
  all: match goal with E : ?y = calls _ "Concat"%string _ (strip [rho _ _ _ (2, None); _]) |- _ =>
         rewrite R2, R3 in E; assert (y = Some (Of F)) as -> by (rewrite E; exact MF); clear E end.
  all: cbv beta iota in *.
  all: try rewrite R5, ?V4 in *. all: try rewrite R7, ?V6 in *.
  all: first
    [ match goal with E : ?y = calls _ "Add"%string _ _ |- _ =>
        destruct some as (b & Eb & Cb); [first [left; discriminate | right; discriminate] |]; cbn [bias_or_zero] in Eb;
        assert (y = Some (Of b)) as -> by (rewrite E; now apply (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl)); clear E
      end
    | specialize (none eq_refl eq_refl) ].
  all: subst; cbv beta iota in *; rewrite Rz.
  all: first [apply (conv_made S inputs constants shapes _ X F b z win 1); [| assumption]
             | apply (conv_made2 S inputs constants shapes _ X F z win 1); [| assumption]].
  all: rewrite <- PX; same_params; reflexivity.
Qed.

#[export] Hint Resolve rule_two_conv_add_sound : sound_rules.
