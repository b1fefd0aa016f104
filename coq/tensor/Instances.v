(** * Numbers to run the operators with

    The integers, for counterexamples; int64 as kernels have it; binary32 and binary64,
    rounded to nearest even, without the functions that C leaves to its library. *)

From Coq Require Import Bool List Lia NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.RoundEven attr.Attr kernel.Numbers tensor.Tensor tensor.Scalars tensor.Ops.
Import ListNotations.
Open Scope Z_scope.

(** A binary64 by its bits. *)
Definition decode (bits : N) : spec_float :=
  let b := Z.of_N bits in
  let s := 2 ^ 63 <=? b in
  let e := (b / 2 ^ 52) mod 2 ^ 11 in
  let m := b mod 2 ^ 52 in
  if e =? 2047 then if m =? 0 then S754_infinity s else S754_nan
  else
    let m' := if e =? 0 then m else m + 2 ^ 52 in
    match m' with Zpos p => S754_finite s p (Z.max e 1 - 1075) | _ => S754_zero s end.

Lemma float_parts b :
  0 <= b -> let m := b mod 2 ^ 63 in
  m / 2 ^ 52 = (b / 2 ^ 52) mod 2 ^ 11 /\ m mod 2 ^ 52 = b mod 2 ^ 52 /\
  m = 2 ^ 52 * ((b / 2 ^ 52) mod 2 ^ 11) + b mod 2 ^ 52.
Proof.
  intros H m. unfold m. change (2 ^ 63) with (2 ^ 52 * 2 ^ 11).
  rewrite Z.rem_mul_r by lia.
  pose proof (Z.mod_pos_bound b (2 ^ 52) ltac:(lia)).
  repeat split.
  - rewrite Z.mul_comm, Z.div_add, Z.div_small by lia. lia.
  - rewrite Z.mul_comm, Z.mod_add, Z.mod_mod by lia. reflexivity.
  - lia.
Qed.

(** The number times 2^1074; infinities beyond all others. *)
Definition float_value (x : spec_float) : option Z :=
  match x with
  | S754_zero _ => Some 0
  | S754_infinity s => Some (if s then - 2 ^ 2098 else 2 ^ 2098)
  | S754_nan => None
  | S754_finite s p e => Some (if s then - (Z.pos p * 2 ^ (e + 1074)) else Z.pos p * 2 ^ (e + 1074))
  end.

(** It is this that attribute conditions compare. *)
Theorem float_number_decode bits :
  (bits < float_end)%N -> float_number bits = float_value (decode bits).
Proof.
  intros end_. unfold float_number, decode. set (b := Z.of_N bits).
  assert (0 <= b < 2 ^ 64) as Hb by (unfold b, float_end in *; lia).
  destruct (float_parts b (proj1 Hb)) as (He & Hf & Hm). cbv zeta.
  rewrite He, Hf. rewrite Hm. clear He Hf Hm end_.
  pose proof (Z.mod_pos_bound b (2 ^ 52) ltac:(lia)) as Bf.
  pose proof (Z.mod_pos_bound (b / 2 ^ 52) (2 ^ 11) ltac:(lia)) as Be.
  set (f := b mod 2 ^ 52) in *. set (e := (b / 2 ^ 52) mod 2 ^ 11) in *.
  clearbody e f.
  replace (b <? 2 ^ 63) with (negb (2 ^ 63 <=? b)) by lia. destruct (2 ^ 63 <=? b); cbn [negb].
  all: destruct (Z.eqb_spec e 2047) as [-> |];
    [ destruct (Z.eqb_spec f 0) as [-> |];
        [ reflexivity | replace (2047 * 2 ^ 52 <? _) with true by lia; reflexivity ]
    | replace (2047 * 2 ^ 52 <? _) with false by lia; destruct (Z.eqb_spec e 0) as [-> |] ].
  all: try (destruct f as [| p | p]; [reflexivity | | lia]; cbn [float_value];
            change (2 ^ (Z.max 0 1 - 1075 + 1074)) with 1; f_equal; lia).
  all: destruct (f + 2 ^ 52) as [| p | p] eqn:E; try lia; cbn [float_value];
    replace (Z.max e 1 - 1075 + 1074) with (e - 1) by lia; reflexivity.
