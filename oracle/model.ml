module X = Extracted_value
open Shim_gsl

(* {1 Cells} *)

type cell = X.num

(* In place of the functions that the definition leaves open: C's library, or Calque's own. *)
let elements single double =
  let numbers arith e = { e with X.numbers = arith } in
  let s = X.standard0 in
  { s with X.f32 = numbers single s.f32; f64 = numbers double s.f64 }

(* The same function: 0 is asked for at each cell that is read. *)
let scalars_over elements =
  let s = X.mixed elements in
  let zero = s.X.s_int Z.zero and one = s.X.s_int Z.one in
  { s with X.s_int = (fun z -> if Z.equal z Z.zero then zero else if Z.equal z Z.one then one else s.X.s_int z) }

let library = scalars_over (elements Numbers.binary32 Numbers.binary64)
let own = scalars_over (elements X.binary32_calque X.binary64_calque)

let none = { X.as_f32 = None; as_f64 = None; as_i64 = None; as_i32 = None; as_i8 = None; as_u8 = None; as_truth = None }
let cell (s : X.scalar) : cell = Obj.magic s
let scalar (c : cell) : X.scalar = Obj.magic c
let float (n : X.num) = Numbers.double (Obj.magic n : X.spec_float)
let whole (z : Z.t) : X.num = Obj.magic (Some z)

(* How cells of an element type are read, and printed by their reading in it. *)
type element = { read : Read.input -> cell; print : cell -> string option }

let hex digits i =
  let w = Read.atom i in
  let digit c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  if w = "nan" then None
  else if String.length w = digits && String.for_all digit w then Some (Int64.of_string ("0x" ^ w))
  else Read.fail i (Printf.sprintf "%d hexadecimal digits or nan" digits)

let float_text text x = if Float.is_nan x then "nan" else text x

let f32 =
  let value = function Some b -> Int32.float_of_bits (Int64.to_int32 b) | None -> Float.nan in
  { read = (fun i -> cell { none with X.as_f32 = Some (Numbers.single_of (value (hex 8 i))) });
    print = (fun c ->
      Option.map (fun n -> float_text (fun x -> Printf.sprintf "%08lx" (Int32.bits_of_float x)) (float n)) (scalar c).as_f32) }

let f64 =
  let value = function Some b -> Int64.float_of_bits b | None -> Float.nan in
  { read = (fun i -> cell { none with X.as_f64 = Some (Numbers.double_of (value (hex 16 i))) });
    print = (fun c ->
      Option.map (fun n -> float_text (fun x -> Printf.sprintf "%016Lx" (Int64.bits_of_float x)) (float n)) (scalar c).as_f64) }

let integer bits i =
  match Z.of_string (Read.atom i) with
  | z when Z.numbits (if Z.sign z < 0 then Z.lognot z else z) < bits -> z
  | _ | exception Invalid_argument _ -> Read.fail i (Printf.sprintf "an integer of %d bits" bits)

(* No number: what is divided by 0. *)
let integer_text n = Option.map Z.to_string (Obj.magic n : Z.t option)

let i64 =
  { read = (fun i -> cell { none with X.as_i64 = Some (whole (integer 64 i)) });
    print = (fun c -> Option.bind (scalar c).as_i64 integer_text) }

let i32 =
  { read = (fun i -> cell { none with X.as_i32 = Some (whole (integer 32 i)) });
    print = (fun c -> Option.bind (scalar c).as_i32 integer_text) }

let i8 =
  { read = (fun i -> cell { none with X.as_i8 = Some (whole (integer 8 i)) });
    print = (fun c -> Option.bind (scalar c).as_i8 integer_text) }

let u8 =
  let read i =
    let z = integer 9 i in
    if Z.sign z < 0 then Read.fail i "an integer of 8 bits without a sign" else z in
  { read = (fun i -> cell { none with X.as_u8 = Some (whole (read i)) });
    print = (fun c -> Option.bind (scalar c).as_u8 integer_text) }

