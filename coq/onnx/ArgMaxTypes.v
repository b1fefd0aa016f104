(** * ArgMax, ArgMin and Hardmax in graphs that mix element types

    What ArgMax.v asks of the numbers holds bit for bit of each element type that they are read of: of floats that are no
    NaN, infinities and -0 among them, and of integers, all of their range. *)

From Coq Require Import Bool List Lia NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers tensor.Tensor tensor.Scalars tensor.Ops tensor.Instances tensor.Mixed.
From Calque Require Import onnx.Composition onnx.ReduceMin onnx.ArgMaxPlaces onnx.ArgMax.
From Calque Require onnx.Steps.
Import ListNotations.
Open Scope Z_scope.

Notation M := (mixed standard).
Notation typed := (Steps.typed M).
Notation cell_32 z := (of_i32 standard (Some z)).

(** ** Places are counted in int32 *)

Lemma wrap32_in z : least32 <= z < - least32 -> wrap32 z = z.
Proof. intros R. unfold wrap32. apply wrap_in. unfold least32 in *. lia. Qed.

Lemma number_32 c : 0 <= c <= most_places -> number M typed c = cell_32 c.
Proof.
  intros C. change (cell_32 (wrap32 c) = cell_32 c). rewrite wrap32_in; [reflexivity |]. unfold least32, most_places in *. lia.
Qed.

Ltac word32 := rewrite ?wrap64_in by (unfold least, most_places in *; lia);
  rewrite ?wrap32_in by (unfold least32, most_places in *; lia).

Theorem mixed_counts : counts_places M typed.
Proof.
  split.
  - intros b c C. rewrite !number_32 by (destruct b; unfold most_places in *; lia).
    change (cell_32 (wrap32 (wrap ((if b then 0 else 1) * c))) = cell_32 (if b then 0 else c)).
    replace ((if b then 0 else 1) * c) with (if b then 0 else c) by (destruct b; lia).
    assert (0 <= (if b then 0 else c) <= most_places) by (destruct b; lia). now word32.
  - intros b c B C. rewrite !number_32 by lia.
    change (cell_32 (wrap32 (wrap (if b <? c then c else b))) = if b <? c then cell_32 c else cell_32 b).
    assert (0 <= (if b <? c then c else b) <= most_places) by (destruct (b <? c); lia). word32. now destruct (b <? c).
  - intros c C. rewrite number_32 by lia. change (cell_32 (wrap32 (wrap (if least32 <? c then c else least32))) = cell_32 c).
    replace (least32 <? c) with true by (unfold least32; lia). now word32.
  - intros n c C N. rewrite !number_32 by lia. change (cell_32 (wrap32 (wrap (n - c))) = cell_32 (n - c)). now word32.
  - intros c C. rewrite number_32 by lia. change (of_i64 standard (Some (wrap c)) = of_i64 standard (Some (wrap c))). reflexivity.
Qed.

(** A comparison of int32. *)
Definition flag_32 (b : bool) : num M :=
  let one := wrap32 (wrap (if b then 1 else 0)) in
  Scalar standard None None None (Some (Some one)) None None (Some (Mixed.holds (NInt one))).

(** 1 and 0 of floats. *)
Theorem mixed_marks type p q : is_float_code type = true -> 0 <= p <= most_places -> 0 <= q <= most_places ->
  s_cast M type (s_equal M (number M typed p) (number M typed q)) = typed type (LInt (if p =? q then 1 else 0)).
Proof.
  intros T P Q. rewrite !number_32 by assumption.
  change (s_equal M (cell_32 p) (cell_32 q)) with (flag_32 (p =? q)).
  assert (type = f32_code \/ type = f64_code) as [-> | ->] by (unfold is_float_code, f32_code, f64_code in *; lia);
    destruct (p =? q); reflexivity.
Qed.

(** ** Cells in order *)

(** As Less says. *)
Definition less (a b : num M) : bool := match as_truth standard (s_less M a b) with Some t => t | None => false end.

Definition word (lowest count : Z) (of_word : option Z -> num M) (a : num M) : Prop :=
  exists z, a = of_word (Some z) /\ lowest <= z < lowest + count.

