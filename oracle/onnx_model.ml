open Shim_gsl
open Cells

(* {1 Operators} *)

let calque =
  [ "L2Normalize"; "BiasAdd"; "ZerosLike"; "OnesLike"; "FullLike"; "ReshapeLike"; "BroadcastLike"; "CollapseSum"; "CollapseSumLike";
    "LayoutTransform" ]

let in_onnx op = not (List.mem op calque)
let since = function "Mish" -> 18 | "Gelu" -> 20 | "GroupNormalization" -> 21 | "RMSNormalization" -> 23 | "Swish" -> 24 | _ -> 17
let ir opset = if opset <= 17 then 8 else if opset <= 20 then 9 else 10

(* What an operator is in ONNX: attributes, one of them perhaps a tensor, and inputs behind those of the graph. *)
type form = { attrs : (string * Shim.value) list; filled : (string * tensor) option; behind : tensor option list }

exception None_of of string

let integers = function
  | Shim.Tuple l -> List.map (function Shim.Int i -> i | _ -> raise (None_of "integers")) l
  | _ -> raise (None_of "integers")

let vector l = { dtype = "i64"; dims = [ List.length l ]; cells = Array.of_list (List.map Int64.to_string l) }
let real = function Shim.Float b -> Int64.float_of_bits b | Shim.Int i -> Int64.to_float i | _ -> raise (None_of "a number")
let scalar dtype v = { dtype; dims = []; cells = [| of_float dtype (real v) |] }
let without labels = List.filter (fun (l, _) -> not (List.mem l labels))

(* Start, step and size of each dimension as start, end, axis, step; an end before the first cell is the least integer. *)
let slice get =
  let starts = integers (get "starts") and steps = integers (get "steps") and sizes = integers (get "sizes") in
  let upto k start =
    let step = List.nth steps k and size = List.nth sizes k in
    let e = Int64.add start (Int64.mul step size) in
    if step < 0L && e < 0L then Int64.min_int else e in
  [ Some (vector starts); Some (vector (List.mapi upto starts));
    Some (vector (List.mapi (fun k _ -> Int64.of_int k) starts)); Some (vector steps) ]

