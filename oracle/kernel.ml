module X = Extracted

type number = Real | Integer

(* Tensors by number, names of reduction variables by number.  Beside each statement of
   the extracted program: the names of its own variables and, in the order of the C
   table, the numbers of its reduction variables. *)
type note = { own : string list; mutable bound : int list }

type t = {
  number : number;
  names : string array;
  shapes : int array array;
  vars : (int, string) Hashtbl.t;
  program : (X.stmt * note) list;
}

let nat = Z.of_int
let int_of_nat = Z.to_int

(* {1 Reading} *)

exception Bad of int * string

type input = {
  s : string;
  mutable at : int;
  mutable scope : (string * int) list;   (* name, level *)
  mutable level : int;
  mutable mine : int list;               (* reduction variables, last first *)
  kind : number;
  table : (string, int) Hashtbl.t;
  mutable tensors : (string * int array) list;  (* last first *)
  binders : (int, string) Hashtbl.t;
}

let fail i what = raise (Bad (i.at, what))
let rec skip i = if i.at < String.length i.s && i.s.[i.at] = ' ' then (i.at <- i.at + 1; skip i)

let looking i w =
  skip i;
  let n = String.length w in
  i.at + n <= String.length i.s && String.sub i.s i.at n = w

let accept i w =
  let yes = looking i w in
  if yes then i.at <- i.at + String.length w;
  yes

let expect i w = if not (accept i w) then fail i ("'" ^ w ^ "'")

let run_of i ok =
  skip i;
  let start = i.at in
  while i.at < String.length i.s && ok i.s.[i.at] do i.at <- i.at + 1 done;
  String.sub i.s start (i.at - start)

let letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_'
let digit c = c >= '0' && c <= '9'
let here i = skip i; if i.at < String.length i.s then i.s.[i.at] else '\000'

let name i =
  if not (letter (here i)) then fail i "a name";
  run_of i (fun c -> letter c || digit c)

let plain_int i =
  let start = i.at in
  let sign = accept i "-" in
  match int_of_string_opt (run_of i digit) with
  | Some n -> if sign then -n else n
  | None -> i.at <- start; fail i "an integer"

let rec several i item =
  let x = item i in
  if accept i "," then x :: several i item else [x]

let shape i =
  expect i "<";
  let dims = several i plain_int in
  expect i ">";
  Array.of_list dims

let tensor i word dims =
  match Hashtbl.find_opt i.table word with
  | Some t -> t
  | None ->
    let t = Hashtbl.length i.table in
    Hashtbl.add i.table word t;
    i.tensors <- (word, dims) :: i.tensors;
    t

let rec ix i =
  let rec rest a =
    if accept i "+" then rest (X.IAdd (a, ix_product i))
    else if accept i "-" then rest (X.ISub (a, ix_product i))
    else a in
  rest (ix_product i)

and ix_product i =
  let rec rest a =
    if accept i "*" then rest (X.IMul (a, Z.of_int (plain_int i)))
    else if accept i "//" then rest (X.IDiv (a, Z.of_int (plain_int i)))
    else if accept i "%" then rest (X.IMod (a, Z.of_int (plain_int i)))
    else a in
  rest (ix_atom i)

and ix_atom i =
  if accept i "(" then begin
    let a = ix i in
    expect i ")";
    a
  end
  else if letter (here i) then begin
    let start = i.at in
    let word = name i in
    match List.assoc_opt word i.scope with
    | Some level -> X.IVar (nat (i.level - 1 - level))
    | None -> i.at <- start; fail i "a variable in scope"
  end
  else X.ICst (Z.of_int (plain_int i))

let comparisons = [ "<=", X.CLe; ">=", X.CGe; "==", X.CEq; "!=", X.CNe; "<", X.CLt; ">", X.CGt ]

let comparison i =
  let a = ix i in
  match List.find_opt (fun (w, _) -> accept i w) comparisons with
  | Some (_, c) ->
    let b = ix i in
    X.CCmp (c, a, b)
  | None -> fail i "a comparison"

let condition i =
  let rec rest a = if accept i "&&" then rest (X.CAnd (a, comparison i)) else a in
  rest (comparison i)

let functions =
  [ "max", X.FMax; "min", X.FMin; "pow", X.FPow; "exp", X.FExp; "log", X.FLog; "sqrt", X.FSqrt;
    "tanh", X.FTanh; "abs", X.FAbs; "erf", X.FErf; "less", X.FLess ]

let greatest = Z.of_int64 Int64.max_int
let cst z = X.ECst (Obj.repr (z : Z.t))
let bits x = Z.of_int64 (Int64.bits_of_float x)
let bin o a b = X.EBin (Obj.repr (o : X.operator), a, b)
let call (f : X.function0) l = X.EFn (Obj.repr f, l)

