(** * The gradient over the reals is the transposed Jacobian in the sense of analysis *)

From Coq Require Import Bool List ZArith Reals FunctionalExtensionality.
From Calque Require Import base.Lists kernel.Kernel kernel.Numbers kernel.Sums kernel.Gradient kernel.SweepProof kernel.StepProof.
From Calque Require Import kernel.GradientProgram kernel.NeededProof kernel.Source kernel.RealField kernel.Derivative.
From Calque Require Import kernel.GradientCorrect.
Import ListNotations.
Open Scope R_scope.

(** The store moved by [h] in a direction. *)
Definition moved (st u : rstore) (h : R) : rstore := fun t i => st t i + u t i * h.

Lemma moved_0 st u : moved st u 0 = st.
Proof.
  apply functional_extensionality. intros t. apply functional_extensionality. intros i.
  unfold moved. rewrite Rmult_0_r. apply Rplus_0_r.
Qed.

Lemma moved_passes st u : passes (moved st u) u.
Proof.
  intros t i. eapply derivable_value.
  - exact (derivable_pt_lim_plus _ _ _ _ _ (derivable_pt_lim_const (st t i) 0)
             (derivable_pt_lim_scal id (u t i) 0 1 (derivable_pt_lim_id 0))).
  - rewrite Rplus_0_l. apply Rmult_1_r.
Qed.

Theorem gradient_jacobian O shapes p outputs wrt r :
  gradient real_field O shapes p outputs wrt = Done r ->
  gradient_check real_field shapes p outputs wrt = true ->
  forall st x a, In x wrt -> In a (box (nth x shapes [])) -> smooth_source p st ->
  exists J : tid -> list Z -> R,
    (forall o c, derivable_pt_lim (fun h =>
       run_source real_field p (moved st (unit_at real_field (nth x shapes []) x a) h) o c) 0 (J o c)) /\
    run real_field (result_steps real_field r) st (adjoint real_field r x) (own_at (nth x shapes []) a) =
    @sum (ring_of real_field) _ (fun o => @sum (ring_of real_field) _ (fun c =>
      st (adjoint real_field r o) (own_at (nth o shapes []) c) * J o c) (box (nth o shapes []))) outputs.
Proof.
  intros H C st x a inx ina ok. set (u := unit_at real_field (nth x shapes []) x a).
  exists (tangent_source real_field p st u). split.
  - intros o c. pose proof (tangent_source_derivative p (moved st u) u (moved_passes st u)) as D.
    rewrite moved_0 in D. exact (D ok o c).
  - exact (gradient_correct real_field O shapes p outputs wrt r H C st x a inx ina).
Qed.

(** ** An instance: C<2>[i] = tanh(sum(k<3) A<2,3>[i,k] * B<3>[k]) * C[i], smooth everywhere *)

Definition layer_shapes : list (list nat) := [[2; 3]; [3]; [2]]%nat.

Definition layer : rsource :=
  [([0%Z], Stmt 2%nat [2%nat]
     (@EBin (text real_field) OMul
       (@EFn (text real_field) FTanh [@ERed (text real_field) (KSum, [1%Z]) [3%nat]
         (@EBin (text real_field) OMul (ELd 0%nat [IVar 1; IVar 0]) (ELd 1%nat [IVar 0]))])
       (ELd 2%nat [IVar 0])))].

Notation layer_gradient := (gradient real_field (Options false false false) layer_shapes layer [2%nat] [0; 1; 2]%nat).

Lemma layer_checks :
  match layer_gradient with Done r => result_check real_field r | _ => false end = true /\
  gradient_check real_field layer_shapes layer [2%nat] [0; 1; 2]%nat = true.
Proof. split; vm_compute; reflexivity. Qed.

Lemma layer_smooth st : smooth_source layer st.
Proof. simpl. repeat split; auto. Qed.

Theorem gradient_layer :
  exists r, layer_gradient = Done r /\
    forall st x a, In x [0; 1; 2]%nat -> In a (box (nth x layer_shapes [])) ->
    exists J : tid -> list Z -> R,
      (forall o c, derivable_pt_lim (fun h =>
         run_source real_field layer (moved st (unit_at real_field (nth x layer_shapes []) x a) h) o c) 0 (J o c)) /\
      run real_field (result_steps real_field r) st (adjoint real_field r x) (own_at (nth x layer_shapes []) a) =
      @sum (ring_of real_field) _ (fun o => @sum (ring_of real_field) _ (fun c =>
        st (adjoint real_field r o) (own_at (nth o layer_shapes []) c) * J o c) (box (nth o layer_shapes []))) [2%nat].
Proof.
  destruct layer_checks as [D C]. destruct layer_gradient as [r | |] eqn:E; try discriminate D.
  exists r. split; [reflexivity |]. intros st x a inx ina.
  exact (gradient_jacobian _ layer_shapes layer [2%nat] [0; 1; 2]%nat r E C st x a inx ina (layer_smooth st)).
Qed.
