(** * Where a nearest Resize takes its cells from

    A scale is a fraction p/q; the place of the input that output place [i] comes from is a fraction, too, and is rounded.
    C computes it in binary64 (c/onnx/expand_resize.c), which is the same wherever no rounding of a quotient reaches a tie. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Ops tensor.Algebra.
From Calque Require Import tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.AxisSteps onnx.Chosen onnx.Resize.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** All axes at once *)

Fixpoint planned_sizes (ds : sizes) (ps : list plan) : sizes :=
  match ds, ps with n :: ds', p :: ps' => planned n p :: planned_sizes ds' ps' | _, _ => [] end.

Definition nearest_place (n : nat) (p : plan) (z : Z) : Z :=
  match p with
  | Keep => z
  | Taps _ l => match choice l with Some places => cut_place n (nth (Z.to_nat z) places 0%Z) | None => z end
  | Crop _ _ _ => z
  end.

Fixpoint nearest_index (ds : sizes) (ps : list plan) (i : list Z) : list Z :=
  match ds, ps, i with
  | n :: ds', p :: ps', z :: i' => nearest_place n p z :: nearest_index ds' ps' i'
  | _, _, _ => []
  end.

Definition is_nearest (p : plan) : bool :=
  match p with
  | Keep => true
  | Taps _ l => match choice l with Some _ => true | None => false end
  | Crop _ _ _ => false
  end.

