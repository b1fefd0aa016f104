(** * ReduceLogSumExp

    The logarithm of the sum of exponentials along axes.  Exponentials overflow; so the composition (c/onnx/expand_reduce.c)
    takes the greatest cell M, kept finite, and computes M + log (sum of exp (x - M)).  That this is the same is a law of the
    numbers ([shifts]), which the real numbers have ([LogSumExpReals]); floats have it but for their rounding.  Floats, at opset
    18 and later, and at earlier ones with constant axes; tensors without cells stay ReduceLogSumExp. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.KeepDims tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.Tables onnx.Reduced onnx.ReduceMin onnx.Limited onnx.ReduceSums
  onnx.ReduceProd.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

Definition onnx_reduce_log_sum_exp (S : arith) : bool -> bool -> list Z -> tensor (num S) -> option (tensor (num S)) :=
  onnx_reduction S (s_exp S) (s_log S) (s_sum S).

(** ** The composition *)

Definition reduce_log_sum_exp_composition (type : Z) (keep noop : bool) (axes : list Z) (ds : sizes) : option (build nat) :=
  let? l := axes_given (length ds) noop axes in
  let m := marks (length ds) l in
  guard (negb (cell_count ds =? 0) && is_float_code type)
    (Some (g <- greatest true l ds 0 ;; g <- limited type g ;; d <- apply "Sub" [] [0; g] ;; e <- apply "Exp" [] [d] ;;
           s <- summed true l (length ds) e ;; s <- apply "Log" [] [s] ;; y <- plus g s ;;
           reshaped (reduce_dims true m ds) (reduce_dims keep m ds) y)).

(** ** It computes the formula *)

(** A number [m] may be taken out of the exponents. *)
Definition shifts (S : arith) : Prop :=
  forall ns f m, cell_count ns <> 0 ->
    s_add S m (s_log S (s_sum S ns (fun k => s_exp S (s_sub S (f k) m)))) = s_log S (s_sum S ns (fun k => s_exp S (f k))).

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis law : shifts S.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Notation shows := (shows S).

  Theorem reduce_log_sum_exp_correct type keep noop axes (x : tensor) b : good x ->
    reduce_log_sum_exp_composition type keep noop axes (dims x) = Some b ->
    exists y, onnx_reduce_log_sum_exp S keep noop axes x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros G B. unfold reduce_log_sum_exp_composition in B. unfold onnx_reduce_log_sum_exp, onnx_reduction.
    destruct (axes_given (length (dims x)) noop axes) as [l |]; [| discriminate].
    set (m := marks (length (dims x)) l) in *. assert (L : length m = length (dims x)) by apply marks_length.
    unfold guard in B. destruct (Nat.eqb_spec (cell_count (dims x)) 0) as [| E] in B; [discriminate |].
    destruct (_ && _) in B; [| discriminate]. apply some_eq in B. subst b.
    eexists. split; [reflexivity |]. apply runs_composed.
    set (top r := limited_cell S typed type (s_greatest S (marked m (dims x)) (fun k => at_ x (weave m k r)))).
    eapply runs_bind; [apply (runs_greatest S typed (map (@GTensor _) [x]) true l x 0 eq_refl G E) |].
    intros v1 g E1 K1. cbv beta in K1.
    eapply runs_bind; [apply (runs_limited S typed v1 type _ g K1) |]. clear g K1. intros v2 g E2 K2. cbv beta in K2.
    assert (T : shows v2 g (reduce_dims true m (dims x)) (fun i => top (unmarked m i))).
    { unfold Tables.shows. assert (mapped S (limited_cell S typed type) (greatest_of S true l x) =
              tabulate (reduce_dims true m (dims x)) (fun i => top (unmarked m i))) as <-; [| exact K2].
      unfold mapped, greatest_of. cbn [dims tabulate]. fold m. apply tabulate_ext. intros i I. now rewrite at_tabulate. }
    clear K2. assert (K0 : knows S v2 0 (GTensor x)).
    { apply (knows_extends S (map (@GTensor _) [x])); [reflexivity | now apply (extends_trans S _ v1)]. }
    eapply runs_bind.
    { eapply (runs_value S typed v2 "Sub" [] [0; g] [x; _]); [constructor; [exact K0 | constructor; [exact T | constructor]] |].
      change (op_value S "Sub" [] (map GTensor [x; tabulate (reduce_dims true m (dims x)) (fun i => top (unmarked m i))])) with
        (OpTable.one (map2 S (s_sub S) x (tabulate (reduce_dims true m (dims x)) (fun i => top (unmarked m i))))).
      rewrite (map2_kept S (s_sub S) x m top L). reflexivity. }
    intros v3 d E3 D. cbv beta in D.
    eapply runs_bind; [apply (runs_unary S typed v3 "Exp" (s_exp S) d _ _ eq_refl D) |]. intros v4 e E4 Ex. cbv beta in Ex.
    eapply runs_bind; [apply (runs_summed S typed v4 true l (dims x) e _ Ex) |]. intros v5 s E5 Su. cbv beta zeta in Su.
    fold m in Su.
    eapply runs_bind; [apply (runs_unary S typed v5 "Log" (s_log S) s _ _ eq_refl Su) |]. intros v6 h E6 Lo. cbv beta in Lo.
    assert (E26 : extends S v2 v6) by (repeat (eapply extends_trans; [eassumption |]); apply extends_refl).
    eapply runs_bind; [apply (runs_plus S typed v6 g h _ _ _ (shows_extends S _ _ _ _ _ T E26) Lo) |].
    intros v7 y E7 Y. cbv beta in Y.
    assert (C : cell_count (reduce_dims keep m (dims x)) = cell_count (reduce_dims true m (dims x))) by now rewrite !kept_count.
    eapply runs_shows; [apply (runs_recast S typed v7 y _ _ _ C Y) |]. intros ws k. apply shows_ext. intros i I.
    pose proof (position_lt _ _ I) as lt. rewrite C in lt. destruct (index_at_spec _ _ lt) as [J P].
    set (j := index_at (reduce_dims true m (dims x)) (position (reduce_dims keep m (dims x)) i)) in *.
    destruct (rest_place true m (dims x) j L J) as [Bj Pj]. destruct (rest_place keep m (dims x) i L I) as [Bi Pi].
    assert (R : rest_at true m j = rest_at keep m i) by (apply (position_inj (unmarked m (dims x))); congruence).
    change (unmarked m j) with (rest_at true m j). rewrite R.
    etransitivity; [| exact (law _ (fun k => at_ x (weave m k (rest_at keep m i))) (top (rest_at keep m i))
      (count_marked m _ E))].
    do 2 f_equal. apply s_sum_ext. intros k' K. destruct (marked_length m (dims x) (eq_sym L)) as [Lk Lr].
    rewrite unmarked_weave; [reflexivity | |].
    - rewrite <- Lk. now apply in_box_length.
    - rewrite <- Lr. now apply in_box_length.
  Qed.
End Correct.
