open Shim_gsl

type features = {
  several : bool;
  variadic : bool;
  alternatives : bool;
  operators : bool;
  conditional : bool;
  families : bool;
  loops : bool
}

let all =
  { several = true; variadic = true; alternatives = true; operators = true; conditional = true;
    families = true; loops = true }

let fixed =
  { several = false; variadic = false; alternatives = false; operators = false; conditional = false;
    families = false; loops = false }

exception Discard

let num i = Shim.Int (Int64.of_int i)
let nums l = Shim.Tuple (List.map num l)
let float x = Shim.Float (Int64.bits_of_float x)
let unary name = fst (List.find (fun (_, s) -> s = name) Shim.unary_names)
let binary name = fst (List.find (fun (_, s) -> s = name) Shim.binary_names)
let reduction name = fst (List.find (fun (_, s) -> s = name) Shim.reduction_names)
let bin name a b = Shim.Binary (binary name, a, b)

(* How to make the node of a pattern again, from the nodes of the others. *)
type maker = (int -> int) -> int

type state = {
  rng : Rng.t;
  f : features;
  dtype : string;
  base : int list;                      (* the type nearly everything has *)
  ops : string array;                   (* the operators of this pair *)
  mutable nodes : node array;
  mutable pats : pattern array;
  mutable node_of : (int * int) list;   (* pattern, its node in the instance; latest first *)
  mutable makers : (int * maker) list;
  mutable before : int;                 (* leaves are taken from nodes below this number *)
  mutable facts : (int * string * Shim.value) list; (* attributes that every match defines *)
  mutable certain : bool;               (* not inside an Optional, an alternative, a template *)
  mutable reusable : int list;          (* certain patterns of base type *)
  mutable operator_patterns : (int * string) list;
  mutable trap : int option;            (* breaks convexity: a leaf computed from an output *)
  mutable alias : bool;                 (* breaks injectivity: a leaf on a node that is taken *)
  mutable broken : bool;                (* the trap or the alias was used *)
  mutable chosen : (int * int * int) list (* Alt patterns, how many alternatives, the one that fits *)
}

let percent s p = Rng.percent s.rng p
let below s n = Rng.below s.rng n
let pick s l = if l = [] then raise Discard else List.nth l (below s (List.length l))

(* {1 The graph} *)

let graph_of s outputs = { title = None; nodes = Array.to_list s.nodes; outputs }

let add_node s n =
  let k = Array.length s.nodes in
  s.nodes <- Array.append s.nodes [| n |];
  match Gsl_types.complete_from k (graph_of s []) with
  | Ok g -> s.nodes <- Array.of_list g.nodes; k
  | Error _ -> raise Discard

let plain kind ins attrs =
  { name = None; dtype = None; dims = None; kind; ins = List.map Option.some ins; attrs }

let typed s kind shape =
  { (plain kind [] []) with dtype = Some s.dtype; dims = Some (List.map Int64.of_int shape) }

let input s shape = add_node s (typed s Input shape)

let number s =
  if s.dtype = "i64" then num (below s 4 - 1) else float (float_of_int (below s 7 - 2) /. 2.)

(* A constant; small ones have a value that attributes can see. *)
let const s shape =
  let v = match shape with
    | [] | [ 1 ] -> Some (number s)
    | [ n ] -> Some (Shim.Tuple (List.init n (fun _ -> number s)))
    | _ -> None in
  add_node s (typed s (Const v) shape)

let op s name ins attrs = add_node s (plain (Op name) ins attrs)
let dims s e = match s.nodes.(e).dims with Some l -> List.map Int64.to_int l | None -> [ -1 ]
let is_base s e = dims s e = s.base

(* {1 Operators} *)

(* [Small]: what broadcasts to the base type. *)
type slot = Base | Small | Weight | Bias

