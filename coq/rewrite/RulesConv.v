(** * Set fold: factors and shifts of a convolution; set lower: BatchNormalization *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesFold rewrite.RulesNorm.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.


(** (w.shape[0],) + ones(w.ndim - 1) *)
Definition front_text (p : N) : attr :=
  ABinary BAdd (ATuple [AProj (AAccess p "shape"%string) (AConst (VInt 0))]) (ones_text p 1).

Lemma front_value G p ds v : access G p "shape"%string = Some (shape_value ds) ->
  access G p "ndim"%string = Some (VInt (Z.of_nat (List.length ds))) ->
  eval G (front_text p) = Some v -> exists c fs, ds = c :: fs /\ v = shape_value (c :: repeat 1 (List.length fs)).
Proof.
  intros A An E. apply eval_binary in E. destruct E as (h & o & H & O & B).
  apply (eval_ones G p 1 _ _ An ltac:(lia)) in O. destruct O as [_ ->].
  change (option_map VTuple (traverse (eval G) [AProj (AAccess p "shape"%string) (AConst (VInt 0))]) = Some h) in H.
  cbn [traverse] in H. destruct (eval G (AProj _ _)) as [d |] eqn:D; [| discriminate].
  apply (eval_dim G p 0 ds d A) in D. destruct D as [lt ->]. destruct ds as [| c fs]; [simpl in lt; lia |].
  exists c, fs. split; [reflexivity |]. cbn in H. injection H as <-.
  replace (List.length (c :: fs) - Z.to_nat 1) with (List.length fs) in B by (simpl; lia).
  rewrite shape_of_ones in B. cbn in B. injection B as <-. unfold shape_value. cbn [map]. do 2 f_equal.
  pose proof (shape_of_ones (List.length fs)) as Q. unfold shape_value in Q. now injection Q.
Qed.

(** [E]: the target's shape is [text] of the leaf [p], whose value is [R]; what [value] says of it. *)
Ltac shape_given E p R text value :=
  lazymatch type of E with
  | context [Pattern.label_at ?ps ?g ?M (p, ?j) "shape"%string] =>
      let s := fresh "s" in let n := fresh "n" in let Ls := fresh "Ls" in let Ln := fresh "Ln" in
      destruct (Pattern.label_at ps g M (p, j) "shape"%string) as [s |] eqn:Ls; [| discriminate E];
      destruct (Pattern.label_at ps g M (p, j) "ndim"%string) as [n |] eqn:Ln; [| exfalso; cbn in E;
        repeat match type of E with context [match ?x with _ => _ end] => destruct x; try discriminate E end];
      let Ds := fresh "Ds" in let Dn := fresh "Dn" in
      says_leaf Ls Ds; says_leaf Ln Dn;
      let Es := fresh "Es" in let En := fresh "En" in
      pose proof (shape_of_inv _ _ (shape_label _ _ _ _ _ _ _ _ _ Ds R)) as Es;
      pose proof (ndim_label _ _ _ _ _ _ _ _ _ Dn R) as En;
      subst s n;
      lazymatch type of E with
      | _ = Some ?v =>
          lazymatch type of Ln with
          | _ = Some ?nv =>
            lazymatch type of Ls with
            | _ = Some ?sv =>
              let G := constr:(labels_env [((N.of_nat p, "shape"%string), sv); ((N.of_nat p, "ndim"%string), nv)]) in
              change (eval G (text (N.of_nat p)) = Some v) in E;
              apply (value G (N.of_nat p) _ v eq_refl eq_refl) in E
            end
          end
      end
  end.

Ltac front E p R c fs D := shape_given E p R front_text front_value; destruct E as (c & fs & D & ->).

Lemma conv_per_channel (S : arith) (laws : ring_laws S) win grp (x f : tensor (num S)) b u :
  conv S win grp x f b = Some u -> exists n c y fs, dims u = n :: c :: y /\ dims f = c :: fs.
Proof.
  intros H. apply (conv_iff S laws) in H. destruct H as (out & D & _ & ->).
  destruct (conv_out S win grp x f out D) as (n & o & y & fs & -> & E). now exists n, o, y, fs.
Qed.

Theorem rule_conv_mul_sound : ring_rule rule_text_conv_mul.
Proof.
  at_match. apply (scalars_ring S) in laws. each_output. see 6 l6 V6 L6 C6. see 5 l5 V5 L5 C5.
  apply conv_called in V5. destruct V5 as (x0 & f & o & u & win & grp & R0 & R1 & T3 & R5 & P5 & F5 & Gu).
  open2 V6 u' k w S5 S4 S6 F6 G6. rewrite S5 in R5. injection R5 as ->.
  channel_condition 0 4%N 5%N S4 S5 C5 P.
  pose proof (rho_good _ _ _ _ _ _ _ _ san S4) as Gk.
  destruct (conv_per_channel S laws win grp x0 f o u F5) as (n & c & y & ws & Du & Df). rewrite Du in P.
  destruct (channel_recast S k n c y P Gk) as [kf Kf]. rewrite <- Du in P.
  pose proof (vector_recast S k kf c Kf) as Vk. pose proof (conv_bias S laws win grp x0 f o u F5) as Db. rewrite Df in Db.
  see_optional 3 e3 n3 G3 Z3 L3 Q3 R3.
  - assert (exists b, o = Some b) as [b ->].
    { destruct o as [b |]; [now exists b |]. exfalso. now apply (present_rho S inputs constants shapes g M _ e3 n3 san G3 Z3 Q3). }
    cbn [third] in T3. destruct (vector_map2 S (s_mul S) c b kf _ _ (vector_of S b c Db) Vk) as (bk & Ebk & Vbk).
    destruct (conv_mul S laws win grp x0 f (Some b) u k w c ws (Some bk) F5 Df P Gk F6 (proj1 Vbk)) as (kw & fk & Kw & Fk & Cw).
    { intros i I. rewrite Du in I. pose proof (second_in n c y i I) as J. exact (proj2 Vbk _ J). }
    mean m; [| match goal with Cn : Pattern.label_at _ _ _ (3, None) _ = Some (VBool _) |- _ => rewrite Cn, Q3 in L3; discriminate L3 end].
    conv_attributes C5. match goal with m : means _ _ _ _ _ 3 _ |- _ => optional_value 3 m G3 Z3 Q3 end.
    match goal with E : option_map VTuple _ = Some _ |- _ => flat E Ly Du end.
    match goal with E : context [Pattern.label_at _ _ _ (1, None) "shape"%string] |- _ => front E 1 R1 c1 f1 D1 end.
    rewrite Df in D1. injection D1 as <- <-. subst.
    rewrite S4, (reshape_made S inputs constants shapes [c] k kf Gk Kf),
      (reshape_made S inputs constants shapes (c :: repeat 1 (List.length ws)) k kw Gk Kw). cbv beta iota.
    rewrite R1, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Fk). cbv beta iota.
    rewrite T3, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Ebk). cbv beta iota.
    rewrite R0, S6. apply (conv_made S inputs constants shapes _ x0 fk bk w win grp); [| exact Cw].
    rewrite <- P5. same_params. assert (dims fk = dims f) as -> by (rewrite (map2_front S _ f kw c ws Df) in Fk;
      [now injection Fk as <- | apply recast_iff in Kw; now destruct Kw as [_ ->]]). reflexivity.
  - rewrite R3 in T3. destruct o; [discriminate T3 | clear T3].
    destruct (conv_mul S laws win grp x0 f None u k w c ws None F5 Df P Gk F6 Logic.I) as (kw & fk & Kw & Fk & Cw).
    { intros i I. cbn. now rewrite (zero_times S laws). }
    mean m; [match goal with Cn : Pattern.label_at _ _ _ (3, None) _ = Some (VBool _) |- _ => rewrite Cn, Q3 in L3; discriminate L3 end |].
    conv_attributes C5.
    match goal with E : context [Pattern.label_at _ _ _ (1, None) "shape"%string] |- _ => front E 1 R1 c1 f1 D1 end.
    rewrite Df in D1. injection D1 as <- <-. subst.
    rewrite S4, (reshape_made S inputs constants shapes (c :: repeat 1 (List.length ws)) k kw Gk Kw). cbv beta iota.
    rewrite R1, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Fk). cbv beta iota.
    rewrite R0, S6. apply (conv_made2 S inputs constants shapes _ x0 fk w win grp); [| exact Cw].
    rewrite <- P5. same_params. assert (dims fk = dims f) as -> by (rewrite (map2_front S _ f kw c ws Df) in Fk;
      [now injection Fk as <- | apply recast_iff in Kw; now destruct Kw as [_ ->]]). reflexivity.
