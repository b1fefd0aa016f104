(** * Instances: the premises of the headline theorems that speak of one model at any input hold together

    [NAME_applies] is the theorem at an input. *)

From Coq Require Import List NArith ZArith String.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances tensor.Mixed.
From Calque Require Import model.Unit model.Compile model.Instance.
From Calque Require rewrite.OptInstance model.Refused model.RefusedInstance.
From Calque Require theorems.Opt theorems.Model theorems.Tensor.
Import ListNotations.
Open Scope nat_scope.

(** 1, 2, .. 18, as binary32 among several element types. *)
Definition small_correct_applies :=
  theorems.Opt.small_correct (Tensor [1; 2; 3; 3] (OptInstance.float_cells (map Z.of_nat (seq 1 18)))) eq_refl
    ltac:(vm_compute; reflexivity).

Definition scaled_correct_applies :=
  theorems.Opt.scaled_correct (Tensor [2; 2] [1; -2; 3; -4]%Z) eq_refl ltac:(vm_compute; reflexivity).

Definition stacked_instance_applies :=
  theorems.Model.stacked_instance (s_exp binary32)
    (Tensor [1; 2; 4; 4] (map (fun k => s_int binary32 (Z.of_nat k - 7)) (seq 0 32))) eq_refl eq_refl.

(** What is refused is the Gather, node 4: before it are the four that its arguments need. *)
Example refused_first_applies : exists before after n,
  RefusedInstance.gathers = before ++ n :: after /\ 4 = List.length before.
Proof.
  pose proof (theorems.Model.refused_instance (fun x => x)) as R.
  set (st := State (S := floats (fun x => x)) [] [] [] [] [0] 0) in R.
  set (constants := fun (_ : N) (_ : option value) => made (fun x => x) [1] (fun _ => 2%Z)) in R.
  destruct (Refused.refused constants 100 st RefusedInstance.gathers 0) as [[[i st'] n] |] eqn:E; [| discriminate R].
  destruct (proj2 (theorems.Model.refused_first (floats (fun x => x)) constants 100 RefusedInstance.gathers st) i st' n E)
    as (before & after & G & L & _).
  pose proof (f_equal (option_map fst) R) as I. injection I as I. exists before, after, n. split; [exact G |].
  rewrite <- L. symmetry. exact I.
Qed.

(** The bits of 1. *)
Definition float_number_decode_applies := theorems.Tensor.float_number_decode 4607182418800017408 eq_refl.
