(** * CastLike, Size

    What only the types and the sizes of tensors say (c/onnx/expand.c): CastLike is Cast to the element type of the second
    input, Size a constant. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Ops tensor.OpTable.
From Calque Require Import tensor.Instances onnx.Composition onnx.Steps onnx.Reduced.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** Element types that are computed with. *)
Definition computed (type : Z) : bool :=
  existsb (Z.eqb type) [f32_code; u8_code; i8_code; i32_code; i64_code; bool_code; f64_code].

(** [type]: that of the second input. *)
Definition onnx_cast_like (S : arith) (type : Z) (x : tensor (num S)) : tensor (num S) :=
  tabulate (dims x) (fun i => s_cast S type (at_ S x i)).

Definition cast_like_composition (type : Z) : option (build nat) :=
  guard (computed type) (Some (apply "Cast" [("to", VInt type)] [0])).

(** [int64]: the integers of the element type. *)
Definition onnx_size (S : arith) (int64 : Z -> num S) (x : tensor (num S)) : tensor (num S) :=
  Tensor [] [int64 (Z.of_nat (cell_count (dims x)))].

Definition size_composition (ds : sizes) : option (build nat) :=
  Some (constant i64_code [] [LInt (Z.of_nat (cell_count ds))]).

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).

  Theorem cast_like_correct type (x y : tensor) b : cast_like_composition type = Some b ->
    composed S typed b [x; y] = Some (onnx_cast_like S type x).
  Proof.
    unfold cast_like_composition, guard. destruct (computed type) eqn:C; [| discriminate]. intros B. apply some_eq in B. subst b.
    apply runs_composed. apply (runs_apply S typed _ _ _ _ [GTensor x]); [repeat constructor |].
    apply cast_value. unfold computed in C. apply existsb_exists in C. destruct C as (t & I & E). apply Z.eqb_eq in E. subst t.
    cbn in I. unfold f32_code, u8_code, i8_code, i32_code, i64_code, bool_code, f64_code in I. lia.
  Qed.

  Theorem size_correct (x : tensor) b : size_composition (dims x) = Some b ->
    composed S typed b [x] = Some (onnx_size S (fun z => typed i64_code (LInt z)) x).
  Proof.
    intros B. apply some_eq in B. subst b. apply runs_composed. now apply runs_constant.
  Qed.
End Correct.

(** ** An instance: integers are cast to booleans *)

Example cast_like_example : let x := Tensor [2; 2] [5; 0; 7; 1]%Z in let typed (_ : Z) c := literal_value integers c in
  option_map (fun b => composed integers typed b [x; x]) (cast_like_composition bool_code) =
    Some (Some (onnx_cast_like integers bool_code x)) /\
  option_map (fun b => composed integers typed b [x]) (size_composition [2; 2]) = Some (Some (Tensor [] [4]%Z)).
Proof. split; reflexivity. Qed.
