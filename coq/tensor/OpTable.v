(** * The operators by name

    What c/tensor/ops.def lists: each operator with its type rule and its meaning, read
    from the attributes of the one internal form (those with a default may be left out). *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.OpsNorm.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** What a node of a graph has: a tensor (or its sizes), several of them, or nothing, being
    an optional input that is absent. *)
Inductive gvalue (A : Type) := GTensor (t : A) | GTuple (ts : list A) | GAbsent.
Arguments GTensor {A}.
Arguments GTuple {A}.
Arguments GAbsent {A}.

Definition map_value {A B} (f : A -> B) (v : gvalue A) : gvalue B :=
  match v with GTensor t => GTensor (f t) | GTuple ts => GTuple (map f ts) | GAbsent => GAbsent end.

(** The inputs, without the absent ones at the end. *)
Definition operand {A} (v : gvalue A) : option (option A) :=
  match v with GTensor t => Some (Some t) | GAbsent => Some None | GTuple _ => None end.

Fixpoint trim {A} (l : list (option A)) : list (option A) :=
  match l with
  | [] => []
  | a :: l' => match a, trim l' with None, [] => [] | _, m => a :: m end
  end.

(** ** Attributes of several operators *)

Definition window_of (l : attributes) (n : nat) (dilated : bool) : option window :=
  let? ss := sizes_attr l "strides" (Some (repeat 1 n)) in
  let? ps := sizes_attr l "pads" (Some (repeat 0 (2 * n))) in
  let? ds := if dilated then sizes_attr l "dilations" (Some (repeat 1 n)) else Some (repeat 1 n) in
  Some (Window ss ds ps).

