(** * The meaning of the operators: convolution and pooling *)

From Coq Require Import Bool List Arith NArith ZArith.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
Import ListNotations.
Open Scope nat_scope.

Section Window.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).

  (** Where the window of output place [y] has its cell [u]. *)
  Definition place (w : window) (y u : list Z) : list Z :=
    window_at (strides w) (dilations w) (pads_before w) y u.

  (** ** Convolution *)

  (** X[n, c..] * W[o, k..], 0 where the window lies in the padding. *)
  Definition conv_term (w : window) (group : nat) (x f : tensor) (n o : Z) (y k : list Z) : num :=
    let per_group := Z.of_nat (nth 0 (dims f) 0 / group) in
    let c := (o / per_group * Z.of_nat (nth 1 (dims f) 0%nat) + nth 0 k 0)%Z in
    let i := n :: c :: place w y (tl k) in
    if in_box (dims x) i then s_mul S (at_ x i) (at_ f (o :: k)) else s_zero S.

  Definition conv_cell (w : window) (group : nat) (x f : tensor) (i : list Z) : num :=
    match i with
    | n :: o :: y => s_sum S (tl (dims f)) (conv_term w group x f n o y)
    | _ => s_zero S
    end.

  Definition conv (w : window) (group : nat) (x f : tensor) (b : option tensor) : option tensor :=
    table S (conv_dims w group (dims x) (dims f) (option_map dims b))
      (fun _ i => match b with
                  | Some b => s_add S (conv_cell w group x f i) (at_ b [nth 1 i 0%Z])
                  | None => conv_cell w group x f i
                  end).

  (** ** Pooling *)

  (** The window of cell [i], what lies in the padding being [a]. *)
  Definition window_cell (w : window) (x : tensor) (a : num) (i u : list Z) : num :=
    match i with
    | n :: c :: y => let j := n :: c :: place w y u in if in_box (dims x) j then at_ x j else a
    | _ => a
    end.

  Definition max_pool (ceil : bool) (w : window) (kernel : sizes) (x : tensor) : option tensor :=
    table S (pool_dims ceil w kernel (dims x))
      (fun _ i => s_greatest S kernel (window_cell w x (s_least S) i)).

  (** The box whose cells count, as it lies over the places of the window: the input, or the
      input with its padding, but not what [ceil] reaches beyond it. *)
  Definition count_box (w : window) (include : bool) (ns : sizes) : sizes :=
    if include then map (fun npq => fst npq + fst (snd npq) + snd (snd npq))
                        (combine ns (combine (pads_before w) (pads_after w)))
    else ns.

  Definition counted (w : window) (include : bool) (ns : sizes) (y u : list Z) : bool :=
    in_box (count_box w include ns)
      (if include then window_at (strides w) (dilations w) (map (fun _ => 0) (pads_before w)) y u
       else place w y u).

  (** The number of cells that count: the same everywhere, or a sum of ones. *)
  Definition pool_count (w : window) (include : bool) (kernel ns ys : sizes) (y : list Z) : num :=
    if forallb (fun y => forallb (counted w include ns y) (box kernel)) (box ys)
    then s_int S (Z.of_nat (cell_count kernel))
    else s_sum S kernel (fun u => if counted w include ns y u then s_one S else s_zero S).

  Definition average_pool (ceil include : bool) (w : window) (kernel : sizes) (x : tensor) : option tensor :=
    table S (pool_dims ceil w kernel (dims x))
      (fun out i => s_div S (s_sum S kernel (window_cell w x (s_zero S) i))
                          (pool_count w include kernel (skipn 2 (dims x)) (skipn 2 out) (skipn 2 i))).

  Definition global_average_pool (x : tensor) : option tensor :=
    let spatial := skipn 2 (dims x) in
    table S (global_pool_dims (dims x))
      (fun _ i => s_div S (s_sum S spatial (fun k => at_ x (firstn 2 i ++ k)))
                          (s_int S (Z.of_nat (cell_count spatial)))).
End Window.
