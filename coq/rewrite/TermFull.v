(** * [full_element_wise] makes the measure smaller

    The operator that is built reads a constant where the one that it replaces read an operator; what else it reads is
    the same.  The rest of the measure stays or falls ([stays_text]): a ConstantOfShape that others read stays. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof pattern.Forward.
From Calque Require Import rewrite.Rewrite rewrite.Check rewrite.Facts rewrite.Sound rewrite.Library.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild rewrite.TermStep rewrite.TermReads rewrite.TermFix rewrite.Termination.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Notation full := rule_text_full_element_wise.

Theorem full_stays : stays_text full = true.
Proof. vm_compute. reflexivity. Qed.

Section Match.
  Variable commutes : string -> bool.
  Variables (g : tgraph) (outputs : list nat).
  Hypothesis ground : grounded g.
  Variables (M : mstate) (outs : list nat).
  Hypothesis K : known commutes full g outputs M outs.
  Notation pats := (patterns full).

  Lemma unbound p : existsb (Nat.eqb p) (reached_sources full) = false -> get M (p, None) = None.
  Proof.
    intros N. destruct (get M (p, None)) as [e |] eqn:G; [| reflexivity].
    apply (known_only commutes full g outputs M outs K) in G. cbn [fst] in G.
    assert (existsb (Nat.eqb p) (reached_sources full) = true); [| congruence].
    apply existsb_exists. exists p. split; [exact G | apply Nat.eqb_refl].
  Qed.

  Lemma seen p e : sees pats M None p e -> match nth_error pats p with
    Some q => negb (is_inst q) && match first q with None => true | Some _ => false end | None => false end = true ->
    get M (p, None) = Some e.
  Proof.
    intros D T. destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate]. apply andb_true_iff in T.
    destruct T as [I F]. destruct (D q at_p) as [C | G]; [rewrite C in I; discriminate |].
    unfold at_ in G. cbn in G. now destruct (template q).
  Qed.

  Lemma fitting p q e : nth_error pats p = Some q -> get M (p, None) = Some e ->
    exists n, nth_error g e = Some n /\ fits_node commutes pats g M None p q e n.
  Proof.
    intros at_p G. assert (p < List.length pats) as lt by (apply nth_error_Some; congruence).
    refine (known_fit commutes full g outputs M outs K None p q e lt at_p eq_refl _).
    unfold inst_of. now destruct (template q).
  Qed.

  (** A pattern of an application. *)
  Lemma call_op p o l q e : nth_error pats p = Some q -> form q = PCall o l -> get M (p, None) = Some e -> op_at g e = true.
  Proof.
    intros at_p Fq G. destruct (fitting p q e at_p G) as (n & at_e & X). unfold fits_node in X. rewrite Fq in X.
    destruct X as (s & _ & _ & W & _). unfold op_at. now rewrite at_e, W.
  Qed.

  Lemma scalar_op e : sees pats M None 9 e -> op_at g e = true.
  Proof.
    intros D. apply seen in D; [| reflexivity]. destruct (fitting 9 _ e eq_refl D) as (n & at_e & k & kid & at_k & D' & _).
    destruct k as [| [| [| [| k]]]]; [| | | | destruct k; discriminate at_k]; injection at_k as <-;
      (apply seen in D'; [| reflexivity]);
      [| now apply (call_op 6 _ _ _ e eq_refl eq_refl) | now apply (call_op 7 _ _ _ e eq_refl eq_refl)
       | now apply (call_op 8 _ _ _ e eq_refl eq_refl)].
    destruct (fitting 5 _ e eq_refl D') as (n' & at_e' & k & kid & at_k & D2 & _).
    destruct k as [| [| k]]; [| | destruct k; discriminate at_k]; injection at_k as <-; (apply seen in D2; [| reflexivity]);
      [now apply (call_op 3 _ _ _ e eq_refl eq_refl) | now apply (call_op 4 _ _ _ e eq_refl eq_refl)].
  Qed.

  (** What the operator that is matched reads. *)
  Lemma source_reads p q l e : nth_error pats p = Some q -> form q = PCall (OPat 10) l -> l = [0; 9] \/ l = [9; 0] ->
    get M (p, None) = Some e ->
    exists x, get M (0, None) = Some x /\ x < List.length g /\ reads g e = (if op_at g x then 1 else 0) + 1.
  Proof.
    intros at_p Fq El G. destruct (fitting p q e at_p G) as (n & at_e & X). unfold fits_node in X. rewrite Fq in X.
    destruct X as (s & es & es' & W & _ & Ci & Or & Ka).
    assert (exists x y, sees pats M None 0 x /\ sees pats M None 9 y /\ op_reads g es' = (if op_at g x then 1 else 0) + (if op_at g y then 1 else 0)) as (x & y & Dx & Dy & Es).
    { destruct El as [-> | ->]; unfold kids_at in Ka;
        inversion Ka as [| ? a ? l1 Da Ka1]; subst; inversion Ka1 as [| ? b ? l2 Db Ka2]; subst; inversion Ka2; subst.
      - exists a, b. split; [exact Da |]. split; [exact Db |]. unfold op_reads, total. simpl. lia.
      - exists b, a. split; [exact Db |]. split; [exact Da |]. unfold op_reads, total. simpl. lia. }
    assert (fit g 2 (args n) = Some es) as Fi by (destruct El as [-> | ->]; exact Ci).
    apply (op_reads_orders commutes g s) in Or. apply (op_reads_fit g 2 _ _ ground) in Fi.
    apply seen in Dx; [| reflexivity]. exists x. split; [exact Dx |].
    destruct (fitting 0 _ x eq_refl Dx) as (nx & at_x & _). split; [apply nth_error_Some; congruence |].
    unfold reads. rewrite at_e, <- Fi, <- Or, Es, (scalar_op y Dy). reflexivity.
  Qed.
  (** *** What is built *)

  Lemma build_new fuel st p q : nth_error pats p = Some q -> existsb (Nat.eqb p) (reached_sources full) = false ->
    match form q with PNone | PInst _ _ => false | _ => true end = true -> first q = None -> built st = [] ->
    build pats g M (S fuel) None st p =
      match plan pats g M None q with
      | Some (gs, f) => match collects (fun st x => build pats g M fuel (fst x) st (snd x)) st gs with
                        | Some (es, st1) => match finished f es (whole st1) with
                                            | Some (e, h) => Some (e, BState ((at_ None p q, e) :: built st1) h)
                                            | None => None
                                            end
                        | None => None
                        end
      | None => None
      end.
  Proof.
    intros at_p N Fq F0 Em. cbn [build]. rewrite at_p.
    assert (looked_up pats g M None p q = None) as ->; [| now rewrite Em].
    unfold looked_up. assert (get M (at_ None p q) = None) as ->.
    { unfold at_. cbn. replace (if template q then None else None) with (@None nat) by now destruct (template q). now apply unbound. }
    now destruct (form q).
  Qed.

  Lemma build_bound fuel st x : get M (0, None) = Some x -> build pats g M (S fuel) None st 0 = Some (x, st).
  Proof.
    intros G. cbn [build]. change (nth_error pats 0) with (Some (Pattern PWildcard [] false false None)).
    unfold looked_up. change (get M (at_ None 0 _)) with (get M (0, None)). now rewrite G.
  Qed.

  Lemma const_built fuel e st : build pats g M (S fuel) None (BState [] g) 14 = Some (e, st) ->
    exists o k, whole st = g ++ [Node o []] /\ what o = KConst 0 k /\ e = List.length g.
  Proof.
    rewrite (build_new fuel (BState [] g) 14 _ eq_refl eq_refl eq_refl eq_refl eq_refl). unfold plan. cbn [form].
    destruct (value_at pats g M None _) as [v |]; [| discriminate]. destruct (given pats g M None _) as [t |]; [| discriminate].
    cbn [collects finished new_const]. intros E. injection E as <- <-. now exists (Oper (KConst 0 (Some v)) t []), (Some v).
  Qed.

  Lemma call_built fuel p q l e st x : nth_error pats p = Some q -> form q = PCall (OPat 10) l -> first q = None ->
    existsb (Nat.eqb p) (reached_sources full) = false -> l = [0; 14] \/ l = [14; 0] -> get M (0, None) = Some x ->
    build pats g M (S (S fuel)) None (BState [] g) p = Some (e, st) ->
    exists o k o' es, whole st = g ++ [Node o []; Node o' es] /\ what o = KConst 0 k /\
      (es = [x; List.length g] \/ es = [List.length g; x]).
  Proof.
    intros at_p Fq F0 N El G. rewrite (build_new (S fuel) (BState [] g) p q at_p N ltac:(now rewrite Fq) F0 eq_refl).
    unfold plan. rewrite Fq. destruct (target_op g M (OPat 10)) as [nm |]; [| discriminate].
    assert (parts pats g M None l = Some (map (pair None) l)) as -> by (destruct El as [-> | ->]; reflexivity).
    destruct (given pats g M None q) as [t |]; [| discriminate].
    destruct El as [-> | ->]; cbn [map collects fst snd]; rewrite (build_bound fuel _ x G) || idtac;
      destruct (build pats g M (S fuel) None (BState [] g) 14) as [[c st1] |] eqn:B; try discriminate;
      [| rewrite (build_bound fuel _ x G)];
      destruct (const_built fuel c st1 B) as (o & k & Ws & Wo & ->); cbn [finished]; intros E; injection E as _ <-;
      cbn [whole]; rewrite Ws, <- app_assoc; do 4 eexists; (split; [reflexivity |]); (split; [exact Wo |]); auto.
  Qed.

  Lemma target_reads es st new x : get M (0, None) = Some x -> x < List.length g ->
    build_roots full g M (List.length outs) = Some (es, st) -> whole st = g ++ new ->
    total (reads (whole st)) (seq (List.length g) (List.length new)) <= if op_at g x then 1 else 0.
  Proof.
    intros G lt B W.
    unfold build_roots in B. change (roots full (List.length outs)) with [(@None nat, 17)] in B. cbn [collects fst snd] in B.
    destruct (build pats g M (List.length pats) None (BState [] g) 17) as [[e1 st1] |] eqn:B1; [| discriminate]. injection B as _ ->.
    change (List.length pats) with 18 in B1. rewrite (build_new 17 (BState [] g) 17 _ eq_refl eq_refl eq_refl eq_refl eq_refl) in B1.
    unfold plan in B1. cbn [form] in B1. destruct (look_up Nat.eqb (alts M) 13) as [k |]; [| discriminate].
    assert (exists p, (p = 15 \/ p = 16) /\ option_map (fun kid => ([(@None nat, kid)], FSame)) (nth_error [15; 16] k) = Some ([(None, p)], FSame))
      as (p & Ep & Eq).
    { destruct k as [| [| k]]; [exists 15; auto | exists 16; auto | destruct k; discriminate]. }
    rewrite Eq in B1. cbn [collects fst snd] in B1.
    destruct (build pats g M 17 None (BState [] g) p) as [[e2 st2] |] eqn:B2; [| discriminate].
    cbn [finished] in B1. injection B1 as _ <-. cbn [whole] in *.
    assert (exists o k o' es, whole st2 = g ++ [Node o []; Node o' es] /\ what o = KConst 0 k /\
              (es = [x; List.length g] \/ es = [List.length g; x])) as (o & v & o' & es' & Ws & Wo & Ees).
    { destruct Ep as [-> | ->].
      - exact (call_built 15 15 _ [0; 14] e2 st2 x eq_refl eq_refl eq_refl eq_refl (or_introl eq_refl) G B2).
      - exact (call_built 15 16 _ [14; 0] e2 st2 x eq_refl eq_refl eq_refl eq_refl (or_intror eq_refl) G B2). }
    rewrite Ws in W |- *. apply app_inv_head in W. subst new. cbn [List.length seq].
    assert (op_at (g ++ [Node o []; Node o' es']) (List.length g) = false) as Oc.
    { unfold op_at. rewrite nth_error_app2, Nat.sub_diag by lia. cbn. now rewrite Wo. }
    assert (reads (g ++ [Node o []; Node o' es']) (List.length g) = 0) as R1.
    { unfold reads. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. }
    assert (reads (g ++ [Node o []; Node o' es']) (S (List.length g)) = op_reads (g ++ [Node o []; Node o' es']) es') as R2.
    { unfold reads. rewrite nth_error_app2 by lia. replace (S (List.length g) - List.length g) with 1 by lia. reflexivity. }
    unfold total. cbn [map list_sum fold_right]. rewrite R1, R2. unfold op_reads, total.
    destruct Ees as [-> | ->]; cbn [map list_sum fold_right]; rewrite Oc, op_at_app by exact lt; lia.
  Qed.
End Match.

Theorem full_reads_fewer commutes : reads_fewer commutes full.
Proof.
  intros g outputs M outs es st new ok ground K B W l inl musts_.
  assert (exists p e q ks, In (p, None) l /\ nth_error (patterns full) p = Some q /\ form q = PCall (OPat 10) ks /\
            (ks = [0; 9] \/ ks = [9; 0]) /\ get M (p, None) = Some e) as (p & e & q & ks & inp & at_p & Fq & Ek & Ge).
  { assert (In (11, None) l \/ In (12, None) l) as [H | H].
    { assert (forallb (fun l => existsb (fun a => if addr_dec a (11, None) then true else false) l ||
                                existsb (fun a => if addr_dec a (12, None) then true else false) l) (uses full) = true) as T
        by (vm_compute; reflexivity).
      rewrite forallb_forall in T. specialize (T l inl). apply orb_true_iff in T.
      destruct T as [T | T]; apply existsb_exists in T; destruct T as (a & ina & E); destruct (addr_dec a _) as [-> |]; try discriminate; auto. }
    - destruct (musts_ _ H) as (_ & _ & e & _ & G & _). exists 11, e. do 2 eexists. repeat split; try eassumption; try reflexivity. now left.
    - destruct (musts_ _ H) as (_ & _ & e & _ & G & _). exists 12, e. do 2 eexists. repeat split; try eassumption; try reflexivity. now right. }
  destruct (source_reads commutes g outputs ground M outs K p q ks e at_p Fq Ek Ge) as (x & Gx & ltx & Re).
  assert (e < List.length g) as lte.
  { destruct (fitting commutes g outputs M outs K p q e at_p Ge) as (n & at_e & _). apply nth_error_Some. congruence. }
  pose proof (target_reads commutes g outputs M outs K es st new x Gx ltx B W) as N.
  assert (reads (whole st) e <= total (fun a => reads (whole st) (node_at M a)) l) as U.
  { clear - inp Ge. induction l as [| a l IH]; [easy |]. rewrite total_cons. destruct inp as [-> | inp].
    - unfold node_at at 1. rewrite Ge. lia.
    - specialize (IH inp). lia. }
  rewrite W, reads_app, Re in U by assumption. rewrite W in N |- *. lia.
Qed.

Theorem full_falls commutes : falls commutes measure full.
Proof. exact (stays_text_right commutes full full_stays (full_reads_fewer commutes)). Qed.
