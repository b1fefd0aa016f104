(** * GlobalMaxPool

    Y[n, c, 0, .., 0] is the greatest of X[n, c, ..], in the form of all opsets.  A tensor of rank less than 3, or without
    cells, is left as it is. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.OpTable onnx.Composition onnx.Steps.
From Calque Require tensor.Instances.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** The formula *)

Definition onnx_global_max_pool (S : arith) (x : tensor (num S)) : option (tensor (num S)) :=
  table S (global_pool_dims (dims x)) (fun _ i => s_greatest S (skipn 2 (dims x)) (fun k => at_ S x (firstn 2 i ++ k))).

(** ** The composition: MaxPool of which the window is the whole image *)

Definition whole_window (spatial : sizes) : attributes :=
  let n := List.length spatial in
  [("kernel_shape", nats_value spatial); ("strides", nats_value (repeat 1 n)); ("pads", nats_value (repeat 0 (2 * n)));
   ("dilations", nats_value (repeat 1 n)); ("ceil_mode", VInt 0)].

Definition is_image (ds : sizes) : bool := (3 <=? List.length ds) && forallb (Nat.ltb 0) ds.

Definition global_max_pool_composition (ds : sizes) : option (build nat) :=
  guard (is_image ds) (Some (apply "MaxPool" (whole_window (skipn 2 ds)) [0])).

(** ** Windows that are the whole image *)

Definition whole (n : nat) : window := Window (repeat 1 n) (repeat 1 n) (repeat 0 (2 * n)).

Lemma pads_before_whole n : pads_before (whole n) = repeat 0 n.
Proof.
  unfold pads_before, whole. cbn [strides pads]. rewrite repeat_length. replace (2 * n) with (n + n) by lia.
  rewrite repeat_app, firstn_app, repeat_length, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r. apply firstn_all2.
  rewrite repeat_length. lia.
Qed.

Lemma pads_after_whole n : pads_after (whole n) = repeat 0 n.
Proof.
  unfold pads_after, whole. cbn [strides pads]. rewrite repeat_length. replace (2 * n) with (n + n) by lia.
  rewrite repeat_app, skipn_app, repeat_length, Nat.sub_diag. now rewrite skipn_all2 by (rewrite repeat_length; lia).
Qed.

Lemma extent_one k : 0 < k -> extent k 1 = k.
Proof. unfold extent. lia. Qed.

Lemma whole_counts ns : forallb (Nat.ltb 0) ns = true -> let n := List.length ns in
  window_counts false ns ns (repeat 1 n) (repeat 1 n) (repeat 0 n) (repeat 0 n) = Some (map (fun _ => 1) ns).
Proof.
  intros P. cbv zeta. induction ns as [| n ns IH]; [reflexivity |]. cbn [forallb] in P. apply andb_true_iff in P.
  destruct P as [p P]. apply Nat.ltb_lt in p. cbn [List.length repeat window_counts map]. rewrite (IH P).
  unfold window_count. rewrite extent_one, !Nat.add_0_r, Nat.ltb_irrefl, Nat.sub_diag by exact p. reflexivity.
Qed.

Lemma whole_inside ns : forallb (Nat.ltb 0) ns = true ->
  forallb (fun ekd : nat * (nat * nat) => match ekd with (p, (k, d)) => p <? extent k d end)
    (combine (repeat 0 (List.length ns)) (combine ns (repeat 1 (List.length ns)))) = true.
Proof.
  intros P. induction ns as [| n ns IH]; [reflexivity |]. cbn [forallb] in P. apply andb_true_iff in P.
  destruct P as [p P]. apply Nat.ltb_lt in p. cbn [List.length repeat combine forallb]. rewrite (IH P), andb_true_r.
  apply Nat.ltb_lt. rewrite extent_one; lia.
Qed.

Lemma forallb_repeat {A} (f : A -> bool) a n : f a = true -> forallb f (repeat a n) = true.
Proof. intros E. induction n as [| n IH]; [reflexivity |]. cbn [repeat forallb]. now rewrite E. Qed.

Lemma whole_pool_dims n c ns : 0 < List.length ns -> forallb (Nat.ltb 0) ns = true ->
  pool_dims false (whole (List.length ns)) ns (n :: c :: ns) = Some (n :: c :: map (fun _ => 1) ns).