(** The kernel's sizes are those of the weights. *)
Definition conv_params (l : attributes) (x f : sizes) : option (window * nat) :=
  let? w := window_of l (List.length x - 2) true in
  let? kernel := sizes_attr l "kernel_shape" (Some (skipn 2 f)) in
  let? group := nat_attr l "group" (Some 1) in
  guard (sizes_eqb kernel (skipn 2 f)) (Some (w, group)).

Definition pool_params (l : attributes) (dilated : bool) (x : sizes) : option (window * sizes * bool) :=
  let? w := window_of l (List.length x - 2) dilated in
  let? kernel := sizes_attr l "kernel_shape" None in
  let? ceil := bool_attr l "ceil_mode" (Some false) in
  Some (w, kernel, ceil).

Definition average_params (l : attributes) (x : sizes) : option (window * sizes * bool * bool) :=
  let? p := pool_params l false x in
  let? include := bool_attr l "count_include_pad" (Some false) in
  Some (p, include).

Definition axis_in (l : attributes) (default : option Z) (x : sizes) : option nat :=
  axis_attr l "axis" default (List.length x) (List.length x).

Definition softmax_params (l : attributes) (x : sizes) : option (nat * bool) :=
  let? flatten := bool_attr l "flatten" (Some false) in
  let r := List.length x in
  let? axis := axis_in l (Some (if flatten then if (1 <? r)%nat then 1 else 0 else Z.of_nat r - 1)%Z) x in
  Some (axis, flatten).

Definition gemm_params (l : attributes) : option (N * N * bool * bool) :=
  let? alpha := real_attr l "alpha" (Some one_bits) in
  let? beta := real_attr l "beta" (Some one_bits) in
  let? ta := bool_attr l "transA" (Some false) in
  let? tb := bool_attr l "transB" (Some false) in
  Some (alpha, beta, ta, tb).

(** 1e-5, 1e-4, 0.75 and 0.01 in binary32. *)
Definition epsilon_bits : N := 4532020583461814272.
Definition lrn_alpha_bits : N := 4547007121832542208.
Definition lrn_beta_bits : N := 4604930618986332160.
Definition leak_bits : N := 4576918229175238656.

Definition epsilon_of (l : attributes) : option N :=
  let? e := real_attr l "epsilon" (Some epsilon_bits) in guard (not_negative e) (Some e).

Definition lrn_params (l : attributes) (x : sizes) : option (N * N * N * nat) :=
  let? alpha := real_attr l "alpha" (Some lrn_alpha_bits) in
  let? beta := real_attr l "beta" (Some lrn_beta_bits) in
  let? bias := real_attr l "bias" (Some one_bits) in
  let? size := nat_attr l "size" None in
  guard ((0 <? size) && (2 <=? List.length x)) (Some (alpha, beta, bias, size)).

Definition reduce_params (l : attributes) (x : sizes) : option (bool * list nat) :=
  let? keep := bool_attr l "keepdims" (Some true) in
  let? axes := axes_attr l (List.length x) in
  Some (keep, axes).

Definition perm_of (l : attributes) (x : sizes) : option (list nat) :=
  sizes_attr l "perm" (Some (rev (seq 0 (List.length x)))).

Definition layout_of (l : attributes) : option (list nat) :=
  let? src := text_attr l "src_layout" None in
  let? dst := text_attr l "dst_layout" None in
  layout_perm src dst.

(** Left out, the parts are equal; only where there is one part can that be told from the
    node's inputs alone, and the internal form has the sizes. *)
Definition split_params (l : attributes) (x : sizes) : option (nat * list nat) :=
  let? axis := axis_in l (Some 0%Z) x in
  let? parts := sizes_attr l "split" None in
  Some (axis, parts).

Definition slice_params (l : attributes) (x : sizes) : option (list Z * list Z * sizes) :=
  let? starts := ints_attr l "starts" None in
  let? steps := ints_attr l "steps" (Some (repeat 1%Z (List.length x))) in
  let? parts := sizes_attr l "sizes" None in
  Some (starts, steps, parts).

Definition pad_params (l : attributes) (x : sizes) : option (pad_mode * N * list Z * list Z) :=
  let r := List.length x in
  let? ps := ints_attr l "pads" None in
  let? name := text_attr l "mode" (Some "constant") in
  let? value := real_attr l "value" (Some 0%N) in
  let? mode := (if String.eqb name "constant" then Some PadConstant
                else if String.eqb name "edge" then Some PadEdge
                else if String.eqb name "reflect" then Some PadReflect else None) in
  guard (List.length ps =? 2 * r) (Some (mode, value, firstn r ps, skipn r ps)).

Definition bound_of (l : attributes) (name : label) (default rank : nat) : option nat :=
  axis_attr l name (Some (Z.of_nat default)) rank (S rank).

Definition reshape_like_of (l : attributes) (a b : sizes) : option sizes :=
  let? l0 := bound_of l "lhs_begin" 0 (List.length a) in
  let? l1 := bound_of l "lhs_end" (List.length a) (List.length a) in
  let? r0 := bound_of l "rhs_begin" 0 (List.length b) in
  let? r1 := bound_of l "rhs_end" (List.length b) (List.length b) in
  reshape_like_dims l0 l1 r0 r1 a b.

Definition flatten_of (l : attributes) (x : sizes) : option sizes :=
  let? axis := axis_attr l "axis" (Some 1%Z) (List.length x) (S (List.length x)) in
  Some (flatten_dims axis x).

Definition reshape_of (l : attributes) (x : sizes) : option sizes :=
  let? v := ints_attr l "shape" None in reshape_dims v x.

Definition squeeze_of (l : attributes) (x : sizes) : option sizes :=
  match attribute l "axes" with
  | None => squeeze_dims None x
  | Some v => let? zs := ints_of v in squeeze_dims (Some zs) x
  end.

Definition unsqueeze_of (l : attributes) (x : sizes) : option sizes :=
  let? zs := ints_attr l "axes" None in unsqueeze_dims zs x.

Definition expand_of (l : attributes) (x : sizes) : option sizes :=
  let? to := sizes_attr l "shape" None in broadcast x to.

Definition like_of (x y : sizes) : option sizes := guard (broadcasts x y) (Some y).

Definition group_of (l : attributes) (x : sizes) : option nat :=
  let? groups := nat_attr l "num_groups" None in
  guard ((0 <? groups) && (nth 1 x 0 mod groups =? 0)) (Some groups).

Definition lp_params (l : attributes) (x : sizes) : option (nat * bool) :=
  let? p := int_attr l "p" (Some 2%Z) in
  let? axis := axis_in l (Some (-1)%Z) x in
  if (p =? 1)%Z then Some (axis, false) else if (p =? 2)%Z then Some (axis, true) else None.

Definition layer_params (l : attributes) (x : sizes) : option (nat * N) :=
  let? axis := axis_in l (Some (-1)%Z) x in
  let? e := epsilon_of l in Some (axis, e).

Definition l2_params (l : attributes) (x : sizes) : option (list nat * N) :=
  let? axes := axes_attr l (List.length x) in
  let? e := epsilon_of l in Some (axes, e).

(** The code of an element type. *)
Definition dtype_attr (l : attributes) (name : label) (default : option Z) : option Z :=
  let? code := int_attr l name default in guard ((1 <=? code) && (code <=? 64))%Z (Some code).

Definition clip_params (l : attributes) : option (N * N) :=
  let? lo := real_attr l "min" (Some 18442240474082181120%N) in
  let? hi := real_attr l "max" (Some 9218868437227405312%N) in Some (lo, hi).

(** 1.6732632 and 1.050701, and 0.2 in binary32. *)
Definition selu_alpha_bits : N := 4610214526661427200.
Definition selu_gamma_bits : N := 4607410755904471040.
Definition hard_alpha_bits : N := 4596373779801702400.

Definition alpha_of (l : attributes) : option N := real_attr l "alpha" (Some one_bits).

Definition selu_params (l : attributes) : option (N * N) :=
  let? alpha := real_attr l "alpha" (Some selu_alpha_bits) in
  let? gamma := real_attr l "gamma" (Some selu_gamma_bits) in Some (alpha, gamma).

Definition hard_params (l : attributes) : option (N * N) :=
  let? alpha := real_attr l "alpha" (Some hard_alpha_bits) in
  let? beta := real_attr l "beta" (Some half_bits) in Some (alpha, beta).

Definition gelu_params (l : attributes) : option bool :=
  let? name := text_attr l "approximate" (Some "none") in
  if String.eqb name "none" then Some false else if String.eqb name "tanh" then Some true else None.

(** ** The table *)

Section Table.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).

  Record operator := Operator {
    op_shape : attributes -> list (option sizes) -> option (gvalue sizes);
    op_cells : attributes -> list (option tensor) -> option (gvalue tensor)
  }.

  (** *** By the number of inputs *)

  Definition one {A} (o : option A) : option (gvalue A) := let? t := o in Some (GTensor t).

  Definition on1 {A} (f : attributes -> A -> option A) (l : attributes) (v : list (option A)) : option (gvalue A) :=
    match v with [Some x] => one (f l x) | _ => None end.

  Definition on2 {A} (f : attributes -> A -> A -> option A) (l : attributes) (v : list (option A)) :=
    match v with [Some x; Some y] => one (f l x y) | _ => None end.

  (** Two inputs and an optional third. *)
  Definition on3 {A} (f : attributes -> A -> A -> option A -> option A) (l : attributes) (v : list (option A)) :=
    match v with
    | [Some x; Some y] => one (f l x y None)
    | [Some x; Some y; Some z] => one (f l x y (Some z))
    | _ => None
    end.

  Definition exactly3 {A} (f : attributes -> A -> A -> A -> option A) (l : attributes) (v : list (option A)) :=
    match v with [Some x; Some y; Some z] => one (f l x y z) | _ => None end.

  Definition any {A} (f : attributes -> A -> list A -> option A) (l : attributes) (v : list (option A)) :=
    match traverse (fun o : option A => o) v with Some (x :: r) => one (f l x r) | _ => None end.

  Definition op1 d f := Operator (on1 d) (on1 f).
  Definition op2 d f := Operator (on2 d) (on2 f).
  Definition op3 d f := Operator (on3 d) (on3 f).

  Definition elementwise (f : num -> num) : operator := op1 (fun _ x => Some x) (fun _ x => map1 S f x).
  (** Elementwise, with parameters that the attributes say. *)
  Definition pointwise {P} (params : attributes -> option P) (f : P -> num -> num) : operator := op1
    (fun l x => let? _ := params l in Some x) (fun l x => let? p := params l in map1 S (f p) x).

  Definition binary (f : num -> num -> num) : operator :=
    op2 (fun _ x y => broadcast x y) (fun _ x y => map2 S f x y).
  Definition folded (f : num -> num -> num) : operator :=
    Operator (any (fun _ x r => broadcast_all x r)) (any (fun _ x r => fold_all S f x r)).
  Definition copy : operator := op1 (fun _ x => Some x) (fun _ x => Some x).
  Definition recasting (d : attributes -> sizes -> option sizes) : operator :=
    op1 d (fun l x => recast_to S (d l (dims x)) x).

  Definition conv_op : operator := op3
    (fun l x f b => let? (w, g) := conv_params l x f in conv_dims w g x f b)
    (fun l x f b => let? (w, g) := conv_params l (dims x) (dims f) in conv S w g x f b).

  Definition max_pool_op : operator := op1
    (fun l x => let? (w, k, c) := pool_params l true x in pool_dims c w k x)
    (fun l x => let? (w, k, c) := pool_params l true (dims x) in max_pool S c w k x).

  Definition average_pool_op : operator := op1
    (fun l x => let? (w, k, c, _) := average_params l x in pool_dims c w k x)
    (fun l x => let? (w, k, c, i) := average_params l (dims x) in average_pool S c i w k x).

  Definition softmax_op : operator := op1
    (fun l x => let? _ := softmax_params l x in Some x)
    (fun l x => let? (axis, flatten) := softmax_params l (dims x) in softmax S axis flatten x).

  Definition log_softmax_op : operator := op1
    (fun l x => let? _ := softmax_params l x in Some x)
    (fun l x => let? (axis, flatten) := softmax_params l (dims x) in log_softmax S axis flatten x).

  Definition concat_op : operator := Operator
    (any (fun l x r => let? axis := axis_in l None x in concat_dims axis x r))
    (any (fun l x r => let? axis := axis_in l None (dims x) in concat S axis x r)).

  Definition gemm_op : operator := op3
    (fun l a b c => let? (_, _, ta, tb) := gemm_params l in gemm_dims ta tb a b c)
    (fun l a b c => let? (alpha, beta, ta, tb) := gemm_params l in gemm S alpha beta ta tb a b c).

  Definition lrn_op : operator := op1
    (fun l x => let? _ := lrn_params l x in Some x)
    (fun l x => let? (alpha, beta, bias, size) := lrn_params l (dims x) in lrn S alpha beta bias size x).

  Definition batch_norm_op : operator := Operator
    (fun l v => match v with
                | [Some x; Some g; Some b; Some m; Some s] =>
                    one (let? _ := real_attr l "epsilon" (Some epsilon_bits) in batch_norm_dims x [g; b; m; s])
                | _ => None end)
    (fun l v => match v with
                | [Some x; Some g; Some b; Some m; Some s] =>
                    one (let? e := real_attr l "epsilon" (Some epsilon_bits) in batch_norm S e x g b m s)
                | _ => None end).

  Definition transpose_op (p : attributes -> sizes -> option (list nat)) : operator := op1
    (fun l x => let? perm := p l x in transpose_dims perm x)
    (fun l x => let? perm := p l (dims x) in transpose S perm x).

  Definition constant_op : operator := Operator
    (fun l v => match v with
                | [] => one (let? ds := sizes_attr l "shape" None in
                             let? _ := dtype_attr l "dtype" (Some 1%Z) in
                             let? _ := real_attr l "value" (Some 0%N) in Some ds)
                | _ => None end)
    (fun l v => match v with
                | [] => one (let? ds := sizes_attr l "shape" None in
                             let? _ := dtype_attr l "dtype" (Some 1%Z) in
                             let? a := real_attr l "value" (Some 0%N) in Some (filled S ds (s_real S a)))
                | _ => None end).

  Definition reduce_op (f : bool -> list nat -> tensor -> option tensor) : operator := op1
    (fun l x => let? (keep, axes) := reduce_params l x in
                Some (reduce_dims keep (marks (List.length x) axes) x))
    (fun l x => let? (keep, axes) := reduce_params l (dims x) in f keep axes x).

  Definition reduce_max_op : operator := op1
    (fun l x => let? (keep, axes) := reduce_params l x in greatest_dims keep (marks (List.length x) axes) x)
    (fun l x => let? (keep, axes) := reduce_params l (dims x) in reduce_max S keep axes x).

  Definition shape_op : operator := op1
    (fun l x => let? start := int_attr l "start" (Some 0%Z) in
                let? stop := int_attr l "end" (Some (Z.of_nat (List.length x))) in
                let (a, b) := shape_bounds start stop (List.length x) in Some [b - a])
    (fun l x => let? start := int_attr l "start" (Some 0%Z) in
                let? stop := int_attr l "end" (Some (Z.of_nat (List.length (dims x)))) in
                Some (shape_tensor S start stop x)).

  Definition gather_op : operator := op2
    (fun l x i => let? axis := axis_in l (Some 0%Z) x in Some (gather_dims axis x i))
    (fun l x i => let? axis := axis_in l (Some 0%Z) (dims x) in gather S axis x i).

  Definition slice_op : operator := op1
    (fun l x => let? (starts, steps, parts) := slice_params l x in slice_dims starts steps parts x)
    (fun l x => let? (starts, steps, parts) := slice_params l (dims x) in slice S starts steps parts x).

  Definition cast_op : operator := op1
    (fun l x => let? _ := dtype_attr l "to" None in Some x)
    (fun l x => let? to := dtype_attr l "to" None in map1 S (s_cast S to) x).

  Definition split_op : operator := Operator
    (fun l v => match v with
                | [Some x] => let? (axis, parts) := split_params l x in
                              let? ts := split_dims axis parts x in Some (GTuple ts)
                | _ => None end)
    (fun l v => match v with
                | [Some x] => let? (axis, parts) := split_params l (dims x) in
                              let? ts := split S axis parts x in Some (GTuple ts)
                | _ => None end).

  Definition pad_op : operator := op1
    (fun l x => let? (mode, _, lo, hi) := pad_params l x in pad_dims mode x lo hi)
    (fun l x => let? (mode, value, lo, hi) := pad_params l (dims x) in pad S mode value lo hi x).

  Definition expand_op : operator := op1 expand_of (fun l x => expand S (expand_of l (dims x)) x).

  Definition broadcast_like_op : operator := op2
    (fun _ x y => like_of x y) (fun _ x y => expand S (like_of (dims x) (dims y)) x).

  (** The second input is broadcast to the first. *)
  Definition onto (f : num -> num -> num) : operator := op2
    (fun _ x y => like_of y x)
    (fun _ x y => table S (like_of (dims y) (dims x)) (fun out i => f (spread_at S x out i) (spread_at S y out i))).

  Definition eye_op : operator := op1
    (fun l x => let? _ := int_attr l "k" (Some 0%Z) in
                let? _ := dtype_attr l "dtype" (Some 1%Z) in guard (List.length x =? 2) (Some x))
    (fun l x => let? k := int_attr l "k" (Some 0%Z) in
                let? _ := dtype_attr l "dtype" (Some 1%Z) in eye S k x).

  Definition layer_norm_op : operator := op3
    (fun l x g b => let? _ := layer_params l x in layer_norm_dims x g b)
    (fun l x g b => let? (axis, e) := layer_params l (dims x) in layer_norm S axis e x g b).

  Definition rms_norm_op : operator := op2
    (fun l x g => let? _ := layer_params l x in layer_norm_dims x g None)
    (fun l x g => let? (axis, e) := layer_params l (dims x) in rms_norm S axis e x g).

  Definition instance_norm_op : operator := Operator
    (exactly3 (fun l x g b => let? _ := epsilon_of l in per_channel_dims 3 x g b))
    (exactly3 (fun l x g b => let? e := epsilon_of l in instance_norm S e x g b)).

  Definition group_norm_op : operator := Operator
    (exactly3 (fun l x g b => let? _ := epsilon_of l in let? _ := group_of l x in per_channel_dims 2 x g b))
    (exactly3 (fun l x g b => let? e := epsilon_of l in let? n := group_of l (dims x) in group_norm S n e x g b)).

  Definition lp_norm_op : operator := op1
    (fun l x => let? _ := lp_params l x in Some x)
    (fun l x => let? (axis, square) := lp_params l (dims x) in lp_norm S axis square x).

  Definition l2_norm_op : operator := op1
    (fun l x => let? _ := l2_params l x in Some x)
    (fun l x => let? (axes, e) := l2_params l (dims x) in l2_norm S axes e x).

  Definition clip_op : operator := op1
    (fun l x => let? _ := clip_params l in Some x)
    (fun l x => let? (lo, hi) := clip_params l in map1 S (clip_cell S lo hi) x).

  Definition leaky_relu_op : operator := op1
    (fun l x => let? _ := real_attr l "alpha" (Some leak_bits) in Some x)
    (fun l x => let? alpha := real_attr l "alpha" (Some leak_bits) in map1 S (leaky_relu_cell S alpha) x).

  (** Truth values are 1 and 0 of the same numbers: kernels compute on one element type, what is
      stored as a boolean is converted as it is loaded and stored. *)
  Definition where_op : operator := Operator
    (exactly3 (fun _ c x y => broadcast_all c [x; y]))
    (exactly3 (fun _ c x y => where_of S c x y)).

  Definition bias_add_op : operator := op2
    (fun l x b => let? axis := axis_in l (Some 1%Z) x in bias_add_dims axis x b)
    (fun l x b => let? axis := axis_in l (Some 1%Z) (dims x) in bias_add S axis x b).

  Definition like_op (a : num) : operator := op1 (fun _ x => Some x) (fun _ x => Some (filled S (dims x) a)).

  Definition full_like_op : operator := op2
    (fun _ x b => match b with [] => Some x | _ => None end)
    (fun _ x b => match dims b with [] => Some (filled S (dims x) (at_ S b [])) | _ => None end).

  Definition reshape_like_op : operator := op2
    reshape_like_of (fun l x y => recast_to S (reshape_like_of l (dims x) (dims y)) x).

  Definition collapse_op : operator := op1
    (fun l x => let? to := sizes_attr l "shape" None in collapse_dims to x)
    (fun l x => let? to := sizes_attr l "shape" None in collapse_sum S to x).

  Definition collapse_like_op : operator := op2
    (fun _ x y => collapse_dims y x) (fun _ x y => collapse_sum S (dims y) x).

  (** ORDER op: as in c/tensor/ops.def, without Opaque, which has no meaning. *)
  Definition operators : list (string * operator) :=
    [("Conv", conv_op);
     ("Relu", elementwise (relu_cell S));
     ("MaxPool", max_pool_op);
     ("Softmax", softmax_op);
     ("Concat", concat_op);
     ("GlobalAveragePool", op1 (fun _ => global_pool_dims) (fun _ => global_average_pool S));
     ("Dropout", copy);
     ("Reshape", recasting reshape_of);
     ("Gemm", gemm_op);
     ("LRN", lrn_op);
     ("AveragePool", average_pool_op);
     ("BatchNormalization", batch_norm_op);
     ("Sum", folded (s_add S));
     ("Transpose", transpose_op perm_of);
     ("Unsqueeze", recasting unsqueeze_of);
     ("Mul", binary (s_mul S));
     ("Add", binary (s_add S));
     ("ConstantOfShape", constant_op);
     ("MatMul", op2 (fun _ => matmul_dims) (fun _ => matmul S));
     ("Identity", copy);
     ("Sub", binary (s_sub S));
     ("Div", binary (div_cell S));
     ("Sqrt", elementwise (s_sqrt S));
     ("Neg", elementwise (s_neg S));
     ("Abs", elementwise (s_abs S));
     ("Exp", elementwise (s_exp S));
     ("Log", elementwise (s_log S));
     ("Tanh", elementwise (s_tanh S));
     ("Sigmoid", elementwise (sigmoid_cell S));
     ("Erf", elementwise (s_erf S));
     ("Pow", binary (s_pow S));
     ("Max", folded (s_max S));
     ("Min", folded (s_min S));
     ("Flatten", recasting flatten_of);
     ("Squeeze", recasting squeeze_of);
     ("ReduceMean", reduce_op (reduce_mean S));
     ("ReduceSum", reduce_op (reduce_sum S));
     ("Shape", shape_op);
     ("Gather", gather_op);
     ("Slice", slice_op);
     ("Cast", cast_op);
     ("Split", split_op);
     ("Pad", pad_op);
     ("Expand", expand_op);
     ("EyeLike", eye_op);
     ("LayerNormalization", layer_norm_op);
     ("InstanceNormalization", instance_norm_op);
     ("GroupNormalization", group_norm_op);
     ("LpNormalization", lp_norm_op);
     ("L2Normalize", l2_norm_op);
     ("Clip", clip_op);
     ("LeakyRelu", leaky_relu_op);
     ("Reciprocal", elementwise (reciprocal_cell S));
     ("BiasAdd", bias_add_op);
     ("ZerosLike", like_op (s_zero S));
     ("OnesLike", like_op (s_one S));
     ("FullLike", full_like_op);
     ("ReshapeLike", reshape_like_op);
     ("BroadcastLike", broadcast_like_op);
     ("CollapseSum", collapse_op);
     ("CollapseSumLike", collapse_like_op);
     ("LayoutTransform", transpose_op (fun l _ => layout_of l));
     ("Equal", binary (s_equal S));
     ("Less", binary (s_less S));
     ("Greater", binary (fun a b => s_less S b a));
     ("LessOrEqual", binary (fun a b => s_add S (s_less S a b) (s_equal S a b)));
     ("GreaterOrEqual", binary (fun a b => s_add S (s_less S b a) (s_equal S b a)));
     ("Not", elementwise (not_cell S));
     ("And", binary (s_min S));
     ("Or", binary (s_max S));
     ("Xor", binary (fun a b => not_cell S (s_equal S a b)));
     ("Where", where_op);
     ("Elu", pointwise alpha_of (elu_cell S));
     ("Selu", pointwise selu_params (fun '(alpha, gamma) => selu_cell S alpha gamma));
     ("Celu", pointwise alpha_of (celu_cell S));
     ("PRelu", onto (prelu_cell S));
     ("ThresholdedRelu", pointwise alpha_of (thresholded_cell S));
     ("HardSigmoid", pointwise hard_params (fun '(alpha, beta) => hard_sigmoid_cell S alpha beta));
     ("HardSwish", elementwise (hard_swish_cell S));
     ("Softplus", elementwise (softplus_cell S));
     ("Softsign", elementwise (softsign_cell S));
     ("Mish", elementwise (mish_cell S));
     ("Gelu", pointwise gelu_params (gelu_cell S));
     ("Swish", pointwise alpha_of (swish_cell S));
     ("Sign", elementwise (sign_cell S));
     ("Round", elementwise (s_round S));
     ("Mod", binary (s_mod S));
     ("ReduceMax", reduce_max_op);
     ("LogSoftmax", log_softmax_op);
     ("RMSNormalization", rms_norm_op)].

End Table.
Arguments op_shape {S}.
Arguments op_cells {S}.
Arguments one {A}.
Arguments on1 {A}.
Arguments on2 {A}.
Arguments on3 {A}.
Arguments any {A}.

Definition inputs {A} (vs : list (gvalue A)) : option (list (option A)) := option_map trim (traverse operand vs).

Lemma inputs_present {A} (ts : list A) : inputs (map GTensor ts) = Some (map Some ts).
Proof.
  unfold inputs. assert (traverse operand (map GTensor ts) = Some (map Some ts)) as ->.
  { induction ts as [| t ts IH]; [reflexivity |]. cbn [map traverse operand]. now rewrite IH. }
  cbn [option_map]. f_equal. induction ts as [| t ts IH]; [reflexivity |]. cbn [map trim]. now rewrite IH.
Qed.

(** The value of an operator. *)
Definition op_value (S : arith) (name : string) (l : attributes) (vs : list (gvalue (tensor (num S)))) :
    option (gvalue (tensor (num S))) :=
  let? o := look_up String.eqb (operators S) name in
  let? v := inputs vs in op_cells o l v.

(** Numbers that say nothing: the type rules need none. *)
Definition no_numbers : arith :=
  let u := fun _ : unit => tt in
  let b := fun _ _ : unit => tt in
  Arith unit false (fun _ => tt) (fun _ => tt) (fun _ _ => tt) tt tt b b b b b b b b b b b b u u u u u u u u
    (fun _ => u) (fun _ => None).

(** The sizes of its value, from those of the inputs. *)
Definition op_infer (name : string) (l : attributes) (vs : list (gvalue sizes)) : option (gvalue sizes) :=
  let? o := look_up String.eqb (operators no_numbers) name in
  let? v := inputs vs in op_shape o l v.
