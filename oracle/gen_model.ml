open Shim_gsl
open Cells
open Rng

let cells_max = 400

let typed name (t : tensor) kind ins attrs =
  { name = Some name; dtype = Some t.dtype; dims = Some (List.map Int64.of_int t.dims); kind; ins; attrs }

type grow = { mutable nodes : node list; mutable n : int; mutable data : (int * tensor) list; mutable values : (int * string * int list) list }

let add w node =
  let k = w.n in
  w.nodes <- node :: w.nodes;
  w.n <- k + 1;
  k

let name w = Printf.sprintf "v%d" w.n

(* A value of this type and shape that is there, or a new input or constant. *)
let operand g w mode first (i : Gen_op.input) =
  let there = List.filter (fun (_, t, d) -> t = i.dtype && d = i.dims) w.values in
  if i.kind = Gen_op.Any && there <> [] && percent g 70 then (let k, _, _ = pick g (Array.of_list there) in k)
  else begin
    let t = Gen_op.tensor g mode i in
    let constant = (not first) && percent g 30 && t.cells <> [||] in
    let k = add w (typed (name w) t (if constant then Const None else Input) [] []) in
    w.data <- (k, t) :: w.data;
    w.values <- (k, i.dtype, i.dims) :: w.values;
    k
  end

(* One application; false when its shapes do not fit or are large. [first]: the value that is its first input. *)
let apply g w mode (a : Gen_op.application) =
  match Gen_op.infer a.op a.attrs (List.map (fun (i : Gen_op.input) -> i.dims) a.ins) with
  | None -> false
  | Some outs when List.exists (fun d -> count d > cells_max) (outs @ List.map (fun (i : Gen_op.input) -> i.dims) a.ins) -> false
  | Some outs ->
    let ins = List.mapi (fun k i -> Some (operand g w mode (k = 0) i)) a.ins in
    let dtype = Gen_op.result a in
    let value node dims = w.values <- (add w node, dtype, dims) :: w.values in
    let tensor dims = { dtype; dims; cells = [||] } in
    (match a.op, outs with
     | "Split", _ ->
       let k = add w { name = Some (name w); dtype = None; dims = None; kind = Op a.op; ins; attrs = a.attrs } in
       List.iteri (fun i d -> value (typed (name w) (tensor d) (Proj (Int64.of_int i)) [ Some k ] []) d) outs
     | _, [ d ] -> value (typed (name w) (tensor d) (Op a.op) ins a.attrs) d
     | _ -> ());
    true

(* What is drawn: which operators, and whether also what ONNX has not, and what has no value. *)
type span = { operators : (string * string list) array; own : bool }

let onnx = { operators = Array.of_list Gen_op.operators; own = false }
let every = { operators = Array.of_list Gen_op.every; own = true }

(* Indices that may be one outside. *)
let loose g (a : Gen_op.application) =
  let index (i : Gen_op.input) = match i.kind with Gen_op.Index n -> { i with kind = Index (n + 1) } | _ -> i in
  if a.op = "Gather" && percent g 50 then { a with ins = List.map index a.ins } else a

(* The last dimension of the first input, and of what has the same one, about as long as sums in lanes are. *)
let stretched g (a : Gen_op.application) =
  let last d = match List.rev d with n :: _ -> n | [] -> 0 in
  let n = pick g [| 31; 32; 33; 47; 48; 49; 65; 100 |] in
  match a.ins with
  | first :: _ when first.dims <> [] ->
    let old = last first.dims in
    let long d = if d <> [] && last d = old then List.rev (n :: List.tl (List.rev d)) else d in
    { a with ins = List.map (fun (i : Gen_op.input) -> { i with dims = long i.dims }) a.ins }
  | _ -> a

let draw span g op types =
  let a = Gen_op.draw g op (pick g (Array.of_list types)) in
  if span.own then loose g (Gen_op.wider g a) else a

(* The operator with a first input of the type and shape of a value that is there, if one is drawn in a few tries. *)
let chained span g w =
  let fits (a : Gen_op.application) =
    List.exists (fun (i : Gen_op.input) -> List.exists (fun (_, t, d) -> t = i.dtype && d = i.dims) w.values) a.ins in
  let rec go tries =
    let op, types = pick g span.operators in
    let a = draw span g op types in
    if fits a || tries = 0 then a else go (tries - 1) in
  go 60

let mode_of g op =
  match below g 4 with
  | 0 -> Gen_op.Special
  | 1 -> Gen_op.Small
  | 2 when List.mem op [ "MatMul"; "Gemm"; "Conv"; "ReduceSum"; "Sum" ] -> Gen_op.Small
  | _ -> Gen_op.Plain

let finished ~own ~lanes ~fma w =
  let g = { title = None; nodes = List.rev w.nodes; outputs = [] } in
  Onnx_model.expose (Cells.model ~own ~lanes ~fma g w.data)

type case = { model : Cells.model; request : string; answer : string; defined : bool }

let has_unknown text =
  let rec go k = match String.index_from_opt text k '?' with Some j -> text.[j - 1] = ' ' || go (j + 1) | None -> false in
  go 1

(* Every cell has a value, or, if that may be, a look-up has none. *)
let valued span model =
  if not span.own && Result.is_error (Onnx_model.write model) then None
  else
    let request = print model in
    match Result.map Model.outputs (Model.read request) with
    | Ok (Ok answer) when not (has_unknown answer) -> Some { model; request; answer; defined = true }
    | Ok (Error answer) when span.own && String.ends_with ~suffix:" Gather)\n" answer -> Some { model; request; answer; defined = false }
    | _ -> None

(* Draws until one is. *)
let tries_max = 10000

let drawn span ~graphs g k =
  let op, types = span.operators.(k mod Array.length span.operators) in
  let rec go tries =
    let w = { nodes = []; n = 0; data = []; values = [] } in
    let many = percent g graphs in
    let lanes = span.own && percent g 30 in
    let fma = span.own && percent g 30 in
    let a = draw span g op types in
    let a = if lanes then stretched g a else a in
    let mode = if (lanes || fma) && percent g 50 then Gen_op.Plain else mode_of g op in
    let ok = apply g w mode a in
    if many then for _ = 2 to 2 + below g 5 do ignore (apply g w mode (chained span g w)) done;
    match if ok then valued span (finished ~own:(span.own && percent g 50) ~lanes ~fma w) else None with
    | Some c -> c
    | None -> if tries = 0 then failwith ("no defined model of " ^ op) else go (tries - 1) in
  go tries_max

let model ~graphs g k = (drawn onnx ~graphs g k).model
let case g k = drawn every ~graphs:50 g k

let label_of op = function
  | `Type t -> op ^ " " ^ t
  | `Attribute a -> op ^ "." ^ a

let labels (m : Cells.model) =
  let one (n : node) =
    match n.kind with
    | Op op ->
      let dtype = match n.ins with Some e :: _ -> (m.nodes.(e) : node).dtype | _ -> n.dtype in
      op :: label_of op (`Type (Option.value ~default:"?" dtype)) :: List.map (fun a -> label_of op (`Attribute (Gen_op.told a))) n.attrs
    | _ -> [] in
  List.sort_uniq compare (List.concat_map one m.graph.nodes)

let all_labels =
  let one (op, types) =
    let first = if op = "Where" then [ "bool" ] else types in
    let attributes = Option.value ~default:[] (List.assoc_opt op Gen_op.attributes) in
    (op :: List.map (fun t -> label_of op (`Type t)) first) @ List.map (fun a -> label_of op (`Attribute a)) attributes in
  List.concat_map one (Array.to_list every.operators)
