(** * Floats that are integers

    In any binary format: results of the operators are valid floats; what an integer of at most [prec] bits is as a float; sums
    and products of such floats are exact as long as they stay below 2^prec.  So the order in which they are added is of no
    account.  A zero may have either sign. *)

From Coq Require Import Bool List Lia ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.FloatSum kernel.Numbers tensor.Instances tensor.Rounding.
Open Scope Z_scope.

(** ** Places that are shifted out *)

Lemma shr_m_div n q : 0 <= shr_m q -> shr_m (times shr_1 n q) = shr_m q / 2 ^ Z.of_nat n.
Proof.
  intros Q. induction n as [| n IH]; [cbn; now rewrite Z.div_1_r |]. cbn [times].
  assert (D : forall r, 0 <= shr_m r -> shr_m (shr_1 r) = shr_m r / 2).
  { intros [m a b] R. cbn [shr_m] in *. rewrite <- Z.div2_div. destruct m as [| [p | p |] | p]; try reflexivity. lia. }
  pose proof (Z.pow_pos_nonneg 2 (Z.of_nat n) ltac:(lia) ltac:(lia)).
  rewrite D, IH by (rewrite IH; apply Z.div_pos; lia).
  rewrite Z.div_div by lia. f_equal. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. lia.
Qed.

Lemma shr_exact a n : times shr_1 n (Build_shr_record (Zpos a * 2 ^ Z.of_nat n) false false) = Build_shr_record (Zpos a)
  false false.
Proof.
  induction n as [| n IH]; [cbn [times]; now rewrite Z.mul_1_r |].
  cbn [times]. rewrite <- times_last. transitivity (times shr_1 n (Build_shr_record (Zpos a * 2 ^ Z.of_nat n) false false));
    [f_equal | exact IH].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  replace (Zpos a * (2 * 2 ^ Z.of_nat n)) with (2 * (Zpos a * 2 ^ Z.of_nat n)) by lia.
  pose proof (Z.pow_pos_nonneg 2 (Z.of_nat n) ltac:(lia) ltac:(lia)).
  destruct (Zpos a * 2 ^ Z.of_nat n) as [| p | p] eqn:E; [lia | reflexivity | lia].
Qed.

Lemma nearest_next m l : 0 <= m -> m <= round_nearest_even m l <= m + 1.
Proof. intros M. destruct l as [| [| |]]; cbn [round_nearest_even]; try destruct (Z.even m); lia. Qed.

Lemma digits_unique p d : 0 <= d -> 2 ^ d <= Zpos p < 2 ^ (d + 1) -> Zpos (digits2_pos p) = d + 1.
Proof.
  intros D [L U]. pose proof (digits_at_least p d D L). pose proof (digits_at_most p (d + 1) ltac:(lia) U). lia.
Qed.

Lemma digits_shift m k p : 0 <= k -> Zpos p = Zpos m * 2 ^ k -> Zpos (digits2_pos p) = Zpos (digits2_pos m) + k.
Proof.
  intros K E. pose proof (digits_bounds m) as [L U]. pose proof (Pos2Z.is_pos (digits2_pos m)).
  pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) K).
  replace (Zpos (digits2_pos m) + k) with (Zpos (digits2_pos m) - 1 + k + 1) by lia. apply digits_unique; [lia |]. rewrite E.
  split.
  - rewrite Z.pow_add_r by lia. nia.
  - replace (Zpos (digits2_pos m) - 1 + k + 1) with (Zpos (digits2_pos m) + k) by lia. rewrite Z.pow_add_r by lia. nia.
Qed.

