(** * Instances: the premises of the headline theorems about optimising hold together

    [NAME_applies] is the theorem [OfOpt.NAME] over numbers of several element types. *)

From Coq Require Import Bool List Lia NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.SoundModel rewrite.GraphEval rewrite.Proved rewrite.ProvedSound.
From Calque Require Import rewrite.SoundTactic rewrite.Fold rewrite.Opt rewrite.OptEval rewrite.Typed rewrite.OptCorrect rewrite.OptInstance.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.OpTable tensor.Instances tensor.Mixed tensor.Related tensor.MixedEmbed.
From Calque Require graph.Terms theorems.Opt.
Module OfOpt := theorems.Opt.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Ltac computes := vm_compute; reflexivity.

Definition mixed_laws_applies : float_laws (mixed standard) := OfOpt.mixed_laws standard OfOpt.standard_laws.

(** ** A Gather whose indices are an input *)

Definition gather_model : tgraph := [
  Node (Oper KAbsent [] []) [];
  OptInstance.leaf (KInput 1) [3] 1;
  OptInstance.leaf (KInput 2) [2] 7;
  apply_ "Gather" [2] 1 [("axis", VInt 0)] [1; 2];
  apply_ "Identity" [2] 1 [] [3];
  apply_ "Relu" [2] 1 [] [4]
].

Definition gather_inputs (k : N) : option (tensor (num mix)) :=
  if (k =? 1)%N then Some (Tensor [3] (float_cells [10; -20; 30]%Z))
  else if (k =? 2)%N then Some (Tensor [2] [of_i64 standard (Some 2%Z); of_i64 standard (Some (-2)%Z)])
  else None.
Definition no_constants (k : N) : option (tensor (num mix)) := None.

Example gather_is_open : open_gathers mix no_constants gather_model = [3].
Proof. computes. Qed.

Lemma gather_inside : forall i, In i (open_gathers mix no_constants gather_model) ->
  node_at mix gather_inputs no_constants gather_model i <> None.
Proof.
  rewrite gather_is_open. intros i [<- | []] E.
  assert (match node_at mix gather_inputs no_constants gather_model 3 with Some _ => true | None => false end = true) as T
    by (vm_compute; reflexivity).
  rewrite E in T. discriminate T.
Qed.

Lemma gather_wf : wf gather_model.
Proof. apply wfb_iff. computes. Qed.

Lemma gather_values i : In i (open_gathers mix no_constants gather_model) ->
  exists v, ge (den (meaning mix gather_inputs no_constants gather_model)) gather_model i v.
Proof.
  intros I. pose proof (gather_inside i I) as N. unfold node_at in N.
  destruct (eval_node _ _ _) as [v |] eqn:E; [| now elim N]. exists v. apply graph_eval_iff; [exact gather_wf | exact E].
Qed.

Definition typed_sane_applies :=
  OfOpt.typed_sane mix gather_inputs no_constants gather_model ltac:(computes) ltac:(computes) ltac:(computes) gather_values.

Lemma spells_nothing : spells mix unspelled.
Proof. intros t v E. discriminate E. Qed.

Lemma exact_laws c : exactly c = true -> laws_of c mix.
Proof. destruct c; try discriminate; intros _; [exact (float_commutes _ mixed_laws_applies) | exact mixed_laws_applies]. Qed.

Definition gather_start : state mix := start mix gather_model [5] no_constants.

Definition opt_keeps_applies :=
  OfOpt.opt_keeps mix gather_inputs no_constants unspelled spells_nothing exactly small_rules gather_model [5]
    (optimise mix unspelled small_rules all_allowed 3 10 gather_start)
    exact_laws ltac:(apply incl_filter) ltac:(computes) ltac:(computes) ltac:(computes) gather_inside
    (OfOpt.optimise_run mix unspelled small_rules all_allowed 3 10 gather_start).

(** The identity is gone. *)
Example opt_keeps_operators :
  flat_map (fun n => match what (op n) with KCall name => [name] | _ => [] end)
    (nodes (optimise mix unspelled small_rules all_allowed 3 10 gather_start)) = ["Gather"; "Relu"].
Proof. computes. Qed.

(** ** Folding: the parameters of [small_model] are added *)

Definition small_x : tensor (num mix) := Tensor [1; 2; 3; 3] (float_cells (map Z.of_nat (seq 1 18))).

Lemma small_sane : sane (meaning mix (small_input small_x) small_constants small_model) small_model.
Proof.
  apply OfOpt.typed_sane; [computes | computes | computes |].
  replace (open_gathers mix small_constants small_model) with (@nil nat) by computes. intros i [].
Qed.

