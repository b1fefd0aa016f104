(** Random (rule, graph) pairs: source patterns grown together with an instance. *)

open Gen_gsl_state

val blank : Shim_gsl.form -> Shim_gsl.pattern
val add_pattern : state -> Shim_gsl.pattern -> int

(** The node of a pattern in the instance. *)
val node : state -> int -> int

val commutes : string -> bool

(** The patterns that a pattern is made of, itself included. *)
val below_pattern : state -> int -> int list

(** One output: a pattern that can be a source. *)
val root : state -> int

(** [several s n break]: n outputs, each with a pattern in common with the ones before;
    [break = "convex"] makes one depend on another in the graph. *)
val several : state -> int -> string -> int list

(** An output sequence: the variadic pattern, its field, the outputs. *)
val variadic_source : state -> int * int * int list
