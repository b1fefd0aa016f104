(** * ArgMax of binary32

    Finite numbers have what ArgMax needs of them: a difference that is not 0 is at least 2^-149 in amount, which 2^127 and
    2^22 stretch to 1 or more, and integers up to 2^24 are counted exactly. *)

From Coq Require Import Bool List Lia NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers tensor.Tensor tensor.Scalars tensor.Ops tensor.Instances tensor.Mixed.
From Calque Require Import tensor.Rounding tensor.Quantised onnx.Composition onnx.ArgMax.
From Calque Require onnx.Steps.
Import ListNotations.
Open Scope Z_scope.

(** ** Rounding to 24 bits *)

Definition packed (m : positive) (e : Z) : spec_float := if Zle_bool e 104 then S754_finite false m e else S754_infinity false.

Lemma aux_done r e : 2 ^ 23 <= Zpos r < 2 ^ 24 -> -149 <= e ->
  (let '(q, f) := shr_fexp 24 128 (Zpos r) e loc_Exact in
   match shr_m q with
   | Z0 => S754_zero false
   | Zpos m => if Zle_bool f (128 - 24) then S754_finite false m f else S754_infinity false
   | _ => S754_nan
   end) = packed r e.
Proof.
  intros R E. assert (D : Zpos (digits2_pos r) = 24).
  { pose proof (digits_at_most r 24 ltac:(lia) ltac:(lia)). pose proof (digits_at_least r 23 ltac:(lia) ltac:(lia)). lia. }
  unfold shr_fexp. cbn [Zdigits2]. rewrite D. replace (fexp 24 128 (24 + e) - e) with 0 by (unfold fexp, emin; lia). reflexivity.
Qed.

(** Of a number that has 24 places or more. *)
Lemma aux_round i e n : 0 <= n -> 2 ^ 23 * 2 ^ n <= Zpos i < 2 ^ 24 * 2 ^ n -> -149 <= e + n ->
  exists r, 2 ^ 23 <= Zpos r <= 2 ^ 24 /\ 2 * Z.abs (Zpos i - Zpos r * 2 ^ n) <= 2 ^ n /\
    binary_round_aux 24 128 false (Zpos i) e loc_Exact =
    if Zpos r =? 2 ^ 24 then packed (2 ^ 23) (e + n + 1) else packed r (e + n).
Proof.
  intros N I E. pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) ltac:(lia)) as P.
  assert (D : Zpos (digits2_pos i) = 24 + n).
  { rewrite <- !Z.pow_add_r in I by lia. pose proof (digits_at_most i (24 + n) ltac:(lia) ltac:(lia)).
    pose proof (digits_at_least i (23 + n) ltac:(lia) ltac:(lia)). lia. }
  assert (F : fexp 24 128 (Zpos (digits2_pos i) + e) - e = n) by (rewrite D; unfold fexp, emin; lia).
  unfold binary_round_aux. unfold shr_fexp at 1. cbn [Zdigits2]. rewrite F.
  destruct n as [| p | p]; [| | lia].
  - cbn [shr shr_record_of_loc shr_m loc_of_shr_record round_nearest_even]. exists i.
    split; [lia |]. split; [lia |]. rewrite aux_done by lia. rewrite Z.add_0_r.
    replace (Zpos i =? 2 ^ 24) with false by (symmetry; apply Z.eqb_neq; lia). reflexivity.
  - cbn [shr shr_record_of_loc]. pose proof (nearest_place (Zpos i) p ltac:(lia)) as R.
    set (q := iter_pos shr_1 p (Build_shr_record (Zpos i) false false)) in *. cbv zeta in R.
    set (r := round_nearest_even (shr_m q) (loc_of_shr_record q)) in *. clearbody r. clear q.
    assert (B : 2 ^ 23 <= r <= 2 ^ 24) by nia. destruct r as [| r | r]; [lia | | lia]. exists r.
    split; [exact B |]. split; [lia |]. destruct (Z.eqb_spec (Zpos r) (2 ^ 24)) as [T | T]; [| apply aux_done; lia].
    injection T as ->. unfold shr_fexp. cbn [Zdigits2].
    match goal with |- context [shr _ _ ?k] => replace k with 1 by (unfold fexp, emin; cbn [digits2_pos Pos.succ]; lia) end.
    reflexivity.
