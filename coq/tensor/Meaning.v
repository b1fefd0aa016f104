(** * The meaning of a graph's nodes

    What [Graph.ge] wants: the value of a node from those of its arguments, over any scalars,
    for any values of the inputs and of the constants that have no value written on them. *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

Section Meaning.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Variables inputs constants : N -> option tensor.

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

  Definition field (k : Z) (ts : list tensor) : option tensor :=
    if (k <? 0)%Z then None else nth_error ts (Z.to_nat k).

  Definition node_value (o : Pattern.oper) (vs : list (gvalue tensor)) : option (gvalue tensor) :=
    match Pattern.what o, vs with
    | Pattern.KAbsent, [] => Some GAbsent
    | Pattern.KInput k, [] => one (inputs k)
    | Pattern.KConst k None, [] => one (constants k)
    | Pattern.KConst _ (Some v), [] =>
        one (constant v (let? s := attribute (Pattern.type o) "shape"%string in shape_of s))
    | Pattern.KCall name, _ => op_value S name (Pattern.attrs o) vs
    | Pattern.KProj k, [GTuple ts] => one (field k ts)
    | Pattern.KTuple, _ =>
        option_map GTuple (traverse (fun v => match v with GTensor t => Some t | _ => None end) vs)
    | _, _ => None
    end.
End Meaning.
