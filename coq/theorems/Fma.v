(** * Headline theorems: sums of products by fused multiply-adds

    What [--fma] makes of kernels, of the values of operators and of graphs, that it is the same where
    nothing is rounded, and what may be left out of such sums of floats. *)

From Coq Require Import String List Bool ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists base.FloatFma attr.Attr kernel.Kernel kernel.Lower kernel.Numbers kernel.Fma.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.OpLanes tensor.OpFma.
From Calque Require kernel.InlineAll kernel.LanesSums kernel.FmaProof kernel.GuardFma tensor.OpFmaProof tensor.Infer.
From Calque Require Import tensor.Fma.
From Calque Require tensor.Instances tensor.Mixed graph.Graph rewrite.GraphEval rewrite.GraphFma rewrite.GraphFmaProof.
From Calque Require dpia.Syntax dpia.Values.
From Calque Require Import rewrite.SoundModel model.Unit model.ModelProof.
From Calque Require model.GraphKernel model.FusedFma.
Import ListNotations.
Open Scope nat_scope.

(** Over any scalars, without any law of arithmetic: the changed kernel stores rounded numbers only, those of the formula of
    [eval_fma], in which each fused sum is a fold of [fma] over its products. *)
Theorem fma_value :
  forall S (times : bop S) (is_times is_plus : bop S -> bool) (is_sum : red S -> bool) fma
    (is_zero : Kernel.lit S -> bool) minus_zero p st u i,
    exec_prog (fma_prog times is_times is_plus is_sum fma is_zero minus_zero p) (as_formal times is_plus is_sum fma st) u i =
    Rounded (exec_fma_prog is_times is_sum fma is_zero minus_zero p st u i).
Proof.
  intros S times is_times is_plus is_sum fma is_zero minus_zero p st u i.
  exact (FmaProof.fma_prog_value times is_times is_plus is_sum fma is_zero minus_zero p st _ (fun _ _ => eq_refl) u i).
Qed.

(** The sum itself: each term is added by one [fma], where its condition holds, and by adding -0 elsewhere. *)
Theorem fma_sum :
  forall S (is_times : bop S -> bool) (is_sum : red S -> bool) fma
    (is_zero : Kernel.lit S -> bool) minus_zero st rho r ns o c (a b : ex S) z,
    is_sum r = true -> is_times o = true -> is_zero z = true ->
    eval_fma is_times is_sum fma is_zero minus_zero st rho (ERed r ns (ESel c (EBin o a b) (ECst z))) =
    fold_left (fun acc k => let value e := eval_fma is_times is_sum fma is_zero minus_zero st (k ++ rho) e in
                            if eval_cond (k ++ rho) c then fma (value a) (value b) acc
                            else red_step S r acc (lit_value S minus_zero)) (box ns) (red_start S r).
Proof.
  intros S is_times is_sum fma is_zero minus_zero st rho r ns o c a b z R T Z.
  cbn [eval_fma]. unfold fused. cbn [products some_product]. rewrite R, T, Z. reflexivity.
Qed.

(** Exact products are terms of sums only; and every program of which that is so stores rounded numbers only. *)
Theorem fma_exact :
  forall S (times : bop S) (is_times is_plus : bop S -> bool) (is_sum : red S -> bool) fma
    (is_zero : Kernel.lit S -> bool) minus_zero p,
    exact_in_sums_prog times is_plus is_sum fma (fma_prog times is_times is_plus is_sum fma is_zero minus_zero p) = true.
Proof. intros S. exact FmaProof.fma_prog_exact. Qed.

Theorem exact_in_sums_stores :
  forall S (times : bop S) is_plus is_sum fma (p : prog (formal S times is_plus is_sum fma)) st,
    exact_in_sums_prog times is_plus is_sum fma p = true -> (forall t i, exists x, st t i = Rounded x) ->
    forall t i, exists x, exec_prog p st t i = Rounded x.
Proof. intros S times is_plus is_sum fma p st. exact (fun E => FmaProof.exact_in_sums_stores times is_plus is_sum fma p E st).
Qed.

(** Tensors are stored in their sizes, and loads stay inside. *)
Theorem fma_whole :
  forall S (times : bop S) (is_times is_plus : bop S -> bool) (is_sum : red S -> bool) fma
    (is_zero : Kernel.lit S -> bool) minus_zero shapes p,
    InlineAll.whole S shapes p ->
    InlineAll.whole _ shapes (fma_prog times is_times is_plus is_sum fma is_zero minus_zero p).
