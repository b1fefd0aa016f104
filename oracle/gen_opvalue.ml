open Rng

(* {1 Requests and their text} *)

(* [cells]: as [Cells] has those of the element type. *)
type input = Absent | Tensor of int list * string array
type t = { op : string; element : string; attrs : (string * Shim.value) list; ins : input list }

let words l = "(" ^ String.concat " " l ^ ")"

let cell element c =
  match element with
  | "i64" -> c
  | _ -> Int64.to_string (Int64.bits_of_float (Cells.float_of element c))

let print r =
  let attribute (l, v) = words [ l; Text.value_to_string v ] in
  let input = function
    | Absent -> "absent"
    | Tensor (dims, cells) ->
      words [ words (List.map string_of_int dims); words (List.map (cell r.element) (Array.to_list cells)) ] in
  words (r.op :: r.element :: words (List.map attribute r.attrs) :: List.map input r.ins)

let integer i = try Int64.of_string (Read.atom i) with Failure _ -> Read.fail i "an integer"
let items i item = Read.opening i; Read.until_closed i item

let read_cell element i =
  let n = integer i in
  match element with
  | "i64" -> Int64.to_string n
  | _ -> Cells.of_float element (Int64.float_of_bits n)

let read i =
  Read.opening i;
  let op = Read.atom i in
  let element = Read.atom i in
  let attrs =
    items i (fun i ->
      Read.opening i;
      let l = Read.label i in
      let v = Read.value i in
      Read.closing i;
      (l, v)) in
  let input i =
    if Read.next i <> '(' then (ignore (Read.atom i); Absent)
    else begin
      Read.opening i;
      let dims = items i (fun i -> Int64.to_int (integer i)) in
      let cells = items i (read_cell element) in
      Read.closing i;
      Tensor (dims, Array.of_list cells)
    end in
  { op; element; attrs; ins = Read.until_closed i input }

(* {1 Drawing} *)

let elements = [ "f32"; "f64"; "i64" ]
let of_truth = [ "And"; "Or"; "Xor"; "Not" ]

(* Those that have a meaning in one structure of numbers; truth values are those of i64. *)
let types op types =
  match op with
  | "Shape" | "Gather" -> [ "i64" ]
  | _ when List.mem op of_truth -> [ "bool" ]
  | _ -> List.filter (fun t -> List.mem t elements || (t = "bool" && List.mem "i64" types && op <> "ConstantOfShape")) types

let all = Array.of_list (List.map (fun (op, l) -> (op, types op l)) Gen_op.every)
let element_of t = if List.mem t elements then t else "i64"

let most_cells = 600

(* All in its element type, the result too. *)
let fits t (a : Gen_op.application) =
  let own d = d = t || d = "bool" in
  own (Gen_op.result a)
  && List.for_all (fun (i : Gen_op.input) -> own i.dtype && Cells.count i.dims <= most_cells) a.ins
  && (a.op <> "Cast" || Gen_op.result a = t)

let rec draw g op t =
  let a = Gen_op.wider g (Gen_op.draw g op t) in
  let a = if op = "Gather" then { a with ins = List.map (fun (i : Gen_op.input) -> { i with dtype = "i64" }) a.ins } else a in
  if fits t a then a else draw g op t

(* {1 Spoiling} *)

let at l k f = List.mapi (fun i x -> if i = k then f x else x) l

let other g = function
  | Shim.Int _ -> Shim.Int (Int64.of_int (below g 5 - 1))
  | Tuple l when l <> [] -> Shim.Tuple (if percent g 80 then at l (below g (List.length l)) (fun _ -> Shim.Int (Int64.of_int (below g 5))) else List.tl l)
  | Str _ -> Shim.Str "erf"
  | v -> v

let spoilt g (a : Gen_op.application) =
  let attribute f = if a.attrs = [] then a else { a with attrs = at a.attrs (below g (List.length a.attrs)) f } in
  match below g 10 with
  | 0 when List.length a.ins > 1 -> { a with ins = List.tl (List.rev a.ins) |> List.rev }
  | 1 when a.ins <> [] -> { a with ins = a.ins @ [ List.hd a.ins ] }
  | 0 | 1 | 2 | 3 | 4 | 5 -> attribute (fun (l, v) -> (l, other g v))
  | _ when a.ins = [] -> a
  | _ ->
    let dims = function
      | [] -> [ below g 4 ]
      | l when percent g 80 -> at l (below g (List.length l)) (fun _ -> below g 5)
      | _ :: l -> l in
    { a with ins = at a.ins (below g (List.length a.ins)) (fun (i : Gen_op.input) -> { i with dims = dims i.dims }) }

