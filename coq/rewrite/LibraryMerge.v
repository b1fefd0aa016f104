(** * The rules of the library: merge

    Printed from the rules that the compiler reads; a test prints them again. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr pattern.Pattern pattern.Match.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Definition rule_text_parallel_conv_variadic : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern (POptional 2 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [0; 1; 3]) [("group", (AConst (VInt (1)%Z)))] false false None) (* 4 *);
     (Pattern PVariable [] true true (Some 1)) (* 5 *);
     (Pattern PVariable [] true true (Some 2)) (* 6 *);
     (Pattern (POptional 6 (Some (AConst (VFloat 9223372036854775808%N)))) [] false true (Some 3)) (* 7 *);
     (Pattern (PCall (OName "Conv") [0; 5; 7]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false true (Some 4)) (* 8 *);
     (Pattern (PVariadic 8 2 None None) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Expand") [7]) [("shape", (ATuple [(AProj (AInst 5%N (ASymbol 0%N) "shape") (AConst (VInt (0)%Z)))]))] false true None) (* 10 *);
     (Pattern (PVariadic 5 0 (Some (AAccess 9%N "length")) (Some 0%N)) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Concat") [11]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 12 *);
     (Pattern (PVariadic 10 0 (Some (AAccess 9%N "length")) (Some 0%N)) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Concat") [13]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 14 *);
     (Pattern (PCall (OName "Conv") [0; 12; 14]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 15 *);
     (Pattern (PCall (OName "Conv") [0; 12]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 16 *);
     (Pattern (PCond (AReduce RExists (AVar 0%N (AAccess 9%N "length") (AInst 7%N (ASymbol 0%N) "present"))) 15 16) [] false false None) (* 17 *);
     (Pattern (PCall (OName "Split") [17]) [("axis", (AConst (VInt (1)%Z))); ("split", (AVar 0%N (AAccess 9%N "length") (AProj (AInst 5%N (ASymbol 0%N) "shape") (AConst (VInt (0)%Z)))))] false false None) (* 18 *);
     (Pattern (PProj 18 (Some (ASymbol 0%N))) [] false true None) (* 19 *);
     (Pattern (PVariadic 19 0 None (Some 0%N)) [] false false None) (* 20 *)]
    [9] [20]
    [].

Definition rule_text_parallel_conv_bias_relu_variadic : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern (POptional 2 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [0; 1; 3]) [("group", (AConst (VInt (1)%Z)))] false false None) (* 4 *);
     (Pattern (PCall (OName "Relu") [4]) [] false false None) (* 5 *);
     (Pattern PVariable [] true true (Some 1)) (* 6 *);
     (Pattern PVariable [] true true (Some 2)) (* 7 *);
     (Pattern (POptional 7 (Some (AConst (VFloat 9223372036854775808%N)))) [] false true (Some 3)) (* 8 *);
     (Pattern (PCall (OName "Conv") [0; 6; 8]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false true (Some 4)) (* 9 *);
     (Pattern (PCall (OName "Relu") [9]) [] false true (Some 5)) (* 10 *);
     (Pattern (PVariadic 10 2 None None) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Expand") [8]) [("shape", (ATuple [(AProj (AInst 6%N (ASymbol 0%N) "shape") (AConst (VInt (0)%Z)))]))] false true None) (* 12 *);
     (Pattern (PVariadic 6 0 (Some (AAccess 11%N "length")) (Some 0%N)) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Concat") [13]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 14 *);
     (Pattern (PVariadic 12 0 (Some (AAccess 11%N "length")) (Some 0%N)) [] false false None) (* 15 *);
     (Pattern (PCall (OName "Concat") [15]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 16 *);
     (Pattern (PCall (OName "Conv") [0; 14; 16]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 17 *);
     (Pattern (PCall (OName "Conv") [0; 14]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 18 *);
     (Pattern (PCond (AReduce RExists (AVar 0%N (AAccess 11%N "length") (AInst 8%N (ASymbol 0%N) "present"))) 17 18) [] false false None) (* 19 *);
     (Pattern (PCall (OName "Relu") [19]) [] false false None) (* 20 *);
     (Pattern (PCall (OName "Split") [20]) [("axis", (AConst (VInt (1)%Z))); ("split", (AVar 0%N (AAccess 11%N "length") (AProj (AInst 6%N (ASymbol 0%N) "shape") (AConst (VInt (0)%Z)))))] false false None) (* 21 *);
     (Pattern (PProj 21 (Some (ASymbol 0%N))) [] false true None) (* 22 *);
     (Pattern (PVariadic 22 0 None (Some 0%N)) [] false false None) (* 23 *)]
    [11] [23]
    [].

Definition rule_text_parallel_conv_expand_kernels : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern PVariable [] true false None) (* 3 *);
     (Pattern (POptional 3 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 4 *);
     (Pattern PVariable [] true false None) (* 5 *);
     (Pattern (POptional 5 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Conv") [0; 1; 4]) [("pads", (ATuple [(ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z)))])); ("strides", (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))])); ("dilations", (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))])); ("group", (AConst (VInt (1)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "Conv") [0; 2; 6]) [("pads", (ATuple [(ABinary BFloordiv (ABinary BSub (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z)))])); ("strides", (AAccess 7%N "strides")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 8 *);
     (Pattern (PCall (OName "Pad") [1]) [("pads", (ABinary BAdd (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (2)%Z)))]) (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (2)%Z)))]))); ("mode", (AConst (VStr "constant"))); ("value", (AConst (VFloat 0%N)))] false false None) (* 9 *);
     (Pattern (PCall (OName "Pad") [2]) [("pads", (ABinary BAdd (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (2)%Z)))]) (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (2)%Z)))]))); ("mode", (AConst (VStr "constant"))); ("value", (AConst (VFloat 0%N)))] false false None) (* 10 *);
     (Pattern (PCall (OName "Concat") [9; 10]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 11 *);
     (Pattern (PCall (OName "Expand") [4]) [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 12 *);
     (Pattern (PCall (OName "Expand") [6]) [("shape", (ATuple [(AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 13 *);
     (Pattern (PCall (OName "Concat") [12; 13]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 14 *);
     (Pattern (PCall (OName "Conv") [0; 11; 14]) [("kernel_shape", (ATuple [(ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))); (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z))))])); ("pads", (ATuple [(ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z)))])); ("strides", (AAccess 7%N "strides")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 15 *);
     (Pattern PNone [] false false None) (* 16 *);
     (Pattern (PCall (OName "Conv") [0; 11; 16]) [("kernel_shape", (ATuple [(ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))); (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z))))])); ("pads", (ATuple [(ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z)))])); ("strides", (AAccess 7%N "strides")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 17 *);
     (Pattern (PCond (ABinary BOr (AAccess 4%N "present") (AAccess 6%N "present")) 15 17) [] false false None) (* 18 *);
     (Pattern (PCall (OName "Split") [18]) [("axis", (AConst (VInt (1)%Z))); ("split", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 19 *);
     (Pattern (PProj 19 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 20 *);
     (Pattern (PProj 19 (Some (AConst (VInt (1)%Z)))) [] false false None) (* 21 *)]
    [7; 8] [20; 21]
    [(ABinary BNe (AFunc FSlice [(AAccess 1%N "shape"); (AConst (VInt (2)%Z)); (AConst VNone); (AConst VNone)]) (AFunc FSlice [(AAccess 2%N "shape"); (AConst (VInt (2)%Z)); (AConst VNone); (AConst VNone)]));
     (ABinary BAnd (ABinary BEq (ABinary BMod (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))) (AConst (VInt (0)%Z))) (ABinary BEq (ABinary BMod (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (2)%Z))) (AConst (VInt (0)%Z))))].

