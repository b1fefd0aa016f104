(** Types of graphs, for the differential test of rewriting.

    The Coq development knows no type rules: it builds what a rule says.  The C
    side refuses a target that has no type, or not the source's, and writes
    defaults of attributes out.  This module is a second implementation of that,
    for the operators that random graphs have, so that the answers of both sides
    can be compared whole. *)

(** [complete g]: every node typed, defaults filled in, attributes sorted by
    label, constants of their element type; the error names a node without a type.
    Types that are given are kept for inputs and constants only. *)
val complete : Shim_gsl.graph -> (Shim_gsl.graph, string) result

(** The same for nodes from number [from] on; the earlier ones are complete. *)
val complete_from : int -> Shim_gsl.graph -> (Shim_gsl.graph, string) result

(** Several values, read by projections. *)
val multi : Shim_gsl.graph -> int -> bool

(** The least and the greatest number of inputs ([None]: any), commutative? *)
type op = { least : int; most : int option; commutative : bool }

val find_op : string -> op option

(** Element type and dimensions of a constant of this value.  Raises [Untyped] when it is
    no tensor. *)
val const_type : Shim.value -> string * int list

exception Untyped of string
