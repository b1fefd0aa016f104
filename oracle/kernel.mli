(** Index-notation kernels: canonical text, inlining, evaluation.

    Reads the text that "calque dump" prints for a kernel and prints the same.  What
    is computed with it is extracted (Coq [kernel.Inline], [kernel.Kernel]); besides
    [Shim] the only module that touches [Extracted]. *)

type number = Real | Integer

type t

(** Several statements, one a line; the error is "LINE:COLUMN: expected WHAT". *)
val read : number -> string list -> (t, string) result

val print : t -> string

(** [inline k ~outputs name]: the producer of [name] in the place of its loads
    (Coq [inline_once]); the error is the reason of a refusal. *)
val inline : t -> outputs:string list -> string -> (t, string) result

(** Does the extracted checker show every load inside its tensor (Coq [wf_stmt])? *)
val well_formed : t -> bool

(** Tensors stored, in their order, with all elements; none where a division by zero
    happened.  A tensor that is only loaded holds what {!input} says.  Integers. *)
val run : t -> (string * Z.t array option) list

(** Element [n] of the input tensor called [name]. *)
val input : string -> int -> Z.t
