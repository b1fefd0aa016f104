(** Tests an implementation of a language against the oracle: the same requests to both, the answers compared. *)

type options = {
  command : string;         (** the implementation, for the shell *)
  seed : int64;
  first : int;              (** the number of the first case *)
  count : int;
  seconds : float option;   (** no case is begun later *)
  jobs : int;               (** processes of each *)
  timeout : float;          (** seconds for an answer *)
  most : int;               (** failures after which a process ends *)
  requests : string list;   (** files of requests in the place of random ones *)
  cases : string list;      (** the same, each with its answer behind it *)
  output : string option;   (** where minimal cases go *)
  log : string option;      (** a line for each case: verdict, number, labels, with tabs *)
  json : string option;     (** the result as a line of JSON, which depends on the cases only; not written when a signal ended the run *)
  folder : (string -> string -> string -> string) option
  (** writes a minimal case elsewhere, by its verdict, request and answer; says where *)
}

(** The exit status: 0 all answers are the oracle's, 1 some are not, 2 bad usage, 3 an internal error. *)
val run : Language.t -> options -> int

(** The seed of a case, by the seed of all and its number. *)
val case_seed : int64 -> int -> int64
