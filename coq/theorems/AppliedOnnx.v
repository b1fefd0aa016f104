(** * Instances: the premises of the headline theorems about compositions hold together

    [NAME_applies] is the theorem [OfOnnx.NAME] at small tensors, over the integers; the examples of coq/onnx have the values. *)

From Coq Require Import Bool List Lia Arith String ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.Instances.
From Calque Require Import model.Operator onnx.Composition.
From Calque Require tensor.OpCorrect onnx.Tile onnx.Range onnx.GlobalMaxPool onnx.DepthToSpace onnx.Resize.
From Calque Require onnx.ResizePlaces onnx.ConvTranspose onnx.RotaryEmbedding onnx.Attention onnx.ReduceMin onnx.ArgMax.
From Calque Require onnx.ArgMaxTypes onnx.CumSum onnx.ScatterND onnx.ScatteredRows onnx.ScatterElements onnx.ReduceSums.
From Calque Require onnx.ReduceProd onnx.Mean onnx.CastLike onnx.GroupNormalization onnx.MeanVarianceNormalization.
From Calque Require onnx.IsNaN onnx.Trilu onnx.GatherND onnx.Recurrent onnx.LSTM onnx.GRU onnx.RNN onnx.Elements onnx.Bytes.
From Calque Require onnx.QuantizeLinear onnx.DynamicQuantizeLinear onnx.IntegerProducts theorems.Onnx onnx.Requantized.
From Calque Require onnx.QLinearMatMul onnx.IntegerConv onnx.ConvInteger onnx.QLinearConv tensor.Mixed onnx.Steps.
Module OfOnnx := theorems.Onnx.
Import ListNotations.
Open Scope nat_scope.

Definition plain (type : Z) (c : literal) : num integers := literal_value integers c.
Definition steps_of (o : option (build nat)) : build nat := match o with Some b => b | None => Return 0 end.
Definition all_steps_of (o : option (build (list nat))) : build (list nat) := match o with Some b => b | None => Return [] end.
Definition counted (ds : sizes) (n : Z) : tensor (num integers) :=
  Tensor ds (map (fun i => ((Z.of_nat i * 7 + n) mod 5 - 2)%Z) (seq 0 (cell_count ds))).

Lemma plain_indices : OfOnnx.reads_indices integers plain.
Proof. intros z _. reflexivity. Qed.

Lemma counted_good ds n : good (counted ds n).
Proof. unfold good, counted. cbn [cells dims]. now rewrite map_length, seq_length. Qed.

(** ** Tile: [2, 3] twice along both *)

Definition tiled := Eval vm_compute in steps_of (Tile.tile_composition [2; 3] [2; 2]).

Definition tile_correct_applies :=
  OfOnnx.tile_correct integers plain [2; 2] (counted [2; 3] 0) tiled (counted_good _ _) eq_refl.

Definition tiled_values := Eval vm_compute in build_value integers plain [GTensor (counted [2; 3] 0)] tiled.
Definition values_of (o : option (list (gvalue (tensor (num integers))) * nat)) := match o with Some (ws, _) => ws | None => [] end.
Definition result_of (o : option (list (gvalue (tensor (num integers))) * nat)) := match o with Some (_, r) => r | None => 0 end.

Definition tiled_list := Eval vm_compute in values_of tiled_values.
Definition tiled_result := Eval vm_compute in result_of tiled_values.

Definition composition_infer_sound_applies :=
  OfOnnx.composition_infer_sound integers plain tiled [GTensor (counted [2; 3] 0)] tiled_list tiled_result
    ltac:(vm_compute; reflexivity).

Definition composition_infer_complete_applies :=
  OfOnnx.composition_infer_complete integers plain tiled [GTensor (counted [2; 3] 0)] (map (map_value dims) tiled_list)
    tiled_result ltac:(constructor; [apply counted_good | constructor])
    ltac:(vm_compute; repeat constructor; intros E; discriminate E) ltac:(vm_compute; reflexivity).

