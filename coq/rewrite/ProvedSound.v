(** * Optimising by proved rules keeps the values of the outputs *)

From Coq Require Import Bool List NArith String.
From Calque Require Import attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundModel rewrite.SoundTactic rewrite.SoundFix.
From Calque Require Import rewrite.Library rewrite.Proved.
From Calque Require Import rewrite.RulesBranches rewrite.RulesConv rewrite.RulesDense rewrite.RulesFold rewrite.RulesLike rewrite.RulesLower rewrite.RulesMany rewrite.RulesMerge
  rewrite.RulesMergeConv rewrite.RulesNorm rewrite.RulesSimplify rewrite.RulesTranspose rewrite.RulesUnit.
From Calque Require Import rewrite.RulesFull rewrite.RulesLayout rewrite.RulesBias rewrite.RulesLayer rewrite.RulesGroup rewrite.RulesGemm.
From Calque Require Import rewrite.RulesPad rewrite.RulesShortcut rewrite.RulesChannels rewrite.RulesExpand rewrite.RulesParallelConv rewrite.RulesParallelGroup.
From Calque Require Import tensor.Scalars tensor.Factors.
Import ListNotations.
Open Scope list_scope.

Definition class_sound (c : rule_class) : rule -> Prop :=
  match c with Exact => exact_rule | Float => float_rule | Ring => ring_rule | Real => real_rule end.

