(** * Mini-C: the part of C that is emitted

    Index arithmetic is over integers with partial division; a place is a
    variable with a list of subscripts and fields.  Execution is stuck on a
    negative subscript, on division by zero or of a negative number, on reads of places without a value,
    on accesses out of bounds, and on races of a parallel loop, which are judged
    by the places that the C statements themselves touch. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require kernel.Kernel.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target.
Import ListNotations.
Set Implicit Arguments.

Section MiniC.
  Context {A : algebra} {N : sizes}.

  Inductive cindex :=
    | KVar (l : nat)
    | KCst (z : Z)
    | KSize (n : size N)
    | KAdd (a b : cindex)
    | KSub (a b : cindex)
    | KMul (a b : cindex)
    | KDiv (a b : cindex)                  (** rounded down, as a function of the prelude *)
    | KMod (a b : cindex)
    | KQuot (a b : cindex)                 (** C's own, of what is not negative *)
    | KRem (a b : cindex).

  Inductive ccond :=
    | KCmp (c : Kernel.cmp) (a b : cindex)
    | KAnd (c1 c2 : ccond).

  (** [\[k\]], [.x1], [.x2] *)
  Inductive sub := Sub (k : cindex) | X1 | X2.

  Inductive cexp :=
    | XLoad (r : nat) (p : list sub)
    | XLit (c : lit A)
    | XUn (o : uop A) (e : cexp)
    | XBin (o : bop A) (e1 e2 : cexp)
    | XCond (c : ccond) (e1 e2 : cexp)
    | XStuck.                              (** no code: a view read at a path it has not *)

  Inductive cstm :=
    | SSkip
    | SSeq (s1 s2 : cstm)
    | SSet (r : nat) (p : list sub) (e : cexp)
    | SBlock (r : nat) (d : data N) (b : cstm)         (** a new variable *)
    | SFor (p : policy) (l : nat) (n : size N) (b : cstm)
    | SIf (c : ccond) (s1 s2 : cstm)
    | SStuck.

  Context {s : sizing N}.

  (** ** Meaning of expressions *)

  Fixpoint kev (ie : ienv) (k : cindex) : option Z :=
    let two a b f := obind (kev ie a) (fun x => obind (kev ie b) (fun y => f x y)) in
    match k with
    | KVar l => Some (ie l)
    | KCst z => Some z
    | KSize n => Some (Z.of_nat #n)
    | KAdd a b => two a b (fun x y => Some (x + y)%Z)
    | KSub a b => two a b (fun x y => Some (x - y)%Z)
    | KMul a b => two a b (fun x y => Some (x * y)%Z)
    | KDiv a b => two a b (fun x y => if (0 <? y)%Z then Some (x / y)%Z else None)
    | KMod a b => two a b (fun x y => if (0 <? y)%Z then Some (x mod y)%Z else None)
    | KQuot a b =>
        two a b (fun x y => if ((0 <=? x) && (0 <? y))%Z then Some (Z.quot x y) else None)
    | KRem a b =>
        two a b (fun x y => if ((0 <=? x) && (0 <? y))%Z then Some (Z.rem x y) else None)
    end.

  Fixpoint kholds (ie : ienv) (c : ccond) : option bool :=
    match c with
    | KCmp c a b =>
        obind (kev ie a) (fun x => obind (kev ie b) (fun y => Some (Kernel.eval_cmp c x y)))
    | KAnd c1 c2 => obind (kholds ie c1) (fun b => if b then kholds ie c2 else Some false)
    end.

  (** The place that subscripts and fields select. *)
  Fixpoint place (ie : ienv) (p : list sub) : option path :=
    match p with
    | [] => Some []
    | Sub k :: p =>
        obind (kev ie k) (fun z =>
        if (0 <=? z)%Z then option_map (cons (At (Z.to_nat z))) (place ie p) else None)
    | X1 :: p => option_map (cons L) (place ie p)
    | X2 :: p => option_map (cons R) (place ie p)
    end.

  Fixpoint xev (ie : ienv) (m : store A) (e : cexp) : option (scalar A) :=
    match e with
    | XLoad r p =>
        obind (place ie p) (fun q => match m r q with Some (Some x) => Some x | _ => None end)
    | XLit c => Some (lit_val A c)
    | XUn o e => obind (xev ie m e) (fun x => Some (uop_val A o x))
    | XBin o e1 e2 =>
        obind (xev ie m e1) (fun x => obind (xev ie m e2) (fun y => Some (bop_val A o x y)))
    | XCond c e1 e2 => obind (kholds ie c) (fun b => if b then xev ie m e1 else xev ie m e2)
    | XStuck => None
    end.

  (** ** Races *)

  Fixpoint loads (ie : ienv) (e : cexp) : list loc :=
    match e with
    | XLoad r p => match place ie p with Some q => [(r, q)] | None => [] end
    | XLit _ | XStuck => []
    | XUn _ e => loads ie e
    | XBin _ e1 e2 => loads ie e1 ++ loads ie e2
    | XCond c e1 e2 =>
        match kholds ie c with Some b => if b then loads ie e1 else loads ie e2 | None => [] end
    end.

  Fixpoint touches (ie : ienv) (c : cstm) : list access :=
    match c with
    | SSkip | SStuck => []
    | SSeq s1 s2 => touches ie s1 ++ touches ie s2
    | SSet r p e =>
        map (pair false) (loads ie e) ++
        match place ie p with Some q => [(true, (r, q))] | None => [] end
    | SBlock r _ b => filter (fun x => negb (root_of x =? r)) (touches ie b)
    | SFor _ l n b => flat_map (fun i => touches (upi ie l i) b) (seq 0 #n)
    | SIf c s1 s2 =>
        match kholds ie c with Some b => if b then touches ie s1 else touches ie s2 | None => [] end
    end.

  Definition may_run (p : policy) (ie : ienv) (l n : nat) (b : cstm) : bool :=
    match p with
    | Seq => true
    | Par => apart (map (fun i => (i, touches (upi ie l i) b)) (seq 0 n))
    end.

  (** ** Execution *)

  Fixpoint run (ie : ienv) (c : cstm) (m : store A) : option (store A) :=
    match c with
    | SSkip => Some m
    | SSeq s1 s2 => obind (run ie s1 m) (run ie s2)
    | SSet r p e =>
        obind (place ie p) (fun q =>
        obind (xev ie m e) (fun x =>
        match m r q with Some _ => Some (set m r q x) | None => None end))
    | SBlock r d b => run ie b (alloc m r d)
    | SFor p l n b =>
        if may_run p ie l #n b then for_ #n (fun i => run (upi ie l i) b) m else None
    | SIf c s1 s2 => obind (kholds ie c) (fun b => if b then run ie s1 m else run ie s2 m)
    | SStuck => None
    end.
End MiniC.

Arguments cindex : clear implicits.
Arguments ccond : clear implicits.
Arguments sub : clear implicits.
Arguments cexp : clear implicits.
Arguments cstm : clear implicits.
Arguments KVar {N}.
Arguments KCst {N}.
Arguments KSize {N}.
Arguments XLoad {A N}.
Arguments XLit {A N}.
Arguments XUn {A N}.
Arguments XBin {A N}.
Arguments XStuck {A N}.
Arguments SSkip {A N}.
Arguments SSet {A N}.
Arguments SBlock {A N}.
Arguments SFor {A N}.
Arguments SStuck {A N}.
