(** * Commands that write an acceptor: two parts, loops, assignment, copies *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Frame.
Import ListNotations.
Set Implicit Arguments.

Section Loop.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation vexp := (vexp A N). Notation vacc := (vacc N).
  Notation comm := (comm A N). Notation value := (value A). Notation store := (store A).
  Implicit Types (d : data) (v : vexp) (a : vacc) (c : comm) (ie : ienv) (w : value).
  Implicit Types (P : nat -> Prop) (m : store).

  (** Two parts of an acceptor, one after the other. *)
  Lemma write_parts ie l d a d1 a1 f1 d2 a2 f2 c1 c2 w1 w2 m :
    aroot a < l -> usable ie m d a -> part ie d1 a1 d a f1 -> part ie d2 a2 d a f2 ->
    (forall p p', leaf d1 p -> leaf d2 p' -> f1 p <> f2 p') ->
    writes ie l c1 d1 a1 w1 m ->
    (forall m', frame l ie d a m m' -> usable ie m' d2 a2 -> writes ie l c2 d2 a2 w2 m') ->
    exists m', exec ie (CSeq c1 c2) m = Some m' /\
      stored ie m' d1 a1 w1 /\ stored ie m' d2 a2 w2 /\ frame l ie d a m m'.
  Proof.
    intros lt use part1 part2 other (m1 & E1 & S1 & F1) second.
    assert (disjoint : forall q, target ie d1 a1 q -> target ie d2 a2 q -> False).
    { intros q (p & lf & E) (p' & lf' & E').
      destruct part1 as (_ & each1 & _), part2 as (_ & each2 & _).
      destruct (each1 p lf) as [lf1 Ep], (each2 p' lf') as [lf2 Ep'].
      apply (other p p'); auto. apply (proj2 use _ _ q); congruence. }
    destruct (second m1) as (m2 & E2 & S2 & F2).
    - eapply frame_part; [exact part1 | exact F1].
    - eapply usable_frame; [exact F1 | rewrite (proj1 part2); auto | | eapply usable_part; eauto].
      intros q _ T2 T1. exact (disjoint q T1 T2).
    - exists m2. cbn. rewrite E1. cbn. split; auto. split; [| split; auto].
      + intros p q lf E. rewrite F2; [apply S1; auto | rewrite (proj1 part1); auto |].
        intros _ T. apply (disjoint q); auto. exists p; auto.
      + eapply frame_trans; [eapply frame_part; [exact part1 |] | eapply frame_part;
          [exact part2 |]]; eauto.
  Qed.

  (** ** Loops *)

  Lemma for_invariant (I : nat -> store -> Prop) f n m : I 0 m ->
    (forall i m, i < n -> I i m -> exists m', f i m = Some m' /\ I (S i) m') ->
    exists m', for_ n f m = Some m' /\ I n m'.
  Proof.
    intros H0 step. induction n as [| n IH]; cbn; [eauto |].
    destruct IH as (m' & E & HI); [intros; apply step; auto |]. rewrite E. cbn. apply step; auto.
  Qed.

  (** The leaves of the first [k] elements. *)
  Definition upto k d (p : path) : Prop := match p with At i :: p => i < k /\ leaf d p |
    _ => False end.

  Lemma look_tabulate (g : nat -> value) n j p : j < n ->
    look (Arr (map g (seq 0 n))) (At j :: p) = look (g j) p.
  Proof. intros lt. cbn. rewrite nth_error_map, nth_seq by auto. reflexivity. Qed.

  (** The body at [i] writes element [i]; earlier elements are kept. *)
  Lemma write_loop ie l n d a c (g : nat -> value) m :
    aroot a < l -> ascope (below l) a -> usable ie m (DAry n d) a ->
    (forall i m', i < #n -> frame_of l ie (upto i d) a m m' ->
      usable (upi ie l i) m' d (AIdx a (XVar l)) ->
       writes (upi ie l i) (S l) c d (AIdx a (XVar l)) (g i) m') ->
    exists m', for_ #n (fun i => exec (upi ie l i) c) m = Some m' /\
      stored ie m' (DAry n d) a (Arr (map g (seq 0 #n))) /\ frame l ie (DAry n d) a m m'.
  Proof.
    intros lt scope [each inj] body.
    destruct (@for_invariant (fun i m' =>
        stored_of ie m' (upto i d) a (Arr (map g (seq 0 i))) /\ frame_of l ie (upto i d) a m m')
      (fun i => exec (upi ie l i) c) #n m) as (m' & E & St & F); [| | eauto].
    - split; [| apply frame_refl]. intros p q lf. destruct p as [| [j | |] p]; cbn in lf; try tauto.
      lia.
    - intros i m1 lt_i [St F].
      assert (target_i : forall q, target (upi ie l i) d (AIdx a (XVar l)) q ->
                exists p, leaf d p /\ wr ie a (At i :: p) = Some q).
      { intros q (p & lf & W). exists p. rewrite wr_loop in W; auto. }
      assert (disjoint : forall q, target_of ie (upto i d) a q ->
                target (upi ie l i) d (AIdx a (XVar l)) q -> False).
      { intros q (p & lf & W) T. apply target_i in T as (p' & lf' & W').
        destruct p as [| [j | |] p]; cbn in lf; try tauto.
        assert (same : At j :: p = At i :: p') by (apply (inj _ _ q); cbn; intuition lia).
        injection same as -> ->. lia. }
      destruct (body i m1 lt_i F) as (m2 & E2 & St2 & F2).
      { assert (inj_i : injective (upi ie l i) (DAry n d) a).
        { intros p p' q lf lf' W W'. rewrite wr_upi in W, W' by auto. eapply inj; eauto. }
        split; [| eapply part_injective; [apply part_loop; eauto | exact inj_i]].
        intros p lf. destruct (each (At i :: p)) as (q & W & ne); [cbn; auto |].
        exists q. rewrite wr_loop by auto. cbn [aroot]. split; auto.
        rewrite F; auto. intros _ T. apply (disjoint q T). exists p. now rewrite wr_loop. }
      exists m2. split; auto. split.
      + intros p q lf W. destruct p as [| [j | |] p]; cbn in lf; try tauto.
        destruct lf as [lt_j lf].
        rewrite look_tabulate by auto. destruct (Nat.eq_dec j i) as [-> | ne].
        * apply St2; auto. now rewrite wr_loop.
        * rewrite F2; [| cbn; lia |].
          { rewrite (St (At j :: p) q); [| cbn; split; auto; lia | auto].
            now rewrite look_tabulate by lia. }
          intros _ T. eapply disjoint; eauto. exists (At j :: p). cbn.
          split; [split; auto; lia | auto].
      + intros r q lt_r out. rewrite F2; [| lia |].
        * apply F; auto. intros Er (p & lf & W). apply (out Er). exists p. split; auto.
          destruct p as [| [j | |] p]; cbn in *; try tauto. intuition lia.
        * cbn. intros Er T. apply target_i in T as (p & lf & W). apply (out Er). exists (At i :: p).
          cbn. auto.
  Qed.

  (** The race check of a translated loop succeeds. *)
  Lemma exec_loop ie p l n d a c P m : ascope (below l) a -> injective ie (DAry n d) a ->
    ~ P (aroot a) ->
    (forall i, i < #n -> forall x, In x (footprint (upi ie l i) c) ->
       within (upi ie l i) d (AIdx a (XVar l)) P x) ->
    exec ie (CLoop p l n c) m = for_ #n (fun i => exec (upi ie l i) c) m.
  Proof.
    intros scope inj fresh H. cbn [exec]. destruct p; cbn [may_loop]; auto.
    rewrite (@racefree_loop _ _ _ ie l n d a P c); auto.
  Qed.

  (** ** Assignment and copies *)

  Lemma write_assign ie l a v w m : usable ie m DNum a -> matches ie m DNum v w ->
    writes ie l (CAssign a v) DNum a w m.
  Proof.
    intros [each _] M. destruct (match_num M) as (x & -> & E). destruct (each [] I) as (q & W & ne).
    unfold writes. cbn. rewrite W, E. cbn. destruct (m (aroot a) q) eqn:C; [| congruence].
    eexists; split; eauto. split.
    - intros p q' lf W'. destruct p; cbn in lf; try tauto. rewrite W in W'. injection W' as <-.
      unfold set. now rewrite Nat.eqb_refl, path_eqb_refl.
    - intros r q' lt out. unfold set. destruct (Nat.eqb_spec r (aroot a)); auto.
      destruct (path_eqb q' q) eqn:B; auto. apply path_eqb_eq in B. subst. exfalso. apply out; auto.
      exists []. cbn; auto.
  Qed.

  (** The view of one element of an array that is looped over. *)
  Lemma match_elem P ie l i m m' n d v l0 : vscope P (below l) v ->
    (forall r q, P r -> m' r q = m r q) ->
    i < #n -> matches ie m (DAry n d) v (Arr l0) ->
    matches (upi ie l i) m' d (VIdx v (XVar l)) (nth i l0 junk).
  Proof.
    intros scope same lt M.
    change l0 with (elems (Arr l0)). eapply match_idx; [| apply index_upi | exact lt].
    eapply matches_ext; [exact scope | exact same | | exact M]. intros k Hk. now apply upi_below.
  Qed.

  (** The target is not read, or it is a scalar. *)
  Lemma write_copy d : forall p ie P l a v w m, vscope P (below l) v -> (forall r, P r -> r < l) ->
    aroot a < l -> ascope (below l) a -> d = DNum \/ ~ P (aroot a) ->
    usable ie m d a -> matches ie m d v w -> writes ie l (copy p d a v l) d a w m.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros p ie P l a v w m Hv HP lt Ha out use M.
    - now apply write_assign.
    - destruct out as [X | out]; [discriminate |].
      destruct (has_ary (proj1 M)) as (l0 & -> & len & each).
      assert (Hv1 : vscope P (below (S l)) (VIdx v (XVar l)))
        by (cbn; split; [eapply vscope_le; [| exact Hv]; lia | unfold below; lia]).
      assert (Ha1 : ascope (below (S l)) (AIdx a (XVar l)))
        by (cbn; split; [eapply ascope_le; [| exact Ha]; lia | unfold below; lia]).
      cbn [copy].
      destruct (@write_loop ie l n d a (copy Seq d (AIdx a (XVar l)) (VIdx v (XVar l)) (S l))
                  (fun i => nth i l0 junk) m) as (m' & X & St & F); auto.
      { intros i m' lt_i F use'. eapply IH; eauto; cbn; auto;
          try (intros r HR; apply HP in HR; lia).
        eapply (@match_elem P ie l i m); eauto. intros r q HR.
        eapply frame_root; [exact F | auto |]. intros ->; auto. }
      exists m'. split; [| split; auto].
      + rewrite (@exec_loop ie p l n d a _ P m); auto; [apply (proj2 use) |].
        intros i lt_i. now apply foot_copy.
      + rewrite <- len in St. now rewrite <- nth_tabulate in St.
    - destruct out as [X | out]; [discriminate |].
      destruct (has_pair (proj1 M)) as (w1 & w2 & -> & H1 & H2).
      destruct (@write_parts ie l (DPair d1 d2) a d1 (APair1 a) (cons L) d2 (APair2 a) (cons R)
                  (copy p d1 (APair1 a) (VFst v) l) (copy p d2 (APair2 a) (VSnd v) l) w1 w2 m)
        as (m' & X & St1 & St2 & F); auto using part_pair1, part_pair2.
      + discriminate.
      + eapply IH1; eauto using usable_part, part_pair1. apply (match_fst M).
      + intros m' F use'. eapply IH2; eauto. change w2 with (snd_of (Two w1 w2)).
        eapply match_snd, matches_ext; [exact Hv | | reflexivity | exact M].
        intros r q HR. eapply frame_root; [exact F | auto |]. intros ->; auto.
      + exists m'. split; auto. split; auto. intros q q' lf W.
        destruct q as [| [j | |] q]; cbn in lf; try tauto;
          [apply (St1 q q' lf W) | apply (St2 q q' lf W)].
  Qed.
End Loop.
