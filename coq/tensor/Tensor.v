(** * Tensors

    A tensor is its sizes and its cells in row-major order: equal tensors are equal
    lists, and no axiom is needed to say so.  Indices are tuples of integers, and
    boxes those of the kernels ([Kernel.box] lists them in row-major order). *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists.
From Calque Require kernel.Kernel kernel.KernelProof.
Import ListNotations.
Open Scope nat_scope.

Export KernelProof(in_box_box, in_box_length, in_box_app, in_box_cons, in_box_nth, in_box_nth_range, in_box_split).

Notation box := Kernel.box.
Notation in_box := Kernel.in_box.

Record tensor (S : Type) := Tensor { dims : list nat; cells : list S }.
Arguments Tensor {S}.
Arguments dims {S}.
Arguments cells {S}.

Definition cell_count (ds : list nat) : nat := fold_right Nat.mul 1 ds.

(** Where index [i] is in row-major order, and the index that is at a place. *)
Fixpoint position (ds : list nat) (i : list Z) : nat :=
  match ds, i with
  | _ :: ds', k :: i' => Z.to_nat k * cell_count ds' + position ds' i'
  | _, _ => 0
  end.

Fixpoint index_at (ds : list nat) (p : nat) : list Z :=
  match ds with
  | [] => []
  | _ :: ds' => Z.of_nat (p / cell_count ds') :: index_at ds' (p mod cell_count ds')
  end.

Definition good {S} (t : tensor S) : Prop := length (cells t) = cell_count (dims t).

Definition tabulate {S} (ds : list nat) (f : list Z -> S) : tensor S := Tensor ds (map f (box ds)).

(** The cell at [i]; [default] outside of the box. *)
Definition get {S} (default : S) (t : tensor S) (i : list Z) : S :=
  if in_box (dims t) i then nth (position (dims t) i) (cells t) default else default.

(** The same elements in another shape. *)
Definition recast {S} (ds : list nat) (t : tensor S) : option (tensor S) :=
  if cell_count ds =? length (cells t) then Some (Tensor ds (cells t)) else None.

(** A reduction over the box with sides [ns], in row-major order, with one accumulator. *)
Definition reduce {S} (step : S -> S -> S) (start : S) (ns : list nat) (f : list Z -> S) : S :=
  fold_left (fun acc k => step acc (f k)) (box ns) start.

(** ** The box *)

Lemma cell_count_app d e : cell_count (d ++ e) = cell_count d * cell_count e.
Proof. induction d as [| n d IH]; simpl; [lia |]. rewrite IH. lia. Qed.

Lemma box_app d e : box (d ++ e) = flat_map (fun i => map (app i) (box e)) (box d).
Proof.
  induction d as [| n d IH]; simpl.
  - rewrite app_nil_r. symmetry. apply map_id.
  - rewrite IH. generalize (seq 0 n). intros l. induction l as [| k l IHl]; [reflexivity |].
    simpl. rewrite IHl, flat_map_app. f_equal.
    rewrite !flat_map_concat_map, concat_map, !map_map. f_equal.
    apply map_ext. intros i. rewrite map_map. reflexivity.
Qed.

Lemma flat_map_length_const {A B} (f : A -> list B) l n :
  (forall a, In a l -> length (f a) = n) -> length (flat_map f l) = length l * n.
Proof.
  induction l as [| a l IH]; intros H; simpl; [reflexivity |].
  rewrite app_length, H, IH by (try (intros; apply H); simpl; auto). reflexivity.
Qed.

Lemma length_box ds : length (box ds) = cell_count ds.
Proof.
  induction ds as [| n ds IH]; [reflexivity |]. simpl.
  rewrite (flat_map_length_const _ _ (cell_count ds)), seq_length; [reflexivity |].
  intros k _. now rewrite map_length.
Qed.

Lemma nth_flat_map {A B} (f : A -> list B) l n p q a d :
  (forall a, In a l -> length (f a) = n) -> nth_error l p = Some a -> q < n ->
  nth (p * n + q) (flat_map f l) d = nth q (f a) d.
Proof.
  revert p. induction l as [| b l IH]; intros p H at_p lt; [now destruct p |].
  assert (length (f b) = n) as len by (apply H; now left).
  destruct p as [| p]; simpl in *.
  - injection at_p as ->. rewrite app_nth1 by lia. reflexivity.
  - rewrite app_nth2 by lia. rewrite len. replace (n + p * n + q - n) with (p * n + q) by lia.
    apply IH; [intros; apply H; now right | exact at_p | exact lt].
Qed.

Lemma position_lt ds i : in_box ds i = true -> position ds i < cell_count ds.
Proof.
  revert i. induction ds as [| n ds IH]; intros [| k i] H; try discriminate; simpl.
  - lia.
  - apply in_box_cons in H. destruct H as [[lo hi] H]. specialize (IH i H).
    assert (Z.to_nat k < n) by lia. nia.
Qed.