Definition rule_text_parallel_group_conv_variadic : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern (POptional 2 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [0; 1; 3]) [] false false None) (* 4 *);
     (Pattern PVariable [("shape", (AAccess 1%N "shape"))] true true (Some 1)) (* 5 *);
     (Pattern PVariable [] true true (Some 2)) (* 6 *);
     (Pattern (POptional 6 (Some (AConst (VFloat 9223372036854775808%N)))) [] false true (Some 3)) (* 7 *);
     (Pattern (PCall (OName "Conv") [0; 5; 7]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false true (Some 4)) (* 8 *);
     (Pattern (PVariadic 8 2 None None) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Expand") [7]) [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]))] false true None) (* 10 *);
     (Pattern (PVariadic 5 0 (Some (AAccess 9%N "length")) (Some 0%N)) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Concat") [11]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 12 *);
     (Pattern (PVariadic 10 0 (Some (AAccess 9%N "length")) (Some 0%N)) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Concat") [13]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 14 *);
     (Pattern (PCall (OName "Reshape") [12]) [("shape", (ABinary BAdd (ATuple [(AAccess 9%N "length"); (AAccess 4%N "group"); (ABinary BFloordiv (AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))) (AAccess 4%N "group"))]) (AFunc FSlice [(AAccess 1%N "shape"); (AConst (VInt (1)%Z)); (AConst VNone); (AConst VNone)])))] false false None) (* 15 *);
     (Pattern (PCall (OName "Transpose") [15]) [("perm", (ABinary BAdd (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (0)%Z))]) (AFunc FRange [(AConst (VInt (2)%Z)); (ABinary BAdd (AUnary ULen (AAccess 1%N "shape")) (AConst (VInt (2)%Z))); (AConst (VInt (1)%Z))])))] false false None) (* 16 *);
     (Pattern (PCall (OName "Reshape") [16]) [("shape", (ABinary BAdd (ATuple [(ABinary BMul (AAccess 9%N "length") (AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))))]) (AFunc FSlice [(AAccess 1%N "shape"); (AConst (VInt (1)%Z)); (AConst VNone); (AConst VNone)])))] false false None) (* 17 *);
     (Pattern (PCall (OName "Reshape") [14]) [("shape", (ABinary BAdd (ATuple [(AAccess 9%N "length"); (AAccess 4%N "group"); (ABinary BFloordiv (AProj (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]) (AConst (VInt (0)%Z))) (AAccess 4%N "group"))]) (AFunc FSlice [(ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]); (AConst (VInt (1)%Z)); (AConst VNone); (AConst VNone)])))] false false None) (* 18 *);
     (Pattern (PCall (OName "Transpose") [18]) [("perm", (ABinary BAdd (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (0)%Z))]) (AFunc FRange [(AConst (VInt (2)%Z)); (ABinary BAdd (AUnary ULen (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))])) (AConst (VInt (2)%Z))); (AConst (VInt (1)%Z))])))] false false None) (* 19 *);
     (Pattern (PCall (OName "Reshape") [19]) [("shape", (ABinary BAdd (ATuple [(ABinary BMul (AAccess 9%N "length") (AProj (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]) (AConst (VInt (0)%Z))))]) (AFunc FSlice [(ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]); (AConst (VInt (1)%Z)); (AConst VNone); (AConst VNone)])))] false false None) (* 20 *);
     (Pattern (PCall (OName "Conv") [0; 17; 20]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 21 *);
     (Pattern (PCall (OName "Conv") [0; 17]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 22 *);
     (Pattern (PCond (AReduce RExists (AVar 0%N (AAccess 9%N "length") (AInst 7%N (ASymbol 0%N) "present"))) 21 22) [] false false None) (* 23 *);
     (Pattern (PCall (OName "Reshape") [23]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 4%N "shape") (AConst (VInt (0)%Z))); (AAccess 4%N "group"); (AAccess 9%N "length"); (ABinary BFloordiv (AProj (AAccess 4%N "shape") (AConst (VInt (1)%Z))) (AAccess 4%N "group"))]) (AFunc FSlice [(AAccess 4%N "shape"); (AConst (VInt (2)%Z)); (AConst VNone); (AConst VNone)])))] false false None) (* 24 *);
     (Pattern (PCall (OName "Transpose") [24]) [("perm", (ABinary BAdd (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (2)%Z)); (AConst (VInt (1)%Z))]) (AFunc FRange [(AConst (VInt (3)%Z)); (ABinary BAdd (AUnary ULen (AAccess 4%N "shape")) (AConst (VInt (2)%Z))); (AConst (VInt (1)%Z))])))] false false None) (* 25 *);
     (Pattern (PCall (OName "Reshape") [25]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 4%N "shape") (AConst (VInt (0)%Z))); (ABinary BMul (AAccess 9%N "length") (AProj (AAccess 4%N "shape") (AConst (VInt (1)%Z))))]) (AFunc FSlice [(AAccess 4%N "shape"); (AConst (VInt (2)%Z)); (AConst VNone); (AConst VNone)])))] false false None) (* 26 *);
     (Pattern (PCall (OName "Split") [26]) [("axis", (AConst (VInt (1)%Z))); ("split", (AVar 0%N (AAccess 9%N "length") (AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))))] false false None) (* 27 *);
     (Pattern (PProj 27 (Some (ASymbol 0%N))) [] false true None) (* 28 *);
     (Pattern (PVariadic 28 0 None (Some 0%N)) [] false false None) (* 29 *)]
    [9] [29]
    [(ABinary BGt (AAccess 4%N "group") (AConst (VInt (1)%Z)))].

