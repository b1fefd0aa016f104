open Shim_gsl
open Cells

let dims_of (n : node) = List.map Int64.to_int (Option.value ~default:[] n.dims)

(* {1 Types again} *)

exception Unfit

(* A list of axes that names one twice is no longer what ONNX allows. *)
let distinct_axes attrs rank =
  match List.assoc_opt "axes" attrs with
  | Some (Shim.Tuple l) ->
    let axes = List.filter_map (function Shim.Int i -> Some (if i < 0L then Int64.add i (Int64.of_int rank) else i) | _ -> None) l in
    List.length (List.sort_uniq compare axes) = List.length l
  | _ -> true

(* Shapes of operators from those of the inputs; element types stay. *)
let infer (m : model) =
  let nodes = Array.copy m.nodes in
  let dims e = match e with Some k -> dims_of nodes.(k) | None -> raise Unfit in
  let parts = Hashtbl.create 7 in
  Array.iteri
    (fun k (n : node) ->
      let set d = nodes.(k) <- { n with dims = Some (List.map Int64.of_int d) } in
      match n.kind with
      | Op op ->
        let ins = List.map dims n.ins in
        if not (distinct_axes n.attrs (match ins with d :: _ -> List.length d | [] -> 0)) then raise Unfit;
        (match Gen_op.infer op n.attrs ins with
         | Some [ d ] when n.dims <> None -> set d
         | Some l when n.dims = None -> Hashtbl.replace parts k l
         | _ -> raise Unfit)
      | Proj i ->
        (match n.ins with
         | [ Some p ] ->
           (match List.nth_opt (try Hashtbl.find parts p with Not_found -> raise Unfit) (Int64.to_int i) with
            | Some d -> set d
            | None -> raise Unfit)
         | _ -> raise Unfit)
      | Input | Const _ | Tuple -> ())
    nodes;
  { m with nodes; graph = { m.graph with nodes = Array.to_list nodes } }

(* Only nodes that an output needs. *)
let prune m =
  let n = Array.length m.nodes in
  let need = Array.make n false in
  List.iter (fun (_, k) -> need.(k) <- true) m.graph.outputs;
  for k = n - 1 downto 0 do
    if need.(k) then List.iter (Option.iter (fun e -> need.(e) <- true)) m.nodes.(k).ins
  done;
  let at = Array.make n 0 and next = ref 0 in
  Array.iteri (fun k _ -> at.(k) <- !next; if need.(k) then incr next) m.nodes;
  let nodes = List.filteri (fun k _ -> need.(k)) (Array.to_list m.nodes) in
  let nodes = List.map (fun n -> { n with ins = List.map (Option.map (fun e -> at.(e))) n.ins }) nodes in
  let data = Hashtbl.fold (fun k t l -> if need.(k) then (at.(k), t) :: l else l) m.data [] in
  Cells.model ~own:m.own ~lanes:m.lanes ~fma:m.fma { m.graph with nodes; outputs = List.map (fun (o, k) -> (o, at.(k))) m.graph.outputs } data

let with_node m k n =
  let nodes = Array.copy m.nodes in
  nodes.(k) <- n;
  { m with nodes; graph = { m.graph with nodes = Array.to_list nodes } }

let with_tensor m k (t : tensor) =
  let data = Hashtbl.copy m.data in
  Hashtbl.replace data k t;
  { (with_node m k { m.nodes.(k) with dims = Some (List.map Int64.of_int t.dims) }) with data }

(* {1 Steps} *)

(* The tensor with dimension [axis] cut to [size] cells from [first] on. *)
let cut axis first size (t : tensor) =
  let d = Array.of_list t.dims in
  let inner = count (List.filteri (fun i _ -> i > axis) t.dims) in
  let outer = count (List.filteri (fun i _ -> i < axis) t.dims) in
  let cell i =
    let o = i / (size * inner) and r = i mod (size * inner) in
    t.cells.((((o * d.(axis)) + first) * inner) + r) in
  { t with dims = List.mapi (fun i n -> if i = axis then size else n) t.dims; cells = Array.init (outer * size * inner) cell }

let inputs (m : model) =
  List.filter_map (fun k -> Option.map (fun t -> (k, t)) (match m.nodes.(k).kind with Input | Const _ -> data_of m k | _ -> None))
    (List.init (Array.length m.nodes) Fun.id)

