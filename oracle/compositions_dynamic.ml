module X = Extracted_onnx
open Composition

let one cell = { X.dims = []; cells = [ cell ] }

(* Cells that are all the same are drawn, too: of zeros the scale is 0. *)
let dynamic_quantize g =
  let ds = dims g 0 4 4 in
  let x = cells g (mode g) "f32" ds in
  let x = if Rng.percent g 15 then { x with Cells.cells = Array.make (Array.length x.cells) x.cells.(0) } else x in
  let reals = X.each X.real_of (tensor x) in
  { attrs = []; inputs = [ Given x ]; outputs = [ true; true; true ]; tolerance = 0.0;
    build = X.dynamic_quantize_composition (sizes x);
    formula =
      lazy
        (Option.map
           (fun ((y, scale), zero) ->
              X.[ of_cells (fun z -> U8 z) y; of_cells (fun x -> F32 x) (one scale); of_cells (fun z -> U8 z) (one zero) ])
           (X.onnx_dynamic_quantize reals)) }

let entries = [ { op = "DynamicQuantizeLinear"; opset = 17; draw = dynamic_quantize } ]
