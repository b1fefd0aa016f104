module X = Extracted_onnx
open Composition

let z = Z.of_int
let some p v = if p then Some (v ()) else None
let kept l = List.filter_map Fun.id l

let floats g dtype dims = cells g (mode g) dtype dims
let of_floats dims f = { Cells.dtype = "f32"; dims; cells = Array.init (Cells.count dims) (fun k -> Cells.of_float "f32" (f k)) }

(* [batch, heads, steps, size], or flat. *)
let heads_dims flat b h s d = if flat then [ b; s; h * d ] else [ b; h; s; d ]

(* Indices, from the end too. *)
let positions g rows dims =
  { Cells.dtype = "i64"; dims; cells = Array.init (Cells.count dims) (fun _ -> string_of_int (between g (-rows) (rows - 1))) }

let rotary g =
  let dtype = if Rng.percent g 75 then "f32" else "f64" in
  let flat = Rng.percent g 50 and interleaved = Rng.percent g 50 in
  let b = between g 1 2 and h = between g 1 3 and s = between g 1 3 and half = between g 1 3 in
  let whole = Rng.percent g 50 in
  let d = if whole then 2 * half else (2 * half) + between g 0 3 in
  let size = if whole then 0 else if Rng.percent g 5 then (2 * half) + 1 else 2 * half in
  let rows = between g 1 5 in
  let ids = some (Rng.percent g 60) (fun () -> positions g rows [ b; s ]) in
  let cache () = floats g dtype (if ids = None then [ b; s; half ] else [ rows; half ]) in
  let x = floats g dtype (heads_dims flat b h s d) in
  let cos = cache () in
  let sin = cache () in
  let weight = Rng.percent g 30 in
  let attrs =
    kept
      [ some (interleaved || Rng.percent g 30) (fun () -> ("interleaved", int (Bool.to_int interleaved)));
        some flat (fun () -> ("num_heads", int h));
        some (size > 0) (fun () -> ("rotary_embedding_dim", int size)) ] in
  let given t = if weight then Weight t else Given t in
  case attrs
    ([ Given x; given cos; given sin ] @ match ids with Some p -> [ given p ] | None -> [])
    (X.rotary_composition interleaved (z h) (z size) (sizes x) (sizes cos) (sizes sin) (Option.map sizes ids))
    (lazy (X.onnx_rotary scalars interleaved (z h) (z size) (tensor x) (tensor cos) (tensor sin) (Option.map tensor ids)))

(* What masks have: keys that may not be read, and numbers. *)
let mask_number g = if Rng.percent g 40 then Rng.pick g [| neg_infinity; -.0x1.fffffep+127; -1e9 |] else float_of_int (between g (-8) 8) /. 4.0

let mask_dims g b h n t = Rng.pick g [| [ n; t ]; [ 1; t ]; [ t ]; [ b; 1; n; t ]; [ b; h; n; t ]; [ h; n; 1 ]; [] |]

let attention_mask g b h n t =
  let dims = mask_dims g b h n t in
  let none = Rng.percent g 20 in
  of_floats dims (fun _ -> if none then neg_infinity else mask_number g)

let bits = function Shim.Float b -> Z.extract (Z.of_int64 b) 0 64 | _ -> Z.zero

let attention g =
  let dtype = if Rng.percent g 95 then "f32" else "f64" in
  let flat = Rng.percent g 50 in
  let b = between g 1 2 and groups = between g 1 2 and n = between g 1 3 and t = between g 1 4 in
  let h = if Rng.percent g 5 then groups + 1 else groups * between g 1 3 in
  let d = between g 1 4 and e = between g 1 3 and old = if Rng.percent g 30 then between g 1 3 else 0 in
  let q = floats g dtype (heads_dims flat b h n d) in
  let k = floats g dtype (heads_dims flat b groups t d) in
  let v = floats g dtype (heads_dims flat b groups t e) in
  let mask = some (Rng.percent g 50) (fun () -> attention_mask g b h n (old + t)) in
  let past =
    some (old > 0) (fun () ->
        let keys = floats g dtype [ b; groups; old; d ] in
        (keys, floats g dtype [ b; groups; old; e ])) in
  let causal = Rng.percent g (if old > 0 then 10 else 40) in
  let scale = some (Rng.percent g 50) (fun () -> real (Rng.pick g [| 0.5; 1.0; 0.3; 2.0; 0.0; -1.0 |])) in
  let softcap = if Rng.percent g 30 then real (Rng.pick g [| 2.0; 0.7; 30.0 |]) else real 0.0 in
  let attrs =
    kept
      [ some (causal || Rng.percent g 30) (fun () -> ("is_causal", int (Bool.to_int causal)));
        some flat (fun () -> ("q_num_heads", int h));
        some flat (fun () -> ("kv_num_heads", int groups));
        Option.map (fun s -> ("scale", s)) scale;
        some (bits softcap <> Z.zero || Rng.percent g 30) (fun () -> ("softcap", softcap)) ] in
  let params = { X.q_heads = z h; kv_heads = z groups; causal; scale = Option.map bits scale; softcap = bits softcap } in
  let all = Rng.percent g 50 in
  let results l = if all then l else [ List.hd l ] in
  let pair f (a, c) = (f a, f c) in
  let build =
    if dtype <> "f32" then None
    else X.attention_composition params (sizes q) (sizes k) (sizes v) (Option.map sizes mask) (Option.map (pair sizes) past) in
  let inputs =
    [ Given q; Given k; Given v ]
    @ (match mask, past with Some m, _ -> [ Given m ] | None, Some _ -> [ Absent ] | None, None -> [])
    @ (match past with Some (a, c) -> [ Given a; Given c ] | None -> []) in
  { attrs; inputs; outputs = results [ true; true; true ]; tolerance = 0.0;
    build = Option.map (fun b -> X.bind b (fun l -> X.Return (results l))) build;
    formula =
      lazy
        (Option.map results
           (X.onnx_attention scalars (X.typed scalars) params (tensor q) (tensor k) (tensor v) (Option.map tensor mask)
              (Option.map (pair tensor) past))) }

let entries =
  [ { op = "RotaryEmbedding"; opset = 23; draw = rotary };
    { op = "Attention"; opset = 23; draw = attention };
    { op = "Attention"; opset = 24; draw = attention } ]
