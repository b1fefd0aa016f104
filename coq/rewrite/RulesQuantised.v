(** * Set quantised: scales come out of sums of integers *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesFold rewrite.RulesNorm
  rewrite.RulesConv.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors tensor.LawsQuantised.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** (w.shape[0],) + ones(w.ndim - 2) *)
Definition middle_text (p : N) : attr :=
  ABinary BAdd (ATuple [AProj (AAccess p "shape"%string) (AConst (VInt 0))]) (ones_text p 2).

Lemma middle_value G p ds v : access G p "shape"%string = Some (shape_value ds) ->
  access G p "ndim"%string = Some (VInt (Z.of_nat (List.length ds))) ->
  eval G (middle_text p) = Some v -> exists c ks, ds = c :: ks /\ v = shape_value (c :: repeat 1 (List.length ks - 1)).
Proof.
  intros A An E. apply eval_binary in E. destruct E as (h & o & H & O & B).
  apply (eval_ones G p 2 _ _ An ltac:(lia)) in O. destruct O as [_ ->].
  change (option_map VTuple (traverse (eval G) [AProj (AAccess p "shape"%string) (AConst (VInt 0))]) = Some h) in H.
  cbn [traverse] in H. destruct (eval G (AProj _ _)) as [d |] eqn:D; [| discriminate].
  apply (eval_dim G p 0 ds d A) in D. destruct D as [lt ->]. destruct ds as [| c ks]; [simpl in lt; lia |].
  exists c, ks. split; [reflexivity |]. cbn in H. injection H as <-.
  replace (List.length (c :: ks) - Z.to_nat 2) with (List.length ks - 1) in B by (simpl; lia).
  rewrite shape_of_ones in B. cbn in B. injection B as <-. unfold shape_value. cbn [map]. do 2 f_equal.
  pose proof (shape_of_ones (List.length ks - 1)) as Q. unfold shape_value in Q. now injection Q.
Qed.

(** [k]-th condition, that leaf [p], whose value is [R], has no dimensions: [D]. *)
Ltac no_dims k p R D :=
  let Rq := fresh "Rq" in require k Rq;
  lazymatch type of Rq with
  | context [Pattern.label_at ?ps ?g ?M (p, ?j) "shape"%string] =>
      let s := fresh "s" in let L := fresh "L" in
      destruct (Pattern.label_at ps g M (p, j) "shape"%string) as [s |] eqn:L; [| discriminate Rq];
      cbn in Rq; injection Rq as Rq; apply value_eqb_iff in Rq; subst s;
      let Ds := fresh "Ds" in says_leaf L Ds;
      pose proof (shape_label _ _ _ _ _ _ _ _ _ Ds R) as D; cbn in D; clear Ds L
  end.

(** [y] is the value of the same pattern as [x]. *)
Ltac same_value R R' := rewrite R in R'; injection R' as <-.

Lemma matmul_good (S : arith) (x f u : tensor (num S)) : matmul S x f = Some u -> good u.
Proof.
  unfold matmul. destruct (matmul_left (dims x)) as [[[pa rows] inner] |]; [| discriminate].
  destruct (matmul_right (dims f)) as [[[pb k] cols] |]; [| discriminate]. apply table_good.
Qed.

Ltac middle E p R c ks D := shape_given E p R middle_text middle_value; destruct E as (c & ks & D & ->).

