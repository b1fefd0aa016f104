(** Smaller requests of [calque-oracle dpia]: without an assignment, a parameter, a size or a condition, with a part of an expression or a
    literal in its place. Each is shorter, and its program is well typed: another may run for ever, on any size. *)

val smaller : string -> string Seq.t
