(** The grammar and the meaning of every request, in one table: the page calque-oracle(7) is printed from it, and so is what
    the commands say of their requests. *)

(** The page. *)
val page : Cmdliner.Manpage.t

(** The forms of the requests to a command, as blocks of its page. *)
val requests : string -> Cmdliner.Manpage.block list

(** Makes a text of each form of the table, and asks the reader of its language; counts what was read, and the words that the
    readers' own tables of operations have and this one has not. The errors say what is wrong. *)
val check : unit -> (int, string list) result
