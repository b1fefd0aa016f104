(** * What a statement adds to an adjoint *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Forms kernel.FormsProof.
From Calque Require Import kernel.Gradient kernel.SweepProof kernel.GatherForm kernel.PutProof.
From Calque Require Import kernel.LinProof kernel.EquationsProof kernel.GatherFormProof kernel.GatherValue.
From Calque Require Import kernel.GradientProgram.
Import ListNotations.
Open Scope Z_scope.

(** An index tuple of a tensor; a scalar may be read without index. *)
Definition index_in (D : list nat) (i : list Z) : bool :=
  in_box D i || (scalar D && match i with [] => true | _ => false end).

Lemma same_cell_in_box D : forall a i,
  in_box D a = true -> in_box D i = true -> same_cell D a i = tuple_eqb i a.
Proof.
  induction D as [| n D IH]; intros [| y a] [| z i] A I; simpl in *; try discriminate; [reflexivity |].
  rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt in *. destruct A as [A A'], I as [I I'].
  rewrite IH by assumption. destruct (Nat.leb_spec n 1); [| reflexivity].
  replace z with y by lia. now rewrite Z.eqb_refl.
Qed.

Lemma scalar_cell D : scalar D = true -> D = [1%nat].
Proof.
  destruct D as [| n [| m D]]; simpl; try discriminate. intros H. apply Nat.eqb_eq in H. now subst.
Qed.

Section Step.
  Variable F : field.
  Variable shapes : tid -> list nat.
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Notation "0r" := (Sums.r0 G).
  Infix "+r" := (Sums.radd G) (at level 50).
  Infix "*r" := (Sums.rmul G) (at level 40).
  Notation sum := (@sum G _).
  Notation ex := (ex (text F)).
  Notation store := (store (text F)).
  Notation contribution := (contribution F).

  Ltac kring := apply (zero_both G); ring.

  (** Every load of [t] that is evaluated is in the box [D]. *)
  Fixpoint loads_in (t : tid) (D : list nat) (rho : list Z) (e : ex) : Prop :=
    match e with
    | ECst _ => True
    | ELd u l => u = t -> index_in D (map (eval_ix rho) l) = true
    | EBin _ a b => loads_in t D rho a /\ loads_in t D rho b
    | EFn _ l => fold_right (fun a P => loads_in t D rho a /\ P) True l
    | ESel c a b => if eval_cond rho c then loads_in t D rho a else loads_in t D rho b
    | ERed _ ns e => forall k, In k (box ns) -> loads_in t D (k ++ rho) e
    end.

  Definition contribution_in (D : list nat) (rho : list Z) (c : contribution) : Prop :=
    forall k, In k (reduced_box F c) -> holds_guards (k ++ rho) (guards c) = true ->
              index_in D (map (eval_ix (k ++ rho)) (at_ c)) = true.

  Lemma bound_in D rho ids ns l :
    (forall k, In k (box ns) -> forall c, In c l -> contribution_in D (k ++ rho) c) ->
    forall c, In c (map (bound ids ns) l) -> contribution_in D rho c.
  Proof.
    intros all c inc. apply in_map_iff in inc as (c0 & <- & inc). intros k ink.
    unfold reduced_box in ink. cbn [over bound guards at_] in *.
    rewrite map_app, concat_app in ink. cbn [map concat snd] in ink. rewrite app_nil_r in ink.
    apply in_box_box in ink. apply in_box_split in ink as (k1 & k2 & -> & A & B).
    rewrite <- !app_assoc. apply (all k2); [now apply in_box_box | exact inc | now apply in_box_box].
  Qed.

  Lemma sweep_in (t : tid) (D : list nat) (e : ex) : forall n p own w gs rho l,
    length rho = n ->
    sweep t n p own e w gs = Done l ->
    (holds_guards rho gs = true -> loads_in t D rho e) ->
    forall c, In c l -> contribution_in D rho c.
  Proof.
    induction e as [z | u k | o a b IHa IHb | f k IH | q a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros n p own w gs rho l len H inn c inc; cbn [sweep] in H;
      destruct (is_zero w || negb (loads_of t _)) eqn:E;
      try (injection H as <-; contradiction);
      apply orb_false_iff in E as [_ E]; apply negb_false_iff in E.
    - injection H as <-. destruct inc as [<- | []]. intros j inj hold.
      unfold reduced_box in inj. cbn [over map concat box guards at_] in *.
      destruct inj as [<- | []]. apply inn; [exact hold |].
      unfold loads_of in E. simpl in E. rewrite orb_false_r in E. symmetry. now apply Nat.eqb_eq.
    - assert (two : forall u v la lb, sweep t n None own a u gs = Done la ->
          sweep t n None own b v gs = Done lb -> l = la ++ lb -> contribution_in D rho c).
      { intros u v la lb A B ->. apply in_app_iff in inc as [inc | inc].
        - apply (IHa n None own u gs rho la len A); [intros h; now apply inn | exact inc].
        - apply (IHb n None own v gs rho lb len B); [intros h; now apply inn | exact inc]. }
      destruct o; try discriminate; try (destruct (real (base F)); [| discriminate]);
        apply both_done in H as (la & lb & A & B & L); exact (two _ _ la lb A B L).
    - destruct (chooses f); [discriminate |]. assert (H' : forall rest i l, Forall (fun e => forall n p own w gs rho l,
          length rho = n -> sweep t n p own e w gs = Done l ->
          (holds_guards rho gs = true -> loads_in t D rho e) ->
          forall c, In c l -> contribution_in D rho c) rest ->
        (fix go i rest :=
           match rest with
           | [] => Done []
           | a :: rest' =>
               and_then (sweep t n None own a (weight_of f w k i) gs)
                 (fun a => and_then (go (S i) rest') (fun b => Done (a ++ b)))
           end) i rest = Done l ->
        (holds_guards rho gs = true -> fold_right (fun a P => loads_in t D rho a /\ P) True rest) ->
        In c l -> contribution_in D rho c).
      { clear IH H l E inn inc. induction rest as [| a rest IHr]; intros i l all H inn inc.
        - injection H as <-. contradiction.
        - apply both_done in H as (la & lb & A & B & ->). inversion all as [| ? ? one more]; subst.
          apply in_app_iff in inc as [inc | inc].
          + apply (one _ _ _ _ _ _ _ eq_refl A); [intros h; now apply inn | exact inc].
          + apply (IHr _ _ more B); [intros h; now apply inn | exact inc]. }
      exact (H' k O l IH H inn inc).
    - apply both_done in H as (la & lb & A & B & ->). apply in_app_iff in inc as [inc | inc].
      + apply (IHa n p own w _ rho la len A); [| exact inc]. intros h. rewrite holds_guards_snoc in h.
        apply andb_true_iff in h as [h g]. specialize (inn h). unfold holds_guard in g. simpl in g.
        rewrite comparisons_hold in g. simpl in inn. destruct (eval_cond rho q); [exact inn | discriminate].
      + apply (IHb n p own w _ rho lb len B); [| exact inc]. intros h. rewrite holds_guards_snoc in h.
        apply andb_true_iff in h as [h g]. specialize (inn h). unfold holds_guard in g. simpl in g.
        rewrite comparisons_hold in g. simpl in inn. destruct (eval_cond rho q); [discriminate | exact inn].
    - assert (shifted : forall k, In k (box ns) -> holds_guards (k ++ rho) (map (subst_guard (up (length ns) n)) gs) =
                holds_guards rho gs).
      { intros j inj. rewrite holds_guards_subst. now rewrite eval_up by (now apply box_length || exact len). }
      assert (longer : forall k, In k (box ns) -> length (k ++ rho) = (length ns + n)%nat).
      { intros j inj. rewrite app_length. apply box_length in inj. lia. }
      destruct r as [[|] ids].
      + destruct (sweep _ _ _ _ e _ _) as [le | |] eqn:S; try discriminate. injection H as <-.
        revert c inc. apply bound_in. intros j inj c inc.
        apply (IH _ _ _ _ _ _ _ (longer j inj) S); [| exact inc]. rewrite shifted by exact inj.
        intros h. now apply inn.
      + destruct (real (base F)); [| discriminate]. destruct p as [q |]; [| discriminate].
        destruct (sweep _ _ _ _ e _ _) as [le | |] eqn:S; try discriminate. injection H as <-.
        revert c inc. apply bound_in. intros j inj c inc.
        apply (IH _ _ _ _ _ _ _ (longer j inj) S); [| exact inc]. rewrite shifted by exact inj.
        intros h. now apply inn.
  Qed.

  (** Divisors are positive in what the sweep makes of an expression in which they are. *)
  Definition contribution_divides (c : contribution) : bool :=
    forallb divides (at_ c) && forallb guard_divides (guards c) && ex_divides F (weight c).

  Lemma divides_negated e : ex_divides F e = true -> ex_divides F (negated F e) = true.
  Proof.
    intros B. destruct e as [c | | | f l | |]; try (simpl in *; rewrite ?B; reflexivity).
    - simpl. now destruct (n_neg (base F) c).
    - destruct f; try (simpl in *; rewrite ?B; reflexivity).
      destruct l as [| x [| y l]]; simpl in *; rewrite ?andb_true_r in *; rewrite ?B; reflexivity || exact B.
  Qed.

  Lemma divides_mk o a b : ex_divides F a = true -> ex_divides F b = true -> ex_divides F (mk o a b) = true.
  Proof.
    intros A B. assert (H : ex_divides F (bin o a b) = true) by (simpl; now rewrite A, B).
    assert (N : forall e, ex_divides F e = true -> ex_divides F (negated F e) = true) by exact divides_negated.
    destruct o; unfold mk; repeat match goal with |- context [if ?x then _ else _] => destruct x end; auto.
  Qed.

  Lemma divides_mk_neg e : ex_divides F e = true -> ex_divides F (mk_neg e) = true.
  Proof. intros B. unfold mk_neg. destruct (is_zero e); [exact B | now apply divides_negated]. Qed.

  Lemma divides_weight_of f w l i :
    ex_divides F w = true -> forallb (ex_divides F) l = true -> ex_divides F (weight_of f w l i) = true.
  Proof.
    intros W L. assert (U : ex_divides F unity = true) by reflexivity.
    assert (Z0 : ex_divides F nought = true) by reflexivity.
    destruct f, l as [| a [| b [| c l]]]; try exact Z0; cbn [forallb] in L;
      rewrite ?andb_true_iff in L; unfold weight_of, times_rest, weight_pow;
      try (destruct L as [A [B _]]); try (destruct L as [A _]);
      try (destruct i);
      repeat first [ assumption | reflexivity | apply divides_mk | apply divides_mk_neg
                   | progress cbn [ex_divides call forallb] | progress rewrite ?A, ?B ];
      repeat match goal with |- context [match ?b with ECst _ => _ | _ => _ end] => destruct b end;
      repeat match goal with |- context [if ?x then _ else _] => destruct x end;
      try assumption; try reflexivity;
      repeat first [ assumption | reflexivity | apply divides_mk | apply divides_mk_neg
                   | apply andb_true_iff; split | progress cbn [ex_divides call forallb] in * ].
  Qed.

  Lemma divides_subst e : forall f,
    forallb divides f = true -> ex_divides F e = true -> ex_divides F (subst f e) = true.
  Proof.
    assert (all : forall f l, forallb divides f = true -> forallb divides l = true ->
              forallb divides (map (subst_ix f) l) = true).
    { intros f l D L. rewrite forallb_map. apply forallb_forall. intros a ina.
      apply subst_divides; [exact D |]. rewrite forallb_forall in L. now apply L. }
    induction e as [z | u k | o a b IHa IHb | g l IH | q a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros f D E; simpl in E |- *; try apply andb_true_iff in E as [A B].
    - reflexivity.
    - now apply all.
    - now rewrite IHa, IHb.
    - rewrite forallb_map. apply forallb_forall. intros a ina.
      rewrite Forall_forall in IH. rewrite forallb_forall in E. now apply IH, E.
    - apply andb_true_iff in A as [C A]. rewrite IHa, IHb by assumption. rewrite !andb_true_r.
      clear - C D. induction q as [o x y | q1 IH1 q2 IH2]; simpl in *.
      + rewrite andb_true_r in *. apply andb_true_iff in C as [X Y]. now rewrite !subst_divides.
      + rewrite forallb_app in *. apply andb_true_iff in C as [C1 C2]. now rewrite IH1, IH2.
    - apply IH; [now apply lift_divides | exact E].
  Qed.

  Lemma divides_up m n : forallb divides (up m n) = true.
  Proof. unfold up. rewrite forallb_map. now apply forallb_forall. Qed.

  Lemma divides_guards f gs : forallb divides f = true -> forallb guard_divides gs = true ->
    forallb guard_divides (map (subst_guard f) gs) = true.
  Proof.
    intros D H. rewrite forallb_map. apply forallb_forall. intros [l b] ing.
    rewrite forallb_forall in H. specialize (H _ ing). unfold guard_divides in *. simpl in *.
    rewrite forallb_map. apply forallb_forall. intros [[o x] y] inc.
    rewrite forallb_forall in H. specialize (H _ inc). simpl in *.
    apply andb_true_iff in H as [X Y]. now rewrite !subst_divides.
  Qed.

  Lemma sweep_divides (t : tid) (e : ex) : forall n p own w gs l,
    sweep t n p own e w gs = Done l ->
    ex_divides F e = true -> ex_divides F w = true -> forallb guard_divides gs = true ->
    forallb divides own = true ->
    forall c, In c l -> contribution_divides c = true.
  Proof.
    induction e as [z | u k | o a b IHa IHb | f k IH | q a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros n p own w gs l H D W Gd O c inc; cbn [sweep] in H;
      destruct (is_zero w || negb (loads_of t _)) eqn:E;
      try (injection H as <-; contradiction).
    - injection H as <-. destruct inc as [<- | []]. unfold contribution_divides.
      cbn [at_ guards weight]. simpl in D. now rewrite D, Gd, W.
    - simpl in D. apply andb_true_iff in D as [A B].
      assert (two : forall u v la lb, sweep t n None own a u gs = Done la ->
          sweep t n None own b v gs = Done lb -> l = la ++ lb ->
          ex_divides F u = true -> ex_divides F v = true -> contribution_divides c = true).
      { intros u v la lb SA SB -> U V. apply in_app_iff in inc as [inc | inc].
        - exact (IHa _ _ _ _ _ _ SA A U Gd O c inc).
        - exact (IHb _ _ _ _ _ _ SB B V Gd O c inc). }
      destruct o; try discriminate; try (destruct (real (base F)); [| discriminate]);
        apply both_done in H as (la & lb & SA & SB & L); apply (two _ _ la lb SA SB L);
        auto using divides_mk, divides_mk_neg.
    - destruct (chooses f); [discriminate |]. simpl in D. assert (H' : forall rest i l, incl rest k -> Forall (fun e => forall n p own w gs l,
          sweep t n p own e w gs = Done l ->
          ex_divides F e = true -> ex_divides F w = true -> forallb guard_divides gs = true ->
          forallb divides own = true ->
          forall c, In c l -> contribution_divides c = true) rest ->
        (fix go i rest :=
           match rest with
           | [] => Done []
           | a :: rest' =>
               and_then (sweep t n None own a (weight_of f w k i) gs)
                 (fun a => and_then (go (S i) rest') (fun b => Done (a ++ b)))
           end) i rest = Done l -> In c l -> contribution_divides c = true).
      { clear IH H l E inc. induction rest as [| a rest IHr]; intros i l sub all H inc.
        - injection H as <-. contradiction.
        - apply both_done in H as (la & lb & A & B & ->). inversion all as [| ? ? one more]; subst.
          assert (ina : In a k) by (apply sub; now left).
          apply in_app_iff in inc as [inc | inc].
          + refine (one _ _ _ _ _ _ A _ _ Gd O c inc); [| now apply divides_weight_of].
            rewrite forallb_forall in D. now apply D.
          + apply (IHr _ _ (fun y h => sub y (or_intror h)) more B inc). }
      exact (H' k 0%nat l (incl_refl k) IH H inc).
    - simpl in D. rewrite !andb_true_iff in D. destruct D as [[C A] B].
      assert (guards' : forall b, forallb guard_divides (gs ++ [(comparisons q, b)]) = true).
      { intros b'. rewrite forallb_app, Gd. simpl. unfold guard_divides. simpl. now rewrite C. }
      apply both_done in H as (la & lb & SA & SB & ->). apply in_app_iff in inc as [inc | inc].
      + exact (IHa _ _ _ _ _ _ SA A W (guards' false) O c inc).
      + exact (IHb _ _ _ _ _ _ SB B W (guards' true) O c inc).
    - simpl in D.
      assert (bounded : forall ids le, (forall c, In c le -> contribution_divides c = true) ->
                In c (map (bound ids ns) le) -> contribution_divides c = true).
      { intros ids le all ini. apply in_map_iff in ini as (c0 & <- & ini). exact (all c0 ini). }
      assert (O' : forallb divides (map (subst_ix (up (length ns) n)) own) = true).
      { rewrite forallb_map. apply forallb_forall. intros a ina.
        apply subst_divides; [apply divides_up |]. rewrite forallb_forall in O. now apply O. }
      assert (G' := divides_guards (up (length ns) n) gs (divides_up _ _) Gd).
      assert (W' := divides_subst w (up (length ns) n) (divides_up _ _) W).
      destruct r as [[|] ids].
      + destruct (sweep _ _ _ _ e _ _) as [le | |] eqn:S; try discriminate. injection H as <-.
        revert inc. apply bounded. exact (IH _ _ _ _ _ _ S D W' G' O').
      + destruct (real (base F)); [| discriminate]. destruct p as [q |]; [| discriminate].
        destruct (sweep _ _ _ _ e _ _) as [le | |] eqn:S; try discriminate. injection H as <-.
        revert inc. apply bounded. refine (IH _ _ _ _ _ _ S D _ G' O').
        unfold weight_max, times_rest.
        repeat first [ assumption | reflexivity | apply divides_mk ].
        simpl. now rewrite D, O'.
  Qed.

  (** ** The step *)

  (** The cell's indices as values: those of a scalar are none. *)
  Definition own_at (d : list nat) (i : list Z) : list Z := if scalar d then [] else i.

  Lemma own_ix_eval d i : in_box d i = true -> map (eval_ix i) (own_ix d) = own_at d i.
  Proof.
    intros ini. unfold own_ix, own_at. destruct (scalar d); [reflexivity |].
    pose proof (eval_vars i []) as E. rewrite app_nil_r, (in_box_length _ _ ini) in E. exact E.
  Qed.

  Lemma own_ix_divides d : forallb divides (own_ix d) = true.
  Proof.
    unfold own_ix. destruct (scalar d); [reflexivity |]. rewrite forallb_map.
    now apply forallb_forall.
  Qed.

  (** One contribution against a direction [x] of a tensor of the shape [D]. *)
  Lemma hits_against st dims D c (x : tensor (text F)) :
    (scalar D = true -> x [] = x [0%Z]) ->
    (forall i, In i (box dims) -> contribution_in D i c) ->
    sum (fun a => hit_value F st dims D c a *r x a) (box D) =
    sum (fun i => share F st x i c) (box dims).
  Proof.
    intros sc inn.
    transitivity (sum (fun k => if holds_guards k (guards c)
      then val F st k (weight c) *r x (map (eval_ix k) (at_ c)) else 0r) (box (variables F dims c))).
    - unfold hit_value.
      transitivity (sum (fun a => sum (fun k =>
          if holds_guards k (guards c) && same_cell D a (map (eval_ix k) (at_ c))
          then val F st k (weight c) *r x a else 0r) (box (variables F dims c))) (box D)).
      { apply (sum_ext G). intros a _. rewrite <- (sum_mul_r G). apply (sum_ext G). intros k _.
        destruct (holds_guards _ _ && _); kring. }
      rewrite (sum_swap G). apply (sum_ext G). intros k ink. set (i := map (eval_ix k) (at_ c)).
      destruct (holds_guards k (guards c)) eqn:H; cbn [andb]; [| now apply (sum_zero G)].
      assert (I : index_in D i = true).
      { unfold variables in ink. apply in_box_box in ink. apply in_box_split in ink as (k1 & k2 & -> & A & B).
        apply inn; [now apply in_box_box | now apply in_box_box | exact H]. }
      unfold index_in in I. apply orb_true_iff in I as [I | I].
      + transitivity (sum (fun a => if tuple_eqb i a then val F st k (weight c) *r x a else 0r) (box D)).
        * apply (sum_ext G). intros a ina. apply in_box_box in ina. now rewrite same_cell_in_box.
        * apply (sum_pick G tuple_eqb (fun a => val F st k (weight c) *r x a));
            [apply tuple_eqb_spec | apply box_nodup | now apply in_box_box].
      + apply andb_true_iff in I as [S I]. destruct i; [| discriminate]. rewrite sc by exact S.
        rewrite (scalar_cell D S).
        change (val F st k (weight c) *r x [0%Z] +r 0r = val F st k (weight c) *r x [0%Z]). kring.
    - unfold variables. rewrite (sum_box_app G), (sum_swap G). apply (sum_ext G). intros i _.
      reflexivity.
  Qed.

  (** The statement's contributions to the adjoint of [t], gathered, against a direction of
      [t], are its output's adjoint [v] against its tangent in this direction. *)
  Theorem step_adjoint (u : bool) (names : list Z) (st : store) (dims : list nat) (e : ex) (p : places)
      (t v : tid) (x : tensor (text F)) (l : list contribution) :
    let D := shapes t in
    sweep t (length dims) p (own_ix dims) e (ELd v (own_ix dims)) [] = Done l ->
    ex_divides F e = true ->
    (scalar D = true -> x [] = x [0%Z]) ->
    (forall i, In i (box dims) -> loads_in t D i e) ->
    sum (fun a => sum (fun c => val F st a (gather shapes u names dims D c)) l *r x a) (box D) =
    sum (fun i => st v (own_at dims i) *r tangent F st (along F t x) p (own_at dims i) i e) (box dims).
  Proof.
    intros D S De sc inn.
    assert (W : ex_divides F (ELd v (own_ix dims)) = true) by (simpl; apply own_ix_divides).
    pose proof (sweep_divides t e _ _ _ _ _ _ S De W eq_refl (own_ix_divides dims)) as div.
    transitivity (sum (fun c => sum (fun i => share F st x i c) (box dims)) l).
    - transitivity (sum (fun a => sum (fun c => hit_value F st dims D c a *r x a) l) (box D)).
      + apply (sum_ext G). intros a ina. apply in_box_box in ina. rewrite <- (sum_mul_r G).
        apply (sum_ext G). intros c inc. f_equal.
        pose proof (div c inc) as Dc. unfold contribution_divides in Dc.
        rewrite !andb_true_iff in Dc. destruct Dc as [[D1 D2] D3].
        now apply gather_value.
      + rewrite (sum_swap G). apply (sum_ext G). intros c inc. apply hits_against; [exact sc |].
        intros i ini. pose proof (box_length _ _ ini) as len.
        apply (sweep_in t D e _ _ _ _ _ i l len S); [| exact inc]. intros _. now apply inn.
    - rewrite (sum_swap G). apply (sum_ext G). intros i ini.
      pose proof (box_length _ _ ini) as len. apply in_box_box in ini.
      etransitivity; [exact (sweep_correct F t st x e _ _ _ _ _ i l len S) |].
      unfold under_guards. cbn [holds_guards forallb]. rewrite own_ix_eval by exact ini.
      f_equal. unfold val. cbn [eval]. now rewrite own_ix_eval.
  Qed.
End Step.
