(** * The translation is correct

    By induction on typing, one lemma per rule. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Frame dpia.Loop dpia.Inplace
  dpia.Reduce.
Import ListNotations.
Set Implicit Arguments.

Section Correct.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation exp := (exp A N). Notation vexp := (vexp A N).
  Notation vacc := (vacc N). Notation comm := (comm A N). Notation ctx := (ctx N).
  Notation value := (value A). Notation store := (store A).
  Implicit Types (d : data) (e f : exp) (v : vexp) (a : vacc) (ie : ienv) (G : ctx) (w : value).
  Implicit Types (P : nat -> Prop) (rho : list vexp) (env : list value) (m : store).

  (** ** Rules that go through the other translation *)

  Lemma accepts_via_c G e d : trans_a e = (fun rho => via_c (trans_c e rho)) -> continues G e d ->
    forall ie P l rho env m a, (forall r, P r -> r < l) -> represents P l ie m G rho env ->
    aroot a < l -> ascope (below l) a -> d = DNum \/ ~ P (aroot a) -> usable ie m d a ->
    writes ie l (trans_a e rho d a l) d a (eval env e) m.
  Proof.
    intros E H ie P l rho env m a HP HR Hr Ha out use. unfold writes. rewrite E. unfold via_c.
    apply (H ie P l rho env m _
             (fun m'' => stored ie m'' d a (eval env e) /\ frame l ie d a m m'')); auto.
    intros v m' l' le Hv same M.
    destruct (@write_copy _ _ _ d Par ie (extend P l l') l' a v (eval env e) m') as
      (m2 & X & W & F); auto; try lia.
    - intros r Hr'. eapply extend_below; eauto.
    - eapply ascope_le; eauto.
    - destruct out as [-> | out]; [now left |]. right. intros [Hr' | Hr']; [auto | lia].
    - eapply usable_agree; eauto.
    - exists m2. split; auto. split; auto. intros r q lt out'.
      rewrite F; [apply same; auto | lia | auto].
  Qed.

  Lemma correct_by_c G e d : trans_a e = (fun rho => via_c (trans_c e rho)) -> continues G e d ->
    correct G e d.
  Proof.
    intros E H. split; [| split; [exact H |]].
    - intros ie P l rho env m a HP HR Hr Ha out use. eapply accepts_via_c; eauto.
    - intros -> ie P l rho env m a HP HR Hr Ha use. eapply accepts_via_c; eauto.
  Qed.

  Lemma continues_via_a G e d : ty G e d -> trans_c e = (fun rho => via_a d (trans_a e rho)) ->
    accepts G e d -> continues G e d.
  Proof.
    intros T E H ie P l rho env m k Q HP HR Hk. rewrite E. unfold via_a. cbn [exec].
    destruct (H ie P (S l) rho env (alloc m l d) (ARoot l)) as (m1 & X & W & F); cbn [aroot ascope];
      auto.
    - intros r Hr. apply HP in Hr. lia.
    - eapply represents_ext; [exact HR | | | |]; auto. intros r q Hr. apply alloc_agree; auto.
    - intros Hr. apply HP in Hr. lia.
    - apply usable_alloc.
    - rewrite X. cbn [obind]. apply Hk; auto.
      + cbn. right; lia.
      + eapply agree_trans; [apply (alloc_agree m d) |]. intros r q lt.
        eapply frame_root; [exact F | lia | cbn; lia].
      + apply root_matches; auto. eapply eval_has_type; eauto. eapply represents_env; eauto.
  Qed.

  Lemma correct_by_a G e n d : ty G e (DAry n d) ->
    trans_c e = (fun rho => via_a (DAry n d) (trans_a e rho)) ->
    accepts G e (DAry n d) -> correct G e (DAry n d).
  Proof. intros T E H. split; [exact H | split; [now apply continues_via_a | discriminate]]. Qed.

  (** ** Views of one and two expressions *)

  Lemma continues_one G e e1 d d1 (g : list vexp -> vexp -> vexp) :
    (forall rho k, trans_c e rho k = trans_c e1 rho (fun x => k (g rho x))) ->
    (forall P l ie m rho env v l', represents P l ie m G rho env -> l <= l' ->
       vscope (extend P l l') (below l') v -> vscope (extend P l l') (below l') (g rho v)) ->
    (forall P l ie m0 m rho env v, represents P l ie m0 G rho env -> agree l m0 m ->
       matches ie m d1 v (eval env e1) -> matches ie m d (g rho v) (eval env e)) ->
    continues G e1 d1 -> continues G e d.
  Proof.
    intros E Hv HM H ie P l rho env m k Q HP HR Hk. rewrite E. apply (H ie P l rho env m); auto.
    intros v m' l' le V same M. apply Hk; auto; [eapply Hv; eauto | eapply HM; eauto].
  Qed.

  Lemma continues_two G e e1 e2 d d1 d2 (g : vexp -> vexp -> vexp) :
    (forall rho k, trans_c e rho k = trans_c e1 rho (fun x => trans_c e2 rho (fun y => k (g x y)))) ->
    (forall P V v1 v2, vscope P V v1 -> vscope P V v2 -> vscope P V (g v1 v2)) ->
    (forall ie m env v1 v2, matches ie m d1 v1 (eval env e1) -> matches ie m d2 v2 (eval env e2) ->
       matches ie m d (g v1 v2) (eval env e)) ->
    continues G e1 d1 -> continues G e2 d2 -> continues G e d.
  Proof.
    intros E Hv HM H1 H2 ie P l rho env m k Q HP HR Hk. rewrite E.
    apply (H1 ie P l rho env m); auto.
    intros v1 m1 l1 le1 V1 same1 M1. apply (H2 ie (extend P l l1) l1 rho env m1).
    - intros r Hr. eapply extend_below; eauto.
    - eapply represents_ext; [exact HR | | | |]; auto; unfold extend; auto.
    - intros v2 m2 l2 le2 V2 same2 M2. apply Hk; [lia | | |].
      + apply Hv; (eapply vscope_mono; [| | eassumption]); unfold extend, below; intros;
          intuition lia.
      + eapply agree_trans; [exact same1 | eapply agree_le; eauto].
      + apply HM; auto. eapply matches_ext; [exact V1 | | reflexivity | exact M1].
        intros r q Hr. apply same2. eapply extend_below; eauto.
  Qed.

  (** ** Structural acceptor rules *)

  Lemma accepts_part G e e1 d d1 (b : vacc -> vacc) fp :
    (forall rho a l, trans_a e rho d a l = trans_a e1 rho d1 (b a) l) ->
    (forall ie a, part ie d1 (b a) d a fp) -> (forall V a, ascope V a -> ascope V (b a)) ->
    (forall ie m a env, has_type d1 (eval env e1) ->
       stored ie m d1 (b a) (eval env e1) -> stored ie m d a (eval env e)) ->
    ty G e1 d1 -> accepts G e1 d1 -> accepts G e d.
  Proof.
    intros E Hp Hb HS T H ie P l rho env m a HP HR Hr Ha out use. rewrite E.
    destruct (H ie P l rho env m (b a)) as (m' & X & W & F); auto;
      try (rewrite (proj1 (Hp ie a)); auto).
    - eapply usable_part; eauto.
    - exists m'. split; auto. split; [| eapply frame_part; eauto].
      apply HS; auto. eapply eval_has_type; eauto. eapply represents_env; eauto.
  Qed.

  Lemma accepts_parts G e e1 e2 d d1 d2 (b1 b2 : vacc -> vacc) (f1 f2 : path -> path) :
    (forall rho a l, trans_a e rho d a l =
      CSeq (trans_a e1 rho d1 (b1 a) l) (trans_a e2 rho d2 (b2 a) l)) ->
    (forall ie a, part ie d1 (b1 a) d a f1) -> (forall ie a, part ie d2 (b2 a) d a f2) ->
    (forall V a, ascope V a -> ascope V (b1 a) /\ ascope V (b2 a)) ->
    (forall p p', leaf d1 p -> leaf d2 p' -> f1 p <> f2 p') ->
    (forall ie m a env, has_type d1 (eval env e1) -> has_type d2 (eval env e2) ->
       stored ie m d1 (b1 a) (eval env e1) -> stored ie m d2 (b2 a) (eval env e2) ->
       stored ie m d a (eval env e)) ->
    ty G e1 d1 -> ty G e2 d2 -> accepts G e1 d1 -> accepts G e2 d2 -> accepts G e d.
  Proof.
    intros E Hp1 Hp2 Hb other HS T1 T2 H1 H2 ie P l rho env m a HP HR Hr Ha out use.
    unfold writes. rewrite E.
    destruct (Hb _ _ Ha) as [Ha1 Ha2]. pose proof (proj1 (Hp1 ie a)) as R1.
    pose proof (proj1 (Hp2 ie a)) as R2.
    destruct (@write_parts _ _ _ ie l d a d1 (b1 a) f1 d2 (b2 a) f2 (trans_a e1 rho d1 (b1 a) l)
      (trans_a e2 rho d2 (b2 a) l) (eval env e1) (eval env e2) m) as (m' & X & W1 & W2 & F); auto.
    - apply H1 with P; auto; try (rewrite R1; auto). eapply usable_part; eauto.
    - intros m' F use'. apply H2 with P; auto; try (rewrite R2; auto).
      eapply represents_ext; [exact HR | | | |]; auto. intros r q Hr'.
      eapply frame_root; [exact F | auto |].
      intros ->; auto.
    - exists m'. split; auto. split; auto.
      apply HS; auto; eapply eval_has_type; eauto; eapply represents_env; eauto.
  Qed.

  (** What a root holds, leaf by leaf. *)
  Lemma root0_leaf d w1 w2 p : has_type d w1 -> leaf d p ->
    rd nowhere (holding w1 w2) (VRoot (N := N) 0) p = look w1 p.
  Proof. intros H lf. exact (proj2 (root0 w2 H) p lf). Qed.

  Lemma root1_leaf d w1 w2 p : has_type d w2 -> leaf d p ->
    rd nowhere (holding w1 w2) (VRoot (N := N) 1) p = look w2 p.
  Proof. intros H lf. exact (proj2 (root1 w1 H) p lf). Qed.

  Arguments root0_leaf {d w1} w2 p _ _.
  Arguments root1_leaf {d} w1 {w2} p _ _.

  Lemma stored_zip ie m n d1 d2 a w1 w2 : has_type (DAry n d1) w1 -> has_type (DAry n d2) w2 ->
    stored ie m (DAry n d1) (AZip1 a) w1 -> stored ie m (DAry n d2) (AZip2 a) w2 ->
    stored ie m (DAry n (DPair d1 d2)) a (zip_of w1 w2).
  Proof.
    intros H1 H2 W1 W2 p q lf Y.
    rewrite <- (proj2 (match_zip (root0 w2 H1) (root1 w1 H2)) p lf).
    path_cases p i. destruct lf as [lt lf]. path_cases p j.
    - change (m (aroot a) q = Some (rd nowhere (holding w1 w2) (VRoot (N := N) 0) (At i :: p))).
      rewrite (root0_leaf w2 (At i :: p) H1) by (cbn; auto). apply (W1 (At i :: p)); cbn; auto.
    - change (m (aroot a) q = Some (rd nowhere (holding w1 w2) (VRoot (N := N) 1) (At i :: p))).
      rewrite (root1_leaf w1 (At i :: p) H2) by (cbn; auto). apply (W2 (At i :: p)); cbn; auto.
  Qed.

  Lemma stored_split ie m n k d a w : has_type (DAry (mul N n k) d) w ->
    stored ie m (DAry (mul N n k) d) (ASplit n a) w ->
      stored ie m (DAry k (DAry n d)) a (split_of #n #k w).
  Proof.
    intros H W p q lf Y. rewrite <- (proj2 (match_split _ _ (root0 junk H)) p lf).
    path_cases p i. destruct lf as [lt_i lf]. path_cases p j. destruct lf as [lt_j lf].
    assert (lf' : leaf (DAry (mul N n k) d) (At (i * #n + j) :: p))
      by (cbn [leaf]; rewrite count_mul; split; [nia | auto]).
    change (m (aroot a) q = Some
      (rd nowhere (holding w junk) (VRoot (N := N) 0) (At (i * #n + j) :: p))).
    rewrite (root0_leaf junk _ H lf'). apply (W _ _ lf'). cbn [wr].
    destruct (Nat.eqb_spec #n 0); [lia |]. destruct (divmod_join i lt_j) as [-> ->]. exact Y.
  Qed.

  Lemma stored_join ie m n k d a w : has_type (DAry k (DAry n d)) w ->
    stored ie m (DAry k (DAry n d)) (AJoin n a) w -> stored ie m (DAry (mul N n k) d) a (join_of w).
  Proof.
    intros H W p q lf Y. rewrite <- (proj2 (match_join (root0 junk H)) p lf).
    path_cases p i. rewrite count_mul in lf. destruct lf as [lt lf].
    assert (nz : #n <> 0) by nia. cbn [rd]. destruct (Nat.eqb_spec #n 0) as [z | _]; [lia |].
    assert (lf' : leaf (DAry k (DAry n d)) (At (i / #n) :: At (i mod #n) :: p)).
    { cbn [leaf]. repeat split; auto;
        [apply Nat.div_lt_upper_bound; lia | now apply Nat.mod_upper_bound]. }
    change (m (aroot a) q = Some
      (rd nowhere (holding w junk) (VRoot (N := N) 0) (At (i / #n) :: At (i mod #n) :: p))).
    rewrite (root0_leaf junk _ H lf'). apply (W _ _ lf'). cbn [wr].
    rewrite Nat.mul_comm, <- Nat.div_mod by auto. exact Y.
  Qed.

  Lemma stored_rev ie m n d a w : has_type (DAry n d) w ->
    stored ie m (DAry n d) (ARev n a) w -> stored ie m (DAry n d) a (reverse_of w).
  Proof.
    intros H W p q lf Y. rewrite <- (proj2 (match_rev (root0 junk H)) p lf).
    path_cases p i. destruct lf as [lt lf]. cbn [rd].
    destruct (Nat.ltb_spec i #n) as [_ | ge]; [| lia].
    assert (lf' : leaf (DAry n d) (At (#n - 1 - i) :: p)) by (cbn; split; [lia | auto]).
    change (m (aroot a) q = Some
      (rd nowhere (holding w junk) (VRoot (N := N) 0) (At (#n - 1 - i) :: p))).
    rewrite (root0_leaf junk _ H lf'). apply (W _ _ lf'). cbn [wr].
    destruct (Nat.ltb_spec (#n - 1 - i) #n) as [_ | ge]; [| lia].
    replace (#n - 1 - (#n - 1 - i)) with i by lia. exact Y.
  Qed.

  Lemma stored_tr ie m n k d a w : has_type (DAry n (DAry k d)) w ->
    stored ie m (DAry n (DAry k d)) (ATr a) w ->
      stored ie m (DAry k (DAry n d)) a (transpose_of #k w).
  Proof.
    intros H W p q lf Y. rewrite <- (proj2 (match_tr (root0 junk H)) p lf).
    path_cases p i. destruct lf as [lt_i lf]. path_cases p j. destruct lf as [lt_j lf].
    assert (lf' : leaf (DAry n (DAry k d)) (At j :: At i :: p)) by (cbn; auto).
    change (m (aroot a) q = Some
      (rd nowhere (holding w junk) (VRoot (N := N) 0) (At j :: At i :: p))).
    rewrite (root0_leaf junk _ H lf'). exact (W _ _ lf' Y).
  Qed.

  (** ** One lemma per rule *)

  Lemma correct_var G x d : nth_error (vars G) x = Some (TD d) -> correct G (EVar x : exp) d.
  Proof.
    intros looked. apply correct_by_c; [reflexivity |]. intros ie P l rho env m k Q HP HR Hk.
    destruct (proj1 HR _ _ looked) as (v & w & Ev & Ew & V & M). unfold trans_c. cbn [trans snd].
    rewrite (nth_error_nth _ _ _ Ev). apply Hk; auto using agree_refl.
    - eapply vscope_mono; [| | exact V]; unfold extend; auto.
    - cbn [eval]. rewrite (nth_error_nth _ _ _ Ew). exact M.
  Qed.

  Lemma correct_lit G (c : lit A) : correct G (ELit c) DNum.
  Proof.
    apply correct_by_c; [reflexivity |]. intros ie P l rho env m k Q HP HR Hk.
    unfold trans_c. cbn [trans snd]. apply Hk; cbn; auto using agree_refl. apply match_lit.
  Qed.

  Lemma correct_map G p n d1 d f e : ty G e (DAry n d1) -> ty (bind (TD d1) G) f d ->
    correct G e (DAry n d1) -> correct (bind (TD d1) G) f d ->
      correct G (EMap p n d f e) (DAry n d).
  Proof.
    intros Te Tf (_ & He & _) (Hf & _). pose proof (footprints Tf) as [foot_f _].
    apply correct_by_a; [econstructor; eauto | reflexivity |].
    intros ie P l rho env m a HP HR Hr Ha out use. unfold writes, trans_a. cbn [trans fst].
    apply (He ie P l rho env m _
      (fun m'' => stored ie m'' (DAry n d) a (eval env (EMap p n d f e)) /\
                                            frame l ie (DAry n d) a m m'')); auto.
    intros x m1 l1 le V same M. destruct (has_ary (proj1 M)) as (l0 & EQ & len & each).
    rewrite EQ in M.
    assert (out1 : ~ extend P l l1 (aroot a)) by (intros [Hr' | Hr']; [auto | lia]).
    assert (Ha1 : ascope (below l1) a) by (eapply ascope_le; eauto).
    assert (use1 : usable ie m1 (DAry n d) a) by (eapply usable_agree; eauto).
    assert (HP1 : forall r, extend P l l1 r -> r < l1) by
      (intros r Hr'; eapply extend_below; eauto).
    assert (Ha2 : ascope (below (S l1)) (AIdx a (XVar l1)))
      by (cbn; split; [eapply ascope_le; [| exact Ha1]; lia | unfold below; lia]).
    assert (Vx : vscope (extend P l l1) (below (S l1)) (VIdx x (XVar l1)))
      by (cbn; split; [eapply vscope_le; [| exact V]; lia | unfold below; lia]).
    change (fst (trans f (VIdx x (XVar l1) :: rho))) with (trans_a f (VIdx x (XVar l1) :: rho)).
    rewrite (@exec_loop _ _ _ ie p l1 n d a _ (extend P l l1) m1); auto; [| apply (proj2 use1) |].
    - destruct (@write_loop _ _ _ ie l1 n d a
        (trans_a f (VIdx x (XVar l1) :: rho) d (AIdx a (XVar l1)) (S l1))
        (fun j => eval (nth j l0 junk :: env) f) m1) as (m2 & X & W & F); auto; [lia | |].
      + intros j m' lt F use'.
        assert (kept : forall r q, extend P l l1 r -> m' r q = m1 r q).
        { intros r q Hr'. eapply frame_root; [exact F | auto |]. intros ->; auto. }
        apply (Hf (upi ie l1 j) (extend P l l1) (S l1)); auto; try (cbn; lia).
        * intros r Hr'. apply HP1 in Hr'. lia.
        * apply represents_bind; auto.
          -- eapply represents_ext; [exact HR | | | |]; unfold extend; auto.
             ++ intros r q Hr'. rewrite kept by (left; auto). apply same; auto.
             ++ intros z Hz. apply upi_below. lia.
          -- cbn [stands_for]. eapply (@match_elem _ _ _ (extend P l l1) ie l1 j m1); eauto.
      + exists m2. split; auto. split.
        * cbn [eval]. rewrite EQ. cbn [elems]. rewrite (nth_tabulate l0 junk), map_map, len.
          exact W.
        * intros r q lt out'. rewrite F; [apply same; auto | lia | auto].
    - intros j lt. apply foot_f; auto.
      + intros r Hr'. apply HP1 in Hr'. lia.
      + apply scoped_bind; auto. eapply scoped_mono; [| | eapply represents_scoped; exact HR];
          unfold extend; auto.
      + cbn; lia.
  Qed.

  Lemma correct_gen G p n d f : ty (bind (TI n) G) f d -> correct (bind (TI n) G) f d ->
    correct G (EGen p n d f) (DAry n d).
  Proof.
    intros Tf (Hf & _). pose proof (footprints Tf) as [foot_f _].
    apply correct_by_a; [econstructor; eauto | reflexivity |].
    intros ie P l rho env m a HP HR Hr Ha out use. unfold writes, trans_a. cbn [trans fst].
    assert (Ha2 : ascope (below (S l)) (AIdx a (XVar l)))
      by (cbn; split; [eapply ascope_le; [| exact Ha]; lia | unfold below; lia]).
    change (fst (trans f (VIx (XVar l) :: rho))) with (trans_a f (VIx (XVar l) :: rho)).
    rewrite (@exec_loop _ _ _ ie p l n d a _ P m); auto; [| apply (proj2 use) |].
    - apply (@write_loop _ _ _ ie l n d a
        (trans_a f (VIx (XVar l) :: rho) d (AIdx a (XVar l)) (S l))
               (fun j => eval (Pos j :: env) f) m); auto.
      intros j m' lt F use'. apply (Hf (upi ie l j) P (S l)); auto; try (cbn; lia).
      + intros r Hr'. apply HP in Hr'. lia.
      + apply represents_bind.
        * eapply represents_ext; [exact HR | | | |]; auto.
          -- intros r q Hr'. eapply frame_root; [exact F | auto |]. intros ->; auto.
          -- intros z Hz. now apply upi_below.
        * cbn. unfold below. lia.
        * cbn. exists (XVar l), j. cbn. rewrite upi_at. auto.
    - intros j lt. apply foot_f; auto.
      + intros r Hr'. apply HP in Hr'. lia.
      + apply scoped_bind; [eapply scoped_mono; [| | eapply represents_scoped; exact HR]; auto |].
        cbn. unfold below. lia.
  Qed.

  Lemma correct_red G n d1 d f (i : exp) e : ty G e (DAry n d1) -> ty G i d ->
    ty (bind (TD d) (bind (TD d1) G)) f d ->
    correct G e (DAry n d1) -> correct G i d -> correct (bind (TD d) (bind (TD d1) G)) f d ->
    correct G (ERed n d f i e) d.
  Proof.
    intros Te Ti Tf (_ & He & _) Hi Hf. apply correct_by_c; [reflexivity |].
    intros ie P l rho env m k Q HP HR Hk. unfold trans_c. cbn [trans snd].
    apply (He ie P l rho env m); auto. intros v1 m1 l1 le1 V1 same1 M1.
    assert (HP1 : forall r, extend P l l1 r -> r < l1) by (intros r Hr; eapply extend_below; eauto).
    assert (HR1 : represents (extend P l l1) l1 ie m1 G rho env).
    { eapply represents_ext; [exact HR | | | |]; auto; unfold extend; auto. }
    refine (@exec_initialised _ _ _ G i _ d _ Hi ie _ l1 rho env m1 Q HP1 HR1 _).
    intros l2 init m2 le2 same2 W.
    destruct (has_ary (proj1 M1)) as (l0 & EQ & len & each). rewrite EQ in M1.
    refine (@exec_reduce _ _ _ G n d (TD d1) f Tf Hf ie (extend P l l2) l2 rho env m2
      (fun j => VIdx v1 (XVar j))
              l0 init (eval env i) k Q _ _ len _ _ _ W _).
    - intros r Hr. eapply extend_below; [exact HP | lia | exact Hr].
    - eapply represents_ext; [exact HR | | | |]; auto; unfold extend; auto; try lia.
      intros r q Hr. rewrite same2, same1; auto. apply HP in Hr. lia.
    - cbn. split; [| unfold below; lia].
      eapply vscope_mono; [| | exact V1]; unfold extend, below; intros; intuition lia.
    - intros j m' lt same. split.
      + cbn [stands_for]. eapply (@match_elem _ _ _ (extend P l l1) ie (S l2) j m1); eauto.
        * eapply vscope_le; [| exact V1]. lia.
        * intros r q Hr. rewrite same, same2; auto. apply HP1 in Hr. lia.
      + cbn [fits_entry]. rewrite <- len in lt. destruct (nth_some _ lt) as [x Ex].
        rewrite (nth_error_nth _ _ _ Ex). eauto.
    - eapply eval_has_type; eauto. eapply represents_env; eauto.
    - intros m' same M. apply Hk; [lia | cbn; unfold extend; lia | |].
      + eapply agree_trans; [exact same1 |].
        eapply agree_trans; [eapply agree_le; [| exact same2]; lia |].
        eapply agree_le; [| exact same]. lia.
      + cbn [eval]. rewrite EQ. exact M.
  Qed.

  Lemma correct_fold G n d f (i : exp) : ty G i d -> ty (bind (TD d) (bind (TI n) G)) f d ->
    correct G i d -> correct (bind (TD d) (bind (TI n) G)) f d -> correct G (EFold n d f i) d.
  Proof.
    intros Ti Tf Hi Hf. apply correct_by_c; [reflexivity |].
    intros ie P l rho env m k Q HP HR Hk. unfold trans_c. cbn [trans snd].
    refine (@exec_initialised _ _ _ G i _ d _ Hi ie _ l rho env m Q HP HR _).
    intros l2 init m2 le2 same2 W.
    assert (at_ : forall j, j < #n -> nth j (map (@Pos A) (seq 0 #n)) junk = Pos j).
    { intros j lt. apply nth_error_nth. now rewrite nth_error_map, nth_seq. }
    refine (@exec_reduce _ _ _ G n d (TI n) f Tf Hf ie (extend P l l2) l2 rho env m2
      (fun j => VIx (XVar j))
              (map (@Pos A) (seq 0 #n)) init (eval env i) k Q _ _ _ _ _ _ W _).
    - intros r Hr. eapply extend_below; [exact HP | lia | exact Hr].
    - eapply represents_ext; [exact HR | | | |]; auto; unfold extend; auto; lia.
    - now rewrite map_length, seq_length.
    - cbn. unfold below. lia.
    - intros j m' lt same. rewrite at_ by auto. split; cbn; [| eauto].
      exists (XVar (S l2)), j. cbn. rewrite upi_at. auto.
    - eapply eval_has_type; eauto. eapply represents_env; eauto.
    - intros m' same M. apply Hk; [lia | cbn; unfold extend; lia | | exact M].
      eapply agree_trans; [eapply agree_le; [| exact same2]; lia | eapply agree_le; [| exact same];
        lia].
  Qed.

  Lemma correct_ite G (c : cond N) d e1 e2 : cond_all (is_index G) c ->
    ty (assume c true G) e1 d -> ty (assume c false G) e2 d ->
    correct (assume c true G) e1 d -> correct (assume c false G) e2 d ->
      correct G (EIte c d e1 e2) d.
  Proof.
    intros scope T1 T2 (A1 & _ & N1) (A2 & _ & N2).
    assert (branch : forall P l ie m rho env, represents P l ie m G rho env ->
      holds ie (cond_subst (level_of rho) c) = holds (positions env) c /\
      (holds (positions env) c = true -> represents P l ie m (assume c true G) rho env) /\
      (holds (positions env) c = false -> represents P l ie m (assume c false G) rho env)).
    { intros P l ie m rho env HR. pose proof (represents_assume c HR) as HR'.
      split; [now rewrite (cond_value c HR scope) | split; intros E; now rewrite E in HR']. }
    assert (Ha : accepts G (EIte c d e1 e2) d).
    { intros ie P l rho env m a HP HR Hr Ha out use.
      destruct (branch _ _ _ _ _ _ HR) as (E & yes & no).
      unfold writes, trans_a. cbn [trans fst exec eval]. rewrite E.
      destruct (holds (positions env) c); [apply A1 with P | apply A2 with P]; auto. }
    split; [exact Ha | split].
    - destruct (quiet e1 && quiet e2) eqn:Q.
      + intros ie P l rho env m k Q' HP HR Hk. destruct (branch _ _ _ _ _ _ HR) as (E & yes & no).
        assert (T : ty G (EIte c d e1 e2) d) by (constructor; auto).
        rewrite (quiet_trans (EIte c d e1 e2) Q). apply Hk; auto using agree_refl.
        * eapply vscope_mono; [| | eapply view_scope; eauto using represents_scoped]; unfold extend;
            auto.
        * eapply view_matches; eauto.
      + apply continues_via_a; auto; [constructor; auto |]. unfold trans_c. cbn [trans snd].
        now rewrite Q.
    - intros -> ie P l rho env m a HP HR Hr Ha' use.
      destruct (branch _ _ _ _ _ _ HR) as (E & yes & no).
      unfold writes, trans_a. cbn [trans fst exec eval]. rewrite E.
      destruct (holds (positions env) c); [apply N1 with P | apply N2 with P]; auto.
  Qed.

  Lemma correct_let G d1 d e f : correct G e d1 -> correct (bind (TD d1) G) f d ->
    correct G (ELet d1 e f) d.
  Proof.
    intros (_ & He & _) (Fa & Fc & Fn).
    assert (scope : forall P l l' ie m m' rho env v, (forall r, P r -> r < l) -> l <= l' ->
              represents P l ie m G rho env -> agree l m m' ->
                vscope (extend P l l') (below l') v ->
              matches ie m' d1 v (eval env e) ->
              represents (extend P l l') l' ie m' (bind (TD d1) G) (v :: rho) (eval env e :: env)).
    { intros P l l' ie m m' rho env v HP le HR same Hv M. apply represents_bind; auto.
      eapply represents_ext; [exact HR | | | |]; auto; unfold extend; auto. }
    split; [| split].
    - intros ie P l rho env m a HP HR Hr Ha out use. unfold writes, trans_a. cbn [trans fst eval].
      refine (@exec_bound _ _ _ G e d1 _ He ie P l rho env m
                (fun m'' => stored ie m'' d a (eval (eval env e :: env) f) /\ frame l ie d a m m'')
                  HP HR _).
      intros v m' l' le Hv same M.
      destruct (Fa ie (extend P l l') l' (v :: rho) (eval env e :: env) m' a) as (m2 & X & W & F);
        eauto; try lia.
      + intros r HR'. eapply extend_below; eauto.
      + eapply ascope_le; eauto.
      + intros [H | H]; [auto | lia].
      + eapply usable_agree; eauto.
      + exists m2. split; auto. split; auto. intros r q lt out'.
        rewrite F; [apply same; auto | lia | auto].
    - intros ie P l rho env m k Q HP HR Hk. unfold trans_c. cbn [trans snd].
      refine (@exec_bound _ _ _ G e d1 _ He ie P l rho env m Q HP HR _).
      intros v m' l' le Hv same M.
      apply (Fc ie (extend P l l') l' (v :: rho) (eval env e :: env) m'); eauto.
      + intros r HR'. eapply extend_below; eauto.
      + intros v2 m2 l2 le2 Hv2 same2 M2. apply Hk; [lia | | | exact M2].
        * eapply vscope_mono; [| | exact Hv2]; unfold extend; intros; intuition lia.
        * eapply agree_trans; [exact same | eapply agree_le; eauto].
    - intros -> ie P l rho env m a HP HR Hr Ha use. unfold writes, trans_a. cbn [trans fst eval].
      refine (@exec_bound _ _ _ G e d1 _ He ie P l rho env m
                (fun m'' => stored ie m'' DNum a (eval (eval env e :: env) f) /\
                  frame l ie DNum a m m'') HP HR _).
      intros v m' l' le Hv same M.
      destruct (Fn eq_refl ie (extend P l l') l' (v :: rho) (eval env e :: env) m' a) as
        (m2 & X & W & F); eauto; try lia.
      + intros r HR'. eapply extend_below; eauto.
      + eapply ascope_le; eauto.
      + eapply usable_agree; eauto.
      + exists m2. split; auto. split; auto. intros r q lt out'.
        rewrite F; [apply same; auto | lia | auto].
  Qed.

  (** ** The theorem *)

  Theorem translation_correct G e d : ty G e d -> correct G e d.
  Proof.
    induction 1 as [G x d looked | G c | G o e _ IH | G o e1 e2 _ IH1 _ IH2 |
      G p n d1 d f e Te IHe Tf IHf
      | G p n d f Tf IHf | G n d1 d f i e Te IHe Ti IHi Tf IHf | G n d f i Ti IHi Tf IHf
      | G n d1 d2 e1 e2 T1 IH1 T2 IH2 | G n k d e T IH | G n k d e T IH | G n d e i _ IH scope rng
      | G d1 d2 e1 e2 T1 IH1 T2 IH2 | G d1 d2 e _ IH | G d1 d2 e _ IH | G n d e T IH |
        G n k d e T IH
      | G c d e1 e2 scope T1 IH1 T2 IH2 | G d1 d e f _ IHe _ IHf].
    - now apply correct_var.
    - apply correct_lit.
    - apply correct_by_c; [reflexivity |].
      apply (@continues_one G _ e DNum DNum (fun _ => VUn o)); auto; [| apply IH].
      intros. now apply match_un.
    - apply correct_by_c; [reflexivity |].
      apply (@continues_two G _ e1 e2 DNum DNum DNum (VBin o)); cbn; auto;
        [| apply IH1 | apply IH2].
      intros. now apply match_bin.
    - now apply correct_map with d1.
    - now apply correct_gen.
    - now apply correct_red with d1.
    - now apply correct_fold.
    - split; [| split; [| discriminate]].
      + apply (@accepts_parts G _ e1 e2 _ (DAry n d1) (DAry n d2) (@AZip1 N) (@AZip2 N)
          (under (cons L)) (under (cons R)));
          auto using part_zip1, part_zip2; [| | apply IH1 | apply IH2].
        * intros p p' lf lf'. destruct p as [| [? | |] p], p' as [| [? | |] p']; cbn in *;
            try tauto. congruence.
        * intros. now apply stored_zip.
      + apply (@continues_two G _ e1 e2 _ (DAry n d1) (DAry n d2) (@VZip A N)); cbn; auto;
          [| apply IH1 | apply IH2].
        intros. now apply match_zip.
    - split; [| split; [| discriminate]].
      + apply (@accepts_part G _ e _ (DAry (mul N n k) d) (ASplit n) (split_path #n));
          auto using part_split; [| apply IH].
        intros. now apply stored_split.
      + apply (@continues_one G _ e _ (DAry (mul N n k) d) (fun _ => VSplit n)); auto; [| apply IH].
        intros. now apply match_split.
    - split; [| split; [| discriminate]].
      + apply (@accepts_part G _ e _ (DAry k (DAry n d)) (AJoin n) (join_path #n));
          auto using part_join; [| apply IH].
        intros. now apply stored_join.
      + apply (@continues_one G _ e _ (DAry k (DAry n d)) (fun _ => VJoin n)); auto; [| apply IH].
        intros. now apply match_join.
    - apply correct_by_c; [reflexivity |].
      apply (@continues_one G _ e d (DAry n d) (fun rho x => VIdx x (ix_subst (level_of rho) i)));
        auto; [| | apply IH].
      + intros P l ie m rho env v l' HR le V. cbn. split; auto.
        eapply ix_all_mono; [| eapply ix_scope; eauto using represents_scoped]. unfold below. lia.
      + intros P l ie m0 m rho env v HR _ M. cbn [eval].
        destruct (index_value HR scope rng) as (j & E & E' & lt). rewrite E.
        eapply match_idx; eauto.
    - split; [| split; [| discriminate]].
      + apply (@accepts_parts G _ e1 e2 _ d1 d2 (@APair1 N) (@APair2 N) (cons L) (cons R));
          auto using part_pair1, part_pair2; [discriminate | | apply IH1 | apply IH2].
        intros ie m a env _ _ W1 W2 p q lf Y. cbn [eval].
        destruct p as [| [j | |] p]; cbn in lf; try tauto;
          [apply (W1 p); auto | apply (W2 p); auto].
      + apply (@continues_two G _ e1 e2 _ d1 d2 (@VPair A N)); cbn; auto; [| apply IH1 | apply IH2].
        intros. now apply match_pair.
    - apply correct_by_c; [reflexivity |].
      apply (@continues_one G _ e d1 (DPair d1 d2) (fun _ => @VFst A N)); auto; [| apply IH].
      intros. cbn [eval]. eapply match_fst; eauto.
    - apply correct_by_c; [reflexivity |].
      apply (@continues_one G _ e d2 (DPair d1 d2) (fun _ => @VSnd A N)); auto; [| apply IH].
      intros. cbn [eval]. eapply match_snd; eauto.
    - split; [| split; [| discriminate]].
      + apply (@accepts_part G _ e _ (DAry n d) (ARev n) (rev_path #n)); auto using part_rev;
          [| apply IH].
        intros. now apply stored_rev.
      + apply (@continues_one G _ e _ (DAry n d) (fun _ => VRev n)); auto; [| apply IH].
        intros. now apply match_rev.
    - split; [| split; [| discriminate]].
      + apply (@accepts_part G _ e _ (DAry n (DAry k d)) (@ATr N) tr_path); auto using part_tr;
          [| apply IH].
        intros. now apply stored_tr.
      + apply (@continues_one G _ e _ (DAry n (DAry k d)) (fun _ => @VTr A N)); auto; [| apply IH].
        intros. now apply match_tr.
    - now apply correct_ite.
    - now apply correct_let.
  Qed.

  Theorem acceptor_correct G e d : ty G e d -> accepts G e d.
  Proof. intros T. apply (translation_correct T). Qed.

  Theorem continuation_correct G e d : ty G e d -> continues G e d.
  Proof. intros T. apply (translation_correct T). Qed.
End Correct.
