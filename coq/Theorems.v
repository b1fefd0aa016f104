(** * The headline theorems

    Every statement a reader is asked to rely on, restated in one place; the
    proof is a name elsewhere.  The output of compiling this file is compared
    with tests/coq/theorems.golden: a changed statement or a new assumption is
    a failed test. *)

From Coq Require Import Bool List NArith String ZArith.
From Coq Require QArith Qcanon.
From Calque Require Import attr.Attr.
From Calque Require attr.AttrProof attr.Memo graph.Graph kernel.Kernel kernel.KernelProof.
From Calque Require kernel.Wf kernel.WfProof.
From Calque Require kernel.Inline kernel.InlineProof kernel.Dual kernel.GradErrata.
From Calque Require kernel.Lower kernel.LowerProof kernel.LowerTyped.
From Calque Require dpia.Range dpia.Order dpia.Correct dpia.Scalars dpia.Errata dpia.Programs.
From Calque Require emit.Codegen emit.Flat emit.FlatProof emit.Memory emit.Tidy emit.TidyProof.
From Calque Require emit.Owner emit.Machine emit.MachineProof emit.Errata emit.Whole emit.WholeProof.
Import ListNotations.
Open Scope Z_scope.

(** ** attr: evaluation [G;a => v] and matching [G |- a ~ v] *)

(** The evaluator decides the judgement. *)
Theorem attr_eval_iff :
  forall G a v, eval G a = Some v <-> ae G a v.
Proof. exact AttrProof.attr_eval_iff. Qed.

(** The matcher decides the judgement. *)
Theorem attr_match_iff :
  forall G a v, amatch G a v = true <-> am G a v.
Proof. exact AttrProof.attr_match_iff. Qed.

Theorem attr_eval_deterministic :
  forall G a v w, ae G a v -> ae G a w -> v = w.
Proof. exact AttrProof.attr_eval_deterministic. Qed.

(** Without [_], matching is evaluation. *)
Theorem attr_match_eval_agree :
  forall G a v, any_free a = true -> (amatch G a v = true <-> eval G a = Some v).
Proof. exact AttrProof.attr_match_eval_agree. Qed.

(** Evaluation stays in int64. *)
Theorem attr_eval_in_range :
  forall G a v, env_in_range G -> consts_in_range a = true ->
    eval G a = Some v -> value_in_range v = true.
Proof. exact AttrProof.attr_eval_in_range. Qed.

Theorem value_eqb_reflect :
  forall v w, reflect (v = w) (value_eqb v w).
Proof. exact AttrProof.value_eqb_reflect. Qed.

(** A comparison of ints and floats is that of the exact numbers; it has no value if one is none. *)
Theorem number_order :
  forall o R v w b, AttrProof.order_test o = Some R ->
    (binary_op o v w = Some (VBool b) <->
     exists y z, number v = Some y /\ number w = Some z /\ (b = true <-> R y z)).
Proof. exact AttrProof.number_order. Qed.

(** Every number lies between the infinities. *)
Theorem number_finite :
  forall v z, value_in_range v = true -> number v = Some z ->
    (forall s, v <> VFloat (if s : bool then 18442240474082181120 else 9218868437227405312)%N) ->
    - 2 ^ 2098 < z < 2 ^ 2098.
Proof. exact AttrProof.number_finite. Qed.

(** *** Errata of the thesis *)

Theorem erratum_any_in_computation :
  forall G,
    let pair := ATuple [AAny; AConst (VInt 3)] in
    (forall v, am G pair (VTuple [v; VInt 3])) /\
    (forall v, ~ ae G pair v) /\
    (forall v, ~ ae G (AProj pair (AConst (VInt 1))) v).
Proof. exact AttrProof.erratum_any_in_computation. Qed.

Theorem erratum_am_overlap :
  forall G a v w, ae G a v -> am G a w -> w = v.
Proof. exact AttrProof.erratum_am_overlap. Qed.

