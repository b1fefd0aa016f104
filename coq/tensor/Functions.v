(** * The functions that C leaves to its library, defined to the bit

    What [--math=calque] computes: exp, log, tanh, erf and pow on binary32 and binary64, from sums,
    products and quotients that are rounded to nearest even, so that each machine has the
    same bits.  [c/kernel/math.inc] is the same in C; the two are compared on random numbers,
    and the errors are measured there, on all binary32.  The numbers with these
    functions are numbers as all others: every theorem about operators, rules and emission
    that holds over any scalars holds over them. *)

From Coq Require Import Bool List Lia NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.RoundEven kernel.Numbers tensor.Tensor tensor.Scalars tensor.Ops tensor.Instances tensor.Mixed.
Import ListNotations.
Open Scope Z_scope.

(** ** What both sizes share *)

Section Size.
  Variables prec emax : Z.
  Variable digits : Z.                    (** hexadecimal ones of a constant, after the point *)

  Let add := SFadd prec emax.
  Let sub := SFsub prec emax.
  Let mul := SFmul prec emax.
  Let div := SFdiv prec emax.

  (** [hex 0x1abcdef e] is 0x1.abcdef times 2^e. *)
  Definition hex (m e : Z) : spec_float := binary_normalize prec emax m (e - 4 * digits) false.
  Definition int (z : Z) : spec_float := binary_normalize prec emax z 0 false.

  (** 2^e, in the range of normal numbers. *)
  Definition power (e : Z) : spec_float := S754_finite false (2 ^ Z.to_pos (prec - 1)) (e - prec + 1).

  (** Coefficients from the highest on. *)
  Definition poly (x : spec_float) (l : list spec_float) : spec_float :=
    match l with [] => S754_zero false | c :: l => fold_left (fun p c => add (mul p x) c) l c end.

  Record exponential := Exponential {
    most : spec_float; fewest : spec_float;     (** beyond them the result is an infinity, 0 *)
    per_ln2 : spec_float; shift : spec_float;   (** 1 / ln 2; a number so large that a sum with it is whole *)
    ln2_high : spec_float; ln2_low : spec_float;
    exp_terms : list spec_float
  }.

  (** [a] is k ln 2 + r, e^a is 2^k e^r, 2^k in two factors. *)
  Definition exponent (C : exponential) (a : spec_float) : spec_float :=
    let x := if SFltb (most C) a then most C else if SFltb a (fewest C) then fewest C else a in
    let k := sub (add (mul x (per_ln2 C)) (shift C)) (shift C) in
    let r := sub (sub x (mul k (ln2_high C))) (mul k (ln2_low C)) in
    let n := cut k in
    let h := n / 2 in
    mul (mul (add (add (mul (poly r (exp_terms C)) (mul r r)) r) (int 1)) (power h)) (power (n - h)).

  Record logarithm := Logarithm { root_half : spec_float; log_terms : list spec_float }.

  (** [m 2^e] is 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt 2; log (1 + f) is 2 atanh s. *)
  Definition log_finite (C : exponential) (L : logarithm) (m : positive) (e : Z) : spec_float :=
    let d := Zpos (digits2_pos m) in
    let y := binary_normalize prec emax (Zpos m) (- d) false in
    let low := SFltb y (root_half L) in
    let k := int (if low then d + e - 1 else d + e) in
    let f := sub (if low then mul y (int 2) else y) (int 1) in
    let s := div f (add (int 2) f) in
    let z := mul s s in
    let h := mul (power (-1)) (mul f f) in
    let q := mul z (poly z (log_terms L)) in
    sub (mul k (ln2_high C)) (sub (sub h (add (mul s (add h q)) (mul k (ln2_low C)))) f).

  Definition log_of (C : exponential) (L : logarithm) (a : spec_float) : spec_float :=
    match a with
    | S754_zero _ => S754_infinity true
    | S754_infinity false => a
    | S754_finite false m e => log_finite C L m e
    | _ => S754_nan
    end.

  Record hyperbolic := Hyperbolic { tanh_end : spec_float; tanh_terms : list spec_float }.

  Definition tanh_of (C : exponential) (T : hyperbolic) (a : spec_float) : spec_float :=
    let x := SFabs a in
    let s := mul x x in
    with_sign (if SFltb x (tanh_end T) then add x (mul x (mul s (poly s (tanh_terms T))))
               else sub (int 1) (div (int 2) (add (exponent C (mul (int 2) x)) (int 1)))) a.

  Record error_function := ErrorFunction { erf_start : spec_float; erf_end : spec_float; erf_terms : list spec_float }.

  (** [above]: what is subtracted from 1. *)
  Definition erf_of (F : error_function) (above : spec_float -> spec_float) (a : spec_float) : spec_float :=
    let x := SFabs a in
    with_sign (if SFltb x (erf_start F) then add x (mul x (poly (mul x x) (erf_terms F)))
               else sub (int 1) (above (if SFltb (erf_end F) x then erf_end F else x))) a.
