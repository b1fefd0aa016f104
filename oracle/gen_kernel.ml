open Rng
open Printf

(* {1 Kernels that grow} *)

type tensor = { name : string; dims : int list }
type statement = { out : tensor; own : string list; body : string; loads : string list }

(* [vars]: those in scope, the own ones of the statement first; [weight]: how often what is drawn is evaluated; [cost]: the sum
   of these; [budget]: nodes that
   may still be drawn. *)
type grow = {
  g : Rng.t; real : bool; powers : bool; choices : bool;
  mutable tensors : tensor list; mutable inputs : int; mutable bound : int;
  mutable vars : (string * int) list; mutable own : (string * int) list; mutable weight : int; mutable budget : int;
  mutable loads : string list; mutable cost : int
}

let most_tensors = 56
let between g lo hi = lo + below g (hi - lo + 1)
let chance g n = below g n = 0
let one_of g l = List.nth l (below g (List.length l))
let commas l = String.concat "," l
let sizes dims = commas (List.map string_of_int dims)
let tensor_text t = sprintf "%s<%s>" t.name (sizes t.dims)

(* {1 Indices: their text, least and greatest value} *)

type ix = { text : string; lo : int; hi : int }

let floor_div a k = if a >= 0 then a / k else -((k - 1 - a) / k)

let rec index w depth =
  let g = w.g in
  let k = 1 + below g 5 in
  if depth = 0 || chance g 3 then
    if chance g 6 then { text = string_of_int (k - 2); lo = k - 2; hi = k - 2 }
    else
      let name, extent = one_of g w.vars in
      { text = name; lo = 0; hi = extent - 1 }
  else
    let a = index w (depth - 1) in
    match below g 6 with
    | 0 ->
      let b = index w (depth - 1) in
      { text = sprintf "(%s + %s)" a.text b.text; lo = a.lo + b.lo; hi = a.hi + b.hi }
    | 1 ->
      let b = index w (depth - 1) in
      { text = sprintf "(%s - (%s))" a.text b.text; lo = a.lo - b.hi; hi = a.hi - b.lo }
    | 2 -> { text = sprintf "(%s) * %d" a.text k; lo = a.lo * k; hi = a.hi * k }
    | 3 -> { text = sprintf "(%s) // %d" a.text k; lo = floor_div a.lo k; hi = floor_div a.hi k }
    | 4 ->
      let base = floor_div a.lo k in
      let same = base = floor_div a.hi k in
      { text = sprintf "(%s) %% %d" a.text k; lo = (if same then a.lo - (base * k) else 0); hi = (if same then a.hi - (base * k) else k - 1) }
    | _ -> { text = sprintf "%s - %d" a.text k; lo = a.lo - k; hi = a.hi - k }

(* From 0 on. *)
let small w =
  let a = index w 2 in
  let span = a.hi - a.lo in
  if span > 12 && span < 2000 && not (chance w.g 4) then { text = sprintf "(%s) %% 7" a.text; lo = 0; hi = 6 }
  else if span > 3000 then { text = sprintf "(%s) %% 5" a.text; lo = 0; hi = 4 }
  else if a.lo < 0 then { text = sprintf "%s + %d" a.text (-a.lo); lo = 0; hi = span }
  else a

(* {1 Expressions} *)

let new_tensor w dims =
  let t = { name = sprintf "X%d" w.inputs; dims } in
  w.inputs <- w.inputs + 1;
  w.tensors <- w.tensors @ [ t ];
  t

let load_of w t indices =
  w.loads <- t.name :: w.loads;
  sprintf "%s[%s]" (tensor_text t) (String.concat ", " indices)

let literal w =
  let g = w.g in
  if not w.real then string_of_int (between g (-4) 4)
  else if chance g 12 then (if chance g 2 then "-inf" else "0x1.8p-3")
  else sprintf "%d.%d" (between g (-4) 4) (below g 100)

let load w =
  let g = w.g in
  let own = List.map snd w.own in
  let results = chance g 2 in
  let mine = List.filter (fun t -> t.dims = own && (t.name.[0] = 'T' || not results)) w.tensors in
  if mine <> [] && chance g 3 then load_of w (one_of g mine) (List.map fst w.own)
  else
    let rec indices n elems = if n = 0 then [] else
      let x = small w in
      let elems = elems * (x.hi + 1) in
      if elems > 200000 then [] else x :: indices (n - 1) elems in
    match indices (between g 1 3) 1 with
    | [] -> literal w
    | l ->
      let dims = List.map (fun x -> x.hi + 1) l in
      let fits t = List.compare_lengths t.dims dims = 0 && List.for_all2 ( >= ) t.dims dims in
      match List.find_opt (fun t -> fits t && not (chance g 4)) w.tensors with
      | None when List.length w.tensors >= most_tensors -> literal w
      | found ->
        let t = match found with Some t -> t | None -> new_tensor w dims in
        load_of w t (List.map (fun x -> x.text) l)

