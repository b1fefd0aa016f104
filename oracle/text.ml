open Shim

type request =
  | Eval of expr * entry list
  | Match of expr * entry list * value

(* As %a of C99 prints it; one spelling for all NaNs. *)
let add_float buf bits =
  let exponent = Int64.(to_int (logand (shift_right_logical bits 52) 0x7ffL)) in
  let mantissa = Int64.logand bits 0xfffffffffffffL in
  let sign = if Int64.compare bits 0L < 0 then "-" else "" in
  if exponent = 0x7ff then
    Buffer.add_string buf (if mantissa = 0L then sign ^ "inf" else "nan")
  else begin
    let digits = Printf.sprintf "%013Lx" mantissa in
    let rec used n = if n > 0 && digits.[n - 1] = '0' then used (n - 1) else n in
    let n = used 13 in
    Buffer.add_string buf sign;
    Buffer.add_string buf (if exponent = 0 then "0x0" else "0x1");
    if n > 0 then Buffer.add_char buf '.';
    Buffer.add_string buf (String.sub digits 0 n);
    let power =
      if exponent > 0 then exponent - 1023 else if n > 0 then -1022 else 0 in
    Buffer.add_string buf (Printf.sprintf "p%+d" power)
  end

let add_string buf s =
  Buffer.add_char buf '"';
  String.iter
    (function
      | '\\' -> Buffer.add_string buf "\\\\"
      | '"' -> Buffer.add_string buf "\\\""
      | '\n' -> Buffer.add_string buf "\\n"
      | '\t' -> Buffer.add_string buf "\\t"
      | ' ' .. '~' as c -> Buffer.add_char buf c
      | c -> Buffer.add_string buf (Printf.sprintf "\\x%02x" (Char.code c)))
    s;
  Buffer.add_char buf '"'

let add_list buf add l =
  List.iter (fun x -> Buffer.add_char buf ' '; add buf x) l

let rec add_value buf = function
  | None_ -> Buffer.add_string buf "none"
  | Bool b -> Buffer.add_string buf (string_of_bool b)
  | Int i -> Buffer.add_string buf (Int64.to_string i)
  | Float b -> add_float buf b
  | Str s -> add_string buf s
  | Tuple l ->
    Buffer.add_string buf "(tuple";
    add_list buf add_value l;
    Buffer.add_char buf ')'

let rec add_expr buf = function
  | Const (Tuple _ as v) ->
    Buffer.add_string buf "(const ";
    add_value buf v;
    Buffer.add_char buf ')'
  | Const v -> add_value buf v
  | Any -> Buffer.add_char buf '_'
  | Access (p, l) -> Buffer.add_string buf (Printf.sprintf "(. %d %s)" p l)
  | Unary (o, a) -> add_call buf (List.assoc o unary_names) [a]
  | Binary (o, a, b) -> add_call buf (List.assoc o binary_names) [a; b]
  | Tuple_of l -> add_call buf "tuple" l
  | Proj (a, b) -> add_call buf "proj" [a; b]
  | Symbol s -> Buffer.add_string buf (Printf.sprintf "(sym %d)" s)
  | Inst (p, a, l) ->
    Buffer.add_string buf (Printf.sprintf "(inst %d " p);
    add_expr buf a;
    Buffer.add_string buf (" " ^ l ^ ")")
  | Var (s, n, a) -> add_call buf (Printf.sprintf "var %d" s) [n; a]
  | Map (s, t, a) -> add_call buf (Printf.sprintf "map %d" s) [t; a]
  | Reduce (o, a) -> add_call buf (List.assoc o reduction_names) [a]
  | Cond (c, a, b) -> add_call buf "cond" [c; a; b]
  | Alternative (p, l) -> add_call buf (Printf.sprintf "alt %d" p) l
  | Func (f, l) -> add_call buf (List.assoc f func_names) l

and add_call buf name l =
  Buffer.add_char buf '(';
  Buffer.add_string buf name;
  add_list buf add_expr l;
  Buffer.add_char buf ')'

let add_env buf env =
  Buffer.add_char buf '(';
  List.iteri
    (fun i b ->
      if i > 0 then Buffer.add_char buf ' ';
      let bound head v =
        Buffer.add_string buf (head ^ " ");
        add_value buf v;
        Buffer.add_char buf ')' in
      match b with
      | Bound b -> bound (Printf.sprintf "(%d %s" b.pattern b.label) b.value
      | Bound_inst (p, k, l, v) -> bound (Printf.sprintf "(inst %d %Ld %s" p k l) v
      | Bound_symbol (s, v) -> bound (Printf.sprintf "(sym %d" s) v
      | Taken (p, k) -> Buffer.add_string buf (Printf.sprintf "(alt %d %d)" p k))
    env;
  Buffer.add_char buf ')'

let to_string add x =
  let buf = Buffer.create 256 in
  add buf x;
  Buffer.contents buf

let value_to_string = to_string add_value
let string_to_string = to_string add_string
let expr_to_string = to_string add_expr

let request_to_string =
  to_string (fun buf r ->
    let head, a, env, v =
      match r with
      | Eval (a, env) -> "(eval ", a, env, None
      | Match (a, env, v) -> "(match ", a, env, Some v in
    Buffer.add_string buf head;
    add_expr buf a;
    Buffer.add_char buf ' ';
    add_env buf env;
    Option.iter (fun v -> Buffer.add_char buf ' '; add_value buf v) v;
    Buffer.add_char buf ')')
