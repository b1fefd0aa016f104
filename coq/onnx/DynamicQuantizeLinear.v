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

Definition dynamic_scale (x : tensor spec_float) : spec_float := SFdiv 24 128 (SFsub 24 128 (high_end x) (low_end x)) (float 255).

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
    intros D Gt K. eapply runs_weaken.
    { pose proof (Reduced.runs_greatest S typed vs false (seq 0 (List.length (dims x))) (of_cells F32 t) k K (good_of F32 t Gt)) as H.
      cbn [of_cells dims] in H. rewrite D in H. exact (H N). }
    intros ws m _ M. cbv beta in M. pose proof (greatest_of_all (of_cells F32 t)) as E. cbn [of_cells dims] in E. rewrite D in E.
    change (Tensor (dims t) (map (fun a => scalar_of (F32 a)) (cells t))) with (of_cells F32 t) in E.
    rewrite <- D in M. rewrite <- D in E at 1.
    unfold of_cells in M at 1. cbn [dims cells] in M.
    change (Tensor (dims t) (map (fun a => scalar_of (F32 a)) (cells t))) with (of_cells F32 t) in M. rewrite E in M.
    rewrite (greatest_ext S (dims x) _ (fun i => scalar_of (F32 (get not_a_number t i)))) in M.
    - rewrite (greatest_floats (dims x) _ N) in M. exact M.
    - intros i I. apply at_of; [exact Gt | now rewrite D].
  Qed.

  Lemma extreme_runs vs least k : knows vs k (GTensor (of_cells F32 x)) -> runs vs (extreme least (dims x) k)
    (fun ws m => knows ws m (GTensor (one_float (if least then least_cell x else greatest_cell x)))).
  Proof.
    intros K. unfold extreme. destruct least; [| now apply all_greatest].
    eapply runs_bind; [apply (unary_runs F32 F32 (s_neg S) SFopp vs "Neg" [] k x (fun y => unary_value S "Neg" _ [] y eq_refl) K G);
      reflexivity |].
    intros ws n _ Kn. cbv beta in Kn. eapply runs_bind.
    { exact (all_greatest ws n (each SFopp x) eq_refl (good_each SFopp x G) Kn). }
    intros us m _ Km. cbv beta in Km. eapply runs_weaken.
    { apply (unary_runs F32 F32 (s_neg S) SFopp us "Neg" [] m (Tensor [] [s_greatest binary32 (dims x) (get not_a_number (each SFopp x))])
        (fun y => unary_value S "Neg" _ [] y eq_refl) Km eq_refl); reflexivity. }
    intros w j _ J. cbv beta in J. unfold least_cell. rewrite <- (least_floats _ _ N).
    rewrite (greatest_ext binary32 (dims x) (fun k => SFopp (get not_a_number x k)) (get not_a_number (each SFopp x))); [exact J |].
    intros i I. symmetry. now apply get_each.
  Qed.
End Steps.
