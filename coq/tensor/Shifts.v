(** * The shifts of mantissas, done at once

    [SpecFloat] counts the digits of a mantissa and shifts it one by one.  [Extract.v] takes the
    functions of zarith for these three: of a number that is not negative, they are the same. *)

From Coq Require Import Bool Lia ZArith Zpower.
From Coq.Floats Require Import SpecFloat.
Open Scope Z_scope.

Theorem digits_log2 p : Zpos (digits2_pos p) = Z.log2 (Zpos p) + 1.
Proof.
  induction p as [p IH | p IH |]; [| | reflexivity]; cbn [digits2_pos].
  - rewrite Pos2Z.inj_succ, IH. change (Zpos p~1) with (2 * Zpos p + 1). rewrite Z.log2_succ_double by lia. lia.
  - rewrite Pos2Z.inj_succ, IH. change (Zpos p~0) with (2 * Zpos p). rewrite Z.log2_double by lia. lia.
Qed.

Theorem shift_pos_power n p : Zpos (shift_pos n p) = Zpos p * 2 ^ Zpos n.
Proof. rewrite shift_pos_correct, Z.mul_comm. reflexivity. Qed.

(** [m] without its last [n] digits, the last of these, and whether another one of them is 1. *)
Definition shifted (n : Z) (r : shr_record) : shr_record :=
  Build_shr_record (Z.shiftr (shr_m r) n) (Z.testbit (shr_m r) (n - 1))
    (negb (shr_m r mod 2 ^ (n - 1) =? 0) || shr_r r || shr_s r).

Lemma iter_pos_iter {A} (f : A -> A) n x : iter_pos f n x = Pos.iter f x n.
Proof.
  revert x. induction n as [n IH | n IH |]; intros x; cbn [iter_pos Pos.iter]; [| | reflexivity]; rewrite !IH; [| reflexivity].
  now rewrite <- !Pos.iter_swap.
Qed.

Lemma shr_1_shifted r : 0 <= shr_m r -> shr_1 r = shifted 1 r.
Proof.
  destruct r as [m r s]. unfold shifted. cbn [shr_m shr_r shr_s shr_1]. intros H.
  change (2 ^ (1 - 1)) with 1. rewrite Z.mod_1_r. cbn [Z.eqb negb orb].
  destruct m as [| [p | p |] | p]; try reflexivity. lia.
Qed.

Lemma shifted_succ n r : 1 <= n -> 0 <= shr_m r -> shr_1 (shifted n r) = shifted (n + 1) r.
Proof.
  intros N H. rewrite shr_1_shifted by (unfold shifted; cbn [shr_m]; now apply Z.shiftr_nonneg).
  destruct r as [m a b]. unfold shifted. cbn [shr_m shr_r shr_s] in *.
  rewrite Z.shiftr_shiftr by lia. f_equal.
  - rewrite Z.shiftr_spec by lia. f_equal. lia.
  - change (2 ^ (1 - 1)) with 1. rewrite Z.mod_1_r. cbn [Z.eqb negb orb].
    replace (n + 1 - 1) with (Z.succ (n - 1)) by lia.
    rewrite Z.pow_succ_r, (Z.mul_comm 2) by lia.
    rewrite Z.rem_mul_r by (try lia; apply Z.pow_nonzero; lia).
    rewrite <- Z.shiftr_div_pow2 by lia.
    rewrite <- (Z.add_0_l (n - 1)) at 1. rewrite <- Z.shiftr_spec by lia. rewrite Z.bit0_odd, (Zmod_odd (Z.shiftr m (n - 1))).
    assert (0 < 2 ^ (n - 1)) as P by (apply Z.pow_pos_nonneg; lia).
    pose proof (Z.mod_pos_bound m (2 ^ (n - 1)) P) as B.
    destruct (Z.odd (Z.shiftr m (n - 1))).
    + cbn [orb]. replace (_ =? 0) with false by lia. reflexivity.
    + rewrite Z.mul_0_r, Z.add_0_r. reflexivity.
Qed.

Theorem shr_shifted r e n : 0 <= shr_m r -> shr r e (Zpos n) = (shifted (Zpos n) r, e + Zpos n).
Proof.
  intros H. unfold shr. f_equal. rewrite iter_pos_iter. induction n as [| n IH] using Pos.peano_ind.
  - now apply shr_1_shifted.
  - rewrite Pos.iter_succ, IH, Pos2Z.inj_succ. apply shifted_succ; [lia | exact H].
Qed.
