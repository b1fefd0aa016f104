(** Smaller models of a model: with fewer operators, smaller or fewer dimensions, fewer attributes, plainer cells. Shapes and types of what
    is computed are inferred again; models that do not fit are left out. Each is less than the model, by operators, cells,
    attributes, then text. *)

val smaller : Cells.model -> Cells.model Seq.t
