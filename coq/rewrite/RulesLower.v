(** * Set lower: normalisations in primitive operators *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesFold rewrite.RulesNorm rewrite.RulesConv.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.OpsNorm tensor.Algebra tensor.Channel tensor.Factors tensor.KeepDims.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Theorem rule_lower_l2_norm_sound : real_rule rule_text_lower_l2_norm.
Proof.
  at_match. each_output. see 1 l1 V1 L1 C1. open1 V1 x0 u R0 R1 F1 G1. cbn beta in F1.
  destruct (l2_params l1 (dims x0)) as [[axes e] |] eqn:P1; [| discriminate]. unfold l2_params in P1.
  destruct (axes_attr l1 (List.length (dims x0))) as [axes' |] eqn:Pa; [| discriminate].
  destruct (epsilon_of l1) as [e' |] eqn:Pe; [| discriminate]. injection P1 as -> ->.
  mean m.
  match goal with E : Pattern.label_at _ _ _ _ "epsilon"%string = Some ?v |- _ =>
    attr_of E C1 Ae; assert (v = VFloat e) as ->
      by (unfold epsilon_of, real_attr, attr_or, attribute in Pe; rewrite Ae in Pe;
          destruct (real_of v) as [e' |] eqn:Ev; [| discriminate]; apply real_value in Ev; subst v;
          unfold guard in Pe; destruct (not_negative e'); [now injection Pe as -> | discriminate]);
    clear E end.
  match goal with E : Pattern.label_at _ _ _ _ "axes"%string = Some ?v |- _ => attr_of E C1 Aa; clear E end.
  match goal with E : Some (VInt 1) = Some ?v |- _ => injection E as <- end.
  pose (eps := tabulate [] (fun _ => s_real S e) : tensor (num S)).
  destruct (lower_l2 S laws axes e x0 u eps eq_refl eq_refl F1) as (sq & r & t & q & Es & Ds & Er & Et & Eq & Eu).
  subst. rewrite epsilon_const. fold eps. cbv beta iota.
  rewrite R0, (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Es). cbv beta iota.
  assert (calls (tensors S inputs constants shapes) "ReduceSum"%string
            [@pair label value "axes"%string v0; @pair label value "keepdims"%string (VInt 1)] (strip [Of sq]) = Some (Of r)) as Qr.
  { make1.
    - cbn beta. unfold reduce_params, bool_attr, attr_or, axes_attr, attribute. cbn [look_up find fst snd].
      unfold axes_attr, attribute in Pa. rewrite Aa in Pa. rewrite Ds. cbn -[ints_of axes_of]. rewrite Pa. exact Er.
    - apply fine_plain; [reflexivity |]. unfold reduce_sum in Er. now apply table_good in Er. }
  rewrite Qr. cbv beta iota.
  assert (calls (tensors S inputs constants shapes) "Max"%string [] (strip [Of r; Of eps]) = Some (Of t)) as Qt.
  { apply (any_intro S inputs constants shapes "Max" _ _ [] r [eps] t eq_refl).
    - exact Et.
    - apply fine_plain; [reflexivity |]. unfold fold_all in Et. now apply table_good in Et. }
  rewrite Qt. cbv beta iota.
  rewrite (unary_made S inputs constants shapes "Sqrt" _ _ _ _ eq_refl eq_refl Eq). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Div" _ _ _ _ _ eq_refl eq_refl Eu). now rewrite R1.
Qed.

(** ** Dimensions from one on *)

Definition range_text (p : N) (a : Z) : attr :=
  AFunc FRange [AConst (VInt a); AAccess p "ndim"%string; AConst (VInt 1)].

Definition numbers_value (l : list nat) : value := VTuple (map (fun k => VInt (Z.of_nat k)) l).

Lemma range_value G p a n v : access G p "ndim"%string = Some (VInt (Z.of_nat n)) -> a <= n ->
  eval G (range_text p (Z.of_nat a)) = Some v -> v = numbers_value (seq a (n - a)).
Proof.
  intros A le E. unfold range_text in E. cbn [eval traverse] in E. rewrite A in E. cbn [func_op] in E.
  unfold range_op, steps in E. cbn [Z.eqb Z.ltb Z.compare] in E.
  replace (Z.max 0 ((Z.of_nat n - Z.of_nat a + 1 - 1) / 1)) with (Z.of_nat (n - a)) in E by (rewrite Z.div_1_r; lia).
  unfold count in E. destruct ((0 <=? Z.of_nat (n - a))%Z && (Z.of_nat (n - a) <=? count_max)%Z); [| discriminate].
  rewrite Nat2Z.id in E.
  assert (forall m s l, traverse (fun i => int_result (Z.of_nat a + Z.of_nat i * 1)) (seq s m) = Some l ->
            l = map (fun k => VInt (Z.of_nat k)) (seq (a + s) m)) as T.
  { induction m as [| m IH]; intros s l H; simpl in H; [now injection H as <- |].
    unfold int_result at 1 in H. destruct (in_int64 _); [| discriminate].
    destruct (traverse _ (seq (Datatypes.S s) m)) as [l' |] eqn:T'; [| discriminate]. injection H as <-.
    rewrite (IH _ _ T'). cbn [seq map]. f_equal; [f_equal; lia | do 2 f_equal; lia]. }
  destruct (traverse _ (seq 0 (n - a))) as [l |] eqn:T'; [| discriminate]. injection E as <-.
  rewrite (T _ _ _ T'). unfold numbers_value. now rewrite Nat.add_0_r.
Qed.

Lemma numbers_axes l name n a : attribute l name = Some (numbers_value (seq a (n - a))) -> name = "axes"%string -> a <= n ->
  axes_attr l n = Some (seq a (n - a)).
Proof.
  intros A -> le. unfold axes_attr. rewrite A. unfold numbers_value. cbn [ints_of].
  assert (forall ks, traverse int_of (map (fun k => VInt (Z.of_nat k)) ks) = Some (map Z.of_nat ks)) as ->.
  { induction ks as [| k ks IH]; [reflexivity |]. cbn [map traverse int_of]. now rewrite IH. }
  now apply axes_of_range.
Qed.

Section Made.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation calls := (calls (tensors S inputs constants shapes)).

  Lemma mean_made a (x r : tensor (num S)) : a <= List.length (dims x) ->
    reduce_mean S true (seq a (List.length (dims x) - a)) x = Some r ->
    calls "ReduceMean"%string
      [@pair label value "axes"%string (numbers_value (seq a (List.length (dims x) - a)));
       @pair label value "keepdims"%string (VInt 1)] (strip [Of x]) = Some (Of r).
  Proof.
    intros le R. set (l := [_; _]). eapply (op1_intro S inputs constants shapes); [reflexivity | |].
    - cbn beta. unfold reduce_params.
      change (bool_attr l "keepdims"%string (Some true)) with (Some true).
      rewrite (numbers_axes l "axes"%string (List.length (dims x)) a eq_refl eq_refl le). exact R.
    - apply fine_plain; [reflexivity |]. unfold reduce_mean in R. now apply table_good in R.
  Qed.

  Lemma instance_called l v0 v1 v2 w : calls "InstanceNormalization"%string l (strip [v0; v1; v2]) = Some w ->
    exists x g b u e, v0 = Of x /\ v1 = Of g /\ v2 = Of b /\ w = Of u /\ epsilon_of l = Some e /\
      instance_norm S e x g b = Some u.
  Proof.
    intros C. apply calls_value in C. destruct C as (V & _ & _). unfold op_value in V.
    change (look_up String.eqb (operators S) "InstanceNormalization"%string) with (Some (instance_norm_op S)) in V.
    destruct v0 as [x | |], v1 as [g | |], v2 as [b | |]; try discriminate V.
    cbn in V. destruct (epsilon_of l) as [e |]; [| discriminate].
    destruct (instance_norm S e x g b) as [u |] eqn:B; [| discriminate]. injection V as <-.
    exists x, g, b, u, e. now repeat (split; [reflexivity || assumption |]).
  Qed.
End Made.

Lemma epsilon_real l v e : epsilon_of l = Some e -> look_up String.eqb l "epsilon"%string = Some v -> v = VFloat e.
Proof.
  unfold epsilon_of, real_attr, attr_or, attribute. intros E A. rewrite A in E.
  destruct (real_of v) as [e' |] eqn:R; [| discriminate]. apply real_value in R. subst v.
  unfold guard in E. destruct (not_negative e'); [now injection E as -> | discriminate].
Qed.

Lemma instance_norm_iff (S : arith) e (x g b u : tensor (num S)) n c ys : dims x = n :: c :: ys ->
  instance_norm S e x g b = Some u ->
  dims g = [c] /\ dims b = [c] /\
  u = tabulate (dims x) (fun i => scale_channel S g b i
        (standard S e (marked (map (Nat.leb 2) (seq 0 (List.length (dims x)))) (dims x))
           (fellows S (map (Nat.leb 2) (seq 0 (List.length (dims x)))) x i) (at_ S x i))).
Proof.
  intros D H. unfold instance_norm in H. apply table_iff in H. destruct H as (ds & P & ->).
  unfold per_channel_dims in P. rewrite D in P at 1. cbn [Shapes.channels] in P. unfold guard, is_vector, sizes_eqb in P.
  destruct (3 <=? List.length (dims x)), (list_eq_dec Nat.eq_dec (dims g) [c]), (list_eq_dec Nat.eq_dec (dims b) [c]);
    try discriminate P. injection P as <-. now repeat split.
Qed.

(** A factor and a shift for each channel, reshaped to (c, 1, .., 1). *)
Lemma scaled_built (S : arith) (r ga be : tensor (num S)) n c ys : dims r = n :: c :: ys ->
  dims ga = [c] -> dims be = [c] -> good ga -> good be ->
  exists gc bc t, recast (c :: repeat 1 (List.length ys)) ga = Some gc /\ recast (c :: repeat 1 (List.length ys)) be = Some bc /\
    map2 S (s_mul S) r gc = Some t /\
    map2 S (s_add S) t bc = Some (tabulate (dims r) (fun i => scale_channel S ga be i (at_ S r i))).
Proof.
  intros D Dg Db Gg Gb.
  assert (forall k : tensor (num S), dims k = [c] -> good k ->
            recast (c :: repeat 1 (List.length ys)) k = Some (Tensor (c :: repeat 1 (List.length ys)) (cells k))) as Rc.
  { intros k Dk Gk. apply recast_iff. split; [| reflexivity]. rewrite Gk, Dk. cbn. rewrite cell_count_ones. lia. }
  eexists. eexists. eexists. split; [now apply Rc |]. split; [now apply Rc |].
  split; [apply map2_channel; cbn [dims]; rewrite D; now apply (Channel_Rank _ n) |].
  rewrite map2_channel by (cbn [dims tabulate]; rewrite D; now apply (Channel_Rank _ n)).
  cbn [dims tabulate]. f_equal. apply tabulate_ext. intros i I. rewrite at_tabulate by exact I.
  pose proof I as J. rewrite D in J. apply second_in in J. unfold scale_channel. cbv zeta.
  rewrite (at_chan_vector S ga c _ Dg J), (at_chan_vector S be c _ Db J). reflexivity.
Qed.

Theorem rule_lower_instance_norm_sound : real_rule rule_text_lower_instance_norm.
Proof.
  at_match. each_output. see 3 l3 V3 L3 C3.
  apply instance_called in V3. destruct V3 as (x0 & ga & be & u & e & R0 & R1 & R2 & R3 & Ee & B).
  mean m.
  match goal with E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => second E 0 R0 bt ch ys D end.
  match goal with E : context [traverse (fun _ : nat => Some (VInt 1)) _] |- _ => second_again E 0 x0 bt' ch' ys' D' end.
  rewrite D in D'. injection D' as <- <- <-.
  assert (2 <= List.length (dims x0)) as le by (rewrite D; simpl; lia).
  repeat match goal with
  | E : context [func_op FRange _] |- _ =>
      lazymatch type of E with _ = Some ?v =>
        let G := constr:(labels_env [((0%N, "ndim"%string), VInt (Z.of_nat (List.length (dims x0))))]) in
        change (eval G (range_text 0 (Z.of_nat 2)) = Some v) in E;
        apply (range_value G 0%N 2 (List.length (dims x0)) v eq_refl le) in E
      end
  end.
  repeat match goal with E : Some (VInt 1) = Some ?v |- _ => injection E as <- end.
  repeat match goal with E : Pattern.label_at _ _ _ (3, None) "epsilon"%string = Some ?v |- _ =>
    let A := fresh "A" in attr_of E C3 A; clear E; apply (epsilon_real _ _ _ Ee) in A end.
  pose (eps := tabulate [] (fun _ => s_real S e) : tensor (num S)).
  destruct (instance_norm_iff S e x0 ga be u bt ch ys D B) as (Dg & Db & Eu).
  destruct (standard_built S laws (seq 2 (List.length (dims x0) - 2)) _ e x0 eps eq_refl eq_refl eq_refl)
    as (mean & d & dd & var & p & q & r & W1 & W2 & Dd & W3 & Ddd & W4 & W5 & W6 & W7 & Er).
  rewrite marks_range in Er.
  assert (dims r = dims x0) as Dr by now rewrite Er.
  pose proof (rho_good _ _ _ _ _ _ _ _ san R1) as Gg. pose proof (rho_good _ _ _ _ _ _ _ _ san R2) as Gb.
  destruct (scaled_built S r ga be bt ch ys ltac:(congruence) Dg Db Gg Gb) as (gc & bc & t & Kg & Kb & Et & Eo).
  assert (tabulate (dims r) (fun i => scale_channel S ga be i (at_ S r i)) = u) as Eu'.
  { rewrite Eu, Dr. apply tabulate_ext. intros idx I. rewrite Er. now rewrite at_tabulate by exact I. }
  rewrite Eu' in Eo. clear Eu Eu' Er.
  pose proof (mean_made S inputs constants shapes 2 x0 mean le W1) as Q1.
  pose proof (mean_made S inputs constants shapes 2 dd var ltac:(rewrite Ddd; exact le) ltac:(rewrite Ddd; exact W4)) as Q4.
  rewrite Ddd in Q4.
  subst. rewrite !epsilon_const. fold eps. cbv beta iota.
  rewrite R0, Q1. cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Sub" _ _ _ _ _ eq_refl eq_refl W2). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl W3). cbv beta iota.
  rewrite Q4. cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl W5). cbv beta iota.
  rewrite (unary_made S inputs constants shapes "Sqrt" _ _ _ _ eq_refl eq_refl W6). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Div" _ _ _ _ _ eq_refl eq_refl W7). cbv beta iota.
  rewrite R1, (reshape_made S inputs constants shapes _ ga gc Gg Kg). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Mul" _ _ _ _ _ eq_refl eq_refl Et). cbv beta iota.
  rewrite R2, (reshape_made S inputs constants shapes _ be bc Gb Kb). cbv beta iota.
  rewrite (binary_made S inputs constants shapes "Add" _ _ _ _ _ eq_refl eq_refl Eo). now rewrite R3.
Qed.

#[export] Hint Resolve rule_lower_l2_norm_sound rule_lower_instance_norm_sound : sound_rules.
