(** * In-place updates of array accumulators

    An elementwise body reads, of the accumulator, only the element that it is
    about to write.  [aligned d k ie a v] says so of a view: [k] array dimensions
    down, it reads the root of [a] at the place being written and nowhere else. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Sched dpia.Frame dpia.Loop.
Import ListNotations.
Set Implicit Arguments.

Section Inplace.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation exp := (exp A N). Notation vexp := (vexp A N).
  Notation vacc := (vacc N). Notation comm := (comm A N). Notation ctx := (ctx N).
  Notation value := (value A). Notation store := (store A).
  Implicit Types (d : data) (e : exp) (v : vexp) (a : vacc) (ie : ienv) (G : ctx) (w : value).
  Implicit Types (P : nat -> Prop) (rho : list vexp) (env : list value) (m : store).

  (** ** Expressions without commands *)

  Lemma quiet_trans e : quiet e = true -> forall rho k l, trans_c e rho k l = k (view e rho) l.
  Proof.
    unfold trans_c. induction e; cbn [quiet]; intros Q rho k l; try discriminate;
      cbn [trans snd view];
      try (rewrite IHe; auto; fail); try reflexivity;
      try (apply andb_true_iff in Q as [Q1 Q2]; rewrite IHe1, IHe2; auto).
    apply andb_true_iff in Q as [Q1 Q2]. rewrite Q1, Q2. cbn [andb]. now rewrite IHe1, IHe2.
  Qed.

  Lemma pure_quiet e : pure e = true -> quiet e = true.
  Proof.
    induction e; cbn; try discriminate; auto; rewrite !andb_true_iff; intuition.
  Qed.

  Lemma view_scope P l G rho e d : ty G e d -> quiet e = true -> scoped P l G rho ->
    vscope P (below l) (view e rho).
  Proof.
    induction 1 as [G x d looked | | G o e _ IH | G o e1 e2 _ IH1 _ IH2 | | | |
      | G n d1 d2 e1 e2 _ IH1 _ IH2 | G n k d e _ IH | G n k d e _ IH | G n d e i _ IH scope rng
      | G d1 d2 e1 e2 _ IH1 _ IH2 | G d1 d2 e _ IH | G d1 d2 e _ IH | G n d e _ IH | G n k d e _ IH
      | G c d e1 e2 scope _ IH1 _ IH2 |]; cbn [quiet view vscope]; intros Q HS;
      try discriminate; rewrite ?andb_true_iff in Q; try exact I;
        try (destruct Q; split; auto; fail); auto.
    - destruct (HS _ _ looked) as (v & Ev & Hv). now rewrite (nth_error_nth _ _ _ Ev).
    - split; auto. eapply ix_scope; eauto.
    - destruct Q. repeat split; auto. eapply cond_scope; eauto.
  Qed.

  Lemma view_matches P l ie m G rho env e d : ty G e d -> quiet e = true ->
    represents P l ie m G rho env -> matches ie m d (view e rho) (eval env e).
  Proof.
    induction 1 as [G x d looked | | G o e _ IH | G o e1 e2 _ IH1 _ IH2 | | | |
      | G n d1 d2 e1 e2 _ IH1 _ IH2 | G n k d e _ IH | G n k d e _ IH | G n d e i _ IH scope rng
      | G d1 d2 e1 e2 _ IH1 _ IH2 | G d1 d2 e _ IH | G d1 d2 e _ IH | G n d e _ IH | G n k d e _ IH
      | G c d e1 e2 scope _ IH1 _ IH2 |]; cbn [quiet view eval]; intros Q HR;
      try discriminate; rewrite ?andb_true_iff in Q.
    - destruct (proj1 HR _ _ looked) as (v & w & Ev & Ew & _ & M).
      now rewrite (nth_error_nth _ _ _ Ev), (nth_error_nth _ _ _ Ew).
    - apply match_lit.
    - apply match_un; auto.
    - destruct Q. apply match_bin; auto.
    - destruct Q. apply match_zip; auto.
    - apply match_split; auto.
    - apply match_join; auto.
    - destruct (index_value HR scope rng) as (k & E & E' & lt). rewrite E. eapply match_idx; eauto.
    - destruct Q. apply match_pair; auto.
    - eapply match_fst; eauto.
    - eapply match_snd; eauto.
    - apply match_rev; auto.
    - apply match_tr; auto.
    - destruct Q as [Q1 Q2]. rewrite <- (cond_value c HR scope).
      pose proof (represents_assume c HR) as HR'.
      rewrite <- (cond_value c HR scope) in HR'.
      apply match_ite; intros E; rewrite E in HR'; auto.
  Qed.

  (** ** Alignment *)

  Fixpoint aligned d (k : nat) ie a v {struct d} : Prop :=
    match k with
    | 0 => forall p q, leaf d p -> In (aroot a, q) (reads ie v p) -> wr ie a [] = Some q
    | S k' =>
        match d with
        | DNum => forall q, ~ In (aroot a, q) (reads ie v [])
        | DAry n d' => forall i, i < #n ->
            aligned d' k' ie (AIdx a (XCst (Z.of_nat i))) (VIdx v (XCst (Z.of_nat i)))
        | DPair d1 d2 => aligned d1 k ie a (VFst v) /\ aligned d2 k ie a (VSnd v)
        end
    end.

  (** Exactly [k] dimensions of numbers. *)
  Fixpoint of_rank (k : nat) d : Prop :=
    match k, d with 0, DNum => True | S k, DAry _ d => of_rank k d | _, _ => False end.

  Lemma rank_of d : forall k, rank d = Some k -> of_rank k d.
  Proof.
    induction d as [| n d IH | d1 _ d2 _]; cbn; intros k E; try discriminate;
      [injection E as <-; exact I |].
    destruct (rank d) as [k' |]; cbn in E; try discriminate. injection E as <-. cbn. auto.
  Qed.

  Lemma aligned_ext d : forall k ie ie' a a' v v', aroot a = aroot a' ->
    (forall p, wr ie a p = wr ie' a' p) -> (forall p, reads ie v p = reads ie' v' p) ->
    aligned d k ie a v -> aligned d k ie' a' v'.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros [| k] ie ie' a a' v v' E W Rd; cbn [aligned];
      try (intros H p q lf HI; rewrite <- W; eapply H; eauto; rewrite E, Rd; auto; fail).
    - intros H q HI. apply (H q). rewrite E, Rd; auto.
    - intros H i lt. eapply IH; [| | | apply (H i lt)]; cbn [aroot wr reads]; auto;
        intros p; now rewrite !index_const; cbn.
    - intros [H1 H2]. split; [eapply IH1; [| | | exact H1] | eapply IH2; [| | | exact H2]]; cbn;
        auto.
  Qed.

  Lemma aligned_clean d : forall k ie a v V, vscope (fun r => r <> aroot a) V v ->
    aligned d k ie a v.
  Proof.
    assert (clean : forall ie a v V p q,
              vscope (fun r => r <> aroot a) V v -> ~ In (aroot a, q) (reads ie v p)).
    { intros ie a v V p q H HI. eapply reads_roots in HI; eauto. cbn in HI. auto. }
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros [| k] ie a v V H; cbn [aligned];
      try (intros p q _ HI; exfalso; eapply clean; eauto; fail).
    - intros q HI. eapply clean; eauto.
    - intros i lt. apply IH with (V := V). cbn. auto.
    - split; [eapply IH1 | eapply IH2]; eauto.
  Qed.

  Lemma aligned_self d : forall k ie a v, of_rank k d ->
    (forall p, reads ie v p = match wr ie a p with Some q => [(aroot a, q)] | None => [] end) ->
    aligned d k ie a v.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros [| k] ie a v rk Rd; cbn in rk; try tauto;
      cbn [aligned].
    - intros p q lf HI. destruct p; cbn in lf; try tauto. rewrite Rd in HI.
      destruct (wr ie a []); cbn in HI; [| tauto]. destruct HI as [E | []]. congruence.
    - intros i lt. apply IH; auto. intros p. cbn [reads wr aroot]. rewrite !index_const. cbn.
      apply Rd.
  Qed.

  (** What is read is a place that will be written. *)
  Lemma aligned_reads d : forall k ie a v p q, aligned d k ie a v -> leaf d p ->
    In (aroot a, q) (reads ie v p) -> exists is, length is = k /\ wr ie a (map At is) = Some q.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros [| k] ie a v p q H lf HI; cbn [aligned] in H;
      try (exists []; split; auto; eapply H; eauto; fail).
    - destruct p; cbn in lf; try tauto. exfalso; eapply H; eauto.
    - destruct p as [| [i | |] p]; cbn in lf; try tauto. destruct lf as [lt lf].
      destruct (IH k ie (AIdx a (XCst (Z.of_nat i))) (VIdx v (XCst (Z.of_nat i))) p q (H i lt) lf)
        as (is & len & W).
      + cbn [reads aroot]. now rewrite index_const.
      + cbn [wr] in W. rewrite index_const in W. cbn in W. exists (i :: is). cbn. auto.
    - destruct H as [H1 H2]. destruct p as [| [i | |] p]; cbn in lf; try tauto;
        [eapply IH1 in H1 | eapply IH2 in H2]; eauto.
  Qed.

  (** At depth 0 the type does not matter but for its leaves. *)
  Lemma aligned_0 d ie a v :
    aligned d 0 ie a v <-> (forall p q, leaf d p -> In (aroot a, q) (reads ie v p) ->
      wr ie a [] = Some q).
  Proof. destruct d; reflexivity. Qed.

  (** ** Pure views are aligned when the variables they use are *)

  Lemma aligned_pure k ie a G rho e d : ty G e d -> pure e = true ->
    (forall x t, occurs x e = true -> nth_error (vars G) x = Some t ->
       exists v, nth_error rho x = Some v /\ match t with TD d => aligned d k ie a v |
         _ => True end) ->
    aligned d k ie a (view e rho).
  Proof.
    induction 1 as [G x d looked | | G o e _ IH | G o e1 e2 _ IH1 _ IH2 | | | |
      | G n d1 d2 e1 e2 _ IH1 _ IH2 | | | | G d1 d2 e1 e2 _ IH1 _ IH2 | G d1 d2 e _ IH |
        G d1 d2 e _ IH | | | |];
      cbn [pure]; try discriminate; intros HP HE; cbn [view].
    - destruct (HE x (TD d)) as (v & Ev & al); auto; [cbn; apply Nat.eqb_refl |].
      now rewrite (nth_error_nth _ _ _ Ev).
    - apply aligned_clean with (V := fun _ => True). exact I.
    - specialize (IH HP HE). destruct k; cbn [aligned] in *.
      + intros p q lf HI. cbn [reads] in HI. apply (IH [] q); cbn; auto.
      + intros q HI. now apply (IH q).
    - apply andb_true_iff in HP as [P1 P2].
      assert (al1 := IH1 P1 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx)).
      assert (al2 := IH2 P2 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx, orb_true_r)).
      destruct k; cbn [aligned reads] in *.
      + intros p q lf HI. apply in_app_iff in HI as [HI | HI];
          [apply (al1 [] q) | apply (al2 [] q)]; cbn; auto.
      + intros q HI. apply in_app_iff in HI as [HI | HI]; [now apply (al1 q) | now apply (al2 q)].
    - apply andb_true_iff in HP as [P1 P2].
      assert (al1 := IH1 P1 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx)).
      assert (al2 := IH2 P2 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx, orb_true_r)).
      destruct k as [| k].
      + cbn [aligned] in *. intros p q lf HI. path_cases p i. destruct lf as [lt lf].
        path_cases p j; cbn [reads] in HI;
          [eapply al1 | eapply al2]; eauto; cbn; auto.
      + cbn [aligned] in *. intros i lt. specialize (al1 i lt). specialize (al2 i lt).
        destruct k as [| k].
        * apply aligned_0. rewrite aligned_0 in al1, al2. intros p q lf HI. cbn [aroot] in *.
          cbn [reads] in HI. rewrite index_const in HI. path_cases p j; cbn [reads] in HI.
          -- eapply al1; eauto. cbn [reads]. now rewrite index_const.
          -- eapply al2; eauto. cbn [reads]. now rewrite index_const.
        * cbn [aligned]. split; [eapply aligned_ext; [| | | exact al1] | eapply aligned_ext;
            [| | | exact al2]];
            auto; intros p; cbn [reads]; now rewrite index_const.
    - apply andb_true_iff in HP as [P1 P2].
      assert (al1 := IH1 P1 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx)).
      assert (al2 := IH2 P2 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx, orb_true_r)).
      destruct k as [| k].
      + rewrite aligned_0 in *. intros p q lf HI.
        path_cases p i; cbn [reads] in HI; [eapply al1 | eapply al2]; eauto.
      + cbn [aligned]. split; [eapply aligned_ext; [| | | exact al1] | eapply aligned_ext;
          [| | | exact al2]]; auto.
    - specialize (IH HP HE). destruct k; cbn [aligned] in IH; [| tauto].
      apply aligned_0. intros p q lf HI. apply (IH (L :: p) q); cbn; auto.
    - specialize (IH HP HE). destruct k; cbn [aligned] in IH; [| tauto].
      apply aligned_0. intros p q lf HI. apply (IH (R :: p) q); cbn; auto.
  Qed.

  (** At num, [A(e)(a)] is [C(e)(v. a := v)] for pure expressions. *)
  Lemma pure_num G e : ty G e DNum -> pure e = true ->
    forall rho a l, trans_a e rho DNum a l = CAssign a (view e rho).
  Proof.
    intros T Q rho a l.
    assert (E : trans_a e rho DNum = via_c (trans_c e rho) DNum) by
      (inversion T; subst; try discriminate; reflexivity).
    rewrite E. unfold via_c. now rewrite (quiet_trans _ (pure_quiet _ Q)).
  Qed.

  (** ** Elementwise bodies *)

  (** The environment of a body whose target is [a]: what occurs is aligned, and
      only variable 0 may read the root of [a]. *)
  Definition body_env k ie m l a G rho env e : Prop := forall x t,
    occurs x e = true -> nth_error (vars G) x = Some t ->
    exists v w, nth_error rho x = Some v /\ nth_error env x = Some w /\
      vscope (below l) (below l) v /\ stands_for ie m t v w /\
      match t with TD d => aligned d k ie a v | TI _ => True end /\
      (x = 0 \/ vscope (fun r => r <> aroot a /\ r < l) (below l) v).

  (** A pure expression needs only the variables that occur. *)
  Lemma pure_view ie m l k a G rho env e d : ty G e d -> pure e = true ->
    body_env k ie m l a G rho env e ->
    matches ie m d (view e rho) (eval env e) /\ vscope (below l) (below l) (view e rho) /\
    aligned d k ie a (view e rho).
  Proof.
    intros T Q HE. split; [| split].
    3: { apply aligned_pure with G; auto. intros x t Hx Ht.
         destruct (HE x t Hx Ht) as (v & w & Ev & _ & _ & _ & al & _). eauto. }
    - revert Q HE. induction T as [G x d looked | | G o e _ IH | G o e1 e2 _ IH1 _ IH2 | | | |
        | G n d1 d2 e1 e2 _ IH1 _ IH2 | | | | G d1 d2 e1 e2 _ IH1 _ IH2 | G d1 d2 e _ IH |
          G d1 d2 e _ IH | | | |];
        cbn [pure]; try discriminate; intros Q HE; cbn [view eval];
        try (apply andb_true_iff in Q as [Q1 Q2];
             assert (M1 := IH1 Q1 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx));
             assert (M2 := IH2 Q2 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx, orb_true_r))).
      + destruct (HE x (TD d)) as (v & w & Ev & Ew & _ & M & _); auto; [cbn; apply Nat.eqb_refl |].
        now rewrite (nth_error_nth _ _ _ Ev), (nth_error_nth _ _ _ Ew).
      + apply match_lit.
      + apply match_un; auto.
      + now apply match_bin.
      + now apply match_zip.
      + now apply match_pair.
      + eapply match_fst; eauto.
      + eapply match_snd; eauto.
    - revert Q HE. induction T as [G x d looked | | G o e _ IH | G o e1 e2 _ IH1 _ IH2 | | | |
        | G n d1 d2 e1 e2 _ IH1 _ IH2 | | | | G d1 d2 e1 e2 _ IH1 _ IH2 | G d1 d2 e _ IH |
          G d1 d2 e _ IH | | | |];
        cbn [pure]; try discriminate; intros Q HE; cbn [view vscope]; auto;
        try (apply andb_true_iff in Q as [Q1 Q2];
             assert (M1 := IH1 Q1 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx));
             assert (M2 := IH2 Q2 ltac:(intros x t Hx; apply HE; cbn; now rewrite Hx, orb_true_r)));
        auto.
      destruct (HE x (TD d)) as (v & w & Ev & _ & sc & _); auto; [cbn; apply Nat.eqb_refl |].
      now rewrite (nth_error_nth _ _ _ Ev).
  Qed.

  (** The body writes its target, and of the target's root it touches only the
      places below the prefix [pr] that are its own. *)
  Definition touches_own ie a (pr : path) (c : comm) : Prop :=
    forall x, In x (footprint ie c) ->
      (fst x = true -> root_of x = aroot a) /\
      (root_of x = aroot a -> exists is, snd (snd x) = pr ++ map At is).

  Lemma write_elementwise k : forall e G d ie l rho env m a pr,
    of_rank k d -> ty G e d -> elementwise k e = true ->
    (forall p, wr ie a p = Some (pr ++ p)) -> aroot a < l -> ascope (below l) a ->
    usable ie m d a -> body_env k ie m l a G rho env e ->
    writes ie l (trans_a e rho d a l) d a (eval env e) m /\
      touches_own ie a pr (trans_a e rho d a l).
  Proof.
    induction k as [| k IH]; intros e G d ie l rho env m a pr rk T W Hpr Hr Ha use HE.
    - destruct d; cbn in rk; try tauto. cbn [elementwise] in W.
      rewrite (pure_num T W). destruct (pure_view T W HE) as (M & _ & al).
      split; [now apply write_assign |]. intros x Hx. cbn [footprint] in Hx. rewrite Hpr in Hx.
      apply in_app_iff in Hx as [Hx | [<- | []]]; cbn.
      + apply in_map_iff in Hx as ([r q] & <- & Hx). cbn. split; [discriminate |]. intros ->.
        exists []. cbn. cbn [aligned] in al. specialize (al [] q I Hx). rewrite Hpr in al.
        congruence.
      + split; auto. intros _. exists []. auto.
    - destruct e as [| | | | p n dr f e0 | | | | | | | | | | | | | |]; cbn [elementwise] in W;
        try discriminate.
      apply andb_true_iff in W as [P1 W]. apply andb_true_iff in W as [P2 W].
      apply negb_true_iff in P2.
      inversion T as [| | | | G' p' n' dx dr' f' e' Te Tf EG Ee Ed | | | | | | | | | | | | | |];
        subst. cbn in rk.
      assert (HE0 : body_env (S k) ie m l a G rho env e0).
      { intros x t Hx. apply HE. cbn. now rewrite Hx, orb_true_r. }
      destruct (pure_view Te P1 HE0) as (M & sc & al).
      assert (EQ : trans_a (EMap p n dr f e0) rho (DAry n dr) a l =
                   CLoop p l n (trans_a f (VIdx (view e0 rho) (XVar l) :: rho) dr (AIdx a (XVar l))
                     (S l))).
      { unfold trans_a at 1. cbn [trans fst]. change (snd (trans e0 rho)) with (trans_c e0 rho).
        now rewrite (quiet_trans _ (pure_quiet _ P1)). }
      rewrite EQ. clear EQ. set (x := view e0 rho) in *.
      destruct (has_ary (proj1 M)) as (l0 & EQ0 & len & each).
      (* the environment of the body in iteration i *)
      assert (HB : forall i m', i < #n -> frame_of l ie (upto i dr) a m m' ->
                body_env k (upi ie l i) m' (S l) (AIdx a (XVar l)) (bind (TD dx) G)
                  (VIdx x (XVar l) :: rho) (nth i l0 junk :: env) f).
      { intros i m' lt F [| y] t Hy Ht; cbn in Ht.
        - injection Ht as <-. exists (VIdx x (XVar l)), (nth i l0 junk).
          assert (same : forall p, reads ie (VIdx x (XCst (Z.of_nat i))) p =
            reads (upi ie l i) (VIdx x (XVar l)) p).
          { intros p0. cbn [reads]. rewrite index_upi, index_const. eapply reads_ext; [exact sc |].
            intros j Hj. symmetry. now apply upi_below. }
          cbn [aligned] in al. pose proof (al i lt) as al_i.
          assert (Mi : matches ie m dx (VIdx x (XCst (Z.of_nat i))) (nth i l0 junk)).
          { change l0 with (elems (Arr l0)). rewrite <- EQ0.
            eapply match_idx; [exact M | apply index_const | exact lt]. }
          split; [reflexivity | split;
            [reflexivity | split; [| split; [split | split; [| left; reflexivity]]]]].
          + cbn. split; [| unfold below; lia].
            eapply vscope_mono; [| | exact sc]; unfold below; auto.
          + apply Mi.
          + intros p0 lf. rewrite <- (proj2 Mi p0 lf).
            transitivity (rd ie m' (VIdx x (XCst (Z.of_nat i))) p0).
            * cbn [rd]. rewrite index_upi, index_const. cbn. eapply rd_ext; [exact sc | auto |].
              intros j Hj. now apply upi_below.
            * apply rd_local. intros r q HI. destruct (Nat.eq_dec r (aroot a)) as [-> | ne].
              -- apply F; auto. intros _ (p1 & lf1 & W1).
                 destruct (@aligned_reads dx k ie (AIdx a (XCst (Z.of_nat i)))
                   (VIdx x (XCst (Z.of_nat i))) p0 q al_i lf HI) as (is & _ & W2).
                 cbn [wr] in W2. rewrite index_const in W2. cbn in W2. rewrite Hpr in W1, W2.
                 injection W1 as W1. injection W2 as W2. rewrite <- W2 in W1.
                 apply app_inv_head in W1.
                 subst p1. cbn in lf1. lia.
              -- assert (below l r)
                   by (eapply (@reads_roots _ _ _ (below l) (below l) ie
                     (VIdx x (XCst (Z.of_nat i))));
                       [cbn; split; [exact sc | exact I] | exact HI]).
                 eapply frame_root; eauto.
          + eapply aligned_ext; [| | exact same | exact al_i]; auto.
            intros p0. rewrite wr_loop by auto. cbn [wr]. now rewrite index_const.
        - assert (Hy' : occurs y (EMap p n dr f e0) = true) by (cbn; now rewrite Hy).
          destruct (HE y t Hy' Ht) as (v & w & Ev & Ew & V1 & M1 & A1 & [-> | C1]); [congruence |].
          exists v, w. cbn [nth_error].
          split; [exact Ev | split; [exact Ew | split; [| split; [| split]]]].
          + eapply vscope_mono; [| | exact V1]; unfold below; auto.
          + eapply stands_for_ext; [exact C1 | | | exact M1].
            * intros r q [ne lt_r]. eapply frame_root; eauto.
            * intros j Hj. now apply upi_below.
          + destruct t; auto. eapply aligned_clean.
            eapply vscope_mono; [| | exact C1]; cbn; [intros r []; auto |].
            intros j Hj. exact Hj.
          + right. cbn. eapply vscope_mono; [| | exact C1]; unfold below; cbn; intros;
              intuition lia. }
      assert (Hpr1 : forall i q, wr (upi ie l i) (AIdx a (XVar l)) q = Some ((pr ++ [At i]) ++ q))
        by (intros i q; rewrite wr_loop, Hpr, <- app_assoc by auto; reflexivity).
      assert (Ha1 : ascope (below (S l)) (AIdx a (XVar l)))
        by (cbn; split; [eapply ascope_le; [| exact Ha]; lia | unfold below; lia]).
      assert (use1 : forall i, i < #n -> usable (upi ie l i) m dr (AIdx a (XVar l))).
      { intros i lt. destruct use as [each_place inj]. split.
        - intros q lf. rewrite Hpr1. eexists; split; eauto.
          destruct (each_place (At i :: q)) as (q' & Wq & ne); [cbn; auto |]. rewrite Hpr in Wq.
          injection Wq as <-. cbn. rewrite <- app_assoc. exact ne.
        - intros q q' r lf lf' Wq Wq'. rewrite Hpr1 in Wq, Wq'. rewrite <- Wq' in Wq.
          injection Wq as Wq.
          now apply app_inv_head in Wq. }
      set (body := trans_a f (VIdx x (XVar l) :: rho) dr (AIdx a (XVar l)) (S l)) in *.
      assert (own : forall i, i < #n -> touches_own (upi ie l i) a (pr ++ [At i]) body).
      { intros i lt. destruct (IH f (bind (TD dx) G) dr (upi ie l i) (S l) (VIdx x (XVar l) :: rho)
          (nth i l0 junk :: env) m (AIdx a (XVar l)) (pr ++ [At i])) as [_ H]; auto; try (cbn; lia).
        apply HB; auto. apply frame_refl. }
      split.
      + destruct (@write_loop _ _ _ ie l n dr a body (fun i => eval (nth i l0 junk :: env) f) m)
          as (m' & X & St & F); auto.
        * intros i m' lt F use'. destruct
            (IH f (bind (TD dx) G) dr (upi ie l i) (S l) (VIdx x (XVar l) :: rho)
            (nth i l0 junk :: env) m' (AIdx a (XVar l)) (pr ++ [At i])) as [H _]; auto.
        * exists m'. split; [| split; auto].
          -- cbn [exec]. replace (may_loop p ie l #n body) with true; [exact X |]. symmetry.
             destruct p; cbn [may_loop]; auto. unfold racefree. apply apart_iff.
             intros i j y z lt_i lt_j ne Hy Hz Hw E.
             destruct (own i lt_i y Hy) as [Fy Oy], (own j lt_j z Hz) as [Fz Oz].
             unfold root_of in *. rewrite <- E in Fz, Oz.
             assert (root : fst (snd y) = aroot a) by (apply orb_true_iff in Hw as [Hw | Hw]; auto).
             destruct (Oy root) as [is Q1], (Oz root) as [js Q2]. rewrite Q1, <- !app_assoc in Q2.
             apply app_inv_head in Q2. cbn in Q2. congruence.
          -- cbn [eval]. rewrite EQ0. cbn [elems].
             rewrite (nth_tabulate l0 junk), map_map, len. exact St.
      + intros y Hy. apply in_loop in Hy as (i & lt & Hy). destruct (own i lt y Hy) as [Fy Oy].
        split; auto. intros root. destruct (Oy root) as [is Q]. exists (i :: is).
        rewrite Q, <- app_assoc. reflexivity.
  Qed.
End Inplace.
