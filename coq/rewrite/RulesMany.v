(** * Rules with several outputs, or any number of them or of inputs *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable tensor.Concat.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Lemma count_nat n m : count (Z.of_nat n) = Some m -> m = n.
Proof. unfold count. destruct (_ && _); [| discriminate]. intros E. injection E as <-. now rewrite Nat2Z.id. Qed.

(** ** One operator on one value, several times *)

Definition elementwise_names : list string :=
  ["Relu"; "Sum"; "Mul"; "Add"; "Sub"; "Div"; "Sqrt"; "Neg"; "Abs"; "Exp"; "Log"; "Tanh"; "Sigmoid"; "Erf"; "Pow";
   "Max"; "Min"; "Reciprocal"; "HardSwish"; "Softplus"; "Softsign"; "Mish"; "Sign"; "Round"]%string.

(** Elementwise operators have no attributes. *)
Lemma elementwise_attributes S inputs constants shapes name at_ vs :
  existsb (String.eqb name) elementwise_names = true ->
  calls (tensors S inputs constants shapes) name at_ vs = calls (tensors S inputs constants shapes) name [] vs.
Proof.
  intros E. apply existsb_exists in E. destruct E as (s & ins & E). apply String.eqb_eq in E. subst s.
  cbn [calls tensors]. unfold op_calls, op_value. destruct (OpTable.inputs vs) as [l |];
    repeat (destruct ins as [<- | ins]; [reflexivity |]); destruct ins.
Qed.

Ltac same_call p :=
  let n := fresh "name" in let ty := fresh "ty" in let l := fresh "l" in let V := fresh "V" in let L := fresh "L" in
  let C := fresh "C" in
  see_call p n ty l V L C;
  match goal with m : means _ _ _ _ _ _ _ |- _ => mean m end;
  let e := fresh "e" in let G := fresh "G" in let N := fresh "N" in
  destruct (call_op _ _ _ _ _ _ _ _ _ _ _ _ C) as (e & G & N);
  let B := fresh "B" in
  match type of G with Pattern.get ?M ?a = _ => assert (bound_at M a) as B by (eexists; exact G) end;
  let e' := fresh "e" in let n' := fresh "name" in let G' := fresh "G" in let N' := fresh "N" in let X := fresh "X" in
  see_op 1 e' n' G' N' X;
  assert (n' = n) as -> by congruence;
  match goal with X : ?x = calls _ ?s [] _ |- ?x = _ => assert (s = n) as -> by congruence; rewrite X end;
  rewrite <- V; symmetry; now apply elementwise_attributes.

Theorem rule_merge_element_wise_sound : exact_rule rule_text_merge_element_wise.
Proof. at_match. each_output; [same_call 2 | same_call 3]. Qed.

Theorem rule_merge_three_element_wise_sound : exact_rule rule_text_merge_three_element_wise.
Proof. at_match. each_output; [same_call 2 | same_call 3 | same_call 4]. Qed.

Theorem rule_merge_element_wise_variadic_sound : exact_rule rule_text_merge_element_wise_variadic.
Proof. at_match. any_output small. same_call 2. Qed.

(** ** The field that a projection of a tuple names *)

Lemma tuple_field {T} (f : nat -> val T) (ts : list T) n k : map f (seq 0 n) = map Of ts ->
  forall v, option_map Of (nth_error ts k) = Some v -> v = f k.
Proof.
  intros E v at_k. rewrite <- nth_error_map, <- E in at_k. now apply nth_map_seq in at_k.
Qed.

Theorem rule_dispatch_tuple_sound : exact_rule rule_text_dispatch_tuple.
Proof.
  at_match. any_output small.
  destruct (means_instance _ _ _ _ _ _ fs _ _ _ _ _ _ m eq_refl eq_refl ltac:(by_text) ltac:(by_text) eq_refl)
    as (i' & j & Ti & E & J & B & ->).
  specialize (Ti eq_refl). subst i'. see_proj 3 c l R Fk L. see_tuple 2 ts Q F.
  cbn [eval value_of env_at Z.of_nat] in E.
  change (inst (env_at (patterns rule_text_dispatch_tuple) g M (Some k)) 3%N (Z.of_nat k) "index"%string = Some (VInt j)) in E.
  rewrite (inst_at rule_text_dispatch_tuple g M (Some k) 3%N 3 _ (Z.of_nat k) "index"%string eq_refl eq_refl (Zle_0_nat k)), Nat2Z.id in E.
  change (addr_of (patterns rule_text_dispatch_tuple) (Some k) 3) with (3, Some k) in E.
  assert (c = j) as -> by congruence. assert (l = ts) as -> by congruence.
  rewrite map_map in F.
  change (addr_of (patterns rule_text_dispatch_tuple) (Some (Z.to_nat j)) 0) with (0, Some (Z.to_nat j)).
  now rewrite (tuple_field _ ts _ (Z.to_nat j) F _ Fk).
Qed.

(** ** What a Split has cut, Concat puts together *)

Lemma axis_same l l' d v r : attribute l "axis"%string = Some v -> attribute l' "axis"%string = Some v ->
  axis_attr l "axis"%string None r r = axis_attr l' "axis"%string d r r.
Proof. intros E E'. unfold axis_attr, int_attr, attr_or. now rewrite E, E'. Qed.

(** Concat and Split along the same axis, as the attributes say. *)
Lemma concat_value S inputs constants shapes l vs w :
  calls (tensors S inputs constants shapes) "Concat"%string l (strip vs) = Some w -> (forall v, In v vs -> v <> Absent) ->
  exists axis p ps u, vs = map Of (p :: ps) /\ w = Of u /\
    axis_attr l "axis"%string None (List.length (dims p)) (List.length (dims p)) = Some axis /\
    concat S axis p ps = Some u /\ good u.
Proof.
  intros V present. eapply any_inv in V; [| reflexivity | exact present].
  destruct V as (p & ps & u & E & U & F & G). unfold axis_in in F.
  destruct (axis_attr l _ None _ _) as [axis |] eqn:A; [| discriminate]. exists axis, p, ps, u.
  repeat split; try assumption. exact (proj1 G).
Qed.

Lemma axis_lt l d r axis : axis_attr l "axis"%string d r r = Some axis -> axis < r.
Proof.
  unfold axis_attr. destruct (int_attr l _ d) as [z |]; [| discriminate]. unfold axis_of.
  destruct (_ && _) eqn:E; [| discriminate]. intros H. injection H as <-. apply andb_true_iff in E.
  destruct E as [a b]. apply Z.leb_le in a. apply Z.ltb_lt in b. destruct (z <? 0)%Z eqn:N; [apply Z.ltb_lt in N | apply Z.ltb_ge in N]; lia.
Qed.

(** The value of [split_params] has the axis of the attribute. *)
Lemma split_axis l ds axis sizes : split_params l ds = Some (axis, sizes) ->
  axis_attr l "axis"%string (Some 0%Z) (List.length ds) (List.length ds) = Some axis /\
  exists v, attribute l "split"%string = Some v /\ shape_of v = Some sizes.
Proof.
  unfold split_params, axis_in, sizes_attr, attr_or. destruct (axis_attr l _ _ _ _) as [a |]; [| discriminate].
  destruct (attribute l "split"%string) as [v |]; [| discriminate].
  destruct (shape_of v) as [p |] eqn:E; [| discriminate]. intros H. injection H as <- <-. split; [reflexivity |].
  now exists v.
Qed.

Lemma map_inj_tensors {A} (l m : list A) : map (@OpTable.GTensor A) l = map Of m -> l = m.
Proof.
  revert m. induction l as [| a l IH]; intros [| b m] E; try discriminate; [reflexivity |].
  injection E as -> E. f_equal. now apply IH.
Qed.

(** The first [m] parts of [x] put together, when they are all there is. *)
Lemma parts_together S inputs constants shapes l ls (x : tensor (num S)) axis sizes ts m v w :
  good x -> split_params ls (dims x) = Some (axis, sizes) -> split S axis sizes x = Some ts ->
  attribute l "axis"%string = Some v -> attribute ls "axis"%string = Some v ->
  calls (tensors S inputs constants shapes) "Concat"%string l (strip (map Of (firstn m ts))) = Some w ->
  (list_sum (firstn m sizes) = nth axis (dims x) 0 \/ forall u, w = Of u -> dims u = dims x) ->
  w = Of x.
Proof.
  intros G P Sp Al As V Sum. apply concat_value in V; [| intros u inu; apply in_map_iff in inu; now destruct inu as (t & <- & _)].
  destruct V as (axis' & p & ps & u & E & -> & Ax & C & Gu). apply map_inj_tensors in E.
  destruct (split_axis _ _ _ _ P) as [Axs _]. pose proof (axis_lt _ _ _ _ Axs) as la.
  pose proof Sp as Sp'. apply split_iff in Sp'. destruct Sp' as [_ Et].
  assert (dims p = set_nth axis (nth 0 sizes 0) (dims x)) as Dp.
  { assert (nth_error ts 0 = Some p) as at_0 by (destruct m, ts; try discriminate; injection E as <- _; reflexivity).
    destruct (split_nth S axis sizes x ts 0 p Sp la at_0) as (n & at_n & ->). cbn [dims part tabulate].
    f_equal. symmetry. now apply nth_error_nth. }
  rewrite Dp, set_nth_length, (axis_same l ls (Some 0%Z) v _ Al As), Axs in Ax. injection Ax as <-.
  assert (list_sum (firstn m sizes) = nth axis (dims x) 0) as total.
  { destruct Sum as [Sum | D]; [exact Sum |]. specialize (D u eq_refl). apply concat_iff in C. destruct C as [_ ->].
    cbn [dims tabulate] in D. apply (f_equal (fun l => nth axis l 0)) in D.
    rewrite nth_set_same in D by (rewrite Dp, set_nth_length; exact la). rewrite <- D. f_equal.
    rewrite <- E, Et. apply nth_ext with (d := 0) (d' := 0).
    - now rewrite map_length, !firstn_length, parts_length, map_length.
    - intros k lt. rewrite firstn_length in lt. 
      assert (k < List.length sizes) as lk by lia.
      assert (forall A (l : list A) d, nth k (firstn m l) d = nth k l d) as fn.
      { clear - lt. intros A l0 d. assert (k < m) as lm by lia. clear lt. revert m lm l0.
        induction k as [| k IH]; intros [| m] lm [| b l0]; simpl; try lia; try reflexivity. apply IH. lia. }
      rewrite fn. pose proof lk as lk'. apply nth_error_Some in lk'. destruct (nth_error sizes k) as [n |] eqn:at_k; [| easy].
      rewrite (nth_error_nth sizes k 0 at_k). symmetry. apply nth_error_nth. rewrite nth_error_map.
      assert (nth_error (firstn m (parts S axis x 0 (map (fun n => set_nth axis n (dims x)) sizes))) k =
              nth_error (parts S axis x 0 (map (fun n => set_nth axis n (dims x)) sizes)) k) as ->.
      { assert (k < m) as lm by lia. clear - lm. revert m lm. generalize (parts S axis x 0 (map (fun n => set_nth axis n (dims x)) sizes)).
        intros l0. revert l0. induction k as [| k IH]; intros [| b l0] [| m] lm; simpl; try lia; try reflexivity. apply IH. lia. }
      rewrite nth_parts by exact la. rewrite at_k. simpl. f_equal. now apply nth_set_same. }
  rewrite Et in E. rewrite (concat_split S axis sizes m x p ps G la E total) in C. congruence.
Qed.

Theorem rule_split_concat_sound : exact_rule rule_text_split_concat.
Proof.
  at_match. each_output. see 4 l V L C. claim 4 0 v E A.
  see_proj 2 k2 l2 R2 F2 L2. see_proj 3 k3 l3 R3 F3 L3. claim 2 0 v2 E2 A2. claim 3 0 v3 E3 A3.
  see 1 ls Vs Ls Cs. require 0 Rq. mean m.
  attribute_of E C. attribute_of A Cs. attribute_of Rq Cs.
  apply value_eqb_iff in A2, A3. subst v2 v3. assert (k2 = 0%Z) as -> by congruence. assert (k3 = 1%Z) as -> by congruence.
  assert (l3 = l2) as -> by congruence.
  destruct (look ls "axis"%string) as [w |] eqn:As; [| discriminate]. apply value_eqb_iff in A. subst w.
  apply split_inv in Vs. destruct Vs as (t & axis & sizes & ts & Rt & Rs & P & Sp & Gs).
  rewrite R2 in Rs. injection Rs as ->. destruct (split_axis _ _ _ _ P) as [_ (w & Aw & Sw)].
  change (attribute ls "split"%string) with (look ls "split"%string) in Aw. rewrite Aw in Rq.
  destruct w as [| | | | | ws]; try discriminate. cbn [unary_op binary_op] in Rq. unfold int_result in Rq.
  destruct (in_int64 _); [| discriminate]. injection Rq as Rq. apply Z.eqb_eq in Rq.
  assert (List.length ts = 2) as len.
  { apply split_iff in Sp. destruct Sp as [_ ->]. rewrite parts_length, map_length.
    assert (List.length ws = List.length sizes); [| lia]. simpl in Sw. clear - Sw. revert sizes Sw.
    induction ws as [| a ws IH]; intros sizes Sw; simpl in Sw; [now injection Sw as <- |].
    destruct (natural a); [| discriminate]. destruct (traverse natural ws); [| discriminate]. injection Sw as <-. simpl. f_equal. now apply IH. }
  destruct ts as [| t0 [| t1 [|]]]; try discriminate. simpl in F2, F3. injection F2 as F2. injection F3 as F3.
  rewrite <- F2, <- F3 in V. rewrite Rt.
  assert (rho (tensors S inputs constants shapes) g M (4, None) = Of t) as ->; [| reflexivity].
  apply (parts_together S inputs constants shapes l ls t axis sizes [t0; t1] 2 v); try assumption.
  - eapply rho_good; eassumption.
  - left. apply split_iff in Sp. destruct Sp as [Sum Et]. rewrite firstn_all2; [exact Sum |].
    apply (f_equal (@List.length _)) in Et. rewrite parts_length, map_length in Et. simpl in Et. lia.
Qed.

Theorem rule_split_concat_variadic_sound : exact_rule rule_text_split_concat_variadic.
Proof.
  at_match. each_output. see 4 l V L C. claim 4 0 v E A. require 0 Rq.
  set (T := tensors S inputs constants shapes) in *. set (n := length_of M 3) in *.
  assert (n <> 0) as nz.
  { intros Z. rewrite Z in V. apply concat_value in V; [| easy]. destruct V as (axis & p & ps & u & Ev & _). discriminate. }
  assert (forall c, c < n -> bound_at M (2, Some c)) as each.
  { intros c lt. rewrite Forall_forall in K. apply K. apply in_map_iff. exists c. split; [reflexivity |]. apply in_seq. lia. }
  assert (bound_at M (1, None)) as B1.
  { pose proof (each 0 ltac:(lia)) as B. see_proj 2 k2 l2 R2 F2 L2. assumption. }
  see 1 ls Vs Ls Cs. mean m. attribute_of E C. attribute_of A Cs.
  destruct (look ls "axis"%string) as [w |] eqn:As; [| discriminate]. apply value_eqb_iff in A. subst w.
  apply split_inv in Vs. destruct Vs as (t & axis & sizes & ts & Rt & Rs & P & Sp & Gs).
  assert (forall c, c < n -> exists u, nth_error ts c = Some u /\ rho T g M (2, Some c) = Of u) as parts.
  { intros c lt. pose proof (each c lt) as B. see_proj 2 k2 l2 R2 F2 L2. claim 2 0 v2 E2 A2.
    cbn [env_at value_of] in A2. apply value_eqb_iff in A2. subst v2. assert (k2 = Z.of_nat c) as -> by congruence.
    rewrite Nat2Z.id in F2. rewrite R2 in Rs. injection Rs as ->.
    destruct (nth_error ts c) as [u |] eqn:at_c; [| discriminate]. exists u. split; [reflexivity |]. simpl in F2. congruence. }
  assert (map (rho T g M) (map (fun c => (2, Some c)) (seq 0 n)) = map Of (firstn n ts)) as Ev.
  { rewrite map_map. assert (forall s k l0, (forall c, c < k -> exists u, nth_error l0 c = Some u /\ rho T g M (2, Some (s + c)) = Of u) ->
        map (fun c => rho T g M (2, Some c)) (seq s k) = map Of (firstn k l0)) as go.
    { intros s k. revert s. induction k as [| k IH]; intros s l0 H'; [reflexivity |].
      destruct (H' 0 ltac:(lia)) as (u & at_0 & R0). destruct l0 as [| u' l0]; [discriminate |]. injection at_0 as ->.
      simpl. rewrite Nat.add_0_r in R0. rewrite R0. f_equal. apply IH. intros c lt.
      destruct (H' (Datatypes.S c) ltac:(lia)) as (w & at_c & Rc). exists w. split; [exact at_c |]. now rewrite <- Nat.add_succ_comm in Rc. }
    exact (go 0 n ts parts). }
  rewrite Ev in V. rewrite Rt.
  destruct (Pattern.label_at _ _ _ (4, None) "shape") as [s4 |] eqn:L4; [| discriminate].
  destruct (Pattern.label_at _ _ _ (0, None) "shape") as [s0 |] eqn:L0; [| discriminate].
  cbn [binary_op] in Rq. injection Rq as Rq. apply value_eqb_iff in Rq. subst s0.
  says_call L4 C D4. says_leaf L0 D0.
  assert (rho T g M (4, None) = Of t) as ->; [| reflexivity].
  apply (parts_together S inputs constants shapes l ls t axis sizes ts n v); try assumption.
  - eapply rho_good; eassumption.
  - right. intros u Ru. pose proof (shape_label _ _ _ _ _ _ _ _ _ D4 Ru). pose proof (shape_label _ _ _ _ _ _ _ _ _ D0 Rt). congruence.
Qed.

#[export] Hint Resolve rule_merge_element_wise_sound rule_merge_three_element_wise_sound
  rule_merge_element_wise_variadic_sound rule_dispatch_tuple_sound rule_split_concat_sound
  rule_split_concat_variadic_sound : sound_rules.
