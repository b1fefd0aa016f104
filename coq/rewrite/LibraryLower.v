(** * The rules of the library: lower

    Printed from the rules that the compiler reads; a test prints them again. *)

From Coq Require Import List NArith String ZArith.
From Calque Require Import attr.Attr pattern.Pattern pattern.Match.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Definition rule_text_lower_batch_norm : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern PVariable [] true false None) (* 3 *);
     (Pattern PVariable [] true false None) (* 4 *);
     (Pattern (PCall (OName "BatchNormalization") [0; 1; 2; 3; 4]) [] false false None) (* 5 *);
     (Pattern (PConst (Some (AAccess 5%N "epsilon"))) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Add") [4; 6]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "Sqrt") [7]) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Div") [1; 8]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Reshape") [9]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 0%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 10 *);
     (Pattern (PCall (OName "Mul") [0; 10]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Mul") [3; 9]) [] false false None) (* 12 *);
     (Pattern (PCall (OName "Sub") [2; 12]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Reshape") [13]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 0%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 14 *);
     (Pattern (PCall (OName "Add") [11; 14]) [] false false None) (* 15 *)]
    [5] [15]
    [(ABinary BGe (AAccess 0%N "ndim") (AConst (VInt (2)%Z)))].

Definition rule_text_lower_layer_norm : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern (POptional 2 (Some (AConst (VFloat 0%N)))) [] false false None) (* 3 *);
     (Pattern (PCall (OName "LayerNormalization") [0; 1; 3]) [] false false None) (* 4 *);
     (Pattern (PCall (OName "ReduceMean") [0]) [("axes", (AFunc FRange [(AAccess 4%N "axis"); (AAccess 0%N "ndim"); (AConst (VInt (1)%Z))])); ("keepdims", (AConst (VInt (1)%Z)))] false false None) (* 5 *);
     (Pattern (PCall (OName "Sub") [0; 5]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Mul") [6; 6]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "ReduceMean") [7]) [("axes", (AFunc FRange [(AAccess 4%N "axis"); (AAccess 0%N "ndim"); (AConst (VInt (1)%Z))])); ("keepdims", (AConst (VInt (1)%Z)))] false false None) (* 8 *);
     (Pattern (PConst (Some (AAccess 4%N "epsilon"))) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Add") [8; 9]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Sqrt") [10]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Div") [6; 11]) [] false false None) (* 12 *);
     (Pattern (PCall (OName "Mul") [12; 1]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Add") [13; 3]) [] false false None) (* 14 *);
     (Pattern (PCond (AAccess 3%N "present") 14 13) [] false false None) (* 15 *)]
    [4] [15]
    [(ABinary BGe (AAccess 4%N "axis") (AConst (VInt (0)%Z)))].

Definition rule_text_lower_group_norm : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern (PCall (OName "GroupNormalization") [0; 1; 2]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "Reshape") [0]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 0%N "shape") (AConst (VInt (0)%Z))); (AAccess 3%N "num_groups"); (ABinary BFloordiv (AProj (AAccess 0%N "shape") (AConst (VInt (1)%Z))) (AAccess 3%N "num_groups"))]) (AFunc FSlice [(AAccess 0%N "shape"); (AConst (VInt (2)%Z)); (AConst VNone); (AConst VNone)])))] false false None) (* 4 *);
     (Pattern (PCall (OName "ReduceMean") [4]) [("axes", (AFunc FRange [(AConst (VInt (2)%Z)); (ABinary BAdd (AAccess 0%N "ndim") (AConst (VInt (1)%Z))); (AConst (VInt (1)%Z))])); ("keepdims", (AConst (VInt (1)%Z)))] false false None) (* 5 *);
     (Pattern (PCall (OName "Sub") [4; 5]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Mul") [6; 6]) [] false false None) (* 7 *);
     (Pattern (PCall (OName "ReduceMean") [7]) [("axes", (AFunc FRange [(AConst (VInt (2)%Z)); (ABinary BAdd (AAccess 0%N "ndim") (AConst (VInt (1)%Z))); (AConst (VInt (1)%Z))])); ("keepdims", (AConst (VInt (1)%Z)))] false false None) (* 8 *);
     (Pattern (PConst (Some (AAccess 3%N "epsilon"))) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Add") [8; 9]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Sqrt") [10]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Div") [6; 11]) [] false false None) (* 12 *);
     (Pattern (PCall (OName "Reshape") [12]) [("shape", (AAccess 0%N "shape"))] false false None) (* 13 *);
     (Pattern (PCall (OName "Reshape") [1]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 0%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 14 *);
     (Pattern (PCall (OName "Mul") [13; 14]) [] false false None) (* 15 *);
     (Pattern (PCall (OName "Reshape") [2]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 0%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 16 *);
     (Pattern (PCall (OName "Add") [15; 16]) [] false false None) (* 17 *)]
    [3] [17]
    [].

Definition rule_text_lower_instance_norm : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern PVariable [] true false None) (* 1 *);
     (Pattern PVariable [] true false None) (* 2 *);
     (Pattern (PCall (OName "InstanceNormalization") [0; 1; 2]) [] false false None) (* 3 *);
     (Pattern (PCall (OName "ReduceMean") [0]) [("axes", (AFunc FRange [(AConst (VInt (2)%Z)); (AAccess 0%N "ndim"); (AConst (VInt (1)%Z))])); ("keepdims", (AConst (VInt (1)%Z)))] false false None) (* 4 *);
     (Pattern (PCall (OName "Sub") [0; 4]) [] false false None) (* 5 *);
     (Pattern (PCall (OName "Mul") [5; 5]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "ReduceMean") [6]) [("axes", (AFunc FRange [(AConst (VInt (2)%Z)); (AAccess 0%N "ndim"); (AConst (VInt (1)%Z))])); ("keepdims", (AConst (VInt (1)%Z)))] false false None) (* 7 *);
     (Pattern (PConst (Some (AAccess 3%N "epsilon"))) [] false false None) (* 8 *);
     (Pattern (PCall (OName "Add") [7; 8]) [] false false None) (* 9 *);
     (Pattern (PCall (OName "Sqrt") [9]) [] false false None) (* 10 *);
     (Pattern (PCall (OName "Div") [5; 10]) [] false false None) (* 11 *);
     (Pattern (PCall (OName "Reshape") [1]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 0%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 12 *);
     (Pattern (PCall (OName "Mul") [11; 12]) [] false false None) (* 13 *);
     (Pattern (PCall (OName "Reshape") [2]) [("shape", (ABinary BAdd (ATuple [(AProj (AAccess 0%N "shape") (AConst (VInt (1)%Z)))]) (AVar 0%N (ABinary BSub (AAccess 0%N "ndim") (AConst (VInt (2)%Z))) (AConst (VInt (1)%Z)))))] false false None) (* 14 *);
     (Pattern (PCall (OName "Add") [13; 14]) [] false false None) (* 15 *)]
    [3] [15]
    [].

Definition rule_text_lower_l2_norm : rule := Rule
    [(Pattern PWildcard [] false false None) (* 0 *);
     (Pattern (PCall (OName "L2Normalize") [0]) [] false false None) (* 1 *);
     (Pattern (PCall (OName "Mul") [0; 0]) [] false false None) (* 2 *);
     (Pattern (PCall (OName "ReduceSum") [2]) [("axes", (AAccess 1%N "axes")); ("keepdims", (AConst (VInt (1)%Z)))] false false None) (* 3 *);
     (Pattern (PConst (Some (AAccess 1%N "epsilon"))) [] false false None) (* 4 *);
     (Pattern (PCall (OName "Max") [3; 4]) [] false false None) (* 5 *);
     (Pattern (PCall (OName "Sqrt") [5]) [] false false None) (* 6 *);
     (Pattern (PCall (OName "Div") [0; 6]) [] false false None) (* 7 *)]
    [1] [7]
    [].

Definition library_lower : list (string * rule) :=
  [("lower_batch_norm", rule_text_lower_batch_norm);
   ("lower_layer_norm", rule_text_lower_layer_norm);
   ("lower_group_norm", rule_text_lower_group_norm);
   ("lower_instance_norm", rule_text_lower_instance_norm);
   ("lower_l2_norm", rule_text_lower_l2_norm)].
