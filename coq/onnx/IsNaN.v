(** * IsNaN, IsInf

    A NaN is not equal to itself, and an infinity is beyond the greatest finite number (c/onnx/expand.c).  binary32 and binary64;
    IsNaN from opset 11 on, where floats are compared for equality; IsInf of at least one sign. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert tensor.Rounding.
From Calque Require Import onnx.Composition onnx.Steps onnx.Elements onnx.Reduced onnx.Limited.
From Calque Require onnx.Tables.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formulas *)

Definition is_nan (a : spec_float) : bool := match a with S754_nan => true | _ => false end.

Definition onnx_is_nan : tensor spec_float -> tensor bool := each is_nan.

(** Below 0, above 0: which infinities count. *)
Definition is_infinite (below above : bool) (a : spec_float) : bool :=
  match a with S754_infinity s => if s then below else above | _ => false end.

Definition onnx_is_inf (below above : bool) : tensor spec_float -> tensor bool := each (is_infinite below above).

(** ** The compositions *)

Definition is_nan_composition : build nat := e <- apply "Equal" [] [0; 0] ;; apply "Not" [] [e].

Definition is_inf_composition (double below above : bool) : option (build nat) :=
  let type := if double then f64_code else f32_code in
  let most := LReal (if double then most64 else most32) in
  let least := LReal (if double then least64_bits else least32_bits) in
  if above then
    Some (x <- (if below then apply "Abs" [] [0] else Return 0) ;; apply_with "Greater" type most x)
  else if below then Some (apply_with "Less" type least 0) else None.

(** ** Cells *)

Definition float_cell (double : bool) (a : spec_float) : cell := if double then F64 a else F32 a.

(** The number of a cell, read: for the test that runs the formulas. *)
Definition float_of (double : bool) (a : num S) : spec_float :=
  match (if double then as_f64 standard a else as_f32 standard a) with Some x => x | None => S754_nan end.

(** What a comparison says as a truth value; it has the type of what is compared, too. *)
Lemma less_cells double a b :
  as_truth standard (s_less S (scalar_of (float_cell double a)) (scalar_of (float_cell double b))) = Some (SFltb a b).
Proof.
  transitivity (Some (negb (SFeqb (if SFltb a b then S754_finite false 8388608 (-23) else S754_zero false) (S754_zero false))));
    [| now destruct (SFltb a b)].
  destruct double; cbn; destruct (SFltb a b); reflexivity.
Qed.

Lemma not_equal_cells double a b :
  as_truth standard (not_cell S (s_equal S (scalar_of (float_cell double a)) (scalar_of (float_cell double b)))) =
  Some (negb (SFeqb a b)).
Proof. destruct double; cbn; destruct (SFeqb a b); reflexivity. Qed.

Lemma equal_itself a : SFeqb a a = negb (is_nan a).
Proof.
  destruct a as [s | s | | s m e]; try reflexivity; [now destruct s |]. unfold SFeqb. cbn [SFcompare is_nan negb].
  rewrite Z.compare_refl. destruct s; now rewrite Pos.compare_cont_refl.
Qed.

(** Its cells as truth values. *)
Definition truths (y : tensor (num S)) : sizes * list (option bool) := (dims y, map (as_truth standard) (cells y)).

Lemma truths_each c (g : num S -> num S) (h : spec_float -> bool) (x : tensor spec_float) : good x ->
  (forall a, In a (cells x) -> as_truth standard (g (scalar_of (c a))) = Some (h a)) ->
  truths (tabulate (dims x) (fun i => g (at_ S (of_cells c x) i))) = (dims x, map Some (cells (each h x))).
Proof.
  intros G H. unfold truths. cbn [dims cells tabulate each]. f_equal. rewrite !map_map.
  transitivity (map (fun a => Some (h a)) (cells (tabulate (dims x) (get S754_nan x))));
    [| now rewrite (tabulate_get S754_nan x G)].
  cbn [cells tabulate]. rewrite map_map.
  apply map_ext_in. intros i I. apply in_box_box in I. rewrite (at_of c S754_nan x i G I). apply H. now apply get_in.
Qed.

Theorem is_nan_correct double (x : tensor spec_float) : good x ->
  exists y, composed S typed is_nan_composition [of_cells (float_cell double) x] = Some y /\
    truths y = (dims x, map Some (cells (onnx_is_nan x))).
