(** * Rounding and quantisation, as they are made of other operators

    ONNX's Round and QuantizeLinear are read as chains of elementwise operators
    (c/onnx/expand.def).  Here is what these chains give at a cell: an integer next to the number,
    the even one of two, and that integer with the zero point added, cut to the range of the
    element type. *)

From Coq Require Import Bool List Lia ZArith Zquot.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers tensor.Scalars tensor.Ops tensor.Instances tensor.Mixed tensor.MixedEmbed.
From Calque Require Import tensor.Convert tensor.Cut tensor.Rounding.
Open Scope Z_scope.

Local Notation S := (mixed standard).
Local Notation "'real' x" := (of_f32 standard x) (at level 9, x at level 9).
Local Notation "'long' z" := (of_i64 standard (Some z)) (at level 9, z at level 9).

Definition power23 : spec_float := S754_finite false 8388608 0.
Definition one_half : spec_float := S754_finite false 8388608 (-24).
Definition none : spec_float := S754_zero false.

(** Round: abs, Cast to int64 and back, what is cut off, its parity, ..; what has no fraction stays
    as it is. *)
Definition rounded_cell (x : num S) : num S :=
  let a := s_abs S x in
  let k := s_cast S 7 a in
  let rest := s_sub S a (s_cast S 1 k) in
  let odd := s_sub S k (s_mul S (div_cell S k (long 2)) (long 2)) in
  let up := where_cell S (s_cast S 9 odd) (not_cell S (s_less S rest (real one_half))) (s_less S (real one_half) rest) in
  let y := s_cast S 1 (s_add S k (s_cast S 7 up)) in
  let y := where_cell S (s_less S x (real none)) (s_neg S y) y in
  where_cell S (s_less S (s_abs S x) (real power23)) (where_cell S (s_less S (real none) rest) y x) x.

(** ** Read as binary32 *)

Definition next (k : Z) (up : bool) : Z := if up then if k =? 0 then 1 else wrap (k + 1) else k.

Definition rounded32 (x : spec_float) : spec_float :=
  let a := SFabs x in
  let k := cut a in
  let rest := SFsub 24 128 a (binary_normalize 24 128 k 0 false) in
  let up := if Z.odd k then negb (SFltb rest one_half) else SFltb one_half rest in
  let y := binary_normalize 24 128 (next k up) 0 false in
  let y := if SFltb x none then SFopp y else y in
  if SFltb a power23 then if SFltb none rest then y else x else x.

(** A comparison. *)
Definition truth32 (b : bool) : num S :=
  Scalar standard (Some (if b then whole 24 128 1 else none)) None None None None None (Some b).

Lemma less_reads x y : s_less S (real x) (real y) = truth32 (SFltb x y).
Proof. cbn. unfold compare, on_both, truth32. cbn. now destruct (SFltb x y). Qed.

Lemma not_reads b : not_cell S (truth32 b) = truth32 (negb b).
Proof. now destruct b. Qed.

Lemma where_reads b x y : where_cell S (truth32 b) (real x) (real y) = real (if b then x else y).
Proof. destruct b; [destruct x as [[|] | | |] | destruct y as [[|] | | |]]; reflexivity. Qed.

Lemma where_truth (b p q : bool) : where_cell S (of_truth standard b) (truth32 p) (truth32 q) = truth32 (if b then p else q).
Proof. now destruct b, p, q. Qed.

Lemma up_reads (b : bool) : s_cast S 7 (truth32 b) = long (if b then 1 else 0).
Proof. now destruct b. Qed.

Lemma next_reads k (b : bool) : s_add S (long k) (long (if b then 1 else 0)) = long (next k b).
Proof. now destruct b, k. Qed.

Lemma odd_reads k : 0 <= k < - least ->
  s_cast S 9 (s_sub S (long k) (s_mul S (div_cell S (long k) (long 2)) (long 2))) = of_truth standard (Z.odd k).
Proof.
  intros K. rewrite (div_plain S eq_refl).
  change (s_div S (long k) (long 2)) with (of_i64 standard (div_cell int64 (Some k) (Some 2))).
  rewrite div_int64 by (unfold least in *; lia). rewrite Z.quot_div_nonneg by lia.
  assert (k / 2 * 2 <= k) by (pose proof (Z.div_mod k 2 ltac:(lia)); pose proof (Z.mod_pos_bound k 2 ltac:(lia)); lia).
  assert (0 <= k / 2) by (apply Z.div_pos; lia).
  change (s_cast S 9 (s_sub S (long k) (s_mul S (long (wrap (k / 2))) (long 2)))) with
    (of_truth standard (negb (wrap (k - wrap (wrap (k / 2) * 2)) =? 0))).
  rewrite (wrap_id (k / 2)), (wrap_id (k / 2 * 2)), (wrap_id (k - k / 2 * 2)) by (unfold least in *; lia).
  f_equal. rewrite Z.mul_comm, <- Z.mod_eq by lia. rewrite Zmod_odd. now destruct (Z.odd k).
