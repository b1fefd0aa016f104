(** * DynamicQuantizeLinear

    y_scale = (max(0, max(x)) - min(0, min(x))) / 255, y_zero_point = cast(round(saturate(0 - min(0, min(x)) / y_scale))),
    y = saturate(round(x / y_scale) + y_zero_point), of float32 to uint8: each operation of float32 is rounded to the nearest,
    and [round] is to the nearest integer, the even one of two.  Covered is every float32, of x with at least one cell.  The
    greatest and the least cell pass over what is not a number, unless it is the only cell.  ONNX leaves open what becomes of x
    whose scale is 0 (all cells are 0, or differ too little) or infinite: where min(0, min(x)) / y_scale is not a number,
    y_zero_point and all of y are 0. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists base.RoundEven attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index
  tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert tensor.Rounding
  tensor.Quantised.
From Calque Require Import tensor.FloatIntegers onnx.Composition onnx.Steps onnx.Elements onnx.Bytes onnx.QuantizeLinear.
From Calque Require onnx.Reduced onnx.ReduceMin.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** ** The formula *)

Definition greatest_cell (x : tensor spec_float) : spec_float := s_greatest binary32 (dims x) (get not_a_number x).
Definition least_cell (x : tensor spec_float) : spec_float :=
  ReduceMin.lowest binary32 (S754_infinity false) (dims x) (get not_a_number x).

(** The ends of what is to be represented; 0 is. *)
Definition high_end (x : tensor spec_float) : spec_float := max32 (greatest_cell x) (float 0).
Definition low_end (x : tensor spec_float) : spec_float := min32 (least_cell x) (float 0).

Definition dynamic_scale (x : tensor spec_float) : spec_float :=
  SFdiv 24 128 (SFsub 24 128 (high_end x) (low_end x)) (float 255).

Definition dynamic_zero (x : tensor spec_float) : spec_float :=
  SFsub 24 128 (float 0) (SFdiv 24 128 (low_end x) (dynamic_scale x)).

Definition cut_range (q : spec_float) : spec_float := min32 (max32 q (float 0)) (float 255).
Definition zero_of (x : tensor spec_float) : Z := nearest_integer (cut_range (dynamic_zero x)).

Definition is_number (x : spec_float) : bool := match x with S754_nan => false | _ => true end.

(** y, y_scale and y_zero_point. *)
Definition onnx_dynamic_quantize (x : tensor spec_float) : option (tensor Z * spec_float * Z) :=
  guard (negb (cell_count (dims x) =? 0)%nat)
    (Some (tabulate (dims x) (fun i => if is_number (dynamic_zero x)
                                       then quantised false (SFdiv 24 128 (get not_a_number x i) (dynamic_scale x)) (zero_of x)
                                       else 0),
           dynamic_scale x, zero_of x)).

(** ** The composition *)

(** The greatest or the least cell. *)
Definition extreme (least : bool) (ds : sizes) (x : nat) : build nat :=
  let g := Reduced.greatest false (seq 0 (List.length ds)) ds in
  if least then n <- apply "Neg" [] [x] ;; m <- g n ;; apply "Neg" [] [m] else g x.

(** And 0. *)
Definition extent (least : bool) (ds : sizes) (x : nat) : build nat :=
  m <- extreme least ds x ;; none <- constant f32_code [] [LInt 0] ;; apply (if least then "Min" else "Max") [] [m; none].

Definition dynamic_quantize_composition (ds : sizes) : option (build (list nat)) :=
  guard (negb (cell_count ds =? 0)%nat)
    (Some (low <- extent true ds 0 ;; high <- extent false ds 0 ;; d <- apply "Sub" [] [high; low] ;;
           most <- constant f32_code [] [LInt 255] ;; scale <- apply "Div" [] [d; most] ;; q <- apply "Div" [] [low; scale] ;;
           none <- constant f32_code [] [LInt 0] ;; z <- apply "Sub" [] [none; q] ;;
           z <- apply "Clip" [("min", VFloat (low_bits false)); ("max", VFloat (high_bits false))] [z] ;;
           z <- apply "Round" [] [z] ;; bytes <- cast u8_code z ;; y <- apply "Div" [] [0%nat; scale] ;;
           y <- saturated false [] y (Some (z, None)) ;; Return [y; scale; bytes])).

