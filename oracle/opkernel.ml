module X = Extracted_op

type element = F32 | F64 | I32 | I64 | I8 | U8

let elements = [ "f32", F32; "f64", F64; "i32", I32; "i64", I64; "i8", I8; "u8", U8 ]

(* {1 Requests} *)

let rec value = function
  | Shim.None_ -> X.VNone
  | Shim.Bool b -> X.VBool b
  | Shim.Int i -> X.VInt (Z.of_int64 i)
  | Shim.Float b -> X.VFloat (Z.logand (Z.of_int64 b) (Z.of_string "0xffffffffffffffff"))
  | Shim.Str s -> X.VStr s
  | Shim.Tuple l -> X.VTuple (List.map value l)

let items i item =
  Read.opening i;
  Read.until_closed i item

let integer i =
  let word = Read.atom i in
  match int_of_string_opt word with
  | Some n -> Z.of_int n
  | None -> Read.fail i "an integer"

let size i =
  let n = integer i in
  if Z.sign n < 0 then Read.fail i "a size" else n

let attribute i =
  Read.opening i;
  let label = Read.label i in
  let v = value (Read.value i) in
  Read.closing i;
  (label, v)

let operator (o : X.operator) =
  match o with OAdd -> "+" | OSub -> "-" | OMul -> "*" | ODiv -> "/" | OMod -> "%"

let no_fma _ _ x = x

(* The scalars of a kernel, and the words of its operators. *)
type scalars = { scalars : X.scalars; word : X.bop -> string }

let usual = { scalars = X.kernel_scalars X.no_numbers; word = (fun o -> operator (Obj.obj o)) }

let formal =
  { scalars = X.formal_scalars X.no_numbers no_fma;
    word = (fun o -> match (Obj.obj o : X.formal_operator) with X.Usual o -> operator (Obj.obj o) | X.ExactProduct -> "exact") }

let request i =
  Read.opening i;
  let name = Read.atom i in
  let word = Read.atom i in
  let element =
    match List.assoc_opt word elements with
    | Some e -> e
    | None -> Read.fail i "f32, f64, i32, i64, i8 or u8" in
  let ins = items i (fun i -> items i size) in
  let out = items i size in
  let attributes = items i attribute in
  let index = items i integer in
  let numbers = Gsl.numbers_at i in
  if numbers.own then Read.fail i "sums lanes or fma";
  Read.closing i;
  let integers = element <> F32 && element <> F64 in
  let p = X.op_kernel X.no_numbers name attributes ins out integers index in
  let p = if numbers.lanes then Option.map (X.op_lanes X.no_numbers) p else p in
  if numbers.fma && not integers then (element, ins, formal, Option.map (X.op_fma X.no_numbers no_fma) p)
  else (element, ins, usual, p)

(* {1 Literals: rounded to the element type} *)

let single x = Int32.float_of_bits (Int32.bits_of_float x)
let real bits = Int64.float_of_bits (Z.to_int64 (Z.signed_extract bits 0 64))
let rounded element x = if element = F32 then single x else x

(* As C converts it, saturated; 32-bit kernels have no smaller integer than their least. *)
let truncated element x =
  let bits = match element with I8 -> 7 | U8 -> 8 | I32 -> 31 | _ -> 63 in
  let beyond = Z.shift_left Z.one bits in
  let least = if element = U8 then Z.zero else Z.neg beyond in
  if Float.is_nan x then Z.zero
  else if x >= Float.ldexp 1. bits then Z.pred beyond
  else if x < Z.to_float least then least
  else Z.of_float x

let number element x =
  match element with
  | F32 | F64 -> Text.value_to_string (Shim.Float (Int64.bits_of_float (rounded element x)))
  | I32 | I64 | I8 | U8 -> Z.to_string (truncated element x)

let integer_literal element z =
  match element with I32 | I64 | I8 | U8 -> Z.to_string z | F32 | F64 -> number element (Z.to_float z)

