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
  let reading body =
    X.nothing
      (if Kernel_term.has_exact body then X.neutral_fused (zero number) (real_word (-0.0)) least
       else X.neutral_words (zero number) least) in
  let one (a : D.assignment) ((s : K.stmt), _) =
    let out = tensor s.out in
    if not (Z.equal out a.target) then refuse "%s is not what the program assigns" k.names.(Z.to_int s.out);
    let stmt = { X.out; dims = s.dims; body = ex number tensor rank s.body } in
    let verdict = X.validate_words (reading s.body) shape (Z.of_int (Array.length shapes)) (exp number a.source) stmt in
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

(* {1 Packed kernels} *)

(* The bits of f32 numbers. *)
type bits = (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t

type data = {
  bits : bits;
  file : string option;             (* where they are, if not in the text *)
  finite : bool Lazy.t;
  no_plus_zero : bool Lazy.t;
  no_minus_zero : bool Lazy.t;
}

type block = {
  mutable original : string list;   (* lines, last first, as the others *)
  mutable changed : string list;
  mutable entries : string list list;
  mutable constant : (string * data) list;
  mutable stored : (string * data) list;
}

let words line = List.filter (( <> ) "") (String.split_on_char ' ' line)

let natural word =
  if word <> "" && String.for_all (fun c -> c >= '0' && c <= '9') word then Z.of_string word else refuse "'%s' is no size" word

let bits_of_text l : bits =
  let digit c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  let one word =
    if word <> "" && String.length word <= 8 && String.for_all digit word then Int32.of_string ("0x" ^ word)
    else refuse "'%s' is no float's bits" word in
  let bits = Bigarray.Array1.create Bigarray.int32 Bigarray.c_layout (List.length l) in
  List.iteri (fun i word -> bits.{i} <- one word) l;
  bits

(* So many words of a file from a byte on. The file is mapped, not read: it may be larger than memory. *)
let bits_of_file path first count : bits =
  let map fd =
    let size = (Unix.fstat fd).st_size in
    if Z.gt (Z.add first (Z.mul (Z.of_int 4) count)) (Z.of_int size) then
      refuse "%s has %d bytes, not the %s words from byte %s on" path size (Z.to_string count) (Z.to_string first);
    Bigarray.array1_of_genarray
      (Unix.map_file fd ~pos:(Z.to_int64 first) Bigarray.int32 Bigarray.c_layout false [| Z.to_int count |]) in
  try
    let fd = Unix.openfile path [Unix.O_RDONLY; Unix.O_CLOEXEC] 0 in
    Fun.protect ~finally:(fun () -> Unix.close fd) (fun () -> map fd)
  with
  | Unix.Unix_error (e, _, _) -> refuse "%s: %s" path (Unix.error_message e)
  | Sys_error why -> refuse "%s: %s" path why

let exponent = 0x7f800000
let minus_zero = 0x80000000

let data_of_bits file (bits : bits) =
  let rec all holds k = k < 0 || (holds (Int32.to_int bits.{k} land 0xffffffff) && all holds (k - 1)) in
  let all holds = lazy (all holds (Bigarray.Array1.dim bits - 1)) in
  { bits; file; finite = all (fun x -> x land exponent <> exponent); no_plus_zero = all (fun x -> x <> 0);
    no_minus_zero = all (fun x -> x <> minus_zero) }

(* NAME WORD .., or NAME @FILE FIRST COUNT, of a file in the folder. *)
let data folder = function
  | [name; file; first; count] when file.[0] = '@' ->
    let file = String.sub file 1 (String.length file - 1) in
    if file = "" || Filename.basename file <> file then refuse "'%s' is no file's name" file;
    let path = Filename.concat folder file in
    (name, data_of_bits (Some path) (bits_of_file path (natural first) (natural count)))
  | name :: l -> (name, data_of_bits None (bits_of_text l))
  | [] -> refuse "data without a name"

let block folder lines =
  let b = { original = []; changed = []; entries = []; constant = []; stored = [] } in
  let line changed s =
    match words s with
    | [] -> changed
    | ["original:"] -> false
    | ["changed:"] -> true
    | "packed:" :: l -> b.entries <- l :: b.entries; changed
    | "constant:" :: l -> b.constant <- data folder l :: b.constant; changed
    | "stored:" :: l -> b.stored <- data folder l :: b.stored; changed
    | _ -> if changed then b.changed <- s :: b.changed else b.original <- s :: b.original; changed in
  ignore (List.fold_left line false lines);
  b.entries <- List.rev b.entries;
  b

(* The element types that the text says, NAME<dims:TYPE>, by name. *)
let types lines =
  let table = Hashtbl.create 4 in
  let letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_' || (c >= '0' && c <= '9') in
  let one s =
    String.iteri
      (fun i c ->
        match c, String.rindex_from_opt s i '<', String.index_from_opt s i '>' with
        | ':', Some first, Some last ->
          let start = ref first in
          while !start > 0 && letter s.[!start - 1] do decr start done;
          Hashtbl.replace table (String.sub s !start (first - !start)) (String.sub s i (last - i))
        | _ -> ())
      s in
  List.iter one lines;
  table

let kernel lines =
  match Kernel_term.read Kernel_term.Real (List.rev_map untyped lines) with
  | Ok k -> k
  | Error text -> refuse "%s" text

(* A word as one of binary32. *)
let single_word word =
  if word = "nan" || word = least then word
  else real_word (Int32.float_of_bits (Int32.bits_of_float (Int64.float_of_bits (Int64.of_string ("0x" ^ word)))))

let rec single_literals e =
  match e with
  | X.ECst c -> X.ECst (Obj.repr (single_word (Obj.obj c : string)))
  | X.ELd _ -> e
  | X.EBin (o, a, b) -> X.EBin (o, single_literals a, single_literals b)
  | X.EFn (f, l) -> X.EFn (f, List.map single_literals l)
  | X.ESel (c, a, b) -> X.ESel (c, single_literals a, single_literals b)
  | X.ERed (r, ns, a) -> X.ERed (r, ns, single_literals a)

let why_not = function
  | X.Same -> None
  | X.OutOfBounds -> Some "it may read outside of a tensor"
  | X.StoredTwice -> Some "a tensor is stored twice"
  | X.OtherShape -> Some "a tensor has another shape"
  | X.OtherStored -> Some "another tensor is stored"
  | X.NoConstant -> Some "what is packed is no constant"
  | X.OtherOrder -> Some "a packed constant has another shape"
  | X.Early -> Some "a tensor is read before it is stored"
  | X.NoTemporary -> Some "a tensor that was added is no temporary"
  | X.Zeros -> Some "it may read the zeros behind a packed constant"
  | X.OtherCell -> Some "it computes another cell"

(* The place of the name in the array, then n and more for others, in the order in which they are asked for. *)
let numbering names =
  let table = Hashtbl.create 16 in
  let number name =
    match Hashtbl.find_opt table name with
    | Some t -> t
    | None -> let t = Hashtbl.length table in Hashtbl.add table name t; t in
  Array.iter (fun name -> ignore (number name)) names;
  number

let cells shape = List.fold_left Z.mul Z.one shape
let has_cells shape x = Z.equal (cells shape) (Z.of_int (Bigarray.Array1.dim x.bits))

(* What is in a file must be as many words as the tensor has cells. *)
let counted shape number (name, x) =
  let shape = shape (Z.of_int (number name)) in
  match x.file with
  | Some file when not (has_cells shape x) ->
    refuse "%s: %d words for the %s cells of %s" file (Bigarray.Array1.dim x.bits) (Z.to_string (cells shape)) name
  | _ -> ()

(* Row-major data of this shape. *)
let tensor_of shape x =
  let shape = List.map Z.to_int shape and bits : bits = x.bits in
  fun l ->
    let at = List.fold_left2 (fun at n i -> (at * n) + Z.to_int i) 0 shape l in
    Int32.to_int bits.{at}

let packing (k : Kernel_term.t) (q : Kernel_term.t) number b =
  let shapes (x : Kernel_term.t) =
    let table = Hashtbl.create 16 in
    Array.iteri (fun i name -> Hashtbl.replace table (number name) (List.map Z.of_int (Array.to_list x.shapes.(i)))) x.names;
    table in
  let old = shapes k and fresh = shapes q in
  let shape table t = Option.value (Hashtbl.find_opt table (Z.to_int t)) ~default:[] in
  let data t = List.find_map (fun (name, x) -> if Z.equal t (Z.of_int (number name)) then Some x else None) b.constant in
  let stored t = List.exists (fun ((s : K.stmt), _) -> Z.equal s.out t) k.program in
  let entry = function
    | [name; axis; rows; panel] ->
      { X.tensor = Z.of_int (number name); axis = natural axis; rows = natural rows; panel = natural panel }
    | _ -> refuse "what is packed is not said" in
  { X.count_old = Z.of_int (Array.length k.names); old_shape = shape old;
    new_shape = (fun t -> if Hashtbl.mem fresh (Z.to_int t) then shape fresh t else shape old t);
    entries = List.map entry b.entries; is_constant = (fun t -> Option.is_some (data t));
    is_numeric = (fun t -> match data t with Some x -> not (stored t) && Lazy.force x.finite | None -> false);
    is_clean =
      (fun subtracted t ->
        match data t with
        | Some x -> not (stored t) && Lazy.force (if subtracted then x.no_plus_zero else x.no_minus_zero)
        | None -> false) }

(* Without the statements that store what [left] says: to the check these tensors are not stored. *)
let prog (k : Kernel_term.t) number left =
  let tensor t = Z.of_int (number k.names.(Z.to_int t)) in
  let rank t = Array.length k.shapes.(Z.to_int t) in
  let stmt ((s : K.stmt), _) =
    { X.out = tensor s.out; dims = s.dims; body = single_literals (ex S.F64 tensor rank s.body) } in
  List.map stmt (List.filter (fun ((s : K.stmt), _) -> not (left k.names.(Z.to_int s.out))) k.program)

(* Are the packed data, which have this name, what the original's are through the map? *)
let data_same p number b (e : X.packed) =
  let find l = List.find_map (fun (name, x) -> if Z.equal e.tensor (Z.of_int (number name)) then Some x else None) l in
  let old = p.X.old_shape e.tensor and fresh = p.new_shape e.tensor in
  match find b.constant, find b.stored with
  | Some x, Some y ->
    has_cells old x && has_cells fresh y && X.data_same 0 Int.equal p e (tensor_of old x) (tensor_of fresh y)
  | _, None -> Z.sign (cells fresh) = 0
  | None, _ -> false

let packed_verdict b =
  let k = kernel b.original and q = kernel b.changed in
  let number = numbering k.names in
  let p = packing k q number b in
  List.iter (counted p.old_shape number) b.constant;
  List.iter (counted p.new_shape number) b.stored;
  let old = types b.original and fresh = types b.changed in
  let converts name = Hashtbl.mem fresh name && not (Array.mem name k.names) in
  let neutral = X.neutral_words (zero S.F32) least in
  let reading = X.nothing neutral and zero = zero S.F32 in
  let has_exact (k : Kernel_term.t) = List.exists (fun ((s : K.stmt), _) -> Kernel_term.has_exact s.body) k.program in
  let check =
    if has_exact k || has_exact q then X.repack_fused reading (X.nothing_exact neutral zero (real_word (-0.0)) (real_word infinity) (real_word (-1.0)))
    else X.repack_words reading (X.nothing_absorbing neutral zero) in
  let verdict = check p (prog k number (fun _ -> false)) (prog q number converts) in
  let other name = Array.mem name q.names && Hashtbl.find_opt old name <> Hashtbl.find_opt fresh name in
  let verdict =
    match verdict with
    | _ when Array.exists other k.names -> why_not X.OtherShape
    | X.Same | X.Early | X.NoTemporary | X.Zeros | X.OtherCell when not (List.for_all (data_same p number b) p.entries) ->
      Some "the data of a packed constant are others"
    | _ -> why_not verdict in
  match verdict with None -> Equal (List.length k.program) | Some why -> Different why

let packed folder lines =
  match packed_verdict (block folder lines) with
  | verdict -> Ok verdict
  | exception Refused text -> Error text
