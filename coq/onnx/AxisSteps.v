(** * Steps along one axis

    What the steps of a composition that move elements along one axis do: cell [i] of the result is the cell of the
    input that has another place along the axis.  An axis is what lies before it, its size and what lies behind it. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Formulas tensor.LawsMerge.
From Calque Require Import kernel.Numbers tensor.Mixed.
From Calque Require Import onnx.Composition onnx.Steps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Quotients *)

(** Rounded up. *)
Definition ceil_div (a d : Z) : Z := (- (- a / d))%Z.

Lemma ceil_div_spec a d m : (0 < d)%Z -> (d * (m - 1) < a <= d * m)%Z -> ceil_div a d = m.
Proof.
  intros pos B. unfold ceil_div. rewrite <- (Z.div_unique (- a) d (- m) (d * m - a)%Z); [lia | left; lia | lia].
Qed.

Lemma floor_div_spec a d m : (0 < d)%Z -> (d * m <= a < d * (m + 1))%Z -> (a / d = m)%Z.
Proof. intros pos B. symmetry. apply (Z.div_unique a d m (a - d * m)%Z); [left; lia | lia]. Qed.

(** ** Lists with a place that counts *)

Lemma nth_middle_z (a b : list Z) z d : nth (List.length a) (a ++ z :: b) d = z.
Proof. now rewrite app_nth2, Nat.sub_diag by lia. Qed.

Lemma in_box_middle pre n post i : in_box (pre ++ n :: post) i = true ->
  exists a z b, i = a ++ z :: b /\ List.length a = List.length pre /\ in_box pre a = true /\ (0 <= z < Z.of_nat n)%Z /\
    in_box post b = true.
Proof.
  intros I. apply in_box_split in I. destruct I as (a & k & -> & A & K). destruct k as [| z b]; [discriminate |].
  apply in_box_cons in K. destruct K as [Z0 B]. exists a, z, b. split; [reflexivity |].
  split; [now apply in_box_length |]. auto.
Qed.

Lemma middle_in_box pre n post a z b : in_box pre a = true -> (0 <= z < Z.of_nat n)%Z -> in_box post b = true ->
  in_box (pre ++ n :: post) (a ++ z :: b) = true.
Proof.
  intros A Z0 B. rewrite in_box_app by now apply in_box_length. rewrite A. apply in_box_cons. now split.
Qed.

Lemma set_middle {A} (pre post : list A) n m : set_nth (List.length pre) m (pre ++ n :: post) = pre ++ m :: post.
Proof. apply set_nth_app. Qed.

Lemma slice_at_middle a : forall z b start step,
  slice_at (repeat 0%Z (List.length a) ++ start :: repeat 0%Z (List.length b))
    (repeat 1%Z (List.length a) ++ step :: repeat 1%Z (List.length b)) (a ++ z :: b) = a ++ (start + z * step)%Z :: b.
Proof.
  induction a as [| y a IH]; intros z b start step; cbn [List.length repeat app slice_at].
  - f_equal. induction b as [| y b IH]; [reflexivity |]. cbn [List.length repeat slice_at]. f_equal; [lia | exact IH].
  - rewrite IH. f_equal. lia.
Qed.

Lemma slice_fits_whole n : slice_fits n 0 1 n = true.
Proof.
  unfold slice_fits. rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, Nat.eqb_eq, !Z.ltb_lt, !Z.leb_le.
  split; [split; [reflexivity | lia] |]. destruct n; [now left | right; lia].
Qed.

Lemma slices_fit_middle pre : forall n post start step size, slice_fits n start step size = true ->
  slices_fit (pre ++ n :: post) (repeat 0%Z (List.length pre) ++ start :: repeat 0%Z (List.length post))
    (repeat 1%Z (List.length pre) ++ step :: repeat 1%Z (List.length post)) (pre ++ size :: post) = true.
Proof.
  induction pre as [| m pre IH]; intros n post start step size F; cbn [List.length repeat app slices_fit].
  - rewrite F. cbn [andb]. induction post as [| m post IH]; [reflexivity |]. cbn [List.length repeat slices_fit].
    now rewrite slice_fits_whole.
  - now rewrite slice_fits_whole, IH.
Qed.

(** A size that is cut in two. *)
Lemma position_cut pre n k post a q r b : in_box pre a = true -> (0 <= q < Z.of_nat n)%Z -> (0 <= r < Z.of_nat k)%Z ->
  position (pre ++ n * k :: post) (a ++ (q * Z.of_nat k + r)%Z :: b) = position (pre ++ n :: k :: post) (a ++ q :: r :: b).
