(** * Where operators have kernels

    An operator that has a value has a kernel, but for what kernels cannot do: functions of
    floats on integers, pooling over nothing, gathering at too many indices. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.OpTable tensor.OpIndex tensor.OpIndexProof.
From Calque Require Import tensor.OpKernel tensor.OpEval tensor.OpMapProof tensor.OpSumProof tensor.OpPadProof.
From Calque Require Import tensor.OpPoolProof tensor.OpCorrect tensor.OpSafeAll.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Guards that can hold *)

Definition reaches (a : ixs) (n : nat) : Prop := (0 <= ix_last a)%Z /\ (ix_first a < Z.of_nat n)%Z.

Lemma guards_some l d : Forall2 reaches l d -> exists cs, guards l d = Some cs.
Proof.
  intros F. induction F as [| a n l d [h f] _ [cs IH]]; [exists []; reflexivity |].
  cbn [guards]. rewrite IH.
  destruct (Z.ltb_spec (ix_last a) 0), (Z.leb_spec (Z.of_nat n) (ix_first a)); try lia. cbn [orb]. eauto.
Qed.

Lemma reaches_spans a n l h : spans a l h -> (0 <= h)%Z -> (l < Z.of_nat n)%Z -> reaches a n.
Proof. intros [<- <-]. now split. Qed.

Lemma reaches_var v n m : n <> 0 -> m <> 0 -> reaches (ix_var v n) m.
Proof. intros N M. apply (reaches_spans _ _ _ _ (spans_var v n)); lia. Qed.

(** A window of which no end lies in the padding. *)
Lemma window_reaches ss : forall ds ps ys ks ns v u,
  forallb (Nat.ltb 0) ss = true -> forallb (Nat.ltb 0) ds = true ->
  length ds = length ss -> length ps = length ss -> length ys = length ss -> length ks = length ss ->
  length ns = length ss -> no_zero ns = true ->
  forallb (fun ekd => match ekd with (p, (k, d)) => p <? extent k d end) (combine ps (combine ks ds)) = true ->
  Forall2 reaches (window_ix ss ds ps (numbered v ys) (bound u ks)) ns.
