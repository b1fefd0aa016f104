(** * Arrays as parts of others: what a call does

    A function has its arrays as parameters [0 .. n-1] and declares the others.  A call
    hands it places inside of larger arrays: [at_ r] is the array that parameter [r] is part
    of, and where it begins there.  [relocate] is the body with these places written in, so
    that it is the body of the function as the call runs it. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat.
Import ListNotations.
Set Implicit Arguments.

Section Relocate.
  Context {A : algebra} {N : sizes}.
  Variable at_ : nat -> nat * nat.

  Definition region (r : nat) : nat := fst (at_ r).
  Definition base (r : nat) : nat := snd (at_ r).

  Definition moved (b : nat) (k : cindex N) : cindex N :=
    if b =? 0 then k else KAdd (KCst (Z.of_nat b)) k.

  Fixpoint relocate_exp (e : fexp A N) : fexp A N :=
    match e with
    | FLoad r k => FLoad (region r) (moved (base r) k)
    | FLit _ | FNone => e
    | FUn o e => FUn o (relocate_exp e)
    | FBin o e1 e2 => FBin o (relocate_exp e1) (relocate_exp e2)
    | FCond c e1 e2 => FCond c (relocate_exp e1) (relocate_exp e2)
    end.

  Fixpoint relocate (c : fstm A N) : fstm A N :=
    match c with
    | FSkip | FStop => c
    | FSeq s1 s2 => FSeq (relocate s1) (relocate s2)
    | FSet r k e => FSet (region r) (moved (base r) k) (relocate_exp e)
    | FBlock r d b => FBlock (region r) d (relocate b)
    | FFor p l n b => FFor p l n (relocate b)
    | FIf c s1 s2 => FIf c (relocate s1) (relocate s2)
    end.

  (** Only arrays of [W] are set, and only those from [n] on are declared. *)
  Fixpoint sets_only (n : nat) (W : nat -> bool) (c : fstm A N) : bool :=
    match c with
    | FSkip | FStop => true
    | FSeq s1 s2 | FIf _ s1 s2 => sets_only n W s1 && sets_only n W s2
    | FSet r _ _ => (n <=? r) || W r
    | FBlock r _ b => (n <=? r) && sets_only n W b
    | FFor _ _ _ b => sets_only n W b
    end.

  (** ** It computes the same *)

  Context {s : sizing N}.
  Variables (n : nat) (W : nat -> bool) (len : nat -> nat).

  Definition inside (r o : nat) : Prop := r < n -> o < len r.
  Definition writable (r : nat) : Prop := n <= r \/ W r = true.
  Definition spot (x : fplace) : fplace := (region (fst x), base (fst x) + snd x).

  (** What is declared has an array of its own; what is set overlaps nothing else. *)
  Hypothesis own_base : forall r, n <= r -> base r = 0.
  Hypothesis own_region : forall r r', n <= r -> region r = region r' -> r = r'.
  Hypothesis apart_ : forall r o r' o', writable r -> inside r o -> inside r' o' ->
    spot (r, o) = spot (r', o') -> r = r' /\ o = o'.

  Definition carried (fm m : fstore A) : Prop :=
    (forall r o, fm r o <> None -> inside r o) /\
    (forall r o, fm r o <> None -> m (region r) (base r + o) = fm r o).

  (** A place that no parameter that is set has, nor a declared array. *)
  Definition untouched (q k : nat) : Prop :=
    (forall r o, W r = true -> r < n -> o < len r -> spot (r, o) <> (q, k)) /\
    (forall r, n <= r -> region r <> q).

  Lemma moved_value ie b (k : cindex N) o :
    natural (kev ie k) = Some o -> natural (kev ie (moved b k)) = Some (b + o).
  Proof.
    intros E. unfold moved. destruct (Nat.eqb_spec b 0) as [-> | _]; [exact E |].
    unfold natural in *. cbn [kev obind]. destruct (kev ie k) as [z |]; cbn [obind] in *; [| discriminate].
    destruct (Z.leb_spec 0 z); [| discriminate]. injection E as <-.
    destruct (Z.leb_spec 0 (Z.of_nat b + z)); [| lia]. f_equal. lia.
  Qed.

  Lemma relocate_exp_correct ie fm m e : carried fm m -> forall x, fev ie fm e = Some x ->
    fev ie m (relocate_exp e) = Some x /\ floads ie (relocate_exp e) = map spot (floads ie e) /\
    (forall y, In y (floads ie e) -> inside (fst y) (snd y)).
  Proof.
    intros [in_ same]. induction e as [r k | c | o e IH | o e1 IH1 e2 IH2 | c e1 IH1 e2 IH2 |];
      intros x E; cbn [fev floads relocate_exp] in *.
    - destruct (natural (kev ie k)) as [o |] eqn:Ek; cbn [obind] in E; [| discriminate].
      rewrite (moved_value _ _ _ Ek). cbn [obind].
      destruct (fm r o) as [[y |] |] eqn:C; try discriminate.
      assert (some : fm r o <> None) by congruence.
      rewrite (same r o some), C. split; [exact E |]. split; [reflexivity |].
      intros y' [<- | []]. now apply in_.
    - split; [exact E | split; [reflexivity | intros y []]].
    - destruct (fev ie fm e) as [y |] eqn:Ey; cbn [obind] in E; [| discriminate].
      destruct (IH y eq_refl) as (X & L & I). rewrite X. cbn [obind]. auto.
    - destruct (fev ie fm e1) as [y |] eqn:Ey; cbn [obind] in E; [| discriminate].
      destruct (fev ie fm e2) as [z |] eqn:Ez; cbn [obind] in E; [| discriminate].
      destruct (IH1 y eq_refl) as (X1 & L1 & I1). destruct (IH2 z eq_refl) as (X2 & L2 & I2).
      rewrite X1, X2, L1, L2, map_app. cbn [obind]. split; [exact E | split; [reflexivity |]].
      intros w Hw. apply in_app_iff in Hw as [Hw | Hw]; auto.
    - destruct (kholds ie c) as [b |]; cbn [obind] in *; [| discriminate].
      destruct b; [now apply IH1 | now apply IH2].
    - discriminate.
  Qed.

  Definition spot_access (x : faccess) : faccess := (fst x, spot (snd x)).
  Definition lawful (x : faccess) : Prop :=
    inside (fst (snd x)) (snd (snd x)) /\ (fst x = true -> writable (fst (snd x))).

  Lemma relocate_apart (F FF : nat -> list faccess) k : fapart k F = true ->
    (forall i, i < k -> FF i = map spot_access (F i) /\ forall x, In x (F i) -> lawful x) ->
    fapart k FF = true.
  Proof.
    intros free each. unfold fapart in *. rewrite forallb_forall in free |- *. intros i Hi.
    specialize (free i Hi). rewrite forallb_forall in free |- *. intros j Hj. specialize (free j Hj).
    apply in_seq in Hi, Hj. apply orb_true_iff in free as [eq | free]; [now rewrite eq |].
    apply orb_true_iff. right. destruct (each i) as [-> li]; [lia |]. destruct (each j) as [-> lj]; [lia |].
    rewrite forallb_forall in free. apply forallb_forall. intros px Hx.
    apply in_map_iff in Hx as (x & <- & Hx). specialize (free x Hx).
    rewrite forallb_forall in free. apply forallb_forall. intros py Hy.
    apply in_map_iff in Hy as (y & <- & Hy). specialize (free y Hy).
    apply negb_true_iff. apply negb_true_iff in free. apply not_true_is_false. intros B.
    apply not_true_iff_false in free. apply free. clear free.
    destruct (li x Hx) as [inx wx], (lj y Hy) as [iny wy].
    destruct x as [bx [rx ox]], y as [by_ [ry oy]]. unfold fconflict in *. cbn [spot_access fst snd] in *.
    apply andb_true_iff in B as [w B]. apply andb_true_iff in B as [B1 B2].
    apply Nat.eqb_eq in B1, B2. rewrite w. cbn [andb]. apply orb_true_iff in w.
    assert (E : spot (rx, ox) = spot (ry, oy)) by (unfold spot in *; cbn [fst snd] in *; congruence).
    assert (rx = ry /\ ox = oy) as [-> ->]; [| now rewrite !Nat.eqb_refl].
    destruct w as [w | w].
    - apply apart_; auto.
    - destruct (apart_ (r := ry) (o := oy) (r' := rx) (o' := ox)); auto.
  Qed.

  Lemma filter_spots r xs : n <= r ->
    filter (fun x => negb (fst (snd x) =? region r)) (map spot_access xs) =
    map spot_access (filter (fun x => negb (fst (snd x) =? r)) xs).
  Proof.
    intros le. induction xs as [| [w [r' o]] xs IH]; [reflexivity |].
    cbn [map filter spot_access spot fst snd]. rewrite IH.
    destruct (Nat.eqb_spec (region r') (region r)) as [E | E], (Nat.eqb_spec r' r) as [-> | ne];
      cbn [negb map]; try reflexivity; [| congruence].
    symmetry in E. apply own_region in E; auto. congruence.
  Qed.

  Lemma relocate_for (f g : nat -> fstore A -> option (fstore A)) (Q : nat -> Prop) k :
    (forall i m1 m2 fm1, i < k -> f i m1 = Some m2 -> carried m1 fm1 ->
       exists fm2, g i fm1 = Some fm2 /\ carried m2 fm2 /\ Q i /\
         forall q o, untouched q o -> fm2 q o = fm1 q o) ->
    forall m m' fm, ffor k f m = Some m' -> carried m fm ->
    exists fm', ffor k g fm = Some fm' /\ carried m' fm' /\ (forall i, i < k -> Q i) /\
      forall q o, untouched q o -> fm' q o = fm q o.
  Proof.
    induction k as [| k IH]; cbn; intros body m m' fm E rel.
    - injection E as <-. exists fm. repeat split; auto; try apply rel. intros i lt. lia.
    - destruct (ffor k f m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
      destruct (IH (fun i m1 m2 fm1 lt => body i m1 m2 fm1 (Nat.lt_lt_succ_r _ _ lt)) m m1 fm E1 rel)
        as (fm1 & -> & rel1 & each & kept1).
      cbn. destruct (body k m1 m' fm1 (Nat.lt_succ_diag_r k) E rel1) as (fm2 & -> & rel2 & last & kept2).
      exists fm2. split; [reflexivity |]. split; [exact rel2 |]. split.
      + intros i lt. destruct (Nat.eq_dec i k) as [-> | ne]; [exact last | apply each; lia].
      + intros q o U. rewrite kept2, kept1; auto.
  Qed.

  Theorem relocate_correct (c : fstm A N) : forall ie fm fm' m, sets_only n W c = true ->
    frun ie c fm = Some fm' -> carried fm m ->
    exists m', frun ie (relocate c) m = Some m' /\ carried fm' m' /\
      (ftouches ie (relocate c) = map spot_access (ftouches ie c) /\
       forall x, In x (ftouches ie c) -> lawful x) /\
      forall q k, untouched q k -> m' q k = m q k.
  Proof.
    induction c as [| s1 IH1 s2 IH2 | r k e | r d b IH | p l k b IH | c s1 IH1 s2 IH2 |];
      intros ie fm fm' m ok E rel; cbn [frun sets_only relocate ftouches] in *.
    - injection E as <-. exists m. split; [reflexivity |]. split; [exact rel |]. split; [| auto].
      split; [reflexivity | intros x []].
    - apply andb_true_iff in ok as [ok1 ok2].
      destruct (frun ie s1 fm) as [fm1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (IH1 _ _ _ _ ok1 E1 rel) as (m1 & -> & rel1 & [t1 l1] & k1).
      destruct (IH2 _ _ _ _ ok2 E rel1) as (m2 & E2 & rel2 & [t2 l2] & k2).
      exists m2. cbn [obind]. split; [exact E2 |]. split; [exact rel2 |]. split; [split |].
      + now rewrite t1, t2, map_app.
      + intros x Hx. apply in_app_iff in Hx as [Hx | Hx]; auto.
      + intros q o U. rewrite k2, k1; auto.
    - destruct (natural (kev ie k)) as [o |] eqn:Ek; cbn [obind] in E; [| discriminate].
      destruct (fev ie fm e) as [x |] eqn:Ex; cbn [obind] in E; [| discriminate].
      destruct (fm r o) as [old |] eqn:C; [| discriminate]. injection E as <-.
      destruct (relocate_exp_correct _ _ rel Ex) as (X & L & I).
      assert (wr : writable r).
      { unfold writable. apply orb_true_iff in ok as [ok | ok]; [left; now apply Nat.leb_le | now right]. }
      destruct rel as [in_ same]. assert (some : fm r o <> None) by congruence.
      rewrite (moved_value _ _ _ Ek), X. cbn [obind]. rewrite (same r o some), C.
      eexists. split; [reflexivity |]. split; [split | split; [split |]].
      + intros r' o' H. unfold fset in H. destruct ((r' =? r) && (o' =? o)) eqn:B; [| now apply in_].
        apply andb_true_iff in B as [B1 B2]. apply Nat.eqb_eq in B1, B2. subst. now apply in_.
      + intros r' o' H. unfold fset in *. destruct ((r' =? r) && (o' =? o)) eqn:B.
        * apply andb_true_iff in B as [B1 B2]. apply Nat.eqb_eq in B1, B2. subst.
          now rewrite !Nat.eqb_refl.
        * destruct ((region r' =? region r) && (base r' + o' =? base r + o)) eqn:B'; [| now apply same].
          apply andb_true_iff in B' as [B1 B2]. apply Nat.eqb_eq in B1, B2.
          destruct (apart_ (r := r) (o := o) (r' := r') (o' := o')) as [<- <-]; auto.
          -- unfold spot. cbn [fst snd]. congruence.
          -- now rewrite !Nat.eqb_refl in B.
      + rewrite L, map_app, !map_map. f_equal.
      + intros y Hy. apply in_app_iff in Hy as [Hy | [<- | []]].
        * apply in_map_iff in Hy as (z & <- & Hz). split; [now apply I | discriminate].
        * split; [now apply in_ | auto].
      + intros q o' [U1 U2]. unfold fset.
        destruct ((q =? region r) && (o' =? base r + o)) eqn:B; [| reflexivity].
        apply andb_true_iff in B as [B1 B2]. apply Nat.eqb_eq in B1, B2. subst. exfalso.
        destruct (Nat.lt_ge_cases r n) as [lt | ge].
        * destruct wr as [? | w]; [lia |]. apply (U1 r o w lt (in_ r o some lt)). reflexivity.
        * now apply (U2 r ge).
    - apply andb_true_iff in ok as [le ok]. apply Nat.leb_le in le.
      destruct (frun ie b (falloc fm r (cells d))) as [fm1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      injection E as <-. destruct rel as [in_ same].
      destruct (IH ie _ _ (falloc m (region r) (cells d)) ok E1) as (m1 & F1 & [in1 same1] & [t1 l1] & k1).
      { split.
        - intros r' o H. unfold falloc in H. destruct (Nat.eqb_spec r' r) as [-> | ne]; [| now apply in_].
          intros lt. lia.
        - intros r' o H. unfold falloc in *. destruct (Nat.eqb_spec r' r) as [-> | ne].
          + rewrite Nat.eqb_refl, (own_base le). reflexivity.
          + destruct (Nat.eqb_spec (region r') (region r)) as [E | _]; [| now apply same].
            symmetry in E. apply own_region in E; auto. congruence. }
      exists (leave m m1 (region r)). rewrite F1. cbn [obind]. split; [reflexivity |].
      split; [split | split; [split |]].
      + intros r' o H. unfold leave in H. destruct (r' =? r); [now apply in_ | now apply in1].
      + intros r' o H. unfold leave in *. destruct (Nat.eqb_spec r' r) as [-> | ne].
        * rewrite Nat.eqb_refl. now apply same.
        * destruct (Nat.eqb_spec (region r') (region r)) as [E | _]; [| now apply same1].
          symmetry in E. apply own_region in E; auto. congruence.
      + rewrite t1. now apply filter_spots.
      + intros x Hx. apply filter_In in Hx as [Hx _]. auto.
      + intros q o U. unfold leave. destruct (q =? region r) eqn:B; [reflexivity |].
        rewrite (k1 q o U). unfold falloc. now rewrite B.
    - destruct (match p with Seq => true | Par => fapart #k (fun i => ftouches (upi ie l i) b) end) eqn:May;
        [| discriminate].
      destruct (@relocate_for (fun i => frun (upi ie l i) b) (fun i => frun (upi ie l i) (relocate b))
        (fun i => ftouches (upi ie l i) (relocate b) = map spot_access (ftouches (upi ie l i) b) /\
           forall x, In x (ftouches (upi ie l i) b) -> lawful x) #k) with (m := fm) (m' := fm') (fm := m)
        as (m' & F & rel' & each & kept); auto.
      { intros i m1 m2 fm1 lt Ei rel1. destruct (IH (upi ie l i) m1 m2 fm1 ok Ei rel1) as (fm2 & ? & ? & ? & ?).
        exists fm2. auto. }
      exists m'. split; [| split; [exact rel' | split; [split | exact kept]]].
      + rewrite F. destruct p; [reflexivity |].
        now rewrite (@relocate_apart (fun i => ftouches (upi ie l i) b)
          (fun i => ftouches (upi ie l i) (relocate b)) #k May each).
      + rewrite !flat_map_concat_map, concat_map, map_map. f_equal. apply map_ext_in.
        intros i Hi. apply in_seq in Hi. apply each. lia.
      + intros x Hx. apply in_flat_map in Hx as (i & Hi & Hx). apply in_seq in Hi.
        apply (each i); auto. lia.
    - apply andb_true_iff in ok as [ok1 ok2]. destruct (kholds ie c) as [b |]; cbn [obind] in E; [| discriminate].
      cbn [obind]. destruct b; [now apply (IH1 ie fm) | now apply (IH2 ie fm)].
    - discriminate.
  Qed.
End Relocate.
