(** * Headline theorems: tensors and the meaning of the operators *)

From Coq Require Import Bool String List NArith ZArith.
From Calque Require Import attr.Attr.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsWindow tensor.OpTable tensor.Instances.
From Calque Require tensor.Infer tensor.Formulas tensor.Concat tensor.LawsMerge tensor.Functions.
Import ListNotations.

(** Tensors are their cells: equal on the box is equal. *)
Theorem tabulate_ext :
  forall S ds (f g : list Z -> S),
    (forall i, in_box ds i = true -> f i = g i) -> tabulate ds f = tabulate ds g.
Proof. exact @Tensor.tabulate_ext. Qed.

Theorem get_tabulate :
  forall S default ds (f : list Z -> S) i,
    in_box ds i = true -> get default (tabulate ds f) i = f i.
Proof. exact @Tensor.get_tabulate. Qed.

Theorem tensor_ext :
  forall S default (t u : tensor S),
    good t -> good u -> dims t = dims u ->
    (forall i, in_box (dims t) i = true -> get default t i = get default u i) -> t = u.
Proof. exact @Tensor.tensor_ext. Qed.

(** What a reshape does: the cell at the same row-major place. *)
Theorem get_recast :
  forall S default ds (t u : tensor S) i,
    good t -> recast ds t = Some u -> in_box ds i = true ->
    get default u i = get default t (index_at (dims t) (position ds i)).
Proof. exact @Tensor.get_recast. Qed.

(** ** Type rules *)

(** The value of an operator has the inferred sizes, over any scalars. *)
Theorem infer_sound :
  forall S name l vs v,
    op_value S name l vs = Some v -> op_infer name l (map (map_value dims) vs) = Some (map_value dims v).
Proof. exact Infer.infer_sound. Qed.

(** Inputs whose sizes are accepted have a value; but the indices of a Gather may be outside. *)
Theorem infer_complete :
  forall S name l vs s,
    Forall Infer.good_value vs -> name <> "Gather"%string ->
    op_infer name l (map (map_value dims) vs) = Some s -> exists v, op_value S name l vs = Some v.
Proof. exact Infer.infer_complete. Qed.

(** Values have as many cells as their sizes say. *)
Theorem op_value_good :
  forall S name l vs v,
    Forall Infer.good_value vs -> op_value S name l vs = Some v -> Infer.good_value v.
Proof. exact Infer.op_value_good. Qed.

(** ** What the operators compute, as formulas *)

