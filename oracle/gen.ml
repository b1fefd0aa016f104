open Shim
open Rng

let entries env = List.map (fun b -> Bound b) env
let eval env a = Shim.eval (entries env) a

(* {1 Values} *)

type kind = KNone | KBool | KInt | KFloat | KStr | KTuple

let boundaries =
  let open Int64 in
  [| min_int; max_int; add min_int 1L; sub max_int 1L; -1L; 0L; 1L; 2L; -2L;
     0x7fffffffL; 0x80000000L; 0xffffffffL; 0x100000000L; -0x80000000L;
     3037000499L; 3037000500L; -3037000500L; 0x4000000000000000L;
     -0x4000000000000000L; 0x20000000000000L |]

let int g =
  match below g 20 with
  | 0 | 1 -> pick g boundaries
  | 2 -> bits64 g
  | 3 | 4 -> Int64.of_int (below g 2001 - 1000)
  | _ -> Int64.of_int (below g 13 - 4)

let floats =
  [| 0x0L; 0x8000000000000000L; 0x3ff0000000000000L; 0xbff8000000000000L;
     0x3fb999999999999aL; 0x7ff0000000000000L; 0xfff0000000000000L;
     0x7ff8000000000000L; 0x1L; 0x8000000000000001L; 0x000fffffffffffffL;
     0x0010000000000000L; 0x7fefffffffffffffL; 0x0008000000000000L;
     0x3ee4f8b588e368f1L |]

let float g =
  if percent g 60 then pick g floats
  else
    let b = bits64 g in
    (* the text knows one NaN only *)
    if Float.is_nan (Int64.float_of_bits b) then 0x7ff8000000000000L else b

let words = [| ""; "NCHW"; "OIHW"; "valid"; "float32"; "a b"; "\\"; "\""; "\n\t" |]

let str g =
  if percent g 70 then pick g words
  else String.init (below g 8) (fun _ -> Char.chr (below g 256))

let kind g =
  match below g 20 with
  | 0 -> KNone
  | 1 -> KFloat
  | 2 | 3 -> KStr
  | 4 | 5 | 6 -> KBool
  | 7 | 8 | 9 | 10 | 11 -> KTuple
  | _ -> KInt

let other_kind g k =
  let rec go () = let j = kind g in if j = k then go () else j in
  go ()

let rec value_of g depth = function
  | KNone -> None_
  | KBool -> Bool (percent g 50)
  | KInt -> Int (int g)
  | KFloat -> Float (float g)
  | KStr -> Str (str g)
  | KTuple when depth <= 0 -> Tuple (several g 0 3 (fun g -> Int (int g)))
  | KTuple ->
    if percent g 60 then Tuple (several g 0 5 (fun g -> Int (int g)))
    else Tuple (several g 0 4 (fun g -> value_of g (depth - 1) (kind g)))

let value g depth = value_of g depth (kind g)

let kind_of = function
  | None_ -> KNone
  | Bool _ -> KBool
  | Int _ -> KInt
  | Float _ -> KFloat
  | Str _ -> KStr
  | Tuple _ -> KTuple

(* {1 Expressions} *)

(* [faults]: percentage of nodes that get something unsuitable.  [env] grows
   while the expression that reads it is built. *)
type scene = { g : Rng.t; faults : int; mutable env : binding list }

let labels = [| "shape"; "dtype"; "axis"; "strides"; "pads"; "value"; "x_1" |]

let unary name = List.find (fun (_, n) -> n = name) unary_names |> fst
let binary name = List.find (fun (_, n) -> n = name) binary_names |> fst

let un name =
  let o = unary name in
  fun a -> Unary (o, a)

let bin name =
  let o = binary name in
  fun a b -> Binary (o, a, b)

let neg = un "neg" and not_ = un "not" and len = un "len"
let add = bin "add" and sub = bin "sub" and gather = bin "gather"
let arith = Array.map bin [| "add"; "sub"; "mul"; "floordiv"; "mod"; "min"; "max" |]
let equality = Array.map bin [| "eq"; "ne" |]
let order = Array.map bin [| "lt"; "le"; "gt"; "ge" |]
let logic = Array.map bin [| "and"; "or" |]

let fault s = percent s.g s.faults
let bound s p l = List.exists (fun b -> b.pattern = p && b.label = l) s.env