Definition real (of_real : spec_float -> num M) (a : num M) : Prop := exists x, a = of_real x /\ x <> S754_nan.

(** A cell of an element type, which is no NaN. *)
Definition cell_of (type : Z) : num M -> Prop :=
  if type =? f32_code then real (of_f32 standard)
  else if type =? f64_code then real (of_f64 standard)
  else if type =? i64_code then word least (2 ^ 64) (of_i64 standard)
  else if type =? i32_code then word least32 (2 ^ 32) (of_i32 standard)
  else if type =? i8_code then word (- 2 ^ 7) (2 ^ 8) (of_i8 standard)
  else word 0 (2 ^ 8) (of_u8 standard).

(** The order of floats is that of three integers: of signs and infinities, of exponents, of mantissas. *)
Definition places_of (x : spec_float) : Z * Z * Z :=
  match x with
  | S754_zero _ => (0, 0, 0)
  | S754_infinity s => (if s then -2 else 2, 0, 0)
  | S754_nan => (0, 0, 0)
  | S754_finite s m e => if s then (-1, - e, - Zpos m) else (1, e, Zpos m)
  end.

Definition before (a b : Z * Z * Z) : bool :=
  let '(a1, a2, a3) := a in
  let '(b1, b2, b3) := b in
  (a1 <? b1) || ((a1 =? b1) && ((a2 <? b2) || ((a2 =? b2) && (a3 <? b3)))).

Lemma ltb_places x y : x <> S754_nan -> y <> S754_nan -> SFltb x y = before (places_of x) (places_of y).
Proof.
  intros X Y. unfold SFltb. destruct x as [s | s | | s m e], y as [t | t | | t n f]; try contradiction;
    cbn [SFcompare places_of before].
  all: try (destruct s; reflexivity). all: try (destruct t; reflexivity). all: try (destruct s, t; reflexivity).
  change (Pos.compare_cont Eq m n) with (Pos.compare m n).
  destruct s, t; try reflexivity; destruct (Z.compare_spec e f), (Pos.compare_spec m n); cbn [CompOpp];
    cbv beta iota delta [before]; lia.
Qed.

Lemma ltb_asym x y : x <> S754_nan -> y <> S754_nan -> SFltb x y = true -> SFltb y x = false.
Proof.
  intros X Y. rewrite !ltb_places by assumption.
  destruct (places_of x) as [[? ?] ?], (places_of y) as [[? ?] ?]. cbn [before]. lia.
Qed.

Lemma ltb_or x y z : x <> S754_nan -> y <> S754_nan -> z <> S754_nan -> SFltb x z = true -> SFltb x y = true \/ SFltb y z = true.
Proof.
  intros X Y Z_. rewrite !ltb_places by assumption.
  destruct (places_of x) as [[? ?] ?], (places_of y) as [[? ?] ?], (places_of z) as [[? ?] ?]. cbn [before]. lia.
Qed.

(** Cells that read as elements of an order. *)
Lemma embedded_ordered {A} (emb : A -> num M) (P : A -> Prop) (R : A -> A -> bool) :
  (forall x y, P x -> P y -> R x y = true -> R y x = false) ->
  (forall x y z, P x -> P y -> P z -> R x z = true -> R x y = true \/ R y z = true) ->
  (forall x y, P x -> P y -> less (emb x) (emb y) = R x y) ->
  (forall x y, P x -> P y -> s_max M (emb x) (emb y) = emb (if R x y then y else x)) ->
  (forall x, P x -> s_max M (s_least M) (emb x) = emb x) ->
  (forall x y, P x -> P y -> top_cell M (emb x) (emb y) = cell_32 (if R x y then 0 else 1)) ->
  ordered M typed less (fun a => exists x, a = emb x /\ P x).
Proof.
  intros As Or Le Ma Mi To. split.
  - intros a b (x & -> & X) (y & -> & Y). rewrite !Le by assumption. now apply As.
  - intros a b c (x & -> & X) (y & -> & Y) (z & -> & Z_). rewrite !Le by assumption. now apply Or.
  - intros a b (x & -> & X) (y & -> & Y). rewrite Le, Ma by assumption. now destruct (R x y).
  - intros a (x & -> & X). now apply Mi.
  - intros a b (x & -> & X) (y & -> & Y). rewrite Le, To by assumption.
    symmetry. apply number_32. unfold most_places. destruct (R x y); lia.
