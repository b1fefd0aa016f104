(** * Where a result has its tensors

    The tensors of a builder in order: the forward ones, the given adjoints of the outputs, the
    adjoints of what the statements store, the gradients, copies. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers.
From Calque Require Import kernel.Gradient kernel.SweepProof kernel.GradientProgram kernel.StepProof.
From Calque Require Import kernel.BackwardProof kernel.ForwardProof kernel.NeededProof kernel.RunProof kernel.Source.
Import ListNotations.
Open Scope Z_scope.

Lemma find_at (A : Type) (k v : A -> tid) l x :
  NoDup (map k l) -> In x l -> find (k x) (map (fun y => (k y, v y)) l) = Some (v x).
Proof.
  intros once. induction l as [| y l IH]; [contradiction |]. inversion once as [| ? ? no once']; subst.
  intros [-> | inx]; simpl; [now rewrite Nat.eqb_refl |].
  destruct (Nat.eqb_spec (k y) (k x)) as [E | _]; [| now apply IH].
  exfalso. apply no. rewrite E. now apply in_map.
Qed.

Lemma find_none (l : table) t : ~ In t (map fst l) -> find t l = None.
Proof.
  induction l as [| [u v] l IH]; intros no; [reflexivity |]. simpl in *.
  destruct (Nat.eqb_spec u t); [exfalso; apply no; now left |]. apply IH. intros h. apply no. now right.
Qed.

(** Consecutive tensors, by name. *)
Lemma find_combine (l : list tid) : forall n x, NoDup l -> In x l ->
  find x (combine l (seq n (length l))) = Some (n + place_of x l)%nat.
Proof.
  induction l as [| y l IH]; intros n x once inx; [contradiction |].
  inversion once as [| ? ? no once']; subst. simpl. rewrite (Nat.eqb_sym x y).
  destruct (Nat.eqb_spec y x) as [-> | ne]; [now rewrite Nat.add_0_r |].
  destruct inx as [E | inx]; [contradiction |]. rewrite (IH (S n) x once' inx). f_equal. lia.
Qed.

Lemma fst_combine (l : list tid) : forall n, map fst (combine l (seq n (length l))) = l.
Proof. induction l as [| x l IH]; intros n; [reflexivity |]. simpl. now rewrite IH. Qed.

Lemma place_of_last (x : nat) q : ~ In x q -> place_of x (q ++ [x]) = length q.
Proof.
  induction q as [| z q IH]; intros no; simpl.
  - destruct (Nat.eqb_spec x x); [reflexivity | contradiction].
  - destruct (Nat.eqb_spec x z) as [-> | ne]; [exfalso; apply no; now left |]. f_equal. apply IH.
    intros h. apply no. now right.
Qed.

Lemma first_place_app {A} (f : A -> bool) l m : (forall a, In a l -> f a = false) ->
  first_place f (l ++ m) = (length l + first_place f m)%nat.
Proof.
  induction l as [| a l IH]; intros none; [reflexivity |]. simpl. rewrite none by now left.
  rewrite IH by (intros b h; apply none; now right). reflexivity.
Qed.

Lemma first_place_adjoint (ts : list (origin * list nat)) l m x :
  map fst ts = map AdjointOf l -> In x l -> first_place (is_adjoint x) (ts ++ m) = place_of x l.
Proof.
  revert l. induction ts as [| [o d] ts IH]; intros [| y l] E inx; try discriminate; [contradiction |].
  injection E as -> E. simpl. unfold is_adjoint at 1. cbn [fst]. rewrite (Nat.eqb_sym x y).
  destruct (Nat.eqb_spec y x) as [-> | ne]; [reflexivity |]. destruct inx as [h | inx]; [contradiction |].
  f_equal. now apply IH.
Qed.

Section Result.
  Variable F : field.
  Variable O : options.
  Notation step := (step F).
  Notation builder := (builder F).
  Notation outs l := (map (fun s => out (does F s)) l).
  Notation size b := (length (tensors F b)).

  (** No tensor is an adjoint. *)
  Definition no_adjoint (b : builder) : Prop := forall q x, In q (tensors F b) -> is_adjoint x q = false.

  Lemma no_adjoint_app b ts ss : no_adjoint b -> (forall q x, In q ts -> is_adjoint x q = false) ->
    no_adjoint (Builder F (tensors F b ++ ts) ss).
  Proof. intros N T q x inq. simpl in inq. apply in_app_iff in inq as []; eauto. Qed.

  Lemma split_no_adjoint shapes P e : forall g path inside b e' b',
    split F O shapes P e g path inside b = (e', b') -> no_adjoint b -> no_adjoint b'.
  Proof.
    induction e as [c | t l | o x y IHx IHy | f l IH | c x y IHx IHy | r ns x IH]
      using ex_nested_ind; intros g path inside b e' b' H N; cbn [split] in H.
    - now injection H as <- <-.
    - now injection H as <- <-.
    - destruct (split F O shapes P y _ _ _ b) as [y' b1] eqn:Ey.
      destruct (split F O shapes P x _ _ _ b1) as [x' b2] eqn:Ex. injection H as <- <-. eauto.
    - match type of H with (let (_, _) := ?go l b in _) = _ => destruct (go l b) as [l1 b1] eqn:E1 end.
      injection H as <- <-. revert b l1 b1 N E1. induction IH as [| a l one _ IHl]; intros b l1 b1 N E1.
      + now injection E1 as <- <-.
      + match type of E1 with (let (_, _) := ?go l b in _) = _ => destruct (go l b) as [l2 b2] eqn:E2 end.
        destruct (split F O shapes P a _ _ _ b2) as [a1 b3] eqn:E3. injection E1 as <- <-. eauto.
    - destruct (split F O shapes P y _ _ _ b) as [y' b1] eqn:Ey.
      destruct (split F O shapes P x _ _ _ b1) as [x' b2] eqn:Ex. injection H as <- <-. eauto.
    - destruct (split F O shapes P x _ _ _ b) as [x' b1] eqn:Ex. apply IH in Ex; [| exact N].
      match type of H with (if ?c then _ else _) = _ => destruct c end; [| now injection H as <- <-].
      unfold split_off, new_tensor in H. destruct r as [[|] ids]; cbn [fst] in H; injection H as <- <-.
      + apply no_adjoint_app; [exact Ex |]. intros q z [<- | []]. reflexivity.
      + intros q z inq. simpl in inq. rewrite <- app_assoc in inq. apply in_app_iff in inq as [h | h]; [eauto |].
        destruct h as [<- | [<- | []]]; reflexivity.
  Qed.

  Lemma forward_no_adjoint shapes all : forall p current b current' b',
    forward F O shapes all p current b = (current', b') -> no_adjoint b -> no_adjoint b'.
  Proof.
    induction p as [| [ids s] p IH]; intros current b current' b' H N; cbn [forward] in H.
    - now injection H as <- <-.
    - destruct (split F O shapes _ (body s) _ _ _ b) as [e b1] eqn:E. unfold new_tensor in H.
      apply IH in H; [exact H |]. apply split_no_adjoint in E; [| exact N].
      apply no_adjoint_app; [exact E |]. intros q x [<- | []]. reflexivity.
  Qed.

  Lemma sources_no_adjoint shapes : no_adjoint (sources F shapes).
  Proof. intros q x h. simpl in h. apply in_map_iff in h as ([t d] & <- & _). reflexivity. Qed.

  (** ** The given adjoints *)

  Lemma give_places current : forall outputs b seeds given_ b',
    give F outputs current b = (seeds, given_, b') ->
    given_ = combine outputs (seq (size b) (length outputs)) /\ steps F b' = steps F b /\
    exists ts, tensors F b' = tensors F b ++ ts /\ map fst ts = map AdjointOf outputs.
  Proof.
    induction outputs as [| t outputs IH]; intros b seeds given_ b' H; cbn [give] in H.
    - injection H as <- <- <-. split; [reflexivity |]. split; [reflexivity |]. exists []. now rewrite app_nil_r.
    - unfold new_tensor in H. cbv beta iota zeta in H.
      destruct (give F outputs current _) as [[s g] b2] eqn:E. injection H as <- <- <-.
      destruct (IH _ _ _ _ E) as (-> & S & ts & T & M). cbn [tensors steps] in *. rewrite app_length in *. cbn [length] in *.
      rewrite Nat.add_1_r in *. split; [reflexivity |]. split; [exact S |].
      exists ((AdjointOf t, shape_of F b t) :: ts). rewrite T, <- app_assoc. split; [reflexivity |].
      cbn [map fst]. now rewrite M.
  Qed.

  (** ** The adjoints of what is stored *)

  Lemma store_places t e b u b' : store_adjoint F t e b = (u, b') ->
    u = size b /\ tensors F b' = tensors F b ++ [(AdjointOf t, shape_of F b t)] /\
    steps F b' = steps F b ++ [Step F (Stmt (size b) (shape_of F b t) e) (own_names (shape_of F b t)) None false].
  Proof. unfold store_adjoint, new_tensor, emit. intros H. injection H as <- <-. auto. Qed.

  Lemma adjoints_places p active seeds : forall todo adj b adj' b',
    adjoints_of F O p todo active seeds adj b = Done (adj', b') ->
    exists ts ss, tensors F b' = tensors F b ++ ts /\ steps F b' = steps F b ++ ss /\
      (forall q x, In q ts -> is_adjoint x q = true -> In x (outs todo)) /\
      (forall s, In s ss -> (size b <= out (does F s) < size b')%nat).
  Proof.
    assert (none : forall (b : builder) (todo : list step), exists ts ss,
      tensors F b = tensors F b ++ ts /\ steps F b = steps F b ++ ss /\
      (forall q x, In q ts -> is_adjoint x q = true -> In x (outs todo)) /\
      (forall s, In s ss -> (size b <= out (does F s) < size b)%nat)).
    { intros b todo. exists [], []. rewrite !app_nil_r. repeat split; auto; contradiction. }
    induction todo as [| s todo IH]; intros adj b adj' b' H; cbn [adjoints_of] in H.
    - injection H as <- <-. apply none.
    - assert (later : forall adj1, adjoints_of F O p todo active seeds adj1 b = Done (adj', b') ->
        exists ts ss, tensors F b' = tensors F b ++ ts /\ steps F b' = steps F b ++ ss /\
          (forall q x, In q ts -> is_adjoint x q = true -> In x (outs (s :: todo))) /\
          (forall s, In s ss -> (size b <= out (does F s) < size b')%nat)).
      { intros adj1 E. destruct (IH _ _ _ _ E) as (ts & ss & T & S & A & B). exists ts, ss.
        repeat split; auto; try (now apply B). intros q x h1 h2. right. eauto. }
      destruct (existsb (Nat.eqb (out (does F s))) active); [| eauto].
      destruct (adjoint_body F O b p seeds adj (out (does F s))) as [[e |] | |]; try discriminate;
        cbn [and_then] in H; [| eauto].
      destruct (same_tensor F b (shape_of F b (out (does F s))) e) as [u |]; [eauto |].
      destruct (store_adjoint F (out (does F s)) e b) as [u b1] eqn:E. apply store_places in E as (-> & T1 & S1).
      destruct (IH _ _ _ _ H) as (ts & ss & T & S & A & B).
      exists ((AdjointOf (out (does F s)), shape_of F b (out (does F s))) :: ts).
      eexists (_ :: ss). split; [rewrite T, T1, <- app_assoc; reflexivity |].
      split; [rewrite S, S1, <- app_assoc; reflexivity |].
      assert (L : size b' = (1 + size b + length ts)%nat)
        by (rewrite T, T1, !app_length; simpl; lia).
      split.
      + intros q x [<- | inq] is; [left; now apply Nat.eqb_eq | right; eauto].
      + intros s' [<- | ins]; [cbn [does out]; rewrite L; lia |]. apply B in ins.
        rewrite T1, app_length in ins. simpl in ins. rewrite L in *. lia.
  Qed.

  (** ** The gradients *)

  Lemma gradients_places p seeds adj : forall wrt b l b',
    gradients F O p seeds adj wrt b = Done (l, b') ->
    l = combine wrt (seq (size b) (length wrt)) /\
    exists ts ss, tensors F b' = tensors F b ++ ts /\ map fst ts = map AdjointOf wrt /\
      steps F b' = steps F b ++ ss /\ outs ss = seq (size b) (length wrt).
  Proof.
    induction wrt as [| x wrt IH]; intros b l b' H; cbn [gradients] in H.
    - injection H as <- <-. split; [reflexivity |]. exists [], []. now rewrite !app_nil_r.
    - destruct (adjoint_body F O b p seeds adj x) as [o | |]; try discriminate. cbn [and_then] in H.
      destruct (store_adjoint F x _ b) as [u b1] eqn:E.
      destruct (gradients F O p seeds adj wrt b1) as [[l1 b2] | |] eqn:Eg; try discriminate.
      cbn [and_then] in H. injection H as <- <-. apply store_places in E as (-> & T1 & S1).
      destruct (IH _ _ _ Eg) as (-> & ts & ss & T & M & S & U). rewrite T1, app_length in U.
      rewrite T1, app_length. cbn [length] in *. rewrite Nat.add_1_r in *. split; [reflexivity |].
      eexists (_ :: ts), (_ :: ss). rewrite T, S, T1, S1, <- !app_assoc. split; [reflexivity |].
      split; [cbn [map fst]; now rewrite M |]. split; [reflexivity |]. cbn [map does out seq]. now rewrite U.
  Qed.

  (** ** The copies *)

  Notation copy := (fold_left (fun '(l, b) x =>
    match find x l with
    | Some u => let (v, b) := store_adjoint F x (ELd u (own_ix (shape_of F b x))) b in ((x, v) :: l, b)
    | None => (l, b)
    end)).

  Lemma copy_places : forall both (l : table) (b : builder) l' b', NoDup both ->
    (forall x, In x both -> In x (map fst l)) ->
    (forall x, In x both -> (x < size b)%nat) ->
    copy both (l, b) = (l', b') ->
    exists ts ss, tensors F b' = tensors F b ++ ts /\ steps F b' = steps F b ++ ss /\
      outs ss = map (at_table l') both /\ outs ss = seq (size b) (length both) /\
      (forall x, ~ In x both -> find x l' = find x l) /\
      (forall x, In x both -> exists s, In s ss /\ out (does F s) = at_table l' x /\
         dims (does F s) = shape_of F b x /\ body (does F s) = ELd (at_table l x) (own_ix (shape_of F b x))) /\
      (forall s, In s ss -> exists x i, In x both /\ body (does F s) = ELd (at_table l x) i).
  Proof.
    induction both as [| x both IH]; intros l b l' b' once known lt H; cbn [fold_left] in H.
    - injection H as <- <-. exists [], []. rewrite !app_nil_r. repeat split; auto; contradiction.
    - inversion once as [| ? ? no once']; subst.
      destruct (find_in x l (known x (or_introl eq_refl))) as (u & Fu & _). rewrite Fu in H.
      destruct (store_adjoint F x _ b) as [v b1] eqn:E. apply store_places in E as (-> & T1 & S1).
      assert (L1 : size b1 = S (size b)) by (rewrite T1, app_length; simpl; lia).
      assert (sh1 : forall y, (y < size b)%nat -> shape_of F b1 y = shape_of F b y)
        by (intros y h; unfold shape_of; rewrite T1; now rewrite app_nth1).
      destruct (IH ((x, size b) :: l) b1 l' b' once') as (ts & ss & T & S & U & Q & keep & each & only).
      + intros y h. right. apply known. now right.
      + intros y h. specialize (lt y (or_intror h)). lia.
      + exact H.
      + assert (kx : at_table l' x = size b).
        { unfold at_table. rewrite keep by exact no. now rewrite find_here. }
        assert (old : forall y, In y both -> at_table ((x, size b) :: l) y = at_table l y).
        { intros y h. unfold at_table. rewrite find_skip; [reflexivity |]. intros ->. contradiction. }
        eexists (_ :: ts), (_ :: ss). rewrite T, S, T1, S1, <- !app_assoc.
        split; [reflexivity |]. split; [reflexivity |]. cbn [map does out]. rewrite kx, U.
        split; [reflexivity |]. rewrite <- U, Q, L1. split; [reflexivity |]. repeat split.
        * intros y h. rewrite keep by (intros h'; apply h; now right). apply find_skip. intros ->. apply h. now left.
        * intros y [-> | h].
          -- eexists. split; [left; reflexivity |]. cbn [does out dims body]. rewrite kx. repeat split.
             unfold at_table. now rewrite Fu.
          -- destruct (each y h) as (s & ins & O1 & D1 & B1). exists s. split; [now right |]. split; [exact O1 |].
             rewrite sh1 in D1, B1 by (apply lt; now right). split; [exact D1 |]. now rewrite <- old.
        * intros s [<- | ins].
          -- exists x. eexists. split; [now left |]. cbn [does body]. unfold at_table. now rewrite Fu.
          -- destruct (only s ins) as (y & i & h & B1). exists y, i. split; [now right |]. now rewrite <- old.
  Qed.
End Result.
