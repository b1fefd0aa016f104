(** * Kernels that keep elements and their order: groups of dimensions *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpIndex tensor.OpIndexProof tensor.OpKernel.
From Calque Require Import tensor.OpEval tensor.OpMapProof tensor.OpPadProof.
Import ListNotations.
Open Scope nat_scope.

(** Places of a box in two parts. *)
Lemma index_at_app d e p q : p < cell_count d -> q < cell_count e ->
  index_at (d ++ e) (p * cell_count e + q) = index_at d p ++ index_at e q.
Proof.
  intros P Q. destruct (index_at_spec d p P) as [Id Pd], (index_at_spec e q Q) as [Ie Pe].
  assert (p * cell_count e + q < cell_count (d ++ e)) as lt by (rewrite cell_count_app; nia).
  destruct (index_at_spec (d ++ e) _ lt) as [I Pos].
  apply (position_inj (d ++ e)); [exact I | now apply in_box_join |].
  rewrite Pos, position_app by now apply in_box_length. now rewrite Pd, Pe.
Qed.

Lemma digit n c p : n <> 0 -> c <> 0 -> (p mod (n * c)) / c = (p / c) mod n /\ (p mod (n * c)) mod c = p mod c.
Proof.
  intros N C. rewrite (Nat.mul_comm n c), Nat.mod_mul_r by assumption.
  rewrite (Nat.mul_comm c ((p / c) mod n)). split.
  - rewrite Nat.div_add by exact C. rewrite Nat.div_small by now apply Nat.mod_upper_bound. reflexivity.
  - rewrite Nat.mod_add by exact C. now apply Nat.mod_mod.
Qed.

Section Groups.
  Variable rho : list Z.
  Notation all_see := (all_see rho).

  Lemma sees_div_nat a p c : c <> 0 -> sees rho a (Z.of_nat p) -> sees rho (ix_div a (Z.of_nat c)) (Z.of_nat (p / c)).
  Proof. intros C S. rewrite Nat2Z.inj_div. apply sees_div; [lia | exact S]. Qed.

  Lemma unflatten_inner pos p : sees rho pos (Z.of_nat p) -> forall d, cell_count d <> 0 ->
    all_see (unflatten false pos d) (index_at d (p mod cell_count d)).
  Proof.
    intros S. induction d as [| n d IH]; intros N; [constructor |].
    change (cell_count (n :: d)) with (n * cell_count d) in *.
    assert (n <> 0) as n0 by (intros ->; apply N; reflexivity).
    assert (cell_count d <> 0) as c0 by (intros E; apply N; rewrite E; apply Nat.mul_0_r).
    cbn [unflatten index_at]. destruct (digit n (cell_count d) p n0 c0) as [-> ->].
    apply Forall2_cons; [| now apply IH]. rewrite Nat2Z.inj_mod. apply sees_mod; [lia |]. now apply sees_div_nat.
  Qed.

  Lemma unflatten_outer pos p d : sees rho pos (Z.of_nat p) -> cell_count d <> 0 ->
    all_see (unflatten true pos d) (index_at d p).
  Proof.
    intros S N. destruct d as [| n d]; [constructor |]. change (cell_count (n :: d)) with (n * cell_count d) in N.
    assert (cell_count d <> 0) as c0 by (intros E; apply N; rewrite E; apply Nat.mul_0_r).
    cbn [unflatten index_at]. apply Forall2_cons; [now apply sees_div_nat | now apply unflatten_inner].
  Qed.

  Lemma group_at_sees v j ti to : all_see v j -> in_box to j = true -> cell_count ti = cell_count to ->
    all_see (group_at v to ti) (index_at ti (position to j)).
  Proof.
    intros V J E. pose proof (position_lt _ _ J) as lt.
    assert (all_see (unflatten true (ix_row_major (firstn (length to) v) to) ti) (index_at ti (position to j))) as general.
    { apply unflatten_outer; [| lia]. pose proof (in_box_length _ _ J) as L.
      pose proof (all_see_length _ _ _ V) as Lv. rewrite firstn_all2 by lia.
      apply sees_row_major; auto. lia. }
    unfold group_at. destruct ti as [| n [| ? ?]], to as [| m [| ? ?]]; try exact general.
    destruct V as [| a z v j a_ V]; [exact general |].
    destruct j as [| ? ?]; [| apply in_box_cons in J; destruct J; discriminate].
    inversion V; subst. apply in_box_cons in J. destruct J as [b _]. cbn [index_at position cell_count fold_right].
    rewrite Nat.div_1_r, Nat.mul_1_r, Nat.add_0_r, Z2Nat.id by lia. apply Forall2_cons; [exact a_ | constructor].
  Qed.
End Groups.

(** ** The groups *)

Lemma cell_count_snoc d n : cell_count (d ++ [n]) = cell_count d * n.
Proof. rewrite cell_count_app. simpl. lia. Qed.

Lemma grow_spec fuel : forall i o ti to ti' i' to' o',
  length i + length o <= fuel ->
  cell_count (ti ++ i) = cell_count (to ++ o) -> cell_count (ti ++ i) <> 0 ->
  grow fuel (cell_count ti) (cell_count to) i o ti to = (ti', i', to', o') ->
  ti' ++ i' = ti ++ i /\ to' ++ o' = to ++ o /\ cell_count ti' = cell_count to' /\
  length ti <= length ti' /\ length to <= length to'.
Proof.
  induction fuel as [| fuel IH]; intros i o ti to ti' i' to' o' le E N G; cbn [grow] in G.
  - destruct i, o; simpl in le; try lia. injection G as <- <- <- <-. rewrite !app_nil_r in *. repeat split; auto.
  - rewrite (cell_count_app ti i) in E, N. rewrite (cell_count_app to o) in E.
    assert (cell_count ti <> 0) as Ni by (intros Z; rewrite Z in N; simpl in N; lia).
    assert (cell_count to <> 0) as No by (intros Z; rewrite Z in E; simpl in E; lia).
    destruct (Nat.eqb_spec (cell_count ti) (cell_count to)) as [e | ne].
    + injection G as <- <- <- <-. repeat split; auto.
    + destruct (Nat.ltb_spec (cell_count ti) (cell_count to)) as [lt | ge].
      * destruct i as [| n i].
        { exfalso. simpl in E. assert (cell_count o <> 0) by (intros Z; rewrite Z in E; lia). nia. }
        rewrite <- cell_count_snoc in G. apply IH in G.
        -- destruct G as (A & B & C & D & F). rewrite <- app_assoc in A. rewrite app_length in D. simpl in D.
           repeat split; auto. lia.
        -- simpl in le. lia.
        -- rewrite <- app_assoc. simpl app. now rewrite !cell_count_app.
        -- rewrite <- app_assoc. simpl app. now rewrite !cell_count_app.
      * destruct o as [| n o].
        { exfalso. simpl in E. assert (cell_count i <> 0) by (intros Z; rewrite Z in N; lia). nia. }
        rewrite <- cell_count_snoc in G. apply IH in G.
        -- destruct G as (A & B & C & D & F). rewrite <- app_assoc in B. rewrite app_length in F. simpl in F.
           repeat split; auto. lia.
        -- simpl in le. lia.
        -- rewrite <- app_assoc. simpl app. now rewrite !cell_count_app.
        -- now rewrite !cell_count_app.
Qed.

Lemma group_spec i o ti i' to o' : cell_count i = cell_count o -> cell_count i <> 0 -> group i o = (ti, i', to, o') ->
  ti ++ i' = i /\ to ++ o' = o /\ cell_count ti = cell_count to /\
  (i <> [] \/ o <> [] -> length i' + length o' < length i + length o).
Proof.
  unfold group. intros E N G.
  assert (forall l : sizes, hd 1 l = cell_count (firstn 1 l)) as H by (intros [| n l]; simpl; lia).
  assert (forall l : sizes, firstn 1 l ++ tl l = l) as J by (intros [| n l]; reflexivity).
  rewrite !H in G. apply grow_spec in G; rewrite ?J in *; auto.
  - destruct G as (A & B & C & D & F). repeat split; auto. intros some.
    assert (length i = length ti + length i') as Li by (rewrite <- A; apply app_length).
    assert (length o = length to + length o') as Lo by (rewrite <- B; apply app_length).
    destruct some as [some | some]; [destruct i | destruct o]; try congruence; simpl in D, F; lia.
  - pose proof (f_equal (@length nat) (J i)) as Li. pose proof (f_equal (@length nat) (J o)) as Lo.
    rewrite app_length in Li, Lo. lia.
Qed.

Lemma reshape_at_sees rho fuel : forall v j i o, length i + length o <= fuel ->
  cell_count i = cell_count o -> all_see rho v j -> in_box o j = true ->
  all_see rho (reshape_at fuel v i o) (index_at i (position o j)).
Proof.
  induction fuel as [| fuel IH]; intros v j i o le E V J.
  - destruct i; [constructor | simpl in le; lia].
  - pose proof (position_lt _ _ J) as lt.
    assert (reshape_at (S fuel) v i o =
            match i, o with
            | [], [] => []
            | _, _ => let '(ti, i', to, o') := group i o in
                      group_at v to ti ++ reshape_at fuel (skipn (length to) v) i' o'
            end) as -> by reflexivity.
    destruct (group i o) as [[[ti i'] to] o'] eqn:G.
    destruct (group_spec i o ti i' to o' E) as (A & B & C & D); [lia | exact G |].
    assert (i <> [] \/ o <> [] ->
            all_see rho (group_at v to ti ++ reshape_at fuel (skipn (length to) v) i' o') (index_at i (position o j))) as main.
    { intros some. specialize (D some). rewrite <- B in J. destruct (in_box_split _ _ _ J) as (j1 & j2 & -> & J1 & J2).
      pose proof (in_box_length _ _ J1) as L1. pose proof (position_lt _ _ J1) as P1. pose proof (position_lt _ _ J2) as P2.
      assert (cell_count i' = cell_count o') as E'.
      { rewrite <- A, <- B, !cell_count_app, C in E. apply Nat.mul_cancel_l in E; [exact E | lia]. }
      rewrite <- A, <- B, position_app by exact L1. rewrite <- E'. rewrite index_at_app by lia.
      apply all_see_app.
      - assert (group_at v to ti = group_at (firstn (length to) v) to ti) as ->.
        { unfold group_at. rewrite firstn_firstn, Nat.min_id. destruct ti as [| ? [| ? ?]], to as [| ? [| ? ?]], v; reflexivity. }
        apply group_at_sees; auto. replace j1 with (firstn (length to) (j1 ++ j2)); [now apply all_see_firstn |].
        rewrite <- L1, firstn_app, Nat.sub_diag, firstn_all. cbn [firstn]. apply app_nil_r.
      - apply IH; auto; [lia |]. replace j2 with (skipn (length to) (j1 ++ j2)); [now apply all_see_skipn |].
        rewrite <- L1, skipn_app, Nat.sub_diag, skipn_all. reflexivity. }
    destruct i, o; [constructor | apply main; right; discriminate | apply main; left; discriminate | apply main; left; discriminate].
Qed.

Theorem k_reshape_gives A (st : Kernel.store (kernel_scalars A)) ds x more t p :
  good x -> recast ds x = Some t -> k_reshape A (dims x :: more) (dims t) = Some p ->
  (forall i, st (tX 0) i = at_ A x i) -> gives A p st 0 t.
Proof.
  intros G R P H i I. pose proof R as R'. apply recast_iff in R'. destruct R' as [E T].
  assert (dims t = ds) as Dt by now rewrite T.
  unfold k_reshape in P. apply some_inj in P. subst p. change (in_ (dims x :: more) 0) with (dims x).
  rewrite exec_cons. cbn [exec_prog fold_left]. rewrite exec_own by exact I. rewrite Dt in *.
  rewrite (eval_load A st i (tX 0) _ (index_at (dims x) (position ds i))).
  - rewrite H. symmetry. exact (get_recast (s_zero A) ds x t i G R I).
  - apply reshape_at_sees; auto; [now rewrite <- G | now apply all_see_vars].
Qed.
