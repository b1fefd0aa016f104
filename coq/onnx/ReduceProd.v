(** * ReduceProd

    The product of the cells along axes, in row-major order.  There is no such reduction: the composition (c/onnx/expand_reduce.c)
    moves the cells that become one to the last dimension, takes it apart, and multiplies the parts, one after the other.  No law
    of arithmetic is needed.  Up to 64 cells become one; opset 18 and later, and earlier ones with constant axes; tensors without
    cells stay ReduceProd. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.Tables onnx.Reduced onnx.ReduceMin onnx.Interleaved onnx.ReduceSums.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

(** Of no cells 1. *)
Definition product_of (S : arith) (ns : sizes) (f : list Z -> num S) : num S :=
  match box ns with
  | [] => s_int S 1
  | k :: l => fold_left (fun a k => s_mul S a (f k)) l (f k)
  end.

(** The axes are given in any order, and from the end if negative; given none: all, or with [noop] none. *)
Definition onnx_reduce_prod (S : arith) : bool -> bool -> list Z -> tensor (num S) -> option (tensor (num S)) :=
  onnx_reduction S (fun a => a) (fun a => a) (product_of S).

(** ** The composition *)

(** Where [m] is [v]. *)
Fixpoint places (v : bool) (m : list bool) : list nat :=
  match m with
  | [] => []
  | b :: m' => (if eqb b v then [0] else []) ++ map Datatypes.S (places v m')
  end.

(** What is not marked, then what is. *)
Definition marked_last (m : list bool) : list nat := places false m ++ places true m.

Definition moved (perm : list nat) (x : nat) : build nat :=
  if sizes_eqb perm (seq 0 (length perm)) then Return x else apply "Transpose" [("perm", nats_value perm)] [x].

Fixpoint fields (k n s : nat) : build (list nat) :=
  match n with
  | 0 => Return []
  | Datatypes.S n' => p <- field k s ;; l <- fields (Datatypes.S k) n' s ;; Return (p :: l)
  end.

Fixpoint multiplied (x : nat) (l : list nat) : build nat :=
  match l with
  | [] => Return x
  | p :: l' => y <- times x p ;; multiplied y l'
  end.

Definition multiplied_all (l : list nat) : build nat := match l with [] => Return 0 | x :: l' => multiplied x l' end.

(** The columns of [kept] rows. *)
Definition columns (n x : nat) : build (list nat) :=
  s <- apply "Split" [("axis", nat_value 1); ("split", nats_value (repeat 1 n))] [x] ;; fields 0 n s.

Definition most_parts : nat := 64.

Definition reduce_prod_composition (keep noop : bool) (axes : list Z) (ds : sizes) : option (build nat) :=
  let? l := axes_given (length ds) noop axes in
  let m := marks (length ds) l in
  let out := reduce_dims keep m ds in
  let kept := cell_count (unmarked m ds) in
  let n := cell_count (marked m ds) in
  guard (negb (cell_count ds =? 0))
    (match l with
     | [] => Some (finished 1 (Return 0))
     | _ =>
         if n =? 1 then Some (finished 1 (reshaped ds out 0))
         else guard (n <=? most_parts)
           (Some (t <- moved (marked_last m) 0 ;; x <- reshaped (unmarked m ds ++ marked m ds) [kept; n] t ;;
                  ps <- columns n x ;; y <- multiplied_all ps ;; reshaped [kept; 1] out y))
     end).

(** ** Indices *)

Lemma places_in v m k : In k (places v m) <-> k < length m /\ nth k m (negb v) = v.
Proof.
  revert k. induction m as [| b m IH]; intros k; cbn [places length].
  - split; [intros [] | intros [lt _]; lia].
  - rewrite in_app_iff, in_map_iff. destruct k as [| k]; cbn [nth].
    + split.
      * intros [I | (j & E & _)]; [| discriminate]. destruct (eqb b v) eqn:F; [| destruct I]. apply eqb_prop in F.
        now split; [lia |].
      * intros [_ ->]. left. rewrite eqb_reflx. now left.
    + split.
      * intros [I | (j & E & I)]; [destruct (eqb b v); cbn in I; intuition discriminate |]. injection E as ->.
        apply IH in I. now split; [lia |].
      * intros [lt E]. right. exists k. split; [reflexivity |]. apply IH. split; [lia | exact E].