Qed.

(** Towards zero; an infinity is the end of int64, not a number is 0. *)
Definition cut (x : spec_float) : Z :=
  match x with
  | S754_finite s m e =>
      let z := if 0 <=? e then Zpos m * 2 ^ e else Zpos m / 2 ^ (- e) in
      Z.max least (Z.min (- least - 1) (if s then - z else z))
  | S754_infinity s => if s then least else - least - 1
  | _ => 0
  end.

(** ** The integers: [Div] rounds down, there are no functions *)

Definition integers : arith := {|
  num := Z; s_integer := false; s_int := fun z => z; s_float := fun b => cut (decode b);
  s_ratio := fun b n => cut (decode b) / n; s_tiny := 1; s_least := least;
  s_add := Z.add; s_sub := Z.sub; s_mul := Z.mul; s_div := Z.div; s_mod := Z.modulo;
  s_max := Z.max; s_min := Z.min; s_less := fun a b => if a <? b then 1 else 0;
  s_equal := fun a b => if a =? b then 1 else 0; s_when := fun a b => if a =? 0 then 0 else b;
  s_orelse := fun a b => if a =? 0 then b else a; s_pow := Z.pow;
  s_neg := Z.opp; s_abs := Z.abs; s_exp := fun z => z; s_log := fun z => z; s_sqrt := Z.sqrt;
  s_tanh := fun z => z; s_erf := fun z => z; s_round := fun z => z;
  s_cast := fun _ z => z; s_index := Some |}.

Theorem integers_ring : ring_laws integers.
Proof.
  split; try reflexivity.
  - exact (InitialRing.Zth).
Qed.

(** -0 is 0 there: rules over floats hold too. *)
Theorem integers_float_laws : float_laws integers.
Proof. split; [apply Z.add_comm | apply Z.mul_comm | apply Z.add_0_r]. Qed.

(** ** int64 *)

Definition int64 : arith :=
  let f1 f a := function_value f [a] in
  let f2 f a b := function_value f [a; b] in
  {| num := option Z; s_integer := true; s_int := fun z => Some (wrap z); s_float := fun b => Some (cut (decode b));
     s_ratio := fun _ _ => None; s_tiny := None; s_least := Some least;
     s_add := operator_value OAdd; s_sub := operator_value OSub; s_mul := operator_value OMul;
     s_div := operator_value ODiv; s_mod := operator_value OMod;
     s_max := f2 FMax; s_min := f2 FMin; s_less := f2 FLess; s_equal := f2 FEqual;
     s_when := f2 FWhen; s_orelse := f2 FOrelse; s_pow := f2 FPow;
     s_neg := f1 FNeg; s_abs := f1 FAbs; s_exp := f1 FExp; s_log := f1 FLog; s_sqrt := f1 FSqrt;
     s_tanh := f1 FTanh; s_erf := f1 FErf; s_round := f1 FRound; s_cast := fun to => f1 (FCast to); s_index := fun a => a |}.

(** ** Floats *)

Definition rounded (prec emax : Z) (x : spec_float) : spec_float :=
  match x with
  | S754_finite s m e => binary_normalize prec emax (if s then Zneg m else Zpos m) e s
  | _ => x
  end.

Definition whole (prec emax z : Z) : spec_float := rounded prec emax (binary_normalize 53 1024 z 0 false).

Definition ieee (prec emax code : Z) (tiny : spec_float) : arith :=
  let unknown := fun _ : spec_float => S754_nan in
  {| num := spec_float; s_integer := false;
     s_int := whole prec emax; s_float := fun b => rounded prec emax (decode b);
     s_ratio := fun b n => rounded prec emax (SFdiv 24 128 (rounded 24 128 (decode b)) (whole 24 128 n));
     s_tiny := tiny; s_least := S754_infinity true;
     s_add := SFadd prec emax; s_sub := SFsub prec emax; s_mul := SFmul prec emax; s_div := SFdiv prec emax;
     s_mod := fun _ => unknown;
     s_max := fun x y => if SFltb x y then y else x;
     s_min := fun x y => if SFltb y x then y else x;
     s_less := fun x y => if SFltb x y then whole prec emax 1 else S754_zero false;
     s_equal := fun x y => if SFeqb x y then whole prec emax 1 else S754_zero false;
     s_when := fun x y => if SFeqb x (S754_zero false) then S754_zero false else y;
     s_orelse := fun x y => match x with S754_zero false => y | _ => x end;
     s_pow := fun _ => unknown; s_neg := SFopp; s_abs := SFabs; s_exp := unknown; s_log := unknown;
     s_sqrt := SFsqrt prec emax; s_tanh := unknown; s_erf := unknown; s_round := round_even prec emax;
     s_cast := fun to x => if to =? code then x else S754_nan; s_index := fun _ => None |}.

