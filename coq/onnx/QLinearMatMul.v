(** * QLinearMatMul

    The product of integers as in MatMulInteger, and what becomes of it by the scales and the zero point of the result
    ([Requantized.onnx_requantize]).  int32 holds the sums, as ONNX says: the low 32 bits of those that are beyond.  Covered are
    int8 and uint8, with zero points as in MatMulInteger; a scale is one for all, for each row of [a], or for each column of [b];
    scale and zero point of the result are one for all; constant or not, all of them.  Left out are scales that have the rank of
    their factor. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof
  tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import onnx.Composition onnx.Steps onnx.Elements onnx.Bytes onnx.QuantizeLinear onnx.ExactSums
  onnx.IntegerProducts onnx.Requantized.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** ** The formula *)

(** The axes of rows and columns of a product, of such sizes, where its factors have them. *)
Definition product_row (a b out : sizes) : option nat :=
  if ((2 <=? List.length a) && (2 <=? List.length b))%nat then row_axis out else None.
Definition product_column (b out : sizes) : option nat := if (2 <=? List.length b)%nat then column_axis out else None.

Definition onnx_qlinear_matmul (signed : bool) (a : tensor Z) (sa : tensor spec_float) (za b : tensor Z)
  (sb : tensor spec_float) (zb : tensor Z) (sy : tensor spec_float) (zy : tensor Z) : option (tensor Z) :=
  let? v := onnx_matmul_integer a b (Some za) (Some zb) in
  onnx_requantize signed (product_row (dims a) (dims b) (dims v)) (product_column (dims b) (dims v)) (dims v) sa sb sy zy
    (get 0 v).

(** ** The composition *)

(** Is int32 too short for some sums? *)
Definition is_long (most : Z) : bool := 2 ^ 31 <=? most.

(** Of the inputs in ONNX's order: a, its scale and zero point, the same of b, and of the result; [signed], [signed_b] and
    [signed_y] are about a, b and the result. *)
Definition qlinear_matmul_composition (signed signed_b signed_y : bool) (a : sizes) (sa : scale_point) (za : zero_point)
  (b : factor) (sb : scale_point) (zb : zero_point) (sy : scale_point) (zy : zero_point) : option (build nat) :=
  let? (most, product) := exact_product signed signed_b a za b zb 0 3 2 5 in
  let? out := matmul_dims a (fst b) in
  let? rest := requantize signed_y (is_long most) (product_row a (fst b) out) (product_column (fst b) out) out sa sb sy zy
    1 4 6 7 in
  Some (y <- product ;; rest y).

(** ** The theorem *)

(** A sum is what int32 holds of it. *)
Lemma sums_of most a v : summand (is_wide most) a v -> Z.abs v <= most -> most < limit (is_wide most) ->
  sums_to (is_long most) a (wrap32 v).
Proof.
  intros H B L. unfold is_long. destruct (Z.leb_spec (2 ^ 31) most) as [Long | Short].
  - assert (is_wide most = true) as W by (apply Z.leb_le; lia). rewrite W in *.
    destruct H as [(x & -> & X) | [-> ->]]; [| exact sums_nothing_wide]. apply sums_wide; [exact X |].
    unfold limit, bits in L. lia.
  - assert (wrap32 v = v) as -> by (unfold wrap32, wrap_to, least32; rewrite Z.mod_small; lia).
    destruct H as [(x & -> & X) | [-> ->]]; [| exact sums_nothing].
    unfold limit, bits in L. destruct (is_wide most); [now apply sums_float64 | apply sums_float32; [exact X | lia]].
Qed.

Theorem qlinear_matmul_correct signed signed_b signed_y (a za b zb zy : tensor Z) (sa sb sy : tensor spec_float)
  (known_sa known_za known_b known_sb known_zb known_sy known_zy : bool) c :
  qlinear_matmul_composition signed signed_b signed_y (dims a) (scale_input known_sa sa) (zero_input known_za (Some za))
    (factor_input known_b b) (scale_input known_sb sb) (zero_input known_zb (Some zb)) (scale_input known_sy sy)
    (zero_input known_zy (Some zy)) = Some c ->
  good a -> good b -> Forall (in_range signed) (cells a) -> Forall (in_range signed_b) (cells b) ->
  valid_zero signed (Some za) -> valid_zero signed_b (Some zb) -> valid_zero signed_y (Some zy) ->
  good_scale sa -> good_scale sb -> good_scale sy ->
  exists y, onnx_qlinear_matmul signed_y a sa za b sb zb sy zy = Some y /\
    composed S typed c [of_cells (byte signed) a; of_cells F32 sa; of_cells (byte signed) za; of_cells (byte signed_b) b;
      of_cells F32 sb; of_cells (byte signed_b) zb; of_cells F32 sy; of_cells (byte signed_y) zy]
      = Some (of_cells (byte signed_y) y).
