(** * CumSum

    The sum of the cells up to each place of an axis, from the front or with [reverse] from the end, with or (exclusive)
    without the cell at the place.  The composition (c/onnx/expand_move.c) adds X moved by 1, 2, 4 .. places: after the
    additions for 1, .., k / 2 there is the sum of the last k cells, the sum of two halves.  [cum_sum_in_order] says it in
    this order, for all scalars, floats among them ([cum_sum_in_order_correct]).  ONNX's formula adds one cell after the
    other: [cum_sum_correct] is over rings.  The axis is constant; of tensors without cells the node stays CumSum. *)

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

(** ** The order of the composition *)

(** By [k] places towards higher or lower numbers. *)
Definition shift (reverse : bool) (k : nat) : Z := if reverse then (- Z.of_nat k)%Z else Z.of_nat k.

(** The sum of [f 0], .., [f (count - 1)], which are at most [2 ^ levels]: of halves, a half without cells being 0. *)
Fixpoint halves (S : arith) (levels : nat) (f : nat -> num S) (count : nat) : num S :=
  match count, levels with
  | 0, _ => s_zero S
  | _, 0 => f 0
  | _, Datatypes.S h => s_add S (halves S h f count) (halves S h (fun d => f (d + 2 ^ h)) (count - 2 ^ h))
  end.

(** Cells from the place [z] of [n] back to the first, or on to the last. *)
Definition cells_back (reverse : bool) (n : nat) (z : Z) : nat := Z.to_nat (if reverse then Z.of_nat n - z else z + 1).

(** With [exclusive] the cells are those one place before; outside of X they are 0. *)
Definition cum_sum_in_order (S : arith) (exclusive reverse : bool) (axis : Z) (x : tensor (num S)) : option (tensor (num S)) :=
  let ds := dims x in
  let e := if exclusive then 1 else 0 in
  let? a := axis_of (length ds) (length ds) axis in
  let n := nth a ds 0 in
  Some (tabulate ds (fun i =>
    let z := nth a i 0%Z in
    halves S (Nat.log2_up n) (fun d => at_ S x (set_nth a (z - shift reverse (d + e))%Z i)) (cells_back reverse n z))).

(** ** The composition *)

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

Lemma axis_of_less rank axis a : axis_of rank rank axis = Some a -> a < rank.
Proof.
  unfold axis_of. destruct (_ && _) eqn:R; [| discriminate]. intros E. injection E as <-.
  apply andb_true_iff in R. destruct R as [R0 R1]. destruct (Z.ltb_spec axis 0); lia.
Qed.

(** ** The sums in the order of the composition *)

