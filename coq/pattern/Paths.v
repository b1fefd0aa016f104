(** * Reaching the next output from what is matched

    The theorem of the thesis on which its bidirectional search rests (T0, theorem
    path_fwd), on graphs alone: if the outputs of a pattern are matched in order,
    and every output shares a vertex with the earlier ones, then from a matched
    vertex the next output is reached by going, again and again, to the first
    successor that is not matched. *)

From Coq Require Import Arith Bool Lia List.
From Calque Require Import base.Lists graph.Graph pattern.Match pattern.MatchProof.
Import ListNotations.
Open Scope nat_scope.

Section Paths.
  Context {O : Type}.
  Variable g : Graph.graph O.

  (** The order in which the vertices are matched: depth first from the outputs in
      turn, predecessors before their successors. *)
  Fixpoint visit (fuel : nat) (seen : list nat) (v : nat) : list nat :=
    match fuel with
    | 0 => seen
    | S fuel' =>
        if mem v seen then seen
        else match nth_error g v with
             | Some n => fold_left (visit fuel') (args n) seen ++ [v]
             | None => seen
             end
    end.

  Definition rpo (outs : list nat) : list nat := fold_left (fun seen o => visit (S o) seen o) outs [].

  Variable outs : list nat.

  (** What is matched when output number [k] is looked for (from 0). *)
  Definition matched (k : nat) : list nat := rpo (firstn k outs).

  Definition reads (u v : nat) : bool :=
    match nth_error g u with Some n => mem v (args n) | None => false end.

  Definition successors (v : nat) : list nat := filter (fun u => reads u v) (rpo outs).

  Definition first_free (k v : nat) : option nat :=
    hd_error (filter (fun u => negb (mem u (matched k))) (successors v)).

  (** Again and again the first free successor, from [v] to [w]. *)
  Inductive leads (k : nat) : nat -> nat -> Prop :=
    | L_Last : forall v w, first_free k v = Some w -> leads k v w
    | L_Next : forall v u w, first_free k v = Some u -> leads k u w -> leads k v w.

  (** ** Proof *)

  Hypothesis ok : wf g.

  Definition closed (l : list nat) : Prop := forall v u, In v l -> ancestor g u v -> In u l.

  (** [l] grew to [m] by exactly what [v] is computed from. *)
  Definition grows (P : nat -> Prop) (l m : list nat) : Prop :=
    (exists more, m = l ++ more) /\ forall u, In u m <-> In u l \/ P u.

  Lemma grows_closed (P : nat -> Prop) l m :
    closed l -> (forall v u, P v -> ancestor g u v -> P u) -> grows P l m -> closed m.
  Proof.
    intros cl cp [_ G] v u inv anc. apply G. apply G in inv. destruct inv as [inv | pv].
    - left. now apply (cl v u).
    - right. now apply (cp v u).
  Qed.

  Lemma ancestor_trans u v w : ancestor g u v -> ancestor g v w -> ancestor g u w.
  Proof. intros H K. induction K as [| i v k n at_i ink _ IH]; [exact H |]. apply A_Step with k n; auto. Qed.

  Lemma fold_grows (f : list nat -> nat -> list nat) l :
    (forall a seen, In a l -> closed seen -> grows (fun u => ancestor g u a) seen (f seen a)) ->
    forall seen, closed seen ->
    grows (fun u => exists a, In a l /\ ancestor g u a) seen (fold_left f l seen).
  Proof.
    induction l as [| a l IH]; intros one seen cl; simpl.
    - split; [exists []; now rewrite app_nil_r |]. intros u. split; [now left |].
      intros [H | (a & [] & _)]. exact H.
    - pose proof (one a seen (or_introl eq_refl) cl) as H.
      assert (closed (f seen a)) as cl1.
      { apply (grows_closed (fun u => ancestor g u a) seen (f seen a) cl); [| exact H]. intros v u K anc.
        now apply ancestor_trans with v. }
      specialize (IH (fun b s inb => one b s (or_intror inb)) (f seen a) cl1).
      destruct H as [[more E] H], IH as [[more' E'] IH]. split.
      + exists (more ++ more'). now rewrite E', E, app_assoc.
      + intros u. rewrite IH, H. split.
        * intros [[K | K] | (b & inb & K)]; [now left | right; exists a; now split; [left |] |].
          right. exists b. split; [now right | exact K].
        * intros [K | (b & [<- | inb] & K)]; [tauto | tauto |]. right. now exists b.
  Qed.

  Lemma visit_grows fuel : forall v seen,
    v < fuel -> v < List.length g -> closed seen ->
    grows (fun u => ancestor g u v) seen (visit fuel seen v).
  Proof.
    induction fuel as [| fuel IH]; intros v seen lt lg cl; [lia |]. simpl.
    destruct (mem v seen) eqn:M.
    - apply mem_iff in M. split; [exists []; now rewrite app_nil_r |]. intros u. split; [now left |].
      intros [H | H]; [exact H | now apply (cl v u)].
    - apply not_mem_iff in M. apply nth_error_Some in lg.
      destruct (nth_error g v) as [n |] eqn:at_v; [| easy].
      destruct (fold_grows (visit fuel) (args n)) with (seen := seen) as [[more E] G].
      + intros a s ina cs. pose proof (ok v n at_v a ina) as below. apply IH; [lia | | exact cs].
        assert (v < List.length g) by (apply nth_error_Some; congruence). lia.
      + exact cl.
      + split; [exists (more ++ [v]); now rewrite E, app_assoc |]. intros u.
        rewrite in_app_iff, G. split.
        * intros [[H | (a & ina & H)] | [<- | []]]; [now left | right; now apply A_Step with a n |].
          right. constructor.
        * intros [H | H]; [tauto |]. inversion H as [| ? ? a m at_m ina anc]; subst.
          -- right. now left.
          -- assert (m = n) as -> by congruence. left. right. now exists a.
  Qed.

  Lemma rpo_grows os : (forall o, In o os -> o < List.length g) -> forall seen, closed seen ->
    grows (fun u => exists o, In o os /\ ancestor g u o) seen
      (fold_left (fun seen o => visit (S o) seen o) os seen).
  Proof.
    intros inside seen cl. apply (fold_grows (fun seen o => visit (S o) seen o)); [| exact cl].
    intros o s ino cs. apply visit_grows; [lia | now apply inside | exact cs].
  Qed.

  Hypothesis inside : forall o, In o outs -> o < List.length g.

  (** The vertices matched are those that an earlier output is computed from. *)
  Lemma matched_iff k u :
    In u (matched k) <-> exists o, In o (firstn k outs) /\ ancestor g u o.
  Proof.
    destruct (rpo_grows (firstn k outs)) with (seen := @nil nat) as [_ G].
    - intros o ino. apply inside. rewrite <- (firstn_skipn k outs). apply in_or_app. now left.
    - intros v w [].
    - unfold matched, rpo. rewrite G. split; [intros [[] | H]; exact H | now right].
  Qed.

  Lemma matched_closed k : closed (matched k).
  Proof.
    intros v u inv anc. apply matched_iff in inv. apply matched_iff.
    destruct inv as (o & ino & H). exists o. split; [exact ino | now apply ancestor_trans with v].
  Qed.

  Lemma firstn_next k o : nth_error outs k = Some o -> firstn (S k) outs = firstn k outs ++ [o].
  Proof.
    clear inside. revert outs. induction k as [| k IH]; intros [| x l] H; simpl in *; try discriminate.
    - now injection H as ->.
    - f_equal. now apply IH.
  Qed.

  (** The block of output [k] is between what is matched and the rest. *)
  Lemma rpo_blocks k o :
    nth_error outs k = Some o ->
    exists block rest, rpo outs = matched k ++ block ++ rest /\
      (forall u, ancestor g u o -> In u (matched k ++ block)) /\
      (forall u, In u block -> In u (matched k) \/ ancestor g u o).
  Proof.
    intros at_k. assert (o < List.length g) as lt by (apply inside; now apply nth_error_In with k).
    assert (rpo outs = fold_left (fun seen o => visit (S o) seen o) (skipn (S k) outs)
              (visit (S o) (matched k) o)) as E.
    { unfold matched, rpo. rewrite <- (firstn_skipn (S k) outs) at 1.
      rewrite fold_left_app, (firstn_next k o at_k), fold_left_app. reflexivity. }
    pose proof (visit_grows (S o) o (matched k) (Nat.lt_succ_diag_r o) lt (matched_closed k)) as V.
    destruct (rpo_grows (skipn (S k) outs)) with (seen := visit (S o) (matched k) o) as [[rest R] _].
    - intros x inx. apply inside. rewrite <- (firstn_skipn (S k) outs). apply in_or_app. now right.
    - apply (grows_closed (fun u => ancestor g u o) (matched k)); [apply matched_closed | | exact V].
      intros v u H K. now apply ancestor_trans with v.
    - destruct V as [[block B] G]. rewrite <- E in R. exists block, rest. rewrite B in G, R.
      rewrite <- app_assoc in R. split; [exact R |]. split.
      + intros u H. apply G. now right.
      + intros u H. apply G. apply in_or_app. now right.
  Qed.

  (** The first free successor of a vertex that has one in the block is in the block. *)
  Lemma first_free_in_block k o v x :
    nth_error outs k = Some o -> reads x v = true -> ~ In x (matched k) -> ancestor g x o ->
    exists y, first_free k v = Some y /\ reads y v = true /\ ~ In y (matched k) /\ ancestor g y o.
  Proof.
    intros at_k rd new anc. destruct (rpo_blocks k o at_k) as (block & rest & E & all & only).
    unfold first_free, successors. rewrite E, !filter_app.
    set (f := fun u => reads u v). set (h := fun u => negb (mem u (matched k))).
    assert (filter h (filter f (matched k)) = []) as ->.
    { assert (forall l, incl l (matched k) -> filter h (filter f l) = []) as none.
      { induction l as [| u l IH]; intros sub; [reflexivity |]. simpl.
        assert (filter h (filter f l) = []) as rest_ by (apply IH; intros w inw; apply sub; now right).
        destruct (f u); [| exact rest_]. simpl.
        assert (h u = false) as ->; [| exact rest_].
        unfold h. apply negb_false_iff, mem_iff, sub. now left. }
      apply none, incl_refl. }
    assert (In x (filter h (filter f block))) as inx.
    { apply filter_In. split.
      - apply filter_In. split; [| exact rd]. specialize (all x anc). apply in_app_or in all. tauto.
      - unfold h. apply negb_true_iff, not_mem_iff. exact new. }
    rewrite app_nil_l. destruct (filter h (filter f block)) as [| y l] eqn:F; [easy |].
    exists y. split; [reflexivity |].
    assert (In y (filter h (filter f block))) as iny by (rewrite F; now left).
    apply filter_In in iny. destruct iny as [iny ny]. apply filter_In in iny. destruct iny as [iny ry].
    unfold h in ny. apply negb_true_iff, not_mem_iff in ny.
    split; [exact ry |]. split; [exact ny |]. destruct (only y iny) as [H | H]; [easy | exact H].
  Qed.

  Lemma ancestor_up u o :
    ancestor g u o -> u = o \/ exists x, reads x u = true /\ ancestor g x o.
  Proof.
    intros H. induction H as [i | i j k n at_i ink anc IH]; [now left |]. right.
    destruct IH as [-> | (x & rd & H)].
    - exists i. split; [| constructor]. unfold reads. rewrite at_i. now apply mem_iff.
    - exists x. split; [exact rd |]. now apply A_Step with k n.
  Qed.

  Lemma reads_lt x v : reads x v = true -> v < x.
  Proof.
    unfold reads. destruct (nth_error g x) as [n |] eqn:at_x; [| discriminate].
    intros H. apply mem_iff in H. now apply (ok x n).
  Qed.

  (** From a vertex of the block the walk ends at the output. *)
  Lemma walk k o v :
    nth_error outs k = Some o -> ~ In v (matched k) -> ancestor g v o -> v = o \/ leads k v o.
  Proof.
    intros at_k. remember (o - v) as d eqn:D. revert v D.
    induction d as [d IH] using (well_founded_induction lt_wf). intros v D new anc.
    destruct (ancestor_up v o anc) as [-> | (x & rd & ancx)]; [now left |]. right.
    assert (~ In x (matched k)) as newx.
    { intros H. apply new. apply (matched_closed k x v H). unfold reads in rd.
      destruct (nth_error g x) as [n |] eqn:at_x; [| discriminate]. apply mem_iff in rd.
      apply A_Step with v n; [exact at_x | exact rd | constructor]. }
    destruct (first_free_in_block k o v x at_k rd newx ancx) as (y & F & ry & ny & ancy).
    apply reads_lt in ry. pose proof (ancestor_le g y o ok ancy) as le.
    destruct (IH (o - y)) with (v := y) as [-> | H]; try reflexivity; try assumption; [lia | |].
    - now apply L_Last.
    - now apply L_Next with y.
  Qed.

  Lemma leave k u o :
    ancestor g u o -> In u (matched k) -> ~ In o (matched k) ->
    exists v x, In v (matched k) /\ reads x v = true /\ ~ In x (matched k) /\ ancestor g x o.
  Proof.
    intros anc. induction anc as [i | i j c n at_i inc anc IH]; [easy |]. intros inj nini.
    destruct (mem c (matched k)) eqn:M.
    - apply mem_iff in M. exists c, i. split; [exact M |]. split; [| split; [exact nini | constructor]].
      unfold reads. rewrite at_i. now apply mem_iff.
    - apply not_mem_iff in M. destruct (IH inj M) as (v & x & inv & rd & nx & ancx).
      exists v, x. split; [exact inv |]. split; [exact rd |]. split; [exact nx |].
      now apply A_Step with c n.
  Qed.

  (** Output number [k] is not matched yet and shares a vertex [u] with the earlier
      ones: some matched vertex leads to it. *)
  Theorem path_fwd k o u :
    nth_error outs k = Some o -> ~ In o (matched k) -> In u (matched k) -> ancestor g u o ->
    exists v, In v (matched k) /\ leads k v o.
  Proof.
    intros at_k new inu anc.
    destruct (leave k u o anc inu new) as (v & x & inv & rd & nx & ancx). exists v. split; [exact inv |].
    destruct (first_free_in_block k o v x at_k rd nx ancx) as (y & F & _ & ny & ancy).
    destruct (walk k o y at_k ny ancy) as [-> | H]; [now apply L_Last | now apply L_Next with y].
  Qed.

  (** Outputs without successors, all different, are not matched before their turn. *)
  Lemma output_new k o :
    NoDup outs -> (forall o, In o outs -> forall x, reads x o = false) ->
    nth_error outs k = Some o -> ~ In o (matched k).
  Proof.
    intros nd none at_k H. apply matched_iff in H. destruct H as (o' & ino & anc).
    assert (In o outs) as ino_ by now apply nth_error_In with k.
    destruct (ancestor_up o o' anc) as [<- | (x & rd & _)]; [| rewrite none in rd; [discriminate | exact ino_]].
    apply In_nth_error in ino. destruct ino as [j at_j].
    assert (j < k) as lt.
    { assert (j < List.length (firstn k outs)) by (apply nth_error_Some; congruence).
      rewrite firstn_length in *. lia. }
    assert (nth_error outs j = Some o) as at_j'.
    { rewrite <- at_j. clear - lt. revert j lt. generalize outs as l0.
      induction k as [| k IH]; intros [| y l] [| j] lt; simpl; try reflexivity; try lia.
      apply IH. lia. }
    assert (j = k); [| lia]. apply (proj1 (NoDup_nth_error outs) nd).
    - apply nth_error_Some. congruence.
    - congruence.
  Qed.

  (** The printed push of the first free successor is undefined for an output. *)
  Theorem output_has_no_free k o :
    (forall x, reads x o = false) -> first_free k o = None.
  Proof.
    intros none. unfold first_free, successors.
    assert (filter (fun u => reads u o) (rpo outs) = []) as ->; [| reflexivity].
    induction (rpo outs) as [| x l IH]; [reflexivity |]. simpl. now rewrite none.
  Qed.
End Paths.
