(** The values of operators (Coq [tensor.OpTable]).

    A request is [(NAME TYPE ((LABEL VALUE) ..) INPUT ..)]: an operator, the element type f32, f64 or i64, its
    attributes, and its inputs: [absent], or [((DIM ..) (CELL ..))], a cell of f32 and f64 being the 64 bits of the
    nearest binary64 as a signed number. *)

(** [answer line]: [refused] where the shapes of the inputs are not accepted, else the shapes of the results
    [((DIM ..) ..)], and behind them [none] where there is no value, or the tensors, like inputs, a cell that has no
    value being [?] and every NaN [nan]; the error is "LINE:COLUMN: expected WHAT". *)
val answer : string -> (string, string) result

(** A value of the canonical text, in Coq. *)
val value : Shim.value -> Extracted_value.value
