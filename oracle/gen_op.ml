module X = Extracted_value
open Rng

type kind = Any | Positive | Index of int
type input = { dtype : string; dims : int list; kind : kind }
type application = { op : string; attrs : (string * Shim.value) list; ins : input list }

(* {1 What there is} *)

let floats = [ "f32"; "f64" ]
let mixed = floats @ [ "i32"; "i64" ]
let bytes = [ "i8"; "u8" ]
let every = mixed @ bytes @ [ "bool" ]
let group types ops = List.map (fun op -> (op, types)) ops

let unary_float = [ "Sqrt"; "Round"; "Exp"; "Log"; "Tanh"; "Sigmoid"; "Reciprocal"; "HardSwish"; "Softplus"; "Softsign"; "Mish"; "Dropout" ]
let tuned = [ "Elu", [ "alpha" ]; "Selu", [ "alpha"; "gamma" ]; "Celu", [ "alpha" ]; "LeakyRelu", [ "alpha" ]; "ThresholdedRelu", [ "alpha" ];
              "HardSigmoid", [ "alpha"; "beta" ]; "Swish", [ "alpha" ] ]
let binary = [ "Add"; "Sub"; "Mul"; "Div"; "Mod"; "Pow"; "PRelu" ]
let compared = [ "Less"; "Greater"; "LessOrEqual"; "GreaterOrEqual" ]
let logic = [ "And"; "Or"; "Xor" ]
let windows = [ "Conv"; "MaxPool"; "AveragePool"; "GlobalAveragePool" ]
let norms = [ "LRN"; "BatchNormalization"; "LayerNormalization"; "InstanceNormalization"; "GroupNormalization"; "LpNormalization"; "RMSNormalization" ]
let moves = [ "Concat"; "Split"; "Squeeze"; "Unsqueeze"; "Flatten"; "Transpose"; "Slice"; "Pad"; "Shape"; "Gather"; "Reshape"; "Expand"; "Identity"; "EyeLike" ]

let operators =
  group floats (unary_float @ List.filter (( <> ) "Celu") (List.map fst tuned) @ [ "Gelu"; "Softmax"; "LogSoftmax"; "Sum" ] @ windows @ norms)
  @ group mixed [ "Erf"; "Pow"; "PRelu"; "MatMul"; "Gemm"; "ReduceSum"; "ReduceMean" ]
  @ group (mixed @ [ "i8" ]) [ "Relu"; "Neg" ]
  @ group (mixed @ bytes) ([ "Abs"; "Sign"; "Add"; "Sub"; "Mul"; "Div" ] @ compared @ [ "Clip"; "Max"; "Min"; "ReduceMax" ])
  @ group ([ "i32"; "i64" ] @ bytes) [ "Mod" ]
  @ group [ "f32" ] [ "Celu" ] (* ONNX has it of nothing else *)
  @ group [ "bool" ] (logic @ [ "Not" ])
  @ group every (moves @ [ "Equal"; "Where"; "Cast" ])
  @ group [ "f32"; "i64"; "bool" ] [ "ConstantOfShape" ]

let ours =
  group floats [ "L2Normalize" ]
  @ group mixed [ "BiasAdd"; "CollapseSum"; "CollapseSumLike" ]
  @ group every [ "BroadcastLike"; "FullLike"; "LayoutTransform"; "OnesLike"; "ReshapeLike"; "ZerosLike" ]

let every =
  let more = function "MaxPool" | "Sum" -> [ "i32"; "i64" ] | "Celu" -> [ "f64" ] | "MatMul" | "ReduceSum" -> bytes | _ -> [] in
  List.map (fun (op, types) -> (op, types @ more op)) operators @ ours

(* {1 Parts} *)

let between g lo hi = if hi <= lo then lo else lo + below g (hi - lo + 1)
let some_dims ?(lo = 1) g least most hi = several g least most (fun g -> if percent g 75 then between g lo hi else 1)
let int_ label n = (label, Shim.Int (Int64.of_int n))
let ints label l = (label, Shim.Tuple (List.map (fun n -> Shim.Int (Int64.of_int n)) l))
let single x = Int32.float_of_bits (Int32.bits_of_float x)
let real label x = (label, Shim.Float (Int64.bits_of_float (single x)))
let maybe g p l = if percent g p then l else []

