(** * Rounding and quantisation

    Round of binary32 is an integer next to the number, the even one of two.  ONNX's QuantizeLinear is read as a chain of
    elementwise operators (c/onnx/expand_quant.c), which gives at a cell that integer with the zero point added, cut to the
    range of the element type. *)

From Coq Require Import Bool List Lia ZArith Zquot.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.RoundEven kernel.Numbers tensor.Scalars tensor.Ops tensor.Instances tensor.Mixed tensor.MixedEmbed.
From Calque Require Import tensor.Convert tensor.Cut tensor.Rounding.
Open Scope Z_scope.

Definition power23 : spec_float := S754_finite false 8388608 0.

(** ** What it is *)

(** An integer next to the number [v] units, the even one of two. *)
Definition nearest (v r : Z) : Prop :=
  2 * Z.abs (v - r * unit_) < unit_ \/ 2 * Z.abs (v - r * unit_) = unit_ /\ Z.even r = true.

Lemma nearest_one v r q : nearest v r -> nearest v q -> r = q.
Proof.
  pose proof unit_pos as P. intros R Q.
  assert (r * unit_ - q * unit_ = (r - q) * unit_) as E by lia.
  destruct (Z.eq_dec r q) as [| N]; [assumption | exfalso].
  assert (unit_ <= Z.abs ((r - q) * unit_)) by (rewrite Z.abs_mul, (Z.abs_eq unit_) by lia; nia).
  destruct R as [R | [R Er]], Q as [Q | [Q Eq]]; try lia.
  assert (Z.abs (r - q) = 1) as D.
  { assert (Z.abs ((r - q) * unit_) <= unit_) by lia. rewrite Z.abs_mul, (Z.abs_eq unit_) in * by lia. nia. }
  apply Z.even_spec in Er, Eq. destruct Er, Eq. lia.
Qed.

Lemma power23_worth : worth power23 (2 ^ 23 * unit_).
Proof. cbn [worth power23]. split; [unfold canonical; lia | reflexivity]. Qed.

Lemma abs_worth x v : worth x v -> worth (SFabs x) (Z.abs v).
Proof.
  destruct x as [s | s | | s m e]; try contradiction; cbn [worth SFabs]; [now intros -> |].
  intros [C ->]. split; [exact C |]. pose proof (weight_pos e ltac:(destruct C as (_ & ? & _); lia)).
  destruct s; nia.
Qed.

Lemma opp_worth x v : worth x v -> worth (SFopp x) (- v).
Proof.
  destruct x as [s | s | | s m e]; try contradiction; cbn [worth SFopp]; [now intros -> |].
  intros [C ->]. split; [exact C |]. destruct s; cbn [negb]; lia.
Qed.

Lemma align_value m e f : -1074 <= f <= e -> Zpos (fst (shl_align m e f)) * weight f = Zpos m * weight e.
Proof.
  intros F. unfold shl_align. destruct (f - e) as [| d | d] eqn:G; [| lia |]; cbn [fst].
  - now replace e with f by lia.
  - rewrite shift_value. replace (weight e) with (2 ^ Zpos d * weight f); [lia |].
    rewrite <- weight_add by lia. f_equal. lia.
Qed.

(** ** Places that are shifted out *)

(** After [k] shifts of [m]: [shr_r] is the last bit that went out, [shr_s] says if one before it was set. *)
Definition shifted (m k : Z) (q : shr_record) : Prop :=
  0 <= shr_m q /\ exists g, 0 <= g < 2 ^ k /\ shr_s q = (0 <? g) /\
    2 * m = shr_m q * 2 ^ (k + 1) + (if shr_r q then 2 ^ k else 0) + g.

Lemma shr_1_shifted m k q : 0 <= k -> shifted m k q -> shifted m (k + 1) (shr_1 q).
Proof.
  intros K (Q & g & G & S & E). destruct q as [n r s]. cbn [shr_m shr_r shr_s] in *.
  pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) K) as P.
  rewrite !(Z.pow_add_r 2) in * by lia. change (2 ^ 1) with 2 in *.
  assert (N : exists h o, n = 2 * h + (if o : bool then 1 else 0) /\ 0 <= h /\ shr_1 (Build_shr_record n r s) = Build_shr_record h o (r || s)).
  { destruct n as [| [p | p |] | p]; [| | | | lia].
    - exists 0, false. repeat split; lia.
    - exists (Zpos p), true. repeat split; lia.
    - exists (Zpos p), false. repeat split; lia.
    - exists 0, true. repeat split; lia. }
  destruct N as (h & o & -> & H & ->). unfold shifted. cbn [shr_m shr_r shr_s]. split; [exact H |].
  rewrite !(Z.pow_add_r 2) by lia. change (2 ^ 1) with 2.
  exists ((if r then 2 ^ k else 0) + g). split; [destruct r; lia |]. split.
  - rewrite S. destruct r; cbn [orb]; [symmetry; apply Z.ltb_lt; lia | reflexivity].
  - rewrite E. destruct o; nia.
