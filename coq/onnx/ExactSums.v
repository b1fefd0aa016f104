(** * Exact sums of floats that are integers

    Sums of products of integers are computed in float32 where all of them stay below 2^24, and in binary64 where all of them stay
    below 2^53 (c/onnx/expand_quant.c): then no addition rounds, in whichever order they are.  Here is what the products have in
    common: factors that are floats of integers, their sums, and how great those can be. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr kernel.Numbers tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index
  tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import tensor.FloatIntegers onnx.Composition onnx.Steps onnx.Elements onnx.Bytes onnx.QuantizeLinear.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** ** What sums are made of *)

(** The greatest |x - zero point|. *)
Definition reach (signed : bool) (zero : zero_point) : Z :=
  match zero with
  | None => Z.max (highest signed) (- lowest signed)
  | Some (_, Some l) => fold_right Z.max 0 (map (fun z => Z.max (highest signed - z) (z - lowest signed)) l)
  | Some (_, None) => 255
  end.

Definition total (ns : list nat) (f : list Z -> Z) : Z := fold_right Z.add 0 (map f (box ns)).

(** ** The two formats *)

(** Binary64 if [wide], or float32. *)
Section Wide.
  Variable wide : bool.

  Definition bits : Z := if wide then 53 else 24.
  Definition greatest_exponent : Z := if wide then 1024 else 128.
  Definition limit : Z := 2 ^ bits.
  Definition real : spec_float -> cell := if wide then F64 else F32.
  Definition real_code : Z := if wide then f64_code else f32_code.

  (** The float that an integer becomes, and the one that is written for it. *)
  Definition real_number (z : Z) : spec_float := binary_normalize bits greatest_exponent z 0 false.
  Definition real_literal (z : Z) : spec_float := whole bits greatest_exponent z.

  Notation is x z := (stands bits greatest_exponent x z).

  Lemma stands_number z : Z.abs z < limit -> is (real_number z) z.
  Proof. unfold limit, real_number, bits, greatest_exponent. destruct wide; now apply integer_stands. Qed.

  (** A constant goes through binary64. *)
  Lemma stands_written z : Z.abs z < limit -> is (real_literal z) z.
  Proof.
    unfold limit, real_literal, bits, greatest_exponent. destruct wide; [| apply stands_literal]. intros A.
    pose proof (integer_stands 53 1024 ltac:(easy) ltac:(easy) ltac:(easy) z false A) as H.
    unfold whole. destruct (binary_normalize 53 1024 z 0 false) as [s | s | | s m e]; try contradiction; [exact H |].
    destruct H as [B V]. cbn [rounded]. apply normalize_stands; try easy.
    pose proof (low_exponent 53 1024 ltac:(easy) _ _ B). unfold scale_. lia.
  Qed.

  Lemma literal_is_number z : Z.abs z < limit -> real_literal z = real_number z.
  Proof.
    intros A. destruct (stands_one bits greatest_exponent ltac:(unfold bits, greatest_exponent; now destruct wide) _ _ _
      (stands_written z A) (stands_number z A)) as [E | [-> _]]; [exact E | unfold real_literal, real_number; now destruct wide].
  Qed.

  (** The difference is exact, and its zero has no sign. *)
  Theorem number_difference x z : Z.abs x < limit -> Z.abs z < limit -> Z.abs (x - z) < limit ->
    SFsub bits greatest_exponent (real_number x) (real_number z) = real_number (x - z).
  Proof.
    intros X Z_ A.
    assert (is (SFsub bits greatest_exponent (real_number x) (real_number z)) (x - z)) as H
      by (apply sub_stands; try (unfold bits, greatest_exponent; now destruct wide); try (now apply stands_number); exact A).
    destruct (stands_one bits greatest_exponent ltac:(unfold bits, greatest_exponent; now destruct wide) _ _ _ H
      (stands_number (x - z) A)) as [E | [E _]]; [exact E |].
    rewrite E. assert (x = z) as -> by lia. pose proof (stands_number z Z_) as F.
    destruct (real_number z) as [s | s | | s m e] eqn:Ef; try contradiction.
    - cbn [stands] in F. subst z. cbn in Ef. injection Ef as <-. reflexivity.
    - cbn [SFsub]. now rewrite Z.sub_diag.
  Qed.

  Lemma typed_real z : typed real_code (LInt z) = scalar_of (real (real_literal z)).
  Proof. unfold real_code, real, real_literal, bits, greatest_exponent. now destruct wide. Qed.

  (** ** Sums of floats that are integers *)

  (** A number of the format, or the 0 of all types that sums start with. *)
  Definition summand (a : num S) (z : Z) : Prop :=
    (exists x, a = scalar_of (real x) /\ is x z) \/ a = s_zero S /\ z = 0.

  Lemma zero_stands : is (S754_zero false) 0.
  Proof. reflexivity. Qed.

  (** The 0 of all types is the one of the format where something else has the format. *)
  Lemma on_reals (f : num S -> num S -> num S) (g : spec_float -> spec_float -> spec_float) (h : Z -> Z -> Z) :
    (forall x y, f (scalar_of (real x)) (scalar_of (real y)) = scalar_of (real (g x y))) ->
    (forall x, f (scalar_of (real x)) (s_zero S) = scalar_of (real (g x (S754_zero false)))) ->
    (forall y, f (s_zero S) (scalar_of (real y)) = scalar_of (real (g (S754_zero false) y))) ->
    f (s_zero S) (s_zero S) = s_zero S -> h 0 0 = 0 ->
    (forall x u y z, is x y -> is u z -> Z.abs (h y z) < limit -> is (g x u) (h y z)) ->
    forall a b y z, summand a y -> summand b z -> Z.abs (h y z) < limit -> summand (f a b) (h y z).
  Proof.
    intros F1 F2 F3 F4 H0 G a b y z A B L. destruct A as [(x & -> & X) | [-> ->]], B as [(u & -> & U) | [-> ->]].
    - left. exists (g x u). split; [apply F1 |]. now apply G.
    - left. exists (g x (S754_zero false)). split; [apply F2 |]. now apply G.
    - left. exists (g (S754_zero false) u). split; [apply F3 |]. now apply G.
    - right. now split.
  Qed.

  Lemma summand_add a b y z : summand a y -> summand b z -> Z.abs (y + z) < limit -> summand (s_add S a b) (y + z).
  Proof.
    apply (on_reals (s_add S) (SFadd bits greatest_exponent) Z.add); try (intros; unfold real, bits, greatest_exponent;
      now destruct wide); try reflexivity.
    intros x u v w X U A. apply add_stands; try assumption; unfold bits, greatest_exponent; now destruct wide.
  Qed.

  Lemma summand_mul a b y z : summand a y -> summand b z -> Z.abs (y * z) < limit -> summand (s_mul S a b) (y * z).
  Proof.
    apply (on_reals (s_mul S) (SFmul bits greatest_exponent) Z.mul); try (intros; unfold real, bits, greatest_exponent;
      now destruct wide); try reflexivity.
    intros x u v w X U A. apply mul_stands; try assumption; unfold bits, greatest_exponent; now destruct wide.
  Qed.

  Lemma fold_exact (l : list (list Z)) f g : forall a z, summand a z -> (forall k, In k l -> summand (f k) (g k)) ->
    Z.abs z + fold_right Z.add 0 (map (fun k => Z.abs (g k)) l) < limit ->
    summand (fold_left (fun acc k => s_add S acc (f k)) l a) (fold_left (fun acc k => acc + g k) l z).
  Proof.
    induction l as [| k l IH]; intros a z A F L; [exact A |]. cbn [map fold_right fold_left] in *.
    assert (0 <= fold_right Z.add 0 (map (fun k => Z.abs (g k)) l)) as P by (clear; induction l; cbn [map fold_right]; lia).
    apply IH; [apply summand_add; [exact A | apply F; now left | lia] | intros j J; apply F; now right | lia].
  Qed.

  Theorem sum_exact ns f g : (forall k, in_box ns k = true -> summand (f k) (g k)) -> total ns (fun k => Z.abs (g k)) < limit ->
    summand (s_sum S ns f) (s_sum integers ns g).
  Proof.
    intros F L. unfold s_sum. destruct (single ns) eqn:E.
    - apply F, in_box_box. rewrite single_box by exact E. now left.
    - apply fold_exact; [right; now split | | exact L]. intros k K. apply F. now apply in_box_box.
  Qed.

  (** A tensor of such numbers. *)
  Definition integral (t : tensor (num S)) (u : tensor Z) : Prop := dims t = dims u /\ forall i, summand (at_ S t i) (get 0 u i).

  Lemma integral_inside (t : tensor (num S)) (u : tensor Z) : dims t = dims u ->
    (forall i, in_box (dims u) i = true -> summand (at_ S t i) (get 0 u i)) -> integral t u.
  Proof.
    intros D H. split; [exact D |]. intros i. destruct (in_box (dims u) i) eqn:I; [now apply H |]. right.
    unfold at_, get. now rewrite D, I.
  Qed.

  Lemma integral_floats (t : tensor spec_float) (u : tensor Z) : good t -> dims t = dims u ->
    (forall i, in_box (dims u) i = true -> is (get S754_nan t i) (get 0 u i)) -> integral (of_cells real t) u.
  Proof.
    intros G D E. apply integral_inside; [exact D |]. intros i I. left. exists (get S754_nan t i).
    split; [apply at_of; [exact G | now rewrite D] | now apply E].
  Qed.

  (** Integers as they are cast, and as they are written. *)
  Lemma integral_numbers (u : tensor Z) : good u -> (forall i, Z.abs (get 0 u i) < limit) ->
    integral (of_cells real (each real_number u)) u.
  Proof.
    intros G H. apply integral_floats; [now apply good_each | reflexivity |]. intros i I.
    rewrite (get_each real_number 0 S754_nan u i G I). apply stands_number, H.
  Qed.

  Lemma integral_literals (u : tensor Z) : good u -> (forall i, Z.abs (get 0 u i) < limit) ->
    integral (of_cells real (each real_literal u)) u.
  Proof.
    intros G H. apply integral_floats; [now apply good_each | reflexivity |]. intros i I.
    rewrite (get_each real_literal 0 S754_nan u i G I). apply stands_written, H.
  Qed.

  (** ** A sum as int32: the low 32 bits *)

  Lemma cast_summand a z : summand a z -> Z.abs z < 2 ^ 31 -> Z.abs z < limit ->
    s_cast S i32_code a = scalar_of (I32 (wrap32 z)).
  Proof.
    intros H L M. assert (wrap32 z = z) as -> by (unfold wrap32, wrap_to, least32; rewrite Z.mod_small; lia).
    destruct H as [(x & -> & X) | [-> ->]]; [| reflexivity].
    assert (cut x = z) as C by (unfold limit, bits, greatest_exponent in *; destruct wide;
      [apply (cut_stands 53 1024 ltac:(easy) x z X) | apply (cut_stands 24 128 ltac:(easy) x z X)]; lia).
    transitivity (scalar_of (I32 (cut32 x))); [unfold real; now destruct wide |]. do 2 f_equal. unfold cut32, cut_to, least32.
    rewrite C. lia.
  Qed.

  Lemma cast_long a z : summand a z -> Z.abs z < limit ->
    s_cast S i32_code (s_cast S i64_code a) = scalar_of (I32 (wrap32 z)).
  Proof.
    intros H L. destruct H as [(x & -> & X) | [-> ->]]; [| reflexivity].
    assert (cut x = z) as C by (unfold limit, bits, greatest_exponent in *; destruct wide;
      [apply (cut_stands 53 1024 ltac:(easy) x z X) | apply (cut_stands 24 128 ltac:(easy) x z X)]; lia).
    transitivity (scalar_of (I32 (wrap32 (cut x)))); [unfold real; now destruct wide |]. now rewrite C.
  Qed.
