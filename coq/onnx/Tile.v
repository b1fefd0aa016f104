(** * Tile

    Y[i] = X[i mod the sizes of X]: X repeated along each axis, as often as [repeats] says, which is constant.  Forms from
    opset 8 on; with one repeat of 0, or of a tensor without cells, the node stays opaque.  Left out: opset 6 and 7, where C
    makes Concats. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable onnx.Composition onnx.Steps.
From Calque Require tensor.Instances.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** The formula *)

Fixpoint times (ds repeats : list nat) : list nat :=
  match ds, repeats with
  | d :: ds', k :: repeats' => d * k :: times ds' repeats'
  | _, _ => []
  end.

Fixpoint modulo (ds : list nat) (i : list Z) : list Z :=
  match ds, i with
  | d :: ds', z :: i' => (z mod Z.of_nat d)%Z :: modulo ds' i'
  | _, _ => []
  end.

Definition onnx_tile (S : arith) (repeats : list nat) (x : tensor (num S)) : option (tensor (num S)) :=
  guard (List.length repeats =? List.length (dims x))
    (table S (Some (times (dims x) repeats)) (fun _ i => at_ S x (modulo (dims x) i))).

(** ** The composition: for each axis that is repeated a new one before it, along which X is expanded *)

Definition tiled (ds : list nat) (axis k x : nat) : build nat :=
  if k =? 1 then Return x else
  let around n l := firstn axis ds ++ n ++ skipn l ds in
  wide <- apply "Reshape" [("shape", nats_value (around [1] axis))] [x] ;;
  many <- apply "Expand" [("shape", nats_value (around [k] axis))] [wide] ;;
  apply "Reshape" [("shape", nats_value (around [nth axis ds 0 * k] (axis + 1)))] [many].

Fixpoint tiles (ds : list nat) (axis : nat) (repeats : list nat) (x : nat) : build nat :=
  match repeats with
  | [] => Return x
  | k :: repeats' => y <- tiled ds axis k x ;; tiles (set_nth axis (nth axis ds 0 * k) ds) (Datatypes.S axis) repeats' y
  end.

(** The greatest rank; the greatest size and repeat of a dimension that is repeated. *)
Definition most_dims : nat := 8.
Definition most_repeats : N := 16777216.

Definition tileable (ds repeats : list nat) : bool :=
  (List.length repeats =? List.length ds) && forallb (Nat.ltb 0) ds && forallb (Nat.ltb 0) repeats &&
  forallb (fun dk => (snd dk =? 1) || ((List.length ds <? most_dims) && (N.of_nat (fst dk) <=? most_repeats)%N &&
                                       (N.of_nat (snd dk) <=? most_repeats)%N)) (combine ds repeats).

Definition tile_composition (ds repeats : list nat) : option (build nat) :=
  guard (tileable ds repeats) (Some (finished 1 (tiles ds 0 repeats 0))).

(** ** Each axis *)

