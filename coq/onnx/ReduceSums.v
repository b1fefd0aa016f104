(** * ReduceL1, ReduceL2, ReduceSumSquare, ReduceLogSum

    Sums along axes, of functions of the cells, and functions of the sums (c/onnx/expand_reduce.c).  They are computed as
    ONNX's formulas say, so that no law of arithmetic is needed.  Opset 18 and later, and earlier ones with constant axes;
    tensors without cells stay what they are, and so do roots and logarithms of integers. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.Tables onnx.Reduced onnx.ReduceMin.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

(** [all] of what [before] makes of the cells along the axes, and what [after] makes of that.
    The axes are given in any order, and from the end if negative; given none: all, or with [noop] none. *)
Definition onnx_reduction (S : arith) (before after : num S -> num S) (all : sizes -> (list Z -> num S) -> num S)
    (keep noop : bool) (axes : list Z) (x : tensor (num S)) : option (tensor (num S)) :=
  let? l := axes_given (length (dims x)) noop axes in
  let m := marks (length (dims x)) l in
  table S (Some (reduce_dims keep m (dims x))) (fun _ i =>
    after (all (marked m (dims x)) (fun k => before (at_ S x (weave m k (rest_at keep m i)))))).

Inductive sum_kind := L1 | L2 | SumSquare | LogSum.

Definition before_sum (S : arith) (kind : sum_kind) (a : num S) : num S :=
  match kind with L1 => s_abs S a | LogSum => a | _ => s_mul S a a end.

Definition after_sum (S : arith) (kind : sum_kind) (a : num S) : num S :=
  match kind with L2 => s_sqrt S a | LogSum => s_log S a | _ => a end.

Definition onnx_reduce_sums (S : arith) (kind : sum_kind) : bool -> bool -> list Z -> tensor (num S) -> option (tensor (num S)) :=
  onnx_reduction S (before_sum S kind) (after_sum S kind) (s_sum S).

(** ** The composition *)

(** Of no axes the value itself (make_reduce). *)
Definition summed (keep : bool) (axes : list nat) (rank x : nat) : build nat :=
  match axes with
  | [] => Return x
  | _ => apply "ReduceSum" [("axes", nats_value (ascending rank axes)); ("keepdims", bool_value keep)] [x]
  end.

Definition before_step (kind : sum_kind) (x : nat) : build nat :=
  match kind with L1 => apply "Abs" [] [x] | LogSum => Return x | _ => times x x end.

Definition after_step (kind : sum_kind) (x : nat) : build nat :=
  match kind with L2 => apply "Sqrt" [] [x] | LogSum => apply "Log" [] [x] | _ => Return x end.

Definition reduce_sums_composition (kind : sum_kind) (type : Z) (keep noop : bool) (axes : list Z) (ds : sizes) :
    option (build nat) :=
  let? l := axes_given (length ds) noop axes in
  guard (negb (cell_count ds =? 0) && (is_float_code type || match kind with L1 | SumSquare => true | _ => false end))
    (Some (x <- before_step kind 0 ;; y <- summed keep l (length ds) x ;; after_step kind y)).

(** ** It computes the formula *)

Lemma reduce_none keep ds i : length i = length ds ->
  reduce_dims keep (marks (length ds) []) ds = ds /\ marked (marks (length ds) []) ds = [] /\
  weave (marks (length ds) []) [] (rest_at keep (marks (length ds) []) i) = i.
Proof.
  intros L. assert (marks (length ds) [] = repeat false (length ds)) as ->.
  { unfold marks. clear L. generalize 0. generalize (length ds) as n.
    induction n as [| n IH]; intros k; [reflexivity |]. cbn [seq map repeat]. f_equal. apply IH. }
  unfold reduce_dims, rest_at, unmarked. revert i L.
  induction ds as [| d ds IH]; intros [| z i] L; try discriminate; [now destruct keep |].
  injection L as L. destruct (IH i L) as (A & B & C). cbn [length repeat marked map negb combine fst snd].
  split; [destruct keep; now f_equal |]. split; [exact B |]. destruct keep; cbn [weave]; f_equal; exact C.
Qed.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation runs := (runs S typed).

  Lemma runs_summed vs keep axes ds x f : shows S vs x ds f ->
    let m := marks (length ds) axes in
    runs vs (summed keep axes (length ds) x) (fun ws k => shows S ws k (reduce_dims keep m ds)
      (fun i => s_sum S (marked m ds) (fun k => f (weave m k (rest_at keep m i))))).
  Proof.
    intros X m. unfold summed. destruct axes as [| a axes].
    - apply runs_return. destruct (reduce_none keep ds (repeat 0%Z (length ds)) ltac:(apply repeat_length)) as (E & M & _).
      fold m in E, M. rewrite E, M. revert X. apply shows_ext. intros i I. apply in_box_length in I.
      cbn. unfold m. now rewrite (proj2 (proj2 (reduce_none keep ds i I))).
    - set (ax := a :: axes) in *. destruct (ascending_range (length ds) ax) as [D R]. eapply runs_shows.
      + eapply (runs_value S typed vs "ReduceSum" _ [x] [_]); [repeat constructor; exact X |]. cbn [map].
        rewrite (reduce_value S "ReduceSum" (reduce_sum S) _ _ (tabulate ds f) eq_refl D R).
        unfold reduce_sum. cbn [dims tabulate]. rewrite marks_ascending. reflexivity.
      + intros ws k. apply shows_ext. fold m. intros i I. unfold sum_over. cbn [dims tabulate]. apply s_sum_ext. intros j J.
        apply at_table. apply (weave_box keep m ds i j); [apply marks_length | exact I | exact J].
  Qed.

  Lemma runs_before kind vs x ds f : shows S vs x ds f ->
    runs vs (before_step kind x) (fun ws k => shows S ws k ds (fun i => before_sum S kind (f i))).
  Proof.
    intros X. destruct kind; cbn [before_step before_sum]; try (now apply (runs_times S typed)).
    - now apply (runs_unary S typed vs "Abs" (s_abs S)).
    - now apply runs_return.
  Qed.

  Lemma runs_after kind vs x ds f : shows S vs x ds f ->
    runs vs (after_step kind x) (fun ws k => shows S ws k ds (fun i => after_sum S kind (f i))).
  Proof.
    intros X. destruct kind; cbn [after_step after_sum]; try (now apply runs_return).
    - now apply (runs_unary S typed vs "Sqrt" (s_sqrt S)).
    - now apply (runs_unary S typed vs "Log" (s_log S)).
  Qed.

  Theorem reduce_sums_correct kind type keep noop axes (x : tensor) b : good x ->
    reduce_sums_composition kind type keep noop axes (dims x) = Some b ->
    exists y, onnx_reduce_sums S kind keep noop axes x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros G B. unfold reduce_sums_composition in B. unfold onnx_reduce_sums, onnx_reduction.
    destruct (axes_given (length (dims x)) noop axes) as [l |]; [| discriminate].
    unfold guard in B. destruct (_ && _) in B; [| discriminate]. apply some_eq in B. subst b.
    eexists. split; [reflexivity |]. apply runs_composed.
    eapply runs_bind; [apply (runs_before kind (map (@GTensor _) [x]) 0 (dims x) (at_ S x)), shows_tensor;
      [exact G | reflexivity] |].
    intros ws j _ J. cbv beta in J. eapply runs_bind; [exact (runs_summed ws keep l (dims x) j _ J) |].
    intros us k _ K. cbv beta in K. exact (runs_after kind us k _ _ K).
  Qed.
End Correct.

(** ** Instances: the squares of each row, and the magnitudes of all cells *)

Example reduce_sum_square_example : let x := Tensor [2; 3] [1; -2; 3; 4; -5; 6]%Z in
  let typed (_ : Z) c := literal_value integers c in
  option_map (fun b => composed integers typed b [x]) (reduce_sums_composition SumSquare i64_code true false [-1]%Z [2; 3]) =
    Some (Some (Tensor [2; 1] [14; 77]%Z)) /\
  onnx_reduce_sums integers SumSquare true false [-1]%Z x = Some (Tensor [2; 1] [14; 77]%Z).
Proof. split; reflexivity. Qed.

Example reduce_l1_example : let x := Tensor [2; 3] [1; -2; 3; 4; -5; 6]%Z in
  let typed (_ : Z) c := literal_value integers c in
  option_map (fun b => composed integers typed b [x]) (reduce_sums_composition L1 i64_code false false [] [2; 3]) =
    Some (Some (Tensor [] [21]%Z)) /\
  onnx_reduce_sums integers L1 false false [] x = Some (Tensor [] [21]%Z).
Proof. split; reflexivity. Qed.
