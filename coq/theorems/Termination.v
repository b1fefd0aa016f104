(** * Headline theorems: rewriting with rules of the library ends

    [falling]: the rules of the library whose text passes the check of
    [rewrite/Termination.v], 58 of 59 ([rules_not_falling]). *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.Library.
From Calque Require rewrite.TermFix rewrite.Termination rewrite.TermLibrary.
Import ListNotations.

(** A rule whose text passes the check makes the measure smaller, in any graph, at any
    match: lists of numbers, compared from left to right, which cannot fall for ever. *)
Theorem falls_text_right :
  forall commutes r, Termination.falls_text r = true ->
  forall g outputs e h outputs', wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) ->
    rewrite_rule commutes r g outputs = Some (e, (h, outputs')) ->
    grounded h /\ TermFix.less (Termination.measure h) (Termination.measure g).
Proof. exact Termination.falls_text_right. Qed.

(** With any of these rules, in any order, there is a number of steps after which more
    fuel changes nothing, and no rule applies. *)
Theorem rewrite_fix_terminates :
  forall commutes rules,
    (forall name r, In (name, r) rules -> In r (map snd TermLibrary.falling)) ->
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

Theorem rules_not_falling :
  map fst (filter (fun nr => negb (Termination.falls_text (snd nr))) library) = ["full_element_wise"%string].
Proof. exact TermLibrary.not_falling. Qed.

(** An instance: Dropout of Identity of an input, by all of the 58. *)
Theorem rewrite_fix_terminates_example :
  (exists n, TermFix.ends_at commutative TermLibrary.falling TermLibrary.small_graph [3] n) /\
  rewrite_fix commutative 3 TermLibrary.falling TermLibrary.small_graph [3] [] =
    ([Node (Oper KAbsent [] []) []; Node (Oper (KInput 1) [] []) []], [1],
     [("identity_removal"%string, 2); ("dropout_removal"%string, 2)]).
Proof.
  split; [| exact TermLibrary.small_graph_two]. destruct TermLibrary.small_graph_ends as [n H]. now exists n.
Qed.
