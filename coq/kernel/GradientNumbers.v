(** * The literals of kernel text, for gradients

    Integers, and binary64 as the signed number that its 64 bits are.  The ring is
    that of the integers: which one it is does not matter for the text. *)

From Coq Require Import Bool List Lia ZArith ZArithRing.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Numbers kernel.Gradient.
Open Scope Z_scope.

(** ** binary64 *)

Definition half : Z := 2 ^ 63.
Definition magnitude (x : Z) : Z := x mod half.
Definition infinite : Z := 2047 * 2 ^ 52.

Definition decode (x : Z) : spec_float :=
  let s := x <? 0 in
  let m := magnitude x mod 2 ^ 52 in
  let e := magnitude x / 2 ^ 52 in
  if e =? 2047 then if m =? 0 then S754_infinity s else S754_nan
  else match (if e =? 0 then m else m + 2 ^ 52) with
       | Zpos p => S754_finite s p (Z.max e 1 - 1075)
       | _ => S754_zero s
       end.

Definition signed (s : bool) (m : Z) : Z := if s then m - half else m.

Definition encode (f : spec_float) : Z :=
  match f with
  | S754_zero s => signed s 0
  | S754_infinity s => signed s infinite
  | S754_nan => infinite + 2 ^ 51
  | S754_finite s p e =>
      signed s (if Zpos p <? 2 ^ 52 then Zpos p else Zpos p - 2 ^ 52 + (e + 1075) * 2 ^ 52)
  end.

Definition one64 : Z := 1023 * 2 ^ 52.
Definition two64 : Z := 1024 * 2 ^ 52.

Definition binary64 : numbers :=
  {| number := Z;
     real := true;
     n_zero := 0;
     n_one := one64;
     n_two := two64;
     n_erf := 4607760587169110893;      (* 0x1.20dd750429b6dp+0 *)
     n_is := fun x y =>
       (magnitude x <=? infinite) && ((x =? y) || ((magnitude x =? 0) && (magnitude y =? 0)));
     n_neg := fun x => Some (if x <? 0 then magnitude x else magnitude x - half);
     n_pred := fun x => encode (SFsub 53 1024 (decode x) (decode one64)) |}.

Definition integers : numbers :=
  {| number := Z;
     real := false;
     n_zero := 0;
     n_one := 1;
     n_two := 2;
     n_erf := 0;                        (* no function of integers *)
     n_is := Z.eqb;
     n_neg := fun z => if z <? -2147483647 then None else Some (- z);
     n_pred := fun z => z - 1 |}.

(** ** Values in the integers that respect 0, 1 and the sign *)

Definition value64 (x : Z) : Z :=
  let v := if magnitude x =? one64 then 1 else magnitude x in
  if x <? 0 then - v else v.

Lemma value64_zero c : n_is binary64 c (n_zero binary64) = true -> value64 c = 0.
Proof.
  cbn [n_is n_zero binary64]. rewrite andb_true_iff, orb_true_iff, andb_true_iff, !Z.eqb_eq.
  intros [_ [-> | [E _]]]; [reflexivity |]. unfold value64. rewrite E.
  now destruct (c <? 0).
Qed.

Lemma value64_one c : n_is binary64 c (n_one binary64) = true -> value64 c = 1.
Proof.
  cbn [n_is n_one binary64]. rewrite andb_true_iff, orb_true_iff, andb_true_iff, !Z.eqb_eq.
  intros [_ [-> | [_ E]]]; [reflexivity | discriminate E].
Qed.

Lemma value64_neg c d : n_neg binary64 c = Some d -> value64 d = - value64 c.
Proof.
  cbn [n_neg binary64]. intros H. injection H as <-. unfold value64, magnitude.
  pose proof (Z.mod_pos_bound c half eq_refl) as B.
  destruct (Z.ltb_spec c 0).
  - rewrite Z.mod_mod by discriminate. destruct (Z.ltb_spec (c mod half) 0); lia.
  - replace ((c mod half - half) mod half) with (c mod half).
    + destruct (Z.ltb_spec (c mod half - half) 0); lia.
    + apply Z.mod_unique with (-1); lia.
Qed.

Definition binary64_field : field :=
  {| base := binary64; elt := Z; r0 := 0; r1 := 1; radd := Z.add; rmul := Z.mul; rsub := Z.sub;
     ropp := Z.opp; r_laws := Zth; rinv := fun a => a; rdivide_1 := Z.mul_1_r;
     rmod := Z.modulo; rfun := fun _ _ => 0; greatest_start := 0; greatest_step := Z.max;
     value := value64; value_zero := value64_zero; value_one := value64_one;
     value_zero_is := eq_refl; value_one_is := eq_refl; value_neg := value64_neg |}.

Lemma integers_neg c d : n_neg integers c = Some d -> d = - c.
Proof. cbn [n_neg integers]. destruct (c <? -2147483647); congruence. Qed.

Definition integer_field : field :=
  {| base := integers; elt := Z; r0 := 0; r1 := 1; radd := Z.add; rmul := Z.mul; rsub := Z.sub;
     ropp := Z.opp; r_laws := Zth; rinv := fun a => a; rdivide_1 := Z.mul_1_r;
     rmod := Z.modulo; rfun := fun _ _ => 0; greatest_start := least; greatest_step := Z.max;
     value := fun z => z; value_zero := fun c H => proj1 (Z.eqb_eq c 0) H;
     value_one := fun c H => proj1 (Z.eqb_eq c 1) H;
     value_zero_is := eq_refl; value_one_is := eq_refl; value_neg := integers_neg |}.