Definition fold_preserves_applies :=
  OfOpt.fold_preserves mix (small_input small_x) unspelled all_allowed (start mix small_model small_outputs small_constants)
    spells_nothing small_sane ltac:(intros o [<- | [<- | []]]; apply Nat.ltb_lt; reflexivity).

(** ** Numbers of one element type among several *)

Definition halves : tensor spec_float := Tensor [2] [whole 24 128 3; whole 24 128 (-5)].
Definition doubles : tensor spec_float := Tensor [2] [whole 53 1024 3; whole 53 1024 (-5)].
Definition integers_ : tensor (option Z) := Tensor [2] [Some 3%Z; Some (-5)%Z].
Definition map_tensor {A B} (f : A -> B) (t : tensor A) : tensor B := Tensor (dims t) (map f (cells t)).
Definition value_or_absent {A} (o : option (gvalue A)) : gvalue A := match o with Some v => v | None => GAbsent end.

Definition mixed_reads_f32_applies :=
  OfOpt.mixed_reads_f32 standard "Mul" [] [GTensor halves; GTensor halves]
    [GTensor (map_tensor (of_f32 standard) halves); GTensor (map_tensor (of_f32 standard) halves)]
    (value_or_absent (op_value (f32 standard) "Mul" [] [GTensor halves; GTensor halves]))
    eq_refl ltac:(reflexivity) ltac:(discriminate) ltac:(repeat constructor) ltac:(computes).

Definition mixed_reads_f64_applies :=
  OfOpt.mixed_reads_f64 standard "Mul" [] [GTensor doubles; GTensor doubles]
    [GTensor (map_tensor (of_f64 standard) doubles); GTensor (map_tensor (of_f64 standard) doubles)]
    (value_or_absent (op_value (f64 standard) "Mul" [] [GTensor doubles; GTensor doubles]))
    eq_refl ltac:(reflexivity) ltac:(discriminate) ltac:(repeat constructor) ltac:(computes).

Definition mixed_reads_int64_applies :=
  OfOpt.mixed_reads_int64 "Mul" [] [GTensor integers_; GTensor integers_]
    [GTensor (map_tensor (of_i64 standard) integers_); GTensor (map_tensor (of_i64 standard) integers_)]
    (value_or_absent (op_value int64 "Mul" [] [GTensor integers_; GTensor integers_]))
    ltac:(discriminate) ltac:(intros I; repeat (destruct I as [E | I]; [discriminate E |]); exact I)
    ltac:(repeat constructor; intros z E; injection E as <-; reflexivity) ltac:(computes).

(** Two graphs of numbers to be added, in one graph of terms, where 1 + 2 and 3 are known to be the same. *)
Module Sums.
  Definition den (k : nat) (vs : list nat) : option nat := Some (k + list_sum vs).
  Definition node (k : nat) (l : list nat) : Graph.node nat := Node k l.
  Definition x := [node 1 []; node 2 [0]; node 4 [1]].
  Definition y := [node 3 []; node 4 [0]].
  Definition terms := [node 1 []; node 2 [0]; node 3 []; node 4 [1]; node 4 [2]].
  Definition f (i : nat) := match i with 2 => 3 | _ => i end.
  Definition h (i : nat) := match i with 0 => 2 | _ => 4 end.
  Definition known (a b : nat) := a = 1 /\ b = 2.

  Lemma values g i v : Graph.wfb g = true -> eval_node den g i = Some v -> ge den g i v.
  Proof. intros W. apply Graph.wfb_iff in W. now apply (graph_eval_iff den g i v W). Qed.

  Lemma found_x : Terms.embeds f x terms.
  Proof. intros [| [| [| [| i]]]] n E; try discriminate E; injection E as <-; reflexivity. Qed.

  Lemma found_y : Terms.embeds h y terms.
  Proof. intros [| [| [| i]]] n E; try discriminate E; injection E as <-; reflexivity. Qed.

  Lemma known_same a b : known a b -> Terms.same den terms a b.
  Proof.
    intros [-> ->] v.
    assert (ge den terms 1 3 /\ ge den terms 2 3) as [P Q] by (split; apply values; reflexivity).
    split; intros H; [rewrite (eval_node_unique den terms 1 3 v P H) | rewrite (eval_node_unique den terms 2 3 v Q H)]; assumption.
  Qed.

  Lemma equal : Terms.equal_terms terms known (f 2) (h 1).
  Proof. apply (Terms.J_Same terms known 3 4 (node 4 [1]) (node 4 [2])); try reflexivity. repeat constructor. Qed.

  Definition equal_term_outputs_applies :=
    OfOpt.equal_term_outputs nat nat den x y terms f h known 2 1 7 7 found_x found_y known_same equal
      (values x 2 7 eq_refl eq_refl) (values y 1 7 eq_refl eq_refl).
End Sums.
