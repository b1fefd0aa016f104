(** Random (rule, graph) pairs: conditions and targets. *)

open Gen_gsl_state

(** A condition that is true of the instance. *)
val holds : state -> Shim.expr

(** Constant tuples as tuples of constants, which is how text is read. *)
val constant_tuples : Shim.expr -> Shim.expr

(** [targets s roots]: one for each output. *)
val targets : state -> int list -> int list

(** [variadic_target s v field] for the source [v]. *)
val variadic_target : state -> int -> int -> int
