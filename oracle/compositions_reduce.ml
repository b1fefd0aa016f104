module X = Extracted_onnx
open Composition

let every = [| "f32"; "f64"; "i64"; "i32"; "i8"; "u8"; "bool" |]
let type_code dtype = Z.of_int (code dtype)
let whole dtype z = List.hd (constant dtype [ X.LInt z ])

(* Some axes of so many, in any order; some out of range, or given twice. *)
let axis g rank = if Rng.percent g 4 then rank else between g (-rank) (max 0 (rank - 1))

let axes g rank =
  let all = List.filter (fun _ -> Rng.percent g 50) (List.init rank Fun.id) in
  let all = if Rng.percent g 50 then List.rev all else all in
  let all = List.map (fun a -> if Rng.percent g 30 then a - rank else a) all in
  if Rng.percent g 4 then axis g rank :: all else all

(* No number of the element type is greater. *)
let most = function
  | "f32" | "f64" -> scalars.X.s_neg scalars.X.s_least
  | "i64" -> whole "i64" (Z.of_int64 Int64.max_int)
  | "i32" -> whole "i32" (Z.of_int32 Int32.max_int)
  | "i8" -> whole "i8" (Z.of_int 127)
  | _ -> whole "u8" (Z.of_int 255)

let flag g label = if Rng.percent g 40 then [] else [ (label, int (if Rng.percent g 50 then 1 else 0)) ]
let given attrs label otherwise = match List.assoc_opt label attrs with Some v -> v = int 1 | None -> otherwise

(* The axes are attributes, or an input. *)
let reduction ?mode:(drawn = mode) ~input dtypes composition formula g =
  let dtype = Rng.pick g dtypes in
  let x = cells g (drawn g) dtype (dims g 0 4 3) in
  let axes = axes g (List.length x.dims) in
  let flags = flag g "keepdims" @ if input then flag g "noop_with_empty_axes" else [] in
  let keep = given flags "keepdims" true and noop = given flags "noop_with_empty_axes" false in
  let attrs = flags @ if input || axes = [] then [] else [ ("axes", ints axes) ] in
  let inputs = Given x :: (if input && (axes <> [] || Rng.percent g 50) then [ Parameter (vector axes) ] else []) in
  let zs = numbers axes in
  case attrs inputs (composition dtype keep noop zs (sizes x)) (lazy (formula dtype keep noop zs (tensor x)))

let reduce_min ~input =
  reduction ~input every
    (fun dtype -> X.reduce_min_composition (type_code dtype))
    (fun dtype -> X.onnx_reduce_min scalars (most dtype))

let floats = [| "f32"; "f64" |]
let numeric = Array.append floats [| "i64"; "i32" |]
let mostly_floats = [| "f32"; "f64"; "f32"; "f64"; "i32" |]

let reduce_sums kind dtypes ~input =
  reduction ~input dtypes
    (fun dtype -> X.reduce_sums_composition kind (type_code dtype))
    (fun _ -> X.onnx_reduce_sums scalars kind)

let reduce_prod ~input =
  reduction ~input numeric (fun _ -> X.reduce_prod_composition) (fun _ -> X.onnx_reduce_prod scalars)

