(** * Instances: the premises of the theorems on loops in tiles hold together

    Each [NAME_applies] is the theorem NAME of [Theorems] over the integers: a loop
    over an array of numbers, or sums of the rows of a matrix.  A premise about all
    cells of a box is shown cell by cell. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import dpia.Syntax dpia.Values dpia.Scalars dpia.Errata.
From Calque Require Import dpia.Typing.
From Calque Require dpia.Range dpia.Tiling theorems.Translation.
Import ListNotations.
Import theorems.Translation.OfTiling.
Open Scope nat_scope.

(** Cell by cell: every index below a number is one of finitely many. *)
Ltac cells := repeat match goal with
  | H : ?i < _ |- _ =>
      cbn in H; destruct i as [| i]; [clear H | apply (proj2 (Nat.succ_lt_mono _ _)) in H]
  | H : ?i < 0 |- _ => now apply Nat.nlt_0_r in H
  end.

Notation num := (@DNum numbers).
Notation gen p n d f := (@EGen integers numbers p n d f).
Notation fold n d f i := (@EFold integers numbers n d f i).
Notation nil_ := (@ELit integers numbers 0%Z).

(** ** One array of 6 numbers, as 3 rows of 2: the number at an index, plus itself *)

Definition six : list zval := [zvec [1; 2; 3; 4; 5; 6]%Z].
Definition twice (e : zexp) : zexp := zadd e e.
Definition at_cell : zexp := twice (EIdx (EVar 1) (XVar 0)).
Definition in_rows : zexp := twice (EIdx (EVar 2) (XAdd (XMul (XVar 1) 2) (XVar 0))).

Lemma in_rows_same i j : i < 3 -> j < 2 ->
  eval (Pos j :: Pos i :: six) in_rows = eval (Pos (i * 2 + j) :: six) at_cell.
Proof. intros lti ltj. cells; reflexivity. Qed.

Example dpia_cut_applies :
  eval six (EJoin (2 : size numbers) 3 (gen Par 3 (ary 2 num) (gen Seq 2 num in_rows))) = eval six (gen Par 6 num at_cell).
Proof. exact (dpia_cut integers numbers numbers_sizing _ _ _ _ _ _ _ _ _ _ in_rows_same). Qed.

Example dpia_merge_applies :
  eval six (ESplit (2 : size numbers) 3 (gen Par 6 num at_cell)) = eval six (gen Par 3 (ary 2 num) (gen Seq 2 num in_rows)).
Proof. exact (dpia_merge integers numbers numbers_sizing _ _ _ _ _ _ _ _ _ _ in_rows_same). Qed.

(** ** A matrix of 2 by 3, and 4 by 3 *)

Definition two_rows : list zval := [zmat [[1; 2; 3]; [4; 5; 6]]%Z].
Definition four_rows : list zval := [zmat [[1; 2; 3]; [4; 5; 6]; [7; 8; 9]; [10; 11; 12]]%Z].

(** The loop over columns outside instead of inside. *)
Example dpia_exchange_applies :
  eval two_rows (ETr (2 : size numbers) 3 (gen Par 2 (ary 3 num)
      (gen Seq 3 num (EIdx (EIdx (EVar 2) (XVar 1)) (XVar 0))))) =
  eval two_rows (gen Par 3 (ary 2 num) (gen Seq 2 num (EIdx (EIdx (EVar 2) (XVar 0)) (XVar 1)))).
Proof.
  apply (dpia_exchange integers numbers numbers_sizing). intros i j lti ltj. cells; reflexivity.
Qed.

(** Sums of rows: under the accumulator, the column and the row. *)
Definition add_cell : zexp := zadd (EVar 0) (EIdx (EIdx (EVar 3) (XVar 2)) (XVar 1)).

(** Under the row, the accumulators and the column. *)
Definition add_in_row : zexp :=
  zadd (EIdx (EVar 1) (XVar 0)) (EIdx (EIdx (EVar 3) (XVar 0)) (XVar 2)).

Example dpia_rows_applies :
  eval two_rows (fold 3 (ary 2 num) (gen Par 2 num add_in_row) (gen Par 2 num nil_)) =
  eval two_rows (gen Par 2 num (fold 3 num add_cell nil_)).
Proof.
  apply (dpia_rows integers numbers numbers_sizing).
  - reflexivity.
  - intros k x l ltk ltx len. cells; reflexivity.
Qed.

(** Rows 2 * i and 2 * i + 1 together. *)
Definition add_in_part : zexp :=
  zadd (EIdx (EVar 1) (XVar 0))
       (EIdx (EIdx (EVar 4) (XAdd (XMul (XVar 3) 2) (XVar 0))) (XVar 2)).

Example dpia_tile_applies :
  eval four_rows (EJoin (2 : size numbers) 2 (gen Par 2 (ary 2 num)
      (fold 3 (ary 2 num) (gen Seq 2 num add_in_part) (gen Seq 2 num nil_)))) =
  eval four_rows (gen Par 4 num (fold 3 num add_cell nil_)).
Proof.
  apply (dpia_tile integers numbers numbers_sizing).
  - reflexivity.
  - intros i j x c lti ltj ltx len. cells; reflexivity.
Qed.

(** ** The product of a matrix of 2 by 2 and one of 2 by 4, in tiles of 1 by 2 *)

Definition factors : list zval := [zmat [[1; 2]; [3; 4]]%Z; zmat [[1; 2; 3; 4]; [5; 6; 7; 8]]%Z].

(** Under the accumulator, the summed index, column and row. *)
Definition add_product : zexp :=
  zadd (EVar 0) (zmul (EIdx (EIdx (EVar 4) (XVar 3)) (XVar 1)) (EIdx (EIdx (EVar 5) (XVar 1)) (XVar 2))).

(** Under the column and the row in the tile, the accumulators, the summed index, the tile's column and row. *)
Definition add_product_in_tile : zexp :=
  zadd (EIdx (EIdx (EVar 2) (XVar 1)) (XVar 0))
       (zmul (EIdx (EIdx (EVar 6) (XAdd (XMul (XVar 5) 1) (XVar 1))) (XVar 3))
             (EIdx (EIdx (EVar 7) (XVar 3)) (XAdd (XMul (XVar 4) 2) (XVar 0)))).

Definition tile_sums : zexp :=
  fold 2 (ary 1 (ary 2 num)) (gen Seq 1 (ary 2 num) (gen Seq 2 num add_product_in_tile))
    (gen Seq 1 (ary 2 num) (gen Seq 2 num nil_)).
Definition product_in_tiles : zexp :=
  EJoin (1 : size numbers) 2 (gen Par 2 (ary 1 (ary 4 num))
    (ESplit (4 : size numbers) 1 (EJoin (2 : size numbers) 2 (EJoin (2 : size numbers) 1
      (ETr (2 : size numbers) 1 (gen Par 2 (ary 1 (ary 2 num)) tile_sums)))))).
Definition product_in_rows : zexp := gen Par 2 (ary 4 num) (gen Par 4 num (fold 2 num add_product nil_)).

(** The theorem names the type of a row and that of the accumulators alike; no value depends on them. *)
Example dpia_tile_2_applies : eval factors product_in_tiles = eval factors product_in_rows.
Proof.
  assert (H := dpia_tile_2 integers numbers numbers_sizing Par Par Par Par Seq Seq Seq Seq 1 2 2 2 2
    num (ary 4 num) (ary 1 (ary 4 num)) (ary 1 (ary 2 num)) (ary 2 num) nil_ nil_ add_product add_product_in_tile factors).
  apply H.
  - reflexivity.
  - clear H. intros i j a b x g lti ltj lta ltb ltx. cells; reflexivity.
Qed.

(** Both are well typed. *)
Example product_in_tiles_typed :
  let check := infer (Range.range_interval (N := numbers) (s := numbers_sizing))
    (closed [ary 2 (ary 2 num); ary 2 (ary 4 num)]) in
  check product_in_tiles = Some (ary 2 (ary 4 num)) /\ check product_in_rows = Some (ary 2 (ary 4 num)).
Proof. split; vm_compute; reflexivity. Qed.

(** ** Guards: the greatest of what is not negative, from 0 *)

(** A row of 3 that is padded by one cell on both sides: the guard keeps the load inside. *)
Definition three_numbers : list zval := [zvec [3; 9; 5]%Z].
Definition source : ix numbers := XSub (XVar 1) (XCst 1).
Definition inside : cond numbers :=
  CAnd (CCmp Kernel.CGe source (XCst 0)) (CCmp Kernel.CLt source (XCst 3)).
Definition padded {A} : exp A numbers := EIdx (EVar 2) source.

Ltac loads_inside := intros a x lt guarded; do 5 (destruct x as [| x];
  [first [discriminate guarded | eexists; reflexivity] |]); exfalso; vm_compute in lt; lia.

(** Where the guard fails there is nothing to load. *)
Lemma outside_is_no_number a : forall y, eval (a :: Pos 0 :: three_numbers) padded <> Num (A := integers) y.
Proof. discriminate. Qed.

Example dpia_guard_applies :
  eval three_numbers (fold 5 num (EIte inside num (EBin (Max : bop integers) (EVar 0) padded) (EVar 0)) nil_) =
  eval three_numbers (fold 5 num (EBin (Max : bop integers) (EVar 0) (EIte inside num padded nil_)) nil_).
Proof.
  apply (dpia_guard integers numbers numbers_sizing (fun x => 0 <= x)%Z).
  - intros x y pos. cbn. destruct (Z.ltb_spec x y); lia.
  - intros x pos. cbn. destruct (Z.ltb_spec x 0); lia.
  - exists 0%Z. split; [reflexivity | lia].
  - loads_inside.
Qed.

Example dpia_guard_sum_applies :
  eval three_numbers (fold 5 num (EIte inside num (EBin (Add : bop integers) (EVar 0) padded) (EVar 0)) nil_) =
  eval three_numbers (fold 5 num (EBin (Add : bop integers) (EVar 0) (EIte inside num padded nil_)) nil_).
Proof.
  apply (dpia_guard_sum numbers numbers_sizing); [exists 0%Z; reflexivity | loads_inside].
Qed.

(** The same at binary32, on 1, 2 and minus infinity. *)
Definition three_floats : list (value binary32) :=
  [Arr [Num (A := binary32) (S754_finite false 8388608 (-23)); Num (A := binary32) (S754_finite false 8388608 (-22));
        Num (A := binary32) (S754_infinity true)]].

Example dpia_guard_max_applies :
  let low : exp binary32 numbers := @ELit binary32 numbers (S754_infinity true) in
  eval three_floats (@EFold binary32 numbers 5 num
    (EIte inside num (EBin (Max : bop binary32) (EVar 0) padded) (EVar 0)) low) =
  eval three_floats (@EFold binary32 numbers 5 num
    (EBin (Max : bop binary32) (EVar 0) (EIte inside num padded low)) low).
Proof.
  intros low. apply (dpia_guard_max numbers numbers_sizing 24 128); [eexists; reflexivity | loads_inside].
Qed.
