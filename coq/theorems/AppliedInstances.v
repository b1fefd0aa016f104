(** * Instances: the premises of the theorems on whole models and on [calque opt] hold together

    Most stand where the models are: [rewrite/OptInstance.v], [rewrite/ProvedInstances.v], [model/Instance.v],
    [model/OptInstance.v], [model/CastInstance.v]. *)

From Coq Require Import Bool List Lia NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundModel rewrite.Library.
From Calque Require Import rewrite.Proved rewrite.ProvedSound rewrite.ProvedInstances.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances.
From Calque Require rewrite.UnsoundStrict rewrite.OptInstance tensor.Instances theorems.AppliedAttr.
From Calque Require model.Instance model.OptInstance model.FetchInstance.
Import ListNotations.

Definition opt_correct_applies := rewrite.OptInstance.scaled_correct.
Definition opt_correct_mixed_applies := rewrite.OptInstance.small_correct.
Definition opt_correct_exact_applies := opt_correct_binary32_runs.
Definition model_correct_applies := model.Instance.the_model_correct.
Definition graph_kernel_inlined_applies := model.Instance.the_kernel_correct.
Definition fused_correct_applies := model.Instance.the_fused_correct.
Definition model_runs_applies := model.Instance.the_model_correct.
Definition stacked_correct_applies := model.FetchInstance.rows_mixed.
Definition opt_then_emit_correct_applies := model.OptInstance.tiny_correct.
Definition graph_eval_iff_applies := theorems.AppliedAttr.OfGraph.small_value.

(** In integers the same rules as at binary32: what holds over floats holds in rings. *)
Lemma bias_rules_in_rings : incl bias_rules (rules_of in_rings).
Proof.
  intros c [<- | []]. unfold rules_of. apply in_map_iff. exists ("simplify_bias_add"%string, Exact, rule_text_simplify_bias_add).
  split; [reflexivity |]. apply filter_In. split; [| reflexivity]. unfold proved_rules.
  repeat (first [left; reflexivity | right]).
Qed.

Example opt_correct_ring_applies : exists shapes,
  let '(h, outputs, _) := rewrite_fix commutative 9 bias_rules bias_graph [3%nat] [] in
  sane (meaning tensor.Instances.integers shapes) h /\
  same_values (den (meaning tensor.Instances.integers shapes)) bias_graph [3%nat] h outputs.
Proof.
  destruct (bias_sane tensor.Instances.integers ltac:(vm_compute; reflexivity)) as [shapes san]. exists shapes.
  apply opt_correct_integers; [exact bias_rules_in_rings | exact san |]. intros o [<- | []]. simpl. lia.
Qed.
