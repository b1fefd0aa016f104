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

let given known t = if known then Weight t else Given t

(* Factors of a product, with their axes of rows and columns. Few terms, so many that float32 does not hold their sums, or so
   many that int32 does not. *)
let factors g dtype weights =
  let filled dtype dims = { Cells.dtype; dims; cells = Array.make (List.fold_left ( * ) 1 dims) "255" } in
  let matrices inner =
    let batch = dims g 0 2 3 in
    let a = cells g (mode g) dtype ((if Rng.percent g 70 then batch else []) @ [ between g 1 4; inner ]) in
    (a, cells g (mode g) weights ((if Rng.percent g 30 then batch else []) @ [ inner; between g 1 4 ])) in
  match Rng.below g 10 with
  | 0 when dtype = "u8" && weights = "u8" ->
    let inner = between g 33100 33200 in
    (filled dtype [ 1; inner ], filled weights [ inner; 1 ])
  | 0 | 1 -> matrices (between g 259 300)
  | 2 ->
    let inner = between g 1 6 in
    (cells g (mode g) dtype [ inner ], cells g (mode g) weights [ inner; between g 1 4 ])
  | 3 ->
    let inner = between g 1 6 in
    (cells g (mode g) dtype [ between g 1 4; inner ], cells g (mode g) weights [ inner ])
  | _ -> matrices (between g 1 6)

let is_matrix (t : Cells.tensor) = List.length t.dims > 1

let along_axis g mode dtype (t : Cells.tensor) back =
  if is_matrix t then parameter g mode dtype t.dims (List.length t.dims - back) else cells g mode dtype (if Rng.percent g 50 then [] else [ 1 ])

