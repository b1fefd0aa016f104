module X = Extracted_value

(* {1 Numbers} *)

type element = { arith : X.arith; read : Z.t -> X.num; print : X.num -> string }

let float_element arith =
  let print (a : X.num) =
    let x = Numbers.double (Obj.magic a : X.spec_float) in
    if Float.is_nan x then "nan" else Int64.to_string (Int64.bits_of_float x) in
  { arith; read = (fun n -> arith.X.s_float (Numbers.unsigned n)); print }

let elements =
  [ "f32", float_element Numbers.binary32;
    "f64", float_element Numbers.binary64;
    "i64",
    { arith = X.int64; read = X.int64.s_int;
      print = (fun a -> match (Obj.magic a : Z.t option) with Some z -> Z.to_string z | None -> "?") } ]

(* {1 Requests} *)

let rec value = function
  | Shim.None_ -> X.VNone
  | Shim.Bool b -> X.VBool b
  | Shim.Int i -> X.VInt (Z.of_int64 i)
  | Shim.Float b -> X.VFloat (Numbers.unsigned (Z.of_int64 b))
  | Shim.Str s -> X.VStr s
  | Shim.Tuple l -> X.VTuple (List.map value l)

let items i item =
  Read.opening i;
  Read.until_closed i item

let integer i =
  match Z.of_string (Read.atom i) with
  | n -> n
  | exception Invalid_argument _ -> Read.fail i "an integer"

let size i =
  let n = integer i in
  if Z.sign n < 0 then Read.fail i "a size" else n

let attribute i =
  Read.opening i;
  let label = Read.label i in
  let v = value (Read.value i) in
  Read.closing i;
  (label, v)

let input read i =
  if Read.next i <> '(' then
    if Read.atom i = "absent" then X.GAbsent else Read.fail i "absent or a tensor"
  else begin
    Read.opening i;
    let dims = items i size in
    let cells = items i (fun i -> read (integer i)) in
    Read.closing i;
    if List.length cells <> Z.to_int (List.fold_left Z.mul Z.one dims) then Read.fail i "as many cells as the sizes say";
    X.GTensor { X.dims; cells }
  end

let list l = "(" ^ String.concat " " l ^ ")"
let sizes d = list (List.map Z.to_string d)
let tensor print (t : X.num X.tensor) = list [ sizes t.dims; list (List.map print t.cells) ]

let all f = function X.GTensor t -> list [ f t ] | X.GTuple ts -> list (List.map f ts) | X.GAbsent -> list []

let shape = function
  | X.GTensor (t : X.num X.tensor) -> X.GTensor t.dims
  | X.GTuple ts -> X.GTuple (List.map (fun (t : X.num X.tensor) -> t.dims) ts)
  | X.GAbsent -> X.GAbsent

let request i =
  Read.opening i;
  let name = Read.atom i in
  let e =
    match List.assoc_opt (Read.atom i) elements with
    | Some e -> e
    | None -> Read.fail i "f32, f64 or i64" in
  let attributes = items i attribute in
  let inputs = Read.until_closed i (input e.read) in
  match X.op_infer name attributes (List.map shape inputs) with
  | None -> "refused"
  | Some s ->
    all sizes s ^ " "
    ^ match X.op_value e.arith name attributes inputs with
      | None -> "none"
      | Some v -> all (tensor e.print) v

let answer line = Read.parse line request
