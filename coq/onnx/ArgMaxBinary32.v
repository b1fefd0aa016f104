(** * ArgMax of finite binary32 in graphs that mix element types

    [ArgMax.arg_max_correct] and [arg_min_correct] for tensors of float32 whose cells are finite: a place of int64. *)

From Coq Require Import Bool List Lia NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers tensor.Tensor tensor.Scalars tensor.Ops tensor.Instances tensor.Mixed.
From Calque Require Import tensor.Rounding tensor.Quantised onnx.Composition onnx.ArgMax onnx.ArgMaxFloats onnx.ReduceMin.
From Calque Require onnx.Steps.
Import ListNotations.
Open Scope Z_scope.

Definition cut01 (z : spec_float) : spec_float :=
  let y := if SFltb z (S754_zero false) then S754_zero false else z in if SFltb one32 y then one32 else y.

(** What is above 0 becomes 1. *)
Lemma stretched x : positive x -> cut01 (SFmul 24 128 (SFmul 24 128 x first_factor) second_factor) = one32.
Proof.
  intros [-> | (m & e & -> & M & E)]; [reflexivity |]. unfold first_factor.
  destruct (times_power m e 104 M ltac:(lia)) as (r & k & K & R & _ & ->). unfold packed.
  destruct (Zle_bool (e + 104 + k) 104); [| reflexivity]. unfold second_factor.
  destruct (times_power r (e + 104 + k) (-1) ltac:(lia) ltac:(lia)) as (q & j & J & Q & T & ->).
  destruct (T ltac:(lia)) as [-> ->]. unfold packed.
  set (f := e + 104 + k + -1 + 23). assert (F : -23 <= f) by lia. clearbody f.
  destruct (Zle_bool f 104); [| reflexivity].
  unfold cut01. cbn [SFltb SFcompare]. unfold one32, SFltb. cbn [SFcompare].
  destruct (Z.compare_spec (-23) f) as [<- | lt | gt]; [| reflexivity | lia].
  change (Pcompare (2 ^ 23) r Eq) with (Pos.compare (2 ^ 23) r).
  destruct (Pos.compare_spec (2 ^ 23) r) as [<- | lt | gt]; [reflexivity | reflexivity |].
  exfalso. change (2 ^ 23) with (Zpos (2 ^ 23)) in R. lia.
Qed.

Lemma stretched_zero s : cut01 (SFmul 24 128 (SFmul 24 128 (S754_zero s) first_factor) second_factor) = S754_zero s.
Proof. now destruct s. Qed.

Lemma one_times c : 0 <= c <= 2 ^ 24 -> SFmul 24 128 one32 (counted c) = counted c.
Proof.
  intros C. destruct (Z.eq_dec c 0) as [-> | ne]; [reflexivity |].
  destruct (counted_exact c ltac:(lia)) as (r & k & R & K & _ & ->). unfold one32. cbn [SFmul xorb].
  rewrite (aux_exact _ _ 23 r); [| lia | rewrite Pos2Z.inj_mul; change (Zpos (2 ^ 23)) with (2 ^ 23); lia | exact R | lia].
  unfold packed. replace (-23 + k + 23) with k by lia. now replace (Zle_bool k 104) with true by (symmetry; apply Z.leb_le; lia).
Qed.

Lemma zero_times c : 0 <= c <= 2 ^ 24 -> SFmul 24 128 (S754_zero false) (counted c) = S754_zero false.
Proof.
  intros C. destruct (Z.eq_dec c 0) as [-> | ne]; [reflexivity |].
  destruct (counted_exact c ltac:(lia)) as (r & k & _ & _ & _ & ->). reflexivity.
Qed.

Definition highest : spec_float := S754_finite false 16777215 104.

Lemma worth_bound x v : worth x v -> Z.abs v <= 16777215 * weight 104.
Proof.
  pose proof (weight_pos 104 ltac:(lia)). destruct x as [s | s | | s m e]; try contradiction; cbn [worth]; [intros ->; lia |].
  intros ((M & E & _) & ->). pose proof (weight_pos e ltac:(lia)).
  assert (weight e <= weight 104).
  { replace 104 with (e + (104 - e)) by lia. rewrite weight_add by lia.
    pose proof (Z.pow_pos_nonneg 2 (104 - e) ltac:(lia) ltac:(lia)). nia. }
  destruct s; nia.
Qed.

Lemma highest_worth : worth highest (16777215 * weight 104).
Proof. split; [unfold canonical; lia | reflexivity]. Qed.

Lemma limits x v : worth x v ->
  (let y := if SFltb x (SFopp highest) then SFopp highest else x in if SFltb highest y then highest else y) = x.
Proof.
  intros W. pose proof (worth_bound x v W) as B. pose proof highest_worth as H. pose proof (opp_worth _ _ H) as L.
  rewrite (ltb_worth _ _ _ _ W L). replace (v <? - (16777215 * weight 104)) with false by (symmetry; apply Z.ltb_ge; lia).
  cbv zeta. rewrite (ltb_worth _ _ _ _ H W).
  now replace (16777215 * weight 104 <? v) with false by (symmetry; apply Z.ltb_ge; lia).
Qed.

(** ** The laws *)

Notation M := (mixed standard).

Definition finite32 (a : num M) : Prop := exists x v, a = of_f32 standard x /\ worth x v.

Definition key32 (a : num M) : Z :=
  match as_f32 standard a with Some x => match float_value x with Some v => v | None => 0 end | None => 0 end.

Definition less32 (a b : num M) : bool :=
  match as_f32 standard a, as_f32 standard b with Some x, Some y => SFltb x y | _, _ => false end.

