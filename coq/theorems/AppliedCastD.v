(** * Instances: the premises of the headline theorems on Cast hold together *)

From Coq Require Import List.
From Calque Require Import tensor.Instances tensor.Scalars.
From Calque Require model.CastInstance theorems.Model.

(** The exponential of binary32; [the_input] has a NaN, an infinity, 2.5, -2.5, -0 and 2^31. *)
Definition cast_instance_applies :=
  theorems.Model.cast_instance (s_exp binary32) (CastInstance.the_input (s_exp binary32)) eq_refl eq_refl.
Definition cast_values_applies := theorems.Model.cast_values (s_exp binary32).
