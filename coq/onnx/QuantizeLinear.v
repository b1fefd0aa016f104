(** * QuantizeLinear and DequantizeLinear

    y = saturate(round(x / y_scale) + y_zero_point), rounded to the nearest integer, halves to even; x = (x - x_zero_point) *
    x_scale.  Scale and zero point are one for all of the tensor (of no sizes, or of one cell) or one for each place along
    [axis].  Forms from opset 10 on, composed as of opset 11 (where there is [Round]); of float32 to and from int8 and uint8, and
    from int32 without a zero point.  Left out: blocks, other element types, an axis that the file gives from the end. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists base.RoundEven attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index
  tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import tensor.FloatIntegers onnx.Composition onnx.Steps onnx.Elements onnx.Bytes.
From Calque Require Export onnx.Centred.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

Notation valid32 := (Forall (fun x => valid_binary 24 128 x = true)).
Notation not_a_number := S754_nan.

Definition zero_value {A} (c : A -> cell) (zero : option (tensor A)) : list (tensor (num S)) :=
  match zero with Some t => [of_cells c t] | None => [] end.

(** The zero point has the sizes of the scale: it is along the axis if that has one. *)
Definition zero_axis (axis : nat) (scale : sizes) : option nat := if (List.length scale =? 1)%nat then Some axis else None.

(** ** QuantizeLinear *)

Definition onnx_quantize_linear (signed : bool) (axis : nat) (x scale : tensor spec_float) (zero : option (tensor Z))
  : option (tensor Z) :=
  guard (fits (Some axis) (dims x) (dims scale) && zero_fits (zero_axis axis (dims scale)) (dims x) zero)
    (Some (tabulate (dims x) (fun i =>
      saturate signed (nearest_integer (SFdiv 24 128 (get not_a_number x i) (parameter not_a_number axis scale i)) +
                       zero_at (zero_axis axis (dims scale)) zero i)))).

Definition quantize_composition (signed : bool) (axis : nat) (ds scale : sizes) (zero : zero_point) : option (build nat) :=
  let? q := parameter_dims (Some axis) ds scale in
  let? p := zero_dims (zero_axis axis scale) ds zero in
  Some (s <- reshaped 1 scale q ;; z <- as_zero 2 zero p ;; y <- apply "Div" [] [0%nat; s] ;; saturated signed p y z).

(** Without reducing what is there. *)
Lemma some_is {A} (a b : A) : Some a = Some b -> a = b.
Proof. intros E. now injection E. Qed.

Lemma zero_known_later signed ds vs ws q z o : zero_known signed ds vs q z o -> extends S vs ws -> zero_known signed ds ws q z o.
Proof.
  destruct o as [[n known] |]; [| easy]. intros (t & f & D & K & H) X. exists t, f. split; [exact D |].
  split; [exact (knows_later _ _ _ _ K X) | exact H].
Qed.

Lemma zero_at_range signed axis ds zero q known i : valid_zero signed zero ->
  zero_dims axis ds (zero_input known zero) = Some q -> in_box ds i = true -> in_range signed (zero_at axis zero i).
Proof. intros V E. exact (zero_shows_range _ _ _ _ _ _ V (zero_dims_shows signed _ _ _ _ _ V E)). Qed.

Lemma zero_fits_dims axis ds zero q known : zero_dims axis ds (zero_input known zero) = Some q -> zero_fits axis ds zero = true.
Proof. destruct zero as [t |]; [| reflexivity]. cbn [zero_input option_map zero_dims zero_fits fits]. unfold fits.
now intros ->. Qed.

Theorem quantize_linear_correct signed axis (x scale : tensor spec_float) (zero : option (tensor Z)) (known : bool) b :
  quantize_composition signed axis (dims x) (dims scale) (zero_input known zero) = Some b ->
  good x -> good scale -> valid32 (cells x) -> valid32 (cells scale) -> valid_zero signed zero ->
  exists y, onnx_quantize_linear signed axis x scale zero = Some y /\
    composed S typed b (of_cells F32 x :: of_cells F32 scale :: zero_value (byte signed) zero) = Some (of_cells (byte signed) y).
Proof.
  intros B Gx Gs Vx Vs Vz. unfold quantize_composition in B. destruct (parameter_dims (Some axis) (dims x) (dims scale))
    as [q |] eqn:Q; [| discriminate].
  destruct (zero_dims (zero_axis axis (dims scale)) (dims x) (zero_input known zero)) as [p |] eqn:P; [| discriminate].
  apply some_is in B. subst b.
  unfold onnx_quantize_linear, fits. rewrite Q, (zero_fits_dims _ _ _ _ _ P). eexists. split; [reflexivity |].
  apply runs_composed. set (vs := map GTensor _).
  eapply runs_bind; [exact (parameter_runs F32 not_a_number (Some axis) (dims x) vs 1 scale q Gs Q eq_refl) |].
  intros ws s Xs (t & Dt & Ct & Ks & Hs). eapply runs_bind.
  { apply (as_zero_runs signed (zero_axis axis (dims scale)) (dims x) ws 2 known zero p Vz P). intros u ->.
  exact (knows_later vs ws 2 _ eq_refl Xs). }
  intros us o Xo Ko. cbv beta in Ko.
  assert (Xsu : extends S vs us) by (eapply extends_trans; eassumption).
  pose proof (parameter_shows not_a_number (Some axis) (dims x) scale q Gs Q) as [_ Hp].
  eapply runs_bind.
  { apply (binary_runs F32 F32 F32 (s_div S) (dims x) us "Div" [] 0 s x t (get not_a_number x)
    (parameter not_a_number axis scale)
      (fun i => SFdiv 24 128 (get not_a_number x i) (parameter not_a_number axis scale i)) eq_refl
      (knows_later vs us 0 _ eq_refl Xsu) (knows_later _ _ _ _ Ks Xo) (shows_self _ x Gx) Hs); [now left | reflexivity]. }
  intros w y Xy Ky. cbv beta in Ky.
  apply (saturated_runs signed (dims x) w p y _ o (zero_at (zero_axis axis (dims scale)) zero) Ky).
  - intros i I. apply div_valid; try easy.
    + exact (shows_all _ _ _ (fun a => valid_binary 24 128 a = true) i (shows_self _ x Gx) Vx I).
    + exact (shows_all _ _ _ (fun a => valid_binary 24 128 a = true) i Hp Vs I).
  - exact (zero_known_later _ _ _ _ _ _ _ Ko Xy).
  - intros i I. exact (zero_at_range signed (zero_axis axis (dims scale)) (dims x) zero p known i Vz P I).
Qed.

(** ** DequantizeLinear *)

Definition onnx_dequantize_linear (axis : nat) (x : tensor Z) (scale : tensor spec_float) (zero : option (tensor Z))
  : option (tensor spec_float) :=
  guard (fits (Some axis) (dims x) (dims scale) && zero_fits (zero_axis axis (dims scale)) (dims x) zero)
    (Some (tabulate (dims x) (fun i =>
      SFmul 24 128 (float (get 0 x i - zero_at (zero_axis axis (dims scale)) zero i)) (parameter not_a_number axis scale i)))).

(** What bytes stand for is marked by an Identity. *)
Definition dequantize_composition (axis : nat) (ds scale : sizes) (zero : zero_point) : option (build nat) :=
  let? q := parameter_dims (Some axis) ds scale in
  let? p := zero_dims (zero_axis axis scale) ds zero in
  Some (y <- less_zero f32_code 0 2 zero p ;; y <- apply "Identity" [] [y] ;; s <- reshaped 1 scale q ;; apply "Mul" [] [y; s]).

(** Of int32. *)
Definition dequantize32_composition (axis : nat) (ds scale : sizes) : option (build nat) :=
  let? q := parameter_dims (Some axis) ds scale in
  Some (y <- cast f32_code 0 ;; s <- reshaped 1 scale q ;; apply "Mul" [] [y; s]).

Theorem dequantize_linear_correct signed axis (x : tensor Z) (scale : tensor spec_float) (zero : option (tensor Z))
  (known : bool) b :
  dequantize_composition axis (dims x) (dims scale) (zero_input known zero) = Some b ->
  good x -> good scale -> Forall (in_range signed) (cells x) -> valid_zero signed zero ->
  exists y, onnx_dequantize_linear axis x scale zero = Some y /\
    composed S typed b (of_cells (byte signed) x :: of_cells F32 scale :: zero_value (byte signed) zero) = Some (of_cells F32 y).
Proof.
  intros B Gx Gs Rx Vz. unfold dequantize_composition in B. destruct (parameter_dims (Some axis) (dims x) (dims scale))
    as [q |] eqn:Q; [| discriminate].
  destruct (zero_dims (zero_axis axis (dims scale)) (dims x) (zero_input known zero)) as [p |] eqn:P; [| discriminate].
  apply some_is in B. subst b.
  unfold onnx_dequantize_linear, fits. rewrite Q, (zero_fits_dims _ _ _ _ _ P). eexists. split; [reflexivity |].
  apply runs_composed. set (vs := map GTensor _). eapply runs_bind.
  { apply (less_zero_float signed (zero_axis axis (dims scale)) vs x 0 2 zero known p Vz Gx Rx P eq_refl). intros t ->.
    reflexivity. }
  intros ws y Xy Ky. cbv beta in Ky. unfold centre, less in Ky. rewrite each_tabulate in Ky. eapply runs_bind.
  { eapply runs_apply; [constructor; [exact Ky | constructor] | apply identity_value]. }
  intros w1 y' X1 K1. cbv beta in K1. assert (X01 : extends S vs w1) by (eapply extends_trans; eassumption).
  eapply runs_bind; [exact (parameter_runs F32 not_a_number (Some axis) (dims x)
    w1 1 scale q Gs Q (knows_later vs w1 1 _ eq_refl X01)) |].
  intros us s Xs (t & Dt & Ct & Ks & Hs).
  apply (binary_runs F32 F32 F32 (s_mul S) (dims x) us "Mul" [] y' s _ t _ _
    (fun i => SFmul 24 128 (float (get 0 x i - zero_at (zero_axis axis (dims scale)) zero i))
      (parameter not_a_number axis scale i)) eq_refl
    (knows_later _ _ _ _ K1 Xs) Ks (shows_tabulate _ _) Hs); [now left | reflexivity].
Qed.

Theorem dequantize32_correct axis (x : tensor Z) (scale : tensor spec_float) b :
  dequantize32_composition axis (dims x) (dims scale) = Some b -> good x -> good scale ->
  exists y, onnx_dequantize_linear axis x scale None = Some y /\
    composed S typed b [of_cells I32 x; of_cells F32 scale] = Some (of_cells F32 y).
Proof.
  intros B Gx Gs. unfold dequantize32_composition in B. destruct (parameter_dims (Some axis) (dims x) (dims scale))
    as [q |] eqn:Q; [| discriminate].
  apply some_is in B. subst b. unfold onnx_dequantize_linear, fits. rewrite Q. eexists. split; [reflexivity |].
  apply runs_composed. set (vs := map GTensor _).
  eapply runs_bind; [apply (cast_runs I32 F32 float vs f32_code 0 x ltac:(easy) eq_refl Gx); reflexivity |].
  intros ws y Xy Ky. cbv beta in Ky.
  eapply runs_bind; [exact (parameter_runs F32 not_a_number (Some axis) (dims x)
    ws 1 scale q Gs Q (knows_later vs ws 1 _ eq_refl Xy)) |].
  intros us s Xs (t & Dt & Ct & Ks & Hs).
  apply (binary_runs F32 F32 F32 (s_mul S) (dims x) us "Mul" [] y s _ t _ _
    (fun i => SFmul 24 128 (float (get 0 x i - zero_at (zero_axis axis (dims scale)) None i))
      (parameter not_a_number axis scale i)) eq_refl
    (knows_later _ _ _ _ Ky Xs) Ks (shows_each float _ _ _ (shows_self 0 x Gx)) Hs); [now left |].
  intros i _. cbn [zero_at]. rewrite Z.sub_0_r. reflexivity.
Qed.

(** ** Instances: scales 1/2 and 1/4, zero points -3 and 5, along axis 0; of 2.5 / (1/2) the half goes to even *)

Definition some_x : tensor spec_float := Tensor [2; 2]%nat [float 1; SFdiv 24 128 (float 5) (float 4); float (-100);
  not_a_number].
Definition some_scale : tensor spec_float := Tensor [2]%nat [SFdiv 24 128 (float 1) (float 2); SFdiv 24 128 (float 1) (float 4)].
Definition some_zero : tensor Z := Tensor [2]%nat [-3; 5].

Example quantize_example :
  shown_tensor (let? b := quantize_composition true 0 [2; 2]%nat [2]%nat (zero_input true (Some some_zero)) in
    composed S typed b [of_cells F32 some_x; of_cells F32 some_scale; of_cells I8 some_zero]) =
  Some ([2; 2]%nat, map (fun z => Some (I8 z)) [-1; -1; -128; 5]).
Proof. vm_compute. reflexivity. Qed.

Example dequantize_example :
  shown_tensor (let? b := dequantize_composition 0 [2; 2]%nat [2]%nat (zero_input true (Some some_zero)) in
    composed S typed b [of_cells I8 (Tensor [2; 2]%nat [-1; -3; 13; 127]); of_cells F32 some_scale; of_cells I8 some_zero]) =
  Some ([2; 2]%nat, map (fun x => Some (F32 x)) [float 1; float 0; float 2; SFdiv 24 128 (float 61) (float 2)]).
Proof. vm_compute. reflexivity. Qed.
