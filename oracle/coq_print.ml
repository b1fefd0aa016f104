module X = Extracted

let spf = Printf.sprintf

let header modules =
  spf "From Coq Require Import List NArith String ZArith.\nFrom Calque Require Import %s.\n\
       Import ListNotations.\nOpen Scope string_scope.\nOpen Scope nat_scope.\n\n"
    (String.concat " " modules)

let example k lhs rhs =
  spf "Example e_%d :\n  %s\n  = %s.\nProof. vm_compute. reflexivity. Qed.\n\n" k lhs rhs

let example_of_type ty k lhs rhs =
  spf "Example e_%d :\n  %s\n  = %s.\nProof. vm_cast_no_check (eq_refl (%s : %s)). Qed.\n\n" k lhs rhs rhs ty

let apply f args = spf "(%s)" (String.concat " " (f :: args))
let nat k = Z.to_string k
let list f l = "[" ^ String.concat "; " (List.map f l) ^ "]"
let pair f g (a, b) = spf "(%s, %s)" (f a) (g b)
let option f = function Some x -> apply "Some" [ f x ] | None -> "None"
let bool = string_of_bool
let z k = spf "(%s)%%Z" (Z.to_string k)
let n k = Z.to_string k ^ "%N"
let string s = "\"" ^ String.concat "\"\"" (String.split_on_char '"' s) ^ "\""

(* {1 Attributes} *)

let rec value = function
  | X.VNone -> "VNone"
  | VBool b -> apply "VBool" [ bool b ]
  | VInt i -> apply "VInt" [ z i ]
  | VFloat b -> apply "VFloat" [ n b ]
  | VStr s -> apply "VStr" [ string s ]
  | VTuple l -> apply "VTuple" [ list value l ]

let unary = function X.UNeg -> "UNeg" | UNot -> "UNot" | ULen -> "ULen"

let binary = function
  | X.BAdd -> "BAdd" | BSub -> "BSub" | BMul -> "BMul" | BFloordiv -> "BFloordiv" | BMod -> "BMod"
  | BMin -> "BMin" | BMax -> "BMax" | BEq -> "BEq" | BNe -> "BNe" | BLt -> "BLt" | BLe -> "BLe"
  | BGt -> "BGt" | BGe -> "BGe" | BAnd -> "BAnd" | BOr -> "BOr" | BGather -> "BGather"

let reduction = function
  | X.RSum -> "RSum" | RProd -> "RProd" | RMin -> "RMin" | RMax -> "RMax" | RAll -> "RAll"
  | RExists -> "RExists" | RConcat -> "RConcat"

let func = function
  | X.FIn -> "FIn" | FReversed -> "FReversed" | FRange -> "FRange" | FSlice -> "FSlice"
  | FZip -> "FZip" | FRemap -> "FRemap"

let rec attr = function
  | X.AConst v -> apply "AConst" [ value v ]
  | AAny -> "AAny"
  | AAccess (p, l) -> apply "AAccess" [ n p; string l ]
  | AUnary (o, a) -> apply "AUnary" [ unary o; attr a ]
  | ABinary (o, a, b) -> apply "ABinary" [ binary o; attr a; attr b ]
  | ATuple l -> apply "ATuple" [ list attr l ]
  | AProj (a, b) -> apply "AProj" [ attr a; attr b ]
  | ASymbol s -> apply "ASymbol" [ n s ]
  | AInst (p, a, l) -> apply "AInst" [ n p; attr a; string l ]
  | AVar (s, k, a) -> apply "AVar" [ n s; attr k; attr a ]
  | AMap (s, t, a) -> apply "AMap" [ n s; attr t; attr a ]
  | AReduce (o, a) -> apply "AReduce" [ reduction o; attr a ]
  | ACond (c, a, b) -> apply "ACond" [ attr c; attr a; attr b ]
  | AMatch (p, l) -> apply "AMatch" [ n p; list attr l ]
  | AFunc (f, l) -> apply "AFunc" [ func f; list attr l ]

(* {1 Graphs, rules, matches} *)

let kind = function
  | X.KAbsent -> "KAbsent"
  | KInput k -> apply "KInput" [ n k ]
  | KConst (k, v) -> apply "KConst" [ n k; option value v ]
  | KCall s -> apply "KCall" [ string s ]
  | KProj k -> apply "KProj" [ z k ]
  | KTuple -> "KTuple"

let graph_node (m : X.oper X.node) =
  let attrs = list (pair string value) in
  let oper (o : X.oper) = apply "Oper" [ kind o.what; attrs o.type0; attrs o.attrs ] in
  apply "Graph.Node" [ oper m.op; list nat m.args ]

let graph = list graph_node

