(** * Ordered choice

    The implementation of the thesis commits: an alternative, once matched, is not
    revised, whatever fails later (as in a parsing expression grammar; so it does for
    the two orders of a commutative operator).  Here every alternative is tried
    ([pmatch]).  Whatever the committed matcher finds is found here too; the converse
    is false ([erratum_alt_commits]). *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof.
Import ListNotations.

Section Commit.
  Context {A S : Type} (f : S -> A -> option S).

  Fixpoint runs (s : S) (l : list A) : option S :=
    match l with
    | [] => Some s
    | a :: l' => match f s a with Some s1 => runs s1 l' | None => None end
    end.
End Commit.

Fixpoint first_of_all {A B} (f : A -> option B) (l : list A) : option B :=
  match l with
  | [] => None
  | a :: l' => match f a with Some b => Some b | None => first_of_all f l' end
  end.

Section Peg.
  Variable commutes : string -> bool.
  Variables (pats : list pattern) (g : tgraph).

  Fixpoint peg (fuel : nat) (i : option nat) (M : mstate) (p e : nat) : option mstate :=
    match fuel with
    | O => None
    | S fuel' =>
        match nth_error pats p, nth_error g e with
        | Some q, Some n =>
            match get M (at_ i p q) with
            | Some e' => if Nat.eqb e' e then Some M else None
            | None =>
                if is_instance pats g i M q e then Some M
                else
                  match first_of i q with
                  | Some f => peg fuel' None M f e
                  | None =>
                      if injective pats M q e
                      then first_of_all
                             (fun way => runs
                                (fun M x => peg fuel' (fst (fst x)) M (snd (fst x)) (snd x))
                                (fst way) (snd way))
                             (expand commutes pats g i p e (put M (at_ i p q) e) q n)
                      else None
                  end
            end
        | _, _ => None
        end
    end.

  Lemma runs_threads {A S} (f : S -> A -> option S) (h : S -> A -> list S) l :
    (forall s a t, f s a = Some t -> In t (h s a)) ->
    forall s t, runs f s l = Some t -> In t (threads h s l).
  Proof.
    intros sub. induction l as [| a l IH]; intros s t; simpl.
    - intros H. injection H as <-. now left.
    - destruct (f s a) as [s1 |] eqn:E; [| discriminate]. intros H.
      apply in_flat_map. exists s1. split; [now apply sub | now apply IH].
  Qed.

  Lemma first_of_all_in {A B} (f : A -> option B) l b :
    first_of_all f l = Some b -> exists a, In a l /\ f a = Some b.
  Proof.
    induction l as [| a l IH]; simpl; [discriminate |].
    destruct (f a) as [c |] eqn:E; intros H.
    - injection H as <-. exists a. now split; [left |].
    - destruct (IH H) as (a' & ina & E'). exists a'. now split; [right |].
  Qed.

  Lemma peg_pmatch fuel : forall i M p e M',
    peg fuel i M p e = Some M' -> In M' (pmatch commutes pats g fuel i M p e).
  Proof.
    induction fuel as [| fuel IH]; intros i M p e M'; [discriminate |]. cbn [peg pmatch].
    destruct (nth_error pats p) as [q |]; [| discriminate].
    destruct (nth_error g e) as [n |]; [| discriminate].
    destruct (get M (at_ i p q)) as [e' |].
    { destruct (Nat.eqb e' e); [| discriminate]. intros H. injection H as <-. now left. }
    destruct (is_instance pats g i M q e).
    { intros H. injection H as <-. now left. }
    destruct (first_of i q) as [f |]; [apply IH |].
    destruct (injective pats M q e); [| discriminate].
    intros H. apply first_of_all_in in H. destruct H as (way & inw & H).
    apply in_flat_map. exists way. split; [exact inw |].
    revert H. apply runs_threads. intros s [[j k] x] t. apply IH.
  Qed.

  (** Every committed match is a match. *)
  Theorem peg_sound fuel i M p e M' :
    ordered pats -> (p < fuel)%nat ->
    peg fuel i M p e = Some M' -> pm commutes pats g i M p e M'.
  Proof. intros ok lt H. apply peg_pmatch in H. now apply (pmatch_iff commutes pats g ok fuel). Qed.

  (** Where there is nothing to choose, the converse holds. *)
  Theorem peg_complete fuel i M p e M' :
    ordered pats -> choice_free commutes pats -> (p < fuel)%nat ->
    pm commutes pats g i M p e M' -> peg fuel i M p e = Some M'.
  Proof.
    intros ok free lt H. apply (pmatch_iff commutes pats g ok fuel) in H; [| exact lt].
    clear lt. revert i M p e M' H.
    induction fuel as [| fuel IH]; intros i M p e M'; [easy |]. cbn [peg pmatch].
    destruct (nth_error pats p) as [q |] eqn:at_p; [| easy].
    destruct (nth_error g e) as [n |] eqn:at_e; [| easy].
    destruct (get M (at_ i p q)) as [e' |] eqn:G.
    { destruct (Nat.eqb e' e); [| easy]. now intros [<- | []]. }
    destruct (is_instance pats g i M q e) eqn:I.
    { now intros [<- | []]. }
    destruct (first_of i q) as [f |] eqn:F; [apply IH |].
    destruct (injective pats M q e) eqn:J; [| easy].
    intros H. apply in_flat_map in H. destruct H as (way & inw & H).
    assert (forall s l t,
              In t (threads (fun M x => pmatch commutes pats g fuel (fst (fst x)) M (snd (fst x)) (snd x)) s l) ->
              runs (fun M x => peg fuel (fst (fst x)) M (snd (fst x)) (snd x)) s l = Some t) as run.
    { intros s l. revert s. induction l as [| a l IHl]; intros s t; simpl.
      - now intros [<- | []].
      - intros K. apply in_flat_map in K. destruct K as (s1 & here & rest).
        rewrite (IH _ _ _ _ _ here). now apply IHl. }
    apply run in H.
    pose proof (expand_unique commutes pats g i p e (put M (at_ i p q) e) q n free at_p) as one.
    destruct (expand _ _ _ _ _ _ _ _ _) as [| w [| w' l]]; simpl in *; try easy; try lia.
    destruct inw as [-> | []]. now rewrite H.
  Qed.
End Peg.
