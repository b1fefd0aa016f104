(** * The race check in one pass

    [Flat.fapart] compares all iterations with each other.  Here each place remembers
    the one iteration that has touched it, or that several have read it. *)

From Coq Require Import List Arith Bool Lia ZArith FMapPositive.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat.
Import ListNotations.
Set Implicit Arguments.

Module PM := PositiveMap.
Definition key (n : nat) : positive := Pos.of_succ_nat n.

Lemma key_eq n m : key n = key m -> n = m.
Proof. apply SuccNat2Pos.inj. Qed.

Lemma find_add B n m (x : B) t :
  PM.find (key n) (PM.add (key m) x t) = if n =? m then Some x else PM.find (key n) t.
Proof.
  destruct (Nat.eqb_spec n m) as [-> | ne]; [apply PM.gss | apply PM.gso].
  intros E. now apply ne, key_eq.
Qed.

Inductive owner := Own (i : nat) (wrote : bool) | Shared.
Definition owners := PM.t (PM.t owner).
Definition untouched : owners := PM.empty _.

Definition look (m : owners) (q : fplace) : option owner :=
  match PM.find (key (fst q)) m with Some b => PM.find (key (snd q)) b | None => None end.
Definition note (m : owners) (q : fplace) (o : owner) : owners :=
  let b := match PM.find (key (fst q)) m with Some b => b | None => PM.empty _ end in
  PM.add (key (fst q)) (PM.add (key (snd q)) o b) m.

Definition visit (om : option owners) (ix : nat * faccess) : option owners :=
  let '(i, (w, q)) := ix in
  obind om (fun m =>
  match look m q with
  | None => Some (note m q (Own i w))
  | Some (Own j v) =>
      if i =? j then Some (note m q (Own i (v || w)))
      else if v || w then None else Some (note m q Shared)
  | Some Shared => if w then None else Some m
  end).

Definition marked (n : nat) (F : nat -> list faccess) : list (nat * faccess) :=
  flat_map (fun i => map (pair i) (F i)) (seq 0 n).

Definition lone (n : nat) (F : nat -> list faccess) : bool :=
  match fold_left (fun om i => fold_left (fun om x => visit om (i, x)) (F i) om) (seq 0 n)
          (Some untouched) with
  | Some _ => true
  | None => false
  end.

(** ** It decides the same *)

Definition place_eqb (p q : fplace) : bool := (fst p =? fst q) && (snd p =? snd q).

Lemma place_eqb_spec p q : reflect (p = q) (place_eqb p q).
Proof.
  destruct p as [a b], q as [c d]. unfold place_eqb. cbn.
  destruct (Nat.eqb_spec a c), (Nat.eqb_spec b d); cbn; constructor; congruence.
Qed.

