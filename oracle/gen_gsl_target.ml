open Shim_gsl
open Gen_gsl_state
open Gen_gsl_source

(* {1 Conditions} *)

let rec holds s =
  let p, l, v = pick s s.facts in
  let a = Shim.Access (p, l) in
  let other = match v with
    | Shim.Int i -> Shim.Int (Int64.succ i)
    | Shim.Tuple l -> Shim.Tuple (l @ [ num 7 ])
    | Shim.Str _ -> Shim.Str "f64"
    | Shim.Float _ -> Shim.Float (Int64.bits_of_float 3.0)
    | _ -> num 3 in
  match v, below s 100 with
  | Shim.Int i, d when d < 25 -> bin (pick s [ "lt"; "le" ]) a (expr_for s ~matching:false (Shim.Int (Int64.succ i)))
  | Shim.Tuple l, d when d < 20 -> bin "eq" (Shim.Unary (unary "len", a)) (Shim.Const (num (List.length l)))
  | Shim.Tuple (x :: _ as l), d when d < 40 && s.f.families ->
    let func = fst (List.find (fun (_, n) -> n = "in") Shim.func_names) in
    if d < 30 then Shim.Func (func, [ Shim.Const x; a ])
    else
      Shim.Reduce (reduction (pick s [ "all"; "exists" ]),
        Shim.Var (0, Shim.Const (num (List.length l)), bin "eq" (Shim.Proj (a, Shim.Symbol 0)) (Shim.Proj (a, Shim.Symbol 0))))
  | _, d when d < 46 && s.chosen <> [] ->
    let q, n, right = pick s s.chosen in
    let value k = if k = right then expr_for s ~matching:false v else constant_tuples (Shim.Const other) in
    bin "eq" a (Shim.Alternative (q, List.init n value))
  | _, d when d < 50 -> bin "ne" a (Shim.Const other) |> constant_tuples
  | _, d when d < 60 -> Shim.Unary (unary "not", bin "eq" a (constant_tuples (Shim.Const other)))
  | _, d when d < 70 -> bin "and" (holds s) (holds s)
  | _, d when d < 78 -> bin "or" (holds s) (Shim.Const (Shim.Bool false))
  | _ -> bin "eq" a (expr_for s ~matching:false v)

(* Text has tuples of constants, not constant tuples. *)
and constant_tuples a =
  match a with
  | Shim.Const (Shim.Tuple l) -> Shim.Tuple_of (List.map (fun v -> constant_tuples (Shim.Const v)) l)
  | Binary (o, a, b) -> Binary (o, constant_tuples a, constant_tuples b)
  | a -> a

(* {1 Targets} *)

let given s attrs = List.map (fun (l, v) -> (l, constant_tuples (expr_for s ~matching:false v))) attrs

type pool = { known : int list; alternative : (int * int) option; instances : int list; symbol : int option; least : int }

let new_pattern s pool form wants =
  add_pattern s { (blank form) with wants; template = pool.symbol <> None }

let new_const s pool slot =
  let v = match slot with
    | Bias -> Shim.Tuple_of [ Shim.Const (number s); Shim.Const (number s) ]
    | _ -> Shim.Const (number s) in
  new_pattern s pool (Constant (Some v)) []