(* An access that gives a value of kind [k]: an old binding or a new one. *)
let access s k =
  let g = s.g in
  let p = below g 4 in
  let l = pick g labels in
  if fault s then Access (p, l)
  else
    let effective =
      List.filter (fun b -> kind_of b.value = k) s.env
      |> List.filter (fun b ->
           let first = List.find (fun c -> c.pattern = b.pattern && c.label = b.label) s.env in
           first == b) in
    match effective with
    | _ :: _ when percent g 50 || bound s p l ->
      let b = pick g (Array.of_list effective) in
      Access (b.pattern, b.label)
    | _ when bound s p l -> Const (value_of g 2 k)
    | _ ->
      s.env <- s.env @ [{ pattern = p; label = l; value = value_of g 2 k }];
      Access (p, l)

(* An expression for a given integer. *)
let rec spell s depth k =
  let g = s.g in
  if depth <= 0 || percent g 60 then Const (Int k)
  else
    let c = Int64.of_int (below g 20) in
    match below g 3 with
    | 0 -> add (spell s (depth - 1) (Int64.sub k c)) (Const (Int c))
    | 1 -> sub (Const (Int (Int64.add k c))) (spell s (depth - 1) c)
    | _ -> neg (spell s (depth - 1) (Int64.neg k))

(* An index into n components, mostly a good one. *)
let index s n =
  if n = 0 || fault s then
    match below s.g 4 with
    | 0 -> Int64.of_int n
    | 1 -> Int64.of_int (-n - 1)
    | 2 -> int s.g
    | _ -> pick s.g boundaries
  else Int64.of_int (below s.g (2 * n) - n)

(* The draws are sequenced by [let]: the order of evaluation of arguments is not
   specified, and the sequence must depend on the seed alone. *)
let rec expr s depth wanted =
  let g = s.g in
  let k = if fault s then other_kind g wanted else wanted in
  if s.faults > 0 && percent g 1 then Any
  else if depth <= 0 || percent g 8 then
    if percent g 50 then Const (value_of g 2 k) else access s k
  else if percent g 10 then access s k
  else if percent g 15 then proj s depth k
  else composed s (depth - 1) k

and composed s d k =
  let g = s.g in
  match k with
  | KNone | KFloat | KStr -> if percent g 50 then Const (value_of g 1 k) else access s k
  | KInt ->
    (match below g 12 with
     | 0 -> neg (expr s d KInt)
     | 1 | 2 -> len (expr s d KTuple)
     | 3 -> edge g
     | _ -> both s d (pick g arith) KInt KInt)
  | KBool ->
    (match below g 5 with
     | 0 -> not_ (expr s d KBool)
     | 1 -> equal s d
     | 2 -> both s d (pick g order) KInt KInt
     | 3 -> compared s d
     | _ -> both s d (pick g logic) KBool KBool)
  | KTuple ->
    (match below g 6 with
     | 0 -> both s d add KTuple KTuple
     | 1 -> gathered s d
     | _ -> tuple s d)

and both s d op j k =
  let a = expr s d j in
  let b = expr s d k in
  op a b

(* An operation at the boundary of int64. *)
and edge g =
  let op = pick g arith in
  let a = pick g boundaries in
  let b = pick g boundaries in
  op (Const (Int a)) (Const (Int b))

(* Numbers of which one is a float: any two, or two that are near. *)
and compared s d =
  let g = s.g in
  let op = pick g order in
  if percent g 40 then
    let j = pick g [| KInt; KFloat |] in
    let a = expr s d j in
    let b = expr s d KFloat in
    if percent g 50 then op a b else op b a
  else
    let z = int g in
    let x = Int64.bits_of_float (Int64.to_float z) in
    let near () =
      let y = Int64.add x (Int64.of_int (below g 3 - 1)) in
      if Float.is_nan (Int64.float_of_bits y) then x else y in
    let f = Float (near ()) in
    let other = if percent g 70 then Int z else Float (near ()) in
    if percent g 50 then op (Const other) (Const f) else op (Const f) (Const other)

(* Operands of eq and ne: half of the time with the same value. *)
and equal s d =
  let op = pick s.g equality in
  let a = expr s d (kind s.g) in
  match eval s.env a with
  | Some v when percent s.g 50 -> op a (Const v)
  | _ ->
    let b = expr s d (kind s.g) in
    op a b

and tuple s d = Tuple_of (several s.g 0 4 (fun g -> expr s d (kind g)))

