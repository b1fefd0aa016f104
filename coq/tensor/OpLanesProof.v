(** * Operators with their sums in lanes: their values *)

From Coq Require Import String Bool List Lia Arith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import kernel.Lanes kernel.LanesProof kernel.LanesSums.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.OpEval tensor.OpLanes.
From Calque Require tensor.Infer tensor.OpCorrect.
Import ListNotations.
Open Scope nat_scope.

(** ** Names *)

Lemma tT_inj j k : tT j = tT k -> j = k.
Proof. unfold tT. lia. Qed.

Lemma fresh_input n k : fresh tT n (tX k).
Proof. intros j _. apply x_not_t. Qed.

Lemma fresh_output n k : fresh tT n (tY k).
Proof. intros j _. apply y_not_t. Qed.

Lemma temporary_after_own j : temporary_after (tT j) = j + 1.
Proof.
  unfold temporary_after, tT. rewrite (Nat.add_comm (3 * j)), (Nat.mul_comm 3), Nat.mod_add, Nat.div_add by discriminate.
  reflexivity.
Qed.

Lemma all2_eqb d e : all2 Nat.eqb d e = true -> d = e.
Proof.
  revert e. induction d as [| m d IH]; intros [| n e] H; try discriminate; [reflexivity |].
  cbn [all2] in H. apply andb_true_iff in H as [H1 H2]. apply Nat.eqb_eq in H1. subst m. f_equal. now apply IH.
Qed.