Proof.
  intros G. set (c := float_cell double). set (t := of_cells c x).
  exists (tabulate (dims x) (fun i => not_cell S (s_equal S (at_ S t i) (at_ S t i)))). split.
  - apply runs_composed. assert (X : Tables.shows S (map (@GTensor _) [t]) 0 (dims x) (at_ S t)).
    { apply (Tables.shows_tensor S _ 0 t); [now apply good_of | reflexivity]. }
    eapply runs_bind; [apply (Tables.runs_binary S typed _ "Equal" (s_equal S) 0 0 _ _ _ eq_refl X X) |].
    intros ws e _ E. cbv beta in E. exact (Tables.runs_unary S typed ws "Not" (not_cell S) e _ _ eq_refl E).
  - unfold t. apply (truths_each c (fun a => not_cell S (s_equal S a a)) is_nan x G). intros a _.
    unfold c. now rewrite not_equal_cells, equal_itself, negb_involutive.
Qed.

(** ** Infinities *)

Open Scope Z_scope.

(** No finite number is beyond the greatest one. *)
Lemma beyond_most prec emax m0 x : 0 < prec -> Zpos m0 = 2 ^ prec - 1 -> valid_binary prec emax x = true ->
  SFltb (S754_finite false m0 (emax - prec)) x = is_infinite false true x /\
  SFltb x (S754_finite true m0 (emax - prec)) = is_infinite true false x.
Proof.
  intros P M V. destruct x as [s | s | | s m e]; try (destruct s; now split); [now split |].
  cbn [valid_binary] in V. unfold bounded, canonical_mantissa in V. apply andb_true_iff in V. destruct V as [C B].
  apply Zeq_bool_eq in C. apply Zle_bool_imp_le in B. unfold fexp in C. pose proof (digits_bounds m) as [_ U].
  assert (D : 2 ^ Zpos (digits2_pos m) <= 2 ^ prec) by (apply Z.pow_le_mono_r; lia).
  assert (Q : Pos.compare_cont Eq m0 m <> Lt /\ Pos.compare_cont Eq m m0 <> Gt).
  { change (Pos.compare m0 m <> Lt /\ Pos.compare m m0 <> Gt). rewrite Pos.compare_lt_iff, Pos.compare_gt_iff. lia. }
  unfold SFltb. destruct s; cbn [SFcompare is_infinite]; split; try reflexivity.
  - destruct (Z.compare_spec e (emax - prec)) as [-> | lt | gt]; [| reflexivity | lia].
    destruct Q as [_ Q]. destruct (Pos.compare_cont Eq m m0); [reflexivity | reflexivity | now elim Q].
  - destruct (Z.compare_spec (emax - prec) e) as [<- | lt | gt]; [| lia | reflexivity].
    destruct Q as [Q _]. destruct (Pos.compare_cont Eq m0 m); [reflexivity | now elim Q | reflexivity].
Qed.

Definition valid_float (double : bool) (a : spec_float) : Prop :=
  if double then valid_binary 53 1024 a = true else valid_binary 24 128 a = true.

Definition most_float (double : bool) (s : bool) : spec_float :=
  if double then S754_finite s 9007199254740991 971 else S754_finite s 16777215 104.

Lemma most_typed (double : bool) : typed (if double then f64_code else f32_code) (LReal (if double then most64 else most32)) =
    scalar_of (float_cell double (most_float double false)) /\
  typed (if double then f64_code else f32_code) (LReal (if double then least64_bits else least32_bits)) =
    scalar_of (float_cell double (most_float double true)).
Proof. destruct double; split; reflexivity. Qed.

Lemma abs_cells double a : s_abs S (scalar_of (float_cell double a)) = scalar_of (float_cell double (SFabs a)).
Proof. now destruct double. Qed.

Lemma beyond double a : valid_float double a ->
  SFltb (most_float double false) a = is_infinite false true a /\ SFltb a (most_float double true) = is_infinite true false a.
Proof.
  intros V. destruct double; [apply (beyond_most 53 1024 9007199254740991) | apply (beyond_most 24 128 16777215)];
    try reflexivity; exact V.
Qed.

Lemma valid_abs double a : valid_float double a -> valid_float double (SFabs a).
Proof. destruct double, a; exact (fun V => V). Qed.

Lemma infinite_abs a : is_infinite false true (SFabs a) = is_infinite true true a.
Proof. now destruct a as [s | [|] | | s m e]. Qed.
Open Scope nat_scope.

