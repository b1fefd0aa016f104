(** * Flat mini-C: every variable is one row-major array of scalars

    A value of type [d] takes [cells d] places; the scalar at path [p] is at
    [offset d p].  The subscripts and fields of mini-C become one index
    expression.  Blocks scope their variable, as in C. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Sched dpia.Order dpia.Frame
  dpia.Loop dpia.Reduce.
From Calque Require Import emit.MiniC emit.Codegen.
Import ListNotations.
Set Implicit Arguments.

Section Flat.
  Context {A : algebra} {N : sizes}.
  Notation data := (data N). Notation cindex := (cindex N). Notation sub := (sub N).

  Inductive fexp :=
    | FLoad (r : nat) (k : cindex)
    | FLit (c : lit A)
    | FUn (o : uop A) (e : fexp)
    | FBin (o : bop A) (e1 e2 : fexp)
    | FCond (c : ccond N) (e1 e2 : fexp)
    | FNone.

  Inductive fstm :=
    | FSkip
    | FSeq (s1 s2 : fstm)
    | FSet (r : nat) (k : cindex) (e : fexp)
    | FBlock (r : nat) (d : data) (b : fstm)
    | FFor (p : policy) (l : nat) (n : size N) (b : fstm)
    | FIf (c : ccond N) (s1 s2 : fstm)
    | FStop.

  (** ** From subscripts to offsets; [T] is the type of every variable *)

  Fixpoint size_of (d : data) : size N :=
    match d with
    | DNum => lift N 1
    | DAry n d => mul N n (size_of d)
    | DPair d1 d2 => plus N (size_of d1) (size_of d2)
    end.
  Definition kcells (d : data) : cindex := KSize (size_of d).

  Fixpoint koffset (d : data) (p : list sub) : option cindex :=
    match d, p with
    | DNum, [] => Some (KCst 0)
    | DAry _ d, Sub k :: p => option_map (fun o => KAdd (KMul k (kcells d)) o) (koffset d p)
    | DPair d1 _, X1 :: p => koffset d1 p
    | DPair d1 d2, X2 :: p => option_map (fun o => KAdd (kcells d1) o) (koffset d2 p)
    | _, _ => None
    end.

  Definition types := nat -> data.
  Definition declare (T : types) (r : nat) (d : data) : types := fun k => if k =? r then d else T k.

  Fixpoint flat_exp (T : types) (e : cexp A N) : fexp :=
    match e with
    | XLoad r p => match koffset (T r) p with Some k => FLoad r k | None => FNone end
    | XLit c => FLit c
    | XUn o e => FUn o (flat_exp T e)
    | XBin o e1 e2 => FBin o (flat_exp T e1) (flat_exp T e2)
    | XCond c e1 e2 => FCond c (flat_exp T e1) (flat_exp T e2)
    | XStuck => FNone
    end.

  Fixpoint flat (T : types) (c : cstm A N) : fstm :=
    match c with
    | SSkip => FSkip
    | SSeq s1 s2 => FSeq (flat T s1) (flat T s2)
    | SSet r p e => match koffset (T r) p with Some k => FSet r k (flat_exp T e) | None => FStop end
    | SBlock r d b => FBlock r d (flat (declare T r d) b)
    | SFor p l n b => FFor p l n (flat T b)
    | SIf c s1 s2 => FIf c (flat T s1) (flat T s2)
    | SStuck => FStop
    end.

  (** ** Execution *)

  Context {s : sizing N}.

  Fixpoint cells (d : data) : nat :=
    match d with
    | DNum => 1
    | DAry n d => #n * cells d
    | DPair d1 d2 => cells d1 + cells d2
    end.

  Definition fstore := nat -> nat -> cell (A := A).
  Definition fset (m : fstore) (r k : nat) (x : scalar A) : fstore :=
    fun r' k' => if (r' =? r) && (k' =? k) then Some (Some x) else m r' k'.
  Definition falloc (m : fstore) (r n : nat) : fstore :=
    fun r' k => if r' =? r then (if k <? n then Some None else None) else m r' k.
  (** The end of a block: the variable is what it was outside. *)
  Definition leave (m m' : fstore) (r : nat) : fstore :=
    fun r' k => if r' =? r then m r' k else m' r' k.

  Definition natural (o : option Z) : option nat :=
    obind o (fun z => if (0 <=? z)%Z then Some (Z.to_nat z) else None).

  Fixpoint fev (ie : ienv) (m : fstore) (e : fexp) : option (scalar A) :=
    match e with
    | FLoad r k => obind (natural (kev ie k))
      (fun o => match m r o with Some (Some x) => Some x | _ => None end)
    | FLit c => Some (lit_val A c)
    | FUn o e => obind (fev ie m e) (fun x => Some (uop_val A o x))
    | FBin o e1 e2 => obind (fev ie m e1)
      (fun x => obind (fev ie m e2) (fun y => Some (bop_val A o x y)))
    | FCond c e1 e2 => obind (kholds ie c) (fun b => if b then fev ie m e1 else fev ie m e2)
    | FNone => None
    end.

  Definition fplace := (nat * nat)%type.
  Definition faccess := (bool * fplace)%type.

  Fixpoint floads (ie : ienv) (e : fexp) : list fplace :=
    match e with
    | FLoad r k => match natural (kev ie k) with Some o => [(r, o)] | None => [] end
    | FLit _ | FNone => []
    | FUn _ e => floads ie e
    | FBin _ e1 e2 => floads ie e1 ++ floads ie e2
    | FCond c e1 e2 =>
        match kholds ie c with Some b => if b then floads ie e1 else floads ie e2 | None => [] end
    end.

  Fixpoint ftouches (ie : ienv) (c : fstm) : list faccess :=
    match c with
    | FSkip | FStop => []
    | FSeq s1 s2 => ftouches ie s1 ++ ftouches ie s2
    | FSet r k e =>
        map (pair false) (floads ie e) ++
        match natural (kev ie k) with Some o => [(true, (r, o))] | None => [] end
    | FBlock r _ b => filter (fun x => negb (fst (snd x) =? r)) (ftouches ie b)
    | FFor _ l n b => flat_map (fun i => ftouches (upi ie l i) b) (seq 0 #n)
    | FIf c s1 s2 =>
        match kholds ie c with Some b => if b then ftouches ie s1 else ftouches ie s2 |
          None => [] end
    end.

  Definition fconflict (x y : faccess) : bool :=
    (fst x || fst y) && ((fst (snd x) =? fst (snd y)) && (snd (snd x) =? snd (snd y))).
  Definition fapart (n : nat) (F : nat -> list faccess) : bool :=
    forallb (fun i => forallb (fun j =>
      (i =? j) || forallb (fun x => forallb (fun y => negb (fconflict x y)) (F j)) (F i)) (seq 0 n))
        (seq 0 n).

  Fixpoint ffor (n : nat) (f : nat -> fstore -> option fstore) (m : fstore) : option fstore :=
    match n with O => Some m | S n => obind (ffor n f m) (f n) end.

  Fixpoint frun (ie : ienv) (c : fstm) (m : fstore) : option fstore :=
    match c with
    | FSkip => Some m
    | FSeq s1 s2 => obind (frun ie s1 m) (frun ie s2)
    | FSet r k e =>
        obind (natural (kev ie k)) (fun o =>
        obind (fev ie m e) (fun x =>
        match m r o with Some _ => Some (fset m r o x) | None => None end))
    | FBlock r d b =>
        obind (frun ie b (falloc m r (cells d))) (fun m' => Some (leave m m' r))
    | FFor p l n b =>
        if match p with Seq => true | Par => fapart #n (fun i => ftouches (upi ie l i) b) end
        then ffor #n (fun i => frun (upi ie l i) b) m else None
    | FIf c s1 s2 => obind (kholds ie c) (fun b => if b then frun ie s1 m else frun ie s2 m)
    | FStop => None
    end.

  (** ** Offsets *)

  Fixpoint offset (d : data) (p : path) : nat :=
    match d, p with
    | DAry _ d, At i :: p => i * cells d + offset d p
    | DPair d1 _, L :: p => offset d1 p
    | DPair d1 d2, R :: p => cells d1 + offset d2 p
    | _, _ => 0
    end.

  Lemma offset_lt d : forall p, leaf d p -> offset d p < cells d.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros [| [i | |] p]; cbn; try tauto; try lia.
    - intros [lt lf]. apply IH in lf. nia.
    - intros lf. apply IH1 in lf. lia.
    - intros lf. apply IH2 in lf. lia.
  Qed.

  Lemma offset_inj d : forall p q, leaf d p -> leaf d q -> offset d p = offset d q -> p = q.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros [| [i | |] p] [| [j | |] q]; cbn; try tauto.
    - intros [lt_i lf] [lt_j lf'] E. pose proof (offset_lt _ _ lf). pose proof (offset_lt _ _ lf').
      assert (i = j) by nia. subst. f_equal. apply IH; auto. lia.
    - intros lf lf' E. f_equal. auto.
    - intros lf lf' E. pose proof (offset_lt _ _ lf). lia.
    - intros lf lf' E. pose proof (offset_lt _ _ lf'). lia.
    - intros lf lf' E. f_equal. apply IH2; auto. lia.
  Qed.

  Lemma kcells_value ie d : kev ie (kcells d) = Some (Z.of_nat (cells d)).
  Proof.
    unfold kcells. cbn [kev]. do 2 f_equal.
    induction d as [| n d IH | d1 IH1 d2 IH2]; cbn [size_of cells];
      rewrite ?count_lift, ?count_mul, ?count_plus; congruence.
  Qed.

  Lemma koffset_value ie d : forall p q, place ie p = Some q -> leaf d q ->
    exists k, koffset d p = Some k /\ kev ie k = Some (Z.of_nat (offset d q)).
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros p q E lf; destruct q as [| [i | |] q];
      cbn [leaf] in lf; try tauto; destruct p as [| [k | |] p]; cbn in E; try discriminate;
      try (destruct (kev ie k) as [z |] eqn:Ez; cbn in E; [| discriminate];
           destruct (Z.leb_spec 0 z); [| discriminate]);
      try (destruct (place ie p) as [q' |] eqn:Ep; cbn in E; [| discriminate];
           try discriminate E).
    - exists (KCst 0). split; reflexivity.
    - injection E as Ei ->. subst i. destruct lf as [lt lf].
      destruct (IH p q Ep lf) as (o & Eo & Vo).
      cbn [koffset]. rewrite Eo. eexists. split; [reflexivity |]. cbn [kev offset].
      rewrite Ez, kcells_value, Vo. cbn. f_equal. nia.
    - injection E as ->. destruct (IH1 p q Ep lf) as (o & Eo & Vo). cbn. eauto.
    - injection E as ->. destruct (IH2 p q Ep lf) as (o & Eo & Vo). cbn [koffset]. rewrite Eo.
      eexists. split; [reflexivity |]. cbn [kev offset]. rewrite kcells_value, Vo. cbn. f_equal.
      lia.
  Qed.

  Lemma natural_of_nat n : natural (Some (Z.of_nat n)) = Some n.
  Proof. cbn. rewrite (proj2 (Z.leb_le _ _) (Nat2Z.is_nonneg n)). now rewrite Nat2Z.id. Qed.
End Flat.

Arguments fexp : clear implicits.
Arguments fstm : clear implicits.
Arguments fstore : clear implicits.
Arguments FLoad {A N}.
Arguments FLit {A N}.
Arguments FUn {A N}.
Arguments FBin {A N}.
Arguments FCond {A N}.
Arguments FNone {A N}.
Arguments FSkip {A N}.
Arguments FSeq {A N}.
Arguments FSet {A N}.
Arguments FBlock {A N}.
Arguments FFor {A N}.
Arguments FIf {A N}.
Arguments FStop {A N}.
