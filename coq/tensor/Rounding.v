(** * What a float of 24 bits holds exactly

    The number of a float, in units of 2^-1074 ([float_value]); floats compare as their numbers
    do; an integer of 24 bits times a power of 2 is a float, and differences that are such
    integers are exact. *)

From Coq Require Import Bool List Lia ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers tensor.Instances.
Open Scope Z_scope.

Local Notation prec := 24.
Local Notation emax := 128.

Definition unit_ : Z := 2 ^ 1074.

(** A mantissa and an exponent of binary32. *)
Definition canonical (m : positive) (e : Z) : Prop :=
  Zpos m < 2 ^ 24 /\ -149 <= e <= 104 /\ (2 ^ 23 <= Zpos m \/ e = -149).

Definition weight (e : Z) : Z := 2 ^ (e + 1074).

(** The float is finite, and its number this. *)
Definition worth (x : spec_float) (v : Z) : Prop :=
  match x with
  | S754_zero _ => v = 0
  | S754_finite s m e => canonical m e /\ v = (if s then - (Zpos m * weight e) else Zpos m * weight e)
  | _ => False
  end.

Lemma worth_value x v : worth x v -> float_value x = Some v.
Proof.
  destruct x as [s | s | | s m e]; unfold worth, float_value; try contradiction; [now intros -> |].
  intros [_ ->]. destruct s; reflexivity.
Qed.

Lemma weight_pos e : -1074 <= e -> 0 < weight e.
Proof. intros H. apply Z.pow_pos_nonneg; lia. Qed.

Lemma weight_add e d : -1074 <= e -> 0 <= d -> weight (e + d) = 2 ^ d * weight e.
Proof. intros E D. unfold weight. rewrite <- Z.pow_add_r by lia. f_equal. lia. Qed.

Lemma weight_unit e : -1074 <= e <= 0 -> unit_ = 2 ^ (- e) * weight e.
Proof. intros E. unfold unit_, weight. rewrite <- Z.pow_add_r by lia. f_equal. lia. Qed.

Lemma unit_pos : 0 < unit_.
Proof. apply Z.pow_pos_nonneg; lia. Qed.

(** ** Digits *)

Lemma digits_bounds p : 2 ^ (Zpos (digits2_pos p) - 1) <= Zpos p < 2 ^ Zpos (digits2_pos p).
Proof.
  induction p as [p IH | p IH |]; cbn [digits2_pos]; [| | cbn; lia]; rewrite Pos2Z.inj_succ;
    pose proof (Pos2Z.is_pos (digits2_pos p)) as P; set (d := Zpos (digits2_pos p)) in *; clearbody d;
    replace (Z.succ d - 1) with d by lia; rewrite Z.pow_succ_r by lia;
    assert (2 ^ d = 2 * 2 ^ (d - 1)) as E by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
  - change (Zpos p~1) with (2 * Zpos p + 1). lia.
  - change (Zpos p~0) with (2 * Zpos p). lia.
Qed.

Lemma digits_at_most p k : 0 <= k -> Zpos p < 2 ^ k -> Zpos (digits2_pos p) <= k.
Proof.
  intros K H. pose proof (digits_bounds p) as [L _].
  destruct (Z_le_gt_dec (Zpos (digits2_pos p)) k) as [| G]; [assumption |].
  assert (2 ^ k <= 2 ^ (Zpos (digits2_pos p) - 1)) by (apply Z.pow_le_mono_r; lia). lia.
Qed.

Lemma digits_at_least p k : 0 <= k -> 2 ^ k <= Zpos p -> k < Zpos (digits2_pos p).
Proof.
  intros K H. pose proof (digits_bounds p) as [_ U].
  destruct (Z_lt_ge_dec k (Zpos (digits2_pos p))) as [| G]; [assumption |].
  assert (2 ^ Zpos (digits2_pos p) <= 2 ^ k) by (apply Z.pow_le_mono_r; lia). lia.
Qed.

Lemma canonical_valid m e : bounded prec emax m e = true <-> canonical m e.
Proof.
  unfold bounded, canonical_mantissa, canonical, fexp, emin.
  rewrite andb_true_iff, <- Zeq_is_eq_bool, <- Zle_is_le_bool.
  pose proof (digits_bounds m) as [L U]. pose proof (Pos2Z.is_pos (digits2_pos m)) as P. split.
  - intros [F E].
    assert (Zpos (digits2_pos m) <= 24) as D by lia.
    assert (2 ^ Zpos (digits2_pos m) <= 2 ^ 24) by (apply Z.pow_le_mono_r; lia).
    repeat split; try lia.
    destruct (Z.eq_dec e (-149)) as [| N]; [now right | left].
    assert (Zpos (digits2_pos m) = 24) as D' by lia. rewrite D' in L. exact L.
  - intros (M & E & N). split; [| lia].
    assert (Zpos (digits2_pos m) <= 24) by (apply digits_at_most; lia).
    destruct N as [N | ->]; [| lia].
    assert (23 < Zpos (digits2_pos m)) by (apply digits_at_least; lia). lia.
