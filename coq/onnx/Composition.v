(** * ONNX operators that are made of others

    Some operators of ONNX are read as several of [OpTable.operators] (c/onnx/expand.def).  Such a composition is a
    program that adds one value after the other: constants, and operators of values that are there.  The files beside
    this one define each of them, and prove that it computes ONNX's formula.  Every operator of a composition has a
    kernel that is proved ([OpCorrect.op_kernel_correct], [OpSafeAll.op_kernel_safe]), and sizes by [OpTable.op_infer]. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel.
From Calque Require tensor.Infer tensor.OpCorrect tensor.OpSafeAll tensor.OpEval.
From Calque Require Import model.Operator.
Import ListNotations.
Open Scope nat_scope.

(** Numbers of values that are there; inputs come first. *)
Inductive step :=
  | Constant (type : Z) (ds : sizes) (l : list literal)   (** cells of the element type with this ONNX code *)
  | Apply (name : string) (attrs : attributes) (args : list nat)
  | Field (k : nat) (arg : nat)                           (** one of several results *)
  | Absent.                                               (** an optional input that is not there *)

(** What becomes of the number of the value that a step adds. *)
Inductive build (R : Type) : Type :=
  | Return (r : R)
  | Step (s : step) (next : nat -> build R).
Arguments Return {R}.
Arguments Step {R}.

Fixpoint bind {A B} (b : build A) (f : A -> build B) : build B :=
  match b with
  | Return r => f r
  | Step s next => Step s (fun k => bind (next k) f)
  end.

Notation "x <- a ;; b" := (bind a (fun x => b)) (at level 100, a at next level, right associativity).

Definition apply (name : string) (attrs : attributes) (args : list nat) : build nat := Step (Apply name attrs args) Return.
Definition constant (type : Z) (ds : sizes) (l : list literal) : build nat := Step (Constant type ds l) Return.
Definition field (k arg : nat) : build nat := Step (Field k arg) Return.
Definition absent : build nat := Step Absent Return.

(** The steps in their order, the first value being number [n]. *)
Fixpoint steps {R} (n : nat) (b : build R) : list step * R :=
  match b with
  | Return r => ([], r)
  | Step s next => let (l, r) := steps (S n) (next n) in (s :: l, r)
  end.

(** ONNX's codes of element types. *)
Definition f32_code : Z := 1.
Definition u8_code : Z := 2.
Definition i8_code : Z := 3.
Definition i32_code : Z := 6.
Definition i64_code : Z := 7.
Definition bool_code : Z := 9.
Definition f64_code : Z := 11.

Section Sizes.
  (** Inference, step by step. *)
  Definition step_sizes (vs : list (gvalue sizes)) (s : step) : option (gvalue sizes) :=
    match s with
    | Constant _ ds l => guard (cell_count ds =? List.length l) (Some (GTensor ds))
    | Apply name attrs args => let? us := traverse (nth_error vs) args in op_infer name attrs us
    | Field k arg => match nth_error vs arg with Some (GTuple ts) => option_map GTensor (nth_error ts k) | _ => None end
    | Absent => Some GAbsent
    end.

  Fixpoint build_sizes {R} (vs : list (gvalue sizes)) (b : build R) : option (list (gvalue sizes) * R) :=
    match b with
    | Return r => Some (vs, r)
    | Step s next => let? v := step_sizes vs s in build_sizes (vs ++ [v]) (next (List.length vs))
    end.
End Sizes.

Section Values.
  Variable S : arith.
  (** A number of an element type. *)
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation values := (list (gvalue tensor)).

  Definition step_value (vs : values) (s : step) : option (gvalue tensor) :=
    match s with
    | Constant type ds l => guard (cell_count ds =? List.length l) (Some (GTensor (Tensor ds (map (typed type) l))))
    | Apply name attrs args => let? us := traverse (nth_error vs) args in op_value S name attrs us
    | Field k arg => match nth_error vs arg with Some (GTuple ts) => option_map GTensor (nth_error ts k) | _ => None end
    | Absent => Some GAbsent
    end.

  Fixpoint build_value {R} (vs : values) (b : build R) : option (values * R) :=
    match b with
    | Return r => Some (vs, r)
    | Step s next => let? v := step_value vs s in build_value (vs ++ [v]) (next (List.length vs))
    end.

  (** The tensors that a composition makes of these. *)
  Definition composed (b : build nat) (ts : list tensor) : option tensor :=
    let? (vs, k) := build_value (map GTensor ts) b in
    match nth_error vs k with Some (GTensor t) => Some t | _ => None end.

  Definition composed_all (b : build (list nat)) (ts : list tensor) : option (list tensor) :=
    let? (vs, ks) := build_value (map GTensor ts) b in
    traverse (fun k => match nth_error vs k with Some (GTensor t) => Some t | _ => None end) ks.

  (** ** How to reason about them *)

  Definition knows (vs : values) (k : nat) (v : gvalue tensor) : Prop := nth_error vs k = Some v.
  Definition extends (vs ws : values) : Prop := exists more, ws = vs ++ more.

  (** [b] has a result, of which [P] holds where its values are there, too. *)
  Definition runs {R} (vs : values) (b : build R) (P : values -> R -> Prop) : Prop :=
    exists ws r, build_value vs b = Some (ws, r) /\ extends vs ws /\ P ws r.

  Lemma extends_refl vs : extends vs vs.
  Proof. exists []. now rewrite app_nil_r. Qed.

  Lemma extends_trans us vs ws : extends us vs -> extends vs ws -> extends us ws.
  Proof. intros [a ->] [b ->]. exists (a ++ b). now rewrite app_assoc. Qed.

  Lemma extends_one vs v : extends vs (vs ++ [v]).
  Proof. now exists [v]. Qed.

  Lemma knows_extends vs ws k v : knows vs k v -> extends vs ws -> knows ws k v.
  Proof.
    unfold knows. intros K [m ->]. rewrite nth_error_app1; [exact K |]. apply nth_error_Some. now rewrite K.
  Qed.

  Lemma knows_last vs v : knows (vs ++ [v]) (List.length vs) v.
  Proof. unfold knows. rewrite nth_error_app2 by lia. now rewrite Nat.sub_diag. Qed.

  Lemma knows_all vs args us : Forall2 (knows vs) args us -> traverse (nth_error vs) args = Some us.
  Proof.
    intros H. induction H as [| k u args us E _ IH]; [reflexivity |].
    cbn [traverse]. unfold knows in E. rewrite E, IH. reflexivity.
  Qed.

  Lemma all_extends vs ws args us : Forall2 (knows vs) args us -> extends vs ws -> Forall2 (knows ws) args us.
  Proof. intros H E. induction H; constructor; eauto using knows_extends. Qed.

  Lemma runs_return {R} vs (r : R) (P : values -> R -> Prop) : P vs r -> runs vs (Return r) P.
  Proof. intros H. exists vs, r. auto using extends_refl. Qed.

  Lemma runs_step {R} vs s v (next : nat -> build R) (P : values -> R -> Prop) : step_value vs s = Some v ->
    (forall ws k, extends vs ws -> knows ws k v -> runs ws (next k) P) -> runs vs (Step s next) P.
  Proof.
    intros E H. destruct (H (vs ++ [v]) (List.length vs) (extends_one vs v) (knows_last vs v)) as (ws & r & B & X & K).
    exists ws, r. split; [| split; [| exact K]].
    - cbn [build_value]. now rewrite E.
    - eapply extends_trans; [apply extends_one | exact X].
  Qed.

  Lemma build_value_bind {A B} vs (b : build A) (f : A -> build B) :
    build_value vs (bind b f) = let? (ws, r) := build_value vs b in build_value ws (f r).
  Proof.
    revert vs. induction b as [r | s next IH]; intros vs; cbn [bind build_value]; [reflexivity |].
    destruct (step_value vs s) as [v |]; [apply IH | reflexivity].
  Qed.

  Lemma runs_bind {A B} vs (b : build A) (f : A -> build B) (Q : values -> A -> Prop) (P : values -> B -> Prop) : runs vs b Q ->
    (forall ws r, extends vs ws -> Q ws r -> runs ws (f r) P) -> runs vs (bind b f) P.
  Proof.
    intros (ws & r & E & X & K) H. destruct (H ws r X K) as (us & q & F & Y & L).
    exists us, q. split; [| split; [eapply extends_trans; eauto | exact L]]. rewrite build_value_bind, E. exact F.
  Qed.

  Lemma runs_weaken {R} vs (b : build R) (P Q : values -> R -> Prop) :
    runs vs b P -> (forall ws r, extends vs ws -> P ws r -> Q ws r) -> runs vs b Q.
  Proof. intros (ws & r & E & X & K) H. exists ws, r. auto. Qed.

  (** An operator of known values. *)
  Lemma runs_apply vs name attrs args us v : Forall2 (knows vs) args us -> op_value S name attrs us = Some v ->
    runs vs (apply name attrs args) (fun ws k => knows ws k v).
  Proof.
    intros K E. eapply runs_step; [cbn [step_value]; rewrite (knows_all _ _ _ K); exact E |].
    intros ws k _ L. now apply runs_return.
  Qed.

  Lemma runs_constant vs type ds l : cell_count ds = List.length l ->
    runs vs (constant type ds l) (fun ws k => knows ws k (GTensor (Tensor ds (map (typed type) l)))).
  Proof.
    intros E. eapply runs_step; [cbn [step_value]; rewrite E, Nat.eqb_refl; reflexivity |].
    intros ws k _ L. now apply runs_return.
  Qed.

  Lemma runs_field vs k arg ts t : knows vs arg (GTuple ts) -> nth_error ts k = Some t ->
    runs vs (field k arg) (fun ws j => knows ws j (GTensor t)).
  Proof.
    intros K E. eapply runs_step; [cbn [step_value]; rewrite K, E; reflexivity |].
    intros ws j _ L. now apply runs_return.
  Qed.

  Lemma knows_inputs ts k t : nth_error ts k = Some t -> knows (map GTensor ts) k (GTensor t).
  Proof. unfold knows. intros E. now rewrite nth_error_map, E. Qed.

  Lemma runs_composed b ts t : runs (map GTensor ts) b (fun ws k => knows ws k (GTensor t)) -> composed b ts = Some t.
  Proof. intros (ws & k & E & _ & K). unfold composed. rewrite E. unfold knows in K. now rewrite K. Qed.

  Lemma runs_composed_all b ts us :
    runs (map GTensor ts) b (fun ws ks => Forall2 (fun k u => knows ws k (GTensor u)) ks us) ->
    composed_all b ts = Some us.
  Proof.
    intros (ws & ks & E & _ & K). unfold composed_all. rewrite E. clear E.
    induction K as [| k u ks us E _ IH]; [reflexivity |]. cbn [traverse]. unfold knows in E. now rewrite E, IH.
  Qed.

  (** ** Inference *)

  Lemma traverse_sizes (vs : values) args :
    traverse (nth_error (map (map_value dims) vs)) args = option_map (map (map_value dims)) (traverse (nth_error vs) args).
  Proof.
    induction args as [| a args IH]; [reflexivity |]. cbn [traverse]. rewrite IH, nth_error_map.
    destruct (nth_error vs a), (traverse (nth_error vs) args); reflexivity.
  Qed.

  Lemma step_sizes_sound vs s v : step_value vs s = Some v -> step_sizes (map (map_value dims) vs) s = Some (map_value dims v).
  Proof.
    destruct s as [type ds l | name attrs args | k arg |]; cbn [step_value step_sizes].
    - unfold guard. destruct (cell_count ds =? List.length l); [| discriminate]. intros E. now injection E as <-.
    - rewrite traverse_sizes. destruct (traverse (nth_error vs) args) as [us |]; [| discriminate]. apply Infer.infer_sound.
    - rewrite nth_error_map. destruct (nth_error vs arg) as [[| ts |] |]; try discriminate. cbn [option_map map_value].
      rewrite nth_error_map. destruct (nth_error ts k); [| discriminate]. cbn. intros E. now injection E as <-.
    - intros E. now injection E as <-.
  Qed.

  (** The sizes that are inferred are those of the values. *)
  Theorem composition_infer_sound {R} vs (b : build R) ws r : build_value vs b = Some (ws, r) ->
    build_sizes (map (map_value dims) vs) b = Some (map (map_value dims) ws, r).
  Proof.
    revert vs. induction b as [q | s next IH]; intros vs; cbn [build_value build_sizes].
    - intros E. now injection E as <- <-.
    - destruct (step_value vs s) as [v |] eqn:E; [| discriminate]. intros B.
      rewrite (step_sizes_sound _ _ _ E), map_length. specialize (IH (List.length vs) (vs ++ [v]) B). now rewrite map_app in IH.
  Qed.

  Lemma nth_good vs k v : Forall (@Infer.good_value (num S)) vs -> nth_error vs k = Some v -> Infer.good_value v.
  Proof. intros G E. exact (proj1 (Forall_forall _ _) G _ (nth_error_In _ _ E)). Qed.

  Lemma traverse_good (vs : values) args : Forall Infer.good_value vs ->
    forall us, traverse (nth_error vs) args = Some us -> Forall Infer.good_value us.
  Proof.
    intros G. induction args as [| a args IH]; intros us E; cbn [traverse] in E; [injection E as <-; constructor |].
    destruct (nth_error vs a) as [v |] eqn:A; [| discriminate].
    destruct (traverse (nth_error vs) args) as [l |]; [| discriminate]. injection E as <-.
    constructor; [exact (nth_good _ _ _ G A) | now apply IH].
  Qed.

  Lemma step_good vs s v : Forall Infer.good_value vs -> step_value vs s = Some v -> Infer.good_value v.
  Proof.
    intros G. destruct s as [type ds l | name attrs args | k arg |]; cbn [step_value].
    - unfold guard. destruct (Nat.eqb_spec (cell_count ds) (List.length l)) as [L |]; [| discriminate].
      intros E. injection E as <-. unfold Infer.good_value, good. cbn [cells dims]. now rewrite map_length.
    - destruct (traverse (nth_error vs) args) as [us |] eqn:T; [| discriminate].
      apply Infer.op_value_good. exact (traverse_good vs args G us T).
    - destruct (nth_error vs arg) as [[| ts |] |] eqn:A; try discriminate. pose proof (nth_good _ _ _ G A) as T.
      destruct (nth_error ts k) eqn:K; [| discriminate]. intros E. injection E as <-.
      exact (proj1 (Forall_forall _ _) T _ (nth_error_In _ _ K)).
    - intros E. now injection E as <-.
  Qed.

  (** The value of a Gather depends on its indices, not on sizes alone. *)
  Definition by_sizes (s : step) : Prop := match s with Apply name _ _ => name <> "Gather"%string | _ => True end.

  Lemma step_sizes_complete vs s w : Forall Infer.good_value vs -> by_sizes s ->
    step_sizes (map (map_value dims) vs) s = Some w -> exists v, step_value vs s = Some v /\ w = map_value dims v.
  Proof.
    intros G B E. assert (exists v, step_value vs s = Some v) as [v V].
    { revert E. destruct s as [type ds l | name attrs args | k arg |]; cbn [step_value step_sizes].
      - unfold guard. destruct (cell_count ds =? List.length l); [intros _; eexists; reflexivity | discriminate].
      - rewrite traverse_sizes. destruct (traverse (nth_error vs) args) as [us |] eqn:T; [| discriminate]. cbn [option_map].
        intros E. exact (Infer.infer_complete S name attrs us w (traverse_good vs args G us T) B E).
      - rewrite nth_error_map. destruct (nth_error vs arg) as [[| ts |] |]; try discriminate. cbn [option_map map_value].
        rewrite nth_error_map. destruct (nth_error ts k); [intros _; eexists; reflexivity | discriminate].
      - eauto. }
    exists v. split; [exact V |]. apply step_sizes_sound in V. congruence.
  Qed.

  (** A composition whose sizes are inferred has a value. *)
  Theorem composition_infer_complete {R} vs (b : build R) ss r : Forall Infer.good_value vs ->
    Forall by_sizes (fst (steps (List.length vs) b)) -> build_sizes (map (map_value dims) vs) b = Some (ss, r) ->
    exists ws, build_value vs b = Some (ws, r) /\ ss = map (map_value dims) ws.
  Proof.
    revert vs. induction b as [q | s next IH]; intros vs G B E; cbn [build_value build_sizes steps] in *.
    - injection E as <- <-. now exists vs.
    - destruct (step_sizes (map (map_value dims) vs) s) as [w |] eqn:W; [| discriminate].
      destruct (steps (Datatypes.S (List.length vs)) (next (List.length vs))) as [l q] eqn:L. cbn [fst] in B.
      inversion B as [| ? ? Bs Bl]; subst. destruct (step_sizes_complete vs s w G Bs W) as (v & V & ->). rewrite V.
      rewrite map_length in E. apply (IH (List.length vs) (vs ++ [v])).
      + apply Forall_app. split; [exact G |]. constructor; [exact (step_good _ _ _ G V) | constructor].
      + rewrite app_length, Nat.add_1_r, L. exact Bl.
      + rewrite map_app. exact E.
  Qed.

  (** ** Kernels *)

  Lemma build_value_extends {R} vs (b : build R) ws r : build_value vs b = Some (ws, r) -> extends vs ws.
  Proof.
    revert vs. induction b as [q | s next IH]; intros vs; cbn [build_value].
    - intros E. injection E as <- _. apply extends_refl.
    - destruct (step_value vs s) as [v |]; [| discriminate]. intros B. eapply extends_trans; [apply extends_one |].
      exact (IH _ _ B).
  Qed.

  Lemma traverse_extends vs ws args us : extends vs ws -> traverse (nth_error vs) args = Some us ->
    traverse (nth_error ws) args = Some us.
  Proof.
    intros X. revert us. induction args as [| a args IH]; intros us E; cbn [traverse] in E |- *; [exact E |].
    destruct (nth_error vs a) as [u |] eqn:A; [| discriminate].
    destruct (traverse (nth_error vs) args) as [l |]; [| discriminate].
    pose proof (knows_extends vs ws a u A X) as K. unfold knows in K. now rewrite K, (IH l eq_refl).
  Qed.

  (** What a step adds is the value of its operator on values before it. *)
  Lemma build_steps {R} vs (b : build R) ws r : build_value vs b = Some (ws, r) ->
    forall j name attrs args, nth_error (fst (steps (List.length vs) b)) j = Some (Apply name attrs args) ->
    exists us v, traverse (nth_error ws) args = Some us /\ op_value S name attrs us = Some v /\
      nth_error ws (List.length vs + j) = Some v.
  Proof.
    revert vs. induction b as [q | s next IH]; intros vs B j name attrs args N; cbn [steps build_value] in *.
    - now destruct j.
    - destruct (step_value vs s) as [v |] eqn:E; [| discriminate].
      pose proof (build_value_extends _ _ _ _ B) as X.
      specialize (IH (List.length vs) (vs ++ [v]) B).
      replace (List.length (vs ++ [v])) with (Datatypes.S (List.length vs)) in IH by (rewrite app_length; simpl; lia).
      destruct (steps (Datatypes.S (List.length vs)) (next (List.length vs))) as [l q]. cbn [fst] in *.
      destruct j as [| j].
      + injection N as ->. cbn [step_value] in E. destruct (traverse (nth_error vs) args) as [us |] eqn:T; [| discriminate].
        exists us, v. split; [| split; [exact E |]].
        * eapply traverse_extends; [| exact T]. eapply extends_trans; [apply extends_one | exact X].
        * rewrite Nat.add_0_r. exact (knows_extends _ _ _ _ (knows_last vs v) X).
      + destruct (IH j name attrs args N) as (us & w & T & V & A). exists us, w.
        replace (List.length vs + Datatypes.S j) with (Datatypes.S (List.length vs) + j) by lia. auto.
  Qed.

  (** Each operator of a composition has the value that its kernel computes, and the kernel stays inside of its tensors. *)
  Theorem composition_kernels {R} vs (b : build R) ws r : build_value vs b = Some (ws, r) ->
    forall j name attrs args ts index p, nth_error (fst (steps (List.length vs) b)) j = Some (Apply name attrs args) ->
    traverse (nth_error ws) args = Some (map GTensor ts) -> Forall good ts -> OpCorrect.given S name ts index ->
    forall v, nth_error ws (List.length vs + j) = Some v ->
    op_kernel S name attrs (map dims ts) (OpCorrect.result_dims S v) (s_integer S) index = Some p ->
    (match v with
     | GTensor t => forall i, in_box (dims t) i = true -> exec_prog p (given_store ts) (tY 0) i = get (s_zero S) t i
     | GTuple us => forall k t, nth_error us k = Some t ->
         forall i, in_box (dims t) i = true -> exec_prog p (given_store ts) (tY k) i = get (s_zero S) t i
     | GAbsent => False
     end) /\
    forall shapes, (forall k t, nth_error ts k = Some t -> shapes (tX k) = dims t) ->
      (forall s, In s p -> shapes (out s) = Kernel.dims s) ->
      forall s t, In s p -> in_bounds_stmt t (shapes t) s.
  Proof.
    intros B j name attrs args ts index p N T G Gi v V P.
    destruct (build_steps vs b ws r B j name attrs args N) as (us & w & T' & E & A).
    rewrite T in T'. injection T' as <-. rewrite V in A. injection A as <-.
    assert (H : OpEval.holds S (given_store ts) ts) by (intros k t Et i; now rewrite (given_at S ts k t Et)).
    split.
    - pose proof (OpCorrect.op_kernel_correct S name attrs ts v index p (given_store ts) E P G Gi H) as C.
      destruct v as [t | us |]; exact C.
    - intros shapes I O s t Is i Ii.
      exact (OpSafeAll.op_kernel_safe S shapes name attrs ts v index p E P G Gi I O s Is i Ii t).
  Qed.
End Values.
