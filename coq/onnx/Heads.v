(** * Heads: the same tensor as [batch, steps, heads * size] and as [batch, heads, steps, size]

    What RotaryEmbedding and Attention have in common (c/onnx/expand_attention.c).  Indices are natural numbers here: a
    cell of a result is a function of its index, and each lemma says what an operator makes of such a function. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsNorm tensor.OpTable.
From Calque Require Import onnx.Composition onnx.Steps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Sizes *)

(** Batch, heads, steps and size; [heads] says how many there are where the tensor has three dimensions. *)
Definition head_sizes (heads : nat) (ds : sizes) : option (nat * nat * nat * nat) :=
  match ds with
  | [b; h; s; d] => Some (b, h, s, d)
  | [b; s; w] => guard ((0 <? heads) && (w mod heads =? 0)) (Some (b, heads, s, w / heads))
  | _ => None
  end.

Definition is_flat (ds : sizes) : bool := List.length ds =? 3.

(** ** Indices that are natural numbers *)

Definition within (ds l : list nat) : Prop := Forall2 lt l ds.

Lemma within_box ds l : within ds l -> in_box ds (map Z.of_nat l) = true.
Proof.
  intros H. induction H as [| k n l ds lt _ IH]; [reflexivity |]. cbn [map]. apply in_box_cons. split; [lia | exact IH].
Qed.

Lemma box_within ds : forall i, in_box ds i = true -> exists l, i = map Z.of_nat l /\ within ds l.
Proof.
  induction ds as [| n ds IH]; intros [| k i] I; try discriminate; [exists []; split; [reflexivity | constructor] |].
  apply in_box_cons in I. destruct I as [K I]. destruct (IH i I) as (l & -> & W). exists (Z.to_nat k :: l).
  split; [cbn [map]; f_equal; lia | constructor; [lia | exact W]].
Qed.

Lemma to_of_nat l : map Z.to_nat (map Z.of_nat l) = l.
Proof. rewrite map_map. rewrite <- (map_id l) at 2. apply map_ext. intros k. apply Nat2Z.id. Qed.

Lemma within_3 a b c l : within [a; b; c] l -> exists i j k, l = [i; j; k] /\ i < a /\ j < b /\ k < c.
Proof.
  intros H. inversion H as [| i ? r ? I T]; subst. inversion T as [| j ? r' ? J T']; subst.
  inversion T' as [| k ? r'' ? K T'']; subst. inversion T''; subst. now exists i, j, k.
Qed.

Lemma within_4 a b c d l : within [a; b; c; d] l -> exists i j k m, l = [i; j; k; m] /\ i < a /\ j < b /\ k < c /\ m < d.
Proof.
  intros H. inversion H as [| i ? r ? I T]; subst. destruct (within_3 _ _ _ _ T) as (j & k & m & -> & J & K & M).
  now exists i, j, k, m.
Qed.

Lemma within_5 a b c d e l : within [a; b; c; d; e] l ->
  exists i j k m n, l = [i; j; k; m; n] /\ i < a /\ j < b /\ k < c /\ m < d /\ n < e.
Proof.
  intros H. inversion H as [| i ? r ? I T]; subst. destruct (within_4 _ _ _ _ _ T) as (j & k & m & n & -> & J & K & M & N).
  now exists i, j, k, m, n.
Qed.

Lemma within_of_3 a b c i j k : i < a -> j < b -> k < c -> within [a; b; c] [i; j; k].
Proof. intros. repeat constructor; assumption. Qed.

Lemma within_of_4 a b c d i j k m : i < a -> j < b -> k < c -> m < d -> within [a; b; c; d] [i; j; k; m].
Proof. intros. repeat constructor; assumption. Qed.

Lemma within_of_5 a b c d e i j k m n : i < a -> j < b -> k < c -> m < d -> n < e -> within [a; b; c; d; e] [i; j; k; m; n].
Proof. intros. repeat constructor; assumption. Qed.

(** A place in a row of [h] parts of [d] each. *)
Lemma row_lt h d i k : i < h -> k < d -> i * d + k < h * d.
Proof. nia. Qed.

