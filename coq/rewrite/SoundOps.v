(** * Equations of calls, opened

    What a call has says about its inputs and its value, by the number of inputs. *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import rewrite.Sound rewrite.SoundUse rewrite.SoundModel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Section Ops.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Variables inputs constants : N -> option tensor.
  Variable shapes : N -> option sizes.
  Notation calls := (calls (tensors S inputs constants shapes)).
  Notation the name := (look_up String.eqb (operators S) name).

  (** A tensor with as many cells as its sizes say, and as the operator's attribute has it. *)
  Definition fine (name : string) (at_ : attributes) (u : tensor) : Prop := good u /\ stated name at_ (Of u) = true.

  Lemma trim_absent (l : list (option tensor)) n : trim (l ++ repeat None n) = trim l.
  Proof.
    induction l as [| a l IH]; simpl; [| now rewrite IH]. induction n as [| n IH]; [reflexivity |].
    simpl. now rewrite IH.
  Qed.

  Lemma strip_inputs (vs : list (val tensor)) : OpTable.inputs (strip vs) = OpTable.inputs vs.
  Proof.
    unfold OpTable.inputs. induction vs as [| v vs IH]; [reflexivity |]. simpl.
    assert (forall l, option_map trim (traverse operand l) = option_map trim (traverse operand vs) ->
            option_map trim (traverse operand (v :: l)) = option_map trim (traverse operand (v :: vs))) as cons_.
    { intros l E. simpl. destruct (operand v) as [a |]; [| reflexivity].
      destruct (traverse operand l) as [x |], (traverse operand vs) as [y |]; simpl in *; try discriminate; [| reflexivity].
      injection E as E. now rewrite E. }
    destruct (strip vs) as [| w l] eqn:Es; [| now apply (cons_ (w :: l))].
    destruct v as [t | ts |]; try exact (cons_ [] IH).
  Qed.

  Lemma calls_value name at_ vs v :
    calls name at_ (strip vs) = Some v <->
    op_value S name at_ vs = Some v /\ well v = true /\ stated name at_ v = true.
  Proof.
    cbn [Sound.calls tensors]. rewrite op_calls_iff. unfold op_value. now rewrite strip_inputs.
  Qed.

  Lemma op1_inv name d f at_ v w :
    calls name at_ (strip [v]) = Some w -> the name = Some (op1 S d f) ->
    exists t u, v = Of t /\ w = Of u /\ f at_ t = Some u /\ fine name at_ u.
  Proof.
    intros C O. apply calls_value in C. destruct C as (V & W & St). unfold op_value in V. rewrite O in V.
    destruct v as [t | |]; try discriminate. cbn in V. destruct (f at_ t) as [u |] eqn:F; [| discriminate].
    injection V as <-. exists t, u. repeat split; try assumption. now apply well_good.
  Qed.

  Lemma op1_intro name d f at_ t u :
    the name = Some (op1 S d f) -> f at_ t = Some u -> fine name at_ u -> calls name at_ (strip [Of t]) = Some (Of u).
  Proof.
    intros O F [G St]. apply calls_value. split; [| split; [now apply well_good | exact St]].
    unfold op_value. rewrite O. cbn. now rewrite F.
  Qed.

  Lemma op2_inv name d f at_ v v' w :
    calls name at_ (strip [v; v']) = Some w -> the name = Some (op2 S d f) ->
    exists t t' u, v = Of t /\ v' = Of t' /\ w = Of u /\ f at_ t t' = Some u /\ fine name at_ u.
  Proof.
    intros C O. apply calls_value in C. destruct C as (V & W & St). unfold op_value in V. rewrite O in V.
    destruct v as [t | |], v' as [t' | |]; try discriminate. cbn in V.
    destruct (f at_ t t') as [u |] eqn:F; [| discriminate].
    injection V as <-. exists t, t', u. repeat split; try assumption. now apply well_good.
  Qed.

  Lemma op2_intro name d f at_ t t' u :
    the name = Some (op2 S d f) -> f at_ t t' = Some u -> fine name at_ u ->
    calls name at_ (strip [Of t; Of t']) = Some (Of u).
  Proof.
    intros O F [G St]. apply calls_value. split; [| split; [now apply well_good | exact St]].
    unfold op_value. rewrite O. cbn. now rewrite F.
  Qed.

  (** An optional third: absent, or a tensor. *)
  Definition third (v : val tensor) (o : option tensor) : Prop :=
    match o with Some t => v = Of t | None => v = Absent end.

  Lemma op3_inv name d f at_ v v' v'' w :
    calls name at_ (strip [v; v'; v'']) = Some w -> the name = Some (op3 S d f) ->
    exists t t' o u, v = Of t /\ v' = Of t' /\ third v'' o /\ w = Of u /\ f at_ t t' o = Some u /\ fine name at_ u.
  Proof.
    intros C O. apply calls_value in C. destruct C as (V & W & St). unfold op_value in V. rewrite O in V.
    destruct v as [t | |], v' as [t' | |], v'' as [t'' | |]; try discriminate; cbn in V.
    - destruct (f at_ t t' (Some t'')) as [u |] eqn:F; [| discriminate]. injection V as <-.
      exists t, t', (Some t''), u. repeat split; try assumption. now apply well_good.
    - destruct (f at_ t t' None) as [u |] eqn:F; [| discriminate]. injection V as <-.
      exists t, t', None, u. repeat split; try assumption. now apply well_good.
  Qed.

  Lemma op3_intro name d f at_ t t' v o u :
    the name = Some (op3 S d f) -> third v o -> f at_ t t' o = Some u -> fine name at_ u ->
    calls name at_ (strip [Of t; Of t'; v]) = Some (Of u).
  Proof.
    intros O Th F [G St]. apply calls_value. split; [| split; [now apply well_good | exact St]].
    unfold op_value. rewrite O. destruct o as [t'' |]; simpl in Th; subst v; cbn; now rewrite F.
  Qed.

  Lemma op3_intro2 name d f at_ t t' u :
    the name = Some (op3 S d f) -> f at_ t t' None = Some u -> fine name at_ u ->
    calls name at_ (strip [Of t; Of t']) = Some (Of u).
  Proof.
    intros O F [G St]. apply calls_value. split; [| split; [now apply well_good | exact St]].
    unfold op_value. rewrite O. cbn. now rewrite F.
  Qed.

  (** Any number of tensors. *)
  Lemma traverse_operand (vs : list (val tensor)) l : traverse operand vs = Some l ->
    forall ts, l = map Some ts -> vs = map Of ts.
  Proof.
    revert l. induction vs as [| v vs IH]; intros l E ts Es; simpl in E.
    - injection E as <-. now destruct ts.
    - destruct v as [t | |]; try discriminate; simpl in E;
        (destruct (traverse operand vs) as [l' |]; [| discriminate]); injection E as <-;
        destruct ts as [| t' ts]; try discriminate. injection Es as -> Es. simpl. f_equal. now apply (IH l').
  Qed.

  Lemma traverse_some (ts : list tensor) : traverse (fun o : option tensor => o) (map Some ts) = Some ts.
  Proof. induction ts as [| t ts IH]; [reflexivity |]. simpl. now rewrite IH. Qed.

  (** None of the values is absent. *)
  Lemma any_inv name d f at_ vs w :
    calls name at_ (strip vs) = Some w -> the name = Some (Operator S (any d) (any f)) ->
    (forall v, In v vs -> v <> Absent) ->
    exists t ts u, vs = map Of (t :: ts) /\ w = Of u /\ f at_ t ts = Some u /\ fine name at_ u.
  Proof.
    intros C O present. apply calls_value in C. destruct C as (V & W & St). unfold op_value in V. rewrite O in V.
    destruct (OpTable.inputs vs) as [l |] eqn:I; [| discriminate]. cbn in V. unfold any in V.
    destruct (traverse (fun o => o) l) as [[| t ts] |] eqn:Tr; try discriminate.
    destruct (f at_ t ts) as [u |] eqn:F; [| discriminate]. injection V as <-.
    exists t, ts, u. split; [| repeat split; try assumption; now apply well_good].
    unfold OpTable.inputs in I. destruct (traverse operand vs) as [l' |] eqn:To; [| discriminate].
    injection I as <-. apply (traverse_operand vs l' To).
    assert (forall a, In a l' -> a <> None) as some.
    { clear - To present. revert l' To. induction vs as [| v vs IH]; intros l' To; simpl in To.
      - injection To as <-. easy.
      - destruct (operand v) as [a |] eqn:Ov; [| discriminate].
        destruct (traverse operand vs) as [m |]; [| discriminate]. injection To as <-. intros b [<- | inb].
        + specialize (present v (or_introl eq_refl)). destruct v; try discriminate; try easy. now injection Ov as <-.
        + apply (IH ltac:(intros x inx; apply present; now right) m eq_refl b inb). }
    assert (trim l' = l') as Et.
    { clear - some. induction l' as [| a l' IH]; [reflexivity |]. simpl. rewrite IH by (intros b inb; apply some; now right).
      specialize (some a (or_introl eq_refl)). now destruct a. }
    rewrite Et in Tr. clear - Tr. revert Tr. generalize (t :: ts). revert l'.
    intros l'. induction l' as [| a l' IH]; intros us Tr; simpl in Tr; [now injection Tr as <- |].
    destruct a as [a |]; [| discriminate]. destruct (traverse (fun o => o) l') as [us' |]; [| discriminate].
    injection Tr as <-. simpl. f_equal. now apply IH.
  Qed.

  Lemma any_intro name d f at_ t ts u :
    the name = Some (Operator S (any d) (any f)) -> f at_ t ts = Some u -> fine name at_ u ->
    calls name at_ (strip (map Of (t :: ts))) = Some (Of u).
  Proof.
    intros O F [G St]. apply calls_value. split; [| split; [now apply well_good | exact St]].
    unfold op_value. rewrite O, inputs_present. cbn [op_cells]. unfold any. rewrite traverse_some, F. reflexivity.
  Qed.

  (** Split. *)
  Lemma split_inv at_ v w : calls "Split" at_ (strip [v]) = Some w ->
    exists t axis parts ts, v = Of t /\ w = Fields ts /\ split_params at_ (dims t) = Some (axis, parts) /\
      Ops.split S axis parts t = Some ts /\ Forall good ts.
  Proof.
    intros C. apply calls_value in C. destruct C as (V & W & _). unfold op_value in V.
    change (the "Split"%string) with (Some (split_op S)) in V.
    destruct v as [t | |]; try discriminate. cbn in V.
    destruct (split_params at_ (dims t)) as [[axis parts] |] eqn:P; [| discriminate].
    destruct (Ops.split S axis parts t) as [ts |] eqn:Sp; [| discriminate]. injection V as <-.
    exists t, axis, parts, ts. repeat split; try assumption. simpl in W. rewrite forallb_forall in W.
    apply Forall_forall. intros u inu. now apply well_good, W.
  Qed.

  Lemma split_intro at_ t axis parts ts : split_params at_ (dims t) = Some (axis, parts) ->
    Ops.split S axis parts t = Some ts -> Forall good ts -> calls "Split" at_ (strip [Of t]) = Some (Fields ts).
  Proof.
    intros P Sp G. apply calls_value. split; [| split; [| reflexivity]].
    - unfold op_value. change (the "Split"%string) with (Some (split_op S)). cbn. now rewrite P, Sp.
    - simpl. rewrite forallb_forall. rewrite Forall_forall in G. intros u inu. now apply well_good, G.
  Qed.

  (** Shapes by their labels. *)
  Lemma shape_label g M a t s : describes (tensors S inputs constants shapes) (rho (tensors S inputs constants shapes) g M a) "shape" s ->
    rho (tensors S inputs constants shapes) g M a = Of t -> shape_of s = Some (dims t).
  Proof. intros D E. rewrite E in D. now apply D. Qed.

  Lemma ndim_label g M a t s : describes (tensors S inputs constants shapes) (rho (tensors S inputs constants shapes) g M a) "ndim" s ->
    rho (tensors S inputs constants shapes) g M a = Of t -> s = VInt (Z.of_nat (List.length (dims t))).
  Proof. intros D E. rewrite E in D. now apply D. Qed.

  Lemma rho_good g M a t : sane (tensors S inputs constants shapes) g ->
    rho (tensors S inputs constants shapes) g M a = Of t -> good t.
  Proof.
    intros san E. pose proof (rho_well S inputs constants shapes g M a san) as W. rewrite E in W. now apply well_good.
  Qed.
End Ops.
