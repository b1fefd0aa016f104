(** * Any number of products with one left factor *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Check rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library.
From Calque Require Import rewrite.RulesSimplify rewrite.RulesMany rewrite.RulesLike rewrite.RulesDense.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpTable tensor.Concat.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** A function on numbers, as lists. *)
Lemma choose {A} (P : nat -> A -> Prop) n : (forall c, c < n -> exists a, P c a) ->
  exists l, List.length l = n /\ forall c a, nth_error l c = Some a -> P c a.
Proof.
  induction n as [| n IH]; intros H; [exists []; split; [reflexivity | now intros [|]] |].
  destruct IH as (l & len & all); [intros c lt; apply H; lia |]. destruct (H n ltac:(lia)) as [a Pa].
  exists (l ++ [a]). rewrite app_length. simpl. split; [lia |]. intros c b at_c.
  destruct (Nat.lt_ge_cases c (List.length l)) as [lt | ge_].
  - rewrite nth_error_app1 in at_c by exact lt. now apply all.
  - rewrite nth_error_app2 in at_c by exact ge_. destruct (c - List.length l) as [| j] eqn:E; [| now destruct j].
    injection at_c as <-. now replace c with n by lia.
Qed.

Lemma map_seq_list {A B} (f : nat -> B) (h : A -> B) (l : list A) n : List.length l = n ->
  (forall c a, nth_error l c = Some a -> f c = h a) -> map f (seq 0 n) = map h l.
Proof.
  intros <-. assert (forall s, (forall c a, nth_error l c = Some a -> f (s + c) = h a) -> map f (seq s (List.length l)) = map h l) as go.
  { induction l as [| a l IH]; intros s H; [reflexivity |]. simpl. f_equal.
    - rewrite <- (H 0 a eq_refl). now rewrite Nat.add_0_r.
    - apply IH. intros c b at_c. rewrite <- (H (Datatypes.S c) b at_c). now rewrite Nat.add_succ_comm. }
  intros H. now apply (go 0).
Qed.

Lemma forall2_list {A B} (R : A -> B -> Prop) l m : List.length l = List.length m ->
  (forall c a b, nth_error l c = Some a -> nth_error m c = Some b -> R a b) -> Forall2 R l m.
Proof.
  revert m. induction l as [| a l IH]; intros [| b m] len H; try discriminate; constructor.
  - now apply (H 0).
  - apply IH; [now injection len |]. intros c x y. apply (H (Datatypes.S c)).
Qed.

Lemma traverse_seq {B} (f : nat -> option B) (h : nat -> B) n us :
  traverse f (seq 0 n) = Some us -> (forall i u, i < n -> f i = Some u -> u = h i) -> us = map h (seq 0 n).
Proof.
  assert (forall s us, traverse f (seq s n) = Some us -> (forall i u, i < s + n -> f i = Some u -> u = h i) -> us = map h (seq s n)) as go.
  { induction n as [| n IH]; intros s vs E H; simpl in E; [now injection E as <- |].
    destruct (f s) as [u |] eqn:Fs; [| discriminate]. destruct (traverse f (seq (Datatypes.S s) n)) as [ws |] eqn:Et; [| discriminate].
    injection E as <-. simpl. rewrite (H s u) by (try lia; exact Fs). f_equal. apply (IH (Datatypes.S s) ws Et).
    intros i w lt. apply H. lia. }
  intros E H. now apply (go 0).
Qed.

Lemma forall2_seq {B} (P : nat -> B -> Prop) (h : nat -> B) n rs :
  Forall2 P (seq 0 n) rs -> (forall i b, i < n -> P i b -> b = h i) -> rs = map h (seq 0 n).
Proof.
  assert (forall s rs, Forall2 P (seq s n) rs -> (forall i b, i < s + n -> P i b -> b = h i) -> rs = map h (seq s n)) as go.
  { induction n as [| n IH]; intros s vs F H; simpl in F; inversion F as [| ? b ? l here rest]; subst; [reflexivity |].
    simpl. rewrite (H s b) by (try lia; exact here). f_equal. apply (IH (Datatypes.S s) l rest). intros i w lt. apply H. lia. }
  intros F H. now apply (go 0).
Qed.

