(** * The facts of a match, one pattern at a time

    Lemmas that the tactics of [SoundTactic] apply to the patterns of a given rule. *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof pattern.Forward pattern.ForwardProof.
From Calque Require Import rewrite.Rewrite rewrite.Check rewrite.Facts rewrite.Sound rewrite.SoundBuild rewrite.SoundRule.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Section Use.
  Context {T : Type} (S : model T).
  Notation den := (den S).
  Variable commutes : string -> bool.
  (** Commutative operators are. *)
  Definition commutes_in : Prop := forall name at_ (a b : val T), commutes name = true ->
    calls S name at_ (strip [a; b]) = calls S name at_ (strip [b; a]).
  Hypothesis comm : commutes_in.
  Variable r : rule.
  Notation pats := (patterns r).
  Variables (g : tgraph) (M : mstate) (outs : list nat).
  Hypothesis san : sane S g.
  Hypothesis fs : facts commutes r g M outs.
  Notation rho := (rho S g M).
  Notation label_at := (label_at pats g M).

  Definition bound_at (a : addr) : Prop := exists e, get M a = Some e.

  Lemma has_inside a e : get M a = Some e -> exists q n, nth_error pats (fst a) = Some q /\ nth_error g e = Some n /\
    (present n = true -> forall l c, In (l, c) (claims q) ->
       exists v, label_at a l = Some v /\ (am (env_at pats g M (snd a)) c v \/ (l = "value"%string /\ literal (label_at a "dtype"%string) c v = true))).
  Proof.
    intros G. apply (proj1 (facts_attrs _ _ _ _ _ fs) a e). unfold get, look_up in G.
    destruct (find _ (bound M)) as [[b y] |] eqn:Fd; [| discriminate]. injection G as <-.
    apply find_some in Fd. destruct Fd as [inb E]. apply addr_eqb_eq in E. simpl in E. now subst.
  Qed.

  Lemma node_value e n : nth_error g e = Some n ->
    exists vs, vs = map (value_of_node S g) (args n) /\ den (op n) vs = Some (value_of_node S g e) /\
      forall j, In j (args n) -> j < List.length g.
  Proof.
    intros at_e. assert (e < List.length g) as lt by (apply nth_error_Some; congruence).
    pose proof (value_ge S g (sane_wf S g san) (sane_computes S g san) e lt) as H.
    inversion H as [? m vs ? at_m all d]; subst. assert (m = n) as -> by congruence.
    exists vs. assert (forall j, In j (args n) -> j < List.length g) as inside.
    { intros j inj. pose proof (sane_wf S g san e n at_e j inj). lia. }
    split; [| now split]. clear - all inside san. revert inside. induction all as [| j v l vs here _ IH]; intros inside; [reflexivity |].
    simpl. rewrite <- IH by (intros k ink; apply inside; now right). f_equal.
    assert (j < List.length g) as lt by (apply inside; now left).
    exact (eval_node_unique den g j _ _ (value_ge S g (sane_wf S g san) (sane_computes S g san) j lt) here).
  Qed.

  Lemma rho_value a e : get M a = Some e -> rho a = value_of_node S g e.
  Proof. unfold Sound.rho, value_of_node. now intros ->. Qed.

  Lemma absent_value e n : nth_error g e = Some n -> present n = false -> value_of_node S g e = Absent.
  Proof.
    intros at_e P. destruct (node_value e n at_e) as (vs & _ & D & _). unfold present in P. unfold Sound.den in D.
    destruct (what (op n)); try discriminate. destruct vs; [| discriminate]. now injection D as <-.
  Qed.

  Lemma zero_absent : value_of_node S g 0 = Absent.
  Proof. destruct (sane_grounded S g san) as (t & a & at_0). now apply (absent_value 0 _ at_0). Qed.

  Lemma fit_values k es es' : fit g k es = Some es' ->
    strip (map (value_of_node S g) es) = strip (map (value_of_node S g) es').
  Proof.
    unfold fit. destruct (forallb _ (skipn k es)) eqn:A; [| discriminate]. intros E. injection E as <-.
    rewrite forallb_forall in A.
    assert (forall l, (forall e, In e l -> value_of_node S g e = Absent) ->
              map (value_of_node S g) l = repeat Absent (List.length l)) as const.
    { induction l as [| e l IH]; intros H; [reflexivity |]. simpl. rewrite H by now left. f_equal. apply IH.
      intros x inx. apply H. now right. }
    rewrite <- (firstn_skipn k es) at 1. rewrite firstn_app, !map_app.
    rewrite (const (skipn k es)), strip_absent.
    2: { intros e ine. specialize (A e ine). destruct (nth_error g e) as [n |] eqn:at_e; [| discriminate].
         apply negb_true_iff in A. now apply (absent_value e n). }
    rewrite (const (firstn (k - List.length es) (repeat 0 k))), strip_absent; [reflexivity |].
    intros e ine. assert (In e (repeat 0 k)) as inr.
    { rewrite <- (firstn_skipn (k - List.length es) (repeat 0 k)). apply in_or_app. now left. }
    apply repeat_spec in inr. subst e. apply zero_absent.
  Qed.

  (** ** The values of children *)

  Definition no_inst (kids : list nat) : bool :=
    forallb (fun k => match nth_error pats k with Some q => negb (is_inst q) | None => false end) kids.

  Lemma sees_get i k x : no_inst [k] = true -> sees pats M i k x -> get M (addr_of pats i k) = Some x.
  Proof.
    unfold no_inst. simpl. destruct (nth_error pats k) as [q |] eqn:at_k; [| discriminate].
    rewrite (addr_of_at pats i k q at_k). intros N D. destruct (D q at_k) as [I | G]; [now rewrite I in N | exact G].
  Qed.

  Lemma kids_values i kids es : no_inst kids = true ->
    match kids with [v] => match variadic pats v with Some f => no_inst [f] | None => true end | _ => true end = true ->
    kids_at pats M i kids es ->
    map (value_of_node S g) es = map rho (kid_addrs pats M i kids) /\ Forall bound_at (kid_addrs pats M i kids) /\
    match kids with [v] => match variadic pats v with
      Some _ => look_up Nat.eqb (lens M) v = Some (List.length es) | None => True end | _ => True end.
  Proof.
    intros N V K. unfold kids_at in K. unfold kid_addrs.
    assert (Forall2 (sees pats M i) kids es ->
            map (value_of_node S g) es = map rho (map (addr_of pats i) kids) /\ Forall bound_at (map (addr_of pats i) kids)) as plain.
    { clear - N. intros F. induction F as [| k x kids es here _ IH]; [split; constructor |].
      simpl in N. apply andb_true_iff in N. destruct N as [Nk N].
      assert (get M (addr_of pats i k) = Some x) as G by (apply sees_get; [simpl; now rewrite Nk | exact here]).
      destruct (IH N) as [E H]. simpl. split; [now rewrite E, (rho_value _ _ G) | constructor; [now exists x | exact H]]. }
    destruct kids as [| v [| w kids]]; try (destruct (plain K); now repeat split).
    destruct (variadic pats v) as [f |]; [| destruct (plain K); now repeat split].
    destruct K as [L all]. unfold length_of. rewrite L.
    assert (forall s l, (forall c x, nth_error l c = Some x -> sees pats M (Some (s + c)) f x) ->
              map (value_of_node S g) l = map rho (map (fun c => addr_of pats (Some c) f) (seq s (List.length l))) /\
              Forall bound_at (map (fun c => addr_of pats (Some c) f) (seq s (List.length l)))) as go.
    { intros s l. revert s. induction l as [| x l IH]; intros s D; [split; constructor |]. simpl.
      assert (get M (addr_of pats (Some s) f) = Some x) as G.
      { apply sees_get; [exact V |]. specialize (D 0 x eq_refl). now rewrite Nat.add_0_r in D. }
      destruct (IH (Datatypes.S s)) as [E H].
      { intros c y at_c. specialize (D (Datatypes.S c) y at_c). now rewrite <- Nat.add_succ_comm in D. }
      split; [now rewrite E, (rho_value _ _ G) | constructor; [now exists x | exact H]]. }
    destruct (go 0 es all) as [E H]. now repeat split.
  Qed.

  (** ** Pattern by pattern *)

  Lemma fit_at p i q : p < depth r -> nth_error pats p = Some q -> first_of i q = None ->
    bound_at (p, inst_of i q) -> exists e n, get M (p, inst_of i q) = Some e /\ nth_error g e = Some n /\
      fits_node commutes pats g M i p q e n.
  Proof.
    intros lt at_p F [e G]. destruct (facts_fit _ _ _ _ _ fs i p q e lt at_p F G) as (n & at_e & H). now exists e, n.
  Qed.

  Definition look (at_ : list (label * value)) (l : label) : option value := look_up String.eqb at_ l.

  Record call_fact (p : nat) (i : option nat) (q : pattern) (o : opref) (kids : list nat)
      (name : string) (ty at_ : list (label * value)) : Prop := CallFact {
    call_op : op_is g M o name;
    call_value : calls S name at_ (strip (map rho (kid_addrs pats M i kids))) = Some (rho (p, inst_of i q));
    call_kids : Forall bound_at (kid_addrs pats M i kids);
    call_length : match kids with [v] => match variadic pats v with
        Some _ => look_up Nat.eqb (lens M) v = Some (length_of M v) | None => True end | _ => True end;
    call_label : forall l, label_at (p, inst_of i q) l = match look at_ l with Some v => Some v | None => look ty l end;
    call_type : forall l s, type_label l = true -> look ty l = Some s -> describes S (rho (p, inst_of i q)) l s;
    call_own : forall l s, type_label l = true -> look at_ l = Some s -> own S name l = true;
    call_known : forall l s, look ty l = Some s -> known_label l = true
  }.

  (** Other labels are attributes. *)
  Lemma call_attribute p i q o kids name ty at_ l : call_fact p i q o kids name ty at_ ->
    known_label l = false -> label_at (p, inst_of i q) l = look at_ l.
  Proof.
    intros C K. rewrite (call_label _ _ _ _ _ _ _ _ C). destruct (look at_ l); [reflexivity |].
    destruct (look ty l) as [s |] eqn:E; [| reflexivity]. rewrite (call_known _ _ _ _ _ _ _ _ C l s E) in K. discriminate.
  Qed.

  Lemma call_at p i q o kids :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None -> form q = PCall o kids ->
    no_inst kids = true ->
    match kids with [v] => match variadic pats v with Some f => no_inst [f] | None => true end | _ => true end = true ->
    bound_at (p, inst_of i q) -> exists name ty at_, call_fact p i q o kids name ty at_.
  Proof.
    intros lt at_p Fi Fq N V H. destruct (fit_at p i q lt at_p Fi H) as (e & n & G & at_e & X).
    unfold fits_node in X. rewrite Fq in X. destruct X as (name & es & es' & W & O & C & ord & K).
    destruct (kids_values i kids es' N V K) as (E & Hk & L).
    destruct (node_value e n at_e) as (vs & -> & D & _). exists name, (type (op n)), (attrs (op n)).
    assert (strip (map (value_of_node S g) (args n)) = strip (map (value_of_node S g) es)) as Es.
    { unfold call_inputs in C. destruct (match kids with [v] => variadic pats v | _ => None end).
      - now injection C as <-.
      - now apply fit_values in C. }
    constructor; try assumption.
    - rewrite (rho_value _ _ G), <- E, <- D. unfold Sound.den. rewrite W, Es.
      unfold orders in ord. destruct es as [| a [| b [| c es]]]; try (destruct ord as [<- | []]; reflexivity).
      destruct (commutes name) eqn:Cn.
      + destruct ord as [<- | [<- | []]]; [reflexivity |]. simpl map. now apply comm.
      + destruct ord as [<- | []]. reflexivity.
    - destruct kids as [| v [| w kids]]; try exact I. destruct (variadic pats v); [| exact I].
      unfold length_of. now rewrite L.
    - intros l. unfold Pattern.label_at. cbn [fst]. rewrite at_p, Fq, G, at_e. unfold node_label, tensor_label.
      rewrite Fq, W. unfold present. rewrite W. reflexivity.
    - intros l s TL Ls. rewrite (rho_value _ _ G). apply (sane_declared S g san e n); try assumption.
      apply value_ge; [apply (sane_wf S g san) | apply (sane_computes S g san) | apply nth_error_Some; congruence].
    - intros l s TL Ls. now apply (proj1 (sane_plain S g san e n at_e) name l s).
    - intros l s Ls. exact (proj2 (sane_plain S g san e n at_e) l s Ls).
  Qed.

  (** A type label of a call says what its value is like, if it is the type's or the operator states it. *)
  Lemma call_describes p i q o kids name ty at_ l s :
    call_fact p i q o kids name ty at_ -> type_label l = true ->
    own S name l = false \/ states S name l = true ->
    label_at (p, inst_of i q) l = Some s -> describes S (rho (p, inst_of i q)) l s.
  Proof.
    intros C TL ow L. rewrite (call_label _ _ _ _ _ _ _ _ C) in L.
    destruct (look at_ l) as [v |] eqn:La.
    - injection L as ->. destruct ow as [no | st].
      + pose proof (call_own _ _ _ _ _ _ _ _ C l s TL La). congruence.
      + exact (states_ok S name l at_ _ _ s st TL (call_value _ _ _ _ _ _ _ _ C) La).
    - now apply (call_type _ _ _ _ _ _ _ _ C).
  Qed.

  (** Of other patterns. *)
  Definition plain_labels (q : pattern) : bool :=
    match form q with PCall _ _ | PVariadic _ _ _ _ | POptional _ _ | PAlt _ => false | _ => true end.

  Lemma leaf_describes p i q l s :
    nth_error pats p = Some q -> plain_labels q = true -> type_label l = true -> bound_at (p, i) ->
    label_at (p, i) l = Some s -> describes S (rho (p, i)) l s.
  Proof.
    intros at_p Pl TL [e G] L. rewrite (rho_value _ _ G).
    destruct (has_inside _ _ G) as (q' & n & at_q & at_e & _). simpl in at_q. assert (q' = q) as -> by congruence.
    assert (tensor_label n l = Some s) as Lt.
    { unfold Pattern.label_at in L. cbn [fst] in L. rewrite at_p, G, at_e in L.
      assert ((if present n then tensor_label n l else None) = Some s -> tensor_label n l = Some s) as pr
        by (destruct (present n); [easy | discriminate]).
      assert (node_label q n l = Some s) as Ln.
      { unfold plain_labels in Pl. destruct (form q); try discriminate; exact L. }
      unfold node_label in Ln. unfold type_label in TL. cbn in TL. rewrite orb_false_r in TL.
      assert (String.eqb l "value" = false /\ String.eqb l "index" = false) as [nv ni].
      { apply orb_true_iff in TL. destruct TL as [E | E]; apply String.eqb_eq in E; subst l; now split. }
      rewrite nv, ni in Ln. unfold plain_labels in Pl.
      destruct (form q); try discriminate; destruct (what (op n)); now apply pr. }
    apply (sane_declared S g san e n); try assumption.
    apply value_ge; [apply (sane_wf S g san) | apply (sane_computes S g san) | apply nth_error_Some; congruence].
  Qed.

  (** A leaf is present. *)
  Lemma leaf_at p i q :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None ->
    match form q with PWildcard | PVariable | PConst _ => true | _ => false end = true ->
    bound_at (p, inst_of i q) -> exists n e, get M (p, inst_of i q) = Some e /\ nth_error g e = Some n /\ present n = true.
  Proof.
    intros lt at_p F L H. destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    exists n, e. split; [exact G |]. split; [exact at_e |]. unfold fits_node in X. unfold present in *.
    destruct (form q); try discriminate.
    - exact X.
    - destruct X as [_ [[k W] | (k & v & W)]]; now rewrite W.
    - destruct X as (k & v & W). now rewrite W.
  Qed.

  (** Inputs and constants are tensors. *)
  Lemma variable_tensor p i q :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None -> 
    match form q with PVariable | PConst _ => true | _ => false end = true ->
    bound_at (p, inst_of i q) -> exists t, rho (p, inst_of i q) = Of t.
  Proof.
    intros lt at_p F Fq H. destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    unfold fits_node in X. rewrite (rho_value _ _ G).
    destruct (node_value e n at_e) as (vs & -> & D & _). unfold Sound.den in D.
    assert ((exists k, what (op n) = KInput k) \/ exists k v, what (op n) = KConst k v) as W
      by (destruct (form q); try discriminate; [exact (proj2 X) | right; exact X]).
    destruct W as [[k W] | (k & v & W)]; rewrite W in D; destruct (map _ (args n)); try discriminate.
    - destruct (inputs S k) as [t |]; [| discriminate]. exists t. simpl in D. congruence.
    - destruct (consts S k v) as [t |]; [| discriminate]. exists t. simpl in D. congruence.
  Qed.

  Lemma const_value p i q a :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None -> form q = PConst a ->
    bound_at (p, inst_of i q) -> exists k v t, rho (p, inst_of i q) = Of t /\ consts S k v = Some t /\
      label_at (p, inst_of i q) "value" = v.
  Proof.
    intros lt at_p F Fq H. destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    unfold fits_node in X. rewrite Fq in X. destruct X as (k & v & W). rewrite (rho_value _ _ G).
    destruct (node_value e n at_e) as (vs & -> & D & _). unfold Sound.den in D. rewrite W in D.
    destruct (map _ (args n)); try discriminate. destruct (consts S k v) as [t |] eqn:C; [| discriminate].
    exists k, v, t. split; [simpl in D; congruence |]. split; [exact C |].
    unfold Pattern.label_at. cbn [fst]. rewrite at_p, Fq, G, at_e. unfold node_label. rewrite Fq, W. reflexivity.
  Qed.

  Lemma proj_at p i q kid a :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None -> form q = PProj kid a -> no_inst [kid] = true ->
    bound_at (p, inst_of i q) -> exists k l, bound_at (addr_of pats i kid) /\ rho (addr_of pats i kid) = Fields l /\
      (k <? 0)%Z = false /\ option_map Of (nth_error l (Z.to_nat k)) = Some (rho (p, inst_of i q)) /\
      label_at (p, inst_of i q) "index" = Some (VInt k).
  Proof.
    intros lt at_p F Fq N H. destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    unfold fits_node in X. rewrite Fq in X. destruct X as (k & x & W & A & K).
    apply (sees_get i kid x N) in K.
    destruct (node_value e n at_e) as (vs & -> & D & _). unfold Sound.den in D. rewrite W, A in D. cbn in D.
    destruct (value_of_node S g x) as [t | l |] eqn:Ex; try discriminate.
    destruct (k <? 0)%Z eqn:Kp; [discriminate |].
    exists k, l. split; [now exists x |]. rewrite (rho_value _ _ G), (rho_value _ _ K). repeat split; try assumption.
    unfold Pattern.label_at. cbn [fst]. rewrite at_p, Fq, G, at_e. unfold node_label. rewrite Fq, W. reflexivity.
  Qed.

  Lemma alt_at p i q kids :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None -> form q = PAlt kids -> no_inst kids = true ->
    bound_at (p, inst_of i q) -> exists k kid e, nth_error kids k = Some kid /\
      get M (p, inst_of i q) = Some e /\ get M (addr_of pats i kid) = Some e /\
      rho (p, inst_of i q) = rho (addr_of pats i kid) /\
      (template q = false -> look_up Nat.eqb (alts M) p = Some k).
  Proof.
    intros lt at_p F Fq N H. destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    unfold fits_node in X. rewrite Fq in X. destruct X as (k & kid & at_k & K & A).
    apply sees_get in K.
    - exists k, kid, e. repeat split; try assumption. now rewrite (rho_value _ _ G), (rho_value _ _ K).
    - unfold no_inst in *. rewrite forallb_forall in N. simpl. now rewrite (N kid (nth_error_In _ _ at_k)).
  Qed.

  Lemma optional_at p i q kid d :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None -> form q = POptional kid d -> no_inst [kid] = true ->
    bound_at (p, inst_of i q) -> exists e n, get M (p, inst_of i q) = Some e /\ nth_error g e = Some n /\
      label_at (p, inst_of i q) "present" = Some (VBool (present n)) /\
      ((present n = true /\ get M (addr_of pats i kid) = Some e /\ rho (p, inst_of i q) = rho (addr_of pats i kid)) \/
       (present n = false /\ rho (p, inst_of i q) = Absent)).
  Proof.
    intros lt at_p F Fq N H. destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    unfold fits_node in X. rewrite Fq in X. exists e, n. split; [exact G |]. split; [exact at_e |].
    split; [unfold Pattern.label_at; cbn [fst]; now rewrite at_p, Fq, G, at_e |].
    destruct (present n) eqn:P; [left | right].
    - split; [reflexivity |]. specialize (X eq_refl). apply (sees_get i kid e N) in X. split; [exact X |].
      now rewrite (rho_value _ _ G), (rho_value _ _ X).
    - split; [reflexivity |]. rewrite (rho_value _ _ G). now apply (absent_value e n).
  Qed.

  Lemma op_at p q names : p < depth r -> nth_error pats p = Some q -> form q = POp names ->
    bound_at (p, None) -> exists e name, get M (p, None) = Some e /\ name_of g e = Some name /\
      existsb (String.eqb name) names = true.
  Proof.
    intros lt at_p Fq H. assert (inst_of None q = None) as E by (unfold inst_of; now destruct (template q)).
    assert (bound_at (p, inst_of None q)) as H' by now rewrite E.
    destruct (fit_at p None q lt at_p ltac:(reflexivity) H') as (e & n & G & at_e & X). rewrite E in G.
    unfold fits_node in X. rewrite Fq in X. destruct X as (name & W & Ex). exists e, name.
    split; [exact G |]. split; [unfold name_of; now rewrite at_e, W | exact Ex].
  Qed.

  (** A pattern of several inputs or of a variadic one that stands for a tuple. *)
  Definition tuple_kids (p : nat) (q : pattern) : list nat := match form q with PTuple kids => kids | _ => [p] end.

  Lemma tuple_at p i q : p < depth r -> nth_error pats p = Some q -> first_of i q = None ->
    let kids := tuple_kids p q in
    match form q with PTuple _ | PVariadic _ _ _ _ => true | _ => false end = true ->
    no_inst kids = true ->
    match kids with [v] => match variadic pats v with Some f => no_inst [f] | None => true end | _ => true end = true ->
    bound_at (p, inst_of i q) ->
    exists ts, rho (p, inst_of i q) = Fields ts /\ map rho (kid_addrs pats M i kids) = map Of ts /\
      Forall bound_at (kid_addrs pats M i kids).
  Proof.
    intros lt at_p F kids Fq N V H. destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    assert (what (op n) = KTuple /\ kids_at pats M i kids (args n)) as [W K].
    { unfold fits_node in X. subst kids. unfold tuple_kids. destruct (form q); try discriminate; exact X. }
    destruct (kids_values i kids (args n) N V K) as (E & Hk & _).
    destruct (node_value e n at_e) as (vs & -> & D & _). unfold Sound.den in D. rewrite W, E in D.
    destruct (traverse tensor_in _) as [ts |] eqn:Tu; [| discriminate]. exists ts.
    rewrite (rho_value _ _ G). split; [simpl in D; congruence |]. split; [| exact Hk].
    clear - Tu. revert ts Tu. generalize (kid_addrs pats M i kids).
    intros l. induction l as [| u us IH]; intros ts Tu; simpl in Tu; [now injection Tu as <- |].
    destruct (rho u) as [t | |] eqn:Ru; try discriminate. simpl in Tu.
    destruct (traverse tensor_in (map rho us)) as [ts' |]; [| discriminate].
    injection Tu as <-. simpl. rewrite Ru. f_equal. now apply IH.
  Qed.

  (** What the pattern says of its attributes. *)
  Lemma claim_at p i q l c v :
    nth_error pats p = Some q -> In (l, c) (claims q) -> forall e n, get M (p, i) = Some e ->
    nth_error g e = Some n -> present n = true -> label_at (p, i) l = Some v ->
    amatch (env_at pats g M i) c v = true \/
    (l = "value"%string /\ literal (label_at (p, i) "dtype"%string) c v = true).
  Proof.
    intros at_p inc e n G at_e P L. destruct (has_inside _ _ G) as (q' & n' & at_q & at_e' & H).
    simpl in at_q, H. assert (q' = q) as -> by congruence. assert (n' = n) as -> by congruence.
    destruct (H P l c inc) as (v' & L' & A). assert (v' = v) as -> by congruence.
    destruct A as [A | A]; [left | now right]. now apply attr_match_iff.
  Qed.

  Lemma claim_there p i q l c :
    nth_error pats p = Some q -> In (l, c) (claims q) -> forall e n, get M (p, i) = Some e ->
    nth_error g e = Some n -> present n = true -> exists v, label_at (p, i) l = Some v.
  Proof.
    intros at_p inc e n G at_e P. destruct (has_inside _ _ G) as (q' & n' & at_q & at_e' & H).
    simpl in at_q. assert (q' = q) as -> by congruence. assert (n' = n) as -> by congruence.
    destruct (H P l c inc) as (v & L & _). now exists v.
  Qed.

  (** The [k]-th thing that the pattern says. *)
  Lemma claim_nth p i q k l c :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None ->
    match form q with PCall _ _ | PProj _ _ | PTuple _ | PWildcard | PVariable | PConst _ => true | _ => false end = true ->
    bound_at (p, inst_of i q) -> nth_error (claims q) k = Some (l, c) ->
    exists v, label_at (p, inst_of i q) l = Some v /\
      (amatch (env_at pats g M (inst_of i q)) c v = true \/
       (l = "value" /\ literal (label_at (p, inst_of i q) "dtype") c v = true)).
  Proof.
    intros lt at_p F Fq H inc. apply nth_error_In in inc.
    destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    assert (present n = true) as P.
    { unfold fits_node in X. unfold present in *. destruct (form q); try discriminate.
      - exact X.
      - destruct X as [_ [[x W] | (x & v & W)]]; now rewrite W.
      - destruct X as (x & v & W). now rewrite W.
      - destruct X as (name & _ & _ & W & _). now rewrite W.
      - destruct X as [W _]. now rewrite W.
      - destruct X as (x & y & W & _). now rewrite W. }
    destruct (claim_there p (inst_of i q) q l c at_p inc e n G at_e P) as [v L]. exists v. split; [exact L |].
    exact (claim_at p (inst_of i q) q l c v at_p inc e n G at_e P L).
  Qed.

  Lemma requires_at c : In c (conditions r) -> eval (env_at pats g M None) c = Some (VBool true).
  Proof. intros inc. apply attr_eval_iff. now apply (facts_requires _ _ _ _ _ fs). Qed.

  Lemma requires_nth k c : nth_error (conditions r) k = Some c -> eval (env_at pats g M None) c = Some (VBool true).
  Proof. intros at_k. apply requires_at. now apply nth_error_In with k. Qed.

  Lemma source_has k a : nth_error (source_addrs r (List.length outs)) k = Some a -> bound_at a.
  Proof.
    intros at_k. destruct (Forall2_nth _ _ _ (facts_outs _ _ _ _ _ fs) k a at_k) as (o & _ & G). now exists o.
  Qed.

  (** A variadic source has as many instances as the match has outputs. *)
  Lemma outputs_length v f : source r = [v] -> variadic pats v = Some f ->
    look_up Nat.eqb (lens M) v = Some (List.length outs).
  Proof.
    intros Src V. pose proof (facts_length _ _ _ _ _ fs) as L. unfold output_field in L. rewrite Src, V in L. exact L.
  Qed.

  Lemma length_label v i q field least n index : nth_error pats v = Some q -> form q = PVariadic field least n index ->
    label_at (v, i) "length" = option_map (fun n => VInt (Z.of_nat n)) (look_up Nat.eqb (lens M) v).
  Proof. intros at_v F. unfold Pattern.label_at. cbn [fst]. now rewrite at_v, F. Qed.

  Lemma first_none i q : first q = None -> first_of i q = None.
  Proof. intros F. unfold first_of. rewrite F. destruct i as [[|] |]; try reflexivity. now destruct (template q). Qed.

  (** *** The target *)

  Lemma unbound p j : existsb (Nat.eqb p) (reached_sources r) = false -> get M (p, j) = None.
  Proof.
    intros H. destruct (get M (p, j)) as [e |] eqn:G; [| reflexivity].
    apply (facts_only _ _ _ _ _ fs) in G. simpl in G. exfalso.
    assert (existsb (Nat.eqb p) (reached_sources r) = true); [| congruence].
    apply existsb_exists. exists p. split; [exact G | apply Nat.eqb_refl].
  Qed.

  Lemma means_bound i p q e x : means S pats g M i p x -> nth_error pats p = Some q ->
    looked_up pats g M i p q = Some e -> x = Some (value_of_node S g e).
  Proof.
    intros H at_p L. inversion H as [? ? q' e' at_q L' | ? ? q' i' p' q2 gs f rs at_q L' at_p' A L2 P ms]; subst;
      (assert (q' = q) as -> by congruence); congruence.
  Qed.

  (** A pattern that is bound, and no optional one with a default. *)
  Lemma means_has i p q x : means S pats g M i p x -> nth_error pats p = Some q ->
    match form q with POptional _ (Some _) => false | _ => true end = true ->
    bound_at (at_ i p q) -> x = Some (rho (at_ i p q)).
  Proof.
    intros H at_p N [e G]. rewrite (rho_value _ _ G). apply (means_bound i p q e x H at_p).
    unfold looked_up. rewrite G. destruct (form q); try reflexivity. now destruct otherwise.
  Qed.

  Lemma means_source i p q x : means S pats g M i p x -> nth_error pats p = Some q ->
    match form q with POptional _ (Some _) => false | _ => true end = true ->
    bound_at (addr_of pats i p) -> x = Some (rho (addr_of pats i p)).
  Proof.
    intros H at_p N B. rewrite (addr_of_at pats i p q at_p) in *. now apply (means_has i p q).
  Qed.

  Lemma not_looked_up i p q : existsb (Nat.eqb p) (reached_sources r) = false -> first q = None ->
    match form q with PNone | PInst _ _ => false | _ => true end = true -> looked_up pats g M i p q = None.
  Proof.
    intros N F Fq. unfold looked_up.
    assert (at_ i p q = (p, inst_of i q)) as -> by (unfold at_; now rewrite (first_none i q F)).
    rewrite unbound by exact N. destruct (form q); try reflexivity; discriminate.
  Qed.

  (** No other pattern has the address. *)
  Definition alone (p : nat) : bool :=
    forallb (fun q => match first q with Some f => negb (Nat.eqb f p) | None => true end) pats.

  Lemma means_make i p q x : means S pats g M i p x -> nth_error pats p = Some q ->
    looked_up pats g M i p q = None -> first q = None -> alone p = true ->
    exists i' gs f rs, (template q = true -> i' = i) /\ looked_up pats g M i' p q = None /\
      plan pats g M i' q = Some (gs, f) /\
      Forall2 (fun y x => means S pats g M (fst y) (snd y) x) gs rs /\ x = result S f rs.
  Proof.
    intros H at_p L Fq Al.
    inversion H as [? ? q' e' at_q L' | ? ? q' i' p' q2 gs f rs at_q L' at_p' A L2 P ms]; subst;
      (assert (q' = q) as -> by congruence); [congruence |].
    assert (first_of i q = None) as Fi by (unfold first_of; destruct i as [[|] |]; try reflexivity; now destruct (template q)).
    assert (at_ i p q = (p, if template q then i else None)) as Ai by (unfold at_; now rewrite Fi).
    rewrite Ai in A. unfold at_ in A. destruct (first_of i' q2) as [k |] eqn:F2.
    - exfalso. injection A as -> _. unfold alone in Al. rewrite forallb_forall in Al.
      specialize (Al q2 (nth_error_In _ _ at_p')). unfold first_of in F2.
      destruct i' as [[|] |]; try discriminate. destruct (template q2); [| discriminate]. rewrite F2 in Al.
      now rewrite Nat.eqb_refl in Al.
    - injection A as -> E. assert (q2 = q) as -> by congruence.
      exists i', gs, f, rs. repeat split; try assumption. intros Tq. now rewrite Tq in E.
  Qed.

  (** What is new: the pattern is none of the source's. *)
  Lemma means_new i p q x : means S pats g M i p x -> nth_error pats p = Some q ->
    existsb (Nat.eqb p) (reached_sources r) = false ->
    (match first q with None => alone p | Some _ => false end &&
     match form q with PNone | PInst _ _ => false | _ => true end) = true ->
    exists i' gs f rs, (template q = true -> i' = i) /\ plan pats g M i' q = Some (gs, f) /\
      Forall2 (fun y x => means S pats g M (fst y) (snd y) x) gs rs /\ x = result S f rs.
  Proof.
    intros H at_p N C. apply andb_true_iff in C. destruct C as [C Fq]. destruct (first q) eqn:F; [discriminate |].
    destruct (means_make i p q x H at_p (not_looked_up i p q N F Fq) F C) as (i' & gs & f & rs & a & _ & b & c & d).
    now exists i', gs, f, rs.
  Qed.

  Lemma means_none i p q x : means S pats g M i p x -> nth_error pats p = Some q -> first q = None ->
    existsb (Nat.eqb p) (reached_sources r) = false -> form q = PNone -> x = Some Absent.
  Proof.
    intros H at_p F N Fq. rewrite (means_bound i p q 0 x H at_p).
    - now rewrite zero_absent.
    - unfold looked_up. assert (at_ i p q = (p, inst_of i q)) as -> by (unfold at_; now rewrite (first_none i q F)).
      rewrite unbound by exact N. now rewrite Fq.
  Qed.

  (** An instance: of the pattern [t], the one that the expression counts. *)
  Lemma means_instance i p q t a x : means S pats g M i p x -> nth_error pats p = Some q -> first q = None ->
    alone p = true ->
    existsb (Nat.eqb p) (reached_sources r) = false -> form q = PInst t a ->
    exists i' k, (template q = true -> i' = i) /\ eval (env_at pats g M i') a = Some (VInt k) /\ (k <? 0)%Z = false /\
      bound_at (addr_of pats (Some (Z.to_nat k)) t) /\ x = Some (rho (addr_of pats (Some (Z.to_nat k)) t)).
  Proof.
    intros H at_p F Al N Fq.
    assert (forall k, instance pats t k = addr_of pats (Some k) t) as In_.
    { intros k. unfold instance. destruct (nth_error pats t) as [qt |] eqn:at_t.
      - symmetry. now apply addr_of_at.
      - unfold addr_of. now rewrite at_t. }
    assert (forall j, at_ j p q = (p, inst_of j q)) as A by (intros j; unfold at_; now rewrite (first_none j q F)).
    assert (forall j, looked_up pats g M j p q = match value_at pats g M j a with
              | Some (VInt k) => if (k <? 0)%Z then None else get M (instance pats t (Z.to_nat k)) | _ => None end) as L.
    { intros j. unfold looked_up. rewrite A, unbound by exact N. now rewrite Fq. }
    inversion H as [? ? q' e' at_q L' | ? ? q' i' p' q2 gs f rs at_q L' at_p' A' L2 P ms]; subst;
      (assert (q' = q) as -> by congruence).
    - rewrite L in L'. unfold value_at in L'. destruct (eval _ a) as [[| | k | | |] |] eqn:E; try discriminate.
      destruct (k <? 0)%Z eqn:K; [discriminate |]. exists i, k. split; [reflexivity |]. split; [exact E |].
      split; [exact K |]. rewrite In_ in L'. split; [now exists e' |]. now rewrite (rho_value _ _ L').
    - exfalso. rewrite A in A'. unfold at_ in A'. destruct (first_of i' q2) as [k |] eqn:F2.
      + injection A' as -> _. unfold alone in Al. rewrite forallb_forall in Al.
        specialize (Al q2 (nth_error_In _ _ at_p')). unfold first_of in F2.
        destruct i' as [[|] |]; try discriminate. destruct (template q2); [| discriminate]. rewrite F2 in Al.
        now rewrite Nat.eqb_refl in Al.
      + injection A' as -> E. assert (q2 = q) as -> by congruence. unfold plan in P. now rewrite Fq in P.
  Qed.

  (** *** How a pattern of a target is made *)

  (** One level of the target at a time: the values of the children, and what the node is. *)
  Definition plain_kids (kids : list nat) : bool :=
    match kids with [v] => match nth_error pats v with
      Some q => match form q with PVariadic _ _ _ _ => false | _ => true end | None => false end | _ => true end.

  Lemma parts_plain i kids : plain_kids kids = true -> parts pats g M i kids = Some (map (pair i) kids).
  Proof.
    unfold plain_kids, parts. destruct kids as [| v [|]]; try reflexivity.
    destruct (nth_error pats v) as [q |]; [| discriminate]. destruct (form q); try reflexivity; discriminate.
  Qed.

  Lemma means_call i p q x s kids : means S pats g M i p x -> nth_error pats p = Some q ->
    existsb (Nat.eqb p) (reached_sources r) = false ->
    (match first q with None => alone p | Some _ => false end &&
     match form q with PNone | PInst _ _ => false | _ => true end) = true ->
    form q = PCall (OName s) kids -> plain_kids kids = true ->
    exists i' vs rs, (template q = true -> i' = i) /\ given pats g M i' q = Some vs /\
      Forall2 (fun k x => means S pats g M i' k x) kids rs /\
      x = match traverse (fun x => x) rs with Some us => calls S s vs (strip us) | None => None end.
  Proof.
    intros H at_p N C F P. destruct (means_new i p q x H at_p N C) as (i' & gs & f & rs & Ti & Pl & ms & ->).
    destruct (plan_call pats g M i' q gs f s kids Pl F) as (vs & Pa & G & ->). rewrite (parts_plain i' kids P) in Pa.
    injection Pa as <-. exists i', vs, rs. repeat split; try assumption.
    clear - ms. revert rs ms. induction kids as [| k kids IH]; intros rs ms; inversion ms; subst; constructor; auto.
  Qed.

  Lemma means_call_like i p q x o kids : means S pats g M i p x -> nth_error pats p = Some q ->
    existsb (Nat.eqb p) (reached_sources r) = false ->
    (match first q with None => alone p | Some _ => false end &&
     match form q with PNone | PInst _ _ => false | _ => true end) = true ->
    form q = PCall (OPat o) kids -> plain_kids kids = true ->
    exists i' vs rs e s, (template q = true -> i' = i) /\ get M (o, None) = Some e /\ name_of g e = Some s /\
      given pats g M i' q = Some vs /\ Forall2 (fun k x => means S pats g M i' k x) kids rs /\
      x = match traverse (fun x => x) rs with Some us => calls S s vs (strip us) | None => None end.
  Proof.
    intros H at_p N C F P. destruct (means_new i p q x H at_p N C) as (i' & gs & f & rs & Ti & Pl & ms & ->).
    destruct (plan_call_like pats g M i' q gs f o kids Pl F) as (vs & e & s & Ge & Ne & Pa & G & ->).
    rewrite (parts_plain i' kids P) in Pa. injection Pa as <-. exists i', vs, rs, e, s. repeat split; try assumption.
    clear - ms. revert rs ms. induction kids as [| k kids IH]; intros rs ms; inversion ms; subst; constructor; auto.
  Qed.

  (** The only child is variadic: as many values as its length says. *)
  Lemma means_call_many i p q x s v qv field least n index :
    means S pats g M i p x -> nth_error pats p = Some q ->
    existsb (Nat.eqb p) (reached_sources r) = false ->
    (match first q with None => alone p | Some _ => false end &&
     match form q with PNone | PInst _ _ => false | _ => true end) = true ->
    form q = PCall (OName s) [v] -> nth_error pats v = Some qv -> form qv = PVariadic field least (Some n) index ->
    exists i' vs k m rs, (template q = true -> i' = i) /\ given pats g M i' q = Some vs /\
      eval (env_at pats g M i') n = Some (VInt k) /\ count k = Some m /\
      Forall2 (fun j x => means S pats g M (Some j) field x) (seq 0 m) rs /\
      x = match traverse (fun x => x) rs with Some us => calls S s vs (strip us) | None => None end.
  Proof.
    intros H at_p N C F at_v Fv. destruct (means_new i p q x H at_p N C) as (i' & gs & f & rs & Ti & Pl & ms & ->).
    destruct (plan_call pats g M i' q gs f s [v] Pl F) as (vs & Pa & G & ->). unfold parts in Pa. rewrite at_v, Fv in Pa.
    unfold value_at in Pa. destruct (eval _ n) as [[| | k | | |] |] eqn:En; try discriminate.
    destruct (count k) as [m |] eqn:Ck; [| discriminate]. injection Pa as <-. exists i', vs, k, m, rs.
    repeat split; try assumption.
    clear - ms. revert rs ms. generalize (seq 0 m). intros l. induction l as [| j l IH]; intros rs ms; simpl in ms;
      inversion ms; subst; constructor; auto.
  Qed.

  Lemma means_proj i p q x kid a : means S pats g M i p x -> nth_error pats p = Some q ->
    existsb (Nat.eqb p) (reached_sources r) = false ->
    (match first q with None => alone p | Some _ => false end &&
     match form q with PNone | PInst _ _ => false | _ => true end) = true ->
    form q = PProj kid (Some a) ->
    exists i' k y, (template q = true -> i' = i) /\ eval (env_at pats g M i') a = Some (VInt k) /\
      means S pats g M i' kid y /\
      x = match y with
          | Some (Fields l) => if (k <? 0)%Z then None else option_map Of (nth_error l (Z.to_nat k))
          | _ => None
          end.
  Proof.
    intros H at_p N C F. destruct (means_new i p q x H at_p N C) as (i' & gs & f & rs & Ti & Pl & ms & ->).
    unfold plan in Pl. rewrite F in Pl. unfold value_at in Pl.
    destruct (eval _ a) as [[| | k | | |] |] eqn:E; try discriminate. injection Pl as <- <-.
    inversion ms as [| ? y ? ? here rest]; subst. inversion rest; subst. exists i', k, y.
    repeat split; try assumption. unfold Sound.result. simpl. destruct y as [[| |] |]; reflexivity.
  Qed.

  Lemma means_cond i p q x c kid kid' : means S pats g M i p x -> nth_error pats p = Some q ->
    existsb (Nat.eqb p) (reached_sources r) = false ->
    (match first q with None => alone p | Some _ => false end &&
     match form q with PNone | PInst _ _ => false | _ => true end) = true ->
    form q = PCond c kid kid' ->
    exists i' b, (template q = true -> i' = i) /\ eval (env_at pats g M i') c = Some (VBool b) /\
      means S pats g M i' (if b then kid else kid') x.
  Proof.
    intros H at_p N C F. destruct (means_new i p q x H at_p N C) as (i' & gs & f & rs & Ti & Pl & ms & ->).
    unfold plan in Pl. rewrite F in Pl. unfold value_at in Pl.
    destruct (eval _ c) as [[| b | | | |] |] eqn:E; try discriminate. injection Pl as <- <-.
    inversion ms as [| ? y ? ? here rest]; subst. inversion rest; subst. exists i', b.
    repeat split; try assumption. unfold Sound.result. simpl. now destruct y.
  Qed.

  Lemma means_match i p q x alt kids : means S pats g M i p x -> nth_error pats p = Some q ->
    existsb (Nat.eqb p) (reached_sources r) = false ->
    (match first q with None => alone p | Some _ => false end &&
     match form q with PNone | PInst _ _ => false | _ => true end) = true ->
    form q = PMatch alt kids ->
    exists i' k kid, (template q = true -> i' = i) /\ look_up Nat.eqb (alts M) alt = Some k /\
      nth_error kids k = Some kid /\ means S pats g M i' kid x.
  Proof.
    intros H at_p N C F. destruct (means_new i p q x H at_p N C) as (i' & gs & f & rs & Ti & Pl & ms & ->).
    unfold plan in Pl. rewrite F in Pl. destruct (look_up Nat.eqb (alts M) alt) as [k |]; [| discriminate].
    destruct (nth_error kids k) as [kid |] eqn:at_k; [| discriminate]. injection Pl as <- <-.
    inversion ms as [| ? y ? ? here rest]; subst. inversion rest; subst. exists i', k, kid.
    repeat split; try assumption. unfold Sound.result. simpl. now destruct y.
  Qed.

  Lemma means_const i p q x a : means S pats g M i p x -> nth_error pats p = Some q ->
    existsb (Nat.eqb p) (reached_sources r) = false ->
    (match first q with None => alone p | Some _ => false end &&
     match form q with PNone | PInst _ _ => false | _ => true end) = true ->
    form q = PConst (Some a) ->
    exists i' v, (template q = true -> i' = i) /\ eval (env_at pats g M i') a = Some v /\
      x = option_map Of (consts S 0 (Some v)).
  Proof.
    intros H at_p N C F. destruct (means_new i p q x H at_p N C) as (i' & gs & f & rs & Ti & Pl & ms & ->).
    unfold plan in Pl. rewrite F in Pl. unfold value_at in Pl.
    destruct (eval _ a) as [v |] eqn:E; [| discriminate]. destruct (given pats g M i' q); [| discriminate].
    injection Pl as <- <-. inversion ms; subst. exists i', v. repeat split; try assumption.
  Qed.

  (** An optional pattern of the source in a target: bound, or its default. *)
  Lemma means_optional i p q x kid a : means S pats g M i p x -> nth_error pats p = Some q ->
    first q = None -> alone p = true -> form q = POptional kid (Some a) ->
    forall e n, get M (p, inst_of i q) = Some e -> nth_error g e = Some n ->
    (present n = true /\ x = Some (rho (p, inst_of i q))) \/
    (present n = false /\ exists i' v, (template q = true -> i' = i) /\ eval (env_at pats g M i') a = Some v /\
       x = option_map Of (consts S 0 (Some v))).
  Proof.
    intros H at_p F Al Fq e n G at_e.
    assert (forall j, at_ j p q = (p, inst_of j q)) as A by (intros j; unfold at_; now rewrite (first_none j q F)).
    destruct (present n) eqn:P; [left | right]; (split; [reflexivity |]).
    - rewrite (rho_value _ _ G). apply (means_bound i p q e x H at_p). unfold looked_up. now rewrite A, G, Fq, at_e, P.
    - assert (looked_up pats g M i p q = None) as L by (unfold looked_up; now rewrite A, G, Fq, at_e, P).
      destruct (means_make i p q x H at_p L F Al) as (i' & gs & f & rs & Ti & _ & Pl & ms & ->).
      unfold plan in Pl. rewrite Fq in Pl. unfold value_at in Pl.
      destruct (eval _ a) as [v |] eqn:E; [| discriminate]. injection Pl as <- <-. inversion ms; subst.
      exists i', v. repeat split; try assumption.
  Qed.

  (** *** References of expressions *)

  Lemma access_at i k p q l : nth_error pats p = Some q -> N.to_nat k = p -> 
    access (env_at pats g M i) k l = label_at (addr_of pats i p) l.
  Proof. intros at_p <-. cbn. now rewrite at_p, (addr_of_at pats i _ q at_p). Qed.

  Lemma inst_at i t p q k l : nth_error pats p = Some q -> N.to_nat t = p -> (0 <= k)%Z ->
    inst (env_at pats g M i) t k l = label_at (addr_of pats (Some (Z.to_nat k)) p) l.
  Proof.
    intros at_p <- K. cbn. rewrite (proj2 (Z.ltb_ge k 0) K). unfold instance.
    now rewrite at_p, (addr_of_at pats _ _ q at_p).
  Qed.
End Use.