let elementwise = [| "Relu"; "Neg"; "Abs"; "Exp"; "Sqrt"; "Tanh"; "Sigmoid" |]
let integral = [| "Relu"; "Neg"; "Abs"; "Identity"; "Transpose"; "Reshape"; "Add"; "Sub"; "Mul"; "Max"; "Sum"; "MatMul" |]
let floating =
  [| "Relu"; "Neg"; "Abs"; "Exp"; "Sqrt"; "Tanh"; "Sigmoid"; "Identity"; "Softmax"; "Dropout"; "Transpose"; "Reshape";
     "Add"; "Mul"; "Add"; "Mul"; "Sub"; "Div"; "Max"; "Min"; "Sum"; "MatMul"; "Linear"; "Linear" |]

let attrs_of s name =
  let rank = List.length s.base in
  match name with
  | "Softmax" -> [ ("axis", num (below s rank)) ]
  | "Dropout" -> [ ("ratio", pick s [ float 0.5; float 0.25 ]) ]
  | "Transpose" ->
    [ ("perm", nums (if rank = 2 then pick s [ [ 0; 1 ]; [ 1; 0 ] ] else pick s [ [ 0; 1; 3; 2 ]; [ 0; 2; 1; 3 ]; [ 0; 3; 2; 1 ] ])) ]
  | "Reshape" -> [ ("shape", nums s.base) ]
  | "Gemm" ->
    [ ("alpha", pick s [ float 1.0; float 2.0 ]); ("transA", num (below s 2)); ("transB", num (below s 2)) ]
  | "Conv" -> []
  | _ -> []

(* Name, inputs, attributes. *)
let choice s =
  match Rng.pick s.rng s.ops with
  | "Linear" ->
    let name = if List.length s.base = 2 then "Gemm" else "Conv" in
    let rest = if percent s 50 then [ Bias ] else [] in
    (name, (if name = "Gemm" then [ Base; Base ] else [ Base; Weight ]) @ rest, attrs_of s name)
  | ("Max" | "Min" | "Sum") as name -> (name, List.init (2 + below s 2) (fun k -> if k > 0 && percent s 30 then Small else Base), [])
  | ("Add" | "Sub" | "Mul" | "Div") as name ->
    let small = percent s 35 in
    (name, (if small then if percent s 80 then [ Base; Small ] else [ Small; Base ] else [ Base; Base ]), [])
  | "MatMul" -> ("MatMul", [ Base; Base ], [])
  | name -> (name, [ Base ], attrs_of s name)

let slot_shape s = function
  | Base -> s.base
  | Small -> pick s [ []; []; [ 1 ]; [ 2 ]; s.base ]
  | Weight -> [ 2; 2; 1; 1 ]
  | Bias -> [ 2 ]

let fits s slot e =
  match slot with
  | Small -> List.mem (dims s e) [ []; [ 1 ]; [ 2 ]; s.base ]
  | _ -> dims s e = slot_shape s slot

let existing s limit slot =
  List.filter (fun e -> fits s slot e && s.nodes.(e).dtype = Some s.dtype) (List.init limit Fun.id)

(* A node for this place: one that is there, if [ok], or a new leaf. *)
let leaf_node s limit slot ok =
  let l = List.filter ok (existing s limit slot) in
  if l <> [] && percent s 75 then pick s l
  else
    let shape = slot_shape s slot in
    if percent s 50 || slot = Base then input s shape else const s shape

let noise s count ok =
  for _ = 1 to count do
    let limit = Array.length s.nodes in
    if percent s 8 then ignore (op s "ReduceSum" [ leaf_node s limit Base ok ] [ ("axes", nums [ 1 ]) ])
    else begin
      let name, slots, attrs = choice s in
      ignore (op s name (List.map (fun slot -> leaf_node s limit slot ok) slots) attrs)
    end
  done

(* {1 Expressions} *)

