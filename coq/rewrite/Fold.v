(** * Folding constants

    An application whose inputs are all constants is replaced by the constant of
    its value; what is folded is a constant for the nodes behind it.  For any
    operators and any meaning of them. *)

From Coq Require Import Arith Lia List.
From Calque Require Import base.Lists graph.Graph.
Import ListNotations.

Section Fold.
  Context {O V : Type} (den : O -> list V -> option V).
  (** The value of an operator that is a constant, and the constant of a value. *)
  Variables (known : O -> option V) (constant : V -> O).
  (** Which applications may be folded. *)
  Variable foldable : O -> bool.
  Notation graph := (Graph.graph O).

  Definition constant_at (h : graph) (j : nat) : option V :=
    match nth_error h j with
    | Some n => match args n with [] => known (op n) | _ => None end
    | None => None
    end.

  (** [h]: what is already folded. *)
  Definition fold_value (h : graph) (n : node O) : option V :=
    match args n with
    | [] => None
    | _ => if foldable (op n) then
             match traverse (constant_at h) (args n) with
             | Some vs => den (op n) vs
             | None => None
             end
           else None
    end.

  Definition fold_node (h : graph) (n : node O) : node O :=
    match fold_value h n with Some v => Node (constant v) [] | None => n end.

  Fixpoint fold_from (h rest : graph) : graph :=
    match rest with
    | [] => h
    | n :: rest' => fold_from (h ++ [fold_node h n]) rest'
    end.

  Definition fold (g : graph) : graph := fold_from [] g.

  (** ** Proofs *)

  Hypothesis known_value : forall o v, known o = Some v -> den o [] = Some v.
  Hypothesis constant_value : forall v, den (constant v) [] = Some v.

  Lemma fold_from_length rest : forall h, length (fold_from h rest) = length h + length rest.
  Proof.
    induction rest as [| n rest IH]; intros h; simpl; [lia |].
    rewrite IH, app_length. simpl. lia.
  Qed.

  Lemma fold_from_front rest : forall h, firstn (length h) (fold_from h rest) = h.
  Proof.
    induction rest as [| n rest IH]; intros h; simpl; [apply firstn_all |].
    specialize (IH (h ++ [fold_node h n])). rewrite app_length in IH. simpl in IH.
    replace (length h) with (Nat.min (length h) (length h + 1)) at 1 by lia.
    rewrite <- firstn_firstn, IH, firstn_app, firstn_all, Nat.sub_diag. simpl. apply app_nil_r.
  Qed.

  Lemma fold_from_nth rest : forall h i n,
    nth_error rest i = Some n ->
    nth_error (fold_from h rest) (length h + i) =
    Some (fold_node (firstn (length h + i) (fold_from h rest)) n).
  Proof.
    induction rest as [| m rest IH]; intros h [| i] n at_i; simpl in at_i; try discriminate.
    - injection at_i as ->. rewrite Nat.add_0_r, fold_from_front. simpl.
      pose proof (fold_from_front rest (h ++ [fold_node h n])) as F.
      rewrite <- (firstn_skipn (length (h ++ [fold_node h n])) (fold_from _ rest)), F.
      rewrite nth_error_app1 by (rewrite app_length; simpl; lia).
      rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity.
    - simpl. specialize (IH (h ++ [fold_node h m]) i n at_i).
      rewrite app_length in IH. simpl in IH.
      replace (length h + 1 + i) with (length h + S i) in IH by lia. exact IH.
  Qed.

  Lemma fold_nth (g : graph) i n :
    nth_error g i = Some n -> nth_error (fold g) i = Some (fold_node (firstn i (fold g)) n).
  Proof. exact (fold_from_nth g [] i n). Qed.

  Lemma fold_length (g : graph) : length (fold g) = length g.
  Proof. apply fold_from_length. Qed.

  Lemma firstn_nth {A} (l : list A) i j a : nth_error (firstn i l) j = Some a -> nth_error l j = Some a /\ j < i.
  Proof.
    revert i j. induction l as [| b l IH]; intros [| i] [| j] H; simpl in *; try discriminate;
      [split; [exact H | lia] |].
    apply IH in H. split; [apply H | lia].
  Qed.

  Lemma constant_at_value (h : graph) i j v :
    constant_at (firstn i h) j = Some v -> j < i /\ ge den h j v.
  Proof.
    unfold constant_at. destruct (nth_error (firstn i h) j) as [n |] eqn:at_j; [| discriminate].
    apply firstn_nth in at_j. destruct at_j as [at_j lt].
    destruct (args n) eqn:none; [| discriminate]. intros K. split; [exact lt |].
    apply GE_Node with n []; [exact at_j | rewrite none; constructor | now apply known_value].
  Qed.

  (** Folding keeps the value of every node, hence of every output. *)
  Theorem fold_preserves (g : graph) :
    wf g ->
    wf (fold g) /\ length (fold g) = length g /\
    forall i v, ge den g i v <-> ge den (fold g) i v.
  Proof.
    intros ok.
    assert (wf (fold g)) as okf.
    { intros i m at_i j inj.
      assert (i < length g) as lt by (rewrite <- fold_length; apply nth_error_Some; congruence).
      apply nth_error_Some in lt. destruct (nth_error g i) as [n |] eqn:at_n; [| easy].
      rewrite (fold_nth g i n at_n) in at_i. injection at_i as <-. unfold fold_node in inj.
      destruct (fold_value _ n); [easy |]. now apply (ok i n). }
    split; [exact okf |]. split; [apply fold_length |].
    assert (forall i, i < length g -> forall v, ge den g i v <-> ge den (fold g) i v) as main.
    { apply (eval_simulation den g (fold g) (fun i => i) ok).
      intros i n at_i. pose proof (fold_nth g i n at_i) as there. unfold fold_node in there.
      destruct (fold_value _ n) as [v |] eqn:F.
      - right. intros earlier w. unfold fold_value in F.
        assert (exists vs, traverse (constant_at (firstn i (fold g))) (args n) = Some vs /\
                           den (op n) vs = Some v) as (vs & T & d).
        { destruct (args n) as [| a l]; [discriminate |]. destruct (foldable (op n)); [| discriminate].
          destruct (traverse _ (a :: l)) as [vs |]; [| discriminate]. now exists vs. }
        assert (Forall2 (ge den g) (args n) vs) as all.
        { clear - T earlier known_value. revert vs T.
          induction (args n) as [| j l IH]; intros vs T; simpl in T; [injection T as <-; constructor |].
          destruct (constant_at _ j) as [u |] eqn:K; [| discriminate].
          destruct (traverse _ l) as [us |]; [| discriminate]. injection T as <-.
          apply constant_at_value in K. destruct K as [lt K]. constructor.
          - now apply earlier.
          - now apply IH. }
        assert (ge den g i v) as here by (now apply GE_Node with n vs).
        assert (ge den (fold g) i v) as folded
          by (eapply GE_Node; [exact there | constructor | apply constant_value]).
        split; intros H.
        + now rewrite (eval_node_unique den g i v w here H).
        + now rewrite (eval_node_unique den (fold g) i v w folded H).
      - left. rewrite there, map_id. now destruct n. }
    intros i v. destruct (Nat.lt_ge_cases i (length g)) as [lt | ge_]; [now apply main |].
    split; intros H; inversion H as [? n ? ? at_i]; subst.
    - apply nth_error_None in ge_. congruence.
    - rewrite <- fold_length in ge_. apply nth_error_None in ge_. congruence.
  Qed.

  (** One pass is enough: nothing is left to fold. *)
  Theorem fold_complete (g : graph) :
    wf g -> forall i n, nth_error (fold g) i = Some n -> fold_value (fold g) n = None.
  Proof.
    intros ok i m at_i.
    assert (i < length g) as lt by (rewrite <- fold_length; apply nth_error_Some; congruence).
    apply nth_error_Some in lt. destruct (nth_error g i) as [n |] eqn:at_n; [| easy].
    rewrite (fold_nth g i n at_n) in at_i. injection at_i as <-. unfold fold_node.
    destruct (fold_value (firstn i (fold g)) n) eqn:F; [reflexivity |]. rewrite <- F.
    unfold fold_value. destruct (args n) as [| a l] eqn:A; [reflexivity |].
    assert (forall j, In j (a :: l) -> constant_at (fold g) j = constant_at (firstn i (fold g)) j) as same.
    { intros j inj. unfold constant_at. assert (j < i) as ltj by (apply (ok i n at_n); now rewrite A).
      assert (nth_error (firstn i (fold g)) j = nth_error (fold g) j) as ->; [| reflexivity].
      clear - ltj. revert i j ltj. generalize (fold g) as h.
      induction h as [| b h IH]; intros [| i] [| j] lt; simpl; try reflexivity; try lia.
      apply IH. lia. }
    destruct (foldable (op n)); [| reflexivity].
    now rewrite (traverse_ext _ _ _ same).
  Qed.
End Fold.
