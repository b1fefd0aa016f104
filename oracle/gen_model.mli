(** Random models: one operator, or a few that use each other's values; all values of operators are outputs. *)

(** For [calque-oracle diff --against-backend] and [vectors]: models that ONNX has, whose every cell has a value. [graphs]: percent of
    them with several operators. *)
val model : graphs:int -> Rng.t -> int -> Cells.model

(** With its request in the language of models, and the answer; [defined]: it is not that there is no value. *)
type case = { model : Cells.model; request : string; answer : string; defined : bool }

(** For [calque-oracle diff model]: Calque's own operators and attributes too, half of the models with several operators; every cell has
    a value, or some look-up has none. *)
val case : Rng.t -> int -> case

(** Has a cell of the answer no value? *)
val has_unknown : string -> bool

(** The labels of an operator in a model: its name, with its element type, and each attribute. *)
val labels : Cells.model -> string list

(** Those that models of [case] can have. *)
val all_labels : string list
