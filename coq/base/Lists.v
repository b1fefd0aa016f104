(** * Lists of results: what every room needs and the library lacks *)

From Coq Require Import Bool List Lia Arith.
Import ListNotations.

Section Lists.
  Context {A B : Type} (f : A -> option B) (r : A -> B -> bool).

  (** [f] on every element; nothing as soon as one has no image. *)
  Fixpoint traverse (l : list A) : option (list B) :=
    match l with
    | [] => Some []
    | a :: l' =>
        match f a, traverse l' with
        | Some b, Some m => Some (b :: m)
        | _, _ => None
        end
    end.

  (** Same length, and [r] holds componentwise. *)
  Fixpoint all2 (l : list A) (m : list B) : bool :=
    match l, m with
    | [], [] => true
    | a :: l', b :: m' => r a b && all2 l' m'
    | _, _ => false
    end.
End Lists.

Lemma traverse_iff {A B} (f : A -> option B) (R : A -> B -> Prop) l :
  Forall (fun a => forall b, f a = Some b <-> R a b) l ->
  forall m, traverse f l = Some m <-> Forall2 R l m.
Proof.
  intros all. induction all as [| a l head _ IH]; intros m; simpl.
  - split; intros H; inversion H; constructor.
  - split.
    + destruct (f a) as [b |] eqn:fa; [| discriminate].
      destruct (traverse f l) as [m' |]; [| discriminate].
      intros H. injection H as <-. constructor.
      * now apply head.
      * now apply IH.
    + intros H. inversion H as [| ? b ? m' hd tl]; subst.
      apply head in hd. apply IH in tl. now rewrite hd, tl.
Qed.

Lemma all2_iff {A B} (f : A -> B -> bool) (R : A -> B -> Prop) l :
  Forall (fun a => forall b, f a b = true <-> R a b) l ->
  forall m, all2 f l m = true <-> Forall2 R l m.
Proof.
  intros all. induction all as [| a l head _ IH]; intros [| b m]; simpl.
  - split; [constructor | reflexivity].
  - split; [discriminate | intros H; inversion H].
  - split; [discriminate | intros H; inversion H].
  - rewrite andb_true_iff, head, IH. split.
    + intros [hd tl]. now constructor.
    + intros H. inversion H; subst. now split.
Qed.

Lemma Forall2_mono {A B} (R S : A -> B -> Prop) l :
  Forall (fun a => forall b, R a b -> S a b) l ->
  forall m, Forall2 R l m -> Forall2 S l m.
Proof.
  intros all. induction all as [| a l head _ IH]; intros m H.
  - inversion H. constructor.
  - inversion H as [| ? b ? m' hd tl]; subst. constructor.
    + now apply head.
    + now apply IH.
Qed.

Lemma Forall_always {A} (P : A -> Prop) (l : list A) :
  (forall a, P a) -> Forall P l.
Proof. intros H. now apply Forall_forall. Qed.

(** Two lists pointwise related to a third, functionally, are equal. *)
Lemma Forall2_unique {A B} (R S : A -> B -> Prop) l :
  Forall (fun a => forall b c, R a b -> S a c -> c = b) l ->
  forall m n, Forall2 R l m -> Forall2 S l n -> n = m.
Proof.
  intros all. induction all as [| a l head _ IH]; intros m n Hm Hn.
  - inversion Hm. now inversion Hn.
  - inversion Hm as [| ? b ? m' rb rl]; subst.
    inversion Hn as [| ? c ? n' sc sl]; subst.
    f_equal; [now apply head | now apply IH].
Qed.

Lemma Forall2_length {A B} {R : A -> B -> Prop} {l m} :
  Forall2 R l m -> length l = length m.
Proof. intros H. induction H; simpl; congruence. Qed.

Lemma option_map_some {A B} (f : A -> B) o a : o = Some a -> option_map f o = Some (f a).
Proof. now intros ->. Qed.

Lemma traverse_ext {A B} (f g : A -> option B) l :
  (forall a, In a l -> f a = g a) -> traverse f l = traverse g l.
Proof.
  induction l as [| a l IH]; intros same; simpl; [reflexivity |].
  rewrite (same a (or_introl eq_refl)), IH; [reflexivity |].
  intros b inb. apply same. now right.
Qed.

Lemma traverse_present {A} (l : list A) : traverse (fun o : option A => o) (map Some l) = Some l.
Proof. induction l as [| a l IH]; [reflexivity |]. simpl. now rewrite IH. Qed.

Lemma fold_left_ext_in {A B} (f g : A -> B -> A) l :
  (forall a b, In b l -> f a b = g a b) -> forall a, fold_left f l a = fold_left g l a.
Proof.
  induction l as [| b l IH]; intros E a; simpl; [reflexivity |].
  rewrite E by now left. apply IH. intros; apply E; now right.
Qed.

Lemma existsb_eqb t l : existsb (Nat.eqb t) l = true <-> In t l.
Proof.
  rewrite existsb_exists. split.
  - intros (u & inu & E). apply Nat.eqb_eq in E. now subst.
  - intros inl. exists t. split; [exact inl | apply Nat.eqb_refl].
Qed.

Lemma NoDup_app_intro {A} (l m : list A) :
  NoDup l -> NoDup m -> (forall a, In a l -> ~ In a m) -> NoDup (l ++ m).
Proof.
  intros nl nm apart. induction nl as [| a l nin _ IH]; [exact nm |]. simpl. constructor.
  - rewrite in_app_iff. intros [ina | ina]; [contradiction |]. now apply (apart a (or_introl eq_refl)).
  - apply IH. intros b inb. apply apart. now right.
Qed.

Lemma forallb_map {A B} (f : A -> bool) (g : B -> A) l :
  forallb f (map g l) = forallb (fun b => f (g b)) l.
Proof. induction l; simpl; congruence. Qed.

Lemma forallb_ext {A} (f g : A -> bool) l : (forall a, f a = g a) -> forallb f l = forallb g l.
Proof. intros same. induction l; simpl; congruence. Qed.

(** ** What is at a place *)

Lemma nth_error_bound {A} (l : list A) i a : nth_error l i = Some a -> i < length l.
Proof. intros E. apply nth_error_Some. congruence. Qed.

Lemma nth_error_firstn {A} (l : list A) n i : i < n -> nth_error (firstn n l) i = nth_error l i.
Proof.
  revert l i. induction n as [| n IH]; intros l i lt; [lia |].
  destruct l, i; simpl; auto. apply IH. lia.
Qed.

Lemma nth_error_skipn {A} (l : list A) n i : nth_error (skipn n l) i = nth_error l (n + i).
Proof. revert l. induction n as [| n IH]; intros [| a l]; simpl; auto. now destruct i. Qed.

Lemma nth_firstn {A} (l : list A) n k d : k < n -> nth k (firstn n l) d = nth k l d.
Proof. revert n k. induction l as [| a l IH]; intros [| n] [| k] lt; simpl; try lia; auto. apply IH. lia. Qed.

Lemma nth_skipn {A} (l : list A) n k d : nth k (skipn n l) d = nth (n + k) l d.
Proof. revert l. induction n as [| n IH]; intros [| a l]; simpl; auto. now destruct k. Qed.

Lemma nth_map_lt {A B} (f : A -> B) l k a b : k < length l -> nth k (map f l) b = f (nth k l a).
Proof. intros lt. rewrite (nth_indep _ b (f a)) by now rewrite map_length. apply map_nth. Qed.

(** ** Another element at a place *)

Fixpoint set_nth {A} (k : nat) (v : A) (l : list A) : list A :=
  match l, k with
  | [], _ => []
  | _ :: l', O => v :: l'
  | a :: l', S k' => a :: set_nth k' v l'
  end.

Lemma set_nth_length {A} k (v : A) l : length (set_nth k v l) = length l.
Proof. revert k. induction l as [| a l IH]; intros [| k]; simpl; auto. Qed.

Lemma nth_set_same {A} k (v : A) l d : k < length l -> nth k (set_nth k v l) d = v.
Proof. revert k. induction l as [| a l IH]; intros [| k] lt; simpl in *; try lia; [reflexivity | apply IH; lia]. Qed.

Lemma nth_set_other {A} k j (v : A) l d : j <> k -> nth j (set_nth k v l) d = nth j l d.
Proof.
  revert k j. induction l as [| a l IH]; intros [| k] [| j] ne; simpl; try reflexivity; try lia. apply IH. lia.
Qed.

Lemma set_nth_same {A} k (l : list A) d : set_nth k (nth k l d) l = l.
Proof. revert k. induction l as [| a l IH]; intros [| k]; simpl; auto. now rewrite IH. Qed.

Lemma set_nth_twice {A} k (v w : A) l : set_nth k v (set_nth k w l) = set_nth k v l.
Proof. revert k. induction l as [| a l IH]; intros [| k]; simpl; auto. now rewrite IH. Qed.

Lemma set_nth_app {A} (l m : list A) a b : set_nth (length l) b (l ++ a :: m) = l ++ b :: m.
Proof. induction l as [| c l IH]; simpl; [reflexivity | now rewrite IH]. Qed.

(** Equal but for one place. *)
Lemma set_nth_eq {A} k (v : A) a b d :
  set_nth k v a = set_nth k v b -> k < length a -> nth k a d = nth k b d -> a = b.
Proof.
  revert k b. induction a as [| x a IH]; intros [| k] [| y b] E lt En; simpl in *; try discriminate; try lia.
  - injection E as E. now subst.
  - injection E as -> E. f_equal. apply (IH k); [exact E | lia | exact En].
Qed.

(** ** An element taken out *)

Fixpoint remove_at {A} (k : nat) (l : list A) : list A :=
  match l, k with
  | [], _ => []
  | _ :: l', O => l'
  | a :: l', S k' => a :: remove_at k' l'
  end.

(** ** The place of a number: the first, or the length when there is none *)

Fixpoint place_of (k : nat) (l : list nat) : nat :=
  match l with [] => 0 | a :: l' => if k =? a then 0 else S (place_of k l') end.

Lemma place_of_spec k l : In k l -> place_of k l < length l /\ nth (place_of k l) l 0 = k.
Proof.
  induction l as [| a l IH]; [easy |]. simpl. intros H.
  destruct (Nat.eqb_spec k a) as [-> | ne]; [split; [lia | reflexivity] |].
  destruct H as [-> | H]; [contradiction |]. apply IH in H as []. split; [lia | assumption].
Qed.

Lemma place_of_lt k l : In k l -> place_of k l < length l.
Proof. intros H. now apply place_of_spec in H. Qed.

Lemma nth_place_of k l d : In k l -> nth (place_of k l) l d = k.
Proof.
  intros H. apply place_of_spec in H as [lt E]. now rewrite (nth_indep l d 0) by exact lt.
Qed.

Lemma nth_error_place_of k l : In k l -> nth_error l (place_of k l) = Some k.
Proof.
  intros H. apply place_of_spec in H as [lt E]. rewrite (nth_error_nth' l 0) by exact lt. now f_equal.
Qed.

Lemma place_of_nth l k d : NoDup l -> k < length l -> place_of (nth k l d) l = k.
Proof.
  intros nd lt. assert (In (nth k l d) l) as inn by now apply nth_In.
  apply (proj1 (NoDup_nth l d) nd); [now apply place_of_lt | exact lt | now apply nth_place_of].
Qed.
