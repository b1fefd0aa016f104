(** * Set fold: factors and shifts of a normalisation *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesFold.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.


(** ** One value for each channel *)

Definition ones_text (p : N) (less : Z) : attr :=
  AVar 0%N (ABinary BSub (AAccess p "ndim"%string) (AConst (VInt less))) (AConst (VInt 1)).
Definition channels_text (p : N) : attr := AProj (AAccess p "shape"%string) (AConst (VInt 1)).
Definition per_channel_text (k y : N) : attr :=
  ABinary BOr
    (ABinary BEq (AAccess k "shape"%string) (ABinary BAdd (ATuple [channels_text y]) (ones_text y 2)))
    (ABinary BEq (AAccess k "shape"%string) (ABinary BAdd (ATuple [AConst (VInt 1); channels_text y]) (ones_text y 2))).

Lemma eval_channel G y dy v : access G y "shape"%string = Some (shape_value dy) ->
  eval G (channels_text y) = Some v -> exists n c ys, dy = n :: c :: ys /\ v = VInt (Z.of_nat c).
Proof.
  intros A E. apply (eval_dim G y 1 dy v A) in E. destruct E as [lt ->].
  destruct dy as [| n [| c ys]]; simpl in lt; try lia. now exists n, c, ys.
Qed.

Lemma per_channel_true G k y dk dy :
  access G k "shape"%string = Some (shape_value dk) -> access G y "shape"%string = Some (shape_value dy) ->
  access G y "ndim"%string = Some (VInt (Z.of_nat (List.length dy))) ->
  eval G (per_channel_text k y) = Some (VBool true) -> per_channel dy dk.
Proof.
  intros Ak Ay An E. unfold per_channel_text in E. apply eval_binary in E. destruct E as (a & b & Ea & Eb & E).
  apply eval_binary in Ea. destruct Ea as (sk & s1 & Ek & E1 & Ea). cbn [eval] in Ek. rewrite Ak in Ek. injection Ek as <-.
  apply eval_binary in Eb. destruct Eb as (sk & s2 & Ek & E2 & Eb). cbn [eval] in Ek. rewrite Ak in Ek. injection Ek as <-.
  cbn [binary_op] in Ea, Eb. injection Ea as <-. injection Eb as <-. cbn [binary_op] in E. injection E as E.
  apply eval_binary in E1. destruct E1 as (h1 & o1 & H1 & O1 & S1). apply eval_binary in E2. destruct E2 as (h2 & o2 & H2 & O2 & S2).
  apply (eval_ones G y 2 _ _ An ltac:(lia)) in O1. apply (eval_ones G y 2 _ _ An ltac:(lia)) in O2.
  destruct O1 as [_ ->], O2 as [_ ->].
  change (eval G (ATuple [channels_text y])) with (option_map VTuple (traverse (eval G) [channels_text y])) in H1.
  change (eval G (ATuple [AConst (VInt 1); channels_text y]))
    with (option_map VTuple (traverse (eval G) [AConst (VInt 1); channels_text y])) in H2.
  cbn [traverse] in H1, H2. change (eval G (AConst (VInt 1))) with (Some (VInt 1)) in H2.
  destruct (eval G (channels_text y)) as [c' |] eqn:C; [| discriminate].
  pose proof (eval_channel G y dy c' Ay C) as (n & c & ys & -> & ->).
  cbn in H1, H2. injection H1 as <-. injection H2 as <-.
  replace (List.length (n :: c :: ys) - Z.to_nat 2) with (List.length ys) in * by (simpl; lia).
  rewrite shape_of_ones in S1, S2. cbn [binary_op app] in S1, S2. injection S1 as <-. injection S2 as <-.
  apply orb_true_iff in E. destruct E as [E | E].
  - change (value_eqb (shape_value dk) (VTuple (VInt (Z.of_nat c) :: repeat (VInt 1) (List.length ys))) = true) in E.
    apply value_eqb_iff in E.
    assert (dk = c :: repeat 1 (List.length ys)) as ->.
    { apply shape_value_inj. rewrite E. unfold shape_value. cbn [map]. do 2 f_equal.
      pose proof (shape_of_ones (List.length ys)) as O. unfold shape_value in O. now injection O. }
    now apply (Channel_Rank _ n).
  - change (value_eqb (shape_value dk) (VTuple (VInt 1 :: VInt (Z.of_nat c) :: repeat (VInt 1) (List.length ys))) = true) in E.
    apply value_eqb_iff in E.
    assert (dk = 1 :: c :: repeat 1 (List.length ys)) as ->.
    { apply shape_value_inj. rewrite E. unfold shape_value. cbn [map]. do 3 f_equal.
      pose proof (shape_of_ones (List.length ys)) as O. unfold shape_value in O. now injection O. }
    now apply (Channel_Full _ n).
Qed.

(** [k]-th condition, that pattern [kp] has one value for each channel of [yp]: [P]; from the labels. *)
Lemma access_shape G k y : eval G (per_channel_text k y) = Some (VBool true) ->
  exists sk sy n, access G k "shape"%string = Some sk /\ access G y "shape"%string = Some sy /\
    access G y "ndim"%string = Some n.
Proof.
  intros E. unfold per_channel_text in E. apply eval_binary in E. destruct E as (a & b & Ea & _ & _).
  apply eval_binary in Ea. destruct Ea as (sk & s1 & Ek & E1 & _). cbn [eval] in Ek.
  apply eval_binary in E1. destruct E1 as (h & o & H & O & _).
  unfold channels_text, ones_text in H, O. cbn [eval traverse] in H, O.
  destruct (access G y "shape"%string) as [sy |]; [| discriminate].
  destruct (access G y "ndim"%string) as [n |]; [| discriminate]. now exists sk, sy, n.
Qed.

Ltac channel_condition k kp yp Rk Ry Cy P :=
  lazymatch goal with
  | fs : facts ?c ?r ?g ?M ?outs |- _ =>
      let Rq := fresh "Rq" in
      pose proof (requires_nth c r g M outs fs k (per_channel_text kp yp) eq_refl) as Rq;
      let sk := fresh "sk" in let sy := fresh "sy" in let n := fresh "n" in
      let Ak := fresh "Ak" in let Ay := fresh "Ay" in let An := fresh "An" in
      pose proof (access_shape _ _ _ Rq) as (sk & sy & n & Ak & Ay & An);
      let Lk := fresh "Lk" in let Ly := fresh "Ly" in let Ln := fresh "Ln" in
      pose proof Ak as Lk; pose proof Ay as Ly; pose proof An as Ln;
      refs Lk; refs Ly; refs Ln;
      let Dk := fresh "Dk" in let Dy := fresh "Dy" in let Dn := fresh "Dn" in
      says_leaf Lk Dk; says_call Ly Cy Dy; says_call Ln Cy Dn;
      let Ek := fresh "Ek" in let Ey := fresh "Ey" in let En := fresh "En" in
      pose proof (shape_of_inv _ _ (shape_label _ _ _ _ _ _ _ _ _ Dk Rk)) as Ek;
      pose proof (shape_of_inv _ _ (shape_label _ _ _ _ _ _ _ _ _ Dy Ry)) as Ey;
      pose proof (ndim_label _ _ _ _ _ _ _ _ _ Dn Ry) as En;
      subst sk sy n;
      pose proof (per_channel_true _ _ _ _ _ Ak Ay An Rq) as P;
      clear Ak Ay An Lk Ln Dk Dy Dn Rq
  end.

Section Norm.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation calls := (calls (tensors S inputs constants shapes)).

  Definition epsilon_attr (l : attributes) : option N := real_attr l "epsilon"%string (Some epsilon_bits).

  Lemma bn_called l v0 v1 v2 v3 v4 w : calls "BatchNormalization"%string l (strip [v0; v1; v2; v3; v4]) = Some w ->
    exists x g b m s u e, v0 = Of x /\ v1 = Of g /\ v2 = Of b /\ v3 = Of m /\ v4 = Of s /\ w = Of u /\
      epsilon_attr l = Some e /\ batch_norm S e x g b m s = Some u /\ good u.
  Proof.
    intros C. apply calls_value in C. destruct C as (V & W & _). unfold op_value in V.
    change (look_up String.eqb (operators S) "BatchNormalization"%string) with (Some (batch_norm_op S)) in V.
    destruct v0 as [x | |], v1 as [g | |], v2 as [b | |], v3 as [m | |], v4 as [s | |]; try discriminate V.
    cbn in V. change (real_attr l "epsilon"%string (Some epsilon_bits)) with (epsilon_attr l) in V.
    destruct (epsilon_attr l) as [e |]; [| discriminate].
    destruct (batch_norm S e x g b m s) as [u |] eqn:B; [| discriminate]. injection V as <-.
    exists x, g, b, m, s, u, e. repeat (split; [reflexivity || assumption |]). now apply well_good.
  Qed.

  Lemma bn_made l x g b m s u e : epsilon_attr l = Some e -> batch_norm S e x g b m s = Some u ->
    calls "BatchNormalization"%string l (strip [Of x; Of g; Of b; Of m; Of s]) = Some (Of u).
  Proof.
    intros E B. apply calls_value. split; [| split; [| reflexivity]].
    - unfold op_value.
      change (look_up String.eqb (operators S) "BatchNormalization"%string) with (Some (batch_norm_op S)).
      cbn. change (real_attr l "epsilon"%string (Some epsilon_bits)) with (epsilon_attr l). now rewrite E, B.
    - apply well_good. unfold batch_norm in B. now apply table_good in B.
  Qed.

  (** Reshape to sizes that are written. *)
  Lemma reshape_made ds t u : good t -> recast ds t = Some u ->
    calls "Reshape"%string [@pair label value "shape"%string (shape_value ds)] (strip [Of t]) = Some (Of u).
  Proof.
    intros G R. pose proof (recast_good ds t u R) as Gu. apply recast_iff in R. destruct R as [E ->].
    apply (op1_intro S inputs constants shapes "Reshape" _ _ _ t _ eq_refl).
    - cbn. unfold reshape_of, ints_attr, attr_or. cbn.
      assert (forall l, traverse int_of (map (fun d => VInt (Z.of_nat d)) l) = Some (map Z.of_nat l)) as ints.
      { induction l as [| d l IH]; [reflexivity |]. simpl. now rewrite IH. }
      rewrite ints. cbn. unfold reshape_dims.
      assert (forall l, naturals (map Z.of_nat l) = Some l) as nat_.
      { intros l. unfold naturals. induction l as [| d l IH]; [reflexivity |]. cbn [map traverse].
        rewrite (proj2 (Z.leb_le 0 (Z.of_nat d)) (Nat2Z.is_nonneg d)), IH. cbn. now rewrite Nat2Z.id. }
      rewrite nat_. unfold fits. unfold good in G. rewrite E, G, Nat.eqb_refl. cbn. apply recast_iff. now rewrite E, G.
    - split; [exact Gu |]. unfold stated. cbn -[shape_of shape_value]. rewrite shape_of_value. now apply sizes_eqb_iff.
  Qed.
End Norm.

(** (c,), what the target's shapes (y.shape[1],) are. *)
Lemma flat_value G y dy v : access G y "shape"%string = Some (shape_value dy) ->
  eval G (ATuple [channels_text y]) = Some v -> exists n c ys, dy = n :: c :: ys /\ v = shape_value [c].
Proof.
  intros A E. change (option_map VTuple (traverse (eval G) [channels_text y]) = Some v) in E. cbn [traverse] in E.
  destruct (eval G (channels_text y)) as [c' |] eqn:C; [| discriminate].
  pose proof (eval_channel G y dy c' A C) as (n & c & ys & -> & ->). injection E as <-. now exists n, c, ys.
Qed.

(** [E]: the target's shape (y.shape[1],); [Ly]: the label of y. *)
Ltac flat E Ly Du :=
  rewrite Ly in E;
  lazymatch type of Ly with
  | Pattern.label_at _ _ _ (?y, _) _ = Some (shape_value ?dy) =>
      lazymatch type of E with
      | _ = Some ?v =>
          let G := constr:(labels_env [((N.of_nat y, "shape"%string), shape_value dy)]) in
          change (eval G (ATuple [channels_text (N.of_nat y)]) = Some v) in E;
          let n := fresh "n" in let c := fresh "c" in let ys := fresh "ys" in let D := fresh "D" in
          pose proof (flat_value G (N.of_nat y) dy v eq_refl E) as (n & c & ys & D & ->);
          rewrite Du in D; injection D as <- <- <-; clear E
      end
  end.

Ltac epsilon_of E C Ee :=
  let A := fresh "A" in
  attr_of E C A; unfold epsilon_attr, real_attr, attr_or, attribute in Ee; rewrite A in Ee.

(** The sizes of a value that has channels. *)
Lemma per_channel_dims y k : per_channel y k -> exists n c ys, y = n :: c :: ys.
Proof. intros [n c ys -> | n c ys ->]; now exists n, c, ys. Qed.

Lemma channel_recast (S : arith) (k : tensor (num S)) n c ys : per_channel (n :: c :: ys) (dims k) -> good k ->
  exists kf, recast [c] k = Some kf.
Proof.
  intros P G. exists (Tensor [c] (cells k)). apply recast_iff. split; [| reflexivity].
  rewrite G, (chan_count _ _ P). cbn. lia.
Qed.

Lemma bn_dims (S : arith) e (x g b m v u : tensor (num S)) : batch_norm S e x g b m v = Some u -> dims u = dims x.
Proof.
  unfold batch_norm. intros B. apply table_iff in B. destruct B as (ds & D & ->). unfold batch_norm_dims in D.
  destruct (Shapes.channels (dims x)); [| discriminate]. unfold guard in D.
  destruct (forallb _ _); [now injection D as <- | discriminate].
Qed.

Theorem rule_bn_mul_sound : ring_rule rule_text_bn_mul.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 7 l7 V7 L7 C7. see 6 l6 V6 L6 C6.
  apply bn_called in V6. destruct V6 as (x0 & ga & be & mu & va & u & e & R0 & R1 & R2 & R3 & R4 & R6 & Ee & B & Gu).
  open2 V7 u' k w S6 S5 S7 F7 G7. rewrite S6 in R6. injection R6 as ->.
  channel_condition 0 5%N 6%N S5 S6 C6 P.
  pose proof (rho_good _ _ _ _ _ _ _ _ san S5) as Gk.
  pose proof (bn_dims _ _ _ _ _ _ _ _ B) as Dx.
  rewrite Dx in *. pose proof (per_channel_dims _ _ P) as (n & c & ys & D). rewrite D in P.
  pose proof (channel_recast S k n c ys P Gk) as [kf Kf]. rewrite <- D in P.
  pose proof (bn_mul S laws e x0 ga be mu va u n c ys D B k w kf P F7 Kf) as (gk & bk & Egk & Ebk & Bk).
  mean m. flat E0 Ly D. flat E1 Ly D. epsilon_of E C6 Ee. subst.
  rewrite S5, (reshape_made S inputs constants shapes [c] k kf Gk Kf). cbv beta iota.
  rewrite R1, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Egk). cbv beta iota.
  rewrite R2, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Ebk). cbv beta iota.
  rewrite R0, R3, R4, S7.
  apply (bn_made S inputs constants shapes _ x0 gk bk mu va w e); [| exact Bk].
  unfold epsilon_attr, real_attr, attr_or, attribute. cbn. exact Ee.
Qed.

Theorem rule_bn_add_sound : ring_rule rule_text_bn_add.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 7 l7 V7 L7 C7. see 6 l6 V6 L6 C6.
  apply bn_called in V6. destruct V6 as (x0 & ga & be & mu & va & u & e & R0 & R1 & R2 & R3 & R4 & R6 & Ee & B & Gu).
  open2 V7 u' k w S6 S5 S7 F7 G7. rewrite S6 in R6. injection R6 as ->.
  channel_condition 0 5%N 6%N S5 S6 C6 P.
  pose proof (rho_good _ _ _ _ _ _ _ _ san S5) as Gk. pose proof (bn_dims _ _ _ _ _ _ _ _ B) as Dx.
  rewrite Dx in *. pose proof (per_channel_dims _ _ P) as (n & c & ys & D). rewrite D in P.
  pose proof (channel_recast S k n c ys P Gk) as [kf Kf]. rewrite <- D in P.
  pose proof (bn_add S laws e x0 ga be mu va u n c ys D B k w kf P F7 Kf) as (bk & Ebk & Bk).
  mean m. flat E0 Ly D. epsilon_of E C6 Ee. subst.
  rewrite S5, (reshape_made S inputs constants shapes [c] k kf Gk Kf). cbv beta iota.
  rewrite R2, (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Ebk). cbv beta iota.
  rewrite R0, R1, R3, R4, S7.
  apply (bn_made S inputs constants shapes _ x0 ga bk mu va w e); [| exact Bk].
  unfold epsilon_attr, real_attr, attr_or, attribute. cbn. exact Ee.
Qed.

Theorem rule_bn_mul_add_sound : ring_rule rule_text_bn_mul_add.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 9 l9 V9 L9 C9. see 8 l8 V8 L8 C8. see 7 l7 V7 L7 C7.
  apply bn_called in V7. destruct V7 as (x0 & ga & be & mu & va & u & e & R0 & R1 & R2 & R3 & R4 & R6 & Ee & B & Gu).
  open2 V8 u' k w S7 S5 S8 F8 G8. rewrite S7 in R6. injection R6 as ->.
  open2 V9 w' a z T8 S6 S9 F9 G9. rewrite T8 in S8. injection S8 as ->.
  channel_condition 0 5%N 7%N S5 S7 C7 P. rename Ly into Ly7. channel_condition 1 6%N 7%N S6 S7 C7 Q.
  pose proof (rho_good _ _ _ _ _ _ _ _ san S5) as Gk. pose proof (rho_good _ _ _ _ _ _ _ _ san S6) as Ga.
  pose proof (bn_dims _ _ _ _ _ _ _ _ B) as Dx.
  rewrite Dx in *. pose proof (per_channel_dims _ _ P) as (n & c & ys & D). rewrite D in P, Q.
  pose proof (channel_recast S k n c ys P Gk) as [kf Kf]. pose proof (channel_recast S a n c ys Q Ga) as [af Af].
  rewrite <- D in P, Q.
  pose proof (bn_mul S laws e x0 ga be mu va u n c ys D B k w kf P F8 Kf) as (gk & bk & Egk & Ebk & Bk).
  pose proof (bn_add S laws e x0 gk bk mu va w n c ys D Bk a z af Q F9 Af) as (ba & Eba & Bz).
  mean m. repeat match goal with E : option_map VTuple _ = Some _ |- _ => flat E Ly D end. epsilon_of E C7 Ee. subst.
  rewrite S5, S6, (reshape_made S inputs constants shapes [c] k kf Gk Kf), (reshape_made S inputs constants shapes [c] a af Ga Af).
  cbv beta iota.
  rewrite R1, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Egk). cbv beta iota.
  rewrite R2, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Ebk). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Eba). cbv beta iota.
  rewrite R0, R3, R4, S9.
  apply (bn_made S inputs constants shapes _ x0 gk ba mu va z e); [| exact Bz].
  unfold epsilon_attr, real_attr, attr_or, attribute. cbn. exact Ee.
Qed.

#[export] Hint Resolve rule_bn_mul_sound rule_bn_add_sound rule_bn_mul_add_sound : sound_rules.
