(** * ArgMax, ArgMin and Hardmax

    There is no operator that says where something is (c/onnx/expand_reduce.c, place).  X has its greatest value where it
    is not less than the greatest cell: so infinities are told from finite numbers, as no difference of cells would.
    There the cell's number is left of a constant of int32 that counts the places of the axis, down for the first place
    and up for the last one; the greatest number that is left says the place.  ArgMin is the ArgMax of X turned round
    ([ReduceMin.turn]).  Of floats from opset 7 on, int32 and int64 from 9, int8 and uint8 from 12; of axes of up to 2^24
    places.  Hardmax, 1 at the place that ArgMax finds, of floats; before opset 13 X has two dimensions, those before the
    axis and the others.

    The cells must be ordered ([ordered]): floats that are no NaN are, and integers (ArgMaxTypes.v).  A NaN is not less
    than any cell: it counts as one of the greatest, and which place it gets the formulas leave open. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Numbers tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index.
From Calque Require Import tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Channel tensor.Along tensor.KeepDims.
From Calque Require Import tensor.Instances onnx.Composition onnx.Steps onnx.Reduced onnx.ReduceMin onnx.ArgMaxPlaces.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formulas *)

(** The dimensions before an axis as one, and those from it on. *)
Definition two_dims (a : nat) (ds : sizes) : sizes := [cell_count (firstn a ds); cell_count (skipn a ds)].

Section Formula.
  Variable S : arith.
  (** How the numbers are ordered. *)
  Variable less : num S -> num S -> bool.

  (** [index]: an integer as a number of the element type int64. *)
  Definition onnx_arg_max (index : Z -> num S) (keep last : bool) (axis : Z) (x : tensor (num S)) : option (tensor (num S)) :=
    let ds := dims x in
    let? a := axis_of (length ds) (length ds) axis in
    let m := marks (length ds) [a] in
    table S (Some (reduce_dims keep m ds)) (fun _ i =>
      index (Z.of_nat (greatest_place less last (fun k => at_ S x (weave m [Z.of_nat k] (rest_at keep m i))) (nth a ds 0)))).

  (** [yes] at the first place of the greatest along the axis, else [no]. *)
  Definition hard (yes no : num S) (a : nat) (x : tensor (num S)) : tensor (num S) :=
    tabulate (dims x) (fun i =>
      let p := greatest_place less false (fun k => at_ S x (set_nth a (Z.of_nat k) i)) (nth a (dims x) 0) in
      if (nth a i 0 =? Z.of_nat p)%Z then yes else no).

  (** [flat]: before opset 13. *)
  Definition onnx_hardmax (yes no : num S) (flat : bool) (axis : Z) (x : tensor (num S)) : option (tensor (num S)) :=
    let ds := dims x in
    let? a := axis_of (length ds) (length ds + if flat then 1 else 0) axis in
    Some (if flat then Tensor ds (cells (hard yes no 1 (Tensor (two_dims a ds) (cells x)))) else hard yes no a x).
End Formula.

Definition onnx_arg_min (S : arith) (less : num S -> num S -> bool) := onnx_arg_max S (fun a b => less b a).

(** ** The compositions *)

Definition is_number_code (type : Z) : bool := is_float_code type || is_word_code type || is_byte_code type.

(** A constant of more places is not made. *)
Definition most_places : Z := 16777216.

Definition numbered (last : bool) (axis : nat) (ds : sizes) (x : nat) : build nat :=
  let n := nth axis ds 0 in
  g <- greatest true [axis] ds x ;; l <- apply "Less" [] [x; g] ;; t <- apply "Not" [] [l] ;;
  t <- apply "Cast" [("to", VInt i32_code)] [t] ;;
  c <- constant i32_code (n :: repeat 1 (length ds - 1 - axis)) (map (fun k => LInt (count_at last n k)) (seq 0 n)) ;;
  apply "Mul" [] [t; c].

Definition place_of_number (last : bool) (n : nat) (x : nat) : build nat :=
  y <- (if last then Return x else c <- constant i32_code [] [LInt (Z.of_nat n)] ;; apply "Sub" [] [c; x]) ;;
  apply "Cast" [("to", VInt i64_code)] [y].

Definition turned (type : Z) (x : nat) : build nat :=
  if is_float_code type then apply "Neg" [] [x]
  else if is_word_code type then m <- minus_one type ;; apply "Sub" [] [m; x]
  else c <- apply "Cast" [("to", VInt i32_code)] [x] ;; m <- minus_one i32_code ;; apply "Sub" [] [m; c].

Definition arg_composition (least : bool) (type : Z) (keep last : bool) (axis : Z) (ds : sizes) : option (build nat) :=
  let? a := axis_of (length ds) (length ds) axis in
  guard (is_number_code type && negb (cell_count ds =? 0) && (Z.of_nat (nth a ds 0%nat) <=? most_places)%Z)
    (Some (x <- (if least then turned type 0 else Return 0) ;; p <- numbered last a ds x ;;
           g <- greatest keep [a] ds p ;; place_of_number last (nth a ds 0) g)).

