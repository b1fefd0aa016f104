(** Resize and ConvTranspose. *)

val entries : Composition.entry list
