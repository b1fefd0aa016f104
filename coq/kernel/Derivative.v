(** * The tangent is the derivative over the reals

    For kernels over Coq's real numbers: along every differentiable curve of stores,
    wherever the kernel is smooth, its values are differentiable and their derivative
    is the tangent.  Uses the axioms of the standard library's real numbers; nothing
    but [GradientReal] depends on it. *)

From Coq Require Import Bool List ZArith Reals Lra.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Numbers kernel.Sums kernel.Gradient.
From Calque Require Import kernel.GradientNumbers kernel.SweepProof kernel.StepProof kernel.GradientProgram.
From Calque Require Import kernel.NeededProof kernel.Source kernel.TangentProof kernel.RealField.
Import ListNotations.
Open Scope R_scope.

Notation rex := (ex (text real_field)).
Notation rstore := (store (text real_field)).
Notation rval := (@eval (text real_field)).

(** An exponent whose slope is that of the power, although its text is simplified. *)
Definition exponent_exact (e : rex) : Prop :=
  match e with
  | ECst c => n_is binary64 c (n_one binary64) = true \/
              (n_is binary64 c (n_one binary64) = false /\ c = n_two binary64) \/
              (n_is binary64 c (n_one binary64) = false /\ n_is binary64 c (n_two binary64) = false /\
               real_value (n_pred binary64 c) = real_value c - 1)
  | _ => True
  end.

(** Where a function has a derivative. *)
Definition function_smooth (f : function) (l : list rex) (vs : list R) : Prop :=
  match f, l, vs with
  | FNeg, [_], [_] | FExp, [_], [_] | FTanh, [_], [_] => True
  | FLog, [_], [x] | FSqrt, [_], [x] => 0 < x
  | FMax, [_; _], [x; y] | FMin, [_; _], [x; y] | FLess, [_; _], [x; y] => x <> y
  | FPow, [_; b], [x; _] => 0 < x /\ exponent_exact b
  | _, _, _ => False
  end.

(** Everything that is evaluated has a derivative: nothing is divided by zero, roots,
    logarithms and powers are of positive numbers, what is compared differs; no maxima over
    boxes. *)
Fixpoint smooth (st : rstore) (rho : list Z) (e : rex) : Prop :=
  match e with
  | ECst _ | ELd _ _ => True
  | EBin o a b =>
      smooth st rho a /\ smooth st rho b /\
      match o with ODiv => rval st rho b <> 0 | OMod => False | _ => True end
  | EFn f l =>
      fold_right (fun a P => smooth st rho a /\ P) True l /\ function_smooth f l (map (rval st rho) l)
  | ESel c a b => if eval_cond rho c then smooth st rho a else smooth st rho b
  | ERed r ns e => fst r = KSum /\ forall k, In k (box ns) -> smooth st (k ++ rho) e
  end.

(** A curve of stores that passes with direction [du] at 0. *)
Definition passes (c : R -> rstore) (du : rstore) : Prop :=
  forall t i, derivable_pt_lim (fun h => c h t i) 0 (du t i).

(** ** Limits *)

Lemma cosh_positive x : 0 < cosh x.
Proof. unfold cosh. pose proof (exp_pos x). pose proof (exp_pos (- x)). lra. Qed.