End Wide.

(** No sum is greater than [most]. *)
Definition whole_sum (most : Z) (sum : nat) : build nat :=
  if most <? 2 ^ 31 then cast i32_code sum else (long <- cast i64_code sum ;; cast i32_code long).

Theorem whole_sum_runs wide vs k t v most : good t -> good v -> integral wide t v -> most < limit wide ->
  (forall i, Z.abs (get 0 v i) <= most) -> knows vs k (GTensor t) ->
  runs vs (whole_sum most k) (fun ws m => knows ws m (GTensor (of_cells I32 (each wrap32 v)))).
Proof.
  intros Gt Gv [D H] L B K. unfold whole_sum.
  assert (forall f, (forall i, in_box (dims v) i = true -> f i = scalar_of (I32 (wrap32 (get 0 v i)))) ->
    tabulate (dims v) f = of_cells I32 (each wrap32 v)) as E.
  { intros f F. rewrite <- (tabulate_each wrap32 0 v Gv), <- of_tabulate. now apply tabulate_ext. }
  destruct (Z.ltb_spec most (2 ^ 31)) as [S31 | _].
  - eapply runs_weaken; [eapply runs_apply; [constructor; [exact K | constructor] | apply cast_value; easy] |].
    intros ws m _ M. cbv beta in M. rewrite D in M. rewrite E in M; [exact M |]. intros i _.
    apply (cast_summand wide); [apply H | |]; specialize (B i); lia.
  - eapply runs_bind; [eapply runs_apply; [constructor; [exact K | constructor] | apply cast_value; easy] |].
    intros ws l _ Kl. cbv beta in Kl.
    eapply runs_weaken; [eapply runs_apply; [constructor; [exact Kl | constructor] | apply cast_value; easy] |].
    intros us m _ M. cbv beta in M. cbn [dims tabulate] in M. rewrite D in M. rewrite E in M; [exact M |]. intros i I.
    unfold at_ at 1. rewrite get_tabulate by exact I. apply (cast_long wide); [apply H |]. specialize (B i). lia.
