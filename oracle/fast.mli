(** [nth n l d]: element [n] of [l], counted from 0, or [d] behind its end: Coq's [List.nth], for which [Extract.v] takes it.

    A list that is asked for an element far from its head is kept with an array of its elements: the same list is asked for
    each cell of a tensor. *)
val nth : Z.t -> 'a list -> 'a -> 'a

val length : 'a list -> Z.t

(** [List.map], with bounded stack. *)
val map : ('a -> 'b) -> 'a list -> 'b list

(** [box d]: the index tuples below the sizes [d], in lexicographic order: [Kernel.box]. Those asked lately are kept. *)
val box : Z.t list -> Z.t list list

(** {1 Functions of Coq's [nat] and [Z]} *)

(** 0 where it would be negative. *)
val minus : Z.t -> Z.t -> Z.t

(** Of natural numbers; by 0: 0, and the dividend. *)
val quotient : Z.t -> Z.t -> Z.t
val remainder : Z.t -> Z.t -> Z.t

(** 0 where the exponent is negative. *)
val power : Z.t -> Z.t -> Z.t

(** The root rounded down and what is left; of negative numbers 0 and 0. *)
val root : Z.t -> Z.t * Z.t

(** How many binary digits a positive number has. *)
val digits : Z.t -> Z.t

(** [shift_left n m]: [m] times 2 to the [n]. *)
val shift_left : Z.t -> Z.t -> Z.t

(** [shifted m n], [n] positive: [m] without its last [n] digits, the last of these, and whether another one of them is 1. *)
val shifted : Z.t -> Z.t -> Z.t * bool * bool
