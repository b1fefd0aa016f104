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

(** [E]: the target's shape front_text of the leaf [p], whose value is [R]. *)
Ltac front E p R c fs D :=
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
              change (eval G (front_text (N.of_nat p)) = Some v) in E;
              destruct (front_value G (N.of_nat p) _ v eq_refl eq_refl E) as (c & fs & D & ->); clear E
            end
          end
      end
  end.

Lemma conv_per_channel (S : arith) (laws : ring_laws S) win grp (x f : tensor (num S)) b u :
  conv S win grp x f b = Some u -> exists n c y fs, dims u = n :: c :: y /\ dims f = c :: fs.
Proof.
  intros H. apply (conv_iff S laws) in H. destruct H as (out & D & _ & ->).
  destruct (conv_out S win grp x f out D) as (n & o & y & fs & -> & E). now exists n, o, y, fs.
Qed.

Theorem rule_conv_mul_sound : ring_rule rule_text_conv_mul.
Proof.
  at_match. each_output. see 6 l6 V6 L6 C6. see 5 l5 V5 L5 C5.
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
