(** * DepthToSpace and SpaceToDepth

    Blocks of k by k places become channels, and back.  DepthToSpace: Y[n, c, i, j] = X[n, d, i / k, j / k], where d is
    ((i mod k) * k + j mod k) * C + c of C channels of Y (mode DCR), or (c * k + i mod k) * k + j mod k (mode CRD, opset 11 on).
    SpaceToDepth is the inverse of DCR: Y[n, (p * k + q) * C + c, i, j] = X[n, c, i * k + p, j * k + q] of C channels of X. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable onnx.Composition onnx.Steps.
From Calque Require tensor.Instances.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** The formulas *)

Definition block_ok (k : nat) : bool := (1 <=? k) && (N.of_nat k <=? 32768)%N.

Definition depth_at (crd : bool) (k c : Z) (i : list Z) : list Z :=
  match i with
  | [n; d; a; b] =>
      let row := a mod k in
      let col := b mod k in
      [n; if crd then (d * k + row) * k + col else (row * k + col) * c + d; a / k; b / k]
  | _ => i
  end%Z.

Definition onnx_depth_to_space (S : arith) (crd : bool) (k : nat) (x : tensor (num S)) : option (tensor (num S)) :=
  match dims x with
  | [n; d; h; w] =>
      let c := d / (k * k) in
      guard (block_ok k && (d mod (k * k) =? 0)) (table S (Some [n; c; h * k; w * k])
        (fun _ i => at_ S x (depth_at crd (Z.of_nat k) (Z.of_nat c) i)))
  | _ => None
  end.

Definition space_at (k c : Z) (i : list Z) : list Z :=
  match i with
  | [n; d; a; b] => [n; d mod c; a * k + d / c / k; b * k + d / c mod k]
  | _ => i
  end%Z.

Definition onnx_space_to_depth (S : arith) (k : nat) (x : tensor (num S)) : option (tensor (num S)) :=
  match dims x with
  | [n; c; h; w] =>
      guard (block_ok k && (h mod k =? 0) && (w mod k =? 0))
        (table S (Some [n; c * k * k; h / k; w / k]) (fun _ i => at_ S x (space_at (Z.of_nat k) (Z.of_nat c) i)))
  | _ => None
  end.

(** ** The compositions: Reshape, Transpose, Reshape *)

Definition rearranged (six : sizes) (perm : list nat) (four : sizes) : build nat :=
  a <- apply "Reshape" [("shape", nats_value six)] [0] ;;
  b <- apply "Transpose" [("perm", nats_value perm)] [a] ;;
  apply "Reshape" [("shape", nats_value four)] [b].

Definition depth_to_space_composition (crd : bool) (k : nat) (ds : sizes) : option (build nat) :=
  match ds with
  | [n; d; h; w] =>
      let c := d / (k * k) in
      guard (block_ok k && (d mod (k * k) =? 0))
        (Some (if crd then rearranged [n; c; k; k; h; w] [0; 1; 4; 2; 5; 3] [n; c; h * k; w * k]
               else rearranged [n; k; k; c; h; w] [0; 3; 4; 1; 5; 2] [n; c; h * k; w * k]))
  | _ => None
  end.

Definition space_to_depth_composition (k : nat) (ds : sizes) : option (build nat) :=
  match ds with
  | [n; c; h; w] =>
      guard (block_ok k && (h mod k =? 0) && (w mod k =? 0))
        (Some (rearranged [n; c; h / k; k; w / k; k] [0; 3; 5; 1; 2; 4] [n; c * k * k; h / k; w / k]))
  | _ => None
  end.

(** ** Cells *)