Qed.

(** ** The totals *)

Lemma sum_abs ns g : Z.abs (s_sum integers ns g) <= total ns (fun k => Z.abs (g k)).
Proof.
  unfold s_sum, total. destruct (single ns) eqn:E.
  - rewrite single_box by exact E. cbn [map fold_right]. lia.
  - unfold reduce. change (s_zero integers) with 0. change (s_add integers) with Z.add.
    assert (forall l z, Z.abs (fold_left (fun acc k => acc + g k) l z)
      <= Z.abs z + fold_right Z.add 0 (map (fun k => Z.abs (g k)) l)) as H.
    { induction l as [| k l IH]; intros z; cbn [fold_left map fold_right]; [lia |]. specialize (IH (z + g k)). lia. }
    exact (H (box ns) 0).
Qed.

Lemma total_le ns f g : (forall k, in_box ns k = true -> f k <= g k) -> total ns f <= total ns g.
Proof.
  intros H. unfold total. assert (forall k, In k (box ns) -> f k <= g k) as K by (intros k I; apply H; now apply in_box_box).
  induction (box ns) as [| k l IH]; cbn [map fold_right]; [lia |]. pose proof (K k (or_introl eq_refl)).
  specialize (IH (fun j J => K j (or_intror J))). lia.
Qed.