Section Nearest.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Variable type : Z.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Lemma nearest_in_box ds : forall ps i, forallb is_nearest ps = true -> Forall (fun n => 0 < n) ds ->
    List.length ps = List.length ds -> in_box (planned_sizes ds ps) i = true -> in_box ds (nearest_index ds ps i) = true.
  Proof.
    induction ds as [| n ds IH]; intros [| p ps] [| z i] N P len I; try discriminate; [reflexivity |].
    cbn [planned_sizes nearest_index forallb] in *. apply in_box_cons in I. destruct I as [Z0 I].
    apply andb_true_iff in N. destruct N as [Np N]. inversion P; subst. apply in_box_cons. split.
    - destruct p as [| e l |]; [exact Z0 | | discriminate]. cbn [nearest_place is_nearest] in *. destruct (choice l); [| discriminate].
      now apply cut_place_in.
    - apply IH; try assumption. now injection len.
  Qed.

  Lemma resized_axis_at pre n post p (x : tensor) a z b : is_nearest p = true -> dims x = pre ++ n :: post ->
    in_box pre a = true -> (0 <= z < Z.of_nat (planned n p))%Z -> in_box post b = true ->
    at_ (resized_axis S typed type pre n post p x) (a ++ z :: b) = at_ x (a ++ nearest_place n p z :: b).
  Proof.
    intros N D A Z0 B. destruct p as [| e l |]; [reflexivity | | discriminate].
    cbn [resized_axis nearest_place is_nearest planned] in *. unfold taps_axis.
    destruct (choice l) as [places |]; [| discriminate]. rewrite at_tabulate by now apply middle_in_box.
    unfold place_on. now rewrite <- (in_box_length _ _ A), nth_middle_z, set_middle.
  Qed.

  Lemma resized_nearest ds : forall pre ps (x : tensor), forallb is_nearest ps = true -> Forall (fun n => 0 < n) ds ->
    List.length ps = List.length ds -> good x -> dims x = pre ++ ds ->
    good (resized S typed type pre ds ps x) /\
    dims (resized S typed type pre ds ps x) = pre ++ planned_sizes ds ps /\
    forall a i, in_box pre a = true -> in_box (planned_sizes ds ps) i = true ->
      at_ (resized S typed type pre ds ps x) (a ++ i) = at_ x (a ++ nearest_index ds ps i).
  Proof.
    induction ds as [| n ds IH]; intros pre [| p ps] x N P len G D; try discriminate; cbn [resized planned_sizes].
    - repeat split; [exact G | exact D |]. intros a [| z i] _ I; [reflexivity | discriminate].
    - cbn [forallb] in N. apply andb_true_iff in N. destruct N as [Np N]. inversion P as [| ? ? n0 P']; subst.
      destruct (resized_axis_dims S typed type pre n ds p x G D) as [G' D'].
      destruct (IH (pre ++ [planned n p]) ps (resized_axis S typed type pre n ds p x) N P' ltac:(now injection len) G' D')
        as (G2 & D2 & E).
      split; [exact G2 |]. split; [now rewrite D2, <- app_assoc |]. intros a [| z i] A I; [discriminate |].
      apply in_box_cons in I. destruct I as [Z0 I].
      change (z :: i) with ([z] ++ i). rewrite app_assoc, E; [| | exact I].
      2: { rewrite in_box_app by now apply in_box_length. rewrite A. apply in_box_cons. split; [exact Z0 | reflexivity]. }
      rewrite <- app_assoc. cbn [app nearest_index].
      apply (resized_axis_at pre n ds p x a z _ Np D A Z0). apply nearest_in_box; try assumption. now injection len.
  Qed.

  (** Each cell is one of the input. *)
  Theorem resize_nearest ps (x : tensor) : forallb is_nearest ps = true -> Forall (fun n => 0 < n) (dims x) ->
    List.length ps = List.length (dims x) -> good x ->
    onnx_resize S typed type ps x =
    tabulate (planned_sizes (dims x) ps) (fun i => at_ x (nearest_index (dims x) ps i)).
  Proof.
    intros N P len G. destruct (resized_nearest (dims x) [] ps x N P len G eq_refl) as (G' & D & E).
    unfold onnx_resize. rewrite <- (tabulate_get (s_zero S) (resized S typed type [] (dims x) ps x) G'), D.
    apply tabulate_ext. intros i I. exact (E [] i eq_refl I).
  Qed.
End Nearest.

(** ** Coordinates *)

Inductive coordinates := HalfPixel | Symmetric | Pytorch | Corners | Asymmetric | TfHalfPixel.
Inductive rounding := PreferFloor | PreferCeil | Floor | Ceil.

(** The place that output place [i] of [out] comes from, on an axis of [n] scaled by p/q: a fraction. *)
Definition source (c : coordinates) (p q : Z) (n out : nat) (i : Z) : Z * Z :=
  let half := ((2 * i + 1) * q - p, 2 * p)%Z in
  let size := (p * Z.of_nat n)%Z in
  match c with
  | HalfPixel => half
  | Symmetric => (size - Z.of_nat out * q + (2 * i + 1) * q - p, 2 * p)%Z
  | Pytorch => if (q <? size)%Z then half else (0, 1)%Z
  | Corners => if (size =? q)%Z then (0, 1)%Z else (i * (Z.of_nat n - 1) * q, size - q)%Z
  | Asymmetric => (i * q, p)%Z
  | TfHalfPixel => ((2 * i + 1) * q, 2 * p)%Z
  end.

Definition round_place (r : rounding) (f : Z * Z) : Z :=
  let (a, d) := f in
  match r with
  | PreferFloor => ceil_div (2 * a - d) (2 * d)
  | PreferCeil => (2 * a + d) / (2 * d)
  | Floor => a / d
  | Ceil => ceil_div a d
  end%Z.

Definition nearest_places (c : coordinates) (r : rounding) (p q : Z) (n out : nat) : list Z :=
  map (fun i => round_place r (source c p q n out (Z.of_nat i))) (seq 0 out).

(** An axis of [n], scaled by p/q. *)
Definition scaled_size (p q : Z) (n : nat) : nat := Z.to_nat (p * Z.of_nat n / q).

Definition nearest_plan (c : coordinates) (r : rounding) (n : nat) (s : Z * Z) : plan :=
  let (p, q) := s in
  if (p =? q)%Z && match c with TfHalfPixel => false | _ => true end then Keep
  else Taps false [map (fun z => (z, one_bits)) (nearest_places c r p q n (scaled_size p q n))].

(** The plans of all axes. *)
Definition nearest_plans (c : coordinates) (r : rounding) (ds : sizes) (scales : list (Z * Z)) : list plan :=
  map (fun ns => nearest_plan c r (fst ns) (snd ns)) (combine ds scales).

Lemma nearest_plan_is c r n s : is_nearest (nearest_plan c r n s) = true.
Proof.
  destruct s as [p q]. unfold nearest_plan. destruct (_ && _); [reflexivity |]. cbn [is_nearest choice].
  rewrite forallb_map. cbn [snd]. now rewrite (proj2 (forallb_forall _ _)).
Qed.

Lemma nearest_plan_place c r n p q z : (p =? q)%Z && match c with TfHalfPixel => false | _ => true end = false ->
  (0 <= z < Z.of_nat (scaled_size p q n))%Z ->
  nearest_place n (nearest_plan c r n (p, q)) z = cut_place n (round_place r (source c p q n (scaled_size p q n) z)).
Proof.
  intros E Z0. unfold nearest_plan. rewrite E. cbn [nearest_place choice]. rewrite forallb_map. cbn [snd].
  rewrite (proj2 (forallb_forall _ _)) by reflexivity. cbn [guard]. f_equal. rewrite map_map. cbn [fst]. rewrite map_id.
  unfold nearest_places. rewrite (nth_map_lt _ _ _ 0) by (rewrite seq_length; lia). rewrite seq_nth by lia.
  cbn [Nat.add]. now rewrite Z2Nat.id by lia.
Qed.

(** ** Whole scales: every cell [k] times *)

(** What exporters write for a nearest upsampling. *)
Definition repeats (c : coordinates) (r : rounding) : bool :=
  match c, r with
  | Asymmetric, Floor | HalfPixel, PreferFloor | HalfPixel, PreferCeil | TfHalfPixel, Floor => true
  | _, _ => false
  end.

Theorem whole_scale c r k n out i : repeats c r = true -> (0 < k)%Z ->
  round_place r (source c k 1 n out i) = (i / k)%Z.
Proof.
  intros R pos. pose proof (Z.div_mod i k ltac:(lia)) as D. pose proof (Z.mod_pos_bound i k pos) as B.
  set (q := (i / k)%Z) in *. set (m := (i mod k)%Z) in *. destruct c, r; try discriminate; cbn [source round_place].
  - apply ceil_div_spec; nia.
  - apply floor_div_spec; nia.
  - apply floor_div_spec; nia.
  - apply floor_div_spec; nia.
Qed.

(** Parts of one in [k]: every [k]-th cell. *)
Theorem whole_step k n out i : (0 < k)%Z -> round_place Floor (source Asymmetric 1 k n out i) = (i * k)%Z.
Proof. intros pos. cbn [source round_place]. apply Z.div_1_r. Qed.

(** Each axis [n] repeated [k n] times: y[.., i, ..] = x[.., i / k, ..]. *)
Definition quotients (ks : list nat) (i : list Z) : list Z := map (fun kz => (snd kz / Z.of_nat (fst kz))%Z) (combine ks i).
Definition times (ks ds : list nat) : sizes := map (fun kn => fst kn * snd kn) (combine ks ds).
Definition whole_plans (c : coordinates) (r : rounding) (ks ds : list nat) : list plan :=
  map (fun kn => nearest_plan c r (snd kn) (Z.of_nat (fst kn), 1%Z)) (combine ks ds).

Section Whole.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Variable type : Z.
  Variables (c : coordinates) (r : rounding).
  Hypothesis R : repeats c r = true.
  Notation tensor := (tensor (num S)).

  Lemma whole_size k n : scaled_size (Z.of_nat k) 1 n = k * n.
  Proof. unfold scaled_size. rewrite Z.div_1_r. lia. Qed.

  Lemma whole_planned k n : planned n (nearest_plan c r n (Z.of_nat k, 1%Z)) = k * n.
  Proof.
    unfold nearest_plan. destruct (_ && _) eqn:E.
    - apply andb_true_iff in E. destruct E as [E _]. apply Z.eqb_eq in E. cbn [planned]. nia.
    - unfold planned, outputs, nearest_places. cbn [hd]. now rewrite !map_length, seq_length, whole_size.
  Qed.

  Lemma whole_place k n z : 0 < k -> (0 <= z < Z.of_nat (k * n))%Z ->
    nearest_place n (nearest_plan c r n (Z.of_nat k, 1%Z)) z = (z / Z.of_nat k)%Z.
  Proof.
    intros pos Z0. destruct ((Z.of_nat k =? 1)%Z && match c with TfHalfPixel => false | _ => true end) eqn:E.
    - unfold nearest_plan. rewrite E. apply andb_true_iff in E. destruct E as [E _]. apply Z.eqb_eq in E. rewrite E.
      cbn [nearest_place]. symmetry. apply Z.div_1_r.
    - rewrite nearest_plan_place by (try exact E; now rewrite whole_size). rewrite whole_scale by (try exact R; lia).
      unfold cut_place. assert (0 <= z / Z.of_nat k < Z.of_nat n)%Z; [| lia].
      split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; nia].
  Qed.

  Theorem upsampled ks (x : tensor) : List.length ks = List.length (dims x) -> Forall (fun k => 0 < k) ks ->
    Forall (fun n => 0 < n) (dims x) -> good x ->
    onnx_resize S typed type (whole_plans c r ks (dims x)) x =
    tabulate (times ks (dims x)) (fun i => at_ S x (quotients ks i)).
  Proof.
    intros len K P G. rewrite resize_nearest; try assumption.
    - assert (forall ds ks, List.length ks = List.length ds -> Forall (fun k => 0 < k) ks ->
                planned_sizes ds (whole_plans c r ks ds) = times ks ds /\
                forall i, in_box (times ks ds) i = true -> nearest_index ds (whole_plans c r ks ds) i = quotients ks i) as H.
      { clear - R. induction ds as [| n ds IH]; intros [| k ks] len K; try discriminate.
        - split; [reflexivity |]. now intros [| z i].
        - inversion K; subst. destruct (IH ks ltac:(now injection len) H2) as [D I].
          unfold whole_plans, times, quotients in *. cbn [combine map fst snd planned_sizes nearest_index].
          split; [now rewrite whole_planned, D |]. intros [| z i] J; [discriminate |].
          apply in_box_cons in J. destruct J as [Z0 J]. cbn [nearest_index combine map fst snd].
          now rewrite whole_place, I. }
      destruct (H (dims x) ks len K) as [-> I]. apply tabulate_ext. intros i J. now rewrite I.
    - unfold whole_plans. rewrite forallb_map. apply forallb_forall. intros kn _. apply nearest_plan_is.
    - unfold whole_plans. rewrite map_length, combine_length. lia.
  Qed.
End Whole.

(** ** Instances *)

Example resize_nearest_example :
  composed integers (fun _ => literal_value integers)
    (match resize_composition f32_code [1; 2; 2] (map (fun ns => nearest_plan Asymmetric Floor (fst ns) (snd ns))
             [(1, (1, 1)%Z); (2, (2, 1)%Z); (2, (3, 2)%Z)]) with Some b => b | None => Return 0 end)
    [Tensor [1; 2; 2] [1; 2; 3; 4]%Z] =
  Some (Tensor [1; 4; 3] [1; 1; 2; 1; 1; 2; 3; 3; 4; 3; 3; 4]%Z).
Proof. reflexivity. Qed.

(** Weights 2 and 3, the last one 0. *)
Example resize_weighted_example :
  composed integers (fun _ => literal_value integers)
    (match resize_composition f32_code [3]
             [Taps false [[(-1, 4611686018427387904%N); (0, 4611686018427387904%N); (1, 4611686018427387904%N)];
                          [(0, 4613937818241073152%N); (1, 4613937818241073152%N); (2, 0%N)]]]%Z
     with Some b => b | None => Return 0 end) [Tensor [3] [1; 10; 100]%Z] =
  Some (Tensor [3] [5; 32; 20]%Z).
Proof. reflexivity. Qed.

(** Outputs that are alike: two for each place, 2 * the place before + 3 * the place, and 3 * the place. *)
Example resize_phases_example :
  composed integers (fun _ => literal_value integers)
    (match resize_composition f32_code [3]
             [Taps false (let before i := (i, 4611686018427387904%N) in let same i := (i, 4613937818241073152%N) in
                          [[before (-1); (-1, 0%N); before 0; (0, 0%N); before 1; (1, 0%N)];
                           [same 0; same 0; same 1; same 1; same 2; same 2]])]%Z
     with Some b => b | None => Return 0 end) [Tensor [3] [1; 10; 100]%Z] =
  Some (Tensor [6] [5; 3; 32; 30; 320; 300]%Z).
Proof. reflexivity. Qed.

(** A crop from the second place on: what comes from behind the end is 9, whatever the place that is cut to it has. *)
Example resize_crop_example :
  composed integers (fun _ => literal_value integers)
    (match resize_composition f32_code [3; 1]
             [Crop [[(1, one_bits); (2, one_bits); (3, one_bits)]] [false; false; true] 4621256167635550208%N; Keep]%Z
     with Some b => b | None => Return 0 end) [Tensor [3; 1] [1; 10; 100]%Z] =
  Some (Tensor [3; 1] [10; 100; 9]%Z).
Proof. reflexivity. Qed.
