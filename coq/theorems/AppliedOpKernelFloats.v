(** * Instances: the premises of the headline theorems on the kernels of operators hold together for floats

    A product of matrices at binary32. *)

From Coq Require Import Bool String List ZArith Lia.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.Instances.
From Calque Require tensor.OpIndex tensor.OpIndexProof tensor.OpCorrect tensor.OpSafeAll.
From Calque Require tensor.Mixed tensor.Rounding tensor.Quantised.
From Calque Require theorems.OpKernel.
Module OfOpKernel := theorems.OpKernel.
Import ListNotations.
Open Scope Z_scope.

Ltac computes := vm_compute; reflexivity.
Definition got {T} (o : option T) (default : T) : T := match o with Some v => v | None => default end.

Lemma got_some {T} (o : option T) d : (match o with Some _ => true | None => false end) = true -> o = Some (got o d).
Proof. now destruct o. Qed.

(** The kernel of an operator at these tensors, whose value is [v]. *)
Notation kernel_at S name l ts v index :=
  (op_kernel S name l (map dims ts) (OpCorrect.result_dims S v) (s_integer S) index).

(** A store of these tensors, 0 elsewhere. *)
Definition holding (S : arith) (ts : list (tensor (num S))) : store (kernel_scalars S) := fun t i =>
  if Nat.eqb (t mod 3) 0 then match nth_error ts (t / 3) with Some u => get (s_zero S) u i | None => s_zero S end
  else s_zero S.

Lemma holding_holds S ts k t : nth_error ts k = Some t -> forall i, holding S ts (tX k) i = get (s_zero S) t i.
Proof.
  intros E i. unfold holding, tX. rewrite Nat.mul_comm, Nat.mod_mul, Nat.div_mul by discriminate.
  cbn [Nat.eqb]. now rewrite E.
Qed.

(** Of 2 by 3 and 3 by 2. *)

Definition left_ : tensor (num binary32) := Tensor [2; 3]%nat (map (s_int binary32) [1; 2; 3; -4; 5; -6]).
Definition right_ : tensor (num binary32) := Tensor [3; 2]%nat (map (s_int binary32) [1; 0; -1; 2; 3; 4]).
Definition product : gvalue (tensor (num binary32)) :=
  got (op_value binary32 "MatMul" [] [GTensor left_; GTensor right_]) GAbsent.
Definition product_kernel : prog (kernel_scalars binary32) :=
  got (kernel_at binary32 "MatMul" [] [left_; right_] product []) [].

(** The sizes of the inputs, and of what is stored. *)
Definition product_shapes (t : tid) : list nat :=
  match t with 0 => [2; 3] | 3 => [3; 2] | 1 => [2; 2] | _ => [] end%nat.

Lemma product_value : op_value binary32 "MatMul" [] (map GTensor [left_; right_]) = Some product.
Proof. computes. Qed.

Lemma product_kernel_made :
  kernel_at binary32 "MatMul" [] [left_; right_] product [] = Some product_kernel.
Proof. apply got_some. computes. Qed.

Lemma product_given : OpCorrect.given binary32 "MatMul" [left_; right_] [].
Proof. discriminate. Qed.

Lemma product_inputs : forall k t, nth_error [left_; right_] k = Some t -> product_shapes (tX k) = dims t.
Proof. intros [| [| [| k]]] t E; try discriminate E; injection E as <-; reflexivity. Qed.

Lemma product_stores : forall s, In s product_kernel -> product_shapes (out s) = Kernel.dims s.
Proof.
  apply Forall_forall. assert (length product_kernel = 1%nat) as L by computes.
  assert (map (fun s => (out s, Kernel.dims s)) product_kernel = [(1, [2; 2])]%nat) as M by computes.
  destruct product_kernel as [| s [|]]; try discriminate L. injection M as O D. constructor; [| constructor].
  now rewrite O, D.
Qed.

Definition op_kernel_correct_floats :=
  OfOpKernel.op_kernel_correct binary32 "MatMul" [] [left_; right_] product [] product_kernel (holding binary32 [left_; right_])
    product_value product_kernel_made ltac:(repeat constructor) product_given (holding_holds binary32 [left_; right_]).

(** That the value is one tensor, of sums that differ. *)
Example product_cells : option_map (fun v => match v with GTensor t => cells t | _ => [] end) (Some product) =
  Some (map (s_int binary32) [8; 16; -27; -14]).
Proof. computes. Qed.

Definition op_kernel_exists_floats :=
  OfOpKernel.op_kernel_exists binary32 "MatMul" [] [left_; right_] product [] product_value ltac:(repeat constructor)
    product_given ltac:(discriminate) ltac:(cbn; intuition discriminate) ltac:(discriminate).

Definition op_kernel_safe_floats :=
  OfOpKernel.op_kernel_safe binary32 product_shapes "MatMul" [] [left_; right_] product [] product_kernel
    product_value product_kernel_made ltac:(repeat constructor) product_given product_inputs product_stores.

Definition div_int64_applies := OfOpKernel.div_int64 (-7) 2 ltac:(vm_compute; intuition discriminate)
  ltac:(vm_compute; intuition discriminate) ltac:(discriminate).
Definition div_int32_applies := OfOpKernel.div_int32 (-7) 2 ltac:(vm_compute; intuition discriminate)
  ltac:(vm_compute; intuition discriminate) ltac:(discriminate).
Definition div_words32_text_applies := OfOpKernel.div_words32_text (-7) 2 ltac:(vm_compute; intuition discriminate)
  ltac:(vm_compute; intuition discriminate) ltac:(discriminate).

Definition words_in_32_applies := proj1 (OfOpKernel.words_in_32 (-128) 3) 127 1 eq_refl eq_refl.

(** 2.5, halfway; 2^24, which has no fraction. *)
Definition halfway : spec_float := S754_finite false 10485760 (-22).
Lemma halfway_nearest : Quantised.nearest (10485760 * Rounding.weight (-22)) 2.
Proof. right. split; [vm_compute |]; reflexivity. Qed.
Definition rounded_correct_applies := OfOpKernel.rounded_correct halfway (10485760 * Rounding.weight (-22)) eq_refl eq_refl
  ltac:(vm_compute; reflexivity).
Definition rounded_stays_applies := OfOpKernel.rounded_stays (S754_finite false 8388608 1) eq_refl
  ltac:(intros v E; injection E as <-; vm_compute; discriminate).
Definition quantised_int8_correct_applies := OfOpKernel.quantised_int8_correct halfway 2 126 eq_refl halfway_nearest
  ltac:(vm_compute; intuition discriminate).
Definition quantised_byte_correct_applies := OfOpKernel.quantised_byte_correct halfway 2 254 eq_refl halfway_nearest
  ltac:(vm_compute; intuition discriminate).
