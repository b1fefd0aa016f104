(** * Errata of the seed report on gradients

    The report swaps: every occurrence of the variable becomes the gradient of the
    output (t1), a literal operand of + or - becomes 0 (t2), X * X becomes
    dO * (X + X) (t3).  On rational numbers, next to the extracted gradient;
    row numbers are those of the specification (autodiff, section 7). *)

From Coq Require Import Bool List Arith ZArith QArith Qcanon Field_theory.
From Calque Require Import kernel.Kernel kernel.Wf kernel.Numbers kernel.Inline kernel.Gradient.
From Calque Require Import kernel.GatherForm kernel.GradientProgram kernel.StepProof kernel.NeededProof.
From Calque Require Import kernel.Source.
Import ListNotations.
Open Scope Z_scope.

Definition qc (z : Z) : Qc := Q2Qc (inject_Z z).

Definition whole_numbers : numbers :=
  {| number := Z; real := true; n_zero := 0; n_one := 1; n_two := 2; n_erf := 0;
     n_is := Z.eqb; n_neg := fun z => Some (- z); n_pred := fun z => z - 1 |}.

Lemma qc_is c d : n_is whole_numbers c d = true -> qc c = qc d.
Proof. intros E. now apply Z.eqb_eq in E as ->. Qed.

Lemma qc_neg c d : n_neg whole_numbers c = Some d -> qc d = Qcopp (qc c).
Proof.
  intros H. injection H as <-. apply Q2Qc_eq_iff.
  change (inject_Z (- c) == - Qred (inject_Z c))%Q. rewrite Qred_correct. reflexivity.
Qed.

Lemma Qc_divide_1 (a : Qc) : Qcmult a (Qcinv (qc 1)) = a.
Proof. replace (Qcinv (qc 1)) with (qc 1) by (now apply Qc_is_canon). apply Qcmult_1_r. Qed.

(** Rational numbers; the kernels here have no functions. *)
Definition rationals : field :=
  {| base := whole_numbers; elt := Qc; r0 := qc 0; r1 := qc 1; radd := Qcplus; rmul := Qcmult;
     rsub := Qcminus; ropp := Qcopp; r_laws := F_R Qcft; rinv := Qcinv; rdivide_1 := Qc_divide_1;
     rmod := fun _ _ => qc 0; rfun := fun _ _ => qc 0; greatest_start := qc 0;
     greatest_step := fun a _ => a; value := qc;
     value_zero := fun c => qc_is c 0; value_one := fun c => qc_is c 1;
     value_zero_is := eq_refl; value_one_is := eq_refl; value_neg := qc_neg |}.

Definition E := ex (text rationals).
Definition ld (t : tid) (l : list ix) : E := ELd t l.
Definition q (z : Z) : E := ECst (S := text rationals) z.
Definition bin_ (o : operator) (a b : E) : E := bin (K := rationals) o a b.
Definition total (ns : list nat) (e : E) : E := @ERed (text rationals) (KSum, []) ns e.
Infix "+!" := (bin_ OAdd) (at level 50, left associativity).
Infix "-!" := (bin_ OSub) (at level 50, left associativity).
Infix "*!" := (bin_ OMul) (at level 40, left associativity).
Infix "/!" := (bin_ ODiv) (at level 40, left associativity).

(** Tensors A, B, C, D, and the gradient of the output. *)
Definition A := 0%nat.
Definition B := 1%nat.
Definition C := 2%nat.
Definition D := 3%nat.
Definition dO := 4%nat.
Definition i := IVar 0.
Definition j := IVar 1.

(** [swap x e]: rules t1, t2 and t3 at equal indices. *)
Fixpoint swap (x : tid) (e : E) : E :=
  let zero_literal (o : operator) (a : E) :=
    match o, a with
    | (OAdd | OSub), ECst _ => q 0
    | _, _ => a
    end in
  match e with
  | ECst c => ECst c
  | ELd t l => if (t =? x)%nat then ld dO l else ld t l
  | EBin OMul (ELd t l) (ELd u m) =>
      if (t =? x)%nat && (u =? x)%nat then ld dO l *! (ld x l +! ld x m)
      else ld (if (t =? x)%nat then dO else t) l *! ld (if (u =? x)%nat then dO else u) m
  | EBin o a b => bin_ o (zero_literal o (swap x a)) (zero_literal o (swap x b))
  | ESel c a b => ESel c (swap x a) (swap x b)
  | other => other
  end.

