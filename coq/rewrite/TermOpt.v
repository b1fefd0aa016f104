(** * Folding and removing end too

    Folding a node makes the measure of [Termination] smaller: an operator or a projection becomes a constant, and
    nothing is higher than before.  Removing what no output needs makes nothing greater, and the graph shorter or
    leaves it as it is.  So the steps of [calque opt] that change the graph end, in any order ([opt_steps_end]). *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundFix rewrite.Library.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild rewrite.TermStep rewrite.TermHeight rewrite.TermHeavy.
From Calque Require Import rewrite.TermReads rewrite.TermFix rewrite.Termination.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** What is smaller *)

Definition no_more (l m : list nat) : Prop := Forall2 le l m.

Lemma less_last l m a b : less l m -> less (l ++ [a]) (m ++ [b]).
Proof.
  revert m. induction l as [| x l IH]; intros [| y m] H; try easy. cbn in *. destruct H as [H | [E H]]; [now left | right].
  split; [exact E | now apply IH].
Qed.

Lemma no_more_last l m a b : no_more l m -> a < b -> less (l ++ [a]) (m ++ [b]).
Proof.
  intros N lt. induction N as [| x y l m le _ IH]; cbn; [now left | right]. now split.
Qed.

(** The measure, and then the number of nodes. *)
Definition size (g : tgraph) : list nat := measure g ++ [List.length g].

(** ** A node becomes a constant *)

Lemma total_set {A} (w : A -> nat) x a l : forall i, nth_error l i = Some a ->
  total w (set_nth i x l) + w a = total w l + w x.
Proof.
  induction l as [| b l IH]; intros [| i] at_i; try discriminate; cbn [set_nth]; rewrite !total_cons.
  - injection at_i as ->. lia.
  - specialize (IH i at_i). lia.
Qed.