(** ** The greatest cell *)

Lemma marks_all r : marks r (seq 0 r) = repeat true r.
Proof.
  unfold marks. rewrite (map_ext_in _ (fun _ => true)) by (intros k I; now apply has_in).
  generalize 0%nat. induction r as [| r IH]; intros n; [reflexivity |]. cbn [seq map repeat]. now rewrite IH.
Qed.

Lemma marked_all {A} (l : list A) : marked (repeat true (List.length l)) l = l.
Proof. induction l as [| a l IH]; [reflexivity |]. cbn [List.length repeat marked]. now rewrite IH. Qed.

Lemma unmarked_all (l : sizes) : unmarked (repeat true (List.length l)) l = [].
Proof. unfold unmarked. induction l as [| a l IH]; [reflexivity |]. exact IH. Qed.

Lemma weave_all (k : list Z) : weave (repeat true (List.length k)) k [] = k.
Proof. induction k as [| a k IH]; [reflexivity |]. cbn [List.length repeat weave]. now rewrite IH. Qed.

Lemma greatest_ext (A : arith) ns f g : (forall k, in_box ns k = true -> f k = g k) -> s_greatest A ns f = s_greatest A ns g.
Proof.
  intros E. unfold s_greatest. destruct (single ns) eqn:O.
  - apply E, in_box_box. rewrite single_box by exact O. now left.
  - unfold reduce. assert (B : forall k, In k (box ns) -> f k = g k) by (intros k I; now apply E, in_box_box).
    generalize (s_least A). induction (box ns) as [| k l IH]; intros a; [reflexivity |]. cbn [fold_left].
    rewrite (B k (or_introl eq_refl)). apply IH. intros j J. apply B. now right.
Qed.

Lemma greatest_of_all (x : tensor (num S)) :
  Reduced.greatest_of S false (seq 0 (List.length (dims x))) x = Tensor [] [s_greatest S (dims x) (at_ S x)].
Proof.
  unfold Reduced.greatest_of. rewrite marks_all, marked_all. unfold reduce_dims. rewrite unmarked_all.
  unfold tabulate. cbn [Kernel.box map]. do 2 f_equal. apply greatest_ext. intros k I. unfold Reduced.rest_at.
  apply in_box_length in I. rewrite <- I. now rewrite weave_all.
Qed.

Lemma runs_all vs ds (t : tensor (num S)) k : dims t = ds -> good t -> cell_count ds <> 0%nat -> knows vs k (GTensor t) ->
  runs vs (Reduced.greatest false (seq 0 (List.length ds)) ds k)
    (fun ws m => knows ws m (GTensor (Tensor [] [s_greatest S ds (at_ S t)]))).
Proof. intros <- G N K. rewrite <- greatest_of_all. now apply Reduced.runs_greatest. Qed.

(** Of cells that are float32. *)
Lemma greatest_floats ns (f : list Z -> spec_float) : cell_count ns <> 0%nat ->
  s_greatest S ns (fun k => scalar_of (F32 (f k))) = scalar_of (F32 (s_greatest binary32 ns f)).
Proof.
  intros N. unfold s_greatest. destruct (single ns); [reflexivity |]. unfold reduce. rewrite <- length_box in N.
  destruct (box ns) as [| k l]; [now destruct N |]. cbn [fold_left].
  change (s_max S (s_least S) (scalar_of (F32 (f k)))) with (scalar_of (F32 (s_max binary32 (s_least binary32) (f k)))).
  generalize (s_max binary32 (s_least binary32) (f k)). clear k N. induction l as [| k l IH]; intros a; [reflexivity |].
  cbn [fold_left]. exact (IH (s_max binary32 a (f k))).
Qed.

Lemma least_floats ns (f : list Z -> spec_float) : cell_count ns <> 0%nat ->
  SFopp (s_greatest binary32 ns (fun k => SFopp (f k))) = ReduceMin.lowest binary32 (S754_infinity false) ns f.
Proof.
  intros N. exact (ReduceMin.lowest_turned binary32 (fun _ _ => S754_nan) f32_code (S754_infinity false) (fun _ => True)
    (ReduceMin.ieee_turned 24 128 1 (S754_finite false 1 (-149)) (fun _ _ => S754_nan) f32_code eq_refl) ns f N (fun _ _ => I)).
