(** * The sums of ConvTranspose, and its Conv *)

From Coq Require Import Bool List Lia Arith NArith String ZArith Ring_theory Ring.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.OpTable tensor.Algebra tensor.KernelPad.
From Calque Require Import onnx.Composition onnx.Steps onnx.AxisSteps onnx.Interleaved onnx.WindowSums onnx.ConvTranspose.
From Calque Require Import onnx.ConvTransposeSteps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Numbers of a spatial dimension *)

Record axis_facts (a : axis) : Prop := {
  fact_in : 0 < a_in a;
  fact_kernel : 0 < a_kernel a;
  fact_stride : 0 < a_stride a;
  fact_dilation : 0 < a_dilation a;
  fact_out : (0 < out_size a)%Z
}.

Lemma axis_ok_facts a : axis_ok a = true -> axis_facts a.
Proof.
  unfold axis_ok. rewrite !andb_true_iff, !Nat.ltb_lt, Z.ltb_lt. intros ((((A & B) & C) & D) & E). now constructor.
Qed.

Lemma ceil_div_bounds n d : (0 < d)%Z -> (d * (ceil_div n d - 1) < n <= d * ceil_div n d)%Z.
Proof.
  intros pos. unfold ceil_div. pose proof (Z.div_mod (- n) d ltac:(lia)) as D. pose proof (Z.mod_pos_bound (- n) d pos). nia.
Qed.

Lemma floor_div_bounds n d : (0 < d)%Z -> (d * (n / d) <= n < d * (n / d + 1))%Z.
Proof. intros pos. pose proof (Z.div_mod n d ltac:(lia)) as D. pose proof (Z.mod_pos_bound n d pos). nia. Qed.

Lemma span_pos a : axis_facts a -> 0 < span a.
Proof.
  intros F. destruct F. unfold span, low. set (s := Z.of_nat (a_stride a)). assert (0 < s)%Z as pos by (unfold s; lia).
  pose proof (ceil_div_bounds (Z.of_nat (a_before a) - Z.of_nat (a_kernel a) + 1) s pos).
  pose proof (floor_div_bounds (s - 1 + Z.of_nat (a_before a)) s pos). nia.
Qed.

Lemma places_pos a : axis_facts a -> 0 < a_places a.
Proof.
  intros F. destruct F. unfold a_places. set (s := Z.of_nat (a_stride a)). assert (0 < s)%Z as pos by (unfold s; lia).
  pose proof (ceil_div_bounds (out_size a) s pos). nia.
Qed.

Lemma out_in_places a z : axis_facts a -> (0 <= z < Z.of_nat (a_out a))%Z -> (0 <= z / Z.of_nat (a_stride a) < Z.of_nat
  (a_places a))%Z.
Proof.
  intros F Z0. destruct F. unfold a_out in Z0. unfold a_places. set (s := Z.of_nat (a_stride a)) in *.
  assert (0 < s)%Z as pos by (unfold s; lia). pose proof (ceil_div_bounds (out_size a) s pos).
  pose proof (floor_div_bounds z s pos). nia.
Qed.

Lemma out_places a : axis_facts a -> a_out a <= places_stride a.
Proof.
  intros F. destruct F. unfold a_out, places_stride, a_places. set (s := Z.of_nat (a_stride a)).
  assert (0 < s)%Z as pos by (unfold s; lia). pose proof (ceil_div_bounds (out_size a) s pos). nia.
Qed.

(** The places that count are among those that the Conv looks at. *)
Lemma source_in_span a z v : axis_facts a -> (0 <= v < Z.of_nat (a_kernel a))%Z ->
  ((z + Z.of_nat (a_before a) - v) mod Z.of_nat (a_stride a) = 0)%Z ->
  (0 <= (z + Z.of_nat (a_before a) - v) / Z.of_nat (a_stride a) - (z / Z.of_nat (a_stride a) + low a) < Z.of_nat (span a))%Z.
