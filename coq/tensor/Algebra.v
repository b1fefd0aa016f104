(** * The scalars of operators

    What the elements of tensors are: the literals, operators, functions and
    reductions that the kernels of operators are written with, with any meaning.
    No law is assumed.  Literals are symbols, so that a kernel does not depend on
    how numbers are rounded. *)

From Coq Require Import Bool List Arith NArith ZArith.
From Calque Require Import kernel.Kernel.
From Calque Require kernel.Numbers.
Import ListNotations.
Open Scope Z_scope.

Inductive num :=
  | NInt (z : Z)                 (** an integer *)
  | NReal (bits : N)             (** an attribute, a binary64: rounded to the element type *)
  | NRatio (bits : N) (n : Z)    (** the same divided by an integer, in binary32 *)
  | NTiny                        (** the least positive number *)
  | NLeast.                      (** less than every number: minus infinity *)

Record algebra := Algebra {
  car : Type;
  num_value : num -> car;
  op2 : Numbers.operator -> car -> car -> car;
  fn : Numbers.function -> list car -> car }.

Definition zero_of (A : algebra) : car A := num_value A (NInt 0).

(** The scalars of kernels. *)
Definition kscalars (A : algebra) : scalars :=
  {| carrier := car A; lit := num; bop := Numbers.operator; fid := Numbers.function;
     lit_value := num_value A; bop_value := op2 A; fid_value := fn A;
     zero := zero_of A; red := Numbers.reduction;
     red_start := fun r => match r with
                           | Numbers.KSum => zero_of A
                           | Numbers.KMax => num_value A NLeast
                           end;
     red_step := fun r => match r with
                          | Numbers.KSum => op2 A Numbers.OAdd
                          | Numbers.KMax => fun a b => fn A Numbers.FMax [a; b]
                          end |}.

(** Without values: for printing. *)
Definition symbols : algebra :=
  {| car := unit; num_value := fun _ => tt; op2 := fun _ _ _ => tt; fn := fun _ _ => tt |}.

(** A reduction over the box with sides [ns], from the left.  Over a single cell it is
    that cell, not the start and one step: kernels have no reduction there, and
    0 + x need not be x. *)
Definition over {S} (step : S -> S -> S) (start : S) (ns : list nat) (f : list Z -> S) : S :=
  if forallb (fun n => n =? 1)%nat ns then f (map (fun _ => 0) ns)
  else fold_left (fun acc k => step acc (f k)) (box ns) start.

(** Attributes that are real, by their bits: what rounds to 1 and to 0 in binary32, and
    the infinities. *)
Definition real_is_one (b : N) : bool :=
  (4607182418531581952 <=? b)%N && (b <=? 4607182419068452864)%N.
Definition real_is_zero (b : N) : bool := (b mod 9223372036854775808 <=? 3931642474694443008)%N.
Definition real_is_inf (b : N) : bool := (b =? 9218868437227405312)%N.
Definition real_is_minus_inf (b : N) : bool := (b =? 18442240474082181120)%N.
