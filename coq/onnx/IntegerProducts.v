(** * MatMulInteger: sums of products of integers, computed in float32

    Y = (A - a_zero_point) * (B - b_zero_point) in integers, of which int32 has the low 32 bits.
    The sums are float32, and exact:
    no partial sum reaches 2^24, which the composition asks of the weights.  Covered is B that is constant, with a constant zero
    point or none, where float32 holds the sums; otherwise c/onnx/expand_quant.c computes in binary64, which is left out here. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof
  tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import tensor.FloatIntegers onnx.Composition onnx.Steps onnx.Elements onnx.Bytes onnx.QuantizeLinear.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** ** The formula *)

(** Less its zero point. *)
Definition centre (axis : option nat) (zero : option (tensor Z)) (t : tensor Z) : tensor Z :=
  tabulate (dims t) (fun i => get 0 t i - zero_at axis zero i).

(** The zero point of A is one for all, or one for each row; that of B one for all, or one for each column. *)
Definition row_axis (ds : sizes) : option nat := match List.length ds with Datatypes.S (Datatypes.S n) => Some n | _ => None end.
Definition column_axis (ds : sizes) : option nat := match List.length ds with Datatypes.S n => Some n | _ => None end.

(** [matmul integers]: the sums of products, over the integers. *)
Definition onnx_matmul_integer (a b : tensor Z) (za zb : option (tensor Z)) : option (tensor Z) :=
  guard (zero_fits (row_axis (dims a)) (dims a) za && zero_fits (column_axis (dims b)) (dims b) zb)
    (option_map (each wrap32) (matmul integers (centre (row_axis (dims a)) za a) (centre (column_axis (dims b)) zb b))).

(** ** The composition *)

(** The greatest |x - zero point|. *)
Definition reach (signed : bool) (zero : zero_point) : Z :=
  match zero with
  | None => Z.max (highest signed) (- lowest signed)
  | Some (_, Some l) => fold_right Z.max 0 (map (fun z => Z.max (highest signed - z) (z - lowest signed)) l)
  | Some (_, None) => 255
  end.

Definition total (ns : list nat) (f : list Z -> Z) : Z := fold_right Z.add 0 (map f (box ns)).

(** The greatest sum of |w| down a column. *)
Definition column (w : tensor Z) : option Z :=
  let? (pb, inner, cols) := matmul_right (dims w) in
  let n := List.length pb in
  Some (fold_right Z.max 0 (map (fun j => total [inner] (fun k => Z.abs (get 0 w (firstn n j ++ k ++ skipn n j))))
    (box (pb ++ cols)))).

Definition matmul_integer_composition (signed : bool) (a : sizes) (za : zero_point) (b : tensor Z) (zb : option (tensor Z))
  : option (build nat) :=
  let? p := zero_dims (row_axis a) a za in
  let w := centre (column_axis (dims b)) zb b in
  let? most := column w in
  let? _ := matmul_dims a (dims b) in
  guard (zero_fits (column_axis (dims b)) (dims b) zb && (reach signed za * most <? 2 ^ 24))
    (Some (x <- centered 0 2 za p ;; w <- constant f32_code (dims b) (map LInt (cells w)) ;;
           y <- apply "MatMul" [] [x; w] ;; cast i32_code y)).

(** ** Sums of floats that are integers *)

(** A number of float32, or the 0 of all types that sums start with. *)
Definition summand (a : num S) (z : Z) : Prop :=
  (exists x, a = scalar_of (F32 x) /\ stands 24 128 x z) \/ a = s_zero S /\ z = 0.

Lemma zero_stands : stands 24 128 (S754_zero false) 0.
Proof. reflexivity. Qed.

Lemma summand_add a b y z : summand a y -> summand b z -> Z.abs (y + z) < 2 ^ 24 -> summand (s_add S a b) (y + z).
Proof.
  intros A B L. destruct A as [(x & -> & X) | [-> ->]], B as [(u & -> & U) | [-> ->]].
  - left. exists (SFadd 24 128 x u). split; [reflexivity |]. now apply add_stands.
  - left. exists (SFadd 24 128 x (S754_zero false)). split; [reflexivity |]. now apply add_stands.
  - left. exists (SFadd 24 128 (S754_zero false) u). split; [reflexivity |]. now apply add_stands.
  - right. split; reflexivity.
Qed.