Qed.

Lemma cut_abs_range x : 0 <= cut (SFabs x) < - least.
Proof.
  destruct x as [s | s | | s m e]; cbn [SFabs cut]; unfold least; try lia.
  destruct (0 <=? e) eqn:E; [assert (0 <= Zpos m * 2 ^ e) by (apply Z.mul_nonneg_nonneg; [lia | apply Z.pow_nonneg; lia])
                            | assert (0 <= Zpos m / 2 ^ - e) by (apply Z.div_pos; [lia | apply Z.pow_pos_nonneg; lia])]; lia.
Qed.

Theorem rounded_reads x : rounded_cell (real x) = real (rounded32 x).
Proof.
  unfold rounded_cell. cbv zeta.
  change (s_abs S (real x)) with (real (SFabs x)).
  change (s_cast S 7 (real (SFabs x))) with (long (cut (SFabs x))).
  rewrite odd_reads by apply cut_abs_range.
  change (s_cast S 1 (long (cut (SFabs x)))) with (real (binary_normalize 24 128 (cut (SFabs x)) 0 false)).
  change (s_sub S (real (SFabs x)) (real (binary_normalize 24 128 (cut (SFabs x)) 0 false)))
    with (real (SFsub 24 128 (SFabs x) (binary_normalize 24 128 (cut (SFabs x)) 0 false))).
  rewrite !less_reads, not_reads, where_truth, up_reads, next_reads.
  match goal with |- context [s_cast S 1 (long ?z)] =>
    change (s_cast S 1 (long z)) with (real (binary_normalize 24 128 z 0 false)) end.
  match goal with |- context [s_neg S (real ?z)] => change (s_neg S (real z)) with (real (SFopp z)) end.
  rewrite !where_reads. reflexivity.
Qed.

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

Lemma half_worth : exists h, 2 * h = unit_ /\ worth one_half h.
Proof.
  exists (8388608 * weight (-24)). split.
  - rewrite (weight_unit (-24)) by lia. change (2 ^ - (-24)) with (2 * 8388608). lia.
  - cbn [worth one_half]. split; [unfold canonical; lia | reflexivity].
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

(** A number of at least 1 has no place below 2^-23. *)
Lemma places m e : canonical m e -> unit_ <= Zpos m * weight e -> -23 <= e.
Proof.
  intros (M & E & _) U. destruct (Z_le_gt_dec (-23) e) as [| L]; [assumption | exfalso].
  pose proof (weight_pos e ltac:(lia)) as W. rewrite (weight_unit e) in U by lia.
  assert (2 ^ 24 <= 2 ^ - e) by (apply Z.pow_le_mono_r; lia). nia.
Qed.

(** What is cut off is exact. *)
Lemma rest_worth a k v : worth a v -> 0 <= v -> 0 <= k < 2 ^ 23 -> k * unit_ <= v < (k + 1) * unit_ ->
  worth (SFsub 24 128 a (binary_normalize 24 128 k 0 false)) (v - k * unit_).
