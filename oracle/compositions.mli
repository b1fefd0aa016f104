(** The compositions that calque builds of ONNX's operators, against those that are proved (coq/onnx).

    A case is a model of one node. The graph that [calque dump] has of it is compared with the one that the extracted builder
    makes, and what [calque run] gives with the extracted formula. *)

(** The operators, and the opset of the form of each. *)
val entries : Composition.entry list

(** What is wrong on purpose: an attribute of the graph, or a cell of the values. *)
type fault = Graph | Value

type options = {
  calque : string;                   (** the command *)
  output : string option;            (** where files of cases that fail stay *)
  seed : int64;
  count : int;                       (** of each operator *)
  only : string list;                (** [[]]: all operators *)
  fault : fault option
}

(** Prints the counts of each operator and the failures. The exit status: 1 if there are any, or an operator has no case that is equal; 2 where
    an operator is not known, or a file cannot be written. *)
val run : options -> int

val man : Cmdliner.Manpage.block list