Lemma summand_mul a b y z : summand a y -> summand b z -> Z.abs (y * z) < 2 ^ 24 -> summand (s_mul S a b) (y * z).
Proof.
  intros A B L. destruct A as [(x & -> & X) | [-> ->]], B as [(u & -> & U) | [-> ->]].
  - left. exists (SFmul 24 128 x u). split; [reflexivity |]. now apply mul_stands.
  - left. exists (SFmul 24 128 x (S754_zero false)). split; [reflexivity |]. now apply mul_stands.
  - left. exists (SFmul 24 128 (S754_zero false) u). split; [reflexivity |]. now apply mul_stands.
  - right. split; reflexivity.
Qed.

Lemma fold_exact (l : list (list Z)) f g : forall a z, summand a z -> (forall k, In k l -> summand (f k) (g k)) ->
  Z.abs z + fold_right Z.add 0 (map (fun k => Z.abs (g k)) l) < 2 ^ 24 ->
  summand (fold_left (fun acc k => s_add S acc (f k)) l a) (fold_left (fun acc k => acc + g k) l z).
Proof.
  induction l as [| k l IH]; intros a z A F L; [exact A |]. cbn [map fold_right fold_left] in *.
  assert (0 <= fold_right Z.add 0 (map (fun k => Z.abs (g k)) l)) as P by (clear; induction l; cbn [map fold_right]; lia).
  apply IH; [apply summand_add; [exact A | apply F; now left | lia] | intros j J; apply F; now right | lia].
Qed.

Theorem sum_exact ns f g : (forall k, in_box ns k = true -> summand (f k) (g k)) -> total ns (fun k => Z.abs (g k)) < 2 ^ 24 ->
  summand (s_sum S ns f) (s_sum integers ns g).
Proof.
  intros F L. unfold s_sum. destruct (single ns) eqn:E.
  - apply F, in_box_box. rewrite single_box by exact E. now left.
  - apply fold_exact; [right; now split | | exact L]. intros k K. apply F. now apply in_box_box.
Qed.

Lemma sum_abs ns g : Z.abs (s_sum integers ns g) <= total ns (fun k => Z.abs (g k)).
Proof.
  unfold s_sum, total. destruct (single ns) eqn:E.
  - rewrite single_box by exact E. cbn [map fold_right]. lia.
  - unfold reduce. change (s_zero integers) with 0. change (s_add integers) with Z.add.
    assert (forall l z, Z.abs (fold_left (fun acc k => acc + g k) l z)
      <= Z.abs z + fold_right Z.add 0 (map (fun k => Z.abs (g k)) l)) as H.
    { induction l as [| k l IH]; intros z; cbn [fold_left map fold_right]; [lia |]. specialize (IH (z + g k)). lia. }
    exact (H (box ns) 0).
Qed.

Lemma total_le ns f g : (forall k, in_box ns k = true -> f k <= g k) -> total ns f <= total ns g.
Proof.
  intros H. unfold total. assert (forall k, In k (box ns) -> f k <= g k) as K by (intros k I; apply H; now apply in_box_box).
  induction (box ns) as [| k l IH]; cbn [map fold_right]; [lia |]. pose proof (K k (or_introl eq_refl)).
  specialize (IH (fun j J => K j (or_intror J))). lia.
Qed.

Lemma total_scale ns c f : total ns (fun k => c * f k) = c * total ns f.
Proof. unfold total. induction (box ns) as [| k l IH]; cbn [map fold_right]; [lia |]. rewrite IH. lia. Qed.

Lemma total_zero ns f : (forall k, in_box ns k = true -> f k = 0) -> total ns f = 0.
Proof.
  intros H. unfold total. assert (forall k, In k (box ns) -> f k = 0) as K by (intros k I; apply H; now apply in_box_box).
  induction (box ns) as [| k l IH]; cbn [map fold_right]; [reflexivity |]. rewrite (K k (or_introl eq_refl)), IH;
    [reflexivity |].
  intros j J. apply K. now right.
Qed.

Lemma greatest_le l z : In z l -> z <= fold_right Z.max 0 l.
Proof. induction l as [| a l IH]; [easy |]. intros [-> | I]; cbn [fold_right]; [lia |]. specialize (IH I). lia. Qed.

Lemma greatest_pos l : 0 <= fold_right Z.max 0 l.
Proof. induction l; cbn [fold_right]; lia. Qed.

