(** * Instances: the premises of the headline theorems about tensors and operators hold together

    [NAME_applies] is the theorem [OfTensor.NAME] at small tensors, of integers unless it says otherwise. *)

From Coq Require Import Bool List Lia NArith String ZArith.
From Calque Require Import base.Lists attr.Attr.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsWindow tensor.OpTable tensor.Instances.
From Calque Require tensor.Infer tensor.Concat tensor.LawsMerge.
From Calque Require theorems.Tensor theorems.Oracle kernel.KernelProof kernel.Kernel.
Module OfTensor := theorems.Tensor.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Notation Z_tensor := (tensor (num integers)).

Definition counted (ds : list nat) (from : Z) : Z_tensor :=
  tabulate ds (fun i => from + Z.of_nat (position ds i))%Z.

Definition some_tensor {A} (o : option (tensor A)) : tensor A := match o with Some t => t | None => Tensor [] [] end.

Ltac computes := vm_compute; reflexivity.

(** What holds at each index of a box is checked index by index. *)
Lemma each_index (ds : list nat) (P : list Z -> Prop) :
  Forall P (Kernel.box ds) -> forall i, Kernel.in_box ds i = true -> P i.
Proof. intros F i I. apply (proj1 (Forall_forall _ _) F). now apply KernelProof.in_box_box. Qed.

Ltac at_each_index := apply each_index; vm_compute; repeat constructor.

(** ** Tensors *)

Definition tabulate_ext_applies :=
  OfTensor.tabulate_ext Z [2; 3] (fun i => nth 0 i 0 * 2)%Z (fun i => nth 0 i 0 + nth 0 i 0)%Z ltac:(at_each_index).

Definition get_tabulate_applies :=
  OfTensor.get_tabulate Z 0%Z [2; 3] (fun i => nth 0 i 0 * 10 + nth 1 i 0)%Z [1; 2]%Z ltac:(computes).

Definition tensor_ext_applies :=
  OfTensor.tensor_ext Z 0%Z (counted [2; 3] 5) (Tensor [2; 3] [5; 6; 7; 8; 9; 10]%Z) ltac:(computes) ltac:(computes) eq_refl
    ltac:(at_each_index).

Definition get_recast_applies :=
  OfTensor.get_recast Z 0%Z [3; 2] (counted [2; 3] 5) (Tensor [3; 2] [5; 6; 7; 8; 9; 10]%Z) [2; 0]%Z
    ltac:(computes) ltac:(computes) ltac:(computes).

(** ** Operators *)

Definition along_1 : attributes := [("axis", VInt 1)].
Definition left_ : Z_tensor := counted [2; 3] 1.
Definition right_ : Z_tensor := counted [2; 2] 7.
Definition both : list (gvalue Z_tensor) := [GTensor left_; GTensor right_].
Definition joined : gvalue Z_tensor :=
  Eval vm_compute in match op_value integers "Concat" along_1 both with Some v => v | None => GAbsent end.

Lemma joined_value : op_value integers "Concat" along_1 both = Some joined.
Proof. computes. Qed.

Lemma both_good : Forall Infer.good_value both.
Proof. repeat constructor. Qed.

Definition infer_sound_applies := OfTensor.infer_sound integers "Concat" along_1 both joined joined_value.

Definition infer_complete_applies :=
  OfTensor.infer_complete integers "Concat" along_1 both (GTensor [2; 5]) both_good ltac:(discriminate) ltac:(computes).

Definition op_value_good_applies := OfTensor.op_value_good integers "Concat" along_1 both joined both_good joined_value.

(** ** Formulas *)

(** A convolution in two groups, with strides, padding and a bias. *)
Definition a_window : window := Window [1; 2] [1; 1] [1; 0; 0; 1].
Definition image : Z_tensor := counted [1; 4; 3; 3] 1.
Definition kernels : Z_tensor := counted [2; 2; 2; 2] (-5).
Definition biases : Z_tensor := counted [2] 9.

Definition conv_formula_applies :=
  OfTensor.conv_formula integers a_window 2 image kernels biases
    (some_tensor (conv integers a_window 2 image kernels (Some biases))) 0 1 [2; 0]%Z
    ltac:(computes) ltac:(computes).

Definition matmul_formula_applies :=
  OfTensor.matmul_formula integers 2 3 2 left_ (counted [3; 2] 4) (some_tensor (matmul integers left_ (counted [3; 2] 4))) 1 0
    eq_refl eq_refl ltac:(computes) ltac:(computes).