End Size.

Definition is_whole (x : spec_float) : bool :=
  match x with
  | S754_finite _ m e => (0 <=? e) || (Zpos m mod 2 ^ (- e) =? 0)
  | S754_nan => false
  | _ => true
  end.

Definition is_odd (x : spec_float) : bool :=
  match x with
  | S754_finite _ m e => (e <=? 0) && (Zpos m mod 2 ^ (- e) =? 0) && Z.odd (Zpos m / 2 ^ (- e))
  | _ => false
  end.

(** ** binary32 *)

Section Single.
  Let c := hex 24 128 6.

  Definition exp_single : exponential := {|
    most := int 24 128 89; fewest := int 24 128 (-104); per_ln2 := c 0x1715476 0; shift := c 0x1800000 23;
    ln2_high := c 0x162e400 (-1); ln2_low := c 0x17f7d1c (-20);
    exp_terms := [c 0x1687d62 (-10); c 0x11241c2 (-7); c 0x1555b7c (-5); c 0x1555486 (-3); c 0x1fffff8 (-2)] |}.

  Definition log_single : logarithm := {|
    root_half := c 0x16a09e6 (-1); log_terms := [c 0x132088c (-2); c 0x1995d32 (-2); c 0x155557c (-1)] |}.

  Definition tanh_single : hyperbolic := {|
    tanh_end := c 0x1400000 (-1);
    tanh_terms := [c (-0x17567ec) (-8); c 0x152095e (-6); c (-0x1b83780) (-5); c 0x11106fe (-3); c (-0x1555532) (-2)] |}.

  Definition erf_single : error_function := {|
    erf_start := c 0x1e00000 (-1); erf_end := int 24 128 4;
    erf_terms := [c 0x15a7072 (-14); c (-0x1a97ffe) (-11); c 0x154b154 (-8); c (-0x1b80c08) (-6); c 0x1ce2de6 (-4);
                  c (-0x1812742) (-2); c 0x106eba8 (-3)] |}.

  Definition erfc_terms : list spec_float :=
    [c (-0x1990a1c) (-13); c 0x18da91a (-9); c (-0x16b8670) (-6); c 0x1a95b38 (-4); c 0x14649ea (-1); c 0x120ab50 0;
     c 0x1ba8236 (-13)].

  Definition exp32 : spec_float -> spec_float := exponent 24 128 exp_single.
  Definition log32 : spec_float -> spec_float := log_of 24 128 exp_single log_single.
  Definition tanh32 : spec_float -> spec_float := tanh_of 24 128 exp_single tanh_single.
  Definition erf32 : spec_float -> spec_float := erf_of 24 128 erf_single (fun t => exp32 (SFopp (poly 24 128 t erfc_terms))).
End Single.

(** ** binary64 *)

