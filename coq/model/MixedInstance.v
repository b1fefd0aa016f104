(** * A small model with several element types, compiled

    Conv, Relu, Gather, Concat, MatMul and Softmax on binary32, the indices int64, over the
    mixed numbers: every hypothesis of [model_correct] is computed.  [ex] is any exponential of
    binary32. *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Instances tensor.Mixed.
From Calque Require Import rewrite.Sound rewrite.SoundModel model.Unit model.Compile model.ModelProof model.Instance.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

Section MixedInstance.
  Variable ex : spec_float -> spec_float.

  (** The standard element types, with this exponential. *)
  Definition some_elements : elements :=
    Elements (Element (floats ex) 1 NReal (float_number_in 24 128)) float64 int64_element int32_element int8_element byte_element
      truth_element.
  Notation S := (mixed some_elements).
  Notation tensor := (tensor (num S)).

  Definition reals (ds : sizes) (f : nat -> Z) : option tensor :=
    Some (Tensor ds (map (fun k => of_f32 some_elements (s_int binary32 (f k))) (seq 0 (cell_count ds)))).

  Definition mixed_constants (k : N) : option tensor :=
    match k with
    | 1%N => reals [3; 2; 3; 3] (fun k => Z.of_nat k mod 5 - 2)%Z
    | 2%N => reals [3] (fun k => Z.of_nat k)
    | 3%N => Some (Tensor [2] [of_i64 some_elements (Some 2%Z); of_i64 some_elements (Some 0%Z)])
    | 4%N => reals [16; 4] (fun k => Z.of_nat k mod 3 - 1)%Z
    | _ => None
    end.

  Notation the_unit := (compile (const_value S mixed_constants (fun _ => None)) 208 the_plan the_model [12]).

  (** There is one, and it has no look-ups. *)
  Lemma the_unit_is_there : exists u, the_unit = Some u /\ no_fetches u = true.
  Proof.
    assert (match the_unit with Some u => no_fetches u | None => false end = true) as T by (vm_compute; reflexivity).
    destruct the_unit as [u |]; [now exists u | discriminate T].
  Qed.

  Definition only_mixed (x : tensor) (k : N) : option tensor := if (k =? 0)%N then Some x else None.

  Theorem mixed_model_correct (x : tensor) : good x -> dims x = [1; 2; 4; 4] ->
    exists u outs, the_unit = Some u /\
      outputs_of S (only_mixed x) mixed_constants (fun _ => None) the_model [12] = Some outs /\
      run_unit u (only_mixed x) = Finished outs.
  Proof.
    intros G D. destruct the_unit_is_there as (u & U & N).
    destruct (model_total S (only_mixed x) mixed_constants (fun _ => None) 208 the_plan the_model [12] u U) as (outs & E & R).
    - intros n k I Wh. repeat (destruct I as [<- | I]; [try discriminate Wh |]); [| destruct I].
      injection Wh as <-. exists x. rewrite D. repeat split. exact G.
    - exact N.
    - exists u, outs. auto.
  Qed.
End MixedInstance.