Qed.

(** ** With quotients: in a field whose elements are no integers, so that [Div] does not cut *)

Lemma epsilon_const (S : arith) inputs constants shapes e :
  option_map Of (consts (tensors S inputs constants shapes) 0 (Some (VFloat e))) =
  Some (Of (tabulate [] (fun _ => s_real S e))).
Proof. reflexivity. Qed.

Lemma real_value v e : real_of v = Some e -> v = VFloat e.
Proof. destruct v; try discriminate. intros E. now injection E as ->. Qed.

(** (x.shape[1],) + ones(x.ndim - 2) *)
Definition second_text (p : N) : attr := ABinary BAdd (ATuple [channels_text p]) (ones_text p 2).

Lemma second_value G p ds v : access G p "shape"%string = Some (shape_value ds) ->
  access G p "ndim"%string = Some (VInt (Z.of_nat (List.length ds))) ->
  eval G (second_text p) = Some v ->
  exists n c ys, ds = n :: c :: ys /\ v = shape_value (c :: repeat 1 (List.length ys)).
Proof.
  intros A An E. apply eval_binary in E. destruct E as (h & o & H & O & B).
  apply (eval_ones G p 2 _ _ An ltac:(lia)) in O. destruct O as [_ ->].
  destruct (flat_value G p ds h A H) as (n & c & ys & -> & ->). exists n, c, ys. split; [reflexivity |].
  replace (List.length (n :: c :: ys) - Z.to_nat 2) with (List.length ys) in B by (simpl; lia).
  rewrite shape_of_ones in B. cbn in B. injection B as <-. unfold shape_value. cbn [map]. do 2 f_equal.
  pose proof (shape_of_ones (List.length ys)) as Q. unfold shape_value in Q. now injection Q.
