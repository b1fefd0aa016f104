(** * Instances: the premises of the headline theorems about matching hold together

    [NAME_applies] is the theorem [OfPattern.NAME] at a rule and a graph on which the rule matches. *)

From Coq Require Import Bool List Lia NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require pattern.PatternProof pattern.Paths pattern.Forward pattern.ForwardProof pattern.Peg.
From Calque Require Import rewrite.Errata.
From Calque Require theorems.Pattern theorems.Oracle.
Module OfPattern := theorems.Pattern.
Module OfOracle := theorems.Oracle.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Ltac computes := vm_compute; reflexivity.

Lemma graph_ok (g : tgraph) : wfb g = true -> wf g.
Proof. apply wfb_iff. Qed.

Lemma in_order pats : orderedb pats = true -> ordered pats.
Proof. apply OfPattern.pattern_order_iff. Qed.

Definition the_map (o : option mstate) : mstate := match o with Some M => M | None => empty end.

(** ** One output: softmax(x) + y, in a graph that adds them the other way around *)

Definition sum_rule : rule :=
  Rule [any; Pattern (PCall (OName "Softmax") [0]) [("axis", AConst (VInt 1))] false false None; any; app "Add" [1; 2]]
    [3] [0] [ABinary BEq (AAccess 1%N "axis") (AConst (VInt 1))].
Definition sum_graph : tgraph :=
  [absent; input 1; input 2; call_with "Softmax" [1] [("axis", VInt 1)]; call "Add" [2; 3]].
Definition sum_wf : wf sum_graph := graph_ok sum_graph ltac:(computes).
Definition sum_ordered : ordered (patterns sum_rule) := in_order (patterns sum_rule) ltac:(computes).
Definition sum_map : mstate := Eval vm_compute in the_map (match_at commutative sum_rule sum_graph [4] 3 4).

Example sum_matches : match_at commutative sum_rule sum_graph [4] 3 4 = Some sum_map.
Proof. computes. Qed.

Definition match_judgement_iff_applies :=
  proj1 (OfPattern.match_judgement_iff commutative (patterns sum_rule) sum_graph sum_ordered 4 None empty 3 4 sum_map
           ltac:(lia)) ltac:(vm_compute; now left).

Definition match_conditions_iff_applies :=
  proj1 (OfPattern.match_conditions_iff sum_rule sum_graph [4] sum_wf sum_map [4]) ltac:(computes).

Definition match_sound_applies :=
  OfPattern.match_sound commutative sum_rule sum_graph [4] sum_wf sum_ordered 3 4 sum_map sum_matches.

Definition match_complete_applies :=
  OfPattern.match_complete commutative sum_rule sum_graph [4] sum_wf sum_ordered 3 4 sum_map
    match_judgement_iff_applies match_conditions_iff_applies.

Definition all_matches_sound_applies :=
  OfPattern.all_matches_sound commutative sum_rule sum_graph [4] sum_wf sum_ordered sum_map [4] ltac:(vm_compute; now left).

Definition rule_at_sound_applies :=
  OfOracle.rule_at_sound commutative sum_rule sum_graph [4] sum_wf sum_ordered [2; 3; 4] 4 sum_map [4]
    ltac:(right; right; now left) ltac:(computes).

(** ** Without a choice: softmax(x) - y *)

Definition plain (name : string) : bool := false.
Definition minus_pats : list pattern := [any; app "Softmax" [0]; any; app "Sub" [1; 2]].
Definition minus_graph : tgraph := [absent; input 1; input 2; call "Softmax" [1]; call "Sub" [3; 2]].
Definition minus_ordered : ordered minus_pats := in_order minus_pats ltac:(computes).
Definition minus_map : mstate := Eval vm_compute in the_map (hd_error (pmatch plain minus_pats minus_graph 4 None empty 3 4)).

Lemma minus_free : PatternProof.choice_free plain minus_pats.
Proof.
  split; [reflexivity |]. intros p q kids E. apply nth_error_In in E.
  repeat (destruct E as [<- | E]; [discriminate |]). destruct E.
Qed.

Lemma minus_match : pm plain minus_pats minus_graph None empty 3 4 minus_map.
Proof. apply (OfPattern.match_judgement_iff _ _ _ minus_ordered 4); [lia | vm_compute; now left]. Qed.

Definition peg_complete_applies :=
  OfPattern.peg_complete plain minus_pats minus_graph 4 None empty 3 4 minus_map minus_ordered minus_free ltac:(lia) minus_match.

Definition peg_sound_applies :=
  OfPattern.peg_sound plain minus_pats minus_graph 4 None empty 3 4 minus_map minus_ordered ltac:(lia) ltac:(computes).