Lemma get_outside_zero (t : tensor Z) i : in_box (dims t) i = false -> get 0 t i = 0.
Proof. intros I. unfold get. now rewrite I. Qed.

Lemma matmul_right_dims ds pb inner cols : matmul_right ds = Some (pb, inner, cols) -> ds = pb ++ inner :: cols.
Proof.
  intros E. rewrite <- (rev_involutive ds). unfold matmul_right in E. destruct (rev ds) as [| k [| n r]]; [discriminate | |];
    injection E as <- <- <-.
  - reflexivity.
  - cbn [rev]. now rewrite <- !app_assoc.
Qed.

Lemma column_bound w most pb inner cols p c : matmul_right (dims w) = Some (pb, inner, cols) -> column w = Some most ->
  List.length p = List.length pb -> total [inner] (fun k => Z.abs (get 0 w (p ++ k ++ c))) <= most.
Proof.
  intros M C L. unfold column in C. rewrite M in C. apply some_is in C. pose proof (matmul_right_dims _ _ _ _ M) as D.
  destruct (in_box (pb ++ cols) (p ++ c)) eqn:I.
  - rewrite <- C. apply greatest_le. apply in_map_iff. exists (p ++ c). split; [| now apply in_box_box].
    rewrite <- L, firstn_app, firstn_all, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r.
    now rewrite skipn_app, skipn_all, Nat.sub_diag.
  - rewrite total_zero; [rewrite <- C; apply greatest_pos |]. intros k K. rewrite get_outside_zero; [reflexivity |]. rewrite D.
    destruct k as [| z [| ? ?]]; [discriminate | | apply in_box_length in K; discriminate].
    rewrite in_box_app in I |- * by exact L. destruct (in_box pb p); [| reflexivity]. cbn [andb app] in *.
    destruct (in_box (inner :: cols) (z :: c)) eqn:J; [| reflexivity]. apply in_box_cons in J. destruct J as [_ J]. congruence.
Qed.

Lemma total_one ns f k : (forall j, 0 <= f j) -> in_box ns k = true -> f k <= total ns f.
Proof.
  intros P K. apply in_box_box in K. unfold total. induction (box ns) as [| j l IH]; [easy |]. cbn [map fold_right].
  assert (0 <= fold_right Z.add 0 (map f l)) by (clear - P; induction l as [| b l IH]; cbn [map fold_right];
    [lia | pose proof (P b); lia]).
  destruct K as [-> | K]; [lia |]. specialize (IH K). pose proof (P j). lia.
Qed.

(** The product of tensors that are integers. *)
Definition integral (t : tensor (num S)) (u : tensor Z) : Prop := dims t = dims u /\ forall i, summand (at_ S t i) (get 0 u i).

Theorem matmul_exact x y a w most r v : integral x a -> integral y w -> column w = Some most -> 0 <= r -> (forall i,
  Z.abs (get 0 a i) <= r) ->
  r * most < 2 ^ 24 -> matmul integers a w = Some v ->
  exists u, matmul S x y = Some u /\ dims u = dims v /\ good u /\
    forall i, in_box (dims v) i = true -> summand (at_ S u i) (get 0 v i) /\ Z.abs (get 0 v i) < 2 ^ 24.
