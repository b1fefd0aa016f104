(** * Instances: the premises of the headline theorems about termination hold together

    [NAME_applies] is the theorem [OfTermination.NAME] at a graph that is rewritten. *)

From Coq Require Import List Lia NArith String ZArith.
From Calque Require Import attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.Library rewrite.TermLibrary rewrite.ProvedInstances.
From Calque Require Import rewrite.Fold rewrite.Opt rewrite.OptCorrect rewrite.OptInstance tensor.Scalars tensor.Mixed.
From Calque Require rewrite.Termination.
From Calque Require Import theorems.AppliedPattern theorems.AppliedRewrite.
From Calque Require theorems.Termination.
Module OfTermination := theorems.Termination.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** BiasAdd becomes Add. *)
Definition falls_text_right_applies :=
  OfTermination.falls_text_right commutative rule_text_simplify_bias_add ltac:(computes) bias_graph [3] 3 bias_map [3]
    (fst bias_new) (snd bias_new) (sane_wf _ _ bias_graph_sane) (sane_grounded _ _ bias_graph_sane) bias_inside
    ltac:(simpl; lia) bias_matches bias_rewrites.

(** A product with a tensor of threes. *)
Definition full_map : mstate :=
  Eval vm_compute in
    match rule_at commutative rule_text_full_element_wise small_graph [5] (seq 0 6) 3 with Some (M, _) => M | None => empty end.
Definition full_new : tgraph * list nat :=
  Eval vm_compute in
    match rewrite_match rule_text_full_element_wise small_graph [5] full_map [3] with Some x => x | None => ([], []) end.

Lemma small_wf : wf small_graph.
Proof. apply graph_ok. computes. Qed.

Lemma small_grounded : grounded small_graph.
Proof. do 2 eexists. reflexivity. Qed.

Lemma small_inside : forall o, In o [5] -> o < List.length small_graph.
Proof. intros o [<- | []]. simpl. lia. Qed.

Definition full_element_wise_falls_applies :=
  OfTermination.full_element_wise_falls commutative small_graph [5] 3 full_map [3] (fst full_new) (snd full_new)
    small_wf small_grounded small_inside ltac:(simpl; lia) ltac:(computes) ltac:(computes).

Lemma all_of_library name r : In (name, r) library -> In r (map snd library).
Proof. intros H. exact (in_map snd library (name, r) H). Qed.

Definition rewrite_fix_terminates_applies :=
  OfTermination.rewrite_fix_terminates commutative library all_of_library small_graph [5] small_wf small_grounded small_inside.

(** A model with Conv, Gather, Concat, MatMul and Softmax, by all the rules. *)
Definition opt_terminates_applies :=
  OfTermination.opt_terminates (mixed standard) unspelled library all_of_library small_model small_outputs small_constants
    ltac:(computes).

Definition optimise_terminates_applies :=
  OfTermination.optimise_terminates (mixed standard) unspelled library all_of_library small_model small_outputs small_constants
    ltac:(computes) all_allowed.