Qed.

(** Nothing is lost. *)
Lemma aux_exact i e n r : 0 <= n -> Zpos i = Zpos r * 2 ^ n -> 2 ^ 23 <= Zpos r < 2 ^ 24 -> -149 <= e + n ->
  binary_round_aux 24 128 false (Zpos i) e loc_Exact = packed r (e + n).
Proof.
  intros N I R E. pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) ltac:(lia)) as P.
  destruct (aux_round i e n N ltac:(nia) E) as (q & Q & C & ->). assert (Zpos q = Zpos r) as T by nia.
  injection T as ->. replace (Zpos r =? 2 ^ 24) with false by (symmetry; apply Z.eqb_neq; lia). reflexivity.
Qed.

(** ** Integers up to 2^24 *)

(** The mantissa and the exponent of an integer. *)
Lemma filled_places c : 0 < c <= 2 ^ 24 -> exists r k, 2 ^ 23 <= Zpos r < 2 ^ 24 /\ -23 <= k <= 1 /\
  c * 2 ^ 23 = Zpos r * 2 ^ (k + 23).
Proof.
  intros C. destruct (Z.eq_dec c (2 ^ 24)) as [-> | ne]; [exists (2 ^ 23)%positive, 1; repeat split; lia |].
  set (l := Z.log2 c). pose proof (Z.log2_spec c ltac:(lia)) as [L U]. fold l in L, U.
  assert (0 <= l <= 23) as B.
  { split; [apply Z.log2_nonneg |]. assert (l < 24); [apply Z.log2_lt_pow2; lia | lia]. }
  pose proof (Z.pow_pos_nonneg 2 (23 - l) ltac:(lia) ltac:(lia)) as P.
  assert (Q : 2 ^ 23 = 2 ^ l * 2 ^ (23 - l)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  rewrite Z.pow_succ_r in U by lia.
  exists (Z.to_pos (c * 2 ^ (23 - l))), (l - 23). rewrite Z2Pos.id by nia. split; [split; nia |]. split; [lia |].
  replace (l - 23 + 23) with l by lia. rewrite Q. ring.
Qed.

Definition counted (c : Z) : spec_float := whole 24 128 c.

Lemma counted_zero : counted 0 = S754_zero false.
Proof. reflexivity. Qed.

(** Through binary64, whose mantissa is this one and zeros. *)
Lemma counted_exact c : 0 < c <= 2 ^ 24 -> exists r k, 2 ^ 23 <= Zpos r < 2 ^ 24 /\ -23 <= k <= 1 /\
  c * 2 ^ 23 = Zpos r * 2 ^ (k + 23) /\ counted c = S754_finite false r k.
Proof.
  intros C. destruct (filled_places c C) as (r & k & R & K & E). exists r, k. repeat (split; [assumption |]).
  destruct c as [| c | c]; [lia | | lia].
  set (d := Zpos (digits2_pos c)).
  assert (Dk : d = k + 24).
  { pose proof (digits_bounds c) as [L U]. fold d in L, U. pose proof (Pos2Z.is_pos (digits2_pos c)) as Dp. fold d in Dp.
    assert (T : 2 ^ (d - 1) * 2 ^ 23 <= Zpos r * 2 ^ (k + 23) < 2 ^ d * 2 ^ 23) by (rewrite <- E; lia).
    rewrite <- !Z.pow_add_r in T by lia.
    assert (2 ^ (d - 1 + 23) < 2 ^ (24 + (k + 23))) as A by (rewrite (Z.pow_add_r 2 24) by lia; nia).
    assert (2 ^ (23 + (k + 23)) < 2 ^ (d + 23)) as B by (rewrite (Z.pow_add_r 2 23) by lia; nia).
    apply Z.pow_lt_mono_r_iff in A, B; lia. }
  assert (B53 : binary_normalize 53 1024 (Zpos c) 0 false = S754_finite false (shift_pos (Z.to_pos (53 - d)) c) (d - 53)).
  { cbn [binary_normalize]. unfold binary_round. fold d.
    assert (fexp 53 1024 (d + 0) = d - 53) as -> by (unfold fexp, emin; lia). unfold shl_align.
    destruct (d - 53 - 0) as [| p | p] eqn:G; [lia | lia |]. replace (53 - d) with (Zpos p) by lia. cbn [Z.to_pos].
    assert (D53 : Zpos (digits2_pos (shift_pos p c)) = 53).
    { pose proof (digits_bounds c) as [L U]. fold d in L, U. pose proof (Pos2Z.is_pos (digits2_pos c)) as Dp. fold d in Dp.
      pose proof (shift_value p c) as V. pose proof (Z.pow_pos_nonneg 2 (Zpos p) ltac:(lia) ltac:(lia)) as Pp.
      assert (2 ^ 52 = 2 ^ (d - 1) * 2 ^ Zpos p) as Q by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
      assert (2 ^ 53 = 2 ^ d * 2 ^ Zpos p) as Q' by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
      pose proof (digits_at_most (shift_pos p c) 53 ltac:(lia) ltac:(nia)).
      pose proof (digits_at_least (shift_pos p c) 52 ltac:(lia) ltac:(nia)). lia. }
    unfold binary_round_aux, shr_fexp. cbn [Zdigits2]. rewrite D53.
    assert (fexp 53 1024 (53 + (d - 53)) - (d - 53) = 0) as Z0 by (unfold fexp, emin; lia). rewrite Z0.
    cbn [shr shr_record_of_loc shr_m loc_of_shr_record round_nearest_even Zdigits2]. rewrite D53, Z0.
    cbn [shr shr_record_of_loc shr_m]. replace (Zle_bool (d - 53) (1024 - 53)) with true by (symmetry; apply Z.leb_le; lia).
    reflexivity. }
  unfold counted, whole. rewrite B53. cbn [rounded].
  set (p := Z.to_pos (53 - d)). assert (Pp : Zpos p = 53 - d) by (unfold p; apply Z2Pos.id; lia).
  pose proof (shift_value p c) as V. cbn [binary_normalize]. unfold binary_round.
  assert (M : Zpos (shift_pos p c) = Zpos r * 2 ^ 29).
  { rewrite V, Pp. pose proof (Z.pow_pos_nonneg 2 (k + 23) ltac:(lia) ltac:(lia)) as Q.
    assert (2 ^ (53 - d) * 2 ^ (k + 23) = 2 ^ 52) as T by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    change (2 ^ 52) with (2 ^ 29 * 2 ^ 23) in T. nia. }
  assert (D53 : Zpos (digits2_pos (shift_pos p c)) = 53).
  { pose proof (digits_at_most (shift_pos p c) 53 ltac:(lia) ltac:(lia)).
    pose proof (digits_at_least (shift_pos p c) 52 ltac:(lia) ltac:(lia)). lia. }
  rewrite D53. assert (F : fexp 24 128 (53 + (d - 53)) = d - 53 + 29) by (unfold fexp, emin; lia). rewrite F.
  unfold shl_align. replace (d - 53 + 29 - (d - 53)) with 29 by lia.
  rewrite (aux_exact _ (d - 53) 29 r) by lia. unfold packed.
  replace (d - 53 + 29) with k by lia. now replace (Zle_bool k 104) with true by (symmetry; apply Z.leb_le; lia).
Qed.

Lemma counted_worth c : 0 <= c <= 2 ^ 24 -> worth (counted c) (c * unit_).
Proof.
  intros C. destruct (Z.eq_dec c 0) as [-> | ne]; [reflexivity |].
  destruct (counted_exact c ltac:(lia)) as (r & k & R & K & E & ->). cbn [worth]. split; [unfold canonical; lia |].
  assert (2 ^ 23 * weight k = 2 ^ (k + 23) * unit_) as W.
  { unfold weight, unit_. rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
  assert (2 ^ 23 * (c * unit_) = 2 ^ 23 * (Zpos r * weight k)); [| lia].
  replace (2 ^ 23 * (c * unit_)) with (c * 2 ^ 23 * unit_) by ring. rewrite E.
  replace (2 ^ 23 * (Zpos r * weight k)) with (Zpos r * (2 ^ 23 * weight k)) by ring. rewrite W. ring.
Qed.

(** ** Differences *)

(** What is above 0: infinite, or with a mantissa of 24 bits. *)
Definition positive (x : spec_float) : Prop :=
  x = S754_infinity false \/ exists m e, x = S754_finite false m e /\ Zpos m < 2 ^ 24 /\ -149 <= e.

Lemma packed_positive m e : Zpos m < 2 ^ 24 -> -149 <= e -> positive (packed m e).
Proof. intros M E. unfold packed. destruct (Zle_bool e 104); [right; exists m, e; split; [reflexivity | split; assumption] |
    left; reflexivity]. Qed.

Lemma normalize_positive z e : 0 < z -> -149 <= e <= 104 -> positive (binary_normalize 24 128 z e false).
Proof.
  intros Z0 E. destruct (Z_lt_ge_dec z (2 ^ 24)) as [L | L].
  - pose proof (normalize_exact z e ltac:(lia) E) as W.
    assert (P : 0 < z * weight e) by (pose proof (weight_pos e ltac:(lia)); nia).
    destruct (binary_normalize 24 128 z e false) as [s | s | | s m f]; cbn [worth] in W; try contradiction; [lia |].
    destruct W as ((M & F & _) & V). pose proof (weight_pos f ltac:(lia)). destruct s; [nia |].
    right. exists m, f. repeat split; lia.
  - destruct z as [| i | i]; [lia | | lia]. cbn [binary_normalize]. unfold binary_round.
    set (d := Zpos (digits2_pos i)). assert (24 < d) by (apply digits_at_least; lia).
    assert (fexp 24 128 (d + e) = d + e - 24) as -> by (unfold fexp, emin; lia). unfold shl_align.
    destruct (d + e - 24 - e) as [| p | p] eqn:G; [lia | | lia].
    pose proof (digits_bounds i) as [Lo Up]. fold d in Lo, Up.
    destruct (aux_round i e (d - 24)) as (r & R & _ & ->); [lia | | lia |].
    { rewrite <- !Z.pow_add_r by lia. replace (23 + (d - 24)) with (d - 1) by lia. now replace (24 + (d - 24)) with d by lia. }
    destruct (Z.eqb_spec (Zpos r) (2 ^ 24)); apply packed_positive; lia.
Qed.

Lemma difference_positive x y v w : worth x v -> worth y w -> w < v -> positive (SFsub 24 128 x y).
Proof.
  intros X Y L. rewrite SFsub_opp. apply opp_worth in Y. revert Y. generalize (SFopp y). intros z Y.
  destruct x as [s | s | | s m e]; try contradiction; destruct z as [t | t | | t n f]; try contradiction; cbn [worth SFadd] in *.
  - lia.
  - destruct Y as ((M & F & _) & V). pose proof (weight_pos f ltac:(lia)). destruct t; [nia |].
    right. exists n, f. repeat split; lia.
  - destruct X as ((M & F & _) & V). pose proof (weight_pos e ltac:(lia)). destruct s; [nia |].
    right. exists m, e. repeat split; lia.
  - destruct X as (C & X), Y as (D & Y). set (g := Z.min e f).
    assert (-149 <= g <= 104) as G by (destruct C as (_ & ? & _), D as (_ & ? & _); lia).
    pose proof (align_value m e g ltac:(lia)) as Am. pose proof (align_value n f g ltac:(lia)) as An.
    pose proof (weight_pos g ltac:(lia)) as Wg.
    apply normalize_positive; [| exact G].
    destruct s, t; cbn [cond_Zopp]; nia.
Qed.

Lemma difference_zero x y v : worth x v -> worth y v -> exists s, SFsub 24 128 x y = S754_zero s.
Proof.
  intros X Y. rewrite SFsub_opp. apply opp_worth in Y. revert Y. generalize (SFopp y). intros z Y.
  destruct x as [s | s | | s m e]; try contradiction; destruct z as [t | t | | t n f]; try contradiction; cbn [worth SFadd] in *.
  - destruct (Bool.eqb s t); eauto.
  - destruct Y as ((M & F & _) & V). pose proof (weight_pos f ltac:(lia)). destruct t; nia.
  - destruct X as ((M & F & _) & V). pose proof (weight_pos e ltac:(lia)). destruct s; nia.
  - destruct X as (C & X), Y as (D & Y). set (g := Z.min e f).
    assert (-149 <= g <= 104) as G by (destruct C as (_ & ? & _), D as (_ & ? & _); lia).
    pose proof (align_value m e g ltac:(lia)) as Am. pose proof (align_value n f g ltac:(lia)) as An.
    pose proof (weight_pos g ltac:(lia)) as Wg.
    replace (cond_Zopp s (Zpos (fst (shl_align m e g))) + cond_Zopp t (Zpos (fst (shl_align n f g)))) with 0
      by (destruct s, t; cbn [cond_Zopp]; nia).
    now exists false.
Qed.

(** ** Stretched *)

Definition one32 : spec_float := S754_finite false (2 ^ 23) (-23).
Definition first_factor : spec_float := S754_finite false (2 ^ 23) 104.
Definition second_factor : spec_float := S754_finite false (2 ^ 23) (-1).

(** A power of two moves the exponent, and mantissas become as long as 24 bits. *)
Lemma times_power m e f : Zpos m < 2 ^ 24 -> -149 <= e + f -> exists r k, 0 <= k <= 23 /\ 2 ^ 23 <= Zpos r < 2 ^ 24 /\
  (2 ^ 23 <= Zpos m -> r = m /\ k = 23) /\
  SFmul 24 128 (S754_finite false m e) (S754_finite false (2 ^ 23) f) = packed r (e + f + k).
Proof.
  intros M E. set (d := Zpos (digits2_pos m)). pose proof (digits_bounds m) as [L U]. fold d in L, U.
  pose proof (Pos2Z.is_pos (digits2_pos m)) as P. fold d in P. pose proof (digits_at_most m 24 ltac:(lia) M) as D. fold d in D.
  pose proof (Z.pow_pos_nonneg 2 (24 - d) ltac:(lia) ltac:(lia)) as Q.
  assert (Q1 : 2 ^ 23 = 2 ^ (d - 1) * 2 ^ (24 - d)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  assert (Q2 : 2 ^ 24 = 2 ^ d * 2 ^ (24 - d)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  exists (Z.to_pos (Zpos m * 2 ^ (24 - d))), (d - 1).
  split; [lia |]. rewrite Z2Pos.id by lia. split; [split; nia |]. split.
  - intros H. assert (23 < d) by (apply digits_at_least; lia). assert (d = 24) as -> by lia. split; [| reflexivity].
    rewrite Z.mul_1_r. reflexivity.
  - cbn [SFmul xorb]. apply aux_exact; [lia | | | ].
    + rewrite Z2Pos.id by lia. rewrite Pos2Z.inj_mul. change (Zpos (2 ^ 23)) with (2 ^ 23).
      rewrite <- Z.mul_assoc, <- Z.pow_add_r by lia.
      f_equal. f_equal. lia.
    + rewrite Z2Pos.id by lia. split; nia.
    + lia.
Qed.