Qed.

Lemma worth_valid x v : float_value x = Some v -> valid_binary prec emax x = true ->
  (forall s, x <> S754_infinity s) -> worth x v.
Proof.
  destruct x as [s | s | | s m e]; cbn [float_value valid_binary worth]; intros F B N.
  - now injection F.
  - now destruct (N s).
  - discriminate F.
  - split; [now apply canonical_valid |]. unfold weight. destruct s; now injection F.
Qed.

(** ** Comparison *)

Lemma canonical_less m e n f : canonical m e -> canonical n f -> e < f -> Zpos m * weight e < Zpos n * weight f.
Proof.
  intros (M & E & _) (_ & F & N) L. destruct N as [N | ->]; [| lia].
  replace f with (e + (f - e)) by lia. rewrite weight_add by lia.
  pose proof (weight_pos e ltac:(lia)).
  assert (2 ^ 1 <= 2 ^ (f - e)) by (apply Z.pow_le_mono_r; lia).
  assert (2 ^ 24 <= Zpos n * 2 ^ (f - e)) by nia. nia.
Qed.

Lemma canonical_compare m e n f : canonical m e -> canonical n f ->
  (Zpos m * weight e ?= Zpos n * weight f) =
  match Z.compare e f with Lt => Lt | Gt => Gt | Eq => Pcompare m n Eq end.
Proof.
  intros M N. destruct (Z.compare_spec e f) as [-> | L | G].
  - change (Pcompare m n Eq) with (Pos.compare m n).
    pose proof (weight_pos f ltac:(destruct N as (_ & ? & _); lia)) as W.
    rewrite <- Zmult_compare_compat_r by lia. reflexivity.
  - now apply Z.compare_lt_iff, canonical_less.
  - now apply Z.compare_gt_iff, canonical_less.
Qed.

Lemma compare_worth x y v w : worth x v -> worth y w -> SFcompare x y = Some (v ?= w).
Proof.
  intros X Y. destruct x as [s | s | | s m e], y as [t | t | | t n f]; try contradiction; cbn [worth SFcompare] in *.
  - subst. reflexivity.
  - destruct Y as [C ->]. subst v. pose proof (weight_pos f ltac:(destruct C as (_ & ? & _); lia)).
    f_equal. symmetry. destruct t; [apply Z.compare_gt_iff | apply Z.compare_lt_iff]; nia.
  - destruct X as [C ->]. subst w. pose proof (weight_pos e ltac:(destruct C as (_ & ? & _); lia)).
    f_equal. symmetry. destruct s; [apply Z.compare_lt_iff | apply Z.compare_gt_iff]; nia.
  - destruct X as [C ->], Y as [D ->].
    pose proof (weight_pos e ltac:(destruct C as (_ & ? & _); lia)).
    pose proof (weight_pos f ltac:(destruct D as (_ & ? & _); lia)).
    f_equal. symmetry. pose proof (canonical_compare m e n f C D) as E. destruct s, t.
    + rewrite <- Z.compare_opp, !Z.opp_involutive, Z.compare_antisym, E. destruct (e ?= f); try reflexivity.
    + apply Z.compare_lt_iff. nia.
    + apply Z.compare_gt_iff. nia.
    + exact E.
Qed.

Lemma ltb_worth x y v w : worth x v -> worth y w -> SFltb x y = (v <? w).
Proof. intros X Y. unfold SFltb. rewrite (compare_worth _ _ _ _ X Y). reflexivity. Qed.

(** ** Integers of 24 bits *)

Lemma shift_value d m : Zpos (shift_pos d m) = Zpos m * 2 ^ Zpos d.
Proof. rewrite shift_pos_correct, Z.pow_pos_fold. lia. Qed.

Lemma round_exact s m e : Zpos m < 2 ^ 24 -> -149 <= e <= 104 ->
  worth (binary_round prec emax s m e) (if s then - (Zpos m * weight e) else Zpos m * weight e).
