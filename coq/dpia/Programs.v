(** * Programs, at symbolic sizes

    Table 1 of seed 002 (22 programs in 21 rows) and the extensions of its section
    2.3, as terms over binary32.  Each is checked here once, for all sizes.  The
    seed has no definition of [conv]: here it is the inner product of a window
    with every chunk of its length. *)

From Coq Require Import List ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Range dpia.Trans dpia.Scalars.
Import ListNotations.

Notation fexp := (exp binary32 symbols).
Notation sdata := (data symbols).
Notation ssize := (size symbols).

(** Inputs, body, type of the output. *)
Record program := Program { params : list sdata; body : fexp; output : sdata }.

Definition typed (p : program) : Prop :=
  infer range_var (closed (params p)) (body p) = Some (output p).

Definition bin (o : binary) (a b : fexp) : fexp := @EBin binary32 symbols o a b.
Definition un (o : unary) (a : fexp) : fexp := @EUn binary32 symbols o a.
Definition zero : fexp := @ELit binary32 symbols (S754_zero false).
Definition var (x : nat) : fexp := EVar x.
Definition vec (n : ssize) : sdata := DAry n DNum.
Definition mat (n m : ssize) : sdata := DAry n (vec m).

(** Of the two variables of a reduction, 0 is the accumulator, 1 the element. *)
Definition sum_of (n : ssize) (e : fexp) : fexp := ERed n DNum (bin Add (var 1) (var 0)) zero e.
Definition products (p : policy) (n : ssize) (a b : fexp) : fexp :=
  EMap p n DNum (bin Mul (EFst (var 0)) (ESnd (var 0))) (EZip n DNum DNum a b).
Definition inner (p : policy) (n : ssize) (a b : fexp) : fexp := sum_of n (products p n a b).

Definition n : ssize := symbol 0.
Definition m : ssize := symbol 1.
Definition k : ssize := symbol 2.
Definition nm : ssize := mul symbols n m.

Definition m1 : ssize := symbol 3.
Definition n1 : ssize := symbol 4.
Definition k1 : ssize := symbol 5.
(** [m1] by [n1] blocks of [m] by [n]. *)
Definition blocks : sdata := DAry m1 (DAry n1 (mat m n)).

(** Elementwise on vectors and matrices, for elements that are pairs of numbers or numbers. *)
Definition add_pair : fexp := bin Add (EFst (var 0)) (ESnd (var 0)).
Definition vec_add_of (p : policy) (n : ssize) (a b : fexp) : fexp :=
  EMap p n DNum add_pair (EZip n DNum DNum a b).
Definition mat_add_of (p : policy) (m n : ssize) (a b : fexp) : fexp :=
  EMap p m (vec n) (vec_add_of Seq n (EFst (var 0)) (ESnd (var 0))) (EZip m (vec n) (vec n) a b).
(** [alpha] is variable [x] outside. *)
Definition scale_vec_of (p : policy) (n : ssize) (x : nat) (a : fexp) : fexp :=
  EMap p n DNum (bin Mul (var (1 + x)) (var 0)) a.
Definition scale_mat_of (p : policy) (m n : ssize) (x : nat) (a : fexp) : fexp :=
  EMap p m (vec n) (scale_vec_of Seq n (1 + x) (var 0)) a.
Definition axpy_vec_of (p : policy) (n : ssize) (x : nat) (a b : fexp) : fexp :=
  EMap p n DNum (bin Add (bin Mul (var (1 + x)) (EFst (var 0))) (ESnd (var 0)))
    (EZip n DNum DNum a b).
Definition axpy_mat_of (p : policy) (m n : ssize) (x : nat) (a b : fexp) : fexp :=
  EMap p m (vec n) (axpy_vec_of Seq n (1 + x) (EFst (var 0)) (ESnd (var 0)))
    (EZip m (vec n) (vec n) a b).
Definition sum_mat_of (m n : ssize) (a : fexp) : fexp :=
  sum_of m (EMap Par m DNum (sum_of n (var 0)) a).
(** [f] on every pair of blocks. *)
Definition on_blocks (f : fexp) (a b : fexp) : fexp :=
  EMap Par m1 (DAry n1 (mat m n))
    (EMap Par n1 (mat m n) f (EZip n1 (mat m n) (mat m n) (EFst (var 0)) (ESnd (var 0))))
    (EZip m1 (DAry n1 (mat m n)) (DAry n1 (mat m n)) a b).

(** ** Table 1 *)

Definition product := Program [vec n; vec n] (inner Par n (var 0) (var 1)) DNum.
(** n*m numbers as m chunks of n, one partial product per chunk. *)
Definition product_split := Program [vec nm; vec nm]
  (sum_of m (EMap Par m DNum
     (sum_of n (EMap Seq n DNum (bin Mul (EFst (var 0)) (ESnd (var 0))) (var 0)))
     (ESplit n m (EZip nm DNum DNum (var 0) (var 1))))) DNum.
Definition vec_add := Program [vec n; vec n] (vec_add_of Par n (var 0) (var 1)) (vec n).
Definition sum_vec := Program [vec n] (sum_of n (var 0)) DNum.
Definition norm1 := Program [vec n] (sum_of n (EMap Par n DNum (un Abs (var 0)) (var 0))) DNum.
Definition norm2 := Program [vec n]
  (un Sqrt (sum_of n (EMap Par n DNum (bin Mul (var 0) (var 0)) (var 0)))) DNum.
