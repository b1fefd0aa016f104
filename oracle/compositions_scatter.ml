module X = Extracted_onnx
open Composition

let every = [| "f32"; "f64"; "i64"; "i32"; "i8"; "u8"; "bool" |]
let reductions = [| "none", X.ByNone; "add", ByAdd; "mul", ByMul; "max", ByMax; "min", ByMin |]

(* Booleans are not reduced. *)
let drawn g ~reduces =
  if not reduces || Rng.percent g 40 then (Rng.pick g every, (if reduces && Rng.percent g 50 then [ ("reduction", text "none") ] else []), X.ByNone)
  else
    let name, red = Rng.pick g reductions in
    (Rng.pick g (Array.sub every 0 (if red = ByNone then 7 else 6)), [ ("reduction", text name) ], red)

(* From the end, too; some out of range. *)
let index g d = if Rng.percent g 1 then d else between g (-d) (d - 1)
let rec rows n l = if l = [] then [] else List.filteri (fun i _ -> i < n) l :: rows n (List.filteri (fun i _ -> i >= n) l)
let product = List.fold_left ( * ) 1

let scatter_nd ~reduces g =
  let dtype, attrs, red = drawn g ~reduces in
  let x = cells g (mode g) dtype (dims g 1 4 3) in
  let named = between g 1 (List.length x.dims) in
  let batch = dims g 0 2 3 in
  let first = List.filteri (fun i _ -> i < named) x.dims and rest = List.filteri (fun i _ -> i >= named) x.dims in
  let indices = List.concat (List.init (product batch) (fun _ -> List.map (index g) first)) in
  let u = cells g (mode g) dtype (batch @ rest) in
  let at = List.map numbers (rows named indices) in
  let n = Z.of_int named and b = numbers batch in
  case attrs [ Given x; Parameter { (vector indices) with dims = batch @ [ named ] }; Given u ]
    (X.scatter_nd_composition red n b at (sizes x) (sizes u))
    (lazy (X.onnx_scatter_nd scalars red n b at (tensor x) (tensor u)))

(* Indices inside of X but along the axis, where some cells are often updated. *)
let scatter_elements ~reduces g =
  let dtype, attrs, red = drawn g ~reduces in
  let x = cells g (mode g) dtype (dims g 1 3 3) in
  let rank = List.length x.dims in
  let axis = if Rng.percent g 4 then rank else between g (-rank) (rank - 1) in
  let a = if axis < 0 then axis + rank else min axis (rank - 1) in
  let size k d = if k = a then between g 1 5 else if Rng.percent g 1 then d + 1 else between g 1 d in
  let q = List.mapi size x.dims in
  let l = List.init (product q) (fun _ -> index g (List.nth x.dims a)) in
  let u = cells g (mode g) dtype q in
  let z = Z.of_int axis in
  case ((if axis = 0 && Rng.percent g 50 then [] else [ ("axis", int axis) ]) @ attrs)
    [ Given x; Parameter { (vector l) with dims = q }; Given u ]
    (X.scatter_elements_composition red z (numbers q) (numbers l) (sizes x) (sizes u))
    (lazy (X.onnx_scatter_elements scalars red z (numbers q) (numbers l) (tensor x) (tensor u)))

let entries =
  [ { op = "ScatterND"; opset = 13; draw = scatter_nd ~reduces:false };
    { op = "ScatterND"; opset = 18; draw = scatter_nd ~reduces:true };
    { op = "Scatter"; opset = 9; draw = scatter_elements ~reduces:false };
    { op = "ScatterElements"; opset = 18; draw = scatter_elements ~reduces:true } ]
