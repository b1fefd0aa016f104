(** * The search finds exactly the matches *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match.
Import ListNotations.
Open Scope nat_scope.

Lemma mem_iff e l : mem e l = true <-> In e l.
Proof.
  unfold mem. rewrite existsb_exists. split.
  - intros (k & ink & E). apply Nat.eqb_eq in E. now subst.
  - intros H. exists e. split; [exact H | apply Nat.eqb_refl].
Qed.

Lemma not_mem_iff e l : mem e l = false <-> ~ In e l.
Proof. rewrite <- mem_iff. now destruct (mem e l). Qed.

(** ** Reachability *)

Section Reach.
  Context {O : Type}.

  Lemma reach_from_mono (g : Graph.graph O) k acc e : In e acc -> In e (reach_from k g acc).
  Proof.
    revert k acc. induction g as [| n g IH]; intros k acc ine; simpl; [exact ine |].
    apply IH. destruct (existsb _ _); [now right | exact ine].
  Qed.

  (** In a well-formed graph one pass finds what depends on [o]. *)
  Theorem reach_iff (g : Graph.graph O) o e : wf g -> (In e (reach g o) <-> ancestor g o e).
  Proof.
    intros ok. unfold reach.
    assert (forall h k acc,
      (forall i n, nth_error h i = Some n -> nth_error g (k + i) = Some n) ->
      (forall i, List.length h <= i -> nth_error g (k + i) = None) ->
      (forall i, In i acc <-> ancestor g o i /\ (i < k \/ i = o)) ->
      forall i, In i (reach_from k h acc) <-> ancestor g o i) as main.
    { induction h as [| n h IH]; intros k acc here none inv i; simpl.
      - rewrite inv. split; [tauto |]. intros anc. split; [exact anc |].
        inversion anc as [| ? ? j n at_i]; subst; [now right |]. left.
        destruct (Nat.lt_ge_cases i k) as [| le]; [assumption |].
        replace i with (k + (i - k)) in at_i by lia. rewrite none in at_i by (simpl; lia).
        discriminate.
      - pose proof (here 0 n eq_refl) as at_k. rewrite Nat.add_0_r in at_k.
        apply IH.
        + intros j m at_j. rewrite <- (here (S j) m at_j). f_equal. lia.
        + intros j le. rewrite <- (none (S j)) by (simpl; lia). f_equal. lia.
        + intros j.
          assert (existsb (fun c => mem c acc) (args n) = true <->
                  exists c, In c (args n) /\ ancestor g o c) as used.
          { rewrite existsb_exists. split; intros (c & inc & H); exists c; split; try exact inc.
            - apply mem_iff in H. now apply inv in H.
            - apply mem_iff. apply inv. split; [exact H |]. left.
              now apply (ok k n at_k c inc). }
          destruct (existsb _ (args n)).
          * simpl. rewrite inv. destruct (proj1 used eq_refl) as (c & inc & anc). split.
            -- intros [<- | [H [lt | ->]]]; (split; [| lia]); try exact H.
               now apply A_Step with c n.
            -- intros [H [lt | ->]]; [| tauto].
               destruct (Nat.eq_dec j k) as [-> |]; [now left | right; split; [exact H | lia]].
          * rewrite inv. split; [intros [H [lt | ->]]; split; try exact H; lia |].
            intros [H [lt | ->]]; [| tauto]. split; [exact H |].
            destruct (Nat.eq_dec j k) as [-> | ne]; [| lia]. right.
            inversion H as [| ? ? c m at_c inc anc]; subst; [reflexivity |].
            assert (m = n) as -> by congruence.
            enough (false = true) by discriminate. apply used. eauto. }
    apply main.
    - intros i n at_i. exact at_i.
    - intros i le. now apply nth_error_None.
    - intros i. split.
      + intros [<- | []]. split; [constructor | now right].
      + intros [H [lt | ->]]; [lia | now left].
  Qed.
End Reach.

(** ** The conditions *)

Section Conditions.
  Variables (r : rule) (g : tgraph) (outputs : list nat).
  Hypothesis ok : wf g.

  Lemma inner_iff M e : inner r M e = true <-> inside r M e.
  Proof.
    unfold inner, inside. rewrite existsb_exists. split.
    - intros ([a e'] & ina & H). apply andb_true_iff in H. destruct H as [E H].
      apply Nat.eqb_eq in E. simpl in E. subst e'. unfold inner_entry in H. simpl in H.
      destruct (nth_error (patterns r) (fst a)) as [q |] eqn:at_p; [| discriminate].
      now exists a, q.
    - intros (a & q & ina & at_p & app). exists (a, e). split; [exact ina |].
      unfold inner_entry. simpl. now rewrite Nat.eqb_refl, at_p.
  Qed.

  Lemma attrs_iff M : attrs_ok r g M = true <-> attrs_hold r g M.
  Proof.
    unfold attrs_ok, attrs_hold. rewrite andb_true_iff, !forallb_forall.
    split; intros [nodes len]; split.
    - intros a e ina. specialize (nodes _ ina). unfold node_ok in nodes. simpl in nodes.
      destruct (nth_error (patterns r) (fst a)) as [q |]; [| discriminate].
      destruct (nth_error g e) as [n |]; [| discriminate].
      exists q, n. repeat split. intros pres l c inc. rewrite pres in nodes. simpl in nodes.
      rewrite forallb_forall in nodes. specialize (nodes _ inc). unfold claim_ok in nodes.
      simpl in nodes. destruct (label_at (patterns r) g M a l) as [v |]; [| discriminate].
      exists v. split; [reflexivity |].
      apply orb_true_iff in nodes. destruct nodes as [H | H].
      + left. now apply attr_match_iff.
      + right. apply andb_true_iff in H. destruct H as [E H]. now apply String.eqb_eq in E.
    - intros p k q field least a index ink at_p F. specialize (len _ ink).
      unfold len_ok in len. simpl in len. rewrite at_p, F in len. now apply attr_match_iff.
    - intros [a e] ina. destruct (nodes a e ina) as (q & n & at_p & at_e & H).
      unfold node_ok. simpl. rewrite at_p, at_e. destruct (present n); [| reflexivity]. simpl.
      apply forallb_forall. intros [l c] inc. destruct (H eq_refl l c inc) as (v & lab & val).
      unfold claim_ok. simpl. rewrite lab. apply orb_true_iff.
      destruct val as [val | [-> val]]; [left; now apply attr_match_iff | now right].
    - intros [p k] ink. unfold len_ok. simpl.
      destruct (nth_error (patterns r) p) as [q |] eqn:at_p; [| reflexivity].
      destruct (form q) as [| | | | | | | | | | ? ? [a |] | | |] eqn:F; try reflexivity.
      apply attr_match_iff. eapply len; eassumption.
  Qed.

  Lemma use_iff M outs : use_ok r g outputs M outs = true <-> use_holds r g outputs M outs.
  Proof.
    unfold use_ok, used_inside, use_holds. rewrite forallb_forall. split.
    - intros H e inn nout. destruct inn as (a & q & ina & at_p & app).
      specialize (H _ ina). unfold inner_entry in H. simpl in H. rewrite at_p, app in H.
      apply not_mem_iff in nout. rewrite nout in H. simpl in H.
      apply andb_true_iff in H. destruct H as [nog users].
      split; [apply not_mem_iff; now destruct (mem e outputs) |].
      intros u n at_u ine. rewrite forallb_forall in users. apply inner_iff.
      assert (In u (seq 0 (List.length g))) as inu
        by (apply in_seq; simpl; now split; [lia | eapply nth_error_bound; eassumption]).
      specialize (users u inu). unfold used_by in users. rewrite at_u in users.
      apply mem_iff in ine. now rewrite ine in users.
    - intros H [a e] ina. simpl. destruct (inner_entry r (a, e)) eqn:I; [| reflexivity].
      destruct (mem e outs) eqn:out; [reflexivity |]. simpl.
      assert (inside r M e) as inn.
      { apply inner_iff. unfold inner. apply existsb_exists. exists (a, e).
        split; [exact ina |]. simpl. now rewrite Nat.eqb_refl, I. }
      apply not_mem_iff in out. destruct (H e inn out) as [nog users].
      apply not_mem_iff in nog. rewrite nog. simpl.
      apply forallb_forall. intros u _. unfold used_by.
      destruct (nth_error g u) as [n |] eqn:at_u; [| reflexivity].
      destruct (mem e (args n)) eqn:E; [| reflexivity]. simpl.
      apply inner_iff. apply mem_iff in E. now apply (users u n).
  Qed.

  Lemma use_instances M outs : use_holds r g outputs M outs -> instances_use_ok r g outputs M outs = true.
  Proof.
    intros H. apply use_iff in H. unfold use_ok in H. rewrite forallb_forall in H.
    apply forallb_forall. intros [[p [k |]] e] inb; [now apply H | reflexivity].
  Qed.

  Lemma requires_iff M : requires_ok r g M = true <-> requires_hold r g M.
  Proof.
    unfold requires_ok, requires_hold. rewrite forallb_forall.
    split; intros H a ina; specialize (H a ina).
    - apply attr_eval_iff. destruct (eval _ a) as [[| [|] | | | |] |]; try discriminate; reflexivity.
    - apply attr_eval_iff in H. now rewrite H.
  Qed.

  Lemma convex_iff M outs : convex_ok r g M outs = true <-> convex r g M outs.
  Proof.
    unfold convex_ok, convex. rewrite forallb_forall. split.
    - intros H o a e ino ina nin anc. specialize (H o ino). rewrite forallb_forall in H.
      specialize (H _ ina). simpl in H. apply orb_true_iff in H. destruct H as [H | H].
      + now apply nin, inner_iff.
      + apply reach_iff in anc; [| exact ok]. apply mem_iff in anc. now rewrite anc in H.
    - intros H o ino. apply forallb_forall. intros [a e] ina. simpl.
      destruct (inner r M e) eqn:I; [reflexivity |]. simpl.
      destruct (mem e (reach g o)) eqn:R; [| reflexivity].
      apply mem_iff, reach_iff in R; [| exact ok]. elim (H o a e ino ina); [| exact R].
      rewrite <- inner_iff. congruence.
  Qed.

  Theorem conditions_iff M outs :
    conditions_ok r g outputs M outs = true <-> conditions_hold r g outputs M outs.
  Proof.
    unfold conditions_ok, conditions_hold.
    rewrite !andb_true_iff, attrs_iff, use_iff, requires_iff, convex_iff. tauto.
  Qed.
End Conditions.

(** ** Search *)

Section Search.
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (outputs : list nat).
  Hypothesis wf_g : wf g.
  Hypothesis wf_r : ordered (patterns r).

  Local Arguments Pattern.pmatch : simpl never.
  Notation pm := (pm commutes (patterns r) g).
  Notation conditions_hold := (conditions_hold r g outputs).

  (** One output: what is found is a match. *)
  Theorem match_sound p e M :
    match_at commutes r g outputs p e = Some M ->
    pm None empty p e M /\ conditions_hold M [e].
  Proof.
    intros H. apply find_some in H. destruct H as [inM cond]. split.
    - now apply pmatch_iff in inM; [| exact wf_r | lia].
    - now apply conditions_iff.
  Qed.

  (** And one is found if there is any. *)
  Theorem match_complete p e M :
    pm None empty p e M -> conditions_hold M [e] ->
    exists M', match_at commutes r g outputs p e = Some M'.
  Proof.
    intros H cond. unfold match_at. destruct (find _ _) as [M' |] eqn:F; [eauto |].
    apply (pmatch_iff commutes (patterns r) g wf_r (S p)) in H; [| lia].
    apply (find_none _ _ F) in H. apply conditions_iff in cond; [| exact wf_g]. congruence.
  Qed.

  (** *** Several outputs *)

  Definition outputs_match (M : mstate) (ps es : list nat) (M' : mstate) : Prop :=
    List.length ps = List.length es /\
    thread (fun M x M' => pm None M (fst x) (snd x) M') M (combine ps es) M'.

  Lemma search_iff candidates ps : forall M done Mo,
    In Mo (search commutes r g candidates M ps done) <->
    exists es, incl es candidates /\ outputs_match M ps es (fst Mo) /\ snd Mo = rev done ++ es.
  Proof.
    induction ps as [| p ps IH]; intros M done [M' outs]; simpl.
    - split.
      + intros [E | []]. injection E as <- <-. exists []. rewrite app_nil_r.
        repeat split; [easy | constructor].
      + intros (es & _ & [len H] & ->). destruct es; [| discriminate].
        inversion H; subst. rewrite app_nil_r. now left.
    - rewrite in_flat_map. split.
      + intros (e & ine & H). apply in_flat_map in H. destruct H as (M1 & here & rest).
        apply IH in rest. destruct rest as (es & sub & [len H] & E). simpl in H, E.
        exists (e :: es). repeat split.
        * intros x [<- | inx]; [exact ine | now apply sub].
        * simpl. now f_equal.
        * apply T_Cons with M1; [| exact H].
          apply pmatch_iff in here; [exact here | exact wf_r | lia].
        * rewrite E. simpl. now rewrite <- app_assoc.
      + intros (es & sub & [len H] & E). destruct es as [| e es]; [discriminate |].
        simpl in H. inversion H as [| ? ? M1 ? ? here rest]; subst.
        exists e. split; [apply sub; now left |]. apply in_flat_map. exists M1. split.
        * apply pmatch_iff; [exact wf_r | lia | exact here].
        * apply IH. exists es. repeat split.
          -- intros x inx. apply sub. now right.
          -- simpl in len. now injection len.
          -- exact rest.
          -- simpl. now rewrite <- app_assoc.
  Qed.

  Lemma multi_iff candidates ps e Mo :
    In Mo (multi_at commutes r g outputs candidates ps e) <->
    exists es, incl es candidates /\ ps <> [] /\ snd Mo = e :: es /\
      outputs_match empty ps (e :: es) (fst Mo) /\ conditions_hold (fst Mo) (snd Mo).
  Proof.
    unfold multi_at. destruct ps as [| p ps].
    - split; [easy |]. intros (es & _ & H & _). now elim H.
    - rewrite filter_In, in_flat_map, conditions_iff by exact wf_g. split.
      + intros [(M1 & here & rest) cond]. apply search_iff in rest.
        destruct rest as (es & sub & [len H] & E). exists es.
        split; [exact sub |]. split; [easy |]. split; [exact E |]. split; [| exact cond].
        split; [simpl; now f_equal |].
        apply T_Cons with M1; [| exact H].
        apply pmatch_iff in here; [exact here | exact wf_r | lia].
      + intros (es & sub & _ & E & [len H] & cond). split; [| exact cond].
        inversion H as [| ? ? M1 ? ? here rest]; subst. exists M1. split.
        * apply pmatch_iff; [exact wf_r | lia | exact here].
        * apply search_iff. exists es. simpl in len. injection len as len. now repeat split.
  Qed.

  Theorem multi_match_sound candidates ps e M outs :
    In (M, outs) (multi_at commutes r g outputs candidates ps e) ->
    outputs_match empty ps outs M /\ conditions_hold M outs.
  Proof.
    intros H. apply multi_iff in H. destruct H as (es & _ & _ & E & H & cond).
    simpl in *. now subst.
  Qed.

  (** No choice of outputs among the candidates is missed. *)
  Theorem multi_match_complete candidates ps e es M :
    ps <> [] -> incl es candidates ->
    outputs_match empty ps (e :: es) M -> conditions_hold M (e :: es) ->
    In (M, e :: es) (multi_at commutes r g outputs candidates ps e).
  Proof. intros ne sub H cond. apply multi_iff. now exists es. Qed.

  (** *** Any number of outputs *)

  Notation branch := (branch commutes r g outputs).
  Notation grow := (grow commutes r g outputs).

  (** One instance of the field for each output, in order. *)
  Definition branches (field : nat) (outs : list nat) (M : mstate) : Prop :=
    thread (fun M x M' => pm (Some (fst x)) M field (snd x) M') empty
      (combine (seq 0 (List.length outs)) outs) M.

  Lemma thread_app {A S} (R : S -> A -> S -> Prop) l m s t u :
    thread R s l t -> thread R t m u -> thread R s (l ++ m) u.
  Proof.
    intros H. induction H; intros K; simpl; [exact K |]. eapply T_Cons; eauto.
  Qed.

  Lemma combine_snoc {A B} (l : list A) a (m : list B) b :
    List.length l = List.length m -> combine (l ++ [a]) (m ++ [b]) = combine l m ++ [(a, b)].
  Proof.
    revert m. induction l as [| x l IH]; intros [| y m] len; try discriminate; [easy |].
    simpl. f_equal. apply IH. now injection len.
  Qed.

  Lemma branches_snoc field outs M e M' :
    branches field outs M -> pm (Some (List.length outs)) M field e M' ->
    branches field (outs ++ [e]) M'.
  Proof.
    unfold branches. intros H K. rewrite app_length, seq_app. simpl.
    rewrite combine_snoc by (now rewrite seq_length).
    apply thread_app with M; [exact H |]. apply T_Cons with M'; [exact K | constructor].
  Qed.

  Lemma branch_some field k M outs e M' :
    branch field k M outs e = Some M' ->
    ~ In e outs /\ pm (Some k) M field e M' /\
    attrs_hold r g M' /\ instances_use_ok r g outputs M' (outs ++ [e]) = true /\ convex r g M' (outs ++ [e]).
  Proof.
    unfold Match.branch. destruct (mem e outs) eqn:D; [discriminate |].
    intros H. apply find_some in H. destruct H as [inM H]. unfold branch_ok in H.
    rewrite !andb_true_iff, attrs_iff, convex_iff in H by exact wf_g.
    apply not_mem_iff in D. apply pmatch_iff in inM; [| exact wf_r | lia]. tauto.
  Qed.

  Lemma first_some_iff {A B} (f : A -> option B) l :
    match first_some f l with
    | Some (a, b) => In a l /\ f a = Some b
    | None => forall a, In a l -> f a = None
    end.
  Proof.
    induction l as [| a l IH]; simpl; [easy |].
    destruct (f a) as [b |] eqn:E; [now split; [left |] |].
    destruct (first_some f l) as [[c d] |].
    - destruct IH as [inc H]. now split; [right |].
    - intros c [<- | inc]; [exact E | now apply IH].
  Qed.

  Lemma grow_ok candidates field fuel : forall M outs,
    branches field outs M -> NoDup outs -> incl outs candidates ->
    List.length candidates < List.length outs + fuel ->
    let (M', outs') := grow fuel candidates field M outs in
    branches field outs' M' /\ NoDup outs' /\ incl outs' candidates /\
    (exists more, outs' = outs ++ more) /\
    (forall e, In e candidates -> branch field (List.length outs') M' outs' e = None).
  Proof.
    induction fuel as [| fuel IH]; intros M outs H nd sub enough; simpl.
    - pose proof (NoDup_incl_length nd sub). lia.
    - pose proof (first_some_iff (branch field (List.length outs) M outs) candidates) as F.
      destruct (first_some _ candidates) as [[e M1] |].
      + destruct F as [ine B]. apply branch_some in B. destruct B as (nin & pm1 & _).
        assert (NoDup (outs ++ [e])) as nd1.
        { apply NoDup_Add with (a := e) (l := outs); [| now split].
          rewrite <- (app_nil_r outs) at 1. apply Add_app. }
        assert (incl (outs ++ [e]) candidates) as sub1.
        { intros x inx. apply in_app_or in inx. destruct inx as [inx | [<- | []]]; auto. }
        assert (List.length candidates < List.length (outs ++ [e]) + fuel) as more1
          by (rewrite app_length; simpl; lia).
        specialize (IH M1 (outs ++ [e]) (branches_snoc _ _ _ _ _ H pm1) nd1 sub1 more1).
        destruct (grow fuel candidates field M1 (outs ++ [e])) as [M' outs'].
        destruct IH as (h1 & h2 & h3 & [more ->] & h5). repeat split; try assumption.
        exists ([e] ++ more). now rewrite app_assoc.
      + repeat split; try assumption. exists []. now rewrite app_nil_r.
  Qed.

  Theorem variadic_sound candidates p field least e M outs :
    In e candidates ->
    variadic_at commutes r g outputs candidates p field least e = Some (M, outs) ->
    (exists M', branches field outs M' /\ M = put_len M' p (List.length outs)) /\
    NoDup outs /\ least <= List.length outs /\ conditions_hold M outs.
  Proof.
    unfold variadic_at. intros ine H. destruct (branch field 0 empty [] e) as [M0 |] eqn:B; [| discriminate].
    apply branch_some in B. destruct B as (_ & pm0 & _).
    pose proof (grow_ok candidates field (List.length candidates) M0 [e]) as G.
    destruct (grow _ candidates field M0 [e]) as [M1 outs1].
    destruct (Nat.leb least (List.length outs1) && _) eqn:C in H; [| discriminate].
    injection H as <- <-. apply andb_true_iff in C. destruct C as [L C].
    apply conditions_iff in C; [| exact wf_g]. apply Nat.leb_le in L.
    destruct G as (h1 & h2 & _).
    - apply (branches_snoc field [] empty e M0); [constructor | exact pm0].
    - repeat constructor. easy.
    - intros x [<- | []]. exact ine.
    - simpl. lia.
    - split; [now exists M1 |]. now split.
  Qed.

  (** Greedy is maximal: no candidate can be one more branch. *)
  Theorem variadic_maximal candidates p field least e M outs :
    In e candidates ->
    variadic_at commutes r g outputs candidates p field least e = Some (M, outs) ->
    exists M1, M = put_len M1 p (List.length outs) /\ forall x M',
      In x candidates -> ~ In x outs -> pm (Some (List.length outs)) M1 field x M' ->
      attrs_hold r g M' -> use_holds r g outputs M' (outs ++ [x]) ->
      ~ convex r g M' (outs ++ [x]).
  Proof.
    unfold variadic_at. intros ine H. destruct (branch field 0 empty [] e) as [M0 |] eqn:B; [| discriminate].
    apply branch_some in B. destruct B as (_ & pm0 & _).
    pose proof (grow_ok candidates field (List.length candidates) M0 [e]) as G.
    destruct (grow _ candidates field M0 [e]) as [M1 outs1].
    destruct (Nat.leb least (List.length outs1) && _) in H; [| discriminate].
    injection H as <- <-. destruct G as (_ & _ & _ & _ & none).
    - apply (branches_snoc field [] empty e M0); [constructor | exact pm0].
    - repeat constructor. easy.
    - intros x [<- | []]. exact ine.
    - simpl. lia.
    - exists M1. split; [reflexivity |]. intros x M' inx nin pmx at_ us cv.
      specialize (none x inx). unfold Match.branch in none.
      apply not_mem_iff in nin. rewrite nin in none.
      apply (pmatch_iff commutes (patterns r) g wf_r (S field)) in pmx; [| lia].
      apply (find_none _ _ none) in pmx. unfold branch_ok in pmx.
      apply attrs_iff in at_. apply use_instances in us. apply convex_iff in cv; [| exact wf_g].
      now rewrite at_, us, cv in pmx.
  Qed.

  (** *** A rule, whatever its outputs *)

  Theorem rule_at_sound candidates e M outs :
    In e candidates ->
    rule_at commutes r g outputs candidates e = Some (M, outs) -> conditions_hold M outs.
  Proof.
    intros ine. unfold rule_at.
    assert (forall ps, hd_error (multi_at commutes r g outputs candidates ps e) = Some (M, outs) ->
              conditions_hold M outs) as several.
    { intros ps H. destruct (multi_at _ _ _ _ _ ps e) as [| Mo l] eqn:E; [discriminate |].
      injection H as ->. apply (multi_match_sound candidates ps e M outs). rewrite E. now left. }
    destruct (source r) as [| p [| p' ps]]; [apply several | | apply several].
    destruct (nth_error (patterns r) p) as [q |]; [| discriminate].
    assert (option_map (fun M => (M, [e])) (match_at commutes r g outputs p e) = Some (M, outs) ->
              conditions_hold M outs) as single.
    { destruct (match_at commutes r g outputs p e) as [N |] eqn:E; [| discriminate].
      intros H. injection H as <- <-. now apply match_sound in E. }
    destruct (form q); try exact single.
    intros H. now apply variadic_sound in H.
  Qed.

  (** Every match that is listed satisfies the conditions. *)
  Theorem all_matches_sound M outs :
    In (M, outs) (all_matches commutes r g outputs) -> conditions_hold M outs.
  Proof.
    unfold all_matches. rewrite <- in_rev.
    assert (forall l st, incl l (seq 0 (List.length g)) ->
      (forall Mo, In Mo (snd st) -> conditions_hold (fst Mo) (snd Mo)) ->
      forall Mo, In Mo (snd (fold_left
        (fun (st : list nat * list (mstate * list nat)) e =>
           let (used, found) := st in
           if mem e used then st
           else
             let candidates := filter (fun k => negb (mem k used)) (seq 0 (List.length g)) in
             match rule_at commutes r g outputs candidates e with
             | Some (M, outs) => (outs ++ used, (M, outs) :: found)
             | None => st
             end) l st)) -> conditions_hold (fst Mo) (snd Mo)) as main.
    { induction l as [| e l IH]; intros [used found] sub ok Mo; simpl; [apply ok |].
      apply IH; [intros x inx; apply sub; now right |].
      destruct (mem e used) eqn:U; [exact ok |].
      destruct (rule_at _ _ _ _ _ e) as [[N os] |] eqn:E; [| exact ok].
      intros No [<- | inn]; [| now apply ok]. simpl. apply rule_at_sound in E; [exact E |].
      apply filter_In. split; [apply sub; now left | now rewrite U]. }
    intros H. apply (main (seq 0 (List.length g)) ([], []) (incl_refl _)) in H; [exact H |]. easy.
  Qed.
End Search.
