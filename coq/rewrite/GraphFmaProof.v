(** * The meaning of a graph whose sums of products are fused, where nothing is rounded *)

From Coq Require Import Bool List NArith String.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern rewrite.Sound rewrite.SoundModel rewrite.GraphEval rewrite.GraphFma.
From Calque Require Import kernel.Numbers kernel.LanesSums.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpLanes tensor.OpFmaProof.
From Calque Require rewrite.Typed.
Import ListNotations.

Section Same.
  Variable S : arith.
  Variable fma : num S -> num S -> num S -> num S.
  Variable in_lanes : bool.
  Notation tensor := (tensor (num S)).
  Variables inputs constants : N -> option tensor.
  Variable g : tgraph.
  Hypothesis laws : fma_laws S fma.
  Hypothesis order : in_lanes = true -> any_order (S := kernel_scalars S) sums OAdd same_sum.
  Notation M := (meaning S inputs constants g).
  Notation L := (meaning_fma S fma in_lanes inputs constants g).

  Lemma den_same o vs : Forall (fun v => well v = true) vs -> den L o vs = den M o vs.
  Proof.
    intros W. unfold den. destruct (what o) as [| k | k c | name | k |]; try reflexivity.
    cbn. unfold calls_fma, op_calls. rewrite op_value_fma_same; [reflexivity | exact laws | exact order |].
    apply Typed.strip_Forall. eapply Forall_impl; [| exact W]. intros v. apply Typed.well_value.
  Qed.

  Lemma all_well j vs : Forall2 (ge (den M) g) j vs -> Forall (fun v => well v = true) vs.
  Proof. induction 1 as [| i v l m here _ IH]; constructor; [exact (node_well _ _ _ _ g i v here) | exact IH]. Qed.

  Theorem fma_value_iff i v : ge (den L) g i v <-> ge (den M) g i v.
  Proof.
    split; intros H.
    - refine (ge_nested_ind (den L) g (fun i v => ge (den M) g i v) _ i v H). clear i v H.
      intros i n vs v at_i _ IH d. apply GE_Node with n vs; [exact at_i | exact IH |].
      rewrite <- den_same; [exact d | now apply (all_well (args n))].
    - refine (ge_nested_ind (den M) g (fun i v => ge (den L) g i v) _ i v H). clear i v H.
      intros i n vs v at_i all IH d. apply GE_Node with n vs; [exact at_i | exact IH |].
      rewrite den_same; [exact d | now apply (all_well (args n))].
  Qed.

  (** What the oracle says of the graph with its sums of products fused is what the graph means. *)
  Theorem graph_fma_same outs : wf g ->
    graph_eval_fma S fma in_lanes inputs constants g outs = graph_eval S inputs constants g outs.
  Proof.
    intros ok. unfold graph_eval_fma, graph_eval. apply traverse_ext. intros i _.
    assert (node_at_fma S fma in_lanes inputs constants g i = node_at S inputs constants g i) as ->; [| reflexivity].
    unfold node_at_fma, node_at. destruct (eval_node (den M) g i) as [v |] eqn:E.
    - apply graph_eval_iff, fma_value_iff, graph_eval_iff; auto.
    - destruct (eval_node (den L) g i) as [v |] eqn:F; [| reflexivity].
      apply graph_eval_iff, fma_value_iff, graph_eval_iff in F; auto. congruence.
  Qed.
End Same.
