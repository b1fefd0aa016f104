(** * DPIA, the functional side: syntax

    Functional expressions with strategies (seed 002, section 2).  Three things
    are arbitrary: the scalar structure (no law of arithmetic is assumed, so all
    theorems hold bit for bit for floats), the sizes of arrays (numbers or
    symbolic terms) and, for symbolic sizes, what the size variables stand for.

    Differences to the seed: indices are not storable data, they live in the
    context only, and index expressions are affine terms with division by
    positive constants; [split n m] has inner length [n] everywhere; select
    depends on index conditions only and is lazy. *)

From Coq Require Import List ZArith.
From Calque Require kernel.Kernel.
Set Implicit Arguments.

(** ** Sizes and scalars *)

Record sizes := Sizes {
  size : Type;
  mul : size -> size -> size;
  plus : size -> size -> size;
  lift : nat -> size;
  size_eqb : size -> size -> bool;
  size_eqb_eq : forall n m, size_eqb n m = true <-> n = m;
  sizing : Type;                     (** what the size variables stand for *)
  val : sizing -> size -> nat;
  mul_val : forall s n m, val s (mul n m) = val s n * val s m;
  plus_val : forall s n m, val s (plus n m) = val s n + val s m;
  lift_val : forall s k, val s (lift k) = k }.
Existing Class sizing.

Definition count {N} {s : sizing N} (n : size N) : nat := val N s n.
Notation "# n" := (count n) (at level 2, n at level 1, format "# n").

Lemma count_mul N (s : sizing N) n m : #(mul N n m) = #n * #m.
Proof. apply mul_val. Qed.
Lemma count_plus N (s : sizing N) n m : #(plus N n m) = #n + #m.
Proof. apply plus_val. Qed.
Lemma count_lift N (s : sizing N) k : #(lift N k) = k.
Proof. apply lift_val. Qed.

(** Plain numbers. *)
Definition numbers : sizes.
Proof.
  refine (@Sizes nat Nat.mul Nat.add (fun k => k) Nat.eqb Nat.eqb_eq unit (fun _ n => n) _ _ _);
    reflexivity.
Defined.
Global Instance numbers_sizing : sizing numbers := tt.

Record algebra := Algebra {
  scalar : Type;
  lit : Type;
  uop : Type;
  bop : Type;
  lit_val : lit -> scalar;
  uop_val : uop -> scalar -> scalar;
  bop_val : bop -> scalar -> scalar -> scalar }.

(** ** Types, index expressions and conditions *)

