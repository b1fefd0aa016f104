(** * Two convolutions with kernels of different sizes: the smaller kernel is padded *)

From Coq Require Import Bool Lia List Arith NArith String ZArith Ring_theory.
From Calque Require Import base.Lists attr.Attr attr.AttrProof attr.Slices graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesSimplify rewrite.RulesMany.
From Calque Require Import rewrite.RulesMerge rewrite.RulesMergeConv rewrite.RulesFold rewrite.RulesPad rewrite.RulesShortcut rewrite.RulesChannels.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.OpsWindow tensor.Algebra tensor.Concat tensor.LawsMerge tensor.LawsConv tensor.PadConv tensor.KernelPad.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Lemma ring_floats S : ring_laws S -> float_laws S.
Proof.
  intros R. split; [apply (Radd_comm (ring_is S R)) | apply (Rmul_comm (ring_is S R)) |].
  intros a. rewrite (ring_minus_zero S R), (Radd_comm (ring_is S R)). apply (Radd_0_l (ring_is S R)).
Qed.

(** ** Values of expressions *)

(** w.shape[k]; (w.shape[k] - 1) // 2; the larger of the two; what is missing to it on either side; (the larger - 1) // 2 *)
Definition dim_text (p : N) (k : Z) : attr := AProj (AAccess p "shape"%string) (AConst (VInt k)).
Definition half_of (a : attr) : attr := ABinary BFloordiv (ABinary BSub a (AConst (VInt 1))) (AConst (VInt 2)).
Definition larger_text (k : Z) : attr := ABinary BMax (dim_text 1 k) (dim_text 2 k).
Definition missing_text (p : N) (k : Z) : attr := ABinary BFloordiv (ABinary BSub (larger_text k) (dim_text p k)) (AConst (VInt 2)).
Definition four (f : Z -> attr) : attr := ATuple [f 2%Z; f 3%Z; f 2%Z; f 3%Z].

Lemma eval_pair G f g v (a b : nat) : eval G (ATuple [f; g]) = Some v ->
  (forall w, eval G f = Some w -> w = VInt (Z.of_nat a)) -> (forall w, eval G g = Some w -> w = VInt (Z.of_nat b)) -> v = shape_value [a; b].
Proof.
  intros E F H. cbn [eval traverse] in E. destruct (eval G f) as [x |]; [| discriminate]. destruct (eval G g) as [y |]; [| discriminate].
  injection E as <-. now rewrite (F x eq_refl), (H y eq_refl).
Qed.

Lemma eval_four G f v (a b : nat) : eval G (four f) = Some v ->
  (forall w, eval G (f 2%Z) = Some w -> w = VInt (Z.of_nat a)) -> (forall w, eval G (f 3%Z) = Some w -> w = VInt (Z.of_nat b)) ->
  v = shape_value [a; b; a; b].
Proof.
  intros E F H. unfold four in E. cbn [eval traverse] in E. destruct (eval G (f 2%Z)) as [x |]; [| discriminate].
  destruct (eval G (f 3%Z)) as [y |]; [| discriminate]. injection E as <-. now rewrite (F x eq_refl), (H y eq_refl).
Qed.

Lemma half_value G a v n : eval G (half_of a) = Some v -> 0 < n -> (forall w, eval G a = Some w -> w = VInt (Z.of_nat n)) ->
  v = VInt (Z.of_nat ((n - 1) / 2)).
Proof.
  intros E pos H. apply eval_binary in E. destruct E as (x & y & Ex & Ey & E). cbn in Ey. injection Ey as <-.
  apply eval_binary in Ex. destruct Ex as (z & w & Ez & Ew & Ex). cbn in Ew. injection Ew as <-. rewrite (H z Ez) in Ex.
  cbn [binary_op] in Ex. unfold int_result in Ex. destruct (in_int64 _); [| discriminate]. injection Ex as <-.
  cbn [binary_op Z.eqb] in E. unfold int_result in E. destruct (in_int64 _); [| discriminate]. injection E as <-.
  rewrite Nat2Z.inj_div, Nat2Z.inj_sub by lia. reflexivity.
Qed.

Section Kernels.
  Variables (G : env) (o1 c1 a1 b1 o2 c2 a2 b2 : nat).
  Hypothesis A1 : access G 1%N "shape"%string = Some (shape_value [o1; c1; a1; b1]).
  Hypothesis A2 : access G 2%N "shape"%string = Some (shape_value [o2; c2; a2; b2]).

  Lemma dim_1 k w : k < 4 -> eval G (dim_text 1 (Z.of_nat k)) = Some w -> w = VInt (Z.of_nat (nth k [o1; c1; a1; b1] 0)).
  Proof. intros lt E. now apply (eval_dim G 1%N k _ w A1) in E as [_ ->]. Qed.
  Lemma dim_2 k w : k < 4 -> eval G (dim_text 2 (Z.of_nat k)) = Some w -> w = VInt (Z.of_nat (nth k [o2; c2; a2; b2] 0)).
  Proof. intros lt E. now apply (eval_dim G 2%N k _ w A2) in E as [_ ->]. Qed.

  Lemma larger k w : k < 4 -> eval G (larger_text (Z.of_nat k)) = Some w ->
    w = VInt (Z.of_nat (Nat.max (nth k [o1; c1; a1; b1] 0) (nth k [o2; c2; a2; b2] 0))).
  Proof.
    intros lt E. apply eval_binary in E. destruct E as (x & y & Ex & Ey & E). apply (dim_1 k x lt) in Ex. apply (dim_2 k y lt) in Ey. subst x y.
    cbn [binary_op] in E. injection E as <-. now rewrite Nat2Z.inj_max.
  Qed.

  Lemma missing_1 k w : k < 4 -> eval G (missing_text 1 (Z.of_nat k)) = Some w ->
    w = VInt (Z.of_nat ((Nat.max (nth k [o1; c1; a1; b1] 0) (nth k [o2; c2; a2; b2] 0) - nth k [o1; c1; a1; b1] 0) / 2)).
  Proof.
    intros lt E. apply eval_binary in E. destruct E as (x & y & Ex & Ey & E). cbn in Ey. injection Ey as <-.
    apply eval_binary in Ex. destruct Ex as (z & u & Ez & Eu & Ex). apply (larger k z lt) in Ez. apply (dim_1 k u lt) in Eu. subst z u.
    cbn [binary_op] in Ex. unfold int_result in Ex. destruct (in_int64 _); [| discriminate]. injection Ex as <-.
    cbn [binary_op Z.eqb] in E. unfold int_result in E. destruct (in_int64 _); [| discriminate]. injection E as <-.
    rewrite Nat2Z.inj_div, Nat2Z.inj_sub by lia. reflexivity.
  Qed.

  Lemma missing_2 k w : k < 4 -> eval G (missing_text 2 (Z.of_nat k)) = Some w ->
    w = VInt (Z.of_nat ((Nat.max (nth k [o1; c1; a1; b1] 0) (nth k [o2; c2; a2; b2] 0) - nth k [o2; c2; a2; b2] 0) / 2)).
  Proof.
    intros lt E. apply eval_binary in E. destruct E as (x & y & Ex & Ey & E). cbn in Ey. injection Ey as <-.
    apply eval_binary in Ex. destruct Ex as (z & u & Ez & Eu & Ex). apply (larger k z lt) in Ez. apply (dim_2 k u lt) in Eu. subst z u.
    cbn [binary_op] in Ex. unfold int_result in Ex. destruct (in_int64 _); [| discriminate]. injection Ex as <-.
    cbn [binary_op Z.eqb] in E. unfold int_result in E. destruct (in_int64 _); [| discriminate]. injection E as <-.
    rewrite Nat2Z.inj_div, Nat2Z.inj_sub by lia. reflexivity.
  Qed.

  (** (0, 0, p, q) + (0, 0, p, q) *)
  Definition border_of (p : N) : attr := ATuple [AConst (VInt 0); AConst (VInt 0); missing_text p 2; missing_text p 3].

  Lemma border_value p q r v : eval G (ABinary BAdd (border_of p) (border_of p)) = Some v ->
    (forall w, eval G (missing_text p 2) = Some w -> w = VInt (Z.of_nat q)) ->
    (forall w, eval G (missing_text p 3) = Some w -> w = VInt (Z.of_nat r)) ->
    v = shape_value ([0; 0; q; r] ++ [0; 0; q; r]).
  Proof.
    intros E Q R. apply eval_binary in E. destruct E as (x & y & Ex & Ey & E). assert (y = x) as -> by congruence. clear Ey.
    unfold border_of in Ex. cbn [eval traverse] in Ex. fold (missing_text p 2) (missing_text p 3) in Ex.
    destruct (eval G (missing_text p 2)) as [u |]; [| discriminate]. destruct (eval G (missing_text p 3)) as [w |]; [| discriminate].
    rewrite (Q u eq_refl), (R w eq_refl) in Ex. injection Ex as <-. cbn in E. injection E as <-. reflexivity.
  Qed.

  (** The condition: equal parity. *)
  Definition even_text (k : Z) : attr :=
    ABinary BEq (ABinary BMod (ABinary BSub (dim_text 1 k) (dim_text 2 k)) (AConst (VInt 2))) (AConst (VInt 0)).

  Lemma even_value k : k < 4 -> eval G (even_text (Z.of_nat k)) = Some (VBool true) ->
    exists z, (Z.of_nat (nth k [o1; c1; a1; b1] 0%nat) - Z.of_nat (nth k [o2; c2; a2; b2] 0%nat) = 2 * z)%Z.
  Proof.
    intros lt E. apply eval_binary in E. destruct E as (x & y & Ex & Ey & E). cbn in Ey. injection Ey as <-.
    apply eval_binary in Ex. destruct Ex as (u & t & Eu & Et & Ex). cbn in Et. injection Et as <-.
    apply eval_binary in Eu. destruct Eu as (z & w & Ez & Ew & Eu). apply (dim_1 k z lt) in Ez. apply (dim_2 k w lt) in Ew. subst z w.
    cbn [binary_op] in Eu. unfold int_result in Eu. destruct (in_int64 _); [| discriminate]. injection Eu as <-.
    cbn [binary_op Z.eqb] in Ex. unfold int_result in Ex. destruct (in_int64 _); [| discriminate]. injection Ex as <-.
    cbn [binary_op] in E. injection E as E. apply Z.eqb_eq in E. apply Z.mod_divide in E; [| lia].
    destruct E as [z E]. exists z. rewrite (Z.mul_comm 2 z), <- E. reflexivity.
  Qed.
End Kernels.

(** ** Kernels that are padded *)

Lemma conv_kernel_positive S w g (x f : tensor (num S)) b u : conv S w g x f b = Some u -> forallb (Nat.ltb 0) (skipn 2 (dims f)) = true.
Proof.
  intros H. apply table_iff in H. destruct H as (out & D & _). unfold conv_dims in D.
  destruct (dims x) as [| n [| c ns]]; try discriminate. destruct (dims f) as [| o [| c' ks]]; try discriminate.
  unfold guard in D. destruct (_ && _ && _ && _ && _ && _); [| discriminate]. unfold spatial_dims, guard in D.
  destruct (window_ok (List.length ns) w && _) eqn:W; [| discriminate]. now apply andb_true_iff in W as [_ W].
Qed.

Lemma conv_rank_same S w g (x f : tensor (num S)) b u : conv S w g x f b = Some u -> List.length (dims f) = List.length (dims x).
Proof.
  intros H. apply table_iff in H. destruct H as (out & D & _). unfold conv_dims in D.
  destruct (dims x) as [| n [| c ns]]; try discriminate. destruct (dims f) as [| o [| c' ks]]; try discriminate.
  unfold guard in D. destruct (_ && _ && _ && _ && _ && _); [| discriminate]. unfold spatial_dims, guard in D.
  destruct (window_ok (List.length ns) w && _); [| discriminate]. destruct (window_counts _ _ _ _ _ _ _) as [l |] eqn:C; [| discriminate].
  apply counts_length in C. cbn. lia.
Qed.

Definition square_window (h v : nat) : window := Window [1; 1] [1; 1] [(h - 1) / 2; (v - 1) / 2; (h - 1) / 2; (v - 1) / 2].

Lemma square_params l (x f : sizes) w g a b : attribute l "strides"%string = Some (VTuple [VInt 1; VInt 1]) ->
  attribute l "dilations"%string = Some (VTuple [VInt 1; VInt 1]) -> attribute l "group"%string = Some (VInt 1) ->
  attribute l "pads"%string = Some (shape_value [(a - 1) / 2; (b - 1) / 2; (a - 1) / 2; (b - 1) / 2]) ->
  conv_params l x f = Some (w, g) -> w = square_window a b /\ g = 1.
Proof.
  intros Es Ed Eg Ep P. unfold conv_params, window_of, sizes_attr, nat_attr, attr_or in P. rewrite Es, Ed, Eg, Ep, shape_of_value in P.
  destruct (match attribute l "kernel_shape"%string with Some v => shape_of v | None => _ end) as [ks |]; [| discriminate].
  cbn [shape_of traverse natural Z.leb Z.compare Z.to_nat Pos.to_nat Pos.iter_op Nat.add] in P. unfold guard in P.
  destruct (sizes_eqb ks (skipn 2 f)); [| discriminate]. injection P as <- <-. split; reflexivity.
Qed.

(** A kernel of a by b cells in one of h by v, which exceed it by even numbers. *)
Lemma grown S (ring : ring_laws S) (x f : tensor (num S)) b u o c k l p q :
  conv S (square_window k l) 1 x f b = Some u -> dims f = [o; c; k; l] -> 0 < k -> 0 < l -> exists fp,
    pad S PadConstant 0 (map Z.of_nat [0; 0; p; q]) (map Z.of_nat [0; 0; p; q]) f = Some fp /\
    dims fp = [o; c; k + 2 * p; l + 2 * q] /\ conv S (square_window (k + 2 * p) (l + 2 * q)) 1 x fp b = Some u.
Proof.
  intros H Df k0 l0.
  assert (pad_dims PadConstant (dims f) (map Z.of_nat [0; 0; p; q]) (map Z.of_nat [0; 0; p; q]) = Some [o; c; k + 2 * p; l + 2 * q]) as D.
  { rewrite Df. cbn [map pad_dims]. unfold guard.
    repeat (match goal with |- context [(0 <=? ?z)%Z] => destruct (Z.leb_spec 0 z); [| lia] end; cbn [andb]).
    cbn [option_map]. f_equal. repeat (f_equal; [lia |]). f_equal. lia. }
  eexists. split; [apply table_iff; eexists; split; [exact D | reflexivity] |]. split; [reflexivity |].
  eapply (kernel_padded S ring (square_window k l) _ x f _ b u o c [k; l] [Z.of_nat p; Z.of_nat q] [Z.of_nat p; Z.of_nat q] H Df).
  - apply table_iff. eexists. split; [exact D | reflexivity].
  - repeat constructor; lia.
  - repeat constructor; lia.
  - reflexivity.
  - reflexivity.
  - reflexivity.
  - cbn [square_window pads added map combine fst snd app]. rewrite !Nat2Z.id.
    assert (forall n m, 0 < n -> (n + 2 * m - 1) / 2 = (n - 1) / 2 + m) as half.
    { intros n m n0. replace (n + 2 * m - 1) with (n - 1 + m * 2) by lia. now rewrite Nat.div_add by lia. }
    now rewrite !half by assumption.
Qed.

(** The [k]-th thing that pattern [p] says of its attributes, being an expression without [_]: what its value is. *)
Ltac claim_value p k v E A :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    lazymatch eval vm_compute in (nth_error (claims q) k) with
    | Some (?l, ?a) =>
        let fp := first_proof c r q j in
        destruct (claim_nth c r g M outs fs p j q k l a ltac:(lt_depth) eq_refl fp eq_refl H eq_refl) as (v & E & A);
        change (inst_of j q) with j in E, A; let A' := fresh "A" in destruct A as [A' | [A' _]]; [rename A' into A | discriminate A'];
        apply attr_match_eval_agree in A; [values A | reflexivity]
    end).

(** A value of the target that [E] says, its input being [R]; one that is a variable. *)
Ltac known E V R :=
  match goal with X : ?y = _ |- _ => is_var y; assert (y = Some V) as -> by (rewrite X, ?R; exact E) end.
Ltac subst_value Y := match type of Y with ?y = _ => is_var y; subst y end.

(** The larger size exceeds each by an even number. *)
Lemma larger_even a b z : (Z.of_nat a - Z.of_nat b = 2 * z)%Z ->
  a + 2 * ((Nat.max a b - a) / 2) = Nat.max a b /\ b + 2 * ((Nat.max a b - b) / 2) = Nat.max a b.
Proof.
  intros E. destruct (Nat.le_ge_cases a b) as [le | le].
  - rewrite Nat.max_r by exact le. replace (b - a) with (Z.to_nat (- z) * 2) by lia. rewrite Nat.div_mul, Nat.sub_diag by lia. cbn. lia.
  - rewrite Nat.max_l by exact le. replace (a - b) with (Z.to_nat z * 2) by lia. rewrite Nat.div_mul, Nat.sub_diag by lia. cbn. lia.
Qed.

Theorem rule_parallel_conv_expand_kernels_sound : ring_rule rule_text_parallel_conv_expand_kernels.
Proof.
  at_match. apply (scalars_ring S) in laws. rename laws into ring. pose proof (ring_floats S ring) as laws. clear H.
  assert (bound_at M (7, None)) as B7 by exact (source_has _ _ _ _ _ fs 0 (7, None) eq_refl).
  assert (bound_at M (8, None)) as B8 by exact (source_has _ _ _ _ _ fs 1 (8, None) eq_refl).
  see 7 l7 V7 L7 C7. see 8 l8 V8 L8 C8.
  claim_value 7 0 vp Ep Ap. claim_value 7 1 vs Es As. claim_value 7 2 vd Ed Ad. claim_value 7 3 vg Eg Ag.
  claim_value 8 0 vp' Ep' Ap'. claim_value 8 1 vs' Es' As'. claim_value 8 2 vd' Ed' Ad'. claim_value 8 3 vg' Eg' Ag'.
  apply conv_called in V7. destruct V7 as (t & f1 & o1 & u1 & win1 & grp & R0 & R1 & T1 & R7 & P7 & F7 & Gu1).
  apply conv_called in V8. destruct V8 as (t' & f2 & o2 & u2 & win2 & grp' & R0' & R2 & T2 & R8 & P8 & F8 & Gu2).
  assert (t' = t) as -> by congruence.
  require 1 Rq. apply and_true in Rq. destruct Rq as [Rq2 Rq3].
  leaf_shape Ap 1 R1 Ls1. leaf_shape Ap' 2 R2 Ls2. SoundTactic.claim 0 0 vn En An. apply value_eqb_iff in An. subst vn.
  says_leaf En Dn. apply (fun H => ndim_label _ _ _ _ _ _ _ _ _ H R0) in Dn. injection Dn as Dn.
  injection Ag as <-. injection As as <-. injection Ad as <-. rewrite Eg in Ag'. injection Ag' as <-. rewrite Es in As'. injection As' as <-.
  rewrite Ed in Ad'. injection Ad' as <-.
  destruct (conv_weights _ _ _ _ _ _ _ F7) as [_ D1]. destruct (conv_weights _ _ _ _ _ _ _ F8) as [_ D2].
  (* The sizes. *)
  pose proof (conv_kernel_positive _ _ _ _ _ _ _ F7) as K1. pose proof (conv_kernel_positive _ _ _ _ _ _ _ F8) as K2.
  pose proof (conv_rank_same _ _ _ _ _ _ _ F7) as L1. pose proof (conv_rank_same _ _ _ _ _ _ _ F8) as L2.
  destruct (dims f1) as [| m1 [| c1 [| a1 [| b1 [|]]]]] eqn:Df1; try (simpl in L1; lia).
  destruct (dims f2) as [| m2 [| c2 [| a2 [| b2 [|]]]]] eqn:Df2; try (simpl in L2; lia).
  cbn [skipn forallb] in K1, K2. rewrite !andb_true_iff, !Nat.ltb_lt in K1, K2. destruct K1 as (a1p & b1p & _). destruct K2 as (a2p & b2p & _).
  set (K := labels_env [((1%N, "shape"%string), shape_value [m1; c1; a1; b1]); ((2%N, "shape"%string), shape_value [m2; c2; a2; b2])]).
  pose proof (fun k w lt E => dim_1 K m1 c1 a1 b1 eq_refl k w lt E) as dim1. pose proof (fun k w lt E => dim_2 K m2 c2 a2 b2 eq_refl k w lt E) as dim2.
  change (eval K (four (fun k => half_of (dim_text 1 k))) = Some vp) in Ap. change (eval K (four (fun k => half_of (dim_text 2 k))) = Some vp') in Ap'.
  apply (eval_four K _ vp ((a1 - 1) / 2) ((b1 - 1) / 2)) in Ap;
    [| intros w E; apply (half_value K _ w a1 E a1p); intros u E'; exact (dim1 2 u ltac:(lia) E')
     | intros w E; apply (half_value K _ w b1 E b1p); intros u E'; exact (dim1 3 u ltac:(lia) E')].
  apply (eval_four K _ vp' ((a2 - 1) / 2) ((b2 - 1) / 2)) in Ap';
    [| intros w E; apply (half_value K _ w a2 E a2p); intros u E'; exact (dim2 2 u ltac:(lia) E')
     | intros w E; apply (half_value K _ w b2 E b2p); intros u E'; exact (dim2 3 u ltac:(lia) E')].
  subst vp vp'.
  change (eval K (even_text (Z.of_nat 2)) = Some (VBool true)) in Rq2. change (eval K (even_text (Z.of_nat 3)) = Some (VBool true)) in Rq3.
  destruct (even_value K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 2 ltac:(lia) Rq2) as [za Za].
  destruct (even_value K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 3 ltac:(lia) Rq3) as [zb Zb]. cbn [nth] in Za, Zb.
  destruct (larger_even a1 a2 za Za) as [ha1 ha2]. destruct (larger_even b1 b2 zb Zb) as [hb1 hb2].
  set (h := Nat.max a1 a2) in *. set (v := Nat.max b1 b2) in *.
  (* The kernels in the larger size. *)
  conv_attributes C7. conv_attributes C8.
  repeat match goal with E : Pattern.label_at _ _ _ (?p, _) _ = Some _ |- _ =>
    first [let A := fresh "A" in attr_of E C7 A; clear E | let A := fresh "A" in attr_of E C8 A; clear E] end.
  destruct (square_params l7 _ _ _ _ a1 b1 A1 A0 A A2 P7) as [-> ->]. destruct (square_params l8 _ _ _ _ a2 b2 A5 A4 A3 A6 P8) as [-> ->].
  destruct (grown S ring t f1 o1 u1 m1 c1 a1 b1 ((h - a1) / 2) ((v - b1) / 2) F7 Df1 a1p b1p) as (g1 & Pd1 & Dg1 & H1').
  destruct (grown S ring t f2 o2 u2 m2 c2 a2 b2 ((h - a2) / 2) ((v - b2) / 2) F8 Df2 a2p b2p) as (g2 & Pd2 & Dg2 & H2').
  rewrite ha1, hb1 in Dg1, H1'. rewrite ha2, hb2 in Dg2, H2'.
  pose proof (pad_made S inputs constants shapes [0; 0; (h - a1) / 2; (v - b1) / 2] [0; 0; (h - a1) / 2; (v - b1) / 2] f1 g1
    ltac:(now rewrite Df1) ltac:(now rewrite Df1) Pd1) as M1.
  pose proof (pad_made S inputs constants shapes [0; 0; (h - a2) / 2; (v - b2) / 2] [0; 0; (h - a2) / 2; (v - b2) / 2] f2 g2
    ltac:(now rewrite Df2) ltac:(now rewrite Df2) Pd2) as M2.
  pose proof (two_convs S _ _ _ _ _ _ _ _ H1' H2') as Tc.
  assert (forall w, In w [g1; g2] -> skipn 2 (dims w) = skipn 2 (dims g1)) as ker
    by (intros w [<- | [<- | []]]; [reflexivity | now rewrite Dg1, Dg2]).
  set (at_ := [("kernel_shape"%string, shape_value [h; v]);
               ("pads"%string, shape_value [(h - 1) / 2; (v - 1) / 2; (h - 1) / 2; (v - 1) / 2]);
               ("strides"%string, VTuple [VInt 1; VInt 1]); ("dilations"%string, VTuple [VInt 1; VInt 1]); ("group"%string, VInt 1)]).
  assert (conv_params at_ (dims t) (dims g1) = Some (square_window h v, 1)) as Pt.
  { unfold conv_params, window_of, sizes_attr, nat_attr, attr_or, at_. cbn [attribute look_up find fst snd String.eqb Ascii.eqb Bool.eqb option_map].
    rewrite !shape_of_value, Dg1. unfold guard. cbn [skipn]. rewrite sizes_eqb_refl. reflexivity. }
  assert (map (along S 0) [g1; g2] = [m1; m2]) as Sz by (unfold along; cbn [map]; now rewrite Dg1, Dg2).
  pose proof (shape_of_value [m1; m2]) as Sv. rewrite <- Sz in Sv at 2.
  assert (forall i y, means (tensors S inputs constants shapes) (patterns rule_text_parallel_conv_expand_kernels) g M i 19 y ->
                      y = Some (Fields [u1; u2])) as All.
  { clear m. intros j y m. (mean m;
    repeat match goal with
    | E : Some (VInt _) = Some ?v |- _ => injection E as <-
    | E : Some (VStr _) = Some ?v |- _ => injection E as <-
    | E : Some (VFloat _) = Some ?v |- _ => injection E as <-
    end;
    rewrite ?Ls1, ?Ls2 in *; conv_attributes C7;
    repeat match goal with
    | E : option_map VTuple _ = Some ?w |- _ => is_var w; first
        [ change (eval K (ATuple [dim_text 1 0]) = Some w) in E; cbn in E; injection E as <-
        | change (eval K (ATuple [dim_text 2 0]) = Some w) in E; cbn in E; injection E as <-
        | change (eval K (ATuple [dim_text 1 0; dim_text 2 0]) = Some w) in E; apply (eval_pair K _ _ w m1 m2) in E;
          [subst w | intros u Eu; exact (dim1 0 u ltac:(lia) Eu) | intros u Eu; exact (dim2 0 u ltac:(lia) Eu)]
        | change (eval K (ATuple [larger_text 2; larger_text 3]) = Some w) in E; apply (eval_pair K _ _ w h v) in E;
          [subst w | intros u Eu; exact (larger K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 2 u ltac:(lia) Eu)
           | intros u Eu; exact (larger K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 3 u ltac:(lia) Eu)]
        | change (eval K (four (fun k => half_of (larger_text k))) = Some w) in E; apply (eval_four K _ w ((h - 1) / 2) ((v - 1) / 2)) in E;
          [subst w | intros u Eu; apply (half_value K _ u h Eu ltac:(lia)); intros u' Eu';
              exact (larger K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 2 u' ltac:(lia) Eu')
           | intros u Eu; apply (half_value K _ u v Eu ltac:(lia)); intros u' Eu';
              exact (larger K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 3 u' ltac:(lia) Eu')] ]
    | E : ?e = Some ?w |- _ => is_var w; first
        [ change (eval K (ABinary BAdd (border_of 1) (border_of 1)) = Some w) in E;
          apply (border_value K 1 ((h - a1) / 2) ((v - b1) / 2)) in E;
          [subst w | intros u Eu; exact (missing_1 K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 2 u ltac:(lia) Eu)
           | intros u Eu; exact (missing_1 K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 3 u ltac:(lia) Eu)]
        | change (eval K (ABinary BAdd (border_of 2) (border_of 2)) = Some w) in E;
          apply (border_value K 2 ((h - a2) / 2) ((v - b2) / 2)) in E;
          [subst w | intros u Eu; exact (missing_2 K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 2 u ltac:(lia) Eu)
           | intros u Eu; exact (missing_2 K m1 c1 a1 b1 m2 c2 a2 b2 eq_refl eq_refl 3 u ltac:(lia) Eu)] ]
    end;
    repeat match goal with
    | A : look_up eqb l7 ?l = Some ?w, A' : look_up eqb l7 ?l = Some _ |- _ => is_var w; rewrite A' in A; injection A as <-
    end;
    cbn [nth] in D1, D2;
    [ match goal with m : means _ _ _ _ _ 4 ?y |- _ => bias_node 4 3 m y m1 o1 T1 bu1 bd1 Yb1 Ed1 Ld1; [now apply D1 |] end;
      match goal with m : means _ _ _ _ _ 6 ?y |- _ => bias_node 6 5 m y m2 o2 T2 bu2 bd2 Yb2 Ed2 Ld2; [now apply D2 |] end;
      pose proof (two_biases S _ _ _ _ bd1 bd2 Ld1 Ld2) as Lb;
      destruct (biases_made S bd1 [bd2] (fun k => nth k [o1; o2] None) [m1; m2] eq_refl Lb) as (Bt & CB & GB & Bi);
      pose proof (concat_made S inputs constants shapes 0 bd1 [bd2] Bt CB GB ltac:(destruct Ld1 as (-> & _); simpl; lia)) as EB;
      rewrite <- Sz in Bi;
      destruct (convs_made S inputs constants shapes at_ _ t g1 [g2] _ (Some Bt) [u1; u2] _ eq_refl ker Pt Tc Bi Sv) as (F & Y & EF & EY & ES & _);
      cbn [map] in EF, EB; subst_value Yb1; subst_value Yb2; known M1 (Of g1) R1; known M2 (Of g2) R2; known EF (Of F) R0;
      known Ed1 (Of bd1) R0; known Ed2 (Of bd2) R0; known EB (Of Bt) R0; known EY (Of Y) R0; known ES (@Fields (tensor (num S)) [u1; u2]) R0
    | no_bias 4 o1 T1 G N1; no_bias 6 o2 T2 G N2;
      destruct (convs_made S inputs constants shapes at_ _ t g1 [g2] _ None [u1; u2] _ eq_refl ker Pt Tc (no_biases S 2 _) Sv) as (F & Y & EF & EY & ES & _);
      cbn [map] in EF; known M1 (Of g1) R1; known M2 (Of g2) R2; known EF (Of F) R0; known EY (Of Y) R0;
      known ES (@Fields (tensor (num S)) [u1; u2]) R0 ];
    reflexivity). }
  each_output; mean_field m All; first [rewrite R7 | rewrite R8]; reflexivity.
Qed.

#[export] Hint Resolve rule_parallel_conv_expand_kernels_sound : sound_rules.
