(** What each command of calque-oracle does, its arguments read. Answers go to standard output, counts and complaints to
    standard error; the results are exit statuses: 0 done, 1 a negative answer, 2 bad input. *)

(** [attr operations full count seed]: the list of operations, [count] random requests, or the answers to the requests on
    standard input. *)
val attr : bool -> bool -> int option -> int64 -> int

(** [match_rules graph rules only]: the matches in a graph, of one rule or of all. *)
val match_rules : string -> string -> string option -> int

(** [rewrite_graph graph rules only fuel text]: the graph after at most [fuel] rewrites, as .graph text or not. *)
val rewrite_graph : string -> string -> string option -> int -> bool -> int

(** [check_rules rules proved]: may each rule be applied; with [proved], its class and theorem. *)
val check_rules : string -> bool -> int

(** [print_library rules set title graphs]: rules and graphs as Coq definitions. *)
val print_library : string -> string -> string -> string list -> int

(** The graph in the order of a walk from its outputs. *)
val canonical : string -> int

(** [gsl generate seed fixed smaller]: random pairs of a rule and a graph, smaller ones, or answers to those on standard
    input. *)
val gsl : int option -> int64 -> bool -> bool -> int

(** [kernel_answer complain words lines counted]: the answer to a request about a kernel: its first line, in words, and the
    statements; [None]: no request, and [error] is that statements are malformed. [counted] goes up by kernels whose loads
    are shown inside their tensors. *)
val kernel_answer : (string -> unit) -> string list -> string list -> int ref -> string option

(** Requests about kernels, each ended by an empty line. *)
val kernel_lines : unit -> int

(** One answer for each line of standard input; [error] where it is malformed. *)
val answered : (string -> (string, string) result) -> unit -> int

(** [examples command most]: at most [most] requests of a command and their answers as Coq examples. *)
val examples : string -> int -> int

(** [inline_file file tensors outputs type]: the kernel of the file without these tensors. *)
val inline_file : string -> string -> string -> string -> int

(** [validate programs kernels]: does each program compute its kernel? Prints why it is not seen to, and how many do. *)
val validate : string -> string -> int

(** [packed file]: does each changed kernel of calque dump --stage=packed, or of NAME.packed, compute its original?  Prints the same. *)
val packed : string -> int

(** [statements file]: do merged statements of NAME.statements do what the plain ones do?  Prints the same. *)
val statements : string -> int

(** [calls file]: do the calls of NAME.calls find and leave their arguments where they should?  Prints the same. *)
val calls : string -> int

(** [emit graph name]: the plain C of a model, whose file's functions are called [name]. *)
val emit : string -> string -> int

(** [dpia stage sizes inputs fast file]: a program translated or run; without a file, requests of standard input. *)
val dpia : string -> string -> string list -> bool -> string option -> int

(** [model check file]: the outputs of a model, or with [check] what [Model.checks] says; without a file, of each on standard
    input. *)
val model : bool -> string option -> int
