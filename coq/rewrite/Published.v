(** * Unsound rules, and graphs that refute them: published

    Printed from the rules that the compiler reads; a test prints them again. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr graph.Graph pattern.Pattern pattern.Match.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Definition rule_text_bias_add_add : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern PWildcard [] true false None) (* 3 *);
     (Pattern (PCall (OName "BiasAdd") [0; 2]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 4 *);
     (Pattern (PCall (OName "BiasAdd") [1; 3]) [("axis", (AAccess 4%N "axis"))] false false None) (* 5 *);
     (Pattern (PCall (OName "Add") [4; 5]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Add") [0; 1]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Add") [2; 3]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "BiasAdd") [7; 8]) [("axis", (AAccess 4%N "axis"))] false false None) (* 9 *)]
    [6] [9]
    [].

Definition rule_text_combine_parallel_conv2d : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 1%N "shape") (AConst (VInt (1)%Z))); (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))); AAny]))] true false None) (* 2 *);
     (Pattern (PCall (OName "Transpose") [1]) [("perm", (ATuple [(AConst (VInt (3)%Z)); (AConst (VInt (2)%Z)); (AConst (VInt (0)%Z)); (AConst (VInt (1)%Z))]))] false false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [0; 3]) [("group", (AConst (VInt (1)%Z)))] false false None) (* 4 *);
     (Pattern (PCall (OName "Transpose") [2]) [("perm", (ATuple [(AConst (VInt (3)%Z)); (AConst (VInt (2)%Z)); (AConst (VInt (0)%Z)); (AConst (VInt (1)%Z))]))] false false None) (* 5 *);
     (Pattern (PCall (OName "Conv") [0; 5]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 6 *);
     (Pattern (PCall (OName "Concat") [1; 2]) [("axis", (AConst (VInt (3)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "Transpose") [7]) [("perm", (ATuple [(AConst (VInt (3)%Z)); (AConst (VInt (2)%Z)); (AConst (VInt (0)%Z)); (AConst (VInt (1)%Z))]))] false false None) (* 8 *);
     (Pattern (PCall (OName "Conv") [0; 8]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 9 *);
     (Pattern (PCall (OName "Split") [9]) [("axis", (AConst (VInt (1)%Z))); ("split", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 10 *);
     (Pattern (PProj 10 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 11 *);
     (Pattern (PProj 10 (Some (AConst (VInt (1)%Z)))) [] false false None) (* 12 *)]
    [4; 6] [11; 12]
    [].

Definition rule_text_concat_associative : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern (PCall (OName "Concat") [0; 1]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Concat") [3; 2]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "Concat") [1; 2]) [("axis", (AAccess 4%N "axis"))] false false None) (* 5 *);
     (Pattern (PCall (OName "Concat") [0; 5]) [("axis", (AAccess 3%N "axis"))] false false None) (* 6 *)]
    [4] [6]
    [].

Definition rule_text_concat_associative_split : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern (PCall (OName "Concat") [0; 1]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Concat") [3; 2]) [("axis", (AAccess 3%N "axis"))] false false None) (* 4 *);
     (Pattern (PCall (OName "Split") [4]) [("axis", (AAccess 3%N "axis")); ("split", (ATuple [(AProj (AAccess 3%N "shape") (AAccess 3%N "axis")); (AProj (AAccess 2%N "shape") (AAccess 3%N "axis"))]))] false false None) (* 5 *);
     (Pattern (PProj 5 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 6 *)]
    [6] [0]
    [].

Definition rule_text_conv_mul : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] false false None) (* 0 *);
     (Pattern PWildcard [] false false None) (* 1 *);
     (Pattern PVariable [("shape", (ATuple [AAny; (AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))]))] false false None) (* 2 *);
     (Pattern (PCall (OName "LayoutTransform") [0]) [("src_layout", (AConst (VStr "NHWC"))); ("dst_layout", (AConst (VStr "NCHW")))] false false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [3; 1]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "LayoutTransform") [4]) [("src_layout", (AConst (VStr "NCHW"))); ("dst_layout", (AConst (VStr "NHWC")))] false false None) (* 5 *);
     (Pattern (PCall (OName "Mul") [5; 2]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "LayoutTransform") [0]) [("src_layout", (AConst (VStr "NHWC"))); ("dst_layout", (AConst (VStr "NCHW")))] false false None) (* 7 *);
     (Pattern (PCall (OName "Reshape") [2]) [("shape", (ATuple [(AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z))); (AConst (VInt (1)%Z)); (AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))]))] false false None) (* 8 *);
     (Pattern (PCall (OName "Mul") [1; 8]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Conv") [7; 9]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 10 *);
     (Pattern (PCall (OName "LayoutTransform") [10]) [("src_layout", (AConst (VStr "NCHW"))); ("dst_layout", (AConst (VStr "NHWC")))] false false None) (* 11 *)]
    [6] [11]
    [].

Definition rule_text_conv_shortcut_add : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern (PCall (OName "Conv") [0; 1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Add") [2; 0]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "ConstantOfShape") []) [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))])); ("value", (AConst (VFloat 0%N)))] false false None) (* 4 *);
     (Pattern (PCall (OName "EyeLike") [4]) [("dtype", (AConst (VInt (1)%Z)))] false false None) (* 5 *);
     (Pattern (PCall (OName "Reshape") [5]) [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))]))] false false None) (* 6 *);
     (Pattern (PCall (OName "Pad") [6]) [("pads", (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z)))])); ("mode", (AConst (VStr "constant"))); ("value", (AConst (VFloat 0%N)))] false false None) (* 7 *);
     (Pattern (PCall (OName "Add") [1; 7]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Conv") [0; 8]) [("kernel_shape", (AAccess 2%N "kernel_shape")); ("strides", (AAccess 2%N "strides")); ("pads", (AAccess 2%N "pads")); ("dilations", (AAccess 2%N "dilations")); ("group", (AAccess 2%N "group"))] false false None) (* 9 *)]
    [3] [9]
    [].

Definition rule_text_diamond_conv_add : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [("shape", (AAccess 1%N "shape"))] true false None) (* 2 *);
     (Pattern (PCall (OName "LayoutTransform") [0]) [("src_layout", (AConst (VStr "NHWC"))); ("dst_layout", (AConst (VStr "NCHW")))] false false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [3; 1]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "Conv") [3; 2]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 5 *);
     (Pattern (PCall (OName "LayoutTransform") [4]) [("src_layout", (AConst (VStr "NCHW"))); ("dst_layout", (AConst (VStr "NHWC")))] false false None) (* 6 *);
     (Pattern (PCall (OName "LayoutTransform") [5]) [("src_layout", (AConst (VStr "NCHW"))); ("dst_layout", (AConst (VStr "NHWC")))] false false None) (* 7 *);
     (Pattern (PCall (OName "Add") [6; 7]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Add") [1; 2]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Conv") [0; 9]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 10 *)]
    [8] [10]
    [].

