(** * The place of the greatest of some cells

    The first one or the last one, and how numbers that count the places say which: the greatest number of those places
    where a cell is not less than the greatest. *)

From Coq Require Import List Lia Arith ZArith.
Open Scope nat_scope.

(** The first place, or with [last] the last one, of the greatest among the cells [f 0], .., [f (n - 1)]. *)
Fixpoint greatest_place {A} (less : A -> A -> bool) (last : bool) (f : nat -> A) (n : nat) : nat :=
  match n with
  | 0 => 0
  | Datatypes.S k =>
      let b := greatest_place less last f k in
      if (if last then negb (less (f k) (f b)) else less (f b) (f k)) then k else b
  end.

(** Of [n] places. *)
Definition count_at (last : bool) (n : nat) (k : nat) : Z := if last then Z.of_nat k else Z.of_nat n - Z.of_nat k.

(** ** Cells in order *)

(** [R]: is less.  What is less than another is less than a third, or that is less than the other. *)
Definition orders {A} (R : A -> A -> bool) (f : nat -> A) (n : nat) : Prop :=
  (forall i j, i < n -> j < n -> R (f i) (f j) = true -> R (f j) (f i) = false) /\
  (forall i j k, i < n -> j < n -> k < n -> R (f i) (f k) = true -> R (f i) (f j) = true \/ R (f j) (f k) = true).

Section Places.
  Context {A : Type} (R : A -> A -> bool) (f : nat -> A) (n : nat).
  Hypothesis O : orders R f n.

  Lemma less_self i : i < n -> R (f i) (f i) = false.
  Proof. intros I. destruct (R (f i) (f i)) eqn:E; [| reflexivity]. rewrite <- E. now apply (proj1 O). Qed.

  (** What is less than none stays so below something greater, and above what it is not less than. *)
  Lemma less_none b i j : b < n -> i < n -> j < n -> R (f b) (f j) = false -> R (f i) (f b) = false -> R (f i) (f j) = false.
  Proof.
    intros B I J U V. destruct (R (f i) (f j)) eqn:E; [| reflexivity].
    destruct (proj2 O i b j I B J E) as [W | W]; congruence.
  Qed.

  Lemma less_then i j k : i < n -> j < n -> k < n -> R (f i) (f k) = true -> R (f j) (f k) = false -> R (f i) (f j) = true.
  Proof. intros I J K E F. destruct (proj2 O i j k I J K E); congruence. Qed.

  Lemma less_there i j k : i < n -> j < n -> k < n -> R (f i) (f k) = true -> R (f i) (f j) = false -> R (f j) (f k) = true.
  Proof. intros I J K E F. destruct (proj2 O i j k I J K E); congruence. Qed.

  Lemma greatest_place_spec last q : 0 < q <= n -> let p := greatest_place R last f q in
    p < q /\ (forall k, k < q -> R (f p) (f k) = false) /\
    (forall k, k < q -> (if last then p < k else k < p) -> R (f k) (f p) = true).
  Proof.
    induction q as [| q IH]; intros [P Q] p; [lia |]. destruct q as [| q].
    - assert (E : p = 0) by (unfold p; cbn; destruct last, (R (f 0) (f 0)); reflexivity). rewrite E.
      split; [lia |]. split; intros k lt; [assert (k = 0) by lia; subst k; apply less_self; lia | destruct last; lia].
    - destruct IH as (B & U & V); [lia |]. set (b := greatest_place R last f (Datatypes.S q)) in *.
      set (k := Datatypes.S q) in *.
      assert (p = if (if last then negb (R (f k) (f b)) else R (f b) (f k)) then k else b) as E by reflexivity.
      clearbody p b. subst p.
      assert (N : forall j, j < Datatypes.S k -> j <> k -> j < k) by lia.
      destruct last; [destruct (R (f k) (f b)) eqn:L | destruct (R (f b) (f k)) eqn:L]; cbn [negb].
      + split; [lia |]. split; intros j J.
        * destruct (Nat.eq_dec j k) as [-> | ne]; [apply (proj1 O); [lia | lia | exact L] | auto].
        * intros bj. destruct (Nat.eq_dec j k) as [-> | ne]; [exact L | auto].
      + split; [lia |]. split; intros j J; [| lia].
        destruct (Nat.eq_dec j k) as [-> | ne]; [apply less_self; lia | apply (less_none b); auto; lia].
      + split; [lia |]. split; intros j J.
        * destruct (Nat.eq_dec j k) as [-> | ne]; [apply less_self; lia |].
          apply (proj1 O); [lia | lia |]. apply (less_there b); auto; lia.
        * intros jk. apply (less_there b); auto; lia.
      + split; [lia |]. split; intros j J.
        * destruct (Nat.eq_dec j k) as [-> | ne]; [exact L | auto].
        * intros jb. apply V; lia.
  Qed.

  (** The number that is left is that of the place. *)
  Lemma counted_place (last : bool) p g b : p < n -> g < n -> b < n ->
    (forall k, k < n -> R (f p) (f k) = false) -> (forall k, k < n -> (if last then p < k else k < p) -> R (f k) (f p) = true) ->
    (forall k, k < n -> R (f b) (f k) = false) ->
    let h k := if R (f k) (f b) then 0%Z else count_at last n k in
    (forall k, k < n -> (h k <= h g)%Z) -> h g = count_at last n p.
  Proof.
    intros P G B U V W h H. specialize (H p P). unfold h in *. rewrite U in H by exact B.
    destruct (R (f g) (f b)) eqn:E; [unfold count_at in *; destruct last; lia |].
    destruct (Nat.eq_dec g p) as [-> | ne]; [reflexivity |]. exfalso.
    assert (if last then p < g else g < p) as L by (unfold count_at in H; destruct last; lia).
    pose proof (V g G L) as T. rewrite (less_none b) in T; auto; discriminate.
  Qed.
End Places.

Lemma greatest_place_ext {A B} (less : A -> A -> bool) (less' : B -> B -> bool) last f g n :
  (forall i j, i < n -> j < n -> less (f i) (f j) = less' (g i) (g j)) ->
  greatest_place less last f n = greatest_place less' last g n.
Proof.
  induction n as [| n IH]; intros E; [reflexivity |]. cbn [greatest_place]. rewrite IH by (intros i j I J; apply E; lia).
  assert (greatest_place less' last g n < Datatypes.S n) as lt.
  { clear. induction n as [| n IH]; [cbn; lia |]. cbn [greatest_place].
    set (b := greatest_place less' last g n) in *. destruct (if last then _ else _); lia. }
  set (b := greatest_place less' last g n) in *. now rewrite !E by lia.
Qed.
