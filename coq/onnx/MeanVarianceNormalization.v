(** * MeanVarianceNormalization

    (X - mean) / (sqrt (mean of (X - mean) squared) + 1e-9), where the means are along axes (c/onnx/expand_reduce.c).
    It is computed
    as the formula says, so that no law of arithmetic is needed.  Floats; axes in any order, and from the end if negative, but not
    none of them. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.KeepDims tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.Tables onnx.Reduced onnx.ReduceMin onnx.Limited onnx.ReduceProd.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

(** A binary64. *)
Definition tiny_bits : N := 4472406533629990549.

Section Formula.
  Variable S : arith.

  (** The mean along the marked dimensions of what [f] says of the cells; the others are at [rest]. *)
  Definition mean_at (m : list bool) (ds : sizes) (f : list Z -> num S) (rest : list Z) : num S :=
    over_count S (cell_count (marked m ds)) (s_sum S (marked m ds) (fun k => f (weave m k rest))).

  (** [tiny] is 1e-9. *)
  Definition onnx_mean_variance (tiny : num S) (axes : list Z) (x : tensor (num S)) : option (tensor (num S)) :=
    let? l := axes_of (length (dims x)) axes in
    let m := marks (length (dims x)) l in
    let less i := s_sub S (at_ S x i) (mean_at m (dims x) (at_ S x) (unmarked m i)) in
    let square i := s_mul S (less i) (less i) in
    table S (Some (dims x)) (fun _ i =>
      div_cell S (less i) (s_add S (s_sqrt S (mean_at m (dims x) square (unmarked m i))) tiny)).
End Formula.

(** ** The composition *)

Definition averaged (l : list nat) (rank x : nat) : build nat :=
  apply "ReduceMean" [("axes", nats_value (ascending rank l)); ("keepdims", bool_value true)] [x].

Definition mean_variance_composition (type : Z) (axes : list Z) (ds : sizes) : option (build nat) :=
  let? l := axes_of (length ds) axes in
  guard (is_float_code type && negb (length l =? 0))
    (Some (a <- averaged l (length ds) 0 ;; d <- apply "Sub" [] [0; a] ;; q <- times d d ;; v <- averaged l (length ds) q ;;
           v <- apply "Sqrt" [] [v] ;; v <- apply_with "Add" type (LReal tiny_bits) v ;; apply "Div" [] [d; v])).

(** ** It computes the formula *)

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation runs := (runs S typed).
  Notation shows := (shows S).

  Lemma runs_averaged vs l ds x f : shows vs x ds f ->
    let m := marks (length ds) l in
    runs vs (averaged l (length ds) x) (fun ws k => shows ws k (reduce_dims true m ds) (fun i => mean_at S m ds f (unmarked m
      i))).
  Proof.
    intros X m. destruct (ascending_range (length ds) l) as [D R]. eapply runs_shows.
    - eapply (runs_value S typed vs "ReduceMean" _ [x] [_]); [repeat constructor; exact X |]. cbn [map].
      rewrite (reduce_value S "ReduceMean" (reduce_mean S) _ _ (tabulate ds f) eq_refl D R).
      unfold reduce_mean. cbn [dims tabulate]. rewrite marks_ascending. reflexivity.
    - intros ws k. apply shows_ext. fold m. intros i I. unfold mean_at. f_equal. unfold sum_over. cbn [dims tabulate].
      apply s_sum_ext. intros j J. apply at_table. apply (weave_box true m ds i j); [apply marks_length | exact I | exact J].
  Qed.

  (** With a number for each cell that is left. *)
  Lemma runs_with_kept vs name h x y ds m f g : look_up String.eqb (operators S) name = Some (binary S h) -> length m = length
    ds ->
    shows vs x ds f -> shows vs y (reduce_dims true m ds) (fun i => g (unmarked m i)) ->
    runs vs (apply name [] [x; y]) (fun ws k => shows ws k ds (fun i => h (f i) (g (unmarked m i)))).
  Proof.
    intros N L X Y. eapply runs_shows.
    - eapply (runs_value S typed vs name [] [x; y] [tabulate ds f; _] ds
        (fun i => h (at_ S (tabulate ds f) i) (g (unmarked m i)))).
      + constructor; [exact X | constructor; [exact Y | constructor]].
      + cbn [map]. unfold op_value. rewrite N.
        change (OpTable.one (map2 S h (tabulate ds f) (tabulate (reduce_dims true m ds) (fun i => g (unmarked m i)))) =
          Some (GTensor (tabulate ds (fun i => h (at_ S (tabulate ds f) i) (g (unmarked m i)))))).
        pose proof (map2_kept S h (tabulate ds f) m g L) as K. cbn [dims tabulate] in K. rewrite K. reflexivity.
    - intros ws k. apply shows_ext. intros i I. now rewrite at_table.
  Qed.

  Theorem mean_variance_correct type axes (x : tensor) b : good x -> mean_variance_composition type axes (dims x) = Some b ->
    exists y, onnx_mean_variance S (typed type (LReal tiny_bits)) axes x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros G B. unfold mean_variance_composition in B. unfold onnx_mean_variance.
    destruct (axes_of (length (dims x)) axes) as [l |]; [| discriminate]. unfold guard in B.
    destruct (_ && _) in B; [| discriminate]. apply some_eq in B. subst b. eexists. split; [reflexivity |].
    set (ds := dims x). set (m := marks (length ds) l). assert (L : length m = length ds) by apply marks_length.
    assert (X0 : shows (map (@GTensor _) [x]) 0 ds (at_ S x)) by (apply shows_tensor; [exact G | reflexivity]).
    apply runs_composed. eapply runs_bind; [apply (runs_averaged _ l ds 0 _ X0) |]. intros v1 a E1 A. cbv beta zeta in A.
    fold m in A.
    eapply runs_bind; [eapply (runs_with_kept v1 "Sub" (s_sub S) 0 a ds m _ (mean_at S m ds (at_ S x)) eq_refl L
      (shows_extends S _ _ _ _ _ X0 E1) A) |].
    intros v2 d E2 D. cbv beta in D. eapply runs_bind; [apply (runs_times S typed v2 d d _ _ _ D D) |]. intros v3 q E3 Q.
    cbv beta in Q.
    eapply runs_bind; [apply (runs_averaged v3 l ds q _ Q) |]. intros v4 v E4 V. cbv beta zeta in V. fold m in V.
    eapply runs_bind; [apply (runs_unary S typed v4 "Sqrt" (s_sqrt S) v _ _ eq_refl V) |]. clear v V. intros v5 v E5 V.
    cbv beta in V.
    eapply runs_bind; [eapply (runs_with S typed v5 "Add" (s_add S) type (LReal tiny_bits) _ v);
      [intros z; now apply binary_with | exact V] |].
    intros v6 w E6 W. cbv beta in W.
    set (sq := fun i => s_mul S (s_sub S (at_ S x i) (mean_at S m ds (at_ S x) (unmarked m i)))
      (s_sub S (at_ S x i) (mean_at S m ds (at_ S x) (unmarked m i)))) in *.
    assert (W' : shows v6 w (reduce_dims true m ds) (fun i =>
      (fun r => s_add S (s_sqrt S (mean_at S m ds sq r)) (typed type (LReal tiny_bits))) (unmarked m i))).
    { unfold Tables.shows. match type of W with knows _ _ _ (GTensor ?t) => match goal with |- knows _ _ _ (GTensor ?u) =>
        assert (t = u) as Et; [| now rewrite Et in W] end end.
      unfold mapped. cbn [dims tabulate]. apply tabulate_ext. intros i I. now rewrite at_table. }
    assert (D' : shows v6 d ds (fun i => s_sub S (at_ S x i) (mean_at S m ds (at_ S x) (unmarked m i)))).
    { eapply shows_extends; [exact D |]. repeat (eapply extends_trans; [eassumption |]). apply extends_refl. }
    exact (runs_with_kept v6 "Div" (div_cell S) d w ds m _ _ eq_refl L D' W').
  Qed.
End Correct.

(** ** An instance: of each column *)

Example mean_variance_example : let x := Tensor [2; 2] [1; 10; 9; 30]%Z in let typed (_ : Z) c := literal_value integers c in
  option_map (fun b => composed integers typed b [x]) (mean_variance_composition f32_code [0]%Z [2; 2]) =
  Some (onnx_mean_variance integers (typed f32_code (LReal tiny_bits)) [0]%Z x).
Proof. reflexivity. Qed.
