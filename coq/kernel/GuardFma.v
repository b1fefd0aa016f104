(** * A guard around a fused multiply-add

    [Tiling.guard] for sums of exact products: a fold that would add -0 leaves its accumulator alone, whatever that is,
    the same bits.  (+0 is not left out of such sums: they can be -0, [FloatFma.fused_sum_minus_zero].) *)

From Coq Require Import List Arith Lia ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.FloatFma kernel.Kernel kernel.Lower kernel.Fma kernel.FmaProof kernel.Numbers.
From Calque Require Import tensor.Scalars tensor.Instances tensor.Fma tensor.OpLanes tensor.OpFma.
From Calque Require dpia.Syntax dpia.Values dpia.Tiling.
Import ListNotations.
Open Scope nat_scope.

Section Guard.
  Variable S : scalars.
  Notation num := (carrier S).
  Variable times : bop S.
  Variable is_plus : bop S -> bool.
  Variable is_sum : red S -> bool.
  Variable fma : num -> num -> num -> num.
  Variable minus_zero : lit S.
  Notation F := (formal S times is_plus is_sum fma).
  Notation A := (scalar_algebra F).
  Context {N : Syntax.sizes} (s : Syntax.sizing N).
  Notation exp := (Syntax.exp A N).
  Notation value := (@Values.value A).
  Notation eval := (@Values.eval A N s).
  Notation acc := (@Syntax.EVar A N 0).

  (** An addition, of a reduction or an operator, to which the literal adds nothing. *)
  Variable o : Syntax.bop A.
  Definition an_addition : Prop := match o with BStep _ r => True | BOp _ (Usual o) => is_plus o = true | _ => False end.
  Definition adds (x y : num) : num :=
    match o with BStep _ r => red_step S r x y | BOp _ (Usual o) => bop_value S o x y | _ => x end.
  Hypothesis addition : an_addition.
  Hypothesis neutral : forall x, adds x (lit_value S minus_zero) = x.

  Notation added a b := (@Syntax.EBin A N o a b).

  Theorem guard_fused_sum n d (c : Syntax.cond N) (e init : exp) (env : list value) :
    (exists x, eval env init = Values.Num (Rounded x : Syntax.scalar A)) ->
    (forall a x, x < @Syntax.count N s n ->
       Syntax.holds (s := s) (Values.positions (Values.Num a :: Values.Pos x :: env)) c = true ->
       exists y, eval (Values.Num a :: Values.Pos x :: env) e = Values.Num y) ->
    eval env (@Syntax.EFold A N n d (@Syntax.EIte A N c d (added acc e) acc) init) =
    eval env (@Syntax.EFold A N n d (added acc (@Syntax.EIte A N c d e (@Syntax.ELit A N (inl minus_zero)))) init).
  Proof.
    intros (x0 & E) num. apply (@Tiling.guard A N s is_rounded).
    - intros x y _. unfold an_addition in addition. destruct o as [[o' |] | r | f]; try contradiction.
      + cbn. unfold add_formal. rewrite addition. destruct y; now eexists.
      + apply rounded_step.
    - intros x [z ->]. unfold an_addition, adds in *. destruct o as [[o' |] | r | f]; try contradiction; cbn; unfold add_formal.
      + rewrite addition. cbn. now rewrite neutral.
      + destruct (is_sum r); cbn; now rewrite neutral.
    - exists (Rounded x0). split; [exact E | now eexists].
    - exact num.
  Qed.
End Guard.

(** Of sums over floats, -0 is such a literal. *)
Lemma minus_nought_neutral (S : arith) : float_laws S ->
  forall x, red_step (kernel_scalars S) KSum x (lit_value (kernel_scalars S) minus_nought) = x.
Proof. intros L x. exact (float_minus_zero S L x). Qed.

(** In binary32 and binary64, whose [fma] is that of [base.FloatFma]. *)
Theorem minus_nought_neutral_floats :
  (forall x, red_step (kernel_scalars binary32) KSum x (lit_value (kernel_scalars binary32) minus_nought) = x) /\
  (forall x, red_step (kernel_scalars binary64) KSum x (lit_value (kernel_scalars binary64) minus_nought) = x).
Proof. split; apply minus_nought_neutral; [exact binary32_float_laws | exact binary64_float_laws]. Qed.
