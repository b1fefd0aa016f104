(** Cases of the test of compositions (coq/onnx): a node of ONNX, what is built of it, and the formula that it computes. *)

module X := Extracted_onnx

type input =
  | Given of Cells.tensor        (** an input of the graph *)
  | Weight of Cells.tensor       (** an initializer that the composition takes as a value *)
  | Parameter of Cells.tensor    (** an initializer that it takes as a parameter *)
  | Absent

type case = {
  attrs : (string * Shim.value) list;  (** a tuple is a list of integers, floats or texts *)
  inputs : input list;
  outputs : bool list;                 (** which outputs the node has *)
  build : Z.t list X.build option;     (** of the values of inputs in their order; a result for each output *)
  formula : X.num X.tensor list option Lazy.t;
  tolerance : float
  (** 0: bits are equal. Else |got - formula| <= tolerance * (1 + |formula|): where the formula's sums have another order. *)
}

(** An operator and the opset of its form. *)
type entry = { op : string; opset : int; draw : Rng.t -> case }

(** {1 Values} *)

(** [mixed standard] with the functions of C's library. *)
val scalars : X.arith

val tensor : Cells.tensor -> X.num X.tensor
val sizes : Cells.tensor -> Z.t list

(** The cell as an element of this type; [None]: it is none. *)
val cell : string -> X.num -> string option

(** With its reading in this type alone. *)
val constant : string -> X.literal list -> X.num list

(** ONNX's code of an element type, and back. *)

val code : string -> int
val of_code : int -> string

(** {1 Cases} *)

(** One output, bit for bit; [single]: one result. *)

val case : (string * Shim.value) list -> input list -> Z.t X.build option -> X.num X.tensor option Lazy.t -> case
val single : Z.t X.build -> Z.t list X.build

(** {1 Draws} *)

val between : Rng.t -> int -> int -> int

(** [dims g least most size]: a rank from [least] to [most], sizes from 1. *)
val dims : Rng.t -> int -> int -> int -> int list

(** Plain numbers, small integers (sums of them are exact) or special ones. *)
val mode : Rng.t -> Gen_op.mode

val cells : Rng.t -> Gen_op.mode -> string -> int list -> Cells.tensor

(** Of int64; of the nearest binary32. *)

val vector : int list -> Cells.tensor
val real : float -> Shim.value

val int : int -> Shim.value
val ints : int list -> Shim.value
val text : string -> Shim.value
val numbers : int list -> Z.t list
