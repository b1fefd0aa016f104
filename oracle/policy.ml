open Shim_gsl
open Cells

type kind = Exact | Reassociated | Library

let sums = [ "MatMul"; "Gemm"; "Conv"; "ReduceSum"; "ReduceMean"; "Sum"; "AveragePool"; "GlobalAveragePool"; "CollapseSum"; "CollapseSumLike" ]
let groups = [ "LayerNormalization"; "InstanceNormalization"; "GroupNormalization" ]
let reassociated = sums @ groups @ [ "BatchNormalization"; "LpNormalization"; "L2Normalize"; "RMSNormalization"; "HardSigmoid"; "HardSwish" ]

let library =
  [ "Exp"; "Log"; "Tanh"; "Sigmoid"; "Erf"; "Pow"; "Softmax"; "LogSoftmax"; "LRN"; "Elu"; "Selu"; "Celu"; "Gelu"; "Swish"; "Softplus"; "Mish" ]

let kind op dtype =
  if not (is_float dtype) then Exact
  else if List.mem op reassociated then Reassociated
  else if List.mem op library then Library
  else Exact

let kind_name = function Exact -> "exact" | Reassociated -> "reassociated" | Library -> "library"

(* Operators that choose between equal zeros, or add one. *)
let chooses = [ "Relu"; "Max"; "Min"; "Clip"; "MaxPool"; "ReduceMax"; "LeakyRelu"; "PRelu"; "ThresholdedRelu"; "Sign" ]
let signed_zeros op dtype = kind op dtype = Exact && not (List.mem op chooses)

(* {1 Values} *)

let node_of (t : tensor) kind ins attrs =
  { name = None; dtype = Some t.dtype; dims = Some (List.map Int64.of_int t.dims); kind; ins; attrs }

let results n ins dtype =
  let op = match n.kind with Op op -> op | _ -> "" in
  Option.map (List.map (fun dims -> { dtype; dims; cells = [||] })) (Gen_op.infer op n.attrs (List.map (fun (t : tensor) -> t.dims) ins))

let values n ins dtype =
  match results n ins dtype with
  | None -> None
  | Some outs ->
    let k = List.length ins in
    let inputs = List.map (fun t -> node_of t Input [] []) ins in
    let args = List.init k Option.some in
    let ops, outputs =
      match n.kind, outs with
      | Op "Split", _ ->
        ( { name = None; dtype = None; dims = None; kind = n.kind; ins = args; attrs = n.attrs }
          :: List.mapi (fun i t -> node_of t (Proj (Int64.of_int i)) [ Some k ] []) outs,
          List.mapi (fun i _ -> (string_of_int i, k + 1 + i)) outs )
      | _ -> ([ node_of (List.hd outs) n.kind args n.attrs ], [ ("0", k) ]) in
    let m = model { title = None; nodes = inputs @ ops; outputs } (List.mapi (fun i t -> (i, t)) ins) in
    match Result.bind (Model.read (print m)) Model.outputs with
    | Error _ -> None
    | Ok text -> Result.fold ~ok:(fun l -> Some (List.map snd l)) ~error:(fun _ -> None) (answer text)

(* {1 Tolerances} *)

let unit dtype = if dtype = "f32" then 0x1p-24 else 0x1p-53
let tiny dtype = if dtype = "f32" then 0x1p-149 else 0x1p-1074
let huge dtype = if dtype = "f32" then 0x1p127 else 0x1p1023

(* Below, squares are no normal numbers. *)
let small dtype = if dtype = "f32" then 0x1p-60 else 0x1p-500
let gamma dtype n = let u = unit dtype in let n = float_of_int n in n *. u /. (1.0 -. (n *. u))
let floats (t : tensor) = Array.map (float_of t.dtype) t.cells
let map_cells f (t : tensor) = { t with cells = Array.map (fun c -> of_float t.dtype (f (float_of t.dtype c))) t.cells }
let finite x = if Float.is_finite x then x else 0.0
let number n label otherwise =
  match List.assoc_opt label n.attrs with
  | Some (Shim.Float b) -> Int64.float_of_bits b
  | Some (Shim.Int i) -> Int64.to_float i
  | _ -> otherwise

