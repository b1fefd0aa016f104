(** * Convolutions in groups, of one input, as one

    Group [q] of the merged kernels holds group [q] of every kernel.  [regroup]: tensors that lie one below the other,
    each in groups, are put in the order of the groups by a Reshape, a Transpose and a Reshape; and back. *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Formulas tensor.Concat tensor.LawsMerge tensor.LawsConv.
Import ListNotations.
Open Scope nat_scope.

(** ** Two neighbours exchanged *)

(** Dimensions [p] and [p + 1]. *)
Definition swap_perm (p r : nat) : list nat := seq 0 p ++ [p + 1; p] ++ seq (p + 2) r.

Lemma swap_length p r : length (swap_perm p r) = p + 2 + r.
Proof. unfold swap_perm. rewrite !app_length, !seq_length. simpl. lia. Qed.

Lemma map_nth_seq {A} (d : A) l pre : map (fun k => nth k (pre ++ l) d) (seq (length pre) (length l)) = l.
Proof.
  revert pre. induction l as [| a l IH]; intros pre; [reflexivity |]. cbn [length seq map]. f_equal.
  - rewrite app_nth2, Nat.sub_diag by lia. reflexivity.
  - specialize (IH (pre ++ [a])). rewrite <- app_assoc, app_length in IH. cbn [length app] in IH.
    now rewrite Nat.add_1_r in IH.
Qed.

Lemma swapped {A} (d : A) pre a b post :
  map (fun k => nth k (pre ++ a :: b :: post) d) (swap_perm (length pre) (length post)) = pre ++ b :: a :: post.
Proof.
  unfold swap_perm. rewrite !map_app. f_equal; [| cbn [map app]; f_equal; [| f_equal]].
  - transitivity (map (fun k => nth k ([] ++ pre) d) (seq 0 (length pre))); [| exact (map_nth_seq d pre [])].
    apply map_ext_in. intros k ink. apply in_seq in ink. cbn [app]. now rewrite app_nth1.
  - rewrite app_nth2 by lia. now replace (length pre + 1 - length pre) with 1 by lia.
  - rewrite app_nth2, Nat.sub_diag by lia. reflexivity.
  - change (a :: b :: post) with ([a; b] ++ post). rewrite app_assoc.
    replace (length pre + 2) with (length (pre ++ [a; b])) by (rewrite app_length; reflexivity). apply map_nth_seq.
Qed.

Lemma swap_twice p r k : k < p + 2 + r -> nth (nth k (swap_perm p r) 0) (swap_perm p r) 0 = k.
Proof.
  intros lt. pose proof (swapped 0 (seq 0 p) (p + 1) p (seq (p + 2) r)) as E. rewrite !seq_length in E.
  apply (f_equal (fun l => nth k l 0)) in E. rewrite (nth_map_lt _ _ _ 0) in E by (rewrite swap_length; exact lt).
  unfold swap_perm at 2. cbn [app]. rewrite E.
  destruct (Nat.lt_ge_cases k p) as [l | ge]; [rewrite app_nth1 by (now rewrite seq_length); now apply seq_nth |].
  rewrite app_nth2 by (now rewrite seq_length). rewrite seq_length.
  destruct (k - p) as [| [| j]] eqn:K; cbn [nth]; [lia | lia |]. rewrite seq_nth; lia.
Qed.

Lemma swap_permutes p r : permutes (p + 2 + r) (swap_perm p r) = true.
Proof.
  apply permutes_iff. split; [apply swap_length |]. split.
  - apply (proj2 (NoDup_nth _ 0)). rewrite swap_length. intros i j li lj E.
    rewrite <- (swap_twice p r i li), <- (swap_twice p r j lj). now rewrite E.
  - unfold swap_perm. intros k ink. rewrite !in_app_iff, !in_seq in ink. cbn [In] in ink. lia.
Qed.

Lemma unpermute_swap pre a b post :
  unpermute (swap_perm (length pre) (length post)) (pre ++ a :: b :: post) = pre ++ b :: a :: post.
Proof.
  rewrite <- (swapped 0%Z pre a b post). set (l := pre ++ a :: b :: post). set (p := length pre). set (r := length post).
  pose proof (swap_permutes p r) as P. apply permutes_iff in P. destruct P as (_ & nd & less).
  assert (forall h : nat -> Z, map h (swap_perm p r) = map (fun k => h (nth k (swap_perm p r) 0)) (seq 0 (p + 2 + r))) as listed.
  { intros h. rewrite <- (swap_length p r), <- (map_map (fun k => nth k (swap_perm p r) 0) h). f_equal. symmetry. exact (map_nth_seq 0 (swap_perm p r) []). }
  unfold unpermute. rewrite swap_length, listed. apply map_ext_in. intros k ink. apply in_seq in ink. f_equal.
  rewrite <- (swap_twice p r k) at 1 by lia. apply place_of_nth; [exact nd |]. rewrite swap_length. apply less, nth_In.
  rewrite swap_length. lia.
Qed.

(** ** A dimension in three *)

(** A place of two digits. *)
Lemma two_digits a b k q : (0 <= k < a)%Z -> (0 <= q < b)%Z -> (0 <= k * b + q < a * b)%Z.
Proof. nia. Qed.

Lemma three_digits (a b s : nat) k q t : (0 <= k < Z.of_nat a)%Z -> (0 <= q < Z.of_nat b)%Z -> (0 <= t < Z.of_nat s)%Z ->
  (0 <= (k * Z.of_nat b + q) * Z.of_nat s + t < Z.of_nat (a * (b * s)))%Z.
Proof.
  intros K Q T. rewrite !Nat2Z.inj_mul, Z.mul_assoc. now apply two_digits; [apply two_digits |].
Qed.

Lemma three_position pre a b s post i k q t j : length i = length pre ->
  (0 <= k < Z.of_nat a)%Z -> (0 <= q < Z.of_nat b)%Z -> (0 <= t < Z.of_nat s)%Z ->
  in_box pre i = true -> in_box post j = true ->
  let o := ((k * Z.of_nat b + q) * Z.of_nat s + t)%Z in
  in_box (pre ++ a * (b * s) :: post) (i ++ o :: j) = true /\
  in_box (pre ++ a :: b :: s :: post) (i ++ k :: q :: t :: j) = true /\
  position (pre ++ a * (b * s) :: post) (i ++ o :: j) = position (pre ++ a :: b :: s :: post) (i ++ k :: q :: t :: j).
Proof.
  intros len K Q T I J o. assert (0 <= o < Z.of_nat (a * (b * s)))%Z as O by now apply three_digits.
  split; [| split].
  - rewrite in_box_app by exact len. rewrite I. cbn [andb]. apply in_box_cons. now split.
  - rewrite in_box_app by exact len. rewrite I. cbn [andb]. apply in_box_cons. split; [exact K |].
    apply in_box_cons. split; [exact Q |]. apply in_box_cons. now split.
  - rewrite !position_app by exact len. cbn [position cell_count fold_right]. fold (cell_count post).
    assert (Z.to_nat o = (Z.to_nat k * b + Z.to_nat q) * s + Z.to_nat t) as -> by (unfold o; rewrite Z2Nat.inj_add, !Z2Nat.inj_mul, Z2Nat.inj_add, Z2Nat.inj_mul, !Nat2Z.id by nia; reflexivity). ring.
Qed.

(** A place of a dimension that is cut in [a] times [s]. *)
Lemma cut (a s : nat) o : (0 <= o < Z.of_nat (a * s))%Z ->
  (0 <= o / Z.of_nat s < Z.of_nat a)%Z /\ (0 <= o mod Z.of_nat s < Z.of_nat s)%Z /\
  (o / Z.of_nat s * Z.of_nat s + o mod Z.of_nat s)%Z = o.
Proof.
  intros O. assert (0 < Z.of_nat s)%Z as pos by nia.
  split; [split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; nia] |].
  split; [now apply Z.mod_pos_bound | rewrite Z.mul_comm; symmetry; apply Z.div_mod; lia].
