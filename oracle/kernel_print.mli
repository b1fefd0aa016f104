(** The text of a kernel, as "calque dump" prints it. *)

val print : Kernel_term.t -> string

(** The loops over a producer's box, its variables named. *)
val scatter : Kernel_term.t -> string list -> Extracted.scatter_stmt -> string
