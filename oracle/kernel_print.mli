(** The text of a kernel, as "calque dump" prints it. *)

val print : Kernel_term.t -> string