Qed.

Ltac second E p R a c ys D := shape_given E p R second_text second_value; destruct E as (a & c & ys & D & ->).

(** Once more, the labels being known. *)
Ltac second_again E p x a c ys D :=
  lazymatch type of E with
  | _ = Some ?v =>
      let G := constr:(labels_env [((N.of_nat p, "shape"%string), shape_value (dims x));
                                   ((N.of_nat p, "ndim"%string), VInt (Z.of_nat (List.length (dims x))))]) in
      change (eval G (second_text (N.of_nat p)) = Some v) in E;
      destruct (second_value G (N.of_nat p) _ v eq_refl eq_refl E) as (a & c & ys & D & ->); clear E
  end.

Theorem rule_lower_batch_norm_sound : real_rule rule_text_lower_batch_norm.
Proof.
  at_match. each_output. see 5 l5 V5 L5 C5. 
  apply bn_called in V5. destruct V5 as (x0 & ga & be & mu & va & u & e & R0 & R1 & R2 & R3 & R4 & R5 & Ee & B & Gu).
  mean m.
  match goal with E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => second E 0 R0 bt ch ys D end.
  match goal with E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => second_again E 0 x0 bt' ch' ys' D' end.
  rewrite D in D'. injection D' as <- <- <-.
  repeat match goal with
  | E : Pattern.label_at _ _ _ (5, None) "epsilon"%string = Some ?v |- _ =>
      let A := fresh "A" in attr_of E C5 A; clear E;
      assert (v = VFloat e) by (unfold epsilon_attr, real_attr, attr_or, attribute in Ee; rewrite A in Ee; now apply real_value)
  end.
  pose proof (proj1 (batch_norm_iff S e x0 ga be mu va u bt ch ys D) B) as (Dg & Db & Dm & Dv & _).
  pose (eps := tabulate [] (fun _ => s_real S e) : tensor (num S)).
  pose proof (factor_built S laws e eps ga va ch eq_refl eq_refl Dg Dv) as (p & q & k & Ep & Eq & Ek & Vk).
  pose proof (lower_shift S e ga be mu va ch Db Dm k Vk) as (p' & r & Ep' & Er & Vr).
  assert (good k) as Gk by now apply map2_good in Ek. assert (good r) as Gr by now apply map2_good in Er.
  assert (forall t f, vector S ch t f -> good t -> exists t', recast (ch :: repeat 1 (List.length ys)) t = Some t') as Rc.
  { intros t f [Dt _] G. eexists. apply recast_iff. split; [| reflexivity]. rewrite G, Dt. cbn. rewrite cell_count_ones. lia. }
  pose proof (Rc k _ Vk Gk) as [kc Kc]. pose proof (Rc r _ Vr Gr) as [rc Krc].
  assert (exists t, map2 S (s_mul S) x0 kc = Some t) as [t Et].
  { eexists. apply map2_channel. rewrite D. assert (dims kc = ch :: repeat 1 (List.length ys)) as ->
      by (apply recast_iff in Kc; now destruct Kc as [_ ->]). now apply (Channel_Rank _ bt). }
  pose proof (lower_bn S laws e ga be mu va ch x0 u k r bt ys kc rc t D B Vk Vr Kc Krc Et) as Eu.
  subst. rewrite !epsilon_const. fold eps. cbv beta iota.
  rewrite R4, (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Ep). cbv beta iota.
  rewrite (unary_made S inputs constants shapes "Sqrt" _ _ _ _ eq_refl eq_refl Eq). cbv beta iota.
  rewrite R1, (binary_made S inputs constants shapes "Div" _ _ _ _ _ eq_refl eq_refl Ek). cbv beta iota.
  rewrite R3, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Ep'). cbv beta iota.
  rewrite R2, (binary_made S inputs constants shapes "Sub" _ _ _ _ _ eq_refl eq_refl Er). cbv beta iota.
  rewrite (reshape_made S inputs constants shapes _ k kc Gk Kc), (reshape_made S inputs constants shapes _ r rc Gr Krc). cbv beta iota.
  rewrite R0, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Et). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Eu). now rewrite R5.
