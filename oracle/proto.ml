open Cells

let varint n =
  let b = Buffer.create 10 in
  let rec go n =
    let low = Int64.to_int (Int64.logand n 127L) and rest = Int64.shift_right_logical n 7 in
    Buffer.add_uint8 b (if rest = 0L then low else low lor 128);
    if rest <> 0L then go rest in
  go n;
  Buffer.contents b

let key number wire = varint (Int64.of_int ((number * 8) + wire))
let int number n = key number 0 ^ varint n
let text number s = key number 2 ^ varint (Int64.of_int (String.length s)) ^ s

let single number x =
  let b = Buffer.create 4 in
  Buffer.add_int32_le b (Int32.bits_of_float x);
  key number 5 ^ Buffer.contents b

let codes = [ "f32", 1; "u8", 2; "i8", 3; "i32", 6; "i64", 7; "bool", 9; "f64", 11 ]
let code dtype = List.assoc_opt dtype codes

let tensor name t =
  String.concat "" (List.map (fun d -> int 1 (Int64.of_int d)) t.dims)
  ^ int 2 (Int64.of_int (Option.value ~default:0 (code t.dtype)))
  ^ (if name = "" then "" else text 8 name)
  ^ text 9 (to_bytes t)

(* {1 Reading} *)

exception Bad of string

type field = Number of int64 | Bytes of string

let varint_at s at =
  let rec go k shift acc =
    if k >= String.length s || shift > 63 then raise (Bad "a number is cut off")
    else
      let b = Char.code s.[k] in
      let acc = Int64.logor acc (Int64.shift_left (Int64.of_int (b land 127)) shift) in
      if b land 128 = 0 then (acc, k + 1) else go (k + 1) (shift + 7) acc in
  go at 0 0L

let sub s at n = if n < 0 || at + n > String.length s then raise (Bad "a field is cut off") else String.sub s at n

(* The fields in their order. *)
let fields s =
  let rec go at acc =
    if at = String.length s then List.rev acc
    else
      let k, at = varint_at s at in
      let number = Int64.to_int (Int64.shift_right_logical k 3) in
      match Int64.to_int (Int64.logand k 7L) with
      | 0 -> let n, at = varint_at s at in go at ((number, Number n) :: acc)
      | 1 -> go (at + 8) ((number, Bytes (sub s at 8)) :: acc)
      | 2 ->
        let n, at = varint_at s at in
        if n < 0L || n > Int64.of_int (String.length s) then raise (Bad "a length is too large");
        let n = Int64.to_int n in
        go (at + n) ((number, Bytes (sub s at n)) :: acc)
      | 5 -> go (at + 4) ((number, Bytes (sub s at 4)) :: acc)
      | _ -> raise (Bad "a field has no type of this format") in
  go 0 []

let numbers s =
  let rec go at acc = if at = String.length s then List.rev acc else let n, at = varint_at s at in go at (n :: acc) in
  go 0 []

(* A repeated field of integers, packed or not. *)
let integers number l =
  List.concat_map (function n, Number x when n = number -> [ x ] | n, Bytes s when n = number -> numbers s | _ -> []) l

let bytes number l = String.concat "" (List.filter_map (function n, Bytes s when n = number -> Some s | _ -> None) l)

let tensor_in s =
  let l = fields s in
  let dims = List.map Int64.to_int (integers 1 l) in
  if List.exists (fun d -> d < 0) dims then raise (Bad "a dimension is negative");
  let dtype =
    match integers 2 l with
    | [] -> raise (Bad "there is no element type")
    | c ->
      let c = Int64.to_int (List.nth c (List.length c - 1)) in
      match List.find_opt (fun (_, k) -> k = c) codes with
      | Some (d, _) -> d
      | None -> raise (Bad (Printf.sprintf "element type %d" c)) in
  if List.exists (function 14, Number 1L -> true | _ -> false) l then raise (Bad "the data are in another file");
  let raw = bytes 9 l in
  let typed =
    match dtype with
    | "f32" -> Some (bytes 4 l)
    | "f64" -> Some (bytes 10 l)
    | _ -> None in
  let cells =
    match typed with
    | _ when raw <> "" || count dims = 0 -> of_bytes dtype dims raw
    | Some b -> of_bytes dtype dims b
    | None ->
      let c = integers (if dtype = "i64" then 7 else 5) l in
      let cell n = if dtype = "i32" then Int32.to_string (Int64.to_int32 n) else Int64.to_string n in
      if List.length c <> count dims then None else Some { dtype; dims; cells = Array.of_list (List.map cell c) } in
  match cells with Some t -> t | None -> raise (Bad "not as many cells as the dimensions say")

let read_tensor s = match tensor_in s with t -> Ok t | exception Bad why -> Error why
