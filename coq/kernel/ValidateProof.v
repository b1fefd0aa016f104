(** * A program that passes the check computes the statement: the same scalars, bit for bit *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof kernel.Lower kernel.LowerProof.
From Calque Require Import kernel.LowerTyped kernel.Validate.
From Calque Require dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Match dpia.RangeKnown.
From Calque Require emit.Whole.
From Calque Require dpia.Cells dpia.CellsProof dpia.CellsForm dpia.CellsNormal dpia.CellsNormalProof.
Import ListNotations.
Open Scope nat_scope.

(** ** Values are their leaves *)

Section Leaves.
  Context {A : Syntax.algebra}.
  Notation N := Syntax.numbers.
  Notation value := (Values.value A).

  Lemma value_ext (d : Syntax.data N) : forall v w : value, Values.has_type (s := Syntax.numbers_sizing) d v ->
    Values.has_type (s := Syntax.numbers_sizing) d w ->
    (forall t, Values.leaf (s := Syntax.numbers_sizing) d t -> Values.look v t = Values.look w t) -> v = w.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros v w Hv Hw same.
    - destruct (Values.has_num Hv) as [x ->], (Values.has_num Hw) as [y ->]. specialize (same [] I). cbn in same. congruence.
    - destruct (Values.has_ary Hv) as (l & -> & len & each), (Values.has_ary Hw) as (m & -> & len' & each').
      f_equal. apply nth_ext with (d := Values.junk) (d' := Values.junk); [congruence |]. intros i lt.
      destruct (Nth.nth_some _ lt) as [x Ex]. assert (lt' : i < length m) by congruence.
      destruct (Nth.nth_some _ lt') as [y Ey]. rewrite (nth_error_nth _ _ _ Ex), (nth_error_nth _ _ _ Ey).
      apply IH; eauto. intros t lf. specialize (same (Values.At i :: t)). cbn in same. rewrite Ex, Ey in same.
      apply same. split; [| exact lf]. change (Syntax.count n) with n in len. congruence.
    - destruct (Values.has_pair Hv) as (a & b & -> & Ha & Hb), (Values.has_pair Hw) as (a' & b' & -> & Ha' & Hb').
      f_equal; [apply IH1 | apply IH2]; auto; intros t lf.
      + exact (same (Values.L :: t) lf).
      + exact (same (Values.R :: t) lf).
  Qed.
End Leaves.

Section Cells.
  Context {A : Syntax.algebra}.
  Notation N := Syntax.numbers.
  Notation value := (Values.value A).
  Notation has_type := (Values.has_type (s := Syntax.numbers_sizing)).
  Notation leaf := (Values.leaf (s := Syntax.numbers_sizing)).
  Notation ty := (@Typing.ty A N Syntax.numbers_sizing).
  Notation eval' := (@Values.eval A N Syntax.numbers_sizing).

  (** The cell at these indices. *)
  Definition at_cell (ks : list nat) : Cells.point A := Cells.Point (fun x => Z.of_nat (nth x ks 0)) (fun _ => None).

  Lemma array_leaf d : forall t, leaf (array d) t -> exists ks, t = map Values.At ks /\ Forall2 lt ks d.
  Proof.
    induction d as [| n d IH]; intros [| [k | |] t] lf; cbn in lf; try tauto.
    - exists []. split; [reflexivity | constructor].
    - destruct lf as [lt lf]. destruct (IH t lf) as (ks & -> & F). exists (k :: ks). split; [reflexivity | now constructor].
  Qed.

  Lemma leaf_array d ks : Forall2 lt ks d -> leaf (array d) (map Values.At ks).
  Proof. induction 1; cbn; auto. Qed.

  Lemma within_cell ks d : Forall2 lt ks d -> CellsProof.within d (Cells.ind (at_cell ks)).
  Proof.
    intros F x n E. cbn. revert x E. induction F as [| k m ks d lt F IH]; intros [| x] E; cbn in *; try discriminate.
    - injection E as <-. lia.
    - now apply IH.
  Qed.

  Lemma own_stays R f ks : forall a, length ks + a <= length R ->
    (forall j, j < length ks -> f (a + j) = Z.of_nat (nth j ks 0)) ->
    CellsProof.stays R f (map (fun x => Cells.SAt (Syntax.XVar x)) (seq a (length ks))) (map Values.At ks).
  Proof.
    induction ks as [| k ks IH]; intros a le same; cbn [length seq map]; [now apply CellsProof.stays_nil |].
    apply CellsProof.stays_at. exists k, (map Values.At ks). split; [reflexivity |]. split.
    - intros g alike. cbn. rewrite alike by (cbn in le; lia). specialize (same 0 ltac:(cbn; lia)). now rewrite Nat.add_0_r in same.
    - apply IH; [cbn in le; lia |]. intros j lt. specialize (same (Datatypes.S j) ltac:(cbn; lia)).
      replace (Datatypes.S a + j) with (a + Datatypes.S j) by lia. exact same.
  Qed.

  (** What a program reads as its cell is the cell's value: over any scalars, bit for bit. *)
  Theorem cells_correct (types : list (Syntax.data N)) (inputs : list value) (dims : list nat) (e : Syntax.exp A N) c ks :
    ty (Typing.closed types) e (array dims) -> Forall2 has_type types inputs -> Forall2 lt ks dims ->
    Cells.cells CellsForm.tidy (length inputs) dims e = Some c ->
    Values.look (eval' inputs e) (map Values.At ks) = Cells.cval inputs (at_cell ks) c.
  Proof.
    intros T fit inside E.
    assert (len : length ks = length dims) by (eapply Forall2_length; exact inside).
    assert (at_ : forall x d, nth_error types x = Some d -> exists w, nth_error inputs x = Some w /\ has_type d w).
    { clear -fit. induction fit as [| d w types inputs H fit IH]; intros [| x] d' Ex; cbn in *; try discriminate; [injection Ex as <-; eauto | auto]. }
    assert (known : forall x d, nth_error (Typing.vars (Typing.closed types)) x = Some d ->
      exists u w, d = Syntax.TD u /\ nth_error types x = Some u /\ nth_error inputs x = Some w /\ has_type u w).
    { intros x d Ex. cbn in Ex. rewrite nth_error_map in Ex. destruct (nth_error types x) as [u |] eqn:Eu; [| discriminate].
      injection Ex as <-. destruct (at_ x u Eu) as (w & Ew & H). exists u, w. auto. }
    apply (CellsProof.read_right CellsForm.tidy CellsForm.tidy_right (G := Typing.closed types) (d := array dims)
             (K := map Cells.loaded (seq 0 (length inputs))) (R := dims) (p := Cells.own dims)); auto.
    - split; [| intros ? ? []]. intros x d Ex. destruct (known x d Ex) as (u & w & -> & _ & Ew & H). eauto.
    - intros x d Ex. destruct (known x d Ex) as (u & w & -> & _ & Ew & H). exists (Cells.loaded x), w.
      split; [| split; [exact Ew |]].
      + rewrite nth_error_map, Nth.nth_seq by (now apply nth_error_bound in Ew). reflexivity.
      + intros R' r' p t c' within' agree st lf E'. cbn in E'. injection E' as <-. cbn.
        rewrite (CellsProof.stays_here st), (nth_error_nth _ _ _ Ew). reflexivity.
    - now apply within_cell.
    - unfold Cells.own. rewrite <- len. apply own_stays; [lia |]. reflexivity.
    - now apply leaf_array.
  Qed.
End Cells.

Section ValidateProof.
  Variable S : scalars.
  Notation A := (scalar_algebra S).
  Notation N := Syntax.numbers.
  Variable law : CellsNormal.laws A.
  Variable shape : tid -> list nat.
  Notation eval' := (@Values.eval A N Syntax.numbers_sizing).
  Notation has_type := (@Values.has_type A N Syntax.numbers_sizing).

  (** What the tensors hold, as values of the program's variables. *)
  Definition held (n : nat) (st : store S) : list (Values.value A) := map (fun t => tree S (shape t) (st t)) (seq 0 n).

  Definition good_store (n : nat) (st : store S) : Prop :=
    forall t i, t < n -> in_box (shape t) i = true -> CellsNormal.good law (st t i).

  Lemma tree_typed d : forall x, has_type (array d) (tree S d x).
  Proof.
    induction d as [| n d IH]; intros x; cbn; [exact I |]. rewrite map_length, seq_length. split; [reflexivity |].
    intros i v E. apply nth_error_In, in_map_iff in E as (k & <- & _). apply IH.
  Qed.

  Lemma tree_good d : forall x, (forall i, in_box d i = true -> CellsNormal.good law (x i)) ->
    CellsNormalProof.good_value law (tree S d x).
  Proof.
    induction d as [| n d IH]; intros x G t y E.
    - destruct t as [| []]; cbn in E; try discriminate. injection E as <-. now apply G.
    - destruct t as [| [k | |] t]; try discriminate. cbn in E. rewrite nth_error_map in E.
      destruct (nth_error (seq 0 n) k) as [j |] eqn:Ej; [| discriminate]. cbn in E.
      apply (IH (fun i => x (Z.of_nat j :: i))) with (t := t); [| exact E].
      intros i ini. apply G. cbn. rewrite ini. apply nth_error_In, in_seq in Ej.
      destruct (Z.leb_spec 0 (Z.of_nat j)); [| lia]. destruct (Z.ltb_spec (Z.of_nat j) (Z.of_nat n)); [reflexivity | lia].
  Qed.

  Lemma held_nth n st t : t < n -> nth t (held n st) (@Values.junk A) = tree S (shape t) (st t).
  Proof.
    intros lt. unfold held. rewrite (nth_indep _ _ (tree S (shape 0) (st 0))) by now rewrite map_length, seq_length.
    now rewrite (map_nth (fun t => tree S (shape t) (st t))), seq_nth.
  Qed.

  Lemma held_typed n st : Forall2 has_type (tensors shape n) (held n st).
  Proof.
    unfold tensors, held. generalize (seq 0 n) as l.
    induction l as [| t l IH]; cbn; constructor; [apply tree_typed | exact IH].
  Qed.

  Lemma held_good n st : good_store n st -> forall w, In w (held n st) -> CellsNormalProof.good_value law w.
  Proof.
    intros G w inw. apply in_map_iff in inw as (t & <- & int_). apply in_seq in int_.
    apply tree_good. intros i ini. apply G; [lia | exact ini].
  Qed.

  (** What the check has found. *)
  Lemma validate_valid n p s : validate S law shape n p s = Valid ->
    Typing.ty (Typing.closed (tensors shape n)) p (array (dims s)) /\
    dims s = shape (out s) /\ (forall t, in_bounds_stmt t (shape t) s) /\ (forall t, In t (loads (body s)) -> t < n) /\
    exists k c c', lower_stmt S shape (fun t => t) s = Some k /\ cells S n (dims s) p = Some c /\
      cells S n (dims s) k = Some c' /\ CellsNormal.cell_eq law (dims s) c c' = true.
  Proof.
    unfold validate. intros V.
    destruct (Typing.infer _ _ p) as [d |] eqn:T; [| discriminate].
    destruct (Typing.data_eqb d (array (dims s))) eqn:D; [| discriminate].
    apply Typing.data_eqb_eq in D. subst d.
    apply (Typing.infer_sound range (@RangeKnown.range_known_sound N Syntax.numbers_sizing)) in T.
    destruct (wf_stmt shape s) eqn:W; cbn [andb] in V; [| discriminate].
    destruct (forallb (fun t => t <? n) (loads (body s))) eqn:L; [| discriminate].
    apply wf_sound in W as [same_dims safe].
    destruct (lower_stmt S shape (fun t => t) s) as [k |] eqn:Ek; [| discriminate].
    destruct (cells S n (dims s) p) as [c |] eqn:Ec; [| discriminate].
    destruct (cells S n (dims s) k) as [c' |] eqn:Ec'; [| discriminate].
    destruct (CellsNormal.cell_eq law (dims s) c c') eqn:same; [| discriminate].
    split; [exact T |]. split; [exact same_dims |]. split; [exact safe |].
    split; [| exists k, c, c'; auto].
    intros t int_. rewrite forallb_forall in L. now apply Nat.ltb_lt, L.
  Qed.

  Theorem validated_correct (n : nat) (p : Syntax.exp A N) (s : stmt S) (st : store S) :
    validate S law shape n p s = Valid -> good_store n st ->
    eval' (held n st) p = tree S (dims s) (exec s st (out s)).
  Proof.
    intros V G. apply validate_valid in V as (T & _ & safe & below & k & c & c' & Ek & Ec & Ec' & same).
    assert (Tk : Typing.ty (Typing.closed (tensors shape n)) k (array (dims s))).
    { eapply lower_stmt_typed; [exact Ek | | exact safe]. intros t int_. cbn.
      unfold tensors. rewrite map_map, nth_error_map, Nth.nth_seq by (now apply below). reflexivity. }
    assert (Vk : eval' (held n st) k = tree S (dims s) (exec s st (out s))).
    { apply (lower_correct S shape s (fun t => t) k _ st Ek); [| exact safe].
      intros t int_. apply held_nth. now apply below. }
    rewrite <- Vk.
    assert (ok : Values.env_ok (Typing.closed (tensors shape n)) (held n st)).
    { split; [| intros ? ? []]. intros x d Ex. cbn in Ex. unfold tensors in Ex. rewrite map_map, nth_error_map in Ex.
      destruct (@nth_error tid (seq 0 n) x) as [t |] eqn:Et; [| discriminate]. cbn in Ex. injection Ex as <-.
      exists (tree S (shape t) (st t)). split; [| apply tree_typed]. unfold held. rewrite nth_error_map.
      change (@nth_error nat (seq 0 n) x) with (@nth_error tid (seq 0 n) x). now rewrite Et. }
    assert (len : length (held n st) = n) by (unfold held; now rewrite map_length, seq_length).
    apply (value_ext (array (dims s))); try (eapply Match.eval_has_type; eassumption).
    intros t lf. apply array_leaf in lf as (ks & -> & inside).
    unfold cells in Ec, Ec'.
    rewrite (cells_correct (tensors shape n) (held n st) (dims s) p c ks T (held_typed n st) inside) by now rewrite len.
    rewrite (cells_correct (tensors shape n) (held n st) (dims s) k c' ks Tk (held_typed n st) inside) by now rewrite len.
    apply (@CellsNormalProof.cell_eq_right A law (held n st)) with (R := dims s);
      [now apply held_good | exact same | now apply within_cell | intros l x E; discriminate].
  Qed.

  (** ** Programs of several assignments *)

  Lemma look_tree d : forall ks x, Forall2 lt ks d -> Values.look (tree S d x) (map Values.At ks) = Some (x (map Z.of_nat ks)).
  Proof.
    induction d as [| n d IH]; intros ks x F; inversion F as [| k m ks' d' lt F']; subst; [reflexivity |].
    cbn. rewrite nth_error_map, Nth.nth_seq by exact lt. cbn. now apply IH.
  Qed.

  Lemma box_numbers d : forall i, in_box d i = true -> exists ks, i = map Z.of_nat ks /\ Forall2 lt ks d.
  Proof.
    induction d as [| n d IH]; intros [| z i] B; cbn in B; try discriminate; [exists []; split; [reflexivity | constructor] |].
    apply andb_true_iff in B as [B Bi]. apply andb_true_iff in B as [B1 B2]. apply Z.leb_le in B1. apply Z.ltb_lt in B2.
    destruct (IH i Bi) as (ks & -> & F). exists (Z.to_nat z :: ks). split; [cbn; now rewrite Z2Nat.id |].
    constructor; [lia | exact F].
  Qed.

  Lemma validated_good n p s st : validate S law shape n p s = Valid -> good_store n st -> good_store n (exec s st).
  Proof.
    intros V G t i lt ini. unfold exec, upd. destruct (Nat.eqb_spec t (out s)) as [-> | _]; [| now apply G].
    pose proof (validated_correct n p s st V G) as E.
    apply validate_valid in V as (T & same_dims & _ & _ & k & c & c' & _ & Ec & _).
    rewrite <- same_dims in ini. destruct (box_numbers _ _ ini) as (ks & -> & F).
    assert (len : length (held n st) = n) by (unfold held; now rewrite map_length, seq_length).
    pose proof (cells_correct (tensors shape n) (held n st) (dims s) p c ks T (held_typed n st) F) as C.
    rewrite len in C. specialize (C Ec). rewrite E, look_tree in C by exact F.
    unfold exec in C. rewrite upd_same in C.
    apply (@CellsNormalProof.cval_good A law (held n st) (held_good n st G) c (at_cell ks)); [intros l x X; discriminate | now symmetry].
  Qed.

  (** The assignments in turn, each sees what is held when it begins. *)
  Definition assignments (l : list (tid * Syntax.exp A N)) : list (@Whole.assignment A N) :=
    map (fun tp => Whole.Assignment (fst tp) (array (shape (fst tp))) (snd tp) true) l.

  Lemma all_visible (set : nat -> bool) (env : list (Values.value A)) t d p : (forall x, set x = true) ->
    Whole.value_of (s := Syntax.numbers_sizing) set (Whole.Assignment t d p true) env = eval' env p.
  Proof.
    intros all. unfold Whole.value_of, Whole.visible. cbn [Whole.buffered Whole.source]. f_equal.
    generalize 0. induction env as [| w env IH]; intros a; cbn; [reflexivity |].
    rewrite all. cbn. f_equal. apply IH.
  Qed.

  Lemma replace_nth : forall (l : list (Values.value A)) (f g : nat -> Values.value A) a k w, k < length l ->
    l = map f (seq a (length l)) -> g (a + k) = w -> (forall j, j < length l -> j <> k -> g (a + j) = f (a + j)) ->
    Whole.replace k w l = map g (seq a (length l)).
  Proof.
    induction l as [| v l IH]; intros f g a k w lt E at_k others; cbn [length] in *; [lia |].
    cbn [seq map] in E. injection E as Ev El. destruct k as [| k]; cbn [Whole.replace seq map].
    - f_equal; [rewrite Nat.add_0_r in at_k; congruence |]. rewrite El at 1. apply map_ext_in. intros j inj. apply in_seq in inj.
      specialize (others (j - a) ltac:(lia) ltac:(lia)). replace (a + (j - a)) with j in others by lia. congruence.
    - f_equal.
      + specialize (others 0 ltac:(lia) ltac:(lia)). rewrite Nat.add_0_r in others. congruence.
      + apply (IH f g (Datatypes.S a) k w); [lia | exact El | rewrite <- at_k; f_equal; lia |].
        intros j ltj ne. specialize (others (Datatypes.S j) ltac:(lia) ltac:(lia)).
        replace (Datatypes.S a + j) with (a + Datatypes.S j) by lia. exact others.
  Qed.

  Theorem validated_program (n : nat) : forall (l : list (tid * Syntax.exp A N)) (k : prog S) (st : store S) (set : nat -> bool),
    validate_all S law shape n l k = true -> good_store n st -> (forall x, set x = true) ->
    Whole.meaning (s := Syntax.numbers_sizing) set (assignments l) (held n st) = held n (exec_prog k st).
  Proof.
    induction l as [| [t p] l IH]; intros [| s k] st set V G all; cbn [validate_all] in V; try discriminate; [reflexivity |].
    rewrite !andb_true_iff in V. destruct V as [[[Et lt] Vs] V]. apply Nat.eqb_eq in Et. apply Nat.ltb_lt in lt. subst t.
    destruct (validate S law shape n p s) eqn:Ev; try discriminate.
    assert (same_dims : dims s = shape (out s)) by (apply validate_valid in Ev; tauto).
    cbn [assignments map Whole.meaning Whole.target fst snd]. rewrite (all_visible set) by exact all. rewrite (validated_correct n p s st Ev G).
    assert (E : Whole.replace (out s) (tree S (dims s) (exec s st (out s))) (held n st) = held n (exec s st)).
    { assert (len : length (held n st) = n) by (unfold held; now rewrite map_length, seq_length).
      rewrite (replace_nth (held n st) (fun t => tree S (shape t) (st t)) (fun t => tree S (shape t) (exec s st t)) 0).
      - now rewrite len.
      - now rewrite len.
      - now rewrite len.
      - cbn. now rewrite same_dims.
      - intros j _ ne. cbn. unfold exec. now rewrite upd_other. }
    rewrite E. change (exec_prog (s :: k) st) with (exec_prog k (exec s st)).
    apply IH; [exact V | now apply validated_good with p |]. intros x. unfold Whole.after. rewrite all. apply orb_true_r.
  Qed.
End ValidateProof.
