(** * Digits: linear forms for normal forms, one value of the new variables each *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Wf kernel.Sums.
From Calque Require Import kernel.Forms kernel.FormsProof kernel.Gradient kernel.GatherForm.
Import ListNotations.
Open Scope Z_scope.

(** ** Values of linear forms *)

Fixpoint dot (l rho : list Z) : Z :=
  match l, rho with
  | c :: l', z :: rho' => c * z + dot l' rho'
  | _, _ => 0
  end.

Definition lin_val (rho : list Z) (x : lin) : Z := fst x + dot (snd x) rho.

Lemma dot_scaled (a : Z) (l rho : list Z) : dot (map (fun c => a * c) l) rho = a * dot l rho.
Proof. revert rho. induction l as [| c l IH]; intros [| z rho]; simpl; try ring. rewrite IH. ring. Qed.

Lemma dot_ext (f g : Z -> Z) (l rho : list Z) : (forall c, f c = g c) -> dot (map f l) rho = dot (map g l) rho.
Proof. intros same. now rewrite (map_ext f g same). Qed.

Lemma dot_map2 (a b : Z) (l : list Z) : forall m rho,
  dot (map2 (fun c d => a * c + b * d) l m) rho = a * dot l rho + b * dot m rho.
Proof.
  induction l as [| c l IH]; intros m rho.
  - cbn [map2 dot]. rewrite (dot_ext _ (fun d => b * d)) by (intros; ring).
    rewrite dot_scaled. ring.
  - destruct m as [| d m].
    + cbn [map2]. rewrite (dot_ext _ (fun c => a * c)) by (intros; ring).
      rewrite dot_scaled. cbn [dot]. ring.
    + destruct rho as [| z rho]; cbn [map2 dot]; [ring |]. rewrite IH. ring.
Qed.

Lemma mix_val rho a x b y : lin_val rho (mix a x b y) = a * lin_val rho x + b * lin_val rho y.
Proof. unfold lin_val, mix. cbn [fst snd]. rewrite dot_map2. ring. Qed.

Lemma unit_val rho s k : lin_val rho (unit_lin s k) = k + nth s rho 0.
Proof.
  unfold lin_val, unit_lin. cbn [fst snd]. f_equal. revert rho.
  induction s as [| s IH]; intros [| z rho]; cbn [repeat app dot nth]; try reflexivity; try ring.
  rewrite IH. ring.
Qed.

Lemma nil_val rho : lin_val rho nil_lin = 0.
Proof. reflexivity. Qed.

Lemma without_val rho x s : lin_val rho x = coef x s * nth s rho 0 + lin_val rho (without x s).
Proof.
  unfold lin_val, without, coef. cbn [fst snd]. generalize (snd x). intros l.
  enough (dot l rho = nth s l 0 * nth s rho 0 + dot (set_zero s l) rho) by lia.
  revert s rho. induction l as [| c l IH]; intros s rho.
  - destruct s; reflexivity.
  - destruct rho as [| z rho]; [destruct s; cbn [set_zero dot nth]; ring |].
    destruct s as [| s]; cbn [set_zero dot nth]; [ring |]. rewrite (IH s rho). ring.
Qed.

Lemma dot_app l rho more : (length l <= length rho)%nat -> dot l (rho ++ more) = dot l rho.
Proof.
  revert rho. induction l as [| c l IH]; intros [| z rho] len; simpl in *; try reflexivity; [lia |].
  rewrite IH by lia. reflexivity.
Qed.

Lemma all_zero_dot l rho : all_zero l = true -> dot l rho = 0.
Proof.
  revert rho. induction l as [| c l IH]; intros [| z rho] H; try reflexivity.
  simpl in H. apply andb_true_iff in H as [C H]. apply Z.eqb_eq in C. subst.
  cbn [dot]. rewrite IH by exact H. ring.
Qed.

Lemma lin_eqb_val rho x y : lin_eqb x y = true -> lin_val rho x = lin_val rho y.
Proof.
  unfold lin_eqb, lin_val. rewrite andb_true_iff, Z.eqb_eq. intros [-> H]. f_equal.
  revert rho H. generalize (snd x) (snd y). intros l.
  induction l as [| c l IH]; intros m rho H.
  - simpl in H. now rewrite (all_zero_dot m rho H).
  - destruct m as [| d m]; [now rewrite (all_zero_dot _ rho H) |].
    simpl in H. apply andb_true_iff in H as [C H]. apply Z.eqb_eq in C. subst.
    destruct rho; [reflexivity |]. cbn [dot]. now rewrite (IH m).
Qed.

Lemma span_lin_sound ext rho x :
  in_box ext rho = true -> within_span (lin_val rho x) (span_lin ext x).
Proof.
  intros inn. unfold lin_val, span_lin. apply span_plus_sound.
  { unfold within_span. simpl. lia. }
  revert rho inn. generalize (snd x). intros l. revert ext.
  induction l as [| c l IH]; intros ext rho inn.
  { unfold within_span. destruct ext, rho; simpl; lia. }
  destruct ext as [| n ext], rho as [| z rho]; try discriminate.
  { unfold within_span. simpl. lia. }
  simpl in inn. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt in inn. cbn [span_sum dot].
  apply span_plus_sound; [| now apply IH].
  rewrite Z.mul_comm. apply span_mul_sound. unfold within_span. simpl. lia.
Qed.

(** ** Scopes *)

(** Coefficients are those of the slots that are all right. *)
Definition supported_by (ok : nat -> bool) (x : lin) : Prop :=
  forall s, coef x s <> 0 -> ok s = true.

Lemma nth_map2 (f : Z -> Z -> Z) : f 0 0 = 0 -> forall l m s,
  nth s (map2 f l m) 0 = f (nth s l 0) (nth s m 0).
Proof.
  intros f0. induction l as [| c l IH]; intros m s.
  - cbn [map2]. destruct (Nat.lt_ge_cases s (length m)).
    + rewrite (nth_indep _ 0 (f 0 0)) by now rewrite map_length.
      rewrite (map_nth (f 0) m 0 s). now destruct s.
    + rewrite nth_overflow by now rewrite map_length.
      rewrite (nth_overflow m) by lia. now destruct s.
  - destruct m as [| d m].
    + cbn [map2]. destruct (Nat.lt_ge_cases s (length (c :: l))).
      * rewrite (nth_indep _ 0 (f 0 0)) by now rewrite map_length.
        rewrite (map_nth (fun y => f y 0) (c :: l) 0 s). now destruct s.
      * rewrite nth_overflow by now rewrite map_length.
        rewrite (nth_overflow (c :: l)) by lia. now destruct s.
    + destruct s as [| s]; cbn [map2 nth]; [reflexivity | apply IH].
Qed.

Lemma coef_mix a x b y s : coef (mix a x b y) s = a * coef x s + b * coef y s.
Proof. unfold coef, mix. cbn [snd]. apply nth_map2. ring. Qed.

Lemma coef_unit n k s : coef (unit_lin n k) s = if (s =? n)%nat then 1 else 0.
Proof.
  unfold coef, unit_lin. cbn [snd]. revert s.
  induction n as [| n IH]; intros [| s]; cbn [repeat app nth Nat.eqb]; try reflexivity.
  - now destruct s.
  - apply IH.
Qed.

Lemma coef_without x t s : coef (without x t) s = if (s =? t)%nat then 0 else coef x s.
Proof.
  unfold coef, without. cbn [snd]. generalize (snd x). intros l. revert t s.
  induction l as [| c l IH]; intros t s.
  - replace (set_zero t []) with (@nil Z) by (now destruct t).
    destruct (s =? t)%nat, s; reflexivity.
  - destruct t, s; cbn [set_zero nth Nat.eqb]; try reflexivity. apply IH.
Qed.

Lemma supported_mix ok a x b y :
  supported_by ok x -> supported_by ok y -> supported_by ok (mix a x b y).
Proof.
  intros X Y s H. rewrite coef_mix in H.
  destruct (Z.eq_dec (coef x s) 0) as [E |]; [| auto].
  destruct (Z.eq_dec (coef y s) 0) as [E' |]; [| auto]. rewrite E, E' in H. lia.
Qed.

Lemma supported_unit ok n k : ok n = true -> supported_by ok (unit_lin n k).
Proof.
  intros yes s H. rewrite coef_unit in H. destruct (Nat.eqb_spec s n); [now subst | lia].
Qed.

Lemma length_map2 f l : forall m n,
  (length l <= n)%nat -> (length m <= n)%nat -> (length (map2 f l m) <= n)%nat.
Proof.
  induction l as [| c l IH]; intros m n L M; cbn [map2].
  - now rewrite map_length.
  - destruct m as [| d m]; [now rewrite map_length |]. simpl in *.
    destruct n; [lia |]. specialize (IH m n). lia.
Qed.

(** ** Digits *)

Definition null (rho : list Z) (x : lin) : bool := lin_val rho x =? 0.

Section Digits.
  Variable ext : list nat.
  Variable e0 : list Z.
  Hypothesis e0_in : in_box ext e0 = true.

  (** Slots of one value have no coefficient. *)
  Definition wide (s : nat) : bool :=
    (1 <? nth s ext 1%nat)%nat || (length ext <=? s)%nat.

  Definition in_scope (s : box_state) (x : lin) : Prop :=
    (length (snd x) <= length (slots s))%nat /\ supported_by wide x.

  (** The new variables must have the values [d0], then [cond] is whether the indices are
      those of the cell. *)
  Definition digits_known (s : box_state) (d0 : list Z) : Prop :=
    forall f m q r, In (f, m, q, r) (digits s) ->
      0 < m /\ in_scope s f /\ in_scope s q /\ in_scope s r /\
      lin_val (e0 ++ d0) q = lin_val (e0 ++ d0) f / m /\
      lin_val (e0 ++ d0) r = lin_val (e0 ++ d0) f mod m.

  Inductive settled (s : box_state) (d0 : list Z) (cond : bool) : Prop :=
    | Settled (fresh : list nat) :
        slots s = ext ++ fresh ->
        in_box fresh d0 = true ->
        (forall d, in_box fresh d = true ->
           forallb (null (e0 ++ d)) (eqs s) = tuple_eqb d d0 && cond) ->
        (forall x, In x (eqs s) -> in_scope s x) ->
        digits_known s d0 ->
        settled s d0 cond.

  Lemma digits_scope s d0 cond : settled s d0 cond -> digits_known s d0.
  Proof. now intros []. Qed.

  Lemma env_length s d0 cond : settled s d0 cond -> length (e0 ++ d0) = length (slots s).
  Proof.
    intros [fresh slots_ d0_ _ _ _]. rewrite slots_, !app_length.
    now rewrite (in_box_length _ _ e0_in), (in_box_length _ _ d0_).
  Qed.

  Lemma env_in s d0 cond : settled s d0 cond -> in_box (slots s) (e0 ++ d0) = true.
  Proof.
    intros [fresh slots_ d0_ _ _ _]. rewrite slots_.
    rewrite in_box_app by exact (in_box_length _ _ e0_in). now rewrite e0_in, d0_.
  Qed.

  Lemma val_more rho x more :
    (length (snd x) <= length rho)%nat -> lin_val (rho ++ more) x = lin_val rho x.
  Proof. intros len. unfold lin_val. now rewrite dot_app. Qed.

  Lemma find_digit_sound f m l q r :
    find_digit f m l = Some (q, r) -> exists g, In (g, m, q, r) l /\ lin_eqb f g = true.
  Proof.
    induction l as [| [[[g n] q'] r'] l IH]; simpl; [discriminate |].
    destruct (Z.eqb_spec m n) as [<- |]; simpl.
    - destruct (lin_eqb f g) eqn:E.
      + intros H. injection H as <- <-. eauto.
      + intros H. apply IH in H as (h & inh & eh). eauto.
    - intros H. apply IH in H as (h & inh & eh). eauto.
  Qed.

  (** One step: more slots, whose values follow; values of older forms stay. *)
  Definition advances (s s' : box_state) (d0 d0' : list Z) : Prop :=
    exists more fresh, d0' = d0 ++ more /\ slots s' = slots s ++ fresh.

  Lemma advances_refl s d0 : advances s s d0 d0.
  Proof. exists [], []. now rewrite !app_nil_r. Qed.

  Lemma advances_trans s s' s'' d d' d'' :
    advances s s' d d' -> advances s' s'' d' d'' -> advances s s'' d d''.
  Proof.
    intros (m & f & -> & E) (m' & f' & -> & E'). exists (m ++ m'), (f ++ f').
    rewrite E', E. now rewrite !app_assoc.
  Qed.

  Lemma in_scope_advances s s' d d' x : advances s s' d d' -> in_scope s x -> in_scope s' x.
  Proof.
    intros (m & f & _ & E) [L S]. split; [| exact S]. rewrite E, app_length. lia.
  Qed.

  Lemma val_advances s s' d d' cond x :
    settled s d cond -> advances s s' d d' -> in_scope s x ->
    lin_val (e0 ++ d') x = lin_val (e0 ++ d) x.
  Proof.
    intros S (m & f & -> & E) [L _]. rewrite app_assoc. apply val_more.
    now rewrite (env_length _ _ _ S).
  Qed.

  Lemma tuple_eqb_app i j k l :
    length i = length j -> tuple_eqb (i ++ k) (j ++ l) = tuple_eqb i j && tuple_eqb k l.
  Proof.
    revert j. induction i as [| y i IH]; intros [| z j] len; try discriminate; [reflexivity |].
    simpl in *. rewrite IH by lia. now rewrite andb_assoc.
  Qed.

  Lemma digit_settled f m s d0 cond q r s' :
    0 < m -> settled s d0 cond -> in_scope s f -> digit f m s = (q, r, s') ->
    exists d0', settled s' d0' cond /\ advances s s' d0 d0' /\ in_scope s' q /\ in_scope s' r /\
      lin_val (e0 ++ d0') q = lin_val (e0 ++ d0) f / m /\
      lin_val (e0 ++ d0') r = lin_val (e0 ++ d0) f mod m.
  Proof.
    intros pos S [fl fs]. unfold digit.
    destruct (find_digit f m (digits s)) as [[q' r'] |] eqn:E.
    { intros H. injection H as <- <- <-. exists d0.
      apply find_digit_sound in E as (g & ing & eqg).
      destruct (digits_scope _ _ _ S _ _ _ _ ing) as (_ & _ & Q & R & VQ & VR).
      rewrite (lin_eqb_val _ _ _ eqg). auto 10 using advances_refl. }
    clear E. pose proof (span_lin_sound (slots s) (e0 ++ d0) f (env_in _ _ _ S)) as B.
    destruct (span_lin (slots s) f) as [l h]. unfold within_span in B. simpl fst in B. simpl snd in B.
    intros H. injection H as <- <- <-.
    set (v := lin_val (e0 ++ d0) f) in *. set (n := length (slots s)).
    pose proof (env_length _ _ _ S) as len.
    pose proof (Z.div_le_mono l v m pos (proj1 B)) as low.
    pose proof (Z.div_le_mono v h m pos (proj2 B)) as high.
    pose proof (Z.mod_pos_bound v m pos) as digit_range.
    assert (okn : forall k, wide (n + k) = true).
    { intros k. unfold wide. destruct S as [fresh slots_ _ _ _ _].
      assert (length ext <= n + k)%nat by (unfold n; rewrite slots_, app_length; lia).
      apply orb_true_iff. right. now apply Nat.leb_le. }
    assert (ln : nth n (e0 ++ d0 ++ [v / m - l / m; v mod m]) 0 = v / m - l / m).
    { rewrite app_assoc, app_nth2 by (unfold n; lia). unfold n. now rewrite len, Nat.sub_diag. }
    assert (ln' : nth (Datatypes.S n) (e0 ++ d0 ++ [v / m - l / m; v mod m]) 0 = v mod m).
    { rewrite app_assoc, app_nth2 by (unfold n; lia). unfold n. rewrite len.
      now replace (Datatypes.S (length (slots s)) - length (slots s))%nat with 1%nat by lia. }
    exists (d0 ++ [v / m - l / m; v mod m]).
    set (more := [Z.to_nat (h / m - l / m + 1); Z.to_nat m]).
    set (s' := State (slots s ++ more) _ _).
    assert (A : advances s s' d0 (d0 ++ [v / m - l / m; v mod m])).
    { exists [v / m - l / m; v mod m], more. auto. }
    assert (Q : in_scope s' (unit_lin n (l / m))).
    { split; [| apply supported_unit; rewrite <- (Nat.add_0_r n); apply okn].
      unfold s', more, unit_lin. cbn [snd slots]. rewrite !app_length, repeat_length. simpl. unfold n. lia. }
    assert (Rs : in_scope s' (unit_lin (Datatypes.S n) 0)).
    { split; [| apply supported_unit; rewrite <- (Nat.add_1_r n); apply okn].
      unfold s', more, unit_lin. cbn [snd slots]. rewrite !app_length, repeat_length. simpl. unfold n. lia. }
    assert (Fs : in_scope s' f) by (eapply in_scope_advances; [exact A | now split]).
    assert (VQ : lin_val (e0 ++ d0 ++ [v / m - l / m; v mod m]) (unit_lin n (l / m)) = v / m)
      by (rewrite unit_val, ln; lia).
    assert (VR : lin_val (e0 ++ d0 ++ [v / m - l / m; v mod m]) (unit_lin (Datatypes.S n) 0) = v mod m)
      by (rewrite unit_val, ln'; lia).
    split; [| auto 10].
    destruct S as [fresh slots_ d0_ eqs_ scope_ dig_].
    exists (fresh ++ more).
    - unfold s'. cbn [slots]. now rewrite slots_, app_assoc.
    - rewrite in_box_app by exact (in_box_length _ _ d0_). rewrite d0_. simpl.
      rewrite !Z2Nat.id by lia.
      repeat match goal with |- context [?a <=? ?b] => destruct (Z.leb_spec a b); [| lia] end.
      repeat match goal with |- context [?a <? ?b] => destruct (Z.ltb_spec a b); [| lia] end.
      reflexivity.
    - intros d ind. apply in_box_split in ind as (d1 & d2 & -> & in1 & in2).
      pose proof (in_box_length _ _ in1) as len1. pose proof (in_box_length _ _ in2) as len2.
      destruct d2 as [| z1 [| z2 [| ? ?]]]; try discriminate.
      assert (same : length (e0 ++ d1) = n).
      { unfold n. rewrite slots_, !app_length, (in_box_length _ _ e0_in). lia. }
      unfold s'. cbn [eqs]. rewrite forallb_app. cbn [forallb]. rewrite andb_true_r.
      replace (forallb (null (e0 ++ d1 ++ [z1; z2])) (eqs s)) with (forallb (null (e0 ++ d1)) (eqs s)).
      2: { assert (all : forall x, In x (eqs s) -> (length (snd x) <= n)%nat)
             by (intros x inx; apply (scope_ x inx)).
           revert all. generalize (eqs s). clear - same. intros l all.
           induction l as [| x l IH]; [reflexivity |]. cbn [forallb].
           rewrite IH by (intros y iny; apply all; now right). f_equal. unfold null.
           rewrite (app_assoc e0 d1), (val_more (e0 ++ d1) x [z1; z2]); [reflexivity |].
           rewrite same. apply all. now left. }
      rewrite eqs_ by exact in1. unfold null. rewrite !mix_val, !unit_val.
      rewrite tuple_eqb_app by (rewrite len1; symmetry; exact (in_box_length _ _ d0_)).
      replace (nth n (e0 ++ d1 ++ [z1; z2]) 0) with z1.
      2: { rewrite app_assoc, app_nth2 by lia. now rewrite same, Nat.sub_diag. }
      replace (nth (Datatypes.S n) (e0 ++ d1 ++ [z1; z2]) 0) with z2.
      2: { rewrite app_assoc, app_nth2 by lia. rewrite same.
           now replace (Datatypes.S n - n)%nat with 1%nat by lia. }
      replace (lin_val (e0 ++ d1 ++ [z1; z2]) f) with (lin_val (e0 ++ d1) f).
      2: { rewrite (app_assoc e0 d1), (val_more (e0 ++ d1) f [z1; z2]); [reflexivity |].
           rewrite same. exact fl. }
      destruct (tuple_eqb_spec d1 d0) as [-> | ne]; [| reflexivity]. fold v.
      cbn [tuple_eqb andb]. rewrite andb_true_r.
      simpl in in2. rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt in in2.
      rewrite !Z2Nat.id in in2 by lia.
      destruct cond; rewrite ?andb_true_r, ?andb_false_r; [| reflexivity].
      apply eq_true_iff_eq. cbn [andb]. rewrite ?andb_true_iff, ?Z.eqb_eq.
      pose proof (Z.div_mod v m ltac:(lia)). split.
      + intros E. assert (v = m * (l / m + z1) + z2) as EV by lia.
        assert (l / m + z1 = v / m) by (apply Z.div_unique with z2; lia).
        assert (z2 = v mod m) by (apply Z.mod_unique with (l / m + z1); lia). lia.
      + intros [-> ->]. nia.
    - intros x inx. unfold s' in inx. cbn [eqs] in inx. apply in_app_iff in inx as [inx | [<- | []]].
      + eapply in_scope_advances; [exact A |]. now apply scope_.
      + destruct Q, Rs, Fs. split; [| now repeat apply supported_mix].
        unfold mix. cbn [snd]. now repeat apply length_map2.
    - intros f' m' q' r' ini. unfold s' in ini. cbn [digits] in ini.
      apply in_app_iff in ini as [ini | [E | []]].
      + destruct (dig_ _ _ _ _ ini) as (p' & F' & Q' & R' & V1 & V2).
        assert (keep : forall x, in_scope s x ->
            lin_val (e0 ++ d0 ++ [v / m - l / m; v mod m]) x = lin_val (e0 ++ d0) x).
        { intros x [lx _]. rewrite app_assoc. apply val_more. now rewrite len. }
        rewrite !keep by assumption. repeat split; auto; eapply in_scope_advances; eauto;
          first [apply F' | apply Q' | apply R'].
      + injection E as <- <- <- <-.
        assert (keep : lin_val (e0 ++ d0 ++ [v / m - l / m; v mod m]) f = v).
        { rewrite app_assoc. apply val_more. now rewrite len. }
        rewrite keep. auto 10.
  Qed.
End Digits.
