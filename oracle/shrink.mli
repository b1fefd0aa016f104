(** Smaller texts of a text made of S-expressions, for requests that fail: without a term or half of a list, with one of a
    term's parts or a plain word in its place. What comes first leaves out most. Each is less than the text, first by
    length, then in the order of strings, so that shrinking ends. The text need not be well formed. [instead]: what else may stand for a term. *)

val smaller : ?instead:(string -> string list) -> string -> string Seq.t

(** Terms: words, and lists, whose first word is their name and not counted again. *)
val nodes : string -> int

(** The same of a request of lines, statements behind its first: without one, with a smaller expression in one. *)
val smaller_lines : string -> string Seq.t
