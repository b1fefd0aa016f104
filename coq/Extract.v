(** * Extraction of the oracle

    Stock libraries, and some constants (below): [Z], [N] and [nat] become arbitrary precision integers of
    zarith, never machine integers (int64 is a range check of the semantics, not
    an accident of the target); Coq strings become OCaml strings, byte for byte.
    Extraction writes into the current directory: compile this file from the
    build directory. *)

From Coq Require Extraction PeanoNat.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString ExtrOcamlZBigInt ExtrOcamlNatBigInt.
From Calque Require Import attr.Attr.
From Calque Require pattern.Pattern pattern.Match rewrite.Rewrite rewrite.Check rewrite.Proved kernel.Kernel kernel.Wf.
From Calque Require kernel.Lookup kernel.Inline kernel.Reverse kernel.Numbers kernel.GradientProgram kernel.GradientNumbers.
From Calque Require dpia.Syntax dpia.Typing dpia.Range dpia.Values dpia.Target dpia.Trans dpia.Scalars tensor.Shifts.
From Calque Require tensor.Tabled tensor.OpKernel tensor.OpTable tensor.Scalars tensor.Instances tensor.Mixed.
From Calque Require tensor.Functions rewrite.GraphEval rewrite.Typed rewrite.OptCorrect emit.MiniC emit.Codegen emit.Flat.
From Calque Require emit.Memory emit.Whole emit.Machine rewrite.SoundModel model.Unit model.Compile model.GraphKernel.
From Calque Require tensor.OpLanes rewrite.GraphLanes tensor.OpFma tensor.Fma rewrite.GraphFma model.Fused model.Plan model.Refused kernel.ValidateWords.
From Calque Require emit.StatementsWords emit.Calls kernel.RepackWords onnx.Composition onnx.Steps onnx.Tile.
From Calque Require onnx.Range onnx.GlobalMaxPool onnx.DepthToSpace onnx.Trilu onnx.GatherND onnx.Resize onnx.ResizePlaces.
From Calque Require onnx.ConvTranspose onnx.RotaryEmbedding onnx.Attention onnx.ReduceMin onnx.ArgMax onnx.CumSum.
From Calque Require onnx.ScatterND onnx.LSTM onnx.GRU onnx.RNN onnx.Elements onnx.Bytes onnx.QuantizeLinear.
From Calque Require onnx.IntegerProducts onnx.DynamicQuantizeLinear onnx.ConvTransposeProof onnx.Requantized.
From Calque Require onnx.QLinearMatMul onnx.ConvInteger onnx.QLinearConv onnx.ScatterElements onnx.ReduceSums.
From Calque Require onnx.ReduceProd onnx.ReduceLogSumExp onnx.Mean onnx.CastLike onnx.GroupNormalization onnx.IsNaN.
From Calque Require onnx.MeanVarianceNormalization.

(** Functions of [nat], [N], [positive] and [Z] that count in steps or bit by bit, as zarith has them.
    The four are one type of integers here, which conversions leave as they are: sizes, offsets
    and powers of two are large. *)
Extract Constant PeanoNat.Nat.add => "Big_int_Z.add_big_int".
Extract Constant PeanoNat.Nat.mul => "Big_int_Z.mult_big_int".
Extract Constant PeanoNat.Nat.sub => "Fast.minus".
Extract Constant PeanoNat.Nat.max => "Big_int_Z.max_big_int".
Extract Constant PeanoNat.Nat.min => "Big_int_Z.min_big_int".
Extract Constant PeanoNat.Nat.div => "Fast.quotient".
Extract Constant PeanoNat.Nat.modulo => "Fast.remainder".
Extract Constant BinPos.Pos.eqb => "Big_int_Z.eq_big_int".
Extract Constant BinNat.N.eqb => "Big_int_Z.eq_big_int".
Extract Constant BinNat.N.leb => "Big_int_Z.le_big_int".
Extract Constant BinInt.Z.leb => "Big_int_Z.le_big_int".
Extract Constant BinInt.Z.ltb => "Big_int_Z.lt_big_int".
Extract Constant BinInt.Z.pow => "Fast.power".
Extract Constant BinInt.Z.sqrtrem => "Fast.root".
Extract Constant BinInt.Z.of_nat => "(fun n -> n)".
Extract Constant BinInt.Z.to_nat => "(fun z -> if Big_int_Z.sign_big_int z < 0 then Big_int_Z.zero_big_int else z)".
Extract Constant BinNat.N.of_nat => "(fun n -> n)".
Extract Constant BinNat.N.to_nat => "(fun n -> n)".

