module X = Extracted_validate
module D = Extracted_dpia
module K = Extracted
module S = Shim_dpia

exception Refused of string

let refuse format = Printf.ksprintf (fun s -> raise (Refused s)) format

type verdict =
  | Equal of int
  | Different of string

let program text = Read.parse text (S.program (fun _ -> S.words))

let kernels text =
  let add blocks line =
    match line, blocks with
    | "", _ -> blocks
    | _ when line.[0] = '#' -> (String.trim (String.sub line 1 (String.length line - 1)), []) :: blocks
    | _, (name, lines) :: rest -> (name, line :: lines) :: rest
    | _, [] -> [("kernel", [line])] in
  List.rev_map (fun (name, lines) -> (name, List.rev lines)) (List.fold_left add [] (String.split_on_char '\n' text))

(* {1 Words}

   A literal is the bits it has as a double, or an integer; the least number of the type is one word. *)

let least = "least"

let integer_word number z =
  let bound = match number with S.I32 -> Z.neg (Z.shift_left Z.one 31) | _ -> K.least in
  if Z.equal z bound then least else Z.to_string z

let real_word x =
  if Float.is_nan x then "nan" else if x = neg_infinity then least else Printf.sprintf "%Lx" (Int64.bits_of_float x)

let is_real = function S.F32 | S.F64 -> true | _ -> false

let program_word number word =
  if is_real number then real_word (float_of_string word)
  else if word = "-inf" then least
  else integer_word number (Z.of_string word)

let kernel_word number z =
  if is_real number then real_word (Int64.float_of_bits (Z.to_int64 z))
  else if Z.equal z K.least then least
  else integer_word number z

let zero number = if is_real number then real_word 0.0 else "0"

(* {1 Programs} *)

let size n =
  match Dpia.number_of_size n with Some c -> Obj.repr c | None -> refuse "a size that is no number"

let rec data = function
  | D.DNum -> X.DNum
  | D.DAry (n, d) -> X.DAry (size n, data d)
  | D.DPair (a, b) -> X.DPair (data a, data b)

let policy = function D.Seq -> X.Seq | D.Par -> X.Par

let cmp : D.cmp -> X.cmp = function
  | D.CLt -> X.CLt | D.CLe -> X.CLe | D.CGt -> X.CGt | D.CGe -> X.CGe | D.CEq -> X.CEq | D.CNe -> X.CNe

let rec ix = function
  | D.XVar x -> X.XVar x
  | D.XCst z -> X.XCst z
  | D.XSize n -> X.XSize (size n)
  | D.XAdd (a, b) -> X.XAdd (ix a, ix b)
  | D.XSub (a, b) -> X.XSub (ix a, ix b)
  | D.XMul (a, k) -> X.XMul (ix a, k)
  | D.XDiv (a, k) -> X.XDiv (ix a, k)
  | D.XMod (a, k) -> X.XMod (ix a, k)

let rec cond = function
  | D.CCmp (c, a, b) -> X.CCmp0 (cmp c, ix a, ix b)
  | D.CAnd (a, b) -> X.CAnd0 (cond a, cond b)

let rec exp number e =
  let go = exp number in
  match e with
  | D.EVar x -> X.EVar x
  | D.ELit c -> X.ELit (Obj.repr (X.Inl (program_word number (Obj.obj c : string))))
  | D.EUn (o, a) -> X.EUn (o, go a)
  | D.EBin (o, a, b) -> X.EBin0 (Obj.repr (X.BOp o), go a, go b)
  | D.EMap (p, n, d, f, a) -> X.EMap (policy p, size n, data d, go f, go a)
  | D.EGen (p, n, d, f) -> X.EGen (policy p, size n, data d, go f)
  | D.ERed (n, d, f, i, a) -> X.ERed0 (size n, data d, go f, go i, go a)
  | D.EFold (n, d, f, i) -> X.EFold (size n, data d, go f, go i)
  | D.EZip (n, a, b, x, y) -> X.EZip (size n, data a, data b, go x, go y)
  | D.ESplit (n, m, a) -> X.ESplit (size n, size m, go a)
  | D.EJoin (n, m, a) -> X.EJoin (size n, size m, go a)
  | D.EIdx (a, i) -> X.EIdx (go a, ix i)
  | D.EPair (a, b) -> X.EPair (go a, go b)
  | D.EFst a -> X.EFst (go a)
  | D.ESnd a -> X.ESnd (go a)
  | D.ERev (n, a) -> X.ERev (size n, go a)
  | D.ETr (n, m, a) -> X.ETr (size n, size m, go a)
  | D.EIte (c, d, a, b) -> X.EIte (cond c, data d, go a, go b)
  | D.ELet (d, a, f) -> X.ELet (data d, go a, go f)

(* {1 Kernels} *)

let operator : K.operator -> string = function
  | K.OAdd -> "+" | K.OSub -> "-" | K.OMul -> "*" | K.ODiv -> "/" | K.OMod -> "%"

let function_word (f : K.function0) =
  match List.find_opt (fun (_, g) -> g = f) Kernel_term.functions with
  | Some (word, _) -> word
  | None -> if f = K.FNeg then "neg" else refuse "a function without a word"

let reduction number (r : K.reduction0 * Z.t list) =
  match fst r with K.KSum -> ("+", zero number) | K.KMax -> ("max", least)