(** The theorem of the rule. *)
Ltac by_its_theorem :=
  lazymatch goal with
  | |- class_sound _ rule_text_identity_removal => exact rule_identity_removal_sound
  | |- class_sound _ rule_text_dropout_removal => exact rule_dropout_removal_sound
  | |- class_sound _ rule_text_transpose_transpose => exact rule_transpose_transpose_sound
  | |- class_sound _ rule_text_transpose_identity => exact rule_transpose_identity_sound
  | |- class_sound _ rule_text_reshape_reshape => exact rule_reshape_reshape_sound
  | |- class_sound _ rule_text_reshape_flatten => exact rule_reshape_flatten_sound
  | |- class_sound _ rule_text_reshape_squeeze => exact rule_reshape_squeeze_sound
  | |- class_sound _ rule_text_reshape_unsqueeze => exact rule_reshape_unsqueeze_sound
  | |- class_sound _ rule_text_flatten_reshape => exact rule_flatten_reshape_sound
  | |- class_sound _ rule_text_squeeze_reshape => exact rule_squeeze_reshape_sound
  | |- class_sound _ rule_text_unsqueeze_reshape => exact rule_unsqueeze_reshape_sound
  | |- class_sound _ rule_text_squeeze_unsqueeze => exact rule_squeeze_unsqueeze_sound
  | |- class_sound _ rule_text_unsqueeze_squeeze => exact rule_unsqueeze_squeeze_sound
  | |- class_sound _ rule_text_reshape_identity => exact rule_reshape_identity_sound
  | |- class_sound _ rule_text_flatten_identity => exact rule_flatten_identity_sound
  | |- class_sound _ rule_text_expand_identity => exact rule_expand_identity_sound
  | |- class_sound _ rule_text_split_concat_variadic => exact rule_split_concat_variadic_sound
  | |- class_sound _ rule_text_dispatch_tuple => exact rule_dispatch_tuple_sound
  | |- class_sound _ rule_text_merge_element_wise_variadic => exact rule_merge_element_wise_variadic_sound
  | |- class_sound _ rule_text_eliminate_identity => exact rule_eliminate_identity_sound
  | |- class_sound _ rule_text_matmul_add_gemm => exact rule_matmul_add_gemm_sound
  | |- class_sound _ rule_text_concretize_zeros_like => exact rule_concretize_zeros_like_sound
  | |- class_sound _ rule_text_concretize_ones_like => exact rule_concretize_ones_like_sound
  | |- class_sound _ rule_text_concretize_reshape_like => exact rule_concretize_reshape_like_sound
  | |- class_sound _ rule_text_concretize_broadcast_to_like => exact rule_concretize_broadcast_to_like_sound
  | |- class_sound _ rule_text_concretize_collapse_sum_like => exact rule_concretize_collapse_sum_like_sound
  | |- class_sound _ rule_text_parallel_dense_variadic => exact rule_parallel_dense_variadic_sound
  | |- class_sound _ rule_text_split_concat => exact rule_split_concat_sound
  | |- class_sound _ rule_text_merge_element_wise => exact rule_merge_element_wise_sound
  | |- class_sound _ rule_text_merge_three_element_wise => exact rule_merge_three_element_wise_sound
  | |- class_sound _ rule_text_parallel_dense => exact rule_parallel_dense_sound
  | |- class_sound _ rule_text_parallel_three_dense => exact rule_parallel_three_dense_sound
  | |- class_sound _ rule_text_bn_mul_add => exact rule_bn_mul_add_sound
  | |- class_sound _ rule_text_bn_mul => exact rule_bn_mul_sound
  | |- class_sound _ rule_text_bn_add => exact rule_bn_add_sound
  | |- class_sound _ rule_text_conv_bn_fold => exact rule_conv_bn_fold_sound
  | |- class_sound _ rule_text_bias_add_add => exact rule_bias_add_add_sound
  | |- class_sound _ rule_text_conv_mul => exact rule_conv_mul_sound
  | |- class_sound _ rule_text_diamond_conv_add => exact rule_diamond_conv_add_sound
  | |- class_sound _ rule_text_parallel_batch_matmul_variadic => exact rule_parallel_batch_matmul_variadic_sound
  | |- class_sound _ rule_text_parallel_two_conv => exact rule_parallel_two_conv_sound
  | |- class_sound _ rule_text_parallel_two_conv_bias_relu => exact rule_parallel_two_conv_bias_relu_sound
  | |- class_sound _ rule_text_parallel_three_conv_bias_relu => exact rule_parallel_three_conv_bias_relu_sound
  | |- class_sound _ rule_text_simplify_pad_conv => exact rule_simplify_pad_conv_sound
  | |- class_sound _ rule_text_conv_shortcut_add => exact rule_conv_shortcut_add_sound
  | |- class_sound _ rule_text_two_conv_add => exact rule_two_conv_add_sound
  | |- class_sound _ rule_text_parallel_conv_variadic => exact rule_parallel_conv_variadic_sound
  | |- class_sound _ rule_text_parallel_conv_bias_relu_variadic => exact rule_parallel_conv_bias_relu_variadic_sound
  | |- class_sound _ rule_text_parallel_conv_expand_kernels => exact rule_parallel_conv_expand_kernels_sound
  | |- class_sound _ rule_text_parallel_group_conv_variadic => exact rule_parallel_group_conv_variadic_sound
  | |- class_sound _ rule_text_lower_batch_norm => exact rule_lower_batch_norm_sound
  | |- class_sound _ rule_text_lower_instance_norm => exact rule_lower_instance_norm_sound
  | |- class_sound _ rule_text_lower_l2_norm => exact rule_lower_l2_norm_sound
  | |- class_sound _ rule_text_full_element_wise => exact rule_full_element_wise_sound
  | |- class_sound _ rule_text_simplify_transpose => exact rule_simplify_transpose_sound
  | |- class_sound _ rule_text_simplify_bias_add => exact rule_simplify_bias_add_sound
  | |- class_sound _ rule_text_parallel_gemm_variadic => exact rule_parallel_gemm_variadic_sound
  | |- class_sound _ rule_text_lower_layer_norm => exact rule_lower_layer_norm_sound
  | |- class_sound _ rule_text_lower_group_norm => exact rule_lower_group_norm_sound
  end.

Theorem proved_sound : Forall (fun e => class_sound (snd (fst e)) (snd e)) proved_rules.
Proof. unfold proved_rules. repeat (apply Forall_cons; [cbn [fst snd]; by_its_theorem |]). apply Forall_nil. Qed.

(** They are rules of the library. *)
Theorem proved_in_library : Forall (fun e => look_up String.eqb library (fst (fst e)) = Some (snd e)) proved_rules.
Proof. unfold proved_rules. repeat (apply Forall_cons; [reflexivity |]). apply Forall_nil. Qed.

(** And all of them. *)
Theorem library_proved : map (fun e => (fst (fst e), snd e)) proved_rules = library.
Proof. reflexivity. Qed.

(** ** Optimising *)

Definition rules_of (p : rule_class -> bool) : list (string * rule) :=
  map (fun e => (fst (fst e), snd e)) (filter (fun e => p (snd (fst e))) proved_rules).

