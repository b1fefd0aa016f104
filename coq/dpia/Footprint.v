(** * What translated commands touch

    [A(e)(a)] writes into [a] and reads what the environment may read; [C(e)(k)]
    touches what its continuation touches.  From this every parallel loop that the
    translation makes is free of races. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access.
Import ListNotations.
Set Implicit Arguments.

Section Footprint.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation exp := (exp A N). Notation vexp := (vexp A N).
  Notation vacc := (vacc N). Notation comm := (comm A N). Notation ctx := (ctx N).
  Implicit Types (d : data) (e : exp) (v : vexp) (a : vacc) (c : comm) (ie : ienv) (G : ctx).
  Implicit Types (P : nat -> Prop) (rho : list vexp) (X : access -> Prop).

  (** ** Race freedom as a statement *)

  Lemma apart_iff (F : nat -> list access) n :
    apart (map (fun i => (i, F i)) (seq 0 n)) = true <->
    forall i j x y, i < n -> j < n -> i <> j -> In x (F i) -> In y (F j) ->
      fst x || fst y = true -> snd x <> snd y.
  Proof.
    unfold apart. rewrite forallb_forall. split.
    - intros H i j x y lt_i lt_j ne Hx Hy W E.
      specialize (H (i, F i)). rewrite forallb_forall in H.
      specialize (H ltac:(apply in_map_iff; exists i; split; auto; apply in_seq; lia) (j, F j)
                    ltac:(apply in_map_iff; exists j; split; auto; apply in_seq; lia)).
      cbn in H. apply Nat.eqb_neq in ne. rewrite ne in H. cbn in H.
      rewrite forallb_forall in H. specialize (H _ Hx). rewrite forallb_forall in H.
      specialize (H _ Hy). apply negb_true_iff in H. unfold conflict in H.
      rewrite W, (proj2 (loc_eqb_eq _ _) E) in H. discriminate.
    - intros H [i fi] Hi. apply forallb_forall. intros [j fj] Hj. cbn.
      apply in_map_iff in Hi as (i' & Ei & Hi). injection Ei as <- <-.
      apply in_map_iff in Hj as (j' & Ej & Hj). injection Ej as <- <-.
      apply in_seq in Hi, Hj. destruct (Nat.eqb_spec i' j') as [| ne]; auto. cbn.
      apply forallb_forall. intros x Hx. apply forallb_forall. intros y Hy.
      apply negb_true_iff. unfold conflict. apply andb_false_iff.
      destruct (fst x || fst y) eqn:W; auto. right. apply not_true_is_false. intros E.
      apply loc_eqb_eq in E. revert E. apply (H i' j'); auto; lia.
  Qed.

  Lemma racefree_loop ie l n d a P c : ascope (below l) a -> injective ie (DAry n d) a ->
    ~ P (aroot a) ->
    (forall i, i < #n -> forall x, In x (footprint (upi ie l i) c) ->
       within (upi ie l i) d (AIdx a (XVar l)) P x) ->
    racefree ie l #n c = true.
  Proof.
    intros scope inj fresh H. unfold racefree. apply apart_iff.
    intros i j x y lt_i lt_j ne Hx Hy W E. apply H in Hx, Hy; auto.
    destruct Hx as [(q & -> & p & lf & Wp) | (r & q & -> & HR)],
             Hy as [(q' & -> & p' & lf' & Wp') | (r' & q' & -> & HR')];
               cbn [fst snd aroot orb] in *.
    - injection E as <-. rewrite wr_loop in Wp, Wp' by auto.
      assert (same : At i :: p = At j :: p') by (eapply inj; cbn; eauto). congruence.
    - injection E as <- _. now apply fresh.
    - injection E as -> _. now apply fresh.
    - discriminate.
  Qed.

  (** ** Loops and copies *)

  Lemma in_loop ie p l n c x : In x (footprint ie (CLoop p l n c)) ->
    exists i, i < #n /\ In x (footprint (upi ie l i) c).
  Proof.
    cbn [footprint]. intros H. apply in_flat_map in H as (i & Hi & H). apply in_seq in Hi.
    exists i. split; auto; lia.
  Qed.

  Lemma foot_loop ie p l n d a P c : ascope (below l) a ->
    (forall i, i < #n -> forall x, In x (footprint (upi ie l i) c) ->
       within (upi ie l i) d (AIdx a (XVar l)) P x) ->
    forall x, In x (footprint ie (CLoop p l n c)) -> within ie (DAry n d) a P x.
  Proof.
    intros scope H x Hx. apply in_loop in Hx as (i & lt & Hx). apply H in Hx; auto.
    eapply part_within in Hx; [| apply part_loop; eassumption].
    destruct Hx as [(q & -> & W) | HR];
      [left; exists q; split; auto; now apply target_upi in W | now right].
  Qed.

  Lemma foot_copy d : forall p ie a v l P, vscope P (below l) v -> ascope (below l) a ->
    forall x, In x (footprint ie (copy p d a v l)) -> within ie d a P x.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros p ie a v l P Hv Ha x Hx.
    - cbn in Hx. apply in_app_iff in Hx as [Hx | Hx].
      + apply in_map_iff in Hx as ([r q] & <- & Hx). right. exists r, q. split; auto.
        eapply reads_roots; eauto.
      + destruct (wr ie a []) as [q |] eqn:E; cbn in Hx; [| tauto]. destruct Hx as [<- | []].
        left. exists q. split; auto. exists []. now split.
    - cbn [copy] in Hx. revert x Hx. apply foot_loop; auto. intros i lt. apply IH; cbn.
      + split; [eapply vscope_le; [| exact Hv]; lia | unfold below; lia].
      + split; [eapply ascope_le; [| exact Ha]; lia | unfold below; lia].
    - cbn in Hx. apply in_app_iff in Hx as [Hx | Hx].
      + eapply part_within; [apply part_pair1 |]. eapply IH1; [| | exact Hx]; auto.
      + eapply part_within; [apply part_pair2 |]. eapply IH2; [| | exact Hx]; auto.
  Qed.

  (** ** Environments of views *)

  Definition scoped P l G rho : Prop :=
    forall x t, nth_error (vars G) x = Some t ->
      exists v, nth_error rho x = Some v /\ vscope P (below l) v.

  Lemma scoped_bind P l G rho t v :
    scoped P l G rho -> vscope P (below l) v -> scoped P l (bind t G) (v :: rho).
  Proof. intros H Hv [| x] t' E; cbn in *; eauto. Qed.

  Lemma scoped_mono P P' l l' G rho : (forall r, P r -> P' r) -> l <= l' ->
    scoped P l G rho -> scoped P' l' G rho.
  Proof.
    intros HP le H x t E. destruct (H x t E) as (v & Ev & Hv). exists v. split; auto.
    eapply vscope_mono; [exact HP | | exact Hv]. unfold below. lia.
  Qed.

  Lemma scoped_S P l G rho : scoped P l G rho -> scoped P (S l) G rho.
  Proof. apply scoped_mono; auto. Qed.

  Lemma below_S P l : (forall r, P r -> r < l) -> forall r, P r -> r < S l.
  Proof. intros HP r HR. apply HP in HR. lia. Qed.

  Lemma level_scope P l G rho x : scoped P l G rho -> is_index G x ->
    ix_all (below l) (level_of rho x).
  Proof.
    intros H [n E]. unfold level_of. destruct (H _ _ E) as (v & -> & Hv).
    destruct v; cbn in *; auto.
  Qed.

  Lemma ix_scope P l G rho (i : ix N) : scoped P l G rho -> ix_all (is_index G) i ->
    ix_all (below l) (ix_subst (level_of rho) i).
  Proof. intros H. apply ix_all_subst. intros x. now apply level_scope with P. Qed.

  Lemma cond_scope P l G rho (c : cond N) : scoped P l G rho -> cond_all (is_index G) c ->
    cond_all (below l) (cond_subst (level_of rho) c).
  Proof. intros H. apply cond_all_subst. intros x. now apply level_scope with P. Qed.

  (** ** The statement *)

  Definition foot_a G e d : Prop := forall ie P l rho a,
    (forall r, P r -> r < l) -> scoped P l G rho -> aroot a < l -> ascope (below l) a ->
    forall x, In x (footprint ie (trans_a e rho d a l)) -> within ie d a P x.

  Definition foot_c G e : Prop := forall ie P l rho X k,
    (forall r, P r -> r < l) -> scoped P l G rho -> (forall r q, P r -> X (false, (r, q))) ->
    (forall v l', l <= l' -> vscope (extend P l l') (below l') v ->
       forall x, In x (footprint ie (k v l')) -> X x \/ l <= root_of x < l') ->
    forall x, In x (footprint ie (trans_c e rho k l)) -> X x.

  Lemma extend_below P l l' r : (forall r, P r -> r < l) -> l <= l' -> extend P l l' r -> r < l'.
  Proof. intros HP le [HR | HR]; [apply HP in HR; lia | lia]. Qed.

  Lemma none_left X (x : access) l : X x \/ l <= root_of x < l -> X x.
  Proof. intros [HX | ?]; [exact HX | lia]. Qed.

  Lemma foot_via_c G e d : trans_a e = (fun rho => via_c (trans_c e rho)) -> foot_c G e ->
    foot_a G e d.
  Proof.
    intros E H ie P l rho a HP HS Hr Ha x Hx. rewrite E in Hx. unfold via_c in Hx.
    apply (H ie P l rho (within ie d a P)) in Hx; auto.
    - intros r q HR. right; eauto.
    - intros v l' le Hv y Hy. eapply foot_copy in Hy; [| exact Hv | eapply ascope_le; eauto].
      destruct Hy as [W | (r & q & -> & [HR | HR])];
        [left; now left | left; right; eauto | now right].
  Qed.

  Lemma foot_via_a G e d : trans_c e = (fun rho => via_a d (trans_a e rho)) -> foot_a G e d ->
    foot_c G e.
  Proof.
    intros E H ie P l rho X k HP HS HX Hk x Hx. rewrite E in Hx. unfold via_a in Hx.
    cbn [footprint] in Hx.
    apply filter_In in Hx as [Hx ne]. apply negb_true_iff, Nat.eqb_neq in ne.
    apply in_app_iff in Hx as [Hx | Hx].
    - apply (H ie P (S l) rho (ARoot l) (@below_S P l HP) (@scoped_S P l G rho HS) (le_n _) I) in Hx.
      destruct Hx as [(q & -> & W) | (r & q & -> & HR)]; cbn in *; [tauto | auto].
    - apply Hk in Hx; [destruct Hx; auto; lia | lia | cbn; right; lia].
  Qed.

  Lemma foot_one G (e e1 : exp) (g : list vexp -> vexp -> vexp) :
    (forall rho k, trans_c e rho k = trans_c e1 rho (fun x => k (g rho x))) ->
    (forall P l rho v l', scoped P l G rho -> l <= l' ->
       vscope (extend P l l') (below l') v -> vscope (extend P l l') (below l') (g rho v)) ->
    foot_c G e1 -> foot_c G e.
  Proof.
    intros E Hg H ie P l rho X k HP HS HX Hk x Hx. rewrite E in Hx.
    apply (H ie P l rho X) in Hx; auto. intros v l' le Hv y Hy. eapply Hk; [exact le | | exact Hy].
    eauto.
  Qed.

  Lemma foot_two G (e e1 e2 : exp) (g : list vexp -> vexp -> vexp -> vexp) :
    (forall rho k, trans_c e rho k =
      trans_c e1 rho (fun x => trans_c e2 rho (fun y => k (g rho x y)))) ->
    (forall P l rho v1 v2 l', scoped P l G rho -> l <= l' ->
       vscope (extend P l l') (below l') v1 -> vscope (extend P l l') (below l') v2 ->
       vscope (extend P l l') (below l') (g rho v1 v2)) ->
    foot_c G e1 -> foot_c G e2 -> foot_c G e.
  Proof.
    intros E Hg H1 H2 ie P l rho X k HP HS HX Hk x Hx. rewrite E in Hx.
    apply (H1 ie P l rho X) in Hx; auto. intros v1 l1 le1 Hv1 y Hy.
    apply (H2 ie (extend P l l1) l1 rho (fun x => X x \/ l <= root_of x < l1)) in Hy; auto.
    - intros r HR. eapply extend_below; eauto.
    - eapply scoped_mono; [| | exact HS]; unfold extend; auto.
    - intros r q [HR | HR]; cbn; auto.
    - intros v2 l2 le2 Hv2 z Hz. apply Hk in Hz; [destruct Hz; auto; lia | lia |].
      apply Hg; auto; [lia | |]; (eapply vscope_mono; [| | eassumption]);
        unfold extend, below; intros; intuition lia.
  Qed.

  (** ** Reductions *)

  Lemma foot_reduce ie P l n d direct body elem init k X :
    (forall r, P r -> r < l) -> (forall r q, P r -> X (false, (r, q))) ->
    (forall x, In x (footprint ie (init l)) -> within ie d (ARoot l) P x) ->
    (forall j a l', j < #n -> 2 + l <= l' -> aroot a < l' -> ascope (below l') a ->
       forall x, In x (footprint (upi ie (S l) j) (body (VRoot l) (elem (S l)) d a l')) ->
         within (upi ie (S l) j) d a (fun r => P r \/ r = l) x) ->
    (forall x, In x (footprint ie (k (VRoot l) (S l))) -> X x \/ root_of x = l) ->
    forall x, In x (footprint ie (@reduce A N n d direct body elem init k l)) -> X x.
  Proof.
    intros HP HX Hinit Hbody Hk x Hx. unfold reduce in Hx. cbn [footprint] in Hx.
    apply filter_In in Hx as [Hx ne]. apply negb_true_iff, Nat.eqb_neq in ne.
    rewrite !in_app_iff in Hx. destruct Hx as [Hx | [Hx | Hx]].
    - apply Hinit in Hx. destruct Hx as [(q & -> & W) | (r & q & -> & HR)]; cbn in *;
        [tauto | auto].
    - change (In x (footprint ie (CLoop Seq (S l) n
        (if direct then body (VRoot l) (elem (S l)) d (ARoot l) (2 + l)
         else CNew (2 + l) d (CSeq (body (VRoot l) (elem (S l)) d (ARoot (2 + l)) (3 + l))
                                   (copy Seq d (ARoot l) (VRoot (2 + l)) (3 + l))))))) in Hx.
      apply in_loop in Hx as (j & lt & Hx). destruct direct.
      + apply Hbody in Hx; cbn; auto.
        destruct Hx as [(q & -> & W) | (r & q & -> & [HR | HR])]; cbn in *; [tauto | auto | tauto].
      + cbn [footprint] in Hx. apply filter_In in Hx as [Hx ne2].
        apply negb_true_iff, Nat.eqb_neq in ne2.
        apply in_app_iff in Hx as [Hx | Hx].
        * apply Hbody in Hx; cbn; auto.
          destruct Hx as [(q & -> & W) | (r & q & -> & [HR | HR])]; cbn in *;
            [tauto | auto | tauto].
        * apply foot_copy with (P := fun r => r = 2 + l) in Hx; cbn; auto.
          destruct Hx as [(q & -> & W) | (r & q & -> & HR)]; cbn in *; tauto.
    - apply Hk in Hx. destruct Hx; [auto | tauto].
  Qed.

  (** The initial value, then [rest]. *)
  Lemma foot_initialised G (i : exp) b d rest : foot_a G i d -> foot_c G i ->
    forall ie P l rho X, (forall r, P r -> r < l) -> scoped P l G rho ->
      (forall r q, P r -> X (false, (r, q))) ->
    (forall l' init, l <= l' ->
       (forall x, In x (footprint ie (init l')) -> within ie d (ARoot l') (extend P l l') x) ->
       forall x, In x (footprint ie (rest init l')) -> X x \/ l <= root_of x < l') ->
    forall x, In x (footprint ie (initialised b d (trans_a i rho) (trans_c i rho) rest l)) -> X x.
  Proof.
    intros Fa Fc ie P l rho X HP HS HX Hrest x Hx.
    assert (Hary : forall x,
              In x (footprint ie (rest (fun r => trans_a i rho d (ARoot r) (S r)) l)) -> X x).
    { intros y Hy. apply Hrest in Hy; [now apply none_left in Hy | auto |].
      intros z Hz. apply (Fa ie P (S l) rho (ARoot l) (@below_S P l HP) (@scoped_S P l G rho HS)
        (le_n _) I) in Hz.
      eapply within_mono; [| exact Hz]. unfold extend. auto. }
    destruct b; cbn [initialised] in Hx; auto.
    apply (Fc ie P l rho X) in Hx; auto. intros v l' le Hv y Hy.
    eapply Hrest; [exact le | | exact Hy].
    intros z Hz.
    eapply foot_copy in Hz; [exact Hz | eapply vscope_le; [| exact Hv]; lia | exact I].
  Qed.

  (** A bound view, then [rest]. *)
  Lemma foot_bound G e d rest : foot_c G e ->
    forall ie P l rho X, (forall r, P r -> r < l) -> scoped P l G rho ->
      (forall r q, P r -> X (false, (r, q))) ->
    (forall v l', l <= l' -> vscope (extend P l l') (below l') v ->
       forall x, In x (footprint ie (rest v l')) -> X x \/ l <= root_of x < l') ->
    forall x, In x (footprint ie (bound d (trans_c e rho) rest l)) -> X x.
  Proof.
    intros H ie P l rho X HP HS HX Hrest x Hx. unfold bound in Hx.
    apply (H ie P l rho X) in Hx; auto. intros v l' le Hv y Hy.
    destruct d; [destruct (is_path v) | |]; eauto.
    cbn [footprint] in Hy. apply filter_In in Hy as [Hy ne]. apply negb_true_iff, Nat.eqb_neq in ne.
    apply in_app_iff in Hy as [Hy | Hy].
    - apply (@foot_copy DNum Seq ie (ARoot l') v l' (extend P l l') Hv I) in Hy.
      destruct Hy as [(q & -> & W) | (r & q & -> & [HR | HR])]; cbn in *; [tauto | auto | auto].
    - apply Hrest in Hy; [destruct Hy; auto; lia | lia |]. cbn. unfold extend. lia.
  Qed.

  (** ** One lemma per rule *)

  Definition feet G e d : Prop := foot_a G e d /\ foot_c G e.

  Lemma feet_by_c G e d : trans_a e = (fun rho => via_c (trans_c e rho)) -> foot_c G e ->
    feet G e d.
  Proof. intros E H. split; [now apply foot_via_c | exact H]. Qed.

  Lemma feet_var G x d : nth_error (vars G) x = Some (TD d) -> feet G (EVar x) d.
  Proof.
    intros E. apply feet_by_c; [reflexivity |]. intros ie P l rho X k HP HS HX Hk y Hy. cbn in Hy.
    destruct (HS _ _ E) as (v & Ev & Hv). rewrite (nth_error_nth _ _ _ Ev) in Hy.
    apply Hk in Hy; [now apply none_left in Hy | auto |].
    eapply vscope_mono; [| | exact Hv]; unfold extend; auto.
  Qed.

  Lemma feet_lit G (c : lit A) d : feet G (ELit c) d.
  Proof.
    apply feet_by_c; [reflexivity |]. intros ie P l rho X k HP HS HX Hk y Hy. cbn in Hy.
    apply Hk in Hy; [now apply none_left in Hy | auto | exact I].
  Qed.

  Lemma feet_map G p n d1 d f e :
    feet G e (DAry n d1) -> feet (bind (TD d1) G) f d -> feet G (EMap p n d f e) (DAry n d).
  Proof.
    intros [_ He] [Hf _].
    assert (H : foot_a G (EMap p n d f e) (DAry n d)).
    { intros ie P l rho a HP HS Hr Ha x Hx. unfold trans_a in Hx. cbn [trans fst] in Hx.
      apply (He ie P l rho (within ie (DAry n d) a P)) in Hx;
        [exact Hx | auto | auto | intros; right; eauto |].
      intros v l' le Hv y Hy.
      enough (within ie (DAry n d) a (extend P l l') y) as [W | (r & q & -> & [HR | HR])]
        by ((left; left; assumption) || (left; right; eauto; fail) || (right; cbn; auto)).
      assert (Ha' : ascope (below l') a) by (eapply ascope_le; eauto).
      revert y Hy. apply foot_loop; [exact Ha' |]. intros i lt. apply Hf.
      - intros r HR. apply (extend_below (P := P)) in HR; auto; lia.
      - apply scoped_bind; [eapply scoped_mono; [| | exact HS]; unfold extend; auto |].
        cbn. split; [eapply vscope_le; [| exact Hv]; lia | unfold below; lia].
      - cbn; lia.
      - cbn. split; [eapply ascope_le; [| exact Ha']; lia | unfold below; lia]. }
    split; auto. now apply foot_via_a with (DAry n d).
  Qed.

  Lemma feet_gen G p n d f : feet (bind (TI n) G) f d -> feet G (EGen p n d f) (DAry n d).
  Proof.
    intros [Hf _].
    assert (H : foot_a G (EGen p n d f) (DAry n d)).
    { intros ie P l rho a HP HS Hr Ha. unfold trans_a. cbn [trans fst].
      apply foot_loop; [exact Ha |].
      intros i lt. apply Hf.
      - intros r HR. apply HP in HR. lia.
      - apply scoped_bind; [eapply scoped_mono; [| | exact HS]; auto |]. cbn. unfold below. lia.
      - cbn; lia.
      - cbn. split; [eapply ascope_le; [| exact Ha]; lia | unfold below; lia]. }
    split; auto. now apply foot_via_a with (DAry n d).
  Qed.

  (** Both reductions: [elem] is the element's view, [t] its type. *)
  Lemma foot_reduction G n d t (f i : exp) : feet G i d -> feet (bind (TD d) (bind t G)) f d ->
    forall ie P l rho X k elem, (forall r, P r -> r < l) -> scoped P l G rho ->
    (forall r q, P r -> X (false, (r, q))) ->
    (forall j, l <= j -> vscope P (below (S j)) (elem j)) ->
    (forall v l', l <= l' -> vscope (extend P l l') (below l') v ->
       forall x, In x (footprint ie (k v l')) -> X x \/ l <= root_of x < l') ->
    forall x, In x (footprint ie (initialised (is_loop i) d (trans_a i rho) (trans_c i rho) (fun init =>
      reduce n d (in_place d f) (fun y x => trans_a f (y :: x :: rho)) elem init k) l)) -> X x.
  Proof.
    intros [Ia Ic] [Fa _] ie P l rho X k elem HP HS HX Helem Hk.
    refine (@foot_initialised G i _ d _ Ia Ic ie P l rho X HP HS HX _). intros l' init le Hinit x Hx.
    revert x Hx. apply (@foot_reduce ie (extend P l l')).
    - intros r HR. eapply extend_below; eauto.
    - intros r q [HR | HR]; cbn; auto.
    - exact Hinit.
    - intros j a l3 lt le3 Hr Ha. apply Fa; auto.
      + intros r [HR | HR]; [apply (extend_below (P := P)) in HR; auto; lia | lia].
      + apply scoped_bind; [apply scoped_bind | cbn; auto].
        * eapply scoped_mono; [| | exact HS]; unfold extend; auto; lia.
        * eapply vscope_mono; [| | apply (Helem (S l')); lia]; unfold extend, below; auto; intros;
            lia.
    - intros x Hx. apply Hk in Hx; [destruct Hx; auto; lia | lia | cbn; unfold extend; lia].
  Qed.

  Lemma feet_red G n d1 d f i e : feet G e (DAry n d1) -> feet G i d ->
    feet (bind (TD d) (bind (TD d1) G)) f d -> feet G (ERed n d f i e) d.
  Proof.
    intros [_ He] Hi Hf. apply feet_by_c; [reflexivity |].
    intros ie P l rho X k HP HS HX Hk x Hx. unfold trans_c in Hx. cbn [trans snd] in Hx.
    apply (He ie P l rho X) in Hx; auto. intros v l1 le1 Hv y Hy.
    refine (@foot_reduction G n d (TD d1) f i Hi Hf ie (extend P l l1) l1 rho
              (fun x => X x \/ l <= root_of x < l1) k _ _ _ _ _ _ _ Hy).
    - intros r HR. eapply extend_below; eauto.
    - eapply scoped_mono; [| | exact HS]; unfold extend; auto.
    - intros r q [HR | HR]; cbn; auto.
    - intros j le. cbn. split; [eapply vscope_le; [| exact Hv]; lia | unfold below; lia].
    - intros v2 l2 le2 Hv2 z Hz. apply Hk in Hz; [destruct Hz; auto; lia | lia |].
      eapply vscope_mono; [| | exact Hv2]; unfold extend; intros; intuition lia.
  Qed.

  Lemma feet_fold G n d f i : feet G i d -> feet (bind (TD d) (bind (TI n) G)) f d ->
    feet G (EFold n d f i) d.
  Proof.
    intros Hi Hf. apply feet_by_c; [reflexivity |].
    intros ie P l rho X k HP HS HX Hk x Hx. unfold trans_c in Hx. cbn [trans snd] in Hx.
    refine (@foot_reduction G n d (TI n) f i Hi Hf ie P l rho X k _ HP HS HX _ Hk _ Hx).
    intros j le. cbn. unfold below. lia.
  Qed.

  Lemma feet_ite G (c : cond N) d e1 e2 : cond_all (is_index G) c ->
    feet (assume c true G) e1 d -> feet (assume c false G) e2 d -> feet G (EIte c d e1 e2) d.
  Proof.
    intros Hc [A1 C1] [A2 C2].
    assert (H : foot_a G (EIte c d e1 e2) d).
    { intros ie P l rho a HP HS Hr Ha x Hx. unfold trans_a in Hx. cbn [trans fst footprint] in Hx.
      destruct (holds ie (cond_subst (level_of rho) c));
        [now apply (A1 ie P l rho a) | now apply (A2 ie P l rho a)]. }
    split; auto. destruct (quiet e1 && quiet e2) eqn:Q.
    - apply (@foot_two G _ e1 e2 (fun rho => VIte (cond_subst (level_of rho) c))); auto.
      + intros rho k. unfold trans_c. cbn [trans snd]. now rewrite Q.
      + intros P l rho v1 v2 l' HS le Hv1 Hv2. cbn. split; auto.
        eapply cond_all_mono; [| eapply cond_scope; eauto]. unfold below. lia.
    - apply foot_via_a with d; auto. unfold trans_c. cbn [trans snd]. now rewrite Q.
  Qed.

  Lemma feet_let G d1 d e f : feet G e d1 -> feet (bind (TD d1) G) f d -> feet G (ELet d1 e f) d.
  Proof.
    intros [_ He] [Fa Fc]. split.
    - intros ie P l rho a HP HS Hr Ha. unfold trans_a. cbn [trans fst].
      refine (@foot_bound G e d1 _ He ie P l rho (within ie d a P) HP HS _ _).
      + intros r q HR. right; eauto.
      + intros v l' le Hv y Hy.
        apply (Fa ie (extend P l l') l' (v :: rho) a) in Hy.
        * destruct Hy as [W | (r & q & -> & [HR | HR])];
            [left; now left | left; right; eauto | now right].
        * intros r HR. eapply extend_below; eauto.
        * apply scoped_bind; auto. eapply scoped_mono; [| | exact HS]; unfold extend; auto.
        * lia.
        * eapply ascope_le; eauto.
    - intros ie P l rho X k HP HS HX Hk. unfold trans_c. cbn [trans snd].
      refine (@foot_bound G e d1 _ He ie P l rho X HP HS HX _). intros v l' le Hv y Hy.
      apply (Fc ie (extend P l l') l' (v :: rho) (fun x => X x \/ l <= root_of x < l')) in Hy; auto.
      + intros r HR. eapply extend_below; eauto.
      + apply scoped_bind; auto. eapply scoped_mono; [| | exact HS]; unfold extend; auto.
      + intros r q [HR | HR]; cbn; auto.
      + intros v2 l2 le2 Hv2 z Hz. apply Hk in Hz; [destruct Hz; auto; lia | lia |].
        eapply vscope_mono; [| | exact Hv2]; unfold extend; intros; intuition lia.
  Qed.

  (** A structural acceptor rule with one part. *)
  Lemma foot_part G (e e1 : exp) d d1 (b : vacc -> vacc) f :
    (forall rho a l, trans_a e rho d a l = trans_a e1 rho d1 (b a) l) ->
    (forall ie a, part ie d1 (b a) d a f) -> (forall V a, ascope V a -> ascope V (b a)) ->
    foot_a G e1 d1 -> foot_a G e d.
  Proof.
    intros E Hp Hb H ie P l rho a HP HS Hr Ha x Hx. rewrite E in Hx.
    eapply part_within; [apply Hp |]. eapply H; [| | | | exact Hx]; auto.
    now rewrite (proj1 (Hp ie a)).
  Qed.

  (** ... with two. *)
  Lemma foot_parts G (e e1 e2 : exp) d d1 d2 (b1 b2 : vacc -> vacc) f1 f2 :
    (forall rho a l, trans_a e rho d a l =
      CSeq (trans_a e1 rho d1 (b1 a) l) (trans_a e2 rho d2 (b2 a) l)) ->
    (forall ie a, part ie d1 (b1 a) d a f1) -> (forall ie a, part ie d2 (b2 a) d a f2) ->
    (forall V a, ascope V a -> ascope V (b1 a) /\ ascope V (b2 a)) ->
    foot_a G e1 d1 -> foot_a G e2 d2 -> foot_a G e d.
  Proof.
    intros E Hp1 Hp2 Hb H1 H2 ie P l rho a HP HS Hr Ha x Hx. rewrite E in Hx. cbn [footprint] in Hx.
    apply in_app_iff in Hx as [Hx | Hx].
    - eapply part_within; [apply Hp1 |]. eapply H1; [| | | | exact Hx]; auto; [| now apply Hb].
      now rewrite (proj1 (Hp1 ie a)).
    - eapply part_within; [apply Hp2 |]. eapply H2; [| | | | exact Hx]; auto; [| now apply Hb].
      now rewrite (proj1 (Hp2 ie a)).
  Qed.

  Theorem footprints G e d : ty G e d -> feet G e d.
  Proof.
    induction 1 as [G x d looked | G c | G o e _ IH | G o e1 e2 _ IH1 _ IH2 |
      G p n d1 d f e _ IHe _ IHf
      | G p n d f _ IHf | G n d1 d f i e _ IHe _ IHi _ IHf | G n d f i _ IHi _ IHf
      | G n d1 d2 e1 e2 _ IH1 _ IH2 | G n k d e _ IH | G n k d e _ IH | G n d e i _ IH scope rng
      | G d1 d2 e1 e2 _ IH1 _ IH2 | G d1 d2 e _ IH | G d1 d2 e _ IH | G n d e _ IH | G n k d e _ IH
      | G c d e1 e2 scope _ IH1 _ IH2 | G d1 d e f _ IHe _ IHf].
    - now apply feet_var.
    - apply feet_lit.
    - apply feet_by_c; [reflexivity |].
      apply (@foot_one G _ e (fun _ => VUn o)); [reflexivity | auto | apply IH].
    - apply feet_by_c; [reflexivity |].
      apply (@foot_two G _ e1 e2 (fun _ => VBin o));
        [reflexivity | cbn; auto | apply IH1 | apply IH2].
    - now apply feet_map with d1.
    - now apply feet_gen.
    - now apply feet_red with d1.
    - now apply feet_fold.
    - split.
      + apply (@foot_parts G _ e1 e2 _ (DAry n d1) (DAry n d2) (@AZip1 N) (@AZip2 N)
          (under (cons L)) (under (cons R)));
          auto using part_zip1, part_zip2; [apply IH1 | apply IH2].
      + apply (@foot_two G _ e1 e2 (fun _ => @VZip A N));
          [reflexivity | cbn; auto | apply IH1 | apply IH2].
    - split.
      + apply (@foot_part G _ e _ (DAry (mul N n k) d) (ASplit n) (split_path #n));
          auto using part_split. apply IH.
      + apply (@foot_one G _ e (fun _ => VSplit n)); [reflexivity | auto | apply IH].
    - split.
      + apply (@foot_part G _ e _ (DAry k (DAry n d)) (AJoin n) (join_path #n));
          auto using part_join. apply IH.
      + apply (@foot_one G _ e (fun _ => VJoin n)); [reflexivity | auto | apply IH].
    - apply feet_by_c; [reflexivity |].
      apply (@foot_one G _ e (fun rho x => VIdx x (ix_subst (level_of rho) i)));
        [reflexivity | | apply IH].
      intros P l rho v l' HS le Hv. cbn. split; auto.
      eapply ix_all_mono; [| eapply ix_scope; eauto]. unfold below. lia.
    - split.
      + apply (@foot_parts G _ e1 e2 _ d1 d2 (@APair1 N) (@APair2 N) (cons L) (cons R));
          auto using part_pair1, part_pair2; [apply IH1 | apply IH2].
      + apply (@foot_two G _ e1 e2 (fun _ => @VPair A N));
          [reflexivity | cbn; auto | apply IH1 | apply IH2].
    - apply feet_by_c; [reflexivity |].
      apply (@foot_one G _ e (fun _ => @VFst A N)); [reflexivity | auto | apply IH].
    - apply feet_by_c; [reflexivity |].
      apply (@foot_one G _ e (fun _ => @VSnd A N)); [reflexivity | auto | apply IH].
    - split.
      + apply (@foot_part G _ e _ (DAry n d) (ARev n) (rev_path #n)); auto using part_rev. apply IH.
      + apply (@foot_one G _ e (fun _ => VRev n)); [reflexivity | auto | apply IH].
    - split.
      + apply (@foot_part G _ e _ (DAry n (DAry k d)) (@ATr N) tr_path); auto using part_tr.
        apply IH.
      + apply (@foot_one G _ e (fun _ => @VTr A N)); [reflexivity | auto | apply IH].
    - now apply feet_ite.
    - now apply feet_let.
  Qed.
End Footprint.