(** Its first step, a Reshape. *)
Definition first_name := Eval vm_compute in match fst (steps 1 tiled) with Apply name _ _ :: _ => name | _ => EmptyString end.
Definition first_attrs := Eval vm_compute in match fst (steps 1 tiled) with Apply _ attrs _ :: _ => attrs | _ => [] end.
Definition first_value := Eval vm_compute in match tiled_list with _ :: v :: _ => v | _ => GAbsent end.
Definition first_kernel := match op_kernel integers first_name first_attrs [[2; 3]] (OpCorrect.result_dims integers first_value) true []
  with Some p => p | None => [] end.

Definition composition_kernels_applies :=
  OfOnnx.composition_kernels integers plain tiled [GTensor (counted [2; 3] 0)] tiled_list tiled_result 0
    first_name first_attrs [0] [counted [2; 3] 0] [] first_kernel first_value
    ltac:(vm_compute; reflexivity) ltac:(vm_compute; reflexivity) ltac:(vm_compute; reflexivity)
    ltac:(constructor; [apply counted_good | constructor]) ltac:(intros E; discriminate E) ltac:(vm_compute; reflexivity)
    ltac:(reflexivity).

(** ** Cells that are moved *)

Definition depth_to_space_correct_applies :=
  OfOnnx.depth_to_space_correct integers plain true 2 (counted [1; 8; 1; 2] 0)
    (steps_of (DepthToSpace.depth_to_space_composition true 2 [1; 8; 1; 2])) (counted_good _ _) eq_refl.

Definition space_to_depth_correct_applies :=
  OfOnnx.space_to_depth_correct integers plain 2 (counted [1; 2; 2; 4] 0)
    (steps_of (DepthToSpace.space_to_depth_composition 2 [1; 2; 2; 4])) (counted_good _ _) eq_refl.

Definition trilu_correct_applies :=
  OfOnnx.trilu_correct integers plain i64_code true 1%Z (counted [1; 2; 3] 0) (steps_of (Trilu.trilu_composition i64_code true 1 [1; 2; 3]))
    ltac:(intros i _; split; cbn; [destruct (Ops.at_ integers _ i); reflexivity | reflexivity]) eq_refl.

Definition gather_nd_correct_applies :=
  OfOnnx.gather_nd_correct integers plain 1 [2; 2; 1] [0; -1; 1; 0]%Z (counted [2; 3; 2] 0)
    (steps_of (GatherND.gather_nd_composition 1 [2; 3; 2] [2; 2; 1] [0; -1; 1; 0]%Z)) plain_indices (counted_good _ _) eq_refl.

Definition scatter_nd_correct_applies :=
  OfOnnx.scatter_nd_correct integers plain ScatteredRows.ByAdd 1 [3] [[2]; [0]; [-1]]%Z (counted [3; 2] 0) (counted [3; 2] 1)
    (steps_of (ScatterND.scatter_nd_composition ScatteredRows.ByAdd 1 [3] [[2]; [0]; [-1]]%Z [3; 2] [3; 2]))
    plain_indices (counted_good _ _) (counted_good _ _) eq_refl.

Definition scatter_elements_correct_applies :=
  OfOnnx.scatter_elements_correct integers plain ScatteredRows.ByMul 1%Z [2; 2] [2; -1; 0; 1]%Z (counted [2; 3] 0) (counted [2; 2] 1)
    (steps_of (ScatterElements.scatter_elements_composition ScatteredRows.ByMul 1 [2; 2] [2; -1; 0; 1]%Z [2; 3] [2; 2]))
    plain_indices (counted_good _ _) (counted_good _ _) eq_refl.

Definition plans := [ResizePlaces.nearest_plan ResizePlaces.Asymmetric ResizePlaces.Floor 2 (2, 1)%Z;
                     Resize.Crop [[(0, one_bits); (1, one_bits); (2, one_bits)]%Z] [false; false; true] 0%N].

