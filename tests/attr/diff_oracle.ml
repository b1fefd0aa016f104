(* The hand-written parts of the oracle: its text against an independent printer
   and against itself, the arithmetic that extraction maps to zarith, and [Fast]
   against the definitions that it stands for, step by step. *)

module G = QCheck.Gen

let int64 = G.map2 (fun z b -> if b then Int64.lognot z else z) G.ui64 G.bool

let test name count gen law = (name, QCheck.Test.make ~name ~count gen law)

let requests =
  G.map (fun n -> Gen.request (Rng.create ~seed:n)) int64
  |> QCheck.make ~print:Text.request_to_string

let nan_bits = 0x7ff8000000000000L
let one_nan b = if Float.is_nan (Int64.float_of_bits b) then nan_bits else b

(* Half of them subnormal or near the ends of the exponent. *)
let float_bits =
  let high e = Int64.shift_left (Int64.of_int e) 52 in
  G.oneof
    [ G.map one_nan int64;
      G.map2
        (fun e m -> one_nan (Int64.logor (high e) (Int64.shift_right_logical m 12)))
        (G.oneofl [0; 0x800; 1; 0x7fe; 0xffe]) int64 ]

let value =
  let scalar =
    G.oneof
      [ G.return Shim.None_;
        G.map (fun b -> Shim.Bool b) G.bool;
        G.map (fun z -> Shim.Int z) int64;
        G.map (fun b -> Shim.Float b) float_bits;
        G.map (fun s -> Shim.Str s) (G.string_size ~gen:G.char (G.int_bound 20)) ] in
  let rec nested n =
    if n = 0 then scalar
    else
      G.frequency
        [ (1, scalar);
          (2, G.map (fun l -> Shim.Tuple l) (G.list_size (G.int_bound 4) (nested (n - 1)))) ] in
  QCheck.make ~print:Text.value_to_string (nested 4)

let reads_back r = Read.request (Text.request_to_string r) = Ok r

let round_trip =
  test "a printed request reads back" 5000 requests reads_back

let round_trip_value =
  test "any value reads back" 5000 value
    (fun v -> reads_back (Text.Match (Shim.Const v, [], v)))

(* [%h] of the OCaml library is the independent printer. *)
let float_text =
  test "floats print as %a of C prints them" 20000
    (QCheck.make ~print:(Printf.sprintf "%Lx") float_bits)
    (fun b ->
      let f = Int64.float_of_bits b in
      let expected =
        if Float.is_nan f then "nan"
        else if Float.abs f < infinity then Printf.sprintf "%h" f
        else if f > 0. then "inf" else "-inf" in
      Text.value_to_string (Shim.Float b) = expected)

(* A damaged line never raises, and what is still accepted has one spelling. *)
let damaged =
  test "a damaged line is read or refused" 20000
    (QCheck.triple requests QCheck.small_nat QCheck.char)
    (fun (r, at, c) ->
      let s = Bytes.of_string (Text.request_to_string r) in
      Bytes.set s (at mod Bytes.length s) c;
      match Read.request (Bytes.to_string s) with
      | Ok r -> reads_back r
      | Error _ -> true)

let edges =
  let near z = G.map (fun d -> Int64.add z (Int64.of_int d)) (G.int_range (-3) 3) in
  G.oneof
    [ near 0L; near Int64.min_int; near Int64.max_int; int64;
      near 3037000499L; near (-3037000499L); near 0x100000000L ]

(* The integer operations, stated once more. *)
let expected name a b =
  let int z = if Z.fits_int64 z then Some (Shim.Int (Z.to_int64 z)) else None in
  let bool b = Some (Shim.Bool b) in
  let floor () = if Z.sign b = 0 then None else Some (Z.fdiv a b) in
  match name with
  | "add" -> int (Z.add a b)
  | "sub" -> int (Z.sub a b)
  | "mul" -> int (Z.mul a b)
  | "floordiv" -> Option.bind (floor ()) int
  | "mod" -> Option.bind (floor ()) (fun q -> int (Z.sub a (Z.mul b q)))
  | "min" -> int (if Z.lt a b then a else b)
  | "max" -> int (if Z.lt a b then b else a)
  | "eq" -> bool (Z.equal a b)
  | "ne" -> bool (not (Z.equal a b))
  | "lt" -> bool (Z.lt a b)
  | "le" -> bool (Z.leq a b)
  | "gt" -> bool (Z.gt a b)
  | "ge" -> bool (Z.geq a b)
  | _ -> None

