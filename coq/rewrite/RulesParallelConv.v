(** * Set merge: any number of convolutions of one input become one, whose result is split *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Rewrite rewrite.Check rewrite.Facts.
From Calque Require Import rewrite.Sound rewrite.SoundRule rewrite.SoundBuild rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesSimplify rewrite.RulesMany.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpsWindow.
From Calque Require Import tensor.OpTable tensor.IndexProof tensor.Concat tensor.LawsMerge tensor.LawsConv.
From Calque Require Import rewrite.RulesMerge rewrite.RulesBranches rewrite.RulesMergeConv rewrite.RulesFold rewrite.RulesMergeConvs.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Theorem rule_parallel_conv_variadic_sound : float_rule rule_text_parallel_conv_variadic.
Proof.
  at_match. any_output small.
  set (T := tensors S inputs constants shapes) in *. set (n := List.length outs) in *.
  pose proof (outputs_length _ _ _ _ _ fs 9 8 eq_refl eq_refl) as Len. fold n in Len.
  assert (Pattern.label_at (patterns rule_text_parallel_conv_variadic) g M (9, None) "length"%string = Some (VInt (Z.of_nat n))) as Ln
    by (eapply label_of_length; [reflexivity | reflexivity | exact Len]).
  set (wa := fun c => addr_of (patterns rule_text_parallel_conv_variadic) (Some c) 5).
  set (ba := fun c => addr_of (patterns rule_text_parallel_conv_variadic) (Some c) 7).
  set (oa := fun c => addr_of (patterns rule_text_parallel_conv_variadic) (Some c) 8).
  assert (forall c, c < n -> bound_at M (oa c)) as bound_c.
  { intros c lt. apply (source_has _ _ _ _ _ fs c). change (nth_error (map oa (seq 0 n)) c = Some (oa c)). exact (nth_seq_map oa n c lt). }
  pose proof (bound_c 0 ltac:(lia)) as B4. change (oa 0) with (4, @None nat) in B4. clear H.
  see 4 l4 V4 L4 C4. SoundTactic.claim 4 0 vg Vg Vg'. apply value_eqb_iff in Vg'. subst vg. attr_of Vg C4 Bg.
  apply conv_called in V4. destruct V4 as (t & f0 & o0 & y0 & win & grp & R0 & R1 & T3 & R4 & P4 & F4 & G4).
  assert (grp = 1) as -> by exact (params_group l4 _ _ _ _ Bg P4).
  (* What is known of each. *)
  assert (forall c, c < n -> exists a : tensor (num S) * tensor (num S) * option (tensor (num S)),
    branch S inputs constants shapes (patterns rule_text_parallel_conv_variadic) g M t f0 win 1 (wa c) (ba c) (kernel_of S a) (bias_of_conv S a) (value_of_conv S a) /\
    rho T g M (oa c) = Of (value_of_conv S a)) as each.
  { intros c lt. destruct c as [| c].
    - exists (f0, y0, o0). unfold kernel_of, bias_of_conv, value_of_conv. cbn [fst snd].
      change (wa 0) with (1, @None nat). change (ba 0) with (3, @None nat). change (oa 0) with (4, @None nat).
      split; [| exact R4].
      see_optional 3 e3 n3 G3 Z3 L3 Q3 R3; branch_made san R1 G4 F4 (eq_refl (skipn 2 (dims f0))) T3 e3 n3 G3 Z3.
    - pose proof (bound_c _ lt) as B. change (oa (Datatypes.S c)) with (8, Some (Datatypes.S c)) in *.
      change (wa (Datatypes.S c)) with (5, Some (Datatypes.S c)). change (ba (Datatypes.S c)) with (7, Some (Datatypes.S c)).
      see 8 l9 V9 L9 C9.
      claim 8 "kernel_shape"%string k0 K0 K0'. claim 8 "strides"%string k1 K1 K1'. claim 8 "pads"%string k2 K2 K2'.
      claim 8 "dilations"%string k3 K3 K3'. claim 8 "group"%string k4 K4 K4'.
      apply conv_called in V9. destruct V9 as (t' & w & o & y & win' & grp' & R0' & Rw & Tb & Ry & P9 & F9 & G9).
      assert (t' = t) as -> by congruence. conv_attributes C9. conv_attributes C4.
      destruct (same_window l4 l9 (dims t) (dims f0) (dims w) win 1 win' grp') as (-> & -> & Ek); try assumption;
        [repeat constructor; unfold attribute; congruence | unfold attribute; congruence |].
      exists (w, y, o). unfold kernel_of, bias_of_conv, value_of_conv. cbn [fst snd].
      split; [| exact Ry].
      see_optional 7 e7 n7 G7 Z7 L7 Q7 R7; branch_made san Rw G9 F9 Ek Tb e7 n7 G7 Z7. }
  destruct (choose _ n each) as (l & len & known). clear each.
  assert (branches S inputs constants shapes rule_text_parallel_conv_variadic g M t f0 win 1 5 7 l) as all
    by (intros c a at_c; exact (proj1 (known c a at_c))).
  assert (exists a0 l', l = a0 :: l' /\ kernel_of S a0 = f0) as (a0 & l' & El & Ef).
  { destruct l as [| a0 l']; [simpl in len; lia |]. exists a0, l'. split; [reflexivity |].
    destruct (all 0 a0 eq_refl) as (_ & Rw & _). change (addr_of (patterns rule_text_parallel_conv_variadic) (Some 0) 5) with (1, @None nat) in Rw.
    unfold T in *. congruence. }
  assert (map (kernel_of S) l = f0 :: map (kernel_of S) l') as Ews by (rewrite El; cbn [map]; now rewrite Ef).
  pose proof (branches_convs S inputs constants shapes _ g M t f0 win 1 5 7 l all) as Tc.
  pose proof (branches_kernels S inputs constants shapes _ g M t f0 win 1 5 7 l all) as ker.
  pose proof (branches_shapes S inputs constants shapes _ g M t f0 win 1 5 7 l all) as shape_of_w.
  pose proof (fun c w y => kernel_nodes S inputs constants shapes _ g M t f0 win 1 5 7 l all _ c w y eq_refl eq_refl) as kernel_node.
  assert (forall c a, nth_error l c = Some a -> exists d,
    (forall y, means T (patterns rule_text_parallel_conv_variadic) g M (Some c) 10 y -> y = Some (Of d)) /\
    bias_like S (bias_of_conv S a) (along S 0 (kernel_of S a)) d) as bias_node.
  { apply (bias_nodes S inputs constants shapes rule_text_parallel_conv_variadic g M laws san t f0 win 1 5 7 l all _ _ 10 eq_refl eq_refl).
    - intros c. destruct c; vm_compute; reflexivity.
    - intros c a y at_c my. mean my. exists y1. split; [assumption |]. cbn [env_at value_of] in E.
      rewrite (inst_at rule_text_parallel_conv_variadic g M (Some c) 5%N 5 _ (Z.of_nat c) "shape"%string eq_refl eq_refl (Zle_0_nat c)), Nat2Z.id in E.
      destruct (Pattern.label_at _ _ _ (addr_of _ (Some c) 5) "shape"%string) as [s |] eqn:Ls; [| discriminate].
      rewrite (shape_of_w c (kernel_of S a) s (map_nth_error _ _ _ at_c) Ls) in E.
      unfold shape_value in E. destruct (tuple_index _ 0) as [d |] eqn:Td; [| discriminate].
      apply (tuple_index_shape (dims (kernel_of S a)) 0) in Td. destruct Td as [_ ->]. injection E as <-.
      rewrite X. destruct y1; reflexivity. }
  pose proof (branches_present S inputs constants shapes _ g M t f0 win 1 5 7 l all) as said.
  rewrite Ews in Tc, ker, shape_of_w, kernel_node.
  assert (List.length (map (value_of_conv S) l) = List.length (f0 :: map (kernel_of S) l')) as lys by (rewrite <- Ews; now rewrite !map_length).
  assert (List.length (f0 :: map (kernel_of S) l') = n) as lws by (rewrite <- Ews, map_length; exact len).
  destruct (nth_error l k) as [ak |] eqn:at_k; [| apply nth_error_None in at_k; lia].
  (* The target. *)
  pose proof (proj2 (known k ak at_k)) as Rk. clear all known.
  mean m; change (x = Some (rho T g M (oa k))); cbn [env_at value_of] in G; injection G as <-;
    repeat match goal with E : Some (VInt 1) = Some ?v |- _ => injection E as <- end;
    match goal with E : match Pattern.label_at _ _ _ _ "length"%string with _ => _ end = Some _ |- _ =>
      counted_loop n Ln E Tr; injection E as <- end;
    rewrite <- lws in Tr;
    match type of Tr with context [env_at _ g M ?i] =>
      apply (sizes_said S rule_text_parallel_conv_variadic g M i 5%N 5 _ (f0 :: map (kernel_of S) l') _ eq_refl eq_refl shape_of_w) in Tr end;
    rewrite Tr in *; conv_attributes C4;
    match goal with m0 : means T _ g M ?i 12 ?y |- _ =>
      pose proof (concat_many S inputs constants shapes _ g M outs fs i 12 _ y 11 _ 5 0 _ 9%N _ (f0 :: map (kernel_of S) l') m0 eq_refl eq_refl eq_refl
        eq_refl eq_refl eq_refl eq_refl eq_refl (fun _ => eq_refl) ltac:(rewrite lws; exact Ln) kernel_node) as Xw end;
    match goal with Xc : _ = (let? us := _ in calls T "Conv"%string ?at_ (strip us)) |- _ =>
      assert (conv_params at_ (dims t) (dims f0) = Some (win, 1)) as Pt by (rewrite <- P4; same_params; reflexivity); rewrite R0 in Xc end.
  - destruct (entries_biases S (fun c d => forall y, means T (patterns rule_text_parallel_conv_variadic) g M (Some c) 10 y -> y = Some (Of d))
      l ltac:(rewrite El; discriminate) bias_node) as (d & ds & B & ld & Pd & r1 & CB & GB & Bi). rewrite Ews in Bi.
    match goal with m1 : means T _ g M ?i 14 ?y |- _ =>
      pose proof (concat_many S inputs constants shapes _ g M outs fs i 14 _ y 13 _ 10 0 _ 9%N _ (d :: ds) m1 eq_refl eq_refl eq_refl
        eq_refl eq_refl eq_refl eq_refl eq_refl (fun _ => eq_refl) ltac:(rewrite ld, len; exact Ln) (fun c e y at_c my => Pd c e at_c y my)) as Xb end.
    pose proof (concat_made S inputs constants shapes 0 d ds B CB GB ltac:(lia)) as EB.
    destruct (convs_made S inputs constants shapes _ win t f0 _ _ _ _ _ lys ker Pt Tc Bi (shape_of_value _)) as (F & Y & EF & EY & ES & Sp & lY & _).
    match type of Xw with ?y = _ => assert (y = Some (Of F)) as -> by (rewrite Xw; exact EF) end.
    match type of Xb with ?y = _ => assert (y = Some (Of B)) as -> by (rewrite Xb; exact EB) end.
    match goal with X1 : ?y = _ |- _ => is_var y; assert (y = Some (Of Y)) as -> by (rewrite X1; exact EY) end.
    match goal with X0 : ?y = _ |- _ => is_var y;
      assert (y = Some (Fields (map (value_of_conv S) l))) as -> by (rewrite X0; exact ES) end.
    rewrite X, Rk. destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. now rewrite Nat2Z.id, nth_error_map, at_k.
  - match goal with G0 : match ?a with _ => _ end = Some (VBool false) |- _ =>
      destruct a as [[| | | | | ps] |] eqn:Ep in G0; try discriminate G0; rename G0 into Gc end.
    counted_loop n Ln Ep Tp. injection Ep as ->.
    assert (List.length (map (bias_of_conv S) l) = n) as los by (rewrite map_length; exact len). rewrite <- los in Tp.
    match type of Tp with context [env_at _ g M ?i] =>
      apply (present_said S rule_text_parallel_conv_variadic g M i 7%N 7 _ (map (bias_of_conv S) l) _ eq_refl eq_refl said) in Tp end.
    subst ps. pose proof (no_biases_of S _ (map (along S 0) (f0 :: map (kernel_of S) l')) Gc) as Bi.
    destruct (convs_made S inputs constants shapes _ win t f0 _ _ None _ _ lys ker Pt Tc Bi (shape_of_value _)) as (F & Y & EF & EY & ES & Sp & lY & _).
    match type of Xw with ?y = _ => assert (y = Some (Of F)) as -> by (rewrite Xw; exact EF) end.
    match goal with X1 : ?y = _ |- _ => is_var y; assert (y = Some (Of Y)) as -> by (rewrite X1; exact EY) end.
    match goal with X0 : ?y = _ |- _ => is_var y;
      assert (y = Some (Fields (map (value_of_conv S) l))) as -> by (rewrite X0; exact ES) end.
    rewrite X, Rk. destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. now rewrite Nat2Z.id, nth_error_map, at_k.
Qed.

(** The results after a Relu each. *)
Lemma relu_values S (l : list (tensor (num S) * tensor (num S) * option (tensor (num S)))) (P : nat -> tensor (num S) -> Prop) :
  (forall c a, nth_error l c = Some a -> exists z, P c z /\ map1 S (relu_cell S) (value_of_conv S a) = Some z) ->
  exists zs, Forall2 (fun t u => map1 S (relu_cell S) t = Some u) (map (value_of_conv S) l) zs /\
    forall c a, nth_error l c = Some a -> exists z, nth_error zs c = Some z /\ P c z.
Proof.
  intros H. destruct (choose (fun c z => P c z /\ forall a, nth_error l c = Some a -> map1 S (relu_cell S) (value_of_conv S a) = Some z)
    (List.length l)) as (zs & len & all).
  { intros c lt. apply nth_error_Some in lt. destruct (nth_error l c) as [a |] eqn:at_c; [| easy].
    destruct (H c a at_c) as (z & Pz & Fz). exists z. split; [exact Pz |]. intros b E. now injection E as <-. }
  exists zs. split.
  - apply forall2_list; [now rewrite map_length |]. intros c y z at_y at_z. rewrite nth_error_map in at_y.
    destruct (nth_error l c) as [a |] eqn:at_c; [| discriminate]. injection at_y as <-. exact (proj2 (all c z at_z) a at_c).
  - intros c a at_c. assert (c < List.length zs) as lt by (rewrite len; apply nth_error_Some; congruence).
    apply nth_error_Some in lt. destruct (nth_error zs c) as [z |] eqn:at_z; [| easy]. exists z. split; [reflexivity |]. now apply (all c z at_z).
Qed.

Theorem rule_parallel_conv_bias_relu_variadic_sound : float_rule rule_text_parallel_conv_bias_relu_variadic.
Proof.
  at_match. any_output small.
  set (T := tensors S inputs constants shapes) in *. set (n := List.length outs) in *.
  pose proof (outputs_length _ _ _ _ _ fs 11 10 eq_refl eq_refl) as Len. fold n in Len.
  assert (Pattern.label_at (patterns rule_text_parallel_conv_bias_relu_variadic) g M (11, None) "length"%string = Some (VInt (Z.of_nat n))) as Ln
    by (eapply label_of_length; [reflexivity | reflexivity | exact Len]).
  set (wa := fun c => addr_of (patterns rule_text_parallel_conv_bias_relu_variadic) (Some c) 6).
  set (ba := fun c => addr_of (patterns rule_text_parallel_conv_bias_relu_variadic) (Some c) 8).
  set (oa := fun c => addr_of (patterns rule_text_parallel_conv_bias_relu_variadic) (Some c) 10).
  assert (forall c, c < n -> bound_at M (oa c)) as bound_c.
  { intros c lt. apply (source_has _ _ _ _ _ fs c). change (nth_error (map oa (seq 0 n)) c = Some (oa c)). exact (nth_seq_map oa n c lt). }
  pose proof (bound_c 0 ltac:(lia)) as B5. change (oa 0) with (5, @None nat) in B5. clear H.
  see 5 l5 V5 L5 C5. see 4 l4 V4 L4 C4. SoundTactic.claim 4 0 vg Vg Vg'. apply value_eqb_iff in Vg'. subst vg. attr_of Vg C4 Bg.
  apply conv_called in V4. destruct V4 as (t & f0 & o0 & y0 & win & grp & R0 & R1 & T3 & R4 & P4 & F4 & G4).
  assert (grp = 1) as -> by exact (params_group l4 _ _ _ _ Bg P4).
  (* What is known of each. *)
  assert (forall c, c < n -> exists a : tensor (num S) * tensor (num S) * option (tensor (num S)),
    branch S inputs constants shapes (patterns rule_text_parallel_conv_bias_relu_variadic) g M t f0 win 1 (wa c) (ba c) (kernel_of S a) (bias_of_conv S a) (value_of_conv S a) /\
    exists z, rho T g M (oa c) = Of z /\ map1 S (relu_cell S) (value_of_conv S a) = Some z) as each.
  { intros c lt. destruct c as [| c].
    - exists (f0, y0, o0). unfold kernel_of, bias_of_conv, value_of_conv. cbn [fst snd].
      change (wa 0) with (1, @None nat). change (ba 0) with (3, @None nat). change (oa 0) with (5, @None nat).
      open1 V5 q z Rq Uz Fz Gz. assert (q = y0) as -> by congruence. split; [| exists z; now split].
      see_optional 3 e3 n3 G3 Z3 L3 Q3 R3; branch_made san R1 G4 F4 (eq_refl (skipn 2 (dims f0))) T3 e3 n3 G3 Z3.
    - pose proof (bound_c _ lt) as B. change (oa (Datatypes.S c)) with (10, Some (Datatypes.S c)) in *.
      change (wa (Datatypes.S c)) with (6, Some (Datatypes.S c)). change (ba (Datatypes.S c)) with (8, Some (Datatypes.S c)).
      see 10 l10 V10 L10 C10. see 9 l9 V9 L9 C9.
      claim 9 "kernel_shape"%string k0 K0 K0'. claim 9 "strides"%string k1 K1 K1'. claim 9 "pads"%string k2 K2 K2'.
      claim 9 "dilations"%string k3 K3 K3'. claim 9 "group"%string k4 K4 K4'.
      apply conv_called in V9. destruct V9 as (t' & w & o & y & win' & grp' & R0' & Rw & Tb & Ry & P9 & F9 & G9).
      assert (t' = t) as -> by congruence. conv_attributes C9. conv_attributes C4.
      destruct (same_window l4 l9 (dims t) (dims f0) (dims w) win 1 win' grp') as (-> & -> & Ek); try assumption;
        [repeat constructor; unfold attribute; congruence | unfold attribute; congruence |].
      exists (w, y, o). unfold kernel_of, bias_of_conv, value_of_conv. cbn [fst snd].
      open1 V10 q z Rq Uz Fz Gz. assert (q = y) as -> by congruence. split; [| exists z; now split].
      see_optional 8 e7 n7 G7 Z7 L7 Q7 R7; branch_made san Rw G9 F9 Ek Tb e7 n7 G7 Z7. }
  destruct (choose _ n each) as (l & len & known). clear each.
  assert (branches S inputs constants shapes rule_text_parallel_conv_bias_relu_variadic g M t f0 win 1 6 8 l) as all
    by (intros c a at_c; exact (proj1 (known c a at_c))).
  assert (exists a0 l', l = a0 :: l' /\ kernel_of S a0 = f0) as (a0 & l' & El & Ef).
  { destruct l as [| a0 l']; [simpl in len; lia |]. exists a0, l'. split; [reflexivity |].
    destruct (all 0 a0 eq_refl) as (_ & Rw & _). change (addr_of (patterns rule_text_parallel_conv_bias_relu_variadic) (Some 0) 6) with (1, @None nat) in Rw.
    unfold T in *. congruence. }
  assert (map (kernel_of S) l = f0 :: map (kernel_of S) l') as Ews by (rewrite El; cbn [map]; now rewrite Ef).
  pose proof (branches_convs S inputs constants shapes _ g M t f0 win 1 6 8 l all) as Tc.
  pose proof (branches_kernels S inputs constants shapes _ g M t f0 win 1 6 8 l all) as ker.
  pose proof (branches_shapes S inputs constants shapes _ g M t f0 win 1 6 8 l all) as shape_of_w.
  pose proof (fun c w y => kernel_nodes S inputs constants shapes _ g M t f0 win 1 6 8 l all _ c w y eq_refl eq_refl) as kernel_node.
  assert (forall c a, nth_error l c = Some a -> exists d,
    (forall y, means T (patterns rule_text_parallel_conv_bias_relu_variadic) g M (Some c) 12 y -> y = Some (Of d)) /\
    bias_like S (bias_of_conv S a) (along S 0 (kernel_of S a)) d) as bias_node.
  { apply (bias_nodes S inputs constants shapes rule_text_parallel_conv_bias_relu_variadic g M laws san t f0 win 1 6 8 l all _ _ 12 eq_refl eq_refl).
    - intros c. destruct c; vm_compute; reflexivity.
    - intros c a y at_c my. mean my. exists y1. split; [assumption |]. cbn [env_at value_of] in E.
      rewrite (inst_at rule_text_parallel_conv_bias_relu_variadic g M (Some c) 6%N 6 _ (Z.of_nat c) "shape"%string eq_refl eq_refl (Zle_0_nat c)), Nat2Z.id in E.
      destruct (Pattern.label_at _ _ _ (addr_of _ (Some c) 6) "shape"%string) as [s |] eqn:Ls; [| discriminate].
      rewrite (shape_of_w c (kernel_of S a) s (map_nth_error _ _ _ at_c) Ls) in E.
      unfold shape_value in E. destruct (tuple_index _ 0) as [d |] eqn:Td; [| discriminate].
      apply (tuple_index_shape (dims (kernel_of S a)) 0) in Td. destruct Td as [_ ->]. injection E as <-.
      rewrite X. destruct y1; reflexivity. }
  pose proof (branches_present S inputs constants shapes _ g M t f0 win 1 6 8 l all) as said.
  rewrite Ews in Tc, ker, shape_of_w, kernel_node.
  assert (List.length (map (value_of_conv S) l) = List.length (f0 :: map (kernel_of S) l')) as lys by (rewrite <- Ews; now rewrite !map_length).
  assert (List.length (f0 :: map (kernel_of S) l') = n) as lws by (rewrite <- Ews, map_length; exact len).
  destruct (nth_error l k) as [ak |] eqn:at_k; [| apply nth_error_None in at_k; lia].
  (* The target. *)
  assert (forall c a, nth_error l c = Some a -> exists z, rho T g M (oa c) = Of z /\ map1 S (relu_cell S) (value_of_conv S a) = Some z) as relu
    by (intros c a at_c; exact (proj2 (known c a at_c))).
  clear all known. mean m; change (x = Some (rho T g M (oa k))); cbn [env_at value_of] in G; injection G as <-;
    repeat match goal with E : Some (VInt 1) = Some ?v |- _ => injection E as <- end;
    match goal with E : match Pattern.label_at _ _ _ _ "length"%string with _ => _ end = Some _ |- _ =>
      counted_loop n Ln E Tr; injection E as <- end;
    rewrite <- lws in Tr;
    match type of Tr with context [env_at _ g M ?i] =>
      apply (sizes_said S rule_text_parallel_conv_bias_relu_variadic g M i 6%N 6 _ (f0 :: map (kernel_of S) l') _ eq_refl eq_refl shape_of_w) in Tr end;
    rewrite Tr in *; conv_attributes C4;
    match goal with m0 : means T _ g M ?i 14 ?y |- _ =>
      pose proof (concat_many S inputs constants shapes _ g M outs fs i 14 _ y 13 _ 6 0 _ 11%N _ (f0 :: map (kernel_of S) l') m0 eq_refl eq_refl eq_refl
        eq_refl eq_refl eq_refl eq_refl eq_refl (fun _ => eq_refl) ltac:(rewrite lws; exact Ln) kernel_node) as Xw end;
    match goal with Xc : _ = (let? us := _ in calls T "Conv"%string ?at_ (strip us)) |- _ =>
      assert (conv_params at_ (dims t) (dims f0) = Some (win, 1)) as Pt by (rewrite <- P4; same_params; reflexivity); rewrite R0 in Xc end.
  - destruct (entries_biases S (fun c d => forall y, means T (patterns rule_text_parallel_conv_bias_relu_variadic) g M (Some c) 12 y -> y = Some (Of d))
      l ltac:(rewrite El; discriminate) bias_node) as (d & ds & B & ld & Pd & r1 & CB & GB & Bi). rewrite Ews in Bi.
    match goal with m1 : means T _ g M ?i 16 ?y |- _ =>
      pose proof (concat_many S inputs constants shapes _ g M outs fs i 16 _ y 15 _ 12 0 _ 11%N _ (d :: ds) m1 eq_refl eq_refl eq_refl
        eq_refl eq_refl eq_refl eq_refl eq_refl (fun _ => eq_refl) ltac:(rewrite ld, len; exact Ln) (fun c e y at_c my => Pd c e at_c y my)) as Xb end.
    pose proof (concat_made S inputs constants shapes 0 d ds B CB GB ltac:(lia)) as EB.
    destruct (convs_made S inputs constants shapes _ win t f0 _ _ _ _ _ lys ker Pt Tc Bi (shape_of_value _)) as (F & Y & EF & EY & ES & Sp & lY & _).
    match type of Xw with ?y = _ => assert (y = Some (Of F)) as -> by (rewrite Xw; exact EF) end.
    match type of Xb with ?y = _ => assert (y = Some (Of B)) as -> by (rewrite Xb; exact EB) end.
    match goal with X1 : ?y = _ |- _ => is_var y; assert (y = Some (Of Y)) as -> by (rewrite X1; exact EY) end.
    destruct (relu_values S l (fun c z => rho T g M (oa c) = Of z) relu) as (zs & Uz & at_z).
    destruct (relu_parts S inputs constants shapes _ _ Y _ zs lY Sp Uz (shape_of_value _)) as (Y' & EZ & ES').
    match goal with X1 : ?y = _ |- _ => is_var y;
      assert (y = Some (Of Y')) as -> by (rewrite X1; exact EZ) end.
    match goal with X0 : ?y = _ |- _ => is_var y;
      assert (y = Some (Fields zs)) as -> by (rewrite X0; exact ES') end.
    destruct (at_z k ak at_k) as (z & at_zk & Rk).
    rewrite X, Rk. destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. now rewrite Nat2Z.id, at_zk.
  - match goal with G0 : match ?a with _ => _ end = Some (VBool false) |- _ =>
      destruct a as [[| | | | | ps] |] eqn:Ep in G0; try discriminate G0; rename G0 into Gc end.
    counted_loop n Ln Ep Tp. injection Ep as ->.
    assert (List.length (map (bias_of_conv S) l) = n) as los by (rewrite map_length; exact len). rewrite <- los in Tp.
    match type of Tp with context [env_at _ g M ?i] =>
      apply (present_said S rule_text_parallel_conv_bias_relu_variadic g M i 8%N 8 _ (map (bias_of_conv S) l) _ eq_refl eq_refl said) in Tp end.
    subst ps. pose proof (no_biases_of S _ (map (along S 0) (f0 :: map (kernel_of S) l')) Gc) as Bi.
    destruct (convs_made S inputs constants shapes _ win t f0 _ _ None _ _ lys ker Pt Tc Bi (shape_of_value _)) as (F & Y & EF & EY & ES & Sp & lY & _).
    match type of Xw with ?y = _ => assert (y = Some (Of F)) as -> by (rewrite Xw; exact EF) end.
    match goal with X1 : ?y = _ |- _ => is_var y; assert (y = Some (Of Y)) as -> by (rewrite X1; exact EY) end.
    destruct (relu_values S l (fun c z => rho T g M (oa c) = Of z) relu) as (zs & Uz & at_z).
    destruct (relu_parts S inputs constants shapes _ _ Y _ zs lY Sp Uz (shape_of_value _)) as (Y' & EZ & ES').
    match goal with X1 : ?y = _ |- _ => is_var y;
      assert (y = Some (Of Y')) as -> by (rewrite X1; exact EZ) end.
    match goal with X0 : ?y = _ |- _ => is_var y;
      assert (y = Some (Fields zs)) as -> by (rewrite X0; exact ES') end.
    destruct (at_z k ak at_k) as (z & at_zk & Rk).
    rewrite X, Rk. destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. now rewrite Nat2Z.id, at_zk.
Qed.

#[export] Hint Resolve rule_parallel_conv_variadic_sound rule_parallel_conv_bias_relu_variadic_sound : sound_rules.
