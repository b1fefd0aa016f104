(** * Tidied programs compute the same *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import emit.MiniC emit.Codegen emit.Flat emit.FlatProof emit.Tidy.
Import ListNotations.
Set Implicit Arguments.

Section TidyProof.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation cindex := (cindex N).
  Implicit Types (ie : ienv) (m fm : fstore A).

  Lemma is_number_value c (k : cindex) ie : is_number c k = true -> kev ie k = Some (Z.of_nat c).
  Proof.
    destruct k; cbn; try discriminate; intros E.
    - apply Z.eqb_eq in E. now subst.
    - apply size_eqb_eq in E. subst. now rewrite count_lift.
  Qed.

  Ltac numbers ie :=
    repeat match goal with |- context [if is_number ?c ?k then _ else _] =>
      let B := fresh "B" in
      destruct (is_number c k) eqn:B; [apply is_number_value with (ie := ie) in B |]
    end;
    repeat match goal with
    | H : kev ie ?k = Some _, B : kev ie ?k = Some (Z.of_nat _) |- _ =>
        rewrite H in B; injection B as B
    end.

  Lemma sum_value ie (a b : cindex) x y : kev ie a = Some x -> kev ie b = Some y ->
    kev ie (sum a b) = Some (x + y)%Z.
  Proof.
    intros Ea Eb. unfold sum. numbers ie; cbn [kev]; rewrite ?Ea, ?Eb; cbn [obind]; f_equal; lia.
  Qed.

  Lemma difference_value ie (a b : cindex) x y : kev ie a = Some x -> kev ie b = Some y ->
    kev ie (difference a b) = Some (x - y)%Z.
  Proof.
    intros Ea Eb. unfold difference. numbers ie; cbn [kev]; rewrite ?Ea, ?Eb; cbn [obind];
      f_equal; lia.
  Qed.

  Lemma multiple_value ie (a b : cindex) x y : kev ie a = Some x -> kev ie b = Some y ->
    kev ie (multiple a b) = Some (x * y)%Z.
  Proof.
    intros Ea Eb. unfold multiple. numbers ie; cbn [kev]; rewrite ?Ea, ?Eb; cbn [obind];
      f_equal; subst; nia.
  Qed.

  (** For [f] whichever of the two ways to divide. *)
  Lemma quotient_value ie f (a b : cindex) x y z : kev ie a = Some x -> kev ie b = Some y ->
    kev ie (f a b) = Some z -> (y = 1 -> z = x)%Z -> (x = 0 -> z = 0)%Z ->
    kev ie (quotient f a b) = Some z.
  Proof.
    intros Ea Eb Ef one zero. unfold quotient. numbers ie; rewrite ?Ea; auto; f_equal.
    - symmetry. apply one. lia.
    - rewrite zero; lia.
  Qed.

  Lemma remainder_value ie f (a b : cindex) x y z : kev ie a = Some x -> kev ie b = Some y ->
    kev ie (f a b) = Some z -> (y = 1 -> z = 0)%Z -> (x = 0 -> z = 0)%Z ->
    kev ie (remainder f a b) = Some z.
  Proof.
    intros Ea Eb Ef one zero. unfold remainder. numbers ie; rewrite ?Ea; auto.
    - f_equal. rewrite zero; lia.
    - cbn [kev]. rewrite count_lift. f_equal. symmetry. apply one. lia.
  Qed.

  Lemma tidy_ix_value ie (k : cindex) : forall z, kev ie k = Some z -> kev ie (tidy_ix k) = Some z.
  Proof.
    induction k as [l | y | n | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb
                    | a IHa b IHb | a IHa b IHb]; intros z E; cbn [tidy_ix]; auto;
      cbn [kev] in E; destruct (kev ie a) as [x |]; cbn [obind] in E; try discriminate;
      destruct (kev ie b) as [y |]; cbn [obind] in E; try discriminate;
      specialize (IHa _ eq_refl); specialize (IHb _ eq_refl).
    - injection E as <-. now apply sum_value.
    - injection E as <-. now apply difference_value.
    - injection E as <-. now apply multiple_value.
    - destruct (Z.ltb_spec 0 y) as [pos |]; [injection E as <- | discriminate].
      apply quotient_value with x y; auto.
      + cbn [kev]. rewrite IHa, IHb. cbn [obind]. now rewrite (proj2 (Z.ltb_lt _ _) pos).
      + intros ->. apply Z.div_1_r.
      + intros ->. apply Z.div_0_l. lia.
    - destruct (Z.ltb_spec 0 y) as [pos |]; [injection E as <- | discriminate].
      apply remainder_value with x y; auto.
      + cbn [kev]. rewrite IHa, IHb. cbn [obind]. now rewrite (proj2 (Z.ltb_lt _ _) pos).
      + intros ->. apply Z.mod_1_r.
      + intros ->. apply Z.mod_0_l. lia.
    - destruct ((0 <=? x) && (0 <? y))%Z eqn:B; [injection E as <- | discriminate].
      apply quotient_value with x y; auto.
      + cbn [kev]. rewrite IHa, IHb. cbn [obind]. now rewrite B.
      + intros ->. apply Z.quot_1_r.
      + intros ->. apply Z.quot_0_l. intros ->. now rewrite andb_false_r in B.
    - destruct ((0 <=? x) && (0 <? y))%Z eqn:B; [injection E as <- | discriminate].
      apply remainder_value with x y; auto.
      + cbn [kev]. rewrite IHa, IHb. cbn [obind]. now rewrite B.
      + intros ->. apply Z.rem_1_r.
      + intros ->. apply Z.rem_0_l. intros ->. now rewrite andb_false_r in B.
  Qed.

  Lemma tidy_cond_value ie c : forall b, kholds ie c = Some b -> kholds ie (tidy_cond c) = Some b.
  Proof.
    induction c as [c x y | c1 IH1 c2 IH2]; intros b E; cbn [tidy_cond kholds] in *.
    - destruct (kev ie x) as [v |] eqn:Ex; cbn [obind] in E; [| discriminate].
      destruct (kev ie y) as [w |] eqn:Ey; cbn [obind] in E; [| discriminate].
      now rewrite (tidy_ix_value _ _ Ex), (tidy_ix_value _ _ Ey).
    - destruct (kholds ie c1) as [b1 |]; cbn [obind] in E; [| discriminate].
      rewrite (IH1 _ eq_refl). cbn [obind]. destruct b1; auto.
  Qed.

  Lemma index_eqb_eq (a : cindex) : forall b, index_eqb a b = true -> a = b.
  Proof.
    induction a; intros []; cbn; try discriminate; rewrite ?andb_true_iff; intros E.
    - apply Nat.eqb_eq in E. congruence.
    - apply Z.eqb_eq in E. congruence.
    - apply size_eqb_eq in E. congruence.
    - destruct E. f_equal; auto.
    - destruct E. f_equal; auto.
    - destruct E. f_equal; auto.
    - destruct E. f_equal; auto.
    - destruct E. f_equal; auto.
    - destruct E. f_equal; auto.
    - destruct E. f_equal; auto.
  Qed.

  Definition same m fm : Prop := forall r k, m r k = fm r k.

  Lemma natural_some o j : natural o = Some j -> exists z, o = Some z.
  Proof. destruct o; cbn; [eauto | discriminate]. Qed.

  Lemma natural_tidy ie (k : cindex) (j : nat) :
    natural (kev ie k) = Some j -> natural (kev ie (tidy_ix k)) = Some j.
  Proof.
    intros E. destruct (natural_some _ E) as [z Ez]. rewrite (tidy_ix_value _ _ Ez).
    now rewrite Ez in E.
  Qed.

  Lemma tidy_exp_value ie m fm e : same m fm -> forall x, fev ie m e = Some x ->
    fev ie fm (tidy_exp e) = Some x /\ floads ie (tidy_exp e) = floads ie e.
  Proof.
    intros eq. induction e as [r k | c | o e IH | o e1 IH1 e2 IH2 | c e1 IH1 e2 IH2 |];
      intros x E; cbn [fev tidy_exp floads] in *.
    - destruct (natural (kev ie k)) as [j |] eqn:Ej; cbn [obind] in E; [| discriminate].
      rewrite (natural_tidy _ _ Ej). cbn [obind]. rewrite <- eq. auto.
    - auto.
    - destruct (fev ie m e) as [y |]; cbn [obind] in E; [| discriminate].
      destruct (IH _ eq_refl) as [-> ->]. auto.
    - destruct (fev ie m e1) as [y |]; cbn [obind] in E; [| discriminate].
      destruct (fev ie m e2) as [z |]; cbn [obind] in E; [| discriminate].
      destruct (IH1 _ eq_refl) as [-> ->], (IH2 _ eq_refl) as [-> ->]. auto.
    - destruct (kholds ie c) as [b |] eqn:B; cbn [obind] in E; [| discriminate].
      rewrite (tidy_cond_value _ _ B). cbn [obind]. destruct b; auto.
    - discriminate.
  Qed.

  Lemma ffor_each n f m m' : @ffor A n f m = Some m' ->
    forall i, i < n -> exists m1 m2, f i m1 = Some m2.
  Proof.
    revert m'. induction n as [| n IH]; cbn; intros m' E i lt; [lia |].
    destruct (ffor n f m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
    destruct (Nat.eq_dec i n) as [-> | ne]; eauto. apply (IH m1); auto. lia.
  Qed.

  Lemma ffor_same n (f g : nat -> fstore A -> option (fstore A)) : forall m m' fm,
    (forall i m m' fm, same m fm -> f i m = Some m' ->
       exists fm', g i fm = Some fm' /\ same m' fm') ->
    same m fm -> ffor n f m = Some m' -> exists fm', ffor n g fm = Some fm' /\ same m' fm'.
  Proof.
    induction n as [| n IH]; cbn; intros m m' fm step eq E; [injection E as <-; eauto |].
    destruct (ffor n f m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
    destruct (IH m m1 fm step eq E1) as (fm1 & -> & eq1). cbn. eauto.
  Qed.

  Lemma fapart_less n (F F' : nat -> list faccess) : (forall i, i < n -> incl (F' i) (F i)) ->
    fapart n F = true -> fapart n F' = true.
  Proof.
    unfold fapart. rewrite !forallb_forall. intros sub H i Hi. specialize (H i Hi).
    apply in_seq in Hi. rewrite forallb_forall in H |- *. intros j Hj. specialize (H j Hj).
    apply in_seq in Hj. apply orb_true_iff in H as [H | H]; [now rewrite H |].
    apply orb_true_iff. right. rewrite forallb_forall in H |- *. intros x Hx.
    specialize (H x (sub i ltac:(lia) x Hx)). rewrite forallb_forall in H |- *.
    intros y Hy. apply H, sub; auto. lia.
  Qed.

  Theorem tidy_correct c : forall ie m m' fm, same m fm -> frun ie c m = Some m' ->
    (exists fm', frun ie (tidy c) fm = Some fm' /\ same m' fm') /\
    incl (ftouches ie (tidy c)) (ftouches ie c).
  Proof.
    induction c as [| s1 IH1 s2 IH2 | r k e | r d b IH | p l n b IH | c s1 IH1 s2 IH2 |];
      intros ie m m' fm eq E; cbn [frun tidy ftouches] in *.
    - injection E as <-. split; [eauto | apply incl_refl].
    - destruct (frun ie s1 m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      destruct (IH1 ie m m1 fm eq E1) as [(fm1 & -> & eq1) in1].
      destruct (IH2 ie m1 m' fm1 eq1 E) as [(fm2 & X & eq2) in2]. cbn [obind].
      split; [eauto |]. apply incl_app; [now apply incl_appl | now apply incl_appr].
    - destruct (natural (kev ie k)) as [o |] eqn:Eo; cbn [obind] in E; [| discriminate].
      destruct (fev ie m e) as [x |] eqn:Ex; cbn [obind] in E; [| discriminate].
      destruct (m r o) as [old |] eqn:Er; [| discriminate]. injection E as <-.
      pose proof (natural_tidy _ _ Eo) as No.
      destruct (tidy_exp_value ie e eq Ex) as [X Lo].
      destruct (is_load r (tidy_ix k) (tidy_exp e)) eqn:B.
      + cbn [frun ftouches]. split; [| intros y []]. eexists. split; [reflexivity |].
        destruct (tidy_exp e) as [r' k' | | | | |]; try discriminate. cbn in B.
        apply andb_true_iff in B as [B1 B2]. apply Nat.eqb_eq in B1. apply index_eqb_eq in B2.
        subst. cbn [fev] in X. rewrite No in X. cbn [obind] in X. intros r' j. unfold fset.
        destruct (Nat.eqb_spec r' r) as [-> |]; [| apply eq].
        destruct (Nat.eqb_spec j o) as [-> |]; [| apply eq]. cbn.
        destruct (fm r o) as [[y |] |]; try discriminate. congruence.
      + cbn [frun ftouches]. rewrite No, X. cbn [obind]. rewrite <- eq, Er, Lo. split.
        * eexists. split; [reflexivity |]. intros r' j. unfold fset. now rewrite eq.
        * rewrite ?Eo. apply incl_refl.
    - destruct (frun ie b (falloc m r (cells d))) as [m1 |] eqn:E1; cbn [obind] in E;
        [| discriminate].
      injection E as <-.
      destruct (IH ie (falloc m r (cells d)) m1 (falloc fm r (cells d))) as [(fm1 & -> & eq1) in1];
        auto.
      { intros r' j. unfold falloc. now rewrite eq. }
      cbn [obind]. split.
      + eexists. split; [reflexivity |]. intros r' j. unfold leave. now rewrite eq, eq1.
      + intros x Hx. apply filter_In in Hx as [Hx keep]. apply filter_In. auto.
    - destruct (match p with Seq => true | Par => _ end) eqn:May; [| discriminate].
      pose proof (ffor_each _ _ E) as each.
      assert (sub : forall i, i < #n ->
        incl (ftouches (upi ie l i) (tidy b)) (ftouches (upi ie l i) b)).
      { intros i lt. destruct (each i lt) as (m1 & m2 & Ei).
        exact (proj2 (IH _ _ _ _ (fun _ _ => eq_refl) Ei)). }
      split.
      + replace (match p with Seq => true | Par =>
          fapart #n (fun i => ftouches (upi ie l i) (tidy b)) end) with true.
        * eapply ffor_same; [| exact eq | exact E]. intros i m1 m2 fm1 eq1 Ei.
          exact (proj1 (IH _ _ _ _ eq1 Ei)).
        * destruct p; auto. symmetry. eapply fapart_less; [exact sub | exact May].
      + intros x Hx. apply in_flat_map in Hx as (i & Hi & Hx). apply in_flat_map. exists i.
        split; auto. apply in_seq in Hi. apply sub; auto. lia.
    - destruct (kholds ie c) as [b |] eqn:B; cbn [obind] in E; [| discriminate].
      rewrite (tidy_cond_value _ _ B). cbn [obind]. destruct b; eauto.
    - discriminate.
  Qed.
End TidyProof.
