(** * Instances: the premises of the headline theorems about fused sums of products hold together

    [NAME_applies] is the theorem [OfFma.NAME] at a product of two matrices, in binary32 or of integers. *)

From Coq Require Import Bool List Lia Arith String NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Lower kernel.Numbers kernel.Fma.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.OpLanes tensor.OpFma.
From Calque Require Import tensor.Instances tensor.Fma.
From Calque Require kernel.KernelProof kernel.InlineAll kernel.FmaProof tensor.OpFmaProof tensor.Infer graph.Graph
  pattern.Pattern.
From Calque Require Import rewrite.SoundModel model.Unit model.ModelProof.
From Calque Require dpia.Syntax dpia.Values model.GraphKernel model.FusedFma model.Instance.
From Calque Require theorems.Fma theorems.AppliedLanes.
Module OfFma := theorems.Fma.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Kernels *)

(** A row of 4 numbers between zeros, times a vector of 4. *)
Definition inside : cond := CAnd (CCmp CGe (ISub (IVar 0) (ICst 1)) (ICst 0)) (CCmp CLt (ISub (IVar 0) (ICst 1)) (ICst 2)).

Definition dot (S : arith) : list (Kernel.stmt (kernel_scalars S)) :=
  [Stmt (S := kernel_scalars S) (tY 0) [1]
     (ERed (S := kernel_scalars S) KSum [4]
        (ESel inside (EBin (S := kernel_scalars S) OMul (ELd (tX 0) [ISub (IVar 0) (ICst 1)]) (ELd (tX 1) [IVar 0]))
                     (ECst (S := kernel_scalars S) (LInt 0))))].

(** Its sum is fused, its zero is -0. *)
Lemma dot_fused : any_sum_fused binary32 (dot binary32) = true /\
  map (@body _) (op_fma binary32 fma_binary32 (dot binary32)) =
  [ERed (S := formal_scalars binary32 fma_binary32) KSum [4]
     (ESel inside (EBin (S := formal_scalars binary32 fma_binary32) ExactProduct (ELd (tX 0) [ISub (IVar 0) (ICst 1)])
                    (ELd (tX 1) [IVar 0]))
                  (ECst (S := formal_scalars binary32 fma_binary32) minus_nought))].
Proof. split; reflexivity. Qed.

Definition ones : Kernel.store (kernel_scalars binary32) := fun _ _ => s_one binary32.
Definition whole_ones : Kernel.store (kernel_scalars integers) := fun _ _ => 1%Z.

Definition fma_value_applies :=
  OfFma.fma_value (kernel_scalars binary32) OMul is_product is_addition sums fma_binary32 is_nought minus_nought (dot binary32)
    ones (tY 0) [0%Z].

Definition fma_sum_applies :=
  OfFma.fma_sum (kernel_scalars binary32) is_product sums fma_binary32 is_nought minus_nought ones [0%Z] KSum [4] OMul inside
    (ELd (tX 0) [ISub (IVar 0) (ICst 1)]) (ELd (tX 1) [IVar 0]) (LInt 0) eq_refl eq_refl eq_refl.

Definition exact_in_sums_stores_applies :=
  OfFma.exact_in_sums_stores (kernel_scalars binary32) OMul is_addition sums fma_binary32
    (op_fma binary32 fma_binary32 (dot binary32))
    (as_formal (S := kernel_scalars binary32) OMul is_addition sums fma_binary32 ones)
    (OfFma.fma_exact (kernel_scalars binary32) OMul is_product is_addition sums fma_binary32 is_nought minus_nought
       (dot binary32))
    (fun t i => ex_intro _ (ones t i) eq_refl).

Lemma integers_fma_laws : OpFmaProof.fma_laws integers (multiply_add integers).
Proof. split; reflexivity. Qed.

Definition fma_same_applies :=
  OfFma.fma_same (kernel_scalars integers) OMul is_product is_addition sums (multiply_add integers) is_nought minus_nought
    (dot integers) whole_ones (tY 0) [0%Z] (OpFmaProof.kernel_laws integers (multiply_add integers) integers_fma_laws).

Definition sizes_of (t : tid) : list nat := if t =? tX 0 then [2] else if t =? tX 1 then [4] else [1].

