(** * ScatterND

    X, in which slices are updated: each index names a slice by its first dimensions, and the updates go in one after the other.
    With no reduction they replace, so that of two of one slice the later one holds; else they are added to, multiplied by, or
    the greater or lesser one of what is there.  The composition (c/onnx/expand_scatter.c), of constant indices, takes the slices
    as rows ([ScatteredRows]).  All reductions, over any numbers, at every opset from 11 on; slices that are updated more than 65
    times, with a reduction, stay ScatterND. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Instances tensor.Mixed.
From Calque Require Import onnx.Composition onnx.Steps onnx.Reduced onnx.ScatteredRows.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

Definition named_index (ds : sizes) (l : list Z) : list Z := map (fun dz => from_end (fst dz) (snd dz)) (combine ds l).

(** [batch]: the sizes of the indices but the last one, [named]; [rows] are the indices, in row-major order. *)
Definition scatters (named : nat) (batch : sizes) (rows : list (list Z)) (ds us : sizes) : bool :=
  (1 <=? named) && (named <=? length ds) && sizes_eqb us (batch ++ skipn named ds) && (length rows =? cell_count batch) &&
  forallb (fun l => (length l =? named) && in_box (firstn named ds) (named_index (firstn named ds) l)) rows.

Definition onnx_scatter_nd (S : arith) (red : reduction) (named : nat) (batch : sizes) (rows : list (list Z))
    (x u : tensor (num S)) : option (tensor (num S)) :=
  guard (scatters named batch rows (dims x) (dims u)) (table S (Some (dims x)) (fun _ i =>
    fold_left (fun a k =>
        if index_eqb (named_index (firstn named (dims x)) (nth (position batch k) rows [])) (firstn named i)
        then reduced_by S red a (at_ S u (k ++ skipn named i)) else a)
      (box batch) (at_ S x i))).

(** ** The composition *)

Definition scatter_nd_composition (red : reduction) (named : nat) (batch : sizes) (rows : list (list Z)) (ds us : sizes) :
    option (build nat) :=
  let d := firstn named ds in
  let rs := map (fun l => position d (named_index d l)) rows in
  if scatters named batch rows ds us then scattered red (cell_count d) (cell_count (skipn named ds)) rs ds us else None.

(** ** It computes the formula *)

Lemma quotient_and_rest a b n : b < n -> (a * n + b) / n = a /\ (a * n + b) mod n = b.
Proof.
  intros lt. rewrite Nat.add_comm. split; [rewrite Nat.div_add by lia; now rewrite Nat.div_small |].
  rewrite Nat.mod_add by lia. now apply Nat.mod_small.
Qed.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis counted : forall n : nat, (N.of_nat n <= 2 * most_rows)%N ->
    s_index S (typed i64_code (LInt (Z.of_nat n))) = Some (Z.of_nat n).
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Theorem scatter_nd_correct red named batch rows (x u : tensor) b : good x -> good u ->
    scatter_nd_composition red named batch rows (dims x) (dims u) = Some b ->
    exists y, onnx_scatter_nd S red named batch rows x u = Some y /\ composed S typed b [x; u] = Some y.
  Proof.
    intros Gx Gu B. unfold scatter_nd_composition in B. unfold onnx_scatter_nd.
    set (ds := dims x) in *. set (d := firstn named ds) in *. set (inner := cell_count (skipn named ds)) in *.
    set (rs := map (fun l => position d (named_index d l)) rows) in *. unfold guard.
    destruct (scatters named batch rows ds (dims u)) eqn:Sc; [| discriminate].
    unfold scatters in Sc. rewrite !andb_true_iff, forallb_forall in Sc. destruct Sc as [[[_ Us] Len] Rows].
    apply Nat.eqb_eq in Len. apply sizes_eqb_iff in Us.
    assert (Named : forall l, In l rows -> in_box d (named_index d l) = true).
    { intros l I. specialize (Rows l I). now apply andb_true_iff in Rows. }
    assert (Lrs : length rs = cell_count batch) by (unfold rs; now rewrite map_length).
    eexists. split; [reflexivity |]. erewrite (scattered_runs S typed counted red _ _ rs x u b); try eassumption.
    - f_equal. fold ds. apply tabulate_ext. intros i I. cbv zeta. fold inner.
      assert (Id : in_box d (firstn named i) = true) by now apply in_box_firstn.
      assert (Is : in_box (skipn named ds) (skipn named i) = true) by now apply in_box_skipn.
      set (p := position (skipn named ds) (skipn named i)).
      assert (Pi : position ds i = position d (firstn named i) * inner + p).
      { unfold p, inner. rewrite <- position_app by (now apply in_box_length). unfold d. now rewrite !firstn_skipn. }
      destruct (quotient_and_rest (position d (firstn named i)) p inner (position_lt _ _ Is)) as [Q M].
      rewrite Pi, Q, M, box_as_seq, fold_left_map, Lrs. apply fold_left_ext_in. intros a k Ik. apply in_seq in Ik.
      destruct (index_at_spec batch k ltac:(lia)) as [Bk Pk]. rewrite Pk.
      assert (In (nth k rows []) rows) as Row by (apply nth_In; lia).
      replace (nth k rs 0) with (position d (named_index d (nth k rows [])))
        by (symmetry; apply (nth_map_lt (fun l => position d (named_index d l)) rows k [] 0); lia).
      assert (index_eqb (named_index d (nth k rows [])) (firstn named i) =
              (position d (named_index d (nth k rows [])) =? position d (firstn named i))) as ->
        by (apply index_eqb_position; auto).
      destruct (_ =? _); [| reflexivity]. f_equal. unfold Ops.at_, get. rewrite Us.
      rewrite in_box_app, Bk, Is by (now apply in_box_length). cbn [andb].
      now rewrite position_app, Pk by (now apply in_box_length).
    - unfold inner, d. rewrite <- cell_count_app. now rewrite firstn_skipn.
    - rewrite Lrs, Us, cell_count_app. reflexivity.
    - intros r I. apply in_map_iff in I. destruct I as (l & <- & I). now apply position_lt, Named.
  Qed.
End Correct.

Corollary scatter_nd_mixed red named batch rows (x u : tensor (num (mixed standard))) b : good x -> good u ->
  scatter_nd_composition red named batch rows (dims x) (dims u) = Some b ->
  exists y, onnx_scatter_nd (mixed standard) red named batch rows x u = Some y /\
    composed (mixed standard) (Steps.typed (mixed standard)) b [x; u] = Some y.
Proof. exact (scatter_nd_correct (mixed standard) _ mixed_counts red named batch rows x u b). Qed.

(** ** Instances: of two updates of the last row the later one holds, or both are added *)

Section Instances.
  Let x := Tensor [3; 2] [1; 2; 3; 4; 5; 6]%Z.
  Let u := Tensor [3; 2] [10; 11; 20; 21; 30; 31]%Z.
  Let typed (_ : Z) c := literal_value integers c.
  Let rows := [[2]; [0]; [-1]]%Z.

  Example scatter_nd_example :
    option_map (fun b => composed integers typed b [x; u]) (scatter_nd_composition ByNone 1 [3] rows [3; 2] [3; 2]) =
      Some (Some (Tensor [3; 2] [20; 21; 3; 4; 30; 31]%Z)) /\
    onnx_scatter_nd integers ByNone 1 [3] rows x u = Some (Tensor [3; 2] [20; 21; 3; 4; 30; 31]%Z).
  Proof. split; reflexivity. Qed.

  Example scatter_nd_adds :
    option_map (fun b => composed integers typed b [x; u]) (scatter_nd_composition ByAdd 1 [3] rows [3; 2] [3; 2]) =
      Some (Some (Tensor [3; 2] [21; 23; 3; 4; 45; 48]%Z)) /\
    onnx_scatter_nd integers ByAdd 1 [3] rows x u = Some (Tensor [3; 2] [21; 23; 3; 4; 45; 48]%Z).
  Proof. split; reflexivity. Qed.
End Instances.