(* Dimensions of a size, in one input or in all. *)
let resized m =
  let places = List.concat_map (fun (k, (t : tensor)) -> List.mapi (fun a d -> (k, a, d)) t.dims) (inputs m) in
  let sizes = List.sort_uniq compare (List.map (fun (_, _, d) -> d) places) in
  let change size first l m =
    List.fold_left (fun m (k, a, _) -> with_tensor m k (cut a first size (Option.get (data_of m k)))) m l in
  let ways d l =
    List.concat_map
      (fun size -> if size < d && size >= 1 then [ change size 0 l m; change size (d - size) l m ] else [])
      [ 1; d / 2; d - 1 ] in
  List.concat_map (fun d -> ways d (List.filter (fun (_, _, e) -> e = d) places)) sizes
  @ List.concat_map (fun (k, a, d) -> ways d [ (k, a, d) ]) places

let drop k l = List.filteri (fun i _ -> i <> k) l

(* Without a dimension of size 1: the [from]-th from the front or the end of each input that has it; lists of one or two numbers a
   dimension lose it, too. *)
let flatter m =
  let ins = inputs m in
  let rank = List.fold_left (fun a (_, (t : tensor)) -> max a (List.length t.dims)) 0 ins in
  let without pick_axis which =
    let attrs (n : node) =
      List.map
        (fun (l, v) ->
          match v with
          | Shim.Tuple vs ->
            let len = List.length vs in
            let spatial = rank - len in
            let at = pick_axis rank in
            if len = rank then (l, Shim.Tuple (drop at vs))
            else if len = 2 * rank then (l, Shim.Tuple (drop at (drop (rank + at) vs)))
            else if spatial = 2 && at >= 2 then (l, Shim.Tuple (drop (at - 2) vs))
            else if len = 2 * (rank - 2) && at >= 2 then (l, Shim.Tuple (drop (at - 2) (drop (at - 2 + rank - 2) vs)))
            else (l, v)
          | _ -> (l, v))
        n.attrs in
    let m =
      List.fold_left
        (fun m (k, (t : tensor)) ->
          let at = pick_axis (List.length t.dims) in
          if which k && at >= 0 && at < List.length t.dims && List.nth t.dims at = 1 then with_tensor m k { t with dims = drop at t.dims } else m)
        m ins in
    Array.to_list (Array.mapi (fun k (n : node) -> (k, n)) m.nodes)
    |> List.fold_left (fun m (k, n) -> match n.kind with Op _ -> with_node m k { n with attrs = attrs n } | _ -> m) m in
  List.concat_map
    (fun a ->
      [ without (fun _ -> a) (fun _ -> true); without (fun r -> r - 1 - a) (fun _ -> true) ]
      @ List.map (fun (k, _) -> without (fun _ -> a) (( = ) k)) ins)
    (List.init rank Fun.id)

let plainer_values v =
  match v with
  | Shim.Int i -> List.map (fun i -> Shim.Int i) (List.filter (fun j -> Int64.abs j < Int64.abs i) [ 0L; 1L; Int64.div i 2L ])
  | Float b ->
    let x = Int64.float_of_bits b in
    List.filter_map (fun y -> if x <> y && x <> 0.0 && not (x = 1.0) then Some (Shim.Float (Int64.bits_of_float y)) else None) [ 0.0; 1.0 ]
  | _ -> []

let attributes m =
  List.concat
    (List.mapi
       (fun k (n : node) ->
         match n.kind with
         | Op _ ->
           let one i (l, v) =
             let put v = with_node m k { n with attrs = List.mapi (fun j a -> if i = j then (l, v) else a) n.attrs } in
             let removed = with_node m k { n with attrs = drop i n.attrs } in
             let inside =
               match v with
               | Shim.Tuple vs ->
                 List.concat (List.mapi (fun j w -> List.map (fun w -> put (Shim.Tuple (List.mapi (fun a b -> if a = j then w else b) vs))) (plainer_values w)) vs)
               | v -> List.map put (plainer_values v) in
             removed :: inside in
           List.concat (List.mapi one n.attrs)
         | _ -> [])
       m.graph.nodes)