Definition rule_text_grouped_convolution : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] true false None) (* 0 *);
     (Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern PVariable [("shape", (ATuple [AAny; (AProj (AAccess 2%N "shape") (AConst (VInt (1)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))]))] true false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [0; 2]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "Conv") [1; 3]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations"))] false false None) (* 5 *);
     (Pattern (PCall (OName "Concat") [4; 5]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 6 *);
     (Pattern (PCall (OName "Concat") [0; 1]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "Concat") [2; 3]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 8 *);
     (Pattern (PCall (OName "Conv") [7; 8]) [("group", (ABinary BAdd (AAccess 4%N "group") (AAccess 5%N "group"))); ("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations"))] false false None) (* 9 *)]
    [6] [9]
    [].

Definition rule_text_lower_batch_norm : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] false false None) (* 0 *);
     (Pattern PVariable [] false false None) (* 1 *);
     (Pattern PVariable [] false false None) (* 2 *);
     (Pattern PVariable [] false false None) (* 3 *);
     (Pattern PVariable [] false false None) (* 4 *);
     (Pattern (PCall (OName "LayoutTransform") [0]) [("src_layout", (AConst (VStr "NHWC"))); ("dst_layout", (AConst (VStr "NCHW")))] false false None) (* 5 *);
     (Pattern (PCall (OName "BatchNormalization") [5; 1; 2; 3; 4]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "LayoutTransform") [6]) [("src_layout", (AConst (VStr "NCHW"))); ("dst_layout", (AConst (VStr "NHWC")))] false false None) (* 7 *);
     (Pattern (PConst (Some (AAccess 6%N "epsilon"))) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Add") [4; 8]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Sqrt") [9]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Div") [1; 10]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Reshape") [11]) [("shape", (ABinary BAdd (AAccess 1%N "shape") (AVar 0%N (ABinary BSub (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (1)%Z))) (AConst (VInt (-1)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 12 *);
     (Pattern (PCall (OName "Mul") [0; 12]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Mul") [3; 11]) [] false false None) (* 14 *);
     (Pattern (PCall (OName "Sub") [2; 14]) [] false false None) (* 15 *);
     (Pattern (PCall (OName "BiasAdd") [13; 15]) [("axis", (AConst (VInt (3)%Z)))] false false None) (* 16 *)]
    [7] [16]
    [].

Definition rule_text_parallel_conv_expand_kernels : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [("shape", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); AAny; AAny; AAny]))] true false None) (* 2 *);
     (Pattern (PCall (OName "Conv") [0; 1]) [("pads", (ATuple [(ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z)))])); ("strides", (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))])); ("dilations", (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))])); ("group", (AConst (VInt (1)%Z)))] false false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [0; 2]) [("pads", (ATuple [(ABinary BFloordiv (ABinary BSub (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z)))])); ("strides", (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))])); ("dilations", (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))])); ("group", (AConst (VInt (1)%Z)))] false false None) (* 4 *);
     (Pattern (PCall (OName "Pad") [1]) [("pads", (ABinary BAdd (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (2)%Z)))]) (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (2)%Z)))]))); ("mode", (AConst (VStr "constant"))); ("value", (AConst (VFloat 0%N)))] false false None) (* 5 *);
     (Pattern (PCall (OName "Pad") [2]) [("pads", (ABinary BAdd (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (2)%Z)))]) (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (0)%Z)); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (2)%Z)))]))); ("mode", (AConst (VStr "constant"))); ("value", (AConst (VFloat 0%N)))] false false None) (* 6 *);
     (Pattern (PCall (OName "Concat") [5; 6]) [("axis", (AConst (VInt (0)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "Conv") [0; 7]) [("kernel_shape", (ATuple [(ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))); (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z))))])); ("strides", (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))])); ("dilations", (ATuple [(AConst (VInt (1)%Z)); (AConst (VInt (1)%Z))])); ("group", (AConst (VInt (1)%Z))); ("pads", (ATuple [(ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (2)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (2)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z))); (ABinary BFloordiv (ABinary BSub (ABinary BMax (AProj (AAccess 1%N "shape") (AConst (VInt (3)%Z))) (AProj (AAccess 2%N "shape") (AConst (VInt (3)%Z)))) (AConst (VInt (1)%Z))) (AConst (VInt (2)%Z)))]))] false false None) (* 8 *);
     (Pattern (PCall (OName "Split") [8]) [("axis", (AConst (VInt (1)%Z))); ("split", (ATuple [(AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z))); (AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z)))]))] false false None) (* 9 *);
     (Pattern (PProj 9 (Some (AConst (VInt (0)%Z)))) [] false false None) (* 10 *);
     (Pattern (PProj 9 (Some (AConst (VInt (1)%Z)))) [] false false None) (* 11 *)]
    [3; 4] [10; 11]
    [].

