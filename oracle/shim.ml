module X = Extracted

exception Internal of string

type value =
  | None_
  | Bool of bool
  | Int of int64
  | Float of int64
  | Str of string
  | Tuple of value list

type unary = X.unary
type binary = X.binary
type reduction = X.reduction
type func = X.func

type expr =
  | Const of value
  | Any
  | Access of int * string
  | Unary of unary * expr
  | Binary of binary * expr * expr
  | Tuple_of of expr list
  | Proj of expr * expr
  | Symbol of int
  | Inst of int * expr * string
  | Var of int * expr * expr
  | Map of int * expr * expr
  | Reduce of reduction * expr
  | Cond of expr * expr * expr
  | Alternative of int * expr list
  | Func of func * expr list

type binding = { pattern : int; label : string; value : value }

type entry =
  | Bound of binding
  | Bound_inst of int * int64 * string * value
  | Bound_symbol of int * value
  | Taken of int * int

let unary_names = X.unary_names
let binary_names = X.binary_names
let reduction_names = X.reduction_names
let func_names = X.func_names

(* The bits of a float as a number in 0 .. 2^64-1, and back. *)
let two_64 = Z.shift_left Z.one 64

let bits_in b =
  let z = Z.of_int64 b in
  if Z.sign z < 0 then Z.add z two_64 else z

let bits_out z =
  Z.to_int64 (if Z.fits_int64 z then z else Z.sub z two_64)

let nat_in = Z.of_int

let rec value_in = function
  | None_ -> X.VNone
  | Bool b -> X.VBool b
  | Int i -> X.VInt (Z.of_int64 i)
  | Float b -> X.VFloat (bits_in b)
  | Str s -> X.VStr s
  | Tuple l -> X.VTuple (List.map value_in l)

let rec value_out = function
  | X.VNone -> None_
  | X.VBool b -> Bool b
  | X.VInt z ->
    if Z.fits_int64 z then Int (Z.to_int64 z)
    else raise (Internal "an integer left the int64 range")
  | X.VFloat b -> Float (bits_out b)
  | X.VStr s -> Str s
  | X.VTuple l -> Tuple (List.map value_out l)

let rec expr_in = function
  | Const v -> X.AConst (value_in v)
  | Any -> X.AAny
  | Access (p, l) -> X.AAccess (Z.of_int p, l)
  | Unary (o, a) -> X.AUnary (o, expr_in a)
  | Binary (o, a, b) -> X.ABinary (o, expr_in a, expr_in b)
  | Tuple_of l -> X.ATuple (List.map expr_in l)
  | Proj (a, b) -> X.AProj (expr_in a, expr_in b)
  | Symbol s -> X.ASymbol (Z.of_int s)
  | Inst (p, a, l) -> X.AInst (Z.of_int p, expr_in a, l)
  | Var (s, n, a) -> X.AVar (Z.of_int s, expr_in n, expr_in a)
  | Map (s, t, a) -> X.AMap (Z.of_int s, expr_in t, expr_in a)
  | Reduce (o, a) -> X.AReduce (o, expr_in a)
  | Cond (c, a, b) -> X.ACond (expr_in c, expr_in a, expr_in b)
  | Alternative (p, l) -> X.AMatch (Z.of_int p, List.map expr_in l)
  | Func (f, l) -> X.AFunc (f, List.map expr_in l)

let env_lists env =
  let pick f = List.filter_map f env in
  ( pick (function
      | Bound b -> Some ((Z.of_int b.pattern, b.label), value_in b.value)
      | _ -> None),
    pick (function
      | Bound_inst (p, k, l, v) -> Some (((Z.of_int p, Z.of_int64 k), l), value_in v)
      | _ -> None),
    pick (function Bound_symbol (s, v) -> Some (Z.of_int s, value_in v) | _ -> None),
    pick (function Taken (p, k) -> Some (Z.of_int p, nat_in k) | _ -> None) )

let env_in env =
  let accesses, insts, symbols, alts = env_lists env in
  X.env_full accesses insts symbols alts

let eval env a = Option.map value_out (X.eval (env_in env) (expr_in a))
let matches env a v = X.amatch (env_in env) (expr_in a) (value_in v)

(* {1 Coq examples} *)

open Coq_print

let env_text env =
  let accesses, insts, symbols, alts = env_lists env in
  apply "env_full"
    [ list (pair (pair n string) value) accesses;
      list (pair (pair (pair n z) string) value) insts;
      list (pair n value) symbols;
      list (pair n nat) alts ]

let eval_example k env a =
  example k (apply "eval" [ env_text env; attr (expr_in a) ])
    (option value (X.eval (env_in env) (expr_in a)))

let match_example k env a v =
  example k (apply "amatch" [ env_text env; attr (expr_in a); value (value_in v) ])
    (bool (X.amatch (env_in env) (expr_in a) (value_in v)))
