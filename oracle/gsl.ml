open Shim_gsl
open Read

(* {1 Graphs} *)

let word i expected =
  let w = atom i in
  if w <> expected then fail i ("'" ^ expected ^ "'")

let parenthesised i f =
  opening i;
  let x = f i in
  closing i;
  x

let name_or_dash i =
  if next i = '"' then Some (quoted i)
  else begin
    word i "-";
    None
  end

let typ i =
  opening i;
  let dtype = match atom i with "?" -> None | "" -> fail i "an element type" | s -> Some s in
  let dim i =
    let w = atom i in
    if w = "?" then None
    else match Int64.of_string_opt w with Some d -> Some d | None -> fail i "a dimension" in
  match until_closed i dim with
  | [None] -> (dtype, None)
  | l ->
    let dims = List.map (function Some d -> d | None -> fail i "a dimension") l in
    (dtype, Some dims)

let node_or_dash i =
  match atom i with
  | "-" -> None
  | w ->
    match int_of_string_opt w with
    | Some k when k >= 0 -> Some k
    | _ -> fail i "a node number"

let attribute i =
  parenthesised i (fun i ->
    let l = label i in
    (l, value i))

let kind i =
  parenthesised i (fun i ->
    match atom i with
    | "input" -> (Input, [], [])
    | "const" -> (Const (if next i = ')' then None else Some (value i)), [], [])
    | "op" ->
      let name = atom i in
      opening i;
      let ins = until_closed i node_or_dash in
      opening i;
      let attrs = until_closed i attribute in
      (Op name, ins, attrs)
    | "proj" ->
      let e = number i in
      (Proj (Int64.of_int (number i)), [Some e], [])
    | "tuple" ->
      let rec rest () = if next i = ')' then [] else let e = node_or_dash i in e :: rest () in
      (Tuple, rest (), [])
    | _ -> fail i "'input', 'const', 'op', 'proj' or 'tuple'")

(* After "(". *)
let node i at =
  if number i <> at then fail i (Printf.sprintf "node %d" at);
  let name = name_or_dash i in
  let dtype, dims = typ i in
  let kind, ins, attrs = kind i in
  closing i;
  { name; dtype; dims; kind; ins; attrs }

let output i =
  parenthesised i (fun i ->
    let s = quoted i in
    (s, number i))

let graph_at i =
  opening i;
  word i "graph";
  let title = name_or_dash i in
  let rec nodes at acc =
    opening i;
    if next i = 'o' then begin
      word i "outputs";
      let outputs = until_closed i output in
      closing i;
      let nodes = List.rev acc in
      if List.exists (fun (_, e) -> e >= at) outputs then fail i "outputs among the nodes";
      let g = { title; nodes; outputs } in
      if not (graph_ok g) then fail i "inputs before their users";
      g
    end else nodes (at + 1) (node i at :: acc) in
  nodes 0 []

let graph s = parse s graph_at

type numbers = { own : bool; lanes : bool; fma : bool }

(* (math calque), then (sums lanes), then (fma). *)
let numbers_at i =
  let rec go n =
    if next i <> '(' then n
    else begin
      opening i;
      match Read.atom i with
      | "math" when not (n.own || n.lanes || n.fma) -> word i "calque"; closing i; go { n with own = true }
      | "sums" when not (n.lanes || n.fma) -> word i "lanes"; closing i; go { n with lanes = true }
      | "fma" when not n.fma -> closing i; go { n with fma = true }
      | _ -> fail i "math calque, sums lanes or fma"
    end in
  go { own = false; lanes = false; fma = false }

let graph_with_data cells i =
  let g = graph_at i in
  let nodes = Array.of_list g.nodes in
  let data = Hashtbl.create 16 in
  if next i = '(' then begin
    opening i;
    word i "data";
    let one i =
      opening i;
      let k = Read.number i in
      if k >= Array.length nodes then fail i "a node of the graph";
      Option.iter (Hashtbl.replace data k) (cells i nodes.(k)) in
    ignore (until_closed i one)
  end;
  (g, nodes, data, numbers_at i)

(* {1 Rules} *)

type part =
  | Kid of int
  | Names of string
  | Equals of Shim.expr
  | Want of string * Shim.expr
  | Shared
  | Template
  | First of int
  | Least of int
  | Index of int
  | Comment

