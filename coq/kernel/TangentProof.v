(** * What the tangent depends on *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Gradient kernel.SweepProof kernel.GradientProgram.
Import ListNotations.
Open Scope Z_scope.

Section Tangent.
  Variable F : field.
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Notation "0r" := (Sums.r0 G).
  Infix "+r" := (Sums.radd G) (at level 50).
  Infix "*r" := (Sums.rmul G) (at level 40).
  Notation sum := (@sum G _).
  Notation ex := (ex (text F)).
  Notation store := (store (text F)).
  Notation val := (val F).

  Ltac kring := apply (zero_both G); ring.

  (** ** Slopes: the values of the arguments, and the text of an exponent that is a literal *)

  Definition literal (e : ex) : option (number (base F)) :=
    match e with ECst c => Some c | _ => None end.

  Definition exponent (f : function) (l : list ex) : option (option (number (base F))) :=
    match f, l with FPow, [_; b] => Some (literal b) | _, _ => None end.

  Ltac by_values :=
    change (@eval (text F)) with val in *;
    repeat rewrite ?val_mk, ?val_bin, ?val_mk_neg, ?val_unity;
    unfold SweepProof.val in *;
    cbn [eval call map fid_value text bop_value lit_value cst nought] in *.

  Lemma weight_pow_open w a b : literal b = None ->
    weight_pow F w a b 0 = mk OMul w (mk OMul b (call FPow [a; mk OSub b unity])).
  Proof. destruct b; [discriminate | reflexivity ..]. Qed.

  Lemma slope_same st rho st' rho' f l l' i :
    Forall2 (fun a a' => val st rho a = val st' rho' a') l l' -> exponent f l = exponent f l' ->
    slope F st rho f l i = slope F st' rho' f l' i.
  Proof.
    intros same lit. unfold slope. unfold SweepProof.val in *.
    pose proof (Forall2_length same) as len.
    destruct l as [| a [| b [| c l]]], l' as [| a' [| b' [| c' l']]]; try discriminate len.
    - destruct f; reflexivity.
    - inversion same as [| ? ? ? ? A _]; subst. clear same lit len.
      destruct f; cbn [weight_of]; unfold times_rest; by_values; by_values; now rewrite ?A.
    - inversion same as [| ? ? ? ? A same']; subst. inversion same' as [| ? ? ? ? B _]; subst.
      clear same same' len.
      destruct f; cbn [weight_of]; unfold times_rest, weight_pow; destruct i;
        try (by_values; rewrite ?A, ?B; reflexivity).
      cbn [exponent] in lit. change (val st rho (weight_pow F unity a b 0) = val st' rho' (weight_pow F unity a' b' 0)).
      destruct (literal b) as [c |] eqn:L.
      + destruct b; try discriminate. destruct b'; try discriminate. simpl in lit, L. injection L as ->.
        injection lit as <-. unfold weight_pow. destruct (n_is (base F) c (n_one (base F)));
          [| destruct (n_is (base F) c (n_two (base F)))]; by_values; by_values; now rewrite ?A.
      + injection lit as lit. symmetry in lit. rewrite !weight_pow_open by assumption.
        by_values; by_values; now rewrite ?A, ?B.
    - destruct f; reflexivity.
  Qed.
  (** ** Equal values and equal tangents *)

  Definition same (st du : store) (rho : list Z) (e : ex) (st' du' : store) (rho' : list Z) (e' : ex) : Prop :=
    val st rho e = val st' rho' e' /\
    forall own own', tangent F st du None own rho e = tangent F st' du' None own' rho' e'.

  Section Same.
    Variables (st du st' du' : store) (rho rho' : list Z).
    Notation alike a b := (same st du rho a st' du' rho' b).

    Lemma same_bin o a a' b b' : alike a a' -> alike b b' -> alike (bin o a b) (bin o a' b').
    Proof.
      intros [Va Ta] [Vb Tb]. split; [rewrite !val_bin, Va, Vb; reflexivity |].
      intros own own'. unfold bin. cbn [tangent]. rewrite Va, Vb, (Ta own own'), (Tb own own'). reflexivity.
    Qed.

    Lemma same_call f l l' : Forall2 (fun a a' => alike a a') l l' -> exponent f l = exponent f l' ->
      alike (call f l) (call f l').
    Proof.
      intros all lit.
      assert (V : Forall2 (fun a a' => val st rho a = val st' rho' a') l l')
        by (clear lit; induction all as [| a a' l l' [V _] _ IH]; constructor; assumption).
      split.
      - unfold SweepProof.val in *. cbn [call eval]. f_equal. clear lit all.
        induction V as [| a a' l l' E _ IH]; [reflexivity |]. cbn [map]. f_equal; assumption.
      - intros own own'. unfold call. cbn [tangent].
        assert (S : forall i, slope F st rho f l i = slope F st' rho' f l' i)
          by (intros i; now apply slope_same).
        revert S. generalize (slope F st rho f l), (slope F st' rho' f l'). intros u v S.
        clear lit V. generalize 0%nat. induction all as [| a a' l l' [_ T] _ IH]; intros i; [reflexivity |].
        rewrite S, (T own own'), IH. reflexivity.
    Qed.

    Lemma same_sel c c' a a' b b' : eval_cond rho c = eval_cond rho' c' ->
      (eval_cond rho c = true -> alike a a') -> (eval_cond rho c = false -> alike b b') ->
      alike (@ESel (text F) c a b) (@ESel (text F) c' a' b').
    Proof.
      intros C A B. split.
      - unfold SweepProof.val. cbn [eval]. rewrite <- C.
        destruct (eval_cond rho c); [now apply A | now apply B].
      - intros own own'. cbn [tangent]. rewrite <- C.
        destruct (eval_cond rho c); [now apply A | now apply B].
    Qed.

    Lemma same_zero a a' : is_zero a = true -> is_zero a' = true -> alike a a'.
    Proof.
      intros A A'. split; [now rewrite (is_zero_val F st rho a A), (is_zero_val F st' rho' a' A') |]. destruct a, a'; try discriminate. reflexivity.
    Qed.
  End Same.

  Lemma same_refl st du rho e : same st du rho e st du rho e.
  Proof.
    split; [reflexivity |]. revert rho.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros rho own own'; cbn [tangent]; auto.
    - now rewrite (IHa rho own own'), (IHb rho own own').
    - generalize (slope F st rho f l). intros u. generalize 0%nat.
      induction IH as [| a l here _ IHl]; intros i; [reflexivity |]. now rewrite (here rho own own'), IHl.
    - now rewrite (IHa rho own own'), (IHb rho own own').
    - destruct r as [[|] ids]; apply (sum_ext G); intros k _; now rewrite (IH _ own own').
  Qed.

  Lemma same_trans st du rho e st1 du1 rho1 e1 st2 du2 rho2 e2 :
    same st du rho e st1 du1 rho1 e1 -> same st1 du1 rho1 e1 st2 du2 rho2 e2 ->
    same st du rho e st2 du2 rho2 e2.
  Proof.
    intros [V T] [V1 T1]. split; [congruence |]. intros own own'. now rewrite (T own own), (T1 own own').
  Qed.

  Lemma same_sym st du rho e st1 du1 rho1 e1 :
    same st du rho e st1 du1 rho1 e1 -> same st1 du1 rho1 e1 st du rho e.
  Proof. intros [V T]. split; [congruence |]. intros own own'. symmetry. apply T. Qed.

  Lemma same_red st du rho st' du' rho' r ns e e' :
    (forall k, In k (box ns) -> same st du (k ++ rho) e st' du' (k ++ rho') e') ->
    same st du rho (@ERed (text F) r ns e) st' du' rho' (@ERed (text F) r ns e').
  Proof.
    intros H.
    assert (V : val st rho (@ERed (text F) r ns e) = val st' rho' (@ERed (text F) r ns e')).
    { unfold SweepProof.val. cbn [eval]. apply fold_left_ext_in. intros acc k ink. f_equal. now apply H. }
    split; [exact V |]. intros own own'. cbn [tangent]. destruct r as [[|] ids].
    - apply (sum_ext G). intros k ink. now apply H.
    - cbn zeta. unfold max_value, max_ties. rewrite V.
      apply (sum_ext G). intros k ink. destruct (H k ink) as [Vk Tk]. rewrite Vk, (Tk own own').
      f_equal. f_equal. apply (sum_ext G). intros j inj. now rewrite (proj1 (H j inj)).
  Qed.

  Lemma conjunction_holds rho c l :
    eval_cond rho (fold_left (fun c d => CAnd c (compare d)) l (compare c)) =
    forallb (holds_comparison rho) (c :: l).
  Proof.
    simpl. unfold holds_comparison at 1. generalize (compare c). intros d. revert d.
    induction l as [| c' l IH]; intros d; simpl; [now rewrite andb_true_r |].
    rewrite IH. simpl. now rewrite andb_assoc.
  Qed.

  (** A select of several comparisons, one branch when they always hold. *)
  Lemma same_select st du rho l a b :
    same st du rho (mk_select l a b) st du rho (if forallb (holds_comparison rho) l then a else b).
  Proof.
    destruct l as [| c l]; [apply same_refl |]. unfold mk_select.
    destruct (is_zero a && is_zero b) eqn:Z.
    - apply andb_true_iff in Z as [A B]. apply same_zero; [exact A |]. now destruct (forallb _ _).
    - pose proof (conjunction_holds rho c l) as E.
      rewrite <- E. split.
      + unfold SweepProof.val. cbn [eval]. now destruct (eval_cond _ _).
      + intros own own'. cbn [tangent]. destruct (eval_cond _ _); apply same_refl.
  Qed.

  (** ** Substitution, and variables that are not used *)

  Lemma literal_subst f e : literal (subst f e) = literal e.
  Proof. now destruct e. Qed.

  Lemma exponent_subst g f l : exponent f (map (subst g) l) = exponent f l.
  Proof.
    destruct f; try reflexivity. destruct l as [| a [| b [| c l]]]; try reflexivity.
    simpl. now rewrite literal_subst.
  Qed.

  Lemma same_subst st du (e : ex) : forall f rho,
    same st du rho (subst f e) st du (map (eval_ix rho) f) e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros f rho.
    - split; reflexivity.
    - assert (E : map (eval_ix rho) (map (subst_ix f) l) = map (eval_ix (map (eval_ix rho) f)) l).
      { rewrite map_map. apply map_ext. intros a. apply eval_subst_ix. }
      split; [unfold SweepProof.val; cbn [subst eval] | intros own own'; cbn [subst tangent]]; now rewrite E.
    - cbn [subst]. now apply same_bin.
    - cbn [subst]. apply same_call; [| apply exponent_subst].
      clear - IH. induction IH as [| a l here _ IHl]; constructor; auto.
    - cbn [subst]. apply same_sel; auto. apply eval_subst_cond.
    - cbn [subst]. apply same_red. intros k ink. apply box_length in ink.
      rewrite <- (eval_lift k rho f (length ns) ink). apply IH.
  Qed.

  (** The variables in use have the same values. *)
  Definition agree_on (u : nat -> bool) (rho rho' : list Z) : Prop :=
    forall j, u j = true -> nth j rho 0 = nth j rho' 0.

  Lemma agree_mono (u v : nat -> bool) rho rho' :
    (forall j, v j = true -> u j = true) -> agree_on u rho rho' -> agree_on v rho rho'.
  Proof. intros sub H j vj. apply H, sub, vj. Qed.

  Lemma mentions_eval a rho rho' : agree_on (fun j => mentions j a) rho rho' -> eval_ix rho a = eval_ix rho' a.
  Proof.
    induction a as [n | z | a IHa b IHb | a IHa b IHb | a IHa k | a IHa k | a IHa k]; intros H; simpl.
    - apply H. simpl. apply Nat.eqb_refl.
    - reflexivity.
    - rewrite IHa, IHb; [reflexivity | |]; intros j m; apply H; simpl; now rewrite m, ?orb_true_r.
    - rewrite IHa, IHb; [reflexivity | |]; intros j m; apply H; simpl; now rewrite m, ?orb_true_r.
    - now rewrite IHa by exact H.
    - now rewrite IHa by exact H.
    - now rewrite IHa by exact H.
  Qed.

  Lemma comparison_agree c rho rho' : agree_on (fun j => comparison_uses j c) rho rho' ->
    holds_comparison rho c = holds_comparison rho' c.
  Proof.
    destruct c as [[o a] b]. intros H. unfold holds_comparison. simpl.
    rewrite (mentions_eval a rho rho'), (mentions_eval b rho rho'); [reflexivity | |];
      intros j m; apply H; simpl; now rewrite m, ?orb_true_r.
  Qed.

  Lemma comparisons_agree l rho rho' : agree_on (fun j => existsb (comparison_uses j) l) rho rho' ->
    forallb (holds_comparison rho) l = forallb (holds_comparison rho') l.
  Proof.
    induction l as [| c l IH]; intros H; [reflexivity |]. simpl.
    rewrite (comparison_agree c rho rho'), IH; [reflexivity | |];
      intros j m; apply H; simpl; now rewrite m, ?orb_true_r.
  Qed.

  Lemma guards_agree gs rho rho' : agree_on (fun j => existsb (guard_uses j) gs) rho rho' ->
    holds_guards rho gs = holds_guards rho' gs.
  Proof.
    induction gs as [| [l b] gs IH]; intros H; [reflexivity |]. unfold holds_guards in *. simpl.
    rewrite IH; [| intros j m; apply H; simpl; now rewrite m, orb_true_r]. f_equal. unfold holds_guard. simpl.
    f_equal. apply comparisons_agree. intros j m. apply H. simpl. unfold guard_uses at 1. simpl. now rewrite m.
  Qed.

  Theorem same_agree st du (e : ex) : forall rho rho',
    agree_on (fun j => uses F j e) rho rho' -> same st du rho e st du rho' e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros rho rho' H.
    - split; reflexivity.
    - assert (E : map (eval_ix rho) l = map (eval_ix rho') l).
      { apply map_ext_in. intros a ina. apply mentions_eval. intros j m. apply H. simpl.
        apply existsb_exists. now exists a. }
      split; [unfold SweepProof.val; cbn [eval] | intros own own'; cbn [tangent]]; now rewrite E.
    - apply (same_bin st du st du rho rho' o a a b b); [apply IHa | apply IHb];
        intros j m; apply H; simpl; now rewrite m, ?orb_true_r.
    - apply (same_call st du st du rho rho' g l l); [| reflexivity].
      assert (sub : forall a, In a l -> agree_on (fun j => uses F j a) rho rho').
      { intros a ina j m. apply H. simpl. apply existsb_exists. now exists a. }
      clear H. induction IH as [| a l here _ IHl]; constructor.
      + apply here, sub. now left.
      + apply IHl. intros b inb. apply sub. now right.
    - apply same_sel.
      + rewrite <- !comparisons_hold. apply comparisons_agree. intros j m. apply H. simpl. now rewrite m.
      + intros _. apply IHa. intros j m. apply H. simpl. now rewrite m, ?orb_true_r.
      + intros _. apply IHb. intros j m. apply H. simpl. now rewrite m, ?orb_true_r.
    - apply same_red. intros k ink. apply box_length in ink. apply IH. intros j m.
      destruct (Nat.lt_ge_cases j (length k)) as [lt | ge]; [now rewrite !app_nth1 |].
      rewrite !app_nth2 by exact ge. apply H. simpl. replace (length ns + (j - length k))%nat with j by lia.
      exact m.
  Qed.
End Tangent.
