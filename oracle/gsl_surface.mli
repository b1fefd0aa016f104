(** Graphs and rules in the text that people write: [.graph] and [.gsl].

    For the differential test: the C command reads this text, the oracle the
    S-expressions, and both must see the same terms. *)

(** One statement a node, types of inputs and constants only; a constant without
    a value is a [param].  Nodes without a name are called [n0 ..]. *)
val graph : Shim_gsl.graph -> string

(** Is the text of the rule read back with the same numbers?  Not when an absent
    input or a constant without a name stands where no statement can give it. *)
val rule_ok : Shim_gsl.rule -> bool

(** Symbols numbered as the text is read: the indices of variadic patterns in their order,
    that of a comprehension the least that no other symbol in its body has. *)
val renumbered : Shim_gsl.rule -> Shim_gsl.rule

(** [rule inlines r]: a statement a pattern, called by its number, except where
    [inlines ()] says that one that is used once is written in its place (when the
    numbers stay the same). *)
val rule : (unit -> bool) -> Shim_gsl.rule -> string

(** {1 For shrinking} *)

(** The patterns a form names, its expressions, the patterns an expression names. *)

val kids : Shim_gsl.form -> int list
val exprs : Shim_gsl.pattern -> Shim.expr list
val read : Shim.expr -> int list
