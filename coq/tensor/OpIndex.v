(** * Affine index expressions that simplify themselves

    What the kernels of operators are written with: a constant and a sum of
    multiples of atoms, each within known bounds.  Terms of one value join the
    constant, multiples of a divisor leave the quotient; what stays is an atom of
    its own.  (C: the first half of c/tensor/gen.c.) *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import kernel.Kernel.
Import ListNotations.
Open Scope Z_scope.

(** [coef] times [atom], which is in [low]..[high]. *)
Record term := Term { atom : ix; coef : Z; low : Z; high : Z }.
Record ixs := Ixs { terms : list term; plain : Z }.

Definition ix_const (k : Z) : ixs := Ixs [] k.
Definition ix_atom (a : ix) (l h : Z) : ixs := Ixs [Term a 1 l h] 0.

(** Variable [v], over a dimension of [n] cells. *)
Definition ix_var (v n : nat) : ixs := ix_atom (IVar v) 0 (Z.of_nat (n - 1)).

(** The variables from [v] on, over the dimensions [d]. *)
Fixpoint numbered (v : nat) (d : list nat) : list ixs :=
  match d with
  | [] => []
  | n :: d' => ix_var v n :: numbered (S v) d'
  end.

(** Variables of a reduction: one with a single value is not bound. *)
Definition live (d : list nat) : list nat := filter (fun n => 1 <? n)%nat d.

Fixpoint bound (v : nat) (d : list nat) : list ixs :=
  match d with
  | [] => []
  | n :: d' => if (1 <? n)%nat then ix_var v n :: bound (S v) d' else ix_const 0 :: bound v d'
  end.

(** First and last value. *)
Definition term_low (t : term) : Z := coef t * (if 0 <? coef t then low t else high t).
Definition term_high (t : term) : Z := coef t * (if 0 <? coef t then high t else low t).
Definition sum_of (f : term -> Z) (l : list term) : Z := fold_right (fun t s => f t + s) 0 l.
Definition ix_first (a : ixs) : Z := plain a + sum_of term_low (terms a).
Definition ix_last (a : ixs) : Z := plain a + sum_of term_high (terms a).

Definition fixed (t : term) : bool := low t =? high t.

Definition settled (a : ixs) : ixs :=
  Ixs (filter (fun t => negb (fixed t)) (terms a))
      (plain a + sum_of (fun t => coef t * low t) (filter fixed (terms a))).

Definition ix_plus (a : ixs) (k : Z) : ixs :=
  if k =? 0 then a else Ixs (terms (settled a)) (plain (settled a) + k).

Definition ix_add (a b : ixs) : ixs :=
  let p := settled a in
  let q := settled b in
  match terms p, terms q with
  | _, [] => ix_plus a (plain q)
  | [], _ => ix_plus b (plain p)
  | l, m => Ixs (l ++ m) (plain p + plain q)
  end.

Definition ix_mul (a : ixs) (m : Z) : ixs :=
  if m =? 1 then a
  else if m =? 0 then ix_const 0
  else Ixs (map (fun t => Term (atom t) (coef t * m) (low t) (high t)) (terms (settled a)))
           (plain (settled a) * m).

(** The row-major position of indices in a box. *)
Definition ix_row_major (l : list ixs) (d : list nat) : ixs :=
  fold_left (fun r p => ix_add (ix_mul r (Z.of_nat (snd p))) (fst p)) (combine l d) (ix_const 0).

(** ** As an expression: no sum begins with a minus *)

Definition scaled_ix (t : term) : ix :=
  let c := Z.abs (coef t) in if c =? 1 then atom t else IMul (atom t) c.

Definition put (a : ix) (t : term) : ix :=
  if coef t <? 0 then ISub a (scaled_ix t) else IAdd a (scaled_ix t).

Definition ix_of (a : ixs) : ix :=
  match terms a with
  | [] => ICst (plain a)
  | t :: l =>
      if coef t <? 0 then fold_left put (t :: l) (ICst (plain a))
      else
        let r := fold_left put l (scaled_ix t) in
        if plain a =? 0 then r
        else if 0 <? plain a then IAdd r (ICst (plain a)) else ISub r (ICst (- plain a))
  end.

(** ** Quotient and remainder *)

(** What the divisor [d] divides, divided; and the rest. *)
Definition divides (d : Z) (t : term) : bool := coef t mod d =? 0.

Definition ix_whole (a : ixs) (d : Z) : ixs :=
  Ixs (map (fun t => Term (atom t) (coef t / d) (low t) (high t))
           (filter (divides d) (terms (settled a))))
      (plain (settled a) / d).

Definition ix_rest (a : ixs) (d : Z) : ixs :=
  Ixs (filter (fun t => negb (divides d t)) (terms (settled a))) (plain (settled a) mod d).

Definition ix_div (a : ixs) (d : Z) : ixs :=
  if d =? 1 then a
  else
    let r := ix_rest a d in
    if ix_first r / d =? ix_last r / d then ix_plus (ix_whole a d) (ix_first r / d)
    else ix_add (ix_whole a d) (ix_atom (IDiv (ix_of r) d) (ix_first r / d) (ix_last r / d)).

Definition ix_mod (a : ixs) (d : Z) : ixs :=
  if (0 <=? ix_first a) && (ix_last a <? d) then a
  else
    let r := ix_rest a d in
    if ix_first r / d =? ix_last r / d then ix_plus r (- (ix_first r / d) * d)
    else ix_atom (IMod (ix_of r) d) 0 (d - 1).
