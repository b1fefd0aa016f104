(** Random requests of [calque-oracle opvalue]: an operator on small tensors of one element type (truth values are its 0 and 1). One in four
    has a number, a word or an input spoilt, most of these are refused. *)

val request : Rng.t -> int -> string

(** Operators, with their element types and attributes. *)
val labels : string list

(** Smaller requests of a request: those that smaller models of the operator are, where its shapes fit. *)
val smaller : string -> string Seq.t
