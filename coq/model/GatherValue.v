(** * A Gather whose indices are in range has a value *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Calque Require Import base.Lists attr.Attr.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Shapes tensor.Ops tensor.OpTable.
Import ListNotations.
Open Scope nat_scope.

Section Gather.
  Variable S : arith.
  Notation tensor := (tensor (num S)).

  Lemma traverse_nth {X Y} (f : X -> option Y) l : forall m, traverse f l = Some m ->
    forall k x, nth_error l k = Some x -> exists y, nth_error m k = Some y /\ f x = Some y.
  Proof.
    induction l as [| a l IH]; intros m T k x E; [destruct k; discriminate |]. cbn [traverse] in T.
    destruct (f a) as [y |] eqn:F; [| discriminate]. destruct (traverse f l) as [m' |]; [| discriminate].
    injection T as <-. destruct k as [| k]; cbn in *.
    - injection E as <-. eauto.
    - now apply (IH m').
  Qed.

  Lemma gather_exists (x ix : tensor) axis index :
    good ix -> traverse (s_index S) (cells ix) = Some index ->
    (let n := Z.of_nat (nth axis (dims x) 0) in
     forallb (fun z => (- n <=? z) && (z <? n))%Z index = true) ->
    exists t, gather S axis x ix = Some t.
  Proof.
    cbv zeta. intros G T V. unfold gather, guard.
    destruct (forallb _ (box (dims ix))) eqn:ok; [cbn; eauto |].
    exfalso. apply not_true_iff_false in ok. apply ok. clear ok. apply forallb_forall. intros i I.
    apply KernelProof.in_box_box in I. unfold at_, get. rewrite I.
    pose proof (position_lt _ _ I) as lt. rewrite <- G in lt.
    destruct (traverse_nth _ _ _ T _ _ (nth_error_nth' (cells ix) (s_zero S) lt)) as (z & Ez & Sz).
    apply nth_error_In in Ez. rewrite forallb_forall in V. specialize (V z Ez). apply andb_true_iff in V as [lo hi].
    apply Z.leb_le in lo. apply Z.ltb_lt in hi. unfold index_of. rewrite Sz. unfold guard.
    destruct (Z.ltb_spec z 0).
    - destruct (Z.leb_spec 0 (z + Z.of_nat (nth axis (dims x) 0))),
        (Z.ltb_spec (z + Z.of_nat (nth axis (dims x) 0)) (Z.of_nat (nth axis (dims x) 0))); cbn; try reflexivity; lia.
    - destruct (Z.leb_spec 0 z), (Z.ltb_spec z (Z.of_nat (nth axis (dims x) 0))); cbn; try reflexivity; lia.
  Qed.

  Theorem gather_value l (x ix : tensor) index axis :
    good ix -> traverse (s_index S) (cells ix) = Some index ->
    axis_in l (Some 0%Z) (dims x) = Some axis ->
    (let n := Z.of_nat (nth axis (dims x) 0) in
     forallb (fun z => (- n <=? z) && (z <? n))%Z index = true) ->
    exists v, op_value S "Gather" l [GTensor x; GTensor ix] = Some v.
  Proof.
    intros G T Ax V. unfold op_value. cbn. rewrite Ax.
    destruct (gather_exists x ix axis index G T V) as (t & ->). cbn. eauto.
  Qed.
End Gather.
