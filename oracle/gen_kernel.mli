(** Random requests of [calque-oracle kernel]: statements over every index expression, guard, reduction and function. The interval of
    each index is tracked and the tensors are made large enough, so that most kernels are in bounds; what is loaded under a guard
    may be outside elsewhere. *)

(** The kinds by turns: print, inline, run, reverse, grad with its options, look. *)
val request : Rng.t -> int -> string
