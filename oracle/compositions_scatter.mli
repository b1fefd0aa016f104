(** Updates of slices and of cells. *)

val entries : Composition.entry list
