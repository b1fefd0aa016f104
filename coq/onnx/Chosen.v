(** * Slices that a Resize is made of

    The slices of a tensor at places along one axis, places beyond the ends being the end: the tensor itself, every slice
    several times, a Slice or a Gather; and the tensor with its ends repeated. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Channel.
From Calque Require Import onnx.Composition onnx.Steps onnx.AxisSteps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Definition cut_place (n : nat) (p : Z) : Z := Z.max 0 (Z.min (Z.of_nat n - 1) p).

Definition follows (l : list Z) (f : Z -> Z) : bool :=
  forallb (fun i => (nth i l 0 =? f (Z.of_nat i))%Z) (seq 0 (List.length l)).

(** Every slice [times] times. *)
Definition repeated (pre : sizes) (n : nat) (post : sizes) (times k : nat) : build nat :=
  a <- reshaped (pre ++ n :: post) (pre ++ n :: 1 :: post) k;;
  b <- apply "Expand" [("shape", nats_value (pre ++ n :: times :: post))] [a];;
  reshaped (pre ++ n :: times :: post) (pre ++ n * times :: post) b.

Definition chosen (pre : sizes) (n : nat) (post : sizes) (places : list Z) (k : nat) : build nat :=
  let l := map (cut_place n) places in
  let out := List.length l in
  let times := out / n in
  let first := nth 0 l 0%Z in
  let step := if 1 <? out then (nth 1 l 0 - first)%Z else 1%Z in
  if (out mod n =? 0) && follows l (fun i => i / Z.of_nat times)%Z then
    if times =? 1 then Return k else repeated pre n post times k
  else if (0 <? step)%Z && follows l (fun i => first + i * step)%Z then sliced pre n post first step out k
  else taken (List.length pre) l k.

Definition edged (pre : sizes) (post : sizes) (before after k : nat) : build nat :=
  if (before =? 0) && (after =? 0) then Return k
  else
    let ends b := repeat 0%Z (List.length pre) ++ Z.of_nat b :: repeat 0%Z (List.length post) in
    apply "Pad" [("pads", ints_value (ends before ++ ends after)); ("mode", VStr "edge"); ("value", VFloat 0)] [k].

Section Slices.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis index_typed : forall z, (0 <= z < 2 ^ 63)%Z -> s_index S (typed i64_code (LInt z)) = Some z.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Notation runs := (runs S typed).
  Notation knows := (knows S).
  Notation picked := (picked S).

  Lemma cut_place_in n p : 0 < n -> (0 <= cut_place n p < Z.of_nat n)%Z.
  Proof. unfold cut_place. lia. Qed.

  (** ** Slices that are chosen *)

  Lemma follows_nth l f z : follows l f = true -> (0 <= z < Z.of_nat (List.length l))%Z -> nth (Z.to_nat z) l 0%Z = f z.
  Proof.
    intros F Z0. apply (proj1 (forallb_forall _ _)) with (x := Z.to_nat z) in F; [| apply in_seq; lia].
    apply Z.eqb_eq in F. rewrite F. f_equal. lia.
  Qed.

  Lemma agree_expand pre n k post : agree (pre ++ n :: 1 :: post) (pre ++ n :: k :: post) = Some (pre ++ n :: k :: post).
  Proof.
    rewrite agree_comm. apply agree_or_one. apply Forall2_app; [induction pre; constructor; auto |].
    constructor; [now left |]. constructor; [now right |]. induction post; constructor; auto.
  Qed.

  Lemma broadcast_agree a b : List.length a = List.length b -> broadcast a b = agree a b.
  Proof. intros E. unfold broadcast. rewrite E, Nat.max_id, lead_same. rewrite <- E at 1. now rewrite lead_same. Qed.

  Lemma clip_expand pre : forall a n k post q r b, List.length a = List.length pre -> List.length b = List.length post ->
    clip (pre ++ n :: 1 :: post) (pre ++ n :: k :: post) (a ++ q :: r :: b) = a ++ q :: (if 1 =? k then r else 0%Z) :: b.
  Proof.
    induction pre as [| m pre IH]; intros [| y a] n k post q r b la lb; try discriminate; cbn [app clip].
    - rewrite Nat.eqb_refl. do 2 f_equal. now apply clip_same.
    - rewrite Nat.eqb_refl, IH by (simpl in *; lia). reflexivity.
  Qed.

  Lemma repeated_runs vs pre n post times k (x : tensor) : knows vs k (GTensor x) -> good x -> dims x = pre ++ n :: post ->
    1 < times ->
    runs vs (repeated pre n post times k)
      (fun ws j => knows ws j (GTensor (picked pre (n * times) post (fun z => z / Z.of_nat times)%Z x))).
  Proof.
    intros K G D T. unfold repeated.
    assert (C1 : cell_count (pre ++ n :: 1 :: post) = cell_count (pre ++ n :: post))
      by (rewrite !cell_count_app; cbn [cell_count fold_right]; lia).
    assert (C2 : cell_count (pre ++ n * times :: post) = cell_count (pre ++ n :: times :: post))
      by (rewrite !cell_count_app; cbn [cell_count fold_right]; lia).
    eapply runs_bind; [apply (reshaped_runs S typed vs _ _ k x K D G); exact C1 |].
    intros ws a _ A. set (u := Tensor (pre ++ n :: 1 :: post) (cells x)) in *. eapply runs_bind.
    { eapply runs_apply; [constructor; [exact A | constructor] |].
      apply (expand_value S u _ (pre ++ n :: times :: post)). cbn [dims u]. rewrite broadcast_agree
        by (rewrite !app_length; reflexivity). apply agree_expand. }
    intros us b _ B. eapply runs_weaken; [apply (reshaped_runs S typed us _ _ b _ B);
      [reflexivity | apply good_tabulate | exact C2] |].
    intros ys j _ J. cbv beta in J. replace (picked _ _ _ _ _) with (Tensor (pre ++ n * times :: post)
      (cells (tabulate (pre ++ n :: times :: post) (spread_at S u (pre ++ n :: times :: post))))); [exact J |].
    apply picked_is; [apply good_recast; [apply good_tabulate | exact C2] | reflexivity |].
    intros a' z b' Ia Z0 Ib. destruct (digits times z ltac:(lia)) as [Ez R]. pose proof (quotient_in n times z Z0) as Q.
    assert (I3 : in_box (pre ++ n :: times :: post) (a' ++ (z / Z.of_nat times)%Z :: (z mod Z.of_nat times)%Z :: b') = true).
    { apply middle_in_box; [exact Ia | exact Q |]. apply in_box_cons. now split. }
    rewrite (at_recast S _ _ _ (a' ++ (z / Z.of_nat times)%Z :: (z mod Z.of_nat times)%Z :: b')).
    - rewrite at_tabulate by exact I3. unfold spread_at, spread. cbn [dims u].
      rewrite !app_length. cbn [List.length]. rewrite Nat.sub_diag. cbn [skipn].
      rewrite clip_expand by now apply in_box_length. destruct (Nat.eqb_spec 1 times); [lia |].
      apply (at_recast S); cbn [dims u].
      + apply middle_in_box; [exact Ia | exact Q |]. apply in_box_cons. split; [lia | exact Ib].
      + rewrite D. now apply middle_in_box.
      + rewrite D, <- (position_cut pre n 1 post) by (try assumption; lia). rewrite Nat.mul_1_r. do 2 f_equal. f_equal. lia.
    - now apply middle_in_box.
    - exact I3.
    - cbn [dims tabulate]. rewrite <- position_cut by assumption. do 2 f_equal. f_equal. exact Ez.
  Qed.

  Lemma chosen_runs vs pre n post places k (x : tensor) : knows vs k (GTensor x) -> good x -> dims x = pre ++ n :: post ->
    0 < n -> 0 < List.length places -> (Z.of_nat n < 2 ^ 63)%Z ->
    runs vs (chosen pre n post places k)
      (fun ws j => knows ws j (GTensor
         (picked pre (List.length places) post (fun z => cut_place n (nth (Z.to_nat z) places 0))%Z x))).
  Proof.
    intros K G D n0 o0 big. unfold chosen. set (l := map (cut_place n) places).
    assert (len : List.length l = List.length places) by apply map_length. rewrite len.
    assert (L : forall z, (0 <= z < Z.of_nat (List.length places))%Z ->
              nth (Z.to_nat z) l 0%Z = cut_place n (nth (Z.to_nat z) places 0%Z)).
    { intros z Z0. unfold l. apply nth_map_lt. lia. }
    assert (F : Forall (fun z => (0 <= z < Z.of_nat n)%Z) l).
    { apply Forall_forall. intros z inz. apply in_map_iff in inz. destruct inz as (p & <- & _). now apply cut_place_in. }
    set (out := List.length places) in *. set (times := out / n).
    destruct ((out mod n =? 0) && follows l (fun i => i / Z.of_nat times)%Z) eqn:E.
    - apply andb_true_iff in E. destruct E as [M E]. apply Nat.eqb_eq in M.
      assert (out = n * times) as Eo by (unfold times; rewrite (Nat.div_mod out n) at 1 by lia; lia).
      assert (P : forall f, (forall z, (0 <= z < Z.of_nat out)%Z -> f z = z / Z.of_nat times)%Z ->
                forall z, (0 <= z < Z.of_nat out)%Z -> f z = cut_place n (nth (Z.to_nat z) places 0%Z)).
      { intros f Hf z Z0. rewrite <- L, (follows_nth l _ z E) by (rewrite ?len; exact Z0). now apply Hf. }
      destruct (Nat.eqb_spec times 1) as [T | T].
      + rewrite picked_whole; [now apply runs_return | exact G | rewrite D; f_equal; f_equal; nia |].
        intros z Z0. rewrite <- (P (fun z => z)); [reflexivity | | exact Z0]. intros y _. rewrite T. symmetry. apply Z.div_1_r.
      + eapply runs_weaken; [apply (repeated_runs vs pre n post times k x K G D); nia |]. intros ws j _ J. cbv beta in J.
        rewrite <- Eo in J. rewrite (picked_ext S pre out post _ (fun z => cut_place n (nth (Z.to_nat z) places 0%Z))) in J;
          [exact J |].
        apply P. reflexivity.
    - clear E. destruct ((0 <? _)%Z && _) eqn:E.
      + apply andb_true_iff in E. destruct E as [pos E]. apply Z.ltb_lt in pos.
        set (first := nth 0 l 0%Z) in *. set (step := if 1 <? out then (nth 1 l 0 - first)%Z else 1%Z) in *.
        assert (R : forall z, (0 <= z < Z.of_nat out)%Z -> (0 <= first + z * step < Z.of_nat n)%Z).
        { intros z Z0. rewrite <- (follows_nth l _ z E) by (rewrite len; exact Z0).
          apply (proj1 (Forall_forall _ _) F), nth_In. lia. }
        eapply runs_weaken; [apply (sliced_runs S typed vs pre n post first step out k x K G D) |].
        * pose proof (R 0%Z ltac:(lia)) as R0. pose proof (R (Z.of_nat out - 1)%Z ltac:(lia)) as R1. unfold slice_fits.
          rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, Nat.eqb_eq, !Z.ltb_lt, !Z.leb_le, negb_true_iff, Z.eqb_neq. lia.
        * intros ws j _ J. cbv beta in J.
          rewrite (picked_ext S pre out post _ (fun z => cut_place n (nth (Z.to_nat z) places 0%Z))) in J; [exact J |].
          intros z Z0. rewrite <- L, (follows_nth l _ z E) by (rewrite ?len; exact Z0). reflexivity.
      + eapply runs_weaken; [apply (taken_runs S typed index_typed vs pre n post l k x K D F big) |].
        intros ws j _ J. cbv beta in J. rewrite len in J.
        rewrite (picked_ext S pre out post _ (fun z => cut_place n (nth (Z.to_nat z) places 0%Z))) in J; [exact J | exact L].
  Qed.

  (** ** Ends repeated *)

  Lemma pad_dims_whole mode m : pad_dims mode [m] [0%Z] [0%Z] = Some [m].
  Proof.
    cbn [pad_dims]. unfold guard. replace (Z.of_nat m + 0 + 0)%Z with (Z.of_nat m) by lia. rewrite Nat2Z.id.
    destruct (_ && _) eqn:E; [reflexivity |]. destruct mode, m; cbn in E; try discriminate; lia.
  Qed.

  Lemma pad_dims_cons mode m ds p lo q hi : pad_dims mode [m] [p] [q] = Some [m] ->
    pad_dims mode (m :: ds) (p :: lo) (q :: hi) = option_map (cons m) (pad_dims mode ds lo hi).
  Proof.
    cbn [pad_dims]. unfold guard. destruct (_ && _); [| discriminate]. cbn [option_map]. intros E. injection E as ->.
      reflexivity.
  Qed.

  Lemma pad_dims_edge pre : forall n post b a, 0 < n ->
    pad_dims PadEdge (pre ++ n :: post) (repeat 0%Z (List.length pre) ++ Z.of_nat b :: repeat 0%Z (List.length post))
      (repeat 0%Z (List.length pre) ++ Z.of_nat a :: repeat 0%Z (List.length post)) = Some (pre ++ b + n + a :: post).
  Proof.
    induction pre as [| m pre IH]; intros n post b a n0; cbn [List.length repeat app].
    - assert (pad_dims PadEdge post (repeat 0%Z (List.length post)) (repeat 0%Z (List.length post)) = Some post) as E.
      { induction post as [| m post IH]; [reflexivity |]. cbn [List.length repeat].
        rewrite pad_dims_cons by apply pad_dims_whole. now rewrite IH. }
      cbn [pad_dims]. rewrite E. unfold guard. destruct (_ && _) eqn:F.
      + cbn [option_map]. do 2 f_equal. lia.
      + exfalso. apply andb_false_iff in F. destruct F as [F | F]; [apply Z.leb_gt in F; lia |].
        apply andb_false_iff in F. destruct F as [F | F].
        * apply andb_false_iff in F. rewrite !Z.leb_gt in F. lia.
        * apply orb_false_iff in F. destruct F as [F _]. apply Nat.ltb_ge in F. lia.
    - rewrite pad_dims_cons by apply pad_dims_whole. now rewrite IH.
  Qed.

  Lemma pad_at_edge pre : forall n post b a z c, in_box pre a = true -> in_box post c = true -> 0 < n -> (0 <= z)%Z ->
    pad_at PadEdge (pre ++ n :: post) (repeat 0%Z (List.length pre) ++ Z.of_nat b :: repeat 0%Z (List.length post))
      (a ++ z :: c) = a ++ cut_place n (z - Z.of_nat b) :: c.
  Proof.
    assert (W : forall m k, (0 <= k < Z.of_nat m)%Z -> pad_place PadEdge m 0 k = k).
    { intros m k K. cbn [pad_place]. destruct (Z.ltb_spec k 0); [lia |]. destruct (Z.ltb_spec k (0 + Z.of_nat m)); lia. }
    induction pre as [| m pre IH]; intros n post b [| y a] z c A C n0 z0; try discriminate; cbn [List.length repeat app pad_at].
    - assert (pad_at PadEdge post (repeat 0%Z (List.length post)) c = c) as ->.
      { revert c C. induction post as [| m post IH]; intros [| y c] C; try discriminate; [reflexivity |].
        apply in_box_cons in C. destruct C as [Y C]. cbn [List.length repeat pad_at]. now rewrite W, IH. }
      f_equal. cbn [pad_place]. unfold cut_place. destruct (Z.ltb_spec z (Z.of_nat b)); [lia |].
      destruct (Z.ltb_spec z (Z.of_nat b + Z.of_nat n)); lia.
    - apply in_box_cons in A. destruct A as [Y A]. rewrite W by exact Y. now rewrite IH.
  Qed.

  Lemma edged_runs vs pre n post before after k (x : tensor) : knows vs k (GTensor x) -> good x -> dims x = pre ++ n :: post ->
    0 < n ->
    runs vs (edged pre post before after k)
      (fun ws j => knows ws j (GTensor (picked pre (before + n + after) post (fun z => cut_place n (z - Z.of_nat before)) x))).
  Proof.
    intros K G D n0. unfold edged. destruct (_ && _) eqn:E.
    - rewrite andb_true_iff, !Nat.eqb_eq in E. destruct E as [-> ->]. rewrite Nat.add_0_r. cbn [Nat.add].
      rewrite picked_whole by (try assumption; unfold cut_place; lia). now apply runs_return.
    - eapply runs_apply; [constructor; [exact K | constructor] |].
      set (ends := fun b => repeat 0%Z (List.length pre) ++ Z.of_nat b :: repeat 0%Z (List.length post)).
      assert (L : forall b, List.length (ends b) = List.length (dims x)).
      { intros b. unfold ends. rewrite D, !app_length. cbn [List.length]. now rewrite !repeat_length. }
      change (OpTable.one (let? (mode, value, lo, hi) := (let? ps := ints_of (ints_value (ends before ++ ends after)) in
                guard (List.length ps =? 2 * List.length (dims x))
                  (Some (PadEdge, 0%N, firstn (List.length (dims x)) ps, skipn (List.length (dims x)) ps))) in
              pad S mode value lo hi x) = Some (GTensor (picked pre (before + n + after) post
                (fun z => cut_place n (z - Z.of_nat before)) x))).
      rewrite ints_of_ints, app_length, !L. replace (_ + _ =? _) with true by (symmetry; apply Nat.eqb_eq; lia). cbn [guard].
      rewrite firstn_app, skipn_app, L, Nat.sub_diag, firstn_all2, skipn_all2 by (rewrite L; lia). cbn [firstn skipn app].
      rewrite app_nil_r. unfold pad. unfold ends at 1 2. rewrite D, pad_dims_edge by exact n0. cbn [table OpTable.one].
        do 2 f_equal.
      apply picked_is; [apply good_tabulate | reflexivity |]. intros a z b A Z0 B.
      rewrite at_tabulate by now apply middle_in_box. unfold ends. rewrite pad_at_edge by (try assumption; lia). reflexivity.
  Qed.
End Slices.