Section Double.
  Let c := hex 53 1024 13.

  Definition exp_double : exponential := {|
    most := int 53 1024 710; fewest := int 53 1024 (-746); per_ln2 := c 0x171547652b82fe 0; shift := c 0x18000000000000 52;
    ln2_high := c 0x162e42fee00000 (-1); ln2_low := c 0x1a39ef35793c76 (-33);
    exp_terms := [c 0x11eb59be50a20d (-29); c 0x1af7122b7c6063 (-26); c 0x127e55b3643be8 (-22); c 0x171dded2707e1c (-19);
                  c 0x1a01a01692495b (-16); c 0x1a01a01b4ac427 (-13); c 0x16c16c16c22a14 (-10); c 0x1111111110e959 (-7);
                  c 0x1555555555553a (-5); c 0x1555555555555c (-3); c 0x10000000000000 (-1)] |}.

  Definition log_double : logarithm := {|
    root_half := c 0x16a09e667f3bcd (-1);
    log_terms := [c 0x12f2e8e12590af (-3); c 0x1399db45e91ded (-3); c 0x17466666de5522 (-3); c 0x1c71c514928df0 (-3);
                  c 0x124924942e0951 (-2); c 0x1999999997ec1e (-2); c 0x15555555555596 (-1)] |}.

  Definition tanh_double : hyperbolic := {|
    tanh_end := c 0x14000000000000 (-1);
    tanh_terms := [c (-0x10d1ca4041bdf4) (-16); c 0x14345fb3785c34 (-14); c (-0x1df32372eccf59) (-13); c 0x13361643c7a234 (-11);
                   c (-0x17d67dd1e84383) (-10); c 0x1d6cf12fb7eabf (-9); c (-0x1226e157319413) (-7); c 0x1664f4772eeaa0 (-6);
                   c (-0x1ba1ba1b4d37de) (-5); c 0x1111111110a79d (-3); c (-0x155555555554f9) (-2)] |}.

  Definition erf_double : error_function := {|
    erf_start := c 0x1e000000000000 (-1); erf_end := int 53 1024 6;
    erf_terms := [c (-0x148dc3ac450c54) (-33); c 0x1061134a345d9a (-30); c (-0x1e2c8b0a6f8604) (-29); c 0x13b663ca29a1f9 (-26);
                  c (-0x16728999506a37) (-23); c 0x1ba907b29731e3 (-20); c (-0x1f4dc80bdeb811) (-17); c 0x1f9a392e554020 (-14);
                  c (-0x1c02db712b2c13) (-11); c 0x1565bcd1d3e89e (-8); c (-0x1b82ce312e222c) (-6); c 0x1ce2f21a043ee9 (-4);
                  c (-0x1812746b037a05) (-2); c 0x106eba8214db69 (-3)] |}.

  Definition erfc_factor : list spec_float :=
    [c 0x1dabdce14c4959 (-20); c 0x1bb806693188a9 (-22); c (-0x1d59eaf9876581) (-17); c (-0x1cc98a29c10da7) (-16);
     c 0x1ce64e867a0477 (-16); c 0x16da899d6c7ed5 (-13); c 0x16d5a838c9fd2d (-15); c (-0x1016b60a486ce8) (-10);
     c (-0x1bc25a364809b6) (-11); c 0x1ca95ed5ac40b2 (-8); c 0x1e9471597c419a (-9); c (-0x1437f0b68c1b15) (-4);
     c 0x1eeea7dc8a785a (-3); c (-0x1b57034efd3f71) (-2); c 0x1058671b52c776 (-2)].

  Definition exp64 : spec_float -> spec_float := exponent 53 1024 exp_double.
  Definition log64 : spec_float -> spec_float := log_of 53 1024 exp_double log_double.
  Definition tanh64 : spec_float -> spec_float := tanh_of 53 1024 exp_double tanh_double.
  Definition erf64 : spec_float -> spec_float :=
    erf_of 53 1024 erf_double (fun t =>
      let two := int 53 1024 2 in
      let v := SFdiv 53 1024 (SFsub 53 1024 t two) (SFadd 53 1024 t two) in
      SFmul 53 1024 (poly 53 1024 v erfc_factor) (exp64 (SFopp (SFmul 53 1024 t t)))).
End Double.

(** e^(b log |a|); 1 where [b] is 0 or [a] is 1, and of -1 to an infinity. *)
Definition pow64 (a b : spec_float) : spec_float :=
  let x := SFabs a in
  let one := int 53 1024 1 in
  let endless := match b with S754_infinity _ => true | _ => false end in
  if SFeqb b (S754_zero false) || SFeqb a one || SFeqb x one && endless then one
  else match a with
  | S754_finite true _ _ => if is_whole b || match b with S754_nan => true | _ => false end then
                              let z := exp64 (SFmul 53 1024 b (log64 x)) in if is_odd b then SFopp z else z
                            else S754_nan
  | _ => let z := exp64 (SFmul 53 1024 b (log64 x)) in if is_odd b then with_sign z a else z
  end.

