(** * What the operators compute with

    A structure of numbers with any meaning: no law of arithmetic is part of it, so that
    what holds for every structure holds bit for bit on binary32 and binary64.  Laws
    come in bundles, which rules that reassociate ask for. *)

From Coq Require Import Bool List NArith ZArith Ring_theory.
From Calque Require Import kernel.Numbers tensor.Tensor.
From Calque Require kernel.Kernel.
Import ListNotations.
Open Scope Z_scope.

Record arith := Arith {
  num : Type;
  s_integer : bool;                       (** elements are integers: [Div] cuts *)
  s_int : Z -> num;                       (** an integer, as the nearest element *)
  s_float : N -> num;                     (** a binary64, by its bits *)
  s_ratio : N -> Z -> num;                (** the same divided by an integer, in binary32 *)
  s_tiny : num;                           (** the least positive number *)
  s_least : num;                          (** less than every number: minus infinity *)
  s_add : num -> num -> num;
  s_sub : num -> num -> num;
  s_mul : num -> num -> num;
  s_div : num -> num -> num;              (** on integers: rounded down *)
  s_mod : num -> num -> num;
  s_max : num -> num -> num;
  s_min : num -> num -> num;
  s_less : num -> num -> num;             (** 1 or 0 *)
  s_equal : num -> num -> num;            (** 1 or 0 *)
  s_when : num -> num -> num;             (** the second where the first is not 0, else 0 *)
  s_orelse : num -> num -> num;           (** the first unless it is 0 (-0 is not), then the second *)
  s_pow : num -> num -> num;
  s_neg : num -> num;
  s_abs : num -> num;
  s_exp : num -> num;
  s_log : num -> num;
  s_sqrt : num -> num;
  s_tanh : num -> num;
  s_erf : num -> num;
  s_round : num -> num;                   (** to the nearest integer, the even one of two *)
  s_cast : Z -> num -> num;               (** to the element type with this ONNX code *)
  s_index : num -> option Z               (** the integer that an index is *)
}.

Definition s_zero (S : arith) : num S := s_int S 0.
Definition s_one (S : arith) : num S := s_int S 1.

(** Attributes that are real: what is 0, 1, -0, an infinity; what rounds to 1 and to 0 in
    binary32. *)
Definition one_bits : N := 4607182418800017408.
Definition minus_zero_bits : N := 9223372036854775808.
Definition is_infinity (b : N) : bool := (b =? 9218868437227405312)%N.
Definition is_minus_infinity (b : N) : bool := (b =? 18442240474082181120)%N.
Definition rounds_to_one (b : N) : bool := (4607182418531581952 <=? b)%N && (b <=? 4607182419068452864)%N.
Definition rounds_to_zero (b : N) : bool := (b mod 9223372036854775808 <=? 3931642474694443008)%N.

(** Real numbers of formulas: 1/2, 1/6, sqrt(1/2), sqrt(2/pi) and 0.044715. *)
Definition half_bits : N := 4602678819172646912.
Definition sixth_bits : N := 4595172819793696085.
Definition root_half_bits : N := 4604544271217802189.
Definition gelu_inner_bits : N := 4605361924766709329.
Definition gelu_cubic_bits : N := 4586604931670606327.

Definition s_real (S : arith) (bits : N) : num S :=
  if (bits =? 0)%N then s_zero S else if (bits =? one_bits)%N then s_one S else s_float S bits.

(** ** Kernels over the same numbers *)

Inductive literal := LInt (z : Z) | LReal (bits : N) | LRatio (bits : N) (z : Z) | LTiny | LLeast.

Definition literal_value (S : arith) (c : literal) : num S :=
  match c with
  | LInt z => s_int S z
  | LReal bits => s_real S bits
  | LRatio bits z => s_ratio S bits z
  | LTiny => s_tiny S
  | LLeast => s_least S
  end.

Definition operator_of (S : arith) (o : operator) : num S -> num S -> num S :=
  match o with OAdd => s_add S | OSub => s_sub S | OMul => s_mul S | ODiv => s_div S | OMod => s_mod S end.

