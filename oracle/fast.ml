(* Lists asked lately, each with its elements. Found by physical equality: lists do not change. No element is an OCaml float. *)
let kept = Array.make 8 (Obj.repr 0, [||])
let oldest = ref 0

let array (l : 'a list) : 'a array =
  let key = Obj.repr l in
  let rec find k =
    if k < Array.length kept then if fst kept.(k) == key then snd kept.(k) else find (k + 1)
    else begin
      let a : Obj.t array = Obj.magic (Array.of_list l) in
      kept.(!oldest) <- (key, a);
      oldest := (!oldest + 1) mod Array.length kept;
      a
    end in
  Obj.magic (find 0)

let near = 16

let nth n l d =
  let rec walk n l = match l with [] -> d | x :: l -> if n <= 0 then x else walk (n - 1) l in
  if not (Z.fits_int n) then d
  else
    let n = Z.to_int n in
    if n < near then walk n l
    else
      let a = array l in
      if n < Array.length a then a.(n) else d
