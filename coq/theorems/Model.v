(** * Headline theorems: from a graph to the unit that is emitted

    [compile] makes a unit of a graph and a plan of memory: functions of mini-C on row-major
    arrays, calls and look-ups with their places in an arena, weights.  [run_unit] runs it in
    64-bit indices; it ends with values, or with an index of a look-up outside, or is stuck. *)

From Coq Require Import Bool List NArith String ZArith.
From Coq Require Floats.SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph tensor.Tensor tensor.Scalars tensor.Attrs.
From Calque Require tensor.Instances.
From Calque Require Import rewrite.Sound rewrite.SoundModel.
From Calque Require kernel.Kernel kernel.Lower kernel.InlineAll model.Function model.FunctionProof.
From Calque Require model.GraphKernel model.GraphKernelProof model.Fused model.FusedProof.
From Calque Require pattern.Match rewrite.Rewrite rewrite.ProvedSound model.OptEmit model.OptInstance.
From Calque Require dpia.RangeKnown model.Checked.
From Calque Require dpia.Syntax dpia.Typing dpia.Values dpia.Target emit.Flat emit.Whole emit.WholeFlat emit.Relocate.
From Calque Require model.Refused model.Plan model.RefusedInstance model.CastInstance model.FetchInstance.
From Calque Require tensor.Shapes tensor.Ops tensor.OpLookup model.CallProof model.FetchProof.
From Calque Require Import tensor.Mixed.
From Calque Require tensor.Convert.
From Calque Require Import model.Unit model.Compile model.ModelProof model.Instance.
Import ListNotations.
Open Scope nat_scope.

(** What the oracle prints of a checked program of several assignments: it runs on flat arrays
    and every one that has a value by then holds it. *)
Theorem emitted_correct :
  forall (A : Syntax.algebra) (N : Syntax.sizes) (s : Syntax.sizing N) range,
    (forall G i n, range G i n = true -> Typing.in_range G i n) ->
    forall params (l : list (@Whole.assignment A N)) set env fm ie,
      Whole.checked range params set l = true -> WholeFlat.flat_holding params set env fm ->
      exists fm', Flat.frun ie (Whole.emitted params (Whole.translate_all params set l)) fm = Some fm' /\
        forall k d w, nth_error params k = Some d -> nth_error (Whole.meaning set l env) k = Some w ->
          Whole.all_set set l k = true ->
          Values.has_type d w /\ forall p, Values.leaf d p -> fm' k (Flat.offset d p) = Some (Values.look w p).
Proof. exact @WholeFlat.emitted_checked. Qed.

(** A test of index ranges that uses the conditions of both branches, on every part of an index. *)
Theorem range_known_sound :
  forall N (s : Syntax.sizing N) G i n, RangeKnown.range_known G i n = true -> Typing.in_range G i n.
Proof. exact @RangeKnown.range_known_sound. Qed.

(** With it lowered kernels are accepted, Concat and Pad among them; [range_interval] refuses
    Concat. *)
