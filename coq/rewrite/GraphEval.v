(** * The meaning of a graph

    A node means [den (tensors ..)]; the sizes of a constant are those that are written on it.
    This is the one meaning: what rewriting and folding keep, what rules are refuted by, and
    what the oracle evaluates. *)

From Coq Require Import List NArith String.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern rewrite.Sound rewrite.SoundModel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs.
Import ListNotations.

(** The sizes of the constants, as they are written on their nodes. *)
Definition written_shape (g : tgraph) (k : N) : option sizes :=
  match find (fun n => match what (op n) with KConst j _ => N.eqb j k | _ => false end) g with
  | Some n => match look_up String.eqb (type (op n)) "shape"%string with Some s => shape_of s | None => None end
  | None => None
  end.

Section Eval.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Variables inputs constants : N -> option tensor.

  Definition meaning (g : tgraph) : model tensor := tensors S inputs constants (written_shape g).

  (** The value of a node: a tensor, several of them, or that of an absent input. *)
  Definition node_at (g : tgraph) (i : nat) : option (val tensor) := eval_node (den (meaning g)) g i.

  (** The tensors at the outputs. *)
  Definition graph_eval (g : tgraph) (outs : list nat) : option (list tensor) :=
    traverse (fun i => let? v := node_at g i in tensor_in v) outs.
End Eval.
