(** * Which keys a float mask leaves, in binary32

    [Attention.weight] multiplies the weight of a key by [Attention.positive] of its score plus the greatest number.  This
    is 1, or 0 where the score is the least number or minus infinity: nothing between.  (A score that is greater is so by
    2^104 at least, and times 2^127 this is infinite.) *)

From Coq Require Import Bool List Lia NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers tensor.Tensor tensor.Scalars tensor.Ops onnx.AttentionSteps onnx.Attention.
From Calque Require Import tensor.Instances tensor.Rounding tensor.Quantised.
Import ListNotations.
Open Scope Z_scope.

Definition greatest : spec_float := S754_finite false 16777215 104.
Definition least32 : spec_float := S754_finite true 16777215 104.

(** Infinite, or at least 2^104. *)
Definition great (x : spec_float) : Prop :=
  match x with
  | S754_infinity false => True
  | S754_finite false m e => 2 ^ 23 <= Zpos m < 2 ^ 24 /\ 81 <= e <= 104
  | _ => False
  end.

(** 2^127 and 2^22 *)
Definition power127 : spec_float := S754_finite false 8388608 104.
Definition power22 : spec_float := S754_finite false 8388608 (-1).

Lemma great_times x : great x -> SFmul 24 128 x power127 = S754_infinity false.
Proof.
  destruct x as [s | [] | | [] m e]; cbn [great]; try tauto. intros [M E]. unfold power127. cbn [SFmul xorb].
  rewrite (Pos.mul_comm m). unfold binary_round_aux.
  assert (D : Zpos (digits2_pos m) = 24).
  { pose proof (digits_at_most m 24 ltac:(lia) ltac:(lia)). pose proof (digits_at_least m 23 ltac:(lia) ltac:(lia)). lia. }
  assert (F : shr_fexp 24 128 (Zpos (8388608 * m)) (e + 104) loc_Exact = (Build_shr_record (Zpos m) false false, e + 104 + 23)).
  { unfold shr_fexp. cbn [Pos.mul Zdigits2 digits2_pos]. rewrite !Pos2Z.inj_succ, D.
    replace (fexp _ _ _ - _) with 23 by (unfold fexp, emin; lia). reflexivity. }
  rewrite F. cbn [shr_m loc_of_shr_record round_nearest_even]. unfold shr_fexp. cbn [Zdigits2]. rewrite D.
  replace (fexp _ _ _ - _) with 0 by (unfold fexp, emin; lia). cbn [shr shr_record_of_loc shr_m].
  now replace (Zle_bool _ _) with false by (symmetry; apply Z.leb_gt; lia).
Qed.

(** A mantissa of more than 24 bits: between two neighbours, or beyond all numbers. *)
Lemma round_great i e n : 0 < n -> 2 ^ 23 * 2 ^ n <= Zpos i < 2 ^ 24 * 2 ^ n -> 81 <= e + n ->
  great (binary_round 24 128 false i e).
Proof.
  intros N I E. pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) ltac:(lia)) as P.
  assert (D : Zpos (digits2_pos i) = 24 + n).
  { rewrite <- !Z.pow_add_r in I by lia. pose proof (digits_at_most i (24 + n) ltac:(lia) ltac:(lia)).
    pose proof (digits_at_least i (23 + n) ltac:(lia) ltac:(lia)). lia. }
  assert (F : fexp 24 128 (Zpos (digits2_pos i) + e) = e + n).
  { rewrite D. unfold fexp, emin. lia. }
  unfold binary_round. rewrite F. unfold shl_align. destruct (e + n - e) as [| p | p] eqn:G; [lia | | lia].
  assert (n = Zpos p) as -> by lia.
  unfold binary_round_aux at 1. unfold shr_fexp at 1. cbn [Zdigits2]. rewrite F, G. cbn [shr shr_record_of_loc].
  pose proof (nearest_place (Zpos i) p ltac:(lia)) as R.
  set (q := iter_pos shr_1 p (Build_shr_record (Zpos i) false false)) in *. cbv zeta in R.
  set (r := round_nearest_even (shr_m q) (loc_of_shr_record q)) in *.
  assert (B : 2 ^ 23 <= r <= 2 ^ 24) by nia. clear R. clearbody r. clear q.
  destruct r as [| r | r]; [lia | | lia].
  destruct (Z.eq_dec (Zpos r) (2 ^ 24)) as [T | T].
  - injection T as ->. unfold shr_fexp.
    replace (fexp _ _ _ - _) with 1 by (change (Zdigits2 _) with 25; unfold fexp, emin; lia).
    cbn [shr shr_record_of_loc iter_pos shr_1 shr_m orb].
    destruct (Zle_bool _ _) eqn:L; [| exact Logic.I]. apply Z.leb_le in L. cbn [great]. lia.
  - assert (Dr : Zpos (digits2_pos r) = 24).
    { pose proof (digits_at_most r 24 ltac:(lia) ltac:(lia)). pose proof (digits_at_least r 23 ltac:(lia) ltac:(lia)). lia. }
    unfold shr_fexp. cbn [Zdigits2]. rewrite Dr.
    replace (fexp 24 128 (24 + (e + Zpos p)) - (e + Zpos p)) with 0 by (unfold fexp, emin; lia).
    cbn [shr shr_record_of_loc shr_m].
    destruct (Zle_bool _ _) eqn:L; [| exact Logic.I]. apply Z.leb_le in L. cbn [great]. lia.