Definition rule_text_parallel_dense_variadic : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [("ndim", (AConst (VInt (2)%Z)))] true false None) (* 1 *);
     (Pattern PVariable [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); AAny]))] true true (Some 1)) (* 2 *);
     (Pattern (PCall (OName "MatMul") [0; 2]) [] false true None) (* 3 *);
     (Pattern (PVariadic 3 2 None None) [] false false None) (* 4 *);
     (Pattern (PVariadic 2 0 (Some (AAccess 4%N "length")) (Some 0%N)) [] false false None) (* 5 *);
     (Pattern (PCall (OName "Concat") [5]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 6 *);
     (Pattern (PCall (OName "MatMul") [0; 6]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Split") [7]) [("axis", (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (1)%Z)))); ("split", (AVar 0%N (AAccess 4%N "length") (AProj (AInst 2%N (ASymbol 0%N) "shape") (AConst (VInt (1)%Z)))))] false false None) (* 8 *);
     (Pattern (PProj 8 (Some (ASymbol 0%N))) [] false true None) (* 9 *);
     (Pattern (PVariadic 9 0 None (Some 0%N)) [] false false None) (* 10 *)]
    [4] [10]
    [(ABinary BGe (AAccess 0%N "ndim") (AConst (VInt (2)%Z)))].

Definition rule_text_parallel_gemm_variadic : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [("ndim", (AConst (VInt (1)%Z)))] true false None) (* 2 *);
     (Pattern (PCall (OName "Gemm") [0; 1; 2]) [("alpha", (AConst (VFloat 4607182418800017408%N))); ("beta", (AConst (VFloat 4607182418800017408%N)))] false false None) (* 3 *);
     (Pattern PVariable [] true true (Some 1)) (* 4 *);
     (Pattern PVariable [("ndim", (AConst (VInt (1)%Z)))] true true (Some 2)) (* 5 *);
     (Pattern (PCall (OName "Gemm") [0; 4; 5]) [("alpha", (AAccess 3%N "alpha")); ("beta", (AAccess 3%N "beta")); ("transA", (AAccess 3%N "transA")); ("transB", (AAccess 3%N "transB"))] false true (Some 3)) (* 6 *);
     (Pattern (PVariadic 6 2 None None) [] false false None) (* 7 *);
     (Pattern (PVariadic 4 0 (Some (AAccess 7%N "length")) (Some 0%N)) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Concat") [8]) [("axis", (ABinary BSub (AConst (VInt (1)%Z)) (AAccess 3%N "transB")))] false false None) (* 9 *);
     (Pattern (PVariadic 5 0 (Some (AAccess 7%N "length")) (Some 0%N)) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Concat") [10]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 11 *);
     (Pattern (PCall (OName "Gemm") [0; 9; 11]) [("alpha", (AAccess 3%N "alpha")); ("beta", (AAccess 3%N "beta")); ("transA", (AAccess 3%N "transA")); ("transB", (AAccess 3%N "transB"))] false false None) (* 12 *);
     (Pattern (PCall (OName "Split") [12]) [("axis", (AConst (VInt (1)%Z))); ("split", (AVar 0%N (AAccess 7%N "length") (AProj (AInst 4%N (ASymbol 0%N) "shape") (ABinary BSub (AConst (VInt (1)%Z)) (AAccess 3%N "transB")))))] false false None) (* 13 *);
     (Pattern (PProj 13 (Some (ASymbol 0%N))) [] false true None) (* 14 *);
     (Pattern (PVariadic 14 0 None (Some 0%N)) [] false false None) (* 15 *)]
    [7] [15]
    [(AReduce RAll (AVar 0%N (AAccess 7%N "length") (ABinary BEq (AInst 5%N (ASymbol 0%N) "shape") (ATuple [(AProj (AInst 4%N (ASymbol 0%N) "shape") (ABinary BSub (AConst (VInt (1)%Z)) (AAccess 3%N "transB")))]))))].

Definition rule_text_parallel_batch_matmul_variadic : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (3)%Z)))] false false None) (* 0 *);
     (Pattern PVariable [("ndim", (AConst (VInt (3)%Z)))] true false None) (* 1 *);
     (Pattern (PCall (OName "MatMul") [0; 1]) [] false false None) (* 2 *);
     (Pattern PVariable [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 1%N "shape") (AConst (VInt (1)%Z))); AAny]))] true true (Some 1)) (* 3 *);
     (Pattern (PCall (OName "MatMul") [0; 3]) [] false true (Some 2)) (* 4 *);
     (Pattern (PVariadic 4 2 None None) [] false false None) (* 5 *);
     (Pattern (PVariadic 3 0 (Some (AAccess 5%N "length")) (Some 0%N)) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Concat") [6]) [("axis", (AConst (VInt (2)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "MatMul") [0; 7]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Split") [8]) [("axis", (AConst (VInt (2)%Z))); ("split", (AVar 0%N (AAccess 5%N "length") (AProj (AInst 3%N (ASymbol 0%N) "shape") (AConst (VInt (2)%Z)))))] false false None) (* 9 *);
     (Pattern (PProj 9 (Some (ASymbol 0%N))) [] false true None) (* 10 *);
     (Pattern (PVariadic 10 0 None (Some 0%N)) [] false false None) (* 11 *)]
    [5] [11]
    [].

