(** * The rules of the library: quantised

    Printed from the rules that the compiler reads; a test prints them again. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr pattern.Pattern pattern.Match.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Definition rule_text_quantised_conv : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern PWildcard [] true false None) (* 3 *);
     (Pattern PWildcard [] true false None) (* 4 *);
     (Pattern (POptional 4 (Some (AConst (VFloat 0%N)))) [] false false None) (* 5 *);
     (Pattern (PCall (OName "Identity") [0]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Mul") [6; 1]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Identity") [2]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Mul") [8; 3]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Conv") [7; 9; 5]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Conv") [0; 2]) [("kernel_shape", (AAccess 10%N "kernel_shape")); ("strides", (AAccess 10%N "strides")); ("pads", (AAccess 10%N "pads")); ("dilations", (AAccess 10%N "dilations")); ("group", (AAccess 10%N "group"))] false false None) (* 11 *);
     (Pattern (PCall (OName "Mul") [11; 1]) [] false false None) (* 12 *);
     (Pattern (PCall (OName "Mul") [12; 3]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Reshape") [5]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 2%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 14 *);
     (Pattern (PCall (OName "Add") [13; 14]) [] false false None) (* 15 *);
     (Pattern (PCond (AAccess 5%N "present") 15 13) [] false false None) (* 16 *)]
    [10] [16]
    [(ABinary BEq (AAccess 1%N "shape") (ATuple []));
     (ABinary BEq (AAccess 3%N "shape") (ATuple []))].

Definition rule_text_quantised_conv_channels : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern PWildcard [] true false None) (* 3 *);
     (Pattern PWildcard [] true false None) (* 4 *);
     (Pattern (POptional 4 (Some (AConst (VFloat 0%N)))) [] false false None) (* 5 *);
     (Pattern (PCall (OName "Identity") [0]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Mul") [6; 1]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Identity") [2]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Mul") [8; 3]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Conv") [7; 9; 5]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Conv") [0; 2]) [("kernel_shape", (AAccess 10%N "kernel_shape")); ("strides", (AAccess 10%N "strides")); ("pads", (AAccess 10%N "pads")); ("dilations", (AAccess 10%N "dilations")); ("group", (AAccess 10%N "group"))] false false None) (* 11 *);
     (Pattern (PCall (OName "Mul") [11; 1]) [] false false None) (* 12 *);
     (Pattern (PCall (OName "Reshape") [3]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 2%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 13 *);
     (Pattern (PCall (OName "Mul") [12; 13]) [] false false None) (* 14 *);
     (Pattern (PCall (OName "Reshape") [5]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 2%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 15 *);
     (Pattern (PCall (OName "Add") [14; 15]) [] false false None) (* 16 *);
     (Pattern (PCond (AAccess 5%N "present") 16 14) [] false false None) (* 17 *)]
    [10] [17]
    [(ABinary BEq (AAccess 1%N "shape") (ATuple []));
     (ABinary BEq (AAccess 3%N "shape") (ABinary BAdd (ATuple [(AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 2%N "ndim") (AConst (VInt (1)%Z))) (AConst (VInt (1)%Z)))))].

Definition rule_text_quantised_matmul : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern PWildcard [] true false None) (* 3 *);
     (Pattern (PCall (OName "Identity") [0]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "Mul") [4; 1]) [] false false None) (* 5 *);
     (Pattern (PCall (OName "Identity") [2]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Mul") [6; 3]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "MatMul") [5; 7]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "MatMul") [0; 2]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Mul") [9; 1]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Mul") [10; 3]) [] false false None) (* 11 *)]
    [8] [11]
    [(ABinary BEq (AAccess 1%N "shape") (ATuple []));
     (ABinary BEq (AAccess 3%N "shape") (ATuple []))].

Definition library_quantised : list (string * rule) :=
  [("quantised_conv", rule_text_quantised_conv);
   ("quantised_conv_channels", rule_text_quantised_conv_channels);
   ("quantised_matmul", rule_text_quantised_matmul)].