Definition binary32 : arith := ieee 24 128 1 (S754_finite false 1 (-149)).
Definition binary64 : arith := ieee 53 1024 11 (S754_finite false 1 (-1074)).

(** ** Floats have the laws of rules that keep every bit *)

Lemma SFadd_comm prec emax x y : SFadd prec emax x y = SFadd prec emax y x.
Proof.
  destruct x as [s | s | | s m e], y as [t | t | | t n f]; try reflexivity; simpl.
  - destruct s, t; reflexivity.
  - destruct s, t; reflexivity.
  - rewrite (Z.min_comm f e), Z.add_comm. reflexivity.
Qed.

Lemma SFmul_comm prec emax x y : SFmul prec emax x y = SFmul prec emax y x.
Proof.
  destruct x as [s | s | | s m e], y as [t | t | | t n f]; try reflexivity; simpl; rewrite (xorb_comm t s); try reflexivity.
  now rewrite Pos.mul_comm, (Z.add_comm e f).
Qed.

Lemma ieee_float_laws prec emax code tiny :
  rounded prec emax (S754_zero true) = S754_zero true -> float_laws (ieee prec emax code tiny).
Proof.
  intros Z0. split.
  - apply SFadd_comm.
  - apply SFmul_comm.
  - intros a. cbn [ieee s_add s_real]. destruct a as [[|] | [|] | | s m e]; reflexivity.
Qed.

Theorem binary32_float_laws : float_laws binary32.
Proof. now apply ieee_float_laws. Qed.

Theorem binary64_float_laws : float_laws binary64.
Proof. now apply ieee_float_laws. Qed.

(** ** [Where] is a choice, bit for bit: nothing is computed with what is chosen *)

Lemma where_cell_ieee prec emax code tiny c a b :
  SFeqb (whole prec emax 1) (S754_zero false) = false ->
  where_cell (ieee prec emax code tiny) c a b = if SFeqb c (S754_zero false) then b else a.
Proof.
  intros one. unfold where_cell, not_cell.
  change (s_zero (ieee prec emax code tiny)) with (S754_zero false). cbn [ieee s_when s_equal s_orelse].
  destruct (SFeqb c (S754_zero false)).
  - now rewrite one.
  - change (SFeqb (S754_zero false) (S754_zero false)) with true. cbn iota.
    destruct a as [[|] | | |]; reflexivity.
Qed.

Theorem where_cell_binary32 c a b : where_cell binary32 c a b = if SFeqb c (S754_zero false) then b else a.
Proof. now apply where_cell_ieee. Qed.

Theorem where_cell_binary64 c a b : where_cell binary64 c a b = if SFeqb c (S754_zero false) then b else a.
Proof. now apply where_cell_ieee. Qed.

Theorem where_cell_int64 c a b : wrap a = a -> wrap b = b ->
  where_cell int64 (Some c) (Some a) (Some b) = Some (if c =? 0 then b else a).
Proof.
  intros A B. unfold where_cell, not_cell. cbn [int64 s_when s_equal s_orelse s_zero s_int function_value lift2 option_map].
  change (wrap 0) with 0. destruct (c =? 0).
  - change (wrap 0) with 0. change (wrap 1) with 1. cbn [Z.eqb]. now rewrite !B.
  - change (wrap 0) with 0. cbn [Z.eqb]. change (wrap 0) with 0. rewrite A.
    destruct (Z.eqb_spec a 0) as [-> |]; [reflexivity | now rewrite A].
Qed.
