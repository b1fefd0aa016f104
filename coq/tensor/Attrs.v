(** * Attributes of operators

    Read as c/tensor/ops.def says: each of one kind, the ones with a default may be left out. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor.
Import ListNotations.
Open Scope nat_scope.

Notation "'let?' x := a 'in' b" := (match a with Some x => b | None => None end)
  (at level 200, x pattern, b at level 200).

Definition guard {A} (b : bool) (o : option A) : option A := if b then o else None.

Notation sizes := (list nat).
Notation attributes := (list (label * value)).

Definition natural (v : value) : option nat :=
  match v with VInt z => if (0 <=? z)%Z then Some (Z.to_nat z) else None | _ => None end.

Definition shape_of (v : value) : option (list nat) :=
  match v with VTuple vs => traverse natural vs | _ => None end.

Definition attribute (l : attributes) (name : label) : option value := look_up String.eqb l name.

Definition int_of (v : value) : option Z := match v with VInt z => Some z | _ => None end.
Definition ints_of (v : value) : option (list Z) :=
  match v with VTuple vs => traverse int_of vs | _ => None end.
Definition real_of (v : value) : option N := match v with VFloat b => Some b | _ => None end.
Definition text_of (v : value) : option string := match v with VStr s => Some s | _ => None end.

Section Attributes.
  Variable l : attributes.

  (** The attribute if it is there, else the default. *)
  Definition attr_or {A} (read : value -> option A) (name : label) (default : option A) : option A :=
    match attribute l name with Some v => read v | None => default end.

  Definition int_attr := attr_or int_of.
  Definition ints_attr := attr_or ints_of.
  Definition nat_attr := attr_or natural.
  Definition sizes_attr := attr_or shape_of.
  Definition real_attr := attr_or real_of.
  Definition text_attr := attr_or text_of.
  Definition bool_attr (name : label) (default : option bool) : option bool :=
    attr_or (fun v => match v with VInt 0 => Some false | VInt 1 => Some true | _ => None end) name default.
End Attributes.

(** ** Axes *)

Definition has (k : nat) (axes : list nat) : bool := existsb (Nat.eqb k) axes.

Fixpoint distinct (l : list nat) : bool :=
  match l with [] => true | a :: l' => negb (has a l') && distinct l' end.

(** Counted from the end if negative, at least [- rank] and less than [limit]. *)
Definition axis_of (rank limit : nat) (z : Z) : option nat :=
  if (- Z.of_nat rank <=? z)%Z && (z <? Z.of_nat limit)%Z
  then Some (Z.to_nat (if (z <? 0)%Z then z + Z.of_nat rank else z)) else None.

Definition axis_attr (l : attributes) (name : label) (default : option Z) (rank limit : nat) : option nat :=
  let? z := int_attr l name default in axis_of rank limit z.

Definition axes_of (rank : nat) (zs : list Z) : option (list nat) :=
  let? axes := traverse (axis_of rank rank) zs in guard (distinct axes) (Some axes).

(** The attribute [axes]; left out: all of them. *)
Definition axes_attr (l : attributes) (rank : nat) : option (list nat) :=
  match attribute l "axes"%string with
  | None => Some (seq 0 rank)
  | Some v => let? zs := ints_of v in axes_of rank zs
  end.

Definition marks (rank : nat) (axes : list nat) : list bool := map (fun k => has k axes) (seq 0 rank).
