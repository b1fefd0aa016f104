(** * Values of the operators that compositions are made of

    Each lemma says what [OpTable.op_value] is, of an operator with the attributes that c/onnx/expand_build.c gives it. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.OpTable onnx.Composition.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Attributes *)

Definition nat_value (n : nat) : value := VInt (Z.of_nat n).
Definition ints_value (l : list Z) : value := VTuple (map VInt l).
Definition nats_value (l : list nat) : value := ints_value (map Z.of_nat l).
Definition bool_value (b : bool) : value := VInt (if b then 1 else 0).

Lemma ints_of_ints l : ints_of (ints_value l) = Some l.
Proof. unfold ints_value, ints_of. induction l as [| z l IH]; [reflexivity |]. cbn [map traverse int_of]. now rewrite IH. Qed.

Lemma natural_nat n : natural (nat_value n) = Some n.
Proof. unfold natural, nat_value. rewrite (proj2 (Z.leb_le 0 (Z.of_nat n)) ltac:(lia)). now rewrite Nat2Z.id. Qed.

Lemma shape_of_nats l : shape_of (nats_value l) = Some l.
Proof.
  unfold nats_value, ints_value, shape_of. induction l as [| n l IH]; [reflexivity |]. cbn [map traverse].
  rewrite IH. change (VInt (Z.of_nat n)) with (nat_value n). now rewrite natural_nat.
Qed.

Lemma naturals_of_nats l : naturals (map Z.of_nat l) = Some l.
Proof.
  unfold naturals. induction l as [| n l IH]; [reflexivity |]. cbn [map traverse].
  now rewrite IH, (proj2 (Z.leb_le 0 (Z.of_nat n)) ltac:(lia)), Nat2Z.id.
Qed.

Lemma axis_of_nat rank limit k : k < limit -> axis_of rank limit (Z.of_nat k) = Some k.
Proof.
  intros lt. unfold axis_of. rewrite (proj2 (Z.leb_le (- Z.of_nat rank) (Z.of_nat k)) ltac:(lia)).
  rewrite (proj2 (Z.ltb_lt (Z.of_nat k) (Z.of_nat limit)) ltac:(lia)), (proj2 (Z.ltb_ge (Z.of_nat k) 0) ltac:(lia)).
  cbn [andb]. now rewrite Nat2Z.id.
Qed.

Lemma axes_of_nat rank l : NoDup l -> (forall k, In k l -> k < rank) -> axes_of rank (map Z.of_nat l) = Some l.
Proof.
  intros D lt. unfold axes_of. assert (traverse (axis_of rank rank) (map Z.of_nat l) = Some l) as ->.
  { clear D. induction l as [| k l IH]; [reflexivity |]. cbn [map traverse].
    rewrite axis_of_nat by (apply lt; now left). now rewrite IH by (intros j J; apply lt; now right). }
  now rewrite (proj2 (distinct_iff l) D).
Qed.

(** ** A result that is one of the [n] inputs gets a name of its own *)

Definition finished (n : nat) (b : build nat) : build nat :=
  k <- b ;; if k <? n then apply "Identity" [] [k] else Return k.

(** ** Cells in another shape *)

(** Both indices have the same place. *)
Lemma at_recast S ds x i j : in_box ds i = true -> in_box (dims x) j = true -> position ds i = position (dims x) j ->
  at_ S (Tensor ds (cells x)) i = at_ S x j.
Proof. intros I J E. unfold at_, get. cbn [dims cells]. now rewrite I, J, E. Qed.

(** A dimension that is two: the places of its cells. *)
Lemma position_two pre m n post p a b q : in_box pre p = true -> (0 <= a)%Z -> (0 <= b)%Z ->
  position (pre ++ m :: n :: post) (p ++ a :: b :: q) = position (pre ++ (m * n) :: post) (p ++ (a * Z.of_nat n + b)%Z :: q).
Proof.
  intros P A B. pose proof (in_box_length _ _ P) as L. rewrite !position_app by exact L.
  cbn [position cell_count fold_right]. rewrite !Nat.mul_assoc.
  rewrite Z2Nat.inj_add, Z2Nat.inj_mul, Nat2Z.id by lia. change (fold_right Nat.mul 1 post) with (cell_count post). nia.