let rec expr_for s ~matching v =
  let known = List.filter (fun (_, _, w) -> w = v) s.facts in
  let component =
    List.concat_map
      (fun (p, l, w) ->
        match w with
        | Shim.Tuple t -> List.concat (List.mapi (fun i x -> if x = v then [ (p, l, i, List.length t) ] else []) t)
        | _ -> [])
      s.facts in
  let die = below s 100 in
  let again = expr_for s ~matching:false in
  match v with
  | _ when matching && die < 12 -> Shim.Any
  | _ when known <> [] && die < 40 -> let p, l, _ = pick s known in Shim.Access (p, l)
  | _ when component <> [] && die < 50 ->
    let p, l, i, n = pick s component in
    Shim.Proj (Shim.Access (p, l), Shim.Const (num (if percent s 30 then i - n else i)))
  | Shim.Int i when die < 65 ->
    let k = below s 3 in
    bin (if percent s 50 then "add" else "sub") (again (Shim.Int Int64.(add i (of_int k)))) (Shim.Const (num 0))
    |> fun e -> if k = 0 then e else bin "sub" (Shim.Const (Shim.Int Int64.(add i (of_int k)))) (Shim.Const (num k))
  | Shim.Int i when die < 70 -> bin "max" (again v) (Shim.Const (Shim.Int (Int64.pred i)))
  | Shim.Int i when die < 75 -> bin "floordiv" (Shim.Const (Shim.Int (Int64.mul 2L i))) (Shim.Const (num 2))
  | Shim.Int _ when s.f.families && die < 80 && i_small v -> family_sum s v
  | Shim.Tuple l when die < 90 -> Shim.Tuple_of (List.map (expr_for s ~matching) l)
  | Shim.Tuple l when s.f.families && die < 94 && l <> [] && List.for_all (( = ) (List.hd l)) l ->
    Shim.Var (0, Shim.Const (num (List.length l)), again (List.hd l))
  | Shim.Tuple (x :: l) -> bin "add" (Shim.Tuple_of [ again x ]) (again (Shim.Tuple l))
  | Shim.Tuple [] -> Shim.Tuple_of []
  | v -> Shim.Const v

and i_small v = match v with Shim.Int i -> i >= 0L && i < 20L | _ -> false

(* i = sum of i ones *)
and family_sum _ v = Shim.Reduce (reduction "sum", Shim.Var (0, Shim.Const v, Shim.Const (num 1)))

let node_facts s p e =
  let n = s.nodes.(e) in
  let tensor =
    match n.dims, n.dtype with
    | Some d, Some t ->
      [ ("shape", Shim.Tuple (List.map (fun i -> Shim.Int i) d)); ("dtype", Shim.Str t); ("ndim", num (List.length d)) ]
    | _ -> [] in
  let own = match s.pats.(p).form, n.kind with
    | Call _, Op _ -> n.attrs
    | Constant _, Const (Some v) -> [ ("value", v) ]
    | Projection _, Proj i -> [ ("index", Shim.Int i) ]
    | _ -> [] in
  own @ List.filter (fun (l, _) -> not (List.mem_assoc l own)) tensor

(* {1 Patterns with an instance} *)

let blank form = { form; wants = []; shared = false; template = false; first = None }

let add_pattern s p = s.pats <- Array.append s.pats [| p |]; Array.length s.pats - 1

let bind s p e maker =
  s.node_of <- (p, e) :: s.node_of;
  s.makers <- (p, maker) :: s.makers;
  if s.certain then begin
    s.facts <- List.map (fun (l, v) -> (p, l, v)) (node_facts s p e) @ s.facts;
    if is_base s e && not (Gsl_types.multi (graph_of s []) e) then s.reusable <- p :: s.reusable
  end;
  p

let node s p = List.assoc p s.node_of
let taken s e = List.exists (fun (_, x) -> x = e) s.node_of

let some_wants s p labels =
  List.filter_map
    (fun (l, v) -> if percent s p then Some (l, expr_for s ~matching:true v) else None)
    labels