(* Numbers of few bits, and some next to 0 or 1. *)
let coefficient g =
  let x = if percent g 33 then pick g [| 0.0; 1.0; 0.1; 2.71828; 0x1p-140; 1e-5 |] else float_of_int (between g 0 64) /. 16.0 in
  if percent g 50 then -.x else x

let positive_real g = if percent g 50 then pick g [| 1e-5; 1e-3; 0.1; 1.0 |] else float_of_int (between g 1 64) /. 16.0

(* Sizes that broadcast to these. *)
let part g dims =
  let drop = if percent g 50 then below g (List.length dims + 1) else 0 in
  List.map (fun d -> if percent g 66 then d else 1) (List.filteri (fun i _ -> i >= drop) dims)

let axis g n = between g (-n) (n - 1)
let subset g n = List.filter_map (fun i -> if percent g 50 then Some (if percent g 75 then i else i - n) else None) (List.init n Fun.id)

let shuffled g n =
  let a = Array.init n Fun.id in
  for i = n - 1 downto 1 do
    let j = below g (i + 1) in
    let x = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- x
  done;
  Array.to_list a

let whole dtype dims = { dtype; dims; kind = Any }

(* {1 By group} *)

let window g op t =
  let n = between g 1 3 and groups = if op = "Conv" then between g 1 3 else 1 in
  let channels = groups * between g 1 3 in
  let spatial = several g n n (fun g -> between g 1 7) and kernel = several g n n (fun g -> between g 1 3) in
  let x = whole t (between g 1 2 :: channels :: spatial) in
  let pads = List.init 2 (fun _ -> List.map (fun k -> between g 0 (if op = "Conv" then 2 else k - 1)) kernel) in
  let strides = several g n n (fun g -> between g 1 3) and dilations = several g n n (fun g -> between g 1 2) in
  let common = maybe g 70 [ ints "pads" (List.concat pads) ] @ maybe g 70 [ ints "strides" strides ] in
  match op with
  | "GlobalAveragePool" -> ([], [ x ])
  | "Conv" ->
    let out = groups * between g 1 3 in
    ( common @ maybe g 50 [ ints "dilations" dilations ] @ [ int_ "group" groups ] @ maybe g 50 [ ints "kernel_shape" kernel ],
      [ x; whole t (out :: (channels / groups) :: kernel) ] @ maybe g 50 [ whole t [ out ] ] )
  | "MaxPool" ->
    (common @ maybe g 50 [ ints "dilations" dilations ] @ [ ints "kernel_shape" kernel ] @ maybe g 50 [ int_ "ceil_mode" (below g 2) ], [ x ])
  | _ ->
    (common @ [ ints "kernel_shape" kernel ] @ maybe g 50 [ int_ "ceil_mode" (below g 2) ]
     @ maybe g 50 [ int_ "count_include_pad" (below g 2) ], [ x ])

let norm g op t =
  let least = match op with "InstanceNormalization" | "GroupNormalization" -> 3 | _ -> 2 in
  let dims = some_dims g least 4 4 in
  let groups = between g 1 3 in
  let dims = if op = "GroupNormalization" then List.mapi (fun i d -> if i = 1 then groups * between g 1 3 else d) dims else dims in
  let x = whole t dims and n = List.length dims in
  let channel = whole t [ List.nth dims 1 ] in
  let epsilon = maybe g 70 [ real "epsilon" (positive_real g) ] in
  match op with
  | "LRN" ->
    ([ int_ "size" (1 + (2 * below g 3)) ] @ maybe g 70 [ real "alpha" (positive_real g) ] @ maybe g 70 [ real "beta" (positive_real g) ]
     @ maybe g 70 [ real "bias" (positive_real g) ], [ x ])
  | "LpNormalization" -> (maybe g 70 [ int_ "axis" (axis g n) ] @ maybe g 70 [ int_ "p" (between g 1 2) ], [ x ])
  | "LayerNormalization" ->
    let a = axis g n in
    let rest = List.filteri (fun i _ -> i >= if a < 0 then a + n else a) dims in
    let scale = if percent g 90 then rest else part g rest in
    (int_ "axis" a :: epsilon, [ x; whole t scale ] @ maybe g 50 [ whole t scale ])
  | "RMSNormalization" ->
    let a = axis g n in
    let rest = List.filteri (fun i _ -> i >= if a < 0 then a + n else a) dims in
    (int_ "axis" a :: epsilon, [ x; whole t (if percent g 90 then rest else part g rest) ])
  | "BatchNormalization" -> (epsilon, [ x; channel; channel; channel; { channel with kind = Positive } ])
  | "GroupNormalization" -> (int_ "num_groups" groups :: epsilon, [ x; channel; channel ])
  | _ -> (epsilon, [ x; channel; channel ])