(** A comparison with a number. *)
Lemma runs_compared vs name (f : num S -> num S -> num S) type k ds c g :
  look_up String.eqb (operators S) name = Some (binary S f) -> Tables.shows S vs k ds g ->
  runs vs (apply_with name type c k) (fun ws j => Tables.shows S ws j ds (fun i => f (g i) (typed type c))).
Proof.
  intros N K. unfold apply_with. eapply runs_bind; [apply (runs_constant S typed vs type [] [c]); reflexivity |].
  intros ws j X J. cbv beta in J. eapply Tables.runs_shows.
  - eapply (Tables.runs_value S typed ws name [] [k; j] [tabulate ds g; scalar S (typed type c)]).
    + constructor; [exact (knows_extends _ _ _ _ _ K X) |]. constructor; [exact J | constructor].
    + exact (binary_with S name f [] (tabulate ds g) (typed type c) N).
  - intros us h. apply Tables.shows_ext. cbn [dims tabulate]. intros i I. cbv beta. now rewrite (Tables.at_table S ds g i I).
Qed.

Theorem is_inf_correct double below above (x : tensor spec_float) b : good x -> Forall (valid_float double) (cells x) ->
  is_inf_composition double below above = Some b ->
  exists y, composed S typed b [of_cells (float_cell double) x] = Some y /\
    truths y = (dims x, map Some (cells (onnx_is_inf below above x))).
Proof.
  intros G V B. set (c := float_cell double). set (t := of_cells c x). unfold is_inf_composition in B.
  set (type := if double then f64_code else f32_code) in *.
  assert (X : Tables.shows S (map (@GTensor _) [t]) 0 (dims x) (at_ S t)).
  { apply (Tables.shows_tensor S _ 0 t); [now apply good_of | reflexivity]. }
  destruct (most_typed double) as [Tm Tl]. fold type in Tm, Tl. rewrite Forall_forall in V.
  destruct above; [| destruct below; [| discriminate]]; apply some_eq in B; subst b.
  - set (g := fun a : num S => if below then s_abs S a else a).
    exists (tabulate (dims x) (fun i => s_less S (scalar_of (c (most_float double false))) (g (at_ S t i)))). split.
    + apply runs_composed. eapply (runs_bind S typed _ _ _ (fun ws k => Tables.shows S ws k (dims x) (fun i => g (at_ S t i)))).
      * destruct below; [apply (Tables.runs_unary S typed _ "Abs" (s_abs S) 0 _ _ eq_refl X) | now apply runs_return].
      * intros ws k _ K. cbv beta in K. unfold c. rewrite <- Tm.
        exact (runs_compared ws "Greater" (fun a b => s_less S b a) type k _ _ _ eq_refl K).
    + unfold t. apply (truths_each c (fun a => s_less S (scalar_of (c (most_float double false))) (g a)) (is_infinite below
        true) x G).
      intros a I. unfold g, c. destruct below.
      * rewrite abs_cells, less_cells, (proj1 (beyond double _ (valid_abs double a (V a I)))). now rewrite infinite_abs.
      * now rewrite less_cells, (proj1 (beyond double a (V a I))).
  - exists (tabulate (dims x) (fun i => s_less S (at_ S t i) (scalar_of (c (most_float double true))))). split.
    + apply runs_composed. unfold c. rewrite <- Tl. exact (runs_compared _ "Less" (s_less S) type 0 _ _ _ eq_refl X).
    + unfold t. apply (truths_each c (fun a => s_less S a (scalar_of (c (most_float double true)))) (is_infinite true false) x G).
      intros a I. unfold c. now rewrite less_cells, (proj2 (beyond double a (V a I))).
Qed.

(** ** Instances *)

Definition some_floats : tensor spec_float := Tensor [2; 2] [S754_nan; S754_infinity true; S754_finite false 8388608 (-23);
  S754_infinity false].

Example is_nan_example : option_map truths (composed S typed is_nan_composition [of_cells F32 some_floats]) =
  Some ([2; 2], map Some [true; false; false; false]).
Proof. reflexivity. Qed.

Example is_inf_example :
  option_map (fun b => option_map truths (composed S typed b [of_cells F64 some_floats])) (is_inf_composition true true false) =
  Some (Some ([2; 2], map Some [false; true; false; false])).
Proof. reflexivity. Qed.
