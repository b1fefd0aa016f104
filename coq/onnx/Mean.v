(** * Mean

    The sum of tensors that are broadcast to one another, by their number (c/onnx/expand.c).  No law of arithmetic is needed.
    Floats, at opset 8 and later. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.Reduced onnx.ReduceMin onnx.Limited.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** [count] is the number of tensors. *)
Definition onnx_mean (S : arith) (count : num S) (x : tensor (num S)) (l : list (tensor (num S))) : option (tensor (num S)) :=
  table S (broadcast_all (dims x) (map dims l)) (fun out i =>
    div_cell S (fold_left (fun a y => s_add S a (spread_at S y out i)) l (spread_at S x out i)) count).

(** One tensor is its own sum. *)
Definition mean_composition (type : Z) (ds : sizes) (l : list sizes) : option (build nat) :=
  let n := Datatypes.S (length l) in
  let? _ := broadcast_all ds l in
  guard (is_float_code type)
    (Some (s <- (if n =? 1 then Return 0 else apply "Sum" [] (seq 0 n)) ;; apply_with "Div" type (LInt (Z.of_nat n)) s)).

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).

  Lemma sum_value (x : tensor) l out : broadcast_all (dims x) (map dims l) = Some out ->
    op_value S "Sum" [] (map GTensor (x :: l)) = Some (GTensor (tabulate out (fun i =>
      fold_left (fun a y => s_add S a (spread_at S y out i)) l (spread_at S x out i)))).
  Proof.
    intros B. unfold op_value. rewrite inputs_present.
    change (any (fun _ x r => fold_all S (s_add S) x r) [] (map Some (x :: l)) = Some (GTensor (tabulate out (fun i =>
      fold_left (fun a y => s_add S a (spread_at S y out i)) l (spread_at S x out i))))).
    unfold any. rewrite traverse_present. unfold fold_all. rewrite B. reflexivity.
  Qed.

  Lemma knows_all_inputs (ts : list tensor) : Forall2 (knows S (map (@GTensor _) ts)) (seq 0 (length ts)) (map (@GTensor _) ts).
  Proof.
    assert (W : forall l pre, Forall2 (knows S (map (@GTensor _) (pre ++ l))) (seq (length pre) (length l)) (map (@GTensor _) l)).
    { induction l as [| t l IH]; intros pre; [constructor |]. cbn [length seq map]. constructor.
      - unfold knows. rewrite nth_error_map, nth_error_app2 by lia. now rewrite Nat.sub_diag.
      - specialize (IH (pre ++ [t])). rewrite <- app_assoc, app_length in IH. cbn in IH.
        now replace (length pre + 1) with (Datatypes.S (length pre)) in IH by lia. }
    exact (W ts []).
  Qed.

  Theorem mean_correct type (x : tensor) l b : good x -> mean_composition type (dims x) (map dims l) = Some b ->
    exists y, onnx_mean S (typed type (LInt (Z.of_nat (Datatypes.S (length l))))) x l = Some y /\
      composed S typed b (x :: l) = Some y.
  Proof.
    intros G B. unfold mean_composition in B. unfold onnx_mean. rewrite map_length in B.
    destruct (broadcast_all (dims x) (map dims l)) as [out |] eqn:E; [| discriminate].
    unfold guard in B. destruct (is_float_code type); [| discriminate]. apply some_eq in B. subst b.
    eexists. split; [reflexivity |]. set (n := Datatypes.S (length l)) in *. apply runs_composed.
    set (sum := tabulate out (fun i => fold_left (fun a y => s_add S a (spread_at S y out i)) l (spread_at S x out i))).
    eapply (runs_bind S typed _ _ _ (fun ws s => knows S ws s (GTensor sum))).
    - destruct (Nat.eqb_spec n 1) as [O | O].
      + apply runs_return. assert (l = []) as -> by (destruct l; [reflexivity | discriminate]). cbn in E. injection E as <-.
        assert (sum = x) as ->; [| reflexivity].
        transitivity (tabulate (dims x) (get (s_zero S) x)); [| now apply tabulate_get].
        apply tabulate_ext. intros i I. now apply spread_same_at.
      + apply (runs_apply S typed _ "Sum" [] (seq 0 n) (map (@GTensor _) (x :: l))).
        * exact (knows_all_inputs (x :: l)).
        * now apply sum_value.
    - intros ws s _ K. cbv beta in K. eapply runs_weaken; [apply (runs_with S typed ws "Div" (div_cell S)) |].
      + intros z. now apply binary_with.
      + exact K.
      + intros us k _ H. cbv beta in H.
        match type of H with knows S us k (GTensor ?w) => match goal with |- knows S us k (GTensor ?v) =>
          assert (w = v) as Ew; [| now rewrite Ew in H] end end.
        unfold mapped, sum. cbn [dims tabulate]. apply tabulate_ext. intros i I. now rewrite at_tabulate.
  Qed.
End Correct.

(** ** An instance: a row and a column *)

Example mean_example : let x := Tensor [1; 2] [1; 3]%Z in let y := Tensor [2; 1] [5; 7]%Z in
  let typed (_ : Z) c := literal_value integers c in
  option_map (fun b => composed integers typed b [x; y]) (mean_composition f32_code [1; 2] [[2; 1]]) =
    Some (Some (Tensor [2; 2] [3; 4; 4; 5]%Z)) /\
  onnx_mean integers 2%Z x [y] = Some (Tensor [2; 2] [3; 4; 4; 5]%Z).
Proof. split; reflexivity. Qed.