Section Proof.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation stmt := (Kernel.stmt K).
  Notation store := (Kernel.store K).
  Notation tensor := (Tensor.tensor (num S)).

  Lemma fresh_in (p : list stmt) s u : In s p -> In u (out s :: loads (body s)) -> fresh tT (first_temporary S p) u.
  Proof.
    intros Is Iu j le ->. unfold first_temporary in le.
    assert (In (j + 1) (map temporary_after (flat_map (fun s => out s :: loads (body s)) p))) as I.
    { rewrite <- temporary_after_own. apply in_map, in_flat_map. eauto. }
    assert (list_max (map temporary_after (flat_map (fun s => out s :: loads (body s)) p)) <= j) as B by exact le.
    apply list_max_le, (proj1 (Forall_forall _ _)) with (x := j + 1) in B; [lia | exact I].
  Qed.

  Notation eval_l := (eval_lanes (S := K) sums OAdd same_sum).
  Notation exec_l := (exec_lanes (S := K) sums OAdd same_sum).
  Notation lanes_of := (exec_lanes_prog (S := K) sums OAdd same_sum).

  (** The kernel with its sums in lanes stores what the formula says. *)
  Theorem op_lanes_value (p : list stmt) (st : store) u i : fresh tT (first_temporary S p) u ->
    exec_prog (op_lanes S p) st u i = lanes_of p st u i.
  Proof.
    intros F. symmetry. apply (lanes_prog_value (S := K) sums OAdd same_sum tT tT_inj (first_temporary S p)); auto.
    - intros s v Is Iv. apply (fresh_in p s); [exact Is | now right].
    - intros v _ j. reflexivity.
  Qed.

  (** Where sums may be added in any order, that is what the kernel stores. *)
  Theorem op_lanes_same (p : list stmt) (st : store) u i :
    any_order (S := K) sums OAdd same_sum -> fresh tT (first_temporary S p) u ->
    exec_prog (op_lanes S p) st u i = exec_prog p st u i.
  Proof.
    intros L F. apply (lanes_prog_same (S := K) sums OAdd same_sum tT L); auto using tT_inj.
    intros s v Is Iv. apply (fresh_in p s); [exact Is | now right].
  Qed.

  (** ** Values *)

  Lemma added_ext r ns (f g : list Z -> num S) : (forall k, f k = g k) -> added (S := K) r ns f = added r ns g.
  Proof. intros E. unfold added. apply fold_left_ext_in. intros a k _. now rewrite E. Qed.

  Lemma eval_lanes_ext d (st st' : store) i (e : ex K) : (forall u j, st u j = st' u j) ->
    eval_l d st i e = eval_l d st' i e.
  Proof.
    intros same. assert (E : forall rho (a : ex K), eval st rho a = eval st' rho a).
    { intros rho a. apply eval_frame. intros u _ j. apply same. }
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; try apply E.
    - cbn [eval_lanes]. now rewrite IHa, IHb.
    - cbn [eval_lanes]. f_equal. apply map_ext_in. intros a I. rewrite Forall_forall in IH. now apply IH.
    - cbn [eval_lanes]. destruct (taken (S := K) sums d r ns e); [| apply E]. unfold added_in_lanes.
      destruct (last ns 0 mod lanes =? 0); [| f_equal]; apply added_ext; intros k; try apply E;
        apply added_ext; intros q; apply E.
  Qed.

  Lemma held_step ts (s : stmt) (st : store) : (forall t i, held S ts t i = st t i) ->
    forall t i, held S (lanes_step S ts s) t i = exec_l s st t i.
  Proof.
    intros same t i. unfold held, lanes_step, exec_lanes, upd, look_up. cbn [find fst].
    rewrite (Nat.eqb_sym (out s) t). destruct (t =? out s).
    - cbn [option_map snd]. unfold Kernel.tabulate. destruct (in_box (Kernel.dims s) i) eqn:I.
      + rewrite get_tabulate by exact I. now apply eval_lanes_ext.
      + now apply get_outside.
    - exact (same t i).
  Qed.

  Lemma held_run (p : list stmt) : forall ts st, (forall t i, held S ts t i = st t i) ->
    forall t i, held S (lanes_run S p ts) t i = lanes_of p st t i.
  Proof.
    induction p as [| s p IH]; intros ts st same t i; [apply same |].
    apply (IH (lanes_step S ts s) (exec_l s st)). now apply held_step.
  Qed.

  Lemma run_good (p : list stmt) : forall ts, (forall t u, In (t, u) ts -> good u) ->
    forall t u, In (t, u) (lanes_run S p ts) -> good u.
  Proof.
    induction p as [| s p IH]; intros ts G; [exact G |]. apply (IH (lanes_step S ts s)).
    intros t u [E | I]; [| now apply (G t)]. injection E as <- <-. apply good_tabulate.
  Qed.

  Lemma held_inputs (ts : list tensor) k t : nth_error ts k = Some t ->
    forall i, held S (named S ts) (tX k) i = get (s_zero S) t i.
  Proof.
    intros E i. unfold held, named. replace (look_up Nat.eqb _ (tX k)) with (Some t); [reflexivity |]. symmetry.
    enough (G : forall n, k < n + length ts -> n <= k -> nth_error ts (k - n) = Some t ->
      look_up Nat.eqb (combine (map tX (seq n (length ts))) ts) (tX k) = Some t).
    { apply G; [apply nth_error_bound in E; lia | lia | now rewrite Nat.sub_0_r]. }
    clear E. induction ts as [| u ts IH]; intros n lt le E; [now destruct (k - n) |].
    cbn [length seq map combine]. unfold look_up. cbn [find fst]. unfold tX at 1 2.
    destruct (Nat.eqb_spec (3 * n) (3 * k)) as [Enk | ne].
    - assert (k = n) by lia. subst k. rewrite Nat.sub_diag in E. cbn in E. now injection E as ->.
    - apply (IH (Datatypes.S n)); [cbn [length] in lt; lia | lia |].
      replace (k - n) with (Datatypes.S (k - Datatypes.S n)) in E by lia. exact E.
  Qed.

  Lemma look_up_In {V} (l : list (tid * V)) t u : look_up Nat.eqb l t = Some u -> In (t, u) l.
  Proof.
    unfold look_up. destruct (find (fun b => fst b =? t) l) as [[t' u'] |] eqn:F; [| discriminate]. intros E. injection E as <-.
    apply find_some in F as [I E]. apply Nat.eqb_eq in E. cbn in E. now subst t'.
  Qed.

  (** The value of an operator in which a sum is taken is what its kernel stores, run on its inputs. *)
  Theorem op_value_lanes_stored name l vs p ts d u :
    kernel_in_lanes S name l vs = Some (p, ts, d) -> output S d (lanes_run S p (named S ts)) = Some u ->
    op_value_lanes S name l vs = Some (GTensor u) /\ Tensor.dims u = d /\
    forall i, get (s_zero S) u i = exec_prog (op_lanes S p) (held S (named S ts)) (tY 0) i.
  Proof.
    intros E O. split; [unfold op_value_lanes; now rewrite E, O |].
    unfold output in O. destruct (look_up Nat.eqb _ (tY 0)) as [u' |] eqn:L; [| discriminate].
    destruct (all2 Nat.eqb d (Tensor.dims u')) eqn:D; [| discriminate]. injection O as ->.
    split; [symmetry; now apply all2_eqb |]. intros i.
    rewrite op_lanes_value by apply fresh_output.
    rewrite <- (held_run p (named S ts) (held S (named S ts)) (fun _ _ => eq_refl)). unfold held at 1. now rewrite L.
  Qed.

  (** Where sums may be added in any order, the value is the operator's. *)
  Theorem op_value_lanes_same name l vs :
    any_order (S := K) sums OAdd same_sum -> Forall Infer.good_value vs ->
    op_value_lanes S name l vs = op_value S name l vs.
  Proof.
    intros L G. destruct (kernel_in_lanes S name l vs) as [[[p ts] d] |] eqn:E; [| unfold op_value_lanes; now rewrite E].
    destruct (output S d (lanes_run S p (named S ts))) as [u |] eqn:O; [| unfold op_value_lanes; now rewrite E, O].
    destruct (op_value_lanes_stored name l vs p ts d u E O) as (-> & D & C). symmetry.
    unfold kernel_in_lanes in E. destruct (inputs vs) as [v |] eqn:I; [| discriminate].
    destruct (traverse (fun o : option tensor => o) v) as [ts' |] eqn:T; [| discriminate].
    destruct (op_infer name l (map (map_value Tensor.dims) vs)) as [[d' | |] |] eqn:Inf; try discriminate.
    destruct (op_kernel S name l (map Tensor.dims ts') d' (s_integer S) []) as [p' |] eqn:P; [| discriminate].
    destruct (any_taken S p' && negb (String.eqb name "Gather")) eqn:A; [| discriminate]. injection E as -> -> ->.
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
      apply (run_good p (named S ts)) with (t := tY 0); [| exact Lu]. intros x y Ixy. apply in_combine_r in Ixy.
      rewrite Forall_forall in Gs. now apply Gs. }
    apply (tensor_ext (s_zero S)); [exact Gt | exact Gu | congruence |]. intros i Ii.
    rewrite C, op_lanes_same by (auto; apply fresh_output). rewrite Dt in P.
    pose proof (OpCorrect.op_kernel_correct S name l ts (GTensor t) [] p (held S (named S ts)) V' P Gs) as R.
    symmetry. apply R; [| intros k x Ek; now apply held_inputs | exact Ii].
    intros N. now elim A.
  Qed.
End Proof.
