(** * Shapes of results

    The type rules of c/tensor/infer*.c for any rank: the sizes of an operator's result
    from those of its inputs, and nothing where it has none. *)

From Coq Require Import Ascii Bool List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Attrs tensor.Index.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Elementwise *)

Fixpoint broadcast_all (a : sizes) (l : list sizes) : option sizes :=
  match l with
  | [] => Some a
  | b :: l' => let? c := broadcast a b in broadcast_all c l'
  end.

(** ** The same elements *)

(** The sizes as they are written if they fit; else 0 stands for the input's size at its
    place and -1 (once) for what is left. *)
Fixpoint copied_zeros (v : list Z) (ds : sizes) : list Z :=
  match v with
  | [] => []
  | z :: v' => (if (z =? 0)%Z then match ds with d :: _ => Z.of_nat d | [] => z end else z) :: copied_zeros v' (tl ds)
  end.

Definition naturals (v : list Z) : option sizes :=
  traverse (fun z => if (0 <=? z)%Z then Some (Z.to_nat z) else None) v.

Definition fits (total : nat) (ds : sizes) : option sizes := guard (cell_count ds =? total) (Some ds).

Definition opened (total : nat) (v : list Z) : option sizes :=
  let? ones := naturals (map (fun z => if (z =? -1)%Z then 1%Z else z) v) in
  let p := cell_count ones in
  if (List.length (filter (Z.eqb (-1)) v) =? 1) && (0 <? p) then
    let? ds := naturals (map (fun z => if (z =? -1)%Z then Z.of_nat (total / p) else z) v) in
    fits total ds
  else None.

Definition reshape_dims (v : list Z) (ds : sizes) : option sizes :=
  let total := cell_count ds in
  match (let? n := naturals v in fits total n) with
  | Some n => Some n
  | None =>
      let v := copied_zeros v ds in
      match naturals v with Some n => fits total n | None => opened total v end
  end.

Definition flatten_dims (axis : nat) (ds : sizes) : sizes :=
  [cell_count (firstn axis ds); cell_count (skipn axis ds)].

