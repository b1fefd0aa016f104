(** * The published rules that are unsound, refuted

    One theorem for each graph tests/bad-rules/RULE_needs_CONDITION.graph: the graph's outputs
    before and after one rewrite by the published rule, over the integers ([None]: an output has no
    value, the target being ill typed, or a Reshape whose sizes are not explicit), and that the rule
    of the library, which has the condition, does not match the graph or keeps its outputs. *)

From Coq Require Import List NArith ZArith.
From Calque Require Import tensor.Instances tensor.OpTable rewrite.Unsound.
From Calque Require rewrite.Published rewrite.Library.
Import ListNotations.
Open Scope nat_scope.

Theorem rule_split_concat_variadic_needs_all_parts :
  refutes integers []
    Published.rule_text_split_concat_variadic Published.graph_text_split_concat_variadic_needs_all_parts
    [value_of [1] [1]%Z]
    (Some [value_of [2] [1; 2]%Z]) /\
  spares integers []
    LibrarySimplify.rule_text_split_concat_variadic
      Published.graph_text_split_concat_variadic_needs_all_parts.
Proof. refute_and_spare. Qed.

Theorem rule_two_conv_add_needs_equal_shapes :
  refutes integers [(1%N, tensor_of [2; 1; 1; 1] [1; 2]%Z)]
    Published.rule_text_two_conv_add Published.graph_text_two_conv_add_needs_equal_shapes
    [value_of [2; 1; 1; 1] [5; 6]%Z]
    None /\
  spares integers [(1%N, tensor_of [2; 1; 1; 1] [1; 2]%Z)]
    LibraryMerge.rule_text_two_conv_add Published.graph_text_two_conv_add_needs_equal_shapes.
Proof. refute_and_spare. Qed.

Theorem rule_two_conv_add_needs_one_group :
  refutes integers [(1%N, tensor_of [1; 2; 1; 1] [1; 2]%Z); (2%N, tensor_of [1; 2; 1; 1] [4; 8]%Z);
      (3%N, tensor_of [2; 1; 1; 1] [1; 1]%Z); (4%N, tensor_of [2; 1; 1; 1] [1; 1]%Z)]
    Published.rule_text_two_conv_add Published.graph_text_two_conv_add_needs_one_group
    [value_of [1; 2; 1; 1] [5; 10]%Z]
    (Some [value_of [1; 2; 1; 1] [3; 12]%Z]) /\
  spares integers [(1%N, tensor_of [1; 2; 1; 1] [1; 2]%Z); (2%N, tensor_of [1; 2; 1; 1] [4; 8]%Z);
      (3%N, tensor_of [2; 1; 1; 1] [1; 1]%Z); (4%N, tensor_of [2; 1; 1; 1] [1; 1]%Z)]
    LibraryMerge.rule_text_two_conv_add Published.graph_text_two_conv_add_needs_one_group.
Proof. refute_and_spare. Qed.

Theorem rule_conv_shortcut_add_needs_centred_padding :
  refutes integers [(1%N, tensor_of [1; 1; 1; 2] [1; 2]%Z); (2%N, tensor_of [1; 1; 1; 3] [0; 0; 0]%Z)]
    Published.rule_text_conv_shortcut_add Published.graph_text_conv_shortcut_add_needs_centred_padding
    [value_of [1; 1; 1; 2] [1; 2]%Z]
    (Some [value_of [1; 1; 1; 2] [2; 0]%Z]) /\
  spares integers [(1%N, tensor_of [1; 1; 1; 2] [1; 2]%Z); (2%N, tensor_of [1; 1; 1; 3] [0; 0; 0]%Z)]
    LibraryFold.rule_text_conv_shortcut_add Published.graph_text_conv_shortcut_add_needs_centred_padding.
Proof. refute_and_spare. Qed.

Theorem rule_conv_shortcut_add_needs_equal_channels :
  refutes integers [(1%N, tensor_of [1; 2; 1; 1] [1; 2]%Z); (2%N, tensor_of [1; 2; 1; 1] [0; 0]%Z)]
    Published.rule_text_conv_shortcut_add Published.graph_text_conv_shortcut_add_needs_equal_channels
    [value_of [1; 2; 1; 1] [1; 2]%Z]
    (Some [value_of [1; 1; 1; 1] [3]%Z]) /\
  spares integers [(1%N, tensor_of [1; 2; 1; 1] [1; 2]%Z); (2%N, tensor_of [1; 2; 1; 1] [0; 0]%Z)]
    LibraryFold.rule_text_conv_shortcut_add Published.graph_text_conv_shortcut_add_needs_equal_channels.
Proof. refute_and_spare. Qed.

Theorem rule_conv_shortcut_add_needs_odd_kernel :
  refutes integers [(1%N, tensor_of [1; 1; 1; 2] [1; 2]%Z); (2%N, tensor_of [1; 1; 1; 2] [0; 0]%Z)]
    Published.rule_text_conv_shortcut_add Published.graph_text_conv_shortcut_add_needs_odd_kernel
    [value_of [1; 1; 1; 2] [1; 2]%Z]
    (Some [value_of [1; 1; 1; 2] [1; 3]%Z]) /\
  spares integers [(1%N, tensor_of [1; 1; 1; 2] [1; 2]%Z); (2%N, tensor_of [1; 1; 1; 2] [0; 0]%Z)]
    LibraryFold.rule_text_conv_shortcut_add Published.graph_text_conv_shortcut_add_needs_odd_kernel.
