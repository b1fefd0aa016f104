(** * Set simplify: operators that do nothing or undo each other *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Theorem rule_identity_removal_sound : exact_rule rule_text_identity_removal.
Proof.
  at_match. each_output. see 1 l V L C. mean m. open1 V t u R U F G. injection F as <-. congruence.
Qed.

Theorem rule_dropout_removal_sound : exact_rule rule_text_dropout_removal.
Proof.
  at_match. each_output. see 1 l V L C. mean m. open1 V t u R U F G. injection F as <-. congruence.
Qed.

(** ** Two changes of shape in a row: only the last shape counts *)

Lemma shape_ints s ds : shape_of s = Some ds -> exists zs, ints_of s = Some zs /\ naturals zs = Some ds.
Proof.
  destruct s as [| | | | | vs]; try discriminate. simpl. revert ds.
  induction vs as [| v vs IH]; intros ds H; simpl in H.
  - injection H as <-. now exists [].
  - destruct v as [| | z | | |]; try discriminate. simpl in H.
    destruct (0 <=? z)%Z eqn:Z0; [| discriminate]. destruct (traverse natural vs) as [ds' |]; [| discriminate].
    injection H as <-. destruct (IH ds' eq_refl) as (zs & E & N). exists (z :: zs). simpl. rewrite E.
    split; [reflexivity |]. unfold naturals in *. simpl. now rewrite Z0, N.
Qed.

Lemma reshape_to S inputs constants shapes s (t u : tensor (num S)) :
  good t -> good u -> cells u = cells t -> shape_of s = Some (dims u) ->
  calls (tensors S inputs constants shapes) "Reshape"%string [("shape"%string, s)] (strip [Of t]) = Some (Of u).
Proof.
  intros Gt Gu E Sh. eapply op1_intro; [reflexivity | |].
  - cbn. unfold reshape_of, ints_attr, attr_or. cbn. destruct (shape_ints s _ Sh) as (zs & Ei & N). rewrite Ei.
    unfold reshape_dims. rewrite N. unfold fits, good in *. rewrite <- Gu, E, <- Gt, Nat.eqb_refl. cbn.
    apply recast_iff. split; [now rewrite <- Gu, E | now rewrite <- E; destruct u].
  - split; [exact Gu |]. unfold stated. cbn. rewrite Sh. now apply sizes_eqb_iff.
Qed.

Lemma recast_cells S o (t u : tensor (num S)) : recast_to S o t = Some u -> cells u = cells t.
Proof. unfold recast_to. destruct o as [ds |]; [| discriminate]. intros R. apply recast_iff in R. now destruct R as [_ ->]. Qed.

Ltac reshape_pair :=
  at_match; each_output;
  let l2 := fresh "l" in let V2 := fresh "V" in let L2 := fresh "L" in let C2 := fresh "C" in
  let l1 := fresh "l" in let V1 := fresh "V" in let L1 := fresh "L" in let C1 := fresh "C" in
  see 2 l2 V2 L2 C2; see 1 l1 V1 L1 C1;
  match goal with m : means _ _ _ _ _ _ _ |- _ => mean m end;
  match goal with
  | E : Pattern.label_at _ _ _ (2, None) _ = Some ?s, X : _ = calls _ _ _ _ |- _ =>
      let D := fresh "D" in
      says_call E C2 D;
      let t := fresh "t" in let u := fresh "u" in let w := fresh "w" in let F1 := fresh "F" in let F2 := fresh "F" in
      let R := fresh "R" in let R1 := fresh "R" in let R2 := fresh "R" in let Q := fresh "R" in
      let G1 := fresh "G" in let G2 := fresh "G" in let w' := fresh "w" in
      open1 V1 t u R R1 F1 G1; open1 V2 w w' R2 Q F2 G2;
      rewrite R1 in R2; injection R2 as <-;
      apply recast_cells in F1, F2;
      rewrite X, R, Q;
      apply reshape_to;
      [eapply rho_good; eassumption | exact (proj1 G2) | congruence | exact (shape_label _ _ _ _ _ _ _ _ _ D Q)]
  end.

Theorem rule_reshape_reshape_sound : exact_rule rule_text_reshape_reshape.
Proof. reshape_pair. Qed.
Theorem rule_reshape_flatten_sound : exact_rule rule_text_reshape_flatten.
Proof. reshape_pair. Qed.
Theorem rule_reshape_squeeze_sound : exact_rule rule_text_reshape_squeeze.
Proof. reshape_pair. Qed.
Theorem rule_reshape_unsqueeze_sound : exact_rule rule_text_reshape_unsqueeze.
Proof. reshape_pair. Qed.
Theorem rule_flatten_reshape_sound : exact_rule rule_text_flatten_reshape.
Proof. reshape_pair. Qed.
Theorem rule_squeeze_reshape_sound : exact_rule rule_text_squeeze_reshape.
Proof. reshape_pair. Qed.
Theorem rule_unsqueeze_reshape_sound : exact_rule rule_text_unsqueeze_reshape.
Proof. reshape_pair. Qed.
Theorem rule_squeeze_unsqueeze_sound : exact_rule rule_text_squeeze_unsqueeze.
Proof. reshape_pair. Qed.
Theorem rule_unsqueeze_squeeze_sound : exact_rule rule_text_unsqueeze_squeeze.
Proof. reshape_pair. Qed.

(** ** Nothing but the shape, and that is the same *)

Lemma same_shape S (t u : tensor (num S)) : dims u = dims t -> cells u = cells t -> u = t.
Proof. destruct t, u. simpl. congruence. Qed.

(** The condition [r.shape == x.shape]. *)
Ltac recast_identity :=
  at_match; each_output;
  let l := fresh "l" in let V := fresh "V" in let L := fresh "L" in let C := fresh "C" in
  see 1 l V L C;
  match goal with m : means _ _ _ _ _ _ _ |- _ => mean m end;
  let Rq := fresh "Rq" in let E := fresh "E" in let E' := fresh "E" in let D := fresh "D" in let D' := fresh "D" in
  require 0 Rq; equal_labels Rq E E'; subst;
  says_call E C D; says_leaf E' D';
  let t := fresh "t" in let u := fresh "u" in let F := fresh "F" in
  let R := fresh "R" in let Q := fresh "R" in let G := fresh "G" in
  open1 V t u R Q F G; apply recast_cells in F;
  rewrite R, Q; f_equal; f_equal; symmetry; apply same_shape; [| exact F];
  pose proof (shape_label _ _ _ _ _ _ _ _ _ D Q); pose proof (shape_label _ _ _ _ _ _ _ _ _ D' R); congruence.

Theorem rule_reshape_identity_sound : exact_rule rule_text_reshape_identity.
Proof. recast_identity. Qed.
Theorem rule_flatten_identity_sound : exact_rule rule_text_flatten_identity.
Proof. recast_identity. Qed.

#[export] Hint Resolve rule_identity_removal_sound rule_dropout_removal_sound rule_reshape_reshape_sound
  rule_reshape_flatten_sound rule_reshape_squeeze_sound rule_reshape_unsqueeze_sound rule_flatten_reshape_sound
  rule_squeeze_reshape_sound rule_unsqueeze_reshape_sound rule_squeeze_unsqueeze_sound rule_unsqueeze_squeeze_sound
  rule_reshape_identity_sound rule_flatten_identity_sound : sound_rules.
