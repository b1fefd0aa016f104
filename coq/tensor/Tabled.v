(** * Operators whose cells share work: that work done once

    The meaning of an operator gives each cell by itself.  Where cells share a count or a mean,
    that makes the oracle take squares of the time.  Here what they share is computed before the
    cells; [Extract.v] takes these functions for the others, to which they are equal. *)

From Coq Require Import Bool List Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsNorm tensor.OpsWindow tensor.OpNormProof.
Import ListNotations.
Open Scope nat_scope.

Section Tabled.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).

  (** Whether all windows count whole is asked once. *)
  Definition average_pool_tabled (ceil include : bool) (w : window) (kernel : sizes) (x : tensor) : option tensor :=
    let ns := skipn 2 (dims x) in
    table S (pool_dims ceil w kernel (dims x))
      (fun out =>
         let whole := forallb (fun y => forallb (counted w include ns y) (box kernel)) (box (skipn 2 out)) in
         fun i => s_div S (s_sum S kernel (window_cell S w x (s_zero S) i))
                    (if whole then s_int S (Z.of_nat (cell_count kernel))
                     else s_sum S kernel (fun u => if counted w include ns (skipn 2 i) u then s_one S else s_zero S))).

  Theorem average_pool_tabled_eq ceil include w kernel x :
    average_pool_tabled ceil include w kernel x = average_pool S ceil include w kernel x.
  Proof. reflexivity. Qed.

  (** Mean and root of the variance are those of all cells with the same unmarked index. *)
  Definition centre (m : list bool) (epsilon : N) (x : tensor) (rest : list Z) : num * num :=
    let ns := marked m (dims x) in
    let cell k := at_ x (weave m k rest) in
    (mean_of S ns cell, s_sqrt S (s_add S (variance_of S ns cell) (s_real S epsilon))).

  Definition instance_norm_tabled (epsilon : N) (x g b : tensor) : option tensor :=
    let m := map (Nat.leb 2) (seq 0 (length (dims x))) in
    let centres := tabulate (unmarked m (dims x)) (centre m epsilon x) in
    table S (per_channel_dims 3 (dims x) (dims g) (dims b))
      (fun _ i =>
         let (mean, root) := get (s_zero S, s_zero S) centres (unmarked m i) in
         scale_channel S g b i (s_div S (s_sub S (at_ x i) mean) root)).

  Theorem instance_norm_tabled_eq epsilon x g b : instance_norm_tabled epsilon x g b = instance_norm S epsilon x g b.
  Proof.
    unfold instance_norm_tabled, instance_norm, table. destruct (per_channel_dims 3 _ _ _) as [ds |] eqn:D; [| reflexivity].
    assert (ds = dims x) as ->.
    { unfold per_channel_dims, guard in D. destruct (channels (dims x)); [| discriminate].
      destruct (_ && _) in D; congruence. }
    f_equal. apply tabulate_ext. intros i I. rewrite get_tabulate by now apply in_box_unmarked. reflexivity.
  Qed.
End Tabled.