let factors g m = let a = Array.make m 1 in List.iter (fun f -> let i = below g m in a.(i) <- a.(i) * f) [ 2; 3; 2; 2 ]; Array.to_list a

let slices g dims =
  let one d =
    if d = 0 || percent g 25 then (0, 1, d)
    else
      let start = below g d and step = if percent g 50 then between g 1 2 else -between g 1 2 in
      let most = if step > 0 then ((d - 1 - start) / step) + 1 else (start / -step) + 1 in
      (start, step, between g (if percent g 75 then 1 else 0) most) in
  let l = List.map one dims in
  [ ints "sizes" (List.map (fun (_, _, n) -> n) l); ints "starts" (List.map (fun (s, _, _) -> s) l);
    ints "steps" (List.map (fun (_, p, _) -> p) l) ]

let padding g dims t =
  let mode = pick g [| "constant"; "edge"; "reflect" |] in
  let one d = if percent g 50 then 0 else match mode with "reflect" -> between g 0 (d - 1) | "edge" -> between g 0 3 | _ -> between g (-1) 3 in
  let value = if Cells.is_float t then coefficient g else float_of_int (between g 0 3) in
  ints "pads" (List.map one dims @ List.map one dims)
  :: maybe g 75 [ "mode", Shim.Str mode ] @ maybe g 50 [ real "value" value ]

let move g op t =
  let dims = some_dims g (if op = "Gather" || op = "Concat" || op = "Split" || op = "Pad" || op = "Slice" then 1 else 0) 4 5 in
  let n = List.length dims in
  let x = whole t dims in
  match op with
  | "Identity" -> ([], [ x ])
  | "Concat" ->
    let a = below g n in
    let sized g = whole t (List.mapi (fun i d -> if i = a then between g (if percent g 80 then 1 else 0) 3 else d) dims) in
    ([ int_ "axis" (if percent g 75 then a else a - n) ], several g 1 4 sized)
  | "Split" ->
    let a = below g n and parts = several g 1 4 (fun g -> between g (if percent g 80 then 1 else 0) 3) in
    let full = List.fold_left ( + ) 0 parts in
    ([ int_ "axis" (if percent g 75 then a else a - n); ints "split" parts ], [ whole t (List.mapi (fun i d -> if i = a then full else d) dims) ])
  | "Squeeze" ->
    let ones = subset g n in
    let is_one i = List.mem i ones || List.mem (i - n) ones in
    ((if ones = [] then [] else maybe g 75 [ ints "axes" ones ]), [ whole t (List.mapi (fun i d -> if is_one i then 1 else d) dims) ])
  | "Unsqueeze" ->
    let m = between g 1 2 in
    ([ ints "axes" (List.filteri (fun i _ -> i < m) (shuffled g (n + m))) ], [ x ])
  | "Flatten" -> (maybe g 75 [ int_ "axis" (between g 0 n) ], [ x ])
  | "Transpose" -> (maybe g 80 [ ints "perm" (shuffled g n) ], [ x ])
  | "Slice" -> (slices g dims, [ x ])
  | "Pad" -> (padding g dims t, [ x ])
  | "Shape" -> (maybe g 50 [ int_ "start" (between g (-n) n) ] @ maybe g 50 [ int_ "end" (between g (-n) n) ], [ x ])
  | "Gather" ->
    let a = below g n in
    let index = { dtype = (if percent g 60 then "i64" else "i32"); dims = some_dims g 0 2 4; kind = Index (List.nth dims a) } in
    ([ int_ "axis" (if percent g 75 then a else a - n) ], [ x; index ])
  | "Reshape" -> ([ ints "shape" (factors g (between g 1 4)) ], [ whole t (factors g (between g 1 4)) ])
  | "Expand" -> ([ ints "shape" dims ], [ whole t (part g dims) ])
  | _ -> (* EyeLike *)
    (maybe g 70 [ int_ "k" (between g (-3) 3) ] @ maybe g 50 [ int_ "dtype" (pick g [| 1; 6; 7; 11 |]) ], [ whole t (some_dims g 2 2 5) ])

