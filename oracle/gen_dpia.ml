open Rng
open Printf

let between g lo hi = lo + below g (hi - lo + 1)
let chance g n = below g n = 0
let one_of g l = List.nth l (below g (List.length l))

(* {1 Sizes: sums of products of variables, in normal form} *)

module Monomials = Map.Make (struct type t = string list let compare = compare end)

type size = int Monomials.t

let constant k = if k = 0 then Monomials.empty else Monomials.singleton [] k
let variable v = Monomials.singleton [ v ] 1
let add a b = Monomials.union (fun _ x y -> Some (x + y)) a b

let mul a b =
  Monomials.fold (fun m x acc -> Monomials.fold (fun n y acc -> add acc (Monomials.singleton (List.sort compare (m @ n)) (x * y))) b acc) a Monomials.empty

let number s = match Monomials.bindings s with [] -> Some 0 | [ ([], k) ] -> Some k | _ -> None
let equal = Monomials.equal Int.equal

(* s / v, if v divides every term. *)
let quotient s v =
  let without m =
    let rec go = function [] -> None | w :: l -> if w = v then Some l else Option.map (fun l -> w :: l) (go l) in
    go m in
  Monomials.fold (fun m k acc ->
      match acc, without m with Some a, Some n -> Some (Monomials.add n k a) | _ -> None) s (Some Monomials.empty)

let size_text s =
  match number s, Monomials.bindings s with
  | Some k, _ -> string_of_int k
  | None, [ ([ v ], 1) ] -> v
  | None, l -> sprintf "(+ %s)" (String.concat " " (List.map (fun (m, k) -> sprintf "(%s)" (String.concat " " (string_of_int k :: m))) l))

let value_of values s =
  Monomials.fold (fun m k sum -> sum + List.fold_left (fun p v -> p * List.assoc v values) k m) s 0

(* {1 Types} *)

type ty = Num | Ary of size * ty | Pair of ty * ty

let rec same a b =
  match a, b with
  | Num, Num -> true
  | Ary (n, t), Ary (m, u) -> equal n m && same t u
  | Pair (a, b), Pair (c, d) -> same a c && same b d
  | _ -> false

let rec type_text = function
  | Num -> "num"
  | Ary (n, t) -> sprintf "(ary %s %s)" (size_text n) (type_text t)
  | Pair (a, b) -> sprintf "(pair %s %s)" (type_text a) (type_text b)

let rec cells values = function
  | Num -> 1
  | Ary (n, t) -> value_of values n * cells values t
  | Pair (a, b) -> cells values a + cells values b

(* {1 Programs that grow} *)

(* [names]: size variables so far; [next]: the number of a new variable; [budget]: expressions that may still be drawn. *)
type grow = { g : Rng.t; scalar : string; symbolic : bool; running : bool; mutable names : string list; mutable next : int; mutable budget : int }
type scope = { vars : (int * ty) list; indices : (int * size) list }

let real w = w.scalar = "f32" || w.scalar = "f64"
let fresh w = w.next <- w.next + 1; w.next - 1
let with_var s x t = { s with vars = (x, t) :: s.vars }
let with_index s i n = { s with indices = (i, n) :: s.indices }

let size w most =
  let g = w.g in
  let some () =
    let v = one_of g [ "n"; "m"; "k" ] in
    if not (List.mem v w.names) then w.names <- w.names @ [ v ];
    variable v in
  if not w.symbolic then constant (between g 1 most)
  else
    match below g 8 with
    | 0 -> constant (below g most)
    | 1 -> let a = some () in mul a (some ())
    | 2 -> add (some ()) (constant 1)
    | _ -> some ()

let rec ty w depth =
  match if depth <= 0 then 0 else below w.g 6 with
  | 0 | 1 -> Num
  | 2 -> let a = ty w (depth - 1) in Pair (a, ty w (depth - 1))
  | _ -> let a = ty w (depth - 1) in Ary (size w 5, a)

