(** * Instances: the premises of the headline theorems about building and rewriting hold together

    [NAME_applies] is the theorem [OfRewrite.NAME] at a rule and a graph that it rewrites. *)

From Coq Require Import Bool List Lia NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundModel.
From Calque Require Import rewrite.Proved rewrite.ProvedSound rewrite.ProvedInstances rewrite.SoundTactic.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances.
From Calque Require rewrite.Convex rewrite.Example rewrite.Errata rewrite.Check rewrite.CheckProof rewrite.CheckSound.
From Calque Require Import rewrite.GraphEval.
From Calque Require rewrite.UnsoundStrict.
From Calque Require Import rewrite.LibraryLike theorems.AppliedPattern.
From Calque Require theorems.Rewrite.
Module OfRewrite := theorems.Rewrite.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** A rule of the library on a graph over binary32: BiasAdd becomes Add *)

Notation bias := rule_text_simplify_bias_add.
Definition bias_model : model (tensor (num binary32)) :=
  tensors binary32 (look_up N.eqb (one_row binary32)) (look_up N.eqb (one_row binary32))
    (written_shape bias_graph).

Lemma bias_graph_sane : sane bias_model bias_graph.
Proof. apply (UnsoundStrict.saneb_sane binary32 (one_row binary32) bias_graph). vm_compute. reflexivity. Qed.

Lemma bias_sound : rule_sound_for bias_model commutative bias.
Proof.
  apply (rules_sound binary32 _ _ _ exactly) with (name := "simplify_bias_add").
  - intros []; try discriminate; intros _; [exact (float_commutes _ binary32_float_laws) | exact binary32_float_laws].
  - apply bias_rules_proved. now left.
Qed.

Definition bias_found : mstate * list nat :=
  Eval vm_compute in match rule_at commutative bias bias_graph [3] (seq 0 4) 3 with Some x => x | None => (empty, []) end.
Definition bias_map : mstate := Eval vm_compute in fst bias_found.
Definition bias_built : list nat * bstate :=
  Eval vm_compute in match build_roots bias bias_graph bias_map 1 with Some x => x | None => ([], BState [] []) end.
Definition bias_new : tgraph * list nat :=
  Eval vm_compute in match rewrite_match bias bias_graph [3] bias_map [3] with Some x => x | None => ([], []) end.

Lemma bias_matches : rule_at commutative bias bias_graph [3] (seq 0 (List.length bias_graph)) 3 = Some (bias_map, [3]).
Proof. computes. Qed.

Lemma bias_inside : forall o, In o [3] -> o < List.length bias_graph.
Proof. intros o [<- | []]. simpl. lia. Qed.

Lemma bias_rewrites : rewrite_match bias bias_graph [3] bias_map [3] = Some (fst bias_new, snd bias_new).
Proof. computes. Qed.

Lemma bias_ordered : ordered (patterns bias).
Proof. apply in_order. computes. Qed.

Definition rewrite_sound_applies :=
  OfRewrite.rewrite_sound _ bias_model commutative bias bias_graph [3] 3 bias_map [3] (fst bias_new) (snd bias_new)
    bias_sound bias_graph_sane bias_inside ltac:(simpl; lia) bias_matches bias_rewrites.

Definition target_built_sound_applies :=
  OfRewrite.target_built_sound _ bias_model commutative bias bias_graph [3] 3 bias_map [3]
    bias_sound bias_graph_sane ltac:(simpl; lia) bias_matches (fst bias_built) (snd bias_built) ltac:(computes).

Definition rewrite_fix_sound_applies :=
  OfRewrite.rewrite_fix_sound _ bias_model commutative bias_rules 9 bias_graph [3] []
    ltac:(intros name r [E | []]; injection E as <- <-; exact bias_sound) bias_graph_sane bias_inside.

(** The target, and the node that is built for it. *)
Definition build_iff_applies :=
  proj1 (OfRewrite.build_iff (patterns bias) bias_graph bias_map bias_ordered (List.length (patterns bias)) None
           (BState [] bias_graph) (hd 0 (target bias)) (hd 0 (fst bias_built)) (snd bias_built) ltac:(vm_compute; lia))
    ltac:(computes).

(** ** The semantic check accepts that rule *)

Lemma bias_map_found : MatchProof.outputs_match commutative bias bias_graph empty (source bias) [3] bias_map.
Proof.
  split; [reflexivity |]. eapply T_Cons; [| apply T_Nil].
  apply (PatternProof.pmatch_iff _ _ _ bias_ordered (List.length (patterns bias))); [vm_compute; lia | vm_compute; now left].
Qed.

Definition check_sound_applies :=
  OfRewrite.check_sound commutative bias bias_graph ltac:(computes) bias_map [3] bias_map_found ltac:(discriminate).

(** The branches of a variadic source. *)
Lemma branch_maps : MatchProof.branches commutative branch_rule branch_graph 2 [5; 6; 7]
  (MState (bound branch_map) [] (alts branch_map)).
Proof.
  eapply T_Cons; [| eapply T_Cons; [| eapply T_Cons; [| apply T_Nil]]];
    (apply (PatternProof.pmatch_iff _ _ _ branch_ordered 3); [simpl; lia | vm_compute; left; reflexivity]).
Qed.

Definition check_branches_sound_applies :=
  OfRewrite.check_branches_sound commutative branch_rule branch_graph ltac:(computes) 2 [5; 6; 7] _ ltac:(computes)
    branch_maps ltac:(discriminate) ltac:(discriminate).