Lemma nth_box ds i d : in_box ds i = true -> nth (position ds i) (box ds) d = i.
Proof.
  revert i. induction ds as [| n ds IH]; intros [| k i] H; try discriminate; simpl.
  - reflexivity.
  - apply in_box_cons in H. destruct H as [[lo hi] H].
    rewrite (nth_flat_map _ _ (cell_count ds) _ _ (Z.to_nat k)).
    + rewrite (nth_indep _ d (cons (Z.of_nat (Z.to_nat k)) d))
        by (rewrite map_length, length_box; now apply position_lt).
      rewrite map_nth, IH by exact H. f_equal. lia.
    + intros a _. rewrite map_length. apply length_box.
    + rewrite nth_error_nth' with (d := 0) by (rewrite seq_length; lia). now rewrite seq_nth by lia.
    + now apply position_lt.
Qed.

(** Places and indices are inverse to each other. *)
Lemma index_at_spec ds p :
  p < cell_count ds -> in_box ds (index_at ds p) = true /\ position ds (index_at ds p) = p.
Proof.
  revert p. induction ds as [| n ds IH]; intros p lt; simpl in lt.
  - simpl. split; [reflexivity | lia].
  - assert (cell_count ds <> 0) as nz by (intros E; rewrite E in lt; lia).
    destruct (IH (p mod cell_count ds)) as [I P]; [now apply Nat.mod_upper_bound |].
    cbn [index_at]. split.
    + apply in_box_cons. split; [| exact I].
      assert (p / cell_count ds < n) by (apply Nat.div_lt_upper_bound; lia). lia.
    + cbn [position]. rewrite P, Nat2Z.id, Nat.mul_comm. symmetry. now apply Nat.div_mod.
Qed.

Lemma position_inj ds i j :
  in_box ds i = true -> in_box ds j = true -> position ds i = position ds j -> i = j.
Proof.
  intros I J E. rewrite <- (nth_box ds i [] I), <- (nth_box ds j [] J). now rewrite E.
Qed.

Lemma index_at_position ds i : in_box ds i = true -> index_at ds (position ds i) = i.
Proof.
  intros I. destruct (index_at_spec ds (position ds i) (position_lt ds i I)) as [J E].
  now apply (position_inj ds).
Qed.

Lemma nth_box_at ds p d : p < cell_count ds -> nth p (box ds) d = index_at ds p.
Proof.
  intros lt. destruct (index_at_spec ds p lt) as [I P]. rewrite <- P at 1. now apply nth_box.
Qed.

