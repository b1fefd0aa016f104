(** The values of whole graphs (Coq [graph_eval] over [mixed standard]: float32, float64, int64, int32, bool).

    A model is [(graph ..)] as [calque dump --format=sexp] prints it, and behind it [(data (ID CELL ..) ..)] as [--data]
    adds it: the tensors of constants and inputs. A cell is its bits in 8 or 16 hexadecimal digits or [nan] (f32, f64),
    an integer (i32, i64, i8, u8), 0 or 1 (bool). A constant with data is that tensor; what is written on it for rules is left
    out. Data of other element types are left out, too. [(math calque)] behind it: the functions exp, log, tanh, erf and pow
    are Calque's own ([tensor/Functions.v]), not those of C's library; [(sums lanes)] behind that: sums are those of
    [kernel/Lanes.v] ([graph_eval_lanes]); [(fma)] behind that: sums of products are those of [kernel/Fma.v] ([graph_eval_fma]).

    [graph_eval] evaluates the graph with a Cast to the declared element type behind each operator: in the semantics
    a cell that comes from literals alone is a number of every type. *)

type model

(** {1 Cells} *)

(** [mixed standard] with the functions of C's library. *)
val library : Extracted_value.arith

(** A cell of an element type by its text, and its text in that type; [None]: it is no element of it. *)

val cell_in : string -> string -> Extracted_value.num
val cell_out : string -> Extracted_value.num -> string option

(** {1 Models} *)

(** The error is "LINE:COLUMN: expected WHAT". *)
val read : string -> (model, string) result

(** [(output NAME (TYPE DIM ..) CELL ..)] for each output, as [calque run --text] prints it; a cell without a value is
    [?]. Where an output has no value: [(none NODE WHAT)], the first node on the way that has none, WHAT being its
    operator, or its element type for an input or a constant. *)
val outputs : model -> (string, string) result

(** What [opt_correct_mixed] asks of the graph and its data: [(ready yes)] or [no], the same of [inputs] and [constants],
    and [(open NODE ..)], those Gather whose indices are not known from constants or lie outside. *)
val checks : model -> string
