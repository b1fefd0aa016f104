(** * The meaning of a graph whose sums of products are fused

    What [--fma] makes of a model: as [GraphEval], each operator by the value that it has then,
    with [--sums=lanes] or without.  Where a fused multiply-add is a product and a sum it is what the
    graph means ([rewrite.GraphFmaProof]). *)

From Coq Require Import Bool List NArith String.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern rewrite.Sound rewrite.SoundModel rewrite.GraphEval.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.IndexProof tensor.OpTable tensor.OpFma.
Import ListNotations.

Section Eval.
  Variable S : arith.
  Variable fma : num S -> num S -> num S -> num S.
  Variable in_lanes : bool.
  Notation tensor := (tensor (num S)).
  Variables inputs constants : N -> option tensor.

  Definition calls_fma (name : string) (at_ : attributes) (vs : list (val tensor)) : option (val tensor) :=
    let? v := op_value_fma S fma in_lanes name at_ vs in guard (well v && stated name at_ v) (Some v).

  Lemma fma_states name l at_ vs v s : states_shape name l = true -> type_label l = true ->
    calls_fma name at_ vs = Some v -> look_up String.eqb at_ l = Some s -> describes_value v l s.
  Proof. intros st _. now apply stated_describes. Qed.

  Definition meaning_fma (g : tgraph) : model tensor :=
    Model tensor calls_fma (fun k => checked S (inputs k)) (const_value S constants (written_shape g))
      describes_value owns_shape states_shape fma_states.

  Definition node_at_fma (g : tgraph) (i : nat) : option (val tensor) := eval_node (den (meaning_fma g)) g i.

  Definition graph_eval_fma (g : tgraph) (outs : list nat) : option (list tensor) :=
    traverse (fun i => let? v := node_at_fma g i in tensor_in v) outs.
End Eval.
