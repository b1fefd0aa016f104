(** * Instances: the premises of [OfModel.emitted_correct] hold together for several assignments, those of
    [OfModel.range_known_sound] for a condition that fails *)

From Coq Require Import List Arith ZArith Lia.
From Calque Require kernel.Kernel dpia.Syntax dpia.Typing dpia.Values dpia.Scalars dpia.RangeKnown.
From Calque Require emit.Flat emit.Whole emit.WholeFlat.
From Calque Require theorems.Model.
Import ListNotations.
Open Scope nat_scope.

(** ** A program of two assignments: y = x + x, then the sum of y *)

Section Whole.
  Notation alg := dpia.Scalars.integers.
  Notation numbers := Syntax.numbers.
  Notation exp := (Syntax.exp alg numbers).
  Definition vector3 : Syntax.data numbers := @Syntax.DAry numbers 3 Syntax.DNum.
  Definition add (a b : exp) : exp := @Syntax.EBin alg numbers dpia.Scalars.Add a b.
  Definition params : list (Syntax.data numbers) := [vector3; vector3; Syntax.DNum].
  Definition twice_then_sum : list (@Whole.assignment alg numbers) :=
  [Whole.Assignment 1 vector3
       (@Syntax.EMap alg numbers Syntax.Par 3 Syntax.DNum (add (Syntax.EVar 0) (Syntax.EVar 0)) (Syntax.EVar 0)) false;
     Whole.Assignment 2 Syntax.DNum
       (@Syntax.ERed alg numbers 3 Syntax.DNum (add (Syntax.EVar 1) (Syntax.EVar 0)) (@Syntax.ELit alg numbers 0%Z)
          (Syntax.EVar 1)) false].
  Definition first_given (k : nat) : bool := k =? 0.
  Definition x_is : list (@Values.value alg) :=
    [Values.Arr (map (fun z => Values.Num (z : Syntax.scalar alg)) [5; 6; 7]%Z); Values.junk; Values.junk].
  Definition memory : Flat.fstore alg := fun r o =>
    match r with
    | 0 => nth_error [Some 5%Z; Some 6%Z; Some 7%Z] o
    | 1 => nth_error [None; None; None] o
    | 2 => nth_error [None] o
    | _ => None
    end.

  Lemma memory_holds : @WholeFlat.flat_holding alg numbers Syntax.numbers_sizing params first_given x_is memory.
  Proof.
    split; [reflexivity |]. split.
    - intros [| k] d w Ed Ew V; [| discriminate V]. injection Ed as <-. injection Ew as <-. split.
      + split; [reflexivity |]. intros i x E. apply nth_error_In in E.
        repeat (destruct E as [<- | E]; [exact I |]). destruct E.
      + intros [| [i | |] p] lf; cbn in lf; try tauto. destruct lf as [lt lf]. destruct p; [| destruct lf].
        unfold Syntax.count in lt. cbn in lt. destruct i as [| [| [| i]]]; try reflexivity. lia.
    - intros [| [| [| k]]] d o Ed lt; [| | | destruct k; discriminate Ed]; injection Ed as <-; cbn in lt |- *;
        apply nth_error_Some; exact lt.
  Qed.

  Definition emitted_two_applies ie :=
    theorems.Model.emitted_correct alg numbers Syntax.numbers_sizing
      (@RangeKnown.range_known numbers Syntax.numbers_sizing)
      (theorems.Model.range_known_sound numbers Syntax.numbers_sizing)
      params twice_then_sum first_given x_is memory ie
      (eq_refl true <:
       Whole.checked (@RangeKnown.range_known numbers Syntax.numbers_sizing) params first_given twice_then_sum = true)
      memory_holds.

  (** Both have a value at the end. *)
  Lemma emitted_all : map (Whole.all_set first_given twice_then_sum) [0; 1; 2] = [true; true; true].
  Proof. reflexivity. Qed.

  (** An index [i] below 5, where [i < 3] fails: i - 3 is below 2. *)
  Definition range_of_branch_applies :=
    theorems.Model.range_known_sound numbers Syntax.numbers_sizing
      (@Typing.Ctx numbers [@Syntax.TI numbers 5] [(Syntax.CCmp Kernel.CLt (Syntax.XVar 0) (Syntax.XCst 3), false)])
      (Syntax.XSub (Syntax.XVar 0) (Syntax.XCst 3)) 2 eq_refl.
End Whole.
