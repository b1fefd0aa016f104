(** * What operators compute, cell by cell *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow.
Import ListNotations.
Open Scope nat_scope.

Section Formulas.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Lemma at_table o f (t : tensor) i :
    table S o f = Some t -> in_box (dims t) i = true -> o = Some (dims t) /\ at_ t i = f (dims t) i.
  Proof.
    unfold table. destruct o as [ds |]; [| discriminate]. intros H. injection H as <-. intros I.
    split; [reflexivity | now apply get_tabulate].
  Qed.

  (** With the sizes given by an equation. *)
  Lemma table_of o f (t : tensor) ds : table S o f = Some t -> o = Some ds -> t = tabulate ds (f ds).
  Proof. intros H ->. now injection H. Qed.

  Theorem map1_formula f (x y : tensor) i :
    map1 S f x = Some y -> in_box (dims x) i = true -> dims y = dims x /\ at_ y i = f (at_ x i).
  Proof.
    intros H I. injection H as <-. split; [reflexivity |]. unfold Ops.at_ at 1. now rewrite get_tabulate.
  Qed.

  Theorem map2_formula f (x y z : tensor) i :
    dims x = dims y -> map2 S f x y = Some z -> in_box (dims x) i = true ->
    dims z = dims x /\ at_ z i = f (at_ x i) (at_ y i).
  Proof.
    intros D H I. pose proof (table_of _ _ _ (dims x) H) as E. rewrite <- D in E.
    rewrite (E (broadcast_same _)). split; [reflexivity |].
    unfold Ops.at_ at 1. rewrite get_tabulate by exact I. unfold spread_at. rewrite <- D. now rewrite spread_same.
  Qed.

  Theorem conv_formula w g (x f b y : tensor) n o i :
    conv S w g x f (Some b) = Some y -> in_box (dims y) (n :: o :: i) = true ->
    at_ y (n :: o :: i) =
    s_add S
      (s_sum S (tl (dims f)) (fun k =>
         let c := (o / Z.of_nat (nth 0 (dims f) 0%nat / g) * Z.of_nat (nth 1 (dims f) 0%nat) + nth 0 k 0)%Z in
         let j := n :: c :: window_at (strides w) (dilations w) (pads_before w) i (tl k) in
         if in_box (dims x) j then s_mul S (at_ x j) (at_ f (o :: k)) else s_zero S))
      (at_ b [o]).
  Proof. intros H I. now destruct (at_table _ _ _ _ H I) as [_ ->]. Qed.

  Theorem conv_formula_plain w g (x f y : tensor) n o i :
    conv S w g x f None = Some y -> in_box (dims y) (n :: o :: i) = true ->
    at_ y (n :: o :: i) = s_sum S (tl (dims f)) (conv_term S w g x f n o i).
  Proof. intros H I. now destruct (at_table _ _ _ _ H I) as [_ ->]. Qed.

  Theorem matmul_formula m k n (a b y : tensor) i j :
    dims a = [m; k] -> dims b = [k; n] -> matmul S a b = Some y -> in_box [m; n] [i; j] = true ->
    dims y = [m; n] /\
    at_ y [i; j] = s_sum S [k] (fun l => s_mul S (at_ a (i :: l)) (at_ b (l ++ [j]))).
  Proof.
    intros A B H I. unfold matmul in H. rewrite A, B in H. cbn [matmul_left matmul_right rev app] in H.
    assert (matmul_dims [m; k] [k; n] = Some [m; n]) as D by (unfold matmul_dims; simpl; now rewrite Nat.eqb_refl).
    rewrite (table_of _ _ _ _ H D). split; [reflexivity |].
    unfold Ops.at_ at 1. rewrite get_tabulate by exact I. reflexivity.
  Qed.
End Formulas.
