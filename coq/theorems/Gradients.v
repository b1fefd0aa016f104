(** * Headline theorems: the gradient that the oracle computes

    The extracted function, on kernel text, over any commutative ring in which the
    literals have values, with any inverse (of 1: 1), functions and maximum. *)

From Coq Require Import Bool List ZArith.
From Calque Require kernel.Kernel kernel.Forms kernel.FormsProof kernel.Gradient kernel.SweepProof.
From Calque Require kernel.GatherForm kernel.PutProof kernel.GatherValue kernel.StepProof.
From Calque Require kernel.GradientProgram kernel.AdjointProof.
Import ListNotations.
Open Scope Z_scope.

Module OfGradient.
Import Kernel Gradient GradientProgram.
Import Forms FormsProof PutProof SweepProof GatherForm GatherValue StepProof AdjointProof.

(** Index expressions in normal form have the same values. *)
Theorem normal_form_value :
  forall key ext rho a,
    in_box ext rho = true -> divides a = true ->
    eval_ix rho (form_ix (form_of key ext a)) = eval_ix rho a.
Proof.
  intros key ext rho a inn D. rewrite form_ix_eval. apply form_of_eval; [| exact D].
  now apply in_box_inside.
Qed.

(** Digits, points and strides eliminated, or nothing: at every cell the gather form of a
    contribution is the sum of the weights of its points that go to this cell. *)
Theorem gather_value :
  forall F shapes st dims cell (c : contribution F) a,
    in_box cell a = true ->
    forallb divides (at_ c) = true -> forallb guard_divides (guards c) = true ->
    ex_divides F (weight c) = true ->
    forall universal own,
      val F st a (gather shapes universal own dims cell c) = hit_value F st dims cell c a.
Proof. exact GatherValue.gather_value. Qed.

(** What a statement adds to the adjoint of [t], gathered, against a direction [x] of [t] is
    its output's adjoint, tensor [v], against its tangent in this direction. *)
Theorem step_adjoint :
  forall F shapes universal names st dims e p t v x l,
    let D := shapes t in
    sweep t (length dims) p (own_ix dims) e (ELd v (own_ix dims)) [] = Done l ->
    ex_divides F e = true ->
    (scalar D = true -> x [] = x [0]) ->
    (forall i, In i (box dims) -> loads_in F t D i e) ->
    Grad.sum (K := ring_of F) (fun a => rmul F
      (Grad.sum (K := ring_of F) (fun c => val F st a (gather shapes universal names dims D c)) l)
      (x a)) (box D) =
    Grad.sum (K := ring_of F) (fun i => rmul F (st v (own_at dims i))
      (tangent F st (along F t x) p (own_at dims i) i e)) (box dims).
Proof. exact StepProof.step_adjoint. Qed.
End OfGradient.
