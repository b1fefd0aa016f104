(** * A tensor in memory: trees, paths and row-major places

    The kernels' tensors are functions of index tuples, those of functional programs trees,
    those of mini-C flat arrays.  The path of an index leads to its cell in the tree, and its
    offset is the row-major position. *)

From Coq Require Import Bool List Arith ZArith Lia.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Lower kernel.LowerProof.
From Calque Require Import tensor.Tensor.
From Calque Require dpia.Syntax dpia.Values emit.Flat.
Import ListNotations.
Open Scope nat_scope.

Section Paths.
  Variable S : scalars.
  Notation A := (scalar_algebra S).
  Notation N := Syntax.numbers.
  Notation leaf := (@Values.leaf N Syntax.numbers_sizing).
  Notation has_type := (@Values.has_type A N Syntax.numbers_sizing).
  Notation offset := (@Flat.offset N Syntax.numbers_sizing).

  Definition path_of (i : list Z) : Values.path := map (fun z => Values.At (Z.to_nat z)) i.

  Lemma cells_array d : @Flat.cells N Syntax.numbers_sizing (array d) = cell_count d.
  Proof. induction d as [| n d IH]; [reflexivity |]. cbn. rewrite IH. reflexivity. Qed.

  Lemma leaf_path d : forall p, leaf (array d) p -> exists i, in_box d i = true /\ p = path_of i.
  Proof.
    induction d as [| n d IH]; intros p lf.
    - destruct p as [| [k | |] p]; cbn in lf; try contradiction. now exists [].
    - destruct p as [| [k | |] p]; cbn in lf; try contradiction. destruct lf as [lt lf].
      destruct (IH p lf) as (i & I & ->). exists (Z.of_nat k :: i). split.
      + apply in_box_cons. split; [| exact I]. unfold Syntax.count in lt. cbn in lt. lia.
      + unfold path_of. cbn [map]. now rewrite Nat2Z.id.
  Qed.

  Lemma path_leaf d : forall i, in_box d i = true -> leaf (array d) (path_of i).
  Proof.
    induction d as [| n d IH]; intros [| z i] I; try discriminate; [exact Logic.I |].
    apply in_box_cons in I. destruct I as [r I]. cbn. split; [| now apply IH].
    unfold Syntax.count. cbn. lia.
  Qed.

  Lemma offset_path d : forall i, in_box d i = true -> offset (array d) (path_of i) = position d i.
  Proof.
    induction d as [| n d IH]; intros [| z i] I; try discriminate; [reflexivity |].
    apply in_box_cons in I. destruct I as [_ I]. unfold path_of in *. cbn.
    now rewrite (IH i I), cells_array.
  Qed.

  Lemma look_tree d : forall (x : Kernel.tensor S) i, in_box d i = true ->
    Values.look (tree S d x) (path_of i) = Some (x i).
  Proof.
    induction d as [| n d IH]; intros x [| z i] I; try discriminate; [reflexivity |].
    apply in_box_cons in I. destruct I as [r I]. unfold path_of in *. cbn. rewrite nth_error_map.
    assert (lt : Z.to_nat z < n) by lia.
    rewrite (nth_error_nth' (seq 0 n) 0) by now rewrite seq_length. rewrite seq_nth by exact lt.
    cbn [option_map Nat.add]. rewrite (IH _ i I). now rewrite Z2Nat.id by lia.
  Qed.

  Lemma tree_typed d : forall x : Kernel.tensor S, has_type (array d) (tree S d x).
  Proof.
    induction d as [| n d IH]; intros x; [exact Logic.I |]. cbn. rewrite map_length, seq_length.
    split; [reflexivity |]. intros i w E. rewrite nth_error_map in E.
    destruct (nth_error (seq 0 n) i); [| discriminate]. injection E as <-. apply IH.
  Qed.
End Paths.
