(** * Headline theorems: sums of floats, and convolutions of padded tensors

    What the rules about convolutions rest on: a sum of floats that starts at +0 is never -0, so what the padding adds
    changes nothing. *)

From Coq Require Import Bool List NArith ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import rewrite.SoundTactic rewrite.Library.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Index tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Instances tensor.PadConv.
From Calque Require base.FloatSum tensor.PadFloats dpia.Syntax dpia.Values dpia.GuardFloats.
From Calque Require dpia.Scalars.
Module DpiaScalars := dpia.Scalars.
From Calque Require rewrite.RulesPad rewrite.RulesShortcut rewrite.RulesChannels rewrite.RulesExpand rewrite.RulesParallelConv rewrite.RulesParallelGroup.
Import ListNotations.

(** ** A sum of floats that starts at +0 is never -0 *)

Theorem sum_not_minus_zero_32 :
  forall l, Forall (fun x => valid_binary 24 128 x = true) l -> fold_left (SFadd 24 128) l (S754_zero false) <> S754_zero true.
Proof. exact FloatSum.sum_not_minus_zero_32. Qed.

Theorem sum_not_minus_zero_64 :
  forall l, Forall (fun x => valid_binary 53 1024 x = true) l -> fold_left (SFadd 53 1024) l (S754_zero false) <> S754_zero true.
Proof. exact FloatSum.sum_not_minus_zero_64. Qed.

(** Of products nothing is asked. *)
Theorem products_not_minus_zero_32 :
  forall l, fold_left (fun a xy => SFadd 24 128 a (SFmul 24 128 (fst xy) (snd xy))) l (S754_zero false) <> S754_zero true.
Proof. exact FloatSum.products_not_minus_zero_32. Qed.

Theorem products_not_minus_zero_64 :
  forall l, fold_left (fun a xy => SFadd 53 1024 a (SFmul 53 1024 (fst xy) (snd xy))) l (S754_zero false) <> S754_zero true.
Proof. exact FloatSum.products_not_minus_zero_64. Qed.

(** So zeros can be added to such a sum, or left out: a term of it is [x], or a zero in the other. *)
Theorem sum_up_to_zeros :
  forall prec emax l m, (0 < prec)%Z ->
    Forall2 (fun x y => x = y /\ FloatSum.settled prec emax x \/ FloatSum.is_zero x /\ FloatSum.is_zero y) l m ->
    fold_left (SFadd prec emax) l (S754_zero false) = fold_left (SFadd prec emax) m (S754_zero false).
Proof. intros prec emax l m P. exact (FloatSum.sum_up_to_zeros prec emax P l m). Qed.

(** A guard around an addition of products: the same bits as adding +0 ([dpia_guard] for sums of floats). *)
Theorem guard_sum_product :
  forall (N : Syntax.sizes) (s : Syntax.sizing N) prec emax n d (c : Syntax.cond N)
    (a b : Syntax.exp (DpiaScalars.ieee prec emax) N) (env : list (Values.value (DpiaScalars.ieee prec emax))),
    (0 < prec)%Z ->
    (forall v x, (x < Syntax.count n)%nat -> Syntax.holds (Values.positions (Values.Num v :: Values.Pos x :: env)) c = true ->
       exists y z, Values.eval (Values.Num v :: Values.Pos x :: env) a = Values.Num y /\
                   Values.eval (Values.Num v :: Values.Pos x :: env) b = Values.Num z) ->
    let zero := Syntax.ELit (S754_zero false : Syntax.lit (DpiaScalars.ieee prec emax)) in
    let add := Syntax.EBin (DpiaScalars.Add : Syntax.bop (DpiaScalars.ieee prec emax)) (Syntax.EVar 0) in
    let product := Syntax.EBin (DpiaScalars.Mul : Syntax.bop (DpiaScalars.ieee prec emax)) a b in
    Values.eval env (Syntax.EFold n d (Syntax.EIte c d (add product) (Syntax.EVar 0)) zero) =
    Values.eval env (Syntax.EFold n d (add (Syntax.EIte c d product zero)) zero).
Proof. exact GuardFloats.guard_sum_product. Qed.

(** ** simplify_pad_conv on floats: bit for bit, if the weights are finite and the kernel has more than one cell *)

Theorem conv_padded_32 :
  forall w g (x px f : tensor (num binary32)) b lo hi u,
    pad binary32 PadConstant 0 (0%Z :: 0%Z :: lo) (0%Z :: 0%Z :: hi) x = Some px ->
    Forall (Z.le 0) lo -> Forall (Z.le 0) hi ->
    forallb PadFloats.finite (cells f) = true -> single (tl (dims f)) = false ->
    conv binary32 w g px f b = Some u -> conv binary32 (padded_window w lo hi) g x f b = Some u.
Proof. exact PadFloats.conv_padded_32. Qed.

Theorem conv_padded_64 :
  forall w g (x px f : tensor (num binary64)) b lo hi u,
    pad binary64 PadConstant 0 (0%Z :: 0%Z :: lo) (0%Z :: 0%Z :: hi) x = Some px ->
    Forall (Z.le 0) lo -> Forall (Z.le 0) hi ->
    forallb PadFloats.finite (cells f) = true -> single (tl (dims f)) = false ->
    conv binary64 w g px f b = Some u -> conv binary64 (padded_window w lo hi) g x f b = Some u.
Proof. exact PadFloats.conv_padded_64. Qed.