Proof.
  intros L P. unfold pool_dims. rewrite (proj2 (Nat.ltb_lt 0 _) L), pads_before_whole, pads_after_whole.
  cbn [dilations whole]. rewrite whole_inside by exact P. cbn [andb guard]. unfold spatial_dims, window_ok.
  rewrite pads_before_whole, pads_after_whole. cbn [strides dilations pads whole].
  rewrite !repeat_length, !Nat.eqb_refl, !forallb_repeat, P by reflexivity. cbn [andb guard]. now rewrite whole_counts.
Qed.

Lemma whole_at ns : forall u y, in_box ns u = true -> in_box (map (fun _ => 1) ns) y = true ->
  let n := List.length ns in window_at (repeat 1 n) (repeat 1 n) (repeat 0 n) y u = u.
Proof.
  induction ns as [| n ns IH]; intros [| a u] [| b y] U Y; try discriminate; [reflexivity |].
  apply in_box_cons in U. destruct U as [_ U]. cbn [map] in Y. apply in_box_cons in Y. destruct Y as [B Y].
  cbn [List.length repeat window_at]. f_equal; [lia | apply (IH u y U Y)].
Qed.

Section GlobalMaxPool.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.

  Theorem global_max_pool_correct (x : tensor (num S)) b : global_max_pool_composition (dims x) = Some b ->
    exists y, composed S typed b [x] = Some y /\ onnx_global_max_pool S x = Some y.
  Proof.
    unfold global_max_pool_composition, guard. destruct (is_image (dims x)) eqn:I; [| discriminate]. intros E. injection E as <-.
    unfold is_image in I. apply andb_true_iff in I. destruct I as [R P].
    destruct (dims x) as [| n [| c ns]] eqn:D; try discriminate. cbn [List.length] in R. apply Nat.leb_le in R.
    cbn [forallb] in P. rewrite !andb_true_iff in P. destruct P as (_ & _ & P). cbn [skipn].
    assert (0 < List.length ns) as L by lia.
    exists (tabulate (n :: c :: map (fun _ => 1) ns) (fun i => s_greatest S ns (fun k => at_ S x (firstn 2 i ++ k)))). split.
    2: { unfold onnx_global_max_pool, table, global_pool_dims. rewrite D, (proj2 (Nat.ltb_lt 0 _) L). reflexivity. }
    apply runs_composed. eapply runs_weaken.
    { apply (runs_apply S typed [GTensor x] _ _ [0] [GTensor x]
        (GTensor (tabulate (n :: c :: map (fun _ => 1) ns) (fun i => s_greatest S ns (fun k => at_ S x (firstn 2 i ++ k))))));
        [repeat constructor |].
      transitivity (one (let? (w, k, c) := (let? w := (let? ss := shape_of (nats_value (repeat 1 (List.length ns))) in
          let? ps := shape_of (nats_value (repeat 0 (2 * List.length ns))) in
          let? ds := shape_of (nats_value (repeat 1 (List.length ns))) in Some (Window ss ds ps)) in
        let? kernel := shape_of (nats_value ns) in Some (w, kernel, false)) in max_pool S c w k x)); [reflexivity |].
      rewrite !shape_of_nats. unfold max_pool. rewrite D. change (Window _ _ _) with (whole (List.length ns)).
      rewrite whole_pool_dims by assumption. unfold table, one. do 2 f_equal. apply tabulate_ext. intros i Ii.
      destruct i as [| a [| d y]]; [discriminate | now destruct (n :: c :: ns); apply in_box_cons in Ii |].
      apply s_greatest_ext. intros u U. unfold window_cell, place. rewrite pads_before_whole. cbn [strides dilations whole].
      apply in_box_cons in Ii. destruct Ii as [A Ii]. apply in_box_cons in Ii. destruct Ii as [B Y].
      rewrite (whole_at ns u y U Y). cbn [firstn app].
      replace (in_box (dims x) (a :: d :: u)) with true; [reflexivity |]. rewrite D. symmetry.
      apply in_box_cons. split; [exact A |]. now apply in_box_cons. }
    intros ws k _ K. exact K.
  Qed.
End GlobalMaxPool.

Example global_max_pool_example :
  option_map (fun b => composed Instances.integers (typed _) b [Tensor [1; 2; 2; 3] [1; 5; 3; 4; 2; 0; -7; -5; -6; -9; -8; -7]%Z])
    (global_max_pool_composition [1; 2; 2; 3]) =
  Some (Some (Tensor [1; 2; 1; 1] [5; -5]%Z)).
Proof. vm_compute. reflexivity. Qed.
