module X = Extracted_onnx
open Composition

let every = [| "f32"; "f64"; "i64"; "i32"; "i8"; "u8"; "bool" |]

let tile g =
  let x = cells g (mode g) (Rng.pick g every) (dims g 0 4 3) in
  let repeats = List.map (fun _ -> if Rng.percent g 5 then 0 else between g 1 3) x.dims in
  case [] [ Given x; Parameter (vector repeats) ]
    (X.tile_composition (sizes x) (numbers repeats))
    (lazy (X.onnx_tile scalars (numbers repeats) (tensor x)))

let entries = [ { op = "Tile"; opset = 17; draw = tile } ]
