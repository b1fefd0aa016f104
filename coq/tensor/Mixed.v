(** * Numbers of several element types in one graph

    One structure of scalars for graphs that mix element types.  A number is what it reads
    as in each type: a cell of a tensor has one reading, that of its element type; a literal
    (a padding, a start of a sum, an attribute) has all, so that it adds to any.  Operators
    compute on the readings that their operands share; operands of different types have no
    common reading, and the result has none.  Types meet in four places only: an index is
    an integer, a condition a truth value, a comparison has one, and [Cast] converts.

    All theorems about operators and rules hold over any scalars, hence over these; [mixed_laws]
    gives the laws that exact rules ask for. *)

From Coq Require Import Bool List Lia NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers tensor.Scalars tensor.Ops tensor.Instances.
Import ListNotations.
Open Scope Z_scope.

(** ** Element types *)

(** What conversions go through. *)
Inductive number := NInt (z : Z) | NReal (x : spec_float).

Definition holds (n : number) : bool :=
  match n with NInt z => negb (z =? 0) | NReal x => negb (SFeqb x (S754_zero false)) end.

Record element := Element {
  numbers :> arith;                       (** not [s_integer]: [s_div] and [s_abs] are the operators' own *)
  code : Z;                               (** in ONNX *)
  number_of : num numbers -> number;
  of_number : number -> num numbers
}.

(** Floats round to nearest even; [S] may have functions that the model here leaves open. *)
Definition float_number_in (prec emax : Z) (n : number) : spec_float :=
  match n with NInt z => binary_normalize prec emax z 0 false | NReal x => rounded prec emax x end.

Definition float32 : element := Element binary32 1 NReal (float_number_in 24 128).
Definition float64 : element := Element binary64 11 NReal (float_number_in 53 1024).

(** 0 is neutral, of numbers that are out of range too. *)
Definition add_whole (wraps : Z -> Z) (a b : option Z) : option Z :=
  match a, b with
  | Some 0, _ => b
  | _, Some 0 => a
  | Some y, Some z => Some (wraps (y + z))
  | _, _ => None
  end.

(** [int64] with the operators [Div] and [Abs] as [s_div] and [s_abs]. *)
Definition words64 : arith := {|
  num := option Z; s_integer := false; s_int := s_int int64; s_float := s_float int64; s_ratio := s_ratio int64;
  s_tiny := s_tiny int64; s_least := s_least int64;
  s_add := add_whole wrap; s_sub := s_sub int64; s_mul := s_mul int64; s_div := div_cell int64; s_mod := s_mod int64;
  s_max := s_max int64; s_min := s_min int64; s_less := s_less int64; s_equal := s_equal int64;
  s_when := s_when int64; s_orelse := s_orelse int64; s_pow := s_pow int64; s_neg := s_neg int64;
  s_abs := s_abs int64; s_exp := s_exp int64; s_log := s_log int64; s_sqrt := s_sqrt int64;
  s_tanh := s_tanh int64; s_erf := s_erf int64; s_round := s_round int64; s_cast := s_cast int64; s_index := s_index int64 |}.

(** Words of fewer bits, the [count] integers from [lowest] on: computed in 64 bits and cut. *)
Section Words.
  Variables lowest count : Z.

  Definition wrap_to (z : Z) : Z := (z - lowest) mod count + lowest.
  Definition cut_to (x : spec_float) : Z := Z.max lowest (Z.min (lowest + count - 1) (cut x)).

  Definition words_of (code : Z) : arith :=
    let low := option_map wrap_to in
    let f1 (f : option Z -> option Z) a := low (f a) in
    let f2 (f : option Z -> option Z -> option Z) a b := low (f a b) in
    {| num := option Z; s_integer := false; s_int := fun z => Some (wrap_to z);
       s_float := fun b => Some (cut_to (decode b)); s_ratio := s_ratio int64;
       s_tiny := None; s_least := Some lowest;
       s_add := add_whole wrap_to; s_sub := f2 (s_sub int64); s_mul := f2 (s_mul int64);
       s_div := f2 (div_cell int64); s_mod := f2 (s_mod int64);
       s_max := f2 (s_max int64); s_min := f2 (s_min int64); s_less := f2 (s_less int64);
       s_equal := f2 (s_equal int64); s_when := f2 (s_when int64); s_orelse := f2 (s_orelse int64);
       s_pow := s_pow int64; s_neg := f1 (s_neg int64); s_abs := f1 (s_abs int64);
       s_exp := s_exp int64; s_log := s_log int64; s_sqrt := s_sqrt int64; s_tanh := s_tanh int64;
       s_erf := s_erf int64; s_round := s_round int64; s_cast := fun to a => if to =? code then a else None; s_index := fun a => a |}.
End Words.

Definition least32 : Z := - 2 ^ 31.
Definition wrap32 : Z -> Z := wrap_to least32 (2 ^ 32).
Definition cut32 : spec_float -> Z := cut_to least32 (2 ^ 32).
Definition words32 : arith := words_of least32 (2 ^ 32) 6.

Definition wrap8 : Z -> Z := wrap_to (- 2 ^ 7) (2 ^ 8).
Definition cut8 : spec_float -> Z := cut_to (- 2 ^ 7) (2 ^ 8).
Definition words8 : arith := words_of (- 2 ^ 7) (2 ^ 8) 3.

(** Without a sign. *)
Definition wrap_byte : Z -> Z := wrap_to 0 (2 ^ 8).
Definition cut_byte : spec_float -> Z := cut_to 0 (2 ^ 8).
Definition bytes : arith := words_of 0 (2 ^ 8) 2.

Definition whole_number (a : option Z) : number := match a with Some z => NInt z | None => NReal S754_nan end.

Definition int64_element : element :=
  Element words64 7 whole_number (fun n => Some (match n with NInt z => wrap z | NReal x => cut x end)).

(** An element type of [words_of]. *)
Definition words_element (lowest count code : Z) : element :=
  Element (words_of lowest count code) code whole_number
    (fun n => Some (match n with NInt z => wrap_to lowest count z | NReal x => cut_to lowest count x end)).
Definition int32_element : element := words_element least32 (2 ^ 32) 6.
Definition int8_element : element := words_element (- 2 ^ 7) (2 ^ 8) 3.
Definition byte_element : element := words_element 0 (2 ^ 8) 2.

(** Truth values: + and max are or, * and min are and. *)
Definition truths : arith :=
  let same b : bool := b in
  {| num := bool; s_integer := false; s_int := fun z => negb (z =? 0); s_float := fun b => holds (NReal (decode b));
     s_ratio := fun b _ => holds (NReal (decode b)); s_tiny := true; s_least := false;
     s_add := orb; s_sub := xorb; s_mul := andb; s_div := fun a _ => a; s_mod := fun _ _ => false;
     s_max := orb; s_min := andb; s_less := fun a b => negb a && b; s_equal := Bool.eqb;
     s_when := andb; s_orelse := orb; s_pow := fun a b => a || negb b;
     s_neg := same; s_abs := same; s_exp := fun _ => true; s_log := fun _ => false; s_sqrt := same; s_tanh := same;
     s_erf := same; s_round := same; s_cast := fun _ => same; s_index := fun _ => None |}.

Definition truth_element : element :=
  Element truths 9 (fun b => NInt (if b then 1 else 0)) holds.

(** ** The structure *)

Record elements := Elements {
  f32 : element; f64 : element; i64 : element; i32 : element; i8 : element; u8 : element; truth : element
}.

(** [Truth] is of the element type bool: its values must be booleans to be conditions. *)
Definition standard : elements :=
  Elements float32 float64 int64_element int32_element int8_element byte_element truth_element.

Section Mixed.
  Variable E : elements.

  Record scalar := Scalar {
    as_f32 : option (num (f32 E));
    as_f64 : option (num (f64 E));
    as_i64 : option (num (i64 E));
    as_i32 : option (num (i32 E));
    as_i8 : option (num (i8 E));
    as_u8 : option (num (u8 E));
    as_truth : option (num (truth E))
  }.

  Definition lift1 {A} (f : A -> A) (a : option A) : option A := option_map f a.
  Definition lift2 {A} (f : A -> A -> A) (a b : option A) : option A :=
    match a, b with Some x, Some y => Some (f x y) | _, _ => None end.

  Definition literally (f : forall S, num S) : scalar :=
    Scalar (Some (f (f32 E))) (Some (f (f64 E))) (Some (f (i64 E))) (Some (f (i32 E)))
           (Some (f (i8 E))) (Some (f (u8 E))) (Some (f (truth E))).

  Definition on_each (f : forall S, num S -> num S) (a : scalar) : scalar :=
    Scalar (lift1 (f (f32 E)) (as_f32 a)) (lift1 (f (f64 E)) (as_f64 a)) (lift1 (f (i64 E)) (as_i64 a))
           (lift1 (f (i32 E)) (as_i32 a)) (lift1 (f (i8 E)) (as_i8 a)) (lift1 (f (u8 E)) (as_u8 a))
           (lift1 (f (truth E)) (as_truth a)).

  Definition on_both (f : forall S, num S -> num S -> num S) (a b : scalar) : scalar :=
    Scalar (lift2 (f (f32 E)) (as_f32 a) (as_f32 b)) (lift2 (f (f64 E)) (as_f64 a) (as_f64 b))
           (lift2 (f (i64 E)) (as_i64 a) (as_i64 b)) (lift2 (f (i32 E)) (as_i32 a) (as_i32 b))
           (lift2 (f (i8 E)) (as_i8 a) (as_i8 b)) (lift2 (f (u8 E)) (as_u8 a) (as_u8 b))
           (lift2 (f (truth E)) (as_truth a) (as_truth b)).

  (** The number: binary64 before binary32, which only tells literals apart. *)
  Definition value_of_scalar (a : scalar) : option number :=
    match as_f64 a, as_f32 a, as_i64 a, as_i32 a, as_i8 a, as_u8 a, as_truth a with
    | Some x, _, _, _, _, _, _ => Some (number_of _ x)
    | _, Some x, _, _, _, _, _ => Some (number_of _ x)
    | _, _, Some x, _, _, _, _ => Some (number_of _ x)
    | _, _, _, Some x, _, _, _ => Some (number_of _ x)
    | _, _, _, _, Some x, _, _ => Some (number_of _ x)
    | _, _, _, _, _, Some x, _ => Some (number_of _ x)
    | _, _, _, _, _, _, Some x => Some (number_of _ x)
    | _, _, _, _, _, _, _ => None
    end.

  (** A comparison is a truth value too. *)
  Definition compare (f : forall S, num S -> num S -> num S) (a b : scalar) : scalar :=
    let c := on_both f a b in
    Scalar (as_f32 c) (as_f64 c) (as_i64 c) (as_i32 c) (as_i8 c) (as_u8 c)
           (option_map (of_number (truth E)) (value_of_scalar c)).

  (** [b] where the condition [a] is not 0, else 0: a condition of the same type, or a truth value. *)
  Definition when_in (S : arith) (a : option (num S)) (c : option number) (b : option (num S)) : option (num S) :=
    match b with
    | None => None
    | Some y =>
        match a with
        | Some x => Some (s_when S x y)
        | None => option_map (fun n => if holds n then y else s_zero S) c
        end
    end.

  Definition when (a b : scalar) : scalar :=
    let c := value_of_scalar a in
    Scalar (when_in (f32 E) (as_f32 a) c (as_f32 b)) (when_in (f64 E) (as_f64 a) c (as_f64 b))
           (when_in (i64 E) (as_i64 a) c (as_i64 b)) (when_in (i32 E) (as_i32 a) c (as_i32 b))
           (when_in (i8 E) (as_i8 a) c (as_i8 b)) (when_in (u8 E) (as_u8 a) c (as_u8 b))
           (when_in (truth E) (as_truth a) c (as_truth b)).

  (** To the type with this code only; what has that reading keeps it. *)
  Definition cast_in (e : element) (to : Z) (a : option (num e)) (c : option number) : option (num e) :=
    if to =? code e then match a with Some x => Some x | None => option_map (of_number e) c end else None.

  Definition cast (to : Z) (a : scalar) : scalar :=
    let c := value_of_scalar a in
    Scalar (cast_in (f32 E) to (as_f32 a) c) (cast_in (f64 E) to (as_f64 a) c)
           (cast_in (i64 E) to (as_i64 a) c) (cast_in (i32 E) to (as_i32 a) c)
           (cast_in (i8 E) to (as_i8 a) c) (cast_in (u8 E) to (as_u8 a) c)
           (cast_in (truth E) to (as_truth a) c).

  Definition index_in (a : scalar) : option Z :=
    match as_i64 a, as_i32 a with
    | Some x, _ => s_index (i64 E) x
    | None, Some x => s_index (i32 E) x
    | None, None => None
    end.

  Definition mixed : arith := {|
    num := scalar; s_integer := false;
    s_int := fun z => literally (fun S => s_int S z); s_float := fun b => literally (fun S => s_float S b);
    s_ratio := fun b z => literally (fun S => s_ratio S b z);
    s_tiny := literally s_tiny; s_least := literally s_least;
    s_add := on_both s_add; s_sub := on_both s_sub; s_mul := on_both s_mul; s_div := on_both s_div;
    s_mod := on_both s_mod; s_max := on_both s_max; s_min := on_both s_min;
    s_less := compare s_less; s_equal := compare s_equal; s_when := when; s_orelse := on_both s_orelse;
    s_pow := on_both s_pow; s_neg := on_each s_neg; s_abs := on_each s_abs; s_exp := on_each s_exp;
    s_log := on_each s_log; s_sqrt := on_each s_sqrt; s_tanh := on_each s_tanh; s_erf := on_each s_erf;
    s_round := on_each s_round;
    s_cast := cast; s_index := index_in |}.

  (** Cells of tensors. *)
  Definition of_f32 (x : num (f32 E)) : scalar := Scalar (Some x) None None None None None None.
  Definition of_f64 (x : num (f64 E)) : scalar := Scalar None (Some x) None None None None None.
  Definition of_i64 (x : num (i64 E)) : scalar := Scalar None None (Some x) None None None None.
  Definition of_i32 (x : num (i32 E)) : scalar := Scalar None None None (Some x) None None None.
  Definition of_i8 (x : num (i8 E)) : scalar := Scalar None None None None (Some x) None None.
  Definition of_u8 (x : num (u8 E)) : scalar := Scalar None None None None None (Some x) None.
  Definition of_truth (x : num (truth E)) : scalar := Scalar None None None None None None (Some x).

  (** ** Laws *)

  Record all_float_laws : Prop := {
    laws_f32 : float_laws (f32 E);
    laws_f64 : float_laws (f64 E);
    laws_i64 : float_laws (i64 E);
    laws_i32 : float_laws (i32 E);
    laws_i8 : float_laws (i8 E);
    laws_u8 : float_laws (u8 E);
    laws_truth : float_laws (truth E)
  }.

  Lemma lift2_comm {A} (f : A -> A -> A) : (forall x y, f x y = f y x) -> forall a b, lift2 f a b = lift2 f b a.
  Proof. intros C [x |] [y |]; try reflexivity. simpl. now rewrite C. Qed.

  Lemma lift2_neutral {A} (f : A -> A -> A) z : (forall x, f x z = x) -> forall a, lift2 f a (Some z) = a.
  Proof. intros N [x |]; [simpl; now rewrite N | reflexivity]. Qed.

  Theorem mixed_laws : all_float_laws -> float_laws mixed.
  Proof.
    intros [A B C D F G H]. split.
    - intros a b. cbn. unfold on_both. f_equal; apply lift2_comm; apply float_add_comm; assumption.
    - intros a b. cbn. unfold on_both. f_equal; apply lift2_comm; apply float_mul_comm; assumption.
    - intros a. change (s_real mixed minus_zero_bits) with (literally (fun S => s_float S minus_zero_bits)).
      destruct a as [a b c d e f g]. cbn. unfold on_both, literally. cbn.
      f_equal; apply lift2_neutral; intros x; apply float_minus_zero; assumption.
  Qed.
End Mixed.

Lemma add_whole_comm wraps a b : add_whole wraps a b = add_whole wraps b a.
Proof.
  destruct a as [[| a | a] |], b as [[| b | b] |]; try reflexivity; unfold add_whole; now rewrite Z.add_comm.
Qed.

Lemma add_whole_zero wraps a : add_whole wraps a (Some 0) = a.
Proof. now destruct a as [[| a | a] |]. Qed.

Lemma mul64_comm a b : s_mul int64 a b = s_mul int64 b a.
Proof. destruct a, b; try reflexivity. cbn. now rewrite Z.mul_comm. Qed.

Theorem words64_laws : float_laws words64.
Proof. split; [apply add_whole_comm | apply mul64_comm | apply add_whole_zero]. Qed.

Theorem words_laws lowest count code : lowest <= 0 < lowest + count -> float_laws (words_of lowest count code).
Proof.
  intros R. split; [apply add_whole_comm | |].
  - intros a b. exact (f_equal (option_map (wrap_to lowest count)) (mul64_comm a b)).
  - intros a. assert (s_real (words_of lowest count code) minus_zero_bits = Some 0) as ->; [| apply add_whole_zero].
    change (Some (cut_to lowest count (S754_zero true)) = Some 0). unfold cut_to, cut. f_equal. lia.
Qed.

Theorem truths_laws : float_laws truths.
Proof. split; [apply orb_comm | apply andb_comm | apply orb_false_r]. Qed.

Theorem standard_laws : all_float_laws standard.
Proof.
  split; [exact binary32_float_laws | exact binary64_float_laws | exact words64_laws | | | | exact truths_laws];
    apply words_laws; unfold least32; lia.
Qed.

(** So rules of class exact keep every bit of a graph that mixes element types. *)
Theorem standard_float_laws : float_laws (mixed standard).
Proof. apply mixed_laws, standard_laws. Qed.

(** ** Words of 8 bits, computed in 32

    Kernels compute them in 32 bits, and store the low 8. *)

Lemma low_wrap lowest z : wrap_to lowest (2 ^ 8) (wrap32 z) = wrap_to lowest (2 ^ 8) z.
Proof.
  unfold wrap32, wrap_to. f_equal.
  change (2 ^ 32) with (2 ^ 8 * 2 ^ 24). rewrite Z.rem_mul_r by lia.
  replace ((z - least32) mod 2 ^ 8 + 2 ^ 8 * (((z - least32) / 2 ^ 8) mod 2 ^ 24) + least32 - lowest)
    with (((z - least32) mod 2 ^ 8 + (least32 - lowest)) + (((z - least32) / 2 ^ 8) mod 2 ^ 24) * 2 ^ 8) by lia.
  rewrite Z.mod_add, Z.add_mod_idemp_l by lia. f_equal. lia.
Qed.

Theorem words_in_32 lowest code : let low := option_map (wrap_to lowest (2 ^ 8)) in let W := words_of lowest (2 ^ 8) code in
  (forall a b, wrap_to lowest (2 ^ 8) a = a -> wrap_to lowest (2 ^ 8) b = b ->
     low (s_add words32 (Some a) (Some b)) = s_add W (Some a) (Some b)) /\
  (forall a b, low (s_sub words32 a b) = s_sub W a b /\ low (s_mul words32 a b) = s_mul W a b /\
     low (s_div words32 a b) = s_div W a b /\ low (s_mod words32 a b) = s_mod W a b /\
     low (s_max words32 a b) = s_max W a b /\ low (s_min words32 a b) = s_min W a b /\
     low (s_less words32 a b) = s_less W a b /\ low (s_equal words32 a b) = s_equal W a b /\
     low (s_when words32 a b) = s_when W a b /\ low (s_orelse words32 a b) = s_orelse W a b) /\
  (forall a, low (s_neg words32 a) = s_neg W a /\ low (s_abs words32 a) = s_abs W a).
Proof.
  intros low W.
  assert (T : forall x, low (option_map wrap32 x) = low x) by (intros [x |]; [exact (f_equal Some (low_wrap lowest x)) | reflexivity]).
  split; [| split].
  - intros a b A B. destruct a as [| a | a]; [exact (f_equal Some B) | |];
      (destruct b as [| b | b]; [exact (f_equal Some A) | |]; exact (f_equal Some (low_wrap lowest _))).
  - intros a b. repeat split; apply T.
  - intros a. split; apply T.
Qed.
