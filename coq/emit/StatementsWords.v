(** * The check of merged statements, of texts

    Literals and operations are words, as in [ValidateWords]: the check compares them and looks at no
    meaning, so that it is one function for all readings.  [calque-oracle statements] runs it. *)

From Coq Require Import String ZArith.
From Calque Require Import kernel.Kernel kernel.Lower kernel.ValidateWords dpia.Syntax dpia.Target.
From Calque Require Import emit.MiniC emit.Flat emit.Statements emit.StatementsLinear.
Set Implicit Arguments.

Section Words.
  Variable M : reading.
  Notation A := (scalar_algebra (words M)).

  Definition statements_words (c : fstm A numbers) (m : list (mstm A numbers)) : bool :=
    statements (s := numbers_sizing) (@ranges A numbers numbers_sizing (word_laws M)) c m.

  (** What is accepted does what the plain statements do, whatever the words mean. *)
  Theorem statements_words_right (c : fstm A numbers) (m : list (mstm A numbers)) ie s s' :
    statements_words c m = true -> frun (s := numbers_sizing) ie c s = Some s' ->
    mruns (s := numbers_sizing) ie m s = Some s'.
  Proof. exact (@statements_correct A numbers numbers_sizing (word_laws M) c m ie s s'). Qed.
End Words.
