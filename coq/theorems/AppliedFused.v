(** * Instances: the checks of emission where products are not rounded

    The theorems of [theorems.Cells] over formal numbers of binary32, at a convolution of a row of 4 with a border of zeros:

      Y<4>[i] = sum(r<3) select(i + r - 1 >= 0 && i + r - 1 < 4, exact(X<4>[i+r-1], W<3>[r]), -0) + B<1>[0]

    by a program with a guard around the addition; and packed, with a border in memory:

      T<6>[t] = select(t - 1 >= 0 && t - 1 < 4, X<4>[t-1], 0)
      Y<4>[i] = sum(r<3) exact(T<6>[i+r], W<3>[r]) + B<1>[0]

    and where nothing is added, with a mask

      M<6>[t] = select(t - 1 >= 0 && t - 1 < 4, inf, -1)
      Y<4>[i] = sum(r<3) exact(T<6>[i+r], min(W<3>[r], M<6>[i+r])) *)

From Coq Require Import List Arith Lia Bool String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Kernel kernel.Lower kernel.Validate kernel.ValidateWords.
From Calque Require Import kernel.Repack kernel.RepackCorrect kernel.RepackWords.
From Calque Require base.FloatSum kernel.Fma dpia.Syntax dpia.Values theorems.Cells.
Import ListNotations.
Open Scope string_scope.

Definition decode (s : string) : spec_float :=
  if s =? "inf" then S754_infinity false else if s =? "-inf" then S754_infinity true
  else if s =? "-0x0p+0" then S754_zero true else if s =? "-0x1p+0" then S754_finite true 8388608 (-23) else S754_zero false.

Definition other (f : string) (x y : spec_float) : spec_float :=
  if f =? "-" then SFsub 24 128 x y else if SFltb y x then y else x.

Definition single : reading := fused_floats 24 128 decode (fun _ x => x) other eq_refl eq_refl.
Definition single_absorbing : exact_absorbing single :=
  floats_exact_absorbing 24 128 decode (fun _ x => x) other eq_refl eq_refl eq_refl eq_refl
    (ex_intro _ _ (ex_intro _ _ eq_refl)) (fun _ _ => eq_refl) (fun _ _ => eq_refl).

Notation ex := (ex (words single)).
Definition ld (t : tid) (l : list ix) : ex := @ELd (words single) t l.
Definition exact (a b : ex) : ex := @EFn (words single) "exact" [a; b].
Definition plus (a b : ex) : ex := @EBin (words single) "+" a b.
Definition literal (s : string) : ex := @ECst (words single) s.
Definition sum (n : nat) (e : ex) : ex := @ERed (words single) ("+", "0x0p+0") [n] e.
Definition back (a : ix) : ix := ISub a (ICst 1).
Definition inside (a : ix) (bound : Z) (e other : ex) : ex :=
  @ESel (words single) (CAnd (CCmp CGe a (ICst 0)) (CCmp CLt a (ICst bound))) e other.

(** Tensors X 0, W 1, B 2, Y 3; T 4.  Under the sum r is 0, i is 1. *)
Definition convolution (z : string) : ex :=
  let at_ := back (IAdd (IVar 1) (IVar 0)) in sum 3 (inside at_ 4 (exact (ld 0 [at_]) (ld 1 [IVar 0])) (literal z)).
Definition original (z : string) : prog (words single) := [@Stmt (words single) 3 [4] (plus (convolution z) (ld 2 [ICst 0]))].
Definition without_bias : prog (words single) := [@Stmt (words single) 3 [4] (convolution "-0x0p+0")].
Definition masked (negative : string) : prog (words single) :=
  let at_ := back (IVar 0) in
  [@Stmt (words single) 4 [6] (inside at_ 4 (ld 0 [at_]) (literal "0x0p+0"));
   @Stmt (words single) 5 [6] (inside at_ 4 (literal "inf") (literal negative));
   @Stmt (words single) 3 [4] (sum 3 (exact (ld 4 [IAdd (IVar 1) (IVar 0)])
     (@EFn (words single) "min" [ld 1 [IVar 0]; ld 5 [IAdd (IVar 1) (IVar 0)]])))].
Definition bordered (added : bool) : prog (words single) :=
  let product := sum 3 (exact (ld 4 [IAdd (IVar 1) (IVar 0)]) (ld 1 [IVar 0])) in
  [@Stmt (words single) 4 [6] (inside (back (IVar 0)) 4 (ld 0 [back (IVar 0)]) (literal "0x0p+0"));
   @Stmt (words single) 3 [4] (if added then plus product (ld 2 [ICst 0]) else product)].