let literal_here i =
  skip i;
  digit (here i) || looking i "inf" || looking i "nan"

(* Integers end where their digits do, floats may have an exponent's sign. *)
let literal i negative =
  match i.kind with
  | Integer when digit (here i) ->
    let z = Z.of_string (run_of i digit) in
    cst (if negative then Z.neg z else z)
  | Real when digit (here i) ->
    let start = i.at in
    let ok = ref true in
    while !ok && i.at < String.length i.s do
      let c = i.s.[i.at] in
      let exponent = i.at > start && (i.s.[i.at - 1] = 'p') && (c = '+' || c = '-') in
      if digit c || letter c || c = '.' || exponent then i.at <- i.at + 1 else ok := false
    done;
    (match float_of_string_opt (String.sub i.s start (i.at - start)) with
     | Some x -> cst (bits (if negative then Float.neg x else x))
     | None -> i.at <- start; fail i "a number")
  | Integer when accept i "inf" -> cst (if negative then X.least else greatest)
  | Real when accept i "inf" -> cst (bits (if negative then neg_infinity else infinity))
  | Real when accept i "nan" -> cst (Z.of_string "0x7ff8000000000000")
  | _ -> fail i "a number"

let rec expr i =
  let rec rest a =
    if accept i "+" then rest (bin X.OAdd a (product i))
    else if accept i "-" then rest (bin X.OSub a (product i))
    else a in
  rest (product i)

and product i =
  let rec rest a =
    if accept i "*" then rest (bin X.OMul a (factor i))
    else if accept i "//" || accept i "/" then rest (bin X.ODiv a (factor i))
    else if accept i "%" then rest (bin X.OMod a (factor i))
    else a in
  rest (factor i)

and factor i =
  if accept i "-" then
    if literal_here i then literal i true else call X.FNeg [factor i]
  else atom i

and atom i =
  if literal_here i then literal i false
  else if accept i "(" then begin
    let e = expr i in
    expect i ")";
    e
  end
  else begin
    let word = name i in
    if looking i "<" then load i word
    else match word with
      | "select" ->
        expect i "(";
        let c = condition i in
        expect i ",";
        let a = expr i in
        expect i ",";
        let b = expr i in
        expect i ")";
        X.ESel (c, a, b)
      | "sum" -> reduce i X.KSum
      | "amax" -> reduce i X.KMax
      | _ ->
        match List.assoc_opt word functions with
        | Some f ->
          expect i "(";
          let l = several i expr in
          expect i ")";
          call f l
        | None -> fail i "a function"
  end

and load i word =
  let dims = shape i in
  let t = tensor i word dims in
  let l =
    if accept i "[" then begin
      let l = several i ix in
      expect i "]";
      l
    end
    else [] in
  X.ELd (nat t, l)

(* Variable 0 of the body is the first one: the last one bound is innermost. *)
and reduce i r =
  let variable i =
    let word = name i in
    expect i "<";
    let n = plain_int i in
    (word, n) in
  expect i "(";
  let l = several i variable in
  expect i ")";
  let ids =
    List.map
      (fun (word, _) ->
        let id = Hashtbl.length i.binders in
        Hashtbl.add i.binders id word;
        i.mine <- id :: i.mine;
        id)
      l in
  let scope = i.scope and level = i.level in
  List.iter
    (fun (word, _) ->
      i.scope <- (word, i.level) :: i.scope;
      i.level <- i.level + 1)
    (List.rev l);
  let e = atom i in
  i.scope <- scope;
  i.level <- level;
  X.ERed (Obj.repr (r, List.map Z.of_int ids), List.map (fun (_, n) -> nat n) l, e)

let statement i =
  let word = name i in
  let dims = shape i in
  let out = tensor i word dims in
  let own =
    if accept i "[" then begin
      let l = several i name in
      expect i "]";
      l
    end
    else [""] in
  i.scope <- [];
  i.level <- 0;
  i.mine <- [];
  List.iter
    (fun word ->
      i.scope <- (word, i.level) :: i.scope;
      i.level <- i.level + 1)
    (List.rev own);
  expect i "=";
  let body = expr i in
  expect i ";";
  skip i;
  if i.at < String.length i.s then fail i "the end of the line";
  ( { X.out = nat out; dims = List.map nat (Array.to_list dims); body },
    { own; bound = List.rev i.mine } )

let read number lines =
  let table = Hashtbl.create 16 and binders = Hashtbl.create 16 in
  let rec go n tensors = function
    | [] -> Ok ([], tensors)
    | s :: more ->
      let i =
        { s; at = 0; scope = []; level = 0; mine = []; kind = number; table; tensors; binders } in
      match statement i with
      | exception Bad (at, what) -> Error (Printf.sprintf "%d:%d: expected %s" n (at + 1) what)
      | st -> Result.map (fun (l, t) -> (st :: l, t)) (go (n + 1) i.tensors more) in
  Result.map
    (fun (program, tensors) ->
      let all = Array.of_list (List.rev tensors) in
      { number; names = Array.map fst all; shapes = Array.map snd all; vars = binders; program })
    (go 1 [] lines)

(* {1 Printing} *)

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

let print k =
  let b = Buffer.create 1024 in
  List.iter
    (fun ((s : X.stmt), note) ->
      Buffer.add_string b (tensor_text k (int_of_nat s.out));
      if note.own <> [""] then Buffer.add_string b ("[" ^ String.concat "," note.own ^ "]");
      Buffer.add_string b " = ";
      put_expr k b note.own 1 s.body;
      Buffer.add_string b ";\n")
    k.program;
  Buffer.contents b

(* {1 Inlining} *)

let refusal_text = function
  | X.NotTemporary -> "no temporary"
  | X.EarlyLoad -> "loaded before or where it is stored"
  | X.StoredTwice -> "stored twice"
  | X.NotStored -> "not stored"
  | X.NotLoaded -> "not loaded"
  | X.Overwritten -> "overwritten before its last load"
  | X.Repeats -> "a reduction would be repeated"

(* The consumer takes the producer's reduction variables, renamed where a name is taken. *)
let join vars producer consumer =
  let text id = Hashtbl.find vars id in
  let taken = consumer.own @ List.map text consumer.bound in
  let rec go joined = function
    | [] -> ()
    | id :: more ->
      let old = text id in
      let used = joined @ (old :: List.map text more) in
      let rec fresh n =
        let w = Printf.sprintf "%s_%d" old n in
        if List.mem w used then fresh (n + 1) else w in
      let word = if List.mem old taken then fresh 1 else old in
      Hashtbl.replace vars id word;
      go (word :: joined) more in
  go taken producer.bound;
  consumer.bound <- consumer.bound @ producer.bound

let index_of k name =
  let rec go t =
    if t = Array.length k.names then None else if k.names.(t) = name then Some t else go (t + 1) in
  go 0

let inline k ~outputs name =
  match index_of k name with
  | None -> Error "unknown"
  | Some t ->
    let known = List.filter_map (index_of k) outputs in
    let tid = nat t in
    match X.inline_once X.int64s (List.map nat known) tid (List.map fst k.program) with
    | X.Inl why -> Error (refusal_text why)
    | X.Inr stmts ->
      let vars = Hashtbl.copy k.vars in
      let stores ((s : X.stmt), _) = s.out = tid in
      let producer = snd (List.find stores k.program) in
      let notes =
        List.filter_map
          (fun ((s, note) as st) ->
            if stores st then None
            else begin
              let note = { note with bound = note.bound } in
              if producer.bound <> [] && X.reads X.int64s tid s then join vars producer note;
              Some note
            end)
          k.program in
      Ok { k with vars; program = List.combine stmts notes }

(* {1 Meaning} *)

let shape_of k t =
  let t = int_of_nat t in
  List.map nat (Array.to_list k.shapes.(t))

let well_formed k = List.for_all (fun (s, _) -> X.wf_stmt X.int64s (shape_of k) s) k.program

let input name n =
  let h = ref (7 * n) in
  String.iter (fun c -> h := !h + Char.code c) name;
  Z.of_int ((!h mod 11) - 5)

(* Row-major position; a scalar without index is element 0. *)
let position dims l =
  let rec go p n = function
    | [] -> Some p
    | z :: more ->
      if n = Array.length dims || Z.sign z < 0 || Z.geq z (Z.of_int dims.(n)) then None
      else go ((p * dims.(n)) + Z.to_int z) (n + 1) more in
  go 0 0 l

let run k =
  let size t = Array.fold_left ( * ) 1 k.shapes.(t) in
  let cells =
    Array.mapi (fun t name -> Array.init (size t) (fun n -> Some (input name n))) k.names in
  let store t l =
    let t = int_of_nat t in
    match position k.shapes.(t) l with
    | Some p -> Obj.repr cells.(t).(p)
    | None -> Obj.repr (Some Z.zero) in
  let step ((s : X.stmt), _) =
    let t = int_of_nat s.out in
    let after = X.kernel_exec s store s.out in
    cells.(t) <- Array.of_list (List.map (fun l -> (Obj.obj (after l) : Z.t option)) (X.box s.dims)) in
  List.iter step k.program;
  let stored = List.map (fun ((s : X.stmt), _) -> int_of_nat s.out) k.program in
  let plain t =
    if Array.for_all Option.is_some cells.(t) then Some (Array.map Option.get cells.(t)) else None in
  List.map (fun t -> (k.names.(t), plain t)) (List.sort_uniq compare stored)

(* {1 Coq examples} *)

open Coq_print

let program k = list stmt (List.map fst k.program)

let inline_example n k ~outputs name =
  match index_of k name with
  | None -> None
  | Some t ->
    let known = List.map Z.of_int (List.filter_map (index_of k) outputs) in
    let answer =
      match X.inline_once X.int64s known (Z.of_int t) (List.map fst k.program) with
      | X.Inl why -> apply "inl" [ refusal why ]
      | X.Inr l -> apply "inr" [ list stmt l ] in
    Some
      (example_of_type "refusal + list (stmt int64s)" n
         (apply "inline_once" [ list nat known; string_of_int t; program k ])
         answer)

(* The first contents of all tensors, row-major, and what the statements store. *)
let run_example ~most n k =
  let size t = Array.fold_left ( * ) 1 k.shapes.(t) in
  let cells = List.fold_left (fun n t -> n + size t) 0 (List.init (Array.length k.names) Fun.id) in
  let dims t = list string_of_int (Array.to_list k.shapes.(t)) in
  let tensor t name =
    Printf.sprintf "(%s, %s)" (dims t)
      (list (fun j -> z (input name j)) (List.init (size t) Fun.id)) in
  let first = list Fun.id (Array.to_list (Array.mapi tensor k.names)) in
  let stored = List.sort_uniq compare (List.map (fun ((s : X.stmt), _) -> int_of_nat s.out) k.program) in
  match if cells > most then [ None ] else List.map (fun t -> List.assoc k.names.(t) (run k)) stored with
  | values when List.for_all Option.is_some values ->
    let contents t v = Printf.sprintf "(%d, %s)" t (list z (Array.to_list (Option.get v))) in
    Some
      (example n
         (apply "run" [ program k; first; list string_of_int stored ])
         (list Fun.id (List.map2 contents stored values)))
  | _ -> None

let syntax_prelude =
  "(* The syntax at these scalars, their types written out: read faster. *)\n\
   Definition k_cst (c : Z) : ex int64s := @ECst int64s c.\n\
   Definition k_ld (t : nat) (l : list ix) : ex int64s := ELd t l.\n\
   Definition k_bin (o : operator) (a b : ex int64s) : ex int64s := @EBin int64s o a b.\n\
   Definition k_fn (f : function) (l : list (ex int64s)) : ex int64s := @EFn int64s f l.\n\
   Definition k_sel (c : cond) (a b : ex int64s) : ex int64s := ESel c a b.\n\
   Definition k_red (r : reduction * list Z) (ns : list nat) (a : ex int64s) : ex int64s :=\n\
  \  @ERed int64s r ns a.\n\
   Definition k_stmt (t : nat) (d : list nat) (a : ex int64s) : stmt int64s := Stmt t d a.\n\n"

let run_prelude =
  "(* A store from what the tensors hold, row-major; outside of a tensor it is zero. *)\n\
   Fixpoint position (p : nat) (d : list nat) (l : list Z) : option nat :=\n\
  \  match l, d with\n\
  \  | [], _ => Some p\n\
  \  | i :: l', n :: d' => if in_box [n] [i] then position (p * n + Z.to_nat i) d' l' else None\n\
  \  | _, [] => None\n\
  \  end.\n\
   Definition cell (d : list nat) (cells : list (option Z)) (l : list Z) : option Z :=\n\
  \  match position 0 d l with Some p => nth p cells (Some 0%Z) | None => Some 0%Z end.\n\
   Definition start (first : list (list nat * list Z)) : store int64s :=\n\
  \  fun t l => match nth_error first t with\n\
  \             | Some (d, cells) => cell d (map Some cells) l\n\
  \             | None => Some 0%Z\n\
  \             end.\n\
   (* After each statement what it stored is written out, so that nothing is computed twice. *)\n\
   Definition after (st : store int64s) (s : stmt int64s) : store int64s :=\n\
  \  let cells := map (kernel_exec s st (out s)) (box (dims s)) in\n\
  \  fun t l => if Nat.eqb t (out s) then cell (dims s) cells l else st t l.\n\
   Definition run (p : list (stmt int64s)) (first : list (list nat * list Z)) (stored : list nat) :\n\
  \    list (nat * list Z) :=\n\
  \  let st := fold_left after p (start first) in\n\
  \  map (fun t => (t, flat_map (fun l => match st t l with Some z => [z] | None => [] end)\n\
  \                      (box (match nth_error first t with Some (d, _) => d | None => [] end)))) stored.\n\n"
