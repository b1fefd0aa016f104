(** * Instances: the premises of the theorems on attributes, graphs, kernels and inlining hold together

    Each [NAME_applies] is the theorem NAME of [Theorems] at arguments that
    fulfil its premises. *)

From Coq Require Import Bool List NArith String ZArith Lia.
From Calque Require Import attr.Attr.
From Calque Require attr.AttrProof attr.Memo theorems.IndexNotation.
Import ListNotations.
Open Scope Z_scope.

(** ** attr: the third component of pattern 1's [shape], plus 1 *)

Definition shape_value : value := VTuple [VInt 64; VInt 3; VInt 7; VInt 7].
Definition shape_env : env := env_of [(1%N, "shape"%string, shape_value)].
Definition third_plus_one : attr :=
  ABinary BAdd (AProj (AAccess 1%N "shape"%string) (AConst (VInt 2))) (AConst (VInt 1)).

Lemma third_evaluates : ae shape_env third_plus_one (VInt 8).
Proof. apply AttrProof.attr_eval_iff. vm_compute. reflexivity. Qed.

Example attr_eval_deterministic_applies : VInt 8 = VInt 8.
Proof. exact (AttrProof.attr_eval_deterministic _ _ _ _ third_evaluates third_evaluates). Qed.

Example attr_match_eval_agree_applies :
  amatch shape_env third_plus_one (VInt 8) = true <-> eval shape_env third_plus_one = Some (VInt 8).
Proof. apply AttrProof.attr_match_eval_agree. vm_compute. reflexivity. Qed.

Lemma shape_env_in_range : env_in_range shape_env.
Proof.
  split; [| split].
  - intros p l v. unfold shape_env, env_of, env_full, look_up. cbn.
    destruct (_ && _); intros E; now inversion E.
  - intros p k l v. discriminate.
  - intros s v. discriminate.
Qed.

Example attr_eval_in_range_applies : value_in_range (VInt 8) = true.
Proof.
  eapply AttrProof.attr_eval_in_range with (a := third_plus_one).
  - exact shape_env_in_range.
  - vm_compute. reflexivity.
  - vm_compute. reflexivity.
Qed.

(** 1 < 1.5, an int and a float. *)
Example number_order_applies :
  binary_op BLt (VInt 1) (VFloat 4609434218613702656) = Some (VBool true) <->
  exists y z, number (VInt 1) = Some y /\ number (VFloat 4609434218613702656) = Some z /\
    (true = true <-> Z.lt y z).
Proof. apply AttrProof.number_order. reflexivity. Qed.

(** 1.5, which is 3 * 2^1073 in units of 2^-1074. *)
Example number_finite_applies : - 2 ^ 2098 < 3 * 2 ^ 1073 < 2 ^ 2098.
Proof.
  eapply AttrProof.number_finite with (v := VFloat 4609434218613702656).
  - reflexivity.
  - vm_compute. reflexivity.
  - intros [|]; discriminate.
Qed.

Example erratum_am_overlap_applies : VInt 8 = VInt 8.
Proof.
  apply (AttrProof.erratum_am_overlap shape_env third_plus_one); [exact third_evaluates |].
  apply AttrProof.attr_match_iff. vm_compute. reflexivity.
Qed.

(** A free symbol: s + 1 where s is 4 in both, and another symbol differs. *)
Example attr_eval_free_symbols_applies :
  let a := ABinary BAdd (ASymbol 0%N) (AConst (VInt 1)) in
  let G := bind (bind shape_env 1%N (VInt 5)) 0%N (VInt 4) in
  let H := bind (bind shape_env 1%N (VInt 6)) 0%N (VInt 4) in
  eval G a = eval H a.
Proof.
  intros a G H. apply Memo.eval_free_symbols.
  - repeat split.
  - intros s In. cbn in In. destruct In as [<- | []]. reflexivity.
Qed.

(** ** graph: node 2 is the sum of 0 and 1, node 3 its negation *)

Module OfGraph.
Import graph.Graph theorems.IndexNotation.OfGraph.
Local Open Scope nat_scope.

Inductive sort := Input (z : Z) | Sum | Opposite.
Definition meaning (o : sort) (l : list Z) : option Z :=
  match o, l with
  | Input z, [] => Some z
  | Sum, [y; z] => Some (y + z)%Z
  | Opposite, [y] => Some (- y)%Z
  | _, _ => None
  end.

Definition small : graph sort :=
  [Node (Input 3) []; Node (Input 4) []; Node Sum [0; 1]; Node Opposite [2]].

Lemma small_wf : wf small.
Proof. apply graph_wf_iff. reflexivity. Qed.

Lemma small_value : ge meaning small 3 (-7)%Z.
Proof. apply graph_eval_iff; [exact small_wf | reflexivity]. Qed.

Example graph_wf_acyclic_applies : ~ ancestor small 3 2.
Proof. eapply graph_wf_acyclic; [exact small_wf | reflexivity | now left]. Qed.

Example graph_eval_unique_applies : (-7 = -7)%Z.
Proof. exact (graph_eval_unique _ _ _ _ _ _ _ small_value small_value). Qed.

(** Another node behind changes no ancestor of node 3. *)
Example graph_eval_ancestors_applies : ge meaning (small ++ [Node Opposite [0]]) 3 (-7)%Z.
Proof.
  apply (graph_eval_ancestors _ _ meaning small); [| exact small_value].
  intros j anc. apply ancestor_le in anc; [| exact small_wf]. symmetry.
  apply nth_error_app1. cbn. lia.
Qed.

Lemma topological_check (g : graph sort) s :
  forallb (fun k => match nth_error s k with
    | Some i => match nth_error g i with
        | Some n => forallb (fun j => existsb (Nat.eqb j) (firstn k s)) (args n)
        | None => true end
    | None => true end) (seq 0 (List.length s)) = true -> topological g s.
Proof.
  intros C before i after E n at_i j inj. rewrite forallb_forall in C.
  specialize (C (List.length before)). subst s.
  rewrite nth_error_app2, Nat.sub_diag in C by lia. cbn in C. rewrite at_i in C.
  rewrite forallb_forall in C.
  assert (In (List.length before) (seq 0 (List.length (before ++ i :: after)))) as inside.
  { apply in_seq. rewrite app_length. cbn. lia. }
  specialize (C inside j inj). apply existsb_exists in C as (k & ink & same).
  apply Nat.eqb_eq in same as <-. rewrite firstn_app, firstn_all, Nat.sub_diag in ink.
  cbn in ink. now rewrite app_nil_r in ink.
Qed.

Example graph_eval_order_irrelevant_applies :
  exec meaning small [0; 1; 2; 3] 3 = exec meaning small [1; 0; 2; 1; 3] 3.
Proof.
  apply graph_eval_order_irrelevant.
  - apply topological_check. reflexivity.
  - apply topological_check. reflexivity.
  - cbn. auto.
  - cbn. auto 6.
Qed.

(** The two inputs in the other order. *)
Example graph_eval_simulation_applies :
  let f i := match i with 0 => 1 | 1 => 0 | _ => i end in
  let h := [Node (Input 4) []; Node (Input 3) []; Node Sum [1; 0]; Node Opposite [2]] in
  forall v, ge meaning small 3 v <-> ge meaning h (f 3) v.
Proof.
  intros f h. apply (graph_eval_simulation _ _ meaning small h f small_wf); [| cbn; lia].
  intros i n at_i. left. do 4 (destruct i as [| i]; [now injection at_i as <- |]).
  now destruct i.
Qed.
End OfGraph.

(** ** kernel: B<2,2>[i,j] = A[i,j] + 1; C<2,2>[i,j] = B[j,i] + B[i,j], with A, B, C = 0, 1, 2 *)

Module OfKernel.
Import kernel.Kernel kernel.KernelProof kernel.Wf kernel.Inline kernel.InlineProof.
Import theorems.IndexNotation theorems.IndexNotation.OfKernel theorems.IndexNotation.OfWf theorems.IndexNotation.OfInline.

Definition producer : stmt integers :=
  Stmt 1%nat [2; 2]%nat (add (ELd 0%nat [IVar 0; IVar 1]) (num 1)).
Definition consumer : stmt integers :=
  Stmt 2%nat [2; 2]%nat (add (ELd 1%nat [IVar 1; IVar 0]) (ELd 1%nat [IVar 0; IVar 1])).
Definition squares (t : nat) : list nat := [2; 2]%nat.

Lemma both_wf : wf_prog squares [producer; consumer] = true.
Proof. reflexivity. Qed.

Example kernel_wf_sound_applies :
  dims consumer = squares (out consumer) /\ forall t, in_bounds_stmt t (squares t) consumer.
Proof. apply kernel_wf_sound. reflexivity. Qed.

Example kernel_exec_frame_applies :
  exec consumer InlineProof.numbered 1%nat [0; 1] = InlineProof.numbered 1%nat [0; 1].
Proof. apply kernel_exec_frame. discriminate. Qed.

Example kernel_inline_correct_applies :
  exec_prog ([] ++ map (inline_stmt producer) [consumer] ++ []) InlineProof.numbered 2%nat [0; 1] =
  exec_prog ([] ++ producer :: [consumer] ++ []) InlineProof.numbered 2%nat [0; 1].
Proof.
  apply kernel_inline_correct.
  - intros s [<- | []]. discriminate.
  - intros s [<- | []] [E | []]. discriminate.
  - intros s [].
  - intros s [<- | []]. exact (proj2 kernel_wf_sound_applies 1%nat).
  - discriminate.
Qed.

(** Two stores that differ outside of the boxes. *)
Example kernel_wf_reads_inside_applies :
  let st' := fun t i => if in_box [2; 2]%nat i then InlineProof.numbered t i else 5 in
  exec_prog [producer; consumer] InlineProof.numbered 2%nat [0; 1] =
  exec_prog [producer; consumer] st' 2%nat [0; 1].
Proof.
  intros st'. apply (kernel_wf_reads_inside integers squares); [exact both_wf | | reflexivity].
  intros t i inn. unfold squares in inn. unfold st'. now rewrite inn.
Qed.

Example inline_tensor_correct_applies :
  ~ In 1%nat [2%nat] /\ forall st u i, u <> 1%nat ->
    exec_prog [inline_stmt producer consumer] st u i = exec_prog [producer; consumer] st u i.
Proof.
  apply (inline_tensor_correct integers squares).
  - vm_compute. reflexivity.
  - intros s [<- | [<- | []]]; (split; [reflexivity |]).
    + apply (proj2 (kernel_wf_sound integers squares producer eq_refl) 1%nat).
    + apply (proj2 kernel_wf_sound_applies 1%nat).
Qed.

Example inline_safe_applies : in_bounds_stmt 0%nat [2; 2]%nat (inline_stmt producer consumer).
Proof.
  apply inline_safe.
  - apply (proj2 (kernel_wf_sound integers squares producer eq_refl) 0%nat).
  - apply (proj2 kernel_wf_sound_applies 0%nat).
  - apply (proj2 kernel_wf_sound_applies 1%nat).
Qed.

(** C<2,3>[i,j] = B<3,2>[j,i], B<3,2>[i,j] = A[i,j] + 1, run over the box of B. *)
Definition wide_shapes (t : nat) : list nat := match t with 2%nat => [2; 3] | _ => [3; 2] end%nat.
Definition tall : stmt integers :=
  Stmt 1%nat [3; 2]%nat (add (ELd 0%nat [IVar 0; IVar 1]) (num 1)).
Definition turned : stmt integers := Stmt 2%nat [2; 3]%nat (ELd 1%nat [IVar 1; IVar 0]).

Example reverse_inline_correct_applies :
  exec_prog [] (exec_scatter (reverse_inline tall turned [1; 0]%nat) InlineProof.numbered) 2%nat [0; 2] =
  exec_prog [] (exec turned (exec tall InlineProof.numbered)) 2%nat [0; 2].
Proof.
  apply reverse_inline_correct.
  - reflexivity.
  - reflexivity.
  - apply (proj2 (kernel_wf_sound integers wide_shapes turned eq_refl) 1%nat).
  - intros u [].
  - discriminate.
Qed.

(** As in [erratum_inline_D3]: the producer 1 - A[i], read at its own values. *)
Example nested_inline_correct_applies :
  let p := NSub (NCst 1) (NLd 0%nat NVar) in
  let e := NLd 1%nat (NLd 1%nat NVar) in
  let st t k := if (t =? 1)%nat then 1 - k else k in
  let gone t k := if (t =? 1)%nat then 7 else k in
  nested_value gone 0 (nested_inline true 1%nat p e) = nested_value st 0 e.
Proof.
  intros p e st gone. apply nested_inline_correct.
  - intros t k ne. unfold gone, st. apply Nat.eqb_neq in ne. now rewrite ne.
  - reflexivity.
  - reflexivity.
Qed.
End OfKernel.
