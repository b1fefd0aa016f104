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
  Proof.
    unfold states_shape. intros st _ C L. apply andb_true_iff in st. destruct st as [El st].
    apply String.eqb_eq in El. subst l. unfold calls_lanes in C.
    destruct (op_value_lanes S name at_ vs) as [w |]; [| discriminate]. unfold guard in C.
    destruct (well w && stated name at_ w) eqn:G; [| discriminate]. injection C as ->.
    apply andb_true_iff in G. destruct G as [_ G]. unfold stated, states_shape in G. rewrite st in G. simpl in G.
    unfold attribute in G. rewrite L in G. destruct v as [t | |]; try easy.
    split; [intros _ | discriminate]. destruct (shape_of s) as [ds |]; [| discriminate].
    apply sizes_eqb_iff in G. now subst.
  Qed.

  Definition meaning_lanes (g : tgraph) : model tensor :=
    Model tensor calls_lanes (fun k => checked S (inputs k)) (const_value S constants (written_shape g))
      describes_value owns_shape states_shape lanes_states.

  Definition node_at_lanes (g : tgraph) (i : nat) : option (val tensor) := eval_node (den (meaning_lanes g)) g i.

  Definition graph_eval_lanes (g : tgraph) (outs : list nat) : option (list tensor) :=
    traverse (fun i => let? v := node_at_lanes g i in tensor_in v) outs.
End Eval.
