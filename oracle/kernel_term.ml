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

(* The product of two numbers that is not rounded: as Coq's kernels have it (kernel.Fma), it is no function, so that one takes its
   place that is in no text, a conversion to no type. Nothing but its word is looked at. *)
let exact = X.FCast Z.minus_one

let functions =
  [ "max", X.FMax; "min", X.FMin; "pow", X.FPow; "exp", X.FExp; "log", X.FLog; "sqrt", X.FSqrt;
    "tanh", X.FTanh; "abs", X.FAbs; "erf", X.FErf; "round", X.FRound; "less", X.FLess;
    "equal", X.FEqual; "when", X.FWhen; "orelse", X.FOrelse; "exact", exact ]

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

(* The left side up to the = of a statement. *)
let left i =
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
  (out, dims, own)

let finish i =
  expect i ";";
  skip i;
  if i.at < String.length i.s then fail i "the end of the line"

let is_exact f = (Obj.obj f : X.function0) = exact

(* Exact products are terms of sums, or branches of a select that is one; [term]: the expression is such a place. *)
let rec exact_in_sums term (e : X.ex) =
  match e with
  | ECst _ | ELd _ -> true
  | EBin (_, a, b) -> exact_in_sums false a && exact_in_sums false b
  | EFn (f, l) -> (term || not (is_exact f)) && List.for_all (exact_in_sums false) l
  | ESel (_, a, b) -> exact_in_sums term a && exact_in_sums term b
  | ERed (r, _, a) -> exact_in_sums (fst (Obj.obj r : X.reduction0 * Z.t list) = X.KSum) a

let rec has_exact (e : X.ex) =
  match e with
  | ECst _ | ELd _ -> false
  | EBin (_, a, b) | ESel (_, a, b) -> has_exact a || has_exact b
  | EFn (f, l) -> is_exact f || List.exists has_exact l
  | ERed (_, _, a) -> has_exact a

let assignment i (out, dims, own) =
  let body = expr i in
  if not (exact_in_sums false body) || (i.kind = Integer && has_exact body) then fail i "exact(a, b) as the term of a sum of floats only";
  finish i;
  ( { X.out = nat out; dims = List.map nat (Array.to_list dims); body },
    { own; bound = List.rev i.mine } )

let statement i = assignment i (left i)

(* What [item] reads of the lines, and the tensors. *)
let read_with item number lines =
  let table = Hashtbl.create 16 and binders = Hashtbl.create 16 in
  let rec go n tensors = function
    | [] -> Ok ([], tensors)
    | s :: more ->
      let i =
        { s; at = 0; scope = []; level = 0; mine = []; kind = number; table; tensors; binders } in
      match item i with
      | exception Bad (at, what) -> Error (Printf.sprintf "%d:%d: expected %s" n (at + 1) what)
      | st -> Result.map (fun (l, t) -> (st :: l, t)) (go (n + 1) i.tensors more) in
  Result.map
    (fun (program, tensors) ->
      let all = Array.of_list (List.rev tensors) in
      (program, { number; names = Array.map fst all; shapes = Array.map snd all; vars = binders; program = [] }))
    (go 1 [] lines)

let read number lines =
  Result.map (fun (program, k) -> { k with program }) (read_with statement number lines)

(* {1 Look-ups} *)

type line = Assign of X.stmt | Look of X.look

(* NAME<..>[ix, .., at(NAME<..>[..]), .., ix]; none where the right side is something else. *)
let look_up i (out, dims, _) =
  let item i =
    if accept i "at(" then begin
      let word = name i in
      match load i word with
      | X.ELd (t, l) -> expect i ")"; `At (t, l)
      | _ -> fail i "a load"
    end
    else `Ix (ix i) in
  let word = name i in
  if not (looking i "<") then fail i "a tensor";
  let from = shape i in
  let t = tensor i word from in
  expect i "[";
  let l = several i item in
  expect i "]";
  finish i;
  let rec split n before = function
    | [] -> fail i "a look-up"
    | `Ix a :: more -> split (n + 1) (a :: before) more
    | `At (where, place) :: more ->
      let after = List.map (function `Ix a -> a | `At _ -> fail i "one look-up") more in
      { X.lout = nat out; ldims = List.map nat (Array.to_list dims); lfrom = nat t; lsize = nat from.(n);
        before = List.rev before; after; lwhere = where; lplace = place } in
  split 0 [] l

let line i =
  let head = left i in
  let start = i.at in
  match look_up i head with
  | l -> Look l
  | exception Bad _ ->
    i.at <- start;
    Assign (fst (assignment i head))

let read_lines number lines = read_with line number lines