Proof.
  intros [Dx X] [Dy Y] C R A L M. unfold matmul in M |- *. change (num integers) with Z in M. rewrite Dx, Dy.
  destruct (matmul_left (dims a)) as [[[pa rows] inner] |] eqn:Ml; [| discriminate].
  destruct (matmul_right (dims w)) as [[[pb k'] cols] |] eqn:Mr; [| discriminate].
  unfold table in M |- *. destruct (matmul_dims (dims a) (dims w)) as [out |] eqn:Do; [| discriminate].
  unfold matmul_dims in Do. rewrite Ml, Mr in Do. destruct (broadcast pa pb) as [batch |] eqn:Bc; [| discriminate].
  unfold guard in Do. destruct (Nat.eqb_spec inner k') as [<- |]; [| discriminate]. apply some_is in Do. subst out.
  apply some_is in M. subst v. eexists. split; [reflexivity |]. split; [reflexivity |]. split; [apply good_tabulate |].
  cbn [dims tabulate]. intros i I. unfold at_ at 1. rewrite !get_tabulate by exact I.
  set (n := (List.length (batch ++ rows ++ cols) - List.length rows - List.length cols)%nat).
  assert (n = List.length batch) as -> by (unfold n; rewrite !app_length; lia).
  rewrite firstn_app, firstn_all, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r.
  set (row := firstn (List.length rows) (skipn (List.length batch) i)).
  set (col := skipn (List.length batch + List.length rows) i).
  assert (Lp : List.length (spread pb batch (firstn (List.length batch) i)) = List.length pb).
  { apply in_box_length. apply (spread_in_box_r pa); [exact Bc |]. pose proof (in_box_firstn (List.length batch) _ _ I) as J.
    rewrite firstn_app, firstn_all, Nat.sub_diag in J. cbn [firstn] in J. now rewrite app_nil_r in J. }
  set (ix := fun k : list Z => spread pa batch (firstn (List.length batch) i) ++ row ++ k).
  set (iy := fun k : list Z => spread pb batch (firstn (List.length batch) i) ++ k ++ col).
  assert (Cb : total [inner] (fun k => Z.abs (get 0 w (iy k))) <= most)
    by exact (column_bound w most pb inner cols _ col Mr C Lp).
  assert (T : total [inner] (fun k => Z.abs (get 0 a (ix k) * get 0 w (iy k))) < 2 ^ 24).
  { apply Z.le_lt_trans with (total [inner] (fun k => r * Z.abs (get 0 w (iy k)))).
    - apply total_le. intros k _. rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg_r; [lia | apply A].
    - rewrite total_scale. nia. }
  assert (Q : summand (s_sum S [inner] (fun k => s_mul S (at_ S x (ix k)) (at_ S y (iy k))))
                (s_sum integers [inner] (fun k => get 0 a (ix k) * get 0 w (iy k)))).
  { apply sum_exact; [| exact T]. intros k K. apply summand_mul; [apply X | apply Y |].
    eapply Z.le_lt_trans; [| exact T]. exact (total_one [inner] (fun k => Z.abs (get 0 a (ix k) * get 0 w (iy k)))
      k ltac:(intros; lia) K). }
  split; [exact Q |]. eapply Z.le_lt_trans; [| exact T].
  exact (sum_abs [inner] (fun k => get 0 a (ix k) * get 0 w (iy k))).
Qed.

(** ** The theorem *)

Lemma integral_floats (t : tensor spec_float) (u : tensor Z) : good t -> good u -> dims t = dims u ->
  (forall i, in_box (dims u) i = true -> stands 24 128 (get S754_nan t i) (get 0 u i)) -> integral (of_cells F32 t) u.
Proof.
  intros G H D E. split; [exact D |]. intros i. destruct (in_box (dims u) i) eqn:I.
  - left. exists (get S754_nan t i). split; [apply at_of; [exact G | now rewrite D] | now apply E].
  - right. split; [| now apply get_outside_zero]. unfold at_, get. cbn [of_cells dims]. now rewrite D, I.
Qed.

Lemma reach_pos signed zero : 0 <= reach signed zero.
Proof. destruct zero as [[p [l |]] |]; cbn [reach]; [apply greatest_pos | lia | unfold highest, lowest; destruct signed; lia].
Qed.

Lemma reach_bound signed axis (known : bool) zero (t : tensor Z) q i : good t -> Forall (in_range signed) (cells t) ->
  valid_zero signed zero ->
  zero_dims axis (dims t) (zero_input known zero) = Some q -> Z.abs (get 0 (centre axis zero t) i)
    <= reach signed (zero_input known zero).
Proof.
  intros G R V E. pose proof (reach_pos signed (zero_input known zero)) as P. destruct (in_box (dims t) i) eqn:I.
  2: { rewrite get_outside_zero by exact I. lia. }
  unfold centre. rewrite get_tabulate by exact I. pose proof (shows_all _ _ _ _ i (shows_self 0 t G) R I) as X. cbv beta in X.
  destruct zero as [z |]; cbn [zero_input option_map reach zero_at].
  - destruct V as [Gz Rz]. cbn [zero_input option_map zero_dims] in E.
  destruct (parameter_shows 0 axis (dims t) z q Gz E) as [_ H].
    set (zi := parameter 0 match axis with Some k => k | None => O end z i) in *.
    pose proof (shows_all _ _ _ _ i H Rz I) as Z_. cbv beta in Z_. fold zi in Z_. destruct known.
    + apply Z.le_trans with (Z.max (highest signed - zi) (zi - lowest signed)); [unfold in_range in X; lia |].
      apply greatest_le, (in_map (fun z => Z.max (highest signed - z) (z - lowest signed))).
      destruct H as (_ & _ & H). exact (nth_error_In _ _ (H i I)).
    + unfold in_range, highest in *. lia.
  - unfold in_range in X. lia.
Qed.

Lemma cast_summand a z : summand a z -> Z.abs z < 2 ^ 24 -> s_cast S i32_code a = scalar_of (I32 (wrap32 z)).
Proof.
  intros H L. assert (wrap32 z = z) as -> by (unfold wrap32, wrap_to, least32; rewrite Z.mod_small; lia).
  destruct H as [(x & -> & X) | [-> ->]]; [| reflexivity].
  change (scalar_of (I32 (cut32 x)) = scalar_of (I32 z)). do 2 f_equal. unfold cut32, cut_to, least32.
  rewrite (cut_stands 24 128 ltac:(easy) x z X ltac:(lia)). lia.
Qed.

Lemma matmul_value (x y : tensor (num S)) : op_value S "MatMul" [] [GTensor x; GTensor y] = one (matmul S x y).
Proof. reflexivity. Qed.

Theorem matmul_integer_correct signed (signed_b : bool) (a b : tensor Z) (za zb : option (tensor Z)) (known : bool) c :
  matmul_integer_composition signed (dims a) (zero_input known za) b zb = Some c ->
  good a -> good b -> Forall (in_range signed) (cells a) -> Forall (in_range signed_b) (cells b) ->
  valid_zero signed za -> valid_zero signed_b zb ->
  exists y, onnx_matmul_integer a b za zb = Some y /\
    composed S typed c (of_cells (byte signed) a :: of_cells (byte signed_b) b :: zero_value (byte signed) za)
      = Some (of_cells I32 y).
Proof.
  intros B Ga Gb Ra Rb Va Vb. unfold matmul_integer_composition in B.
  destruct (zero_dims (row_axis (dims a)) (dims a) (zero_input known za)) as [p |] eqn:P; [| discriminate].
  set (w := centre (column_axis (dims b)) zb b) in *. destruct (column w) as [most |] eqn:C; [| discriminate].
  destruct (matmul_dims (dims a) (dims b)) as [out |] eqn:Do; [| discriminate]. unfold guard in B.
  destruct (zero_fits (column_axis (dims b)) (dims b) zb) eqn:Fb; [| discriminate].
  destruct (Z.ltb_spec (reach signed (zero_input known za) * most) (2 ^ 24)) as [L |]; [| discriminate]. apply some_is in B.
  subst c.
  unfold onnx_matmul_integer. rewrite (zero_fits_dims _ _ _ _ _ P), Fb. cbn [andb guard]. fold w.
  set (ca := centre (row_axis (dims a)) za a).
  assert (Gw : good w) by apply good_tabulate. assert (Gc : good ca) by apply good_tabulate.
  assert (exists v, matmul integers ca w = Some v) as (v & M).
  { unfold matmul. change (dims ca) with (dims a). change (dims w) with (dims b). unfold matmul_dims in Do |- *.
    destruct (matmul_left (dims a)) as [[[pa rows] inner] |]; [| discriminate].
    destruct (matmul_right (dims b)) as [[[pb k'] cols] |]; [| discriminate]. unfold table. rewrite Do. eauto. }
  rewrite M. eexists. split; [reflexivity |].
  apply runs_composed. set (vs := map GTensor _). eapply runs_bind.
  { apply (centered_runs signed (row_axis (dims a)) vs a 0 2 za known p Va Ga Ra P eq_refl). intros t ->. reflexivity. }
  intros ws x Xx Kx. cbv beta in Kx. eapply runs_bind.
  { apply (constant_runs F32 literal_float); [exact (eq_sym Gw) | intros z _; apply typed_float]. }
  intros us y Xy Ky. cbv beta in Ky. pose proof (fun i => reach_bound signed _ known za a p i Ga Ra Va P) as Rc. fold ca in Rc.
  assert (R256 : forall i, Z.abs (get 0 ca i) < 2 ^ 24).
  { intros i. unfold ca, centre. destruct (in_box (dims a) i) eqn:I; [| now rewrite get_outside_zero by exact I].
    rewrite get_tabulate by exact I. pose proof (shows_all _ _ _ _ i (shows_self 0 a Ga) Ra I) as A.
    pose proof (zero_at_range signed _ (dims a) za p known i Va P I) as Z_. unfold in_range, lowest, highest, lowest in *.
    destruct signed; lia. }
  assert (W256 : forall i, Z.abs (get 0 w i) < 2 ^ 24).
  { intros i. unfold w, centre. destruct (in_box (dims b) i) eqn:I; [| now rewrite get_outside_zero by exact I].
    rewrite get_tabulate by exact I. pose proof (shows_all _ _ _ _ i (shows_self 0 b Gb) Rb I) as A.
    assert (exists q, zero_dims (column_axis (dims b)) (dims b) (zero_input true zb) = Some q) as [q Q].
    { destruct zb as [z |]; [| now exists []]. cbn [zero_fits zero_input option_map zero_dims] in *. unfold fits in Fb.
      destruct (parameter_dims _ _ _); [eauto | discriminate]. }
    pose proof (zero_at_range signed_b _ (dims b) zb q true i Vb Q I) as Z_. unfold in_range, lowest, highest, lowest in *.
    destruct signed_b; lia. }
  destruct (matmul_exact (of_cells F32 (each float ca)) (of_cells F32 (Tensor (dims b) (map literal_float (cells w)))) ca w most
    (reach signed (zero_input known za)) v) as (u & U & Du & Gu & H); try assumption.
  - apply integral_floats; [now apply good_each | exact Gc | reflexivity |]. intros i I.
    rewrite (get_each float 0 S754_nan ca i Gc I). apply stands_float, R256.
  - apply integral_floats; [exact (good_each literal_float w Gw) | exact Gw | reflexivity |]. intros i I.
    change (Tensor (dims b) (map literal_float (cells w))) with (each literal_float w).
    rewrite (get_each literal_float 0 S754_nan w i Gw I). apply stands_literal, W256.
  - apply reach_pos.
  - eapply runs_bind.
    { eapply runs_apply; [constructor; [exact (knows_later _ _ _ _ Kx Xy) |]; constructor; [exact Ky | constructor] |].
      rewrite matmul_value.
      rewrite <- (each_tabulate float (dims a) (fun i => get 0 a i - zero_at (row_axis (dims a)) za i)).
      change (tabulate (dims a) (fun i => get 0 a i - zero_at (row_axis (dims a)) za i)) with ca. rewrite U. reflexivity. }
    intros w1 s _ Ks. cbv beta in Ks. eapply runs_weaken.
    { eapply runs_apply; [constructor; [exact Ks | constructor] | apply cast_value; easy]. }
    intros w2 m _ Km. cbv beta in Km.
    assert (Gv : good v) by (unfold matmul in M; change (num integers) with Z in M;
      destruct (matmul_left (dims ca)) as [[[? ?] ?] |]; [| discriminate];
      destruct (matmul_right (dims w)) as [[[? ?] ?] |]; [| discriminate]; exact (table_good integers _ _ _ M)).
    replace (of_cells I32 (each wrap32 v)) with (tabulate (dims u) (fun i => s_cast S i32_code (at_ S u i))); [exact Km |].
    rewrite Du. rewrite <- (tabulate_each wrap32 0 v Gv), <- of_tabulate. apply tabulate_ext. intros i I.
    destruct (H i I) as [H1 H2]. now apply cast_summand.
Qed.

(** An instance: the zero points are 3, and 1 and -2 for the columns. *)
Example matmul_integer_example :
  shown_tensor (let? c := matmul_integer_composition false [2; 3]%nat (zero_input true (Some (Tensor [] [3])))
      (Tensor [3; 2]%nat [1; -2; 3; 4; -5; 6]) (Some (Tensor [2]%nat [1; -2])) in
    composed S typed c [of_cells U8 (Tensor [2; 3]%nat [0; 1; 255; 4; 5; 6]); of_cells I8 (Tensor [3; 2]%nat [1; -2; 3; 4; -5;
      6]);
      of_cells U8 (Tensor [] [3])]) =
  Some ([2; 2]%nat, map (fun z => Some (I32 z)) [-1516; 2004; -14; 36]).
Proof. vm_compute. reflexivity. Qed.