Definition map2_formula_applies :=
  OfTensor.map2_formula integers (s_mul integers) left_ (counted [2; 3] 4)
    (some_tensor (map2 integers (s_mul integers) left_ (counted [2; 3] 4))) [1; 2]%Z eq_refl ltac:(computes) ltac:(computes).

(** ** Several operators of one input as one *)

Definition some_tensors {A} (o : option (list (tensor A))) : list (tensor A) := match o with Some l => l | None => [] end.

(** Two convolutions, without a bias; the second of them. *)
Definition kernel_1 : Z_tensor := counted [2; 2; 2; 2] (-5).
Definition kernel_2 : Z_tensor := counted [3; 2; 2; 2] 4.
Definition photo : Z_tensor := counted [1; 2; 3; 3] 1.
Definition close : window := Window [1; 1] [1; 1] [0; 0; 0; 0].
Definition all_kernels : Z_tensor := Eval vm_compute in some_tensor (concat integers 0 kernel_1 [kernel_2]).
Definition all_convs : Z_tensor := Eval vm_compute in some_tensor (conv integers close 1 photo all_kernels None).
Definition conv_2 : Z_tensor := Eval vm_compute in some_tensor (conv integers close 1 photo kernel_2 None).
Definition conv_parts : list Z_tensor := Eval vm_compute in some_tensors (split integers 1 [2; 3] all_convs).

Definition parallel_conv_applies :=
  OfTensor.parallel_conv integers close photo kernel_1 all_kernels [kernel_2] None None all_convs conv_parts 1
    (nth 1 conv_parts photo) kernel_2 conv_2
    ltac:(computes) ltac:(computes) ltac:(computes) ltac:(computes) eq_refl ltac:(computes) ltac:(reflexivity).

(** Two products of one matrix. *)
Definition weights_1 : Z_tensor := counted [3; 2] 4.
Definition weights_2 : Z_tensor := counted [3; 1] (-8).
Definition all_weights : Z_tensor := Eval vm_compute in some_tensor (concat integers 1 weights_1 [weights_2]).
Definition all_products : Z_tensor := Eval vm_compute in some_tensor (matmul integers left_ all_weights).
Definition product_parts : list Z_tensor := Eval vm_compute in some_tensors (split integers 1 [2; 1] all_products).

Definition parallel_matmul_applies :=
  OfTensor.parallel_matmul integers [] 3 left_ weights_1 all_weights [weights_2] all_products product_parts 1
    (nth 1 product_parts left_) weights_2 (some_tensor (matmul integers left_ weights_2))
    ltac:(intros v [<- | [<- | []]]; [now exists 2 | now exists 1])
    ltac:(computes) ltac:(computes) ltac:(computes) ltac:(computes) eq_refl ltac:(computes).

(** Two dense layers, their bits of the scales those of 1. *)
Definition one_bits : N := 4607182418800017408.
Definition bias_1 : Z_tensor := counted [2] 100.
Definition bias_2 : Z_tensor := counted [1] (-3).
Definition all_biases : Z_tensor := Eval vm_compute in some_tensor (concat integers 0 bias_1 [bias_2]).
Definition all_layers : Z_tensor :=
  Eval vm_compute in some_tensor (gemm integers one_bits one_bits false false left_ all_weights (Some all_biases)).
Definition layer_parts : list Z_tensor := Eval vm_compute in some_tensors (split integers 1 [2; 1] all_layers).

Lemma layer_biases j v d :
  nth_error [weights_1; weights_2] j = Some v -> nth_error [bias_1; bias_2] j = Some d ->
  dims d = [LawsMerge.along integers 1 v].
Proof. destruct j as [| [| j]]; cbn; intros V D; [| | now destruct j]; injection V as <-; injection D as <-; reflexivity. Qed.

Definition parallel_gemm_applies :=
  OfTensor.parallel_gemm integers one_bits one_bits false false left_ weights_1 all_weights bias_1 all_biases
    [weights_2] [bias_2] all_layers layer_parts 1 (nth 1 layer_parts left_) weights_2 bias_2
    (some_tensor (gemm integers one_bits one_bits false false left_ weights_2 (Some bias_2)))
    layer_biases eq_refl ltac:(computes) ltac:(computes) ltac:(computes) ltac:(computes) ltac:(computes) eq_refl eq_refl
    ltac:(computes).

Definition where_int64_applies := OfTensor.where_int64 1 (-7) 5 eq_refl eq_refl.

Definition tanh_odd_applies := OfTensor.tanh_odd (SpecFloat.S754_infinity false) ltac:(discriminate).
Definition erf_odd_applies := OfTensor.erf_odd (SpecFloat.S754_zero true) ltac:(discriminate).
