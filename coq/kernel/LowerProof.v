(** * Lowering is right: the same values, well typed

    No law of arithmetic is used, so the values agree bit for bit on floats. *)

From Coq Require Import Bool List Arith ZArith Lia.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Lower.
From Calque Require kernel.Wf dpia.Syntax dpia.Typing dpia.Values.
Import ListNotations.
Open Scope nat_scope.

Section LowerProof.
  Variable S : scalars.
  Variable shape : tid -> list nat.

  Notation A := (scalar_algebra S).
  Notation N := Syntax.numbers.
  Notation value := (@Values.value A).
  Notation eval' := (@Values.eval A N Syntax.numbers_sizing).
  Notation ixv := (@Syntax.ixv N Syntax.numbers_sizing).
  Notation holds := (@Syntax.holds N Syntax.numbers_sizing).
  Notation positions := (@Values.positions A).
  Notation Num := (@Values.Num A).
  Notation Pos := (@Values.Pos A).
  Notation Arr := (@Values.Arr A).

  (** ** Indices *)

  (** The values of the kernel's variables, where variable [j] is [f j]. *)
  Definition read (m : nat) (f : nat -> nat) (v : nat -> Z) : list Z :=
    map (fun j => v (f j)) (seq 0 m).

  Lemma read_length m f v : length (read m f v) = m.
  Proof. unfold read. now rewrite map_length, seq_length. Qed.

  Lemma read_nth m f v j : j < m -> nth j (read m f v) 0%Z = v (f j).
  Proof.
    intros lt. unfold read.
    rewrite (nth_indep _ 0%Z (v (f 0))) by now rewrite map_length, seq_length.
    rewrite (map_nth (fun j => v (f j)) (seq 0 m) 0 j), seq_nth by exact lt. reflexivity.
  Qed.

  Lemma lower_ix_value m f v a : forall a',
    lower_ix m f a = Some a' -> ixv v a' = eval_ix (read m f v) a.
  Proof.
    induction a as [j | z | a IHa b IHb | a IHa b IHb | a IHa k | a IHa k | a IHa k];
      intros a' H; simpl in H.
    - destruct (Nat.ltb_spec j m) as [lt | _]; [| discriminate].
      injection H as <-. simpl. now rewrite read_nth.
    - now injection H as <-.
    - destruct (lower_ix m f a) as [x |]; [| discriminate].
      destruct (lower_ix m f b) as [y |]; [| discriminate].
      injection H as <-. simpl. now rewrite (IHa x), (IHb y).
    - destruct (lower_ix m f a) as [x |]; [| discriminate].
      destruct (lower_ix m f b) as [y |]; [| discriminate].
      injection H as <-. simpl. now rewrite (IHa x), (IHb y).
    - destruct (lower_ix m f a) as [x |]; [| discriminate].
      injection H as <-. simpl. now rewrite (IHa x).
    - destruct k as [| k | k]; try discriminate.
      destruct (lower_ix m f a) as [x |]; [| discriminate].
      injection H as <-. simpl. now rewrite (IHa x).
    - destruct k as [| k | k]; try discriminate.
      destruct (lower_ix m f a) as [x |]; [| discriminate].
      injection H as <-. simpl. now rewrite (IHa x).
  Qed.

  Lemma lower_cond_value m f v c : forall c',
    lower_cond m f c = Some c' -> holds v c' = eval_cond (read m f v) c.
  Proof.
    induction c as [o a b | c IHc d IHd]; intros c' H; simpl in H.
    - destruct (lower_ix m f a) as [x |] eqn:Ea; [| discriminate].
      destruct (lower_ix m f b) as [y |] eqn:Eb; [| discriminate].
      injection H as <-. simpl.
      now rewrite (lower_ix_value _ _ _ _ _ Ea), (lower_ix_value _ _ _ _ _ Eb).
    - destruct (lower_cond m f c) as [x |]; [| discriminate].
      destruct (lower_cond m f d) as [y |]; [| discriminate].
      injection H as <-. simpl. now rewrite (IHc x), (IHd y).
  Qed.

  Lemma lower_ixs_value m f v l : forall l',
    traverse (lower_ix m f) l = Some l' -> map (ixv v) l' = map (eval_ix (read m f v)) l.
  Proof.
    induction l as [| a l IH]; intros l' H; simpl in H.
    - now injection H as <-.
    - destruct (lower_ix m f a) as [x |] eqn:Ea; [| discriminate].
      destruct (traverse (lower_ix m f) l) as [xs |]; [| discriminate].
      injection H as <-. simpl. now rewrite (lower_ix_value _ _ _ _ _ Ea), (IH xs).
  Qed.

  (** ** Tensors as trees *)

  Fixpoint tree (d : list nat) (x : tensor S) : value :=
    match d with
    | [] => Num (x [])
    | n :: d' => Arr (map (fun k => tree d' (fun i => x (Z.of_nat k :: i))) (seq 0 n))
    end.

  Lemma tree_ext d : forall x y,
    (forall i, in_box d i = true -> x i = y i) -> tree d x = tree d y.
  Proof.
    induction d as [| n d IH]; intros x y same; simpl.
    - now rewrite same.
    - f_equal. apply map_ext_in. intros k ink. apply in_seq in ink.
      apply IH. intros i ini. apply same. simpl. rewrite ini.
      destruct (Z.leb_spec 0 (Z.of_nat k)); [| lia].
      destruct (Z.ltb_spec (Z.of_nat k) (Z.of_nat n)); [reflexivity | lia].
  Qed.

  Lemma load_value env : forall d l (e : Syntax.exp A N) x,
    eval' env e = tree d x ->
    in_box d (map (ixv (positions env)) l) = true ->
    eval' env (load S e l) = Num (x (map (ixv (positions env)) l)).
  Proof.
    intros d l. revert d. induction l as [| a l IH]; intros d e x H inside; simpl in *.
    - destruct d; [exact H | discriminate].
    - destruct d as [| n d]; [discriminate |].
      apply andb_true_iff in inside as [range inside].
      apply andb_true_iff in range as [low high].
      apply Z.leb_le in low. apply Z.ltb_lt in high.
      set (z := ixv (positions env) a) in *.
      specialize (IH d (Syntax.EIdx e a) (fun i => x (z :: i))). simpl in IH. apply IH; [| exact inside].
      rewrite H. simpl. unfold Syntax.index. fold z.
      destruct (Z.leb_spec 0 z) as [_ | ?]; [| lia].
      rewrite (nth_indep _ _ (tree d (fun i => x (Z.of_nat 0 :: i))))
        by (rewrite map_length, seq_length; lia).
      rewrite (map_nth (fun k => tree d (fun i => x (Z.of_nat k :: i))) (seq 0 n) 0).
      rewrite seq_nth by lia. simpl. now rewrite Z2Nat.id.
  Qed.

  (** ** Folds *)

  (** [env'] is [env] under folds that stand at the indices [ks]. *)
  Inductive below (env : list value) : list Z -> list value -> Prop :=
    | B_Here : below env [] env
    | B_Fold : forall x k ks env',
        below (Num x :: Pos k :: env) ks env' -> below env (Z.of_nat k :: ks) env'.

  Lemma below_outer env ks env' : below env ks env' ->
    forall i, nth_error env' (2 * length ks + i) = nth_error env i.
  Proof.
    induction 1 as [env | env x k ks env' _ IH]; intros i; [reflexivity |].
    change (nth_error env i) with (nth_error (Num x :: Pos k :: env) (2 + i)).
    rewrite <- (IH (2 + i)). f_equal. simpl length. lia.
  Qed.

  Lemma below_inner env ks env' : below env ks env' ->
    forall j, j < length ks ->
      positions env' (2 * (length ks - 1 - j) + 1) = nth j ks 0%Z.
  Proof.
    induction 1 as [env | env x k ks env' below IH]; intros j lt; simpl in lt; [lia |].
    destruct j as [| j].
    - unfold Values.positions. simpl length.
      replace (2 * (Datatypes.S (length ks) - 1 - 0) + 1) with (2 * length ks + 1) by lia.
      now rewrite (below_outer _ _ _ below).
    - simpl nth. rewrite <- (IH j) by lia. f_equal. simpl length. lia.
  Qed.

  Lemma below_positions env ks env' x : below env ks env' ->
    positions env' (2 * length ks + x) = positions env x.
  Proof. intros B. unfold Values.positions. now rewrite (below_outer _ _ _ B). Qed.

  Lemma read_below env ks env' m f : below env ks env' ->
    read (length ks + m) (under (length ks) f) (positions env') = ks ++ read m f (positions env).
  Proof.
    intros B. apply nth_ext with (d := 0%Z) (d' := 0%Z).
    - rewrite app_length, !read_length. reflexivity.
    - intros j lt. rewrite read_length in lt. rewrite read_nth by exact lt. unfold under.
      destruct (Nat.ltb_spec j (length ks)) as [less | more].
      + rewrite app_nth1 by exact less. now apply below_inner with (env := env).
      + rewrite app_nth2 by exact more. rewrite (below_positions _ _ _ _ B).
        symmetry. apply read_nth. lia.
  Qed.

  Lemma nth_positions {T} (env env' : list T) (p q : nat) (d : T) :
    nth_error env' p = nth_error env q -> nth p env' d = nth q env d.
  Proof.
    intros H. destruct (nth_error env q) as [t |] eqn:E.
    - rewrite (nth_error_nth env q d E). now apply nth_error_nth.
    - apply nth_error_None in E, H. now rewrite !nth_overflow.
  Qed.

  Lemma folds_value r ns : forall env acc (body : Syntax.exp A N) x h,
    eval' env acc = Num x ->
    (forall ks env', In ks (box ns) -> below env ks env' -> eval' env' body = Num (h ks)) ->
    (ns = [] \/ acc = Syntax.EVar 0 \/ acc = @Syntax.ELit A N (inr r)) ->
    eval' env (folds S r ns acc body) =
      Num (fold_left (fun a k => red_step S r a (h k)) (box ns) x).
  Proof.
    induction ns as [| n ns IH]; intros env acc body x h start each form; simpl.
    - rewrite start. simpl. rewrite (each [] env); [reflexivity | now left | constructor].
    - rewrite start. rewrite flat_map_concat_map.
      assert (go : forall l y, (forall k, In k l -> k < n) ->
        fold_left (fun acc0 x0 => eval' (acc0 :: x0 :: env) (folds S r ns (Syntax.EVar 0) body))
          (map Pos l) (Num y) =
        Num (fold_left (fun a k => red_step S r a (h k))
               (concat (map (fun k => map (cons (Z.of_nat k)) (box ns)) l)) y)).
      { induction l as [| k l IHl]; intros y small; [reflexivity |]. simpl.
        rewrite (IH _ _ _ y (fun ks => h (Z.of_nat k :: ks))); [| reflexivity | | now right; left].
        - rewrite IHl by (intros; apply small; now right).
          rewrite fold_left_app. f_equal. f_equal.
          clear. generalize y. induction (box ns) as [| i b IHb]; intros w; [reflexivity |].
          simpl. apply IHb.
        - intros ks env' ink B. apply (each (Z.of_nat k :: ks)).
          + simpl. apply in_flat_map. exists k. split.
            * apply in_seq. specialize (small k (or_introl eq_refl)). lia.
            * now apply in_map.
          + econstructor. exact B. }
      apply go. intros k ink. apply in_seq in ink. lia.
  Qed.

  (** ** Expressions *)

  Theorem lower_value st : forall (e : ex S) m f g e' env,
    lower S shape m f g e = Some e' ->
    (forall t, In t (loads e) -> nth (g t) env (@Values.junk A) = tree (shape t) (st t)) ->
    Wf.safe shape (read m f (positions env)) e ->
    eval' env e' = Num (Kernel.eval st (read m f (positions env)) e).
  Proof.
    induction e as [c | t l | o a b IHa IHb | p l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros m f g e' env H tensors safe.
    - simpl in H. injection H as <-. reflexivity.
    - simpl in H. destruct (Nat.eqb_spec (length l) (length (shape t))) as [_ |]; [| discriminate].
      destruct (traverse (lower_ix m f) l) as [l' |] eqn:El; [| discriminate].
      simpl in H. injection H as <-. simpl.
      pose proof (lower_ixs_value _ _ (positions env) _ _ El) as same.
      rewrite <- same. apply (load_value env (shape t)).
      + apply tensors. now left.
      + rewrite same. now apply (safe t).
    - simpl in H. destruct (lower S shape m f g a) as [a' |] eqn:Ea; [| discriminate].
      destruct (lower S shape m f g b) as [b' |] eqn:Eb; [| discriminate].
      injection H as <-. simpl.
      rewrite (IHa _ _ _ _ _ Ea), (IHb _ _ _ _ _ Eb); [reflexivity | | | |];
        solve [intros t; apply (safe t) | intros t int_; apply tensors, in_or_app; auto].
    - destruct l as [| a [| b [| ? ?]]]; simpl in H; try discriminate.
      + destruct (lower S shape m f g a) as [a' |] eqn:Ea; [| discriminate].
        injection H as <-. inversion IH as [| ? ? IHa _]; subst. simpl.
        rewrite (IHa _ _ _ _ _ Ea); [reflexivity | |].
        * intros t int_. apply tensors. simpl. now rewrite app_nil_r.
        * intros t. apply (safe t).
      + destruct (lower S shape m f g a) as [a' |] eqn:Ea; [| discriminate].
        destruct (lower S shape m f g b) as [b' |] eqn:Eb; [| discriminate].
        injection H as <-. inversion IH as [| ? ? IHa IHl]; subst.
        inversion IHl as [| ? ? IHb _]; subst. simpl.
        rewrite (IHa _ _ _ _ _ Ea), (IHb _ _ _ _ _ Eb); [reflexivity | | | |];
          solve [intros t; apply (safe t)
                | intros t int_; apply tensors; simpl; rewrite ?app_nil_r; apply in_or_app; auto].
    - simpl in H. destruct (lower_cond m f c) as [c' |] eqn:Ec; [| discriminate].
      destruct (lower S shape m f g a) as [a' |] eqn:Ea; [| discriminate].
      destruct (lower S shape m f g b) as [b' |] eqn:Eb; [| discriminate].
      injection H as <-. simpl. rewrite (lower_cond_value _ _ _ _ _ Ec).
      unfold Wf.safe in safe. simpl in safe.
      destruct (eval_cond (read m f (positions env)) c).
      + apply (IHa _ _ _ _ _ Ea); [| exact safe]. intros t int_. apply tensors, in_or_app. auto.
      + apply (IHb _ _ _ _ _ Eb); [| exact safe]. intros t int_. apply tensors, in_or_app. auto.
    - cbn [lower] in H.
      destruct (lower S shape (length ns + m) (under (length ns) f)
                  (fun t => 2 * length ns + g t) e) as [e1 |] eqn:Ee; [| discriminate].
      cbn [option_map] in H. injection H as <-. cbn [Kernel.eval].
      apply folds_value with (x := red_start S r)
        (h := fun k => Kernel.eval st (k ++ read m f (positions env)) e); [reflexivity | | auto].
      intros ks env' ink B. pose proof (box_length _ _ ink) as len.
      rewrite <- (read_below _ _ _ m f B). rewrite len.
      apply (IH _ _ _ _ _ Ee).
      + intros t int_. rewrite <- (tensors t int_). apply nth_positions. rewrite <- len.
        apply (below_outer _ _ _ B).
      + intros t. pose proof (read_below _ _ _ m f B) as same. rewrite len in same.
        rewrite same. apply (safe t). now apply in_box_box.
  Qed.

  (** ** Statements *)

  Inductive around (env : list value) : list Z -> list value -> Prop :=
    | R_Here : around env [] env
    | R_Loop : forall k ks env', around (Pos k :: env) ks env' -> around env (Z.of_nat k :: ks) env'.

  Lemma around_outer env ks env' : around env ks env' ->
    forall i, nth_error env' (length ks + i) = nth_error env i.
  Proof.
    induction 1 as [env | env k ks env' _ IH]; intros i; [reflexivity |].
    change (nth_error env i) with (nth_error (Pos k :: env) (1 + i)).
    rewrite <- (IH (1 + i)). f_equal. simpl length. lia.
  Qed.

  Lemma around_inner env ks env' : around env ks env' ->
    forall j, j < length ks -> positions env' (length ks - 1 - j) = nth j ks 0%Z.
  Proof.
    induction 1 as [env | env k ks env' B IH]; intros j lt; simpl in lt; [lia |].
    destruct j as [| j].
    - unfold Values.positions. simpl length.
      replace (Datatypes.S (length ks) - 1 - 0) with (length ks + 0) by lia.
      now rewrite (around_outer _ _ _ B).
    - simpl nth. rewrite <- (IH j) by lia. f_equal. simpl length. lia.
  Qed.

  Lemma generates_value ns : forall env (body : Syntax.exp A N) h,
    (forall ks env', In ks (box ns) -> around env ks env' -> eval' env' body = Num (h ks)) ->
    eval' env (generates S ns body) = tree ns h.
  Proof.
    induction ns as [| n ns IH]; intros env body h each; simpl.
    - apply each; [now left | constructor].
    - f_equal. apply map_ext_in. intros k ink. apply in_seq in ink. apply IH.
      intros ks env' inks R. apply each.
      + simpl. apply in_flat_map. exists k. split; [apply in_seq; lia | now apply in_map].
      + now constructor.
  Qed.

  (** The statement's value where [env] holds the tensors. *)
  Theorem lower_correct (s : stmt S) g e env st :
    lower_stmt S shape g s = Some e ->
    (forall t, In t (loads (body s)) ->
       nth (g t) env (@Values.junk A) = tree (shape t) (st t)) ->
    (forall t, in_bounds_stmt t (shape t) s) ->
    eval' env e = tree (dims s) (exec s st (out s)).
  Proof.
    unfold lower_stmt. intros H tensors safe.
    destruct (lower S shape (length (dims s)) (fun j => length (dims s) - 1 - j)
                (fun t => length (dims s) + g t) (body s)) as [b |] eqn:Eb; [| discriminate].
    injection H as <-.
    rewrite (generates_value _ _ _ (fun i => Kernel.eval st i (body s))).
    - apply tree_ext. intros i ini. unfold exec. rewrite upd_same. unfold tabulate. now rewrite ini.
    - intros ks env' ink R. pose proof (box_length _ _ ink) as len.
      assert (same : read (length (dims s)) (fun j => length (dims s) - 1 - j) (positions env') = ks).
      { apply nth_ext with (d := 0%Z) (d' := 0%Z); rewrite read_length; [auto |].
        intros j lt. rewrite read_nth by exact lt. rewrite <- len in lt |- *.
        now apply around_inner with (env := env). }
      rewrite <- same. apply (lower_value st _ _ _ _ _ _ Eb).
      + intros t int_. rewrite <- (tensors t int_). apply nth_positions. rewrite <- len.
        apply (around_outer _ _ _ R).
      + rewrite same. intros t. apply (safe t). now apply in_box_box.
  Qed.
End LowerProof.