let leaf s slot =
  let is_const e = match s.nodes.(e).kind with Const _ -> true | _ -> false in
  let is_leaf e = match s.nodes.(e).kind with Const _ | Input -> true | _ -> false in
  let e =
    match s.trap with
    | Some e when slot = Base -> s.trap <- None; s.broken <- true; e
    | _ ->
      let used = List.filter (fun e -> fits s slot e && is_leaf e) (List.sort_uniq compare (List.map snd s.node_of)) in
      if s.alias && used <> [] then begin
        s.alias <- false; s.broken <- true; pick s used
      end else
        let ok e = not (taken s e) || percent s 4 in
        leaf_node s s.before slot ok in
  let form =
    if is_const e then
      match s.nodes.(e).kind with
      | Const (Some v) when percent s 50 ->
        let literal = match v with
          | Shim.Float b when Float.is_integer (Int64.float_of_bits b) && percent s 30
                              && Int64.float_of_bits b <> 0. ->
            Shim.Const (Shim.Int (Int64.of_float (Int64.float_of_bits b)))
          | v -> expr_for s ~matching:true v in
        Constant (Some literal)
      | _ -> pick s [ Constant None; Variable; Wildcard ]
    else if is_leaf e then pick s [ Wildcard; Wildcard; Variable ]
    else Wildcard in
  let aliased = taken s e in
  let n = s.nodes.(e) in
  let facts = match n.dims, n.dtype with
    | Some d, Some t ->
      [ ("shape", Shim.Tuple (List.map (fun i -> Shim.Int i) d)); ("dtype", Shim.Str t); ("ndim", num (List.length d)) ]
    | _ -> [] in
  let wants = match form with
    | Constant (Some _) -> []
    | _ -> some_wants s 12 facts in
  (* An alias is allowed when one of the leaves says so, and both are leaves. *)
  let other_leaf = List.for_all (fun (p, x) -> x <> e || Gsl_surface.kids s.pats.(p).form = []) s.node_of in
  if aliased && not s.broken && not other_leaf then raise Discard;
  let shared = (aliased && not s.broken) || percent s 8 in
  let p = add_pattern s { (blank form) with wants; shared } in
  bind s p e (fun _ ->
    if percent s 50 then e
    else match n.kind with
      | Const v -> add_node s { (typed s (Const v) (dims s e)) with dtype = n.dtype }
      | _ -> input s (dims s e))

let pair_up commutative ins = match ins with
  | [ a; b ] when commutative -> [ b; a ]
  | l -> l

let commutes name = match Gsl_types.find_op name with Some o -> o.commutative | None -> false

let apply s form name kids ins attrs wants =
  let swap = commutes name && percent s 50 in
  let make ins = op s name (if swap then pair_up true ins else ins) attrs in
  let e = make ins in
  let p = add_pattern s { (blank form) with wants = [] } in
  let facts = s.nodes.(e).attrs in
  s.pats.(p) <- { (s.pats.(p)) with wants = some_wants s wants facts };
  bind s p e (fun to_ -> make (List.map to_ kids))

let rec tree s depth slot =
  if slot = Base && s.certain && depth < 3 && s.reusable <> [] && percent s 18 then pick s s.reusable
  else if slot <> Base || depth = 0 || percent s 22 then leaf s slot
  else
    match below s 100 with
    | d when d < 8 -> part_of_split s depth
    | d when d < 12 -> field_of_tuple s depth
    | d when d < 20 && s.f.alternatives && s.certain -> alternatives s depth
    | d when d < 32 && s.f.operators -> by_operator_pattern s depth
    | d when d < 40 && s.f.variadic && s.certain -> variadic_input s depth
    | _ -> call s depth

