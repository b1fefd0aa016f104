(** * MatMulInteger: sums of products of integers, computed in floats that hold them

    Y = (A - a_zero_point) * (B - b_zero_point) in integers, of which int32 has the low 32 bits.
    The sums are exact: they are float32 if the factors are such that no sum reaches 2^24, else binary64, and none may reach
    2^53.  Covered are A and B of int8 or uint8, each with a zero point that is one for all, one for each row of A, or one for
    each column of B, or that has the rank of its factor and is broadcast to it, or without one; constant or not, all of them. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof
  tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import onnx.Composition onnx.Steps onnx.Elements onnx.Bytes onnx.QuantizeLinear onnx.ExactSums.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** ** The formula *)

(** The zero point of A is one for all, or one for each row; that of B one for all, or one for each column. *)
Definition row_axis (ds : sizes) : option nat := match List.length ds with Datatypes.S (Datatypes.S n) => Some n | _ => None end.
Definition column_axis (ds : sizes) : option nat := match List.length ds with Datatypes.S n => Some n | _ => None end.

(** A zero point that is none of these is broadcast to its factor, whose rank it has. *)
Definition factor_zero_dims (axis : option nat) (ds : sizes) (zero : zero_point) : option sizes :=
  match zero with
  | Some (p, _) =>
      match parameter_dims axis ds p with
      | Some q => Some q
      | None =>
          let? out := broadcast ds p in guard ((List.length p =? List.length ds)%nat && sizes_eqb out ds) (Some p)
      end
  | None => Some []
  end.

Definition factor_zero (axis : option nat) (ds : sizes) (zero : option (tensor Z)) (i : list Z) : Z :=
  match zero with
  | Some t => if fits axis ds (dims t) then zero_at axis zero i else get 0 t (spread (dims t) ds i)
  | None => 0
  end.

Definition factor_zero_fits (axis : option nat) (ds : sizes) (zero : option (tensor Z)) : bool :=
  match factor_zero_dims axis ds (zero_input true zero) with Some _ => true | None => false end.

Definition centred (axis : option nat) (zero : option (tensor Z)) (t : tensor Z) : tensor Z :=
  less t (factor_zero axis (dims t) zero).

(** [matmul integers]: the sums of products, over the integers. *)
Definition onnx_matmul_integer (a b : tensor Z) (za zb : option (tensor Z)) : option (tensor Z) :=
  guard (factor_zero_fits (row_axis (dims a)) (dims a) za && factor_zero_fits (column_axis (dims b)) (dims b) zb)
    (option_map (each wrap32) (matmul integers (centred (row_axis (dims a)) za a) (centred (column_axis (dims b)) zb b))).
(** ** The composition *)

(** A factor: its sizes, and its cells if it is constant. *)
Definition factor : Type := sizes * option (list Z).
Definition factor_input (known : bool) (t : tensor Z) : factor := (dims t, if known then Some (cells t) else None).

(** A constant factor less its constant zero point, in the sense of [minus]. *)
Definition constant_less (minus : option (tensor Z) -> tensor Z -> tensor Z) (b : factor) (zero : zero_point)
  : option (tensor Z) :=
  let? l := snd b in
  match zero with
  | None => Some (minus None (Tensor (fst b) l))
  | Some (d, Some z) => Some (minus (Some (Tensor d z)) (Tensor (fst b) l))
  | Some (_, None) => None
  end.

(** With the zero point along an axis. *)
Definition constant_factor (axis : option nat) : factor -> zero_point -> option (tensor Z) := constant_less (centre axis).

(** The greatest sum of |w| down a column. *)
Definition column (w : tensor Z) : option Z :=
  let? (pb, inner, cols) := matmul_right (dims w) in
  let n := List.length pb in
  Some (fold_right Z.max 0 (map (fun j => total [inner] (fun k => Z.abs (get 0 w (firstn n j ++ k ++ skipn n j))))
    (box (pb ++ cols)))).
(** No sum of |b - zero point| down a column is greater. *)
Definition column_most (signed : bool) (b : factor) (zero : zero_point) : option Z :=
  match constant_less (centred (column_axis (fst b))) b zero with
  | Some w => column w
  | None => let? (_, inner, _) := matmul_right (fst b) in Some (Z.of_nat (Nat.max 1 inner) * reach signed zero)
  end.