(* The formula's exponentials overflow, and it rounds otherwise. *)
let reduce_log_sum_exp ~input g =
  let c =
    reduction ~mode:(fun _ -> Small) ~input floats
      (fun dtype -> X.reduce_log_sum_exp_composition (type_code dtype))
      (fun _ -> X.onnx_reduce_log_sum_exp scalars) g in
  { c with tolerance = 1e-5 }

(* Without NaNs, which have no order. *)
let ordered g dtype dims =
  let x = cells g (mode g) dtype dims in
  { x with Cells.cells = Array.map (fun c -> if c = "nan" then Cells.of_float dtype infinity else c) x.Cells.cells }

let less dtype b c = cell dtype (scalars.X.s_less b c) = cell dtype (whole dtype Z.one)

let arg composition formula g =
  let dtype = Rng.pick g every in
  let x = ordered g dtype (dims g 1 4 4) in
  let a = axis g (List.length x.dims) in
  let flags = flag g "keepdims" @ flag g "select_last_index" in
  let attrs = flags @ if a = 0 && Rng.percent g 50 then [] else [ ("axis", int a) ] in
  let keep = given flags "keepdims" true and last = given flags "select_last_index" false in
  case attrs [ Given x ]
    (composition (type_code dtype) keep last (Z.of_int a) (sizes x))
    (lazy (formula scalars (less dtype) (whole "i64") keep last (Z.of_int a) (tensor x)))

let hardmax ~flat g =
  let dtype = Rng.pick g [| "f32"; "f64" |] in
  let x = ordered g dtype (dims g 1 4 4) in
  let rank = List.length x.dims in
  let a = if flat && Rng.percent g 10 then rank else axis g rank in
  let attrs = if a = (if flat then 1 else -1) && Rng.percent g 50 then [] else [ ("axis", int a) ] in
  let yes = whole dtype Z.one and no = whole dtype Z.zero in
  case attrs [ Given x ]
    (X.hardmax_composition (type_code dtype) flat (Z.of_int a) (sizes x))
    (lazy (X.onnx_hardmax scalars (less dtype) yes no flat (Z.of_int a) (tensor x)))

(* Sums of small integers are exact in any order; others are compared in the order of the composition. *)
let cum_sum g =
  let dtype = Rng.pick g [| "f32"; "f64"; "i64"; "i32"; "i8"; "u8" |] in
  let in_order = Rng.percent g 50 in
  let small = (dtype = "f32" || dtype = "f64") && not in_order in
  let x = cells g (if small then Small else mode g) dtype (dims g 0 4 5) in
  let a = axis g (List.length x.dims) in
  let flags = flag g "exclusive" @ flag g "reverse" in
  let exclusive = given flags "exclusive" false and reverse = given flags "reverse" false in
  case flags
    [ Given x; Parameter { (vector [ a ]) with dims = [] } ]
    (X.cum_sum_composition exclusive reverse (Z.of_int a) (sizes x))
    (lazy ((if in_order then X.cum_sum_in_order else X.onnx_cum_sum) scalars exclusive reverse (Z.of_int a) (tensor x)))

(* The axes that are usual are left out, too. *)
let mean_variance g =
  let dtype = Rng.pick g floats in
  let x = cells g (mode g) dtype (dims g 1 4 3) in
  let rank = List.length x.dims in
  let usual = rank = 4 && Rng.percent g 50 in
  let axes = match axes g rank with l when not usual -> if l = [] then [ 0 ] else l | _ -> [ 0; 2; 3 ] in
  let zs = numbers axes in
  let tiny = List.hd (constant dtype [ X.LReal X.tiny_bits ]) in
  case (if usual then [] else [ ("axes", ints axes) ]) [ Given x ]
    (X.mean_variance_composition (type_code dtype) zs (sizes x))
    (lazy (X.onnx_mean_variance scalars tiny zs (tensor x)))

let both op draw = [ { op; opset = 17; draw = draw ~input:false }; { op; opset = 18; draw = draw ~input:true } ]

let entries =
  List.concat
    [ both "ReduceMin" reduce_min; both "ReduceProd" reduce_prod;
      both "ReduceLogSumExp" reduce_log_sum_exp; both "ReduceL1" (reduce_sums X.L1 numeric);
      both "ReduceL2" (reduce_sums L2 mostly_floats);
      both "ReduceSumSquare" (reduce_sums SumSquare numeric); both "ReduceLogSum" (reduce_sums LogSum mostly_floats) ]
  @ [ { op = "MeanVarianceNormalization"; opset = 13; draw = mean_variance };
      { op = "ArgMax"; opset = 17; draw = arg X.arg_max_composition X.onnx_arg_max };
      { op = "ArgMin"; opset = 17; draw = arg X.arg_min_composition X.onnx_arg_min };
      { op = "Hardmax"; opset = 12; draw = hardmax ~flat:true };
      { op = "Hardmax"; opset = 17; draw = hardmax ~flat:false };
      { op = "CumSum"; opset = 17; draw = cum_sum } ]
