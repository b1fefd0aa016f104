(** * Headline theorems: optimising a model keeps what it computes

    The meaning of a graph is [graph_eval], over any scalars; [mixed standard] are numbers of
    several element types in one graph.  [opt_run]: the steps of [calque opt], being rewrites by
    rules at any match, folding of any node, removal of what no output needs. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.SoundModel rewrite.GraphEval.
From Calque Require Import rewrite.Proved rewrite.ProvedSound rewrite.LibrarySimplify.
From Calque Require Import rewrite.Fold rewrite.Opt rewrite.OptEval rewrite.Typed rewrite.OptCorrect.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.OpTable tensor.Instances tensor.Mixed.
From Calque Require Import tensor.Meaning tensor.Related tensor.MixedEmbed.
From Calque Require graph.Terms rewrite.ErrataFix rewrite.OptInstance rewrite.RewriteProof.
Import ListNotations.
Open Scope nat_scope.

(** ** Well-typed graphs *)

(** The check [typed] is of the graph alone.  For all inputs and constants of the sizes that are written, and if
    the indices of those Gathers that are not computed from constants lie inside, every node has a value, and its
    labels are true of it. *)
Theorem typed_sane :
  forall S inputs constants g,
    typed g = true -> inputs_fit S inputs g = true -> constants_fit S constants g = true ->
    (forall i, In i (open_gathers S constants g) -> exists v, ge (den (meaning S inputs constants g)) g i v) ->
    sane (meaning S inputs constants g) g.
Proof. exact Typed.typed_sane. Qed.

(** ** Folding *)

(** What is folded is a constant with its value, in an environment that has it; tuples and absent inputs are no
    constants. Every output keeps its value. *)
Theorem fold_preserves :
  forall S inputs spell allowed s,
    spells S spell ->
    sane (model_of S inputs s) (nodes s) -> (forall o, In o (outs s) -> o < List.length (nodes s)) ->
    keeps S inputs s (fold S spell allowed s).
Proof. intros S inputs spell allowed s spelled. now apply Fold.fold_preserves. Qed.

(** ** Optimising *)

(** Rules of any classes whose laws the scalars have: exact ones where + and * commute (and -0 is neutral), those
    of rings, those of fields.  For all inputs of the declared sizes, the tensors at the outputs are the same. *)
Theorem opt_correct :
  forall S inputs constants spell, spells S spell ->
  forall p rules g outs s',
    (forall c, p c = true -> laws_of c S) -> incl rules (rules_of p) ->
    ready g outs = true -> inputs_fit S inputs g = true -> constants_fit S constants g = true ->
    open_gathers S constants g = [] ->
    opt_run S spell rules (start S g outs constants) s' ->
    exists ts, graph_eval S inputs constants g outs = Some ts /\
               graph_eval S inputs (Fold.constants s') (nodes s') (Fold.outs s') = Some ts.
Proof. exact OptCorrect.opt_correct. Qed.

(** The same where a Gather's indices are data: for the inputs of which they lie inside. *)
Theorem opt_keeps :
  forall S inputs constants spell, spells S spell ->
  forall p rules g outs s',
    (forall c, p c = true -> laws_of c S) -> incl rules (rules_of p) ->
    ready g outs = true -> inputs_fit S inputs g = true -> constants_fit S constants g = true ->
    (forall i, In i (open_gathers S constants g) -> node_at S inputs constants g i <> None) ->
    opt_run S spell rules (start S g outs constants) s' ->
    exists ts, graph_eval S inputs constants g outs = Some ts /\
               graph_eval S inputs (Fold.constants s') (nodes s') (Fold.outs s') = Some ts.
Proof. exact OptCorrect.opt_keeps. Qed.

(** Rules that the library calls exact, on graphs that mix binary32, binary64, int64, int32 and bool: every bit,
    whatever the functions exp, log .. of the element types are. *)
Theorem opt_correct_mixed :
  forall E inputs constants spell rules g outs s',
    all_float_laws E -> spells (mixed E) spell -> incl rules (rules_of exactly) ->
    ready g outs = true -> inputs_fit (mixed E) inputs g = true ->
    constants_fit (mixed E) constants g = true -> open_gathers (mixed E) constants g = [] ->
    opt_run (mixed E) spell rules (start (mixed E) g outs constants) s' ->
    exists ts, graph_eval (mixed E) inputs constants g outs = Some ts /\
               graph_eval (mixed E) inputs (Fold.constants s') (nodes s') (Fold.outs s') = Some ts.
Proof. exact OptCorrect.opt_correct_mixed. Qed.

(** A function that makes such steps: folding, then passes in which each rule rewrites and what it made is folded. *)
Theorem optimise_run :
  forall S spell rules allowed n fuel s, opt_run S spell rules s (optimise S spell rules allowed n fuel s).
Proof. exact Opt.optimise_run. Qed.

(** ** Comparing two models *)

(** The nodes of two graphs are found in one graph of terms; equal are terms that are known to have the same
    values, and those of one operator on equal ones.  Then outputs whose terms are equal have the same value. *)
Theorem equal_term_outputs :
  forall (O V : Type) (den : O -> list V -> option V) (x y g : Graph.graph O) (f h : nat -> nat)
    (known : nat -> nat -> Prop) (i j : nat) (v w : V),
    Terms.embeds f x g -> Terms.embeds h y g -> (forall a b, known a b -> Terms.same den g a b) ->
    Terms.equal_terms g known (f i) (h j) -> ge den x i v -> ge den y j w -> v = w.
Proof. intros O V den. exact (Terms.equal_term_outputs den). Qed.

(** ** Numbers of several element types *)

(** If each element type has the laws of floats, so have graphs that mix them. *)
Theorem mixed_laws : forall E, all_float_laws E -> float_laws (mixed E).
Proof. exact Mixed.mixed_laws. Qed.

Theorem standard_laws : all_float_laws standard.
Proof. exact Mixed.standard_laws. Qed.

(** Where tensors are of one element type, an operator computes what the numbers of that type compute, read in that
    type; for any functions exp, log .. that the type has. *)
Theorem mixed_reads_f32 :
  forall E name l vs ws v,
    s_integer (f32 E) = false -> (forall x, s_index (f32 E) x = None) -> name <> "Cast"%string ->
    Forall2 (related_value _ _ (reads_f32 E)) vs ws -> op_value (f32 E) name l vs = Some v ->
    exists w, op_value (mixed E) name l ws = Some w /\ related_value _ _ (reads_f32 E) v w.
Proof. exact MixedEmbed.mixed_reads_f32. Qed.

Theorem mixed_reads_f64 :
  forall E name l vs ws v,
    s_integer (f64 E) = false -> (forall x, s_index (f64 E) x = None) -> name <> "Cast"%string ->
    Forall2 (related_value _ _ (reads_f64 E)) vs ws -> op_value (f64 E) name l vs = Some v ->
    exists w, op_value (mixed E) name l ws = Some w /\ related_value _ _ (reads_f64 E) v w.
Proof. exact MixedEmbed.mixed_reads_f64. Qed.

(** Of int64, on cells in range, the operators that have kernels for integers. *)
Theorem mixed_reads_int64 :
  forall name l vs ws v,
    name <> "Cast"%string -> ~ In name quotients ->
    Forall2 (related_value _ _ reads_int64) vs ws -> op_value int64 name l vs = Some v ->
    exists w, op_value (mixed standard) name l ws = Some w /\ related_value _ _ reads_int64 v w.
Proof. exact MixedEmbed.mixed_reads_int64. Qed.

(** ** Instances *)

(** A model with Conv, Gather by int64 indices, Concat, MatMul, Softmax, Shape: what is left of its operators .. *)
Theorem small_operators :
  flat_map (fun n => match what (op n) with KCall name => [name] | _ => [] end) (nodes OptInstance.small_optimised) =
  ["Conv"; "Gather"; "Concat"; "Reshape"; "MatMul"; "Softmax"]%string.
Proof. exact OptInstance.small_operators. Qed.

(** .. computes the same, for every input of the declared sizes: no other hypothesis is left. *)
Theorem small_correct :
  forall x, dims x = [1; 2; 3; 3] -> well_tensor x = true ->
  exists ts,
    graph_eval (mixed standard) (OptInstance.small_input x) OptInstance.small_constants OptInstance.small_model
      OptInstance.small_outputs = Some ts /\
    graph_eval (mixed standard) (OptInstance.small_input x) (Fold.constants OptInstance.small_optimised)
      (nodes OptInstance.small_optimised) (Fold.outs OptInstance.small_optimised) = Some ts.
Proof. exact OptInstance.small_correct. Qed.

(** In a ring, where a rule reads the value of what is folded: x * (2 - 1) is x. *)
Theorem scaled_operators :
  flat_map (fun n => match what (op n) with KCall name => [name] | _ => [] end) (nodes OptInstance.scaled_optimised) =
  ["Relu"]%string.
Proof. exact OptInstance.scaled_operators. Qed.

Theorem scaled_correct :
  forall x, dims x = [2; 2] -> well_tensor x = true ->
  let given k := if (k =? 1)%N then Some x else None in
  exists ts,
    graph_eval integers given (fun _ => None) OptInstance.scaled_model [6] = Some ts /\
    graph_eval integers given (Fold.constants OptInstance.scaled_optimised) (nodes OptInstance.scaled_optimised)
      (Fold.outs OptInstance.scaled_optimised) = Some ts.
Proof. exact OptInstance.scaled_correct. Qed.

(** ** Errata of earlier statements *)

(** A match in a well-formed graph is not enough for a rule to be valid: the nodes must have values. *)
Theorem erratum_fix_premise :
  forall S inputs constants shapes,
  ~ forall g outputs e M outs, wf g ->
      rule_at commutative rule_text_identity_removal g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
      RewriteProof.valid_at (den (tensors S inputs constants shapes)) rule_text_identity_removal g M outs.
Proof. exact ErrataFix.erratum_fix_premise. Qed.

(** There is no constant for every value: a tuple has none. *)
Theorem erratum_fold_premise :
  forall S inputs constants shapes (constant : val (tensor (num S)) -> oper),
  ~ forall v, den (tensors S inputs constants shapes) (constant v) [] = Some v.
Proof. exact ErrataFix.erratum_fold_premise. Qed.
