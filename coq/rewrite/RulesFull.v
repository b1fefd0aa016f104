(** * Operands whose elements are all equal *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library.
From Calque Require Import rewrite.RulesMany rewrite.RulesUnit.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpTable tensor.Meaning tensor.Algebra tensor.Factors.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** One element, without dimensions. *)
Definition scalar (S : arith) (e : num S) : tensor (num S) := tabulate [] (fun _ => e).

Section Cells.
  Variable S : arith.
  Notation tensor := (tensor (num S)).

  Lemma map2_full_r f e (x z u : tensor) : all_cells S e z -> map2 S f x z = Some u -> dims u = dims x ->
    map2 S f x (scalar S e) = Some u.
  Proof.
    intros cells H D. rewrite (map2_scalar_r S f x (scalar S e) eq_refl).
    unfold map2, table in H. destruct (broadcast (dims x) (dims z)) as [out |] eqn:B; [| discriminate].
    injection H as <-. cbn [dims tabulate] in D. subst out. f_equal. apply tabulate_ext. intros i I.
    change (at_ S (scalar S e) []) with e. unfold spread_at. rewrite spread_same by exact I.
    now rewrite cells by exact (spread_in_box_r _ _ _ _ B I).
  Qed.

  Lemma map2_full_l f e (x z u : tensor) : all_cells S e z -> map2 S f z x = Some u -> dims u = dims x ->
    map2 S f (scalar S e) x = Some u.
  Proof.
    intros cells H D. rewrite (map2_scalar_l S f (scalar S e) x eq_refl).
    unfold map2, table in H. destruct (broadcast (dims z) (dims x)) as [out |] eqn:B; [| discriminate].
    injection H as <-. cbn [dims tabulate] in D. subst out. f_equal. apply tabulate_ext. intros i I.
    change (at_ S (scalar S e) []) with e. unfold spread_at. rewrite (spread_same (dims x)) by exact I.
    now rewrite cells by exact (spread_in_box _ _ _ _ B I).
  Qed.

  Lemma fold_two f (x y : tensor) : fold_all S f x [y] = map2 S f x y.
  Proof. unfold fold_all, map2, table. cbn [map broadcast_all]. now destruct (broadcast (dims x) (dims y)). Qed.

  Lemma expand_cells e ds (x u : tensor) : all_cells S e x -> (forall out, ds = Some out -> broadcast (dims x) out = Some out) ->
    expand S ds x = Some u -> all_cells S e u.
  Proof.
    intros cells B H i I. unfold expand in H. apply table_iff in H. destruct H as (out & -> & ->).
    cbn [dims tabulate] in I. rewrite at_tabulate by exact I. unfold spread_at. apply cells.
    exact (spread_in_box _ _ _ _ (B out eq_refl) I).
  Qed.

  (** ** An elementwise operator on two tensors: a function of two numbers, or nothing *)

  Variables inputs constants : N -> option tensor.
  Variable shapes : N -> option sizes.
  Notation calls := (calls (tensors S inputs constants shapes)).

  Lemma pair_made name (o : option tensor) : states_shape name "shape" = false ->
    (forall t, o = Some t -> good t) ->
    (let? v := one o in guard (well v && stated name [] v) (Some v)) = option_map Of o.
  Proof.
    intros St G. destruct o as [t |]; [| reflexivity]. cbn [one well]. unfold stated. rewrite St.
    rewrite (proj2 (well_good t) (G t eq_refl)). reflexivity.
  Qed.

  Definition pair_functions : list (string * (num S -> num S -> num S)) :=
    [("Sum", s_add S); ("Mul", s_mul S); ("Add", s_add S); ("Sub", s_sub S); ("Div", div_cell S); ("Pow", s_pow S);
     ("Max", s_max S); ("Min", s_min S)]%string.

  Lemma binary_pair name f x y : look_up String.eqb (operators S) name = Some (binary S f) ->
    states_shape name "shape" = false -> calls name [] (strip [Of x; Of y]) = option_map Of (map2 S f x y).
  Proof.
    intros O St. rewrite <- (pair_made name (map2 S f x y) St (fun t => table_good _ _ _ t)).
    cbn [calls tensors]. unfold op_calls, op_value. rewrite O. reflexivity.
  Qed.

  Lemma folded_pair name f x y : look_up String.eqb (operators S) name = Some (folded S f) ->
    states_shape name "shape" = false -> calls name [] (strip [Of x; Of y]) = option_map Of (map2 S f x y).
  Proof.
    intros O St. rewrite <- (pair_made name (map2 S f x y) St (fun t => table_good _ _ _ t)), <- fold_two.
    cbn [calls tensors]. unfold op_calls, op_value. rewrite O. reflexivity.
  Qed.

  Lemma pair_value name x y : existsb (String.eqb name) elementwise_names = true ->
    calls name [] (strip [Of x; Of y]) =
      match look_up String.eqb pair_functions name with Some f => option_map Of (map2 S f x y) | None => None end.
  Proof.
    intros E. apply existsb_exists in E. destruct E as (s & ins & E). apply String.eqb_eq in E. subst s.
    repeat (destruct ins as [<- | ins];
      [first [reflexivity | apply binary_pair; reflexivity | apply folded_pair; reflexivity] |]).
    destruct ins.
  Qed.

  (** A value that is not absent is a tensor here. *)
  Lemma pair_tensors name v w u : existsb (String.eqb name) elementwise_names = true -> v <> Absent -> w <> Absent ->
    calls name [] (strip [v; w]) = Some u -> exists x y, v = Of x /\ w = Of y.
  Proof.
    intros E nv nw H. apply existsb_exists in E. destruct E as (s & ins & E). apply String.eqb_eq in E. subst s.
    destruct v as [x | |], w as [y | |]; try easy; [now exists x, y | | |];
      (apply calls_value in H; destruct H as (H & _); unfold op_value in H; cbn in H;
       destruct (look_up _ _ _); discriminate).
  Qed.