Qed.

Lemma places_once v m : NoDup (places v m).
Proof.
  induction m as [| b m IH]; [constructor |]. cbn [places]. apply NoDup_app_intro.
  - destruct (eqb b v); repeat constructor. intros [].
  - apply FinFun.Injective_map_NoDup; [| exact IH]. intros x y E. now injection E.
  - intros k I J. apply in_map_iff in J. destruct J as (j & <- & _). destruct (eqb b v); cbn in I; intuition discriminate.
Qed.

Lemma places_length m : length (places false m) + length (places true m) = length m.
Proof. induction m as [| [|] m IH]; cbn [places eqb length app]; rewrite ?app_length, ?map_length; cbn; rewrite ?map_length;
  lia. Qed.

Lemma marked_last_permutes m : permutes (length m) (marked_last m) = true.
Proof.
  apply permutes_iff. unfold marked_last. split; [rewrite app_length; apply places_length |]. split.
  - apply NoDup_app_intro; try apply places_once. intros k I J. apply places_in in I, J. cbn [negb] in *.
    destruct I as [lt I], J as [_ J]. rewrite (nth_indep m false true) in J by exact lt. congruence.
  - intros k I. apply in_app_iff in I. destruct I as [I | I]; apply places_in in I; tauto.
Qed.

Lemma nth_places {A} (d : A) v m : forall l, length l = length m ->
  map (fun k => nth k l d) (places v m) = marked (map (fun b => eqb b v) m) l.
Proof.
  induction m as [| b m IH]; intros [| a l] L; try discriminate; [reflexivity |]. injection L as L.
  cbn [places map marked]. rewrite map_app, map_map. cbn [nth]. rewrite (IH l L). now destruct (eqb b v).
Qed.

Lemma nth_marked_last {A} (d : A) m l : length l = length m ->
  map (fun k => nth k l d) (marked_last m) = unmarked m l ++ marked m l.
Proof.
  intros L. unfold marked_last, unmarked. rewrite map_app, !nth_places by exact L. f_equal; f_equal.
  transitivity (map (fun b : bool => b) m); [apply map_ext; now intros [|] | apply map_id].
Qed.

Lemma marked_weave m : forall k rest, length k = length (filter (fun b => b) m) -> length rest = length (filter negb m) ->
  marked m (weave m k rest) = k /\ length (weave m k rest) = length m.
Proof.
  induction m as [| [|] m IH]; intros k rest K R; cbn in K, R.
  - destruct k; [now split | discriminate].
  - destruct k as [| z k]; [discriminate |]. cbn. destruct (IH k rest ltac:(now injection K) R) as [-> ->]. now split.
  - destruct rest as [| z rest]; [discriminate |]. cbn. destruct (IH k rest K ltac:(now injection R)) as [-> ->]. now split.
Qed.

Lemma marked_length {A} m : forall l : list A, length l = length m ->
  length (marked m l) = length (filter (fun b => b) m) /\ length (unmarked m l) = length (filter negb m).
Proof.
  unfold unmarked. induction m as [| [|] m IH]; intros [| a l] L; try discriminate; [now split | |];
    injection L as L; destruct (IH l L) as [E F]; cbn; now rewrite E, F.
Qed.

Lemma unpermute_last m k rest : length k = length (filter (fun b => b) m) -> length rest = length (filter negb m) ->
  unpermute (marked_last m) (rest ++ k) = weave m k rest.
Proof.
  intros K R. destruct (marked_weave m k rest K R) as [E L]. rewrite <- E at 1. rewrite <- (unmarked_weave m k rest K R) at 1.
  rewrite <- (nth_marked_last 0%Z) by exact L. apply unpermute_ordered. rewrite L. apply marked_last_permutes.
Qed.