Section Constant.
  Variables (g : tgraph) (i : nat) (n c : node oper).
  Hypothesis ok : wf g.
  Hypothesis at_i : nth_error g i = Some n.
  Hypothesis op_n : match what (op n) with KCall _ | KProj _ => True | _ => False end.
  Hypothesis const_c : exists k v, what (op c) = KConst k v.
  Hypothesis args_c : args c = [].
  Notation h := (set_nth i c g).

  Lemma set_at j : nth_error h j = if j =? i then Some c else nth_error g j.
  Proof.
    clear ok. revert i j at_i. induction g as [| a l IH]; intros [| i'] [| j] E; try discriminate; try reflexivity.
    cbn [set_nth nth_error]. exact (IH i' j E).
  Qed.

  Lemma set_wf : wf h.
  Proof.
    intros j m at_j x inx. rewrite set_at in at_j. destruct (Nat.eqb_spec j i); [| exact (ok j m at_j x inx)].
    injection at_j as <-. rewrite args_c in inx. destruct inx.
  Qed.

  Lemma weigh_const w : weigh w c = 0.
  Proof. destruct const_c as (k & v & W). unfold weigh. now rewrite W. Qed.

  Lemma set_weight w : total (weigh w) h <= total (weigh w) g.
  Proof. pose proof (total_set (weigh w) c n g i at_i) as E. rewrite weigh_const in E. lia. Qed.

  Lemma set_small : total (weigh small) h < total (weigh small) g.
  Proof.
    pose proof (total_set (weigh small) c n g i at_i) as E. rewrite weigh_const in E.
    assert (0 < weigh small n); [| lia]. unfold weigh. destruct (what (op n)) as [| | | s | |]; try easy.
    - cbn [of_call small]. destruct (is_one_of arithmetic s); lia.
    - cbn [of_tuple small]. lia.
  Qed.

  Lemma set_height deep j : height deep h j <= height deep g j.
  Proof.
    induction j as [j IH] using (well_founded_induction lt_wf). destruct (nth_error h j) as [m |] eqn:at_j.
    2: { unfold height. rewrite nth_overflow; [lia |]. rewrite heights_length. now apply nth_error_None. }
    rewrite (height_at deep h j m set_wf at_j). rewrite set_at in at_j. destruct (Nat.eqb_spec j i) as [-> |].
    - injection at_j as <-. destruct const_c as (k & v & W). unfold node_height. rewrite W. cbn. lia.
    - rewrite (height_at deep g j m ok at_j). unfold node_height. destruct (is_op _); [| lia]. apply Nat.add_le_mono_l.
      apply greatest_le. intros x inx. apply in_map_iff in inx. destruct inx as (y & <- & iny).
      transitivity (height deep g y); [apply IH; exact (ok j m at_j y iny) | apply greatest_in; now apply in_map].
  Qed.

  Lemma set_heavy : heavy h <= heavy g.
  Proof.
    unfold heavy. rewrite set_nth_length. apply total_le. intros j _. unfold bulk. rewrite set_at.
    destruct (Nat.eqb_spec j i) as [-> |].
    - destruct const_c as (k & v & W). rewrite W. apply Nat.le_0_l.
    - destruct (nth_error g j) as [m |]; [| lia]. destruct (what (op m)) as [| | | s | |]; try lia.
      destruct (is_one_of arithmetic s); [| lia]. apply Nat.pow_le_mono_r; [lia | apply set_height].
  Qed.

  Theorem constant_less : less (measure h) (measure g).
  Proof.
    unfold measure. cbn [less]. right. split; [apply set_weight |]. right. split; [apply set_weight |].
    right. split; [exact set_heavy |]. left. exact set_small.
  Qed.

  Lemma constant_grounded : grounded g -> grounded h.
  Proof.
    intros (t & a & at_0). exists t, a. rewrite set_at. destruct (Nat.eqb_spec 0 i) as [<- |]; [| exact at_0].
    exfalso. rewrite at_0 in at_i. injection at_i as <-. exact op_n.
  Qed.
End Constant.

(** ** Nodes of a graph, in the order that they have *)

Section Part.
  Variables (g h : tgraph) (from : nat -> nat).
  Hypothesis ok_g : wf g.
  Hypothesis ok_h : wf h.
  Hypothesis im : image g h (fun j => j) (fun _ => False) from.

  Lemma part_sum (V W : nat -> nat) : (forall p, p < List.length h -> V p <= W (from p)) ->
    total V (seq 0 (List.length h)) <= total W (seq 0 (List.length g)).
  Proof.
    intros le. pose proof (image_sum g h _ _ from V W [] im le (NoDup_nil _) ltac:(easy)) as S. unfold total in S at 2. cbn in S. lia.
  Qed.

  Lemma part_weight w : total (weigh w) h <= total (weigh w) g.
  Proof.
    rewrite (total_nth (weigh w) blank h), (total_nth (weigh w) blank g).
    apply (part_sum (fun p => weigh w (nth p h blank)) (fun i => weigh w (nth i g blank))). intros p lt.
    destruct (nth_error h p) as [m |] eqn:at_p; [| apply nth_error_None in at_p; lia].
    destruct (image_node g h _ _ from im p m at_p) as (n & at_n & Eo & _).
    rewrite (nth_error_nth _ _ blank at_p), (nth_error_nth _ _ blank at_n). unfold weigh. now rewrite Eo.
  Qed.

  Lemma part_heavy : heavy h <= heavy g.
  Proof.
    unfold heavy. apply part_sum. intros p lt. unfold bulk.
    destruct (nth_error h p) as [m |] eqn:at_p; [| apply Nat.le_0_l].
    destruct (image_node g h _ _ from im p m at_p) as (n & -> & Eo & _). rewrite Eo.
    destruct (what (op n)) as [| | | s | |]; try lia. destruct (is_one_of arithmetic s); [| lia].
    apply Nat.pow_le_mono_r; [lia |]. apply (image_height deep_op g h _ _ from ok_g ok_h im); [lia | exact lt].
  Qed.

  Lemma part_reading : reading h <= reading g.
  Proof.
    unfold reading. apply part_sum. intros p lt. unfold reads.
    destruct (nth_error h p) as [m |] eqn:at_p; [| apply Nat.le_0_l].
    destruct (image_node g h _ _ from im p m at_p) as (n & -> & _ & A). clear at_p lt.
    induction A as [| c j cs js [lt Ec] _ IH]; [apply Nat.le_0_l |]. unfold op_reads in *. rewrite !total_cons. subst j.
    assert ((if op_at h c then 1 else 0) <= (if op_at g (from c) then 1 else 0)); [| lia].
    unfold op_at. destruct (nth_error h c) as [mc |] eqn:at_c; [| apply Nat.le_0_l].
    destruct (image_node g h _ _ from im c mc at_c) as (nc & -> & -> & _). lia.
  Qed.

  Theorem part_no_more : no_more (measure h) (measure g).
  Proof.
    unfold measure, no_more. repeat constructor; [apply part_weight | apply part_weight | exact part_heavy | apply part_weight | exact part_reading].
  Qed.
End Part.

(** ** Removing what no output needs *)

Lemma filter_length_le {A} (f : A -> bool) l : List.length (filter f l) <= List.length l.
Proof. induction l as [| a l IH]; [apply Nat.le_0_l |]. cbn. destruct (f a); cbn; lia. Qed.

Lemma filter_all {A} (f : A -> bool) l : List.length (filter f l) = List.length l -> filter f l = l.
Proof.
  induction l as [| a l IH]; intros E; [reflexivity |]. cbn in *. destruct (f a); [cbn in E; f_equal; apply IH; lia |].
  pose proof (filter_length_le f l). lia.
Qed.

Lemma nth_error_same {A} (l : list A) : forall m, (forall i, nth_error l i = nth_error m i) -> l = m.
Proof.
  induction l as [| a l IH]; intros [| b m] H; try reflexivity; try discriminate (H 0).
  pose proof (H 0) as E. injection E as ->. f_equal. apply IH. intros i. exact (H (S i)).
Qed.

Lemma place_of_seq n k s : s <= k < s + n -> place_of k (seq s n) = k - s.
Proof.
  revert s. induction n as [| n IH]; intros s H; [lia |]. cbn [seq place_of].
  destruct (Nat.eqb_spec k s) as [-> | ne]; [lia |]. rewrite IH by lia. lia.
Qed.

Lemma reorder_all (g : tgraph) : wf g -> reorder (seq 0 (List.length g)) g = g.
Proof.
  intros ok. apply nth_error_same. intros i.
  assert (forall j, In j (seq 0 (List.length g)) -> j < List.length g) as inside by (intros j inj; apply in_seq in inj; lia).
  destruct (Nat.lt_ge_cases i (List.length g)) as [lt | ge_].
  - rewrite <- (Nat.sub_0_r i) at 1. rewrite <- (place_of_seq (List.length g) i 0) by lia.
    rewrite reorder_nth by (try assumption; apply in_seq; lia).
    destruct (nth_error g i) as [n |] eqn:at_i; [| reflexivity]. cbn. f_equal. destruct n as [o l]. cbn [op args]. f_equal.
    transitivity (map (fun j => j) l); [| apply map_id]. apply map_ext_in. intros j inj.
    pose proof (ok i _ at_i j inj). rewrite place_of_seq by lia. lia.
  - rewrite (proj2 (nth_error_None g i) ge_). apply nth_error_None. rewrite reorder_length by exact inside. now rewrite seq_length.
Qed.

Section Tidy.
  Variables (g : tgraph) (outputs : list nat).
  Hypothesis ok : wf g.

  Definition tidy_order : list nat :=
    needed g (outputs ++ filter (fun i => match nth_error g i with
                                          | Some n => match what (op n) with KInput _ | KAbsent => true | _ => false end
                                          | None => false
                                          end) (seq 0 (List.length g))).

  Lemma tidy_is : fst (tidy g outputs) = reorder tidy_order g.
  Proof. reflexivity. Qed.

  Lemma tidy_image : image g (fst (tidy g outputs)) (fun j => j) (fun _ => False) (fun p => nth p tidy_order 0).
  Proof.
    rewrite tidy_is. apply reorder_image; [intros i; apply needed_lt | apply needed_nodup | now apply needed_topological].
  Qed.

  Theorem tidy_less : (forall o, In o outputs -> o < List.length g) ->
    fst (tidy g outputs) = g \/ less (size (fst (tidy g outputs))) (size g).
  Proof.
    intros inside. destruct (tidy_ok (V := nat) (fun _ _ => None) g outputs ok inside) as (ok' & _ & _).
    destruct (Nat.eq_dec (List.length tidy_order) (List.length g)) as [E | ne].
    - left. rewrite tidy_is.
      assert (tidy_order = seq 0 (List.length g)) as ->; [| now apply reorder_all].
      unfold tidy_order, needed in *. apply filter_all. now rewrite seq_length.
    - right. unfold size. apply no_more_last; [exact (part_no_more _ _ _ ok ok' tidy_image) |].
      rewrite tidy_is, reorder_length by apply needed_lt.
      assert (List.length tidy_order <= List.length g); [| lia].
      transitivity (List.length (seq 0 (List.length g))); [apply filter_length_le | now rewrite seq_length].
  Qed.
End Tidy.
