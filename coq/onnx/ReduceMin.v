(** * ReduceMin

    There is no reduction to the least cell: ReduceMin is ReduceMax with the order turned round
    (c/onnx/expand_reduce.c).  Floats are negated.  Of integers -1 - X is taken, which never leaves their range: the
    least integer has no negation.  Bytes are turned round in 32 bits.  That these turn max into min is a law of the
    numbers ([turned_round]); binary32 and binary64 have it bit for bit, NaNs and -0 included, and so have words that
    wrap.  Opset 18 and later, and earlier ones with constant axes; booleans, and tensors without cells, stay ReduceMin. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr kernel.Numbers tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index.
From Calque Require Import tensor.IndexProof tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Instances tensor.Mixed.
From Calque Require Import onnx.Composition onnx.Steps onnx.Reduced.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

Section Formula.
  Variable S : arith.
  (** No number is greater. *)
  Variable most : num S.

  (** The least of some cells, row by row; of no cells the greatest number. *)
  Definition lowest (ns : list nat) (f : list Z -> num S) : num S :=
    if single ns then f (map (fun _ => 0%Z) ns) else reduce (s_min S) most ns f.

  (** The least cell along the axes, which are given in any order, and from the end if negative; given none: of all,
      or with [noop] X itself. *)
  Definition onnx_reduce_min (keep noop : bool) (axes : list Z) (x : tensor (num S)) : option (tensor (num S)) :=
    let? l := axes_given (length (dims x)) noop axes in
    match l with
    | [] => Some x
    | _ =>
        let m := marks (length (dims x)) l in
        table S (Some (reduce_dims keep m (dims x)))
          (fun _ i => lowest (marked m (dims x)) (fun k => at_ S x (weave m k (rest_at keep m i))))
    end.
End Formula.

(** ** The composition *)

Definition is_float_code (type : Z) : bool := (type =? f32_code)%Z || (type =? f64_code)%Z.
Definition is_byte_code (type : Z) : bool := (type =? i8_code)%Z || (type =? u8_code)%Z.
Definition is_word_code (type : Z) : bool := (type =? i32_code)%Z || (type =? i64_code)%Z.

Definition minus_one (type : Z) : build nat := constant type [] [LInt (-1)].

Definition reduce_min_composition (type : Z) (keep noop : bool) (axes : list Z) (ds : sizes) : option (build nat) :=
  let? l := axes_given (length ds) noop axes in
  guard (negb (cell_count ds =? 0))
    (match l with
     | [] => Some (finished 1 (Return 0))
     | _ =>
         if is_float_code type then
           Some (x <- apply "Neg" [] [0] ;; g <- greatest keep l ds x ;; apply "Neg" [] [g])
         else if is_word_code type then
           Some (m <- minus_one type ;; x <- apply "Sub" [] [m; 0] ;; g <- greatest keep l ds x ;; apply "Sub" [] [m; g])
         else if is_byte_code type then
           Some (c <- apply "Cast" [("to", VInt i32_code)] [0] ;; m <- minus_one i32_code ;; x <- apply "Sub" [] [m; c] ;;
                 g <- greatest keep l ds x ;; y <- apply "Sub" [] [m; g] ;; apply "Cast" [("to", VInt type)] [y])
         else None
     end).

(** ** It computes the formula *)

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Definition turn (type : Z) (a : num S) : num S :=
    if is_float_code type then s_neg S a
    else if is_word_code type then s_sub S (typed type (LInt (-1))) a
    else s_sub S (typed i32_code (LInt (-1))) (s_cast S i32_code a).

  Definition back (type : Z) (a : num S) : num S :=
    if is_float_code type then s_neg S a
    else if is_word_code type then s_sub S (typed type (LInt (-1))) a
    else s_cast S type (s_sub S (typed i32_code (LInt (-1))) a).

  (** Turned round, the greater one of two cells is the lesser one; [most] is the greatest number. *)
  Record turned_round (type : Z) (most : num S) (cell : num S -> Prop) : Prop := {
    turn_back : forall a, cell a -> back type (turn type a) = a;
    turn_min : forall a b, cell a -> cell b ->
      cell (s_min S a b) /\ s_max S (turn type a) (turn type b) = turn type (s_min S a b);
    turn_most : forall a, cell a -> cell (s_min S most a) /\ s_max S (s_least S) (turn type a) = turn type (s_min S most a)
  }.

  Section Law.
    Variables (type : Z) (most : num S) (cell : num S -> Prop).
    Hypothesis law : turned_round type most cell.

    Lemma fold_turned {I} (f : I -> num S) l : (forall k, In k l -> cell (f k)) -> forall a, cell a ->
      cell (fold_left (fun a k => s_min S a (f k)) l a) /\
      fold_left (fun a k => s_max S a (turn type (f k))) l (turn type a) =
      turn type (fold_left (fun a k => s_min S a (f k)) l a).
    Proof.
      induction l as [| k l IH]; intros C a A; [now split |]. cbn [fold_left].
      destruct (turn_min _ _ _ law a (f k) A (C k (or_introl eq_refl))) as [M ->]. apply IH; [| exact M].
      intros j J. apply C. now right.
    Qed.

    Lemma lowest_turned ns f : cell_count ns <> 0 -> (forall k, in_box ns k = true -> cell (f k)) ->
      back type (s_greatest S ns (fun k => turn type (f k))) = lowest S most ns f.
    Proof.
      intros N C. unfold s_greatest, lowest. destruct (single ns) eqn:O.
      - apply (turn_back _ _ _ law), C. apply in_box_box. rewrite single_box by exact O. now left.
      - unfold reduce. rewrite <- length_box in N.
        assert (B : forall k, In k (box ns) -> cell (f k)) by (intros k I; now apply C, in_box_box).
        destruct (box ns) as [| k l]; [now destruct N |]. cbn [fold_left].
        destruct (turn_most _ _ _ law (f k) (B k (or_introl eq_refl))) as [M ->].
        destruct (fold_turned f l (fun j J => B j (or_intror J)) _ M) as [M' ->]. now apply (turn_back _ _ _ law).
    Qed.
  End Law.

  Lemma weave_box keep m : forall ds i k, length m = length ds -> in_box (reduce_dims keep m ds) i = true ->
    in_box (marked m ds) k = true -> in_box ds (weave m k (rest_at keep m i)) = true.
  Proof.
    unfold rest_at, reduce_dims, unmarked.
    induction m as [| b m IH]; intros [| d ds] i k L I K; try discriminate; [reflexivity |].
    injection L as L. destruct b; cbn [marked map negb combine fst snd] in *.
    - destruct k as [| z k]; [discriminate |]. apply in_box_cons in K. destruct K as [Z0 K]. cbn [weave].
      apply in_box_cons. split; [exact Z0 |]. destruct keep; [| now apply IH].
      destruct i as [| y i]; [discriminate |]. apply in_box_cons in I. destruct I as [_ I]. now apply IH.
    - destruct i as [| y i]; [destruct keep; discriminate |]. destruct keep; apply in_box_cons in I; destruct I as [Z0 I];
        cbn [marked weave]; apply in_box_cons; (split; [exact Z0 |]); now apply IH.
  Qed.

  Lemma count_marked m : forall ds, cell_count ds <> 0 -> cell_count (marked m ds) <> 0.
  Proof.
    induction m as [| b m IH]; intros [| d ds] E; try discriminate. change (d * cell_count ds <> 0) in E.
    assert (d <> 0 /\ cell_count ds <> 0) as [D C] by (split; intros Q; rewrite Q in E; lia).
    destruct b; cbn [marked]; [| now apply IH]. specialize (IH ds C). change (d * cell_count (marked m ds) <> 0). nia.
  Qed.

  Lemma cells_at (P : num S -> Prop) (x : tensor) i : good x -> Forall P (cells x) -> in_box (dims x) i = true -> P (at_ x i).
  Proof.
    intros G F I. unfold Ops.at_, get. rewrite I. apply Forall_nth; [exact F |]. rewrite G. now apply position_lt.
  Qed.

  Definition mapped (f : num S -> num S) (x : tensor) : tensor := tabulate (dims x) (fun i => f (at_ x i)).

  Lemma mapped_mapped f g (x : tensor) : mapped g (mapped f x) = mapped (fun a => g (f a)) x.
  Proof. unfold mapped. cbn [dims tabulate]. apply tabulate_ext. intros i I. now rewrite at_tabulate. Qed.

  (** The greatest of what is turned round, turned back. *)
  Definition lowest_of (type : Z) (keep : bool) (l : list nat) (x : tensor) : tensor :=
    mapped (back type) (greatest_of S keep l (mapped (turn type) x)).

  Lemma lowest_of_formula type most cell keep noop axes l (x : tensor) : turned_round type most cell ->
    good x -> cell_count (dims x) <> 0 -> Forall cell (cells x) -> axes_given (length (dims x)) noop axes = Some l -> l <> [] ->
    onnx_reduce_min S most keep noop axes x = Some (lowest_of type keep l x).
  Proof.
    intros law G E C A N. unfold onnx_reduce_min. rewrite A. destruct l as [| a l]; [contradiction |]. set (ax := a :: l).
    cbn [table]. f_equal. unfold lowest_of, mapped, greatest_of. cbn [dims tabulate].
    set (m := marks (length (dims x)) ax). assert (L : length m = length (dims x)) by apply marks_length.
    apply tabulate_ext. intros i I. rewrite at_tabulate by exact I.
    rewrite <- (lowest_turned type most cell law).
    - f_equal. apply s_greatest_ext. intros k K. rewrite at_tabulate; [reflexivity | now apply weave_box].
    - now apply count_marked.
    - intros k K. apply cells_at; try assumption. now apply weave_box.
  Qed.

  Section Runs.
    Variables (keep : bool) (l : list nat) (x : tensor).
    Hypothesis G : good x.
    Hypothesis E : cell_count (dims x) <> 0.

    Let turned f : tensor := mapped f x.

    Lemma runs_greatest_mapped vs f k : knows S vs k (GTensor (mapped f x)) ->
      runs S typed vs (greatest keep l (dims x) k) (fun ws j => knows S ws j (GTensor (greatest_of S keep l (mapped f x)))).
    Proof.
      intros K. change (dims x) with (dims (mapped f x)). apply runs_greatest; [exact K | apply good_tabulate | exact E].
    Qed.

    Lemma runs_map vs name f (y : tensor) k : look_up String.eqb (operators S) name = Some (elementwise S f) ->
      knows S vs k (GTensor y) -> runs S typed vs (apply name [] [k]) (fun ws j => knows S ws j (GTensor (mapped f y))).
    Proof.
      intros N K. apply (runs_apply S typed vs _ _ _ [GTensor y]); [repeat constructor; exact K |]. now apply unary_value.
    Qed.

    Lemma runs_from vs name f a (y : tensor) j k : look_up String.eqb (operators S) name = Some (binary S f) ->
      knows S vs j (GTensor (scalar S a)) -> knows S vs k (GTensor y) ->
      runs S typed vs (apply name [] [j; k]) (fun ws i => knows S ws i (GTensor (mapped (f a) y))).
    Proof.
      intros N J K. apply (runs_apply S typed vs _ _ _ [GTensor (scalar S a); GTensor y]); [repeat constructor; assumption |].
      now apply binary_from.
    Qed.

    Lemma runs_cast vs code (y : tensor) k : (1 <= code <= 64)%Z -> knows S vs k (GTensor y) ->
      runs S typed vs (apply "Cast" [("to", VInt code)] [k]) (fun ws i => knows S ws i (GTensor (mapped (s_cast S code) y))).
    Proof.
      intros R K. apply (runs_apply S typed vs _ _ _ [GTensor y]); [repeat constructor; exact K |]. now apply cast_value.
    Qed.
  End Runs.

  Lemma composition_runs type keep noop axes a l (x : tensor) b : good x ->
    axes_given (length (dims x)) noop axes = Some (a :: l) ->
    reduce_min_composition type keep noop axes (dims x) = Some b ->
    runs S typed (map GTensor [x]) b (fun ws j => knows S ws j (GTensor (lowest_of type keep (a :: l) x))).
  Proof.
    intros G A B. unfold reduce_min_composition in B. rewrite A in B. unfold guard in B.
    destruct (Nat.eqb_spec (cell_count (dims x)) 0) as [| E]; [discriminate |]. cbn [negb] in B.
    assert (K0 : knows S (map GTensor [x]) 0 (GTensor x)) by reflexivity.
    unfold lowest_of, turn, back. destruct (is_float_code type); [| destruct (is_word_code type)];
      [| | destruct (is_byte_code type) eqn:T; [| discriminate]]; apply some_eq in B; subst b.
    - eapply runs_bind; [exact (runs_map _ "Neg" (s_neg S) x 0 eq_refl K0) |]. intros ws k X K. cbv beta in K.
      eapply runs_bind; [apply runs_greatest_mapped; eassumption |]. intros us g Y Q. cbv beta in Q.
      now apply runs_map.
    - eapply runs_bind; [apply (runs_constant S typed _ type [] [LInt (-1)]); reflexivity |]. intros ws m X M. cbv beta in M.
      eapply runs_bind; [exact (runs_from _ "Sub" (s_sub S) _ x m 0 eq_refl M (knows_extends _ _ _ _ _ K0 X)) |].
      intros us k Y K. cbv beta in K.
      eapply runs_bind; [apply runs_greatest_mapped; eassumption |]. intros ts g Z Q. cbv beta in Q.
      exact (runs_from _ "Sub" (s_sub S) _ _ m g eq_refl (knows_extends _ _ _ _ _ M (extends_trans _ _ _ _ Y Z)) Q).
    - eapply runs_bind; [exact (runs_cast _ i32_code x 0 ltac:(unfold i32_code; lia) K0) |]. intros ws c X C. cbv beta in C.
      eapply runs_bind; [apply (runs_constant S typed _ i32_code [] [LInt (-1)]); reflexivity |]. intros us m Y M. cbv beta in M.
      eapply runs_bind; [exact (runs_from _ "Sub" (s_sub S) _ _ m c eq_refl M (knows_extends _ _ _ _ _ C Y)) |].
      intros ts k Z K. cbv beta in K. rewrite mapped_mapped in K.
      eapply runs_bind; [apply runs_greatest_mapped; eassumption |]. intros rs g V Q. cbv beta in Q.
      eapply runs_bind; [exact (runs_from _ "Sub" (s_sub S) _ _ m g eq_refl
        (knows_extends _ _ _ _ _ M (extends_trans _ _ _ _ Z V)) Q) |].
      intros qs y U Y'. cbv beta in Y'.
      eapply runs_weaken; [apply (runs_cast _ type); [| exact Y'] |].
      { unfold is_byte_code, i8_code, u8_code in T. apply orb_true_iff in T. destruct T as [T | T]; apply Z.eqb_eq in T; lia. }
      intros ps j _ J. cbv beta in J. now rewrite mapped_mapped in J.
  Qed.

  (** Bit for bit, where the numbers have the law. *)
  Theorem reduce_min_correct type most cell keep noop axes (x : tensor) b :
    turned_round type most cell -> good x -> Forall cell (cells x) ->
    reduce_min_composition type keep noop axes (dims x) = Some b ->
    exists y, onnx_reduce_min S most keep noop axes x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros law G C B. pose proof B as B'. unfold reduce_min_composition in B'.
    destruct (axes_given (length (dims x)) noop axes) as [l |] eqn:A; [| discriminate]. unfold guard in B'.
    destruct (Nat.eqb_spec (cell_count (dims x)) 0) as [| E]; [discriminate |]. cbn [negb] in B'. destruct l as [| a l].
    - exists x. split; [unfold onnx_reduce_min; now rewrite A |]. apply some_eq in B'. subst b.
      apply (finished_runs S [x]). now apply runs_return.
    - exists (lowest_of type keep (a :: l) x). split; [now apply (lowest_of_formula type most cell) |].
      apply runs_composed. now apply (composition_runs type keep noop axes).
  Qed.
End Correct.

(** ** Numbers that have the law *)

Lemma opp_twice x : SFopp (SFopp x) = x.
Proof. destruct x as [s | s | | s m e]; cbn; rewrite ?negb_involutive; reflexivity. Qed.

Lemma ltb_opp x y : SFltb (SFopp x) (SFopp y) = SFltb y x.
Proof.
  unfold SFltb. destruct x as [s | s | | s m e], y as [t | t | | t n f]; try reflexivity; cbn [SFopp SFcompare].
  all: try (destruct s; reflexivity). all: try (destruct t; reflexivity). all: try (destruct s, t; reflexivity).
  assert (P : Pos.compare_cont Eq n m = CompOpp (Pos.compare_cont Eq m n)) by (symmetry; exact (Pos.compare_cont_antisym m n Eq)).
  rewrite (Z.compare_antisym e f), P.
  destruct s, t; cbn [negb]; try reflexivity; destruct (Z.compare e f); try reflexivity; cbn [CompOpp];
    destruct (Pos.compare_cont Eq m n); reflexivity.
Qed.

(** Negation turns floats round, every one. *)
Theorem ieee_turned prec emax code tiny typed type : is_float_code type = true ->
  turned_round (ieee prec emax code tiny) typed type (S754_infinity false) (fun _ => True).
Proof.
  intros F. split; unfold turn, back; rewrite F; cbn [ieee num s_neg s_min s_max s_least].
  - intros a _. apply opp_twice.
  - intros a b _ _. split; [exact I |]. rewrite ltb_opp. now destruct (SFltb b a).
  - intros a _. split; [exact I |]. change (S754_infinity true) with (SFopp (S754_infinity false)). rewrite ltb_opp.
    now destruct (SFltb a (S754_infinity false)).
Qed.

Lemma wrap_in lowest count z : (lowest <= z < lowest + count)%Z -> wrap_to lowest count z = z.
Proof. intros R. unfold wrap_to. rewrite Z.mod_small by lia. lia. Qed.

Lemma wrap64_in z : (least <= z < - least)%Z -> wrap z = z.
Proof. intros R. apply (wrap_in least (2 ^ 64)). unfold least in *. lia. Qed.

Definition plain (type : Z) (c : literal) : Z := literal_value integers c.

(** The integers, of which none is lost. *)
Theorem integers_turned type : is_word_code type = true ->
  turned_round integers plain type (- least - 1)%Z (fun _ => True).
Proof.
  intros W. assert (F : is_float_code type = false).
  { unfold is_word_code, is_float_code, i32_code, i64_code, f32_code, f64_code in *. lia. }
  split; unfold turn, back; rewrite F, W; cbn [integers num s_sub s_min s_max s_least plain literal_value s_int]; intros; lia.
Qed.

(** *** In graphs that mix element types *)

Section Standard.
  Notation M := (mixed standard).
  Notation turned type most cell := (turned_round M (Steps.typed M) type most cell).

  Theorem f32_turned : turned f32_code (of_f32 standard (S754_infinity false)) (fun a => exists x, a = of_f32 standard x).
  Proof.
    destruct (ieee_turned 24 128 1 (S754_finite false 1 (-149)) (fun _ _ => S754_nan) f32_code eq_refl) as [B N T]. split.
    - intros a [x ->]. exact (f_equal (of_f32 standard) (B x I)).
    - intros a b [x ->] [y ->]. split; [eexists; reflexivity |]. exact (f_equal (of_f32 standard) (proj2 (N x y I I))).
    - intros a [x ->]. split; [eexists; reflexivity |]. exact (f_equal (of_f32 standard) (proj2 (T x I))).
  Qed.

  Theorem f64_turned : turned f64_code (of_f64 standard (S754_infinity false)) (fun a => exists x, a = of_f64 standard x).
  Proof.
    destruct (ieee_turned 53 1024 11 (S754_finite false 1 (-1074)) (fun _ _ => S754_nan) f64_code eq_refl) as [B N T]. split.
    - intros a [x ->]. exact (f_equal (of_f64 standard) (B x I)).
    - intros a b [x ->] [y ->]. split; [eexists; reflexivity |]. exact (f_equal (of_f64 standard) (proj2 (N x y I I))).
    - intros a [x ->]. split; [eexists; reflexivity |]. exact (f_equal (of_f64 standard) (proj2 (T x I))).
  Qed.

  (** Integers of a type that turn as integers do. *)
  Lemma words_turned type most (cell : Z -> num M) (word : Z -> num M) lowest count : (count > 0)%Z ->
    most = cell (lowest + count - 1)%Z ->
    (forall z, (lowest <= z < lowest + count)%Z -> turn M (Steps.typed M) type (cell z) = word (-1 - z)%Z) ->
    (forall z, (lowest <= z < lowest + count)%Z -> back M (Steps.typed M) type (word (-1 - z)%Z) = cell z) ->
    (forall y z, (lowest <= y < lowest + count)%Z -> (lowest <= z < lowest + count)%Z ->
      s_max M (word (-1 - y)%Z) (word (-1 - z)%Z) = word (-1 - Z.min y z)%Z) ->
    (forall z, (lowest <= z < lowest + count)%Z -> s_max M (s_least M) (word (-1 - z)%Z) = word (-1 - z)%Z) ->
    (forall y z, (lowest <= y < lowest + count)%Z -> (lowest <= z < lowest + count)%Z ->
      s_min M (cell y) (cell z) = cell (Z.min y z)) ->
    turned type most (fun a => exists z, a = cell z /\ (lowest <= z < lowest + count)%Z).
  Proof.
    intros P -> T B X L N. split.
    - intros a (z & -> & R). rewrite T by exact R. now apply B.
    - intros a b (y & -> & Y) (z & -> & Z_). rewrite N by assumption. split; [exists (Z.min y z); split; [reflexivity | lia] |].
      rewrite !T by lia. now apply X.
    - intros a (z & -> & R). rewrite N by lia. split; [exists (Z.min (lowest + count - 1) z); split; [reflexivity | lia] |].
      rewrite !T by lia. replace (Z.min (lowest + count - 1) z) with z by lia. now apply L.
  Qed.

  Lemma max_if y z : (if y <? z then z else y)%Z = Z.max y z.
  Proof. destruct (Z.ltb_spec y z); lia. Qed.

  Lemma min_if y z : (if z <? y then z else y)%Z = Z.min y z.
  Proof. destruct (Z.ltb_spec z y); lia. Qed.

  Theorem i64_turned : turned i64_code (of_i64 standard (Some (- least - 1)%Z))
    (fun a => exists z, a = of_i64 standard (Some z) /\ (least <= z < least + 2 ^ 64)%Z).
  Proof.
    apply (words_turned i64_code _ (fun z => of_i64 standard (Some z)) (fun z => of_i64 standard (Some z)));
      [reflexivity | reflexivity | | | | |].
    - intros z R. change (of_i64 standard (Some (wrap (-1 - z))) = of_i64 standard (Some (-1 - z)%Z)).
      rewrite wrap64_in by (unfold least in *; lia). reflexivity.
    - intros z R. change (of_i64 standard (Some (wrap (-1 - (-1 - z)))) = of_i64 standard (Some z)).
      rewrite wrap64_in by (unfold least in *; lia). do 2 f_equal. lia.
    - intros y z Y Z_. change (of_i64 standard (Some (wrap (if (-1 - y <? -1 - z)%Z then (-1 - z) else (-1 - y))%Z)) =
        of_i64 standard (Some (-1 - Z.min y z)%Z)).
      rewrite max_if, wrap64_in by (unfold least in *; lia). do 2 f_equal. lia.
    - intros z R. change (of_i64 standard (Some (wrap (if (least <? -1 - z)%Z then (-1 - z)%Z else least))) =
        of_i64 standard (Some (-1 - z)%Z)).
      rewrite max_if, wrap64_in by (unfold least in *; lia). do 2 f_equal. unfold least in *. lia.
    - intros y z Y Z_. change (of_i64 standard (Some (wrap (if (z <? y)%Z then z else y))) = of_i64 standard (Some (Z.min y z))).
      rewrite min_if, wrap64_in by (unfold least in *; lia). reflexivity.
  Qed.

  Ltac words32 := rewrite ?max_if, ?min_if; rewrite wrap64_in by (unfold least, least32 in *; lia);
    unfold wrap32; rewrite wrap_in by (unfold least32 in *; lia); do 2 f_equal; unfold least32 in *; lia.

  Theorem i32_turned : turned i32_code (of_i32 standard (Some (- least32 - 1)%Z))
    (fun a => exists z, a = of_i32 standard (Some z) /\ (least32 <= z < least32 + 2 ^ 32)%Z).
  Proof.
    apply (words_turned i32_code _ (fun z => of_i32 standard (Some z)) (fun z => of_i32 standard (Some z)));
      [reflexivity | reflexivity | | | | |].
    - intros z R. change (of_i32 standard (Some (wrap32 (wrap (-1 - z)))) = of_i32 standard (Some (-1 - z)%Z)). words32.
    - intros z R. change (of_i32 standard (Some (wrap32 (wrap (-1 - (-1 - z))))) = of_i32 standard (Some z)). words32.
    - intros y z Y Z_. change (of_i32 standard (Some (wrap32 (wrap (if (-1 - y <? -1 - z)%Z then (-1 - z) else (-1 - y))%Z))) =
        of_i32 standard (Some (-1 - Z.min y z)%Z)). words32.
    - intros z R. change (of_i32 standard (Some (wrap32 (wrap (if (least32 <? -1 - z)%Z then (-1 - z)%Z else least32)))) =
        of_i32 standard (Some (-1 - z)%Z)). words32.
    - intros y z Y Z_. change (of_i32 standard (Some (wrap32 (wrap (if (z <? y)%Z then z else y)))) =
        of_i32 standard (Some (Z.min y z))).
      words32.
  Qed.

  (** Bytes, turned round in 32 bits. *)
  Ltac bytes_turned code of_byte wrapped :=
    apply (words_turned code _ (fun z => of_byte standard (Some z)) (fun z => of_i32 standard (Some z)));
      [ reflexivity | reflexivity
      | intros z R; change (of_i32 standard (Some (wrap32 (wrap (-1 - wrap32 z)))) = of_i32 standard (Some (-1 - z)%Z));
        replace (wrap32 z) with z by (symmetry; apply (wrap_in least32 (2 ^ 32)); unfold least32; lia); words32
      | intros z R; change (of_byte standard (Some (wrapped (wrap32 (wrap (-1 - (-1 - z)))))) = of_byte standard (Some z));
        replace (-1 - (-1 - z))%Z with z by lia; rewrite wrap64_in by (unfold least; lia);
        unfold wrap32, wrapped; rewrite (wrap_in least32) by (unfold least32; lia); rewrite wrap_in by lia; reflexivity
      | intros y z Y Z_; change (of_i32 standard (Some (wrap32 (wrap (if (-1 - y <? -1 - z)%Z then (-1 - z) else (-1 - y))%Z))) =
          of_i32 standard (Some (-1 - Z.min y z)%Z)); words32
      | intros z R; change (of_i32 standard (Some (wrap32 (wrap (if (least32 <? -1 - z)%Z then (-1 - z)%Z else least32)))) =
          of_i32 standard (Some (-1 - z)%Z)); words32
      | intros y z Y Z_; change (of_byte standard (Some (wrapped (wrap (if (z <? y)%Z then z else y)))) =
          of_byte standard (Some (Z.min y z)));
        rewrite min_if, wrap64_in by (unfold least; lia); unfold wrapped; rewrite wrap_in by lia; reflexivity ].

  Theorem i8_turned : turned i8_code (of_i8 standard (Some 127%Z))
    (fun a => exists z, a = of_i8 standard (Some z) /\ (- 2 ^ 7 <= z < - 2 ^ 7 + 2 ^ 8)%Z).
  Proof. bytes_turned i8_code of_i8 wrap8. Qed.

  Theorem u8_turned : turned u8_code (of_u8 standard (Some 255%Z))
    (fun a => exists z, a = of_u8 standard (Some z) /\ (0 <= z < 0 + 2 ^ 8)%Z).
  Proof. bytes_turned u8_code of_u8 wrap_byte. Qed.
End Standard.

(** ** An instance: the least of each column, and of bytes in a graph that mixes element types *)

Example reduce_min_example :
  option_map (fun b => composed integers plain b [Tensor [2; 3] [5; -2; 7; 4; 9; -7]%Z])
    (reduce_min_composition i64_code false false [-2]%Z [2; 3]) = Some (Some (Tensor [3] [4; -2; -7]%Z)) /\
  onnx_reduce_min integers (- least - 1)%Z false false [-2]%Z (Tensor [2; 3] [5; -2; 7; 4; 9; -7]%Z) =
    Some (Tensor [3] [4; -2; -7]%Z).
Proof. split; reflexivity. Qed.

Example reduce_min_bytes :
  let x := Tensor [2; 2] (map (fun z => of_u8 standard (Some z)) [255; 3; 8; 0]%Z) in
  option_map (fun b => composed (mixed standard) (Steps.typed (mixed standard)) b [x])
    (reduce_min_composition u8_code true false [1]%Z [2; 2]) =
  Some (Some (Tensor [2; 1] (map (fun z => of_u8 standard (Some z)) [3; 0]%Z))).
Proof. reflexivity. Qed.
