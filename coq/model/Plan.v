(** * A plan of memory without overlap

    Everything that is stored lies behind what was stored before.  Any other plan may be given
    to [compile] instead: it is checked. *)

From Coq Require Import List Arith NArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs.
From Calque Require Import rewrite.SoundModel model.Function model.Unit model.Compile model.ModelProof model.GraphKernel.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

(** Offsets from [off] on, and the end. *)
Fixpoint stack (off : nat) (ds : list sizes) : list nat * nat :=
  match ds with
  | [] => ([], off)
  | d :: ds' => let (os, last) := stack (off + cell_count d) ds' in (off :: os, last)
  end.

Definition compile_stacked {S} (constant_of : N -> option value -> option (tensor (num S)))
    (g : Pattern.tgraph) (outputs : list nat) : option (unit_ S) :=
  let? P := graph_kernel S constant_of g outputs in
  let (plan, size) := stack 0 (map snd (stored (p_prog P))) in
  compile constant_of size plan g outputs.

Theorem stacked_correct S inputs constants shapes g outputs u :
  compile_stacked (const_value S constants shapes) g outputs = Some u -> inputs_fit inputs g ->
  exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\ run_unit u inputs = Some outs.
Proof.
  unfold compile_stacked. destruct (graph_kernel S _ g outputs) as [P |]; [| discriminate].
  destruct (stack 0 _) as [plan size]. apply model_correct.
Qed.
