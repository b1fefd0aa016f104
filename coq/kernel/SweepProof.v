(** * The reverse sweep of kernel text is the adjoint of the tangent *)

From Coq Require Import Bool List Lia Arith ZArith Ring Ring_theory.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Gradient.
Import ListNotations.
Open Scope Z_scope.

(** The ring of a field, for the sums. *)
Definition ring_of (F : field) : ring :=
  {| Sums.elt := elt F; Sums.r0 := r0 F; Sums.r1 := r1 F; Sums.radd := radd F;
     Sums.rmul := rmul F; Sums.rsub := rsub F; Sums.ropp := ropp F; Sums.r_laws := r_laws F;
     Sums.rinv := rinv F |}.

Arguments ring_of F : simpl never.

Definition holds_comparison (rho : list Z) (c : comparison) : bool := eval_cond rho (compare c).

Definition holds_guard (rho : list Z) (g : guard) : bool :=
  xorb (snd g) (forallb (holds_comparison rho) (fst g)).

Definition holds_guards (rho : list Z) (gs : list guard) : bool := forallb (holds_guard rho) gs.

Lemma holds_comparison_subst rho f c :
  holds_comparison rho (subst_comparison f c) = holds_comparison (map (eval_ix rho) f) c.
Proof. destruct c as [[o a] b]. unfold holds_comparison. simpl. now rewrite !eval_subst_ix. Qed.

Lemma holds_guards_subst rho f gs :
  holds_guards rho (map (subst_guard f) gs) = holds_guards (map (eval_ix rho) f) gs.
Proof.
  unfold holds_guards. rewrite forallb_map. apply forallb_ext. intros [l b].
  unfold holds_guard, subst_guard. simpl. f_equal. rewrite forallb_map. apply forallb_ext.
  intros c. apply holds_comparison_subst.
Qed.

Lemma comparisons_hold rho c :
  forallb (holds_comparison rho) (comparisons c) = eval_cond rho c.
Proof.
  induction c as [o a b | c IHc d IHd]; simpl; [apply andb_true_r |].
  now rewrite forallb_app, IHc, IHd.
Qed.

Lemma eval_up k rho m n :
  length k = m -> length rho = n -> map (eval_ix (k ++ rho)) (up m n) = rho.
Proof. intros <- <-. now apply eval_vars_from. Qed.

