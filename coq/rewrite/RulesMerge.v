(** * Sets merge and pairs: operators of one input become one, whose result is split *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Rewrite rewrite.Check rewrite.Facts.
From Calque Require Import rewrite.Sound rewrite.SoundRule rewrite.SoundBuild rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library rewrite.RulesSimplify rewrite.RulesMany.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.IndexProof tensor.Concat tensor.LawsMerge.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Shapes in expressions *)

Lemma naturals_length vs ds : traverse natural vs = Some ds -> List.length vs = List.length ds.
Proof.
  revert ds. induction vs as [| v vs IH]; intros ds H; simpl in H; [now injection H as <- |].
  destruct (natural v); [| discriminate]. destruct (traverse natural vs) as [es |]; [| discriminate].
  injection H as <-. simpl. f_equal. now apply IH.
Qed.

Lemma naturals_nth vs ds k : traverse natural vs = Some ds -> k < List.length ds ->
  nth_error vs k = Some (VInt (Z.of_nat (nth k ds 0))).
Proof.
  revert ds k. induction vs as [| v vs IH]; intros ds k H lt; simpl in H; [injection H as <-; simpl in lt; lia |].
  destruct v as [| | z | | |]; try discriminate. simpl in H. destruct (Z.leb_spec 0 z) as [pos |]; [| discriminate].
  destruct (traverse natural vs) as [es |]; [| discriminate]. injection H as <-. destruct k as [| k].
  - simpl. now rewrite Z2Nat.id.
  - exact (IH es k eq_refl ltac:(simpl in lt; lia)).
Qed.

(** [x.shape[k]] is the size along dimension [k]. *)
Lemma shape_index s ds k b : shape_of s = Some ds -> k < List.length ds ->
  match s with VTuple vs => tuple_index vs (Z.of_nat k) | _ => None end = Some b -> b = VInt (Z.of_nat (nth k ds 0)).
Proof.
  unfold shape_of. destruct s as [| | | | | vs]; try discriminate. intros H lt. unfold tuple_index.
  rewrite (naturals_length vs ds H).
  destruct (Z.leb_spec 0 (Z.of_nat k)); [| lia]. destruct (Z.ltb_spec (Z.of_nat k) (Z.of_nat (List.length ds))); [| lia].
  cbn [andb]. rewrite Nat2Z.id, (naturals_nth vs ds k H lt). congruence.
Qed.

Lemma natural_of n : natural (VInt (Z.of_nat n)) = Some n.
Proof. simpl. destruct (Z.leb_spec 0 (Z.of_nat n)); [now rewrite Nat2Z.id | lia]. Qed.

Lemma shape_of_sizes ns : shape_of (VTuple (map (fun n => VInt (Z.of_nat n)) ns)) = Some ns.
Proof.
  simpl. induction ns as [| n ns IH]; [reflexivity |]. cbn [map traverse]. now rewrite natural_of, IH.
Qed.

Lemma axis_written l d r k :
  attribute l "axis"%string = Some (VInt (Z.of_nat k)) -> k < r -> axis_attr l "axis"%string d r r = Some k.
Proof.
  intros E lt. unfold axis_attr, int_attr, attr_or. rewrite E. cbn. unfold axis_of.
  destruct (Z.leb_spec (- Z.of_nat r) (Z.of_nat k)); [| lia]. destruct (Z.ltb_spec (Z.of_nat k) (Z.of_nat r)); [| lia].
  cbn [andb]. destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. now rewrite Nat2Z.id.
Qed.

(** ** The nodes of the targets *)