Theorem rule_parallel_dense_variadic_sound : exact_rule rule_text_parallel_dense_variadic.
Proof.
  at_match. any_output small.
  set (T := tensors S inputs constants shapes) in *. set (n := List.length outs) in *.
  pose proof (outputs_length _ _ _ _ _ fs 4 3 eq_refl eq_refl) as Len. fold n in Len.
  set (wa := fun c => addr_of (patterns rule_text_parallel_dense_variadic) (Some c) 2).
  (* The branches: products, and their right factors. *)
  assert (forall c, c < n -> exists wy : tensor (num S) * tensor (num S), exists t,
            rho T g M (0, None) = Of t /\ bound_at M (0, None) /\ bound_at M (wa c) /\ rho T g M (wa c) = Of (fst wy) /\
            rho T g M (3, Some c) = Of (snd wy) /\ matmul S t (fst wy) = Some (snd wy) /\ good (snd wy)) as each.
  { intros c lt. clear H m.
    assert (bound_at M (3, Some c)) as B.
    { apply (source_has _ _ _ _ _ fs c). unfold source_addrs.
      change (output_field rule_text_parallel_dense_variadic) with (Some 3). cbv iota.
      rewrite nth_error_map, (nth_error_nth' _ 0) by now rewrite seq_length. rewrite seq_nth by exact lt. reflexivity. }
    see 3 l3 V3 L3 C3. open2 V3 t w y Rt Rw Ry F G. exists (w, y), t. repeat split; try assumption. exact (proj1 G). }
  destruct (each k small) as (_ & t & Rt & B0 & _).
  destruct (choose _ n each) as (l & len & all). clear each.
  assert (forall c w y, nth_error l c = Some (w, y) ->
            bound_at M (wa c) /\ rho T g M (wa c) = Of w /\ rho T g M (3, Some c) = Of y /\ matmul S t w = Some y /\ good y) as branch.
  { intros c w y at_c. destruct (all c (w, y) at_c) as (t' & Rt' & _ & B & Rw & Ry & P & G). cbn [fst snd] in *.
    assert (t' = t) as -> by congruence. now repeat split. }
  (* The factors are matrices. *)
  assert (forall c w y, nth_error l c = Some (w, y) -> List.length (dims w) = 2) as two.
  { intros c w y at_c. destruct (branch c w y at_c) as (B & Rw & _). clear H m. destruct c as [| c].
    - change (wa 0) with (1, @None nat) in *. claim 1 0 v E A. apply value_eqb_iff in A. subst v. says_leaf E D.
      pose proof (ndim_label _ _ _ _ _ _ _ _ _ D Rw) as Z. injection Z as Z. lia.
    - change (wa (Datatypes.S c)) with (2, Some (Datatypes.S c)) in *. claim 2 0 v E A. says_leaf E D.
      pose proof (shape_label _ _ _ _ _ _ _ _ _ D Rw) as Sh. apply shape_of_sizes in Sh. subst v.
      cbn [all2] in A. destruct (dims w) as [| a [| b [|]]]; cbn [map all2] in A; try discriminate; try reflexivity;
        rewrite ?andb_false_r in A; discriminate. }
  assert (forall c w y s, nth_error l c = Some (w, y) ->
            Pattern.label_at (patterns rule_text_parallel_dense_variadic) g M (wa c) "shape"%string = Some s ->
            s = VTuple (map (fun d => VInt (Z.of_nat d)) (dims w))) as shape.
  { intros c w y s at_c E. destruct (branch c w y at_c) as (B & Rw & _). clear H m. apply shape_of_sizes.
    destruct c as [| c].
    - change (wa 0) with (1, @None nat) in *. says_leaf E D. exact (shape_label _ _ _ _ _ _ _ _ _ D Rw).
    - change (wa (Datatypes.S c)) with (2, Some (Datatypes.S c)) in *. says_leaf E D. exact (shape_label _ _ _ _ _ _ _ _ _ D Rw). }
  mean m. cbn [env_at value_of] in G. injection G as <-. left_factor E.
  rewrite (length_label rule_text_parallel_dense_variadic g M 4 None _ 3 2 None None eq_refl eq_refl), Len in E0. cbn [option_map] in E0.
  destruct (count (Z.of_nat n)) as [n' |] eqn:Cn; [| discriminate]. apply count_nat in Cn. subst n'.
  destruct (traverse _ (seq 0 n)) as [us |] eqn:Tr; [| discriminate]. injection E0 as <-.
  set (width := fun c => match nth_error l c with Some wy => nth 1 (dims (fst wy)) 0 | None => 0 end).
  apply traverse_seq with (h := fun c => VInt (Z.of_nat (width c))) in Tr.
  2: { intros c u lt Fc. cbn [N.eqb] in Fc.
       change (inst (bind (env_at (patterns rule_text_parallel_dense_variadic) g M i) 0%N (VInt (Z.of_nat c))) 2%N (Z.of_nat c) "shape"%string)
         with (inst (env_at (patterns rule_text_parallel_dense_variadic) g M i) 2%N (Z.of_nat c) "shape"%string) in Fc.
       rewrite (inst_at rule_text_parallel_dense_variadic g M i 2%N 2 _ (Z.of_nat c) "shape"%string eq_refl eq_refl (Zle_0_nat c)), Nat2Z.id in Fc.
       fold (wa c) in Fc. destruct (nth_error l c) as [[w y'] |] eqn:at_c; [| apply nth_error_None in at_c; lia].
       destruct (Pattern.label_at _ _ _ (wa c) "shape"%string) as [s |] eqn:Ls; [| discriminate].
       apply (shape c w y' s at_c) in Ls. subst s. pose proof (two c w y' at_c) as len2. unfold width. rewrite at_c. cbn [fst].
       destruct (dims w) as [| a [| b [|]]]; try discriminate. cbn in Fc. now injection Fc as <-. }
  destruct (means_call_many _ _ _ _ _ _ fs _ _ _ _ _ _ _ _ _ _ _ m0 eq_refl ltac:(by_text) ltac:(by_text) eq_refl eq_refl eq_refl)
    as (i' & vs & kk & mm & rs & _ & Gv & Ln & Cm & ms & ->).
  give Gv. values Ln. rewrite (length_label rule_text_parallel_dense_variadic g M 4 None _ 3 2 None None eq_refl eq_refl), Len in Ln.
  injection Ln as <-. apply count_nat in Cm. subst mm.
  apply forall2_seq with (h := fun j => Some (rho T g M (wa j))) in ms.
  2: { intros j b lt mj. destruct (nth_error l j) as [[w y'] |] eqn:at_j; [| apply nth_error_None in at_j; lia].
       destruct (branch j w y' at_j) as (B & _).
       exact (means_source T rule_text_parallel_dense_variadic g M (Some j) 2 _ b mj eq_refl eq_refl B). }
  subst rs. rewrite <- (map_map (fun j => rho T g M (wa j)) Some), traverse_present.
  rewrite (map_seq_list (fun j => rho T g M (wa j)) (fun wy => Of (fst wy)) l n len)
    by (intros c [w y'] at_c; exact (proj1 (proj2 (branch c w y' at_c)))).
  assert (exists c Y,
    calls T "Concat"%string [("axis"%string, VInt 1)] (strip (map (fun wy => Of (fst wy)) l)) = Some (Of c) /\
    calls T "MatMul"%string [] (strip [Of t; Of c]) = Some (Of Y) /\
    calls T "Split"%string [("axis"%string, VInt (Z.of_nat (List.length (dims t)) - 1)); ("split"%string, VTuple us)] (strip [Of Y]) =
      Some (Fields (map snd l))) as (c & Y & A1 & A2 & A3).
  { assert (shape_of (VTuple us) = Some (map (fun u : tensor (num S) => nth 1 (dims u) 0) (map fst l))) as Sv.
    { rewrite Tr, <- (map_map width (fun d => VInt (Z.of_nat d))), shape_of_tuple, map_map. f_equal.
      apply map_seq_list; [exact len |]. intros c wy at_c. unfold width. now rewrite at_c. }
    assert (forall u, In u (map fst l) -> List.length (dims u) = 2) as ranks2.
    { intros u inu. apply in_map_iff in inu. destruct inu as ([w y'] & <- & inl). apply In_nth_error in inl.
      destruct inl as [c at_c]. exact (two c w y' at_c). }
    assert (Forall2 (fun u y' => matmul S t u = Some y') (map fst l) (map snd l)) as products.
    { apply forall2_list; [now rewrite !map_length |]. intros c u y' at_u at_y. rewrite nth_error_map in at_u, at_y.
      destruct (nth_error l c) as [[w y2] |] eqn:at_c; [| discriminate]. injection at_u as <-. injection at_y as <-.
      now destruct (branch c w y2 at_c) as (_ & _ & _ & P & _). }
    assert (Forall good (map snd l)) as goods.
    { apply Forall_forall. intros u inu. apply in_map_iff in inu. destruct inu as ([w y'] & <- & inl). apply In_nth_error in inl.
      destruct inl as [c at_c]. now destruct (branch c w y' at_c) as (_ & _ & _ & _ & Gy). }
    rewrite <- (map_map fst (fun u : tensor (num S) => Of u)). destruct l as [| wy l']; [simpl in len; lia |].
    apply (dense_calls S inputs constants shapes t (fst wy) (map fst l') (map snd (wy :: l'))); try assumption; [lia | reflexivity]. }
  rewrite Rt. match goal with E : Some (VInt 1) = Some ?v |- _ => injection E as <- end.
  call_is "Concat"%string A1. call_is "MatMul"%string A2. call_is "Split"%string A3.
  rewrite (proj2 (Z.ltb_ge _ _)) by lia. rewrite Nat2Z.id, nth_error_map.
  destruct (nth_error l k) as [[w y'] |] eqn:at_k; [| apply nth_error_None in at_k; lia].
  destruct (branch k w y' at_k) as (_ & _ & Ry & _). rewrite Ry. reflexivity.
Qed.

#[export] Hint Resolve rule_parallel_dense_variadic_sound : sound_rules.
