(** * Sums over windows, and over the places that they come from

    Place [y] of a transposed convolution is the sum over the cells [v] of the kernel whose place [(y + before - v) / s] is
    one of the input.  With [y = q * s + r] that is the sum over the places [q + low + u], [u] below [span], of what the
    kernel has at [y + before - s * (q + low + u)]: the same terms in a ring, with zeros added. *)

From Coq Require Import Bool List Lia Arith ZArith Ring_theory Ring.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Algebra tensor.KernelPad.
Import ListNotations.
Open Scope nat_scope.

(** The place that cell [v] reaches, or -1. *)
Definition source (s e v : Z) : Z := if ((e - v) mod s =? 0)%Z then ((e - v) / s)%Z else (-1)%Z.

Section Sums.
  Variable S : arith.
  Variable laws : ring_laws S.
  Notation num := (num S).
  Notation total := (total S).
  Local Notation "0" := (s_zero S).
  Local Infix "+" := (s_add S).

  Add Ring window_numbers : (ring_is S laws).

  Lemma total_cons {A} (a : A) l f : total (a :: l) f = f a + total l f.
  Proof. unfold KernelPad.total. cbn [fold_left]. rewrite (total_from S laws l f (0 + f a)). unfold KernelPad.total. ring. Qed.

  Lemma total_plus {A} (l : list A) f g : total l (fun z => f z + g z) = total l f + total l g.
  Proof. induction l as [| a l IH]; [unfold KernelPad.total; cbn [fold_left]; ring |]. rewrite !total_cons, IH. ring. Qed.

  Lemma total_exchange {A B} (l : list A) (m : list B) f :
    total l (fun a => total m (f a)) = total m (fun b => total l (fun a => f a b)).
  Proof.
    induction l as [| a l IH].
    - symmetry. apply (total_zero S laws). reflexivity.
    - rewrite total_cons, IH, <- total_plus. apply total_ext. intros b _. now rewrite total_cons.
  Qed.

  (** The one term that counts. *)
  Lemma total_pick n z h :
    total (seq 0%nat n) (fun u => if (Z.of_nat u =? z)%Z then h u else 0) =
    if ((0 <=? z) && (z <? Z.of_nat n))%Z then h (Z.to_nat z) else 0.
  Proof.
    destruct ((0 <=? z) && (z <? Z.of_nat n))%Z eqn:E.
    - replace n with (Z.to_nat z + 1 + (n - Z.to_nat z - 1))%nat by lia. rewrite (total_inner S laws).
      + cbn [seq]. rewrite total_cons. unfold KernelPad.total. cbn [fold_left Nat.add].
        rewrite (proj2 (Z.eqb_eq _ _)) by lia. ring.
      + intros u _ out. destruct (Z.eqb_spec (Z.of_nat u) z); [lia | reflexivity].
    - apply (total_zero S laws). intros u inu. apply in_seq in inu.
      destruct (Z.eqb_spec (Z.of_nat u) z); [lia | reflexivity].
  Qed.

  (** One dimension: [f] of a place and a cell of the kernel. *)
  Lemma sum_window (f : Z -> Z -> num) (s e a : Z) span k : (0 < s)%Z ->
    (forall j v, ~ (0 <= v < Z.of_nat k)%Z -> f j v = 0) -> (forall v, f (-1)%Z v = 0) ->
    (forall v, (0 <= v < Z.of_nat k)%Z -> ((e - v) mod s = 0)%Z -> (0 <= (e - v) / s - a < Z.of_nat span)%Z) ->
    total (seq 0%nat span) (fun u => f (a + Z.of_nat u)%Z (e - s * (a + Z.of_nat u))%Z) =
    total (seq 0%nat k) (fun v => f (source s e (Z.of_nat v)) (Z.of_nat v)).
  Proof.
    intros pos out none range.
    set (t := fun u v => if (Z.of_nat v =? e - s * (a + Z.of_nat u))%Z then f (a + Z.of_nat u)%Z (Z.of_nat v) else 0).
    transitivity (total (seq 0%nat span) (fun u => total (seq 0%nat k) (t u))).
    - apply total_ext. intros u _. unfold t. rewrite (total_pick k (e - s * (a + Z.of_nat u))%Z (fun v =>
      f (a + Z.of_nat u)%Z (Z.of_nat v))).
      destruct (_ && _) eqn:E; [f_equal; lia |]. apply out. intros B. apply andb_false_iff in E.
      rewrite Z.leb_gt, Z.ltb_ge in E. lia.
    - rewrite total_exchange. apply total_ext. intros v inv. apply in_seq in inv. unfold source.
      destruct (Z.eqb_spec ((e - Z.of_nat v) mod s) 0%Z) as [M | M].
      + specialize (range (Z.of_nat v) ltac:(lia) M). set (j := ((e - Z.of_nat v) / s)%Z) in *.
        assert (J : (e - Z.of_nat v = s * j)%Z) by (pose proof (Z.div_mod (e - Z.of_nat v) s ltac:(lia)); unfold j; lia).
        rewrite (total_ext S _ _ (fun u => if (Z.of_nat u =? j - a)%Z then f (a + Z.of_nat u)%Z (Z.of_nat v) else 0)).
        * rewrite (total_pick span (j - a)%Z (fun u => f (a + Z.of_nat u)%Z (Z.of_nat v))).
          destruct (_ && _) eqn:E; [f_equal; lia | lia].
        * intros u _. unfold t. destruct (Z.eqb_spec (Z.of_nat v) (e - s * (a + Z.of_nat u))), (Z.eqb_spec (Z.of_nat u) (j - a));
            try reflexivity; exfalso; nia.
      + rewrite none. apply (total_zero S laws). intros u _. unfold t.
        destruct (Z.eqb_spec (Z.of_nat v) (e - s * (a + Z.of_nat u))) as [E |]; [| reflexivity].
        exfalso. apply M. replace (e - Z.of_nat v)%Z with ((a + Z.of_nat u) * s)%Z by lia. apply Z.mod_mul. lia.
  Qed.
End Sums.
