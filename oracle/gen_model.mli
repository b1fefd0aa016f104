(** Random models for [calque-oracle diff onnx] and [vectors]: one operator, or a few that use each other's values. *)

(** Models whose every cell has a value; all values of operators are outputs. [graphs]: percent of them with several operators. *)
val model : graphs:int -> Rng.t -> int -> Cells.model

(** The labels of an operator in a model: its name, with its element type, and each attribute. *)
val labels : Cells.model -> string list