Theorem erratum_one_based_projection :
  (forall O I H W : value,
     AttrProof.one_based_index [O; I; H; W] 2 = Some I /\
     AttrProof.one_based_index [O; I; H; W] 3 = Some H /\
     tuple_index [O; I; H; W] 2 = Some H /\
     tuple_index [O; I; H; W] 3 = Some W) /\
  (let shape := [VInt 64; VInt 3; VInt 7; VInt 7] in
   let G := env_of [(1%N, "shape"%string, VTuple shape)] in
   let sample k := AProj (AAccess 1%N "shape"%string) (AConst (VInt k)) in
   let other := VTuple [VInt 16; VInt 3; VInt 7; VInt 7] in
   am G (ATuple [AAny; AAny; sample 2; sample 3]) other /\
   (forall h w,
      AttrProof.one_based_index shape 2 = Some h ->
      AttrProof.one_based_index shape 3 = Some w ->
      ~ am G (ATuple [AAny; AAny; AConst h; AConst w]) other)).
Proof. exact AttrProof.erratum_one_based_projection. Qed.

Theorem erratum_var_length :
  forall G,
    let zeros k := VTuple (repeat (VInt 0) k) in
    let two := AVar 0%N (AConst (VInt 2)) (AConst (VInt 0)) in
    ae G two (zeros 2%nat) /\
    Forall2 (fun i v => am (bind G 0%N (VInt (Z.of_nat i))) (AConst (VInt 0)) v)
      (seq 0 3) (repeat (VInt 0) 3) /\
    ~ am G two (zeros 3%nat).
Proof. exact AttrProof.erratum_var_length. Qed.

Theorem erratum_empty_sum :
  forall G a,
    let sum k := AReduce RSum (AVar 0%N (AConst (VInt k)) a) in
    ae G (sum 0) (VInt 0) /\ (forall v, ~ ae G (sum (-1)) v).
Proof. exact AttrProof.erratum_empty_sum. Qed.

(** *** Memoised evaluation *)

Module OfMemo.
Import Memo.

(** The value of an expression depends on its free symbols only. *)
Theorem attr_eval_free_symbols :
  forall a G H,
    same_nodes G H ->
    (forall s, In s (free_symbols a) -> value_of G s = value_of H s) ->
    eval G a = eval H a.
Proof. exact eval_free_symbols. Qed.

(** Remembering closed subexpressions, from one expression of the list to the
    next too, changes no value. *)
Theorem memo_correct :
  forall G l,
    fst (memo_traverse (memo_eval closed G) [] l) = Lists.traverse (eval G) l.
Proof. exact Memo.memo_correct. Qed.

Theorem erratum_free_symbols :
  forall G,
    let e := AReduce RSum (AVar 0%N (ASymbol 0%N) (AConst (VInt 1))) in
    let family := AVar 0%N (AConst (VInt 3)) e in
    closed_printed e = true /\ closed e = false /\
    eval G family = Some (VTuple [VInt 0; VInt 1; VInt 2]) /\
    fst (memo_eval closed_printed G [] family) = Some (VTuple [VInt 0; VInt 0; VInt 0]).
Proof. exact Memo.erratum_free_symbols. Qed.
End OfMemo.

(** ** Graphs, kernels, their translation and emission: the statements are in [theorems] *)

From Calque Require Import theorems.IndexNotation theorems.Gradients theorems.Translation.

(** ** Smaller errata of seed 002: the statements are in [theorems] *)

From Calque Require theorems.Text.
Module OfText := theorems.Text.

(** ** Matching, rewriting and the oracle: the statements are in [theorems] *)

From Calque Require theorems.Pattern theorems.Rewrite theorems.Errata theorems.Oracle theorems.Tensor theorems.Unsound theorems.Rules.
From Calque Require theorems.Opt theorems.Model.
From Calque Require theorems.Convolutions theorems.Lanes theorems.Fma theorems.Statements.
From Calque Require theorems.OpKernel theorems.Lookup theorems.Onnx.
Module OfPattern := theorems.Pattern.
Module OfRewrite := theorems.Rewrite.
Module OfErrata := theorems.Errata.
Module OfOracle := theorems.Oracle.
Module OfTensor := theorems.Tensor.
Module OfUnsound := theorems.Unsound.
Module OfRules := theorems.Rules.
Module OfConvolutions := theorems.Convolutions.
Module OfLanes := theorems.Lanes.
Module OfFma := theorems.Fma.
Module OfStatements := theorems.Statements.
Module OfOpKernel := theorems.OpKernel.
Module OfOnnx := theorems.Onnx.
Module OfLookup := theorems.Lookup.
Module OfOpt := theorems.Opt.
Module OfModel := theorems.Model.

