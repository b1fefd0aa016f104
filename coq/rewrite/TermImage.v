(** * What a rewritten graph is made of

    [image]: each node of the rewritten graph is a node of the graph with the target
    behind it, no two the same one, none of the nodes that the match uses up; its
    inputs are the inputs of that node, outputs replaced.  So a sum over the
    rewritten graph is at most that over the old one, less that over what is used up,
    more that over the new nodes ([image_sum]). *)

From Coq Require Import Arith Bool Lia List.
From Calque Require Import base.Lists graph.Graph pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof.
Import ListNotations.
Open Scope nat_scope.

(** ** Sums *)

Definition total {A} (w : A -> nat) (l : list A) : nat := list_sum (map w l).

Lemma total_cons {A} (w : A -> nat) a l : total w (a :: l) = w a + total w l.
Proof. reflexivity. Qed.

Lemma total_app {A} (w : A -> nat) l m : total w (l ++ m) = total w l + total w m.
Proof. unfold total. now rewrite map_app, list_sum_app. Qed.

Lemma total_le {A} (v w : A -> nat) l : (forall a, In a l -> v a <= w a) -> total v l <= total w l.
Proof.
  induction l as [| a l IH]; intros H; [reflexivity |]. rewrite !total_cons.
  specialize (IH (fun b inb => H b (or_intror inb))). specialize (H a (or_introl eq_refl)). lia.
Qed.

Lemma total_map {A B} (w : B -> nat) (f : A -> B) l : total w (map f l) = total (fun a => w (f a)) l.
Proof. unfold total. now rewrite map_map. Qed.

