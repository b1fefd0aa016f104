(** * Optimising ends

    With any rules of the library: the steps of [Opt] that change the graph cannot go on for ever, in whatever order
    they are made ([opt_ends]), and passes over the rules come to a graph to which no rule applies, from which on more
    passes and more fuel change nothing ([optimise_ends]). *)

From Coq Require Import Arith Bool Lia List NArith String ZArith Wellfounded.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundFix rewrite.Library rewrite.Fold rewrite.Opt.
From Calque Require Import rewrite.TermFix rewrite.Termination rewrite.TermLibrary rewrite.TermOpt.
From Calque Require Import rewrite.Typed rewrite.OptCorrect rewrite.OptInstance.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Mixed.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Lemma less_trans l m n : less l m -> less m n -> less l n.
Proof.
  revert m n. induction l as [| x l IH]; intros [| y m] [| z n] H K; try easy. cbn in *.
  destruct H as [H | [H1 H2]], K as [K | [K1 K2]]; try (left; lia). right. split; [lia | now apply IH with m].
Qed.

Lemma less_irreflexive l : ~ less l l.
Proof. induction l as [| x l IH]; [easy |]. cbn. intros [H | [_ H]]; [lia | now apply IH]. Qed.

Lemma size_length g h : List.length (size g) = List.length (size h).
Proof. reflexivity. Qed.

(** A graph in the order of its inputs, whose first node is the absent input. *)
Definition proper (g : tgraph) (os : list nat) : Prop := wf g /\ grounded g /\ forall o, In o os -> o < List.length g.

Lemma ready_proper g os : ready g os = true -> proper g os.
Proof.
  unfold ready. intros R. apply andb_true_iff in R as [R tens]. apply andb_true_iff in R as [T _].
  pose proof (typed_wf g T) as ok. split; [exact ok |]. split.
  - unfold typed in T. apply andb_true_iff in T as [T _]. apply andb_true_iff in T as [_ Z].
    destruct g as [| [[k ty a] [|]] g]; try discriminate; destruct k; try discriminate. now exists ty, a.
  - rewrite forallb_forall in tens. intros o ino. specialize (tens o ino).
    destruct (type_at g o) as [s |] eqn:E; [| discriminate]. now apply (type_at_lt g o s).
Qed.

