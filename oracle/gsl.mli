(** Graphs and rules as S-expressions: what [calque dump --format=sexp] and
    [calque dump RULES.gsl] print, and the forms that they do not have yet.  One
    rule file may hold several rules. *)

val graph : string -> (Shim_gsl.graph, string) result

(** A graph as a part of a text. *)
val graph_at : Read.input -> Shim_gsl.graph

val rules : string -> (Shim_gsl.rule list, string) result

val graph_to_string : Shim_gsl.graph -> string

(** (match RULE (ROOT ..) (PATTERN NODE) .. ) in one line. *)
val found_to_string : string -> Shim_gsl.found -> string

(** As [calque dump RULES.gsl] prints it, class exact, without the names of bindings. *)
val rule_to_string : Shim_gsl.rule -> string
