(** Tensors and graphs with their data as the text of [calque-oracle model]: what random models, ONNX files and comparisons
    are made of. *)

(** Cells as the text has them: bits in hexadecimal or [nan] (f32, f64), integers, 0 or 1 (bool). *)
type tensor = { dtype : string; dims : int list; cells : string array }

val count : int list -> int

(** A graph with the data of its inputs and constants, by node; [own]: the functions of floats are Calque's own; [lanes]: sums
    are in lanes; [fma]: those of products are fused. *)
type model = { graph : Shim_gsl.graph; nodes : Shim_gsl.node array; data : (int, tensor) Hashtbl.t; own : bool; lanes : bool; fma : bool }

(** The error is "LINE:COLUMN: expected WHAT". *)
val read : string -> (model, string) result

(** The request of [calque-oracle model], without the empty line that ends it. *)
val print : model -> string

val model : ?own:bool -> ?lanes:bool -> ?fma:bool -> Shim_gsl.graph -> (int * tensor) list -> model

(** The data of a node that has any; no cells where the type has no element. *)
val data_of : model -> int -> tensor option

(** The outputs of an answer, by name. *)
val answer : string -> ((string * tensor) list, string) result

val print_answer : (string * tensor) list -> string

(** {1 Numbers} *)

(** The nearest binary64; NaN of a cell that is none, or no number. *)
val float_of : string -> string -> float

(** [of_float dtype x]: the cell nearest to [x]; integers are truncated. *)
val of_float : string -> float -> string

val is_float : string -> bool

(** {1 Bytes, little end first, as TensorProto.raw_data has them} *)

val to_bytes : tensor -> string

(** [None]: not as many bytes as the dimensions say. *)
val of_bytes : string -> int list -> string -> tensor option
