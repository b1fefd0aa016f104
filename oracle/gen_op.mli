(** Random applications of the operators of ONNX, to small tensors: attributes in the form of [calque-oracle opvalue], element
    types that ONNX allows. *)

(** What cells an input has. *)
type kind =
  | Any              (** as the case has them: plain, with special numbers, or small integers *)
  | Positive
  | Index of int     (** of a dimension of this size, also counted from its end *)

type input = { dtype : string; dims : int list; kind : kind }
type application = { op : string; attrs : (string * Shim.value) list; ins : input list }

(** All that are drawn: those of the table of operators that ONNX has, with the element types of their first input. *)
val operators : (string * string list) list

(** With the operators, and for some the element types, that only Calque has. *)
val every : (string * string list) list

(** An application, to a first input of the element type; it may be refused for its shapes. *)
val draw : Rng.t -> string -> string -> application

(** Perhaps with an attribute that ONNX has no more, or as an input. *)
val wider : Rng.t -> application -> application

(** An attribute as a label of coverage: its name, and which value where there are few. *)
val told : string * Shim.value -> string

(** Those of each operator, so. *)
val attributes : (string * string list) list

val has_attribute : string -> string -> bool

(** The element type of its result. *)
val result : application -> string

(** The sizes of its results, if they fit: one, or the parts of a Split. *)
val infer : string -> (string * Shim.value) list -> int list list -> int list list option

(** How the cells of a case are drawn: small integers have exact sums in any order. *)
type mode = Plain | Special | Small

val tensor : Rng.t -> mode -> input -> Cells.tensor
