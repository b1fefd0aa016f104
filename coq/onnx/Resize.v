(** * Resize

    ONNX's Resize and Upsample (c/onnx/expand_resize.c, opset 10 and later): an output place lies between places of the
    input along each axis.  Its value is the sum of what is at places around it by weights, along one axis after the
    other: [y[.., i, ..] = sum over t of x[.., place t i, ..] * weight t i], places beyond the ends being the end.  Where
    each output has one place of weight 1 (nearest), nothing is multiplied.

    Which places and weights is a matter of numbers (scales, coordinates): they are parameters here, the same for linear,
    cubic, and smoothed downscaling; [ResizePlaces] has those of mode nearest for rational scales.  Of tf_crop_and_resize
    what comes from outside of the input is a number that is chosen instead, whatever the sum is.  Left out: tensors of
    eight dimensions. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith Ring_theory Ring.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Formulas tensor.Channel.
From Calque Require Import tensor.Factors tensor.Along tensor.Instances.
From Calque Require Import tensor.KernelPad tensor.Mixed.
From Calque Require Import onnx.Composition onnx.Steps onnx.AxisSteps onnx.Chosen onnx.WindowSums.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Places and weights *)

(** For each output place the place of the input, not yet cut to the axis, and the binary64 weight. *)
Notation tap := (list (Z * N)).

(** Along one axis: as it is, or resized by taps, each for all output places; [exclude]: weights of places beyond the
    ends were taken away.  Of a crop some output places are [outside], where the value is [beyond]. *)
Inductive plan := Keep | Taps (exclude : bool) (l : list tap) | Crop (l : list tap) (outside : list bool) (beyond : N).

Definition no_weight (w : N) : bool := (w =? 0)%N || (w =? minus_zero_bits)%N.

Definition tap_at (t : tap) (z : Z) : Z * N := nth (Z.to_nat z) t (0%Z, 0%N).

Definition outputs (l : list tap) : nat := List.length (hd [] l).

Definition planned (n : nat) (p : plan) : nat := match p with Keep => n | Taps _ l | Crop l _ _ => outputs l end.

(** One place of weight 1 each. *)
Definition choice (l : list tap) : option (list Z) :=
  match l with [t] => guard (forallb (fun pw => (snd pw =? one_bits)%N) t) (Some (map fst t)) | _ => None end.

(** Every [k]-th output has the weights again, one place on. *)
Definition again (k : nat) (l : list tap) : bool :=
  forallb (fun t => forallb (fun i =>
    let (p, w) := tap_at t (Z.of_nat i) in
    let (q, v) := tap_at t (Z.of_nat i mod Z.of_nat k) in (p =? q + Z.of_nat i / Z.of_nat k)%Z && (w =? v)%N)
    (seq 0 (List.length t))) l.

Definition periods_max : nat := 8.

(** How many outputs a place of the input has, if that is a whole number and they are alike. *)
Definition period (n : nat) (exclude : bool) (l : list tap) : option nat :=
  let k := outputs l / n in
  guard (negb exclude && (outputs l mod n =? 0) && (2 <=? k) && (k <=? periods_max) && again k l) (Some k).

(** The terms of a sum over taps; those without a weight are left out where outputs are alike. *)
Definition terms_at (n : nat) (exclude : bool) (l : list tap) (z : Z) : list (Z * N) :=
  let all := map (fun t => tap_at t z) l in
  match period n exclude l with Some _ => filter (fun pw => negb (no_weight (snd pw))) all | None => all end.

Definition outside_at (outside : list bool) (z : Z) : literal := LInt (if nth (Z.to_nat z) outside false then 1 else 0).

