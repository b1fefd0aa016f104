(** * The rules of the library: simplify

    Printed from the rules that the compiler reads; a test prints them again. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr pattern.Pattern pattern.Match.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Definition rule_text_identity_removal : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Identity") [0]) [] false false None) (* 1 *)]
    [1] [0]
    [].

Definition rule_text_dropout_removal : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Dropout") [0]) [] false false None) (* 1 *)]
    [1] [0]
    [].

Definition rule_text_transpose_transpose : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Transpose") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Transpose") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Transpose") [0]) [("perm", (AMap 0%N (AAccess 2%N "perm") (AProj (AAccess 1%N "perm") (ASymbol 0%N))))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_transpose_identity : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Transpose") [0]) [] false false None) (* 1 *)]
    [1] [0]
    [(ABinary BEq (AAccess 1%N "perm") (AFunc FRange [(AConst (VInt (0)%Z)); (AAccess 1%N "ndim"); (AConst (VInt (1)%Z))]))].

Definition rule_text_reshape_reshape : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Reshape") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Reshape") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_reshape_flatten : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Flatten") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Reshape") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_reshape_squeeze : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Squeeze") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Reshape") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_reshape_unsqueeze : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Unsqueeze") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Reshape") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_flatten_reshape : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Reshape") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Flatten") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_squeeze_reshape : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Reshape") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Squeeze") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_unsqueeze_reshape : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Reshape") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Unsqueeze") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_squeeze_unsqueeze : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Unsqueeze") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Squeeze") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_unsqueeze_squeeze : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Squeeze") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Unsqueeze") [1]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (AAccess 2%N "shape"))] false false None) (* 3 *)]
    [2] [3]
    [].

Definition rule_text_reshape_identity : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Reshape") [0]) [] false false None) (* 1 *)]
    [1] [0]
    [(ABinary BEq (AAccess 1%N "shape") (AAccess 0%N "shape"))].

Definition rule_text_flatten_identity : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Flatten") [0]) [] false false None) (* 1 *)]
    [1] [0]
    [(ABinary BEq (AAccess 1%N "shape") (AAccess 0%N "shape"))].

Definition rule_text_expand_identity : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Expand") [0]) [] false false None) (* 1 *)]
    [1] [0]
    [(ABinary BEq (AAccess 1%N "shape") (AAccess 0%N "shape"))].

Definition rule_text_split_concat_variadic : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Split") [0]) [] false false None) (* 1 *);
     (Pattern (PProj 1 (Some (ASymbol 0%N))) [] false true None) (* 2 *);
     (Pattern (PVariadic 2 0 None (Some 0%N)) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Concat") [3]) [("axis", (AAccess 1%N "axis"))] false false None) (* 4 *)]
    [4] [0]
    [(ABinary BEq (AAccess 4%N "shape") (AAccess 0%N "shape"))].

Definition rule_text_dispatch_tuple : rule := Rule
    [(Pattern PWildcard [] true true None) (* 0 *);
     (Pattern (PVariadic 0 0 None None) [] false false None) (* 1 *);
     (Pattern (PTuple [1]) [] false false None) (* 2 *);
     (Pattern (PProj 2 (Some AAny)) [] false true None) (* 3 *);
     (Pattern (PVariadic 3 0 None None) [] false false None) (* 4 *);
     (Pattern (PInst 0 (AInst 3%N (ASymbol 0%N) "index")) [] false true None) (* 5 *);
     (Pattern (PVariadic 5 0 None (Some 0%N)) [] false false None) (* 6 *)]
    [4] [6]
    [].

Definition rule_text_merge_element_wise_variadic : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (POp ["Relu"; "Sum"; "Mul"; "Add"; "Sub"; "Div"; "Sqrt"; "Neg"; "Abs"; "Exp"; "Log"; "Tanh"; "Sigmoid"; "Erf"; "Pow"; "Max"; "Min"; "Reciprocal"; "HardSwish"; "Softplus"; "Softsign"; "Mish"; "Sign"; "Round"]) [] false false None) (* 1 *);
     (Pattern (PCall (OPat 1) [0]) [] false true None) (* 2 *);
     (Pattern (PVariadic 2 2 None None) [] false false None) (* 3 *);
     (Pattern (PCall (OPat 1) [0]) [] false false None) (* 4 *);
     (Pattern (PVariadic 4 0 None None) [] false false None) (* 5 *)]
    [3] [5]
    [].

