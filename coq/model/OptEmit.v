(** * Rewriting, then emission *)

From Coq Require Import List NArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundModel.
From Calque Require rewrite.ProvedSound.
From Calque Require Import model.Unit model.Compile model.ModelProof.
Import ListNotations.

Section OptEmit.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation M := (tensors S inputs constants shapes).

  Lemma same_outputs g outs h outs' : wf g -> wf h -> same_values (den M) g outs h outs' ->
    outputs_of S inputs constants shapes g outs = outputs_of S inputs constants shapes h outs'.
  Proof.
    intros okg okh same. unfold outputs_of. induction same as [| o p outs outs' E _ IH]; [reflexivity |].
    cbn [traverse]. rewrite IH.
    assert (eval_node (den M) g o = eval_node (den M) h p) as ->; [| reflexivity].
    destruct (eval_node (den M) g o) as [v |] eqn:Eg.
    - symmetry. apply graph_eval_iff; [exact okh |]. apply E. now apply graph_eval_iff.
    - destruct (eval_node (den M) h p) as [v |] eqn:Eh; [| reflexivity].
      apply graph_eval_iff in Eh; [| exact okh]. apply E in Eh. apply graph_eval_iff in Eh; [congruence | exact okg].
  Qed.

  (** What is emitted for a graph that was rewritten computes what the graph was. *)
  Theorem rewritten_then_emitted g outs h outs' size plan u :
    sane M g -> sane M h -> same_values (den M) g outs h outs' ->
    compile (const_value S constants shapes) size plan h outs' = Some u -> inputs_fit inputs h ->
    exists ts, outputs_of S inputs constants shapes g outs = Some ts /\ run_unit u inputs = Finished ts.
  Proof.
    intros sg sh same C fit. destruct (model_runs S inputs constants shapes size plan h outs' u C fit) as (ts & E & R).
    { intros i lt N. destruct sh as [ok _ some _ _]. destruct (some i lt) as [v V].
      apply (graph_eval_iff (den M)) in V; [congruence | exact ok]. }
    exists ts. split; [| exact R]. rewrite <- E. apply same_outputs; [apply sg | apply sh | exact same].
  Qed.

  (** By the rules that keep every bit of floats. *)
  Theorem opt_then_emit rules fuel g outs log size plan u :
    float_laws S -> incl rules (ProvedSound.rules_of ProvedSound.exactly) ->
    sane M g -> (forall o, In o outs -> o < List.length g) ->
    let '(h, outs', _) := rewrite_fix commutative fuel rules g outs log in
    compile (const_value S constants shapes) size plan h outs' = Some u -> inputs_fit inputs h ->
    exists ts, outputs_of S inputs constants shapes g outs = Some ts /\ run_unit u inputs = Finished ts.
  Proof.
    intros L I san below.
    pose proof (ProvedSound.opt_correct_exact S inputs constants shapes rules fuel g outs log L I san below) as H.
    destruct (rewrite_fix _ fuel rules g outs log) as [[h outs'] log']. destruct H as [san' same].
    intros C fit. exact (rewritten_then_emitted g outs h outs' size plan u san san' same C fit).
  Qed.
End OptEmit.