Lemma total_scale ns c f : total ns (fun k => c * f k) = c * total ns f.
Proof. unfold total. induction (box ns) as [| k l IH]; cbn [map fold_right]; [lia |]. rewrite IH. lia. Qed.

Lemma total_zero ns f : (forall k, in_box ns k = true -> f k = 0) -> total ns f = 0.
Proof.
  intros H. unfold total. assert (forall k, In k (box ns) -> f k = 0) as K by (intros k I; apply H; now apply in_box_box).
  induction (box ns) as [| k l IH]; cbn [map fold_right]; [reflexivity |]. rewrite (K k (or_introl eq_refl)), IH;
    [reflexivity |].
  intros j J. apply K. now right.
Qed.

Lemma greatest_le l z : In z l -> z <= fold_right Z.max 0 l.
Proof. induction l as [| a l IH]; [easy |]. intros [-> | I]; cbn [fold_right]; [lia |]. specialize (IH I). lia. Qed.

Lemma greatest_pos l : 0 <= fold_right Z.max 0 l.
Proof. induction l; cbn [fold_right]; lia. Qed.

Lemma get_outside_zero (t : tensor Z) i : in_box (dims t) i = false -> get 0 t i = 0.
Proof. intros I. unfold get. now rewrite I. Qed.

Lemma total_one ns f k : (forall j, 0 <= f j) -> in_box ns k = true -> f k <= total ns f.
Proof.
  intros P K. apply in_box_box in K. unfold total. induction (box ns) as [| j l IH]; [easy |]. cbn [map fold_right].
  assert (0 <= fold_right Z.add 0 (map f l)) by (clear - P; induction l as [| b l IH]; cbn [map fold_right];
    [lia | pose proof (P b); lia]).
  destruct K as [-> | K]; [lia |]. specialize (IH K). pose proof (P j). lia.
