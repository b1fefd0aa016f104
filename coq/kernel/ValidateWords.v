(** * The check of programs and kernels as texts

    Literals and functions are words, which mean whatever a reading gives them.  A reduction is
    the word of its step and the literal it starts from.  The check compares words and looks at
    no meaning, so that it is one function for all readings. *)

From Coq Require Import List Arith Lia Bool String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Kernel kernel.Lower kernel.LowerProof kernel.Validate kernel.ValidateProof.
From Calque Require base.FloatSum base.FloatFma kernel.Fma dpia.Syntax dpia.Values dpia.CellsNormal.
Import ListNotations.
Open Scope string_scope.

Record reading := Reading {
  number : Type;
  of_literal : string -> number;
  of_one : string -> number -> number;
  of_two : string -> number -> number -> number;
  (** Function, start, and what it may then be given without effect. *)
  neutral : string -> string -> option string;
  usual : number -> Prop;
  usual_literal : forall s, usual (of_literal s);
  usual_one : forall f x, usual x -> usual (of_one f x);
  usual_two : forall f x y, usual x -> usual y -> usual (of_two f x y);
  neutral_right : forall f s z, neutral f s = Some z -> exists keeps : number -> Prop,
    keeps (of_literal s) /\ (forall x y, keeps x -> usual y -> keeps (of_two f x y)) /\
    (forall x, keeps x -> of_two f x (of_literal z) = x) }.

Section Words.
  Variable M : reading.

  Definition words : scalars :=
    {| carrier := number M; lit := string; bop := string; fid := string;
       lit_value := of_literal M; bop_value := of_two M;
       fid_value := fun f l => match l with
                               | [x] => of_one M f x
                               | [x; y] => of_two M f x y
                               | _ => of_literal M f
                               end;
       zero := of_literal M "0"; red := string * string;
       red_start := fun r => of_literal M (snd r);
       red_step := fun r => of_two M (fst r) |}.

  Notation A := (scalar_algebra words).

  Definition spelled_lit (c : Syntax.lit A) : string :=
    match c with inl s => s | inr r => snd r end.
  Definition spelled_two (o : Syntax.bop A) : string :=
    match o with @BOp _ f => f | @BStep _ r => fst r | @BFun _ f => f end.

  Definition same_lit (a b : Syntax.lit A) : bool := spelled_lit a =? spelled_lit b.
  Definition same_two (a b : Syntax.bop A) : bool := spelled_two a =? spelled_two b.
  Definition same_one (a b : string) : bool := a =? b.
  Definition padding (o : Syntax.bop A) (z : Syntax.lit A) : option (Syntax.lit A) :=
    option_map inl (neutral M (spelled_two o) (spelled_lit z)).

  Lemma lit_spelled c : Syntax.lit_val A c = of_literal M (spelled_lit c).
  Proof. now destruct c. Qed.

  Lemma two_spelled o x y : Syntax.bop_val A o x y = of_two M (spelled_two o) x y.
  Proof. now destruct o. Qed.

  Definition word_laws : CellsNormal.laws A.
  Proof.
    refine (@CellsNormal.Laws A same_lit same_one same_two padding (usual M) _ _ _ _ _ _ _).
    - intros a b E. rewrite !lit_spelled. f_equal. now apply String.eqb_eq.
    - intros o o' x E. apply String.eqb_eq in E. now subst.
    - intros o o' x y E. rewrite !two_spelled. unfold same_two in E. apply String.eqb_eq in E. now rewrite E.
    - intros c. rewrite lit_spelled. apply usual_literal.
    - intros o x H. now apply usual_one.
    - intros o x y Hx Hy. rewrite two_spelled. now apply usual_two.
    - intros o z0 z E. unfold padding in E.
      destruct (neutral M (spelled_two o) (spelled_lit z0)) as [w |] eqn:N; [| discriminate]. injection E as <-.
      destruct (neutral_right M _ _ _ N) as (keeps & start & more & none). exists keeps.
      rewrite lit_spelled. split; [exact start |].
      split; intros; rewrite two_spelled; [now apply more | now apply none].
  Defined.

  Definition validate_words (shape : tid -> list nat) (n : nat) (p : Syntax.exp A Syntax.numbers) (s : stmt words) : verdict :=
    validate words word_laws shape n p s.

  Theorem validated_words (shape : tid -> list nat) (n : nat) (p : Syntax.exp A Syntax.numbers) (s : stmt words) (st : store words) :
    validate_words shape n p s = Valid ->
    (forall t i, (t < n)%nat -> in_box (shape t) i = true -> usual M (st t i)) ->
    Values.eval (s := Syntax.numbers_sizing) (held words shape n st) p = tree words (dims s) (exec s st (out s)).
  Proof. intros V G. exact (validated_correct words word_laws shape n p s st V G). Qed.