(* How many terms a sum has at most. *)
let terms n op ins (want : tensor) =
  match op, ins with
  | "AveragePool", _ ->
    (match List.assoc_opt "kernel_shape" n.attrs with
     | Some (Shim.Tuple l) -> List.fold_left (fun a v -> match v with Shim.Int d -> a * Int64.to_int d | _ -> a) 1 l
     | _ -> 1)
  | ("MatMul" | "Gemm"), (a : tensor) :: _ -> 1 + List.fold_left max 1 a.dims
  | "Conv", _ :: (w : tensor) :: _ -> 1 + count (List.tl w.dims)
  | "Sum", _ -> List.length ins
  | _, (x : tensor) :: _ -> max 1 (count x.dims / max 1 (count want.dims))
  | _, [] -> 1

let absolute_attrs n =
  List.map (function (("alpha" | "beta") as l), Shim.Float b -> (l, Shim.Float (Int64.logand b Int64.max_int)) | a -> a) n.attrs

(* The operator on absolute inputs, those that [signs] negates negative. *)
let magnitudes n ins (want : tensor) signs =
  let absolute i t = map_cells (fun x -> let a = Float.abs (finite x) in if List.mem i signs then -.a else a) t in
  match values { n with attrs = absolute_attrs n } (List.mapi absolute ins) want.dtype with
  | Some [ s ] -> floats s
  | _ -> Array.make (Array.length want.cells) infinity

let integral n ins =
  List.for_all (fun t -> Array.for_all Float.is_integer (floats t)) ins
  && Float.is_integer (number n "alpha" 1.0) && Float.is_integer (number n "beta" 1.0)

let no_claim dtype s = if s < huge dtype then None else Some infinity

let of_sums n op ins (want : tensor) =
  let t = want.dtype in
  let k = terms n op ins want in
  let exact = integral n ins && not (List.mem op [ "ReduceMean"; "AveragePool"; "GlobalAveragePool" ]) in
  let one s =
    match no_claim t s with
    | Some x -> x
    | None when exact && s < 1.0 /. unit t -> 0.0
    | None -> (2.0 *. gamma t (k + 4) *. s) +. (float_of_int k *. tiny t) in
  Array.map one (magnitudes n ins want [])

(* The cell of a tensor that broadcasts to [dims], for cell [i] of these. *)
let broadcast_at (t : tensor) dims i =
  let rank = List.length dims and own = List.length t.dims in
  let d = Array.of_list dims and o = Array.of_list t.dims in
  let at = ref 0 and step = ref 1 and rest = ref i in
  for k = 1 to rank do
    let c = !rest mod d.(rank - k) in
    rest := !rest / d.(rank - k);
    if k <= own then begin
      if o.(own - k) > 1 then at := !at + (c * !step);
      step := !step * o.(own - k)
    end
  done;
  float_of t.dtype t.cells.(!at)

(* Groups are runs of cells. *)
let of_groups n op ins (want : tensor) =
  let t = want.dtype in
  let x = List.hd ins in
  let rank = List.length x.dims in
  let axis = let a = int_of_float (number n "axis" (-1.0)) in if a < 0 then a + rank else a in
  let behind k = count (List.filteri (fun i _ -> i >= k) x.dims) in
  let run =
    match op with
    | "LayerNormalization" -> behind axis
    | "InstanceNormalization" -> behind 2
    | _ -> behind 1 / int_of_float (number n "num_groups" 1.0) in
  let cells = floats x in
  let parameter k i =
    match List.nth_opt ins k with
    | None -> 0.0
    | Some p when op = "LayerNormalization" -> broadcast_at p x.dims i
    | Some p -> float_of p.dtype p.cells.(i / behind 2 mod List.nth x.dims 1) in
  let group = Hashtbl.create 7 in
  let of_group g =
    match Hashtbl.find_opt group g with
    | Some r -> r
    | None ->
      let l = Array.map finite (Array.sub cells (g * run) run) in
      let len = float_of_int run in
      let mean = Array.fold_left ( +. ) 0.0 l /. len in
      let var = Array.fold_left (fun a v -> a +. ((v -. mean) *. (v -. mean))) 0.0 l /. len in
      let most = Array.fold_left (fun a v -> Float.max a (Float.abs v)) 0.0 l in
      let r = (mean, sqrt (var +. number n "epsilon" 0x1.4f8b58p-17), most) in
      Hashtbl.add group g r;
      r in
  let one i x =
    let mean, d, most = of_group (i / run) in
    let scale = Float.abs (finite (parameter 1 i)) and z = Float.abs ((finite x -. mean) /. d) in
    if not (Float.is_finite (parameter 1 i) && Float.is_finite (parameter 2 i)) then infinity
    else if not (most *. most *. float_of_int run < huge t) || (most > 0.0 && most < small t) then infinity
    else
      (2.0 *. gamma t (run + 8) *. scale *. (((2.0 +. (2.0 *. z)) *. most /. d) +. z))
      +. (4.0 *. unit t *. ((scale *. z) +. Float.abs (finite (parameter 2 i))))
      +. (8.0 *. tiny t) in
  Array.mapi one cells

