(** * A whole model with its sums of products fused as one function

    The program of a graph, with its sums in lanes or not, its sums of products fused, compiled as
    [Fused] compiles the program itself.  Its numbers are formal: what the function computes with
    may be a product that is not rounded.  Memory holds rounded ones when the run begins, and its
    outputs are rounded again: what the formula of [kernel.Fma] says, and where nothing is rounded
    what the graph means. *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel kernel.KernelProof kernel.Numbers kernel.InlineAll.
From Calque Require Import kernel.LanesSums kernel.Fma kernel.FmaProof.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.IndexProof tensor.OpLanes tensor.OpFma
  tensor.OpFmaProof.
From Calque Require Import rewrite.SoundModel model.Function model.FunctionProof model.Unit model.CallProof model.Compile.
From Calque Require Import model.State model.ModelProof model.GraphKernel model.GraphKernelState model.GraphKernelProof.
From Calque Require Import model.Fused model.FusedProof model.FusedLanes.
From Calque Require pattern.Pattern kernel.Lower kernel.LanesSafe dpia.Syntax emit.Flat emit.Machine.
Import ListNotations.
Open Scope nat_scope.

Section FusedFma.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Variable fma : num S -> num S -> num S -> num S.
  Notation F := (formal_scalars S fma).
  Notation tensor := (Tensor.tensor (num S)).
  Notation numbers := (Flat.fstore (Lower.scalar_algebra K)).
  Notation memory := (Flat.fstore (Lower.scalar_algebra F)).
  Notation formal_store := (as_formal (S := K) OMul is_addition sums fma).
  Notation fma_of := (exec_fma_prog (S := K) is_product sums fma is_nought minus_nought).

  (** ** The unit, and its run *)

  Record fma_unit := FmaUnit {
    fu_body : function F;
    fu_args : list place;
    fu_arena : nat;
    fu_weights : list (num S);
    fu_outputs : list place
  }.

  (** The program with its fused sums, inlined. *)
  Definition fused_fma (inlined : list tid) (P : program S) : list (Kernel.stmt F) :=
    fst (live F (p_outputs P) (inline_all F (p_outputs P) inlined (op_fma S fma (p_prog P)))).

  Definition compile_program_fma (size : nat) (plan : list nat) (inlined : list tid) (P : program S) : option fma_unit :=
    let p := fused_fma inlined P in
    let ins := given_tensors P in
    let? f := compile_function ins p in
    let (given, w) := place_sources (shape_in (p_tensors P)) 0 (p_sources P) in
    let? (news, _) := allot 0 plan (map snd (stored p)) in
    let args := given ++ news in
    let ts := tensors ins p in
    let? outs := traverse (fun t => if existsb (Nat.eqb t) (map fst ts) then nth_error args (param ts t) else None)
                          (p_outputs P) in
    if function_ok size f args then Some (FmaUnit f args size w outs) else None.

  Definition chosen_sums (in_lanes : bool) (P : program S) : program S := if in_lanes then program_lanes S P else P.

  Definition compile_fused_fma (in_lanes : bool) (constant_of : N -> option value -> option tensor) (size : nat) (plan : list nat)
      (inlined : list tid) (g : Pattern.tgraph) (outputs : list nat) : option fma_unit :=
    let? P := graph_kernel S constant_of g outputs in compile_program_fma size plan inlined (chosen_sums in_lanes P).

  (** Memory of numbers as one of formal numbers, and the rounded ones of that. *)
  Definition to_formal (m : numbers) : memory := fun q o => option_map (option_map (@Rounded K)) (m q o).
  Definition to_rounded (m : memory) : numbers := fun q o =>
    match m q o with Some (Some (Rounded x)) => Some (Some x) | _ => None end.

  Definition run_fma_unit (u : fma_unit) (inputs : N -> option tensor) : outcome (list tensor) :=
    let m := loaded (Unit (S := S) [] (fu_arena u) (fu_weights u) []) inputs in
    and_then (sure (Machine.frun64 (s := Syntax.numbers_sizing) room start (call_body (fu_body u) (fu_args u)) (to_formal m)))
      (fun m => sure (traverse (read_place (to_rounded m)) (fu_outputs u))).

  (** ** What it computes *)

  Variables inputs_at constants : N -> option tensor.
  Variable shapes_of : N -> option sizes.
  Notation constant_of := (const_value S constants shapes_of).
  Notation held_by P := (k_store S (p_sources P) inputs_at).

  (** What the formula gives for a tensor that the program has. *)
  Definition in_fma (P : program S) (t : tid) (u : tensor) : tensor :=
    Tensor.tabulate (dims u) (fma_of (p_prog P) (held_by P) t).

  Definition outputs_fused (P : program S) (us : list tensor) : list tensor :=
    map (fun tu => in_fma P (fst tu) (snd tu)) (combine (p_outputs P) us).

  Theorem program_fma_correct size plan inlined P us u : compile_program_fma size plan inlined P = Some u ->
    program_gives S inputs_at P us -> run_fma_unit u inputs_at = Finished (outputs_fused P us).
  Proof.
    unfold compile_program_fma. intros C (F2 & once & wh & sonce & from).
    set (shapes := shape_in (p_tensors P)) in *. set (p := fused_fma inlined P) in *. set (ins := given_tensors P) in *.
    destruct (compile_function ins p) as [f |] eqn:Cf; [| discriminate].
    destruct (place_sources shapes 0 (p_sources P)) as [given w] eqn:Ps.
    destruct (allot 0 plan (map snd (stored p))) as [[news rest] |] eqn:Al; [| discriminate].
    match type of C with match ?o with _ => _ end = _ => destruct o as [outs |] eqn:To; [| discriminate C] end.
    destruct (function_ok size f (given ++ news)) eqn:ok; [| discriminate]. injection C as <-.
    set (k0 := k_store S (p_sources P) inputs_at) in *.
    assert (whole_ : whole F shapes (op_fma S fma (p_prog P))).
    { apply (fma_prog_whole (S := K)). apply wh. intros [t d] I. now apply shape_at. }
    destruct (inline_all_keeps F shapes (p_outputs P) inlined (op_fma S fma (p_prog P)) whole_) as [whole1 same].
    assert (whole_p : whole F shapes p) by (apply live_whole; exact whole1).
    assert (f_ins : f_inputs f = List.length ins).
    { unfold compile_function in Cf. destruct (distinct _ && _); [| discriminate].
      destruct (traverse _ p); [| discriminate]. now injection Cf as <-. }
    assert (checks : distinct (map fst (tensors ins p)) = true /\ reads_known (map fst ins) p = true).
    { unfold compile_function in Cf. destruct (distinct _ && reads_known (map fst ins) p) eqn:B; [| discriminate].
      now apply andb_true_iff in B. }
    destruct checks as [tonce reads]. apply distinct_iff in tonce.
    assert (sources_are : forall t src, In (t, src) (p_sources P) -> exists u, source_value S inputs_at src = Some u /\
      k0 t = get (s_zero S) u /\ good u /\ shapes t = dims u).
    { intros t src I. destruct (from t src I) as (v & Sv & It & G). exists v. split; [exact Sv |].
      split; [exact (store_there S inputs_at (p_sources P) sonce t src v I Sv) |]. split; [exact G |]. now apply shape_at. }
    assert (ins_len : List.length ins = List.length (p_sources P)) by (unfold ins, given_tensors; now rewrite map_length).
    assert (given_len : List.length given = List.length ins).
    { rewrite ins_len, <- (sources_length S shapes (p_sources P) 0), Ps. reflexivity. }
    assert (same_sizes : forall t, In t (map fst (tensors ins p)) -> shape_in (tensors ins p) t = shapes t).
    { intros t I. pose proof (known_in _ tonce t I) as It. revert It. generalize (shape_in (tensors ins p) t) as d.
      intros d It. unfold tensors in It. apply in_app_iff in It as [It | It].
      - unfold ins, given_tensors in It. apply in_map_iff in It. destruct It as (x & Ex & _). now injection Ex as <- <-.
      - unfold stored in It. apply in_map_iff in It. destruct It as (s' & Es & Is'). injection Es as <- <-.
        now apply (whole_p s'). }
    set (l0 := Unit (S := S) [] size w []). set (m0 := loaded l0 inputs_at).
    destruct (body_correct F ins p f (given ++ news) size (formal_store k0) (to_formal m0) Cf f_ins ok) as (m' & Run & res & _).
    { intros s t Is. destruct (whole_p s Is) as [_ B].
      destruct (in_dec Nat.eq_dec t (map fst (tensors ins p))) as [I | no].
      - rewrite (same_sizes t I). apply B.
      - intros i _. apply LanesSafe.unloaded_in_bounds. intros L. apply no. unfold tensors. rewrite map_app. apply in_or_app.
        destruct (reads_known_in p _ reads s t Is L) as [I | I]; [now left |]. right. unfold stored. now rewrite map_map. }
    { intros k t d q Ek Eq. unfold ins, given_tensors in Ek. rewrite nth_error_map in Ek.
      destruct (nth_error (p_sources P) k) as [[t' src] |] eqn:Es; [| discriminate]. injection Ek as <- _.
      pose proof (nth_error_bound _ _ _ Es) as lt. rewrite nth_error_app1 in Eq by lia.
      assert (H : has S m0 q (k0 t')).
      { apply (sources_held S inputs_at shapes k0 m0 (p_sources P) sources_are)
          with (off := 0) (before := []) (k := k) (src := src); auto.
        - intros k' v It o. unfold m0. now apply loaded_input.
        - intros o. rewrite Ps. reflexivity.
        - rewrite Ps. exact Eq. }
      intros i I. unfold to_formal. rewrite (H i I). reflexivity. }
    { intros o lt. unfold to_formal. pose proof (loaded_arena l0 inputs_at o lt) as there. fold m0 in there.
      destruct (m0 arena o); [discriminate | congruence]. }
    unfold run_fma_unit. cbn [fu_arena fu_weights fu_body fu_args fu_outputs]. fold l0. fold m0. rewrite Run. cbn [sure and_then].
    assert (final : forall t i, In t (p_outputs P) ->
      exec_prog p (formal_store k0) t i = Rounded (S := K) (fma_of (p_prog P) k0 t i)).
    { intros t i I. unfold p, fused_fma. rewrite live_correct, same by exact I. apply op_fma_value. }
    assert (gen : forall ts vs qs, incl ts (p_outputs P) ->
      Forall2 (fun t v => In (t, dims v) (p_tensors P) /\ good v /\
        forall i, exec_prog (p_prog P) k0 t i = get (s_zero S) v i) ts vs ->
      traverse (fun t => if existsb (Nat.eqb t) (map fst (tensors ins p))
                         then nth_error (given ++ news) (param (tensors ins p) t) else None) ts = Some qs ->
      traverse (read_place (to_rounded m')) qs = Some (map (fun tu => in_fma P (fst tu) (snd tu)) (combine ts vs))).
    { intros ts vs qs sub G2. revert qs. induction G2 as [| t v ts vs (It & G & e) G2 IH]; intros qs T; cbn [traverse] in T.
      - injection T as <-. reflexivity.
      - destruct (existsb (Nat.eqb t) (map fst (tensors ins p))) eqn:B; [| discriminate]. apply existsb_eqb in B.
        destruct (nth_error (given ++ news) (param (tensors ins p) t)) as [q |] eqn:Eq; [| discriminate].
        match type of T with match ?o with _ => _ end = _ => destruct o as [qs' |]; [| discriminate T] end. injection T as <-.
        pose proof (param_at _ tonce _ _ (known_in _ tonce t B)) as Et.
        destruct (res _ _ _ _ Et Eq) as [D hq]. rewrite (same_sizes t B) in D.
        assert (Dv : dims v = p_dims q) by (rewrite D; symmetry; now apply shape_at).
        cbn [traverse combine map fst snd]. rewrite (read_held S (to_rounded m') q (in_fma P t v));
          [| exact Dv | apply good_tabulate |].
        + rewrite (IH (fun x I => sub x (or_intror I)) qs' eq_refl). reflexivity.
        + intros i I. unfold to_rounded. rewrite (hq i I), final by (apply sub; now left).
          unfold in_fma. rewrite get_tabulate; [reflexivity |]. now rewrite Dv. }
    now rewrite (gen (p_outputs P) us outs (incl_refl _) F2 To).
  Qed.

  (** The sizes of outputs are all that it takes of them. *)
  Lemma outputs_fused_dims P us vs : map dims us = map dims vs -> outputs_fused P us = outputs_fused P vs.
  Proof.
    unfold outputs_fused. revert us vs. induction (p_outputs P) as [| t ts IH]; intros us vs E; [reflexivity |].
    destruct us as [| u us], vs as [| v vs]; try discriminate E; [reflexivity |]. cbn [map] in E. injection E as Eu E.
    cbn [combine map fst snd]. rewrite (IH us vs E). unfold in_fma. now rewrite Eu.
  Qed.

  Definition chosen_outputs (in_lanes : bool) (P : program S) (us : list tensor) : list tensor :=
    if in_lanes then outputs_in_lanes S inputs_at P us else us.

  Lemma chosen_gives in_lanes P us : program_gives S inputs_at P us ->
    program_gives S inputs_at (chosen_sums in_lanes P) (chosen_outputs in_lanes P us).
  Proof. destruct in_lanes; [apply program_lanes_gives | trivial]. Qed.

  (** What the function computes, over any scalars. *)
  Theorem fused_fma_runs in_lanes size plan inlined g outputs u :
    compile_fused_fma in_lanes constant_of size plan inlined g outputs = Some u -> inputs_fit inputs_at g ->
    exists P us, graph_kernel S constant_of g outputs = Some P /\
      outputs_of S inputs_at constants shapes_of g outputs = Some us /\
      run_fma_unit u inputs_at = Finished (outputs_fused (chosen_sums in_lanes P) us).
  Proof.
    unfold compile_fused_fma. intros C fit. destruct (graph_kernel S constant_of g outputs) as [P |] eqn:E; [| discriminate].
    destruct (graph_kernel_sound S inputs_at constants shapes_of g outputs P E fit) as (us & Eu & gives).
    exists P, us. split; [reflexivity |]. split; [exact Eu |].
    rewrite (program_fma_correct size plan inlined _ _ u C (chosen_gives in_lanes P us gives)). f_equal.
    apply outputs_fused_dims. unfold chosen_outputs. destruct in_lanes; [| reflexivity]. destruct gives as (G & _).
    unfold outputs_in_lanes. clear - G. induction G as [| t v ts vs _ G IH]; [reflexivity |]. cbn [combine map fst snd].
    now rewrite IH.
  Qed.

  (** Where nothing is rounded, and sums may be added in any order if they are in lanes: what the graph means. *)
  Theorem fused_fma_correct in_lanes size plan inlined g outputs u :
    fma_laws S fma -> (in_lanes = true -> any_order (S := K) sums OAdd same_sum) ->
    compile_fused_fma in_lanes constant_of size plan inlined g outputs = Some u -> inputs_fit inputs_at g ->
    exists outs, outputs_of S inputs_at constants shapes_of g outputs = Some outs /\ run_fma_unit u inputs_at = Finished outs.
  Proof.
    intros L order. unfold compile_fused_fma. intros C fit.
    destruct (graph_kernel S constant_of g outputs) as [P |] eqn:E; [| discriminate].
    destruct (graph_kernel_sound S inputs_at constants shapes_of g outputs P E fit) as (us & Eu & gives).
    exists us. split; [exact Eu |]. pose proof (chosen_gives in_lanes P us gives) as given.
    rewrite (program_fma_correct size plan inlined _ _ u C given). f_equal.
    assert (same : chosen_outputs in_lanes P us = us).
    { unfold chosen_outputs. destruct in_lanes; [| reflexivity]. apply outputs_in_lanes_same; [now apply order | exact gives]. }
    rewrite same in given |- *. destruct given as (G & _). unfold outputs_fused.
    set (Q := chosen_sums in_lanes P) in *. clearbody Q. clear - G L.
    induction G as [| t v ts vs (_ & Gv & V) G IH]; [reflexivity |]. cbn [combine map fst snd]. rewrite IH. f_equal.
    unfold in_fma.
    apply (tensor_ext (s_zero S)); [apply good_tabulate | exact Gv | reflexivity |]. intros i B.
    rewrite get_tabulate by exact B. rewrite <- V.
    exact (exec_fma_prog_same (S := K) OMul is_product sums fma is_nought minus_nought (kernel_laws S fma L) (p_prog Q) _ _
             (fun _ _ => eq_refl) t i).
  Qed.
End FusedFma.
