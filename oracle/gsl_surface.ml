open Shim_gsl

let spf = Printf.sprintf
let comma = String.concat ", "

(* {1 Values} *)

let float_text bits =
  let x = Int64.float_of_bits bits in
  let s = spf "%.17g" x in
  if String.exists (fun c -> c = '.' || c = 'e' || c = 'n' || c = 'i') s then s else s ^ ".0"

let rec value = function
  | Shim.None_ -> "none"
  | Shim.Bool b -> string_of_bool b
  | Shim.Int i -> Int64.to_string i
  | Shim.Float b -> float_text b
  | Shim.Str s -> "'" ^ s ^ "'"
  | Shim.Tuple [ v ] -> "(" ^ value v ^ ",)"
  | Shim.Tuple l -> "(" ^ comma (List.map value l) ^ ")"

(* {1 Graphs} *)

let graph_name k (n : node) = match n.name with Some s -> s | None -> "n" ^ string_of_int k

(* The element type and dimensions of a new constant are those of its value. *)
let const_type (n : node) v =
  let of_value, dims = Gsl_types.const_type v in
  { n with dtype = Some (Option.value ~default:of_value n.dtype);
           dims = Some (Option.value ~default:(List.map Int64.of_int dims) n.dims) }

let graph g =
  let names = Array.of_list (List.mapi graph_name g.nodes) in
  let input = function Some e -> names.(e) | None -> "none" in
  let typ (n : node) =
    spf "%s[%s]" (Option.value ~default:"?" n.dtype)
      (match n.dims with Some l -> comma (List.map Int64.to_string l) | None -> "?") in
  let statement k (n : node) =
    let ins = List.map input n.ins in
    let is s = spf "    %s = %s\n" names.(k) s in
    match n.kind with
    | Input -> spf "    input %s: %s\n" names.(k) (typ n)
    | Const None -> spf "    param %s: %s\n" names.(k) (typ n)
    | Const (Some v) ->
      let rec data = function Shim.Tuple l -> "[" ^ comma (List.map data l) ^ "]" | v -> value v in
      spf "    const %s: %s = %s\n" names.(k) (typ (const_type n v)) (data v)
    | Op name -> is (spf "%s(%s)" name (comma (ins @ List.map (fun (l, v) -> l ^ "=" ^ value v) n.attrs)))
    | Proj i -> is (spf "%s[%Ld]" (List.hd ins) i)
    | Tuple -> is (spf "(%s)" (match ins with [ e ] -> e ^ "," | _ -> comma ins)) in
  let result (s, e) = if s = names.(e) then s else spf "%s = %s" s names.(e) in
  spf "graph {\n%s    return %s\n}\n"
    (String.concat "" (List.mapi statement g.nodes))
    (comma (List.map result g.outputs))

(* {1 Rules: what is used where} *)

let kids = function
  | Wildcard | Variable | Constant _ | Absent | Operator _ -> []
  | Call (_, l) | Tuple_of l | Alt l -> l
  | Call_like (p, l) -> p :: l
  | Projection (p, _) | Optional (p, _) | Instance (p, _) -> [ p ]
  | Variadic v -> [ v.field ]
  | Choose (_, p, q) -> [ p; q ]
  | By_alternative (p, l) -> p :: l

let exprs (p : pattern) =
  List.map snd p.wants
  @ (match p.form with
     | Constant (Some a) | Projection (_, Some a) | Optional (_, Some a) | Instance (_, a)
     | Choose (a, _, _) | Variadic { length = Some a; _ } -> [ a ]
     | _ -> [])

let rec read = function
  | Shim.Access (p, _) -> [ p ]
  | Shim.Inst (p, a, _) -> p :: read a
  | Shim.Alternative (p, l) -> p :: List.concat_map read l
  | Shim.Const _ | Any | Symbol _ -> []
  | Unary (_, a) | Reduce (_, a) -> read a
  | Binary (_, a, b) | Proj (a, b) | Var (_, a, b) | Map (_, a, b) -> read a @ read b
  | Tuple_of l | Func (_, l) -> List.concat_map read l
  | Cond (a, b, c) -> read a @ read b @ read c

type view = {
  pats : pattern array;
  lifted : bool array;                  (* written as a value or none among the arguments of its only user *)
  inlined : bool array;
}

let positional = function Call (_, l) | Call_like (_, l) | Tuple_of l -> l | _ -> []

(* What Gsl lifts to a constant, or the absent input. *)
let liftable p =
  match p.form with
  | Absent -> true
  | Constant (Some (Shim.Const (Shim.Int _ | Shim.Float _))) -> p.wants = [] && not p.shared && not p.template
  | _ -> false

