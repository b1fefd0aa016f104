(** * The meaning of the operators: elementwise, moving, products

    Each operator is a function of tensors over any scalars: the sizes of the result
    ([Shapes]) and each cell of it, added up in the order of the kernels (c/tensor/kernel_*.c). *)

From Coq Require Import Bool List Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes.
Import ListNotations.
Open Scope nat_scope.

Section Ops.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).

  Definition at_ (x : tensor) (i : list Z) : num := get (s_zero S) x i.

  (** A result of these sizes, if there are any. *)
  Definition table (o : option sizes) (f : sizes -> list Z -> num) : option tensor :=
    let? ds := o in Some (tabulate ds (f ds)).

  (** The cell of [x] that broadcasting puts at [i] of a result of sizes [out]. *)
  Definition spread_at (x : tensor) (out : sizes) (i : list Z) : num := at_ x (spread (dims x) out i).

  (** ** Elementwise *)

  Definition map1 (f : num -> num) (x : tensor) : option tensor :=
    Some (tabulate (dims x) (fun i => f (at_ x i))).

  Definition map2 (f : num -> num -> num) (x y : tensor) : option tensor :=
    table (broadcast (dims x) (dims y)) (fun out i => f (spread_at x out i) (spread_at y out i)).

  (** From the left, without a start. *)
  Definition fold_all (f : num -> num -> num) (x : tensor) (l : list tensor) : option tensor :=
    table (broadcast_all (dims x) (map dims l))
      (fun out i => fold_left (fun a y => f a (spread_at y out i)) l (spread_at x out i)).

  Definition relu_cell (a : num) : num := s_max S a (s_zero S).
  Definition sigmoid_cell (a : num) : num := s_div S (s_one S) (s_add S (s_one S) (s_exp S (s_neg S a))).
  Definition reciprocal_cell (a : num) : num := s_div S (s_one S) a.

  (** Integer quotients are cut: the floor, and one more where that is below 0 and there is a rest ([Cut.v]). *)
  Definition div_cell (a b : num) : num :=
    let q := s_div S a b in
    if s_integer S then
      s_add S q (s_when S (s_less S q (s_zero S)) (s_sub S (s_one S) (s_equal S (s_mul S q b) a)))
    else q.

  (** An infinite bound is none. *)
  Definition clip_cell (lo hi : N) (a : num) : num :=
    let a := if is_minus_infinity lo then a else s_max S a (s_real S lo) in
    if is_infinity hi then a else s_min S a (s_real S hi).

  Definition leaky_relu_cell (alpha : N) (a : num) : num :=
    s_add S (s_max S a (s_zero S)) (s_mul S (s_real S alpha) (s_min S a (s_zero S))).

  (** *** Activations: what lies above 0, and what becomes of that below *)

  Definition above (a : num) : num := s_max S a (s_zero S).
  Definition below (a : num) : num := s_min S a (s_zero S).

  Definition elu_cell (alpha : N) (a : num) : num :=
    s_add S (above a) (s_mul S (s_real S alpha) (s_sub S (s_exp S (below a)) (s_one S))).

  Definition selu_cell (alpha gamma : N) (a : num) : num := s_mul S (s_real S gamma) (elu_cell alpha a).

  Definition celu_cell (alpha : N) (a : num) : num :=
    s_add S (above a) (s_mul S (s_real S alpha) (s_sub S (s_exp S (s_div S (below a) (s_real S alpha))) (s_one S))).

  Definition prelu_cell (a slope : num) : num := s_add S (above a) (s_mul S slope (below a)).

  Definition thresholded_cell (alpha : N) (a : num) : num := s_when S (s_less S (s_real S alpha) a) a.

  Definition hard_sigmoid_cell (alpha beta : N) (a : num) : num :=
    s_min S (s_max S (s_add S (s_mul S (s_real S alpha) a) (s_real S beta)) (s_zero S)) (s_one S).

  Definition hard_swish_cell (a : num) : num := s_mul S a (hard_sigmoid_cell sixth_bits half_bits a).

  (** log (1 + exp a) without its overflow. *)
  Definition softplus_cell (a : num) : num :=
    s_add S (above a) (s_log S (s_add S (s_one S) (s_exp S (s_neg S (s_abs S a))))).

  Definition softsign_cell (a : num) : num := s_div S a (s_add S (s_one S) (s_abs S a)).

  Definition mish_cell (a : num) : num := s_mul S a (s_tanh S (softplus_cell a)).

  (** By erf, or as it is approximated by tanh. *)
  Definition gelu_cell (by_tanh : bool) (a : num) : num :=
    s_mul S (s_mul S a (s_real S half_bits))
      (s_add S
         (if by_tanh
          then s_tanh S (s_mul S (s_add S a (s_mul S (s_mul S (s_mul S a a) a) (s_real S gelu_cubic_bits)))
                                 (s_real S gelu_inner_bits))
          else s_erf S (s_mul S a (s_real S root_half_bits)))
         (s_one S)).

  Definition swish_cell (alpha : N) (a : num) : num :=
    s_mul S a (s_div S (s_one S) (s_add S (s_one S) (s_exp S (s_neg S (s_mul S (s_real S alpha) a))))).

  Definition sign_cell (a : num) : num := s_sub S (s_less S (s_zero S) a) (s_less S a (s_zero S)).

  (** Truth values are 1 and 0. *)
  Definition not_cell (a : num) : num := s_equal S a (s_zero S).

  (** One of the two summands is 0, so that the other one is what is left: Instances.where_cell_binary32 says that this
      is [a] or [b], bit for bit. *)
  Definition where_cell (c a b : num) : num := s_orelse S (s_when S c a) (s_when S (not_cell c) b).

  Definition where_of (c x y : tensor) : option tensor :=
    table (broadcast_all (dims c) [dims x; dims y])
      (fun out i => where_cell (spread_at c out i) (spread_at x out i) (spread_at y out i)).

  (** ** The same elements *)

  Definition recast_to (o : option sizes) (x : tensor) : option tensor :=
    let? ds := o in recast ds x.

  (** ** Elements moved *)

  Definition transpose (perm : list nat) (x : tensor) : option tensor :=
    table (transpose_dims perm (dims x)) (fun _ i => at_ x (unpermute perm i)).

  Fixpoint concat_cell (axis : nat) (x : tensor) (l : list tensor) (i : list Z) : num :=
    match l with
    | [] => at_ x i
    | y :: l' =>
        let n := Z.of_nat (nth axis (dims x) 0) in
        let k := nth axis i 0%Z in
        if (k <? n)%Z then at_ x i else concat_cell axis y l' (set_nth axis (k - n)%Z i)
    end.

  Definition concat (axis : nat) (x : tensor) (l : list tensor) : option tensor :=
    table (concat_dims axis (dims x) (map dims l)) (fun _ => concat_cell axis x l).

  Definition part (axis : nat) (x : tensor) (start : nat) (ds : sizes) : tensor :=
    tabulate ds (fun i => at_ x (set_nth axis (nth axis i 0 + Z.of_nat start)%Z i)).

  Fixpoint parts (axis : nat) (x : tensor) (start : nat) (l : list sizes) : list tensor :=
    match l with
    | [] => []
    | ds :: l' => part axis x start ds :: parts axis x (start + nth axis ds 0) l'
    end.

  Definition split (axis : nat) (sizes : list nat) (x : tensor) : option (list tensor) :=
    let? l := split_dims axis sizes (dims x) in Some (parts axis x 0 l).

  Definition slice (starts steps : list Z) (sizes : list nat) (x : tensor) : option tensor :=
    table (slice_dims starts steps sizes (dims x)) (fun _ i => at_ x (slice_at starts steps i)).

  (** Indices count from the end if negative. *)
  Definition index_of (n : nat) (a : num) : option Z :=
    let? z := s_index S a in
    let z' := if (z <? 0)%Z then (z + Z.of_nat n)%Z else z in
    guard ((0 <=? z')%Z && (z' <? Z.of_nat n)%Z) (Some z').

  Definition gather (axis : nat) (x ix : tensor) : option tensor :=
    let n := nth axis (dims x) 0 in
    let r := length (dims ix) in
    let at_index i := index_of n (at_ ix (firstn r (skipn axis i))) in
    guard (forallb (fun i => match index_of n (at_ ix i) with Some _ => true | None => false end) (box (dims ix)))
      (table (Some (gather_dims axis (dims x) (dims ix)))
         (fun _ i => match at_index i with
                     | Some z => at_ x (firstn axis i ++ z :: skipn (axis + r) i)
                     | None => s_zero S
                     end)).

  Definition pad (mode : pad_mode) (value : N) (lo hi : list Z) (x : tensor) : option tensor :=
    table (pad_dims mode (dims x) lo hi)
      (fun _ i => let j := pad_at mode (dims x) lo i in
                  match mode with
                  | PadConstant => if in_box (dims x) j then at_ x j else s_real S value
                  | _ => at_ x j
                  end).

  Definition expand (o : option sizes) (x : tensor) : option tensor := table o (spread_at x).

  (** ** Tensors of one value *)

  Definition filled (ds : sizes) (a : num) : tensor := tabulate ds (fun _ => a).

  Definition eye (k : Z) (x : tensor) : option tensor :=
    match dims x with
    | [_; _] => Some (tabulate (dims x)
        (fun i => if (nth 1 i 0 =? nth 0 i 0 + k)%Z then s_one S else s_zero S))
    | _ => None
    end.

  Definition shape_tensor (start stop : Z) (x : tensor) : tensor :=
    let (a, b) := shape_bounds start stop (length (dims x)) in
    let l := firstn (b - a) (skipn a (dims x)) in
    Tensor [length l] (map (fun n => s_int S (Z.of_nat n)) l).

  (** ** Sums over dimensions *)

  (** [m] marks the dimensions that are summed; the others are at [rest]. *)
  Definition sum_over (m : list bool) (x : tensor) (rest : list Z) : num :=
    s_sum S (marked m (dims x)) (fun k => at_ x (weave m k rest)).

  Definition reduce_sum (keep : bool) (axes : list nat) (x : tensor) : option tensor :=
    let m := marks (length (dims x)) axes in
    table (Some (reduce_dims keep m (dims x))) (fun _ i => sum_over m x (if keep then unmarked m i else i)).

  (** By a count that is not 1. *)
  Definition over_count (n : nat) (a : num) : num := if n =? 1 then a else s_div S a (s_int S (Z.of_nat n)).

  Definition reduce_mean (keep : bool) (axes : list nat) (x : tensor) : option tensor :=
    let m := marks (length (dims x)) axes in
    let n := cell_count (marked m (dims x)) in
    table (Some (reduce_dims keep m (dims x)))
      (fun _ i => over_count n (sum_over m x (if keep then unmarked m i else i))).

  Definition reduce_max (keep : bool) (axes : list nat) (x : tensor) : option tensor :=
    let m := marks (length (dims x)) axes in
    table (greatest_dims keep m (dims x))
      (fun _ i => s_greatest S (marked m (dims x)) (fun k => at_ x (weave m k (if keep then unmarked m i else i)))).

  Definition collapse_sum (to : sizes) (x : tensor) : option tensor :=
    let m := collapse_marks to (dims x) in
    table (collapse_dims to (dims x))
      (fun _ i => sum_over m x (unmarked (skipn (length (dims x) - length to) m) i)).

  (** ** Products *)

  (** A factor that rounds to 1 is left out, and with it [beta] = 0 the whole of C. *)
  Definition scaled (factor : N) (a : num) : num :=
    if rounds_to_one factor then a else s_mul S (s_real S factor) a.

  Definition gemm (alpha beta : N) (ta tb : bool) (a b : tensor) (c : option tensor) : option tensor :=
    let inner := nth (if ta then 0 else 1) (dims a) 0 in
    table (gemm_dims ta tb (dims a) (dims b) (option_map dims c))
      (fun out i =>
         let row := nth 0 i 0%Z in
         let col := nth 1 i 0%Z in
         let ab := scaled alpha (s_sum S [inner] (fun k =>
           let k := nth 0 k 0%Z in
           s_mul S (at_ a (if ta then [k; row] else [row; k])) (at_ b (if tb then [col; k] else [k; col])))) in
         match c with
         | Some c => if rounds_to_zero beta then ab else s_add S ab (scaled beta (spread_at c out i))
         | None => ab
         end).

  Definition matmul (a b : tensor) : option tensor :=
    let? (pa, rows, inner) := matmul_left (dims a) in
    let? (pb, _, cols) := matmul_right (dims b) in
    table (matmul_dims (dims a) (dims b))
      (fun out i =>
         let n := length out - length rows - length cols in
         let batch := firstn n out in
         let row := firstn (length rows) (skipn n i) in
         let col := skipn (n + length rows) i in
         s_sum S [inner] (fun k =>
           s_mul S (at_ a (spread pa batch (firstn n i) ++ row ++ k)) (at_ b (spread pb batch (firstn n i) ++ k ++ col)))).

  Definition bias_add (axis : nat) (x b : tensor) : option tensor :=
    table (bias_add_dims axis (dims x) (dims b)) (fun _ i => s_add S (at_ x i) (at_ b [nth axis i 0%Z])).
End Ops.

Lemma table_good (S : arith) o f t : table S o f = Some t -> good t.
Proof. unfold table. destruct o; [| discriminate]. intros H. injection H as <-. apply good_tabulate. Qed.