(** Its two maps: that of the judgement, and the one that ordered choice finds. *)
Definition match_deterministic_applies :=
  OfPattern.match_deterministic plain minus_pats minus_graph None empty 3 4 minus_map minus_map minus_ordered minus_free
    minus_match peg_sound_applies.

(** ** Two leaves that stand for one node *)

Definition square_pats : list pattern :=
  [Pattern PWildcard [] true false None; Pattern PWildcard [] true false None; app "Mul" [0; 1]].
Definition square_graph : tgraph := [absent; input 1; call "Mul" [1; 1]].
Definition square_map : mstate :=
  Eval vm_compute in the_map (hd_error (pmatch commutative square_pats square_graph 3 None empty 2 2)).

Definition match_one_to_one_applies :=
  OfPattern.match_one_to_one commutative square_pats square_graph 2 2 square_map (0, None) (1, None) 1
    (Pattern PWildcard [] true false None) (Pattern PWildcard [] true false None)
    (in_order square_pats ltac:(computes))
    (proj1 (OfPattern.match_judgement_iff commutative square_pats square_graph (in_order square_pats ltac:(computes))
              3 None empty 2 2 square_map ltac:(lia)) ltac:(vm_compute; now left))
    ltac:(vm_compute; tauto) ltac:(vm_compute; tauto) ltac:(discriminate) eq_refl eq_refl.

(** ** Two outputs: products of one matrix with two *)

Definition pair_graph : tgraph :=
  [absent; input 1; input 2; input 3; call "MatMul" [1; 2]; call "MatMul" [1; 3]; call "Relu" [5]].
Definition pair_wf : wf pair_graph := graph_ok pair_graph ltac:(computes).
Definition pair_ordered : ordered (patterns two_products) := in_order (patterns two_products) ltac:(computes).
Definition pair_first : mstate :=
  Eval vm_compute in the_map (hd_error (pmatch commutative (patterns two_products) pair_graph 4 None empty 3 4)).
Definition pair_map : mstate :=
  Eval vm_compute in
    the_map (option_map fst (hd_error (multi_at commutative two_products pair_graph [4; 6] (seq 0 7) [3; 4] 4))).

Lemma pair_zero : forall n, nth_error pair_graph 0 = Some n -> present n = false.
Proof. intros n E. injection E as <-. reflexivity. Qed.

Lemma pair_first_match : pm commutative (patterns two_products) pair_graph None empty 3 4 pair_first.
Proof. apply (OfPattern.match_judgement_iff _ _ _ pair_ordered 4); [lia | vm_compute; now left]. Qed.

Lemma pair_second_match : pm commutative (patterns two_products) pair_graph None pair_first 4 5 pair_map.
Proof. apply (OfPattern.match_judgement_iff _ _ _ pair_ordered 5); [lia | vm_compute; now left]. Qed.

Definition multi_match_sound_applies :=
  OfPattern.multi_match_sound commutative two_products pair_graph [4; 6] pair_wf pair_ordered (seq 0 7) [3; 4] 4 pair_map
    [4; 5] ltac:(vm_compute; now left).

Definition multi_match_complete_applies :=
  OfPattern.multi_match_complete commutative two_products pair_graph [4; 6] pair_wf pair_ordered (seq 0 7) [3; 4] 4 [5]
    pair_map ltac:(discriminate) ltac:(intros e [<- | []]; vm_compute; tauto)
    (proj1 multi_match_sound_applies) (proj2 multi_match_sound_applies).

Lemma pair_first_sane : ForwardProof.sane (patterns two_products) pair_graph pair_first.
Proof.
  apply (ForwardProof.pm_sane commutative _ _ pair_ordered pair_zero None empty 3 4);
    [apply ForwardProof.sane_empty | exact pair_first_match].
Qed.

(** The second product is computed from the matrix that the first has bound, node 1. *)
Definition match_anchored_applies :=
  OfPattern.match_anchored commutative (patterns two_products) pair_graph pair_ordered pair_zero None pair_first 4 5 pair_map
    1 pair_first_sane pair_second_match ltac:(vm_compute; now left).

Definition connected_anchor_applies :=
  OfPattern.connected_anchor commutative (patterns two_products) pair_graph pair_ordered pair_zero [3] 4 [] [4] pair_first
    ltac:(computes) ltac:(discriminate) eq_refl (T_Cons _ _ (3, 4) _ [] _ pair_first_match (T_Nil _ _)).

Definition bidirectional_complete_applies :=
  OfPattern.bidirectional_complete commutative two_products pair_graph [4; 6] pair_wf pair_ordered pair_zero
    (Forward.near_any (patterns two_products) pair_graph) (or_introl eq_refl) (seq 0 7) [3; 4] 4.

