(** * The one function of a whole model computes what the graph means *)

From Coq Require Import Bool List Arith NArith ZArith Lia.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel kernel.KernelProof kernel.InlineAll.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs.
From Calque Require Import rewrite.SoundModel.
From Calque Require Import model.Function model.FunctionProof model.Unit model.CallProof model.Compile model.State.
From Calque Require Import model.OperatorStep model.ModelProof model.GraphKernel model.GraphKernelState model.GraphKernelProof.
From Calque Require Import model.Fused.
From Calque Require emit.Flat pattern.Pattern kernel.LanesSafe.
Import ListNotations.
Open Scope nat_scope.

Lemma reads_known_in {K : scalars} (p : list (Kernel.stmt K)) : forall known, reads_known known p = true ->
  forall s t, In s p -> In t (loads (body s)) -> In t known \/ In t (map out p).
Proof.
  induction p as [| s p IH]; intros known R s' t Is It; [destruct Is |].
  cbn [reads_known] in R. apply andb_true_iff in R as [R rest]. apply andb_true_iff in R as [R _].
  destruct Is as [<- | Is].
  - rewrite forallb_forall in R. left. apply existsb_eqb. now apply R.
  - destruct (IH _ rest s' t Is It) as [[<- | I] | I]; cbn; auto.
Qed.

Section FusedProof.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (Tensor.tensor (num S)).
  Notation memory := (Flat.fstore (Lower.scalar_algebra K)).
  Variables inputs_at constants : N -> option tensor.
  Variable shapes_of : N -> option sizes.
  Notation constant_of := (const_value S constants shapes_of).

  (** The places hold what the program is given. *)
  Lemma sources_held (size_of : tid -> sizes) (k0 : Kernel.store K) (m : memory) (sources : list (tid * source S)) :
    (forall t src, In (t, src) sources -> exists u, source_value S inputs_at src = Some u /\
       k0 t = get (s_zero S) u /\ good u /\ size_of t = dims u) ->
    (forall k u, inputs_at k = Some u -> forall o, m (input_array k) o = at_place S (cells u) o) ->
    forall off before, List.length before = off ->
    (forall o, m weights_array o = at_place S (before ++ snd (place_sources size_of off sources)) o) ->
    forall k t src q, nth_error sources k = Some (t, src) ->
      nth_error (fst (place_sources size_of off sources)) k = Some q -> has S m q (k0 t).
  Proof.
    intros from there. induction sources as [| [t0 src0] sources IH]; intros off before len W k t src q E Eq;
      [destruct k; discriminate |].
    assert (from' : forall t src, In (t, src) sources -> exists u, source_value S inputs_at src = Some u /\
      k0 t = get (s_zero S) u /\ good u /\ size_of t = dims u) by (intros t' src' I; apply from; now right).
    destruct (from t0 src0 (or_introl eq_refl)) as (u & Su & Ku & G & D).
    destruct src0 as [k' | u']; cbn [place_sources source_value] in *.
    - destruct (place_sources size_of off sources) as [ps w] eqn:P. cbn [fst snd] in *. destruct k as [| k]; cbn in E, Eq.
      + injection E as <- <-. injection Eq as <-. rewrite Ku, D. apply has_cells; [exact G |]. intros o _. now apply there.
      + apply (IH from' off before len) with (k := k) (src := src); rewrite ?P; auto.
    - injection Su as ->. destruct (place_sources size_of (off + List.length (cells u)) sources) as [ps w] eqn:P.
      cbn [fst snd] in *. destruct k as [| k]; cbn in E, Eq.
      + injection E as <- <-. injection Eq as <-. rewrite Ku, D. apply has_cells; [exact G |]. intros o lt.
        rewrite W. unfold at_place. f_equal. rewrite nth_error_app2 by lia. replace (off + o - List.length before) with o by lia.
        apply nth_error_app1. unfold good in G. lia.
      + apply (IH from' (off + List.length (cells u)) (before ++ cells u)) with (k := k) (src := src); rewrite ?P; auto.
        * rewrite app_length. lia.
        * intros o. rewrite W, <- app_assoc. reflexivity.
  Qed.

  Lemma sources_length size_of (sources : list (tid * source S)) : forall off,
    List.length (fst (place_sources size_of off sources)) = List.length sources.
  Proof.
    induction sources as [| [t [k | u]] sources IH]; intros off; [reflexivity | |]; cbn [place_sources];
      [specialize (IH off) | specialize (IH (off + List.length (cells u)))];
      destruct (place_sources size_of _ sources); cbn in *; now rewrite IH.
  Qed.

  Lemma program_correct size plan inlined P us u : compile_program size plan inlined P = Some u -> program_gives S inputs_at P us ->
    run_unit u inputs_at = Finished us.
  Proof.
    unfold compile_program. intros C (F & once & wh & sonce & from).
    set (shapes := shape_in (p_tensors P)) in *. set (p := fused inlined P) in *. set (ins := given_tensors P) in *.
    destruct (compile_function ins p) as [f |] eqn:Cf; [| discriminate].
    destruct (place_sources shapes 0 (p_sources P)) as [given w] eqn:Ps.
    destruct (allot 0 plan (map snd (stored p))) as [[news rest] |] eqn:Al; [| discriminate].
    match type of C with match ?o with _ => _ end = _ => destruct o as [outs |] eqn:To; [| discriminate C] end.
    destruct (function_ok size f (given ++ news)) eqn:ok; [| discriminate]. injection C as <-.
    set (k0 := k_store S (p_sources P) inputs_at) in *.
    assert (whole_ : whole K shapes (p_prog P)) by (apply wh; intros [t d] I; now apply shape_at).
    destruct (inline_all_keeps K shapes (p_outputs P) inlined (p_prog P) whole_) as [whole1 same].
    assert (whole_p : whole K shapes p) by (apply live_whole; exact whole1).
    destruct (compiled S ins p f Cf) as [f_ins tonce].
    assert (reads : reads_known (map fst ins) p = true).
    { unfold compile_function in Cf. destruct (distinct _ && reads_known (map fst ins) p) eqn:B; [| discriminate].
      now apply andb_true_iff in B. }
    assert (sources_are : forall t src, In (t, src) (p_sources P) -> exists u, source_value S inputs_at src = Some u /\
      k0 t = get (s_zero S) u /\ good u /\ shapes t = dims u).
    { intros t src I. destruct (from t src I) as (v & Sv & It & G). exists v. split; [exact Sv |].
      split; [exact (store_there S inputs_at (p_sources P) sonce t src v I Sv) |]. split; [exact G |]. now apply shape_at. }
    assert (ins_len : List.length ins = List.length (p_sources P)) by (unfold ins, given_tensors; now rewrite map_length).
    assert (given_len : List.length given = List.length ins).
    { rewrite ins_len, <- (sources_length shapes (p_sources P) 0), Ps. reflexivity. }
    assert (same_sizes : forall t, In t (map fst (tensors ins p)) -> shape_in (tensors ins p) t = shapes t).
    { intros t I. pose proof (known_in _ tonce t I) as It. revert It. generalize (shape_in (tensors ins p) t) as d.
      intros d It. unfold tensors in It. apply in_app_iff in It as [It | It].
      - unfold ins, given_tensors in It. apply in_map_iff in It. destruct It as (x & Ex & _). now injection Ex as <- <-.
      - unfold stored in It. apply in_map_iff in It. destruct It as (s' & Es & Is'). injection Es as <- <-.
        now apply (whole_p s'). }
    set (m0 := loaded (Unit [Call f (given ++ news)] size w outs) inputs_at).
    destruct (call_correct S ins p f (given ++ news) size k0 m0 Cf f_ins ok) as (m' & Run & res & _).
    { intros s t Is. destruct (whole_p s Is) as [_ B].
      destruct (in_dec Nat.eq_dec t (map fst (tensors ins p))) as [I | no].
      - rewrite (same_sizes t I). apply B.
      - intros i _. apply LanesSafe.unloaded_in_bounds. intros L. apply no. unfold tensors. rewrite map_app. apply in_or_app.
        destruct (reads_known_in p _ reads s t Is L) as [I | I]; [now left |]. right. unfold stored. now rewrite map_map. }
    { intros k t d q Ek Eq. unfold ins, given_tensors in Ek. rewrite nth_error_map in Ek.
      destruct (nth_error (p_sources P) k) as [[t' src] |] eqn:Es; [| discriminate]. injection Ek as <- _.
      pose proof (nth_error_bound _ _ _ Es) as lt. rewrite nth_error_app1 in Eq by lia.
      apply (sources_held shapes k0 m0 (p_sources P) sources_are) with (off := 0) (before := []) (k := k) (src := src); auto.
      - intros k' v It o. unfold m0. now apply loaded_input.
      - intros o. rewrite Ps. reflexivity.
      - rewrite Ps. exact Eq. }
    { intros o lt. unfold m0. now apply loaded_arena. }
    unfold run_unit. cbn [u_calls u_outputs]. unfold run_calls. cbn [each]. fold m0. rewrite Run. cbn [and_then].
    assert (final : forall t i, In t (p_outputs P) -> exec_prog p k0 t i = exec_prog (p_prog P) k0 t i).
    { intros t i I. unfold p, fused. now rewrite live_correct, same. }
    assert (gen : forall ts vs qs, incl ts (p_outputs P) ->
      Forall2 (fun t v => In (t, dims v) (p_tensors P) /\ good v /\
        forall i, exec_prog (p_prog P) k0 t i = get (s_zero S) v i) ts vs ->
      traverse (fun t => if existsb (Nat.eqb t) (map fst (tensors ins p))
                         then nth_error (given ++ news) (param (tensors ins p) t) else None) ts = Some qs ->
      traverse (read_place m') qs = Some vs).
    { intros ts vs qs sub F2. revert qs. induction F2 as [| t v ts vs (It & G & e) F2 IH]; intros qs T; cbn [traverse] in T.
      - injection T as <-. reflexivity.
      - destruct (existsb (Nat.eqb t) (map fst (tensors ins p))) eqn:B; [| discriminate]. apply existsb_eqb in B.
        destruct (nth_error (given ++ news) (param (tensors ins p) t)) as [q |] eqn:Eq; [| discriminate].
        match type of T with match ?o with _ => _ end = _ => destruct o as [qs' |]; [| discriminate T] end. injection T as <-.
        pose proof (param_at _ tonce _ _ (known_in _ tonce t B)) as Et.
        destruct (res _ _ _ _ Et Eq) as [D hq]. rewrite (same_sizes t B) in D.
        cbn [traverse]. rewrite (read_held S m' q v); [| | exact G |].
        + rewrite (IH (fun x I => sub x (or_intror I)) qs' eq_refl). reflexivity.
        + rewrite D. symmetry. now apply shape_at.
        + intros i I. rewrite (hq i I). do 2 f_equal. rewrite final by (apply sub; now left). apply e. }
    now rewrite (gen (p_outputs P) us outs (incl_refl _) F To).
  Qed.

  Theorem fused_correct size plan inlined g outputs u :
    compile_fused constant_of size plan inlined g outputs = Some u -> inputs_fit inputs_at g ->
    exists outs, outputs_of S inputs_at constants shapes_of g outputs = Some outs /\ run_unit u inputs_at = Finished outs.
  Proof.
    unfold compile_fused. intros C fit.
    destruct (graph_kernel S constant_of g outputs) as [P |] eqn:E; [| discriminate].
    destruct (graph_kernel_sound S inputs_at constants shapes_of g outputs P E fit) as (us & Eu & gives).
    exists us. split; [exact Eu |]. exact (program_correct size plan inlined P us u C gives).
  Qed.
End FusedProof.