Definition function_of (S : arith) (f : function) (l : list (num S)) : num S :=
  match f, l with
  | FMax, [a; b] => s_max S a b
  | FMin, [a; b] => s_min S a b
  | FPow, [a; b] => s_pow S a b
  | FLess, [a; b] => s_less S a b
  | FEqual, [a; b] => s_equal S a b
  | FWhen, [a; b] => s_when S a b
  | FOrelse, [a; b] => s_orelse S a b
  | FNeg, [a] => s_neg S a
  | FAbs, [a] => s_abs S a
  | FExp, [a] => s_exp S a
  | FLog, [a] => s_log S a
  | FSqrt, [a] => s_sqrt S a
  | FTanh, [a] => s_tanh S a
  | FErf, [a] => s_erf S a
  | FRound, [a] => s_round S a
  | FCast to, [a] => s_cast S to a
  | _, _ => s_zero S
  end.

(** The scalars of kernels whose literals are those of the operators. *)
Definition kernel_scalars (S : arith) : Kernel.scalars :=
  {| Kernel.carrier := num S; Kernel.lit := literal; Kernel.bop := operator; Kernel.fid := function;
     Kernel.lit_value := literal_value S; Kernel.bop_value := operator_of S; Kernel.fid_value := function_of S;
     Kernel.zero := s_zero S; Kernel.red := reduction;
     Kernel.red_start := fun r => match r with KSum => s_zero S | KMax => s_least S end;
     Kernel.red_step := fun r => match r with KSum => s_add S | KMax => s_max S end |}.

(** ** Sums *)

Definition single (ns : list nat) : bool := forallb (Nat.eqb 1) ns.

(** Over a box with one cell nothing is added: a sum would start from 0, which changes -0. *)
Definition s_sum (S : arith) (ns : list nat) (f : list Z -> num S) : num S :=
  if single ns then f (map (fun _ => 0) ns) else reduce (s_add S) (s_zero S) ns f.

Definition s_greatest (S : arith) (ns : list nat) (f : list Z -> num S) : num S :=
  if single ns then f (map (fun _ => 0) ns) else reduce (s_max S) (s_least S) ns f.

(** ** Laws *)

Record ring_laws (S : arith) : Prop := {
  ring_is : ring_theory (s_zero S) (s_one S) (s_add S) (s_mul S) (s_sub S) (s_neg S) eq;
  ring_minus_zero : s_real S minus_zero_bits = s_zero S;
  ring_int_add : forall a b, s_int S (a + b) = s_add S (s_int S a) (s_int S b)
}.

(** What binary32 and binary64 have: such rules keep every bit of floats. *)
Record float_laws (S : arith) : Prop := {
  float_add_comm : forall a b, s_add S a b = s_add S b a;
  float_mul_comm : forall a b, s_mul S a b = s_mul S b a;
  float_minus_zero : forall a, s_add S a (s_real S minus_zero_bits) = a
}.

Record field_laws (S : arith) : Prop := {
  field_ring : ring_laws S;
  field_one_zero : s_one S <> s_zero S;
  field_div : forall x y, s_div S x y = s_mul S x (s_div S (s_one S) y);
  field_inverse : forall y, y <> s_zero S -> s_mul S (s_div S (s_one S) y) y = s_one S
}.

(** With the law that 0 is neutral, the sum is the plain one. *)
Lemma single_box ns : single ns = true -> box ns = [map (fun _ => 0) ns].
Proof.
  induction ns as [| n ns IH]; [reflexivity |]. intros H. apply andb_true_iff in H. destruct H as [one H].
  apply Nat.eqb_eq in one. subst n. simpl. now rewrite IH.
Qed.

Lemma s_sum_reduce S ns f :
  (forall x, s_add S (s_zero S) x = x) -> s_sum S ns f = reduce (s_add S) (s_zero S) ns f.
Proof.
  intros neutral. unfold s_sum. destruct (single ns) eqn:E; [| reflexivity].
  unfold reduce. rewrite single_box by exact E. simpl. now rewrite neutral.
Qed.

Lemma s_sum_ext S ns f g :
  (forall k, in_box ns k = true -> f k = g k) -> s_sum S ns f = s_sum S ns g.
Proof.
  intros E. unfold s_sum. destruct (single ns) eqn:O; [| now apply reduce_ext].
  apply E. apply in_box_box. rewrite single_box by exact O. now left.
Qed.

Lemma s_greatest_ext S ns f g :
  (forall k, in_box ns k = true -> f k = g k) -> s_greatest S ns f = s_greatest S ns g.
Proof.
  intros E. unfold s_greatest. destruct (single ns) eqn:O; [| now apply reduce_ext].
  apply E. apply in_box_box. rewrite single_box by exact O. now left.
Qed.