Qed.

Lemma iter_shifted m p : forall k q, 0 <= k -> shifted m k q -> shifted m (k + Zpos p) (iter_pos shr_1 p q).
Proof.
  induction p as [p IH | p IH |]; intros k q K S; cbn [iter_pos].
  - replace (k + Zpos p~1) with ((k + 1 + Zpos p) + Zpos p) by lia.
    apply IH; [lia |]. apply IH; [lia |]. now apply shr_1_shifted.
  - replace (k + Zpos p~0) with ((k + Zpos p) + Zpos p) by lia. apply IH; [lia |]. now apply IH.
  - now apply shr_1_shifted.
Qed.

(** The nearest multiple of [2 ^ n], the even one of two. *)
Lemma nearest_place m p (q := iter_pos shr_1 p (Build_shr_record m false false)) : 0 <= m ->
  let r := round_nearest_even (shr_m q) (loc_of_shr_record q) in
  2 * Z.abs (m - r * 2 ^ Zpos p) < 2 ^ Zpos p \/ 2 * Z.abs (m - r * 2 ^ Zpos p) = 2 ^ Zpos p /\ Z.even r = true.
Proof.
  intros M r. assert (S : shifted m (0 + Zpos p) q).
  { apply iter_shifted; [lia |]. split; [exact M |]. exists 0. cbn [shr_m shr_r shr_s]. change (2 ^ 0) with 1. change (2 ^ (0 + 1)) with 2. repeat split; lia. }
  rewrite Z.add_0_l in S. destruct S as (Q & g & G & S & E). rewrite (Z.pow_add_r 2) in E by lia. change (2 ^ 1) with 2 in E.
  subst r. destruct q as [n u s]. cbn [shr_m shr_r shr_s loc_of_shr_record] in *.
  set (t := 2 ^ Zpos p) in *. clearbody t.
  destruct u, s; cbn [round_nearest_even].
  - symmetry in S. apply Z.ltb_lt in S. left. nia.
  - symmetry in S. apply Z.ltb_ge in S. assert (g = 0) by lia. subst g. right.
    destruct (Z.even n) eqn:V; [split; [nia | exact V] |]. rewrite Z.even_add, V. split; [nia | reflexivity].
  - left. nia.
  - left. nia.
Qed.

(** A mantissa of more than 24 bits, whose last places are cut off. *)
Lemma round_down i e n : 0 < n -> 2 ^ 23 * 2 ^ n <= Zpos i < 2 ^ 24 * 2 ^ n -> -149 <= e + n <= 103 ->
  exists r, 2 ^ 23 <= r <= 2 ^ 24 /\ worth (binary_round 24 128 false i e) (r * weight (e + n)) /\
    (2 * Z.abs (Zpos i - r * 2 ^ n) < 2 ^ n \/ 2 * Z.abs (Zpos i - r * 2 ^ n) = 2 ^ n /\ Z.even r = true).
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
  assert (B : 2 ^ 23 <= r <= 2 ^ 24) by nia.
  exists r. split; [exact B |]. split; [| exact R]. clear R. clearbody r. clear q.
  destruct r as [| r | r]; [lia | | lia].
  destruct (Z.eq_dec (Zpos r) (2 ^ 24)) as [T | T].
  - injection T as ->. unfold shr_fexp. cbn [Zdigits2 digits2_pos].
    replace (fexp 24 128 (Zpos (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ (Pos.succ 1)))))))))))))))))))))))) + (e + Zpos p)) - (e + Zpos p)) with 1
      by (unfold fexp, emin; cbn [Pos.succ]; lia).
    cbn [shr shr_record_of_loc iter_pos shr_1 shr_m orb].
    replace (Zle_bool (e + Zpos p + 1) (128 - 24)) with true by (symmetry; apply Z.leb_le; lia).
    cbn [worth]. split; [unfold canonical; lia |]. rewrite (weight_add (e + Zpos p) 1) by lia. change (2 ^ 1) with 2. lia.
  - assert (Dr : Zpos (digits2_pos r) = 24).
    { pose proof (digits_at_most r 24 ltac:(lia) ltac:(lia)). pose proof (digits_at_least r 23 ltac:(lia) ltac:(lia)). lia. }
    unfold shr_fexp. cbn [Zdigits2]. rewrite Dr.
    replace (fexp 24 128 (24 + (e + Zpos p)) - (e + Zpos p)) with 0 by (unfold fexp, emin; lia).
    cbn [shr shr_record_of_loc shr_m].
    replace (Zle_bool (e + Zpos p) (128 - 24)) with true by (symmetry; apply Z.leb_le; lia).
    cbn [worth]. split; [unfold canonical; lia | reflexivity].
