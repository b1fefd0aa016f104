(** * Headline theorems: tensors and the meaning of the operators *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import attr.Attr.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsWindow tensor.OpTable tensor.Instances.
From Calque Require tensor.Infer tensor.Formulas.
Import ListNotations.

(** Tensors are their cells: equal on the box is equal. *)
Theorem tabulate_ext :
  forall S ds (f g : list Z -> S),
    (forall i, in_box ds i = true -> f i = g i) -> tabulate ds f = tabulate ds g.
Proof. exact @Tensor.tabulate_ext. Qed.

Theorem get_tabulate :
  forall S default ds (f : list Z -> S) i,
    in_box ds i = true -> get default (tabulate ds f) i = f i.
Proof. exact @Tensor.get_tabulate. Qed.

Theorem tensor_ext :
  forall S default (t u : tensor S),
    good t -> good u -> dims t = dims u ->
    (forall i, in_box (dims t) i = true -> get default t i = get default u i) -> t = u.
Proof. exact @Tensor.tensor_ext. Qed.

(** What a reshape does: the cell at the same row-major place. *)
Theorem get_recast :
  forall S default ds (t u : tensor S) i,
    good t -> recast ds t = Some u -> in_box ds i = true ->
    get default u i = get default t (index_at (dims t) (position ds i)).
Proof. exact @Tensor.get_recast. Qed.

(** ** Type rules *)

(** The value of an operator has the inferred sizes, over any scalars. *)
Theorem infer_sound :
  forall S name l vs v,
    op_value S name l vs = Some v -> op_infer name l (map (map_value dims) vs) = Some (map_value dims v).
Proof. exact Infer.infer_sound. Qed.

(** Inputs whose sizes are accepted have a value; but the indices of a Gather may be outside. *)
Theorem infer_complete :
  forall S name l vs s,
    Forall Infer.good_value vs -> name <> "Gather"%string ->
    op_infer name l (map (map_value dims) vs) = Some s -> exists v, op_value S name l vs = Some v.
Proof. exact Infer.infer_complete. Qed.

(** Values have as many cells as their sizes say. *)
Theorem op_value_good :
  forall S name l vs v,
    Forall Infer.good_value vs -> op_value S name l vs = Some v -> Infer.good_value v.
Proof. exact Infer.op_value_good. Qed.

(** ** What the operators compute, as formulas *)

(** Y[n,o,y..] = sum(c,k..) X[n, o / (O/g) * C' + c, y*s + k*d - p ..] * W[o,c,k..] + B[o], a
    term being 0 where the index lies outside of X; for any number of spatial dimensions. *)
Theorem conv_formula :
  forall S w g (x f b y : tensor (num S)) n o i,
    conv S w g x f (Some b) = Some y -> in_box (dims y) (n :: o :: i) = true ->
    at_ S y (n :: o :: i) =
    s_add S
      (s_sum S (tl (dims f)) (fun k =>
         let c := (o / Z.of_nat (nth 0 (dims f) 0%nat / g) * Z.of_nat (nth 1 (dims f) 0%nat) + nth 0 k 0)%Z in
         let j := n :: c :: window_at (strides w) (dilations w) (pads_before w) i (tl k) in
         if in_box (dims x) j then s_mul S (at_ S x j) (at_ S f (o :: k)) else s_zero S))
      (at_ S b [o]).
Proof. exact Formulas.conv_formula. Qed.

(** A matrix product: Y[i,j] = sum(k) A[i,k] * B[k,j]. *)
Theorem matmul_formula :
  forall S m k n (a b y : tensor (num S)) i j,
    dims a = [m; k] -> dims b = [k; n] -> matmul S a b = Some y -> in_box [m; n] [i; j] = true ->
    dims y = [m; n] /\
    at_ S y [i; j] = s_sum S [k] (fun l => s_mul S (at_ S a (i :: l)) (at_ S b (l ++ [j]))).
Proof. exact Formulas.matmul_formula. Qed.

(** An elementwise operator of two inputs of the same sizes. *)
Theorem map2_formula :
  forall S f (x y z : tensor (num S)) i,
    dims x = dims y -> map2 S f x y = Some z -> in_box (dims x) i = true ->
    dims z = dims x /\ at_ S z i = f (at_ S x i) (at_ S y i).
Proof. exact Formulas.map2_formula. Qed.

(** The integers have the laws that rules of class ring ask for: rules are refuted over them. *)
Theorem integers_ring : ring_laws integers.
Proof. exact Instances.integers_ring. Qed.