Extraction "extracted.ml"
  in_int64 value_in_range value_eqb unary_names binary_names reduction_names func_names
  env_full eval amatch
  Graph.wfb Pattern.orderedb Match.commutative Match.all_matches Rewrite.rewrite_fix Check.rule_check Proved.proved_rules
  Kernel.box Numbers.int64s Numbers.kernel_exec Lookup.kernel_look Inline.inline_once Inline.inline_tensor Inline.reads Reverse.reverse_tensor
  Wf.wf_stmt GradientProgram.gradient GradientNumbers.binary64_field GradientNumbers.integer_field.

(** In a file of its own, so that its names do not depend on the others'. *)
Set Warnings "-extraction-opaque-accessed".
Extraction "extracted_dpia.ml"
  Range.symbols Range.symbol Range.poly_plus Range.poly_lift Range.poly_val
  Range.range_var Range.range_interval Whole.checked Whole.meaning Whole.all_set
  Whole.translate_all Whole.emitted Flat.kcells Flat.cells Memory.mrun Memory.maps
  Scalars.binary32 Scalars.binary64 Scalars.integers Scalars.machine Scalars.words.

Extraction "extracted_validate.ml" ValidateWords.nothing ValidateWords.neutral_words ValidateWords.neutral_fused ValidateWords.validate_words
  RepackWords.nothing_absorbing RepackWords.repack_words RepackWords.nothing_exact RepackWords.repack_fused Repack.data_same.

Extraction "extracted_statements.ml" ValidateWords.nothing StatementsWords.statements_words.

Extraction "extracted_calls.ml" Calls.calls_hold.

Extraction "extracted_op.ml" OpKernel.op_kernel OpLanes.op_lanes OpFma.op_fma OpFma.formal_scalars OpTable.no_numbers Scalars.kernel_scalars
  Wf.wf_stmt.

(** Mantissas are shifted as a whole. [tensor/Shifts.v] proves that these are the functions of [SpecFloat]: [digits_log2],
    [shr_shifted], [shift_pos_power]. *)
Extract Constant SpecFloat.digits2_pos => "Fast.digits".
Extract Constant SpecFloat.shr => "(fun r e n ->
  if Big_int_Z.sign_big_int n <= 0 then (r, e) else
  let (m, half, rest) = Fast.shifted r.shr_m n in
  ({ shr_m = m; shr_r = half; shr_s = rest || r.shr_r || r.shr_s }, Big_int_Z.add_big_int e n))".
Extract Constant Zpower.shift_pos => "Fast.shift_left".

(** Cells of tensors are lists: one is found in an array of the same, a long one does not take as much stack, and a box
    that was listed lately is not listed again. *)
Extract Constant List.nth => "Fast.nth".
Extract Constant List.length => "Fast.length".
Extract Constant List.map => "Fast.map".
Extract Constant Kernel.box => "Fast.box".

(** Cells that share work: the functions of [tensor/Tabled.v], which proves that they are the same. Both files are extracted
    from the same types, so that values go from one to the other as they are. *)
Extraction "extracted_tabled.ml" Tabled.average_pool_tabled Tabled.instance_norm_tabled.
Extract Constant OpsWindow.average_pool => "(Obj.magic Extracted_tabled.average_pool_tabled)".
Extract Constant OpsNorm.instance_norm => "(Obj.magic Extracted_tabled.instance_norm_tabled)".
Extraction "extracted_value.ml"
  OpTable.op_value OpTable.op_infer Instances.int64 Instances.binary32 Instances.binary64
  Functions.binary32_calque Functions.binary64_calque
  GraphEval.graph_eval OptCorrect.ready Typed.typed Typed.inputs_fit Typed.constants_fit Typed.open_gathers
  Mixed.mixed Mixed.standard.

(** The meaning of a graph whose sums are in lanes, or fused, which runs kernels. The same types again, in a file of its own, as
    kernels have names for their parts that tensors have, too. *)
