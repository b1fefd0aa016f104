(** The plain C of whole models (Coq [model.Compile], [model.Plan]): the unit that [compile_stacked]
    gives, as text.  The same bytes as [calque emit --plain]. *)

type text

(** A graph, and behind it [(data ..)], as [Model] reads them; constants without data are what is written on them. *)
val read : string -> (text, string) result

(** [c ~name model]: the file's text, or the node that is refused and why.  A model of i64 alone is
    compiled over [int64], any other over [mixed standard]. *)
val c : name:string -> text -> (string, string) result
