(** * The rules of the library: fold

    Printed from the rules that the compiler reads; a test prints them again. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr pattern.Pattern pattern.Match.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Definition rule_text_bn_mul_add : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PConst None) [] true false None) (* 1 *);
     (Pattern (PConst None) [] true false None) (* 2 *);
     (Pattern PWildcard [] true false None) (* 3 *);
     (Pattern PWildcard [] true false None) (* 4 *);
     (Pattern (PConst None) [] true false None) (* 5 *);
     (Pattern (PConst None) [] true false None) (* 6 *);
     (Pattern (PCall (OName "BatchNormalization") [0; 1; 2; 3; 4]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Mul") [7; 5]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Add") [8; 6]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Reshape") [5]) [("shape", (ATuple [(AProj (AAccess 7%N "shape") (AConst (VInt (1)%Z)))]))] false false None) (* 10 *);
     (Pattern (PCall (OName "Mul") [1; 10]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Reshape") [5]) [("shape", (ATuple [(AProj (AAccess 7%N "shape") (AConst (VInt (1)%Z)))]))] false false None) (* 12 *);
     (Pattern (PCall (OName "Mul") [2; 12]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Reshape") [6]) [("shape", (ATuple [(AProj (AAccess 7%N "shape") (AConst (VInt (1)%Z)))]))] false false None) (* 14 *);
     (Pattern (PCall (OName "Add") [13; 14]) [] false false None) (* 15 *);
     (Pattern (PCall (OName "BatchNormalization") [0; 11; 15; 3; 4]) [("epsilon", (AAccess 7%N "epsilon"))] false false None) (* 16 *)]
    [9] [16]
    [(ABinary BOr (ABinary BEq (AAccess 5%N "shape") (ABinary BAdd (ATuple [(AProj (AAccess 7%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 7%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))) (ABinary BEq (AAccess 5%N "shape") (ABinary BAdd (ATuple [(AConst (VInt (1)%Z)); (AProj (AAccess 7%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 7%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))));
     (ABinary BOr (ABinary BEq (AAccess 6%N "shape") (ABinary BAdd (ATuple [(AProj (AAccess 7%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 7%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))) (ABinary BEq (AAccess 6%N "shape") (ABinary BAdd (ATuple [(AConst (VInt (1)%Z)); (AProj (AAccess 7%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 7%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))))].

Definition rule_text_bn_mul : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PConst None) [] true false None) (* 1 *);
     (Pattern (PConst None) [] true false None) (* 2 *);
     (Pattern PWildcard [] true false None) (* 3 *);
     (Pattern PWildcard [] true false None) (* 4 *);
     (Pattern (PConst None) [] true false None) (* 5 *);
     (Pattern (PCall (OName "BatchNormalization") [0; 1; 2; 3; 4]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Mul") [6; 5]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Reshape") [5]) [("shape", (ATuple [(AProj (AAccess 6%N "shape") (AConst (VInt (1)%Z)))]))] false false None) (* 8 *);
     (Pattern (PCall (OName "Mul") [1; 8]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Reshape") [5]) [("shape", (ATuple [(AProj (AAccess 6%N "shape") (AConst (VInt (1)%Z)))]))] false false None) (* 10 *);
     (Pattern (PCall (OName "Mul") [2; 10]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "BatchNormalization") [0; 9; 11; 3; 4]) [("epsilon", (AAccess 6%N "epsilon"))] false false None) (* 12 *)]
    [7] [12]
    [(ABinary BOr (ABinary BEq (AAccess 5%N "shape") (ABinary BAdd (ATuple [(AProj (AAccess 6%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 6%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))) (ABinary BEq (AAccess 5%N "shape") (ABinary BAdd (ATuple [(AConst (VInt (1)%Z)); (AProj (AAccess 6%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 6%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))))].

Definition rule_text_bn_add : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern (PConst None) [] true false None) (* 2 *);
     (Pattern PWildcard [] true false None) (* 3 *);
     (Pattern PWildcard [] true false None) (* 4 *);
     (Pattern (PConst None) [] true false None) (* 5 *);
     (Pattern (PCall (OName "BatchNormalization") [0; 1; 2; 3; 4]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Add") [6; 5]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Reshape") [5]) [("shape", (ATuple [(AProj (AAccess 6%N "shape") (AConst (VInt (1)%Z)))]))] false false None) (* 8 *);
     (Pattern (PCall (OName "Add") [2; 8]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "BatchNormalization") [0; 1; 9; 3; 4]) [("epsilon", (AAccess 6%N "epsilon"))] false false None) (* 10 *)]
    [7] [10]
    [(ABinary BOr (ABinary BEq (AAccess 5%N "shape") (ABinary BAdd (ATuple [(AProj (AAccess 6%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 6%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))) (ABinary BEq (AAccess 5%N "shape") (ABinary BAdd (ATuple [(AConst (VInt (1)%Z)); (AProj (AAccess 6%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 6%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))))].

Definition rule_text_conv_bn_fold : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PConst None) [] true false None) (* 1 *);
     (Pattern (PConst None) [] true false None) (* 2 *);
     (Pattern (POptional 2 (Some (AConst (VFloat 0%N)))) [] false false None) (* 3 *);
     (Pattern (PConst None) [] true false None) (* 4 *);
     (Pattern (PConst None) [] true false None) (* 5 *);
     (Pattern (PConst None) [] true false None) (* 6 *);
     (Pattern (PConst None) [] true false None) (* 7 *);
     (Pattern (PCall (OName "Conv") [0; 1; 3]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "BatchNormalization") [8; 4; 5; 6; 7]) [] false false None) (* 9 *);
     (Pattern (PConst (Some (AAccess 9%N "epsilon"))) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Add") [7; 10]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Sqrt") [11]) [] false false None) (* 12 *);
     (Pattern (PCall (OName "Div") [4; 12]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Reshape") [13]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 1%N "ndim") (AConst (VInt (1)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 14 *);
     (Pattern (PCall (OName "Mul") [1; 14]) [] false false None) (* 15 *);
     (Pattern (PCall (OName "Sub") [3; 6]) [] false false None) (* 16 *);
     (Pattern (PCall (OName "Mul") [16; 13]) [] false false None) (* 17 *);
     (Pattern (PCall (OName "Add") [17; 5]) [] false false None) (* 18 *);
     (Pattern (PCall (OName "Conv") [0; 15; 18]) [("kernel_shape", (AAccess 8%N "kernel_shape")); ("strides", (AAccess 8%N "strides")); ("pads", (AAccess 8%N "pads")); ("dilations", (AAccess 8%N "dilations")); ("group", (AAccess 8%N "group"))] false false None) (* 19 *)]
    [9] [19]
    [].

Definition rule_text_matmul_add_gemm : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern (PCall (OName "MatMul") [0; 1]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Add") [3; 2]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "Gemm") [0; 1; 2]) [("alpha", (AConst (VFloat 4607182418800017408%N))); ("beta", (AConst (VFloat 4607182418800017408%N))); ("transA", (AConst (VInt (0)%Z))); ("transB", (AConst (VInt (0)%Z)))] false false None) (* 5 *)]
    [4] [5]
    [(ABinary BAnd (ABinary BAnd (ABinary BEq (AAccess 0%N "ndim") (AConst (VInt (2)%Z))) (ABinary BEq (AAccess 1%N "ndim") (AConst (VInt (2)%Z)))) (ABinary BEq (AAccess 0%N "dtype") (AConst (VStr "f32"))));
     (ABinary BEq (AAccess 4%N "shape") (AAccess 3%N "shape"))].

Definition rule_text_bias_add_add : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern PWildcard [] true false None) (* 3 *);
     (Pattern (PCall (OName "BiasAdd") [0; 2]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "BiasAdd") [1; 3]) [("axis", (AAccess 4%N "axis"))] false false None) (* 5 *);
     (Pattern (PCall (OName "Add") [4; 5]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Add") [0; 1]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Add") [2; 3]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "BiasAdd") [7; 8]) [("axis", (AAccess 4%N "axis"))] false false None) (* 9 *)]
    [6] [9]
    [(ABinary BEq (AAccess 0%N "shape") (AAccess 1%N "shape"))].

Definition rule_text_conv_mul : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern (POptional 2 (Some (AConst (VFloat 0%N)))) [] false false None) (* 3 *);
     (Pattern PVariable [] true false None) (* 4 *);
     (Pattern (PCall (OName "Conv") [0; 1; 3]) [] false false None) (* 5 *);
     (Pattern (PCall (OName "Mul") [5; 4]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Reshape") [4]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 1%N "ndim") (AConst (VInt (1)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 7 *);
     (Pattern (PCall (OName "Mul") [1; 7]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Reshape") [4]) [("shape", (ATuple [(AProj (AAccess 5%N "shape") (AConst (VInt (1)%Z)))]))] false false None) (* 9 *);
     (Pattern (PCall (OName "Mul") [3; 9]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Conv") [0; 8; 10]) [("kernel_shape", (AAccess 5%N "kernel_shape")); ("strides", (AAccess 5%N "strides")); ("pads", (AAccess 5%N "pads")); ("dilations", (AAccess 5%N "dilations")); ("group", (AAccess 5%N "group"))] false false None) (* 11 *);
     (Pattern (PCall (OName "Mul") [1; 7]) [] false false None) (* 12 *);
     (Pattern (PCall (OName "Conv") [0; 12]) [("kernel_shape", (AAccess 5%N "kernel_shape")); ("strides", (AAccess 5%N "strides")); ("pads", (AAccess 5%N "pads")); ("dilations", (AAccess 5%N "dilations")); ("group", (AAccess 5%N "group"))] false false None) (* 13 *);
     (Pattern (PCond (AAccess 3%N "present") 11 13) [] false false None) (* 14 *)]
    [6] [14]
    [(ABinary BOr (ABinary BEq (AAccess 4%N "shape") (ABinary BAdd (ATuple [(AProj (AAccess 5%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 5%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))) (ABinary BEq (AAccess 4%N "shape") (ABinary BAdd (ATuple [(AConst (VInt (1)%Z)); (AProj (AAccess 5%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 5%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))))))].

Definition rule_text_diamond_conv_add : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [("shape", (AAccess 1%N "shape"))] true false None) (* 2 *);
     (Pattern PVariable [] true false None) (* 3 *);
     (Pattern (POptional 3 (Some (AConst (VFloat 0%N)))) [] false false None) (* 4 *);
     (Pattern PVariable [] true false None) (* 5 *);
     (Pattern (POptional 5 (Some (AConst (VFloat 0%N)))) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Conv") [0; 1; 4]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Conv") [0; 2; 6]) [("kernel_shape", (AAccess 7%N "kernel_shape")); ("strides", (AAccess 7%N "strides")); ("pads", (AAccess 7%N "pads")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 8 *);
     (Pattern (PCall (OName "Add") [7; 8]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Add") [1; 2]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Add") [4; 6]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Conv") [0; 10; 11]) [("kernel_shape", (AAccess 7%N "kernel_shape")); ("strides", (AAccess 7%N "strides")); ("pads", (AAccess 7%N "pads")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 12 *);
     (Pattern (PCall (OName "Add") [1; 2]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Conv") [0; 13]) [("kernel_shape", (AAccess 7%N "kernel_shape")); ("strides", (AAccess 7%N "strides")); ("pads", (AAccess 7%N "pads")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 14 *);
     (Pattern (PCond (ABinary BOr (AAccess 4%N "present") (AAccess 6%N "present")) 12 14) [] false false None) (* 15 *)]
    [9] [15]
    [].

Definition rule_text_conv_shortcut_add : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern (POptional 2 None) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [0; 1; 3]) [("group", (AConst (VInt (1)%Z)))] false false None) (* 4 *);
     (Pattern (PCall (OName "Add") [4; 0]) [] false false None) (* 5 *);
     (Pattern (PCall (OName "ConstantOfShape") []) [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))])); ("value", (AConst (VFloat 0%N)))] false false None) (* 6 *);
     (Pattern (PCall (OName "EyeLike") [6]) [("dtype", (AConst (VInt (1)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "Reshape") [7]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 4%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 8 *);
     (Pattern (PCall (OName "Pad") [8]) [("pads", (ABinary BAdd (ABinary BAdd (ABinary BAdd (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z))]) (AVar 0%N (ABinary BSub (AAccess 4%N "ndim") (AConst (VInt (2)%Z))) (ABinary BFloordiv (AProj (AAccess 1%N "shape") (ABinary BAdd (ASymbol 0%N) (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))))) (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z))])) (AVar 0%N (ABinary BSub (AAccess 4%N "ndim") (AConst (VInt (2)%Z))) (ABinary BFloordiv (AProj (AAccess 1%N "shape") (ABinary BAdd (ASymbol 0%N) (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z)))))); ("mode", (AConst (VStr "constant"))); ("value", (AConst (VFloat 0%N)))] false false None) (* 9 *);
     (Pattern (PCall (OName "Add") [1; 9]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Conv") [0; 10; 3]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 11 *)]
    [5] [11]
    [(ABinary BEq (AAccess 4%N "shape") (AAccess 0%N "shape"));
     (AReduce RAll (AVar 0%N (ABinary BSub (AAccess 4%N "ndim") (AConst (VInt (2)%Z))) (ABinary BAnd (ABinary BEq (ABinary BMod (AProj (AAccess 1%N "shape") (ABinary BAdd (ASymbol 0%N) (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (ABinary BEq (AProj (AAccess 4%N "strides") (ASymbol 0%N)) (AConst (VInt (1)%Z))))));
     (ABinary BEq (AAccess 4%N "pads") (ABinary BAdd (AVar 0%N (ABinary BSub (AAccess 4%N "ndim") (AConst (VInt (2)%Z))) (ABinary BMul (AProj (AAccess 4%N "dilations") (ASymbol 0%N)) (ABinary BFloordiv (AProj (AAccess 1%N "shape") (ABinary BAdd (ASymbol 0%N) (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))))) (AVar 0%N (ABinary BSub (AAccess 4%N "ndim") (AConst (VInt (2)%Z))) (ABinary BMul (AProj (AAccess 4%N "dilations") (ASymbol 0%N)) (ABinary BFloordiv (AProj (AAccess 1%N "shape") (ABinary BAdd (ASymbol 0%N) (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z)))))))].

Definition library_fold : list (string * rule) :=
  [("bn_mul_add", rule_text_bn_mul_add);
   ("bn_mul", rule_text_bn_mul);
   ("bn_add", rule_text_bn_add);
   ("conv_bn_fold", rule_text_conv_bn_fold);
   ("matmul_add_gemm", rule_text_matmul_add_gemm);
   ("bias_add_add", rule_text_bias_add_add);
   ("conv_mul", rule_text_conv_mul);
   ("diamond_conv_add", rule_text_diamond_conv_add);
   ("conv_shortcut_add", rule_text_conv_shortcut_add)].
