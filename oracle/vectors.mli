(** Test vectors: cases as folders of ONNX's backend tests, with a manifest of how each output is to be compared. *)

(** [write DIR cases]: DIR/node/NAME for a model of one operator, DIR/graph/NAME for others, and DIR/manifest.json. [None]: the name of
    a file cannot be made; the error is said. The number of cases. *)
val write : string -> seed:int64 -> Cells.model Seq.t -> (int, string) result

(** The models of a file as [calque-oracle model] reads them, an empty line behind each; all values of operators become outputs. *)
val of_file : string -> (Cells.model list, string) result

(** [failure DIR verdict request answer]: a case that a backend fails, in DIR: its folder, what came in got/, and the request. Where it is. *)
val failure : string -> string -> string -> string -> string

(** What calque-oracle-vectors(1) says. *)
val man : Cmdliner.Manpage.block list
