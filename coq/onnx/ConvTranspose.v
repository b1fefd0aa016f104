(** * ConvTranspose

    ONNX's ConvTranspose (opset 11 and later, c/onnx/expand_window.c): of X [N, C, places..] and W [C, M / group, kernel..]
    the cell [y] of output channel [o] is the sum over the channels [c] of the group of [o] and the cells [v] of the kernel
    of [X[n, c, (y + before - v * dilation) / stride] * W[c, o, v]], where the quotient is whole and a place of X; and the
    bias of [o].  The composition is one Conv for all [stride] cells that lie between two places, as channels that become
    places; where kernels are dilated, and in groups of three spatial dimensions, it is a Conv of X with zeros between its
    places by the kernel from its end.  The node stays ConvTranspose where there are more than three spatial dimensions, or
    more cells than [extent_max], [cell_weights_max] or [mirrored_max] say.  Both add the terms in another order than ONNX's
    formula, zeros among them: ConvTransposeProof.v proves them equal in rings, and the sums of any scalars in the order of
    the Conv, floats among them. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith Ring_theory Ring.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.OpTable tensor.Algebra tensor.Along tensor.Channel.
From Calque Require Import tensor.KernelPad tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.AxisSteps onnx.Interleaved onnx.WindowSums.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Spatial dimensions *)

(** Cells are cut off the whole result before and after it; less than none after: cells that nothing reaches are added. *)
Record axis := Axis {
  a_in : nat;
  a_kernel : nat;
  a_stride : nat;
  a_dilation : nat;
  a_before : nat;
  a_after : Z;
  a_extra : nat
}.

Definition out_size (a : axis) : Z :=
  (Z.of_nat (a_stride a) * (Z.of_nat (a_in a) - 1) + Z.of_nat (a_extra a) +
   (Z.of_nat (a_kernel a) - 1) * Z.of_nat (a_dilation a) + 1 - Z.of_nat (a_before a) - a_after a)%Z.

Definition a_out (a : axis) : nat := Z.to_nat (out_size a).

Definition axis_ok (a : axis) : bool :=
  (0 <? a_in a) && (0 <? a_kernel a) && (0 <? a_stride a) && (0 <? a_dilation a) && (0 <? out_size a)%Z.

(** Where output_shape or auto_pad says the size, what the whole result has more is cut off at both ends; the greater half
    after it ([upper]) or before it. *)
Definition sized (upper : bool) (size : Z) (a : axis) : axis :=
  let cut before after := Axis (a_in a) (a_kernel a) (a_stride a) (a_dilation a) before after (a_extra a) in
  let total := (out_size (cut 0%nat 0) - size)%Z in
  if (total <? 0)%Z then cut 0 total
  else
    let before := if upper then (total / 2)%Z else (total - total / 2)%Z in
    cut (Z.to_nat before) (total - before)%Z.

(** auto_pad: the size of the input times the stride. *)
Definition same_size (upper : bool) (a : axis) : axis := sized upper (Z.of_nat (a_stride a * a_in a)) a.

Lemma sized_out upper size a : out_size (sized upper size a) = size.
Proof.
  unfold sized. cbv zeta. set (total := (out_size _ - size)%Z). destruct (Z.ltb_spec total 0) as [lt | ge].
  - unfold total, out_size in *. cbn [a_in a_kernel a_stride a_dilation a_before a_after a_extra] in *. lia.
  - assert (0 <= total / 2 <= total)%Z by (split; [apply Z.div_pos | apply Z.div_le_upper_bound]; lia).
    destruct upper; unfold out_size at 1; cbn [a_in a_kernel a_stride a_dilation a_before a_after a_extra];
      rewrite Z2Nat.id by lia; unfold total, out_size; cbn [a_in a_kernel a_stride a_dilation a_before a_after a_extra]; lia.
Qed.

