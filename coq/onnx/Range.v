(** * Range

    Y[i] = start + i * delta for i from 0 to n - 1, n = max (ceil ((limit - start) / delta), 0): opset 11 on, of constant
    inputs, whose result is a constant.  Integers of 32 and 64 bits are exact.  Floats are computed in binary64, and a sum is then
    rounded to the element type.  Starts and limits are less than 2^52 in magnitude, n is at most 2^21. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith Znumtheory.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers tensor.Tensor tensor.Scalars tensor.Attrs tensor.Ops tensor.Instances tensor.Mixed.
From Calque Require Import onnx.Composition onnx.Steps.
Import ListNotations.
Open Scope list_scope.
Open Scope Z_scope.

Notation numbers_of := (mixed standard).

Definition most_start : Z := 2 ^ 52.
Definition most_count : Z := 2 ^ 21.

(** ** Integers *)

Definition whole_count (start limit delta : Z) : Z := Z.max 0 (- ((start - limit) / delta)).

(** In the arithmetic of the element type, which wraps. *)
Definition onnx_whole_range (S : arith) (typed : Z -> literal -> num S) (code start limit delta : Z) :
    option (tensor (num S)) :=
  let number z := typed code (LInt z) in
  guard (negb (delta =? 0)) (table S (Some [Z.to_nat (whole_count start limit delta)])
    (fun _ i => s_add S (number start) (s_mul S (number (nth 0 i 0)) (number delta)))).

Definition whole_range_composition (code start limit delta : Z) : option (build nat) :=
  let n := whole_count start limit delta in
  guard (((code =? i32_code) || (code =? i64_code)) && negb (delta =? 0) && (Z.abs start <? most_start) &&
         (Z.abs limit <? most_start) && (n <=? most_count))
    (Some (constant code [Z.to_nat n] (map (fun i => LInt (start + Z.of_nat i * delta)) (seq 0 (Z.to_nat n))))).

(** ** Floats: numbers are binary64, by their bits *)

Definition ceiling (x : spec_float) : Z :=
  match x with
  | S754_finite s m e =>
      let z := if s then Zneg m else Zpos m in if 0 <=? e then z * 2 ^ e else - ((- z) / 2 ^ (- e))
  | _ => 0
  end.

Definition real (bits : N) : spec_float := s_real binary64 bits.

Definition real_count (start limit delta : N) : Z :=
  Z.max 0 (ceiling (s_div binary64 (s_sub binary64 (real limit) (real start)) (real delta))).

Definition real_cell (start delta : N) (i : Z) : spec_float :=
  s_add binary64 (real start) (s_mul binary64 (s_int binary64 i) (real delta)).

Definition usable (start limit delta : N) : bool :=
  let small x := SFltb (SFabs (real x)) (s_int binary64 most_start) in
  let zero := S754_zero false in
  (SFltb (real delta) zero || SFltb zero (real delta)) && small start && small limit &&
  (real_count start limit delta <=? most_count).

Definition onnx_real_range (code : Z) (start limit delta : N) : option (tensor (num numbers_of)) :=
  let S := numbers_of in
  let wide c := typed S f64_code c in
  guard (usable start limit delta) (table S (Some [Z.to_nat (real_count start limit delta)])
    (fun _ i => s_cast S code (s_add S (wide (LReal start)) (s_mul S (wide (LInt (nth 0 i 0))) (wide (LReal delta)))))).

(** The bits of a float; those of a number that a sum of binary64 gives are its own, which is tested. *)
Definition bits_of (x : spec_float) : N :=
  let signed (s : bool) z := Z.to_N (z + if s then 2 ^ 63 else 0) in
  match x with
  | S754_zero s => signed s 0
  | S754_infinity s => signed s (2047 * 2 ^ 52)
  | S754_nan => Z.to_N (2047 * 2 ^ 52 + 2 ^ 51)
  | S754_finite s m e => signed s (if Zpos m <? 2 ^ 52 then Zpos m else Zpos m - 2 ^ 52 + (e + 1075) * 2 ^ 52)
  end.

Definition same_float (x y : spec_float) : bool :=
  match x, y with
  | S754_zero s, S754_zero t | S754_infinity s, S754_infinity t => Bool.eqb s t
  | S754_nan, S754_nan => true
  | S754_finite s m e, S754_finite t n f => Bool.eqb s t && Pos.eqb m n && (e =? f)
  | _, _ => false
  end.

Definition real_literal (x : spec_float) : option literal :=
  let b := bits_of x in guard (same_float (decode b) x && same_float (s_real binary64 b) x) (Some (LReal b)).

Definition real_range_composition (code : Z) (start limit delta : N) : option (build nat) :=
  let n := Z.to_nat (real_count start limit delta) in
  guard (((code =? f32_code) || (code =? f64_code)) && usable start limit delta)
    (let? l := Lists.traverse (fun i => real_literal (real_cell start delta (Z.of_nat i))) (seq 0 n) in
     Some (constant code [n] l)).

(** ** A constant is a table of its cells *)

Lemma box_one n : box [n] = map (fun i => [Z.of_nat i]) (seq 0 n).
Proof.
  cbn [Kernel.box]. induction (seq 0 n) as [| k l IH]; [reflexivity |]. cbn [flat_map map app]. now rewrite <- IH.
Qed.

Lemma vector_table {A} n (f : Z -> A) :
  tabulate [n] (fun i => f (nth 0 i 0)) = Tensor [n] (map (fun i => f (Z.of_nat i)) (seq 0 n)).
Proof. unfold tabulate. now rewrite box_one, map_map. Qed.

Lemma constant_composed S typed code n l (f : Z -> num S) : List.length l = n ->
  map (typed code) l = map (fun i => f (Z.of_nat i)) (seq 0 n) ->
  composed S typed (constant code [n] l) [] = Some (tabulate [n] (fun i => f (nth 0 i 0))).
Proof.
  intros L E. apply runs_composed. eapply runs_weaken.
  - apply runs_constant. cbn [cell_count fold_right]. lia.
  - intros ws k _ K. cbv beta in K. now rewrite vector_table, <- E.
Qed.

(** ** Integers wrap *)

Lemma wrap_to_mod lowest count m z : 0 < count -> 0 < m -> (m | count) -> wrap_to lowest count z mod m = z mod m.
Proof.
  intros C M D. unfold wrap_to. rewrite Zplus_mod, <- Zmod_div_mod, <- Zplus_mod by assumption. f_equal. lia.
Qed.

Lemma wrap_to_eq lowest count y z : y mod count = z mod count -> wrap_to lowest count y = wrap_to lowest count z.
Proof. intros E. unfold wrap_to. now rewrite Zminus_mod, E, <- Zminus_mod. Qed.

Lemma wrap_to_twice lowest count z : 0 < count -> wrap_to lowest count (wrap_to lowest count z) = wrap_to lowest count z.
Proof. intros C. apply wrap_to_eq, wrap_to_mod; [exact C | exact C | apply Z.divide_refl]. Qed.

Lemma add_whole_wrapped lowest count y z : 0 < count -> let w := wrap_to lowest count in
  add_whole w (Some (w y)) (Some (w z)) = Some (w (y + z)).
Proof.
  intros C w. assert (Some (w (w y + w z)) = Some (w (y + z))) as <-.
  { f_equal. apply wrap_to_eq. unfold w.
    rewrite Zplus_mod, !wrap_to_mod by (assumption || apply Z.divide_refl). now rewrite <- Zplus_mod. }
  unfold add_whole. destruct (w y) eqn:Y; [| destruct (w z) eqn:Z0; try reflexivity ..].
  - f_equal. unfold w. now rewrite Z.add_0_l, wrap_to_twice.
  - rewrite <- Y, Z.add_0_r. f_equal. unfold w. now rewrite wrap_to_twice.
  - rewrite <- Y, Z.add_0_r. f_equal. unfold w. now rewrite wrap_to_twice.
Qed.

(** What is multiplied in 64 bits, and cut. *)
Lemma mul_wrapped lowest count y z : 0 < count -> (count | 2 ^ 64) -> let w := wrap_to lowest count in
  w (wrap (w y * w z)) = w (y * z).
Proof.
  intros C D w. apply wrap_to_eq. change wrap with (wrap_to least (2 ^ 64)). rewrite wrap_to_mod by (assumption || lia).
  unfold w. rewrite Zmult_mod, !wrap_to_mod by (assumption || apply Z.divide_refl). now rewrite <- Zmult_mod.
Qed.

Lemma whole_cell code start i delta : code = i32_code \/ code = i64_code -> let number z := typed numbers_of code (LInt z) in
  s_add numbers_of (number start) (s_mul numbers_of (number i) (number delta)) = number (start + i * delta).
Proof.
  intros [-> | ->]; cbv zeta.
  - change (Scalar standard None None None
      (Some (add_whole wrap32 (Some (wrap32 start)) (option_map wrap32 (Some (wrap (wrap32 i * wrap32 delta)))))) None None None =
      Scalar standard None None None (Some (Some (wrap32 (start + i * delta)))) None None None).
    do 2 f_equal. cbn [option_map]. unfold wrap32. rewrite mul_wrapped by (lia || now exists (2 ^ 32)).
    now apply add_whole_wrapped.
  - change (Scalar standard None None
      (Some (add_whole wrap (Some (wrap start)) (Some (wrap (wrap i * wrap delta))))) None None None None =
      Scalar standard None None (Some (Some (wrap (start + i * delta)))) None None None None).
    do 2 f_equal. change wrap with (wrap_to least (2 ^ 64)).
    rewrite <- (wrap_to_twice least (2 ^ 64) (_ * _)) by lia.
    change (wrap_to least (2 ^ 64) (wrap_to least (2 ^ 64) (wrap_to least (2 ^ 64) i * wrap_to least (2 ^ 64) delta)))
      with (wrap_to least (2 ^ 64) (wrap (wrap_to least (2 ^ 64) i * wrap_to least (2 ^ 64) delta))).
    rewrite mul_wrapped by (lia || apply Z.divide_refl). now apply add_whole_wrapped.
Qed.

Theorem whole_range_correct code start limit delta b : whole_range_composition code start limit delta = Some b ->
  exists y, composed numbers_of (typed _) b [] = Some y /\ onnx_whole_range numbers_of (typed _) code start limit delta = Some y.
Proof.
  unfold whole_range_composition, guard. destruct (_ && _) eqn:G; [| discriminate]. intros E. injection E as <-.
  rewrite !andb_true_iff, orb_true_iff, !Z.eqb_eq in G. destruct G as ((((C & D) & _) & _) & _).
  unfold onnx_whole_range, guard. rewrite D. eexists. split; [| reflexivity].
  apply (constant_composed _ _ _ _ _ (fun z => s_add numbers_of (typed numbers_of code (LInt start))
    (s_mul numbers_of (typed numbers_of code (LInt z)) (typed numbers_of code (LInt delta)))));
    [now rewrite map_length, seq_length |]. rewrite map_map. apply map_ext. intros i.
  symmetry. now apply whole_cell.
Qed.

(** ** Floats *)

Lemma same_float_eq x y : same_float x y = true -> x = y.
Proof.
  destruct x as [s | s | | s m e], y as [t | t | | t n f]; try discriminate; cbn [same_float]; intros E; try reflexivity.
  - now apply Bool.eqb_prop in E as ->.
  - now apply Bool.eqb_prop in E as ->.
  - rewrite !andb_true_iff in E. destruct E as [[S M] F]. apply Bool.eqb_prop in S as ->. apply Pos.eqb_eq in M as ->.
    now apply Z.eqb_eq in F as ->.
Qed.

Lemma real32 b : s_real binary32 b = rounded 24 128 (decode b).
Proof.
  unfold s_real. destruct (N.eqb_spec b 0) as [-> |]; [reflexivity |].
  destruct (N.eqb_spec b one_bits) as [-> |]; [vm_compute; reflexivity | reflexivity].
Qed.

Lemma real_mixed b : s_real numbers_of b = literally standard (fun S => s_real S b).
Proof. unfold s_real. destruct (b =? 0)%N; [reflexivity |]. now destruct (b =? one_bits)%N. Qed.

Lemma literal_cell code x l : code = f32_code \/ code = f64_code -> real_literal x = Some l ->
  typed numbers_of code l = s_cast numbers_of code (of_f64 standard x).
Proof.
  unfold real_literal, guard. destruct (_ && _) eqn:G; [| discriminate]. intros C E. injection E as <-.
  apply andb_true_iff in G. destruct G as [D R]. apply same_float_eq in D, R.
  unfold typed. cbn [literal_value]. rewrite real_mixed. destruct C as [-> | ->].
  - change (Scalar standard (Some (s_real binary32 (bits_of x))) None None None None None None =
      Scalar standard (Some (rounded 24 128 x)) None None None None None None). now rewrite real32, D.
  - change (Scalar standard None (Some (s_real binary64 (bits_of x))) None None None None None =
      Scalar standard None (Some x) None None None None None). now rewrite R.
Qed.

Lemma wide_real b : typed numbers_of f64_code (LReal b) = of_f64 standard (real b).
Proof. unfold typed. cbn [literal_value]. now rewrite real_mixed. Qed.

Lemma wide_int i : typed numbers_of f64_code (LInt i) = of_f64 standard (s_int binary64 i).
Proof. reflexivity. Qed.

Lemma wide_cell start delta i :
  s_add numbers_of (typed numbers_of f64_code (LReal start))
    (s_mul numbers_of (typed numbers_of f64_code (LInt i)) (typed numbers_of f64_code (LReal delta))) =
  of_f64 standard (real_cell start delta i).
Proof. rewrite !wide_real, wide_int. reflexivity. Qed.

Theorem real_range_correct code start limit delta b : real_range_composition code start limit delta = Some b ->
  exists y, composed numbers_of (typed _) b [] = Some y /\ onnx_real_range code start limit delta = Some y.
Proof.
  unfold real_range_composition, guard. destruct (_ && _) eqn:G; [| discriminate].
  destruct (Lists.traverse _ _) as [l |] eqn:T; [| discriminate]. intros E. injection E as <-.
  rewrite andb_true_iff, orb_true_iff, !Z.eqb_eq in G. destruct G as [C U].
  unfold onnx_real_range, guard. rewrite U. eexists. split; [| reflexivity].
  set (n := Z.to_nat (real_count start limit delta)) in *.
  assert (map (typed numbers_of code) l =
      map (fun i => s_cast numbers_of code (of_f64 standard (real_cell start delta (Z.of_nat i)))) (seq 0 n) /\
    List.length l = n) as [M L].
  { clearbody n. rewrite <- (seq_length n 0) at 2. revert l T. induction (seq 0 n) as [| k ks IH]; intros l T;
      cbn [Lists.traverse] in T.
    - now injection T as <-.
    - destruct (real_literal (real_cell start delta (Z.of_nat k))) as [c |] eqn:R; [| discriminate].
      destruct (Lists.traverse _ ks) as [m |]; [| discriminate]. injection T as <-. destruct (IH m eq_refl) as [M L].
      cbn [map List.length]. now rewrite M, L, (literal_cell code _ c C R). }
  rewrite (tabulate_ext _ _ (fun i => s_cast numbers_of code (of_f64 standard (real_cell start delta (nth 0 i 0)))))
    by (intros i _; now rewrite wide_cell).
  apply (constant_composed numbers_of (typed _) code n l
    (fun i => s_cast numbers_of code (of_f64 standard (real_cell start delta i)))); [exact L | exact M].
Qed.

(** ** Both *)

Inductive bounds := Whole (start limit delta : Z) | Real (start limit delta : N).

Definition onnx_range (code : Z) (r : bounds) : option (tensor (num numbers_of)) :=
  match r with
  | Whole start limit delta => onnx_whole_range numbers_of (typed _) code start limit delta
  | Real start limit delta => onnx_real_range code start limit delta
  end.

Definition range_composition (code : Z) (r : bounds) : option (build nat) :=
  match r with
  | Whole start limit delta => whole_range_composition code start limit delta
  | Real start limit delta => real_range_composition code start limit delta
  end.

Theorem range_correct code r b : range_composition code r = Some b ->
  exists y, composed numbers_of (typed _) b [] = Some y /\ onnx_range code r = Some y.
Proof. destruct r; [apply whole_range_correct | apply real_range_correct]. Qed.

Example whole_range_example : option_map (fun b => composed integers (typed _) b [])
    (whole_range_composition i32_code 10 4 (-4)) =
  Some (Some (Tensor [2%nat] [10; 6])).
Proof. vm_compute. reflexivity. Qed.

(** From 0.5 below 3 by 1.5: 0.5 and 2. *)
Example real_range_example : option_map (fun b => fst (steps 0 b))
    (real_range_composition f32_code 4602678819172646912 4613937818241073152 4609434218613702656) =
  Some [Constant f32_code [2%nat] [LReal 4602678819172646912; LReal 4611686018427387904]].
Proof. vm_compute. reflexivity. Qed.
