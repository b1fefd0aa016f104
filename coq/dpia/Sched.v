(** * Order of iterations

    About all commands, translated or not: the result of a command depends on the
    places of its footprint only, and a parallel loop without races gives the same
    store in whatever order its iterations run. *)

From Coq Require Import List Arith Lia Bool ZArith Permutation.
From Calque Require Import dpia.Syntax dpia.Nth dpia.Values dpia.Target dpia.Access dpia.Footprint.
Import ListNotations.
Set Implicit Arguments.

Section Sched.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation vexp := (vexp A N). Notation comm := (comm A N). Notation store := (store A).
  Implicit Types (v : vexp) (c : comm) (ie : ienv) (m t : store).

  (** The private roots of a command. *)
  Fixpoint news c (r : nat) : Prop :=
    match c with
    | CSkip | CAssign _ _ => False
    | CSeq c1 c2 | CIf _ c1 c2 => news c1 r \/ news c2 r
    | CNew r' _ c => r = r' \/ news c r
    | CLoop _ _ _ c => news c r
    end.

  Definition agree_on (P : loc -> Prop) m t : Prop := forall r q, P (r, q) -> m r q = t r q.

  (** ** A command depends on its footprint only *)

  Lemma rd_local ie m t v : forall p,
    (forall r q, In (r, q) (reads ie v p) -> m r q = t r q) -> rd ie m v p = rd ie t v p.
  Proof.
    induction v; intros p same; cbn [rd reads] in *; auto.
    - rewrite same by (cbn; auto). reflexivity.
    - destruct p; auto. now rewrite IHv.
    - destruct p; auto. rewrite IHv1, IHv2; auto; intros; apply same, in_app_iff; auto.
    - destruct p as [| [? | |] p]; auto. destruct p as [| [? | |] p]; auto.
    - destruct p as [| [? | |] p]; auto. destruct p as [| [? | |] p]; auto.
    - destruct p as [| [? | |] p]; auto. destruct (#n =? 0); auto.
    - destruct (index ie i); cbn; auto.
    - destruct p as [| [? | |] p]; auto.
    - destruct p as [| [? | |] p]; auto. destruct (i <? #n); auto.
    - destruct p as [| [? | |] p]; auto. destruct p as [| [? | |] p]; auto.
    - destruct (holds ie c); auto.
  Qed.

  Lemma for_local (P : loc -> Prop) f n : forall m t m',
    (forall i m t m', i < n -> agree_on P m t -> f i m = Some m' ->
       exists t', f i t = Some t' /\ agree_on P m' t') ->
    agree_on P m t -> for_ n f m = Some m' ->
    exists t', @for_ A n f t = Some t' /\ agree_on P m' t'.
  Proof.
    induction n as [| n IH]; cbn; intros m t m' body same E; [injection E as <-; eauto |].
    destruct (for_ n f m) as [m1 |] eqn:E1; cbn in E; try discriminate.
    destruct (IH m t m1) as (t1 & -> & same1); auto.
    { intros i m2 t2 m2' lt. apply body. lia. }
    cbn. eapply body; eauto.
  Qed.

  Lemma exec_local c : forall ie m t m' (P : loc -> Prop),
    (forall x, In x (footprint ie c) -> P (snd x)) -> agree_on P m t -> exec ie c m = Some m' ->
    exists t', exec ie c t = Some t' /\ agree_on P m' t'.
  Proof.
    induction c as [| c1 IH1 c2 IH2 | a v | r d c IH | p l n c IH | b c1 IH1 c2 IH2];
      intros ie m t m' P HP same E; cbn [exec footprint] in *.
    - injection E as <-. eauto.
    - destruct (exec ie c1 m) as [m1 |] eqn:E1; cbn in E; try discriminate.
      destruct (IH1 ie m t m1 P) as (t1 & -> & same1); auto; [intros; apply HP, in_app_iff; auto |].
      cbn. apply (IH2 ie m1 t1 m' P); auto. intros; apply HP, in_app_iff; auto.
    - destruct (wr ie a []) as [p |]; cbn in *; try discriminate.
      rewrite <- (@rd_local ie m t).
      2: { intros r q H. apply same. apply (HP (false, (r, q))). apply in_app_iff. left.
           now apply in_map. }
      destruct (rd ie m v []) as [x |]; cbn in *; try discriminate.
      rewrite <- (same (aroot a) p).
      2: { apply (HP (true, (aroot a, p))). apply in_app_iff. right. cbn; auto. }
      destruct (m (aroot a) p); try discriminate. injection E as <-. eexists; split; eauto.
      intros r q H. unfold set. destruct ((r =? aroot a) && path_eqb q p); auto.
    - destruct (IH ie (alloc m r d) (alloc t r d) m' (fun l => P l \/ fst l = r)) as
        (t' & X & same'); auto.
      + intros x Hx. destruct (Nat.eq_dec (root_of x) r) as [eq | ne]; [now right |].
        left. apply HP, filter_In. split; auto. now apply negb_true_iff, Nat.eqb_neq.
      + intros r' q [H | H]; cbn in *; unfold alloc; [| subst; now rewrite Nat.eqb_refl].
        destruct (r' =? r); auto.
      + exists t'. split; auto. intros r' q H. apply same'. now left.
    - destruct (may_loop p ie l #n c); try discriminate.
      eapply for_local; eauto. intros i m0 t0 m0' lt same0 E0. eapply IH; eauto. intros x Hx.
      apply HP, in_flat_map. exists i. split; auto. apply in_seq; lia.
    - destruct (holds ie b); eauto.
  Qed.

  (** ** Nothing else changes *)

  Lemma for_unchanged f n m m' (U : nat -> path -> Prop) :
    (forall i m m', i < n -> f i m = Some m' -> forall r q, U r q -> m' r q = m r q) ->
    @for_ A n f m = Some m' -> forall r q, U r q -> m' r q = m r q.
  Proof.
    revert m'. induction n as [| n IH]; cbn; intros m' body E r q HU; [congruence |].
    destruct (for_ n f m) as [m1 |] eqn:E1; cbn in E; try discriminate.
    rewrite (body n m1 m') by auto. eapply IH; eauto.
  Qed.

  Lemma exec_unchanged c : forall ie m m', exec ie c m = Some m' ->
    forall r q, ~ In (true, (r, q)) (footprint ie c) -> ~ news c r -> m' r q = m r q.
  Proof.
    induction c as [| c1 IH1 c2 IH2 | a v | r0 d c IH | p l n c IH | b c1 IH1 c2 IH2];
      intros ie m m' E r q out priv; cbn [exec footprint news] in *.
    - congruence.
    - destruct (exec ie c1 m) as [m1 |] eqn:E1; cbn in E; try discriminate.
      rewrite in_app_iff in out.
      rewrite (IH2 _ _ _ E r q), (IH1 _ _ _ E1 r q); tauto.
    - destruct (wr ie a []) as [p |]; cbn in *; try discriminate.
      destruct (rd ie m v []); cbn in *; try discriminate.
      destruct (m (aroot a) p); try discriminate. injection E as <-. unfold set.
      destruct (Nat.eqb_spec r (aroot a)) as [-> |]; auto. cbn.
      destruct (path_eqb q p) eqn:B; auto. apply path_eqb_eq in B. subst.
      exfalso. apply out, in_app_iff. right. cbn; auto.
    - rewrite (IH _ _ _ E r q); [| | tauto].
      + unfold alloc. destruct (Nat.eqb_spec r r0); auto. tauto.
      + intros H. apply out, filter_In. split; auto. apply negb_true_iff, Nat.eqb_neq. cbn. tauto.
    - destruct (may_loop p ie l #n c); try discriminate.
      eapply (@for_unchanged _ #n m m' (fun r q =>
        ~ In (true, (r, q)) (flat_map (fun i => footprint (upi ie l i) c) (seq 0 #n)) /\
          ~ news c r)); eauto.
      intros i m0 m0' lt E0 r1 q1 [out1 priv1]. apply (IH _ _ _ E0); auto. intros H.
      apply out1, in_flat_map. exists i. split; [apply in_seq; lia | exact H].
    - destruct (holds ie b); [eapply IH1 | eapply IH2]; eauto; tauto.
  Qed.

  (** ** Iterations in any order *)

  Fixpoint iterate (is : list nat) (f : nat -> store -> option store) m : option store :=
    match is with [] => Some m | i :: is => obind (f i m) (iterate is f) end.

  Lemma iterate_app is js f m : iterate (is ++ js) f m = obind (iterate is f m) (iterate js f).
  Proof. revert m; induction is as [| i is IH]; cbn; intros m; auto.
  destruct (f i m); cbn; auto. Qed.

  Lemma for_iterate n f m : for_ n f m = iterate (seq 0 n) f m.
  Proof.
    induction n as [| n IH]; auto. rewrite seq_S, iterate_app. cbn [for_]. rewrite IH.
    destruct (iterate (seq 0 n) f m) as [m1 |]; cbn; auto. destruct (f n m1); auto.
  Qed.

  Section Loop.
    Variables (ie : ienv) (l n : nat) (c : comm) (m : store).
    Notation F i := (footprint (upi ie l i) c).
    Notation body := (fun i => exec (upi ie l i) c).
    Hypothesis free : racefree ie l n c = true.
    Hypothesis private : forall i x, i < n -> In x (F i) -> ~ news c (root_of x).

    Lemma no_race i j x y :
      i < n -> j < n -> i <> j -> In x (F i) -> In y (F j) -> fst x = true -> snd x <> snd y.
    Proof using free.
      intros lt_i lt_j ne Hx Hy W.
      apply ((proj1 (apart_iff (fun i => F i) n) free) i j x y); auto. now rewrite W.
    Qed.

    (** [t] is the store [m] with the effects of the iterations [D], each run from [m]. *)
    Definition joined (D : list nat) t : Prop := forall r q, ~ news c r ->
      (exists i mi, In i D /\ In (true, (r, q)) (F i) /\ body i m = Some mi /\ t r q = mi r q) \/
      ((forall i, In i D -> ~ In (true, (r, q)) (F i)) /\ t r q = m r q).

    Lemma joined_agree D t j : (forall i, In i D -> i < n) -> j < n -> ~ In j D -> joined D t ->
      agree_on (fun l => In l (map snd (F j))) t m.
    Proof using free private.
      intros HD lt_j out J r q H. apply in_map_iff in H as ([b x] & E & H). cbn in E. subst.
      destruct (J r q) as [(i & mi & Hi & W & _) | [_ E]]; auto;
        [exact (@private j (b, (r, q)) lt_j H) |].
      exfalso. assert (ne : i <> j) by (intros ->; auto).
      exact (@no_race i j (true, (r, q)) (b, (r, q)) (HD i Hi) lt_j ne W H eq_refl eq_refl).
    Qed.

    Lemma writes_decidable j x : In (true, x) (F j) \/ ~ In (true, x) (F j).
    Proof using.
      destruct (existsb (fun y => fst y && loc_eqb (snd y) x) (F j)) eqn:X.
      - left. apply existsb_exists in X as ([b y] & H & Y). cbn in Y.
        apply andb_true_iff in Y as [-> Y]. apply loc_eqb_eq in Y. now subst.
      - right. intros H. assert (Y : existsb (fun y => fst y && loc_eqb (snd y) x) (F j) = true).
        { apply existsb_exists. exists (true, x). split; auto. cbn. now apply loc_eqb_eq. }
        congruence.
    Qed.

    Lemma joined_step D t j mj : (forall i, In i D -> i < n) -> j < n -> ~ In j D -> joined D t ->
      body j m = Some mj -> exists t', body j t = Some t' /\ joined (D ++ [j]) t'.
    Proof using free private.
      intros HD lt_j out J E. pose proof (joined_agree HD lt_j out J) as agr.
      destruct (@exec_local c (upi ie l j) m t mj (fun l => In l (map snd (F j)))) as
        (t' & E' & agr'); auto.
      - intros x Hx. now apply in_map.
      - intros r q H. symmetry. now apply agr.
      - exists t'. split; auto. intros r q priv. pose proof (exec_unchanged _ _ _ E') as U.
        destruct (writes_decidable j (r, q)) as [W | W].
        + left. exists j, mj. rewrite in_app_iff. cbn. repeat split; auto.
          symmetry. apply agr'. apply in_map_iff. exists (true, (r, q)); auto.
        + rewrite (U r q W priv). destruct (J r q priv) as
            [(i & mi & Hi & Wi & Ei & Ti) | [none Ti]].
          * left. exists i, mi. rewrite in_app_iff. auto.
          * right. split; auto. intros i Hi. apply in_app_iff in Hi as [Hi | [<- | []]]; auto.
    Qed.

    Lemma joined_all : (forall i, i < n -> exists mi, body i m = Some mi) ->
      forall js D t, NoDup (D ++ js) -> (forall i, In i (D ++ js) -> i < n) -> joined D t ->
      exists t', iterate js body t = Some t' /\ joined (D ++ js) t'.
    Proof using free private.
      intros each. induction js as [| j js IH]; intros D t nd HD J; cbn.
      - exists t. now rewrite app_nil_r.
      - assert (lt_j : j < n) by (apply HD, in_app_iff; cbn; auto).
        destruct (each j lt_j) as [mj Ej].
        destruct (@joined_step D t j mj) as (t' & -> & J'); auto.
        + intros i Hi. apply HD, in_app_iff; auto.
        + apply NoDup_remove_2 in nd. rewrite in_app_iff in nd. tauto.
        + cbn. replace (D ++ j :: js) with ((D ++ [j]) ++ js) in * by
            (rewrite <- app_assoc; reflexivity).
          apply IH; auto.
    Qed.

    Lemma joined_nil : joined [] m.
    Proof using. intros r q _. right. split; auto. Qed.

    (** When the loop runs in program order, every iteration runs from [m] too. *)
    Lemma joined_in_order k t : k <= n -> iterate (seq 0 k) body m = Some t ->
      (forall i, i < k -> exists mi, body i m = Some mi) /\ joined (seq 0 k) t.
    Proof using free private.
      revert t. induction k as [| k IH]; intros t le E.
      - cbn in E. injection E as <-. split; [intros; lia | apply joined_nil].
      - rewrite seq_S, iterate_app in *.
        destruct (iterate (seq 0 k) body m) as [t1 |] eqn:E1; cbn in E; try discriminate.
        destruct (IH t1) as [each J]; auto; [lia |].
        destruct (exec (upi ie l k) c t1) as [t2 |] eqn:E2; cbn in E; try discriminate.
        injection E as <-.
        assert (HD : forall i, In i (seq 0 k) -> i < n) by (intros i Hi; apply in_seq in Hi; lia).
        assert (out : ~ In k (seq 0 k)) by (intros Hi; apply in_seq in Hi; lia).
        pose proof (joined_agree HD (j := k) ltac:(lia) out J) as agr.
        destruct (@exec_local c (upi ie l k) t1 m t2 (fun l => In l (map snd (F k)))) as
          (mk & Ek & _); auto.
        { intros x Hx. now apply in_map. }
        split.
        + intros i lt. destruct (Nat.eq_dec i k) as [-> |]; eauto. apply each; lia.
        + destruct (@joined_step (seq 0 k) t1 k mk) as (t' & E' & J'); auto; try lia.
          cbn beta in E'. rewrite E2 in E'. injection E' as <-. exact J'.
    Qed.

    Theorem par_any_order t : for_ n body m = Some t -> forall is, Permutation is (seq 0 n) ->
      exists t', iterate is body m = Some t' /\ forall r q, ~ news c r -> t' r q = t r q.
    Proof using free private.
      rewrite for_iterate. intros E is perm. destruct (joined_in_order (le_n n) E) as [each J].
      destruct (joined_all each is (D := []) (t := m)) as (t' & E' & J').
      - cbn. eapply Permutation_NoDup; [apply Permutation_sym; exact perm | apply seq_NoDup].
      - intros i Hi. cbn in Hi. eapply Permutation_in in Hi; eauto. apply in_seq in Hi. lia.
      - apply joined_nil.
      - exists t'. split; auto. intros r q priv. cbn in J'.
        destruct (J r q priv) as [(i & mi & Hi & Wi & Ei & Ti) | [none Ti]],
                 (J' r q priv) as [(j & mj & Hj & Wj & Ej & Tj) | [none' Tj]].
        + assert (i = j) as ->.
          { destruct (Nat.eq_dec i j) as [| ne]; auto. exfalso. apply in_seq in Hi.
            eapply Permutation_in in Hj; eauto. apply in_seq in Hj.
            refine (@no_race i j (true, (r, q)) (true, (r, q)) _ _ ne Wi Wj eq_refl eq_refl); lia. }
          congruence.
        + exfalso. eapply none'; eauto.
          eapply Permutation_in; [apply Permutation_sym; exact perm | exact Hi].
        + exfalso. eapply none; eauto. eapply Permutation_in; eauto.
        + congruence.
    Qed.
  End Loop.
End Sched.