and call s depth =
  let name, slots, attrs = choice s in
  match name, slots with
  | ("Gemm" | "Conv"), a :: b :: rest ->
    let a = tree s (depth - 1) a in
    let b = tree s (depth - 1) b in
    linear s name a b (rest <> []) attrs
  | _ ->
    let kids = List.map (fun slot -> tree s (depth - 1) slot) slots in
    apply s (Call (name, kids)) name kids (List.map (node s) kids) attrs 30

(* The third input: there or not, in the pattern and in the graph. *)
and linear s name a b bias attrs =
  let two = [ node s a; node s b ] in
  match below s 100 with
  | d when d < 25 && not bias -> apply s (Call (name, [ a; b ])) name [ a; b ] two attrs 20
  | d when d < 40 && not bias ->
    let n = add_pattern s (blank Absent) in
    apply s (Call (name, [ a; b; n ])) name [ a; b ] two attrs 20
  | d when d < 40 ->
    let c = leaf s Bias in
    apply s (Call (name, [ a; b; c ])) name [ a; b; c ] (two @ [ node s c ]) attrs 20
  | _ ->
    let was = s.certain in
    let default = if percent s 50 then Some (Shim.Const (Shim.Tuple [ number s; number s ])) else None in
    let default = Option.map (function Shim.Const (Shim.Tuple l) -> Shim.Tuple_of (List.map (fun v -> Shim.Const v) l) | e -> e) default in
    s.certain <- false;
    let saved = (s.nodes, s.node_of, s.makers) in
    let c = leaf s Bias in
    let kid_node = node s c in
    if not bias then begin
      let nodes, node_of, makers = saved in
      s.nodes <- nodes; s.node_of <- node_of; s.makers <- makers
    end;
    let o = add_pattern s (blank (Optional (c, default))) in
    s.certain <- was;
    if bias then begin
      s.node_of <- (o, kid_node) :: s.node_of;
      s.makers <- (o, fun to_ -> to_ c) :: s.makers;
      apply s (Call (name, [ a; b; o ])) name [ a; b; c ] (two @ [ kid_node ]) attrs 20
    end else apply s (Call (name, [ a; b; o ])) name [ a; b ] two attrs 20

and part_of_split s depth =
  let x = tree s (depth - 1) Base in
  let axis = List.length s.base - 1 - below s 2 in
  let parts = if percent s 50 then [ 1; 1 ] else [ 2 ] in
  let attrs = [ ("axis", num axis); ("split", nums parts) ] in
  let t = apply s (Call ("Split", [ x ])) "Split" [ x ] [ node s x ] attrs 30 in
  let k = below s (List.length parts) in
  let get s t = add_node s (plain (Proj (Int64.of_int k)) [ t ] []) in
  let e = get s (node s t) in
  let index = if percent s 50 then Shim.Any else expr_for s ~matching:true (num k) in
  let p = add_pattern s (blank (Projection (t, Some index))) in
  let p = bind s p e (fun to_ -> get s (to_ t)) in
  if is_base s e then p
  else begin
    (* back to the base type: [2,1] + base *)
    let y = leaf s Base in
    apply s (Call ("Add", [ p; y ])) "Add" [ p; y ] [ e; node s y ] [] 0
  end

and field_of_variadic_tuple s =
  let n = 1 + below s 3 in
  s.certain <- false;
  let x = leaf s Base in
  s.certain <- true;
  let first = node s x in
  s.pats.(x) <- { (s.pats.(x)) with template = true };
  let is_var = s.pats.(x).form = Variable in
  (match s.pats.(x).form with Wildcard | Variable -> () | _ -> raise Discard);
  let rest = List.init (n - 1) (fun _ -> if is_var && percent s 50 then const s s.base else input s s.base) in
  let e = add_node s (plain Tuple (first :: rest) []) in
  let v = add_pattern s (blank (Variadic { field = x; least = 0; length = None; index = None })) in
  let t = add_pattern s (blank (Tuple_of [ v ])) in
  s.node_of <- (t, e) :: s.node_of;
  s.facts <- (v, "length", num n) :: s.facts;
  let k = below s n in
  let p = add_pattern s (blank (Projection (t, Some (expr_for s ~matching:true (num k))))) in
  bind s p (add_node s (plain (Proj (Int64.of_int k)) [ e ] [])) (fun _ -> raise Discard)