Definition arg_max_composition := arg_composition false.
Definition arg_min_composition := arg_composition true.

Definition only (type : Z) (axis : nat) (ds : sizes) (x : nat) : build nat :=
  p <- numbered false axis ds x ;; g <- greatest true [axis] ds p ;; e <- apply "Equal" [] [p; g] ;;
  apply "Cast" [("to", VInt type)] [e].

Definition hardmax_composition (type : Z) (flat : bool) (axis : Z) (ds : sizes) : option (build nat) :=
  let? a := axis_of (length ds) (length ds + if flat then 1 else 0) axis in
  let two := two_dims a ds in
  let n := if flat then nth 1 two 0 else nth a ds 0 in
  guard (is_float_code type && negb (cell_count ds =? 0) && (Z.of_nat n <=? most_places)%Z)
    (Some (if flat then x <- reshaped ds two 0 ;; y <- only type 1 two x ;; reshaped two ds y else only type a ds 0)).

(** ** They compute the formulas *)

(** Along one axis. *)
Lemma weave_one r a k i : a < r -> length i = r -> weave (marks r [a]) [k] (unmarked (marks r [a]) i) = set_nth a k i.
Proof.
  intros lt L. rewrite (marks_one _ a lt). set (q := r - 1 - a). assert (E : length i = a + Datatypes.S q) by lia. clearbody q.
  clear L lt. unfold unmarked. revert i E. induction a as [| a IH]; intros [| z i] E; try discriminate E; cbn in E |- *.
  - f_equal. injection E as E. revert i E. induction q as [| q IH]; intros [| y i] E; try discriminate E; [reflexivity |].
    cbn in E |- *. f_equal. apply IH. now injection E.
  - f_equal. apply IH. now injection E.
