(** * The bidirectional search misses nothing *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require Import pattern.Forward.
Import ListNotations.
Open Scope nat_scope.

Lemma thread_keeps {A S} (R : S -> A -> S -> Prop) (I : S -> Prop) l :
  (forall s a t, In a l -> R s a t -> I s -> I t) ->
  forall s t, thread R s l t -> I s -> I t.
Proof.
  induction l as [| a l IH]; intros step s t H Is; inversion H as [| ? ? s1 ? ? here rest]; subst;
    [exact Is |].
  apply (IH (fun s b t inb => step s b t (or_intror inb)) s1 t rest).
  now apply (step s a s1 (or_introl eq_refl)).
Qed.

Lemma addr_eqb_eq a b : addr_eqb a b = true <-> a = b.
Proof.
  destruct a as [p i], b as [q j]. unfold addr_eqb, inst_eqb. simpl.
  destruct i as [k |], j as [l |]; rewrite ?andb_true_iff, ?andb_false_r, ?andb_true_r, ?Nat.eqb_eq;
    split; intros H; try discriminate; try (injection H as <-; try easy); try (destruct H; congruence);
    congruence.
Qed.

Lemma get_put M a e b : get (put M a e) b = if addr_eqb a b then Some e else get M b.
Proof. unfold get, put, look_up. simpl. now destruct (addr_eqb a b). Qed.

Lemma get_put_same M a e : get (put M a e) a = Some e.
Proof. rewrite get_put. now rewrite (proj2 (addr_eqb_eq a a) eq_refl). Qed.

Lemma get_put_other M a e b : a <> b -> get (put M a e) b = get M b.
Proof.
  intros ne. rewrite get_put. destruct (addr_eqb a b) eqn:E; [| reflexivity].
  now apply addr_eqb_eq in E.
Qed.

Lemma get_bound M N a : bound M = bound N -> get M a = get N a.
Proof. unfold get. now intros ->. Qed.

Section Frame.
  Variable commutes : string -> bool.
  Variables (pats : list pattern) (g : tgraph).
  Hypothesis ok : ordered pats.
  Notation step := (step commutes pats g).
  Notation pm := (pm commutes pats g).

  (** The states of a step: the same map, or one operator pattern more. *)
  Lemma step_get i p e M q n M1 gs :
    nth_error pats p = Some q -> step i p e M q n M1 gs ->
    forall a, get M1 a = get M a \/
      (get M a = None /\ fst a < p /\
       exists r names, nth_error pats (fst a) = Some r /\ form r = POp names).
  Proof.
    intros at_p H a.
    assert (forall kids es N N', goals pats i N kids es = Some (N', gs) -> get N' a = get N a) as same.
    { intros kids es N N' G. apply get_bound. now apply goals_bound in G. }
    destruct H as [F P | F L W | c k v F W | F P | o kids name M1 es es' M2 gs F W A C ord G |
      kids M2 gs F W G | field least len index M2 gs F W G | kid c k x F W L | kid d F P |
      kid d F P | kids k kid F at_k]; try (now left); try (left; now apply same in G).
    rewrite (same _ _ _ _ G). unfold op_allows in A. destruct o as [s | k].
    - destruct (String.eqb s name); [| discriminate]. injection A as <-. now left.
    - destruct (get M (k, None)) as [x |] eqn:B.
      + destruct (name_of g x) as [s |]; [| discriminate].
        destruct (String.eqb s name); [| discriminate]. injection A as <-. now left.
      + destruct (nth_error pats k) as [r |] eqn:at_k; [| discriminate].
        destruct (form r) eqn:Fr; try discriminate.
        destruct (existsb _ names); [| discriminate]. injection A as <-.
        rewrite get_put. destruct (addr_eqb (k, None) a) eqn:E; [| now left].
        apply addr_eqb_eq in E. subst a. right. split; [exact B |]. simpl. split.
        * apply (proj1 (ok p q at_p)). rewrite F. now left.
        * now exists r, names.
  Qed.

  Lemma step_persists i p e M q n M1 gs a x :
    nth_error pats p = Some q -> step i p e M q n M1 gs -> get M a = Some x -> get M1 a = Some x.
  Proof.
    intros at_p H G. destruct (step_get _ _ _ _ _ _ _ _ at_p H a) as [E | [E _]]; congruence.
  Qed.

  Lemma at_own i p q : first_of i q = None -> at_ i p q = (p, inst_of i q).
  Proof. unfold at_, inst_of. now intros ->. Qed.

  (** A match grows, at the address of its pattern and at smaller patterns. *)
  Theorem pm_frame p : forall i M e M' q,
    nth_error pats p = Some q -> pm i M p e M' ->
    (forall a x, get M a = Some x -> get M' a = Some x) /\
    (forall a, p <= fst a -> a <> at_ i p q -> get M' a = get M a).
  Proof.
    induction p as [p IH] using (well_founded_induction lt_wf). intros i M e M' q at_p H.
    inversion H as [? ? ? ? q' n at_q at_n B | ? ? ? ? q' n at_q at_n B I |
      ? ? ? ? q' n f ? at_q at_n B I F pf | ? ? ? ? q' n M1 gs ? at_q at_n B I F J st th]; subst;
      (assert (q' = q) as -> by congruence).
    - split; [easy | now intros a _ _].
    - split; [easy | now intros a _ _].
    - assert (f < p) as lt.
      { apply (proj2 (ok p q at_p)). unfold first_of in F. destruct i as [[|] |]; try discriminate.
        now destruct (template q). }
      assert (exists qf, nth_error pats f = Some qf) as [qf at_f].
      { inversion pf; subst; eauto. }
      destruct (IH f lt None M e M' qf at_f pf) as [keep frame]. split; [exact keep |].
      intros a le ne. apply frame; [lia |]. intros E. apply ne. rewrite E in le |- *.
      unfold at_, first_of in *. simpl in *. lia.
    - assert (forall s x t, In x gs -> pm (fst (fst x)) s (snd (fst x)) (snd x) t ->
        (forall a y, get s a = Some y -> get t a = Some y) /\
        (forall a, p <= fst a -> get t a = get s a)) as one.
      { intros s [[j k] x] t ing pk. simpl in pk.
        pose proof (step_smaller _ _ _ ok _ _ _ _ _ _ _ _ _ _ _ at_p st ing) as lt.
        assert (exists qk, nth_error pats k = Some qk) as [qk at_k] by (inversion pk; subst; eauto).
        destruct (IH k lt j s x t qk at_k pk) as [keep frame]. split; [exact keep |].
        intros a le. apply frame; [lia |]. intros E. rewrite E in le.
        unfold at_ in le. destruct (first_of j qk) as [f |] eqn:Fj; simpl in le; [| lia].
        assert (first qk = Some f) as Ff.
        { unfold first_of in Fj. destruct j as [[|] |]; try discriminate. now destruct (template qk). }
        pose proof (proj2 (ok k qk at_k) f Ff). lia. }
      split.
      + intros a x G.
        assert (get M1 a = Some x) as G1.
        { apply (step_persists _ _ _ _ _ _ _ _ _ _ at_p st). rewrite get_put_other; [exact G |].
          intros E. rewrite <- E in G. congruence. }
        refine (thread_keeps _ (fun s => get s a = Some x) gs _ M1 M' th G1).
        intros s b t inb pb Gs. now apply (proj1 (one s b t inb pb)).
      + intros a le ne.
        assert (get M1 a = get M a) as G1.
        { destruct (step_get _ _ _ _ _ _ _ _ at_p st a) as [E | (_ & lt & _)]; [| lia].
          rewrite E. now apply get_put_other, not_eq_sym. }
        rewrite <- G1.
        refine (thread_keeps _ (fun s => get s a = get M1 a) gs _ M1 M' th eq_refl).
        intros s b t inb pb Gs. rewrite <- Gs. now apply (proj2 (one s b t inb pb)).
  Qed.

  Lemma pm_persists i M p e M' a x : pm i M p e M' -> get M a = Some x -> get M' a = Some x.
  Proof.
    intros H. assert (exists q, nth_error pats p = Some q) as [q at_p] by (inversion H; subst; eauto).
    now apply (pm_frame p i M e M' q at_p H).
  Qed.
End Frame.

Section Anchors.
  Variable commutes : string -> bool.
  Variables (pats : list pattern) (g : tgraph).
  Hypothesis ok : ordered pats.
  (** Node 0 stands for the inputs that are not there. *)
  Hypothesis zero : forall n, nth_error g 0 = Some n -> present n = false.
  Notation step := (step commutes pats g).
  Notation pm := (pm commutes pats g).
  Notation links := (links pats).

  Inductive anchor (M : mstate) (i : option nat) : nat -> nat -> Prop :=
    | A_Here : forall p q e,
        nth_error pats p = Some q -> get M (p, inst_of i q) = Some e -> anchor M i p e
    | A_Link : forall p q k e,
        nth_error pats p = Some q -> get M (p, inst_of i q) = None ->
        In k (links i q) -> anchor M i k e -> anchor M i p e.

  Lemma nearest_anchor fuel M i p e : In e (nearest pats fuel M i p) -> anchor M i p e.
  Proof.
    revert p. induction fuel as [| fuel IH]; intros p; simpl; [easy |].
    destruct (nth_error pats p) as [q |] eqn:at_p; [| easy].
    destruct (get M (p, inst_of i q)) as [x |] eqn:G.
    - intros [<- | []]. now apply A_Here with q.
    - intros H. apply in_flat_map in H. destruct H as (k & ink & H).
      apply A_Link with q k; auto.
  Qed.

  (** Outside of templates the instance does not matter. *)
  Lemma links_inst i j q : inst_of i q = inst_of j q -> links i q = links j q.
  Proof.
    unfold Forward.links, inst_of. intros E.
    assert (forall l, filter (fun k => match nth_error pats k with
        Some r => solid i r && implb (template r) (template q) | None => false end) l =
      filter (fun k => match nth_error pats k with
        Some r => solid j r && implb (template r) (template q) | None => false end) l) as same;
      [| apply same].
    intros l. apply filter_ext. intros k. destruct (nth_error pats k) as [r |]; [| reflexivity].
    destruct (template q) eqn:T; [now rewrite E |].
    destruct (template r) eqn:R; simpl; [now rewrite !andb_false_r |].
    unfold solid, first_of. rewrite R. now destruct i as [[|] |], j as [[|] |].
  Qed.

  Lemma link_facts i q k :
    In k (links i q) ->
    exists r, nth_error pats k = Some r /\ solid i r = true /\ (template r = true -> template q = true) /\
      In k (match form q with PCall _ kids | PTuple kids => kids | PProj kid _ => [kid] | _ => [] end).
  Proof.
    unfold Forward.links. rewrite filter_In. intros [ink H].
    destruct (nth_error pats k) as [r |]; [| discriminate]. exists r.
    apply andb_true_iff in H. destruct H as [S I]. split; [reflexivity |]. split; [exact S |].
    split; [| exact ink]. destruct (template r); [intros _; exact I | easy].
  Qed.

  Lemma inst_link i j q r :
    inst_of i q = inst_of j q -> (template r = true -> template q = true) -> inst_of i r = inst_of j r.
  Proof.
    unfold inst_of. intros E H. destruct (template r); [| reflexivity]. now rewrite H in E.
  Qed.

  Lemma anchor_inst M i j p q e :
    nth_error pats p = Some q -> inst_of i q = inst_of j q -> anchor M i p e -> anchor M j p e.
  Proof.
    intros at_p E H. revert q at_p E.
    induction H as [p q e at_p G | p q k e at_p G ink H IH]; intros q' at_q E;
      (assert (q' = q) as -> by congruence).
    - apply A_Here with q; [exact at_p | now rewrite <- E].
    - apply A_Link with q k; [exact at_p | now rewrite <- E | now rewrite <- (links_inst i j q E) |].
      destruct (link_facts i q k ink) as (r & at_k & _ & T & _).
      apply IH with r; [exact at_k | now apply inst_link with q].
  Qed.

  (** [M] grew from [M0]; what the patterns below [n] stand for is there, is computed
      from their anchors in [M0], and so are their links. *)
  Definition good (M0 : mstate) (n : nat) (M : mstate) : Prop :=
    forall i r q e, r < n -> nth_error pats r = Some q -> solid i q = true ->
      get M (r, inst_of i q) = Some e ->
      (exists m, nth_error g e = Some m /\ present m = true) /\
      (forall a, anchor M0 i r a -> ancestor g a e) /\
      (forall k s, In k (links i q) -> nth_error pats k = Some s -> get M (k, inst_of i s) <> None).

  Definition grown (M0 M : mstate) : Prop := forall a x, get M0 a = Some x -> get M a = Some x.

  Lemma good_less M0 n n' M : n' <= n -> good M0 n M -> good M0 n' M.
  Proof. intros le G i r q e lt. apply G. lia. Qed.

  Lemma solid_not_op i q names : form q = POp names -> solid i q = false.
  Proof. unfold solid. intros ->. now destruct (first_of i q). Qed.

  Lemma in_orders name es es' x : In es' (orders commutes name es) -> In x es' -> In x es.
  Proof.
    unfold orders. destruct es as [| a [| b [| c es]]]; try (intros [<- | []]; easy).
    destruct (commutes name); [intros [<- | [<- | []]] | intros [<- | []]]; simpl; tauto.
  Qed.

  (** The goals of the children of [q] that must be matched. *)
  Lemma goals_links i M kids es M1 gs k r :
    goals pats i M kids es = Some (M1, gs) -> In k kids -> nth_error pats k = Some r ->
    solid i r = true -> exists e, In (i, k, e) gs /\ In e es.
  Proof.
    intros G ink at_k S.
    assert (match kids with [v] => variadic pats v | _ => None end = None) as none.
    { destruct kids as [| v [| w kids]]; try reflexivity. destruct ink as [-> | []].
      unfold variadic. rewrite at_k. unfold solid in S.
      destruct (first_of i r); [discriminate |]. now destruct (form r). }
    assert (exists M2, Nat.eqb (List.length kids) (List.length es) = true /\
      Some (M2, map (fun ke => (i, fst ke, snd ke)) (combine kids es)) = Some (M1, gs)) as (M2 & len & E).
    { unfold goals in G. exists M.
      destruct kids as [| v [| w kids]]; try rewrite none in G;
        destruct (Nat.eqb _ _); try discriminate; now split. }
    injection E as _ <-. apply Nat.eqb_eq in len.
    apply In_nth_error in ink. destruct ink as [c at_c].
    assert (c < List.length es) as lt by (rewrite <- len; apply nth_error_Some; congruence).
    apply nth_error_Some in lt. destruct (nth_error es c) as [e |] eqn:at_e; [| easy].
    exists e. split; [| now apply nth_error_In with c].
    apply in_map_iff. exists (k, e). split; [reflexivity |].
    apply nth_error_In with c. clear - at_c at_e. revert c es at_c at_e.
    induction kids as [| v kids IH]; intros [| c] [| y es] A B; simpl in *; try discriminate.
    - congruence.
    - now apply IH.
  Qed.

  Lemma fit_in k es es' x :
    fit g k es = Some es' -> In x es' -> In x es \/ x = 0.
  Proof.
    unfold fit. destruct (forallb _ _); [| discriminate]. intros H inx. injection H as <-.
    assert (In x (es ++ repeat 0 k)) as inx'.
    { rewrite <- (firstn_skipn k (es ++ repeat 0 k)). apply in_or_app. now left. }
    apply in_app_or in inx'. destruct inx' as [| H]; [now left |]. right. now apply repeat_spec in H.
  Qed.

  (** A step of a solid pattern: its node is there, and its links are goals about the
      arguments of the node, or about node 0. *)
  Lemma step_solid i p e M q n M1 gs :
    solid i q = true -> step i p e M q n M1 gs ->
    present n = true /\
    forall k, In k (links i q) -> exists x, In (i, k, x) gs /\ (In x (args n) \/ x = 0).
  Proof.
    intros S H. unfold solid in S. destruct (first_of i q); [discriminate |].
    assert (forall k, In k (links i q) -> exists r, nth_error pats k = Some r /\ solid i r = true /\
      In k (match form q with PCall _ kids | PTuple kids => kids | PProj kid _ => [kid] | _ => [] end)) as facts.
    { intros k ink. destruct (link_facts i q k ink) as (r & at_k & Sr & _ & inn). now exists r. }
    destruct H as [F P | F L W | c k v F W | F P | o kids name M1 es es' M2 gs F W A C ord G |
      kids M2 gs F W G | field least len index M2 gs F W G | kid c k x F W L | kid d F P |
      kid d F P | kids k kid F at_k]; rewrite F in S, facts; try discriminate; unfold present.
    - split; [exact P |]. intros k ink. now destruct (facts k ink) as (r & _ & _ & []).
    - split; [destruct W as [[k ->] | (k & v & ->)]; reflexivity |].
      intros k ink. now destruct (facts k ink) as (r & _ & _ & []).
    - rewrite W. split; [reflexivity |]. intros k' ink. now destruct (facts k' ink) as (r & _ & _ & []).
    - rewrite W. split; [reflexivity |]. intros k ink. destruct (facts k ink) as (r & at_k & Sr & inn).
      destruct (goals_links _ _ _ _ _ _ _ _ G inn at_k Sr) as (x & ing & inx). exists x.
      split; [exact ing |]. apply (in_orders name es es' x ord) in inx.
      unfold call_inputs in C. destruct (match kids with [v] => variadic pats v | _ => None end);
        [injection C as <-; now left | now apply fit_in with (List.length kids) es].
    - rewrite W. split; [reflexivity |]. intros k ink. destruct (facts k ink) as (r & at_k & Sr & inn).
      destruct (goals_links _ _ _ _ _ _ _ _ G inn at_k Sr) as (x & ing & inx). exists x. tauto.
    - rewrite W. split; [reflexivity |]. intros k' ink. destruct (facts k' ink) as (r & _ & _ & [<- | []]).
      exists x. rewrite L. split; [now left | left; now left].
  Qed.

  Lemma good_grown M0 n M M' :
    (forall r i q, nth_error pats r = Some q -> r < n -> solid i q = true ->
       get M' (r, inst_of i q) = get M (r, inst_of i q)) ->
    grown M M' -> good M0 n M -> good M0 n M'.
  Proof.
    intros same keep G i r q e lt at_r S B. rewrite same in B by assumption.
    destruct (G i r q e lt at_r S B) as (pres & anc & closed). split; [exact pres |]. split; [exact anc |].
    intros k s ink at_k. specialize (closed k s ink at_k).
    destruct (get M (k, inst_of i s)) as [x |] eqn:E; [| easy]. now rewrite (keep _ _ E).
  Qed.

  Theorem pm_good M0 p : forall i M e M' q n,
    nth_error pats p = Some q -> pm i M p e M' -> grown M0 M -> p < n ->
    good M0 n M -> good M0 n M' /\ (solid i q = true -> get M' (p, inst_of i q) = Some e).
  Proof.
    induction p as [p IH] using (well_founded_induction lt_wf). intros i M e M' q n at_p H gr ltn G.
    pose proof (pm_frame commutes pats g ok p i M e M' q at_p H) as [keep frame].
    inversion H as [? ? ? ? q' m at_q at_m B | ? ? ? ? q' m at_q at_m B I |
      ? ? ? ? q' m f ? at_q at_m B I F pf | ? ? ? ? q' m M1 gs ? at_q at_m B I F J st th]; subst;
      (assert (q' = q) as -> by congruence).
    - split; [exact G |]. intros S. unfold solid in S. destruct (first_of i q) eqn:F; [discriminate |].
      now rewrite (at_own i p q F) in B.
    - split; [exact G |]. intros S. unfold is_instance in I. unfold solid in S.
      destruct (first_of i q); [discriminate |]. now destruct (form q).
    - assert (f < p) as lt.
      { apply (proj2 (ok p q at_p)). unfold first_of in F. destruct i as [[|] |]; try discriminate.
        now destruct (template q). }
      assert (exists qf, nth_error pats f = Some qf) as [qf at_f] by (inversion pf; subst; eauto).
      split; [now apply (IH f lt None M e M' qf n at_f pf gr); [lia |] |].
      intros S. unfold solid in S. now rewrite F in S.
    - rewrite (at_own i p q F) in *. set (Mp := put M (p, inst_of i q) e) in *.
      assert (grown M Mp) as grp.
      { intros a x A. unfold Mp. rewrite get_put_other; [exact A |]. intros E. rewrite <- E in A. congruence. }
      assert (good M0 p Mp) as Gp.
      { apply good_grown with M; [| exact grp | now apply good_less with n; [lia |]].
        intros r j s _ lt _. unfold Mp. apply get_put_other. intros E. injection E as E _. lia. }
      assert (grown Mp M1) as gr1 by (intros a x; now apply (step_persists commutes pats g ok i p e Mp q m M1 gs)).
      assert (good M0 p M1) as G1.
      { apply good_grown with Mp; [| exact gr1 | exact Gp]. intros r j s at_r lt S.
        destruct (step_get commutes pats g ok _ _ _ _ _ _ _ _ at_p st (r, inst_of j s)) as
          [E | (_ & _ & s' & names & at_r' & O)]; [exact E |].
        simpl in at_r'. assert (s' = s) as -> by congruence. now rewrite (solid_not_op j s names O) in S. }
      assert (forall k x, In (i, k, x) gs -> forall s, nth_error pats k = Some s -> solid i s = true ->
                get M' (k, inst_of i s) = Some x) as goals_done.
      { intros k x ing s at_k S.
        assert (forall l s0, (forall b, In b l -> In b gs) ->
                  thread (fun M y M' => pm (fst (fst y)) M (snd (fst y)) (snd y) M') s0 l M' ->
                  good M0 p s0 -> grown M0 s0 -> In (i, k, x) l -> get M' (k, inst_of i s) = Some x) as run.
        { induction l as [| b l IHl]; intros s0 sub T G0 gr0 inl; [easy |].
          inversion T as [| ? ? s1 ? ? here rest]; subst.
          destruct b as [[j kb] xb]. simpl in here.
          assert (In (j, kb, xb) gs) as inb by (apply sub; now left).
          pose proof (step_smaller commutes pats g ok _ _ _ _ _ _ _ _ _ _ _ at_p st inb) as ltk.
          assert (exists qb, nth_error pats kb = Some qb) as [qb at_b] by (inversion here; subst; eauto).
          destruct (IH kb ltk j s0 xb s1 qb p at_b here gr0 ltk G0) as [Gs1 fin].
          assert (grown s0 s1) as gr01 by (intros a y; now apply (pm_persists commutes pats g ok j s0 kb xb s1)).
          destruct inl as [E | inl].
          - injection E as -> -> ->. assert (qb = s) as -> by congruence. specialize (fin S).
            refine (thread_keeps _ (fun t => get t (k, inst_of i s) = Some x) l _ s1 M' rest fin).
            intros t c u inc pc Gt. now apply (pm_persists commutes pats g ok _ _ _ _ _ _ _ pc).
          - apply (IHl s1); try assumption; [intros b inb'; apply sub; now right |].
            intros a y A. now apply gr01, gr0. }
        apply (run gs M1); try assumption; [easy |]. intros a y A. now apply gr1, grp, gr. }
      assert (good M0 p M' /\ grown M1 M') as [G' gr'].
      { refine (thread_keeps _ (fun t => good M0 p t /\ grown M1 t) gs _ M1 M' th (conj G1 (fun a x A => A))).
        intros s [[j k] x] t inx pk [Gs grs]. simpl in pk.
        pose proof (step_smaller commutes pats g ok _ _ _ _ _ _ _ _ _ _ _ at_p st inx) as ltk.
        assert (exists qk, nth_error pats k = Some qk) as [qk at_k] by (inversion pk; subst; eauto).
        assert (grown M0 s) as gr0 by (intros a y A; now apply grs, gr1, grp, gr).
        split; [now apply (IH k ltk j s x t qk p at_k pk gr0 ltk Gs) |].
        intros a y A. apply (pm_persists commutes pats g ok _ _ _ _ _ _ _ pk). now apply grs. }
      assert (get M' (p, inst_of i q) = Some e) as mine.
      { apply gr', gr1. unfold Mp. apply get_put_same. }
      split; [| now intros _].
      intros j r s x ltr at_r S A.
      destruct (Nat.lt_ge_cases r p) as [lt | ge_]; [now apply (G' j r s x) |].
      assert ((r, inst_of j s) = (p, inst_of i q) \/ (r, inst_of j s) <> (p, inst_of i q)) as [E | ne].
      { destruct (addr_eqb (r, inst_of j s) (p, inst_of i q)) eqn:E; [left; now apply addr_eqb_eq |].
        right. intros E'. apply addr_eqb_eq in E'. congruence. }
      + injection E as -> Ei. assert (s = q) as -> by congruence.
        assert (x = e) as -> by congruence.
        assert (solid i q = true) as Si.
        { unfold solid in S |- *. rewrite F. now destruct (first_of j q). }
        destruct (step_solid i p e Mp q m M1 gs Si st) as [pres all].
        split; [now exists m |].
        assert (forall k, In k (links i q) -> exists s y, nth_error pats k = Some s /\ solid i s = true /\ k < p /\
                  get M' (k, inst_of i s) = Some y /\ (In y (args m) \/ y = 0)) as kids.
        { intros k ink. destruct (link_facts i q k ink) as (s & at_k & Sk & _ & _).
          destruct (all k ink) as (y & ing & iny). exists s, y.
          pose proof (step_smaller commutes pats g ok _ _ _ _ _ _ _ _ _ _ _ at_p st ing) as ltk.
          repeat split; try assumption. now apply goals_done. }
        split.
        * intros a anc. apply (anchor_inst M0 j i p q a at_p Ei) in anc.
          inversion anc as [? q' ? at_q' Here | ? q' k ? at_q' None_ ink anc']; subst;
            (assert (q' = q) as -> by congruence).
          -- apply gr in Here. congruence.
          -- destruct (kids k ink) as (s & y & at_k & Sk & ltk & Gk & iny).
             destruct (G' i k s y ltk at_k Sk Gk) as ((my & at_y & presy) & ancs & _).
             destruct iny as [iny | ->]; [| rewrite (zero my at_y) in presy; discriminate].
             apply A_Step with y m; [exact at_m | exact iny | now apply ancs].
        * intros k s ink at_k. rewrite (links_inst j i q Ei) in ink.
          destruct (kids k ink) as (s' & y & at_k' & _ & _ & Gk & _).
          assert (s' = s) as -> by congruence.
          destruct (link_facts i q k ink) as (s'' & at_k'' & _ & T & _).
          assert (s'' = s) as -> by congruence.
          rewrite (inst_link j i q s Ei T), Gk. discriminate.
      + rewrite frame in A by assumption.
        destruct (G j r s x ltr at_r S A) as (pres & anc & closed). split; [exact pres |]. split; [exact anc |].
        intros k t ink at_k. specialize (closed k t ink at_k).
        destruct (get M (k, inst_of j t)) as [y |] eqn:E; [| easy]. now rewrite (keep _ _ E).
  Qed.

  (** States that are reached from the empty one. *)
  Definition sane (M : mstate) : Prop := forall n, good M n M.

  Lemma sane_empty : sane empty.
  Proof. intros n i r q e _ _ _ H. discriminate. Qed.

  Lemma pm_sane i M p e M' : sane M -> pm i M p e M' -> sane M'.
  Proof.
    intros sn H n. assert (exists q, nth_error pats p = Some q) as [q at_p] by (inversion H; subst; eauto).
    destruct (pm_good M p i M e M' q (S (Nat.max p n)) at_p H) as [G _]; [easy | lia | apply sn |].
    intros j r s x lt at_r Sr A.
    destruct (G j r s x ltac:(lia) at_r Sr A) as (pres & _ & closed). split; [exact pres |].
    split; [| exact closed]. intros a anc. inversion anc as [? s' ? at_s Here | ? s' k ? at_s None_ _ _]; subst;
      (assert (s' = s) as -> by congruence); rewrite A in *; [| discriminate].
    injection Here as <-. constructor.
  Qed.

  (** Whatever stands for [p] is computed from the anchors of [p]. *)
  Theorem anchored i M p e M' a :
    sane M -> pm i M p e M' -> In a (anchors pats M i p) -> ancestor g a e.
  Proof.
    intros sn H ina. unfold anchors in ina.
    destruct (nth_error pats p) as [q |] eqn:at_p; [| easy].
    destruct (solid i q) eqn:Sq; [| easy]. apply nearest_anchor in ina.
    destruct (pm_good M p i M e M' q (S p) at_p H) as [G fin]; [easy | lia | apply sn |].
    now apply (G i p q e (Nat.lt_succ_diag_r p) at_p Sq (fin Sq)).
  Qed.

  (** *** Anchors exist *)

  Lemma below_bound M fuel : forall p q x,
    sane M -> nth_error pats p = Some q -> solid None q = true -> template q = false ->
    get M (p, None) <> None -> In x (below pats fuel p) -> get M (x, None) <> None.
  Proof.
    induction fuel as [| fuel IH]; intros p q x sn at_p S T B; [easy |]. simpl. rewrite at_p.
    intros [<- | inx]; [exact B |]. apply in_flat_map in inx. destruct inx as (k & ink & inx).
    destruct (link_facts None q k ink) as (s & at_k & Sk & Tk & _).
    assert (template s = false) as Ts.
    { destruct (template s); [| reflexivity]. rewrite T in Tk. symmetry. now apply Tk. }
    apply (IH k s); try assumption.
    destruct (get M (p, None)) as [e |] eqn:E; [| easy].
    assert (get M (p, inst_of None q) = Some e) as E' by (unfold inst_of; now rewrite T).
    pose proof (sn (Datatypes.S p) None p q e (Nat.lt_succ_diag_r p) at_p S E') as (_ & _ & closed).
    specialize (closed k s ink at_k). unfold inst_of in closed. now rewrite Ts in closed.
  Qed.

  Lemma nearest_some M fuel : forall p x,
    (forall k q, nth_error pats k = Some q -> inst_of None q = None) ->
    In x (below pats fuel p) -> get M (x, None) <> None -> nth_error pats p <> None ->
    nearest pats fuel M None p <> [].
  Proof.
    induction fuel as [| fuel IH]; intros p x own; [easy |]. simpl.
    destruct (nth_error pats p) as [q |] eqn:at_p; [| easy]. rewrite (own p q at_p).
    intros [<- | inx] B _.
    - now destruct (get M (p, None)).
    - destruct (get M (p, None)); [easy |].
      apply in_flat_map in inx. destruct inx as (k & ink & inx).
      destruct (link_facts None q k ink) as (s & at_k & _).
      assert (nearest pats fuel M None k <> []) as some
        by (apply IH with x; try assumption; congruence).
      destruct (nearest pats fuel M None k) as [| y l] eqn:E; [easy |].
      intros none. assert (In y []) as []. rewrite <- none. apply in_flat_map. exists k.
      split; [exact ink |]. rewrite E. now left.
  Qed.

  Lemma inst_none q : inst_of None q = None.
  Proof. unfold inst_of. now destruct (template q). Qed.

  Lemma certain_spec p x :
    In x (certain pats p) ->
    exists q, nth_error pats p = Some q /\ solid None q = true /\ template q = false /\
      In x (below pats (S p) p).
  Proof.
    unfold certain. destruct (nth_error pats p) as [q |]; [| easy].
    destruct (solid None q && negb (template q)) eqn:C; [| easy].
    apply andb_true_iff in C. destruct C as [S T]. apply negb_true_iff in T. intros inx. now exists q.
  Qed.

  Lemma certain_bound M p e M' x :
    sane M -> pm None M p e M' -> In x (certain pats p) -> get M' (x, None) <> None.
  Proof.
    intros sn H inx. apply certain_spec in inx. destruct inx as (q & at_p & S & T & inx).
    apply (below_bound M' (Datatypes.S p) p q); try assumption.
    - now apply (pm_sane None M p e).
    - destruct (pm_good M p None M e M' q (Datatypes.S p) at_p H) as [_ fin]; [easy | lia | apply sn |].
      specialize (fin S). rewrite inst_none in fin. congruence.
  Qed.

  Lemma anchors_of_certain M p x :
    In x (certain pats p) -> get M (x, None) <> None -> anchors pats M None p <> [].
  Proof.
    intros inx B. apply certain_spec in inx. destruct inx as (q & at_p & S & _ & inx).
    unfold anchors. rewrite at_p, S. apply nearest_some with x; try assumption; [| congruence].
    intros k r _. apply inst_none.
  Qed.

  Lemma connected_from_anchor : forall pre p post seen M es M',
    connected_from pats seen (pre ++ p :: post) = true ->
    sane M -> (forall x, In x seen -> get M (x, None) <> None) ->
    thread (fun M x M' => pm None M (fst x) (snd x) M') M (combine pre es) M' ->
    List.length pre = List.length es -> anchors pats M' None p <> [].
  Proof.
    induction pre as [| p0 pre IH]; intros p post seen M es M' C sn B T len; simpl in C;
      apply andb_true_iff in C; destruct C as [here rest].
    - simpl in T. inversion T; subst. apply existsb_exists in here. destruct here as (x & inx & H).
      apply mem_iff in H. apply (anchors_of_certain M' p x inx). now apply B.
    - destruct es as [| e es]; [discriminate |]. simpl in T.
      inversion T as [| ? ? M1 ? ? P T']; subst. simpl in P.
      apply (IH p post (certain pats p0 ++ seen) M1 es); try assumption.
      + now apply (pm_sane None M p0 e).
      + intros x inx. apply in_app_or in inx. destruct inx as [inx | inx].
        * now apply (certain_bound M p0 e).
        * specialize (B x inx). destruct (get M (x, None)) as [y |] eqn:E; [| easy].
          now rewrite (pm_persists commutes pats g ok _ _ _ _ _ _ _ P E).
      + simpl in len. now injection len.
  Qed.

  (** The outputs are connected in the order given: every further output has an
      anchor, once the earlier ones are matched. *)
  Theorem connected_anchor pre p post es M :
    connected pats (pre ++ p :: post) = true -> pre <> [] ->
    List.length pre = List.length es ->
    thread (fun M x M' => pm None M (fst x) (snd x) M') empty (combine pre es) M ->
    anchors pats M None p <> [].
  Proof.
    destruct pre as [| p0 pre]; [easy |]. intros C _ len T. simpl in C.
    destruct es as [| e es]; [discriminate |]. simpl in T.
    inversion T as [| ? ? M1 ? ? P T']; subst. simpl in P.
    apply (connected_from_anchor pre p post (certain pats p0) M1 es); try assumption.
    - apply (pm_sane None empty p0 e); [exact sane_empty | exact P].
    - intros x inx. apply (certain_bound empty p0 e); [exact sane_empty | exact P | exact inx].
    - simpl in len. now injection len.
  Qed.
End Anchors.

(** ** The search *)

Section Search.
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (outputs : list nat).
  Hypothesis wf_g : wf g.
  Hypothesis wf_r : ordered (patterns r).
  Hypothesis zero : forall n, nth_error g 0 = Some n -> present n = false.
  Notation pm := (pm commutes (patterns r) g).
  Notation pmatch := (pmatch commutes (patterns r) g).
  Local Arguments Pattern.pmatch : simpl never.

  (** What is tried includes all that is computed from every anchor. *)
  Definition generous (near : mstate -> option nat -> nat -> nat -> bool) : Prop :=
    forall M i p e, (forall a, In a (anchors (patterns r) M i p) -> ancestor g a e) -> near M i p e = true.

  Lemma near_all_generous : generous (near_all (patterns r) g).
  Proof.
    intros M i p e H. apply forallb_forall. intros a ina. apply mem_iff, reach_iff; [exact wf_g |].
    now apply H.
  Qed.

  Lemma nearest_in_bound fuel M i p a :
    In a (nearest (patterns r) fuel M i p) -> exists b, In b (bound M) /\ snd b = a.
  Proof.
    revert p. induction fuel as [| fuel IH]; intros p; simpl; [easy |].
    destruct (nth_error (patterns r) p) as [q |]; [| easy].
    destruct (get M (p, inst_of i q)) as [x |] eqn:G.
    - intros [<- | []]. unfold get, look_up in G.
      destruct (find _ (bound M)) as [b |] eqn:F; [| discriminate]. apply find_some in F.
      exists b. split; [apply F | now injection G].
    - intros H. apply in_flat_map in H. destruct H as (k & _ & H). now apply (IH k).
  Qed.

  Lemma near_any_generous : generous (near_any (patterns r) g).
  Proof.
    intros M i p e H. unfold near_any.
    destruct (anchors (patterns r) M i p) as [| a l] eqn:A; [reflexivity |].
    assert (In a (anchors (patterns r) M i p)) as ina by (rewrite A; now left).
    specialize (H a (or_introl eq_refl)). unfold anchors in ina.
    destruct (nth_error (patterns r) p) as [q |]; [| easy].
    destruct (solid i q); [| easy]. apply nearest_in_bound in ina. destruct ina as (b & inb & E).
    apply existsb_exists. exists b. split; [exact inb |]. apply mem_iff, reach_iff; [exact wf_g |].
    now rewrite E.
  Qed.

  Variable near : mstate -> option nat -> nat -> nat -> bool.
  Hypothesis enough : generous near.

  Lemma near_pmatch M i p e :
    sane (patterns r) g M -> near M i p e = false -> pmatch (S p) i M p e = [].
  Proof.
    intros sn N. destruct (pmatch (S p) i M p e) as [| M' l] eqn:E; [reflexivity |].
    assert (near M i p e = true); [| congruence].
    apply enough. intros a ina. apply (anchored commutes (patterns r) g wf_r zero i M p e M'); try assumption.
    apply (pmatch_iff commutes (patterns r) g wf_r (S p)); [lia |]. rewrite E. now left.
  Qed.

  Lemma flat_map_filter {A B} (c : A -> bool) (f : A -> list B) l :
    (forall a, In a l -> c a = false -> f a = []) -> flat_map f (filter c l) = flat_map f l.
  Proof.
    induction l as [| a l IH]; intros H; simpl; [reflexivity |].
    rewrite <- (IH (fun b inb => H b (or_intror inb))).
    destruct (c a) eqn:C; [reflexivity |]. now rewrite (H a (or_introl eq_refl) C).
  Qed.

  Lemma flat_map_same {A B} (f f' : A -> list B) l :
    (forall a, In a l -> f a = f' a) -> flat_map f l = flat_map f' l.
  Proof.
    induction l as [| a l IH]; intros H; simpl; [reflexivity |].
    rewrite (H a (or_introl eq_refl)), IH; [reflexivity |]. intros b inb. apply H. now right.
  Qed.

  Lemma search_near_eq candidates ps : forall M es,
    sane (patterns r) g M ->
    search_near commutes r g near candidates M ps es = search commutes r g candidates M ps es.
  Proof.
    induction ps as [| p ps IH]; intros M es sn; simpl; [reflexivity |].
    rewrite flat_map_filter.
    - apply flat_map_same. intros e _. apply flat_map_same. intros M' inM. apply IH.
      apply (pm_sane commutes (patterns r) g wf_r zero None M p e); [exact sn |].
      apply pmatch_iff in inM; [exact inM | exact wf_r | lia].
    - intros e _ N. now rewrite (near_pmatch M None p e sn N).
  Qed.

  (** The same matches, in the same order. *)
  Theorem multi_near_eq candidates ps e :
    multi_near commutes r g outputs near candidates ps e = multi_at commutes r g outputs candidates ps e.
  Proof.
    unfold multi_near, multi_at. destruct ps as [| p ps]; [reflexivity |]. f_equal.
    apply flat_map_same. intros M inM. apply search_near_eq.
    apply (pm_sane commutes (patterns r) g wf_r zero None empty p e); [apply sane_empty |].
    apply pmatch_iff in inM; [exact inM | exact wf_r | lia].
  Qed.

  Lemma first_some_filter {A B} (c : A -> bool) (f : A -> option B) l :
    (forall a, In a l -> c a = false -> f a = None) -> first_some f (filter c l) = first_some f l.
  Proof.
    induction l as [| a l IH]; intros H; simpl; [reflexivity |].
    rewrite <- (IH (fun b inb => H b (or_intror inb))).
    destruct (c a) eqn:C; simpl; [reflexivity |]. now rewrite (H a (or_introl eq_refl) C).
  Qed.

  (** And the same branches, when there may be any number of outputs. *)
  Theorem grow_near_eq candidates field fuel : forall M outs,
    sane (patterns r) g M ->
    grow_near commutes r g outputs near fuel candidates field M outs =
    grow commutes r g outputs fuel candidates field M outs.
  Proof.
    induction fuel as [| fuel IH]; intros M outs sn; simpl; [reflexivity |].
    rewrite first_some_filter.
    - pose proof (first_some_iff (branch commutes r g outputs field (List.length outs) M outs) candidates) as F.
      destruct (first_some _ candidates) as [[e M'] |]; [| reflexivity]. destruct F as [_ F].
      apply IH. unfold branch in F. destruct (mem e outs); [discriminate |].
      apply find_some in F. destruct F as [inM _].
      apply (pm_sane commutes (patterns r) g wf_r zero (Some (List.length outs)) M field e); [exact sn |].
      apply pmatch_iff in inM; [exact inM | exact wf_r | lia].
    - intros e _ N. unfold branch. destruct (mem e outs); [reflexivity |].
      now rewrite (near_pmatch M (Some (List.length outs)) field e sn N).
  Qed.
End Search.
