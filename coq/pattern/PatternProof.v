(** * The matcher decides the judgement *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern.
Import ListNotations.

Lemma in_combine_seq {A} (l : list A) s k a :
  In (k, a) (combine (seq s (List.length l)) l) <->
  (s <= k)%nat /\ nth_error l (k - s) = Some a.
Proof.
  revert s. induction l as [| b l IH]; intros s; simpl.
  - split; [intros [] |]. intros [_ H]. now destruct (k - s)%nat.
  - rewrite IH. split.
    + intros [E | [le at_k]].
      * injection E as -> ->. now rewrite Nat.sub_diag.
      * split; [lia |]. now replace (k - s)%nat with (S (k - S s)) by lia.
    + intros [le at_k]. destruct (Nat.eq_dec k s) as [-> | ne].
      * rewrite Nat.sub_diag in at_k. injection at_k as ->. now left.
      * right. split; [lia |]. now replace (k - s)%nat with (S (k - S s)) in at_k by lia.
Qed.

Section Thread.
  Context {A S : Type} (f : S -> A -> list S) (R : S -> A -> S -> Prop).

  Lemma threads_iff l :
    (forall a, In a l -> forall s t, In t (f s a) <-> R s a t) ->
    forall s t, In t (threads f s l) <-> thread R s l t.
  Proof.
    induction l as [| a l IH]; intros same s t; simpl.
    - split; [intros [-> | []]; constructor | intros H; inversion H; now left].
    - rewrite in_flat_map. split.
      + intros (s1 & here & rest). apply T_Cons with s1.
        * now apply same; [left |].
        * apply IH; [| exact rest]. intros b inb. apply same. now right.
      + intros H. inversion H as [| ? ? s1 ? ? here rest]; subst.
        exists s1. split; [now apply same; [left |] |].
        apply IH; [| exact rest]. intros b inb. apply same. now right.
  Qed.
End Thread.

Section Proof.
  Variable commutes : string -> bool.
  Variables (pats : list pattern) (g : tgraph).

  Notation step := (step commutes pats g).
  Notation expand := (expand commutes pats g).
  Notation pm := (pm commutes pats g).
  Notation pmatch := (pmatch commutes pats g).

  Lemma in_one_way (o : option (mstate * list goal)) M gs :
    In (M, gs) (one_way o) <-> o = Some (M, gs).
  Proof.
    destruct o as [[N hs] |]; simpl; split; try easy.
    - intros [E | []]. congruence.
    - intros E. left. congruence.
  Qed.

  Theorem expand_iff i p e M q n M1 gs :
    In (M1, gs) (expand i p e M q n) <-> step i p e M q n M1 gs.
  Proof.
    split.
    - unfold Pattern.expand. destruct (form q) eqn:F; try easy.
      + destruct (present n) eqn:P; [| easy]. intros [E | []]. injection E as <- <-.
        now apply PM_Wildcard.
      + destruct (what (op n)) eqn:W; try easy; (destruct (args n) eqn:L; [| easy]);
          intros [E | []]; injection E as <- <-; apply PM_Variable; eauto.
      + destruct (what (op n)) eqn:W; try easy. intros [E | []]. injection E as <- <-.
        eapply PM_Const; eassumption.
      + destruct (what (op n)) eqn:W; try easy.
        destruct (op_allows pats g M o name e) as [M0 |] eqn:A; [| easy].
        destruct (call_inputs pats g kids (args n)) as [es |] eqn:C; [| easy].
        rewrite in_flat_map. intros (es' & ord & H). apply in_one_way in H.
        eapply PM_Call; eassumption.
      + destruct (what (op n)) eqn:W; try easy. rewrite in_one_way. intros H.
        eapply PM_Tuple; eassumption.
      + destruct (what (op n)) eqn:W; try easy. destruct (args n) as [| x [| y l]] eqn:L; try easy.
        intros [E | []]. injection E as <- <-. eapply PM_Proj; eassumption.
      + destruct (present n) eqn:P; intros [E | []]; injection E as <- <-;
          [eapply PM_Optional | eapply PM_Absent]; eassumption.
      + destruct (present n) eqn:P; [easy |]. intros [E | []]. injection E as <- <-.
        now apply PM_None.
      + rewrite in_map_iff. intros ([k kid] & E & ink). injection E as <- <-.
        apply in_combine_seq in ink. destruct ink as [_ at_k].
        rewrite Nat.sub_0_r in at_k. eapply PM_Alt; eassumption.
      + destruct (what (op n)) eqn:W; try easy. rewrite in_one_way. intros H.
        eapply PM_Variadic; eassumption.
    - intros H. unfold Pattern.expand.
      destruct H as [F P | F L [[k W] | (k & v & W)] | a k v F W | F P |
        o kids name M1 es es' M2 gs F W A C ord G | kids M2 gs F W G |
        field least len index M2 gs F W G | kid a k x F W L | kid d F P | kid d F P |
        kids k kid F at_k]; rewrite F; try rewrite W; try rewrite P; try rewrite L;
        try (now left); try (now apply in_one_way).
      + rewrite A, C. apply in_flat_map. exists es'. split; [exact ord | now apply in_one_way].
      + apply in_map_iff. exists (k, kid). split; [reflexivity |].
        apply in_combine_seq. rewrite Nat.sub_0_r. split; [lia | exact at_k].
  Qed.

  (** The goals of a step are about children. *)
  Lemma goals_children i M kids es M1 gs j k e :
    (forall v field, In v kids -> variadic pats v = Some field ->
       exists q, nth_error pats v = Some q /\ In field (children (form q))) ->
    goals pats i M kids es = Some (M1, gs) -> In (j, k, e) gs ->
    In k kids \/ exists v q, In v kids /\ nth_error pats v = Some q /\ In k (children (form q)).
  Proof.
    intros fields. unfold goals.
    assert (forall M2, Some (M2, map (fun ke => (i, fst ke, snd ke)) (combine kids es)) = Some (M1, gs) ->
              In (j, k, e) gs -> In k kids) as plain.
    { intros M2 H ing. injection H as _ <-. apply in_map_iff in ing.
      destruct ing as ([k' e'] & E & ink). injection E as _ <- _. now apply in_combine_l in ink. }
    assert (forall M2 v field, Some (M2, instances field es) = Some (M1, gs) ->
              In v kids -> variadic pats v = Some field -> In (j, k, e) gs ->
              exists v q, In v kids /\ nth_error pats v = Some q /\ In k (children (form q))) as inst.
    { intros M2 v field H inv var ing. injection H as _ <-. apply in_map_iff in ing.
      destruct ing as ([k' e'] & E & _). injection E as _ <- _.
      destruct (fields v field inv var) as (q & at_v & inf). eauto 6. }
    destruct kids as [| v [| w kids]].
    - destruct (Nat.eqb _ _); [| discriminate]. intros H ing. left. eapply plain; eassumption.
    - destruct (variadic pats v) as [field |] eqn:V.
      + assert (In v [v]) as inv by now left.
        destruct (look_up Nat.eqb (lens M) v) as [n |].
        * destruct (Nat.eqb _ _); [| discriminate]. intros H ing. right. eapply inst; eassumption.
        * intros H ing. right. eapply inst; eassumption.
      + destruct (Nat.eqb _ _); [| discriminate]. intros H ing. left. eapply plain; eassumption.
    - destruct (Nat.eqb _ _); [| discriminate]. intros H ing. left. eapply plain; eassumption.
  Qed.

  Lemma variadic_child v field :
    variadic pats v = Some field ->
    exists q, nth_error pats v = Some q /\ In field (children (form q)).
  Proof.
    unfold variadic. destruct (nth_error pats v) as [q |]; [| discriminate].
    destruct (form q) eqn:F; try discriminate. intros H. injection H as <-.
    exists q. rewrite F. split; [reflexivity | now left].
  Qed.

  Hypothesis ok : ordered pats.

  Lemma step_smaller i p e M q n M1 gs j k e' :
    nth_error pats p = Some q -> step i p e M q n M1 gs -> In (j, k, e') gs -> (k < p)%nat.
  Proof.
    intros at_p H ing. destruct (ok p q at_p) as [kids_lt _].
    assert (forall kids es M0, (forall v, In v kids -> (v < p)%nat \/ v = p) ->
              goals pats i M0 kids es = Some (M1, gs) -> In (j, k, e') gs ->
              In k kids \/ (k < p)%nat) as G.
    { intros kids es M0 below E inj.
      destruct (goals_children i M0 kids es M1 gs j k e') as [ink | (v & r & inv & at_v & ink)];
        try assumption; [intros v field _; apply variadic_child | now left |].
      right. destruct (below v inv) as [lt | ->].
      - pose proof (proj1 (ok v r at_v) k ink). lia.
      - assert (r = q) as -> by congruence. now apply kids_lt. }
    destruct H as [F P | F L W | a c v F W | F P |
      o kids name M2 es es' M3 gs F W A C ord E | kids M2 gs F W E |
      field least len index M2 gs F W E | kid a c x F W L | kid d F P | kid d F P |
      kids c kid F at_c]; try easy.
    - assert (forall v, In v kids -> (v < p)%nat) as below.
      { intros v inv. apply kids_lt. rewrite F. destruct o; [exact inv | now right]. }
      destruct (G kids es' M2 (fun v inv => or_introl (below v inv)) E ing); auto.
    - assert (forall v, In v kids -> (v < p)%nat) as below
        by (intros v inv; apply kids_lt; now rewrite F).
      destruct (G kids (args n) M (fun v inv => or_introl (below v inv)) E ing); auto.
    - unfold goals in E.
      assert (variadic pats p = Some field) as V by (unfold variadic; now rewrite at_p, F).
      rewrite V in E.
      assert (In (j, k, e') (instances field (args n))) as inj.
      { destruct (look_up Nat.eqb (lens M) p); [destruct (Nat.eqb _ _); [| discriminate] |];
          injection E as _ <-; exact ing. }
      apply in_map_iff in inj. destruct inj as ([c x] & Eq & _). injection Eq as _ <- _.
      apply kids_lt. rewrite F. now left.
    - destruct ing as [Eq | []]. injection Eq as _ <- _. apply kids_lt. rewrite F. now left.
    - destruct ing as [Eq | []]. injection Eq as _ <- _. apply kids_lt. rewrite F. now left.
    - destruct ing as [Eq | []]. injection Eq as _ <- _. apply kids_lt. rewrite F.
      now apply nth_error_In with c.
  Qed.

  (** Enough fuel: the number of patterns up to [p]. *)
  Theorem pmatch_iff fuel i M p e M' :
    (p < fuel)%nat -> (In M' (pmatch fuel i M p e) <-> pm i M p e M').
  Proof.
    revert i M p e M'. induction fuel as [| fuel IH]; intros i M p e M' lt; [lia |].
    cbn [Pattern.pmatch].
    destruct (nth_error pats p) as [q |] eqn:at_p;
      [| split; [easy | intros H; inversion H; congruence]].
    destruct (nth_error g e) as [n |] eqn:at_e;
      [| split; [easy | intros H; inversion H; congruence]].
    assert (forall f, first q = Some f -> (f < fuel)%nat) as first_lt.
    { intros f H. pose proof (proj2 (ok p q at_p) f H). lia. }
    assert (forall f, first_of i q = Some f -> first q = Some f) as first_is.
    { intros f. unfold first_of. destruct i as [[|] |]; try discriminate.
      now destruct (template q). }
    split.
    - destruct (get M (at_ i p q)) as [e' |] eqn:B.
      + destruct (Nat.eqb_spec e' e) as [-> | _]; [| easy]. intros [-> | []].
        now apply PM_Function with q n.
      + destruct (is_instance pats g i M q e) eqn:I.
        * intros [-> | []]. now apply PM_Inst with q n.
        * destruct (first_of i q) as [f |] eqn:Fi.
          -- intros H. apply IH in H; [| now apply first_lt, first_is].
             now apply PM_First with q n f.
          -- destruct (injective pats M q e) eqn:J; [| easy].
             rewrite in_flat_map. intros ([M1 gs] & way & rest). apply expand_iff in way.
             apply PM_Node with q n M1 gs; try assumption.
             revert rest. apply threads_iff. intros [[j k] e'] ing s t. apply IH.
             pose proof (step_smaller _ _ _ _ _ _ _ _ _ _ _ at_p way ing). simpl. lia.
    - intros H. destruct H as [i M p e q' n' at_p' at_e' B | i M p e q' n' at_p' at_e' B I |
        i M p e q' n' f M' at_p' at_e' B I Fi H | i M p e q' n' M1 gs M' at_p' at_e' B I Fi J way H];
        (assert (q' = q) as -> by congruence); (assert (n' = n) as -> by congruence); rewrite B.
      + rewrite Nat.eqb_refl. now left.
      + rewrite I. now left.
      + rewrite I, Fi. apply IH; [now apply first_lt, first_is | exact H].
      + rewrite I, Fi, J. apply in_flat_map. exists (M1, gs).
        split; [now apply expand_iff |].
        revert H. apply threads_iff. intros [[j k] e'] ing s t. apply IH.
        pose proof (step_smaller _ _ _ _ _ _ _ _ _ _ _ at_p way ing). simpl. lia.
  Qed.
End Proof.

(** ** Order of the array *)

Theorem orderedb_iff pats : orderedb pats = true <-> ordered pats.
Proof.
  unfold orderedb, ordered. rewrite forallb_forall. split.
  - intros H p q at_p. assert (In (p, q) (combine (seq 0 (List.length pats)) pats)) as inp.
    { apply in_combine_seq. rewrite Nat.sub_0_r. split; [lia | exact at_p]. }
    specialize (H _ inp). simpl in H. apply andb_true_iff in H. destruct H as [kids fst_].
    rewrite forallb_forall in kids. split.
    + intros k ink. now apply Nat.ltb_lt, kids.
    + intros f F. rewrite F in fst_. now apply Nat.ltb_lt.
  - intros H [p q] inp. apply in_combine_seq in inp. destruct inp as [_ at_p].
    rewrite Nat.sub_0_r in at_p. destruct (H p q at_p) as [kids fst_]. simpl.
    apply andb_true_iff. split.
    + apply forallb_forall. intros k ink. now apply Nat.ltb_lt, kids.
    + destruct (first q) as [f |]; [now apply Nat.ltb_lt, fst_ | reflexivity].
Qed.

(** ** Determinism

    Without commutative operators and alternatives there is nothing to choose. *)

Definition choice_free (commutes : string -> bool) (pats : list pattern) : Prop :=
  (forall s, commutes s = false) /\
  (forall p q kids, nth_error pats p = Some q -> form q <> PAlt kids).

Lemma threads_unique {A S} (f : S -> A -> list S) :
  (forall s a, List.length (f s a) <= 1)%nat ->
  forall l s, (List.length (threads f s l) <= 1)%nat.
Proof.
  intros one. induction l as [| a l IH]; intros s; simpl; [lia |].
  specialize (one s a). destruct (f s a) as [| t [| u r]]; simpl in *; try lia.
  rewrite app_nil_r. apply IH.
Qed.

Lemma expand_unique commutes pats g i p e N q n :
  choice_free commutes pats -> nth_error pats p = Some q ->
  (List.length (expand commutes pats g i p e N q n) <= 1)%nat.
Proof.
  intros [nocomm noalt] at_p. unfold expand.
  assert (forall o : option (mstate * list goal), (List.length (one_way o) <= 1)%nat) as ow
    by (intros [x |]; simpl; lia).
  destruct (form q) eqn:F; try (simpl; lia); try (destruct (present n); simpl; lia);
    try (destruct (what (op n)); simpl; solve [lia | apply ow]).
  - destruct (what (op n)); simpl; try lia; destruct (args n); simpl; lia.
  - destruct (what (op n)) as [| | | name | |]; simpl; try lia.
    destruct (op_allows _ _ _ _ _ _) as [N1 |]; simpl; [| lia].
    destruct (call_inputs _ _ _ _) as [es |]; simpl; [| lia].
    assert (orders commutes name es = [es]) as ->.
    { unfold orders. destruct es as [| a [| b [| c es]]]; try reflexivity. now rewrite nocomm. }
    simpl. rewrite app_nil_r. apply ow.
  - destruct (what (op n)); simpl; try lia. destruct (args n) as [| x [| y l]]; simpl; lia.
  - now elim (noalt p q kids).
Qed.

Lemma pmatch_unique commutes pats g fuel i M p e :
  choice_free commutes pats -> (List.length (pmatch commutes pats g fuel i M p e) <= 1)%nat.
Proof.
  intros [nocomm noalt]. revert i M p e. induction fuel as [| fuel IH]; intros i M p e; simpl; [lia |].
  destruct (nth_error pats p) as [q |] eqn:at_p; simpl; [| lia].
  destruct (nth_error g e) as [n |]; simpl; [| lia].
  destruct (get M (at_ i p q)) as [e' |]; [destruct (Nat.eqb e' e); simpl; lia |].
  destruct (is_instance pats g i M q e); [simpl; lia |].
  destruct (first_of i q) as [f |]; [apply IH |].
  destruct (injective pats M q e); [| simpl; lia].
  pose proof (fun N => expand_unique commutes pats g i p e N q n (conj nocomm noalt) at_p) as one.
  specialize (one (put M (at_ i p q) e)).
  destruct (expand _ _ _ _ _ _ _ _ _) as [| [M1 gs] [| w r]]; simpl in *; try lia.
  rewrite app_nil_r. apply threads_unique. intros s [[j k] e']. apply IH.
Qed.

Theorem match_deterministic commutes pats g i M p e M1 M2 :
  ordered pats -> choice_free commutes pats ->
  pm commutes pats g i M p e M1 -> pm commutes pats g i M p e M2 -> M1 = M2.
Proof.
  intros ok free H1 H2.
  apply (pmatch_iff commutes pats g ok (S p)) in H1, H2; try lia.
  pose proof (pmatch_unique commutes pats g (S p) i M p e free) as one.
  destruct (pmatch commutes pats g (S p) i M p e) as [| N [| N' l]]; simpl in *; try easy; [| lia].
  destruct H1 as [<- | []]. now destruct H2 as [<- | []].
Qed.

(** ** One to one *)

Section OneToOne.
  Variable commutes : string -> bool.
  Variables (pats : list pattern) (g : tgraph).

  (** Two patterns that may stand for one node. *)
  Definition may_alias (q r : pattern) : Prop :=
    transparent q = true \/ transparent r = true \/
    (is_leaf q = true /\ is_leaf r = true /\ (shared q = true \/ shared r = true)).

  Fixpoint one_to_one (l : list (addr * nat)) : Prop :=
    match l with
    | [] => True
    | (a, x) :: l' =>
        (forall b q r, In (b, x) l' -> nth_error pats (fst a) = Some q ->
           nth_error pats (fst b) = Some r -> may_alias q r) /\ one_to_one l'
    end.

  Lemma threads_keep {A S} (f : S -> A -> list S) (I : S -> Prop) :
    (forall s a t, In t (f s a) -> I s -> I t) ->
    forall l s t, In t (threads f s l) -> I s -> I t.
  Proof.
    intros step. induction l as [| a l IH]; intros s t; simpl.
    - intros [<- | []]. easy.
    - intros H Is. apply in_flat_map in H. destruct H as (s1 & here & rest). eauto.
  Qed.

  Lemma goals_bound i M kids es M1 gs :
    goals pats i M kids es = Some (M1, gs) -> bound M1 = bound M.
  Proof.
    unfold goals. destruct kids as [| v [| w kids]].
    - destruct (Nat.eqb _ _); [| discriminate]. intros H. now injection H as <- _.
    - destruct (variadic pats v) as [field |].
      + destruct (look_up Nat.eqb (lens M) v).
        * destruct (Nat.eqb _ _); [| discriminate]. intros H. now injection H as <- _.
        * intros H. now injection H as <- _.
      + destruct (Nat.eqb _ _); [| discriminate]. intros H. now injection H as <- _.
    - destruct (Nat.eqb _ _); [| discriminate]. intros H. now injection H as <- _.
  Qed.

  Lemma op_allows_keeps M o name e M1 :
    op_allows pats g M o name e = Some M1 -> one_to_one (bound M) -> one_to_one (bound M1).
  Proof.
    unfold op_allows. destruct o as [s | p].
    - destruct (String.eqb s name); [| discriminate]. intros H. now injection H as <-.
    - destruct (get M (p, None)) as [e' |].
      + destruct (name_of g e') as [s |]; [| discriminate].
        destruct (String.eqb s name); [| discriminate]. intros H. now injection H as <-.
      + destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate].
        destruct (form q) eqn:F; try discriminate.
        destruct (existsb _ names); [| discriminate]. intros H. injection H as <-.
        intros ok. split; [| exact ok]. intros b q' r _ at_q _. simpl in at_q.
        assert (q' = q) as -> by congruence. left. unfold transparent. now rewrite F.
  Qed.

  Lemma step_keeps i p e M q n M1 gs :
    step commutes pats g i p e M q n M1 gs -> one_to_one (bound M) -> one_to_one (bound M1).
  Proof.
    intros H ok. destruct H as [F P | F L W | a k v F W | F P |
      o kids name M1 es es' M2 gs F W A C ord G | kids M2 gs F W G |
      field least len index M2 gs F W G | kid a k x F W L | kid d F P | kid d F P |
      kids k kid F at_k]; try exact ok; apply goals_bound in G; rewrite G; try exact ok.
    now apply op_allows_keeps in A.
  Qed.

  Lemma pmatch_keeps fuel : forall i M p e M',
    In M' (pmatch commutes pats g fuel i M p e) ->
    one_to_one (bound M) -> one_to_one (bound M').
  Proof.
    induction fuel as [| fuel IH]; intros i M p e M'; [easy |]. cbn [pmatch].
    destruct (nth_error pats p) as [q |] eqn:at_p; [| easy].
    destruct (nth_error g e) as [n |]; [| easy].
    destruct (get M (at_ i p q)) as [e' |].
    { destruct (Nat.eqb e' e); [| easy]. now intros [<- | []]. }
    destruct (is_instance pats g i M q e); [now intros [<- | []] |].
    destruct (first_of i q) as [f |] eqn:Fi; [apply IH |].
    destruct (injective pats M q e) eqn:J; [| easy].
    intros H ok. apply in_flat_map in H. destruct H as ([M1 gs] & way & rest).
    apply expand_iff in way.
    refine (threads_keep _ (fun N => one_to_one (bound N)) _ _ _ _ rest _).
    - intros s [[j k] x] t. apply IH.
    - apply (step_keeps _ _ _ _ _ _ _ _ way). split; [| exact ok].
      intros b q' r inb at_q at_b. unfold at_ in at_q. rewrite Fi in at_q. simpl in at_q.
      assert (q' = q) as -> by congruence.
      unfold injective in J. rewrite forallb_forall in J. specialize (J _ inb). simpl in J.
      rewrite Nat.eqb_refl in J. simpl in J. unfold alias in J. simpl in J. rewrite at_b in J.
      unfold may_alias. rewrite !orb_true_iff, !andb_true_iff, orb_true_iff in J. tauto.
  Qed.

  Lemma one_to_one_pair l a b x q r :
    one_to_one l -> In (a, x) l -> In (b, x) l -> a <> b ->
    nth_error pats (fst a) = Some q -> nth_error pats (fst b) = Some r -> may_alias q r.
  Proof.
    induction l as [| [c y] l IH]; intros ok ina inb ne at_a at_b; [easy |].
    destruct ok as [head rest].
    destruct ina as [E | ina], inb as [F | inb].
    - congruence.
    - injection E as -> ->. now apply (head b).
    - injection F as -> ->. specialize (head a r q ina at_b at_a). unfold may_alias in *. tauto.
    - now apply IH.
  Qed.

  (** A match sends different addresses to different nodes, but for the patterns
      that are another view of a node, and leaves that may be shared. *)
  Theorem match_one_to_one p e M a b x q r :
    ordered pats -> pm commutes pats g None empty p e M ->
    In (a, x) (bound M) -> In (b, x) (bound M) -> a <> b ->
    nth_error pats (fst a) = Some q -> nth_error pats (fst b) = Some r -> may_alias q r.
  Proof.
    intros ok H. apply (pmatch_iff commutes pats g ok (S p)) in H; [| lia].
    apply pmatch_keeps in H; [| exact I]. now apply one_to_one_pair.
  Qed.
End OneToOne.
