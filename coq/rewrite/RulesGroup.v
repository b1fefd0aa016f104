(** * Set lower: group normalisation *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library.
From Calque Require Import rewrite.RulesNorm rewrite.RulesConv rewrite.RulesLower.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors tensor.KeepDims tensor.Groups.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Expressions of the rule *)

(** What is behind the first. *)
Lemma slice_after (pre l : list value) :
  Attr.slice_op (pre ++ l) (VInt (Z.of_nat (List.length pre))) VNone VNone = Some (VTuple l).
Proof.
  unfold Attr.slice_op. cbn [Z.eqb Z.ltb Z.compare slice_bound]. rewrite (proj2 (Z.ltb_ge _ 0)) by lia.
  rewrite app_length. set (k := List.length pre). set (n := Z.of_nat (k + List.length l)).
  replace (Z.max 0 (Z.min n (Z.of_nat k))) with (Z.of_nat k) by lia. unfold steps. cbn [Z.ltb Z.compare].
  replace (Z.to_nat (Z.max 0 ((n - Z.of_nat k + 1 - 1) / 1))) with (List.length l) by (rewrite Z.div_1_r; lia).
  assert (forall m s, skipn s l = m ->
            traverse (fun i => nth_error (pre ++ l) (Z.to_nat (Z.of_nat k + Z.of_nat i * 1))) (seq s (List.length m)) = Some m) as T.
  { induction m as [| c m IH]; intros s E; [reflexivity |]. cbn [List.length seq traverse].
    replace (Z.to_nat (Z.of_nat k + Z.of_nat s * 1)) with (k + s) by lia. rewrite nth_error_app2 by lia.
    replace (k + s - List.length pre) with s by (unfold k; lia).
    assert (nth_error l s = Some c) as -> by (rewrite <- (Nat.add_0_r s), <- nth_error_skipn, E; reflexivity).
    rewrite (IH (Datatypes.S s)); [reflexivity |].
    assert (forall s, skipn (Datatypes.S s) l = tl (skipn s l)) as next
      by (clear; induction l as [| c l IH]; intros [| s]; try reflexivity; exact (IH s)).
    now rewrite next, E. }
  now rewrite (T l 0 eq_refl).
Qed.

Lemma slice_behind (a b : value) l : Attr.slice_op (a :: b :: l) (VInt 2) VNone VNone = Some (VTuple l).
Proof. exact (slice_after [a; b] l). Qed.

Definition parted_text (p q : N) : attr :=
  ABinary BAdd
    (ATuple [AProj (AAccess p "shape"%string) (AConst (VInt 0)); AAccess q "num_groups"%string;
             ABinary BFloordiv (AProj (AAccess p "shape"%string) (AConst (VInt 1))) (AAccess q "num_groups"%string)])
    (AFunc FSlice [AAccess p "shape"%string; AConst (VInt 2); AConst VNone; AConst VNone]).

Lemma parted_value G p q ds n c ys g v : ds = n :: c :: ys -> access G p "shape"%string = Some (shape_value ds) ->
  access G q "num_groups"%string = Some (VInt (Z.of_nat g)) -> eval G (parted_text p q) = Some v ->
  v = shape_value (n :: g :: c / g :: ys).
Proof.
  intros -> A B E. apply eval_binary in E. destruct E as (h & t & H & T & V).
  cbn [eval traverse] in T. rewrite A in T. cbn [func_op shape_value map] in T. rewrite slice_behind in T. injection T as <-.
  change (option_map VTuple (traverse (eval G)
    [AProj (AAccess p "shape"%string) (AConst (VInt 0)); AAccess q "num_groups"%string;
     ABinary BFloordiv (AProj (AAccess p "shape"%string) (AConst (VInt 1))) (AAccess q "num_groups"%string)]) = Some h) in H.
  cbn [traverse] in H.
  destruct (eval G (AProj (AAccess p "shape"%string) (AConst (VInt 0)))) as [d0 |] eqn:E0; [| discriminate].
  apply (eval_dim G p 0 _ _ A) in E0. destruct E0 as [_ ->].
  change (eval G (AAccess q "num_groups"%string)) with (access G q "num_groups"%string) in H. rewrite B in H.
  destruct (eval G (ABinary BFloordiv _ _)) as [d1 |] eqn:E1; [| discriminate]. injection H as <-.
  apply eval_binary in E1. destruct E1 as (c' & g' & Ec & Eg & Ed). apply (eval_dim G p 1 _ _ A) in Ec. destruct Ec as [_ ->].
  cbn [eval] in Eg. rewrite B in Eg. injection Eg as <-. cbn [nth binary_op] in Ed.
  destruct (Z.of_nat g =? 0)%Z; [discriminate |]. unfold int_result in Ed. destruct (in_int64 _); [| discriminate].
  injection Ed as <-. cbn in V. injection V as <-. unfold shape_value. cbn [map]. now rewrite Nat2Z.inj_div.
