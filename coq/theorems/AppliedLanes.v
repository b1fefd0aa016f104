(** * Instances: the premises of the headline theorems about sums in lanes hold together

    [NAME_applies] is the theorem [OfLanes.NAME] at the sums of two rows of 40 integers. *)

From Coq Require Import Bool List Lia Arith String ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Numbers kernel.Lanes.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.OpLanes.
From Calque Require Import tensor.Instances.
From Calque Require kernel.InlineAll kernel.LanesSums tensor.OpLanesProof.
From Calque Require Import rewrite.SoundModel model.Unit model.ModelProof.
From Calque Require theorems.Lanes graph.Graph pattern.Pattern model.FusedLanes model.Instance.
Module OfLanes := theorems.Lanes.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Notation K := (kernel_scalars integers).

Lemma integers_any_order : LanesSums.any_order (S := K) sums OAdd same_sum.
Proof.
  split.
  - intros [|] H; [split; reflexivity | discriminate].
  - intros [|] H a b; [split; reflexivity | discriminate].
  - exact Z.add_0_l.
  - exact Z.add_comm.
  - exact Z.add_assoc.
Qed.

Definition row_sums : list (Kernel.stmt K) :=
  [Stmt (S := K) (tY 0) [2] (ERed (S := K) KSum [40] (ELd (tX 0) [IVar 1; IVar 0]))].

(** The sum is taken: its kernel has two statements. *)
Lemma row_sums_taken : map (@Kernel.dims K) (op_lanes integers row_sums) = [[2; 16]; [2]].
Proof. reflexivity. Qed.

Lemma row_sums_fresh : forall s t, In s row_sums -> In t (loads (body s)) -> LanesProof.fresh tT 0 t.
Proof. intros s t [<- | []] [<- | []]. apply OpLanesProof.fresh_input. Qed.

Definition rows : Kernel.store K := fun _ i => nth 1 i 0%Z.

Definition lanes_value_applies :=
  OfLanes.lanes_value K sums OAdd same_sum tT 0 row_sums rows (tY 0) [1%Z] OpLanesProof.tT_inj row_sums_fresh
    (OpLanesProof.fresh_output 0 0).

Definition lanes_same_applies :=
  OfLanes.lanes_same K sums OAdd same_sum tT 0 row_sums rows (tY 0) [1%Z] integers_any_order OpLanesProof.tT_inj row_sums_fresh
    (OpLanesProof.fresh_output 0 0).

Definition sizes_before (t : tid) : list nat := if t =? tX 0 then [2; 40] else [2].
Definition sizes_after (t : tid) : list nat := if t mod 3 =? 2 then [2; 16] else sizes_before t.

Lemma row_sums_whole : InlineAll.whole K sizes_before row_sums.
Proof.
  intros s [<- | []]. split; [reflexivity |]. intros t i I k Ik <-. cbn [Kernel.dims] in I.
  destruct i as [| y [| z i]]; try discriminate; [| apply in_box_cons in I as [_ I]; discriminate].
  destruct k as [| x [| w k]]; try discriminate; [| apply in_box_cons in Ik as [_ Ik]; discriminate].
  apply in_box_cons in I as [I _]. apply in_box_cons in Ik as [Ik _].
  change (in_box [2; 40] [y; x] = true).
  apply in_box_cons. split; [exact I |]. apply in_box_cons. split; [exact Ik | reflexivity].
Qed.

Definition lanes_whole_applies :=
  OfLanes.lanes_whole K sums OAdd same_sum tT 0 row_sums sizes_before sizes_after row_sums_fresh
    ltac:(intros t F; unfold sizes_after; destruct (Nat.eqb_spec (t mod 3) 2) as [E | _]; [| reflexivity];
          elim (F (t / 3) (Nat.le_0_l _)); unfold tT;
          pose proof (Nat.div_mod t 3 ltac:(discriminate)) as Q; rewrite E in Q; exact Q)
    ltac:(intros s [<- | [<- | []]]; reflexivity)
    row_sums_whole.

