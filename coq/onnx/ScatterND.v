(** * ScatterND

    X, in which slices are replaced: each index names a slice by its first dimensions, and the updates are written one after
    the other, so that of two of one slice the later one holds.  The composition (c/onnx/expand_scatter.c), of constant
    indices, moves cells only: it takes X as rows, the updates behind them, and for each row of the result one of those.
    This file covers updates that replace (reduction none), at every opset from 11 on. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Numbers tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index.
From Calque Require Import tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Instances tensor.Mixed.
From Calque Require Import onnx.Composition onnx.Steps onnx.Reduced.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

(** Counted from the end if negative. *)
Definition named_index (ds : sizes) (l : list Z) : list Z :=
  map (fun dz => if snd dz <? 0 then snd dz + Z.of_nat (fst dz) else snd dz)%Z (combine ds l).

Definition index_eqb (i j : list Z) : bool := if list_eq_dec Z.eq_dec i j then true else false.

(** [batch]: the sizes of the indices but the last one, [named]; [rows] are the indices, in row-major order. *)
Definition scatters (named : nat) (batch : sizes) (rows : list (list Z)) (ds us : sizes) : bool :=
  (1 <=? named) && (named <=? length ds) && sizes_eqb us (batch ++ skipn named ds) && (length rows =? cell_count batch) &&
  forallb (fun l => (length l =? named) && in_box (firstn named ds) (named_index (firstn named ds) l)) rows.

Definition onnx_scatter_nd (S : arith) (named : nat) (batch : sizes) (rows : list (list Z)) (x u : tensor (num S)) :
    option (tensor (num S)) :=
  guard (scatters named batch rows (dims x) (dims u)) (table S (Some (dims x)) (fun _ i =>
    fold_left (fun a k =>
        if index_eqb (named_index (firstn named (dims x)) (nth (position batch k) rows [])) (firstn named i)
        then at_ S u (k ++ skipn named i) else a)
      (box batch) (at_ S x i))).

(** ** The composition *)

(** The rows that are updated, once each, by the first update. *)
Fixpoint firsts (rs : list nat) : list nat :=
  match rs with
  | [] => []
  | r :: rs' => r :: filter (fun q => negb (q =? r)) (firsts rs')
  end.

(** The last update of a row, of those from number [k] on. *)
Fixpoint last_update (k : nat) (rs : list nat) (r : nat) : option nat :=
  match rs with
  | [] => None
  | q :: rs' => match last_update (Datatypes.S k) rs' r with
                | Some j => Some j
                | None => if q =? r then Some k else None
                end
  end.

Definition last_of (rs : list nat) (r : nat) : nat := match last_update 0 rs r with Some k => k | None => 0 end.

