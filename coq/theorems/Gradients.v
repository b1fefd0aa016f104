(** * Headline theorems: the gradient that the oracle computes

    The extracted function, on kernel text, over any commutative ring in which the
    literals have values, with any inverse (of 1: 1), functions and maximum. *)

From Coq Require Import Bool List ZArith.
From Calque Require kernel.Kernel kernel.Forms kernel.FormsProof kernel.Gradient kernel.SweepProof.
From Calque Require kernel.GatherForm kernel.PutProof kernel.GatherValue kernel.StepProof.
From Calque Require kernel.GradientProgram kernel.AdjointProof kernel.BackwardProof kernel.ProgramProof.
From Calque Require kernel.ForwardProof kernel.NeededProof kernel.RunProof kernel.Source.
From Calque Require kernel.GradientCorrect kernel.GradErrata kernel.GradientExample.
Import ListNotations.
Open Scope Z_scope.

Module OfGradient.
Import Kernel Gradient GradientProgram.
Import Forms FormsProof PutProof SweepProof GatherForm GatherValue StepProof AdjointProof ProgramProof.

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
    Sums.sum (K := ring_of F) (fun a => rmul F
      (Sums.sum (K := ring_of F) (fun c => val F st a (gather shapes universal names dims D c)) l)
      (x a)) (box D) =
    Sums.sum (K := ring_of F) (fun i => rmul F (st v (own_at dims i))
      (tangent F st (along F t x) p (own_at dims i) i e)) (box dims).
Proof. exact StepProof.step_adjoint. Qed.

(** The gradient of a program: with [b] the forward statements and [b'] these and the backward
    ones, run from any store [st0], the gradients [l] against a direction [du], which goes on
    through the forward statements, are the [given] adjoints of the outputs, in their last
    versions, against it. *)
Theorem gradient_adjoint :
  forall F O shapes p outputs wrt r,
    gradient F O shapes p outputs wrt = Done r ->
    (0 < length shapes)%nat ->
    let order := filter (fun x => negb (existsb (Nat.eqb x) outputs)) wrt ++
                 filter (fun x => existsb (Nat.eqb x) outputs) wrt in
    exists current b given l b',
      forward F O shapes p p (seq 0 (length shapes)) (sources F shapes) = (current, b) /\
      backward F O outputs order current b = Done (given, l, b') /\
      r = deliver F O outputs wrt current given l b' /\
      let shape := shape_of F b in
      let last o := nth o current 0%nat in
      forall st0 du,
        let st := NeededProof.run F (steps F b') st0 in
        (forall s, In s (steps F b) -> ex_divides F (body (does F s)) = true) ->
        (forall s t i, In s (steps F b) -> In i (box (dims (does F s))) ->
           loads_in F t (shape t) i (body (does F s))) ->
        (forall t, In t order -> (t < length shapes)%nat) -> NoDup order ->
        (forall t, In t outputs -> (t < length shapes)%nat) -> NoDup outputs ->
        (forall t, scalar (shape t) = true -> du t [] = du t [0]) ->
        (forall t i, index_in (shape t) i = false -> du t i = r0 F) ->
        (forall t, (t < length shapes)%nat -> ~ In t order -> forall i, du t i = r0 F) ->
        (forall s i, In s (steps F b) -> In i (box (dims (does F s))) ->
           du (out (does F s)) i =
           if fixed F s then r0 F
           else tangent F st du (stores_max F s) (own_at (dims (does F s)) i) i (body (does F s))) ->
        map fst given = outputs /\ map fst l = order /\
        Sums.sum (K := ring_of F) (fun x => Sums.sum (K := ring_of F) (fun a =>
          rmul F (st (at_table l x) (own_at (shape x) a)) (du x a)) (box (shape x))) order =
        Sums.sum (K := ring_of F) (fun q => Sums.sum (K := ring_of F) (fun a =>
          rmul F (st (snd q) (own_at (shape (last (fst q))) a)) (du (last (fst q)) a))
            (box (shape (last (fst q))))) given.
Proof. exact GradientCorrect.gradient_adjoint. Qed.

(** The statements that are kept give the roots the values that all of them give, from any store
    that agrees on the tensors they need. *)
Theorem gradient_needed_inputs :
  forall F roots (p : list (step F)) st st',
    (forall t, In t (NeededProof.needed_by F roots p) -> forall i, st t i = st' t i) ->
    forall t, In t roots -> forall i,
      NeededProof.run F p st t i = NeededProof.run F (used_steps F roots p) st' t i.
Proof. exact NeededProof.needed_correct. Qed.

(** The whole function, about the source program and the tensors delivered: after the statements
    of the result, the tensor d<x> holds for each cell of [x] the sum over the cells of the outputs
    of the given adjoint, in d<output>, times the source's tangent in the direction of that cell.
    Where an output is also differentiated by, the two are one tensor. *)
Theorem gradient_correct :
  forall F O shapes p outputs wrt r,
    gradient F O shapes p outputs wrt = Done r ->
    GradientCorrect.gradient_check F shapes p outputs wrt = true ->
    let shape t := nth t shapes [] in
    forall st x a, In x wrt -> In a (box (shape x)) ->
      NeededProof.run F (result_steps F r) st (Source.adjoint F r x) (own_at (shape x) a) =
      Sums.sum (K := ring_of F) (fun o => Sums.sum (K := ring_of F) (fun c =>
        rmul F (st (Source.adjoint F r o) (own_at (shape o) c))
          (Source.tangent_source F p st (Source.unit_at F (shape x) x a) o c)) (box (shape o))) outputs.
Proof. exact GradientCorrect.gradient_correct. Qed.

(** What is read is inside of its tensor, where the check of the result says so. *)
Theorem gradient_reads_inside :
  forall F (r : result F), GradientCorrect.result_check F r = true ->
  forall s i t, In s (result_steps F r) -> In i (box (dims (does F s))) ->
    loads_in F t (nth t (map snd (result_tensors F r)) []) i (body (does F s)).
Proof. exact GradientCorrect.gradient_reads_inside. Qed.

(** An instance on which all is checked: a sum inside a product, an output in place that is also
    differentiated by, C<2>[i] = (sum(k<3) A<2,3>[i,k] * B<3>[k]) * C[i]. *)
Theorem gradient_example :
  exists r, GradientExample.example_gradient = Done r /\
    GradientCorrect.result_check GradErrata.rationals r = true /\
    forall st x a, In x [0; 1; 2]%nat -> In a (box (nth x GradientExample.example_shapes [])) ->
      NeededProof.run GradErrata.rationals (result_steps GradErrata.rationals r) st
        (Source.adjoint GradErrata.rationals r x) (own_at (nth x GradientExample.example_shapes []) a) =
      Sums.sum (K := ring_of GradErrata.rationals) (fun o => Sums.sum (K := ring_of GradErrata.rationals) (fun c =>
        rmul GradErrata.rationals
          (st (Source.adjoint GradErrata.rationals r o) (own_at (nth o GradientExample.example_shapes []) c))
          (Source.tangent_source GradErrata.rationals GradientExample.example st
            (Source.unit_at GradErrata.rationals (nth x GradientExample.example_shapes []) x a) o c))
        (box (nth o GradientExample.example_shapes []))) [2%nat].
Proof. exact GradientExample.gradient_example. Qed.
End OfGradient.