Definition resize_correct_applies :=
  OfOnnx.resize_correct integers plain f32_code plans (steps_of (Resize.resize_composition f32_code [2; 2] plans)) (counted [2; 2] 0)
    plain_indices (counted_good _ _) eq_refl.

Definition resize_upsampled_applies :=
  OfOnnx.resize_upsampled integers plain f32_code ResizePlaces.Asymmetric ResizePlaces.Floor [2; 3] (counted [2; 2] 0)
    eq_refl eq_refl ltac:(repeat constructor) ltac:(repeat constructor) (counted_good _ _).

(** ** Numbers *)

Definition range_correct_applies :=
  OfOnnx.range_correct i32_code (Range.Whole 10 4 (-4)) (steps_of (Range.range_composition i32_code (Range.Whole 10 4 (-4)))) eq_refl.

Definition global_max_pool_correct_applies :=
  OfOnnx.global_max_pool_correct integers plain (counted [1; 2; 2; 3] 0) (steps_of (GlobalMaxPool.global_max_pool_composition [1; 2; 2; 3]))
    eq_refl.

Definition mean_correct_applies :=
  OfOnnx.mean_correct integers plain f32_code (counted [1; 2] 0) [counted [2; 1] 1; counted [2; 2] 2]
    (steps_of (Mean.mean_composition f32_code [1; 2] [[2; 1]; [2; 2]])) (counted_good _ _) eq_refl.

Definition cast_like_correct_applies :=
  OfOnnx.cast_like_correct integers plain bool_code (counted [2; 3] 0) (counted [2] 0)
    (steps_of (CastLike.cast_like_composition bool_code)) eq_refl.

Definition size_correct_applies :=
  OfOnnx.size_correct integers plain (counted [2; 3] 0) (steps_of (CastLike.size_composition [2; 3])) eq_refl.

Definition group_normalization_correct_applies :=
  OfOnnx.group_normalization_correct integers plain false 2 0 (counted [1; 4; 2] 0) (counted [2] 1) (counted [2] 2)
    (steps_of (GroupNormalization.group_normalization_composition false 2 0 [1; 4; 2] [2] [2]))
    (GroupNormalization.ring_neutral integers plain integers_ring eq_refl eq_refl)
    (counted_good _ _) (counted_good _ _) (counted_good _ _) eq_refl.

Definition mean_variance_correct_applies :=
  OfOnnx.mean_variance_correct integers plain f32_code [0; -1]%Z (counted [2; 2; 3] 0)
    (steps_of (MeanVarianceNormalization.mean_variance_composition f32_code [0; -1]%Z [2; 2; 3])) (counted_good _ _) eq_refl.

Definition reduce_min_correct_applies :=
  OfOnnx.reduce_min_correct integers plain i64_code _ (fun _ => True) false false [-2]%Z (counted [2; 3] 0)
    (steps_of (ReduceMin.reduce_min_composition i64_code false false [-2]%Z [2; 3]))
    (ReduceMin.integers_turned i64_code eq_refl) (counted_good _ _) ltac:(repeat constructor) eq_refl.

(** Of finite numbers and infinities. *)
Notation mixed := (Mixed.mixed Mixed.standard).
Notation typed := (Steps.typed mixed).

Definition some_singles := ArgMaxTypes.some_floats (Mixed.of_f32 Mixed.standard).
Definition some_doubles := ArgMaxTypes.some_floats (Mixed.of_f64 Mixed.standard).

Lemma some_floats_cells type of_real : ArgMaxTypes.cell_of type = ArgMaxTypes.real of_real ->
  Forall (ArgMaxTypes.cell_of type) (cells (ArgMaxTypes.some_floats of_real)).
Proof. intros ->. repeat constructor; eexists; (split; [reflexivity | discriminate]). Qed.

Definition reduce_sums_correct_applies :=
  OfOnnx.reduce_sums_correct integers plain ReduceSums.SumSquare i64_code true false [-1]%Z (counted [2; 3] 0)
    (steps_of (ReduceSums.reduce_sums_composition ReduceSums.SumSquare i64_code true false [-1]%Z [2; 3])) (counted_good _ _) eq_refl.

