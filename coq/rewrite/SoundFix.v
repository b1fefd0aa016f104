(** * Rewriting with sound rules, until nothing matches

    A rewrite by a sound rule keeps the values of the outputs and leaves a graph in which
    every node has a value and the type that is written on it, so that the next one does. *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof rewrite.Sound.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Node 0 stays where it is *)

Lemma place_grounded (g new : tgraph) moves h f :
  wf g -> grounded g -> ~ In 0 (map fst moves) -> place_target g new moves = Some (h, f) -> grounded h.
Proof.
  intros ok (t & a & at_0) n0 P. unfold place_target in P. destruct (_ && _); [| discriminate]. injection P as <- _.
  assert (0 < List.length g) as lt by (apply nth_error_Some; congruence).
  unfold late_order. set (late := flat_map (reach g) (map fst moves)).
  assert (mem 0 late = false) as early.
  { apply not_mem_iff. intros H. unfold late in H. apply in_flat_map in H. destruct H as (o & ino & H).
    apply reach_iff in H; [| exact ok]. inversion H as [i | ? ? k n at_i ink anc]; subst; [now apply n0 |].
    assert (n = Node (Oper KAbsent t a) []) as -> by congruence. destruct ink. }
  destruct (List.length g) as [| k] eqn:L; [lia |]. cbn [seq filter]. rewrite early. cbn [negb app].
  unfold reorder, redirect. cbn [flat_map]. destruct g as [| n g]; [discriminate |]. cbn in at_0. injection at_0 as ->.
  cbn. now exists t, a.
Qed.

Lemma tidy_grounded (g : tgraph) outs : grounded g -> grounded (fst (tidy g outs)).
Proof.
  intros (t & a & at_0). unfold tidy. cbn [fst].
  assert (0 < List.length g) as lt by (apply nth_error_Some; congruence).
  set (inputs := filter _ (seq 0 (List.length g))).
  assert (In 0 inputs) as in0.
  { unfold inputs. apply filter_In. split; [apply in_seq; lia |]. now rewrite at_0. }
  unfold needed. destruct (List.length g) as [| k] eqn:L; [lia |]. cbn [seq filter].
  assert (existsb (fun o => mem o (reach g 0)) (outs ++ inputs) = true) as ->.
  { apply existsb_exists. exists 0. split; [apply in_or_app; now right |]. apply mem_iff.
    unfold reach. apply reach_from_mono. now left. }
  unfold reorder. cbn [flat_map]. rewrite at_0. cbn. now exists t, a.
Qed.

