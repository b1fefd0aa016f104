(** * From a kernel to the program of its changed form

    What emission does with a kernel in two checked steps: it is changed ([Repack]), and lowered to a
    program by some strategy ([Validate]).  The program computes the original's tensors. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import kernel.Repack kernel.RepackCorrect.
From Calque Require Import base.Lists kernel.Kernel kernel.Lower kernel.LowerProof kernel.Validate kernel.ValidateProof.
From Calque Require dpia.Syntax dpia.Values dpia.CellsNormal emit.Whole.
Import ListNotations.
Open Scope nat_scope.

Section RepackProgram.
  Variable S : scalars.
  Notation A := (scalar_algebra S).
  Notation N := Syntax.numbers.

  (** [n] tensors of the changed kernel. *)
  Theorem packed_program (law : rules S) (P : packing) (laws : CellsNormal.laws A) (n : nat)
      (l : list (tid * Syntax.exp A N)) (k q : prog S) (st st' : store S) (set : nat -> bool) :
    repack law P k q = Same -> packed_store P st st' ->
    good_cells law (old_shape P) st -> good_cells law (new_shape P) st' -> numeric_cells law P st ->
    validate_all S laws (new_shape P) n l q = true -> good_store S laws (new_shape P) n st' -> (forall x, set x = true) ->
    forall t, t < n -> stores k t = true ->
      nth t (Whole.meaning (s := Syntax.numbers_sizing) set (assignments S (new_shape P) l) (held S (new_shape P) n st'))
        (@Values.junk A) =
      tree S (old_shape P t) (exec_prog k st t).
  Proof.
    intros R G1 G2 G3 G4 V G5 all t lt St.
    rewrite (validated_program S laws (new_shape P) n l q st' set V G5 all), held_nth by exact lt.
    pose proof (repack_checked law P k q R) as C. pose proof (old_out law P k q C t St) as below.
    assert (En : entry P t = None).
    { destruct (entry P t) as [e |] eqn:En; [| reflexivity]. destruct (entry_ordered law P k q C t e En) as (_ & U & _).
      congruence. }
    rewrite (same_shape law P k q C t below En). apply tree_ext. intros i _. symmetry.
    now apply (repack_correct S law P k q st st' R G1 G2 G3 G4).
  Qed.
End RepackProgram.