and field_of_tuple s depth =
  if s.f.variadic && s.certain && percent s 30 then field_of_variadic_tuple s else
  let n = 1 + below s 2 in
  let kids = List.init n (fun _ -> tree s (depth - 1) Base) in
  let make ins = add_node s (plain Tuple ins []) in
  let t = add_pattern s (blank (Tuple_of kids)) in
  let t = bind s t (make (List.map (node s) kids)) (fun to_ -> make (List.map to_ kids)) in
  let k = below s n in
  let get t = add_node s (plain (Proj (Int64.of_int k)) [ t ] []) in
  let p = add_pattern s (blank (Projection (t, Some (expr_for s ~matching:true (num k))))) in
  bind s p (get (node s t)) (fun to_ -> get (to_ t))

and alternatives s depth =
  let n = 2 + below s 2 in
  let right = below s n in
  s.certain <- false;
  let one k =
    let saved = (s.nodes, s.node_of, s.makers) in
    let p = call s (min 1 depth) in
    let e = node s p in
    if k <> right then begin
      let nodes, node_of, makers = saved in
      s.nodes <- nodes; s.node_of <- node_of; s.makers <- makers
    end;
    (p, e) in
  let kids = List.init n one in
  s.certain <- true;
  let q, e = List.nth kids right in
  let a = add_pattern s (blank (Alt (List.map fst kids))) in
  s.chosen <- (a, n, right) :: s.chosen;
  bind s a e (fun to_ -> to_ q)

and by_operator_pattern s depth =
  let x = tree s (depth - 1) Base in
  let usable = List.filter (fun n -> s.dtype = "f32" || Array.mem n integral) (Array.to_list elementwise) in
  let o, name =
    if s.operator_patterns <> [] && percent s 50 then pick s s.operator_patterns
    else begin
      let name = pick s usable in
      let others = List.filter (fun n -> n <> name && percent s 30) usable in
      let names = if percent s 50 then name :: others else others @ [ name ] in
      let o = add_pattern s (blank (Operator names)) in
      (* in an alternative that is not taken the operator would be unbound *)
      if s.certain then s.operator_patterns <- (o, name) :: s.operator_patterns;
      (o, name)
    end in
  apply s (Call_like (o, [ x ])) name [ x ] [ node s x ] [] 0

(* {1 Variadic patterns} *)

(* A field of templates over leaves that all instances share, instances 0 .. n-1, and
   perhaps a first pattern for each template. *)