Lemma look_note m q o q' : look (note m q o) q' = if place_eqb q' q then Some o else look m q'.
Proof.
  destruct q as [r k], q' as [r' k']. unfold look, note, place_eqb. cbn [fst snd].
  rewrite find_add. destruct (Nat.eqb_spec r' r) as [-> | ne]; cbn [andb]; [| reflexivity].
  rewrite find_add. destruct (k' =? k); [reflexivity |].
  destruct (PM.find (key r) m); [reflexivity | apply PM.gempty].
Qed.

Definition clash (P : list (nat * faccess)) : Prop :=
  exists i j x y, i <> j /\ In (i, x) P /\ In (j, y) P /\ snd x = snd y /\ fst x || fst y = true.

Definition knows (P : list (nat * faccess)) (m : owners) : Prop := forall q,
  match look m q with
  | None => forall i w, ~ In (i, (w, q)) P
  | Some (Own i v) =>
      (exists w, In (i, (w, q)) P) /\ (forall j w, In (j, (w, q)) P -> j = i) /\
      (v = true <-> In (i, (true, q)) P)
  | Some Shared =>
      (forall j, ~ In (j, (true, q)) P) /\
      (exists i j, i <> j /\ In (i, (false, q)) P /\ In (j, (false, q)) P)
  end.

Lemma knows_apart P m : knows P m -> ~ clash P.
Proof.
  intros K (i & j & [v q] & [w q'] & ne & Hx & Hy & E & W). cbn in E, W. subst q'.
  specialize (K q). destruct (look m q) as [[k u |] |].
  - destruct K as (_ & one & _). apply ne. now rewrite (one _ _ Hx), (one _ _ Hy).
  - destruct K as [none _]. destruct v; [now apply (none i) |]. destruct w; [now apply (none j) |].
    discriminate.
  - now apply (K i v).
Qed.

Lemma in_snoc {T} (x y : T) P : In x (P ++ [y]) <-> In x P \/ x = y.
Proof. rewrite in_app_iff. cbn. intuition. Qed.

Lemma visit_knows P m i w q : knows P m ->
  match visit (Some m) (i, (w, q)) with
  | Some m' => knows (P ++ [(i, (w, q))]) m'
  | None => clash (P ++ [(i, (w, q))])
  end.
Proof.
  intros K. cbn [visit obind]. pose proof (K q) as Kq.
  assert (others : forall q' o, q' <> q ->
    look (note m q o) q' = look m q' /\
    forall j v, In (j, (v, q')) (P ++ [(i, (w, q))]) <-> In (j, (v, q')) P).
  { intros q' o ne. split.
    - rewrite look_note. destruct (place_eqb_spec q' q); congruence.
    - intros j v. rewrite in_snoc. intuition congruence. }
  assert (step : forall o, (match o with
      | Own i' v => (exists w', In (i', (w', q)) (P ++ [(i, (w, q))])) /\
          (forall j w', In (j, (w', q)) (P ++ [(i, (w, q))]) -> j = i') /\
          (v = true <-> In (i', (true, q)) (P ++ [(i, (w, q))]))
      | Shared => (forall j, ~ In (j, (true, q)) (P ++ [(i, (w, q))])) /\
          (exists i' j, i' <> j /\ In (i', (false, q)) (P ++ [(i, (w, q))]) /\
             In (j, (false, q)) (P ++ [(i, (w, q))]))
      end) -> knows (P ++ [(i, (w, q))]) (note m q o)).
  { intros o H q'. destruct (place_eqb_spec q' q) as [-> | ne].
    - rewrite look_note. destruct (place_eqb_spec q q); [exact H | congruence].
    - destruct (others q' o ne) as [-> same]. specialize (K q').
      destruct (look m q') as [[j v |] |].
      + destruct K as ((w' & H1) & H2 & H3). split; [exists w'; now apply same |].
        split; [intros k u Hk; apply same in Hk; eauto |]. now rewrite same.
      + destruct K as (H1 & a & b & ne' & Ha & Hb). split.
        * intros j Hj. apply same in Hj. now apply (H1 j).
        * exists a, b. rewrite !same. auto.
      + intros j v Hj. apply same in Hj. now apply (K j v). }
  destruct (look m q) as [[j v |] |] eqn:Lq.
  - destruct Kq as ((w' & H1) & H2 & H3). destruct (Nat.eqb_spec i j) as [-> | ne].
    + apply step. split; [exists w; apply in_snoc; auto |]. split.
      * intros k u Hk. apply in_snoc in Hk as [Hk | Hk]; [eauto | congruence].
      * rewrite in_snoc, <- H3. destruct v, w; cbn; intuition congruence.
    + destruct (v || w) eqn:VW.
      * exists i, j. destruct v.
        -- exists (w, q), (true, q). rewrite !in_snoc. cbn.
           split; [exact ne |]. split; [auto |]. split; [left; now apply H3 |].
           split; [reflexivity | apply orb_true_r].
        -- cbn in VW. subst w. exists (true, q), (w', q). rewrite !in_snoc. cbn. auto 6.
      * apply orb_false_iff in VW as [-> ->].
        assert (F : w' = false) by
          (destruct w'; [exfalso; apply H3 in H1; discriminate | reflexivity]).
        subst w'. apply step. split.
        -- intros k Hk. apply in_snoc in Hk as [Hk | Hk]; [| congruence].
           pose proof (H2 _ _ Hk). subst k. apply H3 in Hk. discriminate.
        -- exists i, j. rewrite !in_snoc. auto.
  - destruct Kq as (H1 & a & b & ne & Ha & Hb). destruct w.
    + destruct (Nat.eq_dec i a) as [-> | ne'].
      * exists a, b, (true, q), (false, q). rewrite !in_snoc. cbn. auto 6.
      * exists i, a, (true, q), (false, q). rewrite !in_snoc. cbn. auto 6.
    + intros q'. destruct (place_eqb_spec q' q) as [-> | ne'].
      * rewrite Lq. split.
        -- intros j Hj. apply in_snoc in Hj as [Hj | Hj]; [now apply (H1 j) | congruence].
        -- exists a, b. rewrite !in_snoc. auto.
      * destruct (others q' Shared ne') as [_ same]. specialize (K q').
        destruct (look m q') as [[j v |] |].
        -- destruct K as ((w' & K1) & K2 & K3). split; [exists w'; now apply same |].
           split; [intros k u Hk; apply same in Hk; eauto |]. now rewrite same.
        -- destruct K as (K1 & a' & b' & n' & Ha' & Hb'). split.
           ++ intros j Hj. apply same in Hj. now apply (K1 j).
           ++ exists a', b'. rewrite !same. auto.
        -- intros j v Hj. apply same in Hj. now apply (K j v).
  - apply step. split; [exists w; apply in_snoc; auto |]. split.
    + intros k u Hk. apply in_snoc in Hk as [Hk | Hk]; [now apply Kq in Hk | congruence].
    + rewrite in_snoc. destruct w; split; intros H; auto; try discriminate.
      destruct H as [H | H]; [now apply Kq in H | congruence].
Qed.

Lemma clash_more P Q : clash P -> clash (P ++ Q).
Proof.
  intros (i & j & x & y & ne & Hx & Hy & H). exists i, j, x, y. rewrite !in_app_iff. auto 6.
Qed.

Lemma visits_stuck L : fold_left visit L None = None.
Proof. induction L as [| [i [w q]] L IH]; cbn; auto. Qed.

Lemma visit_decides P m x : knows P m ->
  match visit (Some m) x with
  | Some m' => knows (P ++ [x]) m'
  | None => clash (P ++ [x])
  end.
Proof. destruct x as [i [w q]]. apply visit_knows. Qed.

Lemma visits_decide L : forall P m, knows P m ->
  match fold_left visit L (Some m) with Some _ => ~ clash (P ++ L) | None => clash (P ++ L) end.
Proof.
  induction L as [| x L IH]; intros P m K.
  - rewrite app_nil_r. now apply knows_apart with m.
  - pose proof (visit_decides x K) as V.
    replace (P ++ x :: L) with ((P ++ [x]) ++ L) by now rewrite <- app_assoc.
    change (fold_left visit (x :: L) (Some m)) with (fold_left visit L (visit (Some m) x)).
    destruct (visit (Some m) x) as [m' |].
    + now apply IH.
    + rewrite visits_stuck. now apply clash_more.
Qed.

Lemma lone_marked n F :
  lone n F = match fold_left visit (marked n F) (Some untouched) with
             | Some _ => true | None => false end.
Proof.
  unfold lone, marked. generalize (Some untouched).
  induction (seq 0 n) as [| i l IH]; intros om; cbn [fold_left flat_map]; [reflexivity |].
  rewrite fold_left_app, <- IH. f_equal. f_equal.
  generalize om. induction (F i) as [| x xs IHx]; intros om'; cbn [map fold_left]; auto.
Qed.

Lemma in_marked n F i x : In (i, x) (marked n F) <-> i < n /\ In x (F i).
Proof.
  unfold marked. rewrite in_flat_map. split.
  - intros (j & Hj & H). apply in_map_iff in H as (y & E & Hy). injection E as -> ->.
    apply in_seq in Hj. split; [lia | exact Hy].
  - intros [lt H]. exists i. rewrite in_seq. split; [lia | now apply in_map].
Qed.

Theorem lone_fapart n F : lone n F = fapart n F.
Proof.
  rewrite lone_marked.
  assert (K : knows [] untouched).
  { intros q. unfold look, untouched. rewrite PM.gempty. auto. }
  pose proof (@visits_decide (marked n F) [] _ K) as D. cbn [app] in D.
  assert (spec : fapart n F = true <-> ~ clash (marked n F)).
  { unfold fapart. rewrite forallb_forall. split.
    - intros H (i & j & x & y & ne & Hx & Hy & E & W). apply in_marked in Hx as [li Hx].
      apply in_marked in Hy as [lj Hy]. specialize (H i ltac:(apply in_seq; lia)).
      rewrite forallb_forall in H. specialize (H j ltac:(apply in_seq; lia)).
      apply orb_true_iff in H as [H | H]; [apply Nat.eqb_eq in H; lia |].
      rewrite forallb_forall in H. specialize (H x Hx). rewrite forallb_forall in H.
      specialize (H y Hy). unfold fconflict in H. rewrite W, E, !Nat.eqb_refl in H. discriminate.
    - intros H i Hi. apply forallb_forall. intros j Hj. apply in_seq in Hi. apply in_seq in Hj.
      apply orb_true_iff. destruct (Nat.eqb_spec i j) as [| ne]; [now left | right].
      apply forallb_forall. intros x Hx. apply forallb_forall. intros y Hy. apply negb_true_iff.
      destruct (fconflict x y) eqn:C; [| reflexivity]. exfalso. apply H.
      exists i, j, x, y. unfold fconflict in C. apply andb_true_iff in C as [W E].
      apply andb_true_iff in E as [E1 E2]. apply Nat.eqb_eq in E1. apply Nat.eqb_eq in E2.
      rewrite !in_marked. repeat split; auto; try lia. destruct x as [? []], y as [? []].
      cbn in *. congruence. }
  destruct (fold_left visit (marked n F) (Some untouched)) as [m |].
  - symmetry. apply spec. exact D.
  - destruct (fapart n F) eqn:B; [| reflexivity]. exfalso. apply (proj1 spec); auto.
Qed.
