(** * Headline theorems: the rules of the library

    [exact_rule r]: over any scalars whose + and * commute (so on floats, bit for bit), at every
    match of [r] in a graph whose nodes have values and the types written on them, what is built
    has a value, that of what it replaces.  [ring_rule]: over commutative rings.  [real_rule]:
    over fields.  The rules are the texts that the compiler reads (a test prints them again). *)

From Coq Require Import List NArith String.
From Calque Require Import graph.Graph pattern.Match rewrite.Rewrite rewrite.RewriteProof.
From Calque Require Import rewrite.Sound rewrite.SoundModel rewrite.SoundTactic rewrite.Library rewrite.Proved.
From Calque Require Import tensor.Scalars tensor.Factors.
From Calque Require rewrite.ProvedSound rewrite.RulesBranches rewrite.RulesDense rewrite.RulesLike rewrite.RulesMany rewrite.RulesSimplify rewrite.RulesTranspose rewrite.RulesUnit rewrite.RulesFull rewrite.RulesLayout rewrite.RulesBias.
Import ListNotations.

Theorem rule_identity_removal_sound : exact_rule rule_text_identity_removal.
Proof. exact RulesSimplify.rule_identity_removal_sound. Qed.
Theorem rule_dropout_removal_sound : exact_rule rule_text_dropout_removal.
Proof. exact RulesSimplify.rule_dropout_removal_sound. Qed.
Theorem rule_transpose_transpose_sound : exact_rule rule_text_transpose_transpose.
Proof. exact RulesTranspose.rule_transpose_transpose_sound. Qed.
Theorem rule_transpose_identity_sound : exact_rule rule_text_transpose_identity.
Proof. exact RulesTranspose.rule_transpose_identity_sound. Qed.
Theorem rule_reshape_reshape_sound : exact_rule rule_text_reshape_reshape.
Proof. exact RulesSimplify.rule_reshape_reshape_sound. Qed.
Theorem rule_reshape_flatten_sound : exact_rule rule_text_reshape_flatten.
Proof. exact RulesSimplify.rule_reshape_flatten_sound. Qed.
Theorem rule_reshape_squeeze_sound : exact_rule rule_text_reshape_squeeze.
Proof. exact RulesSimplify.rule_reshape_squeeze_sound. Qed.
Theorem rule_reshape_unsqueeze_sound : exact_rule rule_text_reshape_unsqueeze.
Proof. exact RulesSimplify.rule_reshape_unsqueeze_sound. Qed.
Theorem rule_flatten_reshape_sound : exact_rule rule_text_flatten_reshape.
Proof. exact RulesSimplify.rule_flatten_reshape_sound. Qed.
Theorem rule_squeeze_reshape_sound : exact_rule rule_text_squeeze_reshape.
Proof. exact RulesSimplify.rule_squeeze_reshape_sound. Qed.
Theorem rule_unsqueeze_reshape_sound : exact_rule rule_text_unsqueeze_reshape.
Proof. exact RulesSimplify.rule_unsqueeze_reshape_sound. Qed.
Theorem rule_squeeze_unsqueeze_sound : exact_rule rule_text_squeeze_unsqueeze.
Proof. exact RulesSimplify.rule_squeeze_unsqueeze_sound. Qed.
Theorem rule_unsqueeze_squeeze_sound : exact_rule rule_text_unsqueeze_squeeze.
Proof. exact RulesSimplify.rule_unsqueeze_squeeze_sound. Qed.
Theorem rule_reshape_identity_sound : exact_rule rule_text_reshape_identity.
Proof. exact RulesSimplify.rule_reshape_identity_sound. Qed.
Theorem rule_flatten_identity_sound : exact_rule rule_text_flatten_identity.
Proof. exact RulesSimplify.rule_flatten_identity_sound. Qed.
Theorem rule_expand_identity_sound : exact_rule rule_text_expand_identity.
Proof. exact RulesDense.rule_expand_identity_sound. Qed.
Theorem rule_split_concat_variadic_sound : exact_rule rule_text_split_concat_variadic.
Proof. exact RulesMany.rule_split_concat_variadic_sound. Qed.
Theorem rule_dispatch_tuple_sound : exact_rule rule_text_dispatch_tuple.
Proof. exact RulesMany.rule_dispatch_tuple_sound. Qed.
Theorem rule_merge_element_wise_variadic_sound : exact_rule rule_text_merge_element_wise_variadic.
Proof. exact RulesMany.rule_merge_element_wise_variadic_sound. Qed.
Theorem rule_eliminate_identity_sound : ring_rule rule_text_eliminate_identity.
Proof. exact RulesUnit.rule_eliminate_identity_sound. Qed.
Theorem rule_full_element_wise_sound : exact_rule rule_text_full_element_wise.
Proof. exact RulesFull.rule_full_element_wise_sound. Qed.
Theorem rule_simplify_transpose_sound : exact_rule rule_text_simplify_transpose.
Proof. exact RulesLayout.rule_simplify_transpose_sound. Qed.
Theorem rule_simplify_bias_add_sound : exact_rule rule_text_simplify_bias_add.
Proof. exact RulesBias.rule_simplify_bias_add_sound. Qed.
Theorem rule_matmul_add_gemm_sound : exact_rule rule_text_matmul_add_gemm.
Proof. exact RulesDense.rule_matmul_add_gemm_sound. Qed.
Theorem rule_concretize_zeros_like_sound : exact_rule rule_text_concretize_zeros_like.
Proof. exact RulesLike.rule_concretize_zeros_like_sound. Qed.
Theorem rule_concretize_ones_like_sound : exact_rule rule_text_concretize_ones_like.
Proof. exact RulesLike.rule_concretize_ones_like_sound. Qed.
Theorem rule_concretize_reshape_like_sound : exact_rule rule_text_concretize_reshape_like.
Proof. exact RulesLike.rule_concretize_reshape_like_sound. Qed.
Theorem rule_concretize_broadcast_to_like_sound : exact_rule rule_text_concretize_broadcast_to_like.
Proof. exact RulesLike.rule_concretize_broadcast_to_like_sound. Qed.
Theorem rule_concretize_collapse_sum_like_sound : exact_rule rule_text_concretize_collapse_sum_like.
Proof. exact RulesLike.rule_concretize_collapse_sum_like_sound. Qed.
Theorem rule_parallel_dense_variadic_sound : exact_rule rule_text_parallel_dense_variadic.
Proof. exact RulesBranches.rule_parallel_dense_variadic_sound. Qed.
Theorem rule_split_concat_sound : exact_rule rule_text_split_concat.
Proof. exact RulesMany.rule_split_concat_sound. Qed.
Theorem rule_merge_element_wise_sound : exact_rule rule_text_merge_element_wise.
Proof. exact RulesMany.rule_merge_element_wise_sound. Qed.
Theorem rule_merge_three_element_wise_sound : exact_rule rule_text_merge_three_element_wise.
Proof. exact RulesMany.rule_merge_three_element_wise_sound. Qed.
Theorem rule_parallel_dense_sound : exact_rule rule_text_parallel_dense.
Proof. exact RulesDense.rule_parallel_dense_sound. Qed.
Theorem rule_parallel_three_dense_sound : exact_rule rule_text_parallel_three_dense.
Proof. exact RulesDense.rule_parallel_three_dense_sound. Qed.

