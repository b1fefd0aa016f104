(** * GroupNormalization

    The channels of each group are normalised together, then scaled and shifted: by a number for each channel from opset 21 on,
      for
    each group before.  The composition (c/onnx/expand_reduce.c) makes the groups the channels of an InstanceNormalization that
    scales by 1 and adds 0, which is nothing over numbers with that law ([neutral]): a ring has it, and floats but for -0, which
    becomes 0.  binary32, of a batch of images that are not empty; other stash types stay GroupNormalization. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsNorm tensor.OpTable tensor.Algebra tensor.Channel tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.Tables onnx.Reduced onnx.ReduceProd.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

(** [late]: scale and bias are of channels.  [epsilon] is a binary64. *)
Definition group_fits (late : bool) (groups : nat) (epsilon : N) (ds scale bias : sizes) : bool :=
  let c := nth 1 ds 0 in
  let want := [if late then c else groups] in
  (3 <=? length ds) && negb (cell_count ds =? 0) && (1 <=? groups) && (c mod groups =? 0) && not_negative epsilon &&
  sizes_eqb scale want && sizes_eqb bias want.

(** (x - mean) / sqrt (variance + epsilon) of a group's cells, scaled and shifted. *)
Definition onnx_group_normalization (S : arith) (late : bool) (groups : nat) (epsilon : N) (x scale bias : tensor (num S)) :
    option (tensor (num S)) :=
  let share := nth 1 (dims x) 0 / groups in
  guard (group_fits late groups epsilon (dims x) (dims scale) (dims bias)) (table S (Some (dims x)) (fun _ i =>
    let p := [if late then nth 1 i 0%Z else (nth 1 i 0 / Z.of_nat share)%Z] in
    let y := standard S epsilon (share :: skipn 2 (dims x)) (group_fellows S share x i) (at_ S x i) in
    s_add S (s_mul S y (at_ S scale p)) (at_ S bias p))).

(** ** The composition *)

Definition per_channel (late : bool) (groups share rest k : nat) : build nat :=
  let c := groups * share in
  let want := c :: repeat 1 rest in
  if late then reshaped [c] want k
  else a <- reshaped [groups] [groups; 1] k ;; b <- apply "Expand" [("shape", nats_value [groups; share])] [a] ;;
       reshaped [groups; share] want b.

Definition group_normalization_composition (late : bool) (groups : nat) (epsilon : N) (ds scale bias : sizes) :
    option (build nat) :=
  let share := nth 1 ds 0 / groups in
  let rest := length ds - 2 in
  let three := [nth 0 ds 0; groups; share * cell_count (skipn 2 ds)] in
  guard (group_fits late groups epsilon ds scale bias)
    (Some (x <- reshaped ds three 0 ;;
           one <- constant f32_code [groups] (repeat (LInt 1) (cell_count [groups])) ;;
           zero <- constant f32_code [groups] (repeat (LInt 0) (cell_count [groups])) ;;
           y <- apply "InstanceNormalization" [("epsilon", VFloat epsilon)] [x; one; zero] ;;
           y <- reshaped three ds y ;; s <- per_channel late groups share rest 1 ;; y <- times y s ;;
           b <- per_channel late groups share rest 2 ;; plus y b)).

(** ** Cells in one row *)

Section Flat.
  Variable S : arith.

  Lemma single_count ns : single ns = (cell_count ns =? 1).
  Proof.
    induction ns as [| n ns IH]; [reflexivity |]. change (single (n :: ns)) with ((1 =? n) && single ns). rewrite IH.
    change (cell_count (n :: ns)) with (n * cell_count ns). destruct (Nat.eqb_spec 1 n) as [<- | ne]; cbn [andb].
    - now rewrite Nat.mul_1_l.
    - symmetry. apply Nat.eqb_neq. intros E. apply Nat.eq_mul_1 in E. lia.
  Qed.

  Definition flat (ns : sizes) (f : list Z -> num S) (k : list Z) : num S := f (index_at ns (Z.to_nat (nth 0 k 0%Z))).

  Lemma s_sum_flat ns f : s_sum S ns f = s_sum S [cell_count ns] (flat ns f).
  Proof.
    unfold s_sum. rewrite !single_count. cbn [cell_count fold_right]. rewrite Nat.mul_1_r. fold (cell_count ns).
    destruct (Nat.eqb_spec (cell_count ns) 1) as [O | _].
    - unfold flat. cbn [map nth]. change (Z.to_nat 0) with 0. f_equal. pose proof (single_count ns) as E. rewrite O in E.
      cbn in E.
      pose proof (single_box ns E) as B. rewrite box_as_seq, O in B. cbn in B. injection B as B. now rewrite B.
    - unfold reduce. rewrite (box_as_seq ns), (box_as_seq [cell_count ns]), !fold_left_map. cbn [cell_count fold_right].
      rewrite Nat.mul_1_r. fold (cell_count ns). apply fold_left_ext_in. intros a k _. unfold flat. do 3 f_equal.
      cbn [index_at cell_count fold_right nth]. now rewrite Nat.div_1_r, Nat2Z.id.
  Qed.

  Lemma standard_flat epsilon ns f a : standard S epsilon ns f a = standard S epsilon [cell_count ns] (flat ns f) a.
  Proof.
    unfold standard, variance_of, mean_of. rewrite (s_sum_flat ns f).
    assert (cell_count [cell_count ns] = cell_count ns) as -> by (cbn; lia).
    set (m := over_count S _ _). rewrite (s_sum_flat ns (fun k => _)). reflexivity.
  Qed.

  Lemma standard_ext epsilon ns f g a : (forall k, in_box ns k = true -> f k = g k) ->
    standard S epsilon ns f a = standard S epsilon ns g a.
  Proof.
    intros E. unfold standard, variance_of, mean_of. rewrite (s_sum_ext S ns f g E). do 4 f_equal.
    apply s_sum_ext. intros k K. now rewrite E.
  Qed.
End Flat.

(** ** It computes the formula *)

(** Nothing is scaled by 1 and shifted by 0. *)
Definition neutral (S : arith) (typed : Z -> literal -> num S) : Prop :=
  forall a, s_add S (s_mul S a (typed f32_code (LInt 1))) (typed f32_code (LInt 0)) = a.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis law : neutral S typed.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Notation runs := (runs S typed).
  Notation shows := (shows S).

  Lemma runs_instance_norm vs x o z epsilon n g r f : not_negative epsilon = true -> shows vs x [n; g; r] f ->
    shows vs o [g] (fun _ => typed f32_code (LInt 1)) -> shows vs z [g] (fun _ => typed f32_code (LInt 0)) ->
    runs vs (apply "InstanceNormalization" [("epsilon", VFloat epsilon)] [x; o; z]) (fun ws k => shows ws k [n; g; r] (fun i =>
      standard S epsilon [r] (fun k => f [nth 0 i 0; nth 1 i 0; nth 0 k 0]%Z) (f i))).
  Proof.
    intros E X O Z_. eapply runs_shows.
    - eapply (runs_value S typed vs "InstanceNormalization" _ [x; o; z] [_; _; _]).
      { constructor; [exact X |]. constructor; [exact O |]. constructor; [exact Z_ | constructor]. }
      cbn [map]. set (tx := tabulate [n; g; r] f). set (tone := tabulate [g] _). set (tzero := tabulate [g] _).
      change (op_value S "InstanceNormalization" [("epsilon", VFloat epsilon)] [GTensor tx; GTensor tone; GTensor tzero]) with
        (OpTable.one (let? e := guard (not_negative epsilon) (Some epsilon) in instance_norm S e tx tone tzero)).
      rewrite E. cbn [guard]. unfold instance_norm, per_channel_dims. cbn [dims tabulate channels tx tone tzero].
      unfold is_vector. rewrite sizes_eqb_refl. cbn [length Nat.leb andb guard table OpTable.one]. reflexivity.
    - intros ws k. apply shows_ext. intros i I. apply in_box_head in I. destruct I as (a & j & -> & A & I).
      apply in_box_two in I. destruct I as (b & c & -> & B & C). unfold scale_channel. cbn [nth].
      rewrite !(at_table S [g]) by (apply in_box_cons; split; [exact B | reflexivity]). rewrite law.
      cbn [seq map Nat.leb length marked].
      assert (J : forall y, (0 <= y < Z.of_nat r)%Z -> in_box [n; g; r] [a; b; y] = true)
        by (intros y Y; apply in_box_cons; split; [exact A |]; now apply in_box_pair).
      rewrite at_table by (now apply J). apply standard_ext. intros k' K. apply in_box_one in K. destruct K as (y & -> & Y).
      unfold fellows, unmarked. cbn [dims tabulate length seq map Nat.leb negb marked weave nth].
      rewrite at_table by (now apply J). reflexivity.
  Qed.

  (** A number for each channel, or for each group. *)
  Lemma runs_per_channel vs (late : bool) groups share rest k v : good v -> dims v = [if late then groups * share else groups] ->
    0 < share -> knows S vs k (GTensor v) ->
    runs vs (per_channel late groups share rest k) (fun ws j => shows ws j (groups * share :: repeat 1 rest)
      (fun i => at_ v [if late then nth 0 i 0%Z else (nth 0 i 0 / Z.of_nat share)%Z])).
  Proof.
    intros G D P K. apply (shows_tensor S) in K; [| exact G]. rewrite D in K. unfold per_channel.
    assert (H : forall i, in_box (groups * share :: repeat 1 rest) i = true ->
              (0 <= nth 0 i 0 < Z.of_nat (groups * share))%Z /\
              position (groups * share :: repeat 1 rest) i = Z.to_nat (nth 0 i 0%Z)).
    { intros i I. apply in_box_head in I. destruct I as (z & j & -> & Z0 & J). split; [exact Z0 |]. cbn [position nth].
      rewrite cell_count_ones. apply position_lt in J. rewrite cell_count_ones in J. lia. }
    assert (C : forall m, cell_count (m :: repeat 1 rest) = m)
      by (intros m; change (m * cell_count (repeat 1 rest) = m); rewrite cell_count_ones; lia).
    destruct late.
    - eapply runs_shows; [eapply (runs_recast S typed vs k [groups * share] _ _); [rewrite C; cbn; lia | exact K] |].
      intros ws j. apply shows_ext. intros i I. destruct (H i I) as [Z0 ->]. f_equal. cbn [index_at cell_count fold_right].
      rewrite Nat.div_1_r. f_equal. lia.
    - eapply runs_bind; [eapply (runs_recast S typed vs k [groups] [groups; 1] _); [cbn; lia | exact K] |].
      intros ws a _ A. cbv beta in A. eapply runs_bind.
      { eapply (runs_value S typed ws "Expand" _ [a] [_]); [repeat constructor; exact A |]. cbn [map].
        apply (expand_value S _ [groups; share] [groups; share]). cbn [dims tabulate]. rewrite broadcast_comm.
        unfold broadcast. cbn [length Nat.max]. unfold lead. cbn [length Nat.sub repeat app]. apply agree_or_one.
        constructor; [now left |]. constructor; [now right | constructor]. }
      intros us b _ B. cbv beta in B.
      eapply runs_shows; [eapply (runs_recast S typed us b [groups; share] _ _); [rewrite C; cbn; lia | exact B] |].
      intros ts j. apply shows_ext. intros i I. destruct (H i I) as [Z0 ->]. set (z := nth 0 i 0%Z) in *.
      cbn [index_at cell_count fold_right]. rewrite Nat.mul_1_r, Nat.div_1_r.
      assert (Z.of_nat (Z.to_nat z / share) = z / Z.of_nat share)%Z as -> by (rewrite Nat2Z.inj_div; f_equal; lia).
      assert (Q : (0 <= z / Z.of_nat share < Z.of_nat groups)%Z).
      { split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; nia. }
      unfold spread_at, spread. cbn [dims tabulate length Nat.sub skipn clip]. rewrite Nat.eqb_refl.
      assert ((if 1 =? share then Z.of_nat (Z.to_nat z mod share) else 0%Z) = 0%Z) as ->
        by (destruct (Nat.eqb_spec 1 share) as [<- |]; reflexivity).
      rewrite at_table by (apply in_box_pair; lia). f_equal. cbn [index_at position cell_count fold_right Nat.mul].
      rewrite Nat.div_1_r. f_equal. lia.
  Qed.

  (** A number for each channel with an image. *)
  Lemma runs_with_channels vs name h x y n c sp f g : look_up String.eqb (operators S) name = Some (binary S h) ->
    shows vs x (n :: c :: sp) f -> shows vs y (c :: repeat 1 (length sp)) (fun j => g (nth 0 j 0%Z)) ->
    runs vs (apply name [] [x; y]) (fun ws k => shows ws k (n :: c :: sp) (fun i => h (f i) (g (nth 1 i 0%Z)))).
  Proof.
    intros N X Y. set (ds := n :: c :: sp) in *. set (p := c :: repeat 1 (length sp)) in *.
    assert (B : broadcast ds p = Some ds).
    { unfold broadcast, ds, p. cbn [length]. rewrite repeat_length, Nat.max_l by lia. unfold lead. cbn [length].
      rewrite repeat_length, Nat.sub_diag. replace (Datatypes.S (Datatypes.S (length sp)) - Datatypes.S (length sp)) with 1 by
        lia.
      cbn [repeat app]. apply agree_or_one. constructor; [now right |]. constructor; [now left |].
      clear. induction sp; constructor; auto. }
    eapply runs_shows.
    - eapply (runs_value S typed vs name [] [x; y] [_; _]); [constructor; [exact X | constructor; [exact Y | constructor]] |].
      apply (binary_value S name h [] _ _ ds N). exact B.
    - intros ws k. apply shows_ext. intros i I. rewrite spread_same_at by exact I. rewrite at_table by exact I. f_equal.
      pose proof I as I'. apply in_box_head in I'. destruct I' as (a & j & -> & A & J). apply in_box_head in J.
      destruct J as (z & t & -> & Z0 & T). unfold spread_at, spread. cbn [dims tabulate]. unfold ds, p. cbn [length].
      rewrite repeat_length.
      replace (Datatypes.S (Datatypes.S (length sp)) - Datatypes.S (length sp)) with 1 by lia. cbn [skipn clip nth].
      rewrite Nat.eqb_refl, clip_ones by exact T. rewrite at_table; [reflexivity |].
      apply in_box_cons. split; [exact Z0 | apply zeros_in_box].
  Qed.

  (** A cell among its group's, in one row. *)
  Lemma group_place n groups share sp a z t k : (0 <= a < Z.of_nat n)%Z -> (0 <= z < Z.of_nat (groups * share))%Z ->
    in_box sp t = true -> 0 < share -> k < share * cell_count sp ->
    let u := (Z.of_nat (k / cell_count sp) + z / Z.of_nat share * Z.of_nat share)%Z in
    index_at (n :: groups * share :: sp)
      (position [n; groups; share * cell_count sp] [a; z / Z.of_nat share; Z.of_nat k]%Z) =
    a :: u :: index_at sp (k mod cell_count sp).
  Proof.
    intros A Z0 T P K u. assert (c0 : cell_count sp <> 0) by (pose proof (position_lt _ _ T); lia).
    destruct (index_at_spec sp (k mod cell_count sp) ltac:(now apply Nat.mod_upper_bound)) as [B E].
    assert (Q : (0 <= z / Z.of_nat share < Z.of_nat groups)%Z).
    { split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; nia. }
    assert (D : k / cell_count sp < share) by (apply Nat.div_lt_upper_bound; lia).
    assert (U : (0 <= u < Z.of_nat (groups * share))%Z) by (unfold u; nia).
    rewrite <- (index_at_position (n :: groups * share :: sp) (a :: u :: _)).
    - f_equal. cbn [position cell_count fold_right]. fold (cell_count sp). rewrite E, Nat2Z.id.
      pose proof (Nat.div_mod k (cell_count sp) c0) as M.
      assert (Z.to_nat u = k / cell_count sp + Z.to_nat (z / Z.of_nat share) * share) as -> by (unfold u; nia).
      nia.
    - apply in_box_cons. split; [exact A |]. apply in_box_cons. split; [exact U | exact B].
  Qed.

  Theorem group_normalization_correct late groups epsilon (x scale bias : tensor) b : good x -> good scale -> good bias ->
    group_normalization_composition late groups epsilon (dims x) (dims scale) (dims bias) = Some b ->
    exists y, onnx_group_normalization S late groups epsilon x scale bias = Some y /\
      composed S typed b [x; scale; bias] = Some y.
  Proof.
    intros Gx Gs Gb B. unfold group_normalization_composition, guard in B. unfold onnx_group_normalization, guard.
    destruct (group_fits late groups epsilon (dims x) (dims scale) (dims bias)) eqn:F; [| discriminate].
    apply some_eq in B. subst b. eexists. split; [reflexivity |]. unfold group_fits in F. rewrite !andb_true_iff in F.
    destruct F as [[[[[[L E0] G1] M] Ep] Ds] Db]. apply Nat.leb_le in L, G1. apply negb_true_iff, Nat.eqb_neq in E0.
    apply Nat.eqb_eq in M. apply sizes_eqb_iff in Ds, Db.
    assert (X0 : shows (map (@GTensor _) [x; scale; bias]) 0 (dims x) (at_ x)) by (apply shows_tensor; [exact Gx | reflexivity]).
    destruct (dims x) as [| n [| c sp]] eqn:Dx; [cbn in L; lia | cbn in L; lia |].
    cbn [nth skipn length] in *. set (share := c / groups) in *.
    assert (c = groups * share) as Ec by (unfold share; pose proof (Nat.div_mod c groups ltac:(lia)); lia).
    clearbody share. subst c. assert (P : 0 < share) by (cbn in E0; nia).
    replace (Datatypes.S (Datatypes.S (length sp)) - 2) with (length sp) by lia.
    set (r := share * cell_count sp) in *. set (ds := n :: groups * share :: sp) in *.
    assert (C : cell_count [n; groups; r] = cell_count ds).
    { unfold ds, r. cbn [cell_count fold_right]. fold (cell_count sp). ring. }
    assert (K1 : knows S (map (@GTensor _) [x; scale; bias]) 1 (GTensor scale)) by reflexivity.
    assert (K2 : knows S (map (@GTensor _) [x; scale; bias]) 2 (GTensor bias)) by reflexivity.
    apply runs_composed. eapply runs_bind; [eapply (runs_recast S typed _ 0 ds [n; groups; r] _ C X0) |].
    intros v1 x1 E1 X1. cbv beta in X1.
    eapply runs_bind; [apply (runs_filled S typed v1 f32_code [groups] (LInt 1) _ eq_refl) |]. intros v2 one E2 One.
    cbv beta in One.
    eapply runs_bind; [apply (runs_filled S typed v2 f32_code [groups] (LInt 0) _ eq_refl) |]. intros v3 zero E3 Zero.
    cbv beta in Zero.
    eapply runs_bind; [apply (runs_instance_norm v3 x1 one zero epsilon n groups r _ Ep
      (shows_extends S _ _ _ _ _ X1 (extends_trans S _ _ _ E2 E3)) (shows_extends S _ _ _ _ _ One E3) Zero) |].
    intros v4 y E4 Y. cbv beta in Y.
    eapply runs_bind; [eapply (runs_recast S typed v4 y [n; groups; r] ds _ (eq_sym C) Y) |]. intros v5 w E5 W. cbv beta in W.
    assert (X05 : extends S (map (@GTensor _) [x; scale; bias]) v5)
      by (repeat (eapply extends_trans; [eassumption |]); apply extends_refl).
    eapply runs_bind; [apply (runs_per_channel v5 late groups share (length sp) 1 scale Gs Ds P
      (knows_extends S _ _ _ _ K1 X05)) |].
    intros v6 s E6 Sc. cbv beta in Sc.
    eapply runs_bind; [eapply (runs_with_channels v6 "Mul" (s_mul S) w s n _ sp _ (fun z => at_ scale
      [if late then z else (z / Z.of_nat share)%Z]) eq_refl (shows_extends S _ _ _ _ _ W E6) Sc) |].
    intros v7 p E7 Pr. cbv beta in Pr.
    eapply runs_bind; [apply (runs_per_channel v7 late groups share (length sp) 2 bias Gb Db P
      (knows_extends S _ _ _ _ K2 (extends_trans S _ _ _ X05 (extends_trans S _ _ _ E6 E7)))) |].
    intros v8 q E8 Bi. cbv beta in Bi.
    eapply runs_shows; [eapply (runs_with_channels v8 "Add" (s_add S) p q n _ sp _ (fun z => at_ bias
      [if late then z else (z / Z.of_nat share)%Z]) eq_refl (shows_extends S _ _ _ _ _ Pr E8) Bi) |].
    intros ws k. apply shows_ext. intros i I. f_equal. f_equal.
    apply in_box_head in I. destruct I as (a & i' & -> & A & I). apply in_box_head in I. destruct I as (z & t & -> & Z0 & T).
    assert (c0 : cell_count sp <> 0) by (pose proof (position_lt _ _ T); lia).
    set (k0 := Z.to_nat (z mod Z.of_nat share) * cell_count sp + position sp t).
    assert (Zm : (0 <= z mod Z.of_nat share < Z.of_nat share)%Z) by (apply Z.mod_pos_bound; lia).
    pose proof (position_lt _ _ T) as Pt. assert (K0 : k0 < r) by (unfold k0, r; nia).
    assert (I3 : index_at [n; groups; r] (position ds (a :: z :: t)) = [a; z / Z.of_nat share; Z.of_nat k0]%Z).
    { rewrite <- (index_at_position [n; groups; r] [a; z / Z.of_nat share; Z.of_nat k0]%Z).
      - f_equal. unfold ds. cbn [position cell_count fold_right]. fold (cell_count sp). rewrite Nat2Z.id. unfold k0, r.
        pose proof (Z.div_mod z (Z.of_nat share) ltac:(lia)) as Dz.
        assert (Z.to_nat z = Z.to_nat (z / Z.of_nat share) * share + Z.to_nat (z mod Z.of_nat share)) as ->.
        { assert (0 <= z / Z.of_nat share)%Z by (apply Z.div_pos; lia). nia. }
        nia.
      - apply in_box_cons. split; [exact A |]. apply in_box_pair; [| lia].
        split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; nia. }
    rewrite I3. cbn [nth]. rewrite (standard_flat S epsilon (share :: sp)).
    assert (cell_count (share :: sp) = r) as -> by reflexivity.
    assert (at_ x (index_at ds (position [n; groups; r] [a; z / Z.of_nat share; Z.of_nat k0]%Z)) = at_ x (a :: z :: t)) as ->.
    { rewrite <- I3. destruct (index_at_spec [n; groups; r] (position ds (a :: z :: t))) as [_ Pq].
      - rewrite C. apply position_lt. apply in_box_cons. split; [exact A |]. apply in_box_cons. now split.
      - rewrite Pq. f_equal. apply index_at_position. apply in_box_cons. split; [exact A |]. apply in_box_cons. now split. }
    apply standard_ext. intros k' K. apply in_box_one in K. destruct K as (y' & -> & Y'). cbn [nth]. unfold flat. cbn [nth].
    rewrite <- (Z2Nat.id y') at 1 by lia. unfold ds, r.
    rewrite (group_place n groups share sp a z t (Z.to_nat y') A Z0 T P) by lia.
    unfold group_fellows. cbn [index_at]. do 3 f_equal. ring.
  Qed.
End Correct.

(** ** Numbers with the law *)

Theorem ring_neutral S typed : ring_laws S -> typed f32_code (LInt 1) = s_one S -> typed f32_code (LInt 0) = s_zero S ->
  neutral S typed.
Proof.
  intros [R _ _] E F a. rewrite E, F. rewrite (Rmul_comm R), (Rmul_1_l R), (Radd_comm R). apply (Radd_0_l R).
Qed.

(** ** An instance: two groups of two channels *)

Example group_normalization_example : let x := Tensor [1; 4; 2] [1; 3; 5; 7; 20; 40; 60; 80]%Z in
  let typed (_ : Z) c := literal_value integers c in
  option_map (fun b => composed integers typed b [x; Tensor [2] [2; 3]%Z; Tensor [2] [100; 200]%Z])
    (group_normalization_composition false 2 0 [1; 4; 2] [2] [2]) =
  Some (onnx_group_normalization integers false 2 0 x (Tensor [2] [2; 3]%Z) (Tensor [2] [100; 200]%Z)).
Proof. reflexivity. Qed.