Proof.
  induction ss as [| s ss IH]; intros [| d ds] [| p ps] [| y ys] [| k ks] [| n ns] v u Hs Hd L1 L2 L3 L4 L5 nz F;
    try discriminate; [constructor |].
  cbn [forallb] in Hs, Hd. apply andb_true_iff in Hs, Hd. destruct Hs as [s0 Hs], Hd as [d0 Hd]. apply Nat.ltb_lt in s0, d0.
  unfold no_zero in nz. cbn [forallb] in nz. apply andb_true_iff in nz. destruct nz as [n0 nz].
  apply negb_true_iff, Nat.eqb_neq in n0. cbn [combine forallb] in F. apply andb_true_iff in F. destruct F as [f F].
  apply Nat.ltb_lt in f. unfold extent in f. injection L1 as L1. injection L2 as L2. injection L3 as L3. injection L4 as L4.
  injection L5 as L5. cbn [numbered bound].
  set (b := if 1 <? k then ix_var u k else ix_const 0).
  assert (spans b 0 (Z.of_nat (k - 1))) as Sb.
  { unfold b. destruct (Nat.ltb_spec 1 k); [apply spans_var |]. replace (k - 1) with 0 by lia. apply spans_const. }
  assert (exists u', (if 1 <? k then ix_var u k :: bound (S u) ks else ix_const 0 :: bound u ks) = b :: bound u' ks) as (u' & ->)
    by (unfold b; destruct (1 <? k); eauto).
  cbn [window_ix]. constructor; [| now apply IH].
  assert (spans (ix_plus (ix_add (ix_mul (ix_var v y) (Z.of_nat s)) (ix_mul b (Z.of_nat d))) (- Z.of_nat p))
            (0 * Z.of_nat s + 0 * Z.of_nat d + - Z.of_nat p)
            (Z.of_nat (y - 1) * Z.of_nat s + Z.of_nat (k - 1) * Z.of_nat d + - Z.of_nat p)) as Sp.
  { apply spans_plus, spans_add; apply spans_mul; auto using spans_var; lia. }
  apply (reaches_spans _ _ _ _ Sp); nia.
Qed.

(** The same places and sizes with the padding counted. *)
Lemma counted_reaches l : forall ns ps qs, Forall2 reaches l ns -> length ps = length l -> length qs = length l ->
  (forall a p, In (a, p) (combine l ps) -> (ix_first a <= - Z.of_nat p)%Z) ->
  Forall2 reaches (map (fun ap => ix_plus (fst ap) (Z.of_nat (snd ap))) (combine l ps))
    (map (fun npq => fst npq + fst (snd npq) + snd (snd npq)) (combine ns (combine ps qs))).
Proof.
  induction l as [| a l IH]; intros [| n ns] [| p ps] [| q qs] F L1 L2 H; try discriminate; inversion F as [| ? ? ? ? [h f] F']; subst;
    [constructor |].
  cbn [combine map fst snd]. constructor.
  - split; rewrite ?first_plus, ?last_plus; [lia |]. specialize (H a p (or_introl eq_refl)). lia.
  - apply IH; auto. intros b r inb. apply H. now right.
Qed.

Lemma window_first ss : forall ds ps ys ks v u, forallb (Nat.ltb 0) ss = true -> forallb (Nat.ltb 0) ds = true ->
  forall a p, In (a, p) (combine (window_ix ss ds ps (numbered v ys) (bound u ks)) ps) -> (ix_first a <= - Z.of_nat p)%Z.
Proof.
  induction ss as [| s ss IH]; intros [| d ds] [| p ps] [| y ys] [| k ks] v u Hs Hd a q I; try (destruct I; fail).
  cbn [forallb] in Hs, Hd. apply andb_true_iff in Hs, Hd. destruct Hs as [s0 Hs], Hd as [d0 Hd]. apply Nat.ltb_lt in s0, d0.
  cbn [numbered bound] in I. set (b := if 1 <? k then ix_var u k else ix_const 0).
  assert (spans b 0 (Z.of_nat (k - 1))) as Sb.
  { unfold b. destruct (Nat.ltb_spec 1 k); [apply spans_var |]. replace (k - 1) with 0 by lia. apply spans_const. }
  assert (exists u', (if 1 <? k then ix_var u k :: bound (S u) ks else ix_const 0 :: bound u ks) = b :: bound u' ks) as (u' & Eu)
    by (unfold b; destruct (1 <? k); eauto).
  rewrite Eu in I. cbn [window_ix combine] in I. destruct I as [I | I]; [| exact (IH ds ps ys ks (S v) u' Hs Hd a q I)].
  injection I as <- <-.
  assert (spans (ix_plus (ix_add (ix_mul (ix_var v y) (Z.of_nat s)) (ix_mul b (Z.of_nat d))) (- Z.of_nat p))
            (0 * Z.of_nat s + 0 * Z.of_nat d + - Z.of_nat p)
            (Z.of_nat (y - 1) * Z.of_nat s + Z.of_nat (k - 1) * Z.of_nat d + - Z.of_nat p)) as [-> _].
  { apply spans_plus, spans_add; apply spans_mul; auto using spans_var; lia. }
  lia.
Qed.

Section Exists.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).

  Definition float_functions : list string :=
    ["Sqrt"; "Exp"; "Log"; "Tanh"; "Erf"; "Round"; "Pow"; "Gemm"; "ReduceMean"; "MaxPool"; "AveragePool"].

  (** What kernels can do. *)
  Definition possible (name : string) (ts : list tensor) (index : list Z) : Prop :=
    (s_integer A = true -> ~ In name float_functions) /\
    (In name ["MaxPool"; "AveragePool"] -> Forall (fun t => cell_count (dims t) <> 0) ts) /\
    (name = "Gather" -> length index <= gather_most).

  Definition entry_exists (name : string) (k : entry A) (o : operator A) : Prop :=
    forall l ts v index,
      op_cells o l (map Some ts) = Some v -> (name = "Split" \/ cell_count (result_dims A v) <> 0) ->
      Forall good ts -> given A name ts index -> possible name ts index ->
      exists p, k l (map dims ts) (result_dims A v) (s_integer A) index = Some p.

  Lemma stores_some out e : exists p, stores A out e = Some p.
  Proof. eexists. reflexivity. Qed.

  Lemma floats_of name ts index (q : option (prog K)) : possible name ts index -> In name float_functions ->
    (exists p, q = Some p) -> exists p, floats A (s_integer A) q = Some p.
  Proof. intros [N _] I E. unfold floats. destruct (s_integer A); [now destruct (N eq_refl) | exact E]. Qed.

  (** Sizes of a pooled input and of its result. *)
  Lemma pool_reaches ceil w kernel n c ns l : pool_dims ceil w kernel (n :: c :: ns) = Some (n :: c :: l) ->
    no_zero (n :: c :: ns) = true ->
    Forall2 reaches (nth_ix (outer kernel (n :: c :: l)) 0 :: nth_ix (outer kernel (n :: c :: l)) 1 ::
                     place_ix w (skipn 2 (outer kernel (n :: c :: l))) (bound 0 kernel)) (n :: c :: ns) /\
    Forall2 reaches (place_ix w (outer kernel l) (bound 0 kernel)) ns /\
    (forall a p, In (a, p) (combine (place_ix w (outer kernel l) (bound 0 kernel)) (pads_before w)) ->
       (ix_first a <= - Z.of_nat p)%Z) /\
    length (place_ix w (outer kernel l) (bound 0 kernel)) = length ns /\
    length (pads_before w) = length ns /\ length (pads_after w) = length ns.
  Proof.
    intros E nz. pose proof E as E'. unfold pool_dims, guard in E'. destruct (_ && _) eqn:G in E'; [| discriminate].
    destruct (spatial_dims ceil w kernel ns) as [l' |] eqn:Sp; [| discriminate]. injection E' as ->.
    destruct (spatial_facts _ _ _ _ _ Sp) as (Ll & Lk & nzk & Ls & Ld & Lp).
    destruct (window_positive _ _ _ _ _ Sp) as (ps & pd & La).
    rewrite !andb_true_iff in G. destruct G as [[_ Gb] _].
    unfold no_zero in nz. cbn [forallb] in nz. rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq in nz.
    destruct nz as (n0 & c0 & nzs).
    assert (forall v, Forall2 reaches (window_ix (strides w) (dilations w) (pads_before w) (numbered v l) (bound 0 kernel)) ns) as W.
    { intros v. apply window_reaches; auto; congruence. }
    repeat split.
    - constructor; [now apply reaches_var |]. constructor; [now apply reaches_var |]. apply W.
    - apply W.
    - intros a p I. unfold place_ix, outer in I. exact (window_first _ _ _ _ _ _ _ ps pd a p I).
    - apply length_window_ix; auto; [unfold outer; now rewrite length_numbered | now rewrite length_bound].
    - exact Lp.
    - exact La.
  Qed.

  Lemma pooled_some ceil r other w kernel (x : tensor) out : s_integer A = false -> cell_count (dims x) <> 0 ->
    pool_dims ceil w kernel (dims x) = Some out ->
    exists e, pooled A (map dims [x]) out (s_integer A) r other w kernel = Some e.
  Proof.
    intros int_ some E. destruct (pool_facts _ _ _ _ _ E) as (n & c & ns & l & Dx & -> & _).
    unfold pooled. change (in_ (map dims [x]) 0) with (dims x). rewrite Dx in *.
    destruct (pool_reaches _ _ _ _ _ _ _ E (cells_no_zero _ some)) as (F & _).
    destruct (guards_some _ _ F) as [cs ->]. rewrite int_. destruct (Nat.eqb_spec (cell_count (n :: c :: ns)) 0); [contradiction |].
    cbn [orb]. eauto.
  Qed.

  Ltac intro_entry := intros l ts v index V E G N Q; cbn [op_cells op1 op2 op3 OpTable.elementwise OpTable.pointwise onto binary folded copy
    recasting conv_op max_pool_op average_pool_op softmax_op concat_op gemm_op lrn_op batch_norm_op transpose_op constant_op
    reduce_op shape_op gather_op slice_op cast_op split_op pad_op expand_op broadcast_like_op eye_op layer_norm_op
    instance_norm_op group_norm_op lp_norm_op l2_norm_op clip_op leaky_relu_op bias_add_op like_op full_like_op
    reshape_like_op collapse_op collapse_like_op where_op reduce_max_op log_softmax_op rms_norm_op] in V.

  Ltac found := first [apply stores_some | eexists; reflexivity].

  (** One input, and parameters that both sides read. *)
  Ltac unary V := destruct (on1_some A V) as (x & t & -> & M & ->);
    change (in_ (map dims [x]) 0) with (dims x); cbn [result_dims] in *.

  Ltac read := repeat match goal with
    | M : (match ?q with Some _ => _ | None => None end) = Some _ |- _ => destruct q as [?par |] eqn:?; [| discriminate]
    | p : (_ * _)%type |- _ => destruct p
    end.

  Theorem entries_exist :
    Forall2 (fun k o => fst k = fst o /\ entry_exists (fst k) (snd k) (snd o)) (kernels A) (operators A).
  Proof.
    assert (forall name k g, (forall i o b, exists p, k i o b = Some p) ->
              entry_exists name (fun _ i o b _ => k i o b) g) as always.
    { intros name k g H l ts v index _ _ _ _ _. apply H. }
    assert (forall name f g, In name float_functions -> entry_exists name (of_floats A f) g) as fl.
    { intros name f g I l ts v index _ _ _ _ Q. apply (floats_of name ts index _ Q I). found. }
    assert (forall name P (params : attributes -> option P) f g,
              entry_exists name (pointwise A params f) (OpTable.pointwise A params g)) as pw.
    { intros name P params f g. unfold pointwise. intro_entry. unary V. destruct (params l); [found | discriminate]. }
    unfold kernels, operators. repeat (apply Forall2_cons; [split; [reflexivity |]; cbn [fst snd] |]); [.. | apply Forall2_nil];
      try (apply (always _ (fun i o b => k_map A i o _)); intros; found);
      try (apply (always _ (fun i o b => k_fold A i o _)); intros; found);
      try (apply (always _ (fun i o b => k_reshape A i o)); intros; found);
      try (apply (always _ (fun i o b => k_map2 A i o _)); intros; found);
      try (apply (always _ (fun i o b => k_where A i o)); intros; found);
      try (apply (always _ (fun i o b => stores A o _)); intros; found);
      try (apply pw);
      try (apply fl; simpl; repeat first [left; reflexivity | right]; fail).
    - (* Conv *) intro_entry. destruct (on3_some A V) as (x & f & b & t & -> & M & ->).
      change (in_ (map dims (with_third A x f b)) 0) with (dims x). change (in_ (map dims (with_third A x f b)) 1) with (dims f).
      read. found.
    - (* MaxPool *) intro_entry. unary V. destruct (pool_params l true (dims x)) as [[[w k] c] |]; [| discriminate].
      destruct Q as (I & B & _).
      assert (s_integer A = false) as int_ by (destruct (s_integer A); [exfalso; apply I; simpl; tauto | reflexivity]).
      assert (cell_count (dims x) <> 0) as some by (specialize (B ltac:(simpl; tauto)); now inversion B).
      unfold k_max_pool. destruct (pooled_some c KMax LLeast w k x (dims t) int_ some (table_out A M)) as [e ->]. found.
    - (* Softmax *) intro_entry. unary V. read. found.
    - (* Concat *) intro_entry. destruct (any_some A V) as (x & r & t & -> & M & ->).
      change (in_ (map dims (x :: r)) 0) with (dims x). read. found.
    - (* Gemm *) intro_entry. destruct (on3_some A V) as (a & b & c & t & -> & M & ->). read.
      unfold k_gemm. apply (floats_of "Gemm" _ _ _ Q); [simpl; tauto | found].
    - (* LRN *) intro_entry. unary V. destruct (lrn_params l (dims x)) as [[[[alpha beta] bias] n] |] eqn:Ep; [| discriminate].
      destruct E as [E | E]; [discriminate |].
      unfold lrn, guard in M. destruct (2 <=? List.length (dims x)) eqn:R; [| discriminate]. apply Nat.leb_le in R.
      assert (Some (dims x) = Some (dims t)) as D by exact (table_out A M). injection D as D.
      unfold k_lrn. rewrite <- D in *. pose proof (cells_no_zero _ E) as nz.
      assert (0 < n) as pos.
      { unfold lrn_params in Ep. destruct (real_attr l "alpha" _); [| discriminate].
        destruct (real_attr l "beta" _); [| discriminate]. destruct (real_attr l "bias" _); [| discriminate].
        destruct (nat_attr l "size" _); [| discriminate]. unfold guard in Ep.
        destruct (_ && _) eqn:B in Ep; [| discriminate]. injection Ep as <- <- <- <-.
        apply andb_true_iff in B. now apply Nat.ltb_lt. }
      destruct (dims x) as [| d0 [| d1 ds]]; simpl in R; try lia.
      unfold no_zero in nz. cbn [forallb] in nz. rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq in nz.
      destruct nz as (z0 & z1 & nzs).
      assert (forall v d, no_zero d = true -> Forall2 reaches (numbered v d) d) as num_.
      { clear. intros v d. revert v. unfold no_zero. induction d as [| m d IH]; intros v nz; [constructor |].
        cbn [forallb] in nz. apply andb_true_iff in nz. destruct nz as [m0 nz]. apply negb_true_iff, Nat.eqb_neq in m0.
        cbn [numbered]. constructor; [now apply reaches_var | now apply IH]. }
      unfold outer. cbn [numbered set_nth]. unfold nth_ix. cbn [nth].
      match goal with |- context [guards ?q ?d] => assert (Forall2 reaches q d) as F end.
      { constructor; [now apply reaches_var |]. constructor; [| now apply num_].
        assert (spans (nth 0 (bound 0 [n]) (ix_const 0)) 0 (Z.of_nat (n - 1))) as Sb.
        { cbn [bound]. destruct (Nat.ltb_spec 1 n); cbn [nth]; [apply spans_var |]. replace (n - 1) with 0 by lia. apply spans_const. }
        pose proof (Nat.div_mod (n - 1) 2 ltac:(lia)) as dm. pose proof (Nat.mod_upper_bound (n - 1) 2 ltac:(lia)).
        assert (forall vv, spans (ix_plus (ix_add (ix_var vv d1) (nth 0 (bound 0 [n]) (ix_const 0))) (- Z.of_nat ((n - 1) / 2)))
                  (0 + 0 + - Z.of_nat ((n - 1) / 2)) (Z.of_nat (d1 - 1) + Z.of_nat (n - 1) + - Z.of_nat ((n - 1) / 2))) as Sp.
        { intros vv. apply spans_plus, spans_add; [apply spans_var | exact Sb]. }
        apply (reaches_spans _ _ _ _ (Sp _)); lia. }
      destruct (guards_some _ _ F) as [cs ->]. found.
    - (* AveragePool *) intro_entry. unary V.
      destruct (average_params l (dims x)) as [[[[w k] c0] include] |]; [| discriminate]. destruct Q as (I & B & _).
      assert (s_integer A = false) as int_ by (destruct (s_integer A); [exfalso; apply I; simpl; tauto | reflexivity]).
      assert (cell_count (dims x) <> 0) as some by (specialize (B ltac:(simpl; tauto)); now inversion B).
      pose proof (table_out A M) as D. unfold k_average_pool.
      destruct (pooled_some _ KSum (LInt 0) w k x (dims t) int_ some D) as [e ->].
      destruct (existsb varies _); [| found].
      destruct (pool_facts _ _ _ _ _ D) as (n & c & ns & ll & Dx & Dt & _). rewrite Dx, Dt in *.
      destruct (pool_reaches _ _ _ _ _ _ _ D (cells_no_zero _ some)) as (_ & W & Fi & Lw & Lb & La).
      change (in_ (map dims [x]) 0) with (dims x). rewrite Dx. change (skipn 2 (n :: c :: ns)) with ns.
      change (skipn 2 (n :: c :: ll)) with ll.
      assert (Forall2 reaches (count_ix w include k ll) (count_limit w include ns)) as F.
      { unfold count_ix, count_limit. destruct include; [| exact W]. apply counted_reaches; auto; congruence. }
      destruct (guards_some _ _ F) as [cs ->]. found.
    - (* BatchNormalization *) intro_entry.
      destruct ts as [| x [| g [| b [| m [| s [| ? ?]]]]]]; try discriminate. cbn [map] in V. unfold one in V.
      destruct (real_attr l "epsilon" (Some epsilon_bits)) as [e |]; [| discriminate]. found.
    - (* Transpose *) intro_entry. unary V. read. found.
    - (* ConstantOfShape *) intro_entry. destruct ts; [| discriminate]. cbn [map] in V. unfold one in V.
      destruct (sizes_attr l "shape" None) as [ds |]; [| discriminate]. destruct (dtype_attr l "dtype" _); [| discriminate].
      destruct (real_attr l "value" (Some 0%N)) as [a |]; [| discriminate]. found.
    - (* MatMul *) intro_entry. destruct (on2_some A V) as (a & b & t & -> & M & ->). unfold matmul in M. unfold k_matmul.
      change (in_ (map dims [a; b]) 0) with (dims a). change (in_ (map dims [a; b]) 1) with (dims b). read. found.
    - (* Div *) intro_entry. destruct (s_integer A); found.
    - (* Pow *) intro_entry. apply (floats_of "Pow" _ _ _ Q); [simpl; tauto | found].
    - (* ReduceMean *) intro_entry. unary V. read. apply (floats_of "ReduceMean" _ _ _ Q); [simpl; tauto | found].
    - (* ReduceSum *) intro_entry. unary V. read. found.
    - (* Shape *) intro_entry. unary V. read. unfold k_shape. destruct (shape_bounds _ _ _). found.
    - (* Gather *) intro_entry. destruct (on2_some A V) as (x & ix & t & -> & M & ->).
      change (in_ (map dims [x; ix]) 0) with (dims x). destruct (axis_in l (Some 0%Z) (dims x)) as [axis |] eqn:Ea; [| discriminate].
      unfold k_gather. change (in_ (map dims [x; ix]) 0) with (dims x). change (in_ (map dims [x; ix]) 1) with (dims ix).
      destruct Q as (_ & _ & Q). specialize (Q eq_refl). specialize (N eq_refl x ix eq_refl).
      rewrite (proj2 (Nat.ltb_ge _ _) Q); cbn [orb]; clear Q. unfold gather in M. unfold guard in M at 1.
      destruct (forallb _ (box (dims ix))) eqn:ok in M; [| discriminate].
      match goal with |- context [negb (forallb ?f index)] => assert (forallb f index = true) as ->; [| cbn [negb]; found] end.
      apply forallb_forall. intros z inz. destruct (In_nth _ _ 0%Z inz) as (q & lq & <-).
      assert (good ix) as Gx by (inversion G as [| ? ? _ G']; now inversion G').
      pose proof (traverse_len _ _ _ N) as Ln. rewrite forallb_forall in ok.
      assert (q < cell_count (dims ix)) as qc by (rewrite <- Gx; lia). destruct (index_at_spec (dims ix) q qc) as [Iq Pq].
      specialize (ok (index_at (dims ix) q)). assert (In (index_at (dims ix) q) (box (dims ix))) as inb by now apply in_box_box.
      specialize (ok inb). unfold Ops.index_of in ok.
      assert (at_ A ix (index_at (dims ix) q) = nth q (cells ix) (s_zero A)) as Ea' by (unfold at_, get; now rewrite Iq, Pq).
      rewrite Ea', (traverse_nth _ _ _ q (s_zero A) 0%Z N) in ok by lia. unfold guard in ok.
      rewrite andb_true_iff, Z.leb_le, Z.ltb_lt.
      destruct (Z.ltb_spec (nth q index 0%Z) 0); destruct (_ && _) eqn:R in ok; try discriminate;
        apply andb_true_iff in R; rewrite Z.leb_le, Z.ltb_lt in R; lia.
    - (* Slice *) intro_entry. unary V. read. found.
    - (* Split *) intro_entry. destruct ts as [| x [| ? ?]]; try discriminate. cbn [map] in V.
      change (in_ (map dims [x]) 0) with (dims x). read. found.
    - (* Pad *) intro_entry. unary V. destruct (pad_params l (dims x)) as [[[[mode value] lo] hi] |]; [| discriminate].
      unfold k_pad. destruct mode; [found | |]; destruct (existsb grows _); found.
    - (* EyeLike *) intro_entry. unary V. read. found.
    - (* LayerNormalization *) intro_entry. destruct (on3_some A V) as (x & g & b & t & -> & M & ->).
      change (in_ (map dims (with_third A x g b)) 0) with (dims x). read. found.
    - (* InstanceNormalization *) intro_entry. destruct (exactly3_some A V) as (x & g & b & t & -> & M & ->). read. found.
    - (* GroupNormalization *) intro_entry. destruct (exactly3_some A V) as (x & g & b & t & -> & M & ->).
      change (in_ (map dims [x; g; b]) 0) with (dims x). read. found.
    - (* LpNormalization *) intro_entry. unary V. read. found.
    - (* L2Normalize *) intro_entry. unary V. read. found.
    - (* Clip *) intro_entry. unary V. read. found.
    - (* BiasAdd *) intro_entry. destruct (on2_some A V) as (x & b & t & -> & M & ->).
      change (in_ (map dims [x; b]) 0) with (dims x). read. found.
    - (* LayoutTransform *) intro_entry. unary V. read. found.
    - (* ReduceMax *) intro_entry. unary V. read. found.
    - (* LogSoftmax *) intro_entry. unary V. read. found.
    - (* RMSNormalization *) intro_entry. destruct (on2_some A V) as (x & g & t & -> & M & ->).
      change (in_ (map dims [x; g]) 0) with (dims x). read. found.
  Qed.

  Theorem op_kernel_exists name l ts v index :
    op_value A name l (map GTensor ts) = Some v -> Forall good ts -> given A name ts index ->
    possible name ts index ->
    exists p, op_kernel A name l (map dims ts) (result_dims A v) (s_integer A) index = Some p.
  Proof.
    unfold op_value, op_kernel. rewrite inputs_present. intros V G N Q.
    destruct (look_up String.eqb (operators A) name) as [o |] eqn:O; [| discriminate].
    assert (exists k, look_up String.eqb (kernels A) name = Some k) as [k Kk].
    { revert O. unfold look_up. pose proof entries_exist as F. revert F.
      generalize (kernels A), (operators A). intros ks os F.
      induction F as [| [n b] [m c] ks os [e _] _ IH]; [discriminate |]. cbn [find fst] in *. subst m.
      destruct (String.eqb n name); [eexists; reflexivity | exact IH]. }
    rewrite Kk. pose proof (look_up_both entry_exists _ _ name k o entries_exist Kk O) as C.
    destruct ((cell_count (result_dims A v) =? 0) && negb (String.eqb name "Split")) eqn:empty; [eexists; reflexivity |].
    apply (C l ts v index V); auto. apply andb_false_iff in empty.
    rewrite Nat.eqb_neq, negb_false_iff, String.eqb_eq in empty. tauto.
  Qed.
End Exists.
