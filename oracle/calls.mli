(** Does a run do what its calls say, with their arguments where they lie in memory?

    The only module that touches [Extracted_calls]. *)

type verdict =
  | Equal of int * int           (** so many calls, of which so many are made in loops *)
  | Different of string          (** why that is not seen *)

(** [check text]: NAME.calls, as calque emit --certificate writes it. The error is what is not read. *)
val check : string -> (verdict, string) result
