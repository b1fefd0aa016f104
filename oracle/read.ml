open Shim

let max_depth = 1000
let max_pattern = 0x7fffffff

(* Local to this module: every entry point turns it into a result. *)
exception Bad of int * string

type input = { s : string; mutable at : int; mutable depth : int }

let fail i expected = raise (Bad (i.at, expected))
let peek i = if i.at < String.length i.s then i.s.[i.at] else '\000'

let rec blanks i =
  match peek i with
  | ' ' | '\t' -> i.at <- i.at + 1; blanks i
  | _ -> ()

let accept i c =
  blanks i;
  let found = i.at < String.length i.s && i.s.[i.at] = c in
  if found then i.at <- i.at + 1;
  found

let expect i c = if not (accept i c) then fail i (Printf.sprintf "'%c'" c)

let opening i =
  expect i '(';
  i.depth <- i.depth + 1;
  if i.depth > max_depth then fail i "less nesting"

let closing i =
  expect i ')';
  i.depth <- i.depth - 1

(* A line has any length: no recursion on that of a list. *)
let until_closed i item =
  let rec go acc =
    blanks i;
    if peek i = ')' then begin closing i; List.rev acc end
    else go (item i :: acc) in
  go []

(* A maximal run of other characters; it may be empty. *)
let atom i =
  blanks i;
  let start = i.at in
  let rec skip () =
    match peek i with
    | '!' | '#' .. '\'' | '*' .. '~' -> i.at <- i.at + 1; skip ()
    | _ -> () in
  skip ();
  String.sub i.s start (i.at - start)

let back i word expected =
  i.at <- i.at - String.length word;
  fail i expected

let hex_value c =
  match c with
  | '0' .. '9' -> Char.code c - Char.code '0'
  | 'a' .. 'f' -> Char.code c - Char.code 'a' + 10
  | _ -> -1

let quoted i =
  let start = i.at in
  let buf = Buffer.create 16 in
  let next () =
    if i.at >= String.length i.s then fail i "'\"'";
    i.at <- i.at + 1;
    i.s.[i.at - 1] in
  let escape () =
    match next () with
    | ('\\' | '"') as c -> c
    | 'n' -> '\n'
    | 't' -> '\t'
    | 'x' ->
      let hi = hex_value (next ()) in
      let lo = hex_value (next ()) in
      if hi < 0 || lo < 0 then fail i "two hexadecimal digits";
      Char.chr (16 * hi + lo)
    | _ -> fail i "an escape" in
  let rec go () =
    match next () with
    | '"' -> ()
    | '\\' -> Buffer.add_char buf (escape ()); go ()
    | ' ' .. '~' as c -> Buffer.add_char buf c; go ()
    | _ -> fail i "an escaped character" in
  expect i '"';
  go ();
  let s = Buffer.contents buf in
  if Text.value_to_string (Str s) <> String.sub i.s start (i.at - start) then
    fail i "no needless escape in the string";
  s

let is_digit c = c >= '0' && c <= '9'

let read_int word =
  match Int64.of_string_opt word with
  | Some z when Int64.to_string z = word -> Some z
  | _ -> None

let read_float word =
  let bits =
    if word = "nan" then Some 0x7ff8000000000000L
    else Option.map Int64.bits_of_float (float_of_string_opt word) in
  match bits with
  | Some b when Text.value_to_string (Float b) = word -> bits
  | _ -> None

let scalar i word =
  match word with
  | "none" -> None_
  | "true" -> Bool true
  | "false" -> Bool false
  | _ ->
    match read_int word, lazy (read_float word) with
    | Some z, _ -> Int z
    | None, lazy (Some b) -> Float b
    | None, lazy None -> back i word "a value"

let rec value i =
  blanks i;
  match peek i with
  | '"' -> Str (quoted i)
  | '(' ->
    opening i;
    let word = atom i in
    if word <> "tuple" then back i word "'tuple'";
    Tuple (until_closed i value)
  | _ -> scalar i (atom i)

let next i = blanks i; peek i

let pattern i =
  let word = atom i in
  match int_of_string_opt word with
  | Some n when n >= 0 && n <= max_pattern && string_of_int n = word -> n
  | _ -> back i word "a pattern number"

let label i =
  let word = atom i in
  let letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_' in
  let ok = ref (word <> "" && letter word.[0]) in
  String.iter (fun c -> if not (letter c || is_digit c) then ok := false) word;
  if not !ok then back i word "a label";
  word

