(** * Headline theorems: errata of the thesis, matching and rewriting

    The table of the README says which erratum is which. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import attr.Attr.
From Calque Require graph.Graph pattern.Pattern pattern.Match rewrite.Rewrite rewrite.Errata.
Import ListNotations.
Import Graph Pattern Match Rewrite Errata.
Open Scope string_scope.
Open Scope nat_scope.

Theorem erratum_no_state :
  let pats := [any; app "Sub" [0; 0]] in
  let g := [absent; input 1; input 2; call "Sub" [1; 2]] in
  printed pats g 1 3 /\ forall M, ~ pm commutative pats g None empty 1 3 M.
Proof. exact Errata.erratum_no_state. Qed.

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

Theorem erratum_succ_corres :
  let pats := [any; app "Exp" [0]; app "Sqrt" [1]; app "Neg" [1]; app "Abs" [1]] in
  let r := Rule pats [2; 3; 4] [0; 0; 0] [] in
  let g := [absent; input 1; call "Exp" [1]; call "Sqrt" [2]; call "Abs" [2]; call "Neg" [2];
            call "Concat" [3; 4; 5]] in
  found r g [6] = [[3; 5; 4]] /\
  forall M, In M (pmatch commutative pats g 3 None empty 2 3) ->
    first_successor pats g M [3; 4] = None.
Proof. exact Errata.erratum_succ_corres. Qed.

Theorem erratum_alg2_incomplete :
  let pats := [any; app "Abs" [0]; app "Exp" [0]; app "Sqrt" [1]; app "Neg" [1]] in
  let r := Rule pats [2; 3; 4] [0; 0; 0] [] in
  let g := [absent; input 1; call "Exp" [1]; call "Abs" [1]; call "Abs" [1];
            call "Sqrt" [3]; call "Sqrt" [4]; call "Neg" [4]] in
  committed pats g empty [2; 3; 4] [] = None /\
  found r g [2; 5; 6; 7] = [[2; 6; 7]].
Proof. exact Errata.erratum_alg2_incomplete. Qed.

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

Theorem erratum_variadic_veto :
  let r := Rule [any; field "Exp" [0]; field "Neg" [1]; pat (PVariadic 2 2 None None)] [3] [3] [] in
  let g := [absent; input 1; call "Exp" [1]; call "Exp" [1]; call "Exp" [1];
            call "Neg" [2]; call "Neg" [3]; call "Neg" [4]; call "Relu" [3]] in
  found r g [5; 6; 7; 8] = [[5; 7]] /\
  let M := MState [((2, Some 2), 7); ((1, Some 2), 4); ((2, Some 1), 6); ((1, Some 1), 3);
                   ((2, Some 0), 5); ((1, Some 0), 2); ((0, None), 1)] [] [] in
  use_ok r g [5; 6; 7; 8] M [5; 6; 7] = false.
Proof. exact Errata.erratum_variadic_veto. Qed.

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

