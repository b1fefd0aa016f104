(** * Instances: the premises of the theorems on functional programs and their translation hold together

    Each [NAME_applies] is the theorem NAME of [Theorems] at a program, [x + y] of
    two vectors of 3 integers, or as said. *)

From Coq Require Import List Arith Lia Bool ZArith Permutation.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans dpia.Scalars.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Sched dpia.Frame dpia.Errata.
From Calque Require dpia.Range dpia.Order theorems.Translation theorems.Text.
Import ListNotations.
Import theorems.Translation.OfDpia.
Open Scope nat_scope.

(** ** Typing *)

Notation three := (ary 3 DNum).
Definition two_vectors : ctx numbers := closed [three; three].
Definition vector_sum : zexp :=
  @EGen integers numbers Par 3 DNum (zadd (EIdx (EVar 1) (XVar 0)) (EIdx (EVar 2) (XVar 0))).

Example dpia_range_var_sound_applies :
  in_range (s := numbers_sizing) (bind (TI (N := numbers) 3) two_vectors) (XVar 0) 3.
Proof. apply dpia_range_var_sound. reflexivity. Qed.

(** [2 * i + 1] below 6, and [i - 1] below 2 where it is not negative. *)
Example dpia_range_interval_sound_applies :
  in_range (s := numbers_sizing) (bind (TI (N := numbers) 3) two_vectors) (XAdd (XMul (XVar 0) 2) (XCst 1)) 6 /\
  in_range (s := numbers_sizing)
    (assume (CCmp Kernel.CGe (XSub (XVar 0) (XCst 1)) (XCst 0)) true (bind (TI (N := numbers) 3) two_vectors))
    (XSub (XVar 0) (XCst 1)) 2.
Proof. split; apply dpia_range_interval_sound; reflexivity. Qed.

Lemma vector_sum_typed : ty (s := numbers_sizing) two_vectors vector_sum three.
Proof.
  apply dpia_infer_sound with (range := Range.range_var (N := numbers)); [| reflexivity].
  intros G i n. apply dpia_range_var_sound.
Qed.

Definition dpia_infer_sound_applies := vector_sum_typed.

(** A complete test of ranges: it refuses what some sample of the variables shows to be outside. *)
Definition fits_sample (G : ctx numbers) (f : nat -> Z) : bool :=
  forallb (fun x => match nth_error (vars G) x with
    | Some (TI n) => ((0 <=? f x) && (f x <? Z.of_nat n))%Z
    | _ => true end) (seq 0 (length (vars G))) &&
  forallb (fun cb => Bool.eqb (holds (s := numbers_sizing) f (fst cb)) (snd cb)) (facts G).
Definition range_samples (G : ctx numbers) (i : ix numbers) (n : size numbers) : bool :=
  forallb (fun k => let f (_ : nat) := Z.of_nat k in
    implb (fits_sample G f)
      (let z := ixv (s := numbers_sizing) f i in ((0 <=? z) && (z <? Z.of_nat n))%Z)) (seq 0 10).

Lemma range_samples_complete (G : ctx numbers) i n :
  in_range (s := numbers_sizing) G i n -> range_samples G i n = true.
Proof.
  intros H. apply forallb_forall. intros k _. cbv zeta. set (f := fun _ : nat => Z.of_nat k).
  destruct (fits_sample G f) eqn:E; [cbn [implb] | reflexivity].
  apply andb_true_iff in E as [V K]. rewrite forallb_forall in V, K.
  destruct (H f) as [lo hi].
  - split.
    + intros x m looked. specialize (V x). rewrite looked in V.
      apply andb_true_iff in V as [lo hi].
      * apply Z.leb_le in lo. apply Z.ltb_lt in hi. now split.
      * apply in_seq. split; [lia | cbn]. apply nth_error_Some. now rewrite looked.
    + intros c b inc. specialize (K _ inc). now apply eqb_prop in K.
  - apply andb_true_iff. split; [now apply Z.leb_le | now apply Z.ltb_lt].
Qed.

Example dpia_infer_complete_applies :
  infer range_samples two_vectors vector_sum = Some three /\
  (** and it does refuse *)
  range_samples (bind (TI (N := numbers) 3) two_vectors) (XVar 0) 2 = false.
Proof.
  split; [| reflexivity].
  apply (dpia_infer_complete _ _ numbers_sizing range_samples range_samples_complete), vector_sum_typed.
Qed.

(** ** Evaluation and translation *)

Definition xs : zval := zvec [1; 2; 3]%Z.
Definition ys : zval := zvec [10; 20; 30]%Z.

Lemma zvec_typed l : has_type (s := numbers_sizing) (ary (length l) DNum) (zvec l).
Proof.
  split; [apply map_length |]. intros i x E. apply nth_error_In, in_map_iff in E.
  now destruct E as (z & <- & _).
