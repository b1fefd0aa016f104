(** Does a functional program compute a kernel?

    The only module that touches [Extracted_validate]; of [Extracted] and [Extracted_dpia] it
    knows the terms. *)

type verdict =
  | Equal of int                  (** statements *)
  | Different of string           (** the reason *)

(** What calque dump prints: kernels, each after a line that begins with #, or one alone. *)
val kernels : string -> (string * string list) list

(** [check program lines]: a line of calque dump --stage=dpia --format=sexp against the statements of a
    kernel, one a line as --stage=kernel prints them (the element types of its tensors are not looked
    at: both sides load and store alike). None: a look-up by data. The error is what is not read. *)
val check : string -> string list -> (verdict option, string) result

(** [packed folder lines]: a block of calque dump --stage=packed, or of the certificate, whose data are in a file of the
    folder.  Does the changed kernel, with the packed data, compute what the original does? *)
val packed : string -> string list -> (verdict, string) result