let truth =
  let read i =
    match Read.atom i with
    | "0" -> false
    | "1" -> true
    | _ -> Read.fail i "0 or 1" in
  { read = (fun i -> cell { none with X.as_truth = Some (Obj.magic (read i)) });
    print = (fun c -> Option.map (fun (b : X.num) -> if Obj.magic b then "1" else "0") (scalar c).as_truth) }

let element_types = [ "f32", f32; "f64", f64; "i64", i64; "i32", i32; "i8", i8; "u8", u8; "bool", truth ]

let cell_in dtype text =
  match Read.parse text (List.assoc dtype element_types).read with Ok c -> c | Error e -> invalid_arg (dtype ^ " " ^ text ^ ": " ^ e)

let cell_out dtype c = Option.bind (List.assoc_opt dtype element_types) (fun e -> e.print c)
let element n = Option.bind n.dtype (fun d -> List.assoc_opt d element_types)

(* {1 Reading} *)

type model = {
  graph : graph;
  nodes : node array;
  data : (int, cell X.tensor) Hashtbl.t;
  scalars : X.arith;
  lanes : bool;
  fma : bool
}

let dims n = match n.dims with Some l -> List.map Z.of_int64 l | None -> []

(* After "(ID": the cells, or what is passed over. *)
let node_data i n =
  match element n with
  | None -> ignore (Read.until_closed i Read.atom); None
  | Some e ->
    let cells = Read.until_closed i e.read in
    if List.compare_length_with cells (Z.to_int (List.fold_left Z.mul Z.one (dims n))) <> 0 then
      Read.fail i "as many cells as the sizes say";
    Some { X.dims = dims n; cells }

let model i =
  let graph, nodes, data, numbers = Gsl.graph_with_data node_data i in
  { graph; nodes; data; scalars = (if numbers.own then own else library); lanes = numbers.lanes; fma = numbers.fma }

let read text = Read.parse text model

(* {1 Into Coq} *)

let absent = { X.op = { X.what = X.KAbsent; type0 = []; attrs = [] }; args = [] }

let labels n =
  let int d = X.VInt (Z.of_int64 d) in
  (match n.dtype with Some d -> [ "dtype", X.VStr d ] | None -> [])
  @ (match n.dims with
     | Some l -> [ "shape", X.VTuple (List.map int l); "ndim", int (Int64.of_int (List.length l)) ]
     | None -> [])

let number k = Z.of_int (k + 1)

(* [at]: the number of a node in Coq; 0 is the absent input. *)
let node_in m at k n =
  let what =
    match n.kind with
    | Input -> X.KInput (number k)
    | Const v -> X.KConst (number k, if Hashtbl.mem m.data k then None else Option.map Opvalue.value v)
    | Op name -> X.KCall name
    | Proj i -> X.KProj (Z.of_int64 i)
    | Tuple -> X.KTuple in
  { X.op = { X.what; type0 = labels n; attrs = List.map (fun (l, v) -> (l, Opvalue.value v)) n.attrs };
    args = List.map (function Some e -> at.(e) | None -> Z.zero) n.ins }

(* The graph as it is: node k is node k + 1. *)
let graph_in m = absent :: List.mapi (node_in m (Array.init (Array.length m.nodes) number)) m.graph.nodes

let codes = [ "f32", 1; "f64", 11; "i64", 7; "i32", 6; "i8", 3; "u8", 2; "bool", 9 ]

(* Cells that come from literals alone (a constant of a shape, padding, 0 / 0 of nothing) are numbers of every type in
   the semantics.  A Cast to the declared type behind each operator leaves them the one that they are of. *)
let typed_in m =
  let at = Array.make (Array.length m.nodes) Z.zero in
  let add (k, next, nodes) n =
    let node = node_in m at k n in
    let keep = (k + 1, next + 1, node :: nodes) in
    at.(k) <- Z.of_int next;
    match n.kind, Option.bind n.dtype (fun d -> List.assoc_opt d codes) with
    | Op name, Some code when name <> "Cast" && n.dims <> None ->
      at.(k) <- Z.of_int (next + 1);
      let cast = { X.what = X.KCall "Cast"; type0 = labels n; attrs = [ "to", X.VInt (Z.of_int code) ] } in
      (k + 1, next + 2, { X.op = cast; args = [ Z.of_int next ] } :: node :: nodes)
    | _ -> keep in
  let _, _, nodes = List.fold_left add (0, 1, [ absent ]) m.graph.nodes in
  (at, List.rev nodes)

