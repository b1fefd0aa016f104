(** * Instances: the premises of the theorems on lowering hold together

    The kernel is a convolution of a row of 4 by 3 weights with padding, at binary32: a
    sum, a select that guards its loads, and indices that leave the row without it. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require dpia.Syntax dpia.Typing dpia.Values dpia.Scalars dpia.Errata.
From Calque Require emit.MiniC emit.Codegen theorems.Translation theorems.AppliedEmit.
From Calque Require Import kernel.Kernel kernel.Wf kernel.WfProof kernel.Lower kernel.LowerProof kernel.LowerTyped.
From Calque Require kernel.Numbers tensor.Scalars tensor.Instances.
Import ListNotations.
Module OfLower := Translation.OfLower.
Open Scope nat_scope.

Definition floats : scalars := Scalars.kernel_scalars Instances.binary32.

(** [y<4>[i] = sum(k<3) (0 <= i + k - 1 < 4 ? x[i + k - 1] : 0) * w[k]], x, w and y being 0, 1 and 2. *)
Definition source : ix := ISub (IAdd (IVar 1) (IVar 0)) (ICst 1).
Definition guarded : ex floats :=
  @ESel floats (CAnd (CCmp CGe source (ICst 0)) (CCmp CLt source (ICst 4)))
    (ELd 0 [source]) (@ECst floats (Scalars.LInt 0)).
Definition convolution : stmt floats :=
  Stmt 2 [4] (@ERed floats Numbers.KSum [3]
    (@EBin floats Numbers.OMul guarded (ELd 1 [IVar 0]))).

Definition shape (t : tid) : list nat := match t with 0 | 2 => [4] | _ => [3] end.
Definition to_variable (t : tid) : nat := t.          (** x is variable 0 outside, w variable 1 *)

Definition num (z : Z) : spec_float := binary_normalize 24 128 z 0 false.
Definition values (t : tid) (i : list Z) : carrier floats :=
  match t, i with
  | 0, [k] => num (k + 1)                             (** x = 1, 2, 3, 4 *)
  | 1, [k] => num (k + 2)                             (** w = 2, 3, 4 *)
  | _, _ => num 0
  end.
Definition rows : list (Values.value (scalar_algebra floats)) :=
  map (fun t => tree floats (shape t) (values t)) [0; 1].

Definition lowered_opt := lower_stmt floats shape to_variable convolution.
Definition lowered : Syntax.exp (scalar_algebra floats) Syntax.numbers :=
  match lowered_opt with Some e => e | None => Syntax.EVar 0 end.

Lemma is_lowered : lower_stmt floats shape to_variable convolution = Some lowered.
Proof. reflexivity. Qed.

Lemma in_bounds_ : forall t, in_bounds_stmt t (shape t) convolution.
Proof. apply wf_sound. vm_compute. reflexivity. Qed.

Lemma loads_two t : In t (loads (body convolution)) -> t = 0 \/ t = 1.
Proof. cbn. intuition. Qed.

(** 1 * 3 + 2 * 4; 1 * 2 + 2 * 3 + 3 * 4; .. *)
Lemma cells_computed :
  map (fun k => exec convolution values 2 [Z.of_nat k]) (seq 0 4) = map num [11; 20; 29; 18]%Z.
Proof. vm_compute. reflexivity. Qed.

Definition result : Values.value (scalar_algebra floats) :=
  Values.Arr (map (Values.Num (A := scalar_algebra floats)) (map num [11; 20; 29; 18]%Z)).

Lemma computed : tree floats (dims convolution) (exec convolution values (out convolution)) = result.
Proof. unfold result. rewrite <- cells_computed, map_map. reflexivity. Qed.

Example lower_correct_applies :
  Values.eval (s := Syntax.numbers_sizing) rows lowered = result.
Proof.
  rewrite <- computed.
  apply (OfLower.lower_correct floats shape convolution to_variable lowered rows values is_lowered);
    [| exact in_bounds_].
  intros t H. now destruct (loads_two t H) as [-> | ->].
Qed.

Definition parameters : list (Syntax.data Syntax.numbers) := map (fun t => array (shape t)) [0; 1].

Example lower_typed_applies :
  Typing.ty (s := Syntax.numbers_sizing) (Typing.closed parameters) lowered (array [4]).
Proof.
  apply (OfLower.lower_typed floats shape convolution to_variable lowered _ is_lowered); [| exact in_bounds_].
  intros t H. now destruct (loads_two t H) as [-> | ->].
Qed.

Example kernel_compile_correct_applies ie :
  let C := Codegen.cgc (Trans.compile parameters lowered (array [4])) in
  exists m', MiniC.run ie C (AppliedEmit.laid_out rows (array [4])) = Some m' /\
    map (fun i => m' 2 [Values.At i]) [0; 1; 2; 3] =
    map (fun z => Some (Some (num z))) [11; 20; 29; 18]%Z.
Proof.
  intros C.
  assert (T : Forall2 (Values.has_type (s := Syntax.numbers_sizing)) parameters rows)
    by (apply AppliedEmit.inputs_typed_sound; vm_compute; reflexivity).
  destruct (OfLower.kernel_compile_correct floats shape convolution [0; 1] to_variable lowered values
              (AppliedEmit.laid_out rows (array [4])) ie
              is_lowered) as (m' & R & out).
  - intros t H. now destruct (loads_two t H) as [-> | ->].
  - exact in_bounds_.
  - exact (AppliedEmit.laid_out_ready parameters rows (array [4]) T).
  - exists m'. split; [exact R |]. rewrite computed in out. cbn [map].
    rewrite !out by (vm_compute; repeat constructor). reflexivity.
Qed.
