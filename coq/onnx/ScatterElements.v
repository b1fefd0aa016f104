(** * ScatterElements

    X, in which cells are updated: each update goes to the cell at its own place but along one axis, where the index says which;
    the updates go in one after the other, in row-major order.  With no reduction they replace, so that of two of one cell the
    later one holds; else they are added to, multiplied by, or the greater or lesser one of what is there.  The composition
    (c/onnx/expand_scatter.c), of constant indices, takes the cells as rows of one cell ([ScatteredRows]).  All reductions,
    over any numbers, at every opset from 11 on (and Scatter before that); cells that are updated more than 65 times, with
    a reduction, stay ScatterElements. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Instances tensor.Mixed.
From Calque Require Import onnx.Composition onnx.Steps onnx.Reduced onnx.ScatteredRows.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

(** Where the update at [k] goes; [l] are the indices, of sizes [q], in row-major order. *)
Definition goes_to (axis : nat) (ds q : sizes) (l : list Z) (k : list Z) : list Z :=
  set_nth axis (from_end (nth axis ds 0) (nth (position q k) l 0%Z)) k.

(** Inside of X but along the axis, where the indices have to be. *)
Definition element_scatters (axis : nat) (ds q us : sizes) (l : list Z) : bool :=
  sizes_eqb us q && (length q =? length ds) && (length l =? cell_count q) &&
  forallb (fun k => (k =? axis) || (nth k q 0 <=? nth k ds 0)) (seq 0 (length ds)) &&
  forallb (fun z => let j := from_end (nth axis ds 0) z in (0 <=? j)%Z && (j <? Z.of_nat (nth axis ds 0%nat))%Z) l.

Definition onnx_scatter_elements (S : arith) (red : reduction) (axis : Z) (q : sizes) (l : list Z) (x u : tensor (num S)) :
    option (tensor (num S)) :=
  let? a := axis_of (length (dims x)) (length (dims x)) axis in
  guard (element_scatters a (dims x) q (dims u) l) (table S (Some (dims x)) (fun _ i =>
    fold_left (fun c k => if index_eqb (goes_to a (dims x) q l k) i then reduced_by S red c (at_ S u k) else c)
      (box q) (at_ S x i))).

(** ** The composition *)

Definition scatter_elements_composition (red : reduction) (axis : Z) (q : sizes) (l : list Z) (ds us : sizes) :
    option (build nat) :=
  let? a := axis_of (length ds) (length ds) axis in
  if element_scatters a ds q us l then
    scattered red (cell_count ds) 1 (map (fun k => position ds (goes_to a ds q l k)) (box q)) ds us
  else None.

(** ** It computes the formula *)

Lemma axis_of_lt r z a : axis_of r r z = Some a -> a < r.
Proof.
  unfold axis_of. destruct (_ && _) eqn:E; [| discriminate]. intros F. injection F as <-.
  rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in E. destruct (Z.ltb_spec z 0); lia.
Qed.

Lemma goes_inside axis ds q us l k : axis < length ds -> element_scatters axis ds q us l = true -> in_box q k = true ->
  in_box ds (goes_to axis ds q l k) = true.
Proof.
  intros lt E I. unfold element_scatters in E. rewrite !andb_true_iff, !forallb_forall in E.
  destruct E as [[[[_ Lq] Ll] Inside] Named]. apply Nat.eqb_eq in Lq, Ll. pose proof (position_lt _ _ I) as P.
  apply in_box_nth in I. destruct I as [Lk I]. apply in_box_nth. unfold goes_to. rewrite set_nth_length.
  split; [lia |]. intros j J. destruct (Nat.eq_dec j axis) as [-> | ne].
  - rewrite nth_set_same by lia. specialize (Named (nth (position q k) l 0%Z) ltac:(apply nth_In; lia)). lia.
  - rewrite nth_set_other by exact ne. specialize (I j ltac:(lia)). specialize (Inside j ltac:(apply in_seq; lia)).
    apply orb_true_iff in Inside. rewrite Nat.eqb_eq, Nat.leb_le in Inside. lia.
Qed.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis counted : forall n : nat, (N.of_nat n <= 2 * most_rows)%N ->
    s_index S (typed i64_code (LInt (Z.of_nat n))) = Some (Z.of_nat n).
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Theorem scatter_elements_correct red axis q l (x u : tensor) b : good x -> good u ->
    scatter_elements_composition red axis q l (dims x) (dims u) = Some b ->
    exists y, onnx_scatter_elements S red axis q l x u = Some y /\ composed S typed b [x; u] = Some y.
  Proof.
    intros Gx Gu B. unfold scatter_elements_composition in B. unfold onnx_scatter_elements.
    set (ds := dims x) in *. destruct (axis_of (length ds) (length ds) axis) as [a |] eqn:A; [| discriminate].
    apply axis_of_lt in A. destruct (element_scatters a ds q (dims u) l) eqn:Sc; [| discriminate].
    pose proof (fun k => goes_inside a ds q (dims u) l k A Sc) as Inside.
    set (rs := map (fun k => position ds (goes_to a ds q l k)) (box q)) in *.
    assert (Us : dims u = q) by (unfold element_scatters in Sc; rewrite !andb_true_iff in Sc; now apply sizes_eqb_iff).
    assert (Lrs : length rs = cell_count q) by (unfold rs; now rewrite map_length, length_box).
    eexists. split; [reflexivity |]. erewrite (scattered_runs S typed counted red _ _ rs x u b); try eassumption.
    - f_equal. fold ds. apply tabulate_ext. intros i I. cbv zeta.
      rewrite Nat.div_1_r, Nat.mod_1_r, box_as_seq, fold_left_map, Lrs. apply fold_left_ext_in. intros c k Ik. apply in_seq in Ik.
      destruct (index_at_spec q k ltac:(lia)) as [Bk Pk].
      replace (nth k rs 0) with (position ds (goes_to a ds q l (index_at q k))).
      2: { unfold rs. rewrite (nth_map_lt _ (box q) k [] 0) by (rewrite length_box; lia).
           rewrite <- Pk at 2. now rewrite nth_box. }
      assert (index_eqb (goes_to a ds q l (index_at q k)) i = (position ds (goes_to a ds q l (index_at q k)) =? position ds i))
        as -> by (apply index_eqb_position; auto).
      destruct (_ =? _); [| reflexivity]. f_equal. unfold Ops.at_, get. rewrite Us, Bk, Pk. f_equal. lia.
    - fold ds. lia.
    - rewrite Lrs, Us. lia.
    - intros r I. apply in_map_iff in I. destruct I as (k & <- & I). now apply position_lt, Inside, in_box_box.
  Qed.
End Correct.

Corollary scatter_elements_mixed red axis q l (x u : tensor (num (mixed standard))) b : good x -> good u ->
  scatter_elements_composition red axis q l (dims x) (dims u) = Some b ->
  exists y, onnx_scatter_elements (mixed standard) red axis q l x u = Some y /\
    composed (mixed standard) (Steps.typed (mixed standard)) b [x; u] = Some y.
Proof. exact (scatter_elements_correct (mixed standard) _ mixed_counts red axis q l x u b). Qed.

(** ** An instance: the last column gets two updates, which are multiplied *)

Example scatter_elements_example :
  let x := Tensor [2; 3] [1; 2; 3; 4; 5; 6]%Z in let u := Tensor [2; 2] [10; 11; 20; 21]%Z in
  let typed (_ : Z) c := literal_value integers c in let l := [2; -1; 0; 1]%Z in
  option_map (fun b => composed integers typed b [x; u]) (scatter_elements_composition ByMul 1 [2; 2] l [2; 3] [2; 2]) =
    Some (Some (Tensor [2; 3] [1; 2; 330; 80; 105; 6]%Z)) /\
  onnx_scatter_elements integers ByMul 1 [2; 2] l x u = Some (Tensor [2; 3] [1; 2; 330; 80; 105; 6]%Z).
Proof. split; reflexivity. Qed.
