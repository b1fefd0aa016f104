type t = { mutable state : int64 }

let create ~seed = { state = seed }

let bits64 g =
  let open Int64 in
  g.state <- add g.state 0x9e3779b97f4a7c15L;
  let mix shift k z = mul (logxor z (shift_right_logical z shift)) k in
  let z = mix 30 0xbf58476d1ce4e5b9L g.state |> mix 27 0x94d049bb133111ebL in
  logxor z (shift_right_logical z 31)

(* 0 .. n-1; the bias of the remainder does not matter here. *)
let below g n = Int64.to_int (Int64.shift_right_logical (bits64 g) 2) mod n
let percent g p = below g 100 < p
let pick g a = a.(below g (Array.length a))
let several g lo hi item =
  let n = lo + below g (hi - lo + 1) in
  List.init n (fun _ -> item g)