Extraction "extracted_lanes.ml" GraphLanes.graph_eval_lanes GraphFma.graph_eval_fma Fma.standard_fma.

(** Whole models: the compilers to units, their run in 64-bit indices, and its test. *)
Extraction "extracted_model.ml" Compile.compile Plan.compile_stacked Fused.compile_fused GraphKernel.graph_kernel
  Unit.run_unit Machine.fits Machine.frun64
  Refused.refused Refused.reason_of Function.stored Compile.manner_of SoundModel.const_value OpKernel.op_kernel Mixed.mixed Mixed.standard Instances.int64.

(** Compositions of ONNX's operators, and the formulas that they compute. *)
Extraction "extracted_onnx.ml" Composition.steps Composition.bind Steps.typed Mixed.mixed Mixed.standard
  Tile.tile_composition Tile.onnx_tile
  Range.range_composition Range.onnx_range
  GlobalMaxPool.global_max_pool_composition GlobalMaxPool.onnx_global_max_pool
  DepthToSpace.depth_to_space_composition DepthToSpace.onnx_depth_to_space
  DepthToSpace.space_to_depth_composition DepthToSpace.onnx_space_to_depth
  Trilu.trilu_composition Trilu.onnx_trilu
  GatherND.gather_nd_composition GatherND.onnx_gather_nd
  Resize.resize_composition Resize.onnx_resize ResizePlaces.nearest_plans
  ConvTranspose.conv_transpose_composition ConvTranspose.onnx_conv_transpose ConvTranspose.sized ConvTranspose.same_size
  ConvTransposeProof.conv_transpose_in_order
  RotaryEmbedding.rotary_composition RotaryEmbedding.onnx_rotary
  Attention.attention_composition Attention.onnx_attention
  ReduceMin.reduce_min_composition ReduceMin.onnx_reduce_min
  ArgMax.arg_max_composition ArgMax.onnx_arg_max ArgMax.arg_min_composition ArgMax.onnx_arg_min
  CumSum.cum_sum_composition CumSum.onnx_cum_sum CumSum.cum_sum_in_order
  ScatterND.scatter_nd_composition ScatterND.onnx_scatter_nd
  ArgMax.hardmax_composition ArgMax.onnx_hardmax
  ReduceSums.reduce_sums_composition ReduceSums.onnx_reduce_sums ReduceProd.reduce_prod_composition ReduceProd.onnx_reduce_prod
  ReduceLogSumExp.reduce_log_sum_exp_composition ReduceLogSumExp.onnx_reduce_log_sum_exp
  Mean.mean_composition Mean.onnx_mean CastLike.cast_like_composition CastLike.onnx_cast_like
  CastLike.size_composition CastLike.onnx_size
  GroupNormalization.group_normalization_composition GroupNormalization.onnx_group_normalization
  MeanVarianceNormalization.mean_variance_composition MeanVarianceNormalization.onnx_mean_variance
  MeanVarianceNormalization.tiny_bits
  IsNaN.is_nan_composition IsNaN.onnx_is_nan IsNaN.is_inf_composition IsNaN.onnx_is_inf IsNaN.float_of
  ScatterElements.scatter_elements_composition ScatterElements.onnx_scatter_elements
  LSTM.lstm_composition LSTM.onnx_lstm GRU.gru_composition GRU.onnx_gru RNN.rnn_composition RNN.onnx_rnn
  Elements.each Elements.of_cells Elements.real_of Elements.integer_of Bytes.byte Bytes.zero_input
  QuantizeLinear.quantize_composition QuantizeLinear.onnx_quantize_linear
  QuantizeLinear.dequantize_composition QuantizeLinear.onnx_dequantize_linear
  DynamicQuantizeLinear.dynamic_quantize_composition DynamicQuantizeLinear.onnx_dynamic_quantize
  IntegerProducts.factor_input IntegerProducts.matmul_integer_composition IntegerProducts.onnx_matmul_integer
  Requantized.scale_input QLinearMatMul.qlinear_matmul_composition QLinearMatMul.onnx_qlinear_matmul
  ConvInteger.conv_integer_composition ConvInteger.onnx_conv_integer
  QLinearConv.qlinear_conv_composition QLinearConv.onnx_qlinear_conv.
