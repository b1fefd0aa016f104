(** * Instances: the premises of the headline theorems about the rules of the library hold together

    The laws of a field hold of the rational numbers; there the rules rewrite a graph.  (Over the reals: [RealTheorems];
    over binary32 and the integers: [rewrite.ProvedInstances].) *)

From Coq Require Import Bool List Lia NArith String ZArith QArith Qcanon.
From Coq Require Import Floats.SpecFloat.
From Calque Require Import attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundModel rewrite.GraphEval.
From Calque Require Import rewrite.Proved rewrite.ProvedSound rewrite.ProvedInstances.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances tensor.Factors.
From Calque Require rewrite.UnsoundStrict.
From Calque Require theorems.Rules.
Module OfRules := theorems.Rules.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** The rational numbers; functions that leave them are the identity *)

Definition of_Z (z : Z) : Qc := Q2Qc (inject_Z z).

(** A binary64 by its bits; what is no number stands for 0. *)
Definition of_bits (b : N) : Qc :=
  match decode b with
  | S754_finite s m e =>
      let z := if s then Zneg m else Zpos m in
      if (0 <=? e)%Z then of_Z (z * 2 ^ e) else Q2Qc (Qmake z (Z.to_pos (2 ^ (- e))))
  | _ => of_Z 0
  end.

Definition less (a b : Qc) : bool := match Qccompare a b with Lt => true | _ => false end.
Definition is_zero (a : Qc) : bool := match Qccompare a (of_Z 0) with Eq => true | _ => false end.

Definition rationals : arith := {|
  num := Qc; s_integer := false; s_int := of_Z; s_float := of_bits;
  s_ratio := fun b n => (of_bits b / of_Z n)%Qc; s_tiny := (/ of_Z (2 ^ 1074))%Qc; s_least := of_Z (- 2 ^ 1024);
  s_add := Qcplus; s_sub := Qcminus; s_mul := Qcmult; s_div := Qcdiv; s_mod := fun a _ => a;
  s_max := fun a b => if less a b then b else a; s_min := fun a b => if less b a then b else a;
  s_less := fun a b => of_Z (if less a b then 1 else 0); s_equal := fun a b => of_Z (if is_zero (a - b)%Qc then 1 else 0);
  s_when := fun a b => if is_zero a then of_Z 0 else b; s_orelse := fun a b => if is_zero a then b else a;
  s_pow := fun a _ => a; s_neg := Qcopp; s_abs := fun a => if less a (of_Z 0) then Qcopp a else a;
  s_exp := fun a => a; s_log := fun a => a; s_sqrt := fun a => a; s_tanh := fun a => a; s_erf := fun a => a; s_round := fun a => a;
  s_cast := fun _ a => a; s_index := fun _ => None |}.

Lemma of_Z_add a b : of_Z (a + b) = (of_Z a + of_Z b)%Qc.
Proof.
  apply Qc_is_canon. eapply Qeq_trans; [apply Qred_correct |]. apply Qeq_sym. eapply Qeq_trans; [apply Qred_correct |].
  eapply Qeq_trans; [apply Qplus_comp; apply Qred_correct |]. rewrite inject_Z_plus. apply Qeq_refl.
Qed.

Lemma of_Z_one : of_Z 1 = 1%Qc.
Proof. apply Qc_is_canon. reflexivity. Qed.

Lemma rationals_laws : real_laws rationals.
Proof.
  split; [| reflexivity]. split.
  - split; [exact Qcrt | apply Qc_is_canon; reflexivity | exact of_Z_add].
  - exact (F_1_neq_0 Qcft).
  - intros x y. change (x * / y = x * (of_Z 1 * / y))%Qc. now rewrite of_Z_one, Qcmult_1_l.
  - intros y ne. change (of_Z 1 * / y * y = of_Z 1)%Qc. rewrite of_Z_one, Qcmult_1_l. apply Qcmult_inv_l.
    intros E. apply ne. rewrite E. apply Qc_is_canon. reflexivity.
Qed.

Definition rational_bias : Sound.model (tensor (num rationals)) :=
  tensors rationals (look_up N.eqb (one_row rationals)) (look_up N.eqb (one_row rationals)) (written_shape bias_graph).

Lemma rational_sane : sane rational_bias bias_graph.
Proof. apply (UnsoundStrict.saneb_sane rationals (one_row rationals) bias_graph). vm_compute. reflexivity. Qed.

Lemma filter_more {A B} (f : A -> B) (p : A -> bool) l : incl (map f (filter p l)) (map f (filter (fun _ => true) l)).
Proof.
  intros c H. apply in_map_iff in H. destruct H as (e & E & H). apply in_map_iff. exists e. split; [exact E |].
  apply filter_In in H. apply filter_In. destruct H as [H _]. now split.
Qed.

Lemma bias_rules_all : incl bias_rules (rules_of (fun _ => true)).
Proof.
  intros c H. apply bias_rules_proved in H. revert H. unfold rules_of. apply filter_more.
Qed.

(** BiasAdd becomes Add ([opt_binary32_sum]: the rewriting is that of any numbers). *)
Definition opt_correct_real_applies :=
  OfRules.opt_correct_real rationals _ _ _ bias_rules 9 bias_graph [3] [] rationals_laws
    bias_rules_all rational_sane ltac:(intros o [<- | []]; simpl; lia).
