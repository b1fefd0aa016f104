(** * A convolution plus its input is a convolution

    The kernel gets a 1 at its centre, from each channel to itself: [unit_kernel], as the rule builds it from an
    identity matrix. *)

From Coq Require Import Bool List Lia Arith NArith ZArith Ring_theory Ring.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Algebra tensor.Channel.
Import ListNotations.
Open Scope nat_scope.

Lemma NoDup_box ds : NoDup (box ds).
Proof.
  apply (NoDup_map_inv (position ds)).
  assert (map (position ds) (box ds) = seq 0 (cell_count ds)) as ->; [| apply seq_NoDup].
  rewrite box_as_seq, map_map. rewrite <- map_id. apply map_ext_in. intros p inp. apply in_seq in inp.
  now apply (index_at_spec ds p).
Qed.

(** Half of each size, where the centre of an odd kernel is. *)
Definition centre (ks : list nat) : list nat := map (fun k => k / 2) ks.
Definition centre_at (ks : list nat) : list Z := map (fun k => Z.of_nat (k / 2)) ks.

Definition odd_sizes (ks : list nat) : Prop := Forall (fun k => k mod 2 = 1) ks.

Lemma centre_in_box ks : odd_sizes ks -> in_box ks (centre_at ks) = true.
Proof.
  intros O. induction O as [| k ks here _ IH]; [reflexivity |]. apply in_box_cons. split; [| exact IH].
  pose proof (Nat.div_mod k 2 ltac:(lia)). lia.
Qed.

(** Padding ones by the centre gives the sizes. *)
Lemma padded_ones ks : odd_sizes ks -> pad_dims PadConstant (repeat 1 (length ks)) (centre_at ks) (centre_at ks) = Some ks.
Proof.
  intros O. induction O as [| k ks here _ IH]; [reflexivity |]. cbn [length repeat centre_at map pad_dims].
  fold (centre_at ks). rewrite IH. unfold guard. pose proof (Nat.div_mod k 2 ltac:(lia)) as E.
  replace (Z.to_nat (Z.of_nat 1 + Z.of_nat (k / 2) + Z.of_nat (k / 2))) with k by lia.
  destruct (Z.leb_spec 0 (Z.of_nat 1 + Z.of_nat (k / 2) + Z.of_nat (k / 2))); [reflexivity | lia].
Qed.

Lemma in_ones ks : forall k, length k = length ks ->
  in_box (repeat 1 (length ks)) (pad_at PadConstant (repeat 1 (length ks)) (centre_at ks) k) =
  if list_eq_dec Z.eq_dec k (centre_at ks) then true else false.
Proof.
  induction ks as [| n ks IH]; intros [| z k] E; try discriminate; [reflexivity |].
  cbn [length repeat centre_at map pad_at pad_place Kernel.in_box]. fold (centre_at ks).
  rewrite IH by now injection E.
  destruct (list_eq_dec Z.eq_dec k (centre_at ks)) as [-> | N].
  - destruct (list_eq_dec Z.eq_dec (z :: centre_at ks) (Z.of_nat (n / 2) :: centre_at ks)) as [H | H].
    + injection H as ->. rewrite Z.sub_diag. reflexivity.
    + rewrite andb_true_r. destruct (Z.eq_dec z (Z.of_nat (n / 2))) as [-> | F]; [easy |].
      apply andb_false_iff. rewrite Z.leb_gt, Z.ltb_ge. lia.
  - rewrite andb_false_r. destruct (list_eq_dec Z.eq_dec (z :: k) _) as [H | H]; [now injection H | reflexivity].
Qed.

Lemma pad_at_centre ks : pad_at PadConstant (repeat 1 (length ks)) (centre_at ks) (centre_at ks) = repeat 0%Z (length ks).
Proof.
  induction ks as [| n ks IH]; [reflexivity |]. cbn [length repeat centre_at map pad_at pad_place]. fold (centre_at ks).
  rewrite IH, Z.sub_diag. reflexivity.
Qed.

(** With pads that reach half the kernel the window's centre is the output's place. *)
Definition half (ds ks : list nat) : list nat := map (fun c => fst c * (snd c / 2)) (combine ds ks).

