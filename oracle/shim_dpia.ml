module X = Extracted_dpia

type number = F32 | F64 | I32 | I64
type role = In | Out | Temp
type param = { role : role; name : string; ty : X.data }

type program = {
  number : number;
  sizes : string array;
  params : param list;
  assignments : X.assignment list;
}

type scalars = {
  algebra : X.algebra;
  lit : string -> X.lit;
  un : string -> X.uop option;
  bin : string -> X.bop option;
}

let nat = Z.of_int
let int = Z.to_int
let some x = Some (Obj.repr x)

let words =
  { algebra = X.words; lit = (fun s -> Obj.repr s); un = some; bin = some }

(* {1 Numbers} *)

let one = Int64.shift_left 1L
let sign_bit mant = if mant = 23 then 31 else 63
let bit k x = Int64.logand (Int64.shift_right_logical x k) 1L = 1L

(* A float of [mant] stored bits from its bits. *)
let spec_of_bits ~mant ~bias bits =
  let m = Int64.logand bits (Int64.pred (one mant)) in
  let e = Int64.to_int (Int64.shift_right_logical bits mant) land ((2 * bias) + 1) in
  let negative = bit (sign_bit mant) bits in
  if e = (2 * bias) + 1 then if m = 0L then X.S754_infinity negative else X.S754_nan
  else if e = 0 && m = 0L then X.S754_zero negative
  else
    let m = if e = 0 then m else Int64.logor m (one mant) in
    X.S754_finite (negative, Z.of_int64 m, Z.of_int (max e 1 - bias - mant))

let bits_of_spec ~mant ~bias x =
  let sign b = if b then one (sign_bit mant) else 0L in
  let exponent e = Int64.shift_left (Int64.of_int e) mant in
  match x with
  | X.S754_zero s -> Some (sign s)
  | X.S754_infinity s -> Some (Int64.logor (sign s) (exponent ((2 * bias) + 1)))
  | X.S754_nan -> None
  | X.S754_finite (s, m, e) ->
    let m = Z.to_int64 m in
    let e = if bit mant m then Z.to_int e + bias + mant else 0 in
    Some (Int64.logor (sign s) (Int64.logor (exponent e) (Int64.logand m (Int64.pred (one mant)))))

let shape = function F32 -> (23, 127) | _ -> (52, 1023)

let scalar_of_string number word =
  match number with
  | F32 | F64 ->
    let mant, bias = shape number in
    let bits =
      if mant = 23 then Int64.of_int32 (Int32.of_string ("0x" ^ word)) else Int64.of_string ("0x" ^ word) in
    Obj.repr (spec_of_bits ~mant ~bias bits)
  | I32 | I64 -> Obj.repr (Z.of_string word)

let scalar_to_string number (x : X.scalar) =
  match number with
  | F32 | F64 ->
    let mant, bias = shape number in
    (match bits_of_spec ~mant ~bias (Obj.obj x) with
     | None -> "nan"
     | Some b -> if mant = 23 then Printf.sprintf "%08Lx" b else Printf.sprintf "%016Lx" b)
  | I32 | I64 -> Z.to_string (Obj.obj x)

(* Literals are doubles; those of f32 are rounded, as a C compiler does. *)
let float_literal number word =
  let x = float_of_string word in
  let mant, bias = shape number in
  let bits =
    if number = F32 then Int64.of_int32 (Int32.bits_of_float x) else Int64.bits_of_float x in
  Obj.repr (spec_of_bits ~mant ~bias bits)

let binary = function
  | "+" -> some X.Add | "-" -> some X.Sub | "*" -> some X.Mul | "/" -> some X.Div
  | "%" -> some X.Mod | "max" -> some X.Max | "min" -> some X.Min | "less" -> some X.Less
  | "equal" -> some X.Equal | "when" -> some X.When | "orelse" -> some X.Orelse
  | _ -> None