Qed.

Lemma least_ltb x : x <> S754_nan -> (if SFltb (S754_infinity true) x then x else S754_infinity true) = x.
Proof. intros X. destruct x as [s | [|] | | s m e]; try contradiction; reflexivity. Qed.

Theorem f32_ordered : ordered M typed less (real (of_f32 standard)).
Proof.
  apply (embedded_ordered (of_f32 standard) (fun x => x <> S754_nan) SFltb ltb_asym ltb_or).
  - intros x y _ _. change (less (of_f32 standard x) (of_f32 standard y)) with
      (Mixed.holds (NReal (if SFltb x y then whole 24 128 1 else S754_zero false))). now destruct (SFltb x y).
  - reflexivity.
  - intros x X. exact (f_equal (of_f32 standard) (least_ltb x X)).
  - intros x y _ _. unfold top_cell. set (b := SFltb x y).
    change (s_less M (of_f32 standard x) (of_f32 standard y)) with
      (let one := if b then whole 24 128 1 else S754_zero false in
       Scalar standard (Some one) None None None None None (Some (Mixed.holds (NReal one)))). now destruct b.
Qed.

Theorem f64_ordered : ordered M typed less (real (of_f64 standard)).
Proof.
  apply (embedded_ordered (of_f64 standard) (fun x => x <> S754_nan) SFltb ltb_asym ltb_or).
  - intros x y _ _. change (less (of_f64 standard x) (of_f64 standard y)) with
      (Mixed.holds (NReal (if SFltb x y then whole 53 1024 1 else S754_zero false))). now destruct (SFltb x y).
  - reflexivity.
  - intros x X. exact (f_equal (of_f64 standard) (least_ltb x X)).
  - intros x y _ _. unfold top_cell. set (b := SFltb x y).
    change (s_less M (of_f64 standard x) (of_f64 standard y)) with
      (let one := if b then whole 53 1024 1 else S754_zero false in
       Scalar standard None (Some one) None None None None (Some (Mixed.holds (NReal one)))). now destruct b.
Qed.

(** Integers of a type whose operators wrap. *)
Lemma word_ordered lowest count (of_word : option Z -> num M) (wraps : Z -> Z) :
  (forall z, lowest <= z < lowest + count -> wraps z = z) ->
  (forall y z, less (of_word (Some y)) (of_word (Some z)) = negb (wraps (if y <? z then 1 else 0) =? 0)) ->
  (forall y z, s_max M (of_word (Some y)) (of_word (Some z)) = of_word (Some (wraps (if y <? z then z else y)))) ->
  (forall z, s_max M (s_least M) (of_word (Some z)) = of_word (Some (wraps (if lowest <? z then z else lowest)))) ->
  (forall y z, top_cell M (of_word (Some y)) (of_word (Some z)) =
    cell_32 (if wraps (if y <? z then 1 else 0) =? 0 then 1 else 0)) ->
  wraps 0 = 0 -> wraps 1 = 1 -> ordered M typed less (word lowest count of_word).
Proof.
  intros W L Ma Mi To W0 W1.
  apply (embedded_ordered (fun z => of_word (Some z)) (fun z => lowest <= z < lowest + count) Z.ltb).
  - lia.
  - lia.
  - intros y z _ _. rewrite L. destruct (y <? z); [now rewrite W1 | now rewrite W0].
  - intros y z Y Z_. rewrite Ma, W; [reflexivity |]. destruct (y <? z); lia.
  - intros z Z_. rewrite Mi, W by (destruct (lowest <? z); lia). do 2 f_equal. destruct (Z.ltb_spec lowest z); lia.
  - intros y z _ _. rewrite To. destruct (y <? z); [now rewrite W1 | now rewrite W0].
Qed.

