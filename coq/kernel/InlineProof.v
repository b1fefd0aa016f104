(** * Inlining decisions are right; reverse inlining; errata of ComputeInline *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof.
From Calque Require Import kernel.Inline.
Import ListNotations.
Open Scope Z_scope.

Lemma existsb_false {A} (f : A -> bool) l : existsb f l = false -> forall a, In a l -> f a = false.
Proof.
  intros H a ina. apply not_true_is_false. intros E.
  assert (existsb f l = true) by (apply existsb_exists; eauto). congruence.
Qed.

Section Proof.
  Variable S : scalars.
  Notation ex := (ex S).
  Notation stmt := (stmt S).
  Notation store := (store S).

  Lemma reads_iff t (s : stmt) : reads t s = true <-> In t (loads (body s)).
  Proof. apply existsb_eqb. Qed.

  Lemma split_first_eq f (p : list stmt) a x b :
    split_first f p = Some (a, x, b) ->
    p = a ++ x :: b /\ f x = true /\ forall s, In s a -> f s = false.
  Proof.
    revert a. induction p as [| s p IH]; intros a H; simpl in H; [discriminate |].
    destruct (f s) eqn:E.
    - injection H as <- <- <-. repeat split; [exact E | intros ? []].
    - destruct (split_first f p) as [[[a' x'] b'] |]; [| discriminate].
      injection H as <- -> ->. destruct (IH a' eq_refl) as (-> & fx & no).
      repeat split; [exact fx |]. intros u [<- | inu]; auto.
  Qed.

  Lemma split_last_none f (p : list stmt) :
    split_last f p = None -> forall s, In s p -> f s = false.
  Proof.
    induction p as [| s p IH]; intros H u inu; simpl in *; [contradiction |].
    destruct (split_last f p) as [[[a x] b] |]; [discriminate |].
    destruct (f s) eqn:E; [discriminate |]. destruct inu as [<- | inu]; auto.
  Qed.

  Lemma split_last_eq f (p : list stmt) a x b :
    split_last f p = Some (a, x, b) ->
    p = a ++ x :: b /\ f x = true /\ forall s, In s b -> f s = false.
  Proof.
    revert a. induction p as [| s p IH]; intros a H; simpl in H; [discriminate |].
    destruct (split_last f p) as [[[a' x'] b'] |] eqn:E.
    - injection H as <- <- <-. destruct (IH a' eq_refl) as (-> & fx & no). auto.
    - destruct (f s) eqn:F; [| discriminate]. injection H as <- <- <-.
      repeat split; [exact F |]. now apply split_last_none.
  Qed.

  Lemma scan_once t (p : list stmt) : scan t true p = None ->
    forall s, In s p -> out s <> t.
  Proof.
    induction p as [| s p IH]; intros H u inu; simpl in *; [contradiction |].
    unfold stores in *.
    destruct (reads t s), (Nat.eqb_spec (out s) t); simpl in H; try discriminate;
      (destruct inu as [<- | inu]; auto).
  Qed.

  Lemma scan_split t (a : list stmt) s0 b :
    (forall s, In s a -> stores t s = false) -> stores t s0 = true ->
    scan t false (a ++ s0 :: b) = None -> scan t true b = None.
  Proof.
    intros no yes. induction a as [| s a IH]; simpl; intros H.
    - destruct (reads t s0); simpl in H; [discriminate |]. rewrite yes in H. exact H.
    - destruct (reads t s); simpl in H; [discriminate |].
      rewrite (no s (or_introl eq_refl)) in H. simpl in H. apply IH; auto.
      intros u inu. apply no. now right.
  Qed.

  (** All consumers but the last must not change what the producer reads; the last
      one reads a snapshot, so it may. *)
  Lemma consumers_keep (p : stmt) (c : list stmt) :
    (forall s, In s c -> out s <> out p) ->
    (forall s, In s c -> ~ In (out s) (loads (body p))) ->
    forall st st', has_output S p st st' ->
      has_output S p (exec_prog (map (inline_stmt p) c) st) (exec_prog c st').
  Proof.
    induction c as [| s c IH]; intros I1 I3 st st' has; [exact has |].
    apply (IH (fun u inu => I1 u (or_intror inu)) (fun u inu => I3 u (or_intror inu))).
    apply has_output_kept; auto; [apply I1 | apply I3]; now left.
  Qed.

  Theorem inline_correct_last (before : list stmt) (p : stmt) (c r : list stmt) (last : stmt) st :
    (forall s, In s (c ++ [last]) -> out s <> out p) ->
    (forall s, In s c -> ~ In (out s) (loads (body p))) ->
    (forall s, In s r -> ~ In (out p) (loads (body s))) ->
    (forall s, In s (c ++ [last]) -> in_bounds_stmt (out p) (dims p) s) ->
    forall t i, t <> out p ->
      exec_prog (before ++ map (inline_stmt p) (c ++ [last]) ++ r) st t i =
      exec_prog (before ++ p :: (c ++ [last]) ++ r) st t i.
  Proof.
    intros I1 I3 unread I5 t i ne. rewrite !exec_prog_app.
    change (exec_prog (p :: (c ++ [last]) ++ r)) with
      (fun st => exec_prog ((c ++ [last]) ++ r) (exec p st)).
    cbv beta. rewrite exec_prog_app.
    apply (others_agree S (out p) r unread); [| exact ne].
    clear t i ne. intros t ne. rewrite map_app, !exec_prog_app.
    set (st1 := exec_prog before st).
    assert (has : has_output S p st1 (exec p st1)).
    { intros i inside. unfold exec. rewrite upd_same. unfold tabulate. now rewrite inside. }
    assert (same : forall u, u <> out p -> agree S st1 (exec p st1) u).
    { intros u neu j. symmetry. now apply kernel_exec_frame. }
    apply exec_inline; [| | | exact ne].
    - apply consumers_keep; [| exact I3 | exact has].
      intros s ins. apply I1, in_or_app. now left.
    - apply consumers_inline; auto; intros s ins.
      + apply I1, in_or_app. now left.
      + apply I5, in_or_app. now left.
    - apply I5, in_or_app. right. now left.
  Qed.

  (** What [inline_tensor] accepts computes the same in every other tensor. *)
  Theorem inline_tensor_correct shapes outputs t (p q : list stmt) :
    inline_tensor outputs t p = inr q ->
    (forall s, In s p -> dims s = shapes (out s) /\ in_bounds_stmt t (shapes t) s) ->
    ~ In t outputs /\
    forall st u i, u <> t -> exec_prog q st u i = exec_prog p st u i.
  Proof.
    unfold inline_tensor. intros H ok.
    destruct (existsb (Nat.eqb t) outputs) eqn:O; [discriminate |].
    destruct (scan t false p) eqn:Sc; [discriminate |].
    destruct (split_first (stores t) p) as [[[before s0] after] |] eqn:F; [| discriminate].
    destruct (split_last (reads t) after) as [[[c last] r] |] eqn:L; [| discriminate].
    destruct (existsb _ c) eqn:W; [discriminate |]. injection H as <-.
    apply split_first_eq in F as (-> & st0 & none).
    apply split_last_eq in L as (-> & _ & unread).
    split.
    - intros int_. apply existsb_eqb in int_. congruence.
    - intros st u i ne. pose proof (scan_split t before s0 _ none st0 Sc) as once.
      unfold stores in st0. apply Nat.eqb_eq in st0.
      replace (before ++ s0 :: c ++ last :: r) with (before ++ s0 :: (c ++ [last]) ++ r)
        by (rewrite <- app_assoc; reflexivity).
      apply inline_correct_last; [| | | | congruence].
      + intros s ins. rewrite st0. apply (scan_once t _ once). apply in_or_app.
        apply in_app_iff in ins as [ins | [-> | []]]; [left; exact ins | right; now left].
      + intros s ins int_. pose proof (existsb_false _ _ W s ins) as E. simpl in E.
        apply existsb_eqb in int_. congruence.
      + intros s ins int_. rewrite st0 in int_. apply reads_iff in int_.
        rewrite (unread s ins) in int_. discriminate.
      + intros s ins.
        assert (ins0 : In s0 (before ++ s0 :: c ++ last :: r)) by (apply in_or_app; right; now left).
        destruct (ok s0 ins0) as [-> _]. rewrite st0. apply ok.
        apply in_or_app. right. right. apply in_or_app.
        apply in_app_iff in ins as [ins | [-> | []]]; [left; exact ins | right; now left].
  Qed.

  (** The same with the checker of well-formed programs. *)
  Corollary inline_tensor_wf shapes outputs t (p q : list stmt) :
    inline_tensor outputs t p = inr q -> wf_prog shapes p = true ->
    forall st u i, u <> t -> exec_prog q st u i = exec_prog p st u i.
  Proof.
    intros H W. apply (inline_tensor_correct shapes outputs t p q H).
    intros s ins. unfold wf_prog in W. rewrite forallb_forall in W.
    destruct (wf_sound S shapes s (W s ins)) as [D B]. auto.
  Qed.

  (** ** Inlining keeps loads inside *)

  Lemma in_bounds_subst u d (e : ex) : forall f rho,
    in_bounds u d rho (subst f e) <-> in_bounds u d (map (eval_ix rho) f) e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros f rho; simpl.
    - tauto.
    - rewrite map_map.
      rewrite (map_ext _ _ (fun a => eval_subst_ix rho f a)). tauto.
    - now rewrite IHa, IHb.
    - induction IH as [| a l here _ IHl]; simpl; [tauto |]. now rewrite here, IHl.
    - rewrite eval_subst_cond. destruct (eval_cond _ c); auto.
    - split; intros H k ink; specialize (H k ink); pose proof (in_box_length _ _ ink) as len.
      + apply IH in H. now rewrite eval_lift in H.
      + apply IH. now rewrite eval_lift.
  Qed.

  Theorem inline_safe u d (p s : stmt) :
    in_bounds_stmt u d p -> in_bounds_stmt u d s -> in_bounds_stmt (out p) (dims p) s ->
    in_bounds_stmt u d (inline_stmt p s).
  Proof.
    intros Hp Hs Ht i ini. specialize (Hs i ini). specialize (Ht i ini). simpl in *. clear ini.
    revert i Hs Ht.
    induction (body s) as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros i Hs Ht; simpl in *.
    - exact I.
    - destruct (Nat.eqb_spec t (out p)) as [-> |]; [| exact Hs].
      apply in_bounds_subst, Hp. now apply Ht.
    - destruct Hs, Ht. auto.
    - induction IH as [| a l here _ IHl]; simpl in *; [exact I |]. destruct Hs, Ht. auto.
    - destruct (eval_cond i c); auto.
    - auto.
  Qed.

  (** ** Reverse inlining *)

  (** Cells are written with a value that depends on the cell only. *)
  Lemma fold_set (g : list Z -> list Z) (w f : list Z -> carrier S) ks j :
    (forall k, In k ks -> w k = f (g k)) ->
    forall x : tensor S,
      fold_left (fun x k => set_at x (g k) (w k)) ks x j =
      if existsb (fun k => tuple_eqb (g k) j) ks then f j else x j.
  Proof.
    induction ks as [| k ks IH]; intros same x; [reflexivity |]. simpl.
    rewrite IH by (intros k' ink; apply same; now right).
    destruct (existsb _ ks); [now rewrite orb_true_r |]. rewrite orb_false_r.
    unfold set_at. destruct (tuple_eqb_spec (g k) j) as [<- |]; [| reflexivity].
    apply same. now left.
  Qed.

  (** The permuted loop nest writes exactly the cells of the box. *)
  Lemma permuted_cells pi d j :
    covers pi (length d) = true ->
    let g k := map (eval_ix k) (map IVar (inverse pi (length d))) in
    existsb (fun k => tuple_eqb (g k) j) (box (map (fun k => nth k d O) pi)) = in_box d j.
  Proof.
    intros cov g. unfold covers in cov. apply andb_true_iff in cov as [all lt].
    rewrite forallb_forall in all, lt.
    assert (cover : forall m, (m < length d)%nat -> In m pi).
    { intros m ltm. apply existsb_eqb, all, in_seq. lia. }
    assert (len : forall k, length (g k) = length d).
    { intros k. unfold g, inverse. now rewrite !map_length, seq_length. }
    assert (gn : forall k m, (m < length d)%nat -> nth m (g k) 0 = nth (place_of m pi) k 0).
    { intros k m ltm. unfold g, inverse.
      rewrite (nth_map_lt _ _ _ (IVar 0)) by (now rewrite !map_length, seq_length).
      rewrite (nth_map_lt _ _ _ O) by (now rewrite map_length, seq_length).
      rewrite (nth_map_lt _ _ _ O) by (now rewrite seq_length).
      simpl. now rewrite seq_nth. }
    destruct (in_box d j) eqn:E.
    - apply existsb_exists. exists (map (fun m => nth m j 0) pi). split.
      + apply in_box_box, in_box_nth. rewrite !map_length. split; [reflexivity |].
        intros k ltk. rewrite (nth_map_lt _ _ _ O), (nth_map_lt _ _ _ O) by exact ltk.
        apply in_box_nth in E as [_ E]. apply E. apply Nat.ltb_lt, lt, nth_In, ltk.
      + destruct (tuple_eqb_spec (g (map (fun m => nth m j 0) pi)) j) as [| ne]; [reflexivity |].
        exfalso. apply ne. apply in_box_nth in E as [lenj _].
        apply nth_ext with (d := 0) (d' := 0); [congruence |]. intros m ltm.
        rewrite len in ltm. rewrite gn by exact ltm.
        destruct (place_of_spec m pi (cover m ltm)) as [ltx idx].
        rewrite (nth_map_lt _ _ _ O) by exact ltx. now rewrite idx.
    - apply not_true_is_false. intros H. apply existsb_exists in H as (k & ink & H).
      destruct (tuple_eqb_spec (g k) j) as [<- |]; [| discriminate].
      enough (in_box d (g k) = true) by congruence. apply in_box_box, in_box_nth in ink as [lenk ink].
      rewrite map_length in *. apply in_box_nth. split; [apply len |]. intros m ltm.
      rewrite gn by exact ltm. destruct (place_of_spec m pi (cover m ltm)) as [ltx idx].
      specialize (ink _ ltx). rewrite (nth_map_lt _ _ _ O), idx in ink by exact ltx. exact ink.
  Qed.

  (** The loops of the producer store what those of the consumer do. *)
  Lemma exec_reverse (p s : stmt) (pi : list nat) st t i :
    covers pi (length (dims s)) = true ->
    dims p = map (fun k => nth k (dims s) O) pi ->
    exec_scatter (reverse_inline p s pi) st t i = exec (inline_stmt p s) st t i.
  Proof.
    intros cov shape. unfold exec_scatter, exec, upd, reverse_inline.
    cbn [sout sdims sat sbody out dims body inline_stmt].
    destruct (t =? out s)%nat; [| reflexivity].
    set (y := map IVar (inverse pi (length (dims s)))).
    rewrite (fold_set (fun k => map (eval_ix k) y)
      (fun k => eval st k (subst y (inline p (body s))))
      (fun j => eval st j (inline p (body s)))) by (intros k _; apply eval_subst).
    rewrite shape. unfold y. rewrite permuted_cells by exact cov. reflexivity.
  Qed.

  (** The consumer [s] of [p], run over the producer's box with its indices permuted
      by [pi], computes what [p] and then [s] compute. *)
  Theorem reverse_inline_correct (p s : stmt) (pi : list nat) (r : list stmt) st :
    covers pi (length (dims s)) = true ->
    dims p = map (fun k => nth k (dims s) O) pi ->
    in_bounds_stmt (out p) (dims p) s ->
    (forall u, In u r -> ~ In (out p) (loads (body u))) ->
    forall t i, t <> out p ->
      exec_prog r (exec_scatter (reverse_inline p s pi) st) t i =
      exec_prog r (exec s (exec p st)) t i.
  Proof.
    intros cov shape I5 unread t i ne.
    apply (others_agree S (out p) r unread); [| exact ne].
    clear t i ne. intros t ne i.
    rewrite exec_reverse by assumption. apply exec_inline; [| | exact I5 | exact ne].
    - intros j inside. unfold exec. rewrite upd_same. unfold tabulate. now rewrite inside.
    - intros u neu j. symmetry. now apply kernel_exec_frame.
  Qed.
End Proof.

(** ** Errata of ComputeInline (CINN), on integers with + *)

(** D1.  The substitution is never cleared, and a pair that maps a variable to itself
    is skipped: the map of an earlier load stays. *)
Section Stale.
  Definition stale_update (f l : list ix) : list ix :=
    map (fun '(k, (old, new)) => if ix_eqb new (IVar k) then old else new)
        (combine (seq 0 (length f)) (combine f l)).

  Fixpoint stale_inline (p : stmt integers) (f : list ix) (e : ex integers)
      : ex integers * list ix :=
    match e with
    | ELd t l =>
        if (t =? out p)%nat then
          let f' := stale_update f l in (subst f' (body p), f')
        else (e, f)
    | EBin o a b =>
        let (a', f1) := stale_inline p f a in
        let (b', f2) := stale_inline p f1 b in
        (EBin o a' b', f2)
    | _ => (e, f)
    end.
End Stale.

(** Tensor t holds 100 t + 10 i + j at [i,j]. *)
Definition numbered : store integers := fun t i =>
  match i with
  | [a; b] => 100 * Z.of_nat t + 10 * a + b
  | [a] => 100 * Z.of_nat t + a
  | _ => 0
  end.

(** B<2,2>[i,j] = A[i,j] + 1; C<2,2>[i,j] = B[j,i] + B[i,j], with A, B, C = 0, 1, 2. *)
Theorem erratum_inline_D1 :
  let p := Stmt 1%nat [2; 2]%nat (add (ELd 0%nat [IVar 0; IVar 1]) (num 1)) in
  let s := Stmt 2%nat [2; 2]%nat (add (ELd 1%nat [IVar 1; IVar 0]) (ELd 1%nat [IVar 0; IVar 1])) in
  let stale := Stmt 2%nat [2; 2]%nat (fst (stale_inline p [IVar 0; IVar 1] (body s))) in
  body stale = add (add (ELd 0%nat [IVar 1; IVar 0]) (num 1)) (add (ELd 0%nat [IVar 1; IVar 0]) (num 1)) /\
  exec_prog [p; s] numbered 2%nat [0; 1] = 13 /\
  exec (inline_stmt p s) numbered 2%nat [0; 1] = 13 /\
  exec stale numbered 2%nat [0; 1] = 22.
Proof. repeat split. Qed.

(** D3.  A load inside the indices of a load, [B[B[i]]]: kernels here have no such
    indices, so a language of its own, over tensors of integers of rank one.  The
    inserted indices are left as they are, and the producer is gone. *)
Section Nested.
  Inductive nested :=
    | NVar
    | NCst (z : Z)
    | NSub (a b : nested)
    | NLd (t : tid) (a : nested).

  Fixpoint nested_value (st : tid -> Z -> Z) (i : Z) (e : nested) : Z :=
    match e with
    | NVar => i
    | NCst z => z
    | NSub a b => nested_value st i a - nested_value st i b
    | NLd t a => st t (nested_value st i a)
    end.

  Fixpoint nested_subst (by_ e : nested) : nested :=
    match e with
    | NVar => by_
    | NCst z => NCst z
    | NSub a b => NSub (nested_subst by_ a) (nested_subst by_ b)
    | NLd t a => NLd t (nested_subst by_ a)
    end.

  (** The producer is [b[i] = p]; indices first ([inside]) or not at all. *)
  Fixpoint nested_inline (inside : bool) (b : tid) (p e : nested) : nested :=
    match e with
    | NVar => NVar
    | NCst z => NCst z
    | NSub a c => NSub (nested_inline inside b p a) (nested_inline inside b p c)
    | NLd t a =>
        let a' := if inside then nested_inline inside b p a else a in
        if (t =? b)%nat then nested_subst a' p else NLd t a'
    end.

  Lemma nested_subst_value st i by_ e :
    nested_value st i (nested_subst by_ e) = nested_value st (nested_value st i by_) e.
  Proof. induction e; simpl; congruence. Qed.

  (** With the indices first it is right, whatever [b] holds where it is gone. *)
  Theorem nested_inline_correct b p e st : forall gone i,
    (forall t k, t <> b -> gone t k = st t k) ->
    (forall k, st b k = nested_value st k p) ->
    (forall k, nested_value gone k p = nested_value st k p) ->
    nested_value gone i (nested_inline true b p e) = nested_value st i e.
  Proof.
    intros gone i others produced free. induction e as [| z | a IHa c IHc | t a IHa]; simpl; try congruence.
    destruct (Nat.eqb_spec t b) as [-> | other].
    - now rewrite nested_subst_value, IHa, free, produced.
    - simpl. now rewrite IHa, others.
  Qed.
End Nested.

(** B[i] = 1 - A[i] with A = 0, B = 1; C[i] = B[B[i]] at i = 0, where A[k] = k and the
    place of B now holds 7. *)
Theorem erratum_inline_D3 :
  let p := NSub (NCst 1) (NLd 0%nat NVar) in
  let e := NLd 1%nat (NLd 1%nat NVar) in
  let st t k := if (t =? 1)%nat then 1 - k else k in
  let gone t k := if (t =? 1)%nat then 7 else k in
  nested_value st 0 e = 0 /\
  nested_value gone 0 (nested_inline true 1%nat p e) = 0 /\
  nested_value gone 0 (nested_inline false 1%nat p e) = -6.
Proof. repeat split. Qed.

(** D5.  The newest precondition drops the distinctness of the store's indices:
    B[i,i] = A[i] stores the diagonal, yet B[x,y] becomes A[y]. *)
Theorem erratum_inline_D5 :
  let p := ScatterStmt (S := integers) 1%nat [2]%nat [IVar 0; IVar 0] (ELd 0%nat [IVar 0]) in
  exec_scatter p numbered 1%nat [0; 1] = 0 /\
  eval (S := integers) numbered [0; 1] (ELd 0%nat [IVar 1]) = 1.
Proof. now split. Qed.

(** D7.  A tensor that the producer reads is overwritten before the consumer: the
    decision refuses, the naive substitution reads the new values. *)
Theorem erratum_inline_D7 :
  let p := Stmt 1%nat [1%nat] (add (at_ 0 (IVar 0)) (num 1)) in
  let c := [Stmt 0%nat [1%nat] (at_ 3 (IVar 0));
            Stmt 2%nat [1%nat] (add (at_ 1 (IVar 0)) (at_ 0 (IVar 0)))] in
  inline_tensor [2%nat] 1%nat (p :: c) = inl Overwritten /\
  exec_prog (p :: c) numbered 2%nat [0] = 301 /\
  exec_prog (map (inline_stmt p) c) numbered 2%nat [0] = 601.
Proof. repeat split. Qed.

(** D8.  Reverse inlining when the consumer's range is smaller than the producer's:
    B<3>[i] = A[i]; C<2>[i] = B[i].  The loop over B's box stores outside of C, which
    the program does not; the side condition on the shapes excludes it.  With a
    broadcast consumer C<2,2>[i,j] = B<2>[j] variable i is not covered. *)
Theorem erratum_inline_D8 :
  let p := Stmt 1%nat [3%nat] (at_ 0 (IVar 0)) in
  let s := Stmt 2%nat [2%nat] (at_ 1 (IVar 0)) in
  exec_prog [p; s] numbered 2%nat [2] = 0 /\
  exec_scatter (reverse_inline p s [0%nat]) numbered 2%nat [2] = 2 /\
  dims p <> map (fun k => nth k (dims s) O) [0%nat] /\
  covers [1%nat] 2 = false.
Proof. repeat split. discriminate. Qed.