(** ** ONNX's formula *)

Section Formula.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Variable type : Z.

  Definition place_on (n axis : nat) (x : tensor) (i : list Z) (p : Z) : num S := at_ S x (set_nth axis (cut_place n p) i).

  Definition taps_axis (pre : sizes) (n : nat) (post : sizes) (exclude : bool) (l : list tap) (x : tensor) : tensor :=
    let axis := List.length pre in
    tabulate (pre ++ outputs l :: post)
      (match choice l with
       | Some places => fun i => place_on n axis x i (nth (Z.to_nat (nth axis i 0%Z)) places 0%Z)
       | None => fun i =>
           sum_from S (map (fun pw => s_mul S (place_on n axis x i (fst pw)) (typed type (LReal (snd pw))))
                       (terms_at n exclude l (nth axis i 0%Z)))
       end).

  (** [where_cell] is a choice: of 1 the first, of 0 the second ([Trilu.chooses] says of which numbers). *)
  Definition resized_axis (pre : sizes) (n : nat) (post : sizes) (p : plan) (x : tensor) : tensor :=
    match p with
    | Keep => x
    | Taps exclude l => taps_axis pre n post exclude l x
    | Crop l outside beyond =>
        let y := taps_axis pre n post true l x in
        tabulate (pre ++ outputs l :: post) (fun i =>
          where_cell S (typed bool_code (outside_at outside (nth (List.length pre) i 0%Z))) (typed type (LReal beyond))
            (at_ S y i))
    end.

  (** One axis after the other. *)
  Fixpoint resized (pre ds : sizes) (ps : list plan) (x : tensor) : tensor :=
    match ds, ps with
    | n :: ds', p :: ps' => resized (pre ++ [planned n p]) ds' ps' (resized_axis pre n ds' p x)
    | _, _ => x
    end.

  Definition onnx_resize (ps : list plan) (x : tensor) : tensor := resized [] (dims x) ps x.
End Formula.

(** ** The composition *)

Definition tap_term (type : Z) (pre : sizes) (n : nat) (post : sizes) (k : nat) (t : tap) : build nat :=
  c <- chosen pre n post (map fst t) k;;
  v <- constant type (List.length t :: repeat 1 (List.length post)) (map (fun pw => LReal (snd pw)) t);;
  apply "Mul" [] [c; v].

(** A tap after the other. *)
Definition weighted (type : Z) (pre : sizes) (n : nat) (post : sizes) (l : list tap) (k : nat) : build nat :=
  summed (map (tap_term type pre n post k) l).

(** Where outputs are alike: sums of shifted slices of the input with its ends repeated, one for each output of a
    place. *)
Definition furthest (f : Z -> Z) (k : nat) (l : list tap) : nat :=
  fold_right Nat.max 0 (flat_map (fun t => map (fun i => Z.to_nat (f (fst (tap_at t (Z.of_nat i))))) (seq 0 k)) l).

Definition phase_term (type : Z) (pre : sizes) (n : nat) (post : sizes) (before after k : nat) (pw : Z * N) : build nat :=
  s <- sliced pre (before + n + after) post (Z.of_nat before + fst pw) 1 n k;;
  c <- constant type [] [LReal (snd pw)];;
  apply "Mul" [] [s; c].

Definition phase (type : Z) (pre : sizes) (n : nat) (post : sizes) (before after k : nat) (terms : list (Z * N)) : build nat :=
  y <- summed (map (phase_term type pre n post before after k) terms);;
  reshaped (pre ++ n :: post) (pre ++ n :: 1 :: post) y.

Definition phases (type : Z) (pre : sizes) (n : nat) (post : sizes) (times : nat) (l : list tap)
    (terms : Z -> list (Z * N)) (k : nat) : build nat :=
  let before := furthest Z.opp times l in
  let after := furthest (fun d => d) times l in
  x <- edged pre post before after k;;
  parts <- collect (map (fun i => phase type pre n post before after x (terms (Z.of_nat i))) (seq 0 times));;
  y <- apply "Concat" [("axis", nat_value (List.length pre + 1))] parts;;
  reshaped (pre ++ n :: times :: post) (pre ++ n * times :: post) y.

Definition is_float (type : Z) : bool := (type =? f32_code)%Z || (type =? f64_code)%Z.

Definition taps_read (type : Z) (pre : sizes) (n : nat) (post : sizes) (exclude : bool) (l : list tap) :
    option (nat -> build nat) :=
  guard ((0 <? n) && (0 <? outputs l) && (Z.of_nat n <? 2 ^ 63)%Z && forallb (fun t => List.length t =? outputs l) l)
    match choice l with
    | Some places => Some (chosen pre n post places)
    | None =>
        guard (is_float type)
          match period n exclude l with
          | Some times =>
              guard (forallb (fun i => negb (List.length (terms_at n exclude l (Z.of_nat i)) =? 0)) (seq 0 times))
                (Some (phases type pre n post times l (terms_at n exclude l)))
          | None => guard (negb (List.length l =? 0)) (Some (weighted type pre n post l))
          end
    end.

Definition cropped (type : Z) (post : sizes) (outside : list bool) (beyond : N) (k : nat) : build nat :=
  mask <- constant bool_code (List.length outside :: repeat 1 (List.length post))
            (map (fun o : bool => LInt (if o then 1 else 0)) outside);;
  c <- constant type [] [LReal beyond];;
  apply "Where" [] [mask; c; k].

Definition resize_axis (type : Z) (pre : sizes) (n : nat) (post : sizes) (p : plan) : option (nat -> build nat) :=
  match p with
  | Keep => Some Return
  | Taps exclude l => taps_read type pre n post exclude l
  | Crop l outside beyond =>
      let? f := taps_read type pre n post true l in
      guard (is_float type && (List.length outside =? outputs l) && existsb (fun o => o) outside)
        (Some (fun k => y <- f k;; cropped type post outside beyond y))
  end.

Fixpoint resize_axes (type : Z) (pre ds : sizes) (ps : list plan) : option (nat -> build nat) :=
  match ds, ps with
  | [], [] => Some Return
  | n :: ds', p :: ps' =>
      let? f := resize_axis type pre n ds' p in
      let? g := resize_axes type (pre ++ [planned n p]) ds' ps' in
      Some (fun k => j <- f k;; g j)
  | _, _ => None
  end.

Definition resize_composition (type : Z) (ds : sizes) (ps : list plan) : option (build nat) :=
  let? f := resize_axes type [] ds ps in guard (List.length ds <? 8) (Some (finished 1 (f 0))).

Lemma Forall2_map_in {A B C} (R : B -> C -> Prop) (f : A -> B) (g : A -> C) l : (forall a, In a l -> R (f a) (g a)) ->
  Forall2 R (map f l) (map g l).
Proof.
  intros H. induction l as [| a l IH]; constructor; [apply H; now left | apply IH; intros b inb; apply H; now right].
Qed.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis index_typed : forall z, (0 <= z < 2 ^ 63)%Z -> s_index S (typed i64_code (LInt z)) = Some z.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Notation runs := (runs S typed).
  Notation knows := (knows S).
  Notation picked := (picked S).

  (** ** Sums over taps *)

  Variable type : Z.
  Notation place_on := (place_on S).

  (** A term of the sum at cell [i]. *)
  Definition term_cell (n axis : nat) (x : tensor) (i : list Z) (pw : Z * N) : num :=
    s_mul S (place_on n axis x i (fst pw)) (typed type (LReal (snd pw))).

  Lemma mul_value (x y : tensor) : op_value S "Mul" [] [GTensor x; GTensor y] = option_map GTensor (map2 S (s_mul S) x y).
  Proof. change (OpTable.one (map2 S (s_mul S) x y) = option_map GTensor (map2 S (s_mul S) x y)). now destruct (map2 _ _ _ _).
    Qed.

  Lemma tap_term_makes vs pre n post k (x : tensor) t : knows vs k (GTensor x) -> good x -> dims x = pre ++ n :: post ->
    0 < n -> 0 < List.length t -> (Z.of_nat n < 2 ^ 63)%Z ->
    makes S typed vs (pre ++ List.length t :: post) (tap_term type pre n post k t)
      (fun i => term_cell n (List.length pre) x i (tap_at t (nth (List.length pre) i 0%Z))).
  Proof.
    intros K G D n0 o0 big ws X. unfold tap_term. eapply runs_bind.
    { apply (chosen_runs S typed index_typed ws pre n post (map fst t) k x); try assumption;
      [now apply (knows_extends S vs) | now rewrite map_length]. }
    intros us c _ C. rewrite map_length in C. eapply runs_bind.
    { apply runs_constant. rewrite map_length. cbn [cell_count fold_right]. fold (cell_count (repeat 1 (List.length post))).
      rewrite cell_count_ones. lia. }
    intros ys v Y V. set (p := picked pre (List.length t) post _ x) in C.
    eapply runs_apply; [constructor; [apply (knows_extends S us); eassumption |]; constructor; [exact V | constructor] |].
    rewrite mul_value. rewrite (map2_along S _ p _ pre (List.length t) post) by reflexivity. cbn [option_map]. do 2 f_equal.
    apply tabulate_ext. intros i I. unfold term_cell, place_on. f_equal.
    - unfold p, AxisSteps.picked. rewrite at_tabulate by exact I. f_equal. f_equal. f_equal.
      change 0%Z with (fst (0%Z, 0%N)) at 2. now rewrite map_nth.
    - unfold chan. cbn [cells]. rewrite map_map.
      destruct (in_box_middle _ _ _ _ I) as (a & z & b & -> & la & _ & Z0 & _). rewrite <- la, nth_middle_z.
      unfold tap_at. now rewrite (nth_map_lt _ _ _ (0%Z, 0%N)) by lia.
  Qed.

  Lemma weighted_runs vs pre n post l k (x : tensor) : knows vs k (GTensor x) -> good x -> dims x = pre ++ n :: post ->
    0 < n -> 0 < outputs l -> (Z.of_nat n < 2 ^ 63)%Z -> (forall t, In t l -> List.length t = outputs l) -> l <> [] ->
    runs vs (weighted type pre n post l k)
      (fun ws j => knows ws j (GTensor (tabulate (pre ++ outputs l :: post) (fun i => sum_from S
         (map (term_cell n (List.length pre) x i) (map (fun t => tap_at t (nth (List.length pre) i 0%Z)) l)))))).
  Proof.
    intros K G D n0 o0 big same ne. unfold weighted. set (ds := pre ++ outputs l :: post).
    set (g := fun t i => term_cell n (List.length pre) x i (tap_at t (nth (List.length pre) i 0%Z))).
    eapply runs_weaken; [apply (runs_summed S typed vs ds _ (map g l)) |].
    - now destruct l.
    - subst ds. revert same o0. generalize (outputs l). intros o same o0. clear ne. induction l as [| t l IH]; cbn [map];
      constructor.
      + rewrite <- (same t (or_introl eq_refl)). apply tap_term_makes; try assumption. rewrite (same t (or_introl eq_refl)).
        exact o0.
      + apply IH. intros u inu. apply same. now right.
    - intros ws j _ J. cbv beta in J. rewrite (tabulate_ext ds _ (fun i => sum_from S (map (term_cell n (List.length pre) x i)
        (map (fun t => tap_at t (nth (List.length pre) i 0%Z)) l)))) in J; [exact J |].
      intros i _. now rewrite !map_map.
  Qed.

  (** ** Outputs that are alike *)

  Lemma phase_term_makes vs pre n post before after k (x : tensor) pw :
    knows vs k (GTensor (picked pre (before + n + after) post (fun z => cut_place n (z - Z.of_nat before)) x)) ->
    0 < n -> (- Z.of_nat before <= fst pw <= Z.of_nat after)%Z ->
    makes S typed vs (pre ++ n :: post) (phase_term type pre n post before after k pw)
      (fun i => term_cell n (List.length pre) x i (fst pw + nth (List.length pre) i 0, snd pw)%Z).
  Proof.
    intros K n0 R ws X. unfold phase_term. set (u := picked pre (before + n + after) post _ x) in K. eapply runs_bind.
    { apply (sliced_runs S typed ws pre (before + n + after) post (Z.of_nat before + fst pw)%Z 1 n k u);
        [now apply (knows_extends S vs) | apply good_tabulate | reflexivity |].
      unfold slice_fits. rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, Nat.eqb_eq, !Z.ltb_lt, !Z.leb_le.
        cbn [negb Z.eqb].
      split; [split; [reflexivity | lia] | right; lia]. }
    intros us s _ K1. cbv beta in K1. eapply runs_bind; [apply runs_constant; reflexivity |]. intros ys c Y C.
    eapply runs_apply; [constructor; [apply (knows_extends S us); eassumption |]; constructor; [exact C | constructor] |].
    rewrite mul_value, map2_scalar_r by reflexivity. cbn [option_map]. do 2 f_equal. apply tabulate_ext. intros i I.
    unfold term_cell. cbn [fst snd]. f_equal. cbn [picked dims tabulate AxisSteps.picked] in I.
    destruct (in_box_middle _ _ _ _ I) as (a & z & b & -> & la & A & Z0 & B). rewrite picked_at by assumption. cbv beta.
    unfold u. rewrite picked_at by (try assumption; lia). unfold place_on. rewrite <- la, nth_middle_z, set_middle.
    now replace (Z.of_nat before + fst pw + z * 1 - Z.of_nat before)%Z with (fst pw + z)%Z by lia.
  Qed.

  Lemma phase_runs vs pre n post before after k (x : tensor) terms :
    knows vs k (GTensor (picked pre (before + n + after) post (fun z => cut_place n (z - Z.of_nat before)) x)) ->
    0 < n -> terms <> [] -> (forall pw, In pw terms -> - Z.of_nat before <= fst pw <= Z.of_nat after)%Z ->
    runs vs (phase type pre n post before after k terms)
      (fun ws j => knows ws j (GTensor (Tensor (pre ++ n :: 1 :: post) (cells (tabulate (pre ++ n :: post) (fun i =>
         sum_from S (map (fun pw =>
           term_cell n (List.length pre) x i (fst pw + nth (List.length pre) i 0, snd pw)%Z) terms))))))).
  Proof.
    intros K n0 ne R. unfold phase. eapply runs_bind.
    { apply (runs_summed S typed vs (pre ++ n :: post) _
        (map (fun pw i => term_cell n (List.length pre) x i (fst pw + nth (List.length pre) i 0, snd pw)%Z) terms)).
      - now destruct terms.
      - clear ne. induction terms as [| pw terms IH]; cbn [map]; constructor.
        + apply phase_term_makes; [exact K | exact n0 | apply R; now left].
        + apply IH. intros v inv. apply R. now right. }
    intros ws y _ Y. cbv beta in Y.
    rewrite (tabulate_ext _ _ (fun i => sum_from S (map (fun pw => term_cell n (List.length pre) x i
      (fst pw + nth (List.length pre) i 0, snd pw)%Z) terms))) in Y by (intros; now rewrite map_map).
    apply (reshaped_runs S typed ws _ _ y _ Y); [reflexivity | apply good_tabulate |].
    rewrite !cell_count_app. cbn [cell_count fold_right]. lia.
  Qed.

  Lemma furthest_le f k l t i : In t l -> i < k -> Z.to_nat (f (fst (tap_at t (Z.of_nat i)))) <= furthest f k l.
  Proof.
    intros T I. unfold furthest. assert (M : forall (m : list nat) a, In a m -> a <= fold_right Nat.max 0 m).
    { induction m as [| b m IH]; intros a ina; [easy |]. cbn [fold_right]. destruct ina as [-> | ina]; [lia |].
      specialize (IH a ina). lia. }
    apply M, in_flat_map. exists t. split; [exact T |]. apply in_map_iff. exists i. split; [reflexivity | apply in_seq; lia].
  Qed.

  Lemma terms_are n exclude l z pw : In pw (terms_at n exclude l z) -> exists t, In t l /\ pw = tap_at t z.
  Proof.
    unfold terms_at. intros H. assert (In pw (map (fun t => tap_at t z) l)) as H'
      by (destruct (period n exclude l); [apply filter_In in H; tauto | exact H]).
    apply in_map_iff in H'. destruct H' as (t & <- & T). now exists t.
  Qed.

  Definition later (q : Z) (pw : Z * N) : Z * N := (fst pw + q, snd pw)%Z.

  Lemma terms_again n exclude l k z : period n exclude l = Some k -> (forall t, In t l -> List.length t = outputs l) ->
    (0 <= z < Z.of_nat (outputs l))%Z ->
    terms_at n exclude l z = map (later (z / Z.of_nat k)) (terms_at n exclude l (z mod Z.of_nat k)).
  Proof.
    intros P same Z0. unfold terms_at. rewrite P. unfold period, guard in P. destruct (_ && _) eqn:E in P; [| discriminate].
    injection P as <-. apply andb_true_iff in E. destruct E as [_ E]. set (k := outputs l / n) in *. unfold again in E.
    assert (T : forall t, In t l -> tap_at t z = later (z / Z.of_nat k) (tap_at t (z mod Z.of_nat k))).
    { intros t inl. apply (proj1 (forallb_forall _ _)) with (x := t) in E; [| exact inl].
      apply (proj1 (forallb_forall _ _)) with (x := Z.to_nat z) in E; [| apply in_seq; rewrite (same t inl); lia].
      rewrite Z2Nat.id in E by lia. destruct (tap_at t z) as [p w], (tap_at t (z mod Z.of_nat k)) as [q v].
      apply andb_true_iff in E. destruct E as [E F]. apply Z.eqb_eq in E. apply N.eqb_eq in F. unfold later. cbn. now subst. }
    clearbody k. clear E same Z0. induction l as [| t l' IH] in T |- *; [reflexivity |]. cbn [map filter].
      rewrite (T t (or_introl eq_refl)).
    cbn [later snd]. destruct (negb _); cbn [map]; now rewrite IH by (intros u inu; apply T; now right).
  Qed.

  Lemma term_later n axis (x : tensor) a z b q pw : List.length a = axis ->
    term_cell n axis x (a ++ q :: b) (fst pw + q, snd pw)%Z = term_cell n axis x (a ++ z :: b) (later q pw).
  Proof. intros <-. unfold term_cell, place_on, later. cbn [fst snd]. now rewrite !set_middle. Qed.

  Lemma phases_runs vs pre n post l exclude times k (x : tensor) : knows vs k (GTensor x) -> good x ->
    dims x = pre ++ n :: post -> 0 < n -> (forall t, In t l -> List.length t = outputs l) ->
    period n exclude l = Some times -> (forall i, i < times -> terms_at n exclude l (Z.of_nat i) <> []) ->
    runs vs (phases type pre n post times l (terms_at n exclude l) k)
      (fun ws j => knows ws j (GTensor (tabulate (pre ++ outputs l :: post) (fun i => sum_from S
         (map (term_cell n (List.length pre) x i) (terms_at n exclude l (nth (List.length pre) i 0%Z))))))).
  Proof.
    intros K G D n0 same P some. unfold phases. set (axis := List.length pre).
    set (before := furthest Z.opp times l). set (after := furthest (fun d => d) times l).
    assert (Eo : outputs l = n * times /\ 2 <= times).
    { pose proof P as P'. unfold period, guard in P'. destruct (_ && _) eqn:E in P'; [| discriminate]. injection P' as <-.
      rewrite !andb_true_iff, Nat.eqb_eq, !Nat.leb_le in E. destruct E as ((((_ & M) & T) & _) & _).
      split; [rewrite (Nat.div_mod (outputs l) n) at 1 by lia; lia | exact T]. }
    destruct Eo as [Eo T2].
    eapply runs_bind; [apply (edged_runs S typed vs pre n post before after k x K G D n0) |]. intros ws u _ U. cbv beta in U.
    set (cell := fun i j => sum_from S (map (fun pw => term_cell n axis x j (fst pw + nth axis j 0, snd pw)%Z)
                                       (terms_at n exclude l (Z.of_nat i)))).
    set (part := fun i => Tensor (pre ++ n :: 1 :: post) (cells (tabulate (pre ++ n :: post) (cell i)))).
    eapply runs_bind.
    { apply (runs_collect S typed ws _ (map part (seq 0 times))). apply Forall2_map_in. intros i ini. apply in_seq in ini.
      intros ys Y. apply phase_runs; [now apply (knows_extends S ws) | exact n0 | apply some; lia |].
      intros pw inpw. destruct (terms_are _ _ _ _ _ inpw) as (t & inl & ->).
      pose proof (furthest_le Z.opp times l t i inl ltac:(lia)). pose proof (furthest_le (fun d =>
        d) times l t i inl ltac:(lia)).
      fold before in H. fold after in H0. lia. }
    intros us ks _ Ks. cbv beta in Ks. assert (Es : map part (seq 0 times) = part 0 :: map part (seq 1 (times - 1)))
      by (destruct times; [lia |]; cbn [seq map Nat.sub]; now rewrite Nat.sub_0_r).
    eapply runs_bind.
    { eapply runs_apply; [| apply (concat_units_value S pre n post (part 0) (map part (seq 1 (times - 1))))].
      - rewrite <- Es. clear -Ks. induction Ks; constructor; auto.
      - intros y iny. rewrite <- Es in iny. apply in_map_iff in iny. now destruct iny as (i & <- & _). }
    intros ys c _ C. replace (List.length (part 0 :: _)) with times in C
      by (rewrite <- Es, map_length, seq_length; reflexivity).
    eapply runs_weaken; [apply (reshaped_runs S typed ys _ _ c _ C); [reflexivity | apply good_tabulate |] |].
    { rewrite !cell_count_app. cbn [cell_count fold_right]. lia. }
    intros zs j _ J. cbv beta in J. rewrite Eo. match type of J with knows _ _ (GTensor ?v) => set (v0 := v) in J end.
    replace (tabulate _ _) with v0; [exact J |].
    assert (Gv : good v0).
    { apply good_recast; [apply good_tabulate |]. cbn [dims tabulate]. rewrite !cell_count_app. cbn [cell_count fold_right].
      lia. }
    rewrite <- (tabulate_get (s_zero S) v0 Gv). apply tabulate_ext. intros i I. cbn [dims v0] in I.
    destruct (in_box_middle _ _ _ _ I) as (a & z & b & -> & la & A & Z0 & B). fold axis in la.
    destruct (digits times z ltac:(lia)) as [Ez R]. pose proof (quotient_in n times z Z0) as Q.
    set (q := (z / Z.of_nat times)%Z) in *. set (r := (z mod Z.of_nat times)%Z) in *.
    assert (I3 : in_box (pre ++ n :: times :: post) (a ++ q :: r :: b) = true)
      by (apply middle_in_box; [exact A | exact Q |]; apply in_box_cons; now split).
    change (at_ v0 (a ++ z :: b) = sum_from S (map (term_cell n axis x (a ++ z :: b))
      (terms_at n exclude l (nth axis (a ++ z :: b) 0%Z)))).
    unfold v0. rewrite (at_recast S _ _ _ (a ++ q :: r :: b)).
    2: now apply middle_in_box.
    2: exact I3.
    2: { cbn [dims tabulate]. rewrite <- position_cut by assumption. do 2 f_equal. f_equal. exact Ez. }
    rewrite at_tabulate by exact I3.
    assert (axis + 1 = List.length (a ++ [q])) as Ea by (rewrite app_length; simpl; lia).
    assert (Er : nth (axis + 1) (a ++ q :: r :: b) 0%Z = Z.of_nat (Z.to_nat r)).
    { rewrite Ea. change (q :: r :: b) with ([q] ++ r :: b). rewrite app_assoc, nth_middle_z. lia. }
    rewrite (concat_units S (axis + 1) _ _ (Z.to_nat r) _ Er).
    2: { rewrite <- Es, map_length, seq_length. lia. }
    2: { intros y iny. rewrite <- Es in iny. apply in_map_iff in iny. destruct iny as (i & <- & _). cbn [dims part].
         unfold axis. rewrite app_nth2 by lia. now replace (List.length pre + 1 - List.length pre) with 1 by lia. }
    2: { rewrite app_length. cbn [List.length]. lia. }
    rewrite <- Es, (nth_map_lt part (seq 0 times) (Z.to_nat r) 0) by (rewrite seq_length; lia). rewrite seq_nth by lia.
      cbn [Nat.add].
    assert (set_nth (axis + 1) 0%Z (a ++ q :: r :: b) = a ++ q :: 0%Z :: b) as ->.
    { rewrite Ea. change (q :: r :: b) with ([q] ++ r :: b). rewrite app_assoc, set_nth_app, <- app_assoc. reflexivity. }
    unfold part. rewrite (at_recast S _ _ _ (a ++ q :: b)).
    2: { apply middle_in_box; [exact A | exact Q |]. apply in_box_cons. split; [lia | exact B]. }
    2: now apply middle_in_box.
    2: { cbn [dims tabulate]. rewrite <- (position_cut pre n 1 post) by (try assumption; lia). rewrite Nat.mul_1_r.
         do 2 f_equal. f_equal. lia. }
    rewrite at_tabulate by now apply middle_in_box. unfold cell. rewrite <- la, !nth_middle_z, la.
    rewrite (terms_again n exclude l times z P same) by (rewrite Eo; exact Z0). fold q r.
    rewrite Z2Nat.id by lia. rewrite map_map. f_equal. apply map_ext. intros pw. now apply term_later.
  Qed.

  (** ** One axis, and all *)

  Lemma taps_read_runs vs pre n post exclude l f k (x : tensor) :
    taps_read type pre n post exclude l = Some f -> knows vs k (GTensor x) ->
    good x -> dims x = pre ++ n :: post ->
    runs vs (f k) (fun ws j => knows ws j (GTensor (taps_axis S typed type pre n post exclude l x))).
  Proof.
    intros E K G D. unfold taps_read, taps_axis in *. unfold guard in E. destruct (_ && _) eqn:B in E; [| discriminate].
    rewrite !andb_true_iff, !Nat.ltb_lt, Z.ltb_lt in B. destruct B as (((n0 & o0) & big) & same).
    assert (same' : forall t, In t l -> List.length t = outputs l)
      by (intros t inl; apply Nat.eqb_eq; exact (proj1 (forallb_forall _ _) same t inl)).
    destruct (choice l) as [places |] eqn:C.
    - injection E as <-. assert (List.length places = outputs l) as Lp.
      { unfold choice, guard in C. destruct l as [| t [| ? ?]]; try discriminate. destruct (forallb _ t); [| discriminate].
        injection C as <-. apply map_length. }
      eapply runs_weaken; [apply (chosen_runs S typed index_typed vs pre n post places k x K G D n0); [lia | exact big] |].
      intros ws j _ J. cbv beta in J. rewrite Lp in J. exact J.
    - destruct (is_float type); [| discriminate]. destruct (period n exclude l) as [times |] eqn:P.
      + destruct (forallb _ _) eqn:F in E; [| discriminate]. injection E as <-.
        apply phases_runs; try assumption. intros i lt none.
        apply (proj1 (forallb_forall _ _)) with (x := i) in F; [| apply in_seq; lia]. now rewrite none in F.
      + destruct (negb _) eqn:ne in E; [| discriminate]. injection E as <-.
        eapply runs_weaken; [apply (weighted_runs vs pre n post l k x K G D n0 o0 big same'); now destruct l |].
        intros ws j _ J. cbv beta in J. unfold terms_at. now rewrite P.
  Qed.

  (** A choice along the axis, by a constant. *)
  Lemma cropped_runs vs pre n post outside beyond k (y : tensor) : knows vs k (GTensor y) -> dims y = pre ++ n :: post ->
    List.length outside = n ->
    runs vs (cropped type post outside beyond k) (fun ws j => knows ws j (GTensor (tabulate (pre ++ n :: post) (fun i =>
      where_cell S (typed bool_code (outside_at outside (nth (List.length pre) i 0%Z))) (typed type (LReal beyond)) (at_ y i))))).
  Proof.
    intros K D L. unfold cropped. rewrite L. eapply runs_bind.
    { apply runs_constant. rewrite map_length. cbn [cell_count fold_right]. fold (cell_count (repeat 1 (List.length post))).
      rewrite cell_count_ones. lia. }
    intros ws m X M. cbv beta in M. set (mask := Tensor (n :: repeat 1 (List.length post)) _) in M.
    eapply runs_bind; [apply runs_constant; reflexivity |]. intros us c Y C. cbv beta in C.
    eapply runs_apply.
    { constructor; [exact (knows_extends S ws us _ _ M Y) |]. constructor; [exact C |]. constructor; [| constructor].
      exact (knows_extends S _ _ _ _ K (extends_trans S _ _ _ X Y)). }
    change (one (where_of S mask (scalar S (typed type (LReal beyond))) y) = Some (GTensor (tabulate (pre ++ n :: post) (fun i =>
      where_cell S (typed bool_code (outside_at outside (nth (List.length pre) i 0%Z))) (typed type (LReal beyond)) (at_ y i))))).
    unfold where_of. cbn [broadcast_all]. change (dims mask) with (n :: repeat 1 (List.length post)).
    change (dims (scalar S _)) with (@nil nat). rewrite broadcast_nil, D, broadcast_comm, broadcast_along. cbn [table one].
    do 2 f_equal. apply tabulate_ext. intros i I. rewrite spread_scalar. rewrite <- D at 2. rewrite <- D in I at 1.
    rewrite spread_same_at by exact I. f_equal. rewrite D in I. unfold spread_at.
    change (dims mask) with (n :: repeat 1 (List.length post)). destruct (spread_along pre n post i I) as [-> Z0].
    rewrite (at_chan_front S mask n) by (try reflexivity; exact Z0). unfold chan, outside_at. cbn [cells mask].
    rewrite map_map. now rewrite (nth_map_lt _ _ _ false) by lia.
  Qed.

  Lemma resize_axis_runs vs pre n post p f k (x : tensor) : resize_axis type pre n post p = Some f -> knows vs k (GTensor x) ->
    good x -> dims x = pre ++ n :: post ->
    runs vs (f k) (fun ws j => knows ws j (GTensor (resized_axis S typed type pre n post p x))).
  Proof.
    intros E K G D. destruct p as [| exclude l | l outside beyond]; cbn [resize_axis resized_axis] in *.
    - injection E as <-. now apply runs_return.
    - now apply taps_read_runs.
    - destruct (taps_read type pre n post true l) as [g |] eqn:R; [| discriminate]. unfold guard in E.
      destruct (_ && _) eqn:B in E; [| discriminate]. injection E as <-.
      rewrite !andb_true_iff, Nat.eqb_eq in B. destruct B as ((_ & L) & _).
      eapply runs_bind; [exact (taps_read_runs vs pre n post true l g k x R K G D) |]. intros ws y _ Y. cbv beta in Y.
      apply (cropped_runs ws pre (outputs l) post outside beyond y _ Y); [reflexivity | exact L].
  Qed.

  Lemma resized_axis_dims pre n post p (x : tensor) : good x -> dims x = pre ++ n :: post ->
    good (resized_axis S typed type pre n post p x) /\
    dims (resized_axis S typed type pre n post p x) = (pre ++ [planned n p]) ++ post.
  Proof.
    intros G D. rewrite <- app_assoc. destruct p; cbn [resized_axis planned]; [now split | |];
      (split; [apply good_tabulate | reflexivity]).
  Qed.

  Lemma resize_axes_runs ds : forall vs pre ps f k (x : tensor), resize_axes type pre ds ps = Some f -> knows vs k (GTensor x) ->
    good x -> dims x = pre ++ ds ->
    runs vs (f k) (fun ws j => knows ws j (GTensor (resized S typed type pre ds ps x))).
  Proof.
    induction ds as [| n ds IH]; intros vs pre [| p ps] f k x E K G D; cbn [resize_axes resized] in *; try discriminate.
    - injection E as <-. now apply runs_return.
    - destruct (resize_axis type pre n ds p) as [h |] eqn:A; [| discriminate].
      destruct (resize_axes type (pre ++ [planned n p]) ds ps) as [g |] eqn:R; [| discriminate]. injection E as <-.
      eapply runs_bind; [now apply (resize_axis_runs vs pre n ds p h k x A K G) |]. intros ws j _ J.
      destruct (resized_axis_dims pre n ds p x G D) as [G' D']. now apply (IH ws (pre ++ [planned n p]) ps g j).
  Qed.

  Theorem resize_correct ps b (x : tensor) : good x -> resize_composition type (dims x) ps = Some b ->
    composed S typed b [x] = Some (onnx_resize S typed type ps x).
  Proof.
    intros G E. unfold resize_composition, guard in E. destruct (resize_axes type [] (dims x) ps) as [f |] eqn:A;
      [| discriminate].
    destruct (_ <? _); [| discriminate]. injection E as <-. apply (finished_runs S [x]).
    now apply (resize_axes_runs (dims x) _ [] ps f 0 x A (knows_inputs S [x] 0 x eq_refl)).
  Qed.
End Correct.

(** Bit for bit, with the scalars that values have. *)
Theorem resize_standard type ps b (x : tensor (num (mixed standard))) : good x ->
  resize_composition type (dims x) ps = Some b ->
  let typed := Steps.typed (mixed standard) in
  composed (mixed standard) typed b [x] = Some (onnx_resize (mixed standard) typed type ps x).
Proof. exact (resize_correct (mixed standard) (Steps.typed (mixed standard)) index_standard type ps b x). Qed.

(** ** In a ring: terms that are left out are 0, so that the sum is one over all taps *)

Section Ring.
  Variable S : arith.
  Variable laws : ring_laws S.
  Variable typed : Z -> literal -> num S.
  Variable type : Z.
  Hypothesis no_weight_zero : forall w, no_weight w = true -> typed type (LReal w) = s_zero S.
  Notation num := (num S).
  Notation tensor := (tensor num).

  Add Ring resize_numbers : (ring_is S laws).

  Lemma sum_from_total {A} (l : list A) (g : A -> num) : sum_from S (map g l) = total S l g.
  Proof.
    destruct l as [| a l]; [reflexivity |]. rewrite (total_cons S laws). cbn [map sum_from].
    rewrite (fold_left_map (s_add S) g l). apply (total_from S laws l g).
  Qed.

  Lemma total_filter {A} (keep : A -> bool) (l : list A) (g : A -> num) :
    (forall a, keep a = false -> g a = s_zero S) -> total S (filter keep l) g = total S l g.
  Proof.
    intros Z. induction l as [| a l IH]; [reflexivity |]. cbn [filter]. rewrite (total_cons S laws a).
    destruct (keep a) eqn:K; [now rewrite (total_cons S laws), IH |]. rewrite IH, (Z a K). ring.
  Qed.

  Theorem resized_taps pre n post exclude l (x : tensor) : choice l = None ->
    resized_axis S typed type pre n post (Taps exclude l) x =
    tabulate (pre ++ outputs l :: post) (fun i =>
      total S l (fun t => term_cell S typed type n (List.length pre) x i (tap_at t (nth (List.length pre) i 0%Z)))).
  Proof.
    intros C. cbn [resized_axis]. unfold taps_axis. rewrite C. apply tabulate_ext. intros i _. rewrite sum_from_total.
    unfold terms_at.
    rewrite <- (total_map S (fun t => tap_at t (nth (List.length pre) i 0%Z)) l
      (term_cell S typed type n (List.length pre) x i)).
    destruct (period n exclude l); [| reflexivity]. apply total_filter. intros pw K. apply negb_false_iff in K.
    rewrite (no_weight_zero _ K). ring.
  Qed.
End Ring.
