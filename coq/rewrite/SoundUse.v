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

  Definition has (a : addr) : Prop := exists e, get M a = Some e.

  Lemma has_inside a e : get M a = Some e -> exists q n, nth_error pats (fst a) = Some q /\ nth_error g e = Some n /\
    (present n = true -> forall l c, In (l, c) (claims q) ->
       exists v, label_at a l = Some v /\ (am (env_at pats g M (snd a)) c v \/ (l = "value"%string /\ literal c v = true))).
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
    unfold no_inst, addr_of. simpl. destruct (nth_error pats k) as [q |] eqn:at_k; [| discriminate].
    intros N D. destruct (D q at_k) as [I | G]; [now rewrite I in N | exact G].
  Qed.

  Lemma kids_values i kids es : no_inst kids = true ->
    match kids with [v] => match variadic pats v with Some f => no_inst [f] | None => true end | _ => true end = true ->
    kids_at pats M i kids es ->
    map (value_of_node S g) es = map rho (kid_addrs pats M i kids) /\ Forall has (kid_addrs pats M i kids) /\
    match kids with [v] => match variadic pats v with
      Some _ => look_up Nat.eqb (lens M) v = Some (List.length es) | None => True end | _ => True end.
  Proof.
    intros N V K. unfold kids_at in K. unfold kid_addrs.
    assert (Forall2 (sees pats M i) kids es ->
            map (value_of_node S g) es = map rho (map (addr_of pats i) kids) /\ Forall has (map (addr_of pats i) kids)) as plain.
    { clear - N. intros F. induction F as [| k x kids es here _ IH]; [split; constructor |].
      simpl in N. apply andb_true_iff in N. destruct N as [Nk N].
      assert (get M (addr_of pats i k) = Some x) as G by (apply sees_get; [simpl; now rewrite Nk | exact here]).
      destruct (IH N) as [E H]. simpl. split; [now rewrite E, (rho_value _ _ G) | constructor; [now exists x | exact H]]. }
    destruct kids as [| v [| w kids]]; try (destruct (plain K); now repeat split).
    destruct (variadic pats v) as [f |]; [| destruct (plain K); now repeat split].
    destruct K as [L all]. unfold length_of. rewrite L.
    assert (forall s l, (forall c x, nth_error l c = Some x -> sees pats M (Some (s + c)) f x) ->
              map (value_of_node S g) l = map rho (map (fun c => addr_of pats (Some c) f) (seq s (List.length l))) /\
              Forall has (map (fun c => addr_of pats (Some c) f) (seq s (List.length l)))) as go.
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
    has (p, inst_of i q) -> exists e n, get M (p, inst_of i q) = Some e /\ nth_error g e = Some n /\
      fits_node commutes pats g M i p q e n.
  Proof.
    intros lt at_p F [e G]. destruct (facts_fit _ _ _ _ _ fs i p q e lt at_p F G) as (n & at_e & H). now exists e, n.
  Qed.

  Definition look (at_ : list (label * value)) (l : label) : option value := look_up String.eqb at_ l.

  Record call_fact (p : nat) (i : option nat) (q : pattern) (o : opref) (kids : list nat)
      (name : string) (ty at_ : list (label * value)) : Prop := CallFact {
    call_op : op_is g M o name;
    call_value : calls S name at_ (strip (map rho (kid_addrs pats M i kids))) = Some (rho (p, inst_of i q));
    call_kids : Forall has (kid_addrs pats M i kids);
    call_length : match kids with [v] => match variadic pats v with
        Some _ => look_up Nat.eqb (lens M) v = Some (length_of M v) | None => True end | _ => True end;
    call_label : forall l, label_at (p, inst_of i q) l = match look at_ l with Some v => Some v | None => look ty l end;
    call_type : forall l s, type_label l = true -> look ty l = Some s -> describes S (rho (p, inst_of i q)) l s;
    call_own : forall l s, type_label l = true -> look at_ l = Some s -> own S name l = true
  }.

  Lemma call_at p i q o kids :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None -> form q = PCall o kids ->
    no_inst kids = true ->
    match kids with [v] => match variadic pats v with Some f => no_inst [f] | None => true end | _ => true end = true ->
    has (p, inst_of i q) -> exists name ty at_, call_fact p i q o kids name ty at_.
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
    - intros l s TL Ls. now apply (sane_plain S g san e n at_e name l s).
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
    nth_error pats p = Some q -> plain_labels q = true -> type_label l = true -> has (p, i) ->
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
    has (p, inst_of i q) -> exists n e, get M (p, inst_of i q) = Some e /\ nth_error g e = Some n /\ present n = true.
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
    has (p, inst_of i q) -> exists t, rho (p, inst_of i q) = Of t.
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
    has (p, inst_of i q) -> exists k v t, rho (p, inst_of i q) = Of t /\ consts S k v = Some t /\
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
    has (p, inst_of i q) -> exists k l, has (addr_of pats i kid) /\ rho (addr_of pats i kid) = Fields l /\
      (k <? 0)%Z = false /\ nth_error l (Z.to_nat k) = Some (rho (p, inst_of i q)) /\
      label_at (p, inst_of i q) "index" = Some (VInt k).
  Proof.
    intros lt at_p F Fq N H. destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    unfold fits_node in X. rewrite Fq in X. destruct X as (k & x & W & A & K).
    apply (sees_get i kid x N) in K.
    destruct (node_value e n at_e) as (vs & -> & D & _). unfold Sound.den in D. rewrite W, A in D. cbn in D.
    destruct (value_of_node S g x) as [t | | l] eqn:Ex; try discriminate.
    destruct (k <? 0)%Z eqn:Kp; [discriminate |].
    exists k, l. split; [now exists x |]. rewrite (rho_value _ _ G), (rho_value _ _ K). repeat split; try assumption.
    unfold Pattern.label_at. cbn [fst]. rewrite at_p, Fq, G, at_e. unfold node_label. rewrite Fq, W. reflexivity.
  Qed.

  Lemma alt_at p i q kids :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None -> form q = PAlt kids -> no_inst kids = true ->
    has (p, inst_of i q) -> exists k kid e, nth_error kids k = Some kid /\
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
    has (p, inst_of i q) -> exists e n, get M (p, inst_of i q) = Some e /\ nth_error g e = Some n /\
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
    has (p, None) -> exists e name, get M (p, None) = Some e /\ name_of g e = Some name /\
      existsb (String.eqb name) names = true.
  Proof.
    intros lt at_p Fq H. assert (inst_of None q = None) as E by (unfold inst_of; now destruct (template q)).
    assert (has (p, inst_of None q)) as H' by now rewrite E.
    destruct (fit_at p None q lt at_p ltac:(reflexivity) H') as (e & n & G & at_e & X). rewrite E in G.
    unfold fits_node in X. rewrite Fq in X. destruct X as (name & W & Ex). exists e, name.
    split; [exact G |]. split; [unfold name_of; now rewrite at_e, W | exact Ex].
  Qed.

  (** A pattern of several inputs or of a variadic one that stands for a tuple. *)
  Lemma tuple_at p i q : p < depth r -> nth_error pats p = Some q -> first_of i q = None ->
    let kids := match form q with PTuple kids => kids | _ => [p] end in
    match form q with PTuple _ | PVariadic _ _ _ _ => true | _ => false end = true ->
    no_inst kids = true ->
    match kids with [v] => match variadic pats v with Some f => no_inst [f] | None => true end | _ => true end = true ->
    has (p, inst_of i q) ->
    rho (p, inst_of i q) = Fields (map rho (kid_addrs pats M i kids)) /\ Forall has (kid_addrs pats M i kids).
  Proof.
    intros lt at_p F kids Fq N V H. destruct (fit_at p i q lt at_p F H) as (e & n & G & at_e & X).
    assert (what (op n) = KTuple /\ kids_at pats M i kids (args n)) as [W K].
    { unfold fits_node in X. subst kids. destruct (form q); try discriminate; exact X. }
    destruct (kids_values i kids (args n) N V K) as (E & Hk & _). split; [| exact Hk].
    destruct (node_value e n at_e) as (vs & -> & D & _). unfold Sound.den in D. rewrite W in D.
    rewrite (rho_value _ _ G). rewrite <- E. congruence.
  Qed.

  (** What the pattern says of its attributes. *)
  Lemma claim_at p i q l c v :
    nth_error pats p = Some q -> In (l, c) (claims q) -> forall e n, get M (p, i) = Some e ->
    nth_error g e = Some n -> present n = true -> label_at (p, i) l = Some v ->
    amatch (env_at pats g M i) c v = true \/ (l = "value"%string /\ literal c v = true).
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

  Lemma requires_at c : In c (conditions r) -> eval (env_at pats g M None) c = Some (VBool true).
  Proof. intros inc. apply attr_eval_iff. now apply (facts_requires _ _ _ _ _ fs). Qed.

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
    has (at_ i p q) -> x = Some (rho (at_ i p q)).
  Proof.
    intros H at_p N [e G]. rewrite (rho_value _ _ G). apply (means_bound i p q e x H at_p).
    unfold looked_up. rewrite G. destruct (form q); try reflexivity. now destruct otherwise.
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
End Use.
