(** * Instances: the premises of the theorems on checked emission hold together

    [NAME_applies] is the theorem NAME of [theorems.Cells] at a sum of squares under a guard:

      Y<4>[i] = sum(a<2,b<3) select(i + b >= 1, X<4,6>[i,3*a+b] * X<4,6>[i,3*a+b], 0)

    by a program in tiles of two rows, each with an array of accumulators, one fold over all 6
    terms, and a guard around the addition; over binary32. *)

From Coq Require Import List Arith Lia Bool String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Kernel kernel.Lower kernel.LowerProof kernel.Validate kernel.ValidateProof kernel.ValidateWords.
From Calque Require base.FloatSum dpia.Syntax dpia.Typing dpia.Values dpia.RangeKnown.
From Calque Require dpia.Cells dpia.CellsProof dpia.CellsForm dpia.CellsNormal dpia.CellsNormalProof theorems.Cells.
Import ListNotations.
Open Scope string_scope.

Definition decode (s : string) : spec_float := if s =? "-inf" then S754_infinity true else S754_zero false.

Lemma decode_settled s : FloatSum.settled 24 128 (decode s).
Proof. unfold decode. now destruct (s =? "-inf"). Qed.

(** binary32; other functions are not used. *)
Definition single : reading :=
  floats 24 128 eq_refl decode (fun _ x => x) (fun _ x _ => x) eq_refl eq_refl decode_settled
    (fun _ x H => H) (fun _ x y H _ => H).

Notation A := (scalar_algebra (words single)).
Notation N := Syntax.numbers.
Notation exp := (Syntax.exp A N).

Definition plus (a b : exp) : exp := @Syntax.EBin A N (BOp (words single) "+") a b.
Definition times (a b : exp) : exp := @Syntax.EBin A N (BOp (words single) "*") a b.
Definition nought : exp := @Syntax.ELit A N (inl "0x0p+0").
Definition at_ (e : exp) (i : Syntax.ix N) : exp := Syntax.EIdx e i.
Definition gen (n : nat) (d : Syntax.data N) (f : exp) : exp := @Syntax.EGen A N Syntax.Seq n d f.
Definition two : Syntax.data N := @Syntax.DAry N 2 Syntax.DNum.

Definition row : Syntax.ix N := Syntax.XAdd (Syntax.XMul (Syntax.XVar 3) 2) (Syntax.XVar 0).
Definition loaded : exp := at_ (at_ (Syntax.EVar 4) row) (Syntax.XVar 2).
Definition running : exp := at_ (Syntax.EVar 1) (Syntax.XVar 0).
Definition tiled : exp :=
  @Syntax.EJoin A N 2 2 (gen 2 two
    (Syntax.ELet two
      (@Syntax.EFold A N 6 two
        (gen 2 Syntax.DNum
          (Syntax.EIte (Syntax.CCmp CGe (Syntax.XAdd row (Syntax.XMod (Syntax.XVar 2) 3)) (Syntax.XCst 1)) Syntax.DNum
             (plus running (times loaded loaded)) running))
        (gen 2 Syntax.DNum nought))
      (gen 2 Syntax.DNum running))).

Definition squares : stmt (words single) :=
  let x := @ELd (words single) 0 [IVar 2; IAdd (IMul (IVar 0) 3) (IVar 1)] in
  @Stmt (words single) 1 [4]
    (@ERed (words single) ("+", "0x0p+0") [2; 3]
      (@ESel (words single) (CCmp CGe (IAdd (IVar 2) (IVar 1)) (ICst 1)) (@EBin (words single) "*" x x) (@ECst (words single) "0x0p+0"))).

Definition shapes (t : tid) : list nat := nth t [[4; 6]; [4]] [].
(** Any numbers; here they are 0 and 1. *)
Definition store_ : store (words single) := fun t i => if (Z.even (hd 0%Z i)) then S754_zero false else S754_finite false 8388608 (-23).

Lemma store_settled t i : usual single (store_ t i).
Proof. cbn. unfold store_. destruct (Z.even _); cbn; [exact I | discriminate]. Qed.

Lemma tiled_valid : validate_words single shapes 2 tiled squares = Valid.
Proof. vm_compute. reflexivity. Qed.

