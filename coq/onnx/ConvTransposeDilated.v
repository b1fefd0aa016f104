(** * ConvTranspose of dilated kernels, and in groups of three spatial dimensions

    The Conv of X with [stride - 1] zeros behind each place, and with what the kernel reaches beyond it, by the kernel from
    its end: cell [u] of it is cell [kernel - 1 - u] of W, so that its place at [y] is [y + before - v * dilation] of the
    spaced X, and X's place of [y + before - v * dilation] / [stride], or a zero. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith Ring_theory Ring.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.OpTable tensor.Algebra tensor.KernelPad.
From Calque Require Import onnx.Composition onnx.Steps onnx.AxisSteps onnx.Interleaved onnx.WindowSums onnx.ConvTranspose.
From Calque Require Import onnx.ConvTransposeSteps onnx.ConvTransposeSums.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Places along one dimension *)

(** The cell of W that a cell of the mirrored kernel is. *)
Definition from_last (a : axis) (u : Z) : Z := (Z.of_nat (a_kernel a) - 1 + u * -1)%Z.

(** The place of X that a place of the spaced X is, or -1. *)
Definition unspaced (a : axis) (p : Z) : Z := source (Z.of_nat (a_stride a)) p 0.

Lemma unspaced_one a p : a_stride a = 1 -> unspaced a p = p.
Proof. intros E. unfold unspaced, source. rewrite E. change (Z.of_nat 1) with 1%Z. rewrite Z.mod_1_r, Z.div_1_r. cbn. lia. Qed.

(** ** The second and the third dimension change places *)

Lemma swapped_permutes n : n <= 3 -> permutes (3 + n) (swapped n) = true.
Proof. intros le. destruct n as [| [| [| [| n]]]]; try lia; reflexivity. Qed.

Lemma swapped_order {A} (d g c m : A) r n : n <= 3 -> List.length r = n ->
  ordered d (swapped n) (g :: c :: m :: r) = g :: m :: c :: r.
Proof.
  intros le R. destruct n as [| [| [| [| n]]]]; try lia;
    destruct r as [| r0 [| r1 [| r2 [| ? ?]]]]; try discriminate; reflexivity.
Qed.

(** ** A dimension behind each one that gets zeros between its places *)

(** The digits of places of the spaced X. *)
Fixpoint opened_at (l : list axis) (p : list Z) : list Z :=
  match l, p with
  | a :: l', z :: p' =>
      if 1 <? a_stride a then (z / Z.of_nat (a_stride a))%Z :: (z mod Z.of_nat (a_stride a))%Z :: opened_at l' p'
      else z :: opened_at l' p'
  | _, _ => []
  end.

Lemma opened_cons size a l : opened size (a :: l) = (if 1 <? a_stride a then [a_in a; size a] else [a_in a]) ++ opened size l.
Proof. reflexivity. Qed.

Lemma opened_ones l : cell_count (opened (fun _ => 1) l) = cell_count (map a_in l).
Proof.
  induction l as [| a l IH]; [reflexivity |]. rewrite opened_cons, cell_count_app, IH. cbn [map cell_count fold_right].
  fold (cell_count (map a_in l)). destruct (1 <? a_stride a); cbn [cell_count fold_right]; lia.
Qed.

Lemma opened_strides l : Forall axis_facts l -> cell_count (opened a_stride l) = cell_count (map in_stride l).
Proof.
  induction 1 as [| a l F _ IH]; [reflexivity |]. rewrite opened_cons, cell_count_app, IH. cbn [map cell_count fold_right].
  fold (cell_count (map in_stride l)). destruct F. unfold in_stride at 2.
  destruct (Nat.ltb_spec 1 (a_stride a)); cbn [cell_count fold_right]; [lia |].
  replace (a_stride a) with 1 by lia. lia.
Qed.

Lemma pad_opened l : Forall axis_facts l ->
  pad_dims PadConstant (opened (fun _ => 1) l) (repeat 0%Z (List.length (opened (fun _ => 1) l))) (filled l) =
  Some (opened a_stride l).
Proof.
  assert (H : forall m q ds lo hi, (0 <= q)%Z -> pad_dims PadConstant (m :: ds) (0%Z :: lo) (q :: hi) =
                option_map (cons (m + Z.to_nat q)) (pad_dims PadConstant ds lo hi)).
  { intros m q ds lo hi q0. cbn [pad_dims]. unfold guard. rewrite andb_true_r, (proj2 (Z.leb_le 0 _)) by lia.
    destruct (pad_dims PadConstant ds lo hi); [| reflexivity]. cbn [option_map]. do 2 f_equal. lia. }
  induction 1 as [| a l F _ IH]; [reflexivity |]. rewrite !opened_cons. cbn [filled flat_map]. fold (filled l). destruct F.
  destruct (Nat.ltb_spec 1 (a_stride a)); cbn [app List.length repeat]; rewrite !H, IH by lia; cbn [option_map];
    repeat f_equal; lia.
