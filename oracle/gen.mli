(** Random requests for differential testing.

    Generation is typed and guided by evaluation, so that about half of the
    expressions have a value: some requests are built to succeed, in the others
    every node may get an operand of the wrong kind or an index out of range.
    The sequence depends on the state of the generator of numbers only. *)

val request : Rng.t -> Text.request

(** The same over the whole language; [request] keeps to the part without
    symbols, instances, comprehensions, choices and functions. *)
val request_full : Rng.t -> Text.request
