(** * The gather form computes the scatter form *)

From Coq Require Import Bool List Lia Arith ZArith Ring Ring_theory.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof.
From Calque Require Import kernel.Grad kernel.GradProof kernel.Gather kernel.GatherIx.
Import ListNotations.
Open Scope Z_scope.
Section Proof.
  Variable K : ring.
  Add Ring K : (r_laws K).
  Notation R := (elt K).
  Declare Scope ring_scope.
  Notation "0" := (r0 K) : ring_scope.
  Notation "1" := (r1 K) : ring_scope.
  Infix "+" := (radd K) : ring_scope.
  Infix "*" := (rmul K) : ring_scope.
  Infix "-" := (rsub K) : ring_scope.
  Notation alg := (alg K).
  Notation ex := (ex alg).
  Notation stmt := (stmt alg).
  Notation store := (store alg).
  Notation eval := (@eval alg).
  Notation sum := (@sum K _).
  Notation term := (term K).

  Ltac kring := apply zero_both; ring.

  Definition eq_holds (rho : list Z) (e : equation) : bool :=
    eval_ix rho (fst e) =? eval_ix rho (snd e).

  (** The summand of a term at a point. *)
  Definition at_point (st : store) (T : term) (rho : list Z) : R :=
    if forallb (eq_holds rho) (eqs T) && forallb (eval_cond rho) (guards T)
    then eval st rho (summand T) else r0 K.

  Definition value (st : store) (T : term) (a : list Z) : R :=
    sum (fun k => at_point st T (k ++ a)) (box (ran T)).

  Lemma eval_guarded st rho l (e : ex) :
    eval st rho (guarded l e) = if forallb (eval_cond rho) l then eval st rho e else r0 K.
  Proof.
    destruct l as [| c l]; [reflexivity |]. simpl.
    replace (eval_cond rho (fold_left CAnd l c)) with
      (eval_cond rho c && forallb (eval_cond rho) l); [reflexivity |].
    revert c. induction l as [| d l IH]; intros c; simpl; [apply andb_true_r |].
    rewrite <- IH. simpl. now rewrite andb_assoc.
  Qed.

  Lemma conditions_hold rho l :
    forallb (eval_cond rho) (conditions l) = forallb (eq_holds rho) l.
  Proof. unfold conditions. now rewrite forallb_map. Qed.

  Theorem term_ex_value st T a : eval st a (term_ex T) = value st T a.
  Proof.
    unfold value, at_point, term_ex. destruct (ran T) as [| n ns].
    - rewrite eval_guarded, forallb_app, conditions_hold. symmetry.
      etransitivity; [apply (Radd_comm (r_laws K)) | apply (Radd_0_l (r_laws K))].
    - rewrite eval_sum. apply sum_ext. intros k _.
      now rewrite eval_guarded, forallb_app, conditions_hold.
  Qed.

  Lemma value_ext st T T' a :
    ran T = ran T' ->
    (forall k, In k (box (ran T)) -> at_point st T (k ++ a) = at_point st T' (k ++ a)) ->
    value st T a = value st T' a.
  Proof. intros same pt. unfold value. rewrite <- same. now apply sum_ext. Qed.

  (** *** Point and stride *)

  Lemma sum_point (n : nat) (x : Z) (f : Z -> R) :
    sum (fun z => if Z.of_nat z =? x then f (Z.of_nat z) else r0 K) (seq 0 n) =
    if (0 <=? x) && (x <? Z.of_nat n) then f x else r0 K.
  Proof.
    destruct (Z.leb_spec 0 x), (Z.ltb_spec x (Z.of_nat n)); simpl.
    - rewrite <- (Z2Nat.id x) by lia.
      rewrite (sum_ext K _ (fun z => if (Z.to_nat x =? z)%nat then f (Z.of_nat z) else r0 K)).
      + apply (sum_pick K Nat.eqb (fun z => f (Z.of_nat z))).
        * intros z. apply Nat.eqb_spec.
        * apply seq_NoDup.
        * apply in_seq. lia.
      + intros z _. destruct (Z.eqb_spec (Z.of_nat z) (Z.of_nat (Z.to_nat x))),
          (Nat.eqb_spec (Z.to_nat x) z); (reflexivity || lia).
    - apply sum_zero. intros z inz. apply in_seq in inz.
      destruct (Z.eqb_spec (Z.of_nat z) x); [lia | reflexivity].
    - apply sum_zero. intros z inz.
      destruct (Z.eqb_spec (Z.of_nat z) x); [lia | reflexivity].
    - apply sum_zero. intros z inz.
      destruct (Z.eqb_spec (Z.of_nat z) x); [lia | reflexivity].
  Qed.

  Lemma best_sound rho j e x cs :
    best j e = Some (x, cs) ->
    mentions j x = false /\
    (eq_holds rho e = true <->
     nth j rho 0%Z = eval_ix rho x /\ forallb (eval_cond rho) cs = true).
  Proof.
    unfold best, eq_holds. rewrite Z.eqb_eq. intros H.
    destruct (mentions j (snd e)).
    - destruct (mentions j (fst e)); [discriminate |].
      destruct (solve j (snd e) (fst e)) as [[y ds] |] eqn:E; [| discriminate].
      destruct (mentions j y) eqn:M; [discriminate |]. injection H as <- <-.
      split; [exact M |]. rewrite <- (solve_sound rho _ _ _ _ _ E). intuition.
    - destruct (solve j (fst e) (snd e)) as [[y ds] |] eqn:E.
      + destruct (mentions j y) eqn:M.
        * destruct (mentions j (fst e)); [discriminate |].
          destruct (solve j (snd e) (fst e)) as [[y' ds'] |] eqn:E'; [| discriminate].
          destruct (mentions j y') eqn:M'; [discriminate |]. injection H as <- <-.
          split; [exact M' |]. rewrite <- (solve_sound rho _ _ _ _ _ E'). intuition.
        * injection H as <- <-. split; [exact M |].
          now rewrite <- (solve_sound rho _ _ _ _ _ E).
      + destruct (mentions j (fst e)); [discriminate |].
        destruct (solve j (snd e) (fst e)) as [[y' ds'] |] eqn:E'; [| discriminate].
        destruct (mentions j y') eqn:M'; [discriminate |]. injection H as <- <-.
        split; [exact M' |]. rewrite <- (solve_sound rho _ _ _ _ _ E'). intuition.
  Qed.

  Lemma subst_eq_holds rho f e :
    eq_holds rho (subst_eq f e) = eq_holds (map (eval_ix rho) f) e.
  Proof. unfold eq_holds, subst_eq. simpl. now rewrite !eval_subst_ix. Qed.

  Theorem eliminate_correct st m j T T' a :
    length a = m -> eliminate m j T = Some T' -> value st T' a = value st T a.
  Proof.
    intros len H. unfold eliminate in H.
    destruct (nth_error (ran T) j) as [n |] eqn:N; [| discriminate].
    destruct (pick (best j) [] (eqs T)) as [| [[pre [x cs]] post] rest] eqn:P; [discriminate |].
    destruct (pick_sound (best j) (eqs T) [] pre (x, cs) post) as (e & mid & be & epre & E).
    { rewrite P. now left. }
    simpl in epre. subst mid. clear P rest.
    apply nth_error_split in N as (l1 & l2 & L & lenj).
    set (x' := simp_ix (subst_ix (insertion j (ICst 0) (length (ran T) + m)) x)) in *.
    set (f := insertion j x' (length (ran T) + m)) in *.
    injection H as <-. unfold value. cbn [ran].
    replace (remove_at j (ran T)) with (l1 ++ l2)
      by (rewrite L, <- lenj; symmetry; apply remove_at_app).
    rewrite L, !sum_box_app. apply sum_ext. intros k1 ink1. apply box_length in ink1.
    simpl box. rewrite sum_flat_map.
    transitivity (sum (fun z => sum (fun k2 =>
        at_point st T ((k1 ++ Z.of_nat z :: k2) ++ a)) (box l2)) (seq 0 n)).
    2: { apply sum_ext. intros z _. now rewrite sum_map. }
    rewrite sum_swap. apply sum_ext. intros k2 ink2. apply box_length in ink2.
    set (X := eval_ix ((k1 ++ k2) ++ a) x').
    assert (HX : forall z, eval_ix ((k1 ++ z :: k2) ++ a) x = X).
    { intros z. unfold X, x'. rewrite simp_ix_eval, eval_subst_ix.
      rewrite <- !app_assoc. simpl app. rewrite insertion_eval;
        [| congruence | rewrite L; rewrite !app_length; simpl; rewrite ?app_length; lia].
      apply mentions_free with (j := j); [congruence |].
      now apply (best_sound [] j e x cs). }
    assert (Hf : map (eval_ix ((k1 ++ k2) ++ a)) f = (k1 ++ X :: k2) ++ a).
    { unfold f. rewrite <- !app_assoc. simpl app. rewrite insertion_eval;
        [| congruence | rewrite L; rewrite !app_length; simpl; rewrite ?app_length; lia].
      unfold X. now rewrite <- app_assoc. }
    (* the point of T at z, in terms of z = X *)
    set (P := fun z => forallb (eq_holds ((k1 ++ z :: k2) ++ a)) (pre ++ post) &&
      (forallb (eval_cond ((k1 ++ z :: k2) ++ a)) (cs ++ guards T))).
    set (W := fun z => if P z then eval st ((k1 ++ z :: k2) ++ a) (summand T) else r0 K).
    rewrite (sum_ext K (fun z => at_point st T ((k1 ++ Z.of_nat z :: k2) ++ a))
      (fun z => if Z.of_nat z =? X then W (Z.of_nat z) else r0 K)).
    - rewrite (sum_point n X W). unfold W, at_point. cbn [eqs guards summand forallb eval_cond].
      rewrite forallb_map.
      rewrite (forallb_ext _ (eq_holds ((k1 ++ X :: k2) ++ a)))
        by (intros q; rewrite subst_eq_holds, Hf; reflexivity).
      rewrite (forallb_map (eval_cond _)).
      rewrite (forallb_ext _ (eval_cond ((k1 ++ X :: k2) ++ a)))
        by (intros q; rewrite eval_subst_cond, Hf; reflexivity).
      rewrite eval_subst, Hf. fold X. simpl eval_ix.
      unfold P. cbn [eval_cmp].
      destruct (forallb (eq_holds _) (pre ++ post)), (forallb (eval_cond _) (cs ++ guards T)),
        ((0 <=? X)%Z), ((X <? Z.of_nat n)%Z); reflexivity.
    - intros z _. set (rho := (k1 ++ Z.of_nat z :: k2) ++ a).
      unfold at_point, W, P. fold rho. rewrite E.
      rewrite !forallb_app. cbn [forallb].
      destruct (best_sound rho j e x cs be) as [_ Hb].
      assert (nthj : nth j rho 0%Z = Z.of_nat z).
      { unfold rho. rewrite <- app_assoc, app_nth2 by lia.
        now replace (j - length k1)%nat with O by lia. }
      rewrite nthj in Hb. unfold rho in Hb at 2. rewrite HX in Hb.
      replace (eq_holds rho e) with ((Z.of_nat z =? X)%Z && forallb (eval_cond rho) cs).
      2: { apply bool_iff. rewrite andb_true_iff, Z.eqb_eq. now symmetry. }
      destruct (Z.of_nat z =? X)%Z, (forallb (eq_holds rho) pre), (forallb (eq_holds rho) post),
        (forallb (eval_cond rho) cs), (forallb (eval_cond rho) (guards T)); reflexivity.
  Qed.

  (** *** Digits *)

  Lemma quotient_sound e f c s :
    quotient e = Some (f, c, s) -> e = (IDiv f c, s) /\ (0 < c)%Z.
  Proof.
    destruct e as [[] t]; simpl; try discriminate.
    destruct (Z.ltb_spec 0 k); [| discriminate]. intros E. injection E as <- <- <-. auto.
  Qed.

  Lemma remainder_sound f c e t : remainder f c e = Some t -> e = (IMod f c, t).
  Proof.
    destruct e as [[] t']; simpl; try discriminate.
    destruct (ix_eqb f a && (c =? k)%Z) eqn:E; [| discriminate].
    apply andb_true_iff in E as [E E']. apply ix_eqb_eq in E. apply Z.eqb_eq in E'. subst.
    intros E. now injection E as <-.
  Qed.

  Theorem digit_pair_correct st T T' a :
    digit_pair T = Some T' -> value st T' a = value st T a.
  Proof.
    unfold digit_pair. intros H.
    remember (pick quotient [] (eqs T)) as ps eqn:from.
    assert (all : forall p, In p ps -> In p (pick quotient [] (eqs T)))
      by (intros p; now rewrite from).
    clear from.
    induction ps as [| [[pre [[f c] s]] post] ps IH]; simpl in H; [discriminate |].
    destruct (pick (remainder f c) [] (pre ++ post)) as [| [[pre' t] post'] more] eqn:P.
    { apply IH; [exact H |]. intros p inp. apply all. now right. }
    injection H as <-.
    destruct (pick_sound quotient (eqs T) [] pre (f, c, s) post) as (e & mid & qe & epre & E).
    { apply all. now left. }
    simpl in epre. subst mid. apply quotient_sound in qe as [-> pos].
    destruct (pick_sound (remainder f c) (pre ++ post) [] pre' t post')
      as (e & mid & re & epre & E').
    { rewrite P. now left. }
    simpl in epre. subst mid. apply remainder_sound in re as ->.
    apply value_ext; [reflexivity |]. cbn [ran]. intros k _.
    unfold at_point. cbn [eqs guards summand forallb eval_cond]. rewrite E.
    set (rho := k ++ a).
    rewrite forallb_mid, E', forallb_mid.
    pose proof (digit_eq (eval_ix rho f) c (eval_ix rho s) (eval_ix rho t) pos) as D.
    match goal with |- (if ?x then _ else _) = (if ?y then _ else _) =>
      replace x with y; [reflexivity |] end.
    generalize (forallb (eq_holds rho) (pre' ++ post')), (forallb (eval_cond rho) (guards T)).
    intros b b'. apply bool_iff. rewrite !andb_true_iff. unfold eq_holds. simpl.
    rewrite !Z.eqb_eq, Z.leb_le, Z.ltb_lt. tauto.
  Qed.

  (** A new first variable. *)
  Lemma eval_up k z a n :
    length (k ++ a) = n -> map (eval_ix ((z :: k) ++ a)) (map IVar (seq 1 n)) = k ++ a.
  Proof. intros <-. exact (eval_vars_from [z] (k ++ a) 1 eq_refl). Qed.

  Lemma value_new st (n : nat) ns q gs (w : ex) a :
    value st (Term (n :: ns) q gs w) a =
    sum (fun k => sum (fun z => at_point st (Term (n :: ns) q gs w)
                                  ((Z.of_nat z :: k) ++ a)) (seq 0 n)) (box ns).
  Proof.
    unfold value. cbn [ran box]. rewrite sum_flat_map, sum_swap.
    apply sum_ext. intros z _. now rewrite sum_map.
  Qed.

  Theorem digit_div_correct st m T T' a :
    length a = m -> digit_div m T = Some T' -> value st T' a = value st T a.
  Proof.
    intros len H. unfold digit_div in H.
    destruct (pick quotient [] (eqs T)) as [| [[pre [[f c] s]] post] rest] eqn:P; [discriminate |].
    destruct (pick_sound quotient (eqs T) [] pre (f, c, s) post) as (e & mid & qe & epre & E).
    { rewrite P. now left. }
    simpl in epre. subst mid. apply quotient_sound in qe as [-> pos].
    injection H as <-. set (up := map IVar (seq 1 (length (ran T) + m))).
    rewrite value_new. unfold value. apply sum_ext. intros k ink. apply box_length in ink.
    assert (Hup : forall z, map (eval_ix ((z :: k) ++ a)) up = k ++ a).
    { intros z. apply eval_up. rewrite app_length. congruence. }
    set (rho := k ++ a) in *.
    set (F := eval_ix rho f). set (s' := eval_ix rho s).
    set (B := forallb (eq_holds rho) (pre ++ post) && forallb (eval_cond rho) (guards T)).
    set (W := fun _ : Z => if B then eval st rho (summand T) else r0 K).
    rewrite (sum_ext K _ (fun z => if Z.of_nat z =? F - s' * c then W (Z.of_nat z) else r0 K)).
    - rewrite (sum_point _ _ W). unfold W, at_point. rewrite E, Z2Nat.id by lia.
      rewrite forallb_mid. unfold eq_holds at 1. cbn [fst snd eval_ix].
      fold F. fold s'.
      replace ((0 <=? F - s' * c) && (F - s' * c <? c))%Z with (F / c =? s')%Z.
      2: { apply bool_iff. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt, Z.eqb_eq.
           pose proof (digit_eq F c s' (F - s' * c) pos). split.
           - intros <-. pose proof (Z.div_mod F c ltac:(lia)).
             pose proof (Z.mod_pos_bound F c pos). nia.
           - intros lt. apply H. lia. }
      unfold B. destruct (F / c =? s')%Z; [| reflexivity]. reflexivity.
    - intros z _. unfold W, at_point. cbn [eqs guards summand forallb].
      rewrite forallb_map.
      rewrite (forallb_ext _ (eq_holds rho))
        by (intros q; rewrite subst_eq_holds, Hup; reflexivity).
      rewrite (forallb_map (eval_cond _)).
      rewrite (forallb_ext _ (eval_cond rho))
        by (intros q; rewrite eval_subst_cond, Hup; reflexivity).
      rewrite eval_subst, Hup.
      unfold eq_holds at 1. cbn [fst snd eval_ix]. rewrite !eval_subst_ix, Hup.
      fold F. fold s'. simpl nth.
      replace (F =? s' * c + Z.of_nat z)%Z with (Z.of_nat z =? F - s' * c)%Z.
      2: { apply bool_iff. rewrite !Z.eqb_eq. lia. }
      unfold B. now destruct (Z.of_nat z =? F - s' * c)%Z.
  Qed.

  Theorem digit_mod_correct st D T T' a :
    In a (box D) -> digit_mod D T = Some T' -> value st T' a = value st T a.
  Proof.
    intros ina H. pose proof (box_length _ _ ina) as len. unfold digit_mod in H.
    destruct (pick _ [] (eqs T)) as [| [[pre [[[f c] t] h]] post] rest] eqn:P; [discriminate |].
    destruct (pick_sound (modulus (box_facts 0 (ran T ++ D))) (eqs T) [] pre (f, c, t, h) post)
      as (e & mid & me & epre & E).
    { rewrite P. now left. }
    simpl in epre. subst mid.
    assert (M : e = (IMod f c, t) /\ (0 < c)%Z /\
      exists l, range (box_facts 0 (ran T ++ D)) f = Some (l, h) /\ (0 <= l)%Z).
    { destruct e as [[] t']; simpl in me; try discriminate.
      destruct (Z.ltb_spec 0 k); [| discriminate].
      destruct (range _ a0) as [[l h'] |] eqn:Rg; [| discriminate].
      destruct (Z.leb_spec 0 l); [| discriminate]. destruct (Z.leb_spec l h'); [| discriminate].
      injection me as <- <- <- <-. eauto. }
    destruct M as (-> & pos & l & Rg & l0).
    injection H as <-. set (up := map IVar (seq 1 (length (ran T) + length D))).
    rewrite value_new. unfold value. apply sum_ext. intros k ink.
    pose proof (box_length _ _ ink) as lenk.
    assert (Hup : forall z, map (eval_ix ((z :: k) ++ a)) up = k ++ a).
    { intros z. apply eval_up. rewrite app_length. congruence. }
    assert (bounds : (0 <= eval_ix (k ++ a) f <= h)%Z).
    { pose proof (box_facts_sound (ran T ++ D) [] (k ++ a) []) as G.
      rewrite app_nil_r in G. simpl in G.
      rewrite in_box_app, (proj1 (in_box_box _ k) ink), (proj1 (in_box_box _ a) ina) in G
        by exact lenk.
      specialize (G eq_refl). pose proof (range_sound _ _ _ G _ Rg) as here.
      unfold inside in here. simpl in here. lia. }
    set (rho := k ++ a) in *.
    set (F := eval_ix rho f) in *. set (t' := eval_ix rho t).
    set (B := ((0 <=? t') && (t' <? c))%Z && (forallb (eq_holds rho) (pre ++ post) &&
              forallb (eval_cond rho) (guards T))).
    set (W := fun z => if (F =? z * c + t')%Z && B then eval st rho (summand T) else r0 K).
    rewrite (sum_ext K _ (fun z => if Z.of_nat z =? F / c then W (Z.of_nat z) else r0 K)).
    - rewrite (sum_point _ _ W). unfold W, at_point. rewrite E.
      rewrite forallb_mid. unfold eq_holds at 1. cbn [fst snd eval_ix].
      fold F. fold t'.
      assert (small : (0 <= F / c <= h / c)%Z).
      { split; [apply Z.div_pos; lia | apply Z.div_le_mono; lia]. }
      rewrite Z2Nat.id by lia.
      replace ((0 <=? F / c) && (F / c <? h / c + 1))%Z with true
        by (symmetry; rewrite andb_true_iff, Z.leb_le, Z.ltb_lt; lia).
      unfold B. pose proof (digit_eq F c (F / c) t' pos) as Dg.
      replace ((F =? F / c * c + t')%Z && (((0 <=? t') && (t' <? c))%Z &&
          (forallb (eq_holds rho) (pre ++ post) && forallb (eval_cond rho) (guards T)))) with
        ((F mod c =? t')%Z && forallb (eq_holds rho) (pre ++ post) &&
         forallb (eval_cond rho) (guards T)); [reflexivity |].
      apply bool_iff. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt, !Z.eqb_eq. tauto.
    - intros z _. unfold W, at_point. cbn [eqs guards summand forallb eval_cond].
      rewrite forallb_map.
      rewrite (forallb_ext _ (eq_holds rho))
        by (intros q; rewrite subst_eq_holds, Hup; reflexivity).
      rewrite (forallb_map (eval_cond _)).
      rewrite (forallb_ext _ (eval_cond rho))
        by (intros q; rewrite eval_subst_cond, Hup; reflexivity).
      rewrite eval_subst, Hup.
      unfold eq_holds at 1. cbn [fst snd eval_ix eval_cmp]. rewrite !eval_subst_ix, Hup.
      fold F. fold t'. simpl nth. unfold B.
      destruct (Z.eqb_spec (Z.of_nat z) (F / c)) as [-> | ne].
      + destruct (F =? F / c * c + t')%Z, ((0 <=? t')%Z), ((t' <? c)%Z),
          (forallb (eq_holds rho) (pre ++ post)), (forallb (eval_cond rho) (guards T)); reflexivity.
      + destruct (Z.leb_spec 0 t'), (Z.ltb_spec t' c), (Z.eqb_spec F (Z.of_nat z * c + t')); simpl;
          rewrite ?andb_false_r; try reflexivity.
        exfalso. apply ne. apply Z.div_unique with t'; lia.
  Qed.

  (** *** All steps *)

  Lemma step_correct st D T T' a :
    In a (box D) -> step D T = Some T' -> value st T' a = value st T a.
  Proof.
    intros ina. pose proof (box_length _ _ ina) as len. unfold step, or_else.
    destruct (digit_pair T) as [T1 |] eqn:E1.
    { intros E. injection E as <-. now apply digit_pair_correct. }
    destruct (fold_right _ None (by_extent (ran T))) as [T2 |] eqn:E2.
    { intros E. injection E as <-. revert E2.
      induction (by_extent (ran T)) as [| j js IH]; simpl; [discriminate |].
      destruct (eliminate (length D) j T) as [T3 |] eqn:E3; [| exact IH].
      intros E. injection E as <-. now apply eliminate_correct with (2 := E3). }
    destruct (digit_div (length D) T) as [T4 |] eqn:E4.
    { intros E. injection E as <-. now apply digit_div_correct with (2 := E4). }
    intros E. now apply digit_mod_correct with (2 := E).
  Qed.

  Lemma steps_correct st D a : In a (box D) ->
    forall n T, value st (steps n D T) a = value st T a.
  Proof.
    intros ina. induction n as [| n IH]; intros T; simpl; [reflexivity |].
    destruct (step D T) as [T' |] eqn:E; [| reflexivity].
    now rewrite IH, (step_correct st D T T' a ina E).
  Qed.

  Lemma tidy_correct st D T a : In a (box D) -> value st (tidy D T) a = value st T a.
  Proof.
    intros ina. apply value_ext; [reflexivity |]. cbn [ran tidy]. intros k ink.
    unfold at_point. cbn [eqs guards summand tidy forallb]. simpl andb at 1.
    rewrite <- conditions_hold, <- forallb_app.
    generalize (conditions (eqs T) ++ guards T). intros l.
    replace (forallb _ (filter _ _)) with (forallb (eval_cond (k ++ a)) l); [reflexivity |].
    assert (G : holds (k ++ a) (box_facts 0 (ran T ++ D))).
    { pose proof (box_facts_sound (ran T ++ D) [] (k ++ a) []) as G.
      rewrite app_nil_r in G. apply G. rewrite in_box_app by now apply box_length.
      now rewrite (proj1 (in_box_box _ k) ink), (proj1 (in_box_box _ a) ina). }
    induction l as [| c l IH]; [reflexivity |]. simpl.
    rewrite <- (simp_cond_eval (k ++ a) c).
    destruct (surely _ (simp_cond c)) eqn:E; simpl; [| now rewrite IH].
    rewrite (surely_sound _ _ _ G E). exact IH.
  Qed.

  Theorem solved_correct st D T a : In a (box D) -> value st (solved D T) a = value st T a.
  Proof. intros ina. unfold solved. now rewrite tidy_correct, steps_correct. Qed.

  (** *** The universal gather *)

  Lemma equations_hold k a l : 
    length l = length a ->
    forallb (eq_holds (k ++ a))
      (combine (map (subst_ix (map IVar (seq 0 (length k)))) l)
               (map IVar (seq (length k) (length a)))) =
    tuple_eqb (map (eval_ix k) l) a.
  Proof.
    intros len.
    assert (H : forall l a pre, length l = length a ->
      forallb (eq_holds (k ++ pre ++ a))
        (combine (map (subst_ix (map IVar (seq 0 (length k)))) l)
                 (map IVar (seq (length (k ++ pre)) (length a)))) =
      tuple_eqb (map (eval_ix k) l) a).
    { clear. induction l as [| x l IH]; intros [| z a] pre len; try discriminate; [reflexivity |].
      cbn [map length seq combine forallb tuple_eqb].
      f_equal.
      - unfold eq_holds. cbn [fst snd]. rewrite eval_subst_ix.
        rewrite eval_vars. f_equal. cbn [eval_ix].
        rewrite app_assoc, app_nth2, Nat.sub_diag by lia. reflexivity.
      - specialize (IH a (pre ++ [z])). rewrite <- app_assoc in IH. simpl in IH.
        rewrite <- IH by (simpl in len; lia). f_equal. f_equal. f_equal. f_equal.
        rewrite !app_length. simpl. lia. }
    specialize (H l a [] len). now rewrite app_nil_r in H.
  Qed.

  Theorem universal_correct (st : store) d (D : list nat) (c : contribution K) (a : list Z) :
    length (at_ c) = length a -> length a = length D ->
    value st (universal d (length D) c) a =
    sum (fun k => if tuple_eqb (map (eval_ix k) (at_ c)) a then eval st k (weight c) else r0 K)
        (points K d c).
  Proof.
    intros len lenD. unfold value, universal, points. cbn [ran]. apply sum_ext. intros k ink.
    apply box_length in ink. unfold at_point. cbn [eqs guards summand forallb].
    rewrite <- ink, <- lenD, equations_hold, andb_true_r by exact len.
    rewrite eval_subst, eval_vars. reflexivity.
  Qed.

  (** ** Simplification *)

  Lemma is_cst_eval z (e : ex) st rho : is_cst z e = true -> eval st rho e = z.
  Proof. destruct e; simpl; try discriminate. apply req_eq. Qed.

  Lemma mk_bin_eval o (a b : ex) st rho :
    eval st rho (mk_bin o a b) = arith_value K o (eval st rho a) (eval st rho b).
  Proof.
    destruct o; simpl;
      repeat match goal with
      | |- context [is_cst ?z ?e] =>
          let E := fresh in destruct (is_cst z e) eqn:E; simpl;
            [apply (fun H => is_cst_eval z e st rho H) in E; rewrite E |]
      end; kring || reflexivity.
  Qed.

  Theorem simp_correct (e : ex) st : forall rho, eval st rho (simp e) = eval st rho e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros rho.
    - reflexivity.
    - simpl. f_equal. rewrite map_map. apply map_ext. intros x. apply simp_ix_eval.
    - simpl simp. now rewrite mk_bin_eval, IHa, IHb.
    - simpl. f_equal. rewrite map_map. apply map_ext_in. intros a ina.
      rewrite Forall_forall in IH. now apply IH.
    - simpl. destruct (is_cst (r0 K) (simp a) && is_cst (r0 K) (simp b)) eqn:E.
      + apply andb_true_iff in E as [Ea Eb].
        rewrite <- IHa, <- IHb, (is_cst_eval _ _ st rho Ea), (is_cst_eval _ _ st rho Eb).
        now destruct (eval_cond rho c).
      + simpl. now rewrite simp_cond_eval, IHa, IHb.
    - destruct r as [| o].
      + rewrite eval_sum. cbn [simp]. destruct (is_cst (r0 K) (simp e)) eqn:E.
        * symmetry. apply sum_zero. intros k _. rewrite <- IH. now apply is_cst_eval.
        * rewrite eval_sum. apply sum_ext. intros k _. apply IH.
      + simpl. apply fold_left_ext_in. intros acc k _. now rewrite IH.
  Qed.

  (** ** Gather = scatter *)

  Lemma eval_add_all st rho (l : list ex) :
    eval st rho (add_all l) = sum (eval st rho) l.
  Proof. induction l as [| e l IH]; [reflexivity |]. simpl. now rewrite <- IH. Qed.

  (** The gathered gradient is the scattered one, at every cell. *)
  Theorem gather_eq_scatter (s : stmt) (v t : tid) (D : list nat) (st : store) a :
    in_box D a = true ->
    eval st a (gather_body s v t D) = scatter s v st t a.
  Proof.
    intros ina. pose proof (in_box_length _ _ ina) as len.
    unfold gather_body. rewrite simp_correct, eval_add_all, sum_map, scatter_iverson.
    generalize (contributions s v). intros cs.
    induction cs as [| c cs IH]; [reflexivity |].
    simpl filter. unfold relevant at 1. cbn [Grad.sum fold_right]. fold (sum (hits K st (dims s) t a) cs).
    simpl. rewrite <- IH. unfold hits.
    destruct (target c =? t)%nat; simpl; [| kring].
    destruct (Nat.eqb_spec (length (at_ c)) (length D)) as [eq | ne]; simpl.
    - f_equal. rewrite term_ex_value, solved_correct by now apply in_box_box.
      now apply universal_correct; [congruence |].
    - symmetry. etransitivity;
        [apply f_equal2; [apply sum_zero | reflexivity] | apply (Radd_0_l (r_laws K))].
      intros k _. destruct (tuple_eqb_spec (map (eval_ix k) (at_ c)) a) as [E |]; [| reflexivity].
      exfalso. apply ne. rewrite <- len, <- E. now rewrite map_length.
  Qed.

  (** Executed as a statement, it fills the gradient tensor. *)
  Theorem gather_exec (s : stmt) (v t : tid) (D : list nat) (dt : tid) (st : store) a :
    in_box D a = true ->
    exec (gather s v t D dt) st dt a = scatter s v st t a.
  Proof.
    intros ina. unfold exec, gather. simpl. rewrite upd_same. unfold tabulate. rewrite ina.
    now apply gather_eq_scatter.
  Qed.

  (** ** What the gradient reads *)

  Lemma loads_subst (e : ex) : forall f, loads (subst f e) = loads e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros f; simpl; try reflexivity;
      try (rewrite IHa, IHb; reflexivity); [| apply IH].
    induction IH as [| a l here _ IHl]; simpl; [reflexivity |]. now rewrite here, IHl.
  Qed.

  Lemma sweep_loads (e : ex) : forall n w c,
    In c (sweep n e w) -> incl (loads (weight c)) (loads w ++ loads e).
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros n w k ink.
    - contradiction.
    - destruct ink as [<- | []]. simpl. apply incl_appl, incl_refl.
    - intros u inu. destruct o; simpl in ink; apply in_app_iff in ink as [ink | ink];
        (apply IHa in ink || apply IHb in ink); apply ink in inu; simpl in inu |- *;
        repeat rewrite in_app_iff in inu; repeat rewrite in_app_iff; tauto.
    - cbn [sweep] in ink. cbn [loads].
      assert (H : forall rest i, incl rest l ->
        In k ((fix go i rest :=
              match rest with
              | [] => []
              | a :: rest' =>
                  sweep n a (bin Mul w (@EFn alg (partial K f i) l)) ++ go (S i) rest'
              end) i rest) -> incl (loads (weight k)) (loads w ++ flat_map loads l)).
      { induction rest as [| a rest IHr]; intros i sub ink'; [contradiction |].
        apply in_app_iff in ink' as [ink' | ink'].
        - rewrite Forall_forall in IH. intros u inu.
          apply (IH a (sub a (or_introl eq_refl)) _ _ _ ink') in inu.
          simpl in inu. repeat rewrite in_app_iff in inu. apply in_or_app.
          destruct inu as [[] |]; auto. right. apply in_flat_map. exists a.
          split; [apply sub; now left | assumption].
        - eapply IHr; [| exact ink']. intros y iny. apply sub. now right. }
      exact (H l O (incl_refl l) ink).
    - intros u inu. simpl in ink. apply in_app_iff in ink as [ink | ink];
        (apply IHa in ink || apply IHb in ink); apply ink in inu; simpl in inu |- *;
        repeat rewrite in_app_iff in inu; repeat rewrite in_app_iff; simpl in *; tauto.
    - destruct r; [| contradiction]. cbn [sweep] in ink.
      apply in_map_iff in ink as (c & <- & inc). simpl. intros u inu.
      apply (IH _ _ _ inc) in inu. unfold shifted in inu. now rewrite loads_subst in inu.
  Qed.

  Lemma loads_mk_bin o (a b : ex) : incl (loads (mk_bin o a b)) (loads a ++ loads b).
  Proof.
    destruct o; simpl;
      repeat match goal with |- context [if ?c then _ else _] => destruct c end; simpl;
      auto using incl_refl, incl_appl, incl_appr, incl_nil_l.
  Qed.

  Lemma loads_simp (e : ex) : incl (loads (simp e)) (loads e).
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind.
    - apply incl_refl.
    - apply incl_refl.
    - simpl simp. eapply incl_tran; [apply loads_mk_bin |]. simpl. now apply incl_app_app.
    - simpl. intros u inu. apply in_flat_map in inu as (a & ina & inu).
      apply in_map_iff in ina as (b & <- & inb). apply in_flat_map. exists b.
      rewrite Forall_forall in IH. split; [exact inb |]. now apply IH.
    - simpl. destruct (_ && _); simpl; [apply incl_nil_l | now apply incl_app_app].
    - destruct r; simpl; [| exact IH]. destruct (is_cst _ _); simpl; [apply incl_nil_l | exact IH].
  Qed.

  Lemma step_loads D (T T' : term) : step D T = Some T' -> loads (summand T') = loads (summand T).
  Proof.
    unfold step, or_else.
    destruct (digit_pair T) as [T1 |] eqn:E1.
    { intros E. injection E as <-. unfold digit_pair in E1. revert E1.
      induction (pick quotient [] (eqs T)) as [| [[pre [[f c] s]] post] ps IH]; simpl;
        [discriminate |].
      destruct (pick (remainder f c) [] (pre ++ post)) as [| [[pre' t] post'] more];
        [exact IH |].
      intros E. now injection E as <-. }
    destruct (fold_right _ None (by_extent (ran T))) as [T2 |] eqn:E2.
    { intros E. injection E as <-. revert E2.
      induction (by_extent (ran T)) as [| j js IH]; simpl; [discriminate |].
      destruct (eliminate (length D) j T) as [T3 |] eqn:E3; [| exact IH].
      intros E. injection E as <-. revert E3. unfold eliminate.
      destruct (nth_error (ran T) j); [| discriminate].
      destruct (pick (best j) [] (eqs T)) as [| [[pre [x cs]] post] rest]; [discriminate |].
      intros E. injection E as <-. simpl. apply loads_subst. }
    destruct (digit_div (length D) T) as [T4 |] eqn:E4.
    { intros E. injection E as <-. revert E4. unfold digit_div.
      destruct (pick quotient [] (eqs T)) as [| [[pre [[f c] s]] post] rest]; [discriminate |].
      intros E. injection E as <-. simpl. apply loads_subst. }
    unfold digit_mod.
    destruct (pick _ [] (eqs T)) as [| [[pre [[[f c] t] h]] post] rest]; [discriminate |].
    intros E. injection E as <-. simpl. apply loads_subst.
  Qed.

  Lemma loads_term (T : term) : incl (loads (term_ex T)) (loads (summand T)).
  Proof.
    assert (H : forall l (e : ex), incl (loads (guarded l e)) (loads e)).
    { intros [| c l] e; simpl; rewrite ?app_nil_r; apply incl_refl. }
    unfold term_ex. destruct (ran T); apply H.
  Qed.

  (** A gradient reads the gradient of the output and what the statement reads. *)
  Theorem needed_loads (s : stmt) (v t : tid) (D : list nat) :
    incl (needed s v t D) (v :: loads (body s)).
  Proof.
    unfold needed, gather_body. eapply incl_tran; [apply loads_simp |].
    intros u inu.
    assert (H : exists c, In c (contributions s v) /\
      In u (loads (term_ex (solved D (universal (dims s) (length D) c))))).
    { induction (contributions s v) as [| c cs IH]; simpl in inu; [contradiction |].
      destruct (relevant t (length D) c).
      - simpl in inu. apply in_app_iff in inu as [inu |]; [exists c; simpl; auto |].
        destruct IH as (c' & inc & inu'); [assumption |]. exists c'. simpl. auto.
      - destruct IH as (c' & inc & inu'); [assumption |]. exists c'. simpl. auto. }
    destruct H as (c & inc & inu'). apply loads_term in inu'.
    assert (E : forall n (T : term), loads (summand (steps n D T)) = loads (summand T)).
    { induction n as [| n IHn]; intros T; simpl; [reflexivity |].
      destruct (step D T) as [T' |] eqn:E; [| reflexivity].
      rewrite IHn. now apply step_loads with (1 := E). }
    unfold solved, tidy in inu'. simpl in inu'. rewrite E in inu'.
    unfold universal in inu'. simpl in inu'. rewrite loads_subst in inu'.
    apply (sweep_loads _ _ _ _ inc) in inu'. exact inu'.
  Qed.

  (** The gradient depends on the needed tensors only. *)
  Theorem grad_needed_inputs (s : stmt) (v t : tid) (D : list nat) (st st' : store) :
    (forall u, In u (needed s v t D) -> forall i, st u i = st' u i) ->
    forall a, in_box D a = true -> scatter s v st t a = scatter s v st' t a.
  Proof.
    intros same a ina. rewrite <- !(gather_eq_scatter s v t D) by exact ina.
    now apply eval_frame.
  Qed.
End Proof.