Proof. intros S. exact FmaProof.fma_prog_whole. Qed.

(** Where [fma a b x] is x plus the product and -0 is 0, it is what the kernel stored. *)
Theorem fma_same :
  forall S (times : bop S) (is_times is_plus : bop S -> bool) (is_sum : red S -> bool) fma
    (is_zero : Kernel.lit S -> bool) minus_zero p st u i,
    FmaProof.product_and_sum times is_times is_sum fma is_zero minus_zero ->
    exec_prog (fma_prog times is_times is_plus is_sum fma is_zero minus_zero p) (as_formal times is_plus is_sum fma st) u i =
    Rounded (exec_prog p st u i).
Proof.
  intros S times is_times is_plus is_sum fma is_zero minus_zero p st u i L. rewrite fma_value. f_equal.
  exact (FmaProof.exec_fma_prog_same times is_times is_sum fma is_zero minus_zero L p st st (fun _ _ => eq_refl) u i).
Qed.

(** The value that an operator has then, in lanes before or not, is what its kernel, so changed, stores when it is run on the
    inputs. *)
Theorem op_value_fma_stored :
  forall S fma in_lanes name l vs p ts d u,
    kernel_fused S in_lanes name l vs = Some (p, ts, d) ->
    output S d (fma_run S fma p (named S ts)) = Some u ->
    op_value_fma S fma in_lanes name l vs = Some (GTensor u) /\ Tensor.dims u = d /\
    forall i, exec_prog (op_fma S fma p) (as_formal (S := kernel_scalars S) OMul is_addition sums fma (held S (named S ts)))
                (tY 0) i =
              Rounded (S := kernel_scalars S) (get (s_zero S) u i).
Proof. exact OpFmaProof.op_value_fma_stored. Qed.

