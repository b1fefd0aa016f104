(** Functional programs: commands and C as text, evaluation.

    The texts are those of calque dump, stages comm and c, of .dpia programs. *)

val comm : Shim_dpia.program -> string
val c : Shim_dpia.program -> string

(** [run ~values ~inputs ~races p]: a line for each output, at these sizes, from the
    scalars of each input.  The emitted program is run too and must agree; with [races]
    its parallel loops are checked. *)
val run :
  values:int array -> inputs:string list list -> races:bool -> Shim_dpia.program ->
  (string, string) result

(** {1 Requests}

    [(translate PROGRAM)]: comm, a line --, c.
    [(run (sizes N ..) COUNT (values V ..) .. PROGRAM)]: a line for each output. *)

type request

type counts = { mutable translated : int; mutable typed : int; mutable ran : int }

val parse_request : string -> (request, string) result
val answer : counts -> request -> (string, string) result

val parse_program : string -> (Shim_dpia.program, string) result
val parse_runnable : string -> (Shim_dpia.program, string) result