(* An index below n, if one is known: with size variables only a variable of that extent. *)
let index w s n =
  let g = w.g in
  let var (i, _) = sprintf "(var %d)" i in
  match number n with
  | Some k when not w.symbolic ->
    if s.indices <> [] && not (chance g 3) then
      let v = var (one_of g s.indices) in
      let v =
        match below g 6 with
        | 0 -> sprintf "(+ %s %d)" v (below g 3)
        | 1 -> sprintf "(- %s %d)" v (below g 4 - 1)
        | 2 -> sprintf "(* %s %d)" v (below g 5 - 2)
        | 3 -> sprintf "(// %s %d)" v (between g 1 3)
        | _ -> v in
      Some (sprintf "(%% %s %d)" v k)
    else Some (string_of_int (below g k))
  | _ ->
    match List.filter (fun (_, e) -> equal e n) s.indices with
    | [] -> None
    | l -> Some (var (one_of g l))

let literal w =
  let g = w.g in
  let wide = below g 8 = 7 in
  if real w then
    let x = if wide then one_of g [ 0.1; -0.0; 1e300; -1e-40; infinity; Float.nan; 1e6; 12345678.0 ] else float_of_int (below g 5) -. 1.5 in
    sprintf "(lit %s)" (Text.value_to_string (Shim.Float (Int64.bits_of_float x)))
  else sprintf "(lit %d)" (if wide then one_of g [ -2147483648; 1000003 ] else below g 5 - 2)

let policy w = if chance w.g 2 then "par" else "seq"
let gen w n elem x f = sprintf "(gen %s %s %s %d %s)" (policy w) (size_text n) (type_text elem) x f

let rec leaf w s t =
  let g = w.g in
  let plain () =
    match t with
    | Num -> literal w
    | Pair (a, b) -> let x = leaf w s a in sprintf "(pair %s %s)" x (leaf w s b)
    | Ary (n, elem) ->
      let x = fresh w in
      gen w n elem x (leaf w (with_index s x n) elem) in
  if t = Num && chance g 4 then literal w
  else
    match List.filter (fun (_, u) -> same t u) s.vars with
    | _ :: _ as l -> sprintf "(var %d)" (fst (one_of g l))
    | [] ->
      let elements = List.filter_map (fun (x, u) -> match u with Ary (n, e) when same e t -> Option.map (fun i -> (x, i)) (index w s n) | _ -> None) s.vars in
      match elements with
      | [] -> plain ()
      | l -> let x, i = one_of g l in sprintf "(idx (var %d) %s)" x i

let comparison g = one_of g [ "<"; "<="; ">"; ">="; "=="; "!=" ]

let functions w =
  [ "+"; "-"; "*"; "max"; "min"; "/"; "less"; "equal"; "when"; "orelse"; "neg"; "abs" ]
  @ (if real w then "sqrt" :: "round" :: (if w.running then [] else [ "exp"; "log"; "tanh"; "erf"; "pow" ]) else [ "%" ])

let unary = [ "neg"; "abs"; "sqrt"; "round"; "exp"; "log"; "tanh"; "erf" ]

let rec expression w s t depth =
  let g = w.g in
  w.budget <- w.budget - 1;
  let part t = expression w s t (depth - 1) in
  if depth <= 0 || w.budget <= 0 then leaf w s t
  else
    match below g 10 with
    | 0 ->
      let d = ty w 2 in
      let e = part d in
      let x = fresh w in
      sprintf "(let %s %d %s %s)" (type_text d) x e (expression w (with_var s x d) t (depth - 1))
    | 1 -> choice w s t depth
    | 2 | 3 -> reduction w s t depth
    | 4 ->
      let a = ty w 1 in
      if chance g 2 then sprintf "(fst %s)" (part (Pair (t, a))) else sprintf "(snd %s)" (part (Pair (a, t)))
    | 5 ->
      let n = size w 3 in
      (match index w s n with
       | Some i -> sprintf "(idx %s %s)" (part (Ary (n, t))) i
       | None -> of_type w s t depth)
    | _ -> of_type w s t depth

and of_type w s t depth =
  let part t = expression w s t (depth - 1) in
  match t with
  | Num ->
    let f = one_of w.g (functions w) in
    let a = part Num in
    if List.mem f unary then sprintf "(call %s %s)" f a else sprintf "(call %s %s %s)" f a (part Num)
  | Pair (a, b) -> let x = part a in sprintf "(pair %s %s)" x (part b)
  | Ary (n, elem) -> if chance w.g 2 then loop w s n elem depth else view w s n elem depth

