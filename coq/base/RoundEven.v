(** * A float to the nearest integer, the even one of two

    By IEEE operations alone, so on every machine the same: a number from 2^(prec - 1) on is an integer, and so
    is a sum with it, which is rounded to nearest even.  The sign stays: -0.3 gives -0. *)

From Coq Require Import ZArith.
From Coq.Floats Require Import SpecFloat.
Open Scope Z_scope.

(** Not a number has no sign. *)
Definition sign (x : spec_float) : bool :=
  match x with S754_zero s | S754_infinity s | S754_finite s _ _ => s | S754_nan => false end.
Definition with_sign (x y : spec_float) : spec_float := if sign y then SFopp (SFabs x) else SFabs x.

Definition round_even (prec emax : Z) (x : spec_float) : spec_float :=
  let a := SFabs x in
  let power := binary_normalize prec emax (2 ^ (prec - 1)) 0 false in
  with_sign (if SFltb a power then SFsub prec emax (SFadd prec emax a power) power else a) x.
