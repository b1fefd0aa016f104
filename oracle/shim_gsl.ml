module X = Extracted

type kind =
  | Input
  | Const of Shim.value option
  | Op of string
  | Proj of int64
  | Tuple

type node = {
  name : string option;
  dtype : string option;
  dims : int64 list option;
  kind : kind;
  ins : int option list;
  attrs : (string * Shim.value) list
}

type graph = {
  title : string option;
  nodes : node list;
  outputs : (string * int) list
}

type form =
  | Wildcard
  | Variable
  | Constant of Shim.expr option
  | Call of string * int list
  | Call_like of int * int list
  | Tuple_of of int list
  | Projection of int * Shim.expr option
  | Optional of int * Shim.expr option
  | Absent
  | Alt of int list
  | Operator of string list
  | Variadic of { field : int; least : int; length : Shim.expr option; index : int option }
  | Instance of int * Shim.expr
  | Choose of Shim.expr * int * int
  | By_alternative of int * int list

type pattern = {
  form : form;
  wants : (string * Shim.expr) list;
  shared : bool;
  template : bool;
  first : int option
}

type rule = {
  rule : string;
  patterns : pattern list;
  conditions : Shim.expr list;
  source : int list;
  target : int list
}

let nat = Z.of_int
let nats = List.map nat
let int = Z.to_int

(* {1 Into Coq} *)

(* Node k of the text is node k + 1; 0 is the absent input. *)
let node_in k = nat (k + 1)
let absent = { X.op = { X.what = X.KAbsent; type0 = []; attrs = [] }; args = [] }

let type_in n =
  let dtype = match n.dtype with Some d -> [("dtype", X.VStr d)] | None -> [] in
  let dims =
    match n.dims with
    | Some l ->
      [("shape", X.VTuple (List.map (fun d -> X.VInt (Z.of_int64 d)) l));
       ("ndim", X.VInt (nat (List.length l)))]
    | None -> [] in
  dtype @ dims

let oper_in k n =
  let what =
    match n.kind with
    | Input -> X.KInput (node_in k)
    | Const v -> X.KConst (node_in k, Option.map Shim.value_in v)
    | Op name -> X.KCall name
    | Proj i -> X.KProj (Z.of_int64 i)
    | Tuple -> X.KTuple in
  let arg = function Some e -> node_in e | None -> Z.zero in
  { X.op = { X.what; type0 = type_in n;
             attrs = List.map (fun (l, v) -> (l, Shim.value_in v)) n.attrs };
    args = List.map arg n.ins }

let graph_in g = absent :: List.mapi oper_in g.nodes
let outputs_in g = List.map (fun (_, e) -> node_in e) g.outputs

let form_in = function
  | Wildcard -> X.PWildcard
  | Variable -> X.PVariable
  | Constant a -> X.PConst (Option.map Shim.expr_in a)
  | Call (name, kids) -> X.PCall (X.OName name, nats kids)
  | Call_like (p, kids) -> X.PCall (X.OPat (nat p), nats kids)
  | Tuple_of kids -> X.PTuple (nats kids)
  | Projection (p, a) -> X.PProj (nat p, Option.map Shim.expr_in a)
  | Optional (p, a) -> X.POptional (nat p, Option.map Shim.expr_in a)
  | Absent -> X.PNone
  | Alt kids -> X.PAlt (nats kids)
  | Operator names -> X.POp names
  | Variadic { field; least; length; index } ->
    X.PVariadic (nat field, nat least, Option.map Shim.expr_in length, Option.map nat index)
  | Instance (t, a) -> X.PInst (nat t, Shim.expr_in a)
  | Choose (c, p, q) -> X.PCond (Shim.expr_in c, nat p, nat q)
  | By_alternative (p, kids) -> X.PMatch (nat p, nats kids)

let pattern_in p =
  { X.form = form_in p.form;
    wants = List.map (fun (l, a) -> (l, Shim.expr_in a)) p.wants;
    shared = p.shared; template = p.template; first = Option.map nat p.first }

let rule_in r =
  { X.patterns = List.map pattern_in r.patterns; source = nats r.source;
    target = nats r.target; conditions = List.map Shim.expr_in r.conditions }

let rule_ok r = X.orderedb (rule_in r).X.patterns
let check r = X.rule_check (rule_in r)

let proved r =
  let same ((name, _), rule) = name = r.rule && rule = rule_in r in
  match List.find_opt same X.proved_rules with
  | Some ((_, c), _) -> Some (match c with X.Exact -> "exact" | Float -> "float" | Ring -> "ring" | Real -> "real")
  | None -> None
let graph_ok g = X.wfb (graph_in g)

(* {1 Answers} *)

type address = { pattern : int; instance : int option }

type found = {
  roots : int list;
  bound : (address * int option) list;
  lengths : (int * int) list;
  taken : (int * int) list
}

let node_out e = if Z.sign e = 0 then None else Some (int e - 1)
let must e = int e - 1
let pairs l = List.sort compare (List.map (fun (a, b) -> (int a, int b)) l)

let found_out (m, roots) =
  let entry ((p, i), e) = ({ pattern = int p; instance = Option.map int i }, node_out e) in
  { roots = List.map must roots;
    bound = List.sort compare (List.map entry m.X.bound);
    lengths = pairs m.X.lens;
    taken = pairs m.X.alts }

