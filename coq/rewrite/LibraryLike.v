(** * The rules of the library: like

    Printed from the rules that the compiler reads; a test prints them again. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr pattern.Pattern pattern.Match.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Definition rule_text_concretize_zeros_like : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "ZerosLike") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "ConstantOfShape") []) [("shape", (AAccess 0%N "shape")); ("value", (AConst (VFloat 0%N))); ("dtype", (ACond (ABinary BEq (AAccess 0%N "dtype") (AConst (VStr "f32"))) (AConst (VInt (1)%Z)) (AConst (VInt (7)%Z))))] false false None) (* 2 *)]
    [1] [2]
    [(AFunc FIn [(AAccess 0%N "dtype"); (ATuple [(AConst (VStr "f32")); (AConst (VStr "i64"))])])].

Definition rule_text_concretize_ones_like : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "OnesLike") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "ConstantOfShape") []) [("shape", (AAccess 0%N "shape")); ("value", (AConst (VFloat 4607182418800017408%N))); ("dtype", (ACond (ABinary BEq (AAccess 0%N "dtype") (AConst (VStr "f32"))) (AConst (VInt (1)%Z)) (AConst (VInt (7)%Z))))] false false None) (* 2 *)]
    [1] [2]
    [(AFunc FIn [(AAccess 0%N "dtype"); (ATuple [(AConst (VStr "f32")); (AConst (VStr "i64"))])])].

Definition rule_text_concretize_reshape_like : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern (PCall (OName "ReshapeLike") [0; 1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_concretize_broadcast_to_like : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern (PCall (OName "BroadcastLike") [0; 1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Expand") [0]) [("shape", (AAccess 1%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_concretize_collapse_sum_like : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern (PCall (OName "CollapseSumLike") [0; 1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "CollapseSum") [0]) [("shape", (AAccess 1%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_simplify_bias_add : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern (PCall (OName "BiasAdd") [0; 1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [1]) [("shape", (ABinary BAdd (AAccess 1%N "shape") (AVar 0%N (ABinary BSub (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (1)%Z))) (AAccess 2%N "axis")) (AConst (VInt (1)%Z)))))] false false None) (* 3 *);
     (Pattern (PCall (OName "Add") [0; 3]) [] false false None) (* 4 *)]
    [2] [4]
    [(ABinary BGe (AAccess 2%N "axis") (AConst (VInt (0)%Z)))].

Definition library_like : list (string * rule) :=
  [("concretize_zeros_like", rule_text_concretize_zeros_like);
   ("concretize_ones_like", rule_text_concretize_ones_like);
   ("concretize_reshape_like", rule_text_concretize_reshape_like);
   ("concretize_broadcast_to_like", rule_text_concretize_broadcast_to_like);
   ("concretize_collapse_sum_like", rule_text_concretize_collapse_sum_like);
   ("simplify_bias_add", rule_text_simplify_bias_add)].