Section Fix.
  Context {T : Type} (S : model T) (commutes : string -> bool).
  Notation den := (den S).

  (** Every node of [h] does what a node of [g] does, and has its value. *)
  Definition from_nodes (g h : tgraph) : Prop :=
    forall p, p < List.length h -> exists i n m,
      nth_error g i = Some n /\ nth_error h p = Some m /\ op m = op n /\
      forall v, ge den g i v <-> ge den h p v.

  Lemma from_nodes_keep g h : from_nodes g h -> computes S g -> declared S g -> plain_graph S g ->
    computes S h /\ declared S h /\ plain_graph S h.
  Proof.
    intros F C D P. split; [| split].
    - intros p lt. destruct (F p lt) as (i & n & m & at_i & _ & _ & same).
      destruct (C i) as [v H]; [apply nth_error_Some; congruence |]. exists v. now apply same.
    - intros p m v l s at_p H TL L. assert (p < List.length h) as lt by (apply nth_error_Some; congruence).
      destruct (F p lt) as (i & n & m' & at_i & at_p' & O & same).
      assert (m' = m) as -> by congruence. apply same in H.
      apply (D i n v l s at_i H TL). unfold tensor_label in *. now rewrite <- O.
    - intros p m at_p. assert (p < List.length h) as lt by (apply nth_error_Some; congruence).
      destruct (F p lt) as (i & n & m' & at_i & at_p' & O & _).
      assert (m' = m) as -> by congruence. pose proof (P i n at_i) as pn. unfold plain_node, tensor_label in *. now rewrite O.
  Qed.

  Lemma tidy_from g outs : wf g -> from_nodes g (fst (tidy g outs)).
  Proof.
    intros ok. unfold tidy. set (inputs := filter _ _). set (order := needed g (outs ++ inputs)).
    cbn [fst]. intros p lt.
    assert (forall j, In j order -> j < List.length g) as inside by apply needed_lt.
    rewrite reorder_length in lt by exact inside.
    pose proof lt as lto. apply nth_error_Some in lto.
    destruct (nth_error order p) as [i |] eqn:at_o; [| easy].
    assert (In i order) as ini by now apply nth_error_In with p.
    assert (place_of i order = p) as <-.
    { apply (proj1 (NoDup_nth_error order) (needed_nodup _ _)); [now apply place_of_lt |].
      rewrite nth_error_place_of; congruence. }
    pose proof (inside i ini) as lti. apply nth_error_Some in lti.
    destruct (nth_error g i) as [n |] eqn:at_i; [| easy].
    exists i, n, (Node (op n) (map (fun j => place_of j order) (args n))).
    split; [exact at_i |]. split; [rewrite reorder_nth by assumption; now rewrite at_i |].
    split; [reflexivity |].
    apply (reorder_preserves den order g ok inside); [now apply needed_topological | exact ini].
  Qed.

  Lemma from_nodes_trans g h k : from_nodes g h -> from_nodes h k -> from_nodes g k.
  Proof.
    intros F G p lt. destruct (G p lt) as (i & n & m & at_i & at_p & O & same).
    destruct (F i) as (j & n' & m' & at_j & at_i' & O' & same'); [apply nth_error_Some; congruence |].
    exists j, n', m. assert (m' = n) as -> by congruence.
    split; [exact at_j |]. split; [exact at_p |]. split; [congruence |].
    intros v. rewrite same'. apply same.
  Qed.

  (** One rewrite, at any match. *)
  Theorem sound_rewrite r g outputs e M outs h outputs' :
    rule_sound_for S commutes r -> sane S g -> (forall o, In o outputs -> o < List.length g) ->
    e < List.length g -> rule_at commutes r g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
    rewrite_match r g outputs M outs = Some (h, outputs') ->
    sane S h /\ (forall o, In o outputs' -> o < List.length h) /\ same_values den g outputs h outputs'.
  Proof.
    intros sound san inside lt A F.
    destruct (sound g outputs e M outs san lt A) as [n0 built]. pose proof san as [ok ground _ _ _].
    destruct (rewrite_preserves den r g outputs M outs h outputs' ok inside F) as (okh & inh & same).
    assert (valid_at den r g M outs) as valid by (intros es st B; exact (proj2 (built es st B))).
    split; [| split; [exact inh | now apply same]].
    unfold rewrite_match in F. destruct (build_roots r g M (List.length outs)) as [[es st] |] eqn:B; [| discriminate].
    destruct (built es st eq_refl) as [[_ _ C D P] eqs]. unfold after in *.
    destruct (Nat.eqb _ _ && _) eqn:Lens; [| discriminate].
    destruct (place_target g _ (combine outs es)) as [[h1 f] |] eqn:Pl; [| discriminate].
    injection F as <- <-.
    destruct (place_target_ok den g _ _ _ _ ok Pl) as (ok1 & _ & _ & every).
    destruct (every eqs) as [_ nodes].
    set (G := g ++ skipn (List.length g) (retype g (whole st) (combine outs es))) in *.
    assert (from_nodes G (fst (tidy h1 (map f outputs)))) as from
      by exact (from_nodes_trans G h1 _ nodes (tidy_from h1 (map f outputs) ok1)).
    destruct (from_nodes_keep G _ from C D P) as (Ch & Dh & Ph).
    constructor; try assumption. change (grounded (fst (tidy h1 (map f outputs)))). apply tidy_grounded.
    refine (place_grounded g _ (combine outs es) h1 f ok ground _ Pl).
    intros in0. apply in_map_iff in in0. destruct in0 as ([o t] & E & inc). simpl in E. subst o.
    apply in_combine_l in inc. now apply n0.
  Qed.

  Theorem sound_step r g outputs e h outputs' :
    rule_sound_for S commutes r -> sane S g -> (forall o, In o outputs -> o < List.length g) ->
    rewrite_rule commutes r g outputs = Some (e, (h, outputs')) ->
    sane S h /\ (forall o, In o outputs' -> o < List.length h) /\ same_values den g outputs h outputs'.
  Proof.
    intros sound san inside H. unfold rewrite_rule in H.
    match type of H with first_some ?k ?l = _ => pose proof (first_some_iff k l) as F end.
    rewrite H in F. destruct F as [ine F]. apply in_seq in ine.
    destruct (rule_at commutes r g outputs (seq 0 (List.length g)) e) as [[M outs] |] eqn:A; [| discriminate].
    apply (sound_rewrite r g outputs e M outs); try assumption. lia.
  Qed.

  (** However often, in whatever order of the rules: the outputs keep their values. *)
  Theorem sound_fix rules fuel : forall g outputs log,
    (forall name r, In (name, r) rules -> rule_sound_for S commutes r) ->
    sane S g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutes fuel rules g outputs log in
    sane S h /\ same_values den g outputs h outputs'.
  Proof.
    assert (forall g outputs, same_values den g outputs g outputs) as refl.
    { intros g outputs. induction outputs; constructor; [reflexivity | assumption]. }
    induction fuel as [| fuel IH]; intros g outputs log sound san inside; cbn [rewrite_fix].
    - split; [exact san | apply refl].
    - pose proof (first_some_iff (fun r => rewrite_rule commutes (snd r) g outputs) rules) as F.
      destruct (first_some _ rules) as [[[name r] [e [h outputs1]]] |].
      + destruct F as [inr F]. cbn [snd] in F.
        destruct (sound_step r g outputs e h outputs1 (sound name r inr) san inside F) as (san1 & in1 & same1).
        specialize (IH h outputs1 ((name, e) :: log) sound san1 in1). cbn [fst].
        destruct (rewrite_fix commutes fuel rules h outputs1 _) as [[h2 outputs2] log2].
        destruct IH as (san2 & same2). split; [exact san2 |].
        now apply (same_values_trans den) with h outputs1.
      + split; [exact san | apply refl].
  Qed.
End Fix.
