(** * QLinearConv

    The convolution of integers as in ConvInteger, with a bias of int32, and what becomes of it by the scales and the zero point
    of the result ([Requantized.onnx_requantize]).  int32 holds the sums, as ONNX says: the low 32 bits of those that are beyond.
    Covered are int8 and uint8; scale and zero point of X are one for all, of W one for all or one for each channel of the
    result, of the result one for all; they, W and the bias are constant or not, all of them.  The window is that of Conv,
    [auto_pad] and defaults resolved. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsWindow tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import onnx.Composition onnx.Steps onnx.Elements onnx.Bytes onnx.QuantizeLinear onnx.ExactSums
  onnx.IntegerProducts onnx.Requantized onnx.QLinearMatMul onnx.IntegerConv onnx.ConvInteger.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** Channels of a result. *)
Notation channel_axis := (Some 1%nat).

(** Of the inputs in ONNX's order: X, its scale and zero point, the same of W, and of the result, and the bias. *)
Definition onnx_qlinear_conv (signed_y : bool) (win : window) (group : nat) (x : tensor Z) (sx : tensor spec_float)
  (zx w : tensor Z) (sw : tensor spec_float) (zw : tensor Z) (sy : tensor spec_float) (zy : tensor Z)
  (bias : option (tensor Z)) : option (tensor Z) :=
  guard (zero_fits None (dims x) (Some zx) && zero_fits filter_axis (dims w) (Some zw))
    (let? v := conv integers win group (centre None (Some zx) x) (centre filter_axis (Some zw) w) bias in
     onnx_requantize signed_y None channel_axis (dims v) sx sw sy zy (fun i => wrap32 (get 0 v i))).

(** [signed], [signed_w] and [signed_y] are about X, W and the result. *)
Definition qlinear_conv_composition (signed signed_w signed_y : bool) (win : window) (group : nat) (x : sizes)
  (sx : scale_point) (zx : zero_point) (w : factor) (sw : scale_point) (zw : zero_point) (sy : scale_point)
  (zy : zero_point) (bias : option factor) : option (build nat) :=
  let most := conv_most signed signed_w zx w zw bias in
  let? sums := conv_sums signed signed_w win group x zx w zw bias 0 2 3 5 8 in
  let? out := conv_dims win group x (fst w) (option_map fst bias) in
  let? rest := requantize signed_y (is_long most) None channel_axis out sx sw sy zy 1 4 6 7 in
  Some (sum <- sums ;; rest sum).

Definition bias_value (bias : option (tensor Z)) : list (tensor (num S)) :=
  match bias with Some t => [of_cells I32 t] | None => [] end.

Theorem qlinear_conv_correct signed signed_w signed_y win group (x zx w zw zy : tensor Z) (sx sw sy : tensor spec_float)
  (bias : option (tensor Z)) (known_sx known_zx known_w known_sw known_zw known_sy known_zy known_b : bool) c :
  qlinear_conv_composition signed signed_w signed_y win group (dims x) (scale_input known_sx sx) (zero_input known_zx (Some zx))
    (factor_input known_w w) (scale_input known_sw sw) (zero_input known_zw (Some zw)) (scale_input known_sy sy)
    (zero_input known_zy (Some zy)) (option_map (factor_input known_b) bias) = Some c ->
  good_bytes signed x -> good_bytes signed zx -> good_bytes signed_w w -> good_bytes signed_w zw -> good_bytes signed_y zy ->
  good_scale sx -> good_scale sw -> good_scale sy ->
  match bias with Some t => good t /\ int32s t | None => True end ->
  exists y, onnx_qlinear_conv signed_y win group x sx zx w sw zw sy zy bias = Some y /\
    composed S typed c ([of_cells (byte signed) x; of_cells F32 sx; of_cells (byte signed) zx; of_cells (byte signed_w) w;
      of_cells F32 sw; of_cells (byte signed_w) zw; of_cells F32 sy; of_cells (byte signed_y) zy] ++ bias_value bias)
      = Some (of_cells (byte signed_y) y).
Proof.
  intros B Bx Bzx Bw Bzw Bzy Sx Sw Sy Bb. unfold qlinear_conv_composition in B.
  change (option_map (factor_input known_b) bias) with (zero_input known_b bias) in B.
  destruct (conv_sums _ _ _ _ _ _ _ _ _ _ _ _ _ _) as [sums |] eqn:E; [| discriminate].
  change (fst (factor_input known_w w)) with (dims w) in B.
  destruct (conv_dims win group (dims x) (dims w) (option_map fst (zero_input known_b bias))) as [out |] eqn:Do; [| discriminate].
  destruct (requantize _ _ _ _ _ _ _ _ _ _ _ _ _) as [rest |] eqn:R; [| discriminate]. apply some_is in B. subst c.
  set (inputs := _ ++ bias_value bias). set (vs := map GTensor inputs).
  destruct (conv_sums_runs signed signed_w win group x w (Some zx) (Some zw) bias known_zx known_w known_zw known_b 0 2 3 5 8
    Bx Bw Bzx Bzw Bb vs sums E) as (v & Ev & Gv & Most & L & H).
  { unfold inputs_known. split; [reflexivity |]. split; [reflexivity |]. split; [intros t T; injection T as <-; reflexivity |].
    split; [intros t T; injection T as <-; reflexivity |]. intros t T. unfold vs, inputs. now rewrite T. }
  assert (Dv : dims v = out).
  { assert (conv_dims win group (dims (centre None (Some zx) x)) (dims (centre filter_axis (Some zw) w)) (option_map dims bias)
      = Some out) as D by (rewrite <- Do; f_equal; now destruct bias).
    unfold conv, table in Ev. change (num integers) with Z in Ev. rewrite D in Ev. apply some_is in Ev. now subst v. }
  subst out. pose proof (requantize_formula _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R (fun i => wrap32 (get 0 v i))) as Y.
  unfold onnx_qlinear_conv. rewrite (conv_sums_fits _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ E). cbn [guard].
  eexists. split.
  { transitivity (onnx_requantize signed_y None channel_axis (dims v) sx sw sy zy (fun i => wrap32 (get 0 v i)));
      [| exact Y]. now rewrite Ev. }
  apply runs_composed. fold vs. eapply runs_bind; [exact H |]. intros ws k X (t & K & Gt & It).
  destruct (requantize_runs _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R Sx Sw Sy Bzy ws k t (fun i => wrap32 (get 0 v i))
    (proj1 It) K) as (u & U & Q).
  - intros i I. apply sums_of; [apply It | apply Most | exact L].
  - exact (knows_later vs ws 1 _ eq_refl X).
  - exact (knows_later vs ws 4 _ eq_refl X).
  - exact (knows_later vs ws 6 _ eq_refl X).
  - exact (knows_later vs ws 7 _ eq_refl X).
  - rewrite Y in U. apply some_is in U. subst u. exact Q.
Qed.

(** Instances: the sums of ConvInteger's, 750, -4, 17, 10, -4, -8, 25907 and 224, and a bias, times 1/2 * (1/4 and 1/2) / 2,
    plus 7; of -6.5 the half goes to even.  All but X are constant, and none of them is. *)
Definition some_scales : tensor spec_float := Tensor [2]%nat [SFmul 24 128 half half; half].
Definition some_bias : tensor Z := Tensor [2]%nat [104; -48].

Definition some_composition (known : bool) : option (build nat) :=
  qlinear_conv_composition false true true some_window 2 [1; 2; 3; 3]%nat (scale_input known some_sa)
    (zero_input known (Some some_za)) (factor_input known some_filter) (scale_input known some_scales)
    (zero_input known (Some some_zeros)) (scale_input known some_sy) (zero_input known (Some some_zy))
    (Some (factor_input known some_bias)).

Example qlinear_conv_example known :
  shown_tensor (let? c := some_composition known in
    composed S typed c [of_cells U8 some_image; of_cells F32 some_sa; of_cells U8 some_za; of_cells I8 some_filter;
      of_cells F32 some_scales; of_cells I8 some_zeros; of_cells F32 some_sy; of_cells I8 some_zy; of_cells I32 some_bias]) =
  Some ([1; 2; 2; 2]%nat, map (fun z => Some (I8 z)) [60; 13; 15; 14; 1; 0; 127; 29]).
Proof. destruct known; vm_compute; reflexivity. Qed.
