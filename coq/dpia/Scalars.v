(** * Scalar structures: IEEE binary32 and binary64, and the integers

    Floats are the library's [SpecFloat]: operations on integers, rounded to
    nearest even, one NaN, no primitive and no assumption.  Maximum and minimum
    are comparisons ([a < b ? b : a], [b < a ? b : a]), as in emitted C. *)

From Coq Require Import ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import dpia.Syntax.

Inductive unary := Neg | Abs | Sqrt.
Inductive binary := Add | Sub | Mul | Div | Max | Min.

Definition ieee (prec emax : Z) : algebra := {|
  scalar := spec_float;
  lit := spec_float;
  uop := unary;
  bop := binary;
  lit_val := fun x => x;
  uop_val := fun o =>
    match o with Neg => SFopp | Abs => SFabs | Sqrt => SFsqrt prec emax end;
  bop_val := fun o x y =>
    match o with
    | Add => SFadd prec emax x y
    | Sub => SFsub prec emax x y
    | Mul => SFmul prec emax x y
    | Div => SFdiv prec emax x y
    | Max => if SFltb x y then y else x
    | Min => if SFltb y x then y else x
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
    | Max => if (x <? y)%Z then y else x
    | Min => if (y <? x)%Z then y else x
    end |}.
