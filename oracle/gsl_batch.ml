open Shim_gsl

type case = { name : string; graph : graph; rule : rule }

let print inlines c =
  Printf.sprintf "case %s\n%s%s--- graph\n%s--- rule\n%send\n" c.name (Gsl.graph_to_string c.graph)
    (Gsl.rule_to_string c.rule) (Gsl_surface.graph c.graph) (Gsl_surface.rule inlines c.rule)

let read_from line =
  let rec skip () = match line () with Some "end" | None -> () | Some _ -> skip () in
  (* Lines up to one that begins with the word, which stays pending. *)
  let rec until stop acc =
    match line () with
    | None -> (String.concat "\n" (List.rev acc), None)
    | Some l when stop l -> (String.concat "\n" (List.rev acc), Some l)
    | Some l -> until stop (l :: acc) in
  let starts w l = String.length l >= String.length w && String.sub l 0 (String.length w) = w in
  let one head =
    if not (starts "case " head) then Error ("expected 'case', not: " ^ head)
    else begin
      let name = String.sub head 5 (String.length head - 5) in
      let g, rest = until (starts "(rule") [] in
      let r, _ = match rest with None -> ("", None) | Some l -> until (starts "---") [ l ] in
      skip ();
      match Gsl.graph g, Gsl.rules r with
      | Ok graph, Ok [ rule ] -> Ok { name; graph; rule }
      | Error e, _ -> Error (name ^ ": graph " ^ e)
      | _, Error e -> Error (name ^ ": rule " ^ e)
      | _, Ok _ -> Error (name ^ ": expected one rule")
    end in
  Seq.unfold (fun () -> Option.map (fun l -> (one l, ())) (line ())) ()

let read ic = read_from (fun () -> try Some (input_line ic) with End_of_file -> None)

(* {1 Canonical graphs} *)

let canonical g =
  let nodes = Array.of_list g.nodes in
  let place = Array.make (Array.length nodes) (-1) in
  let order = ref [] and count = ref 0 in
  let add k =
    place.(k) <- !count;
    incr count;
    order := k :: !order in
  let rec visit k =
    if place.(k) < 0 then begin
      List.iter (Option.iter visit) nodes.(k).ins;
      add k
    end in
  Array.iteri (fun k n -> if n.kind = Input then add k) nodes;
  List.iter (fun (_, k) -> visit k) g.outputs;
  let rec trim = function None :: l -> trim l | l -> l in
  let renumber k =
    let n = nodes.(k) in
    { n with name = (if n.kind = Input then n.name else None);
             ins = List.map (Option.map (fun e -> place.(e))) (List.rev (trim (List.rev n.ins))) } in
  { title = None;
    nodes = List.rev_map renumber !order;
           outputs = List.map (fun (s, k) -> (s, place.(k))) g.outputs }

(* {1 One rewrite} *)

let nth g k = List.nth g.nodes k

let same_application g a b =
  a = b ||
  let m = nth g a and n = nth g b in
  match m.kind, n.kind with
  | Op s, Op t -> s = t && m.ins = n.ins && m.attrs = n.attrs
  | _ -> false

(* The rewrite at node e, if its target has types, those of the outputs, and is not the
   source again (Coq [changes_nothing]) once defaults are written out; every node typed. *)
let rewrite_at rule g e =
  match attempt rule g e with
  | None | Some { result = None; _ } -> None
  | Some ({ result = Some (h, before); _ } as a) ->
    match Gsl_types.complete_from (List.length g.nodes) a.grown with
    | Error _ -> None
    | Ok grown ->
      let fits (o, e) =
        match e with
        | None -> false
        | Some e ->
          let old = nth grown o and fresh = nth grown e in
          not (Gsl_types.multi grown o) && not (Gsl_types.multi grown e)
          && fresh.dtype <> None && fresh.dtype = old.dtype && fresh.dims = old.dims in
      let same (o, e) = match e with Some e -> same_application grown o e | None -> false in
      let targets = List.sort_uniq compare (List.map snd a.moves) in
      let identity = List.for_all same a.moves && List.length targets = List.length a.moves in
      if not (List.for_all fits a.moves) || identity then None
      else
        match Gsl_types.complete h with
        | Ok h -> Some (h, before)
        | Error e -> raise (Shim.Internal ("a typed target, a graph without types: " ^ e))

