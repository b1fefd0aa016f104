module X = Extracted_model
module D = Extracted_dpia
module G = Shim_gsl
module S = Shim_dpia

let nat = Z.of_int
let int = Z.to_int

(* {1 Into Coq}: node k of the text is node k + 1, node 0 is the absent input. *)

let rec value = function
  | Shim.None_ -> X.VNone
  | Shim.Bool b -> X.VBool b
  | Shim.Int i -> X.VInt (Z.of_int64 i)
  | Shim.Float b -> X.VFloat (Z.extract (Z.of_int64 b) 0 64)
  | Shim.Str s -> X.VStr s
  | Shim.Tuple l -> X.VTuple (List.map value l)

let type_of (n : G.node) =
  match n.dims with
  | Some l -> [ ("shape", X.VTuple (List.map (fun d -> X.VInt (Z.of_int64 d)) l)) ]
  | None -> []

(* A constant with data is that tensor, whatever is written on it. *)
let node_in data k (n : G.node) =
  let id = nat (k + 1) in
  let what =
    match n.kind with
    | G.Input -> X.KInput id
    | G.Const v -> X.KConst (id, if Hashtbl.mem data k then None else Option.map value v)
    | G.Op name -> X.KCall name
    | G.Proj i -> X.KProj (Z.of_int64 i)
    | G.Tuple -> X.KTuple in
  let arg = function Some e -> nat (e + 1) | None -> Z.zero in
  { X.op = { X.what; type0 = type_of n; attrs = List.map (fun (l, v) -> (l, value v)) n.attrs };
    args = List.map arg n.ins }

let absent = { X.op = { X.what = X.KAbsent; type0 = []; attrs = [] }; args = [] }

(* {1 Element types} *)

let elements = [ "f32", "float"; "f64", "double"; "i32", "int32_t"; "i64", "int64_t"; "i8", "int8_t"; "u8", "uint8_t"; "bool", "uint8_t" ]
let c_type e = List.assoc e elements
let numbers = [ "f32", S.F32; "f64", S.F64; "i32", S.I32; "i64", S.I64; "i8", S.I32; "u8", S.I32; "bool", S.I32 ]

let dtype (g : G.node array) k = Option.value g.(k).dtype ~default:"?"
let first_input (n : G.node) = match n.ins with Some e :: _ -> e | _ -> raise (Shim.Internal "an operator without inputs")

(* What the cells of its results are; what its kernel computes on. *)
let result_type g (n : G.node) own = if n.kind = G.Op "Split" then dtype g (first_input n) else own

let computes g (n : G.node) own =
  match n.kind with
  | G.Op "Cast" ->
    let from = dtype g (first_input n) in
    Option.value (List.find_opt (fun e -> e = own || e = from) [ "f64"; "f32"; "i64"; "i32" ]) ~default:own
  | G.Op ("Equal" | "Less" | "Greater" | "LessOrEqual" | "GreaterOrEqual") -> dtype g (first_input n)
  | _ -> result_type g n own

let number_type e = List.assoc e numbers

(* {1 Numbers} *)

let double = function
  | X.S754_zero s -> if s then -0. else 0.
  | X.S754_infinity s -> if s then neg_infinity else infinity
  | X.S754_nan -> nan
  | X.S754_finite (s, m, e) ->
    let x = ldexp (Z.to_float m) (int e) in
    if s then -.x else x

let real (a : X.num option) = Option.map (fun a -> Printf.sprintf "%h" (double (Obj.obj (Obj.repr a)))) a

let whole (a : X.num option) : string option =
  Option.bind a (fun a -> Option.map Z.to_string (Obj.obj (Obj.repr a) : Z.t option))

let truth (a : X.num option) = Option.map (fun a -> if (Obj.obj (Obj.repr a) : bool) then "1" else "0") a

