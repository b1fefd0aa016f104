(** Do merged statements do what the plain ones do?

    The only module that touches [Extracted_statements]. *)

type verdict =
  | Equal
  | Plain                (** the plain ones are emitted *)
  | Different

(** [check lines]: a block of NAME.statements, as calque emit --certificate writes it. Parallel loops and blocks are taken as they
    run in sequence. The error is what is not read. *)
val check : string list -> (verdict, string) result
