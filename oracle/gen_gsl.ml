open Shim_gsl
open Gen_gsl_state
open Gen_gsl_source
open Gen_gsl_target

type nonrec features = features = {
  several : bool;
  variadic : bool;
  alternatives : bool;
  operators : bool;
  conditional : bool;
  families : bool;
  loops : bool
}

let all = all
let fixed = fixed

(* {1 Pairs} *)

let multi s e = Gsl_types.multi (graph_of s []) e

(* A random order in which inputs come first; without sinks that no output can be. *)
let shuffled s =
  let keep = Array.make (Array.length s.nodes) true in
  let used k = Array.exists (fun (n : node) -> List.mem (Some k) n.ins) (Array.of_seq (Seq.filter_map (fun (i, n) -> if keep.(i) then Some n else None) (Array.to_seqi s.nodes))) in
  for k = Array.length s.nodes - 1 downto 0 do
    if multi s k && not (used k) then keep.(k) <- false
  done;
  let place = Array.make (Array.length s.nodes) (-1) in
  let rec go order count =
    let ready =
      List.filter
        (fun k -> keep.(k) && place.(k) < 0 && List.for_all (function Some e -> place.(e) >= 0 | None -> true) s.nodes.(k).ins)
        (List.init (Array.length s.nodes) Fun.id) in
    match ready with
    | [] -> List.rev order
    | l ->
      let k = if percent s 50 then List.hd l else pick s l in
      place.(k) <- count;
      go (k :: order) (count + 1) in
  let order = go [] 0 in
  let to_ e = place.(e) in
  let nodes = List.mapi (fun i k ->
      let n = s.nodes.(k) in
      { n with ins = List.map (Option.map to_) n.ins; name = Some ("n" ^ string_of_int i) }) order in
  (nodes, to_)

let finish s ~index ~(roots : int list) ~rule ~what ~exposed =
  let nodes, to_ = shuffled s in
  let exposed = List.map to_ exposed and roots = List.map to_ roots in
  let used k = List.exists (fun (n : node) -> List.mem (Some k) n.ins) nodes in
  let g = { title = None; nodes; outputs = [] } in
  let outputs =
    List.concat
      (List.mapi
         (fun k (n : node) ->
           let sink = not (used k) && n.kind <> Input && (match n.kind with Const _ -> false | _ -> true) in
           if not (Gsl_types.multi g k) && (sink || List.mem k exposed || (List.mem k roots && percent s 40))
           then [ k ] else [])
         nodes) in
  if outputs = [] then raise Discard;
  let outputs = List.mapi (fun i k -> ("y" ^ string_of_int i, k)) outputs in
  match Gsl_types.complete { g with outputs } with
  | Error _ -> raise Discard
  | Ok graph ->
    let what = match what with
      | `Planted -> String.concat " " ("planted" :: List.map string_of_int roots)
      | `Broken s -> "broken " ^ s
      | `Unplanted -> "unplanted" in
    { Gsl_batch.name = Printf.sprintf "%d %s" index what; graph; rule = Gsl_surface.renumbered rule }

let start f rng =
  let dtype = if Rng.percent rng 10 then "i64" else "f32" in
  let base = if Rng.percent rng 70 || dtype = "i64" then [ 2; 2 ] else [ 1; 2; 2; 2 ] in
  let all = if dtype = "i64" then integral else floating in
  let ops = Array.init (2 + Rng.below rng 5) (fun _ -> Rng.pick rng all) in
  { rng; f; dtype; base; ops; nodes = [||]; pats = [||]; node_of = []; makers = []; before = 0; facts = [];
    certain = true; reusable = []; operator_patterns = []; trap = None; alias = false; broken = false;
    chosen = [] }

(* One more user of an inner node of the instance, or a graph output. *)
let escape s outs =
  let inner = List.filter (fun (p, e) ->
      not (List.mem e outs) && not (multi s e)
      && match s.pats.(p).form with Call _ | Call_like _ | Projection _ -> true | _ -> false) s.node_of in
  if inner = [] then None
  else
    let _, e = pick s inner in
    if percent s 60 && is_base s e then begin ignore (op s "Abs" [ e ] []); Some [] end else Some [ e ]

let second_instance s =
  let made = ref [] in
  let to_ p = match List.assoc_opt p !made with Some e -> e | None -> node s p in
  List.iter
    (fun (p, _) -> match List.assoc_opt p s.makers with
       | Some make -> made := (p, make to_) :: !made
       | None -> ())
    (List.rev s.node_of);
  List.map snd !made

let build s index =
  let kind =
    if s.f.variadic && percent s 22 then `Variadic
    else if s.f.several && percent s 45 then `Several
    else `Single in
  let s = if kind = `Single then s else { s with f = { s.f with alternatives = false } } in
  let break =
    if percent s 30 then pick s ([ "use"; "injective"; "require"; "attribute" ] @ if kind = `Several then [ "convex"; "convex" ] else [])
    else "" in
  for _ = 1 to 1 + below s 2 do ignore (input s s.base) done;
  if percent s 50 then ignore (const s [ 2 ]);
  if percent s 40 then ignore (const s []);
  noise s (below s 6) (fun _ -> true);
  let before = Array.length s.nodes in
  s.before <- before;
  s.alias <- break = "injective" && kind <> `Variadic;
  let roots, outs, field =
    match kind with
    | `Variadic -> let v, field, nodes = variadic_source s in ([ v ], nodes, Some field)
    | `Several -> let l = several s (2 + below s 2) break in (l, List.map (node s) l, None)
    | `Single -> let p = root s in ([ p ], [ node s p ], None) in
  if List.length (List.sort_uniq compare outs) <> List.length outs then raise Discard;
  let source_patterns = Array.length s.pats in
  let inner =
    List.filter
      (fun e -> not (List.mem e outs)
                && match s.nodes.(e).kind with Input | Const _ -> false | _ -> true)
      (List.init (Array.length s.nodes - before) (fun i -> before + i)) in
  let conditions = if s.facts = [] || percent s 65 then [] else List.init (1 + below s 2) (fun _ -> constant_tuples (holds s)) in
  let conditions =
    if kind = `Variadic then List.filter (fun a -> not (List.exists (fun p -> match s.pats.(p).form with Variadic _ -> true | _ -> false) (Gsl_surface.read a))) conditions
    else conditions in
  let broken, conditions, exposed =
    match break with
    | "require" when s.facts <> [] -> (true, conditions @ [ Shim.Unary (unary "not", constant_tuples (holds s)) ], [])
    | "attribute" ->
      let leaves = List.filter (fun k -> match s.pats.(k).form with Wildcard | Variable | Constant _ -> not (List.mem_assoc "ndim" s.pats.(k).wants) && List.mem_assoc k s.node_of | _ -> false) (List.init source_patterns Fun.id) in
      let k = pick s leaves in
      s.pats.(k) <- { (s.pats.(k)) with wants = s.pats.(k).wants @ [ ("ndim", Shim.Const (num 7)) ] };
      (true, conditions, [])
    | "use" -> (match escape s outs with Some l -> (true, conditions, l) | None -> (false, conditions, []))
    | _ -> (s.broken, conditions, []) in
  let inner =
    if (not broken) && field = None && percent s 20 then (try second_instance s with Discard -> []) @ inner else inner in
  let target =
    match field with
    | Some f -> [ variadic_target s (List.hd roots) f ]
    | None -> targets s roots in
  (* an instance that nothing uses is none in the text *)
  let used = List.concat_map (below_pattern s) target in
  Array.iteri (fun k p -> match p.form with Instance _ when not (List.mem k used) -> raise Discard | _ -> ()) s.pats;
  (* the values of constants in the text of a rule are tuples of constants *)
  let tuples (p : pattern) =
    { p with wants = List.map (fun (l, a) -> (l, constant_tuples a)) p.wants;
             form = (match p.form with
                 | Constant (Some a) -> Constant (Some (constant_tuples a))
                 | f -> f) } in
  let rule = { rule = "r"; patterns = List.map tuples (Array.to_list s.pats); conditions; source = roots; target } in
  if not (rule_ok rule && Gsl_surface.rule_ok rule) then raise Discard;
  if percent s 12 then begin
    s.nodes <- Array.sub s.nodes 0 before;
    noise s (4 + below s 10) (fun _ -> true);
    finish s ~index ~roots:[] ~rule ~what:`Unplanted ~exposed:[]
  end else begin
    noise s (below s 7) (fun e -> not (List.mem e inner));
    let what = if broken then `Broken break else `Planted in
    finish s ~index ~roots:outs ~rule ~what ~exposed
  end

