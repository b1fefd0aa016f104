(** Random (rule, graph) pairs: what is being made, nodes, operators, expressions. *)

type features = {
  several : bool;
  variadic : bool;
  alternatives : bool;
  operators : bool;
  conditional : bool;
  families : bool;
  loops : bool
}

val all : features
val fixed : features

(** No pair comes out of this. *)
exception Discard

val num : int -> Shim.value
val nums : int list -> Shim.value
val float : float -> Shim.value

(** Operations by their names in the text. *)

val unary : string -> Shim.unary
val reduction : string -> Shim.reduction
val bin : string -> Shim.expr -> Shim.expr -> Shim.expr

(** How to make the node of a pattern again, from the nodes of the others. *)
type maker = (int -> int) -> int

type state = {
  rng : Rng.t;
  f : features;
  dtype : string;
  base : int list;                      (** the type nearly everything has *)
  ops : string array;                   (** the operators of this pair *)
  mutable nodes : Shim_gsl.node array;
  mutable pats : Shim_gsl.pattern array;
  mutable node_of : (int * int) list;   (** pattern, its node in the instance; latest first *)
  mutable makers : (int * maker) list;
  mutable before : int;                 (** leaves are taken from nodes below this number *)
  mutable facts : (int * string * Shim.value) list;
  (** attributes that every match defines *)
  mutable certain : bool;               (** not inside an Optional, an alternative, a template *)
  mutable reusable : int list;          (** certain patterns of base type *)
  mutable operator_patterns : (int * string) list;
  mutable trap : int option;            (** breaks convexity: a leaf computed from an output *)
  mutable alias : bool;                 (** breaks injectivity: a leaf on a node that is taken *)
  mutable broken : bool;                (** the trap or the alias was used *)
  mutable chosen : (int * int * int) list
  (** Alt patterns, how many alternatives, the one that fits *)
}

(** {1 Choices} *)

val percent : state -> int -> bool
val below : state -> int -> int
val pick : state -> 'a list -> 'a

(** {1 Nodes} *)

val graph_of : state -> (string * int) list -> Shim_gsl.graph

(** Types the node; raises [Discard] where it has no type. *)
val add_node : state -> Shim_gsl.node -> int

val plain : Shim_gsl.kind -> int list -> (string * Shim.value) list -> Shim_gsl.node
val typed : state -> Shim_gsl.kind -> int list -> Shim_gsl.node
val input : state -> int list -> int
val number : state -> Shim.value
val const : state -> int list -> int
val op : state -> string -> int list -> (string * Shim.value) list -> int
val dims : state -> int -> int list
val is_base : state -> int -> bool

(** {1 Operators} *)

(** [Small]: what broadcasts to the base type. *)
type slot = Base | Small | Weight | Bias

val elementwise : string array
val integral : string array
val floating : string array

(** Attributes that an application of the operator may have. *)
val attrs_of : state -> string -> (string * Shim.value) list

(** A random operator that gives the base type: name, inputs, attributes. *)
val choice : state -> string * slot list * (string * Shim.value) list

val fits : state -> slot -> int -> bool

(** A node for this place: one that is there below the limit, if the condition holds of it,
    or a new leaf. *)
val leaf_node : state -> int -> slot -> (int -> bool) -> int

(** So many random nodes over what fulfils the condition. *)
val noise : state -> int -> (int -> bool) -> unit

(** {1 Expressions} *)

(** An expression that has this value, or matches it. *)
val expr_for : state -> matching:bool -> Shim.value -> Shim.expr

(** What attributes pattern and node have: labels and values. *)
val node_facts : state -> int -> int -> (string * Shim.value) list
