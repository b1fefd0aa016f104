(** * Kernels of sums, products, convolution and pooling *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsNorm tensor.OpsWindow tensor.OpIndex tensor.OpIndexProof tensor.OpKernel.
From Calque Require Import tensor.OpEval tensor.OpMapProof.
Import ListNotations.
Open Scope nat_scope.

Lemma length_bound v d : length (bound v d) = length d.
Proof. revert v. induction d as [| n d IH]; intros v; cbn [bound]; [reflexivity |]. destruct (1 <? n); cbn [length]; auto. Qed.

Lemma all_see_tl rho l i : all_see rho l i -> all_see rho (tl l) (tl i).
Proof. intros H. destruct H as [| a z l i _ H]; [constructor | exact H]. Qed.

Section Sum.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Notation ex := (Kernel.ex K).
  Variable st : Kernel.store K.

  (** Variables of the reduction and of the output, under it. *)
  Lemma under_intro i es d e (f : list Z -> num) :
    in_box d i = true ->
    (forall rho x, in_box es x = true -> all_see rho (bound 0 es) x -> all_see rho (outer es d) i ->
       eval st rho e = f x) ->
    under A st i es e f.
  Proof. intros I H k x X B len. apply H; auto. now apply all_see_outer. Qed.

  (** ** Sums over dimensions *)

  Lemma eval_sum_marked m x ins out (v : list ixs) i rest :
    holds A st [x] -> in_ ins 0 = dims x -> in_box out i = true ->
    (forall rho, all_see rho (outer (marked m (dims x)) out) i -> all_see rho v rest) ->
    eval st i (sum_marked A ins m v) = sum_over A m x rest.
  Proof.
    intros H D I V. unfold sum_marked, sum_over. rewrite D. apply eval_sum_or_zero.
    apply (under_intro i _ out); [exact I |]. intros rho k Kb B O.
    apply (load_input A st [x] 0 x); auto. apply all_see_weave; auto.
  Qed.

  Theorem k_reduce_gives (mean keep : bool) axes x t p :
    (if mean then reduce_mean A keep axes x else reduce_sum A keep axes x) = Some t ->
    k_reduce A (map dims [x]) (dims t) mean keep axes = Some p -> holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. unfold k_reduce in P. change (in_ (map dims [x]) 0) with (dims x) in P.
    set (m := marks (length (dims x)) axes) in *.
    assert (forall i, in_box (dims t) i = true ->
              eval st i (sum_marked A (map dims [x]) m
                (if keep then unmarked m (outer (marked m (dims x)) (dims t)) else outer (marked m (dims x)) (dims t))) =
              sum_over A m x (if keep then unmarked m i else i)) as E.
    { intros i I. apply eval_sum_marked with (out := dims t); auto. intros rho O.
      destruct keep; [now apply all_see_unmarked | exact O]. }
    destruct mean.
    - apply (stores_gives A st _ _ _ _ _ M P). intros i I. rewrite eval_over_n. now rewrite E.
    - apply (stores_gives A st _ _ _ _ _ M P). intros i I. now rewrite E.
  Qed.

  Theorem k_reduce_max_gives (keep : bool) axes x t p :
    reduce_max A keep axes x = Some t ->
    k_reduce_max A (map dims [x]) (dims t) keep axes = Some p -> holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. destruct (table_some A _ _ _ M) as (ds & E & _). unfold greatest_dims, guard in E.
    destruct (forallb _ _) eqn:nz in E; [| discriminate].
    unfold k_reduce_max in P. change (in_ (map dims [x]) 0) with (dims x) in P.
    set (m := marks (length (dims x)) axes) in *.
    apply (stores_gives A st _ _ _ _ _ M P). intros i I. apply eval_reduced_max; [exact nz |].
    apply (under_intro i _ (dims t)); [exact I |]. intros rho k Kb B O.
    apply (load_input A st [x] 0 x); auto. apply all_see_weave; [exact B |].
    destruct keep; [now apply all_see_unmarked | exact O].
  Qed.

  Theorem k_collapse_gives to x more t p :
    collapse_sum A to x = Some t -> k_collapse A (dims x :: more) (dims t) = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. destruct (table_some A _ _ _ M) as (ds & E & T).
    unfold collapse_dims, guard in E. destruct (broadcasts to (dims x)); [| discriminate]. injection E as <-.
    assert (dims t = to) as D by now rewrite T.
    unfold k_collapse in P. change (in_ (dims x :: more) 0) with (dims x) in P.
    apply (stores_gives A st _ _ _ _ _ M P). intros i I. rewrite D in *.
    apply eval_sum_marked with (out := to); auto. intros rho O. now apply all_see_unmarked.
  Qed.

  (** ** Products *)

  Lemma eval_scale rho factor (e : ex) : eval st rho (scale A factor e) = scaled A factor (eval st rho e).
  Proof. unfold scale, scaled. now destruct (rounds_to_one factor). Qed.

  Lemma eval_inner_product i d n a b x y more (f g : list Z -> list Z) :
    holds A st (x :: y :: more) -> in_box d i = true ->
    (forall rho k, all_see rho (bound 0 [n]) k -> all_see rho (outer [n] d) i ->
       all_see rho a (f k) /\ all_see rho b (g k)) ->
    eval st i (inner_product A n a b) = s_sum A [n] (fun k => s_mul A (at_ A x (f k)) (at_ A y (g k))).
  Proof.
    intros H I V. unfold inner_product. apply eval_sum_or_zero. apply (under_intro i _ d); [exact I |].
    intros rho k Kb B O. destruct (V rho k B O) as [Va Vb]. rewrite eval_bin.
    rewrite (load_input A st _ 0 x rho a (f k) H eq_refl Va).
    now rewrite (load_input A st _ 1 y rho b (g k) H eq_refl Vb).
  Qed.

  Definition with_third (a b : tensor) (c : option tensor) : list tensor :=
    a :: b :: match c with Some c => [c] | None => [] end.

  Theorem k_gemm_gives alpha beta ta tb a b c t integers p :
    gemm A alpha beta ta tb a b c = Some t ->
    k_gemm A (map dims (with_third a b c)) (dims t) integers alpha beta ta tb = Some p ->
    holds A st (with_third a b c) -> gives A p st 0 t.
  Proof.
    intros M P H. unfold k_gemm, floats in P. destruct integers; [discriminate |].
    change (in_ (map dims (with_third a b c)) 0) with (dims a) in P.
    apply (stores_gives A st _ _ _ _ _ M P). intros i I.
    set (n := nth (if ta then 0 else 1) (dims a) 0) in *.
    set (ab := scale A alpha _) in *.
    assert (eval st i ab = scaled A alpha (s_sum A [n] (fun k =>
              s_mul A (at_ A a (if ta then [nth 0 k 0%Z; nth 0 i 0%Z] else [nth 0 i 0%Z; nth 0 k 0%Z]))
                      (at_ A b (if tb then [nth 1 i 0%Z; nth 0 k 0%Z] else [nth 0 k 0%Z; nth 1 i 0%Z]))))) as E.
    { unfold ab. rewrite eval_scale. f_equal.
      apply (eval_inner_product i (dims t) n _ _ a b (match c with Some c => [c] | None => [] end)
               (fun k => if ta then [nth 0 k 0%Z; nth 0 i 0%Z] else [nth 0 i 0%Z; nth 0 k 0%Z])
               (fun k => if tb then [nth 1 i 0%Z; nth 0 k 0%Z] else [nth 0 k 0%Z; nth 1 i 0%Z]) H I).
      intros rho k B O. pose proof (all_see_nth _ _ _ 0 B) as S0. pose proof (all_see_nth _ _ _ 0 O) as R.
      pose proof (all_see_nth _ _ _ 1 O) as C. unfold nth_ix, all_see.
      destruct ta, tb; split; repeat (constructor; auto). }
    destruct c as [c |]; cbn [with_third length map Nat.ltb Nat.leb andb].
    - destruct (rounds_to_zero beta); cbn [negb]; [exact E |].
      rewrite eval_bin, eval_scale, E. cbn [operator_of]. f_equal. f_equal.
      apply (eval_spread A st [a; b; c] _ 2 c); auto.
    - exact E.
  Qed.

  Theorem k_matmul_gives a b t p :
    matmul A a b = Some t -> k_matmul A (map dims [a; b]) (dims t) = Some p -> holds A st [a; b] -> gives A p st 0 t.
  Proof.
    unfold matmul, k_matmul. intros M P H.
    change (in_ (map dims [a; b]) 0) with (dims a) in P. change (in_ (map dims [a; b]) 1) with (dims b) in P.
    destruct (matmul_left (dims a)) as [[[pa rows] n] |]; [| discriminate].
    destruct (matmul_right (dims b)) as [[[pb n'] cols] |]; [| discriminate].
    apply (stores_gives A st _ _ _ _ _ M P). intros i I.
    set (batch := length (dims t) - length rows - length cols).
    set (d := firstn batch (dims t)).
    apply (eval_inner_product i (dims t) n _ _ a b []
             (fun k => spread pa d (firstn batch i) ++ firstn (length rows) (skipn batch i) ++ k)
             (fun k => spread pb d (firstn batch i) ++ k ++ skipn (batch + length rows) i) H I).
    intros rho k B O. split; repeat apply all_see_app; auto using all_see_spread, all_see_firstn, all_see_skipn.
  Qed.

  (** ** Windows *)

  Lemma in_box_cons2 d i : in_box d i = true -> 2 <= length d ->
    exists a b i', i = a :: b :: i'.
  Proof.
    intros I le. apply in_box_length in I. destruct i as [| a [| b i]]; simpl in I; try lia. eauto.
  Qed.

  Lemma length_window_ix ss ds ps : forall y u n,
    length ss = n -> length ds = n -> length ps = n -> length y = n -> length u = n ->
    length (window_ix ss ds ps y u) = n.
  Proof.
    revert ds ps. induction ss as [| s ss IH]; intros [| d ds] [| q ps] [| a y] [| b u] n; simpl; intros; try lia.
    subst n. f_equal. apply IH; lia.
  Qed.

  Lemma window_counts_length ceil ns : forall ks ss ds ps qs l,
    window_counts ceil ns ks ss ds ps qs = Some l -> length l = length ns /\ length ks = length ns.
  Proof.
    induction ns as [| n ns IH]; intros [| k ks] [| s ss] [| d ds] [| p ps] [| q qs] l E; try discriminate; simpl in E.
    - injection E as <-. split; reflexivity.
    - destruct (window_count ceil n k s d p q); [| discriminate].
      destruct (window_counts ceil ns ks ss ds ps qs) as [m |] eqn:W; [| discriminate]. injection E as <-.
      destruct (IH _ _ _ _ _ _ W). simpl. lia.
  Qed.

  (** What the type rule says of a window over [ns]. *)
  Lemma spatial_facts ceil w kernel ns l : spatial_dims ceil w kernel ns = Some l ->
    length l = length ns /\ length kernel = length ns /\ no_zero kernel = true /\
    length (strides w) = length ns /\ length (dilations w) = length ns /\ length (pads_before w) = length ns.
  Proof.
    unfold spatial_dims, guard, window_ok.
    destruct (((length (strides w) =? length ns) && (length (dilations w) =? length ns) &&
               (length (pads w) =? 2 * length ns) && forallb (Nat.ltb 0) (strides w) &&
               forallb (Nat.ltb 0) (dilations w)) && forallb (Nat.ltb 0) kernel) eqn:G; [| discriminate].
    repeat rewrite andb_true_iff in G. rewrite !Nat.eqb_eq in G.
    destruct G as [[[[[s d] p] _] _] k]. intros W. apply window_counts_length in W. destruct W as [L Kn].
    repeat split; auto.
    - unfold no_zero. rewrite forallb_forall in k |- *. intros n inn. specialize (k n inn).
      apply Nat.ltb_lt in k. apply negb_true_iff, Nat.eqb_neq. lia.
    - unfold pads_before. rewrite firstn_length. lia.
  Qed.

  (** The value under a window's guard. *)
  Lemma eval_guarded rho l j d cs (a b : ex) :
    all_see rho l j -> length l = length d -> guards l d = Some cs ->
    eval st rho (select A cs a b) = if in_box d j then eval st rho a else eval st rho b.
  Proof.
    intros V len G. pose proof (guards_spec rho d l j V len) as E. rewrite G in E. rewrite E. apply eval_select.
  Qed.

  Theorem k_conv_gives w group x f b t p :
    conv A w group x f b = Some t -> k_conv A (map dims (with_third x f b)) (dims t) w group = Some p ->
    holds A st (with_third x f b) -> gives A p st 0 t.
  Proof.
    intros M P H. pose proof M as M'. destruct (table_some A _ _ _ M') as (ds & E & T).
    unfold conv_dims in E. destruct (dims x) as [| xn [| xc ns]] eqn:Dx; try discriminate.
    destruct (dims f) as [| fo [| fc kernel]] eqn:Df; try discriminate.
    unfold guard in E. destruct (_ && _) eqn:G in E; [| discriminate].
    destruct (spatial_dims false w kernel ns) as [l |] eqn:Sp; [| discriminate]. injection E as E. subst ds.
    destruct (spatial_facts _ _ _ _ _ Sp) as (Ll & Lk & nzk & Ls & Ld & Lp).
    assert (dims t = xn :: fo :: l) as Dt by now rewrite T.
    assert (0 < group /\ fo mod group = 0) as [gp gm].
    { repeat rewrite andb_true_iff in G. rewrite !Nat.ltb_lt, !Nat.eqb_eq in G. tauto. }
    unfold k_conv in P. change (in_ (map dims (with_third x f b)) 0) with (dims x) in P.
    change (in_ (map dims (with_third x f b)) 1) with (dims f) in P. rewrite Df in P. cbn [tl nth] in P.
    set (es := fc :: kernel) in *. set (v := outer es (dims t)) in *. set (k := bound 0 es) in *.
    set (c := ix_add _ (nth_ix k 0)) in P. set (at_x := nth_ix v 0 :: c :: _) in P.
    set (body := match guards at_x (dims x) with Some cs => _ | None => _ end) in P.
    assert (forall i, in_box (dims t) i = true -> eval st i (sum_or_zero A es body) = conv_cell A w group x f i) as C.
    { intros i I. destruct (in_box_cons2 _ _ I) as (n & o & y & ->); [rewrite Dt; simpl; lia |].
      cbn [conv_cell]. rewrite Df. cbn [tl]. apply eval_sum_or_zero.
      apply (under_intro _ _ (dims t)); [exact I |]. intros rho u U B O.
      rewrite Dt in I. apply in_box_cons in I. destruct I as [bn I]. apply in_box_cons in I. destruct I as [bo I].
      set (q := fo / group).
      assert (0 < q).
      { assert (group <> 0) as g0 by lia. pose proof (Nat.div_mod fo group g0) as dm. fold q in dm.
        destruct q; lia. }
      set (cz := (o / Z.of_nat q * Z.of_nat fc + nth 0 u 0)%Z).
      assert (all_see rho at_x (n :: cz :: place w y (tl u))) as V.
      { unfold at_x. repeat apply Forall2_cons.
        - exact (all_see_nth _ _ _ 0 O).
        - apply sees_add; [| exact (all_see_nth _ _ _ 0 B)]. apply sees_mul. apply sees_div; [lia |].
          exact (all_see_nth _ _ _ 1 O).
        - apply all_see_window; [exact (all_see_skipn _ _ _ 2 O) |].
          exact (all_see_tl _ _ _ B). }
      assert (length at_x = length (dims x)) as len.
      { rewrite Dx. unfold at_x. cbn [length]. do 2 f_equal. unfold place_ix. apply length_window_ix; auto.
        - unfold v, outer. rewrite skipn_length, length_numbered, Dt. simpl. lia.
        - unfold k, es. rewrite <- Lk. pose proof (length_bound 0 (fc :: kernel)) as Lb. cbn [length] in Lb.
          destruct (bound 0 (fc :: kernel)); simpl in *; lia. }
      unfold conv_term. rewrite Df. cbn [nth]. change (nth 0 es 0) with fc. fold q. fold cz. unfold body.
      pose proof (guards_spec rho (dims x) at_x _ V len) as GS.
      destruct (guards at_x (dims x)) as [cs |].
      - rewrite eval_select, <- GS. destruct (in_box (dims x) (n :: cz :: place w y (tl u))); [| reflexivity].
        rewrite eval_bin. rewrite (load_input A st _ 0 x rho at_x _ H eq_refl V).
        rewrite (load_input A st _ 1 f rho (nth_ix v 1 :: k) (o :: u) H eq_refl); [reflexivity |].
        constructor; [exact (all_see_nth _ _ _ 1 O) | exact B].
      - now rewrite GS. }
    apply (stores_gives A st _ _ _ _ _ M P). intros i I. destruct b as [b |]; cbn [with_third length map Nat.ltb Nat.leb].
    - rewrite eval_bin, (C i I). cbn [operator_of]. f_equal.
      apply (eval_vector A st 2 b [x; f; b] (dims t) i (nth 1 i 0%Z)); auto.
      apply all_see_nth. now apply all_see_vars.
    - exact (C i I).
  Qed.

  (** ** Pooling *)

  Lemma eval_pooled r other integers w kernel x n c ns l e i :
    dims x = n :: c :: ns -> (exists ceil, spatial_dims ceil w kernel ns = Some l) ->
    pooled A (map dims [x]) (n :: c :: l) integers r other w kernel = Some e ->
    holds A st [x] -> in_box (n :: c :: l) i = true ->
    eval st i e =
    if Scalars.single kernel then window_cell A w x (literal_value A other) i (map (fun _ => 0%Z) kernel)
    else Tensor.reduce (red_step K r) (red_start K r) kernel (window_cell A w x (literal_value A other) i).
  Proof.
    intros Dx [ceil Sp] P H I. destruct (spatial_facts _ _ _ _ _ Sp) as (Ll & Lk & nzk & Ls & Ld & Lp).
    unfold pooled in P. change (in_ (map dims [x]) 0) with (dims x) in P.
    set (v := outer kernel (n :: c :: l)) in *. set (at_x := nth_ix v 0 :: _) in P.
    destruct (guards at_x (dims x)) as [cs |] eqn:G; [| discriminate].
    destruct ((cell_count (dims x) =? 0) || integers); [discriminate |]. injection P as <-.
    apply eval_reduced; [exact nzk |]. apply (under_intro _ _ (n :: c :: l)); [exact I |].
    intros rho u U B O. destruct (in_box_cons2 _ _ I) as (zn & zc & y & ->); [simpl; lia |].
    assert (all_see rho at_x (zn :: zc :: place w y u)) as V.
    { unfold at_x. repeat apply Forall2_cons.
      - exact (all_see_nth _ _ _ 0 O).
      - exact (all_see_nth _ _ _ 1 O).
      - apply all_see_window; [exact (all_see_skipn _ _ _ 2 O) | exact B]. }
    assert (length at_x = length (dims x)) as len.
    { rewrite Dx. unfold at_x. cbn [length]. do 2 f_equal. unfold place_ix. apply length_window_ix; auto.
      - unfold v, outer. rewrite skipn_length, length_numbered. simpl. lia.
      - rewrite length_bound. exact Lk. }
    rewrite (eval_guarded rho at_x _ (dims x) cs _ _ V len G). cbn [window_cell].
    now rewrite (load_input A st _ 0 x rho at_x _ H eq_refl V).
  Qed.

  Lemma pool_facts ceil w kernel x ds : pool_dims ceil w kernel x = Some ds ->
    exists n c ns l, x = n :: c :: ns /\ ds = n :: c :: l /\ spatial_dims ceil w kernel ns = Some l.
  Proof.
    unfold pool_dims, guard. destruct x as [| n [| c ns]]; try discriminate. destruct (_ && _); [| discriminate].
    destruct (spatial_dims ceil w kernel ns) as [l |] eqn:Sp; [| discriminate]. intros E. injection E as <-.
    exists n, c, ns, l. repeat split; auto.
  Qed.

  Theorem k_max_pool_gives ceil w kernel x t integers p :
    max_pool A ceil w kernel x = Some t -> k_max_pool A (map dims [x]) (dims t) integers w kernel = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. pose proof M as M'. destruct (table_some A _ _ _ M') as (ds & E & T).
    destruct (pool_facts _ _ _ _ _ E) as (n & c & ns & l & Dx & -> & Sp).
    unfold k_max_pool in P. destruct (pooled A _ _ _ _ _ _ _) as [e |] eqn:Pe; [| discriminate].
    assert (dims t = n :: c :: l) as Dt by now rewrite T.
    apply (stores_gives A st _ _ _ _ _ M P). intros i I. rewrite Dt in *.
    rewrite (eval_pooled KMax LLeast integers w kernel x n c ns l e i); eauto.
  Qed.

  Theorem k_global_average_pool_gives x t p :
    global_average_pool A x = Some t -> k_global_average_pool A (map dims [x]) (dims t) = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. pose proof M as M'. destruct (table_some A _ _ _ M') as (ds & E & T).
    unfold global_pool_dims, guard in E. destruct (dims x) as [| n [| c ns]] eqn:Dx; try discriminate.
    destruct (0 <? length ns); [| discriminate]. injection E as <-.
    unfold k_global_average_pool in P. change (in_ (map dims [x]) 0) with (dims x) in P. rewrite Dx in P. cbn [skipn] in P.
    assert (dims t = n :: c :: map (fun _ => 1) ns) as Dt by now rewrite T.
    apply (stores_gives A st _ _ _ _ _ M P). intros i I. rewrite eval_bin.
    cbn [operator_of]. rewrite Dx. cbn [skipn]. f_equal.
    apply eval_sum_or_zero. apply (under_intro _ _ (dims t)); [exact I |]. intros rho k Kb B O.
    apply (load_input A st [x] 0 x); auto.
    destruct (in_box_cons2 _ _ I) as (zn & zc & y & ->); [rewrite Dt; simpl; lia |]. cbn [firstn app].
    repeat apply Forall2_cons; [exact (all_see_nth _ _ _ 0 O) | exact (all_see_nth _ _ _ 1 O) | exact B].
  Qed.

  (** ** Local response normalisation *)

  Theorem k_lrn_gives alpha beta bias size x t p :
    0 < size -> lrn A alpha beta bias size x = Some t -> k_lrn A (dims t) alpha beta bias size = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros pos M P H. unfold lrn, guard in M. destruct (2 <=? length (dims x)) eqn:R; [| discriminate].
    apply Nat.leb_le in R.
    destruct (table_some A _ _ _ M) as (ds & E & T). injection E as <-.
    assert (dims t = dims x) as Dt by now rewrite T.
    unfold k_lrn in P. set (v := outer [size] (dims t)) in *. set (l := set_nth 1 _ v) in P.
    destruct (guards l (dims t)) as [cs |] eqn:G; [| discriminate].
    apply (stores_gives A st _ _ _ _ _ M P). intros i I.
    repeat (rewrite eval_bin || rewrite eval_call2). cbn [operator_of function_of].
    rewrite (load_input A st [x] 0 x i (vars (dims t)) i H eq_refl (all_see_vars _ _ I)).
    f_equal. f_equal. f_equal. f_equal. apply eval_reduced_sum.
    - unfold no_zero. simpl. rewrite andb_true_r. apply negb_true_iff, Nat.eqb_neq. lia.
    - apply (under_intro _ _ (dims t)); [exact I |]. intros rho k Kb B O.
      set (c := (nth 1 i 0 + nth 0 k 0 - Z.of_nat ((size - 1) / 2))%Z).
      assert (all_see rho l (set_nth 1 c i)) as V.
      { apply all_see_set; [| exact O]. apply sees_plus. apply sees_add.
        - exact (all_see_nth _ _ _ 1 O).
        - exact (all_see_nth _ _ _ 0 B). }
      rewrite (eval_guarded rho l _ (dims t) cs _ _ V).
      + rewrite Dt. destruct (in_box (dims x) (set_nth 1 c i)); [| reflexivity].
        rewrite eval_bin. now rewrite (load_input A st [x] 0 x rho l _ H eq_refl V).
      + rewrite (all_see_length _ _ _ V), <- (in_box_length _ _ I).
        generalize c. clear. intros c. now destruct i as [| a [| b i]].
      + exact G.
  Qed.
End Sum.