Qed.

Lemma round_sum i e : -149 <= e <= 104 -> weight 104 <= Zpos i * weight e -> great (binary_round 24 128 false i e).
Proof.
  intros E W. pose proof (weight_pos e ltac:(lia)) as P. destruct (Z.ltb_spec (Zpos i) (2 ^ 24)) as [lt | ge].
  - pose proof (round_exact false i e lt E) as R. set (v := Zpos i * weight e) in *. clearbody v.
    pose proof (weight_pos 104 ltac:(lia)).
    destruct (binary_round 24 128 false i e) as [s | s | | s m f]; cbn [worth] in R; try contradiction; [lia |].
    destruct R as [(M & F & N) V]. pose proof (weight_pos f ltac:(lia)). destruct s; [nia |]. cbn [great].
    assert (81 <= f).
    { destruct (Z.leb_spec 81 f) as [? | L]; [assumption |]. exfalso.
      assert (weight 104 = 2 ^ (104 - f) * weight f) as A by (rewrite <- weight_add by lia; f_equal; lia).
      assert (2 ^ 24 <= 2 ^ (104 - f)) by (apply Z.pow_le_mono_r; lia). nia. }
    lia.
  - pose proof (digits_bounds i) as [L U]. set (d := Zpos (digits2_pos i)) in *.
    assert (24 < d) as D by (apply digits_at_least; [lia | exact ge]).
    apply (round_great i e (d - 24)); [lia | rewrite <- !Z.pow_add_r by lia; split |].
    + replace (23 + (d - 24)) with (d - 1) by lia. exact L.
    + replace (24 + (d - 24)) with d by lia. exact U.
    + destruct (Z.leb_spec 81 (e + (d - 24))) as [? | A]; [assumption |]. exfalso.
      assert (weight 104 = 2 ^ (104 - e) * weight e) as B by (rewrite <- weight_add by lia; f_equal; lia).
      assert (2 ^ d <= 2 ^ (104 - e)) by (apply Z.pow_le_mono_r; lia). nia.
Qed.

Lemma add_greatest s m e : canonical m e -> s = false \/ e < 104 \/ Zpos m < 16777215 ->
  great (SFadd 24 128 (S754_finite s m e) greatest).
Proof.
  intros (M & E & N) H. unfold greatest. cbn [SFadd cond_Zopp]. rewrite Z.min_l by lia.
  pose proof (align_value 16777215 104 e ltac:(lia)) as A. set (a := fst (shl_align 16777215 104 e)) in *.
  assert (fst (shl_align m e e) = m) as -> by (unfold shl_align; now rewrite Z.sub_diag).
  pose proof (weight_pos e ltac:(lia)) as P. pose proof (weight_pos 104 ltac:(lia)) as Q.
  assert (weight 104 = 2 ^ (104 - e) * weight e) as B by (rewrite <- weight_add by lia; f_equal; lia).
  set (z := (if s then Z.neg m else Zpos m) + Zpos a).
  assert (weight 104 <= z * weight e) as Z_.
  { unfold z. rewrite Z.mul_add_distr_r, A. destruct s; [| nia]. change (Z.neg m) with (- Zpos m).
    destruct H as [H | [H | H]]; [discriminate | |].
    - assert (2 ^ 1 <= 2 ^ (104 - e)) by (apply Z.pow_le_mono_r; lia). nia.
    - assert (2 ^ 0 <= 2 ^ (104 - e)) by (apply Z.pow_le_mono_r; lia). nia. }
  change (great (binary_normalize 24 128 z e false)). destruct z as [| i | i]; [lia | now apply round_sum | lia].
