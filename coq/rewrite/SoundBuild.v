(** * What is built has the value that the text says *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Rewrite rewrite.Sound.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Lemma traverse_id {A} (rs : list (option A)) vs :
  traverse (fun x => x) rs = Some vs <-> rs = map Some vs.
Proof.
  revert vs. induction rs as [| x rs IH]; intros vs; simpl.
  - split; [intros E; now injection E as <- | destruct vs; [reflexivity | discriminate]].
  - destruct x as [x |].
    + destruct (traverse _ rs) as [us |].
      * split; [intros E; injection E as <- | intros E].
        -- simpl. f_equal. now apply IH.
        -- destruct vs as [| v vs]; [discriminate |]. injection E as <- E. apply IH in E. now injection E as <-.
      * split; [discriminate |]. intros E. destruct vs as [| v vs]; [discriminate |]. injection E as _ E.
        apply IH in E. discriminate.
    + split; [discriminate |]. intros E. now destruct vs.
Qed.

(** ** Absent inputs at the end *)

Lemma strip_absent {T} (l : list (val T)) n : strip (l ++ repeat Absent n) = strip l.
Proof.
  induction l as [| v l IH]; simpl; [| now rewrite IH]. induction n as [| n IH]; [reflexivity |]. simpl. now rewrite IH.
Qed.

Lemma strip_present {T} (l : list (val T)) : (forall v, In v l -> v <> Absent) -> strip l = l.
Proof.
  induction l as [| v l IH]; intros H; [reflexivity |]. simpl. rewrite IH by (intros w inw; apply H; now right).
  destruct l; [| reflexivity]. specialize (H v (or_introl eq_refl)). now destruct v.
Qed.

Lemma Forall2_cons_left {A B} (R : A -> B -> Prop) a l m : Forall2 R (a :: l) m ->
  exists b m', R a b /\ Forall2 R l m' /\ m = b :: m'.
Proof. intros F. inversion F; subst. eauto. Qed.

Lemma Forall2_nil_left {A B} (R : A -> B -> Prop) m : Forall2 R [] m -> m = [].
Proof. intros F. now inversion F. Qed.

(** ** How a pattern of a target is made *)

Section Plan.
  Variables (pats : list pattern) (g : tgraph) (M : mstate).

  Lemma plan_call i q gs f s kids : plan pats g M i q = Some (gs, f) -> form q = PCall (OName s) kids ->
    exists vs, parts pats g M i kids = Some gs /\ given pats g M i q = Some vs /\ f = FNew (Oper (KCall s) [] vs).
  Proof.
    unfold plan. intros P F. rewrite F in P. cbn [target_op] in P.
    destruct (parts pats g M i kids) as [gs' |]; [| discriminate].
    destruct (given pats g M i q) as [vs |]; [| discriminate]. injection P as <- <-. now exists vs.
  Qed.

  Lemma plan_call_like i q gs f o kids : plan pats g M i q = Some (gs, f) -> form q = PCall (OPat o) kids ->
    exists vs e s, get M (o, None) = Some e /\ name_of g e = Some s /\
      parts pats g M i kids = Some gs /\ given pats g M i q = Some vs /\ f = FNew (Oper (KCall s) [] vs).
  Proof.
    unfold plan. intros P F. rewrite F in P. cbn [target_op] in P.
    destruct (get M (o, None)) as [e |]; [| discriminate]. destruct (name_of g e) as [s |] eqn:N; [| discriminate].
    destruct (parts pats g M i kids) as [gs' |]; [| discriminate].
    destruct (given pats g M i q) as [vs |]; [| discriminate]. injection P as <- <-. now exists vs, e, s.
  Qed.
End Plan.

(** ** The value of what is built *)

Section Build.
  Context {T : Type} (S : model T).
  Notation den := (den S).
  Variables (pats : list pattern) (g : tgraph) (M : mstate).
  Hypothesis ok : wf g.
  Hypothesis grounded : 0 < List.length g.
  Hypothesis inside : forall a e, get M a = Some e -> e < List.length g.
  Hypothesis all : computes S g.
  Hypothesis plains : forall q, In q pats -> plain_pattern (own S) q && plain_const q = true.
  Notation means := (means S pats g M).
  Notation build := (build pats g M).
  Notation looked_up := (looked_up pats g M).
  Notation result := (result S).

  Lemma value_ge e : e < List.length g -> ge den g e (value_of_node S g e).
  Proof.
    intros lt. unfold value_of_node. destruct (all e lt) as [v H].
    apply graph_eval_iff in H; [| exact ok]. rewrite H. now apply graph_eval_iff.
  Qed.

  Definition made (a : addr) (x : option (val T)) : Prop :=
    exists i p q gs f rs, nth_error pats p = Some q /\ at_ i p q = a /\ looked_up i p q = None /\
      plan pats g M i q = Some (gs, f) /\ Forall2 (fun y x => means (fst y) (snd y) x) gs rs /\ x = result f rs.

  Lemma made_means i p q x :
    nth_error pats p = Some q -> looked_up i p q = None -> made (at_ i p q) x -> means i p x.
  Proof.
    intros at_p L (i' & p' & q' & gs & f & rs & at_p' & A & L' & P & F & ->).
    now apply Means_Make with q i' p' q' gs.
  Qed.

  (** What new nodes are like. *)
  Definition new_node (n : node oper) : Prop :=
    plain_node S n /\ (forall l s, type_label l = true -> tensor_label n l = Some s -> False).

  Definition good (st : bstate) : Prop :=
    exists new, whole st = g ++ new /\ wf (g ++ new) /\ (forall n, In n new -> new_node n) /\
      forall a e, In (a, e) (built st) -> e < List.length (whole st) /\
        exists x, made a x /\ forall v, x = Some v -> ge den (whole st) e v.

  Definition grows (st st' : bstate) : Prop := exists more, whole st' = whole st ++ more.

  Definition valued (st st' : bstate) : Prop :=
    forall k, List.length (whole st) <= k < List.length (whole st') -> exists v, ge den (whole st') k v.

  Lemma good_wf st : good st -> wf (whole st).
  Proof. intros (new & -> & W & _). exact W. Qed.

  Lemma grows_ge st st' e v : wf (whole st) -> grows st st' -> ge den (whole st) e v -> ge den (whole st') e v.
  Proof.
    intros W [more ->] H. apply eval_app; try assumption.
    inversion H as [? n ? ? at_i]; subst. apply nth_error_Some. congruence.
  Qed.

  Lemma grows_trans a b c : grows a b -> grows b c -> grows a c.
  Proof. intros [m E] [m' F]. exists (m ++ m'). now rewrite F, E, app_assoc. Qed.

  Lemma grows_length a b : grows a b -> List.length (whole a) <= List.length (whole b).
  Proof. intros [m ->]. rewrite app_length. lia. Qed.

  Lemma valued_trans a b c : wf (whole b) -> grows b c -> valued a b -> valued b c -> valued a c.
  Proof.
    intros W G V U k [lo hi]. destruct (Nat.lt_ge_cases k (List.length (whole b))) as [lt | ge_].
    - destruct (V k (conj lo lt)) as [v H]. exists v. now apply grows_ge with b.
    - now apply U.
  Qed.

  Lemma value_at_put e : e < List.length g -> forall st, good st -> ge den (whole st) e (value_of_node S g e).
  Proof.
    intros lt st (new & -> & W & _). apply eval_app; try assumption. now apply value_ge.
  Qed.

  Lemma looked_up_lt i p q e : looked_up i p q = Some e -> e < List.length g.
  Proof.
    unfold Rewrite.looked_up. destruct (get M (at_ i p q)) as [x |] eqn:G.
    - apply inside in G. destruct (form q); try (intros E; now injection E as <-).
      destruct otherwise; [| intros E; now injection E as <-].
      destruct (nth_error g x) as [n |]; [| discriminate]. destruct (present n); [| discriminate].
      intros E. now injection E as <-.
    - destruct (form q); try discriminate.
      + intros E. now injection E as <-.
      + destruct (value_at pats g M i a) as [[| | k | | |] |]; try discriminate.
        destruct (k <? 0)%Z; [discriminate |]. apply inside.
  Qed.

  Lemma given_labels i q vs l v :
    given pats g M i q = Some vs -> look_up String.eqb vs l = Some v -> exists a, In (l, a) (wants q).
  Proof.
    unfold given. generalize (wants q). intros w. revert vs.
    induction w as [| [l' a'] w IH]; intros vs; simpl.
    - intros E. now injection E as <-.
    - destruct (value_at pats g M i a') as [v' |]; [| discriminate]. simpl.
      destruct (traverse _ w) as [us |]; [| discriminate]. intros E. injection E as <-.
      unfold look_up. simpl. destruct (String.eqb_spec l' l) as [-> |].
      + intros _. exists a'. now left.
      + intros H. destruct (IH us eq_refl H) as [a H']. exists a. now right.
  Qed.

  Lemma plan_new i q gs o : In q pats -> plan pats g M i q = Some (gs, FNew o) ->
    forall es, new_node (Node o es).
  Proof.
    intros inq P es. pose proof (plains q inq) as pl. apply andb_true_iff in pl. destruct pl as [pl pc].
    assert (forall v t, o = Oper (KConst 0 (Some v)) t [] ->
              (forall l s, look_up String.eqb t l = Some s -> l = "dtype"%string) -> new_node (Node o es)) as const.
    { intros v t -> none. split; [split |].
      - intros name l w W; discriminate.
      - intros l s L. now rewrite (none l s L).
      - intros l s TL L. rewrite (none l s L) in TL. discriminate. }
    unfold plan in P. destruct (form q) eqn:F; try discriminate.
    - destruct a as [a |]; [| discriminate]. destruct (value_at pats g M i a) as [v |]; [| discriminate].
      destruct (given pats g M i q) as [t |] eqn:G; [| discriminate]. injection P as _ <-.
      apply (const v t eq_refl). intros l s L. destruct (given_labels i q t l s G L) as [b inb].
      unfold plain_const in pc. rewrite F, forallb_forall in pc. specialize (pc _ inb).
      now apply String.eqb_eq in pc.
    - destruct (target_op g M o0) as [name |] eqn:N; [| discriminate].
      destruct (parts pats g M i kids) as [gs' |]; [| discriminate].
      destruct (given pats g M i q) as [vs |] eqn:G; [| discriminate]. injection P as _ <-. split; [split |].
      + intros name' l v W L TL. cbn in W, L. injection W as <-.
        destruct (given_labels i q vs l v G L) as [b inb]. unfold plain_pattern in pl. rewrite F in pl.
        destruct o0 as [s | k].
        * injection N as <-. rewrite forallb_forall in pl. specialize (pl _ inb). simpl in pl. now rewrite TL in pl.
        * rewrite forallb_forall in pl. specialize (pl _ inb). simpl in pl. now rewrite TL in pl.
      + intros l s L. discriminate.
      + intros l s _ L. discriminate.
    - destruct (parts pats g M i kids) as [gs' |]; [| discriminate]. injection P as _ <-.
      split; [split; [intros name l v W; discriminate | intros l s L; discriminate] | intros l s _ L; discriminate].
    - destruct a as [a |]; [| discriminate]. destruct (value_at pats g M i a) as [[| | k | | |] |]; discriminate.
    - destruct otherwise as [a |]; [| discriminate]. destruct (value_at pats g M i a) as [v |]; [| discriminate].
      injection P as _ <-. apply (const v [] eq_refl). intros l s L. discriminate.
    - destruct (value_at pats g M i c) as [[| [|] | | | |] |]; discriminate.
    - destruct (look_up Nat.eqb (alts M) alt) as [k |]; [| discriminate].
      destruct (nth_error kids k); discriminate.
  Qed.

  Definition answers (st : bstate) (i : option nat) (p : nat) (e : nat) (st' : bstate) : Prop :=
    good st' /\ grows st st' /\ e < List.length (whole st') /\
    exists x, means i p x /\ (forall v, x = Some v -> ge den (whole st') e v) /\ (x <> None -> valued st st').

  Lemma collects_means (f : bstate -> bgoal -> option (nat * bstate)) :
    (forall st y e st', f st y = Some (e, st') -> good st -> answers st (fst y) (snd y) e st') ->
    forall gs st es st', collects f st gs = Some (es, st') -> good st ->
      good st' /\ grows st st' /\ Forall (fun e => e < List.length (whole st')) es /\
      exists rs, Forall2 (fun y x => means (fst y) (snd y) x) gs rs /\
        Forall2 (fun e x => forall v, x = Some v -> ge den (whole st') e v) es rs /\
        ((forall x, In x rs -> x <> None) -> valued st st').
  Proof.
    intros one. induction gs as [| y gs IH]; intros st es st' H G; simpl in H.
    - injection H as <- <-. split; [exact G |]. split; [exists []; now rewrite app_nil_r |].
      split; [constructor |]. exists []. split; [constructor |]. split; [constructor |].
      intros _ k [lo hi]. lia.
    - destruct (f st y) as [[e st1] |] eqn:E; [| discriminate].
      destruct (collects f st1 gs) as [[es' st2] |] eqn:C; [| discriminate]. injection H as <- <-.
      destruct (one st y e st1 E G) as (G1 & gr & lt & x & mx & vx & val1).
      destruct (IH st1 es' st2 C G1) as (G2 & gr2 & lts & rs & ms & vs & val2).
      split; [exact G2 |]. split; [now apply grows_trans with st1 |].
      pose proof (grows_length _ _ gr2) as le.
      split; [constructor; [lia | exact lts] |].
      exists (x :: rs). split; [now constructor |]. split.
      + constructor; [| exact vs]. intros v Ev. apply grows_ge with st1; [now apply good_wf | exact gr2 | now apply vx].
      + intros nn. apply valued_trans with st1; [now apply good_wf | exact gr2 | |].
        * apply val1, nn. now left.
        * apply val2. intros x' inx. apply nn. now right.
  Qed.

  Lemma all_some {A} (rs : list (option A)) vs : traverse (fun x => x) rs = Some vs -> forall x, In x rs -> x <> None.
  Proof.
    intros E x inx. apply traverse_id in E. subst rs. apply in_map_iff in inx. destruct inx as (v & <- & _). discriminate.
  Qed.

  Lemma args_values (h : tgraph) es rs vs :
    Forall2 (fun e x => forall v, x = Some v -> ge den h e v) es rs ->
    traverse (fun x => x) rs = Some vs -> Forall2 (ge den h) es vs.
  Proof.
    intros F E. apply traverse_id in E. subst rs. revert es F.
    induction vs as [| v vs IH]; intros es F; inversion F as [| e ? es' ? here rest]; subst; constructor.
    - now apply here.
    - now apply IH.
  Qed.

  Lemma app_inj_length {A} (l l' m m' : list A) : List.length l = List.length l' -> l ++ m = l' ++ m' -> l = l' /\ m = m'.
  Proof.
    revert l'. induction l as [| a l IH]; intros [| b l'] len E; try discriminate; [now split |].
    injection E as -> E. destruct (IH l' (f_equal pred len) E) as [-> ->]. now split.
  Qed.

  (** One more node at the end. *)
  Lemma push_wf (h : tgraph) o es : wf h -> Forall (fun e => e < List.length h) es -> wf (h ++ [Node o es]).
  Proof.
    intros W lts i m at_i j inj. destruct (Nat.lt_ge_cases i (List.length h)) as [lt | ge_].
    - rewrite nth_error_app1 in at_i by exact lt. now apply (W i m).
    - rewrite nth_error_app2 in at_i by exact ge_. destruct (i - List.length h) as [| k] eqn:Ek; [| now destruct k].
      injection at_i as <-. rewrite Forall_forall in lts. specialize (lts j inj). lia.
  Qed.

  Lemma push_value (h : tgraph) o es vs v :
    wf h -> Forall2 (ge den h) es vs -> den o vs = Some v ->
    ge den (h ++ [Node o es]) (List.length h) v.
  Proof.
    intros W F D. apply GE_Node with (Node o es) vs; [| | exact D].
    - now rewrite nth_error_app2, Nat.sub_diag by lia.
    - cbn [args]. clear D. generalize (Node o es). intros x. induction F as [| e w es ws here _ IH]; constructor; [| exact IH].
      apply eval_app; try assumption. inversion here as [? n ? ? at_e]; subst. apply nth_error_Some. congruence.
  Qed.

  (** How a node comes from its children. *)
  Lemma finished_value st1 f es rs e h :
    good st1 -> Forall (fun e => e < List.length (whole st1)) es ->
    Forall2 (fun e x => forall v, x = Some v -> ge den (whole st1) e v) es rs ->
    finished f es (whole st1) = Some (e, h) ->
    (forall o, f = FNew o -> new_node (Node o es)) ->
    exists more, h = whole st1 ++ more /\ wf h /\ e < List.length h /\ (forall n, In n more -> new_node n) /\
      (forall v, result f rs = Some v -> ge den h e v) /\
      (result f rs <> None -> forall k, List.length (whole st1) <= k < List.length h -> exists v, ge den h k v).
  Proof.
    intros G lts F H nn. pose proof (good_wf st1 G) as W.
    assert (forall o v, (forall vs, traverse (fun x => x) rs = Some vs -> den o vs = Some v) ->
              traverse (fun x => x) rs <> None ->
              ge den (whole st1 ++ [Node o es]) (List.length (whole st1)) v) as push.
    { intros o v D some. destruct (traverse (fun x => x) rs) as [vs |] eqn:E; [| easy].
      apply push_value with vs; [exact W | now apply (args_values _ es rs) | now apply D]. }
    assert (forall (x : node oper), List.length (whole st1 ++ [x]) = Datatypes.S (List.length (whole st1))) as len
      by (intros x; rewrite app_length; simpl; lia).
    unfold result. destruct f as [o | | k].
    - simpl in H. injection H as <- <-. exists [Node o es]. split; [reflexivity |].
      split; [now apply push_wf |]. split; [rewrite len; lia |].
      split; [intros n [<- | []]; now apply nn |]. split.
      + intros v E. destruct (traverse (fun x => x) rs) as [vs |] eqn:Et; [| discriminate].
        apply push; [| discriminate]. intros us Eu. now injection Eu as <-.
      + intros some k [lo hi]. rewrite len in hi.
        destruct (traverse (fun x => x) rs) as [vs |] eqn:Et; [| easy].
        destruct (den o vs) as [v |] eqn:D; [| easy]. exists v.
        replace k with (List.length (whole st1)) by lia. apply push; [| discriminate].
        intros us Eu. now injection Eu as <-.
    - destruct es as [| x [|]]; try discriminate. injection H as <- <-. exists []. rewrite app_nil_r.
      split; [reflexivity |]. split; [exact W |]. split; [now inversion lts |]. split; [easy |]. split.
      + intros v E. destruct (traverse (fun x => x) rs) as [vs |] eqn:Et; [| discriminate].
        pose proof (args_values _ _ _ _ F Et) as A. inversion A as [| ? w ? ? here rest]; subst.
        inversion rest; subst. injection E as <-. exact here.
      + intros _ k [lo hi]. lia.
    - destruct es as [| x [|]]; try discriminate. cbn [finished] in H.
      destruct (nth_error (whole st1) x) as [n |] eqn:at_x; [| discriminate].
      assert ((exists nk, what (op n) <> KTuple /\ e = List.length (whole st1) /\ h = whole st1 ++ [nk] /\
                 nk = Node (Oper (KProj k) [] []) [x]) \/
              (what (op n) = KTuple /\ (k <? 0)%Z = false /\ nth_error (args n) (Z.to_nat k) = Some e /\ h = whole st1)) as cases.
      { destruct (what (op n)) eqn:Wn; try (left; eexists; injection H as <- <-; repeat split; easy).
        right. destruct (k <? 0)%Z; [discriminate |]. destruct (nth_error (args n) (Z.to_nat k)) as [c |]; [| discriminate].
        injection H as <- <-. now repeat split. }
      destruct cases as [(nk & ne & -> & -> & ->) | (Wn & K & at_k & ->)].
      + exists [Node (Oper (KProj k) [] []) [x]]. split; [reflexivity |].
        split; [now apply push_wf |]. split; [rewrite len; lia |].
        split; [intros m [<- | []]; split; [split; [intros name l v W'; discriminate | intros l s L; discriminate] | intros l s _ L; discriminate] |].
        assert (forall v, match traverse (fun x => x) rs with
                  | Some [w] => den (Oper (KProj k) [] []) [w] | _ => None end = Some v ->
                ge den (whole st1 ++ [Node (Oper (KProj k) [] []) [x]]) (List.length (whole st1)) v) as value.
        { intros v E. apply push.
          - intros vs Ev. rewrite Ev in E. destruct vs as [| w [|]]; try discriminate. exact E.
          - destruct (traverse (fun x => x) rs); [discriminate | easy]. }
        assert (forall X, match X with Some [w] => den (Oper (KProj k) [] []) [w] | Some _ => None | None => None end =
                 match X with Some [w] => den (Oper (KProj k) [] []) [w] | _ => None end) as same
          by (intros [[| w [|]] |]; reflexivity).
        assert (forall v, match traverse (fun x => x) rs with
                 | Some vs => match vs with [w] => den (Oper (KProj k) [] []) [w] | _ => None end
                 | None => None end = Some v ->
                 ge den (whole st1 ++ [Node (Oper (KProj k) [] []) [x]]) (List.length (whole st1)) v) as value'
          by (intros v E; apply value; destruct (traverse (fun x => x) rs) as [[| w [|]] |]; exact E).
        split; [exact value' |].
        intros some k' [lo hi]. rewrite len in hi. replace k' with (List.length (whole st1)) by lia.
        match type of some with ?X <> None => destruct X as [v |] eqn:D; [| easy] end.
        exists v. now apply value'.
      + exists []. rewrite app_nil_r. split; [reflexivity |]. split; [exact W |].
        split; [apply nth_error_In, (W x n at_x) in at_k; assert (x < List.length (whole st1)) by (apply nth_error_Some; congruence); lia |].
        split; [easy |]. split; [| intros _ k' [lo hi]; lia].
        intros v E. destruct (traverse (fun x => x) rs) as [vs |] eqn:Et; [| discriminate].
        pose proof (args_values _ _ _ _ F Et) as A. inversion A as [| ? w ? ? here rest]; subst.
        inversion rest; subst. inversion here as [? m us ? at_m args_m D]; subst.
        assert (m = n) as -> by congruence. unfold Sound.den in D. rewrite Wn in D.
        destruct (traverse tensor_in us) as [ts |] eqn:Tu; [| discriminate]. injection D as <-.
        assert (us = map Of ts) as ->.
        { clear - Tu. revert ts Tu. induction us as [| u us IH]; intros ts Tu; simpl in Tu; [now injection Tu as <- |].
          destruct u as [t | |]; try discriminate. simpl in Tu. destruct (traverse tensor_in us) as [ts' |]; [| discriminate].
          injection Tu as <-. simpl. f_equal. now apply IH. }
        unfold Sound.den in E. cbn in E. rewrite K in E. clear - args_m at_k E.
        revert ts args_m E at_k. generalize (args n). induction (Z.to_nat k) as [| c IH]; intros l ts A E at_k.
        * destruct l; [discriminate |]. destruct ts; [inversion A |]. inversion A; subst.
          injection at_k as <-. injection E as <-. assumption.
        * destruct l; [discriminate |]. destruct ts; [inversion A |]. inversion A; subst. simpl in *. eauto.
  Qed.

  Theorem build_means fuel : forall i st p e st',
    build fuel i st p = Some (e, st') -> good st -> answers st i p e st'.
  Proof.
    induction fuel as [| fuel IH]; intros i st p e st' H G; simpl in H; [discriminate |].
    destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate].
    destruct (looked_up i p q) as [x |] eqn:L.
    - injection H as <- <-. pose proof (looked_up_lt i p q x L) as lt.
      split; [exact G |]. split; [exists []; now rewrite app_nil_r |].
      split; [destruct G as (new & -> & _); rewrite app_length; lia |].
      exists (Some (value_of_node S g x)). split; [now apply Means_Match with q |]. split.
      + intros v E. injection E as <-. now apply value_at_put.
      + intros _ k [lo hi]. lia.
    - destruct (look_up addr_eqb (built st) (at_ i p q)) as [x |] eqn:B.
      + injection H as <- <-. assert (In (at_ i p q, x) (built st)) as inb.
        { unfold look_up in B. destruct (find _ (built st)) as [[a y] |] eqn:Fd; [| discriminate].
          injection B as <-. apply find_some in Fd. destruct Fd as [inb E]. simpl in E.
          apply ForwardProof.addr_eqb_eq in E. now subst. }
        destruct G as (new & E & W & N & Bs). destruct (Bs _ _ inb) as (lt & r & mk & vr).
        split; [now exists new |]. split; [exists []; now rewrite app_nil_r |]. split; [exact lt |].
        exists r. split; [now apply made_means with q |]. split; [exact vr |]. intros _ k [lo hi]. lia.
      + destruct (plan pats g M i q) as [[gs f] |] eqn:P; [| discriminate].
        destruct (collects (fun st x => build fuel (fst x) st (snd x)) st gs) as [[es st1] |] eqn:C; [| discriminate].
        destruct (finished f es (whole st1)) as [[e' h] |] eqn:Fn; [| discriminate].
        injection H as <- <-.
        destruct (collects_means (fun st x => build fuel (fst x) st (snd x)) (fun st y e st' => IH (fst y) st (snd y) e st')
                    gs st es st1 C G) as (G1 & gr & lts & rs & ms & vs & val).
        destruct (finished_value st1 f es rs e' h G1 lts vs Fn) as (more & -> & W' & lt' & N' & ve & val').
        { intros o ->. apply (plan_new i q gs o); [now apply nth_error_In with p | exact P]. }
        assert (made (at_ i p q) (result f rs)) as mk by (exists i, p, q, gs, f, rs; now repeat split).
        destruct G1 as (new & E1 & W1 & N1 & Bs).
        assert (grows st1 (BState ((at_ i p q, e') :: built st1) (whole st1 ++ more))) as gr' by now exists more.
        split.
        { exists (new ++ more). cbn [whole built]. rewrite app_assoc, <- E1. split; [reflexivity |].
          split; [exact W' |]. split; [intros n inn; apply in_app_or in inn; destruct inn; auto |].
          intros a x [Ea | ina].
          - injection Ea as <- <-. split; [exact lt' |]. exists (result f rs). split; [exact mk | exact ve].
          - destruct (Bs a x ina) as (lt & r & mr & vr). split; [rewrite app_length; lia |].
            exists r. split; [exact mr |]. intros v Er.
            apply (grows_ge st1 (BState ((at_ i p q, e') :: built st1) (whole st1 ++ more)));
              [rewrite E1; exact W1 | exact gr' | now apply vr]. }
        split; [now apply grows_trans with st1 |]. split; [exact lt' |].
        exists (result f rs). split; [now apply made_means with q |]. split; [exact ve |].
        intros some. apply valued_trans with st1; [rewrite E1; exact W1 | exact gr' | |].
        * apply val. unfold Sound.result in some. destruct (traverse (fun x => x) rs) as [us |] eqn:Et; [| easy].
          now apply (all_some rs us).
        * intros k [lo hi]. apply (val' some k). now split.
  Qed.

  Lemma good_start : good (BState [] g).
  Proof. exists []. rewrite app_nil_r. repeat split; try assumption; easy. Qed.

  (** All of a target: if each of its roots has a value, so has every node. *)
  Theorem roots_mean r n es st :
    patterns r = pats -> build_roots r g M n = Some (es, st) ->
    good st /\ Forall (fun e => e < List.length (whole st)) es /\
    exists rs, Forall2 (fun y x => means (fst y) (snd y) x) (roots r n) rs /\
      Forall2 (fun e x => forall v, x = Some v -> ge den (whole st) e v) es rs /\
      ((forall x, In x rs -> x <> None) -> forall k, k < List.length (whole st) -> exists v, ge den (whole st) k v).
  Proof.
    intros E B. unfold build_roots in B. rewrite E in B.
    destruct (collects_means (fun st x => build (List.length pats) (fst x) st (snd x))
                (fun st y e st' => build_means (List.length pats) (fst y) st (snd y) e st')
                (roots r n) (BState [] g) es st B good_start) as (G & gr & lts & rs & ms & vs & val).
    split; [exact G |]. split; [exact lts |]. exists rs. split; [exact ms |]. split; [exact vs |].
    intros nn k lt. destruct (Nat.lt_ge_cases k (List.length g)) as [ltg | ge_].
    - exists (value_of_node S g k). now apply value_at_put.
    - apply (val nn). now split.
  Qed.
End Build.
