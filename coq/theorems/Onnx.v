(** * Headline theorems: ONNX operators that are read as several of ours

    For each of them the file of the same name in coq/onnx has ONNX's formula, onnx_NAME, and the composition that c/onnx/expand*.c
    builds, which tests/onnx/compositions.sh compares, node by node, with what C builds, and the formula's values with those of
    `calque run`.  [composed] is the value of a composition: its operators' values, one after the other. *)

From Coq Require Import List Arith Lia ZArith.
From Coq.Floats Require SpecFloat.
From Calque Require Import base.Lists attr.Attr kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Ops tensor.OpTable tensor.OpKernel model.Operator.
From Calque Require Import onnx.Composition.
From Calque Require tensor.Index tensor.Infer tensor.OpCorrect tensor.Instances tensor.Mixed tensor.Convert onnx.Steps.
From Calque Require onnx.Tile onnx.Range onnx.GlobalMaxPool onnx.DepthToSpace onnx.Resize onnx.ResizePlaces.
From Calque Require onnx.ConvTranspose onnx.ConvTransposeProof onnx.RotaryEmbedding onnx.Attention onnx.ReduceMin.
From Calque Require onnx.ArgMax onnx.CumSum onnx.ScatterND onnx.Trilu onnx.GatherND onnx.Recurrent onnx.LSTM onnx.GRU.
From Calque Require onnx.RNN onnx.Elements onnx.Bytes onnx.QuantizeLinear onnx.DynamicQuantizeLinear onnx.IntegerProducts.
From Calque Require onnx.Requantized onnx.QLinearMatMul onnx.IntegerConv onnx.ConvInteger onnx.QLinearConv.
From Calque Require onnx.ScatteredRows onnx.ScatterElements onnx.ReduceSums onnx.ReduceProd onnx.ReduceLogSumExp onnx.Mean.
From Calque Require onnx.CastLike onnx.GroupNormalization onnx.MeanVarianceNormalization onnx.IsNaN.
Import ListNotations.
Open Scope nat_scope.

(** ** Of all compositions *)

(** The sizes that are inferred, step by step, are those of the values. *)
Theorem composition_infer_sound :
  forall S typed (b : build nat) vs ws r,
    build_value S typed vs b = Some (ws, r) ->
    build_sizes (map (map_value dims) vs) b = Some (map (map_value dims) ws, r).
Proof. intros S typed b vs ws r H. exact (Composition.composition_infer_sound S typed vs b ws r H). Qed.

(** A composition whose sizes are inferred, step by step, has a value; of Gather sizes do not say so. *)
Theorem composition_infer_complete :
  forall S typed (b : build nat) vs ss r,
    Forall Infer.good_value vs ->
    Forall by_sizes (fst (steps (List.length vs) b)) ->
    build_sizes (map (map_value dims) vs) b = Some (ss, r) ->
    exists ws, build_value S typed vs b = Some (ws, r) /\ ss = map (map_value dims) ws.
Proof. intros S typed b vs ss r G B E. exact (Composition.composition_infer_complete S typed vs b ss r G B E). Qed.

(** The kernel of each operator of a composition computes the value that the composition has there, and stays inside of its tensors. *)
Theorem composition_kernels :
  forall S typed (b : build nat) vs ws r j name attrs args ts index p v,
    build_value S typed vs b = Some (ws, r) ->
    nth_error (fst (steps (List.length vs) b)) j = Some (Apply name attrs args) ->
    traverse (nth_error ws) args = Some (map GTensor ts) ->
    Forall good ts ->
    OpCorrect.given S name ts index ->
    nth_error ws (List.length vs + j) = Some v ->
    op_kernel S name attrs (map dims ts) (OpCorrect.result_dims S v) (s_integer S) index = Some p ->
    (match v with
     | GTensor t => forall i, in_box (dims t) i = true -> exec_prog p (given_store ts) (tY 0) i = get (s_zero S) t i
     | GTuple us => forall k t, nth_error us k = Some t ->
         forall i, in_box (dims t) i = true -> exec_prog p (given_store ts) (tY k) i = get (s_zero S) t i
     | GAbsent => False
     end) /\
    forall shapes, (forall k t, nth_error ts k = Some t -> shapes (tX k) = dims t) ->
      (forall s, In s p -> shapes (out s) = Kernel.dims s) ->
      forall s t, In s p -> in_bounds_stmt t (shapes t) s.
Proof.
  intros S typed b vs ws r j name attrs args ts index p v B N T G H V P.
  exact (Composition.composition_kernels S typed vs b ws r B j name attrs args ts index p N T G H v V P).
Qed.

(** ** Cells that are moved *)

(** y[i] = x[i mod the sizes of x]. *)
Theorem tile_correct :
  forall S typed repeats x b,
    good x -> Tile.tile_composition (dims x) repeats = Some b ->
    exists y, composed S typed b [x] = Some y /\ Tile.onnx_tile S repeats x = Some y.
Proof. exact Tile.tile_correct. Qed.

Theorem depth_to_space_correct :
  forall S typed crd k x b,
    good x -> DepthToSpace.depth_to_space_composition crd k (dims x) = Some b ->
    exists y, composed S typed b [x] = Some y /\ DepthToSpace.onnx_depth_to_space S crd k x = Some y.
Proof. exact DepthToSpace.depth_to_space_correct. Qed.

Theorem space_to_depth_correct :
  forall S typed k x b,
    good x -> DepthToSpace.space_to_depth_composition k (dims x) = Some b ->
    exists y, composed S typed b [x] = Some y /\ DepthToSpace.onnx_space_to_depth S k x = Some y.
Proof. exact DepthToSpace.space_to_depth_correct. Qed.

(** The cells above or below a diagonal, others 0: a constant chooses, over numbers of which [where] is a choice (Trilu.v says which). *)
Theorem trilu_correct :
  forall S typed code upper k x b,
    (forall i, in_box (dims x) i = true -> Trilu.chooses S typed code (at_ S x i)) ->
    Trilu.trilu_composition code upper k (dims x) = Some b ->
    exists y, composed S typed b [x] = Some y /\ Trilu.onnx_trilu S (typed code (LInt 0)) upper k x = Some y.
Proof. exact Trilu.trilu_correct. Qed.

(** Numbers of int64 are what indices are. *)
Definition reads_indices (S : arith) (typed : Z -> literal -> num S) : Prop :=
  forall z, (0 <= z < 2 ^ 63)%Z -> s_index S (typed i64_code (LInt z)) = Some z.

Theorem gather_nd_correct :
  forall S typed batch q l x b,
    reads_indices S typed -> good x -> GatherND.gather_nd_composition batch (dims x) q l = Some b ->
    exists y, composed S typed b [x] = Some y /\ GatherND.onnx_gather_nd S batch q l x = Some y.
Proof. intros S typed batch q l x b I. exact (GatherND.gather_nd_correct S typed I batch q l x b). Qed.

(** The updates go to the rows that the constant indices name, one after the other: they replace, or are reduced with what is there. *)
Theorem scatter_nd_correct :
  forall S typed red named batch rows x u b,
    reads_indices S typed -> good x -> good u ->
    ScatterND.scatter_nd_composition red named batch rows (dims x) (dims u) = Some b ->
    exists y, ScatterND.onnx_scatter_nd S red named batch rows x u = Some y /\ composed S typed b [x; u] = Some y.
Proof.
  intros S typed red named batch rows x u b I. apply ScatterND.scatter_nd_correct.
  intros n le. apply I. unfold ScatteredRows.most_rows in le. lia.
Qed.

(** The same of cells. *)
Theorem scatter_elements_correct :
  forall S typed red axis q l x u b,
    reads_indices S typed -> good x -> good u ->
    ScatterElements.scatter_elements_composition red axis q l (dims x) (dims u) = Some b ->
    exists y, ScatterElements.onnx_scatter_elements S red axis q l x u = Some y /\ composed S typed b [x; u] = Some y.
Proof.
  intros S typed red axis q l x u b I. apply ScatterElements.scatter_elements_correct.
  intros n le. apply I. unfold ScatteredRows.most_rows in le. lia.
Qed.

(** Along each axis, places or weighted sums of places. *)
Theorem resize_correct :
  forall S typed type ps b x,
    reads_indices S typed -> good x -> Resize.resize_composition type (dims x) ps = Some b ->
    composed S typed b [x] = Some (Resize.onnx_resize S typed type ps x).
Proof. intros S typed type ps b x I. exact (Resize.resize_correct S typed I type ps b x). Qed.

(** Whole scales, nearest places: y[.., i, ..] = x[.., i / k, ..]. *)
Theorem resize_upsampled :
  forall S typed type c r ks x,
    ResizePlaces.repeats c r = true -> List.length ks = List.length (dims x) -> Forall (fun k => 0 < k) ks ->
    Forall (fun n => 0 < n) (dims x) -> good x ->
    Resize.onnx_resize S typed type (ResizePlaces.whole_plans c r ks (dims x)) x =
    tabulate (ResizePlaces.times ks (dims x)) (fun i => at_ S x (ResizePlaces.quotients ks i)).
Proof. intros S typed type c r ks x R. exact (ResizePlaces.upsampled S typed type c r R ks x). Qed.

(** ** Numbers *)

Theorem range_correct :
  forall code r b,
    Range.range_composition code r = Some b ->
    exists y, composed Range.numbers_of (Steps.typed _) b [] = Some y /\ Range.onnx_range code r = Some y.
Proof. exact Range.range_correct. Qed.

Theorem global_max_pool_correct :
  forall S typed x b,
    GlobalMaxPool.global_max_pool_composition (dims x) = Some b ->
    exists y, composed S typed b [x] = Some y /\ GlobalMaxPool.onnx_global_max_pool S x = Some y.
Proof. exact GlobalMaxPool.global_max_pool_correct. Qed.

Theorem mean_correct :
  forall S typed type x l b,
    good x -> Mean.mean_composition type (dims x) (map dims l) = Some b ->
    exists y, Mean.onnx_mean S (typed type (LInt (Z.of_nat (Datatypes.S (List.length l))))) x l = Some y /\
      composed S typed b (x :: l) = Some y.
Proof. exact Mean.mean_correct. Qed.

Theorem cast_like_correct :
  forall S typed type x y b,
    CastLike.cast_like_composition type = Some b -> composed S typed b [x; y] = Some (CastLike.onnx_cast_like S type x).
Proof. exact CastLike.cast_like_correct. Qed.

Theorem size_correct :
  forall S typed x b,
    CastLike.size_composition (dims x) = Some b ->
    composed S typed b [x] = Some (CastLike.onnx_size S (fun z => typed i64_code (LInt z)) x).
Proof. exact CastLike.size_correct. Qed.

(** Over numbers that are not changed where they are scaled by 1 and shifted by 0. *)
Theorem group_normalization_correct :
  forall S typed late groups epsilon x scale bias b,
    GroupNormalization.neutral S typed -> good x -> good scale -> good bias ->
    GroupNormalization.group_normalization_composition late groups epsilon (dims x) (dims scale) (dims bias) = Some b ->
    exists y, GroupNormalization.onnx_group_normalization S late groups epsilon x scale bias = Some y /\
      composed S typed b [x; scale; bias] = Some y.
Proof.
  intros S typed late groups epsilon x scale bias b law.
  exact (GroupNormalization.group_normalization_correct S typed law late groups epsilon x scale bias b).
Qed.

Theorem mean_variance_correct :
  forall S typed type axes x b,
    good x -> MeanVarianceNormalization.mean_variance_composition type axes (dims x) = Some b ->
    exists y, MeanVarianceNormalization.onnx_mean_variance S (typed type (LReal MeanVarianceNormalization.tiny_bits)) axes x = Some y /\
      composed S typed b [x] = Some y.
Proof. exact MeanVarianceNormalization.mean_variance_correct. Qed.

(** The least cell, where numbers turn round: [float_turned], [double_turned] and [integers_turned] say which do. *)
Theorem reduce_min_correct :
  forall S typed type most cell keep noop axes x b,
    ReduceMin.turned_round S typed type most cell -> good x -> Forall cell (cells x) ->
    ReduceMin.reduce_min_composition type keep noop axes (dims x) = Some b ->
    exists y, ReduceMin.onnx_reduce_min S most keep noop axes x = Some y /\ composed S typed b [x] = Some y.
Proof. exact ReduceMin.reduce_min_correct. Qed.

(** ReduceL1, ReduceL2, ReduceSumSquare, ReduceLogSum. *)
Theorem reduce_sums_correct :
  forall S typed kind type keep noop axes x b,
    good x -> ReduceSums.reduce_sums_composition kind type keep noop axes (dims x) = Some b ->
    exists y, ReduceSums.onnx_reduce_sums S kind keep noop axes x = Some y /\ composed S typed b [x] = Some y.
Proof. exact ReduceSums.reduce_sums_correct. Qed.

Theorem reduce_prod_correct :
  forall S typed keep noop axes x b,
    good x -> ReduceProd.reduce_prod_composition keep noop axes (dims x) = Some b ->
    exists y, ReduceProd.onnx_reduce_prod S keep noop axes x = Some y /\ composed S typed b [x] = Some y.
Proof. exact ReduceProd.reduce_prod_correct. Qed.

(** Over numbers of which one may be taken out of the exponents, as the real ones are. *)
Theorem reduce_log_sum_exp_correct :
  forall S typed type keep noop axes x b,
    ReduceLogSumExp.shifts S -> good x -> ReduceLogSumExp.reduce_log_sum_exp_composition type keep noop axes (dims x) = Some b ->
    exists y, ReduceLogSumExp.onnx_reduce_log_sum_exp S keep noop axes x = Some y /\ composed S typed b [x] = Some y.
Proof.
  intros S typed type keep noop axes x b law. exact (ReduceLogSumExp.reduce_log_sum_exp_correct S typed law type keep noop axes x b).
Qed.

(** The first or last place of a greatest cell, of cells in order: floats that are no NaN, infinities among them, and integers,
    as [ArgMaxTypes.mixed_ordered] has it. *)
Theorem arg_max_correct :
  forall S typed type less cell keep last axis x b,
    ArgMax.counts_places S typed -> ArgMax.ordered S typed less cell ->
    good x -> Forall cell (cells x) -> ArgMax.arg_max_composition type keep last axis (dims x) = Some b ->
    exists y, ArgMax.onnx_arg_max S less (fun k => typed i64_code (LInt k)) keep last axis x = Some y /\
      composed S typed b [x] = Some y.
Proof. exact ArgMax.arg_max_correct. Qed.

(** [turned_cell]: of the cells turned round, bytes in 32 bits ([ArgMaxTypes.mixed_turned]). *)
Theorem arg_min_correct :
  forall S typed type less (cell turned_cell : num S -> Prop) keep last axis x b,
    ArgMax.counts_places S typed -> ArgMax.ordered S typed less turned_cell ->
    (forall a, cell a -> turned_cell (ReduceMin.turn S typed type a)) ->
    (forall a c, cell a -> cell c -> less (ReduceMin.turn S typed type a) (ReduceMin.turn S typed type c) = less c a) ->
    good x -> Forall cell (cells x) -> ArgMax.arg_min_composition type keep last axis (dims x) = Some b ->
    exists y, ArgMax.onnx_arg_min S less (fun k => typed i64_code (LInt k)) keep last axis x = Some y /\
      composed S typed b [x] = Some y.
Proof. exact ArgMax.arg_min_correct. Qed.

(** 1 at the first place of a greatest cell, else 0; [flat]: before opset 13. *)
Theorem hardmax_correct :
  forall S typed type less cell flat axis x b,
    ArgMax.counts_places S typed -> ArgMax.ordered S typed less cell ->
    (forall p q, (0 <= p <= ArgMax.most_places)%Z -> (0 <= q <= ArgMax.most_places)%Z ->
      s_cast S type (s_equal S (ArgMax.number S typed p) (ArgMax.number S typed q)) =
      typed type (LInt (if (p =? q)%Z then 1 else 0))) ->
    good x -> Forall cell (cells x) -> ArgMax.hardmax_composition type flat axis (dims x) = Some b ->
    exists y, ArgMax.onnx_hardmax S less (typed type (LInt 1)) (typed type (LInt 0)) flat axis x = Some y /\
      composed S typed b [x] = Some y.
Proof. exact ArgMax.hardmax_correct. Qed.

(** For all scalars, in the order in which C adds. *)
Theorem cum_sum_in_order_correct :
  forall S typed exclusive reverse axis x b,
    good x -> CumSum.cum_sum_composition exclusive reverse axis (dims x) = Some b ->
    exists y, CumSum.cum_sum_in_order S exclusive reverse axis x = Some y /\ composed S typed b [x] = Some y.
Proof. exact CumSum.cum_sum_in_order_correct. Qed.

(** Over the laws of a ring: ONNX adds one cell after the other, C in another order. *)
Theorem cum_sum_correct :
  forall S typed exclusive reverse axis x b,
    ring_laws S -> good x -> CumSum.cum_sum_composition exclusive reverse axis (dims x) = Some b ->
    exists y, CumSum.onnx_cum_sum S exclusive reverse axis x = Some y /\ composed S typed b [x] = Some y.
Proof. intros S typed exclusive reverse axis x b laws. exact (CumSum.cum_sum_correct S laws typed exclusive reverse axis x b). Qed.

(** For all scalars, in the order in which the Conv adds. *)
Theorem conv_transpose_in_order_correct :
  forall S typed group l x w b program,
    reads_indices S typed -> good x -> good w -> match b with Some b => good b | None => True end ->
    ConvTranspose.conv_transpose_composition group l (dims x) (dims w) (option_map dims b) = Some program ->
    exists y, ConvTransposeProof.conv_transpose_in_order S group l x w b = Some y /\
      composed S typed program (x :: w :: match b with Some b => [b] | None => [] end) = Some y.
Proof.
  intros S typed group l x w b program I. exact (ConvTransposeProof.conv_transpose_in_order_correct S typed I group l x w b program).
Qed.

(** Over the laws of a ring: ONNX adds in another order, and without the terms that are 0. *)
Theorem conv_transpose_correct :
  forall S typed group l x w b program,
    reads_indices S typed -> ring_laws S -> good x -> good w -> match b with Some b => good b | None => True end ->
    ConvTranspose.conv_transpose_composition group l (dims x) (dims w) (option_map dims b) = Some program ->
    exists y, ConvTranspose.onnx_conv_transpose S group l x w b = Some y /\
      composed S typed program (x :: w :: match b with Some b => [b] | None => [] end) = Some y.
Proof.
  intros S typed group l x w b program I laws. exact (ConvTransposeProof.conv_transpose_correct S typed I laws group l x w b program).
Qed.

(** ** Attention *)

Theorem rotary_correct :
  forall S typed interleaved heads size x cos sin ids b,
    RotaryEmbedding.rotary_composition interleaved heads size (dims x) (dims cos) (dims sin) (option_map dims ids) = Some b ->
    good x -> good cos -> good sin ->
    RotaryEmbedding.ids_in S (nth 0 (dims cos) 0) ids = true -> RotaryEmbedding.ids_in S (nth 0 (dims sin) 0) ids = true ->
    exists y, RotaryEmbedding.onnx_rotary S interleaved heads size x cos sin ids = Some y /\
      composed S typed b ([x; cos; sin] ++ match ids with Some p => [p] | None => [] end) = Some y.
Proof. exact RotaryEmbedding.rotary_correct. Qed.

Theorem attention_correct :
  forall S typed p q k v mask past b,
    Attention.attention_composition p (dims q) (dims k) (dims v) (option_map dims mask) (Attention.past_sizes S past) = Some b ->
    good q -> good k -> good v -> Attention.all_good S mask past ->
    exists ys, Attention.onnx_attention S typed p q k v mask past = Some ys /\
      composed_all S typed b (Attention.attention_inputs S q k v mask past) = Some ys.
Proof. exact Attention.attention_correct. Qed.

(** ** Recurrent operators: the formula is a recurrence, the composition its steps *)

Theorem lstm_correct :
  forall S typed type d first x w r b h c q program,
    Forall good (x :: w :: r :: Recurrent.present [b; h; c; q]) ->
    LSTM.lstm_composition type d first (dims x) (dims w) (dims r) (option_map dims b) (option_map dims h) (option_map dims c)
      (option_map dims q) = Some program ->
    exists ys, LSTM.onnx_lstm S (typed type (LInt 0)) d first x w r b h c q = Some ys /\
      composed_all S typed program (x :: w :: r :: Recurrent.present [b; h; c; q]) = Some ys.
Proof. exact LSTM.lstm_correct. Qed.

Theorem gru_correct :
  forall S typed type late d first x w r b h program,
    Forall good (x :: w :: r :: Recurrent.present [b; h]) ->
    GRU.gru_composition type late d first (dims x) (dims w) (dims r) (option_map dims b) (option_map dims h) = Some program ->
    exists ys, GRU.onnx_gru S (typed type (LInt 0)) (typed type (LInt 1)) late d first x w r b h = Some ys /\
      composed_all S typed program (x :: w :: r :: Recurrent.present [b; h]) = Some ys.
Proof. exact GRU.gru_correct. Qed.

Theorem rnn_correct :
  forall S typed type d first x w r b h program,
    Forall good (x :: w :: r :: Recurrent.present [b; h]) ->
    RNN.rnn_composition type d first (dims x) (dims w) (dims r) (option_map dims b) (option_map dims h) = Some program ->
    exists ys, RNN.onnx_rnn S (typed type (LInt 0)) d first x w r b h = Some ys /\
      composed_all S typed program (x :: w :: r :: Recurrent.present [b; h]) = Some ys.
Proof. exact RNN.rnn_correct. Qed.

(** ** Quantised operators, whose formulas are of integers

    Over numbers of all element types: [of_cells] makes a tensor of one of them. *)

Notation valid_zero signed zero :=
  (match zero with Some t => good t /\ Forall (Bytes.in_range signed) (cells t) | None => True end).
Notation valid32 := (Forall (fun x => SpecFloat.valid_binary 24 128 x = true)).

(** Of binary32, or binary64 ([double]); [truths]: the cells of a comparison as truth values. *)
Theorem is_nan_correct :
  forall double x,
    good x ->
    exists y, composed (Mixed.mixed Mixed.standard) (Steps.typed _) IsNaN.is_nan_composition
        [Elements.of_cells (IsNaN.float_cell double) x] = Some y /\
      IsNaN.truths y = (dims x, map Some (cells (IsNaN.onnx_is_nan x))).
Proof. exact IsNaN.is_nan_correct. Qed.

Theorem is_inf_correct :
  forall double below above x b,
    good x -> Forall (IsNaN.valid_float double) (cells x) -> IsNaN.is_inf_composition double below above = Some b ->
    exists y, composed (Mixed.mixed Mixed.standard) (Steps.typed _) b [Elements.of_cells (IsNaN.float_cell double) x] = Some y /\
      IsNaN.truths y = (dims x, map Some (cells (IsNaN.onnx_is_inf below above x))).
Proof. exact IsNaN.is_inf_correct. Qed.

(** saturate (nearest integer of x / scale, the even one of two, + zero point). *)
Theorem quantize_linear_correct :
  forall signed axis x scale zero known b,
    QuantizeLinear.quantize_composition signed axis (dims x) (dims scale) (Bytes.zero_input known zero) = Some b ->
    good x -> good scale -> valid32 (cells x) -> valid32 (cells scale) -> valid_zero signed zero ->
    exists y, QuantizeLinear.onnx_quantize_linear signed axis x scale zero = Some y /\
      composed (Mixed.mixed Mixed.standard) (Steps.typed _) b
        (Elements.of_cells Convert.F32 x :: Elements.of_cells Convert.F32 scale :: QuantizeLinear.zero_value (Bytes.byte signed) zero) =
      Some (Elements.of_cells (Bytes.byte signed) y).
Proof. exact QuantizeLinear.quantize_linear_correct. Qed.

(** (x - zero point) * scale: the difference is exact. *)
Theorem dequantize_linear_correct :
  forall signed axis x scale zero known b,
    QuantizeLinear.dequantize_composition axis (dims x) (dims scale) (Bytes.zero_input known zero) = Some b ->
    good x -> good scale -> Forall (Bytes.in_range signed) (cells x) -> valid_zero signed zero ->
    exists y, QuantizeLinear.onnx_dequantize_linear axis x scale zero = Some y /\
      composed (Mixed.mixed Mixed.standard) (Steps.typed _) b
        (Elements.of_cells (Bytes.byte signed) x :: Elements.of_cells Convert.F32 scale :: QuantizeLinear.zero_value (Bytes.byte signed) zero) =
      Some (Elements.of_cells Convert.F32 y).
Proof. exact QuantizeLinear.dequantize_linear_correct. Qed.

(** The scale and the zero point follow from the greatest and the least cell; every float is covered. *)
Theorem dynamic_quantize_correct :
  forall x b,
    DynamicQuantizeLinear.dynamic_quantize_composition (dims x) = Some b -> good x -> valid32 (cells x) ->
    exists y scale zero, DynamicQuantizeLinear.onnx_dynamic_quantize x = Some (y, scale, zero) /\
      composed_all (Mixed.mixed Mixed.standard) (Steps.typed _) b [Elements.of_cells Convert.F32 x] =
      Some [Elements.of_cells Convert.U8 y; Elements.of_cells Convert.F32 (Tensor [] [scale]);
            Elements.of_cells Convert.U8 (Tensor [] [zero])].
Proof. exact DynamicQuantizeLinear.dynamic_quantize_correct. Qed.

(** The product of the integers, computed in floats that hold every sum. *)
Theorem matmul_integer_correct :
  forall signed signed_b a b za zb known_za known_b known_zb c,
    IntegerProducts.matmul_integer_composition signed signed_b (dims a) (Bytes.zero_input known_za za)
      (IntegerProducts.factor_input known_b b) (Bytes.zero_input known_zb zb) = Some c ->
    good a -> good b -> Forall (Bytes.in_range signed) (cells a) -> Forall (Bytes.in_range signed_b) (cells b) ->
    valid_zero signed za -> valid_zero signed_b zb ->
    exists y, IntegerProducts.onnx_matmul_integer a b za zb = Some y /\
      composed (Mixed.mixed Mixed.standard) (Steps.typed _) c
        (Elements.of_cells (Bytes.byte signed) a :: Elements.of_cells (Bytes.byte signed_b) b ::
         QuantizeLinear.zero_value (Bytes.byte signed) za ++ QuantizeLinear.zero_value (Bytes.byte signed_b) zb) =
      Some (Elements.of_cells Convert.I32 y).
Proof. exact IntegerProducts.matmul_integer_correct. Qed.

Notation good_scale t := (good t /\ valid32 (cells t)).

(** The product of the integers, then saturate(round(product * ((a_scale * b_scale) / y_scale)) + y_zero_point). *)
Theorem qlinear_matmul_correct :
  forall signed signed_b signed_y a za b zb zy sa sb sy known_sa known_za known_b known_sb known_zb known_sy known_zy c,
    QLinearMatMul.qlinear_matmul_composition signed signed_b signed_y (dims a)
      (Requantized.scale_input known_sa sa) (Bytes.zero_input known_za (Some za)) (IntegerProducts.factor_input known_b b)
      (Requantized.scale_input known_sb sb) (Bytes.zero_input known_zb (Some zb)) (Requantized.scale_input known_sy sy)
      (Bytes.zero_input known_zy (Some zy)) = Some c ->
    good a -> good b -> Forall (Bytes.in_range signed) (cells a) -> Forall (Bytes.in_range signed_b) (cells b) ->
    valid_zero signed (Some za) -> valid_zero signed_b (Some zb) -> valid_zero signed_y (Some zy) ->
    good_scale sa -> good_scale sb -> good_scale sy ->
    exists y, QLinearMatMul.onnx_qlinear_matmul signed_y a sa za b sb zb sy zy = Some y /\
      composed (Mixed.mixed Mixed.standard) (Steps.typed _) c
        [Elements.of_cells (Bytes.byte signed) a; Elements.of_cells Convert.F32 sa; Elements.of_cells (Bytes.byte signed) za;
         Elements.of_cells (Bytes.byte signed_b) b; Elements.of_cells Convert.F32 sb; Elements.of_cells (Bytes.byte signed_b) zb;
         Elements.of_cells Convert.F32 sy; Elements.of_cells (Bytes.byte signed_y) zy] =
      Some (Elements.of_cells (Bytes.byte signed_y) y).
Proof. exact QLinearMatMul.qlinear_matmul_correct. Qed.

Notation good_bytes signed t := (good t /\ Forall (Bytes.in_range signed) (cells t)).

(** The convolution of the integers less their zero points, computed in floats that hold every sum. *)
Theorem conv_integer_correct :
  forall signed signed_w win group x w zx zw known_zx known_w known_zw b,
    ConvInteger.conv_integer_composition signed signed_w win group (dims x) (Bytes.zero_input known_zx zx)
      (IntegerProducts.factor_input known_w w) (Bytes.zero_input known_zw zw) = Some b ->
    good_bytes signed x -> good_bytes signed_w w -> valid_zero signed zx -> valid_zero signed_w zw ->
    exists y, ConvInteger.onnx_conv_integer win group x w zx zw = Some y /\
      composed (Mixed.mixed Mixed.standard) (Steps.typed _) b
        (Elements.of_cells (Bytes.byte signed) x :: Elements.of_cells (Bytes.byte signed_w) w ::
         QuantizeLinear.zero_value (Bytes.byte signed) zx ++ QuantizeLinear.zero_value (Bytes.byte signed_w) zw) =
      Some (Elements.of_cells Convert.I32 y).
Proof. exact ConvInteger.conv_integer_correct. Qed.

(** That convolution with a bias, then saturate(round(sum * ((x_scale * w_scale) / y_scale)) + y_zero_point). *)
Theorem qlinear_conv_correct :
  forall signed signed_w signed_y win group x zx w zw zy sx sw sy bias
    known_sx known_zx known_w known_sw known_zw known_sy known_zy known_b c,
    QLinearConv.qlinear_conv_composition signed signed_w signed_y win group (dims x)
      (Requantized.scale_input known_sx sx) (Bytes.zero_input known_zx (Some zx)) (IntegerProducts.factor_input known_w w)
      (Requantized.scale_input known_sw sw) (Bytes.zero_input known_zw (Some zw)) (Requantized.scale_input known_sy sy)
      (Bytes.zero_input known_zy (Some zy)) (option_map (IntegerProducts.factor_input known_b) bias) = Some c ->
    good_bytes signed x -> good_bytes signed zx -> good_bytes signed_w w -> good_bytes signed_w zw -> good_bytes signed_y zy ->
    good_scale sx -> good_scale sw -> good_scale sy ->
    match bias with Some t => good t /\ Forall (fun z => - 2 ^ 31 <= z < 2 ^ 31)%Z (cells t) | None => True end ->
    exists y, QLinearConv.onnx_qlinear_conv signed_y win group x sx zx w sw zw sy zy bias = Some y /\
      composed (Mixed.mixed Mixed.standard) (Steps.typed _) c
        ([Elements.of_cells (Bytes.byte signed) x; Elements.of_cells Convert.F32 sx; Elements.of_cells (Bytes.byte signed) zx;
          Elements.of_cells (Bytes.byte signed_w) w; Elements.of_cells Convert.F32 sw; Elements.of_cells (Bytes.byte signed_w) zw;
          Elements.of_cells Convert.F32 sy; Elements.of_cells (Bytes.byte signed_y) zy] ++ QLinearConv.bias_value bias) =
      Some (Elements.of_cells (Bytes.byte signed_y) y).
Proof. exact QLinearConv.qlinear_conv_correct. Qed.