Lemma dot_whole : InlineAll.whole (kernel_scalars binary32) sizes_of (dot binary32).
Proof.
  intros s [<- | []]. split; [reflexivity |]. intros t i _ k Ik. cbn [dot body in_bounds].
  destruct k as [| x [| y k]]; try discriminate; [| apply KernelProof.in_box_cons in Ik as [_ Ik]; discriminate].
  destruct (eval_cond ([x] ++ i) inside) eqn:C; [| exact I].
  cbn in C. split; intros <-; [| exact Ik]. cbn. now rewrite C.
Qed.

Definition fma_whole_applies :=
  OfFma.fma_whole (kernel_scalars binary32) OMul is_product is_addition sums fma_binary32 is_nought minus_nought sizes_of
    (dot binary32) dot_whole.

(** ** The operator, and a model: a product of matrices, doubled *)

Definition left_ (S : arith) : tensor (num S) := Tensor.tabulate [2; 3] (fun i => s_int S (nth 0 i 0 * 3 + nth 1 i 0)%Z).
Definition right_ (S : arith) : tensor (num S) := Tensor.tabulate [3; 2] (fun i => s_int S (5 - nth 0 i 0 - nth 1 i 0)%Z).
Definition both (S : arith) : list (gvalue (tensor (num S))) := [GTensor (left_ S); GTensor (right_ S)].

Definition of_product := kernel_fused binary32 false "MatMul" [] (both binary32).
Definition its_kernel := match of_product with Some (p, _, _) => p | None => [] end.
Definition its_value : tensor (num binary32) :=
  match output binary32 [2; 2] (fma_run binary32 fma_binary32 its_kernel (named binary32 [left_ binary32; right_ binary32])) with
  | Some u => u
  | None => left_ binary32
  end.

Lemma of_product_is : of_product = Some (its_kernel, [left_ binary32; right_ binary32], [2; 2]).
Proof. reflexivity. Qed.

Lemma its_value_is :
  output binary32 [2; 2] (fma_run binary32 fma_binary32 its_kernel (named binary32 [left_ binary32;
    right_ binary32])) = Some its_value.
Proof. reflexivity. Qed.

Definition op_value_fma_stored_applies :=
  OfFma.op_value_fma_stored binary32 fma_binary32 false "MatMul" [] (both binary32) its_kernel [left_ binary32;
    right_ binary32] [2; 2]
    its_value of_product_is its_value_is.

Lemma both_good : Forall Infer.good_value (both integers).
Proof. apply Forall_cons; [apply good_tabulate |]. apply Forall_cons; [apply good_tabulate | apply Forall_nil]. Qed.

(** In lanes too, though this sum is too short for them. *)
Definition op_value_fma_same_applies :=
  OfFma.op_value_fma_same integers (multiply_add integers) true "MatMul" [] (both integers) integers_fma_laws
    (fun _ => AppliedLanes.integers_any_order) both_good.

Definition nothing {X Y} (_ : X) : option Y := None.
Definition multiplied : Pattern.tgraph :=
  [Instance.leaf Pattern.KAbsent []; Instance.leaf (Pattern.KInput 0) (Instance.shaped [2; 3]%Z);
   Instance.leaf (Pattern.KInput 1) (Instance.shaped [3; 2]%Z);
   Instance.call "MatMul" [] [1; 2]; Instance.call "Add" [] [3; 3]].
Definition two_inputs (S : arith) (k : N) : option (tensor (num S)) := Some (if (k =? 0)%N then left_ S else right_ S).

Definition graph_fma_same_applies :=
  OfFma.graph_fma_same integers (multiply_add integers) true (two_inputs integers) nothing multiplied [4] integers_fma_laws
    (fun _ => AppliedLanes.integers_any_order) (proj1 (Graph.wfb_iff multiplied) eq_refl).

(** Offsets of the product and its double. *)
Notation the_unit S fma := (FusedFma.compile_fused_fma S fma false (const_value S nothing nothing) 20 [0; 8] [] multiplied [4]).

Lemma the_unit_is_there : (exists u, the_unit binary32 fma_binary32 = Some u) /\
  exists u, the_unit integers (multiply_add integers) = Some u.
Proof.
  split; match goal with |- exists u, ?o = Some u =>
    assert (match o with Some _ => true | None => false end = true) as T by (vm_compute; reflexivity);
    destruct o as [u |]; [now exists u | discriminate T] end.
