(** * Soundness of a rule, from the equations of its outputs

    [sound_local]: a rule is sound if, at every match, whatever the target means is the
    value of the output that it replaces. *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof rewrite.Check rewrite.Settled.
From Calque Require Import rewrite.Facts rewrite.Sound rewrite.SoundBuild.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Lemma Forall2_nth {A B} (R : A -> B -> Prop) l m : Forall2 R l m ->
  forall k a, nth_error l k = Some a -> exists b, nth_error m k = Some b /\ R a b.
Proof.
  intros F. induction F as [| a b l m here _ IH]; intros [| k] x at_k; try discriminate.
  - injection at_k as <-. now exists b.
  - now apply IH.
Qed.

Lemma nth_combine {A B} (l : list A) (m : list B) k a b :
  nth_error (combine l m) k = Some (a, b) -> nth_error l k = Some a /\ nth_error m k = Some b.
Proof.
  revert m k. induction l as [| x l IH]; intros [| y m] [| k] H; try discriminate.
  - injection H as -> ->. now split.
  - simpl in *. now apply IH.
Qed.

Section Rule.
  Context {T : Type} (S : model T).
  Notation den := (den S).
  Variable commutes : string -> bool.
  Variable r : rule.
  Notation pats := (patterns r).
  Hypothesis text : text_ok (own S) r = true.

  (** What is known of a match. *)
  Record facts (g : tgraph) (M : mstate) (outs : list nat) : Prop := Facts {
    facts_fit : all_fit commutes pats g (depth r) M;
    facts_outs : Forall2 (fun a o => get M a = Some o) (source_addrs r (List.length outs)) outs;
    facts_only : forall a e, get M a = Some e -> In (fst a) (reached_sources r);
    facts_attrs : attrs_hold r g M;
    facts_requires : requires_hold r g M;
    facts_length : match output_field r with
                   | Some _ => look_up Nat.eqb (lens M) (hd 0 (source r)) = Some (List.length outs)
                   | None => True
                   end
  }.

  Lemma text_parts :
    ordered pats /\ (forall q, In q pats -> layered pats q = true) /\
    (forall q, In q pats -> plain_pattern (own S) q && plain_const q = true).
  Proof.
    unfold text_ok in text. rewrite !andb_true_iff, !forallb_forall in text.
    destruct text as [[[[a b] c] _] _]. split; [now apply orderedb_iff |]. now split.
  Qed.

  Lemma roots_length (outs : list nat) (l : list addr) :
    l = source_addrs r (List.length outs) -> List.length l = List.length outs ->
    List.length (roots r (List.length outs)) = List.length l.
  Proof.
    intros -> len. rewrite len. unfold text_ok in text. rewrite !andb_true_iff in text. destruct text as [_ sides].
    unfold source_addrs in len. destruct (output_field r).
    - unfold roots, variadic in *. destruct (target r) as [| p [|]]; try discriminate.
      destruct (nth_error pats p) as [q |]; [| discriminate]. destruct (form q); try discriminate.
      now rewrite map_length, seq_length.
    - rewrite map_length in len. rewrite <- len. now apply Nat.eqb_eq.
  Qed.

  Lemma solid_present g M d : ordered pats -> all_fit commutes pats g d M ->
    forall n i p e, solid_root pats n p = true -> p < d -> sees pats M i p e ->
    exists x, nth_error g e = Some x /\ present x = true.
  Proof.
    intros ok F. induction n as [| n IH]; intros i p e H lt D; simpl in H; [discriminate |].
    destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate].
    apply andb_true_iff in H. destruct H as [Hf H].
    destruct (D q at_p) as [I | G]; [unfold is_inst in I; now destruct (form q) |].
    unfold at_ in G. destruct (first_of i q) as [k |] eqn:Fi.
    - assert (first q = Some k) as Fk.
      { unfold first_of in Fi. destruct i as [[|] |]; try discriminate. now destruct (template q). }
      rewrite Fk in Hf. apply (IH None k e Hf).
      + pose proof (proj2 (ok p q at_p) k Fk). lia.
      + intros qk at_k. right. unfold at_. cbn. now destruct (template qk).
    - destruct (F i p q e lt at_p Fi G) as (x & at_e & X). unfold fits_node in X.
      pose proof (proj1 (ok p q at_p)) as less.
      destruct (form q) eqn:Fq; try discriminate; cbn [children] in less.
      + destruct X as (name & _ & _ & W & _). exists x. split; [exact at_e |]. unfold present. now rewrite W.
      + destruct X as [W _]. exists x. split; [exact at_e |]. unfold present. now rewrite W.
      + destruct X as (k & y & W & _). exists x. split; [exact at_e |]. unfold present. now rewrite W.
      + destruct X as (k & kid & at_k & K & _). apply nth_error_In in at_k.
        rewrite forallb_forall in H. apply (IH i kid e (H kid at_k)); [| exact K].
        specialize (less kid at_k). lia.
  Qed.

  Lemma solid_sees M i p e : solid_root pats (List.length pats) p = true -> sees pats M i p e ->
    get M (addr_of pats i p) = Some e.
  Proof.
    intros H D. destruct (List.length pats) as [| n]; [discriminate |]. simpl in H.
    destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate]. rewrite (addr_of_at pats i p q at_p).
    destruct (D q at_p) as [I | G]; [| exact G]. apply andb_true_iff in H. destruct H as [_ H].
    unfold is_inst in I. now destruct (form q).
  Qed.

  Lemma reached_sources_closed : ordered pats -> (forall p, In p (source r) -> p < List.length pats) ->
    forall p q, In p (reached_sources r) -> nth_error pats p = Some q ->
      (forall k, In k (children (form q)) -> In k (reached_sources r)) /\
      (forall f, first q = Some f -> In f (reached_sources r)).
  Proof.
    intros ok lt p q inp at_p. unfold reached_sources in *. apply in_flat_map in inp. destruct inp as (s & ins & inp).
    split; intros k H; apply in_flat_map; exists s; (split; [exact ins |]);
      apply (reached_closed pats ok _ s p q); try assumption; try (specialize (lt s ins); lia); tauto.
  Qed.

  Lemma source_reached p : In p (source r) -> In p (reached_sources r).
  Proof. intros inp. unfold reached_sources. apply in_flat_map. exists p. split; [exact inp | now left]. Qed.

  Lemma sources_lt : forall p, In p (source r) -> p < List.length pats.
  Proof.
    unfold text_ok in text. rewrite !andb_true_iff in text. destruct text as [[_ solid] _].
    unfold output_field in solid.
    assert (forall p, solid_root pats (List.length pats) p = true -> p < List.length pats) as one.
    { intros p H. destruct (List.length pats) eqn:L; [discriminate |]. simpl in H.
      destruct (nth_error pats p) eqn:at_p; [| discriminate]. rewrite <- L. apply nth_error_Some. congruence. }
    intros p inp. destruct (source r) as [| s [| s' ss]]; [easy | |].
    - destruct inp as [<- | []]. unfold variadic in solid. apply nth_error_Some.
      destruct (nth_error pats s) as [q |] eqn:at_s; [discriminate |]. simpl in solid. rewrite andb_true_r in solid.
      apply one, nth_error_Some in solid. congruence.
    - rewrite forallb_forall in solid. now apply one, solid.
  Qed.

  Theorem match_facts g outputs e M outs :
    sane S g -> e < List.length g ->
    rule_at commutes r g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
    facts g M outs /\ ~ In 0 outs.
  Proof.
    intros san lt H. destruct text_parts as (ok & lay & _). destruct san as [W ground all _ _].
    assert (In e (seq 0 (List.length g))) as ine by (apply in_seq; lia).
    pose proof (rule_at_sound commutes r g outputs W ok _ e M outs ine H) as [attrs [_ [req _]]].
    assert (forall x, nth_error g 0 = Some x -> present x = true -> False) as zero.
    { intros x at_0 P. destruct ground as (t & a & E). rewrite E in at_0. injection at_0 as <-. discriminate. }
    pose proof text as tx. unfold text_ok in tx. rewrite !andb_true_iff in tx. destruct tx as [[_ solid] _].
    pose proof (reached_sources_closed ok sources_lt) as closed.
    assert (forall ps, output_field r = None -> source r = ps -> all_fit commutes pats g (List.length pats) M ->
              only (fun p => In p (reached_sources r)) M ->
              Forall2 (sees pats M None) ps outs -> facts g M outs /\ ~ In 0 outs) as plain.
    { intros ps O E F On D. subst ps. rewrite O in solid. rewrite forallb_forall in solid.
      assert (forall p, In p (source r) -> p < List.length pats) as ltp.
      { intros p inp. specialize (solid p inp). destruct (List.length pats) eqn:L; [discriminate |]. simpl in solid.
        destruct (nth_error pats p) eqn:at_p; [| discriminate]. rewrite <- L. apply nth_error_Some. congruence. }
      split.
      - constructor; try assumption; [unfold depth; now rewrite O | | now rewrite O]. unfold source_addrs. rewrite O.
        clear - D solid. revert outs D solid. generalize (source r). intros ps.
        induction ps as [| p ps IH]; intros outs D solid; inversion D as [| ? o ? os here rest]; subst; constructor.
        + apply solid_sees; [apply solid; now left | exact here].
        + apply IH; [exact rest |]. intros p' inp. apply solid. now right.
      - intros in0. assert (exists p, In p (source r) /\ sees pats M None p 0) as (p & inp & Dp).
        { clear - D in0. revert in0. induction D as [| p o ps os here _ IH]; [easy |]. intros [-> | in0].
          - exists p. split; [now left | exact here].
          - destruct (IH in0) as (p' & inp & Dp). exists p'. split; [now right | exact Dp]. }
        destruct (solid_present g M (List.length pats) ok F _ None p 0 (solid p inp) (ltp p inp) Dp) as (x & at_0 & P).
        now apply (zero x). }
    unfold rule_at in H.
    assert (forall ps, source r = ps -> output_field r = None ->
              hd_error (multi_at commutes r g outputs (seq 0 (List.length g)) ps e) = Some (M, outs) ->
              facts g M outs /\ ~ In 0 outs) as several.
    { intros ps E O X.
      assert (In (M, outs) (multi_at commutes r g outputs (seq 0 (List.length g)) ps e)) as inm
        by (destruct (multi_at commutes r g outputs (seq 0 (List.length g)) ps e); [discriminate | injection X as ->; now left]).
      apply multi_match_sound in inm; [| exact W | exact ok]. destruct inm as [inm _].
      destruct (several_fit commutes pats g ok lay empty ps outs M inm (all_fit_empty commutes pats g _)) as [F D].
      apply (plain ps); try assumption.
      apply (several_only commutes pats g ok _ empty ps outs M closed inm); [| apply only_empty].
      intros p inp. apply source_reached. now rewrite E. }
    destruct (source r) as [| p [| p' ps]] eqn:Src.
    - apply (several []); try assumption; try reflexivity. unfold output_field. now rewrite Src.
    - destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate].
      assert (match form q with PVariadic _ _ _ _ => True | _ => False end \/
              match form q with PVariadic _ _ _ _ => False | _ => True end) as [V | V] by (destruct (form q); tauto).
      + destruct (form q) as [| | | | | | | | | | field least len index | | |] eqn:Fq; try easy.
        assert (output_field r = Some field) as O.
        { unfold output_field, variadic. now rewrite Src, at_p, Fq. }
        apply variadic_sound in H; [| exact W | exact ok | exact ine].
        destruct H as ((M' & Br & ->) & _ & _ & _).
        destruct (branches_fit commutes pats g ok lay field outs M' p Br) as [F D];
          [exists q; split; [exact at_p | rewrite Fq; now left] |].
        rewrite O in solid.
        assert (only (fun p => In p (reached_sources r)) (put_len M' p (List.length outs))) as On.
        { intros a x G. apply (branches_only commutes pats g ok (fun p => In p (reached_sources r)) field outs M' closed Br)
            with (e := x); [| exact G]. apply (proj1 (closed p q (source_reached p ltac:(rewrite Src; now left)) at_p)).
          rewrite Fq. now left. }
        split.
        * constructor; try assumption; [unfold depth; now rewrite O | |
            rewrite O, Src; cbn [hd put_len lens]; now rewrite look_up_cons, Nat.eqb_refl].
          unfold source_addrs. rewrite O.
          assert (forall k, List.length outs = List.length outs -> forall l, (forall j x, nth_error l j = Some x ->
                    sees pats (put_len M' p (List.length outs)) (Some (k + j)) field x) ->
                  Forall2 (fun a o => get (put_len M' p (List.length outs)) a = Some o)
                    (map (fun c => addr_of pats (Some c) field) (seq k (List.length l))) l) as go.
          { intros k _ l. revert k. induction l as [| x l IH]; intros k Dl; simpl; constructor.
            - apply solid_sees; [exact solid |]. specialize (Dl 0 x eq_refl). now rewrite Nat.add_0_r in Dl.
            - apply IH. intros j y at_j. specialize (Dl (Datatypes.S j) y at_j). now rewrite <- Nat.add_succ_comm in Dl. }
          apply (go 0 eq_refl outs). intros j x at_j. now apply D.
        * intros in0. apply In_nth_error in in0. destruct in0 as [k at_k].
          destruct (solid_present g _ (Datatypes.S field) ok F _ (Some k) field 0 solid ltac:(lia) (D k 0 at_k)) as (x & at_0 & P).
          now apply (zero x).
      + assert (option_map (fun M => (M, [e])) (match_at commutes r g outputs p e) = Some (M, outs)) as H'
          by (destruct (form q); easy). clear H.
        destruct (match_at commutes r g outputs p e) as [M' |] eqn:A; [| discriminate]. injection H' as -> <-.
        apply match_sound in A; [| exact W | exact ok]. destruct A as [A _].
        destruct (one_fits commutes pats g ok lay p e M A) as [F D].
        apply (plain [p]); try assumption; [| reflexivity | | constructor; [exact D | constructor]].
        * unfold output_field, variadic. rewrite Src, at_p. now destruct (form q).
        * apply (pm_only commutes pats g ok _ closed p None empty e M A); [| apply only_empty].
          apply source_reached. rewrite Src. now left.
    - apply (several (p :: p' :: ps)); try assumption; try reflexivity. unfold output_field. now rewrite Src.
  Qed.

  (** ** After the new nodes are given the types of what they replace *)

  Lemma ge_same (G H : tgraph) i v :
    (forall k n, nth_error G k = Some n -> exists n', nth_error H k = Some n' /\ args n' = args n /\
       what (op n') = what (op n) /\ attrs (op n') = attrs (op n)) ->
    ge den G i v -> ge den H i v.
  Proof.
    intros same K. refine (ge_nested_ind den G (fun i v => ge den H i v) _ i v K).
    clear i v K. intros i n vs v at_i _ IH D. destruct (same i n at_i) as (n' & at_i' & A & W & B).
    apply GE_Node with n' vs; [exact at_i' | now rewrite A |]. unfold Sound.den in *. now rewrite W, B.
  Qed.

  Definition retyped (g : tgraph) (moves : list (nat * nat)) (k : nat) (n : node oper) : node oper :=
    match find (fun m => Nat.eqb (snd m) k) moves, nth_error g k with
    | Some m, None =>
        match nth_error g (fst m) with
        | Some o => Node (Oper (what (op n)) (type (op o)) (attrs (op n))) (args n)
        | None => n
        end
    | _, _ => n
    end.

  Lemma nth_combine_seq {A} (l : list A) s k : 
    nth_error (combine (seq s (List.length l)) l) k = option_map (pair (s + k)) (nth_error l k).
  Proof.
    revert s k. induction l as [| a l IH]; intros s [| k]; simpl; try reflexivity.
    - now rewrite Nat.add_0_r.
    - rewrite IH. now rewrite <- Nat.add_succ_comm.
  Qed.

  Lemma retype_nth (g h : tgraph) moves k :
    nth_error (retype g h moves) k = option_map (retyped g moves k) (nth_error h k).
  Proof.
    unfold retype. rewrite nth_error_map, nth_combine_seq. destruct (nth_error h k) as [n |]; [| reflexivity].
    simpl. unfold retyped. reflexivity.
  Qed.

  Lemma after_nth (g : tgraph) st outs es new : whole st = g ++ new ->
    forall k, nth_error (after g st outs es) k = option_map (retyped g (combine outs es) k) (nth_error (whole st) k).
  Proof.
    intros E k. unfold after. destruct (Nat.lt_ge_cases k (List.length g)) as [lt | ge_].
    - rewrite nth_error_app1 by exact lt. rewrite E, nth_error_app1 by exact lt.
      pose proof lt as lt'. apply nth_error_Some in lt'. unfold retyped.
      destruct (nth_error g k) as [n |]; [| easy]. simpl. now destruct (find _ _).
    - rewrite nth_error_app2 by exact ge_. rewrite nth_error_skipn, <- retype_nth. f_equal. lia.
  Qed.

  Lemma retyped_same g moves k n :
    args (retyped g moves k n) = args n /\ what (op (retyped g moves k n)) = what (op n) /\
    attrs (op (retyped g moves k n)) = attrs (op n).
  Proof.
    unfold retyped. destruct (find _ moves) as [m |]; [| easy]. destruct (nth_error g k); [easy |].
    now destruct (nth_error g (fst m)).
  Qed.

  Lemma after_values g st outs es new : whole st = g ++ new ->
    forall i v, ge den (after g st outs es) i v <-> ge den (whole st) i v.
  Proof.
    intros E i v. split; apply ge_same; intros k n at_k.
    - rewrite (after_nth g st outs es new E k) in at_k. destruct (nth_error (whole st) k) as [m |]; [| discriminate].
      injection at_k as <-. exists m. destruct (retyped_same g (combine outs es) k m) as (a & b & c). now repeat split.
    - rewrite (after_nth g st outs es new E k), at_k. exists (retyped g (combine outs es) k n).
      destruct (retyped_same g (combine outs es) k n) as (a & b & c). now repeat split.
  Qed.

  (** ** The theorem *)

  Definition local : Prop :=
    forall g M outs, sane S g -> facts g M outs ->
    forall k i p a x, nth_error (roots r (List.length outs)) k = Some (i, p) ->
      nth_error (source_addrs r (List.length outs)) k = Some a ->
      means S pats g M i p x -> x = Some (rho S g M a).

  Theorem sound_local : local -> rule_sound_for S commutes r.
  Proof.
    intros loc g outputs e M outs san lt H.
    destruct (match_facts g outputs e M outs san lt H) as [fs n0]. split; [exact n0 |]. intros es st B.
    destruct text_parts as (ok & lay & pl). pose proof san as [W ground all decl plain].
    destruct fs as [F D On attrs req len_] eqn:Efs. clear Efs.
    assert (forall a x, get M a = Some x -> x < List.length g) as inside.
    { intros a x G. assert (In (a, x) (bound M)) as inb.
      { unfold get, look_up in G. destruct (find _ (bound M)) as [[b y] |] eqn:Fd; [| discriminate].
        injection G as <-. apply find_some in Fd. destruct Fd as [inb E].
        apply ForwardProof.addr_eqb_eq in E. simpl in E. now subst. }
      destruct (proj1 attrs a x inb) as (q & n & _ & at_x & _). apply nth_error_Some. congruence. }
    assert (0 < List.length g) as g0.
    { destruct ground as (t & a & E). apply nth_error_Some. congruence. }
    destruct (roots_mean S pats g M W g0 inside all pl r (List.length outs) es st eq_refl B)
      as (G & lts & rs & ms & vs & val).
    destruct G as (new & E & Wn & N & _).
    pose proof (roots_length outs _ eq_refl (Forall2_length D)) as len.
    pose proof (after_values g st outs es new E) as same.
    (* Every root has the value of its output. *)
    assert (forall k x, nth_error rs k = Some x -> exists o a, nth_error outs k = Some o /\
              get M a = Some o /\ x = Some (rho S g M a)) as answer.
    { intros k x at_x. assert (k < List.length rs) as ltk by (apply nth_error_Some; congruence).
      rewrite <- (Forall2_length ms) in ltk. pose proof ltk as ltr. apply nth_error_Some in ltr.
      destruct (nth_error (roots r (List.length outs)) k) as [[i p] |] eqn:at_r; [| easy].
      assert (k < List.length (source_addrs r (List.length outs))) as lta by (rewrite <- len; exact ltk).
      apply nth_error_Some in lta.
      destruct (nth_error (source_addrs r (List.length outs)) k) as [a |] eqn:at_a; [| easy].
      destruct (Forall2_nth _ _ _ D k a at_a) as (o & at_o & G). exists o, a.
      destruct (Forall2_nth _ _ _ ms k (i, p) at_r) as (x' & at_x' & m). assert (x' = x) as -> by congruence.
      split; [exact at_o |]. split; [exact G |].
      exact (loc g M outs san (Facts g M outs F D On attrs req len_) k i p a x at_r at_a m). }
    assert (forall x, In x rs -> x <> None) as some.
    { intros x inx. apply In_nth_error in inx. destruct inx as [k at_k].
      destruct (answer k x at_k) as (o & a & _ & _ & ->). discriminate. }
    assert (forall o t, In (o, t) (combine outs es) -> o < List.length g /\ t < List.length (whole st) /\
              exists v, ge den (whole st) o v /\ ge den (whole st) t v) as moved.
    { intros o t inm. apply In_nth_error in inm. destruct inm as [k at_k].
      destruct (nth_combine outs es k o t at_k) as [at_o at_t].
      destruct (Forall2_nth _ _ _ vs k t at_t) as (x & at_x & val_x).
      destruct (answer k x at_x) as (o' & a & at_o' & G & ->). assert (o' = o) as -> by congruence.
      pose proof (inside a o G) as lto. split; [exact lto |].
      split; [rewrite Forall_forall in lts; apply lts; now apply nth_error_In with k |].
      exists (rho S g M a). split; [| now apply val_x]. rewrite E. apply eval_app; try assumption.
      unfold rho. rewrite G. now apply value_ge. }
    assert (forall k n v, nth_error (after g st outs es) k = Some n -> ge den (after g st outs es) k v ->
              forall l s, type_label l = true -> tensor_label n l = Some s -> describes S v l s) as decl'.
    { intros k n v at_k H' l s TL L. apply same in H'. rewrite (after_nth g st outs es new E k) in at_k.
      destruct (nth_error (whole st) k) as [m |] eqn:at_m; [| discriminate]. injection at_k as <-.
      destruct (Nat.lt_ge_cases k (List.length g)) as [ltk | gek].
      - rewrite E, nth_error_app1 in at_m by exact ltk. apply (decl k m v l s at_m); [| exact TL |].
        + rewrite E in H'. now apply eval_app in H'.
        + unfold retyped in L. destruct (find _ _); [| exact L]. now rewrite at_m in L.
      - assert (new_node S m) as nm.
        { apply N. rewrite E, nth_error_app2 in at_m by exact gek. now apply nth_error_In in at_m. }
        unfold retyped in L. pose proof (find_move (fun m => Nat.eqb (snd m) k) (combine outs es)) as Fd.
        destruct (find _ _) as [[o t] |]; [| exfalso; exact (proj2 nm l s TL L)].
        destruct Fd as [inm Ek]. simpl in Ek. apply Nat.eqb_eq in Ek. subst t.
        destruct (nth_error g k); [exfalso; exact (proj2 nm l s TL L) |]. cbn [fst] in L.
        destruct (nth_error g o) as [no |] eqn:at_o; [| exfalso; exact (proj2 nm l s TL L)].
        destruct (moved o k inm) as (lto & _ & w & Ho & Ht).
        rewrite (eval_node_unique den _ _ w v Ht H'). apply (decl o no w l s at_o); try assumption.
        rewrite E in Ho. now apply eval_app in Ho. }
    assert (List.length (after g st outs es) = List.length (whole st)) as lena.
    { apply Nat.le_antisymm; apply Nat.nlt_ge; intros X.
      - apply nth_error_Some in X. apply X. rewrite (after_nth g st outs es new E).
        now rewrite (proj2 (nth_error_None _ _) (Nat.le_refl _)).
      - pose proof X as Y. apply nth_error_Some in Y. apply Y. clear Y.
        pose proof (after_nth g st outs es new E (List.length (after g st outs es))) as Z.
        rewrite (proj2 (nth_error_None _ _) (Nat.le_refl _)) in Z. now destruct (nth_error (whole st) _). }
    split; [constructor |].
    - intros i n at_i j inj. rewrite (after_nth g st outs es new E i), E in at_i.
      destruct (nth_error (g ++ new) i) as [m |] eqn:at_m; [| discriminate]. injection at_i as <-.
      rewrite (proj1 (retyped_same g (combine outs es) i m)) in inj. now apply (Wn i m).
    - destruct ground as (t & a & at_0). exists t, a. unfold after. now rewrite nth_error_app1 by exact g0.
    - intros i lti. rewrite lena in lti. destruct (val some i lti) as [v Hv]. exists v. now apply same.
    - intros i n v l s at_i H' TL L. now apply (decl' i n v).
    - intros i n at_i. rewrite (after_nth g st outs es new E i) in at_i.
      destruct (nth_error (whole st) i) as [m |] eqn:at_m; [| discriminate]. injection at_i as <-.
      destruct (retyped_same g (combine outs es) i m) as (_ & b & c).
      assert (plain_node S m) as pm.
      { rewrite E in at_m. destruct (Nat.lt_ge_cases i (List.length g)) as [lti | gei].
        - rewrite nth_error_app1 in at_m by exact lti. now apply (plain i).
        - rewrite nth_error_app2 in at_m by exact gei. apply nth_error_In in at_m. exact (proj1 (N m at_m)). }
      split.
      + intros name l v Wm L TL. rewrite b in Wm. rewrite c in L. now apply (proj1 pm name l v).
      + intros l s L. unfold retyped in L. destruct (find _ _) as [mv |]; [| exact (proj2 pm l s L)].
        destruct (nth_error g i); [exact (proj2 pm l s L) |].
        destruct (nth_error g (fst mv)) as [no |] eqn:at_o; [| exact (proj2 pm l s L)].
        exact (proj2 (plain _ no at_o) l s L).
    - intros o t inm v. destruct (moved o t inm) as (_ & _ & w & Ho & Ht). rewrite (same o v), (same t v).
      split; intros H'.
      + now rewrite (eval_node_unique den _ _ w v Ho H').
      + now rewrite (eval_node_unique den _ _ w v Ht H').
  Qed.
End Rule.
