(** * The scalars of kernel text

    Literals, operators and functions of the text, with the meaning they have in
    kernels of type int64: arithmetic wraps, // and % round down, division by zero
    has no value, and neither have the functions of floats.  A reduction carries the
    numbers of its variables, so that names survive inlining. *)

From Coq Require Import List ZArith.
From Calque Require Import kernel.Kernel.
Import ListNotations.
Open Scope Z_scope.

Inductive operator := OAdd | OSub | OMul | ODiv | OMod.
Inductive function :=
  FMax | FMin | FPow | FNeg | FExp | FLog | FSqrt | FTanh | FAbs | FErf |
  FRound |                                (** to the nearest integer, the even one of two *)
  FLess | FEqual |
  FWhen |                                 (** the second where the first is not 0, else 0 *)
  FOrelse |                               (** the first unless it is 0, then the second *)
  FCast (to : Z).                         (** to the element type with this ONNX code *)
Inductive reduction := KSum | KMax.

Definition least : Z := - 2 ^ 63.
Definition wrap (z : Z) : Z := (z - least) mod 2 ^ 64 + least.

Definition lift2 (f : Z -> Z -> option Z) (a b : option Z) : option Z :=
  match a, b with
  | Some y, Some z => option_map wrap (f y z)
  | _, _ => None
  end.

Definition operator_value (o : operator) : option Z -> option Z -> option Z :=
  lift2 (fun y z =>
    match o with
    | OAdd => Some (y + z)
    | OSub => Some (y - z)
    | OMul => Some (y * z)
    | ODiv => if z =? 0 then None else Some (y / z)
    | OMod => if z =? 0 then None else Some (y mod z)
    end).

Definition function_value (f : function) (l : list (option Z)) : option Z :=
  match f, l with
  | FMax, [a; b] => lift2 (fun y z => Some (if y <? z then z else y)) a b
  | FMin, [a; b] => lift2 (fun y z => Some (if z <? y then z else y)) a b
  | FLess, [a; b] => lift2 (fun y z => Some (if y <? z then 1 else 0)) a b
  | FEqual, [a; b] => lift2 (fun y z => Some (if y =? z then 1 else 0)) a b
  | FWhen, [a; b] => lift2 (fun y z => Some (if y =? 0 then 0 else z)) a b
  | FOrelse, [a; b] => lift2 (fun y z => Some (if y =? 0 then z else y)) a b
  | FNeg, [Some z] => Some (wrap (- z))
  | FAbs, [Some z] => Some (wrap (Z.abs z))
  | FCast to, [a] => if to =? 7 then a else None
  | _, _ => None
  end.

Definition int64s : scalars :=
  {| carrier := option Z; lit := Z; bop := operator; fid := function;
     lit_value := Some; bop_value := operator_value; fid_value := function_value;
     zero := Some 0; red := reduction * list Z;
     red_start := fun r => Some (match fst r with KSum => 0 | KMax => least end);
     red_step := fun r => match fst r with
                          | KSum => operator_value OAdd
                          | KMax => lift2 (fun y z => Some (if y <? z then z else y))
                          end |}.

(** What the oracle runs, at these scalars. *)
Definition kernel_exec : stmt int64s -> store int64s -> store int64s := exec.
