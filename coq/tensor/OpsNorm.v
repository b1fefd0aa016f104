(** * The meaning of the operators: normalisations *)

From Coq Require Import Bool List Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
Import ListNotations.
Open Scope nat_scope.

Section Norm.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).

  (** The place of cell [i] along dimension 1; a vector is a batch of one channel. *)
  Definition channel (ds : sizes) (i : list Z) : list Z :=
    match ds with _ :: _ :: _ => [nth 1 i 0%Z] | _ => [0%Z] end.

  Definition batch_norm (epsilon : N) (x g b m v : tensor) : option tensor :=
    table S (batch_norm_dims (dims x) (map dims [g; b; m; v]))
      (fun _ i =>
         let c := channel (dims x) i in
         s_add S (s_mul S (s_div S (s_sub S (at_ x i) (at_ m c)) (s_sqrt S (s_add S (at_ v c) (s_real S epsilon))))
                    (at_ g c)) (at_ b c)).

  (** Cells [cell k], [k] in the box [ns], that belong together: their mean, their mean
      square distance from it, and a cell [a] less the one and by the root of the other. *)
  Definition mean_of (ns : sizes) (cell : list Z -> num) : num := over_count S (cell_count ns) (s_sum S ns cell).

  Definition variance_of (ns : sizes) (cell : list Z -> num) : num :=
    let m := mean_of ns cell in
    over_count S (cell_count ns)
      (s_sum S ns (fun k => let d := s_sub S (cell k) m in s_mul S d d)).

  Definition standard (epsilon : N) (ns : sizes) (cell : list Z -> num) (a : num) : num :=
    s_div S (s_sub S a (mean_of ns cell)) (s_sqrt S (s_add S (variance_of ns cell) (s_real S epsilon))).

  (** The cells that are with [i], those along the marked dimensions. *)
  Definition fellows (m : list bool) (x : tensor) (i : list Z) (k : list Z) : num :=
    at_ x (weave m k (unmarked m i)).

  Definition layer_norm (axis : nat) (epsilon : N) (x g : tensor) (b : option tensor) : option tensor :=
    let m := map (Nat.leb axis) (seq 0 (length (dims x))) in
    table S (layer_norm_dims (dims x) (dims g) (option_map dims b))
      (fun out i =>
         let y := s_mul S (standard epsilon (marked m (dims x)) (fellows m x i) (at_ x i)) (spread_at S g out i) in
         match b with Some b => s_add S y (spread_at S b out i) | None => y end).

  (** By the root of the mean square. *)
  Definition rms_norm (axis : nat) (epsilon : N) (x g : tensor) : option tensor :=
    let m := map (Nat.leb axis) (seq 0 (length (dims x))) in
    let ns := marked m (dims x) in
    table S (layer_norm_dims (dims x) (dims g) None)
      (fun out i =>
         let square := over_count S (cell_count ns) (s_sum S ns (fun k => let a := fellows m x i k in s_mul S a a)) in
         s_mul S (s_div S (at_ x i) (s_sqrt S (s_add S square (s_real S epsilon)))) (spread_at S g out i)).

  Definition scale_channel (g b : tensor) (i : list Z) (y : num) : num :=
    let c := [nth 1 i 0%Z] in s_add S (s_mul S y (at_ g c)) (at_ b c).

  Definition instance_norm (epsilon : N) (x g b : tensor) : option tensor :=
    let m := map (Nat.leb 2) (seq 0 (length (dims x))) in
    table S (per_channel_dims 3 (dims x) (dims g) (dims b))
      (fun _ i => scale_channel g b i (standard epsilon (marked m (dims x)) (fellows m x i) (at_ x i))).

  (** [share] channels together. *)
  Definition group_fellows (share : nat) (x : tensor) (i k : list Z) : num :=
    match i, k with
    | n :: c :: _, a :: k' => at_ x (n :: (c / Z.of_nat share * Z.of_nat share + a)%Z :: k')
    | _, _ => s_zero S
    end.

  Definition group_norm (groups : nat) (epsilon : N) (x g b : tensor) : option tensor :=
    let c := nth 1 (dims x) 0 in
    let share := c / groups in
    guard ((0 <? groups) && (c mod groups =? 0))
      (table S (per_channel_dims 2 (dims x) (dims g) (dims b))
         (fun _ i => scale_channel g b i
            (standard epsilon (share :: skipn 2 (dims x)) (group_fellows share x i) (at_ x i)))).

  (** A norm that is not 0 is at least the least positive number; with that in place of 0 the
      quotient is 0. *)
  Definition lp_norm (axis : nat) (square : bool) (x : tensor) : option tensor :=
    let m := marks (length (dims x)) [axis] in
    let size a := if square then s_mul S a a else s_abs S a in
    table S (Some (dims x))
      (fun _ i => let sum := s_sum S (marked m (dims x)) (fun k => size (fellows m x i k)) in
                  s_div S (at_ x i) (s_max S (if square then s_sqrt S sum else sum) (s_tiny S))).

  Definition l2_norm (axes : list nat) (epsilon : N) (x : tensor) : option tensor :=
    let m := marks (length (dims x)) axes in
    table S (Some (dims x))
      (fun _ i => let sum := s_sum S (marked m (dims x))
                               (fun k => let a := fellows m x i k in s_mul S a a) in
                  s_div S (at_ x i) (s_sqrt S (s_max S sum (s_real S epsilon)))).

  (** Along one dimension; with [flatten] jointly over it and all behind it. *)
  Definition softmax (axis : nat) (flatten : bool) (x : tensor) : option tensor :=
    let m := map (fun k => if flatten then axis <=? k else axis =? k) (seq 0 (length (dims x))) in
    let ns := marked m (dims x) in
    table S (Some (dims x))
      (fun _ i => let top := s_greatest S ns (fellows m x i) in
                  let e a := s_exp S (s_sub S a top) in
                  s_div S (e (at_ x i)) (s_sum S ns (fun k => e (fellows m x i k)))).

  (** Its logarithm, without quotients. *)
  Definition log_softmax (axis : nat) (flatten : bool) (x : tensor) : option tensor :=
    let m := map (fun k => if flatten then axis <=? k else axis =? k) (seq 0 (length (dims x))) in
    let ns := marked m (dims x) in
    table S (Some (dims x))
      (fun _ i => let top := s_greatest S ns (fellows m x i) in
                  let below a := s_sub S a top in
                  s_sub S (below (at_ x i)) (s_log S (s_sum S ns (fun k => s_exp S (below (fellows m x i k)))))).

  (** The window reaches (size - 1) / 2 channels down, the rest up. *)
  Definition lrn (alpha beta bias : N) (size : nat) (x : tensor) : option tensor :=
    guard (2 <=? length (dims x))
      (table S (Some (dims x))
         (fun _ i =>
            let term k :=
              let c := (nth 1 i 0 + nth 0 k 0 - Z.of_nat ((size - 1) / 2))%Z in
              let j := set_nth 1 c i in
              if in_box (dims x) j then s_mul S (at_ x j) (at_ x j) else s_zero S in
            s_div S (at_ x i)
              (s_pow S (s_add S (s_real S bias)
                          (s_mul S (s_ratio S alpha (Z.of_nat size)) (s_sum S [size] term)))
                 (s_real S beta)))).
End Norm.
