(** Operators that reduce along axes or add up along one, and those that write updates. *)

val entries : Composition.entry list
