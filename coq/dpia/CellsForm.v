(** * Indices of cells in normal form

    [tidy] writes an index as [Forms] does, by what its variables range over: quotients and
    remainders that the ranges decide are gone, digits that are put together again are one
    number.  An index with other variables stays as it is. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require kernel.Kernel kernel.Wf kernel.Forms kernel.FormsProof.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Values dpia.Cells dpia.CellsProof.
Import ListNotations.
Set Implicit Arguments.
Open Scope nat_scope.

Notation ixn := (ix numbers).
Notation ixnv := (ixv (s := numbers_sizing)).

(** ** Indices of kernels *)

Fixpoint kernel_ix (i : ixn) : Kernel.ix :=
  match i with
  | XVar x => Kernel.IVar x
  | XCst z => Kernel.ICst z
  | XSize n => Kernel.ICst (Z.of_nat n)
  | XAdd i j => Kernel.IAdd (kernel_ix i) (kernel_ix j)
  | XSub i j => Kernel.ISub (kernel_ix i) (kernel_ix j)
  | XMul i k => Kernel.IMul (kernel_ix i) k
  | XDiv i k => Kernel.IDiv (kernel_ix i) (Zpos k)
  | XMod i k => Kernel.IMod (kernel_ix i) (Zpos k)
  end.

Definition two (f : ixn -> ixn -> ixn) (a b : option ixn) : option ixn :=
  match a, b with Some a, Some b => Some (f a b) | _, _ => None end.

Fixpoint program_ix (i : Kernel.ix) : option ixn :=
  match i with
  | Kernel.IVar x => Some (XVar x)
  | Kernel.ICst z => Some (XCst z)
  | Kernel.IAdd i j => two (fun a b => XAdd a b) (program_ix i) (program_ix j)
  | Kernel.ISub i j => two (fun a b => XSub a b) (program_ix i) (program_ix j)
  | Kernel.IMul i k => option_map (fun i => XMul i k) (program_ix i)
  | Kernel.IDiv i (Zpos k) => option_map (fun i => XDiv i k) (program_ix i)
  | Kernel.IMod i (Zpos k) => option_map (fun i => XMod i k) (program_ix i)
  | _ => None
  end.

Definition scoped (n : nat) : ixn -> bool := ix_allb (fun x => x <? n).

Definition form (R : list nat) (i : ixn) : Forms.form := Forms.form_of [] R (kernel_ix i).

Definition tidy (R : list nat) (i : ixn) : ixn :=
  if scoped (length R) i
  then match program_ix (Forms.form_ix (form R i)) with
       | Some j => if scoped (length R) j then j else i
       | None => i
       end
  else i.

(** The least and the greatest value of an index. *)
Definition span (R : list nat) (i : ixn) : option (Z * Z) :=
  if scoped (length R) i then Some (Forms.span_form R (form R i)) else None.

(** ** They mean the same *)

Definition values (n : nat) (f : nat -> Z) : list Z := map f (seq 0 n).

Lemma values_nth n f x : x < n -> nth x (values n f) 0%Z = f x.
Proof.
  intros lt. unfold values. rewrite (nth_indep _ 0%Z (f 0)) by now rewrite map_length, seq_length.
  now rewrite map_nth, seq_nth.
Qed.

Lemma kernel_ix_value n f i : scoped n i = true -> Kernel.eval_ix (values n f) (kernel_ix i) = ixnv f i.
Proof.
  induction i as [x | z | m | i IHi j IHj | i IHi j IHj | i IHi k | i IHi k | i IHi k]; intros sc; cbn;
    try (apply andb_true_iff in sc as [sci scj]; now rewrite IHi, IHj); try (now rewrite IHi); try reflexivity.
  apply values_nth. now apply Nat.ltb_lt.
Qed.

Lemma program_ix_kernel i : forall j, program_ix i = Some j -> kernel_ix j = i.
Proof.
  induction i as [x | z | a IHa b IHb | a IHa b IHb | a IHa k | a IHa k | a IHa k];
    intros j E; cbn [program_ix] in E; try destruct k as [| k | k]; try discriminate;
    unfold two in E; repeat match type of E with context [program_ix ?a] => destruct (program_ix a) as [? |]; try discriminate end;
    injection E as <-; cbn [kernel_ix]; repeat match goal with H : forall j, Some _ = Some j -> _ |- _ => rewrite (H _ eq_refl); clear H end;
    reflexivity.
Qed.

Lemma kernel_ix_divides i : FormsProof.divides (kernel_ix i) = true.
Proof. induction i; cbn; rewrite ?IHi, ?IHi1, ?IHi2; reflexivity. Qed.

Lemma within_inside R f : within R f -> FormsProof.inside_ext R (values (length R) f).
Proof.
  intros inside n. destruct (nth_error R n) as [m |] eqn:E.
  - rewrite values_nth by (apply nth_error_Some; congruence).
    rewrite (nth_error_nth _ _ _ E). specialize (inside n m E). lia.
  - apply nth_error_None in E. rewrite !nth_overflow; [lia | exact E |].
    unfold values. now rewrite map_length, seq_length.
Qed.

Lemma form_value R f i : within R f -> scoped (length R) i = true ->
  Forms.eval_form (values (length R) f) (form R i) = ixnv f i.
Proof.
  intros inside sc. unfold form. rewrite FormsProof.form_of_eval.
  - now apply kernel_ix_value.
  - now apply within_inside.
  - apply kernel_ix_divides.
Qed.

Theorem tidy_right R f i : within R f -> ixnv f (tidy R i) = ixnv f i.
Proof.
  intros inside. unfold tidy. destruct (scoped (length R) i) eqn:sc; [| reflexivity].
  destruct (program_ix (Forms.form_ix (form R i))) as [j |] eqn:E; [| reflexivity].
  destruct (scoped (length R) j) eqn:scj; [| reflexivity].
  rewrite <- (kernel_ix_value _ f _ scj), (program_ix_kernel _ E), FormsProof.form_ix_eval.
  now apply form_value.
Qed.

Theorem span_right R f i lo hi : within R f -> span R i = Some (lo, hi) -> (lo <= ixnv f i <= hi)%Z.
Proof.
  intros inside. unfold span. destruct (scoped (length R) i) eqn:sc; [| discriminate]. intros E. injection E as E.
  rewrite <- (@form_value R f i inside sc).
  pose proof (FormsProof.span_form_sound (fun n => true) R (values (length R) f) (form R i) (@within_inside R f inside)) as B.
  unfold FormsProof.within_span in B. rewrite E in B. apply B.
  apply FormsProof.divides_form_of; [reflexivity | apply kernel_ix_divides].
Qed.
