(** The extracted code, behind plain OCaml types.

    With [Shim_gsl], [Kernel] and [Coq_print] the only module that touches [Extracted].  Integers are [int64] here and
    arbitrary precision there; a result that does not fit would contradict
    theorem [attr_eval_in_range] and raises {!Internal}. *)

exception Internal of string

(** ORDER value_kind.  A float is its 64 bits. *)
type value =
  | None_
  | Bool of bool
  | Int of int64
  | Float of int64
  | Str of string
  | Tuple of value list

type unary
type binary
type reduction
type func

(** ORDER attr_kind.  [Access (p, l)]: label [l] of pattern number [p >= 0]. *)
type expr =
  | Const of value
  | Any
  | Access of int * string
  | Unary of unary * expr
  | Binary of binary * expr * expr
  | Tuple_of of expr list
  | Proj of expr * expr
  | Symbol of int
  | Inst of int * expr * string
  | Var of int * expr * expr        (** symbol, length, body *)
  | Map of int * expr * expr        (** symbol, tuple, body *)
  | Reduce of reduction * expr
  | Cond of expr * expr * expr
  | Alternative of int * expr list
  | Func of func * expr list

type binding = { pattern : int; label : string; value : value }

(** An environment: attributes of patterns, of instances of patterns, values of
    symbols, alternatives taken. *)
type entry =
  | Bound of binding
  | Bound_inst of int * int64 * string * value
  | Bound_symbol of int * value
  | Taken of int * int

(** The operations and their names in the text, in the order of the tables. *)

val unary_names : (unary * string) list
val binary_names : (binary * string) list
val reduction_names : (reduction * string) list
val func_names : (func * string) list

(** [eval env a]: the value of [a], if it has one (Coq [eval]).  The first
    binding of a name counts. *)
val eval : entry list -> expr -> value option

(** [matches env a v]: does [a] match [v] (Coq [amatch])? *)
val matches : entry list -> expr -> value -> bool

(** What [eval] and [matches] answer, as the k-th Coq example. *)

val eval_example : int -> entry list -> expr -> string
val match_example : int -> entry list -> expr -> value -> string

(** For [Shim_gsl]. *)

val value_in : value -> Extracted.value
val value_out : Extracted.value -> value
val expr_in : expr -> Extracted.attr