(* C's functions; one output alone; an operator cut off, its value as the oracle has it an input; without an input that can be left out. *)
let fewer m =
  let outs = m.graph.outputs in
  let alone = if List.length outs > 1 then List.map (fun o -> { m with graph = { m.graph with outputs = [ o ] } }) outs else [] in
  let value =
    match Result.bind (Model.read (print (Onnx_model.expose m))) Model.outputs with
    | Ok t -> Result.value ~default:[] (answer t)
    | Error _ -> [] in
  let cut_off =
    List.filter_map
      (fun k ->
        let rest = List.filter (fun (_, e) -> e <> k) outs in
        match m.nodes.(k).kind, List.assoc_opt (Onnx_model.name m k) value with
        | (Op _ | Proj _), Some t when rest <> [] ->
          let m = with_tensor (with_node m k { (m.nodes.(k)) with kind = Input; ins = []; attrs = [] }) k t in
          Some { m with graph = { m.graph with outputs = rest } }
        | _ -> None)
      (List.init (Array.length m.nodes) Fun.id) in
  let left_out =
    List.concat
      (List.mapi
         (fun k (n : node) ->
           match n.kind with
           | Op _ when List.length n.ins > 1 -> List.mapi (fun i _ -> with_node m k { n with ins = drop i n.ins }) n.ins
           | _ -> [])
         m.graph.nodes) in
  let library = if m.own then [ { m with own = false } ] else [] in
  let sequential = if m.lanes then [ { m with lanes = false } ] else [] in
  let rounded = if m.fma then [ { m with fma = false } ] else [] in
  library @ sequential @ rounded @ alone @ cut_off @ left_out

let plain m =
  let value x t = Cells.of_float t x in
  let constant_to_input =
    List.concat
      (List.mapi (fun k (n : node) -> match n.kind with Const _ -> [ with_node m k { n with kind = Input } ] | _ -> []) m.graph.nodes) in
  let cells (k, (t : tensor)) =
    let all = List.map (fun x -> { t with cells = Array.map (fun _ -> value x t.dtype) t.cells }) [ 0.0; 1.0 ] in
    let one i c =
      let put x = if value x t.dtype = c then [] else [ { t with cells = Array.mapi (fun j d -> if i = j then value x t.dtype else d) t.cells } ] in
      if c = value 0.0 t.dtype then [] else if c = value 1.0 t.dtype then put 0.0 else List.concat_map put [ 0.0; 1.0 ] in
    let singly = if Array.length t.cells > 60 then [] else List.concat (Array.to_list (Array.mapi one t.cells)) in
    List.map (with_tensor m k) (List.filter (fun (u : tensor) -> u.cells <> t.cells) all @ singly) in
  constant_to_input @ List.concat_map cells (inputs m)

(* {1 Order} *)

let measure m =
  let ops = Array.fold_left (fun a (n : node) -> match n.kind with Op _ -> a + 1 | _ -> a) 0 m.nodes in
  let ins = inputs m in
  let cells = List.fold_left (fun a (_, (t : tensor)) -> a + Array.length t.cells) 0 ins in
  let ranks = List.fold_left (fun a (_, (t : tensor)) -> a + List.length t.dims) 0 ins in
  let attrs = Array.fold_left (fun a (n : node) -> a + List.length n.attrs) (Bool.to_int m.own + Bool.to_int m.lanes + Bool.to_int m.fma) m.nodes in
  let numbers v = match v with Shim.Int i -> Int64.to_int (Int64.abs i) | Shim.Float b -> if b = 0L then 0 else if b = 0x3ff0000000000000L then 1 else 2 | _ -> 0 in
  let sizes =
    Array.fold_left
      (fun a (n : node) -> List.fold_left (fun a (_, v) -> a + (match v with Shim.Tuple l -> List.fold_left (fun a v -> a + numbers v) 0 l | v -> numbers v)) a n.attrs)
      0 m.nodes in
  let other c t = if c = Cells.of_float t 0.0 then 0 else if c = Cells.of_float t 1.0 then 1 else 2 in
  let values = List.fold_left (fun a (_, (t : tensor)) -> Array.fold_left (fun a c -> a + other c t.dtype) a t.cells) 0 ins in
  let constants = Array.fold_left (fun a (n : node) -> match n.kind with Const _ -> a + 1 | _ -> a) 0 m.nodes in
  [ List.length m.graph.outputs; ops; cells; ranks; attrs; List.length ins; sizes; values; constants ]

let smaller m =
  let size = measure m in
  let steps = List.to_seq [ fewer; resized; flatter; attributes; plain ] in
  Seq.concat_map (fun step -> List.to_seq (step m)) steps
  |> Seq.filter_map (fun m -> match infer (prune m) with m -> Some m | exception (Unfit | Invalid_argument _ | Failure _) -> None)
  |> Seq.filter (fun m -> measure m < size)
