(** The kernels of operators (Coq [tensor.OpKernel]).

    A request is [(NAME TYPE ((DIM ..) ..) (DIM ..) ((LABEL VALUE) ..) (INDEX ..))]: an operator, the
    element type f32, f64, i32, i64, i8 or u8, the shapes of its inputs and of output 0, its attributes in the
    internal form, the values of a Gather's indices. With [(sums lanes)] behind these, inside,
    it is the kernel whose sums are in lanes (Coq [tensor.OpLanes]), with [(fma)] behind that or alone the one of floats whose sums
    of products are fused ([tensor.OpFma]). *)

type element = F32 | F64 | I32 | I64 | I8 | U8

(** A literal of the element type: rounded to it, or towards zero. *)
val number : element -> float -> string
val integer_literal : element -> Z.t -> string

(** [answer line]: [none] where there is no kernel, or its statements as
    [((TENSOR (DIM ..) VALUE) ..)]; the error is "COLUMN: expected WHAT". *)
val answer : string -> (string, string) result

(** [none], or [yes] or [no]: does the extracted checker show every load inside its tensor (Coq
    [wf_stmt])? *)
val well_formed : string -> (string, string) result
