(** * Kernels of the normalisations *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsNorm tensor.OpIndex tensor.OpIndexProof tensor.OpKernel.
From Calque Require Import tensor.OpEval tensor.OpMapProof tensor.OpSumProof.
Import ListNotations.
Open Scope nat_scope.

(** ** Marked indices *)

Lemma in_box_marked m d i : in_box d i = true -> in_box (marked m d) (marked m i) = true.
Proof.
  revert d i. induction m as [| b m IH]; intros [| n d] [| z i] I; try discriminate; try reflexivity.
  apply in_box_cons in I. destruct I as [r I]. destruct b; cbn [marked]; [| now apply IH].
  apply in_box_cons. auto.
Qed.

Lemma in_box_unmarked m d i : in_box d i = true -> in_box (unmarked m d) (unmarked m i) = true.
Proof. apply in_box_marked. Qed.

Lemma in_box_weave m : forall d k r, length m = length d ->
  in_box (marked m d) k = true -> in_box (unmarked m d) r = true ->
  in_box d (weave m k r) = true /\ unmarked m (weave m k r) = r.
Proof.
  unfold unmarked. induction m as [| [] m IH]; intros [| n d] k r len Ik Ir; try discriminate.
  - destruct r; [split; reflexivity | discriminate].
  - cbn [marked map negb] in *. destruct k as [| z k]; [discriminate |]. apply in_box_cons in Ik. destruct Ik as [b Ik].
    injection len as len. destruct (IH d k r len Ik Ir) as [I U]. cbn [weave map negb marked].
    split; [now apply in_box_cons | exact U].
  - cbn [marked map negb] in *. destruct r as [| z r]; [discriminate |]. apply in_box_cons in Ir. destruct Ir as [b Ir].
    injection len as len. destruct (IH d k r len Ik Ir) as [I U]. cbn [weave map negb marked].
    split; [now apply in_box_cons | now rewrite U].
Qed.

Section Norm.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Notation ex := (Kernel.ex K).

  Lemma under_load (st : Kernel.store K) i es d t l (f : list Z -> list Z) :
    in_box d i = true ->
    (forall rho k, in_box es k = true -> all_see rho (bound 0 es) k -> all_see rho (outer es d) i -> all_see rho l (f k)) ->
    under A st i es (load A t l) (fun k => st t (f k)).
  Proof.
    intros I V. apply (under_intro A st i es d); [exact I |]. intros rho k Kb B O. apply eval_load. now apply V.
  Qed.

  Lemma under_ext (st : Kernel.store K) i es e (f g : list Z -> num) :
    under A st i es e f -> (forall k, in_box es k = true -> f k = g k) -> under A st i es e g.
  Proof. intros U E k x X B len. rewrite <- E by exact X. now apply U. Qed.

  (** ** Mean and variance *)

  Section Moments.
    Variables (es rest : sizes) (cells : list ixs) (place : list Z -> list Z -> list Z).
    Hypothesis sides : no_zero es = true.
    Hypothesis seen : forall r, in_box rest r = true -> forall rho k, in_box es k = true ->
      all_see rho (bound 0 es) k -> all_see rho (outer es rest) r -> all_see rho cells (place r k).

    Lemma moments_spec (st : Kernel.store K) ts x :
      holds A st ts -> nth_error ts 0 = Some x ->
      exists st', (forall p, exec_prog (moments A es rest cells ++ p) st = exec_prog p st') /\ holds A st' ts /\
        forall r, in_box rest r = true ->
          let cell k := at_ A x (place r k) in
          st' (tT 0) r = mean_of A es cell /\ st' (tT 1) r = variance_of A es cell.
    Proof.
      intros H at_0. unfold moments. cbn [app].
      set (s0 := stored A (tT 0) _ _). set (s1 := stored A (tT 1) _ _).
      exists (exec s1 (exec s0 st)). split; [reflexivity |].
      assert (holds A (exec s0 st) ts) as H0 by (apply holds_exec; [exact H | intros k; apply x_not_t]).
      split; [apply holds_exec; [exact H0 | intros k; apply x_not_t] |].
      intros r R. set (cell := fun k => at_ A x (place r k)) in *.
      assert (exec s0 st (tT 0) r = mean_of A es cell) as M.
      { unfold s0. rewrite exec_own by exact R. rewrite eval_over_n. unfold mean_of. f_equal.
        apply eval_reduced_sum; [exact sides |].
        apply (under_ext _ _ _ _ (fun k => st (tX 0) (place r k))).
        - apply (under_load st r es rest); [exact R |]. intros. now apply seen.
        - intros k Kb. now apply H. }
      split.
      - unfold s1. rewrite exec_other by (apply t_inj; lia). exact M.
      - unfold s1. rewrite exec_own by exact R. rewrite eval_over_n. unfold variance_of. f_equal.
        apply eval_reduced_sum; [exact sides |].
        apply (under_intro A _ r es rest); [exact R |]. intros rho k Kb B O.
        rewrite !eval_bin. rewrite (load_input A _ ts 0 x rho cells (place r k) H0 at_0 (seen r R rho k Kb B O)).
        rewrite (eval_load A _ rho (tT 0) (outer es rest) r O). now rewrite M.
    Qed.
  End Moments.

  Lemma eval_standardized (st : Kernel.store K) ts x out own eps i r es cell :
    holds A st ts -> nth_error ts 0 = Some x -> in_box out i = true -> all_see i own r ->
    st (tT 0) r = mean_of A es cell -> st (tT 1) r = variance_of A es cell ->
    eval st i (standardized A out own eps) = standard A eps es cell (at_ A x i).
  Proof.
    intros H at_0 I O M V. unfold standardized. repeat (rewrite eval_bin || rewrite eval_call1).
    rewrite (load_input A st ts 0 x i (vars out) i H at_0 (all_see_vars _ _ I)).
    rewrite !(eval_load A st i _ own r O), M, V. reflexivity.
  Qed.

  (** Groups along marked dimensions. *)
  Lemma cells_seen m out r rho k :
    all_see rho (bound 0 (marked m out)) k -> all_see rho (outer (marked m out) (unmarked m out)) r ->
    all_see rho (cells_of out m) (weave m k r).
  Proof. intros B O. now apply all_see_weave. Qed.

  Theorem k_layer_norm_gives st axis eps x g b t p :
    layer_norm A axis eps x g b = Some t ->
    k_layer_norm A (map dims (with_third A x g b)) (dims t) axis eps = Some p ->
    holds A st (with_third A x g b) -> gives A p st 0 t.
  Proof.
    intros M P H i I. destruct (table_some A _ _ _ M) as (ds & E & T).
    unfold layer_norm_dims, guard in E. destruct (_ && _) in E; [| discriminate].
    injection E as <-. assert (dims t = dims x) as Dt by now rewrite T.
    unfold k_layer_norm in P. apply some_inj in P. subst p. rewrite Dt in *.
    set (m := map (Nat.leb axis) (seq 0 (length (dims x)))) in *.
    destruct (moments_spec (marked m (dims x)) (unmarked m (dims x)) (cells_of (dims x) m) (fun r k => weave m k r)
                (no_zero_marked m _ (in_box_no_zero _ _ I))
                (fun r _ rho k _ B O => cells_seen m (dims x) r rho k B O) st (with_third A x g b) x H eq_refl)
      as (st' & run & H' & TT).
    rewrite run, exec_cons. cbn [exec_prog fold_left]. rewrite exec_own by exact I.
    destruct (TT (unmarked m i) (in_box_unmarked _ _ _ I)) as [T0 T1].
    assert (eval st' i (standardized A (dims x) (unmarked m (vars (dims x))) eps) =
            standard A eps (marked m (dims x)) (fellows A m x i) (at_ A x i)) as St.
    { apply (eval_standardized st' (with_third A x g b) x _ _ _ i (unmarked m i)); auto.
      apply all_see_unmarked. now apply all_see_vars. }
    rewrite T. unfold at_ at 1. rewrite get_tabulate by exact I.
    destruct b as [b |]; cbn [with_third length map Nat.ltb Nat.leb]; rewrite ?eval_bin, St;
      rewrite (eval_spread A st' (with_third A x g _) _ 1 g) by eauto;
      rewrite ?(eval_spread A st' (with_third A x g (Some b)) _ 2 b) by eauto; reflexivity.
  Qed.

  Lemma eval_rms (st : Kernel.store K) m x g r eps :
    holds A st [x; g] -> in_box (unmarked m (dims x)) r = true -> no_zero (marked m (dims x)) = true ->
    eval st r (call1 A FSqrt (bin A OAdd (over_n A (cell_count (marked m (dims x)))
      (reduced A KSum (marked m (dims x)) (bin A OMul (load A (tX 0) (cells_of (dims x) m)) (load A (tX 0) (cells_of (dims x) m)))))
      (lit A (LReal eps)))) =
    s_sqrt A (s_add A (over_count A (cell_count (marked m (dims x)))
      (s_sum A (marked m (dims x)) (fun k => s_mul A (at_ A x (weave m k r)) (at_ A x (weave m k r))))) (s_real A eps)).
  Proof.
    intros H R nz. rewrite eval_call1, eval_bin, eval_over_n. cbn [function_of operator_of]. f_equal. f_equal. f_equal.
    apply eval_reduced_sum; [exact nz |]. apply (under_intro A st r _ (unmarked m (dims x))); [exact R |]. intros rho k Kb B O.
    rewrite eval_bin. now rewrite (load_input A st [x; g] 0 x rho _ _ H eq_refl (cells_seen m (dims x) r rho k B O)).
  Qed.

  Theorem k_rms_norm_gives st axis eps x g t p :
    rms_norm A axis eps x g = Some t -> k_rms_norm A (map dims [x; g]) (dims t) axis eps = Some p ->
    holds A st [x; g] -> gives A p st 0 t.
  Proof.
    intros M P H i I. destruct (table_some A _ _ _ M) as (ds & E & T).
    unfold layer_norm_dims, guard in E. destruct (_ && _) in E; [| discriminate].
    injection E as <-. assert (dims t = dims x) as Dt by now rewrite T.
    unfold k_rms_norm in P. apply some_inj in P. subst p. rewrite Dt in *.
    set (m := map (Nat.leb axis) (seq 0 (length (dims x)))) in *.
    rewrite !exec_cons. cbn [exec_prog fold_left]. rewrite exec_own by exact I.
    set (st' := exec _ st).
    assert (holds A st' [x; g]) as H' by (apply holds_exec; [exact H | intros k; apply x_not_t]).
    rewrite !eval_bin. rewrite (load_input A st' [x; g] 0 x i (vars (dims x)) i H' eq_refl (all_see_vars _ _ I)).
    rewrite (eval_load A st' i (tT 0) (unmarked m (vars (dims x))) (unmarked m i))
      by (apply all_see_unmarked; now apply all_see_vars).
    rewrite (eval_spread A st' [x; g] _ 1 g) by eauto.
    unfold st' at 1. rewrite exec_own by now apply in_box_unmarked.
    rewrite (eval_rms st m x g) by first [exact H | now apply in_box_unmarked | apply no_zero_marked; exact (in_box_no_zero _ _ I)].
    rewrite T. unfold at_ at 4. rewrite get_tabulate by exact I. reflexivity.
  Qed.

  Lemma eval_scaled_channel (st : Kernel.store K) x g b out i e :
    holds A st [x; g; b] -> in_box out i = true ->
    eval st i (scaled_channel A out e) = scale_channel A g b i (eval st i e).
  Proof.
    intros H I. unfold scaled_channel. rewrite !eval_bin.
    assert (sees i (nth_ix (vars out) 1) (nth 1 i 0%Z)) as V by (apply all_see_nth; now apply all_see_vars).
    rewrite (eval_vector A st 1 g [x; g; b] out i _ _ H eq_refl V I).
    rewrite (eval_vector A st 2 b [x; g; b] out i _ _ H eq_refl V I). reflexivity.
  Qed.

  Lemma per_channel_facts least x g b ds : per_channel_dims least x g b = Some ds -> ds = x /\ least <= length x.
  Proof.
    unfold per_channel_dims, guard. destruct (channels x); [| discriminate].
    destruct ((least <=? length x) && _ && _) eqn:G; [| discriminate]. intros E. injection E as <-.
    rewrite !andb_true_iff, Nat.leb_le in G. tauto.
  Qed.

  Theorem k_instance_norm_gives st eps x g b t p :
    instance_norm A eps x g b = Some t -> k_instance_norm A (dims t) eps = Some p ->
    holds A st [x; g; b] -> gives A p st 0 t.
  Proof.
    intros M P H i I. destruct (table_some A _ _ _ M) as (ds & E & T). apply per_channel_facts in E.
    destruct E as [-> _]. assert (dims t = dims x) as Dt by now rewrite T.
    unfold k_instance_norm in P. apply some_inj in P. subst p. rewrite Dt in *.
    set (m := map (Nat.leb 2) (seq 0 (length (dims x)))) in *.
    destruct (moments_spec (marked m (dims x)) (unmarked m (dims x)) (cells_of (dims x) m) (fun r k => weave m k r)
                (no_zero_marked m _ (in_box_no_zero _ _ I))
                (fun r _ rho k _ B O => cells_seen m (dims x) r rho k B O) st [x; g; b] x H eq_refl)
      as (st' & run & H' & TT).
    rewrite run, exec_cons. cbn [exec_prog fold_left]. rewrite exec_own by exact I.
    destruct (TT (unmarked m i) (in_box_unmarked _ _ _ I)) as [T0 T1].
    rewrite (eval_scaled_channel st' x g b (dims x) i _ H' I).
    rewrite (eval_standardized st' [x; g; b] x _ _ _ i (unmarked m i) (marked m (dims x)) (fellows A m x i)); auto.
    - rewrite T. unfold at_ at 2. now rewrite get_tabulate.
    - apply all_see_unmarked. now apply all_see_vars.
  Qed.

  Theorem k_group_norm_gives st groups eps x g b t p :
    group_norm A groups eps x g b = Some t -> k_group_norm A (dims t) groups eps = Some p ->
    holds A st [x; g; b] -> gives A p st 0 t.
  Proof.
    intros M P H i I. unfold group_norm, guard in M.
    destruct ((0 <? groups) && (nth 1 (dims x) 0 mod groups =? 0)) eqn:G; [| discriminate].
    apply andb_true_iff in G. rewrite Nat.ltb_lt, Nat.eqb_eq in G. destruct G as [gp gm].
    destruct (table_some A _ _ _ M) as (ds & E & T). apply per_channel_facts in E.
    destruct E as [-> R]. assert (dims t = dims x) as Dt by now rewrite T.
    unfold k_group_norm in P. apply some_inj in P. subst p. rewrite Dt in *.
    destruct (dims x) as [| n [| c ns]] eqn:Dx; cbn [length] in R; try lia. cbn [nth skipn] in *.
    pose proof (in_box_no_zero _ _ I) as nz.
    destruct (in_box_cons2 _ _ I) as (zn & zc & y & ->); [simpl; lia |]. pose proof I as I'.
    apply in_box_cons in I'. destruct I' as [bn I']. apply in_box_cons in I'. destruct I' as [bc Iy].
    set (share := c / groups) in *.
    assert (c = groups * share) as cs.
    { assert (groups <> 0) as g0 by lia. pose proof (Nat.div_mod c groups g0) as dm. fold share in dm. lia. }
    assert (0 < share) as sp by (destruct share; lia).
    assert (c / share = groups) as cq by (rewrite cs; apply Nat.div_mul; lia).
    set (es := share :: ns) in *. rewrite cq in *. set (rest := [n; groups]) in *.
    set (place := fun (r k : list Z) => nth 0 r 0%Z :: (nth 1 r 0 * Z.of_nat share + nth 0 k 0)%Z :: tl k).
    set (cells := nth_ix (outer es rest) 0 :: _) in *.
    assert (no_zero es = true) as nzs.
    { unfold no_zero, es in *. cbn [forallb] in *. rewrite !andb_true_iff in *. split; [| tauto].
      apply negb_true_iff, Nat.eqb_neq. lia. }
    destruct (moments_spec es rest cells place nzs) with (st := st) (ts := [x; g; b]) (x := x)
      as (st' & run & H' & TT); auto.
    { intros r _ rho k _ B O. unfold cells, place. repeat apply Forall2_cons.
      - exact (all_see_nth _ _ _ 0 O).
      - apply sees_add; [| exact (all_see_nth _ _ _ 0 B)]. apply sees_mul. exact (all_see_nth _ _ _ 1 O).
      - exact (all_see_tl _ _ _ B). }
    rewrite run, exec_cons. cbn [exec_prog fold_left]. rewrite exec_own by exact I.
    set (r := [zn; (zc / Z.of_nat share)%Z]).
    assert (in_box rest r = true) as Rb.
    { unfold rest, r. apply in_box_cons. split; [exact bn |]. apply in_box_cons. split; [| reflexivity].
      split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; lia. }
    destruct (TT r Rb) as [T0 T1].
    rewrite (eval_scaled_channel st' x g b (n :: c :: ns) _ _ H' I).
    assert (forall k, in_box es k = true -> at_ A x (place r k) = group_fellows A share x (zn :: zc :: y) k) as same.
    { intros [| a k] Kb; [discriminate |]. reflexivity. }
    rewrite (eval_standardized st' [x; g; b] x _ _ _ _ r es (fun k => at_ A x (place r k))); auto.
    - rewrite T. unfold at_ at 3. rewrite get_tabulate by exact I. f_equal.
      unfold standard, variance_of, mean_of.
      rewrite (s_sum_ext A es _ _ same).
      rewrite (s_sum_ext A es (fun k => let d := s_sub A (at_ A x (place r k)) _ in s_mul A d d)
                 (fun k => let d := s_sub A (group_fellows A share x (zn :: zc :: y) k) 
                    (over_count A (cell_count es) (s_sum A es (group_fellows A share x (zn :: zc :: y)))) in s_mul A d d)).
      + reflexivity.
      + intros k Kb. now rewrite same.
    - pose proof (all_see_vars _ _ I) as V. repeat apply Forall2_cons; [exact (all_see_nth _ _ _ 0 V) | | constructor].
      apply sees_div; [lia |]. exact (all_see_nth _ _ _ 1 V).
  Qed.

  (** ** Norms *)

  Lemma by_norm_gives st m x norm bounded (nf : (list Z -> num) -> num) (bf : num -> num) t p ns :
    ns = marked m (dims x) ->
    table A (Some (dims x)) (fun _ i => s_div A (at_ A x i) (bf (nf (fellows A m x i)))) = Some t ->
    by_norm A (dims t) m norm bounded = Some p -> holds A st [x] ->
    (forall s r, holds A s [x] -> in_box (unmarked m (dims x)) r = true -> no_zero ns = true ->
       eval s r (norm ns (cells_of (dims x) m)) = nf (fun k => at_ A x (weave m k r))) ->
    (forall s rho e, eval s rho (bounded e) = bf (eval s rho e)) ->
    gives A p st 0 t.
  Proof.
    intros -> M P H N Bd i I. destruct (table_some A _ _ _ M) as (ds & E & T). injection E as <-.
    assert (dims t = dims x) as Dt by now rewrite T.
    unfold by_norm in P. apply some_inj in P. subst p. rewrite Dt in *.
    rewrite !exec_cons. cbn [exec_prog fold_left]. rewrite exec_own by exact I.
    set (st' := exec _ st).
    assert (holds A st' [x]) as H' by (apply holds_exec; [exact H | intros k; apply x_not_t]).
    rewrite eval_bin, Bd. rewrite (load_input A st' [x] 0 x i (vars (dims x)) i H' eq_refl (all_see_vars _ _ I)).
    rewrite (eval_load A st' i (tT 0) (unmarked m (vars (dims x))) (unmarked m i))
      by (apply all_see_unmarked; now apply all_see_vars).
    unfold st' at 1. rewrite exec_own by now apply in_box_unmarked.
    rewrite N; [| exact H | now apply in_box_unmarked | apply no_zero_marked; exact (in_box_no_zero _ _ I)].
    assert (at_ A t i = s_div A (at_ A x i) (bf (nf (fellows A m x i)))) as ->; [| reflexivity].
    rewrite T. unfold at_. now rewrite get_tabulate.
  Qed.

  Lemma eval_cells (s : Kernel.store K) r m x e (f : num -> num) :
    holds A s [x] -> in_box (unmarked m (dims x)) r = true ->
    (forall rho j, all_see rho (cells_of (dims x) m) j -> eval s rho e = f (at_ A x j)) ->
    under A s r (marked m (dims x)) e (fun k => f (at_ A x (weave m k r))).
  Proof.
    intros H R E. apply (under_intro A s r _ (unmarked m (dims x))); [exact R |]. intros rho k Kb B O.
    apply E. now apply cells_seen.
  Qed.

  Lemma load_cells (s : Kernel.store K) x m rho j :
    holds A s [x] -> all_see rho (cells_of (dims x) m) j -> eval s rho (load A (tX 0) (cells_of (dims x) m)) = at_ A x j.
  Proof. intros H V. now apply (load_input A s [x] 0 x). Qed.

  Theorem k_lp_norm_gives st axis square x t p :
    lp_norm A axis square x = Some t -> k_lp_norm A (dims t) axis square = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. pose proof M as M'. destruct (table_some A _ _ _ M') as (ds & E & T). injection E as <-.
    unfold k_lp_norm in P. assert (dims t = dims x) as Dt by now rewrite T.
    set (m := marks (length (dims x)) [axis]) in *.
    replace (marks (length (dims t)) [axis]) with m in P by (unfold m; now rewrite Dt).
    refine (by_norm_gives st m x _ _
             (fun c => let sum := s_sum A (marked m (dims x)) (fun k => if square then s_mul A (c k) (c k) else s_abs A (c k)) in
                       if square then s_sqrt A sum else sum)
             (fun a => s_max A a (s_tiny A)) t p _ eq_refl M P H _ _); [| reflexivity].
    intros s r Hs R nz. destruct square.
    - rewrite eval_call1. cbn [function_of]. f_equal. unfold square_sum. apply eval_reduced_sum; [exact nz |].
      apply (eval_cells s r m x _ (fun a => s_mul A a a)); auto.
      intros rho j V. rewrite eval_bin. now rewrite (load_cells s x m rho j Hs V).
    - apply eval_reduced_sum; [exact nz |].
      apply (eval_cells s r m x _ (s_abs A)); auto.
      intros rho j V. rewrite eval_call1. now rewrite (load_cells s x m rho j Hs V).
  Qed.

  Theorem k_l2_norm_gives st axes eps x t p :
    l2_norm A axes eps x = Some t -> k_l2_norm A (dims t) axes eps = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. pose proof M as M'. destruct (table_some A _ _ _ M') as (ds & E & T). injection E as <-.
    unfold k_l2_norm in P. assert (dims t = dims x) as Dt by now rewrite T.
    set (m := marks (length (dims x)) axes) in *.
    replace (marks (length (dims t)) axes) with m in P by (unfold m; now rewrite Dt).
    refine (by_norm_gives st m x _ _
             (fun c => s_sum A (marked m (dims x)) (fun k => s_mul A (c k) (c k)))
             (fun a => s_sqrt A (s_max A a (s_real A eps))) t p _ eq_refl M P H _ _); [| reflexivity].
    intros s r Hs R nz. unfold square_sum. apply eval_reduced_sum; [exact nz |].
    apply (eval_cells s r m x _ (fun a => s_mul A a a)); auto.
    intros rho j V. rewrite eval_bin. now rewrite (load_cells s x m rho j Hs V).
  Qed.

  (** ** Softmax *)

  Theorem k_softmax_gives st axis flatten x t p :
    softmax A axis flatten x = Some t -> k_softmax A (dims t) axis flatten = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H i I. destruct (table_some A _ _ _ M) as (ds & E & T). injection E as <-.
    assert (dims t = dims x) as Dt by now rewrite T.
    unfold k_softmax in P. apply some_inj in P. subst p. rewrite Dt in *.
    set (m := map (fun k => if flatten then axis <=? k else axis =? k) (seq 0 (length (dims x)))) in *.
    assert (length m = length (dims x)) as lm by (unfold m; now rewrite map_length, seq_length).
    set (es := marked m (dims x)) in *. set (rest := unmarked m (dims x)) in *.
    assert (no_zero es = true) as nz by (apply no_zero_marked; exact (in_box_no_zero _ _ I)).
    set (s0 := stored A (tT 0) _ _). set (s1 := stored A (tT 1) _ _). set (s2 := stored A (tT 2) _ _).
    rewrite !exec_cons. cbn [exec_prog fold_left].
    set (st0 := exec s0 st). set (st1 := exec s1 st0). set (st2 := exec s2 st1).
    assert (holds A st0 [x]) as H0 by (apply holds_exec; [exact H | intros k; apply x_not_t]).
    set (top := fun r => s_greatest A es (fun k => at_ A x (weave m k r))).
    assert (forall r, in_box rest r = true -> st0 (tT 0) r = top r) as T0.
    { intros r R. unfold st0, s0. rewrite exec_own by exact R. apply eval_reduced_max; [exact nz |].
      apply (under_intro A st r es rest); [exact R |]. intros rho k Kb B O.
      apply (load_cells st x m rho); [exact H |]. now apply cells_seen. }
    set (e := fun j => s_exp A (s_sub A (at_ A x j) (top (unmarked m j)))).
    assert (forall j, in_box (dims x) j = true -> st1 (tT 1) j = e j) as T1.
    { intros j J. unfold st1, s1. rewrite exec_own by exact J. rewrite eval_call1, eval_bin.
      rewrite (load_input A st0 [x] 0 x j (vars (dims x)) j H0 eq_refl (all_see_vars _ _ J)).
      rewrite (eval_load A st0 j (tT 0) (unmarked m (vars (dims x))) (unmarked m j))
        by (apply all_see_unmarked; now apply all_see_vars).
      rewrite T0 by now apply in_box_unmarked. reflexivity. }
    assert (forall r, in_box rest r = true -> st2 (tT 2) r = s_sum A es (fun k => e (weave m k r))) as T2.
    { intros r R. unfold st2, s2. rewrite exec_own by exact R. apply eval_reduced_sum; [exact nz |].
      apply (under_intro A st1 r es rest); [exact R |]. intros rho k Kb B O.
      rewrite (eval_load A st1 rho (tT 1) (cells_of (dims x) m) (weave m k r)) by now apply cells_seen.
      apply T1. now apply in_box_weave. }
    rewrite exec_own by exact I. rewrite eval_bin.
    rewrite (eval_load A st2 i (tT 1) (vars (dims x)) i (all_see_vars _ _ I)).
    rewrite (eval_load A st2 i (tT 2) (unmarked m (vars (dims x))) (unmarked m i))
      by (apply all_see_unmarked; now apply all_see_vars).
    rewrite T2 by now apply in_box_unmarked.
    unfold st2 at 1, s2 at 1. rewrite exec_other by (apply t_inj; lia). rewrite T1 by exact I.
    rewrite T. unfold at_ at 1. rewrite get_tabulate by exact I. cbn [operator_of]. f_equal.
    apply s_sum_ext. intros k Kb. unfold e.
    destruct (in_box_weave m (dims x) k (unmarked m i) lm Kb (in_box_unmarked _ _ _ I)) as [_ ->]. reflexivity.
  Qed.

  Theorem k_log_softmax_gives st axis flatten x t p :
    log_softmax A axis flatten x = Some t -> k_log_softmax A (dims t) axis flatten = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H i I. destruct (table_some A _ _ _ M) as (ds & E & T). injection E as <-.
    assert (dims t = dims x) as Dt by now rewrite T.
    unfold k_log_softmax in P. apply some_inj in P. subst p. rewrite Dt in *.
    set (m := map (fun k => if flatten then axis <=? k else axis =? k) (seq 0 (length (dims x)))) in *.
    assert (length m = length (dims x)) as lm by (unfold m; now rewrite map_length, seq_length).
    set (es := marked m (dims x)) in *. set (rest := unmarked m (dims x)) in *.
    assert (no_zero es = true) as nz by (apply no_zero_marked; exact (in_box_no_zero _ _ I)).
    set (s0 := stored A (tT 0) _ _). set (s1 := stored A (tT 1) _ _). set (s2 := stored A (tT 2) _ _).
    rewrite !exec_cons. cbn [exec_prog fold_left].
    set (st0 := exec s0 st). set (st1 := exec s1 st0). set (st2 := exec s2 st1).
    assert (holds A st0 [x]) as H0 by (apply holds_exec; [exact H | intros k; apply x_not_t]).
    set (top := fun r => s_greatest A es (fun k => at_ A x (weave m k r))).
    assert (forall r, in_box rest r = true -> st0 (tT 0) r = top r) as T0.
    { intros r R. unfold st0, s0. rewrite exec_own by exact R. apply eval_reduced_max; [exact nz |].
      apply (under_intro A st r es rest); [exact R |]. intros rho k Kb B O.
      apply (load_cells st x m rho); [exact H |]. now apply cells_seen. }
    set (e := fun j => s_sub A (at_ A x j) (top (unmarked m j))).
    assert (forall j, in_box (dims x) j = true -> st1 (tT 1) j = e j) as T1.
    { intros j J. unfold st1, s1. rewrite exec_own by exact J. rewrite eval_bin.
      rewrite (load_input A st0 [x] 0 x j (vars (dims x)) j H0 eq_refl (all_see_vars _ _ J)).
      rewrite (eval_load A st0 j (tT 0) (unmarked m (vars (dims x))) (unmarked m j))
        by (apply all_see_unmarked; now apply all_see_vars).
      rewrite T0 by now apply in_box_unmarked. reflexivity. }
    assert (forall r, in_box rest r = true ->
              st2 (tT 2) r = s_log A (s_sum A es (fun k => s_exp A (e (weave m k r))))) as T2.
    { intros r R. unfold st2, s2. rewrite exec_own by exact R. rewrite eval_call1. cbn [function_of]. f_equal.
      apply eval_reduced_sum; [exact nz |].
      apply (under_intro A st1 r es rest); [exact R |]. intros rho k Kb B O. rewrite eval_call1.
      rewrite (eval_load A st1 rho (tT 1) (cells_of (dims x) m) (weave m k r)) by now apply cells_seen.
      cbn [function_of]. f_equal. apply T1. now apply in_box_weave. }
    rewrite exec_own by exact I. rewrite eval_bin.
    rewrite (eval_load A st2 i (tT 1) (vars (dims x)) i (all_see_vars _ _ I)).
    rewrite (eval_load A st2 i (tT 2) (unmarked m (vars (dims x))) (unmarked m i))
      by (apply all_see_unmarked; now apply all_see_vars).
    rewrite T2 by now apply in_box_unmarked.
    unfold st2 at 1, s2 at 1. rewrite exec_other by (apply t_inj; lia). rewrite T1 by exact I.
    rewrite T. unfold at_ at 1. rewrite get_tabulate by exact I. cbn [operator_of]. f_equal. f_equal.
    apply s_sum_ext. intros k Kb. unfold e.
    destruct (in_box_weave m (dims x) k (unmarked m i) lm Kb (in_box_unmarked _ _ _ I)) as [_ ->]. reflexivity.
  Qed.
End Norm.
