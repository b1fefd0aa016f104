(** * Forward statements are in order: each stores a new tensor, after all that it loads *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Numbers kernel.Gradient.
From Calque Require Import kernel.GatherForm kernel.GradientProgram kernel.BackwardProof kernel.ProgramProof.
Import ListNotations.
Open Scope Z_scope.

Section Forward.
  Variable F : field.
  Variable O : options.
  Variable shapes : list (list nat).
  Notation ex := (ex (text F)).
  Notation step := (step F).
  Notation builder := (builder F).
  Notation outs l := (map (fun s => out (does F s)) l).
  Notation n0 := (length shapes).
  Notation size b := (length (tensors F b)).

  Definition below (n : nat) (e : ex) : Prop := forall t, In t (loads e) -> (t < n)%nat.

  Definition places_within (n : nat) (p : places) : Prop :=
    match p with Some (t, u) => (t < n)%nat /\ (u < n)%nat | None => True end.

  Lemma places_le m n p : (m <= n)%nat -> places_within m p -> places_within n p.
  Proof. destruct p as [[t u] |]; simpl; [lia | auto]. Qed.

  Record fine (b : builder) : Prop := Fine {
    fine_outs : forall s, In s (steps F b) -> (n0 <= out (does F s) < size b)%nat /\
                  dims (does F s) = shape_of F b (out (does F s)) /\
                  below (out (does F s)) (body (does F s));
    fine_order : forall pre s post, steps F b = pre ++ s :: post ->
                  forall s', In s' pre -> (out (does F s') < out (does F s))%nat;
    fine_all : forall t, (n0 <= t < size b)%nat -> In t (outs (steps F b));
    fine_size : (n0 <= size b)%nat;
    fine_places : forall s, In s (steps F b) -> places_within (S (size b)) (stores_max F s) }.

  Lemma below_le m n e : (m <= n)%nat -> below m e -> below n e.
  Proof. intros le B t int_. apply B in int_. lia. Qed.

  Lemma fine_emit o d e ids p fx b : fine b -> below (size b) e ->
    places_within (S (S (size b))) p ->
    let b' := emit F (Step F (Stmt (size b) d e) ids p fx) (snd (new_tensor F o d b)) in
    fine b' /\ extends F b b'.
  Proof.
    intros [outs_ order all size_ places_] B Pl b'.
    assert (X : extends F b b').
    { exists [(o, d)], [Step F (Stmt (size b) d e) ids p fx]. split; reflexivity. }
    assert (S : size b' = S (size b)) by (unfold b'; simpl; rewrite app_length; simpl; lia).
    split; [| exact X]. split.
    - intros s ins. unfold b' in ins. simpl in ins. apply in_app_iff in ins as [ins | [<- | []]].
      + destruct (outs_ s ins) as (B1 & B2 & B3). rewrite S. split; [lia |]. split; [| exact B3].
        rewrite B2. symmetry. apply (extends_shape F b b'); [exact X | lia].
      + cbn [does out dims body]. rewrite S. split; [lia |]. split; [| exact B].
        unfold shape_of, b'. simpl. now rewrite nth_middle.
    - intros pre s post E s' ins. unfold b' in E. simpl in E.
      destruct post as [| s2 post _] using rev_ind.
      + apply app_inj_tail in E as [<- <-]. cbn [does out]. now apply outs_ in ins.
      + rewrite app_comm_cons, app_assoc in E. apply app_inj_tail in E as [E _].
        exact (order pre s post E s' ins).
    - intros t R. unfold b'. simpl. rewrite map_app. apply in_or_app. rewrite S in R.
      destruct (Nat.eq_dec t (size b)) as [-> | ne]; [right; now left | left; apply all; lia].
    - rewrite S. lia.
    - intros s ins. rewrite S. unfold b' in ins. simpl in ins. apply in_app_iff in ins as [ins | [<- | []]].
      + eapply places_le; [| exact (places_ s ins)]. lia.
      + exact Pl.
  Qed.

  Lemma select_below n l a b : below n a -> below n b -> below n (mk_select l a b).
  Proof.
    intros A B. destruct l as [| c l]; [exact A |]. unfold mk_select.
    destruct (is_zero a && is_zero b); [exact A |]. intros t int_. simpl in int_.
    apply in_app_iff in int_ as []; auto.
  Qed.

  Lemma guarded_below n path e : below n e -> below n (fold_right guarded e path).
  Proof.
    intros B. assert (Z0 : below n (nought : ex)) by (intros t []).
    induction path as [| [l b] path IH]; simpl; [exact B |].
    unfold guarded. simpl. destruct b; apply select_below; assumption.
  Qed.

  Lemma new_tensor_eq o d b : new_tensor F o d b = (size b, snd (new_tensor F o d b)).
  Proof. reflexivity. Qed.

  Lemma split_off_fine P g deps path r ns e b e' b' : fine b -> below (size b) e ->
    split_off F P g deps path r ns e b = (e', b') ->
    fine b' /\ extends F b b' /\ below (size b') e'.
  Proof.
    intros Fb B H. unfold split_off in H.
    set (f := map (fun j => if existsb (Nat.eqb j) deps then IVar (place_of j deps) else ICst 0) _) in H.
    assert (Bi : below (size b) (subst (lift (length ns) f) e)) by (intros t; rewrite subst_loads; apply B).
    assert (both : forall x y : ex * builder, x = y -> fst x = fst y /\ snd x = snd y) by (intros x y ->; auto).
    destruct r as [[|] ids]; cbn [fst snd] in H; rewrite new_tensor_eq in H; cbv beta iota zeta in H.
    - apply both in H as [E1 E2]. cbn [fst snd] in E1, E2. subst e' b'.
      match goal with |- fine (emit F (Step F (Stmt _ ?d ?c) ?i ?p ?x) _) /\ _ =>
        destruct (fine_emit (SumOf (stores P)) d c i p x b Fb) as [Ff X] end.
      { apply guarded_below. exact Bi. }
      { exact I. }
      split; [exact Ff |]. split; [exact X |]. intros t [<- | []]. simpl. rewrite app_length. simpl. lia.
    - match type of H with (let (_, _) := new_tensor F _ _ (emit F (Step F (Stmt _ ?d ?c) ?i ?p ?x) _) in _) = _ =>
        destruct (fine_emit (MaxOf (stores P)) d c i p x b Fb) as [F1 X1] end.
      { apply guarded_below. exact Bi. }
      { simpl. lia. }
      match type of F1 with fine ?b1 => set (bm := b1) in * end.
      assert (lt : (size b < size bm)%nat) by (unfold bm; simpl; rewrite app_length; simpl; lia).
      rewrite (new_tensor_eq _ _ bm) in H. cbv beta iota zeta in H.
      apply both in H as [E1 E2]. cbn [fst snd] in E1, E2. subst e' b'.
      match goal with |- fine (emit F (Step F (Stmt _ ?d ?c) ?i ?p ?x) _) /\ _ =>
        destruct (fine_emit (TiesOf (stores P)) d c i p x bm F1) as [F2 X2] end.
      { apply guarded_below. intros t int_. cbn [loads] in int_.
        assert (H : In t (loads (subst (lift (length ns) f) e)) \/ t = size b).
        { unfold mk in int_. destruct (is_zero (call FLess _)); [contradiction |].
          assert (H : In t (loads (call FLess [subst (lift (length ns) f) e;
                       ELd (size b) (map IVar (seq (length ns) (length deps)))]))).
          { destruct (is_zero unity); simpl in int_ |- *; rewrite ?app_nil_r in *; exact int_. }
          simpl in H. rewrite in_app_iff in H. simpl in H. intuition auto. }
        destruct H as [H | ->]; [apply Bi in H; lia | exact lt]. }
      { exact I. }
      split; [exact F2 |]. split; [exact (extends_trans F _ _ _ X1 X2) |].
      pose proof (extends_length F _ _ X2) as L2. intros t [<- | []]. lia.
  Qed.

  Theorem split_fine P (e : ex) : forall g path inside b e' b',
    fine b -> (0 < size b)%nat -> (forall t, (nth t (version P) 0%nat < size b)%nat) ->
    split F O shapes P e g path inside b = (e', b') ->
    fine b' /\ extends F b b' /\ below (size b') e'.
  Proof.
    induction e as [c | t l | o x y IHx IHy | f l IH | c x y IHx IHy | r ns x IH]
      using ex_nested_ind; intros g path inside b e' b' Fb pos V H; cbn [split] in H.
    - injection H as <- <-. split; [exact Fb |]. split; [apply extends_refl | intros t []].
    - injection H as <- <-. split; [exact Fb |]. split; [apply extends_refl |].
      intros u [<- | []]. apply V.
    - destruct (split F O shapes P y g path _ b) as [y' b1] eqn:Ey.
      destruct (split F O shapes P x g path _ b1) as [x' b2] eqn:Ex. injection H as <- <-.
      apply IHy in Ey as (F1 & X1 & B1); auto. pose proof (extends_length F _ _ X1) as L1.
      apply IHx in Ex as (F2 & X2 & B2); auto; [| lia | intros t; specialize (V t); lia].
      pose proof (extends_length F _ _ X2) as L2.
      split; [exact F2 |]. split; [exact (extends_trans F _ _ _ X1 X2) |].
      intros t int_. simpl in int_. apply in_app_iff in int_ as [i | i]; [now apply B2 |].
      apply B1 in i. lia.
    - set (ins := inside || _) in H.
      assert (step_ : forall l, Forall (fun e => forall g path inside b e' b',
          fine b -> (0 < size b)%nat -> (forall t, (nth t (version P) 0%nat < size b)%nat) ->
          split F O shapes P e g path inside b = (e', b') ->
          fine b' /\ extends F b b' /\ below (size b') e') l ->
        forall b l' b', fine b -> (0 < size b)%nat -> (forall t, (nth t (version P) 0%nat < size b)%nat) ->
        (fix go l b :=
           match l with
           | [] => ([], b)
           | a :: l' =>
               let (l', b) := go l' b in
               let (a, b) := split F O shapes P a g path ins b in
               (a :: l', b)
           end) l b = (l', b') ->
        fine b' /\ extends F b b' /\ forall t, In t (flat_map loads l') -> (t < size b')%nat).
      { clear. induction l as [| a l IHl]; intros all b l' b' Fb pos V H.
        - injection H as <- <-. split; [exact Fb |]. split; [apply extends_refl | intros t []].
        - inversion all as [| ? ? one more]; subst.
          match type of H with (let (_, _) := ?go l b in _) = _ => destruct (go l b) as [l1 b1] eqn:E1 end.
          destruct (split F O shapes P a g path ins b1) as [a1 b2] eqn:E2. injection H as <- <-.
          apply IHl in E1 as (F1 & X1 & B1); auto. pose proof (extends_length F _ _ X1) as L1.
          apply one in E2 as (F2 & X2 & B2); auto; [| lia | intros t; specialize (V t); lia].
          pose proof (extends_length F _ _ X2) as L2.
          split; [exact F2 |]. split; [exact (extends_trans F _ _ _ X1 X2) |].
          intros t int_. simpl in int_. apply in_app_iff in int_ as [i | i]; [now apply B2 |].
          apply B1 in i. lia. }
      match type of H with (let (_, _) := ?go l b in _) = _ => destruct (go l b) as [l1 b1] eqn:E1 end.
      injection H as <- <-. apply step_ in E1; auto.
    - destruct (split F O shapes P y g _ _ b) as [y' b1] eqn:Ey.
      destruct (split F O shapes P x g _ _ b1) as [x' b2] eqn:Ex. injection H as <- <-.
      apply IHy in Ey as (F1 & X1 & B1); auto. pose proof (extends_length F _ _ X1) as L1.
      apply IHx in Ex as (F2 & X2 & B2); auto; [| lia | intros t; specialize (V t); lia].
      pose proof (extends_length F _ _ X2) as L2.
      split; [exact F2 |]. split; [exact (extends_trans F _ _ _ X1 X2) |].
      apply select_below; [exact B2 |]. eapply below_le; [| exact B1]. lia.
    - destruct (split F O shapes P x _ _ _ b) as [x' b1] eqn:Ex.
      apply IH in Ex as (F1 & X1 & B1); auto.
      match type of H with (if ?c then _ else _) = _ => destruct c end.
      + apply split_off_fine in H as (F2 & X2 & B2); auto.
        split; [exact F2 |]. split; [exact (extends_trans F _ _ _ X1 X2) | exact B2].
      + injection H as <- <-. auto.
  Qed.

  Lemma set_nth_below u : forall n l m, (u < m)%nat -> (0 < m)%nat -> (forall t, (nth t l 0%nat < m)%nat) ->
    forall t, (nth t (set_nth n u l) 0%nat < m)%nat.
  Proof.
    intros n l. revert n. induction l as [| v l IH]; intros n m lt pos H t; simpl.
    - now destruct n, t.
    - destruct n as [| n].
      + destruct t as [| t]; simpl; [exact lt | exact (H (S t))].
      + destruct t as [| t]; simpl; [exact (H 0%nat) |]. apply IH; auto. intros j. exact (H (S j)).
  Qed.

  Lemma in_set_nth (u v : tid) : forall n l, In v (set_nth n u l) -> v = u \/ In v l.
  Proof.
    intros n l. revert n. induction l as [| w l IH]; intros [| n]; simpl; auto.
    - intros [<- | H]; auto.
    - intros [<- | H]; auto. apply IH in H as []; auto.
  Qed.

  Lemma set_nth_once (u : tid) : forall n l, ~ In u l -> NoDup l -> NoDup (set_nth n u l).
  Proof.
    intros n l. revert n. induction l as [| w l IH]; intros n no once; simpl; [destruct n; constructor |].
    inversion once as [| ? ? notin once']; subst. destruct n as [| n].
    - constructor; [intros H; apply no; now right | exact once'].
    - constructor.
      + intros H. apply in_set_nth in H as [-> | H]; [apply no; now left | contradiction].
      + apply IH; [intros H; apply no; now right | exact once'].
  Qed.

  (** What the tensors of a maximum are is known when all statements are. *)
  Definition strict (b : builder) : Prop :=
    forall s, In s (steps F b) -> places_within (size b) (stores_max F s).

  Theorem forward_fine all : forall p current b current' b',
    fine b -> (0 < size b)%nat -> (forall t, (nth t current 0%nat < size b)%nat) ->
    (forall t, In t current -> (t < size b)%nat) -> NoDup current ->
    forward F O shapes all p current b = (current', b') ->
    fine b' /\ extends F b b' /\ length current' = length current /\
    (forall t, In t current' -> (t < size b')%nat) /\ NoDup current' /\ (strict b -> strict b').
  Proof.
    induction p as [| [ids s] p IH]; intros current b current' b' Fb pos V early once H; cbn [forward] in H.
    - injection H as <- <-. split; [exact Fb |]. split; [apply extends_refl |]. auto.
    - destruct (split F O shapes _ (body s) [] [] false b) as [e b1] eqn:E.
      apply split_fine in E as (F1 & X1 & B1); auto. pose proof (extends_length F _ _ X1) as L1.
      rewrite new_tensor_eq in H. cbv beta iota zeta in H.
      match type of H with forward F O shapes all p _ (emit F _ (snd (new_tensor F ?o _ _))) = _ =>
        destruct (fine_emit o (dims s) e ids None false b1 F1 B1 I) as [F2 X2] end.
      match type of F2 with fine ?b => set (b2 := b) in * end.
      assert (S : size b2 = S (size b1)) by (unfold b2; simpl; rewrite app_length; simpl; lia).
      change (forward F O shapes all p (set_nth (out s) (size b1) current) b2 = (current', b')) in H.
      assert (St : strict b2).
      { intros s' ins. unfold b2 in ins. simpl in ins. apply in_app_iff in ins as [ins | [<- | []]]; [| exact I].
        eapply places_le; [| exact (fine_places b1 F1 s' ins)]. lia. }
      apply IH in H as (F3 & X3 & len & I3 & once3 & St3).
      + split; [exact F3 |]. split; [exact (extends_trans F _ _ _ X1 (extends_trans F _ _ _ X2 X3)) |].
        rewrite set_nth_length in len. auto 10.
      + exact F2.
      + lia.
      + apply set_nth_below; [lia | lia |]. intros t. specialize (V t). lia.
      + intros t int_. apply in_set_nth in int_ as [-> | int_]; [lia |]. apply early in int_. lia.
      + apply set_nth_once; [intros H1; apply early in H1; lia | exact once].
  Qed.

  Lemma sources_fine : fine (sources F shapes).
  Proof.
    assert (S : size (sources F shapes) = n0)
      by (unfold sources; simpl; rewrite map_length, combine_length, seq_length; lia).
    split; rewrite ?S; try contradiction.
    - intros pre s post E. now destruct pre.
    - intros t R. lia.
    - lia.
  Qed.

  (** The forward statements of any program are in order, and the last versions are known. *)
  Theorem forward_ordered p current b :
    (0 < n0)%nat ->
    forward F O shapes p p (seq 0 n0) (sources F shapes) = (current, b) ->
    ordered F b n0 /\ length current = n0 /\ NoDup current /\
    (forall t, In t current -> In t (seq 0 n0 ++ outs (steps F b))) /\ fine b /\ strict b.
  Proof.
    intros pos H.
    assert (S : size (sources F shapes) = n0)
      by (unfold sources; simpl; rewrite map_length, combine_length, seq_length; lia).
    apply forward_fine in H as (Fb & _ & len & early & once & St).
    - pose proof Fb as [outs_ order all size_ _]. rewrite seq_length in len.
      assert (known : forall t, (t < size b)%nat -> In t (seq 0 n0 ++ outs (steps F b))).
      { intros t lt. apply in_or_app. destruct (Nat.lt_ge_cases t n0); [left; apply in_seq; lia |].
        right. apply all. lia. }
      refine (conj _ (conj len (conj once (conj (fun t h => known t (early t h))
        (conj Fb (St (fun s h => False_ind _ h))))))). split.
      + intros s ins. destruct (outs_ s ins) as (R & D & _). auto.
      + exact size_.
      + intros s t ins inl. destruct (outs_ s ins) as (R & _ & B). apply B in inl.
        split; [exact inl |]. apply known. lia.
      + exact order.
    - apply sources_fine.
    - lia.
    - intros t. rewrite S. destruct (Nat.lt_ge_cases t n0).
      + rewrite seq_nth by lia. lia.
      + rewrite nth_overflow by (rewrite seq_length; lia). lia.
    - intros t int_. apply in_seq in int_. lia.
    - apply seq_NoDup.
  Qed.
End Forward.