Definition shapes (t : tid) : list nat := nth t [[4]; [3]; [1]; [4]; [6]; [6]] [].
Definition packing_of (clean : bool) : packing :=
  {| count_old := 4; old_shape := shapes; new_shape := shapes; entries := [];
    is_constant := fun t => (0 <? t)%nat && (t <? 3)%nat;
     is_numeric := fun t => (t =? 1)%nat; is_clean := fun s t => negb s && (t =? 2)%nat && clean |}.

Lemma bordered_valid : repack_fused single single_absorbing (packing_of true) (original "-0x0p+0") (bordered true) = Same.
Proof. vm_compute. reflexivity. Qed.

Lemma masked_valid : repack_fused single single_absorbing (packing_of true) without_bias (masked "-0x1p+0") = Same.
Proof. vm_compute. reflexivity. Qed.

(** Where B may be -0, where nothing is added, and a mask that is not negative. *)
Example bordered_refused :
  repack_fused single single_absorbing (packing_of false) (original "-0x0p+0") (bordered true) = OtherCell /\
  repack_fused single single_absorbing (packing_of true) (original "0x0p+0") (bordered true) = OtherCell /\
  repack_fused single single_absorbing (packing_of true) without_bias (bordered false) = OtherCell /\
  repack_fused single single_absorbing (packing_of true) without_bias (masked "0x0p+0") = OtherCell.
Proof. repeat split; vm_compute; reflexivity. Qed.

Definition one : spec_float := S754_finite false 8388608 (-23).
Definition ones : store (words single) := fun _ _ => Fma.Rounded (S := plain_floats 24 128 decode other) one.

Lemma ones_known t i : (t < 4)%nat -> in_box (shapes t) i = true ->
  (is_numeric (packing_of true) t = true -> e_numeric single single_absorbing (ones t i)) /\
  (forall s, is_clean (packing_of true) s t = true -> e_clean single single_absorbing s (ones t i)).
Proof. intros _ _. split; [intros _; cbn; right; now do 3 eexists | intros s _; cbn; discriminate]. Qed.

Definition repacked_fused_applies :=
  Cells.repacked_fused single single_absorbing (packing_of true) (original "-0x0p+0") (bordered true) ones ones bordered_valid
    (fun _ _ _ _ => eq_refl) ones_known.

Definition masked_applies :=
  Cells.repacked_fused single single_absorbing (packing_of true) without_bias (masked "-0x1p+0") ones ones masked_valid
    (fun _ _ _ _ => eq_refl) ones_known.

(** ** The program *)

Notation A := (scalar_algebra (words single)).
Notation N := Syntax.numbers.
Notation exp := (Syntax.exp A N).
Definition at_ (e : exp) (i : Syntax.ix N) : exp := Syntax.EIdx e i.
Definition add (a b : exp) : exp := @Syntax.EBin A N (BOp (words single) "+") a b.

(** Variables: the accumulator 0, r 1, i 2, then X, W, B. *)
Definition source : Syntax.ix N := Syntax.XSub (Syntax.XAdd (Syntax.XVar 2) (Syntax.XVar 1)) (Syntax.XCst 1).
Definition product : exp :=
  @Syntax.EBin A N (BOp (words single) "exact") (at_ (Syntax.EVar 3) source) (at_ (Syntax.EVar 4) (Syntax.XVar 1)).
Definition guarded : exp :=
  @Syntax.EGen A N Syntax.Par 4 Syntax.DNum
    (add (@Syntax.EFold A N 3 Syntax.DNum
            (Syntax.EIte (Syntax.CAnd (Syntax.CCmp CGe source (Syntax.XCst 0)) (Syntax.CCmp CLt source (Syntax.XCst 4)))
              Syntax.DNum
               (add (Syntax.EVar 0) product) (Syntax.EVar 0))
            (@Syntax.ELit A N (inl "0x0p+0")))
         (at_ (Syntax.EVar 3) (Syntax.XCst 0))).

Definition first_statement (z : string) : stmt (words single) := hd (@Stmt (words single) 3 [4] (literal z)) (original z).

Lemma guarded_valid : validate_words single shapes 3 guarded (first_statement "-0x0p+0") = Valid.
Proof. vm_compute. reflexivity. Qed.

(** A kernel that adds +0 there is another. *)
Example guarded_refused : validate_words single shapes 3 guarded (first_statement "0x0p+0") = Differs.
Proof. vm_compute. reflexivity. Qed.

Definition validated_words_applies :=
  Cells.validated_words single shapes 3 guarded (first_statement "-0x0p+0") ones guarded_valid (fun _ _ _ _ => I).
