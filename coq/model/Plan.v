(** * A plan of memory without overlap

    Everything that is stored lies behind what was stored before.  Any other plan may be given
    to [compile] instead: it is checked. *)

From Coq Require Import List Arith NArith.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable
  tensor.OpKernel.
From Calque Require Import rewrite.SoundModel model.Function model.Unit model.Compile model.ModelProof.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

(** Offsets from [off] on, and the end. *)
Fixpoint stack (off : nat) (ds : list sizes) : list nat * nat :=
  match ds with
  | [] => ([], off)
  | d :: ds' => let (os, last) := stack (off + cell_count d) ds' in (off :: os, last)
  end.

Section Stacked.
  Context {S : arith}.
  Variable constant_of : N -> option value -> option (tensor (num S)).

  (** The sizes of what a node's call stores. *)
  Definition stores_at (st : state S) (n : node Pattern.oper) : list sizes :=
    match Pattern.what (op n), traverse (nth_error (bound_to st)) (args n) with
    | Pattern.KCall name, Some bs =>
        let attrs := Pattern.attrs (op n) in
        let w :=
          let? l := inputs bs in
          let? xs := traverse (fun o : option place => o) l in
          let? s := op_infer name attrs (map (map_value p_dims) bs) in
          work_of st name attrs s xs in
        match w with Some w => stored_sizes w | None => [] end
    | _, _ => []
    end.

  (** The offsets of all calls, and the end. *)
  Fixpoint stacked (st : state S) (off : nat) (g : Pattern.tgraph) : option (list nat * nat) :=
    match g with
    | [] => Some ([], off)
    | n :: g' =>
        let (os, last) := stack off (stores_at st n) in
        let? st' := add_node constant_of last (State (bound_to st) (valid st) (calls st) (weights st) os (next st)) n in
        let? (plan, size) := stacked st' last g' in Some (os ++ plan, size)
    end.

  Definition compile_stacked (g : Pattern.tgraph) (outputs : list nat) : option (unit_ S) :=
    let? (plan, size) := stacked (State [] [] [] [] [] 0) 0 g in compile constant_of size plan g outputs.
End Stacked.

Theorem stacked_correct S inputs constants shapes g outputs u :
  compile_stacked (const_value S constants shapes) g outputs = Some u -> inputs_fit inputs g ->
  match run_unit u inputs with
  | Finished outs => outputs_of S inputs constants shapes g outputs = Some outs /\ all_valued S inputs constants shapes g
  | OutOfRange => outside_at S inputs constants shapes g
  | Stuck => False
  end.
Proof.
  unfold compile_stacked. destruct (stacked _ _ 0 g) as [[plan size] |]; [| discriminate]. apply model_correct.
Qed.

Corollary stacked_runs S inputs constants shapes g outputs u :
  compile_stacked (const_value S constants shapes) g outputs = Some u -> inputs_fit inputs g ->
  all_valued S inputs constants shapes g ->
  exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\ run_unit u inputs = Finished outs.
Proof.
  unfold compile_stacked. destruct (stacked _ _ 0 g) as [[plan size] |]; [| discriminate]. apply model_runs.
Qed.

Corollary stacked_total S inputs constants shapes g outputs u :
  compile_stacked (const_value S constants shapes) g outputs = Some u -> inputs_fit inputs g -> no_fetches u = true ->
  exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\ run_unit u inputs = Finished outs.
Proof.
  unfold compile_stacked. destruct (stacked _ _ 0 g) as [[plan size] |]; [| discriminate]. apply model_total.
Qed.
