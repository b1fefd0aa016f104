(** * What is left out of a gradient is not needed *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Gradient kernel.GradientProgram.
From Calque Require Import kernel.StepProof kernel.BackwardProof.
Import ListNotations.
Open Scope Z_scope.

Section Needed.
  Variable F : field.
  Notation step := (step F).
  Notation store := (store (text F)).

  (** One statement of text: a scalar's cell is also read without index. *)
  Definition run_step (s : step) (st : store) : store :=
    upd (S := text F) st (out (does F s)) (fun i =>
      if index_in (dims (does F s)) i
      then eval st (match i with [] => if scalar (dims (does F s)) then [0] else [] | _ => i end)
             (body (does F s))
      else r0 F).

  Definition run (p : list step) (st : store) : store := fold_left (fun st s => run_step s st) p st.

  Definition use (roots : list tid) (p : list step) : list tid * list step :=
    fold_right (fun s '(used, kept) =>
      if existsb (Nat.eqb (out (does F s))) used
      then (loads (body (does F s)) ++ used, s :: kept) else (used, kept)) (roots, []) p.

  Lemma used_steps_use roots p : used_steps F roots p = snd (use roots p).
  Proof. reflexivity. Qed.

  (** The tensors whose first values have an influence on the roots. *)
  Definition needed_by (roots : list tid) (p : list step) : list tid := fst (use roots p).

  (** The statements that are kept give the roots the same values, from any store that agrees on
      the needed tensors. *)
  Theorem needed_correct roots p : forall st st',
    (forall t, In t (needed_by roots p) -> forall i, st t i = st' t i) ->
    forall t, In t roots -> forall i, run p st t i = run (used_steps F roots p) st' t i.
  Proof.
    unfold needed_by. rewrite used_steps_use.
    induction p as [| s p IH]; intros st st' same t int_ i; [now apply same |].
    cbn [use fold_right] in *. fold (use roots p) in *.
    destruct (use roots p) as [used kept]. cbn [fst snd] in *.
    destruct (existsb (Nat.eqb (out (does F s))) used) eqn:E.
    - cbn [fst snd run fold_left] in *. apply IH; [| exact int_]. intros u inu j.
      unfold run_step, upd. destruct (Nat.eqb_spec u (out (does F s))) as [-> |].
      + destruct (index_in _ j); [| reflexivity]. apply (eval_frame (text F)). intros v inv.
        intros k. apply same, in_or_app. now left.
      + apply same, in_or_app. now right.
    - cbn [fst snd run fold_left] in *. apply IH; [| exact int_]. intros u inu j.
      unfold run_step, upd. destruct (Nat.eqb_spec u (out (does F s))) as [-> |]; [| now apply same].
      apply existsb_eqb in inu. congruence.
  Qed.
End Needed.
