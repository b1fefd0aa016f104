(** * Headline theorems: statements that are merged for emission; the calls of a run, and memory *)

From Coq Require Import List NArith.
From Calque Require Import dpia.Syntax dpia.Target emit.Flat emit.Statements.
From Calque Require dpia.CellsNormal emit.StatementsJudge emit.StatementsParts emit.StatementsWords.
From Calque Require kernel.Lower kernel.ValidateWords.
From Calque Require Import emit.Calls.

(** What the check accepts of merged statements (loops of one iteration, ranges that are split, bounds for
    conditions, indices in normal form) runs where the plain ones run, to the same store, for any scalars
    whose equal literals and operations are told, and any sizes. *)
Theorem emit_statements_correct :
  forall A N (s : sizing N) (W : CellsNormal.laws A) (c : fstm A N) (M : list (mstm A N)) ie m m',
    statements (@StatementsJudge.ranges A N s W) c M = true -> frun ie c m = Some m' -> mruns ie M m = Some m'.
Proof. exact @StatementsJudge.statements_correct. Qed.

(** The same where loops are cut in parts first, as [told] says, whatever that is: parts of the body of a parallel loop in
    loops that follow one another, loops that end at bounds that are no numbers.  The merged statements run one after the
    other, and leave in each place what the plain ones do. *)
Theorem emit_statements_in_parts :
  forall A N (s : sizing N) (W : CellsNormal.laws A) (told : StatementsParts.tree N) (c : fstm A N) (M : list (mstm A N)) ie m m',
    StatementsParts.statements_in_parts (@StatementsJudge.ranges A N s W) told c M = true -> frun ie c m = Some m' ->
    exists m1, mruns ie M m = Some m1 /\ forall r k, m' r k = m1 r k.
Proof.
  intros A N s W told c M ie m m' S E.
  exact (@StatementsParts.statements_in_parts_right A N s _ told c M ie m m' (@StatementsJudge.ranges_fair A N s W) S E).
Qed.

(** [calque-oracle statements] is this check of texts, whose literals and operations are words, whatever these mean. *)
Theorem emit_statements_words :
  forall (M : ValidateWords.reading) told (c : fstm (Lower.scalar_algebra (ValidateWords.words M)) numbers) m ie st st',
    StatementsWords.statements_words told c m = true -> frun (s := numbers_sizing) ie c st = Some st' ->
    exists st1, mruns (s := numbers_sizing) ie m st = Some st1 /\ forall r k, st' r k = st1 r k.
Proof. intros M told c m ie st st'. exact (@StatementsWords.statements_words_right M told c m ie st st'). Qed.

(** What [calque-oracle calls] accepts of a run (calls one after the other and in loops, their arguments places in the arena, the
    weights, inputs and outputs) leaves, whatever the functions are, each result where the caller finds it: the bytes that the calls
    leave when every tensor has memory of its own. *)
Theorem emit_calls_correct :
  forall byte (meaning : N -> list (list byte) -> nat -> N -> byte) regions given cs is results s t,
    calls_hold regions given cs is results = true ->
    (forall a b, In (a, b) given -> contents t b = contents s a) ->
    forall a b, In (a, b) results -> contents (run_items meaning t is) b = contents (run_calls meaning s cs) a.
Proof. exact @calls_correct. Qed.

(** Each of its calls reads and writes inside the regions, and reads nothing that it writes. *)
Theorem emit_calls_inside :
  forall regions given cs is results,
    calls_hold regions given cs is results = true -> Forall (sound_call regions) (flat_map calls_of is).
Proof. exact calls_inside. Qed.