Proof.
  pose proof unit_pos as P. intros A V K B.
  destruct (Z.eq_dec k 0) as [-> | N].
  - cbn [binary_normalize]. rewrite Z.mul_0_l, Z.sub_0_r.
    destruct a as [s | s | | s m e]; try contradiction; [| exact A].
    cbn [SFsub]. destruct s; exact A.
  - pose proof (integer_exact k ltac:(lia)) as T.
    destruct (binary_normalize 24 128 k 0 false) as [s | s | | s n f]; try contradiction.
    { cbn [worth] in T. nia. }
    destruct a as [q | q | | q m e]; try contradiction.
    { cbn [worth] in A. nia. }
    cbn [worth] in A, T. destruct A as [C A], T as [D T].
    pose proof (weight_pos e ltac:(destruct C as (_ & ? & _); lia)) as We.
    pose proof (weight_pos f ltac:(destruct D as (_ & ? & _); lia)) as Wf.
    destruct s; [nia |]. destruct q; [nia |].
    assert (-23 <= e) as Le by (apply (places m e C); nia).
    assert (-23 <= f) as Lf by (apply (places n f D); nia).
    cbn [SFsub cond_Zopp]. set (g := Z.min e f).
    assert (G : -23 <= g <= 104) by (destruct C as (_ & ? & _); lia).
    pose proof (weight_pos g ltac:(lia)) as Wg.
    pose proof (align_value m e g ltac:(lia)) as Am. pose proof (align_value n f g ltac:(lia)) as An.
    set (i := Zpos (fst (shl_align m e g))) in *. set (j := Zpos (fst (shl_align n f g))) in *.
    assert (E : (i - j) * weight g = v - k * unit_) by lia.
    rewrite <- E. apply normalize_exact; [| lia].
    assert (0 <= i - j) by nia.
    assert (unit_ <= 2 ^ 23 * weight g) as Ug.
    { replace (weight g) with (2 ^ (g + 23) * weight (-23)).
      - rewrite (weight_unit (-23)) by lia. change (2 ^ - (-23)) with (2 ^ 23).
        pose proof (weight_pos (-23) ltac:(lia)).
        assert (1 <= 2 ^ (g + 23)) by (pose proof (Z.pow_pos_nonneg 2 (g + 23)); lia). nia.
      - rewrite <- weight_add by lia. f_equal. lia. }
    nia.
Qed.

(** Below 2^23; what is greater has no fraction, and stays as it is. *)
Theorem rounded_worth x v : worth x v -> Z.abs v < 2 ^ 23 * unit_ ->
  exists r, nearest v r /\ worth (rounded32 x) (r * unit_).
Proof.
  pose proof unit_pos as P. intros X B. pose proof (abs_worth x v X) as A.
  set (k := Z.abs v / unit_).
  assert (K : cut (SFabs x) = k).
  { rewrite (cut_worth _ _ A) by lia. apply Z.quot_div_nonneg; lia. }
  pose proof (Z.div_mod (Z.abs v) unit_ ltac:(lia)) as D. pose proof (Z.mod_pos_bound (Z.abs v) unit_ P) as M. fold k in D.
  assert (K0 : 0 <= k) by (apply Z.div_pos; lia).
  assert (K1 : k < 2 ^ 23) by (apply Z.div_lt_upper_bound; lia).
  unfold rounded32. cbv zeta. rewrite K.
  pose proof (rest_worth _ k _ A ltac:(lia) ltac:(lia) ltac:(lia)) as R.
  set (rest := SFsub 24 128 (SFabs x) (binary_normalize 24 128 k 0 false)) in *.
  destruct half_worth as (h & H & Hw).
  assert (Z0 : worth none 0) by reflexivity.
  rewrite (ltb_worth _ _ _ _ A power23_worth), (ltb_worth _ _ _ _ R Hw), (ltb_worth _ _ _ _ Hw R),
    (ltb_worth _ _ _ _ Z0 R), (ltb_worth _ _ _ _ X Z0).
  replace (Z.abs v <? 2 ^ 23 * unit_) with true by (symmetry; apply Z.ltb_lt; lia).
  set (f := Z.abs v - k * unit_) in *.
  destruct (Z.ltb_spec 0 f) as [F | F].
  - set (up := if Z.odd k then negb (f <? h) else h <? f).
    assert (Hn : next k up = k + (if up then 1 else 0)).
    { unfold next. destruct up; [| lia]. destruct (Z.eqb_spec k 0); [lia | apply wrap_id; unfold least; lia]. }
    rewrite Hn. pose proof (integer_exact (k + (if up then 1 else 0)) ltac:(destruct up; lia)) as Y.
    assert (Nr : nearest (Z.abs v) (k + (if up then 1 else 0))).
    { unfold nearest, up. rewrite <- Z.negb_odd. unfold f in *.
      destruct (Z.odd k) eqn:O.
      - destruct (Z.ltb_spec (Z.abs v - k * unit_) h) as [L | L]; cbn [negb].
        + left. lia.
        + rewrite Z.odd_add, O. destruct (Z.eq_dec (Z.abs v - k * unit_) h); [right; split; [lia | reflexivity] | left; lia].
      - destruct (Z.ltb_spec h (Z.abs v - k * unit_)) as [L | L].
        + left. lia.
        + rewrite Z.add_0_r, O. destruct (Z.eq_dec (Z.abs v - k * unit_) h); [right; split; [lia | reflexivity] | left; lia]. }
    destruct (Z.ltb_spec v 0) as [L | L].
    + exists (- (k + (if up then 1 else 0))). split.
      * unfold nearest in *. rewrite Z.even_opp.
        replace (Z.abs (v - - (k + (if up then 1 else 0)) * unit_)) with (Z.abs (Z.abs v - (k + (if up then 1 else 0)) * unit_)) by lia.
        exact Nr.
      * rewrite Z.mul_opp_l. now apply opp_worth.
    + exists (k + (if up then 1 else 0)). split; [| exact Y]. now rewrite Z.abs_eq in Nr by lia.
  - exists (if v <? 0 then - k else k).
    assert (E : v = (if v <? 0 then - k else k) * unit_) by (destruct (Z.ltb_spec v 0); lia).
    split; [left; lia | now rewrite <- E].
