(** * The rules of the library: pairs

    Printed from the rules that the compiler reads; a test prints them again. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr pattern.Pattern pattern.Match.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Definition rule_text_split_concat : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Split") [0]) [] false false None) (* 1 *);
     (Pattern (PProj 1 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 2 *);
     (Pattern (PProj 1 (Some (AConst (VInt (1)%Z)))) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Concat") [2; 3]) [("axis", (AAccess 1%N "axis"))] false false None) (* 4 *)]
    [4] [0]
    [(ABinary BEq (AUnary ULen (AAccess 1%N "split")) (AConst (VInt (2)%Z)))].

Definition rule_text_merge_element_wise : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (POp ["Relu"; "Sum"; "Mul"; "Add"; "Sub"; "Div"; "Sqrt"; "Neg"; "Abs"; "Exp"; "Log"; "Tanh"; "Sigmoid"; "Erf"; "Pow"; "Max"; "Min"; "Reciprocal"; "HardSwish"; "Softplus"; "Softsign"; "Mish"; "Sign"; "Round"]) [] false false None) (* 1 *);
     (Pattern (PCall (OPat 1) [0]) [] false false None) (* 2 *);
     (Pattern (PCall (OPat 1) [0]) [] false false None) (* 3 *);
     (Pattern (PCall (OPat 1) [0]) [] false false None) (* 4 *)]
    [2; 3] [4; 4]
    [].

Definition rule_text_merge_three_element_wise : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (POp ["Relu"; "Sum"; "Mul"; "Add"; "Sub"; "Div"; "Sqrt"; "Neg"; "Abs"; "Exp"; "Log"; "Tanh"; "Sigmoid"; "Erf"; "Pow"; "Max"; "Min"; "Reciprocal"; "HardSwish"; "Softplus"; "Softsign"; "Mish"; "Sign"; "Round"]) [] false false None) (* 1 *);
     (Pattern (PCall (OPat 1) [0]) [] false false None) (* 2 *);
     (Pattern (PCall (OPat 1) [0]) [] false false None) (* 3 *);
     (Pattern (PCall (OPat 1) [0]) [] false false None) (* 4 *);
     (Pattern (PCall (OPat 1) [0]) [] false false None) (* 5 *)]
    [2; 3; 4] [5; 5; 5]
    [].

