(** * Bytes that stand for numbers: rounding, saturation, zero points

    What the quantised operators of ONNX have in common (c/onnx/expand_quant.c): a float is rounded to the nearest integer, the
    even one of two, a zero point is added, and the sum is cut to the range of the element type.  What is not a number becomes
    the zero point; ONNX leaves that open. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists base.RoundEven attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index
  tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert tensor.Rounding
  tensor.Quantised.
From Calque Require Import tensor.FloatIntegers onnx.Composition onnx.Steps onnx.Elements.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** ** The formula *)

Definition lowest (signed : bool) : Z := if signed then -128 else 0.
Definition highest (signed : bool) : Z := lowest signed + 255.
Definition in_range (signed : bool) (z : Z) : Prop := lowest signed <= z <= highest signed.
Definition saturate (signed : bool) (z : Z) : Z := Z.max (lowest signed) (Z.min (highest signed) z).

(** [v / u] to the nearest integer, the even one of two. *)
Definition half_even (v u : Z) : Z :=
  let q := v / u in
  let r := 2 * (v mod u) in
  if r <? u then q else if u <? r then q + 1 else if Z.even q then q else q + 1.

(** An infinity is beyond all integers that matter. *)
Definition nearest_integer (x : spec_float) : Z := match float_value x with Some v => half_even v unit_ | None => 0 end.

(** saturate(round(x) + z) *)
Definition quantised (signed : bool) (x : spec_float) (z : Z) : Z := saturate signed (nearest_integer x + z).

(** An integer as a float32, and what a float32 constant of it is. *)
Definition float (z : Z) : spec_float := binary_normalize 24 128 z 0 false.
Definition literal_float (z : Z) : spec_float := whole 24 128 z.

Definition byte (signed : bool) : Z -> cell := if signed then I8 else U8.
Definition byte_code (signed : bool) : Z := if signed then i8_code else u8_code.

(** ** Rounding is that of [Round] *)

Lemma half_even_nearest v : nearest v (half_even v unit_).
Proof.
  pose proof unit_pos as P. pose proof (Z.div_mod v unit_ ltac:(lia)) as D. pose proof (Z.mod_pos_bound v unit_ P) as B.
  unfold half_even, nearest. set (q := v / unit_) in *. set (r := v mod unit_) in *. clearbody q r. revert D B P.
  generalize unit_. intros u D B P.
  destruct (Z.ltb_spec (2 * r) u); [left; replace (v - q * u) with r by lia; lia |].
  destruct (Z.ltb_spec u (2 * r)); [left; replace (v - (q + 1) * u) with (r - u) by lia; lia |].
  destruct (Z.even q) eqn:E; right.
  - split; [replace (v - q * u) with r by lia; lia | exact E].
  - split; [replace (v - (q + 1) * u) with (r - u) by lia; lia | now rewrite Z.even_add, E].
Qed.

Lemma nearest_rounds q : rounds q (nearest_integer q).
Proof. unfold rounds, nearest_integer. destruct (float_value q); [apply half_even_nearest | reflexivity]. Qed.

(** ** Floats of integers *)

Lemma stands_float z : Z.abs z < 2 ^ 24 -> stands 24 128 (float z) z.
Proof. now apply integer_stands. Qed.

Lemma stands_literal z : Z.abs z < 2 ^ 24 -> stands 24 128 (literal_float z) z.
Proof.
  intros A. pose proof (integer_stands 53 1024 ltac:(easy) ltac:(easy) ltac:(easy) z false ltac:(lia)) as H.
  unfold literal_float, whole. destruct (binary_normalize 53 1024 z 0 false) as [s | s | | s m e]; try contradiction;
    [exact H |].
  destruct H as [B V]. cbn [rounded]. apply normalize_stands; try easy.
  pose proof (low_exponent 53 1024 ltac:(easy) _ _ B). unfold scale_. lia.
Qed.

Lemma literal_is z : Z.abs z < 2 ^ 24 -> literal_float z = float z.
Proof.
  intros A. destruct (stands_one 24 128 ltac:(easy) _ _ _ (stands_literal z A) (stands_float z A)) as [E | [-> _]];
    [exact E | reflexivity].