Section Syntax.
  Context (A : algebra) (N : sizes).

  Inductive data :=
    | DNum
    | DAry (n : size N) (d : data)
    | DPair (d1 d2 : data).

  (** What a variable of the context is: data, or an index below [n]. *)
  Inductive entry := TD (d : data) | TI (n : size N).

  Inductive ix :=
    | XVar (x : nat)
    | XCst (z : Z)
    | XSize (n : size N)
    | XAdd (i j : ix)
    | XSub (i j : ix)
    | XMul (i : ix) (k : Z)
    | XDiv (i : ix) (k : positive)   (** rounded down *)
    | XMod (i : ix) (k : positive).

  Inductive cond :=
    | CCmp (c : Kernel.cmp) (i j : ix)
    | CAnd (c1 c2 : cond).

  (** ** Expressions, variables de Bruijn *)

  Inductive policy := Seq | Par.

  Inductive exp :=
    | EVar (x : nat)
    | ELit (c : lit A)
    | EUn (o : uop A) (e : exp)
    | EBin (o : bop A) (e1 e2 : exp)
    | EMap (p : policy) (n : size N) (d : data) (f e : exp)     (** [d]: element of the result *)
    | EGen (p : policy) (n : size N) (d : data) (f : exp)       (** binds an index *)
    | ERed (n : size N) (d : data) (f i e : exp)                (** [f] under acc, element *)
    | EFold (n : size N) (d : data) (f i : exp)                 (** [f] under acc, index *)
    | EZip (n : size N) (d1 d2 : data) (e1 e2 : exp)
    | ESplit (n m : size N) (e : exp)                           (** n*m -> m of n *)
    | EJoin (n m : size N) (e : exp)                            (** m of n -> n*m *)
    | EIdx (e : exp) (i : ix)
    | EPair (e1 e2 : exp)
    | EFst (e : exp)
    | ESnd (e : exp)
    | ERev (n : size N) (e : exp)
    | ETr (n m : size N) (e : exp)                              (** n of m -> m of n *)
    | EIte (c : cond) (d : data) (e1 e2 : exp)
    | ELet (d : data) (e f : exp).                              (** [f] under [e], of type [d] *)

  (** ** Meaning of indices *)

  Context {s : sizing N}.

  Fixpoint ixv (f : nat -> Z) (i : ix) : Z :=
    match i with
    | XVar x => f x
    | XCst z => z
    | XSize n => Z.of_nat #n
    | XAdd i j => ixv f i + ixv f j
    | XSub i j => ixv f i - ixv f j
    | XMul i k => ixv f i * k
    | XDiv i k => ixv f i / Zpos k
    | XMod i k => ixv f i mod Zpos k
    end.

  Fixpoint holds (f : nat -> Z) (c : cond) : bool :=
    match c with
    | CCmp c i j => Kernel.eval_cmp c (ixv f i) (ixv f j)
    | CAnd c1 c2 => holds f c1 && holds f c2
    end.

  (** A position in an array: nothing when negative. *)
  Definition index (f : nat -> Z) (i : ix) : option nat :=
    let z := ixv f i in if (0 <=? z)%Z then Some (Z.to_nat z) else None.

  Fixpoint ix_subst (g : nat -> ix) (i : ix) : ix :=
    match i with
    | XVar x => g x
    | XCst z => XCst z
    | XSize n => XSize n
    | XAdd i j => XAdd (ix_subst g i) (ix_subst g j)
    | XSub i j => XSub (ix_subst g i) (ix_subst g j)
    | XMul i k => XMul (ix_subst g i) k
    | XDiv i k => XDiv (ix_subst g i) k
    | XMod i k => XMod (ix_subst g i) k
    end.

  Fixpoint cond_subst (g : nat -> ix) (c : cond) : cond :=
    match c with
    | CCmp c i j => CCmp c (ix_subst g i) (ix_subst g j)
    | CAnd c1 c2 => CAnd (cond_subst g c1) (cond_subst g c2)
    end.

  (** The variables of an index expression. *)
  Fixpoint ix_all (P : nat -> Prop) (i : ix) : Prop :=
    match i with
    | XVar x => P x
    | XCst _ | XSize _ => True
    | XAdd i j | XSub i j => ix_all P i /\ ix_all P j
    | XMul i _ | XDiv i _ | XMod i _ => ix_all P i
    end.

  Fixpoint cond_all (P : nat -> Prop) (c : cond) : Prop :=
    match c with
    | CCmp _ i j => ix_all P i /\ ix_all P j
    | CAnd c1 c2 => cond_all P c1 /\ cond_all P c2
    end.

  Lemma ixv_subst f g i : ixv f (ix_subst g i) = ixv (fun x => ixv f (g x)) i.
  Proof. induction i; simpl; congruence. Qed.

  Lemma holds_subst f g c : holds f (cond_subst g c) = holds (fun x => ixv f (g x)) c.
  Proof. induction c; simpl; rewrite ?ixv_subst; congruence. Qed.

  Lemma ixv_ext f g i : ix_all (fun x => f x = g x) i -> ixv f i = ixv g i.
  Proof. induction i; simpl; intuition congruence. Qed.

  Lemma holds_ext f g c : cond_all (fun x => f x = g x) c -> holds f c = holds g c.
  Proof. induction c; simpl; intuition; rewrite ?(ixv_ext f g) by assumption; congruence. Qed.

  Lemma index_ext f g i : ix_all (fun x => f x = g x) i -> index f i = index g i.
  Proof. intros same. unfold index. now rewrite (ixv_ext f g). Qed.

  Lemma ix_all_mono (P Q : nat -> Prop) i : (forall x, P x -> Q x) -> ix_all P i -> ix_all Q i.
  Proof. intros weaker. induction i; simpl; intuition. Qed.

  Lemma cond_all_mono (P Q : nat -> Prop) c :
    (forall x, P x -> Q x) -> cond_all P c -> cond_all Q c.
  Proof. intros weaker. induction c; simpl; intuition eauto using ix_all_mono. Qed.

  Lemma ix_all_subst (P Q : nat -> Prop) g i :
    (forall x, P x -> ix_all Q (g x)) -> ix_all P i -> ix_all Q (ix_subst g i).
  Proof. intros each. induction i; simpl; intuition. Qed.

  Lemma cond_all_subst (P Q : nat -> Prop) g c :
    (forall x, P x -> ix_all Q (g x)) -> cond_all P c -> cond_all Q (cond_subst g c).
  Proof. intros each. induction c; simpl; intuition eauto using ix_all_subst. Qed.

  Lemma index_some f i k : ixv f i = Z.of_nat k -> index f i = Some k.
  Proof.
    intros E. unfold index. rewrite E, Nat2Z.id.
    destruct (Z.leb_spec 0 (Z.of_nat k)) as [_ | neg]; [reflexivity |].
    exfalso. apply (Zlt_not_le _ _ neg), Nat2Z.is_nonneg.
  Qed.
End Syntax.

Arguments DNum {N}.
Arguments DAry {N}.
Arguments DPair {N}.
Arguments TD {N}.
Arguments TI {N}.
Arguments XVar {N}.
Arguments XCst {N}.
Arguments XSize {N}.
Arguments EVar {A N}.
Arguments ELit {A N}.
Arguments EUn {A N}.
Arguments EBin {A N}.
Arguments EMap {A N}.
Arguments EGen {A N}.
Arguments ERed {A N}.
Arguments EFold {A N}.
Arguments EZip {A N}.
Arguments ESplit {A N}.
Arguments EJoin {A N}.
Arguments EIdx {A N}.
Arguments EPair {A N}.
Arguments EFst {A N}.
Arguments ESnd {A N}.
Arguments ERev {A N}.
Arguments ETr {A N}.
Arguments EIte {A N}.
Arguments ELet {A N}.