Definition scale_vec := Program [DNum; vec n] (scale_vec_of Par n 0 (var 1)) (vec n).
Definition axpy_vec := Program [DNum; vec n; vec n] (axpy_vec_of Par n 0 (var 1) (var 2)) (vec n).
Definition l_mul_dl := Program [vec m; mat m n]
  (EMap Par n DNum (inner Seq m (var 1) (var 0)) (ETr m n (var 1))) (vec n).
Definition dl_mul_l := Program [mat m n; vec n]
  (EMap Par m DNum (inner Seq n (var 0) (var 2)) (var 0)) (vec m).
Definition dl_mul_dl := Program [mat m n; mat n k]
  (EMap Par m (vec k) (EMap Par k DNum (inner Seq n (var 1) (var 0)) (ETr n k (var 2))) (var 0))
    (mat m k).
Definition mat_add := Program [mat m n; mat m n] (mat_add_of Par m n (var 0) (var 1)) (mat m n).
Definition axpy_mat := Program [DNum; mat m n; mat m n] (axpy_mat_of Par m n 0 (var 1) (var 2))
  (mat m n).
Definition scale_mat := Program [DNum; mat m n] (scale_mat_of Par m n 0 (var 1)) (mat m n).
Definition sum_mat := Program [mat m n] (sum_mat_of m n (var 0)) DNum.
Definition transpose := Program [mat n m]
  (EMap Par m (vec n) (EMap Seq n DNum (var 0) (var 0)) (ETr n m (var 0))) (mat m n).
Definition block_add := Program [blocks; blocks]
  (on_blocks (mat_add_of Seq m n (EFst (var 0)) (ESnd (var 0))) (var 0) (var 1)) blocks.
(** The second factor in blocks of k by n, transposed; and a zero block.  The
    accumulator is a matrix, and updated in place. *)
Definition block_product : fexp :=
  EMap Par m (vec k) (EMap Par k DNum (inner Seq n (var 1) (var 0)) (ESnd (var 1))) (EFst (var 0)).
Definition block_dl_mul_dl := Program [blocks; DAry k1 (DAry n1 (mat k n)); mat m k]
  (EMap Par m1 (DAry k1 (mat m k))
     (EMap Par k1 (mat m k)
        (ERed n1 (mat m k) (mat_add_of Par m k (var 1) (var 0)) (var 4)
           (EMap Par n1 (mat m k) block_product (EZip n1 (mat m n) (mat k n) (var 1) (var 0))))
        (var 2))
     (var 0))
  (DAry m1 (DAry k1 (mat m k))).
Definition scale_block := Program [DNum; blocks]
  (EMap Par m1 (DAry n1 (mat m n)) (EMap Par n1 (mat m n) (scale_mat_of Seq m n 2 (var 0)) (var 0))
    (var 1))
  blocks.
Definition axpy_block := Program [DNum; blocks; blocks]
  (on_blocks (axpy_mat_of Seq m n 2 (EFst (var 0)) (ESnd (var 0))) (var 1) (var 2)) blocks.
Definition sum_block := Program [blocks]
  (sum_of m1 (EMap Par m1 DNum (sum_of n1 (EMap Seq n1 DNum (sum_mat_of m n (var 0)) (var 0)))
    (var 0))) DNum.
Definition conv := Program [vec n; vec nm]
  (EMap Par m DNum (inner Seq n (var 0) (var 1)) (ESplit n m (var 1))) (vec m).

Definition table1 : list program :=
  [product; product_split; vec_add; sum_vec; norm1; norm2; scale_vec; axpy_vec; l_mul_dl; dl_mul_l;
   dl_mul_dl; mat_add; axpy_mat; scale_mat; sum_mat; transpose; block_add; block_dl_mul_dl;
     scale_block;
   axpy_block; sum_block; conv].

(** ** Beyond: vector reversal, copy, join, pairs, generate, index, select, fold, let *)

Definition reverse := Program [vec n] (EMap Par n DNum (var 0) (ERev n (var 0))) (vec n).
Definition copied := Program [vec n] (EMap Par n DNum (var 0) (var 0)) (vec n).
Definition flatten := Program [mat m n] (EJoin n m (var 0)) (vec nm).
Definition swapped := Program [vec n; vec m] (EPair (var 1) (var 0)) (DPair (vec m) (vec n)).
Definition relu := Program [vec n] (EGen Par n DNum (bin Max (EIdx (var 1) (XVar 0)) zero)) (vec n).
(** Sums of the rows of the lower triangle. *)
Definition lower_sums := Program [mat n n]
  (EGen Par n DNum
     (EFold n DNum
        (EIte (CCmp Kernel.CLe (XVar 1) (XVar 2)) DNum
              (bin Add (var 0) (EIdx (EIdx (var 3) (XVar 2)) (XVar 1))) (var 0))
        zero)) (vec n).

(** x / sum x, the sum computed once. *)
Definition normalise := Program [vec n]
  (ELet DNum (sum_of n (var 0)) (EMap Par n DNum (bin Div (var 0) (var 1)) (var 1))) (vec n).

Definition further : list program :=
  [reverse; copied; flatten; swapped; relu; lower_sums; normalise].

Theorem programs_typed : Forall typed (table1 ++ further).
Proof. repeat constructor. Qed.

(** The accumulator of the block product is updated in place. *)
Lemma block_in_place : in_place (mat m k) (mat_add_of Par m k (var 1) (var 0)) = true.
Proof. reflexivity. Qed.
