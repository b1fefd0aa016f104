(** * A rewrite keeps shapes and arities

    Shape inference is an evaluation, of types instead of values: [infer o ts] is
    the type of what operator [o] makes of inputs of the types [ts], and it has
    none when their number or their types do not fit.  What holds for values for
    any meaning of the operators so holds for types. *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof.
Import ListNotations.
Open Scope nat_scope.

Section Typing.
  Context {T : Type} (infer : oper -> list T -> option T).

  (** Every node has a type: its inputs are as many as its operator takes, and fit. *)
  Definition typed (g : tgraph) : Prop := forall i, i < List.length g -> exists t, ge infer g i t.

  (** The check: no node is without a type. *)
  Definition typedb (g : tgraph) : bool :=
    forallb (fun i => match eval_node infer g i with Some _ => true | None => false end)
      (seq 0 (List.length g)).

  Theorem typedb_iff g : wf g -> (typedb g = true <-> typed g).
  Proof.
    intros ok. unfold typedb, typed. rewrite forallb_forall. split.
    - intros H i lt. specialize (H i (proj2 (in_seq _ _ _) (conj (Nat.le_0_l i) lt))).
      destruct (eval_node infer g i) as [t |] eqn:E; [| discriminate].
      exists t. now apply graph_eval_iff.
    - intros H i ini. apply in_seq in ini. destruct (H i) as [t E]; [lia |].
      apply graph_eval_iff in E; [| exact ok]. now rewrite E.
  Qed.

  Lemma tidy_typed g outs :
    wf g -> typed g -> typed (fst (tidy g outs)).
  Proof.
    intros ok all. unfold tidy. set (inputs := filter _ _).
    set (order := needed g (outs ++ inputs)). cbn [fst]. intros p lt.
    assert (forall j, In j order -> j < List.length g) as inside by apply needed_lt.
    rewrite reorder_length in lt by exact inside.
    pose proof lt as lto. apply nth_error_Some in lto.
    destruct (nth_error order p) as [i |] eqn:at_o; [| easy].
    assert (In i order) as ini by now apply nth_error_In with p.
    assert (place_of i order = p) as <-.
    { apply (proj1 (NoDup_nth_error order) (needed_nodup _ _)); [now apply place_of_lt |].
      rewrite nth_error_place_of; congruence. }
    destruct (all i (inside i ini)) as [t H]. exists t.
    apply (reorder_preserves infer order g ok inside); [now apply needed_topological | exact ini | exact H].
  Qed.

  (** If the new nodes are well typed behind the graph, and have the types of what
      they replace, the rewritten graph is well formed and well typed, and its
      outputs have the types they had. *)
  Theorem rewrite_wf r g outputs M outs h outputs' :
    wf g -> (forall o, In o outputs -> o < List.length g) ->
    (forall es st, build_roots r g M (List.length outs) = Some (es, st) ->
       typed (g ++ skipn (List.length g) (retype g (whole st) (combine outs es)))) ->
    valid_at infer r g M outs ->
    rewrite_match r g outputs M outs = Some (h, outputs') ->
    wf h /\ (forall o, In o outputs' -> o < List.length h) /\
    typed h /\ same_values infer g outputs h outputs'.
  Proof.
    intros ok inside new valid H.
    destruct (rewrite_preserves infer r g outputs M outs h outputs' ok inside H) as (okh & inh & same).
    split; [exact okh |]. split; [exact inh |]. split; [| now apply same].
    unfold rewrite_match in H.
    destruct (build_roots r g M (List.length outs)) as [[es st] |] eqn:B; [| discriminate].
    destruct (Nat.eqb _ _ && _); [| discriminate].
    destruct (place_target g _ (combine outs es)) as [[h1 f] |] eqn:P; [| discriminate].
    injection H as <- <-.
    destruct (place_target_ok infer g _ _ _ _ ok P) as (ok1 & _ & _ & keep).
    destruct (keep (fun o e inm v => valid es st B o e inm v)) as [_ every].
    apply tidy_typed; [exact ok1 |]. intros p lt. destruct (every p lt) as (i & n & m & at_i & _ & _ & E).
    assert (i < List.length (g ++ skipn (List.length g) (retype g (whole st) (combine outs es)))) as lti
      by (apply nth_error_Some; congruence).
    destruct (new es st eq_refl i lti) as [t K]. exists t. now apply E.
  Qed.
End Typing.
