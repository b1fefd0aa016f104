(** Gradients of kernels: what Coq's [gradient] gives, with names. *)

(** [gradient k ~outputs ~wrt options]: the kernel of the gradients of [outputs] by [wrt];
    none when a tensor is not there; the error says why there is no gradient.  [options] are
    the letters u (nothing eliminated), s (no sum split off), v (values too). *)
val gradient :
  Kernel_term.t -> outputs:string list -> wrt:string list -> string ->
  (Kernel_term.t, string) result option
