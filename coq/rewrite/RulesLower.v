(** * Set lower: normalisations in primitive operators *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesFold rewrite.RulesNorm rewrite.RulesConv.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors tensor.Keep.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Theorem rule_lower_l2_norm_sound : real_rule rule_text_lower_l2_norm.
Proof.
  at_match_real. each_output. see 1 l1 V1 L1 C1. open1 V1 x0 u R0 R1 F1 G1. cbn beta in F1.
  destruct (l2_params l1 (dims x0)) as [[axes e] |] eqn:P1; [| discriminate]. unfold l2_params in P1.
  destruct (axes_attr l1 (List.length (dims x0))) as [axes' |] eqn:Pa; [| discriminate].
  destruct (epsilon_of l1) as [e' |] eqn:Pe; [| discriminate]. injection P1 as -> ->.
  mean m.
  match goal with E : Pattern.label_at _ _ _ _ "epsilon"%string = Some ?v |- _ =>
    attr_of E C1 Ae; assert (v = VFloat e) as ->
      by (unfold epsilon_of, real_attr, attr_or, attribute in Pe; rewrite Ae in Pe;
          destruct (real_of v) as [e' |] eqn:Ev; [| discriminate]; apply real_value in Ev; subst v;
          unfold guard in Pe; destruct (not_negative e'); [now injection Pe as -> | discriminate]);
    clear E end.
  match goal with E : Pattern.label_at _ _ _ _ "axes"%string = Some ?v |- _ => attr_of E C1 Aa; clear E end.
  match goal with E : Some (VInt 1) = Some ?v |- _ => injection E as <- end.
  pose (eps := tabulate [] (fun _ => s_real S e) : tensor (num S)).
  destruct (lower_l2 S laws axes e x0 u eps eq_refl eq_refl F1) as (sq & r & t & q & Es & Ds & Er & Et & Eq & Eu).
  subst. rewrite epsilon_const. fold eps. cbv beta iota.
  rewrite R0, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Es). cbv beta iota.
  assert (calls (tensors S inputs constants shapes) "ReduceSum"%string
            [@pair label value "axes"%string v0; @pair label value "keepdims"%string (VInt 1)] (strip [Of sq]) = Some (Of r)) as Qr.
  { make1.
    - cbn beta. unfold reduce_params, bool_attr, attr_or, axes_attr, attribute. cbn [look_up find fst snd].
      unfold axes_attr, attribute in Pa. rewrite Aa in Pa. rewrite Ds. cbn -[ints_of axes_of]. rewrite Pa. exact Er.
    - apply fine_plain; [reflexivity |]. unfold reduce_sum in Er. now apply table_good in Er. }
  rewrite Qr. cbv beta iota.
  assert (calls (tensors S inputs constants shapes) "Max"%string [] (strip [Of r; Of eps]) = Some (Of t)) as Qt.
  { apply (any_intro S inputs constants shapes "Max" _ _ [] r [eps] t eq_refl).
    - exact Et.
    - apply fine_plain; [reflexivity |]. unfold fold_all in Et. now apply table_good in Et. }
  rewrite Qt. cbv beta iota.
  rewrite (unary_made S inputs constants shapes "Sqrt" _ _ _ _ eq_refl eq_refl Eq). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Div" _ _ _ _ _ eq_refl eq_refl Eu). now rewrite R1.
Qed.
