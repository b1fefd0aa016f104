(** * GatherND

    Y[b.., i.., j..] = X[b.., index(b.., i..).., j..], where index(b.., i..) are the last dimension of constant indices at
    b.., i.., counted from the end where they are negative, and b.. are the first [batch] dimensions of both: opset 11 on,
    batch dimensions from opset 12 on.  Of a tensor without cells the node stays opaque.  Left out: indices that are not
    constant, which name one dimension; C reads those as a Gather. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable onnx.Composition onnx.Steps.
From Calque Require tensor.Instances tensor.Mixed kernel.Numbers.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** The formula: [q] are the sizes of the indices, [l] their cells *)

Fixpoint from_start (ds : sizes) (i : list Z) : list Z :=
  match ds, i with
  | d :: ds', z :: i' => (if z <? 0 then z + Z.of_nat d else z)%Z :: from_start ds' i'
  | _, _ => []
  end.

Definition named (ds : sizes) (t : nat) (l : list Z) (p : nat) : list Z :=
  from_start (firstn t ds) (firstn t (skipn (p * t) l)).

Definition onnx_gather_nd (S : arith) (batch : nat) (q : sizes) (l : list Z) (x : tensor (num S)) : option (tensor (num S)) :=
  let t := last q 0 in
  let outer := removelast q in
  let r := List.length outer in
  let ds := skipn batch (dims x) in
  guard (sizes_eqb (firstn batch (dims x)) (firstn batch outer) &&
         forallb (fun p => in_box (firstn t ds) (named ds t l p)) (seq 0 (cell_count outer)))
    (table S (Some (outer ++ skipn t ds))
      (fun _ i => at_ S x (firstn batch i ++ named ds t l (position outer (firstn r i)) ++ skipn r i))).

(** ** The composition: Gather of the dimensions that are named as one *)

Definition reshaped (ds es : sizes) (x : nat) : build nat :=
  if sizes_eqb ds es then Return x else apply "Reshape" [("shape", nats_value es)] [x].

(** The number of the cell in the first dimensions, those of the batch and those that are named, for index [p]. *)
Definition cell_named (batch : nat) (ds q : sizes) (l : list Z) (p : nat) : nat :=
  let first := firstn (last q 0) (skipn batch ds) in
  p / cell_count (skipn batch (removelast q)) * cell_count first +
  position first (named (skipn batch ds) (last q 0) l p).

Definition taken (batch : nat) (ds q : sizes) (l : list Z) : build nat :=
  let outer := removelast q in
  let n := cell_count outer in
  let k := batch + last q 0 in
  let rest := skipn k ds in
  wide <- reshaped ds (cell_count (firstn k ds) :: rest) 0 ;;
  index <- constant i64_code [n] (map (fun p => LInt (Z.of_nat (cell_named batch ds q l p))) (seq 0 n)) ;;
  rows <- apply "Gather" [("axis", nat_value 0)] [wide; index] ;;
  reshaped (n :: rest) (outer ++ rest) rows.

Definition gather_nd_composition (batch : nat) (ds q : sizes) (l : list Z) : option (build nat) :=
  let t := last q 0 in
  let outer := removelast q in
  let inner := skipn batch ds in
  guard (negb (List.length q =? 0) && (1 <=? t) && (batch <=? List.length outer) && (batch + t <=? List.length ds) &&
         forallb (Nat.ltb 0) ds && forallb (Nat.ltb 0) q &&
         (List.length q - 1 + List.length ds - (batch + t) <=? 8) && (N.of_nat (cell_count q) <=? 16777216)%N &&
         (Z.of_nat (cell_count (firstn (batch + t) ds)) <? 2 ^ 63)%Z && sizes_eqb (firstn batch ds) (firstn batch outer) &&
         forallb (fun p => in_box (firstn t inner) (named inner t l p)) (seq 0 (cell_count outer)))
    (Some (finished 1 (taken batch ds q l))).

Lemma firstn_add {A} m n (l : list A) : firstn (m + n) l = firstn m l ++ firstn n (skipn m l).
Proof.
  revert l. induction m as [| m IH]; intros [| a l]; cbn [Nat.add firstn skipn app]; rewrite ?firstn_nil; try reflexivity.
  now rewrite IH.
Qed.

Lemma skipn_add {A} m n (l : list A) : skipn (m + n) l = skipn n (skipn m l).
Proof.
  revert l. induction m as [| m IH]; intros [| a l]; cbn [Nat.add skipn]; rewrite ?skipn_nil; try reflexivity. apply IH.
Qed.

(** The place of the batch. *)
Lemma batch_place b outer u : b <= List.length outer -> in_box outer u = true ->
  in_box (firstn b outer) (firstn b u) = true /\
  position outer u / cell_count (skipn b outer) = position (firstn b outer) (firstn b u).
