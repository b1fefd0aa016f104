(** Floats of the extracted semantics and of OCaml; what the Coq definition leaves open is C's library. *)

module X := Extracted_value

(** The 64 bits as a number that is not negative. *)
val unsigned : Z.t -> Z.t

(** The nearest binary64; the other way it is exact, and rounds to nearest in binary32. *)

val double : X.spec_float -> float
val single_of : float -> X.num
val double_of : float -> X.num

(** [X.binary32] and [X.binary64] with exp, log, tanh, erf, pow of C's library, each its own. *)

val binary32 : X.arith
val binary64 : X.arith
