(** * Gather as a look-up

    The look-up that Gather is when its indices are data (c/tensor/kernel_move.c): it has
    the cells of the operator's value, an index outside is an error exactly where the
    operator has no value, and at known indices it does what the kernel made for them does. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Lookup.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpKernel tensor.OpEval tensor.OpMapProof tensor.OpPadProof.
Import ListNotations.
Open Scope nat_scope.

(** Y0<gather_dims>[..] = X0[i1, .., at(X1[..]), .., in] *)
Definition gather_look (axis : nat) (dx dix : sizes) : look :=
  {| lout := tY 0; ldims := gather_dims axis dx dix; lfrom := tX 0; lsize := nth axis dx 0;
     before := map IVar (seq 0 axis);
     after := map IVar (seq (axis + length dix) (length dx - S axis));
     lwhere := tX 1; lplace := map IVar (seq axis (length dix)) |}.

Lemma eval_seq i a n : a + n <= length i -> map (eval_ix i) (map IVar (seq a n)) = firstn n (skipn a i).
Proof.
  intros le. apply (nth_ext _ _ 0%Z 0%Z).
  - rewrite !map_length, seq_length, firstn_length, skipn_length. lia.
  - rewrite !map_length, seq_length. intros k lt. rewrite nth_firstn by exact lt. rewrite nth_skipn.
    rewrite map_map. rewrite (nth_indep _ 0%Z (eval_ix i (IVar 0))) by (rewrite map_length, seq_length; exact lt).
    rewrite (map_nth (fun v => eval_ix i (IVar v))). rewrite seq_nth by exact lt. reflexivity.
Qed.

Section Gather.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation index := (s_index A : carrier K -> option Z).
  Variables (axis : nat) (x ix : tensor (num A)) (st : store K).
  Hypothesis below : axis < length (dims x).
  Hypothesis H : holds A st [x; ix].
  Notation l := (gather_look axis (dims x) (dims ix)).
  Notation r := (length (dims ix)).

  Lemma counted_index a : match s_index A a with Some z => counted (nth axis (dims x) 0) z | None => None end =
    index_of A (nth axis (dims x) 0) a.
  Proof. unfold index_of. now destruct (s_index A a). Qed.

  Lemma gather_length i : in_box (ldims l) i = true -> length i = length (dims x) - 1 + r.
  Proof.
    intros I. rewrite (in_box_length _ _ I). unfold ldims, gather_look, gather_dims.
    rewrite !app_length, firstn_length, skipn_length. lia.
  Qed.

  Lemma gather_cell i : in_box (ldims l) i = true ->
    look_cell index st l i =
    option_map (fun z => at_ A x (firstn axis i ++ z :: skipn (axis + r) i))
      (index_of A (nth axis (dims x) 0) (at_ A ix (firstn r (skipn axis i)))).
  Proof.
    intros I. pose proof (gather_length i I) as L. unfold look_cell.
    assert (number st l i = at_ A ix (firstn r (skipn axis i))) as ->.
    { unfold number, where_at. cbn [lwhere lplace gather_look]. rewrite eval_seq by lia. now apply (H 1). }
    rewrite <- counted_index. destruct (s_index A _) as [z |]; [| reflexivity].
    cbn [lsize gather_look]. destruct (counted _ z) as [z' |]; [| reflexivity]. cbn [option_map]. f_equal.
    unfold from_at. cbn [lfrom before after gather_look]. rewrite !eval_seq by lia.
    rewrite (H 0 x eq_refl). cbn [skipn]. rewrite (firstn_all2 (n := length (dims x) - S axis)); [reflexivity |].
    rewrite skipn_length. lia.
  Qed.

  Lemma gather_split i : in_box (ldims l) i = true ->
    in_box (dims ix) (firstn r (skipn axis i)) = true.
  Proof.
    intros I. cbn [ldims gather_look] in I. unfold gather_dims in I. apply in_box_split in I.
    destruct I as (i1 & i2 & -> & I1 & I2). apply in_box_split in I2. destruct I2 as (i3 & i4 & -> & I3 & _).
    apply in_box_length in I1 as L1. apply in_box_length in I3 as L3.
    rewrite firstn_length_le in L1 by lia. rewrite skipn_app, L1, Nat.sub_diag, skipn_all2 by lia.
    cbn [app skipn]. rewrite firstn_app, L3, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r.
    now rewrite firstn_all2 by lia.
  Qed.

  (** The operator's value is what the look-up leaves. *)
  Theorem gather_look_gives t : gather A axis x ix = Some t ->
    exists st', exec_look index l st = Filled st' /\
      forall i, in_box (dims t) i = true -> st' (tY 0) i = at_ A t i.
  Proof.
    intros M. unfold gather in M. unfold guard in M at 1.
    destruct (forallb _ (box (dims ix))) eqn:all; [| discriminate]. rewrite forallb_forall in all.
    destruct (OpMapProof.table_some A _ _ _ M) as (ds & E & T). injection E as <-.
    assert (forall i, in_box (ldims l) i = true -> exists z,
              index_of A (nth axis (dims x) 0) (at_ A ix (firstn r (skipn axis i))) = Some z) as some.
    { intros i I. specialize (all (firstn r (skipn axis i))). rewrite in_box_box in all.
      specialize (all (gather_split i I)). destruct (index_of _ _ _) as [z |]; [now exists z | discriminate]. }
    assert (exists st', exec_look index l st = Filled st') as [st' D].
    { apply exec_look_done. intros i I O. apply outside_iff in O. rewrite gather_cell in O by exact I.
      destruct (some i I) as [z Ez]. rewrite Ez in O. discriminate. }
    exists st'. split; [exact D |]. intros i I. rewrite T in I |- *. cbn [dims tabulate] in I.
    apply (exec_look_cell K index l st st' i _ D I). apply looked_iff. rewrite gather_cell by exact I.
    destruct (some i I) as [z Ez]. rewrite Ez. cbn [option_map]. symmetry. unfold at_ at 1.
    rewrite get_tabulate by exact I. now rewrite Ez.
  Qed.

  (** Where it has none, an index is outside: that is what the look-up says, if it has any cell to look for. *)
  Theorem gather_look_outside : gather A axis x ix = None -> box (ldims l) <> [] ->
    exists p a, exec_look index l st = Outside l p a.
  Proof.
    intros M some. unfold gather in M. unfold guard in M at 1.
    destruct (forallb _ (box (dims ix))) eqn:all; [discriminate |].
    destruct (exec_look index l st) as [st' | m p a] eqn:E.
    2: { exists p, a. now destruct (proj1 (exec_look_outside K index l st m p a) E) as [-> _]. }
    exfalso. assert (forallb (fun j => match index_of A (nth axis (dims x) 0) (at_ A ix j) with Some _ => true | None => false end)
                       (box (dims ix)) = true) as yes; [| congruence].
    apply forallb_forall. intros j J. apply in_box_box in J.
    destruct (box (ldims l)) as [| i0 b] eqn:B; [congruence |].
    assert (in_box (ldims l) i0 = true) as I0 by (apply in_box_box; rewrite B; now left).
    cbn [ldims gather_look] in I0. unfold gather_dims in I0. apply in_box_split in I0.
    destruct I0 as (i1 & i2 & -> & I1 & I2). apply in_box_split in I2. destruct I2 as (i3 & i4 & -> & I3 & I4).
    apply in_box_length in I1 as L1. apply in_box_length in J as Lj.
    rewrite firstn_length_le in L1 by lia.
    set (i := i1 ++ j ++ i4). assert (in_box (ldims l) i = true) as I.
    { cbn [ldims gather_look]. unfold gather_dims, i. rewrite !in_box_app; auto.
      - now rewrite I1, J, I4.
      - now rewrite firstn_length_le by lia. }
    assert (firstn r (skipn axis i) = j) as Ej.
    { unfold i. rewrite skipn_app, L1, Nat.sub_diag, skipn_all2 by lia. cbn [app skipn].
      rewrite firstn_app, Lj, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r. now rewrite firstn_all2 by lia. }
    pose proof (proj1 (exec_look_done K index l st) (ex_intro _ st' E) i I) as N.
    rewrite <- outside_iff, gather_cell, Ej in N by exact I. destruct (index_of _ _ _); [reflexivity | now elim N].
  Qed.

  (** At indices that are known it computes what the kernel made for them computes. *)
  Theorem gather_look_constant t zs p :
    good ix -> traverse (s_index A) (cells ix) = Some zs -> gather A axis x ix = Some t ->
    k_gather A (map dims [x; ix]) (dims t) axis zs = Some p ->
    exists st', exec_look index l st = Filled st' /\
      forall i, in_box (dims t) i = true -> st' (tY 0) i = exec_prog p st (tY 0) i.
  Proof.
    intros G Z M P. destruct (gather_look_gives t M) as (st' & D & E). exists st'. split; [exact D |].
    intros i I. rewrite E by exact I. symmetry. now apply (k_gather_gives A st axis x ix zs t p below G Z M P H).
  Qed.
End Gather.
