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

(* Merged statements; and of what they are, for hints: the loop over a part of a plain one, what runs at the same time. *)
type shape =
  | Loop of Z.t * Z.t * Z.t * shape list
  | Together of shape list
  | Other

let rec merged i =
  Read.opening i;
  match Read.atom i with
  | "set" ->
    let r = number i in
    let k = index i in
    let e = exp i in
    Read.closing i;
    ([X.MSet (r, k, e)], Other)
  | "new" ->
    let r = number i in
    let n = number i in
    let b, _ = block i in
    ([X.MBlock (r, cells n, b)], Other)
  | "for" | "par" | "simd" ->
    let v = number i in
    let level = number i in
    let lo = integer i in
    let hi = integer i in
    let low = list i index in
    let high = list i index in
    let b, shapes = block i in
    ([X.MFor (v, lo, hi, low, high, b)], Loop (level, lo, hi, shapes))
  | "if" ->
    let c = conditions i in
    let a, _ = (Read.opening i; block i) in
    let b, _ = (Read.opening i; block i) in
    Read.closing i;
    ([X.MIf (c, a, b)], Other)
  | "together" -> let b, shapes = block i in (b, Together shapes)
  | _ -> Read.fail i "a merged statement"

and block i =
  let l = Read.until_closed i merged in
  (List.concat_map fst l, List.map snd l)

(* {1 Where nests of parallel loops are cut}

   Hints: whatever they are, what is accepted is right. *)

module Levels = Map.Make (Z)

(* The loops of a part that are one in another, the outermost first; of parts, what they have in common. *)
let rec chain = function
  | Loop (level, lo, hi, [b]) -> (level, lo, hi) :: chain b
  | Loop (level, lo, hi, _) -> [(level, lo, hi)]
  | Together (first :: (_ :: _ as l)) -> common (chain first) (chain (List.nth l (List.length l - 1)))
  | Together [b] -> chain b
  | Together [] | Other -> []

and common a b =
  match a, b with
  | (l, lo, hi) :: a, (l', lo', hi') :: b when Z.equal l l' ->
    if Z.equal lo lo' && Z.equal hi hi' then (l, lo, hi) :: common a b else [(l, lo, hi')]
  | _ -> []

(* [nest]: the plain loops that parts are of, and their [ranges] in the part that is looked at. A part without a loop over one of
   them is an iteration. *)
let rec tree nest ranges = function
  | [] -> X.Leaf
  | [Together l] -> tree nest ranges l
  | [_] -> X.Leaf
  | a :: (b :: _ as rest) ->
    let inside level z =
      match Levels.find_opt level ranges with Some (lo, hi) -> Z.lt lo z && Z.lt z hi | None -> false in
    let loops = chain a in
    let ends = List.map (fun (level, _, hi) -> (level, hi)) loops and starts = List.map (fun (level, lo, _) -> (level, lo)) (chain b) in
    let one level =
      match Levels.find_opt level ranges with
      | Some (lo, _) when not (List.exists (fun (l, _, _) -> Z.equal l level) loops) -> Some (level, Z.succ lo)
      | _ -> None in
    (match List.find_opt (fun (level, z) -> inside level z) (ends @ starts @ List.filter_map one nest) with
     | None -> tree nest ranges rest
     | Some (level, z) ->
       let lo, hi = Levels.find level ranges in
       X.Cut (level, z, tree nest (Levels.add level (lo, z) ranges) [a], tree nest (Levels.add level (z, hi) ranges) rest))

(* The loop over the level, and those in it that are one in another. *)
let rec nest_of level = function
  | X.FFor (_, v, _, b) when Z.leq level v -> v :: nest_of level b
  | X.FFor (_, _, _, b) | X.FBlock (_, _, b) -> nest_of level b
  | X.FIf (_, a, b) | X.FSeq (a, b) -> (match nest_of level a with [] -> nest_of level b | l -> l)
  | X.FSkip | X.FSet _ | X.FStop -> []

let rec ranges_of found = function
  | X.FFor (_, v, n, b) -> ranges_of (Levels.add v (Z.zero, (Obj.obj n : Z.t)) found) b
  | X.FSeq (a, b) | X.FIf (_, a, b) -> ranges_of (ranges_of found a) b
  | X.FBlock (_, _, b) -> ranges_of found b
  | X.FSkip | X.FSet _ | X.FStop -> found

(* For the outermost loop of each nest. *)
let hints plain shapes =
  let ranges = ranges_of Levels.empty plain in
  let rec add found = function
    | Loop (_, _, _, l) -> List.fold_left add found l
    | Other -> found
    | Together l as x ->
      let levels = List.concat_map (fun y -> List.map (fun (level, _, _) -> level) (chain y)) l in
      (match levels with
       | [] -> found
       | first :: l ->
         let level = List.fold_left Z.min first l in
         Levels.add level (tree (nest_of level plain) ranges [x]) found) in
  List.fold_left add Levels.empty shapes

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
    let compare c (m, shapes) =
      let found = hints c shapes in
      let told level = Option.value (Levels.find_opt level found) ~default:X.Leaf in
      if X.statements_words words told c m then Equal else Different in
    Result.bind (within rest c) (fun c -> Result.map (compare c) (within block m))