Section Nodes.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation tensor := (tensor (num S)).
  Notation calls := (calls (tensors S inputs constants shapes)).

  Lemma concat_made k (x : tensor) l c :
    concat S k x l = Some c -> good c -> k < List.length (dims x) ->
    calls "Concat"%string [("axis"%string, VInt (Z.of_nat k))] (strip (map Of (x :: l))) = Some (Of c).
  Proof.
    intros C G lt. rewrite strip_present by (intros v inv; apply in_map_iff in inv; now destruct inv as (t & <- & _)).
    rewrite <- (strip_present (map Of (x :: l))) by (intros v inv; apply in_map_iff in inv; now destruct inv as (t & <- & _)).
    eapply any_intro; [reflexivity | | split; [exact G | reflexivity]].
    assert (axis_in [("axis"%string, VInt (Z.of_nat k))] None (dims x) = Some k) as A by now apply axis_written.
    cbv beta. rewrite A. exact C.
  Qed.

  Lemma split_made k s ns (x : tensor) ts :
    split S k ns x = Some ts -> Forall good ts -> shape_of s = Some ns -> k < List.length (dims x) ->
    calls "Split"%string [("axis"%string, VInt (Z.of_nat k)); ("split"%string, s)] (strip [Of x]) = Some (Fields ts).
  Proof.
    intros Sp G Sh lt. eapply split_intro; [| exact Sp | exact G].
    unfold split_params, axis_in. rewrite (axis_written [("axis"%string, VInt (Z.of_nat k)); ("split"%string, s)] (Some 0%Z) (List.length (dims x)) k eq_refl lt).
    unfold sizes_attr, attr_or. cbn. now rewrite Sh.
  Qed.

  (** Products of [a] with [ws], by one. *)
  Lemma products_made q r (a w : tensor) wr ys y0 s :
    (forall v, In v (w :: wr) -> exists n, dims v = q ++ [r; n]) ->
    List.length ys = List.length (w :: wr) -> nth_error ys 0 = Some y0 ->
    (forall k v y, nth_error (w :: wr) k = Some v -> nth_error ys k = Some y -> matmul S a v = Some y) ->
    shape_of s = Some (map (along S (List.length q + 1)) (w :: wr)) ->
    exists W Y,
      calls "Concat"%string [("axis"%string, VInt (Z.of_nat (List.length q + 1)))] (strip (map Of (w :: wr))) = Some (Of W) /\
      calls "MatMul"%string [] (strip [Of a; Of W]) = Some (Of Y) /\
      calls "Split"%string [("axis"%string, VInt (Z.of_nat (List.length (dims y0) - 1))); ("split"%string, s)]
        (strip [Of Y]) = Some (Fields ys).
  Proof.
    intros Q len at_0 M Sh.
    destruct (parallel_matmul_all S q r a w wr ys Q len M) as (W & Y & y & C & GW & HY & GY & at_0' & lY & Sp & Gs).
    assert (y = y0) as -> by congruence. exists W, Y. split; [| split].
    - apply concat_made; try assumption. destruct (Q w (or_introl eq_refl)) as (n & ->). rewrite app_length. simpl. lia.
    - eapply op2_intro; [reflexivity | exact HY | split; [exact GY | reflexivity]].
    - rewrite <- lY. eapply split_made; try eassumption.
      assert (nth_error (w :: wr) 0 = Some w) as at_w by reflexivity. pose proof (M 0 w y0 at_w at_0) as M0.
      destruct (Q w (or_introl eq_refl)) as (n & D). unfold matmul in M0.
      destruct (matmul_left (dims a)) as [[[pa rows] inner] |]; [| discriminate].
      rewrite D in M0. unfold matmul_right in M0. rewrite rev_app_distr in M0. simpl in M0.
      unfold table in M0. destruct (matmul_dims (dims a) (dims w)) as [ds |] eqn:E; [| rewrite D in E; now rewrite E in M0].
      rewrite D in E. rewrite E in M0. injection M0 as <-. rewrite lY. cbn [dims tabulate].
      unfold matmul_dims in E. destruct (matmul_left (dims a)) as [[[pa' rows'] inner'] |]; [| discriminate].
      unfold matmul_right in E. rewrite rev_app_distr in E. simpl in E.
      destruct (broadcast pa' _) as [batch |]; [| discriminate]. unfold guard in E.
      destruct (_ =? _); [| discriminate]. injection E as <-. rewrite !app_length. simpl. lia.
  Qed.
End Nodes.

(** Label [l] of leaf [p] in [E]: what it says of the tensor that [R] says is there. *)
Ltac shape_said E R Sh :=
  lazymatch type of E with
  | context [Pattern.label_at ?ps ?g ?M ?a "shape"] =>
      let s := fresh "s" in let L := fresh "Ls" in let D := fresh "D" in
      destruct (Pattern.label_at ps g M a "shape") as [s |] eqn:L; [| discriminate E];
      says_leaf L D; pose proof (shape_label _ _ _ _ _ _ _ _ _ D R) as Sh; clear D L
  end.

(** The target's node with equation [X], its children being known by [E]. *)
Ltac node X E :=
  cbn [traverse] in X; apply (fun A => eq_trans A E) in X; match type of X with ?y = _ => subst y end.

(** ** Any number of them *)

Lemma label_of_length r g M p q field least len index n :
  nth_error (patterns r) p = Some q -> form q = PVariadic field least len index ->
  look_up Nat.eqb (lens M) p = Some n ->
  Pattern.label_at (patterns r) g M (p, None) "length" = Some (VInt (Z.of_nat n)).
Proof. intros at_p F L. unfold Pattern.label_at. cbn [fst]. rewrite at_p, F. cbn [String.eqb]. now rewrite L. Qed.

Lemma traverse_all {A B} (f : A -> option B) h l :
  (forall a, In a l -> forall b, f a = Some b -> b = h a) -> forall m, traverse f l = Some m -> m = map h l.
Proof.
  induction l as [| a l IH]; intros E m H; simpl in H; [now injection H as <- |].
  destruct (f a) as [b |] eqn:F; [| discriminate]. destruct (traverse f l) as [m' |]; [| discriminate].
  injection H as <-. simpl. f_equal; [apply E; [now left | exact F] | apply IH; [| reflexivity]].
  intros c inc. apply E. now right.
Qed.

Lemma nth_seq_map {A} (f : nat -> A) n k : k < n -> nth_error (map f (seq 0 n)) k = Some (f k).
Proof.
  intros lt. rewrite nth_error_map, (nth_error_nth' _ 0) by now rewrite seq_length. now rewrite seq_nth.
Qed.

Lemma Forall2_image {A B} (R : A -> B -> Prop) f l m :
  (forall a b, In a l -> R a b -> b = f a) -> Forall2 R l m -> m = map f l.
Proof.
  intros E F. induction F as [| a b l m here _ IH]; [reflexivity |]. simpl. f_equal.
  - apply E; [now left | exact here].
  - apply IH. intros c d inc. apply E. now right.
Qed.

Lemma traverse_map_present {A B} (f : A -> B) l : traverse (fun x : option B => x) (map (fun a => Some (f a)) l) = Some (map f l).
Proof. rewrite <- (map_map f Some). apply traverse_present. Qed.

(** The tensor that a value is. *)
Definition tensor_of {A} (default : A) (v : val A) : A := match v with Of t => t | _ => default end.

(** ** Batches of matrices *)

Lemma matmul_batch S (a w y : tensor (num S)) : List.length (dims a) = 3 -> List.length (dims w) = 3 ->
  matmul S a w = Some y -> List.length (dims y) = 3.
Proof.
  intros A W H. destruct (dims a) as [| a0 [| a1 [| a2 [|]]]] eqn:Da; try discriminate.
  destruct (dims w) as [| w0 [| w1 [| w2 [|]]]] eqn:Dw; try discriminate.
  unfold matmul, table in H. rewrite Da, Dw in H. cbn [matmul_left matmul_right rev app] in H.
  destruct (matmul_dims [a0; a1; a2] [w0; w1; w2]) as [ds |] eqn:E; [| discriminate]. injection H as <-. cbn [dims tabulate].
  unfold matmul_dims in E. cbn [matmul_left matmul_right rev app] in E.
  destruct (broadcast [a0] [w0]) as [b |] eqn:B; [| discriminate]. apply broadcast_length in B.
  unfold guard in E. destruct (_ =? _); [| discriminate]. injection E as <-. rewrite !app_length, B. reflexivity.
Qed.

Lemma ndim_three {A} (t : tensor A) v : v = VInt (Z.of_nat (List.length (dims t))) -> value_eqb (VInt 3) v = true ->
  List.length (dims t) = 3.
Proof. intros -> E. apply value_eqb_iff in E. injection E as E. lia. Qed.

Theorem rule_parallel_batch_matmul_variadic_sound : exact_rule rule_text_parallel_batch_matmul_variadic.
Proof.
  at_match. any_output small.
  set (T := tensors S inputs constants shapes) in *. set (n := List.length outs) in *.
  set (wa := addr_of (patterns rule_text_parallel_batch_matmul_variadic)).
  assert (forall c, c < n -> bound_at M (wa (Some c) 4)) as each.
  { intros c lt. apply (source_has _ _ _ _ _ fs c).
    change (nth_error (map (fun c => wa (Some c) 4) (seq 0 n)) c = Some (wa (Some c) 4)).
    exact (nth_seq_map (fun c => wa (Some c) 4) n c lt). }
  assert (exists t w0, rho T g M (0, None) = Of t /\ List.length (dims t) = 3 /\ List.length (dims w0) = 3 /\
            rho T g M (1, None) = Of w0 /\ bound_at M (0, None) /\ bound_at M (1, None)) as
    (t & w0 & Rt & three & three0 & Rw0 & B0 & B1).
  { pose proof (each 0 ltac:(lia)) as B. change (wa (Some 0) 4) with (2, @None nat) in B.
    see 2 l2 V2 L2 C2. open2 V2 t w y Rt Rw U F G.
    claim 0 0 v E A. says_leaf E D. pose proof (ndim_three _ _ (ndim_label _ _ _ _ _ _ _ _ _ D Rt) A).
    claim 1 0 v' E' A'. says_leaf E' D'. pose proof (ndim_three _ _ (ndim_label _ _ _ _ _ _ _ _ _ D' Rw) A').
    exists t, w. repeat split; assumption. }
  assert (forall c, c < n -> exists w y,
            rho T g M (wa (Some c) 3) = Of w /\ rho T g M (wa (Some c) 4) = Of y /\
            matmul S t w = Some y /\ (exists k, dims w = [nth 0 (dims w0) 0; nth 1 (dims w0) 0; k]) /\
            bound_at M (wa (Some c) 3) /\
            forall s, Pattern.label_at (patterns rule_text_parallel_batch_matmul_variadic) g M (wa (Some c) 3) "shape" = Some s ->
                      shape_of s = Some (dims w)) as known.
  { intros c lt. pose proof (each c lt) as B. destruct c as [| c].
    - change (wa (Some 0) 3) with (1, @None nat). change (wa (Some 0) 4) with (2, @None nat) in *.
      see 2 l2 V2 L2 C2. open2 V2 t' w y Rt' Rw U F G.
      assert (t' = t) as -> by congruence. assert (w = w0) as -> by congruence.
      exists w0, y. repeat split; try assumption.
      + destruct (dims w0) as [| d0 [| d1 [| d2 [|]]]]; try discriminate. now exists d2.
      + intros s Ls. says_leaf Ls D. exact (shape_label _ _ _ _ _ _ _ _ _ D Rw).
    - change (wa (Some (Datatypes.S c)) 3) with (3, Some (Datatypes.S c)).
      change (wa (Some (Datatypes.S c)) 4) with (4, Some (Datatypes.S c)) in *.
      assert (exists ty at_, call_fact T rule_text_parallel_batch_matmul_variadic g M 4 (Some (Datatypes.S c))
                (Pattern (PCall (OName "MatMul") [0; 3]) [] false true (Some 2))
                (OName "MatMul") [0; 3] "MatMul" ty at_) as (ty & at_ & C).
      { assert (exists name ty at_, call_fact T rule_text_parallel_batch_matmul_variadic g M 4 (Some (Datatypes.S c))
                (Pattern (PCall (OName "MatMul") [0; 3]) [] false true (Some 2))
                  (OName "MatMul") [0; 3] name ty at_) as (name & ty & at_ & C).
        { refine (call_at T commutative comm _ g M outs san fs 4 (Some (Datatypes.S c)) _ _ _ _ eq_refl eq_refl eq_refl eq_refl eq_refl B).
          lt_depth. }
        pose proof (call_op _ _ _ _ _ _ _ _ _ _ _ _ C) as O. cbn [op_is] in O. subst name. now exists ty, at_. }
      pose proof (call_value _ _ _ _ _ _ _ _ _ _ _ _ C) as V. pose proof (call_kids _ _ _ _ _ _ _ _ _ _ _ _ C) as K.
      change (kid_addrs (patterns rule_text_parallel_batch_matmul_variadic) M (Some (Datatypes.S c)) [0; 3]) with
        [(0, @None nat); (3, Some (Datatypes.S c))] in V, K.
      change (4, inst_of (Some (Datatypes.S c)) _) with (4, Some (Datatypes.S c)) in V. cbn [map] in V.
      assert (bound_at M (3, Some (Datatypes.S c))) as B3 by (inversion K as [| ? ? _ K']; now inversion K').
      open2 V t' w y Rt' Rw U F G. assert (t' = t) as -> by congruence.
      destruct (claim_nth commutative rule_text_parallel_batch_matmul_variadic g M outs fs 3 (Some (Datatypes.S c)) _ 0 _ _
                  ltac:(lt_depth) eq_refl eq_refl eq_refl B3 eq_refl) as (v & E & A).
      destruct A as [A | [A _]]; [| discriminate A]. cbn [inst_of template] in E, A.
      says_leaf E D. pose proof (shape_label _ _ _ _ _ _ _ _ _ D Rw) as Sh.
      exists w, y. repeat split; try assumption.
      + cbn [amatch] in A. destruct v as [| | | | | vs]; try discriminate A. cbn [all2] in A.
        destruct vs as [| v1 vs]; [discriminate A |]. destruct vs as [| v2 vs]; [now rewrite andb_false_r in A |].
        destruct vs as [| v3 vs]; [now rewrite !andb_false_r in A |].
        destruct vs as [| v4 vs]; [| now rewrite !andb_false_r in A].
        cbn [amatch] in A. apply andb_true_iff in A. destruct A as [A1 A]. apply andb_true_iff in A. destruct A as [A2 _].
        values A1. values A2.
        destruct (Pattern.label_at _ _ _ (1, None) "shape") as [s0 |] eqn:L0; [| discriminate A1].
        says_leaf L0 D0. pose proof (shape_label _ _ _ _ _ _ _ _ _ D0 Rw0) as Sh0.
        destruct (match s0 with VTuple us => tuple_index us 0 | _ => None end) as [b0 |] eqn:X0; [| discriminate A1].
        destruct (match s0 with VTuple us => tuple_index us 1 | _ => None end) as [b1 |] eqn:X1; [| discriminate A2].
        apply (shape_index s0 _ 0 b0 Sh0 ltac:(lia)) in X0. apply (shape_index s0 _ 1 b1 Sh0 ltac:(lia)) in X1.
        apply value_eqb_iff in A1, A2. subst b0 b1 v1 v2. unfold shape_of in Sh. cbn [traverse] in Sh.
        rewrite !natural_of in Sh. destruct (natural v3) as [d |]; [| discriminate Sh]. injection Sh as Sh. now exists d.
      + intros s Es. assert (s = v) as -> by congruence. exact Sh. }
  mean m.
  destruct (means_call_many T _ _ _ _ _ fs _ _ _ _ _ _ _ _ _ _ _ m0 eq_refl ltac:(by_text) ltac:(by_text) eq_refl eq_refl eq_refl)
    as (i' & vs & kk & mm & rs & _ & Gc & En & Ck & Frs & Xc).
  assert (Pattern.label_at (patterns rule_text_parallel_batch_matmul_variadic) g M (5, None) "length" = Some (VInt (Z.of_nat n))) as Ln.
  { eapply label_of_length; [reflexivity | reflexivity |]. eapply outputs_length; [exact fs | reflexivity | reflexivity]. }
  give Gc. injection E1 as <-. values En. rewrite Ln in En. injection En as <-. apply count_nat in Ck. subst mm.
  rewrite Ln in E0. destruct (count (Z.of_nat n)) as [m' |] eqn:Ck; [| discriminate]. apply count_nat in Ck. subst m'.
  set (wv := fun c => tensor_of t (rho T g M (wa (Some c) 3))). set (yv := fun c => tensor_of t (rho T g M (wa (Some c) 4))).
  assert (forall c, c < n -> rho T g M (wa (Some c) 3) = Of (wv c) /\ rho T g M (wa (Some c) 4) = Of (yv c) /\
            matmul S t (wv c) = Some (yv c) /\ (exists k, dims (wv c) = [nth 0 (dims w0) 0; nth 1 (dims w0) 0; k]) /\
            forall s, Pattern.label_at (patterns rule_text_parallel_batch_matmul_variadic) g M (wa (Some c) 3) "shape" = Some s ->
                      shape_of s = Some (dims (wv c))) as at_c.
  { intros c lt. destruct (known c lt) as (w & u & Rw & Ru & F & D & _ & Sh).
    unfold wv, yv. rewrite Rw, Ru. cbn [tensor_of]. now repeat split. }
  assert (rs = map (fun c => Some (rho T g M (wa (Some c) 3))) (seq 0 n)) as Ers.
  { apply (Forall2_image _ _ _ _) with (2 := Frs). intros c z inc mc. apply in_seq in inc.
    destruct (known c ltac:(lia)) as (_ & _ & _ & _ & _ & _ & Bc & _).
    exact (means_source T _ _ _ _ _ _ _ mc eq_refl eq_refl Bc). }
  destruct (traverse _ (seq 0 n)) as [bs |] eqn:Tr; [| discriminate]. injection E0 as <-.
  apply (traverse_all _ (fun c => VInt (Z.of_nat (along S 2 (wv c))))) in Tr.
  2: { intros c inc b Eb. apply in_seq in inc. destruct (at_c c ltac:(lia)) as (_ & _ & _ & (d & Dc) & Sh).
       cbn [N.eqb inst bind] in Eb.
       change (inst (env_at (patterns rule_text_parallel_batch_matmul_variadic) g M i) 3%N (Z.of_nat c) "shape") with
         (inst (env_at (patterns rule_text_parallel_batch_matmul_variadic) g M i) 3%N (Z.of_nat c) "shape"%string) in Eb.
       rewrite (inst_at rule_text_parallel_batch_matmul_variadic g M i 3%N 3 _ (Z.of_nat c) "shape"%string eq_refl eq_refl (Zle_0_nat c)), Nat2Z.id in Eb.
       fold (wa (Some c) 3) in Eb.
       destruct (Pattern.label_at _ _ _ (wa (Some c) 3) "shape") as [s |] eqn:Ls; [| discriminate Eb].
       apply (shape_index s (dims (wv c)) 2 b (Sh s eq_refl) ltac:(rewrite Dc; simpl; lia)) in Eb. exact Eb. }
  subst bs. injection E as <-.
  rewrite Ers, traverse_map_present in Xc.
  assert (map (fun c => rho T g M (wa (Some c) 3)) (seq 0 n) = map Of (map wv (seq 0 n))) as Ew.
  { rewrite map_map. apply map_ext_in. intros c inc. apply in_seq in inc. apply at_c. lia. }
  rewrite Ew in Xc.
  destruct n as [| n'] eqn:En; [lia |].
  change (map wv (seq 0 (Datatypes.S n'))) with (wv 0 :: map wv (seq 1 n')) in Xc.
  destruct (products_made S inputs constants shapes [nth 0 (dims w0) 0] (nth 1 (dims w0) 0) t (wv 0) (map wv (seq 1 n'))
              (map yv (seq 0 (Datatypes.S n'))) (yv 0)
              (VTuple (map (fun c => VInt (Z.of_nat (along S 2 (wv c)))) (seq 0 (Datatypes.S n'))))) as (W & Y & Ec & Ep & Es).
  - intros u inu. change (In u (map wv (seq 0 (Datatypes.S n')))) in inu. apply in_map_iff in inu.
    destruct inu as (c & <- & inc). apply in_seq in inc. destruct (at_c c ltac:(lia)) as (_ & _ & _ & D & _). exact D.
  - now rewrite map_length, seq_length; simpl; rewrite map_length, seq_length.
  - reflexivity.
  - intros c w u at_w at_u. change (nth_error (map wv (seq 0 (Datatypes.S n'))) c = Some w) in at_w.
    apply nth_map_seq in at_w, at_u. destruct at_w as [lt ->], at_u as [_ ->]. now destruct (at_c c lt) as (_ & _ & F & _).
  - pose proof (shape_of_sizes (map (fun c => along S 2 (wv c)) (seq 0 (Datatypes.S n')))) as Q.
    rewrite map_map in Q. rewrite Q. f_equal.
    change (wv 0 :: map wv (seq 1 n')) with (map wv (seq 0 (Datatypes.S n'))). now rewrite map_map.
  - destruct (at_c 0 ltac:(lia)) as (_ & _ & F0 & (d0 & D0) & _).
    rewrite (matmul_batch S t (wv 0) (yv 0) three ltac:(now rewrite D0) F0) in Es.
    node Xc Ec. rewrite Rt in X1. node X1 Ep. node X0 Es. cbn in G. injection G as <-. rewrite X.
    destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. rewrite Nat2Z.id, (nth_seq_map yv (Datatypes.S n') k small).
    destruct (at_c k small) as (_ & Ry & _). cbn [option_map]. f_equal. symmetry. exact Ry.
Qed.

#[export] Hint Resolve rule_parallel_batch_matmul_variadic_sound : sound_rules.
