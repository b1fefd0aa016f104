(** [nth n l d]: element [n] of [l], counted from 0, or [d] behind its end: Coq's [List.nth], for which [Extract.v] takes it.

    A list that is asked for an element far from its head is kept with an array of its elements: the same list is asked for
    each cell of a tensor. *)
val nth : Z.t -> 'a list -> 'a -> 'a