Qed.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Notation knows := (knows S).
  Notation runs := (runs S typed).

  (** ** Cells *)

  Definition number (c : Z) : num S := typed i32_code (LInt c).

  (** 1 where it is not less, else 0. *)
  Definition top_cell (a g : num S) : num S := s_cast S i32_code (not_cell S (s_less S a g)).

  Definition found_cell (last : bool) (n : nat) (a : num S) : num S :=
    s_cast S i64_code (if last then a else s_sub S (number (Z.of_nat n)) a).

  (** What the composition needs of int32: places are counted exactly. *)
  Record counts_places : Prop := {
    number_kept : forall (b : bool) c, (0 <= c <= most_places)%Z ->
      s_mul S (number (if b then 0 else 1)) (number c) = number (if b then 0 else c);
    number_max : forall b c, (0 <= b <= most_places)%Z -> (0 <= c <= most_places)%Z ->
      s_max S (number b) (number c) = if (b <? c)%Z then number c else number b;
    number_least : forall c, (0 <= c <= most_places)%Z -> s_max S (s_least S) (number c) = number c;
    number_left : forall n c, (0 <= c <= n)%Z -> (n <= most_places)%Z -> s_sub S (number n) (number c) = number (n - c);
    number_place : forall c, (0 <= c <= most_places)%Z -> s_cast S i64_code (number c) = typed i64_code (LInt c)
  }.

  (** .. and of the cells: [less] orders them, as Less and max have it. *)
  Record ordered (less : num S -> num S -> bool) (cell : num S -> Prop) : Prop := {
    less_not : forall a b, cell a -> cell b -> less a b = true -> less b a = false;
    less_or : forall a b c, cell a -> cell b -> cell c -> less a c = true -> less a b = true \/ less b c = true;
    less_max : forall a b, cell a -> cell b -> s_max S a b = if less a b then b else a;
    less_least : forall a, cell a -> s_max S (s_least S) a = a;
    less_top : forall a b, cell a -> cell b -> top_cell a b = number (if less a b then 0 else 1)
  }.

  Lemma ordered_line less cell (f : nat -> num S) n : ordered less cell -> (forall k, k < n -> cell (f k)) -> orders less f n.
  Proof. intros law C. split; intros; [eapply less_not | eapply less_or]; eauto. Qed.

  Lemma ordered_integers (h : nat -> Z) n : orders Z.ltb h n.
  Proof. split; intros; lia. Qed.

  (** The greatest of a line of cells is one of them. *)
  Lemma greatest_line {A} (emb : A -> num S) (R : A -> A -> bool) (h : nat -> A) n : 0 < n -> orders R h n ->
    (forall i j, i < n -> j < n -> s_max S (emb (h i)) (emb (h j)) = if R (h i) (h j) then emb (h j) else emb (h i)) ->
    (forall i, i < n -> s_max S (s_least S) (emb (h i)) = emb (h i)) ->
    exists k, k < n /\ s_greatest S [n] (fun l => emb (h (Z.to_nat (nth 0 l 0%Z)))) = emb (h k) /\
      forall j, j < n -> R (h k) (h j) = false.
  Proof.
    intros P O M L. unfold s_greatest. destruct (single [n]) eqn:O1.
    { cbn [single forallb] in O1. rewrite andb_true_r in O1. apply Nat.eqb_eq in O1. subst n. exists 0.
      split; [lia |]. split; [reflexivity |]. intros j J. assert (j = 0) by lia. subst j. now apply (less_self R h 1 O). }
    unfold reduce. rewrite box_as_seq, fold_left_map. cbn [cell_count fold_right]. rewrite Nat.mul_1_r.
    rewrite (fold_left_ext_in _ (fun a k => s_max S a (emb (h k)))).
    2: { intros u k _. cbn [index_at cell_count fold_right nth]. now rewrite Nat.div_1_r, Nat2Z.id. }
    assert (G : forall q, 0 < q <= n -> exists k, k < q /\
      fold_left (fun a k => s_max S a (emb (h k))) (seq 0 q) (s_least S) = emb (h k) /\
      forall j, j < q -> R (h k) (h j) = false).
    { induction q as [| q IH]; intros [q0 qn]; [lia |]. rewrite seq_S, fold_left_app. cbn [fold_left plus].
      destruct q as [| q].
      - exists 0. split; [lia |]. split; [apply L; lia |]. intros j J. assert (j = 0) by lia. subst j.
        apply (less_self R h n O). lia.
      - destruct IH as (k & K & -> & U); [lia |]. rewrite M by lia. set (r := Datatypes.S q) in *.
        destruct (R (h k) (h r)) eqn:E.
        + exists r. split; [lia |]. split; [reflexivity |]. intros j J.
          destruct (Nat.eq_dec j r) as [-> | ne]; [apply (less_self R h n O); lia |].
          apply (proj1 O); [lia | lia |]. apply (less_there R h n O k); try lia; [exact E | apply U; lia].
        + exists k. split; [lia |]. split; [reflexivity |]. intros j J.
          destruct (Nat.eq_dec j r) as [-> | ne]; [exact E | apply U; lia]. }
    apply G. lia.
  Qed.

  Section Line.
    Variables (less : num S -> num S -> bool) (cell : num S -> Prop) (last : bool) (n : nat) (f : nat -> num S).
    Hypothesis counts : counts_places.
    Hypothesis law : ordered less cell.
    Hypothesis P : 0 < n.
    Hypothesis Lim : (Z.of_nat n <= most_places)%Z.
    Hypothesis C : forall k, k < n -> cell (f k).

    Let p := greatest_place less last f n.

    Definition line_cell (k : nat) : num S :=
      s_mul S (top_cell (f k) (s_greatest S [n] (fun l => f (Z.to_nat (nth 0 l 0%Z))))) (number (count_at last n k)).

    Lemma line_numbers : exists b, b < n /\ (forall k, k < n -> less (f b) (f k) = false) /\
      forall k, k < n -> line_cell k = number (if less (f k) (f b) then 0 else count_at last n k).
    Proof.
      destruct (greatest_line (fun a => a) less f n P) as (b & B & E & U).
      { now apply (ordered_line less cell). }
      { intros i j I J. apply (less_max _ _ law); auto. }
      { intros i I. apply (less_least _ _ law); auto. }
      exists b. split; [exact B |]. split; [exact U |]. intros k K. unfold line_cell. rewrite E.
      rewrite (less_top _ _ law) by auto. apply number_kept; [exact counts |]. unfold count_at. destruct last; lia.
    Qed.

    Lemma line_greatest : s_greatest S [n] (fun l => line_cell (Z.to_nat (nth 0 l 0%Z))) = number (count_at last n p).
    Proof.
      destruct line_numbers as (b & B & Ub & E).
      set (h := fun k => if less (f k) (f b) then 0%Z else count_at last n k).
      assert (H : forall k, k < n -> (0 <= h k <= most_places)%Z).
      { intros k K. unfold h, count_at. destruct (less (f k) (f b)), last; lia. }
      rewrite (s_greatest_ext S [n] _ (fun l => number (h (Z.to_nat (nth 0 l 0%Z))))).
      2: { intros l I. destruct (line_index n l I) as (k & K & ->). cbn [nth]. rewrite Nat2Z.id. now apply E. }
      destruct (greatest_line number Z.ltb h n P (ordered_integers h n)) as (g & G & -> & U).
      { intros i j I J. apply (number_max counts); auto. }
      { intros i I. apply (number_least counts); auto. }
      pose proof (ordered_line less cell f n law C) as O.
      destruct (greatest_place_spec less f n O last n ltac:(lia)) as (p0 & U0 & V0). fold p in p0, U0, V0.
      f_equal. apply (counted_place less f n O last p g b p0 G B U0 V0 Ub).
      intros k K. specialize (U k K). fold (h k) (h g). lia.
    Qed.

    (** A line's numbers say its place. *)
    Lemma line_found : found_cell last n (s_greatest S [n] (fun l => line_cell (Z.to_nat (nth 0 l 0%Z)))) =
      typed i64_code (LInt (Z.of_nat p)).
    Proof.
      rewrite line_greatest. unfold found_cell.
      destruct (greatest_place_spec less f n (ordered_line less cell f n law C) last n ltac:(lia)) as (p0 & _). fold p in p0.
      unfold count_at. destruct last.
      - apply (number_place counts). lia.
      - rewrite (number_left counts) by lia. rewrite (number_place counts) by lia. do 2 f_equal. lia.
    Qed.

    (** What is left is the greatest at that place alone. *)
    Lemma line_equal k : last = false -> k < n -> exists c, line_cell k = number c /\ (0 <= c <= most_places)%Z /\
      (c =? count_at last n p)%Z = (Z.of_nat k =? Z.of_nat p)%Z.
    Proof.
      intros F K. destruct line_numbers as (b & B & Ub & E).
      destruct (greatest_place_spec less f n (ordered_line less cell f n law C) last n ltac:(lia)) as (p0 & U0 & _).
      fold p in p0, U0.
      exists (if less (f k) (f b) then 0%Z else count_at last n k). split; [now apply E |]. rewrite F. unfold count_at.
      destruct (less (f k) (f b)) eqn:L; [| lia]. split; [lia |]. destruct (Nat.eq_dec k p) as [-> | ne]; [| lia].
      rewrite U0 in L by exact B. discriminate.
    Qed.
  End Line.

  (** ** Tensors *)

  Section Axis.
    Variables (last : bool) (x : tensor) (a : nat).
    Let ds := dims x.
    Let n := nth a ds 0.
    Let m := marks (length ds) [a].
    Hypothesis G : good x.
    Hypothesis E : cell_count ds <> 0.
    Hypothesis A : a < length ds.

    Definition line (rest : list Z) (k : nat) : num S := at_ x (weave m [Z.of_nat k] rest).

    Definition line_top (rest : list Z) : num S := s_greatest S [n] (fun l => line rest (Z.to_nat (nth 0 l 0%Z))).

    Definition numbers_left : tensor := tabulate ds (fun i =>
      s_mul S (top_cell (at_ x i) (line_top (unmarked m i))) (number (count_at last n (Z.to_nat (nth a i 0%Z))))).

    Lemma unmarked_kept keep i : in_box (reduce_dims keep m ds) i = true -> forall k, k < n ->
      in_box ds (weave m [Z.of_nat k] (rest_at keep m i)) = true /\
      unmarked m (weave m [Z.of_nat k] (rest_at keep m i)) = rest_at keep m i /\
      nth a (weave m [Z.of_nat k] (rest_at keep m i)) 0%Z = Z.of_nat k.
    Proof.
      intros I k K. pose proof (rest_length keep (length ds) a ds i A eq_refl I) as L.
      destruct (filter_marks_one (length ds) a A) as [F0 F1]. split; [| split].
      - apply weave_box; [apply marks_length | exact I |]. unfold m. rewrite (marked_one (length ds) a ds A eq_refl).
        apply in_box_cons. split; [fold n; lia | reflexivity].
      - apply unmarked_weave; [exact (eq_sym F0) | exact (eq_trans L (eq_sym F1))].
      - now apply nth_weave_one.
    Qed.

    Lemma line_cells (P : num S -> Prop) keep i : Forall P (cells x) -> in_box (reduce_dims keep m ds) i = true ->
      forall k, k < n -> P (line (rest_at keep m i) k).
    Proof. intros F I k K. destruct (unmarked_kept keep i I k K) as (B & _ & _). unfold line. now apply cells_at. Qed.

    Lemma places_some : 0 < n.
    Proof.
      unfold n. destruct (nth_split ds 0 A) as (pre & ys & Ed & _). destruct (nth a ds 0); [| lia].
      rewrite Ed, cell_count_app in E. cbn in E. lia.
    Qed.

    Lemma greatest_lines : greatest_of S true [a] x =
      tabulate (reduce_dims true m ds) (fun i => line_top (unmarked m i)).
    Proof.
      unfold greatest_of. fold ds m. apply tabulate_ext. intros i I.
      unfold m at 1. rewrite (marked_one (length ds) a ds A eq_refl). fold n. apply s_greatest_ext. intros l Il.
      destruct (line_index n l Il) as (k & K & ->). cbn [nth]. now rewrite Nat2Z.id.
    Qed.

    Lemma runs_numbered vs k : knows vs k (GTensor x) ->
      runs vs (numbered last a ds k) (fun ws j => knows ws j (GTensor numbers_left)).
    Proof.
      intros K. eapply runs_bind; [apply (runs_greatest S typed vs true [a] x k K G E) |].
      intros v1 g X1 Q. cbv beta in Q. rewrite greatest_lines in Q.
      eapply runs_bind.
      { apply (runs_apply S typed v1 "Less" [] [k; g]
          [GTensor x; GTensor (tabulate (reduce_dims true m ds) (fun i => line_top (unmarked m i)))]
          (GTensor (tabulate ds (fun i => s_less S (at_ x i) (line_top (unmarked m i)))))).
        - constructor; [eapply knows_extends; eassumption | constructor; [exact Q | constructor]].
        - change (one (map2 S (s_less S) x (tabulate (reduce_dims true m (dims x)) (fun i => line_top (unmarked m i)))) =
            Some (GTensor (tabulate ds (fun i => s_less S (at_ x i) (line_top (unmarked m i)))))).
          rewrite map2_kept by apply marks_length. reflexivity. }
      intros v2 l _ L. cbv beta in L.
      eapply runs_bind; [apply (runs_map S typed v2 "Not" (not_cell S) _ l eq_refl L) |]. intros v3 t _ T. cbv beta in T.
      eapply runs_bind; [exact (runs_cast S typed v3 i32_code _ t ltac:(unfold i32_code; lia) T) |].
      intros v4 u _ U. cbv beta in U. rewrite mapped_mapped in U.
      set (cs := map (fun k => LInt (count_at last n k)) (seq 0 n)).
      eapply runs_bind; [apply (runs_constant S typed v4 i32_code (n :: repeat 1 (length ds - 1 - a)) cs) |].
      { unfold cs. rewrite map_length, seq_length. cbn [cell_count fold_right]. fold (cell_count (repeat 1 (length ds - 1 - a))).
        rewrite cell_count_ones. lia. }
      intros v5 c X5 C. cbv beta in C. set (cst := Tensor (n :: repeat 1 (length ds - 1 - a)) (map (typed i32_code) cs)) in *.
      set (tops := mapped S _ _) in U.
      apply (runs_apply S typed v5 "Mul" [] [u; c] [GTensor tops; GTensor cst] (GTensor numbers_left)).
      - constructor; [eapply knows_extends; eassumption |]. constructor; [exact C | constructor].
      - change (one (map2 S (s_mul S) tops cst) = Some (GTensor numbers_left)).
        destruct (nth_split ds 0 A) as (pre & ys & Ed & Ep). fold n in Ed.
        rewrite (map2_along S (s_mul S) tops cst pre n ys);
          [| exact Ed | unfold cst; cbn [dims]; rewrite Ed at 1; rewrite app_length; cbn [length]; do 2 f_equal; lia].
        cbn [one]. do 2 f_equal. unfold numbers_left, tops, mapped. cbn [dims tabulate]. apply tabulate_ext. intros i I.
        rewrite !at_tabulate by exact I. unfold top_cell. f_equal. rewrite Ep.
        assert (0 <= nth a i 0 < Z.of_nat n)%Z as N by (apply in_box_nth in I; now apply I).
        unfold chan, cst. cbn [cells]. unfold cs. rewrite map_map.
        rewrite (nth_map_lt (fun k => typed i32_code (LInt (count_at last n k))) (seq 0 n) _ 0) by (rewrite seq_length; lia).
        rewrite seq_nth by lia. reflexivity.
    Qed.

    Lemma runs_found vs k (y : tensor) : knows vs k (GTensor y) ->
      runs vs (place_of_number last n k) (fun ws j => knows ws j (GTensor (mapped S (found_cell last n) y))).
    Proof.
      intros K. unfold place_of_number, found_cell. destruct last.
      - exact (runs_cast S typed vs i64_code y k ltac:(unfold i64_code; lia) K).
      - eapply runs_bind.
        + eapply runs_bind; [apply (runs_constant S typed _ i32_code [] [LInt (Z.of_nat n)]); reflexivity |].
          intros ws j X J. cbv beta in J.
          exact (runs_from S typed ws "Sub" (s_sub S) _ y j k eq_refl J (knows_extends _ _ _ _ _ K X)).
        + intros ws j _ J. cbv beta in J.
          eapply runs_weaken; [exact (runs_cast S typed ws i64_code _ j ltac:(unfold i64_code; lia) J) |].
          intros us i _ I. cbv beta in I. now rewrite mapped_mapped in I.
    Qed.

    Lemma left_at keep i k : in_box (reduce_dims keep m ds) i = true -> k < n ->
      at_ numbers_left (weave m [Z.of_nat k] (rest_at keep m i)) = line_cell last n (line (rest_at keep m i)) k.
    Proof.
      intros I K. destruct (unmarked_kept keep i I k K) as (B & U & N). unfold numbers_left. rewrite at_tabulate by exact B.
      now rewrite U, N, Nat2Z.id.
    Qed.

    Lemma greatest_left keep : greatest_of S keep [a] numbers_left = tabulate (reduce_dims keep m ds) (fun i =>
      s_greatest S [n] (fun l => line_cell last n (line (rest_at keep m i)) (Z.to_nat (nth 0 l 0%Z)))).
    Proof.
      unfold greatest_of. change (dims numbers_left) with ds. fold m. apply tabulate_ext. intros i I.
      unfold m at 1. rewrite (marked_one (length ds) a ds A eq_refl). fold n. apply s_greatest_ext. intros l Il.
      destruct (line_index n l Il) as (k & K & ->). cbn [nth]. rewrite Nat2Z.id. now apply left_at.
    Qed.

    Section Ordered.
      Variables (less : num S -> num S -> bool) (cell : num S -> Prop).
      Hypothesis counts : counts_places.
      Hypothesis law : ordered less cell.
      Hypothesis Lim : (Z.of_nat n <= most_places)%Z.
      Hypothesis C : Forall cell (cells x).

      Lemma places_found keep : mapped S (found_cell last n) (greatest_of S keep [a] numbers_left) =
        tabulate (reduce_dims keep m ds) (fun i =>
          typed i64_code (LInt (Z.of_nat (greatest_place less last (line (rest_at keep m i)) n)))).
      Proof.
        rewrite greatest_left. unfold mapped. cbn [dims tabulate]. apply tabulate_ext. intros i I.
        rewrite at_tabulate by exact I.
        apply (line_found less cell); [exact counts | exact law | exact places_some | exact Lim |].
        now apply line_cells.
      Qed.

      Lemma runs_places keep vs k : knows vs k (GTensor x) ->
        runs vs (p <- numbered last a ds k ;; g <- greatest keep [a] ds p ;; place_of_number last n g)
          (fun ws j => knows ws j (GTensor (tabulate (reduce_dims keep m ds) (fun i =>
            typed i64_code (LInt (Z.of_nat (greatest_place less last (line (rest_at keep m i)) n))))))).
      Proof.
        intros K. eapply runs_bind; [exact (runs_numbered vs k K) |]. intros ws p _ Q. cbv beta in Q.
        eapply runs_bind; [apply (runs_greatest S typed ws keep [a] numbers_left p Q); [apply good_tabulate | exact E] |].
        intros us g _ R. cbv beta in R. rewrite <- places_found. now apply runs_found.
      Qed.

      (** ArgMax's place alone keeps the greatest number. *)
      Lemma runs_only type vs k : last = false -> (1 <= type <= 64)%Z ->
        (forall b c, (0 <= b <= most_places)%Z -> (0 <= c <= most_places)%Z ->
          s_cast S type (s_equal S (number b) (number c)) = typed type (LInt (if (b =? c)%Z then 1 else 0))) ->
        knows vs k (GTensor x) ->
        runs vs (only type a ds k)
          (fun ws j => knows ws j (GTensor (hard S less (typed type (LInt 1)) (typed type (LInt 0)) a x))).
      Proof.
        intros F T Eq K. unfold only. rewrite <- F at 1. eapply runs_bind; [exact (runs_numbered vs k K) |].
        intros v1 p _ Q. cbv beta in Q.
        eapply runs_bind; [apply (runs_greatest S typed v1 true [a] numbers_left p Q); [apply good_tabulate | exact E] |].
        intros v2 g X2 R. cbv beta in R. rewrite greatest_left in R.
        set (tops := fun rest => s_greatest S [n] (fun l => line_cell last n (line rest) (Z.to_nat (nth 0 l 0%Z)))).
        change (fun i => s_greatest S [n] (fun l => line_cell last n (line (rest_at true m i)) (Z.to_nat (nth 0 l 0%Z))))
          with (fun i => tops (unmarked m i)) in R.
        eapply runs_bind.
        { apply (runs_apply S typed v2 "Equal" [] [p; g]
            [GTensor numbers_left; GTensor (tabulate (reduce_dims true m ds) (fun i => tops (unmarked m i)))]
            (GTensor (tabulate ds (fun i => s_equal S (at_ numbers_left i) (tops (unmarked m i)))))).
          - constructor; [eapply knows_extends; eassumption | constructor; [exact R | constructor]].
          - change (one (map2 S (s_equal S) numbers_left (tabulate (reduce_dims true m (dims numbers_left))
              (fun i => tops (unmarked m i)))) =
              Some (GTensor (tabulate ds (fun i => s_equal S (at_ numbers_left i) (tops (unmarked m i)))))).
            rewrite map2_kept by apply marks_length. reflexivity. }
        intros v3 e _ U. cbv beta in U.
        eapply runs_weaken; [exact (runs_cast S typed v3 type _ e T U) |]. intros v4 j _ J. cbv beta in J.
        match type of J with knows _ _ (GTensor ?u) => match goal with |- knows _ _ (GTensor ?v) =>
          replace v with u; [exact J |] end end.
        unfold mapped, hard. cbn [dims tabulate]. apply tabulate_ext. intros i I. rewrite at_tabulate by exact I.
        pose proof (in_box_length _ _ I) as Li.
        assert (0 <= nth a i 0 < Z.of_nat n)%Z as N by (apply in_box_nth in I; now apply I).
        set (z := Z.to_nat (nth a i 0%Z)). assert (Z.of_nat z = nth a i 0%Z) as Ez by (unfold z; lia).
        destruct (clip_kept m ds i (marks_length _ _) I) as [Ui Bi]. set (i' := clip _ _ _) in Ui, Bi.
        assert (W : forall k, line (unmarked m i) k = at_ x (set_nth a (Z.of_nat k) i))
          by (intros k'; unfold line, m; now rewrite weave_one).
        assert (Cl : forall k, k < n -> cell (line (unmarked m i) k)).
        { intros k' K'. rewrite <- Ui. exact (line_cells cell true i' C Bi k' K'). }
        destruct (line_equal less cell last n (line (unmarked m i)) counts law places_some Lim Cl z F ltac:(lia))
          as (c & Ec & Rc & Dc).
        assert (at_ numbers_left i = number c) as ->.
        { rewrite <- Ec. pose proof (left_at true i' z Bi ltac:(lia)) as La. cbn [rest_at] in La. rewrite Ui in La.
          rewrite <- La. f_equal. unfold m. rewrite weave_one, Ez by assumption. symmetry. apply set_nth_same. }
        unfold tops. rewrite (line_greatest less cell) by (try assumption; exact places_some).
        destruct (greatest_place_spec less _ n (ordered_line less cell _ n law Cl) last n ltac:(lia)) as (p0 & _).
        rewrite Eq; [| exact Rc | unfold count_at; destruct last; lia]. rewrite Dc, Ez, F.
        rewrite (greatest_place_ext less less false _ _ n (fun p q _ _ => f_equal2 less (W p) (W q))). cbv zeta.
        fold ds n. now destruct (nth a i 0 =? _)%Z.
      Qed.
    End Ordered.
  End Axis.

  Lemma runs_turned type (x : tensor) vs k : is_number_code type = true -> knows vs k (GTensor x) ->
    runs vs (turned type k) (fun ws j => knows ws j (GTensor (mapped S (turn S typed type) x))).
  Proof.
    intros N K. unfold turned, turn. destruct (is_float_code type); [exact (runs_map S typed vs "Neg" (s_neg S) x k eq_refl K) |].
    destruct (is_word_code type).
    - eapply runs_bind; [apply (runs_constant S typed _ type [] [LInt (-1)]); reflexivity |]. intros ws j X J. cbv beta in J.
      exact (runs_from S typed ws "Sub" (s_sub S) _ x j k eq_refl J (knows_extends _ _ _ _ _ K X)).
    - eapply runs_bind; [exact (runs_cast S typed vs i32_code x k ltac:(unfold i32_code; lia) K) |].
      intros ws c _ C. cbv beta in C.
      eapply runs_bind; [apply (runs_constant S typed _ i32_code [] [LInt (-1)]); reflexivity |]. intros us j X J. cbv beta in J.
      eapply runs_weaken; [exact (runs_from S typed us "Sub" (s_sub S) _ _ j c eq_refl J (knows_extends _ _ _ _ _ C X)) |].
      intros ts i _ I. cbv beta in I. now rewrite mapped_mapped in I.
  Qed.

  Lemma axis_below rank axis a : axis_of rank rank axis = Some a -> a < rank.
  Proof.
    unfold axis_of. destruct (_ && _) eqn:R; [| discriminate]. intros E. apply some_eq in E. subst a.
    apply andb_true_iff in R. destruct R as [R0 R1]. destruct (Z.ltb_spec axis 0); lia.
  Qed.

  Lemma composition_open least type keep last axis ds b : arg_composition least type keep last axis ds = Some b ->
    exists a, axis_of (length ds) (length ds) axis = Some a /\ a < length ds /\ cell_count ds <> 0 /\
      (Z.of_nat (nth a ds 0%nat) <= most_places)%Z /\ is_number_code type = true /\
      b = (x <- (if least then turned type 0 else Return 0) ;; p <- numbered last a ds x ;;
           g <- greatest keep [a] ds p ;; place_of_number last (nth a ds 0) g).
  Proof.
    unfold arg_composition. destruct (axis_of (length ds) (length ds) axis) as [a |] eqn:Ax; [| discriminate]. unfold guard.
    destruct (is_number_code type && negb (cell_count ds =? 0) && (Z.of_nat (nth a ds 0%nat) <=? most_places)%Z) eqn:Q;
      [| discriminate]. intros B. apply some_eq in B. exists a.
    rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq in Q. destruct Q as ((T & E) & N).
    repeat split; [now apply (axis_below _ axis) | exact E | lia | exact T | now symmetry].
  Qed.

  (** Bit for bit, of cells that are ordered. *)
  Theorem arg_max_correct type less cell keep last axis (x : tensor) b :
    counts_places -> ordered less cell -> good x -> Forall cell (cells x) ->
    arg_max_composition type keep last axis (dims x) = Some b ->
    exists y, onnx_arg_max S less (fun k => typed i64_code (LInt k)) keep last axis x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros counts law G C B. destruct (composition_open _ _ _ _ _ _ _ B) as (a & Ax & A & E & N & _ & ->). unfold onnx_arg_max.
    rewrite Ax. eexists. split; [reflexivity |]. apply runs_composed.
    now apply (runs_places last x a G E A less cell counts law N C keep).
  Qed.

  (** Turned round, the greater one of two cells is the lesser one. *)
  Theorem arg_min_correct type less (cell turned_cell : num S -> Prop) keep last axis (x : tensor) b :
    counts_places -> ordered less turned_cell -> (forall a, cell a -> turned_cell (turn S typed type a)) ->
    (forall a c, cell a -> cell c -> less (turn S typed type a) (turn S typed type c) = less c a) ->
    good x -> Forall cell (cells x) -> arg_min_composition type keep last axis (dims x) = Some b ->
    exists y, onnx_arg_min S less (fun k => typed i64_code (LInt k)) keep last axis x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros counts law TC TL G C B. destruct (composition_open _ _ _ _ _ _ _ B) as (a & Ax & A & E & N & T & ->).
    unfold onnx_arg_min, onnx_arg_max. rewrite Ax. eexists. split; [reflexivity |]. apply runs_composed.
    set (y := mapped S (turn S typed type) x).
    assert (Cy : Forall turned_cell (cells y)).
    { unfold y, mapped. cbn [cells tabulate]. apply Forall_map, Forall_forall. intros i I. apply in_box_box in I.
      apply TC. now apply cells_at. }
    eapply runs_bind; [apply (runs_turned type x _ 0 T); reflexivity |]. intros ws k _ K. cbv beta in K. fold y in K.
    eapply runs_weaken; [exact (runs_places last y a (good_tabulate _ _) E A less turned_cell counts law N Cy keep ws k K) |].
    intros us j _ J. cbv beta in J. change (dims y) with (dims x) in J. set (m := marks (length (dims x)) [a]) in *.
    match goal with |- knows us j (GTensor ?u) =>
      match type of J with knows us j (GTensor ?v) => replace u with v; [exact J |] end end.
    cbn [table]. apply tabulate_ext. intros i I. do 3 f_equal.
    apply greatest_place_ext. intros p q P Q.
    destruct (unmarked_kept x a E A keep i I p P) as (Bp & _ & _), (unmarked_kept x a E A keep i I q Q) as (Bq & _ & _).
    unfold line, y, mapped. cbn [dims tabulate]. fold m in Bp, Bq |- *. rewrite !at_tabulate by assumption.
    now apply TL; apply cells_at.
  Qed.

  (** [type] has 1 and 0 of comparisons. *)
  Theorem hardmax_correct type less cell flat axis (x : tensor) b :
    counts_places -> ordered less cell ->
    (forall p q, (0 <= p <= most_places)%Z -> (0 <= q <= most_places)%Z ->
      s_cast S type (s_equal S (number p) (number q)) = typed type (LInt (if (p =? q)%Z then 1 else 0))) ->
    good x -> Forall cell (cells x) -> hardmax_composition type flat axis (dims x) = Some b ->
    exists y, onnx_hardmax S less (typed type (LInt 1)) (typed type (LInt 0)) flat axis x = Some y /\
      composed S typed b [x] = Some y.
  Proof.
    intros counts law Eq G C B. unfold hardmax_composition in B.
    destruct (axis_of _ _ axis) as [a |] eqn:Ax; [| discriminate]. unfold guard in B.
    set (two := two_dims a (dims x)) in *. cbv zeta in B.
    destruct (is_float_code type && negb (cell_count (dims x) =? 0) && _) eqn:Q; [| discriminate]. apply some_eq in B. subst b.
    rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq in Q. destruct Q as ((T & E) & N).
    assert (1 <= type <= 64)%Z as R by (unfold is_float_code, f32_code, f64_code in T; lia).
    unfold onnx_hardmax. rewrite Ax. eexists. split; [reflexivity |]. apply runs_composed. fold two. destruct flat.
    - assert (cell_count two = cell_count (dims x)) as D.
      { unfold two, two_dims. cbn [cell_count fold_right]. rewrite <- (firstn_skipn a (dims x)) at 3. rewrite cell_count_app.
        fold (cell_count (firstn a (dims x))) (cell_count (skipn a (dims x))). lia. }
      set (x2 := Tensor two (cells x)). assert (good x2) as G2 by (unfold good, x2; cbn [dims cells]; now rewrite D).
      eapply runs_bind; [apply (runs_reshaped S typed _ two x 0); [reflexivity | exact G | exact D] |].
      intros v1 k _ K. cbv beta in K. fold x2 in K.
      eapply runs_bind; [apply (runs_only false x2 1 G2 ltac:(cbn [dims x2]; lia) ltac:(cbn; lia) less cell counts law
        ltac:(cbn [dims x2]; lia) C type v1 k eq_refl R Eq K) |].
      intros v2 y _ Y. cbv beta in Y.
      apply (runs_reshaped S typed v2 (dims x) (hard S less _ _ 1 x2) y Y); [apply good_tabulate | symmetry; exact D].
    - rewrite Nat.add_0_r in Ax.
      exact (runs_only false x a G E (axis_below _ _ _ Ax) less cell counts law ltac:(lia) C type
        (map GTensor [x]) 0 eq_refl R Eq eq_refl).
  Qed.
End Correct.