Qed.

(** Of the cell: a number below 2^23 becomes that integer, any other stays. *)
Theorem rounded_correct x v : valid_binary 24 128 x = true -> float_value x = Some v -> Z.abs v < 2 ^ 23 * unit_ ->
  exists r y, nearest v r /\ rounded_cell (real x) = real y /\ float_value y = Some (r * unit_).
Proof.
  intros V F B. destruct (rounded_worth x v) as (r & N & Y); [| exact B |].
  - apply worth_valid; [exact F | exact V |]. intros s ->. cbn [float_value] in F.
    assert (2 ^ 2098 = 2 ^ 1024 * unit_) as E by reflexivity. rewrite E in F. pose proof unit_pos.
    assert (2 ^ 23 < 2 ^ 1024) by reflexivity. set (big := 2 ^ 1024) in *. clearbody big.
    destruct s; injection F as <-; nia.
  - exists r, (rounded32 x). split; [exact N |]. split; [apply rounded_reads | now apply worth_value].
Qed.

Theorem rounded_stays x : valid_binary 24 128 x = true ->
  (forall v, float_value x = Some v -> 2 ^ 23 * unit_ <= Z.abs v) -> rounded_cell (real x) = real x.
Proof.
  intros V B. rewrite rounded_reads. f_equal. unfold rounded32. cbv zeta.
  assert (SFltb (SFabs x) power23 = false) as ->; [| reflexivity].
  destruct x as [s | s | | s m e]; try reflexivity.
  - specialize (B 0 eq_refl). pose proof unit_pos. lia.
  - assert (W : worth (S754_finite s m e) (if s then - (Zpos m * weight e) else Zpos m * weight e)).
    { split; [now apply canonical_valid | reflexivity]. }
    rewrite (ltb_worth _ _ _ _ (abs_worth _ _ W) power23_worth). apply Z.ltb_ge.
    apply B. destruct s; reflexivity.
Qed.

(** ** QuantizeLinear *)

(** 1024 and -1024, as an attribute has them. *)
Definition bits_1024 : N := 4652218415073722368.
Definition bits_minus_1024 : N := 13875590451928498176.

(** Of a quotient and a zero point: the integer, plus the zero point, between [lo] and [hi], and then of the type [to]. *)
Definition quantised_cell (to : Z) (lo hi : N) (q z : num S) : num S :=
  let k := s_cast S 6 (rounded_cell (clip_cell S bits_minus_1024 bits_1024 q)) in
  s_cast S to (clip_cell S lo hi (s_cast S 1 (s_add S k (s_cast S 6 z)))).

Definition quantised_int8 : num S -> num S -> num S := quantised_cell 3 13862079653046386688 4638637247447433216.
Definition quantised_byte : num S -> num S -> num S := quantised_cell 2 0 4643176031446892544.

(** To the nearest, an infinity beyond all others; not a number is 0. *)
Definition rounds (q : spec_float) (r : Z) : Prop :=
  match float_value q with Some v => nearest v r | None => r = 0 end.

Definition clip32 (lo hi x : spec_float) : spec_float :=
  let a := if SFltb x lo then lo else x in if SFltb hi a then hi else a.

Definition ten_bits (s : bool) : spec_float := S754_finite s 8388608 (-13).

Lemma ten_worth s : worth (ten_bits s) ((if s then -1024 else 1024) * unit_).
Proof.
  cbn [worth ten_bits]. split; [unfold canonical; lia |].
  rewrite (weight_unit (-13)) by lia. change (2 ^ - (-13)) with 8192. destruct s; lia.
Qed.

