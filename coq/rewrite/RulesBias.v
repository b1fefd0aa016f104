(** * A bias as a sum *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesNorm.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.Along.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** [b.shape + [1 for j in range(x.ndim - 1 - y.axis)]] of a vector. *)
Lemma behind_value G b x y r c axis v :
  access G b "shape"%string = Some (shape_value [c]) -> access G x "ndim"%string = Some (VInt (Z.of_nat r)) ->
  access G y "axis"%string = Some (VInt (Z.of_nat axis)) ->
  eval G (ABinary BAdd (AAccess b "shape"%string)
            (AVar 0%N (ABinary BSub (ABinary BSub (AAccess x "ndim"%string) (AConst (VInt 1))) (AAccess y "axis"%string))
               (AConst (VInt 1)))) = Some v ->
  v = shape_value (c :: repeat 1 (r - 1 - axis)).
Proof.
  intros Ab Ax Ay E. apply eval_binary in E. destruct E as (s & o & Es & Eo & Ev).
  cbn [eval] in Es. rewrite Ab in Es. injection Es as <-.
  destruct (eval G (ABinary BSub (ABinary BSub (AAccess x "ndim"%string) (AConst (VInt 1))) (AAccess y "axis"%string)))
    as [n |] eqn:N; [| cbn [eval] in Eo, N; rewrite N in Eo; discriminate].
  assert (n = VInt (Z.of_nat r - 1 - Z.of_nat axis)) as ->.
  { cbn [eval] in N. rewrite Ax, Ay in N. cbn [binary_op] in N. unfold int_result in N.
    destruct (in_int64 (Z.of_nat r - 1)); [| discriminate]. cbn [binary_op] in N. unfold int_result in N.
    destruct (in_int64 _); [now injection N as <- | discriminate]. }
  rewrite (eval_one_of G 0%N _ _ N) in Eo. unfold count in Eo.
  destruct (_ && _) eqn:C; [| discriminate]. injection Eo as <-. apply andb_true_iff in C. destruct C as [C _].
  apply Z.leb_le in C. cbn [binary_op shape_value map app] in Ev. injection Ev as <-.
  replace (Z.to_nat (Z.of_nat r - 1 - Z.of_nat axis)) with (r - 1 - axis) by lia.
  unfold shape_value. cbn [map]. do 2 f_equal. clear. induction (r - 1 - axis) as [| m IH]; [reflexivity |].
  cbn [repeat map]. now rewrite IH.
Qed.

(** An axis that is not negative. *)
Lemma axis_front r n z axis : axis_of r n z = Some axis -> (0 <= z)%Z -> z = Z.of_nat axis /\ axis < n.
Proof.
  unfold axis_of. destruct (_ && _) eqn:E; [| discriminate]. intros H le. injection H as <-.
  apply andb_true_iff in E. destruct E as [_ E]. apply Z.ltb_lt in E.
  rewrite (proj2 (Z.ltb_ge z 0) le). lia.
Qed.

Theorem rule_simplify_bias_add_sound : exact_rule rule_text_simplify_bias_add.
Proof.
  at_match. each_output. see 2 l V L C. mean m. require 0 Rq. attribute_of Rq C. attribute_of E C.
  open2 V x0 b0 u R0 R1 U F G.
  destruct (look l "axis"%string) as [w |] eqn:Aw; [| discriminate].
  unfold axis_in, axis_attr, int_attr, attr_or, attribute in F. unfold look in Aw. rewrite Aw in F.
  destruct w as [| | z | | |]; try discriminate. cbn [int_of] in F.
  cbn [binary_op] in Rq. injection Rq as Rq. apply Z.leb_le in Rq.
  destruct (axis_of _ _ z) as [axis |] eqn:Az; [| discriminate]. apply axis_front in Az; [| exact Rq].
  destruct Az as [-> lt].
  destruct (Pattern.label_at _ _ _ (1, None) "shape"%string) as [s |] eqn:Ls; [| discriminate].
  destruct (Pattern.label_at _ _ _ (0, None) "ndim"%string) as [n |] eqn:Ln; [| discriminate].
  says_leaf Ls Ds. says_leaf Ln Dn.
  pose proof (shape_of_inv _ _ (shape_label _ _ _ _ _ _ _ _ _ Ds R1)) as ->.
  pose proof (ndim_label _ _ _ _ _ _ _ _ _ Dn R0) as ->.
  pose proof (rho_good _ _ _ _ _ _ _ _ san R1) as Gb.
  destruct (bias_add_sum S axis x0 b0 u lt Gb F) as (c & k & Db & Rk & Sum). rewrite Db in E.
  pose (A := labels_env [((1%N, "shape"%string), shape_value [c]); ((0%N, "ndim"%string), VInt (Z.of_nat (List.length (dims x0))));
                         ((2%N, "axis"%string), VInt (Z.of_nat axis))]).
  apply (behind_value A 1%N 0%N 2%N (List.length (dims x0)) c axis v eq_refl eq_refl eq_refl) in E. subst v.
  subst. rewrite R1, (reshape_made S inputs constants shapes _ b0 k Gb Rk). cbv beta iota.
  rewrite R0, (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Sum). now rewrite U.
Qed.

#[export] Hint Resolve rule_simplify_bias_add_sound : sound_rules.