Definition rule_text_reshape_like : rule := Rule
    [(Pattern PWildcard [] true false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern (PCall (OName "ReshapeLike") [0; 1]) [("lhs_begin", (AConst (VInt (1)%Z))); ("rhs_begin", (AConst (VInt (1)%Z)))] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 1%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_simplify_pad_conv : rule := Rule
    [(Pattern PWildcard [("ndim", (AConst (VInt (4)%Z)))] false false None) (* 0 *);
     (Pattern PWildcard [] false false None) (* 1 *);
     (Pattern (PCall (OName "Pad") [0]) [("mode", (AConst (VStr "constant"))); ("value", (AConst (VFloat 0%N)))] false false None) (* 2 *);
     (Pattern (PCall (OName "Conv") [2; 1]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [0; 1]) [("pads", (AMap 0%N (AFunc FZip [(AAccess 3%N "pads"); (ATuple [(AProj (AAccess 2%N "pads") (AConst (VInt (2)%Z))); (AProj (AAccess 2%N "pads") (AConst (VInt (6)%Z))); (AProj (AAccess 2%N "pads") (AConst (VInt (3)%Z))); (AProj (AAccess 2%N "pads") (AConst (VInt (7)%Z)))])]) (ABinary BAdd (AProj (ASymbol 0%N) (AConst (VInt (0)%Z))) (AProj (ASymbol 0%N) (AConst (VInt (1)%Z)))))); ("kernel_shape", (AAccess 3%N "kernel_shape")); ("strides", (AAccess 3%N "strides")); ("dilations", (AAccess 3%N "dilations")); ("group", (AAccess 3%N "group"))] false false None) (* 4 *)]
    [3] [4]
    [(ABinary BAnd (ABinary BAnd (ABinary BAnd (ABinary BEq (AProj (AAccess 2%N "pads") (AConst (VInt (0)%Z))) (AConst (VInt (0)%Z))) (ABinary BEq (AProj (AAccess 2%N "pads") (AConst (VInt (1)%Z))) (AConst (VInt (0)%Z)))) (ABinary BEq (AProj (AAccess 2%N "pads") (AConst (VInt (4)%Z))) (AConst (VInt (0)%Z)))) (ABinary BEq (AProj (AAccess 2%N "pads") (AConst (VInt (5)%Z))) (AConst (VInt (0)%Z))))].

Definition rule_text_simplify_reshape : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Reshape") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Reshape") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (ATuple [(AConst (VInt (0)%Z)); (AConst (VInt (-1)%Z))]))] false false None) (* 3 *)]
    [2] [3]
    [(ABinary BAnd (ABinary BEq (AAccess 2%N "ndim") (AConst (VInt (2)%Z))) (ABinary BEq (AProj (AAccess 2%N "shape") (AConst (VInt (0)%Z))) (AProj (AAccess 1%N "shape") (AConst (VInt (0)%Z)))))].