(** Environments that differ where nothing is defined: at patterns that are none of the rule's. *)
Definition elsewhere (G : env) : env :=
  Env (fun p l => if (p <? 9)%N then access G p l else Some (VInt 7)) (inst G) (value_of G) (taken G).

Lemma sum_agree :
  CheckSound.agree (patterns sum_rule) sum_map None []
    (env_at (patterns sum_rule) sum_graph sum_map None)
    (elsewhere (env_at (patterns sum_rule) sum_graph sum_map None)).
Proof.
  split; [| split; [| split; [| split]]]; try (intros; reflexivity); try (intros; now left).
  intros p l D. unfold elsewhere. cbn [access]. destruct (N.ltb_spec p 9) as [| far]; [reflexivity |].
  unfold Check.access_defined in D. replace (nth_error (patterns sum_rule) (N.to_nat p)) with (@None pattern) in D;
    [discriminate |]. symmetry. apply nth_error_None. simpl. lia.
Qed.

Definition check_irrelevant_applies :=
  OfRewrite.check_irrelevant (patterns sum_rule) sum_map (hd AAny (conditions sum_rule)) None [] _ _ sum_agree ltac:(computes).

Example check_irrelevant_value :
  eval (env_at (patterns sum_rule) sum_graph sum_map None) (hd AAny (conditions sum_rule)) = Some (VBool true).
Proof. computes. Qed.

(** ** A rule that is proved by hand: relu(identity(x)), the meaning being numbers *)

Definition counts (o : oper) (vs : list nat) : option nat :=
  match what o, vs with
  | KInput k, [] => Some (N.to_nat k)
  | KCall name, [v] => Some (if String.eqb name "Identity" then v else S v)
  | _, _ => None
  end.

Definition twice : tgraph := [Errata.absent; Errata.input 1; Errata.call "Identity" [1]; Errata.call "Relu" [2]].
Definition twice_map : mstate :=
  Eval vm_compute in the_map (match_at commutative Example.identity_removal twice [3] 1 2).
Definition twice_new : tgraph * list nat :=
  Eval vm_compute in
    match rewrite_match Example.identity_removal twice [3] twice_map [2] with Some x => x | None => ([], []) end.

Lemma twice_wf : wf twice.
Proof. apply graph_ok. computes. Qed.

Definition identity_removal_valid_applies :=
  OfRewrite.identity_removal_valid nat counts commutative ltac:(reflexivity) twice [3] 2 twice_map (Errata.call "Identity" [1])
    twice_wf eq_refl eq_refl ltac:(computes).

Definition rewrite_preserves_applies :=
  let '(conj _ (conj _ keeps)) :=
    OfRewrite.rewrite_preserves nat counts Example.identity_removal twice [3] twice_map [2] (fst twice_new) (snd twice_new)
      twice_wf ltac:(intros o [<- | []]; simpl; lia) ltac:(computes) in
  keeps identity_removal_valid_applies.

(** Its output has a value. *)
Example rewrite_preserves_value : ge counts twice 3 2.
Proof. apply graph_eval_iff; [exact twice_wf | computes]. Qed.

(** ** Convexity: two products that become one *)

Definition joint_new : Graph.graph string := Convex.halves 10 0 5 3.
Definition joint_moves : list (nat * nat) := [(6, 13); (7, 14)].

Lemma joint_wf : wf (Convex.joint_graph ++ joint_new).
Proof. apply wfb_iff. computes. Qed.

Lemma joint_proper : Convex.proper Convex.joint_graph joint_new joint_moves.
Proof. apply Convex.proper_decided. computes. Qed.

Definition place_target_iff_applies :=
  proj1 (OfRewrite.place_target_iff string Convex.joint_graph joint_new joint_moves joint_wf joint_proper)
    ltac:(vm_compute; discriminate).

Lemma joint_joined : Convex.joined Convex.joint_graph joint_new joint_moves.
Proof.
  assert (D : forall j, In j [0; 5; 3] -> Convex.depends Convex.joint_graph joint_new 12 j).
  { intros j J. eapply (Convex.D_Step _ _ 12 _ 11); [simpl; lia | reflexivity | now left | simpl; lia |].
    destruct J as [<- | K].
    - eapply Convex.D_Arg; [simpl; lia | reflexivity | now left].
    - eapply (Convex.D_Step _ _ 11 _ 10); [simpl; lia | reflexivity | right; now left | simpl; lia |].
      eapply Convex.D_Arg; [simpl; lia | reflexivity | exact K]. }
  intros t j T [lt R]. right.
  assert (In j [0; 5; 3]) as J.
  { simpl in lt. destruct R as [(n & N & A) | R].
    - simpl in N. repeat (destruct N as [<- | N]; [simpl in A; simpl; lia |]). destruct N.
    - simpl in R. lia. }
  destruct T as [<- | [<- | []]];
    (eapply Convex.D_Step; [| reflexivity | now left | | exact (D j J)]; simpl; lia).
Qed.

Definition convex_iff_acyclic_applies :=
  proj1 (proj2 (OfRewrite.convex_iff_acyclic string Convex.joint_graph joint_new joint_moves joint_wf joint_proper) joint_joined)
    place_target_iff_applies.

Definition convex_acyclic_applies :=
  OfRewrite.convex_acyclic string Convex.joint_graph joint_new [6; 7] joint_wf
    (fun n j N A lt o O =>
       place_target_iff_applies o j O (conj lt (or_introl (ex_intro _ n (conj N A))))).
