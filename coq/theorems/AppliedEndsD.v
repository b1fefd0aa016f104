(** * Instances: the premises of the headline theorems on termination, convolutions and threads hold together *)

From Coq Require Import Bool List NArith String ZArith Lia.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
From Calque Require Import rewrite.Rewrite rewrite.Sound rewrite.Library rewrite.Fold rewrite.Opt rewrite.OptCorrect.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Instances tensor.Mixed tensor.Index tensor.Shapes tensor.Ops tensor.OpsWindow.
From Calque Require base.FloatSum rewrite.TermLibrary rewrite.OptEnds rewrite.OptInstance rewrite.LibrarySimplify.
From Calque Require rewrite.TermFix rewrite.Termination.
From Calque Require tensor.PadConv tensor.PadFloats.
From Calque Require dpia.Syntax dpia.Values dpia.Scalars emit.Threads emit.ThreadsExample emit.Flat.
From Calque Require theorems.Termination theorems.Convolutions theorems.Threads.
Import ListNotations.
Open Scope nat_scope.

(** What a computation gives. *)
Definition got {T} (o : option T) (default : T) : T := match o with Some v => v | None => default end.

(** ** Termination *)

Notation small := TermLibrary.small_graph.

Lemma small_wf : wf small.
Proof. apply wfb_iff. reflexivity. Qed.
Lemma small_grounded : grounded small.
Proof. do 2 eexists. reflexivity. Qed.
Lemma small_inside : forall o, In o [5] -> o < List.length small.
Proof. intros o [<- | []]. repeat constructor. Qed.

(** The rule matches at [e], and the match is rewritten. *)
Definition rewrites (r : rule) (e : nat) : bool :=
  match rule_at commutative r small [5] (seq 0 (List.length small)) e with
  | Some (M, outs) => match rewrite_match r small [5] M outs with Some _ => true | None => false end
  | None => false
  end.