let shape = function
  | X.PWildcard -> "PWildcard"
  | PVariable -> "PVariable"
  | PConst a -> apply "PConst" [ option attr a ]
  | PCall (OName s, l) -> apply "PCall" [ apply "OName" [ string s ]; list nat l ]
  | PCall (OPat p, l) -> apply "PCall" [ apply "OPat" [ nat p ]; list nat l ]
  | PTuple l -> apply "PTuple" [ list nat l ]
  | PProj (p, a) -> apply "PProj" [ nat p; option attr a ]
  | POptional (p, a) -> apply "POptional" [ nat p; option attr a ]
  | PNone -> "PNone"
  | PAlt l -> apply "PAlt" [ list nat l ]
  | POp l -> apply "POp" [ list string l ]
  | PVariadic (f, least, len, s) ->
    apply "PVariadic" [ nat f; nat least; option attr len; option n s ]
  | PInst (t, a) -> apply "PInst" [ nat t; attr a ]
  | PCond (c, p, q) -> apply "PCond" [ attr c; nat p; nat q ]
  | PMatch (p, l) -> apply "PMatch" [ nat p; list nat l ]

let pattern (p : X.pattern) =
  apply "Pattern"
    [ shape p.form; list (pair string attr) p.wants; bool p.shared; bool p.template;
      option nat p.first ]

let rule (r : X.rule) =
  apply "Rule" [ list pattern r.patterns; list nat r.source; list nat r.target; list attr r.conditions ]

(* A pattern a line, its number behind it. *)
let definition name (r : X.rule) =
  let numbered = List.mapi (fun k p -> spf "%s (* %d *)" (pattern p) k) r.patterns in
  let below l = "[" ^ String.concat ";\n     " l ^ "]" in
  spf "Definition %s : rule := Rule\n    %s\n    %s %s\n    %s.\n" name (below numbered) (list nat r.source)
    (list nat r.target) (below (List.map attr r.conditions))

(* A node a line, its number behind it, and the outputs. *)
let graph_definition name nodes outputs =
  let numbered = List.mapi (fun k m -> spf "%s (* %d *)" (graph_node m) k) nodes in
  spf "Definition %s : tgraph * list nat :=\n    ([%s],\n     %s).\n" name (String.concat ";\n      " numbered)
    (list nat outputs)

let mstate (m : X.mstate) =
  let address = pair nat (option nat) in
  apply "MState"
    [ list (pair address nat) m.bound; list (pair nat nat) m.lens; list (pair nat nat) m.alts ]

(* {1 Kernels over [Numbers.int64s]} *)

let rec ix = function
  | X.IVar k -> apply "IVar" [ nat k ]
  | ICst k -> apply "ICst" [ z k ]
  | IAdd (a, b) -> apply "IAdd" [ ix a; ix b ]
  | ISub (a, b) -> apply "ISub" [ ix a; ix b ]
  | IMul (a, k) -> apply "IMul" [ ix a; z k ]
  | IDiv (a, k) -> apply "IDiv" [ ix a; z k ]
  | IMod (a, k) -> apply "IMod" [ ix a; z k ]

let cmp = function
  | X.CLt -> "CLt" | CLe -> "CLe" | CGt -> "CGt" | CGe -> "CGe" | CEq -> "CEq" | CNe -> "CNe"

let rec cond = function
  | X.CCmp (c, a, b) -> apply "CCmp" [ cmp c; ix a; ix b ]
  | CAnd (a, b) -> apply "CAnd" [ cond a; cond b ]

let operator = function
  | X.OAdd -> "OAdd" | OSub -> "OSub" | OMul -> "OMul" | ODiv -> "ODiv" | OMod -> "OMod"

let fn = function
  | X.FCast to_ -> apply "FCast" [ z to_ ]
  | FMax -> "FMax" | FMin -> "FMin" | FPow -> "FPow" | FNeg -> "FNeg" | FExp -> "FExp"
  | FLog -> "FLog" | FSqrt -> "FSqrt" | FTanh -> "FTanh" | FAbs -> "FAbs" | FErf -> "FErf" | FRound -> "FRound"
  | FLess -> "FLess" | FEqual -> "FEqual" | FWhen -> "FWhen" | FOrelse -> "FOrelse"

let red = function X.KSum -> "KSum" | KMax -> "KMax"

(* The scalars' own types are those of [int64s]. *)
let rec ex = function
  | X.ECst c -> apply "k_cst" [ z (Obj.obj c : Z.t) ]
  | ELd (t, l) -> apply "k_ld" [ nat t; list ix l ]
  | EBin (o, a, b) -> apply "k_bin" [ operator (Obj.obj o : X.operator); ex a; ex b ]
  | EFn (f, l) -> apply "k_fn" [ fn (Obj.obj f : X.function0); list ex l ]
  | ESel (c, a, b) -> apply "k_sel" [ cond c; ex a; ex b ]
  | ERed (r, ns, a) ->
    let r : X.reduction0 * Z.t list = Obj.obj r in
    apply "k_red" [ pair red (list z) r; list nat ns; ex a ]

let stmt (s : X.stmt) = apply "k_stmt" [ nat s.out; list nat s.dims; ex s.body ]

let refusal = function
  | X.NotTemporary -> "NotTemporary" | EarlyLoad -> "EarlyLoad" | StoredTwice -> "StoredTwice"
  | NotStored -> "NotStored" | NotLoaded -> "NotLoaded" | Overwritten -> "Overwritten"
  | Repeats -> "Repeats"
