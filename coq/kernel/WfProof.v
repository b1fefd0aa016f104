(** * The checker of well-formed kernels is sound *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf.
Import ListNotations.
Open Scope Z_scope.

Lemma ix_eqb_eq a b : ix_eqb a b = true -> a = b.
Proof.
  revert b. induction a; intros []; simpl; try discriminate;
    rewrite ?andb_true_iff, ?Nat.eqb_eq, ?Z.eqb_eq; try (intros [? ?]); intros; subst;
    f_equal; auto.
Qed.

Lemma dims_eqb_eq d e : dims_eqb d e = true -> d = e.
Proof.
  revert e. induction d as [| m d IH]; intros [| n e]; simpl; try discriminate; auto.
  rewrite andb_true_iff, Nat.eqb_eq. intros [-> H]. f_equal. auto.
Qed.

(** ** Intervals *)

Definition inside (s : span) (z : Z) : Prop := fst s <= z <= snd s.
Definition maybe (o : option span) (z : Z) : Prop :=
  forall s, o = Some s -> inside s z.
Definition holds (rho : list Z) (G : facts) : Prop :=
  Forall (fun f => inside (snd f) (eval_ix rho (fst f))) G.

Lemma maybe_meet x y z : maybe x z -> maybe y z -> maybe (meet x y) z.
Proof.
  unfold maybe, inside. destruct x as [[l h] |], y as [[l' h'] |]; simpl; intros Hx Hy s E;
    injection E as <- || discriminate; simpl;
    try specialize (Hx _ eq_refl); try specialize (Hy _ eq_refl); simpl in *; lia.
Qed.

Lemma known_sound rho G a : holds rho G -> maybe (known G a) (eval_ix rho a).
Proof.
  intros H. induction H as [| [b s] G here _ IH]; cbn [known]; [intros s E; discriminate |].
  destruct (ix_eqb b a) eqn:E; [| exact IH].
  apply ix_eqb_eq in E. subst b. apply maybe_meet; [| exact IH].
  intros s' E. injection E as <-. exact here.
Qed.

Lemma div_mono l z h k : 0 < k -> l <= z <= h -> l / k <= z / k <= h / k.
Proof. intros pos [lo hi]. split; now apply Z.div_le_mono. Qed.

Lemma span_mod_sound s k z : 0 < k -> maybe s z -> inside (span_mod s k) (z mod k).
Proof.
  intros pos Hs. pose proof (Z.mod_pos_bound z k pos) as bound.
  destruct s as [[l h] |]; unfold inside; simpl; [| lia].
  specialize (Hs _ eq_refl). unfold inside in Hs. simpl in Hs.
  destruct (Z.eqb_spec (l / k) (h / k)) as [E |]; simpl; [| lia].
  pose proof (div_mono l z h k pos Hs).
  rewrite !Z.mod_eq by lia. replace (z / k) with (l / k) by lia.
  replace (h / k) with (l / k) by lia. lia.
Qed.

Lemma range_sound rho G a : holds rho G -> maybe (range G a) (eval_ix rho a).
Proof.
  intros H.
  induction a as [n | z | a IHa b IHb | a IHa b IHb | a IHa k | a IHa k | a IHa k];
    cbn [range eval_ix]; (apply maybe_meet; [exact (known_sound rho G _ H) |]).
  - intros s E. discriminate.
  - intros s E. injection E as <-. unfold inside. simpl. lia.
  - destruct (range G a) as [[l h] |], (range G b) as [[l' h'] |]; intros s E;
      try discriminate. injection E as <-.
    specialize (IHa _ eq_refl). specialize (IHb _ eq_refl). unfold inside in *. simpl in *. lia.
  - destruct (range G a) as [[l h] |], (range G b) as [[l' h'] |]; intros s E;
      try discriminate. injection E as <-.
    specialize (IHa _ eq_refl). specialize (IHb _ eq_refl). unfold inside in *. simpl in *. lia.
  - destruct (range G a) as [[l h] |]; intros s E; [| discriminate]. injection E as <-.
    specialize (IHa _ eq_refl). unfold inside, span_mul in *. simpl in *.
    destruct (Z.leb_spec 0 k); simpl; nia.
  - destruct (Z.ltb_spec 0 k) as [pos |]; intros s E; [| discriminate].
    destruct (range G a) as [[l h] |]; [| discriminate]. injection E as <-.
    specialize (IHa _ eq_refl). unfold inside in *. simpl in *. now apply div_mono.
  - destruct (Z.ltb_spec 0 k) as [pos |]; intros s E; [| discriminate].
    injection E as <-. now apply span_mod_sound.
Qed.

Lemma narrow_sound rho a : forall s G,
  holds rho G -> inside s (eval_ix rho a) -> holds rho (narrow a s G).
Proof.
  induction a as [n | z | a IHa b IHb | a IHa b IHb | a IHa k | a IHa k | a IHa k];
    intros [l h] G H here;
    assert (H' : holds rho ((_, (l, h)) :: G)) by (constructor; [exact here | exact H]);
    cbn [narrow]; try exact H'; unfold inside in here; simpl in here.
  - match goal with |- holds _ (match range ?G' a with _ => _ end) =>
      assert (HG : holds rho G') end.
    { destruct (range _ b) as [[lb hb] |] eqn:E; [| exact H'].
      apply IHa; [exact H' |]. pose proof (range_sound _ _ b H' _ E) as Hb.
      unfold inside in *. simpl in *. lia. }
    destruct (range _ a) as [[la ha] |] eqn:E; [| exact HG].
    apply IHb; [exact HG |]. pose proof (range_sound _ _ a HG _ E) as Ha.
    unfold inside in *. simpl in *. lia.
  - match goal with |- holds _ (match range ?G' a with _ => _ end) =>
      assert (HG : holds rho G') end.
    { destruct (range _ b) as [[lb hb] |] eqn:E; [| exact H'].
      apply IHa; [exact H' |]. pose proof (range_sound _ _ b H' _ E) as Hb.
      unfold inside in *. simpl in *. lia. }
    destruct (range _ a) as [[la ha] |] eqn:E; [| exact HG].
    apply IHb; [exact HG |]. pose proof (range_sound _ _ a HG _ E) as Ha.
    unfold inside in *. simpl in *. lia.
  - destruct (Z.ltb_spec 0 k) as [pos |].
    + apply IHa; [exact H' |]. unfold inside. simpl. split.
      * apply Z.opp_le_mono. rewrite Z.opp_involutive. apply Z.div_le_lower_bound; nia.
      * apply Z.div_le_lower_bound; nia.
    + destruct (Z.ltb_spec k 0) as [neg |]; [| exact H'].
      apply IHa; [exact H' |]. unfold inside. simpl. split.
      * apply Z.opp_le_mono. rewrite Z.opp_involutive. apply Z.div_le_lower_bound; nia.
      * apply Z.div_le_lower_bound; nia.
  - destruct (Z.ltb_spec 0 k) as [pos |]; [| exact H'].
    apply IHa; [exact H' |]. unfold inside. simpl.
    pose proof (Z.div_mod (eval_ix rho a) k ltac:(lia)).
    pose proof (Z.mod_pos_bound (eval_ix rho a) k pos). nia.
Qed.

Lemma cmp_span_sound c d y z :
  eval_cmp c y z = true -> inside d (y - z) -> inside (cmp_span c d) (y - z).
Proof.
  destruct d as [l h]. unfold inside.
  destruct c; simpl; rewrite ?Z.ltb_lt, ?Z.leb_le, ?Z.eqb_eq, ?negb_true_iff, ?Z.eqb_neq;
    intros; try lia.
  destruct (Z.eqb_spec l 0), (Z.eqb_spec h 0); lia.
Qed.

Lemma assume_sound rho c : forall G,
  holds rho G -> eval_cond rho c = true -> holds rho (assume c G).
Proof.
  induction c as [o a b | c IHc d IHd]; intros G H true_; cbn [assume].
  - destruct (range G (ISub a b)) as [s |] eqn:E; [| exact H].
    apply narrow_sound; [exact H |]. apply cmp_span_sound; [exact true_ |].
    exact (range_sound _ _ (ISub a b) H _ E).
  - simpl in true_. apply andb_true_iff in true_ as []. auto.
Qed.

Lemma eval_cmp_neg c y z : eval_cmp (cmp_neg c) y z = negb (eval_cmp c y z).
Proof.
  destruct c; simpl; rewrite ?negb_involutive; try reflexivity;
    rewrite ?Z.leb_antisym, ?Z.ltb_antisym, ?negb_involutive; reflexivity.
Qed.

Lemma assume_not_sound rho c G :
  holds rho G -> eval_cond rho c = false -> holds rho (assume_not c G).
Proof.
  destruct c as [o a b | c d]; intros H false_; [| exact H].
  apply assume_sound; [exact H |]. simpl in *. now rewrite eval_cmp_neg, false_.
Qed.

Lemma dead_sound rho G : holds rho G -> dead G = false.
Proof.
  intros H. unfold dead. apply not_true_is_false. intros E.
  apply existsb_exists in E as ([a s] & _ & E). simpl in E.
  destruct (range G a) as [[l h] |] eqn:R; [| discriminate].
  pose proof (range_sound _ _ _ H _ R) as here. unfold inside in here. simpl in here.
  apply Z.ltb_lt in E. lia.
Qed.

Lemma within_sound rho G d : holds rho G -> forall l,
  within G d l = true -> in_box d (map (eval_ix rho) l) = true.
Proof.
  intros H. induction d as [| n d IH]; intros [| a l] W; simpl in *; try discriminate; auto.
  apply andb_true_iff in W as [Wa Wl].
  destruct (range G a) as [[lo hi] |] eqn:E; [| discriminate].
  apply andb_true_iff in Wa as [Wlo Whi]. apply Z.leb_le in Wlo. apply Z.ltb_lt in Whi.
  pose proof (range_sound _ _ _ H _ E) as here. unfold inside in here. simpl in here.
  rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. split; [lia | auto].
Qed.

Lemma box_facts_sound d : forall pre i post,
  in_box d i = true -> holds (pre ++ i ++ post) (box_facts (length pre) d).
Proof.
  induction d as [| n d IH]; intros pre [| z i] post H; simpl in H; try discriminate;
    [constructor |].
  rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt in H. destruct H as [[lo hi] H].
  constructor.
  - unfold inside. simpl. rewrite app_nth2, Nat.sub_diag by lia. simpl. lia.
  - specialize (IH (pre ++ [z]) i post H). rewrite <- app_assoc in IH.
    rewrite app_length, Nat.add_1_r in IH. exact IH.
Qed.

Lemma enter_sound rho G ns k :
  holds rho G -> in_box ns k = true -> holds (k ++ rho) (enter ns G).
Proof.
  intros H ink. apply Forall_app. split.
  - exact (box_facts_sound ns [] k rho ink).
  - apply Forall_map. eapply Forall_impl; [| exact H]. intros [a s] here. simpl in *.
    rewrite eval_shift_ix; [exact here | now apply in_box_length].
Qed.

(** ** Soundness *)

Section Proof.
  Variable S : scalars.
  Variable shapes : tid -> list nat.

  (** Only loads that the checker has shown to be inside are evaluated. *)
  Theorem wf_safe (e : ex S) : forall G rho,
    wf shapes G e = true -> holds rho G -> safe shapes rho e.
  Proof.
    unfold safe.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros G rho W H u; simpl in *.
    - exact I.
    - intros ->. rewrite (dead_sound rho G H) in W. simpl in W. now apply (within_sound rho G).
    - apply andb_true_iff in W as []. eauto.
    - induction IH as [| a l here _ IHl]; simpl in *; [exact I |].
      apply andb_true_iff in W as []. split; eauto.
    - apply andb_true_iff in W as []. destruct (eval_cond rho c) eqn:E.
      + eapply IHa; [eassumption |]. now apply assume_sound.
      + eapply IHb; [eassumption |]. now apply assume_not_sound.
    - intros k ink. eapply IH; [eassumption |]. now apply enter_sound.
  Qed.

  (** A well-formed statement reads every tensor inside its shape only. *)
  Theorem wf_sound (s : stmt S) :
    wf_stmt shapes s = true ->
    dims s = shapes (out s) /\ forall t, in_bounds_stmt t (shapes t) s.
  Proof.
    intros W. apply andb_true_iff in W as [D W]. split; [now apply dims_eqb_eq |].
    intros t i ini. apply (wf_safe _ _ i W).
    pose proof (box_facts_sound (dims s) [] i [] ini) as H. now rewrite app_nil_r in H.
  Qed.

  Lemma eval_inside (e : ex S) st st' :
    (forall t i, in_box (shapes t) i = true -> st t i = st' t i) ->
    forall rho, safe shapes rho e -> eval st rho e = eval st' rho e.
  Proof.
    unfold safe. intros same.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros rho safe_; simpl in *.
    - reflexivity.
    - apply same. now apply safe_.
    - rewrite IHa, IHb; [reflexivity | |]; intros t; now apply safe_.
    - f_equal. induction IH as [| a l here _ IHl]; simpl in *; [reflexivity |].
      rewrite here, IHl; [reflexivity | |]; intros t; now apply safe_.
    - destruct (eval_cond rho c); auto.
    - apply fold_left_ext_in. intros acc k ink. apply in_box_box in ink.
      rewrite IH; [reflexivity |]. intros t. now apply safe_.
  Qed.

  (** What lies outside of the shapes has no influence: nothing there is read. *)
  Theorem wf_reads_inside (p : prog S) :
    wf_prog shapes p = true ->
    forall st st', (forall t i, in_box (shapes t) i = true -> st t i = st' t i) ->
    forall t i, in_box (shapes t) i = true -> exec_prog p st t i = exec_prog p st' t i.
  Proof.
    induction p as [| s p IH]; intros W st st' same t i ini; [now apply same |].
    simpl in W. apply andb_true_iff in W as [Ws Wp]. apply (IH Wp); [| exact ini].
    clear t i ini. intros t i ini. unfold exec, upd, tabulate.
    destruct (t =? out s)%nat; [| now apply same].
    destruct (in_box (dims s) i) eqn:E; [| reflexivity].
    apply eval_inside; [exact same |]. intros u. now apply wf_sound.
  Qed.
End Proof.
