(** * The real numbers as scalars

    An instance of [real_laws].  Finite floats are the numbers that they are; what stands for none (an infinity, a NaN,
    the number less than all) is 0 here, and [erf], which Coq's library lacks, is any function. *)

From Coq Require Import Bool List NArith ZArith Reals Lra.
From Coq.Floats Require Import SpecFloat.
From Calque Require kernel.RealField.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances tensor.Factors.
Open Scope R_scope.

Definition float_real (bits : N) : R :=
  match decode bits with
  | S754_finite s m e => (if s then -1 else 1) * IZR (Zpos m) * powerRZ 2 e
  | _ => 0
  end.

Definition truth (b : bool) : R := if b then 1 else 0.
Definition less (a b : R) : bool := if Rlt_dec a b then true else false.
Definition same (a b : R) : bool := if Req_EM_T a b then true else false.

Definition reals (erf : R -> R) : arith := {|
  num := R;
  s_integer := false;
  s_int := IZR;
  s_float := float_real;
  s_ratio := fun bits z => float_real bits / IZR z;
  s_tiny := powerRZ 2 (-1074);
  s_least := 0;
  s_add := Rplus;
  s_sub := Rminus;
  s_mul := Rmult;
  s_div := Rdiv;
  s_mod := fun a b => a - b * IZR (Int_part (a / b));
  s_max := Rmax;
  s_min := Rmin;
  s_less := fun a b => truth (less a b);
  s_equal := fun a b => truth (same a b);
  s_when := fun a b => if same a 0 then 0 else b;
  s_orelse := fun a b => if same a 0 then b else a;
  s_pow := Rpower;
  s_neg := Ropp;
  s_abs := Rabs;
  s_exp := exp;
  s_log := ln;
  s_sqrt := sqrt;
  s_tanh := tanh;
  s_erf := erf;
  s_round := RealField.nearest_even;
  s_cast := fun _ a => a;
  s_index := fun _ => None
|}.

Theorem reals_laws erf : real_laws (reals erf).
Proof.
  split; [| reflexivity]. split.
  - split.
    + constructor; intros; cbn; ring.
    + reflexivity.
    + intros a b. apply plus_IZR.
  - exact R1_neq_R0.
  - intros x y. cbn. unfold Rdiv. ring.
  - intros y ne. cbn in *. unfold Rdiv. rewrite Rmult_1_l. now apply Rinv_l.
Qed.
