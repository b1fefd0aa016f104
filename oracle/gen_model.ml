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

(* The operator with a first input of the type and shape of a value that is there, if one is drawn in a few tries. *)
let chained g w =
  let fits (a : Gen_op.application) =
    List.exists (fun (i : Gen_op.input) -> List.exists (fun (_, t, d) -> t = i.dtype && d = i.dims) w.values) a.ins in
  let rec go tries =
    let op, types = pick g (Array.of_list Gen_op.operators) in
    let a = Gen_op.draw g op (pick g (Array.of_list types)) in
    if fits a || tries = 0 then a else go (tries - 1) in
  go 60

let mode_of g op =
  match below g 4 with
  | 0 -> Gen_op.Special
  | 1 -> Gen_op.Small
  | 2 when List.mem op [ "MatMul"; "Gemm"; "Conv"; "ReduceSum"; "Sum" ] -> Gen_op.Small
  | _ -> Gen_op.Plain

let finished w =
  let g = { title = None; nodes = List.rev w.nodes; outputs = [] } in
  Onnx_model.expose (Cells.model g w.data)

let defined m =
  Result.is_ok (Onnx_model.write m)
  &&
  match Result.bind (Model.read (print m)) Model.outputs with
  | Error _ -> false
  | Ok text ->
    match answer text with
    | Ok l -> not (List.exists (fun (_, (t : tensor)) -> Array.mem "?" t.cells) l)
    | Error _ -> false

(* Draws until one is defined. *)
let tries_max = 10000

let model ~graphs g k =
  let all = Array.of_list Gen_op.operators in
  let op, types = all.(k mod Array.length all) in
  let rec go tries =
    let w = { nodes = []; n = 0; data = []; values = [] } in
    let many = percent g graphs in
    let a = Gen_op.draw g op (pick g (Array.of_list types)) in
    let mode = mode_of g op in
    let ok = apply g w mode a in
    if many then for _ = 2 to 2 + below g 5 do ignore (apply g w mode (chained g w)) done;
    let m = finished w in
    if ok && defined m then m
    else if tries = 0 then failwith ("no defined model of " ^ op)
    else go (tries - 1) in
  go tries_max

(* Attributes whose few values are told apart. *)
let told (label, v) =
  match v with
  | Shim.Str s -> label ^ "=" ^ s
  | Int i when List.mem label [ "ceil_mode"; "count_include_pad"; "keepdims"; "transA"; "transB"; "p"; "to" ] -> Printf.sprintf "%s=%Ld" label i
  | _ -> label

let labels (m : Cells.model) =
  let one (n : node) =
    match n.kind with
    | Op op ->
      let dtype = match n.ins with Some e :: _ -> (m.nodes.(e) : node).dtype | _ -> n.dtype in
      op :: (op ^ " " ^ Option.value ~default:"?" dtype) :: List.map (fun a -> op ^ "." ^ told a) n.attrs
    | _ -> [] in
  List.sort_uniq compare (List.concat_map one m.graph.nodes)
