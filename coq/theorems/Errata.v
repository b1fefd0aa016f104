(** * Headline theorems: errata of the thesis, matching and rewriting

    `coq/ERRATA.md` says which erratum is which. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import attr.Attr graph.Graph pattern.Pattern pattern.Match rewrite.Rewrite.
From Calque Require Import pattern.Paths.
From Calque Require rewrite.Errata rewrite.Printed rewrite.PrintedErrata.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

(** ** The rules *)

Import Errata.

Theorem erratum_no_state :
  let pats := [any; app "Sub" [0; 0]] in
  let g := [absent; input 1; input 2; call "Sub" [1; 2]] in
  printed pats g 1 3 /\ forall M, ~ pm commutative pats g None empty 1 3 M.
Proof. exact Errata.erratum_no_state. Qed.

(** 4A.2 (T1:229, T1:271): the environment of PM-Inst and PE-Inst is not bound

    The last premise is in an environment that stands nowhere else, so it holds in any:
    of a template whose index is s, every instance is every node.  Here instance k
    asks for k. *)
Theorem erratum_inst_environment :
  let a := ASymbol 0%N in
  (forall v, exists G, am G a v) /\
  (forall pats g M k v, am (env_at pats g M (Some k)) a v <-> v = VInt (Z.of_nat k)).
Proof. exact Errata.erratum_inst_environment. Qed.

(** 4A.3 (T1:245): a source pattern in a target may be built anew *)
Theorem erratum_rebuild :
  let pats := [any; any; app "Conv" [0; 1]] in
  let strides := [("strides", VTuple [VInt 2; VInt 2])] in
  let g := [absent; input 1; input 2; call_with "Conv" [1; 2] strides] in
  let M := MState [((1, None), 2); ((0, None), 1); ((2, None), 3)] [] [] in
  pmatch commutative pats g 3 None empty 2 3 = [M] /\
  looked_up pats g M None 2 (app "Conv" [0; 1]) = Some 3 /\
  option_map (fun n => attrs (op n)) (nth_error g 3) = Some strides /\
  plan pats g M None (app "Conv" [0; 1]) =
    Some ([(None, 0); (None, 1)], FNew (Oper (KCall "Conv") [] [])).
Proof. exact Errata.erratum_rebuild. Qed.

Theorem erratum_call_attributes :
  let strides := [("strides", VTuple [VInt 2; VInt 2])] in
  let g := [absent; input 1; input 2; call_with "Conv" [1; 2] strides] in
  let conv l := Rule [any; any; Pattern (PCall (OName "Conv") [0; 1]) l false false None] [2] [0] [] in
  (forall G, ~ printed_attrs G [] strides) /\
  found (conv []) g [3] = [[3]] /\ found (conv [("strides", AAny)]) g [3] = [[3]] /\
  found (conv [("group", AAny)]) g [3] = [].
Proof. exact Errata.erratum_call_attributes. Qed.

Theorem erratum_symbol_outside_template :
  let g := [absent; input 1; call "Relu" [1]; call "Relu" [1]] in
  let M := MState [((1, Some 1), 3); ((1, Some 0), 2); ((0, None), 1)] [(2, 2)] [] in
  let built_ b := option_map (fun x => map (fun n => (what (op n), args n, attrs (op n)))
                                         (skipn 4 (whole (snd x))))
                    (build_roots (expand_each b) g M 2) in
  let axis k := [("axis", VInt k)] in
  built_ false = Some [(KCall "Expand", [1], axis 0%Z); (KCall "Abs", [4], []); (KCall "Abs", [4], [])] /\
  built_ true = Some [(KCall "Expand", [1], axis 0%Z); (KCall "Abs", [4], []);
                      (KCall "Expand", [1], axis 1%Z); (KCall "Abs", [6], [])] /\
  forall pats, eval (env_at pats g M None) (ASymbol 0%N) = None.
Proof. exact Errata.erratum_symbol_outside_template. Qed.

Theorem erratum_committed_outputs :
  let pats := [any; app "Abs" [0]; app "Exp" [0]; app "Sqrt" [1]; app "Neg" [1]] in
  let r := Rule pats [2; 3; 4] [0; 0; 0] [] in
  let g := [absent; input 1; call "Exp" [1]; call "Abs" [1]; call "Abs" [1];
            call "Sqrt" [3]; call "Sqrt" [4]; call "Neg" [4]] in
  committed pats g empty [2; 3; 4] [] = None /\
  found r g [2; 5; 6; 7] = [[2; 6; 7]].
Proof. exact Errata.erratum_committed_outputs. Qed.

(** 4B.11, 4B.13: one node twice *)
Theorem erratum_duplicate_predecessor :
  let r := Rule [any; app "Exp" [0]; app "Mul" [1; 1]] [2] [0] [] in
  found r [absent; input 1; call "Exp" [1]; call "Mul" [2; 2]] [3] = [[3]].
Proof. exact Errata.erratum_duplicate_predecessor. Qed.

Theorem erratum_injective :
  let leaf s := Pattern PWildcard [] s false None in
  let axpb s := Rule [any; leaf s; leaf s; app "Mul" [0; 1]; app "Add" [3; 2]] [4] [0] [] in
  let g := [absent; input 1; input 2; call "Mul" [1; 2]; call "Add" [3; 2]] in
  let exps := Rule [leaf true; leaf true; app "Exp" [0]; app "Exp" [1]; app "Mul" [2; 3]] [4] [0] [] in
  found (axpb false) g [4] = [] /\ found (axpb true) g [4] = [[4]] /\
  found exps [absent; input 1; call "Exp" [1]; call "Mul" [2; 2]] [3] = [].
Proof. exact Errata.erratum_injective. Qed.

(** 4B.12: what an input is

    Condition 4 exempts inputs and does not say what they are.  Here they are what is
    no application: a constant may be used elsewhere; an output of the graph is a use. *)
Theorem erratum_inputs :
  let two := Pattern (PConst None) [] true false None in
  let r := Rule [any; two; app "Exp" [0]; app "Abs" [0]; app "Mul" [2; 1]; app "Mul" [3; 1]] [4; 5] [0; 0] [] in
  let g := [absent; input 1; Node (Oper (KConst 1 None) [] []) [];
            call "Exp" [1]; call "Abs" [1]; call "Mul" [3; 2]; call "Mul" [4; 2]; call "Relu" [2]] in
  found r g [5; 6; 7] = [[5; 6]] /\ found r g [3; 5; 6] = [].
Proof. exact Errata.erratum_inputs. Qed.

Theorem erratum_cycle :
  let g := [absent; input 1; input 2; call "MatMul" [1; 2]; call "Relu" [3]; call "MatMul" [1; 4]] in
  found two_products g [3; 5] = [] /\
  map (fun Mo => (snd Mo, attrs_ok two_products g (fst Mo),
                  use_ok two_products g [3; 5] (fst Mo) (snd Mo),
                  convex_ok two_products g (fst Mo) (snd Mo)))
    (flat_map (fun M => search commutative two_products g [5] M [4] [3])
       (pmatch commutative (patterns two_products) g 4 None empty 3 3)) =
  [([3; 5], true, true, false)].
Proof. exact Errata.erratum_cycle. Qed.

Theorem erratum_joint_cycle :
  let g := [absent; input 1; input 2; input 3; input 4;
            call "MatMul" [2; 3]; call "Relu" [5]; call "MatMul" [1; 6];
            call "MatMul" [1; 4]; call "Relu" [8]; call "MatMul" [2; 9]] in
  found two_products g [7; 10] = [[5; 10]; [7; 8]] /\
  snd (rewrite_fix commutative 10 [("two_products", two_products)] g [7; 10] []) =
    [("two_products", 5)].
Proof. exact Errata.erratum_joint_cycle. Qed.

(** 4B.15: a variadic match vetoes itself *)
Theorem erratum_variadic_veto :
  let r := Rule [any; field "Exp" [0]; field "Neg" [1]; pat (PVariadic 2 2 None None)] [3] [3] [] in
  let g := [absent; input 1; call "Exp" [1]; call "Exp" [1]; call "Exp" [1];
            call "Neg" [2]; call "Neg" [3]; call "Neg" [4]; call "Relu" [3]] in
  found r g [5; 6; 7; 8] = [[5; 7]] /\
  let M := MState [((2, Some 2), 7); ((1, Some 2), 4); ((2, Some 1), 6); ((1, Some 1), 3);
                   ((2, Some 0), 5); ((1, Some 0), 2); ((0, None), 1)] [] [] in
  use_ok r g [5; 6; 7; 8] M [5; 6; 7] = false.
Proof. exact Errata.erratum_variadic_veto. Qed.

(** 4B.16: matches that overlap

    The thesis does not say what becomes of them.  Here each is applied to the graph
    that the last one left: of relu(relu(relu x)) both matches are listed, and two
    rewrites leave one relu. *)
Theorem erratum_overlap :
  let r := Rule [any; app "Relu" [0]; app "Relu" [1]; app "Relu" [0]] [2] [3] [] in
  let g := [absent; input 1; call "Relu" [1]; call "Relu" [2]; call "Relu" [3]] in
  found r g [4] = [[3]; [4]] /\
  rewrite_fix commutative 10 [("relu", r)] g [4] [] =
    ([absent; input 1; call "Relu" [1]], [2], [("relu", 3); ("relu", 3)]).
Proof. exact Errata.erratum_overlap. Qed.

(** 4B.18: an alternative is revised *)
Theorem erratum_alt_commits :
  let two := VTuple [VInt 2; VInt 2] in
  let pats := [any; any; app "Exp" [1]; pat (PAlt [0; 2]); any;
               Pattern (PCall (OName "Reshape") [4])
                 [("shape", AMatch 3%N [AConst (VTuple [VInt 4]); AConst two])] false false None;
               app "Sub" [3; 5]] in
  let r := Rule pats [6] [0] [] in
  let g := [absent; input 1; input 2; call "Exp" [1]; call_with "Reshape" [2] [("shape", two)];
            call "Sub" [3; 4]] in
  option_map (fun M => conditions_ok r g [5] M [5])
    (hd_error (pmatch commutative pats g 7 None empty 6 5)) = Some false /\
  found r g [5] = [[5]].
Proof. exact Errata.erratum_alt_commits. Qed.

(** ** The algorithms as printed *)

Import Printed PrintedErrata.

(** 4A.9 (T1, rule PM-Variadic): a variadic pattern stands for a tuple expression

    Several outputs have no tuple: no node matches, where two branches do. *)
Theorem erratum_variadic_outputs :
  let v := Obj 1 (OVariadic [0]) [] [Obj 0 (OOp "Relu") [] [Obj 2 OWild [] []]] in
  let g := [nd "x" []; nd "Relu" [0]; nd "Relu" [0]] in
  (forall fuel s e n, look_up Nat.eqb (known s) 1 = None -> nth_error g e = Some n ->
     fst (single g fuel s v e) = false) /\
  found (Rule [Errata.any; field "Relu" [0]; pat (PVariadic 1 2 None None)] [2] [2] [])
    [absent; input 1; call "Relu" [1]; call "Relu" [1]] [2; 3] = [[2; 3]].
Proof. exact PrintedErrata.erratum_variadic_outputs. Qed.

(** 4A.11 (T1:80-92, algorithm inst_tmpl) *)
Theorem erratum_instantiate_copies :
  let t := Obj 0 (OOp "Relu") [] [Obj 2 OWild [] []] in
  let field_ := Obj 1 (OOp "Sub") [] [t; t] in
  let g := [nd "x" []; nd "Relu" [0]; nd "Sub" [1; 1]; nd "tuple" [2]] in
  map id_of (kids_of (fst (fst (instantiate [1; 0] 100 field_)))) = [100; 101] /\
  fst (single g 20 start (Obj 3 (OVariadic [1; 0]) [] [field_]) 3) = false /\
  found (Rule [Errata.any; field "Relu" [0]; field "Sub" [1; 1]; pat (PVariadic 2 1 None None)] [3] [3] [])
    [absent; input 1; call "Relu" [1]; call "Sub" [2; 2]] [3] = [[3]].
Proof. exact PrintedErrata.erratum_instantiate_copies. Qed.

Theorem erratum_instantiate_gap :
  let w := Obj 0 OWild [] [] in
  let relu := Obj 1 (OOp "Relu") [] [Obj 2 (OOp "Dense") [] [Obj 3 OWild [] []; w]] in
  look_up Nat.eqb (snd (fst (instantiate [1; 0] 100 relu))) 0 = None.
Proof. exact PrintedErrata.erratum_instantiate_gap. Qed.

Theorem erratum_instantiate_attributes :
  let w := Obj 0 OWild [] [] in
  let conv := Obj 1 (OOp "Conv") [0] [Obj 2 OWild [] []; w] in
  let g := [nd "x" []; nd "w" []; nd "Conv" [0; 1]; nd "tuple" [2]] in
  let '(yes, s) := single g 20 start (Obj 3 (OVariadic [1; 0]) [] [conv]) 3 in
  refers_of (fst (fst (instantiate [1; 0] 100 conv))) = [0] /\
  yes = true /\ look_up Nat.eqb (known s) 0 = None.
Proof. exact PrintedErrata.erratum_instantiate_attributes. Qed.

(** 4B.1 (T0:62-65): a wildcard has no children, so it matches leaves only *)
Theorem erratum_wildcard_leaf :
  let g := [nd "x" []; nd "Relu" [0]] in
  fst (single g 20 start (Obj 0 OWild [] []) 0) = true /\
  fst (single g 20 start (Obj 0 OWild [] []) 1) = false /\
  pmatch commutative [Errata.any] [absent; input 1; call "Relu" [1]] 1 None empty 0 2 =
    [MState [((0, None), 2)] [] []].
Proof. exact PrintedErrata.erratum_wildcard_leaf. Qed.

(** 4B.2 (T0:38): an instance is always in the range of M, so it never matches *)
Theorem erratum_inst_unreachable :
  let relu := Obj 1 (OOp "Relu") [] [Obj 0 OWild [] []] in
  let v := Obj 2 (OVariadic [1; 0]) [] [relu] in
  let p := Obj 4 (OOp "Pair") [] [Obj 3 (OOp "Concat") [] [v]; Obj 5 (OInst 2 0 0) [] []] in
  let g := [nd "x" []; nd "Relu" [0]; nd "tuple" [1]; nd "Concat" [2]; nd "Pair" [3; 0]] in
  fst (single g 20 start p 4) = false /\
  fst (single g 20 start (Obj 3 (OOp "Concat") [] [v]) 3) = true /\
  let pats := [Pattern PWildcard [] false true None; field "Relu" [0]; pat (PVariadic 1 0 None None);
               app "Concat" [2]; pat (PInst 0 (AConst (VInt 0))); app "Pair" [3; 4]] in
  List.length (pmatch commutative pats
    [absent; input 1; call "Relu" [1]; call "Concat" [2]; call "Pair" [3; 1]] 6 None empty 5 4) = 1.
Proof. exact PrintedErrata.erratum_inst_unreachable. Qed.

(** 4B.3 (T0:85): a failed attempt leaves its map behind

    Sub(x, Neg y): in Sub(A, B) the first input is taken for x, then the second is no
    Neg; x stays A, and Sub(B, Neg A) is not found. *)
Theorem erratum_map_not_restored :
  let p := Obj 3 (OOp "Sub") [] [Obj 0 OWild [] []; Obj 2 (OOp "Neg") [] [Obj 1 OWild [] []]] in
  let g := [nd "A" []; nd "B" []; nd "Sub" [0; 1]; nd "Neg" [0]; nd "Sub" [1; 3]] in
  try_nodes g false start p [0; 1; 2; 3; 4] = None /\
  try_nodes g true start p [0; 1; 2; 3; 4] = Some 4 /\
  found (Rule [Errata.any; Errata.any; app "Neg" [1]; app "Sub" [0; 2]] [3] [0] [])
    [absent; input 1; input 2; call "Sub" [1; 2]; call "Neg" [1]; call "Sub" [2; 4]] [3; 5] = [[5]].
Proof. exact PrintedErrata.erratum_map_not_restored. Qed.

(** 4B.4 (T0:87): condition 4 is left out

    neg(neg x) matches although the inner neg is used elsewhere. *)
Theorem erratum_use_unchecked :
  let p := Obj 2 (OOp "Neg") [] [Obj 1 (OOp "Neg") [] [Obj 0 OWild [] []]] in
  let g := [nd "x" []; nd "Neg" [0]; nd "Neg" [1]; nd "Relu" [1]] in
  fst (single g 20 start p 2) = true /\
  found (Rule [Errata.any; app "Neg" [0]; app "Neg" [1]] [2] [0] [])
    [absent; input 1; call "Neg" [1]; call "Neg" [2]; call "Relu" [2]] [3; 4] = [].
Proof. exact PrintedErrata.erratum_use_unchecked. Qed.

(** 4B.6 (T0:218-228): PushSucc is undefined for a vertex without free successors *)
Theorem erratum_push_undefined :
  let gp := [nd "*" []; nd "Exp" [0]; nd "Abs" [0]] in
  let ge := [nd "x" []; nd "Exp" [0]; nd "Abs" [0]; nd "Concat" [1; 2]] in
  multi gp [1; 2] ge [3] true 100 = Undefined /\
  (exists M, multi gp [1; 2] ge [3] false 100 = Yes M) /\
  forall O (g : Graph.graph O) outs k o,
    (forall x, reads g x o = false) -> first_free g outs k o = None.
Proof. exact PrintedErrata.erratum_push_undefined. Qed.

(** 4B.7 (T0:234-255): only the first match of the first output is tried *)
Theorem erratum_first_candidate :
  let gp := [nd "*" []; nd "Exp" [0]; nd "Abs" [0]] in
  let ge := [nd "A" []; nd "B" []; nd "Exp" [0]; nd "Exp" [1]; nd "Abs" [1]; nd "Concat" [2; 3; 4]] in
  multi gp [1; 2] ge [5] false 100 = No /\
  found (Rule [Errata.any; app "Exp" [0]; app "Abs" [0]] [1; 2] [0; 0] [])
    [absent; input 1; input 2; call "Exp" [1]; call "Exp" [2]; call "Abs" [2];
     call "Concat" [3; 4; 5]] [6] = [[4; 5]].
Proof. exact PrintedErrata.erratum_first_candidate. Qed.

(** 4B.8 (T0, theorem path_fwd): connectivity is needed in the order of the outputs

    [f x, g y, h(x, y)] is connected; in this order no matched vertex leads to g y, in
    the order f, h, g one does. *)
Theorem erratum_weak_connectivity :
  let gp := [nd "*" []; nd "*" []; nd "F" [0]; nd "G" [1]; nd "H" [0; 1]] in
  (forall v, In v (matched gp [2; 3; 4] 1) -> ~ leads gp [2; 3; 4] 1 v 3) /\
  leads gp [2; 4; 3] 1 0 4 /\ leads gp [2; 4; 3] 2 1 3.
Proof. exact PrintedErrata.erratum_weak_connectivity. Qed.

(** 4B.9 (T0, theorem succ_corres): the successors do not correspond

    a = exp x, outputs sqrt a, neg a, abs a; in the graph abs comes before neg. *)
Theorem erratum_succ_corres : ~ succ_corres.
Proof. exact PrintedErrata.erratum_succ_corres. Qed.

Theorem erratum_alg2_successors :
  let gp := [nd "*" []; nd "Exp" [0]; nd "Sqrt" [1]; nd "Neg" [1]; nd "Abs" [1]] in
  let ge := [nd "x" []; nd "Exp" [0]; nd "Sqrt" [1]; nd "Abs" [1]; nd "Neg" [1]; nd "Concat" [2; 3; 4]] in
  multi gp [2; 3; 4] ge [5] false 100 = No /\
  found (Rule [Errata.any; app "Exp" [0]; app "Sqrt" [1]; app "Neg" [1]; app "Abs" [1]] [2; 3; 4] [0; 0; 0] [])
    [absent; input 1; call "Exp" [1]; call "Sqrt" [2]; call "Abs" [2]; call "Neg" [2];
     call "Concat" [3; 4; 5]] [6] = [[3; 5; 4]].
Proof. exact PrintedErrata.erratum_alg2_successors. Qed.

(** 4B.10 (T0:234-255): no choice of an output is revised

    m = abs x, outputs exp x, sqrt m, neg m; two abs in the graph, the first without
    neg. *)
Theorem erratum_alg2_incomplete :
  let gp := [nd "*" []; nd "Abs" [0]; nd "Exp" [0]; nd "Sqrt" [1]; nd "Neg" [1]] in
  let ge := [nd "x" []; nd "Exp" [0]; nd "Abs" [0]; nd "Abs" [0];
             nd "Sqrt" [2]; nd "Sqrt" [3]; nd "Neg" [3]; nd "Concat" [1; 4; 5; 6]] in
  multi gp [2; 3; 4] ge [7] false 100 = No /\
  found (Rule [Errata.any; app "Abs" [0]; app "Exp" [0]; app "Sqrt" [1]; app "Neg" [1]] [2; 3; 4] [0; 0; 0] [])
    [absent; input 1; call "Exp" [1]; call "Abs" [1]; call "Abs" [1];
     call "Sqrt" [3]; call "Sqrt" [4]; call "Neg" [4]; call "Concat" [2; 5; 6; 7]] [8] = [[2; 6; 7]].
Proof. exact PrintedErrata.erratum_alg2_incomplete. Qed.

Theorem erratum_divergence :
  let g := [absent; input 1; input 2; call "Max" [1; 2]] in
  forall fuel, List.length (snd (rewrite_fix commutative fuel [("swap", swap_max)] g [3] [])) = fuel.
Proof. exact PrintedErrata.erratum_divergence. Qed.