(* Of the greatest number of an input whose cells are squared. *)
let squares_fit t (x : tensor) =
  Array.for_all (fun v -> let a = Float.abs (finite v) in a = 0.0 || (a > small t && a *. a *. float_of_int (Array.length x.cells) < huge t)) (floats x)

(* Parts of the value, and of what is added before it cancels. *)
let of_function n op ins (want : tensor) =
  let t = want.dtype in
  let u = unit t in
  let x = List.hd ins in
  let xs = floats x and ys = floats want in
  let alpha otherwise = Float.abs (number n "alpha" otherwise) in
  let each f = Array.mapi (fun i y -> f (Float.abs (finite y)) (if Array.length xs = Array.length ys then Float.abs (finite xs.(i)) else 0.0)) ys in
  let ulps k y = 2.0 *. u *. float_of_int (k + 1) *. y in
  let axis () = let a = int_of_float (number n "axis" (-1.0)) in List.nth x.dims (if a < 0 then a + List.length x.dims else a) in
  let l =
    match op with
    | "Exp" | "Log" -> each (fun y _ -> ulps 3 y)
    | "Tanh" -> each (fun y _ -> ulps 5 y)
    | "Erf" | "Pow" -> each (fun y _ -> ulps 16 y)
    | "Sigmoid" -> each (fun y _ -> ulps 6 y)
    | "Swish" -> each (fun y x -> ulps 6 y +. (2.0 *. u *. alpha 1.0 *. x *. y))
    | "Softmax" -> let n = axis () in each (fun y _ -> ulps 7 y +. (2.0 *. gamma t (n + 4) *. y))
    (* |X - M| and the logarithm are parts of the value, the sum's error is one of the logarithm. *)
    | "LogSoftmax" -> let n = axis () in each (fun y _ -> ulps 7 y +. (2.0 *. gamma t (n + 12)))
    | "RMSNormalization" ->
      let fit = squares_fit t x && List.for_all (fun p -> Array.for_all Float.is_finite (floats p)) (List.tl ins) in
      each (fun y _ -> if fit then 2.0 *. gamma t (count x.dims + 8) *. y else infinity)
    | "LRN" ->
      let size = int_of_float (number n "size" 1.0) and beta = Float.abs (number n "beta" 0.75) in
      if squares_fit t x then each (fun y _ -> ulps 17 y +. (2.0 *. gamma t (size + 6) *. beta *. y)) else each (fun _ _ -> infinity)
    | "Elu" | "Celu" -> each (fun y _ -> ulps 2 y +. ulps 4 (alpha 1.0))
    | "Selu" -> each (fun y _ -> ulps 3 y +. ulps 4 (alpha 1.6733 *. Float.abs (number n "gamma" 1.0507)))
    | "Gelu" -> each (fun y x -> ulps 2 y +. ulps 18 x)
    | "Softplus" -> each (fun y _ -> ulps 2 y +. ulps 6 1.0)
    | "Mish" -> each (fun y x -> ulps 2 y +. ulps 14 x)
    | "LpNormalization" | "L2Normalize" ->
      if squares_fit t x then each (fun y _ -> 2.0 *. gamma t (count x.dims + 8) *. y) else each (fun _ _ -> infinity)
    | "HardSigmoid" -> each (fun _ x -> 4.0 *. u *. ((alpha 0.2 *. x) +. Float.abs (number n "beta" 0.5)))
    | "HardSwish" -> each (fun _ x -> 8.0 *. u *. x *. ((x /. 6.0) +. 0.5))
    | _ -> each (fun _ _ -> 0.0) in
  Array.map (fun e -> e +. tiny t) l

(* What is no number is equal or not. *)
let tolerance n ins (want : tensor) =
  Array.map (fun e -> if Float.is_nan e then 0.0 else e)
  @@
  let op = match n.kind with Op op -> op | _ -> "" in
  if kind op want.dtype = Exact then Array.make (Array.length want.cells) 0.0
  else if List.mem op sums then of_sums n op ins want
  else if List.mem op groups then of_groups n op ins want
  else if op = "BatchNormalization" && not (List.for_all (fun p -> Array.for_all Float.is_finite (floats p)) (List.tl ins)) then
    Array.make (Array.length want.cells) infinity
  else if op = "BatchNormalization" then
    Array.map
      (fun s -> Option.value (no_claim want.dtype s) ~default:((2.0 *. gamma want.dtype 8 *. s) +. (8.0 *. tiny want.dtype)))
      (magnitudes n ins want [ 3 ])
  else of_function n op ins want

(* {1 Judging} *)

type agreement = Same | Within | Differs

let cell_agrees signed dtype tolerance w g =
  if w = g || w = "?" then Same
  else if not (is_float dtype) then Differs
  else
    let a = float_of dtype w and b = float_of dtype g in
    if tolerance = infinity then Within
    else if Float.is_nan a || Float.is_nan b then Differs
    else if a = b then if signed then Differs else Same
    else if Float.abs (a -. b) <= tolerance then Within
    else Differs

(* The worst of all cells, and the first that has it. *)
let tensor_agrees n ins (want : tensor) (got : tensor) =
  if want.dtype <> got.dtype || want.dims <> got.dims then (Differs, "another type")
  else if want.cells = got.cells then (Same, "")
  else
    let op = match n.kind with Op op -> op | _ -> "" in
    let tolerances = tolerance n ins want in
    let signed = signed_zeros op want.dtype in
    let worst = ref (Same, "") in
    Array.iteri
      (fun i w ->
        match fst !worst, cell_agrees signed want.dtype tolerances.(i) w got.cells.(i) with
        | (Same | Within), Differs ->
          worst := (Differs, Printf.sprintf "cell %d: %s for %s, tolerance %g" i got.cells.(i) w tolerances.(i))
        | Same, Within -> worst := (Within, "")
        | _ -> ())
      want.cells;
    !worst

let judge m want got =
  let find l k = List.assoc_opt (Onnx_model.name m k) l in
  let given l k = match data_of m k with Some t -> Some t | None -> find l k in
  (* the operator, its inputs and which of its results it is *)
  let source k =
    match m.nodes.(k).kind, m.nodes.(k).ins with
    | Proj i, [ Some p ] -> (m.nodes.(p), Int64.to_int i)
    | _ -> (m.nodes.(k), 0) in
  let one (worst, why) (name, k) =
    let n, part = source k in
    let ins l = List.map (function Some e -> given l e | None -> None) n.ins in
    let mine = ins got in
    match worst, List.assoc_opt name want, List.assoc_opt name got with
    | Differs, _, _ -> (worst, why)
    | _, Some w, Some g when not (List.mem None mine) ->
      let ts = List.map Option.get mine in
      let expected =
        if ins want = mine then Some w
        else Option.bind (values n ts w.dtype) (fun l -> List.nth_opt l part) in
      (match expected with
       | None -> (worst, why) (* the oracle has no value on what was computed before *)
       | Some w ->
         match tensor_agrees n ts w g with
         | Same, _ -> (worst, why)
         | Within, _ -> (Within, why)
         | Differs, at -> (Differs, Printf.sprintf "%s: %s" name at))
    | _ -> (Differs, name ^ " is missing") in
  List.fold_left one (Same, "") m.graph.outputs