and gathered s d =
  let t = expr s d KTuple in
  match eval s.env t with
  | Some (Tuple vs) when vs <> [] ->
    let n = List.length vs in
    let one _ = if fault s then value s.g 0 else Int (index s n) in
    let ix = several s.g 0 4 one in
    if percent s.g 50 then gather t (Const (Tuple ix))
    else
      let item = function Int k -> spell s (min d 2) k | v -> Const v in
      gather t (Tuple_of (List.map item ix))
  | _ -> if fault s then gather t (expr s d KTuple) else gather t (Tuple_of [])

(* A projection that gives a value of kind k. *)
and proj s depth k =
  let g = s.g and d = depth - 1 in
  let before = several g 0 2 (fun g -> expr s (d - 1) (kind g)) in
  let after = several g 0 2 (fun g -> expr s (d - 1) (kind g)) in
  let l = before @ (expr s d k :: after) in
  let n = List.length l in
  let at = List.length before in
  let i =
    if fault s then index s n
    else Int64.of_int (if percent g 50 then at else at - n) in
  let t =
    if percent g 30 then
      let rec split m l =
        match l with
        | x :: r when m > 0 -> let u, v = split (m - 1) r in (x :: u, v)
        | _ -> ([], l) in
      let u, v = split (below g (n + 1)) l in
      add (Tuple_of u) (Tuple_of v)
    else Tuple_of l in
  Proj (t, spell s (min d 2) i)

(* {1 Match cases} *)

(* A value that [a] could match: its own where it has one. *)
let rec best s a =
  match eval s.env a, a with
  | Some v, _ -> v
  | None, Tuple_of l -> Tuple (List.map (best s) l)
  | None, _ -> value s.g 1

(* [_] in the place of one component in match position. *)
let rec with_any g a =
  match a with
  | Tuple_of (_ :: _ as l) when percent g 85 ->
    let at = below g (List.length l) in
    Tuple_of (List.mapi (fun i b -> if i = at then with_any g b else b) l)
  | _ -> Any

(* One component of the value changed. *)
let rec mutate g v =
  match v with
  | Tuple (_ :: _ as l) when percent g 75 ->
    let at = below g (List.length l) in
    Tuple (List.mapi (fun i w -> if i = at then mutate g w else w) l)
  | Tuple l when percent g 40 -> Tuple (value g 1 :: l)
  | Tuple (_ :: l) when percent g 40 -> Tuple l
  | Int z when percent g 40 -> Int (Int64.succ z)
  | Int z when percent g 30 -> Float (Int64.bits_of_float (Int64.to_float z))
  | Bool b when percent g 50 -> Int (if b then 1L else 0L)
  | _ -> value g 1

(* {1 Requests} *)

(* Bindings nobody asked for: behind the others, where some repeat a name. *)
let noise g =
  several g 0 2 (fun g ->
    let pattern = below g 4 in
    let label = pick g labels in
    { pattern; label; value = value g 1 })

let request g =
  let faults = if percent g 20 then 0 else 8 + below g 30 in
  let s = { g; faults; env = [] } in
  let depth = 2 + below g 5 in
  if percent g 50 then begin
    let a = expr s depth (kind g) in
    let extra = noise g in
    Text.Eval (a, entries (s.env @ extra))
  end else begin
    let a = if percent g 60 then tuple s (depth - 1) else expr s depth (kind g) in
    let v = best s a in
    let a = if percent g 50 then with_any g a else a in
    let v = if percent g 40 then mutate g v else v in
    let extra = noise g in
    Text.Match (a, entries (s.env @ extra), v)
  end

(* {1 The whole language} *)

let reduction name = List.find (fun (_, n) -> n = name) reduction_names |> fst
let func name = List.find (fun (_, n) -> n = name) func_names |> fst