Definition reduce_prod_correct_applies :=
  OfOnnx.reduce_prod_correct integers plain false false [0]%Z (counted [3; 2] 0)
    (steps_of (ReduceProd.reduce_prod_composition false false [0]%Z [3; 2])) (counted_good _ _) eq_refl.

Definition arg_max_correct_applies :=
  OfOnnx.arg_max_correct mixed typed f64_code ArgMaxTypes.less _ false true (-1)%Z some_doubles
    (steps_of (ArgMax.arg_max_composition f64_code false true (-1) [3; 3]))
    ArgMaxTypes.mixed_counts (ArgMaxTypes.mixed_ordered f64_code eq_refl) ltac:(reflexivity)
    (some_floats_cells f64_code _ eq_refl) ltac:(reflexivity).

Definition arg_min_correct_applies :=
  OfOnnx.arg_min_correct mixed typed f32_code ArgMaxTypes.less _ _ true false 0%Z some_singles
    (steps_of (ArgMax.arg_min_composition f32_code true false 0 [3; 3]))
    ArgMaxTypes.mixed_counts (ArgMaxTypes.mixed_ordered f32_code eq_refl)
    (fun a => ArgMaxTypes.mixed_turned f32_code a eq_refl) (fun a c => ArgMaxTypes.mixed_turned_less f32_code a c eq_refl)
    ltac:(reflexivity) (some_floats_cells f32_code _ eq_refl) ltac:(reflexivity).

Definition hardmax_correct_applies :=
  OfOnnx.hardmax_correct mixed typed f32_code ArgMaxTypes.less _ true 1%Z some_singles
    (steps_of (ArgMax.hardmax_composition f32_code true 1 [3; 3]))
    ArgMaxTypes.mixed_counts (ArgMaxTypes.mixed_ordered f32_code eq_refl) (fun p q => ArgMaxTypes.mixed_marks f32_code p q eq_refl)
    ltac:(reflexivity) (some_floats_cells f32_code _ eq_refl) ltac:(reflexivity).

Definition cum_sum_correct_applies :=
  OfOnnx.cum_sum_correct integers plain true true 1%Z (counted [2; 3] 0) (steps_of (CumSum.cum_sum_composition true true 1 [2; 3]))
    integers_ring (counted_good _ _) eq_refl.

Definition cum_sum_in_order_correct_applies :=
  OfOnnx.cum_sum_in_order_correct integers plain false true 1%Z (counted [2; 3] 0)
    (steps_of (CumSum.cum_sum_composition false true 1 [2; 3])) (counted_good _ _) eq_refl.

Definition axis_of_3 := ConvTranspose.Axis 3 3 2 1 1 1 1.

Definition conv_transpose_correct_applies :=
  OfOnnx.conv_transpose_correct integers plain 2 [axis_of_3] (counted [1; 2; 3] 0) (counted [2; 1; 3] 1) None
    (steps_of (ConvTranspose.conv_transpose_composition 2 [axis_of_3] [1; 2; 3] [2; 1; 3] None))
    plain_indices integers_ring (counted_good _ _) (counted_good _ _) I eq_refl.

Definition conv_transpose_in_order_correct_applies :=
  OfOnnx.conv_transpose_in_order_correct integers plain 2 [axis_of_3] (counted [1; 2; 3] 0) (counted [2; 1; 3] 1) None
    (steps_of (ConvTranspose.conv_transpose_composition 2 [axis_of_3] [1; 2; 3] [2; 1; 3] None))
    plain_indices (counted_good _ _) (counted_good _ _) I eq_refl.

(** A dilated kernel. *)
Definition dilated_axis := ConvTranspose.Axis 2 3 2 2 1 0 1.

Definition conv_transpose_dilated_applies :=
  OfOnnx.conv_transpose_correct integers plain 1 [dilated_axis] (counted [1; 2; 2] 0) (counted [2; 1; 3] 1) None
    (steps_of (ConvTranspose.conv_transpose_composition 1 [dilated_axis] [1; 2; 2] [2; 1; 3] None))
    plain_indices integers_ring (counted_good _ _) (counted_good _ _) I eq_refl.