Proof.
  intros M E. unfold binary_round.
  pose proof (digits_at_most m 24 ltac:(lia) M) as D. pose proof (digits_bounds m) as [L U].
  pose proof (Pos2Z.is_pos (digits2_pos m)) as P.
  set (f := fexp prec emax (Zpos (digits2_pos m) + e)).
  assert (F : f = Z.max (Zpos (digits2_pos m) + e - 24) (-149)) by reflexivity.
  assert (exists n, shl_align m e f = (n, f) /\ Zpos n = Zpos m * 2 ^ (e - f) /\
                    Zpos (digits2_pos n) = Zpos (digits2_pos m) + (e - f)) as (n & -> & V & N).
  { unfold shl_align. destruct (f - e) as [| d | d] eqn:G; [| lia |].
    - exists m. replace e with f by lia. rewrite Z.sub_diag. repeat split; lia.
    - exists (shift_pos d m). assert (Zpos d = e - f) as G' by lia.
      split; [reflexivity |]. rewrite shift_value, G'. split; [reflexivity |].
      pose proof (digits_bounds (shift_pos d m)) as [L' U']. rewrite shift_value, G' in L', U'.
      assert (0 < 2 ^ (e - f)) as Q by (apply Z.pow_pos_nonneg; lia).
      assert (2 ^ (Zpos (digits2_pos m) - 1 + (e - f)) <= Zpos (shift_pos d m)) as A.
      { rewrite Z.pow_add_r, shift_value, G' by lia. nia. }
      assert (Zpos (shift_pos d m) < 2 ^ (Zpos (digits2_pos m) + (e - f))) as B.
      { rewrite Z.pow_add_r, shift_value, G' by lia. nia. }
      apply digits_at_least in A; [| lia]. apply digits_at_most in B; [| lia]. lia. }
  assert (G : fexp prec emax (Zdigits2 (Zpos n) + f) - f = 0).
  { cbn [Zdigits2]. rewrite N. replace (Zpos (digits2_pos m) + (e - f) + f) with (Zpos (digits2_pos m) + e) by lia. fold f. lia. }
  unfold binary_round_aux, shr_fexp. rewrite G. cbn [shr shr_record_of_loc shr_m loc_of_shr_record round_nearest_even].
  rewrite G. cbn [shr shr_record_of_loc shr_m].
  assert (f <= 104) by lia.
  replace (Zle_bool f (emax - prec)) with true by (symmetry; apply Z.leb_le; lia).
  assert (Zpos n < 2 ^ 24) as B.
  { pose proof (digits_bounds n) as [_ B]. rewrite N in B.
    assert (2 ^ (Zpos (digits2_pos m) + (e - f)) <= 2 ^ 24) by (apply Z.pow_le_mono_r; lia). lia. }
  assert (W : Zpos n * weight f = Zpos m * weight e).
  { rewrite V. replace (weight e) with (2 ^ (e - f) * weight f); [lia |].
    rewrite <- weight_add by lia. f_equal. lia. }
  cbn [worth]. rewrite W. split; [| reflexivity]. repeat split; try lia.
  destruct (Z.eq_dec f (-149)) as [-> | K]; [now right | left].
  pose proof (digits_bounds n) as [A _]. rewrite N in A.
  replace (Zpos (digits2_pos m) + (e - f) - 1) with 23 in A by lia. exact A.
Qed.

Theorem normalize_exact z e : Z.abs z < 2 ^ 24 -> -149 <= e <= 104 ->
  worth (binary_normalize prec emax z e false) (z * weight e).
Proof.
  intros Z_ E. destruct z as [| p | p]; cbn [binary_normalize].
  - reflexivity.
  - exact (round_exact false p e Z_ E).
  - change (Zneg p) with (- Zpos p). rewrite Z.mul_opp_l. exact (round_exact true p e Z_ E).
Qed.

Corollary integer_exact z : Z.abs z < 2 ^ 24 -> worth (binary_normalize prec emax z 0 false) (z * unit_).
Proof. intros H. exact (normalize_exact z 0 H ltac:(lia)). Qed.

(** ** The integer part *)

Lemma cut_worth x v : worth x v -> Z.abs v < 2 ^ 53 * unit_ -> cut x = Z.quot v unit_.
Proof.
  pose proof unit_pos as P. destruct x as [s | s | | s m e]; try contradiction; cbn [worth cut].
  - intros ->. now rewrite Z.quot_0_l by lia.
  - intros [(M & E & _) ->] B. pose proof (weight_pos e ltac:(lia)) as W.
    set (z := if 0 <=? e then Zpos m * 2 ^ e else Zpos m / 2 ^ - e).
    assert (Q : Z.quot (Zpos m * weight e) unit_ = z).
    { rewrite Z.quot_div_nonneg by nia. unfold z. destruct (Z.leb_spec 0 e).
      - replace e with (0 + e) at 1 by lia. rewrite weight_add by lia. change (weight 0) with unit_.
        rewrite Z.mul_assoc. now apply Z.div_mul; lia.
      - rewrite (weight_unit e) by lia. apply Z.div_mul_cancel_r; [| lia].
        assert (0 < 2 ^ - e) by (apply Z.pow_pos_nonneg; lia). lia. }
    assert (0 <= z) as Z0 by (rewrite <- Q; apply Z.quot_pos; nia).
    assert (z < 2 ^ 53) as Z1.
    { rewrite <- Q. rewrite Z.quot_div_nonneg by nia. apply Z.div_lt_upper_bound; [lia |]. destruct s; lia. }
    destruct s; rewrite ?Z.quot_opp_l, Q by lia; unfold least; lia.
Qed.
