(** * Operators with their sums of products fused: their values *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import kernel.Fma kernel.FmaProof kernel.LanesSums.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.OpEval.
From Calque Require Import tensor.OpLanes tensor.OpLanesProof tensor.OpFma.
From Calque Require tensor.Infer tensor.OpCorrect.
Import ListNotations.
Open Scope nat_scope.

(** Where nothing is rounded: [fma] is a product and a sum, and -0 is 0. *)
Record fma_laws (S : arith) (fma : num S -> num S -> num S -> num S) : Prop := {
  fma_is : forall a b x, fma a b x = s_add S x (s_mul S a b);
  minus_zero_is : s_real S minus_zero_bits = s_zero S
}.

Section Proof.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Variable fma : num S -> num S -> num S -> num S.
  Variable in_lanes : bool.
  Notation stmt := (Kernel.stmt K).
  Notation store := (Kernel.store K).
  Notation tensor := (Tensor.tensor (num S)).
  Notation F := (formal_scalars S fma).
  Notation formal_store := (as_formal (S := K) OMul is_addition sums fma).
  Notation fma_of := (exec_fma_prog (S := K) is_product sums fma is_nought minus_nought).
  Notation exec_f := (exec_fma (S := K) is_product sums fma is_nought minus_nought).

  (** The kernel stores what the formula says, rounded. *)
  Theorem op_fma_value (p : list stmt) (st : store) u i :
    exec_prog (op_fma S fma p) (formal_store st) u i = Rounded (S := K) (fma_of p st u i).
  Proof.
    exact (fma_prog_value (S := K) OMul is_product is_addition sums fma is_nought minus_nought p st (formal_store st)
             (fun _ _ => eq_refl) u i).
  Qed.

  Lemma kernel_laws : fma_laws S fma ->
    product_and_sum (S := K) OMul is_product sums fma is_nought minus_nought.
  Proof.
    intros [A Z]. split.
    - intros [| | | |] H; (reflexivity || discriminate).
    - intros [|] H; [intros a b x; apply A | discriminate].
    - intros [z | b | b z | |] H; try discriminate; cbn in H |- *.
      + apply Z.eqb_eq in H. subst z. exact Z.
      + apply N.eqb_eq in H. subst b. exact Z.
  Qed.

  Theorem op_fma_same (p : list stmt) (st : store) u i : fma_laws S fma ->
    exec_prog (op_fma S fma p) (formal_store st) u i = Rounded (S := K) (exec_prog p st u i).
  Proof.
    intros L. rewrite op_fma_value. f_equal.
    exact (exec_fma_prog_same (S := K) OMul is_product sums fma is_nought minus_nought (kernel_laws L) p st st
             (fun _ _ => eq_refl) u i).
  Qed.

  (** ** Values *)

  Lemma held_fma_step ts (s : stmt) (st : store) : (forall t i, held S ts t i = st t i) ->
    forall t i, held S (fma_step S fma ts s) t i = exec_f s st t i.
  Proof.
    intros same t i. unfold held, fma_step, exec_fma, upd, look_up. cbn [find fst].
    rewrite (Nat.eqb_sym (out s) t). destruct (t =? out s).
    - cbn [option_map snd]. unfold Kernel.tabulate. destruct (in_box (Kernel.dims s) i) eqn:I.
      + rewrite get_tabulate by exact I.
        exact (eval_fma_ext (S := K) OMul is_product is_addition sums fma is_nought minus_nought _ _ same (body s) i).
      + now apply get_outside.
    - exact (same t i).
  Qed.

  Lemma held_fma_run (p : list stmt) : forall ts st, (forall t i, held S ts t i = st t i) ->
    forall t i, held S (fma_run S fma p ts) t i = fma_of p st t i.
  Proof.
    induction p as [| s p IH]; intros ts st same t i; [apply same |].
    apply (IH (fma_step S fma ts s) (exec_f s st)). now apply held_fma_step.
  Qed.

  Lemma fma_run_good (p : list stmt) : forall ts, (forall t u, In (t, u) ts -> good u) ->
    forall t u, In (t, u) (fma_run S fma p ts) -> good u.
  Proof.
    induction p as [| s p IH]; intros ts G; [exact G |]. apply (IH (fma_step S fma ts s)).
    intros t u [E | I]; [| now apply (G t)]. injection E as <- <-. apply good_tabulate.
  Qed.

  (** The value of an operator in which a sum is fused is what its kernel stores, run on its inputs. *)
  Theorem op_value_fma_stored name l vs p ts d u :
    kernel_fused S in_lanes name l vs = Some (p, ts, d) -> output S d (fma_run S fma p (named S ts)) = Some u ->
    op_value_fma S fma in_lanes name l vs = Some (GTensor u) /\ Tensor.dims u = d /\
    forall i, exec_prog (op_fma S fma p) (formal_store (held S (named S ts))) (tY 0) i = Rounded (S := K) (get (s_zero S) u i).
  Proof.
    intros E O. split; [unfold op_value_fma; now rewrite E, O |].
    unfold output in O. destruct (look_up Nat.eqb _ (tY 0)) as [u' |] eqn:L; [| discriminate].
    destruct (all2 Nat.eqb d (Tensor.dims u')) eqn:D; [| discriminate]. injection O as ->.
    split; [symmetry; now apply all2_eqb |]. intros i. rewrite op_fma_value. f_equal.
    rewrite <- (held_fma_run p (named S ts) (held S (named S ts)) (fun _ _ => eq_refl)). unfold held at 1. now rewrite L.
  Qed.

  Lemma op_value_plain_same name l vs :
    (in_lanes = true -> any_order (S := K) sums OAdd same_sum) -> Forall Infer.good_value vs ->
    op_value_plain S in_lanes name l vs = op_value S name l vs.
  Proof. unfold op_value_plain. intros L G. destruct in_lanes; [| reflexivity]. apply op_value_lanes_same; auto. Qed.

  (** In lanes before or not, the kernel stores what it did. *)
  Lemma before_fma_same (p : list stmt) (st : store) i : (in_lanes = true -> any_order (S := K) sums OAdd same_sum) ->
    exec_prog (before_fma S in_lanes p) st (tY 0) i = exec_prog p st (tY 0) i.
  Proof.
    unfold before_fma. intros L. destruct in_lanes; [| reflexivity]. apply op_lanes_same; [now apply L | apply fresh_output].
  Qed.

  (** Where nothing is rounded, and sums may be added in any order if they are in lanes, it is the operator's value. *)
  Theorem op_value_fma_same name l vs : fma_laws S fma ->
    (in_lanes = true -> any_order (S := K) sums OAdd same_sum) -> Forall Infer.good_value vs ->
    op_value_fma S fma in_lanes name l vs = op_value S name l vs.
  Proof.
    intros laws L G. pose proof (op_value_plain_same name l vs L G) as plain.
    destruct (kernel_fused S in_lanes name l vs) as [[[q ts] d] |] eqn:E; [| unfold op_value_fma; now rewrite E].
    destruct (output S d (fma_run S fma q (named S ts))) as [u |] eqn:O; [| unfold op_value_fma; now rewrite E, O].
    destruct (op_value_fma_stored name l vs q ts d u E O) as (-> & D & C). symmetry.
    unfold kernel_fused in E. destruct (inputs vs) as [v |] eqn:I; [| discriminate].
    destruct (traverse (fun o : option tensor => o) v) as [ts' |] eqn:T; [| discriminate].
    destruct (op_infer name l (map (map_value Tensor.dims) vs)) as [[d' | |] |] eqn:Inf; try discriminate.
    destruct (op_kernel S name l (map Tensor.dims ts') d' (s_integer S) []) as [p |] eqn:P; [| discriminate].
    destruct (any_sum_fused S (before_fma S in_lanes p) && negb (String.eqb name "Gather")) eqn:A; [| discriminate].
    injection E as <- -> ->.
    apply andb_true_iff in A as [_ A]. apply negb_true_iff, String.eqb_neq in A.
    destruct (Infer.infer_complete S name l vs (GTensor d) G A Inf) as [w V].
    pose proof (Infer.infer_sound S name l vs w V) as Inf'. rewrite Inf in Inf'.
    destruct w as [t | |]; try discriminate. cbn [map_value] in Inf'. injection Inf' as Dt.
    pose proof (Infer.op_value_good S name l vs _ G V) as Gt. cbn in Gt. rewrite V. do 2 f_equal.
    assert (Ev : v = map Some ts).
    { clear - T. revert ts T. induction v as [| [x |] v IH]; intros ts T; cbn [traverse] in T; try discriminate;
        [now injection T as <- |].
      destruct (traverse (fun o : option tensor => o) v) as [ts' |]; [| discriminate]. injection T as <-. cbn [map].
      now rewrite (IH ts' eq_refl). }
    assert (V' : op_value S name l (map GTensor ts) = Some (GTensor t)).
    { rewrite <- V. unfold op_value. rewrite inputs_present, I, Ev. reflexivity. }
    assert (Gs : Forall good ts).
    { pose proof (Infer.inputs_good vs v G I) as Gv. rewrite Ev in Gv. clear - Gv. induction ts as [| x ts IH]; [constructor |].
      cbn [map] in Gv. inversion Gv; subst. constructor; [assumption | now apply IH]. }
    assert (Gu : good u).
    { unfold output in O. destruct (look_up Nat.eqb _ (tY 0)) as [u' |] eqn:Lu; [| discriminate].
      destruct (all2 Nat.eqb d (Tensor.dims u')); [| discriminate]. injection O as ->. apply look_up_In in Lu.
      apply (fma_run_good (before_fma S in_lanes p) (named S ts)) with (t := tY 0); [| exact Lu]. intros x y Ixy.
      apply in_combine_r in Ixy. rewrite Forall_forall in Gs. now apply Gs. }
    apply (tensor_ext (s_zero S)); [exact Gt | exact Gu | congruence |]. intros i Ii.
    specialize (C i). rewrite op_fma_same in C by exact laws. injection C as <-. rewrite before_fma_same by exact L.
    rewrite Dt in P.
    pose proof (OpCorrect.op_kernel_correct S name l ts (GTensor t) [] p (held S (named S ts)) V' P Gs) as R.
    symmetry. apply R; [| intros k x Ek; now apply held_inputs | exact Ii].
    intros N. now elim A.
  Qed.
End Proof.
