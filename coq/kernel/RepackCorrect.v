(** * A changed kernel that passes the check computes the original's tensors

    Each tensor is stored once and read after that, so at the end each holds what its statement
    says of the tensors at the end.  The trees of both statements are the same one, and its loads
    hold the same: of inputs by assumption, of tensors that are stored as their statements come
    before, of packed ones as their data are the original's. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof kernel.Forms kernel.FormsProof.
From Calque Require Import kernel.Repack kernel.RepackProof kernel.RepackValue.
Import ListNotations.
Open Scope nat_scope.

Section Kernels.
  Context {S : scalars}.
  Notation prog := (prog S).
  Notation store := (store S).

  Lemma stores_in (p : prog) t : stores p t = true <-> exists s, In s p /\ out s = t.
  Proof.
    unfold stores. rewrite existsb_exists. split; intros (s & ins & E); exists s; (split; [exact ins |]); now apply Nat.eqb_eq.
  Qed.

  Lemma stores_not (p : prog) t : stores p t = false -> forall s, In s p -> out s <> t.
  Proof. intros N s ins E. assert (stores p t = true) by (apply stores_in; eauto). congruence. Qed.

  Lemma stores_app (p q : prog) t : stores (p ++ q) t = stores p t || stores q t.
  Proof. apply existsb_app. Qed.

  Lemma stores_rev (p : prog) t : stores (rev p) t = stores p t.
  Proof.
    apply eq_true_iff_eq. rewrite !stores_in.
    split; intros (s & ins & E); exists s; (split; [now apply in_rev; rewrite ?rev_involutive | exact E]).
  Qed.

  (** ** The statement that stores a tensor *)

  Lemma find_store_some (t : tid) p : forall acc b (s : stmt S), find_store t acc p = Some (b, s) ->
    exists p1 p2, p = p1 ++ s :: p2 /\ b = rev p1 ++ acc /\ out s = t.
  Proof.
    induction p as [| u p IH]; intros acc b s E; cbn in E; [discriminate |].
    destruct (Nat.eqb_spec (out u) t) as [Et | _].
    - injection E as <- <-. exists [], p. auto.
    - destruct (IH _ _ _ E) as (p1 & p2 & -> & -> & O). exists (u :: p1), p2. cbn. rewrite <- app_assoc. auto.
  Qed.

  Lemma find_store_in (t : tid) p : forall acc, stores p t = true -> exists b s, find_store (S := S) t acc p = Some (b, s).
  Proof.
    induction p as [| u p IH]; intros acc E; cbn in *; [discriminate |].
    destruct (out u =? t); [eauto | now apply IH].
  Qed.

  (** ** What is held at the end *)

  Lemma in_order_split (all : prog) p1 : forall before s p2, in_order all before (p1 ++ s :: p2) = true ->
    forall t, In t (loads (body s)) -> early all (rev p1 ++ before) t = false.
  Proof.
    induction p1 as [| u p1 IH]; intros before s p2 O t int_; cbn [app in_order rev] in O |- *; apply andb_true_iff in O as [L O].
    - rewrite forallb_forall in L. now apply negb_true_iff, L.
    - rewrite <- app_assoc. now apply (IH (u :: before) s p2).
  Qed.

  Lemma stored_once_split (p1 : prog) s p2 : stored_once (p1 ++ s :: p2) = true ->
    stores p1 (out s) = false /\ stores p2 (out s) = false.
  Proof.
    induction p1 as [| u p1 IH]; cbn [app stored_once]; rewrite andb_true_iff, negb_true_iff; intros [N O]; [now split |].
    destruct (IH O) as [N1 N2]. split; [| exact N2]. unfold stores in N |- *. cbn. rewrite existsb_app in N. cbn in N.
    rewrite Nat.eqb_sym. destruct (out s =? out u); [| exact N1]. rewrite orb_true_r in N. discriminate.
  Qed.

  Theorem final_value (p p1 p2 : prog) s st : p = p1 ++ s :: p2 -> stored_once p = true -> in_order p [] p = true ->
    forall i, in_box (dims s) i = true -> exec_prog p st (out s) i = eval (exec_prog p st) i (body s).
  Proof.
    intros Ep once order i ini.
    destruct (stored_once_split p1 s p2) as [_ N2]; [now rewrite <- Ep |].
    assert (F : eval (exec_prog p st) i (body s) = eval (exec_prog p1 st) i (body s)).
    { apply eval_frame. intros t int_ j. rewrite Ep, exec_prog_app.
      change (exec_prog (s :: p2)) with (fun st => exec_prog p2 (exec s st)). cbv beta.
      assert (E : early p (rev p1 ++ []) t = false) by (rewrite Ep in order |- *; now apply (in_order_split _ p1 [] s p2)).
      rewrite app_nil_r in E. unfold early in E. rewrite stores_rev in E. apply andb_false_iff in E.
      assert (N : stores (s :: p2) t = false).
      { destruct E as [E | E].
        - rewrite Ep, stores_app in E. now apply orb_false_iff in E.
        - apply negb_false_iff, stores_in in E as (u & inu & <-). apply in_split in inu as (a & b & ->).
          rewrite Ep, <- app_assoc in once. apply stored_once_split in once as [_ E].
          rewrite stores_app in E. now apply orb_false_iff in E. }
      rewrite kernel_prog_frame by (intros u inu; apply (stores_not _ _ N); now right).
      apply kernel_exec_frame. intros E'. apply (stores_not _ _ N s); [now left | now symmetry]. }
    rewrite F, Ep, exec_prog_app. change (exec_prog (s :: p2)) with (fun st => exec_prog p2 (exec s st)). cbv beta.
    rewrite kernel_prog_frame by now apply stores_not.
    unfold exec. rewrite upd_same. unfold tabulate. now rewrite ini.
  Qed.

  Lemma final_outside (p p1 p2 : prog) s st : p = p1 ++ s :: p2 -> stored_once p = true ->
    forall i, in_box (dims s) i = false -> exec_prog p st (out s) i = zero S.
  Proof.
    intros Ep once i ini. destruct (stored_once_split p1 s p2) as [_ N2]; [now rewrite <- Ep |].
    rewrite Ep, exec_prog_app. change (exec_prog (s :: p2)) with (fun st => exec_prog p2 (exec s st)). cbv beta.
    rewrite kernel_prog_frame by now apply stores_not.
    unfold exec. rewrite upd_same. unfold tabulate. now rewrite ini.
  Qed.

  Lemma not_stored (p : prog) st t : stores p t = false -> forall i, exec_prog p st t i = st t i.
  Proof. intros N i. apply kernel_prog_frame. now apply stores_not. Qed.

  Variable law : rules S.

  Lemma exec_prog_good shape (p : prog) : wf_prog shape p = true -> forall st,
    (forall t i, in_box (shape t) i = true -> good S law (st t i)) ->
    forall t i, in_box (shape t) i = true -> good S law (exec_prog p st t i).
  Proof.
    unfold wf_prog. induction p as [| s p IH]; intros W st G t i ini; [now apply G |].
    cbn [forallb] in W. apply andb_true_iff in W as [Ws W]. apply wf_sound in Ws as [D safe_].
    change (exec_prog (s :: p) st) with (exec_prog p (exec s st)). apply IH; auto. clear t i ini. intros t i ini.
    unfold exec, upd. destruct (Nat.eqb_spec t (out s)) as [-> | _]; [| now apply G].
    rewrite <- D in ini. unfold tabulate. rewrite ini. apply (eval_good law shape st G). intros t. now apply safe_.
  Qed.
End Kernels.

Section RepackCorrect.
  Context {S : scalars} (law : rules S).
  Notation prog := (prog S).
  Notation store := (store S).
  Variable P : packing.

  (** What the changed kernel is given: packed tensors hold what the map says, others the same. *)
  Definition packed_store (st st' : store) : Prop := forall t i, t < count_old P ->
    match entry P t with
    | Some e => in_box (new_shape P t) i = true -> st' t i = packed_cell (zero S) e (st t) i
    | None => in_box (old_shape P t) i = true -> st' t i = st t i
    end.

  Definition good_cells (shape : tid -> list nat) (st : store) : Prop :=
    forall t i, in_box (shape t) i = true -> good S law (st t i).

  Definition numeric_cells (st : store) : Prop :=
    forall t i, t < count_old P -> in_box (old_shape P t) i = true -> known law P t (st t i).

  (** What the check has found. *)
  Record checked (k q : prog) : Prop := Checked {
    old_wf : wf_prog (old_shape P) k = true;
    new_wf : wf_prog (new_shape P) q = true;
    old_once : stored_once k = true;
    new_once : stored_once q = true;
    same_shape : forall t, t < count_old P -> entry P t = None -> old_shape P t = new_shape P t;
    same_stored : forall t, t < count_old P -> stores k t = stores q t;
    entry_ordered : forall t e, entry P t = Some e ->
      t < count_old P /\ stores k t = false /\ ordered e (old_shape P t) (new_shape P t) = true;
    same_cells : forall t, t < count_old P -> stores k t = true ->
      exists x, read_old law P k t = Ok x /\ read_new law P q t = Ok x;
    old_out : forall t, stores k t = true -> t < count_old P;
    numbers_given : forall t, t < count_old P -> described P t = true -> stores k t = false;
    old_order : in_order k [] k = true;
    new_order : in_order q [] q = true }.

  Lemma repack_checked k q : repack law P k q = Same -> checked k q.
  Proof.
    unfold repack. destruct (both_well P k q) eqn:W; try discriminate.
    destruct (every (tensor_same P k q) _) eqn:T; try discriminate.
    destruct (every (entry_same P k (entries P)) _) eqn:E; try discriminate.
    destruct (every (cell_same law P k q) _) eqn:C; try discriminate. intros R.
    pose proof (every_same _ _ T) as T'. pose proof (every_same _ _ E) as E'. pose proof (every_same _ _ C) as C'. clear T E C.
    unfold both_well in W. destruct (wf_prog (old_shape P) k) eqn:Wk; [| discriminate].
    destruct (wf_prog (new_shape P) q) eqn:Wq; [| discriminate]. cbn [andb] in W.
    apply unless_same in W; [| discriminate]. apply negb_false_iff, andb_true_iff in W as [Ok_ Oq].
    unfold rest_well in R.
    destruct (forallb (fun s => out s <? count_old P) k) eqn:Out; [| discriminate].
    destruct (forallb (fun t => negb (described P t && stores k t)) (seq 0 (count_old P))) eqn:Num; [| discriminate].
    cbn [andb] in R.
    apply unless_same in R; [| discriminate]. apply negb_false_iff, andb_true_iff in R as [Rk Rq].
    rewrite forallb_forall in Out, Num.
    assert (num : forall t, t < count_old P -> In t (seq 0 (count_old P))) by (intros t lt; apply in_seq; lia).
    constructor; auto.
    - intros t lt N. specialize (T' t (num t lt)). unfold tensor_same, shape_same in T'. rewrite N in T'.
      destruct (unless _ OtherShape) eqn:U; try discriminate. apply unless_same in U; [| discriminate].
      now apply negb_false_iff, dims_eqb_eq in U.
    - intros t lt. specialize (T' t (num t lt)). unfold tensor_same in T'. destruct (shape_same P t); try discriminate.
      apply unless_same in T'; [| discriminate]. now apply negb_false_iff, eqb_prop in T'.
    - intros t e N. apply find_some in N as [ine Et]. apply Nat.eqb_eq in Et. specialize (E' e ine). unfold entry_same in E'.
      rewrite Et in E'. destruct (_ && _) eqn:B; [| discriminate]. rewrite !andb_true_iff in B. destruct B as [[[B _] St] _].
      apply unless_same in E'; [| discriminate]. apply negb_false_iff in E'. apply Nat.ltb_lt in B. apply negb_true_iff in St.
      auto.
    - intros t lt St. specialize (C' t (num t lt)). unfold cell_same in C'. rewrite St in C'.
      destruct (read_old law P k t) as [x | v]; [| now destruct v].
      destruct (read_new law P q t) as [y | v]; [| now destruct v].
      destruct (tree_eqb law x y) eqn:X; [| discriminate]. apply tree_eqb_right in X. subst y. eauto.
    - intros t St. apply stores_in in St as (s & ins & <-). now apply Nat.ltb_lt, Out.
    - intros t lt N. specialize (Num t (num t lt)). apply negb_true_iff, andb_false_iff in Num as [N' | N'];
        [congruence | exact N'].
  Qed.

  Variables (k q : prog) (st st' : store).
  Hypothesis ok : checked k q.
  Hypothesis given : packed_store st st'.
  Hypothesis good_old : good_cells (old_shape P) st.
  Hypothesis good_new : good_cells (new_shape P) st'.
  Hypothesis finite : numeric_cells st.

  Notation F := (exec_prog k st).
  Notation F' := (exec_prog q st').

  (** The original's tensors, as the changed kernel has them. *)
  Definition target : store := fun t => match entry P t with Some _ => st t | None => F' t end.

  Lemma target_number t i : t < count_old P -> in_box (old_shape P t) i = true -> known law P t (target t i).
  Proof.
    intros lt ini. unfold target. destruct (entry P t) as [e |] eqn:E; [now apply finite |].
    destruct (described P t) eqn:N.
    2: { unfold described in N. apply orb_false_iff in N as [N N2]. apply orb_false_iff in N as [N0 N1]. split; [congruence |].
         intros []; congruence. }
    pose proof (numbers_given k q ok t lt N) as U. rewrite not_stored by (now rewrite <- (same_stored k q ok t lt)).
    pose proof (given t i lt) as G. rewrite E in G. rewrite (G ini). now apply finite.
  Qed.

  Lemma stmt_safe shape (p : prog) s : wf_prog shape p = true -> In s p ->
    dims s = shape (out s) /\ forall i, in_box (dims s) i = true -> safe shape i (body s).
  Proof.
    intros W ins. unfold wf_prog in W. rewrite forallb_forall in W. specialize (W s ins). apply wf_sound in W as [D safe_].
    split; [exact D |]. intros i ini t. now apply safe_.
  Qed.

  (** ** The changed kernel *)

  Lemma load_new_right temp early_ :
    loads_right law P (new_shape P) F' target early_ temp -> loads_right law P (new_shape P) F' target early_ (load_new P temp).
  Proof.
    intros H t R l T sigma i N inside M ini E. unfold load_new in E.
    destruct (Nat.ltb_spec t (count_old P)) as [lt | _]; [| now apply (H t R l)].
    destruct (entry P t) as [e |] eqn:En.
    - destruct (entry_ordered k q ok t e En) as (_ & U & ord).
      apply (load_packed_right law P target F' e t R l T sigma i ord inside M ini E).
      + intros j inj. now apply target_number.
      + intros j inj. rewrite not_stored by (now rewrite <- (same_stored k q ok t lt)).
        pose proof (given t j lt) as G. rewrite En in G. rewrite (G inj). unfold target. now rewrite En.
    - assert (Et : target t i = F' t i) by (unfold target; now rewrite En). rewrite <- Et.
      apply (load_plain_right law P target t R l T sigma i inside M E).
      apply target_number; [exact lt |]. now rewrite (same_shape k q ok t lt En).
  Qed.

  Lemma expand_right before : forall after, q = rev before ++ after -> forall early_,
    loads_right law P (new_shape P) F' target early_ (expand law P q before).
  Proof.
    induction before as [| s before IH]; intros after Eq early_ t R l T sigma i N inside M ini E; cbn [expand] in E;
      [discriminate |].
    cbn [rev] in Eq. rewrite <- app_assoc in Eq. destruct (Nat.eqb_spec (out s) t) as [<- | _];
      [| now apply (IH _ Eq early_ t R l)].
    assert (ins : In s q) by (rewrite Eq; apply in_or_app; right; now left).
    destruct (stmt_safe (new_shape P) q s (new_wf k q ok) ins) as [D safe_].
    assert (ini' : in_box (dims s) i = true) by now rewrite D.
    rewrite (final_value q (rev before) after s st' Eq (new_once k q ok) (new_order k q ok) i ini').
    apply (read_right law P (new_shape P) F' target (exec_prog_good law (new_shape P) q (new_wf k q ok) st' good_new)
             (early q before) (load_new P (expand law P q before))) with (R := R) (env := l); auto.
    apply load_new_right. now apply (IH _ Eq).
  Qed.

  Lemma read_new_right t x i : t < count_old P -> stores q t = true -> entry P t = None -> in_box (old_shape P t) i = true ->
    read_new law P q t = Ok x -> tval target i x = F' t i.
  Proof.
    intros lt St En ini E. unfold read_new in E. destruct (find_store t [] q) as [[before s] |] eqn:Fi; [| discriminate].
    apply find_store_some in Fi as (p1 & p2 & Eq & Eb & <-). rewrite app_nil_r in Eb.
    assert (Eq' : q = rev before ++ s :: p2) by (rewrite Eb, rev_involutive; exact Eq).
    assert (ins : In s q) by (rewrite Eq; apply in_or_app; right; now left).
    destruct (stmt_safe (new_shape P) q s (new_wf k q ok) ins) as [D safe_].
    rewrite (same_shape k q ok _ lt En) in *.
    assert (ini' : in_box (dims s) i = true) by now rewrite D.
    rewrite (final_value q p1 p2 s st' Eq (new_once k q ok) (new_order k q ok) i ini').
    refine (proj1 (read_right law P (new_shape P) F' target (exec_prog_good law (new_shape P) q (new_wf k q ok) st' good_new)
             (early q before) (load_new P (expand law P q before)) _ (body s) (new_shape P (out s))
             _ x i i ini _ (safe_ i ini') E)).
    - apply load_new_right. now apply (expand_right before (s :: p2) Eq').
    - unfold own. rewrite <- (in_box_length _ _ ini). apply means_own.
  Qed.

  (** ** The original *)

  (** Tensors that are stored by [before] hold the same. *)
  Definition agreed (before : prog) : Prop := forall t i, stores before t = true -> in_box (old_shape P t) i = true ->
    F t i = target t i.

  Lemma load_old_right before : agreed before -> loads_right law P (old_shape P) F target (early k before) (load_old P).
  Proof.
    intros A t R l T sigma i N inside M ini E. unfold load_old in E.
    destruct (Nat.ltb_spec t (count_old P)) as [lt | _]; [| discriminate].
    assert (Et : F t i = target t i).
    { unfold early in N. apply andb_false_iff in N as [N | N]; [| apply negb_false_iff in N; now apply A].
      rewrite not_stored by exact N. unfold target. destruct (entry P t) as [e |] eqn:En; [reflexivity |].
      rewrite not_stored by now rewrite <- (same_stored k q ok t lt).
      pose proof (given t i lt) as G. rewrite En in G. symmetry. now apply G. }
    rewrite Et. apply (load_plain_right law P target t R l T sigma i inside M E). now apply target_number.
  Qed.

  Lemma stored_agree n : forall t before s, length before < n -> find_store t [] k = Some (before, s) ->
    forall i, in_box (old_shape P t) i = true -> F t i = target t i.
  Proof.
    induction n as [| n IH]; intros t before s lt Fi i ini; [lia |].
    pose proof Fi as Fi'. apply find_store_some in Fi' as (p1 & p2 & Ek & Eb & Et). rewrite app_nil_r in Eb.
    assert (St : stores k t = true).
    { apply stores_in. exists s. split; [rewrite Ek; apply in_or_app; right; now left | exact Et]. }
    pose proof (old_out k q ok t St) as below.
    assert (En : entry P t = None).
    { destruct (entry P t) as [e |] eqn:En; [| reflexivity]. destruct (entry_ordered k q ok t e En) as (_ & U & _). congruence. }
    destruct (same_cells k q ok t below St) as (x & Eo & En').
    assert (V : tval target i x = F' t i).
    { apply (read_new_right t x i below); auto. now rewrite <- (same_stored k q ok t below). }
    unfold target at 1. rewrite En, <- V. unfold read_old in Eo. rewrite Fi in Eo. symmetry. subst t.
    assert (ins : In s k) by (rewrite Ek; apply in_or_app; right; now left).
    destruct (stmt_safe (old_shape P) k s (old_wf k q ok) ins) as [D safe_].
    assert (ini' : in_box (dims s) i = true) by now rewrite D.
    rewrite (final_value k p1 p2 s st Ek (old_once k q ok) (old_order k q ok) i ini').
    refine (proj1 (read_right law P (old_shape P) F target (exec_prog_good law (old_shape P) k (old_wf k q ok) st good_old)
             (early k before) (load_old P) _ (body s) (old_shape P (out s)) _ x i i ini _ (safe_ i ini') Eo)).
    - apply load_old_right. intros u j Su inj. rewrite Eb, stores_rev in Su.
      destruct (find_store_in u p1 [] Su) as (b & s' & Fu).
      assert (Fk : find_store u [] k = Some (b, s')).
      { rewrite Ek. clear -Fu. revert Fu. generalize (@nil (stmt S)) as acc.
        induction p1 as [| v p1 IHp]; intros acc Fu; cbn in *; [discriminate |].
        destruct (out v =? u); [exact Fu | now apply IHp]. }
      apply (IH u b s'); [| exact Fk | exact inj].
      apply find_store_some in Fu as (a & c & E1 & E2 & _). rewrite app_nil_r in E2. subst b p1 before.
      rewrite rev_length in *. rewrite app_length in lt. cbn in lt. lia.
    - unfold own. rewrite <- (in_box_length _ _ ini). apply means_own.
  Qed.

  Lemma checked_correct t i : stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
  Proof.
    intros St. pose proof (old_out k q ok t St) as lt.
    assert (En : entry P t = None).
    { destruct (entry P t) as [e |] eqn:En; [| reflexivity]. destruct (entry_ordered k q ok t e En) as (_ & U & _). congruence. }
    destruct (find_store_in t k [] St) as (b & s & Fi). destruct (in_box (old_shape P t) i) eqn:ini.
    - rewrite (stored_agree (Datatypes.S (length b)) t b s (Nat.lt_succ_diag_r _) Fi i ini). unfold target. now rewrite En.
    - assert (St' : stores q t = true) by now rewrite <- (same_stored k q ok t lt).
      destruct (find_store_in t q [] St') as (b' & s' & Fi').
      apply find_store_some in Fi as (p1 & p2 & Ek & _ & Es). apply find_store_some in Fi' as (p3 & p4 & Eq & _ & Es').
      destruct (stmt_safe (old_shape P) k s (old_wf k q ok)) as [D _]; [rewrite Ek; apply in_or_app; right; now left |].
      destruct (stmt_safe (new_shape P) q s' (new_wf k q ok)) as [D' _]; [rewrite Eq; apply in_or_app; right; now left |].
      rewrite <- Es at 1. rewrite <- Es'.
      rewrite (final_outside k p1 p2 s st Ek (old_once k q ok)) by now rewrite D, Es.
      rewrite (final_outside q p3 p4 s' st' Eq (new_once k q ok)); [reflexivity |].
      rewrite D', Es', <- (same_shape k q ok t lt En). exact ini.
  Qed.
End RepackCorrect.

(** If the check says yes, and the tensors that are given hold the same, but packed ones what the map says, then every
    tensor that the original stores, temporaries and outputs, is the same after both kernels. *)
Theorem repack_correct (S : scalars) (law : rules S) (P : packing) (k q : prog S) (st st' : store S) :
  repack law P k q = Same -> packed_store P st st' ->
  good_cells law (old_shape P) st -> good_cells law (new_shape P) st' -> numeric_cells law P st ->
  forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
Proof. intros R G1 G2 G3 G4 t i. apply (checked_correct law P k q st st'); auto. now apply repack_checked in R. Qed.

(** Over any scalars, without the rule of sums: literals and operations need a sound test of equality, nothing else. *)
Section Plain.
  Context {S : scalars}.
  Variables (lit_eqb : lit S -> lit S -> bool) (bop_eqb : bop S -> bop S -> bool).
  Variables (fid_eqb : fid S -> fid S -> bool) (red_eqb : red S -> red S -> bool).
  Hypothesis lit_right : forall a b, lit_eqb a b = true -> a = b.
  Hypothesis bop_right : forall a b, bop_eqb a b = true -> a = b.
  Hypothesis fid_right : forall a b, fid_eqb a b = true -> a = b.
  Hypothesis red_right : forall a b, red_eqb a b = true -> a = b.

  Definition plain_rules : rules S.
  Proof.
    refine (@Rules S lit_eqb bop_eqb fid_eqb red_eqb (fun _ => false) (fun _ => false) (fun _ => false)
              (fun _ => True) (fun _ => True) (fun _ _ => false) (fun _ => false) (fun z => z) (fun _ _ => True)
              (fun _ => false) (fun _ => false) (fun _ => false) lit_right bop_right fid_right red_right _ _ _ _ _ _ _ _ _);
      try (intros; exact I); intros; discriminate.
  Defined.

  Theorem repack_plain (P : packing) (k q : prog S) (st st' : store S) :
    repack plain_rules P k q = Same -> packed_store P st st' ->
    forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
  Proof. intros R G. now apply (repack_correct S plain_rules P k q st st' R G). Qed.
End Plain.

Lemma all_from_right (f : Z -> bool) n : forall k, all_from f (Z.of_nat k) n = forallb (fun j => f (Z.of_nat j)) (seq k n).
Proof.
  induction n as [| n IH]; intros k; [reflexivity |]. cbn [all_from seq forallb].
  destruct (f (Z.of_nat k)); [| reflexivity]. rewrite <- IH. now rewrite Nat2Z.inj_succ.
Qed.

Lemma all_box_right d : forall f, all_box f d = true -> forall i, in_box d i = true -> f i = true.
Proof.
  induction d as [| n d IH]; intros f H [| k i] I; try discriminate I; [exact H |].
  apply in_box_cons in I as [[low high] I]. cbn [all_box] in H.
  rewrite (all_from_right _ n 0), forallb_forall in H.
  specialize (H (Z.to_nat k)). rewrite in_seq, Z2Nat.id in H by exact low.
  exact (IH (fun i => f (k :: i)) (H ltac:(lia)) i I).
Qed.

(** The check of the data says what is asked of a packed tensor. *)
Theorem data_same_right {A} (zero : A) (eqb : A -> A -> bool) (P : packing) (e : packed) (old new : list Z -> A) :
  (forall x y, eqb x y = true -> x = y) -> data_same zero eqb P e old new = true ->
  forall i, in_box (new_shape P (tensor e)) i = true -> new i = packed_cell zero e old i.
Proof. intros E D i ini. exact (E _ _ (all_box_right _ _ D i ini)). Qed.

(** Both checks: the packed tensors hold what the map says because the data were looked at. *)
Theorem repack_with_data (S : scalars) (law : rules S) (P : packing) (eqb : carrier S -> carrier S -> bool) (k q : prog S)
    (st st' : store S) :
  (forall x y, eqb x y = true -> x = y) -> repack law P k q = Same ->
  forallb (fun e => data_same (zero S) eqb P e (st (tensor e)) (st' (tensor e))) (entries P) = true ->
  (forall t i, t < count_old P -> entry P t = None -> in_box (old_shape P t) i = true -> st' t i = st t i) ->
  good_cells law (old_shape P) st -> good_cells law (new_shape P) st' -> numeric_cells law P st ->
  forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
Proof.
  intros E R D others_ G1 G2 G3. apply (repack_correct S law P k q st st' R); auto.
  intros t i lt. destruct (entry P t) as [e |] eqn:En; [| now apply others_].
  apply find_some in En as [ine Et]. apply Nat.eqb_eq in Et. subst t. rewrite forallb_forall in D.
  exact (data_same_right (zero S) eqb P e (st (tensor e)) (st' (tensor e)) E (D e ine) i).
Qed.