(** ** Attention, recurrent operators *)

Definition rotary_correct_applies :=
  OfOnnx.rotary_correct integers plain true 2 4 RotaryEmbedding.rotary_x (RotaryEmbedding.rotary_cache 1) (RotaryEmbedding.rotary_cache 3)
    (Some RotaryEmbedding.rotary_ids) (steps_of (RotaryEmbedding.rotary_composition true 2 4 [2; 3; 12] [4; 2] [4; 2] (Some [2; 3])))
    eq_refl eq_refl eq_refl eq_refl eq_refl eq_refl.

Definition attention_correct_applies :=
  OfOnnx.attention_correct integers plain (Attention.attention_instance true) (counted [2; 2; 12] 0) (counted [2; 2; 6] 1)
    (counted [2; 2; 4] 2) (Some (counted [2; 2] 3)) None
    (all_steps_of (Attention.attention_composition (Attention.attention_instance true) [2; 2; 12] [2; 2; 6] [2; 2; 4] (Some [2; 2]) None))
    eq_refl (counted_good _ _) (counted_good _ _) (counted_good _ _) ltac:(repeat split).

Definition lstm_correct_applies :=
  OfOnnx.lstm_correct integers plain f32_code Recurrent.Bidirectional true (counted [3; 2; 3] 1) (counted [2; 8; 3] 2)
    (counted [2; 8; 2] 3) (Some (counted [2; 16] 0)) (Some (counted [3; 2; 2] 4)) None (Some (counted [2; 6] 1))
    (all_steps_of (LSTM.lstm_composition f32_code Recurrent.Bidirectional true [3; 2; 3] [2; 8; 3] [2; 8; 2] (Some [2; 16])
                     (Some [3; 2; 2]) None (Some [2; 6])))
    ltac:(repeat constructor) eq_refl.

Definition gru_correct_applies :=
  OfOnnx.gru_correct integers plain f32_code true Recurrent.Reverse false (counted [2; 2; 3] 1) (counted [1; 6; 3] 2)
    (counted [1; 6; 2] 3)
    (Some (counted [1; 12] 0)) None
    (all_steps_of (GRU.gru_composition f32_code true Recurrent.Reverse false [2; 2; 3] [1; 6; 3] [1; 6; 2] (Some [1; 12]) None))
    ltac:(repeat constructor) eq_refl.

Definition rnn_correct_applies :=
  OfOnnx.rnn_correct integers plain f32_code Recurrent.Forward true (counted [3; 2; 3] 1) (counted [1; 2; 3] 2) (counted [1; 2; 2] 3)
    (Some (counted [1; 4] 0)) None
    (all_steps_of (RNN.rnn_composition f32_code Recurrent.Forward true [3; 2; 3] [1; 2; 3] [1; 2; 2] (Some [1; 4]) None))
    ltac:(repeat constructor) eq_refl.

(** ** Quantised operators *)

Definition is_nan_correct_applies := OfOnnx.is_nan_correct true IsNaN.some_floats eq_refl.

Definition is_inf_correct_applies :=
  OfOnnx.is_inf_correct false true false IsNaN.some_floats (steps_of (IsNaN.is_inf_composition false true false))
    eq_refl ltac:(repeat constructor) eq_refl.

Definition quantize_linear_correct_applies :=
  OfOnnx.quantize_linear_correct true 0 QuantizeLinear.some_x QuantizeLinear.some_scale (Some QuantizeLinear.some_zero) true
    (steps_of (QuantizeLinear.quantize_composition true 0 [2; 2] [2] (Bytes.zero_input true (Some QuantizeLinear.some_zero))))
    eq_refl eq_refl eq_refl ltac:(repeat constructor) ltac:(repeat constructor)
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate]).

Definition some_bytes : tensor Z := Tensor [2; 2] [-1; -3; 13; 127]%Z.

