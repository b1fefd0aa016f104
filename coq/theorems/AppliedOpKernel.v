(** * Instances: the premises of the headline theorems about the kernels of operators hold together

    [NAME_applies] is the theorem [OfOpKernel.NAME] at a Gather of rows and a convolution, over 64-bit integers. *)

From Coq Require Import Bool List Lia Arith String ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Ops tensor.OpTable tensor.OpKernel tensor.Instances.
From Calque Require tensor.OpIndex tensor.OpIndexProof tensor.OpCorrect.
From Calque Require theorems.OpKernel.
Module OfOpKernel := theorems.OpKernel.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Notation words := (tensor (num int64)).
Definition some_value {A} (o : option (gvalue A)) : gvalue A := match o with Some v => v | None => GAbsent end.
Definition some_program (o : option (prog (kernel_scalars int64))) : prog (kernel_scalars int64) :=
  match o with Some p => p | None => [] end.

(** A store with these inputs, zero elsewhere. *)
Definition holding (ts : list words) : store (kernel_scalars int64) := fun t i =>
  match find (fun k => t =? tX k) (seq 0 (List.length ts)) with
  | Some k => match nth_error ts k with Some x => get (s_zero int64) x i | None => Some 0%Z end
  | None => Some 0%Z
  end.

(** ** Gather at the last row and the first *)

Definition axis_0 : attributes := [("axis", VInt 0)].
Definition rows : words := Tensor [3; 2] (map Some [10; 11; 20; 21; 30; 31]%Z).
Definition chosen : words := Tensor [2] [Some 2%Z; Some (-3)%Z].
Definition index : list Z := [2; -3]%Z.
Definition gathered : gvalue words := some_value (op_value int64 "Gather" axis_0 [GTensor rows; GTensor chosen]).
Definition gather_kernel : prog (kernel_scalars int64) :=
  some_program (op_kernel int64 "Gather" axis_0 [[3; 2]; [2]] (OpCorrect.result_dims int64 gathered) (s_integer int64) index).

Lemma gathered_is : op_value int64 "Gather" axis_0 (map GTensor [rows; chosen]) = Some gathered.
Proof. reflexivity. Qed.

Lemma gather_kernel_is :
  op_kernel int64 "Gather" axis_0 (map dims [rows; chosen]) (OpCorrect.result_dims int64 gathered) (s_integer int64) index =
  Some gather_kernel.
Proof. reflexivity. Qed.

Lemma both_good : Forall good [rows; chosen].
Proof. repeat constructor. Qed.

Lemma index_given : OpCorrect.given int64 "Gather" [rows; chosen] index.
Proof. intros _ x ix E. injection E as <- <-. reflexivity. Qed.

Lemma both_held : forall k t, nth_error [rows; chosen] k = Some t -> forall i,
  holding [rows; chosen] (tX k) i = get (s_zero int64) t i.
Proof. intros [| [| k]] t E i; cbn in E; [| | now destruct k]; injection E as <-; reflexivity. Qed.

Definition op_kernel_correct_applies :=
  OfOpKernel.op_kernel_correct int64 "Gather" axis_0 [rows; chosen] gathered index gather_kernel (holding [rows; chosen])
    gathered_is gather_kernel_is both_good index_given both_held.

Definition op_kernel_exists_applies :=
  OfOpKernel.op_kernel_exists int64 "Gather" axis_0 [rows; chosen] gathered index gathered_is both_good index_given
    ltac:(intros _ I; repeat (destruct I as [E | I]; [discriminate E |]); exact I)
    ltac:(intros I; repeat (destruct I as [E | I]; [discriminate E |]); destruct I)
    ltac:(intros _; cbn; lia).

Definition shapes (t : tid) : list nat := if t =? tX 0 then [3; 2] else if t =? tX 1 then [2] else [2; 2].

Definition op_kernel_safe_applies :=
  OfOpKernel.op_kernel_safe int64 shapes "Gather" axis_0 [rows; chosen] gathered index gather_kernel
    gathered_is gather_kernel_is both_good index_given
    ltac:(intros [| [| k]] t E; cbn in E; [| | now destruct k]; injection E as <-; reflexivity)
    ltac:(intros s [<- | []]; reflexivity).

Definition op_kernel_stores_once_applies :=
  OfOpKernel.op_kernel_stores_once int64 "Gather" axis_0 [[3; 2]; [2]] (OpCorrect.result_dims int64 gathered) (s_integer int64)
    index gather_kernel gather_kernel_is.

(** ** A convolution with padding, without a bias *)

Definition conv_attributes : attributes :=
  [("kernel_shape", VTuple [VInt 2; VInt 2]); ("strides", VTuple [VInt 1; VInt 1]); ("dilations", VTuple [VInt 1; VInt 1]);
   ("pads", VTuple [VInt 1; VInt 0; VInt 0; VInt 0]); ("group", VInt 1)].
Definition image : words := Tensor [1; 1; 2; 2] (map Some [1; 2; 3; 4]%Z).
Definition weights : words := Tensor [1; 1; 2; 2] (map Some [1; 0; -1; 5]%Z).
Definition convolved : gvalue words := some_value (op_value int64 "Conv" conv_attributes [GTensor image; GTensor weights]).
Definition conv_kernel : prog (kernel_scalars int64) :=
  some_program (op_kernel int64 "Conv" conv_attributes [[1; 1; 2; 2]; [1; 1; 2; 2]]
    (OpCorrect.result_dims int64 convolved) (s_integer int64) []).

Definition op_kernel_correct_conv :=
  OfOpKernel.op_kernel_correct int64 "Conv" conv_attributes [image; weights] convolved [] conv_kernel (holding [image; weights])
    ltac:(reflexivity) ltac:(reflexivity) ltac:(repeat constructor) ltac:(discriminate)
    ltac:(intros [| [| k]] t E i; cbn in E; [| | now destruct k]; injection E as <-; reflexivity).

(** ** Index expressions: i + j, 3 i, i / 3, i mod 3 for i = 4 below 5, j = 1 below 2 *)

Definition index_value_applies :=
  OfOpKernel.index_value [4; 1]%Z (OpIndex.ix_var 0 5) (OpIndex.ix_var 1 2) 4 1 3
    (OpIndexProof.sees_atom [4; 1]%Z (IVar 0) 0 4 ltac:(cbn; lia))
    (OpIndexProof.sees_atom [4; 1]%Z (IVar 1) 0 1 ltac:(cbn; lia)) ltac:(lia).