Proof.
  intros F V M. pose proof (span_pos a F) as sp. destruct F. unfold span, low in *. set (s := Z.of_nat (a_stride a)) in *.
  assert (0 < s)%Z as pos by (unfold s; lia).
  pose proof (ceil_div_bounds (Z.of_nat (a_before a) - Z.of_nat (a_kernel a) + 1) s pos).
  pose proof (floor_div_bounds (s - 1 + Z.of_nat (a_before a)) s pos).
  pose proof (Z.div_mod (z + Z.of_nat (a_before a) - v) s ltac:(lia)) as D. rewrite M in D.
  pose proof (floor_div_bounds z s pos). set (e := ((z + Z.of_nat (a_before a) - v) / s)%Z) in *.
  set (q := (z / s)%Z) in *. set (lw := ceil_div _ s) in *. set (h := ((s - 1 + Z.of_nat (a_before a)) / s)%Z) in *.
  rewrite Z2Nat.id by lia. nia.
Qed.

(** ** Places and cells of the kernel *)

Fixpoint reached (l : list axis) (y u : list Z) : list Z :=
  match l, y, u with
  | a :: l', z :: y', t :: u' => (z / Z.of_nat (a_stride a) + low a + t)%Z :: reached l' y' u'
  | _, _, _ => []
  end.

Fixpoint kernel_cells (l : list axis) (y u : list Z) : list Z :=
  match l, y, u with
  | a :: l', z :: y', t :: u' =>
      (z mod Z.of_nat (a_stride a) + Z.of_nat (a_before a) - Z.of_nat (a_stride a) * (low a + t))%Z :: kernel_cells l' y' u'
  | _, _, _ => []
  end.

Fixpoint together (q u : list Z) : list Z :=
  match q, u with a :: q', b :: u' => (a + b)%Z :: together q' u' | _, _ => [] end.

Lemma window_together n : forall q u,
  window_at (repeat 1 n) (repeat 1 n) (repeat 0 n) q u = together (firstn n q) u.
Proof.
  induction n as [| n IH]; intros [| a q] [| b u]; try reflexivity. cbn [repeat window_at firstn together].
  rewrite IH. f_equal. lia.
Qed.

Lemma weight_cells l : forall y u, Forall axis_facts l -> List.length y = List.length l -> in_box (map span l) u = true ->
  mapped weight_place l (joined (map span l) (remainders (map a_stride l) y) u) = kernel_cells l y u.
Proof.
  induction l as [| a l IH]; intros [| z y] [| t u] F E U; try discriminate; [reflexivity |].
  cbn [map] in *. apply in_box_cons in U. destruct U as [T U]. inversion F; subst.
  cbn [remainders combine map fst snd joined mapped kernel_cells]. fold (remainders (map a_stride l) y).
  rewrite (IH y u) by (try assumption; now injection E). f_equal. unfold weight_place. cbv zeta.
  set (q := (z mod Z.of_nat (a_stride a))%Z).
  rewrite <- (Z.div_unique (q * Z.of_nat (span a) + t) (Z.of_nat (span a)) q t) by (try (now left); lia).
  rewrite <- (Z.mod_unique (q * Z.of_nat (span a) + t) (Z.of_nat (span a)) q t) by (try (now left); lia).
  reflexivity.
Qed.

Lemma pad_reached l : forall y u, List.length y = List.length l -> List.length u = List.length l ->
  pad_at PadConstant (map a_in l) (map (fun a => - low a)%Z l) (together (quotients (map a_stride l) y) u) = reached l y u.
Proof.
  induction l as [| a l IH]; intros [| z y] [| t u] E U; try discriminate; [reflexivity |].
  cbn [map quotients combine fst snd together pad_at pad_place reached]. fold (quotients (map a_stride l) y).
  rewrite IH by (simpl in *; lia). f_equal. lia.
Qed.

Lemma position_tail d a i j e : cell_count d = cell_count e -> position d i = position e j ->
  forall n, position (n :: d) (a :: i) = position (n :: e) (a :: j).
Proof. intros C P n. cbn [position]. now rewrite C, P. Qed.

Lemma cut_first n k post q r b : (0 <= q < Z.of_nat n)%Z -> (0 <= r < Z.of_nat k)%Z ->
  position (n * k :: post) ((q * Z.of_nat k + r)%Z :: b) = position (n :: k :: post) (q :: r :: b).
Proof. exact (position_cut [] n k post [] q r b eq_refl). Qed.

Section Zero.
  Variable S : arith.
  Variable laws : ring_laws S.
  Add Ring transpose_numbers : (ring_is S laws).

  Lemma zero_times_l a : s_mul S (s_zero S) a = s_zero S.
  Proof. ring. Qed.

  Lemma zero_times_r a : s_mul S a (s_zero S) = s_zero S.
  Proof. ring. Qed.

  Lemma add_to_zero a b : s_add S a b = s_add S b (s_add S a (s_zero S)).
  Proof. ring. Qed.