Lemma total_incl {A} (w : A -> nat) (l : list A) : NoDup l -> forall m, incl l m -> total w l <= total w m.
Proof.
  induction 1 as [| a l nin _ IH]; intros m sub; [apply Nat.le_0_l |].
  destruct (in_split a m (sub a (or_introl eq_refl))) as (m1 & m2 & ->).
  assert (incl l (m1 ++ m2)) as sub'.
  { intros b inb. assert (In b (m1 ++ a :: m2)) as H by (apply sub; now right).
    rewrite in_app_iff in *. destruct H as [H | [-> | H]]; auto. contradiction. }
  specialize (IH _ sub'). rewrite total_app in *. rewrite !total_cons. lia.
Qed.

Lemma total_nth {A} (w : A -> nat) (d : A) l : total w l = total (fun i => w (nth i l d)) (seq 0 (List.length l)).
Proof.
  rewrite <- (total_map w (fun i => nth i l d)). f_equal.
  induction l as [| a l IH]; [reflexivity |]. cbn [List.length seq map]. f_equal.
  now rewrite <- seq_shift, map_map.
Qed.

(** ** Where a node's users find it *)

Definition moved (moves : list (nat * nat)) (j : nat) : nat :=
  match find (fun m => Nat.eqb (fst m) j) moves with Some m => snd m | None => j end.

Lemma moved_cases moves j :
  In (j, moved moves j) moves \/ (~ In j (map fst moves) /\ moved moves j = j).
Proof.
  unfold moved. destruct (find _ moves) as [[o t] |] eqn:F.
  - apply find_some in F. destruct F as [inm E]. cbn in E. apply Nat.eqb_eq in E. subst o. now left.
  - right. split; [| reflexivity]. intros H. apply in_map_iff in H. destruct H as ([o t] & E & inm). cbn in E. subst o.
    apply (find_none _ _ F) in inm. cbn in inm. now rewrite Nat.eqb_refl in inm.
Qed.

Record image (G h : tgraph) (mv : nat -> nat) (dead : nat -> Prop) (from : nat -> nat) : Prop := Image {
  image_inj : forall p q, p < List.length h -> q < List.length h -> from p = from q -> p = q;
  image_live : forall p, p < List.length h -> from p < List.length G /\ ~ dead (from p);
  image_node : forall p m, nth_error h p = Some m -> exists n, nth_error G (from p) = Some n /\ op m = op n /\
    Forall2 (fun c j => c < p /\ from c = mv j) (args m) (args n)
}.

Lemma image_sum G h mv dead from (V W : nat -> nat) used :
  image G h mv dead from -> (forall p, p < List.length h -> V p <= W (from p)) ->
  NoDup used -> (forall i, In i used -> i < List.length G /\ dead i) ->
  total V (seq 0 (List.length h)) + total W used <= total W (seq 0 (List.length G)).
Proof.
  intros [inj live _] le nd us.
  assert (total V (seq 0 (List.length h)) <= total W (map from (seq 0 (List.length h)))) as H.
  { rewrite total_map. apply total_le. intros p inp. apply in_seq in inp. apply le. lia. }
  assert (total W (map from (seq 0 (List.length h)) ++ used) <= total W (seq 0 (List.length G))) as K;
    [| rewrite total_app in K; lia].
  apply total_incl.
  - apply NoDup_app_intro; [| exact nd |].
    + assert (forall l, NoDup l -> (forall p, In p l -> p < List.length h) -> NoDup (map from l)) as go.
      { induction 1 as [| a l nin _ IH]; intros lt; cbn; constructor.
        - intros H'. apply in_map_iff in H'. destruct H' as (b & E & inb). apply nin.
          rewrite <- (inj b a); auto; apply lt; [now right | now left].
        - apply IH. intros p inp. apply lt. now right. }
      apply go; [apply seq_NoDup |]. intros p inp. apply in_seq in inp. lia.
    + intros i H' ini. apply in_map_iff in H'. destruct H' as (p & <- & inp). apply in_seq in inp.
      apply (live p); [lia |]. now apply us.
  - intros i H'. apply in_app_iff in H'. apply in_seq. destruct H' as [H' | H'].
    + apply in_map_iff in H'. destruct H' as (p & <- & inp). apply in_seq in inp. destruct (live p); lia.
    + apply us in H'. lia.
Qed.

(** Nodes of a graph, in an order that keeps inputs before their users. *)
Lemma reorder_image (g : tgraph) order : (forall i, In i order -> i < List.length g) -> NoDup order -> topological g order ->
  image g (reorder order g) (fun j => j) (fun _ => False) (fun p => nth p order 0).
Proof.
  intros inside nd topo. assert (List.length (reorder order g) = List.length order) as len by now apply reorder_length.
  constructor.
  - intros p q lp lq E. rewrite len in lp, lq. now apply (proj1 (NoDup_nth order 0) nd).
  - intros p lp. rewrite len in lp. split; [apply inside; now apply nth_In | easy].
  - intros p m at_p. assert (p < List.length order) as lp by (rewrite <- len; apply nth_error_Some; congruence).
    set (i := nth p order 0) in *. assert (In i order) as ini by now apply nth_In.
    assert (place_of i order = p) as Ep by now apply place_of_nth.
    rewrite <- Ep in at_p. rewrite reorder_nth in at_p by assumption.
    destruct (nth_error g i) as [n |] eqn:at_i; [| discriminate]. injection at_p as <-. exists n. split; [reflexivity |].
    split; [reflexivity |]. cbn [args].
    assert (forall c, In c (args n) -> In c order /\ place_of c order < p) as kids.
    { intros c inc.
      assert (exists before after, order = before ++ i :: after) as (before & after & Eo) by now apply in_split.
      assert (In c before) as inb by exact (topo before i after Eo n at_i c inc).
      split; [rewrite Eo; apply in_app_iff; now left |].
      rewrite <- Ep, Eo. rewrite Eo in nd. apply NoDup_remove_2 in nd.
      rewrite place_of_app_l by exact inb. apply Nat.lt_le_trans with (List.length before); [now apply place_of_lt |].
      apply place_of_app_r; [| now left]. intros H. apply nd, in_app_iff. now left. }
    clear - kids. induction (args n) as [| c cs IH]; cbn; constructor.
    + destruct (kids c (or_introl eq_refl)) as [inc lt]. split; [exact lt |]. now apply nth_place_of.
    + apply IH. intros c' inc. apply kids. now right.
Qed.

(** ** A rewrite makes one *)

Definition is_source (k : kind) : bool := match k with KInput _ | KAbsent => true | _ => false end.

Section Made.
  Variables (g new : tgraph) (moves : list (nat * nat)) (outputs : list nat) (dead : nat -> Prop).
  Notation G := (g ++ new).
  Notation mv := (moved moves).

  Hypothesis ok : wf g.
  Hypothesis inside : forall o, In o outputs -> o < List.length g.
  Hypothesis closed : forall u n j, nth_error G u = Some n -> ~ dead u -> In j (args n) -> ~ dead (mv j).
  Hypothesis roots_live : forall o, In o outputs -> ~ dead (mv o).
  Hypothesis sources_live : forall u n, nth_error G u = Some n -> is_source (what (op n)) = true -> ~ dead u.

  Theorem made_image h1 f : place_target g new moves = Some (h1, f) ->
    exists from, image G (fst (tidy h1 (map f outputs))) mv dead from.
  Proof.
    intros P. pose proof (place_target_ok (V := nat) (fun _ _ => None) g new moves h1 f ok P) as (ok1 & len1 & below & _).
    unfold place_target in P.
    destruct (wfb G && _ && _) eqn:C; [| discriminate]. injection P as P1 P2.
    rewrite !andb_true_iff in C. destruct C as [[W _] R]. apply wfb_iff in W. rewrite forallb_forall in R.
    set (outs := map fst moves) in *. set (order := late_order g (List.length new) outs) in *.
    assert (NoDup order) as nd by apply late_order_nodup.
    assert (forall i, In i order <-> i < List.length G) as all by (intros i; apply late_order_complete).
    assert (forall o t, In (o, t) moves -> o < List.length G /\ t < List.length G) as lts.
    { intros o t inm. specialize (R _ inm). cbn in R. rewrite !andb_true_iff in R. destruct R as [[lo lt] _].
      apply Nat.ltb_lt in lo, lt. rewrite app_length. lia. }
    assert (forall j, j < List.length G -> mv j < List.length G) as mv_lt.
    { intros j lt. destruct (moved_cases moves j) as [H | [_ ->]]; [apply lts in H; lia | exact lt]. }
    set (to := fun j => match find (fun m => Nat.eqb (place_of (fst m) order) j) moves with
                        | Some m => place_of (snd m) order | None => j end) in *.
    assert (forall j, j < List.length G -> to (place_of j order) = place_of (mv j) order) as to_mv.
    { intros j lt. unfold to, moved.
      assert (forall m, In m moves -> Nat.eqb (place_of (fst m) order) (place_of j order) = Nat.eqb (fst m) j) as same.
      { intros [o t] inm. destruct (lts o t inm) as [lo _]. cbn.
        destruct (Nat.eqb_spec o j) as [-> | ne]; [apply Nat.eqb_refl |]. apply Nat.eqb_neq. intros E. apply ne.
        apply all in lo, lt. apply nth_error_place_of in lo, lt. rewrite E in lo. congruence. }
      clear - same. revert same. generalize order. intros l. generalize moves.
      intros mvs. induction mvs as [| m ms IH]; [reflexivity |]. intros same. cbn [find].
      rewrite (same m (or_introl eq_refl)). destruct (Nat.eqb (fst m) j); [reflexivity |].
      apply IH. intros m' inm. apply same. now right. }
    set (from1 := fun p => nth p order 0).
    assert (List.length order = List.length h1) as leno.
    { rewrite len1. rewrite <- (seq_length (List.length G) 0) at 1. apply Nat.le_antisymm.
      - apply NoDup_incl_length; [exact nd |]. intros i ini. apply in_seq. apply all in ini. lia.
      - rewrite seq_length. rewrite <- (seq_length (List.length G) 0). apply NoDup_incl_length; [apply seq_NoDup |].
        intros i ini. apply all. apply in_seq in ini. lia. }
    assert (forall i, i < List.length G -> from1 (place_of i order) = i) as from_place
      by (intros i lt; apply nth_place_of; now apply all).
    (* nodes after the move *)
    assert (forall p m, nth_error h1 p = Some m -> exists n, nth_error G (from1 p) = Some n /\ op m = op n /\
              Forall2 (fun c j => c < List.length h1 /\ from1 c = mv j) (args m) (args n)) as node1.
    { intros p m at_p. rewrite <- P1 in at_p. unfold redirect in at_p. rewrite nth_error_map in at_p.
      destruct (nth_error (reorder order G) p) as [m1 |] eqn:at_1; [| discriminate]. injection at_p as <-.
      assert (p < List.length order) as ltp.
      { assert (p < List.length (reorder order G)) as H by (apply nth_error_Some; congruence).
        now rewrite reorder_length in H by (intros j; apply all). }
      assert (In (from1 p) order) as inf by now apply nth_In.
      assert (place_of (from1 p) order = p) as Ep by now apply place_of_nth.
      rewrite <- Ep in at_1. rewrite reorder_nth in at_1; [| intros j; apply all | exact inf].
      destruct (nth_error G (from1 p)) as [n |] eqn:at_n; [| discriminate]. injection at_1 as <-.
      exists n. split; [reflexivity |]. split; [reflexivity |]. cbn [args op].
      rewrite map_map. pose proof (W _ n at_n) as small. apply all in inf.
      clear - small inf to_mv from_place mv_lt leno all nd. induction (args n) as [| j l IH]; cbn; constructor.
      - assert (j < List.length G) as ltj by (specialize (small j (or_introl eq_refl)); lia).
        rewrite to_mv by exact ltj. split; [| apply from_place; now apply mv_lt].
        rewrite <- leno. apply place_of_lt, all. now apply mv_lt.
      - apply IH. intros k ink. apply small. now right. }
    (* what is needed is live *)
    set (inputs := filter (fun i => match nth_error h1 i with
                                 | Some n => match what (op n) with KInput _ | KAbsent => true | _ => false end
                                 | None => false
                                 end) (seq 0 (List.length h1))).
    assert (forall i o, ancestor h1 i o -> ~ dead (from1 o) -> ~ dead (from1 i)) as down.
    { intros i o anc. induction anc as [x | x y z m at_x inz _ IH]; [easy |]. intros live. apply IH.
      destruct (node1 x m at_x) as (n & at_n & _ & F).
      assert (exists j, In j (args n) /\ from1 z = mv j) as (j & inj & ->).
      { clear - F inz. induction F as [| c j cs js [_ E] _ IHF]; [easy |]. destruct inz as [-> | inz].
        - exists j. split; [now left | exact E].
        - destruct (IHF inz) as (j' & inj & E'). exists j'. split; [now right | exact E']. }
      exact (closed (from1 x) n j at_n live inj). }
    set (order2 := needed h1 (map f outputs ++ inputs)).
    assert (forall i, In i order2 -> ~ dead (from1 i)) as live2.
    { intros i ini. unfold order2, needed in ini. apply filter_In in ini. destruct ini as [_ ini].
      apply existsb_exists in ini. destruct ini as (o & ino & anc). apply mem_iff in anc.
      apply (reach_iff h1 _ _ ok1) in anc. apply (down i o anc). apply in_app_iff in ino. destruct ino as [ino | ino].
      - apply in_map_iff in ino. destruct ino as (x & <- & inx). rewrite <- P2. fold (to (place_of x order)).
        assert (x < List.length G) as ltx by (rewrite app_length; specialize (inside x inx); lia).
        rewrite to_mv by exact ltx. rewrite from_place by now apply mv_lt. now apply roots_live.
      - unfold inputs in ino. apply filter_In in ino. destruct ino as [_ ino].
        destruct (nth_error h1 o) as [m |] eqn:at_o; [| discriminate].
        destruct (node1 o m at_o) as (n & at_n & E & _). apply (sources_live (from1 o) n at_n).
        rewrite <- E. unfold is_source. destruct (what (op m)); try discriminate; reflexivity. }
    assert (forall i, In i order2 -> i < List.length h1) as in2 by apply needed_lt.
    assert (NoDup order2) as nd2 by apply needed_nodup.
    assert (topological h1 order2) as topo2 by now apply needed_topological.
    destruct (reorder_image h1 order2 in2 nd2 topo2) as [inj2 small2 node2].
    exists (fun p => from1 (nth p order2 0)).
    change (fst (tidy h1 (map f outputs))) with (reorder order2 h1).
    assert (List.length (reorder order2 h1) = List.length order2) as len2 by now apply reorder_length.
    constructor.
    - intros p q lp lq E. apply inj2; [exact lp | exact lq |].
      apply (proj1 (NoDup_nth order 0) nd); [| | exact E]; rewrite leno; now apply small2.
    - intros p lp. destruct (small2 p lp) as [lt _]. split; [apply all, nth_In; now rewrite leno |].
      apply live2, nth_In. now rewrite <- len2.
    - intros p m at_p. destruct (node2 p m at_p) as (m1 & at_1 & E1 & F1).
      destruct (node1 _ m1 at_1) as (n & at_n & E & F). exists n. split; [exact at_n |]. split; [congruence |].
      clear - F1 F. revert F1. generalize (args m). induction F as [| d j ds js [_ Ed] _ IH]; intros cs F1;
        inversion F1 as [| c ? cs' ? [lt Ec] rest]; subst; constructor; [now split | now apply IH].
  Qed.
End Made.