(* [dtype]: of the first input; [rank]: of it. *)
let form opset op attrs dtype =
  let has l = List.mem_assoc l attrs in
  let get l = match List.assoc_opt l attrs with Some v -> v | None -> raise (None_of ("the attribute " ^ l)) in
  let moved label more =
    { attrs = more @ without [ label ] attrs; filled = None; behind = (if has label then [ Some (vector (integers (get label))) ] else []) } in
  match op with
  | "Reshape" -> moved "shape" [ "allowzero", Shim.Int 1L ]
  (* ONNX's checker wants integers in it; none are the default of a scalar. *)
  | "Transpose" when has "perm" && get "perm" = Shim.Tuple [] -> { attrs = []; filled = None; behind = [] }
  | "Unsqueeze" | "Squeeze" -> moved "axes" []
  | "ReduceSum" -> moved "axes" (if has "axes" && get "axes" = Shim.Tuple [] then [ "noop_with_empty_axes", Shim.Int 1L ] else [])
  | "ReduceMean" | "ReduceMax" when opset >= 18 ->
    moved "axes" (if has "axes" && get "axes" = Shim.Tuple [] then [ "noop_with_empty_axes", Shim.Int 1L ] else [])
  | "ReduceMean" | "ReduceMax" when has "axes" && get "axes" = Shim.Tuple [] -> raise (None_of "no axis, before opset 18")
  | "Split" -> moved "split" []
  | "Expand" -> moved "shape" []
  | "Slice" -> { attrs = []; filled = None; behind = slice get }
  | "Pad" ->
    { attrs = without [ "pads"; "value" ] attrs; filled = None;
      behind = Some (vector (integers (get "pads"))) :: (if has "value" then [ Some (scalar dtype (get "value")) ] else []) }
  | "Clip" ->
    let bound l = if has l then Some (scalar dtype (get l)) else None in
    { attrs = []; filled = None; behind = (if has "max" then [ bound "min"; bound "max" ] else if has "min" then [ bound "min" ] else []) }
  | "ConstantOfShape" ->
    let dtype = match List.assoc_opt "dtype" attrs with Some (Shim.Int 7L) -> "i64" | Some (Shim.Int 9L) -> "bool" | _ -> "f32" in
    let value = match List.assoc_opt "value" attrs with Some v -> v | None -> Shim.Float 0L in
    { attrs = []; filled = Some ("value", { (scalar dtype value) with dims = [ 1 ] }); behind = [ Some (vector (integers (get "shape"))) ] }
  | "Dropout" ->
    { attrs = []; filled = None; behind = (if has "ratio" then [ Some (scalar "f32" (get "ratio")) ] else []) }
  (* Of float32 by default, whatever the tensors are. *)
  | ("LayerNormalization" | "GroupNormalization" | "RMSNormalization") when dtype = "f64" ->
    { attrs = attrs @ [ "stash_type", Shim.Int 11L ]; filled = None; behind = [] }
  | ("Softmax" | "LogSoftmax") when List.assoc_opt "flatten" attrs = Some (Shim.Int 1L) -> raise (None_of "of several axes, from opset 13")
  | "Softmax" | "LogSoftmax" -> { attrs = without [ "flatten" ] attrs; filled = None; behind = [] }
  | _ -> { attrs; filled = None; behind = [] }

(* {1 Names} *)

let own_name m k = match m.nodes.(k).name with Some n -> n | None -> "value" ^ string_of_int k

(* That of the first output that it is. *)
let name m k =
  match m.nodes.(k).kind, List.find_opt (fun (_, e) -> e = k) m.graph.outputs with
  | (Op _ | Proj _), Some (n, _) -> n
  | _ -> own_name m k

let inputs m =
  List.filter (fun k -> m.nodes.(k).kind = Input) (List.init (Array.length m.nodes) Fun.id)

let expose m =
  let value k =
    let n : Shim_gsl.node = m.nodes.(k) in
    match n.kind with
    | (Op _ | Proj _) when n.dtype <> None && n.dims <> None -> Some (own_name m k, k)
    | _ -> None in
  { m with graph = { m.graph with outputs = List.filter_map value (List.init (Array.length m.nodes) Fun.id) } }

(* {1 Messages} *)

let attribute (label, v) =
  let body kind fields = Proto.text 1 label ^ fields ^ Proto.int 20 kind in
  match v with
  | Shim.Int i -> body 2L (Proto.int 3 i)
  | Float b -> body 1L (Proto.single 2 (Int64.float_of_bits b))
  | Str s -> body 3L (Proto.text 4 s)
  | Tuple _ -> body 7L (String.concat "" (List.map (Proto.int 8) (integers v)))
  | Bool _ | None_ -> raise (None_of ("the attribute " ^ label))

let value_info name dtype dims =
  let dim d = Proto.text 1 (Proto.int 1 (Int64.of_int d)) in
  let code = match Proto.code dtype with Some c -> c | None -> raise (None_of ("the element type " ^ dtype)) in
  let tensor = Proto.int 1 (Int64.of_int code) ^ Proto.text 2 (String.concat "" (List.map dim dims)) in
  Proto.text 1 name ^ Proto.text 2 (Proto.text 1 tensor)

let dtype_of (n : Shim_gsl.node) = match n.dtype with Some d -> d | None -> raise (None_of "an element type")
let dims_of (n : Shim_gsl.node) = match n.dims with Some l -> List.map Int64.to_int l | None -> raise (None_of "a shape")

(* The names of an operator's outputs; those that nothing takes are called, too. *)
let results m k =
  let part e = match m.nodes.(e).kind, m.nodes.(e).ins with Proj i, [ Some p ] when p = k -> Some (Int64.to_int i, e) | _ -> None in
  match List.filter_map part (List.init (Array.length m.nodes) Fun.id) with
  | [] when (m.nodes.(k) : Shim_gsl.node).dims <> None -> [ name m k ]
  | parts ->
    let most =
      match List.assoc_opt "split" m.nodes.(k).attrs with
      | Some (Shim.Tuple l) -> List.length l
      | _ -> 1 + List.fold_left (fun a (i, _) -> max a i) 0 parts in
    List.init most (fun i ->
      match List.assoc_opt i parts with Some e -> name m e | None -> Printf.sprintf "%s.%d" (own_name m k) i)

let node m opset k op =
  let n : Shim_gsl.node = m.nodes.(k) in
  let dtype = match n.ins with Some e :: _ -> Option.value ~default:"f32" (m.nodes.(e) : Shim_gsl.node).dtype | _ -> "f32" in
  let f = if in_onnx op then form opset op n.attrs dtype else { attrs = n.attrs; filled = None; behind = [] } in
  let extra = List.mapi (fun i t -> (Printf.sprintf "%s.in%d" (own_name m k) i, t)) f.behind in
  let ins =
    List.map (function Some e -> name m e | None -> "") n.ins
    @ List.map (fun (l, t) -> if t = None then "" else l) extra in
  let tensor_attribute (label, t) = Proto.text 1 label ^ Proto.text 5 (Proto.tensor "" t) ^ Proto.int 20 4L in
  let message =
    String.concat ""
      (List.map (Proto.text 1) ins @ List.map (Proto.text 2) (results m k)
       @ [ Proto.text 3 (own_name m k ^ ".node"); Proto.text 4 op ]
       @ List.map (fun a -> Proto.text 5 (attribute a)) f.attrs
       @ List.map (fun a -> Proto.text 5 (tensor_attribute a)) (Option.to_list f.filled)
       @ (if in_onnx op then [] else [ Proto.text 7 "calque" ])) in
  (message, List.filter_map (fun (l, t) -> Option.map (fun t -> (l, t)) t) extra)

let identity from into = Proto.text 1 from ^ Proto.text 2 into ^ Proto.text 4 "Identity"

let graph m opset =
  let each f = String.concat "" (List.mapi (fun k n -> f k n) m.graph.nodes) in
  let made = Hashtbl.create 16 in
  let nodes = each (fun k (n : Shim_gsl.node) ->
    match n.kind with
    | Op op -> let message, extra = node m opset k op in Hashtbl.replace made k extra; Proto.text 1 message
    | Input | Const _ | Proj _ -> ""
    | Tuple -> raise (None_of "tuples")) in
  let copies =
    String.concat ""
      (List.map (fun (o, k) -> if o = name m k then "" else Proto.text 1 (identity (name m k) o)) m.graph.outputs) in
  let initializers = each (fun k (n : Shim_gsl.node) ->
    match n.kind with
    | Const _ ->
      (match data_of m k with
       | Some t -> Proto.text 5 (Proto.tensor (name m k) t)
       | None -> raise (None_of "a constant without data"))
    | _ ->
      String.concat ""
        (List.map (fun (l, t) -> Proto.text 5 (Proto.tensor l t)) (Option.value ~default:[] (Hashtbl.find_opt made k)))) in
  let ins = each (fun k (n : Shim_gsl.node) -> if n.kind = Input then Proto.text 11 (value_info (name m k) (dtype_of n) (dims_of n)) else "") in
  let outs =
    String.concat ""
      (List.map (fun (o, k) -> Proto.text 12 (value_info o (dtype_of m.nodes.(k)) (dims_of m.nodes.(k)))) m.graph.outputs) in
  nodes ^ copies ^ Proto.text 2 "calque" ^ initializers ^ ins ^ outs

let write m =
  let ops = List.filter_map (fun n -> match n.kind with Op op -> Some op | _ -> None) m.graph.nodes in
  let opset = List.fold_left (fun a op -> max a (since op)) 17 ops in
  let import domain version = Proto.text 8 (Proto.text 1 domain ^ Proto.int 2 (Int64.of_int version)) in
  match graph m opset with
  | g ->
    Ok (Proto.int 1 (Int64.of_int (ir opset)) ^ Proto.text 2 "calque-oracle" ^ Proto.text 7 g ^ import "" opset
        ^ (if List.for_all in_onnx ops then "" else import "calque" 1))
  | exception None_of what -> Error ("no form in ONNX: " ^ what)
