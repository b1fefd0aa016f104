(** * Convolutions of integers, computed in floats

    What ConvInteger and QLinearConv have in common (c/onnx/expand_quant.c, [conv]): the convolution of X - x_zero_point by
    W - w_zero_point, with a bias, in integers.  X is less its zero point before it is padded, so that the padding is the zero
    point itself.  The zero point of X is one for all, that of W one for all or one for each channel of the result.  The
    convolution is of float32 if no sum can reach 2^24 in absolute value, which is told from the weights if they are constant,
    and of binary64 otherwise: it is exact, cell by cell. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof
  tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsWindow tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import tensor.FloatIntegers onnx.Composition onnx.Steps onnx.Elements onnx.Bytes onnx.QuantizeLinear.
From Calque Require Import onnx.ExactSums onnx.IntegerProducts.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** ** The composition *)

(** The axis of W along which the channels of the result are. *)
Notation filter_axis := (Some 0%nat).

(** The greatest sum of |w| over the weights of one channel of the result. *)
Definition channel_sum (w : tensor Z) : Z :=
  match dims w with
  | o :: ds => fold_right Z.max 0 (map (fun j => total ds (fun k => Z.abs (get 0 w (j ++ k)))) (box [o]))
  | [] => 0
  end.

(** The same if only the range of W is known. *)
Definition greatest_weights (signed : bool) (w : factor) (zero : zero_point) : Z :=
  match constant_factor filter_axis w zero with
  | Some c => channel_sum c
  | None => Z.of_nat (Nat.max 1 (cell_count (tl (fst w)))) * reach signed zero
  end.

(** The greatest |bias|, which is int32. *)
Definition greatest_bias (bias : option factor) : Z :=
  match bias with
  | None => 0
  | Some (_, Some l) => fold_right Z.max 0 (map Z.abs l)
  | Some (_, None) => 2 ^ 31
  end.

Definition window_attributes (w : window) (kernel : sizes) (group : nat) : attributes :=
  [("kernel_shape", nats_value kernel); ("strides", nats_value (strides w)); ("pads", nats_value (pads w));
   ("dilations", nats_value (dilations w)); ("group", nat_value group)].

Section Composition.
  Variables (signed signed_w : bool) (win : window) (group : nat) (x : sizes) (zx : zero_point).
  Variables (w : factor) (zw : zero_point) (bias : option factor).
  (** Numbers of inputs: X, its zero point, W, its zero point, the bias. *)
  Variables kx kzx kw kzw kb : nat.

  (** No sum is greater in absolute value, nor is a sum of some of its terms. *)
  Definition conv_most : Z := reach signed zx * greatest_weights signed_w w zw + greatest_bias bias.
  (** Is it of binary64? *)
  Definition conv_wide : bool := is_wide conv_most.

  (** The bias as a float, if there is one. *)
  Definition added_bias : build (list nat) :=
    match bias with
    | None => Return []
    | Some (d, Some l) => b <- constant (real_code conv_wide) d (map LInt l) ;; Return [b]
    | Some (_, None) => b <- cast (real_code conv_wide) kb ;; Return [b]
    end.

  Definition convolved (x f : nat) : build nat :=
    more <- added_bias ;; apply "Conv" (window_attributes win (skipn 2 (fst w)) group) (x :: f :: more).

  (** The node of the sums. *)
  Definition conv_sums : option (build nat) :=
    let? px := zero_dims None x zx in
    let? pw := zero_dims filter_axis (fst w) zw in
    let? _ := conv_dims win group x (fst w) (option_map fst bias) in
    guard (conv_most <? 2 ^ 53)
      (Some match constant_factor filter_axis w zw with
            | Some c =>
                x <- less_zero (real_code conv_wide) kx kzx zx px ;;
                f <- constant (real_code conv_wide) (fst w) (map LInt (cells c)) ;; convolved x f
            | None =>
                y <- less_zero i32_code kw kzw zw pw ;; x <- less_zero (real_code conv_wide) kx kzx zx px ;;
                f <- cast (real_code conv_wide) y ;; convolved x f
            end).