and field s ~output ~commuting ~count =
  let shared_leaf = if output || percent s 70 then Some (leaf s Base) else None in
  let names = if commuting then [ "Add"; "Mul"; "Sub"; "Max" ] else [ "Sub"; "Max"; "Sum"; "MatMul" ] in
  let names = if s.dtype = "f32" then names @ [ "Div" ] else names in
  let start = Array.length s.pats in
  let with_first = percent s 35 in
  s.certain <- with_first;
  let reusable = s.reusable in
  (* the patterns of instance 0: first patterns, or the templates themselves *)
  let inner = leaf s Base in
  let depth = 1 + below s 2 in
  let rec grow d x =
    if d = 0 then x
    else
      let p =
        match shared_leaf with
        | Some y when d = depth || percent s 40 ->
          let name = pick s names in
          let kids = if percent s 70 then [ y; x ] else [ x; y ] in
          apply s (Call (name, kids)) name kids (List.map (node s) kids) [] 0
        | _ when percent s 40 ->
          let name = if s.dtype = "f32" then pick s [ "Softmax"; "Transpose"; "Reshape" ] else "Transpose" in
          let attrs = attrs_of s name in
          let p = apply s (Call (name, [ x ])) name [ x ] [ node s x ] attrs 0 in
          let of_leaf (l, v) =
            match v with
            | Shim.Int i when percent s 50 ->
              (l, bin "sub" (Shim.Access (inner, "ndim")) (Shim.Const (num (List.length s.base - Int64.to_int i))))
            | v when v = nums s.base && percent s 50 -> (l, Shim.Access (inner, "shape"))
            | v -> (l, expr_for s ~matching:true v) in
          let facts = s.facts in
          s.facts <- List.filter (fun (q, _, _) -> q <> p) facts;
          if percent s 60 then s.pats.(p) <- { (s.pats.(p)) with wants = List.map of_leaf attrs };
          s.facts <- facts;
          p
        | _ ->
          let name = Rng.pick s.rng (if s.dtype = "f32" then elementwise else [| "Relu"; "Neg"; "Abs" |]) in
          apply s (Call (name, [ x ])) name [ x ] [ node s x ] [] 0 in
      grow (d - 1) p in
  let top = grow depth inner in
  s.reusable <- reusable;
  s.certain <- true;
  let stop = Array.length s.pats - 1 in
  let mine = List.init (stop - start + 1) (fun i -> start + i) in
  let inside p = p >= start && p <= stop in
  let field =
    if with_first then begin
      let copy p = if inside p then p - start + stop + 1 else p in
      let copies =
        List.map
          (fun p ->
            let q = s.pats.(p) in
            let form = match q.form with
              | Call (n, l) -> Call (n, List.map copy l)
              | Constant _ -> Constant None
              | f -> f in
            let wants =
              if q.form = Wildcard && percent s 40 then [ ("shape", Shim.Access (p, "shape")) ] else [] in
            { q with form; wants; template = true; first = Some p })
          mine in
      List.iter (fun p -> ignore (add_pattern s p)) copies;
      copy top
    end else begin
      List.iter (fun p -> s.pats.(p) <- { (s.pats.(p)) with template = true }) mine;
      top
    end in
  (* the other instances *)
  let another _ =
    let made = ref [] in
    let to_ p = if inside p then List.assoc p !made else node s p in
    List.iter
      (fun p ->
        let e =
          if p = inner then
            match s.pats.(p).form with
            | Wildcard -> input s s.base
            | Variable -> if percent s 50 then input s s.base else const s s.base
            | _ -> raise Discard
          else (List.assoc p s.makers) to_ in
        made := (p, e) :: !made)
      mine;
    to_ top in
  let first = node s top in
  let others = List.init (count - 1) another in
  s.facts <- List.filter (fun (p, _, _) -> with_first || not (inside p)) s.facts;
  (field, first :: others)

(* Concat of every part of a Split: the number of the part is that of the instance. *)
and all_parts s =
  let x = leaf s Base in
  let axis = List.length s.base - 1 in
  let parts = pick s [ [ 1; 1 ]; [ 2 ]; [ 0; 2 ]; [ 1; 0; 1 ] ] in
  let attrs = [ ("axis", num axis); ("split", nums parts) ] in
  let t = apply s (Call ("Split", [ x ])) "Split" [ x ] [ node s x ] attrs 30 in
  let get k = add_node s (plain (Proj (Int64.of_int k)) [ node s t ] []) in
  let nodes = List.mapi (fun k _ -> get k) parts in
  let part = { (blank (Projection (t, Some (Shim.Symbol 100)))) with template = true } in
  let f = add_pattern s part in
  let v = add_pattern s (blank (Variadic { field = f; least = 0; length = None; index = Some 100 })) in
  s.facts <- (v, "length", num (List.length parts)) :: s.facts;
  let attrs = [ ("axis", num axis) ] in
  let e = op s "Concat" nodes attrs in
  let p = add_pattern s (blank (Call ("Concat", [ v ]))) in
  s.pats.(p) <- { (s.pats.(p)) with wants = some_wants s 50 attrs };
  bind s p e (fun _ -> raise Discard)

