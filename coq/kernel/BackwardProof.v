(** * The backward pass: its adjoints satisfy the equations *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Gradient kernel.SweepProof.
From Calque Require Import kernel.GatherForm kernel.PutProof kernel.GatherValue kernel.StepProof.
From Calque Require Import kernel.GradientProgram kernel.AdjointProof.
Import ListNotations.
Open Scope Z_scope.

Lemma find_skip t u v l : u <> t -> find t ((u, v) :: l) = find t l.
Proof. intros ne. simpl. destruct (Nat.eqb_spec u t); [contradiction | reflexivity]. Qed.

Lemma find_here t v l : find t ((t, v) :: l) = Some v.
Proof. simpl. now rewrite Nat.eqb_refl. Qed.

Lemma find_in t l : In t (map fst l) -> exists v, find t l = Some v /\ In (t, v) l.
Proof.
  induction l as [| [u w] l IH]; simpl; [contradiction |]. intros [E | ini].
  - simpl in E. subst. rewrite Nat.eqb_refl. exists w. auto.
  - destruct (Nat.eqb_spec u t) as [-> |]; [exists w; auto |].
    destruct (IH ini) as (v & E & inv). exists v. auto.
Qed.

Section Backward.
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

  Definition extends (b b' : builder) : Prop :=
    exists ts ss, tensors F b' = tensors F b ++ ts /\ steps F b' = steps F b ++ ss.

  Lemma extends_refl b : extends b b.
  Proof. exists [], []. now rewrite !app_nil_r. Qed.

  Lemma extends_trans b b' b'' : extends b b' -> extends b' b'' -> extends b b''.
  Proof.
    intros (t & s & E & E') (t' & s' & H & H'). exists (t ++ t'), (s ++ s').
    rewrite H, H', E, E'. now rewrite !app_assoc.
  Qed.

  Lemma extends_shape b b' t :
    extends b b' -> (t < length (tensors F b))%nat -> shape_of F b' t = shape_of F b t.
  Proof. intros (ts & ss & E & _) lt. unfold shape_of. rewrite E. now rewrite app_nth1. Qed.

  Lemma extends_length b b' : extends b b' -> (length (tensors F b) <= length (tensors F b'))%nat.
  Proof. intros (ts & ss & E & _). rewrite E, app_length. lia. Qed.

  Lemma extends_steps b b' s : extends b b' -> In s (steps F b) -> In s (steps F b').
  Proof. intros (ts & ss & _ & E) ins. rewrite E. apply in_or_app. now left. Qed.

  Lemma store_adjoint_spec t e b u b' :
    store_adjoint F t e b = (u, b') ->
    extends b b' /\
    In (Step F (Stmt u (shape_of F b t) e) (own_names (shape_of F b t)) None false) (steps F b').
  Proof.
    unfold store_adjoint, new_tensor, emit. simpl. intros H. injection H as <- <-. split.
    - exists [(AdjointOf t, shape_of F b t)],
        [Step F (Stmt (length (tensors F b)) (shape_of F b t) e) (own_names (shape_of F b t)) None false].
      auto.
    - simpl. apply in_or_app. right. now left.
  Qed.

  (** ** The adjoints *)

  Theorem adjoints_of_spec p active seeds : forall todo adj b adj' b',
    NoDup (outs todo) ->
    (forall s, In s todo -> find (out (does F s)) adj = None) ->
    adjoints_of F O p todo active seeds adj b = Done (adj', b') ->
    extends b b' /\
    (forall t, ~ In t (outs todo) -> find t adj' = find t adj) /\
    (forall pre s post, todo = pre ++ s :: post ->
       if existsb (Nat.eqb (out (does F s))) active then
         exists bi adji o, extends b bi /\ extends bi b' /\
           (forall t, ~ In t (outs (s :: post)) -> find t adji = find t adj') /\
           adjoint_body F O bi p seeds adji (out (does F s)) = Done o /\
           match o with
           | None => find (out (does F s)) adj' = None
           | Some e => exists u, find (out (does F s)) adj' = Some u /\
               (same_tensor F bi (shape_of F bi (out (does F s))) e = Some u \/
                In (Step F (Stmt u (shape_of F bi (out (does F s))) e)
                      (own_names (shape_of F bi (out (does F s)))) None false) (steps F b'))
           end
       else find (out (does F s)) adj' = None).
  Proof.
    induction todo as [| s0 todo IH]; intros adj b adj' b' once new H; cbn [adjoints_of] in H.
    { injection H as <- <-. split; [apply extends_refl |]. split; [reflexivity |].
      intros pre s post E. destruct pre; discriminate. }
    inversion once as [| ? ? notin once']; subst.
    set (t0 := out (does F s0)) in *.
    (* what follows from the rest, once the head is dealt with *)
    assert (go : forall adj1 b1, extends b b1 ->
      (forall t, t <> t0 -> find t adj1 = find t adj) ->
      adjoints_of F O p todo active seeds adj1 b1 = Done (adj', b') ->
      (if existsb (Nat.eqb t0) active then
         exists o, adjoint_body F O b p seeds adj t0 = Done o /\
           match o with
           | None => find t0 adj1 = None
           | Some e => exists u, find t0 adj1 = Some u /\
               (same_tensor F b (shape_of F b t0) e = Some u \/
                In (Step F (Stmt u (shape_of F b t0) e) (own_names (shape_of F b t0)) None false) (steps F b1))
           end
       else find t0 adj1 = None) ->
      extends b b' /\
      (forall t, ~ In t (outs (s0 :: todo)) -> find t adj' = find t adj) /\
      (forall pre s post, s0 :: todo = pre ++ s :: post ->
         if existsb (Nat.eqb (out (does F s))) active then
           exists bi adji o, extends b bi /\ extends bi b' /\
             (forall t, ~ In t (outs (s :: post)) -> find t adji = find t adj') /\
             adjoint_body F O bi p seeds adji (out (does F s)) = Done o /\
             match o with
             | None => find (out (does F s)) adj' = None
             | Some e => exists u, find (out (does F s)) adj' = Some u /\
                 (same_tensor F bi (shape_of F bi (out (does F s))) e = Some u \/
                  In (Step F (Stmt u (shape_of F bi (out (does F s))) e)
                        (own_names (shape_of F bi (out (does F s)))) None false) (steps F b'))
             end
         else find (out (does F s)) adj' = None)).
    { intros adj1 b1 X same R1 head.
      destruct (IH adj1 b1 adj' b' once') as (X' & keep & each); [| exact R1 |].
      { intros s ins. rewrite same; [apply new; now right |]. intros E. apply notin. rewrite <- E.
        apply in_map_iff. now exists s. }
      assert (XX : extends b b') by (eapply extends_trans; eassumption).
      assert (keep0 : find t0 adj' = find t0 adj1) by (apply keep; exact notin).
      split; [exact XX |]. split.
      - intros t no. rewrite keep by (intros H1; apply no; now right). apply same.
        intros ->. apply no. now left.
      - intros pre s post E. destruct pre as [| s1 pre]; simpl in E.
        + injection E as -> ->. fold t0. destruct (existsb (Nat.eqb t0) active).
          * destruct head as (o & B & what). exists b, adj, o.
            split; [apply extends_refl |]. split; [exact XX |]. split.
            { intros t no. rewrite keep by (intros H1; apply no; now right). symmetry. apply same.
              intros ->. apply no. now left. }
            split; [exact B |]. rewrite keep0. destruct o as [e |]; [| exact what].
            destruct what as (u & Fu & [al | em]); exists u; split; auto. right.
            exact (extends_steps b1 b' _ X' em).
          * now rewrite keep0.
        + injection E as -> E. specialize (each pre s post E).
          destruct (existsb (Nat.eqb (out (does F s))) active); [| exact each].
          destruct each as (bi & adji & o & X1 & X2 & rest). exists bi, adji, o.
          split; [exact (extends_trans _ _ _ X X1) |]. split; [exact X2 | exact rest]. }
    destruct (existsb (Nat.eqb t0) active) eqn:A.
    - destruct (adjoint_body F O b p seeds adj t0) as [o | |] eqn:B; try discriminate.
      cbn [and_then] in H. destruct o as [e |].
      + destruct (same_tensor F b (shape_of F b t0) e) as [u |] eqn:al.
        * apply (go ((t0, u) :: adj) b); [apply extends_refl | | exact H |].
          -- intros t ne. apply find_skip. congruence.
          -- exists (Some e). split; [reflexivity |]. exists u. split; [apply find_here | now left].
        * destruct (store_adjoint F t0 e b) as [u b1] eqn:S.
          apply store_adjoint_spec in S as [X ini].
          apply (go ((t0, u) :: adj) b1); [exact X | | exact H |].
          -- intros t ne. apply find_skip. congruence.
          -- exists (Some e). split; [reflexivity |]. exists u. split; [apply find_here | now right].
      + apply (go adj b); [apply extends_refl | reflexivity | exact H |].
        exists None. split; [reflexivity |]. apply new. now left.
    - apply (go adj b); [apply extends_refl | reflexivity | exact H |]. apply new. now left.
  Qed.

  Lemma gradients_spec p seeds adj : forall wrt b l b',
    gradients F O p seeds adj wrt b = Done (l, b') ->
    extends b b' /\ map fst l = wrt /\
    forall x u, In (x, u) l -> exists bi o, extends b bi /\ extends bi b' /\
      adjoint_body F O bi p seeds adj x = Done o /\
      In (Step F (Stmt u (shape_of F bi x) (match o with Some e => e | None => nought end))
            (own_names (shape_of F bi x)) None false) (steps F b').
  Proof.
    induction wrt as [| x0 wrt IH]; intros b l b' H; cbn [gradients] in H.
    - injection H as <- <-. split; [apply extends_refl |]. split; [reflexivity | contradiction].
    - destruct (adjoint_body F O b p seeds adj x0) as [o | |] eqn:B; try discriminate.
      cbn [and_then] in H. destruct (store_adjoint F x0 _ b) as [u0 b1] eqn:S.
      destruct (gradients F O p seeds adj wrt b1) as [[l1 b2] | |] eqn:E; try discriminate.
      cbn [and_then] in H. injection H as <- <-. apply store_adjoint_spec in S as [X ini].
      destruct (IH _ _ _ E) as (X' & <- & each). split; [exact (extends_trans _ _ _ X X') |].
      split; [reflexivity |]. intros x u [E1 | inx].
      + injection E1 as <- <-. exists b, o. split; [apply extends_refl |].
        split; [exact (extends_trans _ _ _ X X') |]. split; [exact B |]. exact (extends_steps b1 b2 _ X' ini).
      + destruct (each x u inx) as (bi & o' & X1 & X2 & rest). exists bi, o'.
        split; [exact (extends_trans _ _ _ X X1) | auto].
  Qed.

  Lemma give_spec current : forall outputs b seeds given_ b',
    give F outputs current b = (seeds, given_, b') ->
    (exists ts, tensors F b' = tensors F b ++ ts) /\ steps F b' = steps F b /\
    map fst given_ = outputs /\
    seeds = map (fun q => (nth (fst q) current 0%nat, snd q)) given_.
  Proof.
    induction outputs as [| t outputs IH]; intros b seeds given_ b' H; cbn [give] in H.
    - injection H as <- <- <-. repeat split; auto. exists []. now rewrite app_nil_r.
    - unfold new_tensor in H. cbv beta iota zeta in H.
      destruct (give F outputs current _) as [[s g] b2] eqn:E. injection H as <- <- <-.
      destruct (IH _ _ _ _ E) as ([ts X] & S & <- & ->). cbn [tensors steps] in X, S.
      repeat split; auto. exists ((AdjointOf t, shape_of F b t) :: ts). rewrite X, <- app_assoc. reflexivity.
  Qed.

  (** ** Tensors that do not depend on what is varied *)

  Lemma activity_grows p : forall l t, In t l -> In t (activity F l p).
  Proof.
    induction p as [| s p IH]; intros l t H; cbn [activity]; [exact H |].
    apply IH. destruct (_ && _); [now right | exact H].
  Qed.

  Lemma activity_only p : forall l t, In t (activity F l p) -> In t l \/ In t (outs p).
  Proof.
    induction p as [| s p IH]; intros l t H; cbn [activity] in H; [now left |].
    apply IH in H as [H | H]; [| right; now right].
    destruct (_ && _); [| now left]. destruct H as [<- | H]; [right; now left | now left].
  Qed.
End Backward.
