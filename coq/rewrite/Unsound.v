(** * Refuting a rule by running it

    A rule is refuted by a graph that it matches, whose outputs have other values after the
    rewrite, or none.  The operators mean what [OpTable] says, over the scalars [S]; the graph's
    nodes all have values, and what is written on them is true, so that nothing but the rule is
    to blame. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Rewrite rewrite.GraphEval.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances tensor.OpTable.
Import ListNotations.
Open Scope list_scope.

Section Refutation.
  Variable S : arith.
  Notation values_of := (gvalue (tensor (num S))).

  (** The graph's inputs, and its constants that are too large for an attribute, by number. *)
  Variable given : list (N * tensor (num S)).

  Notation node_at := (node_at S (look_up N.eqb given) (look_up N.eqb given)).

  Definition outputs_at (g : tgraph) (outs : list nat) : option (list values_of) :=
    traverse (node_at g) outs.

  (** A type label says what the value is like. *)
  Definition says (v : values_of) (c : label * value) : bool :=
    match v with
    | GTensor t =>
        if String.eqb (fst c) "shape" then
          value_eqb (snd c) (VTuple (map (fun d => VInt (Z.of_nat d)) (dims t)))
        else if String.eqb (fst c) "ndim" then value_eqb (snd c) (VInt (Z.of_nat (List.length (dims t))))
        else true
    | _ => negb (existsb (String.eqb (fst c)) ["shape"; "ndim"]%string)
    end.

  Definition true_graph (g : tgraph) : bool :=
    wfb g &&
    forallb (fun i => match node_at g i, nth_error g i with
                      | Some v, Some n => forallb (says v) (type (op n))
                      | _, _ => false
                      end) (seq 0 (List.length g)).

  Definition rewritten (r : rule) (c : tgraph * list nat) : option (tgraph * list nat) :=
    option_map snd (rewrite_rule commutative r (fst c) (snd c)).

  (** The outputs before, and after one rewrite. *)
  Definition outcome (r : rule) (c : tgraph * list nat) : option (list values_of * option (list values_of)) :=
    match outputs_at (fst c) (snd c), rewritten r c with
    | Some before, Some h => Some (before, outputs_at (fst h) (snd h))
    | _, _ => None
    end.

  Definition refutes (r : rule) (c : tgraph * list nat) (before : list values_of)
      (after : option (list values_of)) : Prop :=
    true_graph (fst c) = true /\ outcome r c = Some (before, after) /\ after <> Some before.

  (** The rule leaves the graph alone, or the values of its outputs. *)
  Definition spares (r : rule) (c : tgraph * list nat) : Prop :=
    match outcome r c with Some (before, after) => after = Some before | None => True end.
End Refutation.

(** Every rewrite of a graph without lies keeps the outputs. *)
Definition keeps_outputs (S : arith) (r : rule) : Prop :=
  forall given c h, true_graph S given (fst c) = true -> rewritten r c = Some h ->
    outputs_at S given (fst h) (snd h) = outputs_at S given (fst c) (snd c).

Theorem refutes_rule S given r c before after :
  refutes S given r c before after -> ~ keeps_outputs S r.
Proof.
  intros (ok & E & differ) keeps. unfold outcome in E.
  destruct (outputs_at S given (fst c) (snd c)) as [b |] eqn:B; [| discriminate].
  destruct (rewritten r c) as [h |] eqn:R; [| discriminate].
  injection E as <- <-. apply differ. rewrite <- B. now apply keeps.
Qed.

(** ** Values over the integers *)

Definition tensor_of (ds : list nat) (l : list Z) : tensor (num integers) := Tensor ds l.
Definition value_of (ds : list nat) (l : list Z) : gvalue (tensor (num integers)) := GTensor (tensor_of ds l).

(** Everything is closed: it is run. *)
Ltac refute :=
  split; [vm_compute; reflexivity |]; split; [vm_compute; reflexivity | vm_compute; discriminate].
Ltac refute_and_spare := split; [refute | vm_compute; first [reflexivity | exact I]].

(** ** An axiom that contradicts others *)

(** Concatenation along one axis is associative, and splitting gives back both parts; but where the
    place of the cut is no argument of the split, all tensors are equal. *)
Theorem split_needs_sizes T (concat : Z -> T -> T -> T) (split0 split1 : Z -> T -> T) :
  (forall a x y z, concat a x (concat a y z) = concat a (concat a x y) z) ->
  (forall a x y, split0 a (concat a x y) = x) ->
  (forall a x y, split1 a (concat a x y) = y) ->
  forall x y : T, x = y.
Proof.
  intros assoc first second x y.
  assert (forall u v, concat 0%Z u v = v) as right_.
  { intros u v. rewrite <- (second 0%Z x (concat 0%Z u v)) at 1. rewrite assoc. apply second. }
  rewrite <- (first 0%Z x y) at 1. rewrite (right_ x y). rewrite <- (right_ y y) at 1. apply first.
Qed.
