(** * What the oracle calls, as far as no other statement is about it

    The oracle's glue (oracle/shim*.ml, oracle/kernel.ml) calls extracted functions only
    that a theorem is about; most are in the other files. *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr.
From Calque Require graph.Graph pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require kernel.Kernel kernel.KernelProof kernel.Inline kernel.InlineProof kernel.Reverse kernel.ReverseProof kernel.Numbers.
From Coq.Floats Require SpecFloat.
From Coq Require Zpower.
From Calque Require tensor.OpsWindow tensor.OpsNorm tensor.Tabled tensor.Shifts.
Import ListNotations.
Open Scope Z_scope.

(** ** Requests of the attr room *)

(** An environment in a request says of each name what its first entry says. *)
Theorem env_full_first :
  forall A I S L p k n s v i,
    access (env_full (((p, n), v) :: A) I S L) p n = Some v /\
    inst (env_full A (((p, k, n), v) :: I) S L) p k n = Some v /\
    value_of (env_full A I ((s, v) :: S) L) s = Some v /\
    taken (env_full A I S ((p, i) :: L)) p = Some i.
Proof.
  intros. unfold env_full, look_up; simpl.
  rewrite !N.eqb_refl, !Z.eqb_refl, !String.eqb_refl. now simpl.
Qed.

Theorem env_full_other :
  forall A I S L p n p' n' v, (p, n) <> (p', n') ->
    access (env_full (((p', n'), v) :: A) I S L) p n = access (env_full A I S L) p n.
Proof.
  intros A I S L p n p' n' v ne. unfold env_full, look_up; simpl.
  destruct (N.eqb_spec p' p), (String.eqb_spec n' n); subst; try reflexivity.
  now destruct ne.
Qed.

(** ** Matching *)

Theorem rule_at_sound :
  forall commutes r g outputs, Graph.wf g -> Pattern.ordered (Match.patterns r) ->
  forall candidates e M outs, In e candidates ->
    Match.rule_at commutes r g outputs candidates e = Some (M, outs) ->
    Match.conditions_hold r g outputs M outs.
Proof. intros. eapply MatchProof.rule_at_sound; eauto. Qed.

(** ** Kernels *)

(** The index tuples of a box are listed. *)
Theorem box_iff :
  forall d i, In i (Kernel.box d) <-> Kernel.in_box d i = true.
Proof. exact KernelProof.in_box_box. Qed.

(** One statement, over 64-bit integers. *)
Theorem kernel_exec_int64s :
  forall s st, Numbers.kernel_exec s st = Kernel.exec (S := Numbers.int64s) s st.
Proof. reflexivity. Qed.

Theorem reads_iff :
  forall S t (s : Kernel.stmt S), Inline.reads t s = true <-> In t (Kernel.loads (Kernel.body s)).
Proof.
  intros. unfold Inline.reads. rewrite existsb_exists. split.
  - intros (u & int_ & E). now apply Nat.eqb_eq in E as ->.
  - intros int_. exists t. split; [exact int_ | apply Nat.eqb_refl].
Qed.

(** What is inlined by policy is inlined soundly. *)
Theorem inline_once_correct :
  forall S shapes outputs t (p q : list (Kernel.stmt S)),
    Inline.inline_once outputs t p = inr q ->
    (forall s, In s p -> Kernel.dims s = shapes (Kernel.out s) /\
                         Kernel.in_bounds_stmt t (shapes t) s) ->
    ~ In t outputs /\
    forall st u i, u <> t -> Kernel.exec_prog q st u i = Kernel.exec_prog p st u i.
Proof.
  intros S shapes outputs t p q E ok. unfold Inline.inline_once in E.
  destruct (Inline.inline_tensor outputs t p) eqn:T; [discriminate |].
  destruct (Inline.cheap t p); inversion E; subst.
  eapply InlineProof.inline_tensor_correct; eauto.
Qed.

(** What is inlined into the producer's loops computes the same. *)
Theorem reverse_tensor_correct :
  forall S shapes outputs t (p b r : list (Kernel.stmt S)) sc,
    Reverse.reverse_tensor outputs t p = inr (b, sc, r) ->
    (forall s, In s p -> Kernel.dims s = shapes (Kernel.out s) /\
                         Kernel.in_bounds_stmt t (shapes t) s) ->
    ~ In t outputs /\
    forall st u i, u <> t ->
      Kernel.exec_prog r (Inline.exec_scatter sc (Kernel.exec_prog b st)) u i = Kernel.exec_prog p st u i.
Proof. exact ReverseProof.reverse_tensor_correct. Qed.

(** ** What extraction takes in place of a definition *)

(** Whole models: what the cells of an operator share is computed once. *)
Theorem average_pool_tabled_eq :
  forall S ceil include w kernel x,
    Tabled.average_pool_tabled S ceil include w kernel x = OpsWindow.average_pool S ceil include w kernel x.
Proof. exact Tabled.average_pool_tabled_eq. Qed.

Theorem instance_norm_tabled_eq :
  forall S epsilon x g b,
    Tabled.instance_norm_tabled S epsilon x g b = OpsNorm.instance_norm S epsilon x g b.
Proof. exact Tabled.instance_norm_tabled_eq. Qed.

(** Mantissas are counted and shifted at once. *)
Theorem digits_log2 :
  forall p, Zpos (SpecFloat.digits2_pos p) = Z.log2 (Zpos p) + 1.
Proof. exact Shifts.digits_log2. Qed.

Theorem shift_pos_power :
  forall n p, Zpos (Zpower.shift_pos n p) = Zpos p * 2 ^ Zpos n.
Proof. exact Shifts.shift_pos_power. Qed.

Theorem shr_shifted :
  forall r e n, 0 <= SpecFloat.shr_m r ->
    SpecFloat.shr r e (Zpos n) =
    (SpecFloat.Build_shr_record (Z.shiftr (SpecFloat.shr_m r) (Zpos n)) (Z.testbit (SpecFloat.shr_m r) (Zpos n - 1))
       (negb (SpecFloat.shr_m r mod 2 ^ (Zpos n - 1) =? 0) || SpecFloat.shr_r r || SpecFloat.shr_s r),
     e + Zpos n).
Proof. exact Shifts.shr_shifted. Qed.