Definition rule_text_split_concat_variadic : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Split") [0]) [] false false None) (* 1 *);
     (Pattern (PProj 1 (Some (ASymbol 0%N))) [] false true None) (* 2 *);
     (Pattern (PVariadic 2 0 None (Some 0%N)) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Concat") [3]) [("axis", (AAccess 1%N "axis"))] false false None) (* 4 *)]
    [4] [0]
    [].

Definition rule_text_two_conv_add : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PWildcard [] false false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern PVariable [("shape", (AAccess 2%N "shape"))] true false None) (* 3 *);
     (Pattern (PCall (OName "Conv") [0; 2]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "Conv") [1; 3]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 5 *);
     (Pattern (PCall (OName "Add") [4; 5]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Concat") [0; 1]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 7 *);
     (Pattern (PCall (OName "Concat") [2; 3]) [("axis", (AConst (VInt (1)%Z)))] false false None) (* 8 *);
     (Pattern (PCall (OName "Conv") [7; 8]) [("kernel_shape", (AAccess 4%N "kernel_shape")); ("strides", (AAccess 4%N "strides")); ("pads", (AAccess 4%N "pads")); ("dilations", (AAccess 4%N "dilations")); ("group", (AAccess 4%N "group"))] false false None) (* 9 *)]
    [6] [9]
    [].

Definition library_published : list (string * rule) :=
  [("bias_add_add", rule_text_bias_add_add);
   ("combine_parallel_conv2d", rule_text_combine_parallel_conv2d);
   ("concat_associative", rule_text_concat_associative);
   ("concat_associative_split", rule_text_concat_associative_split);
   ("conv_mul", rule_text_conv_mul);
   ("conv_shortcut_add", rule_text_conv_shortcut_add);
   ("diamond_conv_add", rule_text_diamond_conv_add);
   ("grouped_convolution", rule_text_grouped_convolution);
   ("lower_batch_norm", rule_text_lower_batch_norm);
   ("parallel_conv_expand_kernels", rule_text_parallel_conv_expand_kernels);
   ("reshape_like", rule_text_reshape_like);
   ("simplify_pad_conv", rule_text_simplify_pad_conv);
   ("simplify_reshape", rule_text_simplify_reshape);
   ("split_concat_variadic", rule_text_split_concat_variadic);
   ("two_conv_add", rule_text_two_conv_add)].

Definition graph_text_bias_add_add_needs_equal_rank : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N (Some (VTuple [(VFloat 0%N); (VFloat 0%N)]))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (2)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KConst 4%N (Some (VTuple [(VFloat 0%N); (VFloat 4607182418800017408%N)]))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 4 *);
      (Graph.Node (Oper (KCall "BiasAdd") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("axis", (VInt (1)%Z))]) [1; 2]) (* 5 *);
      (Graph.Node (Oper (KCall "BiasAdd") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (2)%Z))] [("axis", (VInt (1)%Z))]) [3; 4]) (* 6 *);
      (Graph.Node (Oper (KCall "Add") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) [5; 6]) (* 7 *)],
     [7]).

