(** * Terms of several graphs, and which of them are equal

    The nodes of several graphs in one graph, each once; what is equal is known of some terms, and follows
    for others: of the same operator on equal terms.  Operators and values are arbitrary, as in [Graph].
    C: rewrite/terms.c. *)

From Coq Require Import List.
From Calque Require Import base.Lists graph.Graph.
Import ListNotations.

Section Terms.
  Context {O V : Type} (den : O -> list V -> option V).
  Notation graph := (graph O).

  (** [f] finds the nodes of [x] in [g]. *)
  Definition embeds (f : nat -> nat) (x g : graph) : Prop :=
    forall i n, nth_error x i = Some n -> nth_error g (f i) = Some (Node (op n) (map f (args n))).

  (** What follows from the equalities [known]. *)
  Inductive equal_terms (g : graph) (known : nat -> nat -> Prop) : nat -> nat -> Prop :=
    | J_Known : forall i j, known i j -> equal_terms g known i j
    | J_Same : forall i j n m,
        nth_error g i = Some n -> nth_error g j = Some m -> op n = op m ->
        Forall2 (equal_terms g known) (args n) (args m) -> equal_terms g known i j
    | J_Refl : forall i, equal_terms g known i i
    | J_Sym : forall i j, equal_terms g known i j -> equal_terms g known j i
    | J_Trans : forall i j k, equal_terms g known i j -> equal_terms g known j k -> equal_terms g known i k.

  (** Terms that have the same values. *)
  Definition same (g : graph) (i j : nat) : Prop := forall v, ge den g i v <-> ge den g j v.

  Lemma same_args (g : graph) l m vs : Forall2 (same g) l m -> Forall2 (ge den g) l vs -> Forall2 (ge den g) m vs.
  Proof.
    intros H. revert vs. induction H as [| i j l m E _ IH]; intros vs all; inversion all; subst; constructor.
    - now apply E.
    - now apply IH.
  Qed.

  Lemma same_sym_args (g : graph) l m : Forall2 (same g) l m -> Forall2 (same g) m l.
  Proof. intros H. induction H as [| i j l m E _ IH]; constructor; [| exact IH]. intros v. now rewrite (E v). Qed.

  Fixpoint equal_terms_same (g : graph) (known : nat -> nat -> Prop) (K : forall i j, known i j -> same g i j)
    i j (H : equal_terms g known i j) : same g i j.
  Proof.
    destruct H as [i j H | i j n m at_i at_j E all | i | i j H | i j k H1 H2].
    - now apply K.
    - assert (Forall2 (same g) (args n) (args m)) as A.
      { revert all. generalize (args n) (args m). fix go 3. intros l m' [| a b l' m'' H T]; constructor.
        - exact (equal_terms_same g known K a b H).
        - exact (go l' m'' T). }
      intros v. split; intros X; inversion X as [i' n' vs v' at_ below d]; subst.
      + rewrite at_i in at_. injection at_ as <-. rewrite E in d.
        exact (GE_Node den g j m vs v at_j (same_args g _ _ vs A below) d).
      + rewrite at_j in at_. injection at_ as <-. rewrite <- E in d.
        exact (GE_Node den g i n vs v at_i (same_args g _ _ vs (same_sym_args g _ _ A) below) d).
    - intros v. reflexivity.
    - intros v. symmetry. exact (equal_terms_same g known K i j H v).
    - intros v. rewrite (equal_terms_same g known K i j H1 v). exact (equal_terms_same g known K j k H2 v).
  Qed.

  Lemma embeds_value f (x g : graph) i v : embeds f x g -> ge den x i v -> ge den g (f i) v.
  Proof.
    intros F. revert i v. apply (ge_nested_ind den x (fun i v => ge den g (f i) v)).
    intros i n vs v at_i _ all d. apply GE_Node with (n := Node (op n) (map f (args n))) (vs := vs).
    - now apply F.
    - cbn. clear d. revert all. generalize (args n). intros l all. induction all; cbn; now constructor.
    - exact d.
  Qed.

  (** Outputs of two graphs whose terms are equal have the same value. *)
  Theorem equal_term_outputs (x y g : graph) f h (known : nat -> nat -> Prop) i j v w :
    embeds f x g -> embeds h y g -> (forall a b, known a b -> same g a b) ->
    equal_terms g known (f i) (h j) -> ge den x i v -> ge den y j w -> v = w.
  Proof.
    intros F H K J X Y. apply (embeds_value f x g i v F) in X. apply (embeds_value h y g j w H) in Y.
    apply (equal_terms_same g known K _ _ J) in X. exact (eval_node_unique den g (h j) w v Y X).
  Qed.
End Terms.
