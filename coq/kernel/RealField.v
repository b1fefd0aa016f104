(** * The real numbers as the field of a kernel's text

    A literal has the real number that its binary64 is; one that is no number has 0. *)

From Coq Require Import Bool List ZArith Reals Lra Lia.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Kernel kernel.Numbers kernel.Gradient kernel.GradientNumbers.
Import ListNotations.
Open Scope R_scope.

Definition real_of (f : spec_float) : R :=
  match f with
  | S754_finite s m e => (if s then -1 else 1) * IZR (Zpos m) * powerRZ 2 e
  | _ => 0
  end.

Definition real_value (c : Z) : R := real_of (decode c).

Lemma real_zero c : n_is binary64 c (n_zero binary64) = true -> real_value c = 0.
Proof.
  cbn [n_is n_zero binary64]. rewrite andb_true_iff, orb_true_iff, andb_true_iff, !Z.eqb_eq.
  intros [_ H]. assert (E : magnitude c = 0%Z) by (destruct H as [-> | [E _]]; [reflexivity | exact E]).
  unfold real_value, decode. rewrite E. now destruct (c <? 0)%Z.
Qed.

Lemma power_52 : IZR 4503599627370496 * powerRZ 2 (-52) = 1.
Proof.
  change (powerRZ 2 (-52)) with (/ (2 ^ 52)). replace (2 ^ 52) with (IZR 4503599627370496).
  - apply Rinv_r. apply IZR_neq. discriminate.
  - symmetry. exact (pow_IZR 2 52).
Qed.

Lemma real_one c : n_is binary64 c (n_one binary64) = true -> real_value c = 1.
Proof.
  cbn [n_is n_one binary64]. rewrite andb_true_iff, orb_true_iff, andb_true_iff, !Z.eqb_eq.
  intros [_ [-> | [_ E]]]; [| discriminate E]. unfold real_value.
  replace (decode one64) with (S754_finite false 4503599627370496 (-52)) by (vm_compute; reflexivity).
  unfold real_of. rewrite Rmult_1_l. exact power_52.
Qed.

Lemma real_two : real_value (n_two binary64) = 2.
Proof.
  unfold real_value.
  replace (decode (n_two binary64)) with (S754_finite false 4503599627370496 (-51)) by (vm_compute; reflexivity).
  unfold real_of. replace (powerRZ 2 (-51)) with (2 * powerRZ 2 (-52)); [rewrite Rmult_1_l |].
  - transitivity (2 * (IZR 4503599627370496 * powerRZ 2 (-52))); [ring | rewrite power_52; ring].
  - change (-51)%Z with (1 + -52)%Z. rewrite powerRZ_add by lra. f_equal. simpl. ring.
Qed.

Lemma real_neg c d : n_neg binary64 c = Some d -> real_value d = - real_value c.
Proof.
  cbn [n_neg binary64]. intros H. injection H as <-.
  pose proof (Z.mod_pos_bound c half eq_refl) as B. fold (magnitude c) in B.
  set (d := (if (c <? 0)%Z then magnitude c else (magnitude c - half)%Z)).
  assert (M : magnitude d = magnitude c /\ (d <? 0)%Z = negb (c <? 0)%Z).
  { unfold d. destruct (Z.ltb_spec c 0).
    - split; [unfold magnitude; apply Z.mod_mod; discriminate |]. apply Z.ltb_ge. lia.
    - split; [| apply Z.ltb_lt; lia]. unfold magnitude. symmetry. apply Z.mod_unique with (-1)%Z; [left; unfold magnitude in B; lia |].
      unfold magnitude. lia. }
  destruct M as [M S]. unfold real_value, decode. rewrite M, S.
  destruct (magnitude c / 2 ^ 52 =? 2047)%Z.
  - destruct (magnitude c mod 2 ^ 52 =? 0)%Z; simpl; ring.
  - destruct (if (magnitude c / 2 ^ 52 =? 0)%Z then _ else _); try (simpl; ring).
    unfold real_of. destruct (c <? 0)%Z; cbn [negb]; ring.
Qed.

(** The nearest integer, the even one of two. *)
Definition nearest_even (x : R) : R :=
  let k := Int_part x in
  let up := if Rlt_dec (frac_part x) (1 / 2) then false else if Rlt_dec (1 / 2) (frac_part x) then true else Z.odd k in
  IZR (if up then k + 1 else k).

(** The functions; none that the library does not have. *)
Definition real_function (f : function) (l : list R) : R :=
  match f, l with
  | FMax, [a; b] => if Rlt_dec a b then b else a
  | FMin, [a; b] => if Rlt_dec b a then b else a
  | FPow, [a; b] => Rpower a b
  | FExp, [a] => exp a
  | FLog, [a] => ln a
  | FSqrt, [a] => sqrt a
  | FTanh, [a] => sinh a / cosh a
  | FAbs, [a] => Rabs a
  | FRound, [a] => nearest_even a
  | FLess, [a; b] => if Rlt_dec a b then 1 else 0
  | FEqual, [a; b] => if Req_EM_T a b then 1 else 0
  | FWhen, [a; b] => if Req_EM_T a 0 then 0 else b
  | FOrelse, [a; b] => if Req_EM_T a 0 then b else a
  | _, _ => 0
  end.

Lemma real_divide_1 a : a * / 1 = a.
Proof. field. Qed.

Definition real_field : field :=
  {| base := binary64; elt := R; r0 := 0; r1 := 1; radd := Rplus; rmul := Rmult; rsub := Rminus;
     ropp := Ropp; r_laws := RTheory; rinv := Rinv; rdivide_1 := real_divide_1;
     rmod := fun _ _ => 0; rfun := real_function; greatest_start := 0; greatest_step := Rmax;
     value := real_value; value_zero := real_zero; value_one := real_one;
     value_zero_is := eq_refl; value_one_is := eq_refl; value_neg := real_neg |}.
