(** * What the machine adds: 64-bit indices, and memory that may be out

    [frun64] computes indices as C does in [long]: it is stuck where an intermediate
    result leaves the range.  [fits] is a test of a program at given sizes after which
    that cannot happen.  [arun] asks an arbitrary allocator for every temporary that is
    not a local variable, and goes on without the block where it gets none, as emitted
    code does. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat.
From Calque Require kernel.Kernel dpia.Range.
Import ListNotations.
Set Implicit Arguments.

Definition limit : Z := 2 ^ 63.
Definition in64 (z : Z) : bool := ((- limit <=? z) && (z <? limit))%Z.
Definition keep (z : Z) : option Z := if in64 z then Some z else None.

Section Machine.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation cindex := (cindex N). Notation store := (fstore A).

  (** A bound of what the C text of a size computes on the way; [poly_room] below. *)
  Context (room : size N -> Z).

  (** ** Indices *)

  Fixpoint kev64 (ie : ienv) (k : cindex) : option Z :=
    let two a b f := obind (kev64 ie a) (fun x => obind (kev64 ie b) (fun y => f x y)) in
    match k with
    | KVar l => keep (ie l)
    | KCst z => keep z
    | KSize n => if (room n <? limit)%Z then Some (Z.of_nat #n) else None
    | KAdd a b => two a b (fun x y => keep (x + y)%Z)
    | KSub a b => two a b (fun x y => keep (x - y)%Z)
    | KMul a b => two a b (fun x y => keep (x * y)%Z)
    | KDiv a b => two a b (fun x y => if (0 <? y)%Z then keep (x / y)%Z else None)
    | KMod a b => two a b (fun x y => if (0 <? y)%Z then keep (x mod y)%Z else None)
    | KQuot a b =>
        two a b (fun x y => if ((0 <=? x) && (0 <? y))%Z then keep (Z.quot x y) else None)
    | KRem a b =>
        two a b (fun x y => if ((0 <=? x) && (0 <? y))%Z then keep (Z.rem x y) else None)
    end.

  Fixpoint kholds64 (ie : ienv) (c : ccond N) : option bool :=
    match c with
    | KCmp c a b =>
        obind (kev64 ie a) (fun x => obind (kev64 ie b) (fun y => Some (Kernel.eval_cmp c x y)))
    | KAnd c1 c2 => obind (kholds64 ie c1) (fun b => if b then kholds64 ie c2 else Some false)
    end.

  Fixpoint fev64 (ie : ienv) (m : store) (e : fexp A N) : option (scalar A) :=
    match e with
    | FLoad r k => obind (natural (kev64 ie k))
      (fun o => match m r o with Some (Some x) => Some x | _ => None end)
    | FLit c => Some (lit_val A c)
    | FUn o e => obind (fev64 ie m e) (fun x => Some (uop_val A o x))
    | FBin o e1 e2 => obind (fev64 ie m e1)
      (fun x => obind (fev64 ie m e2) (fun y => Some (bop_val A o x y)))
    | FCond c e1 e2 => obind (kholds64 ie c) (fun b => if b then fev64 ie m e1 else fev64 ie m e2)
    | FNone => None
    end.

  (** Bytes of a temporary, and one scalar more so that none is empty. *)
  Definition bytes (d : data N) : Z := 8 * room (size_of d) + 8.

  Fixpoint frun64 (ie : ienv) (c : fstm A N) (m : store) : option store :=
    match c with
    | FSkip => Some m
    | FSeq s1 s2 => obind (frun64 ie s1 m) (frun64 ie s2)
    | FSet r k e =>
        obind (natural (kev64 ie k)) (fun o =>
        obind (fev64 ie m e) (fun x =>
        match m r o with Some _ => Some (fset m r o x) | None => None end))
    | FBlock r d b =>
        if (bytes d <? limit)%Z
        then obind (frun64 ie b (falloc m r (cells d))) (fun m' => Some (leave m m' r))
        else None
    | FFor p l n b =>
        if match p with Seq => true | Par => fapart #n (fun i => ftouches (upi ie l i) b) end
           && (room n <? limit)%Z
        then ffor #n (fun i => frun64 (upi ie l i) b) m else None
    | FIf c s1 s2 => obind (kholds64 ie c) (fun b => if b then frun64 ie s1 m else frun64 ie s2 m)
    | FStop => None
    end.

  (** ** The test

      [most] bounds the loop variables; [span] bounds the magnitude of an index, [peak]
      that of all its parts. *)

  Context (most : Z).

  Fixpoint span (k : cindex) : Z :=
    match k with
    | KVar _ => most
    | KCst z => Z.abs z
    | KSize n => room n
    | KAdd a b | KSub a b => span a + span b
    | KMul a b => span a * span b
    | KDiv a _ | KQuot a _ => span a
    | KMod _ b | KRem _ b => span b
    end.

  Fixpoint peak (k : cindex) : Z :=
    match k with
    | KVar _ | KCst _ | KSize _ => span k
    | KAdd a b | KSub a b | KMul a b | KDiv a b | KMod a b | KQuot a b | KRem a b =>
        Z.max (span k) (Z.max (peak a) (peak b))
    end.

  Definition fits_index (k : cindex) : bool := (peak k <? limit)%Z.

  Fixpoint fits_cond (c : ccond N) : bool :=
    match c with
    | KCmp _ a b => fits_index a && fits_index b
    | KAnd c1 c2 => fits_cond c1 && fits_cond c2
    end.

  Fixpoint fits_exp (e : fexp A N) : bool :=
    match e with
    | FLoad _ k => fits_index k
    | FLit _ | FNone => true
    | FUn _ e => fits_exp e
    | FBin _ e1 e2 => fits_exp e1 && fits_exp e2
    | FCond c e1 e2 => fits_cond c && (fits_exp e1 && fits_exp e2)
    end.

  Fixpoint fits (c : fstm A N) : bool :=
    match c with
    | FSkip | FStop => true
    | FSeq s1 s2 => fits s1 && fits s2
    | FSet _ k e => fits_index k && fits_exp e
    | FBlock _ d b => (bytes d <? limit)%Z && fits b
    | FFor _ _ n b => ((room n <=? most) && (most <? limit))%Z && fits b
    | FIf c s1 s2 => fits_cond c && (fits s1 && fits s2)
    end.

  (** ** Allocation *)

  (** [ask t]: does the [t]-th request succeed?  [held]: the blocks not yet freed. *)
  Context (ask : nat -> bool) (heap : data N -> bool) (blank : scalar A).

  Record state := State { memory : store; asked : nat; failed : bool; held : list nat }.

  (** What a place holds that was never set, for instance because the block that would
      have set it was left out, is some number. *)
  Fixpoint aev (ie : ienv) (m : store) (e : fexp A N) : option (scalar A) :=
    match e with
    | FLoad r k => obind (natural (kev ie k))
      (fun o => match m r o with Some (Some x) => Some x | Some None => Some blank | None => None
        end)
    | FLit c => Some (lit_val A c)
    | FUn o e => obind (aev ie m e) (fun x => Some (uop_val A o x))
    | FBin o e1 e2 => obind (aev ie m e1)
      (fun x => obind (aev ie m e2) (fun y => Some (bop_val A o x y)))
    | FCond c e1 e2 => obind (kholds ie c) (fun b => if b then aev ie m e1 else aev ie m e2)
    | FNone => None
    end.

  Fixpoint afor (n : nat) (f : nat -> state -> option state) (t : state) : option state :=
    match n with O => Some t | S n => obind (afor n f t) (f n) end.

  Fixpoint arun (ie : ienv) (c : fstm A N) (t : state) : option state :=
    match c with
    | FSkip => Some t
    | FSeq s1 s2 => obind (arun ie s1 t) (arun ie s2)
    | FSet r k e =>
        obind (natural (kev ie k)) (fun o =>
        obind (aev ie (memory t) e) (fun x =>
        match memory t r o with
        | Some _ => Some (State (fset (memory t) r o x) (asked t) (failed t) (held t))
        | None => None
        end))
    | FBlock r d b =>
        let inner := falloc (memory t) r (cells d) in
        if heap d then
          if ask (asked t) then
            obind (arun ie b (State inner (S (asked t)) (failed t) (r :: held t))) (fun t' =>
            match held t' with
            | r' :: rest =>                       (* free *)
                if r' =? r
                then Some (State (leave (memory t) (memory t') r) (asked t') (failed t') rest)
                else None
            | [] => None
            end)
          else Some (State (memory t) (S (asked t)) true (held t))
        else
          obind (arun ie b (State inner (asked t) (failed t) (held t))) (fun t' =>
          Some (State (leave (memory t) (memory t') r) (asked t') (failed t') (held t')))
    | FFor _ l n b => afor #n (fun i => arun (upi ie l i) b) t
    | FIf c s1 s2 => obind (kholds ie c) (fun b => if b then arun ie s1 t else arun ie s2 t)
    | FStop => None
    end.
End Machine.

(** ** Symbolic sizes: [c * x * y + ..] from left to right *)

Definition term_room (sigma : nat -> nat) (t : Range.term) : Z :=
  Z.of_nat (fst t) * fold_right (fun x p => Z.max 1 (Z.of_nat (sigma x)) * p)%Z 1%Z (snd t).
Definition poly_room (sigma : nat -> nat) (p : list Range.term) : Z :=
  fold_right (fun t r => term_room sigma t + r)%Z 0%Z p.
