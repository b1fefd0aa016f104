(** * An emitted unit, and what its run does

    A unit is a list of calls of functions of mini-C, an arena in which temporaries lie at
    offsets, and weights.  Memory is arrays by number: the arena, the weights, each input,
    and the variables that functions declare.  A call runs the function's body on the places
    that it is handed, in 64-bit indices; what is out of bounds, overflows, races, or reads
    a place that has no value, is stuck. *)

From Coq Require Import Bool List Arith NArith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Lower.
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

Section Unit.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation A := (scalar_algebra K).
  Notation N' := Syntax.numbers.
  Notation tensor := (tensor (num S)).
  Notation function := (function K).
  Notation memory := (Flat.fstore A).

  Record call := Call { callee : function; handed : list place }.

  Record unit_ := Unit {
    u_calls : list call;
    u_arena : nat;                (** how many numbers the arena has *)
    u_weights : list (num S);
    u_outputs : list place
  }.

  Definition room (n : Syntax.size N') : Z := Z.of_nat n.

  Definition call_body (c : call) : Flat.fstm A N' :=
    Relocate.relocate (argument (handed c)) (f_body (callee c)).

  Definition start : Target.ienv := fun _ => 0%Z.

  Definition run_call (m : memory) (c : call) : option memory :=
    Machine.frun64 (s := Syntax.numbers_sizing) room start (call_body c) m.

  Fixpoint run_calls (l : list call) (m : memory) : option memory :=
    match l with
    | [] => Some m
    | c :: l' => let? m' := run_call m c in run_calls l' m'
    end.

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

  Definition run_unit (u : unit_) (inputs : N -> option tensor) : option (list tensor) :=
    let? m := run_calls (u_calls u) (loaded u inputs) in traverse (read_place m) (u_outputs u).

  (** ** The test of a call

      What is written lies in the arena and overlaps nothing else that the call is handed;
      indices fit. *)

  Fixpoint widest (c : Flat.fstm A N') : Z :=
    match c with
    | Flat.FSeq a b | Flat.FIf _ a b => Z.max (widest a) (widest b)
    | Flat.FBlock _ _ b => widest b
    | Flat.FFor _ _ n b => Z.max (room n) (widest b)
    | _ => 0%Z
    end.

  Definition call_ok (size : nat) (c : call) : bool :=
    let f := callee c in
    let n := length (f_params f) in
    let ins := map window_of (firstn (f_inputs f) (handed c)) in
    let outs := map window_of (skipn (f_inputs f) (handed c)) in
    let body := call_body c in
    all2 (fun d p => all2 Nat.eqb d (p_dims p)) (f_params f) (handed c) &&
    forallb (fun p => negb (is_local (p_array p))) (handed c) &&
    forallb (fun w => let '(q, b, k) := w in (q =? arena) && (b + k <=? size)) outs &&
    pairwise disjoint outs && forallb (fun w => forallb (disjoint w) ins) outs &&
    Relocate.sets_only n (fun r => f_inputs f <=? r) (f_body f) &&
    Machine.fits room (widest body) body.
End Unit.

Arguments Call {S}.
Arguments callee {S}.
Arguments handed {S}.
Arguments Unit {S}.
Arguments u_calls {S}.
Arguments u_arena {S}.
Arguments u_weights {S}.
Arguments u_outputs {S}.
Arguments call_body {S}.
Arguments run_call {S}.
Arguments run_calls {S}.
Arguments loaded {S}.
Arguments read_place {S}.
Arguments run_unit {S}.
Arguments widest {S}.
Arguments call_ok {S}.