Definition rule_text_eliminate_identity : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PWildcard [] true false None) (* 1 *);
     (Pattern (PConst (Some (AConst (VInt (0)%Z)))) [] false false None) (* 2 *);
     (Pattern (PCall (OName "ConstantOfShape") []) [("value", (AConst (VFloat 0%N)))] false false None) (* 3 *);
     (Pattern (PCall (OName "ZerosLike") [1]) [] false false None) (* 4 *);
     (Pattern (PAlt [2; 3; 4]) [] false false None) (* 5 *);
     (Pattern (PConst (Some (AConst (VInt (1)%Z)))) [] false false None) (* 6 *);
     (Pattern (PCall (OName "ConstantOfShape") []) [("value", (AConst (VFloat 4607182418800017408%N)))] false false None) (* 7 *);
     (Pattern (PCall (OName "OnesLike") [1]) [] false false None) (* 8 *);
     (Pattern (PAlt [6; 7; 8]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Add") [0; 5]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Sub") [0; 5]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Mul") [0; 9]) [] false false None) (* 12 *);
     (Pattern (PCall (OName "Div") [0; 9]) [] false false None) (* 13 *);
     (Pattern (PAlt [10; 11; 12; 13]) [] false false None) (* 14 *);
     (Pattern (PCall (OName "Expand") [0]) [("shape", (AAccess 14%N "shape"))] false false None) (* 15 *);
     (Pattern (PCond (ABinary BEq (AAccess 14%N "shape") (AAccess 0%N "shape")) 0 15) [] false false None) (* 16 *)]
    [14] [16]
    [].

Definition rule_text_full_element_wise : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PConst None) [] false false None) (* 1 *);
     (Pattern PWildcard [] true false None) (* 2 *);
     (Pattern (PCall (OName "Expand") [1]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "FullLike") [2; 1]) [] false false None) (* 4 *);
     (Pattern (PAlt [3; 4]) [] false false None) (* 5 *);
     (Pattern (PCall (OName "ConstantOfShape") []) [] false false None) (* 6 *);
     (Pattern (PCall (OName "OnesLike") [2]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "ZerosLike") [2]) [] false false None) (* 8 *);
     (Pattern (PAlt [5; 6; 7; 8]) [] false false None) (* 9 *);
     (Pattern (POp ["Relu"; "Sum"; "Mul"; "Add"; "Sub"; "Div"; "Sqrt"; "Neg"; "Abs"; "Exp"; "Log"; "Tanh"; "Sigmoid"; "Erf"; "Pow"; "Max"; "Min"; "Reciprocal"; "HardSwish"; "Softplus"; "Softsign"; "Mish"; "Sign"; "Round"]) [] false false None) (* 10 *);
     (Pattern (PCall (OPat 10) [0; 9]) [] false false None) (* 11 *);
     (Pattern (PCall (OPat 10) [9; 0]) [] false false None) (* 12 *);
     (Pattern (PAlt [11; 12]) [] false false None) (* 13 *);
     (Pattern (PConst (Some (AMatch 9%N [(AAccess 1%N "value"); (AAccess 6%N "value"); (AConst (VInt (1)%Z)); (AConst (VInt (0)%Z))]))) [("dtype", (AAccess 0%N "dtype"))] false false None) (* 14 *);
     (Pattern (PCall (OPat 10) [0; 14]) [] false false None) (* 15 *);
     (Pattern (PCall (OPat 10) [14; 0]) [] false false None) (* 16 *);
     (Pattern (PMatch 13 [15; 16]) [] false false None) (* 17 *)]
    [13] [17]
    [(ABinary BEq (AAccess 0%N "shape") (AAccess 13%N "shape"));
     (AMatch 9%N [(ABinary BOr (ABinary BGe (AAccess 1%N "value") (AConst (VInt (0)%Z))) (ABinary BLt (AAccess 1%N "value") (AConst (VInt (0)%Z)))); (AConst (VBool true)); (AConst (VBool true)); (AConst (VBool true))])].

