(** * Errata of earlier statements about rewriting and folding

    Two theorems were stated with premises that the meaning of the operators does not have. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Rewrite rewrite.RewriteProof.
From Calque Require Import rewrite.Sound rewrite.SoundModel rewrite.LibrarySimplify.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.OpTable.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Section Errata.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Variables inputs constants : N -> option tensor.
  Variable shapes : N -> option (list nat).
  Notation D := (den (tensors S inputs constants shapes)).

  (** Identity of a tuple: it matches, and has no value, but the tuple has one. *)
  Definition identity_of_tuple : tgraph :=
    [Node (Oper KAbsent [] []) []; Node (Oper KTuple [] []) []; Node (Oper (KCall "Identity") [] []) [1]].

  (** Not every match of [identity_removal] in a well-formed graph is valid: in a graph whose nodes have values
      it is ([sane]). *)
  Theorem erratum_fix_premise :
    ~ forall g outputs e M outs, wf g ->
        rule_at commutative rule_text_identity_removal g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
        valid_at D rule_text_identity_removal g M outs.
  Proof.
    intros H.
    destruct (rule_at commutative rule_text_identity_removal identity_of_tuple [2] (seq 0 3) 2) as [[M outs] |] eqn:A;
      [| vm_compute in A; discriminate].
    assert (wf identity_of_tuple) as ok by now apply wfb_iff.
    specialize (H identity_of_tuple [2] 2 M outs ok A). vm_compute in A. injection A as <- <-.
    unfold valid_at in H.
    match type of H with forall es st, ?b = Some (es, st) -> _ => destruct b as [[es st] |] eqn:B end;
      [| vm_compute in B; discriminate].
    specialize (H es st eq_refl). vm_compute in B. injection B as <- <-.
    specialize (H 2 1 (or_introl eq_refl) (Fields [])). destruct H as [_ H].
    assert (ge D identity_of_tuple 1 (Fields [])) as tuple.
    { apply GE_Node with (Node (Oper KTuple [] []) []) []; [reflexivity | constructor | reflexivity]. }
    specialize (H tuple). inversion H as [? n vs ? at_2 all d]; subst. injection at_2 as <-.
    cbn in all. inversion all as [| ? v ? l hv hl]; subst. inversion hl; subst.
    rewrite (eval_node_unique D _ _ _ _ tuple hv) in d. discriminate.
  Qed.

  (** No operator without arguments makes a tuple. *)
  Lemma no_tuple_from_nothing name l ts : op_value S name l [] <> Some (GTuple ts).
  Proof.
    unfold op_value. destruct (look_up String.eqb (operators S) name) as [o |] eqn:L; [| discriminate].
    assert (Forall (fun e => forall l ts, op_cells (snd e) l [] <> Some (GTuple ts)) (operators S)) as all.
    { unfold operators. repeat (apply Forall_cons; [intros a us; cbn [snd op_cells]; try discriminate |]); [.. | apply Forall_nil].
      all: unfold constant_op, one; cbn [op_cells];
        repeat match goal with |- match ?x with Some _ => _ | None => _ end <> _ => destruct x end; discriminate. }
    rewrite Forall_forall in all. unfold look_up in L.
    destruct (find _ (operators S)) as [[k o'] |] eqn:F; [| discriminate]. injection L as ->.
    apply find_some in F. exact (all _ (proj1 F) l ts).
  Qed.

  (** There is no constant for a tuple: folding has to be partial. *)
  Theorem erratum_fold_premise : forall constant, ~ forall v, D (constant v) [] = Some v.
  Proof.
    intros constant H. specialize (H (Fields [Tensor [] []])). unfold den in H.
    destruct (what (constant (Fields [Tensor [] []]))) as [| k | k c | name | k |]; try discriminate.
    - cbn in H. destruct (checked S (inputs k)); discriminate.
    - cbn in H. destruct (const_value S constants shapes k c); discriminate.
    - cbn in H. apply op_calls_iff in H. destruct H as [H _]. exact (no_tuple_from_nothing _ _ _ H).
  Qed.
End Errata.
