(** Attention and RotaryEmbedding. *)

val entries : Composition.entry list
