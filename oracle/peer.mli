(** A command that answers requests: one process, asked over its standard input and output.

    Requests are written one behind the other, up to a window of them before their answers are read, and answers are
    expected in that order. A process that ends, or does not answer in time, is ended with all that it started, and
    started again for the next request. When several requests were unanswered they are asked again one by one, to
    find the one that does it. *)

type t

(** How an answer can fail to come. *)
type failure =
  | Crashed of string  (** it ended by a signal or with a status other than 0; which, and its last words *)
  | Stopped of string  (** it ended with status 0, or closed its output; its last words *)
  | Hung               (** no answer within the timeout *)
  | Flooded            (** more answers than requests, or one without an end *)

type outcome = Answer of string | Failed of failure

(** [create command ~ends ~timeout]: [command] is for the shell. [ends]: the line that ends an answer; [None]: each
    line is one. Nothing is started yet. [session]: it gets a session of its own, and is ended with all that it started; without, whoever
    ends ours ends it. *)
val create : ?session:bool -> string -> ends:string option -> timeout:float -> t

(** [ask p request]: one request, the text as it is written, its last line ended. *)
val ask : t -> string -> outcome

(** [stream p next got]: asks what [next] gives, until that is [None]; [got] is called with each outcome, in order.
    Both get and give the caller's own word for a request. When [got] is false the process is ended, and what is unanswered
    is forgotten. *)
val stream : t -> (unit -> ('a * string) option) -> ('a -> outcome -> bool) -> unit

(** [f ()], again as long as a signal interrupts it. *)
val uninterrupted : (unit -> 'a) -> 'a

(** Closes its input and waits for its end, which is [Some] when it is not one with status 0 in time. *)
val finish : t -> failure option

(** Ends it at once; it is started anew when asked again. *)
val kill : t -> unit