End Words.

(** ** Readings *)

(** No meaning at all: for the check alone. *)
Definition nothing (neutral : string -> string -> option string) : reading.
Proof.
  refine (@Reading unit (fun _ => tt) (fun _ _ => tt) (fun _ _ _ => tt) neutral (fun _ => True) _ _ _ _);
    try (intros; exact I).
  intros f s z _. exists (fun _ => True). repeat split. now intros [] _.
Defined.

(** What the neutral words are: +0 after additions to +0, the least number under max. *)
Definition neutral_words (zero least : string) (f s : string) : option string :=
  if (f =? "+") && (s =? zero) then Some zero
  else if (f =? "max") && (s =? least) then Some least else None.

(** The same where a sum has products that are not rounded: such a sum may be -0, so that -0 is what may be added to it. *)
Definition neutral_fused (zero minus_zero least : string) (f s : string) : option string :=
  if (f =? "+") && (s =? zero) then Some minus_zero
  else if (f =? "max") && (s =? least) then Some least else None.

(** Floats of any precision; functions that are not listed may be any, which give settled
    numbers, as valid floats are, from settled ones. *)
Section Floats.
  Variables prec emax : Z.
  Hypothesis prec_pos : (0 < prec)%Z.
  Notation settled := (FloatSum.settled prec emax).
  Variable decode : string -> spec_float.
  Variable one : string -> spec_float -> spec_float.
  Variable other : string -> spec_float -> spec_float -> spec_float.
  Hypothesis decode_zero : decode "0x0p+0" = S754_zero false.
  Hypothesis decode_least : decode "-inf" = S754_infinity true.
  Hypothesis decode_settled : forall s, settled (decode s).
  Hypothesis one_settled : forall f x, settled x -> settled (one f x).
  Hypothesis other_settled : forall f x y, settled x -> settled y -> settled (other f x y).

  Definition float_two (f : string) (x y : spec_float) : spec_float :=
    if f =? "+" then SFadd prec emax x y
    else if f =? "*" then SFmul prec emax x y
    else if f =? "max" then (if SFltb x y then y else x)
    else other f x y.

  Definition floats : reading.
  Proof.
    refine (@Reading spec_float decode one float_two (neutral_words "0x0p+0" "-inf") settled decode_settled one_settled _ _).
    - intros f x y Hx Hy. unfold float_two.
      destruct (f =? "+"); [now apply FloatSum.add_settled |].
      destruct (f =? "*"); [apply FloatSum.product_settled |].
      destruct (f =? "max"); [now destruct (SFltb x y) | now apply other_settled].
    - intros f s z. unfold neutral_words, float_two.
      destruct (String.eqb_spec f "+") as [-> | _]; cbn [andb].
      + destruct (String.eqb_spec s "0x0p+0") as [-> | _]; cbn; [| discriminate]. intros E. injection E as <-.
        exists (fun x => settled x /\ x <> S754_zero true). rewrite decode_zero. split; [now split |]. split.
        * intros x y [Hx N] Hy. split; [now apply FloatSum.add_settled | now apply FloatSum.add_not_minus_zero].
        * intros x [_ N]. now apply FloatSum.add_zero.
      + destruct (String.eqb_spec f "max") as [-> | _]; cbn [andb]; [| discriminate].
        destruct (String.eqb_spec s "-inf") as [-> | _]; [| discriminate]. intros E. injection E as <-.
        exists (fun _ => True). split; [exact I |]. split; [trivial |]. intros x _. cbn. rewrite decode_least.
        now destruct x as [[] | [] | | [] m e].
  Defined.