Qed.

(** A dimension of size 1 is left out. *)
Lemma position_one pre post p q : in_box pre p = true ->
  position (pre ++ 1 :: post) (p ++ 0%Z :: q) = position (pre ++ post) (p ++ q).
Proof.
  intros P. pose proof (in_box_length _ _ P) as L. rewrite !position_app by exact L.
  cbn [position cell_count fold_right]. change (fold_right Nat.mul 1 post) with (cell_count post). nia.
Qed.

Section Steps.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Implicit Types x y : tensor.

  (** A number of the element type with this ONNX code. *)
  Definition typed (code : Z) (c : literal) : num := s_cast S code (literal_value S c).

  Definition scalar (a : num) : tensor := Tensor [] [a].

  (** ** The same elements, moved and repeated *)

  Lemma reshape_value x ds : good x -> cell_count ds = cell_count (dims x) ->
    op_value S "Reshape" [("shape", nats_value ds)] [GTensor x] = Some (GTensor (Tensor ds (cells x))).
  Proof.
    intros G E. change (one (recast_to S (let? v := ints_of (nats_value ds) in reshape_dims v (dims x)) x)
      = Some (GTensor (Tensor ds (cells x)))).
    unfold nats_value. rewrite ints_of_ints. unfold reshape_dims. rewrite naturals_of_nats. unfold fits, guard.
    rewrite E, Nat.eqb_refl. unfold recast_to, recast. rewrite E, G, Nat.eqb_refl. reflexivity.
  Qed.

  Lemma transpose_value x perm : permutes (List.length (dims x)) perm = true ->
    op_value S "Transpose" [("perm", nats_value perm)] [GTensor x] =
    Some (GTensor (tabulate (permuted (dims x) perm) (fun i => at_ S x (unpermute perm i)))).
  Proof.
    intros P. change (one (let? p := shape_of (nats_value perm) in transpose S p x) =
      Some (GTensor (tabulate (permuted (dims x) perm) (fun i => at_ S x (unpermute perm i))))).
    rewrite shape_of_nats. unfold transpose, transpose_dims, guard. now rewrite P.
  Qed.

  Lemma expand_value x ds out : broadcast (dims x) ds = Some out ->
    op_value S "Expand" [("shape", nats_value ds)] [GTensor x] = Some (GTensor (tabulate out (spread_at S x out))).
  Proof.
    intros B. change (one (Ops.expand S (let? to := shape_of (nats_value ds) in broadcast (dims x) to) x) =
      Some (GTensor (tabulate out (spread_at S x out)))).
    rewrite shape_of_nats, B. reflexivity.
  Qed.

  Lemma concat_value axis x l out : axis < List.length (dims x) -> concat_dims axis (dims x) (map dims l) = Some out ->
    op_value S "Concat" [("axis", nat_value axis)] (map GTensor (x :: l)) =
    Some (GTensor (tabulate out (concat_cell S axis x l))).
  Proof.
    intros lt E. unfold op_value. rewrite inputs_present.
    change (any (fun l x r => let? axis := axis_in l None (dims x) in concat S axis x r) [("axis", nat_value axis)]
      (map Some (x :: l)) = Some (GTensor (tabulate out (concat_cell S axis x l)))).
    unfold any. rewrite traverse_present.
    change (one (let? k := axis_of (List.length (dims x)) (List.length (dims x)) (Z.of_nat axis) in
      concat S k x l) = Some (GTensor (tabulate out (concat_cell S axis x l)))).
    rewrite axis_of_nat by exact lt. unfold concat. rewrite E. reflexivity.
  Qed.

  Lemma slice_value x starts steps sizes : slices_fit (dims x) starts steps sizes = true ->
    op_value S "Slice" [("starts", ints_value starts); ("steps", ints_value steps); ("sizes", nats_value sizes)] [GTensor x] =
    Some (GTensor (tabulate sizes (fun i => at_ S x (slice_at starts steps i)))).
  Proof.
    intros F. change (one (let? (a, b, c) := (let? starts := ints_of (ints_value starts) in
      let? steps := ints_of (ints_value steps) in let? parts := shape_of (nats_value sizes) in Some (starts, steps, parts)) in
      slice S a b c x) = Some (GTensor (tabulate sizes (fun i => at_ S x (slice_at starts steps i))))).
    rewrite !ints_of_ints, shape_of_nats. unfold slice, slice_dims. rewrite F. reflexivity.
  Qed.

  (** Both ends of the pads; [v] is a binary64. *)
  Lemma pad_value x lo hi v out : List.length lo = List.length (dims x) -> pad_dims PadConstant (dims x) lo hi = Some out ->
    op_value S "Pad" [("pads", ints_value (lo ++ hi)); ("mode", VStr "constant"); ("value", VFloat v)] [GTensor x] =
    Some (GTensor (tabulate out (fun i =>
      let j := pad_at PadConstant (dims x) lo i in if in_box (dims x) j then at_ S x j else s_real S v))).
  Proof.
    intros L E. assert (List.length hi = List.length (dims x)) as H.
    { revert lo hi out L E. induction (dims x) as [| n ds IH]; intros [| a lo] [| b hi] out L E;
        try discriminate; [reflexivity |].
      cbn [pad_dims] in E. unfold guard in E. destruct (_ && _) in E; [| discriminate].
      destruct (pad_dims PadConstant ds lo hi) as [o |] eqn:F; [| discriminate]. cbn [List.length] in *.
      f_equal. apply (IH lo hi o); [lia | exact F]. }
    change (one (let? (mode, value, lo, hi) := pad_params
      [("pads", ints_value (lo ++ hi)); ("mode", VStr "constant"); ("value", VFloat v)] (dims x) in pad S mode value lo hi x) =
      Some (GTensor (tabulate out (fun i =>
        let j := pad_at PadConstant (dims x) lo i in if in_box (dims x) j then at_ S x j else s_real S v)))).
    assert (pad_params [("pads", ints_value (lo ++ hi)); ("mode", VStr "constant"); ("value", VFloat v)] (dims x) =
      Some (PadConstant, v, lo, hi)) as ->.
    { transitivity (let? ps := ints_of (ints_value (lo ++ hi)) in let r := List.length (dims x) in
        guard (List.length ps =? 2 * r) (Some (PadConstant, v, firstn r ps, skipn r ps))); [reflexivity |].
      rewrite ints_of_ints. cbv zeta. unfold guard.
      rewrite app_length, L, H. replace (_ + _ =? _) with true by (symmetry; apply Nat.eqb_eq; lia).
      rewrite <- L, firstn_app, firstn_all, Nat.sub_diag, app_nil_r. now rewrite skipn_app, skipn_all, Nat.sub_diag. }
    unfold pad. rewrite E. reflexivity.
  Qed.

  (** Slices in the order of constant indices. *)
  Lemma gather_value axis x n cs (zs : list Z) : axis < List.length (dims x) -> List.length zs = n ->
    map (s_index S) cs = map Some zs -> (forall z, In z zs -> 0 <= z < Z.of_nat (nth axis (dims x) 0%nat))%Z ->
    op_value S "Gather" [("axis", nat_value axis)] (map GTensor [x; Tensor [n] cs]) =
    Some (GTensor (tabulate (set_nth axis n (dims x))
      (fun i => at_ S x (set_nth axis (nth (Z.to_nat (nth axis i 0%Z)) zs 0%Z) i)))).
  Proof.
    intros lt L E R. assert (List.length cs = n) as Lc
      by (apply (f_equal (@List.length _)) in E; rewrite !map_length in E; congruence).
    set (ix := Tensor [n] cs). set (m := nth axis (dims x) 0) in *.
    assert (At : forall k, in_box [n] [k] = true -> index_of S m (at_ S ix [k]) = Some (nth (Z.to_nat k) zs 0%Z)).
    { intros k K. assert (0 <= k < Z.of_nat n)%Z as [k0 k1] by (apply in_box_cons in K; tauto).
      unfold at_, get. cbn [dims cells ix]. rewrite K. cbn [position cell_count fold_right]. rewrite Nat.mul_1_r, Nat.add_0_r.
      assert (s_index S (nth (Z.to_nat k) cs (s_zero S)) = Some (nth (Z.to_nat k) zs 0%Z)) as I.
      { rewrite <- (map_nth (s_index S)). rewrite (nth_indep _ _ (Some 0%Z)) by (rewrite map_length; lia).
        now rewrite E, (map_nth Some). }
      unfold index_of. rewrite I. destruct (R (nth (Z.to_nat k) zs 0%Z)) as [a b]; [apply nth_In; lia |].
      cbv zeta. rewrite (proj2 (Z.ltb_ge _ 0) a). unfold guard. now rewrite (proj2 (Z.leb_le _ _) a), (proj2 (Z.ltb_lt _ _) b). }
    change (one (let? k := axis_of (List.length (dims x)) (List.length (dims x)) (Z.of_nat axis) in gather S k x ix) =
      Some (GTensor (tabulate (set_nth axis n (dims x))
        (fun i => at_ S x (set_nth axis (nth (Z.to_nat (nth axis i 0%Z)) zs 0%Z) i))))).
    rewrite axis_of_nat by exact lt. unfold gather. fold m.
    replace (forallb _ (box (dims ix))) with true.
    2: { symmetry. apply forallb_forall. intros i I. apply in_box_box in I. cbn [dims ix] in I.
         destruct i as [| k [| k' i]]; [discriminate | | apply in_box_length in I; discriminate].
         now rewrite At. }
    cbn [guard table one]. do 2 f_equal. cbn [dims ix List.length].
    replace (gather_dims axis (dims x) [n]) with (set_nth axis n (dims x)).
    2: { unfold gather_dims. destruct (nth_split (dims x) 0 lt) as (pre & post & Ed & Ep). fold m in Ed. rewrite Ed, <- Ep.
         rewrite set_nth_app, firstn_app, firstn_all, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r.
         replace (Datatypes.S (List.length pre)) with (List.length pre + 1) by lia. rewrite skipn_app.
         rewrite skipn_all2 by lia. replace (List.length pre + 1 - List.length pre) with 1 by lia. reflexivity. }
    apply tabulate_ext. intros i I. pose proof (in_box_length _ _ I) as Li. rewrite set_nth_length in Li.
    apply in_box_nth in I. rewrite set_nth_length in I. destruct I as [_ I]. specialize (I axis lt).
    rewrite nth_set_same in I by exact lt. destruct (nth_split i 0%Z (n := axis) ltac:(lia)) as (pre & post & Ei & Ep).
    set (k := nth axis i 0%Z) in *. rewrite Ei, <- Ep.
    rewrite skipn_app, skipn_all, Nat.sub_diag. cbn [skipn app firstn]. rewrite At by (apply in_box_cons; now split).
    rewrite firstn_app, firstn_all, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r, set_nth_app.
    rewrite skipn_app, skipn_all2 by lia. replace (List.length pre + 1 - List.length pre) with 1 by lia. reflexivity.
  Qed.

  (** ** Elementwise: for a concrete name the first hypothesis is [eq_refl] *)

  Lemma unary_value name f l x : look_up String.eqb (operators S) name = Some (elementwise S f) ->
    op_value S name l [GTensor x] = Some (GTensor (tabulate (dims x) (fun i => f (at_ S x i)))).
  Proof. intros N. unfold op_value. rewrite N. reflexivity. Qed.

  Lemma binary_value name f l x y out : look_up String.eqb (operators S) name = Some (binary S f) ->
    broadcast (dims x) (dims y) = Some out ->
    op_value S name l [GTensor x; GTensor y] =
    Some (GTensor (tabulate out (fun i => f (spread_at S x out i) (spread_at S y out i)))).
  Proof.
    intros N B. unfold op_value. rewrite N. change (one (map2 S f x y) =
      Some (GTensor (tabulate out (fun i => f (spread_at S x out i) (spread_at S y out i))))).
    unfold map2. rewrite B. reflexivity.
  Qed.

  (** Max, Min and Sum of two. *)
  Lemma folded_value name f l x y out : look_up String.eqb (operators S) name = Some (folded S f) ->
    broadcast (dims x) (dims y) = Some out ->
    op_value S name l [GTensor x; GTensor y] =
    Some (GTensor (tabulate out (fun i => f (spread_at S x out i) (spread_at S y out i)))).
  Proof.
    intros N B. unfold op_value. rewrite N. change (one (fold_all S f x [y]) =
      Some (GTensor (tabulate out (fun i => f (spread_at S x out i) (spread_at S y out i))))).
    unfold fold_all. cbn [broadcast_all map]. rewrite B. reflexivity.
  Qed.

  Lemma spread_same_at x i : in_box (dims x) i = true -> spread_at S x (dims x) i = at_ S x i.
  Proof. intros I. unfold spread_at. now rewrite spread_same. Qed.

  Lemma spread_scalar a out i : spread_at S (scalar a) out i = a.
  Proof. reflexivity. Qed.

  (** Of the same sizes. *)
  Lemma spread_equal (f : num -> num -> num) x y : dims y = dims x ->
    tabulate (dims x) (fun i => f (spread_at S x (dims x) i) (spread_at S y (dims x) i)) =
    tabulate (dims x) (fun i => f (at_ S x i) (at_ S y i)).
  Proof.
    intros E. apply tabulate_ext. intros i I. rewrite spread_same_at by exact I. f_equal.
    unfold spread_at. now rewrite E, spread_same.
  Qed.

  Lemma binary_same name f l x y : look_up String.eqb (operators S) name = Some (binary S f) -> dims y = dims x ->
    op_value S name l [GTensor x; GTensor y] = Some (GTensor (tabulate (dims x) (fun i => f (at_ S x i) (at_ S y i)))).
  Proof.
    intros N E. rewrite (binary_value name f l x y (dims x) N) by (rewrite E; apply broadcast_same).
    now rewrite spread_equal.
  Qed.

  Lemma folded_same name f l x y : look_up String.eqb (operators S) name = Some (folded S f) -> dims y = dims x ->
    op_value S name l [GTensor x; GTensor y] = Some (GTensor (tabulate (dims x) (fun i => f (at_ S x i) (at_ S y i)))).
  Proof.
    intros N E. rewrite (folded_value name f l x y (dims x) N) by (rewrite E; apply broadcast_same).
    now rewrite spread_equal.
  Qed.

  (** With a constant ([Composition.runs_constant] of no sizes makes a [scalar]). *)
  Lemma spread_with (f : num -> num -> num) x a :
    tabulate (dims x) (fun i => f (spread_at S x (dims x) i) (spread_at S (scalar a) (dims x) i)) =
    tabulate (dims x) (fun i => f (at_ S x i) a).
  Proof. apply tabulate_ext. intros i I. now rewrite spread_same_at. Qed.

  Lemma binary_with name f l x a : look_up String.eqb (operators S) name = Some (binary S f) ->
    op_value S name l [GTensor x; GTensor (scalar a)] = Some (GTensor (tabulate (dims x) (fun i => f (at_ S x i) a))).
  Proof.
    intros N. rewrite (binary_value name f l x (scalar a) (dims x) N) by apply broadcast_nil. now rewrite spread_with.
  Qed.

  Lemma folded_with name f l x a : look_up String.eqb (operators S) name = Some (folded S f) ->
    op_value S name l [GTensor x; GTensor (scalar a)] = Some (GTensor (tabulate (dims x) (fun i => f (at_ S x i) a))).
  Proof.
    intros N. rewrite (folded_value name f l x (scalar a) (dims x) N) by apply broadcast_nil. now rewrite spread_with.
  Qed.

  (** The constant is the first one. *)
  Lemma binary_from name f l a x : look_up String.eqb (operators S) name = Some (binary S f) ->
    op_value S name l [GTensor (scalar a); GTensor x] = Some (GTensor (tabulate (dims x) (fun i => f a (at_ S x i)))).
  Proof.
    intros N. rewrite (binary_value name f l (scalar a) x (dims x) N) by (rewrite broadcast_comm; apply broadcast_nil).
    do 2 f_equal. apply tabulate_ext. intros i I. now rewrite spread_same_at.
  Qed.

  Lemma cast_value x code : (1 <= code <= 64)%Z ->
    op_value S "Cast" [("to", VInt code)] [GTensor x] = Some (GTensor (tabulate (dims x) (fun i => s_cast S code (at_ S x i)))).
  Proof.
    intros R. change (one (let? to := guard ((1 <=? code) && (code <=? 64))%Z (Some code) in map1 S (s_cast S to) x) =
      Some (GTensor (tabulate (dims x) (fun i => s_cast S code (at_ S x i))))).
    rewrite (proj2 (Z.leb_le 1 code) ltac:(lia)), (proj2 (Z.leb_le code 64) ltac:(lia)). reflexivity.
  Qed.

  (** Bounds are binary64. *)
  Lemma clip_value x lo hi : op_value S "Clip" [("min", VFloat lo); ("max", VFloat hi)] [GTensor x] =
    Some (GTensor (tabulate (dims x) (fun i => clip_cell S lo hi (at_ S x i)))).
  Proof. reflexivity. Qed.

  Lemma identity_value l x : op_value S "Identity" l [GTensor x] = Some (GTensor x).
  Proof. reflexivity. Qed.

  (** It is the same tensor. *)
  Lemma finished_runs ts b t typed : runs S typed (map GTensor ts) b (fun vs k => knows S vs k (GTensor t)) ->
    composed S typed (finished (List.length ts) b) ts = Some t.
  Proof.
    intros R. apply runs_composed. eapply runs_bind; [exact R |]. intros vs k X K. cbv beta.
    destruct (k <? List.length ts).
    - apply (runs_apply S typed vs "Identity" [] [k] [GTensor t]); [repeat constructor; exact K | reflexivity].
    - apply runs_return. exact K.
  Qed.

  (** ** Reductions over a list of axes *)

  Lemma reduce_attrs axes keep x : NoDup axes -> (forall k, In k axes -> k < List.length (dims x)) ->
    reduce_params [("axes", nats_value axes); ("keepdims", bool_value keep)] (dims x) = Some (keep, axes).
  Proof.
    intros D R. transitivity (let? k := (if keep then Some true else Some false) in
      let? a := (let? zs := ints_of (nats_value axes) in axes_of (List.length (dims x)) zs) in Some (k, a)).
    - destruct keep; reflexivity.
    - unfold nats_value. rewrite ints_of_ints, axes_of_nat by assumption. now destruct keep.
  Qed.

  Lemma reduce_value name f axes keep x :
    look_up String.eqb (operators S) name = Some (reduce_op S f) ->
    NoDup axes -> (forall k, In k axes -> k < List.length (dims x)) ->
    op_value S name [("axes", nats_value axes); ("keepdims", bool_value keep)] [GTensor x] = option_map GTensor (f keep axes x).
  Proof.
    intros N D R. unfold op_value. rewrite N. change (one (let? (k, a) := reduce_params
      [("axes", nats_value axes); ("keepdims", bool_value keep)] (dims x) in f k a x) = option_map GTensor (f keep axes x)).
    rewrite reduce_attrs by assumption. unfold one. now destruct (f keep axes x).
  Qed.

  Lemma reduce_max_value axes keep x : NoDup axes -> (forall k, In k axes -> k < List.length (dims x)) ->
    op_value S "ReduceMax" [("axes", nats_value axes); ("keepdims", bool_value keep)] [GTensor x] =
    option_map GTensor (reduce_max S keep axes x).
  Proof.
    intros D R. change (one (let? (k, a) := reduce_params
      [("axes", nats_value axes); ("keepdims", bool_value keep)] (dims x) in reduce_max S k a x) =
      option_map GTensor (reduce_max S keep axes x)).
    rewrite reduce_attrs by assumption. unfold one. now destruct (reduce_max S keep axes x).
  Qed.
End Steps.
