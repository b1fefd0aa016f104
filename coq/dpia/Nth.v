(** * Positions in lists: [nth_error] of what the evaluator builds *)

From Coq Require Import List Arith Lia.
Import ListNotations.
Set Implicit Arguments.

Section Nth.
  Variable A : Type.
  Implicit Types (l : list A) (ll : list (list A)).

  Lemma nth_seq n a i : i < n -> nth_error (seq a n) i = Some (a + i).
  Proof.
    revert a i. induction n as [| n IH]; intros a i lt; [lia |].
    destruct i as [| i]; simpl; [f_equal; lia |]. rewrite IH by lia. f_equal. lia.
  Qed.

  Lemma nth_concat n ll : (forall l, In l ll -> length l = n) ->
    forall i j, j < n ->
      nth_error (concat ll) (i * n + j) =
      match nth_error ll i with Some l => nth_error l j | None => None end.
  Proof.
    induction ll as [| l ll IH]; intros len i j lt; simpl.
    - destruct i; simpl; now destruct (_ + _ + _) || destruct j.
    - destruct i as [| i]; simpl.
      + apply nth_error_app1. rewrite len; simpl; auto.
      + rewrite nth_error_app2; rewrite (len l); simpl; auto; [| lia].
        replace (n + i * n + j - n) with (i * n + j) by lia. apply IH; simpl in *; auto.
  Qed.

  Lemma length_concat n ll :
    (forall l, In l ll -> length l = n) -> length (concat ll) = n * length ll.
  Proof.
    induction ll as [| l ll IH]; simpl; intros len; [lia |].
    rewrite app_length, IH, (len l) by auto. lia.
  Qed.

  Lemma nth_rev l i : i < length l -> nth_error (rev l) i = nth_error l (length l - 1 - i).
  Proof.
    intros lt. destruct l as [| a l']; [simpl in lt; lia |]. set (l := a :: l') in *.
    rewrite (nth_error_nth' _ a) by (rewrite rev_length; auto).
    rewrite rev_nth by auto. rewrite (nth_error_nth' l a) by lia. do 2 f_equal. lia.
  Qed.

  Lemma nth_combine B l (m : list B) i :
    nth_error (combine l m) i =
    match nth_error l i, nth_error m i with Some a, Some b => Some (a, b) | _, _ => None end.
  Proof.
    revert l m. induction i as [| i IH]; intros [| a l] [| b m]; simpl; auto.
    now destruct (nth_error l i).
  Qed.

  Lemma nth_some l i : i < length l -> exists x, nth_error l i = Some x.
  Proof. intros lt. destruct (nth_error l i) eqn:E; eauto. apply nth_error_None in E. lia. Qed.

  Lemma nth_tabulate l d : l = map (fun i => nth i l d) (seq 0 (length l)).
  Proof. induction l as [| x l IH]; simpl; auto. f_equal. now rewrite <- seq_shift, map_map. Qed.

  Lemma firstn_snoc l i x : nth_error l i = Some x -> firstn (S i) l = firstn i l ++ [x].
  Proof.
    revert i. induction l as [| a l IH]; intros [| i] E; simpl in *; try discriminate.
    - now injection E as ->.
    - f_equal. now apply IH.
  Qed.
End Nth.

Lemma divmod_join n i j : j < n -> (i * n + j) / n = i /\ (i * n + j) mod n = j.
Proof.
  intros lt. split.
  - rewrite Nat.div_add_l, Nat.div_small by lia. lia.
  - rewrite Nat.add_comm, Nat.mod_add by lia. now apply Nat.mod_small.
Qed.
