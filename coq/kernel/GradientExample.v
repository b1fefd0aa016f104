(** * A gradient for which everything is checked

    C<2>[i] = (sum(k<3) A<2,3>[i,k] * B<3>[k]) * C[i], the output C in place: a sum inside a
    product, which becomes a statement of its own, a later version, and one tensor dC for the given
    adjoint and the gradient.  On rational numbers. *)

From Coq Require Import Bool List ZArith.
From Calque Require Import kernel.Kernel kernel.Numbers kernel.Sums kernel.Gradient kernel.SweepProof.
From Calque Require Import kernel.GatherForm kernel.StepProof kernel.GradientProgram kernel.NeededProof kernel.Source.
From Calque Require Import kernel.GradErrata kernel.GradientCorrect.
Import ListNotations.
Open Scope Z_scope.

Definition example_shapes : list (list nat) := [[2; 3]; [3]; [2]]%nat.

Definition example : list (list Z * stmt (text rationals)) :=
  [([0], Stmt 2%nat [2%nat]
     (@ERed (text rationals) (KSum, [1]) [3%nat] (ld 0%nat [IVar 1; IVar 0] *! ld 1%nat [IVar 0]) *! ld 2%nat [IVar 0]))].

Definition plain_options : options := Options false false false.

Notation example_gradient := (gradient rationals plain_options example_shapes example [2%nat] [0; 1; 2]%nat).

Lemma example_checks :
  match example_gradient with
  | Done r => result_check rationals r &&
              tuple_eqb (map (fun x => Z.of_nat (adjoint rationals r x)) [0; 1; 2]%nat) [7; 8; 5]
  | _ => false
  end = true /\
  gradient_check rationals example_shapes example [2%nat] [0; 1; 2]%nat = true.
Proof. split; vm_compute; reflexivity. Qed.

Theorem gradient_example :
  exists r, example_gradient = Done r /\ result_check rationals r = true /\
    forall st x a, In x [0; 1; 2]%nat -> In a (box (nth x example_shapes [])) ->
      run rationals (result_steps rationals r) st (adjoint rationals r x) (own_at (nth x example_shapes []) a) =
      Sums.sum (K := ring_of rationals) (fun o => Sums.sum (K := ring_of rationals) (fun c =>
        rmul rationals (st (adjoint rationals r o) (own_at (nth o example_shapes []) c))
          (tangent_source rationals example st (unit_at rationals (nth x example_shapes []) x a) o c))
        (box (nth o example_shapes []))) [2%nat].
Proof.
  destruct example_checks as [D C]. destruct example_gradient as [r | |] eqn:E; try discriminate D.
  exists r. split; [reflexivity |]. apply andb_true_iff in D as [D _].
  split; [exact D |].
  exact (gradient_correct rationals plain_options example_shapes example [2%nat] [0; 1; 2]%nat r E C).
Qed.
