(** * A guard around an addition of floats, where it stands before a load

    [GuardFloats.guard_sum_product] asks that the factors are numbers at every index, so it says nothing of a guard that
    keeps a load inside of its array ([plain_load_is_not_asked]).  Here they are to be numbers only where the loop comes
    to and the guard holds. *)

From Coq Require Import List Lia ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require kernel.Kernel.
From Calque Require Import base.FloatSum dpia.Syntax dpia.Values dpia.Scalars.
Import ListNotations.
Open Scope nat_scope.

Theorem guard_sum_inside (N : sizes) (s : sizing N) prec emax n d (c : cond N) (e init : exp (ieee prec emax) N)
    (env : list (value (ieee prec emax))) :
  (0 < prec)%Z ->
  (exists x, eval env init = Num x /\ settled prec emax x /\ x <> S754_zero true) ->
  (forall a x, x < #n -> holds (positions (a :: Pos x :: env)) c = true ->
     exists y, eval (a :: Pos x :: env) e = Num y /\ settled prec emax y) ->
  eval env (EFold n d (EIte c d (EBin (Add : bop (ieee prec emax)) (EVar 0) e) (EVar 0)) init) =
  eval env (EFold n d (EBin (Add : bop (ieee prec emax)) (EVar 0) (EIte c d e (ELit (S754_zero false : lit (ieee prec emax))))) init).
Proof.
  intros P (x0 & E & k0) num. cbn [eval]. rewrite E. clear E.
  assert (B : forall x, In x (seq 0 #n) -> x < #n) by (intros x I; apply in_seq in I; lia).
  revert B x0 k0. match goal with |- context [seq ?a ?b] => generalize (seq a b) as xs end.
  induction xs as [| x xs IH]; intros B x0 [k0 m0]; [reflexivity |]. cbn [map fold_left nth with_num].
  destruct (holds _ c) eqn:H.
  - destruct (num (Num x0) x (B x (or_introl eq_refl)) H) as (y & -> & ky). cbn [with_num].
    apply IH; [intros z I; apply B; now right |]. cbn [bop_val ieee].
    split; [now apply add_settled | now apply add_not_minus_zero].
  - cbn [with_num]. cbn [bop_val lit_val ieee]. rewrite (add_zero prec emax x0 false m0).
    apply IH; [intros z I; apply B; now right | now split].
Qed.

(** With a product: its factors are any floats. *)
Corollary guard_product_inside (N : sizes) (s : sizing N) prec emax n d (c : cond N) (a b : exp (ieee prec emax) N)
    (env : list (value (ieee prec emax))) :
  (0 < prec)%Z ->
  (forall v x, x < #n -> holds (positions (v :: Pos x :: env)) c = true ->
     exists y z, eval (v :: Pos x :: env) a = Num y /\ eval (v :: Pos x :: env) b = Num z) ->
  let zero := ELit (S754_zero false : lit (ieee prec emax)) in
  let product := EBin (Mul : bop (ieee prec emax)) a b in
  eval env (EFold n d (EIte c d (EBin (Add : bop (ieee prec emax)) (EVar 0) product) (EVar 0)) zero) =
  eval env (EFold n d (EBin (Add : bop (ieee prec emax)) (EVar 0) (EIte c d product zero)) zero).
Proof.
  intros P num zero product. apply guard_sum_inside; [exact P | |].
  - exists (S754_zero false). split; [reflexivity |]. split; [exact I | discriminate].
  - intros v x lt H. destruct (num v x lt H) as (y & z & Ea & Eb). exists (SFmul prec emax y z).
    split; [| now apply product_settled]. unfold product. cbn [eval]. now rewrite Ea, Eb.
Qed.

(** A load at the loop's index is a number at every index of no array. *)
Theorem plain_load_is_not_asked prec emax l :
  ~ forall v x, exists y,
      eval (s := numbers_sizing) (v :: Pos x :: [@Arr (ieee prec emax) l]) (EIdx (EVar 2) (XVar 1)) = Num y.
Proof.
  intros H. destruct (H (Pos 0) (length l)) as [y E]. cbn in E. unfold index in E. cbn in E.
  replace (0 <=? Z.of_nat (length l))%Z with true in E by (symmetry; apply Z.leb_le; lia).
  rewrite Nat2Z.id, nth_overflow in E by lia. discriminate E.
Qed.

(** The sum over i < 3, where i is less than 2, of 2 and the number at i of an array of two: a padded row. *)
Example guard_product_inside_applies (a b : spec_float) :
  let S := ieee 24 128 in
  let load : exp S numbers := EIdx (EVar 2) (XVar 1) in
  let two : exp S numbers := ELit (binary_normalize 24 128 2 0 false : lit S) in
  let zero : exp S numbers := ELit (S754_zero false : lit S) in
  let guard : cond numbers := CCmp Kernel.CLt (XVar 1) (XCst 2) in
  let env := [@Arr S [Num (a : scalar S); Num (b : scalar S)]] in
  eval (s := numbers_sizing) env
    (EFold (3 : size numbers) DNum (EIte guard DNum (EBin (Add : bop S) (EVar 0) (EBin (Mul : bop S) two load)) (EVar 0)) zero) =
  eval (s := numbers_sizing) env
    (EFold (3 : size numbers) DNum (EBin (Add : bop S) (EVar 0) (EIte guard DNum (EBin (Mul : bop S) two load) zero)) zero).
Proof.
  intros S load two zero guard env. apply guard_product_inside; [reflexivity |].
  intros v x _ H. assert (x = 0 \/ x = 1) as [-> | ->].
  { cbn in H. apply Z.ltb_lt in H. lia. }
  - now exists (binary_normalize 24 128 2 0 false), a.
  - now exists (binary_normalize 24 128 2 0 false), b.
Qed.