Qed.

Definition one_float (a : spec_float) : tensor (num S) := of_cells F32 (Tensor [] [a]).

Section Steps.
  Variable x : tensor spec_float.
  Hypotheses (G : good x) (N : cell_count (dims x) <> 0%nat).

  Lemma all_greatest vs k (t : tensor spec_float) : dims t = dims x -> good t -> knows vs k (GTensor (of_cells F32 t)) ->
    runs vs (Reduced.greatest false (seq 0 (List.length (dims x))) (dims x) k)
      (fun ws m => knows ws m (GTensor (one_float (s_greatest binary32 (dims x) (get not_a_number t))))).
  Proof.
    intros D Gt K. pose proof (runs_all vs (dims x) (of_cells F32 t) k D (good_of F32 t Gt) N K) as H.
    rewrite (greatest_ext S (dims x) _ (fun i => scalar_of (F32 (get not_a_number t i)))) in H.
    - rewrite (greatest_floats (dims x) _ N) in H. exact H.
    - intros i I. apply at_of; [exact Gt | now rewrite D].
  Qed.

  Lemma extreme_runs vs least k : knows vs k (GTensor (of_cells F32 x)) -> runs vs (extreme least (dims x) k)
    (fun ws m => knows ws m (GTensor (one_float (if least then least_cell x else greatest_cell x)))).
  Proof.
    intros K. unfold extreme. destruct least; [| now apply all_greatest].
    eapply runs_bind.
    { apply (unary_runs F32 F32 (s_neg S) SFopp vs "Neg" [] k x (fun y => unary_value S "Neg" _ [] y eq_refl) K G);
        reflexivity. }
    intros ws n _ Kn. cbv beta in Kn. eapply runs_bind.
    { exact (all_greatest ws n (each SFopp x) eq_refl (good_each SFopp x G) Kn). }
    intros us m _ Km. cbv beta in Km. eapply runs_weaken.
    { apply (unary_runs F32 F32 (s_neg S) SFopp us "Neg" [] m
        (Tensor [] [s_greatest binary32 (dims x) (get not_a_number (each SFopp x))])
        (fun y => unary_value S "Neg" _ [] y eq_refl) Km eq_refl); reflexivity. }
    intros w j _ J. cbv beta in J. unfold least_cell. rewrite <- (least_floats _ _ N).
    rewrite (greatest_ext binary32 (dims x) (fun k => SFopp (get not_a_number x k)) (get not_a_number (each SFopp x)));
      [exact J |].
    intros i I. symmetry. now apply get_each.
  Qed.
End Steps.

(** ** Floats without sizes *)

Lemma one_tabulate (f : list Z -> spec_float) : of_cells F32 (tabulate [] f) = one_float (f []).
Proof. reflexivity. Qed.

Lemma binary_one name f g vs m n a b : look_up String.eqb (operators S) name = Some (binary S f) ->
  f (scalar_of (F32 a)) (scalar_of (F32 b)) = scalar_of (F32 g) ->
  knows vs m (GTensor (one_float a)) -> knows vs n (GTensor (one_float b)) ->
  runs vs (apply name [] [m; n]) (fun ws k => knows ws k (GTensor (one_float g))).
Proof.
  intros L E A B. exact (binary_runs F32 F32 F32 f [] vs name [] m n _ _ _ _ (fun _ => g) L A B (shows_scalar [] a)
    (shows_scalar [] b) (or_introl eq_refl) (fun _ _ => E)).
Qed.

Lemma folded_one name f g vs m n a b : look_up String.eqb (operators S) name = Some (folded S f) ->
  f (scalar_of (F32 a)) (scalar_of (F32 b)) = scalar_of (F32 g) ->
  knows vs m (GTensor (one_float a)) -> knows vs n (GTensor (one_float b)) ->
  runs vs (apply name [] [m; n]) (fun ws k => knows ws k (GTensor (one_float g))).
Proof.
  intros L E A B. exact (folded_runs F32 F32 F32 f [] vs name [] m n _ _ _ _ (fun _ => g) L A B (shows_scalar [] a)
    (shows_scalar [] b) (or_introl eq_refl) (fun _ _ => E)).
Qed.

