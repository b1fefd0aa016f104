(** The oracle in the process of another program: [liboracle.c] calls what is registered here; nothing is for OCaml. *)