let literal element (c : X.literal) =
  match c with
  | X.LInt z -> integer_literal element z
  | X.LReal bits -> number element (real bits)
  | X.LRatio (bits, n) -> number element (single (single (real bits) /. single (Z.to_float n)))
  | X.LTiny -> number element (if element = F32 then 0x1p-149 else 0x1p-1074)
  | X.LLeast -> number element neg_infinity

(* {1 Printing} *)

let tensor t =
  let k, kind = Z.ediv_rem t (Z.of_int 3) in
  (match Z.to_int kind with 0 -> "X" | 1 -> "Y" | _ -> "T") ^ Z.to_string k

let list l = "(" ^ String.concat " " l ^ ")"
let dims d = list (List.map Z.to_string d)

let rec ix = function
  | X.IVar n -> "$" ^ Z.to_string n
  | X.ICst z -> Z.to_string z
  | X.IAdd (a, b) -> list [ "+"; ix a; ix b ]
  | X.ISub (a, b) -> list [ "-"; ix a; ix b ]
  | X.IMul (a, k) -> list [ "*"; ix a; Z.to_string k ]
  | X.IDiv (a, k) -> list [ "//"; ix a; Z.to_string k ]
  | X.IMod (a, k) -> list [ "%"; ix a; Z.to_string k ]

let comparison = function
  | X.CLt -> "<" | X.CLe -> "<=" | X.CGt -> ">" | X.CGe -> ">=" | X.CEq -> "==" | X.CNe -> "!="

let rec comparisons = function
  | X.CCmp (c, a, b) -> [ list [ comparison c; ix a; ix b ] ]
  | X.CAnd (a, b) -> comparisons a @ comparisons b

let function_ (f : X.function0) =
  match f with
  | FMax -> "max" | FMin -> "min" | FPow -> "pow" | FNeg -> "neg" | FExp -> "exp" | FLog -> "log"
  | FSqrt -> "sqrt" | FTanh -> "tanh" | FAbs -> "abs" | FErf -> "erf" | FRound -> "round" | FLess -> "less"
  | FEqual -> "equal" | FWhen -> "when" | FOrelse -> "orelse" | FCast _ -> "cast"

(* The element types of its tensors say what a kernel converts to. *)
let converts (f : X.function0) = match f with FCast _ -> true | _ -> false

let rec ex s element (e : X.ex) =
  let ex = ex s element in
  match e with
  | X.ECst c -> literal element (Obj.obj c : X.literal)
  | X.ELd (t, l) -> list (tensor t :: List.map ix l)
  | X.EBin (o, a, b) -> list [ s.word o; ex a; ex b ]
  | X.EFn (f, [ a ]) when converts (Obj.obj f) -> ex a
  | X.EFn (f, l) -> list (function_ (Obj.obj f : X.function0) :: List.map ex l)
  | X.ESel (c, a, b) -> list [ "sel"; list (comparisons c); ex a; ex b ]
  | X.ERed (r, ns, a) ->
    let word = match (Obj.obj r : X.reduction) with X.KSum -> "sum" | X.KMax -> "amax" in
    list [ word; dims ns; ex a ]

let statement n element (s : X.stmt) = list [ tensor s.out; dims s.dims; ex n element s.body ]

(* The tensors that are stored have the sizes of their statements. *)
let shape_of ins p t =
  let input, kind = Z.ediv_rem t (Z.of_int 3) in
  if Z.equal kind Z.zero then List.nth ins (Z.to_int input)
  else (List.find (fun (s : X.stmt) -> Z.equal s.out t) p).dims

let answer_with put line =
  Result.map
    (function
      | _, _, _, None -> "none"
      | element, ins, s, Some p -> put element ins s p)
    (Read.parse line request)

let answer = answer_with (fun element _ s p -> list (List.map (statement s element) p))

let well_formed =
  answer_with (fun _ ins s p ->
    let wf = X.wf_stmt s.scalars (shape_of ins p) in
    if List.for_all wf p then "yes" else "no")
