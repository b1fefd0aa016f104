(** Extracted terms as text that Coq reads.

    With it the oracle states what it answered as Coq examples, which Coq then
    proves by computation: so extraction is checked, not only trusted.  One of the
    modules that touch [Extracted]; the terms printed are those that the extracted
    functions were given and returned. *)

val header : string list -> string
(** Of a file of examples: what it requires, by module of [Calque]. *)

(** [example k lhs rhs]: [Example e_k : lhs = rhs], proved by [vm_compute]. *)
val example : int -> string -> string -> string

(** The same for a type that must not itself be computed (that of syntax over a record of
    functions): the kernel compares both sides by its virtual machine. *)
val example_of_type : string -> int -> string -> string -> string

val apply : string -> string list -> string
val nat : Z.t -> string
val list : ('a -> string) -> 'a list -> string
val pair : ('a -> string) -> ('b -> string) -> 'a * 'b -> string
val option : ('a -> string) -> 'a option -> string
val bool : bool -> string
val string : string -> string
val z : Z.t -> string
val n : Z.t -> string

val value : Extracted.value -> string
val attr : Extracted.attr -> string
val graph : Extracted.oper Extracted.node list -> string
val rule : Extracted.rule -> string

(** A rule as a definition of that name. *)
val definition : string -> Extracted.rule -> string

(** A graph and its outputs as a definition of that name. *)
val graph_definition : string -> Extracted.oper Extracted.node list -> Z.t list -> string

val mstate : Extracted.mstate -> string
val stmt : Extracted.stmt -> string
val refusal : Extracted.refusal -> string
