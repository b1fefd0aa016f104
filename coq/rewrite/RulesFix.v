(** * Rewriting with proved rules, until nothing matches

    The rules of [Rules] keep the values of the outputs, and keep a graph one whose
    nodes have values and the shapes written on them, so that the next rewrite does. *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph tensor.Tensor tensor.Attrs.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof rewrite.Rules.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Section Keep.
  Context {S : Type}.
  Variable rest : oper -> list (tensor S) -> option (tensor S).
  Notation meaning := (meaning rest).
  Notation computes := (computes rest).
  Notation declared := (declared rest).

  (** What is built has values and the shapes that are written on it. *)
  Definition rule_keeps (r : rule) : Prop :=
    forall commutes g outputs e M, wf g -> computes g -> declared g ->
      match_at commutes r g outputs (hd 0 (source r)) e = Some M ->
      forall es st, build_roots r g M 1 = Some (es, st) ->
      let h := g ++ skipn (List.length g) (retype g (whole st) (combine [e] es)) in
      computes h /\ declared h.

  Lemma declared_app g new :
    wf g -> declared g ->
    (forall i n v, nth_error new i = Some n -> ge meaning (g ++ new) (List.length g + i) v ->
       (forall name s, what (op n) = KCall name -> recasts name = true ->
          attribute (attrs (op n)) "shape" = Some s -> shape_of s = Some (dims v)) /\
       (forall s, tensor_label n "shape" = Some s -> shape_of s = Some (dims v))) ->
    declared (g ++ new).
  Proof.
    intros ok D new_ok i n v at_i H. destruct (Nat.lt_ge_cases i (List.length g)) as [lt | ge_].
    - rewrite nth_error_app1 in at_i by exact lt. apply (D i n v at_i).
      exact (proj1 (eval_app meaning g new i v ok lt) H).
    - rewrite nth_error_app2 in at_i by exact ge_. apply (new_ok (i - List.length g) n v at_i).
      now replace (List.length g + (i - List.length g)) with i by lia.
  Qed.

  Lemma computes_app g new :
    wf g -> computes g ->
    (forall i, i < List.length new -> exists v, ge meaning (g ++ new) (List.length g + i) v) ->
    computes (g ++ new).
  Proof.
    intros ok C new_ok i lt. rewrite app_length in lt. destruct (Nat.lt_ge_cases i (List.length g)) as [lt' | ge_].
    - destruct (C i lt') as [v H]. exists v. exact (proj2 (eval_app meaning g new i v ok lt') H).
    - destruct (new_ok (i - List.length g)) as [v H]; [lia |]. exists v.
      now replace (List.length g + (i - List.length g)) with i in H by lia.
  Qed.

  Lemma removal_keeps name conds : copies name || recasts name = true -> rule_keeps (removal name conds).
  Proof.
    intros C commutes g outputs e M ok all decl H es st B. cbn [hd source removal] in H.
    apply match_sound in H; [| exact ok | apply ord2]. destruct H as [H _].
    apply (removal_match rest) in H; [| exact C | exact all].
    destruct H as (n & a & at_e & A & W & ->).
    unfold build_roots in B. cbn in B. injection B as <- <-. cbv zeta. cbn [whole combine].
    assert (skipn (List.length g) (retype g g [(e, a)]) = []) as ->.
    { apply skipn_all2. unfold retype. rewrite map_length, combine_length, seq_length. lia. }
    rewrite app_nil_r. now split.
  Qed.

  Lemma pair_keeps outer inner :
    recasts outer = true -> recasts inner = true -> rule_keeps (reshape_pair outer inner).
  Proof.
    intros Co Ci commutes g outputs e M ok all decl H es st B. cbn [hd source reshape_pair] in H.
    destruct (pair_built rest commutes outer inner g outputs e M es st Co Ci ok all decl H B)
      as (n & a & s & w & at_e & -> & E & Hw & sh & Hn). cbv zeta. rewrite E. set (new := [Node (Oper _ _ _) _]) in *.
    split.
    - apply computes_app; try assumption. intros [| i] lt; [| simpl in lt; lia].
      exists w. now rewrite Nat.add_0_r.
    - apply declared_app; try assumption. intros [| i] m v at_i K; [| now destruct i].
      injection at_i as <-. rewrite Nat.add_0_r in K.
      rewrite (eval_node_unique meaning _ _ w v Hn K). split.
      + intros name t _ _ L. cbn in L. injection L as <-. exact sh.
      + intros t L. destruct (decl e n w at_e Hw) as [_ T]. apply T. exact L.
  Qed.

  Theorem proved_rules_keep name r : In (name, r) proved_rules -> rule_keeps r.
  Proof.
    intros H. repeat (destruct H as [E | H]; [injection E as _ <-;
      solve [now apply removal_keeps | now apply pair_keeps] |]).
    destruct H.
  Qed.

  (** *** The graph after a rewrite *)

  (** Every node of [h] does what a node of [g] does, and has its value. *)
  Definition from_nodes (g h : tgraph) : Prop :=
    forall p, p < List.length h -> exists i n m,
      nth_error g i = Some n /\ nth_error h p = Some m /\ op m = op n /\
      forall v, ge meaning g i v <-> ge meaning h p v.

  Lemma from_nodes_keep g h : from_nodes g h -> computes g -> declared g -> computes h /\ declared h.
  Proof.
    intros F C D. split.
    - intros p lt. destruct (F p lt) as (i & n & m & at_i & _ & _ & same).
      destruct (C i) as [v H]; [apply nth_error_Some; congruence |]. exists v. now apply same.
    - intros p m v at_p H. assert (p < List.length h) as lt by (apply nth_error_Some; congruence).
      destruct (F p lt) as (i & n & m' & at_i & at_p' & O & same).
      assert (m' = m) as -> by congruence. apply same in H.
      destruct (D i n v at_i H) as [a b]. unfold tensor_label in *. rewrite O. now split.
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
    assert (place i order = p) as <-.
    { apply (proj1 (NoDup_nth_error order) (needed_nodup _ _)); [now apply place_lt |].
      rewrite place_nth; congruence. }
    pose proof (inside i ini) as lti. apply nth_error_Some in lti.
    destruct (nth_error g i) as [n |] eqn:at_i; [| easy].
    exists i, n, (Node (op n) (map (fun j => place j order) (args n))).
    split; [exact at_i |]. split; [rewrite reorder_nth by assumption; now rewrite at_i |].
    split; [reflexivity |].
    apply (reorder_preserves meaning order g ok inside); [now apply needed_topological | exact ini].
  Qed.

  Lemma from_nodes_trans g h k : from_nodes g h -> from_nodes h k -> from_nodes g k.
  Proof.
    intros F G p lt. destruct (G p lt) as (i & n & m & at_i & at_p & O & same).
    destruct (F i) as (j & n' & m' & at_j & at_i' & O' & same'); [apply nth_error_Some; congruence |].
    exists j, n', m. assert (m' = n) as -> by congruence.
    split; [exact at_j |]. split; [exact at_p |]. split; [congruence |].
    intros v. rewrite same'. apply same.
  Qed.

  Lemma proved_single name r : In (name, r) proved_rules ->
    exists p q, source r = [p] /\ nth_error (patterns r) p = Some q /\
      match form q with PVariadic _ _ _ _ => False | _ => True end.
  Proof.
    intros H. repeat (destruct H as [E | H]; [injection E as _ <-; eexists _, _; split; [reflexivity |];
      split; [reflexivity | exact Logic.I] |]). destruct H.
  Qed.

  Theorem proved_step commutes name r g outputs e h outputs' :
    In (name, r) proved_rules ->
    wf g -> computes g -> declared g -> (forall o, In o outputs -> o < List.length g) ->
    rewrite_rule commutes r g outputs = Some (e, (h, outputs')) ->
    wf h /\ computes h /\ declared h /\ (forall o, In o outputs' -> o < List.length h) /\
    same_values meaning g outputs h outputs'.
  Proof.
    intros inr ok all decl inside H. unfold rewrite_rule in H.
    match type of H with first_some ?k ?l = _ => pose proof (first_some_iff k l) as F end.
    rewrite H in F. destruct F as [_ F].
    destruct (proved_single name r inr) as (p & q & Sp & at_p & Q).
    assert (exists M, match_at commutes r g outputs (hd 0 (source r)) e = Some M /\
              rewrite_match r g outputs M [e] = Some (h, outputs')) as (M & Hm & R).
    { unfold rule_at in F. rewrite Sp, at_p in F. rewrite Sp. cbn [hd].
      destruct (form q); try easy;
        (destruct (match_at commutes r g outputs p e) as [M |]; [| discriminate]; now exists M). }
    destruct (rewrite_preserves meaning r g outputs M [e] h outputs' ok inside R) as (okh & inh & same).
    pose proof (proved_rules_sound rest name r inr commutes g outputs e M ok all decl Hm) as valid.
    pose proof (proved_rules_keep name r inr commutes g outputs e M ok all decl Hm) as keeps.
    assert (computes h /\ declared h) as [Ch Dh].
    { unfold rewrite_match in R. cbn [List.length] in R.
      destruct (build_roots r g M 1) as [[es st] |] eqn:B; [| discriminate].
      destruct (keeps es st eq_refl) as [Cn Dn].
      destruct (Nat.eqb _ _ && _); [| discriminate].
      destruct (place_target g _ (combine [e] es)) as [[h1 f] |] eqn:P; [| discriminate].
      injection R as <- <-.
      destruct (place_target_ok meaning g _ _ _ _ ok P) as (ok1 & _ & _ & every).
      destruct (every (fun o t inm v => valid es st B o t inm v)) as [_ nodes].
      apply from_nodes_keep with (2 := Cn); [| exact Dn].
      apply from_nodes_trans with h1; [exact nodes | now apply tidy_from]. }
    split; [exact okh |]. split; [exact Ch |]. split; [exact Dh |]. split; [exact inh |]. now apply same.
  Qed.

  (** However often, in whatever order of the rules: the outputs keep their values. *)
  Theorem proved_fix commutes rules fuel : forall g outputs log,
    incl rules proved_rules ->
    wf g -> computes g -> declared g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutes fuel rules g outputs log in
    wf h /\ computes h /\ declared h /\ same_values meaning g outputs h outputs'.
  Proof.
    assert (forall g outputs, same_values meaning g outputs g outputs) as refl.
    { intros g outputs. induction outputs; constructor; [reflexivity | assumption]. }
    induction fuel as [| fuel IH]; intros g outputs log sub ok all decl inside; cbn [rewrite_fix].
    - split; [exact ok |]. split; [exact all |]. split; [exact decl |]. apply refl.
    - pose proof (first_some_iff (fun r => rewrite_rule commutes (snd r) g outputs) rules) as F.
      destruct (first_some _ rules) as [[[name r] [e [h outputs1]]] |].
      + destruct F as [inr F]. cbn [snd] in F.
        destruct (proved_step commutes name r g outputs e h outputs1 (sub _ inr) ok all decl inside F)
          as (ok1 & C1 & D1 & in1 & same1).
        specialize (IH h outputs1 ((name, e) :: log) sub ok1 C1 D1 in1). cbn [fst].
        destruct (rewrite_fix commutes fuel rules h outputs1 _) as [[h2 outputs2] log2].
        destruct IH as (ok2 & C2 & D2 & same2). split; [exact ok2 |]. split; [exact C2 |]. split; [exact D2 |].
        now apply (same_values_trans meaning) with h outputs1.
      + split; [exact ok |]. split; [exact all |]. split; [exact decl |]. apply refl.
  Qed.
End Keep.