(** ** ONNX's formula *)

(** The places that cells [v] of the kernel reach from place [y]; -1: none. *)
Fixpoint sources (l : list axis) (y v : list Z) : list Z :=
  match l, y, v with
  | a :: l', z :: y', k :: v' =>
      source (Z.of_nat (a_stride a)) (z + Z.of_nat (a_before a)) (k * Z.of_nat (a_dilation a)) :: sources l' y' v'
  | _, _, _ => []
  end.

Section Formula.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Definition transpose_term (group : nat) (l : list axis) (x w : tensor) (n o : Z) (y k : list Z) : num S :=
    let m := Z.of_nat (nth 1 (dims w) 0) in
    let c := (o / m * Z.of_nat (nth 1 (dims x) 0%nat / group) + nth 0 k 0)%Z in
    let i := n :: c :: sources l y (tl k) in
    if in_box (dims x) i then s_mul S (at_ x i) (at_ w (c :: (o mod m)%Z :: tl k)) else s_zero S.

  Definition transpose_cell (group : nat) (l : list axis) (x w : tensor) (i : list Z) : num S :=
    match i with
    | n :: o :: y => s_sum S ((nth 1 (dims x) 0 / group) :: skipn 2 (dims w)) (transpose_term group l x w n o y)
    | _ => s_zero S
    end.

  Definition transpose_out (group : nat) (l : list axis) (x w : sizes) (b : option sizes) : option sizes :=
    match x, w with
    | n :: c :: xs, c' :: m :: ks =>
        guard ((0 <? group) && (c =? c') && (c mod group =? 0) && (0 <? n) && (0 <? c) && (0 <? m) &&
               sizes_eqb xs (map a_in l) && sizes_eqb ks (map a_kernel l) && (1 <=? List.length l) && forallb axis_ok l &&
               match b with Some ds => sizes_eqb ds [group * m] | None => true end)
          (Some (n :: group * m :: map a_out l))
    | _, _ => None
    end.

  Definition onnx_conv_transpose (group : nat) (l : list axis) (x w : tensor) (b : option tensor) : option tensor :=
    table S (transpose_out group l (dims x) (dims w) (option_map dims b))
      (fun _ i => match b with
                  | Some b => s_add S (transpose_cell group l x w i) (at_ b [nth 1 i 0%Z])
                  | None => transpose_cell group l x w i
                  end).
End Formula.

(** ** The composition *)

(** Cell stride * q + r of the result is made of the input's places q + u and the weights r + before - stride * u; the
    places [u] are [span], from [low] on, and the numbers [q] are [a_places]. *)
Definition low (a : axis) : Z := ceil_div (Z.of_nat (a_before a) - Z.of_nat (a_kernel a) + 1) (Z.of_nat (a_stride a)).

Definition span (a : axis) : nat :=
  Z.to_nat ((Z.of_nat (a_stride a) - 1 + Z.of_nat (a_before a)) / Z.of_nat (a_stride a) - low a + 1).

Definition a_places (a : axis) : nat := Z.to_nat (ceil_div (out_size a) (Z.of_nat (a_stride a))).

Definition padded (lo hi : list Z) (k : nat) : build nat :=
  if forallb (Z.eqb 0) (lo ++ hi) then Return k
  else apply "Pad" [("pads", ints_value (lo ++ hi)); ("mode", VStr "constant"); ("value", VFloat 0)] [k].

(** For each [r] and [u] the weight along one dimension. *)
Definition weight_place (a : axis) (j : Z) : Z :=
  let s := Z.of_nat (span a) in (j / s + Z.of_nat (a_before a) - Z.of_nat (a_stride a) * (low a + j mod s))%Z.

Definition cell_weights_max : nat := Nat.pow 2 12.

Definition in_kernel (a : axis) (z : Z) : bool := (0 <=? z)%Z && (z <? Z.of_nat (a_kernel a))%Z.

Definition cell_weights (pre : sizes) (a : axis) (post : sizes) (k : nat) : build nat :=
  let n := a_stride a * span a in
  let at_place j := let z := weight_place a (Z.of_nat j) in if in_kernel a z then z else Z.of_nat (a_kernel a) in
  let index := map at_place (seq 0 n) in
  if (n =? a_kernel a) && forallb (fun j => (at_place j =? Z.of_nat j)%Z) (seq 0 n) then Return k
  else
    let zero := existsb (Z.eqb (Z.of_nat (a_kernel a))) index in
    let none m := repeat 0%Z m in
    p <- padded (none (List.length pre) ++ 0%Z :: none (List.length post))
           (none (List.length pre) ++ (if zero then 1 else 0)%Z :: none (List.length post)) k;;
    taken (List.length pre) index p.

(** One axis after the other, those before it done. *)
Fixpoint along_axes {A} (step : sizes -> A -> sizes -> nat -> build nat) (from to : A -> nat) (pre : sizes) (l : list A)
    (k : nat) : build nat :=
  match l with
  | [] => Return k
  | a :: r => j <- step pre a (map from r) k;; along_axes step from to (pre ++ [to a]) r j
  end.

Definition regrouped (from to : sizes) (perm : list nat) (last : sizes) (k : nat) : build nat :=
  a <- reshaped from to k;;
  t <- apply "Transpose" [("perm", nats_value perm)] [a];;
  reshaped (ordered 0 perm to) last t.

Definition stride_span (a : axis) : nat := a_stride a * span a.
Definition places_stride (a : axis) : nat := a_places a * a_stride a.

(** The weights [C, M / group, kernel..] as [M * cells, C / group, u..]. *)
Definition block_weights (group cg m : nat) (l : list axis) (k : nat) : build nat :=
  let ss := map a_stride l in
  let us := map span l in
  j <- along_axes cell_weights a_kernel stride_span [group * cg; m] l k;;
  regrouped (group * cg :: m :: map stride_span l)
    (if group =? 1 then cg :: m :: interleave ss us else group :: cg :: m :: interleave ss us)
    (if group =? 1 then unpaired (List.length l) else grouped_unpaired (List.length l))
    (group * m * cell_count ss :: cg :: us) j.

(** A Conv whose window has steps of one. *)
Definition unit_conv (kernel ds : list nat) (group : nat) (args : list nat) : build nat :=
  let n := List.length kernel in
  apply "Conv"
    [("kernel_shape", nats_value kernel); ("strides", nats_value (repeat 1 n)); ("pads", nats_value (repeat 0 (2 * n)));
     ("dilations", nats_value ds); ("group", nat_value group)] args.

Definition biased (channels rank : nat) (bias : option nat) (k : nat) : build nat :=
  match bias with
  | Some b => c <- reshaped [channels] (channels :: repeat 1 rank) b;; apply "Add" [] [k; c]
  | None => Return k
  end.

Definition by_cells (group n cg m : nat) (l : list axis) (bias : option nat) : build nat :=
  let ss := map a_stride l in
  let ps := map a_places l in
  x <- padded (0%Z :: 0%Z :: map (fun a => - low a)%Z l)
         (0%Z :: 0%Z :: map (fun a => Z.of_nat (a_places a) + Z.of_nat (span a) - 1 - Z.of_nat (a_in a) + low a)%Z l) 0;;
  w <- block_weights group cg m l 1;;
  y <- unit_conv (map span l) (repeat 1 (List.length l)) group [x; w];;
  z <- regrouped (n :: group * m * cell_count ss :: ps) (n :: group * m :: ss ++ ps) (paired (List.length l))
         (n :: group * m :: map places_stride l) y;;
  c <- along_axes (fun pre a post => sliced pre (places_stride a) post 0 1 (a_out a)) places_stride a_out [n; group * m] l z;;
  biased (group * m) (List.length l) bias c.

(** ** Dilated kernels, and groups of three spatial dimensions *)

(** The second and the third dimension change places. *)
Definition swapped (n : nat) : list nat := 0 :: 2 :: 1 :: seq 3 n.

Definition from_end (pre : sizes) (a : axis) (post : sizes) (k : nat) : build nat :=
  let n := a_kernel a in
  if 1 <? n then sliced pre n post (Z.of_nat n - 1) (-1) n k else Return k.

(** The weights [C, M / group, kernel..] as [M, C / group, kernel..], their cells from the end. *)
Definition mirrored (group cg m : nat) (l : list axis) (k : nat) : build nat :=
  let ks := map a_kernel l in
  j <- regrouped (group * cg :: m :: ks) (group :: cg :: m :: ks) (swapped (List.length l)) (group * m :: cg :: ks) k;;
  along_axes from_end a_kernel a_kernel [group * m; cg] l j.

(** A dimension behind each one that gets zeros between its places. *)
Definition opened (size : axis -> nat) (l : list axis) : sizes :=
  flat_map (fun a => if 1 <? a_stride a then [a_in a; size a] else [a_in a]) l.

Definition filled (l : list axis) : list Z :=
  flat_map (fun a => if 1 <? a_stride a then [0; Z.of_nat (a_stride a) - 1]%Z else [0%Z]) l.

Definition in_stride (a : axis) : nat := a_in a * a_stride a.

(** [stride - 1] zeros behind each place. *)
Definition spaced (n c : nat) (l : list axis) (k : nat) : build nat :=
  let thin := opened (fun _ => 1) l in
  a <- reshaped (n :: c :: map a_in l) (n :: c :: thin) k;;
  p <- padded (repeat 0%Z (2 + List.length thin)) (0%Z :: 0%Z :: filled l) a;;
  reshaped (n :: c :: opened a_stride l) (n :: c :: map in_stride l) p.

(** From the first to the last place that the kernel reaches. *)
Definition reach (a : axis) : Z := ((Z.of_nat (a_kernel a) - 1) * Z.of_nat (a_dilation a))%Z.

Definition pad_before (a : axis) : Z := (reach a - Z.of_nat (a_before a))%Z.
Definition pad_after (a : axis) : Z := (reach a - a_after a + Z.of_nat (a_extra a) - (Z.of_nat (a_stride a) - 1))%Z.

Definition overlapping (group n cg m : nat) (l : list axis) (bias : option nat) : build nat :=
  w <- mirrored group cg m l 1;;
  s <- spaced n (group * cg) l 0;;
  x <- padded (0%Z :: 0%Z :: map pad_before l) (0%Z :: 0%Z :: map pad_after l) s;;
  unit_conv (map a_kernel l) (map a_dilation l) group (x :: w :: match bias with Some b => [b] | None => [] end).

(** ** Both *)

Definition extent_max : Z := 2 ^ 28.
Definition mirrored_max : nat := 64.

Definition extent_fits (a : axis) : bool :=
  (Z.of_nat (a_kernel a) * Z.of_nat (a_dilation a) <=? extent_max)%Z &&
  (Z.of_nat (a_in a) * Z.of_nat (a_stride a) <=? extent_max)%Z.

Definition overlaps (group : nat) (l : list axis) : bool :=
  existsb (fun a => negb (a_dilation a =? 1)) l || (2 <? List.length l) && (1 <? group).

(** Inputs are X, W and the bias if there is one. *)
Definition conv_transpose_composition (group : nat) (l : list axis) (x w : sizes) (b : option sizes) : option (build nat) :=
  let? _ := transpose_out group l x w b in
  let bias := match b with Some _ => Some 2 | None => None end in
  let n := nth 0 x 0 in
  let cg := nth 1 x 0 / group in
  let m := nth 1 w 0 in
  guard ((List.length l <=? 3) && forallb extent_fits l)
    (if overlaps group l then
       guard (forallb (fun a => a_kernel a <=? mirrored_max) l) (Some (overlapping group n cg m l bias))
     else
       guard (forallb (fun a => (Z.of_nat (stride_span a) <=? Z.of_nat cell_weights_max)%Z) l)
         (Some (by_cells group n cg m l bias))).