Section Proof.
  Variable F : field.
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Declare Scope ring_scope.
  Notation "0" := (Sums.r0 G) : ring_scope.
  Notation "1" := (Sums.r1 G) : ring_scope.
  Infix "+" := (Sums.radd G) : ring_scope.
  Infix "*" := (Sums.rmul G) : ring_scope.
  Infix "-" := (Sums.rsub G) : ring_scope.
  Notation "- a" := (Sums.ropp G a) : ring_scope.
  Notation inv := (Sums.rinv G).
  Local Open Scope ring_scope.
  Notation ex := (ex (text F)).
  Notation store := (store (text F)).
  Notation sum := (@sum G _).

  Definition val (st : store) (rho : list Z) (e : ex) : R := eval (S := text F) st rho e.

  Ltac kring := apply (zero_both G); ring.

  (** ** Constructors *)

  Lemma val_bin st rho o a b :
    val st rho (bin o a b) =
    match o with
    | OAdd => val st rho a + val st rho b
    | OSub => val st rho a - val st rho b
    | OMul => val st rho a * val st rho b
    | ODiv => val st rho a * inv (val st rho b)
    | OMod => rmod F (val st rho a) (val st rho b)
    end.
  Proof. destruct o; reflexivity. Qed.

  Lemma val_neg st rho a : val st rho (call FNeg [a]) = - val st rho a.
  Proof. reflexivity. Qed.

  Lemma is_zero_val st rho e : is_zero e = true -> val st rho e = 0.
  Proof. destruct e; try discriminate. apply (value_zero F). Qed.

  Lemma is_one_val st rho e : is_one e = true -> val st rho e = 1.
  Proof. destruct e; try discriminate. apply (value_one F). Qed.

  Lemma val_nought st rho : val st rho nought = 0.
  Proof. apply (value_zero F), (value_zero_is F). Qed.

  Lemma val_unity st rho : val st rho unity = 1.
  Proof. apply (value_one F), (value_one_is F). Qed.

  Lemma val_negated st rho e : val st rho (negated F e) = - val st rho e.
  Proof.
    destruct e as [c | t l | o a b | f l | c a b | r ns e]; try reflexivity.
    - simpl. destruct (n_neg (base F) c) as [d |] eqn:E; [| reflexivity].
      exact (value_neg F c d E).
    - destruct f; try reflexivity. destruct l as [| a [| b l]]; try reflexivity.
      change (val st rho a = - - val st rho a). kring.
  Qed.

  Lemma val_mk_neg st rho e : val st rho (mk_neg e) = - val st rho e.
  Proof.
    unfold mk_neg. destruct (is_zero e) eqn:E; [| apply val_negated].
    rewrite (is_zero_val st rho e E). kring.
  Qed.

  Lemma inv_1 (a : R) : a * inv 1 = a.
  Proof. exact (rdivide_1 F a). Qed.

  Lemma val_mk st rho o a b : val st rho (mk o a b) = val st rho (bin o a b).
  Proof.
    rewrite val_bin. destruct o; unfold mk.
    - destruct (is_zero a) eqn:A; [rewrite (is_zero_val st rho a A); kring |].
      destruct (is_zero b) eqn:B; [rewrite (is_zero_val st rho b B); kring |]. reflexivity.
    - destruct (is_zero b) eqn:B; [rewrite (is_zero_val st rho b B); kring |].
      destruct (is_zero a) eqn:A; [rewrite (is_zero_val st rho a A), val_negated; kring |].
      reflexivity.
    - destruct (is_zero a) eqn:A; cbn [orb].
      { rewrite (is_zero_val st rho a A). kring. }
      destruct (is_one b) eqn:B; [rewrite (is_one_val st rho b B); kring |].
      destruct (is_zero b) eqn:B'; cbn [orb]; [rewrite (is_zero_val st rho b B'); kring |].
      destruct (is_one a) eqn:A'; [rewrite (is_one_val st rho a A'); kring |]. reflexivity.
    - destruct (is_zero a) eqn:A; cbn [orb].
      { rewrite (is_zero_val st rho a A). kring. }
      destruct (is_one b) eqn:B; [| reflexivity].
      rewrite (is_one_val st rho b B). symmetry. apply inv_1.
    - reflexivity.
  Qed.

  Lemma val_select st rho l a b :
    val st rho (mk_select l a b) =
    if forallb (holds_comparison rho) l then val st rho a else val st rho b.
  Proof.
    destruct l as [| c l]; [reflexivity |]. unfold mk_select.
    destruct (is_zero a && is_zero b) eqn:E.
    - apply andb_true_iff in E as [A B].
      rewrite (is_zero_val st rho a A), (is_zero_val st rho b B). now destruct (forallb _ _).
    - change ((if eval_cond rho (fold_left (fun c d => CAnd c (compare d)) l (compare c))
               then val st rho a else val st rho b) =
              if forallb (holds_comparison rho) (c :: l) then val st rho a else val st rho b).
      replace (eval_cond rho _) with (forallb (holds_comparison rho) (c :: l)); [reflexivity |].
      simpl. unfold holds_comparison at 1. generalize (compare c). intros d.
      revert d. induction l as [| c' l IH]; intros d; simpl; [apply andb_true_r |].
      rewrite <- IH. simpl. now rewrite andb_assoc.
  Qed.

  Lemma val_red_sum st rho ids ns e :
    val st rho (@ERed (text F) (KSum, ids) ns e) = sum (fun k => val st (k ++ rho) e) (box ns).
  Proof.
    transitivity (0 + sum (fun k => val st (k ++ rho) e) (box ns)); [| kring].
    exact (fold_sum G (fun k => val st (k ++ rho) e) (box ns) 0).
  Qed.

  Lemma val_mk_sum st rho ids ns e :
    val st rho (mk_sum ids ns e) = sum (fun k => val st (k ++ rho) e) (box ns).
  Proof.
    destruct ns as [| n ns]; [change (val st rho e = val st rho e + 0); kring |]. unfold mk_sum.
    destruct (is_zero e) eqn:E; [| apply val_red_sum].
    rewrite (is_zero_val st rho e E). symmetry. apply sum_zero. intros k _.
    now apply is_zero_val.
  Qed.

  Lemma val_subst st rho f e : val st rho (subst f e) = val st (map (eval_ix rho) f) e.
  Proof. exact (eval_subst (text F) e st f rho). Qed.

  (** ** Tangent *)

  (** The derivative of a function by its argument number i, times [w]. *)
  Definition slope (st : store) (rho : list Z) (f : function) (l : list ex) (i : nat) : R :=
    val st rho (weight_of f unity l i).

  (** Which part of the greatest value [m] is a place of value [y], where [c] places attain it. *)
  Definition place_share (m c y : R) : R := inv c * (1 - rfun F FLess [y; m]).

  Definition max_value (st : store) (p : places) (own rho : list Z) (r : reduced) (ns : list nat) (e : ex) : R :=
    match p with Some q => st (fst q) own | None => val st rho (@ERed (text F) r ns e) end.

  (** How many places attain it. *)
  Definition max_ties (st : store) (p : places) (own rho : list Z) (r : reduced) (ns : list nat) (e : ex) : R :=
    match p with
    | Some q => st (snd q) own
    | None => sum (fun k => 1 - rfun F FLess [val st (k ++ rho) e; val st rho (@ERed (text F) r ns e)]) (box ns)
    end.

  (** In the direction [du]: the places of a maximum share it.  A statement that stores a maximum
      at [own] has it, and the number of places, in the store. *)
  Fixpoint tangent (st du : store) (p : places) (own rho : list Z) (e : ex) : R :=
    match e with
    | ECst _ => 0
    | ELd t l => du t (map (eval_ix rho) l)
    | EBin o a b =>
        let va := val st rho a in
        let vb := val st rho b in
        let ta := tangent st du None own rho a in
        let tb := tangent st du None own rho b in
        match o with
        | OAdd => ta + tb
        | OSub => ta - tb
        | OMul => ta * vb + va * tb
        | ODiv => ta * inv vb - va * tb * inv (vb * vb)
        | OMod => 0
        end
    | EFn f l =>
        (fix go i rest :=
           match rest with
           | [] => 0
           | a :: rest' => slope st rho f l i * tangent st du None own rho a + go (S i) rest'
           end) O l
    | ESel c a b =>
        if eval_cond rho c then tangent st du p own rho a else tangent st du p own rho b
    | ERed (KSum, _) ns e => sum (fun k => tangent st du None own (k ++ rho) e) (box ns)
    | ERed ((KMax, _) as r) ns e =>
        let m := max_value st p own rho r ns e in
        let c := max_ties st p own rho r ns e in
        sum (fun k => place_share m c (val st (k ++ rho) e) * tangent st du None own (k ++ rho) e) (box ns)
    end.

  (** The direction by one tensor. *)
  Definition along (t : tid) (x : tensor (text F)) : store :=
    fun u i => if (u =? t)%nat then x i else 0.

  Lemma weight_of_linear st rho f w l i :
    val st rho (weight_of f w l i) = val st rho w * slope st rho f l i.
  Proof.
    assert (none : val st rho nought = val st rho w * val st rho nought).
    { rewrite val_nought. kring. }
    unfold slope.
    destruct f, l as [| a [| b [| c l]]]; try exact none;
      unfold weight_of, times_rest, weight_pow;
      try (destruct i; repeat rewrite ?val_mk, ?val_bin, ?val_mk_neg, ?val_unity; ring);
      repeat rewrite ?val_mk, ?val_bin, ?val_mk_neg, ?val_unity; try kring.
  Qed.

  Lemma weight_max_linear st rho q own w e :
    val st rho (weight_max q own w e) =
    val st rho w * place_share (st (fst q) (map (eval_ix rho) own)) (st (snd q) (map (eval_ix rho) own)) (val st rho e).
  Proof.
    unfold weight_max, times_rest, place_share.
    rewrite !val_mk, !val_bin, !val_mk, !val_bin, val_unity.
    change (val st rho (call FLess [e; ELd (fst q) own])) with
      (rfun F FLess [val st rho e; st (fst q) (map (eval_ix rho) own)]).
    change (val st rho (ELd (snd q) own)) with (st (snd q) (map (eval_ix rho) own)).
    match goal with |- _ * inv ?x * (1 - ?y) = _ => set (X := inv x : R); set (Y := y : R) end.
    change (val st rho w * X * (1 - Y) = val st rho w * (X * (1 - Y))). kring.
  Qed.

  (** No load of the tensor, no tangent. *)
  Lemma tangent_unloaded st t x (e : ex) : forall p own rho,
    loads_of t e = false -> tangent st (along t x) p own rho e = 0.
  Proof.
    unfold loads_of.
    induction e as [c | u l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros p own rho none.
    - reflexivity.
    - simpl in none. cbn [tangent]. unfold along. rewrite orb_false_r in none.
      rewrite Nat.eqb_sym. now rewrite none.
    - simpl in none. rewrite existsb_app in none. apply orb_false_iff in none as [A B].
      cbn [tangent]. rewrite IHa, IHb by assumption. destruct o; kring.
    - simpl in none. cbn [tangent]. generalize O.
      assert (H : forall rest i, Forall (fun e => forall p own rho,
          existsb (Nat.eqb t) (loads e) = false -> tangent st (along t x) p own rho e = 0) rest ->
        existsb (Nat.eqb t) (flat_map loads rest) = false ->
        ((fix go i rest :=
           match rest with
           | [] => 0
           | a :: rest' => slope st rho f l i * tangent st (along t x) None own rho a + go (S i) rest'
           end) i rest) = 0).
      { clear. induction rest as [| a rest IHr]; intros i all none; [reflexivity |].
        simpl in none. rewrite existsb_app in none. apply orb_false_iff in none as [A B].
        inversion all; subst. rewrite IHr by assumption.
        match goal with H : forall p own rho, _ -> _ |- _ => rewrite H by assumption end. kring. }
      intros n. now apply H.
    - simpl in none. rewrite existsb_app in none. apply orb_false_iff in none as [A B].
      cbn [tangent]. rewrite IHa, IHb by assumption. now destruct (eval_cond rho c).
    - simpl in none. cbn [tangent]. destruct r as [[|] ids].
      + apply sum_zero. intros k _. now apply IH.
      + apply sum_zero. intros k _. rewrite IH by assumption. kring.
  Qed.

  (** ** The sweep *)

  (** All values of the reductions' variables. *)
  Definition reduced_box (c : contribution F) : list (list Z) := box (concat (map snd (over c))).

  (** What a contribution adds to the product with [x]. *)
  Definition share (st : store) (x : tensor (text F)) (rho : list Z) (c : contribution F) : R :=
    sum (fun k => if holds_guards (k ++ rho) (guards c)
                  then val st (k ++ rho) (weight c) * x (map (eval_ix (k ++ rho)) (at_ c))
                  else 0) (reduced_box c).

  Definition under_guards (rho : list Z) (gs : list guard) (y : R) : R :=
    if holds_guards rho gs then y else 0.

  Lemma bound_shares st x rho ids ns l :
    sum (share st x rho) (map (bound ids ns) l) =
    sum (fun k => sum (share st x (k ++ rho)) l) (box ns).
  Proof.
    rewrite sum_map, sum_swap. apply sum_ext. intros c _. unfold share, reduced_box, bound.
    cbn [over at_ guards weight]. rewrite map_app, concat_app. cbn [map concat].
    rewrite app_nil_r, sum_box_app, sum_swap. apply sum_ext. intros k _.
    apply sum_ext. intros j _. now rewrite app_assoc.
  Qed.

  Lemma both_done {A} (x y : outcome (list A)) l :
    and_then x (fun a => and_then y (fun b => Done (a ++ b))) = Done l ->
    exists a b, x = Done a /\ y = Done b /\ l = a ++ b.
  Proof.
    destruct x as [a | |]; try discriminate. destruct y as [b | |]; try discriminate.
    simpl. intros H. injection H as <-. eauto.
  Qed.

  Lemma holds_guards_snoc rho gs g :
    holds_guards rho (gs ++ [g]) = holds_guards rho gs && holds_guard rho g.
  Proof. unfold holds_guards. rewrite forallb_app. simpl. now rewrite andb_true_r. Qed.

  Theorem sweep_correct (t : tid) (st : store) (x : tensor (text F)) (e : ex) :
    forall n p own w gs rho l,
    length rho = n ->
    sweep t n p own e w gs = Done l ->
    sum (share st x rho) l =
    under_guards rho gs (val st rho w * tangent st (along t x) p (map (eval_ix rho) own) rho e).
  Proof.
    induction e as [c | u k | o a b IHa IHb | f k IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros n p own w gs rho l len H; cbn [sweep] in H;
      destruct (is_zero w || negb (loads_of t _)) eqn:E;
      try (injection H as <-; apply orb_true_iff in E as [E | E];
        [ rewrite (is_zero_val st rho w E)
        | apply negb_true_iff in E; rewrite tangent_unloaded by exact E ];
        unfold under_guards; cbn [Sums.sum fold_right]; destruct (holds_guards rho gs); kring);
      apply orb_false_iff in E as [_ E]; apply negb_false_iff in E.
    - injection H as <-. unfold under_guards. cbn [Sums.sum fold_right tangent]. destruct (holds_guards rho gs); kring.
    - injection H as <-. unfold loads_of in E. simpl in E. rewrite orb_false_r in E.
      unfold under_guards. cbn [Sums.sum fold_right tangent]. unfold share, reduced_box, along.
      cbn [over concat map box Sums.sum fold_right app guards weight at_]. rewrite Nat.eqb_sym, E.
      destruct (holds_guards rho gs); kring.
    - assert (two : forall u v la lb, sweep t n None own a u gs = Done la ->
          sweep t n None own b v gs = Done lb -> l = la ++ lb ->
          sum (share st x rho) l = under_guards rho gs
            (val st rho u * tangent st (along t x) None (map (eval_ix rho) own) rho a +
             val st rho v * tangent st (along t x) None (map (eval_ix rho) own) rho b)).
      { intros u v la lb A B ->. rewrite sum_app.
        rewrite (IHa n None own u gs rho la len A), (IHb n None own v gs rho lb len B).
        unfold under_guards. destruct (holds_guards rho gs); kring. }
      destruct o; try discriminate;
        try (destruct (real (base F)); [| discriminate]);
        apply both_done in H as (la & lb & A & B & L); rewrite (two _ _ la lb A B L);
        unfold under_guards; destruct (holds_guards rho gs); try reflexivity;
        repeat rewrite ?val_mk_neg, ?val_mk, ?val_bin; cbn [tangent]; kring.
    - destruct (chooses f); [discriminate |]. cbn [tangent].
      assert (H' : forall rest i l, Forall (fun e => forall n p own w gs rho l,
          length rho = n -> sweep t n p own e w gs = Done l ->
          sum (share st x rho) l =
          under_guards rho gs
            (val st rho w * tangent st (along t x) p (map (eval_ix rho) own) rho e)) rest ->
        (fix go i rest :=
           match rest with
           | [] => Done []
           | a :: rest' =>
               and_then (sweep t n None own a (weight_of f w k i) gs)
                 (fun a => and_then (go (S i) rest') (fun b => Done (a ++ b)))
           end) i rest = Done l ->
        sum (share st x rho) l =
        under_guards rho gs (val st rho w *
          ((fix go i rest :=
             match rest with
             | [] => 0
             | a :: rest' =>
                 slope st rho f k i * tangent st (along t x) None (map (eval_ix rho) own) rho a +
                 go (S i) rest'
             end) i rest))).
      { clear IH H l E. induction rest as [| a rest IHr]; intros i l all H.
        - injection H as <-. unfold under_guards. cbn [Sums.sum fold_right tangent]. destruct (holds_guards rho gs); kring.
        - apply both_done in H as (la & lb & A & B & ->). inversion all as [| ? ? here more]; subst.
          rewrite sum_app, (IHr _ _ more B), (here _ _ _ _ _ _ _ eq_refl A), weight_of_linear.
          unfold under_guards. destruct (holds_guards rho gs); kring. }
      now apply H'.
    - apply both_done in H as (la & lb & A & B & ->). rewrite sum_app.
      rewrite (IHa n p own w _ rho la len A), (IHb n p own w _ rho lb len B).
      unfold under_guards. rewrite !holds_guards_snoc. unfold holds_guard. simpl fst. simpl snd.
      rewrite comparisons_hold. cbn [tangent].
      destruct (holds_guards rho gs), (eval_cond rho c); cbn [xorb andb]; kring.
    - assert (shifted : forall k, In k (box ns) ->
          map (eval_ix (k ++ rho)) (up (length ns) n) = rho).
      { intros k ink. apply eval_up; [now apply box_length | exact len]. }
      assert (own_shifted : forall k, In k (box ns) ->
          map (eval_ix (k ++ rho)) (map (subst_ix (up (length ns) n)) own) = map (eval_ix rho) own).
      { intros k ink. rewrite map_map. apply map_ext. intros a.
        rewrite eval_subst_ix. now rewrite shifted. }
      assert (longer : forall k, In k (box ns) -> length (k ++ rho) = (length ns + n)%nat).
      { intros k ink. rewrite app_length. apply box_length in ink. lia. }
      destruct r as [[|] ids].
      + destruct (sweep _ _ _ _ e _ _) as [le | |] eqn:S; try discriminate.
        injection H as <-. rewrite bound_shares.
        rewrite (sum_ext G _ (fun k => under_guards rho gs
          (val st rho w * tangent st (along t x) None (map (eval_ix rho) own) (k ++ rho) e))).
        * unfold under_guards. cbn [tangent]. destruct (holds_guards rho gs).
          -- apply sum_mul_l.
          -- apply sum_zero. reflexivity.
        * intros k ink. rewrite (IH _ _ _ _ _ _ _ (longer k ink) S).
          unfold under_guards. rewrite holds_guards_subst, val_subst, shifted, own_shifted; auto.
      + destruct (real (base F)); [| discriminate]. destruct p as [q |]; [| discriminate].
        destruct (sweep _ _ _ _ e _ _) as [le | |] eqn:S; try discriminate.
        injection H as <-. rewrite bound_shares.
        rewrite (sum_ext G _ (fun k => under_guards rho gs (val st rho w *
          (place_share (st (fst q) (map (eval_ix rho) own)) (st (snd q) (map (eval_ix rho) own)) (val st (k ++ rho) e) *
           tangent st (along t x) None (map (eval_ix rho) own) (k ++ rho) e)))).
        * unfold under_guards. cbn [tangent]. destruct (holds_guards rho gs).
          -- apply sum_mul_l.
          -- apply sum_zero. reflexivity.
        * intros k ink. rewrite (IH _ _ _ _ _ _ _ (longer k ink) S).
          unfold under_guards.
          rewrite holds_guards_subst, weight_max_linear, val_subst, shifted, own_shifted by exact ink.
          destruct (holds_guards rho gs); kring.
  Qed.
End Proof.
