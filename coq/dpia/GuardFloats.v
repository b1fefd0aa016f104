(** * A guard around an addition of floats

    [Tiling.guard] for sums of floats from +0: a fold that would add +0 leaves its accumulator alone, the same bits.
    The sum is never -0 ([FloatSum]) if what is added is settled, as valid floats and all products are. *)

From Coq Require Import List Arith Lia ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.FloatSum dpia.Syntax dpia.Values dpia.Scalars.
Import ListNotations.
Open Scope nat_scope.

Theorem guard_sum_float (N : sizes) (s : sizing N) prec emax n d (c : cond N) (e init : exp (ieee prec emax) N)
    (env : list (value (ieee prec emax))) :
  (0 < prec)%Z ->
  (exists x, eval env init = Num x /\ settled prec emax x /\ x <> S754_zero true) ->
  (forall a x, x < #n -> holds (positions (Num a :: Pos x :: env)) c = true ->
     exists y, eval (Num a :: Pos x :: env) e = Num y /\ settled prec emax y) ->
  eval env (EFold n d (EIte c d (EBin (Add : bop (ieee prec emax)) (EVar 0) e) (EVar 0)) init) =
  eval env (EFold n d (EBin (Add : bop (ieee prec emax)) (EVar 0) (EIte c d e (ELit (S754_zero false : lit (ieee prec emax))))) init).
Proof.
  intros P (x0 & E & k0) num. cbn [eval]. rewrite E. clear E.
  assert (below : forall x, In x (seq 0 #n) -> x < #n) by (intros x ini; apply in_seq in ini; lia).
  revert x0 k0 below. generalize (seq 0 #n) as xs.
  induction xs as [| x xs IH]; intros x0 [k0 m0] below; [reflexivity |].
  assert (rest : forall x, In x xs -> x < #n) by (intros; apply below; now right).
  cbn [map fold_left nth with_num]. destruct (holds _ c) eqn:guarded.
  - destruct (num x0 x (below x (or_introl eq_refl)) guarded) as (y & -> & ky).
    cbn [with_num]. apply IH; [| exact rest]. cbn [bop_val ieee]. split; [now apply add_settled | now apply add_not_minus_zero].
  - cbn [with_num]. cbn [bop_val lit_val ieee]. rewrite (add_zero prec emax x0 false m0). apply IH; [now split | exact rest].
Qed.

(** With a product: its factors are any floats. *)
Corollary guard_sum_product (N : sizes) (s : sizing N) prec emax n d (c : cond N) (a b : exp (ieee prec emax) N)
    (env : list (value (ieee prec emax))) :
  (0 < prec)%Z ->
  (forall v x, x < #n -> holds (positions (Num v :: Pos x :: env)) c = true ->
     exists y z, eval (Num v :: Pos x :: env) a = Num y /\ eval (Num v :: Pos x :: env) b = Num z) ->
  let zero := ELit (S754_zero false : lit (ieee prec emax)) in
  let product := EBin (Mul : bop (ieee prec emax)) a b in
  eval env (EFold n d (EIte c d (EBin (Add : bop (ieee prec emax)) (EVar 0) product) (EVar 0)) zero) =
  eval env (EFold n d (EBin (Add : bop (ieee prec emax)) (EVar 0) (EIte c d product zero)) zero).
Proof.
  intros P num zero product. apply guard_sum_float; [exact P | |].
  - exists (S754_zero false). split; [reflexivity |]. split; [exact I | discriminate].
  - intros v x lt guarded. destruct (num v x lt guarded) as (y & z & Ea & Eb). exists (SFmul prec emax y z). split; [| now apply product_settled].
    unfold product. cbn [eval]. now rewrite Ea, Eb.
Qed.
