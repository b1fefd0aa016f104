(** * Elimination keeps the solutions of the equations *)

From Coq Require Import Bool List Lia Arith ZArith Ring Znumtheory.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Forms kernel.FormsProof.
From Calque Require Import kernel.Gradient kernel.GatherForm kernel.LinProof.
Import ListNotations.
Open Scope Z_scope.

Definition gone_ok (env : list Z) (g : removed) : bool :=
  let '(s, x, m) := g in m * nth s env 0 =? lin_val env x.

(** The values of all slots satisfy what is left and what is gone. *)
Definition solves (S : solution) (env : list Z) : bool :=
  forallb (null env) (rest S) && forallb (gone_ok env) (gone S).

Section Solve.
  Variable cells : nat.
  Variable start : list nat.       (** the slots alive at first *)

  Definition open_slot (S : solution) (t : nat) : bool :=
    (t <? cells)%nat || existsb (Nat.eqb t) (alive S).

  Definition slot_of (g : removed) : nat := fst (fst g).

  Record sound (S : solution) : Prop := Sound {
    alive_cells : forall t, In t (alive S) -> (cells <= t)%nat;
    all_slots : forall t, In t start <-> In t (alive S) \/ In t (map slot_of (gone S));
    rest_open : forall x, In x (rest S) -> supported_by (open_slot S) x;
    gone_open : forall t x m, In (t, x, m) (gone S) ->
      0 < m /\ supported_by (open_slot S) x /\ ~ In t (alive S) /\ (cells <= t)%nat;
    gone_once : NoDup (map slot_of (gone S));
    alive_once : NoDup (alive S) }.

  (** ** One slot *)

  Lemma replaced_val env s num m x :
    m * nth s env 0 = lin_val env num ->
    lin_val env (replaced s num m x) = (if coef x s =? 0 then 1 else m) * lin_val env x.
  Proof.
    intros E. unfold replaced. destruct (coef x s =? 0); [ring |].
    rewrite mix_val, (without_val env x s), <- E. ring.
  Qed.

  Lemma replaced_null env s num m x :
    0 < m -> m * nth s env 0 = lin_val env num -> null env (replaced s num m x) = null env x.
  Proof.
    intros pos E. unfold null. rewrite (replaced_val env s num m x E).
    apply eq_true_iff_eq. rewrite !Z.eqb_eq. destruct (coef x s =? 0); nia.
  Qed.

  Lemma replaced_gone_ok env s num m g :
    0 < m -> m * nth s env 0 = lin_val env num ->
    gone_ok env (replaced_gone s num m g) = gone_ok env g.
  Proof.
    intros pos E. destruct g as [[t x] k]. unfold replaced_gone.
    destruct (coef x s =? 0) eqn:C; [reflexivity |]. unfold gone_ok.
    rewrite (replaced_val env s num m x E), C. apply eq_true_iff_eq. rewrite !Z.eqb_eq. nia.
  Qed.

  Definition numerator (x : lin) (s : nat) : lin :=
    mix (if coef x s <? 0 then 1 else -1) (without x s) 0 nil_lin.

  Lemma numerator_null env x s :
    coef x s <> 0 -> gone_ok env (s, numerator x s, Z.abs (coef x s)) = null env x.
  Proof.
    intros ne. unfold gone_ok, null, numerator. rewrite mix_val, nil_val, (without_val env x s).
    apply eq_true_iff_eq. rewrite !Z.eqb_eq. destruct (Z.ltb_spec (coef x s) 0); lia.
  Qed.

  Lemma forallb_remove {A} (f : A -> bool) j (l : list A) d :
    (j < length l)%nat -> forallb f l = f (nth j l d) && forallb f (remove_at j l).
  Proof.
    revert j. induction l as [| a l IH]; intros [| j] lt; simpl in *; try lia; [reflexivity |].
    rewrite (IH j) by lia. destruct (f a), (f (nth j l d)); reflexivity.
  Qed.

  Lemma in_remove {A} (a : A) j l : In a (remove_at j l) -> In a l.
  Proof.
    revert j. induction l as [| b l IH]; intros [| j]; simpl; auto.
    intros [<- | ina]; auto. right. now apply (IH j).
  Qed.

  Lemma forallb_map_same {A} (f : A -> bool) (g : A -> A) l :
    (forall a, f (g a) = f a) -> forallb f (map g l) = forallb f l.
  Proof. intros same. induction l as [| a l IH]; simpl; [reflexivity | now rewrite same, IH]. Qed.

  Lemma solve_solves j s S env :
    (j < length (rest S))%nat -> coef (nth j (rest S) nil_lin) s <> 0 ->
    solves (solve j s (nth j (rest S) nil_lin) S) env = solves S env.
  Proof.
    intros lt ne. unfold solve, solves. cbn [rest gone].
    rewrite (forallb_remove (null env) j (rest S) nil_lin lt), forallb_app. cbn [forallb].
    rewrite andb_true_r. fold (numerator (nth j (rest S) nil_lin) s).
    set (x := nth j (rest S) nil_lin) in *.
    rewrite (numerator_null env x s ne).
    destruct (null env x) eqn:N; [| now rewrite !andb_false_r].
    rewrite !andb_true_r. cbn [andb].
    assert (E : Z.abs (coef x s) * nth s env 0 = lin_val env (numerator x s)).
    { rewrite <- (numerator_null env x s ne) in N. now apply Z.eqb_eq in N. }
    assert (pos : 0 < Z.abs (coef x s)) by lia.
    rewrite (forallb_map_same (null env)) by (intros y; now apply replaced_null).
    now rewrite (forallb_map_same (gone_ok env)) by (intros g; now apply replaced_gone_ok).
  Qed.

  Lemma numerator_support ok x s :
    supported_by ok x -> supported_by (fun t => ok t && negb (t =? s)%nat) (numerator x s).
  Proof.
    intros X t H. unfold numerator in H. rewrite coef_mix, coef_without in H.
    replace (coef nil_lin t) with 0 in H by (unfold coef; simpl; now destruct t).
    destruct (Nat.eqb_spec t s); [lia |]. rewrite andb_true_r. apply X. lia.
  Qed.

  Lemma replaced_support ok s num m x :
    supported_by ok x -> supported_by (fun t => ok t && negb (t =? s)%nat) num ->
    supported_by (fun t => ok t && negb (t =? s)%nat) (replaced s num m x).
  Proof.
    intros X N t H. unfold replaced in H. destruct (Z.eqb_spec (coef x s) 0) as [E | _].
    - rewrite (X t H). destruct (Nat.eqb_spec t s); [congruence | reflexivity].
    - rewrite coef_mix, coef_without in H.
      destruct (Z.eq_dec (coef num t) 0) as [E |]; [| now apply N].
      rewrite E in H. destruct (Nat.eqb_spec t s); [lia |]. rewrite andb_true_r. apply X. lia.
  Qed.

  Lemma solve_sound j s S :
    sound S -> (j < length (rest S))%nat -> In s (alive S) ->
    coef (nth j (rest S) nil_lin) s <> 0 ->
    sound (solve j s (nth j (rest S) nil_lin) S).
  Proof.
    intros [ac als ro go once al1] lt ins ne. set (x := nth j (rest S) nil_lin) in *.
    assert (opened : forall t, open_slot S t && negb (t =? s)%nat = true ->
                               open_slot (solve j s x S) t = true).
    { intros t H. apply andb_true_iff in H as [O D]. unfold open_slot in *. cbn [alive solve].
      apply orb_true_iff in O as [O | O]; [now rewrite O |]. apply orb_true_iff. right.
      apply existsb_exists in O as (u & inu & E). apply Nat.eqb_eq in E. subst u.
      apply existsb_exists. exists t. rewrite Nat.eqb_refl. split; [| reflexivity].
      apply filter_In. auto. }
    assert (weaken : forall y, supported_by (fun t => open_slot S t && negb (t =? s)%nat) y ->
                               supported_by (open_slot (solve j s x S)) y)
      by (intros y Y t H; apply opened; now apply Y).
    assert (N : supported_by (fun t => open_slot S t && negb (t =? s)%nat) (numerator x s)).
    { apply numerator_support, ro. now apply nth_In. }
    assert (slots_same : map slot_of (map (replaced_gone s (numerator x s) (Z.abs (coef x s))) (gone S)) =
                         map slot_of (gone S)).
    { rewrite map_map. apply map_ext. intros [[t y] m]. unfold replaced_gone.
      now destruct (coef y s =? 0). }
    assert (s_new : ~ In s (map slot_of (gone S))).
    { intros H. apply in_map_iff in H as ([[t y] m] & E & ing). change (t = s) in E. subst t.
      now apply go in ing as (_ & _ & no & _). }
    split; cbn [alive rest gone solve]; fold (numerator x s).
    - intros t int_. apply filter_In in int_ as [int_ _]. auto.
    - intros t. rewrite als, map_app, slots_same, in_app_iff, filter_In. simpl.
      change (slot_of (s, numerator x s, Z.abs (coef x s))) with s.
      destruct (Nat.eqb_spec t s) as [-> | other]; simpl negb.
      + split; intros _; [right; right; now left | now left].
      + split.
        * intros [A | B]; [left; auto | right; now left].
        * intros [[A _] | [B | [E | []]]]; [now left | now right | congruence].
    - intros y iny. apply in_map_iff in iny as (z & <- & inz). apply weaken, replaced_support; [| exact N].
      apply ro. eapply in_remove, inz.
    - intros t y m ini. apply in_app_iff in ini as [ini | [E | []]].
      + apply in_map_iff in ini as ([[t' z] k] & E & inz). pose proof (go _ _ _ inz) as (pk & Zs & no & ge).
        unfold replaced_gone in E.
        assert (not_alive : ~ In t' (filter (fun t => negb (t =? s)%nat) (alive S)))
          by (intros H; apply filter_In in H as []; contradiction).
        destruct (coef z s =? 0) eqn:C; injection E as <- <- <-.
        * repeat split; auto. apply weaken.
          replace z with (replaced s (numerator x s) 1 z) by (unfold replaced; now rewrite C).
          now apply replaced_support.
        * repeat split; auto; [nia |]. apply weaken. now apply replaced_support.
      + injection E as <- <- <-. split; [lia |]. split; [now apply weaken |].
        split; [| now apply ac]. intros H. apply filter_In in H as [_ H].
        now rewrite Nat.eqb_refl in H.
    - rewrite map_app, slots_same. simpl. apply NoDup_app_intro; [exact once | repeat constructor; intros [] |].
      intros t int_ [<- | []]. contradiction.
    - now apply NoDup_filter.
  Qed.

  (** ** All of them *)

  Lemma choices_sound ext al j x c :
    In c (choices ext al j x) -> exists s, snd c = (j, s) /\ In s al /\ coef x s <> 0.
  Proof.
    unfold choices. intros H. apply in_map_iff in H as (s & <- & ins).
    apply filter_In in ins as [ins ne]. exists s. split; [reflexivity |]. split; [exact ins |].
    intros E. now rewrite E in ne.
  Qed.

  Lemma all_choices_sound ext al l : forall j c,
    In c (all_choices ext al j l) ->
    exists i s, snd c = ((j + i)%nat, s) /\ (i < length l)%nat /\ In s al /\
                coef (nth i l nil_lin) s <> 0.
  Proof.
    induction l as [| x l IH]; intros j c H; simpl in H; [contradiction |].
    apply in_app_iff in H as [H | H].
    - apply choices_sound in H as (s & E & ins & ne). exists O, s. rewrite Nat.add_0_r.
      simpl. repeat split; auto. lia.
    - apply IH in H as (i & s & E & lt & ins & ne). exists (Datatypes.S i), s.
      rewrite E. split; [f_equal; lia |]. simpl. split; [lia | auto].
  Qed.

  Lemma best_in b l : In (best b l) (b :: l).
  Proof.
    revert b. induction l as [| c l IH]; intros b; simpl; [now left |].
    destruct (IH (if better (fst c) (fst b) then c else b)) as [E | ini]; [| auto].
    rewrite <- E. destruct (better (fst c) (fst b)); auto.
  Qed.

  Theorem eliminate_correct fuel ext : forall S, sound S ->
    sound (eliminate fuel ext S) /\
    forall env, solves (eliminate fuel ext S) env = solves S env.
  Proof.
    induction fuel as [| fuel IH]; intros S ok; [now split |]. cbn [eliminate].
    destruct (all_choices ext (alive S) 0 (rest S)) as [| c l] eqn:E; [now split |].
    pose proof (best_in c l) as B. rewrite <- E in B.
    apply all_choices_sound in B as (j & s & E' & lt & ins & ne). simpl in E'. rewrite E'.
    destruct (IH _ (solve_sound j s S ok lt ins ne)) as [ok' same]. split; [exact ok' |].
    intros env. rewrite same. now apply solve_solves.
  Qed.

  (** ** Lowest terms *)

  Lemma fold_gcd_divides l : forall d c,
    (fold_left Z.gcd l d | d) /\ (In c l -> (fold_left Z.gcd l d | c)).
  Proof.
    induction l as [| b l IH]; intros d c; simpl; [split; [apply Z.divide_refl | contradiction] |].
    destruct (IH (Z.gcd d b) c) as [A B]. split.
    - eapply Z.divide_trans; [exact A | apply Z.gcd_divide_l].
    - intros [<- | inc]; [| auto]. eapply Z.divide_trans; [exact A | apply Z.gcd_divide_r].
  Qed.

  Lemma content_divides x : (content x | fst x) /\ forall c, In c (snd x) -> (content x | c).
  Proof.
    unfold content. split.
    - apply Z.divide_abs_r. apply (fold_gcd_divides (snd x) (Z.abs (fst x)) 0).
    - intros c. apply fold_gcd_divides.
  Qed.

  Lemma divided_val env x d :
    d <> 0 -> (d | fst x) -> (forall c, In c (snd x) -> (d | c)) ->
    lin_val env x = d * lin_val env (divided x d).
  Proof.
    intros ne K C. unfold lin_val, divided. cbn [fst snd]. rewrite Z.mul_add_distr_l. f_equal.
    { destruct K as [q ->]. rewrite Z.div_mul by exact ne. ring. }
    revert env C. generalize (snd x). intros l.
    induction l as [| c l IH]; intros [| z env] C; cbn [map dot]; try ring.
    rewrite (IH env) by (intros c' H; apply C; now right).
    destruct (C c (or_introl eq_refl)) as [q ->]. rewrite Z.div_mul by exact ne. ring.
  Qed.

  Lemma coef_divided x d t : coef (divided x d) t <> 0 -> coef x t <> 0.
  Proof.
    unfold coef, divided. cbn [snd]. intros H E. apply H.
    destruct (Nat.lt_ge_cases t (length (snd x))).
    - rewrite (nth_indep _ 0 (0 / d)) by now rewrite map_length.
      rewrite (map_nth (fun c => c / d) (snd x) 0 t), E. apply Z.div_0_l.
      intros ->. apply H. rewrite (nth_indep _ 0 (0 / 0)) by now rewrite map_length.
      rewrite (map_nth (fun c => c / 0) (snd x) 0 t). apply Zdiv_0_r.
    - now rewrite nth_overflow by now rewrite map_length.
  Qed.

  Lemma lowest_null env x : null env (lowest x) = null env x.
  Proof.
    unfold lowest, null. destruct (content_divides x) as [K C].
    assert (H : (lin_val env (if content x =? 0 then x else divided x (content x)) =? 0) =
                (lin_val env x =? 0)).
    { destruct (Z.eqb_spec (content x) 0); [reflexivity |].
      rewrite (divided_val env x (content x)) by assumption.
      apply eq_true_iff_eq. rewrite !Z.eqb_eq. nia. }
    destruct (forallb _ _); [| exact H]. rewrite mix_val, nil_val, <- H.
    apply eq_true_iff_eq. rewrite !Z.eqb_eq. lia.
  Qed.

  Lemma lowest_support ok x : supported_by ok x -> supported_by ok (lowest x).
  Proof.
    intros X. unfold lowest.
    assert (H : supported_by ok (if content x =? 0 then x else divided x (content x))).
    { destruct (content x =? 0); [exact X |]. intros t H. apply X. now apply coef_divided in H. }
    destruct (forallb _ _); [| exact H]. apply supported_mix; [exact H |].
    intros t E. unfold coef in E. simpl in E. now destruct t.
  Qed.

  Lemma lowest_gone_facts t x m :
    0 < m -> exists y k, lowest_gone (t, x, m) = (t, y, k) /\ 0 < k /\
      (forall env, gone_ok env (t, y, k) = gone_ok env (t, x, m)) /\
      (forall ok, supported_by ok x -> supported_by ok y).
  Proof.
    intros pos. unfold lowest_gone. set (d := Z.gcd m (content x)).
    destruct (content_divides x) as [K C].
    assert (D : (d | content x)) by apply Z.gcd_divide_r.
    assert (dp : 0 < d).
    { pose proof (Z.gcd_nonneg m (content x)). fold d in H.
      destruct (Z.eq_dec d 0) as [E |]; [| lia]. apply Z.gcd_eq_0_l in E. lia. }
    assert (M : m = d * (m / d)).
    { destruct (Z.gcd_divide_l m (content x)) as [q Q]. fold d in Q.
      rewrite Q. rewrite Z.div_mul by lia. ring. }
    exists (divided x d), (m / d). repeat split.
    - nia.
    - intros env. unfold gone_ok.
      rewrite (divided_val env x d); [| lia | eapply Z.divide_trans; eauto |
        intros c inc; eapply Z.divide_trans; eauto].
      apply eq_true_iff_eq. rewrite !Z.eqb_eq. clearbody d. remember (m / d) as q.
      rewrite M. nia.
    - intros ok X u H. apply X. now apply coef_divided in H.
  Qed.

  Theorem lowest_terms_correct S : sound S ->
    sound (in_lowest_terms S) /\ forall env, solves (in_lowest_terms S) env = solves S env.
  Proof.
    intros [ac als ro go once al1].
    assert (slots_same : map slot_of (map lowest_gone (gone S)) = map slot_of (gone S)).
    { rewrite map_map. apply map_ext. now intros [[t y] m]. }
    assert (same_open : forall t, open_slot (in_lowest_terms S) t = open_slot S t) by reflexivity.
    split.
    - split; cbn [alive rest gone in_lowest_terms]; auto.
      + intros t. now rewrite slots_same.
      + intros x inx. apply in_map_iff in inx as (y & <- & iny).
        intros t H. rewrite same_open. revert t H. now apply lowest_support, ro.
      + intros t x m ini. apply in_map_iff in ini as ([[t' y] k] & E & iny).
        pose proof (go _ _ _ iny) as (pk & Y & no & ge).
        destruct (lowest_gone_facts t' y k pk) as (z & j & E' & pj & _ & sup).
        rewrite E' in E. injection E as <- <- <-. repeat split; auto.
      + now rewrite slots_same.
    - intros env. unfold solves. cbn [rest gone in_lowest_terms].
      rewrite (forallb_map_same (null env) lowest) by (intros x; apply lowest_null). f_equal.
      assert (all : forall t x m, In (t, x, m) (gone S) -> 0 < m) by (intros; now apply go in H).
      revert all. generalize (gone S). intros l all.
      induction l as [| [[t x] m] l IH]; [reflexivity |]. cbn [map forallb].
      rewrite IH by (intros; eapply all; right; eassumption). f_equal.
      destruct (lowest_gone_facts t x m (all t x m (or_introl eq_refl))) as (y & k & -> & _ & E & _).
      apply E.
  Qed.
End Solve.
