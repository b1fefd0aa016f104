(** Index-notation kernels: canonical text, inlining, evaluation.

    Reads the text that "calque dump" prints for a kernel and prints the same.  What
    is computed with it is extracted (Coq [kernel.Inline], [kernel.Kernel]). *)

type number = Kernel_term.number = Real | Integer

type t = Kernel_term.t

(** Several statements, one a line; the error is "LINE:COLUMN: expected WHAT". *)
val read : number -> string list -> (t, string) result

val print : t -> string

(** [inline k ~outputs name]: the producer of [name] in the place of its loads
    (Coq [inline_once]); the error is the reason of a refusal. *)
val inline : t -> outputs:string list -> string -> (t, string) result

(** [reverse k ~outputs name]: the loops' variables, then the text of the kernel in which
    the only consumer of [name] runs over its producer's box (Coq [reverse_tensor]). *)
val reverse : t -> outputs:string list -> string -> string option

(** Does the extracted checker show every load inside its tensor (Coq [wf_stmt])? *)
val well_formed : t -> bool

(** Tensors stored, in their order, with all elements; none where a division by zero
    happened.  A tensor that is only loaded holds what {!input} says.  Integers. *)
val run : t -> (string * Z.t array option) list

(** The same of assignments and look-ups; the error is the first index outside (Coq [exec_look]). *)
val run_lines : Kernel_term.line list * t -> ((string * Z.t array option) list, string) result

(** Element [n] of the input tensor called [name]. *)
val input : string -> int -> Z.t

(** {1 Coq examples}

    What [inline] and [run] answer, as the n-th Coq example, for kernels of integers; none for a
    tensor that is not there, where an element is undefined, or when the tensors have more than
    [most] elements in all. *)

val inline_example : int -> t -> outputs:string list -> string -> string option
val run_example : most:int -> int -> t -> string option

(** Definitions that the examples use, and further ones for those of [run]. *)

val syntax_prelude : string
val run_prelude : string