Proof.
  intros A Q R. rewrite !position_app by now apply in_box_length.
  cbn [position cell_count fold_right]. fold (cell_count post).
  assert (Z.to_nat (q * Z.of_nat k + r) = Z.to_nat q * k + Z.to_nat r) as ->
    by (rewrite Z2Nat.inj_add, Z2Nat.inj_mul, Nat2Z.id by nia; reflexivity).
  ring.
Qed.

Lemma digits k z : 0 < k -> (z = z / Z.of_nat k * Z.of_nat k + z mod Z.of_nat k /\ 0 <= z mod Z.of_nat k < Z.of_nat k)%Z.
Proof.
  intros pos. split; [rewrite Z.mul_comm; apply Z.div_mod; lia | apply Z.mod_pos_bound; lia].
Qed.

Lemma quotient_in n k z : (0 <= z < Z.of_nat (n * k))%Z -> (0 <= z / Z.of_nat k < Z.of_nat n)%Z.
Proof. intros H. split; [apply Z.div_pos; nia | apply Z.div_lt_upper_bound; nia]. Qed.

Lemma Forall2_weaken {A B} (R T : A -> B -> Prop) l m : (forall a b, R a b -> T a b) -> Forall2 R l m -> Forall2 T l m.
Proof. intros H F. induction F; constructor; auto. Qed.

