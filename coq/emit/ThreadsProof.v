(** * Every interleaving of a program without races ends in the one result

    The sequential run of what is left, [left_run], is the invariant: a step of any
    thread leaves its result as it was, because what the threads before it touch is
    apart from what it touches.  So nothing is stuck, what is left at the end is
    nothing, and [work] counts the steps down. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat emit.TidyProof.
From Calque Require Import emit.Threads.
Import ListNotations.
Set Implicit Arguments.

Section ThreadsProof.
  Context {A : algebra}.
  Notation store := (fstore A). Notation texp := (texp A). Notation tstm := (tstm A).
  Notation act := (act A).

  (** ** Sequential run, places, apartness of what is left *)

  Fixpoint left_value (m : store) (e : texp) : option (scalar A) :=
    match e with
    | TVal x => Some x
    | TLoad r o => match m r o with Some (Some x) => Some x | _ => None end
    | TUn o e => obind (left_value m e) (fun x => Some (uop_val A o x))
    | TBin o e1 e2 => obind (left_value m e1) (fun x =>
        obind (left_value m e2) (fun y => Some (bop_val A o x y)))
    | TNone => None
    end.

  (** The memory inside a block. *)
  Definition enter (m : store) (r : nat) (own : nat -> cell (A := A)) : store :=
    fun r' o => if r' =? r then own o else m r' o.

  Fixpoint left_run (c : tstm) (m : store) : option store :=
    match c with
    | TDone => Some m
    | TSeq c1 c2 | TPar c1 c2 => obind (left_run c1 m) (left_run c2)
    | TSet r o e => obind (left_value m e) (fun x =>
        match m r o with Some _ => Some (fset m r o x) | None => None end)
    | TBlock r own c => obind (left_run c (enter m r own)) (fun m' => Some (leave m m' r))
    | TStop => None
    end.

  Fixpoint exp_places (e : texp) : list fplace :=
    match e with
    | TVal _ | TNone => []
    | TLoad r o => [(r, o)]
    | TUn _ e => exp_places e
    | TBin _ e1 e2 => exp_places e1 ++ exp_places e2
    end.

  Fixpoint places (c : tstm) : list faccess :=
    match c with
    | TDone | TStop => []
    | TSeq c1 c2 | TPar c1 c2 => places c1 ++ places c2
    | TSet r o e => map (pair false) (exp_places e) ++ [(true, (r, o))]
    | TBlock r _ c => filter (fun x => negb (fst (snd x) =? r)) (places c)
    end.

  Definition quiet (F G : list faccess) : Prop :=
    forall x y, In x F -> In y G -> fconflict x y = false.

  Fixpoint safe (c : tstm) : Prop :=
    match c with
    | TDone | TSet _ _ _ | TStop => True
    | TSeq c1 c2 => safe c1 /\ safe c2
    | TPar c1 c2 => safe c1 /\ safe c2 /\ quiet (places c1) (places c2)
    | TBlock _ _ c => safe c
    end.

  Lemma quiet_incl F G F' G' : quiet F G -> incl F' F -> incl G' G -> quiet F' G'.
  Proof. intros H i j x y Hx Hy. apply H; auto. Qed.

  Lemma conflict_sym x y : fconflict x y = fconflict y x.
  Proof.
    destruct x as [v [r o]], y as [w [r' o']]. unfold fconflict. cbn.
    now rewrite (orb_comm v), (Nat.eqb_sym r), (Nat.eqb_sym o).
  Qed.

  Lemma in_filter_root r x F :
    In x (filter (fun x : faccess => negb (fst (snd x) =? r)) F) <-> In x F /\ fst (snd x) <> r.
  Proof. rewrite filter_In, negb_true_iff, Nat.eqb_neq. tauto. Qed.

  (** ** The sequential run depends on the places that it touches, and leaves the others *)

  Definition agree (P : fplace -> Prop) (m m' : store) : Prop := forall r o, P (r, o) -> m r o = m' r o.
  Definition same (m m' : store) : Prop := forall r o, m r o = m' r o.

  Lemma agree_value P m m' e : agree P m m' -> (forall q, In q (exp_places e) -> P q) ->
    left_value m e = left_value m' e.
  Proof.
    intros H. induction e as [x | r o | o e IH | o e1 IH1 e2 IH2 |]; intros inP; cbn in *; auto.
    - rewrite (H r o); auto.
    - now rewrite IH.
    - rewrite IH1, IH2; auto; intros q Hq; apply inP, in_app_iff; auto.
  Qed.

  Lemma agree_run c : forall (P : fplace -> Prop) m1 m2 m1', left_run c m1 = Some m1' ->
    (forall x, In x (places c) -> P (snd x)) -> agree P m1 m2 ->
    exists m2', left_run c m2 = Some m2' /\ agree P m1' m2'.
  Proof.
    assert (both : forall c1 c2,
      (forall (P : fplace -> Prop) m1 m2 m1', left_run c1 m1 = Some m1' ->
        (forall x, In x (places c1) -> P (snd x)) -> agree P m1 m2 ->
        exists m2', left_run c1 m2 = Some m2' /\ agree P m1' m2') ->
      (forall (P : fplace -> Prop) m1 m2 m1', left_run c2 m1 = Some m1' ->
        (forall x, In x (places c2) -> P (snd x)) -> agree P m1 m2 ->
        exists m2', left_run c2 m2 = Some m2' /\ agree P m1' m2') ->
      forall (P : fplace -> Prop) m1 m2 m1', obind (left_run c1 m1) (left_run c2) = Some m1' ->
        (forall x, In x (places c1 ++ places c2) -> P (snd x)) -> agree P m1 m2 ->
        exists m2', obind (left_run c1 m2) (left_run c2) = Some m2' /\ agree P m1' m2').
    { intros c1 c2 IH1 IH2 P m1 m2 m1' E inP H.
      destruct (left_run c1 m1) as [m |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (IH1 P m1 m2 m E1) as (m' & -> & H1); auto.
      { intros x Hx. apply inP, in_app_iff. auto. }
      destruct (IH2 P m m' m1' E) as (m'' & E' & H2); auto.
      { intros x Hx. apply inP, in_app_iff. auto. }
      exists m''. auto. }
    induction c as [| c1 IH1 c2 IH2 | r o e | r own c IH | c1 IH1 c2 IH2 |];
      intros P m1 m2 m1' E inP H; cbn [left_run places] in *.
    - injection E as <-. eauto.
    - eapply both; eauto.
    - rewrite <- (@agree_value P m1 m2); auto;
        [| intros q Hq; apply (inP (false, q)), in_app_iff; left; now apply in_map].
      destruct (left_value m1 e) as [x |]; cbn [obind] in *; [| discriminate].
      assert (Pro : P (r, o)) by (apply (inP (true, (r, o))), in_app_iff; right; now left).
      rewrite <- (H r o Pro). destruct (m1 r o); [| discriminate]. injection E as <-.
      eexists. split; [reflexivity |]. intros r' o' Hp. unfold fset.
      destruct ((r' =? r) && (o' =? o)); auto.
    - destruct (left_run c (enter m1 r own)) as [m |] eqn:E1; cbn [obind] in E; [| discriminate].
      injection E as <-.
      destruct (IH (fun q => fst q = r \/ P q) _ (enter m2 r own) _ E1) as (m' & -> & H').
      + intros x Hx. destruct (Nat.eq_dec (fst (snd x)) r) as [e | ne]; [auto |].
        right. apply inP, in_filter_root. auto.
      + intros r' o' Hp. unfold enter. destruct (Nat.eqb_spec r' r); auto.
        destruct Hp as [Hp | Hp]; [now elim n | auto].
      + cbn [obind]. eexists. split; [reflexivity |]. intros r' o' Hp. unfold leave.
        destruct (Nat.eqb_spec r' r); [auto | apply H'; auto].
    - eapply both; eauto.
    - discriminate.
  Qed.

  Lemma same_run c m1 m2 m1' : left_run c m1 = Some m1' -> same m1 m2 ->
    exists m2', left_run c m2 = Some m2' /\ same m1' m2'.
  Proof.
    intros E H. destruct (@agree_run c (fun _ => True) m1 m2 m1' E) as (m2' & E' & H').
    - auto.
    - intros r o _. apply H.
    - exists m2'. split; auto. intros r o. now apply H'.
  Qed.

  Lemma run_keeps c : forall m m' r o, left_run c m = Some m' ->
    ~ In (true, (r, o)) (places c) -> m' r o = m r o.
  Proof.
    induction c as [| c1 IH1 c2 IH2 | r0 o0 e | r0 own c IH | c1 IH1 c2 IH2 |];
      intros m m' r o E out; cbn [left_run places] in *.
    - now injection E as <-.
    - destruct (left_run c1 m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      rewrite in_app_iff in out. rewrite (IH2 _ _ r o E); auto.
    - destruct (left_value m e) as [x |]; cbn [obind] in E; [| discriminate].
      destruct (m r0 o0); [| discriminate]. injection E as <-. unfold fset.
      destruct (Nat.eqb_spec r r0) as [-> |]; [| reflexivity].
      destruct (Nat.eqb_spec o o0) as [-> |]; [| reflexivity]. elim out.
      apply in_app_iff. right. now left.
    - destruct (left_run c (enter m r0 own)) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      injection E as <-. unfold leave. destruct (Nat.eqb_spec r r0) as [-> | ne]; [reflexivity |].
      rewrite (IH _ _ r o E1).
      + unfold enter. apply Nat.eqb_neq in ne. now rewrite ne.
      + intros Hx. apply out, in_filter_root. auto.
    - destruct (left_run c1 m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      rewrite in_app_iff in out. rewrite (IH2 _ _ r o E); auto.
    - discriminate.
  Qed.

  (** ** Steps touch places of what is left *)

  Lemma xstep_places e a e' : xstep e a e' ->
    incl (exp_places e') (exp_places e) /\
    (forall x, In x (accesses a) -> exists q, x = (false, q) /\ In q (exp_places e)).
  Proof.
    induction 1 as [r o x | o x | o e a e' _ [IH1 IH2] | o x y | o e1 a e1' e2 _ [IH1 IH2]
                   | o e1 e2 a e2' _ [IH1 IH2]]; cbn [exp_places accesses].
    - split; [intros q [] | intros y [<- | []]]. exists (r, o). split; [reflexivity | now left].
    - split; [apply incl_refl | intros y []].
    - auto.
    - split; [apply incl_refl | intros z []].
    - split.
      + apply incl_app; [now apply incl_appl | apply incl_appr, incl_refl].
      + intros x Hx. destruct (IH2 x Hx) as (q & -> & Hq). exists q. rewrite in_app_iff. auto.
    - split.
      + apply incl_app; [apply incl_appl, incl_refl | now apply incl_appr].
      + intros x Hx. destruct (IH2 x Hx) as (q & -> & Hq). exists q. rewrite in_app_iff. auto.
  Qed.

  Lemma elsewhere_access r (a : act) x : elsewhere r a -> In x (accesses a) -> fst (snd x) <> r.
  Proof. destruct a; cbn; try tauto; intros ne [<- | []]; exact ne. Qed.

  Lemma filter_incl r (F G : list faccess) : incl F G ->
    incl (filter (fun x => negb (fst (snd x) =? r)) F) (filter (fun x => negb (fst (snd x) =? r)) G).
  Proof. intros H x Hx. apply in_filter_root in Hx as [Hx ne]. apply in_filter_root. auto. Qed.

  Lemma tstep_places c a c' : tstep c a c' ->
    incl (places c') (places c) /\ incl (accesses a) (places c).
  Proof.
    induction 1 as [r o e a e' X | r o x | c1 a c1' c2 _ [IH1 IH2] | c2
      | c1 a c1' c2 _ [IH1 IH2] | c1 c2 a c2' _ [IH1 IH2] |
      | r own c a c' _ [IH1 IH2] away | r own c o x c' _ [IH1 IH2] _
      | r own c o x c' _ [IH1 IH2] _ | r own]; cbn [places accesses] in *.
    - destruct (xstep_places X) as [H1 H2]. split.
      + apply incl_app; [| apply incl_appr, incl_refl]. apply incl_appl.
        intros x Hx. apply in_map_iff in Hx as (q & <- & Hq). now apply in_map, H1.
      + intros x Hx. destruct (H2 x Hx) as (q & -> & Hq). apply in_app_iff. left. now apply in_map.
    - split; [intros y [] | apply incl_refl].
    - split; [apply incl_app; [now apply incl_appl | apply incl_appr, incl_refl] | now apply incl_appl].
    - split; [apply incl_refl | intros x []].
    - split; [apply incl_app; [now apply incl_appl | apply incl_appr, incl_refl] | now apply incl_appl].
    - split; [apply incl_app; [apply incl_appl, incl_refl | now apply incl_appr] | now apply incl_appr].
    - split; intros x [].
    - split; [now apply filter_incl |]. intros x Hx. apply in_filter_root.
      split; [auto | eapply elsewhere_access; eauto].
    - split; [now apply filter_incl | intros y []].
    - split; [now apply filter_incl | intros y []].
    - split; intros x [].
  Qed.

  Lemma tstep_safe c a c' : tstep c a c' -> safe c -> safe c'.
  Proof.
    induction 1 as [r o e a e' X | r o x | c1 a c1' c2 _ IH | c2 | c1 a c1' c2 T IH
      | c1 c2 a c2' T IH | | r own c a c' _ IH away | r own c o x c' _ IH _
      | r own c o x c' _ IH _ | r own]; cbn [safe]; intros H; try tauto.
    - destruct H as (H1 & H2 & Q). split; [auto |]. split; [auto |].
      eapply quiet_incl; [exact Q | apply (tstep_places T) | apply incl_refl].
    - destruct H as (H1 & H2 & Q). split; [auto |]. split; [auto |].
      eapply quiet_incl; [exact Q | apply incl_refl | apply (tstep_places T)].
  Qed.

  Lemma safe_no_race c : safe c -> ~ race c.
  Proof.
    intros H R.
    induction R as [c1 a c1' x c2 b c2' y T1 Hx T2 Hy C | c1 c2 _ IH | c1 c2 _ IH | c1 c2 _ IH
                   | r own c _ IH]; cbn [safe] in H; try tauto.
    destruct H as (_ & _ & Q). rewrite (Q x y) in C; [discriminate | |].
    - now apply (tstep_places T1).
    - now apply (tstep_places T2).
  Qed.

  (** ** A step of a later thread commutes with the run of an earlier one *)

  Lemma happens_same m a m1 m2 : happens m a m1 -> same m m2 ->
    exists m3, happens m2 a m3 /\ same m1 m3.
  Proof.
    intros [m' | m' r o x E | m' r o x E] H.
    - exists m2. split; [constructor | exact H].
    - exists m2. split; [constructor; congruence | exact H].
    - exists (fset m2 r o x). split; [constructor; rewrite <- H; exact E |].
      intros r' o'. unfold fset. now rewrite H.
  Qed.

  Lemma commute c m m' a m1 : left_run c m = Some m' -> happens m a m1 ->
    quiet (places c) (accesses a) ->
    exists m1' m2', left_run c m1 = Some m1' /\ happens m' a m2' /\ same m2' m1'.
  Proof.
    intros E H Q. destruct H as [m | m r o x at_ | m r o x at_].
    - exists m', m'. split; [exact E |]. split; [constructor | intros r o; reflexivity].
    - exists m', m'. split; [exact E |]. split; [| intros r' o'; reflexivity]. constructor.
      rewrite (@run_keeps c m m' r o E); [exact at_ |]. intros Hx.
      specialize (Q _ (false, (r, o)) Hx (or_introl eq_refl)).
      unfold fconflict in Q. cbn in Q. now rewrite !Nat.eqb_refl in Q.
    - assert (apart_ : forall y, In y (places c) -> snd y <> (r, o)).
      { intros [v q] Hy e. cbn in e. subst q.
        specialize (Q _ (true, (r, o)) Hy (or_introl eq_refl)).
        unfold fconflict in Q. cbn in Q. rewrite !Nat.eqb_refl, orb_true_r in Q. discriminate. }
      destruct (@agree_run c (fun q => q <> (r, o)) m (fset m r o x) m' E) as (m1' & E1 & H1).
      + exact apart_.
      + intros r' o' ne. unfold fset. destruct (Nat.eqb_spec r' r) as [-> |]; [| reflexivity].
        destruct (Nat.eqb_spec o' o) as [-> |]; [now elim ne | reflexivity].
      + exists m1', (fset m' r o x). split; [exact E1 |]. split.
        * constructor. rewrite (@run_keeps c m m' r o E); [exact at_ |].
          intros Hx. now apply apart_ in Hx.
        * intros r' o'. unfold fset at 1.
          destruct ((r' =? r) && (o' =? o)) eqn:B.
          -- apply andb_true_iff in B as [B1 B2]. apply Nat.eqb_eq in B1. apply Nat.eqb_eq in B2.
             subst. rewrite (@run_keeps c _ m1' r o E1).
             ++ unfold fset. now rewrite !Nat.eqb_refl.
             ++ intros Hx. now apply apart_ in Hx.
          -- apply H1. intros e. injection e as -> ->. now rewrite !Nat.eqb_refl in B.
  Qed.

  (** ** A step keeps the result of the sequential run *)

  Lemma xstep_value e a e' m m1 x : xstep e a e' -> happens m a m1 -> left_value m e = Some x ->
    m1 = m /\ left_value m e' = Some x.
  Proof.
    intros X. revert x.
    induction X as [r o y | o y | o e a e' _ IH | o y z | o e1 a e1' e2 _ IH | o e1 e2 a e2' _ IH];
      intros x H E; cbn [left_value] in *.
    - inversion H as [| ? ? ? ? at_ |]; subst. rewrite at_ in E. split; [reflexivity | exact E].
    - inversion H; subst. auto.
    - destruct (left_value m e) as [y |]; cbn [obind] in E; [| discriminate].
      destruct (IH y H eq_refl) as [-> ->]. auto.
    - inversion H; subst. auto.
    - destruct (left_value m e1) as [y |]; cbn [obind] in E; [| discriminate].
      destruct (IH y H eq_refl) as [-> ->]. auto.
    - destruct (left_value m e1) as [y |]; cbn [obind] in E |- *; [| discriminate].
      destruct (left_value m e2) as [z |]; cbn [obind] in E; [| discriminate].
      destruct (IH z H eq_refl) as [-> ->]. auto.
  Qed.

  Lemma xstep_exists e m x : left_value m e = Some x ->
    e = TVal x \/ exists a e', xstep e a e' /\ happens m a m.
  Proof.
    revert x. induction e as [y | r o | o e IH | o e1 IH1 e2 IH2 |]; intros x E; cbn in E.
    - injection E as ->. auto.
    - right. destruct (m r o) as [[y |] |] eqn:at_; try discriminate.
      exists (Read r o y), (TVal y). split; constructor. exact at_.
    - right. destruct (left_value m e) as [y |]; cbn in E; [| discriminate].
      destruct (IH y eq_refl) as [-> | (a & e' & X & H)].
      + do 2 eexists. split; [apply X_Un | constructor].
      + do 2 eexists. split; [apply X_UnIn; exact X | exact H].
    - right. destruct (left_value m e1) as [y |]; cbn in E; [| discriminate].
      destruct (left_value m e2) as [z |]; cbn in E; [| discriminate].
      destruct (IH1 y eq_refl) as [-> | (a & e' & X & H)];
        [destruct (IH2 z eq_refl) as [-> | (a & e' & X & H)] |].
      + do 2 eexists. split; [apply X_Bin | constructor].
      + do 2 eexists. split; [apply X_BinRight; exact X | exact H].
      + do 2 eexists. split; [apply X_BinLeft; exact X | exact H].
    - discriminate.
  Qed.

  Lemma same_refl m : same m m.
  Proof. intros r o. reflexivity. Qed.

  Lemma same_trans m1 m2 m3 : same m1 m2 -> same m2 m3 -> same m1 m3.
  Proof. intros H1 H2 r o. now rewrite H1. Qed.

  Lemma same_leave m1 m2 n1 n2 r : (forall o, m1 r o = m2 r o) -> same n1 n2 ->
    same (leave m1 n1 r) (leave m2 n2 r).
  Proof.
    intros H1 H2 r' o. unfold leave. destruct (Nat.eqb_spec r' r) as [-> |]; auto.
  Qed.

  Lemma happens_enter m a m1 r own : happens m a m1 -> elsewhere r a ->
    (forall o, m r o = m1 r o) /\
    exists m2, happens (enter m r own) a m2 /\ same m2 (enter m1 r own).
  Proof.
    intros [m' | m' r' o x E | m' r' o x E] away; cbn in away.
    - split; [auto |]. exists (enter m' r own). split; [constructor | apply same_refl].
    - split; [auto |]. exists (enter m' r own). split; [constructor | apply same_refl].
      unfold enter. apply Nat.eqb_neq in away. now rewrite away.
    - apply Nat.eqb_neq in away as away'. split.
      + intros o'. unfold fset. now rewrite Nat.eqb_sym, away'.
      + exists (fset (enter m' r own) r' o x). split.
        * constructor. unfold enter. now rewrite away'.
        * intros r0 o0. unfold fset, enter. destruct (Nat.eqb_spec r0 r) as [-> |]; [| reflexivity].
          now rewrite Nat.eqb_sym, away'.
  Qed.

  Theorem step_keeps c a c' : tstep c a c' -> safe c -> forall m m1 m',
    happens m a m1 -> left_run c m = Some m' ->
    exists m'', left_run c' m1 = Some m'' /\ same m' m''.
  Proof.
    assert (first : forall c1 c1' c2 m m1 m' (b : act),
      (forall m m1 m', happens m b m1 -> left_run c1 m = Some m' ->
         exists m'', left_run c1' m1 = Some m'' /\ same m' m'') ->
      happens m b m1 -> obind (left_run c1 m) (left_run c2) = Some m' ->
      exists m'', obind (left_run c1' m1) (left_run c2) = Some m'' /\ same m' m'').
    { intros c1 c1' c2 m m1 m' b IH H E.
      destruct (left_run c1 m) as [m2 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (IH m m1 m2 H E1) as (m3 & -> & S1). cbn [obind]. eapply same_run; eauto. }
    intros T.
    induction T as [r o e a e' X | r o x | c1 a c1' c2 T IH | c2 | c1 a c1' c2 T IH
      | c1 c2 a c2' T IH | | r own c a c' T IH away | r own c o x c' T IH at_
      | r own c o x c' T IH at_ | r own]; cbn [safe]; intros S m m1 m' H E; cbn [left_run] in *.
    - destruct (left_value m e) as [x |] eqn:Ex; cbn [obind] in E; [| discriminate].
      destruct (xstep_value X H Ex) as [-> ->]. cbn [obind]. exists m'. split; [exact E | apply same_refl].
    - cbn [left_value obind] in E. inversion H; subst. destruct (m r o); [| congruence].
      injection E as <-. eexists. split; [reflexivity | apply same_refl].
    - eapply first; eauto. apply IH. tauto.
    - inversion H; subst. exists m'. split; [exact E | apply same_refl].
    - eapply first; eauto. apply IH. tauto.
    - destruct S as (S1 & S2 & Q).
      destruct (left_run c1 m) as [m2 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (@commute c1 m m2 a m1 E1 H) as (m3 & m4 & -> & H4 & same43).
      { eapply quiet_incl; [exact Q | apply incl_refl | apply (tstep_places T)]. }
      cbn [obind]. destruct (IH S2 m2 m4 m' H4 E) as (m5 & E5 & S5).
      destruct (same_run c2' E5 same43) as (m6 & E6 & S6).
      exists m6. split; [exact E6 | eapply same_trans; eauto].
    - inversion H; subst. cbn in E. injection E as <-. eexists. split; [reflexivity | apply same_refl].
    - destruct (left_run c (enter m r own)) as [m2 |] eqn:E1; cbn [obind] in E; [| discriminate].
      injection E as <-.
      destruct (@happens_enter m a m1 r own H away) as [out (m3 & H3 & S3)].
      destruct (IH S _ _ _ H3 E1) as (m4 & E4 & S4).
      destruct (same_run c' E4 S3) as (m5 & -> & S5). cbn [obind].
      eexists. split; [reflexivity |]. apply same_leave; [exact out | eapply same_trans; eauto].
    - inversion H; subst.
      destruct (left_run c (enter m1 r own)) as [m2 |] eqn:E1; cbn [obind] in E; [| discriminate].
      injection E as <-.
      destruct (IH S (enter m1 r own) (enter m1 r own) m2) as (m4 & -> & S4); auto.
      { constructor. unfold enter. now rewrite Nat.eqb_refl. }
      cbn [obind]. eexists. split; [reflexivity |]. now apply same_leave.
    - inversion H; subst.
      destruct (left_run c (enter m1 r own)) as [m2 |] eqn:E1; cbn [obind] in E; [| discriminate].
      injection E as <-.
      destruct (IH S (enter m1 r own) (fset (enter m1 r own) r o x) m2) as (m4 & E4 & S4); auto.
      { constructor. unfold enter. now rewrite Nat.eqb_refl. }
      destruct (@same_run c' _ (enter m1 r (write_own own o x)) m4 E4) as (m5 & -> & S5).
      { intros r' o'. unfold fset, enter, write_own. destruct (r' =? r), (o' =? o); reflexivity. }
      cbn [obind]. eexists. split; [reflexivity |]. apply same_leave; [auto | eapply same_trans; eauto].
    - inversion H; subst. cbn [obind] in E. injection E as <-. exists m1. split; [reflexivity |].
      intros r' o. unfold leave, enter. destruct (Nat.eqb_spec r' r) as [-> |]; reflexivity.
  Qed.

  (** ** Something can always be done, and not for ever *)

  Lemma step_exists c : forall m m', left_run c m = Some m' ->
    c = TDone \/ exists a c' m1, tstep c a c' /\ happens m a m1.
  Proof.
    induction c as [| c1 IH1 c2 IH2 | r o e | r own c IH | c1 IH1 c2 IH2 |];
      intros m m' E; cbn [left_run] in E; auto; right.
    - destruct (left_run c1 m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (IH1 m m1 E1) as [-> | (a & c' & m2 & T & H)].
      + exists Quiet, c2, m. split; constructor.
      + exists a, (TSeq c' c2), m2. split; [now constructor | exact H].
    - destruct (left_value m e) as [x |] eqn:Ex; cbn [obind] in E; [| discriminate].
      destruct (xstep_exists e m Ex) as [-> | (a & e' & X & H)].
      + do 3 eexists. split; [apply T_Set | constructor]. destruct (m r o); easy.
      + do 3 eexists. split; [apply T_SetIn; exact X | exact H].
    - destruct (left_run c (enter m r own)) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (IH _ _ E1) as [-> | (a & c' & m2 & T & H)].
      + exists Quiet, TDone, m. split; constructor.
      + inversion H as [? | ? r' o x at_ | ? r' o x at_]; subst.
        * do 3 eexists. split; [apply T_BlockIn; [exact T | exact I] | constructor].
        * destruct (Nat.eq_dec r' r) as [-> | ne].
          -- do 3 eexists. split; [eapply T_BlockRead; [exact T |] | constructor].
             unfold enter in at_. now rewrite Nat.eqb_refl in at_.
          -- do 3 eexists. split; [apply T_BlockIn; [exact T | exact ne] | constructor].
             unfold enter in at_. apply Nat.eqb_neq in ne. now rewrite ne in at_.
        * destruct (Nat.eq_dec r' r) as [-> | ne].
          -- do 3 eexists. split; [eapply T_BlockWrite; [exact T |] | constructor].
             unfold enter in at_. now rewrite Nat.eqb_refl in at_.
          -- do 3 eexists. split; [apply T_BlockIn; [exact T | exact ne] | constructor].
             unfold enter in at_. apply Nat.eqb_neq in ne. now rewrite ne in at_.
    - destruct (left_run c1 m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (IH1 m m1 E1) as [-> | (a & c' & m2 & T & H)].
      + cbn [left_run] in E1. injection E1 as <-.
        destruct (IH2 m m' E) as [-> | (a & c' & m2 & T & H)].
        * exists Quiet, TDone, m. split; constructor.
        * exists a, (TPar TDone c'), m2. split; [now constructor | exact H].
      + exists a, (TPar c' c2), m2. split; [now constructor | exact H].
    - discriminate.
  Qed.

  Lemma xstep_work e a e' : xstep (A := A) e a e' -> exp_work e' < exp_work e.
  Proof. induction 1; cbn; lia. Qed.

  Lemma tstep_work c a c' : tstep (A := A) c a c' -> work c' < work c.
  Proof.
    induction 1 as [r o e a e' X | | | | | | | | | |]; cbn; try lia.
    apply xstep_work in X. lia.
  Qed.

  (** ** The result of all interleavings of what is left *)

  Theorem left_interleaving c m m' : safe c -> left_run c m = Some m' ->
    forall n m1 c1, steps n (m, c) (m1, c1) ->
      n + work c1 <= work c /\ ~ race c1 /\
      ((exists next, step (m1, c1) next) \/ (c1 = TDone /\ same m1 m')).
  Proof.
    intros S E n. revert c m m' S E. induction n as [| n IH]; intros c m m' S E m1 c1 R.
    - inversion R; subst. split; [lia |]. split; [now apply safe_no_race |].
      destruct (step_exists c1 _ E) as [-> | (a & c' & m2 & T & H)].
      + right. split; [reflexivity |]. cbn in E. injection E as <-. apply same_refl.
      + left. exists (m2, c'). econstructor; eauto.
    - inversion R as [| ? ? k' ? T1 R']; subst. inversion T1 as [? ? a m2 c2 T H]; subst.
      destruct (step_keeps T S H E) as (m3 & E3 & S3).
      destruct (IH c2 m2 m3 (tstep_safe T S) E3 m1 c1 R') as (W & no & fin).
      pose proof (tstep_work T). split; [lia |]. split; [exact no |].
      destruct fin as [more | [done eq]]; [now left | right]. split; [exact done |].
      intros r o. now rewrite eq, S3.
  Qed.

  (** ** A program that runs, runs in threads *)

  Context {N : sizes} {s : sizing N}.

  Lemma thread_value ie m (e : fexp A N) x : fev ie m e = Some x ->
    left_value m (thread_exp ie e) = Some x /\ exp_places (thread_exp ie e) = floads ie e.
  Proof.
    revert x. induction e as [r k | c | o e IH | o e1 IH1 e2 IH2 | c e1 IH1 e2 IH2 |];
      intros x E; cbn [fev thread_exp floads] in *.
    - destruct (natural (kev ie k)) as [o |]; cbn [obind] in E; [| discriminate]. auto.
    - split; [exact E | reflexivity].
    - destruct (fev ie m e) as [y |]; cbn [obind] in E; [| discriminate].
      destruct (IH y eq_refl) as [V P]. cbn. rewrite V. split; [exact E | exact P].
    - destruct (fev ie m e1) as [y |]; cbn [obind] in E; [| discriminate].
      destruct (fev ie m e2) as [z |]; cbn [obind] in E; [| discriminate].
      destruct (IH1 y eq_refl) as [V1 P1], (IH2 z eq_refl) as [V2 P2]. cbn.
      rewrite V1, V2, P1, P2. split; [exact E | reflexivity].
    - destruct (kholds ie c) as [b |]; cbn [obind] in E; [| discriminate]. destruct b; auto.
    - discriminate.
  Qed.

  Lemma fapart_quiet n F i j : fapart n F = true -> i < n -> j < n -> i <> j -> quiet (F i) (F j).
  Proof.
    intros H li lj ne x y Hx Hy. unfold fapart in H. rewrite forallb_forall in H.
    specialize (H i ltac:(apply in_seq; lia)). rewrite forallb_forall in H.
    specialize (H j ltac:(apply in_seq; lia)).
    apply orb_true_iff in H as [H | H]; [apply Nat.eqb_eq in H; lia |].
    rewrite forallb_forall in H. specialize (H x Hx). rewrite forallb_forall in H.
    now apply negb_true_iff, H.
  Qed.

  Lemma in_places_pars n f x : In x (places (pars n f)) -> exists i, i < n /\ In x (places (f i)).
  Proof.
    induction n as [| n IH]; cbn [pars places]; [intros [] |].
    rewrite in_app_iff. intros [H | H].
    - destruct (IH H) as (i & lt & Hi). exists i. auto.
    - exists n. auto.
  Qed.

  Lemma in_places_seqs n f x : In x (places (seqs n f)) -> exists i, i < n /\ In x (places (f i)).
  Proof.
    induction n as [| n IH]; cbn [seqs places]; [intros [] |].
    rewrite in_app_iff. intros [H | H].
    - destruct (IH H) as (i & lt & Hi). exists i. auto.
    - exists n. auto.
  Qed.

  Lemma loop_safe n (f : nat -> tstm) (F : nat -> list faccess) :
    (forall i, i < n -> safe (f i) /\ incl (places (f i)) (F i)) ->
    safe (seqs n f) /\ (fapart n F = true -> safe (pars n f)).
  Proof.
    intros H. split.
    - assert (below : forall i, i < n -> safe (f i)) by (intros i lt; now apply H). clear H F.
      induction n as [| n IH]; cbn; [exact I |]. split; [apply IH; auto | apply below; lia].
    - intros Ap. assert (forall k, k <= n -> safe (pars k f)) as G; [| now apply G].
      induction k as [| k IH]; cbn [pars safe]; [auto |]. intros le.
      split; [apply IH; lia |]. split; [apply H; lia |]. intros x y Hx Hy.
      apply in_places_pars in Hx as (i & lt & Hx).
      refine (@fapart_quiet n F i k Ap _ _ _ x y _ _); try lia; [apply (H i) | apply (H k)]; auto; lia.
  Qed.

  Lemma loop_run n (f : nat -> tstm) (g : nat -> store -> option store) :
    (forall i m m', i < n -> g i m = Some m' -> left_run (f i) m = Some m') ->
    forall m m', ffor n g m = Some m' ->
      left_run (seqs n f) m = Some m' /\ left_run (pars n f) m = Some m'.
  Proof.
    induction n as [| n IH]; cbn; intros H m m' E; [auto |].
    destruct (ffor n g m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
    destruct (IH (fun i m m' lt => H i m m' (Nat.lt_lt_succ_r _ _ lt)) m m1 E1) as [-> ->].
    cbn [obind]. auto.
  Qed.

  Theorem thread_run (c : fstm A N) : forall ie m m', frun ie c m = Some m' ->
    left_run (thread ie c) m = Some m' /\ safe (thread ie c) /\
    incl (places (thread ie c)) (ftouches ie c).
  Proof.
    induction c as [| s1 IH1 s2 IH2 | r k e | r d b IH | p l n b IH | c s1 IH1 s2 IH2 |];
      intros ie m m' E; cbn [frun thread ftouches] in *.
    - cbn. split; [exact E |]. split; [exact I | apply incl_refl].
    - destruct (frun ie s1 m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (IH1 ie m m1 E1) as (R1 & S1 & P1), (IH2 ie m1 m' E) as (R2 & S2 & P2).
      cbn [left_run safe places]. rewrite R1. cbn [obind]. split; [exact R2 |]. split; [auto |].
      apply incl_app; [now apply incl_appl | now apply incl_appr].
    - destruct (natural (kev ie k)) as [o |]; cbn [obind] in E; [| discriminate].
      destruct (fev ie m e) as [x |] eqn:Ex; cbn [obind] in E; [| discriminate].
      destruct (thread_value ie m e Ex) as [V P]. cbn [left_run safe places]. rewrite V, P.
      cbn [obind]. split; [exact E |]. split; [exact I | apply incl_refl].
    - destruct (frun ie b (falloc m r (cells d))) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (IH ie _ m1 E1) as (R1 & S1 & P1). cbn [left_run safe places].
      change (enter m r (fun k => if k <? cells d then Some None else None))
        with (falloc m r (cells d)).
      rewrite R1. cbn [obind]. split; [exact E |]. split; [exact S1 | now apply filter_incl].
    - destruct (match p with Seq => true | Par => _ end) eqn:May; [| discriminate].
      pose proof (ffor_each _ _ E) as each.
      set (f := fun i => thread (upi ie l i) b).
      assert (one : forall i, i < #n -> safe (f i) /\ incl (places (f i)) (ftouches (upi ie l i) b)).
      { intros i lt. destruct (each i lt) as (m1 & m2 & Ei). apply (IH _ _ _ Ei). }
      destruct (@loop_run #n f _ (fun i m m' _ Ei => proj1 (IH _ _ _ Ei)) m m' E) as [Rs Rp].
      destruct (@loop_safe #n f _ one) as [Ss Sp].
      destruct p; (split; [assumption |]); (split; [now auto |]); intros x Hx.
      + apply in_places_seqs in Hx as (i & lt & Hx). apply in_flat_map. exists i.
        rewrite in_seq. split; [lia | now apply one].
      + apply in_places_pars in Hx as (i & lt & Hx). apply in_flat_map. exists i.
        rewrite in_seq. split; [lia | now apply one].
    - destruct (kholds ie c) as [b |]; cbn [obind] in E; [| discriminate]. destruct b; eauto.
    - discriminate.
  Qed.

  (** From a program that runs (without races, which [frun] asks of each parallel loop):
      no interleaving has a data race, is stuck before its end, goes on for ever or
      ends in another store. *)
  Theorem par_interleaving (c : fstm A N) ie m m' : frun ie c m = Some m' ->
    forall n m1 c1, steps n (m, thread ie c) (m1, c1) ->
      n + work c1 <= work (thread ie c) /\ ~ race c1 /\
      ((exists next, step (m1, c1) next) \/ (c1 = TDone /\ forall r o, m1 r o = m' r o)).
  Proof.
    intros E. destruct (@thread_run c ie m m' E) as (R & S & _). exact (left_interleaving S R).
  Qed.
End ThreadsProof.
