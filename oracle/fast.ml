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

let length l = Z.of_int (List.length l)

let deep = 1000

let map f l =
  let rec direct n l =
    match l with
    | [] -> []
    | x :: l -> let y = f x in if n = 0 then y :: List.rev (List.rev_map f l) else y :: direct (n - 1) l in
  direct deep l

(* {1 Boxes} *)

let listed = Array.make 8 ([], [ [] ])
let first_listed = ref 0
let largest = 1 lsl 16

let rec list_box = function
  | [] -> [ [] ]
  | n :: d ->
    let inner = List.rev (list_box d) in
    let rec from k l =
      if Z.sign k < 0 then l else from (Z.pred k) (List.fold_left (fun l i -> (k :: i) :: l) l inner) in
    from (Z.pred n) []

let box d =
  let rec find k =
    if k = Array.length listed then begin
      let l = list_box d in
      if List.compare_length_with l largest <= 0 then begin
        listed.(!first_listed) <- (d, l);
        first_listed := (!first_listed + 1) mod Array.length listed
      end;
      l
    end
    else
      let e, l = listed.(k) in
      if e == d || List.equal Z.equal e d then l else find (k + 1) in
  find 0

(* {1 Integers} *)

let minus n m = if Z.lt n m then Z.zero else Z.sub n m
let quotient n m = if Z.sign m = 0 then Z.zero else Z.div n m
let remainder n m = if Z.sign m = 0 then n else Z.rem n m
let two = Z.of_int 2
let powers = Array.init 129 (fun n -> Z.shift_left Z.one n)

let power x y =
  if Z.sign y < 0 then Z.zero
  else
    let n = Z.to_int y in
    if n < Array.length powers && Z.equal x two then powers.(n) else Z.pow x n

let root z = if Z.sign z <= 0 then (Z.zero, Z.zero) else Z.sqrt_rem z
let digits n = Z.of_int (Z.numbits n)
let shift_left n m = Z.shift_left m (Z.to_int n)

let rec shifted m n =
  if Z.sign m < 0 then
    let q, half, rest = shifted (Z.neg m) n in
    (Z.neg q, half, rest)
  else
    let n = Z.to_int n in
    (Z.shift_right m n, Z.testbit m (n - 1), Z.trailing_zeros m < n - 1)