Lemma kept_count keep m : forall ds, length m = length ds -> cell_count (reduce_dims keep m ds) = cell_count (unmarked m ds).
Proof.
  destruct keep; [| reflexivity]. unfold reduce_dims, unmarked.
  induction m as [| [|] m IH]; intros [| d ds] L; try discriminate; [reflexivity | |];
    injection L as L; specialize (IH ds L); unfold cell_count in *; cbn; lia.
Qed.

(** What is left of an index of the result, and its place. *)
Lemma rest_place keep m : forall ds i, length m = length ds -> in_box (reduce_dims keep m ds) i = true ->
  in_box (unmarked m ds) (rest_at keep m i) = true /\
  position (unmarked m ds) (rest_at keep m i) = position (reduce_dims keep m ds) i.
Proof.
  destruct keep; [| now split]. unfold rest_at.
  induction m as [| b m IH]; intros [| d ds] i L I; try discriminate; [destruct i; [now split | discriminate] |].
  injection L as L. unfold reduce_dims in I. cbn [combine map fst snd] in I. destruct i as [| z i]; [discriminate |].
  apply in_box_cons in I. destruct I as [Z0 I]. destruct (IH ds i L I) as [J P].
  pose proof (kept_count true m ds L) as C. unfold reduce_dims, unmarked in *.
  destruct b; cbn [map marked negb combine fst snd position] in *.
  - split; [exact J |]. rewrite P. lia.
  - split; [apply in_box_cons; now split |]. now rewrite P, C.
Qed.

