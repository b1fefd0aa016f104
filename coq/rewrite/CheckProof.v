(** * A rule that is accepted never comes to an undefined reference *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require Import pattern.Forward pattern.ForwardProof rewrite.Rewrite rewrite.Check rewrite.Settled.
Import ListNotations.
Open Scope nat_scope.

Section Static.
  Variable pats : list pattern.
  Hypothesis ok : ordered pats.
  Variable M : mstate.
  Hypothesis complete : forall n, settled pats n M.
  (** No variadic pattern stands for nothing at all. *)
  Definition filled : Prop := forall v n, look_up Nat.eqb (lens M) v = Some n -> 1 <= n.
  Hypothesis full : filled.

  Notation done := (done pats).
  Notation raw := (raw pats).
  Notation met := (met pats).
  Notation top := (S (List.length pats)).

  Lemma done_entry i p q :
    nth_error pats p = Some q -> is_inst q = false -> first_of i q = None -> done M i p ->
    get M (p, inst_of i q) <> None /\ entry pats M i p q.
  Proof.
    intros at_p I F D. destruct (D q at_p) as [I' | B]; [congruence |].
    rewrite (at_own i p q F) in B. split; [exact B |].
    exact (complete (S p) i p q (Nat.lt_succ_diag_r p) at_p F B).
  Qed.

  Lemma done_first i p q f :
    nth_error pats p = Some q -> is_inst q = false -> first_of i q = Some f -> done M i p -> done M None f.
  Proof.
    intros at_p I F D qf at_f. right. destruct (D q at_p) as [I' | B]; [congruence |].
    unfold at_ in B. rewrite F in B. unfold at_. simpl. now destruct (template qf).
  Qed.

  Lemma is_in_iff a l : is_in a l = true <-> In a l.
  Proof.
    unfold is_in. rewrite existsb_exists. split.
    - intros (b & inb & E). apply addr_eqb_eq in E. now subst.
    - intros ina. exists a. split; [exact ina | now apply addr_eqb_eq].
  Qed.

  Lemma common_in a ls l : In a (common ls) -> In l ls -> In a l.
  Proof.
    destruct ls as [| l0 ls]; [easy |]. unfold common. rewrite filter_In, forallb_forall.
    intros [ina all] [<- | inl]; [exact ina |]. now apply is_in_iff, all.
  Qed.

  Lemma in_common a ls : ls <> [] -> (forall l, In l ls -> In a l) -> In a (common ls).
  Proof.
    destruct ls as [| l0 ls]; [easy |]. intros _ all. unfold common. apply filter_In.
    split; [apply all; now left |]. apply forallb_forall. intros l inl. apply is_in_iff, all. now right.
  Qed.

  Theorem raw_sound fuel : forall i p a, done M i p -> In a (raw fuel i p) -> get M a <> None.
  Proof.
    induction fuel as [| fuel IH]; intros i p a D; [easy |]. cbn [Check.raw].
    destruct (nth_error pats p) as [q |] eqn:at_p; [| easy].
    destruct (is_inst q) eqn:I; [easy |].
    destruct (first_of i q) as [f |] eqn:F.
    - apply IH. now apply done_first with i p q.
    - destruct (done_entry i p q at_p I F D) as [B (a1 & a2 & a3 & a4)].
      intros [<- | ina]; [exact B |]. apply in_app_or in ina. destruct ina as [ina | ina].
      { destruct (form q) as [| | | o kids | | | | | kids | | | | |] eqn:Fq; try easy.
        - destruct o as [| k]; [easy |]. destruct ina as [<- | []]. now apply (a2 k kids).
        - destruct (template q) eqn:T; [easy |].
          destruct (a4 kids eq_refl eq_refl) as (k & kid & _ & at_k & Dk).
          apply (IH i kid); [exact Dk |]. apply (common_in a _ _ ina), in_map. now apply nth_error_In with k. }
      apply in_app_or in ina. destruct ina as [ina | ina].
      + apply in_flat_map in ina. destruct ina as (k & ink & ina). apply (IH i k); [now apply a1 | exact ina].
      + destruct (snd (parts_of pats p q)) as [[v f] |] eqn:P; [| easy].
        destruct (a3 v f eq_refl) as (_ & m & L & all). pose proof (full v m L).
        apply (IH (Some 0) f); [apply all; lia | exact ina].
  Qed.

  (** The instances of a variadic pattern whose length is defined. *)
  Definition counted (v : nat) : Prop :=
    exists f n, variadic pats v = Some f /\ look_up Nat.eqb (lens M) v = Some n /\ 1 <= n /\
      forall c, c < n -> done M (Some c) f.

  Theorem met_sound fuel : forall i p v, done M i p -> In v (met fuel i p) -> counted v.
  Proof.
    induction fuel as [| fuel IH]; intros i p v D; [easy |]. cbn [Check.met].
    destruct (nth_error pats p) as [q |] eqn:at_p; [| easy].
    destruct (is_inst q) eqn:I; [easy |].
    destruct (first_of i q) as [f |] eqn:F.
    - apply IH. now apply done_first with i p q.
    - destruct (done_entry i p q at_p I F D) as [_ (a1 & _ & a3 & _)].
      intros inv. apply in_app_or in inv. destruct inv as [inv | inv].
      + apply in_flat_map in inv. destruct inv as (k & ink & inv). apply (IH i k); [now apply a1 | exact inv].
      + destruct (snd (parts_of pats p q)) as [[w f] |] eqn:P; [| easy].
        destruct (a3 w f eq_refl) as (V & m & L & all). pose proof (full w m L) as pos.
        destruct inv as [<- | inv].
        * exists f, m. now repeat split.
        * apply (IH (Some 0) f); [apply all; lia | exact inv].
  Qed.

  Lemma raw_inst fuel : forall i p t k, In (t, Some k) (raw fuel i p) -> i = Some k \/ k = 0.
  Proof.
    induction fuel as [| fuel IH]; intros i p t k; [easy |]. cbn [Check.raw].
    destruct (nth_error pats p) as [q |]; [| easy]. destruct (is_inst q); [easy |].
    destruct (first_of i q) as [f |].
    - intros H. apply IH in H. destruct H as [H | H]; [discriminate | now right].
    - intros [E | H].
      + injection E as _ E. unfold inst_of in E. destruct (template q); [now left | discriminate].
      + apply in_app_or in H. destruct H as [H | H].
        { destruct (form q) as [| | | o kids | | | | | kids | | | | |]; try easy.
          - destruct o as [| k']; [easy |]. destruct H as [H | []]. discriminate.
          - destruct (template q); [easy |]. destruct kids as [| kid kids]; [easy |].
            apply (IH i kid t). apply (common_in _ _ _ H). now left. }
        apply in_app_or in H. destruct H as [H | H].
        * apply in_flat_map in H. destruct H as (k' & _ & H). now apply (IH i k' t).
        * destruct (snd (parts_of pats p q)) as [[v f] |]; [| easy].
          apply IH in H. destruct H as [H | H]; [injection H as <-; now right | now right].
  Qed.

  (** The addresses of a later instance are those of instance 1. *)
  Lemma raw_shift fuel c : forall p t,
    In (t, Some 1) (raw fuel (Some 1) p) -> In (t, Some (S c)) (raw fuel (Some (S c)) p).
  Proof.
    induction fuel as [| fuel IH]; intros p t; [easy |]. cbn [Check.raw].
    destruct (nth_error pats p) as [q |]; [| easy]. destruct (is_inst q); [easy |]. cbn [first_of].
    intros [E | H].
    - left. injection E as -> E. unfold inst_of in *. destruct (template q); [reflexivity | discriminate].
    - right. apply in_or_app. apply in_app_or in H. destruct H as [H | H].
      { left. destruct (form q) as [| | | o kids | | | | | kids | | | | |]; try easy.
        - destruct o as [| k']; [easy |]. destruct H as [H | []]. discriminate.
        - destruct (template q); [easy |]. destruct kids as [| kid kids]; [easy |].
          apply in_common; [easy |]. intros l inl. apply in_map_iff in inl. destruct inl as (k & <- & ink).
          apply IH. apply (common_in _ _ _ H). now apply in_map. }
      right. apply in_or_app. apply in_app_or in H. destruct H as [H | H].
      + left. apply in_flat_map in H. destruct H as (k' & ink & H). apply in_flat_map.
        exists k'. split; [exact ink | now apply IH].
      + exfalso. destruct (snd (parts_of pats p q)) as [[v f] |]; [| easy].
        apply raw_inst in H. destruct H as [H | H]; discriminate.
  Qed.

  Lemma each_sound v t f c :
    each pats v t = true -> variadic pats v = Some f -> done M (Some c) f ->
    get M (instance pats t c) <> None.
  Proof.
    unfold each. intros E V D. rewrite V in E. unfold instance.
    destruct (nth_error pats t) as [q |]; [| discriminate].
    rewrite !andb_true_iff, !is_in_iff in E. destruct E as [[T zero] one].
    destruct c as [| c].
    - now apply (raw_sound top (Some 0) f).
    - assert (at_ (Some (S c)) t q = (t, Some (S c))) as -> by (unfold at_; simpl; now rewrite T).
      apply (raw_sound top (Some (S c)) f); [exact D | now apply raw_shift].
  Qed.

  Lemma each_defined v t :
    each pats v t = true -> counted v -> instances_defined pats M t = true.
  Proof.
    intros E (f & n & V & L & pos & all). unfold instances_defined. apply existsb_exists.
    unfold look_up in L. destruct (find _ (lens M)) as [b |] eqn:Fd; [| discriminate].
    pose proof (find_some _ _ Fd) as [inb Eb]. apply Nat.eqb_eq in Eb. exists b. split; [exact inb |].
    unfold look_up. rewrite Eb, Fd. injection L as L. cbn [option_map]. rewrite L.
    apply andb_true_iff. split; [apply Nat.ltb_lt; lia |]. apply forallb_forall. intros k ink.
    apply in_seq in ink. unfold at_bound.
    pose proof (each_sound v t f k E V (all k ltac:(lia))) as B.
    now destruct (get M (instance pats t k)).
  Qed.

  (** *** References *)

  Definition knows (A : list addr) : Prop := forall a, In a A -> get M a <> None.

  (** [i] is an instance of the branches of [v]. *)
  Definition in_context (ctx i : option nat) : Prop :=
    forall v, ctx = Some v -> exists k f, i = Some k /\ variadic pats v = Some f /\ done M (Some k) f.

  Lemma alt_taken A p q kids :
    knows A -> nth_error pats p = Some q -> form q = PAlt kids -> template q = false -> In (p, None) A ->
    exists k kid, look_up Nat.eqb (alts M) p = Some k /\ nth_error kids k = Some kid /\
      knows (raw top None kid ++ A).
  Proof.
    intros K at_p F T ina.
    assert (first_of None q = None) as Fn by reflexivity.
    assert (get M (p, inst_of None q) <> None) as B by (rewrite inst_none; now apply K).
    destruct (complete (S p) None p q (Nat.lt_succ_diag_r p) at_p Fn B) as (_ & _ & _ & d).
    destruct (d kids F T) as (k & kid & L & at_k & D). exists k, kid.
    split; [exact L |]. split; [exact at_k |]. intros a inb. apply in_app_or in inb.
    destruct inb as [inb | inb]; [now apply (raw_sound top None kid) | now apply K].
  Qed.

  Theorem refers_sound V a : forall A ctx i free syms,
    knows A -> (forall v, In v V -> counted v) -> in_context ctx i -> (free = true -> i <> None) ->
    refers pats A V ctx free syms a = true -> defined pats M i syms a = true.
  Proof.
    induction a as [w | | p l | o a IHa | o a b IHa IHb | l IH | a b IHa IHb
        | s | p a l IHa | s n a IHn IHa | s t a IHt IHa | o t IHt | c a b IHc IHa IHb
        | p l IH | f l IH] using attr_nested_ind;
      intros A ctx i free syms K Vs C Fr; cbn [refers defined]; try (intros _; reflexivity).
    - unfold access_defined. destruct (nth_error pats (N.to_nat p)) as [q |] eqn:at_p; [| easy].
      rewrite !orb_true_iff, andb_true_iff. intros [[[T ina] | E] | H].
      + left. apply negb_true_iff in T. apply is_in_iff, K in ina.
        assert (at_ i (N.to_nat p) q = (N.to_nat p, None)) as ->
          by (unfold at_, first_of; rewrite T; now destruct i as [[|] |]).
        unfold at_bound. now destruct (get M _).
      + left. destruct ctx as [v |]; [| discriminate].
        destruct (C v eq_refl) as (k & f & -> & V' & D).
        pose proof (each_sound v (N.to_nat p) f k E V' D) as B. unfold instance in B. rewrite at_p in B.
        unfold at_bound. now destruct (get M _).
      + right. destruct (form q); try discriminate. apply andb_true_iff in H. destruct H as [-> H].
        apply mem_iff in H. destruct (Vs _ H) as (f & n & _ & -> & _). reflexivity.
    - now apply IHa.
    - rewrite !andb_true_iff. intros [Ha Hb]. split; [now apply (IHa A ctx i free) | now apply (IHb A ctx i free)].
    - rewrite !forallb_forall. rewrite Forall_forall in IH. intros H b inb.
      now apply (IH b inb A ctx i free), H.
    - rewrite !andb_true_iff. intros [Ha Hb]. split; [now apply (IHa A ctx i free) | now apply (IHb A ctx i free)].
    - rewrite !orb_true_iff. intros [H | H]; [left | now right]. specialize (Fr H). now destruct i.
    - rewrite !andb_true_iff. intros [Ha H]. split; [now apply (IHa A ctx i free) |].
      apply existsb_exists in H. destruct H as (v & inv & E). apply (each_defined v); [exact E | now apply Vs].
    - rewrite !andb_true_iff. intros [Hn Ha].
      split; [now apply (IHn A ctx i free) | now apply (IHa A ctx i free)].
    - rewrite !andb_true_iff. intros [Ht Ha].
      split; [now apply (IHt A ctx i free) | now apply (IHa A ctx i free)].
    - now apply IHt.
    - rewrite !andb_true_iff. intros [[Hc Ha] Hb].
      split; [split; [now apply (IHc A ctx i free) | now apply (IHa A ctx i free)] | now apply (IHb A ctx i free)].
    - destruct (nth_error pats (N.to_nat p)) as [q |] eqn:at_p; [| easy].
      destruct (form q) as [| | | | | | | | kids | | | | |] eqn:F; try easy.
      rewrite !andb_true_iff. intros [[T ina] go]. apply negb_true_iff in T. apply is_in_iff in ina.
      destruct (alt_taken A (N.to_nat p) q kids K at_p F T ina) as (k & kid & -> & at_k & K').
      rewrite nth_error_map. clear - IH go at_k K' Vs C Fr.
      revert kids k go at_k. induction IH as [| b l here _ IHl]; intros [| w kids] [| k] go at_k;
        simpl in at_k; try discriminate; apply andb_true_iff in go; destruct go as [g1 g2].
      + injection at_k as ->. simpl. now apply (here (raw top None kid ++ A) ctx i free).
      + simpl. now apply (IHl kids k).
    - rewrite !forallb_forall. rewrite Forall_forall in IH. intros H b inb.
      now apply (IH b inb A ctx i free), H.
  Qed.

  (** *** Building *)

  Variable g : tgraph.
  Variable rs : list bgoal.             (** the roots *)

  (** What the builder comes to. *)
  Inductive visited : option nat -> nat -> Prop :=
    | V_Root : forall i p, In (i, p) rs -> visited i p
    | V_Part : forall i p q gs f j k,
        visited i p -> nth_error pats p = Some q -> looked_up pats g M i p q = None ->
        plan pats g M i q = Some (gs, f) -> In (j, k) gs -> visited j k.

  Definition given_defined (i : option nat) (q : pattern) : Prop :=
    forall l c, In (l, c) (wants q) -> defined pats M i [] c = true.

  Definition length_defined (i : option nat) (kids : list nat) : Prop :=
    forall v q f least n ix, kids = [v] -> nth_error pats v = Some q -> form q = PVariadic f least n ix ->
      exists a, n = Some a /\ defined pats M i [] a = true.

  (** A pattern that is not looked up can be built, and refers to nothing that is not
      defined. *)
  Definition buildable (i : option nat) (q : pattern) : Prop :=
    match form q with
    | PConst (Some a) => defined pats M i [] a = true /\ given_defined i q
    | PCall o kids =>
        given_defined i q /\ length_defined i kids /\
        match o with OPat k => get M (k, None) <> None | OName _ => True end
    | PTuple kids => length_defined i kids
    | PProj _ (Some a) => defined pats M i [] a = true
    | PCond c _ _ => defined pats M i [] c = true
    | PMatch alt kids =>
        exists k kid, look_up Nat.eqb (alts M) alt = Some k /\ nth_error kids k = Some kid
    | POptional _ (Some a) => defined pats M i [] a = true
    | PInst t a => defined pats M i [] a = true /\ instances_defined pats M t = true
    | _ => False
    end.

  Variable V : list nat.
  Hypothesis lengths : forall v, In v V -> counted v.

  Notation builds := (builds pats).

  Lemma ok_defined A ctx inside i a :
    knows A -> in_context ctx i -> (inside = true -> i <> None) ->
    refers pats A V ctx inside [] a = true -> defined pats M i [] a = true.
  Proof. intros K C I H. now apply (refers_sound V a A ctx i inside). Qed.

  (** The instances that a target builds are those of the source, if it asks for as
      many. *)
  Lemma length_context i a z m c :
    value_at pats g M i a = Some (VInt z) -> count z = Some m -> c < m ->
    in_context (length_of pats V a) (Some c).
  Proof.
    intros E N lt v Ev. unfold length_of in Ev. destruct a as [| | p l | | | | | | | | | | | |]; try discriminate.
    destruct (String.eqb_spec l "length") as [-> |]; [| discriminate]. cbn [andb] in Ev.
    destruct (mem (N.to_nat p) V && plain pats (N.to_nat p)) eqn:B; [| discriminate].
    injection Ev as <-. apply andb_true_iff in B. destruct B as [inV P]. apply mem_iff in inV.
    destruct (lengths _ inV) as (f & n & Vf & L & _ & all). exists c, f.
    split; [reflexivity |]. split; [exact Vf |]. apply all.
    unfold value_at in E. cbn [eval env_at access] in E. unfold plain in P. unfold variadic in Vf.
    destruct (nth_error pats (N.to_nat p)) as [q |] eqn:at_p; [| discriminate].
    apply negb_true_iff in P.
    assert (at_ i (N.to_nat p) q = (N.to_nat p, None)) as A
      by (unfold at_, first_of; rewrite P; now destruct i as [[|] |]).
    rewrite A in E. unfold label_at in E. cbn [fst] in E. rewrite at_p in E.
    destruct (form q); try discriminate. cbn [String.eqb Ascii.eqb Bool.eqb] in E. rewrite L in E.
    cbn [option_map] in E. injection E as <-. apply count_iff in N. lia.
  Qed.

  (** What the check says of [k] in instance [j]. *)
  Definition fine (j : option nat) (k : nat) : Prop :=
    exists n A ctx inside, knows A /\ in_context ctx j /\ (inside = true -> j <> None) /\
      builds n A V ctx inside k = true.

  Lemma parts_fine n A ctx inside i kids :
    knows A -> in_context ctx i -> (inside = true -> i <> None) ->
    match kids with
    | [v] =>
        match nth_error pats v with
        | Some r =>
            match form r with
            | PVariadic f _ (Some a) _ => refers pats A V ctx inside [] a && builds n A V (length_of pats V a) true f
            | PVariadic _ _ None _ => false
            | _ => builds n A V ctx inside v
            end
        | None => false
        end
    | _ => forallb (builds n A V ctx inside) kids
    end = true ->
    length_defined i kids /\
    forall gs, parts pats g M i kids = Some gs -> forall j k, In (j, k) gs -> fine j k.
  Proof.
    intros K C I H.
    assert (forall gs, Some (map (pair i) kids) = Some gs -> forallb (builds n A V ctx inside) kids = true ->
              forall j k, In (j, k) gs -> fine j k) as plain.
    { intros gs E all j k inj. injection E as <-. apply in_map_iff in inj.
      destruct inj as (k' & E & ink). injection E as <- <-. rewrite forallb_forall in all.
      exists n, A, ctx, inside. split; [exact K |]. split; [exact C |]. split; [exact I | now apply all]. }
    destruct kids as [| v [| w kids]].
    - split; [intros v q f l m ix E; discriminate |]. intros gs E. now apply plain.
    - destruct (nth_error pats v) as [r |] eqn:at_v; [| discriminate]. unfold parts. rewrite at_v.
      assert (builds n A V ctx inside v = true ->
        forall gs, Some [(i, v)] = Some gs -> forall j k, In (j, k) gs -> fine j k) as single.
      { intros Hv gs E j k inj. injection E as <-. destruct inj as [E | []]. injection E as <- <-.
        now exists n, A, ctx, inside. }
      destruct (form r) as [| | | | | | | | | | f least len ix | | |] eqn:F;
        try (split; [| now apply single];
             intros v' q f' l m ix' E at_v' F'; injection E as <-; congruence).
      destruct len as [a |]; [| discriminate]. apply andb_true_iff in H. destruct H as [Ha Hf].
      apply (ok_defined A ctx inside i a K C I) in Ha. split.
      + intros v' q f' l m ix' E at_v' F'. injection E as <-. assert (q = r) as -> by congruence.
        rewrite F in F'. injection F' as _ _ <- _. now exists a.
      + intros gs E j k inj. destruct (value_at pats g M i a) as [[| | z | | |] |] eqn:Ev; try discriminate.
        destruct (count z) as [m |] eqn:N; [| discriminate]. injection E as <-. apply in_map_iff in inj.
        destruct inj as (c & E & inc). injection E as <- <-. exists n, A, (length_of pats V a), true.
        apply in_seq in inc. split; [exact K |].
        split; [apply (length_context i a z m c Ev N); lia |]. now split.
    - split; [intros v' q f l m ix E; discriminate |]. intros gs E. now apply plain.
  Qed.

  Lemma builds_step i p q :
    fine i p -> nth_error pats p = Some q -> looked_up pats g M i p q = None ->
    buildable i q /\
    forall gs f, plan pats g M i q = Some (gs, f) -> forall j k, In (j, k) gs -> fine j k.
  Proof.
    intros (n & A & ctx & inside & K & C & I & H) at_p L. destruct n as [| n]; [discriminate |].
    cbn [Check.builds] in H. rewrite at_p in H.
    assert (forall a, refers pats A V ctx inside [] a = true -> defined pats M i [] a = true) as defs
      by exact (fun a => ok_defined A ctx inside i a K C I).
    assert (forallb (fun c => refers pats A V ctx inside [] (snd c)) (wants q) = true ->
              given_defined i q) as wanted.
    { intros all l c inc. rewrite forallb_forall in all. apply defs. exact (all _ inc). }
    assert (forall k, builds n A V ctx inside k = true -> fine i k) as kid_fine
      by (intros k Hk; now exists n, A, ctx, inside).
    destruct (negb (template q) && is_in (p, None) A || _) eqn:B.
    - assert (get M (at_ i p q) <> None) as Bn.
      { apply orb_true_iff in B. destruct B as [B | B].
        - apply andb_true_iff in B. destruct B as [T ina]. apply negb_true_iff in T.
          apply is_in_iff, K in ina.
          assert (at_ i p q = (p, None)) as ->; [| exact ina].
          unfold at_, first_of. rewrite T. now destruct i as [[|] |].
        - destruct ctx as [v |]; [| discriminate]. destruct (C v eq_refl) as (k & f & -> & Vf & D).
          pose proof (each_sound v p f k B Vf D) as Bn. unfold instance in Bn. now rewrite at_p in Bn. }
      unfold looked_up in L.
      destruct (get M (at_ i p q)) as [e |] eqn:G; [| easy].
      unfold buildable, plan.
      destruct (form q) as [| | | | | | kid d | | | | | | |]; try discriminate.
      destruct d as [a |]; [| discriminate]. split; [now apply defs |].
      intros gs f E. destruct (value_at pats g M i a); [| discriminate]. injection E as <- _. easy.
    - apply andb_true_iff in H. destruct H as [_ H]. unfold buildable, plan.
      destruct (form q) as [| | a | o kids | kids | kid a | kid a | | | | | t a | c kid kid' | alt kids] eqn:F;
        try discriminate.
      + destruct a as [a |]; [| discriminate]. apply andb_true_iff in H. destruct H as [Ha Hg].
        split; [split; [now apply defs | now apply wanted] |]. intros gs f E.
        destruct (value_at pats g M i a); [| discriminate].
        destruct (given pats g M i q); [| discriminate]. injection E as <- _. easy.
      + rewrite !andb_true_iff in H. destruct H as [[Hg Hp] Ho].
        apply (parts_fine n A ctx inside i kids K C I) in Hp. destruct Hp as [Hl Hk]. split.
        * split; [now apply wanted |]. split; [exact Hl |].
          destruct o as [| k]; [exact Logic.I |]. now apply is_in_iff, K in Ho.
        * intros gs f E. destruct (target_op g M o); [| discriminate].
          destruct (parts pats g M i kids) as [gs' |]; [| discriminate].
          destruct (given pats g M i q); [| discriminate]. injection E as <- _. now apply Hk.
      + apply (parts_fine n A ctx inside i kids K C I) in H. destruct H as [Hl Hk]. split; [exact Hl |].
        intros gs f E. destruct (parts pats g M i kids) as [gs' |]; [| discriminate].
        injection E as <- _. now apply Hk.
      + destruct a as [a |]; [| discriminate]. apply andb_true_iff in H. destruct H as [Ha Hk].
        split; [now apply defs |]. intros gs f E.
        destruct (value_at pats g M i a) as [[| | z | | |] |]; try discriminate. injection E as <- _.
        intros j k [E | []]. injection E as <- <-. now apply kid_fine.
      + exfalso. unfold looked_up in L. rewrite F in L. now destruct (get M (at_ i p q)).
      + apply andb_true_iff in H. destruct H as [Ha He]. split; [| discriminate].
        split; [now apply defs |]. apply existsb_exists in He. destruct He as (v & inv & E).
        apply (each_defined v); [exact E | now apply lengths].
      + rewrite !andb_true_iff in H. destruct H as [[Hc H1] H2]. split; [now apply defs |].
        intros gs f E. destruct (value_at pats g M i c) as [[| b | | | |] |]; try discriminate.
        injection E as <- _. intros j k [E | []]. injection E as <- <-. apply kid_fine. now destruct b.
      + destruct (nth_error pats alt) as [r |] eqn:at_a; [| discriminate].
        destruct (form r) as [| | | | | | | | ways | | | | |] eqn:Fr; try discriminate.
        rewrite !andb_true_iff in H. destruct H as [[T ina] go].
        apply negb_true_iff in T. apply is_in_iff in ina.
        destruct (alt_taken A alt r ways K at_a Fr T ina) as (k & w & L' & at_w & K').
        assert (exists kid, nth_error kids k = Some kid /\ builds n (raw top None w ++ A) V ctx inside kid = true)
          as (kid & at_k & Hk).
        { clear - go at_w. revert kids k go at_w.
          induction ways as [| x ways IH]; intros [| y kids] [| k] go at_w; simpl in *; try discriminate;
            apply andb_true_iff in go; destruct go as [g1 g2].
          - injection at_w as ->. now exists y.
          - now apply IH. }
        split; [now exists k, kid |]. intros gs f E. rewrite L', at_k in E. injection E as <- _.
        intros j k' [E | []]. injection E as <- <-. now exists n, (raw top None w ++ A), ctx, inside.
  Qed.

  (** Nothing that the builder comes to is undefined. *)
  Theorem builds_sound :
    (forall i p, In (i, p) rs -> fine i p) ->
    forall i p q, visited i p -> nth_error pats p = Some q -> looked_up pats g M i p q = None ->
    buildable i q.
  Proof.
    intros roots_fine i p q H at_p L.
    assert (fine i p) as Fi; [| now apply (builds_step i p q Fi at_p L)].
    clear q at_p L. induction H as [i p inr | i p q gs f j k _ IH at_p L P inj]; [now apply roots_fine |].
    destruct (builds_step i p q IH at_p L) as [_ all]. now apply (all gs f).
  Qed.
End Static.
