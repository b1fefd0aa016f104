module X = Extracted_onnx

type input = Given of Cells.tensor | Weight of Cells.tensor | Parameter of Cells.tensor | Absent

type case = {
  attrs : (string * Shim.value) list;
  inputs : input list;
  outputs : bool list;
  build : Z.t list X.build option;
  formula : X.num X.tensor list option Lazy.t;
  tolerance : float
}

type entry = { op : string; opset : int; draw : Rng.t -> case }

(* {1 Values} *)

(* Extracted from the same types as the scalars of models. *)
let scalars : X.arith = Obj.magic Model.library

let numbers l = List.map Z.of_int l
let sizes (t : Cells.tensor) = numbers t.dims

let tensor (t : Cells.tensor) =
  { X.dims = sizes t; cells = List.map (fun c -> (Obj.magic (Model.cell_in t.dtype c) : X.num)) (Array.to_list t.cells) }

let cell dtype (c : X.num) = Model.cell_out dtype (Obj.magic c)

let code dtype = Option.value ~default:0 (Proto.code dtype)
let of_code c = List.find (fun d -> code d = c) [ "f32"; "f64"; "i64"; "i32"; "i8"; "u8"; "bool" ]
let constant dtype l = List.map (X.typed scalars (Z.of_int (code dtype))) l

(* {1 Cases} *)

let single b = X.bind b (fun k -> X.Return [ k ])

let case attrs inputs build formula =
  { attrs; inputs; outputs = [ true ]; build = Option.map single build; tolerance = 0.0;
    formula = lazy (Option.map (fun t -> [ t ]) (Lazy.force formula)) }

(* {1 Draws} *)

open Rng

let between g lo hi = if hi <= lo then lo else lo + below g (hi - lo + 1)
let dims g least most size = several g least most (fun g -> between g 1 size)
let mode g = pick g [| Gen_op.Plain; Small; Special |]
let cells g mode dtype dims = Gen_op.tensor g mode { dtype; dims; kind = Any }
let vector l = { Cells.dtype = "i64"; dims = [ List.length l ]; cells = Array.of_list (List.map string_of_int l) }
let int n = Shim.Int (Int64.of_int n)
let ints l = Shim.Tuple (List.map int l)
let real x = Shim.Float (Int64.bits_of_float (Int32.float_of_bits (Int32.bits_of_float x)))
let text s = Shim.Str s
