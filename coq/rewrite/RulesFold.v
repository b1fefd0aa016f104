(** * Set fold: what stands next to a convolution or a normalisation moves into its parameters *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** The sizes of two values whose shape labels are equal. *)
Ltac same_dims E E' D R R' N :=
  let D1 := fresh "D" in let D2 := fresh "D" in
  says_leaf E D1; says_leaf E' D2;
  pose proof (shape_label _ _ _ _ _ _ _ _ _ D1 R) as N;
  let N2 := fresh "N" in
  pose proof (shape_label _ _ _ _ _ _ _ _ _ D2 R') as N2; rewrite D, N2 in N; clear D1 D2 N2.

Theorem rule_bias_add_add_sound : ring_rule rule_text_bias_add_add.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 6 l6 V6 L6 C6. see 4 l4 V4 L4 C4. see 5 l5 V5 L5 C5. mean m.
  claim 5 "axis"%string v5 A5 B5. assert (v5 = v) as -> by congruence. attr_of E C4 A4. attr_of A5 C5 A5'.
  require 0 Rq. equal_labels Rq Ea Eb.
  open2 V6 u1 u2 w R1 R2 Rw F6 G6. open2 V4 x1 b1 u1' X1' B1' U1 F4 G4. open2 V5 x2 b2 u2' X2' B2' U2 F5 G5.
  same_dims Ea Eb Rq X1' X2' Dn. assert (dims x1 = dims x2) as D by congruence.
  rewrite R1 in U1. injection U1 as <-. rewrite R2 in U2. injection U2 as <-.
  unfold axis_in, axis_attr, int_attr, attr_or, attribute in F4, F5. rewrite A4 in F4. rewrite A5' in F5. rewrite D in F4.
  destruct (int_of v) as [z |] eqn:Ev; [| discriminate]. cbn in F4, F5.
  destruct (axis_of (List.length (dims x2)) (List.length (dims x2)) z) as [axis |] eqn:Ax; [| discriminate].
  pose proof (bias_add_add S laws axis x1 x2 b1 b2 u1 u2 w D F4 F5 F6) as (s & t & Hs & Ht & Hw).
  rewrite X1', X2' in X1. rewrite B1', B2' in X0.
  erewrite binary_made in X1 by (reflexivity || exact Hs). erewrite binary_made in X0 by (reflexivity || exact Ht).
  subst y y0. cbv beta iota in X. rewrite X, Rw. make2.
  - unfold axis_in, axis_attr, int_attr, attr_or, attribute. cbn [look_up find fst snd String.eqb]. cbn. rewrite Ev. cbn.
    rewrite (sum_dims S x1 x2 s D Hs), D, Ax. exact Hw.
  - apply fine_plain; [reflexivity | exact (proj1 G6)].
Qed.

(** ** Convolutions *)

Lemma conv_params_same l l' x f f' :
  Forall (fun n => attribute l n = attribute l' n) conv_labels -> skipn 2 f = skipn 2 f' ->
  conv_params l x f = conv_params l' x f'.
Proof.
  intros F E. unfold conv_labels in F. repeat (apply Forall_cons_iff in F; let A := fresh "A" in destruct F as [A F]).
  unfold conv_params, window_of, sizes_attr, nat_attr, attr_or. rewrite A, A0, A1, A2, A3, E. reflexivity.
Qed.

Section Conv.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation calls := (calls (tensors S inputs constants shapes)).

  Lemma conv_called l v0 v1 v2 w : calls "Conv"%string l (strip [v0; v1; v2]) = Some w ->
    exists x f o u win grp, v0 = Of x /\ v1 = Of f /\ third S v2 o /\ w = Of u /\
      conv_params l (dims x) (dims f) = Some (win, grp) /\ conv S win grp x f o = Some u /\ good u.
  Proof.
    intros V. open3 V x f o u R0 R1 R2 U F G.
    destruct (conv_params l (dims x) (dims f)) as [[win grp] |] eqn:P; [| discriminate].
    exists x, f, o, u, win, grp. repeat (split; [assumption |]). exact (proj1 G).
  Qed.

  Lemma conv_made l x f b u win grp : conv_params l (dims x) (dims f) = Some (win, grp) ->
    conv S win grp x f (Some b) = Some u -> calls "Conv"%string l (strip [Of x; Of f; Of b]) = Some (Of u).
  Proof.
    intros P C. apply (op3_intro S inputs constants shapes "Conv" _ _ l x f (Of b) (Some b) u eq_refl eq_refl).
    - cbn. now rewrite P.
    - apply fine_plain; [reflexivity |]. unfold conv in C. now apply table_good in C.
  Qed.

  Lemma conv_made2 l x f u win grp : conv_params l (dims x) (dims f) = Some (win, grp) ->
    conv S win grp x f None = Some u -> calls "Conv"%string l (strip [Of x; Of f]) = Some (Of u).
  Proof.
    intros P C. apply (op3_intro2 S inputs constants shapes "Conv" _ _ l x f u eq_refl).
    - cbn. now rewrite P.
    - apply fine_plain; [reflexivity |]. unfold conv in C. now apply table_good in C.
  Qed.

  (** The default of an absent bias. *)
  Lemma zero_const : option_map Of (consts (tensors S inputs constants shapes) 0 (Some (VFloat 0))) =
    Some (Of (zero_scalar S)).
  Proof. reflexivity. Qed.
End Conv.

(** The five attributes of a target's convolution are those of the source's call with fact [C]. *)
Ltac conv_attributes C :=
  repeat match goal with
  | E : Pattern.label_at _ _ _ (?p, _) ?l = Some ?v |- _ =>
      lazymatch type of C with
      | call_fact _ _ _ _ p _ _ _ _ _ _ _ =>
          lazymatch eval vm_compute in (existsb (String.eqb l) conv_labels) with
          | true => let A := fresh "A" in attr_of E C A; clear E
          end
      end
  end.

Ltac same_params := apply conv_params_same;
  [repeat constructor; unfold attribute; cbn [look_up find fst snd String.eqb Ascii.eqb Bool.eqb option_map]; congruence |].

(** [m : means .. p y] of an optional input whose node [n] is known, the default being 0. *)
Ltac optional_value p m G Z Q :=
  lazymatch type of m with
  | means ?T (patterns ?r) ?g ?M ?i ?p' ?y =>
      lazymatch pattern_at r p with
      | Some ?q =>
          lazymatch eval cbv in (form q) with
          | POptional ?kid _ =>
              let P := fresh "P" in let E := fresh "Y" in
              pose proof (optional_zero T r g M p i q kid y _ _ m eq_refl eq_refl ltac:(by_text) eq_refl G Z) as [[P E] | [P E]];
              rewrite Q in P; [try discriminate P | try discriminate P];
              change (inst_of i q) with (@None nat) in E; try rewrite zero_const in E; subst y
          end
      end
  end.

Theorem rule_diamond_conv_add_sound : ring_rule rule_text_diamond_conv_add.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 9 l9 V9 L9 C9. see 7 l7 V7 L7 C7. see 8 l8 V8 L8 C8.
  claim 8 "kernel_shape"%string k0 K0 K0'. claim 8 "strides"%string k1 K1 K1'. claim 8 "pads"%string k2 K2 K2'.
  claim 8 "dilations"%string k3 K3 K3'. claim 8 "group"%string k4 K4 K4'. claim 2 "shape"%string sh Sh Sh'.
  apply conv_called in V7. destruct V7 as (x0 & f1 & o1 & u1 & win & grp & R0 & R1 & T1 & U1 & P7 & F7 & Gu1).
  apply conv_called in V8. destruct V8 as (x1 & f2 & o2 & u2 & win' & grp' & R0' & R2 & T2 & U2 & P8 & F8 & Gu2).
  open2 V9 u1' u2' w S1 S2 Rw F9 G9. rewrite S1 in U1. injection U1 as ->. rewrite S2 in U2. injection U2 as ->.
  rewrite R0 in R0'. injection R0' as <-.
  says_leaf Sh D2. says_leaf Sh' D1.
  pose proof (shape_label _ _ _ _ _ _ _ _ _ D2 R2) as N2. pose proof (shape_label _ _ _ _ _ _ _ _ _ D1 R1) as N1.
  assert (dims f1 = dims f2) as D by congruence. clear D1 D2 N1 N2.
  conv_attributes C7. conv_attributes C8.
  assert (conv_params l8 (dims x0) (dims f2) = Some (win, grp)) as P8'.
  { rewrite <- P7, D. same_params. reflexivity. }
  rewrite P8 in P8'. injection P8' as -> ->.
  pose proof (conv_sum S laws win grp x0 f1 f2 o1 o2 u1 u2 w D F7 F8 F9) as (f & Ef & Df & none & some).
  assert (conv_params l7 (dims x0) (dims f) = Some (win, grp)) as P7' by now rewrite Df.
  see_optional 4 e4 n4 G4 Z4 L4 Q4 R4;
    [see_variable 3 t3 V3; rewrite R4, V3 in T1; destruct o1 as [b1 |]; [injection T1 as -> | discriminate T1]
    | rewrite R4 in T1; destruct o1; [discriminate T1 | clear T1]];
    (see_optional 6 e6 n6 G6 Z6 L6 Q6 R6;
      [see_variable 5 t5 V5; rewrite R6, V5 in T2; destruct o2 as [b2 |]; [injection T2 as -> | discriminate T2]
      | rewrite R6 in T2; destruct o2; [discriminate T2 | clear T2]]);
    mean m;
    match goal with Cn : (let? _ := _ in _) = Some (VBool _) |- _ => rewrite L4, L6, Q4, Q6 in Cn; cbn in Cn; try discriminate Cn end;
    conv_attributes C7;
    match goal with X0 : _ = calls _ "Add"%string [] (strip [rho _ _ _ (1, None); _]) |- _ =>
      rewrite R1, R2 in X0; erewrite binary_made in X0 by (reflexivity || exact Ef) end;
    try match goal with m : means _ _ _ _ _ 4 _ |- _ => optional_value 4 m G4 Z4 Q4 end;
    try match goal with m : means _ _ _ _ _ 6 _ |- _ => optional_value 6 m G6 Z6 Q6 end.

  all: try rewrite R4, ?V3 in X0. all: try rewrite R6, ?V5 in X0.
  all: first
    [ destruct some as (b & Eb & Cb); [first [left; discriminate | right; discriminate] |]; cbn [bias_or_zero] in Eb;
      erewrite binary_made in X0 by (reflexivity || exact Eb)
    | specialize (none eq_refl eq_refl) ].
  all: subst; cbv beta iota in *; rewrite R0, Rw.
  all: first [apply (conv_made S inputs constants shapes _ x0 f b w win grp); [| assumption]
             | apply (conv_made2 S inputs constants shapes _ x0 f w win grp); [| assumption]].
  all: rewrite <- P7'; same_params; reflexivity.
Qed.

#[export] Hint Resolve rule_bias_add_add_sound rule_diamond_conv_add_sound : sound_rules.
