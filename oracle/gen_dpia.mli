(** Random requests of [calque-oracle dpia]: well-typed programs over every constructor, half of them with size variables; one in sixteen is
    run, on random values, the others are translated. *)

val request : Rng.t -> int -> string

(** What occurs in a request: its heads, each function and strategy, element types. *)
val labels_of : string -> string list

(** Those that can occur. *)
val labels : string list
