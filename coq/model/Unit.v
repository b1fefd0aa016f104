(** * An emitted unit, and what its run does

    A unit is a list of calls of functions of mini-C and of look-ups, an arena in which
    temporaries lie at offsets, and weights.  Memory is arrays by number: the arena, the
    weights, each input, and the variables that functions declare.  A call runs the function's
    body on the places that it is handed, in 64-bit indices; a look-up ends the run with an
    error where an index that it reads is outside of the dimension.  What is out of bounds,
    overflows, races, or reads a place that has no value, is stuck. *)

From Coq Require Import Bool List Arith NArith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Lower kernel.Lookup.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs.
From Calque Require Import model.Function.
From Calque Require dpia.Syntax dpia.Target emit.Flat emit.Machine emit.Relocate.
Import ListNotations.
Open Scope nat_scope.

(** ** Arrays *)

Definition arena : nat := 0.
Definition weights_array : nat := 1.
Definition input_array (k : N) : nat := 2 + 2 * N.to_nat k.
Definition local_array (r : nat) : nat := 3 + 2 * r.
Definition is_local (q : nat) : bool := (3 <=? q) && Nat.odd q.

(** A tensor in memory: where its array begins, and its sizes.  Numbers tell places apart
    that follow each other at one address. *)
Record place := Place { p_id : nat; p_array : nat; p_base : nat; p_dims : sizes }.

(** Array, first place, number of places. *)
Definition window : Type := nat * nat * nat.
Definition window_of (p : place) : window := (p_array p, p_base p, cell_count (p_dims p)).

Definition disjoint (v w : window) : bool :=
  let '(q, b, n) := v in let '(q', b', n') := w in
  negb (q =? q') || (b + n <=? b') || (b' + n' <=? b).

Fixpoint pairwise {X} (r : X -> X -> bool) (l : list X) : bool :=
  match l with [] => true | x :: l' => forallb (r x) l' && pairwise r l' end.

(** Where parameter [r] of a function is, that is handed [args]. *)
Definition argument (args : list place) (r : nat) : nat * nat :=
  match nth_error args r with
  | Some p => (p_array p, p_base p)
  | None => (local_array r, 0)
  end.

(** ** How a run ends *)

Inductive outcome (X : Type) : Type :=
  | Finished (x : X)
  | OutOfRange               (** an index of a look-up is outside: a status of the C function *)
  | Stuck.                   (** behaviour that C leaves undefined *)

Arguments Finished {X}.
Arguments OutOfRange {X}.
Arguments Stuck {X}.

Definition sure {X} (o : option X) : outcome X := match o with Some x => Finished x | None => Stuck end.
Definition and_then {X Y} (o : outcome X) (f : X -> outcome Y) : outcome Y :=
  match o with Finished x => f x | OutOfRange => OutOfRange | Stuck => Stuck end.

(** One after the other. *)
Fixpoint each {X M} (f : X -> M -> outcome M) (l : list X) (m : M) : outcome M :=
  match l with [] => Finished m | x :: l' => and_then (f x m) (each f l') end.

(** ** The body of a call, of a function over any scalars *)

Definition room (n : Syntax.size Syntax.numbers) : Z := Z.of_nat n.
Definition start : Target.ienv := fun _ => 0%Z.

