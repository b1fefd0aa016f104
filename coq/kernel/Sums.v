(** * Commutative rings, and finite sums in them

    The scalars of gradients, with any inverse: no law of it is used. *)

From Coq Require Import Bool List Lia Arith ZArith Ring Ring_theory FinFun.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof.
Import ListNotations.
Open Scope Z_scope.

Record ring := {
  elt : Type;
  r0 : elt;
  r1 : elt;
  radd : elt -> elt -> elt;
  rmul : elt -> elt -> elt;
  rsub : elt -> elt -> elt;
  ropp : elt -> elt;
  r_laws : ring_theory r0 r1 radd rmul rsub ropp eq;
  rinv : elt -> elt }.

Section Sums.
  Variable K : ring.
  Add Ring K : (r_laws K).
  Notation R := (elt K).
  Declare Scope ring_scope.
  Notation "0" := (r0 K) : ring_scope.
  Notation "1" := (r1 K) : ring_scope.
  Infix "+" := (radd K) : ring_scope.
  Infix "*" := (rmul K) : ring_scope.
  Infix "-" := (rsub K) : ring_scope.
  Local Open Scope ring_scope.

  Definition sum {A} (f : A -> R) (l : list A) : R :=
    fold_right (fun a s => f a + s) 0 l.

  (** For [ring] where the type of a side is known under another name: what is left is of type R. *)
  Lemma zero_both (a b : R) : 0 + a = 0 + b -> a = b.
  Proof. intros H. transitivity (0 + a); [ring |]. rewrite H. ring. Qed.

  Ltac kring := apply zero_both; ring.

  Lemma sum_app {A} (f : A -> R) l m : sum f (l ++ m) = sum f l + sum f m.
  Proof. induction l as [| a l IH]; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma sum_map {A B} (g : B -> A) (f : A -> R) l : sum f (map g l) = sum (fun b => f (g b)) l.
  Proof. induction l as [| a l IH]; simpl; [| rewrite IH]; reflexivity. Qed.

  Lemma sum_ext {A} (f g : A -> R) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
  Proof.
    induction l as [| a l IH]; intros same; simpl; [reflexivity |].
    rewrite same by now left. rewrite IH; [reflexivity |]. intros b inb. apply same. now right.
  Qed.

  Lemma sum_zero {A} (f : A -> R) l : (forall a, In a l -> f a = 0) -> sum f l = 0.
  Proof.
    intros none. induction l as [| a l IH]; simpl; [reflexivity |].
    rewrite none by now left. rewrite IH; [kring |]. intros b inb. apply none. now right.
  Qed.

  Lemma sum_add {A} (f g : A -> R) l : sum (fun a => f a + g a) l = sum f l + sum g l.
  Proof. induction l as [| a l IH]; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma sum_mul_l {A} (f : A -> R) c l : sum (fun a => c * f a) l = c * sum f l.
  Proof. induction l as [| a l IH]; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma sum_mul_r {A} (f : A -> R) c l : sum (fun a => f a * c) l = sum f l * c.
  Proof. induction l as [| a l IH]; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma sum_swap {A B} (f : A -> B -> R) l m :
    sum (fun a => sum (fun b => f a b) m) l = sum (fun b => sum (fun a => f a b) l) m.
  Proof.
    induction l as [| a l IH]; simpl.
    - symmetry. now apply sum_zero.
    - now rewrite IH, sum_add.
  Qed.

  Lemma sum_flat_map {A B} (g : B -> list A) (f : A -> R) l :
    sum f (flat_map g l) = sum (fun b => sum f (g b)) l.
  Proof. induction l as [| a l IH]; simpl; [reflexivity |]. now rewrite sum_app, IH. Qed.

  Lemma sum_box_app (d e : list nat) (f : list Z -> R) :
    sum f (box (d ++ e)) = sum (fun i => sum (fun j => f (i ++ j)) (box e)) (box d).
  Proof.
    revert f. induction d as [| n d IH]; intros f; simpl.
    - transitivity (sum f (box e) + 0); [kring | reflexivity].
    - rewrite !sum_flat_map. apply sum_ext. intros k _. rewrite !sum_map. apply IH.
  Qed.

  (** A sum over a list without repetition picks one element. *)
  Lemma sum_pick {A} (eqb : A -> A -> bool) (f : A -> R) l a :
    (forall b, reflect (a = b) (eqb a b)) -> NoDup l -> In a l ->
    sum (fun b => if eqb a b then f b else 0) l = f a.
  Proof.
    intros eqb_ nodup ina. induction nodup as [| b l notin _ IH]; [contradiction |].
    simpl. destruct (eqb_ b) as [<- | ne].
    - rewrite sum_zero; [kring |]. intros c inc. destruct (eqb_ c); [congruence | reflexivity].
    - rewrite IH; [kring |]. destruct ina; congruence.
  Qed.

  Lemma fold_sum {A} (f : A -> R) l x : fold_left (fun acc a => acc + f a) l x = x + sum f l.
  Proof. revert x. induction l as [| a l IH]; intros x; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma box_nodup d : NoDup (box d).
  Proof.
    induction d as [| n d IH]; simpl; [repeat constructor; intros [] |].
    generalize O. induction n as [| n IHn]; intros k; simpl; [constructor |].
    apply NoDup_app_intro; [| apply IHn |].
    - apply Injective_map_NoDup; [intros i j; congruence | exact IH].
    - intros i ini inr. apply in_map_iff in ini as (j & <- & _).
      apply in_flat_map in inr as (m & inm & inr). apply in_seq in inm.
      apply in_map_iff in inr as (j' & E & _). injection E as E _. lia.
  Qed.
End Sums.

Arguments sum {K A}.