Lemma row_div h d w : w < h * d -> w / d < h /\ w mod d < d /\ w = w / d * d + w mod d.
Proof.
  intros lt. assert (d <> 0) as nz by (intros ->; lia).
  split; [apply Nat.div_lt_upper_bound; lia | split; [now apply Nat.mod_upper_bound |]].
  rewrite Nat.mul_comm. now apply Nat.div_mod.
Qed.

Section Grids.
  Context {A : Type}.

  Definition grid (ds : sizes) (f : list nat -> A) : tensor A := tabulate ds (fun i => f (map Z.to_nat i)).

  Definition on3 (f : nat -> nat -> nat -> A) (default : A) (l : list nat) : A :=
    match l with [i; j; k] => f i j k | _ => default end.
  Definition on4 (f : nat -> nat -> nat -> nat -> A) (default : A) (l : list nat) : A :=
    match l with [i; j; k; m] => f i j k m | _ => default end.

  Lemma tabulate_grid ds F (f : list nat -> A) : (forall l, within ds l -> F (map Z.of_nat l) = f l) ->
    tabulate ds F = grid ds f.
  Proof.
    intros E. apply tabulate_ext. intros i I. destruct (box_within ds i I) as (l & -> & W). now rewrite to_of_nat, E.
  Qed.

  Lemma grid_ext ds (f g : list nat -> A) : (forall l, within ds l -> f l = g l) -> grid ds f = grid ds g.
  Proof. intros E. apply tabulate_grid. intros l W. now rewrite to_of_nat, E. Qed.

  Lemma good_grid ds (f : list nat -> A) : good (grid ds f).
  Proof. apply good_tabulate. Qed.

  (** The same cells at the same places. *)
  Lemma grid_recast ds es (f g : list nat -> A) : cell_count ds = cell_count es ->
    (forall l, within ds l -> exists m, within es m /\
      position es (map Z.of_nat m) = position ds (map Z.of_nat l) /\ f m = g l) ->
    Tensor ds (cells (grid es f)) = grid ds g.
  Proof.
    intros C H. destruct (box ds) as [| i0 r] eqn:B.
    - assert (cell_count ds = 0) as E by now rewrite <- length_box, B.
      assert (box es = []) as B' by (apply length_zero_iff_nil; now rewrite length_box, <- C).
      unfold grid, tabulate. cbn [cells]. now rewrite B, B'.
    - assert (In i0 (box ds)) as I0 by (rewrite B; now left). set (default := f (map Z.to_nat i0)).
      apply (tensor_ext default); [unfold good; cbn [cells dims]; now rewrite good_grid | apply good_grid | reflexivity |].
      cbn [dims]. intros i I. destruct (box_within ds i I) as (l & -> & W). destruct (H l W) as (m & M & P & E).
      unfold grid at 2. rewrite get_tabulate by exact I. rewrite to_of_nat, <- E.
      transitivity (get default (grid es f) (map Z.of_nat m)).
      + unfold get. cbn [dims grid tabulate cells]. now rewrite I, (within_box _ _ M), P.
      + unfold grid. rewrite get_tabulate by now apply within_box. now rewrite to_of_nat.
  Qed.
End Grids.

Definition head_perm : list nat := [0; 2; 1; 3].

(** ** Builders *)

Definition reshape (ds : sizes) (x : nat) : build nat := apply "Reshape" [("shape", nats_value ds)] [x].
Definition transposed (perm : list nat) (x : nat) : build nat := apply "Transpose" [("perm", nats_value perm)] [x].

Definition by_head (heads : nat) (ds : sizes) (x : nat) : build nat :=
  match ds with
  | [b; s; w] => y <- reshape [b; s; heads; w / heads] x ;; transposed head_perm y
  | _ => Return x
  end.

Definition by_step (b h s d : nat) (x : nat) : build nat := y <- transposed head_perm x ;; reshape [b; s; h * d] y.

