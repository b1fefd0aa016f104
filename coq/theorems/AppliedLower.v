(** * Instances: the premises of the theorems on lowering hold together

    Each [NAME_applies] is the theorem NAME of [Theorems] at the kernel
    C<2>[i] = sum(k<3) A<2,3>[i,k] + B<2>[i] on integers, with A, B, C = 0, 1, 2. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans emit.MiniC emit.Codegen.
From Calque Require Import kernel.Lower kernel.LowerProof kernel.LowerTyped.
From Calque Require kernel.Kernel kernel.KernelProof kernel.InlineProof kernel.Wf kernel.WfProof.
From Calque Require theorems.AppliedEmit theorems.Translation.
Import ListNotations.
Import theorems.Translation.OfLower.
Open Scope nat_scope.

Notation integers := KernelProof.integers.
Notation var := Kernel.IVar.

Definition shape (t : Kernel.tid) : list nat := match t with 0 => [2; 3] | _ => [2] end.
Definition row_sums : Kernel.stmt integers :=
  Kernel.Stmt 2 [2] (KernelProof.add
    (@Kernel.ERed integers tt [3] (Kernel.ELd 0 [var 1; var 0])) (Kernel.ELd 1 [var 0])).
Definition own (t : Kernel.tid) : nat := t.
Definition store : Kernel.store integers := InlineProof.numbered.

Lemma row_sums_inside t : Kernel.in_bounds_stmt t (shape t) row_sums.
Proof. exact (proj2 (WfProof.wf_sound integers shape row_sums eq_refl) t). Qed.

Lemma row_sums_lowered : exists e, lower_stmt integers shape own row_sums = Some e.
Proof. eexists. reflexivity. Qed.

Definition trees : list (value (scalar_algebra integers)) :=
  [tree integers (shape 0) (store 0); tree integers (shape 1) (store 1)].

Example lower_correct_applies :
  exists e, lower_stmt integers shape own row_sums = Some e /\
    eval (s := numbers_sizing) trees e = tree integers [2] (Kernel.exec row_sums store 2).
Proof.
  destruct row_sums_lowered as [e E]. exists e. split; [exact E |].
  apply (lower_correct integers shape row_sums own e trees store E).
  - intros t [<- | [<- | []]]; reflexivity.
  - exact row_sums_inside.
Qed.

Example lower_typed_applies :
  exists e, lower_stmt integers shape own row_sums = Some e /\
    ty (s := numbers_sizing) (closed [array (shape 0); array (shape 1)]) e (array [2]).
Proof.
  destruct row_sums_lowered as [e E]. exists e. split; [exact E |].
  apply (lower_typed integers shape row_sums own e _ E).
  - intros t [<- | [<- | []]]; reflexivity.
  - exact row_sums_inside.
Qed.

Lemma tree_typed d : forall x, has_type (s := numbers_sizing) (array d) (tree integers d x).
Proof.
  induction d as [| n d IH]; intros x; [exact I |]. split.
  - now rewrite map_length, seq_length.
  - intros i w E. apply nth_error_In, in_map_iff in E as (k & <- & _). apply IH.
Qed.

Example kernel_compile_correct_applies :
  let ts := [0; 1] in
  let G := map (fun t => array (shape t)) ts in
  exists e m', lower_stmt integers shape own row_sums = Some e /\
    run (fun _ => 0%Z) (cgc (compile G e (array [2])))
      (AppliedEmit.start_of (s := numbers_sizing) trees (array [2])) = Some m' /\
    forall p, leaf (s := numbers_sizing) (array [2]) p ->
      m' 2 p = Some (look (tree integers [2] (Kernel.exec row_sums store 2)) p).
Proof.
  intros ts G. destruct row_sums_lowered as [e E]. exists e.
  destruct (kernel_compile_correct integers shape row_sums ts own e store
    (AppliedEmit.start_of (s := numbers_sizing) trees (array [2])) (fun _ => 0%Z) E) as (m' & run_ & out).
  - intros t [<- | [<- | []]]; reflexivity.
  - exact row_sums_inside.
  - apply AppliedEmit.ready_start. repeat (apply Forall2_cons; [apply tree_typed |]). apply Forall2_nil.
  - exists m'. auto.
Qed.
