(** * Optimising by proved rules keeps what a graph computes *)

From Coq Require Import Bool List NArith String.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundModel rewrite.GraphEval.
From Calque Require Import rewrite.Proved rewrite.ProvedSound rewrite.Fold rewrite.Opt rewrite.OptEval rewrite.Typed.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Mixed tensor.Meaning.
Import ListNotations.
Open Scope nat_scope.

(** ** What is checked of a graph before *)

(** Nodes have sizes by the type rules, the outputs being tensors; a constant has one type. *)
Definition ready (g : tgraph) (outs : list nat) : bool :=
  typed g && consistent g &&
  forallb (fun i => match type_at g i with Some (Of _) => true | _ => false end) outs.

(** Where folding and rewriting start. *)
Definition start (S : arith) (g : tgraph) (outs : list nat) (constants : N -> option (tensor (num S))) : state S :=
  State g outs constants (written_shape g).

(** What a rule reads as the value of a folded constant is that constant. *)
Definition spells (S : arith) (spell : tensor (num S) -> option value) : Prop :=
  forall t v, spell t = Some v -> constant S v (Some (dims t)) = Some t.

Section Correct.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Variables inputs constants : N -> option tensor.
  Variable spell : tensor -> option value.
  Hypothesis spelled : spells S spell.

  Lemma type_at_lt g i s : type_at g i = Some s -> wf g -> i < List.length g.
  Proof.
    intros T ok. apply (graph_eval_iff (type_node g) g i s ok) in T. inversion T; subst. apply nth_error_Some. congruence.
  Qed.

  (** With indices of the data, if they are inside. *)
  Theorem opt_keeps p rules g outs s' :
    (forall c, p c = true -> laws_of c S) -> incl rules (rules_of p) ->
    ready g outs = true -> inputs_fit S inputs g = true -> constants_fit S constants g = true ->
    (forall i, In i (open_gathers S constants g) -> node_at S inputs constants g i <> None) ->
    opt_run S spell rules (start S g outs constants) s' ->
    exists ts, graph_eval S inputs constants g outs = Some ts /\
               graph_eval S inputs (Fold.constants s') (nodes s') (Fold.outs s') = Some ts.
  Proof.
    intros laws sub R I C G run. unfold ready in R. apply andb_true_iff in R as [R tens]. apply andb_true_iff in R as [T con].
    pose proof (typed_wf g T) as ok. rewrite forallb_forall in tens.
    assert (sane (meaning S inputs constants g) g) as san.
    { apply typed_sane; try assumption. intros i ini. specialize (G i ini). unfold node_at in G.
      destruct (eval_node (den (meaning S inputs constants g)) g i) as [v |] eqn:E; [| easy].
      exists v. now apply graph_eval_iff. }
    assert (forall o, In o outs -> o < List.length g) as inside.
    { intros o ino. specialize (tens o ino). destruct (type_at g o) as [s |] eqn:E; [| discriminate].
      now apply (type_at_lt g o s). }
    assert (exists ts, graph_eval S inputs constants g outs = Some ts) as [ts E].
    { clear - tens ok T I C G san. unfold graph_eval. induction outs as [| o os IH]; [now exists [] |].
      cbn [traverse]. destruct IH as [ts E]; [intros x inx; apply tens; now right |].
      specialize (tens o (or_introl eq_refl)). destruct (type_at g o) as [s |] eqn:Ty; [| discriminate].
      destruct s as [ds | |]; try discriminate. apply (graph_eval_iff (type_node g) g o _ ok) in Ty.
      destruct (typed_value S inputs constants g T I C) with (i := o) (s := Of ds) as (v & H & Ev & _); [| exact Ty |].
      - intros i ini. specialize (G i ini). unfold node_at in G.
        destruct (eval_node (den (meaning S inputs constants g)) g i) as [v |] eqn:V; [| easy].
        exists v. now apply graph_eval_iff.
      - apply graph_eval_iff in H; [| exact ok]. unfold node_at at 1. rewrite H.
        destruct v as [t | |]; try discriminate. cbn [tensor_in]. rewrite E. now exists (t :: ts). }
    exists ts. split; [exact E |]. rewrite <- E.
    apply (opt_run_eval S inputs spell spelled rules) with (os := outs); try assumption.
    intros c sh name r inr. exact (rules_sound S inputs c sh p laws name r (sub _ inr)).
  Qed.

  Theorem opt_correct p rules g outs s' :
    (forall c, p c = true -> laws_of c S) -> incl rules (rules_of p) ->
    ready g outs = true -> inputs_fit S inputs g = true -> constants_fit S constants g = true ->
    open_gathers S constants g = [] ->
    opt_run S spell rules (start S g outs constants) s' ->
    exists ts, graph_eval S inputs constants g outs = Some ts /\
               graph_eval S inputs (Fold.constants s') (nodes s') (Fold.outs s') = Some ts.
  Proof.
    intros laws sub R I C G. apply (opt_keeps p); try assumption. rewrite G. easy.
  Qed.
End Correct.

(** ** Over numbers of several element types: the rules that keep every bit

    For any element types with the laws of floats, whatever their functions exp, log .. are. *)

Theorem opt_correct_mixed E inputs constants spell rules g outs s' :
  all_float_laws E -> spells (mixed E) spell -> incl rules (rules_of exactly) ->
  ready g outs = true -> inputs_fit (mixed E) inputs g = true ->
  constants_fit (mixed E) constants g = true -> open_gathers (mixed E) constants g = [] ->
  opt_run (mixed E) spell rules (start (mixed E) g outs constants) s' ->
  exists ts, graph_eval (mixed E) inputs constants g outs = Some ts /\
             graph_eval (mixed E) inputs (Fold.constants s') (nodes s') (Fold.outs s') = Some ts.
Proof.
  intros laws sp sub. apply (opt_correct (mixed E) inputs constants spell sp exactly); [| exact sub].
  intros [] e; try discriminate e; [apply SoundTactic.float_commutes |]; exact (mixed_laws E laws).
Qed.