Qed.

Lemma opened_in_box l : Forall axis_facts l -> forall p, in_box (map in_stride l) p = true ->
  in_box (opened a_stride l) (opened_at l p) = true.
Proof.
  induction 1 as [| a l F _ IH]; intros [| z p] I; try discriminate; [reflexivity |]. cbn [map] in I.
  apply in_box_cons in I. destruct I as [Z0 I]. rewrite opened_cons. cbn [opened_at]. specialize (IH p I). destruct F.
  unfold in_stride in Z0. destruct (Nat.ltb_spec 1 (a_stride a)); cbn [app]; apply in_box_cons.
  - split; [now apply quotient_in |]. apply in_box_cons. split; [apply Z.mod_pos_bound; lia | exact IH].
  - split; [nia | exact IH].
Qed.

Lemma position_opened l : Forall axis_facts l -> forall p, in_box (map in_stride l) p = true ->
  position (map in_stride l) p = position (opened a_stride l) (opened_at l p).
Proof.
  intros F. pose proof (opened_strides l F) as C.
  induction F as [| a l F Fl IH]; intros [| z p] I; try discriminate; [reflexivity |].
  pose proof (opened_strides l Fl) as Cl. cbn [map] in I. apply in_box_cons in I. destruct I as [Z0 I].
  rewrite opened_cons. cbn [map opened_at]. specialize (IH Cl p I). destruct F. unfold in_stride in Z0.
  destruct (Nat.ltb_spec 1 (a_stride a)); cbn [app].
  - destruct (digits (a_stride a) z) as [E B]; [lia |]. unfold in_stride at 1. rewrite E at 1.
    rewrite cut_first by (first [now apply quotient_in | exact B]). apply position_tail; [| now apply position_tail].
    cbn [cell_count fold_right]. unfold cell_count in Cl. now rewrite Cl.
  - cbn [position]. rewrite IH. fold (cell_count (map in_stride l)). now rewrite Cl.
Qed.

(** In the first of the dimensions behind there is what X has. *)
Lemma unspaced_box l : Forall axis_facts l -> forall p, in_box (map in_stride l) p = true ->
  in_box (opened (fun _ => 1) l) (opened_at l p) = in_box (map a_in l) (mapped unspaced l p).
Proof.
  induction 1 as [| a l F _ IH]; intros [| z p] I; try discriminate; [reflexivity |]. cbn [map] in I.
  apply in_box_cons in I. destruct I as [Z0 I]. rewrite opened_cons. cbn [map opened_at mapped]. specialize (IH p I).
  destruct F. unfold in_stride in Z0. destruct (Nat.ltb_spec 1 (a_stride a)); cbn [app Kernel.in_box].
  - rewrite IH. unfold unspaced, source. rewrite !Z.sub_0_r. set (s := a_stride a) in *. pose proof (quotient_in _ _ _ Z0) as Q.
    pose proof (Z.mod_pos_bound z (Z.of_nat s) ltac:(lia)) as B. set (r := (z mod Z.of_nat s)%Z) in *.
    set (q := (z / Z.of_nat s)%Z) in *.
    destruct (Z.eqb_spec r 0) as [E | E].
    + rewrite E. cbn. reflexivity.
    + destruct (Z.ltb_spec r (Z.of_nat 1)); [lia |]. rewrite !andb_false_r. reflexivity.
  - rewrite IH, unspaced_one by lia. reflexivity.
Qed.

Lemma position_unspaced l : Forall axis_facts l -> forall p, in_box (map in_stride l) p = true ->
  in_box (map a_in l) (mapped unspaced l p) = true ->
  position (opened (fun _ => 1) l) (opened_at l p) = position (map a_in l) (mapped unspaced l p).