and choice w s t depth =
  let g = w.g in
  let sides () =
    match s.indices with
    | [] when w.symbolic -> (sprintf "(size %s)" (size_text (size w 3)), string_of_int (below g 4))
    | l when w.symbolic ->
      let var () = sprintf "(var %d)" (fst (one_of g l)) in
      let a = var () in
      (a, if chance g 2 then var () else string_of_int (below g 4 - 1))
    | _ ->
      let below n = Option.get (index w s (constant n)) in
      let a = below 5 in
      (a, below 4) in
  let cond _ = let op = comparison g in let a, b = sides () in sprintf "(%s %s %s)" op a b in
  let conds = several g 1 2 cond in
  let a = expression w s t (depth - 1) in
  sprintf "(if (%s) %s %s %s)" (String.concat " " conds) (type_text t) a (expression w s t (depth - 1))

and reduction w s t depth =
  let g = w.g in
  let init = expression w s t (depth - 1) in
  let n = size w 4 in
  if chance g 2 then begin
    let elem = if chance g 2 then t else ty w 1 in
    let e = expression w s (Ary (n, elem)) (depth - 1) in
    let x = fresh w in
    let acc = fresh w in
    let f = expression w (with_var (with_var s x elem) acc t) t (depth - 1) in
    sprintf "(red %s %s %d %d %s %s %s)" (size_text n) (type_text t) x acc f init e
  end
  else begin
    let x = fresh w in
    let acc = fresh w in
    let f = expression w (with_var (with_index s x n) acc t) t (depth - 1) in
    sprintf "(fold %s %s %d %d %s %s)" (size_text n) (type_text t) x acc f init
  end

and loop w s n elem depth =
  let g = w.g in
  if chance g 2 then begin
    let from = if chance g 2 then elem else ty w 2 in
    let e = expression w s (Ary (n, from)) (depth - 1) in
    let x = fresh w in
    let f = expression w (with_var s x from) elem (depth - 1) in
    sprintf "(map %s %s %s %d %s %s)" (policy w) (size_text n) (type_text elem) x f e
  end
  else
    let x = fresh w in
    gen w n elem x (expression w (with_index s x n) elem (depth - 1))

(* Views of arrays, where the type allows one. *)
and view w s n elem depth =
  let g = w.g in
  let part t = expression w s t (depth - 1) in
  let joined inner outer =
    sprintf "(join %s %s %s)" (size_text inner) (size_text outer) (part (Ary (outer, Ary (inner, elem)))) in
  match below g 4, elem with
  | 0, _ -> sprintf "(rev %s %s)" (size_text n) (part (Ary (n, elem)))
  | 1, Pair (a, b) ->
    let x = part (Ary (n, a)) in
    sprintf "(zip %s %s %s %s %s)" (size_text n) (type_text a) (type_text b) x (part (Ary (n, b)))
  | 2, Ary (m, e) ->
    if chance g 2 && Monomials.cardinal m = 1 then sprintf "(split %s %s %s)" (size_text m) (size_text n) (part (Ary (mul n m, e)))
    else sprintf "(tr %s %s %s)" (size_text m) (size_text n) (part (Ary (m, Ary (n, e))))
  | 3, _ ->
    let by_name = List.filter_map (fun v -> Option.map (fun q -> (variable v, q)) (quotient n v)) w.names in
    let by_number =
      match number n with
      | Some k when k > 0 -> List.filter_map (fun d -> if k mod d = 0 then Some (constant d, constant (k / d)) else None) (List.init (max 0 (k - 1)) (fun d -> d + 2))
      | _ -> [] in
    (match (if n = Monomials.empty then [] else by_name @ by_number) with
     | [] -> loop w s n elem depth
     | l -> let inner, outer = one_of g l in joined inner outer)
  | _ -> loop w s n elem depth

(* {1 Programs} *)

