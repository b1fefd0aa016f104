(** * The kernel of AveragePool: how many cells of a window count *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsWindow tensor.OpIndex tensor.OpIndexProof tensor.OpKernel.
From Calque Require Import tensor.OpEval tensor.OpMapProof tensor.OpSumProof.
Import ListNotations.
Open Scope Z_scope.

(** ** The bounds of indices are what they reach *)

Definition spans (a : ixs) (l h : Z) : Prop := ix_first a = l /\ ix_last a = h.

Lemma sum_of_fixed f l :
  (forall t, fixed t = true -> f t = coef t * low t) ->
  sum_of f l = sum_of f (filter (fun t => negb (fixed t)) l) + sum_of (fun t => coef t * low t) (filter fixed l).
Proof.
  intros F. induction l as [| t l IH]; [reflexivity |]. cbn [filter].
  change (sum_of f (t :: l)) with (f t + sum_of f l).
  destruct (fixed t) eqn:E; cbn [negb].
  - change (sum_of (fun t => coef t * low t) (t :: filter fixed l))
      with (coef t * low t + sum_of (fun t => coef t * low t) (filter fixed l)).
    rewrite (F t E). lia.
  - change (sum_of f (t :: filter (fun t => negb (fixed t)) l))
      with (f t + sum_of f (filter (fun t => negb (fixed t)) l)). lia.
Qed.

Lemma spans_settled a l h : spans a l h -> spans (settled a) l h.
Proof.
  assert (forall t, fixed t = true -> low t = high t) as E by (intros t F; now apply Z.eqb_eq).
  unfold spans, ix_first, ix_last. cbn [settled terms OpIndex.plain]. intros [<- <-]. split.
  - rewrite (sum_of_fixed term_low (terms a)); [lia |]. intros t F. unfold term_low. rewrite <- (E t F). now destruct (0 <? coef t).
  - rewrite (sum_of_fixed term_high (terms a)); [lia |]. intros t F. unfold term_high. rewrite <- (E t F). now destruct (0 <? coef t).
Qed.

Lemma spans_const k : spans (ix_const k) k k.
Proof. split; unfold ix_first, ix_last, ix_const, sum_of; simpl; lia. Qed.

Lemma spans_var v n : spans (ix_var v n) 0 (Z.of_nat (n - 1)).
Proof. split; unfold ix_first, ix_last, ix_var, ix_atom, sum_of, term_low, term_high; cbn [terms OpIndex.plain fold_right coef low high]; change (0 <? 1) with true; cbv iota; lia. Qed.

Lemma spans_plus a k l h : spans a l h -> spans (ix_plus a k) (l + k) (h + k).
Proof.
  intros S. unfold ix_plus. destruct (Z.eqb_spec k 0) as [-> | _]; [now rewrite !Z.add_0_r |].
  destruct (spans_settled a l h S) as [<- <-]. split; unfold ix_first, ix_last; cbn [terms OpIndex.plain]; lia.
Qed.

Lemma spans_none a l h : spans a l h -> terms (settled a) = [] -> OpIndex.plain (settled a) = l /\ l = h.
Proof.
  intros S E. destruct (spans_settled a l h S) as [F L]. unfold ix_first, ix_last in F, L. rewrite E in F, L.
  change (sum_of term_low []) with 0 in F. change (sum_of term_high []) with 0 in L. lia.
Qed.

Lemma spans_add a b l h m k : spans a l h -> spans b m k -> spans (ix_add a b) (l + m) (h + k).
Proof.
  intros A B. unfold ix_add.
  destruct (terms (settled b)) as [| tb lb] eqn:EB.
  - destruct (spans_none b m k B EB) as [-> <-]. destruct (terms (settled a)); now apply spans_plus.
  - destruct (terms (settled a)) as [| ta la] eqn:EA.
    + destruct (spans_none a l h A EA) as [-> <-]. rewrite (Z.add_comm l m), (Z.add_comm l k). now apply spans_plus.
    + destruct (spans_settled a l h A) as [Fa La], (spans_settled b m k B) as [Fb Lb].
      unfold ix_first, ix_last in *. rewrite EA in Fa, La. rewrite EB in Fb, Lb.
      split; unfold ix_first, ix_last; cbn [terms OpIndex.plain]; rewrite sum_of_app; lia.
Qed.

Lemma spans_mul a m l h : 0 < m -> spans a l h -> spans (ix_mul a m) (l * m) (h * m).
Proof.
  intros pos S. unfold ix_mul. destruct (Z.eqb_spec m 1) as [-> | _]; [now rewrite !Z.mul_1_r |].
  destruct (Z.eqb_spec m 0) as [-> | _]; [lia |].
  destruct (spans_settled a l h S) as [<- <-].
  assert (forall t, (0 <? coef t * m) = (0 <? coef t)) as sg.
  { intros t. destruct (Z.ltb_spec 0 (coef t)), (Z.ltb_spec 0 (coef t * m)); try reflexivity; nia. }
  split; unfold ix_first, ix_last; cbn [terms OpIndex.plain]; rewrite sum_of_map.
  - rewrite (sum_of_ext _ (fun t => term_low t * m)); [rewrite sum_of_scale; lia |].
    intros t _. unfold term_low. cbn [coef low high]. rewrite sg. lia.
  - rewrite (sum_of_ext _ (fun t => term_high t * m)); [rewrite sum_of_scale; lia |].
    intros t _. unfold term_high. cbn [coef low high]. rewrite sg. lia.
Qed.

Definition lowest (d : sizes) : list Z := map (fun _ => 0) d.
Definition highest (d : sizes) : list Z := map (fun n => Z.of_nat (n - 1)) d.

Lemma extremes_in_box d : no_zero d = true -> in_box d (lowest d) = true /\ in_box d (highest d) = true.
Proof.
  unfold no_zero. induction d as [| n d IH]; intros nz; [split; reflexivity |]. cbn [forallb] in nz.
  apply andb_true_iff in nz. destruct nz as [n0 nz]. apply negb_true_iff, Nat.eqb_neq in n0.
  destruct (IH nz) as [a b]. cbn [lowest highest map]. split; apply in_box_cons; split; auto; lia.
Qed.

(** The places of windows, over all cells: least and greatest. *)
Lemma window_spans ss : forall ds ps ys ks v u, forallb (Nat.ltb 0) ss = true -> forallb (Nat.ltb 0) ds = true ->
  let l := window_ix ss ds ps (numbered v ys) (bound u ks) in
  map ix_first l = window_at ss ds ps (lowest ys) (lowest ks) /\
  map ix_last l = window_at ss ds ps (highest ys) (highest ks).
Proof.
  cbv zeta. induction ss as [| s ss IH]; intros [| d ds] [| p ps] [| y ys] [| k ks] v u Hs Hd; try (split; reflexivity).
  cbn [forallb] in Hs, Hd. apply andb_true_iff in Hs, Hd. destruct Hs as [s0 Hs], Hd as [d0 Hd].
    apply Nat.ltb_lt in s0, d0. cbn [numbered bound].
    set (b := if (1 <? k)%nat then ix_var u k else ix_const 0).
    assert (spans b 0 (Z.of_nat (k - 1))) as Sb.
    { unfold b. destruct (Nat.ltb_spec 1 k); [apply spans_var |]. replace (k - 1)%nat with O by lia. apply spans_const. }
    assert (exists u', (if (1 <? k)%nat then ix_var u k :: bound (S u) ks else ix_const 0 :: bound u ks) = b :: bound u' ks) as (u' & ->)
      by (unfold b; destruct (1 <? k)%nat; eauto).
    cbn [window_ix window_at lowest highest map]. destruct (IH ds ps ys ks (S v) u' Hs Hd) as [-> ->].
    assert (spans (ix_plus (ix_add (ix_mul (ix_var v y) (Z.of_nat s)) (ix_mul b (Z.of_nat d))) (- Z.of_nat p))
              (0 * Z.of_nat s + 0 * Z.of_nat d + - Z.of_nat p)
              (Z.of_nat (y - 1) * Z.of_nat s + Z.of_nat (k - 1) * Z.of_nat d + - Z.of_nat p)) as [-> ->].
    { apply spans_plus, spans_add; apply spans_mul; auto using spans_var; lia. }
    split; reflexivity.
Qed.

(** With the padding counted. *)
Lemma padded_places ss : forall ds ps y u,
  map (fun ap => fst ap + Z.of_nat (snd ap)) (combine (window_at ss ds ps y u) ps) =
  window_at ss ds (map (fun _ => O) ps) y u.
Proof.
  induction ss as [| s ss IH]; intros [| d ds] [| p ps] [| a y] [| b u]; try reflexivity.
  cbn [window_at combine map fst snd]. rewrite IH. f_equal. simpl. lia.
Qed.

Lemma map_plus (f : ixs -> Z) (l : list ixs) (ps : list nat) :
  (forall a k, f (ix_plus a k) = f a + k) ->
  map f (map (fun ap => ix_plus (fst ap) (Z.of_nat (snd ap))) (combine l ps)) =
  map (fun ap => fst ap + Z.of_nat (snd ap)) (combine (map f l) ps).
Proof.
  intros F. revert ps. induction l as [| a l IH]; intros [| p ps]; try reflexivity.
  cbn [combine map fst snd]. now rewrite F, IH.
Qed.

Lemma first_plus a k : ix_first (ix_plus a k) = ix_first a + k.
Proof. now destruct (spans_plus a k _ _ (conj eq_refl eq_refl)). Qed.

Lemma last_plus a k : ix_last (ix_plus a k) = ix_last a + k.
Proof. now destruct (spans_plus a k _ _ (conj eq_refl eq_refl)). Qed.

(** ** What varies *)

Lemma varies_some l : forall d, existsb varies (combine l d) = true ->
  in_box d (map ix_first l) = false \/ in_box d (map ix_last l) = false.
Proof.
  induction l as [| a l IH]; intros [| n d] E; try discriminate. cbn [combine existsb] in E.
  apply orb_true_iff in E. cbn [map Kernel.in_box]. destruct E as [V | E].
  - unfold varies in V. cbn [fst snd] in V. apply orb_true_iff in V. rewrite Z.ltb_lt, Z.leb_le in V.
    destruct V as [V | V].
    + left. destruct (Z.leb_spec 0 (ix_first a)); [lia | reflexivity].
    + right. destruct (Z.ltb_spec (ix_last a) (Z.of_nat n)); [lia |]. now rewrite andb_false_r.
  - destruct (IH d E) as [-> | ->]; [left | right]; apply andb_false_r.
Qed.

Lemma varies_none rho l j : all_see rho l j -> forall d, length l = length d ->
  existsb varies (combine l d) = false -> in_box d j = true.
Proof.
  intros V. induction V as [| a z l j A _ IH]; intros [| n d] len E; try discriminate; [reflexivity |].
  cbn [combine existsb] in E. apply orb_false_iff in E. destruct E as [Va E]. unfold varies in Va. cbn [fst snd] in Va.
  apply orb_false_iff in Va. rewrite Z.ltb_ge, Z.leb_gt in Va. pose proof (sees_range _ _ _ A).
  apply in_box_cons. split; [lia |]. apply IH; [injection len as len; exact len | exact E].
Qed.

Section Pool.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation tensor := (tensor (num A)).

  (** Where cell [u] of the window of [y] is, as it is counted. *)
  Definition count_place (w : window) (include : bool) (y u : list Z) : list Z :=
    if include then window_at (strides w) (dilations w) (map (fun _ => O) (pads_before w)) y u else place w y u.

  Lemma counted_is w include ns y u : counted w include ns y u = in_box (count_limit w include ns) (count_place w include y u).
  Proof. reflexivity. Qed.

  Lemma all_see_count rho w include kernel spatial y u :
    all_see rho (outer kernel spatial) y -> all_see rho (bound 0 kernel) u ->
    all_see rho (count_ix w include kernel spatial) (count_place w include y u).
  Proof.
    intros Y U. unfold count_ix, count_place, place, place_ix.
    pose proof (all_see_window rho (strides w) (dilations w) (pads_before w) _ _ _ _ Y U) as V.
    destruct include; [| exact V]. rewrite <- padded_places. revert V.
    generalize (window_ix (strides w) (dilations w) (pads_before w) (outer kernel spatial) (bound 0 kernel)).
    generalize (window_at (strides w) (dilations w) (pads_before w) y u). generalize (pads_before w).
    intros ps j l V. unfold all_see in *. revert ps. induction V as [| a z l j a_ _ IH]; intros [| p ps]; cbn [combine map]; auto.
    constructor; [| apply IH]. now apply sees_plus.
  Qed.

  Lemma count_extremes w include kernel spatial :
    forallb (Nat.ltb 0) (strides w) = true -> forallb (Nat.ltb 0) (dilations w) = true ->
    let l := count_ix w include kernel spatial in
    map ix_first l = count_place w include (lowest spatial) (lowest kernel) /\
    map ix_last l = count_place w include (highest spatial) (highest kernel).
  Proof.
    cbv zeta. intros S D. unfold count_ix, count_place, place, place_ix, outer.
    destruct (window_spans (strides w) (dilations w) (pads_before w) spatial kernel (length (live kernel)) 0 S D) as [F L].
    destruct include; [| now split].
    rewrite (map_plus ix_first _ _ first_plus), (map_plus ix_last _ _ last_plus), F, L, !padded_places. now split.
  Qed.

  Lemma window_positive ceil w kernel ns l : spatial_dims ceil w kernel ns = Some l ->
    forallb (Nat.ltb 0) (strides w) = true /\ forallb (Nat.ltb 0) (dilations w) = true /\
    length (pads_after w) = length ns.
  Proof.
    unfold spatial_dims, guard, window_ok.
    destruct (((length (strides w) =? length ns) && (length (dilations w) =? length ns) &&
               (length (pads w) =? 2 * length ns) && forallb (Nat.ltb 0) (strides w) &&
               forallb (Nat.ltb 0) (dilations w)) && forallb (Nat.ltb 0) kernel)%nat eqn:G; [| discriminate].
    repeat rewrite andb_true_iff in G. rewrite !Nat.eqb_eq in G. destruct G as [[[[[s d] p] ps] pd] k].
    intros _. repeat split; auto. unfold pads_after. rewrite skipn_length. lia.
  Qed.

  Theorem k_average_pool_gives st ceil include w kernel x t integers p :
    average_pool A ceil include w kernel x = Some t ->
    k_average_pool A (map dims [x]) (dims t) integers include w kernel = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. pose proof M as M'. destruct (table_some A _ _ _ M') as (ds & E & T).
    destruct (pool_facts _ _ _ _ _ E) as (n & c & ns & l & Dx & -> & Sp).
    destruct (spatial_facts _ _ _ _ _ Sp) as (Ll & Lk & nzk & Ls & Ld & Lp).
    destruct (window_positive _ _ _ _ _ Sp) as (ps & pd & La).
    assert (dims t = n :: c :: l) as Dt by now rewrite T.
    unfold k_average_pool in P. change (in_ (map dims [x]) 0) with (dims x) in P.
    rewrite Dt in P. rewrite Dx in P.
    change (skipn 2 (n :: c :: l)) with l in P. change (skipn 2 (n :: c :: ns)) with ns in P.
    set (ix := count_ix w include kernel l) in *. set (limit := count_limit w include ns) in *.
    assert (length ix = length limit) as len.
    { assert (length (place_ix w (outer kernel l) (bound 0 kernel)) = length ns) as L0.
      { apply length_window_ix; auto; [unfold outer; now rewrite length_numbered | now rewrite length_bound]. }
      unfold ix, limit, count_ix, count_limit. destruct include; [| exact L0].
      rewrite !map_length, !combine_length, L0, Lp, La. lia. }
    destruct (pooled A (map dims [x]) (n :: c :: l) integers KSum (LInt 0) w kernel) as [e |] eqn:Pe; [| discriminate].
    assert (forall s i, holds A s [x] -> in_box (n :: c :: l) i = true ->
              eval s i e = s_sum A kernel (window_cell A w x (s_zero A) i)) as Ee.
    { intros s i Hs I. now rewrite (eval_pooled A s KSum (LInt 0) integers w kernel x n c ns l e i); eauto. }
    assert (forall i, in_box (n :: c :: l) i = true ->
              at_ A t i = s_div A (s_sum A kernel (window_cell A w x (s_zero A) i))
                            (pool_count A w include kernel ns l (skipn 2 i))) as At.
    { intros i I. rewrite T. unfold at_ at 1. rewrite get_tabulate by exact I. rewrite Dx. reflexivity. }
    assert (forall i, in_box (n :: c :: l) i = true -> in_box l (skipn 2 i) = true) as rest.
    { intros i I. destruct (in_box_cons2 _ _ I) as (a & b & y & ->); [simpl; lia |].
      apply in_box_cons in I. destruct I as [_ I]. apply in_box_cons in I. apply I. }
    destruct (existsb varies (combine ix limit)) eqn:var.
    - destruct (guards ix limit) as [cs |] eqn:G; [| discriminate]. apply some_inj in P. subst p.
      intros i I. rewrite Dt in I. rewrite At by exact I. pose proof (rest i I) as Iy.
      assert (no_zero l = true) as nzl by exact (in_box_no_zero _ _ Iy).
      set (s0 := stored A (tT 0) l _). rewrite !exec_cons. cbn [exec_prog fold_left]. rewrite exec_own by exact I.
      set (st' := exec s0 st).
      assert (holds A st' [x]) as H' by (apply holds_exec; [exact H | intros k; apply x_not_t]).
      rewrite eval_bin, (Ee st' i H' I). cbn [operator_of]. f_equal.
      rewrite (eval_load A st' i (tT 0) (skipn 2 (vars (n :: c :: l))) (skipn 2 i))
        by (apply all_see_skipn; now apply all_see_vars).
      unfold st', s0. rewrite exec_own by exact Iy.
      rewrite (eval_reduced_sum A st (skipn 2 i) kernel _
                 (fun u => if counted w include ns (skipn 2 i) u then s_one A else s_zero A) nzk).
      + unfold pool_count. destruct (forallb _ (box l)) eqn:all; [| reflexivity]. exfalso.
        destruct (count_extremes w include kernel l ps pd) as [F L]. fold ix in F, L.
        destruct (extremes_in_box l nzl) as [l0 l1], (extremes_in_box kernel nzk) as [k0 k1].
        rewrite forallb_forall in all.
        assert (forall y u, in_box l y = true -> in_box kernel u = true -> counted w include ns y u = true) as yes.
        { intros y u Y U. apply in_box_box in Y, U. specialize (all y Y). rewrite forallb_forall in all. now apply all. }
        destruct (varies_some ix limit var) as [N | N].
        * rewrite F in N. specialize (yes _ _ l0 k0). rewrite counted_is in yes. fold limit in yes. congruence.
        * rewrite L in N. specialize (yes _ _ l1 k1). rewrite counted_is in yes. fold limit in yes. congruence.
      + apply (under_intro A st (skipn 2 i) kernel l); [exact Iy |]. intros rho u U B O.
        rewrite (eval_guarded A st rho ix _ limit cs _ _ (all_see_count rho w include kernel l _ u O B) len G).
        rewrite counted_is. fold limit. now destruct (in_box limit _).
    - assert (stores A (dims t) (bin A ODiv e (int A (Z.of_nat (cell_count kernel)))) = Some p) as P' by now rewrite Dt.
      apply (stores_gives A st _ _ _ _ _ M P'). intros i I. rewrite Dt in I.
      rewrite eval_bin, (Ee st i H I), Dx, Dt. cbn [operator_of skipn]. f_equal. unfold pool_count.
      assert (forallb (fun y => forallb (counted w include ns y) (box kernel)) (box l) = true) as ->; [| reflexivity].
      apply forallb_forall. intros y Y. apply forallb_forall. intros u U. apply in_box_box in Y, U.
      rewrite counted_is. fold limit.
      pose proof (all_see_bound kernel 0) as B.
      assert (exists k, in_box (live kernel) k = true /\ u = widen kernel k) as (k & Kb & ->).
      { apply in_box_box in U. rewrite (box_live kernel nzk) in U. apply in_map_iff in U.
        destruct U as (k & <- & ink). exists k. split; [now apply in_box_box | reflexivity]. }
      specialize (B k [] y Kb eq_refl). cbn [app] in B.
      apply (varies_none (k ++ y) ix); [| exact len | exact var].
      apply all_see_count; [| exact B]. apply all_see_outer; [now apply in_box_length | exact Y].
  Qed.
End Pool.
