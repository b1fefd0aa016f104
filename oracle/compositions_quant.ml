module X = Extracted_onnx
open Composition

let each f (t : Cells.tensor) = X.each f (tensor t)
let reals = each X.real_of
let integers = each X.integer_of
let byte g = Rng.pick g [| "i8"; "u8" |]
let signed dtype = dtype = "i8"

(* One cell, or one for each place along the axis. *)
let parameter g mode dtype dims axis =
  match Rng.below g 3 with
  | 0 -> cells g mode dtype []
  | 1 -> cells g mode dtype [ 1 ]
  | _ -> cells g mode dtype [ List.nth dims axis ]

(* No zero point, one that is constant, or one that is an input. *)
let zero g dtype draw =
  match Rng.below g 4 with
  | 0 -> None
  | 1 -> Some (draw dtype, false)
  | _ -> Some (draw dtype, true)

(* Along the axis only if the scale is. *)
let along g (scale : Cells.tensor) dims axis dtype =
  if scale.dims = [] then cells g (mode g) dtype (if Rng.percent g 50 then [] else [ 1 ])
  else parameter g (mode g) dtype dims axis

let zero_inputs zero = match zero with None -> [] | Some (t, known) -> [ (if known then Weight t else Given t) ]
let zero_tensor zero = Option.map (fun (t, _) -> integers t) zero
let zero_point zero = X.zero_input (match zero with Some (_, known) -> known | None -> true) (zero_tensor zero)

let quantize g =
  let x = cells g (mode g) "f32" (dims g 1 4 4) in
  let axis = Rng.below g (List.length x.dims) in
  let scale = parameter g (mode g) "f32" x.dims axis in
  let dtype = byte g in
  let zero = zero g dtype (along g scale x.dims axis) in
  let s = if zero = None then false else signed dtype in
  let axis' = Z.of_int axis in
  case [ ("axis", int axis) ]
    (Given x :: (if Rng.percent g 50 then Weight scale else Given scale) :: zero_inputs zero)
    (X.quantize_composition s axis' (sizes x) (sizes scale) (zero_point zero))
    (lazy (Option.map (X.of_cells (X.byte s)) (X.onnx_quantize_linear s axis' (reals x) (reals scale) (zero_tensor zero))))

let dequantize g =
  let dtype = byte g in
  let x = cells g (mode g) dtype (dims g 1 4 4) in
  let axis = Rng.below g (List.length x.dims) in
  let scale = parameter g (mode g) "f32" x.dims axis in
  let zero = zero g dtype (along g scale x.dims axis) in
  let axis' = Z.of_int axis in
  case [ ("axis", int axis) ]
    (Given x :: (if Rng.percent g 50 then Weight scale else Given scale) :: zero_inputs zero)
    (X.dequantize_composition axis' (sizes x) (sizes scale) (zero_point zero))
    (lazy (Option.map (X.of_cells (fun x -> X.F32 x))
       (X.onnx_dequantize_linear axis' (integers x) (reals scale) (zero_tensor zero))))

(* Constant weights. Longer sums are binary64, of which there is no program here. *)
let matmul_integer g =
  let dtype = byte g and weights = byte g in
  let inner = between g 1 6 in
  let a = cells g (mode g) dtype (dims g 0 2 3 @ [ between g 1 4; inner ]) in
  let b = cells g (mode g) weights [ inner; between g 1 4 ] in
  let za =
    match zero g dtype (fun t -> parameter g (mode g) t a.dims (List.length a.dims - 2)) with
    | None -> (cells g Small dtype [], true)
    | Some z -> z in
  let zb = Option.map (fun (t, _) -> (t, true)) (zero g weights (fun t -> parameter g (mode g) t b.dims 1)) in
  case []
    (Given a :: Weight b :: zero_inputs (Some za) @ (match zb with Some (t, _) -> [ Parameter t ] | None -> []))
    (X.matmul_integer_composition (signed dtype) (sizes a) (zero_point (Some za)) (integers b) (zero_tensor zb))
    (lazy (Option.map (X.of_cells (fun z -> X.I32 z))
       (X.onnx_matmul_integer (integers a) (integers b) (zero_tensor (Some za)) (zero_tensor zb))))

let entries =
  [ { op = "QuantizeLinear"; opset = 13; draw = quantize }; { op = "DequantizeLinear"; opset = 13; draw = dequantize };
    { op = "MatMulInteger"; opset = 17; draw = matmul_integer } ]