let swap (o, name) = (name, o)
let unary_of_name = List.to_seq (List.map swap unary_names) |> Hashtbl.of_seq
let binary_of_name = List.to_seq (List.map swap binary_names) |> Hashtbl.of_seq
let reduction_of_name = List.to_seq (List.map swap reduction_names) |> Hashtbl.of_seq
let func_of_name = List.to_seq (List.map swap func_names) |> Hashtbl.of_seq

let rec expr i =
  blanks i;
  match peek i with
  | '"' -> Const (Str (quoted i))
  | '(' ->
    opening i;
    let word = atom i in
    compound i word
  | _ ->
    let word = atom i in
    if word = "_" then Any else Const (scalar i word)

and compound i word =
  match word with
  | "tuple" -> Tuple_of (until_closed i expr)
  | "const" ->
    blanks i;
    if peek i <> '(' then fail i "a tuple";
    let v = value i in
    closing i;
    Const v
  | "." ->
    let p = pattern i in
    let l = label i in
    closing i;
    Access (p, l)
  | "proj" ->
    let a = expr i in
    let b = expr i in
    closing i;
    Proj (a, b)
  | _ ->
    match Hashtbl.find_opt unary_of_name word, Hashtbl.find_opt binary_of_name word with
    | Some o, _ ->
      let a = expr i in
      closing i;
      Unary (o, a)
    | None, Some o ->
      let a = expr i in
      let b = expr i in
      closing i;
      Binary (o, a, b)
    | None, None -> full i word

and full i word =
  let close x = closing i; x in
  match word with
  | "sym" -> close (Symbol (pattern i))
  | "inst" ->
    let p = pattern i in
    let a = expr i in
    let l = label i in
    close (Inst (p, a, l))
  | "var" | "map" ->
    let s = pattern i in
    let n = expr i in
    let a = expr i in
    close (if word = "var" then Var (s, n, a) else Map (s, n, a))
  | "cond" ->
    let c = expr i in
    let a = expr i in
    let b = expr i in
    close (Cond (c, a, b))
  | "alt" ->
    let p = pattern i in
    Alternative (p, until_closed i expr)
  | _ ->
    match Hashtbl.find_opt reduction_of_name word, Hashtbl.find_opt func_of_name word with
    | Some o, _ -> let a = expr i in close (Reduce (o, a))
    | None, Some f -> Func (f, until_closed i expr)
    | None, None -> back i word "an operation"

let index i =
  let word = atom i in
  match read_int word with
  | Some k -> k
  | None -> back i word "an integer"

let binding i =
  opening i;
  blanks i;
  let entry =
    if is_digit (peek i) then begin
      let pattern = pattern i in
      let label = label i in
      let value = value i in
      Bound { pattern; label; value }
    end else
      let word = atom i in
      let p = pattern i in
      match word with
      | "inst" ->
        let k = index i in
        let l = label i in
        Bound_inst (p, k, l, value i)
      | "sym" -> Bound_symbol (p, value i)
      | "alt" -> Taken (p, pattern i)
      | _ -> back i word "a pattern number" in
  closing i;
  entry

let env i =
  opening i;
  until_closed i binding

let request i =
  opening i;
  let word = atom i in
  let r =
    match word with
    | "eval" ->
      let a = expr i in
      Text.Eval (a, env i)
    | "match" ->
      let a = expr i in
      let e = env i in
      Text.Match (a, e, value i)
    | _ -> back i word "'eval' or 'match'" in
  closing i;
  blanks i;
  if i.at < String.length i.s then fail i "the end of the line";
  r

let request s =
  match request { s; at = 0; depth = 0 } with
  | r -> Ok r
  | exception Bad (at, expected) ->
    Error (Printf.sprintf "%d: expected %s" (at + 1) expected)

let number = pattern

let parse s f =
  let i = { s = String.map (fun c -> if c = '\n' || c = '\r' then ' ' else c) s; at = 0; depth = 0 } in
  let whole () =
    let x = f i in
    blanks i;
    if i.at < String.length s then fail i "the end of the text";
    x in
  match whole () with
  | x -> Ok x
  | exception Bad (at, expected) ->
    let at = min at (String.length s) in
    let line = ref 1 and start = ref 0 in
    String.iteri (fun k c -> if k < at && c = '\n' then begin incr line; start := k + 1 end) s;
    Error (Printf.sprintf "%d:%d: expected %s" !line (at - !start + 1) expected)
