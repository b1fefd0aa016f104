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

(* Merged statements; and of what they are, for hints: loops over parts of plain ones, what runs at the same time. Bounds are over
   plain loops' variables. *)
type part = { level : Z.t; lo : Z.t; hi : Z.t; low : X.cindex list; high : X.cindex list }

type shape =
  | Loop of part * shape list
  | Together of shape list
  | Around of shape list
  | Other

let rec over plain k =
  let go = over plain in
  match k with
  | X.KVar v -> X.KVar (Option.value (Hashtbl.find_opt plain v) ~default:v)
  | X.KCst _ | X.KSize _ -> k
  | X.KAdd (a, b) -> X.KAdd (go a, go b)
  | X.KSub (a, b) -> X.KSub (go a, go b)
  | X.KMul (a, b) -> X.KMul (go a, go b)
  | X.KDiv (a, b) | X.KQuot (a, b) -> X.KDiv (go a, go b)
  | X.KMod (a, b) | X.KRem (a, b) -> X.KMod (go a, go b)

let rec merged levels i =
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
    let b, shapes = block levels i in
    ([X.MBlock (r, cells n, b)], Around shapes)
  | "for" | "par" | "simd" ->
    let v = number i in
    let level = integer i in
    let lo = integer i in
    let hi = integer i in
    let low = list i index in
    let high = list i index in
    Hashtbl.replace levels v level;
    let b, shapes = block levels i in
    let part = { level; lo; hi; low = List.map (over levels) low; high = List.map (over levels) high } in
    ([X.MFor (v, lo, hi, low, high, b)], Loop (part, shapes))
  | "if" ->
    let c = conditions i in
    let a, shapes = (Read.opening i; block levels i) in
    let b, shapes' = (Read.opening i; block levels i) in
    Read.closing i;
    ([X.MIf (c, a, b)], Around (shapes @ shapes'))
  | "together" -> let b, shapes = block levels i in (b, Together shapes)
  | _ -> Read.fail i "a merged statement"

and block levels i =
  let l = Read.until_closed i (merged levels) in
  (List.concat_map fst l, List.map snd l)

(* {1 Where loops are cut}

   Hints: whatever they are, what is accepted is right. *)

module Levels = Map.Make (Z)

(* A part's loops that are one in another, the outermost first; of parts, the hull of what they have in common. *)
let rec chain = function
  | Loop (p, [b]) -> p :: chain b
  | Loop (p, _) -> [p]
  | Together (first :: l) -> List.fold_left (fun c x -> common c (chain x)) (chain first) l
  | Together [] | Around _ | Other -> []

and common a b =
  match a, b with
  | p :: a, q :: b when Z.equal p.level q.level ->
    let both l l' = List.filter (fun k -> List.mem k l') l in
    let hull = { p with lo = Z.min p.lo q.lo; hi = Z.max p.hi q.hi; low = both p.low q.low; high = both p.high q.high } in
    hull :: (if p = q then common a b else [])
  | _ -> []

let find level chain = List.find_opt (fun p -> Z.equal p.level level) chain

(* Where the loop over the level comes to between these parts, which are [inside] of what is cut; parts without it are iterations. *)
let between level (lo, hi) left right =
  let parts l = List.filter_map (find level) l in
  match parts left, parts right with
  | [], [] -> None
  | l, r ->
    let z =
      match find level (List.nth left (List.length left - 1)), find level (List.hd right) with
      | Some _, _ -> List.fold_left (fun z p -> Z.max z p.hi) lo l
      | None, Some p -> p.lo
      | None, None -> lo in
    let all_high k = List.for_all (fun p -> List.mem k p.high) l and all_low k = List.for_all (fun p -> List.mem k p.low) r in
    if Z.lt lo z && Z.lt z hi && List.for_all (fun p -> Z.leq p.hi z) l && List.for_all (fun p -> Z.leq z p.lo) r then Some (X.KCst z)
    else match l with p :: _ when r <> [] -> List.find_opt (fun k -> all_high k && all_low k) p.high | _ -> None

let rec split_at n l = match l with x :: l when n > 0 -> let a, b = split_at (n - 1) l in (x :: a, b) | _ -> ([], l)

let first_of n f =
  let rec go i = if i >= n then None else match f i with None -> go (i + 1) | found -> found in
  go 1

(* [around]: of each plain loop, those around it; [nest]: the plain loops that parts are of; [bound]: those that merged loops around
   are over; [ranges]: of plain loops, in what is cut. *)
let rec tree around nest bound ranges parts =
  match parts with
  | [] -> X.Leaf
  | [Together l] -> tree around nest bound ranges l
  | [x] -> inner around nest bound ranges x
  | _ ->
    let chains = List.map chain parts in
    let at i =
      let left, right = split_at i chains in
      List.find_map
        (fun level ->
          Option.bind (Levels.find_opt level ranges) (fun range -> Option.map (fun k -> (i, level, k)) (between level range left right)))
        nest in
    let one () =
      let gone level = find level (List.hd chains) = None in
      match List.find_opt (fun level -> gone level && let lo, hi = Levels.find level ranges in Z.lt (Z.succ lo) hi) nest with
      | Some level -> Some (1, level, X.KCst (Z.succ (fst (Levels.find level ranges))))
      | None -> None in
    (match (match first_of (List.length parts) at with None -> one () | found -> found) with
     | None -> X.Leaf
     | Some (i, level, k) ->
       let left, right = split_at i parts and lo, hi = Levels.find level ranges in
       let a, b = match k with X.KCst z -> ((lo, z), (z, hi)) | _ -> ((lo, hi), (lo, hi)) in
       X.Cut (level, k, tree around nest bound (Levels.add level a ranges) left, tree around nest bound (Levels.add level b ranges) right))

(* In a part. *)
and inner around nest bound ranges = function
  | Loop (p, [x]) when List.mem p.level nest -> inner around nest (p.level :: bound) ranges x
  | Loop (p, l) -> rows around (p.level :: bound) ranges l
  | Around l -> rows around bound ranges l
  | Together _ as x -> rows around bound ranges [x]
  | Other -> X.Leaf

(* Statements one after the other: each run of loops over one level, each parallel block, and what is in the others. *)
and rows around bound ranges = function
  | [] -> X.Leaf
  | Together l :: rest -> at around bound ranges l (rows around bound ranges rest)
  | Loop (p, _) :: _ as l ->
    let rec run acc = function
      | (Loop (q, _) as x) :: rest when Z.equal q.level p.level -> run (x :: acc) rest
      | rest -> (List.rev acc, rest) in
    let parts, rest = run [] l in
    let bounds = List.exists (function Loop (q, _) -> q.low <> [] || q.high <> [] | _ -> false) parts in
    (match parts with
     | _ :: _ :: _ when bounds -> at around bound ranges parts (rows around bound ranges rest)
     | _ -> List.fold_right (fun x t -> let u = inner around [] bound ranges x in join u t) parts (rows around bound ranges rest))
  | x :: rest -> join (inner around [] bound ranges x) (rows around bound ranges rest)

(* One after the other. *)
and join t u = match t with X.At (l, x, t) -> X.At (l, x, join t u) | X.Leaf -> u | X.Cut _ -> t

(* At the outermost loop of the parts, or at one around that, of which they are single iterations. *)
and at around bound ranges parts rest =
  match List.concat_map (fun x -> List.map (fun p -> p.level) (chain x)) parts with
  | [] -> rest
  | first :: l ->
    let least = List.fold_left Z.min first l in
    let single level =
      not (List.mem level bound) &&
      match Levels.find_opt level ranges with Some (lo, hi) -> Z.lt (Z.succ lo) hi | None -> false in
    let level = Option.value (List.find_opt single (Option.value (Levels.find_opt least around) ~default:[])) ~default:least in
    let nest = List.filter (fun v -> Z.leq level v) (List.map fst (Levels.bindings ranges)) in
    (match tree around nest bound ranges parts with X.Leaf -> rest | t -> X.At (level, t, rest))

(* Of each loop, those around it, the outermost first. *)
let around_of c =
  let rec go outer found = function
    | X.FFor (_, v, _, b) -> go (v :: outer) (Levels.add v (List.rev outer) found) b
    | X.FSeq (a, b) | X.FIf (_, a, b) -> go outer (go outer found a) b
    | X.FBlock (_, _, b) -> go outer found b
    | X.FSkip | X.FSet _ | X.FStop -> found in
  go [] Levels.empty c

let rec ranges_of found = function
  | X.FFor (_, v, n, b) -> ranges_of (Levels.add v (Z.zero, (Obj.obj n : Z.t)) found) b
  | X.FSeq (a, b) | X.FIf (_, a, b) -> ranges_of (ranges_of found a) b
  | X.FBlock (_, _, b) -> ranges_of found b
  | X.FSkip | X.FSet _ | X.FStop -> found

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
      let told = rows (around_of c) [] (ranges_of Levels.empty c) shapes in
      if X.statements_words words told c m then Equal else Different in
    Result.bind (within rest c) (fun c -> Result.map (compare c) (within (block (Hashtbl.create 16)) m))
