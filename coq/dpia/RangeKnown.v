(** * Index ranges from the conditions of branches

    [range_interval] knows the comparisons of the branches that are taken and narrows whole
    indices.  Here a comparison that fails is the opposite one, and every part of an index is
    narrowed: the loads of Concat and Pad, behind selects, are seen to be inside. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require kernel.Kernel kernel.Wf.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Range.
Import ListNotations.
Set Implicit Arguments.

Section RangeKnown.
  Context {N : sizes} {s : sizing N}.
  Notation ctx := (ctx N). Notation ix := (ix N). Notation cond := (cond N).

  Definition facts_of (cb : cond * bool) : list (Kernel.cmp * ix * ix) :=
    if snd cb then conjuncts (fst cb)
    else match fst cb with CCmp c a b => [(Wf.cmp_neg c, a, b)] | CAnd _ _ => [] end.

  Definition known_all (G : ctx) : list (Kernel.cmp * ix * ix) := flat_map facts_of (facts G).

  Definition narrowed (G : ctx) (i : ix) (o : option (Z * Z)) : option (Z * Z) :=
    option_map (fun x => fold_left (narrow G i) (known_all G) x) o.

  Fixpoint interval_known (G : ctx) (i : ix) : option (Z * Z) :=
    let two a b (f : Z * Z -> Z * Z -> Z * Z) :=
      match interval_known G a, interval_known G b with Some x, Some y => Some (f x y) | _, _ => None end in
    narrowed G i
      match i with
      | XVar _ | XCst _ | XSize _ => interval G i
      | XAdd a b => two a b (fun x y => (fst x + fst y, snd x + snd y)%Z)
      | XSub a b => two a b (fun x y => (fst x - snd y, snd x - fst y)%Z)
      | XMul a k =>
          option_map (fun x => if (0 <=? k)%Z then (fst x * k, snd x * k)%Z else (snd x * k, fst x * k)%Z)
                     (interval_known G a)
      | XDiv a k => option_map (fun x => (fst x / Zpos k, snd x / Zpos k)%Z) (interval_known G a)
      | XMod a k => interval G i
      end.

  Definition range_known (G : ctx) (i : ix) (n : size N) : bool :=
    match interval_known G i with
    | Some x => ((0 <=? fst x) && (snd x <? Z.of_nat #n))%Z
    | None => false
    end.

  Lemma cmp_neg_holds c y z : Kernel.eval_cmp c y z = false -> Kernel.eval_cmp (Wf.cmp_neg c) y z = true.
  Proof.
    destruct c; cbn; rewrite ?Z.ltb_ge, ?Z.leb_gt, ?Z.ltb_lt, ?Z.leb_le; try lia; intros E;
      solve [now rewrite E | now apply negb_false_iff].
  Qed.

  Lemma known_all_holds G f : fits G f -> forall k a b, In (k, a, b) (known_all G) ->
    Kernel.eval_cmp k (ixv f a) (ixv f b) = true.
  Proof.
    intros fit k a b H. apply in_flat_map in H as ([c t] & Hc & H). unfold facts_of in H. cbn [fst snd] in H.
    pose proof (proj2 fit c t Hc) as E. destruct t.
    - eapply conjuncts_hold; [exact E | exact H].
    - destruct c as [c i j | c1 c2]; [| destruct H]. destruct H as [H | []]. injection H as <- <- <-.
      now apply cmp_neg_holds.
  Qed.

  Lemma narrowed_sound G f i o : fits G f ->
    (forall lo hi, o = Some (lo, hi) -> (lo <= ixv f i <= hi)%Z) ->
    forall lo hi, narrowed G i o = Some (lo, hi) -> (lo <= ixv f i <= hi)%Z.
  Proof.
    intros fit H lo hi E. unfold narrowed in E. destruct o as [[l h] |]; [| discriminate]. cbn [option_map] in E.
    pose proof (@narrow_sound N s G f i fit (known_all G) (l, h) (known_all_holds fit) (H l h eq_refl)) as B.
    injection E as E. rewrite E in B. exact B.
  Qed.

  Lemma interval_known_sound G f : fits G f ->
    forall i lo hi, interval_known G i = Some (lo, hi) -> (lo <= ixv f i <= hi)%Z.
  Proof.
    intros fit i. induction i; intros lo hi E; cbn [interval_known] in E; revert lo hi E;
      (eapply narrowed_sound; [exact fit |]); intros lo hi E; try exact (interval_sound fit _ E); cbn [ixv].
    - destruct (interval_known G i1) as [[a b] |], (interval_known G i2) as [[c d] |]; try discriminate.
      injection E as <- <-. specialize (IHi1 _ _ eq_refl). specialize (IHi2 _ _ eq_refl). cbn. lia.
    - destruct (interval_known G i1) as [[a b] |], (interval_known G i2) as [[c d] |]; try discriminate.
      injection E as <- <-. specialize (IHi1 _ _ eq_refl). specialize (IHi2 _ _ eq_refl). cbn. lia.
    - destruct (interval_known G i) as [[a b] |]; try discriminate. specialize (IHi _ _ eq_refl).
      cbn [option_map fst snd] in E. destruct (Z.leb_spec 0 k); injection E as <- <-; nia.
    - destruct (interval_known G i) as [[a b] |]; try discriminate. specialize (IHi _ _ eq_refl).
      cbn [option_map fst snd] in E. injection E as <- <-. split; apply Z.div_le_mono; lia.
  Qed.

  Theorem range_known_sound G i n : range_known G i n = true -> in_range G i n.
  Proof.
    unfold range_known. destruct (interval_known G i) as [[lo hi] |] eqn:E; [| discriminate].
    rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. cbn [fst snd]. intros [Hlo Hhi] f fit.
    pose proof (interval_known_sound fit _ E). lia.
  Qed.
End RangeKnown.
