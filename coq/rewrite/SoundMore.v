(** * More about what a match knows

    The attributes of a call, what a pattern claims of them, and a few values that
    expressions have. *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Rewrite rewrite.Check rewrite.Facts.
From Calque Require Import rewrite.Sound rewrite.SoundRule rewrite.SoundUse rewrite.SoundModel rewrite.SoundOps.
From Calque Require Import rewrite.SoundTactic.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
Import ListNotations.
Open Scope nat_scope.

Section More.
  Context {T : Type} (S : model T).
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (M : mstate) (outs : list nat).
  Hypothesis san : sane S g.
  Hypothesis fs : facts commutes r g M outs.
  Notation pats := (patterns r).

  (** What the pattern of a call or a leaf takes over from another. *)
  Lemma claimed p i q l k l' :
    p < depth r -> nth_error pats p = Some q -> first_of i q = None ->
    match form q with PWildcard | PVariable | PConst _ | PCall _ _ => true | _ => false end = true ->
    In (l, AAccess k l') (claims q) -> String.eqb l "value" = false -> bound_at M (p, inst_of i q) ->
    exists v, label_at pats g M (p, inst_of i q) l = Some v /\ access (env_at pats g M (inst_of i q)) k l' = Some v.
  Proof.
    intros lt at_p F Fq inc nv H. pose proof (fit_at commutes r g M outs fs p i q lt at_p F H) as (e & n & G & at_e & X).
    pose proof (has_inside commutes r g M outs fs _ _ G) as (q' & n' & at_q & at_e' & Cl).
    cbn [fst snd] in at_q, Cl. assert (q' = q) as -> by congruence. assert (n' = n) as -> by congruence.
    assert (present n = true) as P.
    { unfold fits_node in X. unfold present in *. destruct (form q); try discriminate.
      - exact X.
      - destruct X as [_ [[c W] | (c & v & W)]]; now rewrite W.
      - destruct X as (c & v & W). now rewrite W.
      - destruct X as (name & es & es' & W & _). now rewrite W. }
    pose proof (Cl P l (AAccess k l') inc) as (v & L & A).
    exists v. split; [exact L |]. destruct A as [A | [-> _]]; [| discriminate].
    apply attr_match_iff in A. cbn [amatch eval] in A.
    destruct (access _ k l') as [w |]; [| discriminate]. apply value_eqb_iff in A. now subst.
  Qed.

  (** An optional input with default 0, as the value of its pattern in the target. *)
  Lemma optional_zero p i q kid x e n :
    means S pats g M i p x -> nth_error pats p = Some q -> first q = None -> alone r p = true ->
    form q = POptional kid (Some (AConst (VFloat 0))) ->
    Pattern.get M (p, inst_of i q) = Some e -> nth_error g e = Some n ->
    (present n = true /\ x = Some (rho S g M (p, inst_of i q))) \/
    (present n = false /\ x = option_map Of (consts S 0 (Some (VFloat 0)))).
  Proof.
    intros m at_p F Al Fq G at_e.
    pose proof (means_optional S r g M i p q x kid _ m at_p F Al Fq e n G at_e) as [H | (P & i' & v & _ & E & ->)].
    - now left.
    - right. split; [exact P |]. cbn in E. now injection E as <-.
  Qed.
End More.

(** [A]: the attribute [l] of the call with fact [C], from [E : label_at .. l = Some v]. *)
Ltac attr_of E C A :=
  lazymatch type of C with
  | call_fact ?T ?r ?g ?M ?p ?j ?q ?o ?kids ?name ?ty ?at_ =>
      lazymatch type of E with
      | Pattern.label_at _ _ _ _ ?l = Some ?s =>
          pose proof (call_attribute T r g M p j q o kids name ty at_ l C eq_refl) as A;
          change (inst_of j q) with j in A; rewrite E in A; symmetry in A; unfold look in A
      end
  end.

(** [B], [E]: the label [l] of the pattern [p] and what it is taken from. *)
Ltac claim p l v B E :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    let fp := first_proof c r q j in
    let ex := eval vm_compute in (find (fun x => String.eqb (fst x) l) (claims q)) in
    lazymatch ex with
    | Some (_, AAccess ?k ?l') =>
        pose proof (claimed c r g M outs fs p j q l k l' ltac:(lt_depth) eq_refl fp eq_refl
                    ltac:(cbn; tauto) eq_refl H) as (v & B & E);
        change (inst_of j q) with j in *; refs E
    end).

(** The condition that two labels are equal: both are there. *)

Ltac open3 V t t' o u R R' R'' U F G :=
  eapply op3_inv in V; [| reflexivity]; destruct V as (t & t' & o & u & R & R' & R'' & U & F & G).

Section Made.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation calls := (calls (tensors S inputs constants shapes)).

  Lemma fine_plain name at_ (u : tensor (num S)) : states_shape name "shape" = false -> good u -> fine S name at_ u.
  Proof. intros n G. split; [exact G |]. unfold stated. now rewrite n. Qed.

  Lemma map2_good f x y u : map2 S f x y = Some u -> good u.
  Proof. apply table_good. Qed.

  Lemma map1_good f x u : map1 S f x = Some u -> good u.
  Proof. intros E. injection E as <-. apply good_tabulate. Qed.

  Lemma binary_made name f at_ t t' u :
    look_up String.eqb (operators S) name = Some (binary S f) -> states_shape name "shape" = false ->
    map2 S f t t' = Some u -> calls name at_ (strip [Of t; Of t']) = Some (Of u).
  Proof.
    intros O n F. eapply op2_intro; [exact O | exact F |]. apply fine_plain; [exact n |]. now apply map2_good in F.
  Qed.

  Lemma unary_made name f at_ t u :
    look_up String.eqb (operators S) name = Some (elementwise S f) -> states_shape name "shape" = false ->
    map1 S f t = Some u -> calls name at_ (strip [Of t]) = Some (Of u).
  Proof.
    intros O n F. eapply op1_intro; [exact O | exact F |]. apply fine_plain; [exact n |]. now apply map1_good in F.
  Qed.
End Made.

(** The equation of a call that is to be made. *)
Ltac make1 := lazymatch goal with |- calls (tensors ?S ?i ?c ?s) _ _ _ = _ => eapply (op1_intro S i c s); [reflexivity | |] end.
Ltac make2 := lazymatch goal with |- calls (tensors ?S ?i ?c ?s) _ _ _ = _ => eapply (op2_intro S i c s); [reflexivity | |] end.
Ltac make3 := lazymatch goal with |- calls (tensors ?S ?i ?c ?s) _ _ _ = _ => eapply (op3_intro S i c s); [reflexivity | | |] end.

(** ** Shapes as values, and expressions about them *)

Definition shape_value (ds : sizes) : value := VTuple (map (fun d => VInt (Z.of_nat d)) ds).

Lemma shape_of_inv v ds : shape_of v = Some ds -> v = shape_value ds.
Proof.
  destruct v as [| | | | | vs]; try discriminate. unfold shape_value. cbn [shape_of]. revert ds.
  induction vs as [| v vs IH]; intros ds H; simpl in H; [now injection H as <- |].
  destruct v as [| | z | | |]; try discriminate. cbn [natural] in H.
  destruct (0 <=? z)%Z eqn:Z0; [| discriminate]. destruct (traverse natural vs) as [ds' |]; [| discriminate].
  injection H as <-. specialize (IH ds' eq_refl). injection IH as ->. cbn [map]. rewrite Z2Nat.id by lia. reflexivity.
Qed.

Lemma shape_of_value ds : shape_of (shape_value ds) = Some ds.
Proof.
  unfold shape_value. cbn [shape_of]. induction ds as [| d ds IH]; [reflexivity |]. cbn [map traverse].
  rewrite IH. cbn [natural]. rewrite (proj2 (Z.leb_le 0 (Z.of_nat d)) (Nat2Z.is_nonneg d)). now rewrite Nat2Z.id.
Qed.

Lemma shape_of_ones n : shape_value (repeat 1 n) = VTuple (repeat (VInt 1) n).
Proof. unfold shape_value. f_equal. induction n as [| n IH]; [reflexivity |]. simpl. now rewrite IH. Qed.

Lemma shape_value_inj a b : shape_value a = shape_value b -> a = b.
Proof. intros E. pose proof (shape_of_value a) as H. rewrite E, shape_of_value in H. now injection H. Qed.

(** The environment with these labels: what an expression of them is evaluated in. *)
Definition labels_env (known : list ((N * label) * value)) : env := {|
  value_of := fun _ => None;
  access := fun k l => option_map snd (find (fun c => N.eqb k (fst (fst c)) && String.eqb l (snd (fst c))) known);
  inst := fun _ _ _ => None;
  taken := fun _ => None |}.

Lemma traverse_ones {A} (f : A -> option value) (l : list A) :
  (forall a, f a = Some (VInt 1)) -> traverse f l = Some (repeat (VInt 1) (List.length l)).
Proof. intros E. induction l as [| a l IH]; [reflexivity |]. simpl. now rewrite E, IH. Qed.

Lemma eval_one_of G s n c : eval G n = Some (VInt c) ->
  eval G (AVar s n (AConst (VInt 1))) =
  match count c with Some m => Some (VTuple (repeat (VInt 1) m)) | None => None end.
Proof.
  intros E. cbn [eval]. rewrite E. destruct (count c) as [m |]; [| reflexivity].
  rewrite traverse_ones by reflexivity. now rewrite seq_length.
Qed.

(** (1, .., 1), as many as there are dimensions less [less]. *)
Lemma eval_ones G p less rank v : access G p "ndim"%string = Some (VInt (Z.of_nat rank)) -> (0 <= less)%Z ->
  eval G (AVar 0%N (ABinary BSub (AAccess p "ndim"%string) (AConst (VInt less))) (AConst (VInt 1))) = Some v ->
  (less <= Z.of_nat rank)%Z /\ v = shape_value (repeat 1 (rank - Z.to_nat less)).
Proof.
  intros A L E. cbn [eval] in E.
  destruct (eval G (ABinary BSub (AAccess p "ndim"%string) (AConst (VInt less)))) as [d |] eqn:D;
    [| cbn [eval] in D; rewrite A in D, E; cbn in D, E; rewrite D in E; discriminate].
  assert (d = VInt (Z.of_nat rank - less)) as ->.
  { cbn [eval] in D. rewrite A in D. cbn in D. unfold int_result in D.
    destruct (in_int64 _); [now injection D as <- | discriminate]. }
  assert (eval G (AVar 0%N (ABinary BSub (AAccess p "ndim"%string) (AConst (VInt less))) (AConst (VInt 1))) = Some v) as E'
    by exact E.
  rewrite (eval_one_of G 0%N _ _ D) in E'. unfold count in E'.
  destruct ((0 <=? Z.of_nat rank - less)%Z && (Z.of_nat rank - less <=? count_max)%Z) eqn:C; [| discriminate].
  injection E' as <-. apply andb_true_iff in C. destruct C as [C _]. apply Z.leb_le in C. split; [lia |]. rewrite shape_of_ones. do 2 f_equal. lia.
Qed.

Lemma tuple_index_shape ds k v : tuple_index (map (fun d => VInt (Z.of_nat d)) ds) (Z.of_nat k) = Some v ->
  k < List.length ds /\ v = VInt (Z.of_nat (nth k ds 0)).
Proof.
  unfold tuple_index. rewrite map_length. intros H.
  destruct ((0 <=? Z.of_nat k)%Z && (Z.of_nat k <? Z.of_nat (List.length ds))%Z) eqn:I.
  - apply andb_true_iff in I. destruct I as [_ I]. apply Z.ltb_lt in I.
    rewrite Nat2Z.id, nth_error_map in H. assert (k < List.length ds) as lt by lia. split; [exact lt |].
    rewrite (nth_error_nth' ds 0 lt) in H. now injection H as <-.
  - destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. rewrite andb_false_r in H. discriminate.
Qed.

Lemma eval_dim G p k ds v : access G p "shape"%string = Some (shape_value ds) ->
  eval G (AProj (AAccess p "shape"%string) (AConst (VInt (Z.of_nat k)))) = Some v ->
  k < List.length ds /\ v = VInt (Z.of_nat (nth k ds 0)).
Proof. intros A E. cbn [eval] in E. rewrite A in E. now apply tuple_index_shape in E. Qed.

Lemma eval_binary G o a b v : eval G (ABinary o a b) = Some v ->
  exists x y, eval G a = Some x /\ eval G b = Some y /\ binary_op o x y = Some v.
Proof.
  cbn [eval]. destruct (eval G a) as [x |]; [| discriminate]. destruct (eval G b) as [y |]; [| discriminate].
  intros E. now exists x, y.
Qed.

(** ** Only a missing input is absent *)

Section Absent.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation never f := (forall l v, f l v <> Some GAbsent).

  Lemma one_present (o : option tensor) : one o <> Some GAbsent.
  Proof. unfold one. destruct o; discriminate. Qed.

  Lemma on1_present f : never (@on1 tensor f).
  Proof. intros l v. unfold on1. destruct v as [| [x |] [|]]; try discriminate. apply one_present. Qed.
  Lemma on2_present f : never (@on2 tensor f).
  Proof. intros l v. unfold on2. destruct v as [| [x |] [| [y |] [|]]]; try discriminate. apply one_present. Qed.
  Lemma on3_present f : never (@on3 tensor f).
  Proof. intros l v. unfold on3. destruct v as [| [x |] [| [y |] [| [z |] [|]]]]; try discriminate; apply one_present. Qed.
  Lemma exactly3_present f : never (@exactly3 tensor f).
  Proof. intros l v. unfold exactly3. destruct v as [| [x |] [| [y |] [| [z |] [|]]]]; try discriminate; apply one_present. Qed.
  Lemma any_present f : never (@any tensor f).
  Proof.
    intros l v. unfold any. destruct (traverse _ v) as [[| x r] |]; try discriminate. apply one_present.
  Qed.

  Lemma operators_present : Forall (fun c => never (op_cells (snd c))) (operators S).
  Proof.
    unfold operators.
    repeat (apply Forall_cons;
      [cbn [snd op_cells op1 op2 op3 elementwise pointwise onto binary folded copy recasting conv_op max_pool_op average_pool_op softmax_op
            concat_op gemm_op lrn_op batch_norm_op transpose_op constant_op reduce_op shape_op gather_op slice_op cast_op
            split_op pad_op expand_op broadcast_like_op eye_op layer_norm_op instance_norm_op group_norm_op lp_norm_op
            l2_norm_op clip_op leaky_relu_op bias_add_op like_op full_like_op reshape_like_op collapse_op collapse_like_op];
       first [apply on1_present | apply on2_present | apply on3_present | apply exactly3_present | apply any_present |
              intros l v; cbn; repeat match goal with |- context [match ?a with _ => _ end] => destruct a end;
              first [discriminate | apply one_present]] |]).
    apply Forall_nil.
  Qed.

  Lemma op_value_present name l vs : op_value S name l vs <> Some GAbsent.
  Proof.
    unfold op_value, look_up. destruct (find _ (operators S)) as [c |] eqn:F; [| discriminate]. cbn [option_map].
    apply find_some in F. destruct F as [inc _]. destruct (OpTable.inputs vs) as [v |]; [| discriminate].
    exact (proj1 (Forall_forall _ _) operators_present c inc l v).
  Qed.

  Variables inputs constants : N -> option tensor.
  Variable shapes : N -> option sizes.

  Theorem present_value g e n v : ge (den (tensors S inputs constants shapes)) g e v -> nth_error g e = Some n ->
    present n = true -> v <> Absent.
  Proof.
    intros H at_e P ->. inversion H as [? m vs ? at_m _ D]; subst. assert (m = n) as -> by congruence.
    unfold den in D. unfold present in P. destruct (what (op n)) as [| k | k c | name | k |]; try discriminate.
    - destruct vs; [| discriminate]. cbn in D. destruct (checked _ _); discriminate.
    - destruct vs; [| discriminate]. cbn in D. destruct (const_value _ _ _ _ _); discriminate.
    - apply op_calls_iff in D. destruct D as [D _]. exact (op_value_present _ _ _ D).
    - destruct vs as [| [t | ts |] [|]]; try discriminate. destruct (k <? 0)%Z; [discriminate |].
      destruct (nth_error ts (Z.to_nat k)); discriminate.
    - destruct (traverse tensor_in vs); discriminate.
  Qed.

  Theorem present_rho g M a e n : sane (tensors S inputs constants shapes) g ->
    Pattern.get M a = Some e -> nth_error g e = Some n -> present n = true ->
    rho (tensors S inputs constants shapes) g M a <> Absent.
  Proof.
    intros san G at_e P. unfold rho. rewrite G. destruct (eval_node _ g e) as [v |] eqn:E.
    - apply (present_value g e n v); [| exact at_e | exact P].
      apply graph_eval_iff; [apply (sane_wf _ _ san) | exact E].
    - pose proof (sane_computes _ _ san e) as [v H]; [apply nth_error_Some; congruence |].
      apply graph_eval_iff in H; [congruence | apply (sane_wf _ _ san)].
  Qed.
End Absent.
