(** * What a match uses up

    Read off the text of a rule: which addresses every match binds, whatever the
    alternatives ([musts]).  Applications at different addresses are different nodes,
    used inside the match only, so that a rewrite leaves none of them. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require Import pattern.Forward pattern.ForwardProof rewrite.Check rewrite.Settled.
From Calque Require Import rewrite.Rewrite rewrite.Facts rewrite.Sound rewrite.SoundRule.
Import ListNotations.
Open Scope nat_scope.

(** ** Choices side by side *)

Definition joined {A} (ls : list (list (list A))) : list (list A) :=
  fold_right (fun ways acc => flat_map (fun way => map (app way) acc) ways) [[]] ls.

Lemma joined_some {A} (P : A -> Prop) (ls : list (list (list A))) :
  (forall ways, In ways ls -> exists l, In l ways /\ forall a, In a l -> P a) ->
  exists l, In l (joined ls) /\ forall a, In a l -> P a.
Proof.
  induction ls as [| ways ls IH]; intros H; cbn.
  - exists []. split; [now left | easy].
  - destruct (H ways (or_introl eq_refl)) as (l & inl & Pl).
    destruct IH as (m & inm & Pm); [intros w inw; apply H; now right |].
    exists (l ++ m). split.
    + apply in_flat_map. exists l. split; [exact inl | now apply in_map].
    + intros a ina. apply in_app_iff in ina. destruct ina; auto.
Qed.

Section Musts.
  Variable pats : list pattern.

  Fixpoint musts (n : nat) (i : option nat) (p : nat) : list (list addr) :=
    match n, nth_error pats p with
    | S n', Some q =>
        if is_inst q then [[]] else
        match first_of i q with
        | Some f => musts n' None f
        | None =>
            let own := if application q then [(p, inst_of i q)] else [] in
            let kids l := match l, match l with [v] => variadic pats v | _ => None end with
                          | [_], Some _ => [own]
                          | _, _ => map (app own) (joined (map (musts n' i) l))
                          end in
            match form q with
            | PCall _ l | PTuple l => kids l
            | PProj k _ => map (app own) (musts n' i k)
            | PAlt l => flat_map (musts n' i) l
            | _ => [[]]
            end
        end
    | _, _ => [[]]
    end.

  (** An application of its own, whatever the alternative. *)
  Fixpoint rooted (n : nat) (i : option nat) (p : nat) : bool :=
    match n, nth_error pats p with
    | S n', Some q =>
        negb (is_inst q) &&
        match first_of i q with
        | Some f => rooted n' None f
        | None =>
            match form q with
            | PCall _ _ | PTuple _ | PProj _ _ => application q
            | PAlt l => forallb (rooted n' i) l
            | _ => false
            end
        end
    | _, _ => false
    end.
End Musts.

Definition is_op (k : kind) : bool := match k with KCall _ | KTuple | KProj _ => true | _ => false end.

(** The goals of [n] outputs. *)
Definition source_goals (r : rule) (n : nat) : list bgoal :=
  match output_field r with
  | Some f => map (fun k => (Some k, f)) (seq 0 n)
  | None => map (pair None) (source r)
  end.

Section Known.
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (outputs : list nat).
  Notation pats := (patterns r).
  Hypothesis ok : ordered pats.
  Hypothesis layers : forall q, In q pats -> layered pats q = true.
  Hypothesis wf_g : wf g.

  Definition op_node (x : nat) : Prop := exists n, nth_error g x = Some n /\ is_op (what (op n)) = true.

  (** An address is bound once, to a node of the graph; an application to one that is computed. *)
  Definition neat (M : mstate) : Prop :=
    forall a x, In (a, x) (bound M) -> get M a = Some x /\ x < List.length g /\
      forall q, nth_error pats (fst a) = Some q -> application q = true -> op_node x.

  Record known (M : mstate) (outs : list nat) : Prop := Known {
    known_fit : all_fit commutes pats g (depth r) M;
    known_outs : Forall2 (fun x o => sees pats M (fst x) (snd x) o) (source_goals r (List.length outs)) outs;
    known_only : forall a e, get M a = Some e -> In (fst a) (reached_sources r);
    known_one : one_to_one pats (bound M);
    known_neat : neat M;
    known_use : use_holds r g outputs M outs;
    known_many : forall p q f least len index, source r = [p] -> nth_error pats p = Some q ->
      form q = PVariadic f least len index -> Nat.max 1 least <= List.length outs;
    known_single : forall p, source r = [p] -> output_field r = None ->
      exists o, outs = [o] /\ pm commutes pats g None empty p o M
  }.

  Hypothesis sources_lt : forall p, In p (source r) -> p < List.length pats.

  Lemma pm_one i M p e M' : pm commutes pats g i M p e M' -> one_to_one pats (bound M) -> one_to_one pats (bound M').
  Proof.
    intros H One. apply (pmatch_iff commutes pats g ok (S p)) in H; [| lia].
    exact (pmatch_keeps commutes pats g (S p) i M p e M' H One).
  Qed.

  Lemma put_neat M a e : neat M -> get M a = None -> e < List.length g ->
    (forall q, nth_error pats (fst a) = Some q -> application q = true -> op_node e) -> neat (put M a e).
  Proof.
    intros N G lt app b x [E | inb].
    - injection E as <- <-. split; [apply get_put_same | now split].
    - destruct (N b x inb) as [Gb ltx]. split; [| exact ltx]. rewrite get_put_other; [exact Gb |].
      intros ->. congruence.
  Qed.

  Lemma step_op i p e M q n M1 gs : nth_error g e = Some n -> step commutes pats g i p e M q n M1 gs ->
    application q = true -> op_node e.
  Proof.
    intros at_e H A. exists n. split; [exact at_e |]. unfold application in A. unfold is_op.
    destruct H as [F P | F L W | a k v F W | F P |
      o kids nm M1 es es' M2 gs F W A' C ord G | kids M2 gs F W G |
      field least len index M2 gs F W G | kid a k x F W L | kid d F P | kid d F P |
      kids k kid F at_k]; rewrite F in A; try discriminate; now rewrite W.
  Qed.

  Lemma bound_neat M N : bound M = bound N -> neat N -> neat M.
  Proof. intros E H a x ina. rewrite (get_bound M N a E). apply H. now rewrite <- E. Qed.

  Lemma step_neat i p e M q n M1 gs : e < List.length g ->
    step commutes pats g i p e M q n M1 gs -> neat M -> neat M1.
  Proof.
    intros lt H N.
    destruct H as [F P | F L W | a k v F W | F P |
      o kids nm M1 es es' M2 gs F W A C ord G | kids M2 gs F W G |
      field least len index M2 gs F W G | kid a k x F W L | kid d F P | kid d F P |
      kids k kid F at_k]; try exact N; try (apply goals_bound in G; apply (bound_neat _ _ G)); try exact N.
    unfold op_allows in A. destruct o as [s | k].
    - destruct (String.eqb s nm); [| discriminate]. now injection A as <-.
    - destruct (get M (k, None)) as [x |] eqn:Gk.
      + destruct (name_of g x); [| discriminate]. destruct (String.eqb _ _); [| discriminate]. now injection A as <-.
      + destruct (nth_error pats k) as [s |] eqn:at_s; [| discriminate]. destruct (form s) eqn:Fs; try discriminate.
        destruct (existsb _ _); [| discriminate]. injection A as <-. apply put_neat; try assumption.
        intros q' at_k A'. cbn in at_k. assert (q' = s) as -> by congruence. unfold application in A'. now rewrite Fs in A'.
  Qed.

  Lemma pmatch_neat fuel : forall i M p e M', In M' (pmatch commutes pats g fuel i M p e) -> neat M -> neat M'.
  Proof.
    induction fuel as [| fuel IH]; intros i M p e M'; [easy |]. cbn [pmatch].
    destruct (nth_error pats p) as [q |] eqn:at_p; [| easy].
    destruct (nth_error g e) as [n |] eqn:at_e; [| easy].
    destruct (get M (at_ i p q)) as [e' |] eqn:G.
    { destruct (Nat.eqb e' e); [| easy]. now intros [<- | []]. }
    destruct (is_instance pats g i M q e); [now intros [<- | []] |].
    destruct (first_of i q) as [f |] eqn:Fi; [apply IH |].
    destruct (injective pats M q e); [| easy].
    intros H N. apply in_flat_map in H. destruct H as ([M1 gs] & way & rest). apply expand_iff in way.
    assert (e < List.length g) as lt by (apply nth_error_Some; congruence).
    refine (threads_keep _ neat _ _ _ _ rest _).
    - intros s [[j k] x] t. apply IH.
    - apply (step_neat _ _ _ _ _ _ _ _ lt way). apply put_neat; try assumption.
      intros q' at_q A. unfold at_ in at_q. rewrite Fi in at_q. cbn in at_q.
      assert (q' = q) as -> by congruence. exact (step_op _ _ _ _ _ _ _ _ at_e way A).
  Qed.

  Lemma pm_neat i M p e M' : pm commutes pats g i M p e M' -> neat M -> neat M'.
  Proof.
    intros H N. apply (pmatch_iff commutes pats g ok (S p)) in H; [| lia]. exact (pmatch_neat (S p) i M p e M' H N).
  Qed.

  Lemma empty_neat : neat empty.
  Proof. intros a x []. Qed.

  Theorem known_at e M outs : e < List.length g ->
    rule_at commutes r g outputs (seq 0 (List.length g)) e = Some (M, outs) -> known M outs.
  Proof.
    intros lt H. assert (In e (seq 0 (List.length g))) as ine by (apply in_seq; lia).
    pose proof (rule_at_sound commutes r g outputs wf_g ok _ e M outs ine H) as [_ [use _]].
    pose proof (reached_sources_closed r ok sources_lt) as closed.
    assert (output_field r = None -> all_fit commutes pats g (List.length pats) M ->
              only (fun p => In p (reached_sources r)) M -> one_to_one pats (bound M) -> neat M ->
              (forall p q f least len index, source r = [p] -> nth_error pats p = Some q ->
                 form q = PVariadic f least len index -> False) ->
              (forall p, source r = [p] -> exists o, outs = [o] /\ pm commutes pats g None empty p o M) ->
              Forall2 (sees pats M None) (source r) outs -> known M outs) as plain.
    { intros O F On One Ne no sing D. constructor; try assumption.
      - unfold depth. now rewrite O.
      - unfold source_goals. rewrite O. clear - D. induction D; constructor; assumption.
      - intros p q f least len index E at_p Fq. elim (no _ _ _ _ _ _ E at_p Fq).
      - intros p E _. now apply sing. }
    unfold rule_at in H.
    assert (forall ps, source r = ps -> output_field r = None ->
              (forall p q f least len index, source r = [p] -> nth_error pats p = Some q ->
                 form q = PVariadic f least len index -> False) -> (forall p, ps <> [p]) ->
              hd_error (multi_at commutes r g outputs (seq 0 (List.length g)) ps e) = Some (M, outs) ->
              known M outs) as several.
    { intros ps E O no ns X.
      assert (In (M, outs) (multi_at commutes r g outputs (seq 0 (List.length g)) ps e)) as inm
        by (destruct (multi_at commutes r g outputs (seq 0 (List.length g)) ps e); [discriminate | injection X as ->; now left]).
      apply multi_match_sound in inm; [| exact wf_g | exact ok]. destruct inm as [inm _].
      destruct (several_fit commutes pats g ok layers empty ps outs M inm (all_fit_empty commutes pats g _)) as [F D].
      apply plain; try assumption.
      - apply (several_only commutes pats g ok _ empty ps outs M closed inm); [| apply only_empty].
        intros p inp. apply source_reached. now rewrite E.
      - destruct inm as [_ th].
        refine (thread_keeps _ (fun N => one_to_one pats (bound N)) _ _ empty M th I).
        intros s [p x] t _ here One. exact (pm_one _ _ _ _ _ here One).
      - destruct inm as [_ th].
        refine (thread_keeps _ neat _ _ empty M th empty_neat).
        intros s [p x] t _ here Ne. exact (pm_neat _ _ _ _ _ here Ne).
      - intros p Ep. elim (ns p). congruence.
      - now rewrite E. }
    destruct (source r) as [| p [| p' ps]] eqn:Src.
    - apply (several []); try assumption; try reflexivity; [unfold output_field; now rewrite Src | discriminate | discriminate].
    - destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate].
      assert (match form q with PVariadic _ _ _ _ => True | _ => False end \/
              match form q with PVariadic _ _ _ _ => False | _ => True end) as [V | V] by (destruct (form q); tauto).
      + destruct (form q) as [| | | | | | | | | | field least len index | | |] eqn:Fq; try easy.
        assert (output_field r = Some field) as O.
        { unfold output_field, variadic. now rewrite Src, at_p, Fq. }
        pose proof H as H0.
        apply variadic_sound in H; [| exact wf_g | exact ok | exact ine].
        destruct H as ((M' & Br & ->) & _ & many & _).
        destruct (branches_fit commutes pats g ok layers field outs M' p Br) as [F D];
          [exists q; split; [exact at_p | rewrite Fq; now left] |].
        assert (0 < List.length outs) as some.
        { unfold variadic_at in H0. destruct (branch _ _ _ _ _ _ _ _ _) as [M0 |] eqn:B; [| discriminate].
          apply branch_some in B; [| exact wf_g | exact ok]. destruct B as (_ & pm0 & _).
          pose proof (grow_ok commutes r g outputs wf_g ok (seq 0 (List.length g)) field
            (List.length (seq 0 (List.length g))) M0 [e]) as G.
          destruct (grow _ _ _ _ _ _ _ _ _) as [M1 outs1].
          destruct (Nat.leb _ _ && _) in H0; [| discriminate]. injection H0 as _ <-.
          destruct G as (_ & _ & _ & (more & ->) & _).
          - apply (branches_snoc commutes r g field [] empty e M0); [constructor | exact pm0].
          - repeat constructor. easy.
          - intros x [<- | []]. exact ine.
          - simpl. lia.
          - rewrite app_length. simpl. lia. }
        constructor.
        * unfold depth. now rewrite O.
        * unfold source_goals. rewrite O.
          assert (forall l k, (forall j x, nth_error l j = Some x ->
                    sees pats (put_len M' p (List.length outs)) (Some (k + j)) field x) ->
                  Forall2 (fun a o => sees pats (put_len M' p (List.length outs)) (fst a) (snd a) o)
                    (map (fun k => (Some k, field)) (seq k (List.length l))) l) as go.
          { induction l as [| x l IH]; intros k Dl; simpl; constructor.
            - specialize (Dl 0 x eq_refl). now rewrite Nat.add_0_r in Dl.
            - apply IH. intros j y at_j. specialize (Dl (Datatypes.S j) y at_j). now rewrite <- Nat.add_succ_comm in Dl. }
          apply (go outs 0). intros j x at_j. now apply D.
        * intros a x G. apply (branches_only commutes pats g ok (fun p => In p (reached_sources r)) field outs M' closed Br)
            with (e := x); [| exact G]. apply (proj1 (closed p q (source_reached r p ltac:(rewrite Src; now left)) at_p)).
          rewrite Fq. now left.
        * cbn [put_len bound].
          refine (thread_keeps _ (fun N => one_to_one pats (bound N)) _ _ empty M' Br I).
          intros s [k x] t _ here One. exact (pm_one _ _ _ _ _ here One).
        * apply (bound_neat _ M'); [reflexivity |].
          refine (thread_keeps _ neat _ _ empty M' Br empty_neat).
          intros s [k x] t _ here Ne. exact (pm_neat _ _ _ _ _ here Ne).
        * exact use.
        * intros p' q' f' least' len' index' E at_p' Fq'. rewrite Src in E. injection E as <-.
          assert (q' = q) as -> by congruence. rewrite Fq in Fq'. injection Fq' as <- <- <- <-. lia.
        * intros p' _ O'. congruence.
      + assert (option_map (fun M => (M, [e])) (match_at commutes r g outputs p e) = Some (M, outs)) as H'
          by (destruct (form q); easy). clear H.
        destruct (match_at commutes r g outputs p e) as [M' |] eqn:A; [| discriminate]. injection H' as -> <-.
        apply match_sound in A; [| exact wf_g | exact ok]. destruct A as [A _].
        destruct (one_fits commutes pats g ok layers p e M A) as [F D].
        apply plain; try assumption.
        * unfold output_field, variadic. rewrite Src, at_p. now destruct (form q).
        * apply (pm_only commutes pats g ok _ closed p None empty e M A); [| apply only_empty].
          apply source_reached. rewrite Src. now left.
        * exact (pm_one _ _ _ _ _ A I).
        * exact (pm_neat _ _ _ _ _ A empty_neat).
        * intros p' q' f' least' len' index' E at_p' Fq'. injection E as <-.
          assert (q' = q) as -> by congruence. now rewrite Fq' in V.
        * intros p' E. injection E as <-. now exists e.
        * constructor; [exact D | constructor].
    - apply (several (p :: p' :: ps)); try assumption; try reflexivity; [unfold output_field; now rewrite Src | discriminate | discriminate].
  Qed.

  (** ** What is bound for certain *)

  Section Bound.
    Variables (M : mstate) (outs : list nat).
    Hypothesis K : known M outs.

    Lemma get_in a e : get M a = Some e -> In (a, e) (bound M).
    Proof.
      unfold get, look_up. destruct (find _ (bound M)) as [[b x] |] eqn:F; [| discriminate].
      intros H. injection H as ->. apply find_some in F. destruct F as [inb E]. cbn in E.
      apply addr_eqb_eq in E. now subst.
    Qed.

    (** An application is bound at [a]. *)
    Definition must (a : addr) : Prop :=
      exists i q x, a = (fst a, inst_of i q) /\ get M a = Some x /\ nth_error pats (fst a) = Some q /\
        application q = true /\ fits commutes pats g M i (fst a) q x.

    Lemma sees_first i p q f e : nth_error pats p = Some q -> is_inst q = false -> first_of i q = Some f ->
      sees pats M i p e -> f < p /\ sees pats M None f e.
    Proof.
      intros at_p I Fi D. assert (first q = Some f) as Ff.
      { unfold first_of in Fi. destruct i as [[|] |]; try discriminate. now destruct (template q). }
      split; [now apply (proj2 (ok p q at_p)) |]. intros qf at_f. right.
      destruct (D q at_p) as [C | G]; [congruence |]. unfold at_ in G. rewrite Fi in G.
      unfold at_. cbn. now destruct (template qf).
    Qed.

    Lemma sees_fits i p q e : p < depth r -> nth_error pats p = Some q -> is_inst q = false -> first_of i q = None ->
      sees pats M i p e -> get M (p, inst_of i q) = Some e /\ fits commutes pats g M i p q e.
    Proof.
      intros lt at_p I Fi D. destruct (D q at_p) as [C | G]; [congruence |]. rewrite at_own in G by exact Fi.
      split; [exact G |]. now apply (known_fit M outs K).
    Qed.

    Lemma musts_bound n : forall i p e, p < depth r -> sees pats M i p e ->
      exists l, In l (musts pats n i p) /\ forall a, In a l -> must a.
    Proof.
      assert (exists l : list addr, In l [[]] /\ forall a, In a l -> must a) as none
        by (exists []; split; [now left | easy]).
      induction n as [| n IH]; intros i p e lt D; [exact none |]. cbn [musts].
      destruct (nth_error pats p) as [q |] eqn:at_p; [| exact none].
      destruct (is_inst q) eqn:I; [exact none |].
      destruct (first_of i q) as [f |] eqn:Fi.
      { destruct (sees_first i p q f e at_p I Fi D) as [ltf Df]. apply (IH None f e); [lia | exact Df]. }
      destruct (sees_fits i p q e lt at_p I Fi D) as [G F].
      set (own := if application q then [(p, inst_of i q)] else []).
      assert (forall a, In a own -> must a) as mine.
      { unfold own. destruct (application q) eqn:A; [| easy]. intros a [<- | []]. exists i, q, e. now repeat split. }
      pose proof (proj1 (ok p q at_p)) as less.
      destruct F as (m & at_e & X). unfold fits_node in X.
      assert (forall l es, kids_at pats M i l es -> (forall k, In k l -> k < p) ->
        exists ls, In ls (match l, match l with [v] => variadic pats v | _ => None end with
                          | [_], Some _ => [own]
                          | _, _ => map (app own) (joined (map (musts pats n i) l))
                          end) /\ forall a, In a ls -> must a) as kids.
      { intros l es KA below.
        assert (Forall2 (sees pats M i) l es ->
          exists ls, In ls (map (app own) (joined (map (musts pats n i) l))) /\ forall a, In a ls -> must a) as many.
        { intros F2. destruct (joined_some must (map (musts pats n i) l)) as (ls & inl & Pl).
          - intros ways inw. apply in_map_iff in inw. destruct inw as (k & <- & ink).
            assert (exists x, sees pats M i k x) as [x Dx].
            { clear - F2 ink. induction F2 as [| k' x l es here _ IHF]; [easy |].
              destruct ink as [-> | ink]; [now exists x | now apply IHF]. }
            apply (IH i k x); [specialize (below k ink); lia | exact Dx].
          - exists (own ++ ls). split; [now apply in_map |]. intros a ina. apply in_app_iff in ina.
            destruct ina; auto. }
        unfold kids_at in KA. destruct l as [| v [| w l]]; try (now apply many).
        destruct (variadic pats v); [| now apply many]. exists own. split; [now left | exact mine]. }
      destruct (form q) as [| | | o l | l | k c | k d | | l | | f least len index | | |] eqn:Fq;
        try exact none; cbn [children] in less.
      - destruct X as (name & es & es' & _ & _ & _ & _ & KA). apply (kids l es' KA).
        intros k ink. apply less. destruct o; [exact ink | now right].
      - destruct X as [_ KA]. now apply (kids l (args m) KA).
      - destruct X as (z & x & _ & _ & Dx). destruct (IH i k x) as (ls & inl & Pl); [specialize (less k (or_introl eq_refl)); lia | exact Dx |].
        exists (own ++ ls). split; [now apply in_map |]. intros a ina. apply in_app_iff in ina. destruct ina; auto.
      - destruct X as (z & k & at_k & Dx & _). apply nth_error_In in at_k.
        destruct (IH i k e) as (ls & inl & Pl); [specialize (less k at_k); lia | exact Dx |].
        exists ls. split; [| exact Pl]. apply in_flat_map. now exists k.
    Qed.

    Lemma must_inside a x : must a -> get M a = Some x -> inside r M x.
    Proof.
      intros (i & q & x' & _ & G & at_a & A & _) G'. assert (x' = x) as -> by congruence.
      exists a, q. split; [now apply get_in | now split].
    Qed.

    Lemma inside_must x : inside r M x -> exists a q, get M a = Some x /\ nth_error pats (fst a) = Some q /\
      application q = true /\ x < List.length g /\ op_node x.
    Proof.
      intros (a & q & ina & at_a & A). destruct (known_neat M outs K a x ina) as (G & lt & op_).
      exists a, q. repeat split; try assumption. now apply (op_ q).
    Qed.

    Lemma rooted_inside n : forall i p e, p < depth r -> sees pats M i p e -> rooted pats n i p = true -> inside r M e.
    Proof.
      induction n as [| n IH]; intros i p e lt D H; [discriminate |]. cbn [rooted] in H.
      destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate].
      apply andb_true_iff in H. destruct H as [I H]. apply negb_true_iff in I.
      destruct (first_of i q) as [f |] eqn:Fi.
      { destruct (sees_first i p q f e at_p I Fi D) as [ltf Df]. apply (IH None f e); [lia | exact Df | exact H]. }
      destruct (sees_fits i p q e lt at_p I Fi D) as [G F].
      pose proof (proj1 (ok p q at_p)) as less.
      assert (application q = true -> inside r M e) as mine.
      { intros A. exists (p, inst_of i q), q. split; [now apply get_in | now split]. }
      destruct F as (m & at_e & X). unfold fits_node in X.
      destruct (form q) as [| | | o l | l | k c | k d | | l | | f least len index | | |] eqn:Fq;
        try discriminate; try (now apply mine).
      destruct X as (z & k & at_k & Dx & _). apply nth_error_In in at_k. cbn [children] in less.
      rewrite forallb_forall in H. apply (IH i k e); [specialize (less k at_k); lia | exact Dx | now apply H].
    Qed.

    (** Different applications are different nodes. *)
    Lemma musts_apart a b x : must a -> must b -> a <> b -> get M a = Some x -> get M b = Some x -> False.
    Proof.
      intros (i & q & x' & _ & _ & at_a & A & _) (j & s & y' & _ & _ & at_b & B & _) ne Ga Gb.
      pose proof (one_to_one_pair pats (bound M) a b x q s (known_one M outs K) (get_in a x Ga) (get_in b x Gb) ne at_a at_b)
        as al.
      unfold may_alias, transparent, is_leaf, application in *.
      destruct (form q); try discriminate; destruct (form s); try discriminate; destruct al as [H | [H | (H & _)]]; discriminate.
    Qed.

    Lemma leaf_outside a x q : get M a = Some x -> nth_error pats (fst a) = Some q -> is_leaf q = true -> ~ inside r M x.
    Proof.
      intros Ga at_a L (b & s & inb & at_b & B).
      assert (a <> b) as ne.
      { intros ->. assert (s = q) as -> by congruence. unfold is_leaf, application in *. now destruct (form q). }
      pose proof (one_to_one_pair pats (bound M) a b x q s (known_one M outs K) (get_in a x Ga) inb ne at_a at_b) as al.
      unfold may_alias, transparent, is_leaf, application in *.
      destruct (form q); try discriminate; destruct (form s); try discriminate; destruct al as [H | [H | (_ & H & _)]]; discriminate.
    Qed.

    Definition node_at (a : addr) : nat := match get M a with Some x => x | None => 0 end.

    Lemma musts_nodes l : (forall a, In a l -> must a) -> NoDup l ->
      NoDup (map node_at l) /\ forall x, In x (map node_at l) -> inside r M x /\ x < List.length g.
    Proof.
      intros all nd. split.
      - induction nd as [| a l nin nd IH]; cbn; constructor.
        + intros H. apply in_map_iff in H. destruct H as (b & E & inb).
          assert (must a) as ma by (apply all; now left). assert (must b) as mb by (apply all; now right).
          pose proof ma as (_ & _ & x & _ & Ga & _). pose proof mb as (_ & _ & y & _ & Gb & _).
          unfold node_at in E. rewrite Ga, Gb in E. subst y.
          apply (musts_apart a b x ma mb); try assumption. intros ->. contradiction.
        + apply IH. intros b inb. apply all. now right.
      - intros x inx. apply in_map_iff in inx. destruct inx as (a & <- & ina). pose proof (all a ina) as ma.
        pose proof ma as (i & q & x & _ & Ga & _ & _ & (m & at_x & _)). unfold node_at. rewrite Ga.
        split; [now apply (must_inside a) | apply nth_error_Some; congruence].
    Qed.
  End Bound.
End Known.
