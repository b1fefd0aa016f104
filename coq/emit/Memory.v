(** * Running flat programs on finite maps

    [Flat.frun] has functions as stores, which is right for proofs and useless
    for running.  Here the store is any structure with the four operations that
    execution needs, and an instance with finite maps; the race check takes one pass,
    or is left out: that translated programs pass it is a theorem. *)

From Coq Require Import List Arith Bool Lia ZArith FMapPositive.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat emit.Owner.
Import ListNotations.
Set Implicit Arguments.

Record memory (A : algebra) := Memory {
  mem : Type;
  get : mem -> nat -> nat -> cell (A := A);
  put : mem -> nat -> nat -> scalar A -> mem;
  fresh : mem -> nat -> nat -> mem;
  back : mem -> mem -> nat -> mem;
  get_put : forall m r k x r' k', get (put m r k x) r' k' = fset (get m) r k x r' k';
  get_fresh : forall m r n r' k', get (fresh m r n) r' k' = falloc (get m) r n r' k';
  get_back : forall m m' r r' k', get (back m m' r) r' k' = leave (get m) (get m') r r' k' }.

Section Run.
  Context {A : algebra} {N : sizes} {s : sizing N} (M : memory A) (careful : bool).
  Implicit Types (ie : ienv) (m : mem M).

  Fixpoint mev ie m (e : fexp A N) : option (scalar A) :=
    match e with
    | FLoad r k =>
        obind (natural (kev ie k))
          (fun o => match get M m r o with Some (Some x) => Some x | _ => None end)
    | FLit c => Some (lit_val A c)
    | FUn o e => obind (mev ie m e) (fun x => Some (uop_val A o x))
    | FBin o e1 e2 => obind (mev ie m e1)
      (fun x => obind (mev ie m e2) (fun y => Some (bop_val A o x y)))
    | FCond c e1 e2 => obind (kholds ie c) (fun b => if b then mev ie m e1 else mev ie m e2)
    | FNone => None
    end.

  Fixpoint mfor (n : nat) (f : nat -> mem M -> option (mem M)) m : option (mem M) :=
    match n with O => Some m | S n => obind (mfor n f m) (f n) end.

  Fixpoint mrun ie (c : fstm A N) m : option (mem M) :=
    match c with
    | FSkip => Some m
    | FSeq s1 s2 => obind (mrun ie s1 m) (mrun ie s2)
    | FSet r k e =>
        obind (natural (kev ie k)) (fun o =>
        obind (mev ie m e) (fun x =>
        match get M m r o with Some _ => Some (put M m r o x) | None => None end))
    | FBlock r d b =>
        obind (mrun ie b (fresh M m r (cells d))) (fun m' => Some (back M m m' r))
    | FFor p l n b =>
        if match p with
           | Seq => true
           | Par => if careful then lone #n (fun i => ftouches (upi ie l i) b) else true
           end
        then mfor #n (fun i => mrun (upi ie l i) b) m else None
    | FIf c s1 s2 => obind (kholds ie c) (fun b => if b then mrun ie s1 m else mrun ie s2 m)
    | FStop => None
    end.

  (** The same contents. *)
  Definition holds_same (m : mem M) (fm : fstore A) : Prop := forall r k, get M m r k = fm r k.

  Lemma mev_same ie m fm e : holds_same m fm -> mev ie m e = fev ie fm e.
  Proof.
    intros same. induction e as [r k | c | o e IH | o e1 IH1 e2 IH2 | c e1 IH1 e2 IH2 |]; cbn;
      rewrite ?IH, ?IH1, ?IH2; try reflexivity.
    destruct (natural (kev ie k)); cbn; [now rewrite same | reflexivity].
  Qed.

  Lemma mfor_same n f g : forall m fm fm',
    (forall i m fm fm', i < n -> holds_same m fm -> g i fm = Some fm' ->
       exists m', f i m = Some m' /\ holds_same m' fm') ->
    holds_same m fm -> ffor n g fm = Some fm' -> exists m', mfor n f m = Some m' /\
      holds_same m' fm'.
  Proof.
    induction n as [| n IH]; cbn; intros m fm fm' step same E; [injection E as <-; eauto |].
    destruct (ffor n g fm) as [fm1 |] eqn:E1; cbn in E; [| discriminate].
    destruct (IH m fm fm1) as (m1 & -> & same1); auto.
    { intros i m2 fm2 fm2' lt. apply step. lia. }
    cbn. eapply step; eauto.
  Qed.

  Theorem memory_correct c : forall ie m fm fm', holds_same m fm -> frun ie c fm = Some fm' ->
    exists m', mrun ie c m = Some m' /\ holds_same m' fm'.
  Proof.
    induction c as [| s1 IH1 s2 IH2 | r k e | r n b IH | p l n b IH | c s1 IH1 s2 IH2 |];
      intros ie m fm fm' same E; cbn [frun mrun] in *.
    - injection E as <-. eauto.
    - destruct (frun ie s1 fm) as [fm1 |] eqn:E1; cbn in E; [| discriminate].
      destruct (IH1 ie m fm fm1 same E1) as (m1 & -> & same1). cbn. eapply IH2; eauto.
    - destruct (natural (kev ie k)) as [o |]; cbn in *; [| discriminate].
      rewrite (mev_same ie e same). destruct (fev ie fm e) as [x |]; cbn in *; [| discriminate].
      rewrite same. destruct (fm r o); [| discriminate]. injection E as <-. eexists.
      split; [reflexivity |].
      intros r' k'. rewrite get_put. unfold fset. now rewrite same.
    - destruct (frun ie b (falloc fm r (cells n))) as [fm1 |] eqn:E1; cbn in E; [| discriminate].
      injection E as <-.
      destruct (IH ie (fresh M m r (cells n)) (falloc fm r (cells n)) fm1) as
        (m1 & -> & same1); auto.
      + intros r' k'. rewrite get_fresh. unfold falloc. now rewrite same.
      + cbn. eexists. split; [reflexivity |]. intros r' k'. rewrite get_back. unfold leave.
        now rewrite same, same1.
    - replace (match p with Seq => true | Par => if careful then _ else _ end) with true.
      2: { destruct p, careful; try reflexivity. rewrite lone_fapart.
           destruct (fapart #n (fun i => ftouches (upi ie l i) b)); [reflexivity | discriminate]. }
      destruct (match p with Seq => true | Par => _ end); [| discriminate].
      eapply mfor_same; [| exact same | exact E]. intros i m1 fm1 fm2 _ same1 E1. eapply IH; eauto.
    - destruct (kholds ie c) as [b |]; cbn in *; [| discriminate]. destruct b; eauto.
    - discriminate.
  Qed.
End Run.

(** ** Finite maps of finite maps *)

Section Maps.
  Context (A : algebra).
  Definition block := PM.t (option (scalar A)).
  Definition heap := PM.t block.

  Definition map_get (m : heap) (r k : nat) : cell (A := A) :=
    match PM.find (key r) m with Some b => PM.find (key k) b | None => None end.
  Definition map_put (m : heap) (r k : nat) (x : scalar A) : heap :=
    let b := match PM.find (key r) m with Some b => b | None => PM.empty _ end in
    PM.add (key r) (PM.add (key k) (Some x) b) m.
  Fixpoint blank (n : nat) : block :=
    match n with O => PM.empty _ | S n => PM.add (key n) None (blank n) end.
  Definition map_fresh (m : heap) (r n : nat) : heap := PM.add (key r) (blank n) m.
  Definition map_back (m m' : heap) (r : nat) : heap :=
    match PM.find (key r) m with Some b => PM.add (key r) b m' | None => PM.remove (key r) m' end.

  Lemma find_remove B n m (t : PM.t B) :
    PM.find (key n) (PM.remove (key m) t) = if n =? m then None else PM.find (key n) t.
  Proof.
    destruct (Nat.eqb_spec n m) as [-> | ne]; [apply PM.grs | apply PM.gro].
    intros E. now apply ne, key_eq.
  Qed.

  Lemma find_blank n k : PM.find (key k) (blank n) = if k <? n then Some None else None.
  Proof.
    induction n as [| n IH]; cbn [blank]; [apply PM.gempty |]. rewrite find_add, IH.
    destruct (Nat.eqb_spec k n), (Nat.ltb_spec k n), (Nat.ltb_spec k (S n)); try reflexivity; lia.
  Qed.

  Definition maps : memory A.
  Proof.
    refine (@Memory A heap map_get map_put map_fresh map_back _ _ _).
    - intros m r k x r' k'. unfold map_get, map_put, fset. rewrite find_add.
      destruct (Nat.eqb_spec r' r) as [-> | ne]; cbn [andb]; [| reflexivity]. rewrite find_add.
      destruct (k' =? k); [reflexivity |].
      destruct (PM.find (key r) m); [reflexivity | apply PM.gempty].
    - intros m r n r' k'. unfold map_get, map_fresh, falloc. rewrite find_add.
      destruct (Nat.eqb_spec r' r) as [-> | ne]; [apply find_blank | reflexivity].
    - intros m m' r r' k'. unfold map_get, map_back, leave.
      destruct (Nat.eqb_spec r' r) as [-> | ne].
      + destruct (PM.find (key r) m) as [b |]; [now rewrite find_add, Nat.eqb_refl |].
        now rewrite find_remove, Nat.eqb_refl.
      + apply Nat.eqb_neq in ne.
        destruct (PM.find (key r) m) as [b |];
          [now rewrite find_add, ne | now rewrite find_remove, ne].
  Defined.
End Maps.
