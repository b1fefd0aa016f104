module X = Extracted_onnx
open Composition

type way = { name : string; to_coq : X.direction; count : int }

let ways =
  [| { name = "forward"; to_coq = X.Forward; count = 1 }; { name = "reverse"; to_coq = Reverse; count = 1 };
     { name = "bidirectional"; to_coq = Bidirectional; count = 2 } |]

(* What one node has: sizes, at times with more steps than are unrolled, and cells for inputs of such sizes; [first]: layout
   1, in which the batch comes first. W, R and B are inputs of the graph: of initializers calque folds what is made of them. *)
type drawn = {
  dtype : string; way : way; first : bool; steps : int; batch : int; width : int; hidden : int;
  given : int list -> input; optional : int list -> input
}

let draw_sizes g =
  let dtype = Rng.pick g [| "f32"; "f32"; "f64" |] and mode = mode g in
  let given dims = Given (cells g mode dtype dims) in
  let optional dims =
    if Rng.percent g 50 then Absent
    else if Rng.percent g 30 then Weight (cells g mode dtype dims)
    else given dims in
  let steps = if Rng.percent g 2 then 257 else between g 1 4 in
  { dtype; way = Rng.pick g ways; first = Rng.percent g 40; steps; batch = between g 1 3; width = between g 1 3;
    hidden = between g 1 3; given; optional }

let tensor_of = function Given t | Weight t | Parameter t -> Some t | Absent -> None
let value i = Option.map tensor (tensor_of i)
let sizes_of i = Option.map sizes (tensor_of i)
let required i = Option.get (tensor_of i)

let literal d z = List.hd (constant d.dtype [ X.LInt z ])

let laid d steps batch last = if d.first then [ batch; steps; last ] else [ steps; batch; last ]

let weights g d gates =
  let wide = gates * d.hidden and k = d.way.count in
  let wrong = Rng.percent g 5 in
  let x = d.given (laid d d.steps d.batch d.width) in
  let w = d.given [ k; wide; (if wrong then d.width + 1 else d.width) ] in
  (x, w, d.given [ k; wide; d.hidden ], if Rng.percent g 40 then Absent else d.given [ k; 2 * wide ])

let state d = d.optional (laid d d.way.count d.batch d.hidden)

(* The usual activations, and lengths that are all steps, may be said. *)
let attributes g d usual more =
  let named = if Rng.percent g 50 && d.way.name = "forward" then [] else [ ("direction", text d.way.name) ] in
  let layout = if d.first || Rng.percent g 20 then [ ("layout", int (Bool.to_int d.first)) ] else [] in
  let activations =
    if Rng.percent g 20 then [ ("activations", Shim.Tuple (List.concat (List.init d.way.count (fun _ -> List.map text usual)))) ]
    else [] in
  (("hidden_size", int d.hidden) :: named) @ layout @ activations @ more

let lengths g d =
  if Rng.percent g 80 then Absent
  else Parameter { (vector (List.init d.batch (fun _ -> d.steps))) with dtype = "i32" }

let node attrs inputs outputs build formula = { attrs; inputs; outputs; build; formula; tolerance = 0.0 }

let lstm g =
  let d = draw_sizes g in
  let x, w, r, b = weights g d 4 in
  let h = state d in
  let c = state d in
  let p = d.optional [ d.way.count; 3 * d.hidden ] in
  let t i = tensor (required i) and s i = sizes (required i) in
  node (attributes g d [ "Sigmoid"; "Tanh"; "Tanh" ] []) [ x; w; r; b; lengths g d; h; c; p ] [ true; true; true ]
    (X.lstm_composition (Z.of_int (code d.dtype)) d.way.to_coq d.first (s x) (s w) (s r) (sizes_of b) (sizes_of h) (sizes_of c)
       (sizes_of p))
    (lazy (X.onnx_lstm scalars (literal d Z.zero) d.way.to_coq d.first (t x) (t w) (t r) (value b) (value h) (value c) (value p)))

let gru g =
  let d = draw_sizes g in
  let late = Rng.percent g 50 in
  let x, w, r, b = weights g d 3 in
  let h = state d in
  let t i = tensor (required i) and s i = sizes (required i) in
  let more = if late || Rng.percent g 50 then [ ("linear_before_reset", int (Bool.to_int late)) ] else [] in
  node (attributes g d [ "Sigmoid"; "Tanh" ] more) [ x; w; r; b; lengths g d; h ] [ true; true ]
    (X.gru_composition (Z.of_int (code d.dtype)) late d.way.to_coq d.first (s x) (s w) (s r) (sizes_of b) (sizes_of h))
    (lazy (X.onnx_gru scalars (literal d Z.zero) (literal d Z.one) late d.way.to_coq d.first (t x) (t w) (t r) (value b)
             (value h)))

let rnn g =
  let d = draw_sizes g in
  let x, w, r, b = weights g d 1 in
  let h = state d in
  let t i = tensor (required i) and s i = sizes (required i) in
  node (attributes g d [ "Tanh" ] []) [ x; w; r; b; lengths g d; h ] [ true; true ]
    (X.rnn_composition (Z.of_int (code d.dtype)) d.way.to_coq d.first (s x) (s w) (s r) (sizes_of b) (sizes_of h))
    (lazy (X.onnx_rnn scalars (literal d Z.zero) d.way.to_coq d.first (t x) (t w) (t r) (value b) (value h)))

let entries =
  [ { op = "LSTM"; opset = 17; draw = lstm }; { op = "GRU"; opset = 17; draw = gru }; { op = "RNN"; opset = 17; draw = rnn } ]
