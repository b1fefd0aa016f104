(** * Set fold: what stands next to a convolution or a normalisation moves into its parameters *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
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
  at_match. each_output. see 6 l6 V6 L6 C6. see 4 l4 V4 L4 C4. see 5 l5 V5 L5 C5. mean m.
  claim 5 "axis"%string v5 A5 B5. assert (v5 = v) as -> by congruence. attribute_of E C4 A4. attribute_of A5 C5 A5'.
  require 0 Rq. equal_labels Rq Ea Eb.
  open2 V6 u1 u2 w R1 R2 Rw F6 G6. open2 V4 x1 b1 u1' X1' B1' U1 F4 G4. open2 V5 x2 b2 u2' X2' B2' U2 F5 G5.
  same_dims Ea Eb Rq X1' X2' Dn. assert (dims x1 = dims x2) as D by congruence.
  rewrite R1 in U1. injection U1 as <-. rewrite R2 in U2. injection U2 as <-.
  unfold axis_in, axis_attr, int_attr, attr_or, attribute in F4, F5. rewrite A4 in F4. rewrite A5' in F5. rewrite D in F4.
  destruct (int_of v) as [z |] eqn:Ev; [| discriminate]. cbn in F4, F5.
  destruct (axis_of (List.length (dims x2)) (List.length (dims x2)) z) as [axis |] eqn:Ax; [| discriminate].
  destruct (bias_add_add S laws axis x1 x2 b1 b2 u1 u2 w D F4 F5 F6) as (s & t & Hs & Ht & Hw).
  rewrite X1', X2' in X1. rewrite B1', B2' in X0.
  erewrite binary_made in X1 by (reflexivity || exact Hs). erewrite binary_made in X0 by (reflexivity || exact Ht).
  subst y y0. cbv beta iota in X. rewrite X, Rw. make2.
  - unfold axis_in, axis_attr, int_attr, attr_or, attribute. cbn [look_up find fst snd String.eqb]. cbn. rewrite Ev. cbn.
    rewrite (sum_dims S x1 x2 s D Hs), D, Ax. exact Hw.
  - apply fine_plain; [reflexivity | exact (proj1 G6)].
Qed.
