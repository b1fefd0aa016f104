(** * Quotients of integers are cut

    What [Div] gives of two numbers of 64 bits, the least included: the quotient towards zero,
    which wraps where it is beyond the range, that of the least number by -1.  In 32 bits,
    computed in 64 and cut, it is the same. *)

From Coq Require Import Bool List Lia ZArith Zquot.
From Calque Require Import kernel.Numbers tensor.Scalars tensor.Ops tensor.Instances tensor.Mixed tensor.MixedEmbed.
Import ListNotations.
Open Scope Z_scope.

(** The floor, and one more where it is below 0 and there is a rest. *)
Lemma quot_floor y z : z <> 0 -> Z.quot y z = y / z + (if (y / z <? 0) && negb (y / z * z =? y) then 1 else 0).
Proof.
  intros nz. pose proof (Z.div_mod y z nz) as D.
  assert (B : 0 <= y mod z < z \/ z < y mod z <= 0).
  { destruct (Z_lt_le_dec 0 z); [left; now apply Z.mod_pos_bound | right; apply Z.mod_neg_bound; lia]. }
  revert D B. generalize (y / z), (y mod z). intros q r D B. symmetry.
  destruct (Z.eqb_spec (q * z) y) as [F | F]; cbn [negb]; [rewrite andb_false_r | rewrite andb_true_r].
  - apply (Zquot_unique_full y z (q + 0) 0); [| lia]. unfold Remainder. destruct (Z_le_gt_dec 0 y); lia.
  - assert (r <> 0) by lia. destruct (Z.ltb_spec q 0).
    + apply (Zquot_unique_full y z (q + 1) (r - z)); [| lia]. unfold Remainder.
      destruct B; [right | left]; split; try lia; nia.
    + apply (Zquot_unique_full y z (q + 0) r); [| lia]. unfold Remainder.
      destruct B; [left | right]; split; try lia; nia.
Qed.

(** A quotient is in range, but that of the least number by -1. *)
Lemma floor_range y z : least <= y < - least -> z <> 0 -> y / z = - least \/ least <= y / z < - least.
Proof.
  intros Y nz. assert (B : Z.abs (y / z) <= Z.abs y).
  { pose proof (Z.div_mod y z nz) as D.
    destruct (Z_lt_le_dec 0 z) as [p | n]; [pose proof (Z.mod_pos_bound y z p) | pose proof (Z.mod_neg_bound y z ltac:(lia))]; nia. }
  unfold least in *. lia.
Qed.

(** Equal in 64 bits and less than 2^64 apart: equal. *)
Lemma wrap_near a y : Z.abs (a - y) < 2 ^ 64 -> wrap a = y -> a = y.
Proof.
  unfold wrap. intros N E. pose proof (Z.div_mod (a - least) (2 ^ 64) ltac:(lia)) as D. nia.
Qed.

Theorem div_int64 y z : least <= y < - least -> least <= z < - least -> z <> 0 ->
  div_cell int64 (Some y) (Some z) = Some (wrap (Z.quot y z)).
Proof.
  intros Y Z nz. rewrite (quot_floor y z nz).
  assert (E : div_cell int64 (Some y) (Some z) =
    let q := wrap (y / z) in
    Some (wrap (q + wrap (if wrap (if q <? 0 then 1 else 0) =? 0 then 0
                          else wrap (wrap 1 - wrap (if wrap (q * z) =? y then 1 else 0)))))).
  { destruct z; [contradiction | |]; reflexivity. }
  rewrite E. clear E. cbv zeta. pose proof (Z.div_mod y z nz) as D.
  assert (B : 0 <= y mod z < z \/ z < y mod z <= 0).
  { destruct (Z_lt_le_dec 0 z); [left; now apply Z.mod_pos_bound | right; apply Z.mod_neg_bound; lia]. }
  destruct (floor_range y z Y nz) as [F | F].
  - unfold least in *. rewrite F in D. assert (z = -1) as -> by lia. assert (y = - 2 ^ 63) as -> by lia. reflexivity.
  - rewrite (wrap_id (y / z) F). f_equal. f_equal. f_equal.
    destruct (Z.ltb_spec (y / z) 0); [| reflexivity]. cbn [andb].
    destruct (Z.eqb_spec (y / z * z) y) as [Q | Q].
    + rewrite Q, (wrap_id y Y), Z.eqb_refl. reflexivity.
    + destruct (Z.eqb_spec (wrap (y / z * z)) y) as [W | W]; [| reflexivity].
      elim Q. apply wrap_near; [| exact W]. unfold least in *. lia.