(** A store without accidental equalities: tensor t holds 2, 3, 5, 7, 11 (t = 0 .. 4)
    and more at larger indices. *)
Definition world : store (text rationals) := fun t i =>
  let base := nth t [2; 3; 5; 7; 11] 13 in
  qc (base + fold_left (fun a k => 10 * a + k) i 0).

Definition at_cell (a : list Z) (e : E) : Q := this (eval (S := text rationals) world a e).

(** The gradient of out<d> = e by [x] of shape [s]. *)
Definition gradient_of (d : list nat) (e : E) (x : tid) (s : list nat) : E :=
  let shapes := map (fun t => (First t, if (t =? x)%nat then s else [])) (seq 0 5) in
  match contribute rationals (Options false false false) (Builder rationals shapes []) [(B, dO)] x
          (Step rationals (Stmt B d e) [] None false) None with
  | Done (Some g) => g
  | _ => q 0
  end.

(** Its value at a cell. *)
Definition right (d : list nat) (e : E) (x : tid) (s : list nat) (a : list Z) : Q :=
  at_cell a (gradient_of d e x s).

(** What the swap gives at the first cell of a one-dimensional kernel, and what is right. *)
Definition row (e : E) (x : tid) : Q * Q :=
  (at_cell [0] (swap x e), right [2%nat] e x [2%nat] [0]).

Ltac calculate :=
  cbv zeta;
  repeat match goal with |- _ /\ _ => split end;
  match goal with
  | |- @eq E _ _ => reflexivity
  | |- _ => vm_compute; reflexivity
  end.

