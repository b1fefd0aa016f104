(** * Any order, nested: all parallel loops of a translated program at once

    A scheduler gives an order for every parallel loop that is met, depending on
    the values of the enclosing loop variables and on the store.  [run_order] is
    execution under a scheduler, without a race check.  A tidy command, one that
    never touches the private roots of its parts from outside, gives the same
    store under all schedulers; translated commands are tidy. *)

From Coq Require Import List Arith Lia Bool ZArith Permutation.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Sched.
Import ListNotations.
Set Implicit Arguments.

Section Order.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation exp := (exp A N). Notation vexp := (vexp A N).
  Notation vacc := (vacc N). Notation comm := (comm A N). Notation ctx := (ctx N).
  Notation store := (store A).
  Implicit Types (d : data) (e f : exp) (v : vexp) (a : vacc) (c : comm) (ie : ienv) (G : ctx).
  Implicit Types (P V : nat -> Prop) (rho : list vexp) (m t : store).

  (** ** Execution under a scheduler *)

  Definition scheduler := ienv -> nat -> nat -> comm -> store -> list nat.
  Definition fair (pick : scheduler) : Prop :=
    forall ie l n c m, Permutation (pick ie l n c m) (seq 0 n).

  Fixpoint run_order (pick : scheduler) ie c m : option store :=
    match c with
    | CSkip => Some m
    | CSeq c1 c2 => obind (run_order pick ie c1 m) (run_order pick ie c2)
    | CAssign _ _ => exec ie c m
    | CNew r d c => run_order pick ie c (alloc m r d)
    | CLoop p l n c =>
        iterate (match p with Seq => seq 0 #n | Par => pick ie l #n c m end)
                (fun i => run_order pick (upi ie l i) c) m
    | CIf b c1 c2 => if holds ie b then run_order pick ie c1 m else run_order pick ie c2 m
    end.

  (** ** Tidy commands *)

  Definition outside c (xs : list access) : Prop := forall x, In x xs -> ~ news c (root_of x).

  Fixpoint tidy ie c : Prop :=
    match c with
    | CSkip | CAssign _ _ => True
    | CSeq c1 c2 => tidy ie c1 /\ tidy ie c2 /\ outside c1 (footprint ie c2)
    | CNew _ _ c => tidy ie c
    | CLoop _ l n c =>
        forall i, i < #n -> tidy (upi ie l i) c /\ outside c (footprint (upi ie l i) c)
    | CIf _ c1 c2 => tidy ie c1 /\ tidy ie c2
    end.

  (** The same outside the roots [V]. *)
  Definition same_but V m m' : Prop := forall r q, ~ V r -> m' r q = m r q.
  Definition clear V (xs : list access) : Prop := forall x, In x xs -> ~ V (root_of x).

  Lemma same_reads V ie m m' v p : same_but V m m' -> clear V (map (pair false) (reads ie v p)) ->
    rd ie m' v p = rd ie m v p.
  Proof.
    intros same out. apply rd_local. intros r q H. apply same. apply (out (false, (r, q))).
    now apply in_map.
  Qed.

  Section Pick.
    Variable pick : scheduler.
    Hypothesis is_fair : fair pick.

    Definition simulated ie c : Prop := forall m t m' V,
      exec ie c m = Some t -> same_but V m m' -> clear V (footprint ie c) ->
      exists t', run_order pick ie c m' = Some t' /\ same_but (fun r => V r \/ news c r) t t'.

    (** The same iterations in the same order. *)
    Lemma simulated_iterate ie l c is : forall m t m' V,
      (forall i, In i is -> simulated (upi ie l i) c) ->
      (forall i, In i is -> outside c (footprint (upi ie l i) c) /\
        clear V (footprint (upi ie l i) c)) ->
      iterate is (fun i => exec (upi ie l i) c) m = Some t -> same_but V m m' ->
      exists t', iterate is (fun i => run_order pick (upi ie l i) c) m' = Some t' /\
        same_but (fun r => V r \/ news c r) t t'.
    Proof using.
      induction is as [| i is IH]; cbn; intros m t m' V sim out E same.
      - injection E as <-. exists m'. split; auto. intros r q H. apply same. tauto.
      - destruct (exec (upi ie l i) c m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
        destruct (sim i (or_introl eq_refl) m m1 m' V E1 same (proj2 (out i (or_introl eq_refl))))
          as (m1' & -> & same1).
        cbn. destruct (IH m1 t m1' (fun r => V r \/ news c r)) as (t' & E' & same'); auto.
        + intros j Hj. destruct (out j (or_intror Hj)) as [o1 o2]. split; auto.
          intros x Hx [HV | Hn]; [now apply (o2 x) | now apply (o1 x)].
        + exists t'. split; auto. intros r q H. apply same'. tauto.
    Qed.

    Theorem order_irrelevant c : forall ie, tidy ie c -> simulated ie c.
    Proof using is_fair.
      induction c as [| c1 IH1 c2 IH2 | a v | r d c IH | p l n c IH | b c1 IH1 c2 IH2];
        intros ie T m t m' V E same out; cbn [exec run_order footprint news tidy] in *.
      - injection E as <-. exists m'. split; auto. intros r q H. apply same. tauto.
      - destruct T as (T1 & T2 & apart).
        destruct (exec ie c1 m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
        destruct (IH1 ie T1 m m1 m' V E1 same) as (m1' & -> & same1).
        { intros x Hx. apply out, in_app_iff. now left. }
        destruct (IH2 ie T2 m1 t m1' _ E same1) as (t' & E' & same').
        { intros x Hx [HV | Hn]; [| now apply (apart x)]. apply (out x); auto. apply in_app_iff.
          now right. }
        exists t'. cbn. split; auto. intros r q H. apply same'. tauto.
      - destruct (wr ie a []) as [p |]; cbn in *; [| discriminate].
        rewrite (@same_reads V ie m m' v []); [| exact same |].
        2: { intros x Hx. apply out, in_app_iff. now left. }
        destruct (rd ie m v []) as [x |]; cbn in *; [| discriminate].
        rewrite (same (aroot a) p).
        2: { apply (out (true, (aroot a, p))). apply in_app_iff. right. now left. }
        destruct (m (aroot a) p); [| discriminate]. injection E as <-. eexists.
        split; [reflexivity |].
        intros r q H. unfold set. destruct ((r =? aroot a) && path_eqb q p);
          [reflexivity | apply same; tauto].
      - destruct (IH ie T (alloc m r d) t (alloc m' r d) (fun r' => V r' /\ r' <> r) E) as
          (t' & E' & same').
        + intros r' q H. unfold alloc. destruct (Nat.eqb_spec r' r); auto.
        + intros x Hx [HV ne]. apply (out x); auto. apply filter_In. split; auto.
          now apply negb_true_iff, Nat.eqb_neq.
        + exists t'. split; auto. intros r' q H. apply same'. tauto.
      - destruct (may_loop p ie l #n c) eqn:May; [| discriminate].
        assert (sim : forall i, In i (seq 0 #n) -> simulated (upi ie l i) c)
          by (intros i Hi; apply in_seq in Hi; apply IH, T; lia).
        assert (out' : forall i, In i (seq 0 #n) ->
                  outside c (footprint (upi ie l i) c) /\ clear V (footprint (upi ie l i) c)).
        { intros i Hi. split; [apply in_seq in Hi; apply T; lia |]. intros x Hx.
          apply out, in_flat_map. eauto. }
        destruct p; cbn [may_loop] in May.
        + rewrite for_iterate in E. exact
            (@simulated_iterate ie l c (seq 0 #n) m t m' V sim out' E same).
        + pose proof (is_fair ie l #n c m') as perm.
          destruct (@par_any_order _ _ _ ie l #n c m May) with (t := t) (is := pick ie l #n c m')
            as (t1 & E1 & same1); auto.
          { intros i x lt Hx. apply (T i lt). exact Hx. }
          assert (back : forall i, In i (pick ie l #n c m') -> In i (seq 0 #n))
            by (intros i; now apply Permutation_in).
          destruct (@simulated_iterate ie l c (pick ie l #n c m') m t1 m' V) as (t' & E' & same');
            auto.
          exists t'. split; auto. intros r q H. rewrite same' by exact H. apply same1. tauto.
      - destruct T as [T1 T2]. destruct (holds ie b).
        + destruct (IH1 ie T1 m t m' V E same out) as (t' & E' & same').
          exists t'. split; auto. intros r q H. apply same'. tauto.
        + destruct (IH2 ie T2 m t m' V E same out) as (t' & E' & same').
          exists t'. split; auto. intros r q H. apply same'. tauto.
    Qed.
  End Pick.

  (** ** Translated commands are tidy

      [neat ie l b c]: new roots have levels from [l] on, all others are below [b]. *)

  Definition neat ie l b c : Prop :=
    (forall r, news c r -> l <= r) /\ tidy ie c /\
      (forall x, In x (footprint ie c) -> root_of x < b).

  Lemma neat_seq ie l b c1 c2 : b <= l -> neat ie l b c1 -> neat ie l b c2 ->
    neat ie l b (CSeq c1 c2).
  Proof.
    intros le (n1 & t1 & f1) (n2 & t2 & f2). split; [| split]; cbn.
    - intros r [H | H]; auto.
    - repeat split; auto. intros x Hx Hn. apply f2 in Hx. apply n1 in Hn. lia.
    - intros x Hx. apply in_app_iff in Hx as [Hx | Hx]; auto.
  Qed.

  Lemma neat_if ie l b (x : cond N) c1 c2 : neat ie l b c1 -> neat ie l b c2 ->
    neat ie l b (CIf x c1 c2).
  Proof.
    intros (n1 & t1 & f1) (n2 & t2 & f2). split; [| split]; cbn; auto.
    - intros r [H | H]; auto.
    - destruct (holds ie x); auto.
  Qed.

  Lemma neat_new ie l b d c : (forall r, news c r -> l <= r) -> tidy ie c ->
    (forall x, In x (footprint ie c) -> root_of x = l \/ root_of x < b) -> neat ie l b (CNew l d c).
  Proof.
    intros n1 t1 f1. split; [| split]; cbn; auto.
    - intros r [-> | H]; [lia | auto].
    - intros x Hx. apply filter_In in Hx as [Hx ne]. apply negb_true_iff, Nat.eqb_neq in ne.
      destruct (f1 x Hx); [tauto | assumption].
  Qed.

  Lemma neat_new_at ie l d c : neat ie (S l) (S l) c -> neat ie l l (CNew l d c).
  Proof.
    intros (n1 & t1 & f1). apply neat_new; auto.
    - intros r H. apply n1 in H. lia.
    - intros x Hx. apply f1 in Hx. lia.
  Qed.

  Lemma neat_loop ie l b p n c : b <= l -> (forall i, neat (upi ie l i) (S l) b c) ->
    neat ie l b (CLoop p l n c).
  Proof.
    intros le body. split; [| split].
    - cbn. intros r H. destruct (body 0) as (n1 & _). apply n1 in H. lia.
    - cbn. intros i lt. destruct (body i) as (n1 & t1 & f1). split; auto.
      intros x Hx Hn. apply f1 in Hx. apply n1 in Hn. lia.
    - intros x Hx. apply in_loop in Hx as (i & lt & Hx). now apply (body i).
  Qed.

  Lemma within_below ie d a P b x :
    within ie d a P x -> (forall r, P r -> r < b) -> aroot a < b -> root_of x < b.
  Proof. intros [(q & -> & _) | (r & q & -> & HR)] HP Hr; cbn; auto. Qed.

  Lemma neat_copy d : forall p ie a v l b P, b <= l -> (forall r, P r -> r < b) -> aroot a < b ->
    vscope P (below l) v -> ascope (below l) a -> neat ie l b (copy p d a v l).
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros p ie a v l b P le HP Hr Hv Ha.
    - split; [| split]; cbn; try tauto. intros x Hx. apply within_below with ie DNum a P; auto.
      eapply (foot_copy DNum Seq); eauto.
    - cbn [copy]. apply neat_loop; auto. intros i. apply IH with P; cbn; auto.
      + split; [eapply vscope_le; [| exact Hv]; lia | unfold below; lia].
      + split; [eapply ascope_le; [| exact Ha]; lia | unfold below; lia].
    - cbn [copy]. apply neat_seq; eauto.
  Qed.

  Definition neat_a G e d : Prop := forall ie P l rho a,
    (forall r, P r -> r < l) -> scoped P l G rho -> aroot a < l -> ascope (below l) a ->
    neat ie l l (trans_a e rho d a l).

  Definition neat_c G e : Prop := forall ie P l rho k,
    (forall r, P r -> r < l) -> scoped P l G rho ->
    (forall v l', l <= l' -> vscope (extend P l l') (below l') v -> neat ie l' l' (k v l')) ->
    neat ie l l (trans_c e rho k l).

  (** With the footprint: what is read and written is below the roots allowed. *)
  Lemma neat_sharp G e d ie P l b rho a : foot_a G e d -> neat_a G e d ->
    (forall r, P r -> r < b) -> b <= l -> scoped P l G rho -> aroot a < b -> ascope (below l) a ->
    neat ie l b (trans_a e rho d a l).
  Proof.
    intros Hf Hn HP le HS Hr Ha.
    assert (HPl : forall r, P r -> r < l) by (intros r H; apply HP in H; lia).
    destruct (Hn ie P l rho a HPl HS) as (n1 & t1 & _); auto; [lia |].
    split; [exact n1 | split; [exact t1 |]]. intros x Hx. apply within_below with ie d a P; auto.
    eapply Hf; eauto. lia.
  Qed.

  Definition neat_both G e d : Prop := neat_a G e d /\ neat_c G e.

  Lemma neat_by_c G e d : trans_a e = (fun rho => via_c (trans_c e rho)) -> neat_c G e ->
    neat_both G e d.
  Proof.
    intros E H. split; [| exact H]. intros ie P l rho a HP HS Hr Ha. rewrite E. unfold via_c.
    apply H with P; auto. intros v l' le Hv. apply neat_copy with (extend P l l'); auto.
    - intros r HR. eapply extend_below; eauto.
    - lia.
    - eapply ascope_le; eauto.
  Qed.

  Lemma neat_by_a G e d : trans_c e = (fun rho => via_a d (trans_a e rho)) -> neat_a G e d ->
    neat_both G e d.
  Proof.
    intros E H. split; [exact H |]. intros ie P l rho k HP HS Hk. rewrite E. unfold via_a.
    apply neat_new_at. apply neat_seq; auto.
    - apply H with P; cbn; auto; [now apply below_S | now apply scoped_S].
    - apply Hk; auto. cbn. right. lia.
  Qed.

  Lemma neat_one G e e1 (g : list vexp -> vexp -> vexp) :
    (forall rho k, trans_c e rho k = trans_c e1 rho (fun x => k (g rho x))) ->
    (forall P l rho v l', scoped P l G rho -> l <= l' ->
       vscope (extend P l l') (below l') v -> vscope (extend P l l') (below l') (g rho v)) ->
    neat_c G e1 -> neat_c G e.
  Proof.
    intros E Hg H ie P l rho k HP HS Hk. rewrite E. apply H with P; auto.
  Qed.

  Lemma neat_two G e e1 e2 (g : list vexp -> vexp -> vexp -> vexp) :
    (forall rho k, trans_c e rho k =
      trans_c e1 rho (fun x => trans_c e2 rho (fun y => k (g rho x y)))) ->
    (forall P l rho v1 v2 l', scoped P l G rho -> l <= l' ->
       vscope (extend P l l') (below l') v1 -> vscope (extend P l l') (below l') v2 ->
       vscope (extend P l l') (below l') (g rho v1 v2)) ->
    neat_c G e1 -> neat_c G e2 -> neat_c G e.
  Proof.
    intros E Hg H1 H2 ie P l rho k HP HS Hk. rewrite E. apply H1 with P; auto.
    intros v1 l1 le1 Hv1. apply H2 with (extend P l l1).
    - intros r HR. eapply extend_below; eauto.
    - eapply scoped_mono; [| | exact HS]; unfold extend; auto.
    - intros v2 l2 le2 Hv2. apply Hk; [lia |]. apply Hg; auto; [lia | |];
        (eapply vscope_mono; [| | eassumption]); unfold extend, below; intros; intuition lia.
  Qed.

  Lemma neat_reduce ie P l n d direct body elem init k :
    (forall r, P r -> r < l) -> neat ie (S l) (S l) (init l) ->
    (forall j a l', 2 + l <= l' -> aroot a < l' -> ascope (below l') a ->
       neat (upi ie (S l) j) l' l' (body (VRoot l) (elem (S l)) d a l')) ->
    (forall j a l', 2 + l <= l' -> aroot a < l' -> ascope (below l') a ->
       forall x, In x (footprint (upi ie (S l) j) (body (VRoot l) (elem (S l)) d a l')) ->
         within (upi ie (S l) j) d a (fun r => P r \/ r = l) x) ->
    neat ie (S l) (S l) (k (VRoot l) (S l)) ->
    neat ie l l (@reduce A N n d direct body elem init k l).
  Proof.
    intros HP Hinit Hbody Hfoot Hk. unfold reduce. apply neat_new_at.
    apply neat_seq; auto. apply neat_seq; auto. apply neat_loop; auto. intros j.
    assert (HP' : forall r, P r \/ r = l -> r < S l) by (intros r [H | ->]; [apply HP in H |]; lia).
    destruct direct.
    - destruct (Hbody j (ARoot l) (2 + l)) as (n1 & t1 & _); cbn; auto.
      split; [exact n1 | split; [exact t1 |]]. intros x Hx. apply Hfoot in Hx; cbn; auto.
      eapply within_below; [exact Hx | exact HP' | cbn; lia].
    - assert (Hf := Hbody j (ARoot (2 + l)) (3 + l) ltac:(lia) ltac:(cbn; lia) I).
      assert (Hc : neat (upi ie (S l) j) (3 + l) (3 + l)
        (copy Seq d (ARoot l) (VRoot (A := A) (2 + l)) (3 + l))).
      { apply neat_copy with (fun r => r = 2 + l); cbn; auto; try lia. }
      destruct (neat_seq (le_n _) Hf Hc) as (n1 & t1 & _).
      apply neat_new; auto.
      + intros r H. apply n1 in H. lia.
      + intros x Hx. cbn [footprint] in Hx. apply in_app_iff in Hx as [Hx | Hx].
        * apply Hfoot in Hx; cbn; auto.
          destruct Hx as [(q & -> & _) | (r & q & -> & HR)]; cbn; auto.
        * apply foot_copy with (P := fun r => r = 2 + l) in Hx; cbn; auto.
          destruct Hx as [(q & -> & _) | (r & q & -> & ->)]; cbn; auto.
  Qed.

  Lemma neat_initialised G (i : exp) b d rest : neat_both G i d ->
    forall ie P l rho, (forall r, P r -> r < l) -> scoped P l G rho ->
    (forall l' init, l <= l' -> neat ie (S l') (S l') (init l') -> neat ie l' l' (rest init l')) ->
    neat ie l l (initialised b d (trans_a i rho) (trans_c i rho) rest l).
  Proof.
    intros [Ha Hc] ie P l rho HP HS Hrest.
    assert (Hary : neat ie l l (rest (fun r => trans_a i rho d (ARoot r) (S r)) l)).
    { apply Hrest; auto. apply Ha with P; cbn; auto; [now apply below_S | now apply scoped_S]. }
    destruct b; cbn [initialised]; auto. apply Hc with P; auto. intros v l' le Hv.
    apply Hrest; auto.
    apply (@neat_copy d Seq ie (ARoot l') v (S l') (S l') (extend P l l')); cbn; auto.
    - intros r HR. apply (@extend_below P l l') in HR; auto.
    - eapply vscope_le; [| exact Hv]. lia.
  Qed.

  Lemma neat_reduction G n d (t : entry N) (f i : exp) : neat_both G i d ->
    neat_both (bind (TD d) (bind t G)) f d ->
    foot_a (bind (TD d) (bind t G)) f d ->
    forall ie P l rho k elem, (forall r, P r -> r < l) -> scoped P l G rho ->
    (forall j, l <= j -> vscope P (below (S j)) (elem j)) ->
    (forall v l', l <= l' -> vscope (extend P l l') (below l') v -> neat ie l' l' (k v l')) ->
    neat ie l l (initialised (is_loop i) d (trans_a i rho) (trans_c i rho) (fun init =>
      reduce n d (in_place d f) (fun y x => trans_a f (y :: x :: rho)) elem init k) l).
  Proof.
    intros Hi [Fa _] Ff ie P l rho k elem HP HS Helem Hk.
    refine (@neat_initialised G i _ d _ Hi ie P l rho HP HS _). intros l' init le Hinit.
    assert (HP' : forall r, extend P l l' r \/ r = l' -> r < S l')
      by (intros r [H | ->]; [apply (@extend_below P l l') in H; auto |]; lia).
    assert (scope : forall l3, 2 + l' <= l3 -> scoped (fun r => extend P l l' r \/ r = l') l3
              (bind (TD d) (bind t G)) (VRoot l' :: elem (S l') :: rho)).
    { intros l3 le3. apply scoped_bind; [apply scoped_bind | cbn; auto].
      - eapply scoped_mono; [| | exact HS]; unfold extend; auto; lia.
      - eapply vscope_mono; [| | apply (Helem (S l')); lia]; unfold extend, below; auto; intros;
          lia. }
    apply (@neat_reduce ie (extend P l l')); auto.
    - intros r HR. eapply extend_below; eauto.
    - intros j a l3 le3 Hr Ha. apply Fa with (fun r => extend P l l' r \/ r = l'); auto.
      intros r HR. apply HP' in HR. lia.
    - intros j a l3 le3 Hr Ha. apply Ff; auto. intros r HR. apply HP' in HR. lia.
    - apply Hk; [lia |]. cbn. unfold extend. lia.
  Qed.

  Lemma neat_bound G e d rest : neat_c G e ->
    forall ie P l rho, (forall r, P r -> r < l) -> scoped P l G rho ->
    (forall v l', l <= l' -> vscope (extend P l l') (below l') v -> neat ie l' l' (rest v l')) ->
    neat ie l l (bound d (trans_c e rho) rest l).
  Proof.
    intros H ie P l rho HP HS Hrest. unfold bound. apply H with P; auto. intros v l' le Hv.
    destruct d; [destruct (is_path v) | |]; auto.
    apply neat_new_at. apply neat_seq; auto.
    - apply (@neat_copy DNum Seq ie (ARoot l') v (S l') (S l') (extend P l l')); cbn; auto.
      + intros r HR. apply (@extend_below P l l') in HR; auto.
      + eapply vscope_le; [| exact Hv]. lia.
    - apply Hrest; [lia |]. cbn. unfold extend. lia.
  Qed.

  Lemma neat_let G d1 d e f : neat_both G e d1 -> neat_both (bind (TD d1) G) f d ->
    neat_both G (ELet d1 e f) d.
  Proof.
    intros [_ He] [Fa Fc].
    assert (scope : forall P l l' rho v, scoped P l G rho -> l <= l' ->
      vscope (extend P l l') (below l') v ->
              scoped (extend P l l') l' (bind (TD d1) G) (v :: rho)).
    { intros P l l' rho v HS le Hv. apply scoped_bind; auto.
      eapply scoped_mono; [| | exact HS]; unfold extend; auto. }
    split.
    - intros ie P l rho a HP HS Hr Ha. unfold trans_a. cbn [trans fst].
      refine (@neat_bound G e d1 _ He ie P l rho HP HS _). intros v l' le Hv.
      apply Fa with (extend P l l'); auto; [| lia | eapply ascope_le; eauto].
      intros r HR. eapply extend_below; eauto.
    - intros ie P l rho k HP HS Hk. unfold trans_c. cbn [trans snd].
      refine (@neat_bound G e d1 _ He ie P l rho HP HS _). intros v l' le Hv.
      apply Fc with (extend P l l'); auto.
      + intros r HR. eapply extend_below; eauto.
      + intros v2 l2 le2 Hv2. apply Hk; [lia |].
        eapply vscope_mono; [| | exact Hv2]; unfold extend; intros; intuition lia.
  Qed.

  Theorem translation_neat G e d : ty G e d -> neat_both G e d.
  Proof.
    induction 1 as [G x d looked | G c | G o e _ IH | G o e1 e2 _ IH1 _ IH2 |
      G p n d1 d f e _ IHe Tf IHf
      | G p n d f Tf IHf | G n d1 d f i e _ IHe _ IHi Tf IHf | G n d f i _ IHi Tf IHf
      | G n d1 d2 e1 e2 _ IH1 _ IH2 | G n k d e _ IH | G n k d e _ IH | G n d e i _ IH scope rng
      | G d1 d2 e1 e2 _ IH1 _ IH2 | G d1 d2 e _ IH | G d1 d2 e _ IH | G n d e _ IH | G n k d e _ IH
      | G c d e1 e2 scope _ IH1 _ IH2 | G d1 d e f _ IHe _ IHf].
    - apply neat_by_c; [reflexivity |]. intros ie P l rho k HP HS Hk.
      destruct (HS _ _ looked) as (v & Ev & Hv). unfold trans_c. cbn [trans snd].
      rewrite (nth_error_nth _ _ _ Ev). apply Hk; auto.
      eapply vscope_mono; [| | exact Hv]; unfold extend; auto.
    - apply neat_by_c; [reflexivity |]. intros ie P l rho k HP HS Hk. apply Hk; auto. exact I.
    - apply neat_by_c; [reflexivity |].
      apply (@neat_one G _ e (fun _ => VUn o)); [reflexivity | auto | apply IH].
    - apply neat_by_c; [reflexivity |].
      apply (@neat_two G _ e1 e2 (fun _ => VBin o));
        [reflexivity | cbn; auto | apply IH1 | apply IH2].
    - apply neat_by_a; [reflexivity |]. destruct IHe as [_ He], IHf as [Hf _].
      intros ie P l rho a HP HS Hr Ha. unfold trans_a. cbn [trans fst].
      apply (He ie P l rho); auto. intros v l' le Hv. apply neat_loop; auto. intros i.
      apply (@neat_sharp (bind (TD d1) G) f d (upi ie l' i) (extend P l l')); auto.
      + apply (footprints Tf).
      + intros r HR. eapply extend_below; eauto.
      + apply scoped_bind; [eapply scoped_mono; [| | exact HS]; unfold extend; auto |].
        cbn. split; [eapply vscope_le; [| exact Hv]; lia | unfold below; lia].
      + cbn. lia.
      + cbn. split; [eapply ascope_le; [| exact Ha]; lia | unfold below; lia].
    - apply neat_by_a; [reflexivity |]. destruct IHf as [Hf _].
      intros ie P l rho a HP HS Hr Ha. unfold trans_a. cbn [trans fst]. apply neat_loop; auto.
      intros i.
      apply (@neat_sharp (bind (TI n) G) f d (upi ie l i) P); auto.
      + apply (footprints Tf).
      + apply scoped_bind; [eapply scoped_mono; [| | exact HS]; auto |]. cbn. unfold below. lia.
      + cbn. split; [eapply ascope_le; [| exact Ha]; lia | unfold below; lia].
    - apply neat_by_c; [reflexivity |]. destruct IHe as [_ He].
      intros ie P l rho k HP HS Hk. unfold trans_c. cbn [trans snd]. apply (He ie P l rho); auto.
      intros v l1 le1 Hv.
      refine (@neat_reduction G n d (TD d1) f i IHi IHf (proj1 (footprints Tf)) ie (extend P l l1)
        l1 rho k _ _ _ _ _).
      + intros r HR. eapply extend_below; eauto.
      + eapply scoped_mono; [| | exact HS]; unfold extend; auto.
      + intros j le. cbn. split; [eapply vscope_le; [| exact Hv]; lia | unfold below; lia].
      + intros v2 l2 le2 Hv2. apply Hk; [lia |].
        eapply vscope_mono; [| | exact Hv2]; unfold extend; intros; intuition lia.
    - apply neat_by_c; [reflexivity |]. intros ie P l rho k HP HS Hk. unfold trans_c.
      cbn [trans snd].
      refine (@neat_reduction G n d (TI n) f i IHi IHf (proj1 (footprints Tf)) ie P l rho k _ HP HS
        _ Hk).
      intros j le. cbn. unfold below. lia.
    - destruct IH1 as [A1 C1], IH2 as [A2 C2]. split.
      + intros ie P l rho a HP HS Hr Ha. unfold trans_a. cbn [trans fst].
        apply neat_seq; auto; [apply A1 with P | apply A2 with P]; auto.
      + apply (@neat_two G _ e1 e2 (fun _ => @VZip A N));
          [reflexivity | cbn; auto | apply C1 | apply C2].
    - destruct IH as [A1 C1]. split.
      + intros ie P l rho a HP HS Hr Ha. apply A1 with P; auto.
      + apply (@neat_one G _ e (fun _ => VSplit n)); [reflexivity | auto | apply C1].
    - destruct IH as [A1 C1]. split.
      + intros ie P l rho a HP HS Hr Ha. apply A1 with P; auto.
      + apply (@neat_one G _ e (fun _ => VJoin n)); [reflexivity | auto | apply C1].
    - apply neat_by_c; [reflexivity |].
      apply (@neat_one G _ e (fun rho x => VIdx x (ix_subst (level_of rho) i)));
        [reflexivity | | apply IH].
      intros P l rho v l' HS le Hv. cbn. split; auto.
      eapply ix_all_mono; [| eapply ix_scope; eauto]. unfold below. lia.
    - destruct IH1 as [A1 C1], IH2 as [A2 C2]. split.
      + intros ie P l rho a HP HS Hr Ha. unfold trans_a. cbn [trans fst].
        apply neat_seq; auto; [apply A1 with P | apply A2 with P]; auto.
      + apply (@neat_two G _ e1 e2 (fun _ => @VPair A N));
          [reflexivity | cbn; auto | apply C1 | apply C2].
    - apply neat_by_c; [reflexivity |].
      apply (@neat_one G _ e (fun _ => @VFst A N)); [reflexivity | auto | apply IH].
    - apply neat_by_c; [reflexivity |].
      apply (@neat_one G _ e (fun _ => @VSnd A N)); [reflexivity | auto | apply IH].
    - destruct IH as [A1 C1]. split.
      + intros ie P l rho a HP HS Hr Ha. apply A1 with P; auto.
      + apply (@neat_one G _ e (fun _ => VRev n)); [reflexivity | auto | apply C1].
    - destruct IH as [A1 C1]. split.
      + intros ie P l rho a HP HS Hr Ha. apply A1 with P; auto.
      + apply (@neat_one G _ e (fun _ => @VTr A N)); [reflexivity | auto | apply C1].
    - destruct IH1 as [A1 C1], IH2 as [A2 C2].
      assert (Ha : neat_a G (EIte c d e1 e2) d).
      { intros ie P l rho a HP HS Hr Ha. unfold trans_a. cbn [trans fst].
        apply neat_if; [apply A1 with P | apply A2 with P]; auto. }
      destruct (quiet e1 && quiet e2) eqn:Q.
      + split; [exact Ha |]. apply
          (@neat_two G _ e1 e2 (fun rho => VIte (cond_subst (level_of rho) c))); auto.
        * intros rho k. unfold trans_c. cbn [trans snd]. now rewrite Q.
        * intros P l rho v1 v2 l' HS le Hv1 Hv2. cbn. split; auto.
          eapply cond_all_mono; [| eapply cond_scope; eauto]. unfold below. lia.
      + apply neat_by_a; [| exact Ha]. unfold trans_c. cbn [trans snd]. now rewrite Q.
    - now apply neat_let.
  Qed.

  (** Every scheduler takes a translated program to the same store, but for its
      own temporaries. *)
  Theorem translation_any_order G e d : ty G e d -> forall ie P l rho a m t pick, fair pick ->
    (forall r, P r -> r < l) -> scoped P l G rho -> aroot a < l -> ascope (below l) a ->
    exec ie (trans_a e rho d a l) m = Some t ->
    exists t', run_order pick ie (trans_a e rho d a l) m = Some t' /\ forall r q, r < l ->
      t' r q = t r q.
  Proof.
    intros T ie P l rho a m t pick is_fair HP HS Hr Ha E.
    destruct (proj1 (translation_neat T) ie P l rho a HP HS Hr Ha) as (n1 & t1 & _).
    destruct (@order_irrelevant pick is_fair _ ie t1 m t m (fun _ => False) E) as (t' & E' & same).
    - intros r q _. reflexivity.
    - intros x _ [].
    - exists t'. split; auto. intros r q lt. apply same. intros [[] | H]. apply n1 in H. lia.
  Qed.
End Order.