End Cells.

(** ** The constant of the target *)

Definition value_text : attr :=
  AMatch 9%N [AAccess 1%N "value"%string; AAccess 6%N "value"%string; AConst (VInt 1); AConst (VInt 0)].

Definition number_text (p : N) : attr :=
  ABinary BOr (ABinary BGe (AAccess p "value"%string) (AConst (VInt 0))) (ABinary BLt (AAccess p "value"%string) (AConst (VInt 0))).

Lemma number_required S G p w : eval G (number_text p) = Some w ->
  exists v e, access G p "value"%string = Some v /\ number S v = Some e /\ match v with VTuple _ => False | _ => True end.
Proof.
  unfold number_text. cbn [eval]. destruct (access G p "value"%string) as [v |]; [| discriminate].
  destruct v; try discriminate; intros _; eexists; eexists; repeat split; reflexivity.
Qed.

Lemma scalar_const S inputs constants shapes v e : number S v = Some e -> match v with VTuple _ => False | _ => True end ->
  consts (tensors S inputs constants shapes) 0 (Some v) = Some (scalar S e).
Proof.
  intros N V. change (checked S (constant S v None) = Some (scalar S e)). unfold checked, constant. rewrite N.
  destruct v; try discriminate; try easy; reflexivity.
Qed.

Lemma value_of_text G k a v : taken G 9%N = Some k ->
  nth_error [AAccess 1%N "value"%string; AAccess 6%N "value"%string; AConst (VInt 1); AConst (VInt 0)] k = Some a ->
  eval G value_text = Some v -> eval G a = Some v.
Proof.
  intros T A E. unfold value_text in E. cbn [eval] in E. rewrite T, nth_error_map, A in E. exact E.
Qed.