let view inlines r =
  let pats = Array.of_list r.patterns in
  let n = Array.length pats in
  (* [fixed]: has a name, being mentioned other than as the kid of one call. *)
  let uses = Array.make n 0 and fixed = Array.make n false in
  let use k = uses.(k) <- uses.(k) + 1 and fix k = fixed.(k) <- true in
  Array.iter
    (fun p ->
      List.iter use (kids p.form);
      (match p.form with
       | Call_like (o, _) -> fix o
       | Instance (t, _) -> fix t
       | By_alternative (a, _) -> fix a
       | Variadic _ | Operator _ -> ()
       | _ -> ());
      if p.first <> None then Option.iter fix p.first;
      List.iter (fun a -> List.iter fix (read a)) (exprs p))
    pats;
  List.iter fix (r.source @ r.target);
  List.iter (fun a -> List.iter fix (read a)) r.conditions;
  Array.iteri (fun k p -> if p.template || uses.(k) <> 1 then fix k;
                match p.form with Variadic _ | Operator _ -> fix k | _ -> ()) pats;
  let lifted = Array.make n false and inlined = Array.make n false in
  (* The numbers before k, counted down: lifted arguments, then those written in place. *)
  let rec span k =
    let next = ref (k - 1) in
    let args = List.rev (positional pats.(k).form) in
    let plain = List.exists (fun q -> not (liftable pats.(q))) args in
    List.iter
      (fun q ->
        if liftable pats.(q) && not fixed.(q) && q = !next && plain
           && (pats.(q).form = Absent || inlines ()) then begin
          lifted.(q) <- true;
          decr next
        end)
      args;
    let in_place = match pats.(k).form with
      | Call _ | Tuple_of _ | Alt _ | Projection _ | Optional _ -> List.rev (kids pats.(k).form)
      | Call_like (_, l) -> List.rev l
      | _ -> [] in
    List.iter
      (fun q ->
        if q = !next && (not fixed.(q)) && (not lifted.(q)) && pats.(q).form <> Absent && inlines () then begin
          inlined.(q) <- true;
          next := span q - 1
        end)
      in_place;
    !next + 1 in
  for k = n - 1 downto 0 do
    if not (inlined.(k) || lifted.(k)) then ignore (span k)
  done;
  { pats; lifted; inlined }

let rule_ok r =
  let v = view (fun () -> false) r in
  let ok = ref true in
  Array.iteri (fun k p -> if p.form = Absent && not v.lifted.(k) then ok := false) v.pats;
  !ok

(* {1 Symbols} *)

let indices r =
  List.sort_uniq compare
    (List.filter_map (fun (p : pattern) -> match p.form with Variadic { index; _ } -> index | _ -> None) r.patterns)

let rec free = function
  | Shim.Symbol s -> [ s ]
  | Const _ | Any | Access _ -> []
  | Unary (_, a) | Reduce (_, a) | Inst (_, a, _) -> free a
  | Binary (_, a, b) | Proj (a, b) -> free a @ free b
  | Cond (a, b, c) -> free a @ free b @ free c
  | Tuple_of l | Alternative (_, l) | Func (_, l) -> List.concat_map free l
  | Var (s, n, a) | Map (s, n, a) -> free n @ List.filter (( <> ) s) (free a)

let renumbered r =
  let outer = List.mapi (fun k s -> (s, k)) (indices r) in
  let rec go env a =
    let all = List.map (go env) in
    let under s over body make =
      let taken = List.filter_map (fun u -> if u = s then None else List.assoc_opt u env) (free body) in
      let rec least k = if List.mem k taken then least (k + 1) else k in
      let t = least 0 in
      make t (go env over) (go ((s, t) :: env) body) in
    match a with
    | Shim.Symbol s -> Shim.Symbol (match List.assoc_opt s env with Some t -> t | None -> s)
    | Var (s, n, a) -> under s n a (fun t n a -> Shim.Var (t, n, a))
    | Map (s, n, a) -> under s n a (fun t n a -> Shim.Map (t, n, a))
    | Const _ | Any | Access _ -> a
    | Unary (o, a) -> Unary (o, go env a)
    | Reduce (o, a) -> Reduce (o, go env a)
    | Inst (p, a, l) -> Inst (p, go env a, l)
    | Binary (o, a, b) -> Binary (o, go env a, go env b)
    | Proj (a, b) -> Proj (go env a, go env b)
    | Cond (a, b, c) -> Cond (go env a, go env b, go env c)
    | Tuple_of l -> Tuple_of (all l)
    | Alternative (p, l) -> Alternative (p, all l)
    | Func (f, l) -> Func (f, all l) in
  let ex = go outer in
  let pattern (p : pattern) =
    let form =
      match p.form with
      | Constant a -> Constant (Option.map ex a)
      | Projection (q, a) -> Projection (q, Option.map ex a)
      | Optional (q, a) -> Optional (q, Option.map ex a)
      | Variadic v ->
        Variadic { v with length = Option.map ex v.length; index = Option.map (fun s -> List.assoc s outer) v.index }
      | Instance (t, a) -> Instance (t, ex a)
      | Choose (c, p, q) -> Choose (ex c, p, q)
      | f -> f in
    { p with form; wants = List.map (fun (l, a) -> (l, ex a)) p.wants } in
  let patterns = List.map pattern r.patterns in
  { r with patterns; conditions = List.map ex r.conditions }

