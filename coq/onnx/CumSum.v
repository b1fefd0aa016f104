(** * CumSum

    The sum of the cells up to each place of an axis, from the front or with [reverse] from the end, with or (exclusive)
    without the cell at the place.  The composition (c/onnx/expand_move.c) adds X moved by 1, 2, 4 .. places: after the
    additions for 1, .., k / 2 there is the sum of the last k cells.  Sums are of another order than ONNX's, so that the
    theorem is over rings.  The axis is constant; of tensors without cells the node stays CumSum. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith Ring_theory Ring Permutation.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.KernelPad tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

(** The places of which the cells are added up at place [z] of [n]. *)
Definition summed_places (exclusive reverse : bool) (n z : nat) : list nat :=
  let e := if exclusive then 1 else 0 in
  if reverse then seq (z + e) (n - (z + e)) else seq 0 (z + 1 - e).

Definition onnx_cum_sum (S : arith) (exclusive reverse : bool) (axis : Z) (x : tensor (num S)) : option (tensor (num S)) :=
  let ds := dims x in
  let? a := axis_of (length ds) (length ds) axis in
  Some (tabulate ds (fun i =>
    fold_left (fun s j => s_add S s (at_ S x (set_nth a (Z.of_nat j) i)))
      (summed_places exclusive reverse (nth a ds 0) (Z.to_nat (nth a i 0%Z))) (s_zero S))).

(** ** The composition *)

(** By [k] places towards higher or lower numbers. *)
Definition shift (reverse : bool) (k : nat) : Z := if reverse then (- Z.of_nat k)%Z else Z.of_nat k.

Definition moved_by (reverse : bool) (rank axis k x : nat) : build nat :=
  let lo := set_nth axis (shift reverse k) (repeat 0%Z rank) in
  apply "Pad" [("pads", ints_value (lo ++ map Z.opp lo)); ("mode", VStr "constant"); ("value", VFloat 0%N)] [x].

Fixpoint doublings (fuel : nat) (reverse : bool) (rank axis n k x : nat) : build nat :=
  match fuel with
  | 0 => Return x
  | Datatypes.S fuel' =>
      if k <? n then m <- moved_by reverse rank axis k x ;; y <- apply "Add" [] [x; m] ;;
                     doublings fuel' reverse rank axis n (k * 2) y
      else Return x
  end.

Definition cum_sum_composition (exclusive reverse : bool) (axis : Z) (ds : sizes) : option (build nat) :=
  let r := length ds in
  let? a := axis_of r r axis in
  guard (negb (cell_count ds =? 0))
    (Some (finished 1
      (x <- (if exclusive then moved_by reverse r a 1 0 else Return 0) ;;
       doublings (nth a ds 0) reverse r a (nth a ds 0) 1 x))).

(** ** Moving *)

Lemma pad_dims_shift ds : forall lo, length lo = length ds -> pad_dims PadConstant ds lo (map Z.opp lo) = Some ds.
Proof.
  induction ds as [| n ds IH]; intros [| p lo] L; try discriminate; [reflexivity |].
  cbn [map pad_dims]. rewrite IH by now injection L. cbn [option_map andb]. unfold guard.
  replace (Z.of_nat n + p + - p)%Z with (Z.of_nat n) by lia.
  rewrite (proj2 (Z.leb_le 0 (Z.of_nat n)) (Nat2Z.is_nonneg n)). cbn [andb]. now rewrite Nat2Z.id.
Qed.

Lemma pad_at_shift ds s : forall a i, length i = length ds -> a < length ds ->
  pad_at PadConstant ds (set_nth a s (repeat 0%Z (length ds))) i = set_nth a (nth a i 0 - s)%Z i.
Proof.
  assert (Z0 : forall ds i, length i = length ds -> pad_at PadConstant ds (repeat 0%Z (length ds)) i = i).
  { clear. induction ds as [| n ds IH]; intros [| z i] L; try discriminate; [reflexivity |].
    cbn [length repeat pad_at pad_place]. rewrite IH by now injection L. f_equal. lia. }
  induction ds as [| n ds IH]; intros a i L lt; [cbn in lt; lia |]. destruct i as [| z i]; [discriminate |].
  injection L as L. destruct a as [| a]; cbn [length repeat set_nth pad_at pad_place nth].
  - now rewrite Z0.
  - rewrite IH by (cbn in lt; try assumption; lia). f_equal. lia.
Qed.

Lemma in_box_place ds a i z : in_box ds i = true -> a < length ds ->
  in_box ds (set_nth a z i) = ((0 <=? z)%Z && (z <? Z.of_nat (nth a ds 0%nat))%Z).
Proof.
  intros I lt. apply eq_true_iff_eq. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. split.
  - intros J. apply in_box_nth in J. destruct J as [_ J]. specialize (J a lt).
    rewrite nth_set_same in J by (rewrite (in_box_length _ _ I); exact lt). exact J.
  - intros R. rewrite <- (set_nth_same a ds 0). now apply in_box_set.
Qed.

Lemma NoDup_back m l : NoDup l -> (forall d, In d l -> d <= m) -> NoDup (map (fun d => m - d) l).
Proof.
  induction 1 as [| d l N _ IH]; intros le; [constructor |]. cbn [map].
  constructor; [| apply IH; intros c C; apply le; now right].
  intros I. apply in_map_iff in I. destruct I as (c & E & C).
  pose proof (le c (or_intror C)). pose proof (le d (or_introl eq_refl)). apply N. now replace d with c by lia.
Qed.

Section Correct.
  Variable S : arith.
  Variable laws : ring_laws S.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Notation total := (total S).

  Add Ring cum_sum_numbers : (ring_is S laws).

  Section Axis.
    Variables (reverse : bool) (a e : nat) (x : tensor).
    Let ds := dims x.
    Let n := nth a ds 0.
    Hypothesis A : a < length ds.

    Definition cell_of (i : list Z) (z : Z) : num S := at_ x (set_nth a z i).

    (** The sum of the last [k] cells, [e] places before [z]. *)
    Definition last_cells (i : list Z) (z : Z) (k : nat) : num S :=
      total (seq 0 k) (fun d => cell_of i (z - shift reverse (d + e))%Z).

    Definition window_sums (k : nat) : tensor := tabulate ds (fun i => last_cells i (nth a i 0%Z) k).

    Lemma cell_outside i z : in_box ds i = true -> (z < 0 \/ Z.of_nat n <= z)%Z -> cell_of i z = s_zero S.
    Proof.
      intros I R. apply at_outside. fold ds. rewrite in_box_place by assumption. fold n. lia.
    Qed.

    Lemma last_outside i z k : in_box ds i = true -> (if reverse then Z.of_nat n <= z else z < 0)%Z ->
      last_cells i z k = s_zero S.
    Proof.
      intros I R. apply (total_zero S laws). intros d _. apply cell_outside; [exact I |]. unfold shift. destruct reverse; lia.
    Qed.

    (** A sum of twice as many cells. *)
    Lemma last_twice i z k : last_cells i z (k * 2) = s_add S (last_cells i z k) (last_cells i (z - shift reverse k)%Z k).
    Proof.
      unfold last_cells. replace (k * 2) with (k + k) by lia. rewrite seq_app, (total_app S laws). f_equal.
      assert (seq (0 + k) k = map (fun d => d + k) (seq 0 k)) as ->.
      { assert (forall q s, seq (s + k) q = map (fun d => d + k) (seq s q)) as go; [| exact (go k 0)].
        induction q as [| q IH]; intros s; [reflexivity |]. cbn. f_equal. exact (IH (Datatypes.S s)). }
      rewrite (total_map S). apply (total_ext S). intros d _. f_equal. unfold shift. destruct reverse; lia.
    Qed.

    Lemma runs_moved vs k j (y : tensor) : dims y = ds -> knows S vs j (GTensor y) ->
      runs S typed vs (moved_by reverse (length ds) a k j)
        (fun ws h => knows S ws h (GTensor (tabulate ds (fun i => at_ y (set_nth a (nth a i 0 - shift reverse k)%Z i))))).
    Proof.
      intros D K. set (lo := set_nth a (shift reverse k) (repeat 0%Z (length ds))).
      assert (L : length lo = length ds) by (unfold lo; now rewrite set_nth_length, repeat_length).
      apply (runs_apply S typed vs _ _ _ [GTensor y]); [repeat constructor; exact K |]. fold lo.
      rewrite (pad_value S y lo (map Z.opp lo) 0%N ds) by (rewrite D; [exact L || now apply pad_dims_shift]).
      do 2 f_equal. apply tabulate_ext. intros i I. cbv zeta. rewrite D. unfold lo.
      rewrite pad_at_shift by (try exact A; now apply in_box_length).
      destruct (in_box ds (set_nth a (nth a i 0 - shift reverse k)%Z i)) eqn:B; [reflexivity |].
      rewrite at_outside by (rewrite D; exact B). reflexivity.
    Qed.

    Lemma runs_doublings fuel : forall vs k j, n <= k + fuel -> 0 < k -> knows S vs j (GTensor (window_sums k)) ->
      runs S typed vs (doublings fuel reverse (length ds) a n k j)
        (fun ws h => exists q, n <= q /\ knows S ws h (GTensor (window_sums q))).
    Proof.
      induction fuel as [| fuel IH]; intros vs k j F P K; cbn [doublings].
      { apply runs_return. exists k. split; [lia | exact K]. }
      destruct (Nat.ltb_spec k n) as [lt | ge]; [| apply runs_return; exists k; split; [lia | exact K]].
      eapply runs_bind; [apply (runs_moved vs k j (window_sums k)); [reflexivity | exact K] |]. intros ws m X M. cbv beta in M.
      eapply runs_bind; [| intros us h _ H; apply (IH us (k * 2) h); [lia | lia | exact H]].
      set (mv := tabulate ds _) in M.
      apply (runs_apply S typed ws _ _ _ [GTensor (window_sums k); GTensor mv]).
      { constructor; [eapply knows_extends; eassumption |]. constructor; [exact M | constructor]. }
      rewrite (binary_same S "Add" (s_add S) [] (window_sums k) mv) by reflexivity.
      do 2 f_equal. unfold window_sums at 3. cbn [dims tabulate window_sums]. apply tabulate_ext. intros i I.
      rewrite last_twice. unfold mv. rewrite at_tabulate by exact I. unfold window_sums.
      rewrite at_tabulate by exact I. f_equal.
      destruct (in_box ds (set_nth a (nth a i 0 - shift reverse k)%Z i)) eqn:B.
      - rewrite at_tabulate by exact B. unfold last_cells, cell_of.
        rewrite nth_set_same by (rewrite (in_box_length _ _ I); exact A). apply (total_ext S). intros d _.
        now rewrite set_nth_twice.
      - rewrite at_outside by exact B. symmetry. apply last_outside; [exact I |].
        rewrite in_box_place in B by assumption. fold n in B. apply in_box_nth in I. destruct I as [_ I].
        specialize (I a A). fold n in I.
        unfold shift in *. destruct reverse; lia.
    Qed.

    Lemma total_permuted {B} (l m : list B) f : Permutation l m -> total l f = total m f.
    Proof.
      intros P. induction P as [| b l m _ IH | b c l | l m q _ IH _ IH']; [reflexivity | | | congruence].
      - change (b :: l) with ([b] ++ l). change (b :: m) with ([b] ++ m). now rewrite !(total_app S laws), IH.
      - change (b :: c :: l) with ([b] ++ [c] ++ l). change (c :: b :: l) with ([c] ++ [b] ++ l).
        rewrite !(total_app S laws). ring.
    Qed.

    (** A window as long as the axis has all of its cells that count. *)
    Lemma last_all i q : e <= 1 -> in_box ds i = true -> n <= q ->
      last_cells i (nth a i 0%Z) q =
      total (summed_places (e =? 1) reverse n (Z.to_nat (nth a i 0%Z))) (fun j => cell_of i (Z.of_nat j)).
    Proof.
      intros E I Q. unfold summed_places. assert ((if e =? 1 then 1 else 0) = e) as -> by (destruct (Nat.eqb_spec e 1); lia).
      assert (0 <= nth a i 0 < Z.of_nat n)%Z as R by (pose proof I as I'; apply in_box_nth in I'; now apply I').
      set (z := Z.to_nat (nth a i 0%Z)). replace (nth a i 0%Z) with (Z.of_nat z) by lia. assert (z < n) as lt by lia. clearbody z.
      unfold last_cells.
      assert (Cut : forall c, c <= q ->
        (forall d, c <= d -> d < q -> cell_of i (Z.of_nat z - shift reverse (d + e)) = s_zero S) ->
        total (seq 0 q) (fun d => cell_of i (Z.of_nat z - shift reverse (d + e))%Z) =
        total (seq 0 c) (fun d => cell_of i (Z.of_nat z - shift reverse (d + e))%Z)).
      { intros c le O. replace q with (c + (q - c)) by lia. rewrite seq_app, (total_app S laws).
        rewrite (total_zero S laws (seq (0 + c) (q - c))); [ring |]. intros d D. apply in_seq in D. apply O; lia. }
      destruct reverse; unfold shift in *.
      - rewrite (Cut (n - (z + e))); [| lia | intros d D1 D2; apply cell_outside; [exact I | lia]].
        assert (seq (z + e) (n - (z + e)) = map (fun d => d + (z + e)) (seq 0 (n - (z + e)))) as ->.
        { assert (forall k q s, seq (s + k) q = map (fun d => d + k) (seq s q)) as go; [| exact (go (z + e) _ 0)].
          clear. intros k. induction q as [| q IH]; intros s; [reflexivity |]. cbn. f_equal. exact (IH (Datatypes.S s)). }
        rewrite (total_map S). apply (total_ext S). intros d _. f_equal. lia.
      - rewrite (Cut (z + 1 - e)); [| lia | intros d D1 D2; apply cell_outside; [exact I | lia]].
        rewrite (total_ext S _ _ (fun d => cell_of i (Z.of_nat (z - e - d)))).
        2: { intros d D. apply in_seq in D. f_equal. lia. }
        rewrite <- (total_map S (fun d => z - e - d) (seq 0 (z + 1 - e)) (fun j => cell_of i (Z.of_nat j))).
        apply total_permuted. apply NoDup_Permutation.
        + apply NoDup_back; [apply seq_NoDup |]. intros d D. apply in_seq in D. lia.
        + apply seq_NoDup.
        + intros j. rewrite in_map_iff, in_seq. split.
          * intros (d & <- & D). apply in_seq in D. lia.
          * intros J. exists (z - e - j). split; [lia | apply in_seq; lia].
    Qed.
  End Axis.

  (** After the first step: the cell [e] places before. *)
  Lemma first_window reverse a e (x : tensor) : a < length (dims x) ->
    window_sums reverse a e x 1 = tabulate (dims x) (fun i => at_ x (set_nth a (nth a i 0 - shift reverse e)%Z i)).
  Proof.
    intros A. apply tabulate_ext. intros i I. unfold last_cells, KernelPad.total. cbn [seq fold_left plus]. unfold cell_of. ring.
  Qed.

  Theorem cum_sum_correct exclusive reverse axis (x : tensor) b : good x ->
    cum_sum_composition exclusive reverse axis (dims x) = Some b ->
    exists y, onnx_cum_sum S exclusive reverse axis x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros G B. unfold cum_sum_composition in B. unfold onnx_cum_sum.
    destruct (axis_of (length (dims x)) (length (dims x)) axis) as [a |] eqn:Ax; [| discriminate].
    unfold guard in B. destruct (Nat.eqb_spec (cell_count (dims x)) 0) as [| E]; [discriminate |]. cbn [negb] in B.
    injection B as <-.
    assert (A : a < length (dims x)).
    { unfold axis_of in Ax. destruct (_ && _) eqn:R in Ax; [| discriminate]. injection Ax as <-.
      apply andb_true_iff in R. destruct R as [R0 R1]. destruct (Z.ltb_spec axis 0); lia. }
    eexists. split; [reflexivity |]. apply (finished_runs S [x]).
    set (e := if exclusive then 1 else 0).
    assert (first : runs S typed (map GTensor [x]) (if exclusive then moved_by reverse (length (dims x)) a 1 0 else Return 0)
      (fun ws h => knows S ws h (GTensor (window_sums reverse a e x 1)))).
    { rewrite first_window by exact A. unfold e. destruct exclusive.
      - apply (runs_moved reverse a x A (map GTensor [x]) 1 0 x); reflexivity.
      - apply runs_return. unfold knows. cbn [map nth_error]. do 2 f_equal. symmetry.
        transitivity (tabulate (dims x) (at_ x)); [| now apply tabulate_get].
        apply tabulate_ext. intros i _. unfold shift.
        replace (nth a i 0 - (if reverse then - Z.of_nat 0 else Z.of_nat 0))%Z with (nth a i 0%Z)
          by (destruct reverse; lia). now rewrite set_nth_same. }
    eapply runs_bind; [exact first |]. intros ws j _ J. cbv beta in J.
    eapply runs_weaken; [apply (runs_doublings reverse a e x A (nth a (dims x) 0) ws 1 j); [lia | lia | exact J] |].
    intros us h _ (q & Q & H).
    match goal with |- knows S us h (GTensor ?u) => assert (u = window_sums reverse a e x q) as ->; [| exact H] end.
    apply tabulate_ext. intros i I.
    rewrite (last_all reverse a e x A i q); [| unfold e; destruct exclusive; lia | exact I | exact Q].
    unfold KernelPad.total. replace (e =? 1) with exclusive by (unfold e; now destruct exclusive). reflexivity.
  Qed.
End Correct.

(** ** An instance *)

Example cum_sum_example : let x := Tensor [2; 3] [1; 2; 3; 4; 5; 6]%Z in let typed (_ : Z) c := literal_value integers c in
  option_map (fun b => composed integers typed b [x]) (cum_sum_composition false false (-1) [2; 3]) =
    Some (Some (Tensor [2; 3] [1; 3; 6; 4; 9; 15]%Z)) /\
  option_map (fun b => composed integers typed b [x]) (cum_sum_composition true true 1 [2; 3]) =
    Some (Some (Tensor [2; 3] [5; 3; 0; 11; 6; 0]%Z)) /\
  onnx_cum_sum integers true true 1 x = Some (Tensor [2; 3] [5; 3; 0; 11; 6; 0]%Z).
Proof. repeat split; reflexivity. Qed.
