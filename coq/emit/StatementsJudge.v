(** * The judge of merged statements, where equal literals and operations are told *)

From Calque Require Import dpia.Syntax dpia.Target emit.MiniC emit.Flat emit.Statements emit.StatementsProof.
From Calque Require Import emit.StatementsLinear.
From Calque Require Import dpia.CellsNormal.
Set Implicit Arguments.

Definition ranges (A : algebra) (N : sizes) (s : sizing N) (W : laws A) : judge A N :=
  Judge (@same_number N s) (@decision N s) (@total N s) (CellsNormal.lit_same W) (CellsNormal.uop_same W)
    (CellsNormal.bop_same W).

Lemma ranges_fair (A : algebra) (N : sizes) (s : sizing N) (W : laws A) : fair (s := s) (@ranges A N s W).
Proof.
  split; cbn.
  - intros q F x y z K S E. exact (@same_number_right N s q F x y z K S E).
  - intros q F c b h K D E. exact (@decision_right N s q F c b h K D E).
  - intros q F k K T. exact (@total_right N s q F K k T).
  - apply lit_same_right.
  - apply uop_same_right.
  - apply bop_same_right.
Qed.

(** What is accepted with ranges does what the plain program does. *)
Theorem statements_correct (A : algebra) (N : sizes) (s : sizing N) (W : laws A) (c : fstm A N) (M : list (mstm A N)) ie m m' :
  statements (@ranges A N s W) c M = true -> frun ie c m = Some m' -> mruns ie M m = Some m'.
Proof. exact (@statements_right A N s _ (@ranges_fair A N s W) c M ie m m'). Qed.
