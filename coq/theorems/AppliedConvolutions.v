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

(** The sum over i < 3, where i is less than 2, of 2 and the number at i mod 2 of an array of two: the factors are to be
    numbers at every index.  [dpia.GuardInside] is about loads that are inside where the guard holds. *)
Definition floats : Syntax.algebra := Scalars.ieee 24 128.
Definition float (z : Z) : spec_float := binary_normalize 24 128 z 0 false.
Definition two_numbers : Values.value floats :=
  @Values.Arr floats [Values.Num (float 5 : Syntax.scalar floats); Values.Num (float 7 : Syntax.scalar floats)].
Definition two : Syntax.exp floats Syntax.numbers := Syntax.ELit (float 2 : Syntax.lit floats).
Definition number_at : Syntax.exp floats Syntax.numbers := Syntax.EIdx (Syntax.EVar 2) (Syntax.XMod (Syntax.XVar 1) 2).
Definition below_two : Syntax.cond Syntax.numbers := Syntax.CCmp Kernel.CLt (Syntax.XVar 1) (Syntax.XCst 2).

Lemma number_there v x : exists y z,
  Values.eval (s := Syntax.numbers_sizing) (v :: Values.Pos x :: [two_numbers]) two = Values.Num y /\
  Values.eval (s := Syntax.numbers_sizing) (v :: Values.Pos x :: [two_numbers]) number_at = Values.Num z.
Proof.
  assert (Z.of_nat x mod 2 = 0 \/ Z.of_nat x mod 2 = 1)%Z as [E | E].
  { pose proof (Z.mod_pos_bound (Z.of_nat x) 2 eq_refl). lia. }
  - exists (float 2), (float 5). split; [reflexivity |]. cbn. unfold Syntax.index. cbn. rewrite E. reflexivity.
  - exists (float 2), (float 7). split; [reflexivity |]. cbn. unfold Syntax.index. cbn. rewrite E. reflexivity.
Qed.

Definition guard_sum_product_applies :=
  OfConvolutions.guard_sum_product Syntax.numbers Syntax.numbers_sizing 24 128 3 Syntax.DNum below_two two number_at [two_numbers]
    ltac:(reflexivity) number_there.

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
