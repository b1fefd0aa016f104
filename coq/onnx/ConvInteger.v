(** * ConvInteger: the convolution of integers

    Y = conv(X - x_zero_point, W - w_zero_point) in integers, of which int32 has the low 32 bits.  What is padded is 0 of the
    difference, as if X were padded with its zero point.  The zero point of X is one for all, that of W one for all or one for
    each channel of the result; each is constant, an input, or not there.  W is constant or an input.  The floats in which the
    composition computes hold every sum ([IntegerConv]): covered is all but sums that can reach 2^53, for which W would have
    to be of more than 2^37 cells.  The window is that of Conv, [auto_pad] and defaults resolved. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsWindow tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import onnx.Composition onnx.Steps onnx.Elements onnx.Bytes onnx.QuantizeLinear onnx.ExactSums
  onnx.IntegerProducts onnx.IntegerConv.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** [conv integers]: the sums of products, over the integers. *)
Definition onnx_conv_integer (win : window) (group : nat) (x w : tensor Z) (zx zw : option (tensor Z)) : option (tensor Z) :=
  guard (zero_fits None (dims x) zx && zero_fits filter_axis (dims w) zw)
    (option_map (each wrap32) (conv integers win group (centre None zx x) (centre filter_axis zw w) None)).

(** Inputs are X, W, and the zero points that are there. *)
Definition conv_integer_composition (signed signed_w : bool) (win : window) (group : nat) (x : sizes) (zx : zero_point)
  (w : factor) (zw : zero_point) : option (build nat) :=
  let second := match zx with None => 2%nat | Some _ => 3%nat end in
  let? sums := conv_sums signed signed_w win group x zx w zw None 0 2 1 second 0 in
  Some (sum <- sums ;; whole_sum (conv_most signed signed_w zx w zw None) sum).

Lemma conv_sums_fits signed signed_w win group (x w : tensor Z) zx zw bias kx kzx kw kzw kb b known_zx known_w known_zw :
  conv_sums signed signed_w win group (dims x) (zero_input known_zx zx) (factor_input known_w w) (zero_input known_zw zw) bias
    kx kzx kw kzw kb = Some b ->
  zero_fits None (dims x) zx && zero_fits filter_axis (dims w) zw = true.
Proof.
  unfold conv_sums. destruct (zero_dims None (dims x) _) as [px |] eqn:Px; [| discriminate]. cbn [factor_input fst].
  destruct (zero_dims filter_axis (dims w) _) as [pw |] eqn:Pw; [| discriminate]. intros _.
  now rewrite (zero_fits_dims _ _ _ _ _ Px), (zero_fits_dims _ _ _ _ _ Pw).
Qed.

Theorem conv_integer_correct signed signed_w win group (x w : tensor Z) (zx zw : option (tensor Z))
  (known_zx known_w known_zw : bool) b :
  conv_integer_composition signed signed_w win group (dims x) (zero_input known_zx zx) (factor_input known_w w)
    (zero_input known_zw zw) = Some b ->
  good_bytes signed x -> good_bytes signed_w w -> valid_zero signed zx -> valid_zero signed_w zw ->
  exists y, onnx_conv_integer win group x w zx zw = Some y /\
    composed S typed b (of_cells (byte signed) x :: of_cells (byte signed_w) w ::
      zero_value (byte signed) zx ++ zero_value (byte signed_w) zw) = Some (of_cells I32 y).
Proof.
  intros B Bx Bw Vx Vw. unfold conv_integer_composition in B.
  set (second := match zero_input known_zx zx with None => 2%nat | Some _ => 3%nat end) in B.
  destruct (conv_sums _ _ _ _ _ _ _ _ _ _ _ _ _ _) as [sums |] eqn:E; [| discriminate]. apply some_is in B. subst b.
  unfold onnx_conv_integer. rewrite (conv_sums_fits _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ E). cbn [guard].
  set (vs := map GTensor (of_cells (byte signed) x :: of_cells (byte signed_w) w ::
    zero_value (byte signed) zx ++ zero_value (byte signed_w) zw)).
  destruct (conv_sums_runs signed signed_w win group x w zx zw None known_zx known_w known_zw true 0 2 1 second 0 Bx Bw Vx Vw I
    vs sums E) as (v & Ev & Gv & Most & L & R).
  { unfold inputs_known. split; [reflexivity |]. split; [reflexivity |]. split; [now intros t -> |]. split; [| discriminate].
    intros t ->. unfold second. now destruct zx. }
  exists (each wrap32 v). split; [exact (f_equal (option_map (each wrap32)) Ev) |]. apply runs_composed. fold vs.
  eapply runs_bind; [exact R |].
  intros ws k X (t & K & Gt & It). exact (whole_sum_runs _ ws k t v _ Gt Gv It L Most K).
Qed.

(** Instances: two groups, strides and dilations of 2, padding in front; the zero points are 3, and 1 and -2 for the two
    channels, and W is constant or an input. *)
Definition some_window : window := Window [2; 1]%nat [1; 2]%nat [1; 0; 0; 1]%nat.
Definition some_image : tensor Z := Tensor [1; 2; 3; 3]%nat [0; 1; 255; 4; 5; 6; 7; 8; 9; 3; 2; 1; 0; 3; 200; 17; 31; 5].
Definition some_filter : tensor Z := Tensor [2; 1; 2; 2]%nat [1; -2; 3; 4; -128; 127; 6; 0].
Definition some_zeros : tensor Z := Tensor [2]%nat [1; -2].

Example conv_integer_example known :
  shown_tensor (let? b := conv_integer_composition false true some_window 2 [1; 2; 3; 3]%nat
      (zero_input true (Some (Tensor [] [3]))) (factor_input known some_filter) (zero_input true (Some some_zeros)) in
    composed S typed b [of_cells U8 some_image; of_cells I8 some_filter; of_cells U8 (Tensor [] [3]); of_cells I8 some_zeros]) =
  Some ([1; 2; 2; 2]%nat, map (fun z => Some (I32 z)) [750; -4; 17; 10; -4; -8; 25907; 224]).
Proof. destruct known; vm_compute; reflexivity. Qed.
