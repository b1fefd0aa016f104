(** * Integers less their zero points

    What DequantizeLinear and the products of integers do first with bytes (c/onnx/expand_quant.c, centered): they are cast to an
    element type that holds the differences, as is the zero point, and that is subtracted. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import onnx.Composition onnx.Steps onnx.Elements onnx.Bytes.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

Notation valid_zero signed zero := (match zero with Some t => good t /\ Forall (in_range signed) (cells t) | None => True end).

Definition less (t : tensor Z) (z : list Z -> Z) : tensor Z := tabulate (dims t) (fun i => get 0 t i - z i).
Definition centre (axis : option nat) (zero : option (tensor Z)) (t : tensor Z) : tensor Z := less t (zero_at axis zero).

Lemma knows_later vs ws k v : knows vs k v -> extends S vs ws -> knows ws k v.
Proof. apply knows_extends. Qed.

(** A zero point is [z] at each place of [ds], where it has the sizes [q]. *)
Definition zero_shows (ds q : sizes) (zero : option (tensor Z)) (z : list Z -> Z) : Prop :=
  match zero with
  | Some t => cell_count q = cell_count (dims t) /\ shows ds (Tensor q (cells t)) z
  | None => forall i, in_box ds i = true -> z i = 0
  end.

Lemma zero_dims_shows signed axis ds zero known q : valid_zero signed zero ->
  zero_dims axis ds (zero_input known zero) = Some q -> zero_shows ds q zero (zero_at axis zero).
Proof.
  destruct zero as [t |]; [| now intros _ _ i _]. intros [G _] E. exact (parameter_shows 0 axis ds t q G E).
Qed.

Lemma zero_shows_range signed ds q zero z i : valid_zero signed zero -> zero_shows ds q zero z -> in_box ds i = true ->
  in_range signed (z i).
Proof.
  destruct zero as [t |]; cbn [zero_shows].
  - intros [_ R] [_ H] I. exact (shows_all _ _ _ _ i H R I).
  - intros _ H I. rewrite (H i I). unfold in_range, highest, lowest. destruct signed; lia.
Qed.

(** x - zero point, of the element type with this code, which holds it. *)
Definition less_zero (code : Z) (x k : nat) (zero : zero_point) (p : sizes) : build nat :=
  y <- cast code x ;;
  match zero with
  | None => Return y
  | Some (d, None) => z <- reshaped k d p ;; z <- cast code z ;; apply "Sub" [] [y; z]
  | Some (_, Some l) => if zeros l then Return y else (z <- constant code p (map LInt l) ;; apply "Sub" [] [y; z])
  end.

Section Less.
  Context {A : Type} (c : A -> cell) (code : Z) (number : Z -> A).
  Hypothesis is_code : 1 <= code <= 64.
  Hypothesis from_byte : forall signed z, in_range signed z ->
    s_cast S code (scalar_of (byte signed z)) = scalar_of (c (number z)).
  Hypothesis from_literal : forall signed z, in_range signed z -> typed code (LInt z) = scalar_of (c (number z)).
  Hypothesis minus : forall signed y z, in_range signed y -> in_range signed z ->
    s_sub S (scalar_of (c (number y))) (scalar_of (c (number z))) = scalar_of (c (number (y - z))).

  Theorem less_zero_runs signed (g : list Z -> Z) vs x k j zero known p : valid_zero signed zero -> good x ->
    Forall (in_range signed) (cells x) -> zero_shows (dims x) p zero g ->
    knows vs k (GTensor (of_cells (byte signed) x)) ->
    (forall t, zero = Some t -> knows vs j (GTensor (of_cells (byte signed) t))) ->
    runs vs (less_zero code k j (zero_input known zero) p)
      (fun ws m => knows ws m (GTensor (of_cells c (each number (less x g))))).
  Proof.
    intros Vz G R P K Kz. unfold less_zero.
    eapply runs_bind; [apply (cast_runs (byte signed) c number vs code k x is_code K G); intros a I; apply from_byte;
      exact (proj1 (Forall_forall _ _) R a I) |].
    intros ws y X Y. cbv beta in Y.
    assert (Sx : forall i, in_box (dims x) i = true -> in_range signed (get 0 x i)) by (intros i I;
      exact (shows_all _ _ _ _ i (shows_self 0 x G) R I)).
    assert (Same : (forall i, in_box (dims x) i = true -> g i = 0) -> less x g = x).
    { intros H. rewrite <- (tabulate_get 0 x G) at 2. apply tabulate_ext. intros i I. rewrite (H i I). apply Z.sub_0_r. }
    destruct zero as [t |]; cbn [zero_input option_map].
    2: { apply runs_return. rewrite Same by exact P. exact Y. }
    destruct Vz as [Gt Rt]. specialize (Kz t eq_refl). destruct P as [C H].
    assert (Last : forall us z, extends S ws us -> knows us z (GTensor (of_cells c (each number (Tensor p (cells t))))) ->
      runs us (apply "Sub" [] [y; z]) (fun ws m => knows ws m (GTensor (of_cells c (each number (less x g)))))).
    { intros us z Xz Z_. unfold less. rewrite each_tabulate.
      apply (binary_runs c c c (s_sub S) (dims x) us "Sub" [] y z _ _ _ _
        (fun i => number (get 0 x i - g i)) eq_refl (knows_later _ _ _ _ Y Xz) Z_
        (shows_each number _ _ _ (shows_self 0 x G)) (shows_each number _ _ _ H)); [now left |].
      intros i I. apply (minus signed); [now apply Sx |]. exact (shows_all _ _ _ _ i H Rt I). }
    destruct known.
    - destruct (zeros (cells t)) eqn:Zs.
      + apply runs_return. rewrite Same; [exact Y |]. intros i I. apply (shows_all _ _ _ (fun z => z = 0) i H); [| exact I].
        apply Forall_forall. intros z Iz. unfold zeros in Zs. rewrite forallb_forall in Zs. specialize (Zs z Iz).
        now apply Z.eqb_eq in Zs.
      + eapply runs_bind.
        { apply (constant_runs c number ws code p (cells t)); [now rewrite C |]. intros z I. apply (from_literal signed).
          exact (proj1 (Forall_forall _ _) Rt z I). }
        intros us z Xz Z_. now apply Last.
    - eapply runs_bind; [exact (reshaped_runs (byte signed) ws j t p Gt C (knows_later _ _ _ _ Kz X)) |].
      intros us z Xu Zu. cbv beta in Zu.
      eapply runs_bind; [apply (cast_runs (byte signed) c number us code z _ is_code Zu (proj1 H)); intros a I; apply from_byte;
        exact (proj1 (Forall_forall _ _) Rt a I) |].
      intros w z' Xw Zw. apply Last; [eapply extends_trans; eassumption | exact Zw].
  Qed.
End Less.

(** In float32. *)
Corollary less_zero_float signed axis vs x k j zero known p : valid_zero signed zero -> good x ->
  Forall (in_range signed) (cells x) -> zero_dims axis (dims x) (zero_input known zero) = Some p ->
  knows vs k (GTensor (of_cells (byte signed) x)) ->
  (forall t, zero = Some t -> knows vs j (GTensor (of_cells (byte signed) t))) ->
  runs vs (less_zero f32_code k j (zero_input known zero) p)
    (fun ws m => knows ws m (GTensor (of_cells F32 (each float (centre axis zero x))))).
Proof.
  intros V G R P K Kz. apply (less_zero_runs F32 f32_code float) with (signed := signed); try assumption.
  - easy.
  - intros s z _. apply cast_byte.
  - intros s z B. rewrite typed_float, literal_is; [reflexivity | exact (range_small s z B)].
  - intros s y z A B. transitivity (scalar_of (F32 (SFsub 24 128 (float y) (float z)))); [reflexivity |].
    rewrite float_difference; [reflexivity | ..]; unfold in_range, highest, lowest in *; destruct s; lia.
  - exact (zero_dims_shows signed _ _ _ _ _ V P).
Qed.
