(** * Kernels of the elementwise operators, of broadcasting and of constants *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpsNorm tensor.OpIndex tensor.OpIndexProof tensor.OpKernel tensor.OpEval.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope nat_scope.

Section Map.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Notation ex := (Kernel.ex K).
  Variable st : Kernel.store K.

  (** What a table of sizes is. *)
  Lemma table_some o f t : table A o f = Some t -> exists ds, o = Some ds /\ t = Tensor.tabulate ds (f ds).
  Proof. unfold table. destruct o as [ds |]; [| discriminate]. intros E. injection E as <-. eauto. Qed.

  (** One statement with the cells of a table. *)
  Lemma stores_gives o f t e p :
    table A o f = Some t -> stores A (dims t) e = Some p ->
    (forall i, in_box (dims t) i = true -> eval st i e = f (dims t) i) -> gives A p st 0 t.
  Proof.
    intros T P E. destruct (table_some o f t T) as (ds & _ & ->). injection P as <-. now apply gives_one.
  Qed.

  Lemma eval_bin rho o (a b : ex) : eval st rho (bin A o a b) = operator_of A o (eval st rho a) (eval st rho b).
  Proof. reflexivity. Qed.

  Lemma eval_call1 rho f (a : ex) : eval st rho (call1 A f a) = function_of A f [eval st rho a].
  Proof. reflexivity. Qed.

  Lemma eval_call2 rho f (a b : ex) : eval st rho (call2 A f a b) = function_of A f [eval st rho a; eval st rho b].
  Proof. reflexivity. Qed.

  Lemma eval_clipped rho lo hi (a : ex) : eval st rho (clipped A lo hi a) = clip_cell A lo hi (eval st rho a).
  Proof. unfold clipped, clip_cell. now destruct (is_minus_infinity lo), (is_infinity hi). Qed.

  Lemma eval_divided rho (a b : ex) :
    eval st rho (divided A (s_integer A) a b) = div_cell A (eval st rho a) (eval st rho b).
  Proof. unfold divided, div_cell. now destruct (s_integer A). Qed.

  (** ** One input *)

  Theorem k_map_gives (f : ex -> ex) (g : num -> num) x t p :
    (forall rho e, eval st rho (f e) = g (eval st rho e)) ->
    map1 A g x = Some t -> k_map A (map dims [x]) (dims t) f = Some p -> holds A st [x] -> gives A p st 0 t.
  Proof.
    intros F M P H. injection M as <-. injection P as <-. apply gives_one. intros i I. table_dims.
    rewrite F. rewrite (eval_spread A st [x] _ 0 x) by auto. unfold spread_at.
    now rewrite spread_same.
  Qed.

  Theorem k_copy_gives x p :
    k_map A (map dims [x]) (dims x) (fun e => e) = Some p -> holds A st [x] -> gives A p st 0 x.
  Proof.
    intros P H i I. injection P as <-. rewrite exec_cons. cbn [exec_prog fold_left].
    rewrite exec_own by exact I. rewrite (eval_spread A st [x] _ 0 x) by auto.
    unfold spread_at. now rewrite spread_same.
  Qed.

  Theorem k_expand_gives o x more t p :
    expand A o x = Some t -> k_map A (map dims (x :: more)) (dims t) (fun e => e) = Some p ->
    holds A st (x :: more) -> gives A p st 0 t.
  Proof.
    intros M P H. apply (stores_gives _ _ _ _ _ M P). intros i I.
    now apply (eval_spread A st (x :: more) _ 0 x).
  Qed.

  (** ** Two *)

  Theorem k_divided_gives x y t p :
    s_integer A = true -> map2 A (div_cell A) x y = Some t ->
    stores A (dims t) (divided A true (spread_in A (map dims [x; y]) (dims t) 0) (spread_in A (map dims [x; y]) (dims t) 1)) =
      Some p ->
    holds A st [x; y] -> gives A p st 0 t.
  Proof.
    intros int_ M P H. rewrite <- int_ in P. apply (stores_gives _ _ _ _ _ M P). intros i I.
    rewrite eval_divided, (eval_spread A st [x; y] _ 0 x), (eval_spread A st [x; y] _ 1 y); auto.
  Qed.

  Theorem k_spread_gives (f : ex -> ex -> ex) (g : num -> num -> num) o x y t p :
    (forall rho a b, eval st rho (f a b) = g (eval st rho a) (eval st rho b)) ->
    table A o (fun out i => g (spread_at A x out i) (spread_at A y out i)) = Some t ->
    k_map2 A (map dims [x; y]) (dims t) f = Some p -> holds A st [x; y] -> gives A p st 0 t.
  Proof.
    intros same M P H. apply (stores_gives _ _ _ _ _ M P). intros i I.
    rewrite same, (eval_spread A st [x; y] _ 0 x), (eval_spread A st [x; y] _ 1 y); auto.
  Qed.

  Theorem k_pair_gives (f : ex -> ex -> ex) (g : num -> num -> num) x y t p :
    (forall rho a b, eval st rho (f a b) = g (eval st rho a) (eval st rho b)) ->
    map2 A g x y = Some t -> k_map2 A (map dims [x; y]) (dims t) f = Some p ->
    holds A st [x; y] -> gives A p st 0 t.
  Proof. intros same M. exact (k_spread_gives f g _ x y t p same M). Qed.

  (** ** Three *)

  Theorem k_where_gives c x y t p :
    where_of A c x y = Some t -> k_where A (map dims [c; x; y]) (dims t) = Some p ->
    holds A st [c; x; y] -> gives A p st 0 t.
  Proof.
    intros M P H. apply (stores_gives _ _ _ _ _ M P). intros i I.
    unfold chosen, is_not. rewrite !eval_call2.
    rewrite (eval_spread A st [c; x; y] _ 0 c), (eval_spread A st [c; x; y] _ 1 x),
      (eval_spread A st [c; x; y] _ 2 y); auto.
  Qed.

  (** ** Any number: a left fold, cut into statements *)

  Section Fold.
    Variables (f : ex -> ex -> ex) (g : num -> num -> num).
    Hypothesis same : forall st rho a b, eval st rho (f a b) = g (eval st rho a) (eval st rho b).
    Variables (ts : list tensor) (out : sizes).

    Definition operand_cell (i : list Z) (k : nat) : num :=
      match nth_error ts k with Some t => spread_at A t out i | None => s_zero A end.

    Definition folded_to (n : nat) (i : list Z) : num :=
      fold_left (fun a k => g a (operand_cell i k)) (seq 1 (n - 1)) (operand_cell i 0).

    Lemma folded_more n m i : 1 <= n ->
      fold_left (fun a k => g a (operand_cell i k)) (seq n m) (folded_to n i) = folded_to (n + m) i.
    Proof.
      intros le. unfold folded_to. rewrite <- fold_left_app. f_equal.
      replace (n + m - 1) with (n - 1 + m) by lia. rewrite seq_app.
      now replace (1 + (n - 1)) with n by lia.
    Qed.

    Lemma eval_more (s : Kernel.store K) i l :
      holds A s ts -> in_box out i = true -> (forall k, In k l -> k < length ts) -> forall a,
      eval s i (fold_left (fun a k => f a (spread_in A (map dims ts) out k)) l a) =
      fold_left (fun a k => g a (operand_cell i k)) l (eval s i a).
    Proof.
      intros H I. induction l as [| k l IH]; intros lt a; [reflexivity |]. cbn [fold_left].
      rewrite IH by (intros j inj; apply lt; now right). f_equal. rewrite same. f_equal.
      unfold operand_cell. destruct (nth_error ts k) as [t |] eqn:E.
      - apply (eval_spread A s ts _ k t); auto. now apply in_dims.
      - apply nth_error_None in E. specialize (lt k (or_introl eq_refl)). lia.
    Qed.

    Lemma fold_from_gives fuel : forall part from s,
      holds A s ts -> from < length ts -> length ts - from <= fuel ->
      match part with
      | O => from = 0
      | S p => 1 <= from /\ forall i, in_box out i = true -> s (tT p) i = folded_to from i
      end ->
      forall i, in_box out i = true ->
        exec_prog (fold_from A (map dims ts) out f fuel part from) s (tY 0) i = folded_to (length ts) i.
    Proof.
      induction fuel as [| fuel IH]; intros part from s H lt le before i I; [lia |].
      cbn [fold_from]. rewrite map_length.
      set (to := if 128 <? length ts - from then from + 128 else length ts).
      assert (from < to /\ to <= length ts) as [lo hi]
        by (unfold to; destruct (Nat.ltb_spec 128 (length ts - from)); lia).
      set (e := fold_left _ _ _).
      assert (forall j, in_box out j = true -> eval s j e = folded_to to j) as E.
      { intros j J. unfold e. destruct part as [| q].
        - subst from. rewrite eval_more; auto.
          + unfold folded_to. f_equal. unfold operand_cell. destruct (nth_error ts 0) as [t |] eqn:E0.
            * apply (eval_spread A s ts _ 0 t); auto. now apply in_dims.
            * apply nth_error_None in E0. lia.
          + intros k ink. apply in_seq in ink. lia.
        - destruct before as [one before]. rewrite eval_more; auto.
          + rewrite (eval_load A s j (tT q) (vars out) j (all_see_vars out j J)), before by exact J.
            rewrite folded_more by exact one. f_equal. lia.
          + intros k ink. apply in_seq in ink. lia. }
      rewrite exec_cons. destruct (Nat.ltb_spec 128 (length ts - from)) as [many | few].
      - apply IH; auto; try (unfold to in *; lia).
        + apply holds_exec; [exact H | intros k; apply x_not_t].
        + split; [unfold to; lia |]. intros j J. rewrite exec_own by exact J. now apply E.
      - cbn [exec_prog fold_left]. rewrite exec_own by exact I. rewrite E by exact I. reflexivity.
    Qed.
  End Fold.

  Lemma skipn_S {B} n (l : list B) : skipn (S n) l = tl (skipn n l).
  Proof. revert l. induction n as [| n IH]; intros [| a l]; try reflexivity. apply (IH l). Qed.

  Lemma fold_all_cells (g : num -> num -> num) ts out x l i :
    ts = x :: l ->
    folded_to g ts out (length ts) i = fold_left (fun a y => g a (spread_at A y out i)) l (spread_at A x out i).
  Proof.
    intros ->. unfold folded_to. cbn [length]. replace (S (length l) - 1) with (length l) by lia.
    unfold operand_cell at 2. cbn [nth_error].
    cut (forall n m a, skipn n l = m ->
           fold_left (fun a k => g a (operand_cell (x :: l) out i k)) (seq (S n) (length m)) a =
           fold_left (fun a y => g a (spread_at A y out i)) m a).
    { intros C. now rewrite (C 0 l). }
    intros n m. revert n. induction m as [| y m IH]; intros n a E; [reflexivity |].
    assert (nth_error l n = Some y) as at_n.
    { rewrite <- (firstn_skipn n l), E, nth_error_app2; rewrite firstn_length.
      - assert (n < length l) by (destruct (Nat.lt_ge_cases n (length l)); [auto | rewrite skipn_all2 in E by lia; discriminate]).
        replace (n - Nat.min n (length l)) with 0 by lia. reflexivity.
      - lia. }
    cbn [length seq fold_left]. rewrite (IH (S n)).
    - f_equal. unfold operand_cell. cbn [nth_error]. now rewrite at_n.
    - rewrite skipn_S, E. reflexivity.
  Qed.

  Theorem k_fold_gives (f : ex -> ex -> ex) (g : num -> num -> num) x l t p :
    (forall st rho a b, eval st rho (f a b) = g (eval st rho a) (eval st rho b)) ->
    fold_all A g x l = Some t -> k_fold A (map dims (x :: l)) (dims t) f = Some p ->
    holds A st (x :: l) -> gives A p st 0 t.
  Proof.
    intros same M P H i I. apply some_inj in P. subst p. rewrite map_length.
    rewrite (fold_from_gives f g same (x :: l) (dims t) (length (x :: l)) 0 0 st H); auto; try (cbn [length]; lia).
    destruct (table_some _ _ _ M) as (ds & _ & ->). table_dims.
    unfold at_. rewrite get_tabulate by exact I. now apply fold_all_cells.
  Qed.

  Theorem k_map2_gives (f : ex -> ex -> ex) (g : num -> num -> num) x y t p :
    (forall st rho a b, eval st rho (f a b) = g (eval st rho a) (eval st rho b)) ->
    map2 A g x y = Some t -> k_fold A (map dims [x; y]) (dims t) f = Some p ->
    holds A st [x; y] -> gives A p st 0 t.
  Proof.
    intros same M P H. apply (k_fold_gives f g x [y] t p same); auto. unfold fold_all, map2 in *.
    cbn [map broadcast_all]. unfold table in *. destruct (broadcast (dims x) (dims y)); [exact M | discriminate].
  Qed.

  (** ** Constants *)

  Theorem k_fill_gives ds a e p :
    (forall i, eval st i e = a) -> stores A ds e = Some p -> gives A p st 0 (filled A ds a).
  Proof. intros E P. injection P as <-. apply gives_one. intros i _. apply E. Qed.

  Theorem k_full_like_gives x b p :
    dims b = [] -> stores A (dims x) (spread_in A (map dims [x; b]) (dims x) 1) = Some p ->
    holds A st [x; b] -> gives A p st 0 (filled A (dims x) (at_ A b [])).
  Proof.
    intros B P H. injection P as <-. apply gives_one. intros i I.
    rewrite (eval_spread A st [x; b] _ 1 b); auto. unfold spread_at, spread. now rewrite B.
  Qed.

  Theorem k_eye_gives k x t p :
    eye A k x = Some t -> k_eye A (dims t) k = Some p -> gives A p st 0 t.
  Proof.
    unfold eye. intros M P. destruct (dims x) as [| a [| b [| c d]]] eqn:D; try discriminate.
    injection M as <-. injection P as <-. rewrite <- D. apply gives_one. intros i I.
    cbn [eval eval_cond eval_cmp].
    assert (all_see i (numbered 0 (dims x)) i) as V by (now apply all_see_vars).
    pose proof (all_see_nth _ _ _ 1 V) as V1. pose proof (all_see_nth _ _ _ 0 V) as V0.
    unfold nth_ix, vars. table_dims. rewrite (eval_sees _ _ _ V1), (eval_sees _ _ _ (sees_plus _ _ k _ V0)).
    reflexivity.
  Qed.

  (** ** A vector along a dimension *)

  Lemma eval_vector k b ts out i j (a : ixs) :
    holds A st ts -> nth_error ts k = Some b -> sees i a j -> in_box out i = true ->
    eval st i (load A (tX k) [a]) = at_ A b [j].
  Proof.
    intros H at_k S I. apply (load_input A st ts k b i [a] [j] H at_k). constructor; [exact S | constructor].
  Qed.

  Theorem k_bias_add_gives axis x b t p :
    bias_add A axis x b = Some t -> k_bias_add A (map dims [x; b]) (dims t) axis = Some p ->
    holds A st [x; b] -> gives A p st 0 t.
  Proof.
    intros M P H. pose proof M as D. destruct (table_some _ _ _ D) as (ds & E & T).
    unfold bias_add_dims, guard in E. destruct (is_vector _ _); [| discriminate]. injection E as <-.
    apply (stores_gives _ _ _ _ _ M P). intros i I. rewrite eval_bin.
    rewrite (eval_spread A st [x; b] _ 0 x) by auto.
    rewrite (eval_vector 1 b [x; b] (dims t) i (nth axis i 0%Z)); auto.
    - cbn [operator_of]. unfold spread_at. rewrite T in I |- *. table_dims. now rewrite spread_same.
    - apply all_see_nth. now apply all_see_vars.
  Qed.

  Theorem k_batch_norm_gives eps x g b m v t p :
    batch_norm A eps x g b m v = Some t -> k_batch_norm A (map dims [x; g; b; m; v]) (dims t) eps = Some p ->
    holds A st [x; g; b; m; v] -> gives A p st 0 t.
  Proof.
    intros M P H. pose proof M as D. destruct (table_some _ _ _ D) as (ds & E & T).
    unfold batch_norm_dims in E. destruct (channels (dims x)); [| discriminate].
    unfold guard in E. destruct (forallb _ _); [| discriminate]. injection E as <-.
    apply (stores_gives _ _ _ _ _ M P). intros i I. subst t. table_dims.
    assert (sees i (if 1 <? length (dims x) then nth_ix (vars (dims x)) 1 else ix_const 0)
                 (match dims x with _ :: _ :: _ => nth 1 i 0%Z | _ => 0%Z end)) as C.
    { destruct (dims x) as [| d0 [| d1 ds]] eqn:Ed; cbn [length Nat.ltb Nat.leb]; try apply sees_const.
      apply all_see_nth. now apply all_see_vars. }
    assert (forall k c, nth_error [x; g; b; m; v] k = Some c ->
              eval st i (load A (tX k) [if 1 <? length (dims x) then nth_ix (vars (dims x)) 1 else ix_const 0]) =
              at_ A c (channel (dims x) i)) as L.
    { intros k c at_k. rewrite (eval_vector k c _ (dims x) i _ _ H at_k C I). unfold channel.
      now destruct (dims x) as [| d0 [| d1 ds]]. }
    repeat (rewrite eval_bin || rewrite eval_call1).
    rewrite (L 3 m), (L 4 v), (L 1 g), (L 2 b) by reflexivity.
    rewrite (eval_spread A st [x; g; b; m; v] _ 0 x) by auto. unfold spread_at. rewrite spread_same by exact I.
    reflexivity.
  Qed.
End Map.