Lemma box_as_seq ds : box ds = map (index_at ds) (seq 0 (cell_count ds)).
Proof.
  apply nth_ext with (d := []) (d' := index_at ds 0).
  - now rewrite map_length, seq_length, length_box.
  - intros p lt. rewrite length_box in lt. rewrite map_nth, seq_nth by exact lt. now apply nth_box_at.
Qed.

Lemma position_app d e i j :
  length i = length d -> position (d ++ e) (i ++ j) = position d i * cell_count e + position e j.
Proof.
  revert i. induction d as [| n d IH]; intros [| k i] len; try discriminate; simpl; [reflexivity |].
  rewrite IH by (simpl in len; lia). rewrite cell_count_app. lia.
Qed.

(** ** Tensors by their cells *)

Section Tensors.
  Context {S : Type}.
  Implicit Types t u : tensor S.

  Lemma good_tabulate ds (f : list Z -> S) : good (tabulate ds f).
  Proof. unfold good. simpl. now rewrite map_length, length_box. Qed.

  Lemma get_tabulate default ds (f : list Z -> S) i :
    in_box ds i = true -> get default (tabulate ds f) i = f i.
  Proof.
    intros I. unfold get. simpl. rewrite I.
    rewrite (nth_indep _ default (f [])) by (rewrite map_length, length_box; now apply position_lt).
    now rewrite map_nth, nth_box.
  Qed.

  Lemma get_outside default t i : in_box (dims t) i = false -> get default t i = default.
  Proof. intros O. unfold get. now rewrite O. Qed.

  (** Functions that are equal on the box make equal tensors. *)
  Lemma tabulate_ext ds (f g : list Z -> S) :
    (forall i, in_box ds i = true -> f i = g i) -> tabulate ds f = tabulate ds g.
  Proof.
    intros E. unfold tabulate. f_equal. apply map_ext_in. intros i I. now apply E, in_box_box.
  Qed.

  Lemma tabulate_inj ds (f g : list Z -> S) i :
    tabulate ds f = tabulate ds g -> in_box ds i = true -> f i = g i.
  Proof.
    intros E I. rewrite <- (get_tabulate (f i) ds f i I), E. now apply get_tabulate.
  Qed.

  (** A good tensor is the table of its cells. *)
  Lemma tabulate_get default t : good t -> tabulate (dims t) (get default t) = t.
  Proof.
    destruct t as [ds cs]. unfold good, tabulate. simpl. intros G. f_equal.
    apply nth_ext with (d := default) (d' := default); [now rewrite map_length, length_box |].
    intros p lt. rewrite map_length, length_box in lt.
    rewrite (nth_indep _ default (get default (Tensor ds cs) [])) by now rewrite map_length, length_box.
    rewrite map_nth, nth_box_at by exact lt. unfold get. simpl.
    destruct (index_at_spec ds p lt) as [-> ->]. reflexivity.
  Qed.

  Lemma tensor_ext default t u :
    good t -> good u -> dims t = dims u ->
    (forall i, in_box (dims t) i = true -> get default t i = get default u i) -> t = u.
  Proof.
    intros G H D E. rewrite <- (tabulate_get default t G), <- (tabulate_get default u H), D.
    apply tabulate_ext. intros i I. apply E. now rewrite D.
  Qed.

  (** ** The same elements in another shape *)

  Lemma recast_iff ds t u : recast ds t = Some u <-> cell_count ds = length (cells t) /\ u = Tensor ds (cells t).
  Proof.
    unfold recast. destruct (Nat.eqb_spec (cell_count ds) (length (cells t))); split.
    - intros E. now injection E as <-.
    - now intros [_ ->].
    - discriminate.
    - now intros [E _].
  Qed.

  Lemma recast_good ds t u : recast ds t = Some u -> good u.
  Proof. intros H. apply recast_iff in H. destruct H as [E ->]. unfold good. simpl. now rewrite E. Qed.

  Lemma recast_same t : good t -> recast (dims t) t = Some t.
  Proof. intros G. apply recast_iff. split; [now rewrite G | now destruct t]. Qed.

  Lemma recast_recast ds es t u : recast ds t = Some u -> recast es u = recast es t.
  Proof. intros H. apply recast_iff in H. now destruct H as [_ ->]. Qed.

  (** The index that has the same place in the old shape. *)
  Lemma get_recast default ds t u i :
    good t -> recast ds t = Some u -> in_box ds i = true ->
    get default u i = get default t (index_at (dims t) (position ds i)).
  Proof.
    intros G H I. apply recast_iff in H. destruct H as [E ->]. unfold get. simpl. rewrite I.
    pose proof (position_lt ds i I) as lt. unfold good in G. rewrite E, G in lt.
    destruct (index_at_spec (dims t) _ lt) as [-> ->]. reflexivity.
  Qed.

  (** [recast] as a table. *)
  Lemma recast_tabulate default ds t :
    good t -> cell_count ds = cell_count (dims t) ->
    recast ds t = Some (tabulate ds (fun i => get default t (index_at (dims t) (position ds i)))).
  Proof.
    intros G E. assert (recast ds t = Some (Tensor ds (cells t))) as R
      by (apply recast_iff; split; [now rewrite E, G | reflexivity]).
    rewrite R. f_equal. apply (tensor_ext default).
    - now apply recast_good in R.
    - apply good_tabulate.
    - reflexivity.
    - intros i I. simpl in I. rewrite get_tabulate by exact I. now apply (get_recast default ds t).
  Qed.
End Tensors.

(** ** Reductions *)

Section Reduce.
  Context {S : Type} (step : S -> S -> S).

  Lemma reduce_ext start ns (f g : list Z -> S) :
    (forall k, in_box ns k = true -> f k = g k) -> reduce step start ns f = reduce step start ns g.
  Proof.
    intros E. unfold reduce. apply fold_left_ext_in. intros a k I. rewrite E; [reflexivity |].
    now apply in_box_box.
  Qed.

  Lemma fold_left_flat_map {A B C} (f : A -> C -> A) (h : B -> list C) l a :
    fold_left f (flat_map h l) a = fold_left (fun a b => fold_left f (h b) a) l a.
  Proof.
    revert a. induction l as [| b l IH]; intros a; simpl; [reflexivity |]. now rewrite fold_left_app, IH.
  Qed.

  Lemma fold_left_map {A B C} (f : A -> C -> A) (h : B -> C) l a :
    fold_left f (map h l) a = fold_left (fun a b => f a (h b)) l a.
  Proof. revert a. induction l as [| b l IH]; intros a; simpl; [reflexivity | apply IH]. Qed.

  (** Over a box with more sides: the inner box from the accumulator on. *)
  Lemma reduce_app start d e (f : list Z -> S) :
    reduce step start (d ++ e) f =
    fold_left (fun acc i => reduce step acc e (fun j => f (i ++ j)%list)) (box d) start.
  Proof.
    unfold reduce. rewrite box_app, fold_left_flat_map. apply fold_left_ext_in.
    intros a i _. apply (fold_left_map (fun a k => step a (f k)) (app i)).
  Qed.

  Lemma reduce_none start (f : list Z -> S) : reduce step start [] f = step start (f []).
  Proof. reflexivity. Qed.

  (** A side of size 1 is left out; one of size 0 leaves the start. *)
  Lemma reduce_one start ns (f : list Z -> S) :
    reduce step start (1 :: ns) f = reduce step start ns (fun k => f (0%Z :: k)).
  Proof. unfold reduce. simpl. rewrite app_nil_r. apply (fold_left_map (fun a k => step a (f k)) (cons 0%Z)). Qed.

  Lemma reduce_zero start ns (f : list Z -> S) : cell_count ns = 0 -> reduce step start ns f = start.
  Proof.
    intros E. unfold reduce. rewrite <- length_box in E. now destruct (box ns).
  Qed.
End Reduce.
