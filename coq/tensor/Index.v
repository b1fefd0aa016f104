(** * Index functions of the operators

    Where in its inputs a cell of the result comes from. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Attrs.
Import ListNotations.
Open Scope nat_scope.

(** ** Broadcasting *)

(** With ones before, up to rank [r]. *)
Definition lead (r : nat) (ds : sizes) : sizes := repeat 1 (r - length ds) ++ ds.

Fixpoint agree (a b : sizes) : option sizes :=
  match a, b with
  | [], [] => Some []
  | m :: a', n :: b' =>
      let? r := agree a' b' in
      if (m =? n) || (m =? 1) then Some (n :: r) else if n =? 1 then Some (m :: r) else None
  | _, _ => None
  end.

Definition broadcast (a b : sizes) : option sizes :=
  let r := Nat.max (length a) (length b) in agree (lead r a) (lead r b).

Definition sizes_eqb (a b : sizes) : bool := if list_eq_dec Nat.eq_dec a b then true else false.

(** Does [a] broadcast to exactly [b]? *)
Definition broadcasts (a b : sizes) : bool :=
  match broadcast a b with Some c => sizes_eqb c b | None => false end.

(** The index in a tensor of sizes [ds] of cell [i] of a result of sizes [out]. *)
Fixpoint clip (ds out : sizes) (i : list Z) : list Z :=
  match ds, out, i with
  | d :: ds', o :: out', k :: i' => (if d =? o then k else 0%Z) :: clip ds' out' i'
  | _, _, _ => []
  end.

Definition spread (ds out : sizes) (i : list Z) : list Z :=
  let more := length out - length ds in clip ds (skipn more out) (skipn more i).

(** ** Dimensions that are marked, and the others *)

Fixpoint marked {A} (m : list bool) (l : list A) : list A :=
  match m, l with
  | b :: m', a :: l' => if b then a :: marked m' l' else marked m' l'
  | _, _ => []
  end.

Definition unmarked {A} (m : list bool) (l : list A) : list A := marked (map negb m) l.

(** The list whose marked places are [a] and the others [b]. *)
Fixpoint weave (m : list bool) (a b : list Z) : list Z :=
  match m with
  | [] => []
  | true :: m' => match a with x :: a' => x :: weave m' a' b | [] => [] end
  | false :: m' => match b with y :: b' => y :: weave m' a b' | [] => [] end
  end.

(** ** Permutations *)

Definition permutes (rank : nat) (perm : list nat) : bool :=
  (length perm =? rank) && distinct perm && forallb (fun p => p <? rank) perm.

Definition permuted (ds : sizes) (perm : list nat) : sizes := map (fun p => nth p ds 0) perm.

Definition unpermute (perm : list nat) (i : list Z) : list Z :=
  map (fun p => nth (place_of p perm) i 0%Z) (seq 0 (length perm)).

(** ** Windows: y * stride + u * dilation - pad *)

Fixpoint window_at (strides dilations pads : list nat) (y u : list Z) : list Z :=
  match strides, dilations, pads, y, u with
  | s :: strides', d :: dilations', p :: pads', a :: y', b :: u' =>
      (a * Z.of_nat s + b * Z.of_nat d - Z.of_nat p)%Z :: window_at strides' dilations' pads' y' u'
  | _, _, _, _, _ => []
  end.

(** ** Padding *)

Inductive pad_mode := PadConstant | PadEdge | PadReflect.

(** What lies before and after [n] cells: the edge, or the mirror image. *)
Definition pad_place (mode : pad_mode) (n : nat) (lo k : Z) : Z :=
  let n := Z.of_nat n in
  match mode with
  | PadConstant => k - lo
  | PadEdge => if k <? lo then 0 else if k <? lo + n then k - lo else n - 1
  | PadReflect => if k <? lo then lo - k else if k <? lo + n then k - lo else lo + 2 * n - 2 - k
  end%Z.

Fixpoint pad_at (mode : pad_mode) (ds : sizes) (lo i : list Z) : list Z :=
  match ds, lo, i with
  | n :: ds', p :: lo', k :: i' => pad_place mode n p k :: pad_at mode ds' lo' i'
  | _, _, _ => []
  end.

(** ** Slices: start + k * step *)

Fixpoint slice_at (starts steps i : list Z) : list Z :=
  match starts, steps, i with
  | a :: starts', s :: steps', k :: i' => (a + k * s)%Z :: slice_at starts' steps' i'
  | _, _, _ => []
  end.
