(** * The check of merged statements, of texts

    Literals and operations are words, as in [ValidateWords]: the check compares them and looks at no
    meaning, so that it is one function for all readings.  [calque-oracle statements] runs it. *)

From Coq Require Import String ZArith.
From Calque Require Import kernel.Kernel kernel.Lower kernel.ValidateWords dpia.Syntax dpia.Target.
From Calque Require Import emit.MiniC emit.Flat emit.Statements emit.StatementsParts emit.StatementsJudge emit.ThreadsProof.
Set Implicit Arguments.

Section Words.
  Variable M : reading.
  Notation A := (scalar_algebra (words M)).

  (** [told]: where loops are cut, which may be anywhere. *)
  Definition statements_words (told : tree numbers) (c : fstm A numbers) (m : list (mstm A numbers)) : bool :=
    statements_in_parts (s := numbers_sizing) (@ranges A numbers numbers_sizing (word_laws M)) told c m.

  (** What is accepted leaves in each place what the plain statements do, whatever the words mean. *)
  Theorem statements_words_right told (c : fstm A numbers) (m : list (mstm A numbers)) ie st st' :
    statements_words told c m = true -> frun (s := numbers_sizing) ie c st = Some st' ->
    exists st1, mruns (s := numbers_sizing) ie m st = Some st1 /\ same st' st1.
  Proof.
    exact (@statements_in_parts_right A numbers numbers_sizing _ told c m ie st st'
      (@ranges_fair A numbers numbers_sizing (word_laws M))).
  Qed.
End Words.
