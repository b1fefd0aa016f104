(** * Theorems about the real numbers

    Restated as in [Theorems], and apart from it because Coq's real numbers rest on
    axioms; the statements with the axioms used are compared with
    tests/coq/real_theorems.golden. *)

From Coq Require Import List ZArith Reals.
From Calque Require kernel.Derivative tensor.RealNumbers rewrite.ProvedSound.
From Calque Require Import kernel.Kernel kernel.Grad kernel.Derivative.
Open Scope R_scope.

(** The tangent of a kernel expression with sums, differences, products, quotients,
    square root, exponential, logarithm, hyperbolic tangent, selects and sums over
    boxes is its derivative in the sense of analysis, along any differentiable curve
    of stores, where no division by zero and no root or logarithm of a number that is
    not positive is evaluated. *)
Theorem tangent_derivative (c : R -> rstore) (du : rstore) :
  passes c du ->
  forall (e : rex) rho,
    smooth (c 0) rho e ->
    derivable_pt_lim (fun h => @eval (alg reals) (c h) rho e) 0 (@tangent reals (c 0) du rho e).
Proof. exact (Derivative.tangent_derivative c du). Qed.
(** The same for every tensor after a program of several statements. *)
Theorem tangent_prog_derivative (p : list (stmt (alg reals))) : forall (c : R -> rstore) du,
  passes c du -> smooth_prog p (c 0) ->
  passes (fun h => exec_prog p (c h)) (@tangent_prog reals p (c 0) du).
Proof. exact (Derivative.tangent_prog_derivative p). Qed.

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