Lemma key_worth x v : worth x v -> key32 (of_f32 standard x) = v.
Proof. intros W. unfold key32. cbn [as_f32 of_f32]. now rewrite (worth_value x v W). Qed.

Lemma limited32 x v : worth x v -> limited_cell M (Steps.typed M) f32_code (of_f32 standard x) = of_f32 standard x.
Proof.
  intros W. rewrite <- (limits x v W) at 2. reflexivity.
Qed.

Theorem f32_counts_places : counts_places M (Steps.typed M) f32_code less32 finite32 key32 (2 ^ 24).
Proof.
  split.
  - intros a b (x & v & -> & X) (y & w & -> & Y). rewrite (key_worth x v X), (key_worth y w Y). exact (ltb_worth x y v w X Y).
  - intros a b (x & v & -> & X) (y & w & -> & Y).
    rewrite (key_worth x v X), (key_worth y w Y), (limited32 x v X), (limited32 y w Y).
    rewrite <- (ltb_worth x y v w X Y). change (of_f32 standard (if SFltb x y then y else x) =
      if SFltb x y then of_f32 standard y else of_f32 standard x). now destruct (SFltb x y).
  - intros a (x & v & -> & X). rewrite (limited32 x v X).
    change (of_f32 standard (if SFltb (S754_infinity true) x then x else S754_infinity true) = of_f32 standard x).
    destruct x as [s | s | | s m e]; try contradiction; reflexivity.
  - intros a g c (x & v & -> & X) (y & w & -> & Y) le C.
    rewrite (key_worth x v X), (key_worth y w Y) in *. rewrite (limited32 x v X), (limited32 y w Y).
    change (of_f32 standard (SFmul 24 128 (SFadd 24 128 (SFopp (cut01 (SFmul 24 128
      (SFmul 24 128 (SFsub 24 128 y x) first_factor) second_factor))) one32) (counted c)) =
      of_f32 standard (counted (if v <? w then 0 else c))). f_equal.
    destruct (Z.ltb_spec v w) as [lt | ge].
    + rewrite (stretched _ (difference_positive y x w v Y X lt)). exact (zero_times c C).
    + assert (w = v) as -> by lia. destruct (difference_zero y x v Y X) as [s ->]. rewrite stretched_zero.
      replace (SFadd 24 128 (SFopp (S754_zero s)) one32) with one32 by now destruct s. now apply one_times.
  - intros b c B C. change (of_f32 standard (if SFltb (counted b) (counted c) then counted c else counted b) =
      if b <? c then of_f32 standard (counted c) else of_f32 standard (counted b)).
    rewrite (ltb_worth _ _ _ _ (counted_worth b B) (counted_worth c C)). pose proof unit_pos.
    replace (b * unit_ <? c * unit_) with (b <? c); [now destruct (b <? c) |].
    destruct (Z.ltb_spec b c), (Z.ltb_spec (b * unit_) (c * unit_)); try reflexivity; nia.
  - intros c C. change (of_f32 standard (if SFltb (S754_infinity true) (counted c) then counted c else S754_infinity true) =
      of_f32 standard (counted c)).
    pose proof (counted_worth c C) as W. destruct (counted c) as [s | s | | s m e]; try contradiction; reflexivity.
  - intros c n C. change (of_i64 standard (Some (cut (SFsub 24 128 (counted c) (counted 1)))) =
      of_i64 standard (Some (wrap (c - 1)))).
    rewrite (cut_integer _ (c - 1)); [rewrite wrap64_in by (unfold least; lia); reflexivity | | lia].
    apply sub_integers; [apply counted_worth; lia | apply counted_worth; lia | lia].
  - intros c n C N. change (of_i64 standard (Some (cut (SFadd 24 128 (SFopp (counted c)) (counted (Z.of_nat n))))) =
      of_i64 standard (Some (wrap (Z.of_nat n - c)))).
    rewrite (cut_integer _ (- c + Z.of_nat n)); [| | lia].
    + replace (- c + Z.of_nat n) with (Z.of_nat n - c) by lia. now rewrite wrap64_in by (unfold least; lia).
    + apply add_integers; [rewrite Z.mul_opp_l; apply opp_worth, counted_worth; lia | apply counted_worth; lia | lia].
Qed.

Definition place64 (k : Z) : num M := Steps.typed M i64_code (LInt k).

Corollary arg_max_f32 keep last axis (x : tensor (num M)) b : good x -> Forall finite32 (cells x) ->
  arg_max_composition f32_code keep last axis (dims x) = Some b ->
  exists y, onnx_arg_max M less32 place64 keep last axis x = Some y /\ composed M (Steps.typed M) b [x] = Some y.
Proof.
  exact (arg_max_correct M _ f32_code less32 finite32 key32 (2 ^ 24) keep last axis x b f32_counts_places (Z.le_refl _)).
Qed.

Corollary arg_min_f32 keep last axis (x : tensor (num M)) b : good x -> Forall finite32 (cells x) ->
  arg_min_composition f32_code keep last axis (dims x) = Some b ->
  exists y, onnx_arg_min M less32 place64 keep last axis x = Some y /\ composed M (Steps.typed M) b [x] = Some y.
Proof.
  apply (arg_min_correct M _ f32_code less32 finite32 key32 (2 ^ 24) keep last axis x b f32_counts_places (Z.le_refl _)).
  - intros a (y & v & -> & Y). exists (SFopp y), (- v). split; [reflexivity | now apply opp_worth].
  - intros a c (y & v & -> & Y) (z & w & -> & Z_). exact (ltb_opp y z).
Qed.
