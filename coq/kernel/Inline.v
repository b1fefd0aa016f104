(** * Inlining as a decision, and reverse inlining

    [inline_tensor] finds producer and consumers of a temporary and checks the side
    conditions I1, I2 and I3; I4 holds by construction, I5 is that the program is
    well-formed.  Reverse inlining runs the consumer over the producer's box. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Wf.
Import ListNotations.
Open Scope Z_scope.

Inductive refusal :=
  | NotTemporary      (** I1: an output, or an input *)
  | EarlyLoad         (** I1, I2: loaded before or where it is stored *)
  | StoredTwice       (** I1 *)
  | NotStored
  | NotLoaded
  | Overwritten       (** I3: what it is computed from changes before its last load *)
  | Repeats.          (** I6, policy: its reduction would be computed again *)

Section Inline.
  Variable S : scalars.
  Notation ex := (ex S).
  Notation stmt := (stmt S).

  Definition reads (t : tid) (s : stmt) : bool := existsb (Nat.eqb t) (loads (body s)).
  Definition stores (t : tid) (s : stmt) : bool := (out s =? t)%nat.

  Fixpoint scan (t : tid) (stored : bool) (p : list stmt) : option refusal :=
    match p with
    | [] => if stored then None else Some NotStored
    | s :: p' =>
        if reads t s && (negb stored || stores t s) then Some EarlyLoad
        else if stores t s && stored then Some StoredTwice
        else scan t (stored || stores t s) p'
    end.

  (** At the first element that [f] accepts. *)
  Fixpoint split_first (f : stmt -> bool) (p : list stmt) : option (list stmt * stmt * list stmt) :=
    match p with
    | [] => None
    | s :: p' =>
        if f s then Some ([], s, p')
        else option_map (fun '(a, x, b) => (s :: a, x, b)) (split_first f p')
    end.

  (** At the last one. *)
  Fixpoint split_last (f : stmt -> bool) (p : list stmt) : option (list stmt * stmt * list stmt) :=
    match p with
    | [] => None
    | s :: p' =>
        match split_last f p' with
        | Some (a, x, b) => Some (s :: a, x, b)
        | None => if f s then Some ([], s, p') else None
        end
    end.

  Definition inline_tensor (outputs : list tid) (t : tid) (p : list stmt)
      : refusal + list stmt :=
    if existsb (Nat.eqb t) outputs then inl NotTemporary
    else match scan t false p, split_first (stores t) p with
         | None, Some (before, s0, after) =>
             match split_last (reads t) after with
             | None => inl NotLoaded
             | Some (c, last, r) =>
                 if existsb (fun s => existsb (Nat.eqb (out s)) (loads (body s0))) c
                 then inl Overwritten
                 else inr (before ++ map (inline_stmt s0) (c ++ [last]) ++ r)
             end
         | Some why, _ => inl why
         | None, None => inl NotStored
         end.

  (** *** Policy: no reduction is computed more often than before *)

  Fixpoint reduces (e : ex) : bool :=
    match e with
    | ECst _ | ELd _ _ => false
    | EBin _ a b | ESel _ a b => reduces a || reduces b
    | EFn _ l => existsb reduces l
    | ERed _ _ _ => true
    end.

  (** Is [t] loaded outside of reductions at the variables 0 .. n-1? *)
  Fixpoint loads_plain (t : tid) (n : nat) (e : ex) : bool :=
    match e with
    | ECst _ | ERed _ _ _ => false
    | ELd u l => (u =? t)%nat && (length l =? n)%nat &&
                 forallb (fun '(a, k) => ix_eqb a (IVar k)) (combine l (seq 0 n))
    | EBin _ a b | ESel _ a b => loads_plain t n a || loads_plain t n b
    | EFn _ l => existsb (loads_plain t n) l
    end.

  Definition cheap (t : tid) (p : list stmt) : bool :=
    match split_first (stores t) p with
    | Some (_, s0, after) =>
        negb (reduces (body s0)) ||
        match filter (reads t) after with
        | [s] => (count_occ Nat.eq_dec (loads (body s)) t =? 1)%nat &&
                 (length (dims s) =? length (dims s0))%nat &&
                 loads_plain t (length (dims s0)) (body s)
        | _ => false
        end
    | None => true
    end.

  Definition inline_once (outputs : list tid) (t : tid) (p : list stmt) : refusal + list stmt :=
    match inline_tensor outputs t p with
    | inr q => if cheap t p then inr q else inl Repeats
    | no => no
    end.

  (** ** Reverse inlining *)

  (** A loop nest over the box [sdims] that stores [sbody] at the indices [sat]. *)
  Record scatter_stmt := ScatterStmt {
    sout : tid; sdims : list nat; sat : list ix; sbody : ex }.

  Definition set_at (x : tensor S) (i : list Z) (y : carrier S) : tensor S :=
    fun j => if tuple_eqb i j then y else x j.

  Definition exec_scatter (s : scatter_stmt) (st : store S) : store S :=
    upd st (sout s)
      (fold_left (fun x k => set_at x (map (eval_ix k) (sat s)) (eval st k (sbody s)))
                 (box (sdims s)) (fun _ => zero S)).

  (** Variable [nth k pi] of the consumer is variable k of the producer. *)
  Definition inverse (pi : list nat) (m : nat) : list nat :=
    map (fun j => place_of j pi) (seq 0 m).

  Definition covers (pi : list nat) (m : nat) : bool :=
    forallb (fun j => existsb (Nat.eqb j) pi) (seq 0 m) &&
    forallb (fun k => (k <? m)%nat) pi.

  Definition reverse_inline (p s : stmt) (pi : list nat) : scatter_stmt :=
    let y := map IVar (inverse pi (length (dims s))) in
    ScatterStmt (out s) (dims p) y (subst y (inline p (body s))).
End Inline.

Arguments reads {S}.
Arguments stores {S}.
Arguments scan {S}.
Arguments split_first {S}.
Arguments split_last {S}.
Arguments inline_tensor {S}.
Arguments inline_once {S}.
Arguments cheap {S}.
Arguments ScatterStmt {S}.
Arguments sout {S}.
Arguments sdims {S}.
Arguments sat {S}.
Arguments sbody {S}.
Arguments set_at {S}.
Arguments exec_scatter {S}.
Arguments reverse_inline {S}.
