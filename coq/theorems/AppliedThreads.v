(** * Instances: the premises of the headline theorems about threads hold together

    [NAME_applies] is the theorem [OfThreads.NAME] at a parallel loop. *)

From Coq Require Import List Lia ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Scalars.
From Calque Require Import emit.MiniC emit.Flat emit.FlatProof emit.Threads emit.ThreadsExample.
From Calque Require emit.ThreadsProof emit.Tidy.
From Calque Require theorems.Threads.
Module OfThreads := theorems.Threads.
Import ListNotations.
Open Scope nat_scope.

(** What it ends in. *)
Definition doubled_end : int_store :=
  match frun (s := numbers_sizing) no_loops doubled start with Some m => m | None => start end.

Lemma doubled_runs : frun (s := numbers_sizing) no_loops doubled start = Some doubled_end.
Proof.
  unfold doubled_end. assert (frun (s := numbers_sizing) no_loops doubled start <> None) as N by (vm_compute; discriminate).
  destruct (frun _ _ _); [reflexivity | now elim N].
Qed.

Definition par_interleaving_applies :=
  OfThreads.par_interleaving integers numbers numbers_sizing doubled no_loops start doubled_end doubled_runs.

(** One of its executions, from the start to the end: a thread after the other, the last first. *)
Ltac one at_ inner := eapply Steps_S; [eapply Step; [at_; inner | constructor; (reflexivity || discriminate)] |].

Ltac one_thread at_ :=
  one at_ ltac:(eapply T_BlockIn; [apply T_SeqIn, T_SetIn, X_BinLeft, X_Load | discriminate]);
  one at_ ltac:(eapply T_BlockIn; [apply T_SeqIn, T_SetIn, X_BinRight, X_Load | discriminate]);
  one at_ ltac:(eapply T_BlockIn; [apply T_SeqIn, T_SetIn, X_Bin | exact I]);
  one at_ ltac:(eapply T_BlockWrite; [apply T_SeqIn, T_Set | discriminate]);
  one at_ ltac:(eapply T_BlockIn; [apply T_Seq | exact I]);
  one at_ ltac:(eapply T_BlockRead; [apply T_SetIn, X_Load | reflexivity]);
  one at_ ltac:(eapply T_BlockIn; [apply T_Set | discriminate]);
  one at_ ltac:(apply T_Block).

Lemma doubled_execution : exists m, steps 27 (start, thread (s := numbers_sizing) no_loops doubled) (m, TDone).
Proof.
  eexists.
  one_thread ltac:(apply T_Right).
  one_thread ltac:(apply T_Left, T_Right).
  one_thread ltac:(apply T_Left, T_Left, T_Right).
  one ltac:(apply T_Left, T_Left) ltac:(apply T_Join).
  one ltac:(apply T_Left) ltac:(apply T_Join).
  one ltac:(idtac) ltac:(apply T_Join).
  apply Steps_0.
Qed.

Example par_interleaving_example_applies : exists m, map (m 1) [0; 1; 2] = [Some (Some 10%Z); Some (Some 12%Z); Some (Some 14%Z)].
Proof.
  destruct doubled_execution as [m H]. exists m.
  destruct (OfThreads.par_interleaving_example 27 m TDone H) as (_ & _ & [[[m' c] next] | [_ E]]); [| exact E].
  inversion next; subst. match goal with T : tstep TDone _ _ |- _ => inversion T end.
Qed.

(** ** A program that is printed: map over x of the sum of an element with itself *)

Definition three : data numbers := DAry (3 : size numbers) DNum.
Definition sums : exp integers numbers :=
  EMap Par (3 : size numbers) DNum (EBin (Add : bop integers) (EVar 0) (EVar 0)) (EVar 0).
Definition numbers_5 : value integers :=
  @Arr integers [Num (5%Z : scalar integers); Num (6%Z : scalar integers); Num (7%Z : scalar integers)].

Lemma sums_typed : ty (s := numbers_sizing) (closed [three]) sums three.
Proof. eapply T_Map; [now apply T_Var | apply T_Bin; now apply T_Var]. Qed.

Lemma sums_ready : flat_ready (s := numbers_sizing) [three] [numbers_5] three start.
Proof.
  split; [reflexivity |]. split.
  - intros [| k] dk w D W; cbn in D, W; [| now destruct k]. injection D as <-. injection W as <-. split.
    + split; [reflexivity |]. intros [| [| [| i]]] x E; cbn in E; try (injection E as <-; exact I). now destruct i.
    + intros [| [i | |] [| y p]] L; cbn in L; try tauto.
      destruct i as [| [| [| i]]]; [reflexivity | reflexivity | reflexivity | destruct L; lia].
  - intros [| [| [| o]]] lt; try discriminate. cbn in lt. lia.
Qed.

Definition par_interleaving_printed_applies :=
  OfThreads.par_interleaving_printed integers numbers numbers_sizing [three] sums three [numbers_5] start no_loops
    sums_typed sums_ready.