Definition rule_text_two_conv_add : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PWildcard [] false false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern PVariable [] true false None) (* 3 *);
     (Pattern PVariable [] true false None) (* 4 *);
     (Pattern (POptional 4 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 5 *);
     (Pattern PVariable [] true false None) (* 6 *);
     (Pattern (POptional 6 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Conv") [0; 2; 5]) [("group", (AConst (VInt (1)%Z)))] false false None) (* 8 *);
     (Pattern (PCall (OName "Conv") [1; 3; 7]) [("kernel_shape", (AAccess 8%N "kernel_shape")); ("strides", (AAccess 8%N "strides")); ("pads", (AAccess 8%N "pads")); ("dilations", (AAccess 8%N "dilations")); ("group", (AAccess 8%N "group"))] false false None) (* 9 *);
     (Pattern (PCall (OName "Add") [8; 9]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Concat") [0; 1]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 11 *);
     (Pattern (PCall (OName "Concat") [2; 3]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 12 *);
     (Pattern (PCall (OName "Add") [5; 7]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Conv") [11; 12; 13]) [("kernel_shape", (AAccess 8%N "kernel_shape")); ("strides", (AAccess 8%N "strides")); ("pads", (AAccess 8%N "pads")); ("dilations", (AAccess 8%N "dilations")); ("group", (AAccess 8%N "group"))] false false None) (* 14 *);
     (Pattern (PCall (OName "Conv") [11; 12]) [("kernel_shape", (AAccess 8%N "kernel_shape")); ("strides", (AAccess 8%N "strides")); ("pads", (AAccess 8%N "pads")); ("dilations", (AAccess 8%N "dilations")); ("group", (AAccess 8%N "group"))] false false None) (* 15 *);
     (Pattern (PCond (ABinary BOr (AAccess 5%N "present") (AAccess 7%N "present")) 14 15) [] false false None) (* 16 *)]
    [10] [16]
    [(ABinary BAnd (ABinary BAnd (ABinary BEq (AProj (AAccess 0%N "shape") (AConst (VInt (0)%Z))) (AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))) (ABinary BEq (AFunc FSlice [(AAccess 0%N "shape"); (AConst (VInt (2)%Z)); (AConst VNone); (AConst VNone)]) (AFunc FSlice [(AAccess 1%N "shape"); (AConst (VInt (2)%Z)); (AConst VNone); (AConst VNone)]))) (ABinary BEq (AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z))) (AProj (AAccess 3%N "shape") (AConst (VInt (0)%Z)))))].

Definition library_merge : list (string * rule) :=
  [("parallel_conv_variadic", rule_text_parallel_conv_variadic);
   ("parallel_conv_bias_relu_variadic", rule_text_parallel_conv_bias_relu_variadic);
   ("parallel_conv_expand_kernels", rule_text_parallel_conv_expand_kernels);
   ("parallel_group_conv_variadic", rule_text_parallel_group_conv_variadic);
   ("parallel_dense_variadic", rule_text_parallel_dense_variadic);
   ("parallel_gemm_variadic", rule_text_parallel_gemm_variadic);
   ("parallel_batch_matmul_variadic", rule_text_parallel_batch_matmul_variadic);
   ("two_conv_add", rule_text_two_conv_add)].