Theorem i64_ordered : ordered M typed less (word least (2 ^ 64) (of_i64 standard)).
Proof.
  apply (word_ordered _ _ _ wrap); try reflexivity.
  - intros z R. apply wrap64_in. unfold least in *. lia.
  - intros y z. unfold top_cell. set (b := y <? z).
    change (s_less M (of_i64 standard (Some y)) (of_i64 standard (Some z))) with
      (let one := wrap (if b then 1 else 0) in
       Scalar standard None None (Some (Some one)) None None None (Some (Mixed.holds (NInt one)))). now destruct b.
Qed.

Theorem i32_ordered : ordered M typed less (word least32 (2 ^ 32) (of_i32 standard)).
Proof.
  apply (word_ordered _ _ _ (fun z => wrap32 (wrap z))); try reflexivity.
  - intros z R. rewrite wrap64_in by (unfold least, least32 in *; lia). apply wrap_in. exact R.
  - intros y z. unfold top_cell. set (b := y <? z).
    change (s_less M (of_i32 standard (Some y)) (of_i32 standard (Some z))) with
      (let one := wrap32 (wrap (if b then 1 else 0)) in
       Scalar standard None None None (Some (Some one)) None None (Some (Mixed.holds (NInt one)))). now destruct b.
Qed.

Theorem i8_ordered : ordered M typed less (word (- 2 ^ 7) (2 ^ 8) (of_i8 standard)).
Proof.
  apply (word_ordered _ _ _ (fun z => wrap8 (wrap z))); try reflexivity.
  - intros z R. rewrite wrap64_in by (unfold least; lia). apply wrap_in. exact R.
  - intros y z. unfold top_cell. set (b := y <? z).
    change (s_less M (of_i8 standard (Some y)) (of_i8 standard (Some z))) with
      (let one := wrap8 (wrap (if b then 1 else 0)) in
       Scalar standard None None None None (Some (Some one)) None (Some (Mixed.holds (NInt one)))). now destruct b.
Qed.

Theorem u8_ordered : ordered M typed less (word 0 (2 ^ 8) (of_u8 standard)).
Proof.
  apply (word_ordered _ _ _ (fun z => wrap_byte (wrap z))); try reflexivity.
  - intros z R. rewrite wrap64_in by (unfold least; lia). apply wrap_in. exact R.
  - intros y z. unfold top_cell. set (b := y <? z).
    change (s_less M (of_u8 standard (Some y)) (of_u8 standard (Some z))) with
      (let one := wrap_byte (wrap (if b then 1 else 0)) in
       Scalar standard None None None None None (Some (Some one)) (Some (Mixed.holds (NInt one)))). now destruct b.
Qed.

Ltac each_code T :=
  match type of T with is_number_code ?t = true =>
    assert (t = f32_code \/ t = f64_code \/ t = i64_code \/ t = i32_code \/ t = i8_code \/ t = u8_code)
      as [-> | [-> | [-> | [-> | [-> | ->]]]]]
      by (unfold is_number_code, is_float_code, is_word_code, is_byte_code, f32_code, f64_code, i64_code,
            i32_code, i8_code, u8_code in *; lia)
  end.

Theorem mixed_ordered type : is_number_code type = true -> ordered M typed less (cell_of type).
Proof.
  intros T. each_code T;
    [exact f32_ordered | exact f64_ordered | exact i64_ordered | exact i32_ordered | exact i8_ordered | exact u8_ordered].
Qed.

(** ** Turned round *)

Lemma less_words y z :
  less (of_i64 standard (Some y)) (of_i64 standard (Some z)) = (y <? z) /\
  less (of_i32 standard (Some y)) (of_i32 standard (Some z)) = (y <? z) /\
  less (of_i8 standard (Some y)) (of_i8 standard (Some z)) = (y <? z) /\
  less (of_u8 standard (Some y)) (of_u8 standard (Some z)) = (y <? z).
Proof.
  set (b := y <? z). repeat split;
    [ change (negb (wrap (if b then 1 else 0) =? 0) = b) | change (negb (wrap32 (wrap (if b then 1 else 0)) =? 0) = b)
    | change (negb (wrap8 (wrap (if b then 1 else 0)) =? 0) = b)
    | change (negb (wrap_byte (wrap (if b then 1 else 0)) =? 0) = b) ];
    now destruct b.
Qed.