Lemma clip_worth lo hi x l h v : worth lo l -> worth hi h -> l <= h -> worth x v ->
  worth (clip32 lo hi x) (Z.max l (Z.min h v)).
Proof.
  intros L H O X. unfold clip32. rewrite (ltb_worth _ _ _ _ X L). destruct (Z.ltb_spec v l).
  - rewrite (ltb_worth _ _ _ _ H L). destruct (Z.ltb_spec h l); [lia |]. now replace (Z.max l (Z.min h v)) with l by lia.
  - rewrite (ltb_worth _ _ _ _ H X). destruct (Z.ltb_spec h v).
    + now replace (Z.max l (Z.min h v)) with h by lia.
    + now replace (Z.max l (Z.min h v)) with v by lia.
Qed.

Lemma cut_integer y r : worth y (r * unit_) -> Z.abs r < 2 ^ 53 -> cut y = r.
Proof.
  intros Y R. pose proof unit_pos as P. rewrite (cut_worth _ _ Y).
  - apply Z.quot_mul. lia.
  - rewrite Z.abs_mul, (Z.abs_eq unit_) by lia. nia.
Qed.

Lemma clipped_rounded q r : valid_binary 24 128 q = true -> rounds q r ->
  cut32 (rounded32 (clip32 (ten_bits true) (ten_bits false) q)) = Z.max (-1024) (Z.min 1024 r).
Proof.
  pose proof unit_pos as P. intros V R. unfold rounds in R.
  destruct (float_value q) as [v |] eqn:F.
  2: { destruct q; try discriminate F. subst r. reflexivity. }
  assert (I : forall s, q = S754_infinity s -> cut32 (rounded32 (clip32 (ten_bits true) (ten_bits false) q)) = Z.max (-1024) (Z.min 1024 r)).
  { intros s ->. cbn [float_value] in F. assert (2 ^ 2098 = 2 ^ 1024 * unit_) as E by reflexivity. rewrite E in F.
    assert (1024 < 2 ^ 1024) by reflexivity. set (big := 2 ^ 1024) in *. clearbody big.
    destruct s; injection F as <-.
    - replace (Z.max (-1024) (Z.min 1024 r)) with (-1024); [reflexivity |]. unfold nearest in R. nia.
    - replace (Z.max (-1024) (Z.min 1024 r)) with 1024; [reflexivity |]. unfold nearest in R. nia. }
  assert ((forall s, q <> S754_infinity s) \/ exists s, q = S754_infinity s) as [N | [s E]].
  { destruct q; [left | right | left | left]; try discriminate. now eexists. }
  2: now apply (I s).
  pose proof (worth_valid q v F V N) as W. clear I N.
  assert (O : -1024 * unit_ <= 1024 * unit_) by lia.
  pose proof (clip_worth _ _ q (-1024 * unit_) (1024 * unit_) v (ten_worth true) (ten_worth false) O W) as C.
  destruct (rounded_worth _ _ C ltac:(lia)) as (i & Ni & Y).
  assert (i = Z.max (-1024) (Z.min 1024 r)) as <-.
  { destruct (Z_lt_ge_dec v (-1024 * unit_)) as [L | L]; [| destruct (Z_lt_ge_dec (1024 * unit_) v) as [G | G]].
    - replace (Z.max (-1024 * unit_) (Z.min (1024 * unit_) v)) with (-1024 * unit_) in Ni by lia.
      assert (i = -1024) as -> by (apply (nearest_one _ _ _ Ni); left; lia). unfold nearest in R. nia.
    - replace (Z.max (-1024 * unit_) (Z.min (1024 * unit_) v)) with (1024 * unit_) in Ni by lia.
      assert (i = 1024) as -> by (apply (nearest_one _ _ _ Ni); left; lia). unfold nearest in R. nia.
    - replace (Z.max (-1024 * unit_) (Z.min (1024 * unit_) v)) with v in Ni by lia.
      rewrite (nearest_one _ _ _ Ni R). unfold nearest in R. nia. }
  assert (Z.abs i <= 1024) by (unfold nearest in Ni; nia).
  unfold cut32, cut_to. rewrite (cut_integer _ i Y) by lia. unfold least32. lia.
Qed.

(** Between the ends of a range, whatever the type is that is stored. *)
Lemma saturated_sum flo fhi lo hi i : worth flo (lo * unit_) -> worth fhi (hi * unit_) -> lo <= hi -> Z.abs i < 2 ^ 24 ->
  -2 ^ 24 < lo -> hi < 2 ^ 24 ->
  cut (clip32 flo fhi (binary_normalize 24 128 i 0 false)) = Z.max lo (Z.min hi i).