Proof.
  induction 1 as [| a l F _ IH]; intros [| z p] I J; try discriminate; [reflexivity |]. cbn [map mapped] in *.
  apply in_box_cons in I. apply in_box_cons in J. destruct I as [Z0 I], J as [J0 J]. rewrite opened_cons. cbn [opened_at].
  specialize (IH p I J). destruct F. destruct (Nat.ltb_spec 1 (a_stride a)); cbn [app position].
  - rewrite IH. cbn [cell_count fold_right]. fold (cell_count (opened (fun _ => 1) l)) (cell_count (map a_in l)).
    rewrite opened_ones. unfold unspaced, source in *. rewrite !Z.sub_0_r in *.
    destruct (Z.eqb_spec (z mod Z.of_nat (a_stride a)) 0) as [E | E]; [| lia]. rewrite E. lia.
  - rewrite IH, opened_ones, unspaced_one by lia. reflexivity.
Qed.

Lemma position_second d e i j : cell_count d = cell_count e -> position d i = position e j ->
  forall n m a b, position (n :: m :: d) (a :: b :: i) = position (n :: m :: e) (a :: b :: j).
Proof.
  intros C P n m a b. apply position_tail; [| now apply position_tail]. cbn [cell_count fold_right].
  fold (cell_count d) (cell_count e). now rewrite C.
Qed.

Lemma pad_at_none ds : forall i, List.length i = List.length ds -> pad_at PadConstant ds (repeat 0%Z (List.length ds)) i = i.
Proof.
  induction ds as [| d ds IH]; intros [| y i] E; try discriminate; [reflexivity |].
  cbn [List.length repeat pad_at pad_place]. rewrite IH by now injection E. f_equal. lia.
Qed.

Lemma opened_length size l p : List.length p = List.length l -> List.length (opened_at l p) = List.length (opened size l).
Proof.
  revert p. induction l as [| a l IH]; intros [| z p] E; try discriminate; [reflexivity |]. rewrite opened_cons.
  cbn [opened_at]. injection E as E. specialize (IH p E). destruct (1 <? a_stride a); cbn [app List.length]; now rewrite IH.
Qed.

(** ** The place that a cell of the kernel reaches *)

Lemma sources_overlapping l : Forall axis_facts l ->
  forall y u, List.length y = List.length l -> List.length u = List.length l ->
  mapped unspaced l (pad_at PadConstant (map in_stride l) (map pad_before l)
    (window_at (repeat 1 (List.length l)) (map a_dilation l) (repeat 0 (List.length l)) y u)) =
  sources l y (mapped from_last l u).
