open Shim_gsl

type op = { least : int; most : int option; commutative : bool }

exception Untyped of string

let bad fmt = Printf.ksprintf (fun s -> raise (Untyped s)) fmt
let num i = Shim.Int (Int64.of_int i)
let nums l = Shim.Tuple (List.map num l)
let float x = Shim.Float (Int64.bits_of_float x)

(* {1 Tables} *)

let unary = { least = 1; most = Some 1; commutative = false }
let binary = { unary with least = 2; most = Some 2 }
let any_of = { unary with most = None }

let table =
  List.map (fun s -> (s, unary))
    [ "Relu"; "Neg"; "Abs"; "Exp"; "Sqrt"; "Log"; "Tanh"; "Sigmoid"; "Identity"; "Dropout"; "Softmax";
      "Transpose"; "Reshape"; "Split"; "ReduceSum"; "Flatten" ]
  @ [ ("Sub", binary); ("Div", binary); ("MatMul", binary);
      ("Add", { binary with commutative = true }); ("Mul", { binary with commutative = true });
      ("Max", any_of); ("Min", any_of); ("Sum", any_of); ("Concat", any_of);
      ("Conv", { binary with most = Some 3 }); ("Gemm", { binary with most = Some 3 }) ]

let find_op name = List.assoc_opt name table

let float_only = [ "Exp"; "Sqrt"; "Log"; "Tanh"; "Sigmoid"; "Dropout"; "Softmax"; "Conv" ]

type kind = I | IS | F

let labels = function
  | "Conv" ->
    [ ("kernel_shape", IS, None); ("strides", IS, None); ("pads", IS, None); ("dilations", IS, None);
      ("group", I, Some (num 1)) ]
  | "Gemm" ->
    [ ("alpha", F, Some (float 1.0)); ("beta", F, Some (float 1.0)); ("transA", I, Some (num 0));
      ("transB", I, Some (num 0)) ]
  | "Softmax" -> [ ("axis", I, None); ("flatten", I, Some (num 0)) ]
  | "Dropout" -> [ ("ratio", F, Some (float 0.5)) ]
  | "Transpose" -> [ ("perm", IS, None) ]
  | "Reshape" -> [ ("shape", IS, None) ]
  | "Concat" -> [ ("axis", I, None) ]
  | "Split" -> [ ("axis", I, Some (num 0)); ("split", IS, None) ]
  | "ReduceSum" -> [ ("axes", IS, None); ("keepdims", I, Some (num 1)) ]
  | "Flatten" -> [ ("axis", I, Some (num 1)) ]
  | _ -> []

(* {1 Attributes} *)

let kind_ok kind v =
  match kind, v with
  | I, Shim.Int _ | F, Shim.Float _ -> true
  | IS, Shim.Tuple l -> List.for_all (function Shim.Int _ -> true | _ -> false) l
  | _ -> false

let with_defaults name attrs =
  let known = labels name in
  let check (l, v) =
    match List.find_opt (fun (m, _, _) -> m = l) known with
    | Some (_, kind, _) when kind_ok kind v -> ()
    | Some _ -> bad "attribute %s of another kind" l
    | None -> bad "unknown attribute %s" l in
  List.iter check attrs;
  let missing (l, _, v) = if List.mem_assoc l attrs then None else Option.map (fun v -> (l, v)) v in
  attrs @ List.filter_map missing known

let int_attr attrs l lo hi =
  match List.assoc_opt l attrs with
  | Some (Shim.Int i) when Int64.to_int i >= lo && Int64.to_int i <= hi -> Int64.to_int i
  | Some _ -> bad "attribute %s out of range" l
  | None -> bad "attribute %s is missing" l

let ints_attr attrs l =
  match List.assoc_opt l attrs with
  | Some (Shim.Tuple v) ->
    List.map (function Shim.Int i -> Int64.to_int i | _ -> bad "attribute %s" l) v
  | Some _ -> bad "attribute %s" l
  | None -> bad "attribute %s is missing" l

