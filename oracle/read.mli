(** The reader of the canonical text.

    Every scalar and every operation has exactly one spelling, and no other is
    accepted, so that text is equal when terms are.  Between tokens any number of
    blanks is read. *)

(** Bytes in a line, nesting of parentheses, largest pattern number; more is an
    error. *)

val max_length : int
val max_depth : int
val max_pattern : int

(** One line; the error is "COLUMN: expected WHAT", columns from 1. *)
val request : string -> (Text.request, string) result