Lemma cosh_sinh x : cosh x * cosh x - sinh x * sinh x = 1.
Proof.
  unfold cosh, sinh. assert (H : exp x * exp (- x) = 1) by
    (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace 1 with (exp x * exp (- x)) by exact H. field.
Qed.

Lemma derivable_ext (f g : R -> R) x l :
  (forall y, f y = g y) -> derivable_pt_lim f x l -> derivable_pt_lim g x l.
Proof.
  intros same H eps pos. destruct (H eps pos) as [d near]. exists d. intros h nz small.
  rewrite <- !same. now apply near.
Qed.

Lemma derivable_value f x l l' : derivable_pt_lim f x l -> l = l' -> derivable_pt_lim f x l'.
Proof. now intros H <-. Qed.

Lemma derivable_near (f g : R -> R) l d :
  0 < d -> (forall h, Rabs h < d -> f h = g h) -> derivable_pt_lim f 0 l -> derivable_pt_lim g 0 l.
Proof.
  intros pos same H eps epos. destruct (H eps epos) as [e near].
  assert (m : 0 < Rmin d e) by (apply Rmin_pos; [exact pos | apply cond_pos]).
  exists (mkposreal _ m). simpl. intros h nz small.
  assert (s1 : Rabs h < d) by (eapply Rlt_le_trans; [exact small | apply Rmin_l]).
  assert (s2 : Rabs h < e) by (eapply Rlt_le_trans; [exact small | apply Rmin_r]).
  rewrite <- !same; [now apply near | rewrite Rabs_R0; exact pos | rewrite Rplus_0_l; exact s1].
Qed.

(** What is less at 0 is less near 0. *)
Lemma less_near (a b : R -> R) la lb :
  derivable_pt_lim a 0 la -> derivable_pt_lim b 0 lb -> a 0 < b 0 ->
  exists d, 0 < d /\ forall h, Rabs h < d -> a h < b h.
Proof.
  intros A B lt. pose proof (derivable_pt_lim_minus _ _ _ _ _ B A) as C.
  destruct (C 1 Rlt_0_1) as [e near]. unfold minus_fct in near.
  set (m := Rabs (lb - la) + 1). assert (mpos : 0 < m) by (pose proof (Rabs_pos (lb - la)); unfold m; lra).
  assert (gap : 0 < (b 0 - a 0) / m) by (apply Rdiv_lt_0_compat; lra).
  exists (Rmin e ((b 0 - a 0) / m)). split; [apply Rmin_pos; [apply cond_pos | exact gap] |].
  intros h small. destruct (Req_dec h 0) as [-> | nz]; [exact lt |].
  assert (s1 : Rabs h < e) by (eapply Rlt_le_trans; [exact small | apply Rmin_l]).
  assert (s2 : Rabs h < (b 0 - a 0) / m) by (eapply Rlt_le_trans; [exact small | apply Rmin_r]).
  specialize (near h nz s1). rewrite Rplus_0_l in near.
  set (q := (b h - a h - (b 0 - a 0)) / h) in near.
  assert (Q : b h - a h = b 0 - a 0 + h * q) by (unfold q; field; exact nz).
  assert (qm : Rabs q < m).
  { unfold m. pose proof (Rabs_triang (q - (lb - la)) (lb - la)) as T.
    replace (q - (lb - la) + (lb - la)) with q in T by ring. lra. }
  assert (hq : Rabs (h * q) < b 0 - a 0).
  { rewrite Rabs_mult. apply Rle_lt_trans with (Rabs h * m).
    - apply Rmult_le_compat_l; [apply Rabs_pos | lra].
    - apply Rmult_lt_compat_r with (r := m) in s2; [| exact mpos].
      replace ((b 0 - a 0) / m * m) with (b 0 - a 0) in s2 by (field; lra). exact s2. }
  pose proof (Rabs_def2 _ _ hq). lra.
Qed.

Lemma sum_derivable {A} (f : R -> A -> R) (g : A -> R) l :
  (forall k, In k l -> derivable_pt_lim (fun h => f h k) 0 (g k)) ->
  derivable_pt_lim (fun h => @sum (ring_of real_field) A (f h) l) 0 (@sum (ring_of real_field) A g l).
Proof.
  induction l as [| a l IH]; intros H; simpl.
  - apply (derivable_pt_lim_const 0).
  - apply (derivable_pt_lim_plus (fun h => f h a) (fun h => @sum (ring_of real_field) A (f h) l)).
    + apply H. now left.
    + apply IH. intros k ink. apply H. now right.
Qed.

(** ** Functions *)

Section Curve.
  Variables (c : R -> rstore) (du : rstore).
  Hypothesis through : passes c du.
  Notation at_ rho e := (fun h => rval (c h) rho e).
  Notation slope_ rho f l i := (slope real_field (c 0) rho f l i : R).

  Lemma call_1 f (a : rex) rho la :
    derivable_pt_lim (at_ rho a) 0 la -> function_smooth f [a] [rval (c 0) rho a] ->
    derivable_pt_lim (at_ rho (@EFn (text real_field) f [a])) 0 (slope_ rho f [a] 0%nat * la).
  Proof.
    intros A S. destruct f; simpl in S; try contradiction;
      unfold slope; cbn [weight_of]; unfold times_rest.
    - rewrite val_mk_neg, val_unity.
      eapply derivable_value; [exact (derivable_pt_lim_opp _ _ _ A) | simpl; ring].
    - rewrite val_mk, val_bin, val_unity.
      eapply derivable_value; [exact (derivable_pt_lim_comp _ exp _ _ _ A (derivable_pt_lim_exp _)) |].
      unfold val. simpl. ring.
    - rewrite val_mk, val_bin, val_unity.
      eapply derivable_value; [exact (derivable_pt_lim_comp _ ln _ _ _ A (derivable_pt_lim_ln _ S)) |].
      unfold val. simpl. ring.
    - rewrite val_mk, val_bin, val_mk, val_bin, val_unity.
      eapply derivable_value; [exact (derivable_pt_lim_comp _ sqrt _ _ _ A (derivable_pt_lim_sqrt _ S)) |].
      unfold val. simpl. rewrite (real_two : real_value two64 = 2). ring.
    - rewrite val_mk, val_bin, val_mk, val_bin, val_mk, val_bin, !val_unity.
      pose proof (cosh_positive (rval (c 0) rho a)) as pos.
      pose proof (derivable_pt_lim_div sinh cosh _ _ _ (derivable_pt_lim_sinh (rval (c 0) rho a))
                    (derivable_pt_lim_cosh _) ltac:(lra)) as D.
      eapply derivable_value; [exact (derivable_pt_lim_comp _ _ _ _ _ A D) |].
      unfold val, div_fct. simpl. unfold Rsqr.
      rewrite cosh_sinh.
      replace (1 * (1 - _)) with (1 / (cosh (rval (c 0) rho a) * cosh (rval (c 0) rho a))); [reflexivity |].
      rewrite <- (cosh_sinh (rval (c 0) rho a)) at 1. field. lra.
  Qed.

  Lemma call_2 f (a b : rex) rho la lb :
    derivable_pt_lim (at_ rho a) 0 la -> derivable_pt_lim (at_ rho b) 0 lb ->
    function_smooth f [a; b] [rval (c 0) rho a; rval (c 0) rho b] ->
    derivable_pt_lim (at_ rho (@EFn (text real_field) f [a; b])) 0
      (slope_ rho f [a; b] 0%nat * la + slope_ rho f [a; b] 1%nat * lb).
  Proof.
    intros A B S. destruct f; simpl in S; try contradiction; unfold slope; cbn [weight_of]; unfold times_rest.
    - rewrite !val_mk, !val_bin, !val_mk, !val_bin, val_unity.
      unfold val. simpl. destruct (Rlt_dec (rval (c 0) rho a) (rval (c 0) rho b)) as [lt | ge].
      + destruct (less_near _ _ _ _ A B lt) as (d & pos & near).
        apply derivable_near with (at_ rho b) d; [exact pos | | eapply derivable_value; [exact B | ring]].
        intros h small. specialize (near h small). simpl. destruct (Rlt_dec _ _); [reflexivity | contradiction].
      + destruct (less_near _ _ _ _ B A ltac:(lra)) as (d & pos & near).
        apply derivable_near with (at_ rho a) d; [exact pos | | eapply derivable_value; [exact A | ring]].
        intros h small. specialize (near h small). simpl. destruct (Rlt_dec _ _); [lra | reflexivity].
    - rewrite !val_mk, !val_bin, !val_mk, !val_bin, val_unity.
      unfold val. simpl. destruct (Rlt_dec (rval (c 0) rho b) (rval (c 0) rho a)) as [lt | ge].
      + destruct (less_near _ _ _ _ B A lt) as (d & pos & near).
        apply derivable_near with (at_ rho b) d; [exact pos | | eapply derivable_value; [exact B | ring]].
        intros h small. specialize (near h small). simpl. destruct (Rlt_dec _ _); [reflexivity | contradiction].
      + destruct (less_near _ _ _ _ A B ltac:(lra)) as (d & pos & near).
        apply derivable_near with (at_ rho a) d; [exact pos | | eapply derivable_value; [exact A | ring]].
        intros h small. specialize (near h small). simpl. destruct (Rlt_dec _ _); [lra | reflexivity].
    - destruct S as [pos exact_].
      assert (D : derivable_pt_lim (at_ rho (@EFn (text real_field) FPow [a; b])) 0
        (rval (c 0) rho b * Rpower (rval (c 0) rho a) (rval (c 0) rho b - 1) * la +
         Rpower (rval (c 0) rho a) (rval (c 0) rho b) * ln (rval (c 0) rho a) * lb)).
      { pose proof (derivable_pt_lim_comp _ ln _ _ _ A (derivable_pt_lim_ln _ pos)) as L.
        pose proof (derivable_pt_lim_mult _ _ _ _ _ B L) as M.
        pose proof (derivable_pt_lim_comp _ exp _ _ _ M (derivable_pt_lim_exp _)) as E.
        eapply derivable_value; [exact E |]. unfold comp, mult_fct. simpl.
        fold (Rpower (rval (c 0) rho a) (rval (c 0) rho b)).
        unfold Rminus. rewrite Rpower_plus, Rpower_Ropp, Rpower_1 by exact pos. field. lra. }
      eapply derivable_value; [exact D |].
      assert (W : val real_field (c 0) rho (weight_pow real_field unity a b 0) =
                  rval (c 0) rho b * Rpower (rval (c 0) rho a) (rval (c 0) rho b - 1)).
      { destruct (literal real_field b) as [k |] eqn:Lb.
        - destruct b; try discriminate. injection Lb as ->. unfold exponent_exact in exact_.
          unfold weight_pow. rewrite val_mk, val_bin, val_mk, val_bin, val_unity.
          change (val real_field (c 0) rho (@ECst (text real_field) k)) with (real_value k).
          change (rval (c 0) rho (@ECst (text real_field) k)) with (real_value k). cbn [base real_field].
          destruct exact_ as [one | [[one two] | (one & two & eq)]]; rewrite one.
          + rewrite (real_one k one), val_unity. replace (1 - 1) with 0 by ring. rewrite Rpower_O by exact pos.
            apply Rmult_1_l.
          + subst k. replace (n_is binary64 (n_two binary64) (n_two binary64)) with true by (vm_compute; reflexivity).
            rewrite real_two. replace (2 - 1) with 1 by ring. rewrite Rpower_1 by exact pos. apply Rmult_1_l.
          + rewrite two, <- eq. apply Rmult_1_l.
        - rewrite weight_pow_open by exact Lb. rewrite val_mk, val_bin, val_mk, val_bin, val_unity.
          change (val real_field (c 0) rho (call FPow [a; mk OSub b unity])) with
            (Rpower (val real_field (c 0) rho a) (val real_field (c 0) rho (mk OSub b unity))).
          rewrite val_mk, val_bin, val_unity. apply Rmult_1_l. }
      rewrite W. apply (f_equal2 Rplus); [reflexivity |]. apply (f_equal2 Rmult); [| reflexivity].
      unfold weight_pow. rewrite !val_mk, !val_bin, val_unity. symmetry. apply Rmult_1_l.
    - unfold val. simpl. destruct (Rlt_dec (rval (c 0) rho a) (rval (c 0) rho b)) as [lt | ge].
      + destruct (less_near _ _ _ _ A B lt) as (d & pos & near).
        apply derivable_near with (fun _ => 1) d; [exact pos | |].
        * intros h small. specialize (near h small). simpl. destruct (Rlt_dec _ _); [reflexivity | contradiction].
        * eapply derivable_value; [apply derivable_pt_lim_const |]. rewrite (real_zero 0%Z eq_refl). ring.
      + destruct (less_near _ _ _ _ B A ltac:(lra)) as (d & pos & near).
        apply derivable_near with (fun _ => 0) d; [exact pos | |].
        * intros h small. specialize (near h small). simpl. destruct (Rlt_dec _ _); [lra | reflexivity].
        * eapply derivable_value; [apply derivable_pt_lim_const |]. rewrite (real_zero 0%Z eq_refl). ring.
  Qed.

  Theorem tangent_derivative (e : rex) : forall own rho,
    smooth (c 0) rho e ->
    derivable_pt_lim (at_ rho e) 0 (tangent real_field (c 0) du None own rho e).
  Proof.
    induction e as [v | t l | o a b IHa IHb | f l IH | q a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros own rho; cbn [smooth].
    - intros _. apply derivable_pt_lim_const.
    - intros _. apply through.
    - intros (sa & sb & sd). specialize (IHa own rho sa). specialize (IHb own rho sb).
      destruct o; try contradiction; cbn [tangent].
      + exact (derivable_pt_lim_plus _ _ _ _ _ IHa IHb).
      + exact (derivable_pt_lim_minus _ _ _ _ _ IHa IHb).
      + exact (derivable_pt_lim_mult _ _ _ _ _ IHa IHb).
      + pose proof (derivable_pt_lim_div _ _ _ _ _ IHa IHb sd) as H.
        eapply derivable_value; [exact H |]. unfold Rsqr. unfold val. simpl. field. exact sd.
    - intros [sl sf]. destruct l as [| a [| b [| d l]]].
      + destruct f; contradiction.
      + destruct sl as [sa _]. inversion IH as [| ? ? IHa _]; subst.
        eapply derivable_value; [exact (call_1 f a rho _ (IHa own rho sa) sf) |].
        cbn [tangent]. symmetry. apply Rplus_0_r.
      + destruct sl as (sa & sb & _). inversion IH as [| ? ? IHa IH']; subst. inversion IH' as [| ? ? IHb _]; subst.
        eapply derivable_value; [exact (call_2 f a b rho _ _ (IHa own rho sa) (IHb own rho sb) sf) |].
        cbn [tangent]. apply (f_equal2 Rplus); [reflexivity |]. symmetry. apply Rplus_0_r.
      + destruct f; contradiction.
    - cbn [tangent eval]. destruct (eval_cond rho q); auto.
    - destruct r as [w ids]. cbn [fst]. intros [-> H].
      apply derivable_ext with (fun h => @sum (ring_of real_field) (list Z) (fun k => rval (c h) (k ++ rho) e) (box ns)).
      + intros h. symmetry. apply (val_red_sum real_field).
      + cbn [tangent]. apply sum_derivable. intros k ink. apply IH. now apply H.
  Qed.
End Curve.

(** ** Whole programs *)

Notation rsource := (list (list Z * stmt (text real_field))).

(** Every cell of every statement is smooth in the store in which it runs. *)
Fixpoint smooth_source (p : rsource) (st : rstore) : Prop :=
  match p with
  | [] => True
  | s :: p' =>
      (forall i, in_box (dims (snd s)) i = true -> smooth st i (body (snd s))) /\
      smooth_source p' (run_step real_field (Step real_field (snd s) (fst s) None false) st)
  end.

Lemma cell_in d i : index_in d i = true -> in_box d (cell_of d i) = true.
Proof.
  unfold index_in, cell_of. destruct i as [| z i].
  - destruct (scalar d) eqn:S; [intros _; rewrite (scalar_cell d S); reflexivity |].
    now rewrite andb_false_l, orb_false_r.
  - now rewrite andb_false_r, orb_false_r.
Qed.

Theorem tangent_source_derivative (p : rsource) : forall (c : R -> rstore) du,
  passes c du -> smooth_source p (c 0) ->
  passes (fun h => run_source real_field p (c h)) (tangent_source real_field p (c 0) du).
Proof.
  induction p as [| [ids s] p IH]; intros c du through ok; [exact through |].
  destruct ok as [here rest]. cbn [snd fst] in here, rest.
  set (s' := Step real_field s ids None false) in *.
  apply (IH (fun h => run_step real_field s' (c h)) (tangent_step real_field s' (c 0) du)); [| exact rest].
  intros t i. unfold run_step, tangent_step, upd. cbn [s' does stores_max fixed].
  destruct (t =? out s)%nat; [| apply through].
  destruct (index_in (dims s) i) eqn:inside.
  - apply tangent_derivative; [exact through |]. apply here. now apply cell_in.
  - apply (derivable_pt_lim_const 0).
Qed.
