(** * Kernels: frame, substitution, inlining *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel.
Import ListNotations.
Open Scope Z_scope.

(** ** Boxes *)

Lemma in_box_box d : forall i, In i (box d) <-> in_box d i = true.
Proof.
  induction d as [| n d IH]; intros i; simpl.
  - destruct i; split; intros H; try discriminate; auto.
    destruct H as [H | []]; discriminate.
  - rewrite in_flat_map. split.
    + intros (k & ink & inm). apply in_seq in ink. apply in_map_iff in inm.
      destruct inm as (j & <- & inj). apply IH in inj. rewrite inj.
      rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. lia.
    + destruct i as [| k i]; [discriminate |].
      rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. intros [[lo hi] ini].
      exists (Z.to_nat k). split; [apply in_seq; lia |].
      apply in_map_iff. exists i. rewrite Z2Nat.id by lia. split; [reflexivity |].
      now apply IH.
Qed.

Lemma in_box_length d : forall i, in_box d i = true -> length i = length d.
Proof.
  induction d as [| n d IH]; intros [| k i] H; simpl in *; try discriminate; auto.
  rewrite !andb_true_iff in H. f_equal. now apply IH.
Qed.

Lemma box_length d i : In i (box d) -> length i = length d.
Proof. intros H. now apply in_box_length, in_box_box. Qed.

Lemma in_box_app d e i j :
  length i = length d -> in_box (d ++ e) (i ++ j) = in_box d i && in_box e j.
Proof.
  revert i. induction d as [| n d IH]; intros [| k i] len; simpl in *; try discriminate.
  - reflexivity.
  - rewrite IH by lia. now rewrite andb_assoc.
Qed.

Lemma in_box_cons n d k i : in_box (n :: d) (k :: i) = true <-> 0 <= k < Z.of_nat n /\ in_box d i = true.
Proof. simpl. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. tauto. Qed.

(** Index by index. *)
Lemma in_box_nth d i : in_box d i = true <->
  length i = length d /\ forall k, (k < length d)%nat -> 0 <= nth k i 0 < Z.of_nat (nth k d O).
Proof.
  revert i. induction d as [| n d IH]; intros [| z i].
  - simpl. split; [split; [reflexivity | intros; lia] | reflexivity].
  - simpl. split; [discriminate | intros [E _]; discriminate].
  - simpl. split; [discriminate | intros [E _]; discriminate].
  - rewrite in_box_cons, IH. simpl length. split.
    + intros (h & len & t). split; [lia |]. intros [| k] lt; simpl; [exact h | apply t; lia].
    + intros (len & t). split; [apply (t O); lia |]. split; [lia |].
      intros k lt. apply (t (S k)). lia.
Qed.

Lemma in_box_nth_range d i k :
  in_box d i = true -> (k < length d)%nat -> 0 <= nth k i 0 < Z.of_nat (nth k d O).
Proof. intros I lt. apply in_box_nth in I. now apply I. Qed.

Lemma in_box_split d e i : in_box (d ++ e) i = true ->
  exists j k, i = j ++ k /\ in_box d j = true /\ in_box e k = true.
Proof.
  revert i. induction d as [| n d IH]; intros i I; [exists [], i; auto |].
  destruct i as [| z i]; [discriminate |]. apply in_box_cons in I. destruct I as [b I].
  destruct (IH i I) as (j & k & -> & J & K). exists (z :: j), k. split; [reflexivity |].
  split; [now apply in_box_cons | exact K].
Qed.

(** ** Equality of tuples *)

Lemma tuple_eqb_spec i j : reflect (i = j) (tuple_eqb i j).
Proof.
  revert j. induction i as [| y i IH]; intros [| z j]; simpl; try now constructor.
  destruct (Z.eqb_spec y z) as [-> |]; simpl; [| constructor; congruence].
  destruct (IH j); constructor; congruence.
Qed.

(** ** Substitution of indices *)

Lemma eval_shift_ix k rho a m :
  length k = m -> eval_ix (k ++ rho) (shift_ix m a) = eval_ix rho a.
Proof.
  intros <-. induction a; simpl; try congruence.
  rewrite app_nth2 by lia. f_equal. lia.
Qed.

Lemma eval_subst_ix rho f a :
  eval_ix rho (subst_ix f a) = eval_ix (map (eval_ix rho) f) a.
Proof.
  induction a as [n | | | | | |]; simpl; try congruence.
  symmetry. exact (map_nth (eval_ix rho) f (ICst 0) n).
Qed.

Lemma eval_subst_cond rho f c :
  eval_cond rho (subst_cond f c) = eval_cond (map (eval_ix rho) f) c.
Proof. induction c; simpl; rewrite ?eval_subst_ix; congruence. Qed.

Lemma eval_vars k rho : map (eval_ix (k ++ rho)) (map IVar (seq 0 (length k))) = k.
Proof.
  induction k as [| z k IH] using rev_ind; [reflexivity |].
  rewrite app_length. simpl length. rewrite seq_app, !map_app. simpl. f_equal.
  - transitivity (map (eval_ix (k ++ rho)) (map IVar (seq 0 (length k)))); [| exact IH].
    rewrite !map_map. apply map_ext_in.
    intros n inn. apply in_seq in inn. simpl.
    rewrite <- app_assoc. rewrite !app_nth1 by lia. reflexivity.
  - f_equal. rewrite <- app_assoc. rewrite app_nth2 by lia. now rewrite Nat.sub_diag.
Qed.

Lemma eval_vars_from k rho m :
  length k = m -> map (eval_ix (k ++ rho)) (map IVar (seq m (length rho))) = rho.
Proof.
  intros <-. rewrite map_map.
  apply nth_ext with (d := eval_ix (k ++ rho) (IVar O)) (d' := 0);
    rewrite map_length, seq_length; [reflexivity |].
  intros n inn. rewrite (map_nth (fun x => eval_ix (k ++ rho) (IVar x)) _ O). simpl.
  rewrite seq_nth by exact inn. rewrite app_nth2 by lia. f_equal. lia.
Qed.

Lemma eval_lift k rho f m :
  length k = m -> map (eval_ix (k ++ rho)) (lift m f) = k ++ map (eval_ix rho) f.
Proof.
  intros len. unfold lift. rewrite map_app. f_equal.
  - rewrite <- len. apply eval_vars.
  - rewrite map_map. apply map_ext. intros a. now apply eval_shift_ix.
Qed.

Section Proof.
  Variable S : scalars.
  Notation ex := (ex S).
  Notation stmt := (stmt S).
  Notation store := (store S).

  Section ExInd.
    Variable P : ex -> Prop.
    Hypothesis cst : forall c, P (ECst c).
    Hypothesis ld : forall t l, P (ELd t l).
    Hypothesis bin : forall o a b, P a -> P b -> P (EBin o a b).
    Hypothesis fn : forall f l, Forall P l -> P (EFn f l).
    Hypothesis sel : forall c a b, P a -> P b -> P (ESel c a b).
    Hypothesis red_ : forall r ns e, P e -> P (ERed r ns e).

    Fixpoint ex_nested_ind (e : ex) : P e :=
      match e with
      | ECst c => cst c
      | ELd t l => ld t l
      | EBin o a b => bin o a b (ex_nested_ind a) (ex_nested_ind b)
      | EFn f l => fn f l
          ((fix all l : Forall P l :=
              match l with
              | [] => Forall_nil P
              | a :: l' => Forall_cons a (ex_nested_ind a) (all l')
              end) l)
      | ESel c a b => sel c a b (ex_nested_ind a) (ex_nested_ind b)
      | ERed r ns e => red_ r ns e (ex_nested_ind e)
      end.
  End ExInd.

  (** Other indices load the same tensors. *)
  Lemma subst_loads (e : ex) : forall f, loads (subst f e) = loads e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros f; simpl; try reflexivity;
      try (rewrite IHa, IHb; reflexivity); [| apply IH].
    induction IH as [| a l here _ IHl]; simpl; [reflexivity |]. now rewrite here, IHl.
  Qed.

  (** Two stores hold the same tensor under the name [t]. *)
  Definition agree (st st' : store) (t : tid) : Prop := forall i, st t i = st' t i.

  (** ** Frame *)

  (** Evaluation depends on the tensors that are loaded only. *)
  Lemma eval_frame (e : ex) st st' :
    (forall t, In t (loads e) -> agree st st' t) ->
    forall rho, eval st rho e = eval st' rho e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; simpl; intros same rho.
    - reflexivity.
    - apply same. now left.
    - rewrite IHa, IHb; [reflexivity | |]; intros t int_; apply same, in_or_app; auto.
    - f_equal. apply map_ext_in. intros a ina.
      rewrite Forall_forall in IH. apply IH; [exact ina |].
      intros t int_. apply same, in_flat_map. eauto.
    - rewrite IHa, IHb; [reflexivity | |]; intros t int_; apply same, in_or_app; auto.
    - apply fold_left_ext_in. intros acc k _. now rewrite IH.
  Qed.

  Lemma upd_same st t x : upd (S := S) st t x t = x.
  Proof. unfold upd. now rewrite Nat.eqb_refl. Qed.

  Lemma upd_other st t x u : u <> t -> upd (S := S) st t x u = st u.
  Proof. unfold upd. destruct (Nat.eqb_spec u t); congruence. Qed.

  (** A statement changes its output tensor only. *)
  Theorem kernel_exec_frame (s : stmt) st t i :
    t <> out s -> exec s st t i = st t i.
  Proof. intros ne. unfold exec. now rewrite upd_other. Qed.

  Theorem kernel_prog_frame (p : list stmt) st t i :
    (forall s, In s p -> out s <> t) -> exec_prog p st t i = st t i.
  Proof.
    revert st. induction p as [| s p IH]; intros st no; [reflexivity |].
    change (exec_prog (s :: p) st) with (exec_prog p (exec s st)).
    rewrite IH by (intros u inu; apply no; now right).
    apply kernel_exec_frame. intros ->. now apply (no s (or_introl eq_refl)).
  Qed.

  (** A statement sees the store only through the tensors that it loads. *)
  Lemma exec_agree (s : stmt) st st' t :
    (forall u, In u (loads (body s)) -> agree st st' u) ->
    agree st st' t -> agree (exec s st) (exec s st') t.
  Proof.
    intros read same i. unfold exec, upd, tabulate.
    destruct (t =? out s)%nat; [| apply same].
    destruct (in_box (dims s) i); [| reflexivity]. now apply eval_frame.
  Qed.

  (** ** Substitution *)

  (** Substituting is evaluating at the substituted indices; nothing is captured. *)
  Theorem eval_subst (e : ex) st :
    forall f rho, eval st rho (subst f e) = eval st (map (eval_ix rho) f) e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros f rho; simpl.
    - reflexivity.
    - f_equal. rewrite map_map. apply map_ext. intros a. apply eval_subst_ix.
    - now rewrite IHa, IHb.
    - f_equal. rewrite map_map. apply map_ext_in. intros a ina.
      rewrite Forall_forall in IH. now apply IH.
    - now rewrite eval_subst_cond, IHa, IHb.
    - apply fold_left_ext_in. intros acc k ink. apply box_length in ink.
      now rewrite IH, eval_lift.
  Qed.

  (** ** Inlining *)

  (** [st] lacks the output of [p], [st'] has it. *)
  Definition has_output (p : stmt) (st st' : store) : Prop :=
    forall i, in_box (dims p) i = true -> st' (out p) i = eval st i (body p).

  Lemma eval_inline (p : stmt) st st' :
    has_output p st st' -> (forall t, t <> out p -> agree st st' t) ->
    forall e rho, in_bounds (out p) (dims p) rho e ->
    eval st rho (inline p e) = eval st' rho e.
  Proof.
    intros has same.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros rho ok; simpl in ok |- *.
    - reflexivity.
    - destruct (Nat.eqb_spec t (out p)) as [-> | ne].
      + rewrite eval_subst. symmetry. apply has. now apply ok.
      + now apply same.
    - destruct ok. now rewrite IHa, IHb.
    - f_equal. rewrite map_map. induction IH as [| a l here _ IHl]; [reflexivity |].
      simpl in ok |- *. destruct ok as [oka okl]. now rewrite here, IHl.
    - destruct (eval_cond rho c); auto.
    - apply fold_left_ext_in. intros acc k ink. apply in_box_box in ink.
      rewrite IH; [reflexivity |]. now apply ok.
  Qed.

  (** One consumer, executed with and without the producer. *)
  Lemma exec_inline (p s : stmt) st st' :
    has_output p st st' -> (forall t, t <> out p -> agree st st' t) ->
    in_bounds_stmt (out p) (dims p) s ->
    forall t, t <> out p -> agree (exec (inline_stmt p s) st) (exec s st') t.
  Proof.
    intros has same ok t ne i. unfold exec, upd, tabulate. simpl.
    destruct (t =? out s)%nat; [| now apply same].
    destruct (in_box (dims s) i) eqn:inside; [| reflexivity].
    apply eval_inline; auto.
  Qed.

  Lemma has_output_kept (p s : stmt) st st' :
    out s <> out p -> ~ In (out s) (loads (body p)) ->
    has_output p st st' -> has_output p (exec (inline_stmt p s) st) (exec s st').
  Proof.
    intros other stable has i inside. rewrite kernel_exec_frame by congruence.
    rewrite has by exact inside. apply eval_frame. intros t int_ j. symmetry.
    apply kernel_exec_frame. simpl. congruence.
  Qed.

  Lemma consumers_inline (p : stmt) (c : list stmt) :
    (forall s, In s c -> out s <> out p) ->
    (forall s, In s c -> ~ In (out s) (loads (body p))) ->
    (forall s, In s c -> in_bounds_stmt (out p) (dims p) s) ->
    forall st st',
      has_output p st st' -> (forall t, t <> out p -> agree st st' t) ->
      forall t, t <> out p ->
        agree (exec_prog (map (inline_stmt p) c) st) (exec_prog c st') t.
  Proof.
    induction c as [| s c IH]; intros I1 I3 I5 st st' has same t ne.
    - now apply same.
    - apply (IH (fun u inu => I1 u (or_intror inu)) (fun u inu => I3 u (or_intror inu))
                (fun u inu => I5 u (or_intror inu))); [| | exact ne].
      + apply has_output_kept; auto; [apply I1 | apply I3]; now left.
      + apply exec_inline; auto. apply I5. now left.
  Qed.

  (** Statements that do not load the output do not notice. *)
  Lemma others_agree (b : tid) (r : list stmt) :
    (forall s, In s r -> ~ In b (loads (body s))) ->
    forall st st', (forall t, t <> b -> agree st st' t) ->
    forall t, t <> b -> agree (exec_prog r st) (exec_prog r st') t.
  Proof.
    induction r as [| s r IH]; intros unread st st' same t ne; [now apply same |].
    apply (IH (fun u inu => unread u (or_intror inu))); [| exact ne].
    intros u neu. apply exec_agree; [| now apply same].
    intros w inw. apply same. intros ->.
    now apply (unread s (or_introl eq_refl)).
  Qed.

  Lemma exec_prog_app (p q : list stmt) st :
    exec_prog (p ++ q) st = exec_prog q (exec_prog p st).
  Proof. apply fold_left_app. Qed.

  (** The producer [p] is inlined into its consumers [c] and dropped; [r] is what
      follows the last consumer.  Side conditions (spec of inlining, I1 to I5):
      I1 no consumer writes the output; I3 what the producer reads is not written
      before the last consumer; I5 consumers load inside the box.  I4, the store
      form, holds by construction.  I2, the producer does not read its own output,
      is not needed for this statement (a snapshot is read, and without the
      producer it is still there); it makes the output dead. *)
  Theorem inline_correct (before : list stmt) (p : stmt) (c r : list stmt) st :
    (forall s, In s c -> out s <> out p) ->
    (forall s, In s c -> ~ In (out s) (loads (body p))) ->
    (forall s, In s r -> ~ In (out p) (loads (body s))) ->
    (forall s, In s c -> in_bounds_stmt (out p) (dims p) s) ->
    forall t i, t <> out p ->
      exec_prog (before ++ map (inline_stmt p) c ++ r) st t i =
      exec_prog (before ++ p :: c ++ r) st t i.
  Proof.
    intros I1 I3 last I5 t i ne. rewrite !exec_prog_app.
    change (exec_prog (p :: c ++ r)) with (fun st => exec_prog (c ++ r) (exec p st)).
    cbv beta. rewrite exec_prog_app.
    apply (others_agree (out p) r last); [| exact ne].
    clear t i ne. intros t ne. apply consumers_inline; auto.
    - intros i inside. unfold exec. rewrite upd_same. unfold tabulate.
      now rewrite inside.
    - intros u neu j. symmetry. now apply kernel_exec_frame.
  Qed.
End Proof.

(** ** Why the side conditions are there *)

(** Integers, with one operator (+) and one function (which is not used). *)
Definition integers : scalars :=
  {| carrier := Z; lit := Z; bop := unit; fid := unit;
     lit_value := fun z => z; bop_value := fun _ => Z.add;
     fid_value := fun _ _ => 0; zero := 0; red := unit; red_start := fun _ => 0;
     red_step := fun _ => Z.add |}.

Definition add (a b : ex integers) : ex integers := EBin (S := integers) tt a b.
Definition num (z : Z) : ex integers := ECst (S := integers) z.
Definition at_ (t : nat) (i : ix) : ex integers := ELd t [i].

(** Tensor t holds t everywhere. *)
Definition names : store integers := fun t _ => Z.of_nat t.

(** B[i] = A[i] + 1; A[i] = D[i]; C[i] = B[i] + A[i], with A, B, C, D = 0 .. 3:
    inlining B would read the new A. *)
Theorem inline_needs_I3 :
  let p := Stmt 1%nat [1%nat] (add (at_ 0 (IVar 0)) (num 1)) in
  let c := [Stmt 0%nat [1%nat] (at_ 3 (IVar 0));
            Stmt 2%nat [1%nat] (add (at_ 1 (IVar 0)) (at_ 0 (IVar 0)))] in
  exec_prog (p :: c) names 2%nat [0] = 4 /\
  exec_prog (map (inline_stmt p) c) names 2%nat [0] = 7.
Proof. now split. Qed.

(** B<1>[i] = 5; C<2>[i] = B[i]: outside of B there is zero, not five. *)
Theorem inline_needs_I5 :
  let p := Stmt 1%nat [1%nat] (num 5) in
  let c := [Stmt 2%nat [2%nat] (at_ 1 (IVar 0))] in
  exec_prog (p :: c) names 2%nat [1] = 0 /\
  exec_prog (map (inline_stmt p) c) names 2%nat [1] = 5.
Proof. now split. Qed.