Definition rule_text_parallel_two_conv : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern PVariable [] true false None) (* 3 *);
     (Pattern (POptional 3 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 4 *);
     (Pattern PVariable [] true false None) (* 5 *);
     (Pattern (POptional 5 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Conv") [0; 1; 4]) [("group", (AConst (VInt (1)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "Conv") [0; 2; 6]) [("kernel_shape", (AAccess 7%N "kernel_shape")); ("strides", (AAccess 7%N "strides")); ("pads", (AAccess 7%N "pads")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 8 *);
     (Pattern (PCall (OName "Concat") [1; 2]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 9 *);
     (Pattern (PCall (OName "Expand") [4]) [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 10 *);
     (Pattern (PCall (OName "Expand") [6]) [("shape", (ATuple [(AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 11 *);
     (Pattern (PCall (OName "Concat") [10; 11]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 12 *);
     (Pattern (PCall (OName "Conv") [0; 9; 12]) [("kernel_shape", (AAccess 7%N "kernel_shape")); ("strides", (AAccess 7%N "strides")); ("pads", (AAccess 7%N "pads")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 13 *);
     (Pattern (PCall (OName "Conv") [0; 9]) [("kernel_shape", (AAccess 7%N "kernel_shape")); ("strides", (AAccess 7%N "strides")); ("pads", (AAccess 7%N "pads")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 14 *);
     (Pattern (PCond (ABinary BOr (AAccess 4%N "present") (AAccess 6%N "present")) 13 14) [] false false None) (* 15 *);
     (Pattern (PCall (OName "Split") [15]) [("axis", (AConst (VInt (1)%Z))); ("split", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 16 *);
     (Pattern (PProj 16 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 17 *);
     (Pattern (PProj 16 (Some (AConst (VInt (1)%Z)))) [] false false None) (* 18 *)]
    [7; 8] [17; 18]
    [].

Definition rule_text_parallel_two_conv_bias_relu : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern PVariable [] true false None) (* 3 *);
     (Pattern (POptional 3 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 4 *);
     (Pattern PVariable [] true false None) (* 5 *);
     (Pattern (POptional 5 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Conv") [0; 1; 4]) [("group", (AConst (VInt (1)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "Conv") [0; 2; 6]) [("kernel_shape", (AAccess 7%N "kernel_shape")); ("strides", (AAccess 7%N "strides")); ("pads", (AAccess 7%N "pads")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 8 *);
     (Pattern (PCall (OName "Relu") [7]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Relu") [8]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Concat") [1; 2]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 11 *);
     (Pattern (PCall (OName "Expand") [4]) [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 12 *);
     (Pattern (PCall (OName "Expand") [6]) [("shape", (ATuple [(AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 13 *);
     (Pattern (PCall (OName "Concat") [12; 13]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 14 *);
     (Pattern (PCall (OName "Conv") [0; 11; 14]) [("kernel_shape", (AAccess 7%N "kernel_shape")); ("strides", (AAccess 7%N "strides")); ("pads", (AAccess 7%N "pads")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 15 *);
     (Pattern (PCall (OName "Conv") [0; 11]) [("kernel_shape", (AAccess 7%N "kernel_shape")); ("strides", (AAccess 7%N "strides")); ("pads", (AAccess 7%N "pads")); ("dilations", (AAccess 7%N "dilations")); ("group", (AAccess 7%N "group"))] false false None) (* 16 *);
     (Pattern (PCond (ABinary BOr (AAccess 4%N "present") (AAccess 6%N "present")) 15 16) [] false false None) (* 17 *);
     (Pattern (PCall (OName "Relu") [17]) [] false false None) (* 18 *);
     (Pattern (PCall (OName "Split") [18]) [("axis", (AConst (VInt (1)%Z))); ("split", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 19 *);
     (Pattern (PProj 19 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 20 *);
     (Pattern (PProj 19 (Some (AConst (VInt (1)%Z)))) [] false false None) (* 21 *)]
    [9; 10] [20; 21]
    [].

Definition rule_text_parallel_three_conv_bias_relu : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern PVariable [] true false None) (* 3 *);
     (Pattern PVariable [] true false None) (* 4 *);
     (Pattern (POptional 4 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 5 *);
     (Pattern PVariable [] true false None) (* 6 *);
     (Pattern (POptional 6 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 7 *);
     (Pattern PVariable [] true false None) (* 8 *);
     (Pattern (POptional 8 (Some (AConst (VFloat 9223372036854775808%N)))) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Conv") [0; 1; 5]) [("group", (AConst (VInt (1)%Z)))] false false None) (* 10 *);
     (Pattern (PCall (OName "Conv") [0; 2; 7]) [("kernel_shape", (AAccess 10%N "kernel_shape")); ("strides", (AAccess 10%N "strides")); ("pads", (AAccess 10%N "pads")); ("dilations", (AAccess 10%N "dilations")); ("group", (AAccess 10%N "group"))] false false None) (* 11 *);
     (Pattern (PCall (OName "Conv") [0; 3; 9]) [("kernel_shape", (AAccess 10%N "kernel_shape")); ("strides", (AAccess 10%N "strides")); ("pads", (AAccess 10%N "pads")); ("dilations", (AAccess 10%N "dilations")); ("group", (AAccess 10%N "group"))] false false None) (* 12 *);
     (Pattern (PCall (OName "Relu") [10]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Relu") [11]) [] false false None) (* 14 *);
     (Pattern (PCall (OName "Relu") [12]) [] false false None) (* 15 *);
     (Pattern (PCall (OName "Concat") [1; 2; 3]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 16 *);
     (Pattern (PCall (OName "Expand") [5]) [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 17 *);
     (Pattern (PCall (OName "Expand") [7]) [("shape", (ATuple [(AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 18 *);
     (Pattern (PCall (OName "Expand") [9]) [("shape", (ATuple [(AProj (AAccess 3%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 19 *);
     (Pattern (PCall (OName "Concat") [17; 18; 19]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 20 *);
     (Pattern (PCall (OName "Conv") [0; 16; 20]) [("kernel_shape", (AAccess 10%N "kernel_shape")); ("strides", (AAccess 10%N "strides")); ("pads", (AAccess 10%N "pads")); ("dilations", (AAccess 10%N "dilations")); ("group", (AAccess 10%N "group"))] false false None) (* 21 *);
     (Pattern (PCall (OName "Conv") [0; 16]) [("kernel_shape", (AAccess 10%N "kernel_shape")); ("strides", (AAccess 10%N "strides")); ("pads", (AAccess 10%N "pads")); ("dilations", (AAccess 10%N "dilations")); ("group", (AAccess 10%N "group"))] false false None) (* 22 *);
     (Pattern (PCond (ABinary BOr (ABinary BOr (AAccess 5%N "present") (AAccess 7%N "present")) (AAccess 9%N "present")) 21 22) [] false false None) (* 23 *);
     (Pattern (PCall (OName "Relu") [23]) [] false false None) (* 24 *);
     (Pattern (PCall (OName "Split") [24]) [("axis", (AConst (VInt (1)%Z))); ("split", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 3%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 25 *);
     (Pattern (PProj 25 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 26 *);
     (Pattern (PProj 25 (Some (AConst (VInt (1)%Z)))) [] false false None) (* 27 *);
     (Pattern (PProj 25 (Some (AConst (VInt (2)%Z)))) [] false false None) (* 28 *)]
    [13; 14; 15] [26; 27; 28]
    [].

Definition rule_text_parallel_dense : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [("ndim", (AConst (VInt (2)%Z)))] true false None) (* 1 *);
     (Pattern PVariable [("ndim", (AConst (VInt (2)%Z)))] true false None) (* 2 *);
     (Pattern (PCall (OName "MatMul") [0; 1]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "MatMul") [0; 2]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "Concat") [1; 2]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 5 *);
     (Pattern (PCall (OName "MatMul") [0; 5]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Split") [6]) [("axis", (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (1)%Z)))); ("split", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (1)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (1)%Z)))]))] false false None) (* 7 *);
     (Pattern (PProj 7 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 8 *);
     (Pattern (PProj 7 (Some (AConst (VInt (1)%Z)))) [] false false None) (* 9 *)]
    [3; 4] [8; 9]
    [(ABinary BGe (AAccess 0%N "ndim") (AConst (VInt (2)%Z)))].

Definition rule_text_parallel_three_dense : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [("ndim", (AConst (VInt (2)%Z)))] true false None) (* 1 *);
     (Pattern PVariable [("ndim", (AConst (VInt (2)%Z)))] true false None) (* 2 *);
     (Pattern PVariable [("ndim", (AConst (VInt (2)%Z)))] true false None) (* 3 *);
     (Pattern (PCall (OName "MatMul") [0; 1]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "MatMul") [0; 2]) [] false false None) (* 5 *);
     (Pattern (PCall (OName "MatMul") [0; 3]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Concat") [1; 2; 3]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "MatMul") [0; 7]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Split") [8]) [("axis", (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (1)%Z)))); ("split", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (1)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (1)%Z))); (AProj (AAccess 3%N "shape") (AConst (VInt (1)%Z)))]))] false false None) (* 9 *);
     (Pattern (PProj 9 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 10 *);
     (Pattern (PProj 9 (Some (AConst (VInt (1)%Z)))) [] false false None) (* 11 *);
     (Pattern (PProj 9 (Some (AConst (VInt (2)%Z)))) [] false false None) (* 12 *)]
    [4; 5; 6] [10; 11; 12]
    [(ABinary BGe (AAccess 0%N "ndim") (AConst (VInt (2)%Z)))].

Definition library_pairs : list (string * rule) :=
  [("split_concat", rule_text_split_concat);
   ("merge_element_wise", rule_text_merge_element_wise);
   ("merge_three_element_wise", rule_text_merge_three_element_wise);
   ("parallel_two_conv", rule_text_parallel_two_conv);
   ("parallel_two_conv_bias_relu", rule_text_parallel_two_conv_bias_relu);
   ("parallel_three_conv_bias_relu", rule_text_parallel_three_conv_bias_relu);
   ("parallel_dense", rule_text_parallel_dense);
   ("parallel_three_dense", rule_text_parallel_three_dense)].
