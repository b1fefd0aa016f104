(** * A run of the statements gives each tensor the value of its statement *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Numbers kernel.Gradient kernel.GatherForm.
From Calque Require Import kernel.SweepProof kernel.StepProof kernel.GradientProgram kernel.AdjointProof.
From Calque Require Import kernel.BackwardProof kernel.ForwardProof kernel.NeededProof.
Import ListNotations.
Open Scope Z_scope.

Section Run.
  Variable F : field.
  Variable O : options.
  Notation ex := (ex (text F)).
  Notation step := (step F).
  Notation store := (store (text F)).
  Notation builder := (builder F).
  Notation outs l := (map (fun s => out (does F s)) l).
  Notation size b := (length (tensors F b)).
  Notation below := (below F).

  (** ** What a gradient loads *)

  Section Below.
    Variable n : nat.
    Notation low e := (below n e).

    Lemma low_bin o a b : low a -> low b -> low (bin o a b).
    Proof. intros A B t i. simpl in i. apply in_app_iff in i as []; auto. Qed.

    Lemma low_call f l : (forall a, In a l -> low a) -> low (call f l).
    Proof. intros A t i. simpl in i. apply in_flat_map in i as (a & ina & i). exact (A a ina t i). Qed.

    Lemma low_call1 f a : low a -> low (call f [a]).
    Proof. intros A. apply low_call. intros b [<- | []]. exact A. Qed.

    Lemma low_call2 f a b : low a -> low b -> low (call f [a; b]).
    Proof. intros A B. apply low_call. intros c [<- | [<- | []]]; assumption. Qed.

    Lemma low_cst c : low (cst c : ex).
    Proof. intros t []. Qed.

    Lemma low_negated e : low e -> low (negated F e).
    Proof.
      intros B. destruct e as [c | | | f l | |]; try (apply low_call1; exact B).
      - simpl. destruct (n_neg (base F) c); [apply low_cst | apply low_call1; exact B].
      - destruct f; try (apply low_call1; exact B).
        destruct l as [| x [| y l]]; try (apply low_call1; exact B).
        intros t i. apply B. simpl. now rewrite app_nil_r.
    Qed.

    Lemma low_mk_neg e : low e -> low (mk_neg e).
    Proof. intros B. unfold mk_neg. destruct (is_zero e); [exact B | now apply low_negated]. Qed.

    Lemma low_mk o a b : low a -> low b -> low (mk o a b).
    Proof.
      intros A B. destruct o; unfold mk; repeat match goal with |- context [if ?x then _ else _] => destruct x end;
        auto using low_bin, low_negated.
    Qed.

    Lemma low_weight f w l i : low w -> (forall a, In a l -> low a) -> low (weight_of f w l i).
    Proof.
      intros W L.
      assert (U : low (unity : ex)) by apply low_cst. assert (Z0 : low (nought : ex)) by apply low_cst.
      destruct f, l as [| a [| b [| c l]]]; try exact Z0; unfold weight_of, times_rest, weight_pow;
        try (assert (A : low a) by (apply L; now left));
        try (assert (B : low b) by (apply L; right; now left));
        try destruct i;
        repeat first [ assumption | apply low_mk | apply low_mk_neg | apply low_call1 | apply low_call2 | apply low_cst ];
        destruct b; repeat match goal with |- context [if ?x then _ else _] => destruct x end;
        repeat first [ assumption | apply low_mk | apply low_call2 | apply low_cst ].
    Qed.

    Lemma low_subst f e : low e -> low (subst f e).
    Proof. intros B t. rewrite subst_loads. apply B. Qed.

    Lemma sweep_low t e : forall m p own w gs l,
      sweep t m p own e w gs = Done l -> low e -> low w -> places_within n p ->
      forall c, In c l -> low (weight c).
    Proof.
      induction e as [z | u k | o a b IHa IHb | f k IH | q a b IHa IHb | r ns e IH]
        using ex_nested_ind; intros m p own w gs l H E W P c inc; cbn [sweep] in H;
        destruct (is_zero w || negb (loads_of t _)) eqn:Z0; try (injection H as <-; contradiction).
      - injection H as <-. destruct inc as [<- | []]. exact W.
      - assert (A : low a) by (intros x i; apply E; apply in_or_app; now left).
        assert (B : low b) by (intros x i; apply E; apply in_or_app; now right).
        assert (two : forall u v la lb, sweep t m None own a u gs = Done la ->
            sweep t m None own b v gs = Done lb -> l = la ++ lb -> low u -> low v -> low (weight c)).
        { intros u v la lb SA SB -> U V. apply in_app_iff in inc as [inc | inc].
          - exact (IHa _ _ _ _ _ _ SA A U I c inc).
          - exact (IHb _ _ _ _ _ _ SB B V I c inc). }
        destruct o; try discriminate; try (destruct (real (base F)); [| discriminate]);
          apply both_done in H as (la & lb & SA & SB & L); apply (two _ _ la lb SA SB L);
          auto using low_mk, low_mk_neg.
      - destruct (chooses f); [discriminate |]. assert (args : forall a, In a k -> low a).
        { intros a ina x i. apply E. simpl. apply in_flat_map. now exists a. }
        assert (H' : forall rest i l, incl rest k -> Forall (fun e => forall m p own w gs l,
            sweep t m p own e w gs = Done l -> low e -> low w -> places_within n p ->
            forall c, In c l -> low (weight c)) rest ->
          (fix go i rest :=
             match rest with
             | [] => Done []
             | a :: rest' =>
                 and_then (sweep t m None own a (weight_of f w k i) gs)
                   (fun a => and_then (go (S i) rest') (fun b => Done (a ++ b)))
             end) i rest = Done l -> In c l -> low (weight c)).
        { clear IH H l inc Z0. induction rest as [| a rest IHr]; intros i l sub all H inc.
          - injection H as <-. contradiction.
          - apply both_done in H as (la & lb & A & B & ->). inversion all as [| ? ? one more]; subst.
            apply in_app_iff in inc as [inc | inc].
            + refine (one _ _ _ _ _ _ A _ _ I c inc); [apply args, sub; now left | now apply low_weight].
            + exact (IHr _ _ (fun y h => sub y (or_intror h)) more B inc). }
        exact (H' k 0%nat l (incl_refl k) IH H inc).
      - assert (A : low a) by (intros x i; apply E; apply in_or_app; now left).
        assert (B : low b) by (intros x i; apply E; apply in_or_app; now right).
        apply both_done in H as (la & lb & SA & SB & ->). apply in_app_iff in inc as [inc | inc].
        + exact (IHa _ _ _ _ _ _ SA A W P c inc).
        + exact (IHb _ _ _ _ _ _ SB B W P c inc).
      - assert (bounded : forall ids le, (forall c, In c le -> low (weight c)) ->
                  In c (map (bound ids ns) le) -> low (weight c)).
        { intros ids le all ini. apply in_map_iff in ini as (c0 & <- & ini). exact (all c0 ini). }
        destruct r as [[|] ids].
        + destruct (sweep _ _ _ _ e _ _) as [le | |] eqn:S; try discriminate. injection H as <-.
          revert inc. apply bounded. exact (IH _ _ _ _ _ _ S E (low_subst _ w W) I).
        + destruct (real (base F)); [| discriminate]. destruct p as [[x y] |]; [| discriminate].
          destruct (sweep _ _ _ _ e _ _) as [le | |] eqn:S; try discriminate. injection H as <-.
          revert inc. apply bounded. refine (IH _ _ _ _ _ _ S E _ I).
          assert (U : low (unity : ex)) by apply low_cst. destruct P as [Px Py].
          unfold weight_max, times_rest. repeat first [ assumption | apply low_mk | apply low_call2 | apply low_subst ];
            intros v [<- | []]; assumption.
    Qed.

    Lemma put_low sh e : forall f, low e -> low (put F sh f e).
    Proof.
      assert (H : forall f t, In t (loads (put F sh f e)) -> In t (loads e)).
      { induction e as [z | u k | o a b IHa IHb | g k IH | q a b IHa IHb | r ns e IH]
          using ex_nested_ind; intros f t i.
        - exact i.
        - exact i.
        - cbn [put loads] in *. apply in_app_iff in i as [i | i]; apply in_or_app; eauto.
        - cbn [put loads] in *. apply in_flat_map in i as (a & ina & i).
          apply in_map_iff in ina as (b & <- & inb). apply in_flat_map. exists b.
          rewrite Forall_forall in IH. split; [exact inb | exact (IH b inb f t i)].
        - cbn [put] in i. cbn [loads]. unfold mk_select in i.
          destruct (put_comparisons f (comparisons q)) as [| c l]; [apply in_or_app; left; eauto |].
          destruct (is_zero _ && is_zero _); [apply in_or_app; left; eauto |].
          cbn [loads] in i. apply in_app_iff in i as [i | i]; apply in_or_app; eauto.
        - cbn [put loads] in *. eauto. }
      intros f B t i. apply B. exact (H f t i).
    Qed.

    Lemma put_guards_low f gs : forall own e, low e -> low (put_guards F f own gs e).
    Proof.
      assert (Z0 : low (nought : ex)) by apply low_cst.
      induction gs as [| [l b] gs IH]; intros own e B; cbn [put_guards].
      - now apply select_below.
      - destruct l as [| c [| c' l]], b; try (now apply IH); repeat (apply select_below; auto).
    Qed.

    Lemma gather_low sh u own dims cell c : low (weight c) -> low (gather sh u own dims cell c).
    Proof.
      intros B. unfold gather. destruct (existsb _ _); [apply low_cst |].
      assert (M : forall ids ns e, low e -> low (mk_sum ids ns e)).
      { intros ids ns e E. unfold mk_sum. destruct ns; [exact E |]. destruct (is_zero e); exact E. }
      apply M, put_guards_low, put_low, B.
    Qed.

    Lemma adjoint_body_low b p seeds adj t e :
      (forall u v, find u seeds = Some v -> (v < n)%nat) -> (forall u v, find u adj = Some v -> (v < n)%nat) ->
      (forall s, In s p -> low (body (does F s)) /\ places_within n (stores_max F s)) ->
      adjoint_body F O b p seeds adj t = Done (Some e) -> low e.
    Proof.
      intros Sd Ad P H. unfold adjoint_body in H.
      set (good := fun o : outcome (option ex) => match o with Done (Some e) => low e | _ => True end).
      assert (G : good (fold_left (fun o s => and_then o (contribute F O b adj t s)) p
                 (Done (option_map (fun v => ELd v (own_ix (shape_of F b t))) (find t seeds))))).
      { assert (first : good (Done (option_map (fun v => ELd v (own_ix (shape_of F b t))) (find t seeds)))).
        { unfold good. destruct (find t seeds) as [v |] eqn:E; simpl; [| exact I].
          intros x [<- | []]. exact (Sd t v E). }
        revert first P. generalize (Done (option_map (fun v => @ELd (text F) v (own_ix (shape_of F b t))) (find t seeds))).
        clear - Ad. induction p as [| s p IH]; intros o G P; [exact G |]. cbn [fold_left]. apply IH.
        - destruct o as [o | |]; try exact I. cbn [and_then]. unfold contribute.
          destruct (find (out (does F s)) adj) as [v |] eqn:E; [| exact G].
          destruct (sweep t _ _ _ _ _ _) as [l | |] eqn:S; try exact I. cbn [and_then].
          destruct (P s (or_introl eq_refl)) as [B Pl].
          assert (W : low (ELd v (own_ix (dims (does F s))))) by (intros x [<- | []]; exact (Ad _ v E)).
          pose proof (sweep_low t _ _ _ _ _ _ _ S B W Pl) as C. clear S. revert o G.
          induction l as [| c l IHl]; intros o G; [exact G |]. cbn [fold_left].
          apply IHl; [intros c' h; apply C; now right |].
          assert (Gc := gather_low (shape_of F b) (universal O) (names F s) (dims (does F s)) (shape_of F b t) c
                          (C c (or_introl eq_refl))).
          destruct o as [s0 |]; [exact (low_mk OAdd s0 _ G Gc) | exact Gc].
        - intros s' h. apply P. now right. }
      destruct (fold_left _ p _) as [[e1 |] | |]; try discriminate; cbn [and_then] in H.
      destruct (is_zero e1); [discriminate |]. injection H as <-. exact G.
    Qed.
  End Below.

  (** ** Builders in order *)

  Record sorted (b : builder) : Prop := Sorted {
    sorted_outs : forall s, In s (steps F b) -> (out (does F s) < size b)%nat /\
                    below (out (does F s)) (body (does F s));
    sorted_order : forall pre s post, steps F b = pre ++ s :: post ->
                    forall s', In s' pre -> (out (does F s') < out (does F s))%nat }.

  Lemma store_sorted t e b u b' : sorted b -> below (size b) e -> store_adjoint F t e b = (u, b') ->
    sorted b' /\ (u < size b')%nat /\ (size b < size b')%nat.
  Proof.
    intros [so or] B H. unfold store_adjoint in H. rewrite new_tensor_eq in H. cbv beta iota zeta in H.
    injection H as <- <-. cbn [emit tensors new_tensor snd]. rewrite app_length. simpl length.
    split; [| lia]. split; cbn [emit steps tensors new_tensor snd].
    - intros s ins. rewrite app_length. simpl length. apply in_app_iff in ins as [ins | [<- | []]].
      + destruct (so s ins) as [lt lo]. split; [lia | exact lo].
      + cbn [does out body]. split; [lia | exact B].
    - intros pre s post E s' ins. destruct post as [| s2 post _] using rev_ind.
      + apply app_inj_tail in E as [<- <-]. cbn [does out]. now apply so in ins.
      + rewrite app_comm_cons, app_assoc in E. apply app_inj_tail in E as [E _].
        exact (or pre s post E s' ins).
  Qed.

  (** ** The run *)

  Lemma run_app p q st : run F (p ++ q) st = run F q (run F p st).
  Proof. apply fold_left_app. Qed.

  Lemma run_other p : forall st t, ~ In t (outs p) -> forall i, run F p st t i = st t i.
  Proof.
    induction p as [| s p IH]; intros st t no i; [reflexivity |]. cbn [run fold_left].
    change (run F p (run_step F s st) t i = st t i).
    rewrite IH by (intros h; apply no; now right). unfold run_step, upd.
    destruct (Nat.eqb_spec t (out (does F s))) as [E |]; [| reflexivity]. exfalso. apply no. left. now symmetry.
  Qed.

  Theorem run_model b st0 : sorted b -> forall s i, In s (steps F b) -> In i (box (dims (does F s))) ->
    run F (steps F b) st0 (out (does F s)) (own_at (dims (does F s)) i) =
    val F (run F (steps F b) st0) i (body (does F s)).
  Proof.
    intros [so or] s i ins ini. destruct (so s ins) as [_ lo].
    apply in_split in ins as (pre & post & E). rewrite E, run_app.
    cbn [run fold_left]. fold (run F post (run_step F s (run F pre st0))).
    assert (late : forall t, (t <= out (does F s))%nat -> ~ In t (outs post)).
    { intros t le h. apply in_map_iff in h as (s' & <- & ins'). apply in_split in ins' as (q1 & q2 & ->).
      assert (lt : (out (does F s) < out (does F s'))%nat).
      { apply (or (pre ++ s :: q1) s' q2).
        - rewrite E, <- app_assoc. reflexivity.
        - apply in_or_app. right. now left. }
      lia. }
    rewrite run_other by (apply late; lia). unfold run_step at 1. rewrite (upd_same (text F)).
    apply in_box_box in ini.
    assert (I : index_in (dims (does F s)) (own_at (dims (does F s)) i) = true /\
      match own_at (dims (does F s)) i with
      | [] => if scalar (dims (does F s)) then [0] else []
      | _ => own_at (dims (does F s)) i
      end = i).
    { unfold index_in, own_at. destruct (scalar (dims (does F s))) eqn:S.
      - rewrite (scalar_cell _ S) in *. split; [now rewrite orb_true_r |].
        destruct i as [| z [| ? ?]]; simpl in ini; try discriminate; [| now rewrite andb_false_r in ini].
        rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt in ini. f_equal. lia.
      - rewrite ini. split; [reflexivity |]. now destruct i. }
    destruct I as [-> ->]. unfold val. apply (eval_frame (text F)). intros t int_ j.
    apply lo in int_. rewrite (run_other post) by (apply late; lia). unfold run_step, upd.
    destruct (Nat.eqb_spec t (out (does F s))); [lia | reflexivity].
  Qed.

  (** ** The backward pass keeps the order *)

  Lemma give_sorted current : forall outputs b seeds given_ b',
    sorted b -> give F outputs current b = (seeds, given_, b') ->
    sorted b' /\ (size b <= size b')%nat /\ forall u v, find u seeds = Some v -> (v < size b')%nat.
  Proof.
    induction outputs as [| t outputs IH]; intros b seeds given_ b' So H; cbn [give] in H.
    - injection H as <- <- <-. split; [exact So |]. split; [lia | discriminate].
    - rewrite new_tensor_eq in H. cbv beta iota zeta in H.
      destruct (give F outputs current _) as [[s g] b2] eqn:E. injection H as <- <- <-.
      assert (L : size (snd (new_tensor F (AdjointOf t) (shape_of F b t) b)) = S (size b))
        by (simpl; rewrite app_length; simpl; lia).
      apply IH in E as (S2 & L2 & V).
      + split; [exact S2 |]. split; [lia |]. intros u v. simpl. destruct (_ =? u)%nat; [| apply V].
        intros h. injection h as <-. lia.
      + destruct So as [so or]. split.
        * intros s' ins. destruct (so s' ins) as [lt lo]. split; [rewrite L; lia | exact lo].
        * exact or.
  Qed.

  Lemma adjoints_sorted p active seeds : forall todo adj b adj' b',
    sorted b ->
    (forall s, In s p -> below (size b) (body (does F s)) /\ places_within (size b) (stores_max F s)) ->
    (forall u v, find u seeds = Some v -> (v < size b)%nat) ->
    (forall u v, find u adj = Some v -> (v < size b)%nat) ->
    adjoints_of F O p todo active seeds adj b = Done (adj', b') ->
    sorted b' /\ (size b <= size b')%nat /\ forall u v, find u adj' = Some v -> (v < size b')%nat.
  Proof.
    induction todo as [| s todo IH]; intros adj b adj' b' So P Sd Ad H; cbn [adjoints_of] in H.
    { injection H as <- <-. auto. }
    destruct (existsb (Nat.eqb (out (does F s))) active); [| now apply (IH adj b)].
    destruct (adjoint_body F O b p seeds adj (out (does F s))) as [[e |] | |] eqn:B; try discriminate;
      cbn [and_then] in H; [| now apply (IH adj b)].
    pose proof (adjoint_body_low (size b) b p seeds adj _ e Sd Ad P B) as lo.
    destruct (same_tensor F b _ e) as [u |] eqn:al.
    - apply (IH ((out (does F s), u) :: adj) b); auto. intros x v. simpl.
      destruct (_ =? x)%nat; [| apply Ad]. intros h. injection h as <-.
      unfold same_tensor in al. destruct e; try discriminate. destruct (_ && _); [| discriminate].
      injection al as <-. apply lo. now left.
    - destruct (store_adjoint F _ e b) as [u b1] eqn:E. destruct (store_sorted _ _ _ _ _ So lo E) as (S1 & lt & L1).
      apply (IH ((out (does F s), u) :: adj) b1) in H as (S2 & L2 & V2); auto.
      + split; [exact S2 |]. split; [lia | exact V2].
      + intros s' ins. destruct (P s' ins) as [B' P']. split.
        * eapply below_le; [| exact B']. lia.
        * eapply places_le; [| exact P']. lia.
      + intros x v h. apply Sd in h. lia.
      + intros x v. simpl. destruct (_ =? x)%nat; [intros h; injection h as <-; exact lt |].
        intros h. apply Ad in h. lia.
  Qed.

  Lemma gradients_sorted p seeds adj : forall wrt b l b',
    sorted b ->
    (forall s, In s p -> below (size b) (body (does F s)) /\ places_within (size b) (stores_max F s)) ->
    (forall u v, find u seeds = Some v -> (v < size b)%nat) ->
    (forall u v, find u adj = Some v -> (v < size b)%nat) ->
    gradients F O p seeds adj wrt b = Done (l, b') -> sorted b'.
  Proof.
    induction wrt as [| x wrt IH]; intros b l b' So P Sd Ad H; cbn [gradients] in H.
    - now injection H as <- <-.
    - destruct (adjoint_body F O b p seeds adj x) as [o | |] eqn:B; try discriminate. cbn [and_then] in H.
      destruct (store_adjoint F x _ b) as [u b1] eqn:E.
      destruct (gradients F O p seeds adj wrt b1) as [[l1 b2] | |] eqn:Eg; try discriminate.
      cbn [and_then] in H. injection H as <- <-.
      assert (lo : below (size b) (match o with Some e => e | None => nought end)).
      { destruct o as [e |]; [| apply low_cst]. exact (adjoint_body_low (size b) b p seeds adj x e Sd Ad P B). }
      destruct (store_sorted _ _ _ _ _ So lo E) as (S1 & _ & L1). apply (IH b1 l1); auto.
      + intros s' ins. destruct (P s' ins) as [B' P']. split.
        * eapply below_le; [| exact B']. lia.
        * eapply places_le; [| exact P']. lia.
      + intros y v h. apply Sd in h. lia.
      + intros y v h. apply Ad in h. lia.
  Qed.

  Theorem backward_sorted shapes outputs wrt current b given_ l b' :
    fine F shapes b -> strict F b ->
    backward F O outputs wrt current b = Done (given_, l, b') -> sorted b'.
  Proof.
    intros Fb St H. unfold backward in H.
    destruct (give F outputs current b) as [[seeds g] bg] eqn:Eg.
    destruct (adjoints_of _ _ _ _ _ _ _ bg) as [[adj b2] | |] eqn:Ea; try discriminate. cbn [and_then] in H.
    destruct (gradients _ _ _ _ _ _ b2) as [[l' b3] | |] eqn:El; try discriminate. cbn [and_then] in H.
    injection H as -> -> ->.
    assert (So : sorted b).
    { split; [| exact (fine_order F shapes b Fb)].
      intros s ins. destruct (fine_outs F shapes b Fb s ins) as (R & _ & lo). split; [lia | exact lo]. }
    assert (P : forall s, In s (steps F b) -> below (size b) (body (does F s)) /\ places_within (size b) (stores_max F s)).
    { intros s ins. split; [| exact (St s ins)]. destruct (fine_outs F shapes b Fb s ins) as (R & _ & lo).
      eapply below_le; [| exact lo]. lia. }
    destruct (give_sorted current outputs b seeds given_ bg So Eg) as (S1 & L1 & V1).
    assert (P1 : forall m, (size b <= m)%nat -> forall s, In s (steps F b) ->
                below m (body (does F s)) /\ places_within m (stores_max F s)).
    { intros m le s ins. destruct (P s ins). split; [eapply below_le; eassumption | eapply places_le; eassumption]. }
    assert (V0 : forall u v, find u ([] : table) = Some v -> (v < size bg)%nat) by discriminate.
    destruct (adjoints_sorted _ _ _ _ _ _ _ _ S1 (P1 _ L1) V1 V0 Ea) as (S2 & L2 & V2).
    apply (gradients_sorted _ _ _ _ _ _ _ S2 (P1 (size b2) ltac:(lia))) in El; auto.
    intros u v h. apply V1 in h. lia.
  Qed.
End Run.