Definition validated_words_applies :=
  Cells.validated_words single shapes 2 tiled squares store_ tiled_valid (fun t i _ _ => store_settled t i).

Notation law := (word_laws single).

Lemma store_good : good_store (words single) law shapes 2 store_.
Proof. intros t i _ _. apply store_settled. Qed.

Definition validated_correct_applies :=
  Cells.validated_correct (words single) law shapes 2 tiled squares store_ tiled_valid store_good.

(** The same cells with their indices written otherwise. *)
Definition squares_too : stmt (words single) :=
  let x := @ELd (words single) 0 [IVar 2; IAdd (IVar 1) (IMul (IVar 0) 3)] in
  @Stmt (words single) 1 [4]
    (@ERed (words single) ("+", "0x0p+0") [2; 3]
      (@ESel (words single) (CCmp CGe (IAdd (IVar 1) (IVar 2)) (ICst 1)) (@EBin (words single) "*" x x) (@ECst (words single) "0x0p+0"))).

Lemma tiled_valid_too : validate (words single) law shapes 2 tiled squares_too = Valid.
Proof. vm_compute. reflexivity. Qed.

Definition validated_twice_applies :=
  Cells.validated_twice (words single) law shapes 2 tiled squares squares_too store_ tiled_valid tiled_valid_too store_good.

(** A program that reads another cell, or leaves out the guard, is refused. *)
Definition unguarded : exp :=
  @Syntax.EJoin A N 2 2 (gen 2 two
    (@Syntax.EFold A N 6 two (gen 2 Syntax.DNum (plus running (times loaded loaded))) (gen 2 Syntax.DNum nought))).
Example unguarded_refused : validate_words single shapes 2 unguarded squares = Differs.
Proof. vm_compute. reflexivity. Qed.

Lemma all_valid : validate_all (words single) law shapes 2 [(1, tiled)] [squares] = true.
Proof. vm_compute. reflexivity. Qed.

Definition validated_program_applies :=
  Cells.validated_program (words single) law shapes 2 [(1, tiled)] [squares] store_ (fun _ => true)
    all_valid store_good (fun _ => eq_refl).

Lemma tiled_typed : Typing.ty (s := Syntax.numbers_sizing) (Typing.closed (tensors shapes 2)) tiled (array [4]).
Proof.
  apply (Typing.infer_sound range (@RangeKnown.range_known_sound N Syntax.numbers_sizing)). vm_compute. reflexivity.
Qed.

Definition tiled_cell : Cells.cell A := match cells (words single) 2 [4] tiled with Some c => c | None => Cells.CAcc 0 end.
Lemma tiled_read : match cells (words single) 2 [4] tiled with Some _ => true | None => false end = true.
Proof. vm_compute. reflexivity. Qed.

Definition values : list (Values.value A) := held (words single) shapes 2 store_.

Lemma third : Forall2 lt [3] [4].
Proof. repeat constructor. Qed.

Example cells_correct_applies :
  Values.look (Values.eval (s := Syntax.numbers_sizing) values tiled) [Values.At 3] = Cells.cval values (at_cell [3]) tiled_cell.
Proof.
  apply (Cells.cells_correct A (tensors shapes 2) values [4] tiled tiled_cell [3] tiled_typed
           (held_typed (words single) shapes 2 store_) third).
  change (cells (words single) 2 [4] tiled = Some tiled_cell). pose proof tiled_read as E. unfold tiled_cell.
  destruct (cells (words single) 2 [4] tiled); [reflexivity | discriminate].
Qed.

(** The cell of the statement, lowered as it stands. *)
Definition plain_cell : Cells.cell A :=
  match lower_stmt (words single) shapes (fun t => t) squares with
  | Some k => match cells (words single) 2 [4] k with Some c => c | None => Cells.CAcc 0 end
  | None => Cells.CAcc 0
  end.

Example cell_eq_right_applies :
  Cells.cval values (at_cell [3]) tiled_cell = Cells.cval values (at_cell [3]) plain_cell.
Proof.
  apply (Cells.cell_eq_right A law values [4] (at_cell [3]) tiled_cell plain_cell).
  - apply held_good. exact store_good.
  - vm_compute. reflexivity.
  - exact (within_cell _ _ third).
  - intros l x E. discriminate.
Qed.
