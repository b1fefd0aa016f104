(** * Conversions between element types

    What [Cast] does to a cell, as a judgement: each element type to each, the type itself
    included.  [cast_iff] says that the function of [Mixed] decides it. *)

From Coq Require Import Bool List NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers tensor.Scalars tensor.Instances tensor.Mixed.
Import ListNotations.
Open Scope Z_scope.

(** A cell of a tensor: a number of its element type. *)
Inductive cell :=
  | F32 (x : spec_float)
  | F64 (x : spec_float)
  | I64 (z : Z)
  | I32 (z : Z)
  | I8 (z : Z)
  | U8 (z : Z)
  | Bool (b : bool).

Definition scalar_of (c : cell) : num (mixed standard) :=
  match c with
  | F32 x => of_f32 standard x
  | F64 x => of_f64 standard x
  | I64 z => of_i64 standard (Some z)
  | I32 z => of_i32 standard (Some z)
  | I8 z => of_i8 standard (Some z)
  | U8 z => of_u8 standard (Some z)
  | Bool b => of_truth standard b
  end.

(** [converts to a b]: [a] becomes [b] in the element type with the code [to]. *)
Inductive converts : Z -> cell -> cell -> Prop :=
  | KC_F32 x : converts 1 (F32 x) (F32 x)
  | KC_F64 x : converts 11 (F64 x) (F64 x)
  | KC_I64 z : converts 7 (I64 z) (I64 z)
  | KC_I32 z : converts 6 (I32 z) (I32 z)
  | KC_I8 z : converts 3 (I8 z) (I8 z)
  | KC_U8 z : converts 2 (U8 z) (U8 z)
  | KC_Bool b : converts 9 (Bool b) (Bool b)
  (** To the nearest, ties to even. *)
  | KC_Narrow x : converts 1 (F64 x) (F32 (rounded 24 128 x))
  | KC_Widen x : converts 11 (F32 x) (F64 (rounded 53 1024 x))
  | KC_I64_F32 z : converts 1 (I64 z) (F32 (binary_normalize 24 128 z 0 false))
  | KC_I32_F32 z : converts 1 (I32 z) (F32 (binary_normalize 24 128 z 0 false))
  | KC_I64_F64 z : converts 11 (I64 z) (F64 (binary_normalize 53 1024 z 0 false))
  | KC_I32_F64 z : converts 11 (I32 z) (F64 (binary_normalize 53 1024 z 0 false))
  | KC_I8_F32 z : converts 1 (I8 z) (F32 (binary_normalize 24 128 z 0 false))
  | KC_U8_F32 z : converts 1 (U8 z) (F32 (binary_normalize 24 128 z 0 false))
  | KC_I8_F64 z : converts 11 (I8 z) (F64 (binary_normalize 53 1024 z 0 false))
  | KC_U8_F64 z : converts 11 (U8 z) (F64 (binary_normalize 53 1024 z 0 false))
  (** Towards zero, saturating, NaN to 0. *)
  | KC_F32_I64 x : converts 7 (F32 x) (I64 (cut x))
  | KC_F64_I64 x : converts 7 (F64 x) (I64 (cut x))
  | KC_F32_I32 x : converts 6 (F32 x) (I32 (cut32 x))
  | KC_F64_I32 x : converts 6 (F64 x) (I32 (cut32 x))
  | KC_F32_I8 x : converts 3 (F32 x) (I8 (cut8 x))
  | KC_F64_I8 x : converts 3 (F64 x) (I8 (cut8 x))
  | KC_F32_U8 x : converts 2 (F32 x) (U8 (cut_byte x))
  | KC_F64_U8 x : converts 2 (F64 x) (U8 (cut_byte x))
  (** The low bits. *)
  | KC_I64_I32 z : converts 6 (I64 z) (I32 (wrap32 z))
  | KC_I32_I64 z : converts 7 (I32 z) (I64 (wrap z))
  | KC_I64_I8 z : converts 3 (I64 z) (I8 (wrap8 z))
  | KC_I64_U8 z : converts 2 (I64 z) (U8 (wrap_byte z))
  | KC_I32_I8 z : converts 3 (I32 z) (I8 (wrap8 z))
  | KC_I32_U8 z : converts 2 (I32 z) (U8 (wrap_byte z))
  | KC_I8_I64 z : converts 7 (I8 z) (I64 (wrap z))
  | KC_I8_I32 z : converts 6 (I8 z) (I32 (wrap32 z))
  | KC_I8_U8 z : converts 2 (I8 z) (U8 (wrap_byte z))
  | KC_U8_I64 z : converts 7 (U8 z) (I64 (wrap z))
  | KC_U8_I32 z : converts 6 (U8 z) (I32 (wrap32 z))
  | KC_U8_I8 z : converts 3 (U8 z) (I8 (wrap8 z))
  (** Is it not 0? A NaN is not. *)
  | KC_F32_Bool x : converts 9 (F32 x) (Bool (negb (SFeqb x (S754_zero false))))
  | KC_F64_Bool x : converts 9 (F64 x) (Bool (negb (SFeqb x (S754_zero false))))
  | KC_I64_Bool z : converts 9 (I64 z) (Bool (negb (z =? 0)))
  | KC_I32_Bool z : converts 9 (I32 z) (Bool (negb (z =? 0)))
  | KC_I8_Bool z : converts 9 (I8 z) (Bool (negb (z =? 0)))
  | KC_U8_Bool z : converts 9 (U8 z) (Bool (negb (z =? 0)))
  (** 1 or 0. *)
  | KC_Bool_F32 b : converts 1 (Bool b) (F32 (binary_normalize 24 128 (if b then 1 else 0) 0 false))
  | KC_Bool_F64 b : converts 11 (Bool b) (F64 (binary_normalize 53 1024 (if b then 1 else 0) 0 false))
  | KC_Bool_I64 b : converts 7 (Bool b) (I64 (if b then 1 else 0))
  | KC_Bool_I32 b : converts 6 (Bool b) (I32 (if b then 1 else 0))
  | KC_Bool_I8 b : converts 3 (Bool b) (I8 (if b then 1 else 0))
  | KC_Bool_U8 b : converts 2 (Bool b) (U8 (if b then 1 else 0)).

