(** * Several operators of one input as one

    Convolutions with the weights one below the other, and products with the columns next to
    each other: the parts of the result are the results.  Over any scalars: each cell is
    computed in the same way. *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Formulas tensor.Concat.
Import ListNotations.
Open Scope nat_scope.

Section Laws.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  (** ** Concat and Split *)

  Definition along (axis : nat) (t : tensor) : nat := nth axis (dims t) 0.

  Lemma concat_dims_of axis x l c : concat S axis x l = Some c -> axis < length (dims x) ->
    dims c = set_nth axis (list_sum (map (along axis) (x :: l))) (dims x) /\
    forall y, In y (x :: l) -> set_nth axis (along axis y) (dims x) = dims y.
  Proof.
    intros C lt. apply concat_iff in C. destruct C as [al ->]. split; [reflexivity |].
    intros y [<- | iny]; [now apply set_nth_same |]. symmetry. now apply alike_dims; [apply al |].
  Qed.

  Lemma concat_at axis x l c k y i :
    concat S axis x l = Some c -> nth_error (x :: l) k = Some y -> axis < length (dims x) ->
    in_box (dims y) i = true ->
    at_ c (set_nth axis (nth axis i 0 + Z.of_nat (start k (map (along axis) (x :: l))))%Z i) = at_ y i.
  Proof. intros C at_k lt I. now apply (concat_part S axis x l c k y i C at_k lt I). Qed.

  (** A part is [y] if its cells are. *)
  Theorem split_is axis ns x ts k u (y : tensor) :
    split S axis ns x = Some ts -> axis < length (dims x) -> nth_error ts k = Some u ->
    good y -> (forall n, nth_error ns k = Some n -> dims y = set_nth axis n (dims x)) ->
    (forall i, in_box (dims y) i = true ->
       at_ x (set_nth axis (nth axis i 0 + Z.of_nat (start k ns))%Z i) = at_ y i) ->
    u = y.
  Proof.
    intros H lt at_k G D E. destruct (split_nth S axis ns x ts k u H lt at_k) as (n & at_n & ->).
    unfold part. rewrite <- (D n at_n). rewrite <- (tabulate_get (s_zero S) y G) at 2. apply tabulate_ext.
    intros i I. now apply E.
  Qed.

  (** ** Convolution *)

  (** What the bias adds to channel [o]. *)
  Definition biased (b : option tensor) (a : num S) (o : Z) : num S :=
    match b with Some b => s_add S a (at_ b [o]) | None => a end.

  Lemma conv_is w g (x f : tensor) b y : conv S w g x f b = Some y ->
    exists n c ns o c' ks l,
      dims x = n :: c :: ns /\ dims f = o :: c' :: ks /\ dims y = n :: o :: l /\ good y /\
      c mod g = 0 /\ c / g = c' /\ o mod g = 0 /\ 0 < g /\
      (forall b', b = Some b' -> dims b' = [o]) /\ spatial_dims false w ks ns = Some l /\
      forall m k p, in_box (dims y) (m :: k :: p) = true ->
        at_ y (m :: k :: p) = biased b (s_sum S (c' :: ks) (conv_term S w g x f m k p)) k.
  Proof.
    intros H. pose proof H as H'. unfold conv, table, conv_dims in H.
    destruct (dims x) as [| n [| c ns]] eqn:X; try discriminate.
    destruct (dims f) as [| o [| c' ks]] eqn:F; try discriminate.
    unfold guard in H. destruct (andb _ _) eqn:B; [| discriminate].
    destruct (spatial_dims false w ks ns) as [l |] eqn:L; [| discriminate].
    rewrite !andb_true_iff in B. destruct B as (((((_ & B1) & B2) & B3) & B4) & B5).
    apply Nat.ltb_lt in B1. apply Nat.eqb_eq in B2, B3, B4.
    exists n, c, ns, o, c', ks, l. repeat split; try assumption; try (now injection H as <-).
    - injection H as <-. apply good_tabulate.
    - intros b' ->. now apply sizes_eqb_iff in B5.
    - intros m k p I. destruct (at_table _ _ _ _ _ H' I) as [_ ->]. unfold conv_cell. rewrite F. cbn [tl].
      now destruct b.
  Qed.

  (** The channels from [start] on of a convolution without groups, whose weights and bias have
      there those of another. *)
  Theorem conv_rows w (x f f' : tensor) b b' y y' start :
    conv S w 1 x f b = Some y -> conv S w 1 x f' b' = Some y' ->
    tl (dims f') = tl (dims f) ->
    start + nth 0 (dims f') 0 <= nth 0 (dims f) 0 ->
    (forall j k, in_box (dims f') (j :: k) = true -> at_ f ((j + Z.of_nat start)%Z :: k) = at_ f' (j :: k)) ->
    (forall j a, (0 <= j < Z.of_nat (nth 0 (dims f') 0%nat))%Z -> biased b a (j + Z.of_nat start) = biased b' a j) ->
    dims y' = set_nth 1 (nth 0 (dims f') 0) (dims y) /\
    forall i, in_box (dims y') i = true ->
      at_ y (set_nth 1 (nth 1 i 0 + Z.of_nat start)%Z i) = at_ y' i.
  Proof.
    intros H H' T le W B.
    destruct (conv_is _ _ _ _ _ _ H) as (n & c & ns & o & c1 & ks & l & X & F & Y & _ & _ & _ & _ & _ & _ & L & E).
    destruct (conv_is _ _ _ _ _ _ H') as (n' & c' & ns' & o' & c1' & ks' & l' & X' & F' & Y' & _ & _ & _ & _ & _ & _ & L' & E').
    rewrite X in X'. injection X' as <- <- <-. rewrite F, F' in *. cbn [tl nth] in *. injection T as -> ->.
    assert (l' = l) as -> by congruence. rewrite Y, Y'. split; [reflexivity |].
    intros i I. destruct i as [| m [| k p]]; [discriminate | apply in_box_cons in I; now destruct I |].
    apply in_box_cons in I. destruct I as [Im I]. apply in_box_cons in I. destruct I as [Ik Ip].
    cbn [set_nth nth]. rewrite E, E'.
    - rewrite (B k _ Ik). f_equal. apply s_sum_ext. intros u U. unfold conv_term. rewrite F, F'. cbn [nth].
      rewrite !Nat.div_1_r. replace ((k + Z.of_nat start) / Z.of_nat o)%Z with 0%Z by (symmetry; apply Z.div_small; lia).
      replace (k / Z.of_nat o')%Z with 0%Z by (symmetry; apply Z.div_small; lia).
      destruct (in_box (dims x) _); [| reflexivity]. f_equal. apply W. apply in_box_cons. now split.
    - rewrite Y'. apply in_box_cons. split; [exact Im |]. apply in_box_cons. now split.
    - rewrite Y. apply in_box_cons. split; [exact Im |]. apply in_box_cons. split; [lia | exact Ip].
  Qed.

  (** ** Products *)

  Lemma rev_cons2 {A} (l : list A) a b r : rev l = a :: b :: r -> l = rev r ++ [b; a].
  Proof. intros H. rewrite <- (rev_involutive l), H. simpl. now rewrite <- app_assoc. Qed.

  Lemma rev_cons1 {A} (l : list A) a : rev l = [a] -> l = [a].
  Proof. intros H. now rewrite <- (rev_involutive l), H. Qed.

  (** Columns from [start] on of a product with matrices. *)
  Theorem matmul_columns (a b b' y y' : tensor) q k n n' start :
    dims b = q ++ [k; n] -> dims b' = q ++ [k; n'] -> start + n' <= n ->
    matmul S a b = Some y -> matmul S a b' = Some y' ->
    (forall p l j, in_box q p = true -> in_box [k; n'] [l; j] = true ->
       at_ b (p ++ [l; (j + Z.of_nat start)%Z]) = at_ b' (p ++ [l; j])) ->
    let axis := length (dims y) - 1 in
    0 < length (dims y) /\ dims y' = set_nth axis n' (dims y) /\
    forall i, in_box (dims y') i = true ->
      at_ y (set_nth axis (nth axis i 0 + Z.of_nat start)%Z i) = at_ y' i.
  Proof.
    intros B B' le H H' W axis.
    assert (forall m, matmul_right (q ++ [k; m]) = Some (q, k, [m])) as R.
    { intros m. unfold matmul_right. rewrite rev_app_distr. simpl. now rewrite rev_involutive. }
    unfold matmul in H, H'. rewrite B, R in H. rewrite B', R in H'.
    destruct (matmul_left (dims a)) as [[[pa rows] inner] |] eqn:A; [| discriminate].
    unfold table, matmul_dims in H, H'. rewrite A, R in H, H'. unfold guard in H, H'.
    destruct (broadcast pa q) as [batch |] eqn:Bc; [| discriminate].
    destruct (inner =? k) eqn:Ik; [| discriminate]. apply Nat.eqb_eq in Ik. subst inner.
    injection H as <-. injection H' as <-. cbn [dims tabulate] in *.
    assert (length (batch ++ rows ++ [n]) = length batch + length rows + 1) as len by (rewrite !app_length; simpl; lia).
    assert (axis = length (batch ++ rows)) as Ax by (unfold axis; rewrite !app_length in *; simpl in *; lia).
    clearbody axis. subst axis. split; [lia |].
    rewrite !app_assoc. split; [symmetry; apply set_nth_app |].
    intros i I.
    pose proof (in_box_length _ _ I) as li. rewrite !app_length in li. simpl in li.
    assert (exists r j, i = r ++ [j] /\ length r = length (batch ++ rows)) as (r & j & -> & lr).
    { exists (firstn (length (batch ++ rows)) i), (nth (length (batch ++ rows)) i 0%Z). rewrite app_length.
      split; [| rewrite firstn_length; lia].
      rewrite <- (firstn_skipn (length batch + length rows) i) at 1. f_equal.
      pose proof (skipn_length (length batch + length rows) i) as sl.
      destruct (skipn (length batch + length rows) i) as [| z [|]] eqn:Sk; simpl in sl; try lia.
      f_equal. pose proof (nth_skipn i (length batch + length rows) 0 0%Z) as N. rewrite Sk in N. simpl in N.
      now rewrite Nat.add_0_r in N. }
    rewrite <- lr. rewrite app_nth2, Nat.sub_diag by lia. cbn [nth]. rewrite set_nth_app.
    rewrite in_box_app in I by exact lr. apply andb_true_iff in I. destruct I as [Ir Ij].
    apply in_box_cons in Ij. destruct Ij as [Ij _].
    rewrite app_length in lr.
    assert (forall c : nat, firstn (length batch) ((batch ++ rows) ++ [c]) = batch) as F1.
    { intros c. rewrite <- app_assoc, firstn_app, Nat.sub_diag, firstn_all. apply app_nil_r. }
    assert (forall z : Z, firstn (length batch) (r ++ [z]) = firstn (length batch) r) as F2.
    { intros z. rewrite firstn_app. replace (length batch - length r) with 0 by lia. apply app_nil_r. }
    assert (forall z : Z, firstn (length rows) (skipn (length batch) (r ++ [z])) = skipn (length batch) r) as F3.
    { intros z. rewrite skipn_app. replace (length batch - length r) with 0 by lia. cbn [skipn].
      rewrite firstn_app, skipn_length. replace (length rows - (length r - length batch)) with 0 by lia.
      cbn [firstn]. rewrite app_nil_r. apply firstn_all2. rewrite skipn_length. lia. }
    assert (forall z : Z, skipn (length batch + length rows) (r ++ [z]) = [z]) as F4.
    { intros z. rewrite skipn_app, skipn_all2 by lia. now replace (length batch + length rows - length r) with 0 by lia. }
    assert (forall c : nat, length ((batch ++ rows) ++ [c]) - length rows - length [c] = length batch) as F5
      by (intros c; rewrite !app_length; simpl; lia).
    unfold Ops.at_ at 1 4. rewrite !get_tabulate.
    - rewrite !F5, !F1, !F2, !F3, !F4. apply s_sum_ext. intros l L. f_equal.
      destruct l as [| z l]; [discriminate |]. apply in_box_cons in L. destruct L as [Lz L].
      destruct l; [| discriminate]. cbn [app]. apply W.
      + apply (spread_in_box_r pa q batch); [exact Bc |].
        apply (in_box_firstn (length batch)) in Ir. now rewrite firstn_app, Nat.sub_diag, firstn_all, app_nil_r in Ir.
      + apply in_box_cons. split; [exact Lz |]. apply in_box_cons. now split.
    - rewrite in_box_app by (rewrite app_length; exact lr). rewrite Ir. simpl. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. lia.
    - rewrite in_box_app by (rewrite app_length; exact lr). rewrite Ir. simpl. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. lia.
  Qed.
  Theorem gemm_columns alpha beta ta tb (a b b' : tensor) c c' y y' start :
    gemm S alpha beta ta tb a b (Some c) = Some y -> gemm S alpha beta ta tb a b' (Some c') = Some y' ->
    let side := if tb then 0 else 1 in
    dims c = [along side b] -> dims c' = [along side b'] ->
    start + along side b' <= along side b ->
    (forall i, in_box (dims b') i = true ->
       at_ b (set_nth side (nth side i 0 + Z.of_nat start)%Z i) = at_ b' i) ->
    (forall j, (0 <= j < Z.of_nat (along side b'))%Z -> at_ c [(j + Z.of_nat start)%Z] = at_ c' [j]) ->
    length (dims y) = 2 /\ dims y' = set_nth 1 (along side b') (dims y) /\
    forall i, in_box (dims y') i = true ->
      at_ y (set_nth 1 (nth 1 i 0 + Z.of_nat start)%Z i) = at_ y' i.
  Proof.
    intros H H' side C C' le W V. pose proof H as T. pose proof H' as T'.
    unfold gemm, table, gemm_dims in H, H'. cbn [option_map] in H, H'.
    destruct (dims a) as [| a0 [| a1 [|]]] eqn:A; try discriminate.
    destruct (dims b) as [| b0 [| b1 [|]]] eqn:B; try discriminate.
    destruct (dims b') as [| b0' [| b1' [|]]] eqn:B'; try discriminate.
    unfold guard in H, H'. destruct (andb _ _) eqn:O in H; [| discriminate]. destruct (andb _ _) eqn:O' in H'; [| discriminate].
    apply andb_true_iff in O, O'. destruct O as [O _], O' as [O' _]. apply Nat.eqb_eq in O, O'.
    assert (dims y = [if ta then a1 else a0; along side b]) as D
      by (injection H as <-; unfold along, side; rewrite B; now destruct tb).
    assert (dims y' = [if ta then a1 else a0; along side b']) as D'
      by (injection H' as <-; unfold along, side; rewrite B'; now destruct tb).
    rewrite D, D'. split; [reflexivity |]. split; [reflexivity |]. intros i I.
    destruct i as [| r i]; [discriminate |]. apply in_box_cons in I. destruct I as [Ir I].
    destruct i as [| j i]; [discriminate |]. apply in_box_cons in I. destruct I as [Ij I]. destruct i; [| discriminate].
    cbn [set_nth nth].
    assert (in_box (dims y) [r; (j + Z.of_nat start)%Z] = true) as In1.
    { rewrite D. apply in_box_cons. split; [exact Ir |]. apply in_box_cons. split; [lia | reflexivity]. }
    assert (in_box (dims y') [r; j] = true) as In2.
    { rewrite D'. apply in_box_cons. split; [exact Ir |]. apply in_box_cons. now split. }
    destruct (at_table _ _ _ _ _ T In1) as [_ ->]. destruct (at_table _ _ _ _ _ T' In2) as [_ ->].
    rewrite A, D, D'. cbn [nth].
    assert (spread_at S c [if ta then a1 else a0; along side b] [r; (j + Z.of_nat start)%Z] =
            spread_at S c' [if ta then a1 else a0; along side b'] [r; j]) as ->.
    { unfold spread_at, spread. rewrite C, C'. cbn [length Nat.sub skipn clip]. rewrite !Nat.eqb_refl. apply V. exact Ij. }
    assert (forall p q : num S, p = q -> (if rounds_to_zero beta then p else s_add S p (scaled S beta (spread_at S c'
              [if ta then a1 else a0; along side b'] [r; j]))) = (if rounds_to_zero beta then q else s_add S q
              (scaled S beta (spread_at S c' [if ta then a1 else a0; along side b'] [r; j])))) as same by now intros p q ->.
    apply same. f_equal. apply s_sum_ext. intros k K. destruct k as [| k0 k]; [discriminate |].
    apply in_box_cons in K. destruct K as [K _]. cbn [nth]. f_equal. unfold side in *. unfold along in Ij.
    rewrite B' in Ij. destruct tb; cbn [nth] in *.
    - assert (in_box [b0'; b1'] [j; k0] = true) as J.
      { apply in_box_cons. split; [exact Ij |]. apply in_box_cons. split; [| reflexivity]. rewrite <- O'. destruct ta; exact K. }
      exact (W _ J).
    - assert (in_box [b0'; b1'] [k0; j] = true) as J.
      { apply in_box_cons. split; [| apply in_box_cons; now split]. rewrite <- O'. destruct ta; exact K. }
      exact (W _ J).
  Qed.

  (** ** All of them *)

  Lemma nth_along axis (x : tensor) l k y : nth_error (x :: l) k = Some y ->
    nth_error (map (along axis) (x :: l)) k = Some (along axis y).
  Proof. apply map_nth_error. Qed.

  (** Convolutions of one input, with kernels of one size, without groups. *)
  Theorem parallel_conv w (x f F : tensor) fr b B y ys k u fk yk :
    concat S 0 f fr = Some F -> conv S w 1 x F B = Some y ->
    split S 1 (map (along 0) (f :: fr)) y = Some ys -> nth_error ys k = Some u ->
    nth_error (f :: fr) k = Some fk -> conv S w 1 x fk b = Some yk ->
    (forall j a, (0 <= j < Z.of_nat (along 0 fk))%Z ->
       biased B a (j + Z.of_nat (start k (map (along 0) (f :: fr)))) = biased b a j) ->
    u = yk.
  Proof.
    intros C H P at_u at_f H' W.
    destruct (conv_is _ _ _ _ _ _ H) as (n & c & ns & o & c1 & ks & l & X & F' & Y & _ & _ & _ & _ & _ & _ & L & E).
    pose proof (table_good _ _ _ _ H') as G'.
    pose proof C as C2. apply concat_iff in C2. destruct C2 as [_ EF0].
    assert (0 < length (dims f)) as lf.
    { rewrite EF0 in F'. cbn [dims tabulate] in F'. apply (f_equal (@length nat)) in F'.
      rewrite set_nth_length in F'. simpl in F'. lia. }
    destruct (concat_dims_of 0 f fr F C lf) as [EF same]. pose proof (same fk (nth_error_In _ _ at_f)) as D.
    assert (nth 0 (dims F) 0 = list_sum (map (along 0) (f :: fr))) as sum
      by (rewrite EF; now apply nth_set_same).
    pose proof (start_le _ _ _ (nth_along 0 f fr k fk at_f)) as le.
    destruct (conv_rows w x F fk B b y yk (start k (map (along 0) (f :: fr))) H H') as [D2 E2].
    - rewrite <- D, EF. destruct (dims f); [easy | reflexivity].
    - rewrite sum. exact le.
    - intros j p I. exact (concat_at 0 f fr F k fk (j :: p) C at_f lf I).
    - intros j a J. now apply W.
    - apply (split_is 1 _ y ys k u yk P); try assumption.
      + rewrite Y. simpl. lia.
      + intros m at_m. rewrite (nth_along 0 f fr k fk at_f) in at_m. injection at_m as <-. exact D2.
  Qed.

  (** Products of one input with matrices, or batches of matrices, that have as many rows. *)
  Theorem parallel_matmul q r (a w W : tensor) wr y ys k u wk yk :
    (forall v, In v (w :: wr) -> exists n, dims v = q ++ [r; n]) ->
    concat S (length q + 1) w wr = Some W -> matmul S a W = Some y ->
    split S (length (dims y) - 1) (map (along (length q + 1)) (w :: wr)) y = Some ys -> nth_error ys k = Some u ->
    nth_error (w :: wr) k = Some wk -> matmul S a wk = Some yk -> u = yk.
  Proof.
    intros Q C H P at_u at_w H'. set (axis := length q + 1) in *.
    assert (forall n, length (q ++ [r; n]) = length q + 2) as lq by (intros n; rewrite app_length; reflexivity).
    assert (forall n v, set_nth axis v (q ++ [r; n]) = q ++ [r; v]) as sq.
    { intros n v. unfold axis. change (q ++ [r; n]) with (q ++ [r] ++ [n]). rewrite app_assoc.
      replace (length q + 1) with (length (q ++ [r])) by (rewrite app_length; reflexivity).
      rewrite set_nth_app. now rewrite <- app_assoc. }
    assert (forall n, nth axis (q ++ [r; n]) 0 = n) as nq.
    { intros n. unfold axis. rewrite app_nth2 by lia. now replace (length q + 1 - length q) with 1 by lia. }
    destruct (Q w (or_introl eq_refl)) as (n0 & D0).
    destruct (concat_dims_of axis w wr W C ltac:(rewrite D0, lq; unfold axis; lia)) as [EW _]. destruct (Q wk (nth_error_In _ _ at_w)) as (n & Dk).
    assert (dims W = q ++ [r; list_sum (map (along axis) (w :: wr))]) as DW
      by (rewrite EW, D0; apply sq).
    assert (along axis wk = n) as an by (unfold along; rewrite Dk; apply nq).
    pose proof (start_le _ _ _ (nth_along axis w wr k wk at_w)) as le. rewrite an in le.
    destruct (matmul_columns a W wk y yk q r _ n (start k (map (along axis) (w :: wr))) DW Dk le H H') as (pos & D & E).
    - intros p l j Ip Il.
      assert (in_box (dims wk) (p ++ [l; j]) = true) as I.
      { rewrite Dk, in_box_app by now apply in_box_length. now rewrite Ip, Il. }
      pose proof (concat_at axis w wr W k wk (p ++ [l; j]) C at_w ltac:(rewrite D0, lq; unfold axis; lia) I) as K.
      rewrite <- K. f_equal. unfold axis.
      pose proof (in_box_length _ _ Ip) as lp. rewrite <- lp.
      rewrite app_nth2 by lia. replace (length p + 1 - length p) with 1 by lia. cbn [nth].
      change (p ++ [l; j]) with (p ++ [l] ++ [j]). rewrite app_assoc.
      replace (length p + 1) with (length (p ++ [l])) by (rewrite app_length; reflexivity).
      rewrite set_nth_app. now rewrite <- app_assoc.
    - apply (split_is _ _ y ys k u yk P); try assumption; [lia | |].
      + unfold matmul in H'. destruct (matmul_left (dims a)) as [[[pa rows] inner] |]; [| discriminate].
        destruct (matmul_right (dims wk)) as [[[pb k'] cols] |]; [| discriminate]. now apply table_good in H'.
      + intros m at_m. rewrite (nth_along axis w wr k wk at_w) in at_m. injection at_m as <-. now rewrite an.
  Qed.

  (** Dense layers of one input, each with a bias for each column. *)
  Theorem parallel_gemm alpha beta ta (tb : bool) (a w W c C : tensor) wr cr y ys k u wk ck yk :
    let side := if tb then 0 else 1 in
    (forall j v d, nth_error (w :: wr) j = Some v -> nth_error (c :: cr) j = Some d -> dims d = [along side v]) ->
    length wr = length cr ->
    concat S side w wr = Some W -> concat S 0 c cr = Some C -> gemm S alpha beta ta tb a W (Some C) = Some y ->
    split S 1 (map (along side) (w :: wr)) y = Some ys -> nth_error ys k = Some u ->
    nth_error (w :: wr) k = Some wk -> nth_error (c :: cr) k = Some ck ->
    gemm S alpha beta ta tb a wk (Some ck) = Some yk -> u = yk.
  Proof.
    intros side Q len CW CC H P at_u at_w at_c H'.
    assert (map (along 0) (c :: cr) = map (along side) (w :: wr)) as same.
    { clear - Q len. assert (forall l m : list tensor, length l = length m ->
        (forall j (v d : tensor), nth_error l j = Some v -> nth_error m j = Some d -> dims d = [along side v]) ->
        map (along 0) m = map (along side) l) as all.
      { induction l as [| v l IH]; intros [| d m] ln R; try discriminate; [reflexivity |]. cbn [map]. f_equal.
        - unfold along at 1. now rewrite (R 0 v d eq_refl eq_refl).
        - apply IH; [now injection ln |]. intros j v' d' jv jd. exact (R (Datatypes.S j) v' d' jv jd). }
      apply all; [simpl; now rewrite len | exact Q]. }
    assert (dims c = [along side w]) as Dc by exact (Q 0 w c eq_refl eq_refl).
    destruct (concat_dims_of 0 c cr C CC ltac:(rewrite Dc; simpl; lia)) as [EC _].
    pose proof CW as CW2. apply concat_iff in CW2. destruct CW2 as [_ EW0].
    assert (dims ck = [along side wk]) as Dk by exact (Q k wk ck at_w at_c).
    pose proof H as T. unfold gemm, table, gemm_dims in T.
    destruct (dims a) as [| a0 [| a1 [|]]] eqn:A; try discriminate.
    destruct (dims W) as [| b0 [| b1 [|]]] eqn:B; try discriminate. clear T.
    assert (length (dims w) = 2) as lw.
    { rewrite EW0 in B. cbn [dims tabulate] in B. apply (f_equal (@length nat)) in B. now rewrite set_nth_length in B. }
    assert (side < length (dims w)) as ls by (rewrite lw; unfold side; destruct tb; lia).
    destruct (concat_dims_of side w wr W CW ls) as [EW sW].
    assert (along side W = list_sum (map (along side) (w :: wr))) as sum
      by (unfold along at 1; rewrite EW; now apply nth_set_same).
    assert (dims C = [along side W]) as DC by (rewrite EC, sum, <- same, Dc; reflexivity).
    pose proof (start_le _ _ _ (nth_along side w wr k wk at_w)) as le.
    destruct (gemm_columns alpha beta ta tb a W wk C ck y yk (start k (map (along side) (w :: wr))) H H' DC Dk)
      as (two & D & E).
    - fold side. rewrite sum. exact le.
    - intros i I. exact (concat_at side w wr W k wk i CW at_w ls I).
    - intros j J. fold side in J. rewrite <- same.
      apply (concat_at 0 c cr C k ck [j] CC at_c ltac:(rewrite Dc; simpl; lia)).
      rewrite Dk. apply in_box_cons. now split.
    - apply (split_is 1 _ y ys k u yk P); try assumption; [lia | now apply table_good in H' |].
      intros m at_m. rewrite (nth_along side w wr k wk at_w) in at_m. injection at_m as <-. exact D.
  Qed.
End Laws.

(** ** That the merged operator has a value, and what its parts are *)

Section Values.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation along := (along S).

  Lemma concat_some axis (x : tensor) l :
    axis < length (dims x) -> (forall y, In y l -> exists n, dims y = set_nth axis n (dims x)) ->
    exists c, concat S axis x l = Some c /\ good c /\
      dims c = set_nth axis (list_sum (map (along axis) (x :: l))) (dims x).
  Proof.
    intros lt H.
    assert (concat S axis x l = Some (tabulate (set_nth axis (list_sum (map (along axis) (x :: l))) (dims x))
              (concat_cell S axis x l))) as C.
    { apply concat_iff. split; [| reflexivity]. intros y iny. destruct (H y iny) as (n & D). split; [now rewrite D, set_nth_length | now rewrite D, set_nth_twice]. }
    eexists. split; [exact C |]. split; [apply good_tabulate | reflexivity].
  Qed.

  Lemma split_some axis ns (x : tensor) :
    list_sum ns = nth axis (dims x) 0 -> exists ts, split S axis ns x = Some ts /\ length ts = length ns /\ Forall good ts.
  Proof.
    intros E. exists (parts S axis x 0 (map (fun n => set_nth axis n (dims x)) ns)).
    split; [now apply split_iff |]. split; [rewrite parts_length; apply map_length |].
    assert (forall l s, Forall good (parts S axis x s l)) as all
      by (induction l as [| d l IH]; intros s; constructor; [apply good_tabulate | apply IH]).
    apply all.
  Qed.

  (** The parts are these, if each of them is. *)
  Lemma same_parts {A} (ts ys : list A) : length ts = length ys ->
    (forall k u y, nth_error ts k = Some u -> nth_error ys k = Some y -> u = y) -> ts = ys.
  Proof.
    revert ys. induction ts as [| t ts IH]; intros [| y ys] len H; try discriminate; [reflexivity |]. f_equal.
    - exact (H 0 t y eq_refl eq_refl).
    - apply IH; [now injection len |]. intros k. exact (H (Datatypes.S k)).
  Qed.

  Theorem parallel_matmul_all q r (a w : tensor) wr ys :
    (forall v, In v (w :: wr) -> exists n, dims v = q ++ [r; n]) ->
    length ys = length (w :: wr) ->
    (forall k v y, nth_error (w :: wr) k = Some v -> nth_error ys k = Some y -> matmul S a v = Some y) ->
    exists W Y y0, concat S (length q + 1) w wr = Some W /\ good W /\ matmul S a W = Some Y /\ good Y /\
      nth_error ys 0 = Some y0 /\ length (dims Y) = length (dims y0) /\
      split S (length (dims Y) - 1) (map (along (length q + 1)) (w :: wr)) Y = Some ys /\ Forall good ys.
  Proof.
    intros Q len M. set (axis := length q + 1) in *.
    assert (forall n v, set_nth axis v (q ++ [r; n]) = q ++ [r; v]) as sq.
    { intros n v. unfold axis. change (q ++ [r; n]) with (q ++ [r] ++ [n]). rewrite app_assoc.
      replace (length q + 1) with (length (q ++ [r])) by (rewrite app_length; reflexivity).
      rewrite set_nth_app. now rewrite <- app_assoc. }
    destruct (Q w (or_introl eq_refl)) as (n0 & D0).
    destruct (concat_some axis w wr) as (W & C & GW & DW).
    { rewrite D0, app_length. unfold axis. simpl. lia. }
    { intros y iny. destruct (Q y (or_intror iny)) as (n & D). exists n. rewrite D, D0. symmetry. apply sq. }
    destruct ys as [| y0 ys]; [discriminate |]. pose proof (M 0 w y0 eq_refl eq_refl) as M0.
    assert (forall m, matmul_right (q ++ [r; m]) = Some (q, r, [m])) as R.
    { intros m. unfold matmul_right. rewrite rev_app_distr. simpl. now rewrite rev_involutive. }
    rewrite D0, sq in DW. set (N := list_sum (map (along axis) (w :: wr))) in *.
    assert (exists Y, matmul S a W = Some Y /\ good Y /\ length (dims Y) = length (dims y0) /\
                      nth (length (dims Y) - 1) (dims Y) 0 = N) as (Y & HY & GY & lY & NY).
    { unfold matmul in *. rewrite DW, R. rewrite D0, R in M0.
      destruct (matmul_left (dims a)) as [[[pa rows] inner] |] eqn:A; [| discriminate].
      unfold table, matmul_dims in *. rewrite A, R in *. unfold guard in *.
      destruct (broadcast pa q) as [batch |]; [| discriminate]. destruct (inner =? r); [| discriminate].
      injection M0 as <-. eexists. split; [reflexivity |]. split; [apply good_tabulate |]. cbn [dims tabulate].
      rewrite !app_length. cbn [length]. split; [reflexivity |]. rewrite app_assoc, app_nth2 by (rewrite app_length; lia).
      rewrite app_length. now replace (length batch + (length rows + 1) - 1 - (length batch + length rows)) with 0 by lia. }
    destruct (split_some (length (dims Y) - 1) (map (along axis) (w :: wr)) Y) as (ts & Hts & lts & Gts); [now rewrite NY |].
    rewrite map_length in lts.
    assert (ts = y0 :: ys) as E.
    { apply same_parts; [congruence |]. intros k u y at_u at_y.
      assert (k < length (w :: wr)) as lt by (rewrite <- len; apply nth_error_Some; congruence).
      apply nth_error_Some in lt. destruct (nth_error (w :: wr) k) as [v |] eqn:at_v; [| easy].
      exact (parallel_matmul S q r a w W wr Y ts k u v y Q C HY Hts at_u at_v (M k v y at_v at_y)). }
    subst ts. exists W, Y, y0. repeat split; assumption.
  Qed.
End Values.