Qed.

(** ** Sums of integers, and with them *)

Lemma normalize_opp z e : z <> 0 -> binary_normalize 24 128 (- z) e false = SFopp (binary_normalize 24 128 z e false).
Proof.
  assert (P : forall p, binary_round 24 128 true p e = SFopp (binary_round 24 128 false p e)).
  { intros p. unfold binary_round. destruct (shl_align _ _ _) as [m f]. unfold binary_round_aux.
    destruct (shr_fexp 24 128 (Zpos m) f loc_Exact) as [q g].
    destruct (shr_fexp 24 128 (round_nearest_even (shr_m q) (loc_of_shr_record q)) g loc_Exact) as [u h].
    destruct (shr_m u); try reflexivity. now destruct (Zle_bool h (128 - 24)). }
  intros Z_. destruct z as [| p | p]; [easy | apply P |]. cbn [Z.opp binary_normalize]. rewrite P.
  now destruct (binary_round 24 128 false p e) as [[] | [] | | []].
Qed.

Lemma normalize_integer z e : -149 <= e <= 0 -> Z.abs z < 2 ^ 24 ->
  worth (binary_normalize 24 128 (z * 2 ^ (- e)) e false) (z * unit_).
Proof.
  intros E.
  assert (P : forall p, Zpos p < 2 ^ 24 -> worth (binary_normalize 24 128 (Zpos p * 2 ^ (- e)) e false) (Zpos p * unit_)).
  { intros p B. pose proof (Z.pow_pos_nonneg 2 (- e) ltac:(lia) ltac:(lia)) as Q.
    rewrite (weight_unit e) by lia. rewrite Z.mul_assoc.
    destruct (Z_lt_ge_dec (Zpos p * 2 ^ (- e)) (2 ^ 24)) as [L | L].
    - apply normalize_exact; lia.
    - destruct (Zpos p * 2 ^ (- e)) as [| i | i] eqn:I; [lia | | lia]. set (n := Z.log2 (Zpos i) - 23).
      pose proof (Z.log2_spec (Zpos i) ltac:(lia)) as [S T].
      assert (24 <= Z.log2 (Zpos i)) as N.
      { apply Z.log2_le_pow2; lia. }
      assert (Z.log2 (Zpos i) < 24 - e) as U.
      { apply Z.log2_lt_pow2; [lia |]. replace (24 - e) with (24 + - e) by lia. rewrite Z.pow_add_r by lia. rewrite <- I. nia. }
      assert (0 < 2 ^ n) by (apply Z.pow_pos_nonneg; lia).
      destruct (round_down i e n ltac:(lia)) as (r & R & W & C).
      { split.
        - rewrite <- Z.pow_add_r by lia. replace (23 + n) with (Z.log2 (Zpos i)) by lia. exact S.
        - rewrite <- Z.pow_add_r by lia. replace (24 + n) with (Z.succ (Z.log2 (Zpos i))) by lia. exact T. }
      { lia. }
      assert (D : Zpos i = Zpos p * 2 ^ (- e - n) * 2 ^ n).
      { rewrite <- I, <- (Z.mul_assoc (Zpos p)), <- Z.pow_add_r by lia. f_equal. f_equal. lia. }
      assert (r = Zpos p * 2 ^ (- e - n)) as ->.
      { set (k := Zpos p * 2 ^ (- e - n)) in *. clearbody k. rewrite D in C. nia. }
      cbn [binary_normalize]. replace (Zpos i * weight e) with (Zpos p * 2 ^ (- e - n) * weight (e + n)); [exact W |].
      rewrite D, weight_add by lia. lia. }
  intros B. destruct z as [| p | p].
  - reflexivity.
  - now apply P.
  - change (Zneg p) with (- Zpos p). rewrite !Z.mul_opp_l.
    pose proof (Z.pow_pos_nonneg 2 (- e) ltac:(lia) ltac:(lia)) as Q.
    rewrite normalize_opp by lia. apply opp_worth, P. lia.
Qed.

Lemma SFsub_opp x y : SFsub 24 128 x y = SFadd 24 128 x (SFopp y).
Proof.
  destruct x as [s | s | | s m e], y as [t | t | | t n f]; try reflexivity; try (destruct s, t; reflexivity).
Qed.

Lemma add_zero x v s : worth x v -> worth (SFadd 24 128 x (S754_zero s)) v.
Proof. destruct x as [t | t | | t m e]; try contradiction; cbn [SFadd worth]; [destruct (Bool.eqb t s); cbn; tauto | tauto]. Qed.

