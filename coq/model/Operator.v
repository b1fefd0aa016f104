(** * An operator that is accepted has a value and a kernel that computes it

    What a compiler knows of an operator's inputs, their sizes and where they are, is enough:
    if the sizes are accepted and there is a kernel, there is a value, the kernel's, and
    every load is inside. *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Calque Require Import base.Lists attr.Attr kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel.
From Calque Require tensor.Infer tensor.OpCorrect tensor.OpSafeAll tensor.OpEval.
From Calque Require Import model.GatherValue model.Compile model.State.
Import ListNotations.
Open Scope nat_scope.

Section Operator.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (tensor (num S)).

  (** The store of a kernel that is given the tensors [ts]. *)
  Definition given_store (ts : list tensor) : Kernel.store K := fun t =>
    match nth_error ts (t / 3) with
    | Some u => if t mod 3 =? 0 then get (s_zero S) u else fun _ => s_zero S
    | None => fun _ => s_zero S
    end.

  Lemma given_at ts k u : nth_error ts k = Some u -> given_store ts (tX k) = get (s_zero S) u.
  Proof.
    intros E. unfold given_store, tX. rewrite Nat.mul_comm, Nat.div_mul, Nat.mod_mul by lia. now rewrite E.
  Qed.

  Lemma op_value_present name attrs vs (ts : list tensor) : inputs vs = Some (map Some ts) ->
    op_value S name attrs vs = op_value S name attrs (map GTensor ts).
  Proof. intros E. unfold op_value. now rewrite E, inputs_present. Qed.

  (** What a Gather needs: its indices are known and in range. *)
  Definition gathered (attrs : attributes) (index : list Z) (ts : list tensor) : Prop :=
    exists x ix, ts = [x; ix] /\ traverse (s_index S) (cells ix) = Some index /\
      exists axis, axis_in attrs (Some 0%Z) (dims x) = Some axis /\
        (let n := Z.of_nat (nth axis (dims x) 0) in forallb (fun z => (- n <=? z) && (z <? n))%Z index = true).

  Theorem operator_accepted {X} (R : X -> tensor -> Prop) (sized : X -> sizes) name attrs bs vs l xs s index p :
    (forall x t, R x t -> dims t = sized x /\ good t) ->
    Forall2 (value_rel R) bs vs -> inputs bs = Some l -> traverse (fun o : option X => o) l = Some xs ->
    op_infer name attrs (map (map_value sized) bs) = Some s ->
    op_kernel S name attrs (map sized xs) (output_sizes s) (s_integer S) index = Some p ->
    (name = "Gather"%string -> forall ts, Forall2 R xs ts -> gathered attrs index ts) ->
    exists v ts, op_value S name attrs vs = Some v /\ s = map_value dims v /\ Infer.good_value v /\
      Forall2 R xs ts /\
      match v with
      | GTensor t => forall i, in_box (dims t) i = true -> exec_prog p (given_store ts) (tY 0) i = get (s_zero S) t i
      | GTuple us => forall j t, nth_error us j = Some t ->
          forall i, in_box (dims t) i = true -> exec_prog p (given_store ts) (tY j) i = get (s_zero S) t i
      | GAbsent => False
      end /\
      forall shapes, (forall k t, nth_error ts k = Some t -> shapes (tX k) = dims t) ->
        (forall s, In s p -> shapes (out s) = Kernel.dims s) ->
        forall s t, In s p -> in_bounds_stmt t (shapes t) s.
  Proof.
    intros HR F In_ Px Inf Op Gth.
    destruct (inputs_rel _ bs vs l F In_) as (l' & Iv & F'). destruct (present_rel _ l l' xs F' Px) as (ts & -> & Fx).
    assert (dims_xs : map sized xs = map dims ts).
    { clear - Fx HR. induction Fx as [| x t xs ts r _ IH]; [reflexivity |]. cbn. destruct (HR x t r) as [d _]. now rewrite IH, d. }
    assert (good_ts : Forall good ts).
    { clear - Fx HR. induction Fx as [| x t xs ts r _ IH]; constructor; auto. now apply (HR x). }
    assert (sizes_ : map (map_value sized) bs = map (map_value dims) vs).
    { apply value_rel_sizes with (R := R); [exact F |]. intros x y r. symmetry. now apply HR. }
    assert (good_vs : Forall Infer.good_value vs).
    { clear - F HR. induction F as [| b v bs vs r _ IH]; constructor; auto. destruct b, v; cbn in r |- *; try contradiction; auto.
      - now apply (HR _ _ r).
      - induction r as [| x t xs ts r _ IHr]; constructor; auto. now apply (HR x). }
    rewrite sizes_ in Inf.
    assert (exists v, op_value S name attrs vs = Some v) as [v V].
    { destruct (String.string_dec name "Gather") as [-> | no_gather].
      - destruct (Gth eq_refl ts Fx) as (x & ix & -> & Ti & axis & Ax & Va).
        destruct (gather_value S attrs x ix index axis) as [v V]; auto.
        { inversion good_ts as [| ? ? _ g]; subst. now inversion g. }
        exists v. now rewrite (op_value_present _ _ vs _ Iv).
      - exact (Infer.infer_complete S name attrs vs s good_vs no_gather Inf). }
    exists v, ts. pose proof (Infer.infer_sound S name attrs vs v V) as Iv'. rewrite Inf in Iv'. injection Iv' as ->.
    pose proof (Infer.op_value_good S name attrs vs v good_vs V) as good_v.
    pose proof V as V'. rewrite (op_value_present _ _ vs _ Iv) in V'.
    assert (outs : output_sizes (map_value dims v) = OpCorrect.result_dims S v) by (destruct v; reflexivity).
    rewrite outs, dims_xs in Op.
    assert (given_ : OpCorrect.given S name ts index).
    { intros Eg x ix Et. destruct (Gth Eg ts Fx) as (x' & ix' & E' & Ti & _). congruence. }
    split; [exact V |]. split; [reflexivity |]. split; [exact good_v |]. split; [exact Fx |]. split.
    - pose proof (OpCorrect.op_kernel_correct S name attrs ts v index p (given_store ts) V' Op good_ts given_) as C.
      assert (Hh : OpEval.holds S (given_store ts) ts).
      { intros k t Et j. now rewrite (given_at ts k t Et). }
      specialize (C Hh). destruct v as [t | us |]; exact C.
    - intros shapes ins_ outs_ s t Is j J.
      exact (OpSafeAll.op_kernel_safe S shapes name attrs ts v index p V' Op good_ts given_ ins_ outs_ s Is j J t).
  Qed.
End Operator.

Arguments given_store {S}.
