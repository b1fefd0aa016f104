(** Graphs in ONNX: each operator in the form of opset 17, those that came later in that of their first opset.

    What newer opsets of ONNX take as inputs (the shape of a Reshape, the axes of a ReduceSum, ..) and the graph as attributes
    are initializers. Operators that ONNX has not are of the domain [calque], version 1, with the attributes of the graph. *)

(** A ModelProto; inputs are in the order of their nodes. The error is the node that has no form. *)
val write : Cells.model -> (string, string) result

(** The name of a value in it. *)
val name : Cells.model -> int -> string

(** The inputs, by node. *)
val inputs : Cells.model -> int list

(** The same graph with the value of every operator as an output, under its name: each can be judged by what was computed before it. *)
val expose : Cells.model -> Cells.model

(** Is the operator in ONNX? *)
val in_onnx : string -> bool

(** A ValueInfoProto of a tensor: its name, element type and dimensions. *)
val value_info : string -> string -> int list -> string