let program w =
  let g = w.g in
  let known k most = if w.symbolic then size w most else constant k in
  let row = Ary (known 4 4, Num) in
  let params = ref [] and sets = ref [] and scope = ref { vars = []; indices = [] } in
  let param role name t =
    let x = fresh w in
    params := !params @ [ (role, name, x, t) ];
    scope := with_var !scope x t;
    (List.length !params - 1, x) in
  let set how k e = sets := !sets @ [ sprintf "(%s %d %s)" how k e ] in
  List.iter (fun (name, t) -> ignore (param "in" name t))
    [ ("A", row); ("B", Ary (known 3 3, row)); ("C", Ary (constant 2, Pair (Num, row))); ("D", Num) ];
  (* what is assigned is in scope behind its assignment only *)
  let assigned role name t depth =
    let before = !scope in
    let e = expression w before t depth in
    let k, x = param role name t in
    set "set" k e;
    (k, x) in
  if chance g 5 then ignore (assigned "temp" "mid" (ty w 2) 2);
  let t = ty w (between g 1 3) in
  let k, x = assigned "out" "out" t (one_of g [ 3; 3; 4; 5 ]) in
  if chance g 3 then begin
    ignore (assigned "out" "more" (ty w 2) 3);
    (* the first again, perhaps from itself through a buffer *)
    let e = expression w !scope t 2 in
    let reads = List.exists (fun p -> p = sprintf "var %d" x) (List.concat_map (String.split_on_char ')') (String.split_on_char '(' e)) in
    set (if reads || chance g 2 then "copy" else "set") k e
  end;
  let one (role, name, x, t) = sprintf "(%s %s %d %s)" role name x (type_text t) in
  ( !params,
    sprintf "(program %s (%s) %s)" w.scalar (String.concat " " w.names) (String.concat " " (List.map one !params @ !sets)) )

(* {1 Requests} *)

(* Small numbers mostly, now and then any bits. *)
let scalar_value w =
  let g = w.g in
  let x = if chance g 30 then (if chance g 2 then 0.0 else -0.0) else float_of_int (below g 2000001 - 1000000) /. 250007.0 in
  let any = bits64 g in
  match w.scalar with
  | "i64" -> Int64.to_string (if chance g 20 then any else Int64.of_int (below g 41 - 20))
  | "i32" -> Int32.to_string (if chance g 20 then Int64.to_int32 any else Int32.of_int (below g 41 - 20))
  | "f64" -> sprintf "%016Lx" (if chance g 40 then any else Int64.bits_of_float x)
  | _ -> sprintf "%08lx" (if chance g 40 then Int64.to_int32 any else Int32.bits_of_float x)

let most_cells = 300

let rec request g k =
  let running = k mod 16 = 15 in
  let w =
    { g; scalar = one_of g [ "f32"; "f64"; "i32"; "i64" ]; symbolic = chance g 2; running; names = []; next = 0;
      budget = (if running then 30 else 50) } in
  let params, text = program w in
  if not running then sprintf "(translate %s)" text
  else
    let values = List.map (fun v -> (v, if chance g 8 then 0 else between g 1 4)) w.names in
    let inputs = List.filter (fun (role, _, _, _) -> role = "in") params in
    if List.exists (fun (_, _, _, t) -> cells values t > most_cells) params then request g k
    else
      let input (_, _, _, t) = sprintf "(values%s)" (String.concat "" (List.init (cells values t) (fun _ -> " " ^ scalar_value w))) in
      sprintf "(run (sizes%s) %d %s %s)"
        (String.concat "" (List.map (fun (_, n) -> sprintf " %d" n) values))
        (List.length inputs) (String.concat " " (List.map input inputs)) text

(* {1 Labels} *)

let with_second = [ "call"; "map"; "gen"; "program" ]

let labels_of request =
  let word t =
    match String.split_on_char ' ' (List.hd (String.split_on_char ')' t)) with
    | a :: b :: _ when List.mem a with_second -> [ a ^ " " ^ b ]
    | a :: _ when a <> "" && not (a.[0] >= '0' && a.[0] <= '9') -> [ a ]
    | _ -> [] in
  List.sort_uniq compare (List.concat_map word (String.split_on_char '(' request))

let labels =
  [ "translate"; "run"; "program f32"; "program f64"; "program i32"; "program i64"; "in"; "out"; "temp"; "set"; "copy"; "ary"; "pair";
    "var"; "lit"; "map par"; "map seq"; "gen par"; "gen seq"; "red"; "fold"; "zip"; "split"; "join"; "tr"; "idx"; "fst"; "snd"; "rev"; "if"; "let";
    "size"; "+"; "-"; "*"; "//"; "%"; "<"; "<="; ">"; ">="; "=="; "!=" ]
  @ List.map (( ^ ) "call ")
      [ "+"; "-"; "*"; "/"; "%"; "max"; "min"; "less"; "equal"; "when"; "orelse"; "neg"; "abs"; "sqrt"; "round"; "exp"; "log"; "tanh"; "erf"; "pow" ]