Section Tile.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation runs := (runs S typed).
  Notation knows := (knows S).

  (** [x] repeated along one axis. *)
  Definition tiled_along (axis k : nat) (x : tensor) : tensor :=
    tabulate (set_nth axis (nth axis (dims x) 0 * k) (dims x))
      (fun i => at_ S x (set_nth axis (nth axis i 0 mod Z.of_nat (nth axis (dims x) 0%nat))%Z i)).

  Lemma broadcast_one pre k post : broadcast (pre ++ 1 :: post) (pre ++ k :: post) = Some (pre ++ k :: post).
  Proof.
    unfold broadcast. rewrite !app_length. cbn [List.length]. rewrite Nat.max_id.
    assert (forall n, lead (List.length pre + Datatypes.S (List.length post)) (pre ++ n :: post) = pre ++ n :: post) as L.
    { intros n. rewrite <- (lead_same (pre ++ n :: post)) at 2. f_equal. now rewrite app_length. }
    rewrite !L. clear L. induction pre as [| d pre IH]; cbn [app agree].
    - rewrite agree_same. now rewrite orb_true_r.
    - now rewrite IH, Nat.eqb_refl.
  Qed.

  Lemma spread_one pre k post p z q : in_box (pre ++ k :: post) (p ++ z :: q) = true -> List.length p = List.length pre ->
    spread (pre ++ 1 :: post) (pre ++ k :: post) (p ++ z :: q) = p ++ 0%Z :: q.
  Proof.
    intros I L. unfold spread. rewrite !app_length. cbn [List.length]. rewrite Nat.sub_diag. cbn [skipn].
    revert p L I. induction pre as [| d pre IH]; intros [| a p] L I; try discriminate; cbn [app clip] in *.
    - apply in_box_cons in I. destruct I as [Z I]. f_equal; [| apply clip_same, in_box_length, I].
      destruct (Nat.eqb_spec 1 k); [lia | reflexivity].
    - apply in_box_cons in I. destruct I as [_ I]. rewrite Nat.eqb_refl, IH; [reflexivity | now injection L | exact I].
  Qed.

  Lemma tiled_runs vs x ds axis k n : knows vs n (GTensor x) -> good x -> dims x = ds -> axis < List.length ds ->
    0 < nth axis ds 0 -> runs vs (tiled ds axis k n) (fun ws m => knows ws m (GTensor (tiled_along axis k x))).
  Proof.
    intros K G <- lt pos. destruct (nth_split (dims x) 0 lt) as (pre & post & E & La). set (d := nth axis (dims x) 0) in *.
    unfold tiled. destruct (Nat.eqb_spec k 1) as [-> | _].
    { apply runs_return. replace (tiled_along axis 1 x) with x; [exact K |]. unfold tiled_along. fold d.
      rewrite Nat.mul_1_r. unfold d at 1. rewrite set_nth_same. rewrite <- (tabulate_get (s_zero S) x G) at 1.
      apply tabulate_ext. intros i I. unfold at_. f_equal. apply in_box_nth in I. destruct I as [Li I].
      specialize (I axis lt). fold d in I. rewrite Z.mod_small by lia. symmetry. apply set_nth_same. }
    rewrite E, <- La.
    assert (firstn (List.length pre) (pre ++ d :: post) = pre) as ->.
    { rewrite firstn_app, firstn_all, Nat.sub_diag. cbn [firstn]. apply app_nil_r. }
    assert (skipn (List.length pre) (pre ++ d :: post) = d :: post) as ->.
    { rewrite skipn_app, skipn_all, Nat.sub_diag. reflexivity. }
    assert (skipn (List.length pre + 1) (pre ++ d :: post) = post) as ->.
    { rewrite skipn_app, skipn_all2 by lia. now replace (List.length pre + 1 - List.length pre) with 1 by lia. }
    replace (nth (List.length pre) (pre ++ d :: post) 0) with d by (now rewrite nth_middle). cbn [app].
    set (wide := Tensor (pre ++ 1 :: d :: post) (cells x)).
    set (many := tabulate (pre ++ k :: d :: post) (spread_at S wide (pre ++ k :: d :: post))).
    eapply runs_bind.
    { apply (runs_apply S typed vs _ _ _ [GTensor x] (GTensor wide)); [now repeat constructor |].
      apply reshape_value; [exact G |]. rewrite E, !cell_count_app. cbn [cell_count fold_right]. lia. }
    intros ws w X W. cbv beta in W. eapply runs_bind.
    { apply (runs_apply S typed ws _ _ _ [GTensor wide] (GTensor many)); [now repeat constructor |].
      apply expand_value. apply broadcast_one. }
    intros us m _ M. cbv beta in M. eapply runs_weaken.
    { apply (runs_apply S typed us _ _ _ [GTensor many]); [now repeat constructor |].
      apply reshape_value; [apply good_tabulate |]. change (dims many) with (pre ++ k :: d :: post).
      rewrite !cell_count_app. cbn [cell_count fold_right]. lia. }
    intros zs r _ R. cbv beta in R.
    replace (tiled_along (List.length pre) k x) with (Tensor (pre ++ d * k :: post) (cells many)); [exact R |].
    symmetry. unfold tiled_along. rewrite La. fold d.
    assert (set_nth axis (d * k) (dims x) = pre ++ d * k :: post) as -> by (rewrite E, <- La; apply set_nth_app).
    rewrite <- (tabulate_get (s_zero S) (Tensor (pre ++ d * k :: post) (cells many))).
    2: { unfold good, many. cbn [dims cells tabulate]. rewrite map_length, length_box, !cell_count_app.
         cbn [cell_count fold_right]. lia. }
    cbn [dims]. apply tabulate_ext. intros i I.
    destruct (in_box_split _ _ _ I) as (p & q & -> & P & Q). destruct q as [| z q]; [discriminate |].
    apply in_box_cons in Q. destruct Q as [Z0 Q]. pose proof (in_box_length _ _ P) as Lp.
    pose proof (Z.mod_pos_bound z (Z.of_nat d) ltac:(lia)) as B.
    assert (0 <= z / Z.of_nat d < Z.of_nat k)%Z as A by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
    replace (nth axis (p ++ z :: q) 0%Z) with z by (rewrite <- La, <- Lp; now rewrite nth_middle).
    rewrite <- La, <- Lp, set_nth_app. change (get (s_zero S)) with (at_ S).
    assert (in_box (pre ++ k :: d :: post) (p ++ (z / Z.of_nat d)%Z :: (z mod Z.of_nat d)%Z :: q) = true) as J.
    { rewrite in_box_app by exact Lp. rewrite P. cbn [andb]. apply in_box_cons. split; [exact A |]. apply in_box_cons.
      now split. }
    rewrite (at_recast S _ many _ (p ++ (z / Z.of_nat d)%Z :: (z mod Z.of_nat d)%Z :: q)); [| exact I | exact J |].
    2: { change (dims many) with (pre ++ k :: d :: post). rewrite position_two by (assumption || lia). rewrite (Nat.mul_comm k d).
         do 3 f_equal. rewrite (Z.div_mod z (Z.of_nat d)) at 1 by lia. lia. }
    unfold many, at_ at 2. rewrite get_tabulate by exact J. unfold spread_at.
    change (dims wide) with (pre ++ 1 :: d :: post). rewrite (spread_one pre k (d :: post)) by assumption.
    symmetry. apply at_recast.
    - rewrite in_box_app by exact Lp. rewrite P. cbn [andb]. apply in_box_cons. split; [lia |]. apply in_box_cons. now split.
    - rewrite E, in_box_app by exact Lp. rewrite P. cbn [andb]. apply in_box_cons. now split.
    - rewrite E. now apply position_one.
  Qed.

  (** ** All axes *)

  Fixpoint tiled_from (axis : nat) (repeats : list nat) (x : tensor) : tensor :=
    match repeats with
    | [] => x
    | k :: repeats' => tiled_from (Datatypes.S axis) repeats' (tiled_along axis k x)
    end.

  Lemma tiles_runs repeats : forall ds axis n vs x, knows vs n (GTensor x) -> good x -> dims x = ds ->
    axis + List.length repeats = List.length ds -> (forall j, axis <= j < List.length ds -> 0 < nth j ds 0) ->
    runs vs (tiles ds axis repeats n) (fun ws m => knows ws m (GTensor (tiled_from axis repeats x))).
  Proof.
    induction repeats as [| k repeats IH]; intros ds axis n vs x K G D L P; cbn [tiles tiled_from];
      [now apply runs_return |].
    cbn [List.length] in L. eapply runs_bind; [apply (tiled_runs vs x); try assumption; [lia | apply P; lia] |].
    intros ws m _ M. cbv beta in M. apply IH; [exact M | apply good_tabulate | cbn [tiled_along tabulate dims]; now rewrite D
      | |].
    - rewrite set_nth_length. lia.
    - rewrite set_nth_length. intros j [lo hi]. rewrite nth_set_other by lia. apply P. lia.
  Qed.

  Lemma in_box_modulo ds : forall repeats i, forallb (Nat.ltb 0) ds = true -> List.length repeats = List.length ds ->
    in_box (times ds repeats) i = true -> in_box ds (modulo ds i) = true.
  Proof.
    induction ds as [| d ds IH]; intros [| k repeats] i P L I; try discriminate; [reflexivity |].
    cbn [times] in I. destruct i as [| z i]; [discriminate |]. apply in_box_cons in I. destruct I as [_ I].
    cbn [forallb] in P. apply andb_true_iff in P. destruct P as [p P]. apply Nat.ltb_lt in p.
    cbn [modulo]. apply in_box_cons. split; [apply Z.mod_pos_bound; lia |].
    apply (IH repeats); [exact P | now injection L | exact I].
  Qed.

  Lemma tiled_from_cells repeats : forall done rest x, good x -> dims x = done ++ rest -> forallb (Nat.ltb 0) rest = true ->
    List.length repeats = List.length rest ->
    tiled_from (List.length done) repeats x =
    tabulate (done ++ times rest repeats)
      (fun i => at_ S x (firstn (List.length done) i ++ modulo rest (skipn (List.length done) i))).
  Proof.
    induction repeats as [| k repeats IH]; intros done [| d rest] x G D P L; try discriminate; cbn [tiled_from times].
    - rewrite <- D at 1. rewrite <- (tabulate_get (s_zero S) x G) at 1. apply tabulate_ext. intros i I. unfold at_. f_equal.
      rewrite D, app_nil_r in I. rewrite <- (in_box_length _ _ I), firstn_all, skipn_all. symmetry. apply app_nil_r.
    - cbn [forallb] in P. apply andb_true_iff in P. destruct P as [p P]. apply Nat.ltb_lt in p. injection L as L.
      replace (Datatypes.S (List.length done)) with (List.length (done ++ [d * k])) by (rewrite app_length; simpl; lia).
      assert (nth (List.length done) (dims x) 0 = d) as Ed by (rewrite D; apply nth_middle).
      assert (dims (tiled_along (List.length done) k x) = (done ++ [d * k]) ++ rest) as Dt.
      { cbn [tiled_along tabulate dims]. rewrite Ed, D, set_nth_app, <- app_assoc. reflexivity. }
      rewrite (IH (done ++ [d * k]) rest) by (try apply good_tabulate; assumption). rewrite <- app_assoc. cbn [app].
      apply tabulate_ext. intros i I. destruct (in_box_split _ _ _ I) as (a & b & -> & A & B).
      destruct b as [| z b]; [discriminate |]. apply in_box_cons in B. destruct B as [Z0 B].
      pose proof (in_box_length _ _ A) as La. rewrite app_length. cbn [List.length]. rewrite <- La.
      replace (firstn (List.length a + 1) (a ++ z :: b)) with (a ++ [z]).
      2: { rewrite firstn_app, firstn_all2 by lia. now replace (List.length a + 1 - List.length a) with 1 by lia. }
      replace (skipn (List.length a + 1) (a ++ z :: b)) with b.
      2: { rewrite skipn_app, skipn_all2 by lia. now replace (List.length a + 1 - List.length a) with 1 by lia. }
      rewrite firstn_app, firstn_all, skipn_app, skipn_all, Nat.sub_diag. cbn [firstn skipn app modulo]. rewrite app_nil_r.
      rewrite <- app_assoc. cbn [app]. unfold tiled_along. rewrite La, Ed. unfold at_ at 1. rewrite get_tabulate.
      + rewrite <- La, nth_middle, set_nth_app. reflexivity.
      + rewrite D, set_nth_app, in_box_app by exact La. rewrite A. cbn [andb]. apply in_box_cons. split; [exact Z0 |].
        now apply (in_box_modulo rest repeats).
  Qed.

  Theorem tile_correct repeats x b : good x -> tile_composition (dims x) repeats = Some b ->
    exists y, composed S typed b [x] = Some y /\ onnx_tile S repeats x = Some y.
  Proof.
    intros G E. unfold tile_composition, guard in E. destruct (tileable (dims x) repeats) eqn:T; [| discriminate].
    injection E as <-. unfold tileable in T. rewrite !andb_true_iff in T. destruct T as (((L & P) & _) & _).
    unfold onnx_tile, guard. rewrite L. apply Nat.eqb_eq in L. eexists. split; [| reflexivity].
    change 1 with (List.length [x]). apply finished_runs.
    replace (tabulate (times (dims x) repeats) (fun i => at_ S x (modulo (dims x) i))) with (tiled_from 0 repeats x).
    2: { exact (tiled_from_cells repeats [] (dims x) x G eq_refl P L). }
    apply tiles_runs; [reflexivity | exact G | reflexivity | exact L |].
    intros j [_ lt]. rewrite forallb_forall in P. apply Nat.ltb_lt, P, nth_In, lt.
  Qed.
End Tile.

Example tile_example : option_map (fun b => composed Instances.integers (typed _) b [Tensor [2; 3] [1; 2; 3; 4; 5; 6]%Z])
    (tile_composition [2; 3] [2; 2]) =
  Some (Some (Tensor [4; 6] [1; 2; 3; 1; 2; 3; 4; 5; 6; 4; 5; 6; 1; 2; 3; 1; 2; 3; 4; 5; 6; 4; 5; 6]%Z)).
Proof. vm_compute. reflexivity. Qed.