(** Of two integers, exactly. *)
Lemma add_integers x y r k : worth x (r * unit_) -> worth y (k * unit_) -> Z.abs (r + k) < 2 ^ 24 ->
  worth (SFadd 24 128 x y) ((r + k) * unit_).
Proof.
  pose proof unit_pos as P. intros X Y B. rewrite Z.mul_add_distr_r.
  destruct y as [t | t | | t n f]; try contradiction.
  { cbn [worth] in Y. rewrite Y, Z.add_0_r. now apply add_zero. }
  destruct x as [s | s | | s m e]; try contradiction.
  { cbn [worth] in X. rewrite X, Z.add_0_l. exact Y. }
  cbn [worth] in X, Y. destruct X as [C X], Y as [D Y]. cbn [SFadd]. set (g := Z.min e f).
  assert (-149 <= g <= 104) as G by (destruct C as (_ & ? & _), D as (_ & ? & _); lia).
  pose proof (align_value m e g ltac:(lia)) as Am. pose proof (align_value n f g ltac:(lia)) as An.
  pose proof (weight_pos g ltac:(lia)) as Wg.
  set (i := cond_Zopp s (Zpos (fst (shl_align m e g)))) in *. set (j := cond_Zopp t (Zpos (fst (shl_align n f g)))) in *.
  assert (E : (i + j) * weight g = (r + k) * unit_).
  { unfold i, j. destruct s, t; cbn [cond_Zopp]; lia. }
  rewrite <- Z.mul_add_distr_r.
  destruct (Z_le_gt_dec 0 g) as [L | L].
  - rewrite <- E. apply normalize_exact; [| lia].
    assert (unit_ <= weight g). { replace g with (0 + g) by lia. rewrite weight_add by lia. change (weight 0) with unit_.
      pose proof (Z.pow_pos_nonneg 2 g ltac:(lia) L). nia. }
    nia.
  - rewrite (weight_unit g) in E by lia.
    assert (i + j = (r + k) * 2 ^ (- g)) as -> by nia. apply normalize_integer; lia.
Qed.

Lemma sub_integers x y r k : worth x (r * unit_) -> worth y (k * unit_) -> Z.abs (r - k) < 2 ^ 24 ->
  worth (SFsub 24 128 x y) ((r - k) * unit_).
Proof.
  intros X Y B. rewrite SFsub_opp. apply (add_integers _ _ _ (- k)); [exact X | | lia].
  rewrite Z.mul_opp_l. now apply opp_worth.
Qed.

(** With an integer from 2^23 on, which leaves no place for a fraction. *)
Lemma add_nearest x v c : worth x v -> Z.abs v < 2 ^ 23 * unit_ -> 2 ^ 23 <= Zpos c < 2 ^ 24 ->
  2 ^ 23 * unit_ <= v + Zpos c * unit_ < 2 ^ 24 * unit_ ->
  exists r, nearest (v + Zpos c * unit_) r /\ 2 ^ 23 <= r <= 2 ^ 24 /\
    worth (SFadd 24 128 x (S754_finite false c 0)) (r * unit_).
Proof.
  pose proof unit_pos as P. intros X B C R.
  assert (Cc : canonical c 0) by (unfold canonical; lia).
  destruct x as [s | s | | s m e]; try contradiction.
  { cbn [worth] in X. subst v. exists (Zpos c). split; [left; rewrite Z.add_0_l, Z.sub_diag; cbn; lia |]. split; [lia |].
    cbn [SFadd worth]. split; [exact Cc | reflexivity]. }
  cbn [worth] in X. destruct X as [D X].
  assert (-149 <= e < 0) as E.
  { destruct D as (M & E & L). split; [lia |]. destruct (Z_lt_ge_dec e 0) as [| G]; [assumption | exfalso].
    destruct L as [L | L]; [| lia].
    replace e with (0 + e) in X by lia. rewrite weight_add in X by lia. change (weight 0) with unit_ in X.
    pose proof (Z.pow_pos_nonneg 2 e ltac:(lia) ltac:(lia)). assert (1 <= 2 ^ e) by lia.
    assert (unit_ <= 2 ^ e * unit_) by nia. set (u := 2 ^ e * unit_) in *. clearbody u. assert (2 ^ 23 * unit_ <= Zpos m * u) by nia. destruct s; lia. }
  cbn [SFadd]. rewrite Z.min_l by lia.
  pose proof (align_value m e e ltac:(lia)) as Am. pose proof (align_value c 0 e ltac:(lia)) as An.
  change (weight 0) with unit_ in An. pose proof (weight_pos e ltac:(lia)) as We.
  set (j := cond_Zopp false (Zpos (fst (shl_align c 0 e)))) in *.
  set (i := cond_Zopp s (Zpos (fst (shl_align m e e)))) in *.
  assert (S : (i + j) * weight e = v + Zpos c * unit_).
  { unfold i, j. destruct s; cbn [cond_Zopp]; lia. }
  rewrite <- S in R |- *. clearbody i j. rewrite (weight_unit e) in R by lia.
  pose proof (Z.pow_pos_nonneg 2 (- e) ltac:(lia) ltac:(lia)) as Q.
  set (t := i + j) in *. clearbody t. destruct t as [| t | t]; [lia | | nia].
  destruct (round_down t e (- e) ltac:(lia)) as (r & Br & W & N); [nia | lia |].
  replace (e + - e) with 0 in W by lia. change (weight 0) with unit_ in W.
  exists r. split; [| split; [exact Br | exact W]].
  unfold nearest. rewrite (weight_unit e) by lia.
  replace (Zpos t * weight e - r * (2 ^ (- e) * weight e)) with ((Zpos t - r * 2 ^ (- e)) * weight e) by lia.
  rewrite Z.abs_mul, (Z.abs_eq (weight e)) by lia.
  destruct N as [N | [N V]]; [left; nia | right; split; [nia | exact V]].
