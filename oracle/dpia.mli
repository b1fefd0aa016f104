(** Functional programs: commands and C as text, evaluation.

    The texts are those of calque dump, stages comm and c, of .dpia programs. *)

val comm : Shim_dpia.program -> string
val c : Shim_dpia.program -> string

(** [c_function ~head ~stored ~name p body]: a function with the parameters of [p], after the words
    [head], and the helpers that it needs; [stored]: the element types of the parameters' cells, where
    they are not all the program's. *)
val c_function :
  ?head:string -> ?stored:string array -> name:string -> Shim_dpia.program -> Extracted_dpia.fstm ->
  string * string list

(** What a file of such functions begins with, and the text behind it. *)
val with_helpers : string list -> string -> string

(** A literal of C. *)
val literal : Shim_dpia.number -> string -> string

(** [run ~values ~inputs ~races p]: a line for each output, at these sizes, from the
    scalars of each input.  The emitted program is run too and must agree; with [races]
    its parallel loops are checked. *)
val run :
  values:int array -> inputs:string list list -> races:bool -> Shim_dpia.program ->
  (string, string) result

(** The number that a size is. *)
val number_of_size : Extracted_dpia.size -> Z.t option

(** {1 Requests}

    [(translate PROGRAM)]: comm, a line --, c.
    [(run (sizes N ..) COUNT (values V ..) .. PROGRAM)]: a line for each output. *)

type request

(** Is the program well typed, for all sizes or for those that it is run at? *)
val typed : request -> bool

type counts = { mutable translated : int; mutable typed : int; mutable ran : int }

val parse_request : string -> (request, string) result
val answer : counts -> request -> (string, string) result

val parse_program : string -> (Shim_dpia.program, string) result
val parse_runnable : string -> (Shim_dpia.program, string) result