(** ** It computes the formula *)

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation runs := (runs S typed).
  Notation shows := (shows S).

  (** The same cells, by their places. *)
  Lemma runs_recast vs k ds want f : cell_count want = cell_count ds -> shows vs k ds f ->
    runs vs (reshaped ds want k) (fun ws j => shows ws j want (fun i => f (index_at ds (position want i)))).
  Proof.
    intros C K. eapply runs_weaken; [apply (runs_reshaped S typed vs want (tabulate ds f) k K);
      [apply good_tabulate | exact C] |].
    intros ws j _ J. cbv beta in J. unfold Tables.shows.
    match goal with |- knows S ws j (GTensor ?w) => assert (Tensor want (cells (tabulate ds f)) = w) as E;
      [| now rewrite E in J] end.
    apply (tensor_ext (s_zero S)); [unfold good; cbn [dims cells]; rewrite C;
      apply good_tabulate | apply good_tabulate | reflexivity |].
    cbn [dims]. intros i I. rewrite get_tabulate by exact I. pose proof (position_lt _ _ I) as lt. rewrite C in lt.
    destruct (index_at_spec ds (position want i) lt) as [B P]. rewrite <- (get_tabulate (s_zero S) ds f) by exact B.
    unfold get. cbn [dims cells tabulate]. now rewrite I, B, P.
  Qed.

  Lemma runs_moved vs perm x ds f : permutes (length ds) perm = true -> shows vs x ds f ->
    runs vs (moved perm x) (fun ws k => shows ws k (permuted ds perm) (fun i => f (unpermute perm i))).
  Proof.
    intros P X. unfold moved. destruct (sizes_eqb perm (seq 0 (length perm))) eqn:E.
    - apply sizes_eqb_iff in E. assert (L : length perm = length ds) by (apply permutes_iff in P; tauto). rewrite L in E.
      subst perm.
      assert (O : forall A (d : A) l, length l = length ds -> map (fun k => nth k l d) (seq 0 (length ds)) = l).
      { intros A d l Ll. rewrite <- Ll. clear. induction l as [| a l IH]; [reflexivity |]. cbn [length seq map nth]. f_equal.
        rewrite <- seq_shift, map_map. exact IH. }
      apply runs_return. unfold permuted. rewrite O by reflexivity. revert X. apply shows_ext. intros i I.
      apply in_box_length in I.
      f_equal. rewrite <- (O Z 0%Z i I) at 2. symmetry. apply unpermute_ordered. now rewrite I.
    - eapply runs_shows.
      + eapply (runs_value S typed vs "Transpose" _ [x] [_]); [repeat constructor; exact X |]. cbn [map].
        apply transpose_value. exact P.
      + intros ws k. apply shows_ext. intros i I. apply at_table. now apply (unpermute_in_box (length ds)).
  Qed.

  Lemma runs_fields s ds g ts : forall n k vs, knows S vs s (GTuple ts) ->
    (forall j, k <= j < k + n -> nth_error ts j = Some (tabulate ds (g j))) ->
    runs vs (fields k n s) (fun ws ps => Forall2 (fun p j => shows ws p ds (g j)) ps (seq k n)).
  Proof.
    induction n as [| n IH]; intros k vs K N; cbn [fields]; [apply runs_return; constructor |].
    eapply runs_bind; [apply (runs_field S typed vs k s ts _ K (N k ltac:(lia))) |]. intros ws p X P. cbv beta in P.
    eapply runs_bind; [apply (IH (Datatypes.S k) ws (knows_extends _ _ _ _ _ K X)); intros j J; apply N; lia |].
    intros us l Y L. cbv beta in L. apply runs_return. cbn [seq]. constructor; [| exact L]. exact (knows_extends _ _ _ _ _ P Y).
  Qed.

  Lemma split_ones m n f :
    op_value S "Split" [("axis", nat_value 1); ("split", nats_value (repeat 1 n))] [GTensor (tabulate [m; n] f)] =
    Some (GTuple (map (fun k => tabulate [m; 1] (fun i => f [nth 0 i 0; Z.of_nat k]%Z)) (seq 0 n))).
  Proof.
    change (op_value S "Split" [("axis", nat_value 1); ("split", nats_value (repeat 1 n))] [GTensor (tabulate [m; n] f)]) with
      (let? (axis, parts) := (let? a := axis_of 2 2 (Z.of_nat 1) in
         let? p := shape_of (nats_value (repeat 1 n)) in Some (a, p)) in
       let? ts := split S axis parts (tabulate [m; n] f) in Some (GTuple ts)).
    rewrite axis_of_nat, shape_of_nats by lia. unfold split, split_dims, guard. cbn [dims tabulate nth].
    assert (list_sum (repeat 1 n) = n) as ->.
    { clear. induction n as [| n IH]; [reflexivity |]. change (1 + list_sum (repeat 1 n) = Datatypes.S n). lia. }
    rewrite Nat.eqb_refl. do 2 f_equal.
    assert (W : forall c start, start + c <= n -> parts S 1 (tabulate [m; n] f) start
                (map (fun n0 => set_nth 1 n0 [m; n]) (repeat 1 c)) =
              map (fun k => tabulate [m; 1] (fun i => f [nth 0 i 0; Z.of_nat k]%Z)) (seq start c)).
    { induction c as [| c IH]; intros start le; [reflexivity |]. cbn [repeat map parts seq]. f_equal.
      - unfold part. cbn [set_nth]. apply tabulate_ext. intros i I. apply in_box_two in I. destruct I as (a & b & -> & A & B).
        cbn [nth set_nth]. assert (b + Z.of_nat start = Z.of_nat start)%Z as -> by lia.
        apply at_table. apply in_box_pair; lia.
      - cbn [set_nth nth]. replace (start + 1) with (Datatypes.S start) by lia. apply IH. lia. }
    exact (W n 0 ltac:(lia)).
  Qed.

  Lemma runs_columns vs x m n f : shows vs x [m; n] f ->
    runs vs (columns n x) (fun ws ps =>
      Forall2 (fun p k => shows ws p [m; 1] (fun i => f [nth 0 i 0; Z.of_nat k]%Z)) ps (seq 0 n)).
  Proof.
    intros X. unfold columns. eapply runs_bind.
    { eapply (runs_apply S typed vs); [constructor; [exact X | constructor] |]. apply split_ones. }
    intros ws s Y T. cbv beta in T.
    apply (runs_fields s [m; 1] (fun k i => f [nth 0 i 0; Z.of_nat k]%Z) _ n 0 ws T).
    intros j J. rewrite nth_error_map, (nth_error_nth' _ 0) by (rewrite seq_length; lia). rewrite seq_nth by lia. reflexivity.
  Qed.

  Lemma runs_multiplied ds (g : nat -> list Z -> num) : forall l ks vs x f, shows vs x ds f ->
    Forall2 (fun p k => shows vs p ds (g k)) l ks ->
    runs vs (multiplied x l) (fun ws y => shows ws y ds (fun i => fold_left (fun a k => s_mul S a (g k i)) ks (f i))).
  Proof.
    induction l as [| p l IH]; intros ks vs x f X F; inversion F as [| ? k ? ks' P F']; subst; cbn [multiplied];
      [now apply runs_return |].
    eapply runs_bind; [apply (runs_times S typed vs x p ds _ _ X P) |]. intros ws y E Y. cbv beta in Y. cbn [fold_left].
    apply (IH ks' ws y _ Y). clear - F' E. induction F'; constructor; [eapply shows_extends; eassumption | assumption].
  Qed.

  (** The formula's cell, by the columns. *)
  Lemma product_of_columns keep m (x : tensor) i : length m = length (dims x) -> in_box (reduce_dims keep m (dims x)) i = true ->
    let kept := cell_count (unmarked m (dims x)) in
    let n := cell_count (marked m (dims x)) in
    let f j := at_ S x (unpermute (marked_last m) (index_at (unmarked m (dims x) ++ marked m (dims x)) (position [kept; n] j))) in
    let r := index_at [kept; 1] (position (reduce_dims keep m (dims x)) i) in
    0 < n ->
    product_of S (marked m (dims x)) (fun k => at_ S x (weave m k (rest_at keep m i))) =
    fold_left (fun a k => s_mul S a (f [nth 0 r 0; Z.of_nat k]%Z)) (seq 1 (n - 1)) (f [nth 0 r 0; Z.of_nat 0]%Z).
  Proof.
    intros L I kept n f r n0. destruct (rest_place keep m (dims x) i L I) as [B P].
    set (p := position (reduce_dims keep m (dims x)) i) in *.
    assert (lt : p < kept) by (rewrite <- P; now apply position_lt).
    assert (R : r = [Z.of_nat p; 0%Z]).
    { unfold r. rewrite <- (index_at_position [kept; 1] [Z.of_nat p; 0%Z]) by (apply in_box_pair; lia). f_equal.
      cbn [position cell_count fold_right]. rewrite Nat2Z.id. cbn. lia. }
    destruct (marked_length m (dims x) (eq_sym L)) as [Lk Lr].
    assert (F : forall k, k < n -> f [Z.of_nat p; Z.of_nat k] = at_ S x (weave m (index_at (marked m (dims x)) k) (rest_at keep
      m i))).
    { intros k K. destruct (index_at_spec (marked m (dims x)) k K) as [Bk Pk]. unfold f.
      assert (position [kept; n] [Z.of_nat p; Z.of_nat k] =
              position (unmarked m (dims x) ++ marked m (dims x)) (rest_at keep m i ++ index_at (marked m (dims x)) k)) as ->.
      { rewrite position_app, P, Pk by (now apply in_box_length). fold n.
        cbn [position cell_count fold_right]. rewrite !Nat2Z.id. lia. }
      rewrite index_at_position by (rewrite in_box_app by (now apply in_box_length); now rewrite B, Bk).
      rewrite unpermute_last; [reflexivity | |].
      - rewrite <- Lk. now apply in_box_length.
      - rewrite <- Lr. now apply in_box_length. }
    rewrite R. cbn [nth]. unfold product_of. rewrite box_as_seq. fold n.
    replace (seq 0 n) with (0 :: seq 1 (n - 1)) by (clear - n0; destruct n; [lia |]; cbn; now rewrite Nat.sub_0_r).
    cbn [map]. rewrite fold_left_map, F by exact n0. apply fold_left_ext_in. intros a k K. apply in_seq in K. rewrite F by lia.
    reflexivity.
  Qed.

  Theorem reduce_prod_correct keep noop axes (x : tensor) b : good x ->
    reduce_prod_composition keep noop axes (dims x) = Some b ->
    exists y, onnx_reduce_prod S keep noop axes x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros G B. unfold reduce_prod_composition in B. unfold onnx_reduce_prod, onnx_reduction.
    destruct (axes_given (length (dims x)) noop axes) as [l |]; [| discriminate].
    set (ds := dims x) in *. set (m := marks (length ds) l) in *. assert (Lm : length m = length ds) by apply marks_length.
    unfold guard in B. destruct (cell_count ds =? 0) eqn:E in B; [discriminate |]. cbn [negb] in B. apply Nat.eqb_neq in E.
    set (kept := cell_count (unmarked m ds)) in *. set (n := cell_count (marked m ds)) in *.
    assert (X0 : shows (map (@GTensor _) [x]) 0 ds (at_ S x)) by (apply shows_tensor; [exact G | reflexivity]).
    eexists. split; [reflexivity |].
    destruct l as [| a l].
    - apply some_eq in B. subst b. apply (finished_runs S [x]). apply runs_return.
      destruct (reduce_none keep ds (repeat 0%Z (length ds)) ltac:(apply repeat_length)) as (R & M & _). fold m in R, M.
      rewrite R, M. revert X0. apply shows_ext. intros i I. apply in_box_length in I. cbn.
      unfold m. now rewrite (proj2 (proj2 (reduce_none keep ds i I))).
    - set (ax := a :: l) in *. destruct (Nat.eqb_spec n 1) as [O | O].
      + apply some_eq in B. subst b. pose proof (reduce_dims_count keep m ds Lm O) as C.
        apply (finished_runs S [x]). eapply runs_shows; [apply (runs_recast _ 0 ds _ _ C X0) |].
        intros ws k. apply shows_ext. intros i I. destruct (weave_single keep m ds i Lm O I) as [B P].
        unfold product_of. rewrite single_box by (now apply single_marked). cbn [fold_left]. rewrite <- P.
        now rewrite index_at_position.
      + destruct (n <=? most_parts); [| discriminate]. apply some_eq in B. subst b. apply runs_composed.
        eapply runs_bind; [apply (runs_moved _ (marked_last m) 0 ds _ ltac:(rewrite <- Lm; apply marked_last_permutes) X0) |].
        intros v1 t E1 T. cbv beta in T. unfold permuted in T. rewrite nth_marked_last in T by now symmetry.
        set (all := unmarked m ds ++ marked m ds) in *.
        assert (Ca : cell_count [kept; n] = cell_count all) by (unfold all; rewrite cell_count_app; cbn; fold kept n; lia).
        eapply runs_bind; [apply (runs_recast v1 t all [kept; n] _ Ca T) |]. intros v2 c E2 C. cbv beta in C.
        eapply runs_bind; [apply (runs_columns v2 c kept n _ C) |]. intros v3 ps E3 P. cbv beta in P.
        assert (n0 : 0 < n) by (pose proof (count_marked m ds E) as N0; fold n in N0; lia).
        replace (seq 0 n) with (0 :: seq 1 (n - 1)) in P by (clear - n0; destruct n; [lia |]; cbn; now rewrite Nat.sub_0_r).
        inversion P as [| p0 ? ps' ? P0 P' Ep]. subst ps. cbn [multiplied_all].
        eapply runs_bind; [apply (runs_multiplied [kept; 1] _ ps' _ v3 p0 _ P0 P') |]. intros v4 h E4 Y. cbv beta in Y.
        assert (Cr : cell_count (reduce_dims keep m ds) = cell_count [kept; 1]) by (rewrite kept_count by exact Lm; cbn;
          fold kept; lia).
        eapply runs_shows; [apply (runs_recast v4 h [kept; 1] _ _ Cr Y) |]. intros ws k. apply shows_ext. intros i I.
        exact (eq_sym (product_of_columns keep m x i Lm I n0)).
  Qed.
End Correct.

(** ** An instance: the product of each column *)

Example reduce_prod_example : let x := Tensor [3; 2] [1; -2; 3; 4; -5; 6]%Z in
  let typed (_ : Z) c := literal_value integers c in
  option_map (fun b => composed integers typed b [x]) (reduce_prod_composition false false [0]%Z [3; 2]) =
    Some (Some (Tensor [2] [-15; -48]%Z)) /\
  onnx_reduce_prod integers false false [0]%Z x = Some (Tensor [2] [-15; -48]%Z).
Proof. split; reflexivity. Qed.