(** And there is something to find. *)
Example bidirectional_finds :
  map snd (multi_at commutative two_products pair_graph [4; 6] (seq 0 7) [3; 4] 4) = [[4; 5]].
Proof. computes. Qed.

(** ** Any number of outputs: branches -exp(x) *)

Definition branch_rule : rule := Rule [any; field "Exp" [0]; field "Neg" [1]; pat (PVariadic 2 2 None None)] [3] [3] [].
Definition branch_graph : tgraph :=
  [absent; input 1; call "Exp" [1]; call "Exp" [1]; call "Exp" [1]; call "Neg" [2]; call "Neg" [3]; call "Neg" [4]].
Definition branch_wf : wf branch_graph := graph_ok branch_graph ltac:(computes).
Definition branch_ordered : ordered (patterns branch_rule) := in_order (patterns branch_rule) ltac:(computes).
Definition branch_outputs : list nat := [5; 6; 7].
Definition branch_map : mstate :=
  Eval vm_compute in
    the_map (option_map fst (variadic_at commutative branch_rule branch_graph branch_outputs (seq 0 8) 3 2 2 5)).

Lemma branches_found :
  variadic_at commutative branch_rule branch_graph branch_outputs (seq 0 8) 3 2 2 5 = Some (branch_map, [5; 6; 7]).
Proof. computes. Qed.

Definition variadic_sound_applies :=
  OfPattern.variadic_sound commutative branch_rule branch_graph branch_outputs branch_wf branch_ordered (seq 0 8) 3 2 2 5
    branch_map [5; 6; 7] ltac:(vm_compute; tauto) branches_found.

Definition variadic_maximal_applies :=
  OfPattern.variadic_maximal commutative branch_rule branch_graph branch_outputs branch_wf branch_ordered (seq 0 8) 3 2 2 5
    branch_map [5; 6; 7] ltac:(vm_compute; tauto) branches_found.

(** After the first branch. *)
Definition branch_first : mstate :=
  Eval vm_compute in the_map (hd_error (pmatch commutative (patterns branch_rule) branch_graph 3 (Some 0) empty 2 5)).

Lemma branch_zero : forall n, nth_error branch_graph 0 = Some n -> present n = false.
Proof. intros n E. injection E as <-. reflexivity. Qed.

Lemma branch_first_sane : ForwardProof.sane (patterns branch_rule) branch_graph branch_first.
Proof.
  apply (ForwardProof.pm_sane commutative _ _ branch_ordered branch_zero (Some 0) empty 2 5);
    [apply ForwardProof.sane_empty |].
  apply (OfPattern.match_judgement_iff _ _ _ branch_ordered 3); [lia | vm_compute; now left].
Qed.

Definition bidirectional_variadic_applies :=
  OfPattern.bidirectional_variadic commutative branch_rule branch_graph branch_outputs branch_wf branch_ordered branch_zero
    (Forward.near_all (patterns branch_rule) branch_graph) (or_intror eq_refl) (seq 0 8) 2 8 branch_first [5] branch_first_sane.

Example bidirectional_branches :
  snd (grow commutative branch_rule branch_graph branch_outputs 8 (seq 0 8) 2 branch_first [5]) = [5; 6; 7].
Proof. computes. Qed.

(** ** Paths to further outputs *)

Lemma pair_inside : forall o, In o [4; 6] -> o < List.length pair_graph.
Proof. intros o [<- | [<- | []]]; simpl; lia. Qed.

Lemma pair_ends : forall o, In o [4; 6] -> forall x, Paths.reads pair_graph x o = false.
Proof.
  intros o [<- | [<- | []]] x; do 7 (destruct x as [| x]; [reflexivity |]); unfold Paths.reads; simpl; now destruct x.
Qed.

Lemma pair_reaches : ancestor pair_graph 1 6.
Proof.
  eapply A_Step; [reflexivity | now left |]. eapply A_Step; [reflexivity | now left |]. apply A_Self.
Qed.

(** Node 1 is matched when the second output, 6, is looked for; 6 is not. *)
Definition path_matched_iff_applies :=
  proj1 (OfPattern.path_matched_iff oper pair_graph [4; 6] pair_wf pair_inside 1 1) ltac:(vm_compute; tauto).

Definition path_output_new_applies :=
  OfPattern.path_output_new oper pair_graph [4; 6] pair_wf pair_inside 1 6
    ltac:(repeat constructor; simpl; lia) pair_ends eq_refl.

(** From node 1 the second output is reached. *)
Definition path_fwd_applies :=
  OfPattern.path_fwd oper pair_graph [4; 6] pair_wf pair_inside 1 6 1 eq_refl path_output_new_applies
    ltac:(vm_compute; tauto)
    pair_reaches.
