(** * Theorems about the real numbers

    Restated as in [Theorems], and apart from it because Coq's real numbers rest on
    axioms; the statements with the axioms used are compared with
    tests/coq/real_theorems.golden. *)

From Coq Require Import List ZArith Reals.
From Calque Require kernel.Derivative tensor.RealNumbers rewrite.ProvedSound.
From Calque Require Import kernel.Kernel kernel.Numbers kernel.Gradient kernel.SweepProof kernel.Source kernel.RealField.
From Calque Require Import kernel.Sums kernel.StepProof kernel.GradientProgram kernel.NeededProof.
From Calque Require Import kernel.Derivative kernel.GradientCorrect kernel.GradientReal.
Import ListNotations.
Open Scope R_scope.

(** The tangent of a kernel expression with sums, differences, products, quotients,
    negation, square root, exponential, logarithm, hyperbolic tangent, powers, maximum,
    minimum and comparison of two numbers, selects and sums over boxes is its derivative in
    the sense of analysis, along any differentiable curve of stores, where no division by
    zero, no root, logarithm or power of a number that is not positive and no comparison of
    equal numbers is evaluated. *)
Theorem tangent_derivative (c : R -> rstore) (du : rstore) :
  passes c du ->
  forall (e : rex) own rho,
    smooth (c 0) rho e ->
    derivable_pt_lim (fun h => @eval (text real_field) (c h) rho e) 0
      (tangent real_field (c 0) du None own rho e).
Proof. exact (Derivative.tangent_derivative c du). Qed.

(** The reals, with any function in the place of [erf], have the laws that the rules of class real ask for. *)
Theorem reals_laws (erf : R -> R) : Factors.real_laws (RealNumbers.reals erf).
Proof. exact (RealNumbers.reals_laws erf). Qed.

(** So rewriting with any of the proved rules keeps every output, over the reals. *)
Theorem opt_correct_reals (erf : R -> R) :
  forall inputs constants shapes rules fuel g outputs log,
    incl rules (ProvedSound.rules_of (fun _ => true)) ->
    Sound.sane (SoundModel.tensors (RealNumbers.reals erf) inputs constants shapes) g ->
    (forall o, In o outputs -> (o < List.length g)%nat) ->
    let '(h, outputs', _) := Rewrite.rewrite_fix pattern.Match.commutative fuel rules g outputs log in
    Sound.sane (SoundModel.tensors (RealNumbers.reals erf) inputs constants shapes) h /\
    RewriteProof.same_values (Sound.den (SoundModel.tensors (RealNumbers.reals erf) inputs constants shapes)) g outputs h outputs'.
Proof.
  intros inputs constants shapes rules fuel g outputs log.
  exact (ProvedSound.opt_correct_real _ inputs constants shapes rules fuel g outputs log (RealNumbers.reals_laws erf)).
Qed.

(** The tangent of the source program: the same for every tensor after its statements. *)
Theorem tangent_source_derivative (p : rsource) : forall (c : R -> rstore) du,
  passes c du -> smooth_source p (c 0) ->
  passes (fun h => run_source real_field p (c h)) (tangent_source real_field p (c 0) du).
Proof. exact (Derivative.tangent_source_derivative p). Qed.
(** What the extracted gradient stores is the transposed Jacobian of the source program at the
    store, times the given adjoints, where every cell of the source is smooth: [J] has the partial
    derivatives of the cells of the outputs by the cell. *)
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
Proof. exact (GradientReal.gradient_jacobian O shapes p outputs wrt r). Qed.
(** An instance that is smooth everywhere: C<2>[i] = tanh(sum(k<3) A<2,3>[i,k] * B<3>[k]) * C[i]. *)
Theorem gradient_layer :
  exists r, layer_gradient = Done r /\
    forall st x a, In x [0; 1; 2]%nat -> In a (box (nth x layer_shapes [])) ->
    exists J : tid -> list Z -> R,
      (forall o c, derivable_pt_lim (fun h =>
         run_source real_field layer (moved st (unit_at real_field (nth x layer_shapes []) x a) h) o c) 0 (J o c)) /\
      run real_field (result_steps real_field r) st (adjoint real_field r x) (own_at (nth x layer_shapes []) a) =
      @sum (ring_of real_field) _ (fun o => @sum (ring_of real_field) _ (fun c =>
        st (adjoint real_field r o) (own_at (nth o layer_shapes []) c) * J o c) (box (nth o layer_shapes []))) [2%nat].
Proof. exact GradientReal.gradient_layer. Qed.
