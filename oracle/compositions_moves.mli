(** Operators that move and repeat cells, and constants. *)

val entries : Composition.entry list