(* A list attribute of [n] elements at least [lo], by default [n] times [otherwise]. *)
let ints_or attrs l n lo otherwise =
  let v = if List.mem_assoc l attrs then ints_attr attrs l else List.init n (fun _ -> otherwise) in
  if List.length v <> n || List.exists (fun x -> x < lo) v then bad "attribute %s" l;
  v

let put attrs l v = (l, v) :: List.remove_assoc l attrs

(* An axis of a tensor of this rank, counted from the front. *)
let axis attrs l rank limit =
  if limit <= 0 then bad "a scalar has no axis";
  let a = int_attr attrs l (-rank) (limit - 1) in
  let a = if a < 0 then a + rank else a in
  (a, put attrs l (num a))

(* {1 Shapes} *)

let broadcast a b =
  let n = max (List.length a) (List.length b) in
  let pad l = List.init (n - List.length l) (fun _ -> 1) @ l in
  List.map2
    (fun x y -> if x = y || y = 1 then x else if x = 1 then y else bad "shapes do not broadcast")
    (pad a) (pad b)

let product = List.fold_left ( * ) 1
let replace l k x = List.mapi (fun i y -> if i = k then x else y) l

let matmul a b =
  let split l =
    match List.rev l with
    | [] -> bad "a scalar"
    | [ x ] -> ([], None, x)
    | y :: x :: rest -> (List.rev rest, Some x, y) in
  let batch_a, rows, inner = split a in
  let batch_b, first, last = split b in
  let inner', cols = match first with None -> (last, None) | Some k -> (k, Some last) in
  if inner <> inner' then bad "inner dimensions";
  broadcast batch_a batch_b @ Option.to_list rows @ Option.to_list cols

let gemm attrs ins =
  let ta = int_attr attrs "transA" 0 1 and tb = int_attr attrs "transB" 0 1 in
  match ins with
  | Some [ a; b ] :: Some [ c; d ] :: rest ->
    let a, b = if ta = 1 then (b, a) else (a, b) and c, d = if tb = 1 then (d, c) else (c, d) in
    if b <> c then bad "inner dimensions";
    (match rest with
     | [ Some s ] -> if broadcast [ a; d ] s <> [ a; d ] then bad "input 2 does not broadcast"
     | _ -> ());
    [ a; d ]
  | _ -> bad "rank"

(* Images of two dimensions only. *)
let conv attrs ins =
  match ins with
  | Some [ n; c; h; w ] :: Some [ o; i; kh; kw ] :: rest ->
    let kernel = ints_or attrs "kernel_shape" 2 1 0 in
    let kernel = if List.mem_assoc "kernel_shape" attrs then kernel else [ kh; kw ] in
    let strides = ints_or attrs "strides" 2 1 1 and dilations = ints_or attrs "dilations" 2 1 1 in
    let pads = ints_or attrs "pads" 4 0 0 in
    let group = int_attr attrs "group" 1 max_int in
    if kernel <> [ kh; kw ] || c <> i * group || o mod group <> 0 then bad "the kernel does not fit";
    (match rest with [ Some s ] -> if s <> [ o ] then bad "the bias does not fit" | _ -> ());
    let size d k =
      let at l = List.nth l k in
      let span = ((at kernel - 1) * at dilations) + 1 in
      let room = d + at pads + List.nth pads (k + 2) - span in
      if room < 0 then bad "the window is larger than the image";
      (room / at strides) + 1 in
    let attrs =
      List.fold_left (fun a (l, v) -> put a l (nums v)) attrs
        [ ("kernel_shape", kernel); ("strides", strides); ("dilations", dilations); ("pads", pads) ] in
    ([ n; o; size h 0; size w 1 ], attrs)
  | _ -> bad "rank"

let permutation attrs shape =
  let n = List.length shape in
  let perm =
    if List.mem_assoc "perm" attrs then ints_attr attrs "perm" else List.init n (fun i -> n - 1 - i) in
  if List.sort compare perm <> List.init n Fun.id then bad "perm is not a permutation";
  (List.map (List.nth shape) perm, put attrs "perm" (nums perm))

