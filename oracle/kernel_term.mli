(** Index-notation kernels as the oracle holds them, and their text read.

    With the other modules of kernels, [Shim], [Shim_gsl] and [Coq_print] the only
    ones that touch [Extracted]. *)

type number = Real | Integer

(** Beside each statement of the extracted program: the names of its own variables
    and, in the order of the C table, the numbers of its reduction variables. *)
type note = { own : string list; mutable bound : int list }

(** Tensors by number; names of reduction variables by number. *)
type t = {
  number : number;
  names : string array;
  shapes : int array array;
  vars : (int, string) Hashtbl.t;
  program : (Extracted.stmt * note) list;
}

val nat : int -> Z.t
val int_of_nat : Z.t -> int

(** Spellings. *)

val comparisons : (string * Extracted.cmp) list
val functions : (string * Extracted.function0) list

(** Has it a product that is not rounded? *)
val has_exact : Extracted.ex -> bool

(** Assignments and look-ups, one a line; with the tensors, and no statements, of the kernel. *)
type line = Assign of Extracted.stmt | Look of Extracted.look
val read_lines : number -> string list -> (line list * t, string) result

(** Several statements, one a line; the error is "LINE:COLUMN: expected WHAT". *)
val read : number -> string list -> (t, string) result