let product g op t =
  let m = between g 1 4 and inner = between g 1 6 and c = between g 1 4 in
  if op = "Gemm" then
    let ta = below g 2 and tb = below g 2 in
    let scale () = if Cells.is_float t then coefficient g else float_of_int (between g (-3) 3) in
    ( maybe g 60 [ real "alpha" (scale ()) ] @ maybe g 60 [ real "beta" (scale ()) ] @ maybe g 60 [ int_ "transA" ta; int_ "transB" tb ],
      [ whole t (if ta = 1 then [ inner; m ] else [ m; inner ]); whole t (if tb = 1 then [ c; inner ] else [ inner; c ]) ]
      @ maybe g 66 [ whole t (part g [ m; c ]) ] )
  else
    let batch = some_dims g 0 2 3 in
    let a = if percent g 80 then part g batch @ [ m; inner ] else [ inner ] in
    let b = if percent g 80 then part g batch @ [ inner; c ] else [ inner ] in
    ([], [ whole t a; whole t b ])

let elementwise g op t =
  let dims = some_dims ~lo:(if percent g 90 then 1 else 0) g 0 4 4 in
  let x = whole t dims in
  let bound () = if Cells.is_float t then coefficient g else float_of_int (between g (if t = "u8" then 0 else -5) 5) in
  match op with
  | _ when List.mem_assoc op tuned -> (List.concat_map (fun l -> maybe g 75 [ real l (coefficient g) ]) (List.assoc op tuned), [ x ])
  | "Gelu" -> (maybe g 75 [ "approximate", Shim.Str (pick g [| "tanh"; "none" |]) ], [ x ])
  | "Softmax" | "LogSoftmax" -> let n = max 1 (List.length dims) in ([ int_ "axis" (axis g n) ], [ { x with dims = (if dims = [] then [ 3 ] else dims) } ])
  | "Clip" ->
    let a = bound () and b = bound () in
    let a, b = if percent g 90 then (Float.min a b, Float.max a b) else (a, b) in
    (maybe g 70 [ real "min" a ] @ maybe g 70 [ real "max" b ], [ x ])
  | "ReduceSum" | "ReduceMean" | "ReduceMax" ->
    let x = if op = "ReduceMax" then { x with dims = List.map (max 1) dims } else x in
    let axes = subset g (List.length dims) in
    let axes = if axes = [] && op <> "ReduceSum" then [] else maybe g 75 [ ints "axes" axes ] in
    (axes @ maybe g 75 [ int_ "keepdims" (below g 2) ], [ x ])
  | "Cast" -> ([ int_ "to" (pick g [| 1; 2; 3; 6; 7; 9; 11 |]) ], [ x ])
  | "ConstantOfShape" ->
    let code = match t with "i64" -> 7 | "bool" -> 9 | _ -> 1 in
    let value = match t with "f32" -> coefficient g | "bool" -> float_of_int (below g 2) | _ -> float_of_int (between g (-9) 9) in
    ([ ints "shape" dims; int_ "dtype" code; real "value" value ], [])
  | "Where" -> ([], [ whole "bool" (part g dims); whole t (part g dims); whole t (part g dims) ])
  | "PRelu" -> ([], [ x; whole t (part g dims) ])
  | "Sum" | "Max" | "Min" -> ([], several g 1 4 (fun g -> whole t (part g dims)))
  | _ when List.mem op binary || List.mem op compared || List.mem op logic || op = "Equal" -> ([], [ whole t (part g dims); whole t (part g dims) ])
  | _ -> ([], [ x ])

