(** * Normal forms of index expressions

    A constant and terms coefficient * atom in increasing order of the atoms, an
    atom being a variable or the quotient or remainder of a form by a positive
    number.  Variables of extent 1 are 0.  [key] says in which order variables
    stand, [ext] has their extents. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import kernel.Kernel kernel.Wf.
Import ListNotations.
Open Scope Z_scope.

Inductive form :=
  | FCst (k : Z)
  | FTerm (a : atom) (c : Z) (f : form)
with atom :=
  | AVar (n : nat)
  | ADiv (f : form) (m : Z)
  | AMod (f : form) (m : Z).

Fixpoint eval_form (rho : list Z) (f : form) : Z :=
  match f with
  | FCst k => k
  | FTerm a c f => c * eval_atom rho a + eval_form rho f
  end
with eval_atom (rho : list Z) (a : atom) : Z :=
  match a with
  | AVar n => nth n rho 0
  | ADiv f m => eval_form rho f / m
  | AMod f m => eval_form rho f mod m
  end.

(** ** Intervals *)

Definition span_plus (s t : span) : span := (fst s + fst t, snd s + snd t).
Definition span_by (s : span) (m : Z) : span := (fst s / m, snd s / m).

Definition span_rest (s : span) (m : Z) : span :=
  let (l, h) := s in
  if (l <=? h) && (l / m =? h / m) then (l - l / m * m, h - l / m * m) else (0, m - 1).

Definition span_var (ext : list nat) (n : nat) : span := (0, Z.of_nat (nth n ext 1%nat) - 1).

Fixpoint span_form (ext : list nat) (f : form) : span :=
  match f with
  | FCst k => (k, k)
  | FTerm a c f => span_plus (span_mul (span_atom ext a) c) (span_form ext f)
  end
with span_atom (ext : list nat) (a : atom) : span :=
  match a with
  | AVar n => span_var ext n
  | ADiv f m => span_by (span_form ext f) m
  | AMod f m => span_rest (span_form ext f) m
  end.

Fixpoint span_ix (ext : list nat) (a : ix) : span :=
  match a with
  | IVar n => span_var ext n
  | ICst z => (z, z)
  | IAdd a b => span_plus (span_ix ext a) (span_ix ext b)
  | ISub a b => span_plus (span_ix ext a) (span_mul (span_ix ext b) (-1))
  | IMul a k => span_mul (span_ix ext a) k
  | IDiv a m => span_by (span_ix ext a) m
  | IMod a m => span_rest (span_ix ext a) m
  end.

Definition span_within (s t : span) : bool := (fst t <=? fst s) && (snd s <=? snd t).

(** ** Order *)

Definition then_cmp (c d : comparison) : comparison := match c with Eq => d | _ => c end.

Section Order.
  Variable key : list nat.

  (** Variables first, by their keys, then quotients, then remainders. *)
  Fixpoint form_cmp (f g : form) : comparison :=
    match f, g with
    | FCst j, FCst k => j ?= k
    | FCst _, FTerm _ _ _ => Lt
    | FTerm _ _ _, FCst _ => Gt
    | FTerm a c f, FTerm b d g =>
        then_cmp (atom_cmp a b) (then_cmp (c ?= d) (form_cmp f g))
    end
  with atom_cmp (a b : atom) : comparison :=
    match a, b with
    | AVar m, AVar n => then_cmp (Nat.compare (nth m key 0%nat) (nth n key 0%nat)) (Nat.compare m n)
    | AVar _, _ => Lt
    | _, AVar _ => Gt
    | ADiv f m, ADiv g n | AMod f m, AMod g n => then_cmp (form_cmp f g) (m ?= n)
    | ADiv _ _, AMod _ _ => Lt
    | AMod _ _, ADiv _ _ => Gt
    end.

  (** ** Sums *)

  Definition add_term (a : atom) (c : Z) (f : form) : form := if c =? 0 then f else FTerm a c f.

  (** j + c * g *)
  Fixpoint scaled_plus (j c : Z) (g : form) : form :=
    match g with
    | FCst k => FCst (j + c * k)
    | FTerm b y g => add_term b (c * y) (scaled_plus j c g)
    end.

  (** f + c * g *)
  Fixpoint merge (f : form) (c : Z) : form -> form :=
    match f with
    | FCst j => scaled_plus j c
    | FTerm a x f' =>
        fix into (g : form) : form :=
          match g with
          | FCst _ => FTerm a x (merge f' c g)
          | FTerm b y g' =>
              match atom_cmp a b with
              | Lt => FTerm a x (merge f' c g)
              | Gt => add_term b (c * y) (into g')
              | Eq => add_term a (x + c * y) (merge f' c g')
              end
          end
    end.

  Definition of_atom (a : atom) : form := FTerm a 1 (FCst 0).

  Fixpoint coefficient (f : form) (a : atom) : Z :=
    match f with
    | FCst _ => 0
    | FTerm b c f => match atom_cmp a b with Eq => c | _ => coefficient f a end
    end.

  (** f // m: f // a // b is f // (a * b). *)
  Definition quotient_atom (f : form) (m : Z) : atom :=
    match f with
    | FTerm (ADiv g j) 1 (FCst 0) =>
        if (0 <? j) && (0 <? m) && (j * m <=? 2147483647) then ADiv g (j * m) else ADiv f m
    | _ => ADiv f m
    end.

  (** A term c * (g % m) of [f] beside c * m * (g // m) in [whole]. *)
  Fixpoint digit_term (whole f : form) : option (Z * form * Z) :=
    match f with
    | FCst _ => None
    | FTerm (AMod g m) c f =>
        if (0 <? m) && (coefficient whole (quotient_atom g m) =? c * m) then Some (c, g, m)
        else digit_term whole f
    | FTerm _ _ f => digit_term whole f
    end.

  (** c * m * (g // m) + c * (g % m) = c * g *)
  Fixpoint recombine (fuel : nat) (f : form) : form :=
    match fuel, digit_term f f with
    | S fuel, Some (c, g, m) =>
        recombine fuel
          (merge (merge (merge f (- c) (of_atom (AMod g m)))
                        (- (c * m)) (of_atom (quotient_atom g m))) c g)
    | _, _ => f
    end.

  Fixpoint size (f : form) : nat :=
    match f with FCst _ => 1%nat | FTerm a _ f => (size_atom a + size f)%nat end
  with size_atom (a : atom) : nat :=
    match a with AVar _ => 1%nat | ADiv f _ | AMod f _ => S (size f) end.

  Definition plus (f : form) (c : Z) (g : form) : form :=
    let r := merge f c g in recombine (size r) r.

  (** ** Quotients and remainders *)

  (** f = m * whole + rest *)
  Fixpoint divisible (m : Z) (f : form) : form :=
    match f with
    | FCst _ => FCst 0
    | FTerm a c f => if c mod m =? 0 then FTerm a (c / m) (divisible m f) else divisible m f
    end.

  Fixpoint remaining (m : Z) (f : form) : form :=
    match f with
    | FCst k => FCst k
    | FTerm a c f => if c mod m =? 0 then remaining m f else FTerm a c (remaining m f)
    end.

  Variable ext : list nat.

  Definition constant_quotient (rest : form) (m : Z) : option Z :=
    let (l, h) := span_form ext rest in if l / m =? h / m then Some (l / m) else None.

  Definition divide (f : form) (m : Z) : form :=
    let rest := remaining m f in
    match constant_quotient rest m with
    | Some q => plus (divisible m f) q (FCst 1)
    | None => plus (divisible m f) 1 (of_atom (quotient_atom rest m))
    end.

  Definition modulo (f : form) (m : Z) : form :=
    let rest := remaining m f in
    match constant_quotient rest m with
    | Some q => plus rest (- q * m) (FCst 1)
    | None => of_atom (AMod rest m)
    end.

  Fixpoint form_of (a : ix) : form :=
    match a with
    | IVar n => if (nth n ext 1 <=? 1)%nat then FCst 0 else of_atom (AVar n)
    | ICst z => FCst z
    | IAdd a b => plus (form_of a) 1 (form_of b)
    | ISub a b => plus (form_of a) (-1) (form_of b)
    | IMul a k => plus (FCst 0) k (form_of a)
    | IDiv a m => if 0 <? m then divide (form_of a) m else of_atom (ADiv (form_of a) m)
    | IMod a m => if 0 <? m then modulo (form_of a) m else of_atom (AMod (form_of a) m)
    end.
End Order.

(** ** Back to index expressions

    Terms with positive coefficients, the constant, then what is subtracted; where
    nothing is positive the constant comes first. *)

Definition scaled_ix (a : ix) (c : Z) : ix := if c =? 1 then a else IMul a c.

Definition join_ix (o : option ix) (a : ix) : option ix :=
  Some (match o with Some b => IAdd b a | None => a end).

Fixpoint constant (f : form) : Z :=
  match f with FCst k => k | FTerm _ _ f => constant f end.

Definition arrange (positive : option ix) (k : Z) (negative : ix -> ix) : ix :=
  match positive with
  | None => negative (ICst k)
  | Some a =>
      let b := negative (if 0 <? k then IAdd a (ICst k) else a) in
      if k <? 0 then ISub b (ICst (- k)) else b
  end.

Fixpoint added_ix (f : form) (o : option ix) : option ix :=
  match f with
  | FCst _ => o
  | FTerm a c f => added_ix f (if c <? 0 then o else join_ix o (scaled_ix (atom_ix a) c))
  end
with subtracted_ix (f : form) (b : ix) : ix :=
  match f with
  | FCst _ => b
  | FTerm a c f => subtracted_ix f (if c <? 0 then ISub b (scaled_ix (atom_ix a) (- c)) else b)
  end
with atom_ix (a : atom) : ix :=
  match a with
  | AVar n => IVar n
  | ADiv f m => IDiv (arrange (added_ix f None) (constant f) (subtracted_ix f)) m
  | AMod f m => IMod (arrange (added_ix f None) (constant f) (subtracted_ix f)) m
  end.

Definition form_ix (f : form) : ix :=
  arrange (added_ix f None) (constant f) (subtracted_ix f).
