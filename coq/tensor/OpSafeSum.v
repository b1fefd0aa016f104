(** * Kernels of operators read inside of their tensors: sums, windows, normalisations *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Wf kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsNorm tensor.OpsWindow tensor.OpIndex tensor.OpIndexProof tensor.OpKernel.
From Calque Require Import tensor.OpEval tensor.OpMapProof tensor.OpSumProof tensor.OpNormProof tensor.OpPadProof.
From Calque Require Import tensor.OpSafe.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope nat_scope.

Lemma vector_is n ds : is_vector n ds = true -> ds = [n].
Proof. unfold is_vector, sizes_eqb. destruct (list_eq_dec Nat.eq_dec ds [n]); [auto | discriminate]. Qed.

Lemma in_box_unmarked_kept m d : forall i, length m = length d ->
  in_box (reduce_dims true m d) i = true -> in_box (unmarked m d) (unmarked m i) = true.
Proof.
  unfold reduce_dims, unmarked. revert d. induction m as [| b m IH]; intros [| n d] i len I; try discriminate.
  - destruct i; [reflexivity | discriminate].
  - destruct i as [| z i]; [discriminate |]. injection len as len. cbn [combine map fst snd] in I.
    apply in_box_cons in I. destruct I as [r I]. specialize (IH d i len I). destruct b; cbn [map negb marked]; [exact IH |].
    apply in_box_cons. split; [exact r | exact IH].
Qed.

Lemma unmarked_repeat_true {B} k m (l : list B) : unmarked (repeat true k ++ m) l = unmarked m (skipn k l).
Proof.
  unfold unmarked. revert l. induction k as [| k IH]; intros l; [reflexivity |].
  destruct l as [| b l]; [cbn; now destruct (map negb m) |]. cbn [repeat app map negb marked skipn]. apply IH.
Qed.

Lemma in_box_unmarked_equal to : forall d i, length to = length d -> in_box to i = true ->
  let m := map (fun ab : nat * nat => negb (fst ab =? snd ab)) (combine to d) in
  in_box (unmarked m d) (unmarked m i) = true.
Proof.
  cbv zeta. unfold unmarked. induction to as [| a to IH]; intros [| n d] i len I; try discriminate; [reflexivity |].
  destruct i as [| z i]; [discriminate |]. apply in_box_cons in I. destruct I as [r I]. injection len as len.
  cbn [combine map fst snd]. destruct (Nat.eqb_spec a n) as [-> |]; cbn [negb map marked].
  - apply in_box_cons. split; [exact r | now apply IH].
  - now apply IH.
Qed.

Section Safe.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Notation ex := (Kernel.ex K).
  Variable shapes : tid -> sizes.
  Notation safe := (Wf.safe (S := K) shapes).
  Notation all_safe := (all_safe A shapes).
  Notation sized := (sized A shapes).

  Lemma safe_input ts k t rho l j : sized ts -> nth_error ts k = Some t -> all_see rho l j ->
    in_box (dims t) j = true -> safe rho (load A (tX k) l).
  Proof. intros S at_k V B. apply (safe_load A shapes rho _ l j V). now rewrite (S k t at_k). Qed.

  (** ** Sums over dimensions *)

  Lemma safe_sum_marked m x ins out (v : list ixs) i rest :
    sized [x] -> in_ ins 0 = dims x -> in_box out i = true -> length m = length (dims x) ->
    in_box (unmarked m (dims x)) rest = true ->
    (forall rho, all_see rho (outer (marked m (dims x)) out) i -> all_see rho v rest) ->
    safe i (sum_marked A ins m v).
  Proof.
    intros S D I len R V. unfold sum_marked. rewrite D. apply (safe_sum_or_zero A shapes i out); [exact I |].
    intros rho k Kb B O. apply (safe_input [x] 0 x rho _ (weave m k rest)); auto.
    - apply all_see_weave; auto.
    - now apply in_box_weave.
  Qed.

  Theorem k_reduce_safe (mean keep : bool) axes x p :
    k_reduce A (map dims [x]) (reduce_dims keep (marks (length (dims x)) axes) (dims x)) mean keep axes = Some p ->
    sized [x] -> all_safe p.
  Proof.
    intros P S. unfold k_reduce in P. change (in_ (map dims [x]) 0) with (dims x) in P.
    set (m := marks (length (dims x)) axes) in *. set (out := reduce_dims keep m (dims x)) in *.
    assert (length m = length (dims x)) as len by apply marks_length.
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    assert (safe i (sum_marked A (map dims [x]) m
              (if keep then unmarked m (outer (marked m (dims x)) out) else outer (marked m (dims x)) out))) as E.
    { apply (safe_sum_marked m x _ out _ i (if keep then unmarked m i else i)); auto.
      - unfold out in I. destruct keep; [now apply in_box_unmarked_kept | exact I].
      - intros rho O. destruct keep; [now apply all_see_unmarked | exact O]. }
    destruct mean; [now apply safe_over_n | exact E].
  Qed.

  Theorem k_reduce_max_safe (keep : bool) axes x out p :
    greatest_dims keep (marks (length (dims x)) axes) (dims x) = Some out ->
    k_reduce_max A (map dims [x]) out keep axes = Some p -> sized [x] -> all_safe p.
  Proof.
    intros E P S. unfold greatest_dims, guard in E. destruct (forallb _ _) eqn:nz in E; [| discriminate]. injection E as <-.
    unfold k_reduce_max in P. change (in_ (map dims [x]) 0) with (dims x) in P.
    set (m := marks (length (dims x)) axes) in *. set (out := reduce_dims keep m (dims x)) in *.
    assert (length m = length (dims x)) as len by apply marks_length.
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    apply (safe_reduced A shapes KMax i out); [exact nz | exact I |]. intros rho k Kb B O.
    apply (safe_input [x] 0 x rho _ (weave m k (if keep then unmarked m i else i)) S eq_refl).
    - apply all_see_weave; [exact B |]. destruct keep; [now apply all_see_unmarked | exact O].
    - apply in_box_weave; [exact len | exact Kb |].
      unfold out in I. destruct keep; [now apply in_box_unmarked_kept | exact I].
  Qed.

  Theorem k_collapse_safe to x more p : broadcasts to (dims x) = true ->
    k_collapse A (dims x :: more) to = Some p -> sized [x] -> all_safe p.
  Proof.
    intros F P S. apply broadcasts_fits in F. destruct F as [le F]. apply Forall2_length in F.
    unfold k_collapse in P. change (in_ (dims x :: more) 0) with (dims x) in P.
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    set (more_ := length (dims x) - length to) in *.
    set (m := map (fun ab : nat * nat => negb (fst ab =? snd ab)) (combine to (skipn more_ (dims x)))).
    assert (collapse_marks to (dims x) = repeat true more_ ++ m) as Em by reflexivity.
    assert (skipn more_ (collapse_marks to (dims x)) = m) as Es.
    { rewrite Em, skipn_app, repeat_length, Nat.sub_diag, skipn_all2 by (rewrite repeat_length; lia). reflexivity. }
    apply (safe_sum_marked _ x _ to _ i (unmarked m i)); auto.
    - rewrite Em, app_length, repeat_length. unfold m. rewrite map_length, combine_length, <- F. unfold more_. lia.
    - rewrite Em, unmarked_repeat_true. now apply in_box_unmarked_equal.
    - intros rho O. rewrite Es. now apply all_see_unmarked.
  Qed.

  (** ** Products *)

  Lemma safe_scale rho f e : safe rho e -> safe rho (scale A f e).
  Proof. intros H. unfold scale. destruct (rounds_to_one f); [exact H | apply safe_bin; [apply safe_lit | exact H]]. Qed.

  Lemma safe_inner_product i d n a b x y more (f g : list Z -> list Z) :
    sized (x :: y :: more) -> in_box d i = true ->
    (forall rho k, in_box [n] k = true -> all_see rho (bound 0 [n]) k -> all_see rho (outer [n] d) i ->
       (all_see rho a (f k) /\ in_box (dims x) (f k) = true) /\ (all_see rho b (g k) /\ in_box (dims y) (g k) = true)) ->
    safe i (inner_product A n a b).
  Proof.
    intros S I V. unfold inner_product. apply (safe_sum_or_zero A shapes i d); [exact I |].
    intros rho k Kb B O. destruct (V rho k Kb B O) as [[Va Ba] [Vb Bb]].
    apply safe_bin; [apply (safe_input _ 0 x rho a (f k) S eq_refl Va Ba) | apply (safe_input _ 1 y rho b (g k) S eq_refl Vb Bb)].
  Qed.

  Lemma in_box_pair a b i : in_box [a; b] i = true -> exists y z, i = [y; z] /\ (0 <= y < Z.of_nat a)%Z /\ (0 <= z < Z.of_nat b)%Z.
  Proof.
    destruct i as [| y [| z [| ? ?]]]; try discriminate.
    - intros I. apply in_box_cons in I. destruct I. discriminate.
    - intros I. apply in_box_cons in I. destruct I as [p I]. apply in_box_cons in I. destruct I as [q _]. eauto.
    - intros I. apply in_box_cons in I. destruct I as [_ I]. apply in_box_cons in I. destruct I. discriminate.
  Qed.

  Lemma pair_in_box a b y z : (0 <= y < Z.of_nat a)%Z -> (0 <= z < Z.of_nat b)%Z -> in_box [a; b] [y; z] = true.
  Proof. intros p q. apply in_box_cons. split; [exact p |]. apply in_box_cons. split; [exact q | reflexivity]. Qed.

  Theorem k_gemm_safe alpha beta ta tb a b c out integers p :
    gemm_dims ta tb (dims a) (dims b) (option_map dims c) = Some out ->
    k_gemm A (map dims (with_third A a b c)) out integers alpha beta ta tb = Some p ->
    sized (with_third A a b c) -> all_safe p.
  Proof.
    intros E P S. unfold gemm_dims in E. destruct (dims a) as [| a0 [| a1 [| ? ?]]] eqn:Da; try discriminate.
    destruct (dims b) as [| b0 [| b1 [| ? ?]]] eqn:Db; try discriminate.
    unfold guard in E. destruct (_ && _) eqn:G in E; [| discriminate]. injection E as <-.
    apply andb_true_iff in G. destruct G as [inner third]. apply Nat.eqb_eq in inner.
    unfold k_gemm in P. destruct integers; [discriminate |]. cbn [floats] in P. unfold floats in P.
    change (in_ (map dims (with_third A a b c)) 0) with (dims a) in P. rewrite Da in P.
    set (out := [if ta then a1 else a0; if tb then b0 else b1]) in *.
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    destruct (in_box_pair _ _ _ I) as (y & z & -> & By & Bz).
    set (n := nth (if ta then 0 else 1) [a0; a1] 0) in *.
    set (ab := scale A alpha _).
    assert (safe [y; z] ab) as Sab.
    { apply safe_scale.
      apply (safe_inner_product [y; z] out n _ _ a b (match c with Some c => [c] | None => [] end)
               (fun k => if ta then [nth 0 k 0%Z; y] else [y; nth 0 k 0%Z])
               (fun k => if tb then [z; nth 0 k 0%Z] else [nth 0 k 0%Z; z]) S I).
      intros rho k Kb B O. pose proof (all_see_nth _ _ _ 0 B) as S0. pose proof (all_see_nth _ _ _ 0 O) as R.
      pose proof (all_see_nth _ _ _ 1 O) as C. cbn [nth] in R, C.
      assert ((0 <= nth 0 k 0 < Z.of_nat n)%Z) as Bk.
      { destruct k as [| q [| ? ?]]; try discriminate; [| apply in_box_cons in Kb; destruct Kb; discriminate].
        apply in_box_cons in Kb. apply Kb. }
      unfold nth_ix, all_see. rewrite Da, Db. unfold n in *. cbn [nth] in *.
      destruct ta, tb; cbn [nth] in *; subst; split; (split; [repeat (constructor; auto) | apply pair_in_box; lia]). }
    destruct c as [c |]; cbn [with_third length map Nat.ltb Nat.leb andb]; [| exact Sab].
    destruct (rounds_to_zero beta); cbn [negb]; [exact Sab |]. apply safe_bin; [exact Sab |]. apply safe_scale.
    apply (safe_spread A shapes [a; b; c] _ 2 c); auto. now apply broadcasts_fits.
  Qed.

  Theorem k_matmul_safe a b out p :
    matmul_dims (dims a) (dims b) = Some out -> k_matmul A (map dims [a; b]) out = Some p -> sized [a; b] -> all_safe p.
  Proof.
    unfold matmul_dims, k_matmul. intros E P S.
    change (in_ (map dims [a; b]) 0) with (dims a) in P. change (in_ (map dims [a; b]) 1) with (dims b) in P.
    destruct (matmul_left (dims a)) as [[[pa rows] n] |] eqn:L; [| discriminate].
    destruct (matmul_right (dims b)) as [[[pb n'] cols] |] eqn:R; [| discriminate].
    destruct (broadcast pa pb) as [batch |] eqn:Bc; [| discriminate]. unfold guard in E.
    destruct (Nat.eqb_spec n n') as [<- |]; [| discriminate]. injection E as <-.
    assert (dims a = pa ++ rows ++ [n]) as Da.
    { unfold matmul_left in L. rewrite <- (rev_involutive (dims a)). destruct (rev (dims a)) as [| k [| m r]]; try discriminate.
      - injection L as <- <- <-. reflexivity.
      - injection L as <- <- <-. cbn [rev]. rewrite <- app_assoc. reflexivity. }
    assert (dims b = pb ++ [n] ++ cols) as Db.
    { unfold matmul_right in R. rewrite <- (rev_involutive (dims b)). destruct (rev (dims b)) as [| k [| m r]]; try discriminate.
      - injection R as <- <- <-. reflexivity.
      - injection R as <- <- <-. cbn [rev]. rewrite <- app_assoc. reflexivity. }
    apply broadcast_fits in Bc. destruct Bc as [Fa Fb].
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    replace (length (batch ++ rows ++ cols) - length rows - length cols) with (length batch) in * by (rewrite !app_length; lia).
    replace (firstn (length batch) (batch ++ rows ++ cols)) with batch in *
      by (rewrite firstn_app, Nat.sub_diag, firstn_all; cbn [firstn]; now rewrite app_nil_r).
    destruct (in_box_split _ _ _ I) as (ib & j & -> & Ib & J). destruct (in_box_split _ _ _ J) as (ir & ic & -> & Ir & Ic).
    pose proof (in_box_length _ _ Ib) as Lb. pose proof (in_box_length _ _ Ir) as Lr.
    apply (safe_inner_product (ib ++ ir ++ ic) (batch ++ rows ++ cols) n _ _ a b []
             (fun k => spread pa batch ib ++ ir ++ k) (fun k => spread pb batch ib ++ k ++ ic) S I).
    intros rho k Kb B O.
    assert (firstn (length batch) (ib ++ ir ++ ic) = ib) as E1.
    { rewrite <- Lb, firstn_app, Nat.sub_diag, firstn_all. cbn [firstn]. apply app_nil_r. }
    assert (skipn (length batch) (ib ++ ir ++ ic) = ir ++ ic) as E2.
    { rewrite <- Lb, skipn_app, Nat.sub_diag, skipn_all. reflexivity. }
    assert (firstn (length rows) (ir ++ ic) = ir) as E3.
    { rewrite <- Lr, firstn_app, Nat.sub_diag, firstn_all. cbn [firstn]. apply app_nil_r. }
    assert (skipn (length batch + length rows) (ib ++ ir ++ ic) = ic) as E4.
    { rewrite <- skipn_add, E2, <- Lr, skipn_app, Nat.sub_diag, skipn_all. reflexivity. }
    pose proof (all_see_firstn _ _ _ (length batch) O) as Ob. rewrite E1 in Ob.
    pose proof (all_see_firstn _ _ _ (length rows) (all_see_skipn _ _ _ (length batch) O)) as Or. rewrite E2, E3 in Or.
    pose proof (all_see_skipn _ _ _ (length batch + length rows) O) as Oc. rewrite E4 in Oc.
    split; split.
    - apply all_see_app; [now apply all_see_spread |]. now apply all_see_app.
    - rewrite Da. apply in_box_join; [now apply spread_inside |]. now apply in_box_join.
    - apply all_see_app; [now apply all_see_spread |]. now apply all_see_app.
    - rewrite Db. apply in_box_join; [now apply spread_inside |]. now apply in_box_join.
  Qed.

  (** ** A vector along a dimension *)

  Theorem k_bias_add_safe axis x b p : axis < length (dims x) -> is_vector (nth axis (dims x) 0) (dims b) = true ->
    k_bias_add A (map dims [x; b]) (dims x) axis = Some p -> sized [x; b] -> all_safe p.
  Proof.
    intros ax V P S. apply (all_safe_stores A shapes _ _ _ P). intros i I. apply safe_bin.
    - apply (safe_spread A shapes [x; b] _ 0 x); auto. apply fits_refl.
    - apply (safe_vector A shapes [x; b] 1 b i (nth axis i 0%Z) _ (nth axis (dims x) 0)); auto.
      + now apply vector_is.
      + apply all_see_nth. now apply all_see_vars.
      + apply in_box_nth in I. now apply I.
  Qed.

  Theorem k_batch_norm_safe eps x g b m v out p : batch_norm_dims (dims x) (map dims [g; b; m; v]) = Some out ->
    k_batch_norm A (map dims [x; g; b; m; v]) out eps = Some p -> sized [x; g; b; m; v] -> all_safe p.
  Proof.
    intros E P S. unfold batch_norm_dims in E. destruct (channels (dims x)) as [c |] eqn:C; [| discriminate].
    unfold guard in E. destruct (forallb _ _) eqn:F; [| discriminate]. injection E as <-. rewrite forallb_forall in F.
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    assert (forall k t, nth_error [x; g; b; m; v] k = Some t -> In (dims t) (map dims [g; b; m; v]) ->
              safe i (load A (tX k) [if 1 <? length (dims x) then nth_ix (vars (dims x)) 1 else ix_const 0])) as L.
    { intros k t at_k int_.
      apply (safe_vector A shapes _ k t i (match dims x with _ :: _ :: _ => nth 1 i 0%Z | _ => 0%Z end) _ c S at_k).
      - apply vector_is. now apply F.
      - destruct (dims x) as [| d0 [| d1 ds]] eqn:Ed; cbn [length Nat.ltb Nat.leb]; try apply sees_const.
        apply all_see_nth. now apply all_see_vars.
      - destruct (dims x) as [| d0 [| d1 ds]]; try discriminate; injection C as <-; [lia |].
        apply in_box_nth in I. destruct I as [_ I]. apply (I 1). simpl. lia. }
    repeat (apply safe_bin || apply safe_call1 || apply safe_lit).
    - apply (safe_spread A shapes [x; g; b; m; v] _ 0 x); auto. apply fits_refl.
    - apply (L 3 m); [reflexivity | simpl; tauto].
    - apply (L 4 v); [reflexivity | simpl; tauto].
    - apply (L 1 g); [reflexivity | simpl; tauto].
    - apply (L 2 b); [reflexivity | simpl; tauto].
  Qed.

  (** ** Windows *)

  Theorem k_conv_safe w group x f b out p : conv_dims w group (dims x) (dims f) (option_map dims b) = Some out ->
    k_conv A (map dims (with_third A x f b)) out w group = Some p -> sized (with_third A x f b) -> all_safe p.
  Proof.
    intros E P S. unfold conv_dims in E. destruct (dims x) as [| xn [| xc ns]] eqn:Dx; try discriminate.
    destruct (dims f) as [| fo [| fc kernel]] eqn:Df; try discriminate.
    unfold guard in E. destruct (_ && _) eqn:G in E; [| discriminate].
    destruct (spatial_dims false w kernel ns) as [l |] eqn:Sp; [| discriminate]. injection E as <-.
    destruct (spatial_facts _ _ _ _ _ Sp) as (Ll & Lk & nzk & Ls & Ld & Lp).
    assert (0 < group /\ fo mod group = 0 /\ match option_map dims b with Some ds => sizes_eqb ds [fo] = true | None => True end)
      as (gp & gm & gb).
    { repeat rewrite andb_true_iff in G. rewrite !Nat.ltb_lt, !Nat.eqb_eq in G. destruct (option_map dims b); tauto. }
    unfold k_conv in P. change (in_ (map dims (with_third A x f b)) 0) with (dims x) in P.
    change (in_ (map dims (with_third A x f b)) 1) with (dims f) in P. rewrite Df in P. cbn [tl nth] in P.
    set (out := xn :: fo :: l) in *. set (es := fc :: kernel) in *. set (v := outer es out) in *. set (k := bound 0 es) in *.
    set (c := ix_add _ (nth_ix k 0)) in P. set (at_x := nth_ix v 0 :: c :: _) in P.
    set (body := match guards at_x (dims x) with Some cs => _ | None => _ end) in P.
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    destruct (in_box_cons2 _ _ I) as (n & o & y & ->); [simpl; lia |].
    pose proof I as I'. apply in_box_cons in I'. destruct I' as [bn I']. apply in_box_cons in I'. destruct I' as [bo Iy].
    assert (safe (n :: o :: y) (sum_or_zero A es body)) as C.
    { apply (safe_sum_or_zero A shapes _ out); [exact I |]. intros rho u U B O.
      set (q := fo / group).
      assert (0 < q).
      { assert (group <> 0) as g0 by lia. pose proof (Nat.div_mod fo group g0) as dm. fold q in dm. destruct q; lia. }
      set (cz := (o / Z.of_nat q * Z.of_nat fc + nth 0 u 0)%Z).
      assert (all_see rho at_x (n :: cz :: place w y (tl u))) as V.
      { unfold at_x. repeat apply Forall2_cons.
        - exact (all_see_nth _ _ _ 0 O).
        - apply sees_add; [| exact (all_see_nth _ _ _ 0 B)]. apply sees_mul. apply sees_div; [lia |].
          exact (all_see_nth _ _ _ 1 O).
        - apply all_see_window; [exact (all_see_skipn _ _ _ 2 O) |]. exact (all_see_tl _ _ _ B). }
      assert (length at_x = length (dims x)) as len.
      { rewrite Dx. unfold at_x. cbn [length]. do 2 f_equal. unfold place_ix. apply length_window_ix; auto.
        - unfold v, outer. rewrite skipn_length, length_numbered. simpl. lia.
        - unfold k, es. rewrite <- Lk. pose proof (length_bound 0 (fc :: kernel)) as Lb. cbn [length] in Lb.
          destruct (bound 0 (fc :: kernel)); simpl in *; lia. }
      unfold body. destruct (guards at_x (dims x)) as [cs |] eqn:Gd; [| apply safe_lit].
      apply (safe_guarded A shapes rho at_x _ (dims x) cs _ _ V len Gd); [| apply safe_lit].
      intros inside. apply safe_bin; [exact (safe_input _ 0 x rho at_x _ S eq_refl V inside) |].
      apply (safe_input _ 1 f rho (nth_ix v 1 :: k) (o :: u) S eq_refl).
      - apply Forall2_cons; [exact (all_see_nth _ _ _ 1 O) | exact B].
      - rewrite Df. apply in_box_cons. split; [exact bo | exact U]. }
    destruct b as [b |]; cbn [with_third length map Nat.ltb Nat.leb]; [| exact C].
    apply safe_bin; [exact C |].
    apply (safe_vector A shapes [x; f; b] 2 b (n :: o :: y) o _ fo); auto.
    - now apply vector_is.
    - exact (all_see_nth _ _ _ 1 (all_see_vars _ _ I)).
  Qed.

  Lemma safe_pooled r other integers w kernel x n c ns l e i :
    dims x = n :: c :: ns -> (exists ceil, spatial_dims ceil w kernel ns = Some l) ->
    pooled A (map dims [x]) (n :: c :: l) integers r other w kernel = Some e ->
    sized [x] -> in_box (n :: c :: l) i = true -> safe i e.
  Proof.
    intros Dx [ceil Sp] P S I. destruct (spatial_facts _ _ _ _ _ Sp) as (Ll & Lk & nzk & Ls & Ld & Lp).
    unfold pooled in P. change (in_ (map dims [x]) 0) with (dims x) in P.
    set (v := outer kernel (n :: c :: l)) in *. set (at_x := nth_ix v 0 :: _) in P.
    destruct (guards at_x (dims x)) as [cs |] eqn:G; [| discriminate].
    destruct ((cell_count (dims x) =? 0) || integers); [discriminate |]. injection P as <-.
    apply (safe_reduced A shapes r i (n :: c :: l)); auto. intros rho u U B O.
    destruct (in_box_cons2 _ _ I) as (zn & zc & y & ->); [simpl; lia |].
    assert (all_see rho at_x (zn :: zc :: place w y u)) as V.
    { unfold at_x. repeat apply Forall2_cons.
      - exact (all_see_nth _ _ _ 0 O).
      - exact (all_see_nth _ _ _ 1 O).
      - apply all_see_window; [exact (all_see_skipn _ _ _ 2 O) | exact B]. }
    assert (length at_x = length (dims x)) as len.
    { rewrite Dx. unfold at_x. cbn [length]. do 2 f_equal. unfold place_ix. apply length_window_ix; auto.
      - unfold v, outer. rewrite skipn_length, length_numbered. simpl. lia.
      - rewrite length_bound. exact Lk. }
    apply (safe_guarded A shapes rho at_x _ (dims x) cs _ _ V len G); [| apply safe_lit].
    intros inside. exact (safe_input [x] 0 x rho at_x _ S eq_refl V inside).
  Qed.

  Theorem k_max_pool_safe ceil w kernel x out integers p : pool_dims ceil w kernel (dims x) = Some out ->
    k_max_pool A (map dims [x]) out integers w kernel = Some p -> sized [x] -> all_safe p.
  Proof.
    intros E P S. destruct (pool_facts _ _ _ _ _ E) as (n & c & ns & l & Dx & -> & Sp).
    unfold k_max_pool in P. destruct (pooled A _ _ _ _ _ _ _) as [e |] eqn:Pe; [| discriminate].
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    apply (safe_pooled KMax LLeast integers w kernel x n c ns l e i); eauto.
  Qed.

  Theorem k_average_pool_safe ceil include w kernel x out integers p : pool_dims ceil w kernel (dims x) = Some out ->
    k_average_pool A (map dims [x]) out integers include w kernel = Some p -> sized [x] -> all_safe p.
  Proof.
    intros E P S. destruct (pool_facts _ _ _ _ _ E) as (n & c & ns & l & Dx & -> & Sp).
    destruct (spatial_facts _ _ _ _ _ Sp) as (_ & _ & nzk & _).
    unfold k_average_pool in P. destruct (pooled A _ _ _ _ _ _ _) as [e |] eqn:Pe; [| discriminate].
    assert (forall i, in_box (n :: c :: l) i = true -> safe i e) as Se
      by (intros i I; apply (safe_pooled KSum (LInt 0) integers w kernel x n c ns l e i); eauto).
    change (skipn 2 (n :: c :: l)) with l in P. destruct (existsb varies _).
    - destruct (guards _ _) as [cs |]; [| discriminate]. apply some_inj in P. subst p.
      apply all_safe_cons.
      + intros D. apply all_safe_one. intros _ i I. apply safe_bin; [now apply Se |].
        apply (safe_load A shapes _ _ _ (skipn 2 i)); [apply all_see_skipn; now apply all_see_vars |].
        rewrite D. exact (in_box_skipn 2 _ _ I).
      + intros _ i I. apply (safe_reduced A shapes KSum i l); auto. intros rho u _ _ _.
        destruct cs as [| c0 cs]; [apply safe_lit |]. cbn [select]. apply safe_sel; intros _; apply safe_lit.
    - apply (all_safe_stores A shapes _ _ _ P). intros i I. apply safe_bin; [now apply Se | apply safe_lit].
  Qed.

  Theorem k_global_average_pool_safe x out p : global_pool_dims (dims x) = Some out ->
    k_global_average_pool A (map dims [x]) out = Some p -> sized [x] -> all_safe p.
  Proof.
    intros E P S. unfold global_pool_dims, guard in E. destruct (dims x) as [| n [| c ns]] eqn:Dx; try discriminate.
    destruct (0 <? length ns); [| discriminate]. injection E as <-.
    unfold k_global_average_pool in P. change (in_ (map dims [x]) 0) with (dims x) in P. rewrite Dx in P.
    change (skipn 2 (n :: c :: ns)) with ns in P.
    apply (all_safe_stores A shapes _ _ _ P). intros i I. apply safe_bin; [| apply safe_lit].
    apply (safe_sum_or_zero A shapes _ (n :: c :: map (fun _ => 1) ns)); [exact I |]. intros rho k Kb B O.
    destruct (in_box_cons2 _ _ I) as (zn & zc & y & ->); [simpl; lia |].
    apply in_box_cons in I. destruct I as [bn I]. apply in_box_cons in I. destruct I as [bc _].
    apply (safe_input [x] 0 x rho _ (zn :: zc :: k) S eq_refl).
    - repeat apply Forall2_cons; [exact (all_see_nth _ _ _ 0 O) | exact (all_see_nth _ _ _ 1 O) | exact B].
    - rewrite Dx. apply in_box_cons. split; [exact bn |]. apply in_box_cons. now split.
  Qed.

  Theorem k_lrn_safe alpha beta bias size x p : 0 < size -> k_lrn A (dims x) alpha beta bias size = Some p ->
    sized [x] -> all_safe p.
  Proof.
    intros pos P S. unfold k_lrn in P. set (v := outer [size] (dims x)) in *. set (l := set_nth 1 _ v) in P.
    destruct (guards l (dims x)) as [cs |] eqn:G; [| discriminate].
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    repeat (apply safe_bin || apply safe_call2 || apply safe_lit).
    - exact (safe_input [x] 0 x i (vars (dims x)) i S eq_refl (all_see_vars _ _ I) I).
    - apply (safe_reduced A shapes KSum i (dims x)); [| exact I |].
      + unfold no_zero. simpl. rewrite andb_true_r. apply negb_true_iff, Nat.eqb_neq. lia.
      + intros rho k Kb B O. set (c := (nth 1 i 0 + nth 0 k 0 - Z.of_nat ((size - 1) / 2))%Z).
        assert (all_see rho l (set_nth 1 c i)) as V.
        { apply all_see_set; [| exact O]. apply sees_plus. apply sees_add.
          - exact (all_see_nth _ _ _ 1 O).
          - exact (all_see_nth _ _ _ 0 B). }
        apply (safe_guarded A shapes rho l _ (dims x) cs _ _ V).
        * rewrite (all_see_length _ _ _ V), <- (in_box_length _ _ I).
          generalize c. clear. intros c. now destruct i as [| a [| b i]].
        * exact G.
        * intros inside. apply safe_bin; exact (safe_input [x] 0 x rho l _ S eq_refl V inside).
        * apply safe_lit.
  Qed.

  (** ** Normalisations *)

  (** Statistics, then cells that read them. *)
  Lemma moments_safe x es rest cells (place : list Z -> list Z -> list Z) p :
    no_zero es = true ->
    (forall r, in_box rest r = true -> forall rho k, in_box es k = true -> all_see rho (bound 0 es) k ->
       all_see rho (outer es rest) r -> all_see rho cells (place r k) /\ in_box (dims x) (place r k) = true) ->
    sized [x] -> (shapes (tT 0) = rest -> shapes (tT 1) = rest -> all_safe p) ->
    all_safe (moments A es rest cells ++ p).
  Proof.
    intros nz H S J. unfold moments. cbn [app]. apply all_safe_cons.
    - intros D0. apply all_safe_cons; [intros D1; now apply J |].
      intros _ r R. apply safe_over_n. apply (safe_reduced A shapes KSum r rest); auto. intros rho k Kb B O.
      destruct (H r R rho k Kb B O) as [V I].
      apply safe_bin; (apply safe_bin; [exact (safe_input [x] 0 x rho cells _ S eq_refl V I) |]);
        (apply (safe_load A shapes rho _ _ r O); now rewrite D0).
    - intros _ r R. apply safe_over_n. apply (safe_reduced A shapes KSum r rest); auto. intros rho k Kb B O.
      destruct (H r R rho k Kb B O) as [V I]. exact (safe_input [x] 0 x rho cells _ S eq_refl V I).
  Qed.

  Lemma safe_standardized x own eps i r rest : sized [x] -> in_box (dims x) i = true -> all_see i own r ->
    in_box rest r = true -> shapes (tT 0) = rest -> shapes (tT 1) = rest -> safe i (standardized A (dims x) own eps).
  Proof.
    intros S I O R D0 D1. unfold standardized. repeat (apply safe_bin || apply safe_call1 || apply safe_lit).
    - exact (safe_input [x] 0 x i (vars (dims x)) i S eq_refl (all_see_vars _ _ I) I).
    - apply (safe_load A shapes i _ _ r O). now rewrite D0.
    - apply (safe_load A shapes i _ _ r O). now rewrite D1.
  Qed.

  Lemma sized_one x more : sized (x :: more) -> sized [x].
  Proof. intros S [| k] t E; [now apply (S 0) | destruct k; discriminate]. Qed.

  Lemma cells_inside m (x : tensor) r rho k : length m = length (dims x) ->
    in_box (unmarked m (dims x)) r = true -> in_box (marked m (dims x)) k = true ->
    all_see rho (bound 0 (marked m (dims x))) k -> all_see rho (outer (marked m (dims x)) (unmarked m (dims x))) r ->
    all_see rho (cells_of (dims x) m) (weave m k r) /\ in_box (dims x) (weave m k r) = true.
  Proof. intros len R Kb B O. split; [now apply cells_seen | now apply in_box_weave]. Qed.

  Theorem k_layer_norm_safe axis eps x g b out p :
    layer_norm_dims (dims x) (dims g) (option_map dims b) = Some out -> no_zero (dims x) = true ->
    k_layer_norm A (map dims (with_third A x g b)) out axis eps = Some p -> sized (with_third A x g b) -> all_safe p.
  Proof.
    intros E nz P S. unfold layer_norm_dims, guard in E. destruct (broadcasts (dims g) (dims x) && _) eqn:F in E; [| discriminate].
    injection E as <-. apply andb_true_iff in F. destruct F as [Fg Fb].
    unfold k_layer_norm in P. apply some_inj in P. subst p. set (m := map (Nat.leb axis) (seq 0 (length (dims x)))).
    assert (length m = length (dims x)) as len by (unfold m; now rewrite map_length, seq_length).
    apply (moments_safe x _ _ _ (fun r k => weave m k r)).
    - now apply no_zero_marked.
    - intros r R rho k Kb B O. now apply cells_inside.
    - exact (sized_one _ _ S).
    - intros D0 D1. apply all_safe_one. intros _ i I.
      assert (safe i (bin A OMul (standardized A (dims x) (unmarked m (vars (dims x))) eps)
                        (spread_in A (map dims (with_third A x g b)) (dims x) 1))) as Y.
      { apply safe_bin.
        - apply (safe_standardized x _ eps i (unmarked m i) (unmarked m (dims x))); auto.
          + exact (sized_one _ _ S).
          + apply all_see_unmarked. now apply all_see_vars.
          + now apply in_box_unmarked.
        - apply (safe_spread A shapes (with_third A x g b) _ 1 g); auto. now apply broadcasts_fits. }
      destruct b as [b |]; cbn [with_third length map Nat.ltb Nat.leb]; [| exact Y].
      apply safe_bin; [exact Y |]. apply (safe_spread A shapes (with_third A x g (Some b)) _ 2 b); auto. now apply broadcasts_fits.
  Qed.

  Lemma safe_scaled_channel x g b out i e c :
    sized [x; g; b] -> is_vector c (dims g) = true -> is_vector c (dims b) = true -> in_box out i = true ->
    (0 <= nth 1 i 0 < Z.of_nat c)%Z -> safe i e -> safe i (scaled_channel A out e).
  Proof.
    intros S G B I R H. unfold scaled_channel.
    assert (sees i (nth_ix (vars out) 1) (nth 1 i 0%Z)) as V by (apply all_see_nth; now apply all_see_vars).
    apply safe_bin; [apply safe_bin; [exact H |] |].
    - apply (safe_vector A shapes [x; g; b] 1 g i (nth 1 i 0%Z) _ c); auto. now apply vector_is.
    - apply (safe_vector A shapes [x; g; b] 2 b i (nth 1 i 0%Z) _ c); auto. now apply vector_is.
  Qed.

  (** The channel is in its vectors. *)
  Lemma per_channel_vectors least x g b out : per_channel_dims least x g b = Some out -> 2 <= least ->
    exists c, out = x /\ 2 <= length x /\ is_vector c g = true /\ is_vector c b = true /\
      forall i, in_box x i = true -> (0 <= nth 1 i 0 < Z.of_nat c)%Z.
  Proof.
    unfold per_channel_dims, guard. destruct (channels x) as [c |] eqn:C; [| discriminate].
    destruct ((least <=? length x) && _ && _) eqn:G; [| discriminate]. intros E le. injection E as <-.
    rewrite !andb_true_iff, Nat.leb_le in G. destruct G as [[L G] B]. exists c. repeat split; auto; [lia | |];
      apply in_box_nth in H; destruct H as [_ H]; specialize (H 1 ltac:(lia));
      destruct x as [| a [| d x]]; simpl in L; try lia; injection C as <-; apply H.
  Qed.

  Theorem k_instance_norm_safe eps x g b out p : per_channel_dims 3 (dims x) (dims g) (dims b) = Some out ->
    no_zero (dims x) = true -> k_instance_norm A out eps = Some p -> sized [x; g; b] -> all_safe p.
  Proof.
    intros E nz P S. destruct (per_channel_vectors _ _ _ _ _ E) as (c & -> & _ & G & B & R); [lia |].
    unfold k_instance_norm in P. apply some_inj in P. subst p. set (m := map (Nat.leb 2) (seq 0 (length (dims x)))).
    assert (length m = length (dims x)) as len by (unfold m; now rewrite map_length, seq_length).
    apply (moments_safe x _ _ _ (fun r k => weave m k r)).
    - now apply no_zero_marked.
    - intros r Rr rho k Kb Bd O. now apply cells_inside.
    - exact (sized_one _ _ S).
    - intros D0 D1. apply all_safe_one. intros _ i I. apply (safe_scaled_channel x g b _ i _ c); auto.
      apply (safe_standardized x _ eps i (unmarked m i) (unmarked m (dims x))); auto.
      + exact (sized_one _ _ S).
      + apply all_see_unmarked. now apply all_see_vars.
      + now apply in_box_unmarked.
  Qed.

  Theorem k_group_norm_safe groups eps x g b out p : per_channel_dims 2 (dims x) (dims g) (dims b) = Some out ->
    0 < groups -> nth 1 (dims x) 0 mod groups = 0 -> no_zero (dims x) = true ->
    k_group_norm A out groups eps = Some p -> sized [x; g; b] -> all_safe p.
  Proof.
    intros E gp gm nz P S. destruct (per_channel_vectors _ _ _ _ _ E) as (cc & -> & L & G & B & R); [lia |].
    unfold k_group_norm in P. apply some_inj in P. subst p.
    destruct (dims x) as [| n [| c ns]] eqn:Dx; cbn [length] in L; try lia. cbn [nth] in *.
    change (skipn 2 (n :: c :: ns)) with ns.
    assert (n <> 0 /\ c <> 0 /\ no_zero ns = true) as (n0 & c0 & nzs).
    { unfold no_zero in nz. cbn [forallb] in nz. rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq in nz. tauto. }
    set (share := c / groups).
    assert (c = groups * share) as cs.
    { assert (groups <> 0) as g0 by lia. pose proof (Nat.div_mod c groups g0) as dm. fold share in dm. lia. }
    assert (0 < share) as sp by (destruct share; lia).
    assert (c / share = groups) as cq by (rewrite cs; apply Nat.div_mul; lia). rewrite cq.
    set (es := share :: ns). set (rest := [n; groups]).
    apply (moments_safe x es rest _
             (fun r k => nth 0 r 0%Z :: (nth 1 r 0 * Z.of_nat share + nth 0 k 0)%Z :: tl k)).
    - unfold no_zero, es. cbn [forallb]. rewrite andb_true_iff, negb_true_iff, Nat.eqb_neq. split; [lia | exact nzs].
    - intros r Rr rho k Kb Bd O. destruct (in_box_pair _ _ _ Rr) as (y & z & -> & By & Bz).
      destruct k as [| a k]; [discriminate |]. apply in_box_cons in Kb. destruct Kb as [Ba Kb]. split.
      + repeat apply Forall2_cons.
        * exact (all_see_nth _ _ _ 0 O).
        * apply sees_add; [| exact (all_see_nth _ _ _ 0 Bd)]. apply sees_mul. exact (all_see_nth _ _ _ 1 O).
        * exact (all_see_tl _ _ _ Bd).
      + rewrite Dx. cbn [nth tl]. apply in_box_cons. split; [exact By |]. apply in_box_cons. split; [| exact Kb].
        split; [nia |]. rewrite cs. rewrite Nat2Z.inj_mul. nia.
    - exact (sized_one _ _ S).
    - intros D0 D1. apply all_safe_one. intros _ i I. apply (safe_scaled_channel x g b _ i _ cc); auto.
      destruct (in_box_cons2 _ _ I) as (zn & zc & y & ->); [simpl; lia |]. pose proof (all_see_vars _ _ I) as V.
      pose proof I as I'. apply in_box_cons in I'. destruct I' as [bn I']. apply in_box_cons in I'. destruct I' as [bc _].
      rewrite <- Dx in *.
      apply (safe_standardized x _ eps _ [zn; (zc / Z.of_nat share)%Z] rest); auto.
      + exact (sized_one _ _ S).
      + repeat apply Forall2_cons; [exact (all_see_nth _ _ _ 0 V) | | constructor].
        apply sees_div; [lia |]. exact (all_see_nth _ _ _ 1 V).
      + apply pair_in_box; [exact bn |]. split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; lia.
  Qed.

  Lemma by_norm_safe m x norm bounded p : length m = length (dims x) ->
    by_norm A (dims x) m norm bounded = Some p -> sized [x] ->
    (forall r, in_box (unmarked m (dims x)) r = true -> safe r (norm (marked m (dims x)) (cells_of (dims x) m))) ->
    keeps_safe A shapes bounded -> all_safe p.
  Proof.
    intros len P S N Bd. unfold by_norm in P. apply some_inj in P. subst p. apply all_safe_cons; [| intros _; exact N].
    intros D. apply all_safe_one. intros _ i I. apply safe_bin.
    - exact (safe_input [x] 0 x i (vars (dims x)) i S eq_refl (all_see_vars _ _ I) I).
    - apply Bd. apply (safe_load A shapes _ _ _ (unmarked m i)).
      + apply all_see_unmarked. now apply all_see_vars.
      + rewrite D. now apply in_box_unmarked.
  Qed.

  Lemma safe_cells m x r e red : length m = length (dims x) -> no_zero (dims x) = true -> sized [x] ->
    in_box (unmarked m (dims x)) r = true ->
    (forall rho, safe rho (load A (tX 0) (cells_of (dims x) m)) -> safe rho e) ->
    safe r (reduced A red (marked m (dims x)) e).
  Proof.
    intros len nz S R E. apply (safe_reduced A shapes red r (unmarked m (dims x))); auto; [now apply no_zero_marked |].
    intros rho k Kb B O. apply E. destruct (cells_inside m x r rho k len R Kb B O) as [V I].
    exact (safe_input [x] 0 x rho _ _ S eq_refl V I).
  Qed.

  Theorem k_lp_norm_safe axis square x p : no_zero (dims x) = true ->
    k_lp_norm A (dims x) axis square = Some p -> sized [x] -> all_safe p.
  Proof.
    intros nz P S. unfold k_lp_norm in P. apply by_norm_safe with (x := x) in P; auto.
    - apply marks_length.
    - intros r R. destruct square.
      + apply safe_call1. apply safe_cells with (r := r); auto; [apply marks_length |]. intros rho H. now apply safe_bin.
      + apply safe_cells with (r := r); auto; [apply marks_length |]. intros rho H. now apply safe_call1.
    - intros rho e H. apply safe_call2; [exact H | apply safe_lit].
  Qed.

  Theorem k_l2_norm_safe axes eps x p : no_zero (dims x) = true ->
    k_l2_norm A (dims x) axes eps = Some p -> sized [x] -> all_safe p.
  Proof.
    intros nz P S. unfold k_l2_norm in P. apply by_norm_safe with (x := x) in P; auto.
    - apply marks_length.
    - intros r R. apply safe_cells with (r := r); auto; [apply marks_length |]. intros rho H. now apply safe_bin.
    - intros rho e H. apply safe_call1. apply safe_call2; [exact H | apply safe_lit].
  Qed.

  Theorem k_softmax_safe axis flatten x p : no_zero (dims x) = true ->
    k_softmax A (dims x) axis flatten = Some p -> sized [x] -> all_safe p.
  Proof.
    intros nz P S. unfold k_softmax in P. apply some_inj in P. subst p.
    set (m := map (fun k => if flatten then axis <=? k else axis =? k) (seq 0 (length (dims x)))).
    assert (length m = length (dims x)) as len by (unfold m; now rewrite map_length, seq_length).
    assert (forall i, in_box (dims x) i = true -> all_see i (unmarked m (vars (dims x))) (unmarked m i)) as own
      by (intros i I; apply all_see_unmarked; now apply all_see_vars).
    apply all_safe_cons.
    - intros D0. apply all_safe_cons.
      + intros D1. apply all_safe_cons.
        * intros D2. apply all_safe_one. intros _ i I. apply safe_bin.
          -- apply (safe_load A shapes _ _ (vars (dims x)) i); [now apply all_see_vars | now rewrite D1].
          -- apply (safe_load A shapes _ _ _ _ (own i I)). rewrite D2. now apply in_box_unmarked.
        * intros _ r R. apply (safe_reduced A shapes KSum r (unmarked m (dims x))); auto; [now apply no_zero_marked |].
          intros rho k Kb B O. destruct (cells_inside m x r rho k len R Kb B O) as [V I].
          apply (safe_load A shapes _ _ _ _ V). now rewrite D1.
      + intros _ i I. apply safe_call1, safe_bin.
        * exact (safe_input [x] 0 x i (vars (dims x)) i S eq_refl (all_see_vars _ _ I) I).
        * apply (safe_load A shapes _ _ _ _ (own i I)). rewrite D0. now apply in_box_unmarked.
    - intros _ r R. apply safe_cells with (r := r); auto.
  Qed.

  Theorem k_log_softmax_safe axis flatten x p : no_zero (dims x) = true ->
    k_log_softmax A (dims x) axis flatten = Some p -> sized [x] -> all_safe p.
  Proof.
    intros nz P S. unfold k_log_softmax in P. apply some_inj in P. subst p.
    set (m := map (fun k => if flatten then axis <=? k else axis =? k) (seq 0 (length (dims x)))).
    assert (length m = length (dims x)) as len by (unfold m; now rewrite map_length, seq_length).
    assert (forall i, in_box (dims x) i = true -> all_see i (unmarked m (vars (dims x))) (unmarked m i)) as own
      by (intros i I; apply all_see_unmarked; now apply all_see_vars).
    apply all_safe_cons.
    - intros D0. apply all_safe_cons.
      + intros D1. apply all_safe_cons.
        * intros D2. apply all_safe_one. intros _ i I. apply safe_bin.
          -- apply (safe_load A shapes _ _ (vars (dims x)) i); [now apply all_see_vars | now rewrite D1].
          -- apply (safe_load A shapes _ _ _ _ (own i I)). rewrite D2. now apply in_box_unmarked.
        * intros _ r R. apply safe_call1.
          apply (safe_reduced A shapes KSum r (unmarked m (dims x))); auto; [now apply no_zero_marked |].
          intros rho k Kb B O. destruct (cells_inside m x r rho k len R Kb B O) as [V I]. apply safe_call1.
          apply (safe_load A shapes _ _ _ _ V). now rewrite D1.
      + intros _ i I. apply safe_bin.
        * exact (safe_input [x] 0 x i (vars (dims x)) i S eq_refl (all_see_vars _ _ I) I).
        * apply (safe_load A shapes _ _ _ _ (own i I)). rewrite D0. now apply in_box_unmarked.
    - intros _ r R. apply safe_cells with (r := r); auto.
  Qed.

  Theorem k_rms_norm_safe axis eps x g out p : layer_norm_dims (dims x) (dims g) None = Some out ->
    no_zero (dims x) = true -> k_rms_norm A (map dims [x; g]) out axis eps = Some p -> sized [x; g] -> all_safe p.
  Proof.
    intros E nz P S. unfold layer_norm_dims, guard in E. destruct (broadcasts (dims g) (dims x) && _) eqn:F in E; [| discriminate].
    injection E as <-. apply andb_true_iff in F. destruct F as [F _].
    unfold k_rms_norm in P. apply some_inj in P. subst p. set (m := map (Nat.leb axis) (seq 0 (length (dims x)))).
    assert (length m = length (dims x)) as len by (unfold m; now rewrite map_length, seq_length).
    apply all_safe_cons.
    - intros D0. apply all_safe_one. intros _ i I. apply safe_bin; [apply safe_bin |].
      + exact (safe_input [x; g] 0 x i (vars (dims x)) i S eq_refl (all_see_vars _ _ I) I).
      + apply (safe_load A shapes _ _ _ (unmarked m i)); [apply all_see_unmarked; now apply all_see_vars |].
        rewrite D0. now apply in_box_unmarked.
      + apply (safe_spread A shapes [x; g] _ 1 g); auto. now apply broadcasts_fits.
    - intros _ r R. apply safe_call1, safe_bin; [| apply safe_lit]. apply safe_over_n.
      apply safe_cells with (r := r); auto; [exact (sized_one _ _ S) |]. intros rho L. now apply safe_bin.
  Qed.
End Safe.
