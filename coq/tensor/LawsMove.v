(** * Concat and Split

    Where the cells of a concatenation and of a part come from, and that the one undoes
    the other. *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.Formulas.
Import ListNotations.
Open Scope nat_scope.

(** ** Places of a list *)

Lemma length_set_nth {A} k (v : A) l : length (set_nth k v l) = length l.
Proof. revert k. induction l as [| a l IH]; intros [| k]; simpl; auto. Qed.

Lemma nth_set_nth {A} k (v : A) l d : k < length l -> nth k (set_nth k v l) d = v.
Proof.
  revert k. induction l as [| a l IH]; intros [| k] lt; simpl in *; try lia; [reflexivity | apply IH; lia].
Qed.

Lemma nth_set_nth_other {A} j k (v : A) l d : j <> k -> nth j (set_nth k v l) d = nth j l d.
Proof.
  revert j k. induction l as [| a l IH]; intros [| j] [| k] ne; simpl; try reflexivity; try lia. apply IH. lia.
Qed.

Lemma set_nth_twice {A} k (v w : A) l : set_nth k v (set_nth k w l) = set_nth k v l.
Proof. revert k. induction l as [| a l IH]; intros [| k]; simpl; try reflexivity. now rewrite IH. Qed.

Lemma set_nth_same {A} k (l : list A) d : set_nth k (nth k l d) l = l.
Proof. revert k. induction l as [| a l IH]; intros [| k]; simpl; try reflexivity. now rewrite IH. Qed.

Lemma set_nth_app {A} (l m : list A) v a : set_nth (length l) v (l ++ a :: m) = l ++ v :: m.
Proof. induction l as [| b l IH]; [reflexivity |]. simpl. now rewrite IH. Qed.

(** One index replaced by another that is inside. *)
Lemma in_box_set_nth k n v ds i :
  in_box ds i = true -> (0 <= v < Z.of_nat n)%Z -> in_box (set_nth k n ds) (set_nth k v i) = true.
Proof.
  revert k i. induction ds as [| d ds IH]; intros k [| z i] I V; try discriminate; [now destruct k |].
  apply in_box_cons in I. destruct I as [h t].
  destruct k as [| k]; cbn [set_nth]; apply in_box_cons; split; try assumption. now apply IH.
Qed.

Lemma in_box_at k ds i : in_box ds i = true -> k < length ds -> (0 <= nth k i 0 < Z.of_nat (nth k ds 0%nat))%Z.
Proof. intros I lt. apply in_box_nth in I. now apply I. Qed.

Section Laws.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  (** ** Concat *)

  Definition along (axis : nat) (t : tensor) : nat := nth axis (dims t) 0.
  Definition start_of (ns : list nat) (k : nat) : nat := list_sum (firstn k ns).

  Lemma concat_cell_at axis l : forall x k y (j : Z) i,
    nth_error (x :: l) k = Some y -> (0 <= j < Z.of_nat (along axis y))%Z -> axis < length i ->
    concat_cell S axis x l (set_nth axis (j + Z.of_nat (start_of (map (along axis) (x :: l)) k))%Z i) =
    at_ y (set_nth axis j i).
  Proof.
    induction l as [| z l IH]; intros x k y j i at_k J lt.
    - destruct k as [| k]; [| now destruct k]. injection at_k as <-. cbn. now rewrite Z.add_0_r.
    - cbn [concat_cell]. fold (along axis x). rewrite nth_set_nth by exact lt. destruct k as [| k].
      + injection at_k as <-. cbn [start_of firstn map list_sum fold_right]. rewrite Z.add_0_r.
        destruct (Z.ltb_spec j (Z.of_nat (along axis x))); [reflexivity | lia].
      + change (start_of (map (along axis) (x :: z :: l)) (Datatypes.S k))
          with (along axis x + start_of (map (along axis) (z :: l)) k).
        destruct (Z.ltb_spec (j + Z.of_nat (along axis x + start_of (map (along axis) (z :: l)) k))
                    (Z.of_nat (along axis x))); [lia |].
        rewrite set_nth_twice.
        replace (j + Z.of_nat (along axis x + start_of (map (along axis) (z :: l)) k) - Z.of_nat (along axis x))%Z
          with (j + Z.of_nat (start_of (map (along axis) (z :: l)) k))%Z by lia.
        now apply IH.
  Qed.

  Lemma fold_along axis (l : list sizes) n : fold_left (fun n b => n + nth axis b 0) l n = n + list_sum (map (fun b => nth axis b 0) l).
  Proof. revert n. induction l as [| b l IH]; intros n; simpl; [lia |]. rewrite IH. lia. Qed.

  Lemma start_of_le ns k n : nth_error ns k = Some n -> start_of ns k + n <= list_sum ns.
  Proof.
    unfold start_of. revert k. induction ns as [| m ns IH]; intros [| k] H; try discriminate; simpl in *.
    - injection H as ->. lia.
    - specialize (IH k H). lia.
  Qed.

  (** The sizes of a concatenation: the first's, but along the axis the sum. *)
  Lemma concat_facts axis x l c : concat S axis x l = Some c ->
    c = tabulate (set_nth axis (list_sum (map (along axis) (x :: l))) (dims x)) (concat_cell S axis x l) /\
    forall y, In y (x :: l) -> length (dims y) = length (dims x) /\ set_nth axis (along axis y) (dims x) = dims y.
  Proof.
    unfold concat, table, concat_dims, guard. destruct (forallb _ _) eqn:F; [| discriminate].
    intros H. injection H as <-. split.
    - f_equal. f_equal. rewrite fold_along, map_map. reflexivity.
    - intros y [<- | iny]; [split; [reflexivity | apply set_nth_same] |].
      rewrite forallb_forall in F. specialize (F (dims y) (in_map dims _ _ iny)).
      apply andb_true_iff in F. destruct F as [len same]. apply Nat.eqb_eq in len. apply sizes_eqb_iff in same.
      split; [exact len |]. rewrite <- (set_nth_twice axis (along axis y) 0 (dims x)), <- same, set_nth_twice.
      apply set_nth_same.
  Qed.

  (** The cells of operand [k], behind those before it. *)
  Theorem concat_at axis x l c k y i :
    concat S axis x l = Some c -> nth_error (x :: l) k = Some y -> axis < length (dims x) ->
    in_box (dims y) i = true ->
    at_ c (set_nth axis (nth axis i 0 + Z.of_nat (start_of (map (along axis) (x :: l)) k))%Z i) = at_ y i.
  Proof.
    intros C at_k lt I. destruct (concat_facts axis x l c C) as [-> same].
    destruct (same y (nth_error_In _ _ at_k)) as [len D].
    pose proof (in_box_at axis _ _ I ltac:(lia)) as J. fold (along axis y) in J.
    assert (nth_error (map (along axis) (x :: l)) k = Some (along axis y)) as at_n by now apply map_nth_error.
    pose proof (start_of_le _ _ _ at_n) as le.
    unfold Ops.at_ at 1. rewrite get_tabulate.
    - rewrite (concat_cell_at axis l x k y) by (try assumption; rewrite (in_box_length _ _ I); lia).
      now rewrite set_nth_same.
    - rewrite <- (set_nth_twice axis _ (along axis y)), D. apply in_box_set_nth; [exact I | lia].
  Qed.

  (** ** Split *)

  Lemma parts_nth axis x l : forall start k u,
    nth_error (parts S axis x start l) k = Some u ->
    exists ds, nth_error l k = Some ds /\
      u = part S axis x (start + start_of (map (fun ds => nth axis ds 0) l) k) ds.
  Proof.
    induction l as [| ds l IH]; intros start k u H; [destruct k; discriminate |]. destruct k as [| k]; simpl in H.
    - injection H as <-. exists ds. split; [reflexivity |]. cbn. now rewrite Nat.add_0_r.
    - destruct (IH _ _ _ H) as (es & E & ->). exists es. split; [exact E |]. f_equal.
      cbn [map]. unfold start_of. simpl. lia.
  Qed.

  Theorem split_nth axis ns x ts k u :
    split S axis ns x = Some ts -> axis < length (dims x) -> nth_error ts k = Some u ->
    exists n, nth_error ns k = Some n /\ list_sum ns = along axis x /\
      u = tabulate (set_nth axis n (dims x))
            (fun i => at_ x (set_nth axis (nth axis i 0 + Z.of_nat (start_of ns k))%Z i)).
  Proof.
    unfold split, split_dims, guard. intros H lt at_k.
    destruct (Nat.eqb_spec (list_sum ns) (nth axis (dims x) 0)) as [sum |]; [| discriminate].
    injection H as <-. apply parts_nth in at_k. destruct at_k as (ds & at_k & ->).
    rewrite nth_error_map in at_k. destruct (nth_error ns k) as [n |] eqn:N; [| discriminate].
    injection at_k as <-. exists n. split; [reflexivity |]. split; [exact sum |].
    unfold part. rewrite map_map. do 2 f_equal.
    assert (map (fun n => nth axis (set_nth axis n (dims x)) 0) ns = ns) as ->; [| reflexivity].
    clear - lt. induction ns as [| n ns IH]; [reflexivity |]. cbn [map]. rewrite IH. f_equal. now apply nth_set_nth.
  Qed.

  Lemma split_length axis ns x ts : split S axis ns x = Some ts -> length ts = length ns.
  Proof.
    unfold split, split_dims, guard. destruct (_ =? _); [| discriminate]. intros H. injection H as <-.
    assert (forall l start, length (parts S axis x start l) = length l) as len
      by (induction l as [| ds l IH]; intros start; [reflexivity |]; simpl; now rewrite IH).
    now rewrite len, map_length.
  Qed.

  (** A part is [y] if its cells are. *)
  Theorem split_is axis ns x ts k u (y : tensor) :
    split S axis ns x = Some ts -> axis < length (dims x) -> nth_error ts k = Some u ->
    good y -> (forall n, nth_error ns k = Some n -> dims y = set_nth axis n (dims x)) ->
    (forall i, in_box (dims y) i = true ->
       at_ x (set_nth axis (nth axis i 0 + Z.of_nat (start_of ns k))%Z i) = at_ y i) ->
    u = y.
  Proof.
    intros H lt at_k G D E. destruct (split_nth axis ns x ts k u H lt at_k) as (n & at_n & _ & ->).
    rewrite <- (D n at_n). rewrite <- (tabulate_get (s_zero S) y G) at 2. apply tabulate_ext.
    intros i I. now apply E.
  Qed.

  (** What Concat has put together, Split cuts. *)
  Theorem split_concat axis x l c ts k u y :
    concat S axis x l = Some c -> split S axis (map (along axis) (x :: l)) c = Some ts -> axis < length (dims x) ->
    nth_error ts k = Some u -> nth_error (x :: l) k = Some y -> good y -> u = y.
  Proof.
    intros C H lt at_u at_y G. destruct (concat_facts axis x l c C) as [Ec same].
    assert (length (dims c) = length (dims x)) as len by (rewrite Ec; apply length_set_nth).
    apply (split_is axis _ c ts k u y H); try assumption; [lia | |].
    - intros n at_n. rewrite nth_error_map, at_y in at_n. injection at_n as <-.
      rewrite Ec. cbn [dims tabulate]. rewrite set_nth_twice. symmetry. apply same. now apply nth_error_In in at_y.
    - intros i I. now apply (concat_at axis x l c k y i).
  Qed.

  (** What Split has cut, Concat puts together. *)
  Lemma concat_parts_cell axis ds l : forall x t ts start i,
    parts S axis x start l = t :: ts -> axis < length i -> length i = length ds ->
    (forall es, In es l -> exists n, es = set_nth axis n ds) ->
    in_box (set_nth axis (list_sum (map (fun es => nth axis es 0) l)) ds) i = true ->
    concat_cell S axis t ts i = at_ x (set_nth axis (nth axis i 0 + Z.of_nat start)%Z i).
  Proof.
    induction l as [| es l IH]; intros x t ts start i H lt len L I; [discriminate |].
    simpl in H. injection H as <- <-. destruct (L es (or_introl eq_refl)) as (n & En).
    assert (nth axis es 0 = n) as An by (rewrite En; apply nth_set_nth; lia).
    pose proof (in_box_at axis _ _ I) as J. rewrite length_set_nth in J. specialize (J ltac:(lia)).
    rewrite nth_set_nth in J by lia. cbn [map list_sum fold_right] in J. rewrite An in J.
    change (fold_right Nat.add 0 (map (fun es => nth axis es 0) l)) with (list_sum (map (fun es => nth axis es 0) l)) in J.
    assert ((0 <= nth axis i 0 < Z.of_nat n)%Z -> in_box es i = true) as inside.
    { intros B. rewrite En. rewrite <- (set_nth_same axis i 0%Z).
      rewrite <- (set_nth_twice axis n (list_sum (map (fun es => nth axis es 0) (es :: l))) ds).
      now apply in_box_set_nth. }
    destruct (parts S axis x (start + nth axis es 0) l) as [| t' ts'] eqn:P.
    - assert (l = []) as -> by (destruct l; [reflexivity | discriminate]). cbn [concat_cell]. unfold part.
      unfold Ops.at_ at 1. rewrite get_tabulate; [reflexivity |]. apply inside. cbn in J. lia.
    - cbn [concat_cell]. change (dims (part S axis x start es)) with es. rewrite An.
      destruct (Z.ltb_spec (nth axis i 0%Z) (Z.of_nat n)) as [less | more].
      + unfold part. unfold Ops.at_ at 1. rewrite get_tabulate; [reflexivity | apply inside; lia].
      + rewrite (IH _ _ _ _ _ P); rewrite ?length_set_nth; try assumption.
        * rewrite nth_set_nth by exact lt. rewrite set_nth_twice, An. f_equal. f_equal. lia.
        * intros fs inf. apply L. now right.
        * rewrite <- (set_nth_twice axis _ (list_sum (map (fun es => nth axis es 0) (es :: l)))).
          apply in_box_set_nth; [exact I | lia].
  Qed.

  Theorem concat_split axis ns x t ts c :
    split S axis ns x = Some (t :: ts) -> axis < length (dims x) -> good x -> concat S axis t ts = Some c -> c = x.
  Proof.
    intros H lt G C. pose proof (concat_facts axis t ts c C) as [Ec _].
    unfold split, split_dims, guard in H.
    destruct (Nat.eqb_spec (list_sum ns) (nth axis (dims x) 0)) as [sum |]; [| discriminate]. injection H as P.
    assert (map (fun n => nth axis (set_nth axis n (dims x)) 0) ns = ns) as ax.
    { clear - lt. induction ns as [| n ns IH]; [reflexivity |]. cbn [map]. rewrite IH. f_equal. now apply nth_set_nth. }
    assert (forall l start, map (@dims _) (parts S axis x start l) = l) as pd
      by (induction l as [| ds l IH]; intros start; [reflexivity |]; simpl; now rewrite IH).
    assert (map (along axis) (t :: ts) = ns) as al.
    { unfold along. rewrite <- (map_map (@dims _) (fun ds => nth axis ds 0)), <- P, pd, map_map. exact ax. }
    assert (set_nth axis (list_sum (map (along axis) (t :: ts))) (dims t) = dims x) as D.
    { rewrite al, sum. assert (exists n, dims t = set_nth axis n (dims x)) as (n & ->).
      { pose proof (pd (map (fun n => set_nth axis n (dims x)) ns) 0) as Q. rewrite P in Q.
        destruct ns as [| n ns]; [discriminate |]. injection Q as Q _. now exists n. }
      rewrite set_nth_twice. apply set_nth_same. }
    rewrite D in Ec. rewrite Ec. transitivity (tabulate (dims x) (get (s_zero S) x)); [| now apply tabulate_get].
    apply tabulate_ext. intros i I.
    rewrite (concat_parts_cell axis (dims x) (map (fun n => set_nth axis n (dims x)) ns) x t ts 0 i P).
    - rewrite Z.add_0_r, set_nth_same. reflexivity.
    - rewrite (in_box_length _ _ I). exact lt.
    - apply (in_box_length _ _ I).
    - intros es ine. apply in_map_iff in ine. destruct ine as (n & <- & _). now exists n.
    - rewrite map_map, ax, sum, set_nth_same. exact I.
  Qed.
End Laws.