Qed.

Lemma inputs_there S : inputs_fit (two_inputs S) multiplied.
Proof.
  intros n k I W. destruct I as [<- | [<- | [<- | [<- | [<- | []]]]]]; try discriminate W; injection W as <-.
  - exists (left_ S). split; [reflexivity |]. split; [apply good_tabulate | reflexivity].
  - exists (right_ S). split; [reflexivity |]. split; [apply good_tabulate | reflexivity].
Qed.

Example fused_fma_runs_applies : exists u P us, the_unit binary32 fma_binary32 = Some u /\
  GraphKernel.graph_kernel binary32 (const_value binary32 nothing nothing) multiplied [4] = Some P /\
  FusedFma.run_fma_unit binary32 fma_binary32 u (two_inputs binary32) =
    Finished (FusedFma.outputs_fused binary32 fma_binary32 (two_inputs binary32) (FusedFma.chosen_sums binary32 false P) us).
Proof.
  destruct the_unit_is_there as [[u U] _].
  destruct (OfFma.fused_fma_runs binary32 fma_binary32 (two_inputs binary32) nothing nothing _ _ _ _ _ _ u U (inputs_there
    binary32))
    as (P & us & E & _ & R).
  exists u, P, us. auto.
Qed.

Example fused_fma_correct_applies : exists u outs, the_unit integers (multiply_add integers) = Some u /\
  outputs_of integers (two_inputs integers) nothing nothing multiplied [4] = Some outs /\
  FusedFma.run_fma_unit integers (multiply_add integers) u (two_inputs integers) = Finished outs.
Proof.
  destruct the_unit_is_there as [_ [u U]].
  destruct (OfFma.fused_fma_correct integers (multiply_add integers) (two_inputs integers) nothing nothing false _ _ _ _ _ u
    integers_fma_laws
              ltac:(discriminate) U (inputs_there integers)) as (outs & E & R).
  exists u, outs. auto.
Qed.

(** ** A guard in a program: the row of two between zeros again *)

Notation F := (formal_scalars binary32 fma_binary32).
Notation A := (scalar_algebra F).
Definition adds : Syntax.bop A := @BStep F KSum.
Definition column (l : list Z) : @Values.value A :=
  @Values.Arr A (map (fun z => Values.Num (Rounded (S := kernel_scalars binary32) (s_int binary32 z) : Syntax.scalar A)) l).
Definition two_rows : list (@Values.value A) := [column [5; 7]; column [1; 2; 3; 4]]%Z.
Definition source : Syntax.ix Syntax.numbers := Syntax.XSub (Syntax.XVar 1) (Syntax.XCst 1).
Definition exact : Syntax.exp A Syntax.numbers :=
  @Syntax.EBin A Syntax.numbers (@BOp F ExactProduct) (Syntax.EIdx (Syntax.EVar 2) source) (Syntax.EIdx (Syntax.EVar 3)
    (Syntax.XVar 1)).
Definition row_inside : Syntax.cond Syntax.numbers :=
  Syntax.CAnd (Syntax.CCmp CGe source (Syntax.XCst 0)) (Syntax.CCmp CLt source (Syntax.XCst 2)).
Definition from_zero : Syntax.exp A Syntax.numbers := @Syntax.ELit A Syntax.numbers (inr KSum).

Lemma exact_is_a_number a x : (x < 4)%nat ->
  Syntax.holds (s := Syntax.numbers_sizing) (Values.positions (Values.Num a :: Values.Pos x :: two_rows)) row_inside = true ->
  exists y, Values.eval (s := Syntax.numbers_sizing) (Values.Num a :: Values.Pos x :: two_rows) exact = Values.Num y.
Proof. intros lt guarded. do 4 (destruct x as [| x]; [first [discriminate guarded | eexists; reflexivity] |]). lia. Qed.

Definition guard_fused_sum_applies :=
  OfFma.guard_fused_sum (kernel_scalars binary32) OMul is_addition sums fma_binary32 minus_nought Syntax.numbers
    Syntax.numbers_sizing adds
    I (proj1 OfFma.minus_nought_neutral) 4 Syntax.DNum row_inside exact from_zero two_rows (ex_intro _ _ eq_refl)
      exact_is_a_number.