let reshape attrs shape =
  let want = ints_attr attrs "shape" in
  if List.length (List.filter (( = ) (-1)) want) > 1 || List.exists (fun d -> d < -1) want then bad "shape";
  let want = List.mapi (fun i d -> if d = 0 && i < List.length shape then List.nth shape i else d) want in
  let known = product (List.filter (( <> ) (-1)) want) and all = product shape in
  let want = List.map (fun d -> if d = -1 && known > 0 then all / known else d) want in
  if product want <> all || List.mem (-1) want then bad "elements";
  (want, put attrs "shape" (nums want))

let reduce attrs shape =
  let rank = List.length shape in
  let keep = int_attr attrs "keepdims" 0 1 in
  let axes = if List.mem_assoc "axes" attrs then ints_attr attrs "axes" else List.init rank Fun.id in
  let axes = List.map (fun a -> if a < 0 then a + rank else a) axes in
  if List.exists (fun a -> a < 0 || a >= rank) axes then bad "axes";
  let sorted = List.sort_uniq compare axes in
  if List.length sorted <> List.length axes then bad "axes";
  let dim i d = if not (List.mem i axes) then Some d else if keep = 1 then Some 1 else None in
  (List.filter_map Fun.id (List.mapi dim shape), put attrs "axes" (nums sorted))

let concat attrs shapes =
  let rank = List.length (List.hd shapes) in
  let k, attrs = axis attrs "axis" rank rank in
  let out s t =
    if List.length t <> rank || replace s k 0 <> replace t k 0 then bad "shapes differ";
    replace s k (List.nth s k + List.nth t k) in
  (List.fold_left out (List.hd shapes) (List.tl shapes), attrs)

let flatten attrs shape =
  let n = List.length shape in
  let a = int_attr attrs "axis" (-n) n in
  let a = if a < 0 then a + n else a in
  let side f = product (List.filteri (fun i _ -> f i) shape) in
  ([ side (fun i -> i < a); side (fun i -> i >= a) ], put attrs "axis" (num a))

(* {1 Nodes} *)

type t = { dtype : string; shape : int list }

let type_of (n : node) =
  match n.dtype, n.dims with
  | Some dtype, Some l -> { dtype; shape = List.map Int64.to_int l }
  | _ -> bad "an input without a type"

let multi_node (n : node) = match n.kind with Tuple | Op "Split" -> true | _ -> false

let multi g k = multi_node (List.nth g.nodes k)

let typed (n : node) { dtype; shape } =
  { n with dtype = Some dtype; dims = Some (List.map Int64.of_int shape) }

(* The parts of a Split. *)
let split_types attrs t =
  let rank = List.length t.shape in
  let k, attrs = axis attrs "axis" rank rank in
  let parts = ints_attr attrs "split" in
  if List.fold_left ( + ) 0 parts <> List.nth t.shape k || List.exists (fun p -> p < 0) parts then
    bad "the parts of Split";
  if parts = [] then bad "no parts";
  (List.map (fun p -> { t with shape = replace t.shape k p }) parts, attrs)

let sorted attrs = List.sort (fun (a, _) (b, _) -> String.compare a b) attrs