Section Ends.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation state := (state S).
  Variable spell : tensor -> option value.
  Variable rules : list (string * rule).
  Hypothesis of_library : forall name r, In (name, r) rules -> In r (map snd library).

  Notation valid s := (proper (nodes s) (outs s)).
  Notation smaller h g := (less (size h) (size g)).

  Lemma rewrite_smaller r g os e M matched h os' : In r (map snd library) -> proper g os -> e < List.length g ->
    rule_at commutative r g os (seq 0 (List.length g)) e = Some (M, matched) ->
    rewrite_match r g os M matched = Some (h, os') -> proper h os' /\ smaller h g.
  Proof.
    intros inr (ok & ground & inside) lt A R.
    destruct (library_falls commutative r inr g os e M matched h os' ok ground inside lt A R) as [gh le].
    destruct (match_step r g os M matched h os' ok inside R) as [okh inh].
    split; [now repeat split | now apply less_last].
  Qed.

  Lemma fold_at_smaller allowed s i : valid s ->
    fold_at S spell allowed s i = s \/
    (valid (fold_at S spell allowed s i) /\ smaller (nodes (fold_at S spell allowed s i)) (nodes s)).
  Proof.
    intros (ok & ground & inside). unfold fold_at. destruct (known S s i) as [t |] eqn:K; [| now left].
    destruct (nth_error (nodes s) i) as [n |] eqn:at_i; [| now left]. destruct (allowed (nodes s) i t); [right | now left].
    set (c := const_node S spell (fresh (nodes s)) t n).
    assert (match what (op n) with KCall _ | KProj _ => True | _ => False end) as O.
    { unfold known in K. rewrite at_i in K. now destruct (what (op n)). }
    assert (exists k v, what (op c) = KConst k v) as C by (now do 2 eexists).
    cbn [nodes outs]. unfold put_node. split.
    - split; [now apply (set_wf (nodes s) i n) |]. split; [now apply (constant_grounded (nodes s) i n) |].
      intros o ino. rewrite set_nth_length. now apply inside.
    - apply less_last. now apply (constant_less (nodes s) i n c).
  Qed.

  Lemma step_smaller s s' : opt_step S spell rules s s' -> valid s ->
    valid s' /\ (nodes s' = nodes s \/ smaller (nodes s') (nodes s)).
  Proof.
    intros H V. destruct H as [name r e M matched h outs' inr lt A R | allowed i |].
    - destruct (rewrite_smaller r (nodes s) (outs s) e M matched h outs' (of_library name r inr) V lt A R) as [V' L].
      split; [exact V' | now right].
    - destruct (fold_at_smaller allowed s i V) as [-> | [V' L]]; [split; [exact V | now left] | split; [exact V' | now right]].
    - destruct V as (ok & ground & inside).
      destruct (tidy_ok (V := nat) (fun _ _ => None) (nodes s) (outs s) ok inside) as (ok' & inside' & _).
      split; [| now apply tidy_less]. split; [exact ok' |]. split; [now apply tidy_grounded | exact inside'].
  Qed.

  (** [s'] comes next after [s], and is another graph. *)
  Definition changed (s' s : state) : Prop := opt_step S spell rules s s' /\ nodes s' <> nodes s.

  Theorem opt_ends s : valid s -> Acc changed s.
  Proof.
    pose proof (wf_inverse_image _ _ below (fun s : state => size (nodes s)) below_wf) as W.
    induction s as [s IH] using (well_founded_induction W). intros V. constructor. intros s' [H ne].
    destruct (step_smaller s s' H V) as [V' [E | L]]; [contradiction |]. apply IH; [now split | exact V'].
  Qed.

  (** ** The function that makes passes *)

  Section Function.
    Variable allowed : tgraph -> nat -> tensor -> bool.

    Lemma fold_smaller s : valid s ->
      valid (fold S spell allowed s) /\ (fold S spell allowed s = s \/ smaller (nodes (fold S spell allowed s)) (nodes s)).
    Proof.
      unfold fold. generalize (seq 0 (List.length (nodes s))). intros l. revert s.
      induction l as [| i l IH]; intros s V; cbn [fold_left]; [split; [exact V | now left] |].
      destruct (fold_at_smaller allowed s i V) as [-> | [V' L]]; [now apply IH |].
      destruct (IH _ V') as [V2 [E | L2]]; (split; [exact V2 |]); right; [now rewrite E | now apply less_trans with (size (nodes (fold_at S spell allowed s i)))].
    Qed.

    (** No rule of the list applies. *)
    Definition done (l : list (string * rule)) (s : state) : Prop :=
      forall name r, In (name, r) l -> rewrite_rule commutative r (nodes s) (outs s) = None.

    Lemma fix_smaller r fuel : In r (map snd library) -> forall name g os log, proper g os ->
      let result := rewrite_fix commutative fuel [(name, r)] g os log in
      proper (fst (fst result)) (snd (fst result)) /\
      (fst result = (g, os) /\ (fuel = 0 \/ rewrite_rule commutative r g os = None) \/ smaller (fst (fst result)) g).
    Proof.
      intros inr name. induction fuel as [| fuel IH]; intros g os log V; cbn [rewrite_fix].
      - split; [exact V |]. left. split; [reflexivity | now left].
      - cbn [first_some snd]. destruct (rewrite_rule commutative r g os) as [[e [h os']] |] eqn:R.
        + destruct (rule_match commutative r g os e h os' R) as (M & matched & lt & A & B).
          destruct (rewrite_smaller r g os e M matched h os' inr V lt A B) as [V' L].
          destruct (IH h os' ((name, e) :: log) V') as [V2 D]. cbn [fst]. split; [exact V2 |]. right.
          destruct D as [[E _] | L2]; [rewrite E; exact L | now apply less_trans with (size h)].
        + split; [exact V |]. left. split; [reflexivity | now right].
    Qed.

    (** What has been brought about, and what a list of rules does from some amount of fuel on. *)
    Definition comes_to (f : nat -> state) (l : list (string * rule)) (s : state) : Prop :=
      exists least s', (forall fuel, least <= fuel -> f fuel = s') /\ valid s' /\
        (s' = s /\ done l s \/ smaller (nodes s') (nodes s)).

    Lemma turn_comes s r : In r rules -> valid s -> comes_to (fun fuel => turn S spell allowed fuel s r) [r] s.
    Proof.
      destruct r as [name r]. intros inr V. pose proof V as (ok & ground & inside).
      destruct (rewrite_fix_terminates commutative [(name, r)]) with (g := nodes s) (outputs := outs s) as [n E]; try assumption.
      { intros name' r' [E | []]. injection E as _ <-. exact (of_library name r inr). }
      exists (Datatypes.S n). destruct (rewrite_fix commutative (Datatypes.S n) [(name, r)] (nodes s) (outs s) []) as [[h os] log] eqn:R.
      pose proof (fix_smaller r (Datatypes.S n) (of_library name r inr) name (nodes s) (outs s) [] V) as F.
      rewrite R in F. cbn [fst snd] in F. destruct F as [Vh D].
      destruct (fold_smaller (State h os (constants s) (shapes s)) Vh) as [V2 G].
      exists (fold S spell allowed (State h os (constants s) (shapes s))). split; [| split; [exact V2 |]].
      - intros fuel le. unfold turn.
        destruct (E fuel [] ltac:(lia)) as [-> _]. destruct (E (Datatypes.S n) [] ltac:(lia)) as [E2 _]. rewrite R in E2. now rewrite <- E2.
      - destruct D as [[Eh D] | L].
        + injection Eh as -> ->. destruct D as [D | D]; [discriminate |].
          assert (State (nodes s) (outs s) (constants s) (shapes s) = s) as Es by now destruct s. rewrite Es in *.
          destruct G as [G | L]; [left | now right]. split; [exact G |]. intros name' r' [E' | []]. injection E' as _ <-. exact D.
        + right. destruct G as [-> | L2]; [exact L |]. now apply less_trans with (size h).
    Qed.

    Lemma turns_come l : incl l rules -> forall s, valid s ->
      comes_to (fun fuel => fold_left (turn S spell allowed fuel) l s) l s.
    Proof.
      induction l as [| r l IH]; intros sub s V.
      - exists 0, s. split; [reflexivity |]. split; [exact V |]. left. split; [reflexivity | easy].
      - destruct (turn_comes s r (sub r (or_introl eq_refl)) V) as (a & s1 & T1 & V1 & D1).
        destruct (IH (fun q inq => sub q (or_intror inq)) s1 V1) as (b & s2 & T2 & V2 & D2).
        exists (Nat.max a b), s2. split; [| split; [exact V2 |]].
        + intros fuel le. cbn [fold_left]. rewrite T1 by lia. apply T2. lia.
        + destruct D1 as [[-> D1] | L1].
          * destruct D2 as [[-> D2] | L2]; [left | now right]. split; [reflexivity |].
            intros name q [-> | inq]; [apply (D1 name q); now left | now apply (D2 name q)].
          * right. destruct D2 as [[-> _] | L2]; [exact L1 | now apply less_trans with (size (nodes s1))].
    Qed.

    Lemma passes_come s : valid s -> exists least s',
      (forall n fuel, least <= n -> least <= fuel -> passes S spell rules allowed n fuel s = s') /\ valid s' /\ done rules s'.
    Proof.
      pose proof (wf_inverse_image _ _ below (fun s : state => size (nodes s)) below_wf) as W.
      induction s as [s IH] using (well_founded_induction W). intros V.
      destruct (turns_come rules (incl_refl rules) s V) as (a & s1 & T & V1 & [[-> D] | L]).
      - exists a, s. split; [| now split]. intros n fuel _ le. specialize (T fuel le).
        induction n as [| n IHn]; [reflexivity |]. cbn [passes]. rewrite T. exact IHn.
      - destruct (IH s1 (conj (size_length _ _) L) V1) as (b & s2 & T2 & V2 & D2).
        exists (Nat.max a (Datatypes.S b)), s2. split; [| now split]. intros [| n] fuel len lef; [lia |].
        cbn [passes]. rewrite T by lia. apply T2; lia.
    Qed.

    Theorem optimise_ends s : valid s -> exists least s',
      (forall n fuel, least <= n -> least <= fuel -> optimise S spell rules allowed n fuel s = s') /\ done rules s'.
    Proof.
      intros V. destruct (fold_smaller s V) as [V' _]. destruct (passes_come _ V') as (least & s' & T & _ & D).
      exists least, s'. split; [exact T | exact D].
    Qed.
  End Function.
End Ends.

(** ** On graphs that pass the check of [opt_correct] *)

Section Start.
  Variable S : arith.
  Variable spell : tensor (num S) -> option value.
  Variable rules : list (string * rule).
  Hypothesis of_library : forall name r, In (name, r) rules -> In r (map snd library).
  Variables (g : tgraph) (outs : list nat) (constants : N -> option (tensor (num S))).
  Hypothesis checked : ready g outs = true.

  Theorem opt_terminates : Acc (changed S spell rules) (start S g outs constants).
  Proof. apply opt_ends; [exact of_library | exact (ready_proper g outs checked)]. Qed.

  Theorem optimise_terminates allowed : exists least s',
    (forall n fuel, least <= n -> least <= fuel -> optimise S spell rules allowed n fuel (start S g outs constants) = s') /\
    forall name r, In (name, r) rules -> rewrite_rule commutative r (nodes s') (Fold.outs s') = None.
  Proof. apply optimise_ends; [exact of_library | exact (ready_proper g outs checked)]. Qed.
End Start.

(** The small model of [OptInstance], by all the rules of the library. *)
Lemma all_of_library : forall name r, In (name, r) library -> In r (map snd library).
Proof. intros name r H. exact (in_map snd library (name, r) H). Qed.

Theorem small_opt_terminates :
  Acc (changed (mixed standard) unspelled library) (start (mixed standard) small_model small_outputs small_constants).
Proof. apply opt_terminates; [exact all_of_library | vm_compute; reflexivity]. Qed.

Theorem small_optimise_terminates : exists least s',
  (forall n fuel, least <= n -> least <= fuel ->
     optimise (mixed standard) unspelled library all_allowed n fuel (start (mixed standard) small_model small_outputs small_constants) = s') /\
  forall name r, In (name, r) library -> rewrite_rule commutative r (nodes s') (Fold.outs s') = None.
Proof. apply optimise_terminates; [exact all_of_library | vm_compute; reflexivity]. Qed.