(* A cell of a constant as a literal: what it reads as. *)
let cell ~words element (a : X.num) =
  let text =
    if words then whole (Some a)
    else
      let s : X.scalar0 = Obj.obj (Obj.repr a) in
      match element with
      | "f32" -> real s.as_f32
      | "f64" -> real s.as_f64
      | "i32" -> whole s.as_i32
      | "i64" -> whole s.as_i64
      | "i8" -> whole s.as_i8
      | "u8" -> whole s.as_u8
      | _ -> truth s.as_truth in
  match text with
  | None -> raise (Shim.Internal "a constant of another element type")
  | Some s -> if element = "bool" then s else Dpia.literal (number_type element) s

(* {1 Reading}: the graph, then (data (ID CELL ..) ..) as [Model] has it. *)

type text = { graph : G.graph; cells : (int, string list) Hashtbl.t }

let text i =
  let graph, _, cells, _ = Gsl.graph_with_data (fun i _ -> Some (Read.until_closed i Read.atom)) i in
  { graph; cells }

let read s = Read.parse s text

let none = { X.as_f32 = None; as_f64 = None; as_i64 = None; as_i32 = None; as_i8 = None; as_u8 = None; as_truth = None }
let num (x : 'a) : X.num = Obj.obj (Obj.repr x)

(* A cell from its text. *)
let scalar ~words element s =
  let float number s =
    Some
      (num
         (if s = "nan" then X.S754_nan
          else
            match (Obj.obj (Obj.repr (S.scalar_of_string number s)) : D.spec_float) with
            | D.S754_zero b -> X.S754_zero b
            | D.S754_infinity b -> X.S754_infinity b
            | D.S754_nan -> X.S754_nan
            | D.S754_finite (b, m, e) -> X.S754_finite (b, m, e))) in
  if words then num (Some (Z.of_string s))
  else
    num
      (match element with
       | "f32" -> { none with X.as_f32 = float S.F32 s }
       | "f64" -> { none with X.as_f64 = float S.F64 s }
       | "i32" -> { none with X.as_i32 = Some (num (Some (Z.of_string s))) }
       | "i64" -> { none with X.as_i64 = Some (num (Some (Z.of_string s))) }
       | "i8" -> { none with X.as_i8 = Some (num (Some (Z.of_string s))) }
       | "u8" -> { none with X.as_u8 = Some (num (Some (Z.of_string s))) }
       | _ -> { none with X.as_truth = Some (num (s = "1")) })

(* {1 Functions: into the program that is printed} *)

let size (n : X.size) : D.size = Obj.repr (D.poly_lift (Obj.obj n : Z.t))

let rec data = function
  | X.DNum -> D.DNum
  | X.DAry (n, d) -> D.DAry (size n, data d)
  | X.DPair (a, b) -> D.DPair (data a, data b)

let rec index = function
  | X.KVar l -> D.KVar l
  | X.KCst z -> D.KCst z
  | X.KSize n -> D.KSize (size n)
  | X.KAdd (a, b) -> D.KAdd (index a, index b)
  | X.KSub (a, b) -> D.KSub (index a, index b)
  | X.KMul (a, b) -> D.KMul (index a, index b)
  | X.KDiv (a, b) -> D.KDiv (index a, index b)
  | X.KMod (a, b) -> D.KMod (index a, index b)
  | X.KQuot (a, b) -> D.KQuot (index a, index b)
  | X.KRem (a, b) -> D.KRem (index a, index b)

let comparison = function
  | X.CLt -> D.CLt | X.CLe -> D.CLe | X.CGt -> D.CGt | X.CGe -> D.CGe | X.CEq -> D.CEq | X.CNe -> D.CNe

let rec cond = function
  | X.KCmp (c, a, b) -> D.KCmp (comparison c, index a, index b)
  | X.KAnd (a, b) -> D.KAnd (cond a, cond b)

let operator = function X.OAdd -> "+" | X.OSub -> "-" | X.OMul -> "*" | X.ODiv -> "/" | X.OMod -> "%"

let function_ = function
  | X.FMax -> "max" | X.FMin -> "min" | X.FPow -> "pow" | X.FNeg -> "neg" | X.FExp -> "exp" | X.FLog -> "log"
  | X.FSqrt -> "sqrt" | X.FTanh -> "tanh" | X.FAbs -> "abs" | X.FErf -> "erf" | X.FRound -> "round" | X.FLess -> "less"
  | X.FEqual -> "equal" | X.FWhen -> "when" | X.FOrelse -> "orelse" | X.FCast _ -> "cast"

(* What a function stores has the element type that it converts to. *)
let converts = function X.FCast _ -> true | _ -> false

(* An accumulator is of the type that is computed on. *)
let start element = function
  | X.KSum -> "0"
  | X.KMax -> Opkernel.number (match element with Opkernel.I8 | Opkernel.U8 -> Opkernel.I32 | e -> e) neg_infinity
let step = function X.KSum -> "+" | X.KMax -> "max"

let literal element (c : X.literal) =
  let single x = Int32.float_of_bits (Int32.bits_of_float x) in
  let real bits = Int64.float_of_bits (Z.to_int64 (Z.signed_extract bits 0 64)) in
  match c with
  | X.LInt z -> Opkernel.integer_literal element z
  | X.LReal bits -> Opkernel.number element (real bits)
  | X.LRatio (bits, n) -> Opkernel.number element (single (single (real bits) /. single (Z.to_float n)))
  | X.LTiny -> Opkernel.number element (if element = Opkernel.F32 then 0x1p-149 else 0x1p-1074)
  | X.LLeast -> Opkernel.number element neg_infinity

let word (s : string) = Obj.repr s

(* The quotient of integers, cut: [div_cell] in the words of [int64], which is what [words64] and [words32] of coq/tensor/Mixed.v
   divide by (their values: coq/tensor/Cut.v). "/" rounds down in C as in [int64]. *)
let cut element a b =
  let two o a b = D.FBin (word o, a, b) in
  let number z = D.FLit (word (literal element (X.LInt z))) in
  let q = two "/" a b in
  two "+" q (two "when" (two "less" q (number Z.zero)) (two "-" (number Z.one) (two "equal" (two "*" q b) a)))

(* [cuts]: are quotients those of integers among other types? *)
let rec exp element cuts e =
  let exp = exp element cuts in
  match e with
  | X.FLoad (r, k) -> D.FLoad (r, index k)
  | X.FLit l ->
    (match (Obj.obj (Obj.repr l) : (X.literal, X.reduction) X.sum) with
     | X.Inl c -> D.FLit (word (literal element c))
     | X.Inr r -> D.FLit (word (start element r)))
  | X.FUn (o, a) when converts (Obj.obj (Obj.repr o)) -> exp a
  | X.FUn (o, a) -> D.FUn (word (function_ (Obj.obj (Obj.repr o))), exp a)
  | X.FBin (o, a, b) ->
    let o =
      match (Obj.obj (Obj.repr o) : X.binary0) with
      | X.BOp o -> operator (Obj.obj (Obj.repr o))
      | X.BStep r -> step (Obj.obj (Obj.repr r))
      | X.BFun f -> function_ (Obj.obj (Obj.repr f)) in
    if cuts && o = "/" then cut element (exp a) (exp b) else D.FBin (word o, exp a, exp b)
  | X.FCond (c, a, b) -> D.FCond (cond c, exp a, exp b)
  | X.FNone -> D.FNone

let rec statement element cuts c =
  let statement = statement element cuts in
  match c with
  | X.FSkip -> D.FSkip
  | X.FSeq (a, b) -> D.FSeq (statement a, statement b)
  | X.FSet (r, k, e) -> D.FSet (r, index k, exp element cuts e)
  | X.FBlock (r, d, b) -> D.FBlock (r, data d, statement b)
  | X.FFor (p, l, n, b) -> D.FFor ((match p with X.Par -> D.Par | X.Seq -> D.Seq), l, size n, statement b)
  | X.FIf (c, a, b) -> D.FIf (cond c, statement a, statement b)
  | X.FStop -> D.FStop

let rec array = function [] -> D.DNum | n :: l -> D.DAry (Obj.repr (D.poly_lift n), array l)

(* A function's parameters: their names, their element types. *)
type signature = { number : S.number; cuts : bool; result : string; params : (string * string) list }

(* What literals are of: the number that is computed on, in the range of what is stored. *)
let element_of signature =
  match signature.number, signature.result with
  | S.I32, "i8" -> Opkernel.I8
  | S.I32, "u8" -> Opkernel.U8
  | S.F32, _ -> Opkernel.F32
  | S.F64, _ -> Opkernel.F64
  | S.I32, _ -> Opkernel.I32
  | S.I64, _ -> Opkernel.I64

let print_function k signature (f : X.function1) =
  let param r ((name, _), dims) = { S.role = (if r < int f.f_inputs then S.In else S.Out); name; ty = array dims } in
  let p =
    { S.number = signature.number; sizes = [||]; assignments = [];
      params = List.mapi param (List.combine signature.params f.f_params) } in
  Dpia.c_function ~head:"static " ~name:(Printf.sprintf "calque_f%d" k)
    ~stored:(Array.of_list (List.map snd signature.params))
    p (statement (element_of signature) signature.cuts f.f_body)

(* {1 Look-ups} *)

(* A place: each variable times its stride, all added. *)
let position dims variables =
  let rec strides = function [] -> [] | _ :: l -> List.fold_left Z.mul Z.one l :: strides l in
  let term v s = if Z.equal s Z.one then v else Printf.sprintf "%s * %s" v (Z.to_string s) in
  if dims = [] then "0" else String.concat " + " (List.map2 term variables (strides dims))

let variable = function X.IVar k -> Printf.sprintf "i%s" (Z.to_string k) | _ -> raise (Shim.Internal "a look-up of other indices")

let print_look k signature (l : X.look) (x : X.place0) (ix : X.place0) (y : X.place0) =
  let count = List.fold_left Z.mul Z.one and n = Z.to_string l.lsize in
  let types = List.map (fun (_, e) -> c_type e) signature.params in
  let rank = List.length l.ldims in
  let pad k = String.make (4 * k) ' ' in
  let copy =
    if Z.equal (count y.p_dims) Z.zero then [ "    (void)X0;\n    (void)Y0;\n" ]
    else
      List.mapi (fun i d -> Printf.sprintf "%sfor (long i%d = 0; i%d < %s; i%d++) {\n" (pad (i + 1)) i i (Z.to_string d) i) l.ldims
      @ [ Printf.sprintf "%slong at = X1[%s];\n" (pad (rank + 1)) (position ix.p_dims (List.map variable l.lplace));
          Printf.sprintf "%sat += at < 0 ? %s : 0;\n" (pad (rank + 1)) n;
          Printf.sprintf "%sY0[%s] = X0[%s];\n" (pad (rank + 1))
            (position y.p_dims (List.mapi (fun i _ -> Printf.sprintf "i%d" i) l.ldims))
            (position x.p_dims (List.map variable l.before @ ("at" :: List.map variable l.after))) ]
      @ List.init rank (fun i -> pad (rank - i) ^ "}\n") in
  Printf.sprintf "static int calque_f%d(const %s *restrict X0, const %s *restrict X1, %s *restrict Y0)\n{\n" k
    (List.nth types 0) (List.nth types 1) (List.nth types 2)
  ^ Printf.sprintf "    for (long i = 0; i < %s; i++) {\n        if (X1[i] < %s || X1[i] >= %s)\n            return 1;\n    }\n"
      (Z.to_string (count ix.p_dims)) (Z.to_string (Z.neg l.lsize)) n
  ^ String.concat "" copy ^ "    return 0;\n}\n"

(* {1 Refusals} *)

exception Refused of int * string

type model = {
  graph : G.graph;
  ours : X.oper X.node list;   (* the same as Coq has it, without the absent input *)
  nodes : G.node array;
  words : bool;                (* every number is an i64 *)
  arith : X.arith;
  constant_of : Z.t -> X.value option -> X.num X.tensor option
}

let refuse k why = raise (Refused (k, why))

let check_type m k =
  let n = m.nodes.(k) in
  match n.kind, n.dims with
  | (G.Tuple | G.Op "Split"), _ -> ()
  | _, Some _ when List.mem_assoc (dtype m.nodes k) elements -> ()
  | _ -> refuse k "its type is unknown, or none of f32, f64, i32, i64, i8, u8, bool"

let because = function
  | X.NoSizes -> "it has no data"
  | X.NoTensor -> "an input is a tuple"
  | X.AbsentBefore -> "an input is absent before one that is there"
  | X.NoType | X.NoKernel | X.IndexOutside -> "it has no kernel"
  | X.NoPlace -> "no place"
  | X.NoField -> "it is a field of no tuple"

let tensor_name t =
  let k, kind = Z.ediv_rem t (nat 3) in
  (match int kind with 0 -> "X" | 1 -> "Y" | _ -> "T") ^ Z.to_string k

(* The signature of the operator's function; what integers have no kernel for is refused. *)
let signature m (st : X.state) k name (o : X.oper X.node) =
  let own = dtype m.nodes k in
  let bound = List.map (fun a -> List.nth st.bound_to (int a)) o.args in
  let places = List.concat_map (function X.GTensor p -> [ p ] | _ -> []) bound in
  let attrs = o.op.attrs in
  let out =
    match X.op_infer name attrs (List.map (X.map_value (fun (p : X.place0) -> p.p_dims)) bound) with
    | Some (X.GTensor d) -> d
    | _ -> [] in
  let manner = X.manner_of m.arith st name attrs places in
  let index = match manner with Some (X.ByKernel l) -> l | _ -> [] in
  let looks = match manner with Some (X.ByLook _) -> true | _ -> false in
  let computed = computes m.nodes m.nodes.(k) own in
  let number = number_type computed in
  let kernel integers = X.op_kernel m.arith name attrs (List.map (fun (p : X.place0) -> p.p_dims) places) out integers index in
  let program = kernel m.words in
  let cuts = (number = S.I32 || number = S.I64) && not m.words in
  if cuts && not looks && kernel true = None then refuse k (because X.NoKernel);
  let inputs = List.filteri (fun i _ -> i < List.length places) m.nodes.(k).ins in
  let input i = function Some e -> (Printf.sprintf "X%d" i, dtype m.nodes e) | None -> refuse k (because X.AbsentBefore) in
  let result = result_type m.nodes m.nodes.(k) own in
  let stored (t, _) =
    let s = tensor_name t in
    (s, if s.[0] = 'Y' then result else List.assoc computed [ "bool", "i32"; "i8", "i32"; "u8", "i32"; "f32", "f32"; "f64", "f64"; "i32", "i32"; "i64", "i64" ]) in
  { number; cuts; result;
    params =
      List.mapi input inputs
      @ if looks then [ ("Y0", result) ] else List.map stored (X.stored0 (X.kernel_scalars m.arith) (Option.value program ~default:[])) }

(* Steps through the nodes: the signature of each function, or the first node that is refused.  What is stored lies far apart
   here, [most] tensors for a node. *)
let signatures m =
  let apart = Z.shift_left Z.one 32 and most = 100 in
  let room = Z.mul apart (nat (most * (Array.length m.nodes + 1))) in
  let step (st, k, acc) (n : X.oper X.node) =
    check_type m k;
    let st = { st with X.offsets = List.init most (fun i -> Z.mul apart (nat ((most * k) + i))) } in
    match X.refused m.arith m.constant_of room st [ n ] Z.zero with
    | Some ((_, st), n) -> refuse k (because (X.reason_of m.arith st n))
    | None ->
      let acc = match n.op.what with X.KCall name -> signature m st k name n :: acc | _ -> acc in
      match X.add_node m.arith m.constant_of room st n with
      | Some st' -> (st', k + 1, acc)
      | None -> raise (Shim.Internal "a node is refused, and not") in
  let empty = { X.bound_to = []; valid = []; calls = []; weights = []; offsets = []; next = Z.zero } in
  let start = Option.get (X.add_node m.arith m.constant_of room empty absent) in
  let _, _, l = List.fold_left step (start, 0, []) m.ours in
  List.rev l

(* {1 The file} *)

let head =
  "/* A model as plain C, emitted by calque: each operator's kernel as a function, as the translation rules give it, and\n\
  \   their calls. Coq: compile (coq/model/Compile.v), of which model_correct speaks. Arrays are dense and row-major; arena is\n\
  \   aligned for any type and overlaps nothing else; outputs overlap nothing else. The bits need -ffp-contract=off. Returned\n\
  \   is 0; 1 where an index of a look-up is outside, and then the outputs have no values. */\n"

(* The constants, by number of their first weight. *)
let constants m =
  let count (n : G.node) = List.fold_left (fun c d -> c * Int64.to_int d) 1 (Option.value n.dims ~default:[]) in
  let add (at, l) (k, (n : G.node)) =
    match n.kind with G.Const _ -> (at + count n, (at, (k, count n)) :: l) | _ -> (at, l) in
  List.rev (snd (List.fold_left add (0, []) (List.mapi (fun k n -> (k, n)) m.graph.nodes)))

(* Lists of weights are long: no recursion on them. *)
let split_at n l =
  let rec go n acc l = match l with x :: l when n > 0 -> go (n - 1) (x :: acc) l | _ -> (List.rev acc, l) in
  go n [] l

let lines l =
  let rec go acc l =
    match split_at 8 l with
    | a, [] -> List.rev (String.concat ", " a :: acc)
    | a, rest -> go (String.concat ", " a :: acc) rest in
  go [] l

let weights m (u : X.unit_) =
  let one (rest, text) (_, (k, n)) =
    if n = 0 then (rest, text) else
    let cells, rest = split_at n rest in
    let e = dtype m.nodes k in
    let s =
      Printf.sprintf "static const %s calque_w%d[%d] = {\n    %s\n};\n" (c_type e) k n
        (String.concat ",\n    " (lines (List.rev (List.rev_map (cell ~words:m.words e) cells)))) in
    (rest, s :: text) in
  String.concat "" (List.rev (snd (List.fold_left one (u.u_weights, []) (constants m))))

(* What has no cells is nowhere: any pointer of its type. *)
let place inputs consts (p : X.place0) element =
  if List.exists (Z.equal Z.zero) p.p_dims then Printf.sprintf "(%s *)(arena + 0)" (c_type element)
  else if Z.equal p.p_array X.arena then Printf.sprintf "(%s *)(arena + %s)" (c_type element) (Z.to_string (Z.mul (nat 8) p.p_base))
  else if Z.equal p.p_array X.weights_array then Printf.sprintf "calque_w%d" (fst (List.assoc (int p.p_base) (List.filter (fun (_, (_, n)) -> n > 0) consts)))
  else
    let node = (int p.p_array - 2) / 2 - 1 in
    Printf.sprintf "in%d" (List.assoc node inputs)

let file m ~name signatures (u : X.unit_) =
  let numbered = List.mapi (fun k n -> (k, n)) m.graph.nodes in
  let inputs = List.mapi (fun i (k, _) -> (k, i)) (List.filter (fun (_, (n : G.node)) -> n.kind = G.Input) numbered) in
  let consts = constants m in
  let place = place inputs consts in
  let print k (s, c) =
    match c with X.Call (f, _) -> print_function k s f | X.Fetch (l, x, ix, y) -> (print_look k s l x ix y, []) in
  let functions = List.mapi print (List.combine signatures u.u_calls) in
  let call k (s, c) =
    let arguments l = String.concat ", " (List.map2 (fun p (_, e) -> place p e) l s.params) in
    match c with
    | X.Call (_, l) -> Printf.sprintf "    calque_f%d(%s);\n" k (arguments l)
    | X.Fetch (_, x, ix, y) -> Printf.sprintf "    if (calque_f%d(%s))\n        return 1;\n" k (arguments [ x; ix; y ]) in
  let outputs = List.mapi (fun i ((_, k), p) -> (i, dtype m.nodes k, p)) (List.combine m.graph.outputs u.u_outputs) in
  let copy (i, e, (p : X.place0)) =
    let n = List.fold_left Z.mul Z.one p.p_dims in
    if Z.equal n Z.zero then Printf.sprintf "    (void)out%d;\n" i else
    Printf.sprintf "    memcpy(out%d, %s, %s * sizeof(%s));\n" i (place p e) (Z.to_string n) (c_type e) in
  Dpia.with_helpers (List.concat_map snd functions)
    (String.concat ""
       (List.map (fun (text, _) -> text ^ "\n") functions
       @ [ weights m u;
           Printf.sprintf "\nconst long %s_arena = %s; /* bytes */\n\nint %s(unsigned char *arena" name
             (Z.to_string (Z.mul (nat 8) u.u_arena)) name ]
       @ List.map (fun (k, i) -> Printf.sprintf ", const %s *in%d" (c_type (dtype m.nodes k)) i) inputs
       @ List.map (fun (i, e, _) -> Printf.sprintf ", %s *out%d" (c_type e) i) outputs
       @ [ ")\n{\n    (void)arena;\n" ]
       @ List.map (fun (_, i) -> Printf.sprintf "    (void)in%d;\n" i) inputs
       @ List.mapi call (List.combine signatures u.u_calls)
       @ List.map copy outputs @ [ "    return 0;\n}\n" ]))

let model (t : text) =
  let nodes = Array.of_list t.graph.nodes in
  let words = Array.for_all (fun (n : G.node) -> n.dtype = None || n.dtype = Some "i64") nodes in
  let arith = if words then X.int64 else X.mixed X.standard0 in
  let in_range k = k >= 0 && k < Array.length nodes in
  let sizes k = Option.map (List.map Z.of_int64) nodes.(k).dims in
  let shapes id = if in_range (int id - 1) then sizes (int id - 1) else None in
  let data = Hashtbl.create 16 in
  let add k l =
    if in_range k && List.mem_assoc (dtype nodes k) elements then
      Option.iter
        (fun dims -> Hashtbl.replace data k { X.dims0 = dims; cells = List.rev (List.rev_map (scalar ~words (dtype nodes k)) l) })
        (sizes k) in
  Hashtbl.iter add t.cells;
  { graph = t.graph; nodes; words; arith; ours = List.mapi (node_in data) t.graph.nodes;
    constant_of = X.const_value arith (fun id -> Hashtbl.find_opt data (int id - 1)) shapes }

(* Coq's functions recurse on lists of all weights: each minor collection scans that stack, so there are to be few. *)
let c ~name t =
  Gc.set { (Gc.get ()) with Gc.minor_heap_size = 1 lsl 24 };
  let m = model t in
  let outputs = List.map (fun (_, e) -> nat (e + 1)) m.graph.outputs in
  match signatures m with
  | signatures ->
    (match X.compile_stacked m.arith m.constant_of (absent :: m.ours) outputs with
     | Some u -> Ok (head ^ file m ~name signatures u)
     | None -> Error "an output is a tuple")
  | exception Refused (k, why) ->
    let op = match m.nodes.(k).kind with G.Op s -> " (" ^ s ^ ")" | _ -> "" in
    Error (Printf.sprintf "node %d%s: %s" k op why)
