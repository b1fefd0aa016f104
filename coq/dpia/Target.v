(** * DPIA, the imperative side

    Views describe values that are read, acceptors places that are written,
    commands run.  Memory roots and loop variables are levels from one counter
    (the seed's [cnt]).  Nothing here depends on data: which places a command
    touches is a function of the sizes alone.  Execution is stuck on a read of an
    uninitialised place, on an access out of bounds, on division by zero in an
    index, and on a parallel loop of which one iteration writes what another
    reads or writes. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values.
Import ListNotations.
Set Implicit Arguments.

Definition obind {A B} (o : option A) (f : A -> option B) : option B :=
  match o with Some x => f x | None => None end.

Section Target.
  Context {A : algebra} {N : sizes}.

  Inductive vexp :=
    | VRoot (r : nat)
    | VLit (c : lit A)
    | VUn (o : uop A) (v : vexp)
    | VBin (o : bop A) (v1 v2 : vexp)
    | VZip (v1 v2 : vexp)
    | VSplit (n : size N) (v : vexp)
    | VJoin (n : size N) (v : vexp)
    | VIdx (v : vexp) (i : ix N)
    | VPair (v1 v2 : vexp)
    | VFst (v : vexp)
    | VSnd (v : vexp)
    | VRev (n : size N) (v : vexp)
    | VTr (v : vexp)
    | VIte (c : cond N) (v1 v2 : vexp)
    | VIx (i : ix N).                     (** an index variable's view *)

  Inductive vacc :=
    | ARoot (r : nat)
    | AZip1 (a : vacc)
    | AZip2 (a : vacc)
    | ASplit (n : size N) (a : vacc)
    | AJoin (n : size N) (a : vacc)
    | AIdx (a : vacc) (i : ix N)
    | APair1 (a : vacc)
    | APair2 (a : vacc)
    | ARev (n : size N) (a : vacc)
    | ATr (a : vacc).

  Inductive comm :=
    | CSkip
    | CSeq (c1 c2 : comm)
    | CAssign (a : vacc) (v : vexp)       (** of a scalar *)
    | CNew (r : nat) (d : data N) (c : comm)
    | CLoop (p : policy) (l : nat) (n : size N) (c : comm)
    | CIf (b : cond N) (c1 c2 : comm).

  (** ** Memory *)

  Definition loc := (nat * path)%type.
  Definition cell := option (option (scalar A)).
    (** nothing: not allocated; [Some None]: no value yet *)
  Definition store := nat -> path -> cell.

  Definition step_eqb (a b : step) : bool :=
    match a, b with At i, At j => i =? j | L, L => true | R, R => true | _, _ => false end.
  Fixpoint path_eqb (p q : path) : bool :=
    match p, q with
    | [], [] => true
    | a :: p, b :: q => step_eqb a b && path_eqb p q
    | _, _ => false
    end.
  Definition loc_eqb (x y : loc) : bool := (fst x =? fst y) && path_eqb (snd x) (snd y).

  Context {s : sizing N}.

  Definition set (m : store) (r : nat) (p : path) (x : scalar A) : store :=
    fun r' p' => if (r' =? r) && path_eqb p' p then Some (Some x) else m r' p'.
  Definition alloc (m : store) (r : nat) (d : data N) : store :=
    fun r' p' => if r' =? r then (if leafb d p' then Some None else None) else m r' p'.

  (** ** Reading and writing: the path rules of cge and cga *)

  (** Values of the loop variables. *)
  Definition ienv := nat -> Z.
  Definition upi (ie : ienv) (l i : nat) : ienv := fun k => if k =? l then Z.of_nat i else ie k.

  Fixpoint rd (ie : ienv) (m : store) (v : vexp) (p : path) {struct v} : option (scalar A) :=
    match v with
    | VRoot r => match m r p with Some (Some x) => Some x | _ => None end                 (* cge.1 *)
    | VLit c => match p with [] => Some (lit_val A c) | _ => None end
    | VUn o v =>                                                                          (* cge.2 *)
        match p with [] => obind (rd ie m v []) (fun x => Some (uop_val A o x)) | _ => None end
    | VBin o v1 v2 =>                                                               (* cge.3 cge.4 *)
        match p with
        | [] => obind (rd ie m v1 []) (fun x =>
                obind (rd ie m v2 []) (fun y => Some (bop_val A o x y)))
        | _ => None
        end
    | VZip v1 v2 =>                                                                 (* cge.5 cge.6 *)
        match p with
        | At i :: L :: p => rd ie m v1 (At i :: p)
        | At i :: R :: p => rd ie m v2 (At i :: p)
        | _ => None
        end
    | VIdx v i => obind (index ie i) (fun k => rd ie m v (At k :: p))                     (* cge.7 *)
    | VSplit n v =>                                                                       (* cge.8 *)
        match p with At i :: At j :: p => rd ie m v (At (i * #n + j) :: p) | _ => None end
    | VJoin n v =>                                                                        (* cge.9 *)
        match p with
        | At i :: p => if #n =? 0 then None else rd ie m v (At (i / #n) :: At (i mod #n) :: p)
        | _ => None
        end
    | VPair v1 v2 =>                                                              (* cge.10 cge.11 *)
        match p with L :: p => rd ie m v1 p | R :: p => rd ie m v2 p | _ => None end
    | VFst v => rd ie m v (L :: p)                                                       (* cge.12 *)
    | VSnd v => rd ie m v (R :: p)                                                       (* cge.13 *)
    | VRev n v =>
        match p with
        | At i :: p => if i <? #n then rd ie m v (At (#n - 1 - i) :: p) else None
        | _ => None
        end
    | VTr v => match p with At i :: At j :: p => rd ie m v (At j :: At i :: p) | _ => None end
    | VIte c v1 v2 => if holds ie c then rd ie m v1 p else rd ie m v2 p
    | VIx _ => None
    end.

  (** The places that [rd] reads. *)
  Fixpoint reads (ie : ienv) (v : vexp) (p : path) {struct v} : list loc :=
    match v with
    | VRoot r => [(r, p)]
    | VLit _ => []
    | VUn _ v => reads ie v []
    | VBin _ v1 v2 => reads ie v1 [] ++ reads ie v2 []
    | VZip v1 v2 =>
        match p with
        | At i :: L :: p => reads ie v1 (At i :: p)
        | At i :: R :: p => reads ie v2 (At i :: p)
        | _ => []
        end
    | VIdx v i => match index ie i with Some k => reads ie v (At k :: p) | None => [] end
    | VSplit n v =>
        match p with At i :: At j :: p => reads ie v (At (i * #n + j) :: p) | _ => [] end
    | VJoin n v =>
        match p with
        | At i :: p => if #n =? 0 then [] else reads ie v (At (i / #n) :: At (i mod #n) :: p)
        | _ => []
        end
    | VPair v1 v2 => match p with L :: p => reads ie v1 p | R :: p => reads ie v2 p | _ => [] end
    | VFst v => reads ie v (L :: p)
    | VSnd v => reads ie v (R :: p)
    | VRev n v =>
        match p with
        | At i :: p => if i <? #n then reads ie v (At (#n - 1 - i) :: p) else []
        | _ => []
        end
    | VTr v => match p with At i :: At j :: p => reads ie v (At j :: At i :: p) | _ => [] end
    | VIte c v1 v2 => if holds ie c then reads ie v1 p else reads ie v2 p
    | VIx _ => []
    end.

  Fixpoint aroot (a : vacc) : nat :=
    match a with
    | ARoot r => r
    | AZip1 a | AZip2 a | ASplit _ a | AJoin _ a | AIdx a _ | APair1 a | APair2 a | ARev _ a
    | ATr a => aroot a
    end.

  (** Where in its root the acceptor puts the scalar at [p]. *)
  Fixpoint wr (ie : ienv) (a : vacc) (p : path) {struct a} : option path :=
    match a with
    | ARoot r => Some p                                                                   (* cga.1 *)
    | AZip1 a => match p with At i :: p => wr ie a (At i :: L :: p) | _ => None end       (* cga.2 *)
    | AZip2 a => match p with At i :: p => wr ie a (At i :: R :: p) | _ => None end       (* cga.3 *)
    | ASplit n a =>                                                                       (* cga.4 *)
        match p with
        | At i :: p => if #n =? 0 then None else wr ie a (At (i / #n) :: At (i mod #n) :: p)
        | _ => None
        end
    | AJoin n a =>                                                                        (* cga.5 *)
        match p with At i :: At j :: p => wr ie a (At (i * #n + j) :: p) | _ => None end
    | AIdx a i => obind (index ie i) (fun k => wr ie a (At k :: p))                       (* cga.6 *)
    | APair1 a => wr ie a (L :: p)                                                        (* cga.7 *)
    | APair2 a => wr ie a (R :: p)                                                        (* cga.8 *)
    | ARev n a =>
        match p with
        | At i :: p => if i <? #n then wr ie a (At (#n - 1 - i) :: p) else None
        | _ => None
        end
    | ATr a => match p with At i :: At j :: p => wr ie a (At j :: At i :: p) | _ => None end
    end.

  (** ** Footprints: [(true, l)] is a write, [(false, l)] a read; a private root does not count *)

  Definition access := (bool * loc)%type.
  Definition root_of (x : access) : nat := fst (snd x).
  Fixpoint footprint (ie : ienv) (c : comm) : list access :=
    match c with
    | CSkip => []
    | CSeq c1 c2 => footprint ie c1 ++ footprint ie c2
    | CAssign a v =>
        map (pair false) (reads ie v []) ++
        match wr ie a [] with Some p => [(true, (aroot a, p))] | None => [] end
    | CNew r _ c => filter (fun x => negb (root_of x =? r)) (footprint ie c)
    | CLoop _ l n c => flat_map (fun i => footprint (upi ie l i) c) (seq 0 #n)
    | CIf b c1 c2 => if holds ie b then footprint ie c1 else footprint ie c2
    end.

  Definition conflict (x y : access) : bool := (fst x || fst y) && loc_eqb (snd x) (snd y).

  (** No two of these footprints conflict. *)
  Definition apart (fs : list (nat * list access)) : bool :=
    forallb (fun f => forallb (fun g =>
      (fst f =? fst g) ||
      forallb (fun x => forallb (fun y => negb (conflict x y)) (snd g)) (snd f)) fs) fs.

  Definition racefree (ie : ienv) (l n : nat) (c : comm) : bool :=
    apart (map (fun i => (i, footprint (upi ie l i) c)) (seq 0 n)).

  (** ** Execution *)

  Fixpoint for_ (n : nat) (f : nat -> store -> option store) (m : store) : option store :=
    match n with O => Some m | S n => obind (for_ n f m) (f n) end.

  Definition may_loop (p : policy) (ie : ienv) (l n : nat) (c : comm) : bool :=
    match p with Seq => true | Par => racefree ie l n c end.

  Fixpoint exec (ie : ienv) (c : comm) (m : store) : option store :=
    match c with
    | CSkip => Some m
    | CSeq c1 c2 => obind (exec ie c1 m) (exec ie c2)
    | CAssign a v =>
        obind (wr ie a []) (fun p =>
        obind (rd ie m v []) (fun x =>
        match m (aroot a) p with Some _ => Some (set m (aroot a) p x) | None => None end))
    | CNew r d c => exec ie c (alloc m r d)
    | CLoop p l n c =>
        if may_loop p ie l #n c then for_ #n (fun i => exec (upi ie l i) c) m else None
    | CIf b c1 c2 => if holds ie b then exec ie c1 m else exec ie c2 m
    end.

  (** ** Equality of places *)

  Lemma step_eqb_eq x y : step_eqb x y = true <-> x = y.
  Proof.
    destruct x as [i | |], y as [j | |]; simpl; try rewrite Nat.eqb_eq;
      split; intros E; try discriminate; congruence.
  Qed.

  Lemma path_eqb_eq p : forall q, path_eqb p q = true <-> p = q.
  Proof.
    induction p as [| x p IH]; intros [| y q]; simpl; try (split; congruence).
    rewrite andb_true_iff, IH, step_eqb_eq. split; [now intros [-> ->] | intros E; now injection E].
  Qed.

  Lemma path_eqb_refl p : path_eqb p p = true.
  Proof. now apply path_eqb_eq. Qed.

  Lemma loc_eqb_eq x y : loc_eqb x y = true <-> x = y.
  Proof.
    destruct x as [r p], y as [r' q]. unfold loc_eqb. simpl.
    rewrite andb_true_iff, Nat.eqb_eq, path_eqb_eq.
    split; [now intros [-> ->] | intros E; injection E; auto].
  Qed.
End Target.

Arguments vexp : clear implicits.
Arguments vacc : clear implicits.
Arguments comm : clear implicits.
Arguments store : clear implicits.
Arguments VRoot {A N}.
Arguments VLit {A N}.
Arguments VUn {A N}.
Arguments VBin {A N}.
Arguments VSplit {A N}.
Arguments VJoin {A N}.
Arguments VRev {A N}.
Arguments VIdx {A N}.
Arguments VIte {A N}.
Arguments VIx {A N}.
Arguments ARoot {N}.
Arguments ASplit {N}.
Arguments AJoin {N}.
Arguments AIdx {N}.
Arguments ARev {N}.
Arguments CSkip {A N}.
Arguments CAssign {A N}.
Arguments CNew {A N}.
Arguments CLoop {A N}.
Arguments CIf {A N}.
