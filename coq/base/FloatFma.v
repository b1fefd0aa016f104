(** * A product and a sum, rounded once

    The fused multiply-add of floats as [SpecFloat] has them, of any precision: C's [fmaf] and
    [fma].  Of finite numbers the product is taken as it is and added exactly; what is no number, and
    infinities, are those of the product and the sum. *)

From Coq Require Import Bool List ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.FloatSum.
Import ListNotations.
Open Scope Z_scope.

Section Fma.
  Variables prec emax : Z.

  (** The mantissa, with its sign, of the number at a lower exponent. *)
  Definition mantissa_at (s : bool) (m : positive) (e low : Z) : Z := cond_Zopp s (Zpos (fst (shl_align m e low))).

  (** [x y + z] *)
  Definition SFfma (x y z : spec_float) : spec_float :=
    match x, y, z with
    | S754_finite sx mx ex, S754_finite sy my ey, S754_finite sz mz ez =>
        let low := Z.min (ex + ey) ez in
        binary_normalize prec emax (mantissa_at (xorb sx sy) (mx * my) (ex + ey) low + mantissa_at sz mz ez low) low false
    | S754_finite _ _ _, S754_finite _ _ _, S754_zero _ => SFmul prec emax x y
    | S754_finite _ _ _, S754_finite _ _ _, _ => z
    | _, _, _ => SFadd prec emax (SFmul prec emax x y) z
    end.

  Theorem fma_comm x y z : SFfma x y z = SFfma y x z.
  Proof.
    assert (M : SFmul prec emax x y = SFmul prec emax y x).
    { destruct x as [s | s | | s m e], y as [t | t | | t n f]; try reflexivity; cbn; rewrite (xorb_comm t s); try reflexivity.
      now rewrite Pos.mul_comm, (Z.add_comm e f). }
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; try exact (f_equal (fun u => SFadd prec emax u z) M).
    destruct z as [u | u | | u k g]; [exact M | reflexivity | reflexivity |].
    cbn [SFfma]. now rewrite xorb_comm, Pos.mul_comm, (Z.add_comm e f).
  Qed.

  (** -0 adds nothing. *)
  Theorem add_minus_zero x : SFadd prec emax x (S754_zero true) = x.
  Proof. now destruct x as [[|] | [|] | | s m e]. Qed.
End Fma.

(** What IEEE 754 says of the special cases, in binary32. *)
Notation fma32 := (SFfma 24 128).
Notation huge := (S754_finite false 16777215 104).

Example fma_special :
  fma32 huge huge (S754_infinity true) = S754_infinity true /\          (** the product is finite *)
  fma32 (S754_infinity false) (S754_zero true) huge = S754_nan /\
  fma32 (S754_infinity false) huge (S754_infinity true) = S754_nan /\
  fma32 huge huge (S754_finite true 1 (-149)) = S754_infinity false /\
  fma32 S754_nan huge huge = S754_nan /\
  fma32 huge (S754_zero true) (S754_zero false) = S754_zero false /\
  fma32 huge (S754_zero true) (S754_zero true) = S754_zero true.
Proof. repeat split. Qed.

(** It rounds once: (1 + 2^-23) (1 - 2^-23) - 1 is -2^-46, the product rounded is 1. *)
Example fma_rounds_once :
  let a := S754_finite false 8388609 (-23) in
  let b := S754_finite false 16777214 (-24) in
  let minus_one := S754_finite true 8388608 (-23) in
  fma32 a b minus_one = S754_finite true 8388608 (-69) /\
  SFadd 24 128 (SFmul 24 128 a b) minus_one = S754_zero false.
Proof. vm_compute. repeat split. Qed.

(** A sum of rounded products from +0 is never -0 ([products_not_minus_zero_32]); of fused ones it can be,
    so that +0 is no neutral element of such sums: -0 is. *)
Example fused_sum_minus_zero :
  let a := S754_finite true 8507059 (-123) in
  let b := S754_finite false 8507059 (-123) in
  let sum := fma32 a b (S754_zero false) in
  sum = S754_zero true /\ SFadd 24 128 sum (S754_zero false) <> sum /\ SFadd 24 128 sum (S754_zero true) = sum.
Proof. vm_compute. repeat split. discriminate. Qed.
