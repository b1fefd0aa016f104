(** Implementations of ONNX as they are tested: cases as folders in the layout of ONNX's own backend tests.

    FOLDER/model.onnx, FOLDER/test_data_set_0/input_K.pb and output_K.pb, TensorProtos by the order of the model's inputs and
    outputs. *)

(** [write folder m outputs]: the folder is made, with those above it; without outputs, no output_K.pb is written. The error says why the model has no form
    in ONNX. *)
val write : string -> Cells.model -> (string * Cells.tensor) list -> (unit, string) result

(** As [write], and behind each output its tolerance, tolerance_K.pb: a TensorProto of f64. *)
val write_tolerances : string -> Cells.model -> (string * Cells.tensor) list -> unit

(** A file as a whole; folders above it are made. *)
val write_file : string -> string -> unit

val read_file : string -> (string, string) result

(** With those above it. *)
val make_folder : string -> unit

(** The requests of the language [onnx], models of [calque-oracle model] whose operators are outputs. *)
val language : graphs:int -> Language.t

(** A new folder for cases, of the user's own. *)
val work_folder : unit -> string

(** A file, or a folder with what is in it. *)
val remove : string -> unit

(** [serve WORK COMMAND]: answers requests of the language on standard input by a backend. COMMAND, for the shell, is started once. It reads names of
    folders, a line each, in which there are a model and inputs, writes FOLDER/got/output_K.pb and then the line [done], or
    [unsupported WHY] or [error WHY]. FOLDER is in WORK, or in a folder of its own that is removed at the end. The exit status. *)
val serve : string option -> string -> int

(** What calque-oracle-backend(1) says. *)
val man : Cmdliner.Manpage.block list