(** Where nothing is rounded, and sums may be added in any order if they are in lanes, that is the operator's value. *)
Theorem op_value_fma_same :
  forall S fma in_lanes name l vs,
    OpFmaProof.fma_laws S fma ->
    (in_lanes = true -> LanesSums.any_order (S := kernel_scalars S) sums OAdd same_sum) -> Forall Infer.good_value vs ->
    op_value_fma S fma in_lanes name l vs = op_value S name l vs.
Proof. exact OpFmaProof.op_value_fma_same. Qed.

(** And what the oracle says of a graph is what the graph means. *)
Theorem graph_fma_same :
  forall S fma in_lanes inputs constants g outs,
    OpFmaProof.fma_laws S fma ->
    (in_lanes = true -> LanesSums.any_order (S := kernel_scalars S) sums OAdd same_sum) -> Graph.wf g ->
    GraphFma.graph_eval_fma S fma in_lanes inputs constants g outs = GraphEval.graph_eval S inputs constants g outs.
Proof.
  intros S fma in_lanes inputs constants g outs L order ok.
  exact (GraphFmaProof.graph_fma_same S fma in_lanes inputs constants g L order outs ok).
Qed.

(** A whole model as one function, its sums in lanes or not and those of products fused: for all inputs that fit, and over any
    scalars, a run gives what the formula makes of the program of its graph. *)
Theorem fused_fma_runs :
  forall S fma inputs constants shapes in_lanes size plan inlined g outputs u,
    FusedFma.compile_fused_fma S fma in_lanes (const_value S constants shapes) size plan inlined g outputs = Some u ->
    inputs_fit inputs g ->
    exists P us, GraphKernel.graph_kernel S (const_value S constants shapes) g outputs = Some P /\
      outputs_of S inputs constants shapes g outputs = Some us /\
      FusedFma.run_fma_unit S fma u inputs =
        Finished (FusedFma.outputs_fused S fma inputs (FusedFma.chosen_sums S in_lanes P) us).
Proof. exact FusedFma.fused_fma_runs. Qed.

(** Where nothing is rounded, and sums may be added in any order if they are in lanes, it gives what the graph means. *)
Theorem fused_fma_correct :
  forall S fma inputs constants shapes in_lanes size plan inlined g outputs u,
    OpFmaProof.fma_laws S fma ->
    (in_lanes = true -> LanesSums.any_order (S := kernel_scalars S) sums OAdd same_sum) ->
    FusedFma.compile_fused_fma S fma in_lanes (const_value S constants shapes) size plan inlined g outputs = Some u ->
    inputs_fit inputs g ->
    exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\
      FusedFma.run_fma_unit S fma u inputs = Finished outs.
Proof. exact FusedFma.fused_fma_correct. Qed.

(** ** Floats *)

(** What the oracle computes with: on cells of binary32 and binary64 one rounding, on all others a product and a sum. *)
Theorem standard_fma_cells :
  (forall a b x, standard_fma (Mixed.of_f32 Mixed.standard a) (Mixed.of_f32 Mixed.standard b) (Mixed.of_f32 Mixed.standard x) =
     Mixed.of_f32 Mixed.standard (SFfma 24 128 a b x)) /\
  (forall a b x, standard_fma (Mixed.of_f64 Mixed.standard a) (Mixed.of_f64 Mixed.standard b) (Mixed.of_f64 Mixed.standard x) =
     Mixed.of_f64 Mixed.standard (SFfma 53 1024 a b x)) /\
  forall a b x, Mixed.as_f32 Mixed.standard a = None -> Mixed.as_f64 Mixed.standard a = None ->
     standard_fma a b x = multiply_add (Mixed.mixed Mixed.standard) a b x.
Proof. exact tensor.Fma.standard_fma_cells. Qed.

(** Adding -0 changes no number, so that it can be left out of a fused sum; *)
Theorem minus_zero_neutral :
  (forall x, SFadd 24 128 x (S754_zero true) = x) /\ (forall x, SFadd 53 1024 x (S754_zero true) = x).
Proof. split; apply add_minus_zero. Qed.

(** +0 cannot: a fused sum from +0 is -0 where the product is less than every number, which no sum of rounded products is
    ([products_not_minus_zero_32]). *)
Theorem fused_sum_minus_zero :
  exists a b, let sum := SFfma 24 128 a b (S754_zero false) in
    sum = S754_zero true /\ SFadd 24 128 sum (S754_zero false) <> sum /\
    SFadd 24 128 (S754_zero false) (SFmul 24 128 a b) = S754_zero false.
Proof.
  exists (S754_finite true 8507059 (-123)), (S754_finite false 8507059 (-123)).
  repeat split; try reflexivity. vm_compute. discriminate.
Qed.

(** So in a functional program: a guard around an addition of a sum of exact products, the same bits as adding -0. *)
Theorem guard_fused_sum :
  forall S (times : bop S) is_plus is_sum fma (minus_zero : Kernel.lit S) (N : Syntax.sizes) (s : Syntax.sizing N)
    (o : Syntax.bop (scalar_algebra (formal S times is_plus is_sum fma))),
    GuardFma.an_addition S times is_plus is_sum fma o ->
    (forall x, GuardFma.adds S times is_plus is_sum fma o x (lit_value S minus_zero) = x) ->
    let A := scalar_algebra (formal S times is_plus is_sum fma) in
    forall n d (c : Syntax.cond N) (e init : Syntax.exp A N) (env : list (@Values.value A)),
      (exists x, Values.eval (s := s) env init = Values.Num (Rounded x : Syntax.scalar A)) ->
      (forall a x, x < Syntax.count n -> Syntax.holds (Values.positions (Values.Num a :: Values.Pos x :: env)) c = true ->
         exists y, Values.eval (s := s) (Values.Num a :: Values.Pos x :: env) e = Values.Num y) ->
      let add x := @Syntax.EBin A N o (Syntax.EVar 0) x in
      Values.eval env (Syntax.EFold n d (Syntax.EIte c d (add e) (Syntax.EVar 0)) init) =
      Values.eval env (Syntax.EFold n d (add (Syntax.EIte c d e (@Syntax.ELit A N (inl minus_zero)))) init).
Proof.
  intros S times is_plus is_sum fma minus_zero N s o.
  exact (@GuardFma.guard_fused_sum S times is_plus is_sum fma minus_zero N s o).
Qed.

(** In binary32 and binary64 the literal -0 is such a one. *)
Theorem minus_nought_neutral :
  let neutral S := forall x, red_step (kernel_scalars S) KSum x (lit_value (kernel_scalars S) minus_nought) = x in
  neutral Instances.binary32 /\ neutral Instances.binary64.
Proof. exact GuardFma.minus_nought_neutral_floats. Qed.
