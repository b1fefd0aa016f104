(** * Instances over the real numbers of headline theorems about compositions

    Apart from [AppliedOnnx], because Coq's real numbers rest on more than Coq. *)

From Coq Require Import List Arith ZArith Reals.
From Calque Require Import attr.Attr tensor.Tensor tensor.Scalars onnx.Composition onnx.Steps.
From Calque Require tensor.RealNumbers onnx.ReduceLogSumExp onnx.LogSumExpReals theorems.Onnx.
Module OfOnnx := theorems.Onnx.
Import ListNotations.
Open Scope nat_scope.

Definition numbers := RealNumbers.reals (fun a => a).
Definition some_reals : tensor (num numbers) := Tensor [2; 3] (map IZR [1; -2; 3; 100; 0; 5]%Z).
Definition rows_summed := Eval cbv in ReduceLogSumExp.reduce_log_sum_exp_composition f32_code true false [-1]%Z [2; 3].
Definition steps_of (o : option (build nat)) : build nat := match o with Some b => b | None => Return 0 end.

Definition reduce_log_sum_exp_correct_applies :=
  OfOnnx.reduce_log_sum_exp_correct numbers (typed numbers) f32_code true false [-1]%Z some_reals (steps_of rows_summed)
    (LogSumExpReals.reals_shift _) eq_refl eq_refl.
