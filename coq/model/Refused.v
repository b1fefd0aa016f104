(** * Which node the compiler refuses, and why

    [refused] steps through the nodes as [add_nodes] does and gives the first that has no
    state after it: there is one exactly when [add_nodes] fails ([refused_iff]).
    [reason_of] says which of the compiler's tests failed there. *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel.
From Calque Require Import model.Function model.Unit model.Compile.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

Inductive reason :=
  | NoSizes           (** an input without sizes, a constant without a value *)
  | NoTensor          (** an operand that is a tuple *)
  | AbsentBefore      (** an absent input before one that is there *)
  | NoType            (** sizes that the operator does not take *)
  | IndexOutside      (** a Gather by a constant that is outside *)
  | NoKernel
  | NoPlace           (** the plan of memory, 64-bit indices, a stated shape *)
  | NoField.          (** a field of no tuple, a tuple of no tensors *)

Section Refused.
  Variable S : arith.
  Variable constant_of : N -> option value -> option (tensor (num S)).
  Variable size : nat.
  Notation state := (state S).
  Notation add_node := (add_node constant_of size).

  Fixpoint refused (st : state) (g : Pattern.tgraph) (i : nat) : option (nat * state * node Pattern.oper) :=
    match g with
    | [] => None
    | n :: g' => match add_node st n with Some st' => refused st' g' (i + 1) | None => Some (i, st, n) end
    end.

  Theorem refused_iff st g i : refused st g i = None <-> add_nodes constant_of size st g <> None.
  Proof.
    revert st i. induction g as [| n g IH]; intros st i; cbn [refused add_nodes]; [split; congruence |].
    destruct (add_node st n) as [st' |]; [apply IH | split; congruence].
  Qed.

  (** What it gives is the first node that is refused, in the state before it. *)
  Theorem refused_first st g i j st' n : refused st g i = Some (j, st', n) ->
    exists before after, g = before ++ n :: after /\ j = i + List.length before /\
      add_nodes constant_of size st before = Some st' /\ add_node st' n = None.
  Proof.
    revert st i. induction g as [| m g IH]; intros st i E; cbn [refused] in E; [discriminate |].
    destruct (add_node st m) as [st1 |] eqn:A.
    - destruct (IH st1 (i + 1) E) as (before & after & -> & -> & R & N). exists (m :: before), after.
      cbn [app List.length add_nodes]. rewrite A. split; [reflexivity |]. split; [| auto].
      lia.
    - injection E as <- <- <-. exists [], g. cbn [app List.length add_nodes]. rewrite Nat.add_0_r. auto.
  Qed.

  Definition call_reason (st : state) (name : string) (attrs : attributes) (bs : list (gvalue place)) : reason :=
    match inputs bs with
    | None => NoTensor
    | Some l =>
        match traverse (fun o : option place => o) l with
        | None => AbsentBefore
        | Some xs =>
            match op_infer name attrs (map (map_value p_dims) bs) with
            | None => NoType
            | Some s =>
                match manner_of st name attrs xs, work_of st name attrs s xs with
                | None, _ => IndexOutside
                | _, None => NoKernel
                | _, Some _ => NoPlace
                end
            end
        end
    end.

  Definition reason_of (st : state) (n : node Pattern.oper) : reason :=
    match Pattern.what (op n), traverse (nth_error (bound_to st)) (args n) with
    | Pattern.KCall name, Some bs => call_reason st name (Pattern.attrs (op n)) bs
    | Pattern.KInput _, _ | Pattern.KConst _ _, _ => NoSizes
    | _, _ => NoField
    end.
End Refused.

Arguments refused {S}.
Arguments reason_of {S}.
