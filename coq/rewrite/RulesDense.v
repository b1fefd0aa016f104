(** * Products with one left factor: one product, and its columns *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library.
From Calque Require Import rewrite.RulesSimplify rewrite.RulesMany rewrite.RulesLike.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpTable tensor.Concat.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Sizes that are there *)

Lemma expand_same S (t : tensor (num S)) : good t -> tabulate (dims t) (spread_at S t (dims t)) = t.
Proof.
  intros G. transitivity (tabulate (dims t) (get (s_zero S) t)); [| now apply tabulate_get].
  apply tabulate_ext. intros i I. unfold spread_at, at_. now rewrite spread_same.
Qed.

Theorem rule_expand_identity_sound : exact_rule rule_text_expand_identity.
Proof.
  at_match. each_output. see 1 l V L C. mean m. require 0 Rq. equal_labels Rq E E'. subst. says_leaf E' D.
  open1 V t u R U F G. cbn in F. unfold expand, table, expand_of, sizes_attr, attr_or in F.
  rewrite L in E. change (attribute l "shape"%string) with (look l "shape"%string) in F.
  destruct (look l "shape"%string) as [s |]; [| discriminate]. injection E as ->.
  pose proof (shape_label _ _ _ _ _ _ _ _ _ D R) as Sh. rewrite Sh, broadcast_same in F. injection F as <-.
  rewrite R, U, expand_same; [reflexivity |]. eapply rho_good; eassumption.
Qed.

(** ** Columns *)

Lemma split_last2 {A} (l : list A) : 2 <= List.length l -> exists b p q, l = b ++ [p; q].
Proof.
  intros le. destruct (rev l) as [| q [| p r]] eqn:E;
    try (apply (f_equal (@List.length A)) in E; rewrite rev_length in E; simpl in E; lia).
  exists (rev r), p, q. rewrite <- (rev_involutive l), E. simpl. now rewrite <- app_assoc.
Qed.

