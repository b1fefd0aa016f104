module X = Extracted_onnx
open Composition

let chance = Rng.percent

(* {1 Resize, nearest: places are computed in Coq, of fractions} *)

let texts_of_coordinates =
  [ X.HalfPixel, "half_pixel"; Symmetric, "half_pixel_symmetric"; Pytorch, "pytorch_half_pixel"; Corners, "align_corners";
    Asymmetric, "asymmetric"; TfHalfPixel, "tf_half_pixel_for_nn" ]

let roundings = [ X.PreferFloor, "round_prefer_floor"; PreferCeil, "round_prefer_ceil"; Floor, "floor"; Ceil, "ceil" ]

let floats l = { Cells.dtype = "f32"; dims = [ List.length l ]; cells = Array.of_list (List.map (Cells.of_float "f32") l) }

(* Exact in binary32. *)
let fractions = [| 1, 1; 1, 1; 2, 1; 2, 1; 3, 1; 4, 1; 1, 2; 1, 4; 3, 2; 5, 4; 3, 4 |]

(* Of a symmetric centre is rounded what is a sum of several: whole sizes only. *)
let fraction g coordinates n =
  let p, q = Rng.pick g fractions in
  if coordinates = X.Symmetric && p * n mod q <> 0 then 1, 1 else p, q

let value (p, q) = float_of_int p /. float_of_int q

let resize_nearest g =
  let coordinates, coordinates_text = Rng.pick g (Array.of_list texts_of_coordinates) in
  let rounding, rounding_text = Rng.pick g (Array.of_list roundings) in
  let t = Rng.pick g [| "f32"; "f64"; "i64"; "i32"; "i8"; "u8" |] in
  let x = cells g (mode g) t (dims g 1 4 5) in
  let scales = List.map (fraction g coordinates) x.dims in
  let plans = X.nearest_plans coordinates rounding (sizes x) (List.map (fun (p, q) -> (Z.of_int p, Z.of_int q)) scales) in
  let type_ = Z.of_int (code t) in
  case
    [ "mode", text "nearest"; "coordinate_transformation_mode", text coordinates_text; "nearest_mode", text rounding_text ]
    [ Given x; Absent; Parameter (floats (List.map value scales)) ]
    (X.resize_composition type_ (sizes x) plans)
    (lazy (Some (X.onnx_resize scalars (X.typed scalars) type_ plans (tensor x))))

(* {1 Resize by weights, which are binary64 as C computes them} *)

type kind = Linear | Cubic

let cubic_a = -0.75

let source coordinates s n out i =
  let x = float_of_int i and n = float_of_int n in
  let whole = s *. n in
  match coordinates with
  | X.Corners -> if whole = 1.0 then 0.0 else x *. (n -. 1.0) /. (whole -. 1.0)
  | Asymmetric -> x /. s
  | TfHalfPixel -> (x +. 0.5) /. s
  | Pytorch -> if whole > 1.0 then (x +. 0.5) /. s -. 0.5 else 0.0
  | Symmetric -> (n /. 2.0 *. (1.0 -. (float_of_int out /. whole))) +. ((x +. 0.5) /. s) -. 0.5
  | HalfPixel -> (x +. 0.5) /. s -. 0.5

let weight kind d =
  let a = cubic_a and d = Float.abs d in
  match kind with
  | Linear -> if d < 1.0 then 1.0 -. d else 0.0
  | Cubic ->
    if d <= 1.0 then (((((a +. 2.0) *. d) -. (a +. 3.0)) *. d) *. d) +. 1.0
    else if d < 2.0 then (((((a *. d) -. (5.0 *. a)) *. d) +. (8.0 *. a)) *. d) -. (4.0 *. a)
    else 0.0

(* Taps: places and weights of all outputs, each of which comes from a place [x]; [shrink]: of smoothed downscaling;
   [whole]: weights are divided by their sum. *)
let taps_of kind exclude whole shrink n xs =
  let reach = match kind with Linear -> 1.0 | Cubic -> 2.0 in
  let reach = int_of_float (Float.ceil (reach /. shrink)) in
  let at x =
    let base = Float.floor x in
    let tap t =
      let place = base +. float_of_int (t + 1 - reach) in
      let inside = place >= 0.0 && place <= float_of_int (n - 1) in
      (int_of_float place, if exclude && not inside then 0.0 else weight kind ((place -. x) *. shrink)) in
    let all = List.init (2 * reach) tap in
    let sum = List.fold_left (fun sum (_, w) -> sum +. w) 0.0 all in
    if (exclude || whole) && sum <> 0.0 then List.map (fun (p, w) -> (p, w /. sum)) all else all in
  let rows = List.map at xs in
  let columns = List.init (2 * reach) (fun t -> Array.of_list (List.map (fun row -> List.nth row t) rows)) in
  match List.filter (fun column -> Array.exists (fun (_, w) -> w <> 0.0) column) columns with
  | [] -> [ List.hd columns ]
  | kept -> kept

