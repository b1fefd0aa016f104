(** * Optimising a model

    What [calque opt] does, as steps: a rewrite by one of the rules at any of its matches, the
    folding of any node, the removal of what no output needs.  c/rewrite/rewrite.c makes such
    steps in one order (folding, then passes: for each rule its matches node by node, folding,
    removal), until a pass changes nothing, the fuel is used up or a limit is exceeded; every
    sequence of steps keeps every output.  (It removes at the end of a rule's turn, here every
    rewrite does.  Conversion to an opset and [--inference] come before and are no part of this.) *)

From Coq Require Import Bool Arith Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof rewrite.Rewrite rewrite.RewriteProof.
From Calque Require Import rewrite.Sound rewrite.SoundModel rewrite.SoundFix rewrite.GraphEval rewrite.Fold.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.Meaning.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Section Opt.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation state := (state S).
  Variable inputs : N -> option tensor.
  Variable spell : tensor -> option value.
  Hypothesis spell_value : forall t v, spell t = Some v -> constant S v (Some (dims t)) = Some t.
  Variable rules : list (string * rule).

  Inductive opt_step (s : state) : state -> Prop :=
    | Opt_Rewrite : forall name r e M matched h outs',
        In (name, r) rules -> e < List.length (nodes s) ->
        rule_at commutative r (nodes s) (outs s) (seq 0 (List.length (nodes s))) e = Some (M, matched) ->
        rewrite_match r (nodes s) (outs s) M matched = Some (h, outs') ->
        opt_step s (State h outs' (constants s) (shapes s))
    | Opt_Fold : forall allowed i, opt_step s (fold_at S spell allowed s i)
    | Opt_Tidy : opt_step s (State (fst (tidy (nodes s) (outs s))) (snd (tidy (nodes s) (outs s))) (constants s) (shapes s)).

  Inductive opt_run : state -> state -> Prop :=
    | Opt_Done : forall s, opt_run s s
    | Opt_More : forall s s' s'', opt_step s s' -> opt_run s' s'' -> opt_run s s''.

  Lemma opt_run_trans s1 s2 s3 : opt_run s1 s2 -> opt_run s2 s3 -> opt_run s1 s3.
  Proof. induction 1 as [| s s' s'' step _ IH]; [auto |]. intros H. now apply Opt_More with s'; [| apply IH]. Qed.

  (** ** Each step keeps the outputs *)

  Notation ready s := (sane (model_of S inputs s) (nodes s)).
  Notation inside s := (forall o, In o (outs s) -> o < List.length (nodes s)).

  Lemma tidy_sane (M : model tensor) g os :
    sane M g -> (forall o, In o os -> o < List.length g) -> sane M (fst (tidy g os)).
  Proof.
    intros [ok ground C D P] below. destruct (tidy_ok (den M) g os ok below) as (ok2 & _ & _).
    destruct (from_nodes_keep M g _ (tidy_from M g os ok) C D P) as (Ch & Dh & Ph).
    constructor; try assumption. now apply tidy_grounded.
  Qed.

  Hypothesis sound : forall constants shapes name r, In (name, r) rules ->
    rule_sound_for (tensors S inputs constants shapes) commutative r.

  Lemma opt_step_keeps s s' : opt_step s s' -> ready s -> inside s -> keeps S inputs s s'.
  Proof.
    intros H san below. destruct H as [name r e M matched h outs' inr lt A B | allowed i |].
    - destruct (sound_rewrite (model_of S inputs s) commutative r (nodes s) (outs s) e M matched h outs'
        (sound _ _ name r inr) san below lt A B) as (san' & below' & same). exact (conj san' (conj below' same)).
    - now apply fold_at_keeps.
    - destruct (tidy_ok (den (model_of S inputs s)) (nodes s) (outs s) (sane_wf _ _ san) below) as (_ & below' & same).
      split; [exact (tidy_sane (model_of S inputs s) (nodes s) (outs s) san below) |]. now split.
  Qed.

  Theorem opt_run_keeps s s' : opt_run s s' -> ready s -> inside s -> keeps S inputs s s'.
  Proof.
    induction 1 as [s | s s' s'' step _ IH]; intros san below; [now apply keeps_refl |].
    pose proof (opt_step_keeps s s' step san below) as K. destruct K as (san' & inside' & E).
    apply keeps_trans with s'; [exact (conj san' (conj inside' E)) | now apply IH].
  Qed.

  (** ** A function that makes such steps *)

  Section Function.
    Variable allowed : tgraph -> nat -> tensor -> bool.

    Definition turn (fuel : nat) (s : state) (r : string * rule) : state :=
      let '(h, os, _) := rewrite_fix commutative fuel [r] (nodes s) (outs s) [] in
      fold S spell allowed (State h os (constants s) (shapes s)).

    Fixpoint passes (n fuel : nat) (s : state) : state :=
      match n with O => s | Datatypes.S n' => passes n' fuel (fold_left (turn fuel) rules s) end.

    (** [n] passes over the rules, after folding. *)
    Definition optimise (n fuel : nat) (s : state) : state := passes n fuel (fold S spell allowed s).

    Lemma fold_run s : opt_run s (fold S spell allowed s).
    Proof.
      unfold fold. generalize (seq 0 (List.length (nodes s))). intros l. revert s.
      induction l as [| i l IH]; intros s; simpl; [apply Opt_Done |].
      apply Opt_More with (fold_at S spell allowed s i); [apply Opt_Fold | apply IH].
    Qed.

    Lemma fix_run name r fuel : In (name, r) rules -> forall g os c sh log,
      opt_run (State g os c sh)
        (let '(h, os', _) := rewrite_fix commutative fuel [(name, r)] g os log in State h os' c sh).
    Proof.
      intros inr. induction fuel as [| fuel IH]; intros g os c sh log; cbn [rewrite_fix]; [apply Opt_Done |].
      cbn [first_some snd]. destruct (rewrite_rule commutative r g os) as [[e [h os']] |] eqn:R; [| apply Opt_Done].
      cbn [fst]. apply Opt_More with (State h os' c sh); [| apply IH]. unfold rewrite_rule in R.
      match type of R with first_some ?k ?l = _ => pose proof (first_some_iff k l) as F end.
      rewrite R in F. destruct F as [ine F]. apply in_seq in ine.
      destruct (rule_at commutative r g os (seq 0 (List.length g)) e) as [[M matched] |] eqn:A; [| discriminate].
      apply (Opt_Rewrite (State g os c sh) name r e M matched h os' inr); [simpl; lia | exact A | exact F].
    Qed.

    Lemma turn_run fuel s r : In r rules -> opt_run s (turn fuel s r).
    Proof.
      destruct r as [name r]. intros inr. unfold turn.
      pose proof (fix_run name r fuel inr (nodes s) (outs s) (constants s) (shapes s) []) as F.
      destruct (rewrite_fix commutative fuel [(name, r)] (nodes s) (outs s) []) as [[h os'] log].
      destruct s as [g os c sh]. now apply opt_run_trans with (State h os' c sh); [| apply fold_run].
    Qed.

    Theorem optimise_run n fuel s : opt_run s (optimise n fuel s).
    Proof.
      apply opt_run_trans with (fold S spell allowed s); [apply fold_run |].
      unfold optimise. generalize (fold S spell allowed s). clear s. induction n as [| n IH]; intros s; simpl; [apply Opt_Done |].
      apply opt_run_trans with (fold_left (turn fuel) rules s); [| apply IH].
      assert (forall l s, incl l rules -> opt_run s (fold_left (turn fuel) l s)) as all.
      { intros l. induction l as [| r l IHl]; intros x sub; simpl; [apply Opt_Done |].
        apply opt_run_trans with (turn fuel x r).
        - apply turn_run, sub. now left.
        - apply IHl. intros q inq. apply sub. now right. }
      apply all. intros r inr. exact inr.
    Qed.
  End Function.
End Opt.
