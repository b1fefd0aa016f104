(** * Loops in parts

    A nest of loops is cut at an index that a loop in it comes to: the nest below the index, then the nest from there on.  Loops
    around that one must be parallel: what iterations touch is apart, so that all of the first part may come before all
    of the second.  [divide] cuts the nests that it is told, and [statements] looks at the result: that is how merged code has
    parts of the body of a parallel loop in loops that follow one another, and loops that end at bounds that are no numbers. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat.
From Calque Require Import emit.Statements emit.StatementsProof emit.StatementsLinear emit.ThreadsProof.
From Calque Require kernel.Kernel.
Import ListNotations.
Set Implicit Arguments.

Section Parts.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation fstm := (fstm A N). Notation store := (fstore A).

  (** ** What is told, and the parts *)

  Inductive tree :=
    | Leaf
    | Cut (v : nat) (k : cindex N) (a b : tree)
    | At (l : nat) (t u : tree).    (** loops over [l] by [t]; then [u] *)

  Definition before (v : nat) (k : cindex N) : ccond N := KCmp Kernel.CLt (KVar v) k.

  Fixpoint cut (v : nat) (z : cindex N) (c : fstm) : option (fstm * fstm) :=
    match c with
    | FSkip => Some (FSkip, FSkip)
    | FFor pol l n b =>
        if l =? v then
          if occurs v z || negb (total [] z) then None
          else Some (FFor pol l n (FIf (before v z) b FSkip), FFor pol l n (FIf (before v z) FSkip b))
        else match pol, cut v z b with Par, Some (x, y) => Some (FFor Par l n x, FFor Par l n y) | _, _ => None end
    | FIf k a b =>
        match cut v z a, cut v z b with Some (x, y), Some (x', y') => Some (FIf k x x', FIf k y y') | _, _ => None end
    | _ => None
    end.

  Fixpoint at_loops (l : nat) (f : fstm -> fstm) (c : fstm) : fstm :=
    match c with
    | FSeq a b => FSeq (at_loops l f a) (at_loops l f b)
    | FBlock r d b => FBlock r d (at_loops l f b)
    | FIf k a b => FIf k (at_loops l f a) (at_loops l f b)
    | FFor pol v n b => if v =? l then f c else FFor pol v n (at_loops l f b)
    | _ => c
    end.

  Fixpoint divide (t : tree) (c : fstm) : fstm :=
    match t with
    | Leaf => c
    | Cut v z a b => match cut v z c with Some (x, y) => FSeq (divide a x) (divide b y) | None => c end
    | At l t u => divide u (at_loops l (divide t) c)
    end.

  (** ** What a statement touches is all that it depends on, and what it writes all that it changes *)

  Record local (f : store -> option store) (F : list faccess) : Prop := Local {
    keeps : forall m m' r o, f m = Some m' -> ~ In (true, (r, o)) F -> m' r o = m r o;
    moves : forall (P : fplace -> Prop) m1 m2 m1', f m1 = Some m1' -> (forall x, In x F -> P (snd x)) -> agree P m1 m2 ->
      exists m2', f m2 = Some m2' /\ agree P m1' m2' }.

  Lemma local_incl f F G : local f F -> incl F G -> local f G.
  Proof.
    intros [K M] I. split; [intros m m' r o E H; apply (K _ _ _ _ E); auto | intros P m1 m2 m1' E H; apply (M P _ _ _ E); auto].
  Qed.

  Lemma local_seq f g F G : local f F -> local g G -> local (fun m => obind (f m) g) (F ++ G).
  Proof.
    intros [Kf Mf] [Kg Mg]. split.
    - intros m m' r o E H. destruct (f m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      rewrite (Kg _ _ _ _ E), (Kf _ _ _ _ E1); auto; intros I; apply H, in_app_iff; auto.
    - intros P m1 m2 m1' E H a. destruct (f m1) as [n1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (Mf P m1 m2 n1 E1 (fun x I => H x (proj2 (in_app_iff _ _ _) (or_introl I))) a) as (n2 & E2 & a2).
      rewrite E2. cbn [obind]. apply (Mg P n1 n2 m1' E); auto. intros x I. apply H, in_app_iff. auto.
  Qed.

  Lemma local_same f F m1 m2 m1' : local f F -> f m1 = Some m1' -> same m1 m2 -> exists m2', f m2 = Some m2' /\ same m1' m2'.
  Proof.
    intros [_ M] E S. destruct (M (fun _ => True) m1 m2 m1' E) as (m2' & E2 & a); auto.
    - intros r o _. apply S.
    - exists m2'. split; [exact E2 |]. intros r o. now apply a.
  Qed.

  Lemma ffor_local n (f : nat -> store -> option store) F : (forall i, i < n -> local (f i) (F i)) ->
    local (ffor n f) (flat_map F (seq 0 n)).
  Proof.
    induction n as [| n IH]; intros L.
    - split; cbn; [intros m m' r o E _; now injection E as <- |]. intros P m1 m2 m1' E _ a. injection E as <-. eauto.
    - rewrite seq_S, flat_map_app. cbn [flat_map Nat.add]. rewrite app_nil_r.
      exact (local_seq (IH (fun i lt => L i (Nat.lt_lt_succ_r _ _ lt))) (L n (Nat.lt_succ_diag_r n))).
  Qed.

  Lemma fev_moves p (e : fexp A N) : forall (P : fplace -> Prop) (m1 m2 : store) x, fev p m1 e = Some x ->
    (forall q, In q (floads p e) -> P q) -> agree P m1 m2 -> fev p m2 e = Some x.
  Proof.
    induction e as [r k | c | o a IHa | o a IHa b IHb | c a IHa b IHb |]; intros P m1 m2 x E H ag; cbn [fev floads] in *; auto.
    - destruct (natural (kev p k)) as [o |]; cbn [obind] in *; [| discriminate].
      rewrite <- (ag r o); [exact E | apply H; now left].
    - destruct (fev p m1 a) as [y |] eqn:Ea; cbn [obind] in E; [| discriminate]. now rewrite (IHa P m1 m2 y Ea).
    - destruct (fev p m1 a) as [y |] eqn:Ea; cbn [obind] in E; [| discriminate].
      destruct (fev p m1 b) as [z |] eqn:Eb; cbn [obind] in E; [| discriminate].
      rewrite (IHa P m1 m2 y Ea), (IHb P m1 m2 z Eb); auto; intros q I; apply H, in_app_iff; auto.
    - destruct (kholds p c) as [[] |]; cbn [obind] in *; [eapply IHa; eauto | eapply IHb; eauto | discriminate].
  Qed.

  Lemma in_filter r x (F : list faccess) : In x F -> fst (snd x) <> r -> In x (filter (fun x => negb (fst (snd x) =? r)) F).
  Proof. intros I ne. apply filter_In. split; [exact I |]. apply negb_true_iff. now apply Nat.eqb_neq. Qed.

  Lemma frun_local (c : fstm) : forall p, local (frun p c) (ftouches p c).
  Proof.
    induction c as [| a IHa b IHb | r k e | r d b IHb | pol l n b IHb | k a IHa b IHb |]; intros p; cbn [ftouches].
    - split; cbn [frun]; [intros m m' r o E _; now injection E as <- |]. intros P m1 m2 m1' E _ ag. injection E as <-. eauto.
    - exact (local_seq (IHa p) (IHb p)).
    - split; cbn [frun]; destruct (natural (kev p k)) as [o |]; cbn [obind]; try (intros; discriminate).
      + intros m m' r' o' E H. destruct (fev p m e) as [x |]; cbn [obind] in E; [| discriminate].
        destruct (m r o); [| discriminate]. injection E as <-. unfold fset.
        destruct (Nat.eqb_spec r' r) as [-> |], (Nat.eqb_spec o' o) as [-> |]; cbn [andb]; auto.
        exfalso. apply H, in_app_iff. right. now left.
      + intros P m1 m2 m1' E H ag. destruct (fev p m1 e) as [x |] eqn:Ex; cbn [obind] in E; [| discriminate].
        assert (Lo : forall q, In q (floads p e) -> P q).
        { intros q I. apply (H (false, q)), in_app_iff. left. now apply in_map. }
        rewrite (@fev_moves p e P m1 m2 x Ex Lo ag). cbn [obind].
        rewrite <- (ag r o) by (apply (H (true, (r, o))), in_app_iff; right; now left).
        destruct (m1 r o); [| discriminate]. injection E as <-. eexists. split; [reflexivity |].
        intros r' o' I. unfold fset. destruct ((r' =? r) && (o' =? o)); [reflexivity | now apply ag].
    - destruct (IHb p) as [K M]. split; cbn [frun].
      + intros m m' r' o E H. destruct (frun p b (falloc m r (cells d))) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
        injection E as <-. unfold leave. destruct (Nat.eqb_spec r' r) as [-> | ne]; [reflexivity |].
        rewrite (K _ _ _ _ E1).
        * unfold falloc. now rewrite (proj2 (Nat.eqb_neq _ _) ne).
        * intros I. apply H, in_filter; auto.
      + intros P m1 m2 m1' E H ag.
        destruct (frun p b (falloc m1 r (cells d))) as [n1 |] eqn:E1; cbn [obind] in E; [| discriminate].
        injection E as <-.
        destruct (M (fun q => fst q = r \/ P q) _ (falloc m2 r (cells d)) _ E1) as (n2 & E2 & a2).
        * intros x I. destruct (Nat.eq_dec (fst (snd x)) r) as [e | ne]; [now left |]. right. apply H, in_filter; auto.
        * intros r' o [e | I]; unfold falloc; [cbn [fst] in e; subst r'; now rewrite Nat.eqb_refl |].
          destruct (r' =? r); [reflexivity | now apply ag].
        * rewrite E2. cbn [obind]. eexists. split; [reflexivity |]. intros r' o I. unfold leave.
          destruct (r' =? r); [now apply ag | apply a2; now right].
    - cbn [frun]. match goal with |- local (fun m => if ?x then _ else _) _ => destruct x end; [| split; intros; discriminate].
      apply ffor_local. intros i _. apply IHb.
    - cbn [frun]. destruct (kholds p k) as [[] |]; cbn [obind]; auto. split; intros; discriminate.
    - split; intros; discriminate.
  Qed.

  (** ** What touches apart places may be exchanged *)

  Lemma place_dec (x y : fplace) : {x = y} + {x <> y}.
  Proof. decide equality; apply Nat.eq_dec. Qed.

  Lemma quiet_left F G x r o : quiet F G -> In x F -> snd x = (r, o) -> ~ In (true, (r, o)) G.
  Proof.
    intros Q I e J. specialize (Q _ _ I J). unfold fconflict in Q. rewrite e in Q. cbn [fst snd] in Q.
    rewrite !Nat.eqb_refl, orb_true_r in Q. discriminate.
  Qed.
  Lemma quiet_sym F G : quiet F G -> quiet G F.
  Proof. intros Q x y I J. rewrite conflict_sym. now apply Q. Qed.

  Lemma exchange f g F G m m1 m2 : local f F -> local g G -> quiet F G -> g m = Some m1 -> f m1 = Some m2 ->
    exists n1 n2, f m = Some n1 /\ g n1 = Some n2 /\ same m2 n2.
  Proof.
    intros [Kf Mf] [Kg Mg] Q Eg Ef.
    destruct (Mf (fun q => exists x, In x F /\ snd x = q) m1 m m2 Ef) as (n1 & E1 & a1).
    { intros x I. eauto. }
    { intros r o (x & I & e). apply (Kg _ _ _ _ Eg). now apply (@quiet_left F G x). }
    destruct (Mg (fun q => exists x, In x G /\ snd x = q) m n1 m1 Eg) as (n2 & E2 & a2).
    { intros x I. eauto. }
    { intros r o (x & I & e). symmetry. apply (Kf _ _ _ _ E1). apply (@quiet_left G F x); auto. now apply quiet_sym. }
    exists n1, n2. repeat split; auto. intros r o.
    destruct (in_dec place_dec (r, o) (map snd F)) as [I | I].
    - apply in_map_iff in I as (x & e & I). rewrite (a1 r o) by eauto. symmetry.
      apply (Kg _ _ _ _ E2). now apply (@quiet_left F G x).
    - assert (NF : forall b, ~ In (b, (r, o)) F) by (intros b J; apply I, in_map_iff; now exists (b, (r, o))).
      rewrite (Kf _ _ _ _ Ef) by apply NF.
      destruct (in_dec place_dec (r, o) (map snd G)) as [J | J].
      + apply in_map_iff in J as (x & e & J). apply a2. eauto.
      + assert (NG : forall b, ~ In (b, (r, o)) G) by (intros b L; apply J, in_map_iff; now exists (b, (r, o))).
        rewrite (Kg _ _ _ _ Eg), (Kg _ _ _ _ E2), (Kf _ _ _ _ E1); auto.
  Qed.

  (** All first parts, then all second ones. *)
  Lemma apart_parts n (f g : nat -> store -> option store) F G : (forall i, i < n -> local (f i) (F i)) ->
    (forall i, i < n -> local (g i) (G i)) -> (forall i j, i < n -> j < n -> i <> j -> quiet (F i) (G j)) ->
    forall m m', ffor n (fun i m => obind (f i m) (g i)) m = Some m' ->
    exists m1 m2, ffor n f m = Some m1 /\ ffor n g m1 = Some m2 /\ same m' m2.
  Proof.
    induction n as [| n IH]; intros Lf Lg Q m m' E; cbn [ffor] in *.
    - injection E as <-. exists m, m. repeat split; auto.
    - destruct (ffor n (fun i m => obind (f i m) (g i)) m) as [k |] eqn:Ek; cbn [obind] in E; [| discriminate].
      destruct (f n k) as [k1 |] eqn:Ef; cbn [obind] in E; [| discriminate].
      destruct (IH (fun i lt => Lf i (Nat.lt_lt_succ_r _ _ lt)) (fun i lt => Lg i (Nat.lt_lt_succ_r _ _ lt))
        (fun i j li lj => Q i j (Nat.lt_lt_succ_r _ _ li) (Nat.lt_lt_succ_r _ _ lj)) m k Ek) as (ma & mb & Ea & Eb & S).
      destruct (local_same (Lf n (Nat.lt_succ_diag_r n)) Ef S) as (k2 & E2 & S2).
      destruct (@exchange (f n) (ffor n g) (F n) (flat_map G (seq 0 n)) ma mb k2) as (n1 & n2 & F1 & F2 & S3); auto.
      { apply ffor_local. auto. }
      { intros x y I J. apply in_flat_map in J as (j & J & Hj). apply in_seq in J. apply (Q n j); auto; lia. }
      assert (S4 : same k1 n2) by (intros r o; now rewrite S2, S3).
      destruct (local_same (Lg n (Nat.lt_succ_diag_r n)) E S4) as (k3 & E3 & S5).
      exists n1, k3. rewrite Ea. cbn [obind]. rewrite F2. cbn [obind]. auto.
  Qed.

  Lemma ffor_ext n (f g : nat -> store -> option store) : (forall i m, f i m = g i m) -> forall m, ffor n f m = ffor n g m.
  Proof.
    intros H m. induction n as [| n IH]; [reflexivity |]. cbn [ffor]. rewrite IH. destruct (ffor n g m); [apply H | reflexivity].
  Qed.

  (** Iterations up to a number, then those from there on. *)
  Lemma iterations_parts n z (f : nat -> store -> option store) m m' : ffor n f m = Some m' -> exists m1,
    ffor n (fun i m => if (Z.of_nat i <? z)%Z then f i m else Some m) m = Some m1 /\
    ffor n (fun i m => if (Z.of_nat i <? z)%Z then Some m else f i m) m1 = Some m'.
  Proof.
    assert (Idle : forall k x, (Z.of_nat k <= z)%Z ->
      ffor k (fun i m => if (Z.of_nat i <? z)%Z then Some m else f i m) x = Some x).
    { induction k as [| k IH]; intros x le; [reflexivity |]. cbn [ffor]. rewrite IH by lia. cbn [obind].
      now rewrite (proj2 (Z.ltb_lt _ _)) by lia. }
    revert m'. induction n as [| n IH]; intros m' E; cbn [ffor] in *; [exists m; auto |].
    destruct (ffor n f m) as [k |] eqn:Ek; cbn [obind] in E; [| discriminate].
    destruct (IH k eq_refl) as (m1 & E1 & E2). rewrite E1. cbn [obind]. destruct (Z.ltb_spec (Z.of_nat n) z) as [lt | ge].
    - rewrite (Idle n m1) in E2 by lia. injection E2 as ->. exists m'. split; [exact E |].
      rewrite Idle by lia. reflexivity.
    - exists m1. split; [reflexivity |]. rewrite E2. exact E.
  Qed.

  (** ** A statement in the place of another *)

  Definition within (c c' : fstm) : Prop := forall p, incl (ftouches p c') (ftouches p c).
  Definition instead (c c' : fstm) : Prop :=
    within c c' /\ forall p m m', frun p c m = Some m' -> exists m1, frun p c' m = Some m1 /\ same m' m1.

  Lemma instead_same (c : fstm) : instead c c.
  Proof. split; [intros p x I; exact I |]. intros p m m' E. exists m'. split; [exact E | intros r o; reflexivity]. Qed.

  Lemma fapart_within n F G : fapart n F = true -> (forall i, incl (G i) (F i)) -> fapart n G = true.
  Proof.
    unfold fapart. intros H I. apply forallb_forall. intros i Hi. apply forallb_forall. intros j Hj.
    apply (proj1 (forallb_forall _ _)) with (x := i) in H; [| exact Hi].
    apply (proj1 (forallb_forall _ _)) with (x := j) in H; [| exact Hj].
    apply orb_true_iff in H as [H | H]; apply orb_true_iff; [now left | right].
    apply forallb_forall. intros x Hx. apply forallb_forall. intros y Hy.
    apply (proj1 (forallb_forall _ _)) with (x := x) in H; [| now apply I].
    apply (proj1 (forallb_forall _ _)) with (x := y) in H; [exact H | now apply I].
  Qed.

  Lemma may_within pol l (n : size N) (b b' : fstm) p : within b b' ->
    match pol with Seq => true | Par => fapart #n (fun i => ftouches (upi p l i) b) end = true ->
    match pol with Seq => true | Par => fapart #n (fun i => ftouches (upi p l i) b') end = true.
  Proof. destruct pol; [auto |]. intros W H. eapply fapart_within; [exact H |]. intros i. apply W. Qed.

  Lemma within_for pol l n (b b' : fstm) : within b b' -> within (FFor pol l n b) (FFor pol l n b').
  Proof.
    intros W p x I. cbn [ftouches] in *. apply in_flat_map in I as (i & I & H). apply in_flat_map. exists i. split; [exact I |].
    now apply W.
  Qed.
  Lemma within_if k (a a' b b' : fstm) : within a a' -> within b b' -> within (FIf k a b) (FIf k a' b').
  Proof. intros Wa Wb p. cbn [ftouches]. destruct (kholds p k) as [[] |]; [apply Wa | apply Wb | intros x []]. Qed.

  Lemma instead_for pol l n (b b' : fstm) : instead b b' -> instead (FFor pol l n b) (FFor pol l n b').
  Proof.
    intros [W R]. split; [now apply within_for |]. intros p m m' E. cbn [frun] in *.
    match type of E with (if ?x then _ else _) = _ => destruct x eqn:May; [| discriminate] end.
    rewrite (@may_within pol l n b b' p W May). clear May. revert m' E.
    induction #n as [| k IH]; intros m' E; cbn [ffor] in *; [exists m'; split; [exact E | intros r o; reflexivity] |].
    destruct (ffor k _ m) as [m1 |]; cbn [obind] in E; [| discriminate].
    destruct (IH m1 eq_refl) as (n1 & E1 & S1). rewrite E1. cbn [obind].
    destruct (R _ _ _ E) as (m2 & E2 & S2).
    destruct (local_same (frun_local b' (upi p l k)) E2 S1) as (m3 & E3 & S3). exists m3. split; [exact E3 |].
    intros r o. now rewrite S2, S3.
  Qed.

  Lemma instead_seq (a a' b b' : fstm) : instead a a' -> instead b b' -> instead (FSeq a b) (FSeq a' b').
  Proof.
    intros [Wa Ra] [Wb Rb]. split.
    - intros p x I. cbn [ftouches] in *. apply in_app_iff in I as [I | I]; apply in_app_iff;
        [left; now apply Wa | right; now apply Wb].
    - intros p m m' E. cbn [frun] in *. destruct (frun p a m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (Ra _ _ _ E1) as (n1 & F1 & S1). rewrite F1. cbn [obind]. destruct (Rb _ _ _ E) as (m2 & E2 & S2).
      destruct (local_same (frun_local b' p) E2 S1) as (m3 & E3 & S3). exists m3. split; [exact E3 |].
      intros r o. now rewrite S2, S3.
  Qed.

  Lemma instead_if k (a a' b b' : fstm) : instead a a' -> instead b b' -> instead (FIf k a b) (FIf k a' b').
  Proof.
    intros [Wa Ra] [Wb Rb]. split; [now apply within_if |]. intros p m m' E. cbn [frun] in *.
    destruct (kholds p k) as [[] |]; cbn [obind] in *; auto. discriminate.
  Qed.

  Lemma instead_block r d (b b' : fstm) : instead b b' -> instead (FBlock r d b) (FBlock r d b').
  Proof.
    intros [W R]. split.
    - intros p x I. cbn [ftouches] in *. apply filter_In in I as [I H]. apply filter_In. split; [now apply W | exact H].
    - intros p m m' E. cbn [frun] in *.
      destruct (frun p b (falloc m r (cells d))) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      injection E as <-. destruct (R _ _ _ E1) as (n1 & F1 & S1). rewrite F1. cbn [obind]. eexists. split; [reflexivity |].
      intros r' o. unfold leave. destruct (r' =? r); [reflexivity | apply S1].
  Qed.

  (** ** Cuts *)

  Definition halves (c x y : fstm) : Prop := within c x /\ within c y /\ forall p m m', frun p c m = Some m' ->
    exists m1 m2, frun p x m = Some m1 /\ frun p y m1 = Some m2 /\ same m' m2.

  Lemma within_before v z (b : fstm) : within b (FIf (before v z) b FSkip) /\ within b (FIf (before v z) FSkip b).
  Proof.
    split; intros p x I; cbn [ftouches] in I; destruct (kholds p (before v z)) as [[] |]; auto; destruct I.
  Qed.

  Lemma halves_here pol v z n (b : fstm) : occurs v z = false -> total [] z = true ->
    halves (FFor pol v n b) (FFor pol v n (FIf (before v z) b FSkip)) (FFor pol v n (FIf (before v z) FSkip b)).
  Proof.
    intros O T. destruct (within_before v z b) as [W1 W2]. split; [now apply within_for | split; [now apply within_for |]].
    intros p m m' E. cbn [frun] in E.
    match type of E with (if ?x then _ else _) = _ => destruct x eqn:May; [| discriminate] end.
    destruct (@total_right N s p [] (fun _ _ I => match I with end) z T) as [x Ex].
    destruct (iterations_parts #n x _ _ E) as (m1 & E1 & E2).
    assert (K : forall i, kholds (upi p v i) (before v z) = Some (Z.of_nat i <? x)%Z).
    { intros i. unfold before. cbn [kholds]. change (upi p v i) with (upz p v (Z.of_nat i)) at 2.
      rewrite kev_occurs, Ex by exact O.
      cbn [kev obind Kernel.eval_cmp]. unfold upi. now rewrite Nat.eqb_refl. }
    exists m1, m'. split; [| split; [| intros r o; reflexivity]].
    - cbn [frun]. rewrite (@may_within pol v n b _ p W1 May). rewrite <- E1. apply ffor_ext. intros i w.
      rewrite K. reflexivity.
    - cbn [frun]. rewrite (@may_within pol v n b _ p W2 May). rewrite <- E2. apply ffor_ext. intros i w.
      rewrite K. reflexivity.
  Qed.

  Lemma halves_around l n (b x y : fstm) : halves b x y -> halves (FFor Par l n b) (FFor Par l n x) (FFor Par l n y).
  Proof.
    intros (Wx & Wy & R). split; [now apply within_for | split; [now apply within_for |]].
    intros p m m' E. cbn [frun] in E.
    match type of E with (if ?x then _ else _) = _ => destruct x eqn:May; [| discriminate] end.
    cbn [frun]. rewrite (@may_within Par l n b x p Wx May), (@may_within Par l n b y p Wy May).
    assert (Q : forall i j, i < #n -> j < #n -> i <> j -> quiet (ftouches (upi p l i) x) (ftouches (upi p l j) y)).
    { intros i j li lj ne. eapply quiet_incl; [exact (@fapart_quiet #n _ i j May li lj ne) | apply Wx | apply Wy]. }
    clear May.
    assert (B : exists k, ffor #n (fun i m => obind (frun (upi p l i) x m) (frun (upi p l i) y)) m = Some k /\ same m' k).
    { clear Q. revert m' E. induction #n as [| k IH]; intros m' E; cbn [ffor] in *.
      - exists m'. split; [exact E | intros r o; reflexivity].
      - destruct (ffor k (fun i => frun (upi p l i) b) m) as [m1 |]; cbn [obind] in E; [| discriminate].
        destruct (IH m1 eq_refl) as (n1 & E1 & S1). rewrite E1. cbn [obind].
        destruct (R _ _ _ E) as (a & a' & Ea & Ea' & Sa).
        destruct (local_same (frun_local x (upi p l k)) Ea S1) as (c & Ec & Sc). rewrite Ec. cbn [obind].
        destruct (local_same (frun_local y (upi p l k)) Ea' Sc) as (c' & Ec' & Sc'). exists c'. split; [exact Ec' |].
        intros r o. now rewrite Sa, Sc'. }
    destruct B as (k & Ek & Sk).
    destruct (@apart_parts #n (fun i => frun (upi p l i) x) (fun i => frun (upi p l i) y)
      (fun i => ftouches (upi p l i) x) (fun i => ftouches (upi p l i) y)
      (fun i _ => frun_local x (upi p l i)) (fun i _ => frun_local y (upi p l i)) Q m k Ek) as (m1 & m2 & E1 & E2 & S2).
    exists m1, m2. repeat split; auto. intros r o. now rewrite Sk, S2.
  Qed.

  Lemma cut_right v z c : forall x y, cut v z c = Some (x, y) -> halves c x y.
  Proof.
    induction c as [| a IHa b IHb | r k e | r d b IHb | pol l n b IHb | k a IHa b IHb |]; intros x y E; cbn [cut] in E;
      try discriminate.
    - injection E as <- <-. split; [intros p w I; exact I | split; [intros p w I; exact I |]]. intros p m m' R. injection R as <-.
      exists m, m. repeat split; auto.
    - destruct (Nat.eqb_spec l v) as [-> | ne].
      + destruct (occurs v z) eqn:O; [discriminate |]. destruct (total [] z) eqn:T; [| discriminate]. injection E as <- <-.
        now apply halves_here.
      + destruct pol; [discriminate |]. destruct (cut v z b) as [[x' y'] |]; [| discriminate]. injection E as <- <-.
        now apply halves_around, IHb.
    - destruct (cut v z a) as [[x1 y1] |]; [| discriminate]. destruct (cut v z b) as [[x2 y2] |]; [| discriminate].
      injection E as <- <-. destruct (IHa _ _ eq_refl) as (Wx1 & Wy1 & R1), (IHb _ _ eq_refl) as (Wx2 & Wy2 & R2).
      split; [now apply within_if | split; [now apply within_if |]]. intros p m m' E. cbn [frun] in *.
      destruct (kholds p k) as [[] |]; cbn [obind] in *; auto. discriminate.
  Qed.

  Lemma instead_trans (a b c : fstm) : instead a b -> instead b c -> instead a c.
  Proof.
    intros [Wb Rb] [Wc Rc]. split; [intros p x I; now apply Wb, Wc |]. intros p m m' E.
    destruct (Rb _ _ _ E) as (m1 & E1 & S1). destruct (Rc _ _ _ E1) as (m2 & E2 & S2). exists m2. split; [exact E2 |].
    intros r o. now rewrite S1, S2.
  Qed.

  Lemma at_loops_right l f : (forall c, instead c (f c)) -> forall c, instead c (at_loops l f c).
  Proof.
    intros H. induction c as [| a IHa b IHb | r k e | r d b IHb | pol v n b IHb | k a IHa b IHb |]; cbn [at_loops];
      try apply instead_same.
    - now apply instead_seq.
    - now apply instead_block.
    - destruct (v =? l); [apply H | now apply instead_for].
    - now apply instead_if.
  Qed.

  Theorem divide_right t : forall c, instead c (divide t c).
  Proof.
    induction t as [| v z a IHa b IHb | l t IHt u IHu]; intros c; cbn [divide]; [apply instead_same | |].
    - destruct (cut v z c) as [[x y] |] eqn:E; [| apply instead_same].
      destruct (cut_right _ _ _ E) as (Wx & Wy & R).
      destruct (instead_seq (IHa x) (IHb y)) as [W R']. split.
      + intros p w I. apply W in I. cbn [ftouches] in I. apply in_app_iff in I as [I | I]; [now apply Wx | now apply Wy].
      + intros p m m' Ec. destruct (R _ _ _ Ec) as (m1 & m2 & E1 & E2 & S2).
        destruct (R' p m m2) as (m3 & E3 & S3); [cbn [frun]; now rewrite E1 |]. exists m3. split; [exact E3 |].
        intros r o. now rewrite S2, S3.
    - eapply instead_trans; [apply (at_loops_right l (divide t) IHt) | apply IHu].
  Qed.

  (** ** The check *)

  Definition statements_in_parts (J : judge A N) (told : tree) (c : fstm) (M : list (mstm A N)) : bool :=
    statements J (divide told c) M.

  (** What is accepted leaves in each place what the plain program does. *)
  Theorem statements_in_parts_right (J : judge A N) told c M q m m' : fair J -> statements_in_parts J told c M = true ->
    frun q c m = Some m' -> exists m1, mruns q M m = Some m1 /\ same m' m1.
  Proof.
    intros fairly S E. destruct (divide_right told c) as [_ R]. destruct (R _ _ _ E) as (m1 & E1 & S1).
    exists m1. split; [| exact S1]. exact (@statements_right _ _ _ _ fairly (divide told c) M q m m1 S E1).
  Qed.
End Parts.
Arguments tree : clear implicits.
