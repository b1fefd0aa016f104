module X = Extracted_value

(* Not OCaml's [nan], which may be a signalling one. *)
let quiet = Int64.float_of_bits 0x7ff8000000000000L

let double = function
  | X.S754_zero s -> if s then -0. else 0.
  | X.S754_infinity s -> if s then neg_infinity else infinity
  | X.S754_nan -> quiet
  | X.S754_finite (s, m, e) ->
    let x = ldexp (Z.to_float m) (Z.to_int e) in
    if s then -.x else x

let unsigned n = Z.logand n (Z.of_string "0xffffffffffffffff")
let bits x = unsigned (Z.of_int64 (Int64.bits_of_float x))
let single_of x = X.binary32.s_float (bits x)
let double_of x = X.binary64.s_float (bits x)

(* No byte code is built: the first name is that of no function. *)
external expf : (float[@unboxed]) -> (float[@unboxed]) = "calque_byte" "calque_expf" [@@noalloc]
external logf : (float[@unboxed]) -> (float[@unboxed]) = "calque_byte" "calque_logf" [@@noalloc]
external tanhf : (float[@unboxed]) -> (float[@unboxed]) = "calque_byte" "calque_tanhf" [@@noalloc]
external erff : (float[@unboxed]) -> (float[@unboxed]) = "calque_byte" "calque_erff" [@@noalloc]
external powf : (float[@unboxed]) -> (float[@unboxed]) -> (float[@unboxed]) = "calque_byte" "calque_powf" [@@noalloc]

let spec (x : X.num) : X.spec_float = Obj.magic x

let with_library arith back exp log tanh erf pow =
  let call f a = back (f (double (spec a))) in
  { arith with
    X.s_exp = call exp; s_log = call log; s_tanh = call tanh; s_erf = call erf;
    s_pow = (fun a b -> back (pow (double (spec a)) (double (spec b)))) }

let binary32 = with_library X.binary32 single_of expf logf tanhf erff powf
let binary64 = with_library X.binary64 double_of exp log tanh Float.erf Float.pow
