module X = Extracted_onnx
open Composition

let every = [| "f32"; "f64"; "i64"; "i32"; "i8"; "u8"; "bool" |]
let whole dtype n = List.hd (constant dtype [ X.LInt (Z.of_int n) ])

(* Tensors that are broadcast to one another; a few are not. *)
let mean g =
  let dtype = Rng.pick g [| "f32"; "f64" |] in
  let out = dims g 0 3 3 in
  let one () =
    let ds = List.map (fun d -> if Rng.percent g 25 then 1 else if Rng.percent g 2 then d + 1 else d) out in
    cells g (mode g) dtype (List.filteri (fun i _ -> i >= Rng.below g (1 + List.length ds) / 2) ds) in
  let x = one () in
  let l = List.init (between g 0 3) (fun _ -> one ()) in
  case [] (List.map (fun t -> Given t) (x :: l))
    (X.mean_composition (Z.of_int (code dtype)) (sizes x) (List.map sizes l))
    (lazy (X.onnx_mean scalars (whole dtype (1 + List.length l)) (tensor x) (List.map tensor l)))

(* Floats that an integer type has. *)
let cast_like g =
  let dtype = Rng.pick g every and wanted = Rng.pick g every in
  let floats = dtype = "f32" || dtype = "f64" in
  let x = cells g (if floats then Small else mode g) dtype (dims g 0 3 4) in
  let y = cells g (mode g) wanted (dims g 0 2 3) in
  let c = Z.of_int (code wanted) in
  case [] [ Given x; Given y ] (X.cast_like_composition c) (lazy (Some (X.onnx_cast_like scalars c (tensor x))))

let size g =
  let x = cells g (mode g) (Rng.pick g every) (dims g 0 4 4) in
  case [] [ Given x ] (X.size_composition (sizes x))
    (lazy (Some (X.onnx_size scalars (fun z -> List.hd (constant "i64" [ X.LInt z ])) (tensor x))))

(* Some channels that are not groups, and some epsilon below 0. The least tolerance: -0 is 0. *)
let group_normalization ~late g =
  let groups = between g 1 3 in
  let c = if Rng.percent g 3 then (groups * 2) + 1 else groups * between g 1 3 in
  let x = cells g (mode g) "f32" (between g 1 2 :: c :: dims g (if Rng.percent g 5 then 0 else 1) 3 3) in
  let vector () = cells g (mode g) "f32" [ (if late then c else groups) ] in
  let scale = vector () and bias = vector () in
  let epsilon = if Rng.percent g 30 then None else Some (real (Rng.pick g [| 1e-3; 0.0; 0.5; -0.25 |])) in
  let bits = match Option.value ~default:(real 1e-5) epsilon with Shim.Float b -> Numbers.unsigned (Z.of_int64 b) | _ -> Z.zero in
  let n = Z.of_int groups in
  let attrs = ("num_groups", int groups) :: Option.to_list (Option.map (fun e -> ("epsilon", e)) epsilon) in
  let c =
    case attrs [ Given x; Given scale; Given bias ]
      (X.group_normalization_composition late n bits (sizes x) (sizes scale) (sizes bias))
      (lazy (X.onnx_group_normalization scalars late n bits (tensor x) (tensor scale) (tensor bias))) in
  { c with tolerance = Float.min_float }

let floats g =
  let dtype = Rng.pick g [| "f32"; "f64" |] in
  let x = cells g (if Rng.percent g 70 then Special else mode g) dtype (dims g 0 3 4) in
  (dtype = "f64", x, X.each (X.float_of (dtype = "f64")) (tensor x))

let truths t = X.of_cells (fun b -> X.Bool b) t

let is_nan g =
  let _, x, numbers = floats g in
  case [] [ Given x ] (Some X.is_nan_composition) (lazy (Some (truths (X.onnx_is_nan numbers))))

(* An attribute that is left out is 1. *)
let is_inf g =
  let double, x, numbers = floats g in
  let draw label = match Rng.below g 3 with 0 -> (true, []) | 1 -> (true, [ (label, int 1) ]) | _ -> (false, [ (label, int 0) ]) in
  let below, first = draw "detect_negative" in
  let above, second = draw "detect_positive" in
  case (first @ second) [ Given x ] (X.is_inf_composition double below above)
    (lazy (Some (truths (X.onnx_is_inf below above numbers))))

let entries =
  [ { op = "IsNaN"; opset = 13; draw = is_nan }; { op = "IsInf"; opset = 13; draw = is_inf };
    { op = "Mean"; opset = 13; draw = mean }; { op = "CastLike"; opset = 18; draw = cast_like };
    { op = "Size"; opset = 13; draw = size };
    { op = "GroupNormalization"; opset = 18; draw = group_normalization ~late:false };
    { op = "GroupNormalization"; opset = 21; draw = group_normalization ~late:true } ]
