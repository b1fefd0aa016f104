(** * Index-notation kernels

    The core language of kernels: index expressions, scalar expressions with
    loads, selects and sums, and statements that fill a whole tensor.  Scalars
    are arbitrary: no law of arithmetic is assumed, so every theorem holds for
    binary32 and binary64 with the order of operations written here.

    Variables are de Bruijn: in a statement variable 0 is the first index of the
    output; a reduction over n variables binds 0 to n-1, the first one first. *)

From Coq Require Import Bool List Lia Arith ZArith.
Import ListNotations.
Open Scope Z_scope.

(** ** Syntax *)

Inductive ix :=
  | IVar (n : nat)
  | ICst (z : Z)
  | IAdd (a b : ix)
  | ISub (a b : ix)
  | IMul (a : ix) (k : Z)
  | IDiv (a : ix) (k : Z)        (** rounded down *)
  | IMod (a : ix) (k : Z).

Inductive cmp := CLt | CLe | CGt | CGe | CEq | CNe.

Inductive cond :=
  | CCmp (c : cmp) (a b : ix)
  | CAnd (a b : cond).

(** ** Index expressions: meaning and substitution *)

Fixpoint eval_ix (rho : list Z) (a : ix) : Z :=
  match a with
  | IVar n => nth n rho 0                                           (* KE-Var *)
  | ICst z => z                                                     (* KE-Int *)
  | IAdd a b => eval_ix rho a + eval_ix rho b                       (* KE-Plus *)
  | ISub a b => eval_ix rho a - eval_ix rho b                       (* KE-Minus *)
  | IMul a k => eval_ix rho a * k                                   (* KE-Scale *)
  | IDiv a k => eval_ix rho a / k                                   (* KE-Div *)
  | IMod a k => eval_ix rho a mod k                                 (* KE-Mod *)
  end.

Definition eval_cmp (c : cmp) (y z : Z) : bool :=
  match c with
  | CLt => y <? z
  | CLe => y <=? z
  | CGt => z <? y
  | CGe => z <=? y
  | CEq => y =? z
  | CNe => negb (y =? z)
  end.

Fixpoint eval_cond (rho : list Z) (c : cond) : bool :=
  match c with
  | CCmp c a b => eval_cmp c (eval_ix rho a) (eval_ix rho b)        (* KE-Cmp *)
  | CAnd a b => eval_cond rho a && eval_cond rho b                  (* KE-And *)
  end.

(** Variables move up by [m]. *)
Fixpoint shift_ix (m : nat) (a : ix) : ix :=
  match a with
  | IVar n => IVar (m + n)
  | ICst z => ICst z
  | IAdd a b => IAdd (shift_ix m a) (shift_ix m b)
  | ISub a b => ISub (shift_ix m a) (shift_ix m b)
  | IMul a k => IMul (shift_ix m a) k
  | IDiv a k => IDiv (shift_ix m a) k
  | IMod a k => IMod (shift_ix m a) k
  end.

Fixpoint subst_ix (f : list ix) (a : ix) : ix :=
  match a with
  | IVar n => nth n f (ICst 0)
  | ICst z => ICst z
  | IAdd a b => IAdd (subst_ix f a) (subst_ix f b)
  | ISub a b => ISub (subst_ix f a) (subst_ix f b)
  | IMul a k => IMul (subst_ix f a) k
  | IDiv a k => IDiv (subst_ix f a) k
  | IMod a k => IMod (subst_ix f a) k
  end.

Fixpoint subst_cond (f : list ix) (c : cond) : cond :=
  match c with
  | CCmp c a b => CCmp c (subst_ix f a) (subst_ix f b)
  | CAnd a b => CAnd (subst_cond f a) (subst_cond f b)
  end.

(** Under a reduction, its variables stay and the substituted indices move up. *)
Definition lift (m : nat) (f : list ix) : list ix :=
  map IVar (seq 0 m) ++ map (shift_ix m) f.

(** A tensor is named by a number. *)
Definition tid := nat.

(** A scalar structure: literals, operators and functions with any meaning, and
    reductions (sum, greatest, ..), each with a start and a step. *)
Record scalars := {
  carrier : Type;
  lit : Type;
  bop : Type;
  fid : Type;
  lit_value : lit -> carrier;
  bop_value : bop -> carrier -> carrier -> carrier;
  fid_value : fid -> list carrier -> carrier;
  zero : carrier;
  red : Type;
  red_start : red -> carrier;
  red_step : red -> carrier -> carrier -> carrier }.

(** All index tuples of the box with sides [d], in lexicographic order. *)
Fixpoint box (d : list nat) : list (list Z) :=
  match d with
  | [] => [[]]
  | n :: d' => flat_map (fun k => map (cons (Z.of_nat k)) (box d')) (seq 0 n)
  end.

Fixpoint in_box (d : list nat) (i : list Z) : bool :=
  match d, i with
  | [], [] => true
  | n :: d', k :: i' => (0 <=? k) && (k <? Z.of_nat n) && in_box d' i'
  | _, _ => false
  end.

Fixpoint tuple_eqb (i j : list Z) : bool :=
  match i, j with
  | [], [] => true
  | y :: i', z :: j' => (y =? z)%Z && tuple_eqb i' j'
  | _, _ => false
  end.