Definition graph_text_combine_parallel_conv2d_needs_output_channels : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N (Some (VFloat 4613937818241073152%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KCall "Transpose") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("perm", (VTuple [(VInt (3)%Z); (VInt (2)%Z); (VInt (0)%Z); (VInt (1)%Z)]))]) [2]) (* 4 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 4]) (* 5 *);
      (Graph.Node (Oper (KCall "Transpose") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("perm", (VTuple [(VInt (3)%Z); (VInt (2)%Z); (VInt (0)%Z); (VInt (1)%Z)]))]) [3]) (* 6 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 6]) (* 7 *)],
     [5; 7]).

Definition graph_text_concat_associative_needs_equal_axis : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (2)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N (Some (VFloat 4611686018427387904%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (2)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (2)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KCall "Concat") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (2)%Z))] [("axis", (VInt (0)%Z))]) [1; 2]) (* 4 *);
      (Graph.Node (Oper (KCall "Concat") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (2)%Z)])); ("ndim", (VInt (2)%Z))] [("axis", (VInt (1)%Z))]) [4; 3]) (* 5 *)],
     [5]).

Definition graph_text_concat_associative_split_needs_sizes : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N (Some (VFloat 4611686018427387904%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N (Some (VFloat 4613937818241073152%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KCall "Concat") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z)])); ("ndim", (VInt (1)%Z))] [("axis", (VInt (0)%Z))]) [1; 2]) (* 4 *);
      (Graph.Node (Oper (KCall "Concat") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (3)%Z)])); ("ndim", (VInt (1)%Z))] [("axis", (VInt (0)%Z))]) [4; 3]) (* 5 *);
      (Graph.Node (Oper (KCall "Split") [] [("axis", (VInt (0)%Z)); ("split", (VTuple [(VInt (2)%Z); (VInt (1)%Z)]))]) [5]) (* 6 *);
      (Graph.Node (Oper (KProj (0)%Z) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z)])); ("ndim", (VInt (1)%Z))] []) [6]) (* 7 *)],
     [7]).