let matches r g =
  List.map found_out
    (X.all_matches X.commutative (rule_in r) (graph_in g) (outputs_in g))

(* Inputs and constants that were read keep their names. *)
let graph_out g nodes outputs =
  let names = Array.of_list (List.map (fun n -> n.name) g.nodes) in
  let name k = if Z.sign k > 0 && int k <= Array.length names then names.(int k - 1) else None in
  let node n =
    let o = n.X.op in
    let kind, name =
      match o.X.what with
      | X.KAbsent -> raise (Shim.Internal "an absent input among the nodes")
      | X.KInput k -> (Input, name k)
      | X.KConst (k, v) -> (Const (Option.map Shim.value_out v), name k)
      | X.KCall s -> (Op s, None)
      | X.KProj i -> (Proj (Z.to_int64 i), None)
      | X.KTuple -> (Tuple, None) in
    let known l = Option.map Shim.value_out (List.assoc_opt l o.X.type0) in
    { name; kind;
      dtype = (match known "dtype" with Some (Shim.Str s) -> Some s | _ -> None);
      dims =
        (match known "shape" with
         | Some (Shim.Tuple l) ->
           Some (List.map (function Shim.Int d -> d | _ -> raise (Shim.Internal "a shape")) l)
         | _ -> None);
      ins = List.map node_out n.X.args;
      attrs = List.map (fun (l, v) -> (l, Shim.value_out v)) o.X.attrs } in
  { g with
    nodes = (match nodes with [] -> [] | _ :: l -> List.map node l);
    outputs = List.map2 (fun (s, _) e -> (s, must e)) g.outputs outputs }

let rewrite ~fuel rules g =
  let (nodes, outputs), log =
    X.rewrite_fix X.commutative (nat fuel)
      (List.map (fun r -> (r.rule, rule_in r)) rules)
      (graph_in g) (outputs_in g) [] in
  (graph_out g nodes outputs, List.map (fun (s, e) -> (s, must e)) log)

type attempt = {
  grown : graph;
  moves : (int * int option) list;
  result : (graph * int option list) option
}

(* The numbers of nodes travel as one more attribute of their types. *)
let tag = "."

let tagged k (n : X.oper X.node) =
  { n with X.op = { n.X.op with X.type0 = n.X.op.type0 @ [ (tag, X.VInt (nat k)) ] } }

let tags nodes =
  let of_node (n : X.oper X.node) =
    match List.assoc_opt tag n.op.type0 with Some (X.VInt k) -> Some (int k - 1) | _ -> None in
  match nodes with [] -> [] | _ :: l -> List.map of_node l

(* The same rule and graph are tried at each node in turn: what they are in Coq is kept. *)
let tried = ref None

let in_coq r g =
  match !tried with
  | Some (r', g', coq) when r' == r && g' == g -> coq
  | _ ->
    let nodes = List.mapi tagged (graph_in g) in
    let coq = (rule_in r, outputs_in g, nodes, List.mapi (fun k _ -> nat k) nodes) in
    tried := Some (r, g, coq);
    coq

let attempt r g e =
  let rule, outputs, nodes, all = in_coq r g in
  match X.rule_at X.commutative rule nodes outputs all (node_in e) with
  | None -> None
  | Some (m, outs) ->
    match X.build_roots rule nodes m (nat (List.length outs)) with
    | Some (es, st) when List.length es = List.length outs ->
      Some { grown = graph_out g st.X.whole outputs;
             moves = List.map2 (fun o e -> (must o, node_out e)) outs es;
             result =
               Option.map (fun (h, outs) -> (graph_out g h outs, tags h))
                 (X.rewrite_match rule nodes outputs m outs) }
    | _ -> None

(* {1 Coq text} *)

open Coq_print

let coq_name r = "rule_text_" ^ r.rule
let definition r = Coq_print.definition (coq_name r) (rule_in r)

let definitions set rules =
  let entry r = pair string Fun.id (r.rule, coq_name r) in
  String.concat "\n" (List.map definition rules)
  ^ Printf.sprintf "\nDefinition library_%s : list (string * rule) :=\n  [%s].\n" set
      (String.concat ";\n   " (List.map entry rules))

let graph_definition name g =
  Coq_print.graph_definition ("graph_text_" ^ name) (graph_in g) (outputs_in g)

let matches_example k r g =
  let rule_, nodes, outputs = (rule_in r, graph_in g, outputs_in g) in
  example k
    (apply "all_matches" [ "commutative"; rule rule_; graph nodes; list nat outputs ])
    (list (pair mstate (list nat)) (X.all_matches X.commutative rule_ nodes outputs))

(* Rules that are refused are rare among requests: every other one has source and target exchanged. *)
let check_example k r =
  let r = if k land 1 = 0 then r else { r with source = r.target; target = r.source } in
  let rule_ = rule_in r in
  example k (apply "rule_check" [ rule rule_ ]) (bool (X.rule_check rule_))

let rewrite_example k ~fuel r g =
  let rule_, nodes, outputs = (rule_in r, graph_in g, outputs_in g) in
  let rules = [ (r.rule, rule_) ] in
  example k
    (apply "rewrite_fix"
       [ "commutative"; nat (Z.of_int fuel); list (pair string rule) rules; graph nodes;
         list nat outputs; "[]" ])
    (pair (pair graph (list nat)) (list (pair string nat))
       (X.rewrite_fix X.commutative (Z.of_int fuel) rules nodes outputs []))