Theorem rule_quantised_matmul_sound : ring_rule rule_text_quantised_matmul.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 8 l8 V8 L8 C8. see 5 l5 V5 L5 C5. see 7 l7 V7 L7 C7.
  see 4 l4 V4 L4 C4. see 6 l6 V6 L6 C6.
  open2 V8 xs ft u R5 R7 R8 F8 G8. open2 V5 x1 s xs' R4 R1 R5' F5 G5. open2 V7 f1 t ft' R6 R3 R7' F7 G7.
  open1 V4 x0 x1' R0 R4' F4 G4. open1 V6 f0 f1' R2 R6' F6 G6.
  no_dims 0 1 R1 Ds. no_dims 1 3 R3 Dt. injection Ds as Ds. injection Dt as Dt. injection F4 as <-. injection F6 as <-.
  same_value R4' R4. same_value R6' R6. same_value R5 R5'. same_value R7 R7'.
  destruct (matmul_rescaled S laws x0 xs f0 ft s t u (eq_sym Ds) F5 (eq_sym Dt) F7 F8) as (u0 & u1 & H0' & H1' & H2').
  mean m. subst. rewrite R0, R1, R2, R3, R8.
  erewrite (op2_intro S inputs constants shapes "MatMul" _ _ _ x0 f0 u0 eq_refl);
    [| exact H0' | apply fine_plain; [reflexivity | now apply (matmul_good S x0 f0)]]. cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl H1'). cbv beta iota.
  exact (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl H2').
Qed.

Theorem rule_quantised_conv_sound : ring_rule rule_text_quantised_conv.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 10 l10 V10 L10 C10. see 7 l7 V7 L7 C7. see 9 l9 V9 L9 C9.
  see 6 l6 V6 L6 C6. see 8 l8 V8 L8 C8.
  apply conv_called in V10. destruct V10 as (xs & ft & o & u & win & grp & R7 & R9 & T5 & R10 & P10 & F10 & Gu).
  open2 V7 x1 s xs' R6 R1 R7' F7 G7. open2 V9 f1 t ft' R8 R3 R9' F9 G9.
  open1 V6 x0 x1' R0 R6' F6 G6. open1 V8 f0 f1' R2 R8' F8 G8.
  no_dims 0 1 R1 Ds. no_dims 1 3 R3 Dt. injection Ds as Ds. injection Dt as Dt. symmetry in Ds, Dt.
  injection F6 as <-. injection F8 as <-. same_value R6' R6. same_value R8' R8. same_value R7 R7'. same_value R9 R9'.
  assert (exists c ks, dims f0 = c :: ks) as (c & ks & Df).
  { destruct (conv_per_channel S laws win grp xs ft o u F10) as (? & c & ? & ks & _ & D). exists c, ks.
    now rewrite <- (proj1 (scaled_map2 S laws f0 t ft Dt F9)). }
  destruct (conv_rescaled S laws win grp x0 xs f0 ft o u s t (fun _ => at_ S t []) c ks Ds F7
    (scaled_all S f0 _ ft (scaled_map2 S laws f0 t ft Dt F9)) F10 Df) as (u0 & u1 & u2 & E0 & E1 & E2 & Eb).
  { intros n ys y _ _. exact (map2_scalar_r S _ y t Dt). }
  rewrite (proj1 (scaled_map2 S laws x0 s xs Ds F7)), (proj1 (scaled_map2 S laws f0 t ft Dt F9)) in P10.
  see_optional 5 e5 n5 G5 Z5 L5 Q5 R5.
  - assert (exists b, o = Some b) as [b ->].
    { destruct o as [b |]; [now exists b |]. exfalso. now apply (present_rho S inputs constants shapes g M _ e5 n5 san G5 Z5 Q5). }
    cbn [third] in T5. destruct (Eb (rho_good _ _ _ _ _ _ _ _ san T5)) as (b' & Rb & Eu).
    mean m; [| match goal with Cn : Pattern.label_at _ _ _ (5, None) _ = Some (VBool _) |- _ => rewrite Cn, Q5 in L5; discriminate L5 end].
    conv_attributes C10. match goal with m : means _ _ _ _ _ 5 _ |- _ => optional_value 5 m G5 Z5 Q5 end.
    match goal with E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => middle E 2 R2 c1 k1 D1 end.
    rewrite Df in D1. injection D1 as <- <-. subst. rewrite R0, R1, R2, R3, T5, R10.
    rewrite (conv_made2 S inputs constants shapes _ x0 f0 u0 win grp) by
      (exact E0 || (rewrite <- P10; same_params; reflexivity)). cbv beta iota.
    rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl E1). cbv beta iota.
    rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl E2). cbv beta iota.
    rewrite (reshape_made S inputs constants shapes _ b b' (rho_good _ _ _ _ _ _ _ _ san T5) Rb). cbv beta iota.
    exact (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Eu).
  - rewrite R5 in T5. destruct o; [discriminate T5 | clear T5]. subst u2.
    mean m; [match goal with Cn : Pattern.label_at _ _ _ (5, None) _ = Some (VBool _) |- _ => rewrite Cn, Q5 in L5; discriminate L5 end |].
    conv_attributes C10. subst. rewrite R0, R1, R2, R3, R10.
    rewrite (conv_made2 S inputs constants shapes _ x0 f0 u0 win grp) by
      (exact E0 || (rewrite <- P10; same_params; reflexivity)). cbv beta iota.
    rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl E1). cbv beta iota.
    exact (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl E2).
Qed.

(** The same with a scale for each output channel. *)
Definition front_is (k p : N) : attr := ABinary BEq (AAccess k "shape"%string) (front_text p).

Lemma front_access G k p : eval G (front_is k p) = Some (VBool true) ->
  exists sk sp n, access G k "shape"%string = Some sk /\ access G p "shape"%string = Some sp /\ access G p "ndim"%string = Some n.
Proof.
  intros E. apply eval_binary in E. destruct E as (sk & s1 & Ek & E1 & _). cbn [eval] in Ek.
  apply eval_binary in E1. destruct E1 as (h & o & H & O & _). unfold ones_text in O. cbn [eval traverse] in H, O.
  destruct (access G p "shape"%string) as [sp |]; [| discriminate].
  destruct (access G p "ndim"%string) as [n |]; [| discriminate]. now exists sk, sp, n.
Qed.

Lemma front_true G k p dk dp : access G k "shape"%string = Some (shape_value dk) ->
  access G p "shape"%string = Some (shape_value dp) -> access G p "ndim"%string = Some (VInt (Z.of_nat (List.length dp))) ->
  eval G (front_is k p) = Some (VBool true) -> exists c ks, dp = c :: ks /\ dk = c :: repeat 1 (List.length ks).
Proof.
  intros Ak Ap An E. apply eval_binary in E. destruct E as (a & b & Ea & Eb & E). cbn [eval] in Ea. rewrite Ak in Ea. injection Ea as <-.
  destruct (front_value G p dp b Ap An Eb) as (c & ks & -> & ->). exists c, ks. split; [reflexivity |].
  apply shape_value_inj, value_eqb_iff. change (Some (VBool (value_eqb (shape_value dk) (shape_value (c :: repeat 1 (List.length ks))))) =
    Some (VBool true)) in E. now injection E.
Qed.

(** [k]-th condition, that leaf [kp] has the sizes (c, 1, .., 1), [c] being the first of leaf [p]. *)
Ltac front_condition k kp p Rk Rp P :=
  lazymatch goal with
  | fs : facts ?c ?r ?g ?M ?outs |- _ =>
      let Rq := fresh "Rq" in
      pose proof (requires_nth c r g M outs fs k (front_is kp p) eq_refl) as Rq;
      let sk := fresh "sk" in let sp := fresh "sp" in let n := fresh "n" in
      let Ak := fresh "Ak" in let Ap := fresh "Ap" in let An := fresh "An" in
      pose proof (front_access _ _ _ Rq) as (sk & sp & n & Ak & Ap & An);
      let Lk := fresh "Lk" in let Lp := fresh "Lp" in let Ln := fresh "Ln" in
      pose proof Ak as Lk; pose proof Ap as Lp; pose proof An as Ln;
      refs Lk; refs Lp; refs Ln;
      let Dk := fresh "Dk" in let Dp := fresh "Dp" in let Dn := fresh "Dn" in
      says_leaf Lk Dk; says_leaf Lp Dp; says_leaf Ln Dn;
      let Ek := fresh "Ek" in let Ep := fresh "Ep" in let En := fresh "En" in
      pose proof (shape_of_inv _ _ (shape_label _ _ _ _ _ _ _ _ _ Dk Rk)) as Ek;
      pose proof (shape_of_inv _ _ (shape_label _ _ _ _ _ _ _ _ _ Dp Rp)) as Ep;
      pose proof (ndim_label _ _ _ _ _ _ _ _ _ Dn Rp) as En;
      subst sk sp n;
      pose proof (front_true _ _ _ _ _ Ak Ap An Rq) as P;
      clear Ak Ap An Lk Lp Ln Dk Dp Dn Rq
  end.

(** Once more, the labels being known. *)
Ltac middle_again E p x c ks D :=
  lazymatch type of E with
  | _ = Some ?v =>
      let G := constr:(labels_env [((N.of_nat p, "shape"%string), shape_value (dims x));
                                   ((N.of_nat p, "ndim"%string), VInt (Z.of_nat (List.length (dims x))))]) in
      change (eval G (middle_text (N.of_nat p)) = Some v) in E;
      destruct (middle_value G (N.of_nat p) _ v eq_refl eq_refl E) as (c & ks & D & ->); clear E
  end.

Theorem rule_quantised_conv_channels_sound : ring_rule rule_text_quantised_conv_channels.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 10 l10 V10 L10 C10. see 7 l7 V7 L7 C7. see 9 l9 V9 L9 C9.
  see 6 l6 V6 L6 C6. see 8 l8 V8 L8 C8.
  apply conv_called in V10. destruct V10 as (xs & ft & o & u & win & grp & R7 & R9 & T5 & R10 & P10 & F10 & Gu).
  open2 V7 x1 s xs' R6 R1 R7' F7 G7. open2 V9 f1 t ft' R8 R3 R9' F9 G9.
  open1 V6 x0 x1' R0 R6' F6 G6. open1 V8 f0 f1' R2 R8' F8 G8.
  no_dims 0 1 R1 Ds. injection Ds as Ds. symmetry in Ds. front_condition 1 3%N 2%N R3 R2 P. destruct P as (c & ks & Df & Dt).
  injection F6 as <-. injection F8 as <-. same_value R6' R6. same_value R8' R8. same_value R7 R7'. same_value R9 R9'.
  pose proof (rho_good _ _ _ _ _ _ _ _ san R3) as Gt. pose proof (scaled_channels S laws f0 t ft c ks Df Dt F9) as Sc.
  pose (kt := Tensor (c :: repeat 1 (List.length ks - 1)) (cells t)).
  assert (recast (c :: repeat 1 (List.length ks - 1)) t = Some kt) as Rt.
  { apply recast_iff. split; [| reflexivity]. rewrite Gt, Dt. cbn. now rewrite !cell_count_ones. }
  destruct (conv_rescaled S laws win grp x0 xs f0 ft o u s kt (chan S t) c ks Ds F7 Sc F10 Df) as (u0 & u1 & u2 & E0 & E1 & E2 & Eb).
  { intros n ys y Dy Ly. rewrite map2_channel; [reflexivity |]. unfold kt. cbn [dims]. rewrite Dy.
    replace (List.length ks - 1) with (List.length ys) by lia. now apply (Channel_Rank _ n). }
  rewrite (proj1 (scaled_map2 S laws x0 s xs Ds F7)), (proj1 Sc) in P10.
  see_optional 5 e5 n5 G5 Z5 L5 Q5 R5.
  - assert (exists b, o = Some b) as [b ->].
    { destruct o as [b |]; [now exists b |]. exfalso. now apply (present_rho S inputs constants shapes g M _ e5 n5 san G5 Z5 Q5). }
    cbn [third] in T5. destruct (Eb (rho_good _ _ _ _ _ _ _ _ san T5)) as (b' & Rb & Eu).
    mean m; [| match goal with Cn : Pattern.label_at _ _ _ (5, None) _ = Some (VBool _) |- _ => rewrite Cn, Q5 in L5; discriminate L5 end].
    conv_attributes C10. match goal with m : means _ _ _ _ _ 5 _ |- _ => optional_value 5 m G5 Z5 Q5 end.
    match goal with E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => middle E 2 R2 c1 k1 D1 end.
    match goal with E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => middle_again E 2 f0 c2 k2 D2 end.
    rewrite Df in D1, D2. injection D1 as <- <-. injection D2 as <- <-. subst. rewrite R0, R1, R2, R3, T5, R10.
    rewrite (conv_made2 S inputs constants shapes _ x0 f0 u0 win grp) by
      (exact E0 || (rewrite <- P10; same_params; reflexivity)). cbv beta iota.
    rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl E1),
      (reshape_made S inputs constants shapes _ t kt Gt Rt). cbv beta iota.
    rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl E2). cbv beta iota.
    rewrite (reshape_made S inputs constants shapes _ b b' (rho_good _ _ _ _ _ _ _ _ san T5) Rb). cbv beta iota.
    exact (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Eu).
  - rewrite R5 in T5. destruct o; [discriminate T5 | clear T5]. subst u2.
    mean m; [match goal with Cn : Pattern.label_at _ _ _ (5, None) _ = Some (VBool _) |- _ => rewrite Cn, Q5 in L5; discriminate L5 end |].
    conv_attributes C10.
    match goal with E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => middle E 2 R2 c1 k1 D1 end.
    rewrite Df in D1. injection D1 as <- <-. subst. rewrite R0, R1, R2, R3, R10.
    rewrite (conv_made2 S inputs constants shapes _ x0 f0 u0 win grp) by
      (exact E0 || (rewrite <- P10; same_params; reflexivity)). cbv beta iota.
    rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl E1),
      (reshape_made S inputs constants shapes _ t kt Gt Rt). cbv beta iota.
    exact (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl E2).
Qed.

#[export] Hint Resolve rule_quantised_matmul_sound rule_quantised_conv_sound rule_quantised_conv_channels_sound : sound_rules.