Proof. refute_and_spare. Qed.

Theorem rule_conv_shortcut_add_needs_unit_strides :
  refutes integers [(1%N, tensor_of [1; 1; 1; 2] [1; 2]%Z)]
    Published.rule_text_conv_shortcut_add Published.graph_text_conv_shortcut_add_needs_unit_strides
    [value_of [1; 1; 1; 2] [1; 2]%Z]
    (Some [value_of [1; 1; 1; 1] [1]%Z]) /\
  spares integers [(1%N, tensor_of [1; 1; 1; 2] [1; 2]%Z)]
    LibraryFold.rule_text_conv_shortcut_add Published.graph_text_conv_shortcut_add_needs_unit_strides.
Proof. refute_and_spare. Qed.

Theorem rule_lower_batch_norm_needs_nonnegative_axis :
  refutes integers []
    Published.rule_text_lower_batch_norm Published.graph_text_lower_batch_norm_needs_nonnegative_axis
    [value_of [1; 1; 1; 1] [3]%Z]
    (Some [value_of [1; 1; 1; 1; 1] [3]%Z]) /\
  spares integers []
    LibraryLower.rule_text_lower_batch_norm Published.graph_text_lower_batch_norm_needs_nonnegative_axis.
Proof. refute_and_spare. Qed.

Theorem rule_diamond_conv_add_needs_channels_first :
  refutes integers [(1%N, tensor_of [1; 1; 2; 1] [1; 2]%Z); (2%N, tensor_of [1; 1; 2; 1] [0; 1]%Z);
      (3%N, tensor_of [1; 1; 2; 1] [0; 0]%Z)]
    Published.rule_text_diamond_conv_add Published.graph_text_diamond_conv_add_needs_channels_first
    [value_of [1; 1; 2; 1] [0; 0]%Z]
    (Some [value_of [1; 1; 2; 1] [2; 0]%Z]) /\
  spares integers [(1%N, tensor_of [1; 1; 2; 1] [1; 2]%Z); (2%N, tensor_of [1; 1; 2; 1] [0; 1]%Z);
      (3%N, tensor_of [1; 1; 2; 1] [0; 0]%Z)]
    LibraryFold.rule_text_diamond_conv_add Published.graph_text_diamond_conv_add_needs_channels_first.
Proof. refute_and_spare. Qed.

Theorem rule_conv_mul_needs_channels_first :
  refutes integers [(1%N, tensor_of [1; 2; 1; 1] [1; 1]%Z); (2%N, tensor_of [2; 1; 1; 1] [1; 1]%Z);
      (3%N, tensor_of [2; 1; 1] [1; 2]%Z)]
    Published.rule_text_conv_mul Published.graph_text_conv_mul_needs_channels_first
    [value_of [1; 2; 1; 2] [1; 1; 2; 2]%Z]
    (Some [value_of [1; 2; 1; 2] [1; 2; 1; 2]%Z]) /\
  spares integers [(1%N, tensor_of [1; 2; 1; 1] [1; 1]%Z); (2%N, tensor_of [2; 1; 1; 1] [1; 1]%Z);
      (3%N, tensor_of [2; 1; 1] [1; 2]%Z)]
    LibraryFold.rule_text_conv_mul Published.graph_text_conv_mul_needs_channels_first.
Proof. refute_and_spare. Qed.

Theorem rule_bias_add_add_needs_equal_rank :
  refutes integers [(1%N, tensor_of [1; 2; 1; 1] [0; 0]%Z); (3%N, tensor_of [1; 2] [0; 0]%Z)]
    Published.rule_text_bias_add_add Published.graph_text_bias_add_add_needs_equal_rank
    [value_of [1; 2; 1; 2] [0; 1; 0; 1]%Z]
    (Some [value_of [1; 2; 1; 2] [0; 0; 1; 1]%Z]) /\
  spares integers [(1%N, tensor_of [1; 2; 1; 1] [0; 0]%Z); (3%N, tensor_of [1; 2] [0; 0]%Z)]
    LibraryFold.rule_text_bias_add_add Published.graph_text_bias_add_add_needs_equal_rank.
Proof. refute_and_spare. Qed.

Theorem rule_parallel_conv_expand_kernels_needs_equal_parity :
  refutes integers [(1%N, tensor_of [1; 1; 2; 1] [1; 2]%Z); (3%N, tensor_of [1; 1; 2; 1] [1; 1]%Z)]
    Published.rule_text_parallel_conv_expand_kernels
      Published.graph_text_parallel_conv_expand_kernels_needs_equal_parity
    [value_of [1; 1; 2; 1] [1; 2]%Z; value_of [1; 1; 1; 1] [3]%Z]
    None /\
  spares integers [(1%N, tensor_of [1; 1; 2; 1] [1; 2]%Z); (3%N, tensor_of [1; 1; 2; 1] [1; 1]%Z)]
    LibraryMerge.rule_text_parallel_conv_expand_kernels
      Published.graph_text_parallel_conv_expand_kernels_needs_equal_parity.