let running number =
  match number with
  | F32 | F64 ->
    { algebra = (if number = F32 then X.binary32 else X.binary64);
      lit = float_literal number;
      un =
        (function
          | "neg" -> some X.Neg | "abs" -> some X.Abs | "sqrt" -> some X.Sqrt | "round" -> some X.Round | _ -> None);
      bin = (function "%" -> None | s -> binary s) }
  | I32 | I64 ->
    { algebra = X.machine (Z.of_int (if number = I32 then 32 else 64));
      lit = (fun s -> Obj.repr (Z.of_string s));
      un = (function "neg" -> some X.NegZ | "abs" -> some X.AbsZ | _ -> None);
      bin = binary }

(* {1 Reading} *)

let integer i =
  match Z.of_string (Read.atom i) with
  | n -> n
  | exception Invalid_argument _ -> Read.fail i "an integer"

let form i body =
  Read.opening i;
  let x = body (Read.atom i) in
  Read.closing i;
  x

let find_size sizes i name =
  let rec go k =
    if k = Array.length sizes then Read.fail i "a size" else if sizes.(k) = name then k else go (k + 1) in
  go 0

let mul n m = X.symbols.X.mul0 n m

let size sizes i : X.size =
  let term i =
    Read.opening i;
    let c = integer i in
    if Z.sign c < 0 then Read.fail i "a coefficient that is not negative";
    List.fold_left mul
      (Obj.repr (X.poly_lift c))
      (Read.until_closed i (fun i -> X.symbol (nat (find_size sizes i (Read.atom i))))) in
  if Read.next i = '(' then begin
    Read.opening i;
    if Read.atom i <> "+" then Read.fail i "'+'";
    let terms = Read.until_closed i term in
    List.fold_right (fun t p -> Obj.repr (X.poly_plus (Obj.obj t) (Obj.obj p))) terms (Obj.repr (X.poly_lift Z.zero))
  end
  else
    let word = Read.atom i in
    match Z.of_string word with
    | n when Z.sign n >= 0 -> Obj.repr (X.poly_lift n)
    | _ -> Read.fail i "a size"
    | exception Invalid_argument _ -> X.symbol (nat (find_size sizes i word))

let rec data sizes i =
  if Read.next i = '(' then
    form i (function
      | "ary" ->
        let n = size sizes i in
        X.DAry (n, data sizes i)
      | "pair" ->
        let a = data sizes i in
        X.DPair (a, data sizes i)
      | _ -> Read.fail i "a type")
  else if Read.atom i = "num" then X.DNum
  else Read.fail i "a type"

(* De Bruijn: how many binders ago variable [x] was bound. *)
let index_of scope i x =
  let rec go k = function
    | [] -> Read.fail i "a variable in scope"
    | y :: l -> if x = y then k else go (k + 1) l in
  nat (go 0 scope)

let rec ix sizes scope i =
  if Read.next i <> '(' then X.XCst (integer i)
  else
    form i (function
      | "var" -> X.XVar (index_of scope i (Read.number i))
      | "size" -> X.XSize (size sizes i)
      | op ->
        let a = ix sizes scope i in
        match op with
        | "+" -> X.XAdd (a, ix sizes scope i)
        | "-" -> X.XSub (a, ix sizes scope i)
        | "*" -> X.XMul (a, integer i)
        | "//" | "%" ->
          let k = integer i in
          if Z.sign k <= 0 then Read.fail i "a positive number";
          if op = "%" then X.XMod (a, k) else X.XDiv (a, k)
        | _ -> Read.fail i "an index")

let cond sizes scope i =
  form i (fun op ->
    let c =
      match op with
      | "<" -> X.CLt | "<=" -> X.CLe | ">" -> X.CGt | ">=" -> X.CGe | "==" -> X.CEq | "!=" -> X.CNe
      | _ -> Read.fail i "a comparison" in
    let a = ix sizes scope i in
    X.CCmp (c, a, ix sizes scope i))

