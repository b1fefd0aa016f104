(** The languages of requests that an implementation can be tested in: how requests are made, read, answered and made
    smaller, and where they and their answers end. *)

(** A request that is read, and what the oracle says. Lines are ended, save those of one-line requests and answers. *)
type case = {
  request : string;         (** without the line that ends it *)
  answer : string;          (** the same *)
  defined : bool;           (** there is a value *)
  labels : string list Lazy.t;  (** the rules, operators, element types in it, if it has a value, and what the answer is *)
  sound : bool Lazy.t          (** it is well typed: no smaller case of it is not *)
}

(** How an answer that is another text than the oracle's agrees with it: the same value, one within what the language allows, or
    another, and why. *)
type agreement = Equal | Within | Different of string

type t = {
  name : string;
  request_ends : string option;  (** the line that ends a request; [None]: it is one line *)
  answer_ends : string option;
  generate : (Rng.t -> int -> case) option;  (** case number [k]; [None]: requests come from elsewhere *)
  read : string -> (case, string) result;
  close : case -> string -> agreement;
  plausible : case -> string -> bool;  (** could this be an answer to the request, if a wrong one? *)
  smaller : string -> string Seq.t;
  family : string -> string;  (** failures of each verdict are shown by family of their requests *)
  labels : string list       (** those that could occur *)
}

(** Where text is equal if and only if answers are. *)
val by_text : case -> string -> agreement

val one_family : string -> string

val dpia : t
val kernel : t
val model : t
val opvalue : t

val all : t list

(** A request or an answer as it is written. *)
val ended : string option -> string -> string

(** The first words of the terms of a text. *)
val heads : string -> string list

(** Does the second begin with the first? *)
val starts : string -> string -> bool
