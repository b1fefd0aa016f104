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
              (usual M) (numeric M Z) (fun _ _ => false) (fun _ => false) (fun z => z) (fun _ _ => True)
              (fun _ => false) (fun _ => false) (fun _ => false) _ _ _ _ _ _ _ _ _ _ _ _ _); cbn.
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
    - intros; discriminate.
    - intros; discriminate.
    - intros; discriminate.
  Defined.

  Definition repack_words (P : packing) (k q : prog (words M)) : verdict := repack word_rules P k q.

  Theorem repacked_words (P : packing) (k q : prog (words M)) (st st' : store (words M)) :
    repack_words P k q = Same -> packed_store P st st' ->
    (forall t i, in_box (old_shape P t) i = true -> usual M (st t i)) ->
    (forall t i, in_box (new_shape P t) i = true -> usual M (st' t i)) ->
    (forall t i, (t < count_old P)%nat -> is_numeric P t = true -> in_box (old_shape P t) i = true -> numeric M Z (st t i)) ->
    forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
  Proof.
    intros R G1 G2 G3 G4. apply (repack_correct (words M) word_rules P k q st st' R G1 G2 G3).
    intros t i lt I_. split; [intros N; now apply (G4 t) | intros s _; exact I].
  Qed.
End Words.

Definition adding (s : bool) : string := if s then "-" else "+".

(** The same with products that are not rounded, of the word "exact": what a sum of such is before something clean is added to it,
    or subtracted, does not depend on whether products of [e_nought] and a number are added, or [e_left_out].  The least of a
    number and [e_most] is the number, that of it and [e_negative] such that a product with [e_nought] is like [e_left_out]. *)
Record exact_absorbing (M : reading) := ExactAbsorbing {
  e_nought : string;
  e_left_out : string;
  e_most : string;
  e_negative : string;
  e_numeric : number M -> Prop;
  e_clean : bool -> number M -> Prop;
  e_absorbed : exists alike : number M -> number M -> Prop,
    alike (of_literal M e_nought) (of_literal M e_nought) /\
    (forall x y v, alike x y -> alike (of_two M "+" x v) (of_two M "+" y v)) /\
    (forall x y w, alike x y -> e_numeric w ->
       alike (of_two M "+" x (of_two M "exact" (of_literal M e_nought) w)) (of_two M "+" y (of_literal M e_left_out)) /\
       alike (of_two M "+" x (of_two M "exact" w (of_literal M e_nought))) (of_two M "+" y (of_literal M e_left_out))) /\
    (forall s x y b, alike x y -> e_clean s b -> of_two M (adding s) x b = of_two M (adding s) y b);
  e_most_right : forall w, e_numeric w -> of_two M "min" w (of_literal M e_most) = w;
  e_negative_right : forall x w, e_numeric w ->
    of_two M "+" x (of_two M "exact" (of_literal M e_nought) (of_two M "min" w (of_literal M e_negative))) =
    of_two M "+" x (of_literal M e_left_out) }.

Section Fused.
  Variables (M : reading) (Z : exact_absorbing M).

  Definition fused_rules : rules (words M).
  Proof.
    refine (@Rules (words M) String.eqb String.eqb String.eqb (fun r q => (fst r =? fst q) && (snd r =? snd q))
              (fun r => (fst r =? "+") && (snd r =? e_nought M Z)) (fun _ => false) (fun c => c =? e_nought M Z)
              (fun _ => True) (e_numeric M Z) (fun s o => o =? adding s) (fun f => f =? "exact") (fun _ => e_left_out M Z)
              (e_clean M Z) (fun g => g =? "min") (fun c => c =? e_most M Z) (fun c => c =? e_negative M Z)
              _ _ _ _ _ _ _ _ _ _ _ _ _); cbn; try (intros; exact I).
    1, 2, 3: intros a b E; now apply String.eqb_eq.
    - intros [a b] [c d] E. apply andb_true_iff in E as [E F]. cbn in E, F. apply String.eqb_eq in E, F. now subst.
    - intros r _. exists (fun _ => True). split; [exact I |]. split; [trivial |]. intros; discriminate.
    - intros [f s] subtracts o E O. apply andb_true_iff in E as [E F]. cbn in E, F. apply String.eqb_eq in E, F, O. subst.
      destruct (e_absorbed M Z) as (alike & start & step & none & seen). exists alike. cbn. split; [exact start |].
      split; [exact step |]. split; [| exact (seen subtracts)]. intros x y f z w K X N W. apply String.eqb_eq in X, N. subst.
      now apply none.
    - intros g c w L C W. apply String.eqb_eq in L, C. subst. now apply e_most_right.
    - intros [f s] f' g z c w x E X L N C W. apply andb_true_iff in E as [E F]. cbn in E, F.
      apply String.eqb_eq in E, F, X, L, N, C.
      subst. cbn. now apply e_negative_right.
  Defined.

  Definition repack_fused (P : packing) (k q : prog (words M)) : verdict := repack fused_rules P k q.

  Theorem repacked_fused (P : packing) (k q : prog (words M)) (st st' : store (words M)) :
    repack_fused P k q = Same -> packed_store P st st' ->
    (forall t i, (t < count_old P)%nat -> in_box (old_shape P t) i = true ->
       (is_numeric P t = true -> e_numeric M Z (st t i)) /\ (forall s, is_clean P s t = true -> e_clean M Z s (st t i))) ->
    forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
  Proof.
    intros R G H. exact (repack_correct (words M) fused_rules P k q st st' R G (fun _ _ _ => I) (fun _ _ _ => I) H).
  Qed.
End Fused.

(** No meaning at all: for the check alone. *)
Definition nothing_absorbing (neutral : string -> string -> option string) (zero : string) : absorbing (nothing neutral).
Proof.
  refine (@Absorbing (nothing neutral) zero (fun _ => True) _). exists (fun _ => True). repeat split; now destruct x.
Defined.

Definition nothing_exact (neutral : string -> string -> option string) (zero minus_zero most negative : string) :
  exact_absorbing (nothing neutral).
Proof.
  refine (@ExactAbsorbing (nothing neutral) zero minus_zero most negative (fun _ => True) (fun _ _ => True) _ _ _).
  - exists (fun _ _ => True). repeat split.
  - now intros [] _.
  - reflexivity.
Defined.

(** Formal floats of any precision: exact products of a finite number and a zero are zeros, the sign of a sum that is 0 depends on
    them, and adding what is not -0 makes up for that. *)
Section FormalFloats.
  Variables prec emax : BinNums.Z.
  Variable decode : string -> spec_float.
  Variable one : string -> spec_float -> spec_float.
  Variable other : string -> spec_float -> spec_float -> spec_float.
  Hypothesis decode_zero : decode "0x0p+0" = S754_zero false.
  Hypothesis decode_minus_zero : decode "-0x0p+0" = S754_zero true.
  Hypothesis decode_least : decode "-inf" = S754_infinity true.
  Hypothesis decode_most : decode "inf" = S754_infinity false.
  Hypothesis decode_negative : exists m e, decode "-0x1p+0" = S754_finite true m e.
  Hypothesis other_minus : forall x y, other "-" x y = SFsub prec emax x y.
  Hypothesis other_min : forall x y, other "min" x y = if SFltb y x then y else x.
  Notation floats := (fused_floats prec emax decode one other decode_minus_zero decode_least).
  Notation plain := (plain_floats prec emax decode other).
  Notation rounded x := (Fma.Rounded (S := plain) x).

  Definition numeric_number (v : number floats) : Prop :=
    match v : Fma.formal_number plain with
    | Fma.Rounded x => FloatSum.is_zero x \/ exists s m e, x = S754_finite s m e
    | _ => False
    end.
  Definition clean_number (s : bool) (v : number floats) : Prop :=
    match v : Fma.formal_number plain with Fma.Rounded x => x <> S754_zero (negb s) | _ => False end.

  (** 0 times what is negative is -0. *)
  Lemma nought_negative m e (a : spec_float) :
    FloatFma.SFfma prec emax (S754_zero false) (S754_finite true m e) a = a.
  Proof. now destruct a as [[] | | |]. Qed.

  Lemma least_negative x m e : FloatSum.is_zero x \/ (exists s m e, x = S754_finite s m e) ->
    exists m' e', (if SFltb (S754_finite true m e) x then S754_finite true m e else x) = S754_finite true m' e'.
  Proof.
    intros [Z | (s & m' & e' & ->)]; [destruct x; try contradiction; cbn; eauto |].
    destruct s; [| cbn; eauto]. destruct (SFltb _ _); eauto.
  Qed.

  (** Two numbers that are the same but for the sign of a zero. *)
  Definition same_or_zeros (x y : number floats) : Prop :=
    exists a b : spec_float, x = rounded a /\ y = rounded b /\ (a = b \/ FloatSum.is_zero a /\ FloatSum.is_zero b).

  Definition floats_exact_absorbing : exact_absorbing floats.
  Proof.
    refine (@ExactAbsorbing floats "0x0p+0" "-0x0p+0" "inf" "-0x1p+0" numeric_number clean_number _ _ _).
    1: exists same_or_zeros; split; [| split; [| split]].
    - exists (decode "0x0p+0"), (decode "0x0p+0"). auto.
    - intros x y v (a & b & -> & -> & [-> | [A B]]).
      + destruct v as [u | p q]; cbn; do 2 eexists; (split; [reflexivity | split; [reflexivity | now left]]).
      + destruct a as [s | | |], b as [t | | |]; try contradiction. destruct v as [u | p q]; cbn.
        * exists (SFadd prec emax (S754_zero s) u), (SFadd prec emax (S754_zero t) u). split; [reflexivity |].
          split; [reflexivity |].
          destruct u as [r | r | | r m e]; try (now left). right. cbn. destruct (Bool.eqb s r), (Bool.eqb t r); split; exact I.
        * exists (FloatFma.SFfma prec emax p q (S754_zero s)), (FloatFma.SFfma prec emax p q (S754_zero t)).
          split; [reflexivity |]. split; [reflexivity |].
          destruct p as [r | r | | r m e], q as [r' | r' | | r' m' e']; try (now left);
            right; cbn; destruct (Bool.eqb _ s), (Bool.eqb _ t); split; exact I.
    - intros x y w (a & b & -> & -> & AB) W. destruct w as [u | p q]; [| contradiction]. cbn in W.
      assert (K : forall c,
        same_or_zeros (rounded (SFadd prec emax (S754_zero c) a)) (rounded (SFadd prec emax b (S754_zero true)))).
      { intros c. rewrite FloatFma.add_minus_zero. do 2 eexists. split; [reflexivity |]. split; [reflexivity |].
        destruct a as [s | s | | s m e].
        - right. split; [cbn; destruct (Bool.eqb c s); exact I |]. destruct AB as [<- | [_ B]]; [exact I | exact B].
        - left. destruct AB as [<- | [A _]]; [reflexivity | contradiction].
        - left. destruct AB as [<- | [A _]]; [reflexivity | contradiction].
        - left. destruct AB as [<- | [A _]]; [reflexivity | contradiction]. }
      cbn. rewrite decode_zero, decode_minus_zero.
      destruct W as [W | (s & m & e & ->)]; [destruct u as [r | | |]; try contradiction |]; split; apply K.
    - intros minus x y w (a & b & -> & -> & [-> | [A B]]) C; [reflexivity |]. destruct w as [c | p q]; [| contradiction].
      destruct a as [s | | |], b as [t | | |]; try contradiction. cbn in C. destruct minus; cbn in C |- *; f_equal.
      + unfold float_two. cbn. rewrite !other_minus.
        destruct c as [[|] | r | | r m e]; try reflexivity; [| now elim C]. now destruct s, t.
      + destruct c as [[|] | r | | r m e]; try reflexivity; [now elim C |]. now destruct s, t.
    - intros w W. destruct w as [u | p q]; [| contradiction]. cbn in W. cbn. unfold float_two. cbn.
      rewrite other_min, decode_most.
      destruct W as [W | (s & m & e & ->)]; [destruct u as [r | | |]; try contradiction |]; reflexivity.
    - intros x w W. destruct w as [u | p q]; [| contradiction]. cbn in W. destruct decode_negative as (m & e & N).
      cbn. unfold float_two. cbn. rewrite other_min, N, decode_zero, decode_minus_zero.
      destruct (least_negative u m e W) as (m' & e' & ->). now rewrite FloatFma.add_minus_zero, nought_negative.
  Defined.
End FormalFloats.

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