Lemma constant_one vs z : Z.abs z < 2 ^ 24 ->
  runs vs (constant f32_code [] [LInt z]) (fun ws k => knows ws k (GTensor (one_float (float z)))).
Proof.
  intros A. eapply runs_weaken.
  { apply (constant_runs F32 literal_float vs f32_code [] [z] eq_refl). intros e _. apply typed_float. }
  intros ws k _ K. cbv beta in K. cbn [map] in K. rewrite (literal_is z A) in K. exact K.
Qed.

Lemma clip_one vs k a : knows vs k (GTensor (one_float a)) ->
  runs vs (apply "Clip" [("min", VFloat (low_bits false)); ("max", VFloat (high_bits false))] [k])
    (fun ws m => knows ws m (GTensor (one_float (cut_range a)))).
Proof.
  intros K. exact (unary_runs F32 F32 (clip_cell S (low_bits false) (high_bits false)) cut_range vs "Clip" _ k (Tensor [] [a])
    (fun v => clip_value S v (low_bits false) (high_bits false)) K eq_refl (fun _ _ => eq_refl)).
Qed.

Lemma extent_runs x vs least k : good x -> cell_count (dims x) <> 0%nat -> knows vs k (GTensor (of_cells F32 x)) ->
  runs vs (extent least (dims x) k) (fun ws m => knows ws m (GTensor (one_float (if least then low_end x else high_end x)))).
Proof.
  intros G N K. unfold extent. eapply runs_bind; [exact (extreme_runs x G N vs least k K) |].
  intros ws m _ Km. cbv beta in Km. eapply runs_bind; [apply (constant_one ws 0); easy |].
  intros us z X Kz. cbv beta in Kz. destruct least.
  - apply (folded_one "Min" (s_min S) (low_end x) us m z _ _ eq_refl eq_refl (knows_later _ _ _ _ Km X) Kz).
  - apply (folded_one "Max" (s_max S) (high_end x) us m z _ _ eq_refl eq_refl (knows_later _ _ _ _ Km X) Kz).
Qed.

(** ** Results are valid *)

Notation valid a := (valid_binary 24 128 a = true).

Lemma reduce_keeps {A} (P : A -> Prop) (step : A -> A -> A) a ns f : P a -> (forall x y, P x -> P y -> P (step x y)) ->
  (forall i, P (f i)) -> P (reduce step a ns f).
Proof.
  intros A0 St F. unfold reduce. revert a A0. induction (box ns) as [| k l IH]; intros a A0; [exact A0 |].
  cbn [fold_left]. apply IH. now apply St.
Qed.

Lemma get_valid x i : valid32 (cells x) -> valid (get not_a_number x i).
Proof.
  intros V. unfold get. destruct (in_box (dims x) i); [| reflexivity].
  destruct (nth_in_or_default (position (dims x) i) (cells x) not_a_number) as [I | ->]; [| reflexivity].
  exact (proj1 (Forall_forall _ _) V _ I).
Qed.

Lemma max_valid x y : valid x -> valid y -> valid (max32 x y).
Proof. intros X Y. unfold max32. now destruct (SFltb x y). Qed.

Lemma min_valid x y : valid x -> valid y -> valid (min32 x y).
Proof. intros X Y. unfold min32. now destruct (SFltb y x). Qed.

Lemma float_valid z : valid (float z).
Proof. now apply normalize_valid. Qed.

Lemma ends_valid x : valid32 (cells x) -> valid (high_end x) /\ valid (low_end x).
Proof.
  intros V. split.
  - apply max_valid; [| apply float_valid]. unfold greatest_cell, s_greatest.
    destruct (single (dims x)); [now apply get_valid |].
    exact (reduce_keeps (fun a => valid a) max32 (S754_infinity true) (dims x) _ eq_refl max_valid (fun i => get_valid x i V)).
  - apply min_valid; [| apply float_valid]. unfold least_cell, ReduceMin.lowest.
    destruct (single (dims x)); [now apply get_valid |].
    exact (reduce_keeps (fun a => valid a) min32 (S754_infinity false) (dims x) _ eq_refl min_valid (fun i => get_valid x i V)).
Qed.

Lemma scale_is_valid x : valid32 (cells x) -> valid (dynamic_scale x).
Proof.
  intros V. destruct (ends_valid x V) as [H L]. apply div_valid; try easy. now apply sub_valid.