let taps kind coordinates exclude whole s n out = taps_of kind exclude whole (if whole then Float.min s 1.0 else 1.0) n
    (List.init out (source coordinates s n out))

(* Weights that rounding alone keeps apart are the same, as in C. *)
let settled n out columns =
  let k = out / n in
  let like c i = fst c.(i + k) = fst c.(i) + 1 && Float.abs (snd c.(i + k) -. snd c.(i)) <= 1e-9 in
  let periodic c = List.for_all (like c) (List.init (max 0 (out - k)) Fun.id) in
  if out mod n = 0 && k >= 2 && k <= 8 && List.for_all periodic columns then
    List.map (fun c -> Array.mapi (fun i (p, _) -> (p, snd c.(i mod k))) c) columns
  else columns

let bits x = Numbers.unsigned (Z.of_int64 (Int64.bits_of_float x))

let columns_of l = List.map (fun c -> List.map (fun (p, w) -> (Z.of_int p, bits w)) (Array.to_list c)) l

let plan kind coordinates exclude whole n (p, q) =
  if p = q && coordinates <> X.TfHalfPixel then X.Keep
  else
    let out = p * n / q in
    let columns = if out < 1 then [] else taps kind coordinates exclude whole (value (p, q)) n out in
    let columns = if exclude || out < 1 then columns else settled n out columns in
    X.Taps (exclude, columns_of columns)

let resize_weighted g =
  let coordinates, coordinates_text = Rng.pick g (Array.of_list texts_of_coordinates) in
  let kind = Rng.pick g [| Linear; Linear; Cubic |] and exclude = chance g 25 in
  let t = Rng.pick g [| "f32"; "f32"; "f64"; "i32" |] in
  let x = cells g (mode g) t (dims g 1 4 5) in
  let scales = List.map (fraction g coordinates) x.dims in
  let plans = List.map2 (plan kind coordinates exclude false) x.dims scales and type_ = Z.of_int (code t) in
  case
    ([ "mode", text (match kind with Linear -> "linear" | Cubic -> "cubic");
       "coordinate_transformation_mode", text coordinates_text ]
     @ if exclude then [ "exclude_outside", int 1 ] else [])
    [ Given x; Absent; Parameter (floats (List.map value scales)) ]
    (X.resize_composition type_ (sizes x) plans)
    (lazy (Some (X.onnx_resize scalars (X.typed scalars) type_ plans (tensor x))))

(* {1 Resize of a part of the input: sizes, and the ends of the part as fractions of each axis} *)

let crop_source (a, b) n out i =
  let n = float_of_int n -. 1.0 and x = float_of_int i and whole = float_of_int out in
  if out > 1 then (a *. n) +. (x *. (b -. a) *. n /. (whole -. 1.0)) else 0.5 *. (a +. b) *. n

let rounded = function
  | X.PreferFloor -> fun x -> Float.ceil (x -. 0.5)
  | PreferCeil -> fun x -> Float.floor (x +. 0.5)
  | Floor -> Float.floor
  | Ceil -> Float.ceil

let resize_cropped g =
  let rounding, rounding_text = Rng.pick g (Array.of_list roundings) in
  let kind = Rng.pick g [| None; Some Linear; Some Cubic |] and exclude = chance g 25 in
  let t = Rng.pick g [| "f32"; "f32"; "f64"; "i32" |] in
  let x = cells g (mode g) t (dims g 1 4 5) in
  let outs = List.map (fun n -> n * between g 1 2) x.dims in
  let part _ =
    if chance g 30 then 0.0, 1.0 else float_of_int (between g (-2) 4) /. 8.0, float_of_int (between g 5 12) /. 8.0 in
  let parts = List.map part x.dims in
  let beyond = Rng.pick g [| 0.0; 0.5; -3.0 |] in
  let one n (out, part) =
    let xs = List.init out (crop_source part n out) in
    let columns =
      match kind with
      | None -> [ Array.of_list (List.map (fun x -> (int_of_float (rounded rounding x), 1.0)) xs) ]
      | Some kind -> taps_of kind exclude false 1.0 n xs in
    let outside = List.map (fun x -> x < 0.0 || x > float_of_int (n - 1)) xs and columns = columns_of columns in
    if List.mem true outside then X.Crop (columns, outside, bits beyond) else X.Taps (true, columns) in
  let plans = List.map2 one x.dims (List.combine outs parts) and type_ = Z.of_int (code t) in
  case
    ([ "mode", text (match kind with None -> "nearest" | Some Linear -> "linear" | Some Cubic -> "cubic");
       "coordinate_transformation_mode", text "tf_crop_and_resize"; "nearest_mode", text rounding_text;
       "extrapolation_value", real beyond ]
     @ if exclude then [ "exclude_outside", int 1 ] else [])
    [ Given x; Parameter (floats (List.map fst parts @ List.map snd parts)); Absent; Parameter (vector outs) ]
    (X.resize_composition type_ (sizes x) plans)
    (lazy (Some (X.onnx_resize scalars (X.typed scalars) type_ plans (tensor x))))

