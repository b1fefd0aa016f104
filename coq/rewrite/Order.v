(** * Reordering, redirecting, extending a graph

    The three moves of a rewrite, for any operators and any meaning of them.
    New nodes are put behind the graph; what the replaced nodes are used for goes
    to the nodes that replace them; and the whole is brought into an order in
    which children come first, which is possible because nothing new is computed
    from what it replaces. *)

From Coq Require Import Arith Bool Lia List.
From Calque Require Import base.Lists graph.Graph pattern.Match pattern.MatchProof.
Import ListNotations.
Open Scope nat_scope.

Section Order.
  Context {O V : Type} (den : O -> list V -> option V).
  Notation graph := (Graph.graph O).

  (** The nodes of [order], in that order. *)
  Definition reorder (order : list nat) (g : graph) : graph :=
    flat_map (fun i => match nth_error g i with
                       | Some n => [Node (op n) (map (fun j => place_of j order) (args n))]
                       | None => []
                       end) order.

  Definition redirect (to : nat -> nat) (g : graph) : graph :=
    map (fun n => Node (op n) (map to (args n))) g.

  (** The nodes that nothing in [outs] is computed from, then what was added
      behind the first [k], then the others. *)
  Definition late_order (g : graph) (added : nat) (outs : list nat) : list nat :=
    let late := flat_map (reach g) outs in
    let k := List.length g in
    filter (fun i => negb (mem i late)) (seq 0 k) ++ seq k added ++
    filter (fun i => mem i late) (seq 0 k).

  (** Only what [outs] are computed from. *)
  Definition needed (g : graph) (outs : list nat) : list nat :=
    filter (fun i => existsb (fun o => mem o (reach g i)) outs) (seq 0 (List.length g)).

  (** ** Proofs *)

  Lemma place_of_app_l i l m : In i l -> place_of i (l ++ m) = place_of i l.
  Proof.
    induction l as [| j l IH]; [easy |]. simpl.
    destruct (Nat.eqb_spec i j) as [| ne]; [easy |]. intros [-> | ini]; [easy |].
    now rewrite IH.
  Qed.

  Lemma place_of_app_r i l m : ~ In i l -> In i m -> List.length l <= place_of i (l ++ m).
  Proof.
    induction l as [| j l IH]; simpl; [lia |]. intros nin inm.
    destruct (Nat.eqb_spec i j) as [-> |]; [tauto |]. apply le_n_S, IH; tauto.
  Qed.

  Lemma reorder_nth order (g : graph) i :
    (forall j, In j order -> j < List.length g) -> In i order ->
    nth_error (reorder order g) (place_of i order) =
    option_map (fun n => Node (op n) (map (fun j => place_of j order) (args n))) (nth_error g i).
  Proof.
    intros inside ini. unfold reorder. generalize (fun j => place_of j order) as f. intros f.
    revert inside ini. induction order as [| j l IH]; [easy |]. intros inside ini. simpl.
    assert (j < List.length g) as ltj by (apply inside; now left).
    apply nth_error_Some in ltj. destruct (nth_error g j) as [n |] eqn:at_j; [| easy].
    destruct (Nat.eqb_spec i j) as [-> | ne]; simpl; [now rewrite at_j |].
    destruct ini as [-> | ini]; [easy |]. apply IH; [| exact ini]. intros x inx. apply inside. now right.
  Qed.

  Lemma reorder_length order (g : graph) :
    (forall j, In j order -> j < List.length g) ->
    List.length (reorder order g) = List.length order.
  Proof.
    unfold reorder. generalize (fun j => place_of j order) as f. intros f.
    induction order as [| j l IH]; intros inside; simpl; [easy |].
    assert (j < List.length g) as ltj by (apply inside; now left).
    apply nth_error_Some in ltj. destruct (nth_error g j); [| easy].
    simpl. f_equal. apply IH. intros x inx. apply inside. now right.
  Qed.

  Lemma topological_before (g : graph) order i n j :
    topological g order -> In i order -> nth_error g i = Some n -> In j (args n) ->
    In j order /\ place_of j order < place_of i order.
  Proof.
    intros topo ini at_i inj. pose proof (nth_error_place_of i order ini) as P.
    apply nth_error_split in P. destruct P as (before & after & E & len).
    specialize (topo before i after E n at_i j inj). rewrite <- len. split.
    - rewrite E. apply in_or_app. now left.
    - rewrite E at 1. rewrite place_of_app_l by exact topo. now apply place_of_lt.
  Qed.

  (** A topological order gives a well-formed graph. *)
  Theorem reorder_wf order (g : graph) :
    (forall j, In j order -> j < List.length g) -> NoDup order ->
    topological g order -> wf (reorder order g).
  Proof.
    intros inside nd topo p m at_p j inj.
    assert (p < List.length order) as ltp
      by (rewrite <- (reorder_length order g inside); apply nth_error_Some; congruence).
    apply nth_error_Some in ltp. destruct (nth_error order p) as [i |] eqn:at_o; [| easy].
    assert (In i order) as ini by now apply nth_error_In with p.
    assert (place_of i order = p) as <-.
    { apply (proj1 (NoDup_nth_error order) nd).
      - now apply place_of_lt.
      - rewrite nth_error_place_of; congruence. }
    rewrite reorder_nth in at_p by assumption.
    destruct (nth_error g i) as [n |] eqn:at_i; [| discriminate]. injection at_p as <-.
    simpl in inj. apply in_map_iff in inj. destruct inj as (k & <- & ink).
    now apply (topological_before g order i n k).
  Qed.

  (** The nodes that are kept keep their values. *)
  Theorem reorder_preserves order (g : graph) :
    wf g -> (forall j, In j order -> j < List.length g) -> topological g order ->
    forall i, In i order -> forall v,
      ge den g i v <-> ge den (reorder order g) (place_of i order) v.
  Proof.
    intros ok inside topo i. induction i as [i IH] using (well_founded_induction lt_wf).
    intros ini v. pose proof (reorder_nth order g i inside ini) as there.
    assert (forall n vs, nth_error g i = Some n ->
      (Forall2 (ge den g) (args n) vs <->
       Forall2 (ge den (reorder order g)) (map (fun j => place_of j order) (args n)) vs)) as all.
    { intros n vs at_i.
      assert (forall j, In j (args n) -> j < i /\ In j order) as below.
      { intros j inj. split; [now apply (ok i n at_i) |].
        now apply (topological_before g order i n j). }
      revert vs. induction (args n) as [| j l IHl]; intros vs; simpl.
      - split; intros H; inversion H; constructor.
      - destruct (below j (or_introl eq_refl)) as [ltj inj].
        assert (forall k, In k l -> k < i /\ In k order) as rest
          by (intros k ink; apply below; now right).
        split; intros H; inversion H; subst; constructor;
          try (now apply (IH j ltj inj)); now apply IHl. }
    split; intros H; inversion H as [? n vs ? at_ args_ d]; subst.
    - rewrite at_ in there. simpl in there.
      eapply GE_Node; [exact there | simpl; now apply (all n vs at_) | exact d].
    - rewrite at_ in there. destruct (nth_error g i) as [n' |] eqn:at_i; [| discriminate].
      injection there as ->. simpl in *. apply GE_Node with n' vs; try assumption.
      now apply (all n' vs eq_refl).
  Qed.

  (** Uses may go to any earlier node of the same value. *)
  Theorem redirect_preserves (to : nat -> nat) (g : graph) :
    wf g -> (forall j, to j <= j) ->
    (forall j v, ge den g j v <-> ge den g (to j) v) ->
    wf (redirect to g) /\
    forall i, i < List.length g -> forall v, ge den g i v <-> ge den (redirect to g) i v.
  Proof.
    intros ok back same.
    assert (forall i, nth_error (redirect to g) i =
              option_map (fun n => Node (op n) (map to (args n))) (nth_error g i)) as there
      by (intros i; apply nth_error_map).
    split.
    - intros i m at_i j inj. rewrite there in at_i.
      destruct (nth_error g i) as [n |] eqn:at_n; [| discriminate]. injection at_i as <-.
      simpl in inj. apply in_map_iff in inj. destruct inj as (k & <- & ink).
      specialize (ok i n at_n k ink). specialize (back k). lia.
    - apply (eval_simulation den g (redirect to g) (fun i => i) ok).
      intros i n at_i. right. intros earlier v.
      assert (forall vs, Forall2 (ge den g) (args n) vs <->
                Forall2 (ge den (redirect to g)) (map to (args n)) vs) as all.
      { pose proof (ok i n at_i) as below. induction (args n) as [| j l IHl]; intros vs; simpl.
        - split; intros H; inversion H; constructor.
        - assert (j < i) as ltj by (apply below; now left).
          assert (forall k, In k l -> k < i) as rest by (intros k ink; apply below; now right).
          assert (to j < i) as ltt by (specialize (back j); lia).
          split; intros H; inversion H as [| ? u ? us Hj Hl]; subst; constructor;
            try (now apply IHl).
          + exact (proj1 (earlier (to j) ltt _) (proj1 (same j _) Hj)).
          + exact (proj2 (same j _) (proj2 (earlier (to j) ltt _) Hj)). }
      specialize (there i). rewrite at_i in there. simpl in there.
      split; intros H; inversion H as [? m vs ? at_m args_m d]; subst.
      + assert (m = n) as -> by congruence.
        eapply GE_Node; [exact there | exact (proj1 (all vs) args_m) | exact d].
      + assert (m = Node (op n) (map to (args n))) as -> by congruence.
        apply GE_Node with n vs; [exact at_i | exact (proj2 (all vs) args_m) | exact d].
  Qed.

  (** ** The order of a rewrite *)

  Lemma late_iff (g : graph) outs i :
    wf g -> (mem i (flat_map (reach g) outs) = true <-> exists o, In o outs /\ ancestor g o i).
  Proof.
    intros ok. rewrite mem_iff, in_flat_map. split; intros (o & ino & H); exists o;
      (split; [exact ino |]); now apply (reach_iff g o i ok).
  Qed.

  Lemma topological_app (g : graph) s t :
    topological g s ->
    (forall before i after, t = before ++ i :: after ->
       forall n, nth_error g i = Some n -> forall j, In j (args n) -> In j (s ++ before)) ->
    topological g (s ++ t).
  Proof.
    revert t. induction t as [| x t IH] using rev_ind; intros ts rest.
    - now rewrite app_nil_r.
    - intros before i after E n at_i j inj.
      destruct after as [| y after _] using rev_ind.
      + assert (before = s ++ t /\ i = x) as [-> ->].
        { rewrite app_assoc in E. apply app_inj_tail in E. destruct E as [-> ->]. easy. }
        now apply (rest t x [] eq_refl n at_i).
      + assert (s ++ t = before ++ i :: after) as E'.
        { rewrite app_assoc, app_comm_cons, app_assoc in E. now apply app_inj_tail in E. }
        refine (IH ts _ before i after E' n at_i j inj).
        intros b k a Et m at_k c inc. apply (rest b k (a ++ [x])) with m; try assumption.
        now rewrite Et, <- app_assoc.
  Qed.

  Lemma filter_split {A} (f : A -> bool) l before i after :
    filter f l = before ++ i :: after ->
    exists b a, l = b ++ i :: a /\ before = filter f b.
  Proof.
    revert before. induction l as [| x l IH]; intros before E; simpl in E.
    - now destruct before.
    - destruct (f x) eqn:F.
      + destruct before as [| y before]; simpl in E.
        * injection E as -> _. now exists [], l.
        * injection E as <- E. destruct (IH before E) as (b & a & -> & ->).
          exists (x :: b), a. split; [easy |]. simpl. now rewrite F.
      + destruct (IH before E) as (b & a & -> & ->). exists (x :: b), a.
        split; [easy |]. simpl. now rewrite F.
  Qed.

  Lemma seq_split s k before i after :
    seq s k = before ++ i :: after -> forall j, s <= j < i -> In j before.
  Proof.
    revert s before. induction k as [| k IH]; intros s before E j lt; simpl in E.
    - now destruct before.
    - destruct before as [| x before]; simpl in E; injection E as <- E; [lia |].
      destruct (Nat.eq_dec j s) as [-> | ne]; [now left |]. right.
      apply (IH (S s) before E). lia.
  Qed.

  (** Convexity is what it takes: the new nodes read nothing that is computed from
      an output. *)
  Theorem late_order_topological (g new : graph) outs :
    wf (g ++ new) ->
    (forall n j, In n new -> In j (args n) -> j < List.length g ->
       forall o, In o outs -> ~ ancestor g o j) ->
    topological (g ++ new) (late_order g (List.length new) outs).
  Proof.
    intros ok convex.
    assert (wf g) as okg.
    { intros i n at_i. apply (ok i n). rewrite nth_error_app1; [exact at_i |].
      apply nth_error_Some. congruence. }
    unfold late_order. set (late := flat_map (reach g) outs). set (k := List.length g).
    assert (forall j i n, nth_error g i = Some n -> In j (args n) -> mem j late = true ->
              mem i late = true) as up.
    { intros j i n at_i inj H. apply late_iff in H; [| exact okg]. destruct H as (o & ino & anc).
      apply late_iff; [exact okg |]. exists o. split; [exact ino |]. now apply A_Step with j n. }
    assert (forall j, j < k -> mem j late = false ->
              In j (filter (fun i => negb (mem i late)) (seq 0 k))) as early.
    { intros j lt H. apply filter_In. split; [apply in_seq; lia | now rewrite H]. }
    assert (forall i n, In i (seq 0 k) -> nth_error (g ++ new) i = Some n ->
              nth_error g i = Some n) as old.
    { intros i n ini at_i. apply in_seq in ini. unfold k in ini.
      now rewrite nth_error_app1 in at_i by lia. }
    rewrite app_assoc. apply topological_app; [apply topological_app |].
    - intros before i after E n at_i j inj.
      pose proof (in_elt i before after) as ini. rewrite <- E in ini.
      apply filter_In in ini. destruct ini as [ini nl]. apply (old i n ini) in at_i.
      apply filter_split in E. destruct E as (b & a & E & ->).
      pose proof (okg i n at_i j inj) as ltj.
      apply filter_In. split; [apply (seq_split 0 k b i a E); lia |].
      destruct (mem j late) eqn:L; [| reflexivity]. now rewrite (up j i n at_i inj L) in nl.
    - intros before i after E n at_i j inj.
      pose proof (in_elt i before after) as ini. rewrite <- E in ini. apply in_seq in ini.
      pose proof (ok i n at_i j inj) as ltj. apply in_or_app.
      destruct (Nat.lt_ge_cases j k) as [ltk | gek].
      + left. apply early; [exact ltk |].
        destruct (mem j late) eqn:L; [| reflexivity].
        apply late_iff in L; [| exact okg]. destruct L as (o & ino & anc).
        rewrite nth_error_app2 in at_i by (unfold k in ini; lia). apply nth_error_In in at_i.
        now elim (convex n j at_i inj ltk o ino).
      + right. apply (seq_split k (List.length new) before i after E). lia.
    - intros before i after E n at_i j inj.
      pose proof (in_elt i before after) as ini. rewrite <- E in ini.
      apply filter_In in ini. destruct ini as [ini _]. apply (old i n ini) in at_i.
      apply filter_split in E. destruct E as (b & a & E & ->).
      pose proof (okg i n at_i j inj) as ltj. apply in_seq in ini.
      destruct (mem j late) eqn:L.
      + apply in_or_app. right. apply filter_In. split; [| exact L].
        apply (seq_split 0 k b i a E). lia.
      + apply in_or_app. left. apply in_or_app. left. apply early; [lia | exact L].
  Qed.

  Lemma late_order_complete (g new : graph) outs i :
    In i (late_order g (List.length new) outs) <-> i < List.length (g ++ new).
  Proof.
    unfold late_order. rewrite app_length, !in_app_iff, !filter_In, !in_seq.
    destruct (mem i (flat_map (reach g) outs)); simpl; intuition (try discriminate; lia).
  Qed.

  Lemma late_order_nodup (g new : graph) outs : NoDup (late_order g (List.length new) outs).
  Proof.
    unfold late_order. apply NoDup_app_intro; [apply NoDup_filter, seq_NoDup |
      apply NoDup_app_intro; [apply seq_NoDup | apply NoDup_filter, seq_NoDup |] |].
    - intros i H K. apply in_seq in H. apply filter_In in K. destruct K as [K _].
      apply in_seq in K. lia.
    - intros i H K. apply filter_In in H. destruct H as [H early]. apply in_app_or in K.
      destruct K as [K | K].
      + apply in_seq in H, K. lia.
      + apply filter_In in K. destruct K as [_ late]. now rewrite late in early.
  Qed.

  (** What is not computed from an output stands before what is. *)
  Lemma late_order_before (g new : graph) outs i o :
    i < List.length (g ++ new) -> (i < List.length g -> ~ exists o, In o outs /\ ancestor g o i) ->
    wf g -> In o outs -> o < List.length g ->
    place_of i (late_order g (List.length new) outs) < place_of o (late_order g (List.length new) outs).
  Proof.
    intros lti early okg ino lto. unfold late_order.
    set (late := flat_map (reach g) outs). set (k := List.length g). rewrite app_assoc.
    set (front := filter _ _ ++ seq k _).
    assert (mem o late = true) as lateo
      by (apply late_iff; [exact okg |]; exists o; split; [exact ino | constructor]).
    assert (In i front) as inf.
    { apply in_or_app. destruct (Nat.lt_ge_cases i k) as [lt | ge_].
      - left. apply filter_In. split; [apply in_seq; lia |].
        destruct (mem i late) eqn:L; [| reflexivity]. apply late_iff in L; [| exact okg].
        now elim (early lt).
      - right. apply in_seq. rewrite app_length in lti. unfold k in *. lia. }
    rewrite place_of_app_l by exact inf.
    apply Nat.lt_le_trans with (List.length front); [now apply place_of_lt |].
    apply place_of_app_r.
    - intros H. apply in_app_or in H. destruct H as [H | H].
      + apply filter_In in H. destruct H as [_ H]. now rewrite lateo in H.
      + apply in_seq in H. unfold k in H. lia.
    - apply filter_In. split; [apply in_seq; unfold k; lia | exact lateo].
  Qed.

  Lemma needed_topological (g : graph) outs : wf g -> topological g (needed g outs).
  Proof.
    intros ok before i after E n at_i j inj.
    pose proof (in_elt i before after) as ini. unfold needed in E. rewrite <- E in ini.
    apply filter_In in ini. destruct ini as [ini used]. apply in_seq in ini.
    apply filter_split in E. destruct E as (b & a & E & ->).
    pose proof (ok i n at_i j inj) as ltj. apply filter_In.
    split; [apply (seq_split 0 (List.length g) b i a E); lia |].
    apply existsb_exists in used. destruct used as (o & ino & used).
    apply existsb_exists. exists o. split; [exact ino |].
    apply mem_iff. apply mem_iff in used. apply (reach_iff g _ _ ok). apply (reach_iff g _ _ ok) in used.
    clear - used at_i inj. induction used as [x | x y z m at_y inz anc IH].
    - apply A_Step with j n; [exact at_i | exact inj | constructor].
    - apply A_Step with z m; [exact at_y | exact inz | now apply IH].
  Qed.

  Lemma needed_out (g : graph) outs o : In o outs -> o < List.length g -> wf g -> In o (needed g outs).
  Proof.
    intros ino lt ok. apply filter_In. split; [apply in_seq; lia |].
    apply existsb_exists. exists o. split; [exact ino |].
    apply mem_iff, (reach_iff g _ _ ok). constructor.
  Qed.

  Lemma needed_lt (g : graph) outs i : In i (needed g outs) -> i < List.length g.
  Proof. intros H. apply filter_In in H. destruct H as [H _]. apply in_seq in H. lia. Qed.

  Lemma needed_nodup (g : graph) outs : NoDup (needed g outs).
  Proof. apply NoDup_filter, seq_NoDup. Qed.
End Order.
