(** * The kernels of operators read inside of their tensors

    One theorem over all the operators: each load that is evaluated is in its tensor. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Wf kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.OpTable tensor.OpIndex tensor.OpIndexProof.
From Calque Require Import tensor.OpKernel tensor.OpEval tensor.OpMapProof tensor.OpSumProof tensor.OpPadProof.
From Calque Require Import tensor.OpCorrect tensor.OpSafe tensor.OpSafeSum tensor.OpSafeMove.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Lemma cells_no_zero d : cell_count d <> 0 -> no_zero d = true.
Proof.
  intros N. apply no_zero_iff. destruct (existsb (Nat.eqb 0) d) eqn:E; [| reflexivity].
  apply zero_count in E. destruct E. contradiction.
Qed.

Section Safe.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Variable shapes : tid -> sizes.
  Notation all_safe := (all_safe A shapes).
  Notation sized := (sized A shapes).

  Definition entry_safe (name : string) (k : entry A) (o : operator A) : Prop :=
    forall l ts v index p,
      op_cells o l (map Some ts) = Some v ->
      k l (map dims ts) (result_dims A v) (s_integer A) index = Some p ->
      (name = "Split" \/ cell_count (result_dims A v) <> 0) ->
      Forall good ts -> given A name ts index -> sized ts -> all_safe p.

  (** The sizes of a table. *)
  Lemma table_out {o f t} : table A o f = Some t -> o = Some (dims t).
  Proof. intros H. destruct (OpMapProof.table_some A _ _ _ H) as (ds & -> & ->). reflexivity. Qed.

  Ltac dims_of M := let D := fresh "D" in pose proof (table_out M) as D; clear M; rename D into M.

  Ltac intro_entry := intros l ts v index p V P E G N S; cbn [op_cells op1 op2 op3 OpTable.elementwise OpTable.pointwise onto binary folded copy
    recasting conv_op max_pool_op average_pool_op softmax_op concat_op gemm_op lrn_op batch_norm_op transpose_op constant_op
    reduce_op shape_op gather_op slice_op cast_op split_op pad_op expand_op broadcast_like_op eye_op layer_norm_op
    instance_norm_op group_norm_op lp_norm_op l2_norm_op clip_op leaky_relu_op bias_add_op like_op full_like_op
    reshape_like_op collapse_op collapse_like_op where_op reduce_max_op log_softmax_op rms_norm_op] in V.

  Ltac one_input V x t M := destruct (on1_some A V) as (x & t & -> & M & ->); cbn [result_dims] in *.

  Lemma elementwise_safe name f g : (forall b, keeps_safe A shapes (f b)) ->
    entry_safe name (elementwise A f) (OpTable.elementwise A g).
  Proof.
    intros F. intro_entry. one_input V x t M. injection M as <-.
    exact (k_map_safe A shapes (f (s_integer A)) x [] (dims x) p (F _) (fits_refl _) P S).
  Qed.

  Lemma pointwise_safe name {T} (params : attributes -> option T) f g : (forall q, keeps_safe A shapes (f q)) ->
    entry_safe name (pointwise A params f) (OpTable.pointwise A params g).
  Proof.
    intros F. unfold pointwise. intro_entry. one_input V x t M. destruct (params l) as [q |]; [| discriminate].
    injection M as <-. exact (k_map_safe A shapes (f q) x [] (dims x) p (F q) (fits_refl _) P S).
  Qed.

  Lemma of_floats_safe name f g : keeps_safe A shapes f ->
    entry_safe name (of_floats A f) (OpTable.elementwise A g).
  Proof.
    intros F. intro_entry. one_input V x t M. injection M as <-.
    apply (floats_some A) in P. destruct P as [_ P].
    exact (k_map_safe A shapes f x [] (dims x) p F (fits_refl _) P S).
  Qed.

  Lemma folds_safe name f g : keeps_safe2 A shapes f -> entry_safe name (folds A f) (folded A g).
  Proof.
    intros F. intro_entry. destruct (any_some A V) as (x & r & t & -> & M & ->). dims_of M.
    exact (k_fold_safe A shapes f x r (dims t) p F M P S).
  Qed.

  Lemma binary_safe name f g : keeps_safe2 A shapes f -> entry_safe name (folds A f) (binary A g).
  Proof.
    intros F. intro_entry. destruct (on2_some A V) as (x & y & t & -> & M & ->). dims_of M.
    apply (k_fold_safe A shapes f x [y] (dims t) p F); auto. cbn [map broadcast_all]. now rewrite M.
  Qed.

  Lemma pairs_safe name f g : keeps_safe2 A shapes f -> entry_safe name (pairs A f) (binary A g).
  Proof.
    intros F. intro_entry. destruct (on2_some A V) as (x & y & t & -> & M & ->). dims_of M.
    exact (k_pair_safe A shapes f x y (dims t) p F M P S).
  Qed.

  Lemma onto_safe name f g : keeps_safe2 A shapes f -> entry_safe name (pairs A f) (onto A g).
  Proof.
    intros F. intro_entry. destruct (on2_some A V) as (x & y & t & -> & M & ->). dims_of M.
    unfold like_of, guard in M. destruct (broadcasts (dims y) (dims x)) eqn:B; [| discriminate]. apply some_inj in M.
    apply broadcasts_fits in B. rewrite <- M in B. cbn [result_dims] in P. apply (all_safe_stores A shapes _ _ _ P). intros i I.
    apply F; [apply (safe_spread A shapes [x; y] _ 0 x) | apply (safe_spread A shapes [x; y] _ 1 y)]; auto.
    rewrite M. apply fits_refl.
  Qed.

  Lemma copies_safe name : entry_safe name (copies A) (copy A).
  Proof.
    intro_entry. one_input V x t M. injection M as <-.
    exact (k_map_safe A shapes (fun e => e) x [] (dims x) p (keeps_same A shapes) (fits_refl _) P S).
  Qed.

  Lemma recast_safe ds x more t p : good x -> recast ds x = Some t -> k_reshape A (dims x :: more) (dims t) = Some p ->
    sized [x] -> all_safe p.
  Proof.
    intros G R P S. apply recast_iff in R. destruct R as [E ->]. apply (k_reshape_safe A shapes x more ds p); auto.
    now rewrite E, G.
  Qed.

  Lemma recasts_safe name d : entry_safe name (recasts A) (recasting A d).
  Proof.
    intro_entry. one_input V x t M. unfold recast_to in M. destruct (d l (dims x)) as [ds |]; [| discriminate].
    apply (recast_safe ds x [] t p); auto. now inversion G.
  Qed.

  Lemma lit_safe out c p : stores A out (lit A c) = Some p -> all_safe p.
  Proof. intros P. apply (all_safe_stores A shapes _ _ _ P). intros i _. apply safe_lit. Qed.

  Lemma fills_safe name z a : entry_safe name (fills A z) (like_op A a).
  Proof. intro_entry. one_input V x t M. exact (lit_safe _ _ _ P). Qed.

  Ltac keeps := first [apply keeps_relu | apply keeps_sigmoid | apply keeps_call1 | apply keeps_clipped
                      | apply keeps_leaky | apply keeps_same | apply keeps_not
                      | intros ? ? ?; repeat (apply safe_bin || apply safe_call1 || apply safe_call2 || apply safe_lit); assumption].

  (** Activations are made of calls, operations and numbers. *)
  Ltac by_activation := unfold prelu, selu, elu, celu, thresholded, hard_swish, hard_sigmoid, mish, softplus, softsign, gelu,
    swish, sign, above, below; repeat match goal with |- context [if ?c then _ else _] => destruct c end;
    repeat (apply safe_bin || apply safe_call1 || apply safe_call2 || apply safe_lit); assumption.
  Ltac activation := intros q; try (destruct q as [? ?]); intros rho e H; by_activation.

  Theorem entries_safe :
    Forall2 (fun k o => fst k = fst o /\ entry_safe (fst k) (snd k) (snd o)) (kernels A) (operators A).
  Proof.
    assert (forall o, keeps_safe2 A shapes (bin A o)) as kb by (intros o rho a b Ha Hb; now apply safe_bin).
    assert (forall f, keeps_safe2 A shapes (call2 A f)) as kc by (intros f rho a b Ha Hb; now apply safe_call2).
    unfold kernels, operators. repeat (apply Forall2_cons; [split; [reflexivity |]; cbn [fst snd] |]); [.. | apply Forall2_nil];
      try (apply elementwise_safe; intros b; first [keeps | intros rho e H; by_activation]); try (apply pointwise_safe; activation);
      try (apply onto_safe; intros rho a s Ha Hs; by_activation); try (apply of_floats_safe; keeps);
      try (apply folds_safe; auto); try (apply binary_safe; auto);
      try (apply pairs_safe; first [apply kc | apply kb | apply keeps_at_most | apply keeps_xor | intros ? ? ? ? ?; now apply kc
                                   | intros ? ? ? ? ?; now apply keeps_at_most]); try apply copies_safe; try apply recasts_safe;
      try apply fills_safe.
    - (* Conv *) intro_entry. destruct (on3_some A V) as (x & f & b & t & -> & M & ->).
      change (in_ (map dims (with_third A x f b)) 0) with (dims x) in P.
      change (in_ (map dims (with_third A x f b)) 1) with (dims f) in P.
      destruct (conv_params l (dims x) (dims f)) as [[w g] |]; [| discriminate].
      exact (k_conv_safe A shapes w g x f b _ p (table_out M) P S).
    - (* MaxPool *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (pool_params l true (dims x)) as [[[w k] c] |]; [| discriminate].
      exact (k_max_pool_safe A shapes c w k x _ _ p (table_out M) P S).
    - (* Softmax *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (softmax_params l (dims x)) as [[axis flatten] |]; [| discriminate].
      dims_of M. injection M as M. rewrite <- M in *. destruct E as [E | E]; [discriminate |].
      exact (k_softmax_safe A shapes axis flatten x p (cells_no_zero _ E) P S).
    - (* Concat *) intro_entry. destruct (any_some A V) as (x & r & t & -> & M & ->).
      change (in_ (map dims (x :: r)) 0) with (dims x) in P.
      destruct (axis_in l None (dims x)) as [axis |] eqn:Ea; [| discriminate].
      exact (k_concat_safe A shapes axis x r _ p (axis_below _ _ _ _ Ea) (table_out M) P S).
    - (* GlobalAveragePool *) intro_entry. one_input V x t M.
      exact (k_global_average_pool_safe A shapes x _ p (table_out M) P S).
    - (* Gemm *) intro_entry. destruct (on3_some A V) as (a & b & c & t & -> & M & ->).
      destruct (gemm_params l) as [[[[alpha beta] ta] tb] |]; [| discriminate].
      exact (k_gemm_safe A shapes alpha beta ta tb a b c _ _ p (table_out M) P S).
    - (* LRN *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (lrn_params l (dims x)) as [[[[alpha beta] bias] size] |] eqn:Ep; [| discriminate].
      assert (0 < size) as pos.
      { unfold lrn_params in Ep. destruct (real_attr l "alpha" _); [| discriminate].
        destruct (real_attr l "beta" _); [| discriminate]. destruct (real_attr l "bias" _); [| discriminate].
        destruct (nat_attr l "size" _); [| discriminate]. unfold guard in Ep.
        destruct (_ && _) eqn:B in Ep; [| discriminate]. injection Ep as <- <- <- <-.
        apply andb_true_iff in B. now apply Nat.ltb_lt. }
      unfold lrn, guard in M. destruct (2 <=? List.length (dims x)); [| discriminate].
      dims_of M. injection M as M. rewrite <- M in *. exact (k_lrn_safe A shapes alpha beta bias size x p pos P S).
    - (* AveragePool *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (average_params l (dims x)) as [[[[w k] c] include] |]; [| discriminate].
      exact (k_average_pool_safe A shapes c include w k x _ _ p (table_out M) P S).
    - (* BatchNormalization *) intro_entry.
      destruct ts as [| x [| g [| b [| m [| s [| ? ?]]]]]]; try discriminate. cbn [map] in V. unfold one in V.
      destruct (real_attr l "epsilon" (Some epsilon_bits)) as [e |]; [| discriminate].
      destruct (batch_norm A e x g b m s) as [t |] eqn:M; [| discriminate]. injection V as <-.
      exact (k_batch_norm_safe A shapes e x g b m s _ p (table_out M) P S).
    - (* Transpose *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (perm_of l (dims x)) as [perm |]; [| discriminate].
      exact (k_transpose_safe A shapes perm x _ p (table_out M) P S).
    - (* ConstantOfShape *) intro_entry. destruct (real_attr l "value" (Some 0%N)) as [a |]; [| discriminate].
      exact (lit_safe _ _ _ P).
    - (* MatMul *) intro_entry. destruct (on2_some A V) as (a & b & t & -> & M & ->).
      assert (matmul_dims (dims a) (dims b) = Some (dims t)) as D.
      { unfold matmul in M. destruct (matmul_left (dims a)) as [[[pa rows] n] |]; [| discriminate].
        destruct (matmul_right (dims b)) as [[[pb n'] cols] |]; [| discriminate]. exact (table_out M). }
      exact (k_matmul_safe A shapes a b _ p D P S).
    - (* Div *) intro_entry. destruct (on2_some A V) as (x & y & t & -> & M & ->). cbn [result_dims] in P.
      pose proof (table_out M) as D. destruct (s_integer A).
      + apply broadcast_fits in D. destruct D as [Fx Fy]. apply (all_safe_stores A shapes _ _ _ P). intros i I.
        apply safe_divided; [apply (safe_spread A shapes [x; y] _ 0 x) | apply (safe_spread A shapes [x; y] _ 1 y)]; auto.
      + apply (k_fold_safe A shapes (bin A ODiv) x [y] (dims t) p (kb _)); auto. cbn [map broadcast_all]. now rewrite D.
    - (* Pow *) intro_entry. apply (floats_some A) in P. destruct P as [_ P].
      destruct (on2_some A V) as (x & y & t & -> & M & ->). dims_of M.
      apply (k_fold_safe A shapes (call2 A FPow) x [y] (dims t) p (kc _)); auto. cbn [map broadcast_all]. now rewrite M.
    - (* ReduceMean *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (reduce_params l (dims x)) as [[keep axes] |]; [| discriminate]. apply (floats_some A) in P. destruct P as [_ P].
      dims_of M. injection M as M. rewrite <- M in P. exact (k_reduce_safe A shapes true keep axes x p P S).
    - (* ReduceSum *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (reduce_params l (dims x)) as [[keep axes] |]; [| discriminate].
      dims_of M. injection M as M. rewrite <- M in P. exact (k_reduce_safe A shapes false keep axes x p P S).
    - (* Shape *) intro_entry. one_input V x t M.
      destruct (int_attr l "start" (Some 0%Z)) as [start |]; [| discriminate].
      destruct (int_attr l "end" _) as [stop |]; [| discriminate]. exact (k_shape_safe A shapes start stop _ _ p P).
    - (* Gather *) intro_entry. destruct (on2_some A V) as (x & ix & t & -> & M & ->). cbn [result_dims] in P.
      change (in_ (map dims [x; ix]) 0) with (dims x) in P.
      destruct (axis_in l (Some 0%Z) (dims x)) as [axis |] eqn:Ea; [| discriminate].
      unfold gather in M. unfold guard in M at 1. destruct (forallb _ (box (dims ix))); [| discriminate].
      dims_of M. injection M as M. rewrite <- M in P.
      apply (k_gather_safe A shapes axis x ix index p (axis_below _ _ _ _ Ea)); auto.
      specialize (N eq_refl x ix eq_refl). apply (traverse_len) in N. rewrite N.
      inversion G as [| ? ? _ G']. inversion G' as [| ? ? Gx _]. exact Gx.
    - (* Slice *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (slice_params l (dims x)) as [[[starts steps] parts] |]; [| discriminate].
      exact (k_slice_safe A shapes starts steps parts x _ p (table_out M) P S).
    - (* Split *) intro_entry. destruct ts as [| x [| ? ?]]; try discriminate. cbn [map] in V.
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (split_params l (dims x)) as [[axis parts] |] eqn:Ep; [| discriminate].
      destruct (split A axis parts x) as [us |] eqn:M; [| discriminate].
      assert (axis < List.length (dims x)) as ax.
      { unfold split_params in Ep. destruct (axis_in l (Some 0%Z) (dims x)) as [a |] eqn:Ea; [| discriminate].
        destruct (sizes_attr l "split" None); [| discriminate]. injection Ep as <- <-. exact (axis_below _ _ _ _ Ea). }
      unfold split, split_dims, guard in M. destruct (Nat.eqb_spec (list_sum parts) (nth axis (dims x) 0)) as [T |]; [| discriminate].
      apply some_inj in P. subst p. apply (split_from_safe A shapes axis x parts ax S). lia.
    - (* Pad *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (pad_params l (dims x)) as [[[[mode value] lo] hi] |]; [| discriminate].
      exact (k_pad_safe A shapes mode value lo hi x _ p (table_out M) P S).
    - (* Expand *) intro_entry. one_input V x t M. dims_of M. unfold expand_of in M.
      destruct (sizes_attr l "shape" None) as [to |]; [| discriminate]. apply broadcast_fits in M. destruct M as [F _].
      exact (k_map_safe A shapes (fun e => e) x [] _ p (keeps_same A shapes) F P S).
    - (* EyeLike *) intro_entry. one_input V x t M. destruct (int_attr l "k" (Some 0%Z)) as [k |]; [| discriminate].
      exact (k_eye_safe A shapes k _ p P).
    - (* LayerNormalization *) intro_entry. destruct (on3_some A V) as (x & g & b & t & -> & M & ->). cbn [result_dims] in *.
      change (in_ (map dims (with_third A x g b)) 0) with (dims x) in P.
      destruct (layer_params l (dims x)) as [[axis e] |]; [| discriminate]. destruct E as [E | E]; [discriminate |].
      pose proof (table_out M) as D. assert (no_zero (dims x) = true) as nz.
      { pose proof D as D'. unfold layer_norm_dims, guard in D'. destruct (_ && _) in D'; [| discriminate].
        injection D' as D'. rewrite <- D' in E. now apply cells_no_zero. }
      exact (k_layer_norm_safe A shapes axis e x g b _ p D nz P S).
    - (* InstanceNormalization *) intro_entry. destruct (exactly3_some A V) as (x & g & b & t & -> & M & ->). cbn [result_dims] in *.
      destruct (epsilon_of l) as [e |]; [| discriminate]. destruct E as [E | E]; [discriminate |].
      pose proof (table_out M) as D. assert (no_zero (dims x) = true) as nz.
      { pose proof D as D'. apply OpNormProof.per_channel_facts in D'. destruct D' as [D' _]. rewrite D' in E. now apply cells_no_zero. }
      exact (k_instance_norm_safe A shapes e x g b _ p D nz P S).
    - (* GroupNormalization *) intro_entry. destruct (exactly3_some A V) as (x & g & b & t & -> & M & ->). cbn [result_dims] in *.
      change (in_ (map dims [x; g; b]) 0) with (dims x) in P. destruct (epsilon_of l) as [e |]; [| discriminate].
      destruct (group_of l (dims x)) as [n |]; [| discriminate]. destruct E as [E | E]; [discriminate |].
      unfold group_norm, guard in M. destruct ((0 <? n) && (nth 1 (dims x) 0 mod n =? 0)) eqn:B; [| discriminate].
      apply andb_true_iff in B. rewrite Nat.ltb_lt, Nat.eqb_eq in B. destruct B as [gp gm].
      pose proof (table_out M) as D. assert (no_zero (dims x) = true) as nz.
      { pose proof D as D'. apply OpNormProof.per_channel_facts in D'. destruct D' as [D' _]. rewrite D' in E. now apply cells_no_zero. }
      exact (k_group_norm_safe A shapes n e x g b _ p D gp gm nz P S).
    - (* LpNormalization *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (lp_params l (dims x)) as [[axis square] |]; [| discriminate]. destruct E as [E | E]; [discriminate |].
      dims_of M. injection M as M. rewrite <- M in *.
      exact (k_lp_norm_safe A shapes axis square x p (cells_no_zero _ E) P S).
    - (* L2Normalize *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (l2_params l (dims x)) as [[axes e] |]; [| discriminate]. destruct E as [E | E]; [discriminate |].
      dims_of M. injection M as M. rewrite <- M in *.
      exact (k_l2_norm_safe A shapes axes e x p (cells_no_zero _ E) P S).
    - (* Clip *) intro_entry. one_input V x t M. destruct (clip_params l) as [[lo hi] |]; [| discriminate]. injection M as <-.
      exact (k_map_safe A shapes (clipped A lo hi) x [] (dims x) p (keeps_clipped A shapes lo hi) (fits_refl _) P S).
    - (* BiasAdd *) intro_entry. destruct (on2_some A V) as (x & b & t & -> & M & ->). cbn [result_dims] in P.
      change (in_ (map dims [x; b]) 0) with (dims x) in P.
      destruct (axis_in l (Some 1%Z) (dims x)) as [axis |] eqn:Ea; [| discriminate].
      dims_of M. unfold bias_add_dims, guard in M. destruct (is_vector _ _) eqn:Vb; [| discriminate].
      injection M as M. rewrite <- M in P. exact (k_bias_add_safe A shapes axis x b p (axis_below _ _ _ _ Ea) Vb P S).
    - (* FullLike *) intro_entry. destruct (on2_some A V) as (x & b & t & -> & M & ->).
      destruct (dims b) eqn:B; [| discriminate]. injection M as <-. apply (all_safe_stores A shapes _ _ _ P). intros i I.
      apply (safe_spread A shapes [x; b] _ 1 b); auto. rewrite B. split; [simpl; lia |]. rewrite Nat.sub_0_r.
      cbn [result_dims]. now rewrite skipn_all.
    - (* ReshapeLike *) intro_entry. destruct (on2_some A V) as (x & y & t & -> & M & ->).
      unfold recast_to in M. destruct (reshape_like_of l (dims x) (dims y)) as [ds |]; [| discriminate].
      apply (recast_safe ds x [dims y] t p); [now inversion G | exact M | exact P | exact (sized_one A shapes _ _ S)].
    - (* BroadcastLike *) intro_entry. destruct (on2_some A V) as (x & y & t & -> & M & ->). dims_of M.
      unfold like_of, guard in M. destruct (broadcasts (dims x) (dims y)) eqn:F; [| discriminate]. injection M as M.
      apply broadcasts_fits in F. rewrite M in F.
      exact (k_map_safe A shapes (fun e => e) x [dims y] _ p (keeps_same A shapes) F P (sized_one A shapes _ _ S)).
    - (* CollapseSum *) intro_entry. one_input V x t M. destruct (sizes_attr l "shape" None) as [to |]; [| discriminate].
      dims_of M. unfold collapse_dims, guard in M. destruct (broadcasts to (dims x)) eqn:F; [| discriminate].
      injection M as M. rewrite <- M in P. exact (k_collapse_safe A shapes to x [] p F P S).
    - (* CollapseSumLike *) intro_entry. destruct (on2_some A V) as (x & y & t & -> & M & ->). cbn [result_dims] in P.
      dims_of M. unfold collapse_dims, guard in M. destruct (broadcasts (dims y) (dims x)) eqn:F; [| discriminate].
      injection M as M. rewrite <- M in P. exact (k_collapse_safe A shapes (dims y) x [dims y] p F P (sized_one A shapes _ _ S)).
    - (* LayoutTransform *) intro_entry. one_input V x t M. destruct (layout_of l) as [perm |]; [| discriminate].
      exact (k_transpose_safe A shapes perm x _ p (table_out M) P S).
    - (* Where *) intro_entry. destruct (exactly3_some A V) as (c & x & y & t & -> & M & ->).
      exact (k_where_safe A shapes c x y _ p (table_out M) P S).
    - (* ReduceMax *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (reduce_params l (dims x)) as [[keep axes] |]; [| discriminate].
      exact (k_reduce_max_safe A shapes keep axes x _ p (table_out M) P S).
    - (* LogSoftmax *) intro_entry. one_input V x t M. change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (softmax_params l (dims x)) as [[axis flatten] |]; [| discriminate].
      dims_of M. injection M as M. rewrite <- M in *. destruct E as [E | E]; [discriminate |].
      exact (k_log_softmax_safe A shapes axis flatten x p (cells_no_zero _ E) P S).
    - (* RMSNormalization *) intro_entry. destruct (on2_some A V) as (x & g & t & -> & M & ->). cbn [result_dims] in *.
      change (in_ (map dims [x; g]) 0) with (dims x) in P.
      destruct (layer_params l (dims x)) as [[axis e] |]; [| discriminate]. destruct E as [E | E]; [discriminate |].
      pose proof (table_out M) as D. assert (no_zero (dims x) = true) as nz.
      { pose proof D as D'. unfold layer_norm_dims, guard in D'. destruct (_ && _) in D'; [| discriminate].
        injection D' as D'. rewrite <- D' in E. now apply cells_no_zero. }
      exact (k_rms_norm_safe A shapes axis e x g _ p D nz P S).
  Qed.

  Theorem op_kernel_safe name l ts v index p :
    op_value A name l (map GTensor ts) = Some v ->
    op_kernel A name l (map dims ts) (result_dims A v) (s_integer A) index = Some p ->
    Forall good ts -> given A name ts index -> sized ts -> all_safe p.
  Proof.
    unfold op_value, op_kernel. rewrite inputs_present. intros V P G N S.
    destruct (look_up String.eqb (operators A) name) as [o |] eqn:O; [| discriminate].
    destruct (look_up String.eqb (kernels A) name) as [k |] eqn:Kk; [| discriminate].
    pose proof (look_up_both entry_safe _ _ name k o entries_safe Kk O) as C.
    destruct ((cell_count (result_dims A v) =? 0) && negb (String.eqb name "Split")) eqn:empty.
    - injection P as <-. apply all_safe_nil.
    - apply (C l ts v index p V P); auto. apply andb_false_iff in empty.
      rewrite Nat.eqb_neq, negb_false_iff, String.eqb_eq in empty. tauto.
  Qed.
End Safe.