let given m k = Hashtbl.find_opt m.data (Z.to_int k - 1)

(* Extracted from the same types into another file, where there are kernels. *)
type data = Z.t -> cell X.tensor option
type eval = data -> data -> X.oper X.graph -> Z.t list -> cell X.tensor list option
type node_at = data -> data -> X.oper X.graph -> Z.t -> cell X.tensor X.gvalue option
let graph_eval_lanes : X.arith -> eval = Obj.magic Extracted_lanes.graph_eval_lanes
let node_at_lanes : X.arith -> node_at = Obj.magic Extracted_lanes.node_at_lanes
let fma : cell -> cell -> cell -> cell = Obj.magic Extracted_lanes.standard_fma
let graph_eval_fma : X.arith -> (cell -> cell -> cell -> cell) -> bool -> eval = Obj.magic Extracted_lanes.graph_eval_fma
let node_at_fma : X.arith -> (cell -> cell -> cell -> cell) -> bool -> node_at = Obj.magic Extracted_lanes.node_at_fma

(* {1 Answers} *)

let output m (name, k) (t : cell X.tensor) =
  let n = m.nodes.(k) in
  let print c = Option.value ~default:"?" (Option.bind (element n) (fun e -> e.print c)) in
  let words = List.map Z.to_string t.dims in
  Printf.sprintf "(output %s (%s)%s)\n" (Text.string_to_string name)
    (String.concat " " (Option.value ~default:"?" n.dtype :: words))
    (String.concat "" (List.map (fun c -> " " ^ print c) t.cells))

(* The nodes that an output needs, in order. *)
let needed m =
  let marks = Array.make (Array.length m.nodes) false in
  List.iter (fun (_, k) -> marks.(k) <- true) m.graph.outputs;
  for k = Array.length m.nodes - 1 downto 0 do
    if marks.(k) then List.iter (Option.iter (fun e -> marks.(e) <- true)) m.nodes.(k).ins
  done;
  List.filter (fun k -> marks.(k)) (List.init (Array.length m.nodes) Fun.id)

let why_none m at g =
  let node_at =
    if m.fma then node_at_fma m.scalars fma m.lanes
    else if m.lanes then node_at_lanes m.scalars
    else X.node_at m.scalars in
  let has_none k = node_at (given m) (given m) g at.(k) = None in
  match List.find_opt has_none (needed m) with
  | None -> "(none)\n"
  | Some k ->
    let n = m.nodes.(k) in
    let what = match n.kind with Op name -> name | _ -> Option.value ~default:"?" n.dtype in
    Printf.sprintf "(none %s %s)\n" (match n.name with Some s -> Text.string_to_string s | None -> string_of_int k) what

let outputs m =
  let at, g = typed_in m in
  let eval =
    if m.fma then graph_eval_fma m.scalars fma m.lanes
    else if m.lanes then graph_eval_lanes m.scalars
    else X.graph_eval m.scalars in
  match eval (given m) (given m) g (List.map (fun (_, k) -> at.(k)) m.graph.outputs) with
  | Some ts -> Ok (String.concat "" (List.map2 (output m) m.graph.outputs ts))
  | None -> Error (why_none m at g)

let checks m =
  let g = graph_in m in
  let outs = List.map (fun (_, k) -> number k) m.graph.outputs in
  let says name b = Printf.sprintf "(%s %s)\n" name (if b then "yes" else "no") in
  says "ready" (X.ready g outs)
  ^ says "inputs" (X.inputs_fit m.scalars (given m) g)
  ^ says "constants" (X.constants_fit m.scalars (given m) g)
  ^ "(open" ^ String.concat "" (List.map (fun e -> " " ^ Z.to_string (Z.pred e)) (X.open_gathers m.scalars (given m) g)) ^ ")\n"
