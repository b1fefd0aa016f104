(** Graphs and rules as S-expressions: what [calque dump --format=sexp] and
    [calque dump RULES.gsl] print, and the forms that they do not have yet.  One
    rule file may hold several rules. *)

val graph : string -> (Shim_gsl.graph, string) result

(** A graph as a part of a text. *)
val graph_at : Read.input -> Shim_gsl.graph

(** What is said behind a model's data, in this order: [(math calque)], [own] functions of floats; [(sums lanes)]; [(fma)], sums of
    products fused. *)
type numbers = { own : bool; lanes : bool; fma : bool }
val numbers_at : Read.input -> numbers

(** A graph, its nodes, and behind it [(data (ID CELL ..) ..)] if it is there, as [calque dump --format=sexp --data] prints
    it: what [cells] makes of the cells of a node, which it reads up to the closing parenthesis. *)
val graph_with_data : (Read.input -> Shim_gsl.node -> 'a option) -> Read.input ->
  Shim_gsl.graph * Shim_gsl.node array * (int, 'a) Hashtbl.t * numbers

val rules : string -> (Shim_gsl.rule list, string) result

val graph_to_string : Shim_gsl.graph -> string

(** (match RULE (ROOT ..) (PATTERN NODE) .. ) in one line. *)
val found_to_string : string -> Shim_gsl.found -> string

(** As [calque dump RULES.gsl] prints it, class exact, without the names of bindings. *)
val rule_to_string : Shim_gsl.rule -> string
