(** * Lists of results: what every room needs and the library lacks *)

From Coq Require Import Bool List.
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