(** The same as a list, which the oracle prints; they are rules of the library. *)
Theorem proved_sound : Forall (fun e => ProvedSound.class_sound (snd (fst e)) (snd e)) proved_rules.
Proof. exact ProvedSound.proved_sound. Qed.

Theorem proved_in_library :
  Forall (fun e => Attr.look_up String.eqb library (fst (fst e)) = Some (snd e)) proved_rules.
Proof. exact ProvedSound.proved_in_library. Qed.

(** And all of its rules. *)
Theorem library_proved : map (fun e => (fst (fst e), snd e)) proved_rules = library.
Proof. exact ProvedSound.library_proved. Qed.

(** Optimising with any of the rules that the library calls exact, in any order, however often: every output keeps
    its value, bit for bit on binary32 and binary64 ([binary32_float_laws]), and the graph stays one whose nodes have
    values and types. *)
Theorem opt_correct_exact :
  forall S inputs constants shapes rules fuel g outputs log,
    float_laws S -> incl rules (ProvedSound.rules_of ProvedSound.exactly) ->
    sane (tensors S inputs constants shapes) g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane (tensors S inputs constants shapes) h /\
    same_values (den (tensors S inputs constants shapes)) g outputs h outputs'.
Proof. exact ProvedSound.opt_correct_exact. Qed.

(** With the ring rules too: over commutative rings (whose -0 is 0). *)
Theorem opt_correct_ring :
  forall S inputs constants shapes rules fuel g outputs log,
    ring_scalars S -> incl rules (ProvedSound.rules_of ProvedSound.in_rings) ->
    sane (tensors S inputs constants shapes) g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane (tensors S inputs constants shapes) h /\
    same_values (den (tensors S inputs constants shapes)) g outputs h outputs'.
Proof. exact ProvedSound.opt_correct_ring. Qed.

(** With all of them: over fields. *)
Theorem opt_correct_real :
  forall S inputs constants shapes rules fuel g outputs log,
    real_laws S -> incl rules (ProvedSound.rules_of (fun _ => true)) ->
    sane (tensors S inputs constants shapes) g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane (tensors S inputs constants shapes) h /\
    same_values (den (tensors S inputs constants shapes)) g outputs h outputs'.
Proof. exact ProvedSound.opt_correct_real. Qed.