Qed.

Lemma zero_is_valid x : valid32 (cells x) -> valid (dynamic_zero x).
Proof.
  intros V. destruct (ends_valid x V) as [_ L]. apply sub_valid; try easy.
  apply div_valid; try easy. now apply scale_is_valid.
Qed.

(** ** The zero point *)

Lemma range_ends : worth (float 0) (0 * unit_) /\ worth (float 255) (255 * unit_).
Proof. split; now apply float_worth. Qed.

(** A number is cut to one from 0 to 255. *)
Lemma cut_number q : valid q -> is_number q = true -> exists v, worth (cut_range q) v /\ 0 <= v <= 255 * unit_.
Proof.
  intros V N. destruct range_ends as [Z0 Z1]. pose proof unit_pos as P. unfold cut_range.
  destruct q as [s | s | | s m e]; try discriminate.
  - exists (Z.min (Z.max 0 (0 * unit_)) (255 * unit_)). split; [| lia]. apply min_worth; [| exact Z1].
    exact (max_worth (S754_zero s) (float 0) 0 _ eq_refl Z0).
  - destruct s.
    + exists 0. split; [reflexivity | lia].
    + exists (255 * unit_). split; [exact Z1 | lia].
  - destruct (float_value (S754_finite s m e)) as [v |] eqn:F; [| discriminate].
    pose proof (worth_valid _ v F V ltac:(discriminate)) as W. exists (Z.min (Z.max v (0 * unit_)) (255 * unit_)).
    split; [| lia]. apply min_worth; [now apply max_worth | exact Z1].
Qed.

Lemma rounded_zero q : valid q -> is_number q = true ->
  worth (round_even 24 128 (cut_range q)) (nearest_integer (cut_range q) * unit_) /\ 0 <= nearest_integer (cut_range q) <= 255.
Proof.
  intros V N. destruct (cut_number q V N) as (v & W & B). pose proof unit_pos as P.
  pose proof (nearest_rounds (cut_range q)) as R. unfold rounds in R. rewrite (worth_value _ _ W) in R.
  destruct (rounded_worth _ v W ltac:(nia)) as (k & Nk & _ & Y). rewrite (nearest_one _ _ _ R Nk) in *. split; [exact Y |].
  split; [apply (nearest_above v k 0 Nk); lia | apply (nearest_below v k 255 Nk); lia].
Qed.

Lemma no_number q : is_number q = false -> q = S754_nan.
Proof. now destruct q. Qed.

Lemma zero_range x : valid32 (cells x) -> 0 <= zero_of x <= 255.
Proof.
  intros V. unfold zero_of. destruct (is_number (dynamic_zero x)) eqn:N.
  - exact (proj2 (rounded_zero _ (zero_is_valid x V) N)).
  - rewrite (no_number _ N). cbn. lia.
Qed.

Lemma zero_byte x : valid32 (cells x) -> cut_to (lowest false) 256 (round_even 24 128 (cut_range (dynamic_zero x))) = zero_of x.
Proof.
  intros V. unfold zero_of, cut_to. destruct (is_number (dynamic_zero x)) eqn:N.
  - destruct (rounded_zero _ (zero_is_valid x V) N) as [W B]. rewrite (cut_integer _ _ W) by lia. cbn [lowest]. lia.
  - rewrite (no_number _ N). reflexivity.
Qed.

(** ** Where the zero point is not a number *)

Lemma below_one ds vs n end_ fz : knows vs n (GTensor (one_float fz)) ->
  runs vs (below [] (n, None) end_) (fun ws m => exists u h, knows ws m (GTensor (of_cells F32 u)) /\ shows ds u h /\ True).
Proof.
  intros K. unfold below. cbn [snd fst]. eapply runs_bind.
  { apply (constant_runs F32 literal_float vs f32_code [] [end_] eq_refl). intros e _. apply typed_float. }
  intros ws e X E. cbv beta in E. cbn [map] in E. eapply runs_weaken.
  { exact (binary_one "Sub" (s_sub S) (SFsub 24 128 (literal_float end_) fz) ws e n _ _ eq_refl eq_refl E
      (knows_later _ _ _ _ K X)). }
  intros us m _ M. cbv beta in M. exists (Tensor [] [SFsub 24 128 (literal_float end_) fz]). eexists. split; [exact M |].
  split; [apply shows_scalar | exact I].