Definition pow32 (a b : spec_float) : spec_float := rounded 24 128 (pow64 (rounded 53 1024 a) (rounded 53 1024 b)).

(** ** The numbers with these functions *)

Definition with_functions (S : arith) (exp log tanh erf : num S -> num S) (pow : num S -> num S -> num S) : arith := {|
  num := num S; s_integer := s_integer S; s_int := s_int S; s_float := s_float S; s_ratio := s_ratio S;
  s_tiny := s_tiny S; s_least := s_least S;
  s_add := s_add S; s_sub := s_sub S; s_mul := s_mul S; s_div := s_div S; s_mod := s_mod S;
  s_max := s_max S; s_min := s_min S; s_less := s_less S; s_equal := s_equal S; s_when := s_when S;
  s_orelse := s_orelse S; s_pow := pow; s_neg := s_neg S; s_abs := s_abs S; s_exp := exp; s_log := log;
  s_sqrt := s_sqrt S; s_tanh := tanh; s_erf := erf; s_round := s_round S; s_cast := s_cast S; s_index := s_index S |}.

Definition binary32_calque : arith := with_functions binary32 exp32 log32 tanh32 erf32 pow32.
Definition binary64_calque : arith := with_functions binary64 exp64 log64 tanh64 erf64 pow64.

Theorem binary32_calque_float_laws : float_laws binary32_calque.
Proof. destruct binary32_float_laws as [A B C]. split; [exact A | exact B | exact C]. Qed.

Theorem binary64_calque_float_laws : float_laws binary64_calque.
Proof. destruct binary64_float_laws as [A B C]. split; [exact A | exact B | exact C]. Qed.

(** ** What they are at the ends *)

Theorem exp32_ends :
  exp32 (S754_zero true) = int 24 128 1 /\ exp32 (S754_infinity false) = S754_infinity false /\
  exp32 (S754_infinity true) = S754_zero false /\ exp32 S754_nan = S754_nan.
Proof. vm_compute. repeat split. Qed.

Theorem log32_ends :
  log32 (int 24 128 1) = S754_zero false /\ (forall s, log32 (S754_zero s) = S754_infinity true) /\
  log32 (S754_infinity false) = S754_infinity false /\ forall m e, log32 (S754_finite true m e) = S754_nan.
Proof. repeat split. Qed.

Theorem odd_ends s :
  tanh32 (S754_zero s) = S754_zero s /\ tanh32 (S754_infinity s) = int 24 128 (if s then -1 else 1) /\
  erf32 (S754_zero s) = S754_zero s /\ erf32 (S754_infinity s) = int 24 128 (if s then -1 else 1).
Proof. destruct s; vm_compute; repeat split. Qed.

(** Odd functions, to the bit. *)
Lemma with_sign_opp x a : a <> S754_nan -> with_sign x (SFopp a) = SFopp (with_sign x a).
Proof. intros H. destruct a as [s | s | | s m e]; try (now destruct H); destruct s, x as [[] | [] | | []]; reflexivity. Qed.

Lemma SFabs_opp a : SFabs (SFopp a) = SFabs a.
Proof. now destruct a as [[] | [] | | []]. Qed.

Theorem tanh_odd prec emax C T a :
  a <> S754_nan -> tanh_of prec emax C T (SFopp a) = SFopp (tanh_of prec emax C T a).
Proof. intros H. unfold tanh_of. rewrite SFabs_opp. now apply with_sign_opp. Qed.

Theorem erf_odd prec emax F above a :
  a <> S754_nan -> erf_of prec emax F above (SFopp a) = SFopp (erf_of prec emax F above a).
Proof. intros H. unfold erf_of. rewrite SFabs_opp. now apply with_sign_opp. Qed.

Theorem pow32_whole :
  pow32 (int 24 128 (-2)) (int 24 128 3) = int 24 128 (-8) /\ pow32 (int 24 128 10) (int 24 128 (-2)) = rounded 24 128 (decode 4576918229304087675) /\
  pow32 (int 24 128 (-8)) (decode 4600877379321698714) = S754_nan /\ pow32 (S754_zero true) (int 24 128 (-3)) = S754_infinity true.
Proof. vm_compute. repeat split. Qed.
