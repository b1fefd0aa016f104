(** * Instances: the premises of the headline theorems about look-ups hold together

    [NAME_applies] is the theorem [OfLookup.NAME] at a Gather of rows of a 3 by 2 matrix of integers. *)

From Coq Require Import Bool List Lia NArith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Lookup.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Shapes tensor.Ops tensor.OpKernel tensor.Instances.
From Calque Require tensor.OpLookup tensor.OpEval.
From Calque Require theorems.Lookup.
Module OfLookup := theorems.Lookup.
Import ListNotations.
Open Scope nat_scope.

Notation K := (kernel_scalars integers).
Notation Z_tensor := (tensor (num integers)).

Definition rows : Z_tensor := Tensor [3; 2] [10; 11; 20; 21; 30; 31]%Z.
Definition chosen : Z_tensor := Tensor [2] [2; -3]%Z.    (** the last, and the first *)
Definition too_far : Z_tensor := Tensor [2] [2; 3]%Z.
Definition gathered : Z_tensor := Tensor [2; 2] [30; 31; 10; 11]%Z.

(** A store with two inputs. *)
Definition holding (x ix : Z_tensor) : store K := fun t i =>
  if t =? tX 0 then at_ integers x i else if t =? tX 1 then at_ integers ix i else 0%Z.

Lemma held x ix : OpEval.holds integers (holding x ix) [x; ix].
Proof. intros [| [| k]] t E i; cbn in E; [| | now destruct k]; injection E as <-; reflexivity. Qed.

Lemma gathered_value : gather integers 0 rows chosen = Some gathered.
Proof. reflexivity. Qed.

Definition gather_is_look_applies :=
  OfLookup.gather_is_look integers 0 rows chosen (holding rows chosen) gathered ltac:(simpl; lia) (held rows chosen) gathered_value.

Notation the_look := (OpLookup.gather_look 0 [3; 2] [2]).

Example look_done_cells_applies : exists st', exec_look (S := K) (s_index integers) the_look (holding rows chosen) = Filled st' /\
  (forall i x, in_box [2; 2] i = true ->
     (st' (lout the_look) i = x <-> looked (S := K) (s_index integers) (holding rows chosen) the_look i x)) /\
  (forall t, t <> lout the_look -> st' t = holding rows chosen t).
Proof.
  destruct gather_is_look_applies as (st' & E & _). exists st'. split; [exact E |].
  exact (OfLookup.look_done_cells K (s_index integers) the_look (holding rows chosen) st' E).
Qed.

Definition gather_outside_is_look_applies :=
  OfLookup.gather_outside_is_look integers 0 rows too_far (holding rows too_far) ltac:(simpl; lia) (held rows too_far)
    eq_refl ltac:(discriminate).

Definition the_kernel : prog K := match k_gather integers [[3; 2]; [2]] [2; 2] 0 [2; -3]%Z with Some p => p | None => [] end.

Definition gather_constant_is_look_applies :=
  OfLookup.gather_constant_is_look integers 0 rows chosen (holding rows chosen) gathered [2; -3]%Z the_kernel
    ltac:(simpl; lia) (held rows chosen) eq_refl eq_refl gathered_value eq_refl.