let rec first_some f k n = if k = n then None else match f k with Some x -> Some x | None -> first_some f (k + 1) n

let rewrite at g = Option.map fst (first_some at 0 (List.length g.nodes))

(* Each node of the graph in turn, as far as it is still there: how often the rule was
   applied, and the result.  [at]: a rewrite of [g] at a node; [was]: which node of [g] each one is. *)
let pass at rule g =
  let rec turn k n count g was =
    if k = n then (count, g)
    else
      let place = first_some (fun e -> if List.nth was e = Some k then Some e else None) 0 (List.length was) in
      match Option.bind place (if count = 0 then at else rewrite_at rule g) with
      | None -> turn (k + 1) n count g was
      | Some (h, before) ->
        let was = List.map (fun o -> Option.bind o (fun e -> List.nth was e)) before in
        turn (k + 1) n (count + 1) h was in
  let n = List.length g.nodes in
  turn 0 n 0 g (List.init n Option.some)

(* With several outputs a choice depends on an order of the nodes that is not the graph's alone. *)
let one_output r =
  match r.source with
  | [ p ] -> (match (List.nth r.patterns p).form with Variadic _ -> false | _ -> true)
  | _ -> false

(* The first rewrite and the first of a pass are one. *)
let kept f =
  let known = Hashtbl.create 16 in
  fun e ->
    match Hashtbl.find_opt known e with
    | Some r -> r
    | None ->
      let r = f e in
      Hashtbl.add known e r;
      r

let answer c =
  let at = kept (rewrite_at c.rule c.graph) in
  let matches =
    String.concat "" (List.map (fun f -> Gsl.found_to_string c.rule.rule f ^ "\n") (matches c.rule c.graph)) in
  let after =
    match rewrite at c.graph with
    | Some g -> Printf.sprintf "rewritten\n%s" (Gsl.graph_to_string (canonical g))
    | None -> "not rewritten\n" in
  let all =
    if one_output c.rule then
      match pass at c.rule c.graph with
      | n, g when n > 1 -> Printf.sprintf "a pass: %d\n%s" n (Gsl.graph_to_string (canonical g))
      | _ -> ""
    else "" in
  Printf.sprintf "case %s\n%s%s%s%s%s" c.name (Gsl.graph_to_string c.graph) (Gsl.rule_to_string c.rule)
    matches after all

(* {1 Smaller pairs} *)

let drop_nth k l = List.filteri (fun i _ -> i <> k) l
let each l f = List.concat (List.mapi f l)

(* Node k gone, its users reading [instead], which is earlier. *)
let without_node g k instead =
  let to_ e = let e = if e = k then instead else e in if e > k then e - 1 else e in
  { g with
    nodes = drop_nth k g.nodes |> List.map (fun (n : node) -> { n with ins = List.map (Option.map to_) n.ins });
    outputs = List.map (fun (s, e) -> (s, to_ e)) g.outputs }

let graph_steps g =
  let used k = List.exists (fun (n : node) -> List.mem (Some k) n.ins) g.nodes
               || List.exists (fun (_, e) -> e = k) g.outputs in
  let remove k (n : node) =
    if not (used k) then [ without_node g k 0 ]
    else
      List.filter_map (Option.map (without_node g k)) (List.sort_uniq compare n.ins)
      @ (match n.kind with
         | Op _ | Proj _ ->
           [ { g with nodes = List.mapi (fun i m -> if i = k then { n with kind = Input; ins = []; attrs = [] } else m) g.nodes } ]
         | _ -> []) in
  each g.nodes remove
  @ (if List.length g.outputs > 1 then each g.outputs (fun k _ -> [ { g with outputs = drop_nth k g.outputs } ]) else [])
  |> List.filter_map (fun g -> Result.to_option (Gsl_types.complete g))

let rec rename_expr to_ a =
  let go = rename_expr to_ in
  match a with
  | Shim.Access (p, l) -> Shim.Access (to_ p, l)
  | Inst (p, a, l) -> Inst (to_ p, go a, l)
  | Alternative (p, l) -> Alternative (to_ p, List.map go l)
  | Const _ | Any | Symbol _ -> a
  | Unary (o, a) -> Unary (o, go a)
  | Reduce (o, a) -> Reduce (o, go a)
  | Binary (o, a, b) -> Binary (o, go a, go b)
  | Proj (a, b) -> Proj (go a, go b)
  | Var (s, a, b) -> Var (s, go a, go b)
  | Map (s, a, b) -> Map (s, go a, go b)
  | Tuple_of l -> Tuple_of (List.map go l)
  | Func (f, l) -> Func (f, List.map go l)
  | Cond (a, b, c) -> Cond (go a, go b, go c)

let rename_form to_ = 
  let ex = Option.map (rename_expr to_) and all = List.map to_ in
  function
  | (Wildcard | Variable | Absent | Operator _) as f -> f
  | Constant a -> Constant (ex a)
  | Call (f, l) -> Call (f, all l)
  | Call_like (p, l) -> Call_like (to_ p, all l)
  | Tuple_of l -> Tuple_of (all l)
  | Projection (p, a) -> Projection (to_ p, ex a)
  | Optional (p, a) -> Optional (to_ p, ex a)
  | Alt l -> Alt (all l)
  | Variadic v -> Variadic { v with field = to_ v.field; length = ex v.length }
  | Instance (p, a) -> Instance (to_ p, rename_expr to_ a)
  | Choose (c, p, q) -> Choose (rename_expr to_ c, to_ p, to_ q)
  | By_alternative (p, l) -> By_alternative (to_ p, all l)

let rename to_ r =
  { r with
    patterns =
      List.map
        (fun (p : pattern) ->
          { p with form = rename_form to_ p.form; first = Option.map to_ p.first;
                   wants = List.map (fun (l, a) -> (l, rename_expr to_ a)) p.wants })
        r.patterns;
    conditions = List.map (rename_expr to_) r.conditions;
    source = List.map to_ r.source;
    target = List.map to_ r.target }

let without_pattern r k instead =
  let to_ p = let p = if p = k then instead else p in if p > k then p - 1 else p in
  let r = rename to_ r in
  { r with patterns = drop_nth k r.patterns }

let set_pattern r k p = { r with patterns = List.mapi (fun i q -> if i = k then p else q) r.patterns }

let rule_steps r =
  let mentioned k =
    List.exists (fun (p : pattern) -> List.mem k (Gsl_surface.kids p.form) || p.first = Some k
                          || List.exists (fun a -> List.mem k (Gsl_surface.read a)) (Gsl_surface.exprs p)) r.patterns
    || List.mem k (r.source @ r.target)
    || List.exists (fun a -> List.mem k (Gsl_surface.read a)) r.conditions in
  let pattern_step k (p : pattern) =
    let set q = set_pattern r k q in
    (if mentioned k then List.map (without_pattern r k) (List.sort_uniq compare (Gsl_surface.kids p.form))
     else [ without_pattern r k 0 ])
    @ (match p.form with
       | Wildcard | Operator _ | Variadic _ | Absent -> []
       | _ -> [ set { p with form = Wildcard; wants = [] } ])
    @ each p.wants (fun i _ -> [ set { p with wants = drop_nth i p.wants } ])
    @ (if p.shared then [ set { p with shared = false } ] else [])
    @ (if p.first <> None then [ set { p with first = None } ] else [])
    @ (match p.form with
       | Constant (Some _) -> [ set { p with form = Constant None } ]
       | Optional (q, Some _) -> [ set { p with form = Optional (q, None) } ]
       | Variadic v when v.least > 0 -> [ set { p with form = Variadic { v with least = 0 } } ]
       | _ -> []) in
  each r.patterns pattern_step
  @ each r.conditions (fun i _ -> [ { r with conditions = drop_nth i r.conditions } ])
  @ (if List.length r.source > 1 && List.length r.target = List.length r.source then
       each r.source (fun i _ -> [ { r with source = drop_nth i r.source; target = drop_nth i r.target } ])
     else [])
  |> List.filter (fun r -> rule_ok r && Gsl_surface.rule_ok r && r.source <> [])
  |> List.map Gsl_surface.renumbered

let smaller c =
  List.map (fun graph -> { c with graph }) (graph_steps c.graph)
  @ List.map (fun rule -> { c with rule }) (rule_steps c.rule)
