(** The reader of the canonical text.

    Every scalar and every operation has exactly one spelling, and no other is
    accepted, so that text is equal when terms are.  Between tokens any number of
    blanks is read. *)

(** Nesting of parentheses, largest pattern number; more is an error. A line has any
    length. *)

val max_depth : int
val max_pattern : int

(** {1 Parts, for other readers}

    [parse s f] reads the whole of [s], a line break being a blank; the error is
    "LINE:COLUMN: expected WHAT". *)

type input

val parse : string -> (input -> 'a) -> ('a, string) result

(** [fail i what]: [what] was expected here. *)
val fail : input -> string -> 'a

val opening : input -> unit
val closing : input -> unit

(** The next character after blanks. *)
val next : input -> char

(** [until_closed i item]: items up to the closing parenthesis, and that. *)
val until_closed : input -> (input -> 'a) -> 'a list

(** A maximal run of characters other than blanks, quotes and parentheses. *)
val atom : input -> string

val quoted : input -> string
val number : input -> int
val label : input -> string
val value : input -> Shim.value
val expr : input -> Shim.expr

(** {1 Requests} *)

(** One line; the error is "COLUMN: expected WHAT", columns from 1. *)
val request : string -> (Text.request, string) result