Section Format.
  Variables prec emax : Z.
  Hypothesis prec_ok : 1 < prec.
  Hypothesis emax_ok : prec < emax.
  Hypothesis emin_ok : -1074 <= emin prec emax.
  Local Notation emin := (emin prec emax).
  Local Notation fexp := (fexp prec emax).
  Local Notation valid := (valid_binary prec emax).

  Lemma emin_low : emin <= 0.
  Proof. unfold SpecFloat.emin. lia. Qed.

  Lemma fexp_is e : fexp e = Z.max (e - prec) emin.
  Proof. reflexivity. Qed.

  (** ** Results are valid *)

  Lemma shr_fexp_is m e l : 0 <= m -> e <= fexp (Zdigits2 m + e) ->
    exists r, shr_fexp prec emax m e l = (r, fexp (Zdigits2 m + e)) /\ shr_m r = m / 2 ^ (fexp (Zdigits2 m + e) - e).
  Proof.
    intros M L. unfold shr_fexp. set (f := fexp (Zdigits2 m + e)) in *. destruct (record_of_loc m l) as (a & b & ->).
    unfold shr. destruct (f - e) as [| p | p] eqn:E; [| | lia].
    - eexists. split; [f_equal; lia |]. cbn [shr_m]. now rewrite Z.div_1_r.
    - eexists. split; [f_equal; lia |]. rewrite iter_times, shr_m_div by exact M. cbn [shr_m]. now rewrite positive_nat_Z.
  Qed.

  Lemma finish_valid s r f : 0 <= r <= 2 ^ prec -> emin <= f -> 2 ^ (prec - 1) <= r \/ f = emin ->
    valid (let (q, e) := shr_fexp prec emax r f loc_Exact in
      match shr_m q with
      | 0 => S754_zero s
      | Zpos m => if Zle_bool e (emax - prec) then S754_finite s m e else S754_infinity s
      | _ => S754_nan
      end) = true.
  Proof.
    intros R F C. destruct r as [| r | r]; [| | lia].
    - unfold shr_fexp. cbn [Zdigits2]. rewrite fexp_is. unfold shr. cbn [shr_record_of_loc].
      replace (Z.max (0 + f - prec) emin - f) with (emin - f) by lia.
      destruct (emin - f) as [| p | p] eqn:E; [reflexivity | lia | reflexivity].
    - pose proof (Pos2Z.is_pos (digits2_pos r)). pose proof (digits_bounds r) as [Lr Ur].
      assert (V : forall m e, 2 ^ (prec - 1) <= Zpos m < 2 ^ prec \/ Zpos m < 2 ^ prec /\ e = emin -> emin <= e ->
        valid (if Zle_bool e (emax - prec) then S754_finite s m e else S754_infinity s) = true).
      { intros m e B E. destruct (Zle_bool e (emax - prec)) eqn:Le; [| reflexivity]. cbn [valid_binary]. unfold bounded.
      rewrite Le, andb_true_r.
        unfold canonical_mantissa. apply Zeq_is_eq_bool. rewrite fexp_is.
        assert (Zpos (digits2_pos m) <= prec) by (apply digits_at_most; lia).
        destruct B as [B | [B ->]]; [| lia]. pose proof (digits_at_least m (prec - 1) ltac:(lia) ltac:(lia)). lia. }
      destruct (Z.eq_dec (Zpos r) (2 ^ prec)) as [T | T].
      + assert (D : Zpos (digits2_pos r) = prec + 1).
        { apply digits_unique; [lia |]. rewrite T, Z.pow_add_r by lia. pose proof (Z.pow_pos_nonneg 2 prec). lia. }
        pose proof (shr_fexp_is (Zpos r) f loc_Exact ltac:(lia)) as X. cbn [Zdigits2] in X. rewrite D, fexp_is in X.
        destruct (X ltac:(lia)) as (q & -> & Q).
        replace (Z.max (prec + 1 + f - prec) emin) with (f + 1) in * by lia. rewrite Q.
        replace (f + 1 - f) with 1 by lia. rewrite T.
        replace (2 ^ prec / 2 ^ 1) with (2 ^ (prec - 1)) by (rewrite <- Z.pow_sub_r by lia; reflexivity).
        pose proof (Z.pow_pos_nonneg 2 (prec - 1) ltac:(lia) ltac:(lia)).
        assert (2 ^ (prec - 1) < 2 ^ prec) by (apply Z.pow_lt_mono_r; lia).
        destruct (2 ^ (prec - 1)) as [| m | m] eqn:E; [lia | | lia]. apply V; [left; lia | lia].
      + assert (D : fexp (Zpos (digits2_pos r) + f) = f).
        { rewrite fexp_is. assert (Zpos (digits2_pos r) <= prec) by (apply digits_at_most; lia).
          destruct C as [C | ->]; [| lia]. pose proof (digits_at_least r (prec - 1) ltac:(lia) C). lia. }
        pose proof (shr_fexp_is (Zpos r) f loc_Exact ltac:(lia)) as X. cbn [Zdigits2] in X. rewrite D in X.
        destruct (X ltac:(lia)) as (q & -> & Q).
        rewrite Q, Z.sub_diag, Z.div_1_r. apply V; lia.
  Qed.

  Lemma round_aux_valid s m e l : 0 <= m -> e <= fexp (Zdigits2 m + e) -> valid (binary_round_aux prec emax s m e l) = true.
  Proof.
    intros M L. unfold binary_round_aux. destruct (shr_fexp_is m e l M L) as (q & -> & Q).
    set (f := fexp (Zdigits2 m + e)) in *. pose proof (Z.pow_pos_nonneg 2 (f - e) ltac:(lia) ltac:(lia)).
    assert (B : 0 <= m / 2 ^ (f - e)) by (apply Z.div_pos; lia).
    pose proof (nearest_next (shr_m q) (loc_of_shr_record q) ltac:(lia)) as N. rewrite Q in *.
    assert (Ef : emin <= f) by (unfold f; rewrite fexp_is; lia).
    assert (U : m / 2 ^ (f - e) < 2 ^ prec).
    { apply Z.div_lt_upper_bound; [lia |]. rewrite <- Z.pow_add_r by lia.
      destruct m as [| m | m]; [apply Z.pow_pos_nonneg; lia | | lia]. cbn [Zdigits2] in f.
      apply Z.lt_le_trans with (2 ^ Zpos (digits2_pos m)); [apply digits_bounds |]. apply Z.pow_le_mono_r; [lia |].
      unfold f. rewrite fexp_is. lia. }
    apply finish_valid; [lia | exact Ef |].
    destruct (Z.eq_dec f emin) as [| Ne]; [now right | left]. destruct m as [| m | m]; [| | lia].
    - unfold f in *. cbn [Zdigits2] in *. rewrite fexp_is in *. lia.
    - cbn [Zdigits2] in *. assert (f = Zpos (digits2_pos m) + e - prec) as Ef' by (unfold f in *; rewrite fexp_is in *; lia).
      apply Z.le_trans with (Zpos m / 2 ^ (f - e)); [| lia]. apply Z.div_le_lower_bound; [lia |].
      rewrite <- Z.pow_add_r by lia. replace (f - e + (prec - 1)) with (Zpos (digits2_pos m) - 1) by lia. apply digits_bounds.
  Qed.

  (** What [shl_align] gives: the same number. *)
  Lemma align_is m e f k : 0 <= e + k -> 0 <= f + k -> f <= e ->
    Zpos (fst (shl_align m e f)) * 2 ^ (f + k) = Zpos m * 2 ^ (e + k).
  Proof.
    intros E F L. unfold shl_align. destruct (f - e) as [| d | d] eqn:G; [| lia |]; cbn [fst].
    - now replace e with f by lia.
    - rewrite shift_value. replace (e + k) with (Zpos d + (f + k)) by lia.
    now rewrite (Z.pow_add_r 2 (Zpos d)), Z.mul_assoc by lia.
  Qed.

  Lemma align_high m e f : e <= f -> shl_align m e f = (m, e).
  Proof. intros L. unfold shl_align. destruct (f - e) as [| d | d] eqn:G; try reflexivity. lia. Qed.

  Lemma align_low m e f : f <= e -> exists n, shl_align m e f = (n, f) /\ Zpos n = Zpos m * 2 ^ (e - f).
  Proof.
    intros L. unfold shl_align. destruct (f - e) as [| d | d] eqn:G; [| lia |].
    - exists m. split; [f_equal; lia |]. replace (e - f) with 0 by lia. lia.
    - exists (shift_pos d m). split; [reflexivity |]. rewrite shift_value. f_equal. f_equal. lia.
  Qed.

  Lemma round_valid s m e : valid (binary_round prec emax s m e) = true.
  Proof.
    unfold binary_round. set (f := fexp (Zpos (digits2_pos m) + e)). destruct (Z_le_gt_dec f e) as [L | G].
    - destruct (align_low m e f L) as (n & -> & V). apply round_aux_valid; [lia |].
      cbn [Zdigits2]. rewrite (digits_shift m (e - f) n ltac:(lia) V).
      replace (Zpos (digits2_pos m) + (e - f) + f) with (Zpos (digits2_pos m) + e) by lia. fold f. lia.
    - rewrite align_high by lia. apply round_aux_valid; [lia |]. cbn [Zdigits2]. fold f. lia.
  Qed.

  Theorem normalize_valid z e s : valid (binary_normalize prec emax z e s) = true.
  Proof. destruct z; [reflexivity | apply round_valid | apply round_valid]. Qed.

  Theorem add_valid x y : valid x = true -> valid y = true -> valid (SFadd prec emax x y) = true.
  Proof.
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; intros X Y; try reflexivity; try assumption; cbn [SFadd].
    - destruct (eqb s t); reflexivity.
    - destruct (eqb s t); reflexivity.
    - apply normalize_valid.
  Qed.

  Theorem sub_valid x y : valid x = true -> valid y = true -> valid (SFsub prec emax x y) = true.
  Proof.
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; intros X Y; try reflexivity; try assumption; cbn [SFsub].
    - destruct (eqb s (negb t)); reflexivity.
    - destruct (eqb s (negb t)); reflexivity.
    - apply normalize_valid.
  Qed.

  Lemma bounded_is m e : bounded prec emax m e = true ->
    fexp (Zpos (digits2_pos m) + e) = e /\ emin <= e /\ e <= emax - prec.
  Proof.
    unfold bounded, canonical_mantissa. intros B. apply andb_true_iff in B. destruct B as [B C].
    apply Zeq_bool_eq in B. apply Zle_bool_imp_le in C. rewrite fexp_is in *. lia.
  Qed.

  Lemma product_digits m n : Zpos (digits2_pos m) + Zpos (digits2_pos n) - 1 <= Zpos (digits2_pos (m * n)).
  Proof.
    pose proof (digits_bounds m) as [Lm _]. pose proof (digits_bounds n) as [Ln _].
    pose proof (Pos2Z.is_pos (digits2_pos m)). pose proof (Pos2Z.is_pos (digits2_pos n)).
    set (a := Zpos (digits2_pos m)) in *. set (b := Zpos (digits2_pos n)) in *.
    assert (a + b - 2 < Zpos (digits2_pos (m * n))); [| lia]. apply digits_at_least; [lia |].
    replace (a + b - 2) with (a - 1 + (b - 1)) by lia. rewrite Z.pow_add_r by lia. rewrite Pos2Z.inj_mul.
    pose proof (Z.pow_pos_nonneg 2 (a - 1) ltac:(lia) ltac:(lia)).
    pose proof (Z.pow_pos_nonneg 2 (b - 1) ltac:(lia) ltac:(lia)). nia.
  Qed.

  Lemma product_exponent m e n f : bounded prec emax m e = true -> bounded prec emax n f = true ->
    e + f <= fexp (Zpos (digits2_pos (m * n)) + (e + f)).
  Proof.
    intros B C. apply bounded_is in B, C. pose proof (product_digits m n). pose proof emin_low.
    pose proof (Pos2Z.is_pos (digits2_pos m)). pose proof (Pos2Z.is_pos (digits2_pos n)). rewrite fexp_is in *. lia.
  Qed.

  Theorem mul_valid x y : valid x = true -> valid y = true -> valid (SFmul prec emax x y) = true.
  Proof.
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; intros X Y; try reflexivity; try assumption; cbn [SFmul].
    apply round_aux_valid; [lia |]. now apply product_exponent.
  Qed.

  Theorem div_valid x y : valid x = true -> valid y = true -> valid (SFdiv prec emax x y) = true.
  Proof.
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; intros X Y; try reflexivity; try assumption; cbn [SFdiv].
    unfold SFdiv_core_binary. cbn [Zdigits2].
    set (a := Zpos (digits2_pos m)). set (b := Zpos (digits2_pos n)). set (g := Z.min (fexp (a + e - (b + f))) (e - f)).
    set (m' := match e - f - g with Z0 => Zpos m | Zpos _ => Z.shiftl (Zpos m) (e - f - g) | Zneg _ => 0 end).
    assert (Gs : 0 <= e - f - g) by lia.
    assert (M : m' = Zpos m * 2 ^ (e - f - g)).
    { unfold m'. destruct (e - f - g) eqn:E; [lia | | lia]. now rewrite Z.shiftl_mul_pow2 by lia. }
    clearbody m'. pose proof (Z_div_mod m' (Zpos n) ltac:(lia)) as D. destruct (Z.div_eucl m' (Zpos n)) as [q r].
    destruct D as [D R].
    pose proof (Z.pow_pos_nonneg 2 (e - f - g) ltac:(lia) Gs). assert (0 <= q) by nia.
    apply round_aux_valid; [assumption |].
    pose proof (digits_bounds m) as [Lm Um]. pose proof (digits_bounds n) as [Ln Un]. fold a in Lm, Um. fold b in Ln, Un.
    assert (1 <= a) by (unfold a; lia). assert (1 <= b) by (unfold b; lia).
    assert (Dg : a + (e - f - g) - b <= Zdigits2 q).
    { destruct (Z_le_gt_dec (a + (e - f - g) - b) 0) as [| P]; [destruct q; cbn [Zdigits2]; lia |].
      assert (2 ^ (a + (e - f - g) - b - 1) <= q) as Q.
      { assert (2 ^ (a + (e - f - g) - 1) <= m') by (rewrite M; replace (a + (e - f - g) - 1) with (a - 1 + (e - f - g)) by lia;
          rewrite Z.pow_add_r by lia; nia).
        assert (m' < Zpos n * (q + 1)) by lia.
        assert (2 ^ (a + (e - f - g) - b - 1) < q + 1); [| lia].
        apply Z.mul_lt_mono_pos_l with (2 ^ b); [lia |]. rewrite <- Z.pow_add_r by lia.
        replace (b + (a + (e - f - g) - b - 1)) with (a + (e - f - g) - 1) by lia. nia. }
      pose proof (Z.pow_pos_nonneg 2 (a + (e - f - g) - b - 1) ltac:(lia) ltac:(lia)).
      destruct q as [| q | q]; [lia | | lia]. cbn [Zdigits2]. apply digits_at_least in Q; lia. }
    assert (g <= fexp (a + e - (b + f))) by (unfold g; lia). rewrite fexp_is in *. lia.
  Qed.

  (** ** Integers *)

  Definition scale_ : Z := 2148.

  (** The float is this integer. *)
  Definition stands (x : spec_float) (z : Z) : Prop :=
    match x with
    | S754_zero _ => z = 0
    | S754_finite s m e => bounded prec emax m e = true /\ (if s then - Zpos m else Zpos m) * 2 ^ (e + scale_) = z * 2 ^ scale_
    | _ => False
    end.

  Lemma scale_pos : 0 < 2 ^ scale_.
  Proof. now apply Z.pow_pos_nonneg. Qed.

  Lemma size_of m e a : - scale_ <= e -> Zpos m * 2 ^ (e + scale_) = a * 2 ^ scale_ -> a < 2 ^ prec -> Zpos (digits2_pos m)
    + e <= prec.
  Proof.
    intros E V A. pose proof (digits_bounds m) as [L _]. pose proof (Pos2Z.is_pos (digits2_pos m)).
    set (d := Zpos (digits2_pos m)) in *.
    assert (2 ^ (d - 1 + (e + scale_)) < 2 ^ (prec + scale_)) as P.
    { rewrite (Z.pow_add_r 2 (d - 1)), (Z.pow_add_r 2 prec) by (unfold scale_ in *; lia). pose proof scale_pos.
      pose proof (Z.pow_pos_nonneg 2 (e + scale_) ltac:(lia) ltac:(lia)). nia. }
    apply Z.pow_lt_mono_r_iff in P; unfold scale_ in *; lia.
  Qed.

  Lemma round_aux_stands s m e a : - scale_ <= e -> e <= fexp (Zpos (digits2_pos m) + e) -> a < 2 ^ prec ->
    Zpos m * 2 ^ (e + scale_) = a * 2 ^ scale_ -> stands (binary_round_aux prec emax s (Zpos m) e loc_Exact)
      (if s then - a else a).
  Proof.
    intros E L A V. pose proof (size_of m e a E V A) as B. pose proof emin_low. set (d := Zpos (digits2_pos m)) in *.
    set (f := fexp (d + e)) in *. assert (F : emin <= f <= 0) by (unfold f; rewrite fexp_is; lia).
    assert (P : 0 < a). { pose proof scale_pos. pose proof (Z.pow_pos_nonneg 2 (e + scale_) ltac:(lia) ltac:(lia)). nia. }
    assert (W : Zpos m = a * 2 ^ (- f) * 2 ^ (f - e)).
    { rewrite <- Z.mul_assoc, <- Z.pow_add_r by lia. replace (- f + (f - e)) with (- e) by lia.
      apply Z.mul_reg_r with (2 ^ (e + scale_)); [apply Z.pow_nonzero; lia |]. rewrite V, <- Z.mul_assoc, <- Z.pow_add_r by lia.
      do 2 f_equal. lia. }
    pose proof (Z.pow_pos_nonneg 2 (- f) ltac:(lia) ltac:(lia)).
    destruct (a * 2 ^ (- f)) as [| n | n] eqn:N; [nia | | nia].
    assert (Dn : fexp (Zpos (digits2_pos n) + f) = f).
    { pose proof (digits_shift n (f - e) m ltac:(lia) W) as D. fold d in D. unfold f at 2. f_equal. lia. }
    unfold binary_round_aux. unfold shr_fexp at 1. cbn [Zdigits2]. fold d. fold f.
    assert (shr (shr_record_of_loc (Zpos m) loc_Exact) e (f - e) = (Build_shr_record (Zpos n) false false, f)) as ->.
    { unfold shr. cbn [shr_record_of_loc]. destruct (f - e) as [| p | p] eqn:G; [| | lia].
      - replace e with f by lia. rewrite W. now rewrite Z.mul_1_r.
      - rewrite iter_times, W. rewrite <- (positive_nat_Z p). rewrite shr_exact. f_equal. rewrite positive_nat_Z. lia. }
    cbn [shr_m loc_of_shr_record round_nearest_even]. unfold shr_fexp. cbn [Zdigits2]. rewrite Dn, Z.sub_diag.
    cbn [shr shr_record_of_loc shr_m]. replace (Zle_bool f (emax - prec)) with true by (symmetry; apply Zle_imp_le_bool; lia).
    cbn [stands]. split.
    - unfold bounded, canonical_mantissa. rewrite Dn. apply andb_true_iff. split;
      [now apply Zeq_is_eq_bool | apply Zle_imp_le_bool; lia].
    - assert (Zpos n * 2 ^ (f + scale_) = a * 2 ^ scale_) as Q.
      { rewrite <- N, <- Z.mul_assoc, <- Z.pow_add_r by (unfold scale_ in *; lia). do 2 f_equal. lia. }
      destruct s; [rewrite !Z.mul_opp_l; now f_equal | exact Q].
  Qed.

  Lemma round_stands s m e a : - scale_ <= e -> a < 2 ^ prec -> Zpos m * 2 ^ (e + scale_) = a * 2 ^ scale_ ->
    stands (binary_round prec emax s m e) (if s then - a else a).
  Proof.
    intros E A V. unfold binary_round. set (f := fexp (Zpos (digits2_pos m) + e)).
    destruct (Z_le_gt_dec f e) as [L | G].
    - destruct (align_low m e f L) as (n & -> & W).
      assert (emin <= f) by (unfold f; rewrite fexp_is; lia). apply round_aux_stands; try assumption.
      + unfold scale_ in *. lia.
      + rewrite (digits_shift m (e - f) n ltac:(lia) W).
        replace (Zpos (digits2_pos m) + (e - f) + f) with (Zpos (digits2_pos m) + e) by lia. fold f. lia.
      + rewrite W, <- Z.mul_assoc, <- Z.pow_add_r by (unfold scale_ in *; lia). rewrite <- V. do 2 f_equal. lia.
    - rewrite align_high by lia. apply round_aux_stands; try assumption. fold f. lia.
  Qed.

  Lemma normalize_stands z e s a : - scale_ <= e -> Z.abs a < 2 ^ prec -> z * 2 ^ (e + scale_) = a * 2 ^ scale_ ->
    stands (binary_normalize prec emax z e s) a.
  Proof.
    intros E A V. pose proof scale_pos. destruct z as [| p | p]; cbn [binary_normalize].
    - cbn [stands]. nia.
    - apply (round_stands false p e a E); [lia | exact V].
    - replace a with (- (- a)) by lia. apply (round_stands true p e (- a) E); [lia |].
      rewrite Z.mul_opp_l, <- V. change (Zneg p) with (- Zpos p). rewrite Z.mul_opp_l. lia.
  Qed.

  Corollary integer_stands z s : Z.abs z < 2 ^ prec -> stands (binary_normalize prec emax z 0 s) z.
  Proof. intros A. apply normalize_stands; [easy | exact A | reflexivity]. Qed.

  Lemma stands_valid x z : stands x z -> valid x = true.
  Proof. destruct x; try contradiction; [reflexivity |]. now intros [B _]. Qed.

  Lemma low_exponent m e : bounded prec emax m e = true -> -1074 <= e.
  Proof. intros B. apply bounded_is in B. lia. Qed.

  Theorem add_stands x y a b : stands x a -> stands y b -> Z.abs (a + b) < 2 ^ prec -> stands (SFadd prec emax x y) (a + b).
  Proof.
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; intros X Y A; try contradiction; cbn [SFadd].
    - cbn [stands] in *. destruct (eqb s t); cbn [stands]; lia.
    - cbn [stands] in X. subst a. exact Y.
    - cbn [stands] in Y. subst b. now rewrite Z.add_0_r.
    - destruct X as [Bx X], Y as [By Y]. pose proof (low_exponent _ _ Bx). pose proof (low_exponent _ _ By).
      set (g := Z.min e f). apply normalize_stands; [unfold scale_; lia | exact A |].
      pose proof (align_is m e g scale_ ltac:(unfold scale_; lia) ltac:(unfold scale_; lia) ltac:(lia)) as P.
      pose proof (align_is n f g scale_ ltac:(unfold scale_; lia) ltac:(unfold scale_; lia) ltac:(lia)) as Q.
      rewrite !Z.mul_add_distr_r, <- X, <- Y.
      destruct s, t; cbn [cond_Zopp]; rewrite ?Z.mul_opp_l, P, Q; reflexivity.
  Qed.

  Lemma opp_stands x a : stands x a -> stands (SFopp x) (- a).
  Proof.
    destruct x as [s | s | | s m e]; try contradiction; cbn [stands SFopp]; [now intros -> |].
    intros [B V]. split; [exact B |]. rewrite Z.mul_opp_l, <- V. destruct s; cbn [negb]; lia.
  Qed.

  Theorem sub_stands x y a b : stands x a -> stands y b -> Z.abs (a - b) < 2 ^ prec -> stands (SFsub prec emax x y) (a - b).
  Proof.
    intros X Y A. assert (SFsub prec emax x y = SFadd prec emax x (SFopp y)) as ->.
    { destruct x as [s | s | | s m e], y as [t | t | | t n f]; try reflexivity; destruct s, t; reflexivity. }
    apply (add_stands _ _ a (- b)); [exact X | now apply opp_stands | exact A].
  Qed.

  Theorem mul_stands x y a b : stands x a -> stands y b -> Z.abs (a * b) < 2 ^ prec -> stands (SFmul prec emax x y) (a * b).
  Proof.
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; intros X Y A; try contradiction; cbn [SFmul].
    - cbn [stands] in *. subst. reflexivity.
    - cbn [stands] in *. subst. reflexivity.
    - cbn [stands] in *. subst. now rewrite Z.mul_0_r.
    - destruct X as [Bx X], Y as [By Y]. pose proof (low_exponent _ _ Bx). pose proof (low_exponent _ _ By).
      pose proof scale_pos.
      assert (V : Zpos (m * n) * 2 ^ (e + f + scale_) = Z.abs (a * b) * 2 ^ scale_).
      { apply Z.mul_reg_r with (2 ^ scale_); [lia |]. rewrite Z.abs_mul.
        replace (Z.abs a * Z.abs b * 2 ^ scale_ * 2 ^ scale_) with (Z.abs (a * 2 ^ scale_) * Z.abs (b * 2 ^ scale_))
          by (rewrite !Z.abs_mul, !(Z.abs_eq (2 ^ scale_)) by lia; lia).
        rewrite <- X, <- Y, !Z.abs_mul, !(Z.abs_eq (2 ^ (_ + scale_))) by (apply Z.lt_le_incl, Z.pow_pos_nonneg; unfold scale_;
          lia).
        replace (2 ^ (e + f + scale_) * 2 ^ scale_) with (2 ^ (e + scale_) * 2 ^ (f + scale_)).
        - rewrite <- Z.mul_assoc.
          replace (2 ^ (e + f + scale_) * 2 ^ scale_) with (2 ^ (e + scale_) * 2 ^ (f + scale_)).
          + rewrite Pos2Z.inj_mul. destruct s, t; rewrite ?Z.abs_opp; lia.
          + rewrite <- !Z.pow_add_r by (unfold scale_; lia). f_equal. lia.
        - rewrite <- !Z.pow_add_r by (unfold scale_; lia). f_equal. lia. }
      pose proof (round_aux_stands (xorb s t) (m * n) (e + f) (Z.abs (a * b)) ltac:(unfold scale_;
        lia) (product_exponent _ _ _ _ Bx By) A V) as R.
      assert (Sa : if s then a < 0 else 0 < a).
      { pose proof (Z.pow_pos_nonneg 2 (e + scale_) ltac:(lia) ltac:(unfold scale_; lia)). destruct s; nia. }
      assert (Sb : if t then b < 0 else 0 < b).
      { pose proof (Z.pow_pos_nonneg 2 (f + scale_) ltac:(lia) ltac:(unfold scale_; lia)). destruct t; nia. }
      replace (a * b) with (if xorb s t then - Z.abs (a * b) else Z.abs (a * b)); [exact R |].
      destruct s, t; cbv beta iota in Sa, Sb; cbn [xorb];
        [rewrite Z.abs_eq by (apply Z.mul_nonpos_nonpos; lia) | rewrite Z.abs_neq by (apply Z.mul_nonpos_nonneg; lia)
        | rewrite Z.abs_neq by (apply Z.mul_nonneg_nonpos; lia) | rewrite Z.abs_eq by (apply Z.mul_nonneg_nonneg; lia)]; ring.
  Qed.

  (** Cut to an integer, it is that one. *)
  Theorem cut_stands x z : stands x z -> Z.abs z < 2 ^ 53 -> cut x = z.
  Proof.
    destruct x as [s | s | | s m e]; try contradiction; [now intros -> |]. intros [B V] A. pose proof (low_exponent _ _ B).
    assert (W : Zpos m * 2 ^ (e + scale_) = Z.abs z * 2 ^ scale_ /\ z = if s then - Z.abs z else Z.abs z).
    { pose proof scale_pos. pose proof (Z.pow_pos_nonneg 2 (e + scale_) ltac:(lia) ltac:(unfold scale_; lia)). destruct s; nia. }
    destruct W as [W ->]. set (a := Z.abs z) in *. assert (0 <= a) by lia. clearbody a. clear V z.
    assert ((if 0 <=? e then Zpos m * 2 ^ e else Zpos m / 2 ^ (- e)) = a) as E.
    { destruct (Z.leb_spec 0 e).
      - apply Z.mul_reg_r with (2 ^ scale_); [pose proof scale_pos; lia |].
      rewrite <- W, <- Z.mul_assoc, <- Z.pow_add_r by (unfold scale_; lia). reflexivity.
      - assert (Zpos m = a * 2 ^ (- e)) as ->.
        { apply Z.mul_reg_r with (2 ^ (e + scale_)); [apply Z.pow_nonzero; unfold scale_; lia |].
          rewrite W, <- Z.mul_assoc, <- Z.pow_add_r by (unfold scale_; lia). do 2 f_equal. lia. }
        apply Z.div_mul. apply Z.pow_nonzero; lia. }
    unfold cut. rewrite E. unfold least. destruct s; lia.
  Qed.

  (** One float for each integer, but that 0 has two. *)
  Theorem stands_one x y z : stands x z -> stands y z -> x = y \/ z = 0 /\ exists s t, x = S754_zero s /\ y = S754_zero t.
  Proof.
    pose proof scale_pos.
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; intros X Y; try contradiction.
    - right. cbn [stands] in X. eauto.
    - cbn [stands] in X, Y. subst z. destruct Y as [B Y]. pose proof (low_exponent _ _ B).
      pose proof (Z.pow_pos_nonneg 2 (f + scale_) ltac:(lia) ltac:(unfold scale_; lia)). destruct t; nia.
    - cbn [stands] in X, Y. subst z. destruct X as [B X]. pose proof (low_exponent _ _ B).
      pose proof (Z.pow_pos_nonneg 2 (e + scale_) ltac:(lia) ltac:(unfold scale_; lia)). destruct s; nia.
    - left. destruct X as [Bx X], Y as [By Y]. pose proof (low_exponent _ _ Bx). pose proof (low_exponent _ _ By).
      pose proof (Z.pow_pos_nonneg 2 (e + scale_) ltac:(lia) ltac:(unfold scale_; lia)).
      pose proof (Z.pow_pos_nonneg 2 (f + scale_) ltac:(lia) ltac:(unfold scale_; lia)).
      assert (s = t) as <- by (destruct s, t; try reflexivity; nia).
      assert (V : Zpos m * 2 ^ (e + scale_) = Zpos n * 2 ^ (f + scale_)) by (destruct s; nia).
      assert (D : Zpos (digits2_pos m) + e = Zpos (digits2_pos n) + f).
      { destruct (Zpos m * 2 ^ (e + scale_)) as [| p | p] eqn:P; [nia | | nia].
        pose proof (digits_shift m (e + scale_) p ltac:(unfold scale_; lia) (eq_sym P)) as D1.
        pose proof (digits_shift n (f + scale_) p ltac:(unfold scale_; lia) V) as D2. lia. }
      apply bounded_is in Bx, By. assert (e = f) as <- by (destruct Bx as [Bx _], By as [By _]; rewrite D in Bx; congruence).
      assert (Zpos m = Zpos n) as M by nia. now injection M as <-.
  Qed.

  (** ** A number has one rounding, whatever its exponent *)

  Lemma round_shift s m k e n : 0 <= k -> Zpos n = Zpos m * 2 ^ k ->
    binary_round prec emax s n e = binary_round prec emax s m (e + k).
  Proof.
    intros K V. unfold binary_round. rewrite (digits_shift m k n K V).
    replace (Zpos (digits2_pos m) + k + e) with (Zpos (digits2_pos m) + (e + k)) by lia.
    set (f := fexp (Zpos (digits2_pos m) + (e + k))).
    destruct (Z_le_gt_dec f e) as [L | G].
    - destruct (align_low n e f L) as (a & -> & W). destruct (align_low m (e + k) f ltac:(lia)) as (b & -> & U). f_equal.
      rewrite W, U, V, <- Z.mul_assoc, <- Z.pow_add_r by lia. do 2 f_equal. lia.
    - rewrite (align_high n) by lia. destruct (Z_le_gt_dec f (e + k)) as [L | G'].
      + destruct (align_low m (e + k) f L) as (u & -> & U).
        assert (W : Zpos n = Zpos u * 2 ^ (f - e)).
        { rewrite U, V, <- Z.mul_assoc, <- Z.pow_add_r by lia. do 2 f_equal. lia. }
        unfold binary_round_aux. assert (shr_fexp prec emax (Zpos n) e loc_Exact = shr_fexp prec emax (Zpos u) f loc_Exact)
          as ->; [| reflexivity].
        unfold shr_fexp. cbn [Zdigits2].
        rewrite (digits_shift u (f - e) n ltac:(lia) W), (digits_shift m (e + k - f) u ltac:(lia) U).
        replace (Zpos (digits2_pos m) + (e + k - f) + (f - e) + e) with (Zpos (digits2_pos m) + (e + k)) by lia.
        replace (Zpos (digits2_pos m) + (e + k - f) + f) with (Zpos (digits2_pos m) + (e + k)) by lia. fold f.
        rewrite Z.sub_diag. cbn [shr_record_of_loc shr]. unfold shr. destruct (f - e) as [| p | p] eqn:D; [lia | | lia].
        rewrite iter_times, W, <- (positive_nat_Z p), shr_exact. f_equal. lia.
      + rewrite (align_high m) by lia. unfold binary_round_aux.
        assert (shr_fexp prec emax (Zpos n) e loc_Exact = shr_fexp prec emax (Zpos m) (e + k) loc_Exact) as ->; [| reflexivity].
        unfold shr_fexp. cbn [Zdigits2]. rewrite (digits_shift m k n K V).
        replace (Zpos (digits2_pos m) + k + e) with (Zpos (digits2_pos m) + (e + k)) by lia. fold f. cbn [shr_record_of_loc].
        unfold shr. destruct (f - e) as [| p | p] eqn:D; [lia | | lia]. destruct (f - (e + k)) as [| p' | p'] eqn:D';
          [lia | | lia].
        rewrite !iter_times. assert (Pos.to_nat p = Pos.to_nat p' + Z.to_nat k)%nat as -> by lia.
        pose proof (shr_exact m (Z.to_nat k)) as X. rewrite Z2Nat.id in X by exact K. rewrite <- times_add, V, X. f_equal. lia.
  Qed.

  (** Of an integer by any float that is it. *)
  Theorem normalize_same z e a s : - scale_ <= e -> a <> 0 -> z * 2 ^ (e + scale_) = a * 2 ^ scale_ ->
    binary_normalize prec emax z e s = binary_normalize prec emax a 0 s.
  Proof.
    intros E N V. pose proof scale_pos. pose proof (Z.pow_pos_nonneg 2 (e + scale_) ltac:(lia) ltac:(unfold scale_ in *; lia)).
    assert (R : forall t p q, Zpos p * 2 ^ (e + scale_) = Zpos q * 2 ^ scale_ ->
      binary_round prec emax t p e = binary_round prec emax t q 0).
    { intros t p q W. destruct (Z_le_gt_dec 0 e) as [L | G].
      - rewrite (round_shift t p e 0 q L); [now rewrite Z.add_0_l |]. apply Z.mul_reg_r with (2 ^ scale_); [lia |].
        rewrite <- W, <- Z.mul_assoc, <- Z.pow_add_r by (unfold scale_; lia). reflexivity.
      - rewrite (round_shift t q (- e) e p ltac:(lia)); [f_equal; lia |].
        apply Z.mul_reg_r with (2 ^ (e + scale_)); [lia |]. rewrite W, <- Z.mul_assoc, <- Z.pow_add_r by (unfold scale_ in *;
          lia).
        do 2 f_equal. lia. }
    destruct z as [| p | p], a as [| q | q]; try nia; cbn [binary_normalize]; apply R; [exact V |].
    change (Zneg p) with (- Zpos p) in V. change (Zneg q) with (- Zpos q) in V. lia.
  Qed.
End Format.
