(** * Fused multiply-adds of the numbers that operators compute with

    [fma a b x] is x plus the product of a and b.  Where nothing is rounded it is a product and a sum;
    binary32 and binary64 round once ([base.FloatFma]); of mixed numbers it is that of each element
    type. *)

From Coq Require Import ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.FloatFma tensor.Scalars tensor.Instances tensor.Mixed.

Definition multiply_add (S : arith) (a b x : num S) : num S := s_add S x (s_mul S a b).

Definition fma_binary32 : spec_float -> spec_float -> spec_float -> spec_float := SFfma 24 128.
Definition fma_binary64 : spec_float -> spec_float -> spec_float -> spec_float := SFfma 53 1024.

Definition lift3 {A} (f : A -> A -> A -> A) (a b x : option A) : option A :=
  match a, b, x with Some a, Some b, Some x => Some (f a b x) | _, _, _ => None end.

Section Mixed.
  Variable E : elements.
  Variable fma32 : num (f32 E) -> num (f32 E) -> num (f32 E) -> num (f32 E).
  Variable fma64 : num (f64 E) -> num (f64 E) -> num (f64 E) -> num (f64 E).

  (** Integers and truth values have a product and a sum. *)
  Definition mixed_fma (a b x : scalar E) : scalar E :=
    Scalar E (lift3 fma32 (as_f32 E a) (as_f32 E b) (as_f32 E x)) (lift3 fma64 (as_f64 E a) (as_f64 E b) (as_f64 E x))
      (lift3 (multiply_add (i64 E)) (as_i64 E a) (as_i64 E b) (as_i64 E x))
      (lift3 (multiply_add (i32 E)) (as_i32 E a) (as_i32 E b) (as_i32 E x))
      (lift3 (multiply_add (i8 E)) (as_i8 E a) (as_i8 E b) (as_i8 E x))
      (lift3 (multiply_add (u8 E)) (as_u8 E a) (as_u8 E b) (as_u8 E x))
      (lift3 (multiply_add (truth E)) (as_truth E a) (as_truth E b) (as_truth E x)).
End Mixed.

(** Over elements whose floats have products and sums, mixed numbers have. *)
Lemma mixed_multiply_add E a b x :
  mixed_fma E (multiply_add (f32 E)) (multiply_add (f64 E)) a b x = multiply_add (mixed E) a b x.
Proof.
  destruct a as [a1 a2 a3 a4 a5 a6 a7], b as [b1 b2 b3 b4 b5 b6 b7], x as [x1 x2 x3 x4 x5 x6 x7].
  unfold mixed_fma, multiply_add. cbn. unfold on_both. cbn.
  assert (L : forall A (f g : A -> A -> A) a b x, lift3 (fun a b x => f x (g a b)) a b x = Mixed.lift2 f x (Mixed.lift2 g a b))
    by (intros A f g [] [] []; reflexivity).
  f_equal; apply L.
Qed.

Definition standard_fma : scalar standard -> scalar standard -> scalar standard -> scalar standard :=
  mixed_fma standard fma_binary32 fma_binary64.

(** On cells: floats round once, all others have a product and a sum. *)
Theorem standard_fma_cells :
  (forall a b x, standard_fma (of_f32 standard a) (of_f32 standard b) (of_f32 standard x) =
     of_f32 standard (SFfma 24 128 a b x)) /\
  (forall a b x, standard_fma (of_f64 standard a) (of_f64 standard b) (of_f64 standard x) =
     of_f64 standard (SFfma 53 1024 a b x)) /\
  forall a b x, as_f32 standard a = None -> as_f64 standard a = None -> standard_fma a b x = multiply_add (mixed standard) a b x.
Proof.
  repeat split; try reflexivity. intros a b x N32 N64. rewrite <- mixed_multiply_add. unfold standard_fma, mixed_fma.
  now rewrite N32, N64.
Qed.
