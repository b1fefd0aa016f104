(** * Instances: the premises of the headline theorems about what the oracle calls hold together

    [NAME_applies] is the theorem [OfOracle.NAME]; [OfOracle.rule_at_sound] is in [AppliedPattern]. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr.
From Calque Require Import kernel.Kernel kernel.Inline kernel.Reverse kernel.Numbers.
From Calque Require Import theorems.AppliedTensor.
From Coq.Floats Require SpecFloat.
From Calque Require theorems.Oracle.
Module OfOracle := theorems.Oracle.
Import ListNotations.
Open Scope Z_scope.

Definition env_full_other_applies :=
  OfOracle.env_full_other [((1%N, "axis"%string), VInt 2)] [] [] [] 1%N "axis"%string 1%N "group"%string (VInt 3)
    ltac:(discriminate).

(** ** t1<2,3>[i,j] = t0[i,j] * t0[i,j], then t2<3,2>[i,j] = t1[j,i] + 7 *)

Notation stmt := (stmt int64s).
Definition squared : stmt := Stmt 1%nat [2; 3]%nat (EBin (OMul : bop int64s) (ELd 0%nat [IVar 0; IVar 1]) (ELd 0%nat [IVar 0; IVar 1])).
Definition turned : stmt := Stmt 2%nat [3; 2]%nat (EBin (OAdd : bop int64s) (ELd 1%nat [IVar 1; IVar 0]) (ECst (7 : lit int64s))).
Definition shapes (t : tid) : list nat := match t with 2%nat => [3; 2]%nat | _ => [2; 3]%nat end.

Lemma shapes_fit s : In s [squared; turned] ->
  Kernel.dims s = shapes (Kernel.out s) /\ Kernel.in_bounds_stmt 1%nat (shapes 1%nat) s.
Proof.
  intros [<- | [<- | []]]; (split; [reflexivity |]); refine (each_index _ _ _); apply Forall_forall; intros i I;
    repeat (destruct I as [<- | I]; [cbn; repeat split; intros; try discriminate; reflexivity |]); destruct I.
Qed.

Definition inlined : list stmt :=
  [Stmt 2%nat [3; 2]%nat
     (EBin (OAdd : bop int64s)
        (EBin (OMul : bop int64s) (ELd 0%nat [IVar 1; IVar 0]) (ELd 0%nat [IVar 1; IVar 0])) (ECst (7 : lit int64s)))].

Definition inline_once_correct_applies :=
  OfOracle.inline_once_correct int64s shapes [2%nat] 1%nat [squared; turned] inlined eq_refl shapes_fit.

(** Into the loops of t1: its cell [i,j] is stored as t2[j,i]. *)
Definition scattered : scatter_stmt int64s :=
  ScatterStmt 2%nat [2; 3]%nat [IVar 1; IVar 0]
    (EBin (OAdd : bop int64s)
       (EBin (OMul : bop int64s) (ELd 0%nat [IVar 0; IVar 1]) (ELd 0%nat [IVar 0; IVar 1])) (ECst (7 : lit int64s))).

Definition reverse_tensor_correct_applies :=
  OfOracle.reverse_tensor_correct int64s shapes [2%nat] 1%nat [squared; turned] [] [] scattered eq_refl
    shapes_fit.

(** 13 without its last 2 digits: 3, then 0, and behind it a 1. *)
Definition shr_shifted_applies :=
  OfOracle.shr_shifted (SpecFloat.Build_shr_record 13 false false) 5 2%positive ltac:(discriminate).
