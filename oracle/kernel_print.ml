module X = Extracted
open Kernel_term

let comparison_text c = fst (List.find (fun (_, d) -> d = c) comparisons)
let function_text f = fst (List.find (fun (_, g) -> g = f) functions)

let rec put_ix b env level a =
  let put = Buffer.add_string b in
  let own =
    match a with
    | X.IAdd _ | X.ISub _ -> 1
    | X.IVar _ | X.ICst _ -> 3
    | X.IMul _ | X.IDiv _ | X.IMod _ -> 2 in
  let scaled a op k = put_ix b env 2 a; put op; put (Z.to_string k) in
  if own < level then put "(";
  (match a with
   | X.IVar n -> put (List.nth env (int_of_nat n))
   | X.ICst z -> put (Z.to_string z)
   | X.IAdd (a, c) -> put_ix b env 1 a; put "+"; put_ix b env 2 c
   | X.ISub (a, c) -> put_ix b env 1 a; put "-"; put_ix b env 2 c
   | X.IMul (a, k) -> scaled a "*" k
   | X.IDiv (a, k) -> scaled a "//" k
   | X.IMod (a, k) -> scaled a "%" k);
  if own < level then put ")"

let rec put_cond b env = function
  | X.CAnd (a, c) -> put_cond b env a; Buffer.add_string b " && "; put_cond b env c
  | X.CCmp (c, x, y) ->
    put_ix b env 1 x;
    Buffer.add_string b (" " ^ comparison_text c ^ " ");
    put_ix b env 1 y

let put_list b sep put l =
  List.iteri (fun n x -> if n > 0 then Buffer.add_string b sep; put x) l

let tensor_text k t =
  let dims = Array.to_list (Array.map string_of_int k.shapes.(t)) in
  k.names.(t) ^ "<" ^ String.concat "," dims ^ ">"

let literal_value k (c : X.lit) : Z.t = ignore k; Obj.obj c
let negative k z =
  match k.number with
  | Integer -> Z.sign z < 0
  | Real ->
    let x = Int64.float_of_bits (Z.to_int64 z) in
    not (Float.is_nan x) && Float.sign_bit x

let literal_text k z =
  match k.number with
  | Integer -> if Z.equal z X.least then "-inf" else Z.to_string z
  | Real -> Text.value_to_string (Shim.Float (Z.to_int64 z))

(* 1 sum, 2 product, 3 minus, 4 atom. *)
let level k = function
  | X.ECst c -> if negative k (literal_value k c) then 3 else 4
  | X.EBin (o, _, _) -> (match (Obj.obj o : X.operator) with OAdd | OSub -> 1 | _ -> 2)
  | X.EFn (f, _) -> (match (Obj.obj f : X.function0) with FNeg -> 3 | _ -> 4)
  | _ -> 4

let rec put_expr k b env wanted e =
  let put = Buffer.add_string b in
  let own = level k e in
  let inside = put_expr k b env in
  if own < wanted then put "(";
  (match e with
   | X.ECst c -> put (literal_text k (literal_value k c))
   | X.ELd (t, l) ->
     put (tensor_text k (int_of_nat t));
     if l <> [] then begin
       put "[";
       put_list b "," (put_ix b env 1) l;
       put "]"
     end
   | X.EBin (o, x, y) ->
     inside own x;
     put
       (match (Obj.obj o : X.operator) with
        | OAdd -> " + "
        | OSub -> " - "
        | OMul -> " * "
        | ODiv -> if k.number = Integer then " // " else " / "
        | OMod -> " % ");
     inside (own + 1) y
   | X.EFn (f, l) ->
     (match (Obj.obj f : X.function0), l with
      | FNeg, [a] ->
        put "-";
        inside (match a with X.ECst _ -> 5 | _ -> 4) a
      | f, l ->
        put (function_text f);
        put "(";
        put_list b ", " (inside 1) l;
        put ")")
   | X.ESel (c, x, y) ->
     put "select(";
     put_cond b env c;
     put ", ";
     inside 1 x;
     put ", ";
     inside 1 y;
     put ")"
   | X.ERed (r, ns, a) ->
     let (kind, ids) : X.reduction0 * Z.t list = Obj.obj r in
     let words = List.map (fun id -> Hashtbl.find k.vars (Z.to_int id)) ids in
     put (match kind with X.KSum -> "sum(" | X.KMax -> "amax(");
     put_list b "," (fun (w, n) -> put (Printf.sprintf "%s<%d" w (int_of_nat n)))
       (List.combine words ns);
     put ") ";
     put_expr k b (words @ env) 4 a);
  if own < wanted then put ")"

let put_store k b out indices env body =
  Buffer.add_string b (tensor_text k (int_of_nat out));
  if indices <> [""] then Buffer.add_string b ("[" ^ String.concat "," indices ^ "]");
  Buffer.add_string b " = ";
  put_expr k b env 1 body;
  Buffer.add_string b ";\n"

let print k =
  let b = Buffer.create 1024 in
  List.iter (fun ((s : X.stmt), note) -> put_store k b s.out note.own note.own s.body) k.program;
  Buffer.contents b

let scatter k names (s : X.scatter_stmt) =
  let b = Buffer.create 1024 in
  let at a =
    let b = Buffer.create 16 in
    put_ix b names 1 a;
    Buffer.contents b in
  put_store k b s.sout (List.map at s.sat) names s.sbody;
  Buffer.contents b