let case f rng index = try Some (build (start f rng) index) with Discard -> None

(* {1 Census} *)

let census cases =
  let has f (c : Gsl_batch.case) = List.exists f c.rule.patterns in
  let words (c : Gsl_batch.case) = String.split_on_char ' ' c.name in
  let is w c = List.mem w (words c) in
  let outputs n (c : Gsl_batch.case) =
    List.length c.rule.source = n
    && not (List.exists (fun k -> match (List.nth c.rule.patterns k).form with Variadic _ -> true | _ -> false) c.rule.source) in
  let variadic_output (c : Gsl_batch.case) =
    List.exists (fun k -> match (List.nth c.rule.patterns k).form with Variadic _ -> true | _ -> false) c.rule.source in
  let form f = has (fun p -> f p.form) in
  let count p = List.length (List.filter p cases) in
  [ ("planted", count (is "planted")); ("unplanted", count (is "unplanted"));
    ("use broken", count (is "use")); ("convexity broken", count (is "convex"));
    ("injectivity broken", count (is "injective")); ("require broken", count (is "require"));
    ("attribute broken", count (is "attribute"));
    ("one output", count (outputs 1)); ("two outputs", count (outputs 2)); ("three outputs", count (outputs 3));
    ("variadic output", count variadic_output);
    ("variadic input", count (fun c -> form (function Variadic _ -> true | _ -> false) c && not (variadic_output c)));
    ("alternatives", count (form (function Alt _ -> true | _ -> false)));
    ("operator pattern", count (form (function Operator _ -> true | _ -> false)));
    ("commutative", count (form (function Call (n, _) -> commutes n | _ -> false)));
    ("optional", count (form (function Optional _ -> true | _ -> false)));
    ("shared", count (has (fun p -> p.shared)));
    ("first", count (has (fun p -> p.first <> None)));
    ("condition", count (fun c -> c.rule.conditions <> [])) ]
