(** * The real numbers have the law of ReduceLogSumExp

    log (sum of exp (f k)) is m + log (sum of exp (f k - m)), for every m. *)

From Coq Require Import List ZArith Reals Lra.
From Calque Require Import kernel.Kernel tensor.Tensor tensor.Scalars onnx.ReduceLogSumExp.
From Calque Require tensor.RealNumbers.
Import ListNotations.
Open Scope R_scope.

Lemma sum_exp_positive {A} (f : A -> R) l : forall a, 0 <= a -> (l <> [] \/ 0 < a) ->
  0 < fold_left (fun a k => a + exp (f k)) l a.
Proof.
  induction l as [| k l IH]; intros a P N; [destruct N as [N | N]; [now destruct N | exact N] |]. cbn [fold_left].
  pose proof (exp_pos (f k)). apply IH; [lra | right; lra].
Qed.

Lemma sum_exp_scaled {A} (f : A -> R) m l : forall a,
  fold_left (fun a k => a + exp (f k - m)) l (a * exp (- m)) = fold_left (fun a k => a + exp (f k)) l a * exp (- m).
Proof.
  induction l as [| k l IH]; intros a; [reflexivity |]. cbn [fold_left]. rewrite <- IH. f_equal.
  unfold Rminus. rewrite exp_plus. ring.
Qed.

Theorem reals_shift erf : shifts (RealNumbers.reals erf).
Proof.
  intros ns f m N. rewrite !s_sum_reduce by (intros a; cbn; ring). unfold reduce. cbn.
  rewrite <- length_box in N. destruct (box ns) as [| k l] eqn:B; [now destruct N |]. rewrite <- B.
  pose proof (sum_exp_scaled f m (box ns) 0) as Sc. rewrite Rmult_0_l in Sc. rewrite Sc.
  rewrite ln_mult; [rewrite ln_exp; ring | | apply exp_pos].
  apply sum_exp_positive; [lra | left; rewrite B; discriminate].
Qed.
