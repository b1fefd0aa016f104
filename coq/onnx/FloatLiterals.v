(** * Every float32 is a constant of compositions

    A constant is given by the bits of a binary64, and [Requantized.float_literal] reads it back.  Here: that succeeds for each
    float32.  So the scales of a quantised product can always be put together, and its composition is there whenever the
    sizes fit. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.Instances tensor.Rounding.
From Calque Require Import tensor.FloatIntegers onnx.Composition onnx.Range onnx.Elements onnx.Bytes onnx.QuantizeLinear
  onnx.Requantized.
Import ListNotations.
Open Scope list_scope.
Open Scope Z_scope.

(** ** A float is its own rounding *)

Lemma round_bounded prec emax s m e : bounded prec emax m e = true -> binary_round prec emax s m e = S754_finite s m e.
Proof.
  unfold bounded, canonical_mantissa. intros B. apply andb_true_iff in B. destruct B as [B C]. apply Zeq_bool_eq in B.
  unfold binary_round. rewrite B. rewrite align_high by lia. unfold binary_round_aux, shr_fexp. cbn [Zdigits2].
  rewrite B, Z.sub_diag. cbn [shr shr_record_of_loc shr_m loc_of_shr_record round_nearest_even Zdigits2].
  rewrite B, Z.sub_diag. cbn [shr shr_record_of_loc shr_m]. now rewrite C.
Qed.

Lemma normalize_round prec emax (s : bool) m e :
  binary_normalize prec emax (if s then Zneg m else Zpos m) e s = binary_round prec emax s m e.
Proof. now destruct s. Qed.

(** As binary64 it has 53 bits. *)
Lemma widened s m e : bounded 24 128 m e = true -> exists n f k, 0 <= k /\ e = f + k /\ Zpos n = Zpos m * 2 ^ k /\
  2 ^ 52 <= Zpos n < 2 ^ 53 /\ -1074 <= f <= 971 /\ rounded 53 1024 (S754_finite s m e) = S754_finite s n f.
Proof.
  intros B. apply bounded_is in B. destruct B as (E & L & U). change (Z.max (Zpos (digits2_pos m) + e - 24) (-149) = e) in E.
  change (-149 <= e) in L. change (e <= 104) in U. pose proof (Pos2Z.is_pos (digits2_pos m)).
  set (d := Zpos (digits2_pos m)) in *. assert (D : 1 <= d <= 24) by lia.
  set (k := 53 - d). assert (P : 0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
  destruct (Zpos m * 2 ^ k) as [| n | n] eqn:N; [lia | | lia]. exists n, (e - k), k. symmetry in N.
  assert (Dn : Zpos (digits2_pos n) = 53) by (rewrite (digits_shift m k n ltac:(lia) N); fold d; lia).
  pose proof (digits_bounds n) as Bn. rewrite Dn in Bn.
  split; [lia |]. split; [lia |]. split; [exact N |]. split; [exact Bn |]. split; [lia |].
  cbn [rounded]. rewrite normalize_round. replace e with (e - k + k) at 1 by lia.
  rewrite <- (round_shift 53 1024 s m k (e - k) n ltac:(lia) N). apply round_bounded.
  unfold bounded, canonical_mantissa. rewrite Dn. apply andb_true_iff. split; [| apply Zle_imp_le_bool; lia].
  apply Zeq_is_eq_bool. unfold SpecFloat.fexp, emin. lia.
Qed.

Lemma narrowed s m e n f k : bounded 24 128 m e = true -> 0 <= k -> e = f + k -> Zpos n = Zpos m * 2 ^ k ->
  rounded 24 128 (S754_finite s n f) = S754_finite s m e.
Proof.
  intros B K E N. cbn [rounded]. rewrite normalize_round. rewrite (round_shift 24 128 s m k f n K N), <- E.
  now apply round_bounded.
Qed.

(** ** Bits *)

Lemma decode_finite s n f : 2 ^ 52 <= Zpos n < 2 ^ 53 -> -1074 <= f <= 971 ->
  decode (bits_of (S754_finite s n f)) = S754_finite s n f.
Proof.
  intros N F. unfold bits_of. rewrite (proj2 (Z.ltb_ge _ _)) by lia.
  set (b := Zpos n - 2 ^ 52 + (f + 1075) * 2 ^ 52 + (if s then 2 ^ 63 else 0)).
  assert (B : 0 <= b) by (unfold b; destruct s; lia). unfold decode. rewrite Z2N.id by exact B.
  assert (M : b mod 2 ^ 52 = Zpos n - 2 ^ 52).
  { unfold b. replace (Zpos n - 2 ^ 52 + (f + 1075) * 2 ^ 52 + (if s then 2 ^ 63 else 0))
      with (Zpos n - 2 ^ 52 + (f + 1075 + (if s then 2 ^ 11 else 0)) * 2 ^ 52) by (destruct s; lia).
    rewrite Z.mod_add by lia. apply Z.mod_small. lia. }
  assert (Q : b / 2 ^ 52 = f + 1075 + (if s then 2 ^ 11 else 0)).
  { unfold b. replace (Zpos n - 2 ^ 52 + (f + 1075) * 2 ^ 52 + (if s then 2 ^ 63 else 0))
      with (Zpos n - 2 ^ 52 + (f + 1075 + (if s then 2 ^ 11 else 0)) * 2 ^ 52) by (destruct s; lia).
    rewrite Z.div_add by lia. rewrite Z.div_small by lia. lia. }
  assert (X : (b / 2 ^ 52) mod 2 ^ 11 = f + 1075).
  { rewrite Q. destruct s; [replace (f + 1075 + 2 ^ 11) with (f + 1075 + 1 * 2 ^ 11) by lia; rewrite Z.mod_add by lia |
      rewrite Z.add_0_r]; apply Z.mod_small; lia. }
  assert (S : (2 ^ 63 <=? b) = s).
  { unfold b. destruct s; [apply Z.leb_le | apply Z.leb_gt]; lia. }
  rewrite X, M, S. replace (f + 1075 =? 2047) with false by (symmetry; apply Z.eqb_neq; lia).
  replace (f + 1075 =? 0) with false by (symmetry; apply Z.eqb_neq; lia).
  replace (Zpos n - 2 ^ 52 + 2 ^ 52) with (Zpos n) by lia. f_equal. lia.
Qed.

Lemma same_float_refl x : same_float x x = true.
Proof.
  destruct x as [s | s | | s m e]; cbn [same_float]; rewrite ?Bool.eqb_reflx; try reflexivity.
  now rewrite Pos.eqb_refl, Z.eqb_refl.
Qed.

Lemma real64 b : s_real binary64 b = rounded 53 1024 (decode b).
Proof.
  unfold s_real. destruct (N.eqb_spec b 0) as [-> |]; [reflexivity |].
  destruct (N.eqb_spec b one_bits) as [-> |]; [vm_compute; reflexivity | reflexivity].
Qed.

Lemma real_literal_there x : decode (bits_of x) = x -> rounded 53 1024 x = x -> real_literal x = Some (LReal (bits_of x)).
Proof.
  intros D R. unfold real_literal. rewrite real64, D, R, same_float_refl. reflexivity.
Qed.

Theorem float_literal_there x : valid_binary 24 128 x = true -> exists l, float_literal x = Some l.
Proof.
  intros V. unfold float_literal. destruct x as [s | s | | s m e].
  1, 2: destruct s; eexists; vm_compute; reflexivity.
  1: eexists; vm_compute; reflexivity.
  destruct (widened s m e V) as (n & f & k & K & E & N & Bn & Bf & W). rewrite W.
  assert (rounded 53 1024 (S754_finite s n f) = S754_finite s n f) as R.
  { cbn [rounded]. rewrite normalize_round. apply round_bounded. unfold bounded, canonical_mantissa.
    rewrite (digits_unique n 52) by lia. apply andb_true_iff. split; [| apply Zle_imp_le_bool; lia].
    apply Zeq_is_eq_bool. unfold SpecFloat.fexp, emin. lia. }
  rewrite (real_literal_there _ (decode_finite s n f Bn Bf) R), (narrowed s m e n f k V K E N), same_float_refl.
  eexists. reflexivity.
Qed.

Corollary float_literals_there l : valid32 l -> exists m, traverse float_literal l = Some m.
Proof.
  induction 1 as [| x l V _ [m E]]; [now exists [] |]. destruct (float_literal_there x V) as [c L]. cbn [traverse].
  rewrite L, E. eexists. reflexivity.
Qed.

(** ** The composition is there *)

Lemma map_floats_valid f x y t : (forall a b, valid_binary 24 128 a = true -> valid_binary 24 128 b = true ->
    valid_binary 24 128 (f a b) = true) -> valid32 (cells x) -> valid32 (cells y) -> map_floats f x y = Some t ->
  valid32 (cells t).
Proof.
  intros F X Y E. unfold map_floats, map2, table in E. change (num binary32) with spec_float in E.
  destruct (broadcast (dims x) (dims y)) as [q |]; [| discriminate E]. apply some_is in E. subst t.
  apply Forall_forall. intros a I. cbn [cells tabulate] in I. apply in_map_iff in I. destruct I as (i & <- & _).
  assert (A : forall (z : tensor spec_float) j, valid32 (cells z) -> valid_binary 24 128 (get (S754_zero false) z j) = true).
  { intros z j V. unfold get. destruct (in_box (dims z) j); [| reflexivity].
    destruct (nth_in_or_default (position (dims z) j) (cells z) (S754_zero false)) as [I | ->]; [| reflexivity].
    exact (proj1 (Forall_forall _ _) V _ I). }
  apply F; [exact (A x _ X) | exact (A y _ Y)].
Qed.

Theorem scaled_there first second ds sx sw sy (known_x known_w known_y : bool) kx kw ky : good_scale sx -> good_scale sw ->
  good_scale sy -> fits first ds (dims sx) && fits second ds (dims sw) && fits None [] (dims sy) = true ->
  exists b, scaled first second ds (scale_input known_x sx) (scale_input known_w sw) (scale_input known_y sy) kx kw ky = Some b.
Proof.
  intros [Gx Vx] [Gw Vw] [Gy Vy] F. unfold fits in F. unfold scaled. cbn [scale_input fst snd].
  destruct (parameter_dims first ds (dims sx)) as [qx |] eqn:Qx; [| discriminate].
  destruct (parameter_dims second ds (dims sw)) as [qw |] eqn:Qw; [| discriminate].
  destruct (parameter_dims None [] (dims sy)) as [qy |] eqn:Qy; [| discriminate].
  destruct known_x, known_w, known_y; try (eexists; reflexivity).
  destruct (parameter_shows not_a_number first ds sx qx Gx Qx) as [_ Hx].
  destruct (parameter_shows not_a_number second ds sw qw Gw Qw) as [_ Hw].
  pose proof (parameter_one not_a_number sy qy ds Gy Qy) as Hy.
  destruct (map_floats_there (SFmul 24 128) ds _ _ _ _ Hx Hw) as [p P]. rewrite P.
  destruct (map_floats_there (SFdiv 24 128) ds _ _ _ _ (shows_map2 _ ds _ _ _ _ p Hx Hw P) Hy) as [t T]. rewrite T.
  assert (Vp : valid32 (cells p)) by (apply (map_floats_valid (SFmul 24 128) (Tensor qx (cells sx)) (Tensor qw (cells sw)));
    [intros; now apply mul_valid | assumption | assumption | exact P]).
  assert (Vt : valid32 (cells t)) by (apply (map_floats_valid (SFdiv 24 128) p (Tensor qy (cells sy)));
    [intros; now apply div_valid | exact Vp | assumption | exact T]).
  destruct (float_literals_there _ Vt) as [l L]. rewrite L. eexists. reflexivity.
Qed.

Theorem requantize_there signed wide first second ds sx sw sy zero (known_x known_w known_y known_zero : bool) kx kw ky kz :
  good_scale sx -> good_scale sw -> good_scale sy ->
  fits first ds (dims sx) && fits second ds (dims sw) && fits None [] (dims sy) && fits None [] (dims zero) = true ->
  exists b, requantize signed wide first second ds (scale_input known_x sx) (scale_input known_w sw) (scale_input known_y sy)
    (zero_input known_zero (Some zero)) kx kw ky kz = Some b.
Proof.
  intros Gx Gw Gy F. apply andb_true_iff in F. destruct F as [F Z_]. unfold requantize.
  destruct (scaled_there first second ds sx sw sy known_x known_w known_y kx kw ky Gx Gw Gy F) as [b ->].
  cbn [zero_input option_map zero_dims]. unfold fits in Z_. destruct (parameter_dims None [] (dims zero)); [| discriminate].
  eexists. reflexivity.
Qed.
