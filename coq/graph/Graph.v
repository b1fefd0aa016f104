(** * Computation graphs and what their nodes compute

    A graph is a list of nodes; a node applies an operator to earlier nodes.
    Operators and values are arbitrary: everything here holds for any meaning of
    the operators, partial ones included (an ill-typed application has no
    value).  Inputs and weights are operators without arguments. *)

From Coq Require Import Arith Lia List.
From Calque Require Import base.Lists.
Import ListNotations.

Section Graph.
  Context {O V : Type}.

  (** The meaning of the operators. *)
  Variable den : O -> list V -> option V.

  Record node := Node { op : O; args : list nat }.
  Definition graph := list node.

  (** Children come before their users. *)
  Definition wf (g : graph) : Prop :=
    forall i n, nth_error g i = Some n -> forall j, In j (args n) -> j < i.

  Fixpoint wf_from (k : nat) (g : graph) : bool :=
    match g with
    | [] => true
    | n :: g' => forallb (fun j => j <? k) (args n) && wf_from (S k) g'
    end.

  Definition wfb (g : graph) : bool := wf_from 0 g.

  (** ** The judgement: node [i] of [g] computes [v] *)

  Inductive ge (g : graph) : nat -> V -> Prop :=
    | GE_Node : forall i n vs v,
        nth_error g i = Some n ->
        Forall2 (ge g) (args n) vs ->
        den (op n) vs = Some v ->
        ge g i v.

  (** [j] is [i] or one of the nodes that [i] is computed from. *)
  Inductive ancestor (g : graph) : nat -> nat -> Prop :=
    | A_Self : forall i, ancestor g i i
    | A_Step : forall i j k n,
        nth_error g i = Some n -> In k (args n) -> ancestor g j k ->
        ancestor g j i.

  (** ** Execution: a schedule says which node is computed when *)

  Definition store := nat -> option V.

  Definition compute (st : store) (n : node) : option V :=
    match traverse st (args n) with
    | Some vs => den (op n) vs
    | None => None
    end.

  Definition exec_node (g : graph) (st : store) (i : nat) : store :=
    let r := match nth_error g i with Some n => compute st n | None => None end in
    fun j => if j =? i then r else st j.

  Definition exec (g : graph) (schedule : list nat) : store :=
    fold_left (exec_node g) schedule (fun _ => None).

  (** Every node is scheduled after its arguments (and it may be repeated). *)
  Definition topological (g : graph) (schedule : list nat) : Prop :=
    forall before i after, schedule = before ++ i :: after ->
    forall n, nth_error g i = Some n -> forall j, In j (args n) -> In j before.

  (** The order of the list itself. *)
  Definition eval_node (g : graph) (i : nat) : option V :=
    exec g (seq 0 (length g)) i.
End Graph.

Arguments node : clear implicits.
Arguments graph : clear implicits.