Qed.

Lemma nearest_shift v r c : Z.even c = true -> nearest (v + c * unit_) r -> nearest v (r - c).
Proof.
  intros V N. unfold nearest in *. rewrite Z.even_sub, V.
  replace (v - (r - c) * unit_) with (v + c * unit_ - r * unit_) by lia.
  destruct N as [N | [N E]]; [now left | right]. split; [exact N | now rewrite E].
Qed.

Lemma nearest_opp v r : nearest v r -> nearest (- v) (- r).
Proof.
  unfold nearest. rewrite Z.even_opp. replace (Z.abs (- v - - r * unit_)) with (Z.abs (v - r * unit_)) by lia. tauto.
Qed.

(** ** Round *)

Theorem rounded_worth x v : worth x v -> Z.abs v < 2 ^ 23 * unit_ ->
  exists r, nearest v r /\ Z.abs r <= 2 ^ 23 /\ worth (round_even 24 128 x) (r * unit_).
Proof.
  pose proof unit_pos as P. intros X B. pose proof (abs_worth x v X) as A.
  unfold round_even. cbv zeta. change (binary_normalize 24 128 (2 ^ (24 - 1)) 0 false) with power23.
  rewrite (ltb_worth _ _ _ _ A power23_worth). replace (Z.abs v <? 2 ^ 23 * unit_) with true by (symmetry; apply Z.ltb_lt; lia).
  destruct (add_nearest _ _ 8388608 A) as (r & N & R & W); [lia | lia | lia |].
  change (Zpos 8388608) with (2 ^ 23) in N. apply nearest_shift in N; [| reflexivity].
  assert (Y : worth (SFsub 24 128 (SFadd 24 128 (SFabs x) power23) power23) ((r - 2 ^ 23) * unit_)).
  { apply sub_integers; [exact W | exact power23_worth | lia]. }
  apply abs_worth in Y. rewrite Z.abs_eq in Y by nia.
  exists (if sign x then - (r - 2 ^ 23) else r - 2 ^ 23).
  assert (v = if sign x then - Z.abs v else Z.abs v) as V.
  { destruct x as [s | s | | s m e]; try contradiction; cbn [worth sign] in *; [subst v; now destruct s |].
    destruct X as [C ->]. pose proof (weight_pos e ltac:(destruct C as (_ & ? & _); lia)). destruct s; nia. }
  unfold with_sign. destruct (sign x).
  - split; [rewrite V; now apply nearest_opp |]. split; [lia |]. rewrite Z.mul_opp_l. now apply opp_worth.
  - split; [now rewrite V |]. split; [lia | exact Y].
Qed.

(** A number below 2^23 becomes that integer, any other stays. *)
Theorem rounded_correct x v : valid_binary 24 128 x = true -> float_value x = Some v -> Z.abs v < 2 ^ 23 * unit_ ->
  exists r, nearest v r /\ float_value (s_round binary32 x) = Some (r * unit_).
Proof.
  intros V F B. destruct (rounded_worth x v) as (r & N & _ & Y); [| exact B |].
  - apply worth_valid; [exact F | exact V |]. intros s ->. cbn [float_value] in F.
    assert (2 ^ 2098 = 2 ^ 1024 * unit_) as E by reflexivity. rewrite E in F. pose proof unit_pos.
    assert (2 ^ 23 < 2 ^ 1024) by reflexivity. set (big := 2 ^ 1024) in *. clearbody big.
    destruct s; injection F as <-; nia.
  - exists r. split; [exact N | now apply worth_value].
Qed.

