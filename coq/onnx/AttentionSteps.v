(** * Steps of Attention: products, softmax, shared heads, masks

    What each operator makes of tables of four dimensions ([Heads.table4]). *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsNorm tensor.OpTable.
From Calque Require Import onnx.Composition onnx.Steps onnx.Heads.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Builders *)

(** Each head [m] times, one after the other. *)
Definition shared (b g n d m : nat) (x : nat) : build nat :=
  if m =? 1 then Return x else
  y <- reshape [b; g; 1; n; d] x ;;
  z <- apply "Expand" [("shape", nats_value [b; g; m; n; d])] [y] ;;
  reshape [b; g * m; n; d] z.

Definition swap_perm : list nat := [0; 1; 3; 2].

(** ** Sums and greatest elements of a row *)

Section Rows.
  Variable S : arith.
  Notation num := (num S).

  Definition sum_to (n : nat) (f : nat -> num) : num := s_sum S [n] (fun k => f (Z.to_nat (nth 0 k 0%Z))).
  Definition greatest_to (n : nat) (f : nat -> num) : num := s_greatest S [n] (fun k => f (Z.to_nat (nth 0 k 0%Z))).

  (** As [OpsNorm.softmax] defines it. *)
  Definition softmax_row (n : nat) (f : nat -> num) (j : nat) : num :=
    let top := greatest_to n f in
    let e a := s_exp S (s_sub S a top) in
    s_div S (e (f j)) (sum_to n (fun k => e (f k))).

  Lemma row_index n k : in_box [n] k = true -> exists j, k = [Z.of_nat j] /\ j < n.
  Proof.
    intros I. destruct (box_within [n] k I) as (l & -> & W). inversion W as [| j ? r ? J T]; subst. inversion T; subst.
    now exists j.
  Qed.

  Lemma sum_to_is n F f : (forall j, j < n -> F [Z.of_nat j] = f j) -> s_sum S [n] F = sum_to n f.
  Proof.
    intros E. apply s_sum_ext. intros k I. destruct (row_index n k I) as (j & -> & J). cbn [nth]. now rewrite Nat2Z.id, E.
  Qed.

  Lemma greatest_to_is n F f : (forall j, j < n -> F [Z.of_nat j] = f j) -> s_greatest S [n] F = greatest_to n f.
  Proof.
    intros E. apply s_greatest_ext. intros k I. destruct (row_index n k I) as (j & -> & J). cbn [nth]. now rewrite Nat2Z.id, E.
  Qed.
End Rows.