Qed.


(** ** The factors *)

Lemma reach_pos signed zero : 0 <= reach signed zero.
Proof. destruct zero as [[p [l |]] |]; cbn [reach]; [apply greatest_pos | lia | unfold highest, lowest; destruct signed; lia].
Qed.

Section Bounds.
  Variables (signed : bool) (zero : option (tensor Z)) (t : tensor Z) (q : sizes) (z : list Z -> Z).
  Hypotheses (G : good t) (R : Forall (in_range signed) (cells t)) (V : valid_zero signed zero).
  Hypothesis H : zero_shows (dims t) q zero z.

  Lemma less_reach (known : bool) i : Z.abs (get 0 (less t z) i) <= reach signed (zero_input known zero).
  Proof.
    pose proof (reach_pos signed (zero_input known zero)) as P. destruct (in_box (dims t) i) eqn:I.
    2: { rewrite get_outside_zero by exact I. lia. }
    unfold less. rewrite get_tabulate by exact I. pose proof (shows_all _ _ _ _ i (shows_self 0 t G) R I) as X. cbv beta in X.
    pose proof (zero_shows_range _ _ _ _ _ i V H I) as Z_. destruct zero as [t0 |]; cbn [zero_input option_map reach].
    - destruct known; [| unfold in_range, highest in *; lia].
      apply Z.le_trans with (Z.max (highest signed - z i) (z i - lowest signed)); [unfold in_range in X; lia |].
      apply greatest_le, (in_map (fun z => Z.max (highest signed - z) (z - lowest signed))).
      destruct H as (_ & _ & _ & N). exact (nth_error_In _ _ (N i I)).
    - rewrite (H i I). unfold in_range in X. lia.
  Qed.

  Lemma less_small i : Z.abs (get 0 (less t z) i) <= 255.
  Proof.
    destruct (in_box (dims t) i) eqn:I; [| rewrite get_outside_zero by exact I; lia].
    unfold less. rewrite get_tabulate by exact I. pose proof (shows_all _ _ _ _ i (shows_self 0 t G) R I) as A. cbv beta in A.
    pose proof (zero_shows_range _ _ _ _ _ i V H I) as Z_. unfold in_range, lowest, highest, lowest in *. destruct signed; lia.
  Qed.
End Bounds.

Corollary reach_bound signed axis (known : bool) zero (t : tensor Z) q i : good t -> Forall (in_range signed) (cells t) ->
  valid_zero signed zero -> zero_dims axis (dims t) (zero_input known zero) = Some q ->
  Z.abs (get 0 (centre axis zero t) i) <= reach signed (zero_input known zero).
Proof. intros G R V E. now apply (less_reach signed zero t q); try apply (zero_dims_shows signed _ _ _ known). Qed.

Corollary centre_small signed axis zero (known : bool) (t : tensor Z) q i : good t -> Forall (in_range signed) (cells t) ->
  valid_zero signed zero -> zero_dims axis (dims t) (zero_input known zero) = Some q ->
  Z.abs (get 0 (centre axis zero t) i) <= 255.
Proof. intros G R V E. now apply (less_small signed zero t q); try apply (zero_dims_shows signed _ _ _ known). Qed.