(** Are there sums that float32 may not hold? *)
Definition is_wide (most : Z) : bool := 2 ^ 24 <=? most.

(** The product of factors [ka] and [kb] with zero points [kza] and [kzb], and what no sum is greater than. *)
Definition exact_product (signed signed_b : bool) (a : sizes) (za : zero_point) (b : factor) (zb : zero_point)
  (ka kb kza kzb : nat) : option (Z * build nat) :=
  let? p := factor_zero_dims (row_axis a) a za in
  let? q := factor_zero_dims (column_axis (fst b)) (fst b) zb in
  let? down := column_most signed_b b zb in
  let? _ := matmul_dims a (fst b) in
  let most := reach signed za * down in
  let type := real_code (is_wide most) in
  guard (most <? limit (is_wide most)) (Some (most,
    match constant_less (centred (column_axis (fst b))) b zb with
    | Some w => x <- less_zero type ka kza za p ;; y <- constant type (fst b) (map LInt (cells w)) ;; apply "MatMul" [] [x; y]
    | None =>
        w <- less_zero i32_code kb kzb zb q ;; x <- less_zero type ka kza za p ;; y <- cast type w ;; apply "MatMul" [] [x; y]
    end)).

(** A zero point of A that is not there has no number. *)
Definition matmul_integer_composition (signed signed_b : bool) (a : sizes) (za : zero_point) (b : factor) (zb : zero_point)
  : option (build nat) :=
  let? (most, product) := exact_product signed signed_b a za b zb 0 1 2 (match za with Some _ => 3 | None => 2 end)%nat in
  Some (y <- product ;; whole_sum most y).

(** ** How great the sums are *)

Lemma matmul_right_dims ds pb inner cols : matmul_right ds = Some (pb, inner, cols) -> ds = pb ++ inner :: cols.
Proof.
  intros E. rewrite <- (rev_involutive ds). unfold matmul_right in E. destruct (rev ds) as [| k [| n r]]; [discriminate | |];
    injection E as <- <- <-.
  - reflexivity.
  - cbn [rev]. now rewrite <- !app_assoc.
Qed.
(** No sum of |w| down a column is greater than [most]. *)
Definition columns_below (w : tensor Z) (most : Z) : Prop := forall pb inner cols p c,
  matmul_right (dims w) = Some (pb, inner, cols) -> List.length p = List.length pb ->
  total [inner] (fun k => Z.abs (get 0 w (p ++ k ++ c))) <= most.

Lemma column_bound w most : column w = Some most -> columns_below w most.
Proof.
  intros C pb inner cols p c M L. unfold column in C. rewrite M in C. apply some_is in C.
  pose proof (matmul_right_dims _ _ _ _ M) as D.
  destruct (in_box (pb ++ cols) (p ++ c)) eqn:I.
  - rewrite <- C. apply greatest_le. apply in_map_iff. exists (p ++ c). split; [| now apply in_box_box].
    rewrite <- L, firstn_app, firstn_all, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r.
    now rewrite skipn_app, skipn_all, Nat.sub_diag.
  - rewrite total_zero; [rewrite <- C; apply greatest_pos |]. intros k K. rewrite get_outside_zero; [reflexivity |]. rewrite D.
    destruct k as [| z [| ? ?]]; [discriminate | | apply in_box_length in K; discriminate].
    rewrite in_box_app in I |- * by exact L. destruct (in_box pb p); [| reflexivity]. cbn [andb app] in *.
    destruct (in_box (inner :: cols) (z :: c)) eqn:J; [| reflexivity]. apply in_box_cons in J. destruct J as [_ J]. congruence.
Qed.
Lemma total_const n c : total [n] (fun _ => c) = Z.of_nat n * c.
Proof.
  unfold total. replace (Z.of_nat n) with (Z.of_nat (List.length (box [n]))) by (rewrite length_box; cbn; lia).
  induction (box [n]) as [| k l IH]; cbn [map fold_right List.length]; [lia |]. rewrite IH. lia.
Qed.

