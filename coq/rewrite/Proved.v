(** * The rules that are proved sound, each with its class: all of the library *)

From Coq Require Import List String.
From Calque Require Import pattern.Match rewrite.Library.
Import ListNotations.
Open Scope string_scope.

(** Over all scalars whose + and * commute; where adding -0 changes nothing too, as of floats (the library calls both
    exact); in a commutative ring; in a field. *)
Inductive rule_class := Exact | Float | Ring | Real.

(** In the order of the library; the theorem of rule NAME is rule_NAME_sound. *)
Definition proved_rules : list (string * rule_class * rule) :=
  [("identity_removal", Exact, rule_text_identity_removal);
   ("dropout_removal", Exact, rule_text_dropout_removal);
   ("transpose_transpose", Exact, rule_text_transpose_transpose);
   ("transpose_identity", Exact, rule_text_transpose_identity);
   ("reshape_reshape", Exact, rule_text_reshape_reshape);
   ("reshape_flatten", Exact, rule_text_reshape_flatten);
   ("reshape_squeeze", Exact, rule_text_reshape_squeeze);
   ("reshape_unsqueeze", Exact, rule_text_reshape_unsqueeze);
   ("flatten_reshape", Exact, rule_text_flatten_reshape);
   ("squeeze_reshape", Exact, rule_text_squeeze_reshape);
   ("unsqueeze_reshape", Exact, rule_text_unsqueeze_reshape);
   ("squeeze_unsqueeze", Exact, rule_text_squeeze_unsqueeze);
   ("unsqueeze_squeeze", Exact, rule_text_unsqueeze_squeeze);
   ("reshape_identity", Exact, rule_text_reshape_identity);
   ("flatten_identity", Exact, rule_text_flatten_identity);
   ("expand_identity", Exact, rule_text_expand_identity);
   ("split_concat_variadic", Exact, rule_text_split_concat_variadic);
   ("dispatch_tuple", Exact, rule_text_dispatch_tuple);
   ("merge_element_wise_variadic", Exact, rule_text_merge_element_wise_variadic);
   ("eliminate_identity", Ring, rule_text_eliminate_identity);
   ("full_element_wise", Exact, rule_text_full_element_wise);
   ("simplify_pad_conv", Ring, rule_text_simplify_pad_conv);
   ("simplify_transpose", Exact, rule_text_simplify_transpose);
   ("bn_mul_add", Ring, rule_text_bn_mul_add);
   ("bn_mul", Ring, rule_text_bn_mul);
   ("bn_add", Ring, rule_text_bn_add);
   ("conv_bn_fold", Real, rule_text_conv_bn_fold);
   ("matmul_add_gemm", Exact, rule_text_matmul_add_gemm);
   ("bias_add_add", Ring, rule_text_bias_add_add);
   ("conv_mul", Ring, rule_text_conv_mul);
   ("diamond_conv_add", Ring, rule_text_diamond_conv_add);
   ("conv_shortcut_add", Ring, rule_text_conv_shortcut_add);
   ("concretize_zeros_like", Exact, rule_text_concretize_zeros_like);
   ("concretize_ones_like", Exact, rule_text_concretize_ones_like);
   ("concretize_reshape_like", Exact, rule_text_concretize_reshape_like);
   ("concretize_broadcast_to_like", Exact, rule_text_concretize_broadcast_to_like);
   ("concretize_collapse_sum_like", Exact, rule_text_concretize_collapse_sum_like);
   ("simplify_bias_add", Exact, rule_text_simplify_bias_add);
   ("parallel_conv_variadic", Float, rule_text_parallel_conv_variadic);
   ("parallel_conv_bias_relu_variadic", Float, rule_text_parallel_conv_bias_relu_variadic);
   ("parallel_conv_expand_kernels", Ring, rule_text_parallel_conv_expand_kernels);
   ("parallel_group_conv_variadic", Float, rule_text_parallel_group_conv_variadic);
   ("parallel_dense_variadic", Exact, rule_text_parallel_dense_variadic);
   ("parallel_gemm_variadic", Exact, rule_text_parallel_gemm_variadic);
   ("parallel_batch_matmul_variadic", Exact, rule_text_parallel_batch_matmul_variadic);
   ("two_conv_add", Ring, rule_text_two_conv_add);
   ("split_concat", Exact, rule_text_split_concat);
   ("merge_element_wise", Exact, rule_text_merge_element_wise);
   ("merge_three_element_wise", Exact, rule_text_merge_three_element_wise);
   ("parallel_two_conv", Float, rule_text_parallel_two_conv);
   ("parallel_two_conv_bias_relu", Float, rule_text_parallel_two_conv_bias_relu);
   ("parallel_three_conv_bias_relu", Float, rule_text_parallel_three_conv_bias_relu);
   ("parallel_dense", Exact, rule_text_parallel_dense);
   ("parallel_three_dense", Exact, rule_text_parallel_three_dense);
   ("lower_batch_norm", Real, rule_text_lower_batch_norm);
   ("lower_layer_norm", Real, rule_text_lower_layer_norm);
   ("lower_group_norm", Real, rule_text_lower_group_norm);
   ("lower_instance_norm", Real, rule_text_lower_instance_norm);
   ("lower_l2_norm", Real, rule_text_lower_l2_norm);
   ("quantised_conv", Ring, rule_text_quantised_conv);
   ("quantised_conv_channels", Ring, rule_text_quantised_conv_channels);
   ("quantised_matmul", Ring, rule_text_quantised_matmul)].