(** Dropout is removed: the text of the rule passes the check. *)
Example falls_text_right_applies : exists M outs h outputs',
  rule_at commutative LibrarySimplify.rule_text_dropout_removal small [5] (seq 0 (List.length small)) 5 = Some (M, outs) /\
  rewrite_match LibrarySimplify.rule_text_dropout_removal small [5] M outs = Some (h, outputs') /\
  grounded h /\ TermFix.less (rewrite.Termination.measure h) (rewrite.Termination.measure small).
Proof.
  assert (rewrites LibrarySimplify.rule_text_dropout_removal 5 = true) as R by (vm_compute; reflexivity).
  unfold rewrites in R.
  destruct (rule_at commutative LibrarySimplify.rule_text_dropout_removal small [5] (seq 0 (List.length small)) 5)
    as [[M outs] |] eqn:E; [| discriminate R].
  destruct (rewrite_match LibrarySimplify.rule_text_dropout_removal small [5] M outs) as [[h outputs'] |] eqn:F;
    [| discriminate R].
  exists M, outs, h, outputs'. split; [reflexivity |]. split; [exact F |].
  refine (theorems.Termination.falls_text_right commutative _ _ small [5] 5 M outs h outputs'
    small_wf small_grounded small_inside _ E F).
  - vm_compute. reflexivity.
  - repeat constructor.
Qed.

(** The product with a tensor of threes becomes one with the number. *)
Example full_element_wise_falls_applies : exists M outs h outputs',
  rule_at commutative rule_text_full_element_wise small [5] (seq 0 (List.length small)) 3 = Some (M, outs) /\
  rewrite_match rule_text_full_element_wise small [5] M outs = Some (h, outputs') /\
  grounded h /\ TermFix.less (rewrite.Termination.measure h) (rewrite.Termination.measure small).
Proof.
  assert (rewrites rule_text_full_element_wise 3 = true) as R by (vm_compute; reflexivity).
  unfold rewrites in R.
  destruct (rule_at commutative rule_text_full_element_wise small [5] (seq 0 (List.length small)) 3)
    as [[M outs] |] eqn:E; [| discriminate R].
  destruct (rewrite_match rule_text_full_element_wise small [5] M outs) as [[h outputs'] |] eqn:F; [| discriminate R].
  exists M, outs, h, outputs'. split; [reflexivity |]. split; [exact F |].
  refine (theorems.Termination.full_element_wise_falls commutative small [5] 3 M outs h outputs'
    small_wf small_grounded small_inside _ E F).
  repeat constructor.
Qed.

Definition rewrite_fix_terminates_applies :=
  theorems.Termination.rewrite_fix_terminates commutative library OptEnds.all_of_library small [5]
    small_wf small_grounded small_inside.

Lemma small_model_ready : ready OptInstance.small_model OptInstance.small_outputs = true.
Proof. vm_compute. reflexivity. Qed.

Definition opt_terminates_applies :=
  theorems.Termination.opt_terminates (mixed standard) OptInstance.unspelled library OptEnds.all_of_library
    OptInstance.small_model OptInstance.small_outputs OptInstance.small_constants small_model_ready.

Definition optimise_terminates_applies :=
  theorems.Termination.optimise_terminates (mixed standard) OptInstance.unspelled library OptEnds.all_of_library
    OptInstance.small_model OptInstance.small_outputs OptInstance.small_constants small_model_ready OptInstance.all_allowed.

(** ** Sums of floats *)

Notation one_32 := (s_int binary32 1).
Notation one_64 := (s_int binary64 1).

(** 1 + (-1) + -0 is no -0. *)
Example sum_not_minus_zero_32_applies :
  fold_left (SFadd 24 128) [one_32; s_neg binary32 one_32; S754_zero true] (S754_zero false) <> S754_zero true.
Proof. apply theorems.Convolutions.sum_not_minus_zero_32. repeat constructor. Qed.

Example sum_not_minus_zero_64_applies :
  fold_left (SFadd 53 1024) [one_64; s_neg binary64 one_64; S754_zero true] (S754_zero false) <> S754_zero true.
Proof. apply theorems.Convolutions.sum_not_minus_zero_64. repeat constructor. Qed.

(** A -0 for a +0, between numbers. *)
Example sum_up_to_zeros_applies :
  fold_left (SFadd 24 128) [one_32; S754_zero true; one_32] (S754_zero false) =
  fold_left (SFadd 24 128) [one_32; S754_zero false; one_32] (S754_zero false).
Proof.
  apply theorems.Convolutions.sum_up_to_zeros; [lia |].
  assert (FloatSum.settled 24 128 one_32) as P by (apply FloatSum.valid_settled; reflexivity).
  constructor; [left; split; [reflexivity | exact P] |].
  constructor; [right; split; exact I |].
  constructor; [left; split; [reflexivity | exact P] |]. constructor.
Qed.

(** sum(k < 3) of x[k] * 2 where k < 2. The variables: the sum, the index, [x]. *)
Section Guard.
  Notation alg := (dpia.Scalars.ieee 24 128).
  Notation numbers := Syntax.numbers.
  Definition cell_of_x : Syntax.exp alg numbers := Syntax.EIdx (Syntax.EVar 2) (Syntax.XMod (Syntax.XVar 1) 3).
  Definition times_two : Syntax.exp alg numbers := @Syntax.ELit alg numbers (s_int binary32 2).
  Definition below_two : Syntax.cond numbers := Syntax.CCmp Kernel.CLt (Syntax.XVar 1) (Syntax.XCst 2).
  Definition some_x : list (@Values.value alg) :=
    [Values.Arr (map (fun z => Values.Num (s_int binary32 z : Syntax.scalar alg)) [1; -3; 2]%Z)].

  Lemma guard_numbers v k : exists y z,
    Values.eval (v :: Values.Pos k :: some_x) cell_of_x = Values.Num y /\
    Values.eval (v :: Values.Pos k :: some_x) times_two = Values.Num z.
  Proof.
    assert (exists y, Values.eval (v :: Values.Pos k :: some_x) cell_of_x = Values.Num y) as [y E].
    { cbn [Values.eval cell_of_x]. unfold Syntax.index. cbn [Syntax.ixv Values.positions nth_error].
      pose proof (Z.mod_pos_bound (Z.of_nat k) 3 eq_refl) as B. destruct (Z.of_nat k mod 3)%Z as [| p | p]; [| | lia].
      - eexists. reflexivity.
      - assert (p = 1 \/ p = 2)%positive as [-> | ->] by lia; eexists; reflexivity. }
    exists y. eexists. split; [exact E | reflexivity].
  Qed.

  Definition guard_sum_product_applies :=
    theorems.Convolutions.guard_sum_product numbers Syntax.numbers_sizing 24 128 3 Syntax.DNum below_two
      cell_of_x times_two some_x eq_refl guard_numbers.
End Guard.

(** ** Convolutions of padded tensors: an image of 2 by 2, padded by 1, a kernel of 2 by 2, a bias *)

Definition image S : tensor (num S) := Tensor [1; 1; 2; 2] (map (s_int S) [1; 2; 3; 4]%Z).
Definition weights S : tensor (num S) := Tensor [1; 1; 2; 2] (map (s_int S) [1; -1; 0; 2]%Z).
Definition bias S : option (tensor (num S)) := Some (Tensor [1] [s_int S 5]).
Definition plain_window : window := Window [1; 1] [1; 1] [0; 0; 0; 0].
Definition padded S : tensor (num S) := got (pad S PadConstant 0 [0; 0; 1; 1]%Z [0; 0; 1; 1]%Z (image S)) (image S).
Definition convolved S : tensor (num S) := got (conv S plain_window 1 (padded S) (weights S) (bias S)) (image S).

Example conv_padded_32_applies :
  conv binary32 (PadConv.padded_window plain_window [1; 1]%Z [1; 1]%Z) 1 (image binary32) (weights binary32) (bias binary32) =
  Some (convolved binary32).
Proof.
  apply theorems.Convolutions.conv_padded_32 with (px := padded binary32);
    try (vm_compute; reflexivity); repeat constructor; discriminate.
Qed.

Example conv_padded_64_applies :
  conv binary64 (PadConv.padded_window plain_window [1; 1]%Z [1; 1]%Z) 1 (image binary64) (weights binary64) (bias binary64) =
  Some (convolved binary64).
Proof.
  apply theorems.Convolutions.conv_padded_64 with (px := padded binary64);
    try (vm_compute; reflexivity); repeat constructor; discriminate.
Qed.

(** ** Threads *)

Definition par_interleaving_applies := ThreadsExample.doubled_interleaving.
Definition par_interleaving_example_applies :=
  theorems.Threads.par_interleaving_example 0 _ _ (Threads.Steps_0 _).