Section GraphProof.
  Context {O V : Type} (den : O -> list V -> option V).
  Notation graph := (graph O).

  (** ** Well-formedness *)

  Lemma wf_from_iff (g : graph) k :
    wf_from k g = true <->
    forall i n, nth_error g i = Some n -> forall j, In j (args n) -> j < k + i.
  Proof.
    revert k. induction g as [| n g IH]; intros k; simpl.
    - split; [| reflexivity]. now intros _ [|].
    - rewrite Bool.andb_true_iff, forallb_forall, IH. split.
      + intros [head tail] [| i] m at_i j inj; simpl in at_i.
        * injection at_i as ->. apply head, Nat.ltb_lt in inj. lia.
        * specialize (tail i m at_i j inj). lia.
      + intros H. split.
        * intros j inj. apply Nat.ltb_lt.
          specialize (H 0 n eq_refl j inj). lia.
        * intros i m at_i j inj. specialize (H (S i) m at_i j inj). lia.
  Qed.

  Theorem wfb_iff (g : graph) : wfb g = true <-> wf g.
  Proof. apply wf_from_iff. Qed.

  Lemma ancestor_le (g : graph) j i : wf g -> ancestor g j i -> j <= i.
  Proof.
    intros ok H. induction H as [i | i j k n at_i ink _ IH]; [lia |].
    specialize (ok i n at_i k ink). lia.
  Qed.

  (** No node is computed from itself. *)
  Theorem wf_acyclic (g : graph) i n k :
    wf g -> nth_error g i = Some n -> In k (args n) -> ~ ancestor g i k.
  Proof.
    intros ok at_i ink H. apply ancestor_le in H; [| exact ok].
    specialize (ok i n at_i k ink). lia.
  Qed.

  (** ** The judgement *)

  (** Induction that sees the arguments of a node. *)
  Section Induction.
    Variables (g : graph) (P : nat -> V -> Prop).
    Hypothesis step : forall i n vs v,
      nth_error g i = Some n -> Forall2 (ge den g) (args n) vs ->
      Forall2 P (args n) vs -> den (op n) vs = Some v -> P i v.

    Fixpoint ge_nested_ind i v (H : ge den g i v) : P i v :=
      match H with
      | GE_Node _ _ i n vs v at_i all d =>
          step i n vs v at_i all
            ((fix go l m (H : Forall2 (ge den g) l m) : Forall2 P l m :=
                match H with
                | Forall2_nil _ => Forall2_nil P
                | Forall2_cons x y hd tl =>
                    Forall2_cons x y (ge_nested_ind x y hd) (go _ _ tl)
                end) (args n) vs all)
            d
      end.
  End Induction.

  (** A node has at most one value. *)
  Theorem eval_node_unique (g : graph) i v w :
    ge den g i v -> ge den g i w -> w = v.
  Proof.
    intros H. revert w.
    refine (ge_nested_ind g (fun i v => forall w, ge den g i w -> w = v) _ i v H).
    clear i v H. intros i n vs v at_i _ IH d w Hw.
    inversion Hw as [? n' ws ? at_i' all' d']; subst.
    assert (n' = n) as -> by congruence.
    assert (ws = vs) as ->; [| congruence]. clear - IH all'.
    revert ws all'. induction IH as [| j u l us here _ IHl]; intros ws all'.
    - now inversion all'.
    - inversion all'; subst. f_equal; auto.
  Qed.

  (** A value depends on the ancestors only. *)
  Theorem eval_depends_on_ancestors (g h : graph) i v :
    (forall j, ancestor g j i -> nth_error g j = nth_error h j) ->
    ge den g i v -> ge den h i v.
  Proof.
    intros same H. revert same.
    refine (ge_nested_ind g (fun i v =>
      (forall j, ancestor g j i -> nth_error g j = nth_error h j) -> ge den h i v) _ i v H).
    clear i v H. intros i n vs v at_i _ IH d same.
    apply GE_Node with n vs; [| | exact d].
    - rewrite <- same; [exact at_i | constructor].
    - assert (forall k, In k (args n) ->
              forall j, ancestor g j k -> nth_error g j = nth_error h j) as below.
      { intros k ink j anc. apply same. now apply A_Step with k n. }
      clear - IH below. induction IH as [| k u l us here _ IHl]; constructor.
      + apply here, below. now left.
      + apply IHl. intros k' ink'. apply below. now right.
  Qed.

  (** New nodes behind the others change nothing. *)
  Corollary eval_app (g h : graph) i v :
    wf g -> i < length g -> (ge den (g ++ h) i v <-> ge den g i v).
  Proof.
    intros ok lt.
    assert (forall j k, ancestor (g ++ h) j k -> k < length g -> j < length g) as inside.
    { intros j k anc. induction anc as [k | k j m n at_k inm _ IH]; [easy |].
      intros lk. apply IH. rewrite nth_error_app1 in at_k by exact lk.
      specialize (ok k n at_k m inm). lia. }
    split; apply eval_depends_on_ancestors; intros j anc.
    - apply nth_error_app1. now apply inside with i.
    - symmetry. apply nth_error_app1. apply ancestor_le in anc; [lia | exact ok].
  Qed.

  (** ** Schedules *)

  Lemma exec_app (g : graph) s t :
    exec den g (s ++ t) = fold_left (exec_node den g) t (exec den g s).
  Proof. unfold exec. apply fold_left_app. Qed.

  Lemma topological_init (g : graph) s i :
    topological g (s ++ [i]) -> topological g s.
  Proof.
    intros H before j after E. apply (H before j (after ++ [i])).
    rewrite E, <- app_assoc. reflexivity.
  Qed.

  (** Every scheduled node gets exactly its value. *)
  Theorem exec_iff (g : graph) schedule :
    topological g schedule ->
    forall i, In i schedule ->
    forall v, exec den g schedule i = Some v <-> ge den g i v.
  Proof.
    induction schedule as [| k s IH] using rev_ind; [easy |].
    intros topo i ini v. pose proof (IH (topological_init g s k topo)) as done.
    rewrite exec_app. simpl. unfold exec_node.
    destruct (Nat.eqb_spec i k) as [-> | ne].
    - destruct (nth_error g k) as [n |] eqn:at_k.
      + assert (Forall (fun j => forall u, exec den g s j = Some u <-> ge den g j u)
                  (args n)) as args_done.
        { apply Forall_forall. intros j inj. apply done.
          now apply (topo s k [] eq_refl n at_k). }
        unfold compute. split.
        * destruct (traverse (exec den g s) (args n)) as [vs |] eqn:E; [| discriminate].
          intros d. apply GE_Node with n vs; [exact at_k | | exact d].
          now apply (traverse_iff _ _ _ args_done).
        * intros H. inversion H as [? n' vs ? at_k' all d]; subst.
          assert (n' = n) as -> by congruence.
          apply (traverse_iff _ _ _ args_done) in all. now rewrite all.
      + split; [discriminate |]. intros H. inversion H. congruence.
    - apply done. apply in_app_or in ini. destruct ini as [| [|[]]]; congruence.
  Qed.

  (** The order of evaluation is irrelevant. *)
  Theorem eval_order_irrelevant (g : graph) s t i :
    topological g s -> topological g t -> In i s -> In i t ->
    exec den g s i = exec den g t i.
  Proof.
    intros ts tt ins int_.
    pose proof (exec_iff g s ts i ins) as Hs. pose proof (exec_iff g t tt i int_) as Ht.
    destruct (exec den g s i) as [v |].
    - symmetry. now apply Ht, Hs.
    - destruct (exec den g t i) as [v |]; [| reflexivity].
      now apply Hs, Ht.
  Qed.

  Lemma wf_topological (g : graph) : wf g -> topological g (seq 0 (length g)).
  Proof.
    intros ok before i after E n at_i j inj.
    pose proof (f_equal (@length nat) E) as len. rewrite app_length, seq_length in len.
    simpl in len.
    assert (forall m, m < length before -> nth m before 0 = m) as front.
    { intros m lt. rewrite <- (app_nth1 before (i :: after) 0 lt), <- E.
      rewrite seq_nth; lia. }
    assert (i = length before) as ->.
    { pose proof (app_nth2 before (i :: after) 0 (le_n (length before))) as at_b.
      rewrite <- E, seq_nth, Nat.sub_diag in at_b by lia. now simpl in at_b. }
    specialize (ok _ n at_i j inj). rewrite <- (front j ok). now apply nth_In.
  Qed.

  (** The evaluator decides the judgement. *)
  Theorem graph_eval_iff (g : graph) i v :
    wf g -> (eval_node den g i = Some v <-> ge den g i v).
  Proof.
    intros ok. unfold eval_node. destruct (Nat.lt_ge_cases i (length g)) as [lt | ge_].
    - apply exec_iff; [now apply wf_topological | apply in_seq; lia].
    - split.
      + assert (forall s, ~ In i s -> exec den g s i = None) as untouched.
        { intros s. induction s as [| k s IH] using rev_ind; [reflexivity |].
          intros nin. rewrite exec_app. simpl. unfold exec_node.
          destruct (Nat.eqb_spec i k) as [-> | _].
          - elim nin. apply in_or_app. right. now left.
          - apply IH. intros ini. apply nin, in_or_app. now left. }
        rewrite untouched; [discriminate |]. rewrite in_seq. lia.
      + intros H. inversion H as [? n ? ? at_i]; subst.
        apply nth_error_None in ge_. congruence.
  Qed.

  (** ** Rewriting *)

  (** [f] sends the nodes of [g] to nodes of [h] that do the same: a node is
      either copied, with its arguments sent along, or replaced by one that has
      its value as soon as the earlier nodes keep theirs (that is what a sound
      rule provides).  Then every node keeps its value. *)
  Theorem eval_simulation (g h : graph) (f : nat -> nat) :
    wf g ->
    (forall i n, nth_error g i = Some n ->
       nth_error h (f i) = Some (Node (op n) (map f (args n))) \/
       ((forall j, j < i -> forall v, ge den g j v <-> ge den h (f j) v) ->
        forall v, ge den g i v <-> ge den h (f i) v)) ->
    forall i, i < length g -> forall v, ge den g i v <-> ge den h (f i) v.
  Proof.
    intros ok same i. induction i as [i IH] using (well_founded_induction lt_wf).
    intros lt v. destruct (nth_error g i) as [n |] eqn:at_i;
      [| apply nth_error_None in at_i; lia].
    assert (forall j, j < i -> forall u, ge den g j u <-> ge den h (f j) u) as earlier.
    { intros j ltj. apply IH; lia. }
    destruct (same i n at_i) as [copied | replaced]; [| now apply replaced].
    assert (forall vs, Forall2 (ge den g) (args n) vs <->
                       Forall2 (ge den h) (map f (args n)) vs) as all.
    { pose proof (ok i n at_i) as below. clear - earlier below.
      induction (args n) as [| j l IHl]; intros vs; simpl.
      - split; intros H; inversion H; constructor.
      - assert (j < i) as ltj by (apply below; now left).
        assert (forall k, In k l -> k < i) as rest by (intros k ink; apply below; now right).
        split; intros H; inversion H; subst; constructor;
          try (now apply earlier); now apply IHl. }
    split; intros H; inversion H as [? m vs ? at_m args_m d]; subst.
    - assert (m = n) as -> by congruence.
      apply GE_Node with (Node (op n) (map f (args n))) vs; [exact copied | | exact d].
      now apply all.
    - assert (m = Node (op n) (map f (args n))) as -> by congruence.
      apply GE_Node with n vs; [exact at_i | | exact d]. now apply all.
  Qed.
End GraphProof.
