(** * A sum of floats that starts at +0 is never -0

    Floats are the library's [SpecFloat], rounded to nearest even, for any precision.  Adding two numbers gives 0 only
    if they are opposite, and then +0: an exact sum of numbers that are multiples of the least positive one is such a
    multiple, and does not round to 0.  So +0 and -0 can be added to such a sum, or left out: that is what padding by
    zeros, and a guard around an addition, rest on.  [settled] is what valid floats have that is needed; products are
    so whatever their factors. *)

From Coq Require Import Bool List Lia ZArith.
From Coq.Floats Require Import SpecFloat.
Import ListNotations.
Open Scope Z_scope.

Section Sum.
  Variables prec emax : Z.
  Hypothesis prec_pos : 0 < prec.
  Notation emin := (emin prec emax).
  Notation fexp := (fexp prec emax).
  Notation SFadd := (SFadd prec emax).
  Notation SFmul := (SFmul prec emax).
  Notation zero := (S754_zero false).
  Notation minus_zero := (S754_zero true).

  (** A multiple of the least positive number, or no number at all. *)
  Definition settled (x : spec_float) : Prop := match x with S754_finite _ _ e => emin <= e | _ => True end.

  Lemma fexp_least e : emin <= fexp e.
  Proof. unfold SpecFloat.fexp. lia. Qed.

  Theorem valid_settled x : valid_binary prec emax x = true -> settled x.
  Proof.
    destruct x as [s | s | | s m e]; cbn; try easy. unfold bounded, canonical_mantissa. intros H.
    apply andb_true_iff in H. destruct H as [H _]. apply Zeq_bool_eq in H. pose proof (fexp_least (Zpos (digits2_pos m) + e)). lia.
  Qed.

  (** ** Rounding keeps what is not 0 *)

  Fixpoint times {A} (f : A -> A) (n : nat) (x : A) : A := match n with O => x | S n' => f (times f n' x) end.

  Lemma times_last {A} (f : A -> A) n x : times f n (f x) = f (times f n x).
  Proof. induction n as [| n IH]; [reflexivity | cbn; now rewrite IH]. Qed.

  Lemma times_add {A} (f : A -> A) n m x : times f n (times f m x) = times f (n + m) x.
  Proof. induction n as [| n IH]; [reflexivity | cbn; now rewrite IH]. Qed.

  Lemma iter_times {A} (f : A -> A) p : forall x, iter_pos f p x = times f (Pos.to_nat p) x.
  Proof.
    induction p as [p IH | p IH |]; intros x; cbn [iter_pos].
    - rewrite !IH, times_add, times_last. change (f (times f (Pos.to_nat p + Pos.to_nat p) x)) with (times f (S (Pos.to_nat p + Pos.to_nat p)) x).
      f_equal. lia.
    - rewrite !IH, times_add. f_equal. lia.
    - reflexivity.
  Qed.

  (** Fewer bits off than there are. *)
  Lemma shr_1_pos p r s : (1 < digits2_pos p)%positive ->
    exists q r' s', shr_1 (Build_shr_record (Zpos p) r s) = Build_shr_record (Zpos q) r' s' /\ (Pos.succ (digits2_pos q) = digits2_pos p)%positive.
  Proof. destruct p as [p | p |]; cbn; intros H; try lia; [exists p, true, (r || s) | exists p, false, (r || s)]; now split. Qed.

  Lemma shr_pos n : forall p r s, Z.of_nat n < Zpos (digits2_pos p) ->
    exists q, shr_m (times shr_1 n (Build_shr_record (Zpos p) r s)) = Zpos q.
  Proof.
    assert (forall n p r s, Z.of_nat n < Zpos (digits2_pos p) ->
      exists q r' s', times shr_1 n (Build_shr_record (Zpos p) r s) = Build_shr_record (Zpos q) r' s' /\
        Zpos (digits2_pos q) = Zpos (digits2_pos p) - Z.of_nat n) as go.
    { clear n. induction n as [| n IH]; intros p r s lt.
      - exists p, r, s. split; [reflexivity | cbn; lia].
      - destruct (IH p r s ltac:(lia)) as (q & r' & s' & E & D). cbn [times]. rewrite E.
        destruct (shr_1_pos q r' s') as (q' & r2 & s2 & E' & D'); [lia |].
        exists q', r2, s2. split; [exact E' | lia]. }
    intros p r s lt. destruct (go n p r s lt) as (q & r' & s' & -> & _). now exists q.
  Qed.

  Lemma record_of_loc m l : exists r s, shr_record_of_loc m l = Build_shr_record m r s.
  Proof. destruct l as [| [| |]]; cbn; eauto. Qed.

  Lemma shr_fexp_least m e l : emin <= e -> emin <= snd (shr_fexp prec emax m e l).
  Proof.
    intros H. unfold shr_fexp, shr. destruct (fexp _ - e) as [| p | p] eqn:E; cbn; try lia.
  Qed.

  Lemma shr_fexp_settled m e l : emin <= snd (shr_fexp prec emax m e l).
  Proof.
    unfold shr_fexp, shr. pose proof (fexp_least (Zdigits2 m + e)) as H.
    destruct (fexp _ - e) as [| p | p] eqn:E; cbn [snd]; lia.
  Qed.

  Lemma shr_fexp_pos p e l : emin <= e -> exists q, shr_m (fst (shr_fexp prec emax (Zpos p) e l)) = Zpos q.
  Proof.
    intros H. unfold shr_fexp. destruct (record_of_loc (Zpos p) l) as (r & s & ->). unfold shr. cbn [Zdigits2].
    destruct (fexp (Zpos (digits2_pos p) + e) - e) as [| k | k] eqn:E; cbn [fst]; try (exists p; reflexivity).
    rewrite iter_times. apply shr_pos. unfold SpecFloat.fexp in E. lia.
  Qed.

  Lemma nearest_pos p l : exists q, round_nearest_even (Zpos p) l = Zpos q.
  Proof.
    destruct l as [| [| |]]; unfold round_nearest_even; [| destruct (Z.even (Zpos p)) | |]; eexists; reflexivity.
  Qed.

  Lemma round_settled s m e l : settled (binary_round_aux prec emax s m e l).
  Proof.
    unfold binary_round_aux. destruct (shr_fexp prec emax m e l) as [a e'].
    pose proof (shr_fexp_settled (round_nearest_even (shr_m a) (loc_of_shr_record a)) e' loc_Exact) as H.
    destruct (shr_fexp prec emax _ e' loc_Exact) as [b e'']. cbn [snd] in H.
    destruct (shr_m b); try exact I. now destruct (Zle_bool _ _).
  Qed.

  Lemma round_not_zero s p e l t : emin <= e -> binary_round_aux prec emax s (Zpos p) e l <> S754_zero t.
  Proof.
    intros H. unfold binary_round_aux. pose proof (shr_fexp_pos p e l H) as P. pose proof (shr_fexp_least (Zpos p) e l H) as H'.
    destruct (shr_fexp prec emax (Zpos p) e l) as [a e']. cbn [fst snd] in P, H'. destruct P as [q ->].
    destruct (nearest_pos q (loc_of_shr_record a)) as [q' ->].
    pose proof (shr_fexp_pos q' e' loc_Exact H') as P. destruct (shr_fexp prec emax _ e' loc_Exact) as [b e'']. cbn [fst] in P.
    destruct P as [q2 ->]. destruct (Zle_bool _ _); discriminate.
  Qed.

  Lemma normalize_settled m e z : settled (binary_normalize prec emax m e z).
  Proof.
    destruct m as [| p | p]; cbn; [exact I | |]; unfold binary_round; destruct (shl_align _ _ _); apply round_settled.
  Qed.

  Lemma align_least p e : emin <= e -> emin <= snd (shl_align p e (fexp (Zpos (digits2_pos p) + e))).
  Proof.
    intros H. unfold shl_align. pose proof (fexp_least (Zpos (digits2_pos p) + e)). destruct (_ - e); cbn [snd]; lia.
  Qed.

  Lemma normalize_not_minus m e : emin <= e -> binary_normalize prec emax m e false <> minus_zero.
  Proof.
    intros H. destruct m as [| p | p]; cbn; [discriminate | |]; unfold binary_round; pose proof (align_least p e H) as A;
      destruct (shl_align _ _ _) as [q e']; cbn [snd] in A; now apply round_not_zero.
  Qed.

  (** ** Sums *)

  Theorem product_settled x y : settled (SFmul x y).
  Proof.
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; try exact I. apply round_settled.
  Qed.

  Theorem add_settled x y : settled x -> settled y -> settled (SFadd x y).
  Proof.
    destruct x as [s | s | | s m e], y as [t | t | | t n f]; cbn; intros X Y; try exact I; try assumption;
      try (destruct (eqb s t); exact I). apply normalize_settled.
  Qed.

  Theorem add_not_minus_zero x y : settled x -> settled y -> x <> minus_zero -> SFadd x y <> minus_zero.
  Proof.
    intros X Y N. destruct x as [[|] | s | | s m e]; [easy | | | |]; destruct y as [[|] | t | | t n f]; cbn; try discriminate;
      try (destruct (eqb _ _); discriminate). apply normalize_not_minus. cbn in X, Y. lia.
  Qed.

  (** A zero of either sign changes no number but -0. *)
  Theorem add_zero x s : x <> minus_zero -> SFadd x (S754_zero s) = x.
  Proof. destruct x as [[|] | t | | t m e]; intros N; try reflexivity; [easy | now destruct s]. Qed.

  Lemma sum_from l : forall a, settled a -> a <> minus_zero -> Forall settled l ->
    settled (fold_left SFadd l a) /\ fold_left SFadd l a <> minus_zero.
  Proof.
    induction l as [| x l IH]; intros a A N F; [now split |]. inversion F; subst. cbn [fold_left].
    apply IH; [now apply add_settled | now apply add_not_minus_zero | assumption].
  Qed.

  Theorem settled_sum_not_minus_zero l : Forall settled l -> fold_left SFadd l zero <> minus_zero.
  Proof. intros F. now apply sum_from. Qed.

  Theorem valid_sum_not_minus_zero l : Forall (fun x => valid_binary prec emax x = true) l -> fold_left SFadd l zero <> minus_zero.
  Proof. intros F. apply settled_sum_not_minus_zero. revert F. apply Forall_impl. apply valid_settled. Qed.

  (** Terms that differ only in zeros have one sum. *)
  Definition is_zero (x : spec_float) : Prop := match x with S754_zero _ => True | _ => False end.

  Theorem sum_up_to_zeros (l m : list spec_float) :
    Forall2 (fun x y => x = y /\ settled x \/ is_zero x /\ is_zero y) l m -> fold_left SFadd l zero = fold_left SFadd m zero.
  Proof.
    assert (forall a, settled a -> a <> minus_zero -> Forall2 (fun x y => x = y /\ settled x \/ is_zero x /\ is_zero y) l m ->
              fold_left SFadd l a = fold_left SFadd m a) as go.
    { intros a A N F. revert a A N. induction F as [| x y l m E F IH]; intros a A N; [reflexivity |]. cbn [fold_left].
      destruct E as [[-> X] | [X Y]].
      - apply IH; [now apply add_settled | now apply add_not_minus_zero].
      - destruct x as [s | | |], y as [t | | |]; try contradiction. rewrite !add_zero by exact N. now apply IH. }
    now apply go.
  Qed.
End Sum.

(** The two formats. *)
Theorem sum_not_minus_zero_32 l :
  Forall (fun x => valid_binary 24 128 x = true) l -> fold_left (SFadd 24 128) l (S754_zero false) <> S754_zero true.
Proof. now apply valid_sum_not_minus_zero. Qed.

Theorem sum_not_minus_zero_64 l :
  Forall (fun x => valid_binary 53 1024 x = true) l -> fold_left (SFadd 53 1024) l (S754_zero false) <> S754_zero true.
Proof. now apply valid_sum_not_minus_zero. Qed.

(** Of products nothing is asked. *)
Theorem products_not_minus_zero_32 l :
  fold_left (fun a xy => SFadd 24 128 a (SFmul 24 128 (fst xy) (snd xy))) l (S754_zero false) <> S754_zero true.
Proof.
  assert (fold_left (fun a xy => SFadd 24 128 a (SFmul 24 128 (fst xy) (snd xy))) l (S754_zero false) =
          fold_left (SFadd 24 128) (map (fun xy => SFmul 24 128 (fst xy) (snd xy)) l) (S754_zero false)) as ->.
  { generalize (S754_zero false). induction l as [| x l IH]; intros a; [reflexivity | apply IH]. }
  apply settled_sum_not_minus_zero; [reflexivity |]. apply Forall_forall. intros x inx. apply in_map_iff in inx.
  destruct inx as (xy & <- & _). now apply product_settled.
Qed.

Theorem products_not_minus_zero_64 l :
  fold_left (fun a xy => SFadd 53 1024 a (SFmul 53 1024 (fst xy) (snd xy))) l (S754_zero false) <> S754_zero true.
Proof.
  assert (fold_left (fun a xy => SFadd 53 1024 a (SFmul 53 1024 (fst xy) (snd xy))) l (S754_zero false) =
          fold_left (SFadd 53 1024) (map (fun xy => SFmul 53 1024 (fst xy) (snd xy)) l) (S754_zero false)) as ->.
  { generalize (S754_zero false). induction l as [| x l IH]; intros a; [reflexivity | apply IH]. }
  apply settled_sum_not_minus_zero; [reflexivity |]. apply Forall_forall. intros x inx. apply in_map_iff in inx.
  destruct inx as (xy & <- & _). now apply product_settled.
Qed.

(** Instances: the terms are valid; a zero of either sign is left out. *)
Example valid_terms : fold_left (SFadd 24 128)
    [S754_zero true; S754_finite true 1 (-149); S754_finite false 1 (-149); S754_zero true; S754_nan] (S754_zero false) <> S754_zero true.
Proof. apply sum_not_minus_zero_32. repeat constructor. Qed.

Example zeros_left_out :
  fold_left (SFadd 24 128) [S754_zero true; S754_finite true 8388608 (-23)] (S754_zero false) =
  fold_left (SFadd 24 128) [S754_zero false; S754_finite true 8388608 (-23)] (S754_zero false).
Proof. apply sum_up_to_zeros; [reflexivity |]. constructor; [right; split; exact I |]. constructor; [left; split; [reflexivity | cbn; discriminate] | constructor]. Qed.