Definition dequantize_linear_correct_applies :=
  OfOnnx.dequantize_linear_correct true 0 some_bytes QuantizeLinear.some_scale (Some QuantizeLinear.some_zero) true
    (steps_of (QuantizeLinear.dequantize_composition 0 [2; 2] [2] (Bytes.zero_input true (Some QuantizeLinear.some_zero))))
    eq_refl eq_refl eq_refl ltac:(repeat constructor; vm_compute; discriminate)
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate]).

Definition dynamic_quantize_correct_applies :=
  OfOnnx.dynamic_quantize_correct QuantizeLinear.some_x
    (all_steps_of (DynamicQuantizeLinear.dynamic_quantize_composition [2; 2])) eq_refl eq_refl ltac:(repeat constructor).

Definition some_factor : tensor Z := Tensor [2; 3] [0; 1; 255; 4; 5; 6]%Z.
Definition some_other : tensor Z := Tensor [3; 2] [1; -2; 3; 4; -5; 6]%Z.

Definition matmul_integer_correct_applies :=
  OfOnnx.matmul_integer_correct false true some_factor some_other (Some (Tensor [] [3%Z])) (Some (Tensor [2] [1; -2]%Z)) true
    false true
    (steps_of (IntegerProducts.matmul_integer_composition false true [2; 3] (Bytes.zero_input true (Some (Tensor [] [3%Z])))
                 (IntegerProducts.factor_input false some_other) (Bytes.zero_input true (Some (Tensor [2] [1; -2]%Z)))))
    eq_refl eq_refl eq_refl ltac:(repeat constructor; vm_compute; discriminate) ltac:(repeat constructor; vm_compute; discriminate)
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate]).

Definition qlinear_matmul_correct_applies :=
  OfOnnx.qlinear_matmul_correct false true true QLinearMatMul.some_a QLinearMatMul.some_za QLinearMatMul.some_b QLinearMatMul.some_zb
    QLinearMatMul.some_zy QLinearMatMul.some_sa QLinearMatMul.some_sb QLinearMatMul.some_sy true true true true true true true
    (steps_of (QLinearMatMul.some_composition true))
    ltac:(vm_compute; reflexivity) eq_refl eq_refl
    ltac:(repeat constructor; vm_compute; discriminate) ltac:(repeat constructor; vm_compute; discriminate)
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor]) ltac:(split; [reflexivity | repeat constructor])
    ltac:(split; [reflexivity | repeat constructor]).

(** W is an input, and so are scales and zero points of a convolution that is scaled. *)
Definition conv_integer_correct_applies :=
  OfOnnx.conv_integer_correct false true ConvInteger.some_window 2 ConvInteger.some_image ConvInteger.some_filter
    (Some (Tensor [] [3%Z])) (Some ConvInteger.some_zeros) true false true
    (steps_of (ConvInteger.conv_integer_composition false true ConvInteger.some_window 2 [1; 2; 3; 3]
                 (Bytes.zero_input true (Some (Tensor [] [3%Z]))) (IntegerProducts.factor_input false ConvInteger.some_filter)
                 (Bytes.zero_input true (Some ConvInteger.some_zeros))))
    eq_refl
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate]).

Definition qlinear_conv_correct_applies :=
  OfOnnx.qlinear_conv_correct false true true ConvInteger.some_window 2 ConvInteger.some_image QLinearMatMul.some_za
    ConvInteger.some_filter ConvInteger.some_zeros QLinearMatMul.some_zy QLinearMatMul.some_sa QLinearConv.some_scales
    QLinearMatMul.some_sy (Some QLinearConv.some_bias) false false false false false false false false
    (steps_of (QLinearConv.some_composition false))
    eq_refl
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate])
    ltac:(split; [reflexivity | repeat constructor]) ltac:(split; [reflexivity | repeat constructor])
    ltac:(split; [reflexivity | repeat constructor])
    ltac:(split; [reflexivity | repeat constructor; vm_compute; discriminate]).
