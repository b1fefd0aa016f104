(** * The meaning of a graph whose sums are in lanes

    What [--sums=lanes] makes of a model: as [GraphEval], each operator by the value that it has
    then.  Where sums do not depend on their order ([tensor.OpLanesProof]), it is the same. *)

From Coq Require Import Bool List NArith String.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern rewrite.Sound rewrite.SoundModel rewrite.GraphEval.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.IndexProof tensor.OpTable tensor.OpLanes.
Import ListNotations.

Section Eval.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Variables inputs constants : N -> option tensor.

  Definition calls_lanes (name : string) (at_ : attributes) (vs : list (val tensor)) : option (val tensor) :=
    let? v := op_value_lanes S name at_ vs in guard (well v && stated name at_ v) (Some v).

  Lemma lanes_states name l at_ vs v s : states_shape name l = true -> type_label l = true ->
    calls_lanes name at_ vs = Some v -> look_up String.eqb at_ l = Some s -> describes_value v l s.
  Proof. intros st _. now apply stated_describes. Qed.

  Definition meaning_lanes (g : tgraph) : model tensor :=
    Model tensor calls_lanes (fun k => checked S (inputs k)) (const_value S constants (written_shape g))
      describes_value owns_shape states_shape lanes_states.

  Definition node_at_lanes (g : tgraph) (i : nat) : option (val tensor) := eval_node (den (meaning_lanes g)) g i.

  Definition graph_eval_lanes (g : tgraph) (outs : list nat) : option (list tensor) :=
    traverse (fun i => let? v := node_at_lanes g i in tensor_in v) outs.
End Eval.
