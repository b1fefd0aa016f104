(** * The backward pass computes the adjoint of the tangent *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Gradient kernel.SweepProof.
From Calque Require Import kernel.GatherForm kernel.PutProof kernel.GatherValue kernel.StepProof.
From Calque Require Import kernel.GradientProgram kernel.AdjointProof kernel.BackwardProof.
Import ListNotations.
Open Scope Z_scope.

Section Program.
  Variable F : field.
  Variable O : options.
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Notation "0r" := (Sums.r0 G).
  Infix "+r" := (Sums.radd G) (at level 50).
  Infix "*r" := (Sums.rmul G) (at level 40).
  Notation sum := (@sum G _).
  Notation store := (store (text F)).
  Notation step := (step F).
  Notation builder := (builder F).
  Notation outs l := (map (fun s => out (does F s)) l).

  Ltac kring := apply (zero_both G); ring.

  (** ** Sums *)

  Lemma sum_subset (f : tid -> R) (roots wrt : list tid) :
    NoDup roots -> NoDup wrt -> incl wrt roots ->
    (forall x, In x roots -> ~ In x wrt -> f x = 0r) -> sum f wrt = sum f roots.
  Proof.
    intros once once' sub none.
    transitivity (sum (fun x => sum (fun r => if (x =? r)%nat then f r else 0r) roots) wrt).
    - apply (sum_ext G). intros x inx. symmetry. apply (sum_pick G Nat.eqb f roots x);
        [intros b; apply Nat.eqb_spec | exact once | now apply sub].
    - rewrite (sum_swap G). apply (sum_ext G). intros r inr.
      destruct (in_dec Nat.eq_dec r wrt) as [inw | notin].
      + transitivity (sum (fun x => if (r =? x)%nat then (fun _ => f r) x else 0r) wrt).
        * apply (sum_ext G). intros x _. now rewrite Nat.eqb_sym.
        * apply (sum_pick G Nat.eqb (fun _ => f r) wrt r); [intros b; apply Nat.eqb_spec | exact once' | exact inw].
      + rewrite none by assumption. apply (sum_zero G). intros x inx.
        destruct (Nat.eqb_spec x r); [congruence | reflexivity].
  Qed.

  Lemma sum_find (h : tid -> tid -> R) (ts : list tid) : NoDup ts -> forall l : table,
    NoDup (map fst l) -> incl (map fst l) ts ->
    sum (fun t => match find t l with Some v => h t v | None => 0r end) ts =
    sum (fun q => h (fst q) (snd q)) l.
  Proof.
    intros once. induction l as [| [u v] l IH]; intros onces sub.
    - simpl. now apply (sum_zero G).
    - inversion onces as [| ? ? notin onces']; subst. rewrite sum_cons.
      rewrite <- IH by (auto; intros x inx; apply sub; now right). cbn [fst snd].
      transitivity (sum (fun t => if (u =? t)%nat then (fun t => h t v) t else 0r) ts +r
                    sum (fun t => match find t l with Some v => h t v | None => 0r end) ts).
      + rewrite <- (sum_add G). apply (sum_ext G). intros t _. simpl find.
        destruct (Nat.eqb_spec u t) as [<- | ne]; [| kring].
        destruct (find u l) as [w |] eqn:E; [| kring]. exfalso. apply notin.
        clear - E. induction l as [| [a b] l IH]; simpl in *; [discriminate |].
        destruct (Nat.eqb_spec a u); [now left | right; auto].
      + f_equal. apply (sum_pick G Nat.eqb (fun t => h t v) ts u);
          [intros b; apply Nat.eqb_spec | exact once | apply sub; now left].
  Qed.

  (** ** Forward programs in order *)

  Variable b0 : builder.
  Variable n0 : nat.
  Notation p := (steps F b0).
  Notation roots := (seq 0 n0).
  Notation shapes := (shape_of F b0).

  (** Each statement stores a new tensor, later than all that it loads; the first [n0] tensors
      are those of the source. *)
  Record ordered : Prop := Ordered {
    new_outs : forall s, In s p -> (n0 <= out (does F s) < length (tensors F b0))%nat /\
                                   dims (does F s) = shapes (out (does F s));
    sources_first : (n0 <= length (tensors F b0))%nat;
    loads_before : forall s t, In s p -> In t (loads (body (does F s))) ->
                     (t < out (does F s))%nat /\ In t (roots ++ outs p);
    in_order : forall pre s post, p = pre ++ s :: post ->
                 forall s', In s' pre -> (out (does F s') < out (does F s))%nat }.

  Hypothesis ok : ordered.

  Lemma after s pre post s' : p = pre ++ s :: post -> In s' post -> (out (does F s) < out (does F s'))%nat.
  Proof.
    intros E ins. apply in_split in ins as (q1 & q2 & ->).
    apply (in_order ok (pre ++ s :: q1) s' q2).
    - rewrite E, <- app_assoc. reflexivity.
    - apply in_or_app. right. now left.
  Qed.

  Lemma outs_once : NoDup (outs p).
  Proof.
    assert (H : forall l pre, p = pre ++ l -> NoDup (outs l)).
    { induction l as [| s l IH]; intros pre E; simpl; [constructor |]. constructor.
      - intros ini. apply in_map_iff in ini as (s' & E' & ins).
        pose proof (after s pre l s' E ins). lia.
      - apply (IH (pre ++ [s])). rewrite E, <- app_assoc. reflexivity. }
    now apply (H p []).
  Qed.

  Lemma all_once : NoDup (roots ++ outs p).
  Proof.
    apply NoDup_app_intro; [apply seq_NoDup | apply outs_once |].
    intros t int_ ino. apply in_seq in int_. apply in_map_iff in ino as (s & <- & ins).
    apply (new_outs ok) in ins. lia.
  Qed.

  Lemma small t : In t (roots ++ outs p) -> (t < length (tensors F b0))%nat.
  Proof.
    intros H. apply in_app_iff in H as [H | H].
    - apply in_seq in H. pose proof (sources_first ok). lia.
    - apply in_map_iff in H as (s & <- & ins). now apply (new_outs ok) in ins.
  Qed.

  Lemma same_step s s' : In s p -> In s' p -> out (does F s) = out (does F s') -> s = s'.
  Proof.
    intros ins ins' E. apply in_split in ins as (q1 & q2 & Ep). rewrite Ep in ins'.
    apply in_app_iff in ins' as [H | [H | H]].
    - pose proof (in_order ok q1 s q2 Ep s' H). lia.
    - exact H.
    - pose proof (after s q1 q2 s' Ep H). lia.
  Qed.

  (** In the reversed list: what is at or after a statement does not load what it stores. *)
  Lemma reversed_loads pre s post : rev p = pre ++ s :: post ->
    forall s', In s' p -> In (out (does F s')) (outs (s :: post)) ->
    ~ In (out (does F s)) (loads (body (does F s'))).
  Proof.
    intros E s' ins ino inl.
    assert (Ep : p = rev post ++ s :: rev pre).
    { rewrite <- (rev_involutive p), E, rev_app_distr. simpl. now rewrite <- app_assoc. }
    apply (loads_before ok) in inl as [lt _]; [| exact ins].
    destruct ino as [E1 | ino]; [simpl in E1; lia |].
    apply in_map_iff in ino as (s2 & E2 & ins2).
    pose proof (in_order ok (rev post) s (rev pre) Ep s2 (proj1 (in_rev _ _) ins2)). lia.
  Qed.

  (** ** The store and the direction *)

  Variable st du : store.
  Variable wrt : list tid.
  Notation active := (activity F wrt p).

  Hypothesis divide : forall s, In s p -> ex_divides F (body (does F s)) = true.
  Hypothesis inner : forall s t i, In s p -> In i (box (dims (does F s))) ->
    loads_in F t (shapes t) i (body (does F s)).
  Hypothesis wrt_sources : forall t, In t wrt -> (t < n0)%nat.
  Hypothesis wrt_once : NoDup wrt.
  Hypothesis du_scalar : forall t, scalar (shapes t) = true -> du t [] = du t [0].
  Hypothesis du_inside : forall t i, index_in (shapes t) i = false -> du t i = 0r.
  Hypothesis du_wrt : forall t, (t < n0)%nat -> ~ In t wrt -> forall i, du t i = 0r.
  Hypothesis du_follows : forall s i, In s p -> In i (box (dims (does F s))) ->
    du (out (does F s)) i =
    if fixed F s then 0r
    else tangent F st du (stores_max F s) (own_at (dims (does F s)) i) i (body (does F s)).

  Lemma du_zero t : (forall i, In i (box (shapes t)) -> du t i = 0r) -> forall i, du t i = 0r.
  Proof.
    intros H i. destruct (index_in (shapes t) i) eqn:E; [| now apply du_inside].
    unfold index_in in E. apply orb_true_iff in E as [E | E].
    - apply H. now apply in_box_box.
    - apply andb_true_iff in E as [S E]. destruct i; [| discriminate].
      rewrite du_scalar by exact S. apply H. rewrite (scalar_cell _ S). now left.
  Qed.

  Lemma activity_app l q1 q2 : activity F l (q1 ++ q2) = activity F (activity F l q1) q2.
  Proof. revert l. induction q1 as [| s q1 IH]; intros l; [reflexivity | apply IH]. Qed.

  Lemma inactive_zero : forall t, In t (roots ++ outs p) -> ~ In t active -> forall i, du t i = 0r.
  Proof.
    induction t as [t IH] using lt_wf_ind. intros int_ no.
    apply in_app_iff in int_ as [int_ | int_].
    - apply in_seq in int_. apply du_wrt; [lia |]. intros H. apply no. now apply activity_grows.
    - apply in_map_iff in int_ as (s & <- & ins). pose proof (proj2 (new_outs ok s ins)) as shape.
      apply du_zero. intros i ini. rewrite <- shape in ini. rewrite du_follows by assumption.
      destruct (fixed F s) eqn:fx; [reflexivity |]. apply tangent_zero. intros t inl.
      destruct (loads_before ok s t ins inl) as [lt known]. apply (IH t lt known). intros act. apply no.
      apply in_split in ins as (q1 & q2 & E). rewrite E, activity_app in *. cbn [activity] in *.
      apply activity_grows.
      replace (existsb (fun t => existsb (Nat.eqb t) (activity F wrt q1)) (loads (body (does F s)))) with true.
      { rewrite fx. now left. }
      symmetry. apply existsb_exists. exists t. split; [exact inl |]. apply existsb_eqb.
      assert (here : ~ In t (outs (s :: q2))).
      { intros [H | H]; [simpl in H; lia |]. apply in_map_iff in H as (s' & <- & ins').
        pose proof (after s q1 q2 s' E ins'). lia. }
      destruct (negb (fixed F s) && _); apply activity_only in act as [act | act].
      + destruct act as [H | act]; [exfalso; apply here; now left | exact act].
      + exfalso. apply here. now right.
      + exact act.
      + exfalso. apply here. now right.
  Qed.

  Lemma active_moves s : In s p -> In (out (does F s)) active -> fixed F s = false.
  Proof.
    intros ins.
    assert (H : forall q l, incl q p -> In (out (does F s)) (activity F l q) ->
              In (out (does F s)) l \/ fixed F s = false).
    { induction q as [| s' q IH]; intros l sub act; cbn [activity] in act; [now left |].
      apply IH in act; [| intros x inx; apply sub; now right]. destruct act as [act | act]; [| now right].
      destruct (negb (fixed F s') && _) eqn:E; [| now left]. destruct act as [E' | act]; [| now left].
      right. apply andb_true_iff in E as [E _]. apply negb_true_iff in E.
      rewrite (same_step s s'); [exact E | exact ins | apply sub; now left | now symmetry]. }
    intros act. destruct (H p wrt (incl_refl p) act) as [inw | fx]; [| exact fx].
    apply wrt_sources in inw. apply (new_outs ok) in ins. lia.
  Qed.

  (** ** What the adjoints are *)

  Lemma swept_unloaded s t v : ~ In t (loads (body (does F s))) -> swept F s t v = Done [].
  Proof.
    intros no. unfold swept.
    assert (E : loads_of t (body (does F s)) = false).
    { unfold loads_of. destruct (existsb _ _) eqn:E; [| reflexivity]. now apply existsb_eqb in E. }
    destruct (body (does F s)); cbn [sweep]; rewrite E, orb_true_r; reflexivity.
  Qed.

  Lemma pull_hit sh adj t s a v l : In s p -> in_box (sh t) a = true ->
    find (out (does F s)) adj = Some v -> swept F s t v = Done l ->
    pull F O st sh adj t s a = sum (fun c => hit_value F st (dims (does F s)) (sh t) c a) l.
  Proof.
    intros ins ina Fd S. unfold pull. rewrite Fd, S. apply (sum_ext G). intros c inc.
    pose proof (sweep_divides F t (body (does F s)) _ _ _ _ _ _ S (divide s ins)
      (own_ix_divides (dims (does F s))) eq_refl (own_ix_divides (dims (does F s))) c inc) as D.
    unfold contribution_divides in D. rewrite !andb_true_iff in D. destruct D as [[D1 D2] D3].
    now apply gather_value.
  Qed.

  (** Tables that differ only where [t] is not loaded give the same. *)
  Lemma pull_same bi adji adj t s a late : In s p -> (t < length (tensors F b0))%nat ->
    extends F b0 bi -> in_box (shapes t) a = true ->
    (forall u, ~ In u late -> find u adji = find u adj) ->
    (In (out (does F s)) late -> ~ In t (loads (body (does F s)))) ->
    pull F O st (shape_of F bi) adji t s a = pull F O st shapes adj t s a.
  Proof.
    intros ins lt X ina same none.
    destruct (in_dec Nat.eq_dec t (loads (body (does F s)))) as [inl | notin].
    - assert (E : find (out (does F s)) adji = find (out (does F s)) adj)
        by (apply same; intros H; now apply none in H).
      destruct (find (out (does F s)) adj) as [v |] eqn:Fd.
      + destruct (swept F s t v) as [l | |] eqn:S.
        * rewrite (pull_hit shapes adj t s a v l) by assumption.
          rewrite (pull_hit (shape_of F bi) adji t s a v l);
            [now rewrite (extends_shape F b0 bi t X lt) | exact ins | | exact E | exact S].
          now rewrite (extends_shape F b0 bi t X lt).
        * unfold pull. now rewrite E, Fd, S.
        * unfold pull. now rewrite E, Fd, S.
      + unfold pull. now rewrite E, Fd.
    - unfold pull. destruct (find _ adji), (find _ adj); rewrite ?swept_unloaded by exact notin; reflexivity.
  Qed.

  Lemma body_value bi adji adj seeds t o a late :
    (t < length (tensors F b0))%nat -> extends F b0 bi -> in_box (shapes t) a = true ->
    (forall u, ~ In u late -> find u adji = find u adj) ->
    (forall s, In s p -> In (out (does F s)) late -> ~ In t (loads (body (does F s)))) ->
    adjoint_body F O bi p seeds adji t = Done o ->
    value_of F st a o = adjoint_value F O st shapes p seeds adj t a.
  Proof.
    intros lt X ina same none B.
    assert (sh : shape_of F bi t = shapes t) by now apply extends_shape.
    rewrite (adjoint_body_val F O st bi p seeds adji t o a); [| now rewrite sh | exact B].
    unfold adjoint_value. rewrite sh. f_equal. apply (sum_ext G). intros s ins.
    apply (pull_same bi adji adj t s a late); auto.
  Qed.

  (** What is differentiated is done for every statement with an adjoint. *)
  Lemma body_swept bi seeds adj t o : adjoint_body F O bi p seeds adj t = Done o ->
    forall s v, In s p -> find (out (does F s)) adj = Some v -> exists l, swept F s t v = Done l.
  Proof.
    unfold adjoint_body. generalize (option_map (fun v => @ELd (text F) v (own_ix (shape_of F bi t))) (find t seeds)).
    intros first. destruct (fold_left _ p (Done first)) as [o1 | |] eqn:E; try discriminate. intros _.
    revert E. generalize p, (Done first : outcome (option (ex (text F)))). clear.
    assert (stuck : forall (q : list step) r, (forall o, r <> Done o) ->
      forall o, fold_left (fun o s => and_then o (contribute F O bi adj t s)) q r <> Done o).
    { induction q as [| s q IH]; intros r no o; [apply no |]. cbn [fold_left]. apply IH.
      intros o'. destruct r; [exfalso; eapply no; reflexivity | discriminate | discriminate]. }
    induction l as [| s0 q IH]; intros r E s v ins Fd; [contradiction |].
    cbn [fold_left] in E. destruct ins as [<- | ins]; [| exact (IH _ E s v ins Fd)].
    destruct r as [o | |]; [| exfalso; eapply stuck; [| exact E]; discriminate
                             | exfalso; eapply stuck; [| exact E]; discriminate].
    cbn [and_then] in E. unfold contribute in E at 2. rewrite Fd in E. fold (swept F s0 t v) in E.
    destruct (swept F s0 t v) as [l | |]; [now exists l | |];
      exfalso; (eapply stuck; [| exact E]); discriminate.
  Qed.

  Lemma same_tensor_val bi d e u a : same_tensor F bi d e = Some u -> in_box d a = true ->
    val F st a e = st u (own_at d a).
  Proof.
    unfold same_tensor. destruct e as [| w l | | | |]; try discriminate.
    destruct (dims_eqb _ d && _ && _) eqn:E; [| discriminate]. intros H ina. injection H as <-.
    rewrite !andb_true_iff in E. destruct E as [[_ len] E]. apply Nat.eqb_eq in len.
    assert (L : l = own_ix d).
    { transitivity (map IVar (seq 0 (length l))).
      - revert E. generalize 0%nat. clear. induction l as [| x l IH]; intros n E; [reflexivity |].
        simpl in E. apply andb_true_iff in E as [X E]. apply ix_eqb_eq in X. subst. simpl. f_equal. now apply IH.
      - rewrite len. unfold own_ix. destruct (scalar d); [reflexivity |]. rewrite map_length, seq_length.
        reflexivity. }
    subst l. unfold val. cbn [eval]. now rewrite own_ix_eval.
  Qed.

  (** ** The theorem *)

  Variable outputs current : list tid.
  Notation last o := (nth o current 0%nat).

  Hypothesis outputs_known : forall o, In o outputs -> In (last o) (roots ++ outs p).
  Hypothesis outputs_once : NoDup (map (fun o => last o) outputs).

  Variable given_ l : table.
  Variable b1 : builder.
  Hypothesis done : backward F O outputs wrt current b0 = Done (given_, l, b1).

  (** The store has the value of every statement. *)
  Hypothesis model : forall s i, In s (steps F b1) -> In i (box (dims (does F s))) ->
    st (out (does F s)) (own_at (dims (does F s)) i) = val F st i (body (does F s)).

  Theorem backward_adjoint :
    map fst given_ = outputs /\ map fst l = wrt /\
    sum (fun x => sum (fun a => st (at_table l x) (own_at (shapes x) a) *r du x a) (box (shapes x))) wrt =
    sum (fun q => sum (fun a => st (snd q) (own_at (shapes (last (fst q))) a) *r du (last (fst q)) a)
                      (box (shapes (last (fst q))))) given_.
  Proof.
    unfold backward in done. destruct (give F outputs current b0) as [[seeds g] bg] eqn:Eg.
    destruct (adjoints_of F O p (rev p) active seeds [] bg) as [[adj b2] | |] eqn:Ea; try discriminate.
    cbn [and_then] in done.
    destruct (gradients F O p seeds adj wrt b2) as [[l' b3] | |] eqn:El; try discriminate.
    cbn [and_then] in done. injection done as -> -> ->.
    apply give_spec in Eg as ([ts Tg] & Sg & Gf & ->).
    assert (Xg : extends F b0 bg) by (exists ts, []; rewrite Tg, Sg, app_nil_r; auto).
    apply adjoints_of_spec in Ea as (X2 & _ & each);
      [| rewrite map_rev; apply NoDup_rev, outs_once | reflexivity].
    apply gradients_spec in El as (X3 & Lf & grads).
    set (seeds := map (fun q : tid * tid => (last (fst q), snd q)) given_) in *.
    assert (grad_at : forall x, In x wrt -> exists bi o, extends F b0 bi /\
      adjoint_body F O bi p seeds adj x = Done o /\
      forall a, In a (box (shapes x)) -> st (at_table l x) (own_at (shapes x) a) = value_of F st a o).
    { intros x inx. rewrite <- Lf in inx. apply find_in in inx as (u & Fu & inu).
      destruct (grads x u inu) as (bi & o & X & _ & B & ini).
      assert (Xi : extends F b0 bi) by exact (extends_trans F _ _ _ Xg (extends_trans F _ _ _ X2 X)).
      exists bi, o. split; [exact Xi |]. split; [exact B |]. intros a ina.
      assert (lt : (x < length (tensors F b0))%nat).
      { apply small, in_or_app. left. apply in_seq.
        assert (In x wrt) by (rewrite <- Lf; apply in_map_iff; now exists (x, u)).
        apply wrt_sources in H. lia. }
      pose proof (model _ a ini) as M. cbn [does out dims body] in M.
      rewrite (extends_shape F b0 bi x Xi lt) in M. unfold at_table. rewrite Fu, (M ina).
      destruct o as [e |]; [reflexivity |]. apply val_nought. }
    split; [exact Gf |]. split; [exact Lf |].
    transitivity (sum (against F shapes du (adjoint_value F O st shapes p seeds adj)) wrt).
    { apply (sum_ext G). intros x inx. unfold against. apply (sum_ext G). intros a ina.
      destruct (grad_at x inx) as (bi & o & X & B & V). rewrite (V a ina). f_equal.
      apply (body_value bi adj adj seeds x o a []); auto.
      - apply small, in_or_app. left. apply in_seq. apply wrt_sources in inx. lia.
      - now apply in_box_box. }
    rewrite (sum_subset _ roots wrt).
    - rewrite (adjoint_identity F O st shapes p roots seeds adj du all_once).
      + unfold seeds.
        transitivity (sum (fun q => sum (fun a => st (snd q) (own_at (shapes (fst q)) a) *r du (fst q) a)
                             (box (shapes (fst q)))) seeds).
        * rewrite <- (sum_find (fun t v => sum (fun a => st v (own_at (shapes t) a) *r du t a) (box (shapes t)))
            (roots ++ outs p) all_once seeds).
          -- apply (sum_ext G). intros t _. unfold against, given. fold seeds. destruct (find t seeds) as [v |];
               [reflexivity |]. apply (sum_zero G). intros a _. kring.
          -- unfold seeds. rewrite map_map. cbn [fst]. rewrite <- Gf, map_map in outputs_once. exact outputs_once.
          -- intros t int_. unfold seeds in int_. rewrite map_map in int_. cbn [fst] in int_.
             apply in_map_iff in int_ as (q & <- & inq). apply outputs_known. rewrite <- Gf. now apply in_map.
        * unfold seeds. now rewrite (sum_map G).
      + intros s ins. destruct (new_outs ok s ins) as [_ shape]. split; [exact shape |].
        split; [now apply divide |]. split; [intros t inl; now apply (loads_before ok s t ins) |].
        intros t i ini. now apply inner.
      + exact du_scalar.
      + exact du_follows.
      + intros s ins. pose proof (proj1 (in_rev p s) ins) as insr.
        apply in_split in insr as (pre & post & E). pose proof (each pre s post E) as mine.
        pose proof (proj2 (new_outs ok s ins)) as shape.
        assert (lt : (out (does F s) < length (tensors F b0))%nat) by (now apply (new_outs ok s ins)).
        destruct (existsb (Nat.eqb (out (does F s))) active) eqn:A.
        * destruct mine as (bi & adji & o & X & _ & same & B & what).
          assert (Xi : extends F b0 bi) by exact (extends_trans F _ _ _ Xg X).
          assert (V : forall i, In i (box (dims (does F s))) ->
            value_of F st i o = adjoint_value F O st shapes p seeds adj (out (does F s)) i).
          { intros i ini. rewrite shape in ini.
            apply (body_value bi adji adj seeds (out (does F s)) o i (outs (s :: post))); auto.
            - now apply in_box_box.
            - intros s' ins' late. exact (reversed_loads pre s post E s' ins' late). }
          destruct o as [e |].
          -- destruct what as (u & Fu & def). rewrite Fu. split.
             { apply active_moves; [exact ins |]. now apply existsb_eqb. }
             split.
             ++ intros t int_. destruct (in_dec Nat.eq_dec t active) as [act | no];
                  [| right; now apply inactive_zero]. left.
                apply in_app_iff in int_ as [inr | ino].
                ** apply in_seq in inr.
                   assert (inw : In t wrt).
                   { apply activity_only in act as [act | act]; [exact act |].
                     apply in_map_iff in act as (s' & <- & ins'). apply (new_outs ok) in ins'. lia. }
                   destruct (grad_at t inw) as (bj & oj & _ & Bj & _).
                   exact (body_swept bj seeds adj t oj Bj s u ins Fu).
                ** apply in_map_iff in ino as (s2 & <- & ins2).
                   pose proof (proj1 (in_rev p s2) ins2) as insr2.
                   apply in_split in insr2 as (pre2 & post2 & E2). pose proof (each pre2 s2 post2 E2) as his.
                   rewrite (proj2 (existsb_eqb _ _) act) in his.
                   destruct his as (bj & adjj & oj & _ & _ & samej & Bj & _).
                   destruct (in_dec Nat.eq_dec (out (does F s)) (outs (s2 :: post2))) as [late | early].
                   --- exists []. apply swept_unloaded. exact (reversed_loads pre2 s2 post2 E2 s ins late).
                   --- apply (body_swept bj seeds adjj (out (does F s2)) oj Bj s u ins).
                       now rewrite samej.
             ++ intros i ini. rewrite <- (V i ini). unfold value_of. rewrite shape in ini.
                assert (sh : shape_of F bi (out (does F s)) = shapes (out (does F s)))
                  by (now apply extends_shape).
                rewrite shape. destruct def as [al | em].
                ** rewrite sh in al. symmetry. apply (same_tensor_val bi _ e u i al). now apply in_box_box.
                ** rewrite sh in em. apply (extends_steps F b2 b1 _ X3) in em.
                   exact (model _ i em ini).
          -- rewrite what. right. intros i ini. rewrite <- (V i ini). reflexivity.
        * rewrite mine. left. intros i _. apply inactive_zero.
          -- apply in_or_app. right. apply in_map_iff. now exists s.
          -- intros act. apply existsb_eqb in act. congruence.
    - apply seq_NoDup.
    - exact wrt_once.
    - intros x inx. apply in_seq. apply wrt_sources in inx. lia.
    - intros x inx no. apply in_seq in inx. unfold against. apply (sum_zero G). intros a _.
      rewrite du_wrt by (lia || exact no). kring.
  Qed.
End Program.