(* {1 Expressions} *)

let name k = "p" ^ string_of_int k
let symbol s = "s" ^ string_of_int s

(* The variadic pattern that template [t] is part of. *)
let owner v t =
  let rec below seen k = if List.mem k seen then seen else List.fold_left below (k :: seen) (kids v.pats.(k).form) in
  let found = ref None in
  Array.iteri
    (fun k p ->
      match p.form with
      | Variadic { field; _ } when !found = None && List.mem t (below [] field) -> found := Some k
      | _ -> ())
    v.pats;
  match !found with Some k -> name k | None -> "undefined"

let rec expr v a =
  let go = expr v in
  let infix o a b = spf "(%s %s %s)" (go a) o (go b) in
  match a with
  | Shim.Const x -> value x
  | Any -> "_"
  | Access (p, l) -> spf "%s.%s" (name p) l
  | Inst (p, a, l) -> spf "%s(%s, %s).%s" (owner v p) (name p) (go a) l
  | Symbol s -> symbol s
  | Tuple_of [ a ] -> spf "(%s,)" (go a)
  | Tuple_of l -> spf "(%s)" (comma (List.map go l))
  | Proj (a, b) -> spf "%s[%s]" (go a) (go b)
  | Unary (o, a) ->
    (match List.assoc o Shim.unary_names with
     | "neg" -> spf "(-%s)" (match a with Shim.Const _ -> "(" ^ go a ^ ")" | _ -> go a)
     | "not" -> spf "(not %s)" (go a)
     | f -> spf "%s(%s)" f (go a))
  | Binary (o, a, b) ->
    let signs = [ ("add", "+"); ("sub", "-"); ("mul", "*"); ("floordiv", "//"); ("mod", "%"); ("eq", "==");
                  ("ne", "!="); ("lt", "<"); ("le", "<="); ("gt", ">"); ("ge", ">="); ("and", "and"); ("or", "or") ] in
    let f = List.assoc o Shim.binary_names in
    (match List.assoc_opt f signs with Some s -> infix s a b | None -> spf "%s(%s, %s)" f (go a) (go b))
  | Var (s, n, a) -> spf "[%s]" (family v s (spf "range(%s)" (go n)) a)
  | Map (s, t, a) -> spf "[%s]" (family v s (go t) a)
  | Reduce (o, a) ->
    let f = match List.assoc o Shim.reduction_names with "amin" -> "min" | "amax" -> "max" | f -> f in
    (match a with
     | Shim.Var (s, n, b) -> spf "%s(%s)" f (family v s (spf "range(%s)" (go n)) b)
     | Map (s, t, b) -> spf "%s(%s)" f (family v s (go t) b)
     | _ -> spf "%s(%s)" f (go a))
  | Cond (c, a, b) -> spf "Cond(%s, %s, %s)" (go c) (go a) (go b)
  | Alternative (p, l) -> spf "Match(%s, [%s])" (name p) (comma (List.map go l))
  | Func (f, l) ->
    (match List.assoc f Shim.func_names, l with
     | "in", [ a; b ] -> infix "in" a b
     | "slice", [ t; a; b; c ] ->
       let part = function Shim.Const Shim.None_ -> "" | a -> go a in
       spf "%s[%s:%s%s]" (go t) (part a) (part b) (match c with Shim.Const Shim.None_ -> "" | c -> ":" ^ go c)
     | "zip", l -> spf "zip(%s)" (comma (List.map go l))
     | "remap", l -> spf "layout_remap(%s)" (comma (List.map go l))
     | f, l -> spf "%s(%s)" f (comma (List.map go l)))

and family v s domain body = spf "%s for %s in %s" (expr v body) (symbol s) domain

