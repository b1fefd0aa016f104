(** * Tensors of one element type in compositions that mix them

    Formulas of quantised operators are about integers and floats.  Here a tensor of them becomes one of the numbers that graphs
    with several element types have, and the operators do what is said of the cells. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert tensor.Channel.
From Calque Require Import onnx.Composition onnx.Steps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Notation S := (mixed standard).
Notation typed := (Steps.typed S).

(** Its cells are of the element type [c] : [F32], [I8] .. *)
Definition of_cells {A} (c : A -> cell) (t : tensor A) : tensor (num S) := Tensor (dims t) (map (fun a => scalar_of (c a))
  (cells t)).

Definition each {A B} (f : A -> B) (t : tensor A) : tensor B := Tensor (dims t) (map f (cells t)).

(** What is computed, to be compared: a cell of one element type. *)
Definition shown (a : num S) : option cell :=
  match a with
  | Scalar _ (Some x) None None None None None None => Some (F32 x)
  | Scalar _ None (Some x) None None None None None => Some (F64 x)
  | Scalar _ None None (Some (Some z)) None None None None => Some (I64 z)
  | Scalar _ None None None (Some (Some z)) None None None => Some (I32 z)
  | Scalar _ None None None None (Some (Some z)) None None => Some (I8 z)
  | Scalar _ None None None None None (Some (Some z)) None => Some (U8 z)
  | Scalar _ None None None None None None (Some b) => Some (Bool b)
  | _ => None
  end.

Definition shown_tensor (o : option (tensor (num S))) : option (sizes * list (option cell)) :=
  option_map (fun t => (dims t, map shown (cells t))) o.

(** Tensors of numbers, read: for the test that runs the formulas. *)
Definition real_of (a : num S) : spec_float := match as_f32 standard a with Some x => x | None => S754_nan end.
Definition integer_of (a : num S) : Z :=
  match as_i8 standard a, as_u8 standard a, as_i32 standard a with
  | Some (Some z), _, _ | _, Some (Some z), _ | _, _, Some (Some z) => z
  | _, _, _ => 0%Z
  end.

(** ** Scales and zero points: one for all, or one for each place along an axis *)

Definition parameter {A} (default : A) (axis : nat) (p : tensor A) (i : list Z) : A :=
  match cells p with [a] => a | l => nth (Z.to_nat (nth axis i 0%Z)) l default end.

(** The sizes with which one is broadcast to [ds]. *)
Definition parameter_dims (axis : option nat) (ds p : sizes) : option sizes :=
  match p with
  | [] => Some []
  | [n] =>
      if n =? 1 then Some [] else
      let? k := axis in
      guard ((k <? List.length ds) && (n =? nth k ds 0)) (Some (repeat 1 k ++ n :: repeat 1 (List.length ds - 1 - k)))
  | _ => None
  end.

Definition fits (axis : option nat) (ds p : sizes) : bool := match parameter_dims axis ds p with Some _ => true | None => false
  end.

Definition reshaped (x : nat) (from to : sizes) : build nat :=
  if sizes_eqb from to then Return x else apply "Reshape" [("shape", nats_value to)] [x].

Definition cast (code : Z) (x : nat) : build nat := apply "Cast" [("to", VInt code)] [x].

(** ** Cells *)

Section Cells.
  Context {A B : Type}.
  Implicit Types (c : A -> cell) (t : tensor A).

  Lemma good_of c t : good t -> good (of_cells c t).
  Proof. unfold good, of_cells. cbn [dims cells]. now rewrite map_length. Qed.

  Lemma good_each (f : A -> B) t : good t -> good (each f t).
  Proof. unfold good, each. cbn [dims cells]. now rewrite map_length. Qed.

  Lemma get_in d t i : good t -> in_box (dims t) i = true -> In (get d t i) (cells t).
  Proof. intros G I. unfold get. rewrite I. apply nth_In. rewrite G. now apply position_lt. Qed.

  Lemma get_any d e t i : good t -> in_box (dims t) i = true -> get d t i = get e t i.
  Proof. intros G I. unfold get. rewrite I. apply nth_indep. rewrite G. now apply position_lt. Qed.

  Lemma at_of c d t i : good t -> in_box (dims t) i = true -> at_ S (of_cells c t) i = scalar_of (c (get d t i)).
  Proof.
    intros G I. unfold at_, get. cbn [of_cells dims cells]. rewrite I. pose proof (position_lt _ _ I) as lt.
    rewrite (nth_indep _ _ (scalar_of (c d))) by (rewrite map_length, G; exact lt). apply (map_nth (fun a => scalar_of (c a))).
  Qed.

  Lemma get_each (f : A -> B) d e t i : good t -> in_box (dims t) i = true -> get e (each f t) i = f (get d t i).
  Proof.
    intros G I. unfold get. cbn [each dims cells]. rewrite I. pose proof (position_lt _ _ I) as lt.
    rewrite (nth_indep _ _ (f d)) by (rewrite map_length, G; exact lt). apply (map_nth f).
  Qed.

  Lemma of_tabulate c ds g : tabulate ds (fun i => scalar_of (c (g i))) = of_cells c (tabulate ds g).
  Proof. unfold of_cells, tabulate. cbn [dims cells]. now rewrite map_map. Qed.

  Lemma each_tabulate (f : A -> B) ds g : each f (tabulate ds g) = tabulate ds (fun i => f (g i)).
  Proof. unfold each, tabulate. cbn [dims cells]. now rewrite map_map. Qed.
End Cells.

(** ** What a tensor shows where it is broadcast to [ds] *)

Definition shows {A} (ds : sizes) (t : tensor A) (g : list Z -> A) : Prop :=
  good t /\ broadcast ds (dims t) = Some ds /\
  forall i, in_box ds i = true -> nth_error (cells t) (position (dims t) (spread (dims t) ds i)) = Some (g i).

Lemma shows_in {A} ds (t : tensor A) g i : shows ds t g -> in_box ds i = true -> in_box (dims t) (spread (dims t) ds i) = true.
Proof. intros (_ & D & _) I. exact (spread_in_box_r _ _ _ _ D I). Qed.

Lemma shows_at {A} c ds (t : tensor A) g i : shows ds t g -> in_box ds i = true ->
  spread_at S (of_cells c t) ds i = scalar_of (c (g i)).
Proof.
  intros H I. pose proof (shows_in _ _ _ _ H I) as J. destruct H as (G & D & H). specialize (H i I).
  unfold spread_at. change (dims (of_cells c t)) with (dims t). rewrite (at_of c (g i)) by assumption.
  unfold get. rewrite J. now rewrite (nth_error_nth _ _ _ H).
Qed.

Lemma nth_error_box {B} ds (g : list Z -> B) i : in_box ds i = true -> nth_error (map g (box ds)) (position ds i) = Some (g i).
Proof.
  intros I. rewrite nth_error_map. rewrite (nth_error_nth' _ i) by (rewrite length_box; now apply position_lt).
  now rewrite nth_box.
Qed.

Lemma shows_tabulate {A} ds (g : list Z -> A) : shows ds (tabulate ds g) g.
Proof.
  split; [apply good_tabulate |]. split; [apply broadcast_same |]. intros i I. cbn [dims cells tabulate].
  rewrite spread_same by exact I. now apply nth_error_box.
Qed.

Lemma shows_self {A} d (t : tensor A) : good t -> shows (dims t) t (get d t).
Proof. intros G. rewrite <- (tabulate_get d t G) at 2. apply shows_tabulate. Qed.

Lemma shows_each {A B} (f : A -> B) ds t g : shows ds t g -> shows ds (each f t) (fun i => f (g i)).
Proof.
  intros (G & D & H). split; [now apply good_each |]. split; [exact D |]. intros i I. cbn [each dims cells].
  now rewrite nth_error_map, H.
Qed.

Lemma shows_scalar {A} ds (a : A) : shows ds (Tensor [] [a]) (fun _ => a).
Proof. split; [reflexivity |]. split; [apply broadcast_nil |]. reflexivity. Qed.

(** A property of all cells. *)
Lemma shows_all {A} ds (t : tensor A) g (P : A -> Prop) i : shows ds t g -> Forall P (cells t) -> in_box ds i = true -> P (g i).
Proof. intros (_ & _ & H) F I. apply (proj1 (Forall_forall _ _) F). exact (nth_error_In _ _ (H i I)). Qed.

(** ** A parameter is broadcast to what it is for *)

Lemma clip_lead_ones pre : forall more out p j, in_box pre p = true ->
  clip (repeat 1 (List.length pre) ++ more) (pre ++ out) (p ++ j) = repeat 0%Z (List.length pre) ++ clip more out j.
Proof.
  induction pre as [| d pre IH]; intros more out [| z p] j I; try discriminate; [reflexivity |].
  apply in_box_cons in I. destruct I as [Z0 I]. cbn [List.length repeat app clip]. rewrite (IH more out p j I).
  f_equal. destruct (Nat.eqb_spec 1 d) as [<- |]; [lia | reflexivity].
Qed.

Lemma position_leading_zeros k more j : position (repeat 1 k ++ more) (repeat 0%Z k ++ j) = position more j.
Proof. induction k as [| k IH]; [reflexivity |]. cbn [repeat app position]. rewrite IH. reflexivity. Qed.

Lemma parameter_shows {A} (d : A) axis ds p q : good p -> parameter_dims axis ds (dims p) = Some q ->
  cell_count q = cell_count (dims p) /\ shows ds (Tensor q (cells p))
    (parameter d (match axis with Some k => k | None => 0 end) p).
Proof.
  intros G. unfold parameter_dims. destruct (dims p) as [| n [| ? ?]] eqn:D; [| | discriminate].
  - intros E. injection E as <-. split; [reflexivity |]. unfold good in G. rewrite D in G. unfold parameter.
    destruct (cells p) as [| a [| ? ?]]; try discriminate. apply shows_scalar.
  - unfold good in G. rewrite D in G. destruct (Nat.eqb_spec n 1) as [-> | ne].
    + intros E. injection E as <-. split; [reflexivity |]. unfold parameter.
      destruct (cells p) as [| a [| ? ?]]; try discriminate. apply shows_scalar.
    + destruct axis as [k |]; [| discriminate]. unfold guard.
      destruct ((k <? List.length ds) && (n =? nth k ds 0)) eqn:C; [| discriminate]. intros E. injection E as <-.
      apply andb_true_iff in C. destruct C as [lt e]. apply Nat.ltb_lt in lt. apply Nat.eqb_eq in e.
      destruct (nth_split ds 0 lt) as (pre & ys & Ed & Lp). rewrite <- e in Ed.
      assert (List.length ds - 1 - k = List.length ys) as -> by (rewrite Ed, app_length; cbn [List.length]; lia).
      assert (cell_count (repeat 1 k ++ n :: repeat 1 (List.length ys)) = n) as N.
      { rewrite cell_count_app, cell_count_ones. cbn [cell_count fold_right].
        change (fold_right Nat.mul 1 (repeat 1 (List.length ys))) with (cell_count (repeat 1 (List.length ys))).
        rewrite cell_count_ones. lia. }
      split; [rewrite N; cbn; lia |]. split; [unfold good; cbn [dims cells]; rewrite N, G; cbn; lia |]. cbn [dims cells].
      rewrite Ed. split.
      * unfold broadcast. assert (List.length (repeat 1 k ++ n :: repeat 1 (List.length ys)) = List.length (pre ++ n :: ys)) as L
          by (rewrite !app_length; cbn [List.length]; rewrite !repeat_length; lia).
        rewrite L, Nat.max_id, lead_same. rewrite <- L, lead_same. apply agree_or_one. apply Forall2_app.
        -- rewrite <- Lp. clear. induction pre; constructor; auto.
        -- constructor; [now left |]. clear. induction ys; constructor; auto.
      * intros i I. destruct (in_box_split _ _ _ I) as (a & b & -> & Ia & Ib). destruct b as [| z b]; [discriminate |].
        apply in_box_cons in Ib. destruct Ib as [Z0 Ib]. pose proof (in_box_length _ _ Ia) as La.
        unfold spread. assert (List.length (pre ++ n :: ys) - List.length (repeat 1 k ++ n :: repeat 1 (List.length ys)) = 0)
          as ->
          by (rewrite !app_length; cbn [List.length]; rewrite !repeat_length; lia).
        cbn [skipn]. rewrite <- Lp, (clip_lead_ones pre _ _ a _ Ia), position_leading_zeros. cbn [clip].
        rewrite Nat.eqb_refl, (clip_ones ys b Ib). cbn [position]. rewrite cell_count_ones, position_zeros.
        unfold parameter. assert (nth (List.length pre) (a ++ z :: b) 0%Z = z) as -> by (rewrite <- La; apply nth_middle).
        rewrite (nth_error_nth' _ d) by (rewrite G; cbn; lia). f_equal. rewrite Nat.mul_1_r, Nat.add_0_r.
        cbn in G. rewrite Nat.mul_1_r in G. destruct (cells p) as [| x [| y l]]; [reflexivity | | reflexivity]. cbn in G. lia.
Qed.

(** ** What the steps give *)

Notation runs := (runs S typed).
Notation knows := (knows S).

Lemma reshaped_runs {A} (c : A -> cell) vs k p q : good p -> cell_count q = cell_count (dims p) ->
  knows vs k (GTensor (of_cells c p)) ->
  runs vs (reshaped k (dims p) q) (fun ws m => knows ws m (GTensor (of_cells c (Tensor q (cells p))))).
Proof.
  intros G E K. unfold reshaped. destruct (sizes_eqb (dims p) q) eqn:D.
  - apply sizes_eqb_iff in D. apply runs_return. rewrite <- D. exact K.
  - eapply runs_apply; [constructor; [exact K | constructor] |].
    exact (reshape_value S (of_cells c p) q (good_of c p G) E).
Qed.

Lemma parameter_runs {A} (c : A -> cell) (d : A) axis ds vs k p q : good p -> parameter_dims axis ds (dims p) = Some q ->
  knows vs k (GTensor (of_cells c p)) ->
  runs vs (reshaped k (dims p) q) (fun ws m => exists t, dims t = q /\ cells t = cells p /\ knows ws m (GTensor (of_cells c t))
    /\
    shows ds t (parameter d (match axis with Some k => k | None => 0 end) p)).
Proof.
  intros G E K. destruct (parameter_shows d axis ds p q G E) as [C H].
  eapply runs_weaken; [exact (reshaped_runs c vs k p q G C K) |]. intros ws m _ L. cbv beta in L.
  now exists (Tensor q (cells p)).
Qed.

(** Cell by cell. *)
Lemma map_of {A B} (c : A -> cell) (c' : B -> cell) (f : num S -> num S) (g : A -> B) t : good t ->
  (forall a, In a (cells t) -> f (scalar_of (c a)) = scalar_of (c' (g a))) ->
  tabulate (dims t) (fun i => f (at_ S (of_cells c t) i)) = of_cells c' (each g t).
Proof.
  intros G H. pose proof (tabulate_get (s_zero S) (of_cells c t) (good_of c t G)) as E.
  unfold of_cells at 2. cbn [each dims cells]. rewrite map_map.
  unfold tabulate in E |- *. cbn [of_cells dims] in E. f_equal.
  assert (map (get (s_zero S) (of_cells c t)) (box (dims t)) = map (fun a => scalar_of (c a)) (cells t))
    as M by exact (f_equal cells E).
  change (fun i => f (at_ S (of_cells c t) i)) with (fun i => f (get (s_zero S) (of_cells c t) i)).
  rewrite <- (map_map (get (s_zero S) (of_cells c t)) f), M, map_map. now apply map_ext_in.
Qed.

Lemma unary_runs {A B} (c : A -> cell) (c' : B -> cell) (f : num S -> num S) (g : A -> B) vs name l k t :
  (forall x, op_value S name l [GTensor x] = Some (GTensor (tabulate (dims x) (fun i => f (at_ S x i))))) ->
  knows vs k (GTensor (of_cells c t)) -> good t -> (forall a, In a (cells t) -> f (scalar_of (c a)) = scalar_of (c' (g a))) ->
  runs vs (apply name l [k]) (fun ws m => knows ws m (GTensor (of_cells c' (each g t)))).
Proof.
  intros V K G H. eapply runs_apply; [constructor; [exact K | constructor] |]. rewrite V.
  cbn [of_cells dims]. now rewrite (map_of c c' f g t G H).
Qed.

Lemma cast_runs {A B} (c : A -> cell) (c' : B -> cell) (g : A -> B) vs code k t : (1 <= code <= 64)%Z ->
  knows vs k (GTensor (of_cells c t)) -> good t ->
  (forall a, In a (cells t) -> s_cast S code (scalar_of (c a)) = scalar_of (c' (g a))) ->
  runs vs (cast code k) (fun ws m => knows ws m (GTensor (of_cells c' (each g t)))).
Proof.
  intros R K G H. apply (unary_runs c c' (s_cast S code) g); try assumption. intros x. now apply cast_value.
Qed.

(** Two operands, one of them with the sizes of the result. *)
Section Two.
  Context {A B C : Type}.
  Variables (c : A -> cell) (c' : B -> cell) (c'' : C -> cell).
  Variables (f : num S -> num S -> num S) (ds : sizes).

  Lemma two_of x y g h r : shows ds x g -> shows ds y h ->
    (forall i, in_box ds i = true -> f (scalar_of (c (g i))) (scalar_of (c' (h i))) = scalar_of (c'' (r i))) ->
    tabulate ds (fun i => f (spread_at S (of_cells c x) ds i) (spread_at S (of_cells c' y) ds i)) = of_cells c'' (tabulate ds r).
  Proof.
    intros X Y H. rewrite <- of_tabulate. apply tabulate_ext. intros i I.
    rewrite (shows_at c _ _ _ _ X I), (shows_at c' _ _ _ _ Y I). now apply H.
  Qed.

  Lemma two_sizes x y g h : shows ds x g -> shows ds y h -> dims x = ds \/ dims y = ds ->
    broadcast (dims (of_cells c x)) (dims (of_cells c' y)) = Some ds.
  Proof.
    intros (_ & X & _) (_ & Y & _) [E | E]; cbn [of_cells dims].
    - now rewrite E.
    - rewrite E, broadcast_comm. exact X.
  Qed.

  Lemma binary_runs vs name l m n x y g h r : look_up String.eqb (operators S) name = Some (binary S f) ->
    knows vs m (GTensor (of_cells c x)) -> knows vs n (GTensor (of_cells c' y)) -> shows ds x g -> shows ds y h ->
    dims x = ds \/ dims y = ds ->
    (forall i, in_box ds i = true -> f (scalar_of (c (g i))) (scalar_of (c' (h i))) = scalar_of (c'' (r i))) ->
    runs vs (apply name l [m; n]) (fun ws k => knows ws k (GTensor (of_cells c'' (tabulate ds r)))).
  Proof.
    intros N K L X Y D H. eapply runs_apply; [constructor; [exact K |]; constructor; [exact L | constructor] |].
    rewrite (binary_value S name f l _ _ ds N (two_sizes x y g h X Y D)). now rewrite (two_of x y g h r X Y H).
  Qed.

  Lemma folded_runs vs name l m n x y g h r : look_up String.eqb (operators S) name = Some (folded S f) ->
    knows vs m (GTensor (of_cells c x)) -> knows vs n (GTensor (of_cells c' y)) -> shows ds x g -> shows ds y h ->
    dims x = ds \/ dims y = ds ->
    (forall i, in_box ds i = true -> f (scalar_of (c (g i))) (scalar_of (c' (h i))) = scalar_of (c'' (r i))) ->
    runs vs (apply name l [m; n]) (fun ws k => knows ws k (GTensor (of_cells c'' (tabulate ds r)))).
  Proof.
    intros N K L X Y D H. eapply runs_apply; [constructor; [exact K |]; constructor; [exact L | constructor] |].
    rewrite (folded_value S name f l _ _ ds N (two_sizes x y g h X Y D)). now rewrite (two_of x y g h r X Y H).
  Qed.
End Two.

Lemma constant_runs {A} (c : A -> cell) (value : Z -> A) vs code ds l : cell_count ds = List.length l ->
  (forall z, In z l -> typed code (LInt z) = scalar_of (c (value z))) ->
  runs vs (constant code ds (map LInt l)) (fun ws k => knows ws k (GTensor (of_cells c (Tensor ds (map value l))))).
Proof.
  intros E H. eapply runs_weaken; [apply runs_constant; now rewrite map_length |]. intros ws k _ K. cbv beta in K.
  assert (map (typed code) (map LInt l) = map (fun a => scalar_of (c a)) (map value l)) as M.
  { rewrite !map_map. now apply map_ext_in. }
  rewrite M in K. exact K.
Qed.