let rec target s pool depth =
  if depth = 0 || percent s 25 then
    match pool.symbol with
    | Some i when percent s 70 ->
      new_pattern s pool (Instance (pick s pool.instances, Shim.Symbol i)) []
    | None when pool.least > 0 && percent s 15 ->
      new_pattern s pool (Instance (pick s pool.instances, Shim.Const (num (below s pool.least)))) []
    | _ -> if pool.known = [] then raise Discard else pick s pool.known
  else
    let again () = target s pool (depth - 1) in
    match below s 100 with
    | d when d < 6 && s.f.conditional && s.facts <> [] ->
      let c = holds s in
      let a = again () in
      new_pattern s pool (Choose (c, a, again ())) []
    | d when d < 24 && pool.alternative <> None ->
      let a, n = Option.get pool.alternative in
      let kids = List.init n (fun _ -> again ()) in
      new_pattern s pool (By_alternative (a, kids)) []
    | d when d < 30 ->
      let a = again () in
      let b = again () in
      let t = new_pattern s pool (Tuple_of [ a; b ]) [] in
      new_pattern s pool (Projection (t, Some (expr_for s ~matching:false (num (below s 2))))) []
    | d when d < 34 ->
      let a = again () in
      let wants = given s [ ("axis", num 0); ("split", nums [ List.hd s.base ]) ] in
      let t = new_pattern s pool (Call ("Split", [ a ])) wants in
      new_pattern s pool (Projection (t, Some (Shim.Const (num 0)))) []
    | d when d < 38 && s.f.operators && s.operator_patterns <> [] ->
      let o, _ = pick s s.operator_patterns in
      let a = again () in
      new_pattern s pool (Call_like (o, [ a ])) []
    | d when d < 41 -> (* another type *)
      let a = again () in
      let wants = given s [ ("axis", num 0) ] in
      new_pattern s pool (Call ("Concat", [ a; again () ])) wants
    | _ ->
      let name, slots, attrs = choice s in
      let kid slot =
        match slot with
        | Base -> again ()
        | Small when percent s 70 -> new_const s pool Small
        | Small -> again ()
        | Bias | Weight -> new_const s pool Bias in
      let slots = if name = "Conv" then raise Discard else slots in
      let kids = List.map kid slots in
      let attrs = if percent s 50 then attrs else List.filter (fun (l, _) -> name <> "Gemm" || l = "alpha") attrs in
      let wants = given s attrs in
      new_pattern s pool (Call (name, kids)) wants

(* The root once more: the same application, or on other inputs. *)
let rebuilt s pool root =
  match s.pats.(root).form with
  | Call (name, kids) when List.for_all (fun k -> match s.pats.(k).form with Optional _ | Absent | Variadic _ -> false | _ -> true) kids ->
    let attrs = s.nodes.(node s root).attrs in
    let kids = if percent s 40 then kids else List.map (fun k -> if percent s 50 && pool.known <> [] then pick s pool.known else k) kids in
    let wants = given s attrs in
    new_pattern s pool (Call (name, kids)) wants
  | _ -> raise Discard

let targets s roots =
  let alternative =
    List.find_map
      (fun (p, _) -> match s.pats.(p).form with Alt l -> Some (p, List.length l) | _ -> None) s.node_of in
  let known =
    List.filter
      (fun p -> (not (List.mem p roots) || (s.f.loops && percent s 10))
                && match s.pats.(p).form with Optional _ -> false | _ -> true) s.reusable in
  let pool = { known; alternative; instances = []; symbol = None; least = 0 } in
  let one root =
    if percent s 10 then rebuilt s pool root
    else
      let p = target s pool (1 + below s 3) in
      if p = root then raise Discard else p in
  List.map one roots

(* A call of all instances at once, shared by the outputs. *)
let merged s v templates =
  let wi = add_pattern s { (blank (Instance (pick s templates, Shim.Symbol 0))) with template = true } in
  let field =
    if percent s 50 then wi
    else add_pattern s { (blank (Call ("Abs", [ wi ]))) with template = true } in
  let all = add_pattern s (blank (Variadic { field; least = 0; length = Some (Shim.Access (v, "length")); index = Some 0 })) in
  add_pattern s (blank (Call (pick s [ "Max"; "Sum" ], [ all ])))

let variadic_target s v field =
  let least = match s.pats.(v).form with Variadic v -> v.least | _ -> 0 in
  let inside = below_pattern s field in
  let templates = List.filter (fun p -> s.pats.(p).template) inside in
  let pool = { known = List.filter (fun p -> not s.pats.(p).template) s.reusable; alternative = None;
               instances = templates; symbol = Some 0; least } in
  let fixed = { pool with symbol = None } in
  let all = if percent s 30 then Some (merged s v templates) else None in
  let pool = match all with Some m -> { pool with known = m :: pool.known } | None -> pool in
  let pool = if percent s 15 then { pool with known = target s fixed 1 :: pool.known } else pool in
  let item = target s pool (1 + below s 2) in
  (match all with Some m when not (List.mem m (below_pattern s item)) -> raise Discard | _ -> ());
  let item =
    if percent s 20 then
      let t = pick s templates in
      let at = if least > 0 then pick s [ Shim.Symbol 0; Shim.Const (num (below s least)) ] else Shim.Symbol 0 in
      let shape = Shim.Inst (t, at, "shape") in
      add_pattern s { (blank (Call ("Reshape", [ item ]))) with wants = [ ("shape", shape) ]; template = true }
    else item in
  if not s.pats.(item).template then raise Discard;
  add_pattern s (blank (Variadic { field = item; least = 0; length = None; index = Some 0 }))
