open Shim_gsl

type tensor = { dtype : string; dims : int list; cells : string array }

let count dims = List.fold_left ( * ) 1 dims

type model = { graph : graph; nodes : node array; data : (int, tensor) Hashtbl.t; own : bool; lanes : bool; fma : bool }

let dims_of (n : node) = List.map Int64.to_int (Option.value ~default:[] n.dims)

let read text =
  let cells i (n : node) =
    let l = Read.until_closed i Read.atom in
    Some { dtype = Option.value ~default:"?" n.dtype; dims = dims_of n; cells = Array.of_list l } in
  Read.parse text (fun i ->
    let graph, nodes, data, numbers = Gsl.graph_with_data cells i in
    { graph; nodes; data; own = numbers.own; lanes = numbers.lanes; fma = numbers.fma })

let model ?(own = false) ?(lanes = false) ?(fma = false) graph data =
  { own; lanes; fma; graph; nodes = Array.of_list graph.nodes; data = Hashtbl.of_seq (List.to_seq data) }

let data_of m k =
  match Hashtbl.find_opt m.data k, m.nodes.(k) with
  | Some t, _ -> Some t
  | None, ({ kind = Input | Const _; dtype = Some dtype; dims = Some _ } as n) when count (dims_of n) = 0 ->
    Some { dtype; dims = dims_of n; cells = [||] }
  | None, _ -> None

let print m =
  let one k = Option.map (fun t -> Printf.sprintf "(%s)" (String.concat " " (string_of_int k :: Array.to_list t.cells))) (data_of m k) in
  Printf.sprintf "%s(data %s)\n%s%s%s" (Gsl.graph_to_string m.graph)
    (String.concat " " (List.filter_map one (List.init (Array.length m.nodes) Fun.id)))
    (if m.own then "(math calque)\n" else "")
    (if m.lanes then "(sums lanes)\n" else "")
    (if m.fma then "(fma)\n" else "")

(* {1 Answers} *)

let one_output i =
  Read.opening i;
  if Read.atom i <> "output" then Read.fail i "output";
  ignore (Read.next i);
  let name = Read.quoted i in
  Read.opening i;
  let dtype = Read.atom i in
  let dims = Read.until_closed i Read.number in
  let cells = Array.of_list (Read.until_closed i Read.atom) in
  if Array.length cells <> count dims then Read.fail i "as many cells as the sizes say";
  (name, { dtype; dims; cells })

let answer text =
  let rec go acc = function
    | [] -> Ok (List.rev acc)
    | "" :: rest -> go acc rest
    | line :: rest -> Result.bind (Read.parse line one_output) (fun o -> go (o :: acc) rest) in
  go [] (String.split_on_char '\n' text)

let print_answer l =
  let one (name, t) =
    Printf.sprintf "(output %s (%s)%s)\n" (Text.string_to_string name)
      (String.concat " " (t.dtype :: List.map string_of_int t.dims))
      (String.concat "" (List.map (( ^ ) " ") (Array.to_list t.cells))) in
  String.concat "" (List.map one l)

(* {1 Numbers} *)

let is_float dtype = dtype = "f32" || dtype = "f64"
let hex s = Int64.of_string ("0x" ^ s)

let float_of dtype c =
  match dtype with
  | _ when c = "nan" || c = "?" -> Float.nan
  | "f32" -> Int32.float_of_bits (Int64.to_int32 (hex c))
  | "f64" -> Int64.float_of_bits (hex c)
  | _ -> Int64.to_float (Int64.of_string c)

let of_float dtype x =
  match dtype with
  | ("f32" | "f64") when Float.is_nan x -> "nan"
  | "f32" -> Printf.sprintf "%08lx" (Int32.bits_of_float x)
  | "f64" -> Printf.sprintf "%016Lx" (Int64.bits_of_float x)
  | "bool" -> if x <> 0.0 then "1" else "0"
  | _ -> Int64.to_string (Int64.of_float x)

(* {1 Bytes} *)

let width = function "f32" | "i32" -> 4 | "bool" | "i8" | "u8" -> 1 | _ -> 8

let to_bytes t =
  let b = Buffer.create (8 * Array.length t.cells) in
  let one c =
    match t.dtype with
    | "f32" -> Buffer.add_int32_le b (if c = "nan" then 0x7fc00000l else Int64.to_int32 (hex c))
    | "f64" -> Buffer.add_int64_le b (if c = "nan" then 0x7ff8000000000000L else hex c)
    | "i32" -> Buffer.add_int32_le b (Int32.of_string c)
    | "bool" | "u8" -> Buffer.add_uint8 b (int_of_string c)
    | "i8" -> Buffer.add_int8 b (int_of_string c)
    | _ -> Buffer.add_int64_le b (Int64.of_string c) in
  Array.iter one t.cells;
  Buffer.contents b

let of_bytes dtype dims s =
  let w = width dtype and n = count dims in
  let cell k =
    match dtype with
    | "f32" ->
      let bits = String.get_int32_le s (4 * k) in
      if Float.is_nan (Int32.float_of_bits bits) then "nan" else Printf.sprintf "%08lx" bits
    | "f64" ->
      let bits = String.get_int64_le s (8 * k) in
      if Float.is_nan (Int64.float_of_bits bits) then "nan" else Printf.sprintf "%016Lx" bits
    | "i32" -> Int32.to_string (String.get_int32_le s (4 * k))
    | "bool" | "u8" -> string_of_int (String.get_uint8 s k)
    | "i8" -> string_of_int (String.get_int8 s k)
    | _ -> Int64.to_string (String.get_int64_le s (8 * k)) in
  if String.length s <> w * n then None else Some { dtype; dims; cells = Array.init n cell }