Section Heads.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).

  Definition cell (x : tensor) (l : list nat) : num := at_ S x (map Z.of_nat l).

  Lemma cell_grid ds f l : within ds l -> cell (grid ds f) l = f l.
  Proof. intros W. unfold cell, at_, grid. rewrite get_tabulate by now apply within_box. now rewrite to_of_nat. Qed.

  Lemma grid_cell x : good x -> grid (dims x) (cell x) = x.
  Proof.
    intros G. rewrite <- (tabulate_get (s_zero S) x G) at 3. symmetry. apply tabulate_grid. reflexivity.
  Qed.

  (** Cell [k] of head [h] of step [s]. *)
  Definition head_cell (d : nat) (x : tensor) (b h s k : nat) : num :=
    if is_flat (dims x) then cell x [b; s; h * d + k] else cell x [b; h; s; k].

  (** The result with these cells, in the form that the input has. *)
  Definition of_heads (flat : bool) (b h s d : nat) (f : nat -> nat -> nat -> nat -> num) : tensor :=
    if flat then grid [b; s; h * d] (on3 (fun i j w => f i (w / d) j (w mod d)) (s_zero S))
    else grid [b; h; s; d] (on4 f (s_zero S)).

  Definition table4 (b h s d : nat) (f : nat -> nat -> nat -> nat -> num) : tensor := grid [b; h; s; d] (on4 f (s_zero S)).

  Definition shows (vs : list (gvalue tensor)) (k : nat) (t : tensor) : Prop := knows S vs k (GTensor t).

  Lemma table4_ext b h s d f g : (forall i j k m, i < b -> j < h -> k < s -> m < d -> f i j k m = g i j k m) ->
    table4 b h s d f = table4 b h s d g.
  Proof.
    intros E. apply grid_ext. intros l W. destruct (within_4 _ _ _ _ _ W) as (i & j & k & m & -> & I & J & K & M).
    now apply E.
  Qed.

  Lemma tabulate_table4 b h s d F f : (forall i j k m, i < b -> j < h -> k < s -> m < d ->
    F [Z.of_nat i; Z.of_nat j; Z.of_nat k; Z.of_nat m] = f i j k m) -> tabulate [b; h; s; d] F = table4 b h s d f.
  Proof.
    intros E. apply tabulate_grid. intros l W. destruct (within_4 _ _ _ _ _ W) as (i & j & k & m & -> & I & J & K & M).
    now apply E.
  Qed.

  Lemma at_table4 b h s d f i j k m : i < b -> j < h -> k < s -> m < d ->
    at_ S (table4 b h s d f) [Z.of_nat i; Z.of_nat j; Z.of_nat k; Z.of_nat m] = f i j k m.
  Proof. intros. exact (cell_grid [b; h; s; d] (on4 f (s_zero S)) [i; j; k; m] ltac:(now apply within_of_4)). Qed.

  Lemma table4_cells x b h s d : good x -> dims x = [b; h; s; d] -> x = table4 b h s d (fun i j k m => cell x [i; j; k; m]).
  Proof.
    intros G D. rewrite <- (grid_cell x G) at 1. rewrite D. apply grid_ext. intros l W.
    destruct (within_4 _ _ _ _ _ W) as (i & j & k & m & -> & _). reflexivity.
  Qed.

  (** ** Steps *)

  Lemma runs_reshape vs k x ds y : shows vs k x -> good x -> cell_count ds = cell_count (dims x) -> Tensor ds (cells x) = y ->
    runs S typed vs (reshape ds k) (fun ws j => shows ws j y).
  Proof.
    intros K G C <-. eapply runs_apply; [constructor; [exact K | constructor] | now apply reshape_value].
  Qed.

  Lemma transpose_heads b h s d f g : (forall i j k m, i < b -> j < h -> k < s -> m < d -> f i j k m = g i k j m) ->
    forall vs k, shows vs k (table4 b h s d f) ->
    runs S typed vs (transposed head_perm k) (fun ws j => shows ws j (table4 b s h d g)).
  Proof.
    intros E vs k K. eapply runs_apply; [constructor; [exact K | constructor] |]. rewrite transpose_value by reflexivity.
    do 2 f_equal. change (permuted (dims (table4 b h s d f)) head_perm) with [b; s; h; d].
    apply tabulate_table4. intros i j m n I J M N. cbn [unpermute head_perm List.length seq map place_of nth].
    change (at_ S (table4 b h s d f) [Z.of_nat i; Z.of_nat m; Z.of_nat j; Z.of_nat n] = g i j m n).
    rewrite at_table4 by assumption. now apply E.
  Qed.

  (** Each input, with its heads. *)
  Lemma runs_by_head heads x b h s d vs k : head_sizes heads (dims x) = Some (b, h, s, d) -> good x -> shows vs k x ->
    runs S typed vs (by_head heads (dims x) k) (fun ws j => shows ws j (table4 b h s d (head_cell d x))).
  Proof.
    intros H G K. unfold head_cell, is_flat.
    destruct (dims x) as [| n0 [| n1 [| n2 [| n3 [| n4 ds]]]]] eqn:D; try discriminate;
      cbn [head_sizes by_head List.length Nat.eqb] in *.
    - unfold guard in H. destruct ((0 <? heads) && (n2 mod heads =? 0)) eqn:Ok; [| discriminate].
      injection H as <- <- <- <-. apply andb_true_iff in Ok. destruct Ok as [Hp Hm].
      apply Nat.ltb_lt in Hp. apply Nat.eqb_eq in Hm.
      assert (n2 = heads * (n2 / heads)) as Ew by (apply Nat.div_exact; lia).
      set (d := n2 / heads) in *. clearbody d. subst n2.
      set (y := table4 n0 n1 heads d (fun i j k m => cell x [i; j; k * d + m])).
      apply (runs_bind _ _ _ _ _ (fun ws r => shows ws r y)).
      + eapply runs_reshape; [exact K | exact G | rewrite D; cbn [cell_count fold_right]; lia |].
        rewrite <- (grid_cell x G) at 1. rewrite D.
        apply (grid_recast _ _ _ (on4 (fun i j k m => cell x [i; j; k * d + m]) (s_zero S)));
          [cbn [cell_count fold_right]; lia |].
        intros l W. destruct (within_4 _ _ _ _ _ W) as (i & j & q & m & -> & I & J & Q & M).
        exists [i; j; q * d + m]. split; [apply within_of_3; auto using row_lt | split; [| reflexivity]].
        cbn [map position cell_count fold_right]. rewrite !Nat2Z.id. ring.
      + intros ws r _ R. eapply transpose_heads; [| exact R]. reflexivity.
    - injection H as <- <- <- <-. apply runs_return. now rewrite <- table4_cells.
  Qed.

  Lemma runs_by_step b h s d f vs k : shows vs k (table4 b h s d f) ->
    runs S typed vs (by_step b h s d k) (fun ws j => shows ws j (of_heads true b h s d f)).
  Proof.
    intros K. eapply runs_bind; [eapply transpose_heads with (g := fun i j k m => f i k j m); [reflexivity | exact K] |].
    intros ws r _ R. eapply runs_reshape; [exact R | apply good_grid | cbn; lia |].
    apply grid_recast; [cbn [cell_count fold_right]; lia |]. intros l W.
    destruct (within_3 _ _ _ _ W) as (i & j & w & -> & I & J & L). destruct (row_div h d w L) as (Q & M & E).
    exists [i; j; w / d; w mod d]. split; [now apply within_of_4 | split; [| reflexivity]].
    cbn [map position cell_count fold_right]. rewrite !Nat2Z.id. rewrite E at 3. ring.
  Qed.

  (** Two tensors of the same sizes, cell by cell. *)
  Definition binary_step (name : string) (o : num -> num -> num) : Prop :=
    forall x y, op_value S name [] [GTensor x; GTensor y] = one (map2 S o x y).

  Lemma runs_binary name o : binary_step name o -> forall b h s d f g vs j k,
    shows vs j (table4 b h s d f) -> shows vs k (table4 b h s d g) ->
    runs S typed vs (apply name [] [j; k]) (fun ws r => shows ws r (table4 b h s d (fun i j k m => o (f i j k m) (g i j k m)))).
  Proof.
    intros O b h s d f g vs j k J K. eapply runs_apply; [constructor; [exact J | constructor; [exact K | constructor]] |].
    rewrite O. unfold map2, table. change (dims (table4 b h s d f)) with [b; h; s; d].
    change (dims (table4 b h s d g)) with [b; h; s; d]. rewrite broadcast_same. cbn [one]. do 2 f_equal.
    apply tabulate_table4. intros i j' k' m I J' K' M. unfold spread_at.
    change (dims (table4 b h s d f)) with [b; h; s; d]. change (dims (table4 b h s d g)) with [b; h; s; d].
    rewrite spread_same by (apply (within_box [b; h; s; d] [i; j'; k'; m]); now apply within_of_4).
    now rewrite !at_table4.
  Qed.

  (** A number on the right. *)
  Lemma runs_scalar name o : binary_step name o -> forall b h s d f a vs j k,
    shows vs j (table4 b h s d f) -> shows vs k (Tensor [] [a]) ->
    runs S typed vs (apply name [] [j; k]) (fun ws r => shows ws r (table4 b h s d (fun i j k m => o (f i j k m) a))).
  Proof.
    intros O b h s d f a vs j k J K. eapply runs_apply; [constructor; [exact J | constructor; [exact K | constructor]] |].
    rewrite O. unfold map2, table. cbn [dims]. change (dims (table4 b h s d f)) with [b; h; s; d].
    rewrite broadcast_nil. cbn [one]. do 2 f_equal.
    apply tabulate_table4. intros i j' k' m I J' K' M. unfold spread_at.
    change (dims (table4 b h s d f)) with [b; h; s; d].
    rewrite spread_same by (apply (within_box [b; h; s; d] [i; j'; k'; m]); now apply within_of_4).
    now rewrite !at_table4.
  Qed.

  (** One head on the left that all have. *)
  Lemma runs_one_head name o : binary_step name o -> forall b h s d f g vs j k,
    shows vs j (table4 b 1 s d f) -> shows vs k (table4 b h s d g) ->
    runs S typed vs (apply name [] [j; k]) (fun ws r => shows ws r (table4 b h s d (fun i j k m => o (f i 0 k m) (g i j k m)))).
  Proof.
    intros O b h s d f g vs j k J K. eapply runs_apply; [constructor; [exact J | constructor; [exact K | constructor]] |].
    rewrite O. unfold map2, table. change (dims (table4 b 1 s d f)) with [b; 1; s; d].
    change (dims (table4 b h s d g)) with [b; h; s; d].
    assert (broadcast [b; 1; s; d] [b; h; s; d] = Some [b; h; s; d]) as ->.
    { unfold broadcast. cbn [List.length Nat.max lead Nat.sub repeat app agree]. now rewrite !Nat.eqb_refl, orb_true_r. }
    cbn [one]. do 2 f_equal. apply tabulate_table4. intros i j' k' m I J' K' M. unfold spread_at.
    change (dims (table4 b 1 s d f)) with [b; 1; s; d]. change (dims (table4 b h s d g)) with [b; h; s; d].
    rewrite (spread_same [b; h; s; d]) by (apply (within_box [b; h; s; d] [i; j'; k'; m]); now apply within_of_4).
    unfold spread. cbn [List.length Nat.sub skipn clip]. rewrite !Nat.eqb_refl.
    replace (if 1 =? h then Z.of_nat j' else 0%Z) with (Z.of_nat 0)
      by (destruct (Nat.eqb_spec 1 h); [subst h; f_equal; lia | reflexivity]).
    rewrite !at_table4 by lia. reflexivity.
  Qed.

  Lemma runs_number vs code (c : literal) : runs S typed vs (constant code [] [c])
    (fun ws k => shows ws k (Tensor [] [typed code c])).
  Proof. now apply runs_constant. Qed.

  Lemma shows_extends vs ws k t : shows vs k t -> extends S vs ws -> shows ws k t.
  Proof. apply knows_extends. Qed.
End Heads.

Lemma mul_step S : binary_step S "Mul" (s_mul S).
Proof. intros x y. reflexivity. Qed.
Lemma add_step S : binary_step S "Add" (s_add S).
Proof. intros x y. reflexivity. Qed.
Lemma sub_step S : binary_step S "Sub" (s_sub S).
Proof. intros x y. reflexivity. Qed.
Lemma div_step S : binary_step S "Div" (div_cell S).
Proof. intros x y. reflexivity. Qed.