Qed.

Lemma saturated_none ds vs x n (g : list Z -> spec_float) : knows vs x (GTensor (of_cells F32 (tabulate ds g))) ->
  knows vs n (GTensor (one_float S754_nan)) ->
  runs vs (saturated false [] x (Some (n, None))) (fun ws m => knows ws m (GTensor (of_cells U8 (tabulate ds (fun _ => 0))))).
Proof.
  intros K Kn. eapply runs_weaken.
  { apply (saturated_cells false ds (fun _ _ => True) vs [] x g n None (Tensor [] [S754_nan]) (fun _ => S754_nan)
      K Kn (shows_scalar ds _)).
    intros ws end_ X _. exact (below_one ds ws n end_ S754_nan (knows_later _ _ _ _ Kn X)). }
  intros ws m _ (fd & fu & _ & _ & M). cbn [byte] in M. erewrite tabulate_ext; [exact M |]. intros i _. cbv beta.
  now destruct (cut_apart (fd i) (fu i) (round_even 24 128 (g i))).
Qed.

(** ** The theorem *)

Theorem dynamic_quantize_correct (x : tensor spec_float) b : dynamic_quantize_composition (dims x) = Some b -> good x ->
  valid32 (cells x) ->
  exists y scale zero, onnx_dynamic_quantize x = Some (y, scale, zero) /\
    composed_all S typed b [of_cells F32 x] =
      Some [of_cells U8 y; of_cells F32 (Tensor [] [scale]); of_cells U8 (Tensor [] [zero])].
