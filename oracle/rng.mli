(** SplitMix64: the same numbers from the same seed with every OCaml. *)

type t

val create : seed:int64 -> t
val bits64 : t -> int64

(** [below g n]: 0 .. n-1. *)
val below : t -> int -> int

(** [percent g p]: true [p] times in a hundred. *)
val percent : t -> int -> bool

val pick : t -> 'a array -> 'a

(** [several g lo hi item]: [lo] to [hi] items, made in order. *)
val several : t -> int -> int -> (t -> 'a) -> 'a list
