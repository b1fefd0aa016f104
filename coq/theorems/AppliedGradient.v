(** * Instances: the premises of the theorems on gradients and tangents hold together

    Each [NAME_applies] is the theorem NAME of [Theorems] on rational numbers, at a strided
    convolution, an element-wise product, or the kernel of [GradientExample]. *)

From Coq Require Import Bool List Lia Arith ZArith QArith Qcanon.
From Calque Require Import kernel.Kernel kernel.Numbers kernel.Gradient kernel.SweepProof kernel.GradientProgram.
From Calque Require Import kernel.Forms kernel.FormsProof kernel.PutProof kernel.GatherForm kernel.GatherValue.
From Calque Require Import kernel.StepProof kernel.NeededProof kernel.Source kernel.GradErrata kernel.AdjointProof.
From Calque Require kernel.Sums kernel.Dual kernel.ProgramProof kernel.BackwardProof.
From Calque Require kernel.GradientCorrect kernel.GradientExample.
From Calque Require theorems.Gradients theorems.IndexNotation.
Import ListNotations.
Import theorems.Gradients.OfGradient.
Open Scope Z_scope.

(** i // 3 * 3 + i mod 3, for i < 7. *)
Example normal_form_value_applies :
  let a := IAdd (IMul (IDiv (IVar 0) 3) 3) (IMod (IVar 0) 3) in
  eval_ix [5] (form_ix (form_of [0%nat] [7%nat] a)) = eval_ix [5] a.
Proof. intros a. apply normal_form_value; reflexivity. Qed.

(** ** O<2,3>[k,p] = sum(r<3) I<7>[2*p+r] * W<2,3>[k,r], with I, W, dO = 0, 2, 4, as in [gather_18] *)

Definition convolution : E := total [3%nat] (ld 0%nat [IAdd (IMul (IVar 2) 2) (IVar 0)] *! ld 2%nat [IVar 1; IVar 0]).
Definition conv_shapes (t : tid) : list nat := match t with O => [7] | _ => [2; 3] end%nat.

(** What the sweep gives for it. *)
Definition conv_contribution : contribution rationals :=
  Contribution [([], [3%nat])] [IAdd (IMul (IVar 2) 2) (IVar 0)] []
    (ld 4%nat [IVar 1; IVar 2] *! ld 2%nat [IVar 1; IVar 0]).

Example gather_value_applies :
  val rationals world [3] (gather conv_shapes false [0] [2; 3]%nat [7%nat] conv_contribution) =
  hit_value rationals world [2; 3]%nat [7%nat] conv_contribution [3].
Proof. apply gather_value; reflexivity. Qed.

(** The direction: 1 at cell 3. *)
Definition at_three (i : list Z) : elt rationals := if tuple_eqb i [3] then qc 1 else qc 0.

Ltac in_boxes := repeat match goal with
  | H : In _ _ |- _ => progress cbn in H
  | H : _ \/ _ |- _ => destruct H as [<- | H]
  | H : False |- _ => destruct H
  end.

Example step_adjoint_applies :
  sweep 0%nat 2 None (own_ix [2; 3]%nat) convolution (ELd 4%nat (own_ix [2; 3]%nat)) [] = Done [conv_contribution] /\
  Sums.sum (K := ring_of rationals) (fun a => rmul rationals
    (Sums.sum (K := ring_of rationals) (fun c => val rationals world a
       (gather conv_shapes false [0; 1] [2; 3]%nat [7%nat] c)) [conv_contribution]) (at_three a)) (box [7%nat]) =
  Sums.sum (K := ring_of rationals) (fun i => rmul rationals (world 4%nat (own_at [2; 3]%nat i))
    (tangent rationals world (along rationals 0%nat at_three) None (own_at [2; 3]%nat i) i convolution)) (box [2; 3]%nat).
Proof.
  split; [reflexivity |].
  apply (step_adjoint rationals conv_shapes false [0; 1] world [2; 3]%nat convolution None 0%nat 4%nat at_three).
  - reflexivity.
  - reflexivity.
  - discriminate.
  - intros i ini. in_boxes; (intros k ink; in_boxes; (split; intros E; (reflexivity || discriminate E))).
Qed.

(** ** C<2>[i] = A<2>[i] * B<2>[i], with A, B, C = 0, 1, 2, by A *)

Definition product_shapes : list (list nat) := [[2]; [2]; [2]]%nat.
Definition product_text : E := ld 0%nat [IVar 0] *! ld 1%nat [IVar 0].
Definition product : list (list Z * stmt (text rationals)) := [([0], Stmt 2%nat [2%nat] product_text)].
Definition plain : options := Options false false false.

Definition forward_steps : list (step rationals) := [Step rationals (Stmt 3%nat [2%nat] product_text) [0] None false].
Definition forward_tensors : list (origin * list nat) :=
  [(First 0, [2]); (First 1, [2]); (First 2, [2]); (Version 2 true, [2])]%nat.
Definition all_steps : list (step rationals) :=
  forward_steps ++
  [Step rationals (Stmt 5%nat [2%nat] (ld 4%nat [IVar 0] *! ld 1%nat [IVar 0])) [-10] None false].
Definition forward_builder : builder rationals := Builder rationals forward_tensors forward_steps.
Definition all_builder : builder rationals :=
  Builder rationals (forward_tensors ++ [(AdjointOf 2, [2]); (AdjointOf 0, [2])]%nat) all_steps.

Lemma product_forward :
  forward rationals plain product_shapes product product (seq 0 3) (sources rationals product_shapes) =
  ([0; 1; 3]%nat, forward_builder).
Proof. reflexivity. Qed.

Lemma product_backward :
  backward rationals plain [2%nat] [0%nat] [0; 1; 3]%nat forward_builder =
  Done ([(2, 4)]%nat, [(0, 5)]%nat, all_builder).
Proof. reflexivity. Qed.

(** A direction [x] of A, and what C does in it. *)
Definition direction_of_A (x : list Z -> elt rationals) (t : tid) (i : list Z) : elt rationals :=
  if in_box [2%nat] i && (t =? 0)%nat then x i else qc 0.
Definition direction (x : list Z -> elt rationals) (st : store (text rationals)) (t : tid) (i : list Z) : elt rationals :=
  if in_box [2%nat] i && (t =? 3)%nat then tangent rationals st (direction_of_A x) None (own_at [2%nat] i) i product_text
  else direction_of_A x t i.

(** Against any direction of A, from any store: 5 holds dA and 4 is dC. *)
Example gradient_adjoint_applies :
  (exists r, gradient rationals plain product_shapes product [2%nat] [0%nat] = Done r) /\
  forall st0 x,
    let st := NeededProof.run rationals all_steps st0 in
    Sums.sum (K := ring_of rationals) (fun t => Sums.sum (K := ring_of rationals) (fun a =>
      rmul rationals (st 5%nat a) (direction x st t a)) (box [2%nat])) [0%nat] =
    Sums.sum (K := ring_of rationals) (fun q : tid * tid => Sums.sum (K := ring_of rationals) (fun a =>
      rmul rationals (st (snd q) a) (direction x st 3%nat a)) (box [2%nat])) [(2, 4)%nat].
Proof.
  destruct (gradient rationals plain product_shapes product [2%nat] [0%nat]) as [r | |] eqn:H; [| discriminate H ..].
  split; [now exists r |]. intros st0 x st.
  destruct (gradient_adjoint rationals plain product_shapes product [2%nat] [0%nat] r H) as
    (current & b & given & l & b' & E & B & _ & main); [cbn; lia |].
  change (forward rationals plain product_shapes product product (seq 0 3) (sources rationals product_shapes) =
    (current, b)) in E.
  rewrite product_forward in E. injection E as <- <-.
  change (backward rationals plain [2%nat] [0%nat] [0; 1; 3]%nat forward_builder = Done (given, l, b')) in B.
  rewrite product_backward in B. injection B as <- <- <-.
  destruct (main st0 (direction x st)) as (_ & _ & equal).
  - intros s ins. in_boxes. reflexivity.
  - intros s t i ins ini. in_boxes; (split; intros same; subst t; reflexivity).
  - intros t int_. in_boxes. cbn. lia.
  - repeat constructor. intros [].
  - intros t int_. in_boxes. cbn. lia.
  - repeat constructor. intros [].
  - intros t scalar_. do 6 (destruct t as [| t]; [discriminate scalar_ |]). reflexivity.
  - intros t i out_. unfold direction, direction_of_A.
    destruct (in_box [2%nat] i) eqn:inside; [| reflexivity]. cbn [andb].
    assert (index_in [2%nat] i = true) as yes by (unfold index_in; now rewrite inside).
    destruct t as [| [| [| [| t]]]]; [change (index_in [2%nat] i = false) in out_; congruence .. | reflexivity].
  - intros t lt none i. unfold direction, direction_of_A. cbn in lt.
    destruct t as [| [| [| t]]]; [destruct none; now left | .. | lia]; now rewrite !andb_false_r.
  - intros s i ins ini. in_boxes; reflexivity.
  - exact equal.
Qed.

(** Of two statements one is not needed: T4 = A * B; T5 = C + 1, for T4. *)
Example gradient_needed_inputs_applies :
  let p := [Step rationals (Stmt 4%nat [2%nat] product_text) [] None false;
            Step rationals (Stmt 5%nat [2%nat] (ld 2%nat [IVar 0] +! q 1)) [] None false] in
  let st' t i := if (t =? 2)%nat then qc 0 else world t i in
  used_steps rationals [4%nat] p = [Step rationals (Stmt 4%nat [2%nat] product_text) [] None false] /\
  NeededProof.run rationals p world 4%nat [1] =
  NeededProof.run rationals (used_steps rationals [4%nat] p) st' 4%nat [1].
Proof.
  intros p st'. split; [reflexivity |].
  apply (gradient_needed_inputs rationals [4%nat]); [| now left].
  intros t int_ i. in_boxes; reflexivity.
Qed.

(** The two premises of [gradient_correct] hold on this kernel. *)
Definition gradient_correct_applies := theorems.Gradients.OfGradient.gradient_example.

Example gradient_reads_inside_applies :
  exists r, GradientExample.example_gradient = Done r /\ result_steps rationals r <> [] /\
    forall s i t, In s (result_steps rationals r) -> In i (box (dims (does rationals s))) ->
      loads_in rationals t (nth t (map snd (result_tensors rationals r)) []) i (body (does rationals s)).
Proof.
  destruct GradientExample.gradient_example as (r & E & C & _). exists r.
  split; [exact E |]. split; [| exact (gradient_reads_inside rationals r C)].
  intros none. assert (N : match GradientExample.example_gradient with
    Done r => negb (Nat.eqb (length (result_steps rationals r)) 0) | _ => false end = true) by (vm_compute; reflexivity).
  rewrite E, none in N. discriminate N.
Qed.

(** ** Tangents and dual numbers *)

Example tangent_dual_applies :
  let e := total [3%nat] (ld 0%nat [IVar 1; IVar 0] *! ld 1%nat [IVar 0]) /! ld 2%nat [IVar 0] in
  let du : store (text rationals) := fun t i => qc (Z.of_nat t) in
  eval (Dual.dual_store rationals world du) [1] (Dual.embed rationals e) =
  ((eval world [1] e, tangent rationals world du None [1] [1] e) : Dual.dual_number rationals).
Proof. intros e du. apply theorems.IndexNotation.OfDual.tangent_dual. reflexivity. Qed.

(** 2 + 3 e *)
Example dual_inverse_applies :
  rmul (Dual.dual rationals) (qc 2, qc 3) (rinv (Dual.dual rationals) (qc 2, qc 3)) = r1 (Dual.dual rationals).
Proof.
  apply (theorems.IndexNotation.OfDual.dual_inverse rationals (qc 2) (qc 3)); apply Qc_is_canon; vm_compute; reflexivity.
Qed.
