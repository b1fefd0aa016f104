(** * Instances: the premises of the headline theorems about sums of floats hold together

    [NAME_applies] is the theorem [OfConvolutions.NAME]. *)

From Coq Require Import Bool Lia List NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Index tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Instances.
From Calque Require Import tensor.PadConv.
From Calque Require base.FloatSum tensor.PadFloats kernel.Kernel dpia.Syntax dpia.Values dpia.Scalars.
From Calque Require theorems.Convolutions.
Module OfConvolutions := theorems.Convolutions.
Import ListNotations.

Ltac computes := vm_compute; reflexivity.

(** 1, -1, -0, 3. *)
Definition terms (prec emax : Z) : list spec_float :=
  [binary_normalize prec emax 1 0 false; binary_normalize prec emax (-1) 0 false; S754_zero true;
   binary_normalize prec emax 3 0 false].

Definition sum_not_minus_zero_32_applies :=
  OfConvolutions.sum_not_minus_zero_32 (terms 24 128) ltac:(repeat constructor; computes).
Definition sum_not_minus_zero_64_applies :=
  OfConvolutions.sum_not_minus_zero_64 (terms 53 1024) ltac:(repeat constructor; computes).

(** 1, -1, -0 and 1, -1, +0. *)
Definition sum_up_to_zeros_applies :=
  OfConvolutions.sum_up_to_zeros 24 128
    [binary_normalize 24 128 1 0 false; binary_normalize 24 128 (-1) 0 false; S754_zero true]
    [binary_normalize 24 128 1 0 false; binary_normalize 24 128 (-1) 0 false; S754_zero false]
    ltac:(reflexivity)
    ltac:(repeat (apply Forall2_cons; [first [left; split; [reflexivity | vm_compute; discriminate] | right; split; exact I] |]);
          apply Forall2_nil).

(** A row of two that is padded by one cell on both sides, times a vector of four: the guard keeps the load inside. *)
Definition floats : Syntax.algebra := Scalars.ieee 24 128.
Definition float (z : Z) : spec_float := binary_normalize 24 128 z 0 false.
Definition vector (l : list Z) : Values.value floats :=
  @Values.Arr floats (map (fun z => Values.Num (float z : Syntax.scalar floats)) l).
Definition two_rows : list (Values.value floats) := [vector [5; 7]; vector [1; 2; 3; 4]]%Z.
Definition source : Syntax.ix Syntax.numbers := Syntax.XSub (Syntax.XVar 1) (Syntax.XCst 1).
Definition padded : Syntax.exp floats Syntax.numbers := Syntax.EIdx (Syntax.EVar 2) source.
Definition weight : Syntax.exp floats Syntax.numbers := Syntax.EIdx (Syntax.EVar 3) (Syntax.XVar 1).
Definition inside : Syntax.cond Syntax.numbers :=
  Syntax.CAnd (Syntax.CCmp Kernel.CGe source (Syntax.XCst 0)) (Syntax.CCmp Kernel.CLt source (Syntax.XCst 2)).

Lemma inside_are_numbers v x : (x < 4)%nat ->
  Syntax.holds (s := Syntax.numbers_sizing) (Values.positions (Values.Num v :: Values.Pos x :: two_rows)) inside = true ->
  exists y z,
    Values.eval (s := Syntax.numbers_sizing) (Values.Num v :: Values.Pos x :: two_rows) padded = Values.Num y /\
    Values.eval (s := Syntax.numbers_sizing) (Values.Num v :: Values.Pos x :: two_rows) weight = Values.Num z.
Proof.
  intros lt guarded. do 4 (destruct x as [| x]; [first [discriminate guarded | do 2 eexists; split; reflexivity] |]). lia.
Qed.

Definition guard_sum_product_applies :=
  OfConvolutions.guard_sum_product Syntax.numbers Syntax.numbers_sizing 24 128 4 Syntax.DNum inside padded weight two_rows
    ltac:(reflexivity) inside_are_numbers.

(** ** A convolution of a padded image: a kernel of 2 by 2 with finite cells, one 0 at each end of the rows *)

Definition numbered (S : arith) (ds : list nat) (from : Z) : tensor (num S) :=
  tabulate ds (fun i => s_int S (from + Z.of_nat (position ds i))).
Definition some_tensor {A} (o : option (tensor A)) : tensor A := match o with Some t => t | None => Tensor [] [] end.
Definition near : window := Window [1; 1] [1; 1] [0; 0; 0; 0].

Definition conv_padded_32_applies :=
  OfConvolutions.conv_padded_32 near 1 (numbered binary32 [1; 1; 2; 2] 1)
    (some_tensor (pad binary32 PadConstant 0 [0; 0; 0; 1]%Z [0; 0; 0; 1]%Z (numbered binary32 [1; 1; 2; 2] 1)))
    (numbered binary32 [1; 1; 2; 2] (-2)) (Some (numbered binary32 [1] 4)) [0; 1]%Z [0; 1]%Z
    (some_tensor (conv binary32 near 1
       (some_tensor (pad binary32 PadConstant 0 [0; 0; 0; 1]%Z [0; 0; 0; 1]%Z (numbered binary32 [1; 1; 2; 2] 1)))
       (numbered binary32 [1; 1; 2; 2] (-2)) (Some (numbered binary32 [1] 4))))
    ltac:(computes) ltac:(repeat constructor; discriminate) ltac:(repeat constructor; discriminate)
    ltac:(computes) ltac:(computes) ltac:(computes).

Definition conv_padded_64_applies :=
  OfConvolutions.conv_padded_64 near 1 (numbered binary64 [1; 1; 2; 2] 1)
    (some_tensor (pad binary64 PadConstant 0 [0; 0; 0; 1]%Z [0; 0; 0; 1]%Z (numbered binary64 [1; 1; 2; 2] 1)))
    (numbered binary64 [1; 1; 2; 2] (-2)) (Some (numbered binary64 [1] 4)) [0; 1]%Z [0; 1]%Z
    (some_tensor (conv binary64 near 1
       (some_tensor (pad binary64 PadConstant 0 [0; 0; 0; 1]%Z [0; 0; 0; 1]%Z (numbered binary64 [1; 1; 2; 2] 1)))
       (numbered binary64 [1; 1; 2; 2] (-2)) (Some (numbered binary64 [1] 4))))
    ltac:(computes) ltac:(repeat constructor; discriminate) ltac:(repeat constructor; discriminate)
    ltac:(computes) ltac:(computes) ltac:(computes).