End Composition.

(** ** How great the sums are *)

Lemma total_same ns c : total ns (fun _ => c) = Z.of_nat (cell_count ns) * c.
Proof.
  unfold total. rewrite <- length_box. induction (box ns) as [| k l IH]; cbn [map fold_right List.length]; [lia |].
  rewrite IH. lia.
Qed.

Lemma channel_bound w n ds o : dims w = n :: ds -> total ds (fun k => Z.abs (get 0 w (o :: k))) <= channel_sum w.
Proof.
  intros D. unfold channel_sum. rewrite D. destruct (in_box [n] [o]) eqn:I.
  - apply greatest_le. apply in_map_iff. exists [o]. split; [reflexivity | now apply in_box_box].
  - rewrite total_zero; [apply greatest_pos |]. intros k _. rewrite get_outside_zero; [reflexivity |]. rewrite D.
    cbn [Kernel.in_box] in I |- *. rewrite andb_true_r in I. now rewrite I.
Qed.

Lemma centre_dims axis zero (t : tensor Z) : dims (centre axis zero t) = dims t.
Proof. reflexivity. Qed.

(** The weights of a channel, whether they are constant or not. *)
Lemma weights_bound signed known known_z w zero q n ds o : dims w = n :: ds -> good w -> Forall (in_range signed) (cells w) ->
  valid_zero signed zero -> zero_dims filter_axis (dims w) (zero_input known_z zero) = Some q ->
  total ds (fun k => Z.abs (get 0 (centre filter_axis zero w) (o :: k))) <=
  greatest_weights signed (factor_input known w) (zero_input known_z zero).
Proof.
  intros D G R V Q. unfold greatest_weights.
  destruct (constant_factor filter_axis (factor_input known w) (zero_input known_z zero)) as [c |] eqn:E.
  - apply constant_factor_is in E. subst c. apply channel_bound with (n := n). exact D.
  - cbn [factor_input fst]. rewrite D. cbn [tl]. pose proof (reach_pos signed (zero_input known_z zero)) as P.
    apply Z.le_trans with (total ds (fun _ => reach signed (zero_input known_z zero))).
    + apply total_le. intros k _. exact (reach_bound signed _ known_z zero w q (o :: k) G R V Q).
    + rewrite total_same. apply Z.mul_le_mono_nonneg_r; [exact P | lia].
Qed.

Lemma bias_bound known (b : tensor Z) i : good b -> Forall (fun z => - 2 ^ 31 <= z < 2 ^ 31) (cells b) ->
  Z.abs (get 0 b i) <= greatest_bias (Some (factor_input known b)).
Proof.
  intros G R. destruct (in_box (dims b) i) eqn:I.
  - pose proof (get_in 0 b i G I) as In_. destruct known; cbn [factor_input greatest_bias].
    + apply greatest_le. now apply in_map.
    + pose proof (proj1 (Forall_forall _ _) R _ In_) as Z_. cbv beta in Z_. lia.
  - rewrite get_outside_zero by exact I. destruct known; cbn [factor_input greatest_bias]; [apply greatest_pos | lia].
Qed.

(** ** The convolution is exact *)