Qed.

Lemma two_vectors_ok : env_ok (s := numbers_sizing) two_vectors [xs; ys].
Proof.
  split; [| intros c b []].
  intros [| [| [| x]]] t E; try discriminate; injection E as <-; eexists; (split; [reflexivity |]);
    exact (zvec_typed [_; _; _]).
Qed.

Example dpia_eval_has_type_applies : has_type (s := numbers_sizing) three (eval [xs; ys] vector_sum).
Proof. exact (dpia_eval_has_type _ _ _ _ _ _ vector_sum_typed _ two_vectors_ok). Qed.

Definition memory : store integers := start three xs ys.
Definition input (r : nat) : Prop := r < 2.

Lemma input_below r : input r -> r < 3.
Proof. unfold input. lia. Qed.

Lemma scoped_inputs : scoped input 3 two_vectors two_inputs.
Proof.
  intros [| [| [| x]]] t E; try discriminate; eexists; (split; [reflexivity | cbn; unfold input; lia]).
Qed.

Lemma root_matches r l : length l = 3 ->
  (forall p, memory r p = option_map Some (look (zvec l) p)) ->
  matches (s := numbers_sizing) no_levels memory three (VRoot r) (zvec l).
Proof.
  intros len held. split; [rewrite <- len; apply zvec_typed |]. intros p lf. cbn [rd].
  rewrite held. rewrite <- len in lf.
  destruct (look_some _ _ _ (zvec_typed l) lf) as [x ->]. reflexivity.
Qed.

Lemma represents_inputs :
  represents (s := numbers_sizing) input 3 no_levels memory two_vectors two_inputs [xs; ys].
Proof.
  split; [| intros c b []].
  intros [| [| [| x]]] t E; try discriminate; injection E as <-;
    (do 2 eexists; split; [reflexivity | split; [reflexivity | split; [cbn; unfold input; lia |]]]);
    apply root_matches; reflexivity.
Qed.

Lemma output_usable : usable (s := numbers_sizing) no_levels memory three (ARoot 2).
Proof.
  split.
  - intros p lf. exists p. split; [reflexivity |]. cbn. apply leafb_iff in lf.
    change (leafb three p = true) in lf. cbn in lf. now rewrite lf.
  - intros p p' q _ _ E E'. cbn in E, E'. congruence.
Qed.

Example dpia_acceptor_correct_applies :
  exists m', exec no_levels (trans_a vector_sum two_inputs three (ARoot 2) 3) memory = Some m' /\
    stored (s := numbers_sizing) no_levels m' three (ARoot 2) (eval [xs; ys] vector_sum) /\
    frame (s := numbers_sizing) 3 no_levels three (ARoot 2) memory m'.
Proof.
  eapply dpia_acceptor_correct with (P := input).
  - exact vector_sum_typed.
  - exact input_below.
  - exact represents_inputs.
  - cbn. lia.
  - exact I.
  - unfold input. cbn. lia.
  - exact output_usable.
Qed.

(** The continuation stores the middle component of what it is given. *)
Example dpia_continuation_correct_applies :
  exists m', exec no_levels (trans_c vector_sum two_inputs
      (fun v _ => CAssign (AIdx (ARoot 2) (XCst 0)) (VIdx v (XCst 1))) 3) memory = Some m' /\
    m' 2 [At 0] = Some (Some 22%Z).
