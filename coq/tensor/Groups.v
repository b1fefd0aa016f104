(** * Channels in groups

    The sizes (n, c, ..) as (n, groups, c / groups, ..): the same elements, so that a group
    normalisation is one over the dimensions from 2 on. *)

From Coq Require Import Bool Lia List Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsNorm tensor.Algebra.
Import ListNotations.
Open Scope nat_scope.

Section Places.
  Variables (n groups share : nat) (ys : sizes).
  Notation whole := (n :: groups * share :: ys).
  Notation parted := (n :: groups :: share :: ys).

  Lemma parted_count : cell_count parted = cell_count whole.
  Proof. cbn [cell_count fold_right]. lia. Qed.

  Lemma parted_position a q t i : in_box parted (a :: q :: t :: i) = true ->
    in_box whole (a :: (q * Z.of_nat share + t)%Z :: i) = true /\
    position whole (a :: (q * Z.of_nat share + t)%Z :: i) = position parted (a :: q :: t :: i).
  Proof.
    intros I. apply in_box_cons in I. destruct I as [A I]. apply in_box_cons in I. destruct I as [Q I].
    apply in_box_cons in I. destruct I as [T I]. split.
    - apply in_box_cons. split; [exact A |]. apply in_box_cons. split; [nia | exact I].
    - cbn [position cell_count fold_right]. rewrite Z2Nat.inj_add, Z2Nat.inj_mul, Nat2Z.id by lia. fold (cell_count ys). ring.
  Qed.

  (** Where a place of the one is in the other. *)
  Lemma parted_index a o i : in_box whole (a :: o :: i) = true ->
    let j := a :: (o / Z.of_nat share)%Z :: (o mod Z.of_nat share)%Z :: i in
    in_box parted j = true /\ index_at parted (position whole (a :: o :: i)) = j /\
    (o / Z.of_nat share * Z.of_nat share + o mod Z.of_nat share)%Z = o.
  Proof.
    intros I j. pose proof I as I'. apply in_box_cons in I'. destruct I' as [A I']. apply in_box_cons in I'. destruct I' as [O I'].
    assert (0 < Z.of_nat share)%Z as pos by nia.
    assert (o / Z.of_nat share * Z.of_nat share + o mod Z.of_nat share = o)%Z as E
      by (rewrite Z.mul_comm; symmetry; apply Z.div_mod; lia).
    assert (in_box parted j = true) as J.
    { apply in_box_cons. split; [exact A |]. apply in_box_cons. split.
      - split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; nia].
      - apply in_box_cons. split; [apply Z.mod_pos_bound; lia | exact I']. }
    split; [exact J |]. split; [| exact E]. destruct (parted_position _ _ _ _ J) as [_ P]. rewrite E in P. rewrite P.
    now apply index_at_position.
  Qed.
End Places.

(** ** Everything from dimension 2 on *)

Lemma later_marks k : map (Nat.leb 2) (seq 0 (2 + k)) = false :: false :: repeat true k.
Proof.
  assert (forall s, 2 <= s -> map (Nat.leb 2) (seq s k) = repeat true k) as H;
    [| change (2 + k) with (S (S k)); cbn [seq map Nat.leb]; now rewrite H].
  induction k as [| k IH]; intros s le; [reflexivity |]. cbn [seq map repeat]. rewrite IH by lia. f_equal. now apply Nat.leb_le.
Qed.

Lemma marked_all {A} (l : list A) : marked (repeat true (length l)) l = l.
Proof. induction l as [| a l IH]; [reflexivity |]. cbn [length repeat marked]. now rewrite IH. Qed.

Lemma unmarked_all {A} (l : list A) : unmarked (repeat true (length l)) l = [].
Proof. unfold unmarked. induction l as [| a l IH]; [reflexivity |]. exact IH. Qed.

Lemma weave_all (k l : list Z) : weave (repeat true (length k)) k l = k.
Proof. induction k as [| a k IH]; [reflexivity |]. cbn [length repeat weave]. now rewrite IH. Qed.

Section Groups.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Lemma standard_ext e ns f h a : (forall k, in_box ns k = true -> f k = h k) ->
    standard S e ns f a = standard S e ns h a.
  Proof.
    intros E. assert (mean_of S ns f = mean_of S ns h) as M by (unfold mean_of; f_equal; now apply s_sum_ext).
    unfold standard, variance_of. rewrite M. do 4 f_equal. apply s_sum_ext. intros k K. now rewrite E.
  Qed.

  (** The cells of [r] are those of [x], those of [y] are those of [z]. *)
  Theorem grouped n groups share ys e (x r z y : tensor) :
    dims x = n :: groups * share :: ys -> good x -> recast (n :: groups :: share :: ys) x = Some r ->
    let m := map (Nat.leb 2) (seq 0 (length (dims r))) in
    z = tabulate (dims r) (fun i => standard S e (marked m (dims r)) (fellows S m r i) (at_ r i)) ->
    recast (dims x) z = Some y ->
    forall i, in_box (dims x) i = true ->
      at_ y i = standard S e (share :: ys) (group_fellows S share x i) (at_ x i).
  Proof.
    intros Dx G R m Ez Y i I. pose proof R as R'. apply recast_iff in R'. destruct R' as [_ Er].
    assert (dims r = n :: groups :: share :: ys) as Dr by now rewrite Er.
    assert (good z) as Gz by (rewrite Ez; apply good_tabulate).
    assert (forall a q t k, in_box (n :: groups :: share :: ys) (a :: q :: t :: k) = true ->
              at_ r (a :: q :: t :: k) = at_ x (a :: (q * Z.of_nat share + t)%Z :: k)) as cell.
    { intros a q t k J. unfold Ops.at_. rewrite (get_recast _ _ x r _ G R J), Dx.
      destruct (parted_position n groups share ys a q t k J) as [W <-]. now rewrite index_at_position. }
    unfold Ops.at_ at 1. rewrite (get_recast _ _ z y i Gz Y I).
    assert (dims z = n :: groups :: share :: ys) as Dz by (rewrite Ez; exact Dr). rewrite Dz. rewrite Dx in I |- *.
    destruct i as [| a [| o i]]; [discriminate | apply in_box_cons in I; destruct I; discriminate |].
    destruct (parted_index n groups share ys a o i I) as (J & -> & E). rewrite Ez, Dr, get_tabulate by exact J.
    unfold m. rewrite Dr. cbn [length]. change (Datatypes.S (Datatypes.S (Datatypes.S (length ys)))) with (2 + length (share :: ys)).
    rewrite later_marks. cbn [marked unmarked map negb].
    rewrite (cell _ _ _ _ J), E.
    match goal with |- standard S e ?ns _ _ = _ => assert (ns = share :: ys) as -> by exact (marked_all (share :: ys)) end.
    apply standard_ext. intros k K. destruct k as [| t k]; [discriminate |]. cbn [group_fellows]. rewrite <- cell.
    - unfold fellows. f_equal.
      match goal with |- context [unmarked (false :: false :: ?m) (?a :: ?b :: ?l)] =>
        change (unmarked (false :: false :: m) (a :: b :: l)) with (a :: b :: unmarked m l) end.
      assert (unmarked (repeat true (length (share :: ys))) ((o mod Z.of_nat share)%Z :: i) = []) as ->.
      { apply in_box_cons in I. destruct I as [_ I]. apply in_box_cons in I. destruct I as [_ I]. apply in_box_length in I.
        assert (length (share :: ys) = length ((o mod Z.of_nat share)%Z :: i)) as -> by (simpl; lia). apply unmarked_all. }
      cbn [weave]. apply in_box_length in K. rewrite <- K. rewrite weave_all. reflexivity.
    - apply in_box_cons in J. destruct J as [A J]. apply in_box_cons in J. destruct J as [Q _].
      apply in_box_cons. split; [exact A |]. apply in_box_cons. split; [exact Q | exact K].
  Qed.
End Groups.