Definition rule_text_simplify_pad_conv : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PWildcard [] false false None) (* 1 *);
     (Pattern PWildcard [] false false None) (* 2 *);
     (Pattern (POptional 2 None) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Pad") [0]) [("mode", (AConst (VStr "constant"))); ("value", (AConst (VFloat 0%N)))] false false None) (* 4 *);
     (Pattern (PCall (OName "Conv") [4; 1; 3]) [] false false None) (* 5 *);
     (Pattern (PCall (OName "Conv") [0; 1; 3]) [("pads", (AMap 0%N (AFunc FZip [(AAccess 5%N "pads"); (ABinary BAdd (AFunc FSlice [(AAccess 4%N "pads"); (AConst (VInt (2)%Z)); (AAccess 0%N "ndim"); (AConst VNone)]) (AFunc FSlice [(AAccess 4%N "pads"); (ABinary BAdd (AAccess 0%N "ndim") (AConst (VInt (2)%Z))); (AConst VNone); (AConst VNone)]))]) (ABinary BAdd (AProj (ASymbol 0%N) (AConst (VInt (0)%Z))) (AProj (ASymbol 0%N) (AConst (VInt (1)%Z)))))); ("kernel_shape", (AAccess 5%N "kernel_shape")); ("strides", (AAccess 5%N "strides")); ("dilations", (AAccess 5%N "dilations")); ("group", (AAccess 5%N "group"))] false false None) (* 6 *)]
    [5] [6]
    [(ABinary BAnd (ABinary BAnd (ABinary BAnd (ABinary BEq (AProj (AAccess 4%N "pads") (AConst (VInt (0)%Z))) (AConst (VInt (0)%Z))) (ABinary BEq (AProj (AAccess 4%N "pads") (AConst (VInt (1)%Z))) (AConst (VInt (0)%Z)))) (ABinary BEq (AProj (AAccess 4%N "pads") (AAccess 0%N "ndim")) (AConst (VInt (0)%Z)))) (ABinary BEq (AProj (AAccess 4%N "pads") (ABinary BAdd (AAccess 0%N "ndim") (AConst (VInt (1)%Z)))) (AConst (VInt (0)%Z))));
     (AReduce RAll (AMap 0%N (AAccess 4%N "pads") (ABinary BGe (ASymbol 0%N) (AConst (VInt (0)%Z)))))].

Definition rule_text_simplify_transpose : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "Transpose") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "LayoutTransform") [0]) [] false false None) (* 2 *);
     (Pattern (PAlt [1; 2]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Transpose") [3]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "LayoutTransform") [3]) [] false false None) (* 5 *);
     (Pattern (PAlt [4; 5]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Transpose") [0]) [("perm", (AMap 0%N (AMatch 6%N [(AAccess 4%N "perm"); (AFunc FRemap [(AAccess 5%N "src_layout"); (AAccess 5%N "dst_layout")])]) (AProj (AMatch 3%N [(AAccess 1%N "perm"); (AFunc FRemap [(AAccess 2%N "src_layout"); (AAccess 2%N "dst_layout")])]) (ASymbol 0%N))))] false false None) (* 7 *);
     (Pattern (PCond (ABinary BEq (AMap 0%N (AMatch 6%N [(AAccess 4%N "perm"); (AFunc FRemap [(AAccess 5%N "src_layout"); (AAccess 5%N "dst_layout")])]) (AProj (AMatch 3%N [(AAccess 1%N "perm"); (AFunc FRemap [(AAccess 2%N "src_layout"); (AAccess 2%N "dst_layout")])]) (ASymbol 0%N))) (AFunc FRange [(AConst (VInt (0)%Z)); (AAccess 0%N "ndim"); (AConst (VInt (1)%Z))])) 0 7) [] false false None) (* 8 *)]
    [6] [8]
    [(ABinary BOr (AMatch 3%N [(AConst (VBool false)); (AConst (VBool true))]) (AMatch 6%N [(AConst (VBool false)); (AConst (VBool true))]))].

Definition library_simplify : list (string * rule) :=
  [("identity_removal", rule_text_identity_removal);
   ("dropout_removal", rule_text_dropout_removal);
   ("transpose_transpose", rule_text_transpose_transpose);
   ("transpose_identity", rule_text_transpose_identity);
   ("reshape_reshape", rule_text_reshape_reshape);
   ("reshape_flatten", rule_text_reshape_flatten);
   ("reshape_squeeze", rule_text_reshape_squeeze);
   ("reshape_unsqueeze", rule_text_reshape_unsqueeze);
   ("flatten_reshape", rule_text_flatten_reshape);
   ("squeeze_reshape", rule_text_squeeze_reshape);
   ("unsqueeze_reshape", rule_text_unsqueeze_reshape);
   ("squeeze_unsqueeze", rule_text_squeeze_unsqueeze);
   ("unsqueeze_squeeze", rule_text_unsqueeze_squeeze);
   ("reshape_identity", rule_text_reshape_identity);
   ("flatten_identity", rule_text_flatten_identity);
   ("expand_identity", rule_text_expand_identity);
   ("split_concat_variadic", rule_text_split_concat_variadic);
   ("dispatch_tuple", rule_text_dispatch_tuple);
   ("merge_element_wise_variadic", rule_text_merge_element_wise_variadic);
   ("eliminate_identity", rule_text_eliminate_identity);
   ("full_element_wise", rule_text_full_element_wise);
   ("simplify_pad_conv", rule_text_simplify_pad_conv);
   ("simplify_transpose", rule_text_simplify_transpose)].
