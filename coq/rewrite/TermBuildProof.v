(** * What a target adds: proof

    [roots_bounded]: what is built weighs at most one of the choices of [sims], and
    reads nothing that the match uses up. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof pattern.Forward pattern.ForwardProof.
From Calque Require Import rewrite.Rewrite rewrite.Check rewrite.Facts rewrite.Sound.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild.
Import ListNotations.
Open Scope nat_scope.

Section Built.
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (outputs : list nat).
  Notation pats := (patterns r).
  Hypothesis ok : ordered pats.
  Variables (M : mstate) (outs : list nat).
  Hypothesis K : known commutes r g outputs M outs.
  Hypothesis grounded_g : grounded g.

  Variable w : weight.
  Variable name : string.
  Hypothesis named : forall p q o l s, nth_error pats p = Some q -> form q = PCall o l -> target_op g M o = Some s ->
    s = call_name name o.

  Notation sources := (reached_sources r).
  Notation deep := (depth r).
  Notation outside e := (~ inside r M e).

  Lemma existsb_in p l : existsb (Nat.eqb p) l = true <-> In p l.
  Proof.
    rewrite existsb_exists. split.
    - intros (x & inx & E). apply Nat.eqb_eq in E. now subst.
    - intros inp. exists p. split; [exact inp | apply Nat.eqb_refl].
  Qed.

  Lemma zero_outside : outside 0.
  Proof.
    intros H. destruct (inside_must commutes r g outputs M outs K 0 H) as (_ & _ & _ & _ & _ & _ & (n & at_0 & O)).
    destruct grounded_g as (t & a & E). rewrite E in at_0. injection at_0 as <-. discriminate.
  Qed.

  Lemma with_first_at test i p q e : nth_error pats p = Some q -> get M (at_ i p q) = Some e ->
    with_first pats deep test p = true ->
    (forall j k s, nth_error pats k = Some s -> k < deep -> test k = true -> first_of j s = None ->
       get M (k, inst_of j s) = Some e -> outside e) -> outside e.
  Proof.
    intros at_p G T H. unfold with_first in T. rewrite at_p in T. rewrite !andb_true_iff in T.
    destruct T as [[lt own] fst_]. apply Nat.ltb_lt in lt. unfold at_ in G. destruct (first_of i q) as [f |] eqn:Fi.
    - assert (first q = Some f) as Ff.
      { unfold first_of in Fi. destruct i as [[|] |]; try discriminate. now destruct (template q). }
      rewrite Ff in fst_. pose proof (proj2 (ok p q at_p) f Ff) as ltf.
      assert (exists s, nth_error pats f = Some s) as [s at_f].
      { assert (f < List.length pats) as L; [| apply nth_error_Some in L; destruct (nth_error pats f); [eauto | easy]].
        assert (p < List.length pats) by (apply nth_error_Some; congruence). lia. }
      apply (H None f s at_f); try assumption; [lia | reflexivity |]. unfold inst_of. now destruct (template s).
    - apply (H i p q at_p lt own Fi). exact G.
  Qed.

  Lemma leaf_at_outside i p q e : nth_error pats p = Some q -> get M (at_ i p q) = Some e ->
    with_first pats deep (leaf_at pats) p = true -> outside e.
  Proof.
    intros at_p G T. apply (with_first_at (leaf_at pats) i p q e at_p G T).
    intros j k s at_k _ L _ Gk. unfold leaf_at in L. rewrite at_k in L.
    exact (leaf_outside commutes r g outputs M outs K (k, inst_of j s) e s Gk at_k L).
  Qed.

  Lemma look_outside i p q e : nth_error pats p = Some q -> get M (at_ i p q) = Some e ->
    looks_outside pats deep p = true -> outside e.
  Proof.
    intros at_p G T. apply (with_first_at _ i p q e at_p G T). clear i p q at_p G T.
    intros j k s at_k ltk L Fj Gk. apply orb_true_iff in L. destruct L as [L | L].
    - unfold leaf_at in L. rewrite at_k in L.
      exact (leaf_outside commutes r g outputs M outs K (k, inst_of j s) e s Gk at_k L).
    - rewrite at_k in L. destruct (form s) as [| | | | | | kid d | | | | | | |] eqn:Fs; try discriminate.
      destruct (known_fit commutes r g outputs M outs K j k s e ltk at_k Fj Gk) as (n & at_e & X).
      unfold fits_node in X. rewrite Fs in X. intros In_.
      destruct (inside_must commutes r g outputs M outs K e In_) as (_ & _ & _ & _ & _ & _ & (n' & at_e' & O)).
      assert (n' = n) as -> by congruence.
      assert (present n = true) as P by (unfold present; now destruct (what (op n))).
      specialize (X P). pose proof L as L'. unfold with_first in L'. rewrite !andb_true_iff in L'.
      destruct L' as [[_ lk] _]. unfold leaf_at in lk. destruct (nth_error pats kid) as [sk |] eqn:at_kid; [| discriminate].
      destruct (X sk at_kid) as [I | Gkid].
      + unfold is_leaf, is_inst in *. now destruct (form sk).
      + exact (leaf_at_outside j kid sk e at_kid Gkid L In_).
  Qed.

  (** *** The state *)

  Notation template_at := (template_at pats).

  Definition keys (st : bstate) : list nat :=
    map (fun b => fst (fst b)) (filter (fun b => negb (template_at (fst (fst b)))) (built st)).

  Definition calls (p : nat) : Prop :=
    exists q o l, nth_error pats p = Some q /\ form q = PCall o l /\ ~ In p sources.

  Definition is_call (h : tgraph) (e : nat) : Prop := exists m s, nth_error h e = Some m /\ what (op m) = KCall s.

  Record fine (st : bstate) (new : tgraph) : Prop := Fine {
    fine_whole : whole st = g ++ new;
    fine_args : forall n j, In n new -> In j (args n) -> outside j;
    fine_built : forall a e, In (a, e) (built st) -> outside e /\ (calls (fst a) -> is_call (whole st) e);
    fine_weight : total (weigh w) new <= total (pattern_weight pats w name) (keys st);
    fine_addr : forall a e, In (a, e) (built st) -> template_at (fst a) = false -> snd a = None;
    fine_made : forall a e q o l, In (a, e) (built st) -> nth_error pats (fst a) = Some q -> form q = PCall o l ->
      ~ In (fst a) sources
  }.

  Definition ready (st : bstate) : Prop := exists new, fine st new.

  Lemma fine_new st new e : fine st new -> List.length g <= e -> outside e.
  Proof.
    intros _ le In_. destruct (inside_must commutes r g outputs M outs K e In_) as (_ & _ & _ & _ & _ & lt & _). lia.
  Qed.

  Lemma shared_in st a e : look_up addr_eqb (built st) a = Some e -> In (a, e) (built st).
  Proof.
    unfold look_up. destruct (find _ (built st)) as [[b x] |] eqn:F; [| discriminate].
    intros H. injection H as ->. apply find_some in F. destruct F as [inb E]. cbn in E.
    apply addr_eqb_eq in E. now subst.
  Qed.

  Lemma not_shared st new i p q : fine st new -> nth_error pats p = Some q -> first q = None -> template q = false ->
    look_up addr_eqb (built st) (at_ i p q) = None -> ~ In p (keys st).
  Proof.
    intros F at_p F0 T L inp. unfold keys in inp. apply in_map_iff in inp. destruct inp as ([a e] & E & inb).
    apply filter_In in inb. destruct inb as [inb nt]. cbn in E, nt. subst p. apply negb_true_iff in nt.
    pose proof (fine_addr st new F a e inb nt) as S. destruct a as [p j]. cbn in *. subst j.
    assert (at_ i p q = (p, None)) as A.
    { unfold at_, first_of. rewrite F0, T. now destruct i as [[|] |]. }
    rewrite A in L. unfold look_up in L. destruct (find _ (built st)) as [b |] eqn:Fd; [discriminate |].
    apply (find_none _ _ Fd) in inb. cbn in inb. rewrite (proj2 (addr_eqb_eq _ _) eq_refl) in inb. discriminate.
  Qed.

  (** *** Making one *)

  Definition suits (f : finish) (q : pattern) (h : tgraph) (es : list nat) : Prop :=
    match f with
    | FNew o => weigh w (Node o es) <= weight_of w name q /\
                (forall o' l, form q = PCall o' l -> exists s, what o = KCall s)
    | FSame => forall o' l, form q <> PCall o' l
    | FField k => (forall e0, es = [e0] -> is_call h e0) /\ of_tuple w <= weight_of w name q /\
                  forall o' l, form q <> PCall o' l
    end.

  Lemma is_call_app h m e : is_call h e -> is_call (h ++ m) e.
  Proof.
    intros (n & s & at_e & W). exists n, s. split; [| exact W]. rewrite nth_error_app1; [exact at_e |].
    apply nth_error_Some. congruence.
  Qed.

  Lemma added_ready st new a e extra : fine st new ->
    (forall n j, In n extra -> In j (args n) -> outside j) -> outside e ->
    (calls (fst a) -> is_call (whole st ++ extra) e) ->
    total (weigh w) extra <= (if template_at (fst a) then 0 else pattern_weight pats w name (fst a)) ->
    (template_at (fst a) = false -> snd a = None) ->
    (forall q o l, nth_error pats (fst a) = Some q -> form q = PCall o l -> ~ In (fst a) sources) ->
    let st' := BState ((a, e) :: built st) (whole st ++ extra) in
    ready st' /\ keys st' = (if template_at (fst a) then keys st else fst a :: keys st).
  Proof.
    intros [F1 F2 F3 F4 F5 F6] ex oe ce we ad md st'.
    assert (keys st' = if template_at (fst a) then keys st else fst a :: keys st) as Ks.
    { unfold keys, st'. cbn [built filter fst]. now destruct (template_at (fst a)). }
    split; [| exact Ks]. exists (new ++ extra). constructor.
    - cbn [whole st']. rewrite F1. now rewrite app_assoc.
    - intros n j inn. apply in_app_iff in inn. destruct inn; eauto.
    - intros b x [Ea | ina].
      + injection Ea as <- <-. now split.
      + destruct (F3 b x ina) as [o1 c1]. split; [exact o1 |]. intros c. now apply is_call_app, c1.
    - rewrite total_app, Ks. destruct (template_at (fst a)); [lia |]. rewrite total_cons. lia.
    - intros b x [Ea | ina] nt; [injection Ea as <- _; now apply ad | now apply (F5 b x)].
    - intros b x q o l [Ea | ina] at_b Fb; [injection Ea as <- _; now apply (md q o l) | now apply (F6 b x q o l)].
  Qed.

  Lemma made_ready st new i p q f es e h : fine st new -> nth_error pats p = Some q -> first q = None ->
    Forall (fun j => outside j) es -> finished f es (whole st) = Some (e, h) -> suits f q (whole st) es ->
    (template q = true -> weight_of w name q = 0) -> ~ In p sources ->
    let st' := BState ((at_ i p q, e) :: built st) h in
    ready st' /\ outside e /\ (calls p -> is_call h e) /\
    keys st' = (if template q then keys st else p :: keys st).
  Proof.
    intros F at_p F0 out E S T ns st'.
    assert (at_ i p q = (p, if template q then i else None)) as A.
    { unfold at_, first_of. rewrite F0. now destruct i as [[|] |], (template q). }
    assert (template_at p = template q) as Tp by (unfold template_at; now rewrite at_p).
    assert (forall extra, h = whole st ++ extra -> (forall n j, In n extra -> In j (args n) -> outside j) ->
              outside e -> (calls p -> is_call h e) -> total (weigh w) extra <= weight_of w name q ->
              ready st' /\ keys st' = (if template q then keys st else p :: keys st)) as go.
    { intros extra Eh ex oe ce we. unfold st'. rewrite A, Eh. rewrite Eh in ce.
      pose proof (added_ready st new (p, if template q then i else None) e extra F ex oe ce) as H.
      cbn [fst snd] in H. rewrite Tp in H. apply H.
      - unfold pattern_weight. rewrite at_p. destruct (template q); [| exact we].
        now rewrite (T eq_refl) in we.
      - now intros ->.
      - intros _ _ _ _ _. exact ns. }
    assert (calls p -> exists o l, form q = PCall o l) as callform.
    { intros (q' & o & l & at_q & Fq & _). assert (q' = q) as -> by congruence. now exists o, l. }
    destruct f as [o | | k]; cbn [finished suits] in *.
    - injection E as <- <-. destruct S as [Sw Sc].
      assert (outside (List.length (whole st))) as oe.
      { apply (fine_new st new _ F). rewrite (fine_whole st new F), app_length. lia. }
      assert (calls p -> is_call (whole st ++ [Node o es]) (List.length (whole st))) as ce.
      { intros c. destruct (callform c) as (o' & l & Fq). destruct (Sc o' l Fq) as [s Ws].
        exists (Node o es), s. split; [| exact Ws]. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. }
      destruct (go [Node o es]) as [Rd Ks]; try assumption; try reflexivity.
      + intros n j [<- | []] inj. rewrite Forall_forall in out. now apply out.
      + unfold total. cbn. lia.
      + now repeat split.
    - destruct es as [| e0 [| ? ?]]; try discriminate. injection E as <- <-.
      assert (outside e0) as oe by now inversion out.
      assert (calls p -> is_call (whole st) e0) as ce.
      { intros c. destruct (callform c) as (o' & l & Fq). now elim (S o' l). }
      destruct (go []) as [Rd Ks]; try assumption; [now rewrite app_nil_r | easy | apply Nat.le_0_l |].
      now repeat split.
    - destruct es as [| e0 [| ? ?]]; try discriminate. destruct S as (Sc & Sw & Sn).
      destruct (Sc e0 eq_refl) as (m & s & at_0 & Ws). rewrite at_0, Ws in E. injection E as <- <-.
      assert (outside (List.length (whole st))) as oe.
      { apply (fine_new st new _ F). rewrite (fine_whole st new F), app_length. lia. }
      assert (calls p -> is_call (whole st ++ [Node (Oper (KProj k) [] []) [e0]]) (List.length (whole st))) as ce.
      { intros c. destruct (callform c) as (o' & l & Fq). now elim (Sn o' l). }
      destruct (go [Node (Oper (KProj k) [] []) [e0]]) as [Rd Ks]; try assumption; try reflexivity.
      + intros n j [<- | []] inj. cbn in inj. destruct inj as [<- | []]. now inversion out.
      + unfold total. cbn. lia.
      + now repeat split.
  Qed.

  (** *** Children *)

  Lemma each_in {A} (f : A -> option (list A)) l R : each f l = Some R ->
    forall a, In a l -> exists Ds, f a = Some Ds /\ incl Ds R.
  Proof.
    unfold each. destruct (traverse f l) as [ls |] eqn:E; [| discriminate]. cbn. intros H. injection H as <-.
    revert ls E. induction l as [| b l IH]; intros ls E a ina; [easy |]. cbn in E.
    destruct (f b) as [Ds |] eqn:Fb; [| discriminate]. destruct (traverse f l) as [ms |]; [| discriminate].
    injection E as <-. cbn. destruct ina as [<- | ina].
    - exists Ds. split; [exact Fb |]. now apply incl_appl, incl_refl.
    - destruct (IH ms eq_refl a ina) as (Es & Fa & sub). exists Es. split; [exact Fa |]. now apply incl_appr.
  Qed.

  Lemma either_in f l B R : either f l B = Some R -> forall k, In k l -> exists Ds, f k B = Some Ds /\ incl Ds R.
  Proof.
    unfold either. destruct (traverse _ l) as [ls |] eqn:E; [| discriminate]. cbn. intros H. injection H as <-.
    revert ls E. induction l as [| b l IH]; intros ls E a ina; [easy |]. cbn in E.
    destruct (f b B) as [Ds |] eqn:Fb; [| discriminate]. destruct (traverse _ l) as [ms |]; [| discriminate].
    injection E as <-. cbn. destruct ina as [<- | ina].
    - exists Ds. split; [exact Fb |]. now apply incl_appl, incl_refl.
    - destruct (IH ms eq_refl a ina) as (Es & Fa & sub). exists Es. split; [exact Fa |]. now apply incl_appr.
  Qed.

  Definition bounded (fuel : nat) : Prop := forall i st p e st' Bs,
    build pats g M fuel i st p = Some (e, st') -> ready st ->
    sims pats sources deep w name fuel p (keys st) = Some Bs ->
    ready st' /\ In (keys st') Bs /\ outside e /\ (calls p -> is_call (whole st') e).

  Notation run fuel := (collects (fun st x => build pats g M fuel (fst x) st (snd x))).

  Lemma collects_turn fuel i l : bounded fuel -> forall st es st1 Bs,
    run fuel st (map (pair i) l) = Some (es, st1) -> ready st ->
    in_turn (sims pats sources deep w name fuel) l (keys st) = Some Bs ->
    ready st1 /\ In (keys st1) Bs /\ Forall (fun j => outside j) es.
  Proof.
    intros IH. induction l as [| k l IHl]; intros st es st1 Bs E R T; cbn [map collects in_turn fst snd] in *.
    - injection E as <- <-. injection T as <-. split; [exact R |]. split; [now left | constructor].
    - destruct (build pats g M fuel i st k) as [[e st2] |] eqn:B; [| discriminate].
      destruct (sims pats sources deep w name fuel k (keys st)) as [Cs |] eqn:Sm; [| discriminate].
      destruct (IH i st k e st2 Cs B R Sm) as (R2 & in2 & out & _).
      destruct (collects _ st2 (map (pair i) l)) as [[es2 st3] |] eqn:C; [| discriminate]. injection E as <- <-.
      destruct (each_in _ _ _ T (keys st2) in2) as (Ds & Td & sub).
      destruct (IHl st2 es2 st3 Ds C R2 Td) as (R3 & in3 & outs3).
      split; [exact R3 |]. split; [now apply sub | now constructor].
  Qed.

  Lemma member_in B Bs : member B Bs = true -> In B Bs.
  Proof.
    unfold member. rewrite existsb_exists. intros (C & inc & E). destruct (list_eq_dec _ C B) as [<- |]; [exact inc | discriminate].
  Qed.

  Lemma again_closed f B R : again f B = Some R -> In B R /\
    forall B1, In B1 R -> exists Cs, f B1 = Some Cs /\ incl Cs R.
  Proof.
    unfold again. destruct (f B) as [Bs |] eqn:Fb; [| discriminate]. destruct (forallb _ Bs) eqn:C; [| discriminate].
    intros H. injection H as <-. split; [now left |]. intros B1 [<- | inb].
    - exists Bs. split; [exact Fb |]. intros D ind. now right.
    - rewrite forallb_forall in C. specialize (C B1 inb). destruct (f B1) as [Cs |]; [| discriminate].
      exists Cs. split; [reflexivity |]. intros D ind. rewrite forallb_forall in C. now apply member_in, C.
  Qed.

  Lemma collects_again fuel f B R : bounded fuel -> again (sims pats sources deep w name fuel f) B = Some R ->
    forall l st es st1, run fuel st (map (fun j => (Some j, f)) l) = Some (es, st1) -> ready st -> In (keys st) R ->
    ready st1 /\ In (keys st1) R /\ Forall (fun j => outside j) es.
  Proof.
    intros IH Ag. destruct (again_closed _ _ _ Ag) as [_ cl].
    induction l as [| k l IHl]; intros st es st1 E Rd inr; cbn [map collects fst snd] in *.
    - injection E as <- <-. split; [exact Rd |]. split; [exact inr | constructor].
    - destruct (build pats g M fuel (Some k) st f) as [[e st2] |] eqn:Bd; [| discriminate].
      destruct (cl (keys st) inr) as (Cs & Sm & sub).
      destruct (IH (Some k) st f e st2 Cs Bd Rd Sm) as (R2 & in2 & out & _).
      destruct (collects _ st2 (map _ l)) as [[es2 st3] |] eqn:C; [| discriminate]. injection E as <- <-.
      destruct (IHl st2 es2 st3 C R2 (sub _ in2)) as (R3 & in3 & outs3).
      split; [exact R3 |]. split; [exact in3 | now constructor].
  Qed.

  Lemma collects_kids fuel i l gs st es st1 Bs : bounded fuel -> parts pats g M i l = Some gs ->
    run fuel st gs = Some (es, st1) -> ready st ->
    match l, match l with [v] => variadic pats v | _ => None end with
    | [_], Some f => again (sims pats sources deep w name fuel f) (keys st)
    | _, _ => in_turn (sims pats sources deep w name fuel) l (keys st)
    end = Some Bs ->
    ready st1 /\ In (keys st1) Bs /\ Forall (fun j => outside j) es.
  Proof.
    intros IH P E R T.
    assert (gs = map (pair i) l -> in_turn (sims pats sources deep w name fuel) l (keys st) = Some Bs ->
            ready st1 /\ In (keys st1) Bs /\ Forall (fun j => outside j) es) as plain.
    { intros -> T'. exact (collects_turn fuel i l IH st es st1 Bs E R T'). }
    unfold parts in P. destruct l as [| v [| w' l]]; try (injection P as <-; now apply plain).
    unfold variadic in T. destruct (nth_error pats v) as [q |]; [| discriminate].
    destruct (form q) as [| | | | | | | | | | f least len index | | |];
      try (injection P as <-; now apply plain).
    destruct len as [n |]; [| discriminate].
    destruct (value_at pats g M i n) as [[ | | z | | |] |]; try discriminate.
    destruct (count z) as [m |]; [| discriminate]. cbn in P. injection P as <-.
    apply (collects_again fuel f (keys st) Bs IH T (seq 0 m) st es st1 E R). now apply (again_closed _ _ _ T).
  Qed.

  (** *** The theorem *)

  Lemma fresh_bound p q i : nth_error pats p = Some q -> first q = None -> existsb (Nat.eqb p) sources = false ->
    get M (at_ i p q) = None.
  Proof.
    intros at_p F0 Src. destruct (get M (at_ i p q)) as [x |] eqn:G; [| reflexivity].
    apply (known_only commutes r g outputs M outs K) in G.
    assert (fst (at_ i p q) = p) as E.
    { unfold at_, first_of. rewrite F0. now destruct i as [[|] |], (template q). }
    rewrite E in G. apply existsb_in in G. congruence.
  Qed.

  Theorem build_bounded fuel : bounded fuel.
  Proof.
    induction fuel as [| fuel IH]; intros i st p e st' Bs E R T; [discriminate |].
    cbn [build] in E. cbn [sims] in T. destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate].
    pose proof R as [new F].
    set (there := negb (template q) && existsb (Nat.eqb p) (keys st)) in *.
    destruct (existsb (Nat.eqb p) sources) eqn:Src.
    - (* a pattern of the source *)
      destruct (looks_outside pats deep p) eqn:Lo; [| discriminate].
      assert (~ calls p) as nc by (intros (? & ? & ? & _ & _ & n); now apply n, existsb_in).
      assert (In (keys st) Bs) as same.
      { destruct (form q) as [| | [a |] | | | | k [a |] | | | | | | |]; try (injection T as <-; now left);
          (destruct (match first q with Some f => _ | None => false end); [discriminate |]); injection T as <-;
          destruct there; now left. }
      assert (forall x, looked_up pats g M i p q = Some x -> outside x) as lo.
      { intros x L. unfold looked_up in L. destruct (get M (at_ i p q)) as [y |] eqn:G.
        - pose proof (look_outside i p q y at_p G Lo) as oy.
          destruct (form q) as [| | | | | | k [a |] | | | | | | |]; try (now injection L as <-).
          destruct (nth_error g y) as [n |]; [| discriminate]. destruct (present n); [now injection L as <- | discriminate].
        - destruct (form q) eqn:Fq; try discriminate.
          + injection L as <-. apply zero_outside.
          + exfalso. unfold looks_outside, with_first in Lo. rewrite at_p, Fq in Lo. unfold leaf_at, is_leaf in Lo.
            rewrite at_p, Fq in Lo. rewrite !andb_true_iff in Lo. destruct Lo as [[_ Lo] _]. discriminate. }
      destruct (looked_up pats g M i p q) as [x |] eqn:L.
      { injection E as <- <-. split; [exact R |]. split; [exact same |]. split; [now apply lo | tauto]. }
      destruct (look_up addr_eqb (built st) (at_ i p q)) as [x |] eqn:Sh.
      { injection E as <- <-. split; [exact R |]. split; [exact same |].
        split; [exact (proj1 (fine_built st new F _ _ (shared_in _ _ _ Sh))) | tauto]. }
      assert (exists a v t, (form q = PConst (Some a) \/ exists k, form q = POptional k (Some a)) /\
                plan pats g M i q = Some ([], new_const v t)) as (a & v & t & Fq & Pl).
      { unfold plan in *. unfold looks_outside, with_first, leaf_at, is_leaf in Lo. rewrite at_p in Lo.
        rewrite !andb_true_iff in Lo. destruct Lo as [[_ Lo] _].
        destruct (form q) as [| | [a |] | | | | k [a |] | | | | | | |]; try discriminate.
        - destruct (value_at pats g M i a) as [v |]; [| discriminate]. destruct (given pats g M i q) as [t |]; [| discriminate].
          exists a, v, t. split; [now left | reflexivity].
        - destruct (value_at pats g M i a) as [v |]; [| discriminate]. exists a, v, [].
          split; [right; now exists k | reflexivity]. }
      rewrite Pl in E. cbn [collects finished new_const] in E. injection E as <- <-.
      assert (match first q with Some f => template_at f | None => false end = false /\
              Bs = (if there then [keys st] else [keys st; recorded p q (keys st)]) ++
                   match first q with Some f => if existsb (Nat.eqb f) (keys st) then [] else [f :: keys st] | None => [] end)
        as [Tf EB].
      { destruct Fq as [Fq | [k Fq]]; rewrite Fq in T;
          (destruct (match first q with Some f => _ | None => false end); [discriminate |]); injection T as <-; now split. }
      set (a0 := at_ i p q) in *.
      assert (calls (fst a0) -> False) as nca.
      { intros (q' & o & l & at_q & Fq' & ns). unfold a0, at_ in at_q, ns. destruct (first_of i q) as [f |] eqn:Fi.
        - assert (first q = Some f) as Ff.
          { unfold first_of in Fi. destruct i as [[|] |]; try discriminate. now destruct (template q). }
          cbn in at_q. unfold looks_outside, with_first in Lo. rewrite at_p, Ff in Lo. unfold leaf_at, is_leaf in Lo.
          rewrite at_q, Fq' in Lo. rewrite !andb_true_iff in Lo. destruct Lo as [_ Lo]. discriminate.
        - apply ns, existsb_in. exact Src. }
      destruct (added_ready st new a0 (List.length (whole st)) [Node (Oper (KConst 0 (Some v)) t []) []] F) as [Rd Ks].
      + intros n j [<- | []] [].
      + apply (fine_new st new _ F). rewrite (fine_whole st new F), app_length. lia.
      + intros c. now elim nca.
      + unfold total. cbn. lia.
      + unfold a0, at_. destruct (first_of i q); [reflexivity |]. cbn [fst snd]. unfold TermBuild.template_at. rewrite at_p.
        now intros ->.
      + intros q' o l at_q Fq'. exfalso. unfold a0, at_ in at_q. destruct (first_of i q) as [f |] eqn:Fi.
        * assert (first q = Some f) as Ff.
          { unfold first_of in Fi. destruct i as [[|] |]; try discriminate. now destruct (template q). }
          cbn in at_q. unfold looks_outside, with_first in Lo. rewrite at_p, Ff in Lo. unfold leaf_at, is_leaf in Lo.
          rewrite at_q, Fq' in Lo. rewrite !andb_true_iff in Lo. destruct Lo as [_ Lo]. discriminate.
        * cbn in at_q. assert (q' = q) as -> by congruence. destruct Fq as [Fq | [k Fq]]; congruence.
      + split; [exact Rd |]. split; [| split; [apply (fine_new st new _ F); rewrite (fine_whole st new F), app_length; lia | tauto]].
        refine (eq_ind_r (fun l => In l Bs) _ Ks). rewrite EB. unfold a0, at_ in Sh |- *. destruct (first_of i q) as [f |] eqn:Fi; cbn [fst].
        * assert (first q = Some f) as Ff.
          { unfold first_of in Fi. destruct i as [[|] |]; try discriminate. now destruct (template q). }
          rewrite Ff in Tf |- *. rewrite Tf. apply in_app_iff. right.
          assert (existsb (Nat.eqb f) (keys st) = false) as ->; [| now left].
          destruct (existsb (Nat.eqb f) (keys st)) eqn:X; [| reflexivity]. exfalso. apply existsb_in in X.
          unfold keys in X. apply in_map_iff in X. destruct X as ([b y] & Eb & inb). apply filter_In in inb.
          destruct inb as [inb nt]. cbn in Eb, nt. apply negb_true_iff in nt.
          pose proof (fine_addr st new F b y inb nt) as Sb. destruct b as [f' j]. cbn in *. subst f' j.
          unfold look_up in Sh. destruct (find _ (built st)) as [b |] eqn:Fd; [discriminate |].
          apply (find_none _ _ Fd) in inb. cbn [fst] in inb. rewrite (proj2 (addr_eqb_eq _ _) eq_refl) in inb. discriminate.
        * unfold TermBuild.template_at. rewrite at_p. apply in_app_iff. left. unfold there, recorded.
          destruct (template q) eqn:Tq; cbn [negb andb]; [now left |].
          destruct (existsb (Nat.eqb p) (keys st)) eqn:X; [| right; now left]. exfalso. apply existsb_in in X.
          unfold keys in X. apply in_map_iff in X. destruct X as ([b y] & Eb & inb). apply filter_In in inb.
          destruct inb as [inb nt]. cbn in Eb, nt. apply negb_true_iff in nt.
          pose proof (fine_addr st new F b y inb nt) as Sb. destruct b as [p' j]. cbn in *. subst p' j.
          unfold look_up in Sh. destruct (find _ (built st)) as [b |] eqn:Fd; [discriminate |].
          apply (find_none _ _ Fd) in inb. cbn [fst] in inb. try rewrite Tq in inb.
          rewrite (proj2 (addr_eqb_eq _ _) eq_refl) in inb. discriminate.
    - (* a pattern of the target *)
      destruct (first q) as [f |] eqn:F0; [discriminate |].
      pose proof (fresh_bound p q i at_p F0 Src) as G.
      destruct (looked_up pats g M i p q) as [x |] eqn:L.
      { injection E as <- <-. unfold looked_up in L. rewrite G in L.
        assert (outside x /\ Bs = [keys st] /\ ~ calls p) as (ox & -> & nc).
        { destruct (form q) as [| | | | | | | | | | | t a | |] eqn:Fq; try discriminate.
          - injection L as <-. injection T as <-. split; [apply zero_outside |]. split; [reflexivity |].
            intros (q' & o & l & at_q & Fq' & _). congruence.
          - destruct (looks_outside pats deep t) eqn:Lo; [| discriminate]. injection T as <-.
            destruct (value_at pats g M i a) as [[ | | z | | |] |]; try discriminate.
            destruct (z <? 0)%Z; [discriminate |]. unfold instance in L.
            assert (exists s, nth_error pats t = Some s) as [s at_t].
            { unfold looks_outside, with_first in Lo. destruct (nth_error pats t); [eauto |].
              rewrite andb_false_r in Lo. discriminate. }
            rewrite at_t in L. split; [exact (look_outside _ t s x at_t L Lo) |]. split; [reflexivity |].
            intros (q' & o & l & at_q & Fq' & _). congruence. }
        split; [exact R |]. split; [now left |]. split; [exact ox | tauto]. }
      assert (there = true -> In p (keys st)) as th.
      { intros H. unfold there in H. apply andb_true_iff in H. now apply existsb_in. }
      assert (at_ i p q = (p, if template q then i else None)) as A.
      { unfold at_, first_of. rewrite F0. now destruct i as [[|] |], (template q). }
      destruct (look_up addr_eqb (built st) (at_ i p q)) as [x |] eqn:Sh.
      { injection E as <- <-. pose proof (shared_in _ _ _ Sh) as inb. rewrite A in inb.
        destruct (fine_built st new F _ _ inb) as [ox cx]. cbn [fst] in cx.
        split; [exact R |]. split; [| now split].
        destruct (template q) eqn:Tq.
        - assert (there = false) as Th by reflexivity. rewrite Th in T. unfold made in T. rewrite Tq in T.
          destruct (form q); try discriminate;
            repeat match type of T with
                   | (if ?c then _ else _) = _ => destruct c; try discriminate
                   | match ?c with _ => _ end = _ => destruct c; try discriminate
                   end; injection T as <-; now left.
        - assert (there = true) as Th.
          { unfold there. cbn. apply existsb_in. unfold keys. apply in_map_iff. exists (p, None, x).
            split; [reflexivity |]. apply filter_In. split; [exact inb |]. cbn. unfold TermBuild.template_at.
            now rewrite at_p, Tq. }
          rewrite Th in T. destruct (form q); try discriminate;
            repeat match type of T with
                   | (if ?c then _ else _) = _ => destruct c; try discriminate
                   end; injection T as <-; now left. }
      assert (there = false) as Th.
      { destruct there eqn:X; [| reflexivity]. exfalso. unfold there in X. apply andb_true_iff in X. destruct X as [nt X].
        apply negb_true_iff in nt. apply existsb_in in X. now apply (not_shared st new i p q F at_p F0 nt Sh). }
      rewrite Th in T.
      destruct (plan pats g M i q) as [[gs f] |] eqn:Pl; [| discriminate].
      destruct (run fuel st gs) as [[es st1] |] eqn:C; [| discriminate].
      destruct (finished f es (whole st1)) as [[e1 h] |] eqn:Fi; [| discriminate]. injection E as <- <-.
      (* enough: the children, and that the node suits *)
      assert (forall o, made w name p q o (keys st) = Some Bs ->
                (forall Cs, o = Some Cs -> ready st1 /\ In (keys st1) Cs /\ Forall (fun j => outside j) es /\
                   suits f q (whole st1) es) ->
                ready (BState ((at_ i p q, e1) :: built st1) h) /\
                In (keys (BState ((at_ i p q, e1) :: built st1) h)) Bs /\ outside e1 /\ (calls p -> is_call h e1)) as go.
      { intros [Cs |] Md H; [| discriminate]. destruct (H Cs eq_refl) as ([new1 F1] & in1 & out1 & su).
        unfold made in Md.
        destruct (made_ready st1 new1 i p q f es e1 h F1 at_p F0 out1 Fi su) as (Rd & oe & ce & Ks).
        { intros Tq. rewrite Tq in Md. destruct (Nat.eqb_spec (weight_of w name q) 0); [assumption | discriminate]. }
        { intros inp. apply existsb_in in inp. congruence. }
        split; [exact Rd |]. split; [| now split]. rewrite Ks. destruct (template q).
        - destruct (Nat.eqb _ 0); [| discriminate]. injection Md as <-. now right.
        - injection Md as <-. now apply in_map. }
      unfold plan in Pl.
      destruct (form q) as [| | [a |] | o l | l | k [a |] | k [a |] | | l | l | fi le len ix | t a | c k1 k2 | al l] eqn:Fq;
        try discriminate.
      + (* PConst *)
        destruct (value_at pats g M i a) as [v |]; [| discriminate]. destruct (given pats g M i q) as [t |]; [| discriminate].
        injection Pl as <- <-. cbn [collects] in C. injection C as <- <-.
        apply (go _ T). intros Cs H. injection H as <-. split; [exact R |]. split; [now left |]. split; [constructor |].
        cbn. split; [apply Nat.le_0_l | intros o' l' H; congruence].
      + (* PCall *)
        destruct (target_op g M o) as [nm |] eqn:To; [| discriminate].
        destruct (parts pats g M i l) as [gs' |] eqn:Pa; [| discriminate].
        destruct (given pats g M i q) as [vs |]; [| discriminate]. injection Pl as <- <-.
        apply (go _ T). intros Cs H.
        destruct (collects_kids fuel i l gs' st es st1 Cs IH Pa C R H) as (R1 & in1 & out1).
        split; [exact R1 |]. split; [exact in1 |]. split; [exact out1 |]. cbn. split.
        * unfold weigh, weight_of. rewrite Fq. cbn. now rewrite (named p q o l nm at_p Fq To).
        * intros o' l' _. now exists nm.
      + (* PTuple *)
        destruct (parts pats g M i l) as [gs' |] eqn:Pa; [| discriminate]. cbn in Pl. injection Pl as <- <-.
        apply (go _ T). intros Cs H.
        destruct (collects_kids fuel i l gs' st es st1 Cs IH Pa C R H) as (R1 & in1 & out1).
        split; [exact R1 |]. split; [exact in1 |]. split; [exact out1 |]. cbn. split.
        * unfold weigh, weight_of. rewrite Fq. reflexivity.
        * intros o' l' H'. congruence.
      + (* PProj *)
        destruct (value_at pats g M i a) as [[ | | z | | |] |]; try discriminate. injection Pl as <- <-.
        destruct (existsb (Nat.eqb k) sources) eqn:Sk; [discriminate |].
        destruct (nth_error pats k) as [s |] eqn:at_k; [| discriminate].
        destruct (form s) as [| | | o l | | | | | | | | | |] eqn:Fs; try discriminate.
        apply (go _ T). intros Cs H. cbn [collects fst snd] in C.
        destruct (build pats g M fuel i st k) as [[e2 st2] |] eqn:B; [| discriminate]. injection C as <- <-.
        destruct (IH i st k e2 st2 Cs B R H) as (R2 & in2 & out2 & c2).
        split; [exact R2 |]. split; [exact in2 |]. split; [now constructor |]. cbn. split; [| split].
        * intros e0 E0. injection E0 as <-. apply c2. exists s, o, l. split; [exact at_k |]. split; [exact Fs |].
          intros ink. apply existsb_in in ink. congruence.
        * unfold weight_of. rewrite Fq. reflexivity.
        * intros o' l' H'. congruence.
      + (* POptional *)
        destruct (value_at pats g M i a) as [v |]; [| discriminate].
        cbn in Pl. injection Pl as <- <-. cbn [collects] in C. injection C as <- <-.
        apply (go _ T). intros Cs H. injection H as <-. split; [exact R |]. split; [now left |]. split; [constructor |].
        cbn. split; [apply Nat.le_0_l | intros o' l' H; congruence].
      + (* PCond *)
        destruct (value_at pats g M i c) as [[ | b | | | |] |]; try discriminate. injection Pl as <- <-.
        apply (go _ T). intros Cs H. cbn [collects fst snd] in C.
        destruct (build pats g M fuel i st (if b then k1 else k2)) as [[e2 st2] |] eqn:B; [| discriminate].
        injection C as <- <-.
        destruct (either_in _ _ _ _ H (if b then k1 else k2)) as (Ds & Sm & sub); [destruct b; [now left | right; now left] |].
        destruct (IH i st _ e2 st2 Ds B R Sm) as (R2 & in2 & out2 & _).
        split; [exact R2 |]. split; [now apply sub |]. split; [now constructor |]. cbn. intros o' l' H'. congruence.
      + (* PMatch *)
        destruct (look_up Nat.eqb (alts M) al) as [z |]; [| discriminate].
        destruct (nth_error l z) as [kid |] eqn:at_z; [| discriminate]. cbn in Pl. injection Pl as <- <-.
        apply (go _ T). intros Cs H. cbn [collects fst snd] in C.
        destruct (build pats g M fuel i st kid) as [[e2 st2] |] eqn:B; [| discriminate].
        injection C as <- <-.
        destruct (either_in _ _ _ _ H kid) as (Ds & Sm & sub); [now apply nth_error_In in at_z |].
        destruct (IH i st _ e2 st2 Ds B R Sm) as (R2 & in2 & out2 & _).
        split; [exact R2 |]. split; [now apply sub |]. split; [now constructor |]. cbn. intros o' l' H'. congruence.
  Qed.

  Lemma start_ready : ready (BState [] g).
  Proof.
    exists []. constructor; cbn; try easy.
    now rewrite app_nil_r.
  Qed.

  Theorem roots_bounded n es st Bs : build_roots r g M n = Some (es, st) ->
    sim_roots pats sources deep w name (target r) = Some Bs ->
    ready st /\ In (keys st) Bs /\ Forall (fun j => outside j) es.
  Proof.
    unfold build_roots, roots, sim_roots. set (N := List.length pats). pose proof (build_bounded N) as IH.
    intros E T. destruct (target r) as [| p [| p' ps]].
    - exact (collects_turn N None [] IH (BState [] g) es st Bs E start_ready T).
    - unfold variadic in T. destruct (nth_error pats p) as [q |] eqn:at_p.
      + assert (forall R, sims pats sources deep w name N p [] = Some R ->
          collects (fun st x => build pats g M N (fst x) st (snd x)) (BState [] g) [(None, p)] = Some (es, st) ->
          ready st /\ In (keys st) R /\ Forall (fun j => outside j) es) as one.
        { intros R Sm C. cbn [collects fst snd] in C.
          destruct (build pats g M N None (BState [] g) p) as [[e st1] |] eqn:B; [| discriminate]. injection C as <- <-.
          destruct (IH None (BState [] g) p e st1 R B start_ready Sm) as (R1 & in1 & out & _).
          split; [exact R1 |]. split; [exact in1 | now constructor]. }
        destruct (form q); try exact (one Bs T E).
        refine (collects_again N _ [] Bs IH T _ (BState [] g) es st E start_ready _). now apply (again_closed _ _ _ T).
      + cbn in E. injection E as <- <-.
        destruct N; [discriminate |]. cbn in T. rewrite at_p in T. discriminate.
    - exact (collects_turn N None (p :: p' :: ps) IH (BState [] g) es st Bs E start_ready T).
  Qed.
End Built.
