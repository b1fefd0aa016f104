(** * Sums with 0, products with 1 *)

From Coq Require Import Bool Lia List Arith NArith String ZArith Ring_theory.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundBuild rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library.
From Calque Require Import rewrite.RulesSimplify rewrite.RulesLike rewrite.RulesDense.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpTable tensor.Meaning.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Lemma agree_absorb a : forall b c, agree a b = Some c -> agree a c = Some c.
Proof.
  induction a as [| m a IH]; intros [| n b] c H; simpl in H; try discriminate; [now injection H as <- |].
  destruct (agree a b) as [r |] eqn:E; [| discriminate]. specialize (IH b r E).
  destruct ((m =? n) || (m =? 1)) eqn:O.
  - injection H as <-. simpl. now rewrite IH, O.
  - destruct (n =? 1); [| discriminate]. injection H as <-. simpl. now rewrite IH, Nat.eqb_refl.
Qed.

Lemma broadcast_absorb a b c : broadcast a b = Some c -> broadcast a c = Some c.
Proof.
  intros H. pose proof (broadcast_length _ _ _ H) as len. unfold broadcast in *.
  assert (Nat.max (List.length a) (List.length c) = Nat.max (List.length a) (List.length b)) as -> by lia.
  rewrite <- len at 2. rewrite lead_same. now apply agree_absorb in H.
Qed.

(** A tensor of one value that is neutral on the right. *)
Lemma map2_unit S f e (x z u : tensor (num S)) :
  (forall a, f a e = a) -> (forall i, in_box (dims z) i = true -> at_ S z i = e) -> map2 S f x z = Some u ->
  u = tabulate (dims u) (spread_at S x (dims u)) /\ broadcast (dims x) (dims u) = Some (dims u).
Proof.
  intros neutral cells H. unfold map2, table in H. destruct (broadcast (dims x) (dims z)) as [out |] eqn:B; [| discriminate].
  injection H as <-. assert (forall f : list Z -> num S, dims (tabulate out f) = out) as Dt by reflexivity. rewrite !Dt. split; [| now apply broadcast_absorb with (dims z)].
  apply tabulate_ext. intros i I. unfold spread_at at 2. rewrite cells; [apply neutral |].
  rewrite IndexProof.broadcast_comm in B. now apply (spread_in_box _ _ _ _ B).
Qed.

(** Everywhere [e]. *)
Definition all_cells S (e : num S) (z : tensor (num S)) : Prop := forall i, in_box (dims z) i = true -> at_ S z i = e.

Lemma all_filled S e ds : all_cells S e (filled S ds e).
Proof. intros i I. unfold at_, filled in *. now rewrite get_tabulate. Qed.

Lemma const_cells S constants shapes k v e t :
  const_value S constants shapes k (Some v) = Some t -> number S v = Some e ->
  match v with VTuple _ => False | _ => True end -> all_cells S e t.
Proof.
  unfold const_value, checked. destruct (constant S v _) as [u |] eqn:C; [| discriminate].
  unfold guard. destruct (well_tensor u); [| discriminate]. intros E N V. injection E as <-.
  unfold constant in C. rewrite N in C. destruct v; try easy; injection C as <-; intros i I; unfold at_; now rewrite get_tabulate.
Qed.

Lemma literal_number G dtype z bits v :
  (amatch G (AConst (VInt z)) v = true \/ ("value"%string = "value"%string /\ Match.literal dtype (AConst (VInt z)) v = true)) ->
  float_of_int z = Some bits ->
  v = VInt z \/ v = VFloat bits.
Proof.
  intros [A | [_ A]] Fl.
  - left. symmetry. now apply value_eqb_iff.
  - right. simpl in A. destruct v; try discriminate. rewrite Fl in A. apply N.eqb_eq in A. now subst.
Qed.

(** A float that is one of binary32 stands for itself only. *)
Lemma literal_float G dtype x v :
  (amatch G (AConst (VFloat x)) v = true \/ ("value"%string = "value"%string /\ Match.literal dtype (AConst (VFloat x)) v = true)) ->
  round32 x = x -> v = VFloat x.
Proof.
  intros [A | [_ A]] R.
  - symmetry. now apply value_eqb_iff.
  - cbn [Match.literal literal_number] in A. destruct v; try discriminate. destruct dtype as [[] |]; try discriminate.
    apply andb_prop in A. destruct A as [_ A]. apply N.eqb_eq in A. now rewrite A, R.
Qed.

