(** * One cell of a functional program

    A program is read at a symbolic place of its value: [generate] binds, [split], [join],
    [transpose] and [idx] are arithmetic on indices, a fold over an array of accumulators is a
    fold at that place alone.  What is left is the computation of one cell: loads of the
    program's inputs, operations, folds and selects, as a kernel's statement has them.
    [CellsProof] says that it has the cell's value.

    Variables of a cell are levels: [nth x R] is how many values variable [x] takes, where [R]
    lists the loops around, the outermost first.  A fold's accumulator has its index's level. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require kernel.Kernel.
From Calque Require Import dpia.Syntax dpia.Values.
Import ListNotations.
Set Implicit Arguments.
Open Scope nat_scope.

Section Cells.
  Context {A : algebra}.
  Notation ix := (ix numbers). Notation cond := (cond numbers). Notation exp := (exp A numbers).
  Notation value := (value A).

  (** ** Places, and cells *)

  Inductive turn := SAt (i : ix) | SL | SR.
  Definition place := list turn.

  Inductive cell :=
    | CLit (c : lit A)
    | CUn (o : uop A) (a : cell)
    | CBin (o : bop A) (a b : cell)
    | CLoad (x : nat) (p : place)                    (** input [x] at a place *)
    | CAcc (l : nat)                                 (** the accumulator of the fold at level [l] *)
    | CFold (l n : nat) (step init : cell)           (** [step] has index and accumulator [l] *)
    | CIte (c : cond) (a b : cell).

  (** ** Meaning *)

  Record point := Point { ind : nat -> Z; acc : nat -> option (scalar A) }.
  Definition put (r : point) (l : nat) (z : Z) (a : option (scalar A)) : point :=
    Point (fun x => if x =? l then z else ind r x) (fun x => if x =? l then a else acc r x).

  (** The path that a place is. *)
  Fixpoint spot (f : nat -> Z) (p : place) : option path :=
    match p with
    | [] => Some []
    | SAt i :: p =>
        match index f i, spot f p with Some k, Some q => Some (At k :: q) | _, _ => None end
    | SL :: p => option_map (cons L) (spot f p)
    | SR :: p => option_map (cons R) (spot f p)
    end.

  Section Value.
    Variable inputs : list value.

    Fixpoint cval (r : point) (c : cell) : option (scalar A) :=
      match c with
      | CLit c => Some (lit_val A c)
      | CUn o a => option_map (uop_val A o) (cval r a)
      | CBin o a b =>
          match cval r a, cval r b with Some x, Some y => Some (bop_val A o x y) | _, _ => None end
      | CLoad x p =>
          match spot (ind r) p with Some q => look (nth x inputs junk) q | None => None end
      | CAcc l => acc r l
      | CFold l n step init =>
          fold_left (fun a k => cval (put r l (Z.of_nat k) a) step) (seq 0 n) (cval r init)
      | CIte c a b => if holds (ind r) c then cval r a else cval r b
      end.
  End Value.

  (** ** Equality of indices and places, as they are written *)

  Fixpoint ix_same (i j : ix) : bool :=
    match i, j with
    | XVar x, XVar y => x =? y
    | XCst a, XCst b => (a =? b)%Z
    | XSize n, XSize m => n =? m
    | XAdd a b, XAdd c d | XSub a b, XSub c d => ix_same a c && ix_same b d
    | XMul a k, XMul b l => ix_same a b && (k =? l)%Z
    | XDiv a k, XDiv b l | XMod a k, XMod b l => ix_same a b && (k =? l)%positive
    | _, _ => false
    end.

  Definition turn_same (s t : turn) : bool :=
    match s, t with
    | SAt i, SAt j => ix_same i j
    | SL, SL | SR, SR => true
    | _, _ => false
    end.

  Fixpoint place_same (p q : place) : bool :=
    match p, q with
    | [], [] => true
    | s :: p, t :: q => turn_same s t && place_same p q
    | _, _ => false
    end.

  (** ** Reading *)

  (** What a variable of the program is: an index, or data that is read where it is used. *)
  Inductive known := KIx (i : ix) | KData (s : list nat -> place -> option cell).

  Definition sub (K : list known) (x : nat) : ix :=
    match nth_error K x with Some (KIx i) => i | _ => XCst 0 end.

  (** The accumulator, where it is read at the fold's own place. *)
  Definition hold (l : nat) (p : place) : known :=
    KData (fun _ q => if place_same q p then Some (CAcc l) else None).

  Definition both (f : cell -> cell -> cell) (a b : option cell) : option cell :=
    match a, b with Some a, Some b => Some (f a b) | _, _ => None end.

  (** An index as it is kept, under loops of these sizes. *)
  Variable tidy : list nat -> ix -> ix.

  Fixpoint read (K : list known) (R : list nat) (e : exp) (p : place) {struct e} : option cell :=
    match e with
    | EVar x => match nth_error K x with Some (KData s) => s R p | _ => None end
    | ELit c => match p with [] => Some (CLit c) | _ => None end
    | EUn o e => match p with [] => option_map (CUn o) (read K R e []) | _ => None end
    | EBin o e1 e2 => match p with [] => both (CBin o) (read K R e1 []) (read K R e2 []) | _ => None end
    | EMap _ _ _ f e =>
        match p with
        | SAt i :: p => read (KData (fun R q => read K R e (SAt i :: q)) :: K) R f p
        | _ => None
        end
    | EGen _ _ _ f => match p with SAt i :: p => read (KIx i :: K) R f p | _ => None end
    | ERed n _ f i e =>
        let l := length R in
        both (CFold l n)
          (read (hold l p :: KData (fun R q => read K R e (SAt (XVar l) :: q)) :: K) (R ++ [n]) f p)
          (read K R i p)
    | EFold n _ f i =>
        let l := length R in
        both (CFold l n) (read (hold l p :: KIx (XVar l) :: K) (R ++ [n]) f p) (read K R i p)
    | EZip _ _ _ e1 e2 =>
        match p with
        | SAt i :: SL :: p => read K R e1 (SAt i :: p)
        | SAt i :: SR :: p => read K R e2 (SAt i :: p)
        | _ => None
        end
    | ESplit n _ e =>
        match p with
        | SAt i :: SAt j :: p => read K R e (SAt (tidy R (XAdd (XMul i (Z.of_nat n)) j)) :: p)
        | _ => None
        end
    | EJoin n _ e =>
        match p, Z.of_nat n with
        | SAt i :: p, Zpos k => read K R e (SAt (tidy R (XDiv i k)) :: SAt (tidy R (XMod i k)) :: p)
        | _, _ => None
        end
    | EIdx e i => read K R e (SAt (tidy R (ix_subst (sub K) i)) :: p)
    | EPair e1 e2 =>
        match p with SL :: p => read K R e1 p | SR :: p => read K R e2 p | _ => None end
    | EFst e => read K R e (SL :: p)
    | ESnd e => read K R e (SR :: p)
    | ERev n e =>
        match p with
        | SAt i :: p => read K R e (SAt (tidy R (XSub (XCst (Z.of_nat n - 1)) i)) :: p)
        | _ => None
        end
    | ETr _ _ e => match p with SAt i :: SAt j :: p => read K R e (SAt j :: SAt i :: p) | _ => None end
    | EIte c _ e1 e2 => both (CIte (cond_subst (sub K) c)) (read K R e1 p) (read K R e2 p)
    | ELet _ e f => read (KData (fun R q => read K R e q) :: K) R f p
    end.

  (** ** The cells of a program: the variables of the loops around are the indices of its value *)

  Definition loaded (x : nat) : known := KData (fun _ p => Some (CLoad x p)).
  Definition own (dims : list nat) : place := map (fun x => SAt (XVar x)) (seq 0 (length dims)).

  Definition cells (inputs : nat) (dims : list nat) (e : exp) : option cell :=
    read (map loaded (seq 0 inputs)) dims e (own dims).
End Cells.

Arguments turn : clear implicits.
Arguments cell : clear implicits.
Arguments known : clear implicits.
Arguments point : clear implicits.
Arguments CLoad {A}.
Arguments CAcc {A}.
