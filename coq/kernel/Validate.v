(** * Does a functional program compute a kernel's statement?

    A strategy may tile, exchange, merge and guard as it likes: here its result is checked.
    The program is typed, the statement reads inside of its tensors, and their cells are the
    same up to what [CellsNormal] sees.  Tensor [t] of the statement is variable [t] of the
    program. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require Import kernel.Kernel kernel.Wf kernel.Lower.
From Calque Require dpia.Syntax dpia.Typing dpia.Range dpia.RangeKnown.
From Calque Require dpia.Cells dpia.CellsForm dpia.CellsNormal.
Import ListNotations.
Open Scope nat_scope.

(** What is wrong, or nothing. *)
Inductive verdict :=
  | Valid
  | Untyped                (** the program has not the type of the output *)
  | Outside                (** the statement may read outside of a tensor *)
  | Unread                 (** a cell of the program, or of the statement, is not read *)
  | Differs.               (** the cells are not seen to be the same *)

Section Validate.
  Variable S : scalars.
  Notation A := (scalar_algebra S).
  Notation exp := (Syntax.exp A Syntax.numbers).
  Variable law : CellsNormal.laws A.
  (** The dimensions of every tensor. *)
  Variable shape : tid -> list nat.

  (** [n] tensors. *)
  Definition tensors (n : nat) : list (Syntax.data Syntax.numbers) := map (fun t => array (shape t)) (seq 0 n).

  Definition range (G : Typing.ctx Syntax.numbers) (i : Syntax.ix Syntax.numbers) (m : nat) : bool :=
    @RangeKnown.range_known Syntax.numbers Syntax.numbers_sizing G i m.

  Definition cells (n : nat) (dims : list nat) (e : exp) : option (Cells.cell A) :=
    Cells.cells CellsForm.tidy n dims e.

  Definition validate (n : nat) (p : exp) (s : stmt S) : verdict :=
    match @Typing.infer A Syntax.numbers range (Typing.closed (tensors n)) p with
    | Some d =>
        if Typing.data_eqb d (array (dims s)) then
          if wf_stmt shape s && forallb (fun t => t <? n) (loads (body s)) then
            match lower_stmt S shape (fun t => t) s with
            | Some k =>
                match cells n (dims s) p, cells n (dims s) k with
                | Some c, Some c' => if CellsNormal.cell_eq law (dims s) c c' then Valid else Differs
                | _, _ => Unread
                end
            | None => Unread
            end
          else Outside
        else Untyped
    | None => Untyped
    end.

  (** A program of several assignments, each of a tensor, and the statements in their order. *)
  Fixpoint validate_all (n : nat) (l : list (tid * exp)) (k : prog S) : bool :=
    match l, k with
    | [], [] => true
    | (t, p) :: l, s :: k =>
        (t =? out s) && (t <? n) && match validate n p s with Valid => true | _ => false end && validate_all n l k
    | _, _ => false
    end.
End Validate.
