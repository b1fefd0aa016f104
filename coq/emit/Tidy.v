(** * What is left out of flat programs

    In index expressions, sums with 0 and products with 1; assignments of a place to
    itself.  Nothing else is simplified: a program prints as it is translated. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target dpia.Trans.
From Calque Require kernel.Kernel.
From Calque Require Import emit.MiniC emit.Codegen emit.Flat.
Import ListNotations.
Set Implicit Arguments.

Section Tidy.
  Context {A : algebra} {N : sizes}.
  Notation cindex := (cindex N).

  Definition is_number (c : nat) (k : cindex) : bool :=
    match k with
    | KCst z => (z =? Z.of_nat c)%Z
    | KSize n => size_eqb N n (lift N c)
    | _ => false
    end.

  Definition sum (a b : cindex) : cindex :=
    if is_number 0 b then a else if is_number 0 a then b else KAdd a b.
  Definition difference (a b : cindex) : cindex := if is_number 0 b then a else KSub a b.
  Definition multiple (a b : cindex) : cindex :=
    if is_number 1 b then a else if is_number 1 a then b else if is_number 0 a then a else KMul a b.
  Definition quotient (f : cindex -> cindex -> cindex) (a b : cindex) : cindex :=
    if is_number 1 b then a else if is_number 0 a then a else f a b.
  Definition remainder (f : cindex -> cindex -> cindex) (a b : cindex) : cindex :=
    if is_number 0 a then a else if is_number 1 b then KSize (lift N 0) else f a b.

  Fixpoint tidy_ix (k : cindex) : cindex :=
    match k with
    | KVar _ | KCst _ | KSize _ => k
    | KAdd a b => sum (tidy_ix a) (tidy_ix b)
    | KSub a b => difference (tidy_ix a) (tidy_ix b)
    | KMul a b => multiple (tidy_ix a) (tidy_ix b)
    | KDiv a b => quotient KDiv (tidy_ix a) (tidy_ix b)
    | KMod a b => remainder KMod (tidy_ix a) (tidy_ix b)
    | KQuot a b => quotient KQuot (tidy_ix a) (tidy_ix b)
    | KRem a b => remainder KRem (tidy_ix a) (tidy_ix b)
    end.

  Fixpoint tidy_cond (c : ccond N) : ccond N :=
    match c with
    | KCmp c a b => KCmp c (tidy_ix a) (tidy_ix b)
    | KAnd c1 c2 => KAnd (tidy_cond c1) (tidy_cond c2)
    end.

  Fixpoint tidy_exp (e : fexp A N) : fexp A N :=
    match e with
    | FLoad r k => FLoad r (tidy_ix k)
    | FLit _ | FNone => e
    | FUn o e => FUn o (tidy_exp e)
    | FBin o e1 e2 => FBin o (tidy_exp e1) (tidy_exp e2)
    | FCond c e1 e2 => FCond (tidy_cond c) (tidy_exp e1) (tidy_exp e2)
    end.

  Fixpoint index_eqb (a b : cindex) : bool :=
    match a, b with
    | KVar x, KVar y => x =? y
    | KCst y, KCst z => (y =? z)%Z
    | KSize n, KSize m => size_eqb N n m
    | KAdd a b, KAdd c d | KSub a b, KSub c d | KMul a b, KMul c d | KDiv a b, KDiv c d
    | KMod a b, KMod c d | KQuot a b, KQuot c d | KRem a b, KRem c d =>
        index_eqb a c && index_eqb b d
    | _, _ => false
    end.

  Definition is_load (r : nat) (k : cindex) (e : fexp A N) : bool :=
    match e with FLoad r' k' => (r' =? r) && index_eqb k' k | _ => false end.

  Fixpoint tidy (c : fstm A N) : fstm A N :=
    match c with
    | FSkip | FStop => c
    | FSeq s1 s2 => FSeq (tidy s1) (tidy s2)
    | FSet r k e =>
        let k := tidy_ix k in
        let e := tidy_exp e in
        if is_load r k e then FSkip else FSet r k e
    | FBlock r d b => FBlock r d (tidy b)
    | FFor p l n b => FFor p l n (tidy b)
    | FIf c s1 s2 => FIf (tidy_cond c) (tidy s1) (tidy s2)
    end.
End Tidy.