(* [ints]: the symbols in scope that stand for integers. *)
let rec full s ints depth k =
  let g = s.g and d = depth - 1 in
  let any () = full s ints d (kind g) in
  let fresh () = List.length ints + below g 2 in
  let call name l = Func (func name, l) in
  let red name a = Reduce (reduction name, a) in
  if depth <= 0 then leaf s ints k
  else if percent g 20 then expr s depth k
  else if percent g 6 then begin
    let c = full s ints d KBool in
    let a = full s ints d k in
    Cond (c, a, full s ints d k)
  end
  else if percent g 4 then begin
    let a = full s ints d k in
    Alternative (below g 3, [a; full s ints d k])
  end
  else
    match k with
    | KInt ->
      (match below g 5 with
       | 0 | 1 -> red (pick g [| "sum"; "prod"; "amin"; "amax" |]) (ints_tuple s ints d)
       | 2 -> neg (full s ints d KInt)
       | 3 -> len (full s ints d KTuple)
       | _ ->
         let a = full s ints d KInt in
         let b = full s ints d KInt in
         (pick g arith) a b)
    | KBool ->
      (match below g 4 with
       | 0 -> let a = any () in call "in" [a; full s ints d KTuple]
       | 1 | 2 ->
         let name = pick g [| "all"; "exists" |] in
         let v = fresh () in
         let n = small s ints in
         red name (Var (v, n, full s (v :: ints) d KBool))
       | _ ->
         let number () = if percent g 70 then KInt else KFloat in
         let j = number () in
         let a = full s ints d j in
         let k = number () in
         let b = full s ints d k in
         (pick g order) a b)
    | KTuple ->
      (match below g 9 with
       | 0 | 1 -> ints_tuple s ints d
       | 2 -> call "reversed" [full s ints d KTuple]
       | 3 | 4 ->
         let bound () = if percent g 30 then Const None_ else small s ints in
         let t = full s ints d KTuple in
         let a = bound () in
         let b = bound () in
         let c = if percent g 50 then Const None_ else Const (Int (int g)) in
         call "slice" [t; a; b; c]
       | 5 -> call "zip" (several g 0 3 (fun _ -> full s ints d KTuple))
       | 6 -> red "concat" (Tuple_of (several g 0 3 (fun _ -> full s ints d KTuple)))
       | 7 ->
         let letters = several g 0 4 (fun g -> pick g [| "N"; "C"; "H"; "W" |]) in
         call "remap" [Const (Str "NCHW"); Const (Str (String.concat "" letters))]
       | _ ->
         let v = fresh () in
         let n = small s ints in
         Var (v, n, full s (v :: ints) d (kind g)))
    | KNone | KFloat | KStr -> leaf s ints k

and leaf s ints k =
  let g = s.g in
  match k, ints with
  | KInt, _ :: _ when percent g 70 -> Symbol (pick g (Array.of_list ints))
  | KInt, _ when percent g 20 ->
    let p = below g 3 in
    let a = small s ints in
    Inst (p, a, pick g labels)
  | _ -> if percent g 50 then Const (value_of g 1 k) else access s k

(* A small number of either sign, mostly a good length. *)
and small s ints =
  let g = s.g in
  if percent g 25 && ints <> [] then Symbol (pick g (Array.of_list ints))
  else if fault s then Const (Int (int g))
  else Const (Int (Int64.of_int (below g 6)))

and ints_tuple s ints d =
  let g = s.g in
  match below g 3 with
  | 0 ->
    let a = small s ints in
    let b = small s ints in
    let c = if percent g 70 then Const (Int 1L) else Const (Int (Int64.of_int (below g 7 - 3))) in
    Func (func "range", [a; b; c])
  | 1 ->
    let v = List.length ints in
    let n = small s ints in
    Var (v, n, full s (v :: ints) d KInt)
  | _ ->
    let v = List.length ints in
    let t = ints_tuple s ints (d - 1) in
    Map (v, t, full s (v :: ints) d KInt)

let request_full g =
  let faults = if percent g 50 then 0 else 4 + below g 10 in
  let s = { g; faults; env = [] } in
  let outer = [7] in
  let depth = 2 + below g 3 in
  let insts =
    several g 0 6 (fun g ->
      let p = below g 3 in
      let k = Int64.of_int (below g 4) in
      let l = pick g labels in
      Bound_inst (p, k, l, Int (int g))) in
  let others =
    Bound_symbol (7, Int (Int64.of_int (below g 5)))
    :: several g 1 3 (fun g -> let p = below g 3 in Taken (p, below g 2)) in
  let a = full s outer depth (if percent g 50 then KTuple else kind g) in
  let env () = entries s.env @ insts @ others in
  if percent g 60 then Text.Eval (a, env ())
  else begin
    let v =
      match Shim.eval (env ()) a with
      | Some v -> v
      | None -> value g 1 in
    let a =
      match a with
      | Var (x, n, b) when percent g 50 ->
        let n = if percent g 50 then Any else n in
        Var (x, n, with_any g b)
      | _ when percent g 20 -> with_any g a
      | _ -> a in
    let v = if percent g 30 then mutate g v else v in
    Text.Match (a, env (), v)
  end
