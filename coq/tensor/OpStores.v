(** * What the kernels of operators store: each tensor once, and no input *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpTable tensor.OpIndex tensor.OpKernel tensor.OpEval.
Import ListNotations.
Open Scope nat_scope.

Section Stores.
  Variable A : arith.
  Notation K := (kernel_scalars A).

  Definition stores_once (p : prog K) : Prop :=
    NoDup (map out p) /\ forall s k, In s p -> out s <> tX k.

  Lemma once_one t d e : (forall k, t <> tX k) -> stores_once [stored A t d e].
  Proof.
    intros N. split; [repeat constructor; auto |]. intros s k [<- | []]. apply N.
  Qed.

  Lemma once_stores o e p : stores A o e = Some p -> stores_once p.
  Proof. intros P. apply some_inj in P. subst p. apply once_one. intros k E. now apply (x_not_y 0 k). Qed.

  Lemma once_cons t d e p : (forall k, t <> tX k) -> (forall s, In s p -> out s <> t) -> stores_once p ->
    stores_once (stored A t d e :: p).
  Proof.
    intros N F [D X]. split.
    - cbn [map]. constructor; [| exact D]. intros I. apply in_map_iff in I. destruct I as (s & E & ins). now apply (F s).
    - intros s k [<- | ins]; [apply N | now apply X].
  Qed.

  (** T[part] on, and Y0 at last. *)
  Definition parts_on (part : nat) (p : prog K) : Prop :=
    stores_once p /\ forall s, In s p -> out s = tY 0 \/ exists j, part <= j /\ out s = tT j.

  Lemma parts_cons part d e p : parts_on (S part) p -> parts_on part (stored A (tT part) d e :: p).
  Proof.
    intros [O P]. split.
    - apply once_cons; [intros k E; now apply (x_not_t part k) | | exact O]. intros s ins E.
      destruct (P s ins) as [Y | (j & le & T)]; rewrite E in *; [now apply (t_not_y 0 part) | apply (t_inj part j); [lia | exact T]].
    - intros s [<- | ins]; [right; exists part; auto |].
      destruct (P s ins) as [Y | (j & le & T)]; [now left | right; exists j; split; [lia | exact T]].
  Qed.

  Lemma parts_last part d e : parts_on part [stored A (tY 0) d e].
  Proof. split; [apply once_one; intros k E; now apply (x_not_y 0 k) |]. intros s [<- | []]. now left. Qed.

  Lemma parts_nil part : parts_on part [].
  Proof. split; [split; [constructor | intros s k []] | intros s []]. Qed.

  Lemma fold_from_once ins o f fuel : forall part from, parts_on part (fold_from A ins o f fuel part from).
  Proof.
    induction fuel as [| fuel IH]; intros part from; [apply parts_nil |]. cbn [fold_from].
    destruct (128 <? length ins - from); [apply parts_cons, IH | apply parts_last].
  Qed.

  Lemma pad_from_once reflect ps : forall dim part now, parts_on part (pad_from A reflect dim part now ps).
  Proof.
    induction ps as [| [lo hi] ps IH]; intros dim part now; [apply parts_nil |]. cbn [pad_from].
    destruct (grows (lo, hi)); [| apply IH]. destruct (existsb grows ps) eqn:more; [apply parts_cons, IH |].
    assert (forall dim part now, pad_from A reflect dim part now ps = []) as ->; [| apply parts_last].
    clear - more. induction ps as [| [p q] ps IH]; intros dim part now; [reflexivity |]. cbn [existsb] in more.
    apply orb_false_iff in more. destruct more as [g more]. cbn [pad_from]. rewrite g. now apply IH.
  Qed.

  Lemma split_from_once ins axis parts : forall k start, stores_once (split_from A ins axis k start parts) /\
    forall s, In s (split_from A ins axis k start parts) -> exists j, k <= j /\ out s = tY j.
  Proof.
    induction parts as [| n parts IH]; intros k start; cbn [split_from].
    - split; [split; [constructor | intros s j []] | intros s []].
    - destruct (IH (S k) (start + n)) as [O P]. destruct (n =? 0).
      + split; [exact O |]. intros s ins_. destruct (P s ins_) as (j & le & E). exists j. split; [lia | exact E].
      + split.
        * apply once_cons; [intros j E; now apply (x_not_y k j) | | exact O]. intros s ins_ E.
          destruct (P s ins_) as (j & le & Y). rewrite E in Y. apply (y_inj k j); [lia | exact Y].
        * intros s [<- | ins_]; [exists k; auto |]. destruct (P s ins_) as (j & le & E). exists j. split; [lia | exact E].
  Qed.

  (** A statement for each of T0, T1, .. and then Y0. *)
  Ltac in_parts := repeat first [apply parts_last | apply parts_cons].

  Definition entry_once (k : entry A) : Prop := forall l i o b c p, k l i o b c = Some p -> stores_once p.

  Theorem entries_once : Forall (fun k => entry_once (snd k)) (kernels A).
  Proof.
    assert (forall (q : option (prog K)) b p, (forall p, q = Some p -> stores_once p) -> floats A b q = Some p -> stores_once p) as fl
      by (intros q b p H E; unfold floats in E; destruct b; [discriminate | now apply H]).
    assert (forall ins o f p, k_fold A ins o f = Some p -> stores_once p) as folds_
      by (intros ins o f p P; apply some_inj in P; subst p; apply fold_from_once with (part := 0)).
    unfold kernels. repeat (apply Forall_cons; cbn [snd]); try apply Forall_nil; intros l i o b c p P;
      unfold elementwise, pointwise, of_floats, folds, pairs, copies, recasts, fills in P;
      repeat match type of P with
             | match ?q with Some _ => _ | None => None end = Some _ => destruct q as [?par |]; [| discriminate]
             | (let (_, _) := ?q in _) = Some _ => destruct q
             | floats _ _ _ = Some _ => apply fl in P; [exact P |]; clear P; intros ? P
             end;
      try (eapply once_stores; exact P); try (eapply folds_; exact P).
    all: try (unfold k_max_pool in P; destruct (pooled A _ _ _ _ _ _ _); [eapply once_stores; exact P | discriminate]).
    all: try (unfold k_lrn in P; destruct (guards _ _); [eapply once_stores; exact P | discriminate]).
    all: try (unfold k_matmul in P; destruct (matmul_left _) as [[[? ?] ?] |]; [| discriminate];
              destruct (matmul_right _) as [[[? ?] ?] |]; [| discriminate]; eapply once_stores; exact P).
    all: try (unfold k_softmax, k_log_softmax, k_rms_norm, k_layer_norm, k_instance_norm, k_group_norm, k_lp_norm, k_l2_norm, by_norm in P;
              apply some_inj in P; subst p; refine (proj1 (_ : parts_on 0 _)); in_parts; fail).
    - (* Gemm *) unfold k_gemm, floats in P. destruct b; [discriminate |]. eapply once_stores. exact P.
    - (* AveragePool *) unfold k_average_pool in P. destruct (pooled A _ _ _ _ _ _ _); [| discriminate].
      destruct (existsb varies _); [| eapply once_stores; exact P]. destruct (guards _ _); [| discriminate].
      apply some_inj in P. subst p. refine (proj1 (_ : parts_on 0 _)). in_parts.
    - (* Div *) destruct b; [eapply once_stores; exact P | eapply folds_; exact P].
    - (* Gather *) unfold k_gather in P. cbv zeta in P.
      match type of P with (if ?q then _ else _) = _ => destruct q; [discriminate |] end. eapply once_stores. exact P.
    - (* Split *) apply some_inj in P. subst p. apply split_from_once.
    - (* Pad *) unfold k_pad in P. match type of P with match ?m with _ => _ end = _ => destruct m end; [eapply once_stores; exact P | |];
        (destruct (existsb grows _); [| eapply once_stores; exact P]; apply some_inj in P; subst p; apply pad_from_once with (part := 0)).
  Qed.

  Theorem op_kernel_stores_once name l ins o b index p :
    op_kernel A name l ins o b index = Some p -> stores_once p.
  Proof.
    unfold op_kernel. destruct (look_up String.eqb (kernels A) name) as [k |] eqn:E; [| discriminate].
    destruct (_ && _).
    - intros P. injection P as <-. split; [constructor | intros s j []].
    - unfold look_up in E. destruct (find _ (kernels A)) as [[n k'] |] eqn:F; [| discriminate]. injection E as ->.
      apply find_some in F. destruct F as [I _]. pose proof entries_once as H. rewrite Forall_forall in H.
      exact (H _ I l ins o b index p).
  Qed.
End Stores.
