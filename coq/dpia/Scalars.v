(** * Scalar structures: IEEE binary32 and binary64, and the integers

    Floats are the library's [SpecFloat]: operations on integers, rounded to
    nearest even, one NaN, no primitive and no assumption.  Maximum and minimum
    are comparisons ([a < b ? b : a], [b < a ? b : a]), as in emitted C. *)

From Coq Require Import ZArith Bool String.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.RoundEven dpia.Syntax.

Inductive unary := Neg | Abs | Sqrt | Round.
Inductive binary := Add | Sub | Mul | Div | Mod | Max | Min | Less | Equal | When | Orelse.

Definition ieee (prec emax : Z) : algebra := {|
  scalar := spec_float;
  lit := spec_float;
  uop := unary;
  bop := binary;
  lit_val := fun x => x;
  uop_val := fun o =>
    match o with Neg => SFopp | Abs => SFabs | Sqrt => SFsqrt prec emax | Round => round_even prec emax end;
  bop_val := fun o x y =>
    match o with
    | Add => SFadd prec emax x y
    | Sub => SFsub prec emax x y
    | Mul => SFmul prec emax x y
    | Div => SFdiv prec emax x y
    | Mod => S754_nan                    (** integers only *)
    | Max => if SFltb x y then y else x
    | Min => if SFltb y x then y else x
    | Less => if SFltb x y then binary_normalize prec emax 1 0 false else S754_zero false
    | Equal => if SFeqb x y then binary_normalize prec emax 1 0 false else S754_zero false
    | When => if SFeqb x (S754_zero false) then S754_zero false else y
    | Orelse => match x with S754_zero false => y | _ => x end
    end |}.

Definition binary32 : algebra := ieee 24 128.
Definition binary64 : algebra := ieee 53 1024.

(** Division rounds down. *)
Inductive unary_z := NegZ | AbsZ.

Definition integers : algebra := {|
  scalar := Z;
  lit := Z;
  uop := unary_z;
  bop := binary;
  lit_val := fun x => x;
  uop_val := fun o => match o with NegZ => Z.opp | AbsZ => Z.abs end;
  bop_val := fun o x y =>
    match o with
    | Add => (x + y)%Z
    | Sub => (x - y)%Z
    | Mul => (x * y)%Z
    | Div => (x / y)%Z
    | Mod => (x mod y)%Z
    | Max => if (x <? y)%Z then y else x
    | Min => if (y <? x)%Z then y else x
    | Less => if (x <? y)%Z then 1%Z else 0%Z
    | Equal => if (x =? y)%Z then 1%Z else 0%Z
    | When => if (x =? 0)%Z then 0%Z else y
    | Orelse => if (x =? 0)%Z then y else x
    end |}.

(** Integers of [bits] bits that wrap around; division by 0 gives 0, remainder by 0 or -1 too. *)
Definition wrap (bits : Z) (x : Z) : Z := ((x + 2 ^ (bits - 1)) mod 2 ^ bits - 2 ^ (bits - 1))%Z.

Definition machine (bits : Z) : algebra := {|
  scalar := Z;
  lit := Z;
  uop := unary_z;
  bop := binary;
  lit_val := wrap bits;
  uop_val := fun o x => match o with NegZ => wrap bits (- x) | AbsZ => wrap bits (Z.abs x) end;
  bop_val := fun o x y =>
    match o with
    | Add => wrap bits (x + y)
    | Sub => wrap bits (x - y)
    | Mul => wrap bits (x * y)
    | Div => if (y =? 0)%Z then 0%Z else wrap bits (x / y)
    | Mod => if ((y =? 0) || (y =? -1))%Z then 0%Z else (x mod y)%Z
    | Max => if (x <? y)%Z then y else x
    | Min => if (y <? x)%Z then y else x
    | Less => if (x <? y)%Z then 1%Z else 0%Z
    | Equal => if (x =? y)%Z then 1%Z else 0%Z
    | When => if (x =? 0)%Z then 0%Z else y
    | Orelse => if (x =? 0)%Z then y else x
    end |}.

(** No meaning at all: what is translated and printed, not run. *)
Definition words : algebra := {|
  scalar := unit;
  lit := string;
  uop := string;
  bop := string;
  lit_val := fun _ => tt;
  uop_val := fun _ _ => tt;
  bop_val := fun _ _ _ => tt |}.