Proof.
  induction 1 as [| a l F _ IH]; intros [| z y] [| t u] E U; try discriminate; [reflexivity |].
  cbn [map List.length repeat window_at pad_at pad_place mapped sources]. rewrite IH by (simpl in *; lia).
  f_equal. unfold unspaced, source, pad_before, reach, from_last.
  set (e := (z * Z.of_nat 1 + _ - _ - _ - 0)%Z). set (e' := (z + Z.of_nat (a_before a) - _)%Z).
  assert (e = e') as -> by (unfold e, e'; ring). reflexivity.
Qed.

Definition overlapped_size (a : axis) : nat := a_out a + Z.to_nat (reach a).

Lemma reach_pos a : axis_facts a -> (0 <= reach a)%Z.
Proof. intros []. unfold reach. nia. Qed.

Lemma pad_overlapped r : Forall axis_facts r ->
  pad_dims PadConstant (map in_stride r) (map pad_before r) (map pad_after r) = Some (map overlapped_size r).
Proof.
  induction 1 as [| a r F _ IH]; [reflexivity |]. cbn [map pad_dims]. rewrite IH. pose proof (reach_pos a F). destruct F.
  unfold guard. rewrite andb_true_r.
  replace (Z.of_nat (in_stride a) + pad_before a + pad_after a)%Z with (out_size a + reach a)%Z
    by (unfold out_size, pad_before, pad_after, in_stride, reach; lia).
  rewrite (proj2 (Z.leb_le 0 _)) by lia. cbn [option_map]. do 2 f_equal. unfold overlapped_size, a_out. lia.
Qed.

Lemma overlapped_counts r : Forall axis_facts r -> forall k, k = List.length r ->
  window_counts false (map overlapped_size r) (map a_kernel r) (repeat 1 k) (map a_dilation r) (repeat 0 k) (repeat 0 k) =
  Some (map a_out r).
Proof.
  induction 1 as [| a r F _ IH]; intros k ->; [reflexivity |]. cbn [List.length repeat map window_counts].
  rewrite (IH _ eq_refl). pose proof (reach_pos a F). destruct F. unfold window_count, extent, overlapped_size.
  assert (Z.to_nat (reach a) = (a_kernel a - 1) * a_dilation a) as -> by (unfold reach; nia).
  assert (0 < a_out a) by (unfold a_out; lia). set (e := (a_kernel a - 1) * a_dilation a).
  destruct (Nat.ltb_spec (a_out a + e + 0 + 0) (e + 1)); [lia |]. cbn [andb]. do 2 f_equal. rewrite Nat.div_1_r. lia.
Qed.

Lemma window_in_overlapped r : Forall axis_facts r -> forall y u, in_box (map a_out r) y = true ->
  in_box (map a_kernel r) u = true ->
  in_box (map overlapped_size r) (window_at (repeat 1 (List.length r)) (map a_dilation r) (repeat 0 (List.length r)) y u) = true.
Proof.
  induction 1 as [| a r F _ IH]; intros [| z y] [| t u] Y U; try discriminate; [reflexivity |]. cbn [map] in *.
  apply in_box_cons in Y. apply in_box_cons in U. cbn [List.length repeat window_at]. apply in_box_cons.
  split; [| now apply IH]. destruct F. unfold overlapped_size, reach. nia.
Qed.

(** A place outside of the spaced X is outside of X. *)
Lemma outside_unspaced l : Forall axis_facts l -> forall p, List.length p = List.length l ->
  in_box (map in_stride l) p = false -> in_box (map a_in l) (mapped unspaced l p) = false.
Proof.
  induction 1 as [| a l F _ IH]; intros [| z p] E O; try discriminate. injection E as E. cbn [map mapped Kernel.in_box] in *.
  apply andb_false_iff in O. apply andb_false_iff. destruct O as [O | O]; [left | right; now apply IH].
  apply not_true_is_false. intros B. apply not_true_iff_false in O. apply O. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in *.
  unfold unspaced, source in B. destruct F. rewrite !Z.sub_0_r in B. unfold in_stride.
  destruct (Z.eqb_spec (z mod Z.of_nat (a_stride a)) 0) as [M | M]; [| lia].
  pose proof (Z.div_mod z (Z.of_nat (a_stride a)) ltac:(lia)). nia.
Qed.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Notation runs := (runs S typed).
  Notation knows := (knows S).
  Notation gives := (gives S typed).

  Variables (group n cg m : nat) (l : list axis).
  Hypotheses (group0 : 0 < group) (cg0 : 0 < cg) (m0 : 0 < m) (l0 : 0 < List.length l) (rank : List.length l <= 3).
  Hypothesis facts : Forall axis_facts l.

  Notation ks := (map a_kernel l).

  (** ** The weights *)

  Lemma from_end_runs vs pre a post k (x : tensor) : In a l -> knows vs k (GTensor x) -> good x ->
    dims x = pre ++ a_kernel a :: post ->
    runs vs (from_end pre a post k) (fun ws j => knows ws j (GTensor (picked S pre (a_kernel a) post (from_last a) x))).
  Proof.
    intros ina K G D. unfold from_end. pose proof (proj1 (Forall_forall _ _) facts a ina) as []. cbv zeta.
    destruct (Nat.ltb_spec 1 (a_kernel a)).
    - apply (sliced_runs S typed vs pre (a_kernel a) post _ (-1) (a_kernel a) k x K G D). unfold slice_fits.
      rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, Nat.eqb_eq, !Z.ltb_lt, !Z.leb_le. cbn [negb Z.eqb].
      split; [split; [reflexivity | lia] | right; lia].
    - rewrite (picked_whole S pre (a_kernel a) post) by (try assumption; intros z Z0; unfold from_last; lia).
      now apply runs_return.
  Qed.

  Definition is_mirrored (w u : tensor) : Prop :=
    good u /\ dims u = group * m :: cg :: ks /\
    forall o c t, (0 <= o < Z.of_nat (group * m))%Z -> (0 <= c < Z.of_nat cg)%Z -> in_box ks t = true ->
      at_ u (o :: c :: t) =
      at_ w ((o / Z.of_nat m * Z.of_nat cg + c)%Z :: (o mod Z.of_nat m)%Z :: mapped from_last l t).

  Lemma last_in_box r : forall t, in_box (map a_kernel r) t = true -> in_box (map a_kernel r) (mapped from_last r t) = true.
  Proof.
    induction r as [| a r IH]; intros [| z t] I; try discriminate; [reflexivity |]. cbn [map mapped] in *.
    apply in_box_cons in I. apply in_box_cons. split; [unfold from_last; lia | now apply IH].
  Qed.

  Lemma mirrored_runs vs k (w : tensor) : knows vs k (GTensor w) -> good w -> dims w = group * cg :: m :: ks ->
    gives vs (mirrored group cg m l k) (is_mirrored w).
  Proof.
    intros K G D. unfold mirrored. cbv zeta. set (from := group * cg :: m :: ks) in *. set (to := group :: cg :: m :: ks).
    assert (lk : List.length ks = List.length l) by apply map_length.
    assert (Ord : ordered 0 (swapped (List.length l)) to = group :: m :: cg :: ks) by (now apply swapped_order).
    eapply runs_bind.
    { apply (regrouped_runs S typed vs from to (swapped (List.length l)) (group * m :: cg :: ks) k w K G D).
      - unfold to. cbn [List.length]. rewrite lk. now apply swapped_permutes.
      - unfold to, from. cbn [cell_count fold_right]. lia.
      - rewrite Ord. cbn [cell_count fold_right]. lia. }
    intros ws j _ (u & U & Gu & Du & A).
    eapply runs_weaken; [apply (along_axes_runs S typed from_end a_kernel a_kernel from_last l ws [group * m; cg] j u) |].
    - intros. now apply from_end_runs.
    - exact U.
    - exact Gu.
    - exact Du.
    - intros us i _ (v & V & Gv & Dv & B). exists v. split; [exact V |]. split; [exact Gv |]. split; [exact Dv |].
      intros o c t O C T. cbn [app] in Dv, B.
      assert (I : in_box (group * m :: cg :: ks) (o :: c :: t) = true)
        by (apply in_box_cons; split; [exact O |]; now apply in_box_cons).
      rewrite (B _ I). cbn [List.length firstn skipn app]. pose proof (last_in_box l t T) as T'.
      set (v' := mapped from_last l t) in *.
      set (gi := (o / Z.of_nat m)%Z). set (mo := (o mod Z.of_nat m)%Z).
      assert (Eo : o = (gi * Z.of_nat m + mo)%Z) by (unfold gi, mo; rewrite Z.mul_comm; apply Z.div_mod; lia).
      assert (Mo : (0 <= mo < Z.of_nat m)%Z) by (apply Z.mod_pos_bound; lia).
      assert (Gi : (0 <= gi < Z.of_nat group)%Z) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; nia]).
      assert (Lv : List.length v' = List.length l) by (rewrite (in_box_length _ _ T'); exact lk).
      apply (A _ _ (gi :: c :: mo :: v')).
      + apply in_box_cons. split; [nia |]. apply in_box_cons. now split.
      + apply in_box_cons. split; [exact Gi |]. apply in_box_cons. split; [exact C |]. apply in_box_cons. now split.
      + apply in_box_cons. split; [exact O |]. apply in_box_cons. now split.
      + unfold from, to. now apply cut_first.
      + rewrite Ord, (swapped_order 0%Z gi c mo v' (List.length l) rank Lv), Eo. now apply cut_first.
  Qed.

  (** ** The spaced image *)

  Definition is_spaced (x u : tensor) : Prop :=
    good u /\ dims u = n :: group * cg :: map in_stride l /\
    forall n0 c p, List.length p = List.length l -> at_ u (n0 :: c :: p) = at_ x (n0 :: c :: mapped unspaced l p).

  Lemma spaced_runs vs k (x : tensor) : knows vs k (GTensor x) -> good x -> dims x = n :: group * cg :: map a_in l ->
    gives vs (spaced n (group * cg) l k) (is_spaced x).
  Proof.
    intros K G D. unfold spaced. cbv zeta. set (thin := n :: group * cg :: opened (fun _ => 1) l).
    set (wide := n :: group * cg :: opened a_stride l). set (last := n :: group * cg :: map in_stride l).
    assert (C1 : cell_count thin = cell_count (dims x))
      by (rewrite D; cbn [thin cell_count fold_right]; change (fold_right Nat.mul 1) with cell_count; now rewrite opened_ones).
    assert (C2 : cell_count last = cell_count wide).
    { cbn [last wide cell_count fold_right]. change (fold_right Nat.mul 1) with cell_count. now rewrite opened_strides. }
    rewrite <- D. eapply runs_bind; [apply (reshaped_runs S typed vs (dims x) thin k x K eq_refl G C1) |].
    intros v1 j1 _ J1. cbv beta in J1. set (t := Tensor thin (cells x)) in J1.
    assert (P : pad_dims PadConstant thin (repeat 0%Z (2 + List.length (opened (fun _ => 1) l))) (0%Z :: 0%Z :: filled l) =
      Some wide).
    { cbn [Nat.add repeat]. unfold thin. cbn [pad_dims]. rewrite (pad_opened l facts). unfold guard.
      rewrite !Z.add_0_r, !Nat2Z.id, !andb_true_r, !(proj2 (Z.leb_le 0 _)) by lia. reflexivity. }
    eapply runs_bind; [apply (padded_runs S typed v1 _ _ wide j1 t J1 (good_recast S thin x G C1) P) |].
    intros v2 j2 _ J2. cbv beta in J2. change (dims t) with thin in J2.
    change (2 + List.length (opened (fun _ => 1) l)) with (List.length thin) in J2. set (u := tabulate wide _) in J2.
    eapply runs_weaken; [apply (reshaped_runs S typed v2 wide last j2 u J2 eq_refl (good_tabulate _ _) C2) |].
    intros v3 j3 _ J3. cbv beta in J3. eexists. split; [exact J3 |].
    split; [exact (good_recast S last u (good_tabulate _ _) C2) |]. split; [reflexivity |].
    intros n0 c p L. destruct (in_box last (n0 :: c :: p)) eqn:I.
    - pose proof I as I'. unfold last in I'. apply in_box_cons in I'. destruct I' as [N0 I']. apply in_box_cons in I'.
      destruct I' as [C0 Ip].
      assert (W : in_box wide (n0 :: c :: opened_at l p) = true).
      { apply in_box_cons. split; [exact N0 |]. apply in_box_cons. split; [exact C0 | now apply opened_in_box]. }
      rewrite (at_recast S last u _ (n0 :: c :: opened_at l p) I W).
      2: { apply position_second; [symmetry; now apply opened_strides | now apply position_opened]. }
      unfold u. rewrite at_tabulate by exact W. rewrite pad_at_none.
      2: { cbn [thin List.length]. now rewrite (opened_length (fun _ => 1) l p L). }
      pose proof (unspaced_box l facts p Ip) as B. destruct (in_box (map a_in l) (mapped unspaced l p)) eqn:J.
      + apply (at_recast S thin x).
        * apply in_box_cons. split; [exact N0 |]. apply in_box_cons. now split.
        * rewrite D. apply in_box_cons. split; [exact N0 |]. apply in_box_cons. now split.
        * rewrite D. apply position_second; [apply opened_ones | now apply position_unspaced].
      + rewrite !at_outside; [reflexivity | |].
        * rewrite D. cbn [Kernel.in_box]. rewrite J. now rewrite !andb_false_r.
        * cbn [t dims thin Kernel.in_box]. rewrite B. now rewrite !andb_false_r.
    - rewrite !at_outside; [reflexivity | | exact I].
      rewrite D. unfold last in I. cbn [Kernel.in_box] in I |- *. rewrite andb_assoc in I |- *. apply andb_false_iff in I.
      apply andb_false_iff. destruct I as [I | I]; [now left | right]. now apply outside_unspaced.
  Qed.

  (** ** The Conv *)

  Notation window := (Window (repeat 1 (List.length ks)) (map a_dilation l) (repeat 0 (2 * List.length ks))).

  (** The sum over the mirrored kernel. *)
  Definition overlapping_cell (x w : tensor) (n0 o : Z) (y : list Z) : num :=
    s_sum S (cg :: ks) (fun k =>
      let v := mapped from_last l (tl k) in pair_at S cg m x w n0 o (nth 0 k 0%Z) (sources l y v) v).

  Lemma conv_overlapping (x w s px f : tensor) n0 o y : dims x = n :: group * cg :: map a_in l -> is_spaced x s ->
    is_mirrored w f -> px = tabulate (n :: group * cg :: map overlapped_size l)
      (fun i => at_ s (pad_at PadConstant (dims s) (0%Z :: 0%Z :: map pad_before l) i)) ->
    (0 <= n0 < Z.of_nat n)%Z -> (0 <= o < Z.of_nat (group * m))%Z -> in_box (map a_out l) y = true ->
    conv_cell S window group px f (n0 :: o :: y) = overlapping_cell x w n0 o y.
  Proof.
    intros Dx (Gs & Ds & Sp) (Gf & Df & W) -> N0 O Y. unfold conv_cell. rewrite Df. cbn [tl]. apply s_sum_ext. intros k I.
    destruct k as [| c t]; [discriminate |]. apply in_box_cons in I. destruct I as [C T]. cbn [nth tl].
    assert (Ly : List.length y = List.length l) by (rewrite (in_box_length _ _ Y); apply map_length).
    assert (Lt : List.length t = List.length l) by (rewrite (in_box_length _ _ T); apply map_length).
    unfold conv_term. cbv zeta. rewrite Df. cbn [nth dims tabulate tl].
    replace (group * m / group) with m by (rewrite Nat.mul_comm, Nat.div_mul; lia).
    set (gi := (o / Z.of_nat m)%Z).
    assert (Gi : (0 <= gi < Z.of_nat group)%Z) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; nia]).
    assert (Pl : place window y t = window_at (repeat 1 (List.length l)) (map a_dilation l) (repeat 0 (List.length l)) y t).
    { unfold place, pads_before. cbn [strides dilations pads]. rewrite !repeat_length, map_length.
      replace (2 * List.length l) with (List.length l + List.length l) by lia.
      rewrite repeat_app, firstn_app, repeat_length, Nat.sub_diag. cbn [firstn].
      now rewrite app_nil_r, firstn_all2 by (now rewrite repeat_length). }
    rewrite Pl. set (j := window_at _ _ _ y t).
    assert (Ib : in_box (n :: group * cg :: map overlapped_size l) (n0 :: (gi * Z.of_nat cg + c)%Z :: j) = true).
    { apply in_box_cons. split; [exact N0 |]. apply in_box_cons. split; [nia | now apply window_in_overlapped]. }
    rewrite Ib, at_tabulate by exact Ib. rewrite Ds. cbn [pad_at pad_place]. rewrite !Z.sub_0_r.
    assert (Lj : List.length j = List.length l).
    { apply in_box_cons in Ib. destruct Ib as [_ Ib]. apply in_box_cons in Ib. rewrite (in_box_length _ _ (proj2 Ib)).
      apply map_length. }
    rewrite Sp.
    2: { clear -Lj. revert Lj. generalize j. clear j.
         induction l as [| a r IH]; intros [| z j] E; try discriminate; [reflexivity |]. cbn [map pad_at List.length].
         rewrite IH by now injection E. reflexivity. }
    unfold j. rewrite sources_overlapping by assumption. unfold pair_at. fold gi. f_equal. now apply W.
  Qed.

  (** ** In a ring the order of the cells does not matter *)

  Section Ring.
    Variable laws : ring_laws S.

    Lemma total_from_end (f : Z -> num) k :
      total S (seq 0 k) (fun u => f (Z.of_nat k - 1 - Z.of_nat u)%Z) = total S (seq 0 k) (fun u => f (Z.of_nat u)).
    Proof.
      induction k as [| k IH]; [reflexivity |]. rewrite (seq_S k 0) at 2. rewrite (total_app S laws), <- IH. cbn [seq Nat.add].
      rewrite !(total_cons S laws), <- seq_shift, (total_map S).
      replace (total S [] (fun u => f (Z.of_nat u))) with (s_zero S) by reflexivity.
      rewrite (total_ext S (seq 0 k) _ (fun u => f (Z.of_nat k - 1 - Z.of_nat u)%Z)) by (intros u _; f_equal; lia).
      replace (Z.of_nat (Datatypes.S k) - 1 - Z.of_nat 0)%Z with (Z.of_nat k) by lia.
      apply add_to_zero, laws.
    Qed.

    Lemma sum_from_end r : forall f : list Z -> num,
      s_sum S (map a_kernel r) (fun u => f (mapped from_last r u)) = s_sum S (map a_kernel r) f.
    Proof.
      induction r as [| a r IH]; intros f.
      - apply s_sum_ext. intros [| z u] I; [reflexivity | discriminate].
      - cbn [map]. rewrite !(sum_cons S laws).
        rewrite <- (total_from_end (fun z => s_sum S (map a_kernel r) (fun k => f (z :: k))) (a_kernel a)).
        apply total_ext. intros u _. rewrite <- (IH (fun k => f ((Z.of_nat (a_kernel a) - 1 - Z.of_nat u)%Z :: k))).
        apply s_sum_ext. intros k _. cbn [mapped]. do 2 f_equal. unfold from_last. lia.
    Qed.

    Lemma overlapping_is_cell (x w : tensor) n0 o y : dims x = n :: group * cg :: map a_in l -> dims w = group * cg :: m :: ks ->
      overlapping_cell x w n0 o y = transpose_cell S group l x w (n0 :: o :: y).
    Proof.
      intros Dx Dw. unfold overlapping_cell, transpose_cell. cbv zeta. rewrite Dx, Dw. cbn [nth skipn].
      replace (group * cg / group) with cg by (rewrite Nat.mul_comm, Nat.div_mul; lia).
      rewrite !(sum_cons S laws). apply total_ext. intros c _. cbn [nth tl].
      rewrite (sum_from_end l (fun v => pair_at S cg m x w n0 o (Z.of_nat c) (sources l y v) v)).
      apply s_sum_ext. intros v _. now apply (pair_is_term S laws group n).
    Qed.
  End Ring.

  (** ** All steps *)

  Definition overlapped (x w : tensor) (b : option tensor) : tensor :=
    tabulate (n :: group * m :: map a_out l) (fun i =>
      let c := overlapping_cell x w (nth 0 i 0%Z) (nth 1 i 0%Z) (skipn 2 i) in
      match b with Some b => s_add S c (at_ b [nth 1 i 0%Z]) | None => c end).

  Lemma overlapping_runs vs (x w : tensor) (b : option tensor) (bias : option nat) :
    knows vs 0 (GTensor x) -> knows vs 1 (GTensor w) ->
    match b, bias with
    | Some b, Some k => knows vs k (GTensor b) /\ dims b = [group * m]
    | None, None => True
    | _, _ => False
    end -> good x -> good w -> dims x = n :: group * cg :: map a_in l -> dims w = group * cg :: m :: ks ->
    runs vs (overlapping group n cg m l bias) (fun ws j => knows ws j (GTensor (overlapped x w b))).
  Proof.
    intros Kx Kw Kb Gx Gw Dx Dw. unfold overlapping.
    eapply runs_bind; [apply (mirrored_runs vs 1 w Kw Gw Dw) |]. intros v1 jw X1 (f & Kf & F).
    eapply runs_bind; [apply (spaced_runs v1 0 x); [now apply (knows_extends S vs) | exact Gx | exact Dx] |].
    intros v2 js X2 (s & Ks & Sp). pose proof Sp as (Gs & Ds & _). pose proof F as (Gf & Df & _).
    assert (P : pad_dims PadConstant (dims s) (0%Z :: 0%Z :: map pad_before l) (0%Z :: 0%Z :: map pad_after l) =
      Some (n :: group * cg :: map overlapped_size l)).
    { rewrite Ds. cbn [pad_dims]. rewrite (pad_overlapped l facts). unfold guard.
      rewrite !Z.add_0_r, !Nat2Z.id, !andb_true_r, !(proj2 (Z.leb_le 0 _)) by lia. reflexivity. }
    eapply runs_bind; [apply (padded_runs S typed v2 _ _ _ js s Ks Gs P) |]. intros v3 jx X3 Kp. cbv beta in Kp.
    set (px := tabulate _ _) in Kp. assert (lk : List.length ks = List.length l) by apply map_length.
    unfold unit_conv. eapply runs_apply with (us := map GTensor (px :: f :: match b with Some b => [b] | None => [] end)).
    { cbn [map]. constructor; [exact Kp |].
      constructor; [apply (knows_extends S v1); [exact Kf | now apply (extends_trans S v1 v2)] |].
      destruct b as [b |], bias as [k |]; try contradiction; cbn [map]; [| constructor].
      constructor; [| constructor]. apply (knows_extends S vs); [exact (proj1 Kb) |].
      apply (extends_trans S vs v1); [exact X1 | now apply (extends_trans S v1 v2)]. }
    rewrite (unit_conv_value S px f b n (group * cg) (map overlapped_size l) (group * m) cg ks (map a_dilation l)
      (map a_out l) group).
    - do 2 f_equal. apply tabulate_ext. intros i I.
      destruct i as [| n0 [| o y]]; [discriminate | apply in_box_cons in I; destruct I as [_ I]; discriminate |].
      apply in_box_cons in I. destruct I as [N0 I]. apply in_box_cons in I. destruct I as [O Y]. cbv zeta.
      rewrite (conv_overlapping x w s px f n0 o y) by (try assumption; reflexivity). reflexivity.
    - reflexivity.
    - exact Df.
    - destruct b, bias; try contradiction; tauto.
    - exact group0.
    - rewrite Nat.mul_comm. apply Nat.mod_mul. lia.
    - rewrite Nat.mul_comm. apply Nat.div_mul. lia.
    - rewrite Nat.mul_comm. apply Nat.mod_mul. lia.
    - lia.
    - now rewrite !map_length.
    - now rewrite !map_length.
    - apply Forall_map. eapply Forall_impl; [| exact facts]. intros a A. now destruct A.
    - apply Forall_map. eapply Forall_impl; [| exact facts]. intros a A. now destruct A.
    - rewrite lk. now apply overlapped_counts.
  Qed.
End Correct.