Proof.
  eapply dpia_continuation_correct with (P := input) (ie := no_levels) (m := memory)
    (k := fun v _ => CAssign (AIdx (ARoot 2) (XCst 0)) (VIdx v (XCst 1)))
    (Q := fun m' => m' 2 [At 0] = Some (Some 22%Z)).
  - exact vector_sum_typed.
  - exact input_below.
  - exact represents_inputs.
  - intros v m' l' le scope same [_ M].
    assert (E : rd no_levels m' v [At 1] = Some 22%Z).
    { rewrite M; [reflexivity | cbn; lia]. }
    eexists. cbn [exec]. change (wr no_levels (AIdx (ARoot 2) (XCst 0)) []) with (Some [At 0]).
    change (rd no_levels m' (VIdx v (XCst 1)) []) with (rd no_levels m' v [At 1]). rewrite E.
    cbn [obind aroot]. rewrite same by lia. split; reflexivity.
Qed.

(** The write of the second cell. *)
Example dpia_footprints_applies :
  within (s := numbers_sizing) no_levels three (ARoot 2) input (true, (2, [At 1])).
Proof.
  eapply dpia_footprints with (l := 3).
  - exact vector_sum_typed.
  - exact input_below.
  - exact scoped_inputs.
  - cbn. lia.
  - exact I.
  - cbn. auto 10.
Qed.

(** A loop with a temporary of its own: [out[i] = t] where [t = x[i]], in the order 2, 0, 1. *)
Definition copies : zcomm :=
  @CNew integers numbers 4 DNum
    (CSeq (CAssign (ARoot 4) (VIdx (VRoot 0) (XVar 3)))
          (CAssign (AIdx (ARoot 2) (XVar 3)) (VRoot 4))).

Lemma copies_run :
  match for_ 3 (fun i => exec (upi no_levels 3 i) copies) memory with Some _ => true | None => false end = true.
Proof. vm_compute. reflexivity. Qed.

Example dpia_par_any_order_applies :
  exists t t', for_ 3 (fun i => exec (upi no_levels 3 i) copies) memory = Some t /\
    iterate [2; 0; 1] (fun i => exec (upi no_levels 3 i) copies) memory = Some t' /\
    forall r q, r <> 4 -> t' r q = t r q.
Proof.
  pose proof copies_run as C.
  destruct (for_ 3 (fun i => exec (upi no_levels 3 i) copies) memory) as [t |] eqn:E; [| discriminate C].
  exists t. destruct (dpia_par_any_order _ _ numbers_sizing no_levels 3 3 copies memory) with (t := t) (is := [2; 0; 1])
    as (t' & E' & same).
  - reflexivity.
  - intros i x lt inx. destruct i as [| [| [| i]]]; try lia; vm_compute in inx;
      repeat destruct inx as [<- | inx]; try contradiction; cbn; intuition discriminate.
  - exact E.
  - apply Permutation_sym. change (Permutation [0; 1; 2] [2; 0; 1]).
    exact (Permutation_sym (Permutation_cons_append [0; 1] 2)).
  - exists t'. split; [reflexivity | split; [exact E' |]]. intros r q ne. apply same.
    cbn. intuition.
Qed.

(** Every parallel loop from its end. *)
Example dpia_any_order_applies :
  exists t t', exec no_levels (trans_a vector_sum two_inputs three (ARoot 2) 3) memory = Some t /\
    Order.run_order (fun _ _ n _ _ => rev (seq 0 n)) no_levels
      (trans_a vector_sum two_inputs three (ARoot 2) 3) memory = Some t' /\
    forall r q, r < 3 -> t' r q = t r q.
Proof.
  destruct dpia_acceptor_correct_applies as (t & E & _). exists t.
  destruct (dpia_any_order _ _ _ _ _ _ vector_sum_typed no_levels input 3 two_inputs (ARoot 2) memory t
    (fun _ _ n _ _ => rev (seq 0 n))) as (t' & E' & same).
  - intros ie l n c m. apply Permutation_sym, Permutation_rev.
  - exact input_below.
  - exact scoped_inputs.
  - cbn. lia.
  - exact I.
  - exact E.
  - eauto.
Qed.

(** ** Errata *)

(** Numbers at numbers; what is removed is forgotten. *)
Example erratum_remove_update_applies :
  let remove (p : nat) (m : nat -> Z) := fun q => if p =? q then 0%Z else m q in
  ~ (forall p e m q, remove p (fun p' => if p =? p' then e else m p') q = m q).
Proof.
  apply (erratum_remove_update nat Z Nat.eqb 0%Z 1%Z 0).
  - apply Nat.eqb_refl.
  - discriminate.
  - intros p f g same q. now destruct (p =? q).
Qed.

Example erratum_cge5_applies :
  leaf (s := numbers_sizing) (ary 3 (DPair DNum three)) [At 1; L] /\
  ~ leaf (s := numbers_sizing) (ary 3 (DPair DNum three)) [At 1] /\
  rd no_levels memory (VZip (VRoot 0) (VRoot 1) : zview) [At 1] = None /\
  emit.Codegen.cge (VZip (VRoot 0) (VRoot 1) : zview) [emit.MiniC.Sub (emit.MiniC.KCst 0)] = emit.MiniC.XStuck.
Proof. apply theorems.Text.erratum_cge5. lia. Qed.

Example erratum_cge6_applies :
  leaf (s := numbers_sizing) (ary 3 (DPair three DNum)) [At 1; R] /\
  ~ leaf (s := numbers_sizing) (ary 3 (DPair three DNum)) [At 1].
Proof. apply theorems.Text.erratum_cge6. lia. Qed.

Example erratum_idxpred_applies :
  ~ leaf (s := numbers_sizing) three [At (3 - 0)] /\
  (forall i, i < 3 -> leaf (s := numbers_sizing) three [At (3 - 1 - i)]).
Proof. apply theorems.Text.erratum_idxpred. lia. Qed.