let rec kernel_ix = function
  | K.IVar n -> X.IVar n
  | K.ICst z -> X.ICst z
  | K.IAdd (a, b) -> X.IAdd (kernel_ix a, kernel_ix b)
  | K.ISub (a, b) -> X.ISub (kernel_ix a, kernel_ix b)
  | K.IMul (a, k) -> X.IMul (kernel_ix a, k)
  | K.IDiv (a, k) -> X.IDiv (kernel_ix a, k)
  | K.IMod (a, k) -> X.IMod (kernel_ix a, k)

let kernel_cmp : K.cmp -> X.cmp = function
  | K.CLt -> X.CLt | K.CLe -> X.CLe | K.CGt -> X.CGt | K.CGe -> X.CGe | K.CEq -> X.CEq | K.CNe -> X.CNe

let rec kernel_cond = function
  | K.CCmp (c, a, b) -> X.CCmp (kernel_cmp c, kernel_ix a, kernel_ix b)
  | K.CAnd (a, b) -> X.CAnd (kernel_cond a, kernel_cond b)

(* [tensor]: the program's variable of each of the kernel's tensors, [rank] of how many dimensions;
   an index that is not written is 0. *)
let rec ex number tensor rank e =
  let go = ex number tensor rank in
  match e with
  | K.ECst c -> X.ECst (Obj.repr (kernel_word number (Obj.obj c : Z.t)))
  | K.ELd (t, l) ->
    let missing = List.init (max 0 (rank t - List.length l)) (fun _ -> X.ICst Z.zero) in
    X.ELd (tensor t, List.map kernel_ix l @ missing)
  | K.EBin (o, a, b) -> X.EBin (Obj.repr (operator (Obj.obj o)), go a, go b)
  | K.EFn (f, l) -> X.EFn (Obj.repr (function_word (Obj.obj f)), List.map go l)
  | K.ESel (c, a, b) -> X.ESel (kernel_cond c, go a, go b)
  | K.ERed (r, ns, a) -> X.ERed (Obj.repr (reduction number (Obj.obj r)), ns, go a)

(* {1 The check} *)

let rec dims_of = function
  | D.DNum -> []
  | D.DAry (n, d) ->
    (match Dpia.number_of_size n with Some c -> c :: dims_of d | None -> refuse "a size that is no number")
  | D.DPair _ -> refuse "an array of pairs"

(* The text without the element types of tensors: <2,3:bool>. *)
let untyped line =
  let b = Buffer.create (String.length line) and skipping = ref false in
  String.iter
    (fun c ->
      if c = ':' then skipping := true else if c = '>' then skipping := false;
      if not !skipping then Buffer.add_char b c)
    line;
  Buffer.contents b

let place name params =
  let rec go n = function
    | [] -> refuse "the program has no %s" name
    | (p : S.param) :: l -> if p.name = name then n else go (n + 1) l in
  go 0 params

let reason name = function
  | X.Valid -> None
  | X.Untyped -> Some (name ^ ": the program has not the type of the output")
  | X.Outside -> Some (name ^ ": the kernel may read outside of a tensor")
  | X.Unread -> Some (name ^ ": a cell is not read")
  | X.Differs -> Some (name ^ ": the program computes another cell")

let compare_all (p : S.program) (k : Kernel_term.t) =
  let number = p.number in
  let shapes = Array.of_list (List.map (fun (q : S.param) -> dims_of q.ty) p.params) in
  let variables = Array.map (fun name -> lazy (place name p.params)) k.names in
  let tensor t =
    let t = Z.to_int t in
    let v = Lazy.force variables.(t) in
    if List.map Z.to_int shapes.(v) <> Array.to_list k.shapes.(t) then refuse "%s has another shape in the program" k.names.(t);
    Z.of_int v in
  let rank t = Array.length k.shapes.(Z.to_int t) in
  let shape t = let t = Z.to_int t in if t < Array.length shapes then shapes.(t) else [] in
  let reading = X.nothing (X.neutral_words (zero number) least) in
  let one (a : D.assignment) ((s : K.stmt), _) =
    let out = tensor s.out in
    if not (Z.equal out a.target) then refuse "%s is not what the program assigns" k.names.(Z.to_int s.out);
    let stmt = { X.out; dims = s.dims; body = ex number tensor rank s.body } in
    let verdict = X.validate_words reading shape (Z.of_int (Array.length shapes)) (exp number a.source) stmt in
    reason k.names.(Z.to_int s.out) verdict in
  if List.length p.assignments <> List.length k.program then
    refuse "%d assignments for %d statements" (List.length p.assignments) (List.length k.program);
  List.find_map Fun.id (List.map2 one p.assignments k.program)

let check_program (p : S.program) lines =
  let kind = if is_real p.number then Kernel_term.Real else Kernel_term.Integer in
  match Kernel_term.read kind (List.map untyped lines) with
  | Error text -> Error text
  | Ok k ->
    (match compare_all p k with
     | None -> Ok (Some (Equal (List.length k.program)))
     | Some why -> Ok (Some (Different why))
     | exception Refused why -> Ok (Some (Different why)))

let check line lines =
  if line = "(look-up)" then Ok None
  else Result.bind (program line) (fun p -> check_program p lines)
