(** * Theorems about the real numbers

    Restated as in [Theorems], and apart from it because Coq's real numbers rest on
    axioms; the statements with the axioms used are compared with
    tests/coq/real_theorems.golden. *)

From Coq Require Import List ZArith Reals.
From Calque Require Import kernel.Kernel kernel.Gradient kernel.SweepProof kernel.Source kernel.RealField.
From Calque Require Import kernel.Derivative.
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

(** The same for every tensor after a program of several statements. *)
Theorem tangent_source_derivative (p : rsource) : forall (c : R -> rstore) du,
  passes c du -> smooth_source p (c 0) ->
  passes (fun h => run_source real_field p (c h)) (tangent_source real_field p (c 0) du).
Proof. exact (Derivative.tangent_source_derivative p). Qed.