Qed.

Section Groups.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Notation along := (along S).
  Notation biased := (biased S).

  Theorem regroup pre a b s post (x : tensor) : dims x = pre ++ a * (b * s) :: post -> good x -> exists r u z,
    recast (pre ++ a :: b :: s :: post) x = Some r /\
    transpose S (swap_perm (length pre) (1 + length post)) r = Some u /\
    recast (pre ++ b * (a * s) :: post) u = Some z /\
    good r /\ good u /\ good z /\ dims z = pre ++ b * (a * s) :: post /\
    forall i k q t j, (0 <= k < Z.of_nat a)%Z -> (0 <= q < Z.of_nat b)%Z -> (0 <= t < Z.of_nat s)%Z ->
      in_box pre i = true -> in_box post j = true ->
      at_ z (i ++ ((q * Z.of_nat a + k) * Z.of_nat s + t)%Z :: j) = at_ x (i ++ ((k * Z.of_nat b + q) * Z.of_nat s + t)%Z :: j).
  Proof.
    intros D G.
    assert (exists r, recast (pre ++ a :: b :: s :: post) x = Some r) as [r R].
    { eexists. apply recast_iff. split; [| reflexivity]. rewrite G, D, !cell_count_app. cbn [cell_count fold_right]. ring. }
    pose proof (recast_good _ _ _ R) as Gr. assert (dims r = pre ++ a :: b :: s :: post) as Dr by (apply recast_iff in R; now destruct R as [_ ->]).
    set (perm := swap_perm (length pre) (1 + length post)).
    assert (permuted (dims r) perm = pre ++ b :: a :: s :: post) as Dp
      by (unfold permuted; rewrite Dr; exact (swapped 0 pre a b (s :: post))).
    assert (transpose S perm r = Some (tabulate (pre ++ b :: a :: s :: post) (fun i => at_ r (unpermute perm i)))) as U.
    { unfold transpose, table, transpose_dims, guard. rewrite Dp.
      assert (permutes (length (dims r)) perm = true) as ->; [| reflexivity].
      rewrite Dr, app_length. cbn [length]. replace (length pre + Datatypes.S (Datatypes.S (Datatypes.S (length post))))
        with (length pre + 2 + (1 + length post)) by lia. apply swap_permutes. }
    set (u := tabulate _ _) in U. assert (good u) as Gu by apply good_tabulate.
    assert (dims u = pre ++ b :: a :: s :: post) as Du by reflexivity.
    assert (exists z, recast (pre ++ b * (a * s) :: post) u = Some z) as [z Z].
    { eexists. apply recast_iff. split; [| reflexivity]. rewrite Gu, Du, !cell_count_app. cbn [cell_count fold_right]. ring. }
    exists r, u, z. pose proof (recast_good _ _ _ Z) as Gz.
    assert (dims z = pre ++ b * (a * s) :: post) as Dz by (apply recast_iff in Z; now destruct Z as [_ ->]).
    repeat (split; [assumption |]). intros i k q t j K Q T I J. pose proof (in_box_length _ _ I) as len.
    destruct (three_position pre b a s post i q k t j len Q K T I J) as (In1 & In2 & P).
    destruct (three_position pre a b s post i k q t j len K Q T I J) as (In3 & In4 & P').
    unfold Ops.at_ at 1. rewrite (get_recast _ _ u z _ Gu Z In1), Du, P, index_at_position by exact In2.
    unfold u. rewrite get_tabulate by exact In2. unfold perm.
    assert (length (t :: j) = 1 + length post) as <- by (simpl; now rewrite (in_box_length _ _ J)). rewrite <- len.
    rewrite unpermute_swap. unfold Ops.at_ at 1. rewrite (get_recast _ _ x r _ G R In4), D, <- P'. now rewrite index_at_position.
  Qed.

  (** ** The merged convolution *)

  Theorem parallel_group_conv w g (x f F : tensor) fr b B ys s n :
    length ys = length (f :: fr) -> n = length (f :: fr) ->
    (forall v, In v (f :: fr) -> dims v = dims f) -> nth 0 (dims f) 0 = g * s ->
    (forall k v y, nth_error (f :: fr) k = Some v -> nth_error ys k = Some y -> conv S w g x v (b k) = Some y) ->
    dims F = n * (g * s) :: tl (dims f) ->
    (forall k v q t i, nth_error (f :: fr) k = Some v -> (0 <= q < Z.of_nat g)%Z -> (0 <= t < Z.of_nat s)%Z ->
       in_box (tl (dims f)) i = true ->
       at_ F (((q * Z.of_nat n + Z.of_nat k) * Z.of_nat s + t)%Z :: i) = at_ v ((q * Z.of_nat s + t)%Z :: i)) ->
    (forall t, B = Some t -> dims t = [n * (g * s)]) ->
    (forall k q t a, k < n -> (0 <= q < Z.of_nat g)%Z -> (0 <= t < Z.of_nat s)%Z ->
       biased B a ((q * Z.of_nat n + Z.of_nat k) * Z.of_nat s + t)%Z = biased (b k) a (q * Z.of_nat s + t)%Z) ->
    exists Y m l, conv S w g x F B = Some Y /\ good Y /\ dims Y = m :: g * (n * s) :: l /\
      (forall y, In y ys -> dims y = m :: g * s :: l /\ good y) /\
      forall k y p q t i, nth_error ys k = Some y -> (0 <= p < Z.of_nat m)%Z -> (0 <= q < Z.of_nat g)%Z ->
        (0 <= t < Z.of_nat s)%Z -> in_box l i = true ->
        at_ Y (p :: ((q * Z.of_nat n + Z.of_nat k) * Z.of_nat s + t)%Z :: i) = at_ y (p :: (q * Z.of_nat s + t)%Z :: i).
  Proof.
    intros len En same Df M DF VF DB VB. destruct ys as [| y0 ys']; [discriminate |].
    pose proof (M 0 f y0 eq_refl eq_refl) as M0.
    destruct (conv_is _ _ _ _ _ _ _ M0) as (m & c & ns & o & c' & ks & l & X & F0 & _ & _ & C1 & C2 & _ & pos & _ & L & _).
    rewrite F0 in Df, DF, VF. cbn [nth tl] in Df, DF, VF. subst o.
    assert (exists Y, conv S w g x F B = Some Y /\ dims Y = m :: n * (g * s) :: l) as (Y & HY & DY).
    { pose proof M0 as A. unfold conv, table, conv_dims in A |- *. rewrite X, F0 in A. rewrite X, DF. unfold guard in A |- *.
      rewrite L in A |- *. destruct (andb _ _) eqn:E in A; [| discriminate]. rewrite !andb_true_iff in E.
      destruct E as (((((A1 & A2) & A3) & A4) & _) & _). rewrite A1, A2, A3, A4. cbn [andb].
      assert (n * (g * s) mod g = 0) as -> by (replace (n * (g * s)) with (n * s * g) by ring; apply Nat.mod_mul; lia).
      cbn [Nat.eqb andb].
      assert (match option_map dims B with Some ds => sizes_eqb ds [n * (g * s)] | None => true end = true) as ->.
      { destruct B as [u |]; [| reflexivity]. cbn [option_map]. apply sizes_eqb_iff. now apply DB. }
      eexists. split; reflexivity. }
    assert (forall y, In y (y0 :: ys') -> exists k v, nth_error (y0 :: ys') k = Some y /\ nth_error (f :: fr) k = Some v) as each.
    { intros y iny. apply In_nth_error in iny. destruct iny as [k at_y]. exists k.
      assert (k < length (f :: fr)) as lt by (rewrite <- len; apply nth_error_Some; congruence).
      apply nth_error_Some in lt. destruct (nth_error (f :: fr) k) as [v |]; [| easy]. now exists v. }
    exists Y, m, l. split; [exact HY |]. split; [exact (table_good _ _ _ _ HY) |].
    split; [rewrite DY; f_equal; f_equal; ring |]. split.
    - intros y iny. destruct (each y iny) as (k & v & at_y & at_v). pose proof (M k v y at_v at_y) as Hk.
      destruct (conv_is _ _ _ _ _ _ _ Hk) as (m' & c2 & ns' & o' & c2' & ks' & l' & X' & F' & D' & G' & _ & _ & _ & _ & _ & L' & _).
      rewrite (same v (nth_error_In _ _ at_v)), F0 in F'. injection F' as <- <- <-. rewrite X in X'. injection X' as <- <- <-.
      split; [congruence | exact G'].
    - intros k y p q t i at_y P Q T I. destruct (each y (nth_error_In _ _ at_y)) as (k' & v' & _ & _).
      assert (k < n) as lt by (rewrite En, <- len; apply nth_error_Some; congruence).
      pose proof lt as lt'. rewrite En in lt'. apply nth_error_Some in lt'. destruct (nth_error (f :: fr) k) as [v |] eqn:at_v; [| easy].
      pose proof (M k v y at_v at_y) as Hk. pose proof (same v (nth_error_In _ _ at_v)) as Dv.
      destruct (conv_is _ _ _ _ _ _ _ Hk) as (m' & c2 & ns' & o' & c2' & ks' & l' & X' & F' & D' & _ & _ & _ & _ & _ & _ & L' & E').
      destruct (conv_is _ _ _ _ _ _ _ HY) as (m2 & c3 & ns2 & o2 & c3' & ks2 & l2 & X2 & F2 & D2 & _ & _ & _ & _ & _ & _ & L2 & E2).
      rewrite Dv, F0 in F'. injection F' as <- <- <-. rewrite X in X', X2. injection X' as <- <- <-. injection X2 as <- <- <-.
      rewrite DF in F2. injection F2 as <- <- <-. assert (l' = l) as -> by congruence. assert (l2 = l) as -> by congruence.
      assert (0 <= (q * Z.of_nat n + Z.of_nat k) * Z.of_nat s + t < Z.of_nat (n * (g * s)))%Z as In1
        by (replace (n * (g * s)) with (g * (n * s)) by ring; apply three_digits; try assumption; lia).
      rewrite E2, E'.
      + rewrite VB by assumption. f_equal. apply s_sum_ext. intros r Rr. unfold conv_term. rewrite DF, Dv, F0. cbn [nth].
        replace (n * (g * s) / g) with (n * s) by (replace (n * (g * s)) with (n * s * g) by ring; symmetry; apply Nat.div_mul; lia).
        replace (g * s / g) with s by (rewrite Nat.mul_comm; symmetry; apply Nat.div_mul; lia).
        assert (((q * Z.of_nat n + Z.of_nat k) * Z.of_nat s + t) / Z.of_nat (n * s) = q)%Z as ->.
        { rewrite Nat2Z.inj_mul. symmetry. apply Z.div_unique with (r := (Z.of_nat k * Z.of_nat s + t)%Z); [left; nia | ring]. }
        assert ((q * Z.of_nat s + t) / Z.of_nat s = q)%Z as ->
          by (symmetry; apply Z.div_unique with (r := t); [now left | ring]).
        destruct (in_box (dims x) _); [| reflexivity]. f_equal. now apply VF.
      + rewrite D'. apply in_box_cons. split; [exact P |]. apply in_box_cons. split; [rewrite Nat2Z.inj_mul; nia | exact I].
      + rewrite D2. apply in_box_cons. split; [exact P |]. apply in_box_cons. now split.
  Qed.

  (** ** The parts of its result *)

  Lemma start_repeat k n o : k <= n -> start k (repeat o n) = k * o.
  Proof.
    unfold start. revert n. induction k as [| k IH]; intros [| n] le; try reflexivity; [lia |].
    cbn [repeat firstn list_sum fold_right]. specialize (IH n ltac:(lia)). unfold list_sum in *. rewrite IH. lia.
  Qed.

  Lemma sum_repeat n o : list_sum (repeat o n) = n * o.
  Proof. induction n as [| n IH]; [reflexivity |]. cbn [repeat]. change (o + list_sum (repeat o n) = Datatypes.S n * o). rewrite IH. reflexivity. Qed.

  Theorem split_groups n g s m l (Y Z : tensor) ys :
    length ys = n -> dims Z = m :: n * (g * s) :: l -> (forall y, In y ys -> dims y = m :: g * s :: l /\ good y) ->
    (forall k y p q t i, nth_error ys k = Some y -> (0 <= p < Z.of_nat m)%Z -> (0 <= q < Z.of_nat g)%Z ->
       (0 <= t < Z.of_nat s)%Z -> in_box l i = true ->
       at_ Z (p :: ((Z.of_nat k * Z.of_nat g + q) * Z.of_nat s + t)%Z :: i) = at_ y (p :: (q * Z.of_nat s + t)%Z :: i)) ->
    split S 1 (repeat (g * s) n) Z = Some ys.
  Proof.
    intros len DZ D E. destruct (split_some S 1 (repeat (g * s) n) Z) as (ts & Sp & lts & _); [rewrite DZ; cbn [nth]; apply sum_repeat |].
    rewrite repeat_length in lts. rewrite Sp. f_equal. apply same_parts; [congruence |]. intros k u y at_u at_y.
    destruct (D y (nth_error_In _ _ at_y)) as [Dy Gy].
    assert (k < n) as lt by (rewrite <- len; apply nth_error_Some; congruence).
    apply (split_is S 1 _ Z ts k u y Sp); try assumption; [rewrite DZ; simpl; lia | |].
    - intros o at_o. apply nth_error_In, repeat_spec in at_o. subst o. now rewrite Dy, DZ.
    - rewrite Dy. intros i I. destruct i as [| p [| o i]]; [discriminate | apply in_box_cons in I; destruct I; discriminate |].
      apply in_box_cons in I. destruct I as [P I]. apply in_box_cons in I. destruct I as [O I]. cbn [nth set_nth].
      destruct (cut g s o O) as (Q & T & Eo). rewrite start_repeat by lia. rewrite <- Eo at 2. rewrite <- (E k y) by assumption.
      do 3 f_equal. rewrite <- Eo at 1. rewrite !Nat2Z.inj_mul. ring.
  Qed.
End Groups.