Proof.
  intros B Ga Gb Ra Rb Va Vb Vy Sa Sb Sy. unfold qlinear_matmul_composition in B.
  change (fst (factor_input known_b b)) with (dims b) in B.
  destruct (exact_product _ _ _ _ _ _ _ _ _ _) as [[most product] |] eqn:E; [| discriminate].
  destruct (matmul_dims (dims a) (dims b)) as [out |] eqn:Do; [| discriminate].
  destruct (requantize _ _ _ _ _ _ _ _ _ _ _ _ _) as [rest |] eqn:R; [| discriminate]. apply some_is in B. subst c.
  set (vs := map GTensor [of_cells (byte signed) a; of_cells F32 sa; of_cells (byte signed) za; of_cells (byte signed_b) b;
      of_cells F32 sb; of_cells (byte signed_b) zb; of_cells F32 sy; of_cells (byte signed_y) zy]).
  destruct (exact_product_runs signed signed_b a b (Some za) (Some zb) known_za known_b known_zb _ _ _ _ most product E Ga Gb
    Ra Rb Va Vb vs) as (v & F & M & Dv & Gv & Bv & L & H).
  { split; [reflexivity |]. split; [reflexivity |]. split; intros t Et; injection Et as <-; reflexivity. }
  rewrite Do in Dv. apply some_is in Dv. subst out.
  unfold onnx_qlinear_matmul, onnx_matmul_integer. rewrite F, M. cbn [guard option_map].
  change (dims (each wrap32 v)) with (dims v).
  set (y := each wrap32 v). assert (Wv : forall i, in_box (dims v) i = true -> get 0 y i = wrap32 (get 0 v i))
    by (intros i I; exact (get_each wrap32 0 0 v i Gv I)).
  rewrite (requantize_formula _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R). eexists. split; [reflexivity |].
  apply runs_composed. fold vs. eapply runs_bind; [exact H |]. intros ws k X (t & K & Gt & Dt & It).
  destruct (requantize_runs _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R Sa Sb Sy Vy ws k t (get 0 y) Dt K) as (u & U & Q).
  - intros i I. rewrite (Wv i I). apply sums_of; [apply It | apply Bv | exact L].
  - exact (knows_later vs ws 1 _ eq_refl X).
  - exact (knows_later vs ws 4 _ eq_refl X).
  - exact (knows_later vs ws 6 _ eq_refl X).
  - exact (knows_later vs ws 7 _ eq_refl X).
  - rewrite (requantize_formula _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ R) in U. apply some_is in U. subst u. exact Q.
Qed.

(** Instances: the products of MatMulInteger's, -1516, 2004, -14 and 36, times 1/2 * (1/4 and 1/2) / 2, plus 7; of 4.5 the
    half goes to even.  All are constant, and none of them is. *)
Definition half : spec_float := SFdiv 24 128 (float 1) (float 2).
Definition some_a : tensor Z := Tensor [2; 3]%nat [0; 1; 255; 4; 5; 6].
Definition some_b : tensor Z := Tensor [3; 2]%nat [1; -2; 3; 4; -5; 6].
Definition some_sa : tensor spec_float := Tensor [] [half].
Definition some_za : tensor Z := Tensor [] [3].
Definition some_sb : tensor spec_float := Tensor [2]%nat [SFmul 24 128 half half; half].
Definition some_zb : tensor Z := Tensor [2]%nat [1; -2].
Definition some_sy : tensor spec_float := Tensor [] [float 2].
Definition some_zy : tensor Z := Tensor [1]%nat [7].

Definition some_composition (known : bool) : option (build nat) :=
  qlinear_matmul_composition false true true [2; 3]%nat (scale_input known some_sa) (zero_input known (Some some_za))
    (factor_input known some_b) (scale_input known some_sb) (zero_input known (Some some_zb)) (scale_input known some_sy)
    (zero_input known (Some some_zy)).

Example qlinear_matmul_example known :
  shown_tensor (let? c := some_composition known in
    composed S typed c [of_cells U8 some_a; of_cells F32 some_sa; of_cells U8 some_za; of_cells I8 some_b; of_cells F32 some_sb;
      of_cells I8 some_zb; of_cells F32 some_sy; of_cells I8 some_zy]) =
  Some ([2; 2]%nat, map (fun z => Some (I8 z)) [-88; 127; 6; 11]).
Proof. destruct known; vm_compute; reflexivity. Qed.
