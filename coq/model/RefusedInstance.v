(** * A model with the plan in which nothing overlaps, and one that is refused *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs.
From Calque Require Import rewrite.SoundModel model.Unit model.Compile model.ModelProof model.Plan model.Refused model.Instance.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

(** Rows of [x] at an index that is a constant. *)
Definition gathers : Pattern.tgraph :=
  [leaf Pattern.KAbsent []; leaf (Pattern.KInput 0) (shaped [2; 3]%Z); leaf (Pattern.KConst 1 None) [];
   call "Relu" [] [1]; call "Gather" [("axis"%string, VInt 0)] [3; 2]; call "Relu" [] [4]].

Section Instances.
  Variable ex : spec_float -> spec_float.
  Notation S := (floats ex).

  Notation stacked := (compile_stacked (const_value S (the_constants ex) (fun _ => None)) the_model [12]).

  Lemma stacked_is_there : exists u, stacked = Some u /\ no_fetches u = true.
  Proof.
    assert (match stacked with Some u => no_fetches u | None => false end = true) as T by (vm_compute; reflexivity).
    destruct stacked as [u |]; [now exists u | discriminate T].
  Qed.

  Theorem stacked_instance (x : tensor (num S)) : good x -> dims x = [1; 2; 4; 4] ->
    exists u outs, stacked = Some u /\
      outputs_of S (only ex x) (the_constants ex) (fun _ => None) the_model [12] = Some outs /\
      run_unit u (only ex x) = Finished outs.
  Proof.
    intros G D. destruct stacked_is_there as (u & U & N).
    destruct (stacked_total S (only ex x) (the_constants ex) (fun _ => None) the_model [12] u U) as (outs & E & R).
    - now apply only_fits.
    - exact N.
    - exists u, outs. auto.
  Qed.

  (** The Gather is what is refused: there are two rows, and no row 2. *)
  Theorem refused_instance :
    option_map (fun r => (fst (fst r), reason_of (snd (fst r)) (snd r)))
      (refused (fun _ _ => made ex [1] (fun _ => 2%Z)) 100 (State (S := S) [] [] [] [] [0] 0) gathers 0) = Some (4, IndexOutside).
  Proof. vm_compute. reflexivity. Qed.
End Instances.
