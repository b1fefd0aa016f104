(** * An instance: a small model on which every hypothesis of [opt_correct_mixed] holds

    Convolution, Gather by int64 indices, Concat, MatMul, Softmax, two transpositions and an
    identity that rules remove, a Shape and an addition of parameters that are folded. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.SoundModel rewrite.GraphEval.
From Calque Require Import rewrite.Proved rewrite.ProvedSound rewrite.Fold rewrite.Opt rewrite.OptEval.
From Calque Require Import rewrite.Typed rewrite.OptCorrect.
From Calque Require Import rewrite.SoundTactic.
From Calque Require rewrite.UnsoundStrict.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances tensor.Mixed tensor.Meaning.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Definition ints (l : list nat) : value := VTuple (map (fun n => VInt (Z.of_nat n)) l).
Definition typed_as (ds : list nat) (code : Z) : list (label * value) :=
  [("shape", ints ds); ("dtype", VInt code); ("ndim", VInt (Z.of_nat (List.length ds)))].
Definition leaf (k : kind) (ds : list nat) (code : Z) : node oper := Node (Oper k (typed_as ds code) []) [].
Definition apply_ (name : string) (ds : list nat) (code : Z) (l : list (label * value)) (es : list nat) : node oper :=
  Node (Oper (KCall name) (typed_as ds code) l) es.

Definition small_model : tgraph := [
  Node (Oper KAbsent [] []) [];
  leaf (KInput 1) [1; 2; 3; 3] 1;
  leaf (KConst 1 None) [2; 2; 2; 2] 1;
  apply_ "Conv" [1; 2; 2; 2] 1 [("kernel_shape", ints [2; 2]); ("strides", ints [1; 1]); ("pads", ints [0; 0; 0; 0]);
                                ("dilations", ints [1; 1]); ("group", VInt 1)] [1; 2];
  apply_ "Identity" [1; 2; 2; 2] 1 [] [3];
  leaf (KConst 2 (Some (VTuple [VInt 1; VInt (-2)]))) [2] 7;
  apply_ "Gather" [1; 2; 2; 2] 1 [("axis", VInt 1)] [4; 5];
  apply_ "Concat" [1; 4; 2; 2] 1 [("axis", VInt 1)] [4; 6];
  Node (Oper (KCall "Reshape") (typed_as [4; 4] 1) [("shape", ints [4; 4])]) [7];
  leaf (KConst 3 None) [4; 4] 1;
  leaf (KConst 4 (Some (VFloat 4607182418800017408))) [] 1;
  apply_ "Add" [4; 4] 1 [] [9; 10];
  apply_ "MatMul" [4; 4] 1 [] [8; 11];
  apply_ "Transpose" [4; 4] 1 [("perm", ints [1; 0])] [12];
  apply_ "Transpose" [4; 4] 1 [("perm", ints [1; 0])] [13];
  apply_ "Softmax" [4; 4] 1 [("axis", VInt 1); ("flatten", VInt 0)] [14];
  apply_ "Shape" [2] 7 [("start", VInt 0); ("end", VInt 2)] [15]
].

Definition small_outputs : list nat := [15; 16].

Notation mix := (mixed standard).
Definition float_cells (l : list Z) : list (num mix) := map (fun z => of_f32 standard (whole 24 128 z)) l.

Definition small_constants (k : N) : option (tensor (num mix)) :=
  if (k =? 1)%N then Some (Tensor [2; 2; 2; 2] (float_cells [1; 0; 0; 2; 3; -1; 0; 1; 0; 0; 1; 1; 2; 0; 0; 5]%Z))
  else if (k =? 3)%N then Some (Tensor [4; 4] (float_cells [1; 0; 0; 0; 0; 1; 0; 0; 0; 0; 1; 0; 0; 0; 0; 1]%Z))
  else None.

Definition small_input (x : tensor (num mix)) (k : N) : option (tensor (num mix)) := if (k =? 1)%N then Some x else None.

Definition small_rules : list (string * rule) :=
  filter (fun r => existsb (String.eqb (fst r)) ["identity_removal"; "transpose_transpose"; "transpose_identity"]) (rules_of exactly).

Definition unspelled (t : tensor (num mix)) : option value := None.
Definition all_allowed (g : tgraph) (i : nat) (t : tensor (num mix)) : bool := true.

Definition small_optimised : state mix :=
  optimise mix unspelled small_rules all_allowed 3 10 (start mix small_model small_outputs small_constants).

(** The operators that are left: no identity, transposition, addition or Shape. *)
Theorem small_operators :
  flat_map (fun n => match what (op n) with KCall name => [name] | _ => [] end) (nodes small_optimised) =
  ["Conv"; "Gather"; "Concat"; "Reshape"; "MatMul"; "Softmax"].
Proof. vm_compute. reflexivity. Qed.

(** For every input of the declared sizes, the optimised model computes the same tensors. *)
Theorem small_correct x : dims x = [1; 2; 3; 3] -> well_tensor x = true ->
  exists ts, graph_eval mix (small_input x) small_constants small_model small_outputs = Some ts /\
             graph_eval mix (small_input x) (Fold.constants small_optimised) (nodes small_optimised)
               (Fold.outs small_optimised) = Some ts.
Proof.
  intros D W.
  apply (opt_correct_mixed standard (small_input x) small_constants unspelled small_rules small_model small_outputs
           small_optimised).
  - exact standard_laws.
  - easy.
  - apply incl_filter.
  - vm_compute. reflexivity.
  - unfold inputs_fit, small_model. cbn [forallb op what leaf apply_ given_fits small_input].
    unfold given_fits, small_input. cbn [N.eqb Pos.eqb]. rewrite W, D. vm_compute. reflexivity.
  - vm_compute. reflexivity.
  - vm_compute. reflexivity.
  - apply optimise_run.
Qed.

(** ** In a ring: what is folded is read by a rule *)

(** x * (2 - 1), then Relu. *)
Definition scaled_model : tgraph := [
  Node (Oper KAbsent [] []) [];
  leaf (KInput 1) [2; 2] 1;
  leaf (KConst 1 (Some (VInt 2))) [] 1;
  leaf (KConst 2 (Some (VInt 1))) [] 1;
  apply_ "Sub" [] 1 [] [2; 3];
  apply_ "Mul" [2; 2] 1 [] [1; 4];
  apply_ "Relu" [2; 2] 1 [] [5]
].

(** Scalars are said by an attribute. *)
Definition spell_scalar (t : tensor (num integers)) : option value :=
  match dims t, cells t with [], [z] => Some (VInt z) | _, _ => None end.

Definition ring_rules : list (string * rule) := filter (fun r => String.eqb (fst r) "eliminate_identity") (rules_of in_rings).

Definition scaled_optimised : state integers :=
  optimise integers spell_scalar ring_rules (fun _ _ _ => true) 2 10 (start integers scaled_model [6] (fun _ => None)).

Theorem scaled_operators :
  flat_map (fun n => match what (op n) with KCall name => [name] | _ => [] end) (nodes scaled_optimised) = ["Relu"].
Proof. vm_compute. reflexivity. Qed.

Theorem scaled_correct x : dims x = [2; 2] -> well_tensor x = true ->
  let given k := if (k =? 1)%N then Some x else None in
  exists ts, graph_eval integers given (fun _ => None) scaled_model [6] = Some ts /\
             graph_eval integers given (Fold.constants scaled_optimised) (nodes scaled_optimised)
               (Fold.outs scaled_optimised) = Some ts.
Proof.
  intros D W given.
  apply (opt_correct integers given (fun _ => None) spell_scalar) with (p := in_rings) (rules := ring_rules).
  - intros [ds l] v. unfold spell_scalar. cbn [dims cells]. destruct ds; [| discriminate].
    destruct l as [| z [|]]; try discriminate. intros E. injection E as <-. reflexivity.
  - intros [] e; try discriminate e;
      [apply ring_commutes, UnsoundStrict.integers_scalars | exact integers_float_laws | exact UnsoundStrict.integers_scalars].
  - apply incl_filter.
  - vm_compute. reflexivity.
  - unfold inputs_fit, scaled_model. cbn [forallb op what leaf apply_]. unfold given_fits, given. cbn [N.eqb Pos.eqb].
    rewrite W, D. vm_compute. reflexivity.
  - vm_compute. reflexivity.
  - vm_compute. reflexivity.
  - apply optimise_run.
Qed.
