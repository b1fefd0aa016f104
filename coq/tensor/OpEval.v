(** * Evaluation of the parts of operators' kernels *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpIndex tensor.OpIndexProof tensor.OpKernel.
Import ListNotations.
Open Scope Z_scope.

(** ** Indices *)

Section Indices.
  Variable rho : list Z.
  Notation all_see := (all_see rho).

  Lemma all_see_marked m l i : all_see l i -> all_see (marked m l) (marked m i).
  Proof.
    unfold OpIndexProof.all_see. intros H. revert m.
    induction H as [| a z l i a_ _ IH]; intros [| [] m]; cbn [marked]; auto.
  Qed.

  Lemma all_see_unmarked m l i : all_see l i -> all_see (unmarked m l) (unmarked m i).
  Proof. apply all_see_marked. Qed.

  Lemma all_see_weave m : forall a b x y, all_see a x -> all_see b y -> all_see (weave_ix m a b) (weave m x y).
  Proof.
    unfold OpIndexProof.all_see. induction m as [| [] m IH]; intros a b x y H K; cbn [weave_ix weave].
    - constructor.
    - destruct H; auto.
    - destruct K; auto.
  Qed.

  Lemma all_see_clip s : forall d l i, all_see l i -> all_see (clip_ix s d l) (clip s d i).
  Proof.
    unfold OpIndexProof.all_see. induction s as [| m s IH]; intros [| n d] l i H; cbn [clip_ix clip]; auto.
    destruct H as [| a z l i A H]; [constructor |]. constructor; [| now apply IH].
    destruct (m =? n)%nat; [exact A | apply sees_const].
  Qed.

  Lemma all_see_spread s d l i : all_see l i -> all_see (spread_ix s d l) (spread s d i).
  Proof. intros H. unfold spread_ix, spread. apply all_see_clip. now apply all_see_skipn. Qed.

  Lemma all_see_set k a z l i : sees rho a z -> all_see l i -> all_see (set_nth k a l) (set_nth k z i).
  Proof.
    unfold OpIndexProof.all_see. intros A H. revert k.
    induction H as [| b y l i B H IH]; intros [| k]; cbn [set_nth]; auto using Forall2_cons.
  Qed.

  Lemma all_see_window ss ds ps : forall y u x v,
    all_see y x -> all_see u v -> all_see (window_ix ss ds ps y u) (window_at ss ds ps x v).
  Proof.
    unfold OpIndexProof.all_see. revert ds ps.
    induction ss as [| s ss IH]; intros [| d ds] [| p ps] y u x v H K; cbn [window_ix window_at];
      try constructor.
    destruct H as [| a z y x A H], K as [| b w u v B K]; try constructor; [| now apply IH].
    apply (sees_plus _ _ _ (z * Z.of_nat s + w * Z.of_nat d)). apply sees_add; now apply sees_mul.
  Qed.

  Lemma all_see_map {B} (f : B -> ixs) (g : B -> Z) l :
    (forall b, In b l -> sees rho (f b) (g b)) -> all_see (map f l) (map g l).
  Proof.
    unfold OpIndexProof.all_see.
    induction l as [| b l IH]; intros H; cbn [map]; constructor; [apply H; now left |].
    apply IH. intros c inc. apply H. now right.
  Qed.

  (** Guards say that the index is inside. *)
  Lemma guards_spec d : forall l j, all_see l j -> length l = length d ->
    match guards l d with
    | None => in_box d j = false
    | Some cs => in_box d j = forallb (eval_cond rho) cs
    end.
  Proof.
    unfold OpIndexProof.all_see. induction d as [| n d IH]; intros l j H len; destruct H as [| a z l j A H];
      try discriminate; [reflexivity |].
    cbn [guards]. pose proof (sees_range _ _ _ A) as r.
    cbn [Kernel.in_box]. destruct ((ix_last a <? 0) || (Z.of_nat n <=? ix_first a)) eqn:N.
    - apply orb_true_iff in N. rewrite Z.ltb_lt, Z.leb_le in N.
      destruct (Z.leb_spec 0 z), (Z.ltb_spec z (Z.of_nat n)); try reflexivity. lia.
    - apply orb_false_iff in N. rewrite Z.ltb_ge, Z.leb_gt in N.
      injection len as len. specialize (IH l j H len). destruct (guards l d) as [cs |].
      + rewrite IH, !forallb_app. rewrite <- (eval_sees _ _ _ A) at 1 2. rewrite andb_assoc. f_equal. f_equal.
        * destruct (Z.leb_spec 0 (ix_first a)); cbn [forallb eval_cond eval_cmp eval_ix].
          -- rewrite (eval_sees _ _ _ A). apply Z.leb_le. lia.
          -- now rewrite andb_true_r.
        * destruct (Z.ltb_spec (ix_last a) (Z.of_nat n)); cbn [forallb eval_cond eval_cmp eval_ix].
          -- rewrite (eval_sees _ _ _ A). apply Z.ltb_lt. lia.
          -- now rewrite andb_true_r.
      + rewrite IH. apply andb_false_r.
  Qed.
End Indices.

Lemma all_see_outer es d k i :
  length k = length (live es) -> in_box d i = true -> all_see (k ++ i) (outer es d) i.
Proof. intros len I. now apply all_see_numbered. Qed.

Lemma all_see_vars d i : in_box d i = true -> all_see i (numbered 0 d) i.
Proof. intros I. now apply (all_see_numbered 0 d i I []). Qed.

Lemma length_numbered v d : length (numbered v d) = length d.
Proof. revert v. induction d; intros v; simpl; auto. Qed.

(** ** Expressions *)

Section Eval.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation store := (Kernel.store K).

  Lemma eval_load (st : store) rho t l i : all_see rho l i -> eval st rho (load A t l) = st t i.
  Proof. intros H. cbn [load eval]. unfold load. cbn [eval]. now rewrite (all_see_eval _ _ _ H). Qed.

  Lemma eval_all_of rho cs : forall c, eval_cond rho (fold_left CAnd cs c) = eval_cond rho c && forallb (eval_cond rho) cs.
  Proof.
    induction cs as [| d cs IH]; intros c; cbn [fold_left forallb]; [now rewrite andb_true_r |].
    rewrite IH. cbn [eval_cond]. now rewrite andb_assoc.
  Qed.

  Lemma eval_select (st : store) rho cs a b :
    eval st rho (select A cs a b) = if forallb (eval_cond rho) cs then eval st rho a else eval st rho b.
  Proof.
    destruct cs as [| c cs]; [reflexivity |]. cbn [select eval]. unfold select. cbn [eval].
    rewrite eval_all_of. reflexivity.
  Qed.

  (** What is under a reduction, at each index [x] of its box. *)
  Definition under (st : store) (i : list Z) (es : sizes) (e : ex K) (f : list Z -> num) : Prop :=
    forall k x, in_box es x = true -> all_see (k ++ i) (bound 0 es) x -> length k = length (live es) ->
      eval st (k ++ i) e = f x.

  Lemma under_live st i es e f k :
    under st i es e f -> no_zero es = true -> in_box (live es) k = true ->
    eval st (k ++ i) e = f (widen es k).
  Proof.
    intros U nz I. apply U.
    - now apply widen_in_box.
    - exact (all_see_bound es 0 k [] i I eq_refl).
    - now apply in_box_length.
  Qed.

  Lemma eval_reduced r st i es e (f : list Z -> num) :
    no_zero es = true -> under st i es e f ->
    eval st i (reduced A r es e) =
    if Scalars.single es then f (map (fun _ => 0) es)
    else Tensor.reduce (red_step K r) (red_start K r) es f.
  Proof.
    intros nz U. unfold Scalars.single. rewrite (live_single es nz). unfold reduced.
    destruct (live es) as [| n ns] eqn:L.
    - rewrite <- (widen_nil es L). apply (under_live st i es e f []); auto. now rewrite L.
    - cbn [eval]. unfold Tensor.reduce. rewrite (box_live es nz), fold_left_map, L.
      apply fold_left_ext_in. intros a k I. f_equal. apply (under_live st i es e f k); auto.
      rewrite L. now apply in_box_box.
  Qed.

  Lemma eval_reduced_sum st i es e f :
    no_zero es = true -> under st i es e f -> eval st i (reduced A KSum es e) = s_sum A es f.
  Proof. intros nz U. now rewrite (eval_reduced KSum st i es e f nz U). Qed.

  Lemma eval_reduced_max st i es e f :
    no_zero es = true -> under st i es e f -> eval st i (reduced A KMax es e) = s_greatest A es f.
  Proof. intros nz U. now rewrite (eval_reduced KMax st i es e f nz U). Qed.

  Lemma no_zero_iff es : existsb (Nat.eqb 0) es = false <-> no_zero es = true.
  Proof.
    induction es as [| n es IH]; [easy |]. cbn [existsb]. unfold no_zero in *. cbn [forallb].
    rewrite orb_false_iff, andb_true_iff, IH. rewrite (Nat.eqb_sym n 0), negb_true_iff. reflexivity.
  Qed.

  Lemma zero_count es : existsb (Nat.eqb 0) es = true -> cell_count es = 0%nat /\ Scalars.single es = false.
  Proof.
    induction es as [| n es IH]; [discriminate |]. cbn [existsb]. unfold Scalars.single. cbn [forallb].
    intros H. apply orb_true_iff in H. destruct H as [Z | H].
    - apply Nat.eqb_eq in Z. subst n. split; reflexivity.
    - destruct (IH H) as [C E]. split; [simpl; lia |]. unfold Scalars.single in E. rewrite E.
      apply andb_false_r.
  Qed.

  Lemma eval_sum_or_zero st i es e f :
    under st i es e f -> eval st i (sum_or_zero A es e) = s_sum A es f.
  Proof.
    intros U. unfold sum_or_zero. destruct (existsb (Nat.eqb 0) es) eqn:Z.
    - destruct (zero_count es Z) as [C E]. unfold s_sum. rewrite E, (reduce_zero _ _ es f C). reflexivity.
    - apply no_zero_iff in Z. now apply eval_reduced_sum.
  Qed.

  Lemma in_box_no_zero d i : in_box d i = true -> no_zero d = true.
  Proof.
    revert i. induction d as [| n d IH]; intros [| z i] I; try discriminate; [reflexivity |].
    apply in_box_cons in I. destruct I as [b I]. unfold no_zero in *. cbn [forallb].
    rewrite andb_true_iff, negb_true_iff.
    rewrite Nat.eqb_neq. split; [lia | now apply (IH i)].
  Qed.

  Lemma no_zero_marked m d : no_zero d = true -> no_zero (marked m d) = true.
  Proof.
    unfold no_zero. revert d. induction m as [| b m IH]; intros [| n d] H; try reflexivity.
    cbn [forallb] in H. apply andb_true_iff in H. destruct H as [a H].
    destruct b; cbn [marked forallb]; [rewrite a |]; now apply IH.
  Qed.

  Lemma eval_over_n st rho n e : eval st rho (over_n A n e) = over_count A n (eval st rho e).
  Proof. unfold over_n, over_count. now destruct (n =? 1)%nat. Qed.

  (** ** Statements *)

  (** The store has the inputs, zero outside of their boxes. *)
  Definition holds (st : store) (ts : list (tensor num)) : Prop :=
    forall k t, nth_error ts k = Some t -> forall i, st (tX k) i = at_ A t i.

  (** Output [j] of the program is this tensor. *)
  Definition gives (p : prog K) (st : store) (j : nat) (t : tensor num) : Prop :=
    forall i, in_box (dims t) i = true -> exec_prog p st (tY j) i = at_ A t i.

  Lemma exec_store (st : store) t d e u :
    exec_prog [stored A t d e] st u = if (u =? t)%nat then Kernel.tabulate d (fun i => eval st i e) else st u.
  Proof. reflexivity. Qed.

  Lemma tabulate_in d (f : list Z -> num) i : in_box d i = true -> Kernel.tabulate (S := K) d f i = f i.
  Proof. intros I. unfold Kernel.tabulate. now rewrite I. Qed.

  Lemma exec_cons s p (st : store) : exec_prog (s :: p) st = exec_prog p (exec s st).
  Proof. reflexivity. Qed.

  (** What a statement stores, and what it leaves. *)
  Lemma exec_own (st : store) t d e i :
    in_box d i = true -> exec (stored A t d e) st t i = eval st i e.
  Proof.
    intros I. unfold exec. cbn [out Kernel.dims body stored]. rewrite upd_same. now apply tabulate_in.
  Qed.

  Lemma exec_other (st : store) t d e u : u <> t -> exec (stored A t d e) st u = st u.
  Proof. intros N. unfold exec. now rewrite upd_other. Qed.

  Lemma holds_exec (st : store) ts t d e :
    holds st ts -> (forall k, tX k <> t) -> holds (exec (stored A t d e) st) ts.
  Proof. intros H N k u at_k i. rewrite exec_other by apply N. now apply H. Qed.

  Lemma gives_one st ds f e :
    (forall i, in_box ds i = true -> eval st i e = f i) ->
    gives [stored A (tY 0) ds e] st 0 (Tensor.tabulate ds f).
  Proof.
    intros E i I. simpl in I. unfold at_. rewrite get_tabulate by exact I.
    rewrite exec_cons. cbn [exec_prog fold_left]. rewrite exec_own by exact I. now apply E.
  Qed.

  Lemma load_input st ts k t rho l i :
    holds st ts -> nth_error ts k = Some t -> all_see rho l i -> eval st rho (load A (tX k) l) = at_ A t i.
  Proof. intros H at_k L. rewrite (eval_load _ _ _ _ _ L). now apply H. Qed.

  Lemma eval_spread st ts ins k t out i :
    holds st ts -> nth_error ts k = Some t -> in_ ins k = dims t -> in_box out i = true ->
    eval st i (spread_in A ins out k) = spread_at A t out i.
  Proof.
    intros H at_k D I. unfold spread_in. rewrite D. apply (load_input st ts k t i); auto.
    apply all_see_spread. now apply all_see_vars.
  Qed.

  Lemma in_dims ts k t : nth_error ts k = Some t -> in_ (map (@dims num) ts) k = dims t.
  Proof. intros at_k. exact (nth_error_nth (map dims ts) k [] (map_nth_error dims k ts at_k)). Qed.

End Eval.

Lemma some_inj {T} (a b : T) : Some a = Some b -> b = a.
Proof. congruence. Qed.

(** The sizes of a table. *)
Ltac table_dims :=
  repeat match goal with
         | |- context [dims (Tensor.tabulate ?d ?f)] => change (dims (Tensor.tabulate d f)) with d
         | H : context [dims (Tensor.tabulate ?d ?f)] |- _ => change (dims (Tensor.tabulate d f)) with d in H
         end.

(** The tensors of a kernel are different ones. *)
Lemma x_not_t j k : tX k <> tT j.
Proof. unfold tX, tT. lia. Qed.
Lemma x_not_y j k : tX k <> tY j.
Proof. unfold tX, tY. lia. Qed.
Lemma y_not_t j k : tY k <> tT j.
Proof. unfold tY, tT. lia. Qed.
Lemma t_not_y j k : tT k <> tY j.
Proof. unfold tY, tT. lia. Qed.
Lemma t_inj j k : j <> k -> tT j <> tT k.
Proof. unfold tT. lia. Qed.
Lemma y_inj j k : j <> k -> tY j <> tY k.
Proof. unfold tY. lia. Qed.