Section Steps.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation shows := (shows S).
  Notation table4 := (table4 S).

  Lemma runs_unary name attrs o : (forall x, op_value S name attrs [GTensor x] = one (map1 S o x)) -> forall b h s d f vs k,
    shows vs k (table4 b h s d f) ->
    runs S typed vs (apply name attrs [k]) (fun ws r => shows ws r (table4 b h s d (fun i j k m => o (f i j k m)))).
  Proof.
    intros O b h s d f vs k K. eapply runs_apply; [constructor; [exact K | constructor] |]. rewrite O. unfold map1, one.
    do 2 f_equal. change (dims (table4 b h s d f)) with [b; h; s; d]. apply tabulate_table4. intros. now rewrite at_table4.
  Qed.

  Lemma runs_swap b h s d f vs k : shows vs k (table4 b h s d f) ->
    runs S typed vs (transposed swap_perm k) (fun ws r => shows ws r (table4 b h d s (fun i j k m => f i j m k))).
  Proof.
    intros K. eapply runs_apply; [constructor; [exact K | constructor] |]. rewrite transpose_value by reflexivity.
    do 2 f_equal. change (permuted (dims (table4 b h s d f)) swap_perm) with [b; h; d; s].
    apply tabulate_table4. intros i j m n I J M N. cbn [unpermute swap_perm List.length seq map place_of nth].
    change (at_ S (table4 b h s d f) [Z.of_nat i; Z.of_nat j; Z.of_nat n; Z.of_nat m] = f i j n m).
    now rewrite at_table4.
  Qed.

  Lemma runs_matmul b h q d n f g vs j k : shows vs j (table4 b h q d f) -> shows vs k (table4 b h d n g) ->
    runs S typed vs (apply "MatMul" [] [j; k])
      (fun ws r => shows ws r (table4 b h q n (fun i j k m => sum_to S d (fun c => s_mul S (f i j k c) (g i j c m))))).
  Proof.
    intros J K. eapply runs_apply; [constructor; [exact J | constructor; [exact K | constructor]] |].
    change (one (matmul S (table4 b h q d f) (table4 b h d n g)) = Some (GTensor (table4 b h q n
      (fun i j k m => sum_to S d (fun c => s_mul S (f i j k c) (g i j c m)))))).
    unfold matmul. change (dims (table4 b h q d f)) with [b; h; q; d]. change (dims (table4 b h d n g)) with [b; h; d; n].
    unfold matmul_dims. cbn [matmul_left matmul_right rev app]. rewrite broadcast_same, Nat.eqb_refl.
    cbn [guard table app one]. do 2 f_equal. apply tabulate_table4. intros i j' k' m I J' K' M.
    cbn [List.length Nat.sub firstn skipn Nat.add].
    rewrite spread_same by (apply (within_box [b; h] [i; j']); repeat constructor; assumption).
    apply sum_to_is. intros c C. cbn [app]. now rewrite !at_table4.
  Qed.

  Lemma runs_softmax b h q n f vs k : shows vs k (table4 b h q n f) ->
    runs S typed vs (apply "Softmax" [("axis", nat_value 3); ("flatten", bool_value false)] [k])
      (fun ws r => shows ws r (table4 b h q n (fun i j k => softmax_row S n (f i j k)))).
  Proof.
    intros K. eapply runs_apply; [constructor; [exact K | constructor] |].
    change (one (softmax S 3 false (table4 b h q n f)) =
      Some (GTensor (table4 b h q n (fun i j k => softmax_row S n (f i j k))))).
    unfold softmax. change (dims (table4 b h q n f)) with [b; h; q; n].
    cbn [List.length seq map Nat.eqb marked table one]. do 2 f_equal. apply tabulate_table4. intros i j k' m I J K' M.
    assert (F : forall c, c < n -> fellows S [false; false; false; true] (table4 b h q n f)
      [Z.of_nat i; Z.of_nat j; Z.of_nat k'; Z.of_nat m] [Z.of_nat c] = f i j k' c).
    { intros c C. unfold fellows. cbn [unmarked marked map negb weave]. now rewrite at_table4. }
    rewrite at_table4 by assumption. unfold softmax_row. rewrite (greatest_to_is S n _ (f i j k') F). cbv zeta. f_equal.
    apply sum_to_is. intros c C. now rewrite F.
  Qed.

  Lemma runs_shared b g n d m f vs k : 0 < m -> shows vs k (table4 b g n d f) ->
    runs S typed vs (shared b g n d m k) (fun ws r => shows ws r (table4 b (g * m) n d (fun i j => f i (j / m)))).
  Proof.
    intros P K. unfold shared. destruct (Nat.eqb_spec m 1) as [-> | _].
    { apply runs_return. rewrite Nat.mul_1_r. rewrite (table4_ext S b g n d _ f); [exact K |]. intros. now rewrite Nat.div_1_r. }
    set (y := grid [b; g; 1; n; d] (fun l => match l with [i; j; _; k; c] => f i j k c | _ => s_zero S end)).
    set (z := grid [b; g; m; n; d] (fun l => match l with [i; j; _; k; c] => f i j k c | _ => s_zero S end)).
    apply (runs_bind _ _ _ _ _ (fun ws r => shows ws r y)).
    - eapply runs_reshape; [exact K | apply good_grid | |].
      { cbn [dims Heads.table4 grid tabulate cell_count fold_right]. lia. }
      apply grid_recast; [cbn [cell_count fold_right]; lia |]. intros l W.
      destruct (within_5 _ _ _ _ _ _ W) as (i & j & o & q & c & -> & I & J & O & Q & C).
      exists [i; j; q; c]. split; [now apply within_of_4 | split; [| reflexivity]].
      cbn [map position cell_count fold_right]. rewrite !Nat2Z.id. replace o with 0 by lia. ring.
    - intros ws r _ Y. apply (runs_bind _ _ _ _ _ (fun ws r => shows ws r z)).
      + eapply runs_apply; [constructor; [exact Y | constructor] |]. rewrite (expand_value S y _ [b; g; m; n; d]).
        2: { change (dims y) with [b; g; 1; n; d]. unfold broadcast.
             cbn [List.length Nat.max lead Nat.sub repeat app agree]. now rewrite !Nat.eqb_refl, orb_true_r. }
        do 2 f_equal. apply tabulate_grid. intros l W.
        destruct (within_5 _ _ _ _ _ _ W) as (i & j & o & q & c & -> & I & J & O & Q & C).
        unfold spread_at. change (dims y) with [b; g; 1; n; d].
        unfold spread. cbn [List.length Nat.sub skipn map clip]. rewrite !Nat.eqb_refl.
        replace (if 1 =? m then Z.of_nat o else 0%Z) with (Z.of_nat 0)
          by (destruct (Nat.eqb_spec 1 m); [f_equal; lia | reflexivity]).
        exact (cell_grid S [b; g; 1; n; d] _ [i; j; 0; q; c] ltac:(apply within_of_5; lia)).
      + intros us t _ Z. eapply runs_reshape; [exact Z | apply good_grid | |].
        { cbn [dims z grid tabulate cell_count fold_right]. lia. }
        apply grid_recast; [cbn [cell_count fold_right]; lia |]. intros l W.
        destruct (within_4 _ _ _ _ _ W) as (i & j & q & c & -> & I & J & Q & C).
        destruct (row_div g m j J) as (A & B & E).
        exists [i; j / m; j mod m; q; c]. split; [now apply within_of_5 | split; [| reflexivity]].
        cbn [map position cell_count fold_right]. rewrite !Nat2Z.id. rewrite E at 3. ring.
  Qed.

  (** What is added is broadcast. *)
  Lemma runs_mask b h q n f mask vs j k : broadcasts (dims mask) [b; h; q; n] = true ->
    shows vs j (table4 b h q n f) -> shows vs k mask ->
    runs S typed vs (apply "Add" [] [j; k]) (fun ws r => shows ws r (table4 b h q n (fun i j k m =>
      s_add S (f i j k m) (spread_at S mask [b; h; q; n] (map Z.of_nat [i; j; k; m]))))).
  Proof.
    intros B J K. eapply runs_apply; [constructor; [exact J | constructor; [exact K | constructor]] |].
    change (one (map2 S (s_add S) (table4 b h q n f) mask) = Some (GTensor (table4 b h q n (fun i j k m =>
      s_add S (f i j k m) (spread_at S mask [b; h; q; n] (map Z.of_nat [i; j; k; m])))))).
    apply broadcasts_iff in B. unfold map2. change (dims (table4 b h q n f)) with [b; h; q; n].
    rewrite broadcast_comm, B. cbn [table one]. do 2 f_equal. apply tabulate_table4. intros i j' k' m I J' K' M.
    unfold spread_at at 1. change (dims (table4 b h q n f)) with [b; h; q; n].
    rewrite spread_same by (apply (within_box [b; h; q; n] [i; j'; k'; m]); now apply within_of_4).
    now rewrite at_table4.
  Qed.

  (** Earlier steps, then these; as the dimensions are equal the steps are all that is told apart. *)
  Lemma runs_joined b g p n d f u vs j k : shows vs j (table4 b g p d f) -> shows vs k (table4 b g n d u) ->
    runs S typed vs (apply "Concat" [("axis", nat_value 2)] [j; k])
      (fun ws r => shows ws r (table4 b g (p + n) d (fun i j k m => if k <? p then f i j k m else u i j (k - p) m))).
  Proof.
    intros J K. eapply runs_apply; [constructor; [exact J | constructor; [exact K | constructor]] |].
    change [GTensor (table4 b g p d f); GTensor (table4 b g n d u)] with (map GTensor [table4 b g p d f; table4 b g n d u]).
    rewrite (concat_value S 2 _ [table4 b g n d u] [b; g; p + n; d]).
    2: { cbn. lia. }
    2: { unfold concat_dims. cbn. now rewrite sizes_eqb_refl. }
    do 2 f_equal. apply tabulate_table4. intros i j' q m I J' Q M.
    cbn [concat_cell]. change (dims (table4 b g p d f)) with [b; g; p; d]. cbn [nth set_nth].
    destruct (Z.ltb_spec (Z.of_nat q) (Z.of_nat p)) as [lt | ge].
    - rewrite (proj2 (Nat.ltb_lt q p)) by lia. apply at_table4; lia.
    - rewrite (proj2 (Nat.ltb_ge q p)) by lia. rewrite <- Nat2Z.inj_sub by lia. apply at_table4; lia.
  Qed.
End Steps.
