module X = Extracted_onnx
open Composition

let every = [| "f32"; "f64"; "i64"; "i32"; "i8"; "u8"; "bool" |]

let tile g =
  let x = cells g (mode g) (Rng.pick g every) (dims g 0 4 3) in
  let repeats = List.map (fun _ -> if Rng.percent g 5 then 0 else between g 1 3) x.dims in
  case [] [ Given x; Parameter (vector repeats) ]
    (X.tile_composition (sizes x) (numbers repeats))
    (lazy (X.onnx_tile scalars (numbers repeats) (tensor x)))

let scalar dtype c = { Cells.dtype; dims = []; cells = [| c |] }
let parameters dtype l = List.map (fun c -> Parameter (scalar dtype c)) l

(* Of integers; some with ends that are too far away. *)
let whole_range g dtype =
  let near () = if Rng.percent g 80 then between g (-40) 40 else between g (-2147483) 2147483 * 1000 in
  let start = if dtype = "i64" && Rng.percent g 10 then 1 lsl 52 - between g 0 1 else near () in
  let delta = if Rng.percent g 5 then 0 else between g 1 9 * if Rng.percent g 50 then -1 else 1 in
  let limit = start + (delta * between g (-3) 20) + between g (-5) 5 in
  let limit = if dtype = "i32" then max (-2147483648) (min 2147483647 limit) else limit in
  let z = Z.of_int and c = Z.of_int (code dtype) in
  let bounds = X.Whole (z start, z limit, z delta) in
  case [] (parameters dtype (List.map string_of_int [ start; limit; delta ])) (X.range_composition c bounds) (lazy (X.onnx_range c bounds))

let real_range g dtype =
  let number lo hi = Cells.of_float dtype (float_of_int (between g lo hi) /. Rng.pick g [| 1.0; 4.0; 10.0; 7.3 |]) in
  let start = number (-99) 99 in
  let delta = if Rng.percent g 8 then Rng.pick g [| "nan"; Cells.of_float dtype 0.0; Cells.of_float dtype infinity |] else number (-50) 50 in
  let limit =
    if Rng.percent g 5 then Cells.of_float dtype infinity
    else
      let value = Cells.float_of dtype in
      let l = value start +. (value delta *. float_of_int (between g (-6) 40) /. 2.0) in
      Cells.of_float dtype (if Float.is_finite l then l else 3.0) in
  let bits x = Numbers.unsigned (Z.of_int64 (Int64.bits_of_float (Cells.float_of dtype x))) and c = Z.of_int (code dtype) in
  let bounds = X.Real (bits start, bits limit, bits delta) in
  case [] (parameters dtype [ start; limit; delta ]) (X.range_composition c bounds) (lazy (X.onnx_range c bounds))

let range g =
  match Rng.pick g [| "f32"; "f64"; "i32"; "i64" |] with
  | ("f32" | "f64") as t -> real_range g t
  | t -> whole_range g t

let global_max_pool g =
  let x = cells g (mode g) (Rng.pick g [| "f32"; "f64" |]) (dims g 3 5 4) in
  case [] [ Given x ] (X.global_max_pool_composition (sizes x)) (lazy (X.onnx_global_max_pool scalars (tensor x)))

(* Blocks of k by k: some do not fit. *)
let block g = between g 1 3
let fits g n k = if Rng.percent g 95 then n * k else (n * k) + 1

let depth_to_space g =
  let k = block g and t = Rng.pick g every in
  let x = cells g (mode g) t [ between g 1 2; fits g (between g 1 3) (k * k); between g 1 3; between g 1 3 ] in
  let mode = Rng.pick g [| None; Some "DCR"; Some "CRD" |] in
  let attrs = ("blocksize", int k) :: Option.to_list (Option.map (fun m -> ("mode", text m)) mode) and k = Z.of_int k in
  case attrs [ Given x ]
    (X.depth_to_space_composition (mode = Some "CRD") k (sizes x))
    (lazy (X.onnx_depth_to_space scalars (mode = Some "CRD") k (tensor x)))

let space_to_depth g =
  let k = block g and t = Rng.pick g every in
  let x = cells g (mode g) t [ between g 1 2; between g 1 3; fits g (between g 1 3) k; fits g (between g 1 3) k ] in
  case [ "blocksize", int k ] [ Given x ]
    (X.space_to_depth_composition (Z.of_int k) (sizes x))
    (lazy (X.onnx_space_to_depth scalars (Z.of_int k) (tensor x)))

let trilu g =
  let t = Rng.pick g every in
  let x = cells g (mode g) t (dims g 1 4 4) and k = between g (-4) 4 and upper = Rng.pick g [| None; Some 0; Some 1 |] in
  let given = k <> 0 || Rng.percent g 50 in
  let upper_is = upper <> Some 0 in
  case (Option.to_list (Option.map (fun u -> ("upper", int u)) upper))
    (Given x :: (if given then [ Parameter (scalar "i64" (string_of_int k)) ] else []))
    (X.trilu_composition (Z.of_int (code t)) upper_is (Z.of_int k) (sizes x))
    (lazy (X.onnx_trilu scalars (List.hd (constant t [ X.LInt Z.zero ])) upper_is (Z.of_int k) (tensor x)))

let gather_nd g =
  let x = cells g (mode g) (Rng.pick g every) (dims g 1 4 4) in
  let rank = List.length x.dims in
  let batch = if Rng.percent g 50 then 0 else between g 0 (rank - 1) in
  let n = between g 1 (rank - batch) in
  let named = List.filteri (fun i _ -> i >= batch && i < batch + n) x.dims in
  let outer = List.filteri (fun i _ -> i < batch) x.dims @ dims g 0 2 3 in
  let index d = if Rng.percent g 1 then d else between g (-d) (d - 1) in
  let l = List.concat (List.init (List.fold_left ( * ) 1 outer) (fun _ -> List.map index named)) in
  let q = outer @ [ List.length named ] in
  let indices = { (vector l) with dims = q } in
  let attrs = if batch > 0 || Rng.percent g 20 then [ ("batch_dims", int batch) ] else [] and batch = Z.of_int batch in
  case attrs [ Given x; Parameter indices ]
    (X.gather_nd_composition batch (sizes x) (numbers q) (numbers l))
    (lazy (X.onnx_gather_nd scalars batch (numbers q) (numbers l) (tensor x)))

let entries =
  [ { op = "Tile"; opset = 17; draw = tile };
    { op = "Range"; opset = 17; draw = range };
    { op = "GlobalMaxPool"; opset = 17; draw = global_max_pool };
    { op = "DepthToSpace"; opset = 17; draw = depth_to_space };
    { op = "SpaceToDepth"; opset = 17; draw = space_to_depth };
    { op = "Trilu"; opset = 17; draw = trilu };
    { op = "GatherND"; opset = 17; draw = gather_nd } ]
