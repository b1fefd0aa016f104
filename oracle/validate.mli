(** Does a functional program compute a kernel?

    The only module that touches [Extracted_validate]; of [Extracted] and [Extracted_dpia] it
    knows the terms. *)

type verdict =
  | Equal of int                  (** statements *)
  | Different of string           (** the reason *)

(** [check program lines]: the program, read by {!program}, against the statements of a kernel,
    one a line as calque dump prints them (the element types of its tensors are not looked at:
    both sides load and store alike). The error is a kernel that is not read. *)
val check : Shim_dpia.program -> string list -> (verdict, string) result

(** The S-expression that calque dump prints. *)
val program : string -> (Shim_dpia.program, string) result
