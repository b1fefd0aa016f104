(** Messages of protocol buffers, and the TensorProto of ONNX. *)

(** {1 Writing: a message is the text of its fields} *)

(** Of a field number: a varint; a string, bytes or a message; a fixed32, the nearest binary32. *)

val int : int -> int64 -> string
val text : int -> string -> string
val single : int -> float -> string

(** The element type of ONNX: f32 is 1, .. *)
val code : string -> int option

val tensor : string -> Cells.tensor -> string

(** {1 Reading} *)

(** A TensorProto in any of its forms of data; the error says what is wrong. *)
val read_tensor : string -> (Cells.tensor, string) result