End Floats.

(** Formal floats, for programs with exact products: an addition of one is a fused multiply-add, all else rounds.  Nothing is
    asked of the numbers. *)
Section Fused.
  Variables prec emax : Z.
  Variable decode : string -> spec_float.
  Variable one : string -> spec_float -> spec_float.
  Variable other : string -> spec_float -> spec_float -> spec_float.
  Hypothesis decode_minus_zero : decode "-0x0p+0" = S754_zero true.
  Hypothesis decode_least : decode "-inf" = S754_infinity true.

  Definition plain_floats : scalars :=
    {| carrier := spec_float; lit := string; bop := string; fid := string; lit_value := decode;
       bop_value := float_two prec emax other; fid_value := fun f _ => decode f; zero := S754_zero false;
       red := string; red_start := decode; red_step := float_two prec emax other |}.
  Notation rounded := (Fma.rounded (S := plain_floats) "*").

  Definition fused_two (f : string) (x y : Fma.formal_number plain_floats) : Fma.formal_number plain_floats :=
    if f =? "exact" then Fma.Exact (S := plain_floats) (rounded x) (rounded y)
    else Fma.add_formal (S := plain_floats) "*" (FloatFma.SFfma prec emax) (f =? "+") (float_two prec emax other f) x y.

  Lemma fused_two_rounded f x y : f <> "exact" -> exists z : spec_float, fused_two f x y = Fma.Rounded (S := plain_floats) z.
  Proof.
    intros N. unfold fused_two. apply String.eqb_neq in N. rewrite N. unfold Fma.add_formal. destruct (f =? "+"), y; eexists; reflexivity.
  Qed.

  Definition fused_floats : reading.
  Proof.
    refine (@Reading (Fma.formal_number plain_floats) (fun s => Fma.Rounded (S := plain_floats) (decode s))
              (fun f x => Fma.Rounded (S := plain_floats) (one f (rounded x))) fused_two
              (neutral_fused "0x0p+0" "-0x0p+0" "-inf") (fun _ => True) _ _ _ _); try (intros; exact I).
    intros f s z. unfold neutral_fused.
    assert (K : f = "+" \/ f = "max" -> forall w : spec_float,
      (forall x : spec_float, float_two prec emax other f x w = x) -> exists keeps : Fma.formal_number plain_floats -> Prop,
      keeps (Fma.Rounded (S := plain_floats) (decode s)) /\ (forall x y, keeps x -> True -> keeps (fused_two f x y)) /\
      forall x, keeps x -> fused_two f x (Fma.Rounded (S := plain_floats) w) = x).
    { intros F w N. exists (fun x => exists y : spec_float, x = Fma.Rounded (S := plain_floats) y). split; [now eexists |]. split.
      - intros x y _ _. apply fused_two_rounded. destruct F as [-> | ->]; discriminate.
      - intros x [y ->]. destruct F as [-> | ->]; cbn; f_equal; apply N. }
    destruct (String.eqb_spec f "+") as [-> | _]; cbn [andb].
    - destruct (String.eqb_spec s "0x0p+0") as [E | _]; cbn; [| discriminate]. intros Z. injection Z as <-.
      rewrite decode_minus_zero. apply K; [now left |]. intros x. apply FloatFma.add_minus_zero.
    - destruct (String.eqb_spec f "max") as [-> | _]; cbn [andb]; [| discriminate].
      destruct (String.eqb_spec s "-inf") as [E | _]; [| discriminate]. intros Z. injection Z as <-.
      rewrite decode_least. apply K; [now right |]. intros x. cbn. now destruct x as [[] | [] | | [] m e].
  Defined.
