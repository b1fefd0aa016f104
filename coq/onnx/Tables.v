(** * Steps of compositions whose values are tables

    A value that is known to be the table of a function: each rule says of which function the value that a step adds is
    the table, of those of the values before it.  Proofs about compositions of many steps become such chains. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable onnx.Composition onnx.Steps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Builders (c/onnx/expand_build.c) *)

(** [size] places of an axis from [start] on; all of them are the value itself. *)
Definition piece (ds : sizes) (axis start size x : nat) : build nat :=
  if (start =? 0) && (size =? nth axis ds 0) then Return x
  else apply "Slice" [("starts", ints_value (set_nth axis (Z.of_nat start) (repeat 0%Z (List.length ds))));
                      ("steps", ints_value (repeat 1%Z (List.length ds)));
                      ("sizes", nats_value (set_nth axis size ds))] [x].

(** Element [k] of the first dimension. *)
Definition element (ds : sizes) (k x : nat) : build nat :=
  p <- piece ds 0 k 1 x ;; apply "Reshape" [("shape", nats_value (tl ds))] [p].

(** Before the other dimensions, some of size 1; [ds] are the sizes of the result. *)
Definition led (ds : sizes) (x : nat) : build nat := apply "Reshape" [("shape", nats_value ds)] [x].

Definition turned (x : nat) : build nat := apply "Transpose" [("perm", nats_value [1; 0])] [x].

(** One after the other along an axis; a single one is itself. *)
Definition joined (axis : nat) (xs : list nat) : build nat :=
  match xs with
  | [x] => Return x
  | _ => apply "Concat" [("axis", nat_value axis)] xs
  end.

Definition plus (x y : nat) : build nat := apply "Add" [] [x; y].
Definition times (x y : nat) : build nat := apply "Mul" [] [x; y].
Definition product (x y : nat) : build nat := apply "MatMul" [] [x; y].

(** ** Indices *)

Lemma in_box_one n i : in_box [n] i = true -> exists z, i = [z] /\ (0 <= z < Z.of_nat n)%Z.
Proof.
  destruct i as [| z [| y i]]; try discriminate; [| intros I; apply in_box_length in I; discriminate].
  intros I. apply in_box_cons in I. exists z. tauto.
Qed.

Lemma in_box_head n ds i : in_box (n :: ds) i = true ->
  exists z j, i = z :: j /\ (0 <= z < Z.of_nat n)%Z /\ in_box ds j = true.
Proof. destruct i as [| z j]; [discriminate |]. intros I. apply in_box_cons in I. exists z, j. tauto. Qed.

Lemma in_box_two m n i : in_box [m; n] i = true ->
  exists a b, i = [a; b] /\ (0 <= a < Z.of_nat m)%Z /\ (0 <= b < Z.of_nat n)%Z.
Proof.
  intros I. apply in_box_head in I. destruct I as (a & j & -> & A & J). apply in_box_one in J.
  destruct J as (b & -> & B). now exists a, b.
Qed.

Lemma in_box_pair m n a b : (0 <= a < Z.of_nat m)%Z -> (0 <= b < Z.of_nat n)%Z -> in_box [m; n] [a; b] = true.
Proof. intros A B. apply in_box_cons. split; [exact A |]. apply in_box_cons. now split. Qed.

(** Sizes of 1 before. *)
Lemma map_box_led {A} n ds (f : list Z -> A) : map f (box ds) = map (fun i => f (skipn n i)) (box (repeat 1 n ++ ds)).
Proof.
  induction n as [| n IH]; [reflexivity |]. rewrite IH. cbn [repeat app Kernel.box seq flat_map].
  rewrite app_nil_r, map_map. reflexivity.
Qed.

Lemma tabulate_led {A} n ds (f : list Z -> A) :
  tabulate (repeat 1 n ++ ds) (fun i => f (skipn n i)) = Tensor (repeat 1 n ++ ds) (cells (tabulate ds f)).
Proof. unfold tabulate. cbn [cells]. now rewrite <- map_box_led. Qed.

Lemma tabulate_tail {A} ds (f : list Z -> A) : tabulate ds (fun i => f (0%Z :: i)) = Tensor ds (cells (tabulate (1 :: ds) f)).
Proof.
  unfold tabulate. cbn [cells]. f_equal. cbn [Kernel.box seq flat_map]. now rewrite app_nil_r, map_map.