Theorem kernels_accepted :
  forallb (fun c => let '(name, attrs, ins, out) := c in Checked.accepted Checked.known name attrs ins out)
    Checked.cases = true /\
  Checked.accepted Checked.plain_interval "Concat" [("axis"%string, VInt 1)] [[2; 3]; [2; 2]] [2; 5] = false.
Proof. exact Checked.kernels_accepted. Qed.

(** The function of a kernel program, for any scalars: it leaves in its arrays what the program
    stores. *)
Theorem function_correct :
  forall S ins (p : list (Kernel.stmt S)) f st fm ie,
    Function.compile_function ins p = Some f ->
    (forall s t, In s p -> Kernel.in_bounds_stmt t (Function.shape_in (Function.tensors ins p) t) s) ->
    FunctionProof.held S ins st fm ->
    (forall k d o, nth_error (Function.f_params f) k = Some d -> o < cell_count d -> fm k o <> None) ->
    exists fm', Flat.frun (s := Syntax.numbers_sizing) ie (Function.f_body f) fm = Some fm' /\
      FunctionProof.held S (Function.tensors ins p) (Kernel.exec_prog p st) fm'.
Proof. exact FunctionProof.function_correct. Qed.

(** A call: the body on places inside of larger arrays does what it does on arrays of its own,
    races included, and changes nothing else. *)
Theorem relocate_correct :
  forall (A : Syntax.algebra) (N : Syntax.sizes) at_ (s : Syntax.sizing N) n W len,
    (forall r, n <= r -> Relocate.base at_ r = 0) ->
    (forall r r', n <= r -> Relocate.region at_ r = Relocate.region at_ r' -> r = r') ->
    (forall r o r' o', Relocate.writable n W r -> Relocate.inside n len r o -> Relocate.inside n len r' o' ->
       Relocate.spot at_ (r, o) = Relocate.spot at_ (r', o') -> r = r' /\ o = o') ->
    forall (c : Flat.fstm A N) ie fm fm' m,
      Relocate.sets_only n W c = true -> Flat.frun ie c fm = Some fm' -> Relocate.carried at_ n len fm m ->
      exists m', Flat.frun ie (Relocate.relocate at_ c) m = Some m' /\ Relocate.carried at_ n len fm' m' /\
        (Flat.ftouches ie (Relocate.relocate at_ c) = map (Relocate.spot_access at_) (Flat.ftouches ie c) /\
         forall x, In x (Flat.ftouches ie c) -> Relocate.lawful n W len x) /\
        forall q k, Relocate.untouched at_ n W len q k -> m' q k = m q k.
Proof. exact @Relocate.relocate_correct. Qed.

(** The run of a look-up is Gather: it leaves the operator's value, changes nothing else, and
    ends with an index outside exactly where the operator has no value. *)
Theorem fetch_correct :
  forall S axis tx tix x ix y (m : Flat.fstore (Lower.scalar_algebra (kernel_scalars S))) size,
    axis < List.length (dims tx) -> dims tx = p_dims x -> dims tix = p_dims ix ->
    p_dims y = Shapes.gather_dims axis (p_dims x) (p_dims ix) ->
    CallProof.has S m x (get (s_zero S) tx) -> CallProof.has S m ix (get (s_zero S) tix) ->
    look_ok size (OpLookup.gather_look axis (p_dims x) (p_dims ix)) x ix y = true ->
    (forall o, o < size -> m arena o <> None) ->
    match Ops.gather S axis tx tix with
    | Some t => exists m', run_look (OpLookup.gather_look axis (p_dims x) (p_dims ix)) x ix y m = Finished m' /\
        CallProof.has S m' y (get (s_zero S) t) /\ FetchProof.same S y m size m'
    | None => run_look (OpLookup.gather_look axis (p_dims x) (p_dims ix)) x ix y m = OutOfRange
    end.
Proof. exact FetchProof.fetch_correct. Qed.

(** What is emitted computes what the graph means: for any scalars, without any law of
    arithmetic, for every plan of memory that the compiler accepts and all inputs of the
    declared sizes.  The run gives the outputs, and then each node has a value; or it ends with
    an index outside, and then a Gather has none.  It is never stuck. *)
Theorem model_correct :
  forall S inputs constants shapes size plan g outputs u,
    compile (const_value S constants shapes) size plan g outputs = Some u ->
    inputs_fit inputs g ->
    match run_unit u inputs with
    | Finished outs => outputs_of S inputs constants shapes g outputs = Some outs /\ all_valued S inputs constants shapes g
    | OutOfRange => outside_at S inputs constants shapes g
    | Stuck => False
    end.
Proof. exact ModelProof.model_correct. Qed.

(** So where each node has a value, and for every input if there are no look-ups, it gives them. *)
Theorem model_runs :
  forall S inputs constants shapes size plan g outputs u,
    compile (const_value S constants shapes) size plan g outputs = Some u -> inputs_fit inputs g ->
    all_valued S inputs constants shapes g \/ no_fetches u = true ->
    exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\ run_unit u inputs = Finished outs.
Proof.
  intros S inputs constants shapes size plan g outputs u C fit [V | N];
    [exact (ModelProof.model_runs S inputs constants shapes size plan g outputs u C fit V)
    | exact (ModelProof.model_total S inputs constants shapes size plan g outputs u C fit N)].
Qed.

(** The same for a graph that was rewritten before: by the rules that keep every bit of floats. *)
Theorem opt_then_emit_correct :
  forall S inputs constants shapes rules fuel g outputs log size plan u,
    float_laws S -> incl rules (ProvedSound.rules_of ProvedSound.exactly) ->
    sane (tensors S inputs constants shapes) g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := Rewrite.rewrite_fix Match.commutative fuel rules g outputs log in
    compile (const_value S constants shapes) size plan h outputs' = Some u -> inputs_fit inputs h ->
    exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\ run_unit u inputs = Finished outs.
Proof. exact OptEmit.opt_then_emit. Qed.

(** The graph as one kernel program: run on the inputs and the constants it leaves the outputs;
    each load is inside, whatever sizes the other tensors have. *)
Theorem graph_kernel_correct :
  forall S inputs constants shapes g outputs P,
    GraphKernel.graph_kernel S (const_value S constants shapes) g outputs = Some P -> inputs_fit inputs g ->
    exists us, outputs_of S inputs constants shapes g outputs = Some us /\
      Forall2 (fun t u => In (t, dims u) (GraphKernel.p_tensors P) /\ good u /\ forall i,
          Kernel.exec_prog (GraphKernel.p_prog P) (GraphKernel.k_store S (GraphKernel.p_sources P) inputs) t i =
          get (s_zero S) u i)
        (GraphKernel.p_outputs P) us /\
      NoDup (map fst (GraphKernel.p_tensors P)) /\
      forall sizes_, (forall r, In r (GraphKernel.p_tensors P) -> sizes_ (fst r) = snd r) ->
        InlineAll.whole (kernel_scalars S) sizes_ (GraphKernel.p_prog P).
Proof.
  intros S inputs constants shapes g outputs P E fit.
  destruct (GraphKernelProof.graph_kernel_sound S inputs constants shapes g outputs P E fit) as (us & Eu & F & once & wh & _).
  exists us. auto.
Qed.

(** And so after inlining any tensors in turn and dropping what nothing needs. *)
Theorem graph_kernel_inlined :
  forall S inputs constants shapes g outputs P ts,
    GraphKernel.graph_kernel S (const_value S constants shapes) g outputs = Some P -> inputs_fit inputs g ->
    exists us, outputs_of S inputs constants shapes g outputs = Some us /\
      Forall2 (fun t u => forall i,
          Kernel.exec_prog (fst (InlineAll.live (kernel_scalars S) (GraphKernel.p_outputs P)
              (InlineAll.inline_all (kernel_scalars S) (GraphKernel.p_outputs P) ts (GraphKernel.p_prog P))))
            (GraphKernel.k_store S (GraphKernel.p_sources P) inputs) t i = get (s_zero S) u i)
        (GraphKernel.p_outputs P) us.
Proof. exact GraphKernelProof.graph_kernel_inlined. Qed.

(** A small model with Conv, Gather, Concat, MatMul and Softmax, whose plan lets places overlap:
    the compiler accepts it. *)
Theorem model_instance :
  forall ex (x : tensor (num (floats ex))), good x -> dims x = [1; 2; 4; 4] ->
    exists u outs,
      compile (const_value (floats ex) (the_constants ex) (fun _ => None)) 208 the_plan the_model [12] = Some u /\
      outputs_of (floats ex) (only ex x) (the_constants ex) (fun _ => None) the_model [12] = Some outs /\
      run_unit u (only ex x) = Finished outs.
Proof. exact Instance.the_model_correct. Qed.

(** The same model as one kernel program. *)
Theorem graph_kernel_instance :
  forall ex (x : tensor (num (floats ex))) ts, good x -> dims x = [1; 2; 4; 4] ->
    exists P us,
      GraphKernel.graph_kernel (floats ex) (const_value (floats ex) (the_constants ex) (fun _ => None)) the_model [12] = Some P /\
      outputs_of (floats ex) (only ex x) (the_constants ex) (fun _ => None) the_model [12] = Some us /\
      Forall2 (fun t u => forall i,
          Kernel.exec_prog (fst (InlineAll.live (kernel_scalars (floats ex)) (GraphKernel.p_outputs P)
              (InlineAll.inline_all (kernel_scalars (floats ex)) (GraphKernel.p_outputs P) ts (GraphKernel.p_prog P))))
            (GraphKernel.k_store (floats ex) (GraphKernel.p_sources P) (only ex x)) t i = get (s_zero (floats ex)) u i)
        (GraphKernel.p_outputs P) us.
Proof. exact Instance.the_kernel_correct. Qed.

(** The whole model as one function, after inlining any tensors: as [model_correct]. *)
Theorem fused_correct :
  forall S inputs constants shapes size plan inlined g outputs u,
    Fused.compile_fused (const_value S constants shapes) size plan inlined g outputs = Some u ->
    inputs_fit inputs g ->
    exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\ run_unit u inputs = Finished outs.
Proof. exact FusedProof.fused_correct. Qed.

(** The same model as one function; five of the ten tensors that its operators store are inlined. *)
Theorem fused_instance :
  forall ex (x : tensor (num (floats ex))), good x -> dims x = [1; 2; 4; 4] ->
    exists u outs,
      Fused.compile_fused (const_value (floats ex) (the_constants ex) (fun _ => None)) 98 [0; 48; 68; 73; 78] (seq 0 15)
        the_model [12] = Some u /\
      outputs_of (floats ex) (only ex x) (the_constants ex) (fun _ => None) the_model [12] = Some outs /\
      run_unit u (only ex x) = Finished outs.
Proof. exact Instance.the_fused_correct. Qed.

(** relu(identity(x)) at binary32: the rules apply, and what they leave is compiled. *)
Theorem opt_then_emit_instance :
  let '(h, outs, log) :=
    Rewrite.rewrite_fix Match.commutative 10 (ProvedSound.rules_of ProvedSound.exactly) OptInstance.tiny [3] [] in
  log <> [] /\
  exists u ts, compile (const_value Instances.binary32 (fun _ => None) (fun _ => None)) 2 [0] h outs = Some u /\
    outputs_of Instances.binary32 OptInstance.tiny_inputs (fun _ => None) (fun _ => None) OptInstance.tiny [3] = Some ts /\
    run_unit u OptInstance.tiny_inputs = Finished ts.
Proof. exact OptInstance.tiny_correct. Qed.

(** With the plan in which nothing overlaps: what [calque-oracle emit] prints, and [calque emit --plain] byte for byte. *)
Theorem stacked_correct :
  forall S inputs constants shapes g outputs u,
    Plan.compile_stacked (const_value S constants shapes) g outputs = Some u ->
    inputs_fit inputs g ->
    match run_unit u inputs with
    | Finished outs => outputs_of S inputs constants shapes g outputs = Some outs /\ all_valued S inputs constants shapes g
    | OutOfRange => outside_at S inputs constants shapes g
    | Stuck => False
    end.
Proof. exact Plan.stacked_correct. Qed.

Theorem stacked_instance :
  forall ex (x : tensor (num (floats ex))), good x -> dims x = [1; 2; 4; 4] ->
    exists u outs,
      Plan.compile_stacked (const_value (floats ex) (the_constants ex) (fun _ => None)) the_model [12] = Some u /\
      outputs_of (floats ex) (only ex x) (the_constants ex) (fun _ => None) the_model [12] = Some outs /\
      run_unit u (only ex x) = Finished outs.
Proof. exact RefusedInstance.stacked_instance. Qed.

(** Where the compiler refuses: the first node without a state after it, in the state before it. *)
Theorem refused_first :
  forall S constant_of size g st,
    (Refused.refused (S := S) constant_of size st g 0 = None <-> add_nodes constant_of size st g <> None) /\
    forall i st' n, Refused.refused constant_of size st g 0 = Some (i, st', n) ->
      exists before after, g = before ++ n :: after /\ i = List.length before /\
        add_nodes constant_of size st before = Some st' /\ add_node constant_of size st' n = None.
Proof.
  intros S constant_of size g st. split; [apply Refused.refused_iff |]. intros i st' n. apply Refused.refused_first.
Qed.

Theorem refused_instance :
  forall ex,
    option_map (fun r => (fst (fst r), Refused.reason_of (snd (fst r)) (snd r)))
      (Refused.refused (fun _ _ => made ex [1] (fun _ => 2%Z)) 100 (State (S := floats ex) [] [] [] [] [0] 0)
        RefusedInstance.gathers 0) =
    Some (4, Refused.IndexOutside).
Proof. exact RefusedInstance.refused_instance. Qed.

(** Cast, compiled: [x] at binary32 to int64, int32, bool, binary64, int8 and uint8, and back. *)
Theorem cast_instance :
  forall ex (x : tensor (num (mixed (CastInstance.some ex)))), good x -> dims x = [2; 3] ->
    exists u outs,
      CastInstance.the_unit ex = Some u /\
      outputs_of (mixed (CastInstance.some ex)) (CastInstance.only ex x) (fun _ => None) (fun _ => None)
        CastInstance.casts CastInstance.the_outputs = Some outs /\
      run_unit u (CastInstance.only ex x) = Finished outs.
Proof. exact CastInstance.casts_correct. Qed.

(** Each conversion, as a judgement that the function decides. *)
Theorem cast_iff :
  forall to a b, Convert.converts to a b <->
    s_cast (mixed standard) to (Convert.scalar_of a) = Convert.scalar_of b.
Proof. exact Convert.cast_iff. Qed.

(** What the compiled one gives of 2.5, -2.5, -0, a NaN, infinity, 2^31. *)
Theorem cast_values :
  forall ex, exists u outs,
    CastInstance.the_unit ex = Some u /\ run_unit u (CastInstance.only ex (CastInstance.the_input ex)) = Finished outs /\
    map (fun t => map (CastInstance.shown ex) (cells t)) outs = map (map Some) CastInstance.the_cells.
Proof. exact CastInstance.casts_values. Qed.

(** Rows at indices that are an input, over mixed numbers: for all inputs as above; at these the
    run gives the rows, and at these an index is outside. *)
Theorem fetch_instance :
  forall ex, let S := mixed (CastInstance.some ex) in
    exists u, FetchInstance.rows_unit S = Some u /\ no_fetches u = false /\
    (forall x ix, good x -> dims x = [3; 2] -> good ix -> dims ix = [2; 2] ->
       match run_unit u (FetchInstance.two S x ix) with
       | Finished outs =>
           outputs_of S (FetchInstance.two S x ix) FetchInstance.nothing FetchInstance.nothing FetchInstance.rows [5] = Some outs /\
           all_valued S (FetchInstance.two S x ix) FetchInstance.nothing FetchInstance.nothing FetchInstance.rows
       | OutOfRange => outside_at S (FetchInstance.two S x ix) FetchInstance.nothing FetchInstance.nothing FetchInstance.rows
       | Stuck => False
       end) /\
    (exists t, run_unit u (FetchInstance.two S (FetchInstance.its_rows ex) (FetchInstance.its_indices ex [0; -1; 1; -2]%Z)) = Finished [t] /\
       map (CastInstance.shown ex) (cells t) = map (fun z => Some (CastInstance.single z)) [0; 0; 6; 8; 2; 4; 2; 4]%Z) /\
    run_unit u (FetchInstance.two S (FetchInstance.its_rows ex) (FetchInstance.its_indices ex [0; 1; 3; 2]%Z)) = OutOfRange.
Proof. exact FetchInstance.rows_mixed. Qed.

(** And over [int64]. *)
Theorem fetch_instance_int64 :
  exists u, FetchInstance.rows_unit Instances.int64 = Some u /\
    run_unit u (FetchInstance.two Instances.int64 FetchInstance.some_rows (FetchInstance.some_indices [0; -1; 1; -2]%Z)) =
      Finished [Tensor [2; 2; 2] (map Some [0; 0; 6; 8; 2; 4; 2; 4]%Z)] /\
    run_unit u (FetchInstance.two Instances.int64 FetchInstance.some_rows (FetchInstance.some_indices [0; 1; -4; 2]%Z)) = OutOfRange.
Proof. exact FetchInstance.rows_int64. Qed.
