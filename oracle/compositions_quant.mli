(** Quantised operators. *)

val entries : Composition.entry list
