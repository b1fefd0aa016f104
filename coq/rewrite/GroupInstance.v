(** * An instance: two convolutions in two groups become one, and compute the same

    One has a bias, the other none. What is made of the kernels and biases is folded. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.SoundModel rewrite.GraphEval.
From Calque Require Import rewrite.Proved rewrite.ProvedSound rewrite.Fold rewrite.Opt rewrite.OptEval.
From Calque Require Import rewrite.Typed rewrite.OptCorrect rewrite.OptInstance rewrite.SoundTactic.
From Calque Require rewrite.UnsoundStrict.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances tensor.Meaning.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Definition in_two_groups : list (label * value) :=
  [("kernel_shape", ints [2; 2]); ("strides", ints [1; 1]); ("pads", ints [0; 0; 0; 0]); ("dilations", ints [1; 1]); ("group", VInt 2)].

Definition group_model : tgraph := [
  Node (Oper KAbsent [] []) [];
  leaf (KInput 1) [1; 4; 3; 3] 1;
  leaf (KConst 1 None) [4; 2; 2; 2] 1;
  leaf (KConst 2 None) [4; 2; 2; 2] 1;
  leaf (KConst 3 None) [4] 1;
  apply_ "Conv" [1; 4; 2; 2] 1 in_two_groups [1; 2];
  apply_ "Conv" [1; 4; 2; 2] 1 in_two_groups [1; 3; 4]
].

Definition numbers (ds : list nat) (from : Z) : tensor (num integers) :=
  tabulate ds (fun i => (from + Z.of_nat (position ds i) * Z.of_nat (position ds i))%Z).

Definition group_constants (k : N) : option (tensor (num integers)) :=
  if (k =? 1)%N then Some (numbers [4; 2; 2; 2] 1%Z)
  else if (k =? 2)%N then Some (numbers [4; 2; 2; 2] (-7)%Z)
  else if (k =? 3)%N then Some (numbers [4] 3%Z) else None.

Definition group_rules : list (string * rule) :=
  filter (fun r => String.eqb (fst r) "parallel_group_conv_variadic") (rules_of in_rings).

Definition group_optimised : state integers :=
  optimise integers spell_scalar group_rules (fun _ _ _ => true) 2 10 (start integers group_model [5; 6] group_constants).

(** The operators that are left. *)
Theorem group_operators :
  flat_map (fun n => match what (op n) with KCall name => [name] | _ => [] end) (nodes group_optimised) =
  ["Conv"; "Reshape"; "Transpose"; "Reshape"; "Split"].
Proof. vm_compute. reflexivity. Qed.

(** For every input of the declared sizes. *)
Theorem group_correct x : dims x = [1; 4; 3; 3] -> well_tensor x = true ->
  let given k := if (k =? 1)%N then Some x else None in
  exists ts, graph_eval integers given group_constants group_model [5; 6] = Some ts /\
             graph_eval integers given (Fold.constants group_optimised) (nodes group_optimised)
               (Fold.outs group_optimised) = Some ts.
Proof.
  intros D W given.
  apply (opt_correct integers given group_constants spell_scalar) with (p := in_rings) (rules := group_rules).
  - intros [ds l] v. unfold spell_scalar. cbn [dims cells]. destruct ds; [| discriminate].
    destruct l as [| z [|]]; try discriminate. intros E. injection E as <-. reflexivity.
  - intros [] e; try discriminate e;
      [apply ring_commutes, UnsoundStrict.integers_scalars | exact integers_float_laws | exact UnsoundStrict.integers_scalars].
  - apply incl_filter.
  - vm_compute. reflexivity.
  - unfold inputs_fit, group_model. cbn [forallb op what leaf apply_]. unfold given_fits, given. cbn [N.eqb Pos.eqb].
    rewrite W, D. vm_compute. reflexivity.
  - vm_compute. reflexivity.
  - vm_compute. reflexivity.
  - apply optimise_run.
Qed.
