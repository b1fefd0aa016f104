module X = Extracted_statements

type verdict =
  | Equal
  | Plain
  | Different

(* {1 Reading}

   Literals and functions are words; a variable is an array of so many numbers. *)

let number i = Z.of_int (Read.number i)

let integer i =
  let word = Read.atom i in
  match Z.of_string word with
  | z -> z
  | exception Invalid_argument _ -> Read.fail i "a number"

let rec index i =
  if Read.next i <> '(' then X.KCst (integer i)
  else begin
    Read.opening i;
    let two f = let a = index i in let b = index i in f a b in
    let k =
      match Read.atom i with
      | "var" -> X.KVar (number i)
      | "+" -> two (fun a b -> X.KAdd (a, b))
      | "-" -> two (fun a b -> X.KSub (a, b))
      | "*" -> two (fun a b -> X.KMul (a, b))
      | "//" -> two (fun a b -> X.KDiv (a, b))
      | "%" -> two (fun a b -> X.KMod (a, b))
      | "quot" -> two (fun a b -> X.KQuot (a, b))
      | "rem" -> two (fun a b -> X.KRem (a, b))
      | _ -> Read.fail i "an index" in
    Read.closing i;
    k
  end

let list i item = Read.opening i; Read.until_closed i item

let comparison i : X.cmp =
  match Read.atom i with
  | "<" -> X.CLt | "<=" -> X.CLe | ">" -> X.CGt | ">=" -> X.CGe | "==" -> X.CEq | "!=" -> X.CNe
  | _ -> Read.fail i "a comparison"

let condition i =
  Read.opening i;
  let c = comparison i in
  let a = index i in
  let b = index i in
  Read.closing i;
  X.KCmp (c, a, b)

let rec all = function
  | [] -> X.KCmp (X.CEq, X.KCst Z.zero, X.KCst Z.zero)
  | [c] -> c
  | c :: l -> X.KAnd (c, all l)

let conditions i = all (list i condition)

let rec exp i =
  Read.opening i;
  let e =
    match Read.atom i with
    | "lit" -> X.FLit (Obj.repr (X.Inl (Read.atom i)))
    | "load" -> let r = number i in X.FLoad (r, index i)
    | "if" ->
      let c = conditions i in
      let a = exp i in
      X.FCond (c, a, exp i)
    | "call" ->
      let f = Read.atom i in
      let a = exp i in
      if Read.next i = ')' then X.FUn (Obj.repr f, a) else X.FBin (Obj.repr (X.BOp (Obj.repr f)), a, exp i)
    | _ -> Read.fail i "an expression" in
  Read.closing i;
  e

let cells n = X.DAry (Obj.repr n, X.DNum)

let rec sequence = function
  | [] -> X.FSkip
  | [c] -> c
  | c :: l -> X.FSeq (c, sequence l)

let rec plain i =
  Read.opening i;
  match Read.atom i with
  | "set" ->
    let r = number i in
    let k = index i in
    let e = exp i in
    Read.closing i;
    X.FSet (r, k, e)
  | "new" -> let r = number i in let n = number i in X.FBlock (r, cells n, rest i)
  | "for" -> loop i X.Seq
  | "par" -> loop i X.Par
  | "if" ->
    let c = conditions i in
    let a = branch i in
    let b = branch i in
    Read.closing i;
    X.FIf (c, a, b)
  | _ -> Read.fail i "a plain statement"

and loop i policy = let v = number i in let n = number i in X.FFor (policy, v, Obj.repr n, rest i)
and rest i = sequence (Read.until_closed i plain)
and branch i = Read.opening i; rest i

let rec merged i =
  Read.opening i;
  match Read.atom i with
  | "set" ->
    let r = number i in
    let k = index i in
    let e = exp i in
    Read.closing i;
    [X.MSet (r, k, e)]
  | "new" -> let r = number i in let n = number i in [X.MBlock (r, cells n, block i)]
  | "for" | "par" | "simd" ->
    let v = number i in
    let lo = integer i in
    let hi = integer i in
    let low = list i index in
    let high = list i index in
    [X.MFor (v, lo, hi, low, high, block i)]
  | "if" ->
    let c = conditions i in
    let a = (Read.opening i; block i) in
    let b = (Read.opening i; block i) in
    Read.closing i;
    [X.MIf (c, a, b)]
  | "together" -> block i
  | _ -> Read.fail i "a merged statement"

and block i = List.concat (Read.until_closed i merged)

(* {1 The check} *)

let after word line =
  let n = String.length word in
  if String.length line >= n && String.sub line 0 n = word then Some (String.sub line n (String.length line - n)) else None

let within item text = Read.parse ("(" ^ text ^ ")") (fun i -> Read.opening i; item i)

let words = X.nothing (fun _ _ -> None)

let check lines =
  match List.find_map (after "plain:") lines, List.find_map (after "merged:") lines with
  | None, _ -> Error "no plain statements"
  | Some c, None -> Result.map (fun _ -> Plain) (within rest c)
  | Some c, Some m ->
    Result.bind (within rest c) (fun c ->
      Result.map (fun m -> if X.statements_words words c m then Equal else Different) (within block m))
