(** * Rules with several outputs, or any number of them or of inputs *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** One operator on one value, several times *)

Definition elementwise_names : list string :=
  ["Relu"; "Sum"; "Mul"; "Add"; "Sub"; "Div"; "Sqrt"; "Neg"; "Abs"; "Exp"; "Log"; "Tanh"; "Sigmoid"; "Erf"; "Pow";
   "Max"; "Min"; "Reciprocal"]%string.

(** Elementwise operators have no attributes. *)
Lemma elementwise_attributes S inputs constants shapes name at_ vs :
  existsb (String.eqb name) elementwise_names = true ->
  calls (tensors S inputs constants shapes) name at_ vs = calls (tensors S inputs constants shapes) name [] vs.
Proof.
  intros E. apply existsb_exists in E. destruct E as (s & ins & E). apply String.eqb_eq in E. subst s.
  cbn [calls tensors]. unfold op_calls, op_value. destruct (OpTable.inputs vs) as [l |];
    repeat (destruct ins as [<- | ins]; [reflexivity |]); destruct ins.
Qed.

Ltac same_call p :=
  let n := fresh "name" in let ty := fresh "ty" in let l := fresh "l" in let V := fresh "V" in let L := fresh "L" in
  let C := fresh "C" in
  see_call p n ty l V L C;
  match goal with m : means _ _ _ _ _ _ _ |- _ => mean m end;
  let e := fresh "e" in let G := fresh "G" in let N := fresh "N" in
  destruct (call_op _ _ _ _ _ _ _ _ _ _ _ _ C) as (e & G & N);
  let B := fresh "B" in
  match type of G with Pattern.get ?M ?a = _ => assert (bound_at M a) as B by (eexists; exact G) end;
  let e' := fresh "e" in let n' := fresh "name" in let G' := fresh "G" in let N' := fresh "N" in let X := fresh "X" in
  see_op 1 e' n' G' N' X;
  assert (n' = n) as -> by congruence;
  match goal with X : ?x = calls _ ?s [] _ |- ?x = _ => assert (s = n) as -> by congruence; rewrite X end;
  rewrite <- V; symmetry; now apply elementwise_attributes.

Theorem rule_merge_element_wise_sound : exact_rule rule_text_merge_element_wise.
Proof. at_match. each_output; [same_call 2 | same_call 3]. Qed.

Theorem rule_merge_three_element_wise_sound : exact_rule rule_text_merge_three_element_wise.
Proof. at_match. each_output; [same_call 2 | same_call 3 | same_call 4]. Qed.

Theorem rule_merge_element_wise_variadic_sound : exact_rule rule_text_merge_element_wise_variadic.
Proof. at_match. any_output small. same_call 2. Qed.

(** ** The field that a projection of a tuple names *)

Lemma tuple_field {T} (f : nat -> val T) (ts : list T) n k : map f (seq 0 n) = map Of ts ->
  forall v, option_map Of (nth_error ts k) = Some v -> v = f k.
Proof.
  intros E v at_k. rewrite <- nth_error_map, <- E in at_k. now apply nth_map_seq in at_k.
Qed.

Theorem rule_dispatch_tuple_sound : exact_rule rule_text_dispatch_tuple.
Proof.
  at_match. any_output small.
  destruct (means_instance _ _ _ _ _ _ fs _ _ _ _ _ _ m eq_refl eq_refl ltac:(by_text) ltac:(by_text) eq_refl)
    as (i' & j & Ti & E & J & B & ->).
  specialize (Ti eq_refl). subst i'. see_proj 3 c l R Fk L. see_tuple 2 ts Q F.
  cbn [eval value_of env_at Z.of_nat] in E.
  change (inst (env_at (patterns rule_text_dispatch_tuple) g M (Some k)) 3%N (Z.of_nat k) "index"%string = Some (VInt j)) in E.
  rewrite (inst_at rule_text_dispatch_tuple g M (Some k) 3%N 3 _ (Z.of_nat k) "index"%string eq_refl eq_refl (Zle_0_nat k)), Nat2Z.id in E.
  change (addr_of (patterns rule_text_dispatch_tuple) (Some k) 3) with (3, Some k) in E.
  assert (c = j) as -> by congruence. assert (l = ts) as -> by congruence.
  rewrite map_map in F.
  change (addr_of (patterns rule_text_dispatch_tuple) (Some (Z.to_nat j)) 0) with (0, Some (Z.to_nat j)).
  now rewrite (tuple_field _ ts _ (Z.to_nat j) F _ Fk).
Qed.