Qed.

(** The difference is exact. *)
Theorem float_difference x z : Z.abs x < 2 ^ 24 -> Z.abs z < 2 ^ 24 -> Z.abs (x - z) < 2 ^ 24 ->
  SFsub 24 128 (float x) (float z) = float (x - z).
Proof.
  intros X Z_ A. pose proof (sub_stands 24 128 ltac:(easy) ltac:(easy) ltac:(easy) _ _ _ _ (stands_float x X)
    (stands_float z Z_) A) as H.
  destruct (stands_one 24 128 ltac:(easy) _ _ _ H (stands_float (x - z) A)) as [E | [E _]]; [exact E |].
  rewrite E. assert (x = z) as -> by lia. pose proof (stands_float z Z_) as F.
  destruct (float z) as [s | s | | s m e] eqn:Ef; try contradiction.
  - cbn [stands] in F. subst z. cbn in Ef. injection Ef as <-. reflexivity.
  - cbn [SFsub]. now rewrite Z.sub_diag.
Qed.

Lemma float_worth z : Z.abs z < 2 ^ 24 -> worth (float z) (z * unit_).
Proof. apply integer_exact. Qed.

Lemma literal_worth z : Z.abs z < 2 ^ 24 -> worth (literal_float z) (z * unit_).
Proof. intros A. rewrite literal_is by exact A. now apply float_worth. Qed.

(** ** What is cut *)

Lemma range_small signed z : in_range signed z -> Z.abs z < 2 ^ 24.
Proof. unfold in_range, lowest, highest, lowest. destruct signed; lia. Qed.

(** The zero point, and what is above and below it, may be any floats that are these integers. *)
Lemma cut_with_zero signed q z fu fd fz : valid_binary 24 128 q = true -> in_range signed z ->
  worth fu ((highest signed - z) * unit_) -> worth fd ((lowest signed - z) * unit_) -> worth fz (z * unit_) ->
  cut_to (lowest signed) 256 (SFadd 24 128 (cut_apart fd fu (round_even 24 128 q)) fz) = quantised signed q z.
Proof.
  intros V R U D Zf. unfold in_range, highest in *. assert (lowest signed = -128 \/ lowest signed = 0)
    as B by (destruct signed; auto).
  pose proof (cut_apart_worth fd fu _ _ q _ D U ltac:(lia) ltac:(lia) ltac:(lia) V (nearest_rounds q)) as C.
  pose proof (add_integers _ _ _ _ C Zf ltac:(lia)) as A.
  apply cut_integer in A; [| lia]. unfold cut_to. rewrite A. unfold quantised, saturate, highest. lia.
Qed.

Lemma nearest_below v r k : nearest v r -> v <= k * unit_ -> r <= k.
Proof.
  intros N L. pose proof unit_pos as P. destruct (Z_le_gt_dec r k) as [| G]; [assumption | exfalso].
  assert ((k + 1) * unit_ <= r * unit_) by (apply Z.mul_le_mono_nonneg_r; lia). unfold nearest in N. lia.
Qed.

Lemma nearest_above v r k : nearest v r -> k * unit_ <= v -> k <= r.
Proof.
  intros N L. pose proof unit_pos as P. destruct (Z_le_gt_dec k r) as [| G]; [assumption | exfalso].
  assert ((r + 1) * unit_ <= k * unit_) by (apply Z.mul_le_mono_nonneg_r; lia). unfold nearest in N. lia.
Qed.

(** Without a zero point: between the ends of the range. *)
Lemma cut_between signed q flo fhi : valid_binary 24 128 q = true ->
  worth flo (lowest signed * unit_) -> worth fhi (highest signed * unit_) ->
  cut_to (lowest signed) 256 (min32 (max32 (round_even 24 128 q) flo) fhi) = quantised signed q 0.