Section Steps.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Notation runs := (runs S typed).
  Notation knows := (knows S).

  Lemma good_recast ds (x : tensor) : good x -> cell_count ds = cell_count (dims x) -> good (Tensor ds (cells x)).
  Proof. unfold good. cbn [cells dims]. congruence. Qed.

  (** ** Reshape *)

  Definition reshaped (from to : sizes) (k : nat) : build nat :=
    if sizes_eqb from to then Return k else apply "Reshape" [("shape", nats_value to)] [k].

  Lemma reshaped_runs vs from to k (x : tensor) : knows vs k (GTensor x) -> dims x = from -> good x ->
    cell_count to = cell_count from ->
    runs vs (reshaped from to k) (fun ws j => knows ws j (GTensor (Tensor to (cells x)))).
  Proof.
    intros K D G C. unfold reshaped. destruct (sizes_eqb from to) eqn:E.
    - apply sizes_eqb_iff in E. subst to. rewrite <- D. apply runs_return. now destruct x.
    - eapply runs_apply; [constructor; [exact K | constructor] |]. apply reshape_value; [exact G | now rewrite D].
  Qed.

  (** ** Slice *)

  Definition sliced (pre : sizes) (n : nat) (post : sizes) (start step : Z) (size : nat) (k : nat) : build nat :=
    if (start =? 0)%Z && (step =? 1)%Z && (size =? n) then Return k
    else apply "Slice"
      [("starts", ints_value (repeat 0%Z (List.length pre) ++ start :: repeat 0%Z (List.length post)));
       ("steps", ints_value (repeat 1%Z (List.length pre) ++ step :: repeat 1%Z (List.length post)));
       ("sizes", nats_value (pre ++ size :: post))] [k].

  (** The cells whose places along an axis are [f] of those of the result. *)
  Definition picked (pre : sizes) (size : nat) (post : sizes) (f : Z -> Z) (x : tensor) : tensor :=
    tabulate (pre ++ size :: post)
      (fun i => at_ x (set_nth (List.length pre) (f (nth (List.length pre) i 0%Z)) i)).

  Lemma picked_at pre size post f (x : tensor) a z b :
    in_box pre a = true -> (0 <= z < Z.of_nat size)%Z -> in_box post b = true ->
    at_ (picked pre size post f x) (a ++ z :: b) = at_ x (a ++ f z :: b).
  Proof.
    intros A Z0 B. unfold picked. rewrite at_tabulate by now apply middle_in_box.
    rewrite <- (in_box_length _ _ A), nth_middle_z. now rewrite set_middle.
  Qed.

  (** What has these cells is that tensor. *)
  Lemma picked_is pre size post f (x u : tensor) : good u -> dims u = pre ++ size :: post ->
    (forall a z b, in_box pre a = true -> (0 <= z < Z.of_nat size)%Z -> in_box post b = true ->
       at_ u (a ++ z :: b) = at_ x (a ++ f z :: b)) -> u = picked pre size post f x.
  Proof.
    intros G D H. rewrite <- (tabulate_get (s_zero S) u G). unfold picked. rewrite D. apply tabulate_ext.
    intros i I. destruct (in_box_middle _ _ _ _ I) as (a & z & b & -> & len & A & Z0 & B).
    rewrite <- len, nth_middle_z, set_middle. now apply H.
  Qed.

  Lemma picked_ext pre size post f g (x : tensor) : (forall z, (0 <= z < Z.of_nat size)%Z -> f z = g z) ->
    picked pre size post f x = picked pre size post g x.
  Proof.
    intros E. apply picked_is; [apply good_tabulate | reflexivity |]. intros a z b A Z0 B.
    rewrite picked_at by assumption. now rewrite E.
  Qed.

  Lemma picked_whole pre n post f (x : tensor) : good x -> dims x = pre ++ n :: post ->
    (forall z, (0 <= z < Z.of_nat n)%Z -> f z = z) -> picked pre n post f x = x.
  Proof. intros G D E. symmetry. apply picked_is; [exact G | exact D |]. intros a z b _ Z0 _. now rewrite E. Qed.

  Lemma slice_picked (x : tensor) pre n post start step size : dims x = pre ++ n :: post ->
    slice_fits n start step size = true ->
    op_value S "Slice"
      [("starts", ints_value (repeat 0%Z (List.length pre) ++ start :: repeat 0%Z (List.length post)));
       ("steps", ints_value (repeat 1%Z (List.length pre) ++ step :: repeat 1%Z (List.length post)));
       ("sizes", nats_value (pre ++ size :: post))] [GTensor x] =
    Some (GTensor (picked pre size post (fun z => start + z * step)%Z x)).
  Proof.
    intros D F. rewrite slice_value by (rewrite D; now apply slices_fit_middle). do 2 f_equal. apply picked_is.
    - apply good_tabulate.
    - reflexivity.
    - intros a z b A Z0 B. rewrite at_tabulate by now apply middle_in_box.
      rewrite <- (in_box_length _ _ A), <- (in_box_length _ _ B). now rewrite slice_at_middle.
  Qed.

  Lemma sliced_runs vs pre n post start step size k (x : tensor) : knows vs k (GTensor x) -> good x ->
    dims x = pre ++ n :: post -> slice_fits n start step size = true ->
    runs vs (sliced pre n post start step size k)
      (fun ws j => knows ws j (GTensor (picked pre size post (fun z => start + z * step)%Z x))).
  Proof.
    intros K G D F. unfold sliced. destruct (_ && _) eqn:E.
    - rewrite !andb_true_iff, !Z.eqb_eq, Nat.eqb_eq in E. destruct E as [[-> ->] ->].
      rewrite picked_whole by (try assumption; intros; lia). now apply runs_return.
    - eapply runs_apply; [constructor; [exact K | constructor] |]. now apply slice_picked with (n := n).
  Qed.

  (** ** Gather *)

  (** Indices that are constants. *)
  Hypothesis index_typed : forall z, (0 <= z < 2 ^ 63)%Z -> s_index S (typed i64_code (LInt z)) = Some z.

  Definition taken (axis : nat) (places : list Z) (k : nat) : build nat :=
    c <- constant i64_code [List.length places] (map LInt places);; apply "Gather" [("axis", nat_value axis)] [k; c].

  Lemma gather_picked (x : tensor) pre n post places : dims x = pre ++ n :: post ->
    Forall (fun z => (0 <= z < Z.of_nat n)%Z) places -> (Z.of_nat n < 2 ^ 63)%Z ->
    op_value S "Gather" [("axis", nat_value (List.length pre))]
      [GTensor x; GTensor (Tensor [List.length places] (map (typed i64_code) (map LInt places)))] =
    Some (GTensor (picked pre (List.length places) post (fun z => nth (Z.to_nat z) places 0%Z) x)).
  Proof.
    intros D F big. pose proof (proj1 (Forall_forall _ _) F) as R.
    refine (eq_trans (gather_value S (List.length pre) x (List.length places) _ places _ _ _ _) _).
    5: { rewrite D, set_middle. reflexivity. }
    - rewrite D, app_length. simpl. lia.
    - reflexivity.
    - rewrite !map_map. apply map_ext_in. intros z inz. specialize (R z inz). cbv beta in R. apply index_typed. lia.
    - intros z inz. rewrite D, app_nth2, Nat.sub_diag by lia. now apply R.
  Qed.

  Lemma taken_runs vs pre n post places k (x : tensor) : knows vs k (GTensor x) -> dims x = pre ++ n :: post ->
    Forall (fun z => (0 <= z < Z.of_nat n)%Z) places -> (Z.of_nat n < 2 ^ 63)%Z ->
    runs vs (taken (List.length pre) places k)
      (fun ws j => knows ws j (GTensor (picked pre (List.length places) post (fun z => nth (Z.to_nat z) places 0%Z) x))).
  Proof.
    intros K D F big. unfold taken. eapply runs_bind.
    - apply runs_constant. rewrite map_length. cbn. lia.
    - intros ws c X C. eapply runs_apply; [| now apply gather_picked with (n := n)].
      constructor; [now apply (knows_extends S vs) |]. constructor; [exact C | constructor].
  Qed.

  (** ** Several values *)

  Fixpoint collect (l : list (build nat)) : build (list nat) :=
    match l with
    | [] => Return []
    | b :: r => k <- b;; ks <- collect r;; Return (k :: ks)
    end.

  Lemma runs_collect vs bs ts :
    Forall2 (fun b t => forall ws, extends S vs ws -> runs ws b (fun us j => knows us j (GTensor t))) bs ts ->
    runs vs (collect bs) (fun ws ks => Forall2 (fun k t => knows ws k (GTensor t)) ks ts).
  Proof.
    revert vs ts. induction bs as [| b bs IH]; intros vs ts F; inversion F as [| ? t ? ts' B Bs]; subst; cbn [collect].
    - apply runs_return. constructor.
    - eapply runs_bind; [apply B, extends_refl |]. intros ws k X K. eapply runs_bind.
      + apply (IH ws ts'). eapply Forall2_weaken; [| exact Bs]. intros c u H us Y. apply H. now apply (extends_trans S _ ws).
      + intros us ks Y Ks. apply runs_return. constructor; [now apply (knows_extends S ws) | exact Ks].
  Qed.

  Fixpoint summed_from (sum : nat) (l : list (build nat)) : build nat :=
    match l with
    | [] => Return sum
    | b :: r => c <- b;; s <- apply "Add" [] [sum; c];; summed_from s r
    end.

  Definition summed (l : list (build nat)) : build nat :=
    match l with [] => Return 0 | b :: r => s <- b;; summed_from s r end.

  Lemma add_value ds f g : op_value S "Add" [] [GTensor (tabulate ds f); GTensor (tabulate ds g)] =
    Some (GTensor (tabulate ds (fun i => s_add S (f i) (g i)))).
  Proof.
    rewrite (binary_same S "Add" (s_add S)) by reflexivity. do 2 f_equal. apply tabulate_ext. intros i I.
    now rewrite !at_tabulate.
  Qed.

  Definition makes (vs : list (gvalue tensor)) (ds : sizes) (b : build nat) (g : list Z -> num) : Prop :=
    forall ws, extends S vs ws -> runs ws b (fun us j => knows us j (GTensor (tabulate ds g))).

  Lemma makes_later vs ws ds b g : makes vs ds b g -> extends S vs ws -> makes ws ds b g.
  Proof. intros H X us Y. apply H. now apply (extends_trans S _ ws). Qed.

  Lemma runs_summed_from vs ds bs gs sum f : Forall2 (makes vs ds) bs gs -> knows vs sum (GTensor (tabulate ds f)) ->
    runs vs (summed_from sum bs)
      (fun ws j => knows ws j (GTensor (tabulate ds (fun i => fold_left (s_add S) (map (fun g => g i) gs) (f i))))).
  Proof.
    revert vs gs sum f. induction bs as [| b bs IH]; intros vs gs sum f F K;
      inversion F as [| ? g ? gs' B Bs]; subst; cbn [summed_from map fold_left].
    - now apply runs_return.
    - eapply runs_bind; [apply B, extends_refl |]. intros ws c X C. eapply runs_bind.
      + eapply runs_apply; [| apply (add_value ds f g)].
        constructor; [now apply (knows_extends S vs) |]. constructor; [exact C | constructor].
      + intros us s Y Ks. apply (IH us gs' s (fun i => s_add S (f i) (g i))); [| exact Ks].
        eapply Forall2_weaken; [| exact Bs]. intros d h H. apply (makes_later vs); [exact H |].
        now apply (extends_trans S _ ws).
  Qed.

  (** From the left, without a start. *)
  Definition sum_from (l : list num) : num :=
    match l with [] => s_zero S | a :: r => fold_left (s_add S) r a end.

  Lemma runs_summed vs ds bs gs : bs <> [] -> Forall2 (makes vs ds) bs gs ->
    runs vs (summed bs) (fun ws j => knows ws j (GTensor (tabulate ds (fun i => sum_from (map (fun g => g i) gs))))).
  Proof.
    intros ne F. destruct F as [| b g bs gs B Bs]; [easy |]. cbn [summed map sum_from].
    eapply runs_bind; [apply B, extends_refl |]. intros ws s X K.
    apply (runs_summed_from ws ds bs gs s g); [| exact K].
    eapply Forall2_weaken; [| exact Bs]. intros d h H. now apply (makes_later vs).
  Qed.

  (** ** Concat of slices that are one place thick *)

  Lemma concat_units axis : forall l (x : tensor) j i, nth axis i 0%Z = Z.of_nat j -> j < List.length (x :: l) ->
    (forall y, In y (x :: l) -> nth axis (dims y) 0 = 1) -> axis < List.length i ->
    concat_cell S axis x l i = at_ (nth j (x :: l) x) (set_nth axis 0%Z i).
  Proof.
    induction l as [| y l IH]; intros x j i E lt one len.
    - destruct j; [| simpl in lt; lia]. cbn [concat_cell nth]. f_equal. change 0%Z with (Z.of_nat 0). rewrite <- E.
      symmetry. apply set_nth_same.
    - cbn [concat_cell]. rewrite (one x (or_introl eq_refl)), E. destruct j as [| j].
      + cbn. f_equal. change 0%Z with (Z.of_nat 0). rewrite <- E. symmetry. apply set_nth_same.
      + destruct (Z.ltb_spec (Z.of_nat (Datatypes.S j)) (Z.of_nat 1)); [lia |].
        rewrite (IH y j); [| rewrite nth_set_same by exact len; lia | simpl in *; lia | intros z inz; apply one; now right |
          now rewrite set_nth_length].
        rewrite set_nth_twice. f_equal. change (nth (Datatypes.S j) (x :: y :: l) x) with (nth j (y :: l) x).
        apply nth_indep. simpl in *. lia.
  Qed.

  Lemma concat_units_value pre n post (x : tensor) l : (forall y, In y (x :: l) -> dims y = pre ++ n :: 1 :: post) ->
    op_value S "Concat" [("axis", nat_value (List.length pre + 1))] (map GTensor (x :: l)) =
    Some (GTensor (tabulate (pre ++ n :: List.length (x :: l) :: post)
      (concat_cell S (List.length pre + 1) x l))).
  Proof.
    intros D. assert (Dx := D x (or_introl eq_refl)). apply concat_value.
    - rewrite Dx, app_length. simpl. lia.
    - unfold concat_dims. replace (forallb _ _) with true.
      2: { symmetry. apply forallb_forall. intros d ind. apply in_map_iff in ind. destruct ind as (y & <- & iny).
           rewrite Dx, (D y (or_intror iny)), Nat.eqb_refl. apply sizes_eqb_refl. }
      cbn [guard]. f_equal. rewrite Dx. change (n :: 1 :: post) with ([n] ++ 1 :: post). rewrite app_assoc.
      replace (List.length pre + 1) with (List.length (pre ++ [n])) by (rewrite app_length; reflexivity).
      rewrite set_nth_app, app_nth2, Nat.sub_diag by lia. cbn [nth List.length].
      assert (forall m, fold_left (fun n0 b => n0 + nth (List.length (pre ++ [n])) b 0) (map dims l) m =
                m + List.length l) as ->.
      { assert (forall y, In y l -> dims y = (pre ++ [n]) ++ 1 :: post) as D'
          by (intros y iny; rewrite (D y (or_intror iny)), <- app_assoc; reflexivity).
        clear D. induction l as [| y l IH]; intros m; cbn [map fold_left List.length]; [lia |].
        rewrite IH by (intros z inz; apply D'; now right). rewrite (D' y (or_introl eq_refl)), app_nth2, Nat.sub_diag by lia.
        cbn [nth]. lia. }
      rewrite <- app_assoc. reflexivity.
  Qed.
End Steps.

(** Constants of the scalars that values have are such indices. *)
Lemma index_standard z : (0 <= z < 2 ^ 63)%Z ->
  s_index (mixed standard) (Steps.typed (mixed standard) i64_code (LInt z)) = Some z.
Proof.
  intros H. change (Some (wrap z) = Some z). f_equal. unfold wrap, least. rewrite Z.mod_small by lia. lia.
Qed.
