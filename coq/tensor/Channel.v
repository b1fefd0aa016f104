(** * Operands with one value for each channel

    A tensor of sizes (C, 1, .., 1) or (1, C, 1, .., 1) broadcasts along one dimension of
    another: what stands at a cell is its element at that cell's place in the dimension. *)

From Coq Require Import Bool Lia List Arith NArith ZArith.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes.
From Calque Require Import tensor.Ops tensor.Algebra.
Import ListNotations.
Open Scope nat_scope.

(** ** Sizes of one *)

Lemma cell_count_ones m : cell_count (repeat 1 m) = 1.
Proof. induction m as [| m IH]; [reflexivity |]. simpl. now rewrite IH. Qed.

Lemma position_zeros m : position (repeat 1 m) (repeat 0%Z m) = 0.
Proof. induction m as [| m IH]; [reflexivity |]. simpl. exact IH. Qed.

Lemma zeros_in_box m : in_box (repeat 1 m) (repeat 0%Z m) = true.
Proof. induction m as [| m IH]; [reflexivity |]. apply in_box_cons. split; [lia | exact IH]. Qed.

Lemma clip_ones ys : forall i, in_box ys i = true ->
  clip (repeat 1 (length ys)) ys i = repeat 0%Z (length ys).
Proof.
  induction ys as [| d ys IH]; intros [| z i] I; try discriminate; [reflexivity |].
  apply in_box_cons in I. destruct I as [Z0 I]. cbn [length repeat clip].
  rewrite (IH i I). f_equal. destruct (Nat.eqb_spec 1 d) as [<- |]; [lia | reflexivity].
Qed.

Lemma agree_ones ys : agree ys (repeat 1 (length ys)) = Some ys.
Proof.
  induction ys as [| d ys IH]; [reflexivity |]. cbn [length repeat agree]. rewrite IH.
  destruct (Nat.eqb_spec d 1) as [-> |]; reflexivity.
Qed.

(** Sizes of one along some dimensions, the others equal. *)
Lemma agree_or_one a b : Forall2 (fun m n => n = m \/ n = 1) a b -> agree a b = Some a.
Proof.
  induction 1 as [| m n a b E _ IH]; [reflexivity |]. cbn [agree]. rewrite IH.
  destruct E as [-> | ->]; [now rewrite Nat.eqb_refl |].
  destruct (Nat.eqb_spec m 1) as [-> |]; reflexivity.
Qed.

Section Channel.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).

  (** The element at place [c]. *)
  Definition chan (k : tensor) (c : Z) : num := nth (Z.to_nat c) (cells k) (s_zero S).

  Lemma chan_at (k : tensor) i : in_box (dims k) i = true -> at_ k i = nth (position (dims k) i) (cells k) (s_zero S).
  Proof. intros I. unfold Ops.at_, get. now rewrite I. Qed.

  Lemma at_chan_front (k : tensor) n m c :
    dims k = n :: repeat 1 m -> (0 <= c < Z.of_nat n)%Z -> at_ k (c :: repeat 0%Z m) = chan k c.
  Proof.
    intros D I. rewrite chan_at by (rewrite D; apply in_box_cons; split; [exact I | apply zeros_in_box]).
    rewrite D. cbn [position]. rewrite cell_count_ones, position_zeros. unfold chan. f_equal. lia.
  Qed.

  Lemma at_chan_second (k : tensor) n m c :
    dims k = 1 :: n :: repeat 1 m -> (0 <= c < Z.of_nat n)%Z -> at_ k (0%Z :: c :: repeat 0%Z m) = chan k c.
  Proof.
    intros D I.
    rewrite chan_at by (rewrite D; apply in_box_cons; split; [lia |]; apply in_box_cons; split; [exact I | apply zeros_in_box]).
    rewrite D. cbn [position]. rewrite cell_count_ones, position_zeros. unfold chan. f_equal. cbn. lia.
  Qed.

  Lemma at_chan_vector (k : tensor) n c : dims k = [n] -> (0 <= c < Z.of_nat n)%Z -> at_ k [c] = chan k c.
  Proof. intros D I. exact (at_chan_front k n 0 c D I). Qed.

  (** ** Along dimension 1 *)

  Inductive per_channel (y : sizes) : sizes -> Prop :=
    | Channel_Rank : forall n c ys, y = n :: c :: ys -> per_channel y (c :: repeat 1 (length ys))
    | Channel_Full : forall n c ys, y = n :: c :: ys -> per_channel y (1 :: c :: repeat 1 (length ys)).

  Lemma channel_broadcast y k : per_channel y k -> broadcast y k = Some y.
  Proof.
    intros [n c ys -> | n c ys ->]; unfold broadcast; cbn [length]; rewrite repeat_length.
    - replace (Nat.max (Datatypes.S (Datatypes.S (length ys))) (Datatypes.S (length ys)))
        with (Datatypes.S (Datatypes.S (length ys))) by lia.
      unfold lead. cbn [length]. rewrite repeat_length.
      replace (Datatypes.S (Datatypes.S (length ys)) - Datatypes.S (Datatypes.S (length ys))) with 0 by lia.
      replace (Datatypes.S (Datatypes.S (length ys)) - Datatypes.S (length ys)) with 1 by lia.
      cbn [repeat app]. apply agree_or_one. constructor; [now right |]. constructor; [now left |].
      clear. induction ys; constructor; auto.
    - rewrite Nat.max_id. unfold lead. cbn [length]. rewrite repeat_length, Nat.sub_diag. cbn [repeat app].
      apply agree_or_one. constructor; [now right |]. constructor; [now left |].
      clear. induction ys; constructor; auto.
  Qed.

  Lemma channel_spread y (k : tensor) i : per_channel y (dims k) -> in_box y i = true ->
    at_ k (spread (dims k) y i) = chan k (nth 1 i 0%Z).
  Proof.
    intros P I. unfold spread.
    remember (dims k) as dk eqn:D. destruct P as [n c ys -> | n c ys ->];
      destruct i as [| z [| o i]]; try discriminate;
      (apply in_box_cons in I; destruct I as [Z0 I]); try discriminate I;
      apply in_box_cons in I; destruct I as [O0 I]; cbn [length nth].
    - rewrite repeat_length. replace (Datatypes.S (Datatypes.S (length ys)) - Datatypes.S (length ys)) with 1 by lia.
      cbn [skipn clip]. rewrite Nat.eqb_refl, (clip_ones ys i I). now apply (at_chan_front k c).
    - rewrite repeat_length, Nat.sub_diag. cbn [skipn clip]. rewrite Nat.eqb_refl, (clip_ones ys i I).
      replace (if 1 =? n then z else 0%Z) with 0%Z by (destruct (Nat.eqb_spec 1 n); [subst; lia | reflexivity]).
      now apply (at_chan_second k c).
  Qed.

  Theorem map2_channel f (y k : tensor) : per_channel (dims y) (dims k) ->
    map2 S f y k = Some (tabulate (dims y) (fun i => f (at_ y i) (chan k (nth 1 i 0%Z)))).
  Proof.
    intros P. unfold map2. rewrite (channel_broadcast _ _ P). unfold table. f_equal. apply tabulate_ext.
    intros i I. unfold spread_at. now rewrite spread_same, channel_spread by assumption.
  Qed.

  (** ** Along dimension 0: (C, 1, .., 1), of the same rank *)

  Theorem map2_front f (y k : tensor) c ys : dims y = c :: ys -> dims k = c :: repeat 1 (length ys) ->
    map2 S f y k = Some (tabulate (dims y) (fun i => f (at_ y i) (chan k (nth 0 i 0%Z)))).
  Proof.
    intros Dy Dk. unfold map2.
    assert (broadcast (dims y) (dims k) = Some (dims y)) as ->.
    { rewrite Dy, Dk. unfold broadcast. cbn [length]. rewrite repeat_length, Nat.max_id.
      unfold lead. cbn [length]. rewrite repeat_length, Nat.sub_diag. cbn [repeat app].
      apply agree_or_one. constructor; [now left |]. clear. induction ys; constructor; auto. }
    unfold table. f_equal. apply tabulate_ext. intros i I. unfold spread_at. rewrite spread_same by exact I.
    f_equal. rewrite Dy, Dk in *. unfold spread. cbn [length]. rewrite repeat_length, Nat.sub_diag. cbn [skipn].
    destruct i as [| o i]; [discriminate |]. apply in_box_cons in I. destruct I as [O0 I].
    cbn [clip nth]. rewrite Nat.eqb_refl, (clip_ones ys i I). now apply (at_chan_front k c).
  Qed.

  (** ** The same elements in a row *)

  Lemma chan_recast ds (k u : tensor) c : recast ds k = Some u -> chan u c = chan k c.
  Proof. intros R. apply recast_iff in R. destruct R as [_ ->]. reflexivity. Qed.

  Lemma chan_tabulate n f c : (0 <= c < Z.of_nat n)%Z -> chan (tabulate [n] f) c = f [c].
  Proof.
    intros I. rewrite <- (at_chan_vector (tabulate [n] f) n) by (reflexivity || exact I).
    apply at_tabulate. apply in_box_cons. split; [exact I | reflexivity].
  Qed.

  Lemma chan_count y k : per_channel y k -> cell_count k = nth 1 y 0.
  Proof. intros [n c ys -> | n c ys ->]; cbn; rewrite cell_count_ones; lia. Qed.
End Channel.