(* What ONNX has not. *)
let own g op t =
  let dims = some_dims ~lo:(if percent g 90 then 1 else 0) g (if op = "FullLike" || op = "OnesLike" || op = "ZerosLike" then 0 else 1) 4 4 in
  let x = whole t dims and n = List.length dims in
  match op with
  | "L2Normalize" -> (maybe g 75 [ ints "axes" (subset g n) ] @ maybe g 70 [ real "epsilon" (positive_real g) ], [ x ])
  | "BiasAdd" -> let a = below g n in (maybe g (if a = 1 then 50 else 100) [ int_ "axis" (if percent g 75 then a else a - n) ], [ x; whole t [ List.nth dims a ] ])
  | "CollapseSum" -> ([ ints "shape" (part g dims) ], [ x ])
  | "CollapseSumLike" -> ([], [ x; whole t (part g dims) ])
  | "BroadcastLike" -> ([], [ whole t (part g dims); x ])
  | "FullLike" -> ([], [ x; whole t [] ])
  | "LayoutTransform" ->
    let letter i = String.make 1 "NCHW".[i] in
    let order l = Shim.Str (String.concat "" (List.map letter l)) in
    ([ "src_layout", order (List.init n Fun.id); "dst_layout", order (shuffled g n) ], [ x ])
  | "ReshapeLike" ->
    (* the middle of both is a product of the same factors *)
    let a = factors g (between g 1 3) and b = factors g (between g 1 3) in
    let before = some_dims g 0 1 3 and behind = some_dims g 0 1 3 and other = some_dims g 0 1 3 in
    let range who from l rest = maybe g (if from = 0 then 50 else 100) [ int_ (who ^ "_begin") from ]
                                @ maybe g (if rest = [] then 50 else 100) [ int_ (who ^ "_end") (from + List.length l) ] in
    ( range "lhs" (List.length before) a behind @ range "rhs" (List.length other) b [],
      [ whole t (before @ a @ behind); whole t (other @ b) ] )
  | _ (* OnesLike, ZerosLike *) -> ([], [ x ])

let draw g op t =
  let attrs, ins =
    if List.mem_assoc op ours then own g op t else
    if List.mem op windows then window g op t
    else if List.mem op norms then norm g op t
    else if List.mem op moves then move g op t
    else if op = "MatMul" || op = "Gemm" then product g op t
    else elementwise g op t in
  { op; attrs = List.sort compare attrs; ins }

let wider g a =
  match a.op with
  | "Softmax" | "LogSoftmax" -> { a with attrs = a.attrs @ maybe g 50 [ int_ "flatten" (below g 2) ] }
  | "Dropout" -> { a with attrs = maybe g 50 [ real "ratio" (coefficient g) ] }
  | _ -> a

(* {1 Attributes} *)

(* Of these every value is told apart. *)
let told (label, v) =
  match v with
  | Shim.Str s when label <> "src_layout" && label <> "dst_layout" -> label ^ "=" ^ s
  | Int i when List.mem label [ "ceil_mode"; "count_include_pad"; "flatten"; "keepdims"; "transA"; "transB"; "p"; "to" ] ->
    Printf.sprintf "%s=%Ld" label i
  | _ -> label

let attributes =
  let both l = [ l ^ "=0"; l ^ "=1" ] in
  [ "Conv", [ "dilations"; "group"; "kernel_shape"; "pads"; "strides" ];
    "MaxPool", [ "dilations"; "kernel_shape"; "pads"; "strides" ] @ both "ceil_mode";
    "AveragePool", [ "kernel_shape"; "pads"; "strides" ] @ both "ceil_mode" @ both "count_include_pad";
    "LRN", [ "alpha"; "beta"; "bias"; "size" ]; "LpNormalization", [ "axis"; "p=1"; "p=2" ];
    "LayerNormalization", [ "axis"; "epsilon" ]; "RMSNormalization", [ "axis"; "epsilon" ]; "BatchNormalization", [ "epsilon" ];
    "InstanceNormalization", [ "epsilon" ]; "GroupNormalization", [ "epsilon"; "num_groups" ]; "L2Normalize", [ "axes"; "epsilon" ];
    "Softmax", "axis" :: both "flatten"; "LogSoftmax", "axis" :: both "flatten"; "Dropout", [ "ratio" ]; "Gelu", [ "approximate=none"; "approximate=tanh" ];
    "Gemm", [ "alpha"; "beta" ] @ both "transA" @ both "transB"; "Clip", [ "max"; "min" ];
    "Reshape", [ "shape" ]; "Expand", [ "shape" ]; "ConstantOfShape", [ "dtype"; "shape"; "value" ];
    "EyeLike", [ "dtype"; "k" ]; "Concat", [ "axis" ]; "Split", [ "axis"; "split" ]; "Squeeze", [ "axes" ]; "Unsqueeze", [ "axes" ];
    "Flatten", [ "axis" ]; "Transpose", [ "perm" ]; "Slice", [ "sizes"; "starts"; "steps" ]; "Gather", [ "axis" ];
    "Pad", [ "mode=constant"; "mode=edge"; "mode=reflect"; "pads"; "value" ]; "Shape", [ "end"; "start" ];
    "ReduceSum", "axes" :: both "keepdims"; "ReduceMean", "axes" :: both "keepdims"; "ReduceMax", "axes" :: both "keepdims";
    "Cast", List.map (( ^ ) "to=") [ "1"; "2"; "3"; "6"; "7"; "9"; "11" ]; "BiasAdd", [ "axis" ]; "CollapseSum", [ "shape" ];
    "LayoutTransform", [ "dst_layout"; "src_layout" ]; "ReshapeLike", [ "lhs_begin"; "lhs_end"; "rhs_begin"; "rhs_end" ] ]
  @ tuned