(* An input without cells, and a 0 in the shape of its Reshape: what that 0 says is another question in ONNX. *)
let empty_reshape (a : Gen_op.application) =
  a.op = "Reshape" && List.exists (fun (i : Gen_op.input) -> List.mem 0 i.dims) a.ins

let large (a : Gen_op.application) =
  let dims = List.map (fun (i : Gen_op.input) -> i.dims) a.ins in
  let outs = Option.value ~default:[] (Gen_op.infer a.op a.attrs dims) in
  List.exists (fun d -> Cells.count d > most_cells) (dims @ outs)

let rec application g op t =
  let a = draw g op t in
  let a = if percent g 25 then spoilt g a else a in
  if large a || empty_reshape a then application g op t else a

let modes = [| Gen_op.Plain; Plain; Special; Small |]

(* Whole numbers of the whole range: their sums and products are those of 64 bits. *)
let tensor g mode element (i : Gen_op.input) =
  let t = Gen_op.tensor g mode i in
  let cells = if i.dtype = "bool" && element <> "i64" then Array.map (fun c -> Cells.of_float element (float_of_string c)) t.cells else t.cells in
  Tensor (t.dims, cells)

let request g k =
  let op, types = all.(k mod Array.length all) in
  let t = pick g (Array.of_list types) in
  let a = application g op t in
  let element = element_of (if op = "ConstantOfShape" then Gen_op.result a else t) in
  let mode = pick g modes in
  print { op; element; attrs = a.attrs; ins = List.map (tensor g mode element) a.ins }

let labels =
  let one (op, types) =
    (op :: List.map (fun t -> op ^ " " ^ t) (List.sort_uniq compare (List.map element_of types)))
    @ (match op with
       | "Cast" -> [ "Cast.to=1"; "Cast.to=7"; "Cast.to=11" ]
       | _ -> List.map (fun a -> op ^ "." ^ a) (Option.value ~default:[] (List.assoc_opt op Gen_op.attributes))) in
  List.concat_map one (Array.to_list all)

(* {1 Smaller} *)

(* As a model of the one operator, for its steps. *)
let model r : Cells.model =
  let node name dtype dims kind ins attrs =
    { Shim_gsl.name = Some name; dtype; dims = Option.map (List.map Int64.of_int) dims; kind; ins; attrs } in
  let there = List.filter_map (function Tensor (d, c) -> Some { Cells.dtype = r.element; dims = d; cells = c } | Absent -> None) r.ins in
  let inputs = List.mapi (fun k (t : Cells.tensor) -> node (Printf.sprintf "x%d" k) (Some t.dtype) (Some t.dims) Shim_gsl.Input [] []) there in
  let next = ref (-1) in
  let ins = List.map (function Tensor _ -> incr next; Some !next | Absent -> None) r.ins in
  let many = r.op = "Split" in
  let result = node "y" (if many then None else Some r.element) (if many then None else Some []) (Op r.op) ins r.attrs in
  Cells.model { title = None; nodes = inputs @ [ result ]; outputs = [ ("y", List.length inputs) ] } (List.mapi (fun k t -> (k, t)) there)

let of_model element (m : Cells.model) =
  let last = m.nodes.(Array.length m.nodes - 1) in
  let input = function
    | None -> Absent
    | Some k -> match Cells.data_of m k with Some t -> Tensor (t.dims, t.cells) | None -> Absent in
  match last.kind with
  | Op op -> Some (print { op; element; attrs = last.attrs; ins = List.map input last.ins })
  | _ -> None

let smaller request =
  let less s = (String.length s, s) < (String.length request, request) in
  match Read.parse request read with
  | Error _ -> Seq.empty
  | Ok r ->
    let models = if List.mem Absent r.ins then Seq.empty else Seq.filter_map (of_model r.element) (Shrink_model.smaller (model r)) in
    Seq.append (Seq.filter less models) (Shrink.smaller request)
