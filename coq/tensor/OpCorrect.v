(** * The kernel of an operator computes its meaning

    One theorem over all the operators, for all ranks and sizes and any scalars: run on a
    store that has the inputs, the kernel leaves the cells of the operator's value in its
    outputs.  No law of arithmetic is used. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.OpTable tensor.OpIndex tensor.OpIndexProof.
From Calque Require Import tensor.OpKernel tensor.OpEval tensor.OpMapProof tensor.OpSumProof tensor.OpNormProof.
From Calque Require Import tensor.OpMoveProof tensor.OpPadProof tensor.OpReshapeProof tensor.OpPoolProof.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Section Correct.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Notation store := (Kernel.store K).

  (** The sizes of output 0; Split's kernel needs none. *)
  Definition result_dims (v : gvalue tensor) : sizes := match v with GTensor t => dims t | _ => [] end.

  (** The outputs hold the value. *)
  Definition computes (p : prog K) (st : store) (v : gvalue tensor) : Prop :=
    match v with
    | GTensor t => gives A p st 0 t
    | GTuple ts => forall j t, nth_error ts j = Some t -> gives A p st j t
    | GAbsent => False
    end.

  (** What the kernel has from elsewhere: [index], the cells of a Gather's second input. *)
  Definition given (name : string) (ts : list tensor) (index : list Z) : Prop :=
    name = "Gather" -> forall x ix, ts = [x; ix] -> traverse (s_index A) (cells ix) = Some index.

  Definition entry_correct (name : string) (k : entry A) (o : operator A) : Prop :=
    forall l ts v index p (st : store),
      op_cells o l (map Some ts) = Some v ->
      k l (map dims ts) (result_dims v) (s_integer A) index = Some p ->
      Forall good ts -> given name ts index -> holds A st ts -> computes p st v.

  (** ** Operators by their number of inputs *)

  Lemma on1_some {l : attributes} {f : attributes -> tensor -> option tensor} {ts v} :
    on1 f l (map Some ts) = Some v -> exists x t, ts = [x] /\ f l x = Some t /\ v = GTensor t.
  Proof.
    destruct ts as [| x [| y ts]]; try discriminate. cbn [map on1]. unfold one.
    destruct (f l x) as [t |] eqn:E; [| discriminate]. intros H. injection H as <-. eauto.
  Qed.

  Lemma on2_some {l : attributes} {f : attributes -> tensor -> tensor -> option tensor} {ts v} :
    on2 f l (map Some ts) = Some v -> exists x y t, ts = [x; y] /\ f l x y = Some t /\ v = GTensor t.
  Proof.
    destruct ts as [| x [| y [| z ts]]]; try discriminate. cbn [map on2]. unfold one.
    destruct (f l x y) as [t |] eqn:E; [| discriminate]. intros H. injection H as <-. now exists x, y, t.
  Qed.

  Lemma on3_some {l : attributes} {f : attributes -> tensor -> tensor -> option tensor -> option tensor} {ts v} :
    on3 f l (map Some ts) = Some v ->
    exists x y c t, ts = with_third A x y c /\ f l x y c = Some t /\ v = GTensor t.
  Proof.
    destruct ts as [| x [| y [| z [| w ts]]]]; try discriminate; cbn [map on3]; unfold one.
    - destruct (f l x y None) as [t |] eqn:E; [| discriminate]. intros H. injection H as <-. now exists x, y, None, t.
    - destruct (f l x y (Some z)) as [t |] eqn:E; [| discriminate]. intros H. injection H as <-. now exists x, y, (Some z), t.
  Qed.

  Lemma exactly3_some {l : attributes} {f : attributes -> tensor -> tensor -> tensor -> option tensor} {ts v} :
    exactly3 f l (map Some ts) = Some v -> exists x y z t, ts = [x; y; z] /\ f l x y z = Some t /\ v = GTensor t.
  Proof.
    destruct ts as [| x [| y [| z [| w ts]]]]; try discriminate. cbn [map exactly3]. unfold one.
    destruct (f l x y z) as [t |] eqn:E; [| discriminate]. intros H. injection H as <-. now exists x, y, z, t.
  Qed.

  Lemma any_some {l : attributes} {f : attributes -> tensor -> list tensor -> option tensor} {ts v} :
    any f l (map Some ts) = Some v -> exists x r t, ts = x :: r /\ f l x r = Some t /\ v = GTensor t.
  Proof.
    unfold any. rewrite traverse_present. destruct ts as [| x r]; [discriminate |]. unfold one.
    destruct (f l x r) as [t |] eqn:E; [| discriminate]. intros H. injection H as <-. now exists x, r, t.
  Qed.

  Lemma holds_nil (st : store) : holds A st [].
  Proof. intros [| k] t E; discriminate. Qed.

  Lemma holds_one (st : store) x more : holds A st (x :: more) -> holds A st [x].
  Proof. intros H [| k] t E; [now apply (H 0) | destruct k; discriminate]. Qed.

  Lemma axis_below l d x a : axis_in l d x = Some a -> a < List.length x.
  Proof.
    unfold axis_in, axis_attr. destruct (int_attr l "axis" d) as [z |]; [| discriminate]. unfold axis_of.
    destruct ((- Z.of_nat (List.length x) <=? z)%Z && (z <? Z.of_nat (List.length x))%Z) eqn:G; [| discriminate].
    intros E. injection E as <-. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in G. destruct (Z.ltb_spec z 0); lia.
  Qed.

  Lemma floats_some integers (q : option (prog K)) p : floats A integers q = Some p -> integers = false /\ q = Some p.
  Proof. unfold floats. destruct integers; [discriminate | auto]. Qed.

  (** ** One case for each kind of entry *)

  Ltac intro_entry := intros l ts v index p st V P G N H; cbn [op_cells op1 op2 op3 OpTable.elementwise OpTable.pointwise onto binary folded copy
    recasting conv_op max_pool_op average_pool_op softmax_op concat_op gemm_op lrn_op batch_norm_op transpose_op constant_op
    reduce_op shape_op gather_op slice_op cast_op split_op pad_op expand_op broadcast_like_op eye_op layer_norm_op
    instance_norm_op group_norm_op lp_norm_op l2_norm_op clip_op leaky_relu_op bias_add_op like_op full_like_op
    reshape_like_op collapse_op collapse_like_op where_op reduce_max_op log_softmax_op rms_norm_op] in V.

  Lemma elementwise_correct name f g :
    (forall st rho e, eval (S := K) st rho (f (s_integer A) e) = g (eval st rho e)) ->
    entry_correct name (elementwise A f) (OpTable.elementwise A g).
  Proof.
    intros F. intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
    exact (k_map_gives A st (f (s_integer A)) g x t p (F st) M P H).
  Qed.

  Lemma pointwise_correct name {T} (params : attributes -> option T) f g :
    (forall q st rho e, eval (S := K) st rho (f q e) = g q (eval st rho e)) ->
    entry_correct name (pointwise A params f) (OpTable.pointwise A params g).
  Proof.
    intros F. unfold pointwise. intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
    destruct (params l) as [q |]; [| discriminate]. exact (k_map_gives A st (f q) (g q) x t p (F q st) M P H).
  Qed.

  Lemma of_floats_correct name f g :
    (forall st rho e, eval (S := K) st rho (f e) = g (eval st rho e)) ->
    entry_correct name (of_floats A f) (OpTable.elementwise A g).
  Proof.
    intros F. intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
    apply floats_some in P. destruct P as [_ P]. exact (k_map_gives A st f g x t p (F st) M P H).
  Qed.

  Lemma folds_correct name f g :
    (forall st rho a b, eval (S := K) st rho (f a b) = g (eval st rho a) (eval st rho b)) ->
    entry_correct name (folds A f) (folded A g).
  Proof.
    intros F. intro_entry. destruct (any_some V) as (x & r & t & -> & M & ->).
    exact (k_fold_gives A st f g x r t p F M P H).
  Qed.

  Lemma binary_correct name f g :
    (forall st rho a b, eval (S := K) st rho (f a b) = g (eval st rho a) (eval st rho b)) ->
    entry_correct name (folds A f) (binary A g).
  Proof.
    intros F. intro_entry. destruct (on2_some V) as (x & y & t & -> & M & ->).
    exact (k_map2_gives A st f g x y t p F M P H).
  Qed.

  Lemma pairs_correct name f g :
    (forall st rho a b, eval (S := K) st rho (f a b) = g (eval st rho a) (eval st rho b)) ->
    entry_correct name (pairs A f) (binary A g).
  Proof.
    intros F. intro_entry. destruct (on2_some V) as (x & y & t & -> & M & ->).
    exact (k_pair_gives A st f g x y t p (F st) M P H).
  Qed.

  Lemma onto_correct name f g :
    (forall st rho a b, eval (S := K) st rho (f a b) = g (eval st rho a) (eval st rho b)) ->
    entry_correct name (pairs A f) (onto A g).
  Proof.
    intros F. intro_entry. destruct (on2_some V) as (x & y & t & -> & M & ->).
    exact (k_spread_gives A st f g _ x y t p (F st) M P H).
  Qed.

  Lemma copies_correct name : entry_correct name (copies A) (copy A).
  Proof.
    intro_entry. destruct (on1_some V) as (x & t & -> & M & ->). injection M as <-.
    exact (k_copy_gives A st x p P H).
  Qed.

  Lemma recasts_correct name d : entry_correct name (recasts A) (recasting A d).
  Proof.
    intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
    unfold recast_to in M. destruct (d l (dims x)) as [ds |]; [| discriminate].
    apply (k_reshape_gives A st ds x [] t p); [now inversion G | exact M | exact P | now apply (H 0)].
  Qed.

  Lemma fills_correct name z a :
    a = s_int A z -> entry_correct name (fills A z) (like_op A a).
  Proof.
    intros ->. intro_entry. destruct (on1_some V) as (x & t & -> & M & ->). injection M as <-.
    now apply (k_fill_gives A st (dims x) (s_int A z) (int A z) p).
  Qed.

  Lemma reduce_correct name (mean : bool) f (k : entry A) :
    f = (if mean then reduce_mean A else reduce_sum A) ->
    (forall l i o b c p, k l i o b c = Some p -> exists keep axes,
       reduce_params l (in_ i 0) = Some (keep, axes) /\ k_reduce A i o mean keep axes = Some p) ->
    entry_correct name k (reduce_op A f).
  Proof.
    intros -> Kk. intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
    destruct (Kk _ _ _ _ _ _ P) as (keep & axes & R & P').
    change (in_ (map dims [x]) 0) with (dims x) in R. rewrite R in M.
    apply (k_reduce_gives A st mean keep axes x t p); auto. now destruct mean.
  Qed.

  (** The entry of the list, whatever the operator. *)
  Theorem entries_correct :
    Forall2 (fun k o => fst k = fst o /\ entry_correct (fst k) (snd k) (snd o)) (kernels A) (operators A).
  Proof.
    unfold kernels, operators. repeat (apply Forall2_cons; [split; [reflexivity |]; cbn [fst snd] |]); [.. | apply Forall2_nil].
    - (* Conv *) intro_entry. destruct (on3_some V) as (x & f & b & t & -> & M & ->).
      change (in_ (map dims (with_third A x f b)) 0) with (dims x) in P.
      change (in_ (map dims (with_third A x f b)) 1) with (dims f) in P.
      destruct (conv_params l (dims x) (dims f)) as [[w g] |]; [| discriminate].
      exact (k_conv_gives A st w g x f b t p M P H).
    - (* Relu *) now apply elementwise_correct.
    - (* MaxPool *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (pool_params l true (dims x)) as [[[w k] c] |]; [| discriminate].
      exact (k_max_pool_gives A st c w k x t _ p M P H).
    - (* Softmax *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (softmax_params l (dims x)) as [[axis flatten] |]; [| discriminate].
      exact (k_softmax_gives A st axis flatten x t p M P H).
    - (* Concat *) intro_entry. destruct (any_some V) as (x & r & t & -> & M & ->).
      change (in_ (map dims (x :: r)) 0) with (dims x) in P.
      destruct (axis_in l None (dims x)) as [axis |] eqn:E; [| discriminate].
      exact (k_concat_gives A st axis x r t p (axis_below _ _ _ _ E) M P H).
    - (* GlobalAveragePool *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      exact (k_global_average_pool_gives A st x t p M P H).
    - apply copies_correct.
    - apply recasts_correct.
    - (* Gemm *) intro_entry. destruct (on3_some V) as (a & b & c & t & -> & M & ->).
      destruct (gemm_params l) as [[[[alpha beta] ta] tb] |]; [| discriminate].
      exact (k_gemm_gives A st alpha beta ta tb a b c t _ p M P H).
    - (* LRN *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (lrn_params l (dims x)) as [[[[alpha beta] bias] size] |] eqn:E; [| discriminate].
      assert (0 < size) as pos.
      { unfold lrn_params in E. destruct (real_attr l "alpha" _); [| discriminate].
        destruct (real_attr l "beta" _); [| discriminate]. destruct (real_attr l "bias" _); [| discriminate].
        destruct (nat_attr l "size" _); [| discriminate]. unfold guard in E. destruct (_ && _) eqn:B in E; [| discriminate]. injection E as <- <- <- <-.
        apply andb_true_iff in B. now apply Nat.ltb_lt. }
      exact (k_lrn_gives A st alpha beta bias size x t p pos M P H).
    - (* AveragePool *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (average_params l (dims x)) as [[[[w k] c] include] |]; [| discriminate].
      exact (k_average_pool_gives A st c include w k x t _ p M P H).
    - (* BatchNormalization *) intro_entry.
      destruct ts as [| x [| g [| b [| m [| s [| ? ?]]]]]]; try discriminate. cbn [map] in V. unfold one in V.
      destruct (real_attr l "epsilon" (Some epsilon_bits)) as [e |]; [| discriminate].
      destruct (batch_norm A e x g b m s) as [t |] eqn:M; [| discriminate]. injection V as <-.
      exact (k_batch_norm_gives A st e x g b m s t p M P H).
    - now apply folds_correct.
    - (* Transpose *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P. destruct (perm_of l (dims x)) as [perm |]; [| discriminate].
      exact (k_transpose_gives A st perm x t p M P H).
    - apply recasts_correct.
    - now apply binary_correct.
    - now apply binary_correct.
    - (* ConstantOfShape *) intro_entry. destruct ts; [| discriminate]. cbn [map] in V. unfold one in V.
      destruct (sizes_attr l "shape" None) as [ds |]; [| discriminate].
      destruct (dtype_attr l "dtype" (Some 1%Z)); [| discriminate].
      destruct (real_attr l "value" (Some 0%N)) as [a |]; [| discriminate]. injection V as <-.
      now apply (k_fill_gives A st ds (s_real A a) (lit A (LReal a)) p).
    - (* MatMul *) intro_entry. destruct (on2_some V) as (a & b & t & -> & M & ->).
      exact (k_matmul_gives A st a b t p M P H).
    - apply copies_correct.
    - now apply binary_correct.
    - (* Div *) intro_entry. destruct (on2_some V) as (x & y & t & -> & M & ->).
      destruct (s_integer A) eqn:int_.
      + exact (k_divided_gives A st x y t p int_ M P H).
      + apply (k_map2_gives A st (bin A ODiv) (div_cell A) x y t p); auto.
        intros s rho a b. unfold div_cell. now rewrite int_.
    - now apply of_floats_correct.
    - now apply elementwise_correct.
    - now apply elementwise_correct.
    - now apply of_floats_correct.
    - now apply of_floats_correct.
    - now apply of_floats_correct.
    - now apply elementwise_correct.
    - now apply of_floats_correct.
    - (* Pow *) intro_entry. apply floats_some in P. destruct P as [_ P].
      destruct (on2_some V) as (x & y & t & -> & M & ->). now apply (k_map2_gives A st (call2 A FPow) (s_pow A) x y t p).
    - now apply folds_correct.
    - now apply folds_correct.
    - apply recasts_correct.
    - apply recasts_correct.
    - (* ReduceMean *) apply (reduce_correct _ true); [reflexivity |]. intros l i o b c p E.
      destruct (reduce_params l (in_ i 0)) as [[keep axes] |]; [| discriminate]. apply floats_some in E. destruct E. eauto.
    - (* ReduceSum *) apply (reduce_correct _ false); [reflexivity |]. intros l i o b c p E.
      destruct (reduce_params l (in_ i 0)) as [[keep axes] |]; [| discriminate]. eauto.
    - (* Shape *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (int_attr l "start" (Some 0%Z)) as [start |]; [| discriminate].
      destruct (int_attr l "end" (Some (Z.of_nat (List.length (dims x))))) as [stop |]; [| discriminate].
      injection M as <-. exact (k_shape_gives A st start stop x p P).
    - (* Gather *) intro_entry. destruct (on2_some V) as (x & ix & t & -> & M & ->).
      change (in_ (map dims [x; ix]) 0) with (dims x) in P.
      destruct (axis_in l (Some 0%Z) (dims x)) as [axis |] eqn:E; [| discriminate].
      apply (k_gather_gives A st axis x ix index t p (axis_below _ _ _ _ E)); auto.
      + inversion G as [| ? ? _ G']. now inversion G'.
      + now apply (N eq_refl x ix).
    - (* Slice *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (slice_params l (dims x)) as [[[starts steps] parts] |]; [| discriminate].
      exact (k_slice_gives A st starts steps parts x t p M P H).
    - (* Cast *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      destruct (dtype_attr l "to" None) as [to |] eqn:E; [| discriminate].
      now apply (k_map_gives A st (call1 A (FCast to)) (s_cast A to) x t p).
    - (* Split *) intro_entry. destruct ts as [| x [| ? ?]]; try discriminate. cbn [map] in V.
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (split_params l (dims x)) as [[axis parts] |] eqn:E; [| discriminate].
      destruct (split A axis parts x) as [us |] eqn:M; [| discriminate]. injection V as <-.
      intros j t at_j. apply (k_split_gives A st axis parts x us j t p); auto.
      unfold split_params in E. destruct (axis_in l (Some 0%Z) (dims x)) as [a |] eqn:Ea; [| discriminate].
      destruct (sizes_attr l "split" None); [| discriminate]. injection E as <- <-. exact (axis_below _ _ _ _ Ea).
    - (* Pad *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (pad_params l (dims x)) as [[[[mode value] lo] hi] |]; [| discriminate].
      exact (k_pad_gives A st mode value lo hi x t p M P H).
    - (* Expand *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      exact (k_expand_gives A st _ x [] t p M P H).
    - (* EyeLike *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      destruct (int_attr l "k" (Some 0%Z)) as [k |]; [| discriminate].
      destruct (dtype_attr l "dtype" (Some 1%Z)); [| discriminate]. exact (k_eye_gives A st k x t p M P).
    - (* LayerNormalization *) intro_entry. destruct (on3_some V) as (x & g & b & t & -> & M & ->).
      change (in_ (map dims (with_third A x g b)) 0) with (dims x) in P.
      destruct (layer_params l (dims x)) as [[axis e] |]; [| discriminate].
      exact (k_layer_norm_gives A st axis e x g b t p M P H).
    - (* InstanceNormalization *) intro_entry. destruct (exactly3_some V) as (x & g & b & t & -> & M & ->).
      destruct (epsilon_of l) as [e |]; [| discriminate]. exact (k_instance_norm_gives A st e x g b t p M P H).
    - (* GroupNormalization *) intro_entry. destruct (exactly3_some V) as (x & g & b & t & -> & M & ->).
      change (in_ (map dims [x; g; b]) 0) with (dims x) in P. destruct (epsilon_of l) as [e |]; [| discriminate].
      destruct (group_of l (dims x)) as [n |]; [| discriminate]. exact (k_group_norm_gives A st n e x g b t p M P H).
    - (* LpNormalization *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P. destruct (lp_params l (dims x)) as [[axis square] |]; [| discriminate].
      exact (k_lp_norm_gives A st axis square x t p M P H).
    - (* L2Normalize *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P. destruct (l2_params l (dims x)) as [[axes e] |]; [| discriminate].
      exact (k_l2_norm_gives A st axes e x t p M P H).
    - (* Clip *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      destruct (clip_params l) as [[lo hi] |]; [| discriminate].
      apply (k_map_gives A st (clipped A lo hi) (clip_cell A lo hi) x t p); auto. intros rho e. apply eval_clipped.
    - (* LeakyRelu *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      destruct (real_attr l "alpha" (Some leak_bits)) as [alpha |]; [| discriminate].
      now apply (k_map_gives A st (leaky_relu A alpha) (leaky_relu_cell A alpha) x t p).
    - now apply elementwise_correct.
    - (* BiasAdd *) intro_entry. destruct (on2_some V) as (x & b & t & -> & M & ->).
      change (in_ (map dims [x; b]) 0) with (dims x) in P. destruct (axis_in l (Some 1%Z) (dims x)) as [axis |]; [| discriminate].
      exact (k_bias_add_gives A st axis x b t p M P H).
    - now apply fills_correct.
    - now apply fills_correct.
    - (* FullLike *) intro_entry. destruct (on2_some V) as (x & b & t & -> & M & ->).
      destruct (dims b) eqn:B; [| discriminate]. injection M as <-. exact (k_full_like_gives A st x b p B P H).
    - (* ReshapeLike *) intro_entry. destruct (on2_some V) as (x & y & t & -> & M & ->).
      unfold recast_to in M. destruct (reshape_like_of l (dims x) (dims y)) as [ds |]; [| discriminate].
      apply (k_reshape_gives A st ds x [dims y] t p); [now inversion G | exact M | exact P | now apply (H 0)].
    - (* BroadcastLike *) intro_entry. destruct (on2_some V) as (x & y & t & -> & M & ->).
      exact (k_expand_gives A st _ x [y] t p M P H).
    - (* CollapseSum *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      destruct (sizes_attr l "shape" None) as [to |]; [| discriminate]. exact (k_collapse_gives A st to x [] t p M P H).
    - (* CollapseSumLike *) intro_entry. destruct (on2_some V) as (x & y & t & -> & M & ->).
      exact (k_collapse_gives A st (dims y) x [dims y] t p M P (holds_one _ _ _ H)).
    - (* LayoutTransform *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      destruct (layout_of l) as [perm |]; [| discriminate]. exact (k_transpose_gives A st perm x t p M P H).
    - now apply pairs_correct.
    - now apply pairs_correct.
    - now apply pairs_correct.
    - now apply pairs_correct.
    - now apply pairs_correct.
    - now apply elementwise_correct.
    - now apply pairs_correct.
    - now apply pairs_correct.
    - now apply pairs_correct.
    - (* Where *) intro_entry. destruct (exactly3_some V) as (c & x & y & t & -> & M & ->).
      exact (k_where_gives A st c x y t p M P H).
    - now apply pointwise_correct.
    - apply pointwise_correct. now intros [alpha gamma].
    - now apply pointwise_correct.
    - now apply onto_correct.
    - now apply pointwise_correct.
    - apply pointwise_correct. now intros [alpha beta].
    - now apply elementwise_correct.
    - now apply elementwise_correct.
    - now apply elementwise_correct.
    - now apply elementwise_correct.
    - apply pointwise_correct. now intros [|].
    - now apply pointwise_correct.
    - now apply elementwise_correct.
    - now apply of_floats_correct.
    - now apply pairs_correct.
    - (* ReduceMax *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (reduce_params l (dims x)) as [[keep axes] |]; [| discriminate].
      exact (k_reduce_max_gives A st keep axes x t p M P H).
    - (* LogSoftmax *) intro_entry. destruct (on1_some V) as (x & t & -> & M & ->).
      change (in_ (map dims [x]) 0) with (dims x) in P.
      destruct (softmax_params l (dims x)) as [[axis flatten] |]; [| discriminate].
      exact (k_log_softmax_gives A st axis flatten x t p M P H).
    - (* RMSNormalization *) intro_entry. destruct (on2_some V) as (x & g & t & -> & M & ->).
      change (in_ (map dims [x; g]) 0) with (dims x) in P.
      destruct (layer_params l (dims x)) as [[axis e] |]; [| discriminate].
      exact (k_rms_norm_gives A st axis e x g t p M P H).
  Qed.

  (** ** By name *)

  Lemma look_up_both {B C} (R : string -> B -> C -> Prop) (ks : list (string * B)) (os : list (string * C)) name k o :
    Forall2 (fun k o => fst k = fst o /\ R (fst k) (snd k) (snd o)) ks os ->
    look_up String.eqb ks name = Some k -> look_up String.eqb os name = Some o -> R name k o.
  Proof.
    unfold look_up. intros F. induction F as [| [n b] [m c] ks os [E r] _ IH]; [discriminate |].
    cbn [find fst snd option_map] in *. subst m. destruct (String.eqb_spec n name) as [-> | ne]; [| exact IH].
    cbn [option_map snd]. intros Eb Ec. injection Eb as <-. injection Ec as <-. exact r.
  Qed.

  Theorem op_kernel_correct name l ts v index p (st : store) :
    op_value A name l (map GTensor ts) = Some v ->
    op_kernel A name l (map dims ts) (result_dims v) (s_integer A) index = Some p ->
    Forall good ts -> given name ts index -> holds A st ts -> computes p st v.
  Proof.
    unfold op_value, op_kernel. rewrite inputs_present. intros V P G N H.
    destruct (look_up String.eqb (operators A) name) as [o |] eqn:O; [| discriminate].
    destruct (look_up String.eqb (kernels A) name) as [k |] eqn:Kk; [| discriminate].
    pose proof (look_up_both entry_correct _ _ name k o entries_correct Kk O) as C.
    destruct ((cell_count (result_dims v) =? 0) && negb (String.eqb name "Split")) eqn:empty.
    - apply andb_true_iff in empty. destruct empty as [none other]. apply Nat.eqb_eq in none.
      destruct v as [t | us |].
      + intros i I. cbn [result_dims] in none. apply position_lt in I. lia.
      + simpl in none. discriminate.
      + simpl in none. discriminate.
    - exact (C l ts v index p st V P G N H).
  Qed.
End Correct.