Fixpoint squeezed (k : nat) (axes ds : list nat) : option (list nat) :=
  match ds with
  | [] => Some []
  | d :: ds' =>
      if has k axes then if Nat.eqb d 1 then squeezed (S k) axes ds' else None
      else option_map (cons d) (squeezed (S k) axes ds')
  end.

(** [n] more places, ones where [axes] says. *)
Fixpoint unsqueezed (n k : nat) (axes ds : list nat) : option (list nat) :=
  match n with
  | O => match ds with [] => Some [] | _ => None end
  | S n' =>
      if has k axes then option_map (cons 1) (unsqueezed n' (S k) axes ds)
      else match ds with
           | d :: ds' => option_map (cons d) (unsqueezed n' (S k) axes ds')
           | [] => None
           end
  end.

(** Left out, the axes are all those of size 1. *)
Definition squeeze_dims (axes : option (list Z)) (ds : sizes) : option sizes :=
  match axes with
  | None => Some (filter (fun d => negb (Nat.eqb d 1)) ds)
  | Some zs => let? l := axes_of (List.length ds) zs in squeezed 0 l ds
  end.

Definition unsqueeze_dims (zs : list Z) (ds : sizes) : option sizes :=
  let n := List.length ds + List.length zs in
  let? l := axes_of n zs in unsqueezed n 0 l ds.

(** [b]'s dimensions r0..r1-1 in the place of [a]'s l0..l1-1. *)
Definition reshape_like_dims (l0 l1 r0 r1 : nat) (a b : sizes) : option sizes :=
  let out := firstn l0 a ++ firstn (r1 - r0) (skipn r0 b) ++ skipn l1 a in
  guard ((l0 <=? l1) && (r0 <=? r1)) (fits (cell_count a) out).

(** ** Elements moved *)

Definition transpose_dims (perm : list nat) (ds : sizes) : option sizes :=
  guard (permutes (List.length ds) perm) (Some (permuted ds perm)).

Definition concat_dims (axis : nat) (a : sizes) (l : list sizes) : option sizes :=
  guard (forallb (fun b => (List.length b =? List.length a) && sizes_eqb (set_nth axis 0 b) (set_nth axis 0 a)) l)
    (Some (set_nth axis (fold_left (fun n b => n + nth axis b 0) l (nth axis a 0)) a)).

Definition split_dims (axis : nat) (parts : list nat) (ds : sizes) : option (list sizes) :=
  guard (list_sum parts =? nth axis ds 0) (Some (map (fun n => set_nth axis n ds) parts)).

Definition slice_fits (n : nat) (start step : Z) (size : nat) : bool :=
  let last := (start + (Z.of_nat size - 1) * step)%Z in
  negb (step =? 0)%Z && (0 <=? start)%Z &&
  ((size =? 0) || ((start <? Z.of_nat n)%Z && (0 <=? last)%Z && (last <? Z.of_nat n)%Z)).

Fixpoint slices_fit (ds : sizes) (starts steps : list Z) (parts : sizes) : bool :=
  match ds, starts, steps, parts with
  | [], [], [], [] => true
  | n :: ds', a :: starts', s :: steps', m :: parts' => slice_fits n a s m && slices_fit ds' starts' steps' parts'
  | _, _, _, _ => false
  end.

Definition slice_dims (starts steps : list Z) (parts ds : sizes) : option sizes :=
  guard (slices_fit ds starts steps parts) (Some parts).

Definition gather_dims (axis : nat) (a b : sizes) : sizes := firstn axis a ++ b ++ skipn (S axis) a.

Fixpoint pad_dims (mode : pad_mode) (ds : sizes) (lo hi : list Z) : option sizes :=
  match ds, lo, hi with
  | [], [], [] => Some []
  | n :: ds', p :: lo', q :: hi' =>
      let size := (Z.of_nat n + p + q)%Z in
      let ok := match mode with
                | PadConstant => true
                | PadEdge => (0 <=? p)%Z && (0 <=? q)%Z && ((0 <? n) || (size =? 0)%Z)
                | PadReflect => (0 <=? p)%Z && (0 <=? q)%Z && ((p =? 0) || (p <? Z.of_nat n))%Z &&
                                ((q =? 0) || (q <? Z.of_nat n))%Z
                end in
      guard ((0 <=? size)%Z && ok) (option_map (cons (Z.to_nat size)) (pad_dims mode ds' lo' hi'))
  | _, _, _ => None
  end.

Definition shape_bounds (start stop : Z) (rank : nat) : nat * nat :=
  let r := Z.of_nat rank in
  let cut z := Z.to_nat (Z.max 0 (Z.min r (if z <? 0 then z + r else z)%Z)) in
  (cut start, Nat.max (cut start) (cut stop)).

(** ** Layouts: distinct capital letters *)

Definition letters (s : string) : option (list nat) :=
  let l := map (fun c => nat_of_ascii c) (list_ascii_of_string s) in
  guard (distinct l && forallb (fun c => (65 <=? c) && (c <=? 90)) l) (Some l).

Definition layout_perm (src dst : string) : option (list nat) :=
  let? a := letters src in
  let? b := letters dst in
  guard ((List.length a =? List.length b) && forallb (fun c => has c a) b) (Some (map (fun c => place_of c a) b)).

(** ** Reductions *)

Definition reduce_dims (keep : bool) (m : list bool) (ds : sizes) : sizes :=
  if keep then map (fun bd : bool * nat => if fst bd then 1 else snd bd) (combine m ds) else unmarked m ds.

(** The greatest of no cells is none. *)
Definition greatest_dims (keep : bool) (m : list bool) (ds : sizes) : option sizes :=
  guard (forallb (fun n => negb (n =? 0)) (marked m ds)) (Some (reduce_dims keep m ds)).

(** What broadcasting from [to] to [ds] repeats. *)
Definition collapse_marks (to ds : sizes) : list bool :=
  let more := List.length ds - List.length to in
  repeat true more ++ map (fun ab : nat * nat => negb (Nat.eqb (fst ab) (snd ab))) (combine to (skipn more ds)).

Definition collapse_dims (to ds : sizes) : option sizes := guard (broadcasts to ds) (Some to).

(** ** Products *)

Definition gemm_dims (ta tb : bool) (a b : sizes) (c : option sizes) : option sizes :=
  match a, b with
  | [a0; a1], [b0; b1] =>
      let out := [if ta then a1 else a0; if tb then b0 else b1] in
      guard (((if ta then a0 else a1) =? (if tb then b1 else b0)) &&
             match c with Some ds => broadcasts ds out | None => true end) (Some out)
  | _, _ => None
  end.

(** Batch sizes, rows (none of a vector), columns. *)
Definition matmul_left (a : sizes) : option (sizes * list nat * nat) :=
  match rev a with
  | [] => None
  | [k] => Some ([], [], k)
  | k :: m :: r => Some (rev r, [m], k)
  end.

Definition matmul_right (b : sizes) : option (sizes * nat * list nat) :=
  match rev b with
  | [] => None
  | [k] => Some ([], k, [])
  | n :: k :: r => Some (rev r, k, [n])
  end.

Definition matmul_dims (a b : sizes) : option sizes :=
  let? (pa, rows, k) := matmul_left a in
  let? (pb, k', cols) := matmul_right b in
  let? batch := broadcast pa pb in
  guard (k =? k') (Some (batch ++ rows ++ cols)).

(** ** Convolution and pooling *)

Record window := Window { strides : list nat; dilations : list nat; pads : list nat }.

(** Both ends of the pads. *)
Definition pads_before (w : window) : list nat := firstn (List.length (strides w)) (pads w).
Definition pads_after (w : window) : list nat := skipn (List.length (strides w)) (pads w).

Definition window_ok (n : nat) (w : window) : bool :=
  (List.length (strides w) =? n) && (List.length (dilations w) =? n) && (List.length (pads w) =? 2 * n) &&
  forallb (Nat.ltb 0) (strides w) && forallb (Nat.ltb 0) (dilations w).

(** Extent of a window of [k] cells. *)
Definition extent (k d : nat) : nat := (k - 1) * d + 1.

(** With [ceil] a last window that is not whole counts, unless it starts behind input and
    padding before. *)
Definition window_count (ceil : bool) (n k s d p q : nat) : option nat :=
  let all := n + p + q in
  if all <? extent k d then None
  else
    let room := all - extent k d in
    let m := room / s + 1 in
    Some (if ceil && negb (room mod s =? 0) && (m * s <? n + p) then m + 1 else m).

Fixpoint window_counts (ceil : bool) (ns ks ss ds ps qs : list nat) : option (list nat) :=
  match ns, ks, ss, ds, ps, qs with
  | [], [], [], [], [], [] => Some []
  | n :: ns', k :: ks', s :: ss', d :: ds', p :: ps', q :: qs' =>
      let? m := window_count ceil n k s d p q in
      let? l := window_counts ceil ns' ks' ss' ds' ps' qs' in Some (m :: l)
  | _, _, _, _, _, _ => None
  end.

Definition spatial_dims (ceil : bool) (w : window) (kernel ns : list nat) : option (list nat) :=
  guard (window_ok (List.length ns) w && forallb (Nat.ltb 0) kernel)
    (window_counts ceil ns kernel (strides w) (dilations w) (pads_before w) (pads_after w)).

Definition conv_dims (w : window) (group : nat) (x f : sizes) (b : option sizes) : option sizes :=
  match x, f with
  | n :: c :: ns, o :: c' :: kernel =>
      guard ((0 <? List.length ns) && (0 <? group) && (c mod group =? 0) && (c / group =? c') && (o mod group =? 0) &&
             match b with Some ds => sizes_eqb ds [o] | None => true end)
        (let? l := spatial_dims false w kernel ns in Some (n :: o :: l))
  | _, _ => None
  end.

(** No window lies in the padding. *)
Definition pool_dims (ceil : bool) (w : window) (kernel x : sizes) : option sizes :=
  match x with
  | n :: c :: ns =>
      let inside := forallb (fun ekd => match ekd with (p, (k, d)) => p <? extent k d end) in
      guard ((0 <? List.length ns) && inside (combine (pads_before w) (combine kernel (dilations w))) &&
             inside (combine (pads_after w) (combine kernel (dilations w))))
        (let? l := spatial_dims ceil w kernel ns in Some (n :: c :: l))
  | _ => None
  end.

Definition global_pool_dims (x : sizes) : option sizes :=
  match x with
  | n :: c :: ns => guard (0 <? List.length ns) (Some (n :: c :: map (fun _ => 1) ns))
  | _ => None
  end.

(** ** Normalisations *)

Definition channels (x : sizes) : option nat :=
  match x with [] => None | [_] => Some 1 | _ :: c :: _ => Some c end.

Definition is_vector (n : nat) (ds : sizes) : bool := sizes_eqb ds [n].

Definition batch_norm_dims (x : sizes) (l : list sizes) : option sizes :=
  let? c := channels x in guard (forallb (is_vector c) l) (Some x).

Definition layer_norm_dims (x g : sizes) (b : option sizes) : option sizes :=
  guard (broadcasts g x && match b with Some ds => broadcasts ds x | None => true end) (Some x).

Definition per_channel_dims (least : nat) (x g b : sizes) : option sizes :=
  let? c := channels x in
  guard ((least <=? List.length x) && is_vector c g && is_vector c b) (Some x).

Definition bias_add_dims (axis : nat) (x b : sizes) : option sizes :=
  guard (is_vector (nth axis x 0) b) (Some x).

(** An epsilon: at least 0. *)
Definition not_negative (bits : N) : bool := (bits <=? 9218868437227405312)%N || (bits =? 9223372036854775808)%N.
