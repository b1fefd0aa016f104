(** * Usable acceptors, what they hold afterwards, and what stays as it was *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint.
Import ListNotations.
Set Implicit Arguments.

Section Frame.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation exp := (exp A N). Notation vexp := (vexp A N).
  Notation vacc := (vacc N). Notation comm := (comm A N). Notation ctx := (ctx N).
  Notation value := (value A). Notation store := (store A).
  Implicit Types (d : data) (v : vexp) (a : vacc) (ie : ienv) (G : ctx) (w : value).
  Implicit Types (P V : nat -> Prop) (rho : list vexp) (env : list value) (m : store).

  (** Every leaf has a place, and different leaves different ones. *)
  Definition usable ie m d a : Prop :=
    (forall p, leaf d p -> exists q, wr ie a p = Some q /\ m (aroot a) q <> None) /\
      injective ie d a.

  (** The places of [a] hold [w]. *)
  Definition stored_of ie m (Lf : path -> Prop) a w : Prop :=
    forall p q, Lf p -> wr ie a p = Some q -> m (aroot a) q = Some (look w p).
  Definition stored ie m d : vacc -> value -> Prop := stored_of ie m (leaf d).

  (** Below level [l] only the places of [a] changed. *)
  Definition frame_of l ie (Lf : path -> Prop) a m m' : Prop :=
    forall r q, r < l -> (r = aroot a -> target_of ie Lf a q -> False) -> m' r q = m r q.
  Definition frame l ie d : vacc -> store -> store -> Prop := frame_of l ie (leaf d).

  Definition agree l m m' : Prop := forall r q, r < l -> m' r q = m r q.

  Definition writes ie l (c : comm) d a w m : Prop :=
    exists m', exec ie c m = Some m' /\ stored ie m' d a w /\ frame l ie d a m m'.

  (** ** Frames *)

  Lemma frame_refl l ie Lf a m : frame_of l ie Lf a m m.
  Proof. intros r q _ _. reflexivity. Qed.

  Lemma frame_trans l ie d a m1 m2 m3 :
    frame l ie d a m1 m2 -> frame l ie d a m2 m3 -> frame l ie d a m1 m3.
  Proof. intros H1 H2 r q lt out. rewrite H2, H1; auto. Qed.

  Lemma frame_le l l' ie d a m m' : l <= l' -> frame l' ie d a m m' -> frame l ie d a m m'.
  Proof. intros le H r q lt out. apply H; auto; lia. Qed.

  Lemma frame_part l ie d' a' d a f m m' :
    part ie d' a' d a f -> frame l ie d' a' m m' -> frame l ie d a m m'.
  Proof.
    intros H F r q lt out. apply F; auto. intros E W. rewrite (proj1 H) in E.
    exact (out E (part_target H W)).
  Qed.

  Lemma frame_root l ie Lf a m m' r q : frame_of l ie Lf a m m' -> r < l -> r <> aroot a ->
    m' r q = m r q.
  Proof. intros F lt ne. apply F; tauto. Qed.

  Lemma frame_agree l ie d a m m' : frame l ie d a m m' -> l <= aroot a -> agree l m m'.
  Proof. intros F le r q lt. eapply frame_root; eauto; lia. Qed.

  Lemma agree_refl l m : agree l m m.
  Proof. intros r q _. reflexivity. Qed.

  Lemma agree_trans l m1 m2 m3 : agree l m1 m2 -> agree l m2 m3 -> agree l m1 m3.
  Proof. intros H1 H2 r q lt. rewrite (H2 r q lt). auto. Qed.

  Lemma agree_le l l' m m' : l <= l' -> agree l' m m' -> agree l m m'.
  Proof. intros le H r q lt. apply H. lia. Qed.

  (** ** Acceptors *)

  Lemma usable_part ie m d' a' d a f : part ie d' a' d a f -> usable ie m d a -> usable ie m d' a'.
  Proof.
    intros H [each inj]. split; [| eapply part_injective; eauto]. intros p lf.
    destruct H as (R & H & _). destruct (H p lf) as [lf' E].
    destruct (each _ lf') as (q & E' & ne). exists q. rewrite R. split; congruence.
  Qed.

  Lemma usable_frame l ie d a d' a' m m' : frame l ie d a m m' -> aroot a' < l ->
    (forall q, aroot a' = aroot a -> target ie d' a' q -> target ie d a q -> False) ->
    usable ie m d' a' -> usable ie m' d' a'.
  Proof.
    intros F lt disjoint [each inj]. split; auto. intros p lf. destruct (each p lf) as (q & E & ne).
    exists q. split; auto. rewrite F; auto. intros Er W. apply (disjoint q); auto. exists p; auto.
  Qed.

  Lemma usable_agree l ie d a m m' : agree l m m' -> aroot a < l -> usable ie m d a ->
    usable ie m' d a.
  Proof.
    intros same lt [each inj]. split; auto. intros p lf. destruct (each p lf) as (q & E & ne).
    exists q. split; auto. now rewrite same.
  Qed.

  Lemma usable_root ie m d l : (forall p, leaf d p -> m l p <> None) -> usable ie m d (ARoot l).
  Proof.
    intros H. split; [intros p lf; exists p; cbn; auto |].
    intros p p' q _ _ E E'. cbn in *. congruence.
  Qed.

  (** ** Fresh roots *)

  Lemma alloc_some m l d p : leaf d p -> alloc m l d l p <> None.
  Proof. intros lf. apply leafb_iff in lf. unfold alloc. rewrite Nat.eqb_refl, lf.
  discriminate. Qed.

  Lemma alloc_agree m l d : agree l m (alloc m l d).
  Proof. intros r q lt. unfold alloc. destruct (Nat.eqb_spec r l); auto; lia. Qed.

  Lemma usable_alloc ie m d l : usable ie (alloc m l d) d (ARoot l).
  Proof. apply usable_root. intros p. apply alloc_some. Qed.

  Lemma root_matches ie m d l w : stored ie m d (ARoot l) w -> has_type d w ->
    matches ie m d (VRoot l) w.
  Proof.
    intros H T. split; auto. intros p lf. cbn. pose proof (H p p lf eq_refl) as E. cbn in E.
    rewrite E.
    destruct (look_some d _ _ T lf) as [x ->]. reflexivity.
  Qed.

  Lemma usable_stored ie m d l w : stored ie m d (ARoot l) w -> usable ie m d (ARoot l).
  Proof.
    intros H. apply usable_root. intros p lf. pose proof (H p p lf eq_refl) as E. cbn in E.
    rewrite E. discriminate.
  Qed.

  Lemma stored_same ie ie' m m' d l w :
    stored ie m d (ARoot l) w -> (forall q, m' l q = m l q) -> stored ie' m' d (ARoot l) w.
  Proof. intros H same p q lf W. cbn in *. rewrite same. apply H; auto. Qed.

  (** ** Environments: the views [rho] stand for the values [env] *)

  Definition represents P l ie m G rho env : Prop :=
    (forall x t, nth_error (vars G) x = Some t ->
       exists v w, nth_error rho x = Some v /\ nth_error env x = Some w /\
                   vscope P (below l) v /\ stands_for ie m t v w) /\
    (forall c b, In (c, b) (facts G) -> holds (positions env) c = b).

  Lemma matches_ext P V ie ie' m m' d v w : vscope P V v -> (forall r q, P r -> m' r q = m r q) ->
    (forall k, V k -> ie' k = ie k) -> matches ie m d v w -> matches ie' m' d v w.
  Proof.
    intros scope same_m same_ie [H same]. split; auto. intros p lf. rewrite <- same by auto.
    eapply rd_ext; eauto.
  Qed.

  Lemma stands_for_ext P V ie ie' m m' t v w : vscope P V v ->
    (forall r q, P r -> m' r q = m r q) ->
    (forall k, V k -> ie' k = ie k) -> stands_for ie m t v w -> stands_for ie' m' t v w.
  Proof.
    intros scope same_m same_ie. destruct t as [d | n]; cbn.
    - now apply matches_ext with P V.
    - intros (i & k & -> & -> & E & lt). exists i, k. repeat split; auto. rewrite <- E.
      apply ixv_ext. eapply ix_all_mono; [exact same_ie | exact scope].
  Qed.

  Lemma represents_scoped P l ie m G rho env : represents P l ie m G rho env -> scoped P l G rho.
  Proof. intros [H _] x t E. destruct (H x t E) as (v & w & ? & _ & ? & _). eauto. Qed.

  Lemma represents_env P l ie m G rho env : represents P l ie m G rho env -> env_ok G env.
  Proof.
    intros [H known]. split; auto. intros x t E. destruct (H x t E) as (v & w & _ & Ew & _ & M).
    exists w. split; auto. destruct t as [d | n]; cbn in M.
    - apply M.
    - destruct M as (i & k & _ & -> & _ & lt). cbn. eauto.
  Qed.

  Lemma represents_bind P l ie m G rho env t v w : represents P l ie m G rho env ->
    vscope P (below l) v -> stands_for ie m t v w ->
    represents P l ie m (bind t G) (v :: rho) (w :: env).
  Proof.
    intros [H known] scope M. split.
    - intros [| x] t' E; cbn in *; [injection E as <-; eauto 6 | now apply H].
    - eapply known_bind; eauto.
  Qed.

  Lemma represents_assume P l ie m G rho env c : represents P l ie m G rho env ->
    represents P l ie m (assume c (holds (positions env) c) G) rho env.
  Proof. intros [H known]. split; [exact H |]. now apply known_assume. Qed.

  Lemma represents_ext P l ie m P' l' ie' m' G rho env : represents P l ie m G rho env ->
    (forall r q, P r -> m' r q = m r q) -> (forall k, k < l -> ie' k = ie k) ->
    (forall r, P r -> P' r) -> l <= l' -> represents P' l' ie' m' G rho env.
  Proof.
    intros [H known] same_m same_ie HP le. split; auto. intros x t E.
    destruct (H x t E) as (v & w & Ev & Ew & scope & M). exists v, w. repeat split; auto.
    - eapply vscope_mono; [exact HP | | exact scope]. unfold below. lia.
    - eapply stands_for_ext; [exact scope | exact same_m | exact same_ie | exact M].
  Qed.

  (** Indices and conditions mean the same on both sides. *)
  Lemma level_value P l ie m G rho env x : represents P l ie m G rho env -> is_index G x ->
    ixv ie (level_of rho x) = positions env x.
  Proof.
    intros [H _] [n E]. destruct (H _ _ E) as (v & w & Ev & Ew & _ & i & k & -> & -> & Ei & _).
    unfold level_of, positions. now rewrite Ev, Ew.
  Qed.

  Lemma ix_value P l ie m G rho env (i : ix N) : represents P l ie m G rho env ->
    ix_all (is_index G) i ->
    ixv ie (ix_subst (level_of rho) i) = ixv (positions env) i.
  Proof.
    intros H scope. rewrite ixv_subst. apply ixv_ext. eapply ix_all_mono; [| exact scope].
    intros x. now apply level_value with P l m.
  Qed.

  Lemma cond_value P l ie m G rho env (c : cond N) : represents P l ie m G rho env ->
    cond_all (is_index G) c -> holds ie (cond_subst (level_of rho) c) = holds (positions env) c.
  Proof.
    intros H scope. rewrite holds_subst. apply holds_ext. eapply cond_all_mono; [| exact scope].
    intros x. now apply level_value with P l m.
  Qed.

  Lemma index_value P l ie m G rho env (i : ix N) n : represents P l ie m G rho env ->
    ix_all (is_index G) i -> in_range G i n ->
    exists k, index (positions env) i = Some k /\ index ie (ix_subst (level_of rho) i) = Some k /\
      k < #n.
  Proof.
    intros H scope rng. destruct (index_in_range (represents_env H) rng) as (k & E & lt).
    exists k. split; auto. split; auto. unfold index in *. now rewrite (ix_value _ H scope).
  Qed.
End Frame.