Qed.

Definition behind_range (p : N) : attr :=
  AFunc FRange [AConst (VInt 2); ABinary BAdd (AAccess p "ndim"%string) (AConst (VInt 1)); AConst (VInt 1)].

Lemma behind_range_value G p r v : access G p "ndim"%string = Some (VInt (Z.of_nat r)) -> 2 <= Datatypes.S r ->
  eval G (behind_range p) = Some v -> v = numbers_value (seq 2 (Datatypes.S r - 2)).
Proof.
  intros A le E. unfold behind_range in E. cbn [eval traverse] in E. rewrite A in E. cbn [binary_op] in E. unfold int_result in E.
  destruct (in_int64 _); [| discriminate].
  replace (Z.of_nat r + 1)%Z with (Z.of_nat (Datatypes.S r)) in E by lia.
  exact (range_value (labels_env [((0%N, "ndim"%string), VInt (Z.of_nat (Datatypes.S r)))]) 0%N 2 (Datatypes.S r) v eq_refl le E).
Qed.

(** ** The operator *)

Lemma group_called S inputs constants shapes l v0 v1 v2 w :
  calls (tensors S inputs constants shapes) "GroupNormalization"%string l (strip [v0; v1; v2]) = Some w ->
  exists x g b u e n, v0 = Of x /\ v1 = Of g /\ v2 = Of b /\ w = Of u /\ epsilon_of l = Some e /\
    group_of l (dims x) = Some n /\ group_norm S n e x g b = Some u.
Proof.
  intros C. apply calls_value in C. destruct C as (V & _ & _). unfold op_value in V.
  change (look_up String.eqb (operators S) "GroupNormalization"%string) with (Some (group_norm_op S)) in V.
  destruct v0 as [x | |], v1 as [g | |], v2 as [b | |]; try discriminate V.
  cbn in V. destruct (epsilon_of l) as [e |]; [| discriminate]. destruct (group_of l (dims x)) as [n |] eqn:Gn; [| discriminate].
  destruct (group_norm S n e x g b) as [u |] eqn:B; [| discriminate]. injection V as <-.
  exists x, g, b, u, e, n. now repeat (split; [reflexivity || assumption |]).
Qed.

Lemma group_norm_iff (S : arith) groups e (x g b u : tensor (num S)) : group_norm S groups e x g b = Some u ->
  exists n share ys, 0 < groups /\ dims x = n :: groups * share :: ys /\ dims g = [groups * share] /\ dims b = [groups * share] /\
    u = tabulate (dims x) (fun i => scale_channel S g b i (standard S e (share :: ys) (group_fellows S share x i) (at_ S x i))).
Proof.
  unfold group_norm, guard. destruct (_ && _) eqn:C; [| discriminate]. intros H.
  apply table_iff in H. destruct H as (ds & P & ->). apply andb_true_iff in C. destruct C as [pos C].
  apply Nat.ltb_lt in pos. apply Nat.eqb_eq in C. unfold per_channel_dims in P.
  destruct (dims x) as [| n [| c ys]] eqn:D; try discriminate P. cbn [Shapes.channels nth] in *.
  unfold guard, is_vector, sizes_eqb in P. cbn [List.length Nat.leb] in P.
  destruct (list_eq_dec Nat.eq_dec (dims g) [c]), (list_eq_dec Nat.eq_dec (dims b) [c]); try discriminate P.
  injection P as <-. exists n, (c / groups), ys.
  assert (groups * (c / groups) = c) as E by (pose proof (Nat.div_mod c groups ltac:(lia)); lia).
  rewrite E. now repeat (split; [assumption || reflexivity |]).