(** In float32 or binary64, and in int32. *)
Section LessZero.
  Variables (signed : bool) (vs : list (gvalue (tensor (num S)))) (x : tensor Z) (k j : nat) (zero : option (tensor Z)).
  Variables (known : bool) (p : sizes).
  Hypotheses (Vz : valid_zero signed zero) (G : good x) (R : Forall (in_range signed) (cells x)).
  Hypothesis K : knows vs k (GTensor (of_cells (byte signed) x)).
  Hypothesis Kz : forall t, zero = Some t -> knows vs j (GTensor (of_cells (byte signed) t)).

  Lemma less_real_runs wide g : zero_shows (dims x) p zero g ->
    runs vs (less_zero (real_code wide) k j (zero_input known zero) p)
      (fun ws m => knows ws m (GTensor (of_cells (real wide) (each (real_number wide) (less x g))))).
  Proof.
    intros P. apply (less_zero_runs (real wide) (real_code wide) (real_number wide)) with (signed := signed); try assumption.
    - now destruct wide.
    - intros s z _. now destruct wide, s.
    - intros s z B. rewrite typed_real, literal_is_number; [reflexivity |]. unfold limit, bits. apply range_small in B.
      destruct wide; lia.
    - intros s y z Y Z_. transitivity (scalar_of (real wide (SFsub (bits wide) (greatest_exponent wide) (real_number wide y)
        (real_number wide z)))); [now destruct wide |].
      rewrite number_difference; [reflexivity | ..]; unfold limit, bits, in_range, highest, lowest in *; destruct wide, s; lia.
  Qed.

  Lemma less_int_runs g : zero_shows (dims x) p zero g ->
    runs vs (less_zero i32_code k j (zero_input known zero) p) (fun ws m => knows ws m (GTensor (of_cells I32 (less x g)))).
  Proof.
    intros P. assert (Small : forall z, Z.abs z < 2 ^ 24 -> wrap32 z = z).
    { intros z A. unfold wrap32, wrap_to, least32. rewrite Z.mod_small; lia. }
    eapply runs_weaken.
    - apply (less_zero_runs I32 i32_code (fun z => z)) with (signed := signed) (g := g) (x := x); try assumption; [easy | ..].
      + intros s z A. apply range_small in A. transitivity (scalar_of (I32 (wrap32 z))); [now destruct s |]. now rewrite Small.
      + intros s z A. apply range_small in A. transitivity (scalar_of (I32 (wrap32 z))); [reflexivity |]. now rewrite Small.
      + intros s y z A B. transitivity (scalar_of (I32 (wrap32 (wrap (y - z))))); [reflexivity |].
        assert (Z.abs (y - z) < 2 ^ 24) by (unfold in_range, highest, lowest in *; destruct s; lia).
        assert (wrap (y - z) = y - z) as -> by (unfold wrap, least; rewrite Z.mod_small; lia). now rewrite Small.
    - intros ws m _ M. cbv beta in M. unfold each in M. rewrite map_id in M. exact M.
  Qed.
End LessZero.

(** With the zero point along an axis. *)
Corollary less_zero_real wide signed axis vs x k j zero known p : valid_zero signed zero -> good x ->
  Forall (in_range signed) (cells x) -> zero_dims axis (dims x) (zero_input known zero) = Some p ->
  knows vs k (GTensor (of_cells (byte signed) x)) ->
  (forall t, zero = Some t -> knows vs j (GTensor (of_cells (byte signed) t))) ->
  runs vs (less_zero (real_code wide) k j (zero_input known zero) p)
    (fun ws m => knows ws m (GTensor (of_cells (real wide) (each (real_number wide) (centre axis zero x))))).
Proof. intros V G R P K Kz. apply (less_real_runs signed); try assumption. exact (zero_dims_shows signed _ _ _ _ _ V P). Qed.

Corollary less_zero_int signed axis vs x k j zero known p : valid_zero signed zero -> good x ->
  Forall (in_range signed) (cells x) -> zero_dims axis (dims x) (zero_input known zero) = Some p ->
  knows vs k (GTensor (of_cells (byte signed) x)) ->
  (forall t, zero = Some t -> knows vs j (GTensor (of_cells (byte signed) t))) ->
  runs vs (less_zero i32_code k j (zero_input known zero) p)
    (fun ws m => knows ws m (GTensor (of_cells I32 (centre axis zero x)))).
Proof. intros V G R P K Kz. apply (less_int_runs signed); try assumption. exact (zero_dims_shows signed _ _ _ _ _ V P). Qed.