let rec conds sizes scope i =
  Read.opening i;
  match Read.until_closed i (cond sizes scope) with
  | [] -> Read.fail i "a condition"
  | l -> conj l

and conj = function
  | [c] -> c
  | c :: l -> X.CAnd (c, conj l)
  | [] -> assert false

let policy i = match Read.atom i with "par" -> X.Par | "seq" -> X.Seq | _ -> Read.fail i "par or seq"

let rec exp sc sizes scope i =
  let e s = exp sc sizes s i in
  let n () = size sizes i in
  let ty () = data sizes i in
  form i (fun word ->
    match word with
    | "var" -> X.EVar (index_of scope i (Read.number i))
    | "lit" ->
      let s = Read.atom i in
      (match sc.lit s with
       | l -> X.ELit l
       | exception (Invalid_argument _ | Failure _) -> Read.fail i "a number")
    | "call" ->
      let f = Read.atom i in
      let a = e scope in
      if Read.next i = ')' then
        match sc.un f with Some o -> X.EUn (o, a) | None -> Read.fail i "another function"
      else begin
        let b = e scope in
        match sc.bin f with Some o -> X.EBin (o, a, b) | None -> Read.fail i "another function"
      end
    | "map" ->
      let p = policy i in
      let n = n () in
      let d = ty () in
      let x = Read.number i in
      let f = e (x :: scope) in
      X.EMap (p, n, d, f, e scope)
    | "gen" ->
      let p = policy i in
      let n = n () in
      let d = ty () in
      let x = Read.number i in
      X.EGen (p, n, d, e (x :: scope))
    | "red" | "fold" ->
      let n = n () in
      let d = ty () in
      let x = Read.number i in
      let y = Read.number i in
      let f = e (y :: x :: scope) in
      let init = e scope in
      if word = "fold" then X.EFold (n, d, f, init) else X.ERed (n, d, f, init, e scope)
    | "zip" ->
      let n = n () in
      let a = ty () in
      let b = ty () in
      let x = e scope in
      X.EZip (n, a, b, x, e scope)
    | "split" | "join" | "tr" ->
      let n = n () in
      let m = size sizes i in
      let x = e scope in
      if word = "split" then X.ESplit (n, m, x)
      else if word = "join" then X.EJoin (n, m, x)
      else X.ETr (n, m, x)
    | "idx" ->
      let x = e scope in
      X.EIdx (x, ix sizes scope i)
    | "pair" ->
      let a = e scope in
      X.EPair (a, e scope)
    | "fst" -> X.EFst (e scope)
    | "snd" -> X.ESnd (e scope)
    | "rev" ->
      let n = n () in
      X.ERev (n, e scope)
    | "if" ->
      let c = conds sizes scope i in
      let d = ty () in
      let a = e scope in
      X.EIte (c, d, a, e scope)
    | "let" ->
      let d = ty () in
      let x = Read.number i in
      let a = e scope in
      X.ELet (d, a, e (x :: scope))
    | _ -> Read.fail i "an expression")

let number_of i =
  match Read.atom i with
  | "f32" -> F32 | "f64" -> F64 | "i32" -> I32 | "i64" -> I64
  | _ -> Read.fail i "f32 f64 i32 i64"

(* Parameters, then assignments, in whatever scalars [scalars] gives. *)
let program scalars i =
  form i (fun word ->
    if word <> "program" then Read.fail i "'program'";
    let number = number_of i in
    let sc = scalars number in
    Read.opening i;
    let sizes = Array.of_list (Read.until_closed i Read.atom) in
    let params = ref [] and vars = ref [] and assignments = ref [] in
    while Read.next i = '(' do
      form i (fun word ->
        let param role =
          let name = Read.atom i in
          vars := !vars @ [Read.number i];
          params := !params @ [{ role; name; ty = data sizes i }] in
        let assign buffered =
          let k = Read.number i in
          if k >= List.length !params then Read.fail i "a parameter's number";
          assignments :=
            { X.target = nat k; value_type = (List.nth !params k).ty; source = exp sc sizes !vars i; buffered }
            :: !assignments in
        match word with
        | "in" -> param In
        | "out" -> param Out
        | "temp" -> param Temp
        | "set" -> assign false
        | "copy" -> assign true
        | _ -> Read.fail i "a parameter or assignment")
    done;
    { number; sizes; params = !params; assignments = List.rev !assignments })