Definition graph_text_conv_mul_needs_channels_first : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (3)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KCall "LayoutTransform") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dst_layout", (VStr "NCHW")); ("src_layout", (VStr "NHWC"))]) [1]) (* 4 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [4; 2]) (* 5 *);
      (Graph.Node (Oper (KCall "LayoutTransform") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] [("dst_layout", (VStr "NHWC")); ("src_layout", (VStr "NCHW"))]) [5]) (* 6 *);
      (Graph.Node (Oper (KCall "Mul") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) [6; 3]) (* 7 *)],
     [7]).

Definition graph_text_conv_shortcut_add_needs_centred_padding : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (3)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (3)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (2)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 2]) (* 3 *);
      (Graph.Node (Oper (KCall "Add") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) [3; 1]) (* 4 *)],
     [4]).

Definition graph_text_conv_shortcut_add_needs_equal_channels : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 2]) (* 3 *);
      (Graph.Node (Oper (KCall "Add") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) [3; 1]) (* 4 *)],
     [4]).

Definition graph_text_conv_shortcut_add_needs_odd_kernel : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (1)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 2]) (* 3 *);
      (Graph.Node (Oper (KCall "Add") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) [3; 1]) (* 4 *)],
     [4]).

Definition graph_text_conv_shortcut_add_needs_unit_strides : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N (Some (VFloat 0%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (2)%Z)]))]) [1; 2]) (* 3 *);
      (Graph.Node (Oper (KCall "Add") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] []) [3; 1]) (* 4 *)],
     [4]).

Definition graph_text_diamond_conv_add_needs_channels_first : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KCall "LayoutTransform") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] [("dst_layout", (VStr "NCHW")); ("src_layout", (VStr "NHWC"))]) [1]) (* 4 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (1)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [4; 2]) (* 5 *);
      (Graph.Node (Oper (KCall "LayoutTransform") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dst_layout", (VStr "NHWC")); ("src_layout", (VStr "NCHW"))]) [5]) (* 6 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (1)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [4; 3]) (* 7 *);
      (Graph.Node (Oper (KCall "LayoutTransform") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dst_layout", (VStr "NHWC")); ("src_layout", (VStr "NCHW"))]) [7]) (* 8 *);
      (Graph.Node (Oper (KCall "Add") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) [6; 8]) (* 9 *)],
     [9]).

Definition graph_text_grouped_convolution_needs_equal_groups : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N (Some (VFloat 4611686018427387904%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KConst 4%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (3)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 4 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 2]) (* 5 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (3)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [3; 4]) (* 6 *);
      (Graph.Node (Oper (KCall "Concat") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (4)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("axis", (VInt (1)%Z))]) [5; 6]) (* 7 *)],
     [7]).