(** Pattern [p] is bound to the operator [name] ([X]), of value [V]; the other operand is [z] everywhere [e1]. *)
Ltac operator_call p full name V X z e1 Rz Cz Text :=
  let ty := fresh "ty" in let l := fresh "l" in let L := fresh "L" in
  let C := fresh "C" in let e := fresh "e" in let G := fresh "G" in let N := fresh "N" in
  let e' := fresh "e" in let n' := fresh "n" in let G' := fresh "G" in let N' := fresh "N" in
  see_call p name ty l V L C; destruct (full ltac:(assumption)) as (z & e1 & Rz & Cz & Text); clear full;
  destruct (call_op _ _ _ _ _ _ _ _ _ _ _ _ C) as (e & G & N);
  lazymatch type of G with Pattern.get ?M ?a = _ => assert (bound_at M a) by (eexists; exact G) end;
  see_op 10 e' n' G' N' X; assert (n' = name) as -> by congruence;
  let W := fresh "W" in
  pose proof (eq_trans (eq_sym (elementwise_attributes _ _ _ _ name l _ X)) V) as W; clear V; rename W into V.

(** What is made of the alternative: the operator on the other operand and the constant. *)
Ltac operator_made j m fs name Text :=
  let i := fresh "i" in let k := fresh "k" in let kid := fresh "kid" in let K := fresh "K" in let at_k := fresh "at_k" in
  let m' := fresh "m" in
  destruct (means_match _ _ _ _ _ _ fs _ _ _ _ _ _ m eq_refl ltac:(by_text) ltac:(by_text) eq_refl)
    as (i & k & kid & _ & K & at_k & m');
  assert (k = j) as -> by congruence;
  injection at_k as <-; mean m';
  lazymatch goal with
  | X0 : ?y = option_map Of (consts _ 0 (Some ?v)), E : _ = Some ?v |- _ =>
      lazymatch type of E with context [env_at _ _ _ ?i0] => apply (Text i0) in E; rewrite E in X0; subst y end
  end;
  lazymatch goal with
  | X : _ = match _ with Some us => calls _ ?s _ (strip us) | None => None end |- _ =>
      assert (s = name) as -> by congruence; rewrite X
  end.

Theorem rule_full_element_wise_sound : exact_rule rule_text_full_element_wise.
Proof.
  at_match. each_output. set (T := tensors S inputs constants shapes) in *.
  pose (env i := env_at (patterns rule_text_full_element_wise) g M i).
  pose proof (requires_nth _ _ _ _ _ fs 1 _ eq_refl) as Rn.
  assert (forall i, taken (env i) 9%N = look_up Nat.eqb (alts M) 9) as Tk by reflexivity.
  assert (bound_at M (9, None) -> exists z e, rho T g M (9, None) = Of z /\ all_cells S e z /\
            forall i v, eval (env i) value_text = Some v -> consts T 0 (Some v) = Some (scalar S e)) as full.
  { intros H9. see_alt 9 E9 R9; [| | | | no_more]; rewrite R9; clear H m.
    - assert (bound_at M (1, None) -> exists v e t, consts T 0 (Some v) = Some (scalar S e) /\ rho T g M (1, None) = Of t /\
                all_cells S e t /\ label_at (patterns rule_text_full_element_wise) g M (1, None) "value"%string = Some v) as one.
      { intros B1. see_const 1 kk v0 t Rt Ct Lv.
        assert (eval (env None) (number_text 1) = Some (VBool true)) as Nt.
        { rewrite <- Rn. cbn [eval]. change (taken _ 9%N) with (look_up Nat.eqb (alts M) 9). rewrite E9. reflexivity. }
        destruct (number_required S (env None) 1%N _ Nt) as (v & e1 & Av & Nv & Vt).
        change (label_at (patterns rule_text_full_element_wise) g M (1, None) "value"%string = Some v) in Av.
        assert (v0 = Some v) as -> by congruence. exists v, e1, t. split; [now apply scalar_const |]. split; [exact Rt |].
        split; [| exact Lv]. exact (const_cells S constants shapes kk v e1 t Ct Nv Vt). }
      assert (forall i v, eval (env i) value_text = Some v ->
                label_at (patterns rule_text_full_element_wise) g M (1, None) "value"%string = Some v) as text.
      { intros i v E. apply (value_of_text (env i) 0 _ v (eq_trans (Tk i) E9) eq_refl) in E.
        destruct i as [[|] |]; exact E. }
      see_alt 5 E5 R5; [| | no_more]; rewrite R5.
      + see 3 l3 V3 L3 C3. open1 V3 t u Rt Ru F Gu. cbn beta in F.
        destruct (one ltac:(assumption)) as (v & e1 & t' & Cv & Rt' & Ct & Lv). assert (t' = t) as -> by congruence.
        exists u, e1. split; [exact Ru |]. split.
        * apply (expand_cells S e1 (expand_of l3 (dims t)) t u Ct); [| exact F].
          intros out Eo. unfold expand_of in Eo. destruct (sizes_attr l3 "shape"%string None) as [to |]; [| discriminate].
          now apply broadcast_absorb with to.
        * intros i w E. apply text in E. congruence.
      + see 4 l4 V4 L4 C4. open2 V4 t0 t u Rt0 Rt Ru F Gu. cbn beta in F.
        destruct (one ltac:(assumption)) as (v & e1 & t' & Cv & Rt' & Ct & Lv). assert (t' = t) as -> by congruence.
        exists u, e1. split; [exact Ru |]. split.
        * destruct (dims t) as [|] eqn:Dt; [| discriminate]. injection F as <-.
          assert (at_ S t [] = e1) as -> by (apply Ct; now rewrite Dt). apply all_filled.
        * intros i w E. apply text in E. congruence.
    - see 6 l6 V6 L6 C6. apply calls_value in V6. destruct V6 as (V & _ & _). unfold op_value in V. cbn in V.
      destruct (sizes_attr l6 "shape"%string None) as [ds |]; [| discriminate V].
      destruct (dtype_attr l6 "dtype"%string (Some 1%Z)); [| discriminate V].
      destruct (real_attr l6 "value"%string (Some 0%N)) as [bits |] eqn:Eb; [| discriminate V].
      cbn in V. injection V as V. exists (filled S ds (s_real S bits)), (s_real S bits). split; [now symmetry |].
      split; [apply all_filled |]. intros i v E.
      apply (value_of_text (env i) 1 _ v (eq_trans (Tk i) E9) eq_refl) in E.
      assert (label_at (patterns rule_text_full_element_wise) g M (6, None) "value"%string = Some v) as Lv
        by (destruct i as [[|] |]; exact E).
      attr_of Lv C6 Av. unfold real_attr, attr_or, attribute in Eb. rewrite Av in Eb. destruct v; try discriminate Eb. injection Eb as <-.
      now apply scalar_const.
    - see 7 l7 V7 L7 C7. open1 V7 t u Rt Ru F Gu. injection F as <-. exists (filled S (dims t) (s_one S)), (s_one S).
      split; [exact Ru |]. split; [apply all_filled |]. intros i v E.
      apply (value_of_text (env i) 2 _ v (eq_trans (Tk i) E9) eq_refl) in E. injection E as <-. now apply scalar_const.
    - see 8 l7 V7 L7 C7. open1 V7 t u Rt Ru F Gu. injection F as <-. exists (filled S (dims t) (s_zero S)), (s_zero S).
      split; [exact Ru |]. split; [apply all_filled |]. intros i v E.
      apply (value_of_text (env i) 3 _ v (eq_trans (Tk i) E9) eq_refl) in E. injection E as <-. now apply scalar_const. }
  assert (bound_at M (0, None) -> rho T g M (0, None) <> Absent) as P0.
  { intros H0. destruct (leaf_at _ _ _ _ _ fs 0 None _ ltac:(lt_depth) eq_refl eq_refl eq_refl H0) as (n & e & G & at_e & P).
    exact (present_rho S inputs constants shapes g M (0, None) e n san G at_e P). }
  assert (forall u x0, rho T g M (13, None) = Of u -> rho T g M (0, None) = Of x0 -> bound_at M (0, None) -> dims u = dims x0) as same.
  { intros u x0 Ru R0 H0. require 0 Rq. equal_labels Rq E0 E13. subst.
    says_leaf E0 D0. pose proof (alt_describes _ _ _ g M outs 13 None _ _ "shape"%string _ san fs eq_refl eq_refl eq_refl H E13) as D13.
    pose proof (shape_label _ _ _ _ _ _ _ _ _ D0 R0). pose proof (shape_label _ _ _ _ _ _ _ _ _ D13 Ru). congruence. }
  see_alt 13 E13 R13; [| | no_more]; rewrite R13.
  - operator_call 11 full name V X z e1 Rz Cz Text. operator_made 0 m fs name Text. pose proof (P0 ltac:(assumption)) as present.
    rewrite Rz in V. destruct (pair_tensors S inputs constants shapes name _ (Of z) _ X present ltac:(discriminate) V) as (x0 & _ & R0 & _).
    rewrite R0. rewrite R0, (pair_value S inputs constants shapes name x0 z X) in V.
    unfold T. cbn [option_map]. rewrite (pair_value S inputs constants shapes name x0 (scalar S e1) X).
    destruct (look_up String.eqb (pair_functions S) name) as [f |]; [| discriminate V].
    destruct (map2 S f x0 z) as [u |] eqn:F; [| discriminate V]. cbn [option_map] in V. injection V as Ru.
    pose proof (same u x0 (eq_trans R13 (eq_sym Ru)) R0 ltac:(assumption)) as D.
    rewrite (map2_full_r S f e1 x0 z u Cz F D). exact (f_equal Some Ru).
  - operator_call 12 full name V X z e1 Rz Cz Text. operator_made 1 m fs name Text. pose proof (P0 ltac:(assumption)) as present.
    rewrite Rz in V. destruct (pair_tensors S inputs constants shapes name (Of z) _ _ X ltac:(discriminate) present V) as (_ & x0 & _ & R0).
    rewrite R0. rewrite R0, (pair_value S inputs constants shapes name z x0 X) in V.
    unfold T. cbn [option_map]. rewrite (pair_value S inputs constants shapes name (scalar S e1) x0 X).
    destruct (look_up String.eqb (pair_functions S) name) as [f |]; [| discriminate V].
    destruct (map2 S f z x0) as [u |] eqn:F; [| discriminate V]. cbn [option_map] in V. injection V as Ru.
    pose proof (same u x0 (eq_trans R13 (eq_sym Ru)) R0 ltac:(assumption)) as D.
    rewrite (map2_full_l S f e1 x0 z u Cz F D). exact (f_equal Some Ru).
Qed.

#[export] Hint Resolve rule_full_element_wise_sound : sound_rules.
