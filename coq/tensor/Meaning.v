(** * The tensors that values written on constants stand for

    The meaning of a node is [den (tensors ..)] of rewrite/SoundModel.v; that of a graph is
    [graph_eval] of rewrite/GraphEval.v. *)

From Coq Require Import List NArith ZArith.
From Calque Require Import base.Lists attr.Attr.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs.
Import ListNotations.
Open Scope nat_scope.

Section Meaning.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).

  Definition number (v : value) : option num :=
    match v with VInt z => Some (s_int S z) | VFloat b => Some (s_real S b) | _ => None end.

  (** A number is a scalar, a tuple of numbers a vector; a shape that is given has as many
      cells, or the number everywhere. *)
  Definition constant (v : value) (shape : option sizes) : option tensor :=
    match v with
    | VTuple vs =>
        let? l := traverse number vs in
        recast (match shape with Some ds => ds | None => [List.length l] end) (Tensor [List.length l] l)
    | _ =>
        let? a := number v in
        let ds := match shape with Some ds => ds | None => [] end in
        Some (tabulate ds (fun _ => a))
    end.
End Meaning.
