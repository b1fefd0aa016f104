(** * What holds at a match

    [pm_fits]: at every address that a match binds, the node fits the pattern in the
    complete match: a call has that operator and the nodes bound to the children as
    its inputs, an alternative is the one that was taken, and so on. *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require Import pattern.Forward pattern.ForwardProof rewrite.Check rewrite.Settled.
Import ListNotations.
Open Scope nat_scope.

Section Facts.
  Variable commutes : string -> bool.
  Variables (pats : list pattern) (g : tgraph).
  Hypothesis ok : ordered pats.
  Hypothesis layers : forall q, In q pats -> layered pats q = true.
  Notation step := (step commutes pats g).
  Notation pm := (pm commutes pats g).

  (** Pattern [k] stands for [x]. *)
  Definition sees (M : mstate) (i : option nat) (k x : nat) : Prop :=
    forall q, nth_error pats k = Some q -> is_inst q = true \/ get M (at_ i k q) = Some x.

  (** So do the children, or the instances of the only one. *)
  Definition kids_at (M : mstate) (i : option nat) (kids es : list nat) : Prop :=
    match kids, match kids with [v] => variadic pats v | _ => None end with
    | [v], Some f => look_up Nat.eqb (lens M) v = Some (List.length es) /\
                     forall c x, nth_error es c = Some x -> sees M (Some c) f x
    | _, _ => Forall2 (sees M i) kids es
    end.

  Definition op_is (M : mstate) (o : opref) (name : string) : Prop :=
    match o with
    | OName s => s = name
    | OPat k => exists e, get M (k, None) = Some e /\ name_of g e = Some name
    end.

  Definition fits_node (M : mstate) (i : option nat) (p : nat) (q : pattern) (e : nat) (n : node oper) : Prop :=
    match form q with
    | PWildcard => present n = true
    | PVariable => args n = [] /\ ((exists k, what (op n) = KInput k) \/ exists k v, what (op n) = KConst k v)
    | PConst _ => exists k v, what (op n) = KConst k v
    | PNone => present n = false
    | PCall o kids => exists name es es', what (op n) = KCall name /\ op_is M o name /\
        call_inputs pats g kids (args n) = Some es /\ In es' (orders commutes name es) /\ kids_at M i kids es'
    | PTuple kids => what (op n) = KTuple /\ kids_at M i kids (args n)
    | PVariadic _ _ _ _ => what (op n) = KTuple /\ kids_at M i [p] (args n)
    | PProj kid _ => exists k x, what (op n) = KProj k /\ args n = [x] /\ sees M i kid x
    | POptional kid _ => present n = true -> sees M i kid e
    | PAlt kids => exists k kid, nth_error kids k = Some kid /\ sees M i kid e /\
        (template q = false -> look_up Nat.eqb (alts M) p = Some k)
    | POp names => exists name, what (op n) = KCall name /\ existsb (String.eqb name) names = true
    | PInst _ _ | PCond _ _ _ | PMatch _ _ => False
    end.

  Definition fits (M : mstate) (i : option nat) (p : nat) (q : pattern) (e : nat) : Prop :=
    exists n, nth_error g e = Some n /\ fits_node M i p q e n.

  Definition all_fit (n : nat) (M : mstate) : Prop :=
    forall i p q e, p < n -> nth_error pats p = Some q -> first_of i q = None ->
      get M (p, inst_of i q) = Some e -> fits M i p q e.

  (** ** Growing keeps it *)

  Lemma sees_steady M M' i k x : steady pats M M' -> sees M i k x -> sees M' i k x.
  Proof.
    intros (S & _) H q at_k. destruct (H q at_k) as [I | G]; [now left | right; now apply S].
  Qed.

  Lemma kids_steady M M' i kids es : steady pats M M' -> kids_at M i kids es -> kids_at M' i kids es.
  Proof.
    intros S. assert (Forall2 (sees M i) kids es -> Forall2 (sees M' i) kids es) as plain.
    { intros F. induction F; constructor; [now apply sees_steady with M | assumption]. }
    unfold kids_at. destruct kids as [| v [| w kids]]; try exact plain.
    destruct (variadic pats v); [| exact plain].
    intros [L all]. split; [now apply S |]. intros c x at_c. apply sees_steady with M; auto.
  Qed.

  Lemma fits_steady M M' i p q e :
    nth_error pats p = Some q -> steady pats M M' -> get M (p, inst_of i q) <> None ->
    fits M i p q e -> fits M' i p q e.
  Proof.
    intros at_p S B (n & at_e & H). exists n. split; [exact at_e |]. unfold fits_node in *.
    destruct (form q); try exact H.
    - destruct H as (name & es & es' & W & O & C & ord & K). exists name, es, es'.
      repeat split; try assumption; [| now apply kids_steady with M].
      destruct o; [exact O |]. destruct O as (e' & G & N). exists e'. split; [now apply S | exact N].
    - destruct H as [W K]. split; [exact W | now apply kids_steady with M].
    - destruct H as (k & x & W & A & K). exists k, x. repeat split; try assumption. now apply sees_steady with M.
    - intros P. apply sees_steady with M; auto.
    - destruct H as (k & kid & at_k & K & L). exists k, kid. split; [exact at_k |].
      split; [now apply sees_steady with M |]. intros T. destruct S as (_ & _ & S).
      rewrite (S p q at_p T); [now apply L |]. unfold inst_of in B. now rewrite T in B.
    - destruct H as [W K]. split; [exact W | now apply kids_steady with M].
  Qed.

  (** Outside of templates the instance does not matter. *)
  Lemma sees_inst M i j p q k x :
    nth_error pats p = Some q -> inst_of i q = inst_of j q ->
    match form q with PVariadic _ _ _ _ | PInst _ _ => False | s => In k (children s) end ->
    sees M i k x -> sees M j k x.
  Proof.
    intros at_p E ink D r at_k. destruct (template q) eqn:T.
    - unfold inst_of in E. rewrite T in E. subst j. now apply D.
    - assert (template r = false) as lay by exact (plain_child pats layers p q k r at_p T ink at_k).
      assert (forall l, at_ l k r = (k, None)) as own.
      { intros l. unfold at_, first_of. rewrite lay. now destruct l as [[|] |]. }
      destruct (D r at_k) as [I | B]; [now left | right]. now rewrite own in B |- *.
  Qed.

  Lemma kids_inst M i j p q kids es :
    nth_error pats p = Some q -> inst_of i q = inst_of j q ->
    (forall k, In k kids -> match form q with PVariadic _ _ _ _ | PInst _ _ => False | s => In k (children s) end) ->
    kids_at M i kids es -> kids_at M j kids es.
  Proof.
    intros at_p E sub. assert (Forall2 (sees M i) kids es -> Forall2 (sees M j) kids es) as plain.
    { revert sub. clear - at_p E layers. intros sub F. induction F as [| k x kids es here _ IH]; constructor.
      - apply (sees_inst M i j p q k x at_p E); [apply sub; now left | exact here].
      - apply IH. intros k' ink. apply sub. now right. }
    unfold kids_at. destruct kids as [| v [| w kids]]; try exact plain.
    destruct (variadic pats v); [easy | exact plain].
  Qed.

  Lemma fits_inst M i j p q e :
    nth_error pats p = Some q -> inst_of i q = inst_of j q -> fits M i p q e -> fits M j p q e.
  Proof.
    intros at_p E (n & at_e & H). exists n. split; [exact at_e |]. unfold fits_node in *.
    pose proof (kids_inst M i j p q) as kids_. pose proof (sees_inst M i j p q) as sees_.
    destruct (form q) as [| | | o kids | kids | kid a | kid d | | kids | | field least len index | | |] eqn:F;
      try exact H; cbn [children] in *.
    - destruct H as (name & es & es' & W & O & C & ord & K). exists name, es, es'.
      repeat split; try assumption. apply kids_; try assumption. intros k ink. destruct o; [exact ink | now right].
    - destruct H as [W K]. split; [exact W |]. apply kids_; try assumption. easy.
    - destruct H as (k & x & W & A & K). exists k, x. repeat split; try assumption. apply sees_; try assumption. now left.
    - intros P. apply sees_; auto. now left.
    - destruct H as (k & kid & at_k & K & L). exists k, kid. split; [exact at_k |]. split; [| exact L].
      apply sees_; try assumption. now apply nth_error_In with k.
    - destruct H as [W K]. split; [exact W |]. revert K. unfold kids_at, variadic. now rewrite at_p, F.
  Qed.

  (** ** The rules of the judgement give it *)

  Lemma goals_kids i M kids es M1 gs M' :
    goals pats i M kids es = Some (M1, gs) -> steady pats M1 M' ->
    (forall j k x, In (j, k, x) gs -> sees M' j k x) -> kids_at M' i kids es.
  Proof.
    unfold goals. intros G S all.
    assert (forall N, (if Nat.eqb (List.length kids) (List.length es)
              then Some (N, map (fun ke => (i, fst ke, snd ke)) (combine kids es)) else None) = Some (M1, gs) ->
            Forall2 (sees M' i) kids es) as plain.
    { intros N E. destruct (Nat.eqb_spec (List.length kids) (List.length es)) as [len |]; [| discriminate].
      injection E as _ <-. revert all. clear - len. revert es len.
      induction kids as [| k kids IH]; intros [| x es] len all; try discriminate; constructor.
      - apply all. now left.
      - apply IH; [now injection len |]. intros j k' x' inx. apply all. now right. }
    unfold kids_at. destruct kids as [| v [| w kids]]; try (now apply (plain M)).
    destruct (variadic pats v) as [f |]; [| now apply (plain M)].
    assert (gs = instances f es -> forall c x, nth_error es c = Some x -> sees M' (Some c) f x) as inst.
    { intros -> c x at_c. apply all. unfold instances. apply in_map_iff. exists (c, x). split; [reflexivity |].
      apply in_combine_seq. rewrite Nat.sub_0_r. split; [lia | exact at_c]. }
    destruct (look_up Nat.eqb (lens M) v) as [m |] eqn:L.
    - destruct (Nat.eqb_spec m (List.length es)) as [-> |]; [| discriminate]. injection G as <- <-.
      split; [now apply S | now apply inst].
    - injection G as <- <-. split; [| now apply inst]. apply S. cbn [put_len lens].
      now rewrite look_up_cons, Nat.eqb_refl.
  Qed.

  Lemma op_allows_is M o name e M1 :
    op_allows pats g M o name e = Some M1 -> name_of g e = Some name -> op_is M1 o name.
  Proof.
    unfold op_allows, op_is. intros A N. destruct o as [s | k].
    - destruct (String.eqb_spec s name); [assumption | discriminate].
    - destruct (get M (k, None)) as [x |] eqn:B.
      + destruct (name_of g x) as [s |] eqn:Nx; [| discriminate].
        destruct (String.eqb_spec s name) as [-> |]; [| discriminate]. injection A as <-. now exists x.
      + destruct (nth_error pats k) as [r |]; [| discriminate]. destruct (form r); try discriminate.
        destruct (existsb _ _); [| discriminate]. injection A as <-. exists e. now rewrite get_put_same.
  Qed.

  (** What a step binds besides: an operator pattern. *)
  Lemma step_bound i p e M q n M1 gs a x :
    step i p e M q n M1 gs -> get M1 a = Some x ->
    get M a = Some x \/ (x = e /\ exists r names name, nth_error pats (fst a) = Some r /\ form r = POp names /\
      what (op n) = KCall name /\ existsb (String.eqb name) names = true).
  Proof.
    assert (forall kids es N N', goals pats i N kids es = Some (N', gs) -> get N' a = get N a) as same.
    { intros kids es N N' G. apply get_bound. now apply goals_bound in G. }
    intros st B.
    destruct st as [F P | F L' W | c k w F W | F P | o kids name M1 es es' M2 gs F W A C ord G |
      kids M2 gs F W G | field least len index M2 gs F W G | kid c k y F W L' | kid d F P | kid d F P |
      kids k kid F at_k]; try (now left); try (left; now rewrite (same _ _ _ _ G) in B).
    rewrite (same _ _ _ _ G) in B. unfold op_allows in A. destruct o as [s | k].
    - destruct (String.eqb s name); [| discriminate]. injection A as <-. now left.
    - destruct (get M (k, None)).
      + destruct (name_of g _); [| discriminate]. destruct (String.eqb _ _); [| discriminate].
        injection A as <-. now left.
      + destruct (nth_error pats k) as [r |] eqn:at_r; [| discriminate]. destruct (form r) eqn:Fr; try discriminate.
        destruct (existsb _ _) eqn:X; [| discriminate]. injection A as <-. rewrite get_put in B.
        destruct (addr_eqb (k, None) a) eqn:Ea; [| now left]. apply addr_eqb_eq in Ea. subst a.
        injection B as <-. right. split; [reflexivity |]. now exists r, names, name.
  Qed.

  Lemma step_fits i p e M q n M1 gs M' :
    nth_error g e = Some n -> step i p e M q n M1 gs -> steady pats M1 M' ->
    nth_error pats p = Some q -> (template q = false -> get M1 (p, None) <> None) ->
    (forall j k x, In (j, k, x) gs -> sees M' j k x) -> fits_node M' i p q e n.
  Proof.
    intros at_e st S at_p own all. unfold fits_node.
    destruct st as [F P | F L' W | c k w F W | F P | o kids name M1 es es' M2 gs F W A C ord G |
      kids M2 gs F W G | field least len index M2 gs F W G | kid c k y F W L' | kid d F P | kid d F P |
      kids k kid F at_k]; rewrite F; try assumption.
    - now split.
    - now exists k, w.
    - exists name, es, es'. repeat split; try assumption; [| now apply (goals_kids i M1 kids es' M2 gs)].
      assert (name_of g e = Some name) as N by (unfold name_of; now rewrite at_e, W).
      apply (op_allows_is _ _ _ _ _ A) in N. apply goals_bound in G. destruct o; [exact N |].
      destruct N as (x & B & N). exists x. split; [| exact N]. apply S. now rewrite (get_bound M2 M1).
    - split; [exact W | now apply (goals_kids i M kids (args n) M2 gs)].
    - split; [exact W | now apply (goals_kids i M [p] (args n) M2 gs)].
    - exists k, y. repeat split; try assumption. apply all. now left.
    - intros _. apply all. now left.
    - intros P'. congruence.
    - exists k, kid. split; [exact at_k |]. split; [apply all; now left |]. intros T.
      destruct S as (_ & _ & S). rewrite (S p q at_p T (own T)). cbn [put_alt alts].
      now rewrite look_up_cons, Nat.eqb_refl.
  Qed.

  Lemma all_fit_less n m M : m <= n -> all_fit n M -> all_fit m M.
  Proof. intros le S i p q e lt. apply S. lia. Qed.

  Theorem pm_fits p : forall i M e M' q n,
    nth_error pats p = Some q -> pm i M p e M' -> p < n -> all_fit n M -> all_fit n M' /\ sees M' i p e.
  Proof.
    induction p as [p IH] using (well_founded_induction lt_wf). intros i M e M' q n at_p H ltn Sn.
    pose proof (pm_frame commutes pats g ok p i M e M' q at_p H) as [_ frame].
    pose proof (pm_steady commutes pats g ok p i M e M' H) as Sall.
    inversion H as [? ? ? ? q' m at_q at_m B | ? ? ? ? q' m at_q at_m B I |
      ? ? ? ? q' m f ? at_q at_m B I F pf | ? ? ? ? q' m M1 gs ? at_q at_m B I F J st th]; subst;
      (assert (q' = q) as -> by congruence).
    - split; [exact Sn |]. intros r at_r. right. assert (r = q) as -> by congruence. exact B.
    - split; [exact Sn |]. intros r at_r. left. assert (r = q) as -> by congruence.
      unfold is_instance in I. unfold is_inst. now destruct (form q).
    - assert (first q = Some f) as Ff.
      { unfold first_of in F. destruct i as [[|] |]; try discriminate. now destruct (template q). }
      assert (f < p) as lt by now apply (proj2 (ok p q at_p)).
      assert (exists qf, nth_error pats f = Some qf) as [qf at_f] by (inversion pf; subst; eauto).
      destruct (IH f lt None M e M' qf n at_f pf ltac:(lia) Sn) as [Sn' D]. split; [exact Sn' |].
      intros r at_r. assert (r = q) as -> by congruence.
      destruct (first_plain pats layers p q f qf at_p Ff at_f) as [Tf If].
      right. unfold at_. rewrite F. destruct (D qf at_f) as [If' | Bf]; [congruence |].
      unfold at_ in Bf. simpl in Bf. now rewrite Tf in Bf.
    - rewrite (at_own i p q F) in *. set (Mp := put M (p, inst_of i q) e) in *.
      pose proof (step_steady commutes pats g ok i p e M q m M1 gs at_p B st) as S1.
      assert (all_fit p M1) as G1.
      { intros j r s x lt at_r Fr Bn.
        destruct (step_bound _ _ _ _ _ _ _ _ _ _ st Bn) as [E | (-> & s' & names & name & at_s & Fs & W & X)].
        - assert (get M (r, inst_of j s) = Some x) as Bm.
          { unfold Mp in E. rewrite get_put_other in E; [exact E |]. intros E'. injection E' as E' _. lia. }
          apply fits_steady with M; try assumption; [congruence |]. apply Sn; try assumption. lia.
        - simpl in at_s. assert (s' = s) as -> by congruence. exists m. split; [exact at_m |].
          unfold fits_node. rewrite Fs. now exists name. }
      assert (all_fit p M' /\ steady pats M1 M' /\ forall j k x, In (j, k, x) gs -> sees M' j k x) as (G' & S' & D').
      { assert (forall l s0, (forall b, In b l -> In b gs) ->
          thread (fun M y M' => pm (fst (fst y)) M (snd (fst y)) (snd y) M') s0 l M' ->
          all_fit p s0 -> all_fit p M' /\ steady pats s0 M' /\ forall j k x, In (j, k, x) l -> sees M' j k x) as run.
        { induction l as [| b l IHl]; intros s0 sub T G0.
          - inversion T; subst. split; [exact G0 |]. split; [apply steady_refl | easy].
          - inversion T as [| ? ? s1 ? ? here rest]; subst. destruct b as [[j k] x]. simpl in here.
            assert (In (j, k, x) gs) as inb by (apply sub; now left).
            pose proof (step_smaller commutes pats g ok _ _ _ _ _ _ _ _ _ _ _ at_p st inb) as ltk.
            assert (exists qk, nth_error pats k = Some qk) as [qk at_k] by (inversion here; subst; eauto).
            destruct (IH k ltk j s0 x s1 qk p at_k here ltk G0) as [Gs1 Dk].
            destruct (IHl s1) as (GM & SM & DM); [intros c inc; apply sub; now right | exact rest | exact Gs1 |].
            split; [exact GM |].
            split; [apply steady_trans with s1; [now apply (pm_steady commutes pats g ok k j s0 x) | exact SM] |].
            intros j' k' x' [E | inl]; [| now apply (DM j' k' x')].
            injection E as <- <- <-. now apply sees_steady with s1. }
        now apply (run gs M1). }
      assert (get M1 (p, inst_of i q) = Some e) as m1.
      { apply (step_persists commutes pats g ok _ _ _ _ _ _ _ _ _ _ at_p st). apply get_put_same. }
      assert (get M' (p, inst_of i q) = Some e) as mine by now apply S'.
      split; [| intros r at_r; right; assert (r = q) as -> by congruence; now rewrite (at_own i p q F)].
      intros j r s x ltr at_r Fr Bn.
      destruct (Nat.lt_ge_cases r p) as [lt | ge_]; [now apply G' |].
      assert ((r, inst_of j s) = (p, inst_of i q) \/ (r, inst_of j s) <> (p, inst_of i q)) as [E | ne].
      { destruct (addr_eqb (r, inst_of j s) (p, inst_of i q)) eqn:E; [left; now apply addr_eqb_eq |].
        right. intros E'. apply addr_eqb_eq in E'. congruence. }
      + pose proof E as E2. injection E as -> Ei. assert (s = q) as -> by congruence.
        rewrite E2, mine in Bn. injection Bn as <-. apply fits_inst with i; [exact at_p | now symmetry |].
        exists m. split; [exact at_m |].
        apply (step_fits i p e Mp q m M1 gs M' at_m st S' at_p); [| exact D'].
        intros T. unfold inst_of in m1. rewrite T in m1. congruence.
      + rewrite frame in Bn by assumption.
        apply fits_steady with M; try assumption; [congruence | now apply Sn].
  Qed.

  (** ** Only what is reached is bound *)

  Section Only.
    Variable R : nat -> Prop.
    Hypothesis closed : forall p q, R p -> nth_error pats p = Some q ->
      (forall k, In k (children (form q)) -> R k) /\ (forall f, first q = Some f -> R f).

    Definition only (M : mstate) : Prop := forall a e, get M a = Some e -> R (fst a).

    Lemma step_only i p e M q n M1 gs :
      nth_error pats p = Some q -> R p -> step i p e M q n M1 gs -> only M -> only M1.
    Proof.
      intros at_p Rp st F a x G. 
      assert (forall kids es N N', goals pats i N kids es = Some (N', gs) -> get N' a = get N a) as same.
      { intros kids es N N' E. apply get_bound. now apply goals_bound in E. }
      destruct st as [Fm P | Fm L' W | c k w Fm W | Fm P | o kids name M1 es es' M2 gs Fm W A C ord Go |
        kids M2 gs Fm W Go | field least len index M2 gs Fm W Go | kid c k y Fm W L' | kid d Fm P | kid d Fm P |
        kids k kid Fm at_k]; try (now apply (F a x)); try (rewrite (same _ _ _ _ Go) in G; try (now apply (F a x))).
      unfold op_allows in A. destruct o as [s | k].
      - destruct (String.eqb s name); [| discriminate]. injection A as <-. now apply (F a x).
      - destruct (get M (k, None)).
        + destruct (name_of g _); [| discriminate]. destruct (String.eqb _ _); [| discriminate].
          injection A as <-. now apply (F a x).
        + destruct (nth_error pats k) as [r |]; [| discriminate]. destruct (form r); try discriminate.
          destruct (existsb _ _); [| discriminate]. injection A as <-. rewrite get_put in G.
          destruct (addr_eqb (k, None) a) eqn:Ea; [| now apply (F a x)]. apply addr_eqb_eq in Ea. subst a.
          apply (proj1 (closed p q Rp at_p)). rewrite Fm. now left.
    Qed.

    Theorem pm_only p : forall i M e M', pm i M p e M' -> R p -> only M -> only M'.
    Proof.
      induction p as [p IH] using (well_founded_induction lt_wf). intros i M e M' H Rp F.
      inversion H as [? ? ? ? q' m at_q at_m B | ? ? ? ? q' m at_q at_m B I |
        ? ? ? ? q' m f ? at_q at_m B I Fi pf | ? ? ? ? q' m M1 gs ? at_q at_m B I Fi J st th]; subst; try exact F.
      - assert (first q' = Some f) as Ff.
        { unfold first_of in Fi. destruct i as [[|] |]; try discriminate. now destruct (template q'). }
        apply (IH f) with None M e; try assumption; [now apply (proj2 (ok p q' at_q)) |].
        now apply (proj2 (closed p q' Rp at_q)).
      - rewrite (at_own i p q' Fi) in st.
        assert (only M1) as F1.
        { apply (step_only i p e _ q' m M1 gs at_q Rp st). intros a x G. rewrite get_put in G.
          destruct (addr_eqb (p, inst_of i q') a) eqn:Ea; [| now apply (F a x)].
          apply addr_eqb_eq in Ea. now subst a. }
        refine (thread_keeps _ only gs _ M1 M' th F1). intros s [[j k] x] t inx pk Fs. simpl in pk.
        apply (IH k) with j s x; try assumption; [now apply (step_smaller commutes pats g ok _ _ _ _ _ _ _ _ _ _ _ at_q st inx) |].
        destruct (step_from commutes pats g ok i p e _ q' m M1 gs at_q st) as [g1 _].
        destruct (g1 j k x inx) as [[_ ink] | (c & v & l & _ & _ & V & inv & _)].
        + apply (proj1 (closed p q' Rp at_q)). now destruct (form q').
        + assert (R v) as Rv by (destruct inv as [-> | inv]; [exact Rp | now apply (proj1 (closed p q' Rp at_q))]).
          destruct (variadic_child pats v k V) as (qv & at_v & inf). now apply (proj1 (closed v qv Rv at_v)).
    Qed.

    Lemma only_empty : only empty.
    Proof. intros a e H. discriminate. Qed.

    Lemma thread_only (l : list (option nat * nat * nat)) : forall M M',
      thread (fun M x M' => pm (fst (fst x)) M (snd (fst x)) (snd x) M') M l M' ->
      (forall x, In x l -> R (snd (fst x))) -> only M -> only M'.
    Proof.
      intros M M' H all. refine (thread_keeps _ only l _ M M' H). intros s [[i p] e] t inx here F.
      apply (pm_only p i s e t here); [exact (all _ inx) | exact F].
    Qed.
  End Only.

  (** ** Of a whole source *)

  Lemma all_fit_empty n : all_fit n empty.
  Proof. intros i p q e _ _ _ H. discriminate. Qed.

  Theorem one_fits p e M : pm None empty p e M -> all_fit (List.length pats) M /\ sees M None p e.
  Proof.
    intros H. assert (exists q, nth_error pats p = Some q) as [q at_p] by (inversion H; subst; eauto).
    apply (pm_fits p None empty e M q); [exact at_p | exact H | | apply all_fit_empty].
    apply nth_error_Some. congruence.
  Qed.

  Lemma thread_fits n (l : list (option nat * nat * nat)) : forall M M',
    thread (fun M x M' => pm (fst (fst x)) M (snd (fst x)) (snd x) M') M l M' ->
    (forall x, In x l -> snd (fst x) < n) -> all_fit n M ->
    all_fit n M' /\ steady pats M M' /\ forall i p e, In (i, p, e) l -> sees M' i p e.
  Proof.
    induction l as [| [[i p] e] l IH]; intros M M' H lt F.
    - inversion H; subst. split; [exact F |]. split; [apply steady_refl | easy].
    - inversion H as [| ? ? M1 ? ? here rest]; subst. simpl in here.
      assert (exists q, nth_error pats p = Some q) as [q at_p] by (inversion here; subst; eauto).
      destruct (pm_fits p i M e M1 q n at_p here) as [F1 D]; [now apply (lt (i, p, e)); left | exact F |].
      destruct (IH M1 M' rest) as (F' & S & D'); [intros x inx; apply lt; now right | exact F1 |].
      split; [exact F' |]. split; [apply steady_trans with M1; [now apply (pm_steady commutes pats g ok p i M e) | exact S] |].
      intros j k x [E | inl]; [| now apply D']. injection E as <- <- <-. now apply sees_steady with M1.
  Qed.

  Lemma thread_map {A B S} (R : S -> B -> S -> Prop) (f : A -> B) l : forall s t,
    thread (fun s a t => R s (f a) t) s l t -> thread R s (map f l) t.
  Proof.
    induction l as [| a l IH]; intros s t H; inversion H as [| ? ? s1 ? ? here rest]; subst; simpl;
      [constructor | apply T_Cons with s1; auto].
  Qed.

  Theorem several_only (R : nat -> Prop) M0 ps es M :
    (forall p q, R p -> nth_error pats p = Some q ->
      (forall k, In k (children (form q)) -> R k) /\ (forall f, first q = Some f -> R f)) ->
    outputs_match commutes {| patterns := pats; source := []; target := []; conditions := [] |} g M0 ps es M ->
    (forall p, In p ps -> R p) -> only R M0 -> only R M.
  Proof.
    intros closed [len th] all F.
    apply (thread_map (fun M x M' => pm (fst (fst x)) M (snd (fst x)) (snd x) M') (fun x => (None, fst x, snd x))) in th.
    apply (thread_only R closed _ _ _ th); [| exact F]. intros x inx. apply in_map_iff in inx.
    destruct inx as ([p e] & <- & inc). simpl. apply all. now apply in_combine_l in inc.
  Qed.

  Theorem branches_only (R : nat -> Prop) field outs M :
    (forall p q, R p -> nth_error pats p = Some q ->
      (forall k, In k (children (form q)) -> R k) /\ (forall f, first q = Some f -> R f)) ->
    branches commutes {| patterns := pats; source := []; target := []; conditions := [] |} g field outs M ->
    R field -> only R M.
  Proof.
    intros closed th Rf. unfold branches in th.
    apply (thread_map (fun M x M' => pm (fst (fst x)) M (snd (fst x)) (snd x) M')
             (fun x => (Some (fst x), field, snd x))) in th.
    apply (thread_only R closed _ _ _ th); [| apply only_empty]. intros x inx. apply in_map_iff in inx.
    destruct inx as (y & <- & _). exact Rf.
  Qed.

  Theorem several_fit M0 ps es M :
    outputs_match commutes {| patterns := pats; source := []; target := []; conditions := [] |} g M0 ps es M ->
    all_fit (List.length pats) M0 -> all_fit (List.length pats) M /\ Forall2 (sees M None) ps es.
  Proof.
    intros [len th] F0.
    apply (thread_map (fun M x M' => pm (fst (fst x)) M (snd (fst x)) (snd x) M') (fun x => (None, fst x, snd x))) in th.
    assert (forall s l t, thread (fun M x M' => pm (fst (fst x)) M (snd (fst x)) (snd x) M') s l t ->
              forall x, In x l -> snd (fst x) < List.length pats) as lt.
    { intros s l t H. induction H as [| s a s1 l t here _ IH]; [easy |]. intros x [<- | inx]; [| now apply IH].
      apply nth_error_Some. inversion here; subst; congruence. }
    destruct (thread_fits (List.length pats) _ M0 M th (lt _ _ _ th) F0) as (F & _ & D). split; [exact F |].
    revert len D. clear. revert es. induction ps as [| p ps IH]; intros [| e es] len D; try discriminate; constructor.
    - apply D. now left.
    - apply IH; [now injection len |]. intros i q x inx. apply D. now right.
  Qed.

  (** The branches of a variadic output; its own length is known last. *)
  Theorem branches_fit field outs M p :
    branches commutes {| patterns := pats; source := []; target := []; conditions := [] |} g field outs M ->
    (exists q, nth_error pats p = Some q /\ In field (children (form q))) ->
    all_fit (S field) (put_len M p (List.length outs)) /\
    forall k e, nth_error outs k = Some e -> sees (put_len M p (List.length outs)) (Some k) field e.
  Proof.
    unfold branches. intros th (q & at_p & inf).
    apply (thread_map (fun M x M' => pm (fst (fst x)) M (snd (fst x)) (snd x) M')
             (fun x => (Some (fst x), field, snd x))) in th.
    destruct (thread_fits (S field) _ empty M th) as (F & _ & D); [| apply all_fit_empty |].
    { intros x inx. apply in_map_iff in inx. destruct inx as (y & <- & _). simpl. lia. }
    assert (forall i k x, sees M i k x -> sees (put_len M p (List.length outs)) i k x) as up by (intros i k x H; exact H).
    assert (field < p) as lt by now apply (proj1 (ok p q at_p)).
    split.
    - intros i r s e ltr at_r Fr B. destruct (F i r s e ltr at_r Fr B) as (n & at_e & H).
      exists n. split; [exact at_e |].
      assert (forall j kids es, (forall k, In k kids -> k < p) -> kids_at M j kids es ->
                kids_at (put_len M p (List.length outs)) j kids es) as kids_.
      { intros j kids es below. unfold kids_at. destruct kids as [| v [| w kids]]; try (intros K; exact K).
        destruct (variadic pats v); [| intros K; exact K]. intros [L all]. split; [| exact all].
        cbn [put_len lens]. rewrite look_up_cons. destruct (Nat.eqb_spec p v) as [-> |]; [| exact L].
        specialize (below v (or_introl eq_refl)). lia. }
      pose proof (proj1 (ok r s at_r)) as less. unfold fits_node in *.
      destruct (form s) as [| | | o kids | kids | kid a | kid d | | kids | | f' least len index | | |]; try exact H;
        cbn [children] in less.
      + destruct H as (name & es & es' & W & O & C & ord & K). exists name, es, es'.
        repeat split; try assumption. apply kids_; [| exact K]. intros k ink. assert (k < r); [| lia].
        apply less. destruct o; [exact ink | now right].
      + destruct H as [W K]. split; [exact W |]. apply kids_; [| exact K]. intros k ink. specialize (less k ink). lia.
      + destruct H as [W K]. split; [exact W |]. apply kids_; [| exact K]. intros k [<- | []]. lia.
    - intros k e at_k. apply up, D. apply in_map_iff. exists (k, e). split; [reflexivity |].
      apply in_combine_seq. rewrite Nat.sub_0_r. split; [lia | exact at_k].
  Qed.
End Facts.
