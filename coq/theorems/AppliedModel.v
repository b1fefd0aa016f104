(** * Instances: the premises of the headline theorems about emitted models hold together

    [NAME_applies] is the theorem [OfModel.NAME]. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph tensor.Tensor tensor.Scalars tensor.Attrs tensor.Instances.
From Calque Require Import rewrite.Sound rewrite.SoundModel model.Unit model.Compile model.ModelProof model.Instance.
From Calque Require kernel.Kernel model.GraphKernel model.Function model.FunctionProof model.CastInstance model.FetchInstance model.State.
From Calque Require dpia.Syntax dpia.Typing dpia.Range dpia.RangeKnown dpia.Values dpia.Scalars.
From Calque Require emit.Flat emit.Whole emit.WholeFlat emit.Relocate emit.ThreadsExample.
From Calque Require theorems.AppliedTensor theorems.AppliedOracle theorems.AppliedThreads.
From Calque Require theorems.Model.
Module OfModel := theorems.Model.
Import ListNotations.
Open Scope nat_scope.

(** ** Whole models *)

Definition same (x : spec_float) : spec_float := x.
Definition numbers_from (ds : list nat) : tensor spec_float :=
  Tensor ds (map (fun k => s_int binary32 (Z.of_nat k)) (seq 1 (cell_count ds))).
Definition the_image : tensor (num (floats same)) := numbers_from [1; 2; 4; 4].

Definition model_instance_applies := OfModel.model_instance same the_image eq_refl eq_refl.
Definition graph_kernel_instance_applies := OfModel.graph_kernel_instance same the_image (seq 0 15) eq_refl eq_refl.
Definition fused_instance_applies := OfModel.fused_instance same the_image eq_refl eq_refl.

Definition cast_instance_applies := OfModel.cast_instance same (CastInstance.the_input same) eq_refl eq_refl.
Definition cast_values_applies := OfModel.cast_values same.

Example graph_kernel_correct_applies :
  exists P us,
    GraphKernel.graph_kernel (floats same) (const_value (floats same) (the_constants same) (fun _ => None)) the_model [12] = Some P /\
    outputs_of (floats same) (only same the_image) (the_constants same) (fun _ => None) the_model [12] = Some us /\
    Forall2 (fun t u => forall i,
        Kernel.exec_prog (GraphKernel.p_prog P) (GraphKernel.k_store (floats same) (GraphKernel.p_sources P) (only same the_image)) t i =
        get (s_zero (floats same)) u i)
      (GraphKernel.p_outputs P) us.
Proof.
  destruct (GraphKernel.graph_kernel (floats same) (const_value (floats same) (the_constants same) (fun _ => None)) the_model [12])
    as [P |] eqn:E; [| elim (the_kernel_is_there same); exact E].
  destruct (OfModel.graph_kernel_correct (floats same) (only same the_image) (the_constants same) (fun _ => None) the_model [12] P E
              (only_fits same the_image eq_refl eq_refl)) as (us & O & F & _).
  exists P, us. split; [reflexivity |]. split; [exact O |].
  clear - F. induction F as [| t u l m (_ & _ & H) _ IH]; constructor; [exact H | exact IH].
Qed.

(** ** A look-up: rows of an input at the indices of another, into an arena of eight *)

Definition its_memory : Flat.fstore (Lower.scalar_algebra (kernel_scalars int64)) := fun q o =>
  match q with
  | 0 => if o <? 8 then Some None else None
  | 2 => option_map Some (nth_error (cells FetchInstance.some_rows) o)
  | _ => option_map Some (nth_error (cells (FetchInstance.some_indices [0; -1; 1; -2]%Z)) o)
  end.

Definition fetch_correct_applies :=
  OfModel.fetch_correct int64 0 FetchInstance.some_rows (FetchInstance.some_indices [0; -1; 1; -2]%Z)
    (Place 0 2 0 [3; 2]) (Place 1 4 0 [2; 2]) (Place 2 0 0 [2; 2; 2]) its_memory 8
    ltac:(apply Nat.lt_0_succ) eq_refl eq_refl eq_refl
    (State.has_cells int64 2 0 FetchInstance.some_rows its_memory 0 eq_refl (fun _ _ => eq_refl))
    (State.has_cells int64 4 0 (FetchInstance.some_indices [0; -1; 1; -2]%Z) its_memory 1 eq_refl (fun _ _ => eq_refl))
    eq_refl ltac:(intros o lt; unfold its_memory, arena; apply Nat.ltb_lt in lt; rewrite lt; discriminate).

(** ** Programs of assignments *)

(** An index below 3 that a condition says is below 2. *)
Definition known_below_two : Typing.ctx Syntax.numbers :=
  Typing.Ctx [Syntax.TI (3 : Syntax.size Syntax.numbers)] [(Syntax.CCmp Kernel.CLt (Syntax.XVar 0) (Syntax.XCst 2), true)].

Definition range_known_sound_applies :=
  OfModel.range_known_sound Syntax.numbers Syntax.numbers_sizing known_below_two (Syntax.XVar 0) 2 ltac:(vm_compute; reflexivity).

(** y = map over x of the sum of an element with itself. *)
Definition doubling : list (@Whole.assignment Scalars.integers Syntax.numbers) :=
  [Whole.Assignment 1 AppliedThreads.three AppliedThreads.sums false].
Definition first_only (k : nat) : bool := k <? 1.

Lemma doubling_held :
  WholeFlat.flat_holding (s := Syntax.numbers_sizing) [AppliedThreads.three; AppliedThreads.three] first_only
    [AppliedThreads.numbers_5; AppliedThreads.numbers_5] ThreadsExample.start.
Proof.
  destruct AppliedThreads.sums_ready as (_ & held & out). split; [reflexivity |]. split.
  - intros [| k] d w D W set; [| discriminate set]. exact (held 0 d w D W).
  - intros [| [| k]] d o D lt; cbn in D; [| | now destruct k]; injection D as <-; [| now apply out].
    destruct o as [| [| [| o]]]; try discriminate. cbn in lt. lia.
Qed.

Definition emitted_correct_applies :=
  OfModel.emitted_correct Scalars.integers Syntax.numbers Syntax.numbers_sizing
    (@RangeKnown.range_known Syntax.numbers Syntax.numbers_sizing) (OfModel.range_known_sound Syntax.numbers Syntax.numbers_sizing)
    [AppliedThreads.three; AppliedThreads.three] doubling first_only [AppliedThreads.numbers_5; AppliedThreads.numbers_5]
    ThreadsExample.start ThreadsExample.no_loops ltac:(reflexivity) doubling_held.

(** ** A kernel program as a function: squares, transposed *)

Notation program := [AppliedOracle.squared; AppliedOracle.turned].
Notation its_input := [(0, [2; 3])].

Definition its_function : Function.function Numbers.int64s :=
  match Function.compile_function its_input program with Some f => f | None => Function.Func [] 0 Flat.FSkip end.

Lemma its_function_is : Function.compile_function its_input program = Some its_function.
Proof.
  unfold its_function.
  assert (match Function.compile_function its_input program with Some _ => true | None => false end = true) as T by reflexivity.
  destruct (Function.compile_function its_input program); [reflexivity | discriminate T].
Qed.

Definition its_store : Kernel.store Numbers.int64s := fun t i =>
  Some (if Nat.eqb t 0 then Z.of_nat (position [2; 3]%nat i) + 1 else 0)%Z.
Definition its_arrays : Flat.fstore (Lower.scalar_algebra Numbers.int64s) := fun k o =>
  Some (if k =? 0 then Some (Some (Z.of_nat o + 1)%Z) else None).

Lemma its_loads s t : In s program ->
  Kernel.in_bounds_stmt t (Function.shape_in (Function.tensors its_input program) t) s.
Proof.
  intros [<- | [<- | []]]; refine (AppliedTensor.each_index _ _ _); apply Forall_forall; intros i I;
    repeat (destruct I as [<- | I]; [cbn [Kernel.body AppliedOracle.squared AppliedOracle.turned Kernel.in_bounds];
      repeat split; intros <-; reflexivity |]); destruct I.
Qed.

Lemma its_arrays_hold : FunctionProof.held Numbers.int64s its_input its_store its_arrays.
Proof.
  intros [| k] t d E i I; [injection E as <- <-; reflexivity | now destruct k].
Qed.

Definition function_correct_applies :=
  OfModel.function_correct Numbers.int64s its_input program its_function its_store its_arrays ThreadsExample.no_loops
    its_function_is its_loads its_arrays_hold ltac:(discriminate).

(** ** A call: both arrays of the loop of [ThreadsExample] are parts of one of six places *)

Definition places (r : nat) : nat * nat := match r with 0 => (0, 0) | 1 => (0, 3) | _ => (r, 0) end.
Definition second_is_set (r : nat) : bool := r =? 1.
Definition all_three (r : nat) : nat := 3.
Definition both_parts : ThreadsExample.int_store := fun q k =>
  if q =? 0 then nth_error [Some 5%Z; Some 6%Z; Some 7%Z; None; None; None] k else None.

Lemma places_carried : Relocate.carried places 2 all_three ThreadsExample.start both_parts.
Proof.
  split.
  - intros [| [| r]] o N lt; [| | lia]; unfold all_three; destruct o as [| [| [| o]]]; try lia; elim N; now destruct o.
  - intros [| [| r]] o N; [| | now elim N]; destruct o as [| [| [| o]]]; try reflexivity; elim N; now destruct o.
Qed.

Lemma places_apart r o r' o' : Relocate.writable 2 second_is_set r ->
  Relocate.inside 2 all_three r o -> Relocate.inside 2 all_three r' o' ->
  Relocate.spot places (r, o) = Relocate.spot places (r', o') -> r = r' /\ o = o'.
Proof.
  intros w a b E. pose proof (f_equal fst E) as E1. pose proof (f_equal snd E) as E2. clear E.
  unfold Relocate.inside, all_three in a, b.
  destruct r as [| [| r]], r' as [| [| r']]; cbn in E1, E2; try (split; lia); try lia.
Qed.

Definition relocate_correct_applies :=
  OfModel.relocate_correct Scalars.integers Syntax.numbers places Syntax.numbers_sizing 2 second_is_set all_three
    ltac:(intros [| [| r]] le; [lia | lia | reflexivity])
    ltac:(intros [| [| r]] [| [| r']] le E; cbn in E; lia)
    places_apart
    ThreadsExample.doubled ThreadsExample.no_loops ThreadsExample.start AppliedThreads.doubled_end both_parts
    eq_refl AppliedThreads.doubled_runs places_carried.
