(** * Inlining one tensor after the other, and statements that nothing needs

    [inline_all] tries each of the given tensors in turn, as [kernel_inline_all] of C does
    under its own policy; a refusal leaves the program as it is.  [live] drops the statements
    whose tensors are neither loaded later nor outputs.  Both keep every output. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Inline kernel.InlineProof.
Import ListNotations.
Open Scope nat_scope.

Section InlineAll.
  Variable S : scalars.
  Notation stmt := (stmt S).

  Definition inline_one (outputs : list tid) (p : list stmt) (t : tid) : list stmt :=
    match inline_once outputs t p with inr q => q | inl _ => p end.
  Definition inline_all (outputs ts : list tid) (p : list stmt) : list stmt :=
    fold_left (inline_one outputs) ts p.

  (** The statements that are needed, and the tensors that must be there before. *)
  Fixpoint live (outputs : list tid) (p : list stmt) : list stmt * list tid :=
    match p with
    | [] => ([], outputs)
    | s :: p' =>
        let (q, need) := live outputs p' in
        if existsb (Nat.eqb (out s)) need then (s :: q, loads (body s) ++ need) else (q, need)
    end.

  (** Every tensor is stored in its sizes and every load is inside. *)
  Definition whole (shapes : tid -> list nat) (p : list stmt) : Prop :=
    forall s, In s p -> dims s = shapes (out s) /\ forall t, in_bounds_stmt t (shapes t) s.

  Lemma inline_one_keeps shapes outputs p t : whole shapes p ->
    whole shapes (inline_one outputs p t) /\
    forall st u i, In u outputs -> exec_prog (inline_one outputs p t) st u i = exec_prog p st u i.
  Proof.
    intros ok. unfold inline_one. destruct (inline_once outputs t p) as [r | q] eqn:E; [now split |].
    unfold inline_once in E. destruct (inline_tensor outputs t p) as [r | q'] eqn:T; [discriminate |].
    destruct (cheap t p); [| discriminate]. injection E as ->. split.
    - unfold inline_tensor in T. destruct (existsb (Nat.eqb t) outputs); [discriminate |].
      destruct (scan t false p); [discriminate |].
      destruct (split_first (stores t) p) as [[[before s0] after] |] eqn:F; [| discriminate].
      destruct (split_last (reads t) after) as [[[c last] r] |] eqn:L; [| discriminate].
      destruct (existsb _ c); [discriminate |]. injection T as <-.
      apply split_first_eq in F as (-> & _). apply split_last_eq in L as (-> & _).
      assert (ok0 : dims s0 = shapes (out s0) /\ forall u, in_bounds_stmt u (shapes u) s0)
        by (apply ok, in_or_app; right; now left).
      assert (rest : forall s, In s (c ++ [last]) \/ In s r -> dims s = shapes (out s) /\ forall u, in_bounds_stmt u (shapes u) s).
      { intros s I. apply ok, in_or_app. right. right. apply in_or_app. destruct I as [I | I].
        - apply in_app_iff in I as [I | [-> | []]]; [now left | right; now left].
        - right. now right. }
      intros s I. apply in_app_iff in I as [I | I]; [apply ok, in_or_app; now left |].
      apply in_app_iff in I as [I | I]; [| apply rest; now right].
      apply in_map_iff in I as (s1 & <- & I). destruct (rest s1 (or_introl I)) as [D B]. split; [exact D |].
      intros u. apply inline_safe; [apply ok0 | apply B |]. rewrite (proj1 ok0). apply B.
    - destruct (inline_tensor_correct S shapes outputs t p q T) as [no same].
      { intros s I. destruct (ok s I). auto. }
      intros st u i Iu. apply same. intros ->. contradiction.
  Qed.

  Theorem inline_all_keeps shapes outputs ts : forall p, whole shapes p ->
    whole shapes (inline_all outputs ts p) /\
    forall st u i, In u outputs -> exec_prog (inline_all outputs ts p) st u i = exec_prog p st u i.
  Proof.
    induction ts as [| t ts IH]; intros p ok; cbn [inline_all fold_left]; [now split |].
    destruct (inline_one_keeps shapes outputs p t ok) as [ok1 same1]. destruct (IH _ ok1) as [ok2 same2].
    split; [exact ok2 |]. intros st u i I. unfold inline_all in same2. now rewrite same2, same1.
  Qed.

  Lemma live_keeps outputs p : forall st st',
    (forall t, In t (snd (live outputs p)) -> agree S st st' t) ->
    forall u, In u outputs -> agree S (exec_prog (fst (live outputs p)) st) (exec_prog p st') u.
  Proof.
    induction p as [| s p IH]; intros st st' same u I; cbn [live] in *; [now apply same |].
    destruct (live outputs p) as [q need] eqn:L. cbn [fst snd] in IH.
    destruct (existsb (Nat.eqb (out s)) need) eqn:B; cbn [fst snd] in *.
    - apply (IH (exec s st) (exec s st')); [| exact I]. intros t It. apply exec_agree.
      + intros v Iv. apply same. apply in_or_app. now left.
      + apply same. apply in_or_app. now right.
    - apply (IH st (exec s st')); [| exact I]. intros t It i. rewrite kernel_exec_frame; [now apply same |].
      intros ->. apply existsb_eqb in It. congruence.
  Qed.

  Theorem live_correct outputs p st u i : In u outputs ->
    exec_prog (fst (live outputs p)) st u i = exec_prog p st u i.
  Proof. intros I. apply live_keeps; [| exact I]. intros t _ j. reflexivity. Qed.

  Lemma live_whole shapes outputs p : whole shapes p -> whole shapes (fst (live outputs p)).
  Proof.
    induction p as [| s p IH]; intros ok; cbn [live]; [exact ok |].
    assert (ok' : whole shapes p) by (intros r I; apply ok; now right). specialize (IH ok').
    destruct (live outputs p) as [q need]. cbn [fst] in IH. destruct (existsb (Nat.eqb (out s)) need); cbn [fst]; [| exact IH].
    intros r [<- | I]; [apply ok; now left | now apply IH].
  Qed.
End InlineAll.