and variadic_input s depth = if percent s 25 && depth > 0 then all_parts s else variadic_inputs s

and variadic_inputs s =
  let count = 1 + below s 3 in
  let field, nodes = field s ~output:false ~commuting:true ~count in
  let length = if percent s 30 then Some (expr_for s ~matching:false (num count)) else None in
  let v = add_pattern s (blank (Variadic { field; least = 0; length; index = None })) in
  let name = pick s [ "Max"; "Sum" ] in
  s.facts <- (v, "length", num count) :: s.facts;
  let e = op s name nodes [] in
  let p = add_pattern s (blank (Call (name, [ v ]))) in
  bind s p e (fun _ -> raise Discard)

(* {1 Whole rules} *)

let is_root s p = match s.pats.(p).form with Call _ | Call_like _ | Projection _ -> true | _ -> false

let root s =
  let p = tree s (1 + below s 3) Base in
  if is_root s p then p else apply s (Call ("Relu", [ p ])) "Relu" [ p ] [ node s p ] [] 0

(* Makes [p] a tree that has a pattern of the ones before below it. *)
let connected s =
  let old = pick s s.reusable in
  let name, slots, attrs = choice s in
  let slots = List.filter (fun x -> x = Base || x = Small) slots in
  if slots = [] || name = "Gemm" || name = "Conv" then
    apply s (Call ("Relu", [ old ])) "Relu" [ old ] [ node s old ] [] 0
  else begin
    let at = below s (List.length (List.filter (( = ) Base) slots)) in
    let seen = ref (-1) in
    let kids =
      List.map
        (fun slot -> if slot = Base then incr seen; if slot = Base && !seen = at then old else tree s (below s 2) slot)
        slots in
    let top = apply s (Call (name, kids)) name kids (List.map (node s) kids) attrs 30 in
    if percent s 30 then apply s (Call ("Relu", [ top ])) "Relu" [ top ] [ node s top ] [] 0 else top
  end

let below_pattern s p =
  let rec go seen k = if List.mem k seen then seen else List.fold_left go (k :: seen) (Gsl_surface.kids s.pats.(k).form) in
  go [] p

let several s n break =
  let first = root s in
  let rec more outs k =
    if k = 0 then List.rev outs
    else begin
      s.reusable <- List.filter (fun p -> not (List.mem p outs)) s.reusable;
      if break = "convex" && not s.broken then
        s.trap <- Some (op s "Abs" [ node s (List.hd outs) ] []);
      more (connected s :: outs) (k - 1)
    end in
  let outs = more [ first ] (n - 1) in
  (* an output has no user in the source *)
  if List.exists (fun o -> List.exists (fun p -> p <> o && List.mem o (below_pattern s p)) outs) outs then raise Discard;
  outs

let variadic_source s =
  let least = below s 3 in
  let count = max 1 (least + below s 2) in
  let field, nodes = field s ~output:true ~commuting:(least < 2) ~count in
  let v = add_pattern s (blank (Variadic { field; least; length = None; index = None })) in
  (v, field, nodes)

(* {1 Conditions} *)

let rec holds s =
  let p, l, v = pick s s.facts in
  let a = Shim.Access (p, l) in
  let other = match v with
    | Shim.Int i -> Shim.Int (Int64.succ i)
    | Shim.Tuple l -> Shim.Tuple (l @ [ num 7 ])
    | Shim.Str _ -> Shim.Str "f64"
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
  (* calque check wants the branches to have a pattern in common. *)
  let common p =
    (not s.pats.(p).template) && match s.pats.(p).form with Operator _ | Absent -> false | _ -> true in
  if not (List.exists common inside) then raise Discard;
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
