(** * Conditions that rules of the library need

    Each is a rule without its condition, refuted by a graph that the rule with it spares.  Axes that count from the end
    and numbers of several dimensions written as tuples are of the model only: the compiler's graphs have none. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import attr.Attr graph.Graph pattern.Pattern pattern.Match rewrite.Library rewrite.Unsound.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances.
From Calque Require rewrite.UnsoundStrict.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

(** The rule with the first [k] of its conditions. *)
Definition relaxed (k : nat) (r : rule) : rule := Rule (patterns r) (source r) (target r) (firstn k (conditions r)).

Definition sized (ds : list Z) : list (label * value) :=
  [("shape", VTuple (map VInt ds)); ("ndim", VInt (Z.of_nat (List.length ds)))].

Definition absent : node oper := Node (Oper KAbsent [] []) [].
Definition input (k : N) (ds : list Z) : node oper := Node (Oper (KInput k) (sized ds) []) [].
Definition call (name : string) (at_ : list (label * value)) (ds : list Z) (args : list nat) : node oper :=
  Node (Oper (KCall name) (sized ds) at_) args.

Definition typed (dtype : string) (n : node oper) : node oper :=
  Node (Oper (what (op n)) (("dtype", VStr dtype) :: type (op n)) (attrs (op n))) (args n).

(** An axis from the end: the bias would lie along a new dimension. *)
Definition bias_at_end : tgraph * list nat :=
  ([absent; input 1 [1; 2]%Z; input 2 [2]%Z; call "BiasAdd" [("axis", VInt (-1))] [1; 2]%Z [1; 2]], [3]).

Theorem simplify_bias_add_needs_front :
  let given := [(1%N, tensor_of [1; 2] [1; 2]%Z); (2%N, tensor_of [2] [10; 20]%Z)] in
  refutes integers given (relaxed 0 rule_text_simplify_bias_add) bias_at_end
    [value_of [1; 2] [11; 22]%Z] (Some [value_of [2; 1; 2] [11; 12; 21; 22]%Z]) /\
  spares integers given rule_text_simplify_bias_add bias_at_end.
Proof. refute_and_spare. Qed.

(** A column of numbers: the constant that is made of them would be a row. *)
Definition column_expanded : tgraph * list nat :=
  ([absent; typed "i64" (input 1 [2; 2]%Z); Node (Oper (KConst 2 (Some (VTuple [VInt 1; VInt 2]))) (sized [2; 1]%Z) []) [];
    call "Expand" [("shape", VTuple [VInt 2; VInt 2])] [2; 2]%Z [2]; call "Add" [] [2; 2]%Z [1; 3]], [4]).

Theorem full_element_wise_needs_number :
  let given := [(1%N, tensor_of [2; 2] [0; 0; 0; 0]%Z)] in
  refutes integers given (relaxed 1 rule_text_full_element_wise) column_expanded
    [value_of [2; 2] [1; 1; 2; 2]%Z] (Some [value_of [2; 2] [1; 2; 1; 2]%Z]) /\
  spares integers given rule_text_full_element_wise column_expanded.
Proof. refute_and_spare. Qed.

(** An axis from the end: the range of dimensions would name some twice. *)
Definition layer_at_end : tgraph * list nat :=
  ([absent; input 1 [1; 1]%Z; input 2 [1]%Z;
    call "LayerNormalization" [("axis", VInt (-1)); ("epsilon", VFloat one_bits)] [1; 1]%Z [1; 2]], [3]).

Theorem lower_layer_norm_needs_front :
  let given := [(1%N, tensor_of [1; 1] [5]%Z); (2%N, tensor_of [1] [7]%Z)] in
  refutes integers given (relaxed 0 rule_text_lower_layer_norm) layer_at_end [value_of [1; 1] [0]%Z] None /\
  spares integers given rule_text_lower_layer_norm layer_at_end.
Proof. refute_and_spare. Qed.

(** ** Graphs on which the rules with these conditions, and others, rewrite *)

(** The rule rewrites the graph, whose nodes have values and the types written on them; the outputs keep their values. *)
Definition rewrites (given : list (N * tensor (num integers))) (r : rule) (c : tgraph * list nat) : bool :=
  UnsoundStrict.saneb integers given (fst c) &&
  match outcome integers given r c with Some (_, Some _) => true | _ => false end.

Definition row : N * tensor (num integers) := (1%N, tensor_of [1; 2] [1; 2]%Z).

Theorem simplify_bias_add_rewrites :
  rewrites [row; (2%N, tensor_of [2] [10; 20]%Z)] rule_text_simplify_bias_add
    ([absent; input 1 [1; 2]%Z; input 2 [2]%Z; call "BiasAdd" [("axis", VInt 1)] [1; 2]%Z [1; 2]], [3]) = true.
Proof. vm_compute. reflexivity. Qed.

Theorem full_element_wise_rewrites :
  rewrites [row] rule_text_full_element_wise
    ([absent; typed "f32" (input 1 [1; 2]%Z);
      call "ConstantOfShape" [("shape", VTuple [VInt 1; VInt 2]); ("value", VFloat one_bits)] [1; 2]%Z [];
      call "Mul" [] [1; 2]%Z [1; 2]], [3]) = true.
Proof. vm_compute. reflexivity. Qed.

Theorem simplify_transpose_rewrites :
  rewrites [row] rule_text_simplify_transpose
    ([absent; input 1 [1; 2]%Z; call "LayoutTransform" [("src_layout", VStr "NC"); ("dst_layout", VStr "CN")] [2; 1]%Z [1];
      call "Transpose" [("perm", VTuple [VInt 1; VInt 0])] [1; 2]%Z [2]], [3]) = true.
Proof. vm_compute. reflexivity. Qed.

Theorem parallel_gemm_variadic_rewrites :
  let gemm := call "Gemm" [("alpha", VFloat one_bits); ("beta", VFloat one_bits); ("transA", VInt 0); ("transB", VInt 1)] [1; 1]%Z in
  rewrites [row; (2%N, tensor_of [1; 2] [3; 4]%Z); (3%N, tensor_of [1] [5]%Z)] rule_text_parallel_gemm_variadic
    ([absent; input 1 [1; 2]%Z; input 2 [1; 2]%Z; input 3 [1]%Z; gemm [1; 2; 3]; gemm [1; 2; 3]], [4; 5]) = true.
Proof. vm_compute. reflexivity. Qed.

Theorem lower_layer_norm_rewrites :
  rewrites [row; (2%N, tensor_of [2] [7; 7]%Z)] rule_text_lower_layer_norm
    ([absent; input 1 [1; 2]%Z; input 2 [2]%Z;
      call "LayerNormalization" [("axis", VInt 1); ("epsilon", VFloat one_bits)] [1; 2]%Z [1; 2]], [3]) = true.
Proof. vm_compute. reflexivity. Qed.

Theorem lower_group_norm_rewrites :
  rewrites [row; (2%N, tensor_of [2] [7; 7]%Z)] rule_text_lower_group_norm
    ([absent; input 1 [1; 2]%Z; input 2 [2]%Z;
      call "GroupNormalization" [("epsilon", VFloat one_bits); ("num_groups", VInt 1)] [1; 2]%Z [1; 2; 2]], [3]) = true.
Proof. vm_compute. reflexivity. Qed.