Proof.
  intros V L H. pose proof unit_pos as P. pose proof (nearest_rounds q) as R. unfold quantised.
  set (r := nearest_integer q) in *. clearbody r.
  rewrite Z.add_0_r. unfold cut_to, saturate. change (highest signed) with (lowest signed + 255) in *.
  replace (lowest signed + 256 - 1) with (lowest signed + 255) by lia.
  assert (Bl : lowest signed = -128 \/ lowest signed = 0) by (unfold lowest; destruct signed; lia).
  set (lo := lowest signed) in *. clearbody lo.
  assert (G : forall k, worth k (r * unit_) ->
    Z.max lo (Z.min (lo + 255) (cut (min32 (max32 k flo) fhi))) = Z.max lo (Z.min (lo + 255) r)).
  { intros k K. pose proof (min_worth _ _ _ _ (max_worth _ _ _ _ K L) H) as M.
    rewrite Z.mul_max_distr_nonneg_r, Z.mul_min_distr_nonneg_r in M by lia. apply cut_integer in M; [| lia]. rewrite M. lia. }
  assert (Kl : cut flo = lo) by (apply (cut_integer _ _ L); lia).
  assert (Kh : cut fhi = lo + 255) by (apply (cut_integer _ _ H); lia).
  assert (Lh : min32 flo fhi = flo) by (unfold min32; rewrite (ltb_worth _ _ _ _ H L);
    replace (_ <? _) with false by (symmetry; apply Z.ltb_ge; nia); reflexivity).
  unfold rounds in R. destruct (float_value q) as [v |] eqn:F.
  2: { destruct q; try discriminate F. subst r. change (round_even 24 128 S754_nan) with S754_nan.
       change (max32 S754_nan flo) with S754_nan. assert (min32 S754_nan fhi = S754_nan) as -> by (unfold min32;
         now destruct fhi as [| [] | | []]).
       cbn [cut]. lia. }
  assert ((forall s, q <> S754_infinity s) \/ exists s, q = S754_infinity s) as [I | [s ->]].
  { destruct q; [left | right | left | left]; try discriminate. now eexists. }
  - pose proof (worth_valid q v F V I) as W.
    destruct (Z_lt_ge_dec (Z.abs v) (2 ^ 23 * unit_)) as [B | B].
    + destruct (rounded_worth q v W B) as (k & Nk & _ & Y). rewrite (nearest_one _ _ _ R Nk) in *. now apply G.
    + assert (E : round_even 24 128 q = q).
      { apply (rounded_stays q V). intros w Fw. rewrite F in Fw. injection Fw as <-. lia. }
      rewrite E. unfold max32. rewrite (ltb_worth _ _ _ _ W L). destruct (Z.ltb_spec v (lo * unit_)).
      * rewrite Lh, Kl. pose proof (nearest_below _ _ lo R ltac:(lia)). lia.
      * assert ((lo + 255) * unit_ < v) as A by (destruct Bl as [-> | ->]; lia).
        unfold min32. rewrite (ltb_worth _ _ _ _ H W), (proj2 (Z.ltb_lt _ _) A).
        rewrite Kh. pose proof (nearest_above _ _ (lo + 255) R ltac:(lia)). lia.
  - cbn [float_value] in F. assert (2 ^ 2098 = 2 ^ 1024 * unit_) as E by reflexivity. rewrite E in F.
    assert (2 ^ 23 < 2 ^ 1024) by reflexivity. set (big := 2 ^ 1024) in *. clearbody big. injection F as <-. destruct s.
    + change (round_even 24 128 (S754_infinity true)) with (S754_infinity true).
      assert (max32 (S754_infinity true) flo = flo) as -> by (destruct flo as [| | | []]; try contradiction; reflexivity).
      assert (- big * unit_ <= lo * unit_) by (apply Z.mul_le_mono_nonneg_r; lia).
      rewrite Lh, Kl. pose proof (nearest_below _ _ lo R ltac:(lia)). lia.
    + change (round_even 24 128 (S754_infinity false)) with (S754_infinity false).
      assert (max32 (S754_infinity false) flo = S754_infinity false) as -> by (destruct flo as [| | | []]; try contradiction;
        reflexivity).
      assert (min32 (S754_infinity false) fhi = fhi) as -> by (destruct fhi as [| | | []]; try contradiction; reflexivity).
      assert ((lo + 255) * unit_ <= big * unit_) by (apply Z.mul_le_mono_nonneg_r; lia).
      rewrite Kh. pose proof (nearest_above _ _ (lo + 255) R ltac:(lia)). lia.