Section Blocks.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).

  (** Where each cell comes from, by its index in both shapes of rank 6. *)
  Lemma rearranged_correct (x : tensor) six perm four (f g : list Z -> list Z) : good x ->
    cell_count six = cell_count (dims x) -> permutes (List.length six) perm = true ->
    cell_count four = cell_count (permuted six perm) ->
    (forall i, in_box four i = true ->
       in_box (permuted six perm) (g i) = true /\ position four i = position (permuted six perm) (g i) /\
       in_box (dims x) (f i) = true /\ position six (unpermute perm (g i)) = position (dims x) (f i)) ->
    composed S typed (rearranged six perm four) [x] = Some (tabulate four (fun i => at_ S x (f i))).
  Proof.
    intros G A P B H. set (wide := Tensor six (cells x)).
    set (moved := tabulate (permuted six perm) (fun i => at_ S wide (unpermute perm i))).
    apply runs_composed. eapply runs_bind.
    { apply (runs_apply S typed [GTensor x] _ _ [0] [GTensor x] (GTensor wide)); [repeat constructor |].
      now apply reshape_value. }
    intros vs a _ K. cbv beta in K. eapply runs_bind.
    { apply (runs_apply S typed vs _ _ [a] [GTensor wide] (GTensor moved)); [now repeat constructor |].
      now apply transpose_value. }
    intros ws b _ L. cbv beta in L. eapply runs_weaken.
    { apply (runs_apply S typed ws _ _ [b] [GTensor moved] (GTensor (Tensor four (cells moved)))); [now repeat constructor |].
      apply reshape_value; [apply good_tabulate | exact B]. }
    intros us c _ M. cbv beta in M.
    replace (tabulate four (fun i => at_ S x (f i))) with (Tensor four (cells moved)); [exact M |].
    rewrite <- (tabulate_get (s_zero S) (Tensor four (cells moved))).
    2: { unfold good, moved. cbn [dims cells tabulate]. now rewrite map_length, length_box. }
    cbn [dims]. apply tabulate_ext. intros i I. destruct (H i I) as (J & Q & F & R). change (get (s_zero S)) with (at_ S).
    rewrite (at_recast S four moved i (g i) I J Q). unfold moved, at_ at 1. rewrite get_tabulate by exact J.
    apply at_recast; [| exact F | exact R]. now apply (unpermute_in_box (List.length six)).
  Qed.

  (** An index is four natural numbers. *)
  Lemma four_naturals n c h w i : in_box [n; c; h; w] i = true ->
    exists i0 i1 i2 i3, i = [Z.of_nat i0; Z.of_nat i1; Z.of_nat i2; Z.of_nat i3] /\ i0 < n /\ i1 < c /\ i2 < h /\ i3 < w.
  Proof.
    intros I. destruct i as [| z0 i]; [discriminate |]. apply in_box_cons in I. destruct I as [B0 I].
    destruct i as [| z1 i]; [discriminate |]. apply in_box_cons in I. destruct I as [B1 I].
    destruct i as [| z2 i]; [discriminate |]. apply in_box_cons in I. destruct I as [B2 I].
    destruct i as [| z3 i]; [discriminate |]. apply in_box_cons in I. destruct I as [B3 I]. destruct i; [| discriminate].
    exists (Z.to_nat z0), (Z.to_nat z1), (Z.to_nat z2), (Z.to_nat z3). rewrite !Z2Nat.id by lia. repeat split; lia.
  Qed.

  Ltac inside := repeat (apply in_box_cons; split; [split; [lia |] |]); try reflexivity.
  Ltac places := cbn [position cell_count fold_right]; rewrite ?Nat2Z.id.

  Lemma below_block a h k : a < h * k -> 0 < k /\ a / k < h /\ a mod k < k /\ a = a / k * k + a mod k.
  Proof.
    intros lt. assert (0 < k) by nia. repeat split; [assumption | apply Nat.div_lt_upper_bound; lia |
      apply Nat.mod_upper_bound; lia | rewrite (Nat.div_mod_eq a k) at 1; lia].
  Qed.

  Theorem depth_to_space_correct crd k x b : good x -> depth_to_space_composition crd k (dims x) = Some b ->
    exists y, composed S typed b [x] = Some y /\ onnx_depth_to_space S crd k x = Some y.
  Proof.
    intros G. unfold depth_to_space_composition, onnx_depth_to_space.
    destruct (dims x) as [| n [| d [| h [| w [|]]]]] eqn:D; try discriminate. set (c := d / (k * k)).
    unfold guard. destruct (block_ok k && _) eqn:K; [| discriminate]. intros E. apply andb_true_iff in K. destruct K as [K M].
    unfold block_ok in K. apply andb_true_iff in K. destruct K as [K _]. apply Nat.leb_le in K. apply Nat.eqb_eq in M.
    assert (d = c * (k * k)) as Ed by (unfold c; rewrite (Nat.div_mod_eq d (k * k)) at 1; lia). clearbody c.
    eexists. split; [| reflexivity]. set (kz := Z.of_nat k). set (cz := Z.of_nat c). destruct crd; injection E as <-.
    - apply (rearranged_correct x _ _ _ _ (fun i => match i with
        [i0; i1; i2; i3] => [i0; i1; i2 / kz; i2 mod kz; i3 / kz; i3 mod kz]%Z | _ => i end)).
      + exact G.
      + rewrite D. cbn [cell_count fold_right]. rewrite Ed. ring.
      + reflexivity.
      + cbn [permuted map nth cell_count fold_right]. ring.
      + intros i I. destruct (four_naturals _ _ _ _ _ I) as (i0 & i1 & i2 & i3 & -> & L0 & L1 & L2 & L3).
        destruct (below_block _ _ _ L2) as (_ & A2 & B2 & E2). destruct (below_block _ _ _ L3) as (_ & A3 & B3 & E3).
        cbn [depth_at unpermute permuted map nth seq List.length place_of Nat.eqb]. unfold kz.
        rewrite <- !Nat2Z.inj_div, <- !Nat2Z.inj_mod, <- !Nat2Z.inj_mul, <- !Nat2Z.inj_add, <- !Nat2Z.inj_mul, <- !Nat2Z.inj_add.
        rewrite D. repeat split.
        * inside; lia.
        * places. rewrite E2 at 1. rewrite E3 at 1. ring.
        * assert (i2 mod k * k + i3 mod k < k * k) as Q by nia. rewrite Ed. inside; try lia. nia.
        * places. rewrite Ed. ring.
    - apply (rearranged_correct x _ _ _ _ (fun i => match i with
        [i0; i1; i2; i3] => [i0; i1; i2 / kz; i2 mod kz; i3 / kz; i3 mod kz]%Z | _ => i end)).
      + exact G.
      + rewrite D. cbn [cell_count fold_right]. rewrite Ed. ring.
      + reflexivity.
      + cbn [permuted map nth cell_count fold_right]. ring.
      + intros i I. destruct (four_naturals _ _ _ _ _ I) as (i0 & i1 & i2 & i3 & -> & L0 & L1 & L2 & L3).
        destruct (below_block _ _ _ L2) as (_ & A2 & B2 & E2). destruct (below_block _ _ _ L3) as (_ & A3 & B3 & E3).
        cbn [depth_at unpermute permuted map nth seq List.length place_of Nat.eqb]. unfold kz, cz.
        rewrite <- !Nat2Z.inj_div, <- !Nat2Z.inj_mod, <- !Nat2Z.inj_mul, <- !Nat2Z.inj_add, <- !Nat2Z.inj_mul, <- !Nat2Z.inj_add.
        rewrite D. repeat split.
        * inside; lia.
        * places. rewrite E2 at 1. rewrite E3 at 1. ring.
        * assert (i2 mod k * k + i3 mod k < k * k) as Q by nia. rewrite Ed. inside; try lia. nia.
        * places. rewrite Ed. ring.
  Qed.

  Theorem space_to_depth_correct k x b : good x -> space_to_depth_composition k (dims x) = Some b ->
    exists y, composed S typed b [x] = Some y /\ onnx_space_to_depth S k x = Some y.
  Proof.
    intros G. unfold space_to_depth_composition, onnx_space_to_depth.
    destruct (dims x) as [| n [| c [| h [| w [|]]]]] eqn:D; try discriminate.
    unfold guard. destruct (block_ok k && _ && _) eqn:K; [| discriminate]. intros E. injection E as <-.
    rewrite !andb_true_iff, !Nat.eqb_eq in K. destruct K as [[K H] W].
    unfold block_ok in K. apply andb_true_iff in K. destruct K as [K _]. apply Nat.leb_le in K.
    assert (h = h / k * k) as Eh by (rewrite (Nat.div_mod_eq h k) at 1; lia).
    assert (w = w / k * k) as Ew by (rewrite (Nat.div_mod_eq w k) at 1; lia).
    set (rows := h / k) in *. set (cols := w / k) in *. clearbody rows cols.
    eexists. split; [| reflexivity]. set (kz := Z.of_nat k). set (cz := Z.of_nat c).
    apply (rearranged_correct x _ _ _ _ (fun i => match i with
      [i0; i1; i2; i3] => [i0; i1 / cz / kz; i1 / cz mod kz; i1 mod cz; i2; i3]%Z | _ => i end)).
    - exact G.
    - rewrite D. cbn [cell_count fold_right]. rewrite Eh, Ew. ring.
    - reflexivity.
    - cbn [permuted map nth cell_count fold_right]. ring.
    - intros i I. destruct (four_naturals _ _ _ _ _ I) as (i0 & i1 & i2 & i3 & -> & L0 & L1 & L2 & L3).
      assert (i1 < k * k * c) as L1' by nia. destruct (below_block _ _ _ L1') as (_ & A1 & B1 & E1).
      destruct (below_block _ _ _ A1) as (_ & A4 & B4 & E4).
      cbn [space_at unpermute permuted map nth seq List.length place_of Nat.eqb]. unfold kz, cz.
      rewrite <- !Nat2Z.inj_div, <- !Nat2Z.inj_mod, <- !Nat2Z.inj_mul, <- !Nat2Z.inj_add.
      rewrite D. repeat split.
      + inside; lia.
      + places. rewrite E1 at 1. rewrite E4 at 1. ring.
      + inside; try lia; nia.
      + places. rewrite Eh, Ew. ring.
  Qed.
