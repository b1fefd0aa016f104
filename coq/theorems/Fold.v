(** * Headline theorems: rules that reassociate, for all shapes

    [ring_rule r]: over any scalars with the laws of a commutative ring (division and
    functions being whatever they are), the rule is sound; [real_rule r] asks for
    quotients too, x / y = x * (1 / y).  On floats such rules reassociate. *)

From Calque Require Import rewrite.SoundTactic rewrite.Library.
From Calque Require Import rewrite.RulesConv.
From Calque Require rewrite.RulesFold rewrite.RulesNorm rewrite.RulesLower rewrite.RulesLayer rewrite.RulesGroup.

Theorem rule_bias_add_add_sound : ring_rule rule_text_bias_add_add.
Proof. exact RulesFold.rule_bias_add_add_sound. Qed.

Theorem rule_diamond_conv_add_sound : ring_rule rule_text_diamond_conv_add.
Proof. exact RulesFold.rule_diamond_conv_add_sound. Qed.

Theorem rule_conv_mul_sound : ring_rule rule_text_conv_mul.
Proof. exact RulesConv.rule_conv_mul_sound. Qed.

Theorem rule_bn_mul_sound : ring_rule rule_text_bn_mul.
Proof. exact RulesNorm.rule_bn_mul_sound. Qed.

Theorem rule_bn_add_sound : ring_rule rule_text_bn_add.
Proof. exact RulesNorm.rule_bn_add_sound. Qed.

Theorem rule_bn_mul_add_sound : ring_rule rule_text_bn_mul_add.
Proof. exact RulesNorm.rule_bn_mul_add_sound. Qed.

Theorem rule_conv_bn_fold_sound : real_rule rule_text_conv_bn_fold.
Proof. exact RulesConv.rule_conv_bn_fold_sound. Qed.

Theorem rule_lower_batch_norm_sound : real_rule rule_text_lower_batch_norm.
Proof. exact RulesConv.rule_lower_batch_norm_sound. Qed.

Theorem rule_lower_l2_norm_sound : real_rule rule_text_lower_l2_norm.
Proof. exact RulesLower.rule_lower_l2_norm_sound. Qed.

Theorem rule_lower_instance_norm_sound : real_rule rule_text_lower_instance_norm.
Proof. exact RulesLower.rule_lower_instance_norm_sound. Qed.

Theorem rule_lower_layer_norm_sound : real_rule rule_text_lower_layer_norm.
Proof. exact RulesLayer.rule_lower_layer_norm_sound. Qed.

Theorem rule_lower_group_norm_sound : real_rule rule_text_lower_group_norm.
Proof. exact RulesGroup.rule_lower_group_norm_sound. Qed.