let has_attribute op label =
  List.exists (fun a -> List.hd (String.split_on_char '=' a) = label) (Option.value ~default:[] (List.assoc_opt op attributes))

(* {1 Results} *)

let of_code = function 1 -> "f32" | 2 -> "u8" | 3 -> "i8" | 6 -> "i32" | 7 -> "i64" | 9 -> "bool" | _ -> "f64"

let result a =
  let code l = match List.assoc_opt l a.attrs with Some (Shim.Int c) -> Some (of_code (Int64.to_int c)) | _ -> None in
  let first k = match List.nth_opt a.ins k with Some i -> i.dtype | None -> "f32" in
  if List.mem a.op compared || a.op = "Equal" then "bool"
  else match a.op with
    | "Shape" -> "i64"
    | "Where" -> first 1
    | "Cast" -> Option.value ~default:"f32" (code "to")
    | "EyeLike" | "ConstantOfShape" -> Option.value ~default:(first 0) (code "dtype")
    | _ -> first 0

let infer op attrs dims =
  let ins = List.map (fun d -> X.GTensor (List.map Z.of_int d)) dims in
  let sizes = List.map Z.to_int in
  match X.op_infer op (List.map (fun (l, v) -> (l, Opvalue.value v)) attrs) ins with
  | Some (X.GTensor d) -> Some [ sizes d ]
  | Some (X.GTuple l) -> Some (List.map sizes l)
  | Some X.GAbsent | None -> None

(* {1 Cells} *)

type mode = Plain | Special | Small

let special =
  [| -0.0; infinity; neg_infinity; Float.nan; 0x1p-149; 0x1.fffffep+127; 0.1; 3e-39; 88.8; -104.0; 0.0; 1.0 |]

let number g mode =
  match mode with
  | Small -> float_of_int (between g (-4) 4)
  | Special when percent g 17 -> pick g special
  | _ -> if percent g 75 then float_of_int (between g (-24) 24) /. 4.0 else float_of_int (between g (-100000) 100000) /. 731.0

let integer g mode dtype =
  match mode with
  | Special when percent g 8 ->
    if dtype = "i64" then pick g [| "9223372036854775807"; "-9223372036854775808"; "4294967296"; "9007199254740993" |]
    else pick g [| "2147483647"; "-2147483648"; "16777217" |]
  | Small -> string_of_int (between g (-4) 4)
  | _ -> string_of_int (between g (-9) 9)

let tensor g mode i =
  let cell _ =
    match i.kind, i.dtype with
    | Index n, _ -> string_of_int (between g (-n) (n - 1))
    | Positive, t -> Cells.of_float t (Float.abs (number g (if mode = Special then Plain else mode)) +. 0.25)
    | Any, "bool" -> string_of_int (below g 2)
    | Any, ("i32" | "i64") -> integer g mode i.dtype
    | Any, "i8" -> if mode = Small then integer g mode i.dtype else string_of_int (between g (-128) 127)
    | Any, "u8" -> string_of_int (below g (if mode = Small then 5 else 256))
    | Any, t -> Cells.of_float t (number g mode) in
  { Cells.dtype = i.dtype; dims = i.dims; cells = Array.init (Cells.count i.dims) cell }