Qed.

Lemma quot_bound y z : Z.abs (Z.quot y z) <= Z.abs y.
Proof.
  destruct (Z.eq_dec z 0) as [-> | nz]; [rewrite Z.quot_0_r_ext by reflexivity; lia |].
  rewrite <- Z.quot_abs by exact nz. destruct (Z.eq_dec (Z.abs z) 1) as [-> | ]; [rewrite Z.quot_1_r; lia |].
  destruct (Z.eq_dec y 0) as [-> |]; [now rewrite Z.quot_0_l by lia |].
  apply Z.lt_le_incl, Z.quot_lt; lia.
Qed.

Theorem div_int32 y z : least32 <= y < - least32 -> least32 <= z < - least32 -> z <> 0 ->
  s_div words32 (Some y) (Some z) = Some (wrap32 (Z.quot y z)).
Proof.
  intros Y Z nz. unfold least32 in *. unfold words32. cbn [words_of s_div]. rewrite div_int64 by (unfold least; lia). cbn [option_map].
  fold wrap32. rewrite wrap_id; [reflexivity |]. pose proof (quot_bound y z). unfold least. lia.
Qed.

(** ** What is printed for it

    In C a quotient of integers is rounded down, and cut by the formula of [div_cell]: in 64 bits that is [s_div words64]
    itself, in 32 bits the words are those of 32 bits throughout. *)

Lemma wrap32_id z : least32 <= z < - least32 -> wrap32 z = z.
Proof. unfold wrap32, wrap_to, least32. intros H. rewrite Z.mod_small; lia. Qed.

Lemma wrap32_near a y : Z.abs (a - y) < 2 ^ 32 -> wrap32 a = y -> a = y.
Proof.
  unfold wrap32, wrap_to. intros N E. pose proof (Z.div_mod (a - least32) (2 ^ 32) ltac:(lia)) as D. nia.
Qed.

Definition cut_text32 (y z : Z) : Z :=
  let q := wrap32 (y / z) in
  let less := if q <? 0 then 1 else 0 in
  let equal := if wrap32 (q * z) =? y then 1 else 0 in
  wrap32 (q + if less =? 0 then 0 else wrap32 (1 - equal)).

Theorem cut_text32_quot y z : least32 <= y < - least32 -> least32 <= z < - least32 -> z <> 0 ->
  s_div words32 (Some y) (Some z) = Some (cut_text32 y z).
Proof.
  intros Y Z nz. rewrite div_int32 by assumption. f_equal. rewrite (quot_floor y z nz). unfold cut_text32. cbv zeta.
  pose proof (Z.div_mod y z nz) as D.
  assert (B : 0 <= y mod z < z \/ z < y mod z <= 0).
  { destruct (Z_lt_le_dec 0 z); [left; now apply Z.mod_pos_bound | right; apply Z.mod_neg_bound; lia]. }
  destruct (Z.eq_dec y least32) as [-> | ne].
  - destruct (Z.eq_dec z (-1)) as [-> | nz1]; [reflexivity |].
    assert (least32 <= least32 / z < - least32) as F by (unfold least32 in *; nia).
    rewrite (wrap32_id _ F).
    destruct (Z.ltb_spec (least32 / z) 0); [| reflexivity]. cbn [andb Z.eqb].
    destruct (Z.eqb_spec (least32 / z * z) least32) as [Q | Q].
    + rewrite Q. reflexivity.
    + destruct (Z.eqb_spec (wrap32 (least32 / z * z)) least32) as [W | W]; [| reflexivity].
      elim Q. apply wrap32_near; [| exact W]. unfold least32 in *. lia.
  - assert (least32 <= y / z < - least32) as F by (unfold least32 in *; nia).
    rewrite (wrap32_id _ F).
    destruct (Z.ltb_spec (y / z) 0); [| reflexivity]. cbn [andb Z.eqb].
    destruct (Z.eqb_spec (y / z * z) y) as [Q | Q].
    + rewrite Q, (wrap32_id y Y), Z.eqb_refl. reflexivity.
    + destruct (Z.eqb_spec (wrap32 (y / z * z)) y) as [W | W]; [| reflexivity].
      elim Q. apply wrap32_near; [| exact W]. unfold least32 in *. lia.
Qed.