End Fused.

(** Integers that wrap around, and the least of them. *)
Section Integers.
  Variable bits : Z.
  Hypothesis bits_pos : (0 < bits)%Z.
  Variable decode : string -> Z.
  Variable one : string -> Z -> Z.
  Variable other : string -> Z -> Z -> Z.
  Variable least : string.
  Definition wrapped (x : Z) : Prop := (- 2 ^ (bits - 1) <= x < 2 ^ (bits - 1))%Z.
  Definition wrap (x : Z) : Z := ((x + 2 ^ (bits - 1)) mod 2 ^ bits - 2 ^ (bits - 1))%Z.
  Hypothesis decode_zero : decode "0" = 0%Z.
  Hypothesis decode_least : decode least = (- 2 ^ (bits - 1))%Z.

  Lemma wrap_wrapped x : wrapped (wrap x).
  Proof.
    unfold wrapped, wrap. pose proof (Z.mod_pos_bound (x + 2 ^ (bits - 1)) (2 ^ bits) ltac:(apply Z.pow_pos_nonneg; lia)).
    replace (2 ^ bits)%Z with (2 * 2 ^ (bits - 1))%Z in * by (rewrite <- Z.pow_succ_r by lia; f_equal; lia). lia.
  Qed.

  Lemma wrap_same x : wrapped x -> wrap x = x.
  Proof.
    unfold wrapped, wrap. intros H.
    replace (2 ^ bits)%Z with (2 * 2 ^ (bits - 1))%Z by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
    rewrite Z.mod_small by lia. lia.
  Qed.

  Definition integer_two (f : string) (x y : Z) : Z :=
    if f =? "+" then wrap (x + y)
    else if f =? "*" then wrap (x * y)
    else if f =? "max" then (if (x <? y)%Z then wrap y else wrap x)
    else wrap (other f x y).

  Definition integers : reading.
  Proof.
    refine (@Reading Z (fun s => wrap (decode s)) (fun f x => wrap (one f x)) integer_two (neutral_words "0" least) wrapped _ _ _ _).
    - intros s. apply wrap_wrapped.
    - intros f x _. apply wrap_wrapped.
    - intros f x y _ _. unfold integer_two. destruct (f =? "+"), (f =? "*"), (f =? "max"), (x <? y)%Z; apply wrap_wrapped.
    - intros f s z. unfold neutral_words, integer_two.
      assert (P : (0 < 2 ^ (bits - 1))%Z) by (apply Z.pow_pos_nonneg; lia).
      destruct (String.eqb_spec f "+") as [-> | _]; cbn [andb].
      + destruct (String.eqb_spec s "0") as [-> | _]; cbn [andb String.eqb]; [| discriminate]. intros E. injection E as <-.
        exists wrapped. split; [apply wrap_wrapped |]. split; [intros; apply wrap_wrapped |]. intros x H.
        rewrite decode_zero, (wrap_same 0) by (unfold wrapped; lia). rewrite Z.add_0_r. now apply wrap_same.
      + destruct (String.eqb_spec f "max") as [-> | _]; cbn [andb]; [| discriminate].
        destruct (String.eqb_spec s least) as [-> | _]; [| discriminate]. intros E. injection E as <-.
        exists wrapped. split; [apply wrap_wrapped |]. split; [intros x y _ _; cbn; destruct (x <? y)%Z; apply wrap_wrapped |].
        intros x H. cbn. rewrite decode_least, (wrap_same (- 2 ^ (bits - 1))) by (unfold wrapped; lia).
        destruct (Z.ltb_spec x (- 2 ^ (bits - 1))) as [L |]; [unfold wrapped in H; lia | now apply wrap_same].
  Defined.
End Integers.
