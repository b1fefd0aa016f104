(** * Instances: the premises of the headline theorems on models that are emitted hold together *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Instances.
From Calque Require Import rewrite.Sound rewrite.SoundModel model.Unit model.Compile model.ModelProof model.Instance.
From Calque Require kernel.Kernel kernel.Wf kernel.WfProof kernel.Lower tensor.OpKernel.
From Calque Require dpia.Syntax dpia.Typing dpia.Values dpia.Scalars dpia.RangeKnown.
From Calque Require emit.MiniC emit.Flat emit.Whole emit.WholeFlat emit.Relocate emit.ThreadsExample.
From Calque Require model.Function model.FunctionProof model.GraphKernel model.GraphKernelProof.
From Calque Require theorems.Model.
Import ListNotations.
Open Scope nat_scope.

(** What a computation gives. *)
Definition got {T} (o : option T) (default : T) : T := match o with Some v => v | None => default end.

(** ** The model of [model/Instance.v], on numbers *)

Definition an_input : tensor (num (floats (s_exp binary32))) :=
  Tensor [1; 2; 4; 4] (map (fun k => s_int binary32 (Z.of_nat k - 7)) (seq 0 32)).

Definition model_instance_applies := theorems.Model.model_instance (s_exp binary32) an_input eq_refl eq_refl.
Definition graph_kernel_instance_applies :=
  theorems.Model.graph_kernel_instance (s_exp binary32) an_input [4; 5; 9] eq_refl eq_refl.
Definition fused_instance_applies := theorems.Model.fused_instance (s_exp binary32) an_input eq_refl eq_refl.

(** As one kernel program. *)
Example graph_kernel_correct_applies :
  let S := floats (s_exp binary32) in
  let constants := the_constants (s_exp binary32) in
  exists P us,
    GraphKernel.graph_kernel S (const_value S constants (fun _ => None)) the_model [12] = Some P /\
    outputs_of S (only (s_exp binary32) an_input) constants (fun _ => None) the_model [12] = Some us /\
    Forall2 (fun t u => In (t, dims u) (GraphKernel.p_tensors P) /\ good u /\ forall i,
        Kernel.exec_prog (GraphKernel.p_prog P)
          (GraphKernel.k_store S (GraphKernel.p_sources P) (only (s_exp binary32) an_input)) t i = get (s_zero S) u i)
      (GraphKernel.p_outputs P) us.
Proof.
  intros S constants.
  destruct (GraphKernel.graph_kernel S (const_value S constants (fun _ => None)) the_model [12]) as [P |] eqn:E;
    [| elim (the_kernel_is_there (s_exp binary32)); exact E].
  destruct (theorems.Model.graph_kernel_correct S (only (s_exp binary32) an_input) constants (fun _ => None) the_model [12] P E
    (only_fits (s_exp binary32) an_input eq_refl eq_refl)) as (us & Eu & F & _).
  exists P, us. split; [reflexivity |]. split; [exact Eu | exact F].
Qed.

(** ** The function of one kernel: the product of a matrix of 2 by 3 with one of 3 by 2 *)

Section Product.
  Notation K := (kernel_scalars binary32).
  Definition given : list (Kernel.tid * sizes) := [(OpKernel.tX 0, [2; 3]); (OpKernel.tX 1, [3; 2])].
  Definition product : list (Kernel.stmt K) :=
    got (OpKernel.op_kernel binary32 "MatMul" [] [[2; 3]; [3; 2]] [2; 2] false []) [].
  Definition its_tensors := Function.tensors given product.
  Definition matrices : Kernel.store K := fun t i => s_int binary32 (Z.of_nat t + 2 * nth 0 i 0 - nth 1 i 0)%Z.
  Definition arrays : Flat.fstore (Lower.scalar_algebra K) := fun k o =>
    match nth_error its_tensors k with
    | Some (t, d) => if o <? cell_count d then Some (Some (matrices t (index_at d o))) else None
    | None => None
    end.

  Example function_correct_applies ie : exists f fm',
    Function.compile_function given product = Some f /\
    Flat.frun (s := Syntax.numbers_sizing) ie (Function.f_body f) arrays = Some fm' /\
    FunctionProof.held K its_tensors (Kernel.exec_prog product matrices) fm'.
  Proof.
    assert (match Function.compile_function given product with Some _ => true | None => false end = true) as there
      by (vm_compute; reflexivity).
    destruct (Function.compile_function given product) as [f |] eqn:C; [clear there | discriminate there].
    destruct (theorems.Model.function_correct K given product f matrices arrays ie C) as (fm' & F & H).
    - assert (Wf.wf_prog (Function.shape_in its_tensors) product = true) as W by (vm_compute; reflexivity).
      unfold Wf.wf_prog in W. rewrite forallb_forall in W. intros s t I.
      exact (proj2 (WfProof.wf_sound K _ s (W s I)) t).
    - intros k t d E i I.
      assert (nth_error its_tensors k = Some (t, d)) as E'.
      { unfold its_tensors, Function.tensors. rewrite nth_error_app1; [exact E |].
        apply nth_error_Some. rewrite E. discriminate. }
      unfold arrays. rewrite E', (index_at_position d i I).
      pose proof (position_lt d i I) as lt. apply Nat.ltb_lt in lt. now rewrite lt.
    - intros k d o E lt.
      assert (Function.f_params f = map snd its_tensors) as P
        by (assert (option_map Function.f_params (Function.compile_function given product) = Some (map snd its_tensors))
              as P by (vm_compute; reflexivity); rewrite C in P; now injection P).
      rewrite P, nth_error_map in E. unfold arrays. destruct (nth_error its_tensors k) as [[t d'] |]; [| discriminate E].
      injection E as <-. apply Nat.ltb_lt in lt. cbn [snd] in lt. rewrite lt. discriminate.
    - exists f, fm'. split; [reflexivity |]. split; [exact F | exact H].
  Qed.
End Product.

(** ** A call of the loop of [emit/ThreadsExample.v], its arrays being parts of one *)

Section Call.
  (** The result first in array 0, behind it the input; what is declared is apart. *)
  Definition placed (r : nat) : nat * nat := match r with 0 => (0, 3) | 1 => (0, 0) | _ => (r, 0) end.
  Definition result (r : nat) : bool := r =? 1.
  Definition arena : Flat.fstore dpia.Scalars.integers := fun q o =>
    match q with
    | 0 => if o <? 3 then ThreadsExample.start 1 o else if o <? 6 then ThreadsExample.start 0 (o - 3) else None
    | _ => None
    end.
  Notation run := (Flat.frun (A := dpia.Scalars.integers) (N := Syntax.numbers) (s := Syntax.numbers_sizing) ThreadsExample.no_loops).

  Example relocate_correct_applies : exists fm' m',
    run ThreadsExample.doubled ThreadsExample.start = Some fm' /\
    run (Relocate.relocate placed ThreadsExample.doubled) arena = Some m' /\
    Relocate.carried placed 2 (fun _ => 3) fm' m'.
  Proof.
    assert (match run ThreadsExample.doubled ThreadsExample.start with Some _ => true | None => false end = true) as there
      by (vm_compute; reflexivity).
    destruct (run ThreadsExample.doubled ThreadsExample.start) as [fm' |] eqn:R; [clear there | discriminate there].
    destruct (theorems.Model.relocate_correct dpia.Scalars.integers Syntax.numbers placed Syntax.numbers_sizing 2 result (fun _ => 3))
      with (c := ThreadsExample.doubled) (ie := ThreadsExample.no_loops) (fm := ThreadsExample.start) (fm' := fm') (m := arena)
      as (m' & R' & C & _).
    - intros [| [| r]] le; [lia | lia | reflexivity].
    - intros [| [| r]] [| [| r']] le E; cbn in E; try discriminate E; lia.
    - unfold Relocate.writable, Relocate.inside, Relocate.spot, Relocate.region, Relocate.base, result.
      intros [| [| r]] o [| [| r']] o' W I I' E; pose proof (f_equal fst E) as E1; pose proof (f_equal snd E) as E2;
        clear E; cbn in *; try discriminate E1;
        try (destruct W as [W | W]; [lia | discriminate W]); lia.
    - reflexivity.
    - exact R.
    - split.
      + intros [| [| r]] o some lt; [| | lia]; cbn in some; apply nth_error_Some in some; exact some.
      + intros [| [| r]] o some; [| | now elim some]; assert (o < 3) as lt by (cbn in some; apply nth_error_Some in some; exact some);
          destruct o as [| [| [| o]]]; try reflexivity; lia.
    - exists fm', m'. split; [reflexivity |]. split; [exact R' | exact C].
  Qed.
End Call.

(** ** A program of two assignments: y = x + x, then the sum of y *)

Section Whole.
  Notation alg := dpia.Scalars.integers.
  Notation numbers := Syntax.numbers.
  Notation exp := (Syntax.exp alg numbers).
  Definition vector3 : Syntax.data numbers := @Syntax.DAry numbers 3 Syntax.DNum.
  Definition add (a b : exp) : exp := @Syntax.EBin alg numbers dpia.Scalars.Add a b.
  Definition params : list (Syntax.data numbers) := [vector3; vector3; Syntax.DNum].
  Definition twice_then_sum : list (@Whole.assignment alg numbers) :=
    [Whole.Assignment 1 vector3 (@Syntax.EMap alg numbers Syntax.Par 3 Syntax.DNum (add (Syntax.EVar 0) (Syntax.EVar 0)) (Syntax.EVar 0)) false;
     Whole.Assignment 2 Syntax.DNum
       (@Syntax.ERed alg numbers 3 Syntax.DNum (add (Syntax.EVar 1) (Syntax.EVar 0)) (@Syntax.ELit alg numbers 0%Z) (Syntax.EVar 1)) false].
  Definition first_given (k : nat) : bool := k =? 0.
  Definition x_is : list (@Values.value alg) :=
    [Values.Arr (map (fun z => Values.Num (z : Syntax.scalar alg)) [5; 6; 7]%Z); Values.junk; Values.junk].
  Definition memory : Flat.fstore alg := fun r o =>
    match r with
    | 0 => nth_error [Some 5%Z; Some 6%Z; Some 7%Z] o
    | 1 => nth_error [None; None; None] o
    | 2 => nth_error [None] o
    | _ => None
    end.

  Lemma memory_holds : @WholeFlat.flat_holding alg numbers Syntax.numbers_sizing params first_given x_is memory.
  Proof.
    split; [reflexivity |]. split.
    - intros [| k] d w Ed Ew V; [| discriminate V]. injection Ed as <-. injection Ew as <-. split.
      + split; [reflexivity |]. intros i x E. apply nth_error_In in E.
        repeat (destruct E as [<- | E]; [exact I |]). destruct E.
      + intros [| [i | |] p] lf; cbn in lf; try tauto. destruct lf as [lt lf]. destruct p; [| destruct lf].
        unfold Syntax.count in lt. cbn in lt. destruct i as [| [| [| i]]]; try reflexivity. lia.
    - intros [| [| [| k]]] d o Ed lt; [| | | destruct k; discriminate Ed]; injection Ed as <-; cbn in lt |- *;
        apply nth_error_Some; exact lt.
  Qed.

  Definition emitted_correct_applies ie :=
    theorems.Model.emitted_correct alg numbers Syntax.numbers_sizing
      (@RangeKnown.range_known numbers Syntax.numbers_sizing)
      (theorems.Model.range_known_sound numbers Syntax.numbers_sizing)
      params twice_then_sum first_given x_is memory ie
      (eq_refl true <: Whole.checked (@RangeKnown.range_known numbers Syntax.numbers_sizing) params first_given twice_then_sum = true)
      memory_holds.

  (** Both have a value at the end. *)
  Lemma emitted_all : map (Whole.all_set first_given twice_then_sum) [0; 1; 2] = [true; true; true].
  Proof. reflexivity. Qed.

  (** An index [i] below 5 that is not below 3: i - 3 is below 2. *)
  Definition range_known_sound_applies :=
    theorems.Model.range_known_sound numbers Syntax.numbers_sizing
      (@Typing.Ctx numbers [@Syntax.TI numbers 5] [(Syntax.CCmp Kernel.CLt (Syntax.XVar 0) (Syntax.XCst 3), false)])
      (Syntax.XSub (Syntax.XVar 0) (Syntax.XCst 3)) 2 eq_refl.
End Whole.