Qed.

Theorem rule_conv_bn_fold_sound : real_rule rule_text_conv_bn_fold.
Proof.
  at_match. each_output. see 9 l9 V9 L9 C9. see 8 l8 V8 L8 C8.
  apply conv_called in V8. destruct V8 as (x0 & f & o & u & win & grp & R0 & R1 & T3 & R8 & P8 & F8 & Gu).
  apply bn_called in V9. destruct V9 as (u' & ga & be & mu & va & z & e & S8 & R4 & R5 & R6 & R7 & R9 & Ee & B & Gz).
  rewrite S8 in R8. injection R8 as ->.
  pose proof (conv_per_channel S (real_ring S laws) win grp x0 f o u F8) as (n & c & y & ws & Du & Df).
  pose proof (conv_bias S (real_ring S laws) win grp x0 f o u F8) as Db. rewrite Df in Db.
  pose proof (proj1 (batch_norm_iff S e u ga be mu va z n c y Du) B) as (Dg & Dbe & Dm & Dv & _).
  pose (eps := tabulate [] (fun _ => s_real S e) : tensor (num S)).
  pose proof (factor_built S laws e eps ga va c eq_refl eq_refl Dg Dv) as (p & q & k & Ep & Eq & Ek & Vk).
  pose proof (shift_of_bias S e ga be mu va c Dbe Dm k o Vk Db) as (p' & q' & r & Ep' & Eq' & Er & Vr).
  assert (good k) as Gk by now apply map2_good in Ek.
  assert (exists kw, recast (c :: repeat 1 (List.length ws)) k = Some kw) as [kw Kw].
  { eexists. apply recast_iff. split; [| reflexivity]. rewrite Gk, (proj1 Vk). cbn. rewrite cell_count_ones. lia. }
  pose proof (conv_bn_fold S laws e ga be mu va c win grp x0 f o u z ws k kw r F8 B Df Vk Gk Kw Vr) as (fk & Fk & Cz).
  assert (dims fk = dims f) as Dfk by (rewrite (map2_front S _ f kw c ws Df) in Fk;
    [now injection Fk as <- | apply recast_iff in Kw; now destruct Kw as [_ ->]]).
  see_optional 3 e3 n3 G3 Z3 L3 Q3 R3;
    [assert (exists b, o = Some b) as [b ->] by (destruct o as [b |]; [now exists b |]; exfalso;
       now apply (present_rho S inputs constants shapes g M _ e3 n3 san G3 Z3 Q3))
    | rewrite R3 in T3; destruct o; [discriminate T3 | clear T3]];
  cbn [third] in *; mean m; conv_attributes C8;
  match goal with m : means _ _ _ _ _ 3 _ |- _ => optional_value 3 m G3 Z3 Q3 end;
  match goal with E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => front E 1 R1 c1 f1 D1 end;
  rewrite Df in D1; injection D1 as <- <-;
  repeat match goal with
  | E : Pattern.label_at _ _ _ (9, None) "epsilon"%string = Some ?v |- _ =>
      let A := fresh "A" in attr_of E C9 A; clear E;
      assert (v = VFloat e) by (unfold epsilon_attr, real_attr, attr_or, attribute in Ee; rewrite A in Ee; now apply real_value)
  end;
  subst; rewrite !epsilon_const; fold eps; cbv beta iota;
  rewrite R7, (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Ep); cbv beta iota;
  rewrite (unary_made S inputs constants shapes "Sqrt" _ _ _ _ eq_refl eq_refl Eq); cbv beta iota;
  rewrite R4, (binary_made S inputs constants shapes "Div" _ _ _ _ _ eq_refl eq_refl Ek); cbv beta iota;
  rewrite R6; try rewrite T3; rewrite (binary_made S inputs constants shapes "Sub" _ _ _ _ _ eq_refl eq_refl Ep'); cbv beta iota;
  rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Eq'); cbv beta iota;
  rewrite R5, (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Er); cbv beta iota;
  rewrite (reshape_made S inputs constants shapes _ k kw Gk Kw); cbv beta iota;
  rewrite R1, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Fk); cbv beta iota;
  rewrite R0, R9; apply (conv_made S inputs constants shapes _ x0 fk r z win grp); try exact Cz;
  rewrite <- P8; same_params; now rewrite Dfk.
Qed.

#[export] Hint Resolve rule_conv_mul_sound rule_lower_batch_norm_sound rule_conv_bn_fold_sound : sound_rules.
