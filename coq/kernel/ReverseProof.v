(** * What [reverse_tensor] accepts computes the same *)

From Coq Require Import Bool List Arith Lia ZArith.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Wf kernel.Inline kernel.InlineProof.
From Calque Require Import kernel.Reverse.
From Calque Require kernel.WfProof.
Import ListNotations.

Section Proof.
  Variable S : scalars.
  Notation ex := (ex S).
  Notation stmt := (stmt S).

  Lemma inline_unread (p : stmt) (e : ex) : ~ In (out p) (loads e) -> inline p e = e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; simpl; intros none.
    - reflexivity.
    - destruct (Nat.eqb_spec t (out p)) as [-> |]; [| reflexivity]. exfalso. apply none. now left.
    - rewrite IHa, IHb; [reflexivity | |]; intros H; apply none, in_or_app; tauto.
    - f_equal. induction IH as [| a l here _ IHl]; [reflexivity |]. simpl in *.
      rewrite here, IHl; [reflexivity | |]; intros H; apply none, in_or_app; tauto.
    - rewrite IHa, IHb; [reflexivity | |]; intros H; apply none, in_or_app; tauto.
    - now rewrite IH.
  Qed.

  Lemma inline_all_unread (p : stmt) (c : list stmt) :
    (forall s, In s c -> ~ In (out p) (loads (body s))) -> map (inline_stmt p) c = c.
  Proof.
    induction c as [| [o d b] c IH]; intros none; [reflexivity |]. simpl.
    rewrite IH by (intros s ins; apply none; now right).
    unfold inline_stmt. simpl. rewrite inline_unread; [reflexivity |]. apply (none _ (or_introl eq_refl)).
  Qed.

  Theorem reverse_tensor_correct shapes outputs t (p b r : list stmt) sc :
    reverse_tensor outputs t p = inr (b, sc, r) ->
    (forall s, In s p -> dims s = shapes (out s) /\ in_bounds_stmt t (shapes t) s) ->
    ~ In t outputs /\
    forall st u i, u <> t ->
      exec_prog r (exec_scatter sc (exec_prog b st)) u i = exec_prog p st u i.
  Proof.
    unfold reverse_tensor. intros H ok.
    destruct (inline_tensor outputs t p) as [why | q] eqn:Q; [discriminate |].
    destruct (inline_tensor_correct S shapes outputs t p q Q ok) as [notout correct].
    split; [exact notout |]. intros st u i ne. rewrite <- correct by exact ne. clear correct ok notout.
    unfold inline_tensor in Q.
    destruct (existsb (Nat.eqb t) outputs); [discriminate |].
    destruct (scan t false p); [discriminate |].
    destruct (split_first (stores t) p) as [[[before s0] after] |] eqn:F; [| discriminate].
    destruct (split_last (reads t) after) as [[[c s] r'] |] eqn:L; [| discriminate].
    destruct (existsb _ c); [discriminate |]. injection Q as <-.
    destruct (existsb (reads t) c) eqn:only; [discriminate |].
    destruct (permutation t (body s)) as [pi |]; [| discriminate].
    destruct (covers pi (length (dims s))) eqn:cov; [| discriminate]. simpl in H.
    destruct (dims_eqb _ _) eqn:shape; [| discriminate]. injection H as <- <- <-.
    apply split_first_eq in F as (_ & st0 & _). unfold stores in st0. apply Nat.eqb_eq in st0.
    apply split_last_eq in L as (_ & _ & unread).
    rewrite map_app, (inline_all_unread s0 c).
    2: { intros s' ins int_. pose proof (existsb_false _ _ only s' ins) as E. rewrite st0 in int_.
         apply reads_iff in int_. congruence. }
    rewrite <- app_assoc, app_assoc. simpl. rewrite (exec_prog_app S (before ++ c)).
    set (st1 := exec_prog (before ++ c) st).
    change (exec_prog (inline_stmt s0 s :: r') st1) with (exec_prog r' (exec (inline_stmt s0 s) st1)).
    apply (others_agree S t r'); [| | exact ne].
    - intros s' ins int_. apply reads_iff in int_. rewrite (unread s' ins) in int_. discriminate.
    - intros v _ j. apply exec_reverse; [exact cov |]. now apply WfProof.dims_eqb_eq.
  Qed.
End Proof.
