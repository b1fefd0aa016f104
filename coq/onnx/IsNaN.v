(** * IsNaN, IsInf

    A NaN is not equal to itself, and an infinity is beyond the greatest finite number (c/onnx/expand.c).  binary32 and binary64;
    IsNaN from opset 11 on, where floats are compared for equality; IsInf of at least one sign. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert tensor.Rounding.
From Calque Require Import onnx.Composition onnx.Steps onnx.Elements onnx.ArgMax.
From Calque Require onnx.Tables.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formulas *)

Definition is_nan (a : spec_float) : bool := match a with S754_nan => true | _ => false end.

Definition onnx_is_nan : tensor spec_float -> tensor bool := each is_nan.

(** Below 0, above 0: which infinities count. *)
Definition is_infinite (below above : bool) (a : spec_float) : bool :=
  match a with S754_infinity s => if s then below else above | _ => false end.

Definition onnx_is_inf (below above : bool) : tensor spec_float -> tensor bool := each (is_infinite below above).

(** ** The compositions *)

Definition is_nan_composition : build nat := e <- apply "Equal" [] [0; 0] ;; apply "Not" [] [e].

Definition is_inf_composition (double below above : bool) : option (build nat) :=
  let type := if double then f64_code else f32_code in
  let most := LReal (if double then most64 else most32) in
  let least := LReal (if double then least64_bits else least32_bits) in
  if above then
    Some (x <- (if below then apply "Abs" [] [0] else Return 0) ;; apply_with "Greater" type most x)
  else if below then Some (apply_with "Less" type least 0) else None.

(** ** Cells *)

Definition float_cell (double : bool) (a : spec_float) : cell := if double then F64 a else F32 a.

(** What a comparison says as a truth value; it has the type of what is compared, too. *)
Lemma less_cells double a b :
  as_truth standard (s_less S (scalar_of (float_cell double a)) (scalar_of (float_cell double b))) = Some (SFltb a b).
Proof.
  transitivity (Some (negb (SFeqb (if SFltb a b then S754_finite false 8388608 (-23) else S754_zero false) (S754_zero false))));
    [| now destruct (SFltb a b)].
  destruct double; cbn; destruct (SFltb a b); reflexivity.
Qed.

Lemma not_equal_cells double a b :
  as_truth standard (not_cell S (s_equal S (scalar_of (float_cell double a)) (scalar_of (float_cell double b)))) =
  Some (negb (SFeqb a b)).
Proof. destruct double; cbn; destruct (SFeqb a b); reflexivity. Qed.

Lemma equal_itself a : SFeqb a a = negb (is_nan a).
Proof.
  destruct a as [s | s | | s m e]; try reflexivity; [now destruct s |]. unfold SFeqb. cbn [SFcompare is_nan negb].
  rewrite Z.compare_refl. destruct s; now rewrite Pos.compare_cont_refl.
Qed.

(** Its cells as truth values. *)
Definition truths (y : tensor (num S)) : sizes * list (option bool) := (dims y, map (as_truth standard) (cells y)).

Lemma truths_each c (g : num S -> num S) (h : spec_float -> bool) (x : tensor spec_float) : good x ->
  (forall a, In a (cells x) -> as_truth standard (g (scalar_of (c a))) = Some (h a)) ->
  truths (tabulate (dims x) (fun i => g (at_ S (of_cells c x) i))) = (dims x, map Some (cells (each h x))).
Proof.
  intros G H. unfold truths. cbn [dims cells tabulate each]. f_equal. rewrite !map_map.
  transitivity (map (fun a => Some (h a)) (cells (tabulate (dims x) (get S754_nan x)))); [| now rewrite (tabulate_get S754_nan x G)].
  cbn [cells tabulate]. rewrite map_map.
  apply map_ext_in. intros i I. apply in_box_box in I. rewrite (at_of c S754_nan x i G I). apply H. now apply get_in.
Qed.

Theorem is_nan_correct double (x : tensor spec_float) : good x ->
  exists y, composed S typed is_nan_composition [of_cells (float_cell double) x] = Some y /\
    truths y = (dims x, map Some (cells (onnx_is_nan x))).
Proof.
  intros G. set (c := float_cell double). set (t := of_cells c x).
  exists (tabulate (dims x) (fun i => not_cell S (s_equal S (at_ S t i) (at_ S t i)))). split.
  - apply runs_composed. assert (X : Tables.shows S (map (@GTensor _) [t]) 0 (dims x) (at_ S t)).
    { apply (Tables.shows_tensor S _ 0 t); [now apply good_of | reflexivity]. }
    eapply runs_bind; [apply (Tables.runs_binary S typed _ "Equal" (s_equal S) 0 0 _ _ _ eq_refl X X) |].
    intros ws e _ E. cbv beta in E. exact (Tables.runs_unary S typed ws "Not" (not_cell S) e _ _ eq_refl E).
  - unfold t. apply (truths_each c (fun a => not_cell S (s_equal S a a)) is_nan x G). intros a _.
    unfold c. now rewrite not_equal_cells, equal_itself, negb_involutive.
Qed.
