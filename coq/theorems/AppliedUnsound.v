(** * Instances: the premises of the headline theorems about unsound rules hold together

    [NAME_applies] is the theorem [OfUnsound.NAME] at a published rule. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import tensor.Instances rewrite.Unsound.
From Calque Require rewrite.Published theorems.Unsound.
Module OfUnsound := theorems.Unsound.
Import ListNotations.

Definition refutes_rule_applies :=
  OfUnsound.refutes_rule integers _ _ _ _ _ OfUnsound.rule_concat_associative_needs_equal_axis.

Lemma published : In ("concat_associative"%string, Published.rule_text_concat_associative) Published.library_published.
Proof. unfold Published.library_published. repeat (first [left; reflexivity | right]). Qed.

Definition published_rules_unsound_applies := OfUnsound.published_rules_unsound _ _ published.
Definition published_rules_not_sound_applies := OfUnsound.published_rules_not_sound _ _ published.

(** Its axioms hold of one tensor; what it says is that they hold of no more. *)
Definition split_needs_sizes_applies :=
  OfUnsound.split_needs_sizes unit (fun _ _ _ => tt) (fun _ _ => tt) (fun _ _ => tt)
    ltac:(reflexivity) ltac:(intros a [] y; reflexivity) ltac:(intros a x []; reflexivity).
