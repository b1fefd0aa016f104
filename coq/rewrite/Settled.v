(** * What a match defines

    Invariants of the matcher: a match only grows; when the match of a pattern is
    done, so are those of its parts ([settled]); and whatever it binds is reached from
    where it started ([from]). *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require Import pattern.Forward pattern.ForwardProof rewrite.Check.
Import ListNotations.
Open Scope nat_scope.

Section Settled.
  Variable commutes : string -> bool.
  Variables (pats : list pattern) (g : tgraph).
  Hypothesis ok : ordered pats.
  Notation step := (step commutes pats g).
  Notation pm := (pm commutes pats g).
  Notation parts_of := (parts_of pats).

  Hypothesis layers : forall q, In q pats -> layered pats q = true.

  (** ** Growing *)

  Definition steady (M M' : mstate) : Prop :=
    (forall a x, get M a = Some x -> get M' a = Some x) /\
    (forall v n, look_up Nat.eqb (lens M) v = Some n -> look_up Nat.eqb (lens M') v = Some n) /\
    (forall r q, nth_error pats r = Some q -> template q = false -> get M (r, None) <> None ->
       look_up Nat.eqb (alts M') r = look_up Nat.eqb (alts M) r).

  Lemma steady_refl M : steady M M.
  Proof. now repeat split. Qed.

  Lemma steady_trans M N P : steady M N -> steady N P -> steady M P.
  Proof.
    intros (a & b & c) (a' & b' & c'). split; [auto |]. split; [auto |].
    intros r q at_r T B. rewrite (c' r q at_r T); [now apply (c r q) |].
    destruct (get M (r, None)) as [x |] eqn:E; [| easy]. now rewrite (a _ _ E).
  Qed.

  Lemma look_up_cons {V} k (v : V) l j :
    look_up Nat.eqb ((k, v) :: l) j = if Nat.eqb k j then Some v else look_up Nat.eqb l j.
  Proof. unfold look_up. simpl. now destruct (Nat.eqb k j). Qed.

  Lemma goals_lens i M kids es M1 gs v n :
    goals pats i M kids es = Some (M1, gs) ->
    look_up Nat.eqb (lens M) v = Some n -> look_up Nat.eqb (lens M1) v = Some n.
  Proof.
    unfold goals. intros G L. destruct kids as [| w [| w' kids]].
    - destruct (Nat.eqb _ _); [| discriminate]. now injection G as <- _.
    - destruct (variadic pats w) as [f |].
      + destruct (look_up Nat.eqb (lens M) w) as [m |] eqn:W.
        * destruct (Nat.eqb _ _); [| discriminate]. now injection G as <- _.
        * injection G as <- _. cbn [put_len lens]. rewrite look_up_cons.
          destruct (Nat.eqb_spec w v) as [-> |]; [congruence | exact L].
      + destruct (Nat.eqb _ _); [| discriminate]. now injection G as <- _.
    - destruct (Nat.eqb _ _); [| discriminate]. now injection G as <- _.
  Qed.

  Lemma goals_alts i M kids es M1 gs : goals pats i M kids es = Some (M1, gs) -> alts M1 = alts M.
  Proof.
    unfold goals. intros G. destruct kids as [| w [| w' kids]].
    - destruct (Nat.eqb _ _); [| discriminate]. now injection G as <- _.
    - destruct (variadic pats w) as [f |].
      + destruct (look_up Nat.eqb (lens M) w); [destruct (Nat.eqb _ _); [| discriminate] |];
          now injection G as <- _.
      + destruct (Nat.eqb _ _); [| discriminate]. now injection G as <- _.
    - destruct (Nat.eqb _ _); [| discriminate]. now injection G as <- _.
  Qed.

  Lemma op_allows_rest M o name e M1 :
    op_allows pats g M o name e = Some M1 -> lens M1 = lens M /\ alts M1 = alts M.
  Proof.
    unfold op_allows. destruct o as [s | k].
    - destruct (String.eqb s name); [| discriminate]. intros H. now injection H as <-.
    - destruct (get M (k, None)).
      + destruct (name_of g _); [| discriminate]. destruct (String.eqb _ _); [| discriminate].
        intros H. now injection H as <-.
      + destruct (nth_error pats k) as [r |]; [| discriminate].
        destruct (form r); try discriminate. destruct (existsb _ _); [| discriminate].
        intros H. now injection H as <-.
  Qed.

  Lemma step_steady i p e M q n M1 gs :
    nth_error pats p = Some q -> get M (p, inst_of i q) = None ->
    step i p e (put M (p, inst_of i q) e) q n M1 gs -> steady M M1.
  Proof.
    intros at_p B st. split; [| split].
    - intros a x G. apply (step_persists commutes pats g ok _ _ _ _ _ _ _ _ _ _ at_p st).
      rewrite get_put_other; [exact G |]. intros E. rewrite <- E in G. congruence.
    - intros v m L.
      destruct st as [F P | F L' W | a k w F W | F P | o kids name M1 es es' M2 gs F W A C ord G |
        kids M2 gs F W G | field least len index M2 gs F W G | kid a k x F W L' | kid d F P | kid d F P |
        kids k kid F at_k]; try exact L; try (now apply (goals_lens _ _ _ _ _ _ _ _ G)).
      apply (goals_lens _ _ _ _ _ _ _ _ G). apply op_allows_rest in A. now rewrite (proj1 A).
    - intros r s at_r T Br.
      destruct st as [F P | F L' W | a k w F W | F P | o kids name M1 es es' M2 gs F W A C ord G |
        kids M2 gs F W G | field least len index M2 gs F W G | kid a k x F W L' | kid d F P | kid d F P |
        kids k kid F at_k]; try reflexivity; try (now rewrite (goals_alts _ _ _ _ _ _ G)).
      + rewrite (goals_alts _ _ _ _ _ _ G). apply op_allows_rest in A. now rewrite (proj2 A).
      + cbn [put_alt alts put]. rewrite look_up_cons. destruct (Nat.eqb_spec p r) as [-> |]; [| reflexivity].
        assert (s = q) as -> by congruence. unfold inst_of in B. rewrite T in B. now elim Br.
  Qed.

  Theorem pm_steady p : forall i M e M', pm i M p e M' -> steady M M'.
  Proof.
    induction p as [p IH] using (well_founded_induction lt_wf). intros i M e M' H.
    inversion H as [? ? ? ? q n at_p at_n B | ? ? ? ? q n at_p at_n B I |
      ? ? ? ? q n f ? at_p at_n B I F pf | ? ? ? ? q n M1 gs ? at_p at_n B I F J st th]; subst;
      try apply steady_refl.
    - apply (IH f) with None e; [| exact pf]. apply (proj2 (ok p q at_p)).
      unfold first_of in F. destruct i as [[|] |]; try discriminate. now destruct (template q).
    - rewrite (at_own i p q F) in B, st. apply steady_trans with M1.
      + now apply (step_steady i p e M q n M1 gs).
      + refine (thread_keeps _ (fun s => steady M1 s) gs _ M1 M' th (steady_refl M1)).
        intros s [[j k] x] t inx pk S. apply steady_trans with s; [exact S |].
        apply (IH k) with j x; [| exact pk].
        now apply (step_smaller commutes pats g ok _ _ _ _ _ _ _ _ _ _ _ at_p st inx).
  Qed.

  (** ** Settled *)

  Definition done (M : mstate) (i : option nat) (k : nat) : Prop :=
    forall q, nth_error pats k = Some q -> is_inst q = true \/ get M (at_ i k q) <> None.

  Definition entry (M : mstate) (i : option nat) (p : nat) (q : pattern) : Prop :=
    (forall k, In k (fst (parts_of p q)) -> done M i k) /\
    (forall k kids, form q = PCall (OPat k) kids -> get M (k, None) <> None) /\
    (forall v f, snd (parts_of p q) = Some (v, f) ->
       variadic pats v = Some f /\
       exists m, look_up Nat.eqb (lens M) v = Some m /\ forall c, c < m -> done M (Some c) f) /\
    (forall kids, form q = PAlt kids -> template q = false ->
       exists k kid, look_up Nat.eqb (alts M) p = Some k /\ nth_error kids k = Some kid /\ done M i kid).

  Definition settled (n : nat) (M : mstate) : Prop :=
    forall i p q, p < n -> nth_error pats p = Some q -> first_of i q = None ->
      get M (p, inst_of i q) <> None -> entry M i p q.

  Lemma some_steady M M' a : steady M M' -> get M a <> None -> get M' a <> None.
  Proof. intros (S & _) H. destruct (get M a) as [x |] eqn:E; [| easy]. now rewrite (S _ _ E). Qed.

  Lemma done_steady M M' i k : steady M M' -> done M i k -> done M' i k.
  Proof.
    intros S D q at_k. destruct (D q at_k) as [I | B]; [now left | right]. now apply some_steady with M.
  Qed.

  Lemma plain_child p q k r :
    nth_error pats p = Some q -> template q = false ->
    match form q with PVariadic _ _ _ _ | PInst _ _ => False | s => In k (children s) end ->
    nth_error pats k = Some r -> template r = false.
  Proof.
    intros at_p T ink at_k. pose proof (layers q (nth_error_In _ _ at_p)) as lay.
    unfold layered in lay. rewrite T in lay. apply andb_true_iff in lay. destruct lay as [_ lay].
    rewrite orb_false_l in lay. apply negb_true_iff. revert ink lay.
    destruct (form q); try easy; intros ink lay; rewrite forallb_forall in lay; specialize (lay k ink);
      unfold plain in lay; now rewrite at_k in lay.
  Qed.

  Lemma first_plain p q f r :
    nth_error pats p = Some q -> first q = Some f -> nth_error pats f = Some r ->
    template r = false /\ is_inst r = false.
  Proof.
    intros at_p F at_f. pose proof (layers q (nth_error_In _ _ at_p)) as lay. unfold layered, plain in lay.
    rewrite F, at_f in lay. rewrite !andb_true_iff in lay. destruct lay as [[[a b] _] _].
    split; now apply negb_true_iff.
  Qed.

  Lemma op_plain q names : In q pats -> form q = POp names -> template q = false.
  Proof.
    intros inq F. pose proof (layers q inq) as lay. unfold layered in lay. rewrite F in lay.
    rewrite !andb_true_iff in lay. destruct lay as [[_ T] _]. now apply negb_true_iff.
  Qed.

  (** Outside of templates the instance does not matter. *)
  Lemma done_inst M i j p q k :
    nth_error pats p = Some q -> inst_of i q = inst_of j q ->
    In k (fst (parts_of p q) ++ match form q with PAlt kids => kids | _ => [] end) ->
    done M i k -> done M j k.
  Proof.
    intros at_p E ink D r at_k. destruct (template q) eqn:T.
    - unfold inst_of in E. rewrite T in E. subst j. now apply D.
    - assert (template r = false) as lay.
      { apply (plain_child p q k r at_p T); [| exact at_k]. clear - ink. unfold Check.parts_of in ink.
        apply in_app_or in ink.
        destruct (form q) as [| | | o kids | kids | | | | | | | | |]; try (simpl in ink |- *; tauto).
        - destruct ink as [ink | []]. assert (In k kids) as ink'
            by (destruct kids as [| v [| w kids]]; try destruct (variadic pats v); easy).
          destruct o; [exact ink' | now right].
        - destruct ink as [ink | []].
          destruct kids as [| v [| w kids]]; try destruct (variadic pats v); easy. }
    assert (forall l, at_ l k r = (k, None)) as own.
      { intros l. unfold at_, first_of. rewrite lay. now destruct l as [[|] |]. }
      destruct (D r at_k) as [I | B]; [now left | right]. now rewrite own in B |- *.
  Qed.

  Lemma goals_parts i M kids es M1 gs :
    goals pats i M kids es = Some (M1, gs) ->
    match match kids with [v] => variadic pats v | _ => None end with
    | Some f => forall v, kids = [v] -> exists m, look_up Nat.eqb (lens M1) v = Some m /\
                  forall c, c < m -> exists x, In (Some c, f, x) gs
    | None => forall k, In k kids -> exists x, In (i, k, x) gs
    end.
  Proof.
    intros G. unfold goals in G.
    assert (forall N, (if Nat.eqb (List.length kids) (List.length es)
              then Some (N, map (fun ke => (i, fst ke, snd ke)) (combine kids es)) else None) = Some (M1, gs) ->
            forall k, In k kids -> exists x, In (i, k, x) gs) as plain.
    { intros N E k ink. destruct (Nat.eqb_spec (List.length kids) (List.length es)) as [len |]; [| discriminate].
      injection E as _ <-. apply In_nth_error in ink. destruct ink as [c at_c].
      assert (c < List.length es) as lt by (rewrite <- len; apply nth_error_Some; congruence).
      apply nth_error_Some in lt. destruct (nth_error es c) as [x |] eqn:at_x; [| easy].
      exists x. apply in_map_iff. exists (k, x). split; [reflexivity |]. apply nth_error_In with c.
      clear - at_c at_x. revert c es at_c at_x.
      induction kids as [| v kids IH]; intros [| c] [| y es] A B; simpl in *; try discriminate; [congruence |].
      now apply IH. }
    destruct kids as [| v [| w kids]]; try (now apply (plain M)).
    destruct (variadic pats v) as [f |]; [| now apply (plain M)].
    assert (forall es, forall c, c < List.length es -> exists x, In (Some c, f, x) (instances f es)) as all.
    { intros l c lt. apply nth_error_Some in lt. destruct (nth_error l c) as [x |] eqn:at_c; [| easy].
      exists x. unfold instances. apply in_map_iff. exists (c, x). split; [reflexivity |].
      apply in_combine_seq. rewrite Nat.sub_0_r. split; [lia | exact at_c]. }
    intros v' E. injection E as <-.
    destruct (look_up Nat.eqb (lens M) v) as [m |] eqn:L.
    - destruct (Nat.eqb_spec m (List.length es)) as [-> |]; [| discriminate]. injection G as <- <-.
      exists (List.length es). split; [exact L |]. apply all.
    - injection G as <- <-. exists (List.length es). cbn [put_len lens]. rewrite look_up_cons, Nat.eqb_refl.
      split; [reflexivity |]. apply all.
  Qed.

  Lemma step_parts i p e M q n M1 gs :
    nth_error pats p = Some q -> step i p e M q n M1 gs ->
    (forall k, In k (fst (parts_of p q)) -> exists x, In (i, k, x) gs) /\
    (forall k kids, form q = PCall (OPat k) kids -> get M1 (k, None) <> None) /\
    (forall v f, snd (parts_of p q) = Some (v, f) ->
       variadic pats v = Some f /\
       exists m, look_up Nat.eqb (lens M1) v = Some m /\ forall c, c < m -> exists x, In (Some c, f, x) gs) /\
    (forall kids, form q = PAlt kids ->
       exists k kid x, look_up Nat.eqb (alts M1) p = Some k /\ nth_error kids k = Some kid /\ In (i, kid, x) gs).
  Proof.
    intros at_p st. unfold Check.parts_of.
    assert (forall kids es N N' hs, goals pats i N kids es = Some (N', hs) ->
      let pt := match kids with
                | [v] => match variadic pats v with Some f => ([], Some (v, f)) | None => (kids, None) end
                | _ => (kids, None)
                end in
      (forall k, In k (fst pt) -> exists x, In (i, k, x) hs) /\
      (forall v f, snd pt = Some (v, f) -> variadic pats v = Some f /\
         exists m, look_up Nat.eqb (lens N') v = Some m /\ forall c, c < m -> exists x, In (Some c, f, x) hs)) as both.
    { intros kids es N N' hs G. apply goals_parts in G.
      destruct kids as [| v [| w kids]]; try (split; [exact G | discriminate]).
      destruct (variadic pats v) as [f |] eqn:V; [| split; [exact G | discriminate]].
      split; [easy |]. intros v' f' E. injection E as <- <-. split; [exact V | now apply G]. }
    destruct st as [F P | F L' W | a k w F W | F P | o kids name M1 es es' M2 gs F W A C ord G |
      kids M2 gs F W G | field least len index M2 gs F W G | kid a k x F W L' | kid d F P | kid d F P |
      kids k kid F at_k]; rewrite F; cbn [fst snd]; try (repeat split; easy).
    - destruct (both kids es' M1 M2 gs G) as [b1 b2]. split; [exact b1 |].
      split; [| split; [exact b2 | discriminate]].
      intros k kids' E. injection E as -> <-. rewrite (get_bound M2 M1) by now apply goals_bound in G.
      unfold op_allows in A. destruct (get M (k, None)) as [y |] eqn:B.
      + destruct (name_of g y); [| discriminate]. destruct (String.eqb _ _); [| discriminate].
        injection A as <-. congruence.
      + destruct (nth_error pats k) as [r |]; [| discriminate]. destruct (form r); try discriminate.
        destruct (existsb _ _); [| discriminate]. injection A as <-. rewrite get_put_same. discriminate.
    - destruct (both kids (args n) M M2 gs G) as [b1 b2]. split; [exact b1 |].
      split; [discriminate | split; [exact b2 | discriminate]].
    - split; [easy |]. split; [discriminate |]. split; [| discriminate].
      intros v f E. injection E as <- <-.
      assert (variadic pats p = Some field) as V by (unfold variadic; now rewrite at_p, F).
      split; [exact V |]. apply goals_parts in G. rewrite V in G. now apply G.
    - split; [| repeat split; easy]. intros k' [<- | []]. exists x. now left.
    - split; [easy |]. split; [discriminate |]. split; [discriminate |].
      intros kids' E. injection E as <-. exists k, kid, e. cbn [put_alt alts]. rewrite look_up_cons, Nat.eqb_refl.
      split; [reflexivity |]. split; [exact at_k | now left].
  Qed.

  Lemma settled_less n m M : m <= n -> settled n M -> settled m M.
  Proof. intros le S i p q lt. apply S. lia. Qed.

  Lemma entry_steady M M' i p q :
    nth_error pats p = Some q -> steady M M' -> get M (p, inst_of i q) <> None ->
    entry M i p q -> entry M' i p q.
  Proof.
    intros at_p S B (a & b & c & d). split; [| split; [| split]].
    - intros k ink. apply done_steady with M; [exact S | now apply a].
    - intros k kids E. apply some_steady with M; [exact S | now apply (b k kids)].
    - intros v f E. destruct (c v f E) as (V & m & L & D). split; [exact V |]. exists m.
      split; [now apply S |]. intros x lx. apply done_steady with M; [exact S | now apply D].
    - intros kids E T. destruct (d kids E T) as (k & kid & L & at_k & D). exists k, kid.
      split; [| split; [exact at_k | now apply done_steady with M]].
      destruct S as (_ & _ & S). rewrite (S p q at_p T); [exact L |].
      unfold inst_of in B. now rewrite T in B.
  Qed.

  Lemma entry_op M i p q names : form q = POp names -> entry M i p q.
  Proof. intros F. unfold entry, Check.parts_of. rewrite F. now repeat split. Qed.

  Theorem pm_settled p : forall i M e M' q n,
    nth_error pats p = Some q -> pm i M p e M' -> p < n -> settled n M -> settled n M' /\ done M' i p.
  Proof.
    induction p as [p IH] using (well_founded_induction lt_wf). intros i M e M' q n at_p H ltn Sn.
    pose proof (pm_frame commutes pats g ok p i M e M' q at_p H) as [_ frame].
    pose proof (pm_steady p i M e M' H) as Sall.
    inversion H as [? ? ? ? q' m at_q at_m B | ? ? ? ? q' m at_q at_m B I |
      ? ? ? ? q' m f ? at_q at_m B I F pf | ? ? ? ? q' m M1 gs ? at_q at_m B I F J st th]; subst;
      (assert (q' = q) as -> by congruence).
    - split; [exact Sn |]. intros r at_r. right. assert (r = q) as -> by congruence. congruence.
    - split; [exact Sn |]. intros r at_r. left. assert (r = q) as -> by congruence.
      unfold is_instance in I. unfold is_inst. now destruct (form q).
    - assert (first q = Some f) as Ff.
      { unfold first_of in F. destruct i as [[|] |]; try discriminate. now destruct (template q). }
      assert (f < p) as lt by now apply (proj2 (ok p q at_p)).
      assert (exists qf, nth_error pats f = Some qf) as [qf at_f] by (inversion pf; subst; eauto).
      destruct (IH f lt None M e M' qf n at_f pf ltac:(lia) Sn) as [Sn' D]. split; [exact Sn' |].
      intros r at_r. assert (r = q) as -> by congruence.
      right. unfold at_. rewrite F. destruct (D qf at_f) as [If | Bf].
      + destruct (first_plain p q f qf at_p Ff at_f). congruence.
      + unfold at_ in Bf. simpl in Bf. now destruct (template qf).
    - rewrite (at_own i p q F) in *. set (Mp := put M (p, inst_of i q) e) in *.
      pose proof (step_steady i p e M q m M1 gs at_p B st) as S1.
      assert (settled p M1) as G1.
      { intros j r s lt at_r Fr Bn.
        destruct (step_get commutes pats g ok _ _ _ _ _ _ _ _ at_p st (r, inst_of j s)) as
          [E | (_ & _ & s' & names & at_r' & O)].
        - assert (get M (r, inst_of j s) <> None) as Bm.
          { rewrite E in Bn. unfold Mp in Bn. rewrite get_put_other in Bn; [exact Bn |].
            intros E'. injection E' as E' _. lia. }
          apply entry_steady with M; try assumption. apply Sn; try assumption. lia.
        - simpl in at_r'. assert (s' = s) as -> by congruence. now apply entry_op with names. }
      assert (settled p M' /\ steady M1 M' /\ forall j k x, In (j, k, x) gs -> done M' j k) as (G' & S' & D').
      { assert (forall l s0, (forall b, In b l -> In b gs) ->
          thread (fun M y M' => pm (fst (fst y)) M (snd (fst y)) (snd y) M') s0 l M' ->
          settled p s0 -> settled p M' /\ steady s0 M' /\ forall j k x, In (j, k, x) l -> done M' j k) as run.
        { induction l as [| b l IHl]; intros s0 sub T G0.
          - inversion T; subst. split; [exact G0 |]. split; [apply steady_refl | easy].
          - inversion T as [| ? ? s1 ? ? here rest]; subst. destruct b as [[j k] x]. simpl in here.
            assert (In (j, k, x) gs) as inb by (apply sub; now left).
            pose proof (step_smaller commutes pats g ok _ _ _ _ _ _ _ _ _ _ _ at_p st inb) as ltk.
            assert (exists qk, nth_error pats k = Some qk) as [qk at_k] by (inversion here; subst; eauto).
            destruct (IH k ltk j s0 x s1 qk p at_k here ltk G0) as [Gs1 Dk].
            destruct (IHl s1) as (GM & SM & DM); [intros c inc; apply sub; now right | exact rest | exact Gs1 |].
            split; [exact GM |]. split; [apply steady_trans with s1; [now apply (pm_steady k j s0 x) | exact SM] |].
            intros j' k' x' [E | inl]; [| now apply (DM j' k' x')].
            injection E as <- <- <-. now apply done_steady with s1. }
        now apply (run gs M1). }
      assert (get M' (p, inst_of i q) <> None) as mine.
      { assert (get M1 (p, inst_of i q) <> None) as m1.
        { destruct (get M1 (p, inst_of i q)) eqn:E1; [discriminate |].
          rewrite (step_persists commutes pats g ok _ _ _ _ _ _ _ _ _ e at_p st) in E1; [discriminate |].
          apply get_put_same. }
        now apply some_steady with M1. }
      split; [| intros r at_r; right; assert (r = q) as -> by congruence; now rewrite (at_own i p q F)].
      intros j r s ltr at_r Fr Bn.
      destruct (Nat.lt_ge_cases r p) as [lt | ge_]; [now apply G' |].
      assert ((r, inst_of j s) = (p, inst_of i q) \/ (r, inst_of j s) <> (p, inst_of i q)) as [E | ne].
      { destruct (addr_eqb (r, inst_of j s) (p, inst_of i q)) eqn:E; [left; now apply addr_eqb_eq |].
        right. intros E'. apply addr_eqb_eq in E'. congruence. }
      + injection E as -> Ei. assert (s = q) as -> by congruence.
        destruct (step_parts i p e Mp q m M1 gs at_p st) as (a & b & c & d). split; [| split; [| split]].
        * intros k ink. destruct (a k ink) as [x inx].
          apply (done_inst M' i j p q k at_p (eq_sym Ei)); [apply in_or_app; now left |].
          now apply (D' i k x).
        * intros k kids Ek. apply some_steady with M1; [exact S' | now apply (b k kids)].
        * intros v f Ev. destruct (c v f Ev) as (V & n' & L & all). split; [exact V |]. exists n'.
          split; [now apply S' |]. intros x lx. destruct (all x lx) as [y iny]. now apply (D' (Some x) f y).
        * intros kids Ek T. destruct (d kids Ek) as (k & kid & x & L & at_k & inx). exists k, kid.
          split; [| split; [exact at_k |]].
          -- destruct S' as (_ & _ & S'). rewrite (S' p q at_p T); [exact L |].
             assert (get M1 (p, inst_of i q) = Some e) as m1.
             { apply (step_persists commutes pats g ok _ _ _ _ _ _ _ _ _ _ at_p st). apply get_put_same. }
             unfold inst_of in m1. rewrite T in m1. congruence.
          -- apply (done_inst M' i j p q kid at_p (eq_sym Ei)); [| now apply (D' i kid x)].
             apply in_or_app. right. rewrite Ek. now apply nth_error_In with k.
      + rewrite frame in Bn by assumption.
        apply entry_steady with M; try assumption. now apply Sn.
  Qed.

  (** ** Where bindings come from *)

  Variable R : nat -> Prop.             (** what is reached from the source *)
  Hypothesis R_closed : forall p q, R p -> nth_error pats p = Some q ->
    (forall k, In k (children (form q)) -> R k) /\ (forall f, first q = Some f -> R f).
  Variable branch : nat -> Prop.        (** the branches of a variadic output, and its field *)
  Variable field : nat.

  Notation top := (S (List.length pats)).

  (** [p] is bound in instance [k] of the field [f] of a variadic pattern. *)
  Definition within (M : mstate) (p k f : nat) : Prop :=
    In p (reached pats top f) /\
    ((f = field /\ branch k) \/
     exists i o q v n, nth_error pats o = Some q /\ first_of i q = None /\
       get M (o, inst_of i q) <> None /\ snd (parts_of o q) = Some (v, f) /\
       variadic pats v = Some f /\ look_up Nat.eqb (lens M) v = Some n /\ k < n).

  Definition from (M : mstate) : Prop :=
    (forall a, get M a <> None -> R (fst a) /\
       (exists q, nth_error pats (fst a) = Some q /\ template q = some (snd a)) /\
       forall k, snd a = Some k -> exists f v, variadic pats v = Some f /\ within M (fst a) k f) /\
    (forall v n, look_up Nat.eqb (lens M) v = Some n -> R v).

  Lemma reached_self n p : In p (reached pats (S n) p).
  Proof. now left. Qed.

  Lemma reached_closed n : forall p x q y,
    p < n -> In x (reached pats n p) -> nth_error pats x = Some q ->
    In y (children (form q)) \/ first q = Some y -> In y (reached pats n p).
  Proof.
    induction n as [| n IH]; intros p x q y lt inx at_x iny; [lia |]. simpl in inx |- *.
    destruct inx as [<- | inx].
    - rewrite at_x in *. right. apply in_or_app.
      assert (y < p) as lty
        by (destruct iny as [iny | iny];
            [now apply (proj1 (ok p q at_x)) | now apply (proj2 (ok p q at_x))]).
      destruct n as [| n]; [lia |].
      destruct iny as [iny | E].
      + left. apply in_flat_map. exists y. split; [exact iny | apply reached_self].
      + right. rewrite E. apply reached_self.
    - destruct (nth_error pats p) as [qp |] eqn:at_p; [| easy]. right. apply in_or_app.
      apply in_app_or in inx. destruct inx as [inx | inx].
      + left. apply in_flat_map in inx. destruct inx as (k & ink & inx). apply in_flat_map.
        exists k. split; [exact ink |]. apply (IH k x q); try assumption.
        pose proof (proj1 (ok p qp at_p) k ink). lia.
      + right. destruct (first qp) as [f |] eqn:Ff; [| easy]. apply (IH f x q); try assumption.
        pose proof (proj2 (ok p qp at_p) f Ff). lia.
  Qed.

  Lemma within_steady M M' p k f : steady M M' -> within M p k f -> within M' p k f.
  Proof.
    intros S [inp H]. split; [exact inp |].
    destruct H as [H | (i & o & q & v & n & at_o & F & B & P & V & L & lt)]; [now left | right].
    exists i, o, q, v, n. repeat split; try assumption; [now apply some_steady with M | now apply S].
  Qed.

  Lemma goals_from i M kids es M1 gs :
    goals pats i M kids es = Some (M1, gs) ->
    (forall j k x, In (j, k, x) gs -> (j = i /\ In k kids) \/
       exists c v m, j = Some c /\ kids = [v] /\ variadic pats v = Some k /\
         look_up Nat.eqb (lens M1) v = Some m /\ c < m) /\
    (forall v n, look_up Nat.eqb (lens M1) v = Some n -> look_up Nat.eqb (lens M) v = Some n \/ kids = [v]).
  Proof.
    intros G. unfold goals in G.
    assert (forall N, (if Nat.eqb (List.length kids) (List.length es)
              then Some (N, map (fun ke => (i, fst ke, snd ke)) (combine kids es)) else None) = Some (M1, gs) ->
            N = M1 /\ forall j k x, In (j, k, x) gs -> j = i /\ In k kids) as plain.
    { intros N E. destruct (Nat.eqb _ _); [| discriminate]. injection E as -> <-. split; [reflexivity |].
      intros j k x inx. apply in_map_iff in inx. destruct inx as ([k' x'] & E & inx). injection E as <- <- <-.
      split; [reflexivity | now apply in_combine_l in inx]. }
    assert (forall f j k x, In (j, k, x) (instances f es) ->
              k = f /\ exists c, j = Some c /\ c < List.length es) as inst.
    { intros f j k x inx. apply in_map_iff in inx. destruct inx as ([c x'] & E & inx). injection E as <- <- <-.
      split; [reflexivity |]. exists c. split; [reflexivity |].
      apply in_combine_l, in_seq in inx. lia. }
    destruct kids as [| v [| w kids]].
    1, 3: destruct (plain M G) as [<- H]; split; [intros j k x inx; left; now apply (H j k x) | now left].
    destruct (variadic pats v) as [f |] eqn:V.
    2: { destruct (plain M G) as [<- H]; split; [intros j k x inx; left; now apply (H j k x) | now left]. }
    destruct (look_up Nat.eqb (lens M) v) as [m |] eqn:L.
    - destruct (Nat.eqb_spec m (List.length es)) as [-> |]; [| discriminate]. injection G as <- <-.
      split; [| now left]. intros j k x inx. right. destruct (inst f j k x inx) as [-> (c & -> & lt)].
      exists c, v, (List.length es). now repeat split.
    - injection G as <- <-. split.
      + intros j k x inx. right. destruct (inst f j k x inx) as [-> (c & -> & lt)].
        exists c, v, (List.length es). repeat split; try assumption.
        cbn [put_len lens]. now rewrite look_up_cons, Nat.eqb_refl.
      + intros u n E. cbn [put_len lens] in E. rewrite look_up_cons in E.
        destruct (Nat.eqb_spec v u) as [-> |]; [now right | now left].
  Qed.

  (** The goals of a step: children in the same instance, or instances of a field. *)
  Lemma step_from i p e M q n M1 gs :
    nth_error pats p = Some q -> step i p e M q n M1 gs ->
    (forall j k x, In (j, k, x) gs ->
       (j = i /\ match form q with PVariadic _ _ _ _ | PInst _ _ => False | s => In k (children s) end) \/
       exists c v m, j = Some c /\ snd (parts_of p q) = Some (v, k) /\ variadic pats v = Some k /\
         (v = p \/ In v (children (form q))) /\ look_up Nat.eqb (lens M1) v = Some m /\ c < m) /\
    (forall v m, look_up Nat.eqb (lens M1) v = Some m ->
       look_up Nat.eqb (lens M) v = Some m \/ v = p \/ In v (children (form q))).
  Proof.
    intros at_p st. unfold Check.parts_of.
    destruct st as [F P | F L' W | a k w F W | F P | o kids name M1 es es' M2 gs F W A C ord G |
      kids M2 gs F W G | fld least len index M2 gs F W G | kid a k x F W L' | kid d F P | kid d F P |
      kids k kid F at_k]; rewrite F; cbn [fst snd children]; try (split; [easy | now left]).
    - apply goals_from in G. destruct G as [g1 g2]. apply op_allows_rest in A. destruct A as [A _].
      rewrite A in g2. assert (forall k, In k kids -> In k (children (PCall o kids))) as sub
        by (intros k ink; destruct o; [exact ink | now right]). split.
      + intros j k x inx. destruct (g1 j k x inx) as [[-> ink] | (c & v & m & -> & -> & V & L & lt)].
        * left. split; [reflexivity | now apply sub].
        * right. exists c, v, m. rewrite V. repeat split; try assumption. right. apply sub. now left.
      + intros v m L. destruct (g2 v m L) as [H | ->]; [now left | right; right]. apply sub. now left.
    - apply goals_from in G. destruct G as [g1 g2]. split.
      + intros j k x inx. destruct (g1 j k x inx) as [H | (c & v & m & -> & -> & V & L & lt)]; [now left | right].
        exists c, v, m. rewrite V. repeat split; try assumption. right. now left.
      + intros v m L. destruct (g2 v m L) as [H | ->]; [now left | right; right; now left].
    - assert (variadic pats p = Some fld) as V by (unfold variadic; now rewrite at_p, F).
      pose proof (goals_from _ _ _ _ _ _ G) as [g1 g2]. split.
      + intros j k x inx. right. unfold goals in G. rewrite V in G.
        destruct (g1 j k x inx) as [[-> [E | []]] | (c & v & m & -> & E & V' & L & lt)].
        * subst k. exfalso.
          assert (In (i, p, x) (instances fld (args n))) as inx'
            by (destruct (look_up Nat.eqb (lens M) p); [destruct (Nat.eqb _ _); [| discriminate] |];
                injection G as _ <-; exact inx).
          apply in_map_iff in inx'. destruct inx' as (ke & E & _). injection E as _ E _.
          pose proof (proj1 (ok p q at_p) fld) as lt. rewrite F in lt. specialize (lt (or_introl eq_refl)). lia.
        * injection E as <-. assert (k = fld) as -> by congruence.
          exists c, p, m. repeat split; try assumption. now left.
      + intros v m L. destruct (g2 v m L) as [H | E]; [now left | right; left]. now injection E.
    - split; [| now left]. intros j k' y [E | []]. injection E as <- <- <-. left. split; [easy | now left].
    - split; [| now left]. intros j k y [E | []]. injection E as <- <- <-. left. split; [easy | now left].
    - split; [| now left]. intros j k' y [E | []]. injection E as <- <- <-. left.
      split; [reflexivity | now apply nth_error_In with k].
  Qed.

  Theorem pm_from p : forall i M e M',
    pm i M p e M' -> R p ->
    (i = None -> forall q, nth_error pats p = Some q -> template q = false) ->
    (forall k, i = Some k -> exists f v, variadic pats v = Some f /\ within M p k f) ->
    from M -> from M'.
  Proof.
    induction p as [p IH] using (well_founded_induction lt_wf). intros i M e M' H Rp nt ctx fr.
    inversion H as [? ? ? ? q m at_p at_m B | ? ? ? ? q m at_p at_m B I |
      ? ? ? ? q m f ? at_p at_m B I F pf | ? ? ? ? q m M1 gs ? at_p at_m B I F J st th]; subst;
      try exact fr.
    - assert (first q = Some f) as Ff.
      { unfold first_of in F. destruct i as [[|] |]; try discriminate. now destruct (template q). }
      apply (IH f) with None M e; try assumption; try discriminate.
      + now apply (proj2 (ok p q at_p)).
      + now apply (proj2 (R_closed p q Rp at_p)).
      + intros _ qf at_f. now apply (first_plain p q f qf).
    - rewrite (at_own i p q F) in *. set (Mp := put M (p, inst_of i q) e) in *.
      pose proof (step_steady i p e M q m M1 gs at_p B st) as S1.
      destruct (step_from i p e Mp q m M1 gs at_p st) as [g1 g2].
      assert (get M1 (p, inst_of i q) = Some e) as mine.
      { apply (step_persists commutes pats g ok _ _ _ _ _ _ _ _ _ _ at_p st). apply get_put_same. }
      assert (from M1) as fr1.
      { destruct fr as [fa fv]. split.
        - intros a Ba.
          destruct (step_get commutes pats g ok _ _ _ _ _ _ _ _ at_p st a) as
            [E | (Bn & lt & s & names & at_s & O)].
          + rewrite E in Ba. unfold Mp in Ba. rewrite get_put in Ba.
            destruct (addr_eqb (p, inst_of i q) a) eqn:Ea.
            * apply addr_eqb_eq in Ea. subst a. simpl. split; [exact Rp |].
              split.
              { exists q. split; [exact at_p |]. unfold inst_of. destruct (template q) eqn:T; [| reflexivity].
                destruct i; [reflexivity |]. now rewrite (nt eq_refl q at_p) in T. }
              intros k Ek. unfold inst_of in Ek. destruct (template q) eqn:T; [| discriminate].
              destruct (ctx k Ek) as (f & v & V & W). exists f, v.
              split; [exact V | now apply within_steady with M].
            * destruct (fa a Ba) as (Ra & Ta & Wa). split; [exact Ra |]. split; [exact Ta |]. intros k Ek.
              destruct (Wa k Ek) as (f & v & V & W). exists f, v.
              split; [exact V | now apply within_steady with M].
          + destruct a as [o [k |]].
            * exfalso. clear - st at_p Bn Ba ok at_s O.
              destruct st as [F P | F L' W | a' k' w F W | F P | o' kids name M1 es es' M2 gs F W A C ord G |
                kids M2 gs F W G | fld least len index M2 gs F W G | kid a' k' x F W L' | kid d F P | kid d F P |
                kids k' kid F at_k]; try congruence; try (now elim (Ba Bn));
                try (rewrite (get_bound M2 Mp) in Ba by (now apply goals_bound in G); congruence).
              rewrite (get_bound M2 M1) in Ba by now apply goals_bound in G.
              unfold op_allows in A. destruct o' as [s' | k'].
              -- destruct (String.eqb s' name); [| discriminate]. injection A as <-. congruence.
              -- destruct (get Mp (k', None)).
                 ++ destruct (name_of g _); [| discriminate]. destruct (String.eqb _ _); [| discriminate].
                    injection A as <-. congruence.
                 ++ destruct (nth_error pats k') as [r' |]; [| discriminate]. destruct (form r'); try discriminate.
                    destruct (existsb _ _); [| discriminate]. injection A as <-.
                    rewrite get_put in Ba. destruct (addr_eqb (k', None) (o, Some k)) eqn:Ea; [| congruence].
                    apply addr_eqb_eq in Ea. discriminate.
            * simpl in *.
              assert (exists kids, form q = PCall (OPat o) kids) as [kids Fo];
                [| assert (In o (children (form q))) as ino by (rewrite Fo; now left);
                   split; [now apply (proj1 (R_closed p q Rp at_p)) |]; split; [| discriminate];
                   exists s; split; [exact at_s | simpl; now apply (op_plain s names (nth_error_In _ _ at_s))]].
              clear - st at_p Bn Ba.
              destruct st as [F P | F L' W | a' k' w F W | F P | o' kids name M1 es es' M2 gs F W A C ord G |
                kids M2 gs F W G | fld least len index M2 gs F W G | kid a' k' x F W L' | kid d F P | kid d F P |
                kids k' kid F at_k]; try congruence; try (now elim (Ba Bn));
                try (rewrite (get_bound M2 Mp) in Ba by (now apply goals_bound in G); congruence).
              rewrite (get_bound M2 M1) in Ba by now apply goals_bound in G.
              unfold op_allows in A. destruct o' as [s' | k'].
              -- destruct (String.eqb s' name); [| discriminate]. injection A as <-. congruence.
              -- destruct (get Mp (k', None)).
                 ++ destruct (name_of g _); [| discriminate]. destruct (String.eqb _ _); [| discriminate].
                    injection A as <-. congruence.
                 ++ destruct (nth_error pats k') as [r' |]; [| discriminate]. destruct (form r'); try discriminate.
                    destruct (existsb _ _); [| discriminate]. injection A as <-.
                    rewrite get_put in Ba. destruct (addr_eqb (k', None) (o, None)) eqn:Ea; [| congruence].
                    apply addr_eqb_eq in Ea. injection Ea as <-. now exists kids.
        - intros v n L. destruct (g2 v n L) as [H' | [-> | inv]].
          + now apply (fv v n).
          + exact Rp.
          + now apply (proj1 (R_closed p q Rp at_p)). }
      assert (from M' /\ steady M1 M') as [H' _]; [| exact H'].
      refine (thread_keeps _ (fun s => from s /\ steady M1 s) gs _ M1 M' th (conj fr1 (steady_refl M1))).
      intros s [[j k] x] t inx pk [frs Ss]. simpl in pk.
      pose proof (step_smaller commutes pats g ok _ _ _ _ _ _ _ _ _ _ _ at_p st inx) as ltk.
      split; [| apply steady_trans with s; [exact Ss | now apply (pm_steady k j s x)]].
      destruct (g1 j k x inx) as [[-> ink] | (c & v & n & -> & P & V & inv & L & lt)].
      + apply (IH k ltk i s x); try assumption.
        * apply (proj1 (R_closed p q Rp at_p)). now destruct (form q).
        * intros -> qk at_k. now apply (plain_child p q k qk at_p (nt eq_refl q at_p)).
        * intros c Ec. destruct (ctx c Ec) as (f & v & V & [inp W]). exists f, v. split; [exact V |].
          apply within_steady with M; [now apply steady_trans with M1 |]. split; [| exact W].
          apply (reached_closed top f p q); try assumption; [| left; now destruct (form q)].
          destruct (variadic_child pats v f V) as (qv & at_v & inf).
          pose proof (proj1 (ok v qv at_v) f inf).
          assert (v < List.length pats) by (apply nth_error_Some; congruence). lia.
      + apply (IH k ltk (Some c) s x); try assumption.
        * assert (R v) as Rv by (destruct inv as [-> | inv]; [exact Rp | now apply (proj1 (R_closed p q Rp at_p))]).
          destruct (variadic_child pats v k V) as (qv & at_v & inf).
          now apply (proj1 (R_closed v qv Rv at_v)).
        * discriminate.
        * intros c' Ec. injection Ec as <-. exists k, v. split; [exact V |].
          apply within_steady with M1; [exact Ss |]. split; [apply reached_self |]. right.
          exists i, p, q, v, n. repeat split; try assumption. congruence.
  Qed.
End Settled.
