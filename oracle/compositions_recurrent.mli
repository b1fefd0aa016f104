(** LSTM, GRU and RNN. *)

val entries : Composition.entry list