(** Y[n,o,y..] = sum(c,k..) X[n, o / (O/g) * C' + c, y*s + k*d - p ..] * W[o,c,k..] + B[o], a
    term being 0 where the index lies outside of X; for any number of spatial dimensions. *)
Theorem conv_formula :
  forall S w g (x f b y : tensor (num S)) n o i,
    conv S w g x f (Some b) = Some y -> in_box (dims y) (n :: o :: i) = true ->
    at_ S y (n :: o :: i) =
    s_add S
      (s_sum S (tl (dims f)) (fun k =>
         let c := (o / Z.of_nat (nth 0 (dims f) 0%nat / g) * Z.of_nat (nth 1 (dims f) 0%nat) + nth 0 k 0)%Z in
         let j := n :: c :: window_at (strides w) (dilations w) (pads_before w) i (tl k) in
         if in_box (dims x) j then s_mul S (at_ S x j) (at_ S f (o :: k)) else s_zero S))
      (at_ S b [o]).
Proof. exact Formulas.conv_formula. Qed.

(** A matrix product: Y[i,j] = sum(k) A[i,k] * B[k,j]. *)
Theorem matmul_formula :
  forall S m k n (a b y : tensor (num S)) i j,
    dims a = [m; k] -> dims b = [k; n] -> matmul S a b = Some y -> in_box [m; n] [i; j] = true ->
    dims y = [m; n] /\
    at_ S y [i; j] = s_sum S [k] (fun l => s_mul S (at_ S a (i :: l)) (at_ S b (l ++ [j]))).
Proof. exact Formulas.matmul_formula. Qed.

(** An elementwise operator of two inputs of the same sizes. *)
Theorem map2_formula :
  forall S f (x y z : tensor (num S)) i,
    dims x = dims y -> map2 S f x y = Some z -> in_box (dims x) i = true ->
    dims z = dims x /\ at_ S z i = f (at_ S x i) (at_ S y i).
Proof. exact Formulas.map2_formula. Qed.

(** ** Several operators of one input as one, over any scalars

    [parallel_conv]: convolutions without groups whose kernels have one size, the weights one
    below the other; [W]: what the bias of the merged one adds at the [k]-th is what its own adds. *)
Theorem parallel_conv :
  forall S w (x f F : tensor (num S)) fr b B y ys k u fk yk,
    concat S 0 f fr = Some F -> conv S w 1 x F B = Some y ->
    split S 1 (map (LawsMerge.along S 0) (f :: fr)) y = Some ys -> nth_error ys k = Some u ->
    nth_error (f :: fr) k = Some fk -> conv S w 1 x fk b = Some yk ->
    (forall j a, (0 <= j < Z.of_nat (LawsMerge.along S 0 fk))%Z ->
       LawsMerge.biased S B a (j + Z.of_nat (Concat.start k (map (LawsMerge.along S 0) (f :: fr)))) =
       LawsMerge.biased S b a j) ->
    u = yk.
Proof. exact LawsMerge.parallel_conv. Qed.

(** Products of one input with matrices, or batches of them, that have as many rows. *)
Theorem parallel_matmul :
  forall S q r (a w W : tensor (num S)) wr y ys k u wk yk,
    (forall v, In v (w :: wr) -> exists n, dims v = q ++ [r; n]) ->
    concat S (length q + 1) w wr = Some W -> matmul S a W = Some y ->
    split S (length (dims y) - 1) (map (LawsMerge.along S (length q + 1)) (w :: wr)) y = Some ys ->
    nth_error ys k = Some u -> nth_error (w :: wr) k = Some wk -> matmul S a wk = Some yk -> u = yk.
Proof. exact LawsMerge.parallel_matmul. Qed.

(** Dense layers with a bias for each column. *)
Theorem parallel_gemm :
  forall S alpha beta ta (tb : bool) (a w W c C : tensor (num S)) wr cr y ys k u wk ck yk,
    let side := if tb then 0%nat else 1%nat in
    (forall j v d, nth_error (w :: wr) j = Some v -> nth_error (c :: cr) j = Some d ->
       dims d = [LawsMerge.along S side v]) ->
    length wr = length cr ->
    concat S side w wr = Some W -> concat S 0 c cr = Some C -> gemm S alpha beta ta tb a W (Some C) = Some y ->
    split S 1 (map (LawsMerge.along S side) (w :: wr)) y = Some ys -> nth_error ys k = Some u ->
    nth_error (w :: wr) k = Some wk -> nth_error (c :: cr) k = Some ck ->
    gemm S alpha beta ta tb a wk (Some ck) = Some yk -> u = yk.
Proof. exact LawsMerge.parallel_gemm. Qed.

(** ** Laws of numbers *)

(** Floats: + and * commute, and adding -0 changes nothing. *)
Theorem binary32_float_laws : float_laws binary32.
Proof. exact Instances.binary32_float_laws. Qed.

Theorem binary64_float_laws : float_laws binary64.
Proof. exact Instances.binary64_float_laws. Qed.

(** What attribute conditions compare is the number that the kernels' arithmetic has. *)
Theorem float_number_decode : forall bits, (bits < Attr.float_end)%N ->
  Attr.float_number bits = Instances.float_value (Instances.decode bits).
Proof. exact Instances.float_number_decode. Qed.

(** The integers have the laws that rules of class ring ask for: rules are refuted over them. *)
Theorem integers_ring : ring_laws integers.
Proof. exact Instances.integers_ring. Qed.

(** [Where] gives one of its two values bit for bit, though its kernel is written with functions of
    two numbers: a part that is not chosen is 0, and what is not 0 is kept. A condition that is not
    equal to 0 holds. *)
Theorem where_binary32 : forall c a b,
  Ops.where_cell binary32 c a b = if SpecFloat.SFeqb c (SpecFloat.S754_zero false) then b else a.
Proof. exact Instances.where_cell_binary32. Qed.

Theorem where_binary64 : forall c a b,
  Ops.where_cell binary64 c a b = if SpecFloat.SFeqb c (SpecFloat.S754_zero false) then b else a.
Proof. exact Instances.where_cell_binary64. Qed.

Theorem where_int64 : forall c a b, Numbers.wrap a = a -> Numbers.wrap b = b ->
  Ops.where_cell int64 (Some c) (Some a) (Some b) = Some (if (c =? 0)%Z then b else a).
Proof. exact Instances.where_cell_int64. Qed.

(** ** The functions of [--math=calque] *)

(** Rules that keep every bit keep it over these numbers too. *)
Theorem binary32_calque_float_laws : float_laws Functions.binary32_calque.
Proof. exact Functions.binary32_calque_float_laws. Qed.

Theorem binary64_calque_float_laws : float_laws Functions.binary64_calque.
Proof. exact Functions.binary64_calque_float_laws. Qed.

Theorem exp_ends :
  Functions.exp32 (SpecFloat.S754_zero true) = Functions.int 24 128 1 /\
  Functions.exp32 (SpecFloat.S754_infinity false) = SpecFloat.S754_infinity false /\
  Functions.exp32 (SpecFloat.S754_infinity true) = SpecFloat.S754_zero false /\
  Functions.exp32 SpecFloat.S754_nan = SpecFloat.S754_nan.
Proof. exact Functions.exp32_ends. Qed.

(** tanh and erf are odd to the bit. *)
Theorem tanh_odd : forall a, a <> SpecFloat.S754_nan ->
  Functions.tanh32 (SpecFloat.SFopp a) = SpecFloat.SFopp (Functions.tanh32 a).
Proof. exact (Functions.tanh_odd 24 128 Functions.exp_single Functions.tanh_single). Qed.

Theorem erf_odd : forall a, a <> SpecFloat.S754_nan ->
  Functions.erf32 (SpecFloat.SFopp a) = SpecFloat.SFopp (Functions.erf32 a).
Proof. exact (Functions.erf_odd 24 128 Functions.erf_single _). Qed.