Lemma window_centre ks : forall ds y, length ds = length ks -> length y = length ks ->
  window_at (repeat 1 (length ks)) ds (half ds ks) y (centre_at ks) = y.
Proof.
  induction ks as [| n ks IH]; intros [| d ds] [| z y] ld ly; try discriminate; [reflexivity |].
  cbn [length repeat half combine map centre_at window_at fst snd]. fold (half ds ks) (centre_at ks).
  rewrite IH by (simpl in *; lia). f_equal. lia.
Qed.

Section Ring.
  Variable S : arith.
  Variable laws : ring_laws S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Local Notation "0" := (s_zero S).
  Local Notation "1" := (s_one S).
  Local Infix "+" := (s_add S).
  Local Infix "*" := (s_mul S).

  Add Ring shortcut_numbers : (ring_is S laws).

  (** A sum with one term that is not 0. *)
  Lemma sum_one ns f k0 : in_box ns k0 = true -> (forall k, in_box ns k = true -> k <> k0 -> f k = 0) -> s_sum S ns f = f k0.
  Proof.
    intros I Z. rewrite (sum_is S laws). unfold reduce.
    assert (forall l a, NoDup l -> (forall k, In k l -> in_box ns k = true) ->
      fold_left (fun acc k => acc + f k) l a = a + (if in_dec (list_eq_dec Z.eq_dec) k0 l then f k0 else 0)) as go.
    { induction l as [| k l IH]; intros a N B; [simpl; ring |]. inversion N as [| ? ? nin N']; subst. cbn [fold_left].
      rewrite IH; [| exact N' | intros k' ink; apply B; now right].
      destruct (in_dec _ k0 l) as [inl | ninl], (in_dec _ k0 (k :: l)) as [inc | ninc]; try (exfalso; cbn in *; tauto).
      - rewrite Z; [ring | apply B; now left | intros ->; easy].
      - destruct inc as [-> | inc]; [ring | easy].
      - rewrite Z; [ring | apply B; now left | intros ->; apply ninc; now left]. }
    rewrite go; [| apply NoDup_box | intros k ink; now apply in_box_box].
    destruct (in_dec _ k0 (box ns)) as [_ | nin]; [ring |]. exfalso. apply nin. now apply in_box_box.
  Qed.

  (** The identity matrix, in the kernel's rank, padded to the kernel's sizes. *)
  Theorem unit_kernel o ks (zeros : tensor) : dims zeros = [o; o] -> odd_sizes ks ->
    exists e r p, eye S 0 zeros = Some e /\ good e /\ recast (o :: o :: repeat 1%nat (length ks)) e = Some r /\
      pad S PadConstant 0 (0%Z :: 0%Z :: centre_at ks) (0%Z :: 0%Z :: centre_at ks) r = Some p /\ dims p = o :: o :: ks /\
      forall a b k, in_box (o :: o :: ks) (a :: b :: k) = true ->
        at_ p (a :: b :: k) = if list_eq_dec Z.eq_dec (b :: k) (a :: centre_at ks) then 1 else 0.
  Proof.
    intros D O. set (e := tabulate [o; o] (fun i => if (nth 1 i 0 =? nth 0%nat i 0 + 0)%Z then 1 else 0)).
    assert (good e) as G by apply good_tabulate.
    assert (cell_count (o :: o :: repeat 1%nat (length ks)) = cell_count [o; o]) as cc.
    { cbn [cell_count fold_right]. fold (cell_count (repeat 1%nat (length ks))). rewrite cell_count_ones. lia. }
    destruct (recast (o :: o :: repeat 1%nat (length ks)) e) as [r |] eqn:R.
    2: { unfold recast in R. rewrite G in R. cbn [dims tabulate e] in R. rewrite cc, Nat.eqb_refl in R. discriminate. }
    pose proof R as R'. apply recast_iff in R'. destruct R' as [_ Er].
    assert (dims r = o :: o :: repeat 1%nat (length ks)) as Dr by now rewrite Er.
    exists e, r, (tabulate (o :: o :: ks) (fun i => let j := pad_at PadConstant (dims r) (0%Z :: 0%Z :: centre_at ks) i in
                    if in_box (dims r) j then at_ r j else s_real S 0)).
    split; [unfold eye; now rewrite D |]. split; [exact G |]. split; [exact R |]. split; [| split; [reflexivity |]].
    - apply table_iff. exists (o :: o :: ks). split; [| reflexivity]. rewrite Dr. cbn [pad_dims]. rewrite padded_ones by exact O.
      unfold guard. rewrite !Z.add_0_r, Nat2Z.id. destruct (Z.leb_spec 0 (Z.of_nat o)); [reflexivity | lia].
    - intros a b k I. rewrite at_tabulate by exact I. cbv zeta. rewrite Dr. cbn [pad_at pad_place]. rewrite !Z.sub_0_r.
      apply in_box_cons in I. destruct I as [ba I]. apply in_box_cons in I. destruct I as [bb I].
      pose proof (in_box_length _ _ I) as lk.
      assert (in_box (o :: o :: repeat 1%nat (length ks)) (a :: b :: pad_at PadConstant (repeat 1%nat (length ks)) (centre_at ks) k) =
              if list_eq_dec Z.eq_dec k (centre_at ks) then true else false) as ->.
      { rewrite <- (in_ones ks k lk). cbn [Kernel.in_box].
        destruct (Z.leb_spec 0 a), (Z.ltb_spec a (Z.of_nat o)), (Z.leb_spec 0 b), (Z.ltb_spec b (Z.of_nat o)); try lia. reflexivity. }
      destruct (list_eq_dec Z.eq_dec k (centre_at ks)) as [-> | N].
      2: { destruct (list_eq_dec Z.eq_dec (b :: k) (a :: centre_at ks)) as [H | _]; [now injection H | reflexivity]. }
      rewrite pad_at_centre. assert (in_box (dims r) (a :: b :: repeat 0%Z (length ks)) = true) as I'.
      { rewrite Dr. apply in_box_cons. split; [exact ba |]. apply in_box_cons. split; [exact bb |]. clear. induction (length ks) as [| m IH]; [reflexivity | exact IH]. }
      assert (at_ r (a :: b :: repeat 0%Z (length ks)) = at_ e [a; b]) as ->.
      { unfold Ops.at_. rewrite (get_recast (s_zero S) (o :: o :: repeat 1%nat (length ks)) e r _ G R) by (rewrite <- Dr; exact I').
        f_equal. rewrite <- (index_at_position [o; o] [a; b]) by (apply in_box_cons; split; [exact ba |]; apply in_box_cons; now split).
        cbn [dims tabulate e]. f_equal. cbn [position].
        cbn [cell_count fold_right]. fold (cell_count (repeat 1%nat (length ks))). rewrite cell_count_ones, position_zeros. lia. }
      unfold e. rewrite at_tabulate by (apply in_box_cons; split; [exact ba |]; apply in_box_cons; now split).
      cbn [nth]. rewrite Z.add_0_r. destruct (list_eq_dec Z.eq_dec (b :: centre_at ks) (a :: centre_at ks)) as [H | H].
      + injection H as ->. now rewrite Z.eqb_refl.
      + destruct (Z.eqb_spec b a) as [-> | _]; [now destruct H | reflexivity].
  Qed.

  Theorem conv_shortcut w (x f p : tensor) b u v o c ks :
    conv S w 1 x f b = Some u -> dims u = dims x -> dims f = o :: c :: ks -> odd_sizes ks ->
    strides w = repeat 1%nat (length ks) -> pads_before w = half (dilations w) ks ->
    dims p = o :: o :: ks ->
    (forall a b k, in_box (o :: o :: ks) (a :: b :: k) = true ->
       at_ p (a :: b :: k) = if list_eq_dec Z.eq_dec (b :: k) (a :: centre_at ks) then 1 else 0) ->
    map2 S (s_add S) u x = Some v ->
    exists fk, map2 S (s_add S) f p = Some fk /\ dims fk = dims f /\ conv S w 1 x fk b = Some v.
  Proof.
    intros H Du Df O St Pb Dp P V. pose proof H as H'. apply (conv_iff S laws) in H'. destruct H' as (out & D & B & Eu).
    assert (dims u = out) as Do by now rewrite Eu. pose proof D as D'. unfold conv_dims in D'. rewrite Df in D'.
    destruct (dims x) as [| n [| c' ns]] eqn:Dx; try discriminate. unfold guard in D'. rewrite Nat.div_1_r in D'.
    destruct (_ && _ && _ && _ && _ && _) eqn:C; [| discriminate]. rewrite !andb_true_iff, !Nat.eqb_eq in C.
    destruct C as (((((_ & _) & _) & C) & _) & _). subst c'.
    destruct (spatial_dims false w ks ns) as [l |] eqn:Sp; [| discriminate]. injection D' as D'.
    assert (o = c /\ l = ns) as [-> ->].
    { rewrite <- Do, Du in D'. injection D' as E1 E2. now split. }
    unfold spatial_dims, guard in Sp. destruct (window_ok (length ns) w && _) eqn:W; [| discriminate].
    apply andb_true_iff in W. destruct W as [W _]. unfold window_ok in W. rewrite !andb_true_iff, !Nat.eqb_eq in W.
    destruct W as ((((ls & ld) & _) & _) & _). rewrite St, repeat_length in ls.
    assert (dims f = dims p) as Dfp by now rewrite Df, Dp.
    pose proof (map2_same S (s_add S) f p Dfp) as F. eexists. split; [exact F |]. split; [reflexivity |].
    apply (conv_iff S laws). exists out. cbn [dims tabulate]. split; [rewrite Dx; exact D |]. split; [exact B |].
    rewrite map2_same in V by (rewrite Dx; exact Du). injection V as <-. rewrite Do. apply tabulate_ext. intros i I.
    rewrite (conv_cell_add S laws w 1 x f p (tabulate (dims f) (fun i => at_ f i + at_ p i))); [| reflexivity | now symmetry | intros k; exact (at_sum S laws f p _ k Dfp F)].
    rewrite Eu, at_tabulate by exact I.
    assert (conv_cell S w 1 x p i = at_ x i) as ->; [| ring].
    rewrite <- D' in I. destruct i as [| a [| q y]]; try discriminate. { apply in_box_cons in I. destruct I as [_ I]. discriminate. }
    apply in_box_cons in I. destruct I as [ba I]. apply in_box_cons in I. destruct I as [bq I]. pose proof (in_box_length _ _ I) as ly.
    unfold conv_cell. rewrite Dp. cbn [tl].
    assert (forall k, conv_term S w 1 x p a q y k = if in_box (dims x) (a :: nth 0%nat k 0%Z :: place w y (tl k)) then at_ x (a :: nth 0%nat k 0%Z :: place w y (tl k)) * at_ p (q :: k) else 0) as T.
    { intros k. unfold conv_term. rewrite Dp. cbn [nth]. rewrite Nat.div_1_r, Z.div_small by exact bq. reflexivity. }
    rewrite (sum_one (c :: ks) _ (q :: centre_at ks)).
    - rewrite T. cbn [nth tl]. unfold place. rewrite Pb, St, window_centre by congruence.
      assert (in_box (dims x) (a :: q :: y) = true) as ->.
      { rewrite Dx. apply in_box_cons. split; [exact ba |]. apply in_box_cons. now split. }
      rewrite P.
      + destruct (list_eq_dec Z.eq_dec (q :: centre_at ks) (q :: centre_at ks)); [ring | easy].
      + apply in_box_cons. split; [exact bq |]. apply in_box_cons. split; [exact bq |]. now apply centre_in_box.
    - apply in_box_cons. split; [exact bq |]. now apply centre_in_box.
    - intros k Ik N. rewrite T. destruct (in_box (dims x) _); [| reflexivity]. destruct k as [| z k]; [discriminate |].
      rewrite P by (apply in_box_cons; split; [exact bq | exact Ik]).
      destruct (list_eq_dec Z.eq_dec (z :: k) (q :: centre_at ks)); [easy | ring].
  Qed.
End Ring.
