(** Functional programs with strategies: reading them, and what is extracted for them.

    Besides [Dpia] the only module that touches [Extracted_dpia]. *)

module X = Extracted_dpia

type number = F32 | F64 | I32 | I64
type role = In | Out | Temp
type param = { role : role; name : string; ty : X.data }

type program = {
  number : number;
  sizes : string array;               (** names of the size variables *)
  params : param list;
  assignments : X.assignment list;
}

(** A scalar structure, and how its literals and functions are spelled; none where it
    has no such function. *)
type scalars = {
  algebra : X.algebra;
  lit : string -> X.lit;
  un : string -> X.uop option;
  bin : string -> X.bop option;
}

(** Literals and functions are their own spelling: for translation and printing. *)
val words : scalars

(** binary32, binary64, and integers that wrap around. *)
val running : number -> scalars

(** [form i body]: a parenthesis, a word, what [body] reads, a parenthesis. *)
val form : Read.input -> (string -> 'a) -> 'a

(** The S-expression of c/dpia/exp_sexp.c; [Read.parse] runs it. *)
val program : (number -> scalars) -> Read.input -> program

val types : program -> X.data list
val commands : scalars -> program -> X.comm
val emitted : scalars -> program -> X.fstm

(** What the size variables stand for. *)
val sizing : int array -> X.sizing

(** Does the extracted checker accept the program?  Ranges of indices are tested at all
    sizes without [values], else at those by intervals. *)
val well_typed : ?values:int array -> scalars -> program -> bool

val cells : X.sizing -> X.data -> int

(** A value from its scalars in row-major order, and back (in front of a list). *)
val value_of : X.sizing -> X.data -> X.scalar array -> X.value
val scalars_of : X.value -> X.scalar list -> X.scalar list

(** Bits in hexadecimal, integers in decimal; nan. *)
val scalar_of_string : number -> string -> X.scalar
val scalar_to_string : number -> X.scalar -> string

(** The value of each parameter afterwards, by the reference semantics. *)
val evaluate : scalars -> X.sizing -> program -> X.value option list -> X.value option list

(** The scalars of each parameter after the emitted program ran on finite maps; none
    where it is stuck, or where a scalar has no value yet.  [races]: parallel loops are
    checked, in one pass each. *)
val execute :
  races:bool -> scalars -> X.sizing -> program -> X.value option list -> X.scalar option list list option