Section Body.
  Variable K : scalars.
  Notation A := (scalar_algebra K).
  Notation N' := Syntax.numbers.
  Notation function := (function K).

  Definition call_body (f : function) (args : list place) : Flat.fstm A N' :=
    Relocate.relocate (argument args) (f_body f).

  (** *** The test of a call

      What is written lies in the arena and overlaps nothing else that the call is handed;
      indices fit. *)

  Fixpoint widest (c : Flat.fstm A N') : Z :=
    match c with
    | Flat.FSeq a b | Flat.FIf _ a b => Z.max (widest a) (widest b)
    | Flat.FBlock _ _ b => widest b
    | Flat.FFor _ _ n b => Z.max (room n) (widest b)
    | _ => 0%Z
    end.

  Definition function_ok (size : nat) (f : function) (args : list place) : bool :=
    let n := length (f_params f) in
    let ins := map window_of (firstn (f_inputs f) args) in
    let outs := map window_of (skipn (f_inputs f) args) in
    let body := call_body f args in
    all2 (fun d p => all2 Nat.eqb d (p_dims p)) (f_params f) args &&
    forallb (fun p => negb (is_local (p_array p))) args &&
    forallb (fun w => let '(q, b, k) := w in (q =? arena) && (b + k <=? size)) outs &&
    pairwise disjoint outs && forallb (fun w => forallb (disjoint w) ins) outs &&
    Relocate.sets_only n (fun r => f_inputs f <=? r) (f_body f) &&
    Machine.fits room (widest body) body.

End Body.

Arguments call_body {K}.
Arguments widest {K}.
Arguments function_ok {K}.

Section Unit.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation A := (scalar_algebra K).
  Notation N' := Syntax.numbers.
  Notation tensor := (tensor (num S)).
  Notation function := (function K).
  Notation memory := (Flat.fstore A).

  (** [Fetch l x ix y]: the cells of [y] are those of [x] that the numbers in [ix] say. *)
  Inductive call :=
    | Call (callee : function) (handed : list place)
    | Fetch (l : look) (x ix y : place).

  Record unit_ := Unit {
    u_calls : list call;
    u_arena : nat;                (** how many numbers the arena has *)
    u_weights : list (num S);
    u_outputs : list place
  }.

  (** *** A look-up: all its indices are tested, in order, and then its cells are copied *)

  Definition cell_at (m : memory) (p : place) (i : list Z) : option (num S) :=
    if in_box (p_dims p) i then
      match m (p_array p) (p_base p + position (p_dims p) i) with Some (Some a) => Some a | _ => None end
    else None.

  Definition put_at (p : place) (i : list Z) (a : num S) (m : memory) : option memory :=
    let o := p_base p + position (p_dims p) i in
    match in_box (p_dims p) i, m (p_array p) o with
    | true, Some _ => Some (Flat.fset m (p_array p) o a)
    | _, _ => None
    end.

  (** The number at [j], counted from the front of the dimension. *)
  Definition read_index (l : look) (ix : place) (j : list Z) (m : memory) : outcome Z :=
    and_then (sure (cell_at m ix j)) (fun a =>
      match (let? z := s_index S a in counted (lsize l) z) with Some z => Finished z | None => OutOfRange end).

  Definition test_index (l : look) (ix : place) (j : list Z) (m : memory) : outcome memory :=
    and_then (read_index l ix j m) (fun _ => Finished m).

  Definition copy_cell (l : look) (x ix y : place) (i : list Z) (m : memory) : outcome memory :=
    and_then (read_index l ix (where_at l i) m) (fun z =>
    and_then (sure (cell_at m x (from_at l i z))) (fun a => sure (put_at y i a m))).

  (** Positions, and the size of the dimension, in 64 bits. *)
  Definition look_fits (l : look) (x ix y : place) : bool :=
    forallb (fun n => Z.of_nat n <? Machine.limit)%Z (lsize l :: map (fun p => cell_count (p_dims p)) [x; ix; y]).

  Definition run_look (l : look) (x ix y : place) (m : memory) : outcome memory :=
    if look_fits l x ix y
    then and_then (each (test_index l ix) (box (p_dims ix)) m) (each (copy_cell l x ix y) (box (p_dims y)))
    else Stuck.

  Definition run_call (c : call) (m : memory) : outcome memory :=
    match c with
    | Call f args => sure (Machine.frun64 (s := Syntax.numbers_sizing) room start (call_body f args) m)
    | Fetch l x ix y => run_look l x ix y m
    end.

  Definition run_calls : list call -> memory -> outcome memory := each run_call.

  Definition at_place (l : list (num S)) (o : nat) : Target.cell (A := A) :=
    option_map Some (nth_error l o).

  (** Nothing has a value in the arena yet. *)
  Definition loaded (u : unit_) (inputs : N -> option tensor) : memory := fun q o =>
    if q =? arena then (if o <? u_arena u then Some None else None)
    else if q =? weights_array then at_place (u_weights u) o
    else if Nat.even q then
      match inputs (N.of_nat ((q - 2) / 2)) with Some t => at_place (cells t) o | None => None end
    else None.

  Definition read_place (m : memory) (p : place) : option tensor :=
    let? l := traverse (fun o => match m (p_array p) (p_base p + o) with Some (Some x) => Some x | _ => None end)
                       (seq 0 (cell_count (p_dims p))) in
    Some (Tensor (p_dims p) l).

  Definition run_unit (u : unit_) (inputs : N -> option tensor) : outcome (list tensor) :=
    and_then (run_calls (u_calls u) (loaded u inputs)) (fun m => sure (traverse (read_place m) (u_outputs u))).

  (** Its run cannot end with an index outside. *)
  Definition no_fetches (u : unit_) : bool :=
    forallb (fun c => match c with Call _ _ => true | Fetch _ _ _ _ => false end) (u_calls u).

  Definition look_ok (size : nat) (l : look) (x ix y : place) : bool :=
    (p_array y =? arena) && (p_base y + cell_count (p_dims y) <=? size) &&
    disjoint (window_of y) (window_of x) && disjoint (window_of y) (window_of ix) && look_fits l x ix y.
End Unit.

Arguments Call {S}.
Arguments Fetch {S}.
Arguments Unit {S}.
Arguments u_calls {S}.
Arguments u_arena {S}.
Arguments u_weights {S}.
Arguments u_outputs {S}.
Arguments cell_at {S}.
Arguments put_at {S}.
Arguments read_index {S}.
Arguments test_index {S}.
Arguments copy_cell {S}.
Arguments run_look {S}.
Arguments run_call {S}.
Arguments run_calls {S}.
Arguments loaded {S}.
Arguments read_place {S}.
Arguments run_unit {S}.
Arguments no_fetches {S}.