(** In a ring -0 is 0; in a field the quotient by 1 is the number. *)
Lemma ring_floats S : ring_scalars S -> float_laws S.
Proof.
  intros R. destruct (ring_commutes S R) as [add mul]. split; [exact add | exact mul |]. destruct R as [[R minus _] _]. intros a.
  rewrite minus, add. apply (Ring_theory.Radd_0_l R).
Qed.

Lemma real_rings S : real_laws S -> ring_scalars S.
Proof.
  intros L. split; [exact (real_ring S L) |]. intros a. rewrite (quotient S L), (div_is S L).
  pose proof (ring_is S (real_ring S L)) as R. pose proof (real_field S L) as F.
  assert (s_div S (s_one S) (s_one S) = s_one S) as ->; [| rewrite (Ring_theory.Rmul_comm R); apply (Ring_theory.Rmul_1_l R)].
  rewrite <- (field_inverse S F (s_one S) (field_one_zero S F)) at 3.
  rewrite (Ring_theory.Rmul_comm R). symmetry. apply (Ring_theory.Rmul_1_l R).
Qed.

(** What the scalars must obey. *)
Definition laws_of (c : rule_class) (S : arith) : Prop :=
  match c with Exact => commutative_laws S | Float => float_laws S | Ring => ring_scalars S | Real => real_laws S end.

(* Its terms are large: nobody is to look inside from here on. *)
Opaque proved_rules rule_sound_for exact_rule float_rule ring_rule real_rule.

Section Optimising.
  Variable S : arith.
  Variables inputs constants : N -> option (Tensor.tensor (num S)).
  Variable shapes : N -> option (list nat).
  Notation T := (tensors S inputs constants shapes).

  Lemma rules_sound (p : rule_class -> bool) :
    (forall c, p c = true -> laws_of c S) ->
    forall name r, In (name, r) (rules_of p) -> rule_sound_for T commutative r.
  Proof.
    intros laws name r H. unfold rules_of in H. apply in_map_iff in H. destruct H as ([[n c] r'] & E & H).
    simpl fst in E. simpl snd in E. injection E as <- <-. apply filter_In in H. destruct H as [inr pc].
    simpl fst in pc. simpl snd in pc.
    pose proof (proj1 (Forall_forall _ _) proved_sound _ inr) as A. clear inr. simpl fst in A. simpl snd in A.
    specialize (laws c pc). destruct c; exact (A S inputs constants shapes laws).
  Qed.

  (** With any of the rules, in any order, however often. *)
  Theorem opt_correct p rules fuel g outputs log :
    (forall c, p c = true -> laws_of c S) -> incl rules (rules_of p) ->
    sane T g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane T h /\ same_values (den T) g outputs h outputs'.
  Proof.
    intros laws sub san inside. apply sound_fix; try assumption.
    intros name r inr. exact (rules_sound p laws name r (sub _ inr)).
  Qed.

  Definition exactly (c : rule_class) : bool := match c with Exact | Float => true | _ => false end.
  Definition in_rings (c : rule_class) : bool := match c with Real => false | _ => true end.

  (** Rules that the library calls exact: the same value, bit for bit on floats. *)
  Theorem opt_correct_exact rules fuel g outputs log :
    float_laws S -> incl rules (rules_of exactly) ->
    sane T g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane T h /\ same_values (den T) g outputs h outputs'.
  Proof. intros F. apply opt_correct. intros []; try easy. intros _. now apply float_commutes. Qed.

  Theorem opt_correct_ring rules fuel g outputs log :
    ring_scalars S -> incl rules (rules_of in_rings) ->
    sane T g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane T h /\ same_values (den T) g outputs h outputs'.
  Proof.
    intros R. apply opt_correct. intros []; try easy; intros _; [now apply ring_commutes | now apply ring_floats].
  Qed.

  Theorem opt_correct_real rules fuel g outputs log :
    real_laws S -> incl rules (rules_of (fun _ => true)) ->
    sane T g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane T h /\ same_values (den T) g outputs h outputs'.
  Proof.
    intros Q. pose proof (real_rings S Q) as R. apply opt_correct.
    intros []; intros _; [now apply ring_commutes | now apply ring_floats | exact R | exact Q].
  Qed.
End Optimising.
