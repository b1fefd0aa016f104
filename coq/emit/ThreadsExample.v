(** * Threads on two programs: one without races, and one with two results *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target dpia.Scalars emit.MiniC emit.Flat.
From Calque Require Import emit.Threads emit.ThreadsProof.
Import ListNotations.

Notation int_stm := (fstm integers numbers).
Notation int_store := (fstore integers).

Definition load (r : nat) (k : cindex numbers) : fexp integers numbers := FLoad r k.
Definition double (e : fexp integers numbers) : fexp integers numbers :=
  @FBin integers numbers Add e e.
Definition at_var (l : nat) : cindex numbers := KVar l.
Definition at_zero : cindex numbers := KCst 0.

(** [parallel for (i < 3) { int t; t = x[i] + x[i]; y[i] = t; }], x being 0, y being 1, t being 2. *)
Definition doubled : int_stm :=
  FFor Par 0 (3 : size numbers)
    (FBlock 2 DNum (FSeq (FSet 2 at_zero (double (load 0 (at_var 0))))
                         (FSet 1 (at_var 0) (load 2 at_zero)))).

Definition no_loops : ienv := fun _ => 0%Z.
Definition start : int_store := fun r o =>
  match r with
  | 0 => nth_error [Some 5%Z; Some 6%Z; Some 7%Z] o
  | 1 => nth_error [None; None; None] o
  | _ => None
  end.

Theorem doubled_interleaving : forall n m c,
  steps n (start, thread (s := numbers_sizing) no_loops doubled) (m, c) ->
  n <= 27 /\ ~ race c /\
  ((exists next, step (m, c) next) \/
   (c = TDone /\ map (m 1) [0; 1; 2] = [Some (Some 10%Z); Some (Some 12%Z); Some (Some 14%Z)])).
Proof.
  intros n m c H. destruct (frun (s := numbers_sizing) no_loops doubled start) as [m' |] eqn:E;
    [| vm_compute in E; discriminate].
  destruct (@par_interleaving _ _ _ doubled no_loops start m' E n m c H) as (W & no & fin).
  assert (bound : work (thread (s := numbers_sizing) no_loops doubled) = 27) by reflexivity.
  split; [rewrite bound in W; eapply Nat.le_trans; [apply Nat.le_add_r | exact W] |].
  split; [exact no |]. destruct fin as [more | [done same]]; [now left | right].
  split; [exact done |]. cbn [map]. rewrite !same.
  assert (out : option_map (fun m' => map (m' 1) [0; 1; 2]) (frun (s := numbers_sizing) no_loops doubled start) =
    Some [Some (Some 10%Z); Some (Some 12%Z); Some (Some 14%Z)]) by (vm_compute; reflexivity).
  rewrite E in out. cbn [option_map] in out. exact (f_equal (fun o => match o with Some l => l | None => [] end) out).
Qed.

(** [parallel for (i < 2) y[0] = x[i];]: the last one wins. *)
Definition raced : int_stm := FFor Par 0 (2 : size numbers) (FSet 1 at_zero (load 0 (at_var 0))).


Definition ends_with (n : nat) (c : int_stm) (x : Z) : Prop :=
  exists m, steps n (start, thread (s := numbers_sizing) no_loops c) (m, TDone) /\ m 1 0 = Some (Some x).


Ltac go T := eapply Steps_S; [eapply Step; [T | constructor; (reflexivity || discriminate)] |].

Theorem raced_results :
  frun (s := numbers_sizing) no_loops raced start = None /\
  (exists m c, steps 2 (start, thread (s := numbers_sizing) no_loops raced) (m, c) /\ race c) /\
  ends_with 6 raced 6 /\ ends_with 6 raced 5.
Proof.
  split; [reflexivity |]. split; [| split].
  - do 2 eexists. split.
    + go ltac:(apply T_Left, T_Right, T_SetIn, X_Load).
      go ltac:(apply T_Right, T_SetIn, X_Load). apply Steps_0.
    + eapply Race; [apply T_Right, T_Set | left; reflexivity | apply T_Set | left; reflexivity | reflexivity].
  - eexists. split.
    + go ltac:(apply T_Left, T_Right, T_SetIn, X_Load). go ltac:(apply T_Left, T_Right, T_Set).
      go ltac:(apply T_Left, T_Join). go ltac:(apply T_Right, T_SetIn, X_Load).
      go ltac:(apply T_Right, T_Set). go ltac:(apply T_Join). apply Steps_0.
    + reflexivity.
  - eexists. split.
    + go ltac:(apply T_Right, T_SetIn, X_Load). go ltac:(apply T_Right, T_Set).
      go ltac:(apply T_Left, T_Right, T_SetIn, X_Load). go ltac:(apply T_Left, T_Right, T_Set).
      go ltac:(apply T_Left, T_Join). go ltac:(apply T_Join). apply Steps_0.
    + reflexivity.
Qed.