Section Exact.
  Variable wide : bool.
  Notation summand := (summand wide).
  Notation integral := (integral wide).

  Definition integral_option (o : option (tensor (num S))) (p : option (tensor Z)) : Prop :=
    match o, p with Some t, Some u => integral t u | None, None => True | _, _ => False end.

  Variables (win : window) (group : nat) (x f : tensor (num S)) (a w : tensor Z).
  Variables (b : option (tensor (num S))) (c : option (tensor Z)) (r m g : Z).
  Hypotheses (X : integral x a) (F : integral f w) (B : integral_option b c).
  Hypothesis r_pos : 0 <= r.
  Hypothesis factor : forall i, Z.abs (get 0 a i) <= r.
  Hypothesis weights : forall o, total (tl (dims w)) (fun k => Z.abs (get 0 w (o :: k))) <= m.
  Hypothesis added : match c with Some t => forall i, Z.abs (get 0 t i) <= g | None => 0 <= g end.
  Hypothesis small : r * m + g < limit wide.

  Lemma term_small n o y k : Z.abs (conv_term integers win group a w n o y k) <= r * Z.abs (get 0 w (o :: k)).
  Proof.
    unfold conv_term. cbv zeta. change (num integers) with Z. set (i := n :: _ :: _). destruct (in_box (dims a) i).
    - change (s_mul integers) with Z.mul. change (at_ integers) with (get 0). rewrite Z.abs_mul.
      apply Z.mul_le_mono_nonneg_r; [lia | apply factor].
    - change (s_zero integers) with 0. lia.
  Qed.

  Lemma terms_small n o y : total (tl (dims w)) (fun k => Z.abs (conv_term integers win group a w n o y k)) <= r * m.
  Proof.
    eapply Z.le_trans; [apply total_le; intros k _; apply term_small |]. rewrite total_scale.
    apply Z.mul_le_mono_nonneg_l; [exact r_pos | apply weights].
  Qed.

  Lemma added_pos : 0 <= g.
  Proof. destruct c as [t |]; [| exact added]. pose proof (added []). lia. Qed.

  Lemma cell_exact n o y : summand (conv_cell S win group x f (n :: o :: y)) (conv_cell integers win group a w (n :: o :: y)).
  Proof.
    destruct X as [Dx Hx], F as [Df Hf]. pose proof added_pos as Pg. pose proof (terms_small n o y) as T.
    assert (r * m < limit wide) as L by lia. cbn [conv_cell]. rewrite Df. change (num integers) with Z.
    apply sum_exact; [| exact (Z.le_lt_trans _ _ _ T L)]. intros k K.
    assert (Z.abs (conv_term integers win group a w n o y k) < limit wide) as One.
    { eapply Z.le_lt_trans; [| exact L]. eapply Z.le_trans; [| exact T].
      exact (total_one (tl (dims w)) (fun k => Z.abs (conv_term integers win group a w n o y k)) k ltac:(intros; lia) K). }
    unfold conv_term in *. change (num integers) with Z in *. rewrite Dx, Df. cbv zeta in *. set (i := n :: _ :: _) in *.
    destruct (in_box (dims a) i); [| right; now split].
    apply summand_mul; [apply Hx | apply Hf | exact One].
  Qed.

  Lemma cell_small n o y : Z.abs (conv_cell integers win group a w (n :: o :: y)) <= r * m.
  Proof. cbn [conv_cell]. eapply Z.le_trans; [apply sum_abs | apply terms_small]. Qed.

  Theorem conv_exact v : conv integers win group a w c = Some v ->
    exists u, conv S win group x f b = Some u /\ good u /\ good v /\ integral u v /\
      forall i, Z.abs (get 0 v i) <= r * m + g.
  Proof.
    intros E. pose proof X as [Dx _]. pose proof F as [Df _]. pose proof added_pos as Pg.
    pose proof cell_exact as Ce. pose proof cell_small as Cs.
    assert (0 <= m) as Pm.
    { eapply Z.le_trans; [| exact (weights 0)]. unfold total. clear.
      induction (box (tl (dims w))); cbn [map fold_right]; lia. }
    assert (0 <= r * m) as Prm by now apply Z.mul_nonneg_nonneg.
    unfold conv in E |- *. change (num integers) with Z in E. rewrite Dx, Df.
    replace (option_map dims b) with (option_map dims c).
    2: { destruct b as [t |], c as [u |]; try contradiction; [| reflexivity].
         exact (f_equal Some (eq_sym (proj1 B))). }
    destruct (conv_dims win group (dims a) (dims w) (option_map dims c)) as [out |] eqn:D; [| discriminate].
    unfold table in E |- *. apply some_is in E. subst v. eexists. split; [reflexivity |].
    split; [apply good_tabulate |]. split; [apply good_tabulate |]. cbn [dims tabulate].
    assert (Two : forall i, in_box out i = true -> exists n o y, i = n :: o :: y).
    { intros i I. unfold conv_dims in D. destruct (dims a) as [| p [| q ns]]; [discriminate | discriminate |].
      destruct (dims w) as [| o [| c' ks]]; [discriminate | discriminate |]. unfold guard in D.
      destruct (_ && _) in D; [| discriminate]. destruct (spatial_dims false win ks ns) as [l |]; [| discriminate].
      apply some_is in D. subst out. apply in_box_length in I. destruct i as [| n [| z y]]; try discriminate I. eauto. }
    split.
    - apply integral_inside; [reflexivity |]. cbn [dims tabulate]. intros i I. unfold at_ at 1.
      rewrite !get_tabulate by exact I. destruct (Two i I) as (n & o & y & ->). cbn [nth].
      destruct b as [t |], c as [u |]; try contradiction; [| apply Ce].
      apply summand_add; [apply Ce | apply B |]. change (at_ integers) with (get 0).
      pose proof (Cs n o y). pose proof (added [o]). lia.
    - intros i. destruct (in_box out i) eqn:I; [| rewrite get_outside_zero by exact I; lia].
      rewrite get_tabulate by exact I. destruct (Two i I) as (n & o & y & ->). cbn [nth]. pose proof (Cs n o y).
      destruct c as [u |]; [| lia]. change (s_add integers) with Z.add. change (at_ integers) with (get 0).
      pose proof (added [o]). lia.
  Qed.
End Exact.

(** ** The steps *)

Lemma conv_value win kernel group (x f : tensor (num S)) (o : option (tensor (num S))) : skipn 2 (dims f) = kernel ->
  op_value S "Conv" (window_attributes win kernel group)
    (GTensor x :: GTensor f :: match o with Some b => [GTensor b] | None => [] end) = one (conv S win group x f o).
Proof.
  intros <-. assert (conv_params (window_attributes win (skipn 2 (dims f)) group) (dims x) (dims f) = Some (win, group)) as P.
  { transitivity (let? w := (let? ss := shape_of (nats_value (strides win)) in
      let? ps := shape_of (nats_value (pads win)) in let? ds := shape_of (nats_value (dilations win)) in
      Some (Window ss ds ps)) in let? kernel := shape_of (nats_value (skipn 2 (dims f))) in
      let? g := natural (nat_value group) in guard (sizes_eqb kernel (skipn 2 (dims f))) (Some (w, g))); [reflexivity |].
    rewrite !shape_of_nats, natural_nat. rewrite sizes_eqb_refl. now destruct win. }
  destruct o as [b |].
  - change (one (let? (w, g) := conv_params (window_attributes win (skipn 2 (dims f)) group) (dims x) (dims f) in
      conv S w g x f (Some b)) = one (conv S win group x f (Some b))). now rewrite P.
  - change (one (let? (w, g) := conv_params (window_attributes win (skipn 2 (dims f)) group) (dims x) (dims f) in
      conv S w g x f None) = one (conv S win group x f None)). now rewrite P.
Qed.

Lemma kernel_sizes win group x w b out : conv_dims win group x w b = Some out -> exists n ds, w = n :: ds.
Proof. unfold conv_dims. destruct x as [| ? [| ? ?]], w as [| o ks]; try discriminate. eauto. Qed.

Notation int32s t := (Forall (fun z => - 2 ^ 31 <= z < 2 ^ 31) (cells t)).
Notation good_bytes signed t := (good t /\ Forall (in_range signed) (cells t)).

Section Runs.
  Variables (signed signed_w : bool) (win : window) (group : nat).
  Variables (x w : tensor Z) (zx zw bias : option (tensor Z)) (known_zx known_w known_zw known_b : bool).
  Variables kx kzx kw kzw kb : nat.
  Notation zero_x := (zero_input known_zx zx).
  Notation zero_w := (zero_input known_zw zw).
  Notation weights := (factor_input known_w w).
  Notation adds := (zero_input known_b bias).
  Notation most := (conv_most signed signed_w zero_x weights zero_w adds).
  Notation wide := (conv_wide signed signed_w zero_x weights zero_w adds).

  Hypotheses (Bx : good_bytes signed x) (Bw : good_bytes signed_w w).
  Hypotheses (Vx : valid_zero signed zx) (Vw : valid_zero signed_w zw).
  Hypothesis Bb : match bias with Some t => good t /\ int32s t | None => True end.

  (** The inputs of this convolution are those values. *)
  Definition inputs_known (vs : list (gvalue (tensor (num S)))) : Prop :=
    knows vs kx (GTensor (of_cells (byte signed) x)) /\ knows vs kw (GTensor (of_cells (byte signed_w) w)) /\
    (forall t, zx = Some t -> knows vs kzx (GTensor (of_cells (byte signed) t))) /\
    (forall t, zw = Some t -> knows vs kzw (GTensor (of_cells (byte signed_w) t))) /\
    (forall t, bias = Some t -> knows vs kb (GTensor (of_cells I32 t))).

  Lemma inputs_later vs ws : inputs_known vs -> extends S vs ws -> inputs_known ws.
  Proof.
    intros (A & B & C & D & E) X. repeat split; try intros t T; eauto using knows_later.
  Qed.

  Lemma weights_pos : 0 <= greatest_weights signed_w weights zero_w.
  Proof.
    unfold greatest_weights. destruct (constant_factor _ _ _) as [c |].
    - unfold channel_sum. destruct (dims c); [lia | apply greatest_pos].
    - apply Z.mul_nonneg_nonneg; [lia | apply reach_pos].
  Qed.

  Lemma product_pos : 0 <= reach signed zero_x * greatest_weights signed_w weights zero_w.
  Proof. apply Z.mul_nonneg_nonneg; [apply reach_pos | apply weights_pos]. Qed.

  Lemma wide_limit : most < 2 ^ 53 -> most < limit wide.
  Proof. unfold conv_wide, is_wide, limit, bits. destruct (Z.leb_spec (2 ^ 24) most); auto. Qed.

  Lemma bias_small :
    match bias with Some t => forall i, Z.abs (get 0 t i) <= greatest_bias adds | None => 0 <= greatest_bias adds end.
  Proof. destruct bias as [t |]; [| easy]. intros i. exact (bias_bound known_b t i (proj1 Bb) (proj2 Bb)). Qed.

  Lemma added_runs vs : most < 2 ^ 53 -> inputs_known vs ->
    runs vs (added_bias signed signed_w zero_x weights zero_w adds kb) (fun ws more => exists b,
      integral_option wide b bias /\ Forall2 (knows ws) more (match b with Some t => [GTensor t] | None => [] end)).
  Proof.
    intros L (_ & _ & _ & _ & K). apply wide_limit in L. pose proof bias_small as Small. pose proof product_pos as P.
    assert (greatest_bias adds < limit wide) as Lb by (unfold conv_most in L at 1; lia). unfold added_bias.
    revert Lb. generalize wide. intros wide Lb. destruct bias as [t |]; cbn [zero_input option_map] in *.
    2: { apply runs_return. now exists None. }
    destruct Bb as [Gt Rt]. specialize (K t eq_refl).
    assert (Lt : forall i, Z.abs (get 0 t i) < limit wide) by (intros i; exact (Z.le_lt_trans _ _ _ (Small i) Lb)).
    destruct known_b.
    - eapply runs_bind.
      { apply (constant_runs (real wide) (real_literal wide)); [exact (eq_sym Gt) | intros z _; apply typed_real]. }
      intros ws b _ B. cbv beta in B. apply runs_return. exists (Some (of_cells (real wide) (each (real_literal wide) t))).
      split; [exact (integral_literals wide t Gt Lt) | constructor; [exact B | constructor]].
    - eapply runs_bind.
      { apply (cast_runs I32 (real wide) (real_number wide) vs (real_code wide) kb t ltac:(now destruct wide) K Gt). intros z _.
        now destruct wide. }
      intros ws b _ B. cbv beta in B. apply runs_return. exists (Some (of_cells (real wide) (each (real_number wide) t))).
      split; [exact (integral_numbers wide t Gt Lt) | constructor; [exact B | constructor]].
  Qed.

  Section There.
    Variables px pw : sizes.
    Hypotheses (Px : zero_dims None (dims x) zero_x = Some px) (Pw : zero_dims filter_axis (dims w) zero_w = Some pw).
    Notation cx := (centre None zx x).
    Notation cw := (centre filter_axis zw w).
    Variable v : tensor Z.
    Hypothesis Ev : conv integers win group cx cw bias = Some v.
    Hypothesis L53 : most < 2 ^ 53.

    Theorem sums_exact (a f : tensor (num S)) b : integral wide a cx -> integral wide f cw -> integral_option wide b bias ->
      exists u, conv S win group a f b = Some u /\ good u /\ good v /\ integral wide u v /\ forall i, Z.abs (get 0 v i) <= most.
    Proof.
      intros Ia If Ib. destruct Bx as [Gx Rx], Bw as [Gw Rw].
      assert (exists n ds, dims w = n :: ds) as (n & ds & Dw).
      { unfold conv, table in Ev. destruct (conv_dims _ _ _ _ _) as [out |] eqn:D; [| discriminate].
        exact (kernel_sizes _ _ _ _ _ _ D). }
      apply (conv_exact wide win group a f cx cw b bias (reach signed zero_x) (greatest_weights signed_w weights zero_w)
        (greatest_bias adds) Ia If Ib).
      - apply reach_pos.
      - intros i. exact (reach_bound signed None known_zx zx x px i Gx Rx Vx Px).
      - intros o. rewrite centre_dims, Dw. exact (weights_bound signed_w known_w known_zw w zw pw n ds o Dw Gw Rw Vw Pw).
      - exact bias_small.
      - exact (wide_limit L53).
      - exact Ev.
    Qed.

    Lemma convolved_runs vs m n (a f : tensor (num S)) : inputs_known vs -> knows vs m (GTensor a) -> knows vs n (GTensor f) ->
      integral wide a cx -> integral wide f cw ->
      runs vs (convolved signed signed_w win group zero_x weights zero_w adds kb m n)
        (fun ws k => exists t, knows ws k (GTensor t) /\ good t /\ integral wide t v).
    Proof.
      intros Kn Ka Kf Ia If. unfold convolved. eapply runs_bind; [exact (added_runs vs L53 Kn) |].
      intros ws more X (b & Ib & Km). destruct (sums_exact a f b Ia If Ib) as (u & U & Gu & _ & Iu & _). eapply runs_weaken.
      - eapply runs_apply.
        + constructor; [exact (knows_later _ _ _ _ Ka X) |]. constructor; [exact (knows_later _ _ _ _ Kf X) | exact Km].
        + rewrite conv_value by (now rewrite (proj1 If)). rewrite U. reflexivity.
      - intros us k _ K. cbv beta in K. exists u. auto.
    Qed.
  End There.

  Theorem conv_sums_runs vs b :
    conv_sums signed signed_w win group (dims x) zero_x weights zero_w adds kx kzx kw kzw kb = Some b -> inputs_known vs ->
    exists v, conv integers win group (centre None zx x) (centre filter_axis zw w) bias = Some v /\ good v /\
      (forall i, Z.abs (get 0 v i) <= most) /\ most < limit wide /\
      runs vs b (fun ws k => exists t, knows ws k (GTensor t) /\ good t /\ integral wide t v).
  Proof.
    intros B Kn. unfold conv_sums in B.
    destruct (zero_dims None (dims x) zero_x) as [px |] eqn:Px; [| discriminate]. cbn [factor_input fst] in B.
    destruct (zero_dims filter_axis (dims w) zero_w) as [pw |] eqn:Pw; [| discriminate].
    destruct (conv_dims win group (dims x) (dims w) (option_map fst adds)) as [out |] eqn:D; [| discriminate].
    unfold guard in B. fold (factor_input known_w w) in B. destruct (Z.ltb_spec most (2 ^ 53)) as [L53 |]; [| discriminate].
    apply some_is in B. assert (exists v, conv integers win group (centre None zx x) (centre filter_axis zw w) bias = Some v)
      as (v & Ev).
    { assert (conv_dims win group (dims (centre None zx x)) (dims (centre filter_axis zw w)) (option_map dims bias) = Some out)
        as E by (rewrite <- D; f_equal; now destruct bias).
      unfold conv, table. change (num integers) with Z. rewrite E. eauto. }
    exists v. split; [exact Ev |]. pose proof (wide_limit L53) as L. destruct Kn as (Kx & Kw & Kzx & Kzw & Kb).
    assert (Kn : inputs_known vs) by (repeat split; assumption). destruct Bx as [Gx Rx], Bw as [Gw Rw].
    assert (Cx : forall i, Z.abs (get 0 (centre None zx x) i) < limit wide).
    { intros i. pose proof (centre_small signed None zx known_zx x px i Gx Rx Vx Px).
      assert (255 < limit wide) by (unfold limit, bits; now destruct wide). lia. }
    assert (Cw : forall i, Z.abs (get 0 (centre filter_axis zw w) i) < limit wide).
    { intros i. pose proof (centre_small signed_w filter_axis zw known_zw w pw i Gw Rw Vw Pw).
      assert (255 < limit wide) by (unfold limit, bits; now destruct wide). lia. }
    pose proof (integral_numbers wide (centre None zx x) (good_tabulate _ _) Cx) as Ia.
    pose proof (integral_numbers wide (centre filter_axis zw w) (good_tabulate _ _) Cw) as Iw.
    pose proof (integral_literals wide (centre filter_axis zw w) (good_tabulate _ _) Cw) as Ic.
    destruct (added_runs vs L53 Kn) as (_ & _ & _ & _ & bb & Ib & _).
    destruct (sums_exact px pw Px Pw v Ev L53 _ _ bb Ia Iw Ib) as (_ & _ & _ & Gv & _ & Most).
    split; [exact Gv |]. split; [exact Most |]. split; [exact L |]. subst b.
    destruct (constant_factor filter_axis weights zero_w) as [c |] eqn:E.
    - apply constant_factor_is in E. subst c. eapply runs_bind.
      { exact (less_zero_real wide signed None vs x kx kzx zx known_zx px Vx Gx Rx Px Kx Kzx). }
      intros ws a Xa Ka. cbv beta in Ka. eapply runs_bind.
      { apply (constant_runs (real wide) (real_literal wide) ws _ (dims w) (cells (centre filter_axis zw w)));
          [exact (eq_sym (good_tabulate _ _)) | intros z _; apply typed_real]. }
      intros us f Xf Kf. cbv beta in Kf.
      apply (convolved_runs px pw Px Pw v Ev L53 us a f _ _ (inputs_later _ _ Kn (extends_trans S _ _ _ Xa Xf))
        (knows_later _ _ _ _ Ka Xf) Kf Ia Ic).
    - eapply runs_bind; [exact (less_zero_int signed_w filter_axis vs w kw kzw zw known_zw pw Vw Gw Rw Pw Kw Kzw) |].
      intros w1 y X1 Ky. cbv beta in Ky. eapply runs_bind.
      { apply (less_zero_real wide signed None w1 x kx kzx zx known_zx px Vx Gx Rx Px (knows_later _ _ _ _ Kx X1)).
        intros t T. exact (knows_later _ _ _ _ (Kzx t T) X1). }
      intros w2 a X2 Ka. cbv beta in Ka. eapply runs_bind.
      { apply (cast_runs I32 (real wide) (real_number wide) w2 (real_code wide) y _ ltac:(now destruct wide)
          (knows_later _ _ _ _ Ky X2) (good_tabulate _ _)). intros z _. now destruct wide. }
      intros w3 f X3 Kf. cbv beta in Kf.
      apply (convolved_runs px pw Px Pw v Ev L53 w3 a f _ _
        (inputs_later _ _ Kn (extends_trans S _ _ _ X1 (extends_trans S _ _ _ X2 X3))) (knows_later _ _ _ _ Ka X3) Kf Ia Iw).
  Qed.
End Runs.
