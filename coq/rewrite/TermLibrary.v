(** * Which rules of the library the check accepts, and an instance *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.Library rewrite.TermFix rewrite.Termination.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** The rules whose text passes the check. *)
Definition falling : list (string * rule) := filter (fun nr => falls_text (snd nr)) library.

Theorem not_falling : map fst (filter (fun nr => negb (falls_text (snd nr))) library) = ["full_element_wise"%string].
Proof. vm_compute. reflexivity. Qed.

Lemma kept (l : list (string * rule)) r : In r (map snd (filter (fun nr => falls_text (snd nr)) l)) -> falls_text r = true.
Proof.
  intros H. apply in_map_iff in H. destruct H as ([name r'] & E & inf). cbn in E. subst r'. now apply filter_In in inf.
Qed.

(** Any of those of a list of rules, in any order, as often as one likes. *)
Theorem rewrite_fix_ends (l : list (string * rule)) commutes rules :
  (forall name r, In (name, r) rules -> In r (map snd (filter (fun nr => falls_text (snd nr)) l))) ->
  forall g outputs, wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) ->
  {n | ends_at commutes rules g outputs n}.
Proof.
  intros sub. apply (fix_ends commutes measure); [reflexivity |]. intros name r inr.
  exact (falls_text_right commutes r (kept l r (sub name r inr))).
Qed.

Theorem rewrite_fix_terminates : forall commutes rules,
  (forall name r, In (name, r) rules -> In r (map snd falling)) ->
  forall g outputs, wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) ->
  {n | ends_at commutes rules g outputs n}.
Proof. exact (rewrite_fix_ends library). Qed.

(** Dropout of the identity of an input. *)
Definition call (s : string) (l : list nat) : node oper := Node (Oper (KCall s) [] []) l.
Definition small_graph : tgraph :=
  [Node (Oper KAbsent [] []) []; Node (Oper (KInput 1) [] []) []; call "Identity" [1]; call "Dropout" [2]].

Theorem small_graph_ends : {n | ends_at commutative falling small_graph [3] n}.
Proof.
  refine (rewrite_fix_terminates commutative falling _ small_graph [3] _ _ _).
  - intros name r H. exact (in_map snd falling (name, r) H).
  - apply wfb_iff. reflexivity.
  - exists [], []. reflexivity.
  - intros o [<- | []]. repeat constructor.
Qed.

(** Two steps, and what is left. *)
Theorem small_graph_two :
  rewrite_fix commutative 3 falling small_graph [3] [] =
    ([Node (Oper KAbsent [] []) []; Node (Oper (KInput 1) [] []) []], [1],
     [("identity_removal"%string, 2); ("dropout_removal"%string, 2)]).
Proof. vm_compute. reflexivity. Qed.
