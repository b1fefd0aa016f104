(** * Set like: operators of the calque domain become ONNX's *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library rewrite.RulesSimplify.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Constants *)

Lemma constant_of_shape S inputs constants shapes s ds bits code :
  shape_of s = Some ds -> (1 <=? code)%Z && (code <=? 64)%Z = true ->
  calls (tensors S inputs constants shapes) "ConstantOfShape"%string
    [("shape"%string, s); ("value"%string, VFloat bits); ("dtype"%string, VInt code)] (strip []) =
  Some (Of (filled S ds (s_real S bits))).
Proof.
  intros E Ec. apply calls_value. split; [| split].
  - unfold op_value. cbn. unfold sizes_attr, real_attr, dtype_attr, int_attr, attr_or. cbn. rewrite E.
    cbn. now rewrite Ec.
  - apply well_good, good_tabulate.
  - unfold stated. cbn. rewrite E. now apply sizes_eqb_iff.
Qed.

Ltac concretize :=
  at_match; each_output;
  let l := fresh "l" in let V := fresh "V" in let L := fresh "L" in let C := fresh "C" in
  see 1 l V L C;
  match goal with m : means _ _ _ _ _ _ _ |- _ => mean m end;
  let t := fresh "t" in let u := fresh "u" in let R := fresh "R" in let U := fresh "U" in
  let F := fresh "F" in let G := fresh "G" in
  open1 V t u R U F G; injection F as <-;
  lazymatch goal with
  | E : Pattern.label_at _ _ _ (0, None) "shape" = Some ?s,
    Et : context [Pattern.label_at _ _ _ (0, None) "dtype"], X : _ = calls _ _ _ _ |- _ =>
      let D := fresh "D" in says_leaf E D;
      repeat match type of Et with
      | match ?a with _ => _ end = Some _ => let b := fresh "b" in destruct a as [b |]; [| discriminate Et]
      end;
      lazymatch type of Et with
      | match ?b with _ => _ end = Some _ => destruct b as [| [|] | | | |]; try discriminate Et; injection Et as <-
      end;
      repeat match goal with E : Some _ = Some _ |- _ => injection E as <- end;
      rewrite X, U; (apply constant_of_shape; [exact (shape_label _ _ _ _ _ _ _ _ _ D R) | reflexivity])
  end.

Theorem rule_concretize_zeros_like_sound : exact_rule rule_text_concretize_zeros_like.
Proof. concretize. Qed.

Theorem rule_concretize_ones_like_sound : exact_rule rule_text_concretize_ones_like.
Proof. concretize. Qed.

(** ** Shapes *)

Theorem rule_concretize_reshape_like_sound : exact_rule rule_text_concretize_reshape_like.
Proof.
  at_match. each_output. see 2 l V L C. mean m. says_call E C D. open2 V t t' u R R' U F G.
  apply recast_cells in F. rewrite X, R, U. apply reshape_to.
  - eapply rho_good; eassumption.
  - exact (proj1 G).
  - exact F.
  - exact (shape_label _ _ _ _ _ _ _ _ _ D U).
Qed.

Lemma like_broadcast a b c : like_of a b = Some c -> broadcast a b = Some b /\ c = b.
Proof.
  unfold like_of, guard, broadcasts. destruct (broadcast a b) as [d |]; [| discriminate].
  destruct (sizes_eqb d b) eqn:E; [| discriminate]. intros H. injection H as <-.
  apply sizes_eqb_iff in E. now subst.
Qed.

Theorem rule_concretize_broadcast_to_like_sound : exact_rule rule_text_concretize_broadcast_to_like.
Proof.
  at_match. each_output. see 2 l V L C. mean m. says_leaf E D. open2 V t t' u R R' U F G.
  rewrite X, R, U. pose proof (shape_label _ _ _ _ _ _ _ _ _ D R') as Sh.
  unfold expand, table in F. destruct (like_of (dims t) (dims t')) as [ds |] eqn:K; [| discriminate].
  apply like_broadcast in K. destruct K as [K ->].
  eapply op1_intro; [reflexivity | | split; [exact (proj1 G) | reflexivity]].
  cbn. unfold expand, table, expand_of, sizes_attr, attr_or. cbn. now rewrite Sh, K.
Qed.

Theorem rule_concretize_collapse_sum_like_sound : exact_rule rule_text_concretize_collapse_sum_like.
Proof.
  at_match. each_output. see 2 l V L C. mean m. says_leaf E D. open2 V t t' u R R' U F G.
  rewrite X, R, U. pose proof (shape_label _ _ _ _ _ _ _ _ _ D R') as Sh.
  eapply op1_intro; [reflexivity | |].
  - cbn. unfold sizes_attr, attr_or. cbn. rewrite Sh. exact F.
  - split; [exact (proj1 G) |]. unfold stated. cbn. rewrite Sh. apply sizes_eqb_iff.
    unfold collapse_sum, table, collapse_dims, guard in F. destruct (broadcasts _ _); [| discriminate].
    now injection F as <-.
Qed.

#[export] Hint Resolve rule_concretize_zeros_like_sound rule_concretize_ones_like_sound
  rule_concretize_reshape_like_sound rule_concretize_broadcast_to_like_sound rule_concretize_collapse_sum_like_sound :
  sound_rules.