let comparison g = one_of g [ "<"; "<="; ">"; ">="; "=="; "!=" ]

let rec expression w depth =
  let g = w.g in
  w.budget <- w.budget - 1;
  w.cost <- w.cost + w.weight;
  if depth <= 0 || w.budget <= 0 || chance g 5 then (if chance g 6 then literal w else load w)
  else
    let two () = let a = expression w (depth - 1) in let b = expression w (depth - 1) in (a, b) in
    let of_two f = let a, b = two () in sprintf "%s(%s, %s)" f a b in
    match below g 8 with
    | 0 -> select w depth
    | 1 | 2 -> if w.weight > 4000 || List.length w.vars > 13 then load w else reduction w depth
    | 3 -> of_two (one_of g (if w.choices then [ "min"; "max"; "less"; "equal"; "when"; "orelse" ] else [ "min"; "max" ]))
    | 4 when w.powers && w.real && chance g 8 ->
      if chance g 3 then of_two "pow" else sprintf "pow(%s, %s)" (expression w (depth - 1)) (one_of g [ "1"; "2"; "3"; "0.5"; "-1" ])
    | 4 ->
      let f = if chance g 3 then "-" else if w.real then one_of g [ "exp"; "sqrt"; "tanh"; "abs"; "round"; "erf"; "log" ] else "abs" in
      sprintf "%s(%s)" f (expression w (depth - 1))
    | _ ->
      let op = if w.real then one_of g [ "+"; "-"; "*"; "/" ] else one_of g (if chance g 4 then [ "//"; "%"; "+" ] else [ "+"; "-"; "*" ]) in
      let a, b = two () in
      sprintf "(%s %s %s)" a op b

(* A guarded load is of a tensor that is too small without the guard; or the guard chooses between two parts of an index. *)
and select w depth =
  let g = w.g in
  let a = index w 2 in
  if chance g 2 && a.hi - a.lo < 3000 && List.length w.tensors < most_tensors then begin
    let low = between g a.lo a.hi in
    let at t from = load_of w t [ sprintf "%s - (%d)" a.text from ] in
    if chance g 2 then
      let high = between g low a.hi in
      let x = at (new_tensor w [ high - low + 1 ]) low in
      let rest = expression w (depth - 1) in
      sprintf "select(%s >= %d && %s <= %d, %s * %s, %s)" a.text low a.text high x rest (expression w (depth - 1))
    else
      let before = at (new_tensor w [ max 1 (low - a.lo) ]) a.lo in
      sprintf "select(%s < %d, %s, %s)" a.text low before (at (new_tensor w [ a.hi - low + 1 ]) low)
  end
  else
    let b = index w 1 in
    let more = if chance g 2 then sprintf " && %s %s %d" (index w 1).text (comparison g) (below g 4) else "" in
    let x = expression w (depth - 1) in
    sprintf "select(%s %s %s%s, %s, %s)" a.text (comparison g) b.text more x (expression w (depth - 1))

and reduction w depth =
  let g = w.g in
  let vars = w.vars and weight = w.weight in
  let what = if chance g 3 then "amax" else "sum" in
  let bind _ =
    let extent = if chance g 20 then 0 else between g 1 5 and name = sprintf "r%d" w.bound in
    w.bound <- w.bound + 1;
    w.vars <- w.vars @ [ (name, max 1 extent) ];
    w.weight <- w.weight * max 1 extent;
    sprintf "%s<%d" name extent in
  let bound = several g 1 2 bind in
  let e = if w.real && (not w.powers) && what = "sum" && chance g 6 then exact w depth else expression w (depth - 1) in
  w.vars <- vars;
  w.weight <- weight;
  sprintf "%s(%s) (%s)" what (String.concat ", " bound) e

(* The term of a fused sum; not of what has a gradient. *)
and exact w depth =
  let g = w.g in
  let product () = let a = expression w (depth - 2) in let b = expression w (depth - 2) in sprintf "exact(%s, %s)" a b in
  if chance g 2 then product ()
  else
    let a = index w 1 in
    let x = product () in
    sprintf "select(%s %s %d, %s, %s)" a.text (comparison g) (below g 4) x (match below g 3 with 0 -> "-0.0" | 1 -> literal w | _ -> product ())

(* {1 Statements} *)