Qed.

Lemma slices_fit_piece ds axis start size : axis < List.length ds -> start + size <= nth axis ds 0 ->
  slices_fit ds (set_nth axis (Z.of_nat start) (repeat 0%Z (List.length ds))) (repeat 1%Z (List.length ds))
    (set_nth axis size ds) = true.
Proof.
  assert (W : forall n a m, a + m <= n -> slice_fits n (Z.of_nat a) 1 m = true).
  { intros n a m le. unfold slice_fits. rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, Nat.eqb_eq, !Z.ltb_lt, !Z.leb_le.
    split; [split; [reflexivity | lia] |]. destruct m; [now left | right; lia]. }
  revert axis. induction ds as [| n ds IH]; intros axis lt le; [cbn in lt; lia |].
  destruct axis as [| axis]; cbn [List.length repeat set_nth slices_fit nth] in *.
  - rewrite (W n start size le). clear - W. induction ds as [| n' ds IH]; [reflexivity |].
    cbn [List.length repeat slices_fit]. change 0%Z with (Z.of_nat 0) at 1. rewrite (W n' 0 n') by lia. exact IH.
  - change 0%Z with (Z.of_nat 0) at 1. rewrite (W n 0 n) by lia. apply IH; [lia | exact le].
Qed.

Lemma slice_at_piece n : forall axis start i, List.length i = n ->
  slice_at (set_nth axis start (repeat 0%Z n)) (repeat 1%Z n) i = set_nth axis (start + nth axis i 0)%Z i.
Proof.
  assert (W : forall i, slice_at (repeat 0%Z (List.length i)) (repeat 1%Z (List.length i)) i = i).
  { induction i as [| z i IH]; [reflexivity |]. cbn [List.length repeat slice_at]. rewrite IH. f_equal. lia. }
  induction n as [| n IH]; intros axis start [| z i] L; try discriminate; [now destruct axis |].
  destruct axis as [| axis]; cbn [repeat set_nth slice_at nth]; injection L as L.
  - f_equal; [lia |]. rewrite <- L. apply W.
  - f_equal; [lia |]. now apply IH.
Qed.

Section Tables.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation values := (list (gvalue tensor)).
  Implicit Types (vs ws : values) (ds : sizes) (f g : list Z -> num).

  Definition shows vs (k : nat) ds f : Prop := knows S vs k (GTensor (tabulate ds f)).

  Lemma shows_extends vs ws k ds f : shows vs k ds f -> extends S vs ws -> shows ws k ds f.
  Proof. apply knows_extends. Qed.

  Lemma shows_ext vs k ds f g : (forall i, in_box ds i = true -> f i = g i) -> shows vs k ds f -> shows vs k ds g.
  Proof. intros E. unfold shows. now rewrite (tabulate_ext ds f g E). Qed.

  Lemma shows_tensor vs k (t : tensor) : good t -> knows S vs k (GTensor t) -> shows vs k (dims t) (at_ S t).
  Proof. intros G K. unfold shows. change (at_ S t) with (get (s_zero S) t). now rewrite (tabulate_get (s_zero S) t G). Qed.

  Lemma at_table ds f i : in_box ds i = true -> at_ S (tabulate ds f) i = f i.
  Proof. apply get_tabulate. Qed.

  Notation runs := (runs S typed).

  Lemma runs_value vs name attrs args ts ds f : Forall2 (fun k t => knows S vs k (GTensor t)) args ts ->
    op_value S name attrs (map GTensor ts) = Some (GTensor (tabulate ds f)) ->
    runs vs (apply name attrs args) (fun ws k => shows ws k ds f).
  Proof.
    intros K E. eapply runs_apply; [| exact E]. clear E. induction K; constructor; auto.
  Qed.

  Lemma runs_shows {R} vs (b : build R) (P Q : values -> R -> Prop) :
    runs vs b P -> (forall ws r, P ws r -> Q ws r) -> runs vs b Q.
  Proof. intros H I. eapply runs_weaken; [exact H |]. auto. Qed.

  (** ** Elementwise *)

  Lemma runs_unary vs name h x ds f : look_up String.eqb (operators S) name = Some (elementwise S h) -> shows vs x ds f ->
    runs vs (apply name [] [x]) (fun ws k => shows ws k ds (fun i => h (f i))).
  Proof.
    intros N X. eapply runs_shows.
    - eapply (runs_value vs name [] [x] [_]); [repeat constructor; exact X |].
      cbn [map]. rewrite (unary_value S name h [] _ N). reflexivity.
    - intros ws k. apply shows_ext. intros i I. now rewrite at_table.
  Qed.

  Lemma runs_binary vs name h x y ds f g : look_up String.eqb (operators S) name = Some (binary S h) ->
    shows vs x ds f -> shows vs y ds g ->
    runs vs (apply name [] [x; y]) (fun ws k => shows ws k ds (fun i => h (f i) (g i))).
  Proof.
    intros N X Y. eapply runs_shows.
    - eapply (runs_value vs name [] [x; y] [_; _]); [repeat constructor; [exact X | exact Y] |].
      cbn [map]. rewrite (binary_same S name h [] (tabulate ds f) (tabulate ds g) N eq_refl). reflexivity.
    - intros ws k. apply shows_ext. intros i I. now rewrite !at_table.
  Qed.

  Lemma runs_plus vs x y ds f g : shows vs x ds f -> shows vs y ds g ->
    runs vs (plus x y) (fun ws k => shows ws k ds (fun i => s_add S (f i) (g i))).
  Proof. now apply runs_binary. Qed.

  Lemma runs_times vs x y ds f g : shows vs x ds f -> shows vs y ds g ->
    runs vs (times x y) (fun ws k => shows ws k ds (fun i => s_mul S (f i) (g i))).
  Proof. now apply runs_binary. Qed.

  (** With a number that is the same for all cells. *)
  Lemma runs_plus_scalar vs x y ds f g : shows vs x ds f -> shows vs y [] g ->
    runs vs (plus x y) (fun ws k => shows ws k ds (fun i => s_add S (f i) (g []))).
  Proof.
    intros X Y. eapply runs_shows.
    - eapply (runs_value vs "Add" [] [x; y] [_; _]); [repeat constructor; [exact X | exact Y] |].
      cbn [map]. change (tabulate [] g) with (scalar S (g [])).
      rewrite (binary_with S "Add" (s_add S) [] (tabulate ds f) (g []) eq_refl). reflexivity.
    - intros ws k. apply shows_ext. intros i I. now rewrite at_table.
  Qed.

  (** With one row for all. *)
  Lemma row_broadcast pre n : broadcast (pre ++ [n]) [n] = Some (pre ++ [n]).
  Proof.
    unfold broadcast. rewrite app_length. cbn [List.length]. rewrite Nat.max_l by lia.
    replace (List.length pre + 1) with (List.length (pre ++ [n])) by (rewrite app_length; reflexivity).
    rewrite lead_same. unfold lead. rewrite app_length. cbn [List.length]. rewrite Nat.add_sub.
    induction pre as [| m pre IH]; cbn [app repeat List.length agree].
    - now rewrite Nat.eqb_refl.
    - rewrite IH. destruct (Nat.eqb_spec m 1) as [-> |]; [reflexivity |]. now rewrite orb_false_r.
  Qed.

  Lemma spread_row pre n g i : in_box (pre ++ [n]) i = true ->
    spread_at S (tabulate [n] g) (pre ++ [n]) i = g [nth (List.length pre) i 0%Z].
  Proof.
    intros I. unfold spread_at. cbn [dims tabulate].
    apply in_box_split in I. destruct I as (a & c & -> & A & C). apply in_box_one in C. destruct C as (z & -> & C).
    apply in_box_length in A. rewrite <- A, app_nth2, Nat.sub_diag by lia. cbn [nth].
    unfold spread. rewrite app_length. cbn [List.length]. rewrite Nat.add_sub, !skipn_app, skipn_all, Nat.sub_diag.
    rewrite <- A, skipn_all, Nat.sub_diag. cbn [skipn app clip]. rewrite Nat.eqb_refl.
    apply at_table. apply in_box_cons. split; [exact C | reflexivity].
  Qed.

  Lemma spread_table ds f i : in_box ds i = true -> spread_at S (tabulate ds f) ds i = f i.
  Proof. intros I. unfold spread_at. cbn [dims tabulate]. now rewrite spread_same, at_table. Qed.

  Lemma runs_plus_row vs x y pre n f g : shows vs x (pre ++ [n]) f -> shows vs y [n] g ->
    runs vs (plus x y) (fun ws k => shows ws k (pre ++ [n]) (fun i => s_add S (f i) (g [nth (List.length pre) i 0%Z]))).
  Proof.
    intros X Y. eapply runs_shows.
    - eapply (runs_value vs "Add" [] [x; y] [_; _]); [repeat constructor; [exact X | exact Y] |].
      apply (binary_value S "Add" (s_add S) [] (tabulate (pre ++ [n]) f) (tabulate [n] g) _ eq_refl (row_broadcast pre n)).
    - intros ws k. apply shows_ext. intros i I. now rewrite spread_table, spread_row.
  Qed.

  Lemma runs_row_times vs x y pre n f g : shows vs x [n] g -> shows vs y (pre ++ [n]) f ->
    runs vs (times x y) (fun ws k => shows ws k (pre ++ [n]) (fun i => s_mul S (g [nth (List.length pre) i 0%Z]) (f i))).
  Proof.
    intros X Y. eapply runs_shows.
    - eapply (runs_value vs "Mul" [] [x; y] [_; _]); [repeat constructor; [exact X | exact Y] |].
      apply (binary_value S "Mul" (s_mul S) [] (tabulate [n] g) (tabulate (pre ++ [n]) f) (pre ++ [n]) eq_refl).
      cbn [dims tabulate]. rewrite broadcast_comm. apply row_broadcast.
    - intros ws k. apply shows_ext. intros i I. now rewrite spread_table, spread_row.
  Qed.

  (** A constant that is the same number in all cells. *)
  Lemma runs_filled vs type ds c a : typed type c = a -> runs vs (constant type ds (repeat c (cell_count ds)))
    (fun ws k => shows ws k ds (fun _ => a)).
  Proof.
    intros E. eapply runs_shows; [apply runs_constant; now rewrite repeat_length |]. intros ws k K. cbn beta in K.
    unfold shows, tabulate. rewrite <- length_box in K. revert K.
    replace (map (typed type) (repeat c (List.length (box ds)))) with (map (fun _ => a) (box ds)); [auto |].
    generalize (box ds). intros l. induction l as [| i l IH]; [reflexivity |]. cbn [List.length repeat map]. now rewrite E, IH.
  Qed.

  (** ** Elements moved *)

  Lemma runs_piece vs x ds f axis start size : axis < List.length ds -> start + size <= nth axis ds 0 -> shows vs x ds f ->
    runs vs (piece ds axis start size x)
      (fun ws k => shows ws k (set_nth axis size ds) (fun i => f (set_nth axis (Z.of_nat start + nth axis i 0)%Z i))).
  Proof.
    intros lt le X. unfold piece. destruct ((start =? 0) && (size =? nth axis ds 0)) eqn:W.
    - apply andb_true_iff in W. destruct W as [W V]. apply Nat.eqb_eq in W, V. subst start size. apply runs_return.
      rewrite set_nth_same. revert X. apply shows_ext. intros i I. cbn [Z.of_nat Z.add]. now rewrite set_nth_same.
    - eapply runs_shows.
      + eapply (runs_value vs "Slice" _ [x] [_]); [repeat constructor; exact X |].
        cbn [map]. apply slice_value. cbn [dims tabulate]. now apply slices_fit_piece.
      + intros ws k. apply shows_ext. intros i I.
        rewrite slice_at_piece by (apply in_box_length in I; now rewrite set_nth_length in I).
        apply at_table. apply in_box_nth in I. rewrite set_nth_length in I. destruct I as [L I]. apply in_box_nth.
        rewrite set_nth_length. split; [exact L |]. intros j J. specialize (I j J).
        destruct (Nat.eq_dec j axis) as [-> | ne].
        * rewrite nth_set_same in I by lia. rewrite nth_set_same by lia. lia.
        * rewrite nth_set_other in I by exact ne. now rewrite nth_set_other by exact ne.
  Qed.

  Lemma runs_led vs x n ds f : shows vs x ds f ->
    runs vs (led (repeat 1 n ++ ds) x) (fun ws k => shows ws k (repeat 1 n ++ ds) (fun i => f (skipn n i))).
  Proof.
    intros X. eapply (runs_value vs "Reshape" _ [x] [_]); [repeat constructor; exact X |].
    cbn [map]. rewrite reshape_value; [now rewrite tabulate_led | apply good_tabulate |].
    cbn [dims tabulate]. rewrite cell_count_app. replace (cell_count (repeat 1 n)) with 1; [lia |].
    clear. induction n as [| n IH]; [reflexivity |]. cbn [repeat cell_count fold_right]. unfold cell_count in IH. lia.
  Qed.

  Lemma runs_element vs x n ds f k : k < n -> shows vs x (n :: ds) f ->
    runs vs (element (n :: ds) k x) (fun ws y => shows ws y ds (fun i => f (Z.of_nat k :: i))).
  Proof.
    intros lt X. unfold element. eapply runs_bind.
    - apply (runs_piece vs x (n :: ds) f 0 k 1); [cbn; lia | cbn [nth]; lia | exact X].
    - cbn [set_nth tl]. intros ws p _ P.
      eapply (runs_value ws "Reshape" _ [p] [_]); [repeat constructor; exact P |]. cbn [map].
      rewrite reshape_value; [| apply good_tabulate | cbn [dims tabulate cell_count fold_right]; unfold cell_count; lia].
      rewrite <- tabulate_tail. do 2 f_equal. apply tabulate_ext. intros i I. cbn [nth set_nth]. do 2 f_equal. lia.
  Qed.

  Lemma runs_turned vs x m n f : shows vs x [m; n] f ->
    runs vs (turned x) (fun ws k => shows ws k [n; m] (fun i => f [nth 1 i 0%Z; nth 0 i 0%Z])).
  Proof.
    intros X. eapply runs_shows.
    - eapply (runs_value vs "Transpose" _ [x] [_]); [repeat constructor; exact X |]. cbn [map].
      apply transpose_value. reflexivity.
    - intros ws k. apply shows_ext. cbn [dims tabulate permuted map nth]. intros i I. apply in_box_two in I.
      destruct I as (a & b & -> & A & B). apply at_table. now apply in_box_pair.
  Qed.

  (** ** Concatenation of values that have one place on the axis *)

  Lemma concat_cell_ones axis : forall (l : list tensor) (x : tensor) i, Forall (fun t => nth axis (dims t) 0 = 1) (x :: l) ->
    axis < List.length i -> (0 <= nth axis i 0 < Z.of_nat (Datatypes.S (List.length l)))%Z ->
    concat_cell S axis x l i = at_ S (nth (Z.to_nat (nth axis i 0%Z)) (x :: l) x) (set_nth axis 0%Z i).
  Proof.
    induction l as [| y l IH]; intros x i F L R.
    - cbn [List.length concat_cell] in *. replace (nth axis i 0%Z) with 0%Z by lia. cbn [Z.to_nat nth].
      f_equal. assert (nth axis i 0%Z = 0%Z) as E by lia. rewrite <- E at 1. symmetry. apply set_nth_same.
    - inversion F as [| ? ? D F']; subst. cbn [concat_cell]. rewrite D. change (Z.of_nat 1) with 1%Z.
      destruct (Z.ltb_spec (nth axis i 0%Z) 1) as [lt | ge].
      + assert (nth axis i 0%Z = 0%Z) as E by lia. rewrite E. cbn [Z.to_nat nth]. f_equal. rewrite <- E at 1.
        symmetry. apply set_nth_same.
      + rewrite IH; [| exact F' | now rewrite set_nth_length | rewrite nth_set_same by exact L; cbn [List.length] in *; lia].
        rewrite nth_set_same, set_nth_twice by exact L. f_equal.
        replace (Z.to_nat (nth axis i 0%Z)) with (Datatypes.S (Z.to_nat (nth axis i 0%Z - 1))) by lia.
        change (nth (Datatypes.S ?k) (x :: ?m) ?d) with (nth k m d). apply nth_indep. cbn [List.length] in *. lia.
  Qed.

  Lemma concat_dims_ones axis ds (l : list sizes) : nth axis ds 0 = 1 -> Forall (eq ds) l ->
    concat_dims axis ds l = Some (set_nth axis (Datatypes.S (List.length l)) ds).
  Proof.
    intros D F. unfold concat_dims, guard.
    replace (forallb _ l) with true.
    2: { symmetry. apply forallb_forall. intros e I. rewrite Forall_forall in F.
         rewrite <- (F e I), Nat.eqb_refl. apply sizes_eqb_refl. }
    rewrite D. do 2 f_equal. replace (Datatypes.S (List.length l)) with (1 + List.length l) by lia. generalize 1 as a.
    induction F as [| e l E _ IH]; intros a; [cbn; lia |]. cbn [fold_left List.length]. rewrite IH, <- E, D. lia.
  Qed.

  Lemma runs_joined vs axis ds xs (fs : list (list Z -> num)) d : axis < List.length ds -> nth axis ds 0 = 1 -> xs <> [] ->
    Forall2 (fun x f => shows vs x ds f) xs fs ->
    runs vs (joined axis xs) (fun ws k => shows ws k (set_nth axis (List.length xs) ds)
      (fun i => nth (Z.to_nat (nth axis i 0%Z)) fs d (set_nth axis 0%Z i))).
  Proof.
    intros lt D ne F.
    assert (W : forall x m g gs, Forall2 (fun x f => shows vs x ds f) (x :: m) (g :: gs) -> runs vs (apply "Concat"
      [("axis", nat_value axis)] (x :: m)) (fun ws k => shows ws k (set_nth axis (List.length (x :: m)) ds)
        (fun i => nth (Z.to_nat (nth axis i 0%Z)) (g :: gs) d (set_nth axis 0%Z i)))).
    { clear F xs fs ne. intros x m g gs F. pose proof (Forall2_length F) as L. cbn [List.length] in L. injection L as L.
      eapply runs_shows.
      - eapply (runs_value vs "Concat" _ (x :: m) (map (tabulate ds) (g :: gs))).
        + clear - F. induction F; constructor; auto.
        + cbn [map]. apply (concat_value S axis _ _ (set_nth axis (List.length (x :: m)) ds)); [exact lt |].
          cbn [List.length dims tabulate]. rewrite L, <- (map_length (tabulate ds) gs), <- (map_length dims).
          apply concat_dims_ones; [exact D |]. rewrite map_map. clear. induction gs; constructor; auto.
      - intros ws k. apply shows_ext. intros i I. pose proof (in_box_length _ _ I) as Li.
        rewrite set_nth_length in Li. pose proof I as J. apply in_box_nth in J. rewrite set_nth_length in J.
        destruct J as [_ J]. pose proof (J axis lt) as R. rewrite nth_set_same in R by exact lt. cbn [List.length] in R.
        rewrite concat_cell_ones; [| | lia | rewrite map_length, <- L; exact R].
        + change (tabulate ds g :: map (tabulate ds) gs) with (map (tabulate ds) (g :: gs)).
          rewrite (nth_map_lt _ _ _ d) by (cbn [List.length]; lia). apply at_table. apply in_box_nth.
          rewrite set_nth_length. split; [exact Li |]. intros j Lj. destruct (Nat.eq_dec j axis) as [-> | nj].
          * rewrite nth_set_same, D by lia. lia.
          * rewrite nth_set_other by exact nj. specialize (J j Lj). now rewrite nth_set_other in J by exact nj.
        + change (tabulate ds g :: map (tabulate ds) gs) with (map (tabulate ds) (g :: gs)). clear - D.
          apply Forall_forall. intros t T. apply in_map_iff in T. destruct T as (h & <- & _). exact D. }
    destruct xs as [| x [| y m]]; [now elim ne | |]; inversion F as [| ? g ? gs X F']; subst.
    - inversion F'; subst. apply runs_return. cbn [List.length]. rewrite <- D, set_nth_same. revert X. apply shows_ext.
      intros i I. apply in_box_nth in I. destruct I as [Li I]. specialize (I axis lt). rewrite D in I.
      assert (nth axis i 0%Z = 0%Z) as E by lia. rewrite E. cbn [Z.to_nat nth]. now rewrite <- E, set_nth_same.
    - apply (W x (y :: m)). constructor; assumption.
  Qed.

  (** ** Products *)

  (** The sum of the products of [n] pairs. *)
  Definition dot (n : nat) (f g : Z -> num) : num := s_sum S [n] (fun k => s_mul S (f (nth 0 k 0%Z)) (g (nth 0 k 0%Z))).

  Lemma dot_ext n (f f' g g' : Z -> num) : (forall k, (0 <= k < Z.of_nat n)%Z -> f k = f' k) ->
    (forall k, (0 <= k < Z.of_nat n)%Z -> g k = g' k) -> dot n f g = dot n f' g'.
  Proof.
    intros F G. apply s_sum_ext. intros k K. apply in_box_one in K. destruct K as (z & -> & Z0). cbn [nth].
    now rewrite F, G.
  Qed.

  Lemma matmul_two m n k f g :
    op_value S "MatMul" [] [GTensor (tabulate [m; k] f); GTensor (tabulate [k; n] g)] = Some (GTensor (tabulate [m; n]
      (fun i => dot k (fun z => f [nth 0 i 0%Z; z]) (fun z => g [z; nth 1 i 0%Z])))).
  Proof.
    change (one (matmul S (tabulate [m; k] f) (tabulate [k; n] g)) = Some (GTensor (tabulate [m; n]
      (fun i => dot k (fun z => f [nth 0 i 0%Z; z]) (fun z => g [z; nth 1 i 0%Z]))))).
    unfold matmul. cbn [dims tabulate matmul_left matmul_right rev app]. unfold table, matmul_dims.
    cbn [matmul_left matmul_right rev app]. change (broadcast [] []) with (Some (@nil nat)). cbn iota beta.
    unfold guard. rewrite Nat.eqb_refl. cbn [app one]. do 2 f_equal. apply tabulate_ext. intros i I.
    apply in_box_two in I. destruct I as (a & b & -> & A & B). cbn [List.length Nat.sub firstn skipn Nat.add nth].
    apply s_sum_ext. intros z Z0. apply in_box_one in Z0. destruct Z0 as (y & -> & Y). cbn [nth].
    f_equal; apply at_table; now apply in_box_pair.
  Qed.

  Lemma matmul_three t m n k f g :
    op_value S "MatMul" [] [GTensor (tabulate [t; m; k] f); GTensor (tabulate [k; n] g)] = Some (GTensor (tabulate [t; m; n]
      (fun i => dot k (fun z => f [nth 0 i 0%Z; nth 1 i 0%Z; z]) (fun z => g [z; nth 2 i 0%Z])))).
  Proof.
    change (one (matmul S (tabulate [t; m; k] f) (tabulate [k; n] g)) = Some (GTensor (tabulate [t; m; n]
      (fun i => dot k (fun z => f [nth 0 i 0%Z; nth 1 i 0%Z; z]) (fun z => g [z; nth 2 i 0%Z]))))).
    unfold matmul. cbn [dims tabulate matmul_left matmul_right rev app]. unfold table, matmul_dims.
    cbn [matmul_left matmul_right rev app]. rewrite broadcast_nil. cbn iota beta.
    unfold guard. rewrite Nat.eqb_refl. cbn [app one]. do 2 f_equal. apply tabulate_ext. intros i I.
    apply in_box_head in I. destruct I as (c & j & -> & C & I). apply in_box_two in I. destruct I as (a & b & -> & A & B).
    cbn [List.length Nat.sub firstn skipn Nat.add nth].
    rewrite spread_same by (apply in_box_cons; split; [exact C | reflexivity]).
    apply s_sum_ext. intros z Z0. apply in_box_one in Z0. destruct Z0 as (y & -> & Y). cbn [nth].
    f_equal; apply at_table; [apply in_box_cons; split; [exact C |] |]; now apply in_box_pair.
  Qed.

  Lemma runs_product vs x y m n k f g : shows vs x [m; k] f -> shows vs y [k; n] g -> runs vs (product x y)
    (fun ws p => shows ws p [m; n] (fun i => dot k (fun z => f [nth 0 i 0%Z; z]) (fun z => g [z; nth 1 i 0%Z]))).
  Proof.
    intros X Y. eapply (runs_value vs "MatMul" _ [x; y] [_; _]); [repeat constructor; [exact X | exact Y] |].
    apply matmul_two.
  Qed.

  Lemma runs_products vs x y t m n k f g : shows vs x [t; m; k] f -> shows vs y [k; n] g -> runs vs (product x y)
    (fun ws p => shows ws p [t; m; n]
      (fun i => dot k (fun z => f [nth 0 i 0%Z; nth 1 i 0%Z; z]) (fun z => g [z; nth 2 i 0%Z]))).
  Proof.
    intros X Y. eapply (runs_value vs "MatMul" _ [x; y] [_; _]); [repeat constructor; [exact X | exact Y] |].
    apply matmul_three.
  Qed.
End Tables.