Lemma cells_bound (w : tensor Z) r : 0 <= r -> (forall i, Z.abs (get 0 w i) <= r) ->
  forall pb inner cols, matmul_right (dims w) = Some (pb, inner, cols) ->
  columns_below w (Z.of_nat (Nat.max 1 inner) * r).
Proof.
  intros P H pb inner cols M pb' inner' cols' p c M' _. rewrite M in M'. injection M' as <- <- <-.
  eapply Z.le_trans; [apply (total_le [inner] _ (fun _ => r)); intros k _; apply H |]. rewrite total_const. nia.
Qed.

(** ** The product is exact *)

Lemma matmul_cells wide x y a w most r v : integral wide x a -> integral wide y w -> columns_below w most -> 0 <= r ->
  (forall i, Z.abs (get 0 a i) <= r) -> r * most < limit wide -> matmul integers a w = Some v ->
  matmul_dims (dims a) (dims w) = Some (dims v) /\ exists u, matmul S x y = Some u /\ dims u = dims v /\
    forall i, in_box (dims v) i = true -> summand wide (at_ S u i) (get 0 v i) /\ Z.abs (get 0 v i) <= r * most.
Proof.
Proof.
  intros [Dx X] [Dy Y] C R A L M. unfold matmul in M |- *. change (num integers) with Z in M. rewrite Dx, Dy.
  destruct (matmul_left (dims a)) as [[[pa rows] inner] |] eqn:Ml; [| discriminate].
  destruct (matmul_right (dims w)) as [[[pb k'] cols] |] eqn:Mr; [| discriminate].
  unfold table in M |- *. destruct (matmul_dims (dims a) (dims w)) as [out |] eqn:Do; [| discriminate].
  unfold matmul_dims in Do. rewrite Ml, Mr in Do. destruct (broadcast pa pb) as [batch |] eqn:Bc; [| discriminate].
  unfold guard in Do. destruct (Nat.eqb_spec inner k') as [<- |]; [| discriminate]. apply some_is in Do. subst out.
  apply some_is in M. subst v. split; [reflexivity |]. eexists. split; [reflexivity |]. split; [reflexivity |].
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
    by exact (C pb inner cols _ col Mr Lp).
  assert (T : total [inner] (fun k => Z.abs (get 0 a (ix k) * get 0 w (iy k))) <= r * most).
  { apply Z.le_trans with (total [inner] (fun k => r * Z.abs (get 0 w (iy k)))).
    - apply total_le. intros k _. rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg_r; [lia | apply A].
    - rewrite total_scale. nia. }
  assert (Q : summand wide (s_sum S [inner] (fun k => s_mul S (at_ S x (ix k)) (at_ S y (iy k))))
                (s_sum integers [inner] (fun k => get 0 a (ix k) * get 0 w (iy k)))).
  { apply sum_exact; [| lia]. intros k K. apply summand_mul; [apply X | apply Y |].
    eapply Z.le_lt_trans; [| exact L]. eapply Z.le_trans; [| exact T].
    exact (total_one [inner] (fun k => Z.abs (get 0 a (ix k) * get 0 w (iy k)))
      k ltac:(intros; lia) K). }
  split; [exact Q |]. eapply Z.le_trans; [| exact T].
  exact (sum_abs [inner] (fun k => get 0 a (ix k) * get 0 w (iy k))).
Qed.

Theorem matmul_exact wide x y a w most r v : integral wide x a -> integral wide y w -> columns_below w most -> 0 <= r ->
  0 <= most -> (forall i, Z.abs (get 0 a i) <= r) -> r * most < limit wide -> matmul integers a w = Some v ->
  matmul_dims (dims a) (dims w) = Some (dims v) /\ good v /\ (forall i, Z.abs (get 0 v i) <= r * most) /\
  exists u, matmul S x y = Some u /\ good u /\ integral wide u v.
Proof.
  intros X Y C R P A L M. destruct (matmul_cells wide x y a w most r v X Y C R A L M) as (D & u & U & Du & H).
  assert (Good : forall (T : arith) (s t z : tensor (num T)), matmul T s t = Some z -> good z).
  { intros T s t z. unfold matmul. destruct (matmul_left (dims s)) as [[[? ?] ?] |]; [| discriminate].
    destruct (matmul_right (dims t)) as [[[? ?] ?] |]; [| discriminate]. apply table_good. }
  split; [exact D |]. split; [exact (Good integers a w v M) |]. split.
  - intros i. destruct (in_box (dims v) i) eqn:I; [now apply H |]. rewrite get_outside_zero by exact I.
    change (Z.abs 0) with 0. nia.
  - exists u. split; [exact U |]. split; [exact (Good S x y u U) |]. apply integral_inside; [exact Du |]. intros i I. now apply H.
Qed.

(** ** The factors *)

Lemma factor_zero_shows signed axis ds zero known q : valid_zero signed zero ->
  factor_zero_dims axis ds (zero_input known zero) = Some q -> zero_shows ds q zero (factor_zero axis ds zero).
Proof.
  destruct zero as [t |]; [| now intros _ _ i _]. intros [G _] E. cbn [zero_input option_map factor_zero_dims] in E.
  destruct (parameter_dims axis ds (dims t)) as [p |] eqn:P.
  - apply some_is in E. subst q. destruct (parameter_shows 0 axis ds t p G P) as [C (Gp & B & N)].
    split; [exact C |]. split; [exact Gp |]. split; [exact B |]. intros i I. rewrite (N i I). unfold factor_zero, fits.
    now rewrite P.
  - destruct (broadcast ds (dims t)) as [out |] eqn:B; [| discriminate]. unfold guard in E.
    destruct ((List.length (dims t) =? List.length ds)%nat && sizes_eqb out ds) eqn:C; [| discriminate]. apply some_is in E.
    subst q. apply andb_true_iff in C. destruct C as [_ C]. apply sizes_eqb_iff in C. subst out.
    split; [reflexivity |]. split; [exact G |]. split; [exact B |]. intros i I. cbn [dims cells].
    pose proof (spread_in_box_r _ _ _ _ B I) as J. unfold factor_zero, fits. rewrite P. unfold get. rewrite J.
    apply nth_error_nth'. rewrite G. now apply position_lt.
Qed.

Lemma factor_zero_fits_dims axis ds zero q known : factor_zero_dims axis ds (zero_input known zero) = Some q ->
  factor_zero_fits axis ds zero = true.
Proof.
  destruct zero as [t |]; [| reflexivity]. unfold factor_zero_fits. cbn [zero_input option_map factor_zero_dims]. now intros ->.
Qed.

Lemma constant_less_is minus (known_b known : bool) b zero w :
  constant_less minus (factor_input known_b b) (zero_input known zero) = Some w -> w = minus zero b.
Proof.
  unfold constant_less, factor_input. destruct known_b; [| discriminate]. cbn [fst snd].
  destruct zero as [z |]; cbn [zero_input option_map]; [destruct known; [| discriminate] |]; intros E; apply some_is in E;
    subst w; destruct b as [d l]; [destruct z as [e m] |]; reflexivity.
Qed.

Corollary constant_factor_is axis (known_b known : bool) b zero w :
  constant_factor axis (factor_input known_b b) (zero_input known zero) = Some w -> w = centre axis zero b.
Proof. apply constant_less_is. Qed.

Lemma column_pos w most : column w = Some most -> 0 <= most.
Proof.
  unfold column. destruct (matmul_right (dims w)) as [[[pb inner] cols] |]; [| discriminate]. intros E. apply some_is in E.
  subst most. apply greatest_pos.
Qed.

Lemma column_most_bound signed (known_b known : bool) (b : tensor Z) zero q most : good b -> Forall (in_range signed) (cells b) ->
  valid_zero signed zero -> factor_zero_dims (column_axis (dims b)) (dims b) (zero_input known zero) = Some q ->
  column_most signed (factor_input known_b b) (zero_input known zero) = Some most ->
  0 <= most /\ columns_below (centred (column_axis (dims b)) zero b) most.
Proof.
  intros G R V Q E. unfold column_most in E.
  change (fst (factor_input known_b b)) with (dims b) in E.
  destruct (constant_less _ _ _) as [w |] eqn:C.
  - apply constant_less_is in C. subst w. split; [exact (column_pos _ _ E) | exact (column_bound _ _ E)].
  - destruct (matmul_right (dims b)) as [[[pb inner] cols] |] eqn:M; [| discriminate]. apply some_is in E. subst most.
    pose proof (reach_pos signed (zero_input known zero)) as P. split; [nia |].
    pose proof (factor_zero_shows signed _ _ _ known q V Q) as H.
    exact (cells_bound _ _ P (less_reach signed zero b q _ G R V H known) pb inner cols M).
Qed.

Lemma matmul_value (x y : tensor (num S)) : op_value S "MatMul" [] [GTensor x; GTensor y] = one (matmul S x y).
Proof. reflexivity. Qed.

Section Product.
  Variables (signed signed_b : bool) (a b : tensor Z) (za zb : option (tensor Z)) (known_za known_b known_zb : bool).
  Variables (ka kb kza kzb : nat) (most : Z) (product : build nat).
  Hypothesis there : exact_product signed signed_b (dims a) (zero_input known_za za) (factor_input known_b b)
    (zero_input known_zb zb) ka kb kza kzb = Some (most, product).
  Hypotheses (Ga : good a) (Gb : good b) (Ra : Forall (in_range signed) (cells a)) (Rb : Forall (in_range signed_b) (cells b)).
  Hypotheses (Va : valid_zero signed za) (Vb : valid_zero signed_b zb).

  Definition product_values (vs : list (gvalue (tensor (num S)))) : Prop :=
    knows vs ka (GTensor (of_cells (byte signed) a)) /\ knows vs kb (GTensor (of_cells (byte signed_b) b)) /\
    (forall t, za = Some t -> knows vs kza (GTensor (of_cells (byte signed) t))) /\
    (forall t, zb = Some t -> knows vs kzb (GTensor (of_cells (byte signed_b) t))).

  (** The zero points fit, the integers have a product, and the composition gives it. *)
  Theorem exact_product_runs vs : product_values vs -> exists v,
    factor_zero_fits (row_axis (dims a)) (dims a) za && factor_zero_fits (column_axis (dims b)) (dims b) zb = true /\
    matmul integers (centred (row_axis (dims a)) za a) (centred (column_axis (dims b)) zb b) = Some v /\
    matmul_dims (dims a) (dims b) = Some (dims v) /\ good v /\ (forall i, Z.abs (get 0 v i) <= most) /\
    most < limit (is_wide most) /\
    runs vs product (fun ws k => exists t, knows ws k (GTensor t) /\ good t /\ integral (is_wide most) t v).
  Proof.
    intros (Ka & Kb & Kza & Kzb). unfold exact_product in there.
    change (fst (factor_input known_b b)) with (dims b) in there.
    destruct (factor_zero_dims (row_axis (dims a)) (dims a) (zero_input known_za za)) as [p |] eqn:P; [| discriminate there].
    destruct (factor_zero_dims (column_axis (dims b)) (dims b) (zero_input known_zb zb)) as [q |] eqn:Q; [| discriminate there].
    pose proof (factor_zero_shows signed _ _ _ known_za p Va P) as Ha.
    pose proof (factor_zero_shows signed_b _ _ _ known_zb q Vb Q) as Hb.
    destruct (column_most signed_b (factor_input known_b b) (zero_input known_zb zb)) as [down |] eqn:C; [| discriminate there].
    destruct (matmul_dims (dims a) (dims b)) as [out |] eqn:Do; [| discriminate there].
    set (r := reach signed (zero_input known_za za)) in *. set (wide := is_wide (r * down)) in there. unfold guard in there.
    destruct (Z.ltb_spec (r * down) (limit wide)) as [L |]; [| discriminate there]. apply some_is in there.
    assert (Em : most = r * down) by congruence.
    set (w := centred (column_axis (dims b)) zb b). set (ca := centred (row_axis (dims a)) za a).
    assert (Gw : good w) by apply good_tabulate. assert (Gc : good ca) by apply good_tabulate.
    assert (exists v, matmul integers ca w = Some v) as (v & M).
    { unfold matmul. change (dims ca) with (dims a). change (dims w) with (dims b). unfold matmul_dims in Do |- *.
      destruct (matmul_left (dims a)) as [[[pa rows] inner] |]; [| discriminate].
      destruct (matmul_right (dims b)) as [[[pb k'] cols] |]; [| discriminate]. unfold table. rewrite Do. eauto. }
    destruct (column_most_bound signed_b known_b known_zb b zb q down Gb Rb Vb Q C) as [Pd Cb]. fold w in Cb.
    pose proof (reach_pos signed (zero_input known_za za)) as Pr. fold r in Pr.
    pose proof (less_reach signed za a p _ Ga Ra Va Ha known_za) as Rc. fold r in Rc.
    assert (Small : forall z, Z.abs z <= 255 -> Z.abs z < limit wide) by (intros z A; unfold limit, bits; destruct wide; lia).
    assert (Sa : forall i, Z.abs (get 0 ca i) < limit wide) by (intros i; apply Small;
      exact (less_small signed za a p _ Ga Ra Va Ha i)).
    assert (Sw : forall i, Z.abs (get 0 w i) < limit wide) by (intros i; apply Small;
      exact (less_small signed_b zb b q _ Gb Rb Vb Hb i)).
    assert (X : integral wide (of_cells (real wide) (each (real_number wide) ca)) ca) by (now apply integral_numbers).
    assert (E : forall y, integral wide y w -> matmul_dims (dims a) (dims b) = Some (dims v) /\ good v /\
        (forall i, Z.abs (get 0 v i) <= r * down) /\ forall vs ix iy,
        knows vs ix (GTensor (of_cells (real wide) (each (real_number wide) ca))) -> knows vs iy (GTensor y) ->
        runs vs (apply "MatMul" [] [ix; iy]) (fun ws k => exists t, knows ws k (GTensor t) /\ good t /\ integral wide t v)).
    { intros y Y. destruct (matmul_exact wide _ y ca w down r v X Y Cb Pr Pd Rc L M) as (D & Gv & B & u & U & Gu & I).
      split; [exact D |]. split; [exact Gv |]. split; [exact B |]. intros us ix iy Kx Ky. eapply runs_weaken.
      { eapply runs_apply; [constructor; [exact Kx |]; constructor; [exact Ky | constructor] |].
        rewrite matmul_value, U. reflexivity. }
      intros ws k _ K. now exists u. }
    exists v. rewrite (factor_zero_fits_dims _ _ _ _ _ P), (factor_zero_fits_dims _ _ _ _ _ Q). split; [reflexivity |].
    split; [exact M |].
    assert (Yn : integral wide (of_cells (real wide) (each (real_number wide) w)) w) by (now apply integral_numbers).
    assert (Yl : integral wide (of_cells (real wide) (each (real_literal wide) w)) w) by (now apply integral_literals).
    destruct (E _ Yn) as (D & Gv & B & En). destruct (E _ Yl) as (_ & _ & _ & El). rewrite Em. fold wide.
    rewrite <- Do. split; [exact D |]. split; [exact Gv |]. split; [exact B |]. split; [exact L |].
    assert (product = snd (r * down, product)) as -> by reflexivity. rewrite Em in there. rewrite <- there. cbn [snd].
    destruct (constant_less (centred (column_axis (dims b))) (factor_input known_b b) (zero_input known_zb zb)) as [w' |] eqn:Cf.
    - apply constant_less_is in Cf. subst w'. fold w.
      eapply runs_bind; [exact (less_real_runs signed vs a ka kza za known_za p Va Ga Ra Ka Kza wide _ Ha) |].
      intros ws x Xx Kx. cbv beta in Kx. eapply runs_bind.
      { apply (constant_runs (real wide) (real_literal wide)); [exact (eq_sym Gw) | intros z _; apply typed_real]. }
      intros us y Xy Ky. cbv beta in Ky. exact (El us x y (knows_later _ _ _ _ Kx Xy) Ky).
    - eapply runs_bind; [exact (less_int_runs signed_b vs b kb kzb zb known_zb q Vb Gb Rb Kb Kzb _ Hb) |].
      intros w1 y0 X1 K0. cbv beta in K0. eapply runs_bind.
      { exact (less_real_runs signed w1 a ka kza za known_za p Va Ga Ra (knows_later _ _ _ _ Ka X1)
          (fun t Et => knows_later _ _ _ _ (Kza t Et) X1) wide _ Ha). }
      intros w2 x X2 Kx. cbv beta in Kx. eapply runs_bind.
      { apply (cast_runs I32 (real wide) (real_number wide) w2 (real_code wide) y0 w); [now destruct wide | | exact Gw |].
        - exact (knows_later _ _ _ _ K0 X2).
        - intros z _. now destruct wide. }
      intros w3 y X3 Ky. cbv beta in Ky. exact (En w3 x y (knows_later _ _ _ _ Kx X3) Ky).
  Qed.
End Product.

(** ** The theorem *)

Theorem matmul_integer_correct signed signed_b (a b : tensor Z) (za zb : option (tensor Z)) (known_za known_b known_zb : bool) c :
  matmul_integer_composition signed signed_b (dims a) (zero_input known_za za) (factor_input known_b b) (zero_input known_zb zb)
    = Some c ->
  good a -> good b -> Forall (in_range signed) (cells a) -> Forall (in_range signed_b) (cells b) ->
  valid_zero signed za -> valid_zero signed_b zb ->
  exists y, onnx_matmul_integer a b za zb = Some y /\
    composed S typed c (of_cells (byte signed) a :: of_cells (byte signed_b) b :: zero_value (byte signed) za ++
      zero_value (byte signed_b) zb) = Some (of_cells I32 y).
Proof.
  intros B Ga Gb Ra Rb Va Vb. unfold matmul_integer_composition in B.
  destruct (exact_product _ _ _ _ _ _ _ _ _ _) as [[most product] |] eqn:E; [| discriminate]. apply some_is in B. subst c.
  set (vs := map GTensor (of_cells (byte signed) a :: of_cells (byte signed_b) b :: zero_value (byte signed) za ++
      zero_value (byte signed_b) zb)).
  destruct (exact_product_runs signed signed_b a b za zb known_za known_b known_zb _ _ _ _ most product E Ga Gb Ra Rb Va Vb vs)
    as (v & F & M & _ & Gv & Bv & L & H).
  { split; [reflexivity |]. split; [reflexivity |]. split; [intros t ->; reflexivity |]. intros t ->. now destruct za. }
  unfold onnx_matmul_integer. rewrite F, M. eexists. split; [reflexivity |]. apply runs_composed. fold vs.
  eapply runs_bind; [exact H |]. intros ws k _ (t & K & Gt & I).
  exact (whole_sum_runs (is_wide most) ws k t v most Gt Gv I L Bv K).
Qed.

(** Instances: the zero points are 3, and 1 and -2 for the columns; all constant, and none of them. *)
Example matmul_integer_example :
  let a := Tensor [2; 3]%nat [0; 1; 255; 4; 5; 6] in
  let b := Tensor [3; 2]%nat [1; -2; 3; 4; -5; 6] in
  let za := Some (Tensor [] [3]) in
  let zb := Some (Tensor [2]%nat [1; -2]) in
  forall known, shown_tensor (let? c := matmul_integer_composition false true [2; 3]%nat (zero_input known za)
      (factor_input known b) (zero_input known zb) in
    composed S typed c (of_cells U8 a :: of_cells I8 b :: zero_value U8 za ++ zero_value I8 zb)) =
  Some ([2; 2]%nat, map (fun z => Some (I32 z)) [-1516; 2004; -14; 36]).
Proof. intros a b za zb [|]; vm_compute; reflexivity. Qed.

(** Of 300 terms in binary64. *)
Example matmul_integer_wide_example :
  let a := Tensor [1; 300]%nat (repeat 255 300) in
  let b := Tensor [300; 1]%nat (repeat 255 300) in
  shown_tensor (let? c := matmul_integer_composition false false [1; 300]%nat None (factor_input false b) None in
    composed S typed c [of_cells U8 a; of_cells U8 b]) = Some ([1; 1]%nat, [Some (I32 (300 * 65025))]).
Proof. vm_compute. reflexivity. Qed.