Section Zero.
  Variable S : arith.
  Hypothesis ring : ring_scalars S.
  Let R := ring_is S (scalars_ring S ring).

  Lemma plus_zero a : s_add S a (s_zero S) = a.
  Proof. rewrite (Radd_comm R). apply (Radd_0_l R). Qed.
  Lemma minus_zero a : s_sub S a (s_zero S) = a.
  Proof.
    rewrite (Rsub_def R). assert (s_neg S (s_zero S) = s_zero S) as ->; [| apply plus_zero].
    rewrite <- (Radd_0_l R (s_neg S (s_zero S))). apply (Ropp_def R).
  Qed.
  Lemma times_one a : s_mul S a (s_one S) = a.
  Proof. rewrite (Rmul_comm R). apply (Rmul_1_l R). Qed.
End Zero.

(** What an alternative's type says. *)
Lemma alt_describes {T} (S : model T) commutes r g M outs p i q kids l s :
  sane S g -> facts commutes r g M outs -> nth_error (patterns r) p = Some q -> form q = PAlt kids ->
  type_label l = true -> bound_at M (p, i) -> Pattern.label_at (patterns r) g M (p, i) l = Some s ->
  describes S (rho S g M (p, i)) l s.
Proof.
  intros san fs at_p Fq TL [e G] L. rewrite (rho_value S g M _ _ G).
  destruct (has_inside commutes r g M outs fs _ _ G) as (q' & n & at_q & at_e & _). simpl in at_q.
  assert (q' = q) as -> by congruence.
  assert (tensor_label n l = Some s) as Lt.
  { unfold Pattern.label_at in L. cbn [fst] in L. rewrite at_p, Fq, G, at_e in L. unfold node_label in L. rewrite Fq in L.
    destruct (present n); [exact L | discriminate]. }
  apply (sane_declared S g san e n); try assumption.
  apply value_ge; [apply (sane_wf S g san) | apply (sane_computes S g san) | apply nth_error_Some; congruence].
Qed.

(** From the value of the sum to that of the target. *)
Lemma unit_target S inputs constants shapes f e (x z u : tensor (num S)) s :
  (forall a, f a e = a) -> all_cells S e z -> map2 S f x z = Some u -> good x -> shape_of s = Some (dims u) ->
  (dims u = dims x -> u = x) /\
  calls (tensors S inputs constants shapes) "Expand"%string [("shape"%string, s)] (strip [Of x]) = Some (Of u).
Proof.
  intros neutral cells H G Sh. destruct (map2_unit S f e x z u neutral cells H) as [E B]. split.
  - intros D. rewrite E, D. now apply expand_same.
  - eapply op1_intro; [reflexivity | |].
    + cbv beta. unfold expand, table, expand_of, sizes_attr, attr_or. cbn. rewrite Sh, B. now rewrite <- E.
    + split; [rewrite E; apply good_tabulate | reflexivity].
Qed.

(** Constant 0 or 1, ConstantOfShape, ZerosLike or OnesLike: the cells of what the alternative stands for. *)
Ltac const_case c Ru :=
  let kk := fresh "k" in let v := fresh "v" in let t := fresh "t" in let Rt := fresh "Rt" in
  let Cc := fresh "Cc" in let Lc := fresh "Lc" in let v' := fresh "v" in let E' := fresh "E" in let A := fresh "A" in
  see_const c kk v t Rt Cc Lc; claim c 0 v' E' A; rewrite E' in Lc; subst v;
  rewrite Rt in Ru; injection Ru as <-;
  let L := fresh "L" in match type of A with amatch ?G0 (AConst (VInt ?z0)) ?v0 = true \/ _ =>
    pose proof (literal_number G0 _ z0 _ v0 A eq_refl) as L end;
  match type of Cc with consts (tensors ?S0 _ ?cs ?sh) ?k0 _ = _ =>
    destruct L as [-> | ->]; (eapply (const_cells S0 cs sh k0); [exact Cc | reflexivity | exact I]) end.

Ltac shape_case o Ru :=
  let l := fresh "l" in let V := fresh "V" in let L := fresh "L" in let C := fresh "C" in
  let v := fresh "v" in let E' := fresh "E" in let A := fresh "A" in
  see o l V L C; claim o 0 v E' A; attribute_of E' C;
  match type of A with amatch ?G0 (AConst (VFloat ?x0)) ?v0 = true \/ _ =>
    pose proof (literal_float G0 _ x0 v0 A eq_refl) end;
  subst v; rewrite Ru in V;
  apply calls_value in V; destruct V as (V & _ & _); unfold op_value in V; cbn in V; unfold real_attr, attr_or in V;
  change (look l "value"%string) with (attribute l "value"%string) in E'; rewrite E' in V;
  destruct (sizes_attr l "shape"%string None); [| discriminate V];
  destruct (dtype_attr l "dtype"%string (Some 1%Z)); [| discriminate V];
  cbn in V; injection V as <-; apply all_filled.

Ltac like_case k Ru :=
  let l := fresh "l" in let V := fresh "V" in let L := fresh "L" in let C := fresh "C" in
  let t := fresh "t" in let w := fresh "w" in let R1 := fresh "R" in let U := fresh "U" in let F := fresh "F" in
  let G := fresh "G" in
  see k l V L C; rewrite Ru in V; open1 V t w R1 U F G; injection U as <-; injection F as <-; apply all_filled.

(** There are no more alternatives. *)
Ltac no_more :=
  match goal with
  | at_k : nth_error ?l ?i = Some ?kid |- _ =>
      is_var kid; let X := fresh "X" in
      assert (i < List.length l) as X by (apply nth_error_Some; rewrite at_k; discriminate); cbn in X; lia
  end.

Ltac zero_or_one p c o k Ru :=
  let E := fresh "E" in let R := fresh "R" in
  see_alt p E R; [rewrite R in Ru; const_case c Ru | rewrite R in Ru; shape_case o Ru | rewrite R in Ru; like_case k Ru | no_more].

Ltac unit_end m p cells c o k f e neutral :=
  let l := fresh "l" in let V := fresh "V" in let L := fresh "L" in let C := fresh "C" in
  see p l V L C;
  let t := fresh "t" in let z := fresh "z" in let u := fresh "u" in let Rt := fresh "Rt" in let Rz := fresh "Rz" in
  let Ru := fresh "Ru" in let F := fresh "F" in let G := fresh "G" in
  open2 V t z u Rt Rz Ru F G;
  let Uz := fresh "Uz" in
  lazymatch goal with san : sane ?T ?g, B : bound_at ?M (cells, None) |- _ =>
    assert (all_cells _ e z) as Uz by (let Rq := fresh "Rq" in pose proof Rz as Rq; zero_or_one cells c o k Rq) end;
  lazymatch goal with
  | san : sane (tensors ?S ?inputs ?constants ?shapes) ?g, fs : facts _ ?r _ ?M ?outs, H14 : bound_at ?M (14, None),
    R14 : rho _ _ _ (14, None) = _ |- _ =>
      let Q := fresh "Q" in pose proof (eq_trans R14 Ru) as Q;
      let Gx := fresh "Gx" in pose proof (rho_good S inputs constants shapes g M (0, None) t san Rt) as Gx;
      mean m;
      [ lazymatch goal with
        | Gc : _ = Some (VBool true) |- _ =>
            let Ea := fresh "E" in let Eb := fresh "E" in let Da := fresh "D" in let Db := fresh "D" in
            equal_labels Gc Ea Eb; subst;
            pose proof (alt_describes _ _ _ g M outs 14 None _ _ "shape"%string _ san fs eq_refl eq_refl eq_refl H14 Ea) as Da;
            says_leaf Eb Db;
            let Sa := fresh "Sa" in let Sb := fresh "Sb" in let same := fresh "same" in
            pose proof (shape_label _ _ _ _ _ _ _ _ _ Da Q) as Sa; pose proof (shape_label _ _ _ _ _ _ _ _ _ Db Rt) as Sb;
            destruct (unit_target S inputs constants shapes f e t z u _ neutral Uz F Gx Sa) as [same _];
            rewrite Q, Rt, same; [reflexivity | congruence]
        end
      | lazymatch goal with
        | Ea : Pattern.label_at _ _ _ (14, None) "shape"%string = Some _, X : ?x = calls _ _ _ _ |- ?x = _ =>
            let Da := fresh "D" in let Sa := fresh "Sa" in let made := fresh "made" in
            pose proof (alt_describes _ _ _ g M outs 14 None _ _ "shape"%string _ san fs eq_refl eq_refl eq_refl H14 Ea) as Da;
            pose proof (shape_label _ _ _ _ _ _ _ _ _ Da Q) as Sa;
            destruct (unit_target S inputs constants shapes f e t z u _ neutral Uz F Gx Sa) as [_ made];
            rewrite X, Q, Rt; exact made
        end ]
  end.

Theorem rule_eliminate_identity_sound : ring_rule rule_text_eliminate_identity.
Proof.
  at_match. each_output. pose proof H as H14. see_alt 14 E14 R14; [| | | | no_more].
  - unit_end m 10 5 2 3 4 (s_add S) (s_zero S) (plus_zero S laws).
  - unit_end m 11 5 2 3 4 (s_sub S) (s_zero S) (minus_zero S laws).
  - unit_end m 12 9 6 7 8 (s_mul S) (s_one S) (times_one S laws).
  - unit_end m 13 9 6 7 8 (div_cell S) (s_one S) (scalars_quotient S laws).
Qed.

#[export] Hint Resolve rule_eliminate_identity_sound : sound_rules.
