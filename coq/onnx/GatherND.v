(** * GatherND

    Y[i.., j..] = X[index(i..).., j..], where index(i..) are the last dimension of constant indices at i.., counted from the
    end where they are negative: opset 11 on, without batch dimensions.  Of a tensor without cells the node stays opaque. *)

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

Definition onnx_gather_nd (S : arith) (q : sizes) (l : list Z) (x : tensor (num S)) : option (tensor (num S)) :=
  let t := last q 0 in
  let outer := removelast q in
  let r := List.length outer in
  let ds := dims x in
  guard (forallb (fun p => in_box (firstn t ds) (named ds t l p)) (seq 0 (cell_count outer)))
    (table S (Some (outer ++ skipn t ds))
      (fun _ i => at_ S x (named ds t l (position outer (firstn r i)) ++ skipn r i))).

(** ** The composition: Gather of the dimensions that are named as one *)

Definition reshaped (ds es : sizes) (x : nat) : build nat :=
  if sizes_eqb ds es then Return x else apply "Reshape" [("shape", nats_value es)] [x].

Definition taken (ds q : sizes) (l : list Z) : build nat :=
  let t := last q 0 in
  let outer := removelast q in
  let n := cell_count outer in
  let rest := skipn t ds in
  wide <- reshaped ds (cell_count (firstn t ds) :: rest) 0 ;;
  index <- constant i64_code [n] (map (fun p => LInt (Z.of_nat (position (firstn t ds) (named ds t l p)))) (seq 0 n)) ;;
  rows <- apply "Gather" [("axis", nat_value 0)] [wide; index] ;;
  reshaped (n :: rest) (outer ++ rest) rows.

Definition gather_nd_composition (ds q : sizes) (l : list Z) : option (build nat) :=
  let t := last q 0 in
  let n := cell_count (removelast q) in
  guard (negb (List.length q =? 0) && (1 <=? t) && (t <=? List.length ds) && forallb (Nat.ltb 0) ds && forallb (Nat.ltb 0) q &&
         (List.length q - 1 + List.length ds - t <=? 8) && (N.of_nat (cell_count q) <=? 16777216)%N &&
         (Z.of_nat (cell_count (firstn t ds)) <? 2 ^ 63)%Z &&
         forallb (fun p => in_box (firstn t ds) (named ds t l p)) (seq 0 n))
    (Some (finished 1 (taken ds q l))).

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

  Theorem gather_nd_correct q l x b : good x -> gather_nd_composition (dims x) q l = Some b ->
    exists y, composed S typed b [x] = Some y /\ onnx_gather_nd S q l x = Some y.
  Proof.
    intros G. unfold gather_nd_composition, onnx_gather_nd, guard. set (ds := dims x). set (t := last q 0).
    set (outer := removelast q). set (n := cell_count outer). destruct (_ && _) eqn:A; [| discriminate].
    intros E. injection E as <-. rewrite !andb_true_iff in A. destruct A as [[_ Few] A]. rewrite A. rewrite forallb_forall in A.
    apply Z.ltb_lt in Few.
    eexists. split; [| reflexivity]. change 1 with (List.length [x]). apply finished_runs. unfold taken.
    fold t outer n. set (rest := skipn t ds). set (first := firstn t ds) in *.
    assert (ds = first ++ rest) as D by (symmetry; apply firstn_skipn).
    assert (cell_count (cell_count first :: rest) = cell_count ds) as Cw by (rewrite D, cell_count_app; reflexivity).
    set (wide := Tensor (cell_count first :: rest) (cells x)).
    set (ids := map (fun p => Z.of_nat (position first (named ds t l p))) (seq 0 n)).
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
        + unfold ids. rewrite !map_map. apply map_ext_in. intros p P. specialize (A p P).
          pose proof (position_lt _ _ A). apply index. lia.
        + unfold ids. intros z Z. apply in_map_iff in Z. destruct Z as (p & <- & P). specialize (A p P).
          pose proof (position_lt _ _ A). cbn [wide dims nth]. lia. }
    intros us m _ M. cbv beta in M. eapply runs_weaken.
    { apply (reshaped_runs us rows (n :: rest) (outer ++ rest) m M); [apply good_tabulate | reflexivity |].
      rewrite cell_count_app. reflexivity. }
    intros zs y _ H. cbv beta in H.
    match goal with |- knows _ _ _ (GTensor ?r) => replace r with (Tensor (outer ++ rest) (cells rows)) end; [exact H |].
    rewrite <- (tabulate_get (s_zero S) (Tensor (outer ++ rest) (cells rows))).
    2: { unfold good, rows. cbn [dims cells tabulate]. rewrite map_length, length_box, cell_count_app. reflexivity. }
    cbn [dims]. apply tabulate_ext. intros i Ii. destruct (in_box_split _ _ _ Ii) as (u & v & -> & U & V).
    pose proof (in_box_length _ _ U) as Lu. pose proof (position_lt _ _ U) as lt. fold n in lt.
    rewrite <- Lu, firstn_app, firstn_all, skipn_app, skipn_all, Nat.sub_diag. cbn [firstn skipn app]. rewrite app_nil_r.
    set (p := position outer u) in *. assert (in_box first (named ds t l p) = true) as N by (apply A, in_seq; lia).
    change (get (s_zero S)) with (at_ S).
    rewrite (at_recast S (outer ++ rest) rows _ (Z.of_nat p :: v)); [| exact Ii | apply in_box_cons; split; [lia | exact V] |].
    2: { rewrite position_app by exact Lu. cbn [rows tabulate dims position]. fold p. now rewrite Nat2Z.id. }
    unfold rows, at_ at 1. rewrite get_tabulate by (apply in_box_cons; split; [lia | exact V]). cbn [nth set_nth].
    rewrite Nat2Z.id. unfold ids. rewrite (nth_map_lt _ _ _ 0) by now rewrite seq_length. rewrite seq_nth by exact lt.
    cbn [Nat.add].
    pose proof (position_lt _ _ N) as less. apply at_recast.
    - apply in_box_cons. split; [lia | exact V].
    - fold ds. assert (in_box (first ++ rest) (named ds t l p ++ v) = true) as J; [| now rewrite <- D in J].
      rewrite in_box_app by now apply in_box_length. now rewrite N.
    - fold ds. transitivity (position (first ++ rest) (named ds t l p ++ v)); [| now rewrite <- D].
      rewrite position_app by now apply in_box_length. cbn [position]. now rewrite Nat2Z.id.
  Qed.
End GatherND.

Lemma gather_nd_indices n : (0 <= n < 2 ^ 63)%Z ->
  s_index (Mixed.mixed Mixed.standard) (typed (Mixed.mixed Mixed.standard) i64_code (LInt n)) = Some n.
Proof.
  intros R. change (Some (Numbers.wrap n) = Some n). f_equal. unfold Numbers.wrap, Numbers.least. rewrite Z.mod_small; lia.
Qed.

Example gather_nd_example :
  option_map (fun b => composed Instances.integers (typed _) b [Tensor [2; 3; 2] (map Z.of_nat (seq 0 12))])
    (gather_nd_composition [2; 3; 2] [2; 2] [0; -1; 1; 0]%Z) = Some (Some (Tensor [2; 2] [4; 5; 6; 7]%Z)).
Proof. vm_compute. reflexivity. Qed.