Proof.
  intros B G V. unfold dynamic_quantize_composition, onnx_dynamic_quantize, guard in *.
  destruct (Nat.eqb_spec (cell_count (dims x)) 0) as [| N]; [discriminate |]. cbn [negb] in *. apply some_is in B. subst b.
  do 3 eexists. split; [reflexivity |]. apply runs_composed_all. set (vs := map GTensor _).
  assert (K0 : knows vs 0 (GTensor (of_cells F32 x))) by reflexivity. clearbody vs.
  eapply runs_bind; [exact (extent_runs x vs true 0 G N K0) |]. intros w1 low X1 Low. cbv beta in Low.
  eapply runs_bind; [exact (extent_runs x w1 false 0 G N (knows_later _ _ _ _ K0 X1)) |].
  intros w2 high X2 High. cbv beta in High.
  pose proof (knows_later _ _ _ _ Low X2) as Low2.
  eapply runs_bind; [exact (binary_one "Sub" (s_sub S) _ w2 high low _ _ eq_refl eq_refl High Low2) |].
  intros w3 d X3 D. cbv beta in D. eapply runs_bind; [apply (constant_one w3 255); easy |].
  intros w4 most X4 Most. cbv beta in Most. eapply runs_bind.
  { exact (binary_one "Div" (s_div S) (dynamic_scale x) w4 d most _ _ eq_refl eq_refl (knows_later _ _ _ _ D X4) Most). }
  intros w5 scale X5 Scale. cbv beta in Scale. assert (X25 : extends S w2 w5) by (eapply extends_trans; [exact X3 |];
    eapply extends_trans; [exact X4 | exact X5]).
  eapply runs_bind.
  { exact (binary_one "Div" (s_div S) _ w5 low scale _ _ eq_refl eq_refl (knows_later _ _ _ _ Low2 X25) Scale). }
  intros w6 q X6 Q. cbv beta in Q. eapply runs_bind; [apply (constant_one w6 0); easy |].
  intros w7 none X7 None_. cbv beta in None_. eapply runs_bind.
  { exact (binary_one "Sub" (s_sub S) (dynamic_zero x) w7 none q _ _ eq_refl eq_refl None_ (knows_later _ _ _ _ Q X7)). }
  intros w8 z X8 Z8. cbv beta in Z8. eapply runs_bind; [exact (clip_one w8 z _ Z8) |]. intros w9 c X9 C. cbv beta in C.
  eapply runs_bind.
  { exact (unary_runs F32 F32 (s_round S) (round_even 24 128) w9 "Round" [] c (Tensor [] [_])
      (fun y => unary_value S "Round" _ [] y eq_refl) C eq_refl (fun _ _ => eq_refl)). }
  intros w10 r X10 R. cbv beta in R. set (fz := round_even 24 128 (cut_range (dynamic_zero x))).
  change (knows w10 r (GTensor (one_float fz))) in R.
  eapply runs_bind.
  { exact (cast_runs F32 U8 (cut_to (lowest false) 256) w10 u8_code r (Tensor [] [fz]) ltac:(easy) R eq_refl
      (fun a _ => cast_to_byte false a)). }
  intros w11 bytes X11 Bytes. cbv beta in Bytes.
  change (knows w11 bytes (GTensor (of_cells U8 (Tensor [] [cut_to (lowest false) 256 fz])))) in Bytes.
  unfold fz in Bytes. rewrite (zero_byte x V) in Bytes.
  assert (X511 : extends S w5 w11) by (do 5 (eapply extends_trans; [eassumption |]); exact X11).
  assert (X011 : extends S vs w11) by (eapply extends_trans; [exact X1 |]; eapply extends_trans; [exact X2 |];
    eapply extends_trans; [exact X25 | exact X511]).
  pose proof (knows_later _ _ _ _ Scale X511) as Scale11. eapply runs_bind.
  { apply (binary_runs F32 F32 F32 (s_div S) (dims x) w11 "Div" [] 0 scale x (Tensor [] [dynamic_scale x]) (get not_a_number x)
      (fun _ => dynamic_scale x) (fun i => SFdiv 24 128 (get not_a_number x i) (dynamic_scale x)) eq_refl
      (knows_later _ _ _ _ K0 X011) Scale11 (shows_self _ x G) (shows_scalar _ _)); [now left | reflexivity]. }
  intros w12 y X12 Y. cbv beta in Y. pose proof (knows_later _ _ _ _ R (extends_trans S _ _ _ X11 X12)) as R12.
  eapply (runs_bind S typed w12 _ _ (fun ws m => knows ws m (GTensor (of_cells U8 (tabulate (dims x) (fun i =>
    if is_number (dynamic_zero x) then quantised false (SFdiv 24 128 (get not_a_number x i) (dynamic_scale x)) (zero_of x)
    else 0)))))).
  - destruct (is_number (dynamic_zero x)) eqn:Nz.
    + destruct (rounded_zero _ (zero_is_valid x V) Nz) as [W _].
      apply (saturated_runs false (dims x) w12 [] y _ (Some (r, None)) (fun _ => zero_of x) Y).
      * intros i _. apply div_valid; try easy; [now apply get_valid | now apply scale_is_valid].
      * exists (Tensor [] [fz]), (fun _ => fz). split; [reflexivity |]. split; [exact R12 |]. split; [apply shows_scalar |].
        split; [intros i _; exact W | exact I].
      * intros i _. pose proof (zero_range x V). unfold in_range, highest, lowest. lia.
    + apply saturated_none with (1 := Y). unfold fz in R12. rewrite (no_number _ Nz) in R12. exact R12.
  - intros w13 m X13 M. cbv beta in M. apply runs_return. constructor; [exact M |].
    constructor; [exact (knows_later _ _ _ _ Scale11 (extends_trans S _ _ _ X12 X13)) |].
    constructor; [| constructor]. exact (knows_later _ _ _ _ Bytes (extends_trans S _ _ _ X12 X13)).
Qed.

(** An instance: of -1, 0, 1/2 and 4, the scale is 5 / 255 and the zero point 51; of 25.5 + 51 the half goes to even. *)
Example dynamic_quantize_example :
  let x := Tensor [2; 2]%nat [float (-1); float 0; SFdiv 24 128 (float 1) (float 2); float 4] in
  option_map (fun l => map (fun t => shown_tensor (Some t)) l)
    (let? b := dynamic_quantize_composition [2; 2]%nat in composed_all S typed b [of_cells F32 x]) =
  Some [Some ([2; 2]%nat, map (fun z => Some (U8 z)) [0; 51; 77; 255]);
        Some ([], [Some (F32 (SFdiv 24 128 (float 5) (float 255)))]); Some ([], [Some (U8 51)])].
Proof. vm_compute. reflexivity. Qed.