let call name (n : node) get =
  let op = match find_op name with Some op -> op | None -> bad "unknown operator %s" name in
  let rec trim l =
    match List.rev l with
    | None :: rest when List.length rest >= op.least -> trim (List.rev rest)
    | _ -> l in
  let ins = trim n.ins in
  let count = List.length ins in
  if count < op.least || (match op.most with Some m -> count > m | None -> false) then bad "arity of %s" name;
  List.iteri (fun k e -> if e = None && (k < op.least || op.most = None) then bad "an absent input") ins;
  let value e =
    let m = get e in
    if multi_node m then bad "an input with several values";
    type_of m in
  let ts = List.map (Option.map value) ins in
  let attrs = with_defaults name n.attrs in
  let first = match ts with Some t :: _ -> t | _ -> bad "no input" in
  let same = List.for_all (function Some t -> t.dtype = first.dtype | None -> true) ts in
  if not same then bad "element types differ";
  if List.mem name float_only && first.dtype = "i64" then bad "a float type expected";
  let shapes = List.map (Option.map (fun t -> t.shape)) ts in
  let present = List.filter_map Fun.id shapes in
  let s = first.shape in
  let shape, attrs =
    match name with
    | "Add" | "Sub" | "Mul" | "Div" | "Max" | "Min" | "Sum" ->
      (List.fold_left broadcast (List.hd present) (List.tl present), attrs)
    | "MatMul" -> (matmul (List.nth present 0) (List.nth present 1), attrs)
    | "Gemm" -> (gemm attrs shapes, attrs)
    | "Conv" -> conv attrs shapes
    | "Softmax" ->
      let rank = List.length s and flat = int_attr attrs "flatten" 0 1 in
      let attrs =
        if List.mem_assoc "axis" attrs || rank = 0 then attrs
        else
          put attrs "axis" (num (if flat = 1 then min 1 (rank - 1) else rank - 1)) in
      (s, snd (axis attrs "axis" rank rank))
    | "Transpose" -> permutation attrs s
    | "Reshape" -> reshape attrs s
    | "ReduceSum" -> reduce attrs s
    | "Concat" -> concat attrs present
    | "Flatten" -> flatten attrs s
    | "Split" ->
      let _, attrs = split_types attrs first in
      (s, attrs)
    | _ -> (s, attrs) in
  let n = { n with ins; attrs = sorted attrs } in
  if name = "Split" then { n with dtype = None; dims = None } else typed n { first with shape }

let proj (n : node) k get =
  match n.ins with
  | [ Some e ] ->
    let m : node = get e in
    let nth l = match List.nth_opt l (Int64.to_int k) with Some x when k >= 0L -> x | _ -> bad "no such field" in
    (match m.kind with
     | Tuple ->
       (match nth m.ins with
        | Some f -> typed n (type_of (get f))
        | None -> bad "an absent field")
     | Op "Split" ->
       let source = match m.ins with [ Some e ] -> type_of (get e) | _ -> bad "Split" in
       typed n (nth (fst (split_types m.attrs source)))
     | _ -> bad "a field of a single value")
  | _ -> bad "projection of nothing"

(* {1 Constants} *)

let const_type v =
  let first = function
    | Shim.Int _ -> "i64"
    | Shim.Float _ -> "f32"
    | _ -> bad "a constant that is no number" in
  match v with
  | Shim.Tuple [] -> bad "an empty constant"
  | Shim.Tuple (x :: _ as l) -> (first x, [ List.length l ])
  | x -> (first x, [])

let rec as_type dtype v =
  match dtype, v with
  | _, Shim.Tuple l -> Shim.Tuple (List.map (as_type dtype) l)
  | "f32", Shim.Int i -> float (Int64.to_float i)
  | "f32", Shim.Float _ | "i64", Shim.Int _ -> v
  | _ -> bad "a constant of another type"

let const (n : node) v =
  match n.dims, v with
  | Some _, None -> n
  | Some _, Some v ->
    { n with kind = Const (Some (as_type (Option.value ~default:"?" n.dtype) v)) }
  | None, None -> bad "a constant without type"
  | None, Some v ->
    let dtype, dims = const_type v in
    let dtype = Option.value ~default:dtype n.dtype in
    typed { n with kind = Const (Some (as_type dtype v)) } { dtype; shape = dims }

(* {1 Graphs} *)

let complete_from from g =
  let done_ = Array.make (List.length g.nodes) None in
  let get e = match done_.(e) with Some n -> n | None -> bad "a later input" in
  let node k (n : node) =
    let n =
      if k < from then n
      else
        match n.kind with
        | Input -> ignore (type_of n); n
        | Const v -> const n v
        | Op name -> call name { n with attrs = n.attrs } get
        | Proj i -> proj n i get
        | Tuple ->
          List.iter (function Some e -> if multi_node (get e) then bad "a tuple of tuples" | None -> bad "absent") n.ins;
          { n with dtype = None; dims = None } in
    done_.(k) <- Some n;
    n in
  match List.mapi (fun k n -> try node k n with Untyped s -> bad "node %d: %s" k s) g.nodes with
  | nodes -> Ok { g with nodes }
  | exception Untyped s -> Error s

let complete g = complete_from 0 g