Lemma turn_i64 z : least <= z < least + 2 ^ 64 ->
  turn M typed i64_code (of_i64 standard (Some z)) = of_i64 standard (Some (-1 - z)).
Proof.
  intros R. change (of_i64 standard (Some (wrap (-1 - z))) = of_i64 standard (Some (-1 - z))).
  rewrite wrap64_in by (unfold least in *; lia). reflexivity.
Qed.

Lemma turn_i32 z : least32 <= z < least32 + 2 ^ 32 -> turn M typed i32_code (cell_32 z) = cell_32 (-1 - z).
Proof.
  intros R. change (cell_32 (wrap32 (wrap (-1 - z))) = cell_32 (-1 - z)).
  rewrite wrap64_in by (unfold least, least32 in *; lia). rewrite wrap32_in by (unfold least32 in *; lia). reflexivity.
Qed.

Lemma turn_byte z : - 2 ^ 8 <= z < 2 ^ 8 ->
  turn M typed i8_code (of_i8 standard (Some z)) = cell_32 (-1 - z) /\
  turn M typed u8_code (of_u8 standard (Some z)) = cell_32 (-1 - z).
Proof.
  intros R. assert (E : cell_32 (wrap32 (wrap (-1 - wrap32 z))) = cell_32 (-1 - z)).
  { rewrite (wrap32_in z) by (unfold least32; lia). rewrite wrap64_in by (unfold least; lia).
    rewrite wrap32_in by (unfold least32; lia). reflexivity. }
  split; exact E.
Qed.

Definition turned_code (type : Z) : Z := if is_byte_code type then i32_code else type.

Theorem mixed_turned type a : is_number_code type = true -> cell_of type a -> cell_of (turned_code type) (turn M typed type a).
Proof.
  intros T C. each_code T; destruct C as (z & -> & R).
  - exists (SFopp z). split; [reflexivity |]. intros E. apply R. now destruct z.
  - exists (SFopp z). split; [reflexivity |]. intros E. apply R. now destruct z.
  - exists (-1 - z). split; [now apply turn_i64 | unfold least in *; lia].
  - exists (-1 - z). split; [now apply turn_i32 | unfold least32 in *; lia].
  - exists (-1 - z). split; [apply turn_byte; lia | unfold least32; lia].
  - exists (-1 - z). split; [apply turn_byte; lia | unfold least32; lia].
Qed.

Theorem mixed_turned_less type a c : is_number_code type = true -> cell_of type a -> cell_of type c ->
  less (turn M typed type a) (turn M typed type c) = less c a.
Proof.
  intros T A C. each_code T; destruct A as (y & -> & Y), C as (z & -> & Z_).
  - unfold less. change (Mixed.holds (NReal (if SFltb (SFopp y) (SFopp z) then whole 24 128 1 else S754_zero false)) =
      Mixed.holds (NReal (if SFltb z y then whole 24 128 1 else S754_zero false))). now rewrite ltb_opp.
  - unfold less. change (Mixed.holds (NReal (if SFltb (SFopp y) (SFopp z) then whole 53 1024 1 else S754_zero false)) =
      Mixed.holds (NReal (if SFltb z y then whole 53 1024 1 else S754_zero false))). now rewrite ltb_opp.
  - rewrite !turn_i64 by assumption. destruct (less_words (-1 - y) (-1 - z)) as (-> & _), (less_words z y) as (-> & _). lia.
  - rewrite !turn_i32 by assumption.
    destruct (less_words (-1 - y) (-1 - z)) as (_ & -> & _), (less_words z y) as (_ & -> & _). lia.
  - rewrite (proj1 (turn_byte y ltac:(lia))), (proj1 (turn_byte z ltac:(lia))).
    destruct (less_words (-1 - y) (-1 - z)) as (_ & -> & _), (less_words z y) as (_ & _ & -> & _). lia.
  - rewrite (proj2 (turn_byte y ltac:(lia))), (proj2 (turn_byte z ltac:(lia))).
    destruct (less_words (-1 - y) (-1 - z)) as (_ & -> & _), (less_words z y) as (_ & _ & _ & ->). lia.
Qed.

Lemma turned_code_number type : is_number_code type = true -> is_number_code (turned_code type) = true.
Proof. intros T. each_code T; reflexivity. Qed.