Qed.

Section Mask.
  Let number (_ : Z) (c : literal) : num binary32 := literal_value binary32 c.

  Lemma positive_is x : positive binary32 number x =
    let y := SFmul 24 128 (SFmul 24 128 x power127) power22 in
    let y := if SFltb y (S754_zero false) then S754_zero false else y in
    if SFltb (s_one binary32) y then s_one binary32 else y.
  Proof. reflexivity. Qed.

  Lemma positive_great x : great x -> positive binary32 number x = s_one binary32.
  Proof. intros G. rewrite positive_is, (great_times x G). reflexivity. Qed.

  (** Any score that is a number. *)
  Theorem positive_binary32 x : valid_binary 24 128 x = true -> x <> S754_nan ->
    positive binary32 number
      (s_add binary32 (clip_cell binary32 least_bits infinity_bits x) (Attention.real binary32 number most_bits)) =
    if SFltb least32 x then s_one binary32 else s_zero binary32.
  Proof.
    intros V N. change (Attention.real binary32 number most_bits) with greatest.
    change (clip_cell binary32 least_bits infinity_bits x) with (if SFltb x least32 then least32 else x).
    change (s_add binary32) with (SFadd 24 128).
    destruct x as [s | [] | | s m e]; try congruence.
    - apply positive_great. destruct s; cbn [SFltb SFcompare least32]; unfold great; cbn; lia.
    - reflexivity.
    - now apply positive_great.
    - assert (C : canonical m e) by now apply canonical_valid.
      assert (L : worth least32 (- (16777215 * weight 104))) by (split; [unfold canonical; lia | reflexivity]).
      assert (X : worth (S754_finite s m e) (if s then - (Zpos m * weight e) else Zpos m * weight e)) by now split.
      pose proof C as (M & E & _). pose proof (weight_pos e ltac:(lia)) as P. pose proof (weight_pos 104 ltac:(lia)) as Q.
      assert (weight 104 = 2 ^ (104 - e) * weight e) as B by (rewrite <- weight_add by lia; f_equal; lia).
      assert (2 ^ 0 <= 2 ^ (104 - e)) as G by (apply Z.pow_le_mono_r; lia).
      rewrite (ltb_worth _ _ _ _ X L), (ltb_worth _ _ _ _ L X).
      replace (_ <? - (16777215 * weight 104)) with false by (symmetry; apply Z.ltb_ge; destruct s; nia).
      destruct (bool_dec s true) as [-> | S0], (Z.eq_dec e 104) as [-> | E0], (Pos.eq_dec m 16777215) as [-> | M0].
      + now rewrite Z.ltb_irrefl.
      + rewrite (proj2 (Z.ltb_lt _ _)) by nia. apply positive_great, add_greatest; [exact C | lia].
      + assert (2 ^ 1 <= 2 ^ (104 - e)) by (apply Z.pow_le_mono_r; lia).
        rewrite (proj2 (Z.ltb_lt _ _)) by nia. apply positive_great, add_greatest; [exact C | lia].
      + assert (2 ^ 1 <= 2 ^ (104 - e)) by (apply Z.pow_le_mono_r; lia).
        rewrite (proj2 (Z.ltb_lt _ _)) by nia. apply positive_great, add_greatest; [exact C | lia].
      + destruct s; [easy |]. rewrite (proj2 (Z.ltb_lt _ _)) by nia. apply positive_great, add_greatest; auto.
      + destruct s; [easy |]. rewrite (proj2 (Z.ltb_lt _ _)) by nia. apply positive_great, add_greatest; auto.
      + destruct s; [easy |]. rewrite (proj2 (Z.ltb_lt _ _)) by nia. apply positive_great, add_greatest; auto.
      + destruct s; [easy |]. rewrite (proj2 (Z.ltb_lt _ _)) by nia. apply positive_great, add_greatest; auto.
  Qed.

  (** The weight of a key: as softmax says, or that times 0. *)
  Corollary weight_binary32 (mask : tensor (num binary32)) n f j :
    valid_binary 24 128 (f j) = true -> f j <> S754_nan ->
    Attention.weight binary32 number (Some mask) n f j =
    SFmul 24 128 (softmax_row binary32 n (fun k => clip_cell binary32 least_bits infinity_bits (f k)) j)
      (if SFltb least32 (f j) then s_one binary32 else s_zero binary32).
  Proof. intros V N. unfold Attention.weight. now rewrite (positive_binary32 (f j) V N). Qed.
End Mask.