Qed.

(** ** The steps *)

(** A zero point: its sizes, and its cells if it is constant. *)
Definition zero_point : Type := option (sizes * option (list Z)).
Definition zero_input (known : bool) (zero : option (tensor Z)) : zero_point :=
  option_map (fun t => (dims t, if known then Some (cells t) else None)) zero.
Definition zero_at (axis : option nat) (zero : option (tensor Z)) (i : list Z) : Z :=
  match zero with Some t => parameter 0 (match axis with Some k => k | None => O end) t i | None => 0 end.
Definition zero_dims (axis : option nat) (ds : sizes) (zero : zero_point) : option sizes :=
  match zero with Some (p, _) => parameter_dims axis ds p | None => Some [] end.
Definition zero_fits (axis : option nat) (ds : sizes) (zero : option (tensor Z)) : bool :=
  match zero with Some t => fits axis ds (dims t) | None => true end.

Definition zeros (l : list Z) : bool := forallb (Z.eqb 0) l.

(** Input [k] as float32; nothing where it is 0. *)
Definition as_zero (k : nat) (zero : zero_point) (q : sizes) : build (option (nat * option (list Z))) :=
  match zero with
  | None => Return None
  | Some (p, None) => z <- reshaped k p q ;; f <- cast f32_code z ;; Return (Some (f, None))
  | Some (p, Some l) => if zeros l then Return None else f <- constant f32_code q (map LInt l) ;; Return (Some (f, Some l))
  end.

(** end - zero *)
Definition below (q : sizes) (z : nat * option (list Z)) (end_ : Z) : build nat :=
  match snd z with
  | Some l => constant f32_code q (map LInt (map (Z.sub end_) l))
  | None => e <- constant f32_code [] [LInt end_] ;; apply "Sub" [] [e; fst z]
  end.

(** The ends of the range as binary64. *)
Definition low_bits (signed : bool) : N := if signed then 13862079653046386688 else 0.
Definition high_bits (signed : bool) : N := if signed then 4638637247447433216 else 4643176031446892544.

(** What is above 0 and what is below it are cut apart, so that what is not a number becomes the zero point. *)
Definition saturated (signed : bool) (q : sizes) (x : nat) (zero : option (nat * option (list Z))) : build nat :=
  y <- apply "Round" [] [x] ;;
  match zero with
  | None =>
      c <- apply "Clip" [("min", VFloat (low_bits signed)); ("max", VFloat (high_bits signed))] [y] ;; cast (byte_code signed) c
  | Some z =>
      none <- constant f32_code [] [LInt 0] ;;
      over <- apply "Max" [] [none; y] ;; most <- below q z (highest signed) ;; up <- apply "Min" [] [most; over] ;;
      under <- apply "Min" [] [none; y] ;; least <- below q z (lowest signed) ;; down <- apply "Max" [] [least; under] ;;
      sum <- apply "Add" [] [up; down] ;; all <- apply "Add" [] [sum; fst z] ;; cast (byte_code signed) all
  end.

Lemma typed_float z : typed f32_code (LInt z) = scalar_of (F32 (literal_float z)).
Proof. reflexivity. Qed.

Lemma cast_byte signed z : s_cast S f32_code (scalar_of (byte signed z)) = scalar_of (F32 (float z)).
Proof. now destruct signed. Qed.

Lemma cast_to_byte signed x : s_cast S (byte_code signed) (scalar_of (F32 x)) = scalar_of (byte signed (cut_to (lowest signed)
  256 x)).
Proof. now destruct signed. Qed.

Lemma clip_float signed x : exists flo fhi, worth flo (lowest signed * unit_) /\ worth fhi (highest signed * unit_) /\
  clip_cell S (low_bits signed) (high_bits signed) (scalar_of (F32 x)) = scalar_of (F32 (min32 (max32 x flo) fhi)).
