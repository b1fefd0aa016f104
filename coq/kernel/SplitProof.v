(** * Splitting reductions off keeps values and tangents

    In a store and a direction that satisfy the forward statements, what [split] leaves of an
    expression has the value and the tangent of the expression, and loads inside of its tensors;
    so do the statements that it splits off. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers.
From Calque Require Import kernel.Forms kernel.FormsProof kernel.Gradient kernel.SweepProof kernel.GatherForm.
From Calque Require Import kernel.PutProof kernel.GradientProgram kernel.StepProof kernel.BackwardProof.
From Calque Require Import kernel.ForwardProof kernel.NeededProof kernel.Source kernel.TangentProof kernel.SplitOff.
Import ListNotations.
Open Scope Z_scope.

Section Split.
  Variable F : field.
  Variable O : options.
  Variable shapes : list (list nat).
  Notation ex := (ex (text F)).
  Notation store := (store (text F)).
  Notation builder := (builder F).
  Notation size b := (length (tensors F b)).
  Variable B : builder.
  Variables st du : store.
  Notation sh := (shape_of F B).
  Hypothesis hold : forall s, In s (steps F B) -> holds_step F st du s.
  Variables st0 du0 : store.
  Variable P : place.
  Hypothesis versions : forall t, (t < length shapes)%nat ->
    (forall i, st (nth t (version P) 0%nat) i = st0 t i /\ du (nth t (version P) 0%nat) i = du0 t i) /\
    sh (nth t (version P) 0%nat) = nth t shapes [].

  Notation at_point := (at_point P).
  Notation good := (good F B st du st0 du0).
  Notation all_inside b := (forall s, In s (steps F b) -> step_inside F B s).

  (** What a source expression has to be. *)
  Record proper (e : ex) : Prop := Proper {
    proper_divides : ex_divides F e = true;
    proper_plain : plain F e = true;
    proper_loads : forall t, In t (loads e) -> (t < length shapes)%nat }.

  (** The builder before. *)
  Record ready (b : builder) : Prop := Ready {
    ready_fine : fine F shapes b;
    ready_size : (0 < size b)%nat;
    ready_versions : forall t, (nth t (version P) 0%nat < size b)%nat }.

  Lemma ready_next e g path inside b e' b' : ready b -> split F O shapes P e g path inside b = (e', b') ->
    ready b' /\ extends F b b'.
  Proof.
    intros [Fb pos V] H. destruct (split_fine F O shapes P e g path inside b e' b' Fb pos V H) as (F1 & X & _).
    pose proof (extends_length F _ _ X) as L. split; [| exact X]. split; [exact F1 | lia |].
    intros t. specialize (V t). lia.
  Qed.

  Definition result_good (e e' : ex) (b b' : builder) (g : groups) (path : list guard) : Prop :=
    (forall rho, at_point g path rho -> good rho e' e) /\ ex_divides F e' = true /\
    (all_inside b -> all_inside b').

  Definition splits_well (e : ex) : Prop := forall g path inside b e' b',
    ready b -> split F O shapes P e g path inside b = (e', b') -> extends F b' B -> proper e ->
    forallb guard_divides path = true -> (forall n, In n (extents P g) -> (0 < n)%nat) ->
    (forall rho, at_point g path rho -> forall t, loads_in F t (nth t shapes []) rho e) ->
    result_good e e' b b' g path.

  Lemma put_indices_divide g l : forall d, forallb divides l = true ->
    forallb divides (put_indices (in_place P g) d l) = true.
  Proof.
    induction l as [| a l IH]; intros d D; [reflexivity |]. simpl in D |- *. apply andb_true_iff in D as [A D].
    now rewrite put_index_divides, IH.
  Qed.

  Lemma split_load t l : splits_well (ELd t l).
  Proof.
    intros g path inside b e' b' _ H X [D _ L] _ _ inn. cbn [split] in H. injection H as <- <-.
    destruct (versions t (L t (or_introl eq_refl))) as [V S]. simpl in D.
    assert (E : forall rho, at_point g path rho ->
      map (eval_ix rho) (put_indices (in_place P g) (nth t shapes []) l) = map (eval_ix rho) l).
    { intros rho [I _]. destruct (placed_here P g rho I) as [Pl Be].
      rewrite put_indices_eval by assumption. now rewrite Be. }
    split; [| split; [now apply put_indices_divide | auto]]. intros rho A. split.
    - split; [unfold val; cbn [eval] | intros own own'; cbn [tangent]]; rewrite (E rho A); apply V.
    - intros u. cbn [loads_in]. intros <-. rewrite (E rho A), S. now apply (inn rho A t).
  Qed.

  Lemma split_bin o x y : splits_well x -> splits_well y -> splits_well (EBin (S := text F) o x y).
  Proof.
    intros IHx IHy g path inside b e' b' R H X [D Pl L] Dp full inn. cbn [split] in H.
    destruct (split F O shapes P y g path _ b) as [y' b1] eqn:Ey.
    destruct (split F O shapes P x g path _ b1) as [x' b2] eqn:Ex. injection H as <- <-.
    simpl in D, Pl. apply andb_true_iff in D as [Dx Dy]. apply andb_true_iff in Pl as [Px Py].
    destruct (ready_next _ _ _ _ _ _ _ R Ey) as [R1 X1]. destruct (ready_next _ _ _ _ _ _ _ R1 Ex) as [R2 X2].
    assert (Lx : forall t, In t (loads x) -> (t < length shapes)%nat) by (intros t h; apply L, in_or_app; auto).
    assert (Ly : forall t, In t (loads y) -> (t < length shapes)%nat) by (intros t h; apply L, in_or_app; auto).
    destruct (IHy _ _ _ _ _ _ R Ey (extends_trans F _ _ _ X2 X) (Proper y Dy Py Ly) Dp full
      (fun rho A t => proj2 (inn rho A t))) as (Gy & Dy' & Ay).
    destruct (IHx _ _ _ _ _ _ R1 Ex X (Proper x Dx Px Lx) Dp full
      (fun rho A t => proj1 (inn rho A t))) as (Gx & Dx' & Ax).
    split; [| split; [simpl; now rewrite Dx', Dy' | auto]]. intros rho A.
    destruct (Gx rho A) as [Sx Lx']. destruct (Gy rho A) as [Sy Ly']. split; [now apply same_bin |].
    intros t. now split.
  Qed.

  (** ** The arguments of a function *)

  Definition args_good (l l' : list ex) (g : groups) (path : list guard) : Prop :=
    Forall2 (fun a' a => (forall rho, at_point g path rho -> good rho a' a) /\
                         (is_select F a = false -> literal F a' = literal F a)) l' l.

  Lemma split_args g path inside : forallb guard_divides path = true ->
    (forall n, In n (extents P g) -> (0 < n)%nat) ->
    forall l, Forall splits_well l -> forall b l' b',
    ready b -> extends F b' B ->
    (fix go l b :=
       match l with
       | [] => ([], b)
       | a :: l' =>
           let (l', b) := go l' b in
           let (a, b) := split F O shapes P a g path inside b in
           (a :: l', b)
       end) l b = (l', b') ->
    (forall a, In a l -> proper a) ->
    (forall rho, at_point g path rho -> forall a, In a l -> forall t, loads_in F t (nth t shapes []) rho a) ->
    ready b' /\ extends F b b' /\ args_good l l' g path /\ forallb (ex_divides F) l' = true /\
    (all_inside b -> all_inside b').
  Proof.
    intros Dp full. induction l as [| a l IHl]; intros all b l' b' R X H ok inn.
    - injection H as <- <-. split; [exact R |]. split; [apply extends_refl |]. split; [constructor |]. auto.
    - inversion all as [| ? ? one more]; subst.
      match type of H with (let (_, _) := ?go l b in _) = _ => destruct (go l b) as [l1 b1] eqn:E1 end.
      destruct (split F O shapes P a g path inside b1) as [a1 b2] eqn:E2. injection H as <- <-.
      assert (R1 : ready b1 /\ extends F b b1).
      { clear - E1 R. revert b l1 b1 R E1. induction l as [| c l IH]; intros b l1 b1 R E1.
        - injection E1 as <- <-. split; [exact R | apply extends_refl].
        - match type of E1 with (let (_, _) := ?go l b in _) = _ => destruct (go l b) as [l2 b2] eqn:E2 end.
          destruct (split F O shapes P c g path inside b2) as [c1 b3] eqn:E3. injection E1 as <- <-.
          destruct (IH _ _ _ R E2) as [R2 X2]. destruct (ready_next _ _ _ _ _ _ _ R2 E3) as [R3 X3].
          split; [exact R3 | exact (extends_trans F _ _ _ X2 X3)]. }
      destruct R1 as [R1 X1]. destruct (ready_next _ _ _ _ _ _ _ R1 E2) as [R2 X2].
      destruct (IHl more b l1 b1 R (extends_trans F _ _ _ X2 X) E1 (fun c h => ok c (or_intror h))
        (fun rho A c h => inn rho A c (or_intror h))) as (_ & _ & G1 & D1 & A1).
      destruct (one _ _ _ _ _ _ R1 E2 X (ok a (or_introl eq_refl)) Dp full
        (fun rho A => inn rho A a (or_introl eq_refl))) as (G2 & D2 & A2).
      split; [exact R2 |]. split; [exact (extends_trans F _ _ _ X1 X2) |].
      split; [constructor; [split; [exact G2 | intros no; exact (split_literal F O shapes P a _ _ _ _ _ _ no E2)] | exact G1] |].
      split; [simpl; now rewrite D2, D1 | auto].
  Qed.

  Lemma split_call f l : Forall splits_well l -> splits_well (EFn (S := text F) f l).
  Proof.
    intros all g path inside b e' b' R H X [D Pl L] Dp full inn. cbn [split] in H.
    match type of H with (let (_, _) := ?go l b in _) = _ => destruct (go l b) as [l1 b1] eqn:E1 end.
    injection H as <- <-. simpl in D, Pl. apply andb_true_iff in Pl as [Pe Pl]. apply negb_true_iff in Pe.
    assert (ok : forall a, In a l -> proper a).
    { intros a ina. split.
      - rewrite forallb_forall in D. now apply D.
      - rewrite forallb_forall in Pl. now apply Pl.
      - intros t h. apply L. simpl. apply in_flat_map. eauto. }
    assert (inl : forall rho, at_point g path rho -> forall a, In a l -> forall t, loads_in F t (nth t shapes []) rho a).
    { intros rho A a ina t. specialize (inn rho A t). simpl in inn. clear - ina inn.
      induction l as [| c l IH]; [contradiction |]. destruct inn as [C inn]. destruct ina as [<- | ina]; auto. }
    destruct (split_args g path _ Dp full l all b l1 b1 R X E1 ok inl) as (_ & _ & G1 & D1 & A1).
    split; [| split; [exact D1 | exact A1]]. intros rho A. split.
    - apply same_call.
      + clear - G1 A. induction G1 as [| a' a l' l [G _] _ IH]; constructor; [now apply G | exact IH].
      + destruct f; try reflexivity. unfold exponent. unfold args_good in G1.
        destruct G1 as [| a' a ? ? _ [| c' c ? ? [_ Li] [|]]]; try reflexivity. simpl in Pe. now rewrite (Li Pe).
    - intros t. unfold call. cbn [loads_in]. clear - G1 A. induction G1 as [| a' a l' l [G _] _ IH]; [exact I |].
      split; [now apply (G rho A) | exact IH].
  Qed.

  (** ** Selects *)

  Lemma split_select c x y : splits_well x -> splits_well y -> splits_well (ESel (S := text F) c x y).
  Proof.
    intros IHx IHy g path inside b e' b' R H X [D Pl L] Dp full inn. cbn [split] in H.
    destruct (split F O shapes P y g _ _ b) as [y' b1] eqn:Ey.
    destruct (split F O shapes P x g _ _ b1) as [x' b2] eqn:Ex. injection H as <- <-.
    simpl in D, Pl. apply andb_true_iff in D as [D Dy]. apply andb_true_iff in D as [Dc Dx].
    apply andb_true_iff in Pl as [Px Py].
    destruct (ready_next _ _ _ _ _ _ _ R Ey) as [R1 X1]. destruct (ready_next _ _ _ _ _ _ _ R1 Ex) as [R2 X2].
    assert (Lx : forall t, In t (loads x) -> (t < length shapes)%nat) by (intros t h; apply L, in_or_app; auto).
    assert (Ly : forall t, In t (loads y) -> (t < length shapes)%nat) by (intros t h; apply L, in_or_app; auto).
    assert (Dq : forall q, forallb guard_divides (path ++ [(comparisons c, q)]) = true).
    { intros q. rewrite forallb_app, Dp. simpl. unfold guard_divides. simpl. now rewrite Dc. }
    assert (branch : forall rho q, at_point g (path ++ [(comparisons c, q)]) rho <->
              at_point g path rho /\ eval_cond rho c = negb q).
    { intros rho q. unfold SplitOff.at_point. rewrite holds_guards_snoc, andb_true_iff. unfold holds_guard. cbn [fst snd].
      rewrite comparisons_hold. destruct q, (eval_cond rho c); simpl; intuition congruence. }
    destruct (IHy _ _ _ _ _ _ R Ey (extends_trans F _ _ _ X2 X) (Proper y Dy Py Ly) (Dq true) full) as (Gy & Dy' & Ay).
    { intros rho A t. apply branch in A as [A C]. specialize (inn rho A t). simpl in inn. now rewrite C in inn. }
    destruct (IHx _ _ _ _ _ _ R1 Ex X (Proper x Dx Px Lx) (Dq false) full) as (Gx & Dx' & Ax).
    { intros rho A t. apply branch in A as [A C]. specialize (inn rho A t). simpl in inn. now rewrite C in inn. }
    split; [| split; [apply select_divides; auto; now apply put_comparisons_divide | auto]].
    intros rho A. destruct (placed_here P g rho (proj1 A)) as [Pp Be].
    assert (C : forallb (holds_comparison rho) (put_comparisons (in_place P g) (comparisons c)) = eval_cond rho c).
    { rewrite put_comparisons_eval by assumption. rewrite Be. apply comparisons_hold. }
    split.
    - eapply same_trans; [apply same_select |]. rewrite C.
      destruct (eval_cond rho c) eqn:Ec.
      + destruct (Gx rho (proj2 (branch rho false) (conj A Ec))) as [[V T] _].
        split; [unfold val in *; cbn [eval]; now rewrite Ec | intros own own'; cbn [tangent]; now rewrite Ec].
      + destruct (Gy rho (proj2 (branch rho true) (conj A Ec))) as [[V T] _].
        split; [unfold val in *; cbn [eval]; now rewrite Ec | intros own own'; cbn [tangent]; now rewrite Ec].
    - intros t. apply loads_in_select; rewrite C; intros Ec.
      + now apply (Gx rho (proj2 (branch rho false) (conj A Ec))).
      + now apply (Gy rho (proj2 (branch rho true) (conj A Ec))).
  Qed.

  (** ** Reductions *)

  Lemma split_red r ns x : splits_well x -> splits_well (ERed (S := text F) r ns x).
  Proof.
    intros IH g path inside b e' b' R H X [D Pl L] Dp full inn. cbn [split] in H.
    set (n := (length (concat (map snd g)) + length (box_ P))%nat) in *.
    destruct (split F O shapes P x _ _ _ b) as [x' b1] eqn:Ex.
    simpl in D, Pl. apply andb_true_iff in Pl as [Pn Px]. rewrite forallb_forall in Pn.
    destruct (ready_next _ _ _ _ _ _ _ R Ex) as [R1 X1].
    assert (wide : extents P ((snd r, ns) :: g) = ns ++ extents P g)
      by (unfold extents; simpl; now rewrite <- app_assoc).
    assert (under_ : forall k rho, length k = length ns -> length rho = n ->
              holds_guards (k ++ rho) (map (subst_guard (up (length ns) n)) path) = holds_guards rho path).
    { intros k rho lk lr. rewrite holds_guards_subst, eval_up by assumption. reflexivity. }
    assert (len : forall rho, in_box (extents P g) rho = true -> length rho = n).
    { intros rho I. rewrite (in_box_length _ _ I). unfold extents. now rewrite app_length. }
    assert (Xb1 : extends F b1 B).
    { destruct (split_fine F O shapes P x _ _ _ b x' b1 (ready_fine b R) (ready_size b R) (ready_versions b R) Ex)
        as (_ & _ & lo).
      match type of H with (if ?c then _ else _) = _ => destruct c end; [| injection H as <- <-; exact X].
      destruct (split_off_fine F shapes P g _ path r ns x' b1 e' b' (ready_fine b1 R1) lo H) as (_ & X2 & _).
      exact (extends_trans F _ _ _ X2 X). }
    destruct (IH _ _ _ _ _ _ R Ex Xb1 (Proper x D Px L)) as (G1 & D1 & A1).
    { apply divides_guards; [apply divides_up | exact Dp]. }
    { intros m inm. rewrite wide in inm. apply in_app_iff in inm as [inm | inm]; [apply Nat.ltb_lt, Pn, inm | auto]. }
    { intros rho [I Hp] t. rewrite wide in I. apply in_box_split in I as (k & rho' & -> & Ik & Ir).
      rewrite under_ in Hp; [| exact (in_box_length _ _ Ik) | now apply len].
      apply (inn rho' (conj Ir Hp) t k). now apply in_box_box. }
    assert (G2 : forall k rho, In k (box ns) -> at_point g path rho -> good (k ++ rho) x' x).
    { intros k rho ink [I Hp]. apply G1. pose proof (box_length _ _ ink) as lk. split.
      - rewrite wide, in_box_app by exact lk. apply in_box_box in ink. now rewrite ink, I.
      - rewrite under_; [exact Hp | exact lk | now apply len]. }
    match type of H with (if ?c then _ else _) = _ => destruct c end.
    - destruct (split_off_good F B st du hold st0 du0 P g path (ERed (S := text F) r ns x) x' x r ns
        eq_refl Dp full _ eq_refl G2 D1 b1 e' b' H X) as (G & D2 & A2).
      split; [exact G |]. split; [exact D2 | auto].
    - injection H as <- <-. split; [| split; [exact D1 | exact A1]]. intros rho A. split.
      + apply same_red. intros k ink. now apply (G2 k rho ink A).
      + intros t k ink. now apply (G2 k rho ink A).
  Qed.

  Theorem split_good (e : ex) : splits_well e.
  Proof.
    induction e as [c | t l | o x y IHx IHy | f l IH | c x y IHx IHy | r ns x IH] using ex_nested_ind.
    - intros g path inside b e' b' _ H _ _ _ _ _. cbn [split] in H. injection H as <- <-.
      split; [| auto]. intros rho _. split; [split; reflexivity |]. intros t. exact I.
    - apply split_load.
    - now apply split_bin.
    - now apply split_call.
    - now apply split_select.
    - now apply split_red.
  Qed.
End Split.