Qed.

Lemma group_written l x n : group_of l x = Some n -> look_up String.eqb l "num_groups"%string = Some (VInt (Z.of_nat n)).
Proof.
  unfold group_of, nat_attr, attr_or, attribute. intros H. destruct (look_up String.eqb l "num_groups"%string) as [v |]; [| discriminate].
  unfold guard in H. destruct v as [| | z | | |]; try discriminate. cbn [natural] in H. destruct (0 <=? z)%Z eqn:Z0; [| discriminate].
  destruct (_ && _); [| discriminate]. injection H as <-. apply Z.leb_le in Z0. now rewrite Z2Nat.id.
Qed.

Theorem rule_lower_group_norm_sound : real_rule rule_text_lower_group_norm.
Proof.
  at_match. each_output. see 3 l V L C.
  apply group_called in V. destruct V as (x0 & ga & be & u & e & groups & R0 & R1 & R2 & R3 & Ee & Eg & B).
  destruct (group_norm_iff S groups e x0 ga be u B) as (n & share & ys & pos & D & Dg & Db & Eu).
  assert (forall v, Pattern.label_at (patterns rule_text_lower_group_norm) g M (3, None) "epsilon"%string = Some v -> v = VFloat e)
    as epsilon by (intros v Lv; attr_of Lv C A; exact (epsilon_real _ _ _ Ee A)).
  assert (Pattern.label_at (patterns rule_text_lower_group_norm) g M (3, None) "num_groups"%string = Some (VInt (Z.of_nat groups))) as Lg
    by exact (eq_trans (call_attribute _ _ _ _ _ _ _ _ _ _ _ _ "num_groups"%string C eq_refl) (group_written _ _ _ Eg)).
  assert (forall v, Pattern.label_at (patterns rule_text_lower_group_norm) g M (0, None) "ndim"%string = Some v ->
            v = VInt (Z.of_nat (List.length (dims x0))))
    as rank by (intros v Ln; says_leaf Ln Dn; exact (ndim_label _ _ _ _ _ _ _ _ _ Dn R0)).
  assert (forall v, Pattern.label_at (patterns rule_text_lower_group_norm) g M (0, None) "shape"%string = Some v ->
            v = shape_value (dims x0))
    as shape by (intros v Ls; says_leaf Ls Ds; exact (shape_of_inv _ _ (shape_label _ _ _ _ _ _ _ _ _ Ds R0))).
  pose proof (rho_good _ _ _ _ _ _ _ _ san R0) as G0.
  pose proof (rho_good _ _ _ _ _ _ _ _ san R1) as Gg. pose proof (rho_good _ _ _ _ _ _ _ _ san R2) as Gb.
  assert (exists r, recast (n :: groups :: share :: ys) x0 = Some r) as [r Rr].
  { eexists. apply recast_iff. split; [| reflexivity]. rewrite G0, D. apply parted_count. }
  pose proof (recast_good _ _ _ Rr) as Gr.
  assert (dims r = n :: groups :: share :: ys) as Dr by (apply recast_iff in Rr; now destruct Rr as [_ ->]).
  pose (eps := tabulate [] (fun _ => s_real S e) : tensor (num S)).
  destruct (standard_built S laws (seq 2 (List.length (dims r) - 2)) _ e r eps eq_refl eq_refl eq_refl)
    as (mean & d & dd & var & p & q & z & W1 & W2 & Dd & W3 & Ddd & W4 & W5 & W6 & W7 & Ez).
  rewrite marks_range in Ez.
  assert (exists y, recast (dims x0) z = Some y) as [y Ry].
  { eexists. apply recast_iff. split; [| reflexivity]. rewrite Ez. rewrite good_tabulate. cbn [dims tabulate]. rewrite Dr, D.
    symmetry. apply parted_count. }
  assert (dims y = n :: groups * share :: ys) as Dy by (apply recast_iff in Ry; destruct Ry as [_ ->]; exact D).
  pose proof (grouped S n groups share ys e x0 r z y D G0 Rr Ez Ry) as cell.
  destruct (scaled_built S y ga be n (groups * share) ys Dy Dg Db Gg Gb) as (gc & bc & t & Kg & Kb & Et & Eo).
  assert (tabulate (dims y) (fun i => scale_channel S ga be i (at_ S y i)) = u) as Eu'.
  { rewrite Eu, Dy, D. apply tabulate_ext. intros idx I. now rewrite cell by (rewrite D; exact I). }
  assert (good z) as Gz by (rewrite Ez; apply good_tabulate).
  rewrite Eu' in Eo. clear Eu Eu' Ez cell.
  assert (2 <= List.length (dims r)) as le by (rewrite Dr; simpl; lia).
  pose proof (mean_made S inputs constants shapes 2 r mean le W1) as Q1.
  pose proof (mean_made S inputs constants shapes 2 dd var ltac:(rewrite Ddd; exact le) ltac:(rewrite Ddd; exact W4)) as Q4.
  rewrite Ddd in Q4.
  assert (groups * share / groups = share) as parts by (rewrite Nat.mul_comm; apply Nat.div_mul; lia).
  assert (Datatypes.S (List.length (dims x0)) = List.length (dims r)) as longer by (rewrite Dr, D; reflexivity).
  mean m.
  destruct (Pattern.label_at _ _ _ (3, None) "num_groups"%string) as [g0 |]; [| discriminate Lg]. injection Lg as ->.
  destruct (Pattern.label_at _ _ _ (0, None) "shape"%string) as [s0 |]; [| discriminate]. pose proof (shape s0 eq_refl). subst s0.
  destruct (Pattern.label_at _ _ _ (0, None) "ndim"%string) as [n0 |]; [| discriminate]. pose proof (rank n0 eq_refl). subst n0.
  pose (A := labels_env [((0%N, "shape"%string), shape_value (dims x0));
                         ((0%N, "ndim"%string), VInt (Z.of_nat (List.length (dims x0))));
                         ((3%N, "num_groups"%string), VInt (Z.of_nat groups))]).
  repeat match goal with
  | E : context [func_op FSlice] |- _ => lazymatch type of E with _ = Some ?v =>
      change (eval A (parted_text 0 3) = Some v) in E;
      apply (parted_value A 0%N 3%N (dims x0) n (groups * share) ys groups v D eq_refl eq_refl) in E; rewrite parts in E end
  | E : context [func_op FRange] |- _ => lazymatch type of E with _ = Some ?v =>
      change (eval A (behind_range 0) = Some v) in E;
      apply (behind_range_value A 0%N (List.length (dims x0)) v eq_refl ltac:(lia)) in E; rewrite longer in E end
  | E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => lazymatch type of E with _ = Some ?v =>
      change (eval A (second_text 0) = Some v) in E;
      let a := fresh "a" in let c := fresh "c" in let l := fresh "l" in let Dl := fresh "Dl" in
      destruct (second_value A 0%N (dims x0) v eq_refl eq_refl E) as (a & c & l & Dl & ->);
      rewrite D in Dl; injection Dl as <- <- <-; clear E end
  | E : Some _ = Some ?v |- _ => is_var v; injection E as <-
  | E : Pattern.label_at _ _ _ (3, None) "epsilon"%string = Some ?v |- _ => apply epsilon in E
  end.
  pose proof (reshape_made S inputs constants shapes _ x0 r G0 Rr) as Qr.
  pose proof (reshape_made S inputs constants shapes _ z y Gz Ry) as Qy.
  clear shape rank epsilon H L C.
  subst. rewrite !epsilon_const. fold eps. cbv beta iota.
  rewrite R0, Qr. cbv beta iota. rewrite Q1. cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Sub" _ _ _ _ _ eq_refl eq_refl W2). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl W3). cbv beta iota.
  rewrite Q4. cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl W5). cbv beta iota.
  rewrite (unary_made S inputs constants shapes "Sqrt" _ _ _ _ eq_refl eq_refl W6). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Div" _ _ _ _ _ eq_refl eq_refl W7). cbv beta iota.
  rewrite Qy. cbv beta iota.
  rewrite R1, (reshape_made S inputs constants shapes _ ga gc Gg Kg). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Et). cbv beta iota.
  rewrite R2, (reshape_made S inputs constants shapes _ be bc Gb Kb). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Eo). now rewrite R3.
Qed.

#[export] Hint Resolve rule_lower_group_norm_sound : sound_rules.