Definition graph_text_lower_batch_norm_needs_nonnegative_axis : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N (Some (VFloat 4613937818241073152%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N (Some (VFloat 0%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KConst 4%N (Some (VFloat 0%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 4 *);
      (Graph.Node (Oper (KConst 5%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 5 *);
      (Graph.Node (Oper (KCall "LayoutTransform") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dst_layout", (VStr "NCHW")); ("src_layout", (VStr "NHWC"))]) [1]) (* 6 *);
      (Graph.Node (Oper (KCall "BatchNormalization") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("epsilon", (VFloat 0%N))]) [6; 2; 3; 4; 5]) (* 7 *);
      (Graph.Node (Oper (KCall "LayoutTransform") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dst_layout", (VStr "NHWC")); ("src_layout", (VStr "NCHW"))]) [7]) (* 8 *)],
     [8]).

Definition graph_text_parallel_conv_expand_kernels_needs_equal_parity : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 2]) (* 4 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 3]) (* 5 *)],
     [4; 5]).

Definition graph_text_reshape_like_needs_whole_shapes : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N (Some (VFloat 4617315517961601024%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (3)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z)])); ("ndim", (VInt (2)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KCall "ReshapeLike") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (2)%Z))] [("lhs_begin", (VInt (1)%Z)); ("lhs_end", (VInt (3)%Z)); ("rhs_begin", (VInt (1)%Z)); ("rhs_end", (VInt (2)%Z))]) [1; 2]) (* 3 *)],
     [3]).

Definition graph_text_simplify_pad_conv_needs_pads_by_side : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KCall "Pad") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (4)%Z))] [("mode", (VStr "constant")); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (1)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("value", (VFloat 0%N))]) [1]) (* 3 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (2)%Z); (VInt (2)%Z)]))]) [3; 2]) (* 4 *)],
     [4]).

Definition graph_text_simplify_reshape_needs_shape_without_zero : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N (Some (VTuple [(VFloat 4607182418800017408%N); (VFloat 4611686018427387904%N)]))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KCall "Reshape") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (2)%Z))] [("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z)]))]) [1]) (* 2 *);
      (Graph.Node (Oper (KCall "Reshape") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z)])); ("ndim", (VInt (2)%Z))] [("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z)]))]) [2]) (* 3 *)],
     [3]).

Definition graph_text_split_concat_variadic_needs_all_parts : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N (Some (VTuple [(VFloat 4607182418800017408%N); (VFloat 4611686018427387904%N)]))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z)])); ("ndim", (VInt (1)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KCall "Split") [] [("axis", (VInt (0)%Z)); ("split", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1]) (* 2 *);
      (Graph.Node (Oper (KProj (0)%Z) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z)])); ("ndim", (VInt (1)%Z))] []) [2]) (* 3 *);
      (Graph.Node (Oper (KCall "Concat") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z)])); ("ndim", (VInt (1)%Z))] [("axis", (VInt (0)%Z))]) [3]) (* 4 *)],
     [4]).

Definition graph_text_two_conv_add_needs_equal_shapes : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N (Some (VFloat 4616189618054758400%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KConst 4%N (Some (VFloat 4607182418800017408%N))) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 4 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 3]) (* 5 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (1)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [2; 4]) (* 6 *);
      (Graph.Node (Oper (KCall "Add") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) [5; 6]) (* 7 *)],
     [7]).

Definition graph_text_two_conv_add_needs_one_group : tgraph * list nat :=
    ([(Graph.Node (Oper KAbsent [] []) []) (* 0 *);
      (Graph.Node (Oper (KConst 1%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 1 *);
      (Graph.Node (Oper (KConst 2%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 2 *);
      (Graph.Node (Oper (KConst 3%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 3 *);
      (Graph.Node (Oper (KConst 4%N None) [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) []) (* 4 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (2)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [1; 3]) (* 5 *);
      (Graph.Node (Oper (KCall "Conv") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] [("dilations", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("group", (VInt (2)%Z)); ("kernel_shape", (VTuple [(VInt (1)%Z); (VInt (1)%Z)])); ("pads", (VTuple [(VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z); (VInt (0)%Z)])); ("strides", (VTuple [(VInt (1)%Z); (VInt (1)%Z)]))]) [2; 4]) (* 6 *);
      (Graph.Node (Oper (KCall "Add") [("dtype", (VStr "f32")); ("shape", (VTuple [(VInt (1)%Z); (VInt (2)%Z); (VInt (1)%Z); (VInt (1)%Z)])); ("ndim", (VInt (4)%Z))] []) [5; 6]) (* 7 *)],
     [7]).
