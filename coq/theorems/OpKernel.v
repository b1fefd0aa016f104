(** * Headline theorems: the kernels of the operators

    The kernels that calque-oracle prints, which are those of the C program byte for byte
    (tests/tensor/diff.sh), compute the meaning of the operators. *)

From Coq Require Import String List ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel.
From Calque Require tensor.OpIndex tensor.OpIndexProof tensor.OpEval tensor.OpCorrect tensor.OpSafeAll.
From Calque Require tensor.OpExists tensor.OpStores.
From Calque Require kernel.Numbers tensor.Ops tensor.Instances tensor.Mixed tensor.Cut tensor.Rounding tensor.Quantised.
From Coq.Floats Require SpecFloat.
Import ListNotations.
Open Scope Z_scope.

(** Every operator with a meaning has a kernel, in the order of c/tensor/ops.def. *)
Theorem op_kernel_names :
  forall S, map fst (kernels S) = map fst (operators S).
Proof. intros S. reflexivity. Qed.

(** For all operators, ranks and sizes, over any scalars, without any law of arithmetic: run
    on a store with the inputs [ts] (zero outside of their boxes), the kernel leaves the cells
    of the operator's value in its outputs.  One operator takes something from elsewhere
    ([given]): a Gather's indices are known. *)
Theorem op_kernel_correct :
  forall S name l ts v index p st,
    op_value S name l (map GTensor ts) = Some v ->
    op_kernel S name l (map dims ts) (OpCorrect.result_dims S v) (s_integer S) index = Some p ->
    Forall good ts ->
    (name = "Gather"%string -> forall x ix, ts = [x; ix] ->
       traverse (s_index S) (cells ix) = Some index) ->
    (forall k t, nth_error ts k = Some t -> forall i, st (tX k) i = get (s_zero S) t i) ->
    match v with
    | GTensor t => forall i, in_box (dims t) i = true -> exec_prog p st (tY 0) i = get (s_zero S) t i
    | GTuple us => forall j t, nth_error us j = Some t ->
        forall i, in_box (dims t) i = true -> exec_prog p st (tY j) i = get (s_zero S) t i
    | GAbsent => False
    end.
Proof.
  intros S name l ts v index p st V P G N H.
  exact (OpCorrect.op_kernel_correct S name l ts v index p st V P G N H).
Qed.

(** And there is a kernel wherever there is a value, but for functions of floats on integers,
    pooling over an input without cells, and gathering at more than 4096 indices. *)
Theorem op_kernel_exists :
  forall S name l ts v index,
    op_value S name l (map GTensor ts) = Some v -> Forall good ts -> OpCorrect.given S name ts index ->
    (s_integer S = true ->
     ~ In name ["Sqrt"; "Exp"; "Log"; "Tanh"; "Erf"; "Round"; "Pow"; "Gemm"; "ReduceMean"; "MaxPool"; "AveragePool"]%string) ->
    (In name ["MaxPool"; "AveragePool"]%string -> Forall (fun t => cell_count (dims t) <> 0%nat) ts) ->
    (name = "Gather"%string -> (List.length index <= 4096)%nat) ->
    exists p, op_kernel S name l (map dims ts) (OpCorrect.result_dims S v) (s_integer S) index = Some p.
Proof.
  intros S name l ts v index V G N F P M.
  exact (OpExists.op_kernel_exists S name l ts v index V G N (conj F (conj P M))).
Qed.

(** A quotient of integers of 64 and of 32 bits is cut; that of the least number by -1 wraps. *)
Theorem div_int64 :
  forall y z, Numbers.least <= y < - Numbers.least -> Numbers.least <= z < - Numbers.least -> z <> 0 ->
    Ops.div_cell Instances.int64 (Some y) (Some z) = Some (Numbers.wrap (Z.quot y z)).
Proof. exact Cut.div_int64. Qed.

Theorem div_int32 :
  forall y z, Mixed.least32 <= y < - Mixed.least32 -> Mixed.least32 <= z < - Mixed.least32 -> z <> 0 ->
    s_div Mixed.words32 (Some y) (Some z) = Some (Mixed.wrap32 (Z.quot y z)).
Proof. exact Cut.div_int32. Qed.

(** Among other element types, the quotient of integers is printed as [div_cell] of quotients that are rounded down. *)
Theorem div_words64 :
  forall a b, Scalars.s_div Mixed.words64 a b = Ops.div_cell Instances.int64 a b.
Proof. reflexivity. Qed.

Theorem div_words32_text :
  forall y z, Mixed.least32 <= y < - Mixed.least32 -> Mixed.least32 <= z < - Mixed.least32 -> z <> 0 ->
    let q := Mixed.wrap32 (y / z) in
    let less := if q <? 0 then 1 else 0 in
    let equal := if Mixed.wrap32 (q * z) =? y then 1 else 0 in
    Scalars.s_div Mixed.words32 (Some y) (Some z) =
    Some (Mixed.wrap32 (q + if less =? 0 then 0 else Mixed.wrap32 (1 - equal))).
Proof. exact Cut.cut_text32_quot. Qed.

(** Words of 8 bits, computed in 32 of which the low 8 are stored. *)
Theorem words_in_32 :
  forall lowest code,
    let low := option_map (Mixed.wrap_to lowest (2 ^ 8)) in
    let W := Mixed.words_of lowest (2 ^ 8) code in
    (forall a b, Mixed.wrap_to lowest (2 ^ 8) a = a -> Mixed.wrap_to lowest (2 ^ 8) b = b ->
       low (s_add Mixed.words32 (Some a) (Some b)) = s_add W (Some a) (Some b)) /\
    (forall a b, low (s_sub Mixed.words32 a b) = s_sub W a b /\ low (s_mul Mixed.words32 a b) = s_mul W a b /\
       low (s_div Mixed.words32 a b) = s_div W a b /\ low (s_mod Mixed.words32 a b) = s_mod W a b /\
       low (s_max Mixed.words32 a b) = s_max W a b /\
       low (s_min Mixed.words32 a b) = s_min W a b /\ low (s_less Mixed.words32 a b) = s_less W a b /\
       low (s_equal Mixed.words32 a b) = s_equal W a b /\ low (s_when Mixed.words32 a b) = s_when W a b /\
       low (s_orelse Mixed.words32 a b) = s_orelse W a b) /\
    (forall a, low (s_neg Mixed.words32 a) = s_neg W a /\ low (s_abs Mixed.words32 a) = s_abs W a).
Proof. exact Mixed.words_in_32. Qed.

(** Round of binary32: the integer next to the number, the even one of two; what is not below 2^23 stays. *)
Theorem rounded_correct :
  forall x v, SpecFloat.valid_binary 24 128 x = true -> Instances.float_value x = Some v ->
    Z.abs v < 2 ^ 23 * Rounding.unit_ ->
    exists r, Quantised.nearest v r /\ Instances.float_value (s_round Instances.binary32 x) = Some (r * Rounding.unit_).
Proof. exact Quantised.rounded_correct. Qed.

Theorem rounded_stays :
  forall x, SpecFloat.valid_binary 24 128 x = true ->
    (forall v, Instances.float_value x = Some v -> 2 ^ 23 * Rounding.unit_ <= Z.abs v) ->
    s_round Instances.binary32 x = x.
Proof. exact Quantised.rounded_stays. Qed.

(** QuantizeLinear of a quotient [q] and a zero point [z], as it is read: the integer next to [q],
    plus [z], in the range of the type. *)
Theorem quantised_int8_correct :
  forall q r z, SpecFloat.valid_binary 24 128 q = true -> Quantised.rounds q r -> -128 <= z <= 127 ->
    Quantised.quantised_int8 (Mixed.of_f32 Mixed.standard q) (Mixed.of_i8 Mixed.standard (Some z)) =
    Mixed.of_i8 Mixed.standard (Some (Z.max (-128) (Z.min 127 (r + z)))).
Proof. exact Quantised.quantised_int8_correct. Qed.

Theorem quantised_byte_correct :
  forall q r z, SpecFloat.valid_binary 24 128 q = true -> Quantised.rounds q r -> 0 <= z <= 255 ->
    Quantised.quantised_byte (Mixed.of_f32 Mixed.standard q) (Mixed.of_u8 Mixed.standard (Some z)) =
    Mixed.of_u8 Mixed.standard (Some (Z.max 0 (Z.min 255 (r + z)))).
Proof. exact Quantised.quantised_byte_correct. Qed.

(** Each load that is evaluated is in its tensor: of an input, or of what an earlier statement
    has stored.  [shapes] are the sizes of the tensors; a load behind a select counts only
    where its side is taken. *)
Theorem op_kernel_safe :
  forall S shapes name l ts v index p,
    op_value S name l (map GTensor ts) = Some v ->
    op_kernel S name l (map dims ts) (OpCorrect.result_dims S v) (s_integer S) index = Some p ->
    Forall good ts -> OpCorrect.given S name ts index ->
    (forall k t, nth_error ts k = Some t -> shapes (tX k) = dims t) ->
    (forall s, In s p -> shapes (out s) = Kernel.dims s) ->
    forall s i t, In s p -> in_box (Kernel.dims s) i = true -> in_bounds t (shapes t) i (body s).
Proof.
  intros S shapes name l ts v index p V P G N I O s i t ins B.
  exact (OpSafeAll.op_kernel_safe S shapes name l ts v index p V P G N I O s ins i B t).
Qed.

(** Each tensor is stored by one statement, and no input is: sizes as [op_kernel_safe] wants
    them exist. *)
Theorem op_kernel_stores_once :
  forall S name l ins outs integers index p,
    op_kernel S name l ins outs integers index = Some p ->
    NoDup (map out p) /\ forall s k, In s p -> out s <> tX k.
Proof. exact OpStores.op_kernel_stores_once. Qed.

(** The expressions that the kernels are written with have the value of the sums that they
    stand for, quotients and remainders included. *)
Theorem index_value :
  forall rho a b y z d, OpIndexProof.sees rho a y -> OpIndexProof.sees rho b z -> 0 < d ->
    eval_ix rho (OpIndex.ix_of (OpIndex.ix_add a b)) = y + z /\
    eval_ix rho (OpIndex.ix_of (OpIndex.ix_mul a d)) = y * d /\
    eval_ix rho (OpIndex.ix_of (OpIndex.ix_div a d)) = y / d /\
    eval_ix rho (OpIndex.ix_of (OpIndex.ix_mod a d)) = y mod d.
Proof.
  intros rho a b y z d A B pos. repeat split; apply OpIndexProof.eval_sees.
  - now apply OpIndexProof.sees_add.
  - now apply OpIndexProof.sees_mul.
  - now apply OpIndexProof.sees_div.
  - now apply OpIndexProof.sees_mod.
Qed.