(* The shape of an earlier result makes loads at the own variables likely. *)
let statement w number =
  let g = w.g in
  let results = List.filter (fun t -> t.name.[0] = 'T') w.tensors in
  let dims =
    if results <> [] && not (chance g 3) then (List.nth results (List.length results - 1)).dims
    else
      let cells = ref 1 in
      several g 1 4 (fun g ->
        let large = !cells < 8 && chance g 8 in
        let d = if large then 40 + below g (if chance g 2 then 1000 else 60) else between g 1 6 in
        cells := !cells * d;
        d) in
  w.own <- List.mapi (fun i d -> (String.make 1 "ijkl".[i], d)) dims;
  w.vars <- w.own;
  w.weight <- List.fold_left ( * ) 1 dims;
  w.budget <- 25;
  w.loads <- [];
  let e = expression w 4 in
  let body = if chance g 8 then (w.loads <- "U" :: "V" :: w.loads; e ^ " + sum(u<4) (U<4>[u] * V<4>[u])") else e in
  let out = { name = sprintf "T%d" number; dims } in
  w.tensors <- w.tensors @ [ out ];
  { out; own = List.map fst w.own; body; loads = w.loads }

let statement_text (s : statement) = sprintf "%s[%s] = %s;\n" (tensor_text s.out) (commas s.own) s.body

let kernel g ~real ~powers ~choices n =
  let w = { g; real; powers; choices; tensors = []; inputs = 0; bound = 0; vars = []; own = []; weight = 1; budget = 0; loads = []; cost = 0 } in
  let l = List.init n Fun.id |> List.map (statement w) in
  (w, l)

let text head l = head ^ "\n" ^ String.concat "" (List.map statement_text l)
let last l = List.nth l (List.length l - 1)
let stored l = List.sort_uniq compare (List.map (fun s -> s.out.name) l)
let loaded l = List.sort_uniq compare (List.concat_map (fun (s : statement) -> s.loads) l)

(* Some statements store an earlier tensor of their shape: values are overwritten, in place too. *)
let stored_again w l =
  let again s =
    let t = one_of w.g w.tensors in
    if chance w.g 2 && t.dims = s.out.dims then { s with out = t } else s in
  List.map again l

let word real = if real then "real" else "integer"

(* {1 Requests} *)

(* Mostly of a tensor that is loaded. *)
let inline g real l =
  let both = List.filter (fun t -> List.mem t (loaded l)) (stored l) in
  let request t = text (sprintf "inline %s %s %s" (word real) (last l).out.name t) l in
  if chance g 8 then Some (request (one_of g (stored l))) else if both = [] then None else Some (request (one_of g both))

(* A last statement that loads a tensor, mostly at a permutation of its variables; their names may be those of reductions. *)
let consumer g t =
  let n = List.length t.dims in
  let perm = Array.init n Fun.id in
  for i = n - 1 downto 1 do
    let j = below g (i + 1) in
    let x = perm.(i) in
    perm.(i) <- perm.(j);
    perm.(j) <- x
  done;
  let first = below g 8 in
  let name i = List.nth [ "i"; "j"; "k"; "l"; "r0"; "r1"; "r2"; "p" ] ((first + i) mod 8) in
  let shorter d = if d > 1 && chance g 40 then d - 1 else d in
  let dims = List.init n (fun i -> shorter (List.nth t.dims perm.(i))) in
  let place i =
    let rec find k = if perm.(k) = i then k else find (k + 1) in
    name (if chance g 40 then 0 (* perhaps twice *) else find 0) in
  let x = sprintf "%s[%s]" (tensor_text t) (commas (List.init n place)) in
  let body =
    match below g 5 with
    | 0 -> x
    | 1 -> sprintf "%s * %s + 1" x x
    | 2 -> sprintf "select(0 < 1, %s, 2)" x
    | 3 -> sprintf "sum(z<2) (%s * 3)" x
    | _ -> sprintf "-sum(i_1<2) max(%s, %s)" x x in
  { out = { name = "R"; dims }; own = List.init n name; body; loads = [ t.name ] }

let reverse w real l =
  let g = w.g in
  let t = (one_of g l).out in
  let l = l @ [ consumer g t ] in
  let l = if chance g 8 then stored_again w l else l in
  text (sprintf "reverse %s %s %s" (word real) (last l).out.name t.name) l

(* A maximum under more sums than a tensor has dimensions. *)
let deep g =
  let sums = List.init 9 (fun k -> sprintf "r%d" k) in
  let dims = [ 2 ] and x = { name = "X0"; dims = [ 16 ] } in
  let body =
    sprintf "sum(%s) amax(p<2) %s[%s + p + i]" (commas (List.map (fun r -> r ^ "<2") sums)) (tensor_text x) (String.concat " + " sums) in
  let s = { out = { name = "T0"; dims }; own = [ "i" ]; body; loads = [ "X0" ] } in
  text (sprintf "grad real T0 X0%s" (one_of g [ ""; " u"; " v"; " s" ])) [ s ]

