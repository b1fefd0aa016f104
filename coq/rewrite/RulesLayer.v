(** * Set lower: layer normalisation *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library.
From Calque Require Import rewrite.RulesFold rewrite.RulesNorm rewrite.RulesConv rewrite.RulesLower rewrite.RulesBias.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors tensor.KeepDims.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Section Layer.
  Variable S : arith.
  Notation tensor := (tensor (num S)).

  (** The sum has the sizes of the first operand. *)
  Lemma map2_into f (x y : tensor) : broadcasts (dims y) (dims x) = true ->
    map2 S f x y = Some (tabulate (dims x) (fun i => f (at_ S x i) (spread_at S y (dims x) i))).
  Proof.
    intros B. apply broadcasts_iff in B. rewrite IndexProof.broadcast_comm in B. unfold map2, table. rewrite B. f_equal.
    apply tabulate_ext. intros i I. unfold spread_at at 1. now rewrite spread_same.
  Qed.

  Lemma layer_norm_iff axis e (x g : tensor) b u : layer_norm S axis e x g b = Some u ->
    broadcasts (dims g) (dims x) = true /\ match b with Some b => broadcasts (dims b) (dims x) = true | None => True end /\
    u = tabulate (dims x) (fun i =>
      let m := map (Nat.leb axis) (seq 0 (List.length (dims x))) in
      let y := s_mul S (standard S e (marked m (dims x)) (fellows S m x i) (at_ S x i)) (spread_at S g (dims x) i) in
      match b with Some b => s_add S y (spread_at S b (dims x) i) | None => y end).
  Proof.
    intros H. unfold layer_norm in H. apply table_iff in H. destruct H as (ds & P & ->).
    unfold layer_norm_dims, guard in P. destruct (broadcasts (dims g) (dims x)); [| discriminate].
    destruct b as [b |]; cbn [option_map andb] in P.
    - destruct (broadcasts (dims b) (dims x)); [| discriminate]. injection P as <-. now repeat split.
    - injection P as <-. now repeat split.
  Qed.
End Layer.

Theorem rule_lower_layer_norm_sound : real_rule rule_text_lower_layer_norm.
Proof.
  at_match. each_output. see 4 l V L C. require 0 Rq. attribute_of Rq C.
  open3 V x0 ga o u R0 R1 Ro U F Gu. cbn beta in F.
  destruct (layer_params l (dims x0)) as [[axis e] |] eqn:P; [| discriminate]. unfold layer_params in P.
  destruct (axis_in l (Some (-1)%Z) (dims x0)) as [axis' |] eqn:Ax; [| discriminate].
  destruct (epsilon_of l) as [e' |] eqn:Ee; [| discriminate]. injection P as -> ->.
  destruct (look l "axis"%string) as [w |] eqn:Aw; [| discriminate].
  unfold axis_in, axis_attr, int_attr, attr_or, attribute in Ax. unfold look in Aw. rewrite Aw in Ax.
  destruct w as [| | z | | |]; try discriminate. cbn [int_of] in Ax.
  cbn [binary_op] in Rq. injection Rq as Rq. apply Z.leb_le in Rq. apply axis_front in Ax; [| exact Rq].
  destruct Ax as [-> lt].
  assert (forall n, Pattern.label_at (patterns rule_text_lower_layer_norm) g M (0, None) "ndim"%string = Some n ->
            n = VInt (Z.of_nat (List.length (dims x0)))) as rank
    by (intros n Ln; says_leaf Ln Dn; exact (ndim_label _ _ _ _ _ _ _ _ _ Dn R0)).
  assert (forall v, Pattern.label_at (patterns rule_text_lower_layer_norm) g M (4, None) "epsilon"%string = Some v -> v = VFloat e)
    as epsilon by (intros v Lv; attr_of Lv C A; exact (epsilon_real _ _ _ Ee A)).
  assert (Pattern.label_at (patterns rule_text_lower_layer_norm) g M (4, None) "axis"%string = Some (VInt (Z.of_nat axis))) as La
    by exact (eq_trans (call_attribute _ _ _ _ _ _ _ _ _ _ _ _ "axis"%string C eq_refl) Aw).
  assert (axis <= List.length (dims x0)) as le by lia.
  destruct (layer_norm_iff S axis e x0 ga o u F) as (Bg & Bb & Eu).
  pose (eps := tabulate [] (fun _ => s_real S e) : tensor (num S)).
  destruct (standard_built S laws (seq axis (List.length (dims x0) - axis)) _ e x0 eps eq_refl eq_refl eq_refl)
    as (mean & d & dd & var & p & q & r & W1 & W2 & Dd & W3 & Ddd & W4 & W5 & W6 & W7 & Er).
  rewrite marks_range in Er. assert (dims r = dims x0) as Dr by now rewrite Er.
  pose proof (map2_into S (s_mul S) r ga ltac:(now rewrite Dr)) as W8. rewrite Dr in W8.
  assert (exists t, map2 S (s_mul S) r ga = Some t /\ (o = None -> t = u) /\
            forall be, o = Some be -> map2 S (s_add S) t be = Some u) as (t & W9 & none & some).
  { eexists. split; [exact W8 |]. split; [intros -> | intros be ->].
    - rewrite Eu. apply tabulate_ext. intros i I. rewrite Er. now rewrite at_tabulate by exact I.
    - rewrite (map2_into S (s_add S)) by exact Bb. cbn [dims tabulate]. rewrite Eu. f_equal. apply tabulate_ext. intros i I.
      rewrite at_tabulate by exact I. rewrite Er. now rewrite at_tabulate by exact I. }
  clear Eu Er W8.
  pose proof (mean_made S inputs constants shapes axis x0 mean le W1) as Q1.
  pose proof (mean_made S inputs constants shapes axis dd var ltac:(rewrite Ddd; exact le) ltac:(rewrite Ddd; exact W4)) as Q4.
  rewrite Ddd in Q4.
  see_optional 3 e3 n3 G3 Z3 L3 Q3 R3;
    [see_variable 2 t2 V2; rewrite R3, V2 in Ro; destruct o as [be |]; [injection Ro as -> | discriminate Ro]
    | rewrite R3 in Ro; destruct o; [discriminate Ro | clear Ro]]; mean m;
  match goal with Cn : Pattern.label_at _ _ _ (3, None) "present"%string = Some (VBool _) |- _ =>
      rewrite L3, Q3 in Cn; try discriminate Cn end;
  try match goal with m : means _ _ _ _ _ 3 _ |- _ => optional_value 3 m G3 Z3 Q3 end;
  repeat match goal with E : context [Pattern.label_at _ _ _ (4, None) "axis"%string] |- _ =>
    lazymatch type of E with _ = Some (VInt _) => fail | _ => rewrite La in E; cbv iota beta in E end end;
  (destruct (Pattern.label_at _ _ _ (0, None) "ndim"%string) as [n |]; [| discriminate]);
  pose proof (rank n eq_refl); subst n;
  repeat match goal with E : context [func_op FRange] |- _ =>
    lazymatch type of E with _ = Some ?v =>
      let G := constr:(labels_env [((0%N, "ndim"%string), VInt (Z.of_nat (List.length (dims x0))))]) in
      change (eval G (range_text 0 (Z.of_nat axis)) = Some v) in E;
      apply (range_value G 0%N axis (List.length (dims x0)) v eq_refl le) in E
    end
  end;
  repeat match goal with E : Some (VInt 1) = Some ?v |- _ => injection E as <- end;
  repeat match goal with E : Pattern.label_at _ _ _ (4, None) "epsilon"%string = Some ?v |- _ => apply epsilon in E end.
  all: subst; try rewrite !epsilon_const; fold eps; cbv beta iota.
  all: rewrite R0, Q1; cbv beta iota.
  all: rewrite (binary_made S inputs constants shapes "Sub" _ _ _ _ _ eq_refl eq_refl W2); cbv beta iota.
  all: rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl W3); cbv beta iota.
  all: rewrite Q4; cbv beta iota.
  all: rewrite (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl W5); cbv beta iota.
  all: rewrite (unary_made S inputs constants shapes "Sqrt" _ _ _ _ eq_refl eq_refl W6); cbv beta iota.
  all: rewrite (binary_made S inputs constants shapes "Div" _ _ _ _ _ eq_refl eq_refl W7); cbv beta iota.
  all: rewrite R1, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl W9); cbv beta iota.
  - rewrite R3, V2, (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl (some be eq_refl)). now rewrite U.
  - now rewrite U, (none eq_refl).
Qed.

#[export] Hint Resolve rule_lower_layer_norm_sound : sound_rules.
