(** * Dimensions that are cut in two, and put in another order

    Places of two digits each: where they are in row-major order; and a Transpose of dimensions that says where each of
    its own comes from. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Attrs tensor.Index tensor.IndexProof.
Import ListNotations.
Open Scope nat_scope.

Fixpoint interleave {A} (a b : list A) : list A :=
  match a, b with x :: a', y :: b' => x :: y :: interleave a' b' | _, _ => [] end.

Fixpoint products (a b : list nat) : list nat :=
  match a, b with x :: a', y :: b' => x * y :: products a' b' | _, _ => [] end.

(** The places of digits [q] and [r], the second below [zs]. *)
Fixpoint joined (zs : list nat) (q r : list Z) : list Z :=
  match zs, q, r with z :: zs', a :: q', b :: r' => (a * Z.of_nat z + b)%Z :: joined zs' q' r' | _, _, _ => [] end.

Lemma products_length a b : length a = length b -> length (products a b) = length a.
Proof. revert b. induction a as [| x a IH]; intros [| y b] E; try discriminate; simpl; auto. Qed.

Lemma interleave_count a : forall b, length a = length b -> cell_count (interleave a b) = cell_count (products a b).
Proof.
  induction a as [| x a IH]; intros [| y b] E; try discriminate; [reflexivity |].
  cbn [interleave products cell_count fold_right]. fold (cell_count (interleave a b)) (cell_count (products a b)).
  rewrite IH by now injection E. lia.
Qed.

Lemma products_count a : forall b, length a = length b -> cell_count (products a b) = cell_count a * cell_count b.
Proof.
  induction a as [| x a IH]; intros [| y b] E; try discriminate; [reflexivity |].
  cbn [products cell_count fold_right]. fold (cell_count a) (cell_count b) (cell_count (products a b)).
  rewrite IH by now injection E. lia.
Qed.

Lemma interleave_in_box a : forall b q r, in_box a q = true -> in_box b r = true -> length a = length b ->
  in_box (interleave a b) (interleave q r) = true.
Proof.
  induction a as [| x a IH]; intros [| y b] [| z q] [| t r] Q R E; try discriminate; [reflexivity |].
  apply in_box_cons in Q. apply in_box_cons in R. destruct Q as [Z0 Q], R as [T0 R]. cbn [interleave].
  apply in_box_cons. split; [exact Z0 |]. apply in_box_cons. split; [exact T0 |]. apply IH; auto.
Qed.

Lemma joined_in_box a : forall b q r, in_box a q = true -> in_box b r = true -> length a = length b ->
  in_box (products a b) (joined b q r) = true.
Proof.
  induction a as [| x a IH]; intros [| y b] [| z q] [| t r] Q R E; try discriminate; [reflexivity |].
  apply in_box_cons in Q. apply in_box_cons in R. destruct Q as [Z0 Q], R as [T0 R]. cbn [products joined].
  apply in_box_cons. split; [nia |]. apply IH; auto.
Qed.

Lemma position_interleave a : forall b q r, in_box a q = true -> in_box b r = true -> length a = length b ->
  position (products a b) (joined b q r) = position (interleave a b) (interleave q r).
Proof.
  induction a as [| x a IH]; intros [| y b] [| z q] [| t r] Q R E; try discriminate; [reflexivity |].
  apply in_box_cons in Q. apply in_box_cons in R. destruct Q as [Z0 Q], R as [T0 R].
  cbn [products joined interleave position cell_count fold_right].
  fold (cell_count (interleave a b)) (cell_count (products a b)).
  rewrite (IH b q r Q R), interleave_count by now injection E.
  assert (Z.to_nat (z * Z.of_nat y + t) = Z.to_nat z * y + Z.to_nat t) as ->
    by (rewrite Z2Nat.inj_add, Z2Nat.inj_mul, Nat2Z.id by nia; reflexivity).
  ring.
Qed.

(** Dimensions before that are joined to one. *)
Lemma position_joined d ds r c u : in_box ds r = true -> (0 <= c)%Z ->
  forall es, position (d * cell_count ds :: es) ((c * Z.of_nat (cell_count ds) + Z.of_nat (position ds r))%Z :: u) =
             position (d :: ds ++ es) (c :: r ++ u).
Proof.
  intros R C es. cbn [position]. rewrite position_app by now apply in_box_length. rewrite cell_count_app.
  assert (Z.to_nat (c * Z.of_nat (cell_count ds) + Z.of_nat (position ds r)) = Z.to_nat c * cell_count ds + position ds r) as ->
    by (rewrite Z2Nat.inj_add, Z2Nat.inj_mul, !Nat2Z.id by nia; reflexivity).
  ring.
Qed.

Lemma joined_first d ds r c : in_box ds r = true -> (0 <= c < Z.of_nat d)%Z ->
  (0 <= c * Z.of_nat (cell_count ds) + Z.of_nat (position ds r) < Z.of_nat (d * cell_count ds))%Z.
Proof. intros R C. pose proof (position_lt ds r R). nia. Qed.

(** The digits of a place. *)
Definition quotients (zs : list nat) (i : list Z) : list Z := map (fun zi => (snd zi / Z.of_nat (fst zi))%Z) (combine zs i).
Definition remainders (zs : list nat) (i : list Z) : list Z := map (fun zi => (snd zi mod Z.of_nat (fst zi))%Z) (combine zs i).

Lemma joined_digits zs : forall i, length i = length zs -> Forall (fun z => 0 < z) zs ->
  joined zs (quotients zs i) (remainders zs i) = i.
Proof.
  induction zs as [| z zs IH]; intros [| k i] E P; try discriminate; [reflexivity |]. inversion P; subst.
  cbn [quotients remainders combine map joined fst snd]. fold (quotients zs i) (remainders zs i).
  rewrite IH by (try assumption; now injection E). f_equal. rewrite Z.mul_comm. symmetry. apply Z.div_mod. lia.
Qed.

Lemma remainders_in_box zs : forall i, length i = length zs -> Forall (fun z => 0 < z) zs ->
  in_box zs (remainders zs i) = true.
Proof.
  induction zs as [| z zs IH]; intros [| k i] E P; try discriminate; [reflexivity |]. inversion P; subst.
  cbn [remainders combine map fst snd]. apply in_box_cons. split; [apply Z.mod_pos_bound; lia |].
  apply IH; [now injection E | assumption].
Qed.

(** ** Orders *)

Definition ordered {A} (d : A) (perm : list nat) (l : list A) : list A := map (fun p => nth p l d) perm.

Lemma unpermute_ordered perm l : permutes (length l) perm = true -> unpermute perm (ordered 0%Z perm l) = l.
Proof.
  intros P. pose proof P as P'. apply permutes_iff in P'. destruct P' as (len & _ & _).
  apply (nth_ext _ _ 0%Z 0%Z); [rewrite unpermute_length; exact len |]. intros k lt. rewrite unpermute_length in lt.
  rewrite nth_unpermute by exact lt. unfold ordered.
  pose proof (permutes_all _ perm k P ltac:(lia)) as ink.
  rewrite (nth_map_lt _ _ _ 0) by now apply place_of_lt. now rewrite nth_place_of.
Qed.

(** After two dimensions [r] and [q] the pairs of both. *)
Definition paired (n : nat) : list nat := [0; 1] ++ flat_map (fun i => [2 + n + i; 2 + i]) (seq 0 n).

Lemma paired_permutes n : n <= 3 -> permutes (2 + (n + n)) (paired n) = true.
Proof. intros le. destruct n as [| [| [| [| n]]]]; try lia; reflexivity. Qed.

Lemma paired_order {A} (d a b : A) r q n : n <= 3 -> length r = n -> length q = n ->
  ordered d (paired n) (a :: b :: r ++ q) = a :: b :: interleave q r.
Proof.
  intros le R Q. destruct n as [| [| [| [| n]]]]; try lia;
    destruct r as [| r0 [| r1 [| r2 [| ? ?]]]]; try discriminate;
    destruct q as [| q0 [| q1 [| q2 [| ? ?]]]]; try discriminate; reflexivity.
Qed.

(** Of a dimension, another one, and pairs: the other one, the first of the pairs, the dimension, the second of them. *)
Definition unpaired (n : nat) : list nat := 1 :: map (fun i => 2 + 2 * i) (seq 0 n) ++ 0 :: map (fun i => 3 + 2 * i) (seq 0 n).

Lemma unpaired_permutes n : n <= 3 -> permutes (2 + (n + n)) (unpaired n) = true.
Proof. intros le. destruct n as [| [| [| [| n]]]]; try lia; reflexivity. Qed.

Lemma unpaired_order {A} (d c m : A) r u n : n <= 3 -> length r = n -> length u = n ->
  ordered d (unpaired n) (c :: m :: interleave r u) = m :: r ++ c :: u.
Proof.
  intros le R Q. destruct n as [| [| [| [| n]]]]; try lia;
    destruct r as [| r0 [| r1 [| r2 [| ? ?]]]]; try discriminate;
    destruct u as [| q0 [| q1 [| q2 [| ? ?]]]]; try discriminate; reflexivity.
Qed.

(** The same after a dimension of groups. *)
Definition grouped_unpaired (n : nat) : list nat := 0 :: map S (unpaired n).

Lemma grouped_unpaired_permutes n : n <= 3 -> permutes (3 + (n + n)) (grouped_unpaired n) = true.
Proof. intros le. destruct n as [| [| [| [| n]]]]; try lia; reflexivity. Qed.

Lemma grouped_unpaired_order {A} (d g c m : A) r u n : n <= 3 -> length r = n -> length u = n ->
  ordered d (grouped_unpaired n) (g :: c :: m :: interleave r u) = g :: m :: r ++ c :: u.
Proof.
  intros le R U. unfold grouped_unpaired, ordered. cbn [map nth]. f_equal.
  rewrite map_map. exact (unpaired_order d c m r u n le R U).
Qed.