(** ** The operator *)

Definition over_rows : attributes := [("axes", VTuple [VInt 1]); ("keepdims", VInt 0)].
Definition table : tensor Z := Tensor.tabulate [2; 40] (fun i => (nth 0 i 0 * 100 + nth 1 i 0)%Z).
Definition in_lanes := kernel_in_lanes integers "ReduceSum" over_rows [GTensor table].
Definition its_kernel := match in_lanes with Some (p, _, _) => p | None => [] end.
Definition its_value : tensor Z :=
  match output integers [2] (lanes_run integers its_kernel (named integers [table])) with Some u => u | None => table end.

Lemma in_lanes_is : in_lanes = Some (its_kernel, [table], [2]).
Proof. reflexivity. Qed.

Lemma its_value_is : output integers [2] (lanes_run integers its_kernel (named integers [table])) = Some its_value.
Proof. reflexivity. Qed.

Definition op_value_lanes_stored_applies :=
  OfLanes.op_value_lanes_stored integers "ReduceSum" over_rows [GTensor table] its_kernel [table] [2] its_value
    in_lanes_is its_value_is.

Definition op_value_lanes_same_applies :=
  OfLanes.op_value_lanes_same integers "ReduceSum" over_rows [GTensor table] integers_any_order
    (Forall_cons (GTensor table) (good_tabulate _ _ : Infer.good_value (GTensor table)) (Forall_nil _)).

(** ** A model: the sums of two rows, doubled *)

Definition nothing {X Y} (_ : X) : option Y := None.
Definition summed : Pattern.tgraph :=
  [Instance.leaf Pattern.KAbsent []; Instance.leaf (Pattern.KInput 0) (Instance.shaped [2; 40]%Z);
   Instance.call "ReduceSum" over_rows [1]; Instance.call "Add" [] [2; 2]].
Definition only (_ : N) : option (tensor Z) := Some table.

(** Offsets of the temporary, the sums and their doubles. *)
Notation the_unit := (FusedLanes.compile_fused_lanes integers (const_value integers nothing nothing) 100 [0; 40; 60; 80] []
  summed [3]).

Lemma the_unit_is_there : exists u, the_unit = Some u.
Proof.
  assert (match the_unit with Some _ => true | None => false end = true) as T by (vm_compute; reflexivity).
  destruct the_unit as [u |]; [now exists u | discriminate T].
Qed.

Lemma only_fits : inputs_fit only summed.
Proof.
  intros n k I W. exists table. split; [reflexivity |]. split; [apply good_tabulate |].
  repeat (destruct I as [<- | I]; [try discriminate W; reflexivity |]). destruct I.
Qed.

Example fused_lanes_runs_applies : exists u P us, the_unit = Some u /\
  GraphKernel.graph_kernel integers (const_value integers nothing nothing) summed [3] = Some P /\
  run_unit u only = Finished (FusedLanes.outputs_in_lanes integers only P us).
Proof.
  destruct the_unit_is_there as [u U].
  destruct (OfLanes.fused_lanes_runs integers only nothing nothing _ _ _ _ _ u U only_fits) as (P & us & E & _ & R).
  exists u, P, us. auto.
Qed.

Example fused_lanes_correct_applies : exists u outs, the_unit = Some u /\
  outputs_of integers only nothing nothing summed [3] = Some outs /\ run_unit u only = Finished outs.
Proof.
  destruct the_unit_is_there as [u U].
  destruct (OfLanes.fused_lanes_correct integers only nothing nothing _ _ _ _ _ u integers_any_order U only_fits) as (outs & E & R).
  exists u, outs. auto.
Qed.

Definition graph_lanes_same_applies :=
  OfLanes.graph_lanes_same integers only nothing summed [3] integers_any_order
    (proj1 (Graph.wfb_iff summed) eq_refl).
