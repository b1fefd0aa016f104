(** * Headline theorem: statements that are merged for emission *)

From Calque Require Import dpia.Syntax dpia.Target emit.Flat emit.Statements.
From Calque Require dpia.CellsNormal emit.StatementsLinear.

(** What the check accepts of merged statements (loops of one iteration, ranges that are split, bounds for
    conditions, indices in normal form) runs where the plain ones run, to the same store, for any scalars
    whose equal literals and operations are told, and any sizes. *)
Theorem emit_statements_correct :
  forall A N (s : sizing N) (W : CellsNormal.laws A) (c : fstm A N) (M : list (mstm A N)) ie m m',
    statements (@StatementsLinear.ranges A N s W) c M = true -> frun ie c m = Some m' -> mruns ie M m = Some m'.
Proof. exact @StatementsLinear.statements_correct. Qed.