Theorem erratum_swap_1 :
  let e := ld A [i] *! ld C [i] +! ld C [i] *! ld D [i] in
  swap A e = ld dO [i] *! ld C [i] +! ld C [i] *! ld D [i] /\ row e A = (90 # 1, 55 # 1)%Q.
Proof. calculate. Qed.

Theorem erratum_swap_2 :
  let e := ld C [i] -! ld A [i] in
  swap A e = ld C [i] -! ld dO [i] /\ row e A = (-6 # 1, -11 # 1)%Q.
Proof. calculate. Qed.

Theorem erratum_swap_3 :
  let e := ld A [i] *! (ld C [i] +! q 1) in
  let f := ld A [i] /! (ld C [i] +! q 4) in
  swap A e = ld dO [i] *! (ld C [i] +! q 0) /\ row e A = (55 # 1, 66 # 1)%Q /\
  row f A = (11 # 5, 11 # 9)%Q.
Proof. calculate. Qed.

Theorem erratum_swap_4 :
  let e := ld A [i] *! ld A [i] *! ld A [i] in
  swap A e = ld dO [i] *! (ld A [i] +! ld A [i]) *! ld dO [i] /\ row e A = (484 # 1, 132 # 1)%Q.
Proof. calculate. Qed.

Theorem erratum_swap_5 :
  let e := ld A [i] *! ld C [i] *! ld A [i] in
  swap A e = ld dO [i] *! ld C [i] *! ld dO [i] /\ row e A = (605 # 1, 220 # 1)%Q.
Proof. calculate. Qed.

Theorem erratum_swap_6 :
  let e := (ld A [i] +! q 1) *! (ld A [i] +! q 1) in
  swap A e = (ld dO [i] +! q 0) *! (ld dO [i] +! q 0) /\ row e A = (121 # 1, 66 # 1)%Q.
Proof. calculate. Qed.

Theorem erratum_swap_7 :
  let e := ld C [i] /! ld A [i] in
  swap A e = ld C [i] /! ld dO [i] /\ row e A = (5 # 11, -55 # 4)%Q.
Proof. calculate. Qed.

Theorem erratum_swap_8 :
  let e := ld A [i] /! ld A [i] in
  swap A e = ld dO [i] /! ld dO [i] /\ row e A = (1 # 1, 0 # 1)%Q.
Proof. calculate. Qed.

(** From here on the seed's result is written down, as the report describes it. *)

(** Two index maps under a product: B<3>[i] = A<4>[i] * A<4>[i+1]. *)
Theorem erratum_swap_9 :
  let e := ld A [i] *! ld A [IAdd i (ICst 1)] in
  let seed := ESel (CCmp CLt i (ICst 3)) (ld dO [i]) (q 0) *!
              ESel (CCmp CGe i (ICst 1)) (ld dO [ISub i (ICst 1)]) (q 0) in
  at_cell [1] seed = 132 # 1 /\ right [3%nat] e A [4%nat] [1] = 70 # 1.
Proof. calculate. Qed.

(** The Gram matrix C<2,2>[i,j] = A<2,3>[i,k] * A<2,3>[j,k]. *)
Theorem erratum_swap_10 :
  let e := total [3%nat] (ld A [IVar 1; IVar 0] *! ld A [IVar 2; IVar 0]) in
  let seed := total [2%nat] (ld dO [IVar 1; IVar 0] *! ld dO [IVar 1; IVar 0]) in
  at_cell [0; 1] seed = 265 # 1 /\ right [2; 2]%nat e A [2; 3]%nat [0; 1] = 495 # 1.
Proof. calculate. Qed.

(** C<2,2>[i,j] = sum(k<3) A[i,k] * B[k,j] + D[i,j] by D: the product survives, and
    the gradient is added once for each k. *)
Theorem erratum_swap_11 :
  let product := ld A [IVar 1; IVar 0] *! ld B [IVar 0; IVar 2] in
  let e := total [3%nat] product +! ld D [i; j] in
  let seed := total [3%nat] (product +! ld dO [IVar 1; IVar 2]) in
  at_cell [0; 1] seed = 182 # 1 /\ right [2; 2]%nat e D [2; 2]%nat [0; 1] = 12 # 1.
Proof. calculate. Qed.

(** The loops of the seed's result, over the box [d] of the old output, on whatever
    the gradient's buffer holds. *)
Definition run_loops (d : list nat) (at_ : list ix) (e : E) (old : tensor (text rationals))
    : tensor (text rationals) :=
  fold_left (fun x k => set_at (S := text rationals) x (map (eval_ix k) at_)
                          (eval (S := text rationals) world k e)) (box d) old.

(** B<2>[i] = A<4>[i]: the rest of dA is never written. *)
Theorem erratum_swap_12 :
  (forall old, run_loops [2%nat] [i] (ld dO [i]) old [3] = old [3]) /\
  right [2%nat] (ld A [i]) A [4%nat] [3] = 0 # 1.
Proof. split; [reflexivity | calculate]. Qed.

(** B<3>[i] = A<3,3>[i,i]: only the diagonal is written. *)
Theorem erratum_swap_13 :
  (forall old, run_loops [3%nat] [i; i] (ld dO [i]) old [0; 1] = old [0; 1]) /\
  right [3%nat] (ld A [i; i]) A [3; 3]%nat [0; 1] = 0 # 1 /\
  right [3%nat] (ld A [i; i]) A [3; 3]%nat [1; 1] = 12 # 1.
Proof. split; [reflexivity | calculate]. Qed.

(** B<4>[i] = A<8>[i*2]: dB[a/2] for odd a too. *)
Theorem erratum_swap_14 :
  let e := ld A [IMul i 2] in
  at_cell [3] (ld dO [IDiv i 2]) = 12 # 1 /\ right [4%nat] e A [8%nat] [3] = 0 # 1 /\
  right [4%nat] e A [8%nat] [2] = 12 # 1.
Proof. calculate. Qed.

(** B<32>[i] = A<2>[i//16] and B<32>[i] = A<16>[i%16]: a lone digit is many to one. *)
Theorem erratum_swap_15 :
  at_cell [0] (ld dO [IMul i 16]) = 11 # 1 /\
  right [32%nat] (ld A [IDiv i 16]) A [2%nat] [0] = 296 # 1 /\
  at_cell [0] (ld dO [i]) = 11 # 1 /\
  right [32%nat] (ld A [IMod i 16]) A [16%nat] [0] = 38 # 1.
Proof. calculate. Qed.

(** B<40>[i] = A<3,16>[i//16, i%16]: dB[16a+b] is read past its end. *)
Theorem erratum_swap_16 :
  let shapes := fun t => if (t =? dO)%nat then [40%nat] else [3; 16]%nat in
  let e := ld A [IDiv i 16; IMod i 16] in
  ~ safe shapes [2; 15] (ld dO [IAdd (IMul i 16) j]) /\
  wf_stmt shapes (Stmt 5%nat [3; 16]%nat (gradient_of [40%nat] e A [3; 16]%nat)) = true /\
  right [40%nat] e A [3; 16]%nat [2; 15] = 0 # 1.
Proof.
  split; [| calculate]. intros H. specialize (H dO eq_refl). discriminate.
Qed.

(** B<32>[i] = A<2,8>[i//16, i%8]: different divisors, two to one. *)
Theorem erratum_swap_17 :
  let e := ld A [IDiv i 16; IMod i 8] in
  at_cell [1; 3] (ld dO [IAdd (IMul i 16) j]) = 30 # 1 /\
  right [32%nat] e A [2; 8]%nat [1; 3] = 68 # 1.
Proof. calculate. Qed.

(** O<2,3>[k,p] = sum(r<3) I<7>[2*p+r] * W<2,3>[k,r], a strided convolution: outside
    of the report's binary index expressions.  Here r is eliminated and guarded. *)
Theorem gather_18 :
  let e := total [3%nat] (ld A [IAdd (IMul (IVar 2) 2) (IVar 0)] *! ld C [IVar 1; IVar 0]) in
  let r := ISub (IVar 2) (IMul (IVar 1) 2) in
  gradient_of [2; 3]%nat e A [7%nat] =
  @ERed (text rationals) (KSum, [0; 0]) [2; 3]%nat
    (ESel (CAnd (CCmp CGe r (ICst 0)) (CCmp CLt r (ICst 3)))
          (ld dO [IVar 0; IVar 1] *! ld C [IVar 0; r]) (q 0)).
Proof. calculate. Qed.

(** Two statements, the second in place: O = A * C; O = O + D * O (row 19).  The
    last statement alone does not load A; backwards, its gradient is dO * (1 + D) * C. *)
Theorem erratum_swap_19 :
  let last := ld B [i] +! ld D [i] *! ld B [i] in
  let p := [([], Stmt B [1%nat] (ld A [i] *! ld C [i])); ([], Stmt B [1%nat] last)] in
  at_cell [0] (gradient_of [1%nat] last A [1%nat]) = 0 # 1 /\
  match gradient rationals (Options false false false) (repeat [1%nat] 4) p [B] [A] with
  | Done r => this (run rationals (result_steps rationals r)
                (upd (S := text rationals) world (adjoint rationals r B) (world dO)) (adjoint rationals r A) [0])
  | _ => 0 # 1
  end = 440 # 1.
Proof. calculate. Qed.

(** *** Cases of the course whose index maps need elimination *)

(** Case 8, B<32>[i] = A<2,16>[i//16, i%16]: a pair of digits. *)
Theorem gather_case8 :
  gradient_of [32%nat] (ld A [IDiv i 16; IMod i 16]) A [2; 16]%nat =
  ld dO [IAdd (IMul i 16) j].
Proof. calculate. Qed.

(** Case 1, a needed input: B is needed, A is not. *)
Theorem needed_case1 :
  loads (gradient_of [4; 16]%nat (ld A [i; j] *! ld C [i; j] +! q 1) A [4; 16]%nat) = [dO; C].
Proof. reflexivity. Qed.
