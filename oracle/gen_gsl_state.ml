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