Section Kernel.
  Variable S : scalars.

  Inductive ex :=
    | ECst (c : lit S)
    | ELd (t : tid) (l : list ix)
    | EBin (o : bop S) (a b : ex)
    | EFn (f : fid S) (l : list ex)
    | ESel (c : cond) (a b : ex)
    | ERed (r : red S) (ns : list nat) (e : ex).   (** one accumulator *)

  (** out<dims>[i1,..,im] = body *)
  Record stmt := Stmt { out : tid; dims : list nat; body : ex }.
  Definition prog := list stmt.

  (** ** Meaning *)

  (** A tensor is what it holds at every index; outside its box that is zero. *)
  Definition tensor := list Z -> carrier S.
  Definition store := tid -> tensor.

  Definition tabulate (d : list nat) (f : list Z -> carrier S) : tensor :=
    fun i => if in_box d i then f i else zero S.

  Fixpoint eval (st : store) (rho : list Z) (e : ex) : carrier S :=
    match e with
    | ECst c => lit_value S c                                       (* KE-Const *)
    | ELd t l => st t (map (eval_ix rho) l)                          (* KE-Load *)
    | EBin o a b => bop_value S o (eval st rho a) (eval st rho b)    (* KE-Bin *)
    | EFn f l => fid_value S f (map (eval st rho) l)                 (* KE-Fn *)
    | ESel c a b =>                                                  (* KE-Sel *)
        if eval_cond rho c then eval st rho a else eval st rho b
    | ERed r ns e =>                                                 (* KE-Sum *)
        fold_left (fun acc k => red_step S r acc (eval st (k ++ rho) e))
                  (box ns) (red_start S r)
    end.

  Definition upd (st : store) (t : tid) (x : tensor) : store :=
    fun u => if (u =? t)%nat then x else st u.

  (** KS-Store: the whole right side is read before anything is written. *)
  Definition exec (s : stmt) (st : store) : store :=
    upd st (out s) (tabulate (dims s) (fun i => eval st i (body s))).

  (** KP-Seq *)
  Definition exec_prog (p : prog) (st : store) : store :=
    fold_left (fun st s => exec s st) p st.

  (** The tensors that an expression reads. *)
  Fixpoint loads (e : ex) : list tid :=
    match e with
    | ECst _ => []
    | ELd t _ => [t]
    | EBin _ a b | ESel _ a b => loads a ++ loads b
    | EFn _ l => flat_map loads l
    | ERed _ _ e => loads e
    end.

  (** ** Substitution of indices for the variables of a statement *)

  Fixpoint subst (f : list ix) (e : ex) : ex :=
    match e with
    | ECst c => ECst c
    | ELd t l => ELd t (map (subst_ix f) l)
    | EBin o a b => EBin o (subst f a) (subst f b)
    | EFn g l => EFn g (map (subst f) l)
    | ESel c a b => ESel (subst_cond f c) (subst f a) (subst f b)
    | ERed r ns e => ERed r ns (subst (lift (length ns) f) e)
    end.

  (** ** Inlining: the producer [p] in the place of every load of its output *)

  Fixpoint inline (p : stmt) (e : ex) : ex :=
    match e with
    | ECst c => ECst c
    | ELd t l => if (t =? out p)%nat then subst l (body p) else ELd t l
    | EBin o a b => EBin o (inline p a) (inline p b)
    | EFn g l => EFn g (map (inline p) l)
    | ESel c a b => ESel c (inline p a) (inline p b)
    | ERed r ns e => ERed r ns (inline p e)
    end.

  Definition inline_stmt (p s : stmt) : stmt :=
    Stmt (out s) (dims s) (inline p (body s)).

  (** Every load of [t] that is evaluated falls into the box [d]; a load behind a
      select only counts where its side is taken. *)
  Fixpoint in_bounds (t : tid) (d : list nat) (rho : list Z) (e : ex) : Prop :=
    match e with
    | ECst _ => True
    | ELd u l => u = t -> in_box d (map (eval_ix rho) l) = true
    | EBin _ a b => in_bounds t d rho a /\ in_bounds t d rho b
    | EFn _ l => fold_right (fun a P => in_bounds t d rho a /\ P) True l
    | ESel c a b =>
        if eval_cond rho c then in_bounds t d rho a else in_bounds t d rho b
    | ERed _ ns e => forall k, in_box ns k = true -> in_bounds t d (k ++ rho) e
    end.

  (** I5 *)
  Definition in_bounds_stmt (t : tid) (d : list nat) (s : stmt) : Prop :=
    forall i, in_box (dims s) i = true -> in_bounds t d i (body s).
End Kernel.

Arguments ECst {S}.
Arguments ELd {S}.
Arguments EBin {S}.
Arguments EFn {S}.
Arguments ESel {S}.
Arguments ERed {S}.
Arguments Stmt {S}.
Arguments out {S}.
Arguments dims {S}.
Arguments body {S}.
Arguments eval {S}.
Arguments exec {S}.
Arguments exec_prog {S}.
Arguments loads {S}.
Arguments subst {S}.
Arguments inline {S}.
Arguments inline_stmt {S}.
Arguments in_bounds {S}.
Arguments in_bounds_stmt {S}.
Arguments tabulate {S}.
Arguments upd {S}.
