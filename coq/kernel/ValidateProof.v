(** * A program that passes the check computes the statement: the same scalars, bit for bit *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof kernel.Lower kernel.LowerProof.
From Calque Require Import kernel.LowerTyped kernel.Validate.
From Calque Require dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Match dpia.RangeKnown.
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

  Theorem validated_correct (n : nat) (p : Syntax.exp A N) (s : stmt S) (st : store S) :
    validate S law shape n p s = Valid -> good_store n st ->
    eval' (held n st) p = tree S (dims s) (exec s st (out s)).
  Proof.
    unfold validate. intros V G.
    destruct (Typing.infer _ _ p) as [d |] eqn:T; [| discriminate].
    destruct (Typing.data_eqb d (array (dims s))) eqn:D; [| discriminate].
    apply Typing.data_eqb_eq in D. subst d.
    apply (Typing.infer_sound range (@RangeKnown.range_known_sound N Syntax.numbers_sizing)) in T.
    destruct (wf_stmt shape s) eqn:W; cbn [andb] in V; [| discriminate].
    destruct (forallb (fun t => t <? n) (loads (body s))) eqn:L; [| discriminate].
    assert (below : forall t, In t (loads (body s)) -> t < n).
    { intros t int_. rewrite forallb_forall in L. now apply Nat.ltb_lt, L. }
    apply wf_sound in W as [_ safe].
    destruct (lower_stmt S shape (fun t => t) s) as [k |] eqn:Ek; [| discriminate].
    destruct (cells S n (dims s) p) as [c |] eqn:Ec; [| discriminate].
    destruct (cells S n (dims s) k) as [c' |] eqn:Ec'; [| discriminate].
    destruct (CellsNormal.cell_eq law (dims s) c c') eqn:same; [| discriminate].
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
    apply (@CellsNormalProof.cell_eq_right A law (held n st)) with (R := dims s); [| exact same | now apply within_cell | intros l x E; discriminate].
    intros w inw. apply in_map_iff in inw as (t & <- & int_). apply in_seq in int_.
    apply tree_good. intros i ini. apply G; [lia | exact ini].
  Qed.
End ValidateProof.