Section Order.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Lemma halves_ext levels : forall (f g : nat -> num S) count, (forall d, f d = g d) ->
    halves S levels f count = halves S levels g count.
  Proof.
    induction levels as [| h IH]; intros f g [| count] E; try reflexivity; cbn [halves]; [apply E |].
    f_equal; [now apply IH | apply IH; intros d; apply E].
  Qed.

  Section Axis.
    Variables (reverse : bool) (a e : nat) (x : tensor).
    Let ds := dims x.
    Let n := nth a ds 0.
    Hypothesis A : a < length ds.

    Definition cell_of (i : list Z) (z : Z) : num S := at_ x (set_nth a z i).

    (** The sum of the last [2 ^ h] cells, [e] places before. *)
    Definition last_cells (i : list Z) (h : nat) : num S :=
      let z := nth a i 0%Z in halves S h (fun d => cell_of i (z - shift reverse (d + e))%Z) (cells_back reverse n z).

    Definition window_sums (h : nat) : tensor := tabulate ds (fun i => last_cells i h).

    Lemma place_in i : in_box ds i = true -> (0 <= nth a i 0 < Z.of_nat n)%Z.
    Proof. intros I. apply in_box_nth in I. now apply I. Qed.

    Lemma cell_outside i z : in_box ds i = true -> (z < 0 \/ Z.of_nat n <= z)%Z -> cell_of i z = s_zero S.
    Proof.
      intros I R. apply at_outside. fold ds. rewrite in_box_place by assumption. fold n. lia.
    Qed.

    (** Twice as many cells. *)
    Lemma last_twice i h : in_box ds i = true ->
      last_cells i (Datatypes.S h) =
      s_add S (last_cells i h) (at_ (window_sums h) (set_nth a (nth a i 0 - shift reverse (2 ^ h))%Z i)).
    Proof.
      intros I. pose proof (place_in i I) as R. unfold last_cells at 1 2. cbv zeta. set (z := nth a i 0%Z) in *.
      assert (0 < cells_back reverse n z) as pos by (unfold cells_back; destruct reverse; lia).
      set (j := set_nth a (z - shift reverse (2 ^ h))%Z i).
      destruct (cells_back reverse n z) as [| count] eqn:C; [lia |]. cbn [halves]. f_equal. rewrite <- C.
      assert (in_box ds j = ((0 <=? z - shift reverse (2 ^ h)) && (z - shift reverse (2 ^ h) <? Z.of_nat n))%Z) as J
        by (now apply in_box_place).
      destruct (in_box ds j) eqn:B.
      - symmetry in J. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in J. unfold window_sums. rewrite at_tabulate by exact B.
        unfold last_cells. cbv zeta. unfold j at 2 3. rewrite nth_set_same by (rewrite (in_box_length _ _ I); exact A).
        replace (cells_back reverse n (z - shift reverse (2 ^ h))) with (cells_back reverse n z - 2 ^ h).
        2: { unfold cells_back, shift in *. destruct reverse; lia. }
        apply halves_ext. intros d. unfold cell_of, j. rewrite set_nth_twice. do 2 f_equal.
        unfold shift. destruct reverse; lia.
      - rewrite at_outside by exact B. replace (cells_back reverse n z - 2 ^ h) with 0; [now destruct h |].
        symmetry in J. rewrite andb_false_iff, Z.leb_gt, Z.ltb_ge in J. unfold cells_back, shift in *. destruct reverse; lia.
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

    Lemma runs_doublings fuel : forall vs h j, n <= 2 ^ h + fuel -> h = 0 \/ 2 ^ (h - 1) < n ->
      knows S vs j (GTensor (window_sums h)) ->
      runs S typed vs (doublings fuel reverse (length ds) a n (2 ^ h) j)
        (fun ws k => knows S ws k (GTensor (window_sums (Nat.log2_up n)))).
    Proof.
      assert (last : forall vs h j, n <= 2 ^ h -> h = 0 \/ 2 ^ (h - 1) < n -> knows S vs j (GTensor (window_sums h)) ->
                runs S typed vs (Return j) (fun ws k => knows S ws k (GTensor (window_sums (Nat.log2_up n))))).
      { intros vs h j le low K. apply runs_return. replace (Nat.log2_up n) with h; [exact K |]. symmetry.
        destruct h as [| h]; [apply Nat.log2_up_eqn0; exact le |].
        destruct low as [| low]; [discriminate |]. replace (Datatypes.S h - 1) with h in low by lia.
        apply Nat.log2_up_unique; [lia |]. cbn [Nat.pred]. now split. }
      induction fuel as [| fuel IH]; intros vs h j F low K; cbn [doublings].
      { apply (last vs h j); [lia | exact low | exact K]. }
      destruct (Nat.ltb_spec (2 ^ h) n) as [lt | ge]; [| now apply (last vs h j)].
      eapply runs_bind; [apply (runs_moved vs (2 ^ h) j (window_sums h)); [reflexivity | exact K] |]. intros ws m X M.
      cbv beta in M. replace (2 ^ h * 2) with (2 ^ Datatypes.S h) by (cbn [Nat.pow]; lia).
      assert (0 < 2 ^ h) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
      eapply runs_bind; [| intros us k _ H'; apply (IH us (Datatypes.S h) k);
        [cbn [Nat.pow]; lia | right; replace (Datatypes.S h - 1) with h by lia; exact lt | exact H']].
      set (mv := tabulate ds _) in M.
      apply (runs_apply S typed ws _ _ _ [GTensor (window_sums h); GTensor mv]).
      { constructor; [eapply knows_extends; eassumption |]. constructor; [exact M | constructor]. }
      rewrite (binary_same S "Add" (s_add S) [] (window_sums h) mv) by reflexivity.
      do 2 f_equal. unfold window_sums at 3. cbn [dims tabulate window_sums]. apply tabulate_ext. intros i I.
      rewrite last_twice by exact I. unfold mv. rewrite at_tabulate by exact I. f_equal.
      unfold window_sums. now rewrite at_tabulate.
    Qed.
  End Axis.

  (** After the first step: the cell [e] places before. *)
  Lemma first_window reverse a e (x : tensor) : a < length (dims x) ->
    window_sums reverse a e x 0 = tabulate (dims x) (fun i => at_ x (set_nth a (nth a i 0 - shift reverse e)%Z i)).
  Proof.
    intros A. apply tabulate_ext. intros i I. pose proof (place_in a x A i I) as R. unfold last_cells. cbv zeta.
    destruct (cells_back _ _ _) as [| count] eqn:C; [unfold cells_back in C; destruct reverse; lia | reflexivity].
  Qed.

  Theorem cum_sum_in_order_correct exclusive reverse axis (x : tensor) b : good x ->
    cum_sum_composition exclusive reverse axis (dims x) = Some b ->
    exists y, cum_sum_in_order S exclusive reverse axis x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros G B. unfold cum_sum_composition in B. unfold cum_sum_in_order. cbv zeta.
    destruct (axis_of (length (dims x)) (length (dims x)) axis) as [a |] eqn:Ax; [| discriminate].
    unfold guard in B. destruct (Nat.eqb_spec (cell_count (dims x)) 0) as [| E]; [discriminate |]. cbn [negb] in B.
    injection B as <-. pose proof (axis_of_less _ _ _ Ax) as A.
    eexists. split; [reflexivity |]. apply (finished_runs S [x]).
    set (e := if exclusive then 1 else 0).
    assert (first : runs S typed (map GTensor [x]) (if exclusive then moved_by reverse (length (dims x)) a 1 0 else Return 0)
      (fun ws h => knows S ws h (GTensor (window_sums reverse a e x 0)))).
    { rewrite first_window by exact A. unfold e. destruct exclusive.
      - apply (runs_moved reverse a x A (map GTensor [x]) 1 0 x); reflexivity.
      - apply runs_return. unfold knows. cbn [map nth_error]. do 2 f_equal. symmetry.
        transitivity (tabulate (dims x) (at_ x)); [| now apply tabulate_get].
        apply tabulate_ext. intros i _. unfold shift.
        replace (nth a i 0 - (if reverse then - Z.of_nat 0 else Z.of_nat 0))%Z with (nth a i 0%Z)
          by (destruct reverse; lia). now rewrite set_nth_same. }
    eapply runs_bind; [exact first |]. intros ws j _ J. cbv beta in J.
    exact (runs_doublings reverse a e x A (nth a (dims x) 0) ws 0 j ltac:(cbn; lia) (or_introl eq_refl) J).
  Qed.
End Order.

(** ** In a ring: ONNX's formula *)

Section Correct.
  Variable S : arith.
  Variable laws : ring_laws S.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Notation total := (total S).

  Add Ring cum_sum_numbers : (ring_is S laws).

  Lemma total_shifted f k q : total (seq k q) f = total (seq 0 q) (fun d => f (d + k)).
  Proof.
    assert (forall s, seq (s + k) q = map (fun d => d + k) (seq s q)) as go.
    { induction q as [| q IH]; intros s; [reflexivity |]. cbn. f_equal. exact (IH (Datatypes.S s)). }
    rewrite <- (total_map S (fun d => d + k) (seq 0 q) f). now rewrite <- go.
  Qed.

  Lemma halves_total h : forall f count, halves S h f count = total (seq 0 (Nat.min count (2 ^ h))) f.
  Proof.
    induction h as [| h IH]; intros f count; (destruct (Nat.eq_dec count 0) as [-> | ne]; [reflexivity |]).
    - destruct count as [| count]; [easy |]. replace (Nat.min _ _) with 1 by (cbn; lia). cbn [halves].
      unfold KernelPad.total. cbn [seq fold_left]. ring.
    - replace (2 ^ Datatypes.S h) with (2 ^ h + 2 ^ h) by (cbn [Nat.pow]; lia).
      transitivity (s_add S (halves S h f count) (halves S h (fun d => f (d + 2 ^ h)) (count - 2 ^ h)));
        [now destruct count |].
      rewrite !IH. set (k := 2 ^ h). rewrite <- (total_shifted f k).
      replace (Nat.min count (k + k)) with (Nat.min count k + Nat.min (count - k) k) by lia.
      rewrite seq_app, (total_app S laws). f_equal. cbn [Nat.add]. destruct (Nat.le_gt_cases count k).
      + replace (count - k) with 0 by lia. reflexivity.
      + now rewrite (Nat.min_r count k) by lia.
  Qed.

  Lemma total_permuted {B} (l m : list B) f : Permutation l m -> total l f = total m f.
  Proof.
    intros P. induction P as [| b l m _ IH | b c l | l m q _ IH _ IH']; [reflexivity | | | congruence].
    - change (b :: l) with ([b] ++ l). change (b :: m) with ([b] ++ m). now rewrite !(total_app S laws), IH.
    - change (b :: c :: l) with ([b] ++ [c] ++ l). change (c :: b :: l) with ([c] ++ [b] ++ l).
      rewrite !(total_app S laws). ring.
  Qed.

  (** All cells back to the first one are those that count, in another order. *)
  Lemma last_all reverse a e (x : tensor) i : a < length (dims x) -> e <= 1 -> in_box (dims x) i = true ->
    let n := nth a (dims x) 0 in
    last_cells S reverse a e x i (Nat.log2_up n) =
    total (summed_places (e =? 1) reverse n (Z.to_nat (nth a i 0%Z))) (fun j => cell_of S a x i (Z.of_nat j)).
  Proof.
    intros A E I n. unfold summed_places. assert ((if e =? 1 then 1 else 0) = e) as -> by (destruct (Nat.eqb_spec e 1); lia).
    pose proof (place_in S a x A i I) as R. fold n in R. unfold last_cells. cbv zeta. fold n. rewrite halves_total.
    set (z := Z.to_nat (nth a i 0%Z)). replace (nth a i 0%Z) with (Z.of_nat z) by lia. assert (z < n) as lt by lia.
    clearbody z. assert (n <= 2 ^ Nat.log2_up n) as le.
    { destruct (Nat.eq_dec n 1) as [-> | ne]; [cbn; lia | apply Nat.log2_up_spec; lia]. }
    set (q := Nat.min _ _). assert (Q : q = if reverse then n - z else z + 1) by (unfold q, cells_back; destruct reverse; lia).
    clearbody q.
    assert (Cut : forall c, c <= q ->
      (forall d, c <= d -> d < q -> cell_of S a x i (Z.of_nat z - shift reverse (d + e)) = s_zero S) ->
      total (seq 0 q) (fun d => cell_of S a x i (Z.of_nat z - shift reverse (d + e))%Z) =
      total (seq 0 c) (fun d => cell_of S a x i (Z.of_nat z - shift reverse (d + e))%Z)).
    { intros c le' O. replace q with (c + (q - c)) by lia. rewrite seq_app, (total_app S laws).
      rewrite (total_zero S laws (seq (0 + c) (q - c))); [ring |]. intros d D. apply in_seq in D. apply O; lia. }
    pose proof (cell_outside S a x A i) as Out. fold n in Out. destruct reverse; unfold shift in *.
    - rewrite (Cut (n - (z + e))); [| lia | intros d D1 D2; apply Out; [exact I | lia]].
      rewrite (total_shifted _ (z + e)). apply (total_ext S). intros d _. f_equal. lia.
    - rewrite (Cut (z + 1 - e)); [| lia | intros d D1 D2; apply Out; [exact I | lia]].
      rewrite (total_ext S _ _ (fun d => cell_of S a x i (Z.of_nat (z - e - d)))).
      2: { intros d D. apply in_seq in D. f_equal. lia. }
      rewrite <- (total_map S (fun d => z - e - d) (seq 0 (z + 1 - e)) (fun j => cell_of S a x i (Z.of_nat j))).
      apply total_permuted. apply NoDup_Permutation.
      + apply NoDup_back; [apply seq_NoDup |]. intros d D. apply in_seq in D. lia.
      + apply seq_NoDup.
      + intros j. rewrite in_map_iff, in_seq. split.
        * intros (d & <- & D). apply in_seq in D. lia.
        * intros J. exists (z - e - j). split; [lia | apply in_seq; lia].
  Qed.

  Lemma in_order_is_sum exclusive reverse axis (x : tensor) :
    cum_sum_in_order S exclusive reverse axis x = onnx_cum_sum S exclusive reverse axis x.
  Proof.
    unfold cum_sum_in_order, onnx_cum_sum. cbv zeta.
    destruct (axis_of (length (dims x)) (length (dims x)) axis) as [a |] eqn:Ax; [| reflexivity].
    pose proof (axis_of_less _ _ _ Ax) as A. f_equal. apply tabulate_ext. intros i I.
    set (e := if exclusive then 1 else 0).
    pose proof (last_all reverse a e x i A ltac:(unfold e; destruct exclusive; lia) I) as L. cbv zeta in L.
    replace (e =? 1) with exclusive in L by (unfold e; now destruct exclusive). exact L.
  Qed.

  Theorem cum_sum_correct exclusive reverse axis (x : tensor) b : good x ->
    cum_sum_composition exclusive reverse axis (dims x) = Some b ->
    exists y, onnx_cum_sum S exclusive reverse axis x = Some y /\ composed S typed b [x] = Some y.
  Proof. rewrite <- in_order_is_sum. apply cum_sum_in_order_correct. Qed.
End Correct.

(** ** An instance *)

Example cum_sum_example : let x := Tensor [2; 3] [1; 2; 3; 4; 5; 6]%Z in let typed (_ : Z) c := literal_value integers c in
  option_map (fun b => composed integers typed b [x]) (cum_sum_composition false false (-1) [2; 3]) =
    Some (Some (Tensor [2; 3] [1; 3; 6; 4; 9; 15]%Z)) /\
  option_map (fun b => composed integers typed b [x]) (cum_sum_composition true true 1 [2; 3]) =
    Some (Some (Tensor [2; 3] [5; 3; 0; 11; 6; 0]%Z)) /\
  onnx_cum_sum integers true true 1 x = Some (Tensor [2; 3] [5; 3; 0; 11; 6; 0]%Z) /\
  cum_sum_in_order integers true true 1 x = Some (Tensor [2; 3] [5; 3; 0; 11; 6; 0]%Z).
Proof. repeat split; reflexivity. Qed.