(* {1 Smoothed downscaling (opset 18 on)} *)

let resize_smoothed g =
  let coordinates, coordinates_text = Rng.pick g (Array.of_list texts_of_coordinates) in
  let kind = Rng.pick g [| Linear; Cubic |] and exclude = chance g 25 in
  let t = Rng.pick g [| "f32"; "f64" |] in
  let x = cells g (mode g) t (dims g 1 4 8) in
  let scales = List.map (fun n -> if chance g 70 && n mod 2 = 0 then 1, 2 else fraction g coordinates n) x.dims in
  let plans = List.map2 (plan kind coordinates exclude true) x.dims scales and type_ = Z.of_int (code t) in
  case
    ([ "mode", text (match kind with Linear -> "linear" | Cubic -> "cubic");
       "coordinate_transformation_mode", text coordinates_text; "antialias", int 1 ]
     @ if exclude then [ "exclude_outside", int 1 ] else [])
    [ Given x; Absent; Parameter (floats (List.map value scales)) ]
    (X.resize_composition type_ (sizes x) plans)
    (lazy (Some (X.onnx_resize scalars (X.typed scalars) type_ plans (tensor x))))

let resize g =
  match between g 0 5 with 0 | 1 -> resize_nearest g | 2 | 3 -> resize_weighted g | _ -> resize_cropped g

(* {1 ConvTranspose} *)

(* Compared in the order of the composition bit for bit. *)
let conv_transpose g =
  let rank = between g 1 3 in
  let list f = List.init rank (fun _ -> f ()) in
  let group = Rng.pick g [| 1; 1; 2; 3 |] in
  let m = between g 1 2 and channels = group * between g 1 2 in
  let most = if rank = 3 then 2 else 4 in
  let ins = list (fun () -> between g 1 most) and kernel = list (fun () -> between g 1 most) in
  let strides = list (fun () -> between g 1 (if rank = 3 then 2 else 3)) in
  let dilated = chance g 40 in
  let dilations = list (fun () -> if dilated then between g 1 3 else 1) in
  let extra = List.map (fun s -> if chance g 30 then between g 0 (s - 1) else 0) strides in
  let reach = List.map2 (fun k d -> (k - 1) * d) kernel dilations in
  let pads () = List.map (fun r -> if chance g 40 then between g 0 (r + 1) else 0) reach in
  let before = pads () in
  let after = pads () in
  let size = List.init rank (fun i -> (List.nth strides i * (List.nth ins i - 1)) + List.nth extra i + List.nth reach i + 1) in
  let after = List.mapi (fun i a -> max 0 (min a (List.nth size i - List.nth before i - 1))) after in
  let t = Rng.pick g [| "f32"; "f64" |] in
  let in_order = chance g 50 in
  let cells ds = cells g (if in_order then mode g else Small) t ds in
  let x = cells (between g 1 2 :: channels :: ins) and w = cells (channels :: m :: kernel) in
  let bias = if chance g 50 then Some (cells [ group * m ]) else None in
  let z = Z.of_int and nth = List.nth in
  let axes =
    List.init rank (fun i ->
        { X.a_in = z (nth ins i); a_kernel = z (nth kernel i); a_stride = z (nth strides i); a_dilation = z (nth dilations i);
          a_before = z (nth before i); a_after = z (nth after i); a_extra = z (nth extra i) }) in
  let whole = List.init rank (fun i -> max 1 (nth size i + between g (-3) 2)) in
  let upper = chance g 50 in
  let axes, pads =
    match between g 0 3 with
    | 0 -> (List.map2 (fun s a -> X.sized false (z s) a) whole axes, [ "output_shape", ints whole ])
    | 1 -> (List.map (X.same_size upper) axes, [ "auto_pad", text (if upper then "SAME_UPPER" else "SAME_LOWER") ])
    | _ -> (axes, [ "pads", ints (before @ after) ]) in
  let build = X.conv_transpose_composition (z group) axes (sizes x) (sizes w) (Option.map sizes bias) in
  let formula = if in_order then X.conv_transpose_in_order else X.onnx_conv_transpose in
  let formula = lazy (formula scalars (z group) axes (tensor x) (tensor w) (Option.map tensor bias)) in
  { (case
       (pads
        @ (if dilated then [ "dilations", ints dilations ] else [])
        @ [ "strides", ints strides; "output_padding", ints extra; "group", int group ])
       (Given x :: Given w :: Option.to_list (Option.map (fun b -> Given b) bias))
       build formula)
    with tolerance = (if in_order then 0.0 else 1e-5) }

let entries =
  [ { op = "Resize"; opset = 17; draw = resize }; { op = "Resize"; opset = 18; draw = resize_smoothed };
    { op = "ConvTranspose"; opset = 17; draw = conv_transpose } ]