(* It may have the factor's rank, too, and may not fit. *)
let factor_zero g dtype (t : Cells.tensor) back =
  if Rng.percent g 75 then along_axis g (mode g) dtype t back
  else cells g (mode g) dtype (List.map (fun n -> if Rng.percent g 5 then n + 1 else if Rng.percent g 50 then n else 1) t.dims)

let matmul_integer g =
  let dtype = byte g and weights = byte g in
  let a, b = factors g dtype weights in
  let za = zero g dtype (fun t -> factor_zero g t a 2) and zb = zero g weights (fun t -> factor_zero g t b 1) in
  let known = Rng.percent g 60 in
  let inputs =
    match zero_inputs za, zero_inputs zb with
    | [], (_ :: _ as l) -> Absent :: l
    | k, l -> k @ l in
  case []
    (Given a :: given known b :: inputs)
    (X.matmul_integer_composition (signed dtype) (signed weights) (sizes a) (zero_point za) (X.factor_input known (integers b))
       (zero_point zb))
    (lazy (Option.map (X.of_cells (fun z -> X.I32 z))
       (X.onnx_matmul_integer (integers a) (integers b) (zero_tensor za) (zero_tensor zb))))

(* Scales with which products are in the range of bytes, mostly. *)
let scaled g (t : Cells.tensor) =
  if Rng.percent g 20 then t
  else { t with cells = Array.map (fun _ -> Cells.of_float "f32" (float_of_int (between g 1 64) /. 512.0)) t.cells }

let qlinear_matmul g =
  let dtype = byte g and weights = byte g and result = byte g in
  let a, b = factors g dtype weights in
  let draw t back = if Rng.percent g 5 then parameter g (mode g) "f32" t.Cells.dims 0 else along_axis g (mode g) "f32" t back in
  let one g dtype = cells g (mode g) dtype (if Rng.percent g 50 then [] else [ 1 ]) in
  let sa = scaled g (if is_matrix b then draw a 2 else one g "f32") and sb = scaled g (draw b 1) in
  let za = factor_zero g dtype a 2 and zb = factor_zero g weights b 1 in
  let sy = scaled g (one g "f32") and zy = one g result in
  let constant = Rng.percent g 50 in
  let known () = constant || Rng.percent g 50 in
  let ka = known () and kza = known () and kb = known () and ksb = known () and kzb = known () and ksy = known () and kzy = known () in
  let zero known t = X.zero_input known (Some (integers t)) in
  case []
    [ Given a; given ka sa; given kza za; given kb b; given ksb sb; given kzb zb; given ksy sy; given kzy zy ]
    (X.qlinear_matmul_composition (signed dtype) (signed weights) (signed result) (sizes a) (X.scale_input ka (reals sa)) (zero kza za)
       (X.factor_input kb (integers b)) (X.scale_input ksb (reals sb)) (zero kzb zb) (X.scale_input ksy (reals sy)) (zero kzy zy))
    (lazy (Option.map (X.of_cells (X.byte (signed result)))
       (X.onnx_qlinear_matmul (signed result) (integers a) (reals sa) (integers za) (integers b) (reals sb) (integers zb)
          (reals sy) (integers zy))))

(* {1 Convolutions} *)

type convolution = { x : Cells.tensor; w : Cells.tensor; window : X.window; group : int; attrs : (string * Shim.value) list }

let rec map4 f a b c d =
  match a, b, c, d with x :: a, y :: b, z :: c, t :: d -> f x y z t :: map4 f a b c d | _ -> []

(* The pads of SAME_UPPER or SAME_LOWER: as many windows as strides fit into the input. *)
let same_pads upper ins strides extents =
  let total n s e = max 0 ((((n + s - 1) / s) - 1) * s + e - n) in
  let all = map4 (fun n s e () -> total n s e) ins strides extents (List.map ignore ins) in
  let less = List.map (fun t -> t / 2) all and more = List.map (fun t -> t - (t / 2)) all in
  if upper then (less, more) else (more, less)

(* Few terms, or so many that float32 does not hold their sums. *)
let convolution g dtype weights =
  let rank = between g 1 3 in
  let list f = List.init rank (fun _ -> f ()) in
  let kernel = list (fun () -> between g 1 3) in
  let strides = list (fun () -> between g 1 3) and dilations = list (fun () -> between g 1 2) in
  let extents = List.map2 (fun k d -> ((k - 1) * d) + 1) kernel dilations in
  let pads () = List.map (fun e -> if Rng.percent g 40 then between g 0 e else 0) extents in
  let before = pads () in
  let after = pads () in
  let ins =
    map4 (fun e p q () -> max 1 (e - p - q) + between g 0 (if rank = 1 then 3 else 1)) extents before after (List.map ignore kernel) in
  let cells_of_kernel = List.fold_left ( * ) 1 kernel in
  let wide = Rng.percent g 15 in
  let group = if wide then 1 else Rng.pick g [| 1; 1; 2; 3 |] in
  let inner =
    if wide then ((259 + cells_of_kernel - 1) / cells_of_kernel) + between g 0 2 else between g 1 3 in
  let before, after, attrs =
    match Rng.below g 5 with
    | 1 | 2 as k ->
      let before, after = same_pads (k = 1) ins strides extents in
      (before, after, [ ("auto_pad", text (if k = 1 then "SAME_UPPER" else "SAME_LOWER")) ])
    | _ -> (before, after, [ ("pads", ints (before @ after)) ]) in
  let w = cells g (mode g) weights (group * between g 1 2 :: inner :: kernel) in
  let greatest (t : Cells.tensor) = { t with cells = Array.map (fun _ -> if signed weights then "-128" else "255") t.cells } in
  { x = cells g (mode g) dtype (between g 1 2 :: group * inner :: ins);
    w = (if wide && Rng.percent g 60 then greatest w else w);
    window = { X.strides = numbers strides; dilations = numbers dilations; pads = numbers (before @ after) }; group;
    attrs =
      attrs
      @ (if Rng.percent g 50 then [ ("kernel_shape", ints kernel) ] else [])
      @ [ ("strides", ints strides); ("dilations", ints dilations); ("group", int group) ] }

let one g dtype = cells g (mode g) dtype (if Rng.percent g 50 then [] else [ 1 ])

let conv_integer g =
  let dtype = byte g and weights = byte g in
  let c = convolution g dtype weights in
  let zx = zero g dtype (one g) and zw = zero g weights (fun t -> parameter g (mode g) t c.w.dims 0) in
  let known = Rng.percent g 60 and group = Z.of_int c.group in
  let inputs =
    match zero_inputs zx, zero_inputs zw with
    | [], (_ :: _ as l) -> Absent :: l
    | k, l -> k @ l in
  case c.attrs
    (Given c.x :: given known c.w :: inputs)
    (X.conv_integer_composition (signed dtype) (signed weights) c.window group (sizes c.x) (zero_point zx)
       (X.factor_input known (integers c.w)) (zero_point zw))
    (lazy (Option.map (X.of_cells (fun z -> X.I32 z))
       (X.onnx_conv_integer c.window group (integers c.x) (integers c.w) (zero_tensor zx) (zero_tensor zw))))

(* Some are so great that int32 does not hold the sums. *)
let bias g n =
  if Rng.percent g 25 then { Cells.dtype = "i32"; dims = [ n ]; cells = Array.init n (fun _ -> Int.to_string (0x7fffffff - Rng.below g 300)) }
  else cells g (mode g) "i32" [ n ]

let qlinear_conv g =
  let dtype = byte g and weights = byte g and result = byte g in
  let c = convolution g dtype weights in
  let sx = scaled g (one g "f32") and zx = one g dtype in
  let sw = scaled g (parameter g (mode g) "f32" c.w.dims 0) and zw = parameter g (mode g) weights c.w.dims 0 in
  let sy = scaled g (one g "f32") and zy = one g result in
  let bias = if Rng.percent g 60 then Some (bias g (List.hd c.w.dims)) else None in
  let constant = Rng.percent g 50 and group = Z.of_int c.group in
  let known () = constant || Rng.percent g 50 in
  let ksx = known () and kzx = known () and kw = known () and ksw = known () and kzw = known () and ksy = known () and kzy = known () in
  let kb = known () in
  let zero known t = X.zero_input known (Some (integers t)) in
  case c.attrs
    ([ Given c.x; given ksx sx; given kzx zx; given kw c.w; given ksw sw; given kzw zw; given ksy sy; given kzy zy ]
     @ Option.to_list (Option.map (given kb) bias))
    (X.qlinear_conv_composition (signed dtype) (signed weights) (signed result) c.window group (sizes c.x)
       (X.scale_input ksx (reals sx)) (zero kzx zx) (X.factor_input kw (integers c.w)) (X.scale_input ksw (reals sw)) (zero kzw zw)
       (X.scale_input ksy (reals sy)) (zero kzy zy) (Option.map (fun b -> X.factor_input kb (integers b)) bias))
    (lazy (Option.map (X.of_cells (X.byte (signed result)))
       (X.onnx_qlinear_conv (signed result) c.window group (integers c.x) (reals sx) (integers zx) (integers c.w) (reals sw)
          (integers zw) (reals sy) (integers zy) (Option.map integers bias))))

let entries =
  [ { op = "QuantizeLinear"; opset = 13; draw = quantize }; { op = "DequantizeLinear"; opset = 13; draw = dequantize };
    { op = "MatMulInteger"; opset = 17; draw = matmul_integer }; { op = "ConvInteger"; opset = 17; draw = conv_integer };
    { op = "QLinearMatMul"; opset = 17; draw = qlinear_matmul }; { op = "QLinearConv"; opset = 17; draw = qlinear_conv } ]
