(** * Rewriting with any rules of the library ends, and an instance *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.Library rewrite.TermFix rewrite.Termination rewrite.TermFull.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** The text of one rule alone does not show it. *)
Theorem not_falling :
  filter (fun nr => negb (falls_text (snd nr))) library = [("full_element_wise"%string, rule_text_full_element_wise)].
Proof. vm_compute. reflexivity. Qed.

Theorem library_falls commutes r : In r (map snd library) -> falls commutes measure r.
Proof.
  intros H. apply in_map_iff in H. destruct H as ([name r'] & E & inr). cbn [snd] in E. subst r'.
  destruct (falls_text r) eqn:T; [now apply falls_text_right |].
  assert (In (name, r) (filter (fun nr => negb (falls_text (snd nr))) library)) as inf
    by (apply filter_In; cbn [snd]; now rewrite T).
  rewrite not_falling in inf. destruct inf as [E | []]. injection E as _ <-. apply full_falls.
Qed.

(** Any of them, in any order, as often as one likes. *)
Theorem rewrite_fix_terminates : forall commutes rules,
  (forall name r, In (name, r) rules -> In r (map snd library)) ->
  forall g outputs, wf g -> grounded g -> (forall o, In o outputs -> o < List.length g) ->
  {n | ends_at commutes rules g outputs n}.
Proof.
  intros commutes rules sub. apply (fix_ends commutes measure); [reflexivity |]. intros name r inr.
  exact (library_falls commutes r (sub name r inr)).
Qed.

(** Dropout of a product with a tensor of threes, which is added too. *)
Definition described (dims : list Z) : list (label * value) :=
  [("shape"%string, VTuple (map VInt dims)); ("ndim"%string, VInt (Z.of_nat (List.length dims))); ("dtype"%string, VStr "f32")].
Definition of_two (s : string) (a : list (label * value)) (l : list nat) : node oper := Node (Oper (KCall s) (described [2%Z]) a) l.
Definition small_graph : tgraph :=
  [Node (Oper KAbsent [] []) []; Node (Oper (KInput 1) (described [2%Z]) []) [];
   of_two "ConstantOfShape" [("shape"%string, VTuple [VInt 2]); ("value"%string, VInt 3); ("dtype"%string, VInt 1)] [];
   of_two "Mul" [] [1; 2]; of_two "Add" [] [3; 2]; of_two "Dropout" [] [4]].

Theorem small_graph_ends : {n | ends_at commutative library small_graph [5] n}.
Proof.
  refine (rewrite_fix_terminates commutative library _ small_graph [5] _ _ _).
  - intros name r H. exact (in_map snd library (name, r) H).
  - apply wfb_iff. reflexivity.
  - do 2 eexists. reflexivity.
  - intros o [<- | []]. repeat constructor.
Qed.

(** Three steps, and what is left. The second one takes a number for the tensor of threes where the sum still reads it. *)
Definition three : node oper := Node (Oper (KConst 0 (Some (VInt 3))) [("dtype"%string, VStr "f32")] []) [].

Theorem small_graph_three :
  rewrite_fix commutative 4 library small_graph [5] [] =
    ([Node (Oper KAbsent [] []) []; Node (Oper (KInput 1) (described [2%Z]) []) [];
      three; of_two "Mul" [] [1; 2]; three; of_two "Add" [] [3; 4]], [5],
     [("dropout_removal"%string, 5); ("full_element_wise"%string, 3); ("full_element_wise"%string, 5)]).
Proof. vm_compute. reflexivity. Qed.
