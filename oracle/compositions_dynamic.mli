(** DynamicQuantizeLinear. *)

val entries : Composition.entry list
