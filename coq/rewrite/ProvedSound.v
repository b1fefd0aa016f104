(** * Optimising by proved rules keeps the values of the outputs *)

From Coq Require Import Bool List NArith String.
From Calque Require Import attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundModel rewrite.SoundTactic rewrite.SoundFix.
From Calque Require Import rewrite.Library rewrite.Proved.
From Calque Require Import rewrite.RulesBranches rewrite.RulesConv rewrite.RulesDense rewrite.RulesFold rewrite.RulesLike rewrite.RulesLower rewrite.RulesMany rewrite.RulesMerge
  rewrite.RulesMergeConv rewrite.RulesNorm rewrite.RulesSimplify rewrite.RulesTranspose rewrite.RulesUnit.
From Calque Require Import rewrite.RulesFull rewrite.RulesLayout rewrite.RulesBias rewrite.RulesLayer rewrite.RulesGroup rewrite.RulesGemm.
From Calque Require Import rewrite.RulesPad rewrite.RulesShortcut rewrite.RulesChannels rewrite.RulesExpand rewrite.RulesParallelConv rewrite.RulesParallelGroup
  rewrite.RulesQuantised.
From Calque Require Import tensor.Scalars tensor.Factors.
Import ListNotations.
Open Scope list_scope.

Definition class_sound (c : rule_class) : rule -> Prop :=
  match c with Exact => exact_rule | Float => float_rule | Ring => ring_rule | Real => real_rule end.

(** The theorem of the rule: each file of them hands its own to [sound_rules]. *)
Ltac by_its_theorem := cbn [class_sound]; solve [auto 1 with sound_rules nocore].

Theorem proved_sound : Forall (fun e => class_sound (snd (fst e)) (snd e)) proved_rules.
Proof. unfold proved_rules. repeat (apply Forall_cons; [cbn [fst snd]; by_its_theorem |]). apply Forall_nil. Qed.

(** They are rules of the library. *)
Theorem proved_in_library : Forall (fun e => look_up String.eqb library (fst (fst e)) = Some (snd e)) proved_rules.
Proof. unfold proved_rules. repeat (apply Forall_cons; [reflexivity |]). apply Forall_nil. Qed.

(** And all of them. *)
Theorem library_proved : map (fun e => (fst (fst e), snd e)) proved_rules = library.
Proof. reflexivity. Qed.

(** ** Optimising *)

Definition rules_of (p : rule_class -> bool) : list (string * rule) :=
  map (fun e => (fst (fst e), snd e)) (filter (fun e => p (snd (fst e))) proved_rules).

(** In a ring -0 is 0; in a field the quotient by 1 is the number. *)
Lemma ring_floats S : ring_scalars S -> float_laws S.
Proof.
  intros R. destruct (ring_commutes S R) as [add mul]. split; [exact add | exact mul |]. destruct R as [[R minus _] _]. intros a.
  rewrite minus, add. apply (Ring_theory.Radd_0_l R).
Qed.

Lemma real_rings S : real_laws S -> ring_scalars S.
Proof.
  intros L. split; [exact (real_ring S L) |]. intros a. rewrite (quotient S L), (div_is S L).
  pose proof (ring_is S (real_ring S L)) as R. pose proof (real_field S L) as F.
  assert (s_div S (s_one S) (s_one S) = s_one S) as ->; [| rewrite (Ring_theory.Rmul_comm R); apply (Ring_theory.Rmul_1_l R)].
  rewrite <- (field_inverse S F (s_one S) (field_one_zero S F)) at 3.
  rewrite (Ring_theory.Rmul_comm R). symmetry. apply (Ring_theory.Rmul_1_l R).
Qed.

(** What the scalars must obey. *)
Definition laws_of (c : rule_class) (S : arith) : Prop :=
  match c with Exact => commutative_laws S | Float => float_laws S | Ring => ring_scalars S | Real => real_laws S end.

(* Its terms are large: nobody is to look inside from here on. *)
Opaque proved_rules rule_sound_for exact_rule float_rule ring_rule real_rule.

Section Optimising.
  Variable S : arith.
  Variables inputs constants : N -> option (Tensor.tensor (num S)).
  Variable shapes : N -> option (list nat).
  Notation T := (tensors S inputs constants shapes).

  Lemma rules_sound (p : rule_class -> bool) :
    (forall c, p c = true -> laws_of c S) ->
    forall name r, In (name, r) (rules_of p) -> rule_sound_for T commutative r.
  Proof.
    intros laws name r H. unfold rules_of in H. apply in_map_iff in H. destruct H as ([[n c] r'] & E & H).
    simpl fst in E. simpl snd in E. injection E as <- <-. apply filter_In in H. destruct H as [inr pc].
    simpl fst in pc. simpl snd in pc.
    pose proof (proj1 (Forall_forall _ _) proved_sound _ inr) as A. clear inr. simpl fst in A. simpl snd in A.
    specialize (laws c pc). destruct c; exact (A S inputs constants shapes laws).
  Qed.

  (** With any of the rules, in any order, however often. *)
  Theorem opt_correct p rules fuel g outputs log :
    (forall c, p c = true -> laws_of c S) -> incl rules (rules_of p) ->
    sane T g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane T h /\ same_values (den T) g outputs h outputs'.
  Proof.
    intros laws sub san inside. apply sound_fix; try assumption.
    intros name r inr. exact (rules_sound p laws name r (sub _ inr)).
  Qed.

  Definition exactly (c : rule_class) : bool := match c with Exact | Float => true | _ => false end.
  Definition in_rings (c : rule_class) : bool := match c with Real => false | _ => true end.

  (** Rules that the library calls exact: the same value, bit for bit on floats. *)
  Theorem opt_correct_exact rules fuel g outputs log :
    float_laws S -> incl rules (rules_of exactly) ->
    sane T g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane T h /\ same_values (den T) g outputs h outputs'.
  Proof. intros F. apply opt_correct. intros []; try easy. intros _. now apply float_commutes. Qed.

  Theorem opt_correct_ring rules fuel g outputs log :
    ring_scalars S -> incl rules (rules_of in_rings) ->
    sane T g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane T h /\ same_values (den T) g outputs h outputs'.
  Proof.
    intros R. apply opt_correct. intros []; try easy; intros _; [now apply ring_commutes | now apply ring_floats].
  Qed.

  Theorem opt_correct_real rules fuel g outputs log :
    real_laws S -> incl rules (rules_of (fun _ => true)) ->
    sane T g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane T h /\ same_values (den T) g outputs h outputs'.
  Proof.
    intros Q. pose proof (real_rings S Q) as R. apply opt_correct.
    intros []; intros _; [now apply ring_commutes | now apply ring_floats | exact R | exact Q].
  Qed.
End Optimising.
