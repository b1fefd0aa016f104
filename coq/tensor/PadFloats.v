(** * Padding by zeros before a convolution, bit for bit

    Where the window lies in the padding a finite weight times 0 is +0 or -0, and adding either changes no sum that
    starts at +0 ([FloatSum]).  A kernel of one cell has no sum: there -0 stays ([pad_one_cell]); an infinite weight
    times 0 is no number ([pad_infinite]). *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists base.FloatSum tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Instances tensor.Algebra tensor.PadConv.
Import ListNotations.
Open Scope nat_scope.

Definition finite (x : spec_float) : bool := match x with S754_zero _ | S754_finite _ _ _ => true | _ => false end.

Lemma zero_times_finite prec emax x : finite x = true -> is_zero (SFmul prec emax (S754_zero false) x).
Proof. destruct x as [s | s | | s m e]; try discriminate; intros _; exact I. Qed.

Section Ieee.
  Variables (prec emax code : Z) (tiny : spec_float).
  Hypothesis prec_pos : (0 < prec)%Z.
  Let S := ieee prec emax code tiny.

  (** All weights are numbers: what can be checked of constants. *)
  Definition finite_weights (f : tensor (num S)) : bool := forallb finite (cells f).

  Lemma finite_at f k : finite_weights f = true -> finite (at_ S f k) = true.
  Proof.
    intros F. unfold at_, get. destruct (in_box (dims f) k); [| reflexivity].
    destruct (Nat.lt_ge_cases (position (dims f) k) (length (cells f))) as [lt | ge_].
    - unfold finite_weights in F. rewrite forallb_forall in F. apply F. now apply nth_In.
    - rewrite nth_overflow by exact ge_. reflexivity.
  Qed.

  Lemma term_settled w g x f n o y k : settled prec emax (conv_term S w g x f n o y k).
  Proof. unfold conv_term. destruct (in_box _ _); [apply product_settled | exact I]. Qed.

  Lemma sum_of_terms ns (f g : list Z -> num S) : single ns = false ->
    (forall k, in_box ns k = true -> f k = g k /\ settled prec emax (f k) \/ is_zero (f k) /\ is_zero (g k)) ->
    s_sum S ns f = s_sum S ns g.
  Proof.
    intros many E. unfold s_sum. rewrite many. unfold reduce.
    assert (forall h : list Z -> num S, fold_left (fun acc k => s_add S acc (h k)) (box ns) (s_zero S) =
      fold_left (SFadd prec emax) (map h (box ns)) (S754_zero false)) as as_list.
    { intros h. change (s_zero S) with (S754_zero false). generalize (S754_zero false). generalize (box ns).
      intros l. induction l as [| k l IH]; intros a; [reflexivity | apply IH]. }
    rewrite !as_list. apply sum_up_to_zeros; [exact prec_pos |].
    assert (forall l, (forall k, In k l -> in_box ns k = true) ->
      Forall2 (fun x y => x = y /\ settled prec emax x \/ is_zero x /\ is_zero y) (map f l) (map g l)) as go.
    { induction l as [| k l IH]; intros B; constructor; [apply E, B; now left | apply IH; intros k' ink; apply B; now right]. }
    apply go. intros k ink. now apply in_box_box.
  Qed.

  Theorem conv_padded_floats w g (x px f : tensor (num S)) b lo hi u :
    pad S PadConstant 0 (0%Z :: 0%Z :: lo) (0%Z :: 0%Z :: hi) x = Some px -> Forall (Z.le 0) lo -> Forall (Z.le 0) hi ->
    finite_weights f = true -> single (tl (dims f)) = false ->
    conv S w g px f b = Some u -> conv S (padded_window w lo hi) g x f b = Some u.
  Proof.
    intros P Lo Hi F many H. apply (padded_conv S w g x px f b lo hi P Lo Hi u H). intros lb Eb i _.
    unfold conv_cell. destruct i as [| n [| o y]]; try reflexivity. apply sum_of_terms; [exact many |]. intros k _.
    destruct (padded_term S w g x px f lo hi P Lo Hi n o y k lb Eb) as [-> | [-> ->]].
    - left. split; [reflexivity | apply term_settled].
    - right. split; [| exact I]. apply zero_times_finite. now apply finite_at.
  Qed.
End Ieee.

Theorem conv_padded_32 w g (x px f : tensor (num binary32)) b lo hi u :
  pad binary32 PadConstant 0 (0%Z :: 0%Z :: lo) (0%Z :: 0%Z :: hi) x = Some px -> Forall (Z.le 0) lo -> Forall (Z.le 0) hi ->
  forallb finite (cells f) = true -> single (tl (dims f)) = false ->
  conv binary32 w g px f b = Some u -> conv binary32 (padded_window w lo hi) g x f b = Some u.
Proof. apply (conv_padded_floats 24 128). reflexivity. Qed.

Theorem conv_padded_64 w g (x px f : tensor (num binary64)) b lo hi u :
  pad binary64 PadConstant 0 (0%Z :: 0%Z :: lo) (0%Z :: 0%Z :: hi) x = Some px -> Forall (Z.le 0) lo -> Forall (Z.le 0) hi ->
  forallb finite (cells f) = true -> single (tl (dims f)) = false ->
  conv binary64 w g px f b = Some u -> conv binary64 (padded_window w lo hi) g x f b = Some u.
Proof. apply (conv_padded_floats 53 1024). reflexivity. Qed.

(** ** An instance, and what fails without each condition *)

Section Examples.
  Let one := S754_finite false 8388608 (-23).
  Let minus_one := S754_finite true 8388608 (-23).
  Let x : tensor (num binary32) := Tensor [1; 1; 2] [one; one].
  Let padded : tensor (num binary32) := Tensor [1; 1; 3] [S754_zero false; one; one].
  Let none := Window [1] [1] [0; 0].

  Lemma padded_example : pad binary32 PadConstant 0 [0; 0; 1]%Z [0; 0; 0]%Z x = Some padded.
  Proof. reflexivity. Qed.

  Example conv_padded_example (f : tensor (num binary32) := Tensor [1; 1; 2] [minus_one; one]) :
    exists u, conv binary32 none 1 padded f None = Some u /\
      conv binary32 (Window [1] [1] [1; 0]) 1 x f None = Some u.
  Proof.
    eexists. split; [reflexivity |].
    exact (conv_padded_32 none 1 x padded f None [1%Z] [0%Z] _ padded_example ltac:(repeat constructor; lia) ltac:(repeat constructor; lia)
             eq_refl eq_refl eq_refl).
  Qed.

  Theorem pad_one_cell (f : tensor (num binary32) := Tensor [1; 1; 1] [minus_one]) :
    conv binary32 none 1 padded f None <> conv binary32 (padded_window none [1%Z] [0%Z]) 1 x f None.
  Proof. vm_compute. discriminate. Qed.

  Theorem pad_infinite (f : tensor (num binary32) := Tensor [1; 1; 2] [S754_infinity false; one]) :
    conv binary32 none 1 padded f None <> conv binary32 (padded_window none [1%Z] [0%Z]) 1 x f None.
  Proof. vm_compute. discriminate. Qed.
End Examples.
