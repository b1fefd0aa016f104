(** * The check of packing on texts

    As in [ValidateWords]: literals and operations are words, of which the check looks at no
    meaning.  A sum is "+" from the word of +0, a product is "*". *)

From Coq Require Import List Arith Lia Bool String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Kernel kernel.ValidateWords kernel.Repack kernel.RepackCorrect.
From Calque Require base.FloatSum.
Import ListNotations.
Open Scope string_scope.

(** Numbers whose product with [nought], whatever it is, changes no sum that starts from it. *)
Record absorbing (M : reading) := Absorbing {
  nought : string;
  numeric : number M -> Prop;
  absorbed : exists keeps : number M -> Prop,
    keeps (of_literal M nought) /\ (forall x y, keeps x -> usual M y -> keeps (of_two M "+" x y)) /\
    (forall x w, keeps x -> numeric w ->
       of_two M "+" x (of_two M "*" (of_literal M nought) w) = x /\
       of_two M "+" x (of_two M "*" w (of_literal M nought)) = x /\ of_two M "+" x (of_literal M nought) = x) }.

Section Words.
  Variables (M : reading) (Z : absorbing M).

  Definition word_rules : rules (words M).
  Proof.
    refine (@Rules (words M) String.eqb String.eqb String.eqb (fun r q => (fst r =? fst q) && (snd r =? snd q))
              (fun r => (fst r =? "+") && (snd r =? nought M Z)) (fun o => o =? "*") (fun c => c =? nought M Z)
              (usual M) (numeric M Z) _ _ _ _ _ _ _ _ _ _); cbn.
    1, 2, 3: intros a b E; now apply String.eqb_eq.
    - intros [a b] [c d] E. apply andb_true_iff in E as [E F]. cbn in E, F. apply String.eqb_eq in E, F. now subst.
    - exact (usual_literal M).
    - exact (usual_two M).
    - intros f l F. inversion F as [| x m X F1]; subst; [apply usual_literal |].
      inversion F1 as [| y n Y F2]; subst; [now apply usual_one |].
      inversion F2; subst; [now apply usual_two | apply usual_literal].
    - intros r. apply usual_literal.
    - intros r x y. apply usual_two.
    - intros [f s] E. apply andb_true_iff in E as [E F]. cbn in E, F. apply String.eqb_eq in E, F. subst.
      destruct (absorbed M Z) as (keeps & start & more & none). exists keeps. cbn. split; [exact start |]. split; [exact more |].
      intros x o z w K O N W. apply String.eqb_eq in O, N. subst. now apply none.
  Defined.

  Definition repack_words (P : packing) (k q : prog (words M)) : verdict := repack word_rules P k q.

  Theorem repacked_words (P : packing) (k q : prog (words M)) (st st' : store (words M)) :
    repack_words P k q = Same -> packed_store P st st' ->
    (forall t i, in_box (old_shape P t) i = true -> usual M (st t i)) ->
    (forall t i, in_box (new_shape P t) i = true -> usual M (st' t i)) ->
    (forall t i, (t < count_old P)%nat -> is_numeric P t = true -> in_box (old_shape P t) i = true -> numeric M Z (st t i)) ->
    forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
  Proof. intros R G1 G2 G3 G4. exact (repack_correct (words M) word_rules P k q st st' R G1 G2 G3 G4). Qed.
End Words.

(** No meaning at all: for the check alone. *)
Definition nothing_absorbing (neutral : string -> string -> option string) (zero : string) : absorbing (nothing neutral).
Proof.
  refine (@Absorbing (nothing neutral) zero (fun _ => True) _). exists (fun _ => True). repeat split; now destruct x.
Defined.

(** Floats of any precision: a finite number times a zero is a zero, and a sum from +0 is never -0. *)
Section Floats.
  Variables prec emax : BinNums.Z.
  Hypothesis prec_pos : (0 < prec)%Z.
  Variable decode : string -> spec_float.
  Variable one : string -> spec_float -> spec_float.
  Variable other : string -> spec_float -> spec_float -> spec_float.
  Hypothesis decode_zero : decode "0x0p+0" = S754_zero false.
  Hypothesis decode_least : decode "-inf" = S754_infinity true.
  Hypothesis decode_settled : forall s, FloatSum.settled prec emax (decode s).
  Hypothesis one_settled : forall f x, FloatSum.settled prec emax x -> FloatSum.settled prec emax (one f x).
  Hypothesis other_settled : forall f x y,
    FloatSum.settled prec emax x -> FloatSum.settled prec emax y -> FloatSum.settled prec emax (other f x y).

  Definition is_finite_float (x : spec_float) : Prop := match x with S754_zero _ | S754_finite _ _ _ => True | _ => False end.

  Definition floats_absorbing :
    absorbing (floats prec emax prec_pos decode one other decode_zero decode_least decode_settled one_settled other_settled).
  Proof.
    refine (@Absorbing (floats prec emax prec_pos decode one other decode_zero decode_least decode_settled one_settled
      other_settled)
              "0x0p+0" is_finite_float _).
    exists (fun x => FloatSum.settled prec emax x /\ x <> S754_zero true).
    split; [cbn; rewrite decode_zero; now split |]. split.
    - intros x y [X N] Y. cbn. split; [now apply FloatSum.add_settled | now apply FloatSum.add_not_minus_zero].
    - intros x w [X N] W. cbn. rewrite decode_zero. destruct w as [s | s | | s m e]; cbn in W; try contradiction; cbn;
        rewrite ?FloatSum.add_zero by exact N; auto.
  Defined.
End Floats.
