(** * Headline theorems: several operators of one input become one, for all shapes

    [exact_rule r]: over any scalars whose + and * commute the rule is sound; [float_rule r]
    asks too that adding -0 changes nothing, which binary32 and binary64 have
    ([binary32_float_laws]): where some of the merged operators have no bias, that is -0. *)

From Calque Require Import rewrite.SoundTactic rewrite.Library rewrite.RulesMergeConv.
From Calque Require rewrite.RulesMerge rewrite.RulesGemm.

Theorem rule_parallel_batch_matmul_variadic_sound : exact_rule rule_text_parallel_batch_matmul_variadic.
Proof. exact RulesMerge.rule_parallel_batch_matmul_variadic_sound. Qed.

Theorem rule_parallel_two_conv_sound : float_rule rule_text_parallel_two_conv.
Proof. exact RulesMergeConv.rule_parallel_two_conv_sound. Qed.

Theorem rule_parallel_two_conv_bias_relu_sound : float_rule rule_text_parallel_two_conv_bias_relu.
Proof. exact RulesMergeConv.rule_parallel_two_conv_bias_relu_sound. Qed.

Theorem rule_parallel_three_conv_bias_relu_sound : float_rule rule_text_parallel_three_conv_bias_relu.
Proof. exact RulesMergeConv.rule_parallel_three_conv_bias_relu_sound. Qed.

Theorem rule_parallel_gemm_variadic_sound : exact_rule rule_text_parallel_gemm_variadic.
Proof. exact RulesGemm.rule_parallel_gemm_variadic_sound. Qed.
