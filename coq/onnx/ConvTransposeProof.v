(** * ConvTranspose is what its composition computes *)

From Coq Require Import Bool List Lia Arith NArith String ZArith Ring_theory Ring.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.OpTable tensor.Algebra tensor.Along tensor.Channel.
From Calque Require Import tensor.KernelPad tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.AxisSteps onnx.Interleaved onnx.WindowSums onnx.ConvTranspose.
From Calque Require Import onnx.ConvTransposeSteps onnx.ConvTransposeSums onnx.ConvTransposeDilated.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Lemma map_products {A} (f g : A -> nat) l : map (fun a => f a * g a) l = products (map f l) (map g l).
Proof. induction l as [| a l IH]; [reflexivity |]. cbn. now rewrite IH. Qed.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis index_typed : forall z, (0 <= z < 2 ^ 63)%Z -> s_index S (typed i64_code (LInt z)) = Some z.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Notation runs := (runs S typed).
  Notation knows := (knows S).
  Notation gives := (gives S typed).

  Variables (group n cg m : nat) (l : list axis).
  Hypotheses (group0 : 0 < group) (cg0 : 0 < cg) (m0 : 0 < m) (l0 : 0 < List.length l).
  Hypothesis rank : List.length l <= (if group =? 1 then 3 else 2).
  Hypothesis facts : Forall axis_facts l.
  Hypothesis small : Forall (fun a => (Z.of_nat (a_kernel a) + 1 < 2 ^ 63)%Z) l.

  Notation ss := (map a_stride l).
  Notation us := (map span l).
  Notation ps := (map a_places l).
  Notation count := (cell_count ss).

  Lemma rank3 : List.length l <= 3.
  Proof. destruct (group =? 1); lia. Qed.

  Lemma strides_pos : Forall (fun s => 0 < s) ss.
  Proof. apply Forall_map. eapply Forall_impl; [| exact facts]. intros a F. now destruct F. Qed.

  Lemma spans_pos : Forall (fun k => 0 < k) us.
  Proof. apply Forall_map. eapply Forall_impl; [| exact facts]. apply span_pos. Qed.

  Lemma count_pos : 0 < count.
  Proof.
    pose proof strides_pos as P. induction ss as [| s r IH]; [cbn; lia |]. inversion P; subst. specialize (IH H2).
    cbn [cell_count fold_right]. fold (cell_count r). nia.
  Qed.

  (** ** The weights *)

  Definition weight_at (w : tensor) (o : Z) (r : list Z) (c : Z) (t : list Z) : num :=
    at_ w ((o / Z.of_nat m * Z.of_nat cg + c)%Z :: (o mod Z.of_nat m)%Z :: mapped weight_place l (joined us r t)).

  Definition is_block (w u : tensor) : Prop :=
    good u /\ dims u = group * m * count :: cg :: us /\
    forall o r c t, (0 <= o < Z.of_nat (group * m))%Z -> in_box ss r = true -> (0 <= c < Z.of_nat cg)%Z -> in_box us t = true ->
      at_ u ((o * Z.of_nat count + Z.of_nat (position ss r))%Z :: c :: t) = weight_at w o r c t.

  Lemma block_weights_runs vs k (w : tensor) : knows vs k (GTensor w) -> good w ->
    dims w = group * cg :: m :: map a_kernel l -> gives vs (block_weights group cg m l k) (is_block w).
  Proof.
    intros K G D. pose proof rank3 as R3. unfold block_weights. eapply runs_bind.
    { apply (along_axes_runs S typed cell_weights a_kernel stride_span weight_place l vs [group * cg; m] k w).
      - intros ws pre a post j x ina. intros. apply (cell_weights_runs S typed index_typed); try assumption.
        exact (proj1 (Forall_forall _ _) small a ina).
      - exact K.
      - exact G.
      - exact D. }
    intros ws j _ (u & U & Gu & Du & E). cbn [app] in Du.
    assert (Ep : map stride_span l = products ss us) by apply map_products.
    set (from := group * cg :: m :: map stride_span l) in *.
    set (to := if group =? 1 then cg :: m :: interleave ss us else group :: cg :: m :: interleave ss us).
    set (perm := if group =? 1 then unpaired (List.length l) else grouped_unpaired (List.length l)).
    assert (lens : List.length ss = List.length us) by now rewrite !map_length.
    assert (Ei : List.length (interleave ss us) = List.length l + List.length l).
    { clear. induction l as [| a r IH]; [reflexivity |]. cbn [map interleave List.length]. rewrite IH. lia. }
    assert (Ord : ordered 0 perm to = if group =? 1 then m :: ss ++ cg :: us else group :: m :: ss ++ cg :: us).
    { unfold perm, to. destruct (group =? 1).
      - apply unpaired_order; [exact R3 | apply map_length | apply map_length].
      - apply grouped_unpaired_order; [exact R3 | apply map_length | apply map_length]. }
    assert (Cf : cell_count from = group * cg * (m * (count * cell_count us))).
    { unfold from. rewrite Ep. cbn [cell_count fold_right]. fold (cell_count (products ss us)). now rewrite products_count. }
    assert (Ct : cell_count to = cell_count from).
    { rewrite Cf. unfold to. destruct (Nat.eqb_spec group 1) as [-> |]; cbn [cell_count fold_right];
        fold (cell_count (interleave ss us)); rewrite interleave_count, products_count by exact lens; lia. }
    eapply runs_weaken; [apply (regrouped_runs S typed ws from to perm (group * m * count :: cg :: us) j u U Gu Du) |].
    - unfold perm, to. destruct (group =? 1); cbn [List.length]; rewrite Ei;
        [apply unpaired_permutes | apply grouped_unpaired_permutes]; exact R3.
    - exact Ct.
    - rewrite Ord. destruct (Nat.eqb_spec group 1) as [-> |]; cbn [cell_count fold_right];
        fold (cell_count us) (cell_count (ss ++ cg :: us)); rewrite cell_count_app; cbn [cell_count fold_right];
          fold (cell_count us); lia.
    - intros ys i _ (v & V & Gv & Dv & A). exists v. split; [exact V |]. split; [exact Gv |]. split; [exact Dv |].
      intros o r c t O R C T. unfold weight_at.
      set (gi := (o / Z.of_nat m)%Z). set (mo := (o mod Z.of_nat m)%Z).
      assert (Eo : o = (gi * Z.of_nat m + mo)%Z) by (unfold gi, mo; rewrite Z.mul_comm; apply Z.div_mod; lia).
      assert (Mo : (0 <= mo < Z.of_nat m)%Z) by (apply Z.mod_pos_bound; lia).
      assert (Gi : (0 <= gi < Z.of_nat group)%Z) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; nia]).
      assert (J : in_box (products ss us) (joined us r t) = true) by now apply joined_in_box.
      assert (In : in_box from ((gi * Z.of_nat cg + c)%Z :: mo :: joined us r t) = true).
      { unfold from. rewrite Ep. apply in_box_cons. split; [nia |]. apply in_box_cons. now split. }
      transitivity (at_ u ((gi * Z.of_nat cg + c)%Z :: mo :: joined us r t)); [| rewrite (E _ In); reflexivity].
      assert (Lr : List.length r = List.length l) by (rewrite (in_box_length _ _ R); apply map_length).
      assert (Lt : List.length t = List.length l) by (rewrite (in_box_length _ _ T); apply map_length).
      set (i' := if group =? 1 then c :: mo :: interleave r t else gi :: c :: mo :: interleave r t).
      assert (Oi : ordered 0%Z perm i' = if group =? 1 then mo :: r ++ c :: t else gi :: mo :: r ++ c :: t).
      { unfold perm, i'. destruct (group =? 1); [apply unpaired_order | apply grouped_unpaired_order]; auto. }
      apply (A _ _ i' In).
      + pose proof (interleave_in_box ss us r t R T lens). unfold to, i'. destruct (group =? 1).
        * apply in_box_cons. split; [exact C |]. apply in_box_cons. now split.
        * apply in_box_cons. split; [exact Gi |]. apply in_box_cons. split; [exact C |]. apply in_box_cons. now split.
      + apply in_box_cons. split; [now apply joined_first |]. apply in_box_cons. now split.
      + unfold from, to, i'. rewrite Ep. pose proof (position_interleave ss us r t R T lens) as P.
        pose proof (interleave_count ss us lens) as Ci. destruct (Nat.eqb_spec group 1) as [E1 |].
        * rewrite E1, Nat.mul_1_l. replace (gi * Z.of_nat cg + c)%Z with c by nia.
          apply position_tail; [cbn [cell_count fold_right];
            fold (cell_count (products ss us)) (cell_count (interleave ss us)); lia |].
          apply position_tail; [now symmetry | exact P].
        * rewrite (cut_first group cg (m :: products ss us) gi c) by assumption.
          apply position_tail; [cbn [cell_count fold_right];
            fold (cell_count (products ss us)) (cell_count (interleave ss us)); lia |].
          apply position_tail; [cbn [cell_count fold_right];
            fold (cell_count (products ss us)) (cell_count (interleave ss us)); lia |].
          apply position_tail; [now symmetry | exact P].
      + rewrite Ord, Oi. rewrite (position_joined (group * m)) by (try assumption; lia).
        destruct (Nat.eqb_spec group 1) as [E1 |].
        * rewrite E1, Nat.mul_1_l. do 2 f_equal. nia.
        * rewrite Eo. now apply (cut_first group m (ss ++ cg :: us) gi mo).
  Qed.

  (** ** The Conv of all cells *)

  Definition padded_size (a : axis) : nat := a_places a + span a - 1.

  Lemma pad_spatial r : Forall axis_facts r ->
    pad_dims PadConstant (map a_in r) (map (fun a => - low a)%Z r)
      (map (fun a => Z.of_nat (a_places a) + Z.of_nat (span a) - 1 - Z.of_nat (a_in a) + low a)%Z r) = Some (map padded_size r).
  Proof.
    induction r as [| a r IH]; intros F; [reflexivity |]. inversion F as [| ? ? Fa F']; subst. cbn [map pad_dims].
    rewrite (IH F'). pose proof (span_pos a Fa). pose proof (places_pos a Fa). unfold guard, padded_size. rewrite andb_true_r.
    replace (Z.of_nat (a_in a) + - low a + _)%Z with (Z.of_nat (a_places a) + Z.of_nat (span a) - 1)%Z by lia.
    rewrite (proj2 (Z.leb_le 0 _)) by lia. cbn [option_map]. do 2 f_equal. lia.
  Qed.

  Lemma pad_whole (x : tensor) : dims x = n :: group * cg :: map a_in l ->
    pad_dims PadConstant (dims x) (0%Z :: 0%Z :: map (fun a => - low a)%Z l)
      (0%Z :: 0%Z :: map (fun a => Z.of_nat (a_places a) + Z.of_nat (span a) - 1 - Z.of_nat (a_in a) + low a)%Z l) =
    Some (n :: group * cg :: map padded_size l).
  Proof.
    intros ->. cbn [pad_dims]. rewrite (pad_spatial l facts). unfold guard.
    rewrite !Z.add_0_r, !Nat2Z.id, !andb_true_r, !(proj2 (Z.leb_le 0 _)) by lia. reflexivity.
  Qed.

  Lemma unit_counts r : Forall axis_facts r -> forall k, k = List.length r ->
    window_counts false (map padded_size r) (map span r) (repeat 1 k) (repeat 1 k) (repeat 0 k) (repeat 0 k) =
    Some (map a_places r).
  Proof.
    induction r as [| a r IH]; intros F k ->; [reflexivity |]. inversion F as [| ? ? Fa F']; subst.
    cbn [List.length repeat map window_counts]. rewrite (IH F' _ eq_refl).
    pose proof (span_pos a Fa). pose proof (places_pos a Fa). unfold window_count, extent, padded_size.
    destruct (Nat.ltb_spec (a_places a + span a - 1 + 0 + 0) ((span a - 1) * 1 + 1)); [lia |]. cbn [andb].
    do 2 f_equal. rewrite Nat.div_1_r. lia.
  Qed.

  Lemma together_in_box r : forall q u, in_box (map a_places r) q = true -> in_box (map span r) u = true ->
    in_box (map padded_size r) (together q u) = true.
  Proof.
    induction r as [| a r IH]; intros [| z q] [| t u] Q U; try discriminate; [reflexivity |]. cbn [map] in *.
    apply in_box_cons in Q. apply in_box_cons in U. cbn [together]. apply in_box_cons. unfold padded_size at 1.
    split; [lia |]. now apply IH.
  Qed.

  Lemma quotients_in_places r : Forall axis_facts r -> forall y, in_box (map a_out r) y = true ->
    in_box (map a_places r) (quotients (map a_stride r) y) = true.
  Proof.
    induction r as [| a r IH]; intros F [| z y] Y; try discriminate; [reflexivity |]. inversion F; subst. cbn [map] in *.
    apply in_box_cons in Y. destruct Y as [Z0 Y]. cbn [quotients combine map fst snd]. apply in_box_cons.
    split; [now apply out_in_places | now apply IH].
  Qed.

  Definition reached_cell (x w : tensor) (n0 o : Z) (y : list Z) : num :=
    s_sum S (cg :: us) (fun k => pair_at S cg m x w n0 o (nth 0 k 0%Z) (reached l y (tl k)) (kernel_cells l y (tl k))).

  Lemma conv_reached (x w px f : tensor) n0 o y : dims x = n :: group * cg :: map a_in l -> is_block w f ->
    px = tabulate (n :: group * cg :: map padded_size l) (fun i => at_ x (pad_at PadConstant (dims x)
           (0%Z :: 0%Z :: map (fun a => - low a)%Z l) i)) ->
    (0 <= n0 < Z.of_nat n)%Z -> (0 <= o < Z.of_nat (group * m))%Z -> in_box (map a_out l) y = true ->
    conv_cell S (Window (repeat 1 (List.length us)) (repeat 1 (List.length l)) (repeat 0 (2 * List.length us))) group px f
      (n0 :: (o * Z.of_nat count + Z.of_nat (position ss (remainders ss y)))%Z :: quotients ss y) = reached_cell x w n0 o y.
  Proof.
    intros Dx (Gf & Df & W) -> N0 O Y. unfold conv_cell. rewrite Df. cbn [tl]. apply s_sum_ext. intros k I.
    destruct k as [| c t]; [discriminate |]. apply in_box_cons in I. destruct I as [C T]. cbn [nth tl].
    set (r := remainders ss y). set (q := quotients ss y).
    assert (Ly : List.length y = List.length l) by (rewrite (in_box_length _ _ Y); apply map_length).
    assert (Lt : List.length t = List.length l) by (rewrite (in_box_length _ _ T); apply map_length).
    assert (R : in_box ss r = true) by (apply remainders_in_box; [now rewrite map_length | exact strides_pos]).
    assert (Q : in_box ps q = true) by (apply quotients_in_places; assumption).
    pose proof count_pos as K. pose proof (position_lt ss r R) as Pr. unfold conv_term. cbv zeta. rewrite Df.
      cbn [nth dims tabulate tl].
    assert (Z.of_nat (group * m * count / group) = Z.of_nat m * Z.of_nat count)%Z as ->.
    { replace (group * m * count) with (m * count * group) by ring. rewrite Nat.div_mul by lia. lia. }
    assert (((o * Z.of_nat count + Z.of_nat (position ss r)) / (Z.of_nat m * Z.of_nat count) = o / Z.of_nat m)%Z) as ->.
    { rewrite Z.mul_comm with (n := Z.of_nat m), <- Z.div_div by lia. f_equal.
      symmetry. apply (Z.div_unique _ _ o (Z.of_nat (position ss r))); [left; lia | lia]. }
    set (gi := (o / Z.of_nat m)%Z).
    assert (Gi : (0 <= gi < Z.of_nat group)%Z) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; nia]).
    assert (Pl : place (Window (repeat 1 (List.length us)) (repeat 1 (List.length l)) (repeat 0 (2 * List.length us))) q t =
      together q t).
    { unfold place, pads_before. cbn [strides dilations pads]. rewrite !repeat_length, map_length.
      replace (2 * List.length l) with (List.length l + List.length l) by lia.
      rewrite repeat_app, firstn_app, repeat_length, Nat.sub_diag. cbn [firstn].
        rewrite app_nil_r, firstn_all2 by (now rewrite repeat_length).
      rewrite window_together, firstn_all2; [reflexivity |]. rewrite (in_box_length _ _ Q), map_length. lia. }
    rewrite Pl. assert (Ib : in_box (n :: group * cg :: map padded_size l) (n0 :: (gi * Z.of_nat cg + c)%Z :: together q t) =
      true).
    { apply in_box_cons. split; [exact N0 |]. apply in_box_cons. split; [nia | now apply together_in_box]. }
    rewrite Ib, at_tabulate by exact Ib. rewrite Dx. cbn [pad_at pad_place]. rewrite !Z.sub_0_r.
    unfold q. rewrite pad_reached by assumption. unfold pair_at. fold gi. f_equal.
    rewrite W by assumption. unfold weight_at. fold gi. do 3 f_equal. unfold r. now apply weight_cells.
  Qed.

  (** ** In a ring the sums are equal *)

  Lemma reached_is_cell (laws : ring_laws S) (x w : tensor) n0 o y : Forall (fun a => a_dilation a = 1) l ->
    dims x = n :: group * cg :: map a_in l -> dims w = group * cg :: m :: map a_kernel l -> List.length y = List.length l ->
    reached_cell x w n0 o y = transpose_cell S group l x w (n0 :: o :: y).
  Proof.
    intros Dl Dx Dw Ly. unfold reached_cell, transpose_cell. rewrite Dx, Dw. cbn [nth skipn].
    replace (group * cg / group) with cg by (rewrite Nat.mul_comm, Nat.div_mul; lia).
    rewrite !(sum_cons S laws). apply total_ext. intros c _. cbn [nth tl].
    transitivity (s_sum S (map a_kernel l) (fun v => pair_at S cg m x w n0 o (Z.of_nat c) (sources l y v) v)).
    - apply (sum_windows S laws l y (pair_at S cg m x w n0 o (Z.of_nat c)) facts Dl Ly); intros j v O; unfold pair_at.
      + rewrite (at_outside S w); [now apply zero_times_r |]. rewrite Dw. cbn [Kernel.in_box]. rewrite O.
        now rewrite !andb_false_r.
      + rewrite (at_outside S x); [now apply zero_times_l |]. rewrite Dx. cbn [Kernel.in_box]. rewrite O.
        now rewrite !andb_false_r.
    - apply s_sum_ext. intros v _. now apply (pair_is_term S laws group n).
  Qed.

  (** ** All steps *)

  Lemma mapped_same {A} (f : A -> Z -> Z) (size : A -> nat) r : (forall a z, f a z = z) ->
    forall i, in_box (map size r) i = true -> mapped f r i = i.
  Proof.
    intros F. induction r as [| a r IH]; intros [| z i] I; try discriminate; [reflexivity |]. cbn [map] in I.
    apply in_box_cons in I. cbn [mapped]. rewrite F, IH by tauto. reflexivity.
  Qed.

  Lemma outs_in_places r : Forall axis_facts r -> forall i, in_box (map a_out r) i = true -> in_box (map places_stride r) i =
    true.
  Proof.
    induction r as [| a r IH]; intros F [| z i] I; try discriminate; [reflexivity |]. inversion F; subst. cbn [map] in *.
    apply in_box_cons in I. apply in_box_cons. pose proof (out_places a H1). split; [lia | now apply IH].
  Qed.

  Definition result (x w : tensor) : tensor :=
    tabulate (n :: group * m :: map a_out l)
      (fun i => reached_cell x w (nth 0 i 0%Z) (nth 1 i 0%Z) (skipn 2 i)).

  Lemma unbiased_runs vs (x w : tensor) : knows vs 0 (GTensor x) -> knows vs 1 (GTensor w) -> good x -> good w ->
    dims x = n :: group * cg :: map a_in l -> dims w = group * cg :: m :: map a_kernel l -> forall bias Q,
    (forall ws c, extends S vs ws -> knows ws c (GTensor (result x w)) -> runs ws (biased (group * m) (List.length l) bias c)
      Q) ->
    runs vs (by_cells group n cg m l bias) Q.
  Proof.
    intros Kx Kw Gx Gw Dx Dw bias Q H. unfold by_cells.
    eapply runs_bind; [apply (padded_runs S typed vs _ _ _ 0 x Kx Gx (pad_whole x Dx)) |]. intros v1 jx X1 K1. cbv beta in K1.
    eapply runs_bind; [apply (block_weights_runs v1 1 w); [now apply (knows_extends S vs) | exact Gw | exact Dw] |].
    intros v2 jw X2 (f & Kf & F). set (px := tabulate _ _) in K1.
    assert (lu : List.length us = List.length l) by apply map_length.
    pose proof F as F'. destruct F' as (Gf & Df & _).
    eapply runs_bind.
    { unfold unit_conv. eapply runs_apply;
        [constructor; [apply (knows_extends S v1); eassumption |]; constructor; [exact Kf | constructor] |].
      apply (unit_conv_value S px f None n (group * cg) (map padded_size l) (group * m * count) cg us (repeat 1 (List.length l))
        ps group).
      - reflexivity.
      - exact Df.
      - exact I.
      - exact group0.
      - rewrite Nat.mul_comm. apply Nat.mod_mul. lia.
      - rewrite Nat.mul_comm. apply Nat.div_mul. lia.
      - rewrite <- Nat.mul_assoc, Nat.mul_comm. apply Nat.mod_mul. lia.
      - lia.
      - now rewrite !map_length.
      - now rewrite repeat_length, map_length.
      - exact spans_pos.
      - apply Forall_forall. intros d ind. apply repeat_spec in ind. lia.
      - rewrite lu. now apply unit_counts. }
    intros v3 jy X3 Ky. cbv beta in Ky. set (y := tabulate _ _) in Ky.
    assert (Em : map places_stride l = products ps ss) by apply map_products.
    assert (lens : List.length ps = List.length ss) by now rewrite !map_length.
    assert (Ord : ordered 0 (paired (List.length l)) (n :: group * m :: ss ++ ps) = n :: group * m :: interleave ps ss)
      by (apply paired_order; [exact rank3 | apply map_length | apply map_length]).
    eapply runs_bind.
    { apply (regrouped_runs S typed v3 (n :: group * m * count :: ps) (n :: group * m :: ss ++ ps) (paired (List.length l))
               (n :: group * m :: map places_stride l) jy y Ky (good_tabulate _ _) eq_refl).
      - cbn [List.length]. rewrite app_length, !map_length. apply (paired_permutes (List.length l)), rank3.
      - cbn [cell_count fold_right]. fold (cell_count (ss ++ ps)) (cell_count ps). rewrite cell_count_app. lia.
      - rewrite Ord, Em. cbn [cell_count fold_right]. fold (cell_count (interleave ps ss)) (cell_count (products ps ss)).
        now rewrite interleave_count. }
    intros v4 jz X4 (z & Kz & Gz & Dz & A).
    eapply runs_bind.
    { apply (along_axes_runs S typed (fun pre a post => sliced pre (places_stride a) post 0 1 (a_out a)) places_stride a_out
               (fun _ t => 0 + t * 1)%Z l v4 [n; group * m] jz z).
      - intros ws pre a post k u ina K G D. apply (sliced_runs S typed ws pre (places_stride a) post 0 1 (a_out a) k u K G D).
        pose proof (proj1 (Forall_forall _ _) facts a ina) as Fa. pose proof (out_places a Fa) as O.
        assert (0 < a_out a) by (destruct Fa; unfold a_out; lia).
        unfold slice_fits. rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, Nat.eqb_eq, !Z.ltb_lt, !Z.leb_le.
          cbn [negb Z.eqb].
        split; [split; [reflexivity | lia] | right; lia].
      - exact Kz.
      - exact Gz.
      - exact Dz. }
    intros v5 jc X5 (c & Kc & Gc & Dc & B). cbn [app] in Dc. apply H.
    { eapply extends_trans; [exact X1 |]. eapply extends_trans; [exact X2 |]. eapply extends_trans; [exact X3 |].
      eapply extends_trans; [exact X4 | exact X5]. }
    replace (result x w) with c; [exact Kc |]. rewrite <- (tabulate_get (s_zero S) c Gc). unfold result. rewrite Dc.
    apply tabulate_ext. intros i I. change (at_ c i = reached_cell x w (nth 0 i 0%Z) (nth 1 i 0%Z) (skipn 2 i)).
    rewrite (B i I). destruct i as [| n0 [| o yy]]; [discriminate | apply in_box_cons in I; destruct I as [_ I]; discriminate |].
    cbn [List.length firstn skipn app nth].
    apply in_box_cons in I. destruct I as [N0 I]. apply in_box_cons in I. destruct I as [O Y].
    rewrite (mapped_same _ a_out l) by (try exact Y; intros; lia).
    assert (Ly : List.length yy = List.length l) by (rewrite (in_box_length _ _ Y); apply map_length).
    set (r := remainders ss yy). set (q := quotients ss yy).
    assert (R : in_box ss r = true) by (apply remainders_in_box; [now rewrite map_length | exact strides_pos]).
    assert (Iq : in_box ps q = true) by (apply quotients_in_places; assumption).
    assert (Ey : yy = joined ss q r) by (symmetry; apply joined_digits; [now rewrite map_length | exact strides_pos]).
    assert (Iy : in_box (n :: group * m * count :: ps)
              (n0 :: (o * Z.of_nat count + Z.of_nat (position ss r))%Z :: q) = true).
    { apply in_box_cons. split; [exact N0 |]. apply in_box_cons. split; [now apply joined_first | exact Iq]. }
    assert (Irq : in_box (ss ++ ps) (r ++ q) = true) by (rewrite in_box_app by (now apply in_box_length); now rewrite R).
    rewrite (A (n0 :: (o * Z.of_nat count + Z.of_nat (position ss r))%Z :: q) _ (n0 :: o :: r ++ q) Iy).
    - unfold y. rewrite at_tabulate by exact Iy. now apply (conv_reached x w px f n0 o yy).
    - apply in_box_cons. split; [exact N0 |]. apply in_box_cons. now split.
    - apply in_box_cons. split; [exact N0 |]. apply in_box_cons. split; [exact O |]. now apply outs_in_places.
    - apply position_tail; [cbn [cell_count fold_right]; fold (cell_count ps) (cell_count (ss ++ ps)); rewrite cell_count_app;
      lia |].
      apply position_joined; [exact R | lia].
    - rewrite Ord, Em.
      rewrite (paired_order 0%Z n0 o r q (List.length l) rank3) by (rewrite ?(in_box_length _ _ R), ?(in_box_length _ _ Iq);
        apply map_length).
      rewrite Ey at 1. pose proof (interleave_count ps ss lens) as Ci.
      apply position_tail; [cbn [cell_count fold_right]; fold (cell_count (products ps ss)) (cell_count (interleave ps ss));
        lia |].
      apply position_tail; [now symmetry |]. now apply position_interleave.
  Qed.

  Lemma biased_runs vs k bk (u b : tensor) : knows vs k (GTensor u) -> knows vs bk (GTensor b) -> good b ->
    dims b = [group * m] -> dims u = n :: group * m :: map a_out l ->
    runs vs (biased (group * m) (List.length l) (Some bk) k)
      (fun ws j => knows ws j (GTensor (tabulate (dims u) (fun i => s_add S (at_ u i) (at_ b [nth 1 i 0%Z]))))).
  Proof.
    intros K Kb Gb Db Du. unfold biased. eapply runs_bind.
    { apply (reshaped_runs S typed vs [group * m] (group * m :: repeat 1 (List.length l)) bk b Kb Db Gb).
      cbn [cell_count fold_right]. fold (cell_count (repeat 1 (List.length l))). rewrite cell_count_ones. lia. }
    intros ws c X C. cbv beta in C.
    eapply runs_apply; [constructor; [apply (knows_extends S vs); eassumption |]; constructor; [exact C | constructor] |].
    change (OpTable.one (map2 S (s_add S) u (Tensor (group * m :: repeat 1 (List.length l)) (cells b))) =
      Some (GTensor (tabulate (dims u) (fun i => s_add S (at_ u i) (at_ b [nth 1 i 0%Z]))))).
    rewrite (map2_along S (s_add S) u _ [n] (group * m) (map a_out l)) by (cbn [dims app]; try exact Du; now rewrite map_length).
    cbn [OpTable.one List.length]. do 2 f_equal. apply tabulate_ext. intros i I. f_equal. rewrite Du in I.
    destruct i as [| n0 [| o y]]; [discriminate | apply in_box_cons in I; destruct I as [_ I]; discriminate |]. cbn [nth].
    apply in_box_cons in I. destruct I as [_ I]. apply in_box_cons in I. destruct I as [O _].
    symmetry. now apply (at_chan_vector S b (group * m)).
  Qed.
End Correct.

(** ** The theorems *)

Section All.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis index_typed : forall z, (0 <= z < 2 ^ 63)%Z -> s_index S (typed i64_code (LInt z)) = Some z.
  Notation tensor := (tensor (num S)).

  (** The sum of the products in the order of the Conv that is built; places outside of X and cells outside of W are 0. *)
  Definition cell_in_order (group : nat) (l : list axis) (x w : tensor) (i : list Z) : num S :=
    (if overlaps group l then overlapping_cell S else reached_cell S)
      (nth 1 (dims x) 0 / group) (nth 1 (dims w) 0) l x w (nth 0 i 0%Z) (nth 1 i 0%Z) (skipn 2 i).

  Definition conv_transpose_in_order (group : nat) (l : list axis) (x w : tensor) (b : option tensor) : option tensor :=
    table S (transpose_out group l (dims x) (dims w) (option_map dims b))
      (fun _ i => match b with
                  | Some b => s_add S (cell_in_order group l x w i) (at_ S b [nth 1 i 0%Z])
                  | None => cell_in_order group l x w i
                  end).

  (** What there is where there is a composition. *)
  Record composes (group n cg m : nat) (l : list axis) (x w : tensor) (b : option tensor) (program : build nat) : Prop := {
    some_group : 0 < group; some_channel : 0 < cg; some_output : 0 < m; some_axis : 0 < List.length l;
    few_axes : List.length l <= 3;
    all_facts : Forall axis_facts l;
    all_small : Forall (fun a => (Z.of_nat (a_kernel a) + 1 < 2 ^ 63)%Z) l;
    x_dims : dims x = n :: group * cg :: map a_in l;
    w_dims : dims w = group * cg :: m :: map a_kernel l;
    b_dims : match b with Some b => dims b = [group * m] | None => True end;
    out_dims : transpose_out group l (dims x) (dims w) (option_map dims b) = Some (n :: group * m :: map a_out l);
    is_program : program = (if overlaps group l then overlapping else by_cells) group n cg m l
                             (match b with Some _ => Some 2 | None => None end)
  }.

  Lemma composition_parts group l (x w : tensor) (b : option tensor) program :
    conv_transpose_composition group l (dims x) (dims w) (option_map dims b) = Some program ->
    exists n cg m, composes group n cg m l x w b program.
  Proof.
    intros E. unfold conv_transpose_composition in E.
    destruct (transpose_out group l (dims x) (dims w) (option_map dims b)) as [out |] eqn:T; [| discriminate].
    cbv zeta in E. unfold guard at 1 in E. destruct (_ && _) eqn:B in E; [| discriminate]. pose proof T as T'.
    unfold transpose_out, guard in T. destruct (dims x) as [| n [| c xs]] eqn:Dx; try discriminate.
    destruct (dims w) as [| c' [| m ks]] eqn:Dw; try discriminate. destruct (_ && _) eqn:O in T; [| discriminate].
      injection T as <-.
    rewrite !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq, Nat.leb_le, !sizes_eqb_iff in O.
    destruct O as ((((((((((group0 & <-) & Cg) & n0) & c0) & m0) & ->) & ->) & l0) & ok) & Db).
    rewrite andb_true_iff, Nat.leb_le in B. destruct B as [rank Fit]. cbn [nth] in E.
    set (cg := c / group) in *. assert (Ec : c = group * cg) by (unfold cg; rewrite (Nat.div_mod c group) at 1 by lia; lia).
    assert (facts : Forall axis_facts l) by (apply Forall_forall; intros a ina; apply axis_ok_facts;
      exact (proj1 (forallb_forall _ _) ok a ina)).
    exists n, cg, m. constructor; try assumption; try (now rewrite ?Dx, ?Dw, <- Ec); try nia.
    - apply Forall_forall. intros a ina. pose proof (proj1 (Forall_forall _ _) facts a ina) as [].
      apply (proj1 (forallb_forall _ _)) with (x := a) in Fit; [| exact ina]. unfold extent_fits, extent_max in Fit.
      rewrite andb_true_iff, !Z.leb_le in Fit. nia.
    - destruct b; [now apply sizes_eqb_iff | exact I].
    - now rewrite Dx, Dw.
    - replace (match b with Some _ => Some 2 | None => None end) with
        (match option_map dims b with Some _ => Some 2 | None => None end) by (now destruct b).
      destruct (overlaps group l); unfold guard in E; destruct (forallb _ _) in E; try discriminate; now injection E as <-.
  Qed.

  (** Where places do not overlap. *)
  Lemma by_cells_facts group n cg m l x w b program : composes group n cg m l x w b program -> overlaps group l = false ->
    List.length l <= (if group =? 1 then 3 else 2) /\ Forall (fun a => a_dilation a = 1) l.
  Proof.
    intros [] V. unfold overlaps in V. apply orb_false_iff in V. destruct V as [V R]. split.
    - destruct (Nat.eqb_spec group 1); [assumption |]. apply andb_false_iff in R. rewrite !Nat.ltb_ge in R. lia.
    - apply Forall_forall. intros a ina. destruct (Nat.eqb_spec (a_dilation a) 1) as [| ne]; [assumption |].
      apply not_true_iff_false in V. destruct V. apply existsb_exists. exists a. split; [exact ina |].
      apply negb_true_iff. now apply Nat.eqb_neq.
  Qed.

  Theorem conv_transpose_in_order_correct group l (x w : tensor) (b : option tensor) program : good x -> good w ->
    match b with Some b => good b | None => True end ->
    conv_transpose_composition group l (dims x) (dims w) (option_map dims b) = Some program ->
    exists y, conv_transpose_in_order group l x w b = Some y /\
      composed S typed program (x :: w :: match b with Some b => [b] | None => [] end) = Some y.
  Proof.
    intros Gx Gw Gb E. destruct (composition_parts group l x w b program E) as (n & cg & m & C). pose proof C as [].
    unfold conv_transpose_in_order, cell_in_order. rewrite out_dims0. cbn [table]. rewrite x_dims0, w_dims0. cbn [nth].
    replace (group * cg / group) with cg by (rewrite Nat.mul_comm, Nat.div_mul; lia).
    eexists. split; [reflexivity |]. rewrite is_program0. destruct (overlaps group l) eqn:V; apply runs_composed.
    - eapply (overlapping_runs S typed group n cg m l) with (w := w); try assumption; try reflexivity.
      destruct b; [now split | exact I].
    - destruct (by_cells_facts group n cg m l x w b program C V) as [rank dil].
      destruct b as [b |];
        (apply (unbiased_runs S typed index_typed group n cg m l some_group0 some_channel0 some_output0 some_axis0 rank
                  all_facts0 all_small0 _ x w); try assumption; [reflexivity | reflexivity |]; intros ws j X J).
      + eapply runs_weaken; [apply (biased_runs S typed group n cg m l some_group0 some_channel0 some_output0 some_axis0 rank
                                      ws j 2 _ b J) |].
        * apply (knows_extends S (map GTensor [x; w; b])); [reflexivity | exact X].
        * exact Gb.
        * assumption.
        * reflexivity.
        * intros us k _ K. cbv beta in K. cbn [result dims tabulate] in K. revert K.
          rewrite (tabulate_ext _ _ (fun i => s_add S (reached_cell S cg m l x w (nth 0 i 0%Z) (nth 1 i 0%Z) (skipn 2 i))
            (at_ S b [nth 1 i 0%Z]))); [trivial |].
          intros i I. f_equal. unfold result. now rewrite at_tabulate by exact I.
      + now apply runs_return.
  Qed.

  (** In a ring it is ONNX's sum. *)
  Lemma in_order_is_formula (laws : ring_laws S) group n cg m l (x w : tensor) (b : option tensor) program :
    composes group n cg m l x w b program -> conv_transpose_in_order group l x w b = onnx_conv_transpose S group l x w b.
  Proof.
    intros C. pose proof C as []. unfold conv_transpose_in_order, onnx_conv_transpose. rewrite out_dims0. cbn [table]. f_equal.
    apply tabulate_ext. intros i I.
    assert (cell_in_order group l x w i = transpose_cell S group l x w i) as ->; [| reflexivity].
    destruct i as [| z [| o y]]; [discriminate | apply in_box_cons in I; destruct I as [_ I]; discriminate |].
    apply in_box_cons in I. destruct I as [_ I]. apply in_box_cons in I. destruct I as [_ Y].
    unfold cell_in_order. rewrite x_dims0, w_dims0. cbn [nth skipn].
    replace (group * cg / group) with cg by (rewrite Nat.mul_comm, Nat.div_mul; lia).
    destruct (overlaps group l) eqn:V.
    - now apply (overlapping_is_cell S group n cg m l).
    - destruct (by_cells_facts group n cg m l x w b program C V) as [rank dil].
      apply (reached_is_cell S group n cg m l); try assumption. rewrite (in_box_length _ _ Y). apply map_length.
  Qed.

  Theorem conv_transpose_correct (laws : ring_laws S) group l (x w : tensor) (b : option tensor) program : good x -> good w ->
    match b with Some b => good b | None => True end ->
    conv_transpose_composition group l (dims x) (dims w) (option_map dims b) = Some program ->
    exists y, onnx_conv_transpose S group l x w b = Some y /\
      composed S typed program (x :: w :: match b with Some b => [b] | None => [] end) = Some y.
  Proof.
    intros Gx Gw Gb E. destruct (composition_parts group l x w b program E) as (n & cg & m & C).
    rewrite <- (in_order_is_formula laws group n cg m l x w b program C). now apply conv_transpose_in_order_correct.
  Qed.
End All.

(** ** Instances: strides of 2, a place that is added, two groups; two dimensions, with a bias *)

Example conv_transpose_example :
  let l := [Axis 3 3 2 1 1 1 1] in
  let x := Tensor [1; 2; 3] [1; 2; 3; 4; 5; 6]%Z in
  let w := Tensor [2; 1; 3] [1; 10; 100; 2; 20; 200]%Z in
  let y := Tensor [1; 2; 6] [10; 102; 20; 203; 30; 300; 80; 810; 100; 1012; 120; 1200]%Z in
  match conv_transpose_composition 2 l (dims x) (dims w) None with
  | Some b => composed integers (fun _ => literal_value integers) b [x; w] = Some y /\
              onnx_conv_transpose integers 2 l x w None = Some y
  | None => False
  end.
Proof. vm_compute. split; reflexivity. Qed.

Example conv_transpose_plane :
  let l := [Axis 2 2 1 1 0 0 0; Axis 2 1 3 1 0 (-1) 0] in
  let x := Tensor [1; 1; 2; 2] [1; 2; 3; 4]%Z in
  let w := Tensor [1; 1; 2; 1] [1; 10]%Z in
  let b := Tensor [1] [1000]%Z in
  let y := Tensor [1; 1; 3; 5] [1001; 1000; 1000; 1002; 1000; 1013; 1000; 1000; 1024; 1000; 1030; 1000; 1000; 1040; 1000]%Z in
  match conv_transpose_composition 1 l (dims x) (dims w) (Some (dims b)) with
  | Some c => composed integers (fun _ => literal_value integers) c [x; w; b] = Some y /\
              onnx_conv_transpose integers 1 l x w (Some b) = Some y
  | None => False
  end.
Proof. vm_compute. split; reflexivity. Qed.

(** Dilated, with a place added; two groups of three dimensions, with a bias. *)
Example conv_transpose_dilated :
  let l := [Axis 2 3 2 2 1 0 1] in
  let x := Tensor [1; 2; 2] [1; 2; 3; 4]%Z in
  let w := Tensor [2; 1; 3] [1; 10; 100; 2; 20; 200]%Z in
  let y := Tensor [1; 1; 7] [0; 80; 0; 800; 0; 1000; 0]%Z in
  match conv_transpose_composition 1 l (dims x) (dims w) None with
  | Some c => composed integers (fun _ => literal_value integers) c [x; w] = Some y /\
              onnx_conv_transpose integers 1 l x w None = Some y
  | None => False
  end.
Proof. vm_compute. split; reflexivity. Qed.

Example conv_transpose_volume :
  let l := [Axis 1 1 1 1 0 0 0; Axis 1 2 1 1 0 0 0; Axis 2 2 2 1 0 0 0] in
  let x := Tensor [1; 2; 1; 1; 2] [1; 2; 3; 4]%Z in
  let w := Tensor [2; 1; 1; 2; 2] [1; 10; 100; 1000; 2; 20; 200; 2000]%Z in
  let b := Tensor [2] [100000; 200000]%Z in
  let y := Tensor [1; 2; 1; 2; 4] [100001; 100010; 100002; 100020; 100100; 101000; 100200; 102000;
                                   200006; 200060; 200008; 200080; 200600; 206000; 200800; 208000]%Z in
  match conv_transpose_composition 2 l (dims x) (dims w) (Some (dims b)) with
  | Some c => composed integers (fun _ => literal_value integers) c [x; w; b] = Some y /\
              onnx_conv_transpose integers 2 l x w (Some b) = Some y
  | None => False
  end.
Proof. vm_compute. split; reflexivity. Qed.
