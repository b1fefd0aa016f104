(** * Optimising by proved rules, on numbers and on a graph

    The laws hold of binary32 and of the integers, and what is asked of the graph is decided by running
    [UnsoundStrict.saneb]; here a bias becomes a sum. *)

From Coq Require Import Bool List Lia NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundModel rewrite.Library.
From Calque Require Import rewrite.Proved rewrite.ProvedSound rewrite.Conditions.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances.
From Calque Require rewrite.UnsoundStrict.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Definition bias_graph : tgraph :=
  [absent; input 1 [1; 2]%Z; input 2 [2]%Z; call "BiasAdd" [("axis", VInt 1)] [1; 2]%Z [1; 2]].

Definition bias_rules : list (string * rule) := [("simplify_bias_add", rule_text_simplify_bias_add)].

Section Numbers.
  Variable S : arith.
  Definition one_row : list (N * tensor (num S)) :=
    [(1%N, Tensor [1; 2] [s_int S 1; s_int S 2]); (2%N, Tensor [2] [s_int S 3; s_int S 4])]%nat.
  Definition meaning (shapes : N -> option (list nat)) : model (tensor (num S)) :=
    tensors S (look_up N.eqb one_row) (look_up N.eqb one_row) shapes.
End Numbers.

Lemma bias_rules_proved : incl bias_rules (rules_of exactly).
Proof.
  intros c [<- | []]. unfold rules_of. apply in_map_iff. exists ("simplify_bias_add", Exact, rule_text_simplify_bias_add).
  split; [reflexivity |]. apply filter_In. split; [| reflexivity]. unfold proved_rules.
  repeat (first [left; reflexivity | right]).
Qed.

Lemma bias_sane S : UnsoundStrict.saneb S (one_row S) bias_graph = true -> exists shapes, sane (meaning S shapes) bias_graph.
Proof. intros B. eexists. exact (UnsoundStrict.saneb_sane S (one_row S) bias_graph B). Qed.

Theorem opt_correct_binary32_runs : exists shapes,
  let '(h, outputs, _) := rewrite_fix commutative 9 bias_rules bias_graph [3%nat] [] in
  sane (meaning binary32 shapes) h /\ same_values (den (meaning binary32 shapes)) bias_graph [3%nat] h outputs.
Proof.
  destruct (bias_sane binary32 ltac:(vm_compute; reflexivity)) as [shapes san]. exists shapes.
  apply opt_correct_exact; [exact binary32_float_laws | exact bias_rules_proved | exact san |].
  intros o [<- | []]. simpl. lia.
Qed.

(** The graph is rewritten: its output is a sum then. *)
Example opt_binary32_sum :
  let '(h, outputs, _) := rewrite_fix commutative 9 bias_rules bias_graph [3%nat] [] in
  map (fun o => option_map (fun n => what (op n)) (nth_error h o)) outputs = [Some (KCall "Add")].
Proof. vm_compute. reflexivity. Qed.

Theorem opt_correct_integers :
  forall inputs constants shapes rules fuel g outputs log,
    incl rules (rules_of in_rings) ->
    sane (tensors integers inputs constants shapes) g -> (forall o, In o outputs -> (o < List.length g)%nat) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane (tensors integers inputs constants shapes) h /\
    same_values (den (tensors integers inputs constants shapes)) g outputs h outputs'.
Proof.
  intros inputs constants shapes rules fuel g outputs log.
  exact (opt_correct_ring integers inputs constants shapes rules fuel g outputs log UnsoundStrict.integers_scalars).
Qed.
