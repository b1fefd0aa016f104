(** * A whole model with its sums in lanes as one function

    The program of a graph with its sums in lanes, compiled as [Fused] compiles the program itself:
    its outputs are those of the program, read by the formula of [kernel.Lanes]; where sums may be
    added in any order, what the graph means. *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel kernel.KernelProof kernel.Numbers kernel.InlineAll.
From Calque Require Import kernel.Lanes kernel.LanesProof kernel.LanesSums kernel.LanesSafe.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpLanes tensor.OpLanesProof.
From Calque Require Import rewrite.SoundModel model.Function model.FunctionProof model.Unit model.Compile model.ModelProof.
From Calque Require Import model.GraphKernel model.GraphKernelState model.GraphKernelProof model.Fused model.FusedProof.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

(** ** Statements of the changed program *)

Section Statements.
  Variable S : scalars.
  Variable is_sum : red S -> bool.
  Variable plus : bop S.
  Variable lane : red S -> red S.
  Variable temp : nat -> tid.
  Notation lanes_prog := (lanes_prog is_sum plus lane temp).

  (** Temporaries with numbers of their own, and the statements there were, in their sizes. *)
  Definition stores_temp (next n : nat) (s : stmt S) : Prop := exists j, next <= j < next + n /\ out s = temp j.

  Lemma lanes_prog_stores (p : list (stmt S)) : forall next, exists n,
    (forall s, In s (lanes_prog next p) -> stores_temp next n s \/ exists s0, In s0 p /\ out s = out s0 /\ Kernel.dims s = Kernel.dims s0) /\
    forall keep, (forall j, next <= j -> keep (temp j) = true) -> (forall s, In s p -> keep (out s) = false) ->
      map out (filter (fun s => keep (out s)) (lanes_prog next p)) = map temp (seq next n).
  Proof.
    induction p as [| s p IH]; intros next; [exists 0; split; [intros s [] | reflexivity] |].
    cbn [Lanes.lanes_prog]. destruct (partials is_sum plus lane temp (Kernel.dims s) (body s) next) as [O _].
    unfold lanes_stmt. destruct (lanes_ex is_sum plus lane temp (Kernel.dims s) next (body s)) as [e q]. cbn [snd] in O.
    rewrite app_length. cbn [length]. replace (length q + 1 - 1) with (length q) by lia.
    destruct (IH (next + length q)) as (n & H & F). exists (length q + n). split.
    - intros s1 I1. apply in_app_iff in I1 as [I1 | I1]; [apply in_app_iff in I1 as [I1 | [<- | []]] |].
      + left. assert (I : In (out s1) (map out q)) by now apply in_map. rewrite O in I.
        apply in_map_iff in I as (j & E & Ij). apply in_seq in Ij. exists j. split; [lia | now symmetry].
      + right. exists s. repeat split. now left.
      + destruct (H s1 I1) as [(j & B & E) | (s0 & I0 & E)]; [left; exists j; split; [lia | exact E] |].
        right. exists s0. split; [now right | exact E].
    - intros keep K D. rewrite !filter_app, !map_app. cbn [filter out]. rewrite (D s (or_introl eq_refl)).
      rewrite app_nil_r, (F keep), seq_app, map_app; [| intros j le; apply K; lia | intros s1 I1; apply D; now right].
      f_equal. rewrite <- O. f_equal. clear - O K. revert next O K.
      induction q as [| s1 q IHq]; intros next O K; [reflexivity |]. cbn [length seq map] in O. injection O as E O.
      cbn [filter]. rewrite E, (K next (le_n _)). f_equal. apply (IHq (Datatypes.S next) O). intros j le. apply K. lia.
  Qed.
End Statements.

(** ** Programs *)

Section FusedLanes.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (Tensor.tensor (num S)).

  (** Tensors of a program have numbers; those from here on are free. *)
  Definition free_number (P : program S) : nat :=
    list_max (map Datatypes.S (map fst (p_tensors P) ++ p_outputs P ++
                               flat_map (fun s => out s :: loads (body s)) (p_prog P))).

  Definition same_number (j : nat) : tid := j.

  Definition program_lanes (P : program S) : program S :=
    let next := free_number P in
    let q := lanes_prog (S := K) sums OAdd same_sum same_number next (p_prog P) in
    Program S (p_sources P) q
      (p_tensors P ++ map (fun s => (out s, Kernel.dims s)) (filter (fun s => next <=? out s) q)) (p_outputs P).

  Definition compile_fused_lanes (constant_of : N -> option value -> option tensor) (size : nat) (plan : list nat)
      (inlined : list tid) (g : Pattern.tgraph) (outputs : list nat) : option (unit_ S) :=
    let? P := graph_kernel S constant_of g outputs in compile_program size plan inlined (program_lanes P).

  Lemma below_free P t : In t (map fst (p_tensors P) ++ p_outputs P ++ flat_map (fun s => out s :: loads (body s)) (p_prog P)) ->
    t < free_number P.
  Proof.
    intros I. unfold free_number. match goal with |- _ < list_max ?l => pose proof (list_max_le l (list_max l)) as [B _] end.
    specialize (B (le_n _)). rewrite Forall_forall in B. apply (B (Datatypes.S t)). now apply in_map.
  Qed.

  Lemma below_fresh n t : t < n -> fresh same_number n t.
  Proof. intros lt j le E. unfold same_number in E. lia. Qed.

  Variables inputs_at constants : N -> option tensor.
  Variable shapes_of : N -> option sizes.
  Notation constant_of := (const_value S constants shapes_of).
  Notation held_by P := (k_store S (p_sources P) inputs_at).

  (** What the formula gives for a tensor that the program has. *)
  Definition in_lanes (P : program S) (t : tid) (u : tensor) : tensor :=
    Tensor.tabulate (dims u) (exec_lanes_prog (S := K) sums OAdd same_sum (p_prog P) (held_by P) t).

  Definition outputs_in_lanes (P : program S) (us : list tensor) : list tensor :=
    map (fun tu => in_lanes P (fst tu) (snd tu)) (combine (p_outputs P) us).

  Lemma program_lanes_value P t i : t < free_number P ->
    exec_prog (p_prog (program_lanes P)) (held_by P) t i =
    exec_lanes_prog (S := K) sums OAdd same_sum (p_prog P) (held_by P) t i.
  Proof.
    intros lt. symmetry. apply (lanes_prog_value (S := K) sums OAdd same_sum same_number (fun j k E => E) (free_number P)); auto.
    - intros s u Is Iu. apply below_fresh, below_free. apply in_or_app. right. apply in_or_app. right.
      apply in_flat_map. exists s. split; [exact Is | now right].
    - intros u _ j. reflexivity.
    - now apply below_fresh.
  Qed.

  Lemma loads_fresh P s u : In s (p_prog P) -> In u (loads (body s)) -> fresh same_number (free_number P) u.
  Proof.
    intros Is Iu. apply below_fresh, below_free. apply in_or_app. right. apply in_or_app. right.
    apply in_flat_map. exists s. split; [exact Is | now right].
  Qed.

  (** Where no statement stores anything, both readings leave what there was. *)
  Lemma lanes_outside (p : list (Kernel.stmt K)) t i :
    (forall s, In s p -> out s = t -> in_box (Kernel.dims s) i = false) -> forall st st', st t i = st' t i ->
    exec_lanes_prog (S := K) sums OAdd same_sum p st t i = exec_prog p st' t i.
  Proof.
    induction p as [| s p IH]; intros none st st' same; [exact same |].
    apply (IH (fun s0 I => none s0 (or_intror I)) (exec_lanes (S := K) sums OAdd same_sum s st) (exec s st')).
    unfold exec_lanes, exec, upd. destruct (Nat.eqb_spec t (out s)) as [-> | _]; [| exact same].
    unfold Kernel.tabulate. now rewrite (none s (or_introl eq_refl) eq_refl).
  Qed.

  Lemma program_lanes_gives P us : program_gives S inputs_at P us ->
    program_gives S inputs_at (program_lanes P) (outputs_in_lanes P us).
  Proof.
    intros (F & once & wh & sonce & from).
    destruct (lanes_prog_stores K sums OAdd same_sum same_number (p_prog P) (free_number P)) as (n & H & names).
    assert (shape : forall r, In r (p_tensors P) -> shape_in (p_tensors P) (fst r) = snd r)
      by (intros [t d] I; now apply shape_at).
    pose proof (wh _ shape) as ok. split; [| split; [| split; [| split; [exact sonce |]]]].
    - cbn [program_lanes p_outputs]. unfold outputs_in_lanes.
      assert (below : forall t, In t (p_outputs P) -> t < free_number P)
        by (intros t I; apply below_free, in_or_app; right; apply in_or_app; now left).
      revert below. induction F as [| t u ts us (It & G & E) F IH]; intros below; cbn [combine map fst snd]; constructor.
      + split; [apply in_or_app; now left |]. split; [apply good_tabulate |]. intros i.
        change (p_sources (program_lanes P)) with (p_sources P). rewrite program_lanes_value by (apply below; now left).
        unfold in_lanes. destruct (in_box (dims u) i) eqn:B; [now rewrite get_tabulate |].
        rewrite get_outside by exact B. rewrite (lanes_outside (p_prog P) t i) with (st' := held_by P); [| | reflexivity].
        * rewrite E. now apply get_outside.
        * intros s Is Es. destruct (ok s Is) as [D _]. pose proof (shape _ It) as Sh. cbn [fst snd] in Sh. now rewrite D, Es, Sh.
      + apply IH. intros t' I. apply below. now right.
    - assert (N : map (@out K) (filter (fun s => free_number P <=? out s) (p_prog (program_lanes P))) =
                  map same_number (seq (free_number P) n)).
      { apply (names (fun t => free_number P <=? t)).
        - intros j le. now apply Nat.leb_le.
        - intros s Is. apply Nat.leb_gt, below_free. apply in_or_app. right. apply in_or_app. right.
          apply in_flat_map. exists s. split; [exact Is | now left]. }
      cbn [program_lanes p_tensors]. rewrite map_app, map_map. apply NoDup_app_intro; [exact once | |].
      + refine (eq_ind_r (@NoDup nat) _ N). unfold same_number. rewrite map_id. apply seq_NoDup.
      + intros t It Is. assert (Is' : In t (map same_number (seq (free_number P) n))) by (rewrite <- N; exact Is).
        unfold same_number in Is'. rewrite map_id in Is'. apply in_seq in Is'.
        assert (t < free_number P); [| lia]. apply below_free, in_or_app. now left.
    - intros shapes said. cbn [program_lanes p_tensors p_prog] in *.
      assert (ok' : InlineAll.whole K shapes (p_prog P)) by (apply wh; intros r I; apply said, in_or_app; now left).
      apply (lanes_prog_whole K sums OAdd same_sum same_number (free_number P) (free_number P) (p_prog P) shapes shapes); auto.
      + intros s u. apply loads_fresh.
      + intros s Is. destruct (H s Is) as [(j & B & E) | (s0 & I0 & E & D)].
        * apply (said (out s, Kernel.dims s)). apply in_or_app. right. apply in_map_iff. exists s. split; [reflexivity |].
          apply filter_In. split; [exact Is |]. apply Nat.leb_le. unfold same_number in E. lia.
        * rewrite E, D. symmetry. now apply ok'.
    - intros t src I. destruct (from t src I) as (u & Eu & Iu & G). exists u. split; [exact Eu |]. split; [| exact G].
      apply in_or_app. now left.
  Qed.

  (** Where sums may be added in any order, that is what the program computed. *)
  Lemma outputs_in_lanes_same P us : any_order (S := K) sums OAdd same_sum -> program_gives S inputs_at P us ->
    outputs_in_lanes P us = us.
  Proof.
    intros L (F & _). unfold outputs_in_lanes.
    assert (below : forall t, In t (p_outputs P) -> t < free_number P)
      by (intros t I; apply below_free, in_or_app; right; apply in_or_app; now left).
    revert below. induction F as [| t v ts vs (It & G & V) F IH]; intros below; [reflexivity |]. cbn [combine map fst snd].
    rewrite IH by (intros t' I; apply below; now right). f_equal. unfold in_lanes.
    apply (tensor_ext (s_zero S)); [apply good_tabulate | exact G | reflexivity |]. intros i B.
    rewrite get_tabulate by exact B. rewrite <- V, <- program_lanes_value by (apply below; now left).
    apply (lanes_prog_same (S := K) sums OAdd same_sum same_number L (free_number P)); [auto | apply loads_fresh |].
    apply below_fresh, below. now left.
  Qed.

  (** What the function computes, over any scalars. *)
  Theorem fused_lanes_runs size plan inlined g outputs u :
    compile_fused_lanes constant_of size plan inlined g outputs = Some u -> inputs_fit inputs_at g ->
    exists P us, graph_kernel S constant_of g outputs = Some P /\
      outputs_of S inputs_at constants shapes_of g outputs = Some us /\
      run_unit u inputs_at = Finished (outputs_in_lanes P us).
  Proof.
    unfold compile_fused_lanes. intros C fit. destruct (graph_kernel S constant_of g outputs) as [P |] eqn:E; [| discriminate].
    destruct (graph_kernel_sound S inputs_at constants shapes_of g outputs P E fit) as (us & Eu & gives).
    exists P, us. split; [reflexivity |]. split; [exact Eu |].
    exact (program_correct S inputs_at size plan inlined (program_lanes P) _ u C (program_lanes_gives P us gives)).
  Qed.

  (** Where sums may be added in any order: what the graph means. *)
  Theorem fused_lanes_correct size plan inlined g outputs u :
    any_order (S := K) sums OAdd same_sum ->
    compile_fused_lanes constant_of size plan inlined g outputs = Some u -> inputs_fit inputs_at g ->
    exists outs, outputs_of S inputs_at constants shapes_of g outputs = Some outs /\ run_unit u inputs_at = Finished outs.
  Proof.
    intros L C fit. pose proof C as C'. unfold compile_fused_lanes in C'.
    destruct (graph_kernel S constant_of g outputs) as [P |] eqn:E; [| discriminate].
    destruct (graph_kernel_sound S inputs_at constants shapes_of g outputs P E fit) as (us & Eu & gives).
    exists us. split; [exact Eu |]. rewrite <- (outputs_in_lanes_same P us L gives).
    exact (program_correct S inputs_at size plan inlined (program_lanes P) _ u C' (program_lanes_gives P us gives)).
  Qed.
End FusedLanes.
