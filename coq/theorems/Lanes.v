(** * Headline theorems: sums in lanes

    What [--sums=lanes] makes of kernels, of the values of operators, and that it is the same where
    sums may be added in any order. *)

From Coq Require Import String List Bool ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Numbers kernel.Lanes.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.OpLanes.
From Calque Require kernel.InlineAll kernel.LanesProof kernel.LanesSums kernel.LanesSafe tensor.OpCorrect tensor.OpLanesProof.
From Calque Require Import rewrite.SoundModel model.Unit model.ModelProof.
From Calque Require tensor.Infer graph.Graph rewrite.GraphEval rewrite.GraphLanes rewrite.GraphLanesProof.
From Calque Require model.GraphKernel model.FusedLanes.
Import ListNotations.
Open Scope nat_scope.

(** Over any scalars, without any law of arithmetic: the kernel stores what the formula of [eval_lanes]
    says, in every tensor but its new temporaries. *)
Theorem lanes_value :
  forall S (is_sum : red S -> bool) (plus : bop S) (lane : red S -> red S) (temp : nat -> tid) first p st u i,
    (forall j k, temp j = temp k -> j = k) ->
    (forall s t, In s p -> In t (loads (body s)) -> LanesProof.fresh temp first t) ->
    LanesProof.fresh temp first u ->
    exec_prog (lanes_prog is_sum plus lane temp first p) st u i = exec_lanes_prog is_sum plus lane p st u i.
Proof.
  intros S is_sum plus lane temp first p st u i inj F Fu. symmetry.
  exact (LanesProof.lanes_prog_value is_sum plus lane temp inj first p first st st (le_n _) F (fun _ _ _ => eq_refl) u Fu i).
Qed.

(** Where sums start from 0 and add, commutatively and associatively, it is what the kernel stored. *)
Theorem lanes_same :
  forall S (is_sum : red S -> bool) (plus : bop S) (lane : red S -> red S) (temp : nat -> tid) first p st u i,
    LanesSums.any_order is_sum plus lane ->
    (forall j k, temp j = temp k -> j = k) ->
    (forall s t, In s p -> In t (loads (body s)) -> LanesProof.fresh temp first t) ->
    LanesProof.fresh temp first u ->
    exec_prog (lanes_prog is_sum plus lane temp first p) st u i = exec_prog p st u i.
Proof.
  intros S is_sum plus lane temp first p st u i L inj F Fu.
  exact (LanesSums.lanes_prog_same is_sum plus lane temp L first p st inj F u Fu i).
Qed.

(** Tensors are stored in their sizes, and loads stay inside; [shapes'] has the sizes of the temporaries, too. *)
Theorem lanes_whole :
  forall S (is_sum : red S -> bool) (plus : bop S) (lane : red S -> red S) (temp : nat -> tid) first p shapes shapes',
    (forall s t, In s p -> In t (loads (body s)) -> LanesProof.fresh temp first t) ->
    (forall t, LanesProof.fresh temp first t -> shapes' t = shapes t) ->
    (forall s, In s (lanes_prog is_sum plus lane temp first p) -> shapes' (out s) = Kernel.dims s) ->
    InlineAll.whole S shapes p -> InlineAll.whole S shapes' (lanes_prog is_sum plus lane temp first p).
Proof.
  intros S is_sum plus lane temp first p shapes shapes'.
  exact (LanesSafe.lanes_prog_whole S is_sum plus lane temp first first p shapes shapes').
Qed.

(** The value that an operator has then is what its kernel, so changed, stores when it is run on the inputs. *)
Theorem op_value_lanes_stored :
  forall S name l vs p ts d u,
    kernel_in_lanes S name l vs = Some (p, ts, d) ->
    output S d (lanes_run S p (named S ts)) = Some u ->
    op_value_lanes S name l vs = Some (GTensor u) /\ Tensor.dims u = d /\
    forall i, get (s_zero S) u i = exec_prog (op_lanes S p) (held S (named S ts)) (tY 0) i.
Proof. exact OpLanesProof.op_value_lanes_stored. Qed.

(** Where sums may be added in any order, that is the operator's value. *)
Theorem op_value_lanes_same :
  forall S name l vs,
    LanesSums.any_order (S := kernel_scalars S) sums OAdd same_sum -> Forall Infer.good_value vs ->
    op_value_lanes S name l vs = op_value S name l vs.
Proof. exact OpLanesProof.op_value_lanes_same. Qed.

(** And what the oracle says of a graph with its sums in lanes is what the graph means. *)
Theorem graph_lanes_same :
  forall S inputs constants g outs,
    LanesSums.any_order (S := kernel_scalars S) sums OAdd same_sum -> Graph.wf g ->
    GraphLanes.graph_eval_lanes S inputs constants g outs = GraphEval.graph_eval S inputs constants g outs.
Proof.
  intros S inputs constants g outs L ok. exact (GraphLanesProof.graph_lanes_same S inputs constants g L outs ok).
Qed.

(** A whole model as one function, its sums in lanes: for all inputs that fit, and over any scalars, a run gives what the formula
    makes of the program of its graph. *)
Theorem fused_lanes_runs :
  forall S inputs constants shapes size plan inlined g outputs u,
    FusedLanes.compile_fused_lanes S (const_value S constants shapes) size plan inlined g outputs = Some u ->
    inputs_fit inputs g ->
    exists P us, GraphKernel.graph_kernel S (const_value S constants shapes) g outputs = Some P /\
      outputs_of S inputs constants shapes g outputs = Some us /\
      run_unit u inputs = Finished (FusedLanes.outputs_in_lanes S inputs P us).
Proof. exact FusedLanes.fused_lanes_runs. Qed.

(** Where sums may be added in any order, it gives what the graph means. *)
Theorem fused_lanes_correct :
  forall S inputs constants shapes size plan inlined g outputs u,
    LanesSums.any_order (S := kernel_scalars S) sums OAdd same_sum ->
    FusedLanes.compile_fused_lanes S (const_value S constants shapes) size plan inlined g outputs = Some u ->
    inputs_fit inputs g ->
    exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\ run_unit u inputs = Finished outs.
Proof. exact FusedLanes.fused_lanes_correct. Qed.
