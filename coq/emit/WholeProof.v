(** * Programs of several assignments are compiled right *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Frame dpia.Loop dpia.Reduce
  dpia.Correct.
From Calque Require Import emit.MiniC emit.Codegen emit.Whole.
Import ListNotations.
Set Implicit Arguments.

Section WholeProof.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation assignment := (@assignment A N).

  (** What has a value lies in its root; every parameter has its places. *)
  Definition holding (params : list data) (set : nat -> bool) (env : list (value A))
      (m : store A) : Prop :=
    length env = length params /\
    (forall k d w, nth_error params k = Some d -> nth_error env k = Some w -> set k = true ->
       has_type d w /\ forall p, leaf d p -> m k p = Some (look w p)) /\
    (forall k d p, nth_error params k = Some d -> leaf d p -> m k p <> None).

  Lemma nth_numbered {T} (l : list T) k x : nth_error l k = Some x ->
    nth_error (combine (seq 0 (length l)) l) k = Some (k, x).
  Proof.
    enough (G : forall b, nth_error l k = Some x ->
      nth_error (combine (seq b (length l)) l) k = Some (b + k, x)) by exact (G 0).
    revert k. induction l as [| y l IH]; intros [| k] b E; cbn in *; try discriminate.
    - injection E as ->. now rewrite Nat.add_0_r.
    - rewrite (IH k (S b) E). now rewrite Nat.add_succ_comm.
  Qed.

  Lemma numbered_nth {T} (l : list T) k kx : nth_error (combine (seq 0 (length l)) l) k = Some kx ->
    exists x, kx = (k, x) /\ nth_error l k = Some x.
  Proof.
    intros E. assert (lt : k < length l).
    { apply nth_error_bound in E. rewrite combine_length, seq_length in E. lia. }
    destruct (nth_some l lt) as [x Ex]. pose proof (nth_numbered l k Ex). exists x. split; congruence.
  Qed.

  Lemma nth_replace k w (env : list (value A)) : forall j,
    nth_error (replace k w env) j =
      if (j =? k) && (k <? length env) then Some w else nth_error env j.
  Proof.
    revert k. induction env as [| v env IH]; intros [| k] [| j]; cbn; auto.
    - now rewrite andb_false_r.
    - rewrite IH. reflexivity.
  Qed.

  Lemma length_replace k w (env : list (value A)) : length (replace k w env) = length env.
  Proof. revert k. induction env as [| v env IH]; intros [| k]; cbn; auto. Qed.

  Definition seen (set : nat -> bool) (a : assignment) (n : nat) : nat -> Prop :=
    fun r => r < n /\ visible set a r = true.

  Lemma represents_visible params set env m (a : assignment) l ie : holding params set env m ->
    length params <= l ->
    represents (seen set a (length params)) l ie m (context params set a) (roots params set a)
      (map (fun kw => if visible set a (fst kw) then snd kw else junk)
        (combine (seq 0 (length env)) env)).
  Proof.
    intros (len & held & _) le. split; [| intros c b []]. intros k t Ek. unfold context in Ek.
    cbn [vars] in Ek. rewrite nth_error_map in Ek.
    destruct (nth_error (combine _ params) k) as [kd |] eqn:Ekd; cbn in Ek; [| discriminate].
    injection Ek as <-. destruct (numbered_nth _ _ Ekd) as (d & -> & Ed). cbn [fst snd].
    pose proof (nth_error_bound _ _ _ Ed) as lt. destruct (nth_some env (i := k)) as [w Ew]; [lia |].
    unfold roots. rewrite !nth_error_map, (nth_numbered _ _ Ew), nth_seq by lia. cbn [option_map fst
      snd Nat.add].
    do 2 eexists. split; [reflexivity |]. split; [reflexivity |].
    destruct (visible set a k) eqn:V.
    - split; [cbn; unfold seen; auto |].
      assert (Sk : set k = true) by (unfold visible in V; now apply andb_true_iff in V).
      destruct (held _ _ _ Ed Ew Sk) as [typed at_leaf]. split; [exact typed |].
      intros p lf. cbn. rewrite at_leaf by exact lf.
      destruct (look_some d _ _ typed lf) as [x ->]. reflexivity.
    - split; [cbn; exact I |]. cbn. exists (XCst 0), 0. repeat split; auto.
      rewrite count_lift. lia.
  Qed.

  Theorem assignment_correct params set env m (a : assignment) ie : holding params set env m ->
    nth_error params (target a) = Some (value_type a) ->
    ty (context params set a) (source a) (value_type a) ->
    exists m', exec ie (translate params set a) m = Some m' /\
      holding params (after set a) (replace (target a) (value_of set a env) env) m'.
  Proof.
    intros H Et T. pose proof (nth_error_bound _ _ _ Et) as lt. set (np := length params) in *.
    set (d := value_type a) in *. set (w := value_of set a env).
    assert (usable_target : forall m', (forall q, m' (target a) q = m (target a) q) ->
      usable ie m' d (ARoot (target a))).
    { intros m' eq. apply usable_root. intros p lf. rewrite eq. now apply (proj2 (proj2 H) _ d). }
    assert (typed : has_type d w).
    { eapply eval_has_type; [exact T |]. eapply represents_env.
      apply (represents_visible a ie H (le_n _)). }
    (* enough: the target holds the value, other parameters are as they were *)
    assert (finish : forall m', (forall p, leaf d p -> m' (target a) p = Some (look w p)) ->
      (forall r q, r < np -> r <> target a -> m' r q = m r q) ->
      holding params (after set a) (replace (target a) w env) m').
    { intros m' out others. destruct H as (len & held & there). split; [| split].
      - now rewrite length_replace.
      - intros k dk v Ek Ev Sk. rewrite nth_replace in Ev. pose proof (nth_error_bound _ _ _ Ek) as ltk.
        destruct (Nat.eqb_spec k (target a)) as [-> | ne]; cbn [andb] in Ev.
        + replace (target a <? length env) with true in Ev
            by (symmetry; apply Nat.ltb_lt; unfold np in lt; lia).
          injection Ev as <-.
          assert (dk = d) by congruence. subst dk. split; [exact typed | exact out].
        + unfold after in Sk. apply Nat.eqb_neq in ne as ne'. rewrite ne' in Sk. cbn in Sk.
          destruct (held _ _ _ Ek Ev Sk) as [tk at_k]. split; [exact tk |]. intros p lf.
          rewrite others by auto. now apply at_k.
      - intros k dk p Ek lf. pose proof (nth_error_bound _ _ _ Ek) as ltk.
        destruct (Nat.eq_dec k (target a)) as [-> | ne].
        + assert (dk = d) by congruence. subst dk. rewrite out by exact lf. discriminate.
        + rewrite others by auto. now apply (there _ dk). }
    unfold translate. fold np d. destruct (buffered a) eqn:B.
    - destruct (acceptor_correct T (ie := ie) (P := seen set a np) (l := S np)
        (rho := roots params set a) (env := map (fun kw => if visible set a (fst kw) then snd kw
          else junk) (combine (seq 0 (length env)) env)) (m := alloc m np d) (a := ARoot np)) as
        (m1 & E1 & W1 & F1); cbn [aroot ascope]; auto.
      + intros r [Hr _]. lia.
      + eapply represents_ext; [apply (represents_visible a ie H (le_n np)) | | | |]; auto.
        intros r q [Hr _]. apply alloc_agree. exact Hr.
      + intros [Hr _]. lia.
      + apply usable_alloc.
      + fold (value_of set a env) in W1. fold w in W1.
        assert (kept : forall r q, r < np -> m1 r q = m r q).
        { intros r q Hr. transitivity (alloc m np d r q).
          - eapply frame_root; [exact F1 | lia | cbn; lia].
          - apply (alloc_agree m d). exact Hr. }
        assert (use1 : usable ie m1 d (ARoot (target a)))
          by (apply usable_target; intros q; now apply kept).
        assert (M1 : matches ie m1 d (VRoot np) w) by (apply root_matches; auto).
        destruct (@write_copy _ _ _ d Par ie (fun r => r = np) (S np) (ARoot (target a)) (VRoot np) w
          m1) as (m2 & E2 & W2 & F2); cbn [aroot ascope vscope]; auto; try (intros; lia);
          try (right; lia).
        exists m2. cbn [exec]. rewrite E1. cbn [obind]. split; [exact E2 |]. apply finish.
        * intros p lf. exact (W2 p p lf eq_refl).
        * intros r q Hr ne. rewrite <- (kept r q Hr). eapply frame_root; [exact F2 | lia | exact ne].
    - destruct (acceptor_correct T (ie := ie) (P := seen set a np) (l := np)
        (rho := roots params set a) (env := map (fun kw => if visible set a (fst kw) then snd kw
          else junk) (combine (seq 0 (length env)) env)) (m := m) (a := ARoot (target a))) as
        (m1 & E1 & W1 & F1); cbn [aroot ascope]; auto.
      + intros r [Hr _]. exact Hr.
      + apply (represents_visible a ie H (le_n np)).
      + intros [_ V]. unfold visible in V. rewrite B, Nat.eqb_refl in V. cbn in V.
        now rewrite andb_false_r in V.
      + exists m1. split; [exact E1 |]. apply finish.
        * intros p lf. exact (W1 p p lf eq_refl).
        * intros r q Hr ne. eapply frame_root; [exact F1 | exact Hr | exact ne].
  Qed.

  (** The checked program runs, as commands and as C, and every parameter that has a value
      by then holds it. *)
  Theorem program_correct range : (forall G i n, range G i n = true -> in_range G i n) ->
    forall params (l : list assignment) set env m ie, checked range params set l = true ->
    holding params set env m ->
    exists m', exec ie (translate_all params set l) m = Some m' /\
      run ie (cgc (translate_all params set l)) m = Some m' /\
      holding params (all_set set l) (meaning set l env) m'.
  Proof.
    intros sound params l. enough (G : forall set env m ie, checked range params set l = true ->
      holding params set env m -> exists m', exec ie (translate_all params set l) m = Some m' /\
        holding params (all_set set l) (meaning set l env) m').
    { intros set env m ie C H. destruct (G set env m ie C H) as (m' & E & H'). exists m'.
      split; [exact E |]. split; [now apply codegen_correct | exact H']. }
    induction l as [| a l IH]; intros set env m ie C H.
    - exists m. split; [reflexivity | exact H].
    - cbn [checked] in C. apply andb_true_iff in C as [Ca Cl].
      destruct (nth_error params (target a)) as [d |] eqn:Et; [| discriminate].
      destruct (infer range (context params set a) (source a)) as [d' |] eqn:Ei; [| discriminate].
      apply andb_true_iff in Ca as [C1 C2]. apply data_eqb_eq in C1. apply data_eqb_eq in C2.
      subst d d'. apply infer_sound in Ei; [| exact sound].
      destruct (assignment_correct ie H Et Ei) as (m1 & E1 & H1).
      destruct (IH _ _ _ ie Cl H1) as (m2 & E2 & H2).
      destruct l as [| a' l].
      + exists m1. split; [exact E1 | exact H1].
      + exists m2. change (translate_all params set (a :: a' :: l)) with
          (CSeq (translate params set a) (translate_all params (after set a) (a' :: l))).
        cbn [exec]. rewrite E1. cbn [obind]. split; [exact E2 | exact H2].
  Qed.
End WholeProof.
