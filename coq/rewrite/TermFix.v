(** * Rewriting ends if a measure falls

    The measure is a list of numbers, compared from left to right. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith Wellfounded.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Sound.
Import ListNotations.
Open Scope nat_scope.

Fixpoint less (l m : list nat) : Prop :=
  match l, m with
  | x :: l', y :: m' => x < y \/ (x <= y /\ less l' m')
  | _, _ => False
  end.

Definition below (l m : list nat) : Prop := List.length l = List.length m /\ less l m.

Theorem below_wf : well_founded below.
Proof.
  assert (forall n l, List.length l = n -> Acc below l) as H; [| intros l; now apply (H (List.length l))].
  induction n as [| n IH]; intros l len.
  - destruct l; [| discriminate]. constructor. intros m [_ H]. now destruct m.
  - destruct l as [| x l]; [discriminate |]. injection len as len. revert l len.
    induction x as [x IHx] using (well_founded_induction lt_wf). intros l len.
    induction (IH l len) as [l _ IHl]. constructor. intros [| y m] [lm H]; [easy |].
    injection lm as lm. cbn in H. destruct H as [lt | [le H]]; [apply IHx; [exact lt | congruence] |].
    apply Nat.lt_eq_cases in le. destruct le as [lt | ->]; [apply IHx; [exact lt | congruence] |].
    apply IHl; [now split | congruence].
Qed.

(** Nothing matches, or nothing that matches changes anything. *)
Definition stuck (commutes : string -> bool) (rules : list (string * rule)) (g : tgraph) (outputs : list nat) : Prop :=
  forall name r, In (name, r) rules -> rewrite_rule commutes r g outputs = None.

Section Fix.
  Variable commutes : string -> bool.
  Variable measure : tgraph -> list nat.
  Hypothesis same_length : forall g h, List.length (measure g) = List.length (measure h).

  (** At any match. *)
  Definition falls (r : rule) : Prop := forall g outputs e M outs h outputs',
    wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) -> e < List.length g ->
    rule_at commutes r g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
    rewrite_match r g outputs M outs = Some (h, outputs') ->
    grounded h /\ less (measure h) (measure g).

  Definition ends_at (rules : list (string * rule)) (g : tgraph) (outputs : list nat) (n : nat) : Prop :=
    forall fuel log, n <= fuel ->
      rewrite_fix commutes fuel rules g outputs log = rewrite_fix commutes n rules g outputs log /\
      stuck commutes rules (fst (fst (rewrite_fix commutes n rules g outputs log)))
        (snd (fst (rewrite_fix commutes n rules g outputs log))).

  Lemma rule_match r g outputs e h outputs' : rewrite_rule commutes r g outputs = Some (e, (h, outputs')) ->
    exists M outs, e < List.length g /\ rule_at commutes r g outputs (seq 0 (List.length g)) e = Some (M, outs) /\
      rewrite_match r g outputs M outs = Some (h, outputs').
  Proof.
    intros H. unfold rewrite_rule in H.
    match type of H with first_some ?k ?l = _ => pose proof (first_some_iff k l) as F end.
    rewrite H in F. destruct F as [ine F]. apply in_seq in ine.
    destruct (rule_at commutes r g outputs _ e) as [[M outs] |]; [| discriminate]. exists M, outs. repeat split; [lia | exact F].
  Qed.

  Lemma match_step r (g : tgraph) outputs M outs h outputs' : wf g -> (forall o, In o outputs -> o < List.length g) ->
    rewrite_match r g outputs M outs = Some (h, outputs') ->
    wf h /\ (forall o, In o outputs' -> o < List.length h).
  Proof.
    intros ok inside F.
    destruct (rewrite_preserves (V := nat) (fun _ _ => None) _ _ _ _ _ _ _ ok inside F) as (a & b & _). now split.
  Qed.

  Theorem fix_ends rules : (forall name r, In (name, r) rules -> falls r) ->
    forall g outputs, wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) ->
    {n | ends_at rules g outputs n}.
  Proof.
    intros down g. 
    refine (well_founded_induction_type (wf_inverse_image _ _ below measure below_wf)
      (fun g => forall outputs, wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) ->
         {n | ends_at rules g outputs n}) _ g). clear g.
    intros g IH outputs ok ground inside.
    destruct (first_some (fun r => rewrite_rule commutes (snd r) g outputs) rules) as [[[name r] [e [h outputs']]] |] eqn:F.
    - assert (In (name, r) rules /\ rewrite_rule commutes r g outputs = Some (e, (h, outputs'))) as [inr E].
      { pose proof (first_some_iff (fun r => rewrite_rule commutes (snd r) g outputs) rules) as X. now rewrite F in X. }
      assert ((grounded h /\ less (measure h) (measure g)) /\ wf h /\ (forall o, In o outputs' -> o < List.length h))
        as ((gh & lt) & okh & inh).
      { destruct (rule_match r g outputs e h outputs' E) as (M & outs & lte & A & R).
        split; [exact (down name r inr g outputs e M outs h outputs' ok ground inside lte A R) |].
        exact (match_step r g outputs M outs h outputs' ok inside R). }
      destruct (IH h (conj (same_length h g) lt) outputs' okh gh inh) as [n N].
      exists (S n). intros [| fuel] log le; [lia |]. cbn [rewrite_fix]. rewrite F. cbn [fst].
      apply N. lia.
    - exists 0. intros fuel log _.
      assert (rewrite_fix commutes fuel rules g outputs log = (g, outputs, rev log)) as Z.
      { destruct fuel as [| fuel]; [reflexivity |]. cbn [rewrite_fix]. now rewrite F. }
      split; [exact Z |]. cbn [rewrite_fix fst snd]. intros name r inr.
      pose proof (first_some_iff (fun r => rewrite_rule commutes (snd r) g outputs) rules) as X. rewrite F in X.
      exact (X (name, r) inr).
  Qed.
End Fix.