Theorem rounded_stays x : valid_binary 24 128 x = true ->
  (forall v, float_value x = Some v -> 2 ^ 23 * unit_ <= Z.abs v) -> s_round binary32 x = x.
Proof.
  intros V B. change (s_round binary32 x) with (round_even 24 128 x). unfold round_even. cbv zeta.
  change (binary_normalize 24 128 (2 ^ (24 - 1)) 0 false) with power23.
  assert (SFltb (SFabs x) power23 = false) as ->.
  - destruct x as [s | s | | s m e]; try reflexivity.
    + specialize (B 0 eq_refl). pose proof unit_pos. lia.
    + assert (W : worth (S754_finite s m e) (if s then - (Zpos m * weight e) else Zpos m * weight e)).
      { split; [now apply canonical_valid | reflexivity]. }
      rewrite (ltb_worth _ _ _ _ (abs_worth _ _ W) power23_worth). apply Z.ltb_ge.
      apply B. destruct s; reflexivity.
  - destruct x as [[] | [] | | [] m e]; reflexivity.
Qed.

(** Before opset 11: a sum with 3 * 2^22, of which that is subtracted again. *)
Definition shift_bits : spec_float := S754_finite false 12582912 0.
Definition shifted_round (x : spec_float) : spec_float := SFsub 24 128 (SFabs (SFadd 24 128 x shift_bits)) shift_bits.

Theorem shifted_worth x v : worth x v -> Z.abs v <= 2 ^ 21 * unit_ ->
  exists r, nearest v r /\ worth (shifted_round x) (r * unit_).
Proof.
  pose proof unit_pos as P. intros X B.
  destruct (add_nearest x v 12582912 X) as (r & N & R & W); [lia | lia | lia |].
  change (Zpos 12582912) with (3 * 2 ^ 22) in N. apply nearest_shift in N; [| reflexivity].
  exists (r - 3 * 2 ^ 22). split; [exact N |]. apply abs_worth in W. rewrite Z.abs_eq in W by nia.
  apply sub_integers; [exact W | | lia].
  cbn [worth shift_bits]. split; [unfold canonical; lia | reflexivity].
Qed.

(** ** QuantizeLinear *)

Local Notation S := (mixed standard).
Local Notation "'real' x" := (of_f32 standard x) (at level 9, x at level 9).

Definition none : spec_float := S754_zero false.

(** Of a quotient and a zero point: the integer, cut to the range of the type [to] less the zero point, what is above 0 and what is
    below it apart, and the zero point added. *)
Definition quantised_cell (to : Z) (lo hi : spec_float) (q z : num S) : num S :=
  let k := s_round S q in
  let z := s_cast S 1 z in
  let up := s_min S (s_sub S (real hi) z) (s_max S (real none) k) in
  let down := s_max S (s_sub S (real lo) z) (s_min S (real none) k) in
  s_cast S to (s_add S (s_add S up down) z).

Definition quantised_int8 : num S -> num S -> num S :=
  quantised_cell 3 (S754_finite true 8388608 (-16)) (S754_finite false 16646144 (-17)).
Definition quantised_byte : num S -> num S -> num S := quantised_cell 2 none (S754_finite false 16711680 (-16)).


(** To the nearest, an infinity beyond all others; not a number is 0. *)
Definition rounds (q : spec_float) (r : Z) : Prop :=
  match float_value q with Some v => nearest v r | None => r = 0 end.

Definition max32 (x y : spec_float) : spec_float := if SFltb x y then y else x.
Definition min32 (x y : spec_float) : spec_float := if SFltb y x then y else x.

Lemma max_worth x y v w : worth x v -> worth y w -> worth (max32 x y) (Z.max v w).
Proof.
  intros X Y. unfold max32. rewrite (ltb_worth _ _ _ _ X Y). destruct (Z.ltb_spec v w);
    [now replace (Z.max v w) with w by lia | now replace (Z.max v w) with v by lia].
Qed.

Lemma min_worth x y v w : worth x v -> worth y w -> worth (min32 x y) (Z.min v w).
Proof.
  intros X Y. unfold min32. rewrite (ltb_worth _ _ _ _ Y X). destruct (Z.ltb_spec w v);
    [now replace (Z.min v w) with w by lia | now replace (Z.min v w) with v by lia].
Qed.

Lemma cut_integer y r : worth y (r * unit_) -> Z.abs r < 2 ^ 53 -> cut y = r.
Proof.
  intros Y R. pose proof unit_pos as P. rewrite (cut_worth _ _ Y).
  - apply Z.quot_mul. lia.
  - rewrite Z.abs_mul, (Z.abs_eq unit_) by lia. nia.
Qed.

Definition cut_apart (flo fhi k : spec_float) : spec_float :=
  SFadd 24 128 (min32 fhi (max32 none k)) (max32 flo (min32 none k)).