End Zero.

(** ** Terms of the sums *)

Section Terms.
  Variable S : arith.
  Variable laws : ring_laws S.
  Notation tensor := (tensor (num S)).

  (** The product of a place of X and a cell of the kernel. *)
  Definition pair_at (cg m : nat) (x w : tensor) (n0 o c : Z) (j v : list Z) : num S :=
    s_mul S (at_ S x (n0 :: (o / Z.of_nat m * Z.of_nat cg + c)%Z :: j))
      (at_ S w ((o / Z.of_nat m * Z.of_nat cg + c)%Z :: (o mod Z.of_nat m)%Z :: v)).

  (** ONNX's term, where the place is none of X too. *)
  Lemma pair_is_term group n cg m l (x w : tensor) n0 o c y v : 0 < group ->
    dims x = n :: group * cg :: map a_in l -> dims w = group * cg :: m :: map a_kernel l ->
    pair_at cg m x w n0 o c (sources l y v) v = transpose_term S group l x w n0 o y (c :: v).
  Proof.
    intros g0 Dx Dw. unfold transpose_term. cbv zeta. rewrite Dx, Dw. cbn [nth tl].
    replace (group * cg / group) with cg by (rewrite Nat.mul_comm, Nat.div_mul; lia). unfold pair_at.
    destruct (in_box _ _) eqn:I; [reflexivity |]. rewrite (at_outside S x) by (now rewrite Dx). apply zero_times_l, laws.
  Qed.
End Terms.

Section Sums.
  Variable S : arith.
  Variable laws : ring_laws S.
  Notation num := (num S).

  Theorem sum_windows l : forall y (H : list Z -> list Z -> num), Forall axis_facts l -> Forall (fun a => a_dilation a = 1) l ->
    List.length y = List.length l ->
    (forall j v, in_box (map a_kernel l) v = false -> H j v = s_zero S) ->
    (forall j v, in_box (map a_in l) j = false -> H j v = s_zero S) ->
    s_sum S (map span l) (fun u => H (reached l y u) (kernel_cells l y u)) =
    s_sum S (map a_kernel l) (fun v => H (sources l y v) v).
  Proof.
    induction l as [| a l IH]; intros [| z y] H F Dl E Hk Hi; try discriminate; [reflexivity |].
    inversion F as [| ? ? Fa F']; subst. inversion Dl as [| ? ? Da Dl']; subst. cbn [map] in *.
    rewrite !(sum_cons S laws).
    set (s := Z.of_nat (a_stride a)). set (e := (z + Z.of_nat (a_before a))%Z). set (p := (z / s + low a)%Z).
    set (f := fun j v => s_sum S (map a_kernel l) (fun v' => H (j :: sources l y v') (v :: v'))).
    assert (zero : forall g : list Z -> num, (forall v, g v = s_zero S) -> s_sum S (map a_kernel l) g = s_zero S)
      by (intros g G; rewrite (sum_total S laws); apply (total_zero S laws); intros v _; apply G).
    assert (s0 : (0 < s)%Z) by (destruct Fa; unfold s; lia).
    transitivity (total S (seq 0 (span a)) (fun u => f (p + Z.of_nat u)%Z (e - s * (p + Z.of_nat u))%Z)).
    - apply total_ext. intros u _. unfold f.
      rewrite <- (IH y (fun j v =>
        H ((p + Z.of_nat u)%Z :: j) ((e - s * (p + Z.of_nat u))%Z :: v)) F' Dl' ltac:(now injection E)).
      + apply s_sum_ext. intros t _. cbn [reached kernel_cells]. fold s. f_equal. f_equal.
        pose proof (Z.div_mod z s ltac:(lia)). unfold e, p. lia.
      + intros j v V. apply Hk. cbn [Kernel.in_box]. rewrite V. apply andb_false_r.
      + intros j v V. apply Hi. cbn [Kernel.in_box]. rewrite V. apply andb_false_r.
    - rewrite (sum_window S laws f s e p (span a) (a_kernel a) s0).
      + apply total_ext. intros v _. unfold f. apply s_sum_ext. intros v' _. cbn [sources]. fold s e.
        rewrite Da, Z.mul_1_r. reflexivity.
      + intros j v V. apply zero. intros v'. apply Hk. cbn [Kernel.in_box].
        destruct ((0 <=? v) && (v <? Z.of_nat (a_kernel a)))%Z eqn:B; [rewrite andb_true_iff in B; lia | reflexivity].
      + intros v. apply zero. intros v'. now apply Hi.
      + intros v V M. unfold p. now apply source_in_span.
  Qed.

  (** ** The Conv *)

  Notation tensor := (tensor num).

  Lemma unit_conv_value (x f : tensor) (b : option tensor) n c ns o c' us ds ps group :
    dims x = n :: c :: ns -> dims f = o :: c' :: us ->
    match b with Some b => dims b = [o] | None => True end ->
    0 < group -> c mod group = 0 -> c / group = c' -> o mod group = 0 -> 0 < List.length us -> List.length ns = List.length us ->
    List.length ds = List.length us -> Forall (fun k => 0 < k) us -> Forall (fun d => 0 < d) ds ->
    window_counts false ns us (repeat 1 (List.length us)) ds (repeat 0 (List.length us)) (repeat 0 (List.length us)) = Some ps ->
    op_value S "Conv"
      [("kernel_shape", nats_value us); ("strides", nats_value (repeat 1 (List.length us)));
       ("pads", nats_value (repeat 0 (2 * List.length us))); ("dilations", nats_value ds); ("group", nat_value group)]
      (map GTensor (x :: f :: match b with Some b => [b] | None => [] end)) =
    Some (GTensor (tabulate (n :: o :: ps) (fun i =>
      let c := conv_cell S (Window (repeat 1 (List.length us)) ds (repeat 0 (2 * List.length us))) group x f i in
      match b with Some b => s_add S c (at_ S b [nth 1 i 0%Z]) | None => c end))).
  Proof.
    intros Dx Df Db g0 Cg Cc Og u0 ln ld U D W. set (r := List.length us) in *.
    transitivity (OpTable.one (let? (w, g) := (let? w := (let? ss := shape_of (nats_value (repeat 1 r)) in
              let? pp := shape_of (nats_value (repeat 0 (2 * r))) in let? dd := shape_of (nats_value ds) in
              Some (Window ss dd pp)) in let? kernel := shape_of (nats_value us) in let? g := natural (nat_value group) in
              guard (sizes_eqb kernel (skipn 2 (dims f))) (Some (w, g))) in conv S w g x f b)).
    { destruct b; reflexivity. }
    rewrite !shape_of_nats, natural_nat. rewrite Df. cbn [skipn]. rewrite sizes_eqb_refl. cbn [guard].
    unfold conv. rewrite Dx, Df. unfold conv_dims.
    replace (match option_map dims b with Some bs => sizes_eqb bs [o] | None => true end) with true.
    2: { destruct b as [b |]; [cbn [option_map]; now rewrite Db, sizes_eqb_refl | reflexivity]. }
    rewrite ln, Cg, Cc, Og, !Nat.eqb_refl, (proj2 (Nat.ltb_lt 0 r) u0), (proj2 (Nat.ltb_lt 0 group) g0). cbn [guard andb].
    unfold spatial_dims, window_ok. cbn [strides dilations pads]. rewrite ln, !repeat_length, ld, !Nat.eqb_refl.
    assert (forall l, Forall (fun k => 0 < k) l -> forallb (Nat.ltb 0) l = true) as Pos.
    { intros l H. apply forallb_forall. intros k ink. apply Nat.ltb_lt. exact (proj1 (Forall_forall _ _) H k ink). }
    rewrite (Pos ds D), (Pos us U), (Pos (repeat 1 r)) by (apply Forall_forall; intros k ink; apply repeat_spec in ink; lia).
    cbn [guard andb]. unfold pads_before, pads_after. cbn [strides pads]. rewrite repeat_length.
    replace (2 * r) with (r + r) by lia. rewrite repeat_app, firstn_app, skipn_app, repeat_length, Nat.sub_diag.
    rewrite firstn_all2, skipn_all2 by (rewrite repeat_length; lia). cbn [firstn skipn app]. rewrite app_nil_r, W.
    destruct b; reflexivity.
  Qed.
End Sums.