Proof.
  pose proof unit_pos as P. intros L H O I Bl Bh.
  pose proof (clip_worth _ _ _ _ _ _ L H ltac:(nia) (integer_exact i I)) as C.
  apply cut_integer; [| lia]. now replace (Z.max lo (Z.min hi i) * unit_) with (Z.max (lo * unit_) (Z.min (hi * unit_) (i * unit_))) by nia.
Qed.

Lemma sum_reads i z : Z.abs i <= 1024 -> Z.abs z <= 255 ->
  s_add S (of_i32 standard (Some i)) (of_i32 standard (Some (wrap32 z))) = of_i32 standard (Some (i + z)).
Proof.
  intros I Z_. rewrite wrap32_id by (unfold least32; lia).
  change (s_add S (of_i32 standard (Some i)) (of_i32 standard (Some z))) with
    (of_i32 standard (add_whole wrap32 (Some i) (Some z))).
  f_equal. unfold add_whole. destruct i as [| i | i]; [reflexivity | |]; (destruct z as [| z | z]; [now rewrite Z.add_0_r | |]);
    f_equal; apply wrap32_id; unfold least32; lia.
Qed.

Section Quantised.
  Variables (q : spec_float) (r z : Z).
  Hypothesis valid : valid_binary 24 128 q = true.
  Hypothesis near : rounds q r.

  Lemma whole_reads : s_cast S 6 (rounded_cell (clip_cell S bits_minus_1024 bits_1024 (real q))) =
    of_i32 standard (Some (Z.max (-1024) (Z.min 1024 r))).
  Proof.
    change (clip_cell S bits_minus_1024 bits_1024 (real q)) with (real (clip32 (ten_bits true) (ten_bits false) q)).
    rewrite rounded_reads, <- (clipped_rounded q r valid near). reflexivity.
  Qed.

  Theorem quantised_int8_correct : -128 <= z <= 127 ->
    quantised_int8 (real q) (of_i8 standard (Some z)) = of_i8 standard (Some (Z.max (-128) (Z.min 127 (r + z)))).
  Proof.
    intros R. unfold quantised_int8, quantised_cell. cbv zeta. rewrite whole_reads.
    change (s_cast S 6 (of_i8 standard (Some z))) with (of_i32 standard (Some (wrap32 z))).
    rewrite sum_reads by lia. set (i := Z.max (-1024) (Z.min 1024 r) + z).
    change (of_i8 standard (Some (cut8 (clip32 (S754_finite true 8388608 (-16)) (S754_finite false 16646144 (-17))
      (binary_normalize 24 128 i 0 false)))) = of_i8 standard (Some (Z.max (-128) (Z.min 127 (r + z))))).
    do 2 f_equal. unfold cut8, cut_to. rewrite (saturated_sum _ _ (-128) 127); unfold i; try lia.
    - cbn [worth]. split; [unfold canonical; lia |]. rewrite (weight_unit (-16)) by lia. change (2 ^ - (-16)) with 65536. lia.
    - cbn [worth]. split; [unfold canonical; lia |]. rewrite (weight_unit (-17)) by lia. change (2 ^ - (-17)) with 131072. lia.
  Qed.

  Theorem quantised_byte_correct : 0 <= z <= 255 ->
    quantised_byte (real q) (of_u8 standard (Some z)) = of_u8 standard (Some (Z.max 0 (Z.min 255 (r + z)))).
  Proof.
    intros R. unfold quantised_byte, quantised_cell. cbv zeta. rewrite whole_reads.
    change (s_cast S 6 (of_u8 standard (Some z))) with (of_i32 standard (Some (wrap32 z))).
    rewrite sum_reads by lia. set (i := Z.max (-1024) (Z.min 1024 r) + z).
    change (of_u8 standard (Some (cut_byte (clip32 (S754_zero false) (S754_finite false 16711680 (-16))
      (binary_normalize 24 128 i 0 false)))) = of_u8 standard (Some (Z.max 0 (Z.min 255 (r + z))))).
    do 2 f_equal. unfold cut_byte, cut_to. rewrite (saturated_sum _ _ 0 255); unfold i; try lia.
    - reflexivity.
    - cbn [worth]. split; [unfold canonical; lia |]. rewrite (weight_unit (-16)) by lia. change (2 ^ - (-16)) with 65536. lia.
  Qed.
End Quantised.
