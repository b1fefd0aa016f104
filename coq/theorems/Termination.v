(** * Headline theorems: rewriting with rules of the library ends

    Any rules of the library, all 62: the text of 61 passes the check of [rewrite/Termination.v],
    [full_element_wise] has a proof of its own.  So does optimising: rewriting, folding and removing
    in turn, in any order. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.Library.
From Calque Require Import rewrite.Fold rewrite.Opt rewrite.OptCorrect tensor.Scalars tensor.Mixed.
From Calque Require rewrite.TermFix rewrite.Termination rewrite.TermFull rewrite.TermLibrary rewrite.OptEnds rewrite.OptInstance.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** A rule whose text passes the check makes the measure smaller, in any graph, at any
    match: lists of numbers, compared from left to right, which cannot fall for ever. *)
Theorem falls_text_right :
  forall commutes r, Termination.falls_text r = true ->
  forall g outputs e M outs h outputs', wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) ->
    e < List.length g -> rule_at commutes r g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
    rewrite_match r g outputs M outs = Some (h, outputs') ->
    grounded h /\ TermFix.less (Termination.measure h) (Termination.measure g).
Proof. exact Termination.falls_text_right. Qed.

Theorem full_element_wise_falls :
  forall commutes g outputs e M outs h outputs', wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) ->
    e < List.length g -> rule_at commutes rule_text_full_element_wise g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
    rewrite_match rule_text_full_element_wise g outputs M outs = Some (h, outputs') ->
    grounded h /\ TermFix.less (Termination.measure h) (Termination.measure g).
Proof. exact TermFull.full_falls. Qed.

(** With any rules of the library, in any order, there is a number of steps after which more
    fuel changes nothing, and no rule applies. *)
Theorem rewrite_fix_terminates :
  forall commutes rules,
    (forall name r, In (name, r) rules -> In r (map snd library)) ->
  forall g outputs, wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) ->
  exists n, forall fuel log, n <= fuel ->
    let result := rewrite_fix commutes n rules g outputs log in
    rewrite_fix commutes fuel rules g outputs log = result /\
    forall name r, In (name, r) rules ->
      rewrite_rule commutes r (fst (fst result)) (snd (fst result)) = None.
Proof.
  intros commutes rules sub g outputs ok ground inside.
  destruct (TermLibrary.rewrite_fix_terminates commutes rules sub g outputs ok ground inside) as [n H].
  exists n. exact H.
Qed.

(** The one whose text alone does not show it. *)
Theorem rules_not_falling :
  filter (fun nr => negb (Termination.falls_text (snd nr))) library = [("full_element_wise"%string, rule_text_full_element_wise)].
Proof. exact TermLibrary.not_falling. Qed.

(** An instance: Dropout of x * t + t where all of t is 3, by all the rules; after the first of the two replacements
    only the last component of the measure has become smaller. *)
Theorem rewrite_fix_terminates_example :
  (exists n, TermFix.ends_at commutative library TermLibrary.small_graph [5] n) /\
  rewrite_fix commutative 4 library TermLibrary.small_graph [5] [] =
    ([Node (Oper KAbsent [] []) []; Node (Oper (KInput 1) (TermLibrary.described [2%Z]) []) [];
      TermLibrary.three; TermLibrary.of_two "Mul" [] [1; 2]; TermLibrary.three; TermLibrary.of_two "Add" [] [3; 4]], [5],
     [("dropout_removal"%string, 5); ("full_element_wise"%string, 3); ("full_element_wise"%string, 5)]).
Proof.
  split; [| exact TermLibrary.small_graph_three]. destruct TermLibrary.small_graph_ends as [n H]. now exists n.
Qed.

(** ** Optimising *)

(** From a graph that passes the check of [opt_correct], the steps of [calque opt] that change the graph cannot go on
    for ever, in whatever order they are made: rewrites by rules of the library at any match, folding of any node,
    removal of what no output needs. *)
Theorem opt_terminates :
  forall S spell rules, (forall name r, In (name, r) rules -> In r (map snd library)) ->
  forall g outs constants, ready g outs = true ->
    Acc (fun s' s => opt_step S spell rules s s' /\ nodes s' <> nodes s) (start S g outs constants).
Proof. exact OptEnds.opt_terminates. Qed.

(** Passes over the rules, with folding after each rule's turn: from some number of passes and some fuel on, more of
    them change nothing, and no rule applies. *)
Theorem optimise_terminates :
  forall S spell rules, (forall name r, In (name, r) rules -> In r (map snd library)) ->
  forall g outs constants, ready g outs = true -> forall allowed, exists least s',
    (forall n fuel, least <= n -> least <= fuel -> optimise S spell rules allowed n fuel (start S g outs constants) = s') /\
    forall name r, In (name, r) rules -> rewrite_rule commutative r (nodes s') (Fold.outs s') = None.
Proof. exact OptEnds.optimise_terminates. Qed.

(** An instance: the small model of [OptInstance], by all the rules. *)
Theorem optimise_terminates_example :
  exists least s',
    (forall n fuel, least <= n -> least <= fuel ->
       optimise (mixed standard) OptInstance.unspelled library OptInstance.all_allowed n fuel
         (start (mixed standard) OptInstance.small_model OptInstance.small_outputs OptInstance.small_constants) = s') /\
    forall name r, In (name, r) library -> rewrite_rule commutative r (nodes s') (Fold.outs s') = None.
Proof. exact OptEnds.small_optimise_terminates. Qed.