Lemma cast_other to a : to <> 1 -> to <> 11 -> to <> 7 -> to <> 6 -> to <> 3 -> to <> 2 -> to <> 9 ->
  s_cast (mixed standard) to a = Scalar standard None None None None None None None.
Proof.
  intros A B C D E F G. cbn [mixed s_cast]. unfold cast, cast_in. cbn [code f32 f64 i64 i32 i8 u8 truth standard float32
    float64 int64_element int32_element int8_element byte_element words_element truth_element].
  apply Z.eqb_neq in A, B, C, D, E, F, G. now rewrite A, B, C, D, E, F, G.
Qed.

Theorem cast_iff to a b : converts to a b <-> s_cast (mixed standard) to (scalar_of a) = scalar_of b.
Proof.
  split.
  - intros H. destruct H; try reflexivity; destruct b; reflexivity.
  - assert (D : In to [1; 11; 7; 6; 3; 2; 9] \/ ~ In to [1; 11; 7; 6; 3; 2; 9]) by (destruct (in_dec Z.eq_dec to
      [1; 11; 7; 6; 3; 2; 9]); auto).
    destruct D as [D | D].
    + cbn [In] in D. repeat (destruct D as [<- | D]); [| | | | | | | destruct D].
      all: destruct a as [x | x | z | z | z | z | q], b; intros H; try discriminate H; injection H as <-; try constructor.
      * destruct q; [exact (KC_Bool_I64 true) | exact (KC_Bool_I64 false)].
      * destruct q; [exact (KC_Bool_I32 true) | exact (KC_Bool_I32 false)].
      * destruct q; [exact (KC_Bool_I8 true) | exact (KC_Bool_I8 false)].
      * destruct q; [exact (KC_Bool_U8 true) | exact (KC_Bool_U8 false)].
    + rewrite cast_other by (intros ->; apply D; cbn [In]; auto 8). destruct b; discriminate.
Qed.

(** One result, whatever the type. *)
Corollary converts_one to a b c : converts to a b -> converts to a c -> b = c.
Proof.
  intros H J. apply cast_iff in H, J. rewrite H in J. destruct b, c; try discriminate J; injection J as ->; reflexivity.
Qed.