Proof. refute_and_spare. Qed.

Theorem rule_simplify_reshape_needs_shape_without_zero :
  refutes integers []
    Published.rule_text_simplify_reshape Published.graph_text_simplify_reshape_needs_shape_without_zero
    [value_of [1; 2] [1; 2]%Z]
    None /\
  spares integers []
    LibrarySimplify.rule_text_reshape_reshape
      Published.graph_text_simplify_reshape_needs_shape_without_zero.
Proof. refute_and_spare. Qed.

Theorem rule_simplify_pad_conv_needs_pads_by_side :
  refutes integers []
    Published.rule_text_simplify_pad_conv Published.graph_text_simplify_pad_conv_needs_pads_by_side
    [value_of [1; 1; 1; 1] [0]%Z]
    (Some [value_of [1; 1; 1; 1] [1]%Z]) /\
  spares integers []
    LibrarySimplify.rule_text_simplify_pad_conv Published.graph_text_simplify_pad_conv_needs_pads_by_side.
Proof. refute_and_spare. Qed.

Theorem rule_reshape_like_needs_whole_shapes :
  refutes integers [(2%N, tensor_of [2; 1] [0; 0]%Z)]
    Published.rule_text_reshape_like Published.graph_text_reshape_like_needs_whole_shapes
    [value_of [1; 1] [5]%Z]
    None /\
  spares integers [(2%N, tensor_of [2; 1] [0; 0]%Z)]
    LibraryLike.rule_text_concretize_reshape_like Published.graph_text_reshape_like_needs_whole_shapes.
Proof. refute_and_spare. Qed.

Theorem rule_combine_parallel_conv2d_needs_output_channels :
  refutes integers [(2%N, tensor_of [1; 1; 1; 2] [1; 2]%Z)]
    Published.rule_text_combine_parallel_conv2d
      Published.graph_text_combine_parallel_conv2d_needs_output_channels
    [value_of [1; 2; 1; 1] [1; 2]%Z; value_of [1; 1; 1; 1] [3]%Z]
    None /\
  spares integers [(2%N, tensor_of [1; 1; 1; 2] [1; 2]%Z)]
    LibraryMerge.rule_text_parallel_conv_variadic
      Published.graph_text_combine_parallel_conv2d_needs_output_channels.
Proof. refute_and_spare. Qed.

Theorem rule_concat_associative_needs_equal_axis :
  refutes integers [(3%N, tensor_of [2; 1] [3; 4]%Z)]
    Published.rule_text_concat_associative Published.graph_text_concat_associative_needs_equal_axis
    [value_of [2; 2] [1; 3; 2; 4]%Z]
    None.
Proof. refute. Qed.

Theorem rule_concat_associative_split_needs_sizes :
  refutes integers []
    Published.rule_text_concat_associative_split Published.graph_text_concat_associative_split_needs_sizes
    [value_of [2] [1; 2]%Z]
    (Some [value_of [1] [1]%Z]).
Proof. refute. Qed.

Theorem rule_grouped_convolution_needs_equal_groups :
  refutes integers [(4%N, tensor_of [3; 1; 1; 1] [1; 1; 1]%Z)]
    Published.rule_text_grouped_convolution Published.graph_text_grouped_convolution_needs_equal_groups
    [value_of [1; 4; 1; 1] [1; 2; 2; 2]%Z]
    (Some [value_of [1; 4; 1; 1] [1; 1; 2; 2]%Z]).
Proof. refute. Qed.

(** None of the rules in tests/bad-rules keeps the outputs. *)
Theorem published_rules_unsound :
  forall name r, In (name, r) Published.library_published -> ~ keeps_outputs integers r.
Proof.
  intros name r H.
  repeat (destruct H as [E | H]; [injection E as _ <-; eapply refutes_rule;
    first [ exact (proj1 rule_bias_add_add_needs_equal_rank)
    | exact (proj1 rule_combine_parallel_conv2d_needs_output_channels)
    | exact rule_concat_associative_needs_equal_axis
    | exact rule_concat_associative_split_needs_sizes
    | exact (proj1 rule_conv_mul_needs_channels_first)
    | exact (proj1 rule_conv_shortcut_add_needs_centred_padding)
    | exact (proj1 rule_diamond_conv_add_needs_channels_first)
    | exact rule_grouped_convolution_needs_equal_groups
    | exact (proj1 rule_lower_batch_norm_needs_nonnegative_axis)
    | exact (proj1 rule_parallel_conv_expand_kernels_needs_equal_parity)
    | exact (proj1 rule_reshape_like_needs_whole_shapes)
    | exact (proj1 rule_simplify_pad_conv_needs_pads_by_side)
    | exact (proj1 rule_simplify_reshape_needs_shape_without_zero)
    | exact (proj1 rule_split_concat_variadic_needs_all_parts)
    | exact (proj1 rule_two_conv_add_needs_equal_shapes) ] |]).
  destruct H.
Qed.
