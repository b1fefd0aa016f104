(** Operators of a few steps. *)

val entries : Composition.entry list