(** ** Of each element type *)

Definition place64 (k : Z) : num M := typed i64_code (LInt k).

Corollary arg_max_mixed type keep last axis (x : tensor (num M)) b : good x -> Forall (cell_of type) (cells x) ->
  arg_max_composition type keep last axis (dims x) = Some b ->
  exists y, onnx_arg_max M less place64 keep last axis x = Some y /\ composed M typed b [x] = Some y.
Proof.
  intros G C B. destruct (composition_open _ _ _ _ _ _ _ B) as (_ & _ & _ & _ & _ & T & _).
  exact (arg_max_correct M typed type less (cell_of type) keep last axis x b mixed_counts (mixed_ordered type T) G C B).
Qed.

Corollary arg_min_mixed type keep last axis (x : tensor (num M)) b : good x -> Forall (cell_of type) (cells x) ->
  arg_min_composition type keep last axis (dims x) = Some b ->
  exists y, onnx_arg_min M less place64 keep last axis x = Some y /\ composed M typed b [x] = Some y.
Proof.
  intros G C B. destruct (composition_open _ _ _ _ _ _ _ B) as (_ & _ & _ & _ & _ & T & _).
  exact (arg_min_correct M typed type less (cell_of type) (cell_of (turned_code type)) keep last axis x b mixed_counts
    (mixed_ordered _ (turned_code_number type T)) (fun a => mixed_turned type a T)
    (fun a c => mixed_turned_less type a c T) G C B).
Qed.

Corollary hardmax_mixed type flat axis (x : tensor (num M)) b : is_float_code type = true -> good x ->
  Forall (cell_of type) (cells x) ->
  hardmax_composition type flat axis (dims x) = Some b ->
  exists y, onnx_hardmax M less (typed type (LInt 1)) (typed type (LInt 0)) flat axis x = Some y /\
    composed M typed b [x] = Some y.
Proof.
  intros T G C B. assert (is_number_code type = true) as N by (unfold is_number_code; now rewrite T).
  exact (hardmax_correct M typed type less (cell_of type) flat axis x b mixed_counts (mixed_ordered type N)
    (fun p q => mixed_marks type p q T) G C B).
Qed.

(** ** Infinities *)

Definition some_floats (of_real : spec_float -> num M) : tensor (num M) :=
  let greatest := S754_finite false 16777215 104 in
  Tensor [3; 3]%nat (map of_real [greatest; S754_infinity false; S754_infinity false;
                              S754_infinity true; S754_infinity true; SFopp greatest;
                              S754_zero true; S754_zero false; S754_infinity true]).

Example arg_max_infinities :
  let x := some_floats (of_f32 standard) in
  let y := some_floats (of_f64 standard) in
  option_map (fun b => composed M typed b [x]) (arg_max_composition f32_code false false 1 [3; 3]%nat) =
    Some (Some (Tensor [3]%nat (map place64 [1; 2; 0]))) /\
  option_map (fun b => composed M typed b [y]) (arg_max_composition f64_code false true 1 [3; 3]%nat) =
    Some (Some (Tensor [3]%nat (map place64 [2; 2; 1]))) /\
  option_map (fun b => composed M typed b [y]) (arg_min_composition f64_code true false (-1) [3; 3]%nat) =
    Some (Some (Tensor [3; 1]%nat (map place64 [0; 0; 2]))) /\
  option_map (fun b => composed M typed b [x]) (hardmax_composition f32_code false (-1) [3; 3]%nat) =
    Some (Some (Tensor [3; 3]%nat (map (fun z => typed f32_code (LInt z)) [0; 1; 0; 0; 0; 1; 1; 0; 0]))) /\
  option_map (fun b => composed M typed b [x]) (hardmax_composition f32_code true 0 [3; 3]%nat) =
    Some (Some (Tensor [3; 3]%nat (map (fun z => typed f32_code (LInt z)) [0; 1; 0; 0; 0; 0; 0; 0; 0]))) /\
  onnx_arg_max M less place64 false false 1 x = Some (Tensor [3]%nat (map place64 [1; 2; 0])).
Proof. repeat split; reflexivity. Qed.