(** Where a row of the result is, among X's rows and then those of the updates that are kept. *)
Definition row_from (rows : nat) (rs : list nat) (r : nat) : nat :=
  if has r rs then rows + place_of r (firsts rs) else r.

Definition integers_at (l : list nat) : build nat := constant i64_code [length l] (map (fun n => LInt (Z.of_nat n)) l).

Definition taken (x : nat) (l : list nat) : build nat := k <- integers_at l ;; apply "Gather" [("axis", nat_value 0)] [x; k].

Definition most_rows : N := 16777216.

Definition scatter_nd_composition (named : nat) (batch : sizes) (rows : list (list Z)) (ds us : sizes) : option (build nat) :=
  let d := firstn named ds in
  let count := cell_count d in
  let inner := cell_count (skipn named ds) in
  let n := cell_count batch in
  let rs := map (fun l => position d (named_index d l)) rows in
  guard (scatters named batch rows ds us && (1 <=? count) && (1 <=? inner) && (1 <=? n) &&
         (N.of_nat count <=? most_rows)%N && (N.of_nat n <=? most_rows)%N)
    (Some (x <- reshaped ds [count; inner] 0 ;; u <- reshaped us [n; inner] 1 ;;
           t <- taken u (map (last_of rs) (firsts rs)) ;; c <- apply "Concat" [("axis", nat_value 0)] [x; t] ;;
           y <- taken c (map (row_from count rs) (seq 0 count)) ;; reshaped [count; inner] ds y)).

(** ** Which update holds *)

Lemma firsts_in rs r : In r (firsts rs) <-> In r rs.
Proof.
  induction rs as [| q rs IH]; [reflexivity |]. cbn [firsts In]. rewrite filter_In, IH, negb_true_iff, Nat.eqb_neq.
  destruct (Nat.eq_dec q r) as [-> | ne]; [tauto |]. intuition congruence.
Qed.

Lemma last_update_spec {A} (f : nat -> A) r rs : forall k a,
  fold_left (fun a j => if nth j rs 0 =? r then f (k + j) else a) (seq 0 (length rs)) a =
  match last_update k rs r with Some j => f j | None => a end.
Proof.
  induction rs as [| q rs IH]; intros k a; [reflexivity |]. cbn [length seq fold_left nth last_update]. rewrite Nat.add_0_r.
  rewrite <- seq_shift, fold_left_map. cbn [nth].
  rewrite (fold_left_ext_in _ (fun a j => if nth j rs 0 =? r then f (Datatypes.S k + j) else a)).
  2: { intros b j _. now rewrite Nat.add_succ_r. }
  rewrite IH. destruct (last_update (Datatypes.S k) rs r) as [j |]; [reflexivity |]. now destruct (q =? r).
Qed.

Lemma last_update_bound rs r : forall k j, last_update k rs r = Some j -> k <= j < k + length rs.
Proof.
  induction rs as [| q rs IH]; intros k j E; [discriminate |]. cbn [last_update length] in *.
  destruct (last_update (Datatypes.S k) rs r) as [h |] eqn:F; [injection E as <-; specialize (IH _ _ F); lia |].
  destruct (q =? r); [injection E as <-; lia | discriminate].
Qed.

Lemma last_update_in rs r : forall k, In r rs -> exists j, last_update k rs r = Some j.
Proof.
  induction rs as [| q rs IH]; intros k I; [destruct I |]. cbn [last_update].
  destruct (last_update (Datatypes.S k) rs r) as [j |] eqn:F; [now exists j |].
  destruct I as [-> | I]; [exists k; now rewrite Nat.eqb_refl |]. destruct (IH (Datatypes.S k) I) as [j J]. congruence.
Qed.

Lemma last_update_out rs r : forall k, ~ In r rs -> last_update k rs r = None.
Proof.
  induction rs as [| q rs IH]; intros k N; [reflexivity |]. cbn [last_update]. rewrite IH by (intros I; apply N; now right).
  destruct (Nat.eqb_spec q r) as [-> |]; [destruct N; now left | reflexivity].
Qed.

Lemma last_of_lt rs r : In r rs -> last_of rs r < length rs.
Proof.
  intros I. unfold last_of. destruct (last_update_in rs r 0 I) as [j E]. rewrite E. apply last_update_bound in E. lia.
Qed.

Lemma firsts_length rs : length (firsts rs) <= length rs.
Proof.
  induction rs as [| q rs IH]; [reflexivity |]. cbn [firsts length].
  assert (F : forall (p : nat -> bool) l, length (filter p l) <= length l).
  { clear. intros p. induction l as [| a l IH]; [reflexivity |]. cbn. destruct (p a); cbn; lia. }
  specialize (F (fun p => negb (p =? q)) (firsts rs)). lia.
Qed.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis counted : forall n : nat, (N.of_nat n <= 2 * most_rows)%N ->
    s_index S (typed i64_code (LInt (Z.of_nat n))) = Some (Z.of_nat n).
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Notation knows := (knows S).
  Notation runs := (runs S typed).

  (** Rows of a tensor, in any order. *)
  Definition rows_of (x : tensor) (l : list nat) (inner : nat) : tensor :=
    tabulate [length l; inner] (fun i => at_ x [Z.of_nat (nth (Z.to_nat (nth 0 i 0%Z)) l 0); nth 1 i 0%Z]).

  Lemma runs_taken vs (x : tensor) k l n inner : dims x = [n; inner] -> (N.of_nat n <= 2 * most_rows)%N ->
    (forall j, In j l -> j < n) -> knows vs k (GTensor x) ->
    runs vs (taken k l) (fun ws j => knows ws j (GTensor (rows_of x l inner))).
  Proof.
    intros D M R K. unfold taken, integers_at.
    eapply runs_bind; [apply (runs_constant S typed vs i64_code [length l] (map (fun n => LInt (Z.of_nat n)) l)) |].
    { rewrite map_length. cbn. lia. }
    intros ws j X J. cbv beta in J. set (cs := map (typed i64_code) _) in J.
    eapply runs_weaken; [apply (runs_apply S typed ws _ _ _ [GTensor x; GTensor (Tensor [length l] cs)]) |].
    - constructor; [eapply knows_extends; eassumption |]. constructor; [exact J | constructor].
    - apply (gather_value S 0 x (length l) cs (map Z.of_nat l)); [rewrite D; cbn; lia | apply map_length | |].
      + unfold cs. rewrite !map_map. apply map_ext_in. intros j' I. apply counted. specialize (R j' I). lia.
      + intros z I. apply in_map_iff in I. destruct I as (j' & <- & I). specialize (R j' I). rewrite D. cbn [nth]. lia.
    - intros us h _ H. cbv beta in H. rewrite D in H. cbn [set_nth] in H.
      match type of H with knows us h (GTensor ?t) => assert (t = rows_of x l inner) as E; [| now rewrite E in H] end.
      unfold rows_of. apply tabulate_ext. intros i I. destruct i as [| z [| y [| w i]]]; try discriminate.
      + apply in_box_length in I. discriminate.
      + cbn [nth set_nth]. f_equal. f_equal. exact (map_nth Z.of_nat l 0 (Z.to_nat z)).
      + apply in_box_length in I. discriminate.
  Qed.

  (** Rows behind rows. *)
  Definition stacked (x t : tensor) (m n inner : nat) : tensor :=
    tabulate [m + n; inner] (fun i =>
      if (nth 0 i 0 <? Z.of_nat m)%Z then at_ x i else at_ t [nth 0 i 0 - Z.of_nat m; nth 1 i 0]%Z).

  Lemma runs_stacked vs (x t : tensor) j k m n inner : dims x = [m; inner] -> dims t = [n; inner] ->
    knows vs j (GTensor x) -> knows vs k (GTensor t) ->
    runs vs (apply "Concat" [("axis", nat_value 0)] [j; k]) (fun ws h => knows ws h (GTensor (stacked x t m n inner))).
  Proof.
    intros Dx Dt J K. apply (runs_apply S typed vs _ _ _ [GTensor x; GTensor t]); [repeat constructor; assumption |].
    change [GTensor x; GTensor t] with (map GTensor (x :: [t])).
    rewrite (concat_value S 0 x [t] [m + n; inner]).
    - do 2 f_equal. unfold stacked. apply tabulate_ext. intros i I. cbn [concat_cell]. rewrite Dx. cbn [nth].
      destruct i as [| z [| y [| w i]]]; try (apply in_box_length in I; discriminate). cbn [nth set_nth]. reflexivity.
    - rewrite Dx. cbn. lia.
    - rewrite Dx. cbn [map]. rewrite Dt. unfold concat_dims. cbn [length nth set_nth forallb fold_left].
      rewrite Nat.eqb_refl, sizes_eqb_refl. reflexivity.
  Qed.

  (** A row of the result: that of the last update, or X's. *)
  Lemma row_chosen (x u : tensor) rs count n inner r p : dims x = [count; inner] -> dims u = [n; inner] -> length rs = n ->
    r < count -> (0 <= p < Z.of_nat inner)%Z ->
    at_ (rows_of (stacked x (rows_of u (map (last_of rs) (firsts rs)) inner) count (length (firsts rs)) inner)
          (map (row_from count rs) (seq 0 count)) inner) [Z.of_nat r; p] =
    match last_update 0 rs r with Some k => at_ u [Z.of_nat k; p] | None => at_ x [Z.of_nat r; p] end.
  Proof.
    intros Dx Du L lt P. assert (B : forall m j, j < m -> in_box [m; inner] [Z.of_nat j; p] = true).
    { intros m j J. apply in_box_cons. split; [lia |]. apply in_box_cons. split; [exact P | reflexivity]. }
    unfold rows_of at 1. rewrite at_tabulate by (apply B; now rewrite map_length, seq_length). cbn [nth]. rewrite Nat2Z.id.
    rewrite (nth_map_lt (row_from count rs) (seq 0 count) r 0 0) by (rewrite seq_length; exact lt).
    rewrite seq_nth by exact lt. cbn [plus]. unfold row_from.
    destruct (has r rs) eqn:H.
    - apply has_in in H. pose proof (proj2 (firsts_in rs r) H) as F. destruct (place_of_spec r (firsts rs) F) as [Q N].
      unfold stacked. rewrite at_tabulate by (apply B; lia). cbn [nth].
      rewrite (proj2 (Z.ltb_ge _ _)) by lia. replace (Z.of_nat (count + place_of r (firsts rs)) - Z.of_nat count)%Z
        with (Z.of_nat (place_of r (firsts rs))) by lia.
      unfold rows_of. rewrite at_tabulate by (apply B; now rewrite map_length). cbn [nth]. rewrite Nat2Z.id.
      rewrite (nth_map_lt (last_of rs) (firsts rs) _ 0 0) by exact Q. rewrite N. unfold last_of.
      destruct (last_update_in rs r 0 H) as [k ->]. reflexivity.
    - assert (~ In r rs) as N by (intros I; apply has_in in I; congruence). rewrite last_update_out by exact N.
      unfold stacked. rewrite at_tabulate by (apply B; lia). cbn [nth]. now rewrite (proj2 (Z.ltb_lt _ _)) by lia.
  Qed.

  Lemma position_pair m inner j p : position [m; inner] [Z.of_nat j; p] = j * inner + Z.to_nat p.
  Proof. cbn [position cell_count fold_right]. rewrite Nat2Z.id. lia. Qed.

  Theorem scatter_nd_correct named batch rows (x u : tensor) b : good x -> good u ->
    scatter_nd_composition named batch rows (dims x) (dims u) = Some b ->
    exists y, onnx_scatter_nd S named batch rows x u = Some y /\ composed S typed b [x; u] = Some y.
  Proof.
    intros Gx Gu B. unfold scatter_nd_composition in B. unfold onnx_scatter_nd.
    set (ds := dims x) in *. set (d := firstn named ds) in *. set (count := cell_count d) in *.
    set (inner := cell_count (skipn named ds)) in *. set (n := cell_count batch) in *.
    set (rs := map (fun l => position d (named_index d l)) rows) in *. unfold guard in *.
    destruct (scatters named batch rows ds (dims u)) eqn:Sc; [| discriminate]. cbn [andb] in B.
    destruct ((1 <=? count) && (1 <=? inner) && (1 <=? n) && (N.of_nat count <=? most_rows)%N &&
              (N.of_nat n <=? most_rows)%N) eqn:Q; [| discriminate]. apply some_eq in B. subst b.
    apply andb_true_iff in Q. destruct Q as [Q Mn]. apply andb_true_iff in Q. destruct Q as [_ Mc].
    apply N.leb_le in Mn, Mc.
    unfold scatters in Sc. apply andb_true_iff in Sc. destruct Sc as [Sc Rows]. apply andb_true_iff in Sc.
    destruct Sc as [Sc Len].
    apply andb_true_iff in Sc. destruct Sc as [Sc Us]. apply Nat.eqb_eq in Len. apply sizes_eqb_iff in Us.
    rewrite forallb_forall in Rows.
    assert (Lrs : length rs = n) by (unfold rs; now rewrite map_length).
    assert (Cx : cell_count [count; inner] = cell_count ds).
    { transitivity (count * inner); [cbn; lia |]. unfold count, inner, d. rewrite <- cell_count_app. now rewrite firstn_skipn. }
    assert (Cu : cell_count [n; inner] = cell_count (dims u)) by (rewrite Us, cell_count_app; fold n inner; cbn; lia).
    eexists. split; [reflexivity |]. apply runs_composed.
    eapply runs_bind; [apply (runs_reshaped S typed (map GTensor [x; u]) [count; inner] x 0);
      [reflexivity | exact Gx | exact Cx] |].
    intros v1 j1 X1 K1. cbv beta in K1. set (x1 := Tensor [count; inner] (cells x)) in *.
    eapply runs_bind; [apply (runs_reshaped S typed v1 [n; inner] u 1); [| exact Gu | exact Cu] |].
    { eapply knows_extends; [| exact X1]. reflexivity. }
    intros v2 j2 X2 K2. cbv beta in K2. set (u1 := Tensor [n; inner] (cells u)) in *.
    eapply runs_bind; [apply (runs_taken v2 u1 j2 (map (last_of rs) (firsts rs)) n inner); [reflexivity | lia | | exact K2] |].
    { intros j I. apply in_map_iff in I. destruct I as (r & <- & I). rewrite <- Lrs. now apply last_of_lt, firsts_in. }
    intros v3 j3 X3 K3. cbv beta in K3. set (t := rows_of u1 _ inner) in *.
    eapply runs_bind; [apply (runs_stacked v3 x1 t j1 j3 count (length (firsts rs)) inner); [reflexivity | | | exact K3] |].
    { unfold t, rows_of. cbn [dims tabulate]. now rewrite map_length. }
    { eapply knows_extends; [eapply knows_extends |]; eassumption. }
    intros v4 j4 X4 K4. cbv beta in K4. set (c := stacked x1 t _ _ inner) in *.
    pose proof (firsts_length rs) as Fl.
    eapply runs_bind; [apply (runs_taken v4 c j4 (map (row_from count rs) (seq 0 count)) (count + length (firsts rs)) inner);
      [reflexivity | lia | | exact K4] |].
    { intros j I. apply in_map_iff in I. destruct I as (r & <- & I). apply in_seq in I. unfold row_from.
      destruct (has r rs) eqn:H; [| lia]. apply has_in, firsts_in in H. apply place_of_lt in H. lia. }
    intros v5 j5 X5 K5. cbv beta in K5. set (y := rows_of c _ inner) in *.
    assert (Dy : dims y = [count; inner]) by (unfold y, rows_of; cbn [dims tabulate]; now rewrite map_length, seq_length).
    rewrite <- Dy.
    eapply runs_weaken; [apply (runs_reshaped S typed v5 ds y j5); [exact K5 | apply good_tabulate | now rewrite Dy] |].
    intros v6 j6 _ K6. cbv beta in K6.
    match goal with |- knows v6 j6 (GTensor ?w) => assert (Tensor ds (cells y) = w) as E; [| now rewrite E in K6] end.
    apply (tensor_ext (s_zero S)); [| apply good_tabulate | reflexivity |].
    { unfold good. cbn [dims cells]. rewrite <- Cx, <- Dy. apply good_tabulate. }
    cbn [dims tabulate]. intros i I. change (get (s_zero S) (Tensor ds (cells y)) i) with (at_ (Tensor ds (cells y)) i).
    rewrite get_tabulate by exact I.
    set (r := position d (firstn named i)). set (p := Z.of_nat (position (skipn named ds) (skipn named i))).
    assert (Id : in_box d (firstn named i) = true) by now apply in_box_firstn.
    assert (Is : in_box (skipn named ds) (skipn named i) = true) by now apply in_box_skipn.
    assert (Pr : r < count) by now apply position_lt.
    assert (Pp : (0 <= p < Z.of_nat inner)%Z) by (pose proof (position_lt _ _ Is); unfold p, inner; lia).
    assert (Pi : position ds i = r * inner + Z.to_nat p).
    { unfold p, inner, r. rewrite Nat2Z.id, <- position_app by (now apply in_box_length). unfold d. now rewrite !firstn_skipn. }
    assert (Bx : forall m k, k < m -> in_box [m; inner] [Z.of_nat k; p] = true).
    { intros m k lt. apply in_box_cons. split; [lia |]. apply in_box_cons. split; [exact Pp | reflexivity]. }
    rewrite (at_recast S ds y i [Z.of_nat r; p] I) by (rewrite Dy; [now apply Bx || now rewrite position_pair]).
    unfold y, c, t. rewrite (row_chosen x1 u1 rs count n inner r p) by (try reflexivity; assumption).
    rewrite box_as_seq, fold_left_map. fold n. rewrite <- Lrs.
    rewrite (fold_left_ext_in _ (fun a k => if nth k rs 0 =? r then at_ u1 [Z.of_nat (0 + k); p] else a)).
    - rewrite (last_update_spec (fun k => at_ u1 [Z.of_nat k; p]) r rs 0).
      destruct (last_update 0 rs r) as [k |]; [reflexivity |].
      unfold x1. apply at_recast; [now apply Bx | exact I | now rewrite position_pair].
    - intros a k Ik. apply in_seq in Ik. cbn [plus]. destruct (index_at_spec batch k ltac:(fold n; lia)) as [Bk Pk]. rewrite Pk.
      assert (Row : In (nth k rows []) rows) by (apply nth_In; fold n in Len; lia).
      specialize (Rows _ Row). apply andb_true_iff in Rows. destruct Rows as [_ Ni].
      assert (nth k rs 0 = position d (named_index d (nth k rows []))) as ->.
      { unfold rs. apply (nth_map_lt (fun l => position d (named_index d l)) rows k [] 0). fold n in Len. lia. }
      assert (index_eqb (named_index d (nth k rows [])) (firstn named i) =
              (position d (named_index d (nth k rows [])) =? r)) as ->.
      { unfold index_eqb. destruct (list_eq_dec Z.eq_dec _ _) as [-> | ne]; [symmetry; apply Nat.eqb_refl |].
        symmetry. apply Nat.eqb_neq. intros E. apply ne. now apply (position_inj d). }
      destruct (position d (named_index d (nth k rows [])) =? r); [| reflexivity].
      symmetry. unfold u1. apply at_recast.
      + apply Bx. lia.
      + rewrite Us. rewrite in_box_app by (now apply in_box_length). now rewrite Bk, Is.
      + rewrite position_pair, Us, position_app by (now apply in_box_length). rewrite Pk. unfold p. rewrite Nat2Z.id. reflexivity.
  Qed.
End Correct.

(** Places of rows are counted in graphs that mix element types. *)
Lemma mixed_counts (n : nat) : (N.of_nat n <= 2 * most_rows)%N ->
  s_index (mixed standard) (Steps.typed (mixed standard) i64_code (LInt (Z.of_nat n))) = Some (Z.of_nat n).
Proof.
  intros le. change (Some (wrap (Z.of_nat n)) = Some (Z.of_nat n)). unfold wrap, least.
  rewrite Z.mod_small by (unfold most_rows in le; lia). f_equal. lia.
Qed.

Corollary scatter_nd_mixed named batch rows (x u : tensor (num (mixed standard))) b : good x -> good u ->
  scatter_nd_composition named batch rows (dims x) (dims u) = Some b ->
  exists y, onnx_scatter_nd (mixed standard) named batch rows x u = Some y /\
    composed (mixed standard) (Steps.typed (mixed standard)) b [x; u] = Some y.
Proof. exact (scatter_nd_correct (mixed standard) _ mixed_counts named batch rows x u b). Qed.

(** ** An instance: of two updates of the last row the later one holds *)

Example scatter_nd_example : let x := Tensor [3; 2] [1; 2; 3; 4; 5; 6]%Z in let u := Tensor [3; 2] [10; 11; 20; 21; 30; 31]%Z in
  let typed (_ : Z) c := literal_value integers c in let rows := [[2]; [0]; [-1]]%Z in
  option_map (fun b => composed integers typed b [x; u]) (scatter_nd_composition 1 [3] rows [3; 2] [3; 2]) =
    Some (Some (Tensor [3; 2] [20; 21; 3; 4; 30; 31]%Z)) /\
  onnx_scatter_nd integers 1 [3] rows x u = Some (Tensor [3; 2] [20; 21; 3; 4; 30; 31]%Z).
Proof. split; reflexivity. Qed.
