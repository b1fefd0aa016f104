(** * A kernel that passes the check computes the original's cells: the same scalars, bit for bit *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof kernel.Forms kernel.FormsProof.
From Calque Require Import kernel.Repack.
From Calque Require dpia.CellsNormal.
Import ListNotations.
Open Scope nat_scope.

(** ** Results *)

Lemma bind_ok {A B} (r : res A) (f : A -> res B) b : bind r f = Ok b -> exists a, r = Ok a /\ f a = Ok b.
Proof. destruct r as [a | v]; cbn; [eauto | discriminate]. Qed.

Lemma each_ok {A B} (f : A -> res B) l : forall m, each f l = Ok m -> Forall2 (fun a b => f a = Ok b) l m.
Proof.
  induction l as [| a l IH]; intros m E; cbn in E; [injection E as <-; constructor |].
  apply bind_ok in E as (b & Ea & E). apply bind_ok in E as (n & El & E). injection E as <-. constructor; auto.
Qed.

Lemma every_same {A} (f : A -> verdict) l : every f l = Same -> forall a, In a l -> f a = Same.
Proof.
  induction l as [| b l IH]; cbn; [intros _ a [] |]. destruct (f b) eqn:E; try discriminate.
  intros H a [<- | ina]; auto.
Qed.

Lemma unless_same wrong v : v <> Same -> unless wrong v = Same -> wrong = false.
Proof. now destruct wrong. Qed.

(** ** Equality as it is written *)

Lemma form_eqb_right f g : form_eqb f g = true -> f = g.
Proof. unfold form_eqb. destruct (form_cmp [] f g) eqn:E; try discriminate. intros _. now apply form_cmp_eq in E. Qed.

Lemma test_eqb_right s t : test_eqb s t = true -> s = t.
Proof.
  destruct s as [c f], t as [d g]. unfold test_eqb. cbn. intros H. apply andb_true_iff in H as [C F].
  apply form_eqb_right in F. subst. f_equal. now destruct c, d.
Qed.

Lemma same_list_right {A} (eqb : A -> A -> bool) l : (forall a, In a l -> forall b, eqb a b = true -> a = b) ->
  forall m, same_list eqb l m = true -> l = m.
Proof.
  induction l as [| a l IH]; intros ok [| b m] E; cbn in E; try discriminate; [reflexivity |].
  apply andb_true_iff in E as [Ea El]. f_equal.
  - apply ok; [now left | exact Ea].
  - apply IH; [intros c inc; apply ok; now right | exact El].
Qed.

(** ** Indices *)

(** The expressions have these values, however many loops are entered. *)
Definition means (sigma : list Z) (env : list ix) (rho : list Z) : Prop := forall k, map (eval_ix (sigma ++ k)) env = rho.

Lemma means_here sigma env rho : means sigma env rho -> map (eval_ix sigma) env = rho.
Proof. intros M. specialize (M []). now rewrite app_nil_r in M. Qed.

Lemma means_length sigma env rho : means sigma env rho -> length env = length rho.
Proof. intros M. rewrite <- (M []). now rewrite map_length. Qed.

Lemma means_subst sigma env rho l : means sigma env rho -> means sigma (map (subst_ix env) l) (map (eval_ix rho) l).
Proof. intros M k. rewrite map_map. apply map_ext. intros a. now rewrite eval_subst_ix, (M k). Qed.

Lemma means_levels sigma k k' : map (eval_ix ((sigma ++ k) ++ k')) (map IVar (seq (length sigma) (length k))) = k.
Proof.
  rewrite map_map. apply nth_ext with (d := eval_ix ((sigma ++ k) ++ k') (IVar 0)) (d' := 0%Z);
    rewrite map_length, seq_length; [reflexivity |].
  intros n lt. rewrite (map_nth (fun x => eval_ix ((sigma ++ k) ++ k') (IVar x))). rewrite seq_nth by exact lt. cbn [eval_ix].
  rewrite app_nth1 by (rewrite app_length; lia). rewrite app_nth2 by lia. f_equal. lia.
Qed.

Lemma means_under R ns sigma k env rho : length sigma = length R -> length k = length ns ->
  means sigma env rho -> means (sigma ++ k) (under R ns env) (k ++ rho).
Proof.
  intros lenR lenk M k'. unfold under. rewrite <- lenR, <- lenk, map_app. f_equal; [apply means_levels |].
  rewrite <- app_assoc. apply M.
Qed.

Lemma means_own sigma : means sigma (map IVar (seq 0 (length sigma))) sigma.
Proof. intros k. exact (means_levels [] sigma k). Qed.

Section Inside.
  Variables (R : list nat) (sigma : list Z).
  Hypothesis inside : in_box R sigma = true.

  Lemma normal_right a : divides a = true -> eval_form sigma (normal R a) = eval_ix sigma a.
  Proof. intros D. apply form_of_eval; [now apply in_box_inside | exact D]. Qed.

  Lemma normals_right l m : normals R l = Ok m -> map (eval_form sigma) m = map (eval_ix sigma) l.
  Proof.
    unfold normals. destruct (forallb divides l) eqn:D; [| discriminate]. intros E. injection E as <-.
    rewrite map_map. apply map_ext_in. intros a ina. apply normal_right. rewrite forallb_forall in D. auto.
  Qed.

  Lemma span_inside a lo hi : divides a = true -> span_form R (normal R a) = (lo, hi) -> (lo <= eval_ix sigma a <= hi)%Z.
  Proof.
    intros D E. rewrite <- (normal_right a D).
    pose proof (span_form_sound (fun _ => true) R sigma (normal R a) (in_box_inside R sigma inside)
                  (divides_form_of (fun _ => true) [] R a (fun _ _ => eq_refl) D)) as B.
    unfold within_span in B. rewrite E in B. exact B.
  Qed.

  (** ** Conditions *)

  Definition holds (t : test) : bool := eval_cmp (fst t) (eval_form sigma (snd t)) 0.

  Lemma shifted_eval k c f : eval_form sigma (shifted k c f) = (k + c * eval_form sigma f)%Z.
  Proof. unfold shifted. rewrite plus_eval. reflexivity. Qed.

  Lemma either_sign_zero f : (eval_form sigma (either_sign f) =? 0)%Z = (eval_form sigma f =? 0)%Z.
  Proof.
    unfold either_sign. destruct (form_cmp [] _ f); try reflexivity. rewrite shifted_eval.
    destruct (Z.eqb_spec (eval_form sigma f) 0), (Z.eqb_spec (0 + -1 * eval_form sigma f) 0); lia.
  Qed.

  Lemma test_of_right c a b f : eval_form sigma f = (eval_ix sigma a - eval_ix sigma b)%Z ->
    holds (test_of c f) = eval_cmp c (eval_ix sigma a) (eval_ix sigma b).
  Proof.
    intros E. unfold holds.
    destruct c; cbn [test_of fst snd eval_cmp]; rewrite ?either_sign_zero, ?shifted_eval, E;
      apply eq_true_iff_eq; rewrite ?negb_true_iff, ?Z.leb_le, ?Z.ltb_lt, ?Z.eqb_eq, ?Z.eqb_neq; lia.
  Qed.

  Lemma decided_right t b : (forall lo hi, span_form R (snd t) = (lo, hi) -> (lo <= eval_form sigma (snd t) <= hi)%Z) ->
    decided R t = Some b -> holds t = b.
  Proof.
    destruct t as [c f]. unfold decided, holds. cbn [fst snd]. intros B. destruct (span_form R f) as [lo hi].
    specialize (B lo hi eq_refl). set (z := eval_form sigma f) in *.
    destruct c; try discriminate; cbn [eval_cmp];
      repeat match goal with |- context [if ?b then _ else _] => destruct b eqn:?X end; intros E; try discriminate;
        injection E as <-;
      rewrite ?andb_true_iff, ?orb_true_iff, ?Z.leb_le, ?Z.ltb_lt in *;
      try (apply Z.leb_le; lia); try (apply Z.leb_gt; lia); try (apply Z.eqb_eq; lia); try (apply Z.eqb_neq; lia);
      try (apply negb_true_iff, Z.eqb_neq; lia); try (apply negb_false_iff, Z.eqb_eq; lia).
  Qed.

  Lemma insert_holds t l : forallb holds (insert t l) = holds t && forallb holds l.
  Proof.
    induction l as [| u l IH]; cbn [insert forallb]; [reflexivity |]. destruct (then_cmp _ _); cbn [forallb].
    - destruct (test_eqb t u) eqn:E; cbn [forallb]; [| reflexivity]. apply test_eqb_right in E. subst u.
      now destruct (holds t).
    - reflexivity.
    - rewrite IH. now destruct (holds t), (holds u).
  Qed.

  Lemma divides_test c f : divides_form (fun _ => true) f = true -> divides_form (fun _ => true) (snd (test_of c f)) = true.
  Proof.
    assert (sh : forall k c, divides_form (fun _ => true) f = true -> divides_form (fun _ => true) (shifted k c f) = true).
    { intros k c' D. unfold shifted. apply divides_plus; [reflexivity | exact D]. }
    intros D. destruct c; cbn [test_of snd]; auto; unfold either_sign; destruct (form_cmp [] _ f); auto.
  Qed.

  Lemma opened_right env rho c : means sigma env rho -> forall acc o, opened R env c acc = Ok o ->
    match o with
    | Some l => forallb holds l = eval_cond rho c && forallb holds acc
    | None => eval_cond rho c = false
    end.
  Proof.
    intros M. induction c as [c a b | c IHc d IHd]; intros acc o E; cbn [opened] in E.
    - set (less := ISub (subst_ix env a) (subst_ix env b)) in *.
      destruct (divides less) eqn:D; [| discriminate].
      assert (H : holds (test_of c (normal R less)) = eval_cond rho (CCmp c a b)).
      { cbn [eval_cond]. rewrite (test_of_right c (subst_ix env a) (subst_ix env b)).
        - rewrite !eval_subst_ix. now rewrite (means_here _ _ _ M).
        - exact (normal_right less D). }
      assert (B : forall lo hi, span_form R (snd (test_of c (normal R less))) = (lo, hi) ->
                (lo <= eval_form sigma (snd (test_of c (normal R less))) <= hi)%Z).
      { intros lo hi X. pose proof (span_form_sound (fun _ => true) R sigma (snd (test_of c (normal R less)))
                                     (in_box_inside R sigma inside)) as B.
        unfold within_span in B. rewrite X in B. apply B. apply divides_test, divides_form_of; auto.  }
      revert E H B. generalize (test_of c (normal R less)) as t. intros t E H B. injection E as <-.
      rewrite <- H. destruct (decided R t) as [[] |] eqn:X.
      + apply decided_right in X; [now rewrite X | exact B].
      + apply decided_right in X; [exact X | exact B].
      + apply insert_holds.
    - apply bind_ok in E as (o' & Ec & E). apply IHc in Ec. cbn [eval_cond]. destruct o' as [acc' |].
      + apply IHd in E. destruct o as [l |]; [| now rewrite E, andb_false_r].
        rewrite E, Ec. rewrite andb_assoc. f_equal. apply andb_comm.
      + injection E as <-. now rewrite Ec.
  Qed.
End Inside.

(** ** Places of packed cells *)

Lemma map_removelast {A B} (f : A -> B) l : map f (removelast l) = removelast (map f l).
Proof. induction l as [| a [| b l] IH]; try reflexivity. cbn [map removelast] in *. now rewrite IH. Qed.

Lemma map_last {A B} (f : A -> B) l a : last (map f l) (f a) = f (last l a).
Proof. induction l as [| b [| c l] IH]; try reflexivity. exact IH. Qed.

Lemma place_ix_eval e l rho : map (eval_ix rho) (place_ix e l) = place_at e (map (eval_ix rho) l).
Proof.
  unfold place_ix, place_at, row_ix.
  assert (L : last (map (eval_ix rho) l) 0%Z = eval_ix rho (last l (ICst 0))) by exact (map_last (eval_ix rho) l (ICst 0)).
  assert (H : hd 0%Z (map (eval_ix rho) l) = eval_ix rho (hd (ICst 0) l)) by now destruct l.
  assert (T : tl (map (eval_ix rho) l) = map (eval_ix rho) (tl l)) by now destruct l.
  rewrite L, H, T. destruct (panel e); cbn [map];
    rewrite map_app, map_cons, <- firstn_map, <- skipn_map, map_removelast; reflexivity.
Qed.

Lemma nth_place {A} (l m : list A) x d : nth (length l) (l ++ x :: m) d = x.
Proof. rewrite app_nth2 by lia. now rewrite Nat.sub_diag. Qed.

(** What [ordered] says of a cell inside: where it comes from is inside if its row is. *)
Section Place.
  Variables (e : packed) (old new : list nat).
  Hypothesis ord : ordered e old new = true.

  Definition row_at (i : list Z) : Z :=
    match panel e with O => last i 0%Z | n => (last i 0 + hd 0 i * Z.of_nat n)%Z end.
  Definition mids (i : list Z) : list Z := match panel e with O => removelast i | _ => removelast (tl i) end.

  Lemma place_at_parts i : place_at e i = firstn (axis e) (mids i) ++ row_at i :: skipn (axis e) (mids i).
  Proof. unfold place_at, row_at, mids. now destruct (panel e). Qed.

  Lemma row_ix_eval l rho : eval_ix rho (row_ix e l) = row_at (map (eval_ix rho) l).
  Proof.
    unfold row_ix, row_at.
    assert (L : last (map (eval_ix rho) l) 0%Z = eval_ix rho (last l (ICst 0))) by exact (map_last (eval_ix rho) l (ICst 0)).
    assert (H : hd 0%Z (map (eval_ix rho) l) = eval_ix rho (hd (ICst 0) l)) by now destruct l.
    rewrite L, H. now destruct (panel e).
  Qed.

  Lemma ordered_parts : axis e < length old /\ rows e = nth (axis e) old 0 /\
    match panel e with
    | O => new = others e old ++ [width e new]
    | n => exists q, new = q :: others e old ++ [n] /\ width e new = q * n
    end.
  Proof.
    unfold ordered in ord. rewrite !andb_true_iff in ord. destruct ord as [[[P E] _] O].
    apply Nat.ltb_lt in P. apply Nat.eqb_eq in E. split; [exact P |]. split; [exact E |]. unfold width.
    destruct (panel e) as [| n].
    - now apply dims_eqb_eq.
    - apply dims_eqb_eq in O. exists (hd 0 new). split; [exact O | reflexivity].
  Qed.

  Lemma mids_inside i : in_box new i = true ->
    in_box (others e old) (mids i) = true /\ (0 <= row_at i < Z.of_nat (width e new))%Z.
  Proof.
    intros I. destruct ordered_parts as (_ & _ & O). unfold mids, row_at.
    destruct (panel e) as [| n] eqn:E.
    - rewrite O in I. apply in_box_split in I as (j & r & -> & J & I). destruct r as [| z [| ? ?]]; try discriminate.
      + rewrite removelast_last, last_last. split; [exact J |]. apply in_box_cons in I as [I _]. exact I.
      + cbn in I. now rewrite andb_false_r in I.
    - destruct O as (q & -> & W). rewrite W. destruct i as [| y i]; [discriminate |]. apply in_box_cons in I as [Y I].
      apply in_box_split in I as (j & r & -> & J & I). destruct r as [| z [| ? ?]]; try discriminate.
      + cbn [tl hd]. rewrite removelast_last. split; [exact J |]. apply in_box_cons in I as [I _].
        replace (last (y :: j ++ [z]) 0%Z) with z by (rewrite app_comm_cons, last_last; reflexivity). nia.
      + cbn in I. now rewrite andb_false_r in I.
  Qed.

  Lemma others_length : length (firstn (axis e) old) = axis e.
  Proof. destruct ordered_parts as (P & _ & _). apply firstn_length_le. lia. Qed.

  Lemma place_inside i : in_box new i = true -> (row_at i < Z.of_nat (rows e))%Z ->
    in_box old (place_at e i) = true /\ nth (axis e) (place_at e i) 0%Z = row_at i.
  Proof.
    intros I lt. destruct (mids_inside i I) as [J [lo _]]. destruct ordered_parts as (P & E & _).
    rewrite place_at_parts. unfold others in J. apply in_box_split in J as (a & b & M & A & B).
    assert (len : length a = axis e) by (rewrite (in_box_length _ _ A); apply others_length).
    assert (F : firstn (axis e) (a ++ b) = a).
    { rewrite <- len, firstn_app, Nat.sub_diag, firstn_all. apply app_nil_r. }
    assert (K : skipn (axis e) (a ++ b) = b) by (rewrite <- len, skipn_app, Nat.sub_diag, skipn_all; reflexivity).
    rewrite M, F, K. split; [| rewrite <- len; apply nth_place].
    rewrite <- (firstn_skipn (axis e) old), in_box_app by (rewrite len; symmetry; apply others_length).
    rewrite A. cbn [andb].
    assert (S_ : skipn (axis e) old = nth (axis e) old 0 :: skipn (S (axis e)) old).
    { clear -P. revert P. generalize (axis e) as p. induction old as [| n l IH]; intros [| p] P; cbn in *; try lia;
        [reflexivity |].
      apply IH. lia. }
    rewrite S_. apply in_box_cons. rewrite <- E. split; [lia | exact B].
  Qed.
End Place.
