(** * Sums of products by fused multiply-adds: what they compute *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.InlineAll kernel.Fma.
Import ListNotations.

Section Proof.
  Context {S : scalars}.
  Notation num := (carrier S).
  Variable times : bop S.
  Variable is_times is_plus : bop S -> bool.
  Variable is_sum : red S -> bool.
  Variable fma : num -> num -> num -> num.
  Variable is_zero : lit S -> bool.
  Variable minus_zero : lit S.

  Notation F := (formal S times is_plus is_sum fma).
  Notation fused := (fused is_times is_sum is_zero).
  Notation products := (products is_times is_zero).
  Notation fma_ex := (fma_ex times is_times is_plus is_sum fma is_zero minus_zero).
  Notation fma_stmt := (fma_stmt times is_times is_plus is_sum fma is_zero minus_zero).
  Notation fma_prog := (fma_prog times is_times is_plus is_sum fma is_zero minus_zero).
  Notation eval_fma := (eval_fma is_times is_sum fma is_zero minus_zero).
  Notation add_term := (add_term is_times is_sum fma is_zero minus_zero).
  Notation exec_fma := (exec_fma is_times is_sum fma is_zero minus_zero).
  Notation exec_fma_prog := (exec_fma_prog is_times is_sum fma is_zero minus_zero).
  Notation as_formal := (as_formal times is_plus is_sum fma).

  Lemma fused_sum r e : fused r e = true -> is_sum r = true /\ products e = true.
  Proof. unfold Fma.fused. intros H. apply andb_true_iff in H as [H _]. now apply andb_true_iff. Qed.

  (** ** The value *)

  (** The store of formal numbers [st'] holds the numbers of [st]. *)
  Definition holds (st' : store F) (st : store S) : Prop := forall t i, st' t i = Rounded (st t i).

  Lemma fma_ex_value (st : store S) (st' : store F) : holds st' st -> forall (e : ex S) rho,
    eval st' rho (fma_ex false e) = Rounded (eval_fma st rho e) /\
    forall r acc, is_sum r = true -> products e = true ->
      red_step F r (Rounded acc) (eval st' rho (fma_ex true e)) = Rounded (add_term st rho r acc e).
  Proof.
    intros same. induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; intros rho.
    - split; [reflexivity |]. intros r acc R _. cbn. now destruct (is_sum r).
    - split; [apply same | discriminate].
    - destruct (IHa rho) as [Ea _], (IHb rho) as [Eb _]. split.
      + cbn [Fma.fma_ex eval Fma.eval_fma]. rewrite Ea, Eb. cbn. now destruct (is_plus o).
      + intros r acc R _. cbn [Fma.fma_ex eval Fma.add_term]. rewrite Ea, Eb. cbn. now rewrite R.
    - split; [| discriminate]. cbn [Fma.fma_ex eval Fma.eval_fma]. cbn [fid_value formal]. do 2 f_equal. rewrite !map_map.
      apply map_ext_in. intros a I. rewrite Forall_forall in IH. now rewrite (proj1 (IH a I rho)).
    - destruct (IHa rho) as [Ea Ta], (IHb rho) as [Eb Tb]. split.
      + cbn [Fma.fma_ex eval Fma.eval_fma]. now destruct (eval_cond rho c).
      + intros r acc R P. cbn [Fma.products] in P. apply andb_true_iff in P as [Pa Pb].
        cbn [Fma.fma_ex eval Fma.add_term]. destruct (eval_cond rho c); [now apply Ta | now apply Tb].
    - split; [| discriminate]. cbn [Fma.fma_ex eval Fma.eval_fma]. change (red_start F r) with (@Rounded S (red_start S r)).
      generalize (red_start S r) as acc. induction (box ns) as [| k ks IHk]; intros acc; [reflexivity |].
      cbn [fold_left]. destruct (fused r e) eqn:E.
      + destruct (fused_sum r e E) as [R P]. rewrite (proj2 (IH (k ++ rho)) r acc R P). apply IHk.
      + rewrite (proj1 (IH (k ++ rho))). replace (red_step F r (Rounded acc) (Rounded (eval_fma st (k ++ rho) e)))
          with (@Rounded S (red_step S r acc (eval_fma st (k ++ rho) e))) by (cbn; now destruct (is_sum r)). apply IHk.
  Qed.

  (** It reads the store at places only. *)
  Lemma eval_fma_ext (st st' : store S) : (forall t i, st t i = st' t i) -> forall e rho, eval_fma st rho e = eval_fma st' rho e.
  Proof.
    intros same e rho. pose proof (proj1 (fma_ex_value st' (as_formal st') (fun _ _ => eq_refl) e rho)) as E.
    rewrite (proj1 (fma_ex_value st (as_formal st') (fun t i => f_equal Rounded (eq_sym (same t i))) e rho)) in E.
    now injection E.
  Qed.

  Lemma fma_stmt_value s st st' : holds st' st -> holds (exec (fma_stmt s) st') (exec_fma s st).
  Proof.
    intros same t i. unfold exec, Fma.exec_fma, upd. cbn [out Fma.fma_stmt dims body].
    destruct (t =? out s)%nat; [| apply same]. unfold tabulate. destruct (in_box (dims s) i); [| reflexivity].
    exact (proj1 (fma_ex_value st st' same (body s) i)).
  Qed.

  (** The program stores rounded numbers, those of the formula. *)
  Theorem fma_prog_value (p : list (stmt S)) : forall st st', holds st' st -> holds (exec_prog (fma_prog p) st') (exec_fma_prog p st).
  Proof.
    induction p as [| s p IH]; intros st st' same; [exact same |].
    exact (IH (exec_fma s st) (exec (fma_stmt s) st') (fma_stmt_value s st st' same)).
  Qed.

  (** ** Exact products are terms of sums only, and such programs store none *)

  Lemma fma_ex_exact : forall e : ex S,
    exact_in_sums times is_plus is_sum fma false (fma_ex false e) = true /\
    exact_in_sums times is_plus is_sum fma true (fma_ex false e) = true /\
    (products e = true -> exact_in_sums times is_plus is_sum fma true (fma_ex true e) = true).
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; cbn;
      try (now repeat split).
    - destruct IHa as [-> _], IHb as [-> _]. now repeat split.
    - assert (H : forallb (exact_in_sums times is_plus is_sum fma false) (map (fma_ex false) l) = true).
      { apply forallb_forall. intros x I. apply in_map_iff in I as (a & <- & I). rewrite Forall_forall in IH. now apply IH. }
      repeat split; try exact H. discriminate.
    - destruct IHa as (-> & -> & Ta), IHb as (-> & -> & Tb). repeat split.
      intros P. apply andb_true_iff in P as [Pa Pb]. now rewrite Ta, Tb.
    - assert (H : exact_in_sums times is_plus is_sum fma (is_sum r) (fma_ex (fused r e) e) = true).
      { destruct (fused r e) eqn:E; [destruct (fused_sum r e E) as [-> P]; now apply IH | destruct (is_sum r); apply IH]. }
      repeat split; [exact H | exact H | discriminate].
  Qed.

  Theorem fma_prog_exact (p : list (stmt S)) : exact_in_sums_prog times is_plus is_sum fma (fma_prog p) = true.
  Proof.
    unfold exact_in_sums_prog. apply forallb_forall. intros s I. apply in_map_iff in I as (s0 & <- & _). apply fma_ex_exact.
  Qed.

  Definition is_rounded (v : formal_number S) : Prop := exists x, v = Rounded x.

  Lemma rounded_step r u v : is_rounded (red_step F r u v).
  Proof. cbn. unfold add_formal. destruct (is_sum r), v; now eexists. Qed.

  Lemma exact_in_sums_rounded (st : store F) : (forall t i, is_rounded (st t i)) ->
    forall e rho, exact_in_sums times is_plus is_sum fma false e = true -> is_rounded (eval st rho e).
  Proof.
    intros R. induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; intros rho E.
    - now eexists.
    - apply R.
    - destruct o as [o |]; [| discriminate E]. cbn [eval]. cbn. unfold add_formal.
      destruct (is_plus o), (eval st rho b); now eexists.
    - now eexists.
    - cbn in E. apply andb_true_iff in E as [A B]. cbn [eval]. destruct (eval_cond rho c); auto.
    - cbn [eval]. assert (G : is_rounded (red_start F r)) by now eexists. revert G. generalize (red_start F r) as acc.
      induction (box ns) as [| k ks IHk]; intros acc G; [exact G |]. cbn [fold_left]. apply IHk, rounded_step.
  Qed.

  Theorem exact_in_sums_stores (p : list (stmt F)) : exact_in_sums_prog times is_plus is_sum fma p = true ->
    forall st, (forall t i, is_rounded (st t i)) -> forall t i, is_rounded (exec_prog p st t i).
  Proof.
    induction p as [| s p IH]; intros E st R; [exact R |]. cbn [exact_in_sums_prog forallb] in E.
    apply andb_true_iff in E as [Es E]. apply (IH E (exec s st)). intros t i. unfold exec, upd.
    destruct (t =? out s)%nat; [| apply R]. unfold tabulate. destruct (in_box (dims s) i); [| now eexists].
    now apply exact_in_sums_rounded.
  Qed.

  (** ** Where a fused multiply-add is a product and a sum *)

  Record product_and_sum : Prop := {
    times_is : forall o, is_times o = true -> o = times;
    fma_adds : forall r, is_sum r = true -> forall a b x, fma a b x = red_step S r x (bop_value S times a b);
    zero_is : forall c, is_zero c = true -> lit_value S minus_zero = lit_value S c
  }.

  Lemma eval_fma_product_and_sum : product_and_sum -> forall st (e : ex S) rho,
    eval_fma st rho e = eval st rho e /\
    forall r acc, is_sum r = true -> products e = true -> add_term st rho r acc e = red_step S r acc (eval st rho e).
  Proof.
    intros L st. induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; intros rho.
    - split; [reflexivity |]. intros r acc _ Z.
      change (red_step S r acc (lit_value S minus_zero) = red_step S r acc (lit_value S c)). now rewrite (zero_is L c Z).
    - split; [reflexivity | discriminate].
    - destruct (IHa rho) as [Ea _], (IHb rho) as [Eb _]. cbn [eval]. rewrite <- Ea, <- Eb. split; [reflexivity |].
      intros r acc R T. cbn [Fma.products] in T. rewrite (times_is L o T), <- (fma_adds L r R). reflexivity.
    - split; [| discriminate]. cbn [eval]. rewrite (map_ext_in (eval st rho) (eval_fma st rho)); [reflexivity |].
      intros a I. symmetry. rewrite Forall_forall in IH. now apply IH.
    - destruct (IHa rho) as [Ea Ta], (IHb rho) as [Eb Tb]. cbn [eval]. rewrite <- Ea, <- Eb. split; [reflexivity |].
      intros r acc R P. cbn [Fma.products] in P. apply andb_true_iff in P as [Pa Pb].
      change (add_term st rho r acc (ESel c a b)) with
        (if eval_cond rho c then add_term st rho r acc a else add_term st rho r acc b).
      rewrite (Ta r acc R Pa), (Tb r acc R Pb), Ea, Eb. now destruct (eval_cond rho c).
    - split; [| discriminate]. cbn [eval]. symmetry.
      transitivity (fold_left (fun acc k => if fused r e then add_term st (k ++ rho) r acc e
                                            else red_step S r acc (eval_fma st (k ++ rho) e)) (box ns) (red_start S r));
        [| reflexivity].
      apply fold_left_ext_in. intros acc k _. destruct (fused r e) eqn:E.
      + destruct (fused_sum r e E) as [R P]. symmetry. now apply (IH (k ++ rho)).
      + now rewrite (proj1 (IH (k ++ rho))).
  Qed.

  Lemma exec_fma_prog_same : product_and_sum -> forall (p : list (stmt S)) st st', (forall t i, st t i = st' t i) ->
    forall t i, exec_fma_prog p st t i = exec_prog p st' t i.
  Proof.
    intros L. induction p as [| s p IH]; intros st st' same; [exact same |]. apply (IH (exec_fma s st) (exec s st')).
    intros t i. unfold Fma.exec_fma, exec, upd. destruct (t =? out s)%nat; [| apply same]. unfold tabulate.
    destruct (in_box (dims s) i); [| reflexivity]. rewrite (proj1 (eval_fma_product_and_sum L st (body s) i)).
    apply eval_frame. intros u _ j. apply same.
  Qed.

  (** ** Loads *)

  Lemma fma_ex_loads : forall (e : ex S) term, loads (fma_ex term e) = loads e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; intros term; cbn;
      try reflexivity; try (now rewrite IHa, IHb).
    - induction IH as [| a l here _ IHl]; [reflexivity |]. cbn. now rewrite here, IHl.
    - apply IH.
  Qed.

  Lemma fma_ex_in_bounds t d : forall (e : ex S) term rho, in_bounds t d rho e -> in_bounds t d rho (fma_ex term e).
  Proof.
    induction e as [c | u l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; intros term rho; cbn; auto.
    - intros [A B]. auto.
    - intros B. induction IH as [| a l here _ IHl]; [exact I |]. destruct B as [A B]. split; [now apply here | now apply IHl].
    - destruct (eval_cond rho c); auto.
  Qed.

  (** It stores the same tensors in the same sizes, and loads stay inside. *)
  Theorem fma_prog_whole shapes p : whole S shapes p -> whole F shapes (fma_prog p).
  Proof.
    intros W s I. apply in_map_iff in I as (s0 & <- & I). destruct (W s0 I) as [D B]. split; [exact D |].
    intros t i Ii. apply fma_ex_in_bounds. now apply (B t).
  Qed.
End Proof.