Section Dense.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Definition dense_cell (x w : tensor) (pa : sizes) (k : nat) (i : list Z) : num S :=
    let n := List.length pa in
    s_sum S [k] (fun j => s_mul S (at_ x (spread pa pa (firstn n i) ++ firstn 1 (skipn n i) ++ j))
                                  (at_ w (j ++ skipn (n + 1) i))).

  (** A matrix on the right. *)
  Lemma matmul_matrix x w pa m k k' n y :
    dims x = pa ++ [m; k] -> dims w = [k'; n] ->
    (matmul S x w = Some y <-> k' = k /\ y = tabulate (pa ++ [m; n]) (dense_cell x w pa k)).
  Proof.
    intros Dx Dw. unfold matmul.
    assert (matmul_left (dims x) = Some (pa, [m], k)) as Lx.
    { unfold matmul_left. rewrite Dx, rev_app_distr. simpl. now rewrite rev_involutive. }
    assert (matmul_right (dims w) = Some ([], k', [n])) as Lw by (unfold matmul_right; now rewrite Dw).
    rewrite Lx, Lw. unfold table, matmul_dims. rewrite Lx, Lw, broadcast_nil. unfold guard.
    destruct (Nat.eqb_spec k k') as [-> | ne].
    - split.
      + intros E. injection E as <-. split; [reflexivity |]. apply tabulate_ext. intros i I. unfold dense_cell.
        simpl List.length. rewrite !app_length. simpl List.length.
        replace (List.length pa + 2 - 1 - 1) with (List.length pa) by lia.
        rewrite firstn_app, firstn_all, Nat.sub_diag. simpl firstn at 1. rewrite app_nil_r. reflexivity.
      + intros [_ ->]. f_equal. apply tabulate_ext. intros i I. unfold dense_cell.
        simpl List.length. rewrite !app_length. simpl List.length.
        replace (List.length pa + 2 - 1 - 1) with (List.length pa) by lia.
        rewrite firstn_app, firstn_all, Nat.sub_diag. simpl firstn at 1. rewrite app_nil_r. reflexivity.
    - split; [discriminate |]. intros [E _]. congruence.
  Qed.

  (** All matrices have as many rows; put together, each has its columns. *)
  Theorem matmul_columns x w ws ys :
    2 <= List.length (dims x) -> (forall v, In v (w :: ws) -> List.length (dims v) = 2) ->
    Forall2 (fun v y => matmul S x v = Some y) (w :: ws) ys ->
    exists c Y, concat S 1 w ws = Some c /\ good c /\ matmul S x c = Some Y /\ good Y /\
      List.length (dims Y) = List.length (dims x) /\
      split S (List.length (dims x) - 1) (map (fun v : tensor => nth 1 (dims v) 0) (w :: ws)) Y = Some ys.
  Proof.
    intros rx two products. destruct (split_last2 (dims x) rx) as (pa & m & k & Dx).
    assert (forall v, In v (w :: ws) -> dims v = [k; nth 1 (dims v) 0] /\ exists y, matmul S x v = Some y) as mats.
    { intros v inv. assert (exists y, matmul S x v = Some y) as [y E].
      { clear - products inv. induction products as [| a y l l' here _ IH]; [easy |]. destruct inv as [<- | inv]; [now exists y | auto]. }
      split; [| now exists y]. pose proof (two v inv) as len. destruct (dims v) as [| a [| b [|]]] eqn:Dv; try discriminate.
      apply (matmul_matrix x v pa m k a b y Dx Dv) in E. destruct E as [-> _]. reflexivity. }
    destruct (mats w (or_introl eq_refl)) as [Dw _].
    set (total := list_sum (map (fun t : tensor => nth 1 (dims t) 0) (w :: ws))).
    assert (concat S 1 w ws = Some (tabulate (set_nth 1 total (dims w)) (concat_cell S 1 w ws))) as C.
    { apply concat_iff. split; [| reflexivity]. intros v inv. destruct (mats v (or_intror inv)) as [Dv _].
      unfold alike. rewrite Dv, Dw. now split. }
    set (c := tabulate _ _) in C. assert (dims c = [k; total]) as Dc by (unfold c; rewrite Dw; reflexivity).
    exists c. assert (exists Y, Y = tabulate (pa ++ [m; total]) (dense_cell x c pa k)) as [Y EY] by eauto. exists Y.
    assert (matmul S x c = Some Y) as PY by (apply (matmul_matrix x c pa m k k total Y Dx Dc); split; [reflexivity | exact EY]).
    assert (dims Y = pa ++ [m; total]) as DY by (rewrite EY; reflexivity).
    assert (List.length (dims x) - 1 = List.length pa + 1) as last by (rewrite Dx, app_length; simpl; lia).
    split; [exact C |]. split; [apply good_tabulate |]. split; [exact PY |]. split; [rewrite EY; apply good_tabulate |].
    split; [rewrite DY, Dx, !app_length; reflexivity |].
    assert (forall A (b : list A) p q z, set_nth (List.length b + 1) z (b ++ [p; q]) = b ++ [p; z]) as setl.
    { intros A b p q z. induction b as [| a b IH]; [reflexivity |]. simpl. now rewrite IH. }
    assert (forall A (b : list A) p q d, nth (List.length b + 1) (b ++ [p; q]) d = q) as nthl.
    { intros A b p q d. rewrite app_nth2 by lia. now replace (List.length b + 1 - List.length b) with 1 by lia. }
    rewrite last. apply split_iff. split; [rewrite DY, nthl; reflexivity |].
    apply nth_ext with (d := Y) (d' := Y).
    { rewrite parts_length, !map_length. symmetry. exact (Forall2_length products). }
    intros j lt. rewrite <- (Forall2_length products) in lt. pose proof lt as lt'. apply nth_error_Some in lt'.
    destruct (nth_error (w :: ws) j) as [v |] eqn:at_j; [| easy].
    destruct (Forall2_nth _ _ _ products j v at_j) as (y & at_y & Py).
    destruct (mats v (nth_error_In _ _ at_j)) as [Dv _].
    rewrite (nth_error_nth _ _ Y at_y). symmetry. apply nth_error_nth. rewrite nth_parts by (rewrite DY, app_length; simpl; lia).
    rewrite nth_error_map, at_j. cbn [option_map]. f_equal.
    apply (matmul_matrix x v pa m k k (nth 1 (dims v) 0) y Dx Dv) in Py. destruct Py as [_ ->].
    unfold part. rewrite DY, setl. apply tabulate_ext. intros i I.
    assert (exists b p q, i = b ++ [p; q] /\ List.length b = List.length pa) as (b & p & q & -> & lb).
    { destruct (split_last2 i) as (b & p & q & ->); [apply in_box_length in I; rewrite I, app_length; simpl; lia |].
      exists b, p, q. split; [reflexivity |]. apply in_box_length in I. rewrite !app_length in I. simpl in I. lia. }
    rewrite <- lb, setl, nthl. set (z := (q + _)%Z).
    assert (in_box [m; nth 1 (dims v) 0] [p; q] = true) as Ipq.
    { rewrite in_box_app in I by exact lb. apply andb_true_iff in I. easy. }
    assert (in_box (pa ++ [m; total]) (b ++ [p; z]) = true) as Iz.
    { rewrite in_box_app in I |- * by exact lb. apply andb_true_iff in I. destruct I as [Ib _]. rewrite Ib.
      apply in_box_cons in Ipq. destruct Ipq as [Ip Iq]. apply in_box_cons in Iq. destruct Iq as [Iq _].
      apply in_box_cons. split; [exact Ip |]. apply in_box_cons. split; [| reflexivity].
      pose proof (start_le (map (fun t : tensor => nth 1 (dims t) 0) (w :: ws)) j (nth 1 (dims v) 0)) as le.
      rewrite nth_error_map, at_j in le. specialize (le eq_refl). fold total in le. unfold z. lia. }
    unfold Ops.at_ at 1. rewrite EY, get_tabulate by exact Iz. unfold dense_cell.
    rewrite <- lb, !firstn_app, firstn_all, Nat.sub_diag. 
    assert (forall (A : Type) (l l' : list A), skipn (List.length l) (l ++ l') = l') as sk
      by (intros A l l'; rewrite skipn_app, skipn_all, Nat.sub_diag; reflexivity).
    assert (forall (A : Type) (l l' : list A), skipn (List.length l + 1) (l ++ l') = skipn 1 l') as sk1.
    { intros A l l'. induction l as [| a l IH]; [reflexivity | exact IH]. }
    rewrite !sk, !sk1. cbn [firstn skipn app]. rewrite !app_nil_r.
    apply s_sum_ext. intros kk Ik. f_equal.
    assert (exists e, kk = [e] /\ (0 <= e < Z.of_nat k)%Z) as (e & -> & le).
    { apply in_box_nth in Ik. destruct Ik as [len Ik]. destruct kk as [| e [|]]; try discriminate. exists e.
      split; [reflexivity | exact (Ik 0 ltac:(simpl; lia))]. }
    cbn [app]. assert (in_box (dims v) [e; q] = true) as Iv.
    { rewrite Dv. apply in_box_cons. split; [exact le |]. apply in_box_cons in Ipq. now destruct Ipq as [_ Iq]. }
    exact (proj2 (concat_part S 1 w ws c j v [e; q] C at_j ltac:(rewrite Dw; simpl; lia) Iv)).
  Qed.
End Dense.

(** ** The rules *)

Lemma shape_of_sizes s ds : shape_of s = Some ds -> s = VTuple (map (fun d => VInt (Z.of_nat d)) ds).
Proof.
  destruct s as [| | | | | vs]; try discriminate. simpl. revert ds.
  induction vs as [| v vs IH]; intros ds H; simpl in H; [now injection H as <- |].
  destruct v as [| | z | | |]; try discriminate. simpl in H. destruct (0 <=? z)%Z eqn:Z0; [| discriminate].
  destruct (traverse natural vs) as [ds' |]; [| discriminate]. injection H as <-. specialize (IH ds' eq_refl).
  injection IH as IH. simpl. apply Z.leb_le in Z0. rewrite Z2Nat.id by exact Z0. now rewrite <- IH.
Qed.

Lemma shape_of_tuple ds : shape_of (VTuple (map (fun d => VInt (Z.of_nat d)) ds)) = Some ds.
Proof.
  simpl. induction ds as [| d ds IH]; [reflexivity |]. simpl. rewrite (proj2 (Z.leb_le 0 _)) by lia.
  now rewrite IH, Nat2Z.id.
Qed.

Lemma axis_written l v z r : attribute l "axis"%string = Some (VInt z) -> (0 <= z < Z.of_nat r)%Z ->
  axis_attr l "axis"%string v r r = Some (Z.to_nat z).
Proof.
  intros E lt. unfold axis_attr, int_attr, attr_or. rewrite E. cbn. unfold axis_of.
  rewrite (proj2 (Z.leb_le _ _)), (proj2 (Z.ltb_lt _ _)) by lia. cbn. now rewrite (proj2 (Z.ltb_ge _ _)) by lia.
Qed.

(** The three operators of the target, and the fields of the last. *)
Theorem dense_calls S inputs constants shapes (x w : tensor (num S)) ws ys zr v :
  let T := tensors S inputs constants shapes in
  2 <= List.length (dims x) -> (forall u, In u (w :: ws) -> List.length (dims u) = 2) ->
  Forall2 (fun u y => matmul S x u = Some y) (w :: ws) ys -> Forall good ys ->
  zr = (Z.of_nat (List.length (dims x)) - 1)%Z -> shape_of v = Some (map (fun u : tensor (num S) => nth 1 (dims u) 0) (w :: ws)) ->
  exists c Y,
    calls T "Concat"%string [("axis"%string, VInt 1)] (strip (map Of (w :: ws))) = Some (Of c) /\
    calls T "MatMul"%string [] (strip [Of x; Of c]) = Some (Of Y) /\
    calls T "Split"%string [("axis"%string, VInt zr); ("split"%string, v)] (strip [Of Y]) = Some (Fields ys).
Proof.
  intros T rx two products goods -> Sv.
  destruct (matmul_columns S x w ws ys rx two products) as (c & Y & C & Gc & P & GY & lY & Sp).
  exists c, Y. split; [| split].
  - eapply any_intro; [reflexivity | | split; [exact Gc | reflexivity]]. cbv beta. unfold axis_in.
    rewrite (axis_written _ _ 1); [exact C | reflexivity |]. rewrite (two w (or_introl eq_refl)). simpl. lia.
  - eapply op2_intro; [reflexivity | exact P | split; [exact GY | reflexivity]].
  - eapply split_intro; [| | exact goods].
    + unfold split_params, axis_in. rewrite lY.
      rewrite (axis_written _ _ (Z.of_nat (List.length (dims x)) - 1)); [| reflexivity | lia].
      unfold sizes_attr, attr_or. cbn. now rewrite Sv.
    + replace (Z.to_nat (Z.of_nat (List.length (dims x)) - 1)) with (List.length (dims x) - 1) by lia. exact Sp.
Qed.

(** The other outputs are there too. *)
Ltac output k H :=
  lazymatch goal with
  | fs : facts ?c ?r ?g ?M ?outs |- _ =>
      let l := eval vm_compute in (source_addrs r 0) in
      lazymatch eval vm_compute in (nth_error l k) with
      | Some ?a => pose proof (source_has c r g M outs fs k a eq_refl) as H
      end
  end.

Ltac matrix p t R D :=
  let v := fresh "v" in let E := fresh "E" in let A := fresh "A" in
  see_variable p t R; claim p 0 v E A; apply value_eqb_iff in A; subst v;
  says_leaf E D; pose proof (ndim_label _ _ _ _ _ _ _ _ _ D R) as A; injection A as A; clear D;
  assert (List.length (dims t) = 2) as D by lia; clear A.

(** The second size of a matrix, as a label. *)
Ltac second_size E p t R D n :=
  match type of E with
  | context [Pattern.label_at _ _ _ (p, None) "shape"%string] =>
      let s := fresh "s" in let L := fresh "L" in let Sh := fresh "Sh" in
      destruct (Pattern.label_at _ _ _ (p, None) "shape"%string) as [s |] eqn:L; [| discriminate E];
      let Dl := fresh "Dl" in says_leaf L Dl; pose proof (shape_label _ _ _ _ _ _ _ _ _ Dl R) as Sh; clear Dl;
      apply shape_of_sizes in Sh; subst s;
      let m := fresh "m" in let Ed := fresh "Ed" in
      destruct (dims t) as [| m [| n [|]]] eqn:Ed; try discriminate D
  end.

Lemma last_axis n v : binary_op BSub (VInt (Z.of_nat n)) (VInt 1) = Some v -> v = VInt (Z.of_nat n - 1).
Proof. cbn. unfold int_result. destruct (in_int64 _); [| discriminate]. intros E. now injection E as <-. Qed.

(** The left factor: its value, its rank, and the axis. *)
Ltac left_factor E :=
  let Rq := fresh "Rq" in require 0 Rq;
  match type of Rq with
  | context [Pattern.label_at _ _ _ (0, None) "ndim"%string] =>
      let n := fresh "n" in let L := fresh "L" in
      destruct (Pattern.label_at _ _ _ (0, None) "ndim"%string) as [n |] eqn:L; [| discriminate Rq];
      let D := fresh "D" in says_leaf L D;
      match goal with
      | R : rho _ _ _ (0, None) = Of ?t |- _ =>
          pose proof (ndim_label _ _ _ _ _ _ _ _ _ D R); subst n; clear D;
          cbn [binary_op] in Rq; injection Rq as Rq; apply Z.geb_le in Rq || apply Z.leb_le in Rq;
          apply last_axis in E; subst
      end
  end.

(** [A : calls .. = v] where the goal has that call, up to conversion. *)
Ltac call_is name A :=
  match goal with
  | |- context [calls ?T name ?l ?s] =>
      match type of A with
      | _ = ?v => let H := fresh "H" in assert (calls T name l s = v) as H by exact A; rewrite H; clear H; cbv iota beta
      end
  end.

Ltac ranks :=
  let u := fresh "u" in let H := fresh "H" in intros u H;
  repeat (destruct H as [<- | H]; [match goal with E : dims ?w = _ |- List.length (dims ?w) = _ => rewrite E; reflexivity end |]);
  destruct H.
Ltac widths :=
  rewrite shape_of_tuple; cbn [map];
  repeat match goal with E : dims ?w = [_; _] |- _ => rewrite E; clear E end; reflexivity.

Theorem rule_parallel_dense_sound : exact_rule rule_text_parallel_dense.
Proof.
  at_match. each_output.
  all: output 0 H0; output 1 H1; see 3 l3 V3 L3 C3; see 4 l4 V4 L4 C4; mean m;
    matrix 1 w1 R1 D1; matrix 2 w2 R2 D2;
    open2 V3 t t1 u1 Rt Q1 U1 F1 G1; open2 V4 t' t2 u2 Rt' Q2 U2 F2 G2;
    assert (t' = t) as -> by congruence; assert (t1 = w1) as -> by congruence; assert (t2 = w2) as -> by congruence;
    clear Rt'; left_factor E; second_size E0 1 w1 R1 D1 n1; second_size E0 2 w2 R2 D2 n2;
    cbn in E0; injection E0 as <-; injection E1 as <-; injection G as <-;
    change (VTuple [VInt (Z.of_nat n1); VInt (Z.of_nat n2)]) with (VTuple (map (fun d => VInt (Z.of_nat d)) [n1; n2])).
  all: destruct (dense_calls S inputs constants shapes t w1 [w2] [u1; u2]
      (Z.of_nat (List.length (dims t)) - 1)%Z (VTuple (map (fun d => VInt (Z.of_nat d)) [n1; n2]))) as (c & Y & A1 & A2 & A3);
    [lia | ranks
     | apply Forall2_cons; [exact F1 | apply Forall2_cons; [exact F2 | apply Forall2_nil]]
     | apply Forall_cons; [exact (proj1 G1) | apply Forall_cons; [exact (proj1 G2) | apply Forall_nil]]
     | reflexivity | widths |].
  all: rewrite R1, R2, Rt; call_is "Concat"%string A1; call_is "MatMul"%string A2; call_is "Split"%string A3; rewrite ?U1, ?U2; reflexivity.
Qed.

Theorem rule_parallel_three_dense_sound : exact_rule rule_text_parallel_three_dense.
Proof.
  at_match. each_output.
  all: output 0 H0; output 1 H1; output 2 H2; see 4 l4 V4 L4 C4; see 5 l5 V5 L5 C5; see 6 l6 V6 L6 C6; mean m;
    matrix 1 w1 R1 D1; matrix 2 w2 R2 D2; matrix 3 w3 R3 D3;
    open2 V4 t t1 u1 Rt Q1 U1 F1 G1; open2 V5 t' t2 u2 Rt' Q2 U2 F2 G2; open2 V6 t'' t3 u3 Rt'' Q3 U3 F3 G3;
    assert (t' = t) as -> by congruence; assert (t'' = t) as -> by congruence; assert (t1 = w1) as -> by congruence;
    assert (t2 = w2) as -> by congruence; assert (t3 = w3) as -> by congruence;
    clear Rt' Rt''; left_factor E; second_size E0 1 w1 R1 D1 n1; second_size E0 2 w2 R2 D2 n2; second_size E0 3 w3 R3 D3 n3;
    cbn in E0; injection E0 as <-; injection E1 as <-; injection G as <-;
    change (VTuple [VInt (Z.of_nat n1); VInt (Z.of_nat n2); VInt (Z.of_nat n3)])
      with (VTuple (map (fun d => VInt (Z.of_nat d)) [n1; n2; n3])).
  all: destruct (dense_calls S inputs constants shapes t w1 [w2; w3] [u1; u2; u3]
      (Z.of_nat (List.length (dims t)) - 1)%Z (VTuple (map (fun d => VInt (Z.of_nat d)) [n1; n2; n3]))) as (c & Y & A1 & A2 & A3);
    [lia | ranks
     | apply Forall2_cons; [exact F1 | apply Forall2_cons; [exact F2 | apply Forall2_cons; [exact F3 | apply Forall2_nil]]]
     | apply Forall_cons; [exact (proj1 G1) | apply Forall_cons; [exact (proj1 G2) | apply Forall_cons; [exact (proj1 G3) | apply Forall_nil]]]
     | reflexivity | widths |].
  all: rewrite R1, R2, R3, Rt; call_is "Concat"%string A1; call_is "MatMul"%string A2; call_is "Split"%string A3; rewrite ?U1, ?U2, ?U3; reflexivity.
Qed.

(** ** A product and a sum *)

Lemma gemm_value S (a b c y u : tensor (num S)) m k n :
  dims a = [m; k] -> dims b = [k; n] -> matmul S a b = Some y -> map2 S (s_add S) y c = Some u -> dims u = dims y ->
  gemm S one_bits one_bits false false a b (Some c) = Some u.
Proof.
  intros Da Db P A D. apply (matmul_matrix S a b [] m k k n y Da Db) in P. destruct P as [_ ->]. cbn [app] in *.
  change (dims (tabulate [m; n] (dense_cell S a b [] k))) with [m; n] in D.
  unfold map2, table in A. change (dims (tabulate [m; n] (dense_cell S a b [] k))) with [m; n] in A.
  destruct (broadcast [m; n] (dims c)) as [ds |] eqn:B; [| discriminate]. injection A as <-. cbn [dims tabulate] in D. subst ds.
  unfold gemm, table. rewrite Da, Db. unfold gemm_dims, option_map, guard. rewrite Nat.eqb_refl.
  assert (broadcasts (dims c) [m; n] = true) as -> by (apply broadcasts_iff; now rewrite IndexProof.broadcast_comm).
  cbn [andb]. f_equal. apply tabulate_ext. intros i I.
  assert (exists p q, i = [p; q]) as (p & q & ->).
  { apply in_box_length in I. destruct i as [| p [| q [|]]]; try discriminate. now exists p, q. }
  change (rounds_to_zero one_bits) with false. unfold scaled. change (rounds_to_one one_bits) with true. cbv iota.
  f_equal. symmetry. unfold spread_at, at_ at 1. change (dims (tabulate [m; n] (dense_cell S a b [] k))) with [m; n].
  rewrite spread_same, get_tabulate by exact I. unfold dense_cell.
  cbn [nth List.length firstn skipn app Nat.add]. apply s_sum_ext. intros kk Ik.
  assert (exists e, kk = [e]) as (e & ->).
  { apply in_box_length in Ik. destruct kk as [| e [|]]; try discriminate. now exists e. }
  reflexivity.
Qed.

Theorem rule_matmul_add_gemm_sound : exact_rule rule_text_matmul_add_gemm.
Proof.
  at_match. each_output. see 4 l4 V4 L4 C4. see 3 l3 V3 L3 C3. mean m. require 0 Rq. require 1 Rs.
  equal_labels Rs E4 E3. subst. says_call E4 C4 D4. says_call E3 C3 D3.
  destruct (Pattern.label_at _ _ _ (0, None) "ndim"%string) as [r0 |] eqn:N0; [| discriminate].
  destruct (Pattern.label_at _ _ _ (1, None) "ndim"%string) as [r1 |] eqn:N1; [| discriminate].
  says_leaf N0 A0. says_leaf N1 A1.
  open2 V3 a b y Ra Rb Ry P Gy. open2 V4 y' c u Ry' Rc Ru A Gu. rewrite Ry in Ry'. injection Ry' as <-.
  pose proof (ndim_label _ _ _ _ _ _ _ _ _ A0 Ra) as ->. pose proof (ndim_label _ _ _ _ _ _ _ _ _ A1 Rb) as ->.
  pose proof (shape_label _ _ _ _ _ _ _ _ _ D4 Ru). pose proof (shape_label _ _ _ _ _ _ _ _ _ D3 Ry).
  destruct (Pattern.label_at _ _ _ (0, None) "dtype"%string) as [d |]; [| discriminate].
  cbn [binary_op value_eqb] in Rq.
  destruct (Z.of_nat (List.length (dims a)) =? 2)%Z eqn:Na; [| discriminate].
  destruct (Z.of_nat (List.length (dims b)) =? 2)%Z eqn:Nb; [| discriminate].
  apply Z.eqb_eq in Na, Nb.
  destruct (dims a) as [| m [| k [|]]] eqn:Da; try (simpl in Na; lia).
  destruct (dims b) as [| k' [| n [|]]] eqn:Db; try (simpl in Nb; lia).
  assert (k' = k) as ->.
  { apply (matmul_matrix S a b [] m k k' n y) in P; try assumption. now destruct P. }
  injection E as <-. injection E0 as <-. rewrite Ra, Rb, Rc, Ru.
  eapply (op3_intro _ _ _ _ _ _ _ _ _ _ _ (Some c)); [reflexivity | reflexivity | | split; [exact (proj1 Gu) | reflexivity]].
  apply (gemm_value S a b c y u m k n); try assumption. congruence.
Qed.

#[export] Hint Resolve rule_expand_identity_sound rule_parallel_dense_sound rule_parallel_three_dense_sound
  rule_matmul_add_gemm_sound : sound_rules.
