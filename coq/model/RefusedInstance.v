(** * A model with the plan in which nothing overlaps, and one that is refused *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs.
From Calque Require Import rewrite.SoundModel model.Unit model.Compile model.ModelProof model.Plan model.Refused model.Instance.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

(** Rows of [x] at indices that are an input. *)
Definition gathers : Pattern.tgraph :=
  [leaf Pattern.KAbsent []; leaf (Pattern.KInput 0) (shaped [2; 3]%Z); leaf (Pattern.KInput 1) (shaped [4]%Z);
   call "Relu" [] [1]; call "Gather" [("axis"%string, VInt 0)] [3; 2]; call "Relu" [] [4]].

Section Instances.
  Variable ex : spec_float -> spec_float.
  Notation S := (floats ex).

  Notation stacked := (compile_stacked (const_value S (the_constants ex) (fun _ => None)) the_model [12]).

  Lemma stacked_is_there : stacked <> None.
  Proof.
    assert (match stacked with Some _ => true | None => false end = true) as T by (vm_compute; reflexivity).
    intros E. rewrite E in T. discriminate T.
  Qed.

  Theorem stacked_instance (x : tensor (num S)) : good x -> dims x = [1; 2; 4; 4] ->
    exists u outs, stacked = Some u /\
      outputs_of S (only ex x) (the_constants ex) (fun _ => None) the_model [12] = Some outs /\
      run_unit u (only ex x) = Some outs.
  Proof.
    intros G D. destruct stacked as [u |] eqn:U; [| elim stacked_is_there; exact U].
    destruct (stacked_correct S (only ex x) (the_constants ex) (fun _ => None) the_model [12] u U) as (outs & E & R).
    - now apply only_fits.
    - exists u, outs. auto.
  Qed.

  (** The Gather is what is refused. *)
  Theorem refused_instance :
    option_map (fun r => (fst (fst r), reason_of (snd (fst r)) (snd r)))
      (refused (fun _ _ => None) 100 (State (S := S) [] [] [] [] [0] 0) gathers 0) = Some (4, OpenIndices).
  Proof. vm_compute. reflexivity. Qed.
End Instances.
