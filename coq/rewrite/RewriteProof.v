(** * Building follows the judgement; rewriting preserves meaning *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite.
Import ListNotations.
Open Scope nat_scope.

(** ** Building *)

Lemma collects_iff {S A B} (f : S -> A -> option (B * S)) (R : S -> A -> B -> S -> Prop) l :
  (forall a, In a l -> forall s b t, f s a = Some (b, t) <-> R s a b t) ->
  forall s bs t, collects f s l = Some (bs, t) <-> collect R s l bs t.
Proof.
  induction l as [| a l IH]; intros same s bs t; simpl.
  - split; intros H; [injection H as <- <-; constructor | now inversion H].
  - assert (forall b, In b l -> forall s c t, f s b = Some (c, t) <-> R s b c t) as rest
      by (intros b inb; apply same; now right).
    split.
    + destruct (f s a) as [[b s1] |] eqn:E; [| discriminate].
      destruct (collects f s1 l) as [[cs s2] |] eqn:F; [| discriminate].
      intros H. injection H as <- <-. apply C_Cons with s1.
      * now apply same; [left |].
      * now apply IH.
    + intros H. inversion H as [| ? ? b s1 ? cs ? here tl]; subst.
      apply same in here; [| now left]. rewrite here. apply IH in tl; [| exact rest].
      now rewrite tl.
Qed.

Section BuildProof.
  Variables (pats : list pattern) (g : tgraph) (M : mstate).
  Hypothesis ok : ordered pats.

  Notation make := (make pats g M).
  Notation plan := (plan pats g M).
  Notation pe := (pe pats g M).
  Notation build := (build pats g M).

  Theorem plan_iff i q gs f : plan i q = Some (gs, f) <-> make i q gs f.
  Proof.
    unfold Rewrite.plan. split.
    - destruct (form q) eqn:F; try discriminate.
      + destruct a as [a |]; [| discriminate].
        destruct (value_at pats g M i a) as [v |] eqn:E; [| discriminate].
        destruct (given pats g M i q) as [t |] eqn:T; [| discriminate].
        intros H. injection H as <- <-. eapply PE_Const; eassumption.
      + destruct (target_op g M o) as [name |] eqn:N; [| discriminate].
        destruct (parts pats g M i kids) as [gs0 |] eqn:P; [| discriminate].
        destruct (given pats g M i q) as [t |] eqn:T; [| discriminate].
        intros H. injection H as <- <-. eapply PE_Call; eassumption.
      + destruct (parts pats g M i kids) as [gs0 |] eqn:P; [| discriminate].
        intros H. injection H as <- <-. eapply PE_Tuple; eassumption.
      + destruct a as [a |]; [| discriminate].
        destruct (value_at pats g M i a) as [[| | k | | |] |] eqn:E; try discriminate.
        intros H. injection H as <- <-. eapply PE_Proj; eassumption.
      + destruct otherwise as [a |]; [| discriminate].
        destruct (value_at pats g M i a) as [v |] eqn:E; [| discriminate].
        intros H. injection H as <- <-. eapply PE_Default; eassumption.
      + destruct (value_at pats g M i c) as [[| b | | | |] |] eqn:E; try discriminate.
        intros H. injection H as <- <-. eapply PE_Cond; eassumption.
      + destruct (look_up Nat.eqb (alts M) alt) as [k |] eqn:A; [| discriminate].
        destruct (nth_error kids k) as [kid |] eqn:K; [| discriminate].
        intros H. injection H as <- <-. eapply PE_Choice; eassumption.
    - intros H. destruct H as [a v t F E T | o kids name gs vs F N P T | kids gs F P |
        kid a k F E | c kid kid' b F E | alt kids k kid F A K | kid a v F E]; rewrite F.
      + now rewrite E, T.
      + now rewrite N, P, T.
      + now rewrite P.
      + now rewrite E.
      + now rewrite E.
      + now rewrite A, K.
      + now rewrite E.
  Qed.

  Lemma parts_smaller i p kids gs x :
    (forall k, In k kids -> k < p) -> parts pats g M i kids = Some gs -> In x gs -> snd x < p.
  Proof.
    intros below. unfold parts.
    assert (Some (map (pair i) kids) = Some gs -> In x gs -> snd x < p) as plain.
    { intros H inx. injection H as <-. apply in_map_iff in inx.
      destruct inx as (k & <- & ink). now apply below. }
    destruct kids as [| v [| w kids]]; try exact plain.
    destruct (nth_error pats v) as [q |] eqn:at_v; [| discriminate].
    assert (v < p) as ltv by (apply below; now left).
    assert (Some [(i, v)] = Some gs -> In x gs -> snd x < p) as single.
    { intros H inx. injection H as <-. destruct inx as [<- | []]. exact ltv. }
    destruct (form q) eqn:F; try exact single.
    destruct len as [n |]; [| discriminate].
    destruct (value_at pats g M i n) as [[| | k | | |] |]; try discriminate.
    destruct (count k) as [m |]; [| discriminate]. intros H inx. injection H as <-.
    apply in_map_iff in inx. destruct inx as (j & <- & _). simpl.
    destruct (ok v q at_v) as [kids_lt _]. specialize (kids_lt field). rewrite F in kids_lt.
    specialize (kids_lt (or_introl eq_refl)). lia.
  Qed.

  Lemma make_smaller i p q gs f x :
    nth_error pats p = Some q -> make i q gs f -> In x gs -> snd x < p.
  Proof.
    intros at_p H inx. destruct (ok p q at_p) as [kids_lt _].
    destruct H as [a v t F E T | o kids name gs vs F N P T | kids gs F P |
        kid a k F E | c kid kid' b F E | alt kids k kid F A K | kid a v F E];
      rewrite F in kids_lt; simpl in kids_lt; try easy.
    - apply (parts_smaller i p kids gs); try assumption. intros k ink. apply kids_lt.
      destruct o; [exact ink | now right].
    - now apply (parts_smaller i p kids gs).
    - destruct inx as [<- | []]. apply kids_lt. now left.
    - destruct inx as [<- | []]. apply kids_lt. destruct b; simpl; tauto.
    - destruct inx as [<- | []]. apply kids_lt. right. now apply nth_error_In with k.
  Qed.

  (** The builder decides the judgement. *)
  Theorem build_iff fuel i st p e st' :
    p < fuel -> (build fuel i st p = Some (e, st') <-> pe i st p e st').
  Proof.
    revert i st p e st'. induction fuel as [| fuel IH]; intros i st p e st' lt; [lia |].
    cbn [Rewrite.build].
    destruct (nth_error pats p) as [q |] eqn:at_p;
      [| split; [discriminate | intros H; inversion H; congruence]].
    assert (forall gs f, make i q gs f -> forall st es st1,
      collects (fun st x => build fuel (fst x) st (snd x)) st gs = Some (es, st1) <->
      collect (fun st x e st' => pe (fst x) st (snd x) e st') st gs es st1) as children.
    { intros gs f mk. apply collects_iff. intros [j k] inx s b t. simpl. apply IH.
      pose proof (make_smaller i p q gs f (j, k) at_p mk inx). simpl in *. lia. }
    split.
    - destruct (looked_up pats g M i p q) as [e0 |] eqn:L.
      { intros H. injection H as -> ->. now apply PE_Match with q. }
      destruct (look_up addr_eqb (built st) (at_ i p q)) as [e0 |] eqn:B.
      { intros H. injection H as -> ->. now apply PE_Shared with q. }
      destruct (plan i q) as [[gs f] |] eqn:P; [| discriminate]. apply plan_iff in P.
      destruct (collects (fun st x => build fuel (fst x) st (snd x)) st gs) as [[es st1] |] eqn:C; [| discriminate].
      destruct (finished f es (whole st1)) as [[e0 h] |] eqn:F; [| discriminate].
      intros H. injection H as <- <-. apply (children gs f P) in C.
      eapply PE_Make; eassumption.
    - intros H. destruct H as [i st p q' e at_p' L | i st p q' e at_p' L B |
        i st p q' gs f es st1 e h at_p' L B mk C F];
        (assert (q' = q) as -> by congruence); rewrite L; [reflexivity | now rewrite B |].
      rewrite B. pose proof (proj2 (plan_iff i q gs f) mk) as P. rewrite P.
      apply (children gs f mk) in C. now rewrite C, F.
  Qed.
End BuildProof.

(** ** Putting it in place *)

Section Place.
  Context {O V : Type} (den : O -> list V -> option V).
  Notation graph := (Graph.graph O).

  Lemma early_ok (g : graph) outs j :
    wf g ->
    negb (Nat.ltb j (List.length g)) || negb (mem j (flat_map (reach g) outs)) = true ->
    j < List.length g -> forall o, In o outs -> ~ ancestor g o j.
  Proof.
    intros ok H lt o ino anc. apply Nat.ltb_lt in lt. rewrite lt in H. simpl in H.
    assert (mem j (flat_map (reach g) outs) = true) as L by (apply late_iff; eauto).
    now rewrite L in H.
  Qed.

  Lemma find_move {A} (f : A -> bool) l :
    match find f l with Some a => In a l /\ f a = true | None => forall a, In a l -> f a = false end.
  Proof.
    destruct (find f l) eqn:E; [now apply find_some | now apply find_none].
  Qed.

  Theorem place_target_ok (g new : graph) moves h f :
    wf g -> place_target g new moves = Some (h, f) ->
    wf h /\ List.length h = List.length (g ++ new) /\
    (forall i, i < List.length g -> f i < List.length h) /\
    ((forall o t, In (o, t) moves -> forall v, ge den (g ++ new) o v <-> ge den (g ++ new) t v) ->
     (forall i, i < List.length g -> forall v, ge den g i v <-> ge den h (f i) v) /\
     (forall p, p < List.length h ->
        exists i n m, nth_error (g ++ new) i = Some n /\ nth_error h p = Some m /\ op m = op n /\
          forall v, ge den (g ++ new) i v <-> ge den h p v)).
  Proof.
    intros okg. unfold place_target. set (k := List.length g). set (outs := map fst moves).
    set (order := late_order g (List.length new) outs).
    destruct (wfb (g ++ new) && _ && _) eqn:C; [| discriminate].
    intros H. injection H as <- <-. rewrite !andb_true_iff in C. destruct C as [[W N] R].
    apply wfb_iff in W. rewrite forallb_forall in N, R.
    assert (topological (g ++ new) order) as topo.
    { apply late_order_topological; [exact W |]. intros n j inn inj ltj.
      specialize (N n inn). rewrite forallb_forall in N.
      apply early_ok; [exact okg | now apply N | exact ltj]. }
    assert (forall j, In j order -> j < List.length (g ++ new)) as inside
      by (intros j; apply late_order_complete).
    assert (NoDup order) as nd by apply late_order_nodup.
    set (to := fun j => match find _ moves with Some m => place_of (snd m) order | None => j end).
    assert (forall o t, In (o, t) moves ->
      o < k /\ t < List.length (g ++ new) /\ place_of t order < place_of o order) as moved.
    { intros o t inm. specialize (R _ inm). simpl in R. rewrite !andb_true_iff in R.
      destruct R as [[lo lt] early]. apply Nat.ltb_lt in lo, lt.
      assert (In o outs) as ino by (apply in_map_iff; now exists (o, t)).
      assert (t < List.length (g ++ new)) as lt' by (rewrite app_length; exact lt).
      repeat split; [exact lo | exact lt' |].
      apply late_order_before; try assumption.
      intros ltt (o' & ino' & anc). exact (early_ok g outs t okg early ltt o' ino' anc). }
    assert (forall j, to j <= j) as back.
    { intros j. unfold to.
      pose proof (find_move (fun m => Nat.eqb (place_of (fst m) order) j) moves) as F.
      destruct (find _ moves) as [[o t] |]; [| lia]. destruct F as [inm E]. simpl in *.
      apply Nat.eqb_eq in E. destruct (moved o t inm) as (_ & _ & lt). lia. }
    set (h' := reorder order (g ++ new)).
    assert (wf h') as ok' by now apply reorder_wf.
    assert (List.length h' = List.length (g ++ new)) as len.
    { unfold h'. rewrite reorder_length by exact inside.
      rewrite <- (seq_length (List.length (g ++ new)) 0). apply Nat.le_antisymm.
      - apply NoDup_incl_length; [exact nd |]. intros j inj. apply in_seq.
        specialize (inside j inj). lia.
      - apply NoDup_incl_length; [apply seq_NoDup |]. intros j inj. apply in_seq in inj.
        apply late_order_complete. lia. }
    assert (wf (redirect to h')) as okr.
    { intros i m at_i j inj. unfold redirect in at_i. rewrite nth_error_map in at_i.
      destruct (nth_error h' i) as [n |] eqn:at_n; [| discriminate]. injection at_i as <-.
      simpl in inj. apply in_map_iff in inj. destruct inj as (c & <- & inc).
      specialize (ok' i n at_n c inc). specialize (back c). lia. }
    assert (List.length (redirect to h') = List.length (g ++ new)) as lenr
      by (unfold redirect; now rewrite map_length).
    assert (forall i, i < k -> In i order) as every.
    { intros i lt. apply late_order_complete. rewrite app_length. fold k. lia. }
    assert (forall i, i < k -> place_of i order < List.length (g ++ new)) as lt_place.
    { intros i lt. rewrite <- len. unfold h'. rewrite reorder_length by exact inside.
      now apply place_of_lt, every. }
    split; [exact okr |]. split; [exact lenr |]. split.
    - intros i lt. change (to (place_of i order) < List.length (redirect to h')).
      rewrite lenr. specialize (back (place_of i order)). specialize (lt_place i lt). lia.
    - intros valid.
      pose proof (fun j inj u => reorder_preserves den order (g ++ new) W inside topo j inj u) as keep.
      assert (forall j u, ge den h' j u <-> ge den h' (to j) u) as same.
      { intros j u. unfold to.
        pose proof (find_move (fun m => Nat.eqb (place_of (fst m) order) j) moves) as F.
        destruct (find _ moves) as [[o t] |]; [| reflexivity]. destruct F as [inm E]. simpl in *.
        apply Nat.eqb_eq in E. subst j. destruct (moved o t inm) as (lo & lt' & _).
        unfold h'. rewrite <- (keep o (every o lo)), <- (keep t) by now apply late_order_complete.
        now apply valid. }
      destruct (redirect_preserves den to h' ok' back same) as [_ redirected]. split.
      2: {
        intros p ltp. change (p < List.length (redirect to h')) in ltp. rewrite lenr, <- len in ltp.
        assert (p < List.length order) as lto
          by (unfold h' in ltp; now rewrite reorder_length in ltp by exact inside).
        apply nth_error_Some in lto. destruct (nth_error order p) as [i |] eqn:at_o; [| easy].
        assert (In i order) as ini by now apply nth_error_In with p.
        assert (place_of i order = p) as <-.
        { apply (proj1 (NoDup_nth_error order) nd); [now apply place_of_lt |].
          rewrite nth_error_place_of; congruence. }
        pose proof (inside i ini) as lti. apply nth_error_Some in lti.
        destruct (nth_error (g ++ new) i) as [n |] eqn:at_i; [| easy].
        assert (nth_error h' (place_of i order) =
                  Some (Node (op n) (map (fun j => place_of j order) (args n)))) as at_h.
        { unfold h'. rewrite reorder_nth by assumption. now rewrite at_i. }
        exists i, n, (Node (op n) (map to (map (fun j => place_of j order) (args n)))).
        split; [exact at_i |]. split; [unfold redirect; now rewrite nth_error_map, at_h |].
        split; [reflexivity |]. intros v. rewrite (keep i ini v). now apply redirected. }
      intros i lt v. rewrite <- (eval_app den g new i v okg lt), (keep i (every i lt) v).
      change (ge den h' (place_of i order) v <-> ge den (redirect to h') (to (place_of i order)) v).
      rewrite (same (place_of i order) v). apply redirected. rewrite len.
      specialize (back (place_of i order)). specialize (lt_place i lt). lia.
  Qed.
End Place.

(** ** Rewriting *)

Section Rewriting.
  Context {V : Type} (den : oper -> list V -> option V).

  (** The rule is an equation at this match: in the graph with the target behind
      it, each output has the value of what takes its place. *)
  Definition valid_at (r : rule) (g : tgraph) (M : mstate) (outs : list nat) : Prop :=
    forall es st, build_roots r g M (List.length outs) = Some (es, st) ->
    let h := retype g (whole st) (combine outs es) in
    forall o e, In (o, e) (combine outs es) -> forall v,
      ge den (g ++ skipn (List.length g) h) o v <-> ge den (g ++ skipn (List.length g) h) e v.

  Definition same_values (g : tgraph) (os : list nat) (h : tgraph) (ps : list nat) : Prop :=
    Forall2 (fun o p => forall v, ge den g o v <-> ge den h p v) os ps.

  Lemma tidy_ok (g : tgraph) outs :
    wf g -> (forall o, In o outs -> o < List.length g) ->
    wf (fst (tidy g outs)) /\
    (forall o, In o (snd (tidy g outs)) -> o < List.length (fst (tidy g outs))) /\
    same_values g outs (fst (tidy g outs)) (snd (tidy g outs)).
  Proof.
    intros ok inside. unfold tidy. set (inputs := filter _ _).
    set (order := needed g (outs ++ inputs)). cbn [fst snd].
    assert (forall j, In j order -> j < List.length g) as lt by apply needed_lt.
    assert (topological g order) as topo by now apply needed_topological.
    assert (forall o, In o outs -> In o order) as kept.
    { intros o ino. apply needed_out; [apply in_or_app; now left | now apply inside | exact ok]. }
    split; [apply reorder_wf; [exact lt | apply needed_nodup | exact topo] |]. split.
    - intros p inp. apply in_map_iff in inp. destruct inp as (o & <- & ino).
      rewrite reorder_length by exact lt. now apply place_of_lt, kept.
    - unfold same_values. revert kept. generalize outs at 1 2 3. intros l kept.
      induction l as [| o l IH]; constructor.
      + apply (reorder_preserves den order g ok lt topo). apply kept. now left.
      + apply IH. intros p inp. apply kept. now right.
  Qed.

  Lemma same_values_trans g os h ps k qs :
    same_values g os h ps -> same_values h ps k qs -> same_values g os k qs.
  Proof.
    intros H. revert qs. induction H as [| o p os ps here _ IH]; intros qs K;
      inversion K as [| ? q ? qs' there rest]; subst; constructor.
    - intros v. rewrite here. apply there.
    - now apply IH.
  Qed.

  (** A rewrite by a valid rule keeps the value of every output. *)
  Theorem rewrite_preserves r g outputs M outs h outputs' :
    wf g -> (forall o, In o outputs -> o < List.length g) ->
    rewrite_match r g outputs M outs = Some (h, outputs') ->
    wf h /\ (forall o, In o outputs' -> o < List.length h) /\
    (valid_at r g M outs -> same_values g outputs h outputs').
  Proof.
    intros ok inside. unfold rewrite_match.
    destruct (build_roots r g M (List.length outs)) as [[es st] |] eqn:B; [| discriminate].
    destruct (Nat.eqb _ _ && _); [| discriminate].
    destruct (place_target g _ (combine outs es)) as [[h1 f] |] eqn:P; [| discriminate].
    intros H. injection H as <- <-.
    destruct (place_target_ok den g _ _ _ _ ok P) as (ok1 & len & below & keep).
    assert (forall o, In o (map f outputs) -> o < List.length h1) as inside1.
    { intros o ino. apply in_map_iff in ino. destruct ino as (p & <- & inp). now apply below, inside. }
    destruct (tidy_ok h1 (map f outputs) ok1 inside1) as (ok2 & lt2 & same2).
    split; [exact ok2 |]. split; [exact lt2 |]. intros valid.
    apply same_values_trans with h1 (map f outputs); [| exact same2].
    destruct (keep (fun o e inm v => valid es st B o e inm v)) as [keep' _].
    clear keep. rename keep' into keep. clear - keep inside. induction outputs as [| o outputs IH]; constructor.
    - apply keep, inside. now left.
    - apply IH. intros x inx. apply inside. now right.
  Qed.
End Rewriting.
