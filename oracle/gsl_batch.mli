(** A stream of (rule, graph) pairs, and the answers to it.

    A pair is
    {v
case NAME
GRAPH                    as an S-expression
RULE                     as an S-expression
graph {..}               the same graph as .graph text, a line above it: --- graph
rule r {..}              the same rule as .gsl text, a line above it: --- rule
end
    v}
    The oracle reads the S-expressions, the C command the text; both answer with
    the two terms as they understood them, in S-expressions, then the matches, a
    line each, and the graph after one rewrite in the form of {!canonical}; for rules with one
    output also the graph after one pass (each node that was there, in turn), if the pass
    rewrote more than once. A line [end] ends each answer in a stream. *)

type case = { name : string; graph : Shim_gsl.graph; rule : Shim_gsl.rule }

(** [print inlines c]: the pair as text. *)
val print : (unit -> bool) -> case -> string

val answer : case -> string

(** Reads pairs from the channel until it ends; the error names the pair. *)
val read : in_channel -> (case, string) result Seq.t

(** The same of what gives the next line. *)
val read_from : (unit -> string option) -> (case, string) result Seq.t

(** The graph in one order that depends on the graph only: its inputs in their
    order, then from each output in turn, depth first and first inputs first, what
    was not met yet, behind what it is computed from.  What no output needs is
    left out, inputs aside; so are names of nodes other than inputs, and absent inputs at
    the end. *)
val canonical : Shim_gsl.graph -> Shim_gsl.graph

(** The pairs one step smaller: without a node, a pattern, an attribute, a condition,
    a flag, an output. *)
val smaller : case -> case list
