(** The canonical text of the attr room: the one spelling of every term. *)

type request =
  | Eval of Shim.expr * Shim.entry list
  | Match of Shim.expr * Shim.entry list * Shim.value

val value_to_string : Shim.value -> string
val string_to_string : string -> string
val expr_to_string : Shim.expr -> string
val request_to_string : request -> string