(* {1 Patterns} *)

let signs = [ ("Add", "+"); ("Sub", "-"); ("Mul", "*"); ("Div", "/") ]

let rec pattern v k =
  let p = v.pats.(k) in
  let arg = arg v in
  let wants = List.map (fun (l, a) -> l ^ "=" ^ expr v a) p.wants in
  let leaf f value = spf "%s(%s)" f (comma (value @ wants @ if p.shared then [ "shared=true" ] else [])) in
  match p.form with
  | Wildcard -> leaf "Wildcard" []
  | Variable -> leaf "Variable" []
  | Constant None -> leaf "Const" []
  | Constant (Some a) -> leaf "Const" [ expr v a ]
  | Call (f, [ a; b ]) when List.mem_assoc f signs && wants = [] && not (v.lifted.(a) && v.lifted.(b))
                            && k mod 3 > 0 ->
    spf "(%s %s %s)" (arg a) (List.assoc f signs) (arg b)
  | Call ("Neg", [ a ]) when k mod 2 = 0 -> spf "(-%s)" (arg a)
  | Call (f, l) -> spf "%s(%s)" f (comma (List.map arg l @ wants))
  | Call_like (o, l) -> spf "%s(%s)" (name o) (comma (List.map arg l @ wants))
  | Tuple_of [ a ] when v.inlined.(k) && (match v.pats.(a).form with Variadic _ -> true | _ -> false) -> arg a
  | Tuple_of [ a ] -> spf "(%s,)" (arg a)
  | Tuple_of l -> spf "(%s)" (comma (List.map arg l))
  | Projection (q, a) -> spf "%s[%s]" (arg q) (match a with Some a -> expr v a | None -> "_")
  | Optional (q, a) -> spf "Optional(%s)" (comma (arg q :: Option.to_list (Option.map (expr v) a)))
  | Absent -> "none"
  | Alt l -> spf "Alt(%s)" (comma (List.map arg l))
  | Operator l -> spf "Op(%s)" (comma (List.map (fun s -> "'" ^ s ^ "'") l))
  | Variadic { field; least; length; index } ->
    let templates = List.filter (fun t -> v.pats.(t).template) (templates_of v field) in
    let firsts = List.map (fun t -> match v.pats.(t).first with Some f -> name f | None -> "_") templates in
    spf "Variadic(%s)"
      (comma
         ([ arg field ]
          @ [ spf "templates=[%s]" (comma (List.map name templates)) ]
          @ (if List.exists (( <> ) "_") firsts then [ spf "first=[%s]" (comma firsts) ] else [])
          @ (match index with Some s -> [ "index=" ^ symbol s ] | None -> [])
          @ (match length with Some a -> [ "length=" ^ expr v a ] | None -> [])
          @ if least > 0 then [ "min_len=" ^ string_of_int least ] else []))
  | Instance (t, a) -> spf "%s(%s, %s)" (owner v t) (name t) (expr v a)
  | Choose (c, p, q) -> spf "Cond(%s, %s, %s)" (expr v c) (arg p) (arg q)
  | By_alternative (p, l) -> spf "Match(%s, [%s])" (name p) (comma (List.map arg l))

and arg v k =
  if v.lifted.(k) then
    match v.pats.(k).form with Constant (Some a) -> expr v a | _ -> "none"
  else if v.inlined.(k) then pattern v k
  else name k

and templates_of v field =
  let rec below seen k =
    match v.pats.(k).form with
    | _ when List.mem k seen -> seen
    | Instance _ -> k :: seen           (* another variadic pattern's template *)
    | Variadic _ -> seen
    | form -> List.fold_left below (k :: seen) (kids form) in
  List.sort compare (below [] field)

let rule inlines r =
  let v = view inlines r in
  let b = Buffer.create 512 in
  let line s = Buffer.add_string b ("    " ^ s ^ "\n") in
  Buffer.add_string b (spf "rule %s {\n    class exact\n" r.rule);
  List.iter (fun s -> line (symbol s ^ " = Symbol()")) (indices r);
  Array.iteri
    (fun k _ -> if not (v.inlined.(k) || v.lifted.(k)) then line (spf "%s = %s" (name k) (pattern v k)))
    v.pats;
  List.iter (fun a -> line ("require " ^ expr v a)) r.conditions;
  let outputs word = function
    | [ p ] -> line (spf "%s %s" word (name p))
    | l -> line (spf "%s [%s]" word (comma (List.map name l))) in
  outputs "source" r.source;
  outputs "target" r.target;
  Buffer.add_string b "}\n";
  Buffer.contents b
