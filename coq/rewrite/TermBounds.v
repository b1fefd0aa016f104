(** * How high what is built can be, and how high what is matched must be

    Both are read off the text of a rule, in terms of the heights of what the leaves of
    the source stand for: [ups] bounds a pattern of the target from above, [downs] one
    of the source from below. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof pattern.Forward pattern.ForwardProof.
From Calque Require Import rewrite.Rewrite rewrite.Check rewrite.Facts rewrite.Sound.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild rewrite.TermBuildProof rewrite.TermHeight.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** The height of the node of a leaf, or 0, and so many more. *)
Definition bound_ := (option nat * nat)%type.

Definition bump (c : nat) (l : list bound_) : list bound_ := map (fun b => (fst b, snd b + c)) l.

Definition covers (D : list bound_) (b : bound_) : bool :=
  existsb (fun d => inst_eqb (fst d) (fst b) && Nat.leb (snd b) (snd d)) D.

Section Text.
  Variable pats : list pattern.
  Variable sources : list nat.
  Variables (far : nat) (deep : string -> bool) (name : string).

  Definition plain_at (p : nat) : bool :=
    Nat.ltb p far && match nth_error pats p with
                     | Some q => negb (template q) && match first q with None => true | Some _ => false end
                     | None => false
                     end.

  Definition flat_leaf (p : nat) : bool :=
    plain_at p && match nth_error pats p with
                  | Some q => match form q with PVariable | PConst _ => true | _ => false end
                  | None => false
                  end.

  Definition call_cost (o : opref) : nat := if deep (call_name name o) then 1 else 0.

  Definition listed (l : list nat) : bool :=
    match l with [v] => match variadic pats v with Some _ => false | None => true end | _ => true end.

  Fixpoint ups (n : nat) (p : nat) : option (list bound_) :=
    match n, nth_error pats p with
    | S n', Some q =>
        let all l := option_map (@List.concat bound_) (traverse (ups n') l) in
        if existsb (Nat.eqb p) sources then
          if plain_at p then
            match form q with
            | PVariable | PConst _ => Some []
            | PWildcard => Some [(Some p, 0)]
            | POptional k _ => Some (if flat_leaf k then [] else [(Some p, 0)])
            | _ => None
            end
          else None
        else
          match form q with
          | PNone | PConst _ | POptional _ _ => Some []
          | PCall o l => if listed l then option_map (fun U => (None, call_cost o) :: bump (call_cost o) U) (all l) else None
          | PTuple l => if listed l then all l else None
          | PProj k _ => ups n' k
          | PCond _ a b => all [a; b]
          | PMatch _ l => all l
          | _ => None
          end
    | _, _ => None
    end.

  Fixpoint downs (n : nat) (i : option nat) (p : nat) : list bound_ :=
    match n, nth_error pats p with
    | S n', Some q =>
        if is_inst q then [] else
        match first_of i q with
        | Some f => downs n' None f
        | None =>
            match form q with
            | PWildcard | PVariable | PConst _ | POptional _ _ => if template q then [] else [(Some p, 0)]
            | PCall o l =>
                if listed l then (None, call_cost o) :: flat_map (fun k => bump (call_cost o) (downs n' i k)) l else []
            | PTuple l => if listed l then flat_map (downs n' i) l else []
            | PProj k _ => downs n' i k
            | PAlt (k :: l) => filter (fun b => forallb (fun k' => covers (downs n' i k') b) l) (downs n' i k)
            | _ => []
            end
        end
    | _, _ => []
    end.
End Text.

Section Bounds.
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (outputs : list nat).
  Notation pats := (patterns r).
  Hypothesis ok : ordered pats.
  Variables (M : mstate) (outs : list nat).
  Hypothesis K : known commutes r g outputs M outs.
  Hypothesis grounded_g : grounded g.
  Variables (deep : string -> bool) (name : string).
  Hypothesis named : forall p q o l s, nth_error pats p = Some q -> form q = PCall o l -> target_op g M o = Some s ->
    s = call_name name o.
  Notation sources := (reached_sources r).
  Notation far := (depth r).

  (** The graph with the target behind it. *)
  Variables (F new : tgraph).
  Hypothesis F_is : F = g ++ new.
  Hypothesis wf_F : wf F.
  Hypothesis firsts : forall p q, nth_error pats p = Some q -> first q = None.

  Notation H := (height deep F).

  Definition value_of (b : bound_) : nat :=
    match fst b with None => 0 | Some x => H (node_at M (x, None)) end + snd b.

  Definition peak (U : list bound_) : nat := greatest (map value_of U).

  Lemma g_lt x n : nth_error g x = Some n -> nth_error F x = Some n.
  Proof. intros at_x. rewrite F_is, nth_error_app1; [exact at_x |]. apply nth_error_Some. congruence. Qed.

  Lemma grounded_F : grounded F.
  Proof. destruct grounded_g as (t & a & E). exists t, a. now apply g_lt. Qed.

  Lemma H_zero : H 0 = 0.
  Proof. exact (height_zero deep F wf_F grounded_F). Qed.

  Lemma H_flat x n : nth_error F x = Some n -> is_op (what (op n)) = false -> H x = 0.
  Proof. intros at_x O. rewrite (height_at deep F x n wf_F at_x). unfold node_height. now rewrite O. Qed.

  Lemma value_bump c b : value_of (fst b, snd b + c) = value_of b + c.
  Proof. unfold value_of. cbn. lia. Qed.

  Lemma peak_bump c V : c + peak V <= peak ((None, c) :: bump c V).
  Proof.
    assert (forall b U, peak (b :: U) = Nat.max (value_of b) (peak U)) as pc by reflexivity.
    assert (value_of (None, c) = c) as vc by reflexivity.
    assert (peak V + c <= Nat.max c (peak (bump c V))) as X; [| rewrite pc, vc; lia].
    induction V as [| b V IH]; [unfold peak; cbn; lia |].
    change (bump c (b :: V)) with ((fst b, snd b + c) :: bump c V). rewrite !pc, value_bump. lia.
  Qed.

  Lemma peak_app U V : peak (U ++ V) = Nat.max (peak U) (peak V).
  Proof.
    unfold peak, greatest. rewrite map_app, fold_right_app.
    induction U as [| b U IH]; cbn; [lia |]. rewrite IH. lia.
  Qed.

  Lemma covers_le D b e : covers D b = true -> (forall d, In d D -> value_of d <= e) -> value_of b <= e.
  Proof.
    unfold covers. intros C all. apply existsb_exists in C. destruct C as (d & ind & C). apply andb_true_iff in C.
    destruct C as [Ek le]. apply Nat.leb_le in le. specialize (all d ind). unfold value_of in *.
    destruct (fst d) as [x |], (fst b) as [y |]; cbn in Ek; try discriminate; [apply Nat.eqb_eq in Ek; subst |]; lia.
  Qed.

  (** ** From below *)

  Lemma plain_node i p q e : nth_error pats p = Some q -> template q = false -> first q = None ->
    get M (at_ i p q) = Some e -> node_at M (p, None) = e.
  Proof.
    intros at_p T F0 G. unfold node_at. assert (at_ i p q = (p, None)) as A.
    { unfold at_, first_of. rewrite F0, T. now destruct i as [[|] |]. }
    rewrite A in G. now rewrite G.
  Qed.

  Theorem downs_le n : forall i p e, p < far -> sees pats M i p e ->
    forall b, In b (downs pats deep name n i p) -> value_of b <= H e.
  Proof.
    induction n as [| n IH]; intros i p e lt D b inb; [easy |]. cbn [downs] in inb.
    destruct (nth_error pats p) as [q |] eqn:at_p; [| easy].
    destruct (is_inst q) eqn:I; [easy |].
    destruct (first_of i q) as [f |] eqn:Fi.
    { destruct (sees_first r ok M i p q f e at_p I Fi D) as [ltf Df]. apply (IH None f e); [lia | exact Df | exact inb]. }
    destruct (sees_fits commutes r g outputs M outs K i p q e lt at_p I Fi D) as [G (m & at_e & X)].
    pose proof (g_lt e m at_e) as at_F. pose proof (proj1 (ok p q at_p)) as less.
    assert (In b (if template q then [] else [(Some p, 0)]) -> value_of b <= H e) as leaf.
    { destruct (template q) eqn:T; [easy |]. intros [<- | []]. unfold value_of. cbn [fst snd].
      unfold node_at. unfold inst_of in G. rewrite T in G. rewrite G. lia. }
    unfold fits_node in X.
    assert (forall c l es', is_op (what (op m)) = true -> c <= cost deep (what (op m)) -> listed pats l = true ->
      kids_at pats M i l es' -> (forall k, In k l -> k < p) -> (forall x, In x es' -> x = 0 \/ In x (args m)) ->
      In b (flat_map (fun k => bump c (downs pats deep name n i k)) l) -> value_of b <= H e) as kids.
    { intros c l es' O lc Ls KA below as_ inf. apply in_flat_map in inf. destruct inf as (k & ink & inf).
      unfold bump in inf. apply in_map_iff in inf. destruct inf as (d & <- & ind). rewrite value_bump.
      assert (Forall2 (sees pats M i) l es') as F2.
      { unfold kids_at, listed in *. destruct l as [| v [| w l]]; try exact KA. now destruct (variadic pats v). }
      apply In_nth_error in ink. destruct ink as [z at_z].
      assert (exists x, In x es' /\ sees pats M i k x) as (x & inx & Dx).
      { clear - F2 at_z. revert z at_z. induction F2 as [| k' x l es here _ IHF]; intros [| z] at_z; try discriminate.
        - injection at_z as ->. exists x. split; [now left | exact here].
        - destruct (IHF z at_z) as (x' & inx & Dx). exists x'. split; [now right | exact Dx]. }
      assert (value_of d <= H x).
      { apply (IH i k x); [| exact Dx | exact ind]. specialize (below k (nth_error_In _ _ at_z)). lia. }
      pose proof (height_arg deep F wf_F grounded_F e m x at_F O (as_ x inx)). lia. }
    destruct (form q) as [| | | o l | l | k c | k d | | l | | f least len index | | |] eqn:Fq;
      try (now apply leaf); try easy; cbn [children] in less.
    - destruct X as (nm & a1 & es' & W & Op & C & ord & KA).
      assert (nm = call_name name o) as En.
      { destruct o as [s | k]; cbn in Op |- *; [now symmetry |]. destruct Op as (y & Gy & Ny).
        apply (named p q (OPat k) l nm at_p Fq). cbn. now rewrite Gy. }
      assert (cost deep (what (op m)) = call_cost deep name o) as Ec by (unfold cost, call_cost; now rewrite W, En).
      destruct (listed pats l) eqn:Ls; [| easy]. destruct inb as [<- | inb].
      + unfold value_of. cbn [fst snd plus]. rewrite <- Ec.
        rewrite (height_at deep F e m wf_F at_F). unfold node_height. rewrite W. cbn [is_op]. lia.
      + apply (kids (call_cost deep name o) l es'); try assumption; [now rewrite W | lia | |].
        * intros k ink. apply less. destruct o; [exact ink | now right].
        * intros x inx. exact (call_args commutes pats g l (args m) a1 nm x es' C ord inx).
    - destruct X as [W KA]. destruct (listed pats l) eqn:Ls; [| easy].
      apply (kids 0 l (args m)); try assumption; [now rewrite W | lia | now right |].
      apply in_flat_map in inb. destruct inb as (k & ink & inb). apply in_flat_map. exists k. split; [exact ink |].
      unfold bump. apply in_map_iff. exists b. split; [rewrite Nat.add_0_r; now destruct b | exact inb].
    - destruct X as (z & x & W & A & Dx).
      assert (value_of b <= H x) by (apply (IH i k x); [specialize (less k (or_introl eq_refl)); lia | exact Dx | exact inb]).
      assert (is_op (what (op m)) = true) as O by now rewrite W.
      pose proof (height_arg deep F wf_F grounded_F e m x at_F O) as HA. rewrite A in HA.
      specialize (HA (or_intror (or_introl eq_refl))). lia.
    - destruct X as (z & k & at_k & Dx & _). destruct l as [| k0 l]; [destruct inb |].
      apply filter_In in inb. destruct inb as [in0 rest]. rewrite forallb_forall in rest.
      destruct z as [| z]; cbn in at_k.
      + injection at_k as ->. apply (IH i k e); [specialize (less k (or_introl eq_refl)); lia | exact Dx | exact in0].
      + apply nth_error_In in at_k. apply (covers_le _ b (H e) (rest k at_k)).
        intros d ind. apply (IH i k e); [specialize (less k (or_intror at_k)); lia | exact Dx | exact ind].
  Qed.

  (** ** From above *)

  Lemma collects_grow {A B} (f : bstate -> A -> option (B * bstate)) :
    (forall st a b st', f st a = Some (b, st') -> exists x, whole st' = whole st ++ x) ->
    forall l st bs st', collects f st l = Some (bs, st') -> exists x, whole st' = whole st ++ x.
  Proof.
    intros one. induction l as [| a l IH]; intros st bs st' E; cbn in E.
    - injection E as _ <-. exists []. now rewrite app_nil_r.
    - destruct (f st a) as [[b st1] |] eqn:Fa; [| discriminate].
      destruct (collects f st1 l) as [[cs st2] |] eqn:C; [| discriminate]. injection E as _ <-.
      destruct (one _ _ _ _ Fa) as [x Ex]. destruct (IH _ _ _ C) as [y Ey]. exists (x ++ y).
      rewrite Ey, Ex. now rewrite app_assoc.
  Qed.

  Lemma build_grows fuel : forall i st p e st', build pats g M fuel i st p = Some (e, st') ->
    exists x, whole st' = whole st ++ x.
  Proof.
    induction fuel as [| fuel IH]; intros i st p e st' E; [discriminate |]. cbn [build] in E.
    destruct (nth_error pats p) as [q |]; [| discriminate].
    destruct (looked_up pats g M i p q); [injection E as _ <-; exists []; now rewrite app_nil_r |].
    destruct (look_up addr_eqb (built st) (at_ i p q)); [injection E as _ <-; exists []; now rewrite app_nil_r |].
    destruct (plan pats g M i q) as [[gs f] |]; [| discriminate].
    destruct (collects (fun st x => build pats g M fuel (fst x) st (snd x)) st gs) as [[es st1] |] eqn:C; [| discriminate].
    destruct (finished f es (whole st1)) as [[e1 h] |] eqn:Fi; [| discriminate]. injection E as _ <-. cbn [whole].
    destruct (collects_grow _ (fun st a b st' => IH (fst a) st (snd a) b st') _ _ _ _ C) as [x Ex].
    assert (exists y, h = whole st1 ++ y) as [y ->].
    { destruct f as [o | | k]; cbn in Fi.
      - injection Fi as _ <-. now eexists.
      - destruct es as [| e0 [| ? ?]]; try discriminate. injection Fi as _ <-. exists []. now rewrite app_nil_r.
      - destruct es as [| e0 [| ? ?]]; try discriminate. destruct (nth_error (whole st1) e0) as [n |]; [| discriminate].
        destruct (what (op n)); try (injection Fi as _ <-; now eexists).
        destruct (k <? 0)%Z; [discriminate |]. destruct (nth_error (args n) (Z.to_nat k)); [| discriminate].
        injection Fi as _ <-. exists []. now rewrite app_nil_r. }
    exists (x ++ y). rewrite Ex. now rewrite app_assoc.
  Qed.

  Definition up (p e : nat) : Prop := forall n U, ups pats sources far deep name n p = Some U -> H e <= peak U.

  (** Every new call is that of a pattern. *)
  Definition calls_known (st : bstate) : Prop :=
    forall i m s, List.length g <= i -> nth_error (whole st) i = Some m -> what (op m) = KCall s ->
      exists a o l q, In (a, i) (built st) /\ nth_error pats (fst a) = Some q /\ form q = PCall o l /\
        s = call_name name o.

  Record high (st : bstate) : Prop := High {
    high_up : forall a e, In (a, e) (built st) -> up (fst a) e;
    high_calls : calls_known st
  }.

  Definition prefix (st : bstate) : Prop := exists z, F = whole st ++ z.

  Definition goes_up (fuel : nat) : Prop := forall i st p e st',
    build pats g M fuel i st p = Some (e, st') -> prefix st' -> high st -> up p e /\ high st'.

  Lemma prefix_back st st' x : whole st' = whole st ++ x -> prefix st' -> prefix st.
  Proof. intros E [z Z]. exists (x ++ z). rewrite Z, E. now rewrite <- app_assoc. Qed.

  Lemma collects_up fuel : goes_up fuel -> forall gs st es st',
    collects (fun st x => build pats g M fuel (fst x) st (snd x)) st gs = Some (es, st') -> prefix st' -> high st ->
    Forall2 (fun x e => up (snd x) e) gs es /\ high st'.
  Proof.
    intros IH. induction gs as [| x gs IHg]; intros st es st' E P Hi; cbn [collects] in E.
    - injection E as <- <-. split; [constructor | exact Hi].
    - destruct (build pats g M fuel (fst x) st (snd x)) as [[e st1] |] eqn:B; [| discriminate].
      destruct (collects _ st1 gs) as [[es1 st2] |] eqn:C; [| discriminate]. injection E as <- <-.
      destruct (collects_grow _ (fun st a b st' => build_grows fuel (fst a) st (snd a) b st') _ _ _ _ C) as [y Ey].
      destruct (IH _ _ _ _ _ B (prefix_back _ _ _ Ey P) Hi) as [u1 h1].
      destruct (IHg st1 es1 st2 C P h1) as [us h2]. split; [now constructor | exact h2].
  Qed.

  Lemma traverse_ups n l Us es : traverse (ups pats sources far deep name n) l = Some Us ->
    Forall2 (fun k e => up k e) l es -> forall e, In e es -> H e <= peak (List.concat Us).
  Proof.
    intros T F2. revert Us T. induction F2 as [| k e l es u _ IH]; intros Us T x inx; [easy |]. cbn in T.
    destruct (ups pats sources far deep name n k) as [U |] eqn:Ek; [| discriminate].
    destruct (traverse _ l) as [Vs |] eqn:El; [| discriminate]. injection T as <-. cbn [List.concat]. rewrite peak_app.
    destruct inx as [<- | inx]; [specialize (u n U Ek); lia |]. specialize (IH Vs eq_refl x inx). lia.
  Qed.

  Lemma look_up_low i p q x : nth_error pats p = Some q -> existsb (Nat.eqb p) sources = true ->
    looked_up pats g M i p q = Some x -> up p x.
  Proof.
    intros at_p Src L n U E. destruct n as [| n]; [discriminate |]. cbn [ups] in E. rewrite at_p, Src in E.
    destruct (plain_at pats far p) eqn:Pl; [| discriminate]. unfold plain_at in Pl. rewrite at_p in Pl.
    rewrite !andb_true_iff in Pl. destruct Pl as [lt [T F0]]. apply Nat.ltb_lt in lt. apply negb_true_iff in T.
    destruct (first q) eqn:F0'; [discriminate |].
    assert (forall j y, get M (at_ j p q) = Some y -> fits commutes pats g M j p q y) as fit_.
    { intros j y G. assert (first_of j q = None) as Fj by (unfold first_of; rewrite F0', T; now destruct j as [[|] |]).
      rewrite at_own in G by exact Fj. exact (known_fit commutes r g outputs M outs K j p q y lt at_p Fj G). }
    unfold looked_up in L. destruct (get M (at_ i p q)) as [y |] eqn:G.
    - pose proof (plain_node i p q y at_p T F0' G) as Ny. destruct (fit_ i y G) as (m & at_y & X). unfold fits_node in X.
      assert (value_of (Some p, 0) = H y) as Vy by (unfold value_of; cbn [fst snd]; now rewrite Ny, Nat.add_0_r).
      assert (forall z, z = y -> H z <= peak [(Some p, 0)]) as self.
      { intros z ->. unfold peak. cbn [map greatest fold_right]. rewrite Vy. lia. }
      destruct (form q) as [| | | o l | l | k c | k d | | l | | f least len index | | |] eqn:Fq; try discriminate.
      + injection E as <-. injection L as <-. now apply self.
      + injection E as <-. injection L as <-. destruct X as [_ [[z W] | (z & v & W)]];
          rewrite (H_flat y m (g_lt y m at_y)); try apply Nat.le_0_l; now rewrite W.
      + injection E as <-. injection L as <-. destruct X as (z & v & W).
        rewrite (H_flat y m (g_lt y m at_y)); try apply Nat.le_0_l; now rewrite W.
      + injection E as <-. assert (x = y) as ->.
        { destruct d as [a |]; [| now injection L]. rewrite at_y in L. destruct (present m); [now injection L | discriminate]. }
        destruct (flat_leaf pats far k) eqn:Fl; [| now apply self].
        assert (H y = 0) as ->; [| apply Nat.le_0_l].
        destruct (present m) eqn:Pm; [| apply (H_flat y m (g_lt y m at_y)); unfold present in Pm; now destruct (what (op m))].
        specialize (X eq_refl). unfold flat_leaf, plain_at in Fl.
        destruct (nth_error pats k) as [s |] eqn:at_k; [| now rewrite andb_false_r in Fl].
        rewrite !andb_true_iff in Fl. destruct Fl as [[ltk [Tk Fk]] fm]. apply Nat.ltb_lt in ltk. apply negb_true_iff in Tk.
        destruct (first s) eqn:Fs; [discriminate |].
        destruct (X s at_k) as [I | Gk]; [unfold is_inst in I; now destruct (form s) |].
        assert (first_of i s = None) as Fi by (unfold first_of; rewrite Fs, Tk; now destruct i as [[|] |]).
        rewrite at_own in Gk by exact Fi.
        destruct (known_fit commutes r g outputs M outs K i k s y ltk at_k Fi Gk) as (m' & at_y' & X').
        assert (m' = m) as -> by congruence. unfold fits_node in X'.
        apply (H_flat y m (g_lt y m at_y)).
        destruct (form s); try discriminate.
        * destruct X' as [_ [[z W] | (z & v & W)]]; now rewrite W.
        * destruct X' as (z & v & W). now rewrite W.
    - destruct (form q); try discriminate.
  Qed.

  Lemma addr_fst i p q : nth_error pats p = Some q -> fst (at_ i p q) = p.
  Proof. intros at_p. unfold at_, first_of. rewrite (firsts p q at_p). now destruct i as [[|] |], (template q). Qed.

  Theorem build_up fuel : goes_up fuel.
  Proof.
    induction fuel as [| fuel IH]; intros i st p e st' E P Hi; [discriminate |]. cbn [build] in E.
    destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate].
    destruct (looked_up pats g M i p q) as [x |] eqn:L.
    { injection E as <- <-. split; [| exact Hi].
      destruct (existsb (Nat.eqb p) sources) eqn:Src; [now apply (look_up_low i p q x) |].
      pose proof (firsts p q at_p) as F0.
      pose proof (fresh_bound commutes r g outputs M outs K p q i at_p F0 Src) as G. unfold looked_up in L. rewrite G in L.
      intros n U Eu. destruct n as [| n]; [discriminate |]. cbn [ups] in Eu. rewrite at_p, Src in Eu.
      destruct (form q); try discriminate. injection L as <-. rewrite H_zero. apply Nat.le_0_l. }
    destruct (look_up addr_eqb (built st) (at_ i p q)) as [x |] eqn:Sh.
    { injection E as <- <-. split; [| exact Hi]. pose proof (high_up st Hi _ _ (shared_in _ _ _ Sh)) as u.
      now rewrite (addr_fst i p q at_p) in u. }
    destruct (plan pats g M i q) as [[gs f] |] eqn:Pl; [| discriminate].
    destruct (collects (fun st x => build pats g M fuel (fst x) st (snd x)) st gs) as [[es st1] |] eqn:C; [| discriminate].
    destruct (finished f es (whole st1)) as [[e1 h] |] eqn:Fi; [| discriminate]. injection E as <- <-.
    assert (forall extra, h = whole st1 ++ extra -> high st1 -> up p e1 ->
      (forall j m s, nth_error extra j = Some m -> what (op m) = KCall s ->
         e1 = List.length (whole st1) + j /\ exists o l, form q = PCall o l /\ s = call_name name o) ->
      up p e1 /\ high (BState ((at_ i p q, e1) :: built st1) h)) as go.
    { intros extra Eh h1 u cl. split; [exact u |]. constructor.
      - intros a x [E | ina]; [| now apply (high_up st1 h1)]. injection E as <- <-. now rewrite (addr_fst i p q at_p).
      - intros j m s le at_j W. cbn [whole built] in *. rewrite Eh in at_j.
        destruct (Nat.lt_ge_cases j (List.length (whole st1))) as [lt | ge_].
        + rewrite nth_error_app1 in at_j by exact lt.
          destruct (high_calls st1 h1 j m s le at_j W) as (a & o & l & q' & ina & rest). exists a, o, l, q'. split; [now right | exact rest].
        + rewrite nth_error_app2 in at_j by exact ge_. destruct (cl _ m s at_j W) as (E1 & o & l & Fq & Es).
          exists (at_ i p q), o, l, q. rewrite (addr_fst i p q at_p).
          split; [left; f_equal; lia |]. now repeat split. }
    (* the new node, in the whole graph *)
    assert (forall n, h = whole st1 ++ [n] -> nth_error F (List.length (whole st1)) = Some n) as new_at.
    { intros n Eh. destruct P as [z Z]. cbn [whole] in Z. rewrite Z, Eh, <- app_assoc.
      rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. }
    assert (forall e2, (exists x, h = whole st1 ++ x) -> nth_error (whole st1) e2 <> None -> nth_error F e2 = nth_error (whole st1) e2) as old_at.
    { intros e2 [x Ex] nn. destruct P as [z Z]. cbn [whole] in Z. rewrite Z, Ex, <- app_assoc.
      rewrite nth_error_app1; [reflexivity | now apply nth_error_Some]. }
    assert (exists x, h = whole st1 ++ x) as grow_.
    { destruct f as [o | | k]; cbn in Fi.
      - injection Fi as _ <-. now eexists.
      - destruct es as [| e0 [| ? ?]]; try discriminate. injection Fi as _ <-. exists []. now rewrite app_nil_r.
      - destruct es as [| e0 [| ? ?]]; try discriminate. destruct (nth_error (whole st1) e0) as [n |]; [| discriminate].
        destruct (what (op n)); try (injection Fi as _ <-; now eexists).
        destruct (k <? 0)%Z; [discriminate |]. destruct (nth_error (args n) (Z.to_nat k)); [| discriminate].
        injection Fi as _ <-. exists []. now rewrite app_nil_r. }
    assert (prefix st1) as P1.
    { destruct grow_ as [x Ex]. apply (prefix_back st1 (BState ((at_ i p q, e1) :: built st1) h) x Ex P). }
    destruct (collects_up fuel IH gs st es st1 C P1 Hi) as [us h1].
    assert (forall v t, f = new_const v t -> up p e1 /\ high (BState ((at_ i p q, e1) :: built st1) h)) as const.
    { intros v t ->. cbn in Fi. injection Fi as <- <-. apply (go _ eq_refl h1).
      - intros n U _. rewrite (H_flat _ _ (new_at _ eq_refl)); [apply Nat.le_0_l | reflexivity].
      - intros [| j] m s at_j W; [injection at_j as <-; discriminate | now destruct j]. }
    assert (forall l, gs = map (pair i) l -> Forall2 (fun k e => up k e) l es) as listed_.
    { intros l ->. clear - us. remember (map (pair i) l) as gs eqn:Eg. revert l Eg.
      induction us as [| x e gs es u _ IHu]; intros [| k l] Eg; try discriminate; constructor.
      - injection Eg as -> _. exact u.
      - apply IHu. now injection Eg. }
    assert (forall l, parts pats g M i l = Some gs -> listed pats l = true -> gs = map (pair i) l) as plain.
    { intros l Pa Ls. unfold parts, listed, variadic in *. destruct l as [| v [| w l]]; try now injection Pa as <-.
      destruct (nth_error pats v) as [qv |]; [| discriminate].
      destruct (form qv); try discriminate; now injection Pa as <-. }
    assert (forall k, f = FSame -> gs = [(i, k)] -> (forall o l, form q <> PCall o l) ->
              (forall n U, ups pats sources far deep name n p = Some U -> exists n' V, ups pats sources far deep name n' k = Some V /\
                 peak V <= peak U) -> up p e1 /\ high (BState ((at_ i p q, e1) :: built st1) h)) as one.
    { intros k -> -> nc sub. inversion us as [| ? e0 ? es' u0 us']; subst. inversion us'; subst. cbn in Fi. injection Fi as <- <-.
      apply (go []); [now rewrite app_nil_r | exact h1 | | intros [| j] m s at_j; discriminate].
      intros n U Eu. destruct (sub n U Eu) as (n' & V & Ev & le). specialize (u0 n' V Ev). lia. }
    assert (forall n l U, existsb (Nat.eqb p) sources = false ->
              option_map (@List.concat bound_) (traverse (ups pats sources far deep name n) l) = Some U ->
              forall k, In k l -> exists n' V, ups pats sources far deep name n' k = Some V /\ peak V <= peak U) as among.
    { intros n l U _ Eu. destruct (traverse _ l) as [Us |] eqn:T; [| discriminate]. injection Eu as <-.
      revert Us T. induction l as [| k0 l IHl]; intros Us T k ink; [easy |]. cbn in T.
      destruct (ups pats sources far deep name n k0) as [V0 |] eqn:E0; [| discriminate].
      destruct (traverse _ l) as [Vs |]; [| discriminate]. injection T as <-. cbn [List.concat].
      destruct ink as [<- | ink].
      - exists n, V0. split; [exact E0 |]. rewrite peak_app. lia.
      - destruct (IHl Vs eq_refl k ink) as (n' & V & Ev & le). exists n', V. split; [exact Ev |]. rewrite peak_app. lia. }
    assert (forall n U, ups pats sources far deep name n p = Some U ->
              existsb (Nat.eqb p) sources = false \/ match form q with PVariable | PConst _ | PWildcard | POptional _ _ => True | _ => False end)
      as src.
    { intros n U Eu. destruct n as [| n]; [discriminate |]. cbn [ups] in Eu. rewrite at_p in Eu.
      destruct (existsb (Nat.eqb p) sources); [| now left]. right. destruct (plain_at pats far p); [| discriminate].
      destruct (form q); try discriminate; exact I. }
    unfold plan in Pl.
    destruct (form q) as [| | [a |] | o l | l | k [a |] | k [a |] | | l | l | fi le ix | t a | c k1 k2 | al l] eqn:Fq;
      try discriminate.
    - destruct (value_at pats g M i a) as [v |]; [| discriminate]. destruct (given pats g M i q) as [t |]; [| discriminate].
      injection Pl as _ <-. now apply (const v t).
    - destruct (target_op g M o) as [nm |] eqn:To; [| discriminate].
      destruct (parts pats g M i l) as [gs' |] eqn:Pa; [| discriminate].
      destruct (given pats g M i q) as [vs |]; [| discriminate]. injection Pl as -> <-. cbn in Fi. injection Fi as <- <-.
      pose proof (named p q o l nm at_p Fq To) as En.
      apply (go _ eq_refl h1).
      + intros n U Eu. destruct (src n U Eu) as [Src | []]. destruct n as [| n]; [discriminate |]. cbn [ups] in Eu.
        rewrite at_p, Src, Fq in Eu. destruct (listed pats l) eqn:Ls; [| discriminate].
        destruct (traverse _ l) as [Us |] eqn:T in Eu; [| discriminate]. cbn [option_map] in Eu. injection Eu as <-.
        pose proof (new_at _ eq_refl) as at_F. rewrite (height_at deep F _ _ wf_F at_F). unfold node_height. cbn [what op args is_op cost].
        transitivity (call_cost deep name o + peak (List.concat Us)); [| apply peak_bump].
        apply Nat.add_le_mono; [unfold call_cost; now rewrite En |]. apply greatest_le. intros y iny.
        apply in_map_iff in iny. destruct iny as (x & <- & inx).
        exact (traverse_ups n l Us es T (listed_ l (plain l Pa Ls)) x inx).
      + intros [| j] m s at_j W; [| now destruct j]. injection at_j as <-. cbn in W. injection W as <-.
        split; [now rewrite Nat.add_0_r |]. exists o, l. now split.
    - destruct (parts pats g M i l) as [gs' |] eqn:Pa; [| discriminate]. cbn in Pl. injection Pl as -> <-.
      cbn in Fi. injection Fi as <- <-. apply (go _ eq_refl h1).
      + intros n U Eu. destruct (src n U Eu) as [Src | []]. destruct n as [| n]; [discriminate |]. cbn [ups] in Eu.
        rewrite at_p, Src, Fq in Eu. destruct (listed pats l) eqn:Ls; [| discriminate].
        pose proof (new_at _ eq_refl) as at_F. rewrite (height_at deep F _ _ wf_F at_F). unfold node_height. cbn [what op args is_op cost plus].
        apply greatest_le. intros y iny. apply in_map_iff in iny. destruct iny as (x & <- & inx).
        destruct (traverse _ l) as [Us |] eqn:T in Eu; [| discriminate]. injection Eu as <-.
        exact (traverse_ups n l Us es T (listed_ l (plain l Pa Ls)) x inx).
      + intros [| j] m s at_j W; [| now destruct j]. injection at_j as <-. discriminate.
    - destruct (value_at pats g M i a) as [[ | | z | | |] |]; try discriminate. injection Pl as <- <-.
      inversion us as [| ? e0 ? es' u0 us']; subst. inversion us'; subst. cbn [snd] in u0. cbn in Fi.
      destruct (nth_error (whole st1) e0) as [n0 |] eqn:at_0; [| discriminate].
      assert (nth_error F e0 = Some n0) as at_F0 by (rewrite old_at; [exact at_0 | exact grow_ | congruence]).
      assert (forall y, H y <= H e0 -> up p y) as upy.
      { intros y le n U Eu. destruct (src n U Eu) as [Src | []]. destruct n as [| n]; [discriminate |]. cbn [ups] in Eu.
        rewrite at_p, Src, Fq in Eu. specialize (u0 n U Eu). lia. }
      assert (forall z', whole st1 ++ [Node (Oper (KProj z') [] []) [e0]] = h -> e1 = List.length (whole st1) ->
                up p e1 /\ high (BState ((at_ i p q, e1) :: built st1) h)) as proj.
      { intros z' Eh ->. apply (go _ (eq_sym Eh) h1).
        - apply upy. rewrite (height_at deep F _ _ wf_F (new_at _ (eq_sym Eh))). unfold node_height. cbn. lia.
        - intros [| j] m s at_j W; [| now destruct j]. injection at_j as <-. discriminate. }
      destruct (what (op n0)) eqn:W0; try (injection Fi as <- <-; now apply (proj z)).
      destruct (z <? 0)%Z; [discriminate |]. destruct (nth_error (args n0) (Z.to_nat z)) as [c |] eqn:at_c; [| discriminate].
      injection Fi as <- <-. apply (go []); [now rewrite app_nil_r | exact h1 | | intros [| j] m s at_j; discriminate].
      apply upy. pose proof (height_arg deep F wf_F grounded_F e0 n0 c at_F0) as X.
      rewrite W0 in X. specialize (X eq_refl (or_intror (nth_error_In _ _ at_c))). lia.
    - destruct (value_at pats g M i a) as [v |]; [| discriminate]. cbn in Pl. injection Pl as _ <-. now apply (const v []).
    - destruct (value_at pats g M i c) as [[ | b | | | |] |]; try discriminate. injection Pl as <- <-.
      apply (one (if b then k1 else k2) eq_refl eq_refl); [intros; congruence |].
      intros n U Eu. destruct (src n U Eu) as [Src | []]. destruct n as [| n]; [discriminate |]. cbn [ups] in Eu.
      rewrite at_p, Src, Fq in Eu. apply (among n _ U Src Eu). destruct b; [now left | right; now left].
    - destruct (look_up Nat.eqb (alts M) al) as [z |]; [| discriminate].
      destruct (nth_error l z) as [kid |] eqn:at_z; [| discriminate]. cbn in Pl. injection Pl as <- <-.
      apply (one kid eq_refl eq_refl); [intros; congruence |].
      intros n U Eu. destruct (src n U Eu) as [Src | []]. destruct n as [| n]; [discriminate |]. cbn [ups] in Eu.
      rewrite at_p, Src, Fq in Eu. apply (among n _ U Src Eu). now apply nth_error_In in at_z.
  Qed.
End Bounds.
