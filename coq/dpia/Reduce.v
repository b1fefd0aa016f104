(** * What the translation owes, and reductions *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Frame dpia.Loop dpia.Inplace.
Import ListNotations.
Set Implicit Arguments.

Section Reduce.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation exp := (exp A N). Notation vexp := (vexp A N).
  Notation vacc := (vacc N). Notation comm := (comm A N). Notation ctx := (ctx N).
  Notation value := (value A). Notation store := (store A).
  Implicit Types (d : data) (e f : exp) (v : vexp) (a : vacc) (ie : ienv) (G : ctx) (w : value).
  Implicit Types (P : nat -> Prop) (rho : list vexp) (env : list value) (m : store).

  (** ** The two statements

      [A(e)(a)] runs, makes [a] hold the value of [e] and changes nothing else
      that was there.  [C(e)(k)] runs as far as [k] does on any view of the value
      of [e], in any store that agrees with the present one. *)

  Definition accepts G e d : Prop := forall ie P l rho env m a,
    (forall r, P r -> r < l) -> represents P l ie m G rho env ->
    aroot a < l -> ascope (below l) a -> ~ P (aroot a) -> usable ie m d a ->
    writes ie l (trans_a e rho d a l) d a (eval env e) m.

  (** A number may even be read by the expression that replaces it. *)
  Definition accepts_num G e : Prop := forall ie P l rho env m a,
    (forall r, P r -> r < l) -> represents P l ie m G rho env ->
    aroot a < l -> ascope (below l) a -> usable ie m DNum a ->
    writes ie l (trans_a e rho DNum a l) DNum a (eval env e) m.

  Definition continues G e d : Prop := forall ie P l rho env m k (Q : store -> Prop),
    (forall r, P r -> r < l) -> represents P l ie m G rho env ->
    (forall v m' l', l <= l' -> vscope (extend P l l') (below l') v -> agree l m m' ->
       matches ie m' d v (eval env e) -> exists m'', exec ie (k v l') m' = Some m'' /\ Q m'') ->
    exists m'', exec ie (trans_c e rho k l) m = Some m'' /\ Q m''.

  Definition correct G e d : Prop :=
    accepts G e d /\ continues G e d /\ (d = DNum -> accepts_num G e).

  (** ** The initial value *)

  Lemma exec_initialised G (i : exp) b d rest : correct G i d ->
    forall ie P l rho env m (Q : store -> Prop),
    (forall r, P r -> r < l) -> represents P l ie m G rho env ->
    (forall l' init m', l <= l' -> agree l m m' ->
       writes ie (S l') (init l') d (ARoot l') (eval env i) (alloc m' l' d) ->
       exists m'', exec ie (rest init l') m' = Some m'' /\ Q m'') ->
    exists m'', exec ie (initialised b d (trans_a i rho) (trans_c i rho) rest l) m = Some m'' /\
      Q m''.
  Proof.
    intros (Ha & Hc & _) ie P l rho env m Q HP HR Hrest.
    assert (Hary : exists m'', exec ie (rest (fun r => trans_a i rho d (ARoot r) (S r)) l) m =
      Some m'' /\ Q m'').
    { apply Hrest; auto using agree_refl. apply Ha with P; cbn [aroot ascope]; auto.
      - intros r Hr. apply HP in Hr. lia.
      - eapply represents_ext; [exact HR | | | |]; auto. intros r q Hr. apply alloc_agree. auto.
      - intros Hr. apply HP in Hr. lia.
      - apply usable_alloc. }
    destruct b; cbn [initialised]; auto.
    apply (Hc ie P l rho env m); auto. intros v m' l' le Hv same M. apply Hrest; auto.
    assert (HPl : forall r, extend P l l' r -> r < l')
      by (intros r Hr; eapply extend_below; eauto).
    apply write_copy with (P := extend P l l'); cbn [aroot ascope].
    - eapply vscope_le; [| exact Hv]. lia.
    - intros r Hr. apply HPl in Hr. lia.
    - lia.
    - exact I.
    - right. intros Hr. apply HPl in Hr. lia.
    - apply usable_alloc.
    - eapply matches_ext; [exact Hv | | reflexivity | exact M].
      intros r q Hr. apply alloc_agree. auto.
  Qed.

  (** ** A bound view *)

  Lemma exec_bound G e d rest : continues G e d ->
    forall ie P l rho env m (Q : store -> Prop),
    (forall r, P r -> r < l) -> represents P l ie m G rho env ->
    (forall v m' l', l <= l' -> vscope (extend P l l') (below l') v -> agree l m m' ->
       matches ie m' d v (eval env e) -> exists m'', exec ie (rest v l') m' = Some m'' /\ Q m'') ->
    exists m'', exec ie (bound d (trans_c e rho) rest l) m = Some m'' /\ Q m''.
  Proof.
    intros Hc ie P l rho env m Q HP HR Hrest. unfold bound.
    apply (Hc ie P l rho env m); auto. intros v m' l' le Hv same M.
    destruct d; [destruct (is_path v) | |]; auto. cbn [exec].
    destruct (@write_assign _ _ _ ie (S l') (ARoot l') v (eval env e) (alloc m' l' DNum)) as
      (m1 & E & St & F).
    - apply usable_alloc.
    - eapply matches_ext; [exact Hv | | reflexivity | exact M].
      intros r q Hr. apply alloc_agree. eapply extend_below; eauto.
    - cbn [exec] in E. rewrite E. cbn [obind]. apply Hrest; [lia | cbn; unfold extend; lia | |].
      + eapply agree_trans; [exact same |].
        eapply agree_trans; [eapply agree_le; [exact le | apply alloc_agree] |].
        intros r q lt. eapply frame_root; [exact F | lia | cbn; lia].
      + apply root_matches; [exact St | apply M].
  Qed.

  (** ** The loop *)

  (** One step of the accumulation, in place or through a second buffer. *)
  Lemma write_step G d t f : ty (bind (TD d) (bind t G)) f d ->
    correct (bind (TD d) (bind t G)) f d ->
    forall ie P l rho env m x elem acc w, (forall r, P r -> r < l) ->
    represents P l ie m G rho env -> vscope P (below (2 + l)) elem ->
    (forall m', agree l m m' -> stands_for ie m' t elem x) -> fits_entry t x ->
    has_type d acc -> stored ie m d (ARoot l) acc -> w = eval (acc :: x :: env) f ->
    writes ie (S l)
      (if in_place d f then trans_a f (VRoot l :: elem :: rho) d (ARoot l) (2 + l)
       else CNew (2 + l) d (CSeq (trans_a f (VRoot l :: elem :: rho) d (ARoot (2 + l)) (3 + l))
                                 (copy Seq d (ARoot l) (VRoot (2 + l)) (3 + l))))
      d (ARoot l) w m.
  Proof.
    intros Tf (Ha & _ & Hn) ie P l rho env m x elem acc w HP HR Hscope Helem Hx Hacc St ->.
    set (P' := fun r => P r \/ r = l).
    assert (HP' : forall l', 2 + l <= l' -> forall r, P' r -> r < l')
      by (intros l' le r [Hr | Hr]; [apply HP in Hr |]; lia).
    (* the environment of the body, in a store that agrees up to the accumulator *)
    assert (HE : forall l' m', 2 + l <= l' -> agree (S l) m m' ->
              represents P' l' ie m' (bind (TD d) (bind t G)) (VRoot l :: elem :: rho)
                (acc :: x :: env)).
    { intros l' m' le same. apply represents_bind; [apply represents_bind | cbn; unfold P'; auto |].
      - eapply represents_ext; [exact HR | | auto | unfold P'; auto | lia].
        intros r q Hr. apply same. apply HP in Hr. lia.
      - eapply vscope_mono; [| | exact Hscope]; unfold P', below; auto; intros; lia.
      - apply Helem. eapply agree_le; [| exact same]. lia.
      - cbn. apply root_matches; auto. apply stored_same with ie m; auto. }
    destruct (in_place d f) eqn:direct.
    - assert (W : writes ie (2 + l) (trans_a f (VRoot l :: elem :: rho) d (ARoot l) (2 + l)) d
        (ARoot l)
                    (eval (acc :: x :: env) f) m).
      { assert (HE' := HE (2 + l) m (le_n _) (@agree_refl _ _ _)).
        assert (use : usable ie m d (ARoot l)) by (eapply usable_stored; exact St).
        assert (rk : exists k, rank d = Some k).
        { unfold in_place in direct. destruct d; cbn in *; eauto; [| discriminate].
          destruct (rank d); cbn in *; eauto. discriminate. }
        destruct rk as [k rk]. destruct d as [| n d0 | d1 d2]; [| | discriminate].
        - apply Hn with P'; cbn; auto.
        - assert (ew : elementwise k f = true) by
            (unfold in_place in direct; now rewrite rk in direct).
          apply (@write_elementwise _ _ _ k f _ (DAry n d0) ie (2 + l) _ (acc :: x :: env) m
            (ARoot l) [])
            with (2 := Tf); cbn [aroot ascope]; auto; try lia; try exact I.
          + now apply rank_of.
          + intros z t' Hz Ht. destruct (proj1 HE' z t' Ht) as (v & w & Ev & Ew & V' & M').
            exists v, w. split; [auto |]. split; [auto |].
            split; [eapply vscope_mono; [| | exact V']; unfold below; auto |]. split; [exact M' |].
            assert (clean : z = 0 \/ vscope (fun r => r <> l /\ r < 2 + l) (below (2 + l)) v).
            { destruct z as [| [| z]]; [auto | right | right]; cbn in Ev, Ht.
              - injection Ev as <-. eapply vscope_mono; [| | exact Hscope]; auto.
                intros r Hr. apply HP in Hr. lia.
              - destruct (proj1 HR z t' Ht) as (v2 & w2 & E3 & _ & V3 & _). rewrite Ev in E3.
                injection E3 as <-. eapply vscope_mono; [| | exact V3]; unfold below; [| lia].
                intros r Hr. apply HP in Hr. lia. }
            split; [| exact clean]. destruct t' as [dt |]; auto. destruct clean as [-> | clean].
            * cbn in Ht, Ev. injection Ht as <-. injection Ev as <-.
              apply aligned_self; [now apply rank_of |].
              intros p. reflexivity.
            * eapply aligned_clean. eapply vscope_mono; [| | exact clean]; cbn;
                [intros r []; auto |].
              intros r Hr. exact Hr. }
      destruct W as (m' & E & St' & F). exists m'. split; auto. split; auto.
      eapply frame_le; [| exact F]. lia.
    - unfold writes. cbn [exec].
      assert (same0 : agree (2 + l) m (alloc m (2 + l) d)) by apply alloc_agree.
      destruct (Ha ie P' (3 + l) (VRoot l :: elem :: rho) (acc :: x :: env) (alloc m (2 + l) d)
        (ARoot (2 + l)))
        as (m1 & E1 & St1 & F1); cbn [aroot ascope]; auto.
      { apply HP'. lia. }
      { apply HE; [lia | eapply agree_le; [| exact same0]; lia]. }
      { intros [Hr | Hr]; [apply HP in Hr; lia | lia]. }
      { apply usable_alloc. }
      rewrite E1. cbn [obind].
      assert (same1 : agree (2 + l) m m1).
      { eapply agree_trans; [exact same0 |]. intros r q lt.
        eapply frame_root; [exact F1 | lia | cbn; lia]. }
      destruct (@write_copy _ _ _ d Seq ie (fun r => r = 2 + l) (3 + l) (ARoot l) (VRoot (2 + l))
                  (eval (acc :: x :: env) f) m1) as (m2 & E2 & St2 & F2); cbn [aroot ascope vscope];
                    auto;
        try (right; lia); try (intros; lia).
      { eapply usable_agree; [exact same1 | cbn; lia | eapply usable_stored; exact St]. }
      { apply root_matches; [exact St1 |]. eapply eval_has_type; [exact Tf |].
        eapply represents_env. apply (HE (2 + l) m); auto using agree_refl. }
      exists m2. split; auto. split; auto. intros r q lt out. rewrite F2; [| lia | auto].
      apply same1. lia.
  Qed.

  Lemma exec_reduce G n d t f : ty (bind (TD d) (bind t G)) f d ->
    correct (bind (TD d) (bind t G)) f d ->
    forall ie P l rho env m elem xs init w0 k (Q : store -> Prop),
    (forall r, P r -> r < l) -> represents P l ie m G rho env -> length xs = #n ->
    vscope P (below (2 + l)) (elem (S l)) ->
    (forall i m', i < #n -> agree l m m' ->
       stands_for (upi ie (S l) i) m' t (elem (S l)) (nth i xs junk) /\
         fits_entry t (nth i xs junk)) ->
    has_type d w0 -> writes ie (S l) (init l) d (ARoot l) w0 (alloc m l d) ->
    (forall m', agree l m m' ->
       matches ie m' d (VRoot l) (fold_left (fun acc x => eval (acc :: x :: env) f) xs w0) ->
       exists m'', exec ie (k (VRoot l) (S l)) m' = Some m'' /\ Q m'') ->
    exists m'', exec ie (reduce n d (in_place d f) (fun y x => trans_a f (y :: x :: rho)) elem init
      k l) m
                = Some m'' /\ Q m''.
  Proof.
    intros Tf Hf ie P l rho env m elem xs init w0 k Q HP HR len Hscope Helem Hw0
      (m1 & E1 & St1 & F1) Hk.
    unfold reduce. cbn [exec]. rewrite E1. cbn [obind may_loop].
    set (F := fun acc x => eval (acc :: x :: env) f) in *.
    assert (same1 : agree l m m1).
    { eapply agree_trans; [apply alloc_agree |]. intros r q lt.
      eapply frame_root; [exact F1 | lia | cbn; lia]. }
    assert (typed : forall i, i <= #n -> has_type d (fold_left F (firstn i xs) w0)).
    { induction i as [| i IH]; intros le; [exact Hw0 |].
      destruct (nth_some xs (i := i)) as [x Ex]; [lia |].
      rewrite (firstn_snoc _ _ Ex), fold_left_app. cbn. unfold F at 1.
      eapply eval_has_type; [exact Tf |].
      destruct (Helem i m ltac:(lia) (@agree_refl _ _ _)) as [_ fit].
      rewrite (nth_error_nth _ _ _ Ex) in fit.
      apply env_bind; [apply env_bind |]; auto; [now apply represents_env in HR |]. apply IH. lia. }
    destruct (@for_invariant _
      (fun i m' => agree l m m' /\ stored ie m' d (ARoot l) (fold_left F (firstn i xs) w0))
      (fun i => exec (upi ie (S l) i)
         (if in_place d f then trans_a f (VRoot l :: elem (S l) :: rho) d (ARoot l) (2 + l)
          else CNew (2 + l) d (CSeq (trans_a f (VRoot l :: elem (S l) :: rho) d (ARoot (2 + l))
            (3 + l))
                                    (copy Seq d (ARoot l) (VRoot (2 + l)) (3 + l))))) #n m1)
      as (m2 & E2 & same2 & St2).
    - split; auto.
    - intros i m' lt [same St]. destruct (nth_some xs (i := i)) as [x Ex]; [lia |].
      destruct (Helem i m' lt same) as [_ fit].
      rewrite (firstn_snoc _ _ Ex), fold_left_app. cbn [fold_left].
      set (acc := fold_left F (firstn i xs) w0) in *.
      assert (at_i : nth i xs junk = x) by now apply nth_error_nth.
      destruct (@write_step G d t f Tf Hf (upi ie (S l) i) P l rho env m' x (elem (S l)) acc
        (F acc x))
        as (m'' & E & St' & Fr); auto.
      + eapply represents_ext; [exact HR | | | |]; auto.
        intros j Hj. apply upi_below. lia.
      + intros m0 same0. rewrite <- at_i. apply Helem; auto. eapply agree_trans; eauto.
      + now rewrite <- at_i.
      + apply typed. lia.
      + exists m''. split; [exact E |]. split.
        * eapply agree_trans; [exact same |]. intros r q Hr.
          eapply frame_root; [exact Fr | lia | cbn; lia].
        * eapply stored_same; [exact St' | reflexivity].
    - cbn beta in E2. rewrite E2. cbn [obind]. apply Hk; auto.
      rewrite <- len, firstn_all in St2. apply root_matches; auto.
      specialize (typed #n (le_n _)). now rewrite <- len, firstn_all in typed.
  Qed.
End Reduce.
