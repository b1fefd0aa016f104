(** Random (rule, graph) pairs for differential testing of matching and rewriting.

    The graph is well typed and made of operators that mostly keep the type, so
    that any pattern has instances.  A pattern is grown together with an instance
    of it in the graph: its leaves are nodes that were there, its applications new
    nodes (operands of commutative ones in either order), its attribute constraints
    are true there; then users, other branches and other nodes are added and the
    nodes shuffled.  Such a pair is {e planted}: the rule must match with one of
    those outputs.  Or one condition is broken on purpose, or the graph is made
    again without the instance. *)

(** What a pair may contain beyond fixed patterns with one output. *)
type features = Gen_gsl_state.features = {
  several : bool;               (** several outputs *)
  variadic : bool;
  alternatives : bool;          (** Alt, Match *)
  operators : bool;             (** operator patterns *)
  conditional : bool;           (** Cond in targets *)
  families : bool;              (** comprehensions in attributes *)
  loops : bool                  (** targets that read what they replace *)
}

val all : features
val fixed : features

(** The name says what is expected: [K planted NODE..] (the instance's outputs),
    [K broken CONDITION], [K unplanted].  [None]: discarded, no graph or rule came out. *)
val case : features -> Rng.t -> int -> Gsl_batch.case option

(** What the pairs contain, counted: a name and a number. *)
val census : Gsl_batch.case list -> (string * int) list