let arithmetic =
  test "integer operations agree with zarith" 20000
    (QCheck.make ~print:(fun (a, b) -> Printf.sprintf "%Ld %Ld" a b) (G.pair edges edges))
    (fun (a, b) ->
      List.for_all
        (fun (o, name) ->
          Shim.eval [] (Shim.Binary (o, Shim.Const (Shim.Int a), Shim.Const (Shim.Int b)))
          = expected name (Z.of_int64 a) (Z.of_int64 b))
        Shim.binary_names)

(* {1 Fast} *)

let natural = G.map2 (fun n z -> Z.extract (Z.of_string_base 16 (String.concat "" (List.map (Printf.sprintf "%016Lx") z))) 0 n)
    (G.int_range 1 140) (G.list_repeat 3 G.ui64)
let steps = G.map Z.of_int (G.int_range 1 150)
let numbers print gen = QCheck.make ~print:(fun (a, b) -> print a ^ " " ^ print b) gen

(* [SpecFloat.shr_1]: its last digit, and whether one before it was 1. *)
let rec shifted n (m, half, rest) =
  if n = 0 then (m, half, rest)
  else shifted (n - 1) (Z.div m (Z.of_int 2), not (Z.is_even m), rest || half)

let rec digits m = if Z.leq m Z.one then 1 else 1 + digits (Z.div m (Z.of_int 2))

let shifts =
  test "shifts are those of single digits" 20000 (numbers Z.to_string (G.pair natural steps))
    (fun (m, n) ->
      let k = Z.to_int n in
      let (q, _, _) as one_by_one = shifted k (m, false, false) in
      let q', half, rest = Fast.shifted m n and minus, half', rest' = Fast.shifted (Z.neg m) n in
      (q', half, rest) = one_by_one && (Z.neg minus, half', rest') = (q, half, rest)
      && (Z.sign m = 0 || Fast.digits m = Z.of_int (digits m))
      && Z.equal (Fast.shift_left n m) (List.fold_left (fun m _ -> Z.add m m) m (List.init k Fun.id)))

let naturals =
  test "functions of natural numbers" 20000 (numbers Z.to_string (G.pair natural natural))
    (fun (a, b) ->
      let q = Fast.quotient a b and r = Fast.remainder a b and s, t = Fast.root a in
      let k = Z.rem b (Z.of_int 200) in
      let times = List.init (Z.to_int k) (fun _ -> a) in
      (if Z.sign b = 0 then Z.sign q = 0 && Z.equal r a
       else Z.equal a (Z.add (Z.mul q b) r) && Z.sign r >= 0 && Z.lt r b)
      && Z.equal (Fast.minus a b) (if Z.lt a b then Z.zero else Z.sub a b)
      && Z.equal (Z.add (Z.mul s s) t) a && Z.sign t >= 0 && Z.leq t (Z.add s s)
      && Z.equal (Fast.power a k) (List.fold_left Z.mul Z.one times)
      && Z.equal (Fast.power (Z.of_int 2) k) (List.fold_left (fun m _ -> Z.add m m) Z.one times)
      && Z.sign (Fast.power a Z.minus_one) = 0)

let rec box = function
  | [] -> [ [] ]
  | n :: d -> List.concat_map (fun k -> List.map (List.cons (Z.of_int k)) (box d)) (List.init n Fun.id)

let boxes =
  test "boxes in order, asked again too" 500
    (QCheck.make (G.list_size (G.int_range 1 20) (G.list_size (G.int_bound 4) (G.int_bound 5))))
    (List.for_all (fun d -> Fast.box (List.map Z.of_int d) = box d))

let lists =
  test "elements of long lists, and what is behind them" 500
    (QCheck.make (G.pair (G.int_bound 4000) (G.list_repeat 20 (G.int_bound 5000))))
    (fun (n, places) ->
      let l = List.init n (fun k -> k * k) in
      Fast.length l = Z.of_int n
      && Fast.map succ l = List.init n (fun k -> (k * k) + 1)
      && List.for_all (fun k -> Fast.nth (Z.of_int k) l (-1) = if k < n then k * k else -1) places)

let () =
  let tests = [round_trip; round_trip_value; float_text; damaged; arithmetic; shifts; naturals; boxes; lists] in
  let run (name, t) =
    match QCheck.Test.check_exn ~rand:(Random.State.make [| 2026 |]) t with
    | () -> Printf.printf "PASS oracle/%s\n" name; true
    | exception e ->
      Printf.printf "%s\nFAIL oracle/%s\n" (Printexc.to_string e) name;
      false in
  exit (if List.for_all run tests then 0 else 1)