End Blocks.

Example depth_to_space_example : let x := Tensor [1; 8; 1; 2] (map Z.of_nat (seq 0 16)) in
  (option_map (fun b => composed Instances.integers (typed _) b [x]) (depth_to_space_composition false 2 (dims x)),
   option_map (fun b => composed Instances.integers (typed _) b [x]) (depth_to_space_composition true 2 (dims x))) =
  (Some (Some (Tensor [1; 2; 2; 4] [0; 4; 1; 5; 8; 12; 9; 13; 2; 6; 3; 7; 10; 14; 11; 15]%Z)),
   Some (Some (Tensor [1; 2; 2; 4] [0; 2; 1; 3; 4; 6; 5; 7; 8; 10; 9; 11; 12; 14; 13; 15]%Z))).
Proof. vm_compute. reflexivity. Qed.

Example space_to_depth_example :
  let x := Tensor [1; 2; 2; 4] [0; 4; 1; 5; 8; 12; 9; 13; 2; 6; 3; 7; 10; 14; 11; 15]%Z in
  option_map (fun b => composed Instances.integers (typed _) b [x]) (space_to_depth_composition 2 (dims x)) =
  Some (Some (Tensor [1; 8; 1; 2] (map Z.of_nat (seq 0 16)))).
Proof. vm_compute. reflexivity. Qed.
