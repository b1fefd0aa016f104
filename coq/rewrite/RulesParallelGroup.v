(** * Set merge: any number of convolutions in groups become one, whose result is put in order and split *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Rewrite rewrite.Check rewrite.Facts.
From Calque Require Import rewrite.Sound rewrite.SoundRule rewrite.SoundBuild rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesSimplify rewrite.RulesMany.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpsWindow.
From Calque Require Import tensor.OpTable tensor.IndexProof tensor.Concat tensor.LawsMerge tensor.LawsConv tensor.LawsGroup.
From Calque Require Import rewrite.RulesMerge rewrite.RulesBranches rewrite.RulesMergeConv rewrite.RulesFold rewrite.RulesMergeConvs.
From Calque Require Import rewrite.RulesTranspose rewrite.RulesNorm rewrite.RulesLower rewrite.RulesGroup.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Lemma written_group l x f w g v : attribute l "group"%string = Some v -> conv_params l x f = Some (w, g) -> v = VInt (Z.of_nat g).
Proof.
  unfold conv_params. intros E H. destruct (window_of l _ true) as [w' |]; [| discriminate].
  destruct (sizes_attr l "kernel_shape" _) as [ks |]; [| discriminate].
  unfold nat_attr, attr_or in H. rewrite E in H. destruct v as [| | z | | |]; try discriminate. cbn [natural] in H.
  destruct (0 <=? z)%Z eqn:Z0; [| discriminate]. unfold guard in H. destruct (sizes_eqb _ _); [| discriminate].
  injection H as _ <-. apply Z.leb_le in Z0. now rewrite Z2Nat.id.
Qed.

(** ** Expressions of the rule *)

(** The expression is a number if it is anything. *)
Definition says (G : env) (a : attr) (d : nat) : Prop := forall v, eval G a = Some v -> v = VInt (Z.of_nat d).

Lemma says_access G p l d : access G p l = Some (VInt (Z.of_nat d)) -> says G (AAccess p l) d.
Proof. intros A v E. cbn [eval] in E. congruence. Qed.

Lemma says_number G k : says G (AConst (VInt (Z.of_nat k))) k.
Proof. intros v E. now injection E as <-. Qed.

Lemma says_dim G sh ds k : eval G sh = Some (shape_value ds) -> says G (AProj sh (AConst (VInt (Z.of_nat k)))) (nth k ds 0).
Proof.
  intros A v E. cbn [eval] in E. rewrite A in E. unfold shape_value in E. now apply tuple_index_shape in E.
Qed.

Lemma says_product G a b m n : says G a m -> says G b n -> says G (ABinary BMul a b) (m * n).
Proof.
  intros A B v E. apply eval_binary in E. destruct E as (x & y & Ex & Ey & V). apply A in Ex. apply B in Ey. subst.
  cbn [binary_op] in V. unfold int_result in V. destruct (in_int64 _); [| discriminate]. injection V as <-. f_equal. lia.
Qed.

Lemma says_quotient G a b m n : says G a m -> says G b n -> says G (ABinary BFloordiv a b) (m / n).
Proof.
  intros A B v E. apply eval_binary in E. destruct E as (x & y & Ex & Ey & V). apply A in Ex. apply B in Ey. subst.
  cbn [binary_op] in V. destruct (Z.of_nat n =? 0)%Z; [discriminate |]. unfold int_result in V.
  destruct (in_int64 _); [| discriminate]. injection V as <-. now rewrite Nat2Z.inj_div.
Qed.

Lemma says_all G head ds vs : Forall2 (says G) head ds -> traverse (eval G) head = Some vs -> VTuple vs = shape_value ds.
Proof.
  intros F. revert vs. induction F as [| a d head ds here _ IH]; intros vs E; cbn [traverse] in E; [now injection E as <- |].
  destruct (eval G a) as [v |] eqn:Ea; [| discriminate]. destruct (traverse _ _) as [ws |]; [| discriminate].
  injection E as <-. rewrite (here v Ea). specialize (IH ws eq_refl). unfold shape_value in *. injection IH as ->. reflexivity.
Qed.

(** Sizes, and then those of [sh] behind the first [k]. *)
Definition sizes_text (head : list attr) (sh : attr) (k : Z) : attr :=
  ABinary BAdd (ATuple head) (AFunc FSlice [sh; AConst (VInt k); AConst VNone; AConst VNone]).

Lemma sizes_value G head sh pre rest ds v : eval G sh = Some (shape_value (pre ++ rest)) -> Forall2 (says G) head ds ->
  eval G (sizes_text head sh (Z.of_nat (List.length pre))) = Some v -> v = shape_value (ds ++ rest).
Proof.
  intros A F E. apply eval_binary in E. destruct E as (x & y & Ex & Ey & V). cbn [eval traverse] in Ey. rewrite A in Ey.
  cbn [func_op shape_value] in Ey. rewrite map_app, <- (map_length (fun d => VInt (Z.of_nat d)) pre), slice_after in Ey.
  injection Ey as <-. cbn [eval] in Ex. destruct (traverse (eval G) head) as [vs |] eqn:Tr; [| discriminate]. injection Ex as <-.
  apply (says_all G head ds vs F) in Tr. unfold shape_value in Tr. injection Tr as ->. cbn [binary_op] in V. injection V as <-.
  unfold shape_value. now rewrite map_app.
Qed.

(** A permutation that leaves the dimensions from [k] on where they are, of a rank that is 2 more than that of [sh]. *)
Definition perm_text (head : list attr) (sh : attr) (k : Z) : attr :=
  ABinary BAdd (ATuple head)
    (AFunc FRange [AConst (VInt k); ABinary BAdd (AUnary ULen sh) (AConst (VInt 2)); AConst (VInt 1)]).

Lemma perm_value G head sh k ds ps v : eval G sh = Some (shape_value ds) -> Forall2 (says G) head ps -> k <= List.length ds + 2 ->
  eval G (perm_text head sh (Z.of_nat k)) = Some v -> v = shape_value (ps ++ seq k (List.length ds + 2 - k)).
Proof.
  intros A F le E. apply eval_binary in E. destruct E as (x & y & Ex & Ey & V). cbn [eval traverse] in Ey. rewrite A in Ey.
  cbn [shape_value unary_op] in Ey. rewrite map_length in Ey. unfold int_result in Ey at 1. destruct (in_int64 _) in Ey; [| discriminate].
  cbn [binary_op] in Ey. unfold int_result in Ey at 1. destruct (in_int64 _) in Ey; [| discriminate].
  replace (Z.of_nat (List.length ds) + 2)%Z with (Z.of_nat (List.length ds + 2)) in Ey by lia.
  apply (range_value (labels_env [((0%N, "ndim"%string), VInt (Z.of_nat (List.length ds + 2)))]) 0%N k _ y eq_refl le) in Ey.
  subst y. cbn [eval] in Ex. destruct (traverse (eval G) head) as [vs |] eqn:Tr; [| discriminate]. injection Ex as <-.
  apply (says_all G head ps vs F) in Tr. unfold shape_value in Tr. injection Tr as ->. cbn [binary_op numbers_value] in V. injection V as <-.
  unfold shape_value. now rewrite map_app.
Qed.

(** What the rule says of [n] tensors in [g] groups, one of which has the sizes [sh]: in groups, exchanged, together. *)
Definition length_text : attr := AAccess 9%N "length"%string.
Definition group_text : attr := AAccess 4%N "group"%string.
Definition dim_text (sh : attr) (k : Z) : attr := AProj sh (AConst (VInt k)).
Definition parts_text (sh : attr) : attr :=
  sizes_text [length_text; group_text; ABinary BFloordiv (dim_text sh 0) group_text] sh 1.
Definition front_perm (sh : attr) : attr := perm_text [AConst (VInt 1); AConst (VInt 0)] sh 2.
Definition joined_text (sh : attr) : attr := sizes_text [ABinary BMul length_text (dim_text sh 0)] sh 1.
Definition out_parts (sh : attr) : attr :=
  sizes_text [dim_text sh 0; group_text; length_text; ABinary BFloordiv (dim_text sh 1) group_text] sh 2.
Definition out_perm (sh : attr) : attr := perm_text [AConst (VInt 0); AConst (VInt 2); AConst (VInt 1)] sh 3.
Definition out_joined (sh : attr) : attr := sizes_text [dim_text sh 0; ABinary BMul length_text (dim_text sh 1)] sh 2.

Section Texts.
  Variables (G : env) (n g s : nat) (sh : attr).
  Hypothesis length_is : access G 9%N "length"%string = Some (VInt (Z.of_nat n)).
  Hypothesis group_is : access G 4%N "group"%string = Some (VInt (Z.of_nat g)).

  Lemma share : 0 < g -> g * s / g = s.
  Proof. intros pos. rewrite Nat.mul_comm. apply Nat.div_mul. lia. Qed.

  Section Kernels.
    Variable rest : sizes.
    Hypothesis sizes_are : eval G sh = Some (shape_value (g * s :: rest)).

    Lemma parts_value v : 0 < g -> eval G (parts_text sh) = Some v -> v = shape_value ([] ++ n :: g :: s :: rest).
    Proof.
      intros pos E. apply (sizes_value G _ sh [g * s] rest [n; g; g * s / g] v sizes_are) in E; [now rewrite share in E by exact pos |].
      repeat constructor; [now apply says_access | now apply says_access |].
      apply says_quotient; [exact (says_dim G sh _ 0 sizes_are) | now apply says_access].
    Qed.

    Lemma front_value v : eval G (front_perm sh) = Some v -> v = shape_value (swap_perm 0 (1 + List.length rest)).
    Proof.
      intros E. apply (perm_value G _ sh 2 _ [1; 0] v sizes_are) in E; [| repeat constructor; [apply (says_number G 1) | apply (says_number G 0)] | simpl; lia].
      subst v. cbn [List.length]. now replace (Datatypes.S (List.length rest) + 2 - 2) with (1 + List.length rest) by lia.
    Qed.

    Lemma joined_value v : eval G (joined_text sh) = Some v -> v = shape_value ([] ++ g * (n * s) :: rest).
    Proof.
      intros E. apply (sizes_value G _ sh [g * s] rest [n * (g * s)] v sizes_are) in E.
      - subst v. cbn [app]. do 2 f_equal. ring.
      - repeat constructor. apply says_product; [now apply says_access | exact (says_dim G sh _ 0 sizes_are)].
    Qed.
  End Kernels.

  Section Results.
    Variables (m : nat) (rest : sizes).
    Hypothesis sizes_are : eval G sh = Some (shape_value (m :: g * s :: rest)).

    Lemma out_parts_value v : 0 < g -> eval G (out_parts sh) = Some v -> v = shape_value ([m] ++ g :: n :: s :: rest).
    Proof.
      intros pos E. apply (sizes_value G _ sh [m; g * s] rest [m; g; n; g * s / g] v sizes_are) in E; [now rewrite share in E by exact pos |].
      repeat constructor; [exact (says_dim G sh _ 0 sizes_are) | now apply says_access | now apply says_access |].
      apply says_quotient; [exact (says_dim G sh _ 1 sizes_are) | now apply says_access].
    Qed.

    Lemma out_perm_value v : eval G (out_perm sh) = Some v -> v = shape_value (swap_perm 1 (1 + List.length rest)).
    Proof.
      intros E. apply (perm_value G _ sh 3 _ [0; 2; 1] v sizes_are) in E;
        [| repeat constructor; [apply (says_number G 0) | apply (says_number G 2) | apply (says_number G 1)] | simpl; lia].
      subst v. cbn [List.length]. now replace (Datatypes.S (Datatypes.S (List.length rest)) + 2 - 3) with (1 + List.length rest) by lia.
    Qed.

    Lemma out_joined_value v : eval G (out_joined sh) = Some v -> v = shape_value ([m] ++ n * (g * s) :: rest).
    Proof.
      intros E. apply (sizes_value G _ sh [m; g * s] rest [m; n * (g * s)] v sizes_are) in E; [exact E |].
      repeat constructor; [exact (says_dim G sh _ 0 sizes_are) |].
      apply says_product; [now apply says_access | exact (says_dim G sh _ 1 sizes_are)].
    Qed.
  End Results.
End Texts.

(** ** The nodes of the target *)

Section Nodes.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation tensor := (tensor (num S)).
  Notation calls := (calls (tensors S inputs constants shapes)).
  Notation at_ := (at_ S).

  (** [z] is [x] with the tensors or the groups, [a] and [b] of them, in the other order. *)
  Definition regrouped (pre : sizes) (a b s : nat) (post : sizes) (x z : tensor) : Prop :=
    exists r u,
      calls "Reshape"%string [("shape"%string, shape_value (pre ++ a :: b :: s :: post))] (strip [Of x]) = Some (Of r) /\
      calls "Transpose"%string [("perm"%string, shape_value (swap_perm (List.length pre) (1 + List.length post)))] (strip [Of r]) = Some (Of u) /\
      calls "Reshape"%string [("shape"%string, shape_value (pre ++ b * (a * s) :: post))] (strip [Of u]) = Some (Of z).

  Lemma regroup_made pre a b s post (x : tensor) : dims x = pre ++ a * (b * s) :: post -> good x ->
    exists z, regrouped pre a b s post x z /\ good z /\ dims z = pre ++ b * (a * s) :: post /\
      forall i k q t j, (0 <= k < Z.of_nat a)%Z -> (0 <= q < Z.of_nat b)%Z -> (0 <= t < Z.of_nat s)%Z ->
        in_box pre i = true -> in_box post j = true ->
        at_ z (i ++ ((q * Z.of_nat a + k) * Z.of_nat s + t)%Z :: j) = at_ x (i ++ ((k * Z.of_nat b + q) * Z.of_nat s + t)%Z :: j).
  Proof.
    intros D G. destruct (regroup S pre a b s post x D G) as (r & u & z & R & U & Z & Gr & Gu & Gz & Dz & E).
    exists z. split; [| now repeat split]. exists r, u. split; [exact (reshape_made S inputs constants shapes _ x r G R) |].
    split; [| exact (reshape_made S inputs constants shapes _ u z Gu Z)].
    exact (transpose_to S inputs constants shapes _ _ r u (shape_of_value _) U).
  Qed.

  (** Kernels and biases in the order of the groups, the convolution, its result in the order of the tensors. *)
  Lemma group_convs_made at_attrs win g s n (x f : tensor) fr b (B : option tensor) ys c' ks :
    List.length ys = List.length (f :: fr) -> n = List.length (f :: fr) -> dims f = g * s :: c' :: ks ->
    (forall v, In v (f :: fr) -> dims v = dims f) ->
    (forall v : tensor, skipn 2 (dims v) = skipn 2 (dims f) -> conv_params at_attrs (dims x) (dims v) = Some (win, g)) ->
    (forall k v y, nth_error (f :: fr) k = Some v -> nth_error ys k = Some y -> conv S win g x v (b k) = Some y) ->
    (forall t, B = Some t -> good t) -> biases S B b (map (along S 0) (f :: fr)) ->
    exists F F' B' Y Z m l,
      calls "Concat"%string [("axis"%string, VInt 0)] (strip (map Of (f :: fr))) = Some (Of F) /\
      regrouped [] n g s (c' :: ks) F F' /\
      match B, B' with
      | Some t, Some t' => regrouped [] n g s [] t t' /\ calls "Conv"%string at_attrs (strip [Of x; Of F'; Of t']) = Some (Of Y)
      | None, None => calls "Conv"%string at_attrs (strip [Of x; Of F']) = Some (Of Y)
      | _, _ => False
      end /\
      regrouped [m] g n s l Y Z /\
      (forall y, In y ys -> dims y = m :: g * s :: l) /\
      calls "Split"%string [("axis"%string, VInt 1); ("split"%string, shape_value (repeat (g * s) n))] (strip [Of Z]) = Some (Fields ys).
  Proof.
    intros len En Df same P M GB [DB VB].
    assert (map (along S 0) (f :: fr) = repeat (g * s) n) as Ens.
    { rewrite En. clear - same Df. assert (forall l, (forall v, In v l -> dims v = dims f) -> map (along S 0) l = repeat (g * s) (List.length l)) as go.
      { induction l as [| v l IH]; intros H; [reflexivity |]. cbn [map List.length repeat]. f_equal.
        - unfold along. rewrite (H v (or_introl eq_refl)), Df. reflexivity.
        - apply IH. intros u inu. apply H. now right. }
      exact (go (f :: fr) same). }
    rewrite Ens in DB, VB.
    destruct (concat_some S 0 f fr) as (F & C & GF & DF).
    { rewrite Df. simpl. lia. }
    { intros y iny. exists (g * s). rewrite (same y (or_intror iny)), Df. reflexivity. }
    fold (along S) in DF. rewrite Ens, sum_repeat, Df in DF. cbn [set_nth] in DF.
    destruct (regroup_made [] n g s (c' :: ks) F DF GF) as (F' & RF & GF' & DF' & VF). cbn [app] in DF', VF.
    assert (forall k q (t : Z), k < n -> ((Z.of_nat k * Z.of_nat g + q) * Z.of_nat s + t = q * Z.of_nat s + t + Z.of_nat (start k (repeat (g * s)%nat n)))%Z) as place.
    { intros k q t lt. rewrite start_repeat by lia. rewrite !Nat2Z.inj_mul. ring. }
    assert (exists B', (forall t, B' = Some t -> dims t = [n * (g * s)]) /\
              (forall k q t a, k < n -> (0 <= q < Z.of_nat g)%Z -> (0 <= t < Z.of_nat s)%Z ->
                 biased S B' a ((q * Z.of_nat n + Z.of_nat k) * Z.of_nat s + t)%Z = biased S (b k) a (q * Z.of_nat s + t)%Z) /\
              match B, B' with
              | Some t, Some t' => regrouped [] n g s [] t t'
              | None, None => True
              | _, _ => False
              end) as (B' & DB' & VB' & RB).
    { assert (forall k q t a, k < n -> (0 <= q < Z.of_nat g)%Z -> (0 <= t < Z.of_nat s)%Z ->
                biased S B a ((Z.of_nat k * Z.of_nat g + q) * Z.of_nat s + t)%Z = biased S (b k) a (q * Z.of_nat s + t)%Z) as VB2.
      { intros k q t a lt Q T. rewrite place by exact lt. apply (VB k (g * s)); [now apply nth_error_repeat |].
        rewrite Nat2Z.inj_mul. now apply two_digits. }
      destruct B as [t |].
      - specialize (DB t eq_refl). rewrite sum_repeat in DB.
        destruct (regroup_made [] n g s [] t DB (GB t eq_refl)) as (t' & Rt & Gt & Dt & Vt). cbn [app] in Dt, Vt.
        exists (Some t'). split; [intros u Eu; injection Eu as <-; rewrite Dt; f_equal; ring |]. split; [| exact Rt].
        intros k q u a lt Q U. rewrite <- VB2 by assumption. cbn [biased]. f_equal.
        exact (Vt [] (Z.of_nat k) q u [] ltac:(lia) Q U eq_refl eq_refl).
      - exists None. split; [discriminate |]. split; [| exact Logic.I]. intros k q t a lt Q U. cbn [biased]. now rewrite <- VB2. }
    destruct (parallel_group_conv S win g x f F' fr b B' ys s n len En same) as (Y & m & l & HY & GY & DY & Dys & VY); try assumption.
    { rewrite Df. reflexivity. }
    { rewrite DF', Df. cbn [tl]. f_equal. ring. }
    { intros k v q t i at_v Q U I. rewrite Df in I. cbn [tl] in I.
      assert (k < n) as lt by (rewrite En; apply nth_error_Some; congruence).
      transitivity (at_ F (((Z.of_nat k * Z.of_nat g + q) * Z.of_nat s + t)%Z :: i)).
      - exact (VF [] (Z.of_nat k) q t i ltac:(lia) Q U eq_refl I).
      - rewrite place, <- Ens by exact lt. apply (concat_at S 0 f fr F k v ((q * Z.of_nat s + t)%Z :: i) C at_v).
        + rewrite Df. simpl. lia.
        + rewrite (same v (nth_error_In _ _ at_v)), Df. apply in_box_cons. split; [| exact I]. rewrite Nat2Z.inj_mul. now apply two_digits. }
    destruct (regroup_made [m] g n s l Y DY GY) as (Z & RZ & GZ & DZ & VZ). cbn [app] in DZ.
    assert (split S 1 (repeat (g * s) n) Z = Some ys) as Sp.
    { apply (split_groups S n g s m l Y Z ys); [congruence | exact DZ | exact Dys |].
      intros k y p q t i at_y Pp Q U I. rewrite <- (VY k y p q t i at_y Pp Q U I).
      assert (k < n) as lt by (rewrite En, <- len; apply nth_error_Some; congruence).
      refine (VZ [p] q (Z.of_nat k) t i Q ltac:(lia) U _ I). apply in_box_cons. now split. }
    exists F, F', B', Y, Z, m, l. split; [apply (concat_made S inputs constants shapes 0 f fr F C GF); rewrite Df; simpl; lia |].
    split; [exact RF |].
    assert (conv_params at_attrs (dims x) (dims F') = Some (win, g)) as P' by (apply P; now rewrite DF', Df).
    split; [| split; [exact RZ |]; split; [intros y iny; now apply Dys |]].
    - destruct B as [t |], B' as [t' |]; try easy.
      + split; [exact RB |].
        apply (op3_intro S inputs constants shapes "Conv" _ _ at_attrs x F' (Of t') (Some t') Y eq_refl eq_refl);
          [| split; [exact GY | reflexivity]]. cbv beta. rewrite P'. exact HY.
      + eapply op3_intro2; [reflexivity | | split; [exact GY | reflexivity]]. cbv beta. rewrite P'. exact HY.
    - apply (split_made S inputs constants shapes 1 _ _ Z ys Sp); [| apply shape_of_value | rewrite DZ; simpl; lia].
      apply Forall_forall. intros y iny. now apply Dys.
  Qed.
End Nodes.

(** Expressions of labels that are known, in the environment [A], by what is known of their texts. *)
Ltac written A :=
  repeat match goal with
  | P : forall v, eval A ?t = Some v -> v = _, E : context [func_op FSlice] |- _ =>
      lazymatch type of E with _ = Some ?v => change (eval A t = Some v) in E; apply P in E end
  | P : forall v, eval A ?t = Some v -> v = _, E : context [func_op FRange] |- _ =>
      lazymatch type of E with _ = Some ?v => change (eval A t = Some v) in E; apply P in E end
  end.

(** The labels that the target's expressions read become what is known of them, and the expressions what they say. *)
Ltac labels_known A :=
  lazymatch goal with
  | Ln : Pattern.label_at _ _ _ (9, None) "length"%string = Some _, shape1 : forall v, Pattern.label_at _ _ _ (1, None) "shape"%string = _ -> _,
    shape4 : forall v, Pattern.label_at _ _ _ (4, None) "shape"%string = _ -> _ |- _ =>
      let n := fresh "n" in let z := fresh "z" in
      destruct (Pattern.label_at _ _ _ (9, None) "length"%string) as [n |]; [| discriminate Ln]; injection Ln as ->;
      destruct (Pattern.label_at _ _ _ (1, None) "shape"%string) as [z |]; [| discriminate]; pose proof (shape1 z eq_refl); subst z;
      destruct (Pattern.label_at _ _ _ (4, None) "shape"%string) as [z |]; [| discriminate]; pose proof (shape4 z eq_refl); subst z
  end;
  written A; repeat match goal with E : ?v = shape_value _ |- _ => is_var v; subst v end.

(** The node whose equation is [E]. *)
Ltac made E := match goal with X : ?y = _ |- _ => is_var y; node X E end.

Theorem rule_parallel_group_conv_variadic_sound : float_rule rule_text_parallel_group_conv_variadic.
Proof.
  at_match. any_output small.
  set (T := tensors S inputs constants shapes) in *. set (n := List.length outs) in *.
  pose proof (outputs_length _ _ _ _ _ fs 9 8 eq_refl eq_refl) as Len. fold n in Len.
  assert (Pattern.label_at (patterns rule_text_parallel_group_conv_variadic) g M (9, None) "length"%string = Some (VInt (Z.of_nat n))) as Ln
    by (eapply label_of_length; [reflexivity | reflexivity | exact Len]).
  set (wa := fun c => addr_of (patterns rule_text_parallel_group_conv_variadic) (Some c) 5).
  set (ba := fun c => addr_of (patterns rule_text_parallel_group_conv_variadic) (Some c) 7).
  set (oa := fun c => addr_of (patterns rule_text_parallel_group_conv_variadic) (Some c) 8).
  assert (forall c, c < n -> bound_at M (oa c)) as bound_c.
  { intros c lt. apply (source_has _ _ _ _ _ fs c). change (nth_error (map oa (seq 0 n)) c = Some (oa c)). exact (nth_seq_map oa n c lt). }
  pose proof (bound_c 0 ltac:(lia)) as B4. change (oa 0) with (4, @None nat) in B4. clear H.
  see 4 l4 V4 L4 C4.
  apply conv_called in V4. destruct V4 as (t & f0 & o0 & y0 & win & grp & R0 & R1 & T3 & R4 & P4 & F4 & G4).
  assert (forall v, Pattern.label_at (patterns rule_text_parallel_group_conv_variadic) g M (1, None) "shape"%string = Some v ->
            v = shape_value (dims f0)) as shape1
    by (intros v Ls; says_leaf Ls Ds; exact (shape_of_inv _ _ (shape_label _ _ _ _ _ _ _ _ _ Ds R1))).
  (* What is known of each. *)
  assert (forall c, c < n -> exists a : tensor (num S) * tensor (num S) * option (tensor (num S)),
    (branch S inputs constants shapes (patterns rule_text_parallel_group_conv_variadic) g M t f0 win grp (wa c) (ba c) (kernel_of S a) (bias_of_conv S a) (value_of_conv S a) /\
     dims (kernel_of S a) = dims f0) /\
    rho T g M (oa c) = Of (value_of_conv S a)) as each.
  { intros c lt. destruct c as [| c].
    - exists (f0, y0, o0). unfold kernel_of, bias_of_conv, value_of_conv. cbn [fst snd].
      change (wa 0) with (1, @None nat). change (ba 0) with (3, @None nat). change (oa 0) with (4, @None nat).
      split; [| exact R4]. split; [| reflexivity].
      see_optional 3 e3 n3 G3 Z3 L3 Q3 R3; branch_made san R1 G4 F4 (eq_refl (skipn 2 (dims f0))) T3 e3 n3 G3 Z3.
    - pose proof (bound_c _ lt) as B. change (oa (Datatypes.S c)) with (8, Some (Datatypes.S c)) in *.
      change (wa (Datatypes.S c)) with (5, Some (Datatypes.S c)). change (ba (Datatypes.S c)) with (7, Some (Datatypes.S c)).
      see 8 l9 V9 L9 C9.
      claim 8 "kernel_shape"%string k0 K0 K0'. claim 8 "strides"%string k1 K1 K1'. claim 8 "pads"%string k2 K2 K2'.
      claim 8 "dilations"%string k3 K3 K3'. claim 8 "group"%string k4 K4 K4'.
      apply conv_called in V9. destruct V9 as (t' & w & o & y & win' & grp' & R0' & Rw & Tb & Ry & P9 & F9 & G9).
      assert (t' = t) as -> by congruence. conv_attributes C9. conv_attributes C4.
      destruct (same_window l4 l9 (dims t) (dims f0) (dims w) win grp win' grp') as (-> & -> & Ek); try assumption;
        [repeat constructor; unfold attribute; congruence | unfold attribute; congruence |].
      exists (w, y, o). unfold kernel_of, bias_of_conv, value_of_conv. cbn [fst snd].
      split; [| exact Ry]. split.
      + see_optional 7 e7 n7 G7 Z7 L7 Q7 R7; branch_made san Rw G9 F9 Ek Tb e7 n7 G7 Z7.
      + claim 5 "shape"%string s5 S5 S5'. says_leaf S5 D5. apply (shape_label _ _ _ _ _ _ _ _ _ D5) in Rw.
        apply shape1 in S5'. subst s5. rewrite shape_of_value in Rw. congruence. }
  destruct (choose _ n each) as (l & len & known). clear each.
  assert (branches S inputs constants shapes rule_text_parallel_group_conv_variadic g M t f0 win grp 5 7 l) as all
    by (intros c a at_c; exact (proj1 (proj1 (known c a at_c)))).
  assert (forall v, In v (map (kernel_of S) l) -> dims v = dims f0) as same_dims.
  { intros v inv. apply in_map_iff in inv. destruct inv as (a & <- & ina). apply In_nth_error in ina. destruct ina as [c at_c].
    exact (proj2 (proj1 (known c a at_c))). }
  assert (exists a0 l', l = a0 :: l' /\ kernel_of S a0 = f0) as (a0 & l' & El & Ef).
  { destruct l as [| a0 l']; [simpl in len; lia |]. exists a0, l'. split; [reflexivity |].
    destruct (all 0 a0 eq_refl) as (_ & Rw & _). change (addr_of (patterns rule_text_parallel_group_conv_variadic) (Some 0) 5) with (1, @None nat) in Rw.
    unfold T in *. congruence. }
  assert (map (kernel_of S) l = f0 :: map (kernel_of S) l') as Ews by (rewrite El; cbn [map]; now rewrite Ef).
  pose proof (branches_convs S inputs constants shapes _ g M t f0 win grp 5 7 l all) as Tc.
  pose proof (fun c w y => kernel_nodes S inputs constants shapes _ g M t f0 win grp 5 7 l all _ c w y eq_refl eq_refl) as kernel_node.
  assert (forall c a, nth_error l c = Some a -> exists d,
    (forall y, means T (patterns rule_text_parallel_group_conv_variadic) g M (Some c) 10 y -> y = Some (Of d)) /\
    bias_like S (bias_of_conv S a) (along S 0 (kernel_of S a)) d) as bias_node.
  { apply (bias_nodes S inputs constants shapes rule_text_parallel_group_conv_variadic g M laws san t f0 win grp 5 7 l all _ _ 10 eq_refl eq_refl).
    - intros c. destruct c; vm_compute; reflexivity.
    - intros c a y at_c my. mean my. exists y1. split; [assumption |].
      destruct (Pattern.label_at _ _ _ (1, None) "shape"%string) as [s |] eqn:Ls; [| discriminate].
      pose proof (shape1 s eq_refl) as Es. subst s. unfold shape_value in E. destruct (tuple_index _ 0) as [d |] eqn:Td; [| discriminate].
      apply (tuple_index_shape (dims f0) 0) in Td. destruct Td as [_ ->]. injection E as <-.
      rewrite X. unfold along. rewrite (same_dims (kernel_of S a)) by (apply in_map; now apply nth_error_In in at_c). destruct y1; reflexivity. }
  pose proof (branches_present S inputs constants shapes _ g M t f0 win grp 5 7 l all) as said.
  rewrite Ews in Tc, kernel_node, same_dims.
  assert (List.length (map (value_of_conv S) l) = List.length (f0 :: map (kernel_of S) l')) as lys by (rewrite <- Ews; now rewrite !map_length).
  assert (List.length (f0 :: map (kernel_of S) l') = n) as lws by (rewrite <- Ews, map_length; exact len).
  destruct (nth_error l k) as [ak |] eqn:at_k; [| apply nth_error_None in at_k; lia].
  (* The target. *)
  pose proof (proj2 (known k ak at_k)) as Rk.
  assert (value_of_conv S a0 = y0) as Ey0.
  { pose proof (proj2 (known 0 a0 ltac:(now rewrite El))) as Ra. change (oa 0) with (4, @None nat) in Ra. congruence. }
  clear known.
  assert (forall v, Pattern.label_at (patterns rule_text_parallel_group_conv_variadic) g M (4, None) "group"%string = Some v -> v = VInt (Z.of_nat grp)) as group4.
  { intros v Lv. attr_of Lv C4 A. exact (written_group l4 _ _ _ _ v A P4). }
  assert (forall v, Pattern.label_at (patterns rule_text_parallel_group_conv_variadic) g M (4, None) "shape"%string = Some v -> v = shape_value (dims y0)) as shape4.
  { intros v Lv. says_call Lv C4 D. exact (shape_of_inv _ _ (shape_label _ _ _ _ _ _ _ _ _ D R4)). }
  destruct (conv_is S win grp t f0 o0 y0 F4) as (m1 & c1 & ns1 & o1 & c2 & ks & lo & _ & Df & Dy & _ & _ & _ & whole_ & pos & _).
  pose proof (Nat.div_mod o1 grp ltac:(lia)) as Eo. rewrite whole_, Nat.add_0_r in Eo. set (s := o1 / grp) in *.
  rewrite Eo in Df, Dy. clear whole_ Eo.
  set (A := labels_env [((1%N, "shape"%string), shape_value (dims f0)); ((4%N, "shape"%string), shape_value (dims y0));
                        ((4%N, "group"%string), VInt (Z.of_nat grp)); ((9%N, "length"%string), VInt (Z.of_nat n))]).
  set (sh1 := AAccess 1%N "shape"%string). set (sh4 := AAccess 4%N "shape"%string). set (shb := ATuple [dim_text sh1 0]).
  assert (eval A sh1 = Some (shape_value (grp * s :: c2 :: ks))) as A1 by (rewrite <- Df; reflexivity).
  assert (eval A sh4 = Some (shape_value (m1 :: grp * s :: lo))) as A4 by (rewrite <- Dy; reflexivity).
  assert (eval A shb = Some (shape_value [grp * s])) as Ab by (unfold A; rewrite Df; reflexivity).
  pose proof (fun v => parts_value A n grp s sh1 eq_refl eq_refl _ A1 v pos) as P1.
  pose proof (fun v => parts_value A n grp s shb eq_refl eq_refl _ Ab v pos) as Pb.
  pose proof (front_value A grp s sh1 _ A1) as F1. pose proof (front_value A grp s shb _ Ab) as Fb.
  pose proof (joined_value A n grp s sh1 eq_refl _ A1) as J1. pose proof (joined_value A n grp s shb eq_refl _ Ab) as Jb.
  pose proof (fun v => out_parts_value A n grp s sh4 eq_refl eq_refl _ _ A4 v pos) as P5.
  pose proof (out_perm_value A grp s sh4 _ _ A4) as F5. pose proof (out_joined_value A n grp s sh4 eq_refl _ _ A4) as J5.
  assert (forall us, traverse (fun _ : nat => match Pattern.label_at (patterns rule_text_parallel_group_conv_variadic) g M (1, None) "shape"%string with
                                     | Some (VTuple vs) => tuple_index vs 0 | _ => None end) (seq 0 n) = Some us ->
            VTuple us = shape_value (repeat (grp * s) n)) as split_sizes.
  { intros us Tr. apply traverse_seq with (h := fun _ => VInt (Z.of_nat (grp * s))) in Tr.
    - subst us. unfold shape_value. f_equal. clear. generalize 0. induction n as [| j IH]; intros b; [reflexivity |].
      cbn [seq map repeat]. now rewrite IH.
    - intros c u _ Eu. destruct (Pattern.label_at _ _ _ (1, None) "shape"%string) as [v |]; [| discriminate].
      pose proof (shape1 v eq_refl) as Ev. subst v. rewrite Df in Eu. exact (proj2 (tuple_index_shape (grp * s :: c2 :: ks) 0 u Eu)). }
  mean m; change (x = Some (rho T g M (oa k))); cbn [env_at value_of] in G; injection G as <-;
    repeat match goal with E : Some (VInt 1) = Some ?v |- _ => injection E as <- end;
    match goal with E : match Pattern.label_at _ _ _ _ "length"%string with _ => _ end = Some ?v |- _ =>
      counted_loop n Ln E Tr; injection E as <-; apply split_sizes in Tr; rewrite Tr in * end;
    match goal with m0 : means T _ g M ?i 12 ?y |- _ =>
      pose proof (concat_many S inputs constants shapes _ g M outs fs i 12 _ y 11 _ 5 0 _ 9%N _ (f0 :: map (kernel_of S) l') m0 eq_refl eq_refl eq_refl
        eq_refl eq_refl eq_refl eq_refl eq_refl (fun _ => eq_refl) ltac:(rewrite lws; exact Ln) kernel_node) as Xw end;
    match goal with E : Pattern.label_at _ _ _ (4, None) "group"%string = Some ?v |- _ => pose proof (group4 v E); subst v; rewrite E in * end;
    conv_attributes C4.
  - destruct (entries_biases S (fun c d => forall y, means T (patterns rule_text_parallel_group_conv_variadic) g M (Some c) 10 y -> y = Some (Of d))
      l ltac:(rewrite El; discriminate) bias_node) as (d & ds & B & ld & Pd & rank & CB & GB & Bi). rewrite Ews in Bi.
    match goal with m1 : means T _ g M ?i 14 ?y |- _ =>
      pose proof (concat_many S inputs constants shapes _ g M outs fs i 14 _ y 13 _ 10 0 _ 9%N _ (d :: ds) m1 eq_refl eq_refl eq_refl
        eq_refl eq_refl eq_refl eq_refl eq_refl (fun _ => eq_refl) ltac:(rewrite ld, len; exact Ln) (fun c e y at_c my => Pd c e at_c y my)) as Xb end.
    pose proof (concat_made S inputs constants shapes 0 d ds B CB GB ltac:(lia)) as EB.
    labels_known A.
    match goal with Xc : _ = (let? us := _ in calls T "Conv"%string ?at_ (strip us)) |- _ =>
      assert (forall v : tensor (num S), skipn 2 (dims v) = skipn 2 (dims f0) -> conv_params at_ (dims t) (dims v) = Some (win, grp)) as Pt
        by (intros v Kv; rewrite <- P4; same_params; exact Kv); rewrite R0 in Xc end.
    destruct (group_convs_made S inputs constants shapes _ win grp s n t f0 (map (kernel_of S) l') _ (Some B) (map (value_of_conv S) l) c2 ks
                lys (eq_sym lws) Df same_dims Pt Tc (fun t E => ltac:(injection E as <-; exact GB)) Bi)
      as (F & F' & [B' |] & Y & Z & m' & lo' & EF & RF & EY & RZ & Dys & ES); [| easy].
    destruct EY as [RB EY].
    assert (dims y0 = m' :: grp * s :: lo') as Dy' by (apply Dys; rewrite El; cbn [map]; left; exact Ey0).
    rewrite Dy in Dy'. injection Dy' as <- <-.
    destruct RF as (r1 & u1 & E11 & E12 & E13). destruct RB as (r2 & u2 & E21 & E22 & E23). destruct RZ as (r3 & u3 & E31 & E32 & E33).
    made EF. made E11. made E12. made E13. made EB. made E21. made E22. made E23. made EY. made E31. made E32. made E33. made ES.
    rewrite X, Rk. destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. now rewrite Nat2Z.id, nth_error_map, at_k.
  - match goal with G0 : match ?a with _ => _ end = Some (VBool false) |- _ =>
      destruct a as [[| | | | | ps] |] eqn:Ep in G0; try discriminate G0; rename G0 into Gc end.
    counted_loop n Ln Ep Tp. injection Ep as ->.
    assert (List.length (map (bias_of_conv S) l) = n) as los by (rewrite map_length; exact len). rewrite <- los in Tp.
    match type of Tp with context [env_at _ g M ?i] =>
      apply (present_said S rule_text_parallel_group_conv_variadic g M i 7%N 7 _ (map (bias_of_conv S) l) _ eq_refl eq_refl said) in Tp end.
    subst ps. pose proof (no_biases_of S _ (map (along S 0) (f0 :: map (kernel_of S) l')) Gc) as Bi.
    labels_known A.
    match goal with Xc : _ = (let? us := _ in calls T "Conv"%string ?at_ (strip us)) |- _ =>
      assert (forall v : tensor (num S), skipn 2 (dims v) = skipn 2 (dims f0) -> conv_params at_ (dims t) (dims v) = Some (win, grp)) as Pt
        by (intros v Kv; rewrite <- P4; same_params; exact Kv); rewrite R0 in Xc end.
    destruct (group_convs_made S inputs constants shapes _ win grp s n t f0 (map (kernel_of S) l') _ None (map (value_of_conv S) l) c2 ks
                lys (eq_sym lws) Df same_dims Pt Tc ltac:(discriminate) Bi)
      as (F & F' & [B' |] & Y & Z & m' & lo' & EF & RF & EY & RZ & Dys & ES); [easy |].
    assert (dims y0 = m' :: grp * s :: lo') as Dy' by (apply Dys; rewrite El; cbn [map]; left; exact Ey0).
    rewrite Dy in Dy'. injection Dy' as <- <-.
    destruct RF as (r1 & u1 & E11 & E12 & E13). destruct RZ as (r3 & u3 & E31 & E32 & E33).
    made EF. made E11. made E12. made E13. made EY. made E31. made E32. made E33. made ES.
    rewrite X, Rk. destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. now rewrite Nat2Z.id, nth_error_map, at_k.
Qed.

#[export] Hint Resolve rule_parallel_group_conv_variadic_sound : sound_rules.