(* {1 What is extracted} *)

let types p = List.map (fun x -> x.ty) p.params

(* The parameters that have a value at the start. *)
let given p k = match List.nth_opt p.params (int k) with Some q -> q.role = In | None -> false

let commands sc p = X.translate_all sc.algebra X.symbols (types p) (given p) p.assignments
let emitted sc p = X.emitted sc.algebra X.symbols (types p) (commands sc p)

(* What the size variables stand for. *)
let sizing values : X.sizing =
  Obj.repr (fun x -> let k = int x in if k < Array.length values then nat values.(k) else Z.zero)

let size_value s n = int (X.symbols.X.val0 s n)

(* The ranges of indices are tested at all sizes without [values], else by intervals. *)
let well_typed ?values sc p =
  let range =
    match values with
    | None -> X.range_var X.symbols
    | Some v -> X.range_interval X.symbols (sizing v) in
  X.checked sc.algebra X.symbols range (types p) (given p) p.assignments

(* {1 Running} *)

let rec cells s = function
  | X.DNum -> 1
  | X.DAry (n, d) -> size_value s n * cells s d
  | X.DPair (a, b) -> cells s a + cells s b

(* A value from its scalars in row-major order, and back. *)
let value_of s d (scalars : X.scalar array) =
  let at = ref 0 in
  let rec go = function
    | X.DNum -> incr at; X.Num scalars.(!at - 1)
    | X.DAry (n, d) -> X.Arr (List.init (size_value s n) (fun _ -> go d))
    | X.DPair (a, b) ->
      let x = go a in
      X.Two (x, go b) in
  go d

let rec scalars_of v acc =
  match v with
  | X.Num x -> x :: acc
  | X.Arr l -> List.fold_right scalars_of l acc
  | X.Two (a, b) -> scalars_of a (scalars_of b acc)
  | X.Pos _ -> raise (Shim.Internal "an index among the values")

let evaluate sc s p inputs =
  let env = List.map (fun v -> Option.value v ~default:(X.Arr [])) inputs in
  let set = X.all_set sc.algebra X.symbols (given p) p.assignments in
  List.mapi
    (fun k v -> if set (nat k) then Some v else None)
    (X.meaning sc.algebra X.symbols s (given p) p.assignments env)

(* The flat program on finite maps; [None] where it is stuck. *)
let execute ~races sc s p inputs =
  let m = X.maps sc.algebra in
  let start =
    List.fold_left
      (fun (k, h) (q, v) ->
        let n = cells s q.ty in
        let h = m.X.fresh h (nat k) (nat n) in
        let put (j, h) x = (j + 1, m.X.put h (nat k) (nat j) x) in
        let h = match v with None -> h | Some v -> snd (List.fold_left put (0, h) (scalars_of v [])) in
        (k + 1, h))
      (0, m.X.back (Obj.repr X.PM.empty) (Obj.repr X.PM.empty) Z.zero)
      (List.combine p.params inputs) in
  let no_levels _ = Z.zero in
  match X.mrun sc.algebra X.symbols s m races no_levels (emitted sc p) (snd start) with
  | None -> None
  | Some h ->
    let read k j = match m.X.get h (nat k) (nat j) with Some (Some x) -> Some x | _ -> None in
    Some (List.mapi (fun k q -> List.init (cells s q.ty) (read k)) p.params)