let part i =
  match next i with
  | '(' ->
    parenthesised i (fun i ->
      let l = label i in
      Want (l, expr i))
  | '0' .. '9' -> Kid (number i)
  | _ ->
    match atom i with
    | "=" -> Equals (expr i)
    | "shared" -> Shared
    | "template" -> Template
    | "first" -> First (number i)
    | "least" -> Least (number i)
    | "index" -> Index (number i)
    | ";" -> ignore (atom i); Comment
    | "" -> fail i "a part of a pattern"
    | w -> Names w

let head i =
  if next i = '(' then
    parenthesised i (fun i -> word i "op"; `Like (number i))
  else
    match atom i with
    | "absent" -> word i "input"; `Word "absent"
    | w -> `Word w

let form i head kids names value least index =
  match head, kids, value with
  | `Like p, _, None -> Call_like (p, kids)
  | `Word "wildcard", [], None -> Wildcard
  | `Word "variable", [], None -> Variable
  | `Word "constant", [], _ -> Constant value
  | `Word "tuple", _, None -> Tuple_of kids
  | `Word "projection", [p], _ -> Projection (p, value)
  | `Word "optional", [p], _ -> Optional (p, value)
  | `Word "absent", [], None -> Absent
  | `Word "alt", _ :: _, None -> Alt kids
  | `Word "operator", [], None -> Operator names
  | `Word "variadic", [field], _ -> Variadic { field; least; length = value; index }
  | `Word "inst", [p], Some a -> Instance (p, a)
  | `Word "cond", [p; q], Some c -> Choose (c, p, q)
  | `Word "match", p :: kids, None -> By_alternative (p, kids)
  | `Word ("wildcard" | "variable" | "constant" | "projection" | "optional" | "absent" | "alt"
          | "operator" | "variadic" | "inst" | "cond" | "match"), _, _ ->
    fail i "the parts of this form"
  | `Word w, _, None when w <> "" && w.[0] >= 'A' && w.[0] <= 'Z' -> Call (w, kids)
  | _ -> fail i "a pattern"

(* After "(ID". *)
let pattern i =
  let head = head i in
  let parts = until_closed i part in
  let all f = List.filter_map f parts in
  let one f = match all f with x :: _ -> Some x | [] -> None in
  let kids = all (function Kid k -> Some k | _ -> None) in
  let names = all (function Names s -> Some s | _ -> None) in
  if names <> [] && head <> `Word "operator" then fail i "no operator names";
  let value = one (function Equals a -> Some a | _ -> None) in
  let least = Option.value ~default:0 (one (function Least k -> Some k | _ -> None)) in
  let index = one (function Index k -> Some k | _ -> None) in
  { form = form i head kids names value least index;
    wants = all (function Want (l, a) -> Some (l, a) | _ -> None);
    shared = List.mem Shared parts;
    template = List.mem Template parts;
    first = one (function First f -> Some f | _ -> None) }

let rule i =
  opening i;
  word i "rule";
  let name = atom i in
  let _class = atom i in
  let rec go at patterns conditions source target =
    if next i = ')' then begin
      closing i;
      { rule = name; patterns = List.rev patterns; conditions = List.rev conditions; source; target }
    end else begin
      opening i;
      match next i with
      | '0' .. '9' ->
        if number i <> at then fail i (Printf.sprintf "pattern %d" at);
        let p = pattern i in
        go (at + 1) (p :: patterns) conditions source target
      | _ ->
        match atom i with
        | "require" ->
          let a = expr i in
          closing i;
          go at patterns (a :: conditions) source target
        | "source" -> let l = until_closed i number in go at patterns conditions l target
        | "target" -> let l = until_closed i number in go at patterns conditions source l
        | _ -> fail i "a pattern, 'require', 'source' or 'target'"
    end in
  let r = go 0 [] [] [] [] in
  let n = List.length r.patterns in
  if r.source = [] || List.exists (fun p -> p >= n) (r.source @ r.target) then
    fail i "sources and targets among the patterns";
  if not (rule_ok r) then fail i "children before their parents";
  r

let rules s =
  let rec read i = if next i = '(' then let r = rule i in r :: read i else [] in
  parse s read

(* {1 Printing} *)

let name_text = function Some s -> Text.string_to_string s | None -> "-"

let node_text k n =
  let refs l =
    String.concat " " (List.map (function Some e -> string_of_int e | None -> "-") l) in
  let dims =
    match n.dims with
    | Some l -> String.concat "" (List.map (fun d -> " " ^ Int64.to_string d) l)
    | None -> " ?" in
  let form =
    match n.kind with
    | Input -> "(input)"
    | Const None -> "(const)"
    | Const (Some v) -> "(const " ^ Text.value_to_string v ^ ")"
    | Op name ->
      let attr (l, v) = "(" ^ l ^ " " ^ Text.value_to_string v ^ ")" in
      Printf.sprintf "(op %s (%s) (%s))" name (refs n.ins)
        (String.concat " " (List.map attr n.attrs))
    | Proj i -> Printf.sprintf "(proj %s %Ld)" (refs n.ins) i
    | Tuple -> Printf.sprintf "(tuple %s)" (refs n.ins) in
  Printf.sprintf "  (%d %s (%s%s) %s)\n" k (name_text n.name)
    (Option.value ~default:"?" n.dtype) dims form

let graph_to_string g =
  let output (s, e) = Printf.sprintf " (%s %d)" (Text.string_to_string s) e in
  Printf.sprintf "(graph %s\n%s  (outputs%s))\n" (name_text g.title)
    (String.concat "" (List.mapi node_text g.nodes))
    (String.concat "" (List.map output g.outputs))

let found_to_string name f =
  let address a =
    match a.instance with
    | None -> string_of_int a.pattern
    | Some k -> Printf.sprintf "%d@%d" a.pattern k in
  let node = function Some e -> string_of_int e | None -> "-" in
  let bound = List.map (fun (a, e) -> Printf.sprintf " (%s %s)" (address a) (node e)) f.bound in
  let pairs word l = List.map (fun (p, k) -> Printf.sprintf " (%s %d %d)" word p k) l in
  Printf.sprintf "(match %s (%s)%s)" name
    (String.concat " " (List.map string_of_int f.roots))
    (String.concat "" (bound @ pairs "length" f.lengths @ pairs "alt" f.taken))

let pattern_text k p =
  let refs word l = word ^ String.concat "" (List.map (fun q -> " " ^ string_of_int q) l) in
  let is a = " = " ^ Text.expr_to_string a in
  let value a = match a with Some a -> is a | None -> "" in
  let head, after =
    match p.form with
    | Wildcard -> ("wildcard", "")
    | Variable -> ("variable", "")
    | Constant a -> ("constant" ^ value a, "")
    | Call (f, l) -> (refs f l, "")
    | Call_like (o, l) -> (refs (Printf.sprintf "(op %d)" o) l, "")
    | Tuple_of l -> (refs "tuple" l, "")
    | Projection (q, a) -> (refs "projection" [ q ] ^ value a, "")
    | Optional (q, a) -> (refs "optional" [ q ] ^ value a, "")
    | Absent -> ("absent input", "")
    | Alt l -> (refs "alt" l, "")
    | Operator l -> (String.concat " " ("operator" :: l), "")
    | Variadic { field; least; length; index } ->
      (refs "variadic" [ field ] ^ value length,
       (if least > 0 then Printf.sprintf " least %d" least else "")
       ^ match index with Some s -> Printf.sprintf " index %d" s | None -> "")
    | Instance (t, a) -> (refs "inst" [ t ] ^ is a, "")
    | Choose (c, a, b) -> (refs "cond" [ a; b ] ^ is c, "")
    | By_alternative (a, l) -> (refs "match" (a :: l), "") in
  let want (l, a) = Printf.sprintf " (%s %s)" l (Text.expr_to_string a) in
  Printf.sprintf "  (%d %s%s%s%s%s%s)\n" k head
    (String.concat "" (List.map want p.wants))
    (if p.shared then " shared" else "")
    (if p.template then " template" else "")
    (match p.first with Some f -> Printf.sprintf " first %d" f | None -> "")
    after

let rule_to_string r =
  let outs l = String.concat "" (List.map (fun p -> " " ^ string_of_int p) l) in
  Printf.sprintf "(rule %s exact\n%s%s  (source%s) (target%s))\n" r.rule
    (String.concat "" (List.mapi pattern_text r.patterns))
    (String.concat "" (List.map (fun a -> "  (require " ^ Text.expr_to_string a ^ ")\n") r.conditions))
    (outs r.source) (outs r.target)