Proof.
  intros le U. rewrite <- (firstn_skipn b outer) in U. destruct (in_box_split _ _ _ U) as (a & c & -> & A & C).
  pose proof (in_box_length _ _ A) as La. pose proof La as Lb. rewrite firstn_length, Nat.min_l in Lb by exact le.
  assert (firstn b (a ++ c) = a) as ->
    by (rewrite firstn_app, <- Lb, firstn_all, Nat.sub_diag; apply app_nil_r).
  split; [exact A |]. rewrite <- (firstn_skipn b outer) at 1. rewrite position_app by exact La.
  pose proof (position_lt _ _ C). rewrite Nat.div_add_l by lia. rewrite Nat.div_small by lia. lia.
Qed.

Section GatherND.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  (** Numbers of cells are indices. *)
  Hypothesis index : forall n, (0 <= n < 2 ^ 63)%Z -> s_index S (typed i64_code (LInt n)) = Some n.

  Lemma reshaped_runs vs x ds es n : knows S vs n (GTensor x) -> good x -> dims x = ds -> cell_count es = cell_count ds ->
    runs S typed vs (reshaped ds es n) (fun ws m => knows S ws m (GTensor (Tensor es (cells x)))).
  Proof.
    intros K G D C. unfold reshaped. destruct (sizes_eqb ds es) eqn:E.
    - apply sizes_eqb_iff in E. apply runs_return. subst ds es. now destruct x.
    - apply (runs_apply S typed vs _ _ [n] [GTensor x]); [now repeat constructor |]. apply reshape_value; [exact G | congruence].
  Qed.

  Theorem gather_nd_correct batch q l x b : good x -> gather_nd_composition batch (dims x) q l = Some b ->
    exists y, composed S typed b [x] = Some y /\ onnx_gather_nd S batch q l x = Some y.
  Proof.
    intros G. unfold gather_nd_composition, onnx_gather_nd, guard. set (ds := dims x). set (t := last q 0).
    set (outer := removelast q). set (n := cell_count outer). set (inner := skipn batch ds).
    destruct (_ && _) eqn:A; [| discriminate].
    intros E. injection E as <-. rewrite !andb_true_iff in A. destruct A as [[[[[[[[[_ Le] _] _] _] _] _] Few] Same] A].
    rewrite Same, A. cbn [andb]. apply Nat.leb_le in Le.
    rewrite forallb_forall in A. apply Z.ltb_lt in Few. apply sizes_eqb_iff in Same.
    eexists. split; [| reflexivity]. change 1 with (List.length [x]). apply finished_runs. unfold taken.
    fold t outer n. set (rest := skipn (batch + t) ds). set (first := firstn (batch + t) ds) in *.
    assert (ds = first ++ rest) as D by (symmetry; apply firstn_skipn).
    assert (skipn t inner = rest) as Rest by (symmetry; apply skipn_add).
    assert (first = firstn batch ds ++ firstn t inner) as Fi by apply firstn_add.
    assert (cell_count (cell_count first :: rest) = cell_count ds) as Cw by (rewrite D, cell_count_app; reflexivity).
    set (wide := Tensor (cell_count first :: rest) (cells x)).
    set (ids := map (fun p => Z.of_nat (cell_named batch ds q l p)) (seq 0 n)).
    assert (forall p, In p (seq 0 n) -> cell_named batch ds q l p < cell_count first) as lt_first.
    { intros p P. unfold cell_named. fold t outer inner. specialize (A p P). pose proof (position_lt _ _ A) as lt.
      apply in_seq in P. rewrite Fi, cell_count_app, Same. set (c := cell_count (firstn t inner)) in *.
      assert (p / cell_count (skipn batch outer) < cell_count (firstn batch outer)) as B; [| nia].
      assert (n = cell_count (firstn batch outer) * cell_count (skipn batch outer)) as N
        by (unfold n; now rewrite <- cell_count_app, firstn_skipn).
      apply Nat.div_lt_upper_bound; nia. }
    eapply runs_bind; [apply (reshaped_runs [GTensor x] x ds _ 0); [reflexivity | exact G | reflexivity | exact Cw] |].
    intros vs w X W. cbv beta in W. fold wide in W. eapply runs_bind.
    { apply runs_constant. rewrite map_length, seq_length. cbn [cell_count fold_right]. lia. }
    intros ws a Y I. cbv beta in I. rewrite map_map in I.
    set (rows := tabulate (n :: rest) (fun i => at_ S wide (set_nth 0 (nth (Z.to_nat (nth 0 i 0%Z)) ids 0%Z) i))).
    eapply runs_bind.
    { match type of I with knows _ _ _ (GTensor ?i) =>
        apply (runs_apply S typed ws _ _ [w; a] (map GTensor [wide; i]) (GTensor rows))
      end.
      - constructor; [eapply knows_extends; eassumption |]. constructor; [exact I | constructor].
      - refine (gather_value S 0 wide n _ ids _ _ _ _).
        + cbn [wide dims List.length]. lia.
        + unfold ids. now rewrite map_length, seq_length.
        + unfold ids. rewrite !map_map. apply map_ext_in. intros p P. pose proof (lt_first p P). apply index. lia.
        + unfold ids. intros z Z. apply in_map_iff in Z. destruct Z as (p & <- & P). pose proof (lt_first p P).
          cbn [wide dims nth]. lia. }
    intros us m _ M. cbv beta in M. eapply runs_weaken.
    { apply (reshaped_runs us rows (n :: rest) (outer ++ rest) m M); [apply good_tabulate | reflexivity |].
      rewrite cell_count_app. reflexivity. }
    intros zs y _ H. cbv beta in H.
    match goal with |- knows _ _ _ (GTensor ?r) => replace r with (Tensor (outer ++ rest) (cells rows)) end; [exact H |].
    rewrite <- (tabulate_get (s_zero S) (Tensor (outer ++ rest) (cells rows))).
    2: { unfold good, rows. cbn [dims cells tabulate]. rewrite map_length, length_box, cell_count_app. reflexivity. }
    cbn [dims]. rewrite Rest. apply tabulate_ext. intros i Ii. destruct (in_box_split _ _ _ Ii) as (u & v & -> & U & V).
    pose proof (in_box_length _ _ U) as Lu. pose proof (position_lt _ _ U) as lt. fold n in lt.
    destruct (batch_place batch outer u Le U) as [Bb Bp]. pose proof (in_box_length _ _ Bb) as Lb.
    assert (firstn batch (u ++ v) = firstn batch u) as ->
      by (rewrite firstn_app; replace (batch - List.length u) with 0 by lia; apply app_nil_r).
    assert (firstn (List.length outer) (u ++ v) = u) as ->
      by (rewrite <- Lu, firstn_app, firstn_all, Nat.sub_diag; apply app_nil_r).
    assert (skipn (List.length outer) (u ++ v) = v) as -> by (rewrite <- Lu, skipn_app, skipn_all, Nat.sub_diag; reflexivity).
    set (p := position outer u) in *. rewrite app_assoc. set (c := firstn batch u ++ named inner t l p).
    assert (in_box (firstn t inner) (named inner t l p) = true) as N by (apply A, in_seq; lia).
    assert (in_box first c = true) as Nc by (rewrite Fi, Same; unfold c; rewrite in_box_app, Bb by exact Lb; exact N).
    assert (cell_named batch ds q l p = position first c) as Ec.
    { unfold cell_named. fold t outer inner. rewrite Bp, Fi, Same. unfold c. now rewrite position_app by exact Lb. }
    change (get (s_zero S)) with (at_ S).
    rewrite (at_recast S (outer ++ rest) rows _ (Z.of_nat p :: v)); [| exact Ii | apply in_box_cons; split; [lia | exact V] |].
    2: { rewrite position_app by exact Lu. cbn [rows tabulate dims position]. fold p. now rewrite Nat2Z.id. }
    unfold rows, at_ at 1. rewrite get_tabulate by (apply in_box_cons; split; [lia | exact V]). cbn [nth set_nth].
    rewrite Nat2Z.id. unfold ids. rewrite (nth_map_lt _ _ _ 0) by now rewrite seq_length. rewrite seq_nth by exact lt.
    cbn [Nat.add]. rewrite Ec.
    pose proof (position_lt _ _ Nc) as less. apply at_recast.
    - apply in_box_cons. split; [lia | exact V].
    - fold ds. assert (in_box (first ++ rest) (c ++ v) = true) as J; [| now rewrite <- D in J].
      rewrite in_box_app by now apply in_box_length. now rewrite Nc.
    - fold ds. transitivity (position (first ++ rest) (c ++ v)); [| now rewrite <- D].
      rewrite position_app by now apply in_box_length. cbn [position]. now rewrite Nat2Z.id.
  Qed.
End GatherND.

Lemma gather_nd_indices n : (0 <= n < 2 ^ 63)%Z ->
  s_index (Mixed.mixed Mixed.standard) (typed (Mixed.mixed Mixed.standard) i64_code (LInt n)) = Some n.
Proof.
  intros R. change (Some (Numbers.wrap n) = Some n). f_equal. unfold Numbers.wrap, Numbers.least. rewrite Z.mod_small; lia.
Qed.

(** Without and with a dimension of the batch. *)
Example gather_nd_example :
  let x := Tensor [2; 3; 2] (map Z.of_nat (seq 0 12)) in
  let run batch q l := option_map (fun b => composed Instances.integers (typed _) b [x])
    (gather_nd_composition batch [2; 3; 2] q l) in
  run 0 [2; 2] [0; -1; 1; 0]%Z = Some (Some (Tensor [2; 2] [4; 5; 6; 7]%Z)) /\
  run 1 [2; 2; 1] [0; -1; 1; 0]%Z = Some (Some (Tensor [2; 2; 2] [0; 1; 4; 5; 8; 9; 6; 7]%Z)).
Proof. split; vm_compute; reflexivity. Qed.
