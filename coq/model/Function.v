(** * A kernel program as a function of mini-C

    The parameters are its inputs and then what its statements store, each a row-major
    array.  [compile_function] lowers each statement to an assignment and prints the
    assignments as the oracle does ([Whole.emitted]); it refuses what it cannot lower, and a
    program that reads a tensor before it is stored. *)

From Coq Require Import Bool List Arith ZArith Lia.
From Calque Require Import base.Lists kernel.Kernel kernel.Lower.
From Calque Require dpia.Syntax emit.Flat emit.Whole.
From Calque Require Import tensor.Attrs.
Import ListNotations.
Open Scope nat_scope.

Section Function.
  Variable S : scalars.
  Notation A := (scalar_algebra S).
  Notation N := Syntax.numbers.
  Notation stmt := (Kernel.stmt S).
  Notation assignment := (@Whole.assignment A N).

  (** The tensors of a program, with their sizes: those that it is given, those it stores. *)
  Definition stored (p : list stmt) : list (tid * sizes) := map (fun s => (out s, Kernel.dims s)) p.
  Definition tensors (ins : list (tid * sizes)) (p : list stmt) : list (tid * sizes) := ins ++ stored p.

  (** The number of a tensor as a parameter, and its sizes. *)
  Definition param (ts : list (tid * sizes)) (t : tid) : nat := place_of t (map fst ts).
  Definition shape_in (ts : list (tid * sizes)) (t : tid) : sizes := nth (param ts t) (map snd ts) [].

  Definition assign (ts : list (tid * sizes)) (s : stmt) : option assignment :=
    let? e := lower_stmt S (shape_in ts) (param ts) s in
    Some (Whole.Assignment (param ts (out s)) (array (Kernel.dims s)) e false).

  (** Each statement reads tensors that have a value, and stores one that has none. *)
  Fixpoint reads_known (known : list tid) (p : list stmt) : bool :=
    match p with
    | [] => true
    | s :: p' =>
        forallb (fun t => existsb (Nat.eqb t) known) (loads (body s)) &&
        negb (existsb (Nat.eqb (out s)) known) && reads_known (out s :: known) p'
    end.

  Record function := Func {
    f_params : list sizes;        (** inputs first *)
    f_inputs : nat;
    f_body : Flat.fstm A N
  }.

  Definition given_first (n : nat) : nat -> bool := fun k => k <? n.

  Definition compile_function (ins : list (tid * sizes)) (p : list stmt) : option function :=
    let ts := tensors ins p in
    let params := map (fun td => array (snd td)) ts in
    let set := given_first (length ins) in
    if distinct (map fst ts) && reads_known (map fst ins) p then
      let? l := traverse (assign ts) p in
      Some (Func (map snd ts) (length ins) (Whole.emitted params (Whole.translate_all params set l)))
    else None.
End Function.

Arguments stored {S}.
Arguments tensors {S}.
Arguments assign {S}.
Arguments reads_known {S}.
Arguments Func {S}.
Arguments f_params {S}.
Arguments f_inputs {S}.
Arguments f_body {S}.
Arguments compile_function {S}.
