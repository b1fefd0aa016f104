(** * Indices do not overflow, memory is freed *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat emit.Machine.
From Calque Require Import emit.TidyProof.
From Calque Require dpia.Range.
Import ListNotations.
Set Implicit Arguments.

Section MachineProof.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation cindex := (cindex N).
  Implicit Types (ie : ienv) (m fm : fstore A).

  (** ** Indices *)

  Section Indices.
    Context (room : size N -> Z) (room_size : forall n, (Z.of_nat #n <= room n)%Z) (most : Z).

    Definition bounded ie : Prop := forall l, (Z.abs (ie l) <= most)%Z.

    Lemma span_bound ie (k : cindex) : bounded ie ->
      forall z, kev ie k = Some z -> (Z.abs z <= span room most k)%Z.
    Proof.
      intros B. induction k as [l | y | n | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb
                                | a IHa b IHb | a IHa b IHb | a IHa b IHb]; intros z E;
        cbn [kev span] in *;
        try (injection E as <-);
        try (destruct (kev ie a) as [x |]; cbn [obind] in E; [| discriminate];
             destruct (kev ie b) as [y |]; cbn [obind] in E; [| discriminate];
             specialize (IHa _ eq_refl); specialize (IHb _ eq_refl)).
      - apply B.
      - lia.
      - specialize (room_size n). lia.
      - injection E as <-. lia.
      - injection E as <-. lia.
      - injection E as <-. rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg; lia.
      - destruct (Z.ltb_spec 0 y); [injection E as <- | discriminate].
        pose proof (Z.div_mod x y ltac:(lia)). pose proof (Z.mod_pos_bound x y ltac:(lia)). nia.
      - destruct (Z.ltb_spec 0 y); [injection E as <- | discriminate].
        pose proof (Z.mod_pos_bound x y ltac:(lia)). lia.
      - destruct (Z.leb_spec 0 x); cbn [andb] in E; [| discriminate].
        destruct (Z.ltb_spec 0 y); [injection E as <- | discriminate].
        rewrite Z.quot_div_nonneg by lia.
        pose proof (Z.div_mod x y ltac:(lia)). pose proof (Z.mod_pos_bound x y ltac:(lia)). nia.
      - destruct (Z.leb_spec 0 x); cbn [andb] in E; [| discriminate].
        destruct (Z.ltb_spec 0 y); [injection E as <- | discriminate].
        rewrite Z.rem_mod_nonneg by lia. pose proof (Z.mod_pos_bound x y ltac:(lia)). lia.
    Qed.

    Lemma keep_small z b : (Z.abs z <= b)%Z -> (b < limit)%Z -> keep z = Some z.
    Proof.
      intros le lt. unfold keep, in64.
      rewrite (proj2 (Z.leb_le (- limit) z)) by lia. now rewrite (proj2 (Z.ltb_lt z limit)) by lia.
    Qed.

    Lemma peak_span (k : cindex) : (span room most k <= peak room most k)%Z.
    Proof. destruct k; cbn [peak]; lia. Qed.

    Lemma kev64_same ie (k : cindex) : bounded ie -> (peak room most k < limit)%Z ->
      forall z, kev ie k = Some z -> kev64 room ie k = Some z.
    Proof.
      intros B. induction k as [l | y | n | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb
                                | a IHa b IHb | a IHa b IHb | a IHa b IHb]; intros P z E;
        pose proof (span_bound _ B E) as le; pose proof (peak_span) as ps;
        cbn [kev kev64 peak] in *.
      1, 2: injection E as <-; eapply keep_small; [exact le | exact P].
      1: injection E as <-; cbn [span] in P; now rewrite (proj2 (Z.ltb_lt _ _) P).
      all: destruct (kev ie a) as [x |]; cbn [obind] in E; [| discriminate];
           destruct (kev ie b) as [y |]; cbn [obind] in E; [| discriminate];
           rewrite (IHa ltac:(lia) _ eq_refl), (IHb ltac:(lia) _ eq_refl); cbn [obind].
      1, 2, 3: injection E as <-; eapply keep_small; [exact le | lia].
      all: match type of E with (if ?c then _ else _) = _ => destruct c; [| discriminate] end;
        injection E as <-; eapply keep_small; [exact le | lia].
    Qed.

    Lemma fits_index_same ie (k : cindex) : bounded ie -> fits_index room most k = true ->
      forall z, kev ie k = Some z -> kev64 room ie k = Some z.
    Proof. intros B F. apply kev64_same; auto. now apply Z.ltb_lt. Qed.

    Lemma fits_cond_same ie c : bounded ie -> fits_cond room most c = true ->
      forall b, kholds ie c = Some b -> kholds64 room ie c = Some b.
    Proof.
      intros B. induction c as [c x y | c1 IH1 c2 IH2]; cbn [fits_cond kholds kholds64];
        rewrite andb_true_iff; intros [F1 F2] b E.
      - destruct (kev ie x) as [v |] eqn:Ex; cbn [obind] in E; [| discriminate].
        destruct (kev ie y) as [w |] eqn:Ey; cbn [obind] in E; [| discriminate].
        now rewrite (fits_index_same _ B F1 Ex), (fits_index_same _ B F2 Ey).
      - destruct (kholds ie c1) as [b1 |]; cbn [obind] in E; [| discriminate].
        rewrite (IH1 F1 _ eq_refl). cbn [obind]. destruct b1; auto.
    Qed.

    Lemma natural_same ie (k : cindex) : bounded ie -> fits_index room most k = true ->
      forall o, natural (kev ie k) = Some o -> natural (kev64 room ie k) = Some o.
    Proof.
      intros B F o E. destruct (natural_some _ E) as [z Ez]. rewrite (fits_index_same _ B F Ez).
      now rewrite Ez in E.
    Qed.

    Lemma fits_exp_same ie (m : fstore A) e : bounded ie -> fits_exp room most e = true ->
      forall x, fev ie m e = Some x -> fev64 room ie m e = Some x.
    Proof.
      intros B. induction e as [r k | c | o e IH | o e1 IH1 e2 IH2 | c e1 IH1 e2 IH2 |];
        cbn [fits_exp fev fev64]; rewrite ?andb_true_iff; intros F x E.
      - destruct (natural (kev ie k)) as [o |] eqn:Eo; cbn [obind] in E; [| discriminate].
        now rewrite (natural_same _ B F Eo).
      - exact E.
      - destruct (fev ie m e) as [y |]; cbn [obind] in E; [| discriminate].
        now rewrite (IH F _ eq_refl).
      - destruct F as [F1 F2].
        destruct (fev ie m e1) as [y |]; cbn [obind] in E; [| discriminate].
        destruct (fev ie m e2) as [z |]; cbn [obind] in E; [| discriminate].
        now rewrite (IH1 F1 _ eq_refl), (IH2 F2 _ eq_refl).
      - destruct F as (Fc & F1 & F2).
        destruct (kholds ie c) as [b |] eqn:Eb; cbn [obind] in E; [| discriminate].
        rewrite (fits_cond_same _ B Fc Eb). cbn [obind]. destruct b; auto.
      - discriminate.
    Qed.

    Lemma bounded_upi ie l i n : bounded ie -> i < #n -> (room n <= most)%Z ->
      bounded (upi ie l i).
    Proof.
      intros B lt le k. unfold upi. specialize (room_size n). destruct (k =? l); [lia | apply B].
    Qed.

    Lemma ffor_pre n (f g : nat -> fstore A -> option (fstore A)) : forall m m',
      (forall i m m', i < n -> f i m = Some m' -> g i m = Some m') ->
      ffor n f m = Some m' -> ffor n g m = Some m'.
    Proof.
      induction n as [| n IH]; cbn; intros m m' step E; auto.
      destruct (ffor n f m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
      rewrite (IH m m1); auto. cbn. apply step; auto.
    Qed.

    (** A program that passes the test computes no index outside of 64 bits. *)
    Theorem no_overflow (c : fstm A N) : fits room most c = true -> forall ie (m m' : fstore A),
      bounded ie -> frun ie c m = Some m' -> frun64 room ie c m = Some m'.
    Proof.
      induction c as [| s1 IH1 s2 IH2 | r k e | r d b IH | p l n b IH | c s1 IH1 s2 IH2 |];
        cbn [fits]; rewrite ?andb_true_iff; intros F ie m m' B E; cbn [frun frun64] in *.
      - exact E.
      - destruct F as [F1 F2].
        destruct (frun ie s1 m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
        rewrite (IH1 F1 _ _ _ B E1). cbn [obind]. auto.
      - destruct F as [Fk Fe].
        destruct (natural (kev ie k)) as [o |] eqn:Eo; cbn [obind] in E; [| discriminate].
        rewrite (natural_same _ B Fk Eo). cbn [obind].
        destruct (fev ie m e) as [x |] eqn:Ex; cbn [obind] in E; [| discriminate].
        rewrite (fits_exp_same _ _ B Fe Ex). exact E.
      - destruct F as [Fd Fb]. rewrite Fd.
        destruct (frun ie b (falloc m r (cells d))) as [m1 |] eqn:E1; cbn [obind] in E;
          [| discriminate].
        now rewrite (IH Fb _ _ _ B E1).
      - destruct F as [[Fn Fm] Fb]. apply Z.leb_le in Fn. apply Z.ltb_lt in Fm.
        replace (room n <? limit)%Z with true by (symmetry; apply Z.ltb_lt; lia).
        rewrite andb_true_r.
        destruct (match p with Seq => true | Par => _ end); [| discriminate].
        eapply ffor_pre; [| exact E]. intros i m1 m2 lt Ei. apply IH; auto.
        eapply bounded_upi; eauto.
      - destruct F as (Fc & F1 & F2).
        destruct (kholds ie c) as [b |] eqn:Eb; cbn [obind] in E; [| discriminate].
        rewrite (fits_cond_same _ B Fc Eb). cbn [obind]. destruct b; auto.
      - discriminate.
    Qed.
  End Indices.

  (** ** Allocation *)

  Section Allocation.
    Context (ask : nat -> bool) (heap : data N -> bool) (blank : scalar A).
    Notation run := (arun ask heap blank).

    (** The same places are there. *)
    Definition shape (m fm : fstore A) : Prop := forall r k, m r k = None <-> fm r k = None.

    Lemma aev_shape ie m fm e : shape m fm -> forall x, fev ie m e = Some x ->
      exists y, aev blank ie fm e = Some y /\ (same m fm -> y = x).
    Proof.
      intros sh. induction e as [r k | c | o e IH | o e1 IH1 e2 IH2 | c e1 IH1 e2 IH2 |];
        intros x E; cbn [fev aev] in *.
      - destruct (natural (kev ie k)) as [o |]; cbn [obind] in *; [| discriminate].
        destruct (m r o) as [[v |] |] eqn:Em; try discriminate. injection E as <-.
        destruct (fm r o) as [[y |] |] eqn:Ef.
        + exists y. split; [reflexivity |]. intros eq. specialize (eq r o). congruence.
        + exists blank. split; [reflexivity |]. intros eq. specialize (eq r o). congruence.
        + apply sh in Ef. congruence.
      - injection E as <-. eauto.
      - destruct (fev ie m e) as [v |]; cbn [obind] in E; [| discriminate]. injection E as <-.
        destruct (IH _ eq_refl) as (y & -> & eq). eexists. split; [reflexivity |].
        intros H. now rewrite (eq H).
      - destruct (fev ie m e1) as [v |]; cbn [obind] in E; [| discriminate].
        destruct (fev ie m e2) as [w |]; cbn [obind] in E; [| discriminate]. injection E as <-.
        destruct (IH1 _ eq_refl) as (y & -> & eq1), (IH2 _ eq_refl) as (z & -> & eq2).
        eexists. split; [reflexivity |]. intros H. now rewrite (eq1 H), (eq2 H).
      - destruct (kholds ie c) as [b |]; cbn [obind] in *; [| discriminate]. destruct b; auto.
      - discriminate.
    Qed.

    (** What is said of a run from [t] to [t'] beside one from [m] to [m']: nothing is held
        that was not, failure is reported if and only if a request failed, and without one
        the results are the same. *)
    Definition beside (m m' : fstore A) (t t' : state) : Prop :=
      shape m' (memory t') /\ held t' = held t /\ asked t <= asked t' /\
      (failed t' = true <->
         failed t = true \/ exists j, asked t <= j < asked t' /\ ask j = false) /\
      (failed t' = false -> same m (memory t) -> same m' (memory t')).

    Lemma beside_refl m t : shape m (memory t) -> beside m m t t.
    Proof.
      intros sh. split; [exact sh |]. do 2 (split; [reflexivity |]). split; [| auto].
      split; [auto |]. intros [F | (j & lt & _)]; [exact F | lia].
    Qed.

    Lemma beside_trans m m1 m2 t t1 t2 : beside m m1 t t1 -> beside m1 m2 t1 t2 ->
      beside m m2 t t2.
    Proof.
      intros (_ & h1 & le1 & f1 & s1) (sh & h2 & le2 & f2 & s2).
      split; [exact sh |]. split; [congruence |]. split; [lia |]. split.
      - rewrite f2, f1. split.
        + intros [[F | (j & lt & no)] | (j & lt & no)]; auto; right; exists j; split; auto; lia.
        + intros [F | (j & lt & no)]; [auto |].
          destruct (Nat.lt_ge_cases j (asked t1)); [left; right | right]; exists j; split; auto;
            lia.
      - intros ok H. apply s2; auto. apply s1; auto.
        destruct (failed t1) eqn:F; [| reflexivity].
        assert (failed t2 = true) by (apply f2; now left). congruence.
    Qed.

    Lemma afor_beside n (f : nat -> fstore A -> option (fstore A))
        (g : nat -> state -> option state) : forall m m' t,
      (forall i m m' t, i < n -> shape m (memory t) -> f i m = Some m' ->
         exists t', g i t = Some t' /\ beside m m' t t') ->
      shape m (memory t) -> ffor n f m = Some m' ->
      exists t', afor n g t = Some t' /\ beside m m' t t'.
    Proof.
      induction n as [| n IH]; cbn; intros m m' t step sh E.
      - injection E as <-. exists t. split; [reflexivity | now apply beside_refl].
      - destruct (ffor n f m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
        destruct (IH m m1 t) as (t1 & -> & b1); auto.
        destruct (step n m1 m' t1) as (t2 & X & b2); auto; [apply b1 |]. cbn. exists t2.
        split; [exact X | eapply beside_trans; eauto].
    Qed.

    Lemma shape_alloc m fm r n : shape m fm -> shape (falloc m r n) (falloc fm r n).
    Proof. intros sh r' k. unfold falloc. destruct (r' =? r); [reflexivity | apply sh]. Qed.

    Lemma shape_leave m m1 fm fm1 r : shape m fm -> shape m1 fm1 ->
      shape (leave m m1 r) (leave fm fm1 r).
    Proof. intros sh sh1 r' k. unfold leave. destruct (r' =? r); [apply sh | apply sh1]. Qed.

    Lemma same_alloc (m fm : fstore A) r n : same m fm -> same (falloc m r n) (falloc fm r n).
    Proof. intros eq r' k. unfold falloc. now rewrite eq. Qed.

    Lemma same_leave (m m1 fm fm1 : fstore A) r : same m fm -> same m1 fm1 ->
      same (leave m m1 r) (leave fm fm1 r).
    Proof. intros eq eq1 r' k. unfold leave. now rewrite eq, eq1. Qed.

    (** A block changes what places exist in its own root only. *)
    Lemma frun_shape (c : fstm A N) : forall ie m m', frun ie c m = Some m' -> shape m m'.
    Proof.
      assert (refl : forall m, shape m m) by (intros m r k; reflexivity).
      assert (trans : forall m1 m2 m3, shape m1 m2 -> shape m2 m3 -> shape m1 m3)
        by (intros m1 m2 m3 H1 H2 r k; rewrite (H1 r k); apply H2).
      induction c as [| s1 IH1 s2 IH2 | r k e | r d b IH | p l n b IH | c s1 IH1 s2 IH2 |];
        intros ie m m' E; cbn [frun] in E.
      - injection E as <-. apply refl.
      - destruct (frun ie s1 m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate]. eauto.
      - destruct (natural (kev ie k)) as [o |]; cbn [obind] in E; [| discriminate].
        destruct (fev ie m e) as [x |]; cbn [obind] in E; [| discriminate].
        destruct (m r o) as [old |] eqn:Er; [| discriminate]. injection E as <-.
        intros r' k'. unfold fset. destruct (Nat.eqb_spec r' r) as [-> |]; [| reflexivity].
        destruct (Nat.eqb_spec k' o) as [-> |]; [| reflexivity]. cbn. rewrite Er.
        split; discriminate.
      - destruct (frun ie b (falloc m r (cells d))) as [m1 |] eqn:E1; cbn [obind] in E;
          [| discriminate].
        injection E as <-. intros r' k. unfold leave.
        destruct (Nat.eqb_spec r' r) as [-> | ne]; [reflexivity |].
        rewrite <- (IH _ _ _ E1 r' k). unfold falloc. apply Nat.eqb_neq in ne. now rewrite ne.
      - destruct (match p with Seq => true | Par => _ end); [| discriminate].
        revert m' E. induction #n as [| j IHj]; cbn [ffor]; intros m' E;
          [injection E as <-; apply refl |].
        destruct (ffor j (fun i => frun (upi ie l i) b) m) as [m1 |]; cbn [obind] in E;
          [| discriminate].
        eauto.
      - destruct (kholds ie c) as [b |]; cbn [obind] in E; [| discriminate]. destruct b; eauto.
      - discriminate.
    Qed.

    Theorem allocation_correct (c : fstm A N) : forall ie m m' t, shape m (memory t) ->
      frun ie c m = Some m' -> exists t', run ie c t = Some t' /\ beside m m' t t'.
    Proof.
      induction c as [| s1 IH1 s2 IH2 | r k e | r d b IH | p l n b IH | c s1 IH1 s2 IH2 |];
        intros ie m m' t sh E; cbn [frun arun] in *.
      - injection E as <-. exists t. split; [reflexivity | now apply beside_refl].
      - destruct (frun ie s1 m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
        destruct (IH1 _ _ _ _ sh E1) as (t1 & -> & b1).
        destruct (IH2 _ _ _ t1 (proj1 b1) E) as (t2 & X & b2). cbn [obind]. exists t2.
        split; [exact X | eapply beside_trans; eauto].
      - destruct (natural (kev ie k)) as [o |]; cbn [obind] in *; [| discriminate].
        destruct (fev ie m e) as [x |] eqn:Ex; cbn [obind] in E; [| discriminate].
        destruct (aev_shape _ _ sh Ex) as (y & -> & eq). cbn [obind].
        destruct (m r o) as [old |] eqn:Er; [| discriminate]. injection E as <-.
        destruct (memory t r o) as [new |] eqn:Et; [| apply sh in Et; congruence].
        eexists. split; [reflexivity |]. split; [| split; [reflexivity |]; split; [cbn; lia |]; split].
        + intros r' k'. cbn [memory]. unfold fset. destruct ((r' =? r) && (k' =? o));
            [split; discriminate | apply sh].
        + cbn. split; [auto |]. intros [F | (j & lt & _)]; [exact F | lia].
        + cbn. intros _ H r' k'. unfold fset. rewrite (eq H). destruct ((r' =? r) && (k' =? o));
            [reflexivity | apply H].
      - destruct (frun ie b (falloc m r (cells d))) as [m1 |] eqn:E1; cbn [obind] in E;
          [| discriminate].
        injection E as <-. pose proof (shape_alloc r (cells d) sh) as sh0.
        destruct (heap d).
        + destruct (ask (asked t)) eqn:Q.
          * destruct (IH ie _ _ (State (falloc (memory t) r (cells d)) (S (asked t)) (failed t)
                (r :: held t)) sh0 E1) as (t1 & -> & sh1 & h1 & le1 & f1 & s1).
            cbn [obind memory held asked failed] in *. rewrite h1, Nat.eqb_refl.
            eexists. split; [reflexivity |].
            split; [| split; [reflexivity |]; split; [cbn; lia |]; split]; cbn [memory failed asked].
            -- now apply shape_leave.
            -- rewrite f1. split.
               ++ intros [F | (j & lt & no)]; auto. right. exists j. split; auto. lia.
               ++ intros [F | (j & lt & no)]; auto. right. exists j. split; auto.
                  destruct (Nat.eq_dec j (asked t)); [congruence | lia].
            -- intros ok H. apply same_leave; auto. apply s1; auto. now apply same_alloc.
          * eexists. split; [reflexivity |].
            split; [| split; [reflexivity |]; split; [cbn; lia |]; split]; cbn [memory failed asked].
            -- intros r' k. rewrite <- (sh r' k). unfold leave.
               destruct (Nat.eqb_spec r' r) as [-> | ne]; [reflexivity |].
               rewrite <- (frun_shape _ _ _ E1 r' k). unfold falloc. apply Nat.eqb_neq in ne.
               now rewrite ne.
            -- split; auto. intros _. right. exists (asked t). split; [lia | exact Q].
            -- discriminate.
        + destruct (IH ie _ _ (State (falloc (memory t) r (cells d)) (asked t) (failed t) (held t))
            sh0 E1) as (t1 & -> & sh1 & h1 & le1 & f1 & s1).
          cbn [obind memory held asked failed] in *. eexists. split; [reflexivity |].
          split; [| split; [exact h1 |]; split; [exact le1 |]; split]; cbn [memory failed asked].
          * now apply shape_leave.
          * exact f1.
          * intros ok H. apply same_leave; auto. apply s1; auto. now apply same_alloc.
      - destruct (match p with Seq => true | Par => _ end); [| discriminate].
        eapply afor_beside; [| exact sh | exact E]. intros i m1 m2 t1 _ sh1 Ei. eapply IH; eauto.
      - destruct (kholds ie c) as [b |]; cbn [obind] in *; [| discriminate]. destruct b; eauto.
      - discriminate.
    Qed.
  End Allocation.
End MachineProof.

(** ** Symbolic sizes *)

(** The products on the way, with a last factor that may be 0. *)
Lemma term_room_prefix sigma c l l' : (Z.of_nat c * fold_right (fun x p => Z.of_nat (sigma x) * p) 1
  l <= term_room sigma (c, l ++ l'))%Z.
Proof.
  unfold term_room. cbn [fst snd]. apply Z.mul_le_mono_nonneg_l; [lia |].
  assert (pos : forall l, (1 <= fold_right (fun x p => Z.max 1 (Z.of_nat (sigma x)) * p) 1 l)%Z).
  { induction l0 as [| x l0 IH]; cbn [fold_right]; [lia | nia]. }
  induction l as [| x l IH]; cbn [app fold_right]; [apply pos |].
  assert (0 <= fold_right (fun x p => Z.of_nat (sigma x) * p) 1 l)%Z.
  { clear IH. induction l as [| y l IH]; cbn [fold_right]; [lia | nia]. }
  nia.
Qed.

Lemma poly_room_val sigma p : (Z.of_nat (Range.poly_val sigma p) <= poly_room sigma p)%Z.
Proof.
  assert (E : forall l, Z.of_nat (Range.product sigma l) =
    fold_right (fun x p => Z.of_nat (sigma x) * p)%Z 1%Z l).
  { induction l as [| x l IH]; cbn [Range.product fold_right]; [reflexivity |].
    fold (Range.product sigma l). now rewrite Nat2Z.inj_mul, IH. }
  induction p as [| [c l] p IH]; cbn [Range.poly_val poly_room fold_right]; [lia |].
  fold (Range.poly_val sigma p) (poly_room sigma p). unfold Range.term_val. cbn [fst snd].
  pose proof (term_room_prefix sigma c l []) as le. rewrite app_nil_r, <- E in le. nia.
Qed.