let gradient w real l =
  let g = w.g in
  let l = stored_again w l in
  let out = (last l).out.name in
  let outs = out :: List.filter (fun t -> t <> out && chance g 4) (stored l) in
  let used = loaded l in
  let named = List.filter (fun t -> List.mem t (stored l) || List.mem t used) (List.map (fun t -> t.name) w.tensors @ [ "U"; "V" ]) in
  let by = List.filter (fun t -> below g 8 < if List.mem t used then 5 else 1) named in
  let options = if chance g 3 then one_of g [ " u"; " v"; " s" ] else "" in
  text (sprintf "grad %s %s %s%s" (word real) (commas outs) (commas (if by = [] then [ out ] else by)) options) l

(* {1 Look-ups} *)

(* An index over variables of these extents, and the least dimension that it fits into, perhaps one more. *)
let look_index g out =
  let v = below g (List.length out) and c = below g 3 in
  let name = String.make 1 "ijk".[v] and extent = List.nth out v in
  let text, dim =
    match below g 6 with
    | 0 -> (string_of_int c, c + 1)
    | 1 -> (sprintf "%s//2+%d" name c, (extent / 2) + c + 1)
    | 2 -> (sprintf "%d-%s" (max 0 (extent - 1)) name, max 1 extent)
    | 3 -> (sprintf "(%s+%d)%%2" name c, 2)
    | _ -> (name, extent) in
  (text, dim + below g 2)

(* One to three look-ups, each of the one before or of an input, at indices that are an input or computed; their numbers are small, so
   that many are in and many outside. [None]: what is before has too few cells. *)
let look g =
  let count = between g 1 3 in
  let rec go s before acc =
    if s = count then Some (String.concat "" (List.rev acc))
    else
      let out = several g 1 3 (fun g -> if chance g 20 then 0 else between g 1 4) in
      let chained = match before with Some d when chance g 2 -> Some d | _ -> None in
      let rank = match chained with Some d -> List.length d | None -> between g 1 3 in
      let axis = below g rank and size = below g 9 in
      let place = several g 1 2 (fun g -> look_index g out) in
      let index = sprintf "%s<%s>" (List.nth [ "I"; "Ib"; "J" ] s) (sizes (List.map snd place)) in
      let at = sprintf "at(%s[%s])" index (commas (List.map fst place)) in
      let parts = List.init rank Fun.id |> List.map (fun i -> if i = axis then (at, size) else look_index g out) in
      let needs = List.map snd parts in
      let fits d = List.for_all Fun.id (List.mapi (fun i n -> i = axis || List.nth needs i <= n) d) in
      let computed =
        if chained = None && chance g 4 then
          [ sprintf "%s[%s] = K%d<%d>[i] + %d;\n" index (if List.length place = 1 then "i" else "i,j") s (snd (List.hd place)) (below g 4) ]
        else [] in
      let own = commas (List.mapi (fun i _ -> String.make 1 "ijk".[i]) out) in
      let from = match chained with Some d -> (List.nth [ "Y"; "Z"; "W" ] (s - 1), d) | None -> (List.nth [ "Xa"; "Xk"; "X_2" ] s, needs) in
      let line =
        sprintf "%s<%s>[%s] = %s<%s>[%s];\n" (List.nth [ "Y"; "Z"; "W" ] s) (sizes out) own (fst from) (sizes (snd from)) (commas (List.map fst parts)) in
      if fits (snd from) then go (s + 1) (Some out) ((line :: computed) @ acc) else None in
  go 0 None []

(* {1 By turns} *)

let most_cost = 5000

let rec request g k =
  match k mod 8 with
  | 7 -> (match look g with Some t -> "look\n" ^ t | None -> request g k)
  | 5 | 6 when chance g 40 -> deep g
  | kind ->
    let gradient_ = kind = 5 || kind = 6 in
    (* refusals of gradients are of integers *)
    let real = kind <> 3 && chance g 3 <> gradient_ in
    let w, l = kernel g ~real ~powers:gradient_ ~choices:((not gradient_) || chance g 8) (between g 1 4) in
    match kind with
    | 0 -> text (sprintf "print %s" (word real)) l
    | 3 -> if w.cost > most_cost then request g k else text "run" l
    | 4 -> reverse w real l
    | 5 | 6 -> gradient w real l
    | _ -> (match inline g real l with Some r -> r | None -> request g k)