Proof.
  destruct signed.
  - exists (S754_finite true 8388608 (-16)), (S754_finite false 16646144 (-17)). split; [| split; [| reflexivity]];
    cbn [worth]; split;
      try (unfold canonical; lia).
    + rewrite (weight_unit (-16)) by lia. change (2 ^ - (-16)) with 65536. cbn [lowest]. lia.
    + rewrite (weight_unit (-17)) by lia. change (2 ^ - (-17)) with 131072. change (highest true) with 127. lia.
  - exists (S754_zero false), (S754_finite false 16711680 (-16)). split; [reflexivity |]. split; [| reflexivity]. cbn [worth].
  split;
      [unfold canonical; lia |]. rewrite (weight_unit (-16)) by lia. change (2 ^ - (-16)) with 65536.
      change (highest false) with 255. lia.
Qed.

Section Saturated.
  Variables (signed : bool) (axis : option nat) (ds : sizes).
  Notation good_zero zero := (match zero with Some t => good t /\ Forall (in_range signed) (cells t) | None => True end).

  (** What is known of a zero point that is a float32: [z] at each cell. *)
  Definition zero_known (vs : list (gvalue (tensor (num S)))) (q : sizes) (z : list Z -> Z)
    (o : option (nat * option (list Z))) : Prop :=
    match o with
    | None => forall i, in_box ds i = true -> z i = 0
    | Some (n, known) => exists t f, dims t = q /\ knows vs n (GTensor (of_cells F32 t)) /\ shows ds t f /\
        (forall i, in_box ds i = true -> worth (f i) (z i * unit_)) /\
        match known with None => True | Some l => cell_count q = List.length l /\ Forall (in_range signed)
          l /\ shows ds (Tensor q l) z end
    end.

  Lemma zero_in_range (t : tensor Z) g i : shows ds t g -> Forall (in_range signed) (cells t) -> in_box ds i = true ->
    in_range signed (g i).
  Proof. apply shows_all. Qed.

  Lemma as_zero_runs vs k known zero q : good_zero zero -> zero_dims axis ds (zero_input known zero) = Some q ->
    (forall t, zero = Some t -> knows vs k (GTensor (of_cells (byte signed) t))) ->
    runs vs (as_zero k (zero_input known zero) q) (fun ws o => zero_known ws q (zero_at axis zero) o).
  Proof.
    intros G E K. destruct zero as [t |]; [| now apply runs_return]. destruct G as [G R]. specialize (K t eq_refl).
    cbn [zero_input option_map] in *.
    cbn [zero_dims] in E. unfold as_zero.
    destruct (parameter_shows 0 axis ds t q G E) as [C H]. change (parameter 0 _ t) with (zero_at axis (Some t)) in H.
    destruct known.
    - destruct (zeros (cells t)) eqn:Zs.
      + apply runs_return. intros i I. apply (shows_all ds _ _ (fun z => z = 0) i H); [| exact I]. cbn [cells].
        apply Forall_forall. intros z Iz. unfold zeros in Zs. rewrite forallb_forall in Zs. specialize (Zs z Iz).
        now apply Z.eqb_eq in Zs.
      + eapply runs_bind; [apply (constant_runs F32 literal_float); [now rewrite C | intros z _; apply typed_float] |].
        intros ws f _ F. cbv beta in F. apply runs_return. exists (Tensor q (map literal_float (cells t))).
        exists (fun i => literal_float (zero_at axis (Some t) i)).
        split; [reflexivity |]. split; [exact F |]. split; [exact (shows_each literal_float ds (Tensor q (cells t)) _ H) |].
        split.
        * intros i I. apply literal_worth, (range_small signed). exact (zero_in_range _ _ i H R I).
        * split; [now rewrite C |]. split; [exact R | exact H].
    - eapply runs_bind; [exact (reshaped_runs (byte signed) vs k t q G C K) |]. intros ws z _ Kz. cbv beta in Kz.
      eapply runs_bind; [apply (cast_runs (byte signed) F32 float ws f32_code z _ ltac:(easy) Kz (proj1 H)); intros a _;
        apply cast_byte |].
      intros us f _ F. cbv beta in F. apply runs_return. eexists. exists (fun i => float (zero_at axis (Some t) i)).
      split; [| split; [exact F |]]; [reflexivity |]. split; [exact (shows_each float ds _ _ H) |]. split; [| exact I].
      intros i I. apply float_worth, (range_small signed). exact (zero_in_range _ _ i H R I).
  Qed.

  Lemma tabulate_each {A B} (f : A -> B) d (t : tensor A) : good t -> tabulate (dims t) (fun i => f (get d t i)) = each f t.
  Proof. intros G. rewrite <- each_tabulate. now rewrite tabulate_get. Qed.

  Lemma below_runs vs q z n known end_ : zero_known vs q z (Some (n, known)) -> end_ = lowest signed \/ end_ = highest signed ->
    (forall i, in_box ds i = true -> in_range signed (z i)) ->
    runs vs (below q (n, known) end_) (fun ws m => exists t f, knows ws m (GTensor (of_cells F32 t)) /\ shows ds t f /\
      forall i, in_box ds i = true -> worth (f i) ((end_ - z i) * unit_)).
  Proof.
    intros (t & f & D & K & H & W & Kn) Ends R. unfold below. cbn [fst snd].
    assert (Se : Z.abs end_ < 2 ^ 24) by (unfold lowest, highest, lowest in Ends; destruct signed; lia).
    assert (Sm : forall i, in_box ds i = true -> Z.abs (end_ - z i) < 2 ^ 24).
    { intros i I. specialize (R i I). unfold in_range, lowest, highest, lowest in *. destruct signed; lia. }
    destruct known as [l |].
    - destruct Kn as (C & _ & Hl). eapply runs_weaken.
      { apply (constant_runs F32 literal_float); [now rewrite map_length | intros e _; apply typed_float]. }
      intros ws m _ M. cbv beta in M. rewrite map_map in M.
      exists (Tensor q (map (fun e => literal_float (end_ - e)) l)), (fun i => literal_float (end_ - z i)).
      split; [exact M |]. split; [exact (shows_each (fun e => literal_float (end_ - e)) ds (Tensor q l) z Hl) |].
      intros i I. apply literal_worth, Sm, I.
    - eapply runs_bind.
      { apply (constant_runs F32 literal_float vs f32_code [] [end_] eq_refl). intros e _. apply typed_float. }
      intros ws e X E. cbv beta in E. cbn [map] in E. pose proof H as (Gt & Bt & _).
      eapply runs_weaken.
      { apply (binary_runs F32 F32 F32 (s_sub S) (dims t) ws "Sub" [] e n _ t (fun _ => literal_float end_) (get S754_nan t)
          (fun i => SFsub 24 128 (literal_float end_) (get S754_nan t i)) eq_refl E (knows_extends S _ _ _ _ K X)).
        - apply shows_scalar.
        - now apply shows_self.
        - now right.
        - reflexivity. }
      intros us m _ M. cbv beta in M. rewrite (tabulate_each (SFsub 24 128 (literal_float end_)) S754_nan t Gt) in M.
      exists (each (SFsub 24 128 (literal_float end_)) t), (fun i => SFsub 24 128 (literal_float end_) (f i)).
      split; [exact M |]. split; [exact (shows_each _ ds t f H) |]. intros i I.
      apply sub_integers; [now apply literal_worth | now apply W | now apply Sm].
  Qed.

  (** With any zero point that is a float: [P] is what is known of an end of the range less the zero point. *)
  Lemma saturated_cells (P : Z -> (list Z -> spec_float) -> Prop) vs q x (g : list Z -> spec_float) n known t f :
    knows vs x (GTensor (of_cells F32 (tabulate ds g))) -> knows vs n (GTensor (of_cells F32 t)) -> shows ds t f ->
    (forall ws end_, extends S vs ws -> end_ = lowest signed \/ end_ = highest signed ->
      runs ws (below q (n, known) end_)
        (fun us m => exists u h, knows us m (GTensor (of_cells F32 u)) /\ shows ds u h /\ P end_ h)) ->
    runs vs (saturated signed q x (Some (n, known))) (fun ws m => exists fd fu, P (lowest signed) fd /\ P (highest signed) fu /\
      knows ws m (GTensor (of_cells (byte signed) (tabulate ds (fun i => cut_to (lowest signed) 256
        (SFadd 24 128 (cut_apart (fd i) (fu i) (round_even 24 128 (g i))) (f i))))))).
  Proof.
    intros K Kt Ht B. unfold saturated.
    eapply runs_bind; [apply (unary_runs F32 F32 (s_round S) (round_even 24 128) vs "Round" [] x (tabulate ds g)
      (fun y => unary_value S "Round" _ [] y eq_refl) K (good_tabulate _ _)); reflexivity |].
    intros ws y X Y. cbv beta in Y. rewrite each_tabulate in Y.
    eapply runs_bind; [apply (constant_runs F32 literal_float ws f32_code [] [0] eq_refl); intros e _; apply typed_float |].
    intros w1 none X1 None_. cbv beta in None_. cbn [map] in None_.
    eapply runs_bind.
    { apply (folded_runs F32 F32 F32 (s_max S) ds w1 "Max" [] none y _ _ _ _
        (fun i => max32 Quantised.none (round_even 24 128 (g i))) eq_refl
        None_ (knows_extends S _ _ _ _ Y X1) (shows_scalar ds _) (shows_tabulate ds _)); [now right | reflexivity]. }
    intros w2 over X2 Over. cbv beta in Over.
    assert (X02 : extends S vs w2) by (eapply extends_trans; [exact X |]; eapply extends_trans; [exact X1 | exact X2]).
    eapply runs_bind; [apply (B w2 (highest signed) X02); now right |].
    intros w3 most X3 (tu & fu & Most & Su & Wu).
    eapply runs_bind.
    { apply (folded_runs F32 F32 F32 (s_min S) ds w3 "Min" [] most over _ _ _ _
        (fun i => min32 (fu i) (max32 Quantised.none (round_even 24 128 (g i)))) eq_refl
        Most (knows_extends S _ _ _ _ Over X3) Su (shows_tabulate ds _)); [now right | reflexivity]. }
    intros w4 up X4 Up. cbv beta in Up.
    assert (X14 : extends S w1 w4) by (eapply extends_trans; [exact X2 |]; eapply extends_trans; [exact X3 | exact X4]).
    eapply runs_bind.
    { apply (folded_runs F32 F32 F32 (s_min S) ds w4 "Min" [] none y _ _ _ _
        (fun i => min32 Quantised.none (round_even 24 128 (g i))) eq_refl (knows_extends S _ _ _ _ None_ X14)
        (knows_extends S _ _ _ _ Y (extends_trans S _ _ _ X1 X14)) (shows_scalar ds _) (shows_tabulate ds _));
        [now right | reflexivity]. }
    intros w5 under X5 Under. cbv beta in Under.
    assert (X05 : extends S vs w5) by (eapply extends_trans; [exact X02 |]; eapply extends_trans; [exact X3 |];
      eapply extends_trans; [exact X4 | exact X5]).
    eapply runs_bind; [apply (B w5 (lowest signed) X05); now left |].
    intros w6 least X6 (td & fd & Least & Sd & Wd).
    eapply runs_bind.
    { apply (folded_runs F32 F32 F32 (s_max S) ds w6 "Max" [] least under _ _ _ _
        (fun i => max32 (fd i) (min32 Quantised.none (round_even 24 128 (g i)))) eq_refl
        Least (knows_extends S _ _ _ _ Under X6) Sd (shows_tabulate ds _)); [now right | reflexivity]. }
    intros w7 down X7 Down. cbv beta in Down.
    assert (X57 : extends S w5 w7) by (eapply extends_trans; [exact X6 | exact X7]).
    eapply runs_bind.
    { apply (binary_runs F32 F32 F32 (s_add S) ds w7 "Add" [] up down _ _ _ _
        (fun i => cut_apart (fd i) (fu i) (round_even 24 128 (g i))) eq_refl
        (knows_extends S _ _ _ _ Up (extends_trans S _ _ _ X5 X57)) Down (shows_tabulate ds _) (shows_tabulate ds _));
          [now left | reflexivity]. }
    intros w8 sum X8 Sum. cbv beta in Sum.
    assert (X08 : extends S vs w8) by (eapply extends_trans; [exact X05 |]; eapply extends_trans; [exact X57 | exact X8]).
    eapply runs_bind.
    { apply (binary_runs F32 F32 F32 (s_add S) ds w8 "Add" [] sum n _ t _ f
        (fun i => SFadd 24 128 (cut_apart (fd i) (fu i) (round_even 24 128 (g i))) (f i)) eq_refl
        Sum (knows_extends S _ _ _ _ Kt X08) (shows_tabulate ds _) Ht); [now left | reflexivity]. }
    intros w9 all X9 All. cbv beta in All.
    eapply runs_weaken; [apply (cast_runs F32 (byte signed) (cut_to (lowest signed) 256) w9 (byte_code signed)
      all _ ltac:(destruct signed; easy) All (good_tabulate _ _)); intros a _; apply cast_to_byte |].
    intros us m _ M. cbv beta in M. rewrite each_tabulate in M. exists fd, fu. split; [exact Wd |]. split; [exact Wu | exact M].
  Qed.

  Theorem saturated_runs vs q x (g : list Z -> spec_float) o z : knows vs x (GTensor (of_cells F32 (tabulate ds g))) ->
    (forall i, in_box ds i = true -> valid_binary 24 128 (g i) = true) ->
    zero_known vs q z o -> (forall i, in_box ds i = true -> in_range signed (z i)) ->
    runs vs (saturated signed q x o)
      (fun ws m => knows ws m (GTensor (of_cells (byte signed) (tabulate ds (fun i => quantised signed (g i) (z i)))))).
  Proof.
    intros K V Zk R. destruct o as [[n known] |].
    - destruct Zk as (t & f & D & Kt & Ht & Wt & Rest).
      eapply runs_weaken.
      { apply (saturated_cells (fun end_ h => forall i, in_box ds i = true -> worth (h i) ((end_ - z i) * unit_))
          vs q x g n known t f K Kt Ht).
        intros ws end_ X Ends. apply below_runs; [| exact Ends | exact R]. exists t, f. split; [exact D |].
        split; [exact (knows_extends S _ _ _ _ Kt X) |]. split; [exact Ht |]. split; [exact Wt | exact Rest]. }
      intros us m _ (fd & fu & Wd & Wu & M). erewrite tabulate_ext; [exact M |]. intros i I. cbv beta. symmetry.
      apply cut_with_zero; auto.
    - unfold saturated.
      eapply runs_bind; [apply (unary_runs F32 F32 (s_round S) (round_even 24 128) vs "Round" [] x (tabulate ds g)
        (fun y => unary_value S "Round" _ [] y eq_refl) K (good_tabulate _ _)); reflexivity |].
      intros ws y X Y. cbv beta in Y. rewrite each_tabulate in Y. cbn [zero_known] in Zk.
      (* The function is hidden: unification would unfold it. *)
      destruct (ex_intro (fun h => forall v, h v = match as_f32 standard (clip_cell S (low_bits signed) (high_bits signed)
        (scalar_of (F32 v))) with Some u => u | None => S754_nan end) _ (fun v => eq_refl)) as [h Eh].
      eapply runs_bind.
      { apply (unary_runs F32 F32 (clip_cell S (low_bits signed) (high_bits signed)) h
          ws "Clip" _ y _ (fun v => clip_value S v (low_bits signed) (high_bits signed)) Y (good_tabulate _ _)).
        intros a _. rewrite Eh. destruct (clip_float signed a) as (flo & fhi & _ & _ & E). rewrite E. reflexivity. }
      intros us c _ C. cbv beta in C. rewrite each_tabulate in C.
      eapply runs_weaken; [apply (cast_runs F32 (byte signed) (cut_to (lowest signed) 256) us (byte_code signed)
        c _ ltac:(destruct signed; easy) C
        (good_tabulate _ _)); intros a _; apply cast_to_byte |].
      intros vs' m _ M. cbv beta in M. rewrite each_tabulate in M. erewrite tabulate_ext; [exact M |]. intros i I. cbv beta.
      rewrite Eh. destruct (clip_float signed (round_even 24 128 (g i))) as (flo & fhi & Lo & Hi & E). rewrite E.
      cbn [scalar_of of_f32 as_f32].
      rewrite (Zk i I). symmetry. apply cut_between; auto.
  Qed.
End Saturated.