(** Between [lo] and [hi], where 0 is. *)
Lemma cut_apart_worth flo fhi lo hi q r : worth flo (lo * unit_) -> worth fhi (hi * unit_) -> lo <= 0 <= hi ->
  -2 ^ 22 <= lo -> hi <= 2 ^ 22 -> valid_binary 24 128 q = true -> rounds q r ->
  worth (cut_apart flo fhi (round_even 24 128 q)) (Z.max lo (Z.min hi r) * unit_).
Proof.
  pose proof unit_pos as P. intros L H O Bl Bh V R. assert (N : worth none (0 * unit_)) by reflexivity.
  assert (G : forall k, worth k (r * unit_) -> worth (cut_apart flo fhi k) (Z.max lo (Z.min hi r) * unit_)).
  { intros k K.
    pose proof (min_worth _ _ _ _ H (max_worth _ _ _ _ N K)) as U. pose proof (max_worth _ _ _ _ L (min_worth _ _ _ _ N K)) as D.
    rewrite Z.mul_max_distr_nonneg_r, Z.mul_min_distr_nonneg_r in U by lia. rewrite Z.mul_min_distr_nonneg_r, Z.mul_max_distr_nonneg_r in D by lia.
    pose proof (add_integers _ _ _ _ U D ltac:(lia)) as A.
    now replace (Z.max lo (Z.min hi r)) with (Z.min hi (Z.max 0 r) + Z.max lo (Z.min 0 r)) by lia. }
  assert (Up : worth (SFadd 24 128 fhi (max32 flo none)) (hi * unit_)).
  { pose proof (add_integers _ _ _ _ H (eq_rect _ (worth _) (max_worth _ _ _ _ L N) (0 * unit_) ltac:(nia)) ltac:(lia)) as A.
    now rewrite Z.add_0_r in A. }
  assert (Down : worth (SFadd 24 128 (min32 fhi none) flo) (lo * unit_)).
  { pose proof (add_integers _ _ _ _ (eq_rect _ (worth _) (min_worth _ _ _ _ H N) (0 * unit_) ltac:(nia)) L ltac:(lia)) as A.
    now rewrite Z.add_0_l in A. }
  unfold rounds in R. destruct (float_value q) as [v |] eqn:F.
  2: { destruct q; try discriminate F. subst r. change (round_even 24 128 S754_nan) with S754_nan.
       change (cut_apart flo fhi S754_nan) with (cut_apart flo fhi none). apply G. reflexivity. }
  assert ((forall s, q <> S754_infinity s) \/ exists s, q = S754_infinity s) as [I | [s ->]].
  { destruct q; [left | right | left | left]; try discriminate. now eexists. }
  - pose proof (worth_valid q v F V I) as W.
    destruct (Z_lt_ge_dec (Z.abs v) (2 ^ 23 * unit_)) as [B | B].
    + destruct (rounded_worth q v W B) as (k & Nk & _ & Y). rewrite (nearest_one _ _ _ R Nk) in *. now apply G.
    + assert (E : round_even 24 128 q = q).
      { apply (rounded_stays q V). intros w Fw. rewrite F in Fw. injection Fw as <-. lia. }
      rewrite E. unfold cut_apart. change (max32 none q) with (if SFltb none q then q else none). change (min32 none q) with (if SFltb q none then q else none).
      rewrite (ltb_worth _ _ _ _ N W), (ltb_worth _ _ _ _ W N). cbn [Z.mul].
      destruct (Z_lt_ge_dec v 0) as [M | M].
      * replace (0 <? v) with false by (symmetry; apply Z.ltb_ge; lia). replace (v <? 0) with true by (symmetry; apply Z.ltb_lt; lia).
        unfold max32. rewrite (ltb_worth _ _ _ _ L W). replace (lo * unit_ <? v) with false by (symmetry; apply Z.ltb_ge; nia).
        replace (Z.max lo (Z.min hi r)) with lo by (unfold nearest in R; nia). exact Down.
      * replace (0 <? v) with true by (symmetry; apply Z.ltb_lt; nia). replace (v <? 0) with false by (symmetry; apply Z.ltb_ge; lia).
        unfold min32. rewrite (ltb_worth _ _ _ _ W H). replace (v <? hi * unit_) with false by (symmetry; apply Z.ltb_ge; nia).
        replace (Z.max lo (Z.min hi r)) with hi by (unfold nearest in R; nia). exact Up.
  - cbn [float_value] in F. assert (2 ^ 2098 = 2 ^ 1024 * unit_) as E by reflexivity. rewrite E in F.
    assert (2 ^ 23 < 2 ^ 1024) by reflexivity. set (big := 2 ^ 1024) in *. clearbody big. injection F as <-. destruct s.
    + change (round_even 24 128 (S754_infinity true)) with (S754_infinity true). unfold cut_apart.
      change (max32 none (S754_infinity true)) with none. change (min32 none (S754_infinity true)) with (S754_infinity true).
      assert (max32 flo (S754_infinity true) = flo) as -> by (destruct flo as [| | | []]; try contradiction; reflexivity).
      replace (Z.max lo (Z.min hi r)) with lo by (unfold nearest in R; nia). exact Down.
    + change (round_even 24 128 (S754_infinity false)) with (S754_infinity false). unfold cut_apart.
      change (max32 none (S754_infinity false)) with (S754_infinity false). change (min32 none (S754_infinity false)) with none.
      assert (min32 fhi (S754_infinity false) = fhi) as -> by (destruct fhi as [| | | []]; try contradiction; reflexivity).
      replace (Z.max lo (Z.min hi r)) with hi by (unfold nearest in R; nia). exact Up.
