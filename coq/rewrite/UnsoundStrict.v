(** * The published rules against the definition of soundness

    [rule_sound_for], which the rules of the library satisfy, is false of the rules that
    [Unsound] refutes: over the integers, at the same graphs. *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Rewrite rewrite.RewriteProof.
From Calque Require Import rewrite.Sound rewrite.SoundModel rewrite.SoundFix.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Instances tensor.OpTable.
From Calque Require Import rewrite.SoundTactic rewrite.GraphEval rewrite.Unsound.
From Calque Require rewrite.Published.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Section Strict.
  Variable S : arith.
  Variable given : list (N * tensor (num S)).
  Variable g : tgraph.
  Notation T := (tensors S (look_up N.eqb given) (look_up N.eqb given) (written_shape g)).

  Definition describesb (v : val (tensor (num S))) (c : label * value) : bool :=
    match v with
    | Of t =>
        (if String.eqb (fst c) "shape" then
           match shape_of (snd c) with Some ds => sizes_eqb ds (dims t) | None => false end else true) &&
        (if String.eqb (fst c) "ndim" then value_eqb (snd c) (VInt (Z.of_nat (List.length (dims t)))) else true)
    | _ => true
    end.

  Definition sane_node (i : nat) (n : node oper) : bool :=
    match eval_node (den T) g i with
    | Some v => forallb (describesb v) (type (op n))
    | None => false
    end &&
    forallb (fun c => known_label (fst c)) (type (op n)) &&
    match what (op n) with
    | KCall name => forallb (fun c => negb (type_label (fst c)) || owns_shape name (fst c)) (attrs (op n))
    | _ => true
    end.

  Definition saneb : bool :=
    wfb g &&
    match g with Node (Oper KAbsent _ _) [] :: _ => true | _ => false end &&
    forallb (fun i => match nth_error g i with Some n => sane_node i n | None => false end) (seq 0 (List.length g)).

  Lemma look_up_in (l : list (label * value)) k v : look_up String.eqb l k = Some v -> In (k, v) l.
  Proof.
    unfold look_up. destruct (find (fun b => String.eqb (fst b) k) l) as [[j w] |] eqn:F; [| discriminate]. intros E. injection E as <-.
    apply find_some in F. destruct F as [inc E]. simpl in E. apply String.eqb_eq in E. now subst.
  Qed.

  Lemma saneb_sane : saneb = true -> sane T g.
  Proof.
    unfold saneb. intros H. apply andb_true_iff in H. destruct H as [H all]. apply andb_true_iff in H.
    destruct H as [W G]. apply wfb_iff in W.
    assert (forall i n, nth_error g i = Some n -> sane_node i n = true) as each.
    { intros i n at_i. rewrite forallb_forall in all. specialize (all i). rewrite at_i in all. apply all.
      apply in_seq. split; [lia |]. apply nth_error_Some. congruence. }
    constructor.
    - exact W.
    - destruct g as [| [[k t a] [|]] g']; try discriminate; destruct k; try discriminate. now exists t, a.
    - intros i lt. apply nth_error_Some in lt. destruct (nth_error g i) as [n |] eqn:at_i; [| easy].
      specialize (each i n at_i). unfold sane_node in each. destruct (eval_node (den T) g i) as [v |] eqn:E; [| discriminate].
      exists v. now apply graph_eval_iff.
    - intros i n v l s at_i H TL L. specialize (each i n at_i). unfold sane_node in each.
      apply graph_eval_iff in H; [| exact W]. rewrite H in each. apply andb_true_iff in each. destruct each as [each _].
      apply andb_true_iff in each. destruct each as [D _]. rewrite forallb_forall in D.
      specialize (D _ (look_up_in _ _ _ L)). unfold describesb in D. destruct v as [t | |]; [| exact Logic.I | exact Logic.I].
      cbn [fst snd] in D. apply andb_true_iff in D. destruct D as [Ds Dn]. split; intros ->.
      + cbn in Ds. destruct (shape_of s) as [ds |]; [| discriminate]. apply sizes_eqb_iff in Ds. now subst.
      + cbn in Dn. now apply value_eqb_iff in Dn.
    - intros i n at_i. specialize (each i n at_i). unfold sane_node in each. apply andb_true_iff in each.
      destruct each as [each P]. apply andb_true_iff in each. destruct each as [_ K]. split.
      + intros name l v Wn L TL. rewrite Wn in P. rewrite forallb_forall in P.
        specialize (P _ (look_up_in _ _ _ L)). cbn [fst] in P. rewrite TL in P. exact P.
      + intros l s L. rewrite forallb_forall in K. exact (K _ (look_up_in _ _ _ L)).
  Qed.

  Theorem differs_not_sound r outputs e h outputs' :
    saneb = true -> forallb (fun o => o <? List.length g) outputs = true ->
    rewrite_rule commutative r g outputs = Some (e, (h, outputs')) ->
    traverse (eval_node (den T) g) outputs <> None ->
    traverse (eval_node (den T) h) outputs' <> traverse (eval_node (den T) g) outputs ->
    ~ rule_sound_for T commutative r.
  Proof.
    intros Sn In_ R some differ sound. pose proof (saneb_sane Sn) as san.
    destruct (sound_step T commutative r g outputs e h outputs' sound san) as (sanh & _ & same).
    { intros o ino. rewrite forallb_forall in In_. now apply Nat.ltb_lt, In_. }
    { exact R. }
    apply differ. clear - some same san sanh. unfold same_values in same.
    induction same as [| o p os ps E _ IH]; [reflexivity |]. cbn [traverse] in *.
    destruct (eval_node (den T) g o) as [v |] eqn:Ev; [| easy].
    assert (eval_node (den T) h p = Some v) as ->.
    { apply graph_eval_iff; [apply (sane_wf _ _ sanh) |]. apply E. apply graph_eval_iff; [apply (sane_wf _ _ san) | exact Ev]. }
    rewrite IH; [reflexivity |]. intros N. rewrite N in some. easy.
  Qed.
End Strict.


Section Computed.
  Variable S : arith.
  Variable given : list (N * tensor (num S)).
  Variable c : tgraph * list nat.
  Notation T := (tensors S (look_up N.eqb given) (look_up N.eqb given) (written_shape (fst c))).

  Definition strict_outcome (r : rule) : option (option (list (val (tensor (num S)))) * option (list (val (tensor (num S))))) :=
    match rewrite_rule commutative r (fst c) (snd c) with
    | Some (_, (h, outs)) =>
        Some (traverse (eval_node (den T) (fst c)) (snd c), traverse (eval_node (den T) h) outs)
    | None => None
    end.

  Theorem strict_not_sound r before after :
    saneb S given (fst c) && forallb (fun o => o <? List.length (fst c)) (snd c) = true ->
    strict_outcome r = Some (Some before, after) -> after <> Some before ->
    ~ rule_sound_for T commutative r.
  Proof.
    intros H E differ. apply andb_true_iff in H. destruct H as [Sn In_]. unfold strict_outcome in E.
    destruct (rewrite_rule commutative r (fst c) (snd c)) as [[e [h outs]] |] eqn:R; [| discriminate].
    injection E as Eb Ea. apply (differs_not_sound S given (fst c) r (snd c) e h outs Sn In_ R).
    - now rewrite Eb.
    - now rewrite Ea, Eb.
  Qed.
End Computed.

Lemma integers_scalars : ring_scalars integers.
Proof. split; [exact integers_ring | intros a; apply Z.div_1_r]. Qed.

Ltac not_sound given c :=
  let H := fresh "H" in
  intros H; specialize (H integers (look_up N.eqb given) (look_up N.eqb given) (written_shape (fst c)) integers_scalars);
  revert H; eapply strict_not_sound; [vm_compute; reflexivity | vm_compute; reflexivity | discriminate].

(** None of the rules in tests/bad-rules is sound over every commutative ring. *)
Theorem published_rules_not_sound name r : In (name, r) Published.library_published -> ~ ring_rule r.
Proof.
  intros H.
  destruct H as [E | H]; [injection E as _ <-; not_sound [(1%N, tensor_of [1; 2; 1; 1] [0; 0]%Z);
      (3%N, tensor_of [1; 2] [0; 0]%Z)]
    Published.graph_text_bias_add_add_needs_equal_rank |].
  destruct H as [E | H]; [injection E as _ <-; not_sound [(2%N, tensor_of [1; 1; 1; 2] [1; 2]%Z)]
    Published.graph_text_combine_parallel_conv2d_needs_output_channels |].
  destruct H as [E | H]; [injection E as _ <-; not_sound [(3%N, tensor_of [2; 1] [3; 4]%Z)]
    Published.graph_text_concat_associative_needs_equal_axis |].
  destruct H as [E | H]; [injection E as _ <-; not_sound (@nil (N * tensor (num integers)))
    Published.graph_text_concat_associative_split_needs_sizes |].
  destruct H as [E | H]; [injection E as _ <-; not_sound [(1%N, tensor_of [1; 2; 1; 1] [1; 1]%Z);
      (2%N, tensor_of [2; 1; 1; 1] [1; 1]%Z); (3%N, tensor_of [2; 1; 1] [1; 2]%Z)]
    Published.graph_text_conv_mul_needs_channels_first |].
  destruct H as [E | H]; [injection E as _ <-; not_sound [(1%N, tensor_of [1; 1; 1; 2] [1; 2]%Z);
      (2%N, tensor_of [1; 1; 1; 3] [0; 0; 0]%Z)]
    Published.graph_text_conv_shortcut_add_needs_centred_padding |].
  destruct H as [E | H]; [injection E as _ <-; not_sound [(1%N, tensor_of [1; 1; 2; 1] [1; 2]%Z);
      (2%N, tensor_of [1; 1; 2; 1] [0; 1]%Z); (3%N, tensor_of [1; 1; 2; 1] [0; 0]%Z)]
    Published.graph_text_diamond_conv_add_needs_channels_first |].
  destruct H as [E | H]; [injection E as _ <-; not_sound [(4%N, tensor_of [3; 1; 1; 1] [1; 1; 1]%Z)]
    Published.graph_text_grouped_convolution_needs_equal_groups |].
  destruct H as [E | H]; [injection E as _ <-; not_sound (@nil (N * tensor (num integers)))
    Published.graph_text_lower_batch_norm_needs_nonnegative_axis |].
  destruct H as [E | H]; [injection E as _ <-; not_sound [(1%N, tensor_of [1; 1; 2; 1] [1; 2]%Z);
      (3%N, tensor_of [1; 1; 2; 1] [1; 1]%Z)]
    Published.graph_text_parallel_conv_expand_kernels_needs_equal_parity |].
  destruct H as [E | H]; [injection E as _ <-; not_sound [(2%N, tensor_of [2; 1] [0; 0]%Z)]
    Published.graph_text_reshape_like_needs_whole_shapes |].
  destruct H as [E | H]; [injection E as _ <-; not_sound (@nil (N * tensor (num integers)))
    Published.graph_text_simplify_pad_conv_needs_pads_by_side |].
  destruct H as [E | H]; [injection E as _ <-; not_sound (@nil (N * tensor (num integers)))
    Published.graph_text_simplify_reshape_needs_shape_without_zero |].
  destruct H as [E | H]; [injection E as _ <-; not_sound (@nil (N * tensor (num integers)))
    Published.graph_text_split_concat_variadic_needs_all_parts |].
  destruct H as [E | H]; [injection E as _ <-; not_sound [(1%N, tensor_of [2; 1; 1; 1] [1; 2]%Z)]
    Published.graph_text_two_conv_add_needs_equal_shapes |].
  destruct H.
Qed.
