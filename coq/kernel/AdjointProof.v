(** * The adjoints of a program

    In a store in which every adjoint has the value of its expression, the gradients
    of the first versions against a direction are the given adjoints of the outputs
    against the tangent. *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Gradient kernel.SweepProof.
From Calque Require Import kernel.GatherForm kernel.PutProof kernel.GatherValue kernel.StepProof.
From Calque Require Import kernel.GradientProgram.
Import ListNotations.
Open Scope Z_scope.

Section Adjoint.
  Variable F : field.
  Variable O : options.
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Notation "0r" := (Sums.r0 G).
  Infix "+r" := (Sums.radd G) (at level 50).
  Infix "*r" := (Sums.rmul G) (at level 40).
  Notation sum := (@sum G _).
  Notation ex := (ex (text F)).
  Notation store := (store (text F)).
  Notation step := (step F).

  Ltac kring := apply (zero_both G); ring.

  Lemma sum_cons {A} (f : A -> R) a l : sum f (a :: l) = f a +r sum f l.
  Proof. reflexivity. Qed.

  (** The tangent in a direction is the sum of those along each tensor. *)
  Lemma tangent_sum (st du : store) (ts : list tid) (e : ex) :
    NoDup ts -> forall p own rho, (forall t, In t (loads e) -> In t ts) ->
    tangent F st du p own rho e = sum (fun t => tangent F st (along F t (du t)) p own rho e) ts.
  Proof.
    intros once.
    induction e as [z | u k | o a b IHa IHb | f k IH | q a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros p own rho sub.
    - symmetry. now apply (sum_zero G).
    - cbn [tangent]. symmetry. set (i := map (eval_ix rho) k).
      apply (sum_pick G Nat.eqb (fun t => du t i) ts u).
      + intros b. apply Nat.eqb_spec.
      + exact once.
      + apply sub. now left.
    - assert (A : forall t, In t (loads a) -> In t ts) by (intros t h; apply sub; apply in_or_app; now left).
      assert (B : forall t, In t (loads b) -> In t ts) by (intros t h; apply sub; apply in_or_app; now right).
      cbn [tangent]. rewrite (IHa None own rho A), (IHb None own rho B).
      destruct o.
      + now rewrite (sum_add G).
      + transitivity (sum (fun t => tangent F st (along F t (du t)) None own rho a) ts +r
                      Sums.ropp G (r1 F) *r sum (fun t => tangent F st (along F t (du t)) None own rho b) ts).
        { change (r1 F) with (Sums.r1 G). kring. }
        rewrite <- (sum_mul_l G), <- (sum_add G). apply (sum_ext G). intros t _.
        change (r1 F) with (Sums.r1 G). kring.
      + rewrite <- (sum_mul_l G), <- (sum_mul_r G), <- (sum_add G). reflexivity.
      + set (ib := Sums.rinv G (val F st rho b)).
        set (ibb := Sums.rinv G (Sums.rmul G (val F st rho b) (val F st rho b))).
        transitivity (sum (fun t => tangent F st (along F t (du t)) None own rho a) ts *r ib +r
          Sums.ropp G (r1 F) *r val F st rho a *r ibb *r
          sum (fun t => tangent F st (along F t (du t)) None own rho b) ts).
        { change (r1 F) with (Sums.r1 G). kring. }
        rewrite <- (sum_mul_l G), <- (sum_mul_r G), <- (sum_add G). apply (sum_ext G). intros t _.
        change (r1 F) with (Sums.r1 G). kring.
      + symmetry. now apply (sum_zero G).
    - cbn [tangent].
      assert (H : forall rest i, Forall (fun e => forall p own rho, (forall t, In t (loads e) -> In t ts) ->
          tangent F st du p own rho e = sum (fun t => tangent F st (along F t (du t)) p own rho e) ts) rest ->
        (forall t, In t (flat_map loads rest) -> In t ts) ->
        (fix go i rest :=
           match rest with
           | [] => 0r
           | a :: rest' => slope F st rho f k i *r tangent F st du None own rho a +r go (S i) rest'
           end) i rest =
        sum (fun t => (fix go i rest :=
           match rest with
           | [] => 0r
           | a :: rest' => slope F st rho f k i *r tangent F st (along F t (du t)) None own rho a +r go (S i) rest'
           end) i rest) ts).
      { clear IH sub. induction rest as [| a rest IHr]; intros i all sub.
        - symmetry. now apply (sum_zero G).
        - inversion all as [| ? ? one more]; subst.
          rewrite (one None own rho) by (intros t h; apply sub; apply in_or_app; now left).
          rewrite (IHr (S i) more) by (intros t h; apply sub; apply in_or_app; now right).
          rewrite <- (sum_mul_l G), <- (sum_add G). reflexivity. }
      now apply H.
    - cbn [tangent]. destruct (eval_cond rho q).
      + apply IHa. intros t h. apply sub. apply in_or_app. now left.
      + apply IHb. intros t h. apply sub. apply in_or_app. now right.
    - cbn [tangent]. destruct r as [[|] ids].
      + rewrite (sum_swap G). apply (sum_ext G). intros j _. now apply IH.
      + rewrite (sum_swap G). apply (sum_ext G). intros j _. rewrite (sum_mul_l G). f_equal. now apply IH.
  Qed.

  (** No tangent where the direction is 0. *)
  Lemma tangent_zero (st du : store) (e : ex) : forall p own rho,
    (forall t, In t (loads e) -> forall i, du t i = 0r) -> tangent F st du p own rho e = 0r.
  Proof.
    induction e as [z | u k | o a b IHa IHb | f k IH | q a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros p own rho none.
    - reflexivity.
    - apply none. now left.
    - assert (A : tangent F st du None own rho a = 0r) by (apply IHa; intros t h; apply none, in_or_app; now left).
      assert (B : tangent F st du None own rho b = 0r) by (apply IHb; intros t h; apply none, in_or_app; now right).
      cbn [tangent]. rewrite A, B. destruct o; kring.
    - cbn [tangent].
      assert (H : forall rest i, Forall (fun e => forall p own rho,
          (forall t, In t (loads e) -> forall i, du t i = 0r) -> tangent F st du p own rho e = 0r) rest ->
        (forall t, In t (flat_map loads rest) -> forall i, du t i = 0r) ->
        (fix go i rest :=
           match rest with
           | [] => 0r
           | a :: rest' => slope F st rho f k i *r tangent F st du None own rho a +r go (S i) rest'
           end) i rest = 0r).
      { clear IH none. induction rest as [| a rest IHr]; intros i all none; [reflexivity |].
        inversion all as [| ? ? one more]; subst.
        rewrite (one None own rho) by (intros t h; apply none, in_or_app; now left).
        rewrite (IHr (S i) more) by (intros t h; apply none, in_or_app; now right). kring. }
      now apply H.
    - cbn [tangent]. destruct (eval_cond rho q).
      + apply IHa. intros t h. apply none, in_or_app. now left.
      + apply IHb. intros t h. apply none, in_or_app. now right.
    - cbn [tangent]. destruct r as [[|] ids].
      + apply (sum_zero G). intros j _. now apply IH.
      + apply (sum_zero G). intros j _.
        rewrite IH by exact none. kring.
  Qed.

  (** ** What the steps add to the adjoint of a tensor *)

  Variable st : store.

  Definition value_of (a : list Z) (o : option ex) : R :=
    match o with Some e => val F st a e | None => 0r end.

  Definition swept (s : step) (t v : tid) : outcome (list (contribution F)) :=
    let d := dims (does F s) in
    sweep t (length d) (stores_max F s) (own_ix d) (body (does F s)) (ELd v (own_ix d)) [].

  Definition pull (shapes : tid -> list nat) (adjoints : table) (t : tid) (s : step) (a : list Z) : R :=
    match find (out (does F s)) adjoints with
    | None => 0r
    | Some v =>
        match swept s t v with
        | Done l => sum (fun c => val F st a
            (gather shapes (universal O) (names F s) (dims (does F s)) (shapes t) c)) l
        | _ => 0r
        end
    end.

  Definition given (D : list nat) (seeds : table) (t : tid) (a : list Z) : R :=
    match find t seeds with Some v => st v (own_at D a) | None => 0r end.

  Lemma plus_ex_val a o e : value_of a (plus_ex F o e) = value_of a o +r val F st a e.
  Proof.
    destruct o as [s |]; unfold value_of, plus_ex; [rewrite val_mk, val_bin; reflexivity | kring].
  Qed.

  Lemma contribute_val b adjoints t s o o' a :
    contribute F O b adjoints t s o = Done o' ->
    value_of a o' = value_of a o +r pull (shape_of F b) adjoints t s a.
  Proof.
    unfold contribute, pull. destruct (find (out (does F s)) adjoints) as [v |].
    - fold (swept s t v). destruct (swept s t v) as [l | |]; try discriminate.
      cbn [and_then]. intros H. injection H as <-. revert o.
      induction l as [| c l IH]; intros o; [cbn [fold_left Sums.sum fold_right]; kring |].
      cbn [fold_left]. rewrite IH, plus_ex_val, sum_cons. kring.
    - intros H. injection H as <-. kring.
  Qed.

  Lemma fold_contribute b adjoints t p : forall o o' a,
    fold_left (fun o s => and_then o (contribute F O b adjoints t s)) p (Done o) = Done o' ->
    value_of a o' = value_of a o +r sum (fun s => pull (shape_of F b) adjoints t s a) p.
  Proof.
    assert (stuck : forall (p : list step) r, (forall o, r <> Done o) ->
      forall o, fold_left (fun o s => and_then o (contribute F O b adjoints t s)) p r <> Done o).
    { clear p. induction p as [| s p IH]; intros r no o; [apply no |]. cbn [fold_left]. apply IH.
      intros o'. destruct r; [exfalso; eapply no; reflexivity | discriminate | discriminate]. }
    induction p as [| s p IH]; intros o o' a H; cbn [fold_left] in H.
    - injection H as <-. change (value_of a o = value_of a o +r 0r). kring.
    - destruct (contribute F O b adjoints t s o) as [o1 | |] eqn:E.
      + cbn [and_then] in H. rewrite E in H. rewrite (IH o1 o' a H), (contribute_val _ _ _ _ _ _ a E), sum_cons.
        kring.
      + cbn [and_then] in H. rewrite E in H. exfalso. eapply stuck; [| exact H]. discriminate.
      + cbn [and_then] in H. rewrite E in H. exfalso. eapply stuck; [| exact H]. discriminate.
  Qed.

  (** The expression that [adjoint_body] makes has this value. *)
  Theorem adjoint_body_val b p seeds adjoints t o a :
    in_box (shape_of F b t) a = true ->
    adjoint_body F O b p seeds adjoints t = Done o ->
    value_of a o = given (shape_of F b t) seeds t a +r
                   sum (fun s => pull (shape_of F b) adjoints t s a) p.
  Proof.
    intros ina. unfold adjoint_body, given.
    set (first := option_map _ _).
    destruct (fold_left _ p (Done first)) as [o1 | |] eqn:E; try discriminate.
    cbn [and_then]. intros H. injection H as <-.
    transitivity (value_of a o1).
    { destruct o1 as [e |]; [| reflexivity]. destruct (is_zero e) eqn:Z0; [| reflexivity].
      symmetry. exact (is_zero_val F st a e Z0). }
    rewrite (fold_contribute _ _ _ _ _ _ a E). f_equal. unfold first.
    destruct (find t seeds) as [v |]; [| reflexivity]. unfold value_of, option_map, val. cbn [eval].
    now rewrite own_ix_eval.
  Qed.

  (** ** The identity *)

  Section Identity.
    Variable shapes : tid -> list nat.
    Variable p : list step.
    Variable roots : list tid.
    Variable seeds adjoints : table.
    Variable du : store.

    Notation outs := (map (fun s => out (does F s)) p).

    Hypothesis once : NoDup (roots ++ outs).
    Hypothesis formed : forall s, In s p ->
      dims (does F s) = shapes (out (does F s)) /\
      ex_divides F (body (does F s)) = true /\
      (forall t, In t (loads (body (does F s))) -> In t (roots ++ outs)) /\
      (forall t i, In i (box (dims (does F s))) -> loads_in F t (shapes t) i (body (does F s))).
    Hypothesis scalars_agree : forall t, scalar (shapes t) = true -> du t [] = du t [0].

    (** The direction goes on through the steps. *)
    Hypothesis follows : forall s i, In s p -> In i (box (dims (does F s))) ->
      du (out (does F s)) i =
      if fixed F s then 0r
      else tangent F st du (stores_max F s) (own_at (dims (does F s)) i) i (body (does F s)).

    Definition adjoint_value (t : tid) (a : list Z) : R :=
      given (shapes t) seeds t a +r sum (fun s => pull shapes adjoints t s a) p.

    (** Adjoints are in the store; where there is none, it is 0 or does not matter. *)
    Hypothesis stored : forall s, In s p ->
      match find (out (does F s)) adjoints with
      | Some v =>
          fixed F s = false /\
          (forall t, In t (roots ++ outs) ->
             (exists l, swept s t v = Done l) \/ (forall i, du t i = 0r)) /\
          forall i, In i (box (dims (does F s))) ->
            st v (own_at (dims (does F s)) i) = adjoint_value (out (does F s)) i
      | None =>
          (forall i, In i (box (dims (does F s))) -> du (out (does F s)) i = 0r) \/
          (forall i, In i (box (dims (does F s))) -> adjoint_value (out (does F s)) i = 0r)
      end.

    Definition against (x : tid -> list Z -> R) (t : tid) : R :=
      sum (fun a => x t a *r du t a) (box (shapes t)).

    Lemma pull_against s t : In s p -> In t (roots ++ outs) ->
      sum (fun a => pull shapes adjoints t s a *r du t a) (box (shapes t)) =
      match find (out (does F s)) adjoints with
      | None => 0r
      | Some v =>
          sum (fun i => st v (own_at (dims (does F s)) i) *r
                 tangent F st (along F t (du t)) (stores_max F s) (own_at (dims (does F s)) i) i
                         (body (does F s))) (box (dims (does F s)))
      end.
    Proof.
      intros ins int_. unfold pull. pose proof (stored s ins) as S.
      destruct (find (out (does F s)) adjoints) as [v |].
      - destruct S as (_ & done & _). destruct (done t int_) as [[l E] | none].
        2: { transitivity (0r : R).
             - apply (sum_zero G). intros a _. rewrite none. kring.
             - symmetry. apply (sum_zero G). intros i _.
               rewrite tangent_zero; [kring |]. intros u _ j. unfold along.
               destruct (u =? t)%nat; [apply none | reflexivity]. }
        rewrite E.
        destruct (formed s ins) as (_ & div & _ & inn).
        apply (step_adjoint F shapes (universal O) (names F s) st (dims (does F s)) (body (does F s))
                 (stores_max F s) t v (du t) l); auto.
      - apply (sum_zero G). intros a _. kring.
    Qed.

    Theorem adjoint_identity :
      sum (against adjoint_value) roots = sum (against (fun t a => given (shapes t) seeds t a)) (roots ++ outs).
    Proof.
      assert (all : sum (against adjoint_value) (roots ++ outs) =
        sum (against (fun t a => given (shapes t) seeds t a)) (roots ++ outs) +r
        sum (fun s => against adjoint_value (out (does F s))) p).
      { transitivity (sum (against (fun t a => given (shapes t) seeds t a)) (roots ++ outs) +r
          sum (fun t => sum (fun s => sum (fun a => pull shapes adjoints t s a *r du t a) (box (shapes t))) p)
              (roots ++ outs)).
        { rewrite <- (sum_add G). apply (sum_ext G). intros t _. unfold against, adjoint_value.
          rewrite (sum_swap G). rewrite <- (sum_add G). apply (sum_ext G). intros a _.
          rewrite (sum_mul_r G). kring. }
        f_equal. rewrite (sum_swap G). apply (sum_ext G). intros s ins.
        rewrite (sum_ext G _ (fun t => match find (out (does F s)) adjoints with
          | None => 0r
          | Some v =>
              sum (fun i => st v (own_at (dims (does F s)) i) *r
                 tangent F st (along F t (du t)) (stores_max F s) (own_at (dims (does F s)) i) i
                         (body (does F s))) (box (dims (does F s)))
          end)) by (intros t int_; now apply pull_against).
        pose proof (stored s ins) as S. destruct (formed s ins) as (shape & _ & sub & _).
        unfold against. rewrite <- shape.
        destruct (find (out (does F s)) adjoints) as [v |].
        - destruct S as (moves & _ & val_v). rewrite (sum_swap G). apply (sum_ext G). intros i ini.
          rewrite (sum_mul_l G), <- (val_v i ini). f_equal. rewrite (follows s i ins ini), moves. symmetry.
          now apply tangent_sum.
        - transitivity (0r : R); [now apply (sum_zero G) |]. symmetry. apply (sum_zero G). intros i ini.
          destruct S as [none | none]; rewrite none by exact ini; kring. }
      assert (parts : sum (against adjoint_value) (roots ++ outs) =
        sum (against adjoint_value) roots +r sum (fun s => against adjoint_value (out (does F s))) p).
      { rewrite (sum_app G). f_equal. now rewrite (sum_map G). }
      rewrite parts in all.
      set (X := sum (against adjoint_value) roots : R) in *.
      set (Y := sum (fun s => against adjoint_value (out (does F s))) p : R) in *.
      set (W := sum (against (fun t a => given (shapes t) seeds t a)) (roots ++ outs) : R) in *.
      transitivity ((X +r Y) +r Sums.ropp G Y); [kring |]. rewrite all. kring.
    Qed.
  End Identity.
End Adjoint.