Qed.

(** With the zero point [z] in the range. *)
Lemma quantised_worth flo fhi lo hi q r z (zf := binary_normalize 24 128 z 0 false) :
  worth flo (lo * unit_) -> worth fhi (hi * unit_) -> lo <= z <= hi -> -2 ^ 20 <= lo -> hi <= 2 ^ 20 ->
  valid_binary 24 128 q = true -> rounds q r ->
  cut (SFadd 24 128 (cut_apart (SFsub 24 128 flo zf) (SFsub 24 128 fhi zf) (round_even 24 128 q)) zf) =
  Z.max lo (Z.min hi (r + z)).
Proof.
  intros L H O Bl Bh V R. pose proof (integer_exact z ltac:(lia)) as Zf. fold zf in Zf.
  pose proof (sub_integers _ _ _ _ L Zf ltac:(lia)) as Lz. pose proof (sub_integers _ _ _ _ H Zf ltac:(lia)) as Hz.
  pose proof (cut_apart_worth _ _ _ _ q r Lz Hz ltac:(lia) ltac:(lia) ltac:(lia) V R) as C.
  pose proof (add_integers _ _ _ _ C Zf ltac:(lia)) as A. apply cut_integer in A; [| lia]. rewrite A. lia.
Qed.

Section Quantised.
  Variables (q : spec_float) (r z : Z).
  Hypothesis valid : valid_binary 24 128 q = true.
  Hypothesis near : rounds q r.

  Theorem quantised_int8_correct : -128 <= z <= 127 ->
    quantised_int8 (real q) (of_i8 standard (Some z)) = of_i8 standard (Some (Z.max (-128) (Z.min 127 (r + z)))).
  Proof.
    intros R.
    change (of_i8 standard (Some (cut8 (SFadd 24 128 (cut_apart (SFsub 24 128 (S754_finite true 8388608 (-16)) (binary_normalize 24 128 z 0 false))
      (SFsub 24 128 (S754_finite false 16646144 (-17)) (binary_normalize 24 128 z 0 false)) (round_even 24 128 q))
      (binary_normalize 24 128 z 0 false)))) = of_i8 standard (Some (Z.max (-128) (Z.min 127 (r + z))))).
    do 2 f_equal. unfold cut8, cut_to. rewrite (quantised_worth _ _ (-128) 127 q r); try assumption; try lia.
    - cbn [worth]. split; [unfold canonical; lia |]. rewrite (weight_unit (-16)) by lia. change (2 ^ - (-16)) with 65536. lia.
    - cbn [worth]. split; [unfold canonical; lia |]. rewrite (weight_unit (-17)) by lia. change (2 ^ - (-17)) with 131072. lia.
  Qed.

  Theorem quantised_byte_correct : 0 <= z <= 255 ->
    quantised_byte (real q) (of_u8 standard (Some z)) = of_u8 standard (Some (Z.max 0 (Z.min 255 (r + z)))).
  Proof.
    intros R.
    change (of_u8 standard (Some (cut_byte (SFadd 24 128 (cut_apart (SFsub 24 128 none (binary_normalize 24 128 z 0 false))
      (SFsub 24 128 (S754_finite false 16711680 (-16)) (binary_normalize 24 128 z 0 false)) (round_even 24 128 q))
      (binary_normalize 24 128 z 0 false)))) = of_u8 standard (Some (Z.max 0 (Z.min 255 (r + z))))).
    do 2 f_equal. unfold cut_byte, cut_to. rewrite (quantised_worth _ _ 0 255 q r); try assumption; try lia.
    - reflexivity.
    - cbn [worth]. split; [unfold canonical; lia |]. rewrite (weight_unit (-16)) by lia. change (2 ^ - (-16)) with 65536. lia.
  Qed.
End Quantised.
