(** The extracted matcher and rewriter, behind plain OCaml types.

    Node numbers are those of the text; inside, node 0 is the absent input and
    the others are one higher. *)

(** {1 Graphs} *)

type kind =
  | Input
  | Const of Shim.value option
  | Op of string
  | Proj of int64
  | Tuple

type node = {
  name : string option;
  dtype : string option;
  dims : int64 list option;
  kind : kind;
  ins : int option list;            (** [None]: absent *)
  attrs : (string * Shim.value) list
}

type graph = {
  title : string option;
  nodes : node list;                (** node k is the k-th *)
  outputs : (string * int) list
}

(** {1 Rules} *)

(** ORDER pattern_kind *)
type form =
  | Wildcard
  | Variable
  | Constant of Shim.expr option
  | Call of string * int list
  | Call_like of int * int list     (** by the operator of an operator pattern *)
  | Tuple_of of int list
  | Projection of int * Shim.expr option
  | Optional of int * Shim.expr option
  | Absent
  | Alt of int list
  | Operator of string list
  | Variadic of { field : int; least : int; length : Shim.expr option; index : int option }
  | Instance of int * Shim.expr
  | Choose of Shim.expr * int * int
  | By_alternative of int * int list

type pattern = {
  form : form;
  wants : (string * Shim.expr) list;
  shared : bool;
  template : bool;
  first : int option
}

type rule = {
  rule : string;
  patterns : pattern list;
  conditions : Shim.expr list;
  source : int list;
  target : int list
}

(** Children, and first patterns, come before (Coq [orderedb]). *)
val rule_ok : rule -> bool

(** No reference of the rule is ever undefined (Coq [rule_check]). *)
val check : rule -> bool

(** The class of the rule, if it is literally one of those proved sound (Coq [proved_rules]). *)
val proved : rule -> string option

(** Inputs come before their users (Coq [wfb]). *)
val graph_ok : graph -> bool

(** {1 Answers} *)

type address = { pattern : int; instance : int option }

type found = {
  roots : int list;
  bound : (address * int option) list;      (** sorted by address *)
  lengths : (int * int) list;
  taken : (int * int) list
}

(** Coq [all_matches]. *)
val matches : rule -> graph -> found list

(** Coq [rewrite_fix]: the graph, and rule and node of each rewrite. *)
val rewrite : fuel:int -> rule list -> graph -> graph * (string * int) list

(** A rewrite at one node, before anybody asked for types. *)
type attempt = {
  grown : graph;                            (** the graph and, behind it, what the target built *)
  moves : (int * int option) list;          (** outputs, and the nodes that take their place *)
  result : (graph * int option list) option
  (** Coq [rewrite_match]; of each node, which it was before, or whose type it took over *)
}

(** If the rule matches with first output [e] (Coq [rule_at], every node a candidate) and the
    target can be built (Coq [build_roots]). *)
val attempt : rule -> graph -> int -> attempt option

(** The rules as Coq definitions [rule_text_NAME], and the list of them, [library_SET]. *)
val definitions : string -> rule list -> string

(** The graph and its outputs as the Coq definition [graph_text_NAME]. *)
val graph_definition : string -> graph -> string

(** What [check] (for odd k of the rule with source and target exchanged), [matches] and [rewrite] answer, as
    the k-th Coq example. *)

val check_example : int -> rule -> string
val matches_example : int -> rule -> graph -> string
val rewrite_example : int -> fuel:int -> rule -> graph -> string