(** ** Threads, and rewriting that ends: the statements are in [theorems] *)

From Calque Require theorems.Threads theorems.Termination.
Module OfThreads := theorems.Threads.
Module OfTermination := theorems.Termination.

(** ** Emission that is checked: the statements are in [theorems] *)

From Calque Require theorems.Cells.
Module OfCells := theorems.Cells.

(** ** Statements and assumptions, for the golden file *)

Check attr_eval_iff.
Check attr_match_iff.
Check attr_eval_deterministic.
Check attr_match_eval_agree.
Check attr_eval_in_range.
Check value_eqb_reflect.
Check number_order.
Check number_finite.
Check erratum_any_in_computation.
Check erratum_am_overlap.
Check erratum_one_based_projection.
Check erratum_var_length.
Check erratum_empty_sum.
Check OfMemo.attr_eval_free_symbols.
Check OfMemo.memo_correct.
Check OfMemo.erratum_free_symbols.
Check OfGraph.graph_wf_iff.
Check OfGraph.graph_wf_acyclic.
Check OfGraph.graph_eval_iff.
Check OfGraph.graph_eval_unique.
Check OfGraph.graph_eval_ancestors.
Check OfGraph.graph_eval_order_irrelevant.
Check OfGraph.graph_eval_simulation.
Check OfKernel.kernel_exec_frame.
Check OfKernel.kernel_eval_subst.
Check OfKernel.kernel_inline_correct.
Check OfKernel.kernel_inline_needs_I3.
Check OfKernel.kernel_inline_needs_I5.
Check OfWf.kernel_wf_sound.
Check OfWf.kernel_wf_reads_inside.
Check OfGradient.normal_form_value.
Check OfGradient.gather_value.
Check OfGradient.step_adjoint.
Check OfGradient.gradient_adjoint.
Check OfGradient.gradient_needed_inputs.
Check OfGradient.gradient_correct.
Check OfGradient.gradient_reads_inside.
Check OfGradient.gradient_example.
Check OfInline.inline_tensor_correct.
Check OfInline.inline_safe.
Check OfInline.reverse_inline_correct.
Check OfInline.erratum_inline_D1.
Check OfInline.nested_inline_correct.
Check OfInline.erratum_inline_D3.
Check OfInline.erratum_inline_D5.
Check OfInline.erratum_inline_D7.
Check OfInline.erratum_inline_D8.
Check OfDual.tangent_dual.
Check OfDual.dual_inverse.
Check OfSwap.erratum_swap_1.
Check OfSwap.erratum_swap_2.
Check OfSwap.erratum_swap_3.
Check OfSwap.erratum_swap_4.
Check OfSwap.erratum_swap_5.
Check OfSwap.erratum_swap_6.
Check OfSwap.erratum_swap_7.
Check OfSwap.erratum_swap_8.
Check OfSwap.erratum_swap_9.
Check OfSwap.erratum_swap_10.
Check OfSwap.erratum_swap_11.
Check OfSwap.erratum_swap_12.
Check OfSwap.erratum_swap_13.
Check OfSwap.erratum_swap_14.
Check OfSwap.erratum_swap_15.
Check OfSwap.erratum_swap_16.
Check OfSwap.erratum_swap_17.
Check OfSwap.gather_18.
Check OfSwap.erratum_swap_19.
Check OfSwap.gather_case8.
Check OfSwap.needed_case1.
Check OfDpia.dpia_infer_sound.
Check OfDpia.dpia_infer_complete.
Check OfDpia.dpia_eval_has_type.
Check OfDpia.dpia_acceptor_correct.
Check OfDpia.dpia_continuation_correct.
Check OfDpia.dpia_footprints.
Check OfDpia.dpia_par_any_order.
Check OfDpia.dpia_any_order.
Check OfDpia.dpia_range_var_sound.
Check OfDpia.dpia_range_interval_sound.
Check OfDpia.dpia_programs_typed.
Check OfDpia.erratum_a9_reverse.
Check OfDpia.erratum_a9_matrix_power.
Check OfDpia.erratum_cga4_out_of_bounds.
Check OfDpia.erratum_cga5_clash.
Check OfDpia.erratum_index_arithmetic.
Check OfDpia.erratum_transpose_temporary.
Check OfDpia.erratum_disjoint_writes.
Check OfDpia.erratum_remove_update.
Check OfTiling.dpia_cut.
Check OfTiling.dpia_merge.
Check OfTiling.dpia_exchange.
Check OfTiling.dpia_rows.
Check OfTiling.dpia_tile.
Check OfTiling.dpia_tile_2.
Check OfTiling.dpia_guard.
Check OfTiling.dpia_guard_max.
Check OfTiling.dpia_guard_sum.
Check OfEmit.emit_codegen_correct.
Check OfEmit.emit_compile_correct.
Check OfEmit.emit_every_size.
Check OfEmit.emit_flat_correct.
Check OfEmit.emit_offset_injective.
Check OfEmit.emit_tidy_correct.
Check OfEmit.emit_printed_correct.
Check OfEmit.emit_program_correct.
Check OfEmit.emit_no_overflow.
Check OfEmit.emit_poly_room.
Check OfEmit.emit_allocation_correct.
Check OfEmit.emit_race_check.
Check OfEmit.emit_memory_correct.
Check OfEmit.emit_compile_correct_binary32.
Check OfEmit.emit_compile_correct_binary64.
Check OfEmit.emit_compile_correct_integers.
Check OfText.erratum_a8.
Check OfText.erratum_a2_overlap.
Check OfText.erratum_c11.
Check OfText.erratum_c12.
Check OfText.erratum_a10.
Check OfText.erratum_cge2.
Check OfText.erratum_cge5.
Check OfText.erratum_cge6.
Check OfText.erratum_cgc2.
Check OfText.erratum_int_declaration.
Check OfText.erratum_idxpred.
Check OfText.erratum_split_dot_operator.
Check OfText.erratum_split_dot_listing.
Check OfText.erratum_operand_order.
Check OfLower.lower_correct.
Check OfLower.lower_typed.
Check OfLower.kernel_compile_correct.
Check OfPattern.match_judgement_iff.
Check OfPattern.match_conditions_iff.
Check OfPattern.match_sound.
Check OfPattern.match_complete.
Check OfPattern.multi_match_sound.
Check OfPattern.multi_match_complete.
Check OfPattern.variadic_sound.
Check OfPattern.variadic_maximal.
Check OfRewrite.build_iff.
Check OfRewrite.convex_acyclic.
Check OfRewrite.rewrite_preserves.
Check OfRewrite.target_built_sound.
Check OfRewrite.rewrite_sound.
Check OfRewrite.rewrite_fix_sound.
Check OfPattern.pattern_order_iff.
Check OfPattern.match_deterministic.
Check OfPattern.path_fwd.
Check OfPattern.path_matched_iff.
Check OfPattern.path_output_new.
Check OfPattern.match_anchored.
Check OfPattern.connected_anchor.
Check OfPattern.bidirectional_complete.
Check OfPattern.bidirectional_variadic.
Check OfPattern.peg_sound.
Check OfPattern.peg_complete.
Check OfRewrite.convex_iff_acyclic.
Check OfRewrite.place_target_iff.
Check OfRewrite.joint_cycle.
Check OfRewrite.check_sound.
Check OfRewrite.check_branches_sound.
Check OfRewrite.check_irrelevant.
Check OfRules.proved_sound.
Check OfRules.proved_in_library.
Check OfRules.opt_correct_exact.
Check OfRules.opt_correct_ring.
Check OfRules.opt_correct_real.
Check OfErrata.erratum_no_state.
Check OfErrata.erratum_rebuild.
Check OfErrata.erratum_succ_corres.
Check OfErrata.erratum_alg2_incomplete.
Check OfErrata.erratum_duplicate_predecessor.
Check OfErrata.erratum_injective.
Check OfErrata.erratum_cycle.
Check OfErrata.erratum_joint_cycle.
Check OfErrata.erratum_variadic_veto.
Check OfErrata.erratum_alt_commits.
Check OfErrata.erratum_inst_environment.
Check OfErrata.erratum_call_attributes.
Check OfErrata.erratum_symbol_outside_template.
Check OfErrata.erratum_committed_outputs.
Check OfErrata.erratum_inputs.
Check OfErrata.erratum_overlap.
Check OfErrata.erratum_variadic_outputs.
Check OfErrata.erratum_instantiate_copies.
Check OfErrata.erratum_instantiate_gap.
Check OfErrata.erratum_instantiate_attributes.
Check OfErrata.erratum_wildcard_leaf.
Check OfErrata.erratum_inst_unreachable.
Check OfErrata.erratum_map_not_restored.
Check OfErrata.erratum_use_unchecked.
Check OfErrata.erratum_push_undefined.
Check OfErrata.erratum_first_candidate.
Check OfErrata.erratum_weak_connectivity.
Check OfErrata.erratum_alg2_successors.
Check OfErrata.erratum_divergence.
Check OfRewrite.identity_removal_valid.
Check OfPattern.match_one_to_one.
Check OfPattern.all_matches_sound.
Check OfOracle.env_full_first.
Check OfOracle.env_full_other.
Check OfOracle.rule_at_sound.
Check OfOracle.box_iff.
Check OfOracle.kernel_exec_int64s.
Check OfOracle.reads_iff.
Check OfOracle.inline_once_correct.
Check OfOracle.reverse_tensor_correct.
Check OfOracle.average_pool_tabled_eq.
Check OfOracle.instance_norm_tabled_eq.
Check OfOracle.digits_log2.
Check OfOracle.shift_pos_power.
Check OfOracle.shr_shifted.
Check OfTensor.tabulate_ext.
Check OfTensor.get_tabulate.
Check OfTensor.tensor_ext.
Check OfTensor.get_recast.
Check OfTensor.infer_sound.
Check OfTensor.infer_complete.
Check OfTensor.op_value_good.
Check OfTensor.conv_formula.
Check OfTensor.matmul_formula.
Check OfTensor.map2_formula.
Check OfTensor.parallel_conv.
Check OfTensor.parallel_matmul.
Check OfTensor.parallel_gemm.
Check OfTensor.binary32_float_laws.
Check OfTensor.binary64_float_laws.
Check OfTensor.float_number_decode.
Check OfTensor.integers_ring.
Check OfTensor.where_binary32.
Check OfTensor.where_binary64.
Check OfTensor.where_int64.
Check OfTensor.binary32_calque_float_laws.
Check OfTensor.binary64_calque_float_laws.
Check OfTensor.exp_ends.
Check OfTensor.tanh_odd.
Check OfTensor.erf_odd.
Check OfUnsound.refutes_rule.
Check OfUnsound.rule_split_concat_variadic_needs_all_parts.
Check OfUnsound.rule_two_conv_add_needs_equal_shapes.
Check OfUnsound.rule_two_conv_add_needs_one_group.
Check OfUnsound.rule_conv_shortcut_add_needs_centred_padding.
Check OfUnsound.rule_conv_shortcut_add_needs_equal_channels.
Check OfUnsound.rule_conv_shortcut_add_needs_odd_kernel.
Check OfUnsound.rule_conv_shortcut_add_needs_unit_strides.
Check OfUnsound.rule_lower_batch_norm_needs_nonnegative_axis.
Check OfUnsound.rule_diamond_conv_add_needs_channels_first.
Check OfUnsound.rule_conv_mul_needs_channels_first.
Check OfUnsound.rule_bias_add_add_needs_equal_rank.
Check OfUnsound.rule_parallel_conv_expand_kernels_needs_equal_parity.
Check OfUnsound.rule_simplify_reshape_needs_shape_without_zero.
Check OfUnsound.rule_simplify_pad_conv_needs_pads_by_side.
Check OfUnsound.rule_reshape_like_needs_whole_shapes.
Check OfUnsound.rule_combine_parallel_conv2d_needs_output_channels.
Check OfUnsound.rule_concat_associative_needs_equal_axis.
Check OfUnsound.rule_concat_associative_split_needs_sizes.
Check OfUnsound.rule_grouped_convolution_needs_equal_groups.
Check OfUnsound.published_rules_unsound.
Check OfUnsound.published_rules_not_sound.
Check OfUnsound.split_needs_sizes.
Check OfOpKernel.op_kernel_names.
Check OfOpKernel.op_kernel_correct.
Check OfOpKernel.op_kernel_exists.
Check OfOpKernel.op_kernel_safe.
Check OfOpKernel.op_kernel_stores_once.
Check OfOpKernel.div_int64.
Check OfOpKernel.div_int32.
Check OfOpKernel.div_words64.
Check OfOpKernel.div_words32_text.
Check OfOpKernel.words_in_32.
Check OfOpKernel.rounded_correct.
Check OfOpKernel.rounded_stays.
Check OfOpKernel.quantised_int8_correct.
Check OfOpKernel.quantised_byte_correct.
Check OfOpKernel.index_value.
Check OfOnnx.composition_infer_sound.
Check OfOnnx.composition_infer_complete.
Check OfOnnx.composition_kernels.
Check OfOnnx.tile_correct.
Check OfOnnx.depth_to_space_correct.
Check OfOnnx.space_to_depth_correct.
Check OfOnnx.trilu_correct.
Check OfOnnx.gather_nd_correct.
Check OfOnnx.scatter_nd_correct.
Check OfOnnx.scatter_elements_correct.
Check OfOnnx.resize_correct.
Check OfOnnx.resize_upsampled.
Check OfOnnx.range_correct.
Check OfOnnx.global_max_pool_correct.
Check OfOnnx.mean_correct.
Check OfOnnx.cast_like_correct.
Check OfOnnx.size_correct.
Check OfOnnx.group_normalization_correct.
Check OfOnnx.mean_variance_correct.
Check OfOnnx.reduce_min_correct.
Check OfOnnx.reduce_sums_correct.
Check OfOnnx.reduce_prod_correct.
Check OfOnnx.reduce_log_sum_exp_correct.
Check OfOnnx.arg_max_correct.
Check OfOnnx.arg_min_correct.
Check OfOnnx.cum_sum_in_order_correct.
Check OfOnnx.hardmax_correct.
Check OfOnnx.cum_sum_correct.
Check OfOnnx.conv_transpose_in_order_correct.
Check OfOnnx.conv_transpose_correct.
Check OfOnnx.rotary_correct.
Check OfOnnx.attention_correct.
Check OfOnnx.lstm_correct.
Check OfOnnx.gru_correct.
Check OfOnnx.rnn_correct.
Check OfOnnx.is_nan_correct.
Check OfOnnx.is_inf_correct.
Check OfOnnx.quantize_linear_correct.
Check OfOnnx.dequantize_linear_correct.
Check OfOnnx.dynamic_quantize_correct.
Check OfOnnx.matmul_integer_correct.
Check OfOnnx.qlinear_matmul_correct.
Check OfOnnx.conv_integer_correct.
Check OfOnnx.qlinear_conv_correct.
Check OfLookup.look_cell_iff.
Check OfLookup.look_outside_iff.
Check OfLookup.look_done_iff.
Check OfLookup.look_done_cells.
Check OfLookup.look_outside_first.
Check OfLookup.look_lines.
Check OfLookup.gather_is_look.
Check OfLookup.gather_outside_is_look.
Check OfLookup.gather_constant_is_look.
Check OfLookup.look_kernel_look.
Check OfOpt.typed_sane.
Check OfOpt.fold_preserves.
Check OfOpt.opt_correct.
Check OfOpt.opt_keeps.
Check OfOpt.opt_correct_mixed.
Check OfOpt.optimise_run.
Check OfOpt.equal_term_outputs.
Check OfOpt.mixed_laws.
Check OfOpt.standard_laws.
Check OfOpt.mixed_reads_f32.
Check OfOpt.mixed_reads_f64.
Check OfOpt.mixed_reads_int64.
Check OfOpt.small_operators.
Check OfOpt.small_correct.
Check OfOpt.scaled_operators.
Check OfOpt.scaled_correct.
Check OfOpt.erratum_fix_premise.
Check OfOpt.erratum_fold_premise.
Check OfModel.emitted_correct.
Check OfModel.function_correct.
Check OfModel.relocate_correct.
Check OfModel.fetch_correct.
Check OfModel.model_correct.
Check OfModel.model_runs.
Check OfModel.opt_then_emit_correct.
Check OfModel.model_instance.
Check OfModel.graph_kernel_correct.
Check OfModel.graph_kernel_inlined.
Check OfModel.graph_kernel_instance.
Check OfModel.fused_correct.
Check OfModel.fused_instance.
Check OfModel.opt_then_emit_instance.
Check OfModel.range_known_sound.
Check OfModel.kernels_accepted.
Check OfThreads.par_interleaving.
Check OfThreads.par_interleaving_printed.
Check OfThreads.par_interleaving_example.
Check OfThreads.par_interleaving_needs_apart.
Check OfTermination.falls_text_right.
Check OfTermination.rewrite_fix_terminates.
Check OfTermination.rules_not_falling.
Check OfTermination.rewrite_fix_terminates_example.
Check OfConvolutions.sum_not_minus_zero_32.
Check OfConvolutions.sum_not_minus_zero_64.
Check OfConvolutions.products_not_minus_zero_32.
Check OfConvolutions.products_not_minus_zero_64.
Check OfConvolutions.sum_up_to_zeros.
Check OfConvolutions.guard_sum_product.
Check OfConvolutions.conv_padded_32.
Check OfConvolutions.conv_padded_64.
Check OfRules.library_proved.
Check OfTermination.full_element_wise_falls.
Check OfTermination.opt_terminates.
Check OfTermination.optimise_terminates.
Check OfTermination.optimise_terminates_example.
Check OfModel.stacked_correct.
Check OfModel.stacked_instance.
Check OfModel.refused_first.
Check OfModel.refused_instance.
Check OfModel.cast_iff.
Check OfModel.cast_instance.
Check OfModel.cast_values.
Check OfModel.fetch_instance.
Check OfModel.fetch_instance_int64.
Check OfCells.cells_correct.
Check OfCells.cell_eq_right.
Check OfCells.validated_correct.
Check OfCells.validated_twice.
Check OfCells.validated_program.
Check OfCells.validated_words.
Check OfCells.repack_correct.
Check OfCells.repack_plain.
Check OfCells.repacked_words.
Check OfCells.repacked_fused.
Check OfCells.repack_with_data.
Check OfCells.packed_data_same.
Check OfCells.packed_program.
Check OfLanes.lanes_value.
Check OfLanes.lanes_same.
Check OfLanes.lanes_whole.
Check OfLanes.op_value_lanes_stored.
Check OfLanes.op_value_lanes_same.
Check OfLanes.graph_lanes_same.
Check OfLanes.fused_lanes_runs.
Check OfLanes.fused_lanes_correct.
Check OfFma.fma_value.
Check OfFma.fma_sum.
Check OfFma.fma_exact.
Check OfFma.exact_in_sums_stores.
Check OfFma.fma_whole.
Check OfFma.fma_same.
Check OfFma.op_value_fma_stored.
Check OfFma.op_value_fma_same.
Check OfFma.graph_fma_same.
Check OfFma.fused_fma_runs.
Check OfFma.fused_fma_correct.
Check OfFma.standard_fma_cells.
Check OfFma.minus_zero_neutral.
Check OfFma.fused_sum_minus_zero.
Check OfFma.guard_fused_sum.
Check OfFma.minus_nought_neutral.
Check OfStatements.emit_statements_correct.
Check OfStatements.emit_statements_in_parts.
Check OfStatements.emit_statements_words.
Check OfStatements.emit_calls_correct.
Check OfStatements.emit_calls_inside.
