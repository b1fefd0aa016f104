(** * Inputs that are read from operators

    The last component of the measure: where a constant takes the place of an operator that others read too, nothing
    but the number of reads becomes smaller. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Check rewrite.Facts rewrite.Sound rewrite.SoundRule rewrite.SoundFix rewrite.Settled.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild rewrite.TermBuildProof rewrite.TermStep.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** Is node [j] one of an operator, a tuple or a projection? *)
Definition op_at (F : tgraph) (j : nat) : bool :=
  match nth_error F j with Some n => is_op (what (op n)) | None => false end.

Definition op_reads (F : tgraph) (l : list nat) : nat := total (fun j => if op_at F j then 1 else 0) l.

Definition reads (F : tgraph) (i : nat) : nat :=
  match nth_error F i with Some n => op_reads F (args n) | None => 0 end.

Definition reading (g : tgraph) : nat := total (reads g) (seq 0 (List.length g)).

Lemma op_reads_app F l m : op_reads F (l ++ m) = op_reads F l + op_reads F m.
Proof. apply total_app. Qed.

(** More nodes behind a graph change nothing for its own. *)
Lemma op_at_app g new j : j < List.length g -> op_at (g ++ new) j = op_at g j.
Proof. intros lt. unfold op_at. now rewrite nth_error_app1. Qed.

Lemma reads_app g new i : wf g -> i < List.length g -> reads (g ++ new) i = reads g i.
Proof.
  intros ok lt. unfold reads. rewrite nth_error_app1 by exact lt. destruct (nth_error g i) as [n |] eqn:at_i; [| reflexivity].
  unfold op_reads, total. f_equal. apply map_ext_in. intros j inj. now rewrite op_at_app by (specialize (ok i n at_i j inj); lia).
Qed.

(** Whether inputs that are not written are added or absent ones left out. *)
Lemma op_reads_fit g k l l' : grounded g -> fit g k l = Some l' -> op_reads g l' = op_reads g l.
Proof.
  intros (t & a & Z) H. unfold fit in H. destruct (forallb _ _) eqn:A; [| discriminate]. injection H as <-.
  rewrite firstn_app, op_reads_app.
  assert (forall m, op_reads g (firstn m (repeat 0 k)) = 0) as zeros.
  { intros m. assert (forall l0, (forall j, In j l0 -> j = 0) -> op_reads g l0 = 0) as go.
    { induction l0 as [| j l0 IH]; intros all; [reflexivity |]. unfold op_reads in *. rewrite total_cons, IH by (intros; apply all; now right).
      rewrite (all j (or_introl eq_refl)). unfold op_at. now rewrite Z. }
    apply go. intros j inj. assert (In j (repeat 0 k)) as inr
      by (rewrite <- (firstn_skipn m (repeat 0 k)); apply in_or_app; now left). now apply repeat_spec in inr. }
  rewrite zeros, Nat.add_0_r. rewrite <- (firstn_skipn k l) at 2. rewrite op_reads_app.
  assert (op_reads g (skipn k l) = 0) as ->; [| lia]. clear zeros. revert A. generalize (skipn k l). intros m A. unfold op_reads.
  induction m as [| j m IH]; [reflexivity |]. cbn [forallb] in A. apply andb_true_iff in A. destruct A as [P A].
  rewrite total_cons, (IH A), Nat.add_0_r. unfold op_at. destruct (nth_error g j) as [n |]; [| discriminate].
  unfold present in P. now destruct (what (op n)).
Qed.

Lemma op_reads_orders commutes F name l l' : In l' (orders commutes name l) -> op_reads F l' = op_reads F l.
Proof.
  unfold orders, op_reads, total. destruct l as [| a [| b [| c l]]]; try (intros [<- | []]; reflexivity).
  destruct (commutes name); [| intros [<- | []]; reflexivity]. intros [<- | [<- | []]]; simpl; lia.
Qed.

Section Step.
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (outputs : list nat).
  Hypothesis text : readable r = true.
  Hypothesis wf_g : wf g.
  Variables (M : mstate) (outs : list nat).
  Hypothesis K : known commutes r g outputs M outs.
  Hypothesis outs_dead : forall o, In o outs -> inside r M o.
  Variables (h : tgraph) (es : list nat) (st : bstate) (new : tgraph).
  Hypothesis whole_ : whole st = g ++ new.
  Variable from : nat -> nat.
  Notation moves := (combine outs es).
  Hypothesis im : image (after g st outs es) h (moved moves) (inside r M) from.
  Notation F := (whole st).

  (** What takes the place of an operator reads as one at most. *)
  Lemma op_at_moved j : op_at (after g st outs es) (moved moves j) = true -> op_at F j = true.
  Proof.
    destruct (moved_cases moves j) as [Hm | [_ ->]]; intros O.
    - apply in_combine_l in Hm. apply outs_dead in Hm.
      destruct (inside_must commutes r g outputs M outs K j Hm) as (_ & _ & _ & _ & _ & lt & (n & at_j & I)).
      unfold op_at. now rewrite whole_, nth_error_app1, at_j.
    - unfold op_at in *. rewrite (after_nth g st outs es new whole_) in O. destruct (nth_error F j) as [n |]; [| discriminate].
      cbn in O. now rewrite (proj1 (proj2 (retyped_same g moves j n))) in O.
  Qed.

  Lemma reads_image p : p < List.length h -> reads h p <= reads F (from p).
  Proof.
    intros lt. unfold reads. destruct (nth_error h p) as [m |] eqn:at_p; [| apply nth_error_None in at_p; lia].
    destruct (image_node _ h _ _ from im p m at_p) as (n & at_n & _ & A).
    rewrite (after_nth g st outs es new whole_) in at_n. destruct (nth_error F (from p)) as [n' |]; [| discriminate].
    injection at_n as <-. rewrite (proj1 (retyped_same g moves (from p) n')) in A. clear at_p lt.
    induction A as [| c j cs js [lt Ec] _ IH]; [apply Nat.le_0_l |]. unfold op_reads in *. rewrite !total_cons.
    assert ((if op_at h c then 1 else 0) <= (if op_at F j then 1 else 0)); [| lia].
    destruct (op_at h c) eqn:O; [| apply Nat.le_0_l]. rewrite op_at_moved; [reflexivity |]. rewrite <- Ec.
    unfold op_at in O |- *. destruct (nth_error h c) as [mc |] eqn:at_c; [| discriminate].
    destruct (image_node _ h _ _ from im c mc at_c) as (nc & -> & <- & _). exact O.
  Qed.

  Theorem reading_image l : NoDup l -> (forall a, In a l -> must commutes r g M a) ->
    reading h + total (fun a => reads F (node_at M a)) l
      <= reading g + total (reads F) (seq (List.length g) (List.length new)).
  Proof.
    intros nd all.
    assert (total (reads F) (seq 0 (List.length g)) = reading g) as <-.
    { unfold reading, total. f_equal. apply map_ext_in. intros i ini. apply in_seq in ini. rewrite whole_. apply reads_app; [exact wf_g | lia]. }
    exact (image_total commutes r g outputs text M outs K h es st new whole_ from (reads h) (reads F) l im reads_image nd all).
  Qed.
End Step.
