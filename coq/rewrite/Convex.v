(** * Convexity is what keeps the rewritten graph acyclic

    A rewrite puts new nodes behind a graph and sends every use of an output that
    is replaced to what replaces it.  If nothing that is read is computed from an
    output that is replaced, the result has no cycle; and if every replacement
    depends on everything that is read, a result without cycle means just that. *)

From Coq Require Import Arith Bool Lia List Relations String.
From Calque Require Import base.Lists graph.Graph pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof.
Import ListNotations.
Open Scope nat_scope.

Section Convex.
  Context {O : Type}.
  Variables (g new : Graph.graph O).
  Variable moves : list (nat * nat).    (** an output, and the node that replaces it *)
  Notation outs := (map fst moves).

  Definition moved (j : nat) : nat :=
    match find (fun m => Nat.eqb (fst m) j) moves with Some m => snd m | None => j end.

  (** After the rewrite, node [i] uses node [j]. *)
  Definition uses (i j : nat) : Prop :=
    exists n c, nth_error (g ++ new) i = Some n /\ In c (args n) /\ j = moved c.

  Definition acyclic : Prop := forall i, ~ clos_trans nat uses i i.

  (** The nodes of [g] that the replacement reads. *)
  Definition reads (j : nat) : Prop :=
    j < List.length g /\ ((exists n, In n new /\ In j (args n)) \/ In j (map snd moves)).

  Definition convex_rewrite : Prop :=
    forall o j, In o outs -> reads j -> ~ ancestor g o j.

  (** New node [i] reads [j], through new nodes. *)
  Inductive depends : nat -> nat -> Prop :=
    | D_Arg : forall i n j,
        List.length g <= i -> nth_error (g ++ new) i = Some n -> In j (args n) -> depends i j
    | D_Step : forall i n c j,
        List.length g <= i -> nth_error (g ++ new) i = Some n -> In c (args n) ->
        List.length g <= c -> depends c j -> depends i j.

  (** Every replacement is what is read, or depends on it. *)
  Definition joined : Prop :=
    forall t j, In t (map snd moves) -> reads j -> t = j \/ depends t j.

  (** Outputs are nodes of [g], and what replaces one is not replaced itself. *)
  Definition proper : Prop :=
    forall o t, In (o, t) moves ->
      o < List.length g /\ t < List.length (g ++ new) /\ ~ In t outs.

  Hypothesis ok : wf (g ++ new).
  Hypothesis fine : proper.

  Lemma moved_cases j : (In j outs /\ In (j, moved j) moves) \/ (~ In j outs /\ moved j = j).
  Proof.
    unfold moved. destruct (find _ moves) as [[o t] |] eqn:F.
    - apply find_some in F. destruct F as [inm E]. simpl in *. apply Nat.eqb_eq in E. subst o.
      left. split; [apply in_map_iff; now exists (j, t) | exact inm].
    - right. split; [| reflexivity]. intros inj. apply in_map_iff in inj.
      destruct inj as ([o t] & E & inm). simpl in E. subst o.
      apply (find_none _ _ F) in inm. simpl in inm. now rewrite Nat.eqb_refl in inm.
  Qed.

  Lemma wf_front : wf g.
  Proof.
    intros i n at_i. apply (ok i n). rewrite nth_error_app1; [exact at_i |].
    apply nth_error_Some. congruence.
  Qed.

  Lemma uses_trans_le (rank : nat -> nat) :
    (forall i j, uses i j -> rank j < rank i) -> acyclic.
  Proof.
    intros down i H.
    assert (forall i j, clos_trans nat uses i j -> rank j < rank i) as D.
    { intros a b K. induction K as [a b u | a b c _ IH1 _ IH2]; [now apply down | lia]. }
    apply D in H. lia.
  Qed.

  Theorem convex_is_acyclic : convex_rewrite -> acyclic.
  Proof.
    intros convex. set (order := late_order g (List.length new) outs).
    assert (topological (g ++ new) order) as topo.
    { apply late_order_topological; [exact ok |]. intros n j inn inj lt o ino.
      apply convex; [exact ino |]. split; [exact lt | left; now exists n]. }
    apply (uses_trans_le (fun i => place_of i order)). intros i j (n & c & at_i & inc & ->).
    assert (In i order) as ini
      by (apply late_order_complete, nth_error_Some; congruence).
    destruct (topological_before (g ++ new) order i n c topo ini at_i inc) as [_ lt].
    destruct (moved_cases c) as [[ino inm] | [_ ->]]; [| exact lt].
    apply Nat.lt_trans with (place_of c order); [| exact lt].
    destruct (fine c (moved c) inm) as (lo & lt' & _).
    apply late_order_before; try assumption; [| exact wf_front].
    intros ltt (o & ino' & anc). apply (convex o (moved c) ino'); [| exact anc].
    split; [exact ltt |]. right. apply in_map_iff. now exists (c, moved c).
  Qed.

  Lemma depends_uses t j : depends t j -> clos_trans nat uses t (moved j).
  Proof.
    intros H. induction H as [i n j ge_ at_i inj | i n c j ge_ at_i inc gec _ IH].
    - apply t_step. now exists n, j.
    - apply t_trans with c; [| exact IH]. apply t_step. exists n, c.
      split; [exact at_i |]. split; [exact inc |].
      destruct (moved_cases c) as [[ino inm] | [_ ->]]; [| reflexivity].
      destruct (fine c _ inm). lia.
  Qed.

  (** What is computed from an output uses, after the rewrite, a replacement. *)
  Lemma ancestor_uses o j :
    In o outs -> ancestor g o j ->
    exists t, In t (map snd moves) /\
      (moved j = t \/ (moved j = j /\ clos_trans nat uses j t)).
  Proof.
    intros ino anc. induction anc as [o | i o c n at_i inc anc IH].
    - exists (moved o). destruct (moved_cases o) as [[_ inm] | [nin _]]; [| easy].
      split; [apply in_map_iff; now exists (o, moved o) | now left].
    - destruct (moved_cases i) as [[_ inm] | [_ same]].
      { exists (moved i). split; [apply in_map_iff; now exists (i, moved i) | now left]. }
      destruct (IH ino) as (t & int_ & reach). exists t. split; [exact int_ |]. right.
      split; [exact same |].
      assert (uses i (moved c)) as step.
      { exists n, c. split; [| now split]. rewrite nth_error_app1; [exact at_i |].
        apply nth_error_Some. congruence. }
      destruct reach as [<- | [E path]]; [now apply t_step |].
      rewrite E in step. apply t_trans with c; [now apply t_step | exact path].
  Qed.

  Theorem acyclic_is_convex : joined -> acyclic -> convex_rewrite.
  Proof.
    intros join none o j ino rd anc.
    destruct (ancestor_uses o j ino anc) as (t & int_ & path).
    assert (~ In t outs) as nout.
    { apply in_map_iff in int_. destruct int_ as ([o' t'] & E & inm). simpl in E. subst t'.
      now apply (fine o'). }
    destruct (join t j int_ rd) as [-> | dep].
    - destruct path as [E | [_ path]]; [| now apply (none j)].
      destruct (moved_cases j) as [[inj _] | [nin _]]; [easy |].
      (* the path of [ancestor] is not empty, as [j] is no output *)
      inversion anc as [? E1 E2 | ? ? c n at_i inc anc']; subst; [easy |].
      destruct (ancestor_uses o c ino anc') as (t & int' & path').
      assert (uses j (moved c)) as step.
      { exists n, c. split; [| now split]. rewrite nth_error_app1; [exact at_i |].
        apply nth_error_Some. congruence. }
      destruct (join t j int' rd) as [-> | dep].
      + destruct path' as [<- | [Ec path']].
        * apply (none (moved c)). now apply t_step.
        * rewrite Ec in step. apply (none j). apply t_trans with c; [now apply t_step | exact path'].
      + apply depends_uses in dep. destruct (moved_cases j) as [[inj _] | [_ Ej]]; [easy |].
        rewrite Ej in dep. apply (none j). destruct path' as [<- | [Ec path']].
        * apply t_trans with (moved c); [now apply t_step | exact dep].
        * rewrite Ec in step. apply t_trans with c; [now apply t_step |].
          now apply t_trans with t.
    - apply depends_uses in dep. destruct path as [E | [E path]].
      + apply (none t). now rewrite E in dep.
      + rewrite E in dep. apply (none t). now apply t_trans with j.
  Qed.

  (** Convexity is exactly what keeps the result acyclic. *)
  Theorem convex_iff_acyclic : joined -> (convex_rewrite <-> acyclic).
  Proof.
    intros join. split; [exact convex_is_acyclic | exact (acyclic_is_convex join)].
  Qed.

  (** And it is what the rewriter asks for. *)
  Theorem place_target_iff : place_target g new moves <> None <-> convex_rewrite.
  Proof.
    pose proof wf_front as okg.
    assert (forall j, negb (Nat.ltb j (List.length g)) || negb (mem j (flat_map (reach g) outs)) = true <->
              (j < List.length g -> forall o, In o outs -> ~ ancestor g o j)) as early.
    { intros j. split; [now apply early_ok |]. intros H.
      destruct (Nat.ltb_spec j (List.length g)) as [lt | _]; [| reflexivity]. simpl.
      destruct (mem j _) eqn:L; [| reflexivity]. apply late_iff in L; [| exact okg].
      destruct L as (o & ino & anc). now elim (H lt o ino). }
    unfold place_target. rewrite (proj2 (wfb_iff _) ok). simpl.
    match goal with |- (if ?b then _ else _) <> None <-> _ => assert (b = true <-> convex_rewrite) as E end.
    - rewrite andb_true_iff, !forallb_forall. split.
      + intros [N R] o j ino [lt [(n & inn & inj) | inj]].
        * specialize (N n inn). rewrite forallb_forall in N. now apply (early j); [apply N | |].
        * apply in_map_iff in inj. destruct inj as (m & <- & inm). specialize (R m inm).
          rewrite !andb_true_iff in R. now apply (early (snd m)).
      + intros convex. split.
        * intros n inn. apply forallb_forall. intros j inj. apply early. intros lt o ino.
          apply convex; [exact ino |]. split; [exact lt | left; now exists n].
        * intros [o t] inm. simpl. destruct (fine o t inm) as (lo & lt & _).
          rewrite app_length in lt. apply Nat.ltb_lt in lo, lt. rewrite lo, lt. simpl.
          apply early. intros ltt o' ino. apply convex; [exact ino |].
          split; [exact ltt | right; apply in_map_iff; now exists (o, t)].
    - destruct (_ && _); split; intros H; try easy; [now apply E | ].
      apply E in H. discriminate.
  Qed.
End Convex.

(** ** Two matches, each convex, not both together

    [b1 = bmm(Z,P), a1 = bmm(X,relu b1), a2 = bmm(X,Q), b2 = bmm(Z,relu a2)]:
    merging a1 with a2, or b1 with b2, is fine; both is a cycle. *)

Section Joint.
  Let n (name : string) (es : list nat) : node string := Node name es.

  Definition joint_graph : Graph.graph string :=
    ([n "X" []; n "Z" []; n "P" []; n "Q" [];
      n "bmm" [1; 2]; n "relu" [4]; n "bmm" [0; 5];
      n "bmm" [0; 3]; n "relu" [7]; n "bmm" [1; 8]])%string.

  Definition b1 := 4.
  Definition a1 := 6.
  Definition a2 := 7.
  Definition b2 := 9.

  (** x (y1 y2), and its halves; [k]: the number of the first node. *)
  Definition halves (k x y1 y2 : nat) : Graph.graph string :=
    [n "concat" [y1; y2]; n "bmm" [x; k]; n "split" [k + 1]; n "0" [k + 2]; n "1" [k + 2]]%string.

  Lemma uses_trans (g new : Graph.graph string) moves i c k m :
    nth_error (g ++ new) i = Some m -> existsb (Nat.eqb c) (args m) = true ->
    moved moves c = k \/ clos_trans nat (uses g new moves) (moved moves c) k ->
    clos_trans nat (uses g new moves) i k.
  Proof.
    intros at_i inc path. apply existsb_exists in inc. destruct inc as (c' & inc & E).
    apply Nat.eqb_eq in E. subst c'.
    assert (uses g new moves i (moved moves c)) as step by (now exists m, c).
    destruct path as [<- | path]; [now apply t_step |].
    apply t_trans with (moved moves c); [now apply t_step | exact path].
  Qed.

  Lemma proper_decided (g new : Graph.graph string) moves :
    forallb (fun m => Nat.ltb (fst m) (List.length g) && Nat.ltb (snd m) (List.length (g ++ new)) &&
                      negb (mem (snd m) (map fst moves))) moves = true ->
    proper g new moves.
  Proof.
    intros H o t inm. rewrite forallb_forall in H. specialize (H _ inm). cbn [fst snd] in H.
    rewrite !andb_true_iff in H. destruct H as [[a b] c].
    split; [now apply Nat.ltb_lt |]. split; [now apply Nat.ltb_lt |].
    intros int_. apply mem_iff in int_. now rewrite int_ in c.
  Qed.

  Theorem joint_cycle :
    let as_ := halves 10 0 5 3 in
    let bs := halves 10 1 2 8 in
    let both := as_ ++ halves 15 1 2 8 in
    acyclic joint_graph as_ [(a1, 13); (a2, 14)] /\
    acyclic joint_graph bs [(b1, 13); (b2, 14)] /\
    ~ acyclic joint_graph both [(a1, 13); (a2, 14); (b1, 18); (b2, 19)] /\
    place_target joint_graph both [(a1, 13); (a2, 14); (b1, 18); (b2, 19)] = None.
  Proof.
    intros as_ bs both.
    assert (forall new moves, wf (joint_graph ++ new) -> proper joint_graph new moves ->
      place_target joint_graph new moves <> None -> acyclic joint_graph new moves) as one.
    { intros new moves ok fine P. apply convex_is_acyclic; try assumption.
      now apply place_target_iff. }
    split; [| split; [| split]].
    1, 2: apply one; [apply wfb_iff; reflexivity | apply proper_decided; reflexivity |
        intros E; vm_compute in E; discriminate].
    - intros none. apply (none 12).
      Ltac next j :=
        eapply (uses_trans joint_graph _ _ _ j); [reflexivity | reflexivity |];
        unfold moved; cbn [find fst snd Nat.eqb a1 a2 b1 b2].
      next 11. right. next 10. right.
      next 5. right. next 4. right.
      next 17. right. next 16. right.
      next 15. right. next 8. right.
      next 7. right. next 12. left. reflexivity.
    - reflexivity.
  Qed.
End Joint.
