(** * Slices and zips of attributes, as lists *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr.
Import ListNotations.
Open Scope nat_scope.

Lemma traverse_nth {A} (vs : list A) : forall m x, x + m <= length vs ->
  traverse (fun i => nth_error vs (x + i)) (seq 0 m) = Some (firstn m (skipn x vs)).
Proof.
  intros m. assert (forall x s, x + s + m <= length vs ->
    traverse (fun i => nth_error vs (x + i)) (seq s m) = Some (firstn m (skipn (x + s) vs))) as go.
  { induction m as [| m IH]; intros x s le; [reflexivity |]. cbn [seq traverse].
    destruct (nth_error vs (x + s)) as [a |] eqn:at_s; [| apply nth_error_None in at_s; lia].
    rewrite IH by lia. rewrite Nat.add_succ_r. f_equal.
    assert (skipn (x + s) vs = a :: skipn (Datatypes.S (x + s)) vs) as ->; [| reflexivity].
    clear - at_s. revert at_s. generalize (x + s). intros n. revert vs. induction n as [| n IH]; intros [| b vs] E; try discriminate.
    - cbn in *. congruence.
    - cbn [skipn]. now rewrite (IH vs E). }
  intros x le. pose proof (go x 0 ltac:(lia)) as E. rewrite Nat.add_0_r in E. exact E.
Qed.

(** vs[x:y] *)
Lemma slice_is vs x y : x <= y -> y <= length vs ->
  slice_op vs (VInt (Z.of_nat x)) (VInt (Z.of_nat y)) VNone = Some (VTuple (firstn (y - x) (skipn x vs))).
Proof.
  intros xy ly. unfold slice_op. cbn [Z.ltb Z.compare slice_bound].
  destruct (Z.ltb_spec (Z.of_nat x) 0); [lia |]. destruct (Z.ltb_spec (Z.of_nat y) 0); [lia |].
  rewrite !Z.max_r, !Z.min_r by lia.
  assert (steps (Z.of_nat x) (Z.of_nat y) 1 = Z.of_nat (y - x)) as ->.
  { unfold steps. cbn [Z.ltb Z.compare]. rewrite Z.div_1_r. lia. }
  rewrite Nat2Z.id. rewrite (traverse_ext _ (fun i => nth_error vs (x + i))).
  - now rewrite traverse_nth by lia.
  - intros i _. f_equal. lia.
Qed.

(** vs[x:] *)
Lemma slice_from vs x : x <= length vs ->
  slice_op vs (VInt (Z.of_nat x)) VNone VNone = Some (VTuple (skipn x vs)).
Proof.
  intros lx. pose proof (slice_is vs x (length vs) lx (le_n _)) as E. rewrite firstn_all2 in E by (rewrite skipn_length; lia).
  rewrite <- E. unfold slice_op. cbn [Z.ltb Z.compare slice_bound].
  destruct (Z.ltb_spec (Z.of_nat (length vs)) 0); [lia |]. now replace (Z.max 0 (Z.min (Z.of_nat (length vs)) (Z.of_nat (length vs)))) with (Z.of_nat (length vs)) by lia.
Qed.

(** Pairs at equal places. *)
Lemma zip_is vs ws : zip_op [vs; ws] = Some (VTuple (map (fun c => VTuple [fst c; snd c]) (combine vs ws))).
Proof.
  unfold zip_op. cbn [map fold_left].
  assert (forall ws vs, traverse (fun i => option_map VTuple (traverse (fun t => nth_error t i) [vs; ws])) (seq 0 (Nat.min (length vs) (length ws))) =
    Some (map (fun c => VTuple [fst c; snd c]) (combine vs ws))) as go.
  { clear. intros ws. induction ws as [| b ws IH]; intros [| a vs]; try reflexivity.
    cbn [length Nat.min seq traverse nth_error option_map combine map fst snd].
    rewrite <- seq_shift. specialize (IH vs). revert IH. generalize (Nat.min (length vs) (length ws)). intros m IH.
    assert (forall (h : nat -> option value) l, traverse h (map Datatypes.S l) = traverse (fun i => h (Datatypes.S i)) l) as tm.
    { intros h l. induction l as [| i l IHl]; [reflexivity |]. cbn. now rewrite IHl. }
    rewrite tm. cbn [traverse nth_error] in IH |- *. now rewrite IH. }
  now rewrite go.
Qed.
