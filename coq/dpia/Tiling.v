(** * Loops in tiles

    What the strategies of lowering do to a functional program, as equations between
    meanings over any scalars: no law of arithmetic, so the same additions in the same
    order, and the same bits for floats.  Where a loop's body is bound by other
    variables afterwards, the premise says that it means the same there.

      cut         a loop over n * m cells is m loops over n, joined
      merge       two loops are one over all their cells, split
      exchange    two loops in the other order, transposed
      rows        a loop of folds is a fold of loops over an array of accumulators
      tile        a row in parts, each with an array of accumulators of its own
      tile_2      a rectangle in tiles, as lower_loops.c puts the tiles together
      guard       a fold that would add zero leaves its accumulator alone *)

From Coq Require Import Bool List Arith Lia ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import dpia.Syntax dpia.Nth dpia.Values dpia.Scalars.
Import ListNotations.
Set Implicit Arguments.
Open Scope nat_scope.

Section Lists.
  Variable B : Type.

  Lemma map_from (F : nat -> B) a n : forall k,
    map (fun j => F (a + j)) (seq k n) = map F (seq (a + k) n).
  Proof.
    induction n as [| n IH]; intros k; [reflexivity |]. simpl. rewrite IH. do 3 f_equal. lia.
  Qed.

  Lemma concat_seq (F : nat -> B) n m :
    concat (map (fun i => map (fun j => F (i * n + j)) (seq 0 n)) (seq 0 m)) =
    map F (seq 0 (n * m)).
  Proof.
    induction m as [| m IH]; [now rewrite Nat.mul_0_r |].
    rewrite seq_S, map_app, concat_app, IH. simpl. rewrite app_nil_r, map_from, Nat.add_0_r.
    replace (n * S m) with (n * m + n) by lia. now rewrite seq_app, map_app, (Nat.mul_comm m n).
  Qed.

  Lemma nth_map_seq (F : nat -> B) d n i : i < n -> nth i (map F (seq 0 n)) d = F i.
  Proof.
    intros lt. rewrite (nth_indep _ d (F 0)) by now rewrite map_length, seq_length.
    now rewrite map_nth, seq_nth.
  Qed.

  Lemma map_seq_ext (F G : nat -> B) n :
    (forall i, i < n -> F i = G i) -> map F (seq 0 n) = map G (seq 0 n).
  Proof. intros same. apply map_ext_in. intros i ini. apply same. apply in_seq in ini. lia. Qed.
End Lists.

Section Tiling.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation exp := (exp A N). Notation value := (value A).
  Implicit Types (f e : exp) (env : list value).

  (** Index [x * n + y], cell y of part x. *)
  Theorem cut p p1 p2 n m d d1 f f' env :
    (forall i j, i < #m -> j < #n ->
       eval (Pos j :: Pos i :: env) f' = eval (Pos (i * #n + j) :: env) f) ->
    eval env (EJoin n m (EGen p1 m d1 (EGen p2 n d f'))) = eval env (EGen p (mul N n m) d f).
  Proof.
    intros same. cbn [eval]. unfold join_of. cbn [elems]. rewrite map_map. cbn [elems].
    rewrite count_mul. f_equal. rewrite <- concat_seq. f_equal.
    apply map_seq_ext. intros i lti. apply map_seq_ext. auto.
  Qed.

  Theorem merge p p1 p2 n m d d1 f f' env :
    (forall i j, i < #m -> j < #n ->
       eval (Pos j :: Pos i :: env) f' = eval (Pos (i * #n + j) :: env) f) ->
    eval env (ESplit n m (EGen p (mul N n m) d f)) = eval env (EGen p1 m d1 (EGen p2 n d f')).
  Proof.
    intros same. cbn [eval]. unfold split_of. cbn [elems]. rewrite count_mul. f_equal.
    apply map_seq_ext. intros i lti. f_equal.
    rewrite <- concat_seq.
    assert (len : forall k, k <= #m ->
      length (concat (map (fun i => map (fun j => eval (Pos (i * #n + j) :: env) f) (seq 0 #n)) (seq 0 k))) = k * #n).
    { intros k _. induction k as [| k IH]; [reflexivity |].
      rewrite seq_S, map_app, concat_app, app_length, IH. simpl. rewrite app_nil_r, map_length, seq_length. lia. }
    replace #m with (i + (1 + (#m - i - 1))) at 1 by lia.
    rewrite seq_app, map_app, concat_app, skipn_app, len, Nat.sub_diag by lia.
    rewrite skipn_all2 by (rewrite len; lia). simpl.
    rewrite firstn_app, map_length, seq_length, Nat.sub_diag, firstn_all2 by (now rewrite map_length, seq_length).
    simpl. rewrite app_nil_r. symmetry. apply map_seq_ext. auto.
  Qed.

  Theorem exchange p p1 p2 p3 n m d d1 d2 f f' env :
    (forall i j, i < #n -> j < #m ->
       eval (Pos i :: Pos j :: env) f' = eval (Pos j :: Pos i :: env) f) ->
    eval env (ETr n m (EGen p n d1 (EGen p1 m d f))) = eval env (EGen p2 m d2 (EGen p3 n d f')).
  Proof.
    intros same. cbn [eval]. unfold transpose_of. cbn [elems]. f_equal.
    apply map_seq_ext. intros j ltj. f_equal. rewrite map_map.
    apply map_seq_ext. intros i lti. cbn [elems]. rewrite nth_map_seq by exact ltj. now rewrite same.
  Qed.

  (** An array is what it holds. *)
  Theorem cells p q d e f env :
    (forall k, k < #q -> eval (Pos k :: env) f = nth k (elems (eval env e)) junk) ->
    (exists l, eval env e = Arr l /\ length l = #q) ->
    eval env (EGen p q d f) = eval env e.
  Proof.
    intros same (l & E & len). cbn [eval]. rewrite E in *. cbn [elems] in same. f_equal.
    rewrite <- len in *. clear E len. rewrite (map_seq_ext _ _ same). clear same.
    induction l as [| x l IH]; [reflexivity |]. simpl. f_equal.
    rewrite <- seq_shift, map_map. exact IH.
  Qed.

  (** A fold whose step takes the array of [g 0], .., [g (q - 1)] to that of [F x k (g k)]. *)
  Lemma fold_cells (F : nat -> nat -> value -> value) (G : value -> value -> value) q n :
    (forall x c, x < n -> length c = q ->
       G (Arr c) (Pos x) = Arr (map (fun k => F x k (nth k c junk)) (seq 0 q))) ->
    forall g : nat -> value, fold_left G (map Pos (seq 0 n)) (Arr (map g (seq 0 q))) =
      Arr (map (fun k => fold_left (fun acc x => F x k acc) (seq 0 n) (g k)) (seq 0 q)).
  Proof.
    intros each.
    assert (within : forall x, In x (seq 0 n) -> x < n) by (intros x inx; apply in_seq in inx; lia).
    revert within. generalize (seq 0 n) as xs.
    induction xs as [| x xs IH]; intros within g; [reflexivity |]. cbn [map fold_left].
    rewrite each; [| apply within; now left | now rewrite map_length, seq_length].
    rewrite (IH (fun y iny => within y (or_intror iny))). f_equal.
    apply map_seq_ext. intros k ltk. now rewrite nth_map_seq.
  Qed.

  Lemma fold_positions (G : value -> value -> value) n : forall v,
    fold_left G (map Pos (seq 0 n)) v = fold_left (fun acc x => G acc (Pos x)) (seq 0 n) v.
  Proof. generalize (seq 0 n) as xs. induction xs as [| x xs IH]; intros v; [reflexivity |]. apply IH. Qed.

  (** Each cell k folds over the same indices in the same order, on an accumulator of its
      own; together these are an array. *)
  Theorem rows p p1 p2 n q d init init' step step' env :
    (forall k, k < #q -> eval (Pos k :: env) init' = eval (Pos k :: env) init) ->
    (forall k x l, k < #q -> x < #n -> length l = #q ->
       eval (Pos k :: Arr l :: Pos x :: env) step' =
       eval (nth k l junk :: Pos x :: Pos k :: env) step) ->
    eval env (EFold n (DAry q d) (EGen p1 q d step') (EGen p2 q d init')) =
    eval env (EGen p q d (EFold n d step init)).
  Proof.
    intros start each. cbn [eval]. rewrite (map_seq_ext _ _ start).
    rewrite (fold_cells (fun x k acc => eval (acc :: Pos x :: Pos k :: env) step)).
    - f_equal. apply map_seq_ext. intros k ltk. now rewrite fold_positions.
    - intros x c ltx len. f_equal. apply map_seq_ext. auto.
  Qed.

  (** A row in parts: tiles of n cells, each with its own array of accumulators. *)
  Theorem tile p p1 p2 p3 n m l d d1 init init' step step' env :
    (forall i j, i < #m -> j < #n ->
       eval (Pos j :: Pos i :: env) init' = eval (Pos (i * #n + j) :: env) init) ->
    (forall i j x c, i < #m -> j < #n -> x < #l -> length c = #n ->
       eval (Pos j :: Arr c :: Pos x :: Pos i :: env) step' =
       eval (nth j c junk :: Pos x :: Pos (i * #n + j) :: env) step) ->
    eval env (EJoin n m (EGen p1 m d1
               (EFold l (DAry n d) (EGen p2 n d step') (EGen p3 n d init')))) =
    eval env (EGen p (mul N n m) d (EFold l d step init)).
  Proof.
    intros start each. cbn [eval]. unfold join_of. cbn [elems]. rewrite map_map, count_mul. f_equal.
    rewrite <- concat_seq. f_equal. apply map_seq_ext. intros i lti.
    rewrite (map_seq_ext _ _ (fun j => start i j lti)).
    rewrite (fold_cells (fun x j acc => eval (acc :: Pos x :: Pos (i * #n + j) :: env) step)).
    - cbn [elems]. apply map_seq_ext. intros j ltj. now rewrite fold_positions.
    - intros x c ltx len. f_equal. apply map_seq_ext. auto.
  Qed.

  (** ** Rectangles *)

  Definition tab (n : nat) (F : nat -> value) : value := Arr (map F (seq 0 n)).

  Lemma tab_ext F G n : (forall i, i < n -> F i = G i) -> tab n F = tab n G.
  Proof. intros same. unfold tab. f_equal. now apply map_seq_ext. Qed.

  Lemma transpose_tab F n m :
    transpose_of m (tab n (fun i => tab m (F i))) = tab m (fun j => tab n (fun i => F i j)).
  Proof.
    unfold transpose_of, tab. cbn [elems]. f_equal. apply map_seq_ext. intros j lt. f_equal.
    rewrite map_map. apply map_seq_ext. intros i _. cbn [elems]. now rewrite nth_map_seq.
  Qed.

  Lemma join_tab F n m :
    join_of (tab m (fun i => tab n (F i))) = tab (n * m) (fun k => F (k / n) (k mod n)).
  Proof.
    unfold join_of, tab. cbn [elems]. rewrite map_map. cbn [elems]. f_equal.
    rewrite <- concat_seq. f_equal. apply map_seq_ext. intros i _. apply map_seq_ext. intros j lt.
    destruct (divmod_join i lt) as [-> ->]. reflexivity.
  Qed.

  Lemma split_tab F n m :
    split_of n m (tab (n * m) F) = tab m (fun i => tab n (fun j => F (i * n + j))).
  Proof.
    unfold split_of, tab. cbn [elems]. f_equal. apply map_seq_ext. intros i lti. f_equal.
    rewrite <- (firstn_all (map _ (seq 0 n))), map_length, seq_length.
    replace (seq 0 (n * m)) with (seq 0 (i * n) ++ seq (i * n) n ++ seq (i * n + n) (n * m - i * n - n)).
    2: { rewrite <- !seq_app. f_equal. nia. }
    rewrite !map_app, skipn_app, skipn_all2 by (rewrite map_length, seq_length; lia).
    rewrite map_length, seq_length, Nat.sub_diag. simpl.
    rewrite firstn_app, map_length, seq_length, Nat.sub_diag, firstn_all2 by (now rewrite map_length, seq_length).
    simpl. rewrite app_nil_r. rewrite firstn_all2 by (now rewrite map_length, seq_length).
    symmetry. rewrite (map_from F (i * n) n 0). now rewrite Nat.add_0_r.
  Qed.

  (** [x][a][b] -> [a][x * b]: the parts of the inner dimension, side by side. *)
  Lemma side_by_side F x a b :
    split_of (b * x) a (join_of (join_of (transpose_of a
      (tab x (fun i => tab a (fun j => tab b (F i j))))))) =
    tab a (fun j => tab (b * x) (fun k => F (k / b) j (k mod b))).
  Proof.
    rewrite (transpose_tab (fun i j => tab b (F i j))), (join_tab (fun j i => tab b (F i j))).
    rewrite (join_tab (fun p => F (p mod x) (p / x))), Nat.mul_assoc, split_tab.
    apply tab_ext. intros j ltj. apply tab_ext. intros k ltk.
    destruct (Nat.eq_dec b 0) as [-> | nb]; [lia |].
    assert (lt : k / b < x) by (apply Nat.div_lt_upper_bound; lia).
    replace (j * (b * x) + k) with ((j * x + k / b) * b + k mod b).
    2: { rewrite (Nat.div_mod k b nb) at 3. nia. }
    assert (ltm : k mod b < b) by (now apply Nat.mod_upper_bound).
    destruct (divmod_join (j * x + k / b) ltm) as [-> ->].
    now destruct (divmod_join j lt) as [-> ->].
  Qed.

  Lemma fold_all (R : (nat -> nat -> value) -> value) (F : nat -> nat -> nat -> value -> value)
      (G : value -> value -> value) n :
    (forall x g, x < n -> G (R g) (Pos x) = R (fun a b => F x a b (g a b))) ->
    forall g, fold_left G (map Pos (seq 0 n)) (R g) =
      R (fun a b => fold_left (fun acc x => F x a b acc) (seq 0 n) (g a b)).
  Proof.
    intros each.
    assert (within : forall x, In x (seq 0 n) -> x < n) by (intros x inx; apply in_seq in inx; lia).
    revert within. generalize (seq 0 n) as xs.
    induction xs as [| x xs IH]; intros within g; [reflexivity |]. cbn [map fold_left].
    rewrite each by (apply within; now left).
    apply (IH (fun y iny => within y (or_intror iny)) (fun a b => F x a b (g a b))).
  Qed.

  (** Tiles of u * v cells: outer loops over the tiles' numbers, one fold for each tile over
      an array of u arrays of v accumulators.  Cell (a, b) of tile (i, j) is cell
      (i * u + a, j * v + b) of the statement, and folds as it did. *)
  Theorem tile_2 p p1 p2 p3 p4 p5 p6 p7 u v m1 m2 l d t t1 t2 t3 init init' step step' env :
    (forall i j a b, i < #m1 -> j < #m2 -> a < #u -> b < #v ->
       eval (Pos b :: Pos a :: Pos j :: Pos i :: env) init' =
       eval (Pos (j * #v + b) :: Pos (i * #u + a) :: env) init) ->
    (forall i j a b x g, i < #m1 -> j < #m2 -> a < #u -> b < #v -> x < #l ->
       eval (Pos b :: Pos a :: tab #u (fun a => tab #v (g a)) :: Pos x :: Pos j :: Pos i :: env) step' =
       eval (g a b :: Pos x :: Pos (j * #v + b) :: Pos (i * #u + a) :: env) step) ->
    eval env (EJoin u m1 (EGen p2 m1 t1 (ESplit (mul N v m2) u (EJoin v (mul N m2 u) (EJoin m2 u
      (ETr m2 u (EGen p3 m2 t2
        (EFold l t (EGen p4 u t3 (EGen p5 v d step')) (EGen p6 u t3 (EGen p7 v d init')))))))))) =
    eval env (EGen p (mul N u m1) t (EGen p1 (mul N v m2) d (EFold l d step init))).
  Proof.
    intros start each. cbn [eval]. rewrite !count_mul.
    set (cell i j := fold_left (fun acc x => eval (acc :: Pos x :: Pos j :: Pos i :: env) step)
                       (seq 0 #l) (eval (Pos j :: Pos i :: env) init)).
    transitivity (join_of (tab #m1 (fun i => tab #u (fun a =>
      tab (#v * #m2) (fun k => cell (i * #u + a) (k / #v * #v + k mod #v)))))).
    - f_equal. apply tab_ext. intros i lti.
      rewrite <- (side_by_side (fun j a b => cell (i * #u + a) (j * #v + b))).
      do 4 f_equal. apply tab_ext. intros j ltj.
      change (Arr (map (fun a => Arr (map (fun b => eval (Pos b :: Pos a :: Pos j :: Pos i :: env) init')
        (seq 0 #v))) (seq 0 #u))) with
        (tab #u (fun a => tab #v (fun b => eval (Pos b :: Pos a :: Pos j :: Pos i :: env) init'))).
      rewrite (fold_all (fun g => tab #u (fun a => tab #v (g a)))
        (fun x a b acc => if (a <? #u) && (b <? #v)
           then eval (acc :: Pos x :: Pos (j * #v + b) :: Pos (i * #u + a) :: env) step else acc)).
      + apply tab_ext. intros a lta. apply tab_ext. intros b ltb. unfold cell.
        rewrite start by assumption. apply Nat.ltb_lt in lta, ltb. rewrite lta, ltb. reflexivity.
      + intros x g ltx. apply tab_ext. intros a lta. apply tab_ext. intros b ltb.
        rewrite each by assumption. apply Nat.ltb_lt in lta, ltb. now rewrite lta, ltb.
    - rewrite (join_tab (fun i a => tab (#v * #m2) (fun k => cell (i * #u + a) (k / #v * #v + k mod #v)))).
      apply tab_ext. intros i lti. apply tab_ext. intros k ltk.
      destruct (Nat.eq_dec #u 0) as [z | nu]; [rewrite z in lti; lia |].
      destruct (Nat.eq_dec #v 0) as [z | nv]; [rewrite z in ltk; lia |].
      rewrite (Nat.mul_comm (i / #u)), <- Nat.div_mod, (Nat.mul_comm (k / #v)), <- Nat.div_mod by assumption.
      unfold cell. now rewrite fold_positions.
  Qed.

  (** [keeps] holds of all accumulators; adding [z] to such a one changes nothing.  For
      floats: a sum from +0 is never -0. *)
  Theorem guard (keeps : scalar A -> Prop) (o : bop A) n d c e z init env :
    (forall x y, keeps x -> keeps (bop_val A o x y)) ->
    (forall x, keeps x -> bop_val A o x (lit_val A z) = x) ->
    (exists x, eval env init = Num x /\ keeps x) ->
    (forall a x, x < #n -> holds (positions (Num a :: Pos x :: env)) c = true ->
       exists y, eval (Num a :: Pos x :: env) e = Num y) ->
    eval env (EFold n d (EIte c d (EBin o (EVar 0) e) (EVar 0)) init) =
    eval env (EFold n d (EBin o (EVar 0) (EIte c d e (ELit z))) init).
  Proof.
    intros closed zero (x0 & E & k0) num. cbn [eval]. rewrite E. clear E.
    assert (below : forall x, In x (seq 0 #n) -> x < #n) by (intros x ini; apply in_seq in ini; lia).
    revert x0 k0 below. generalize (seq 0 #n) as xs.
    induction xs as [| x xs IH]; intros x0 k0 below; [reflexivity |].
    assert (rest : forall x, In x xs -> x < #n) by (intros; apply below; now right).
    cbn [map fold_left nth with_num]. destruct (holds _ c) eqn:guarded.
    - destruct (num x0 x (below x (or_introl eq_refl)) guarded) as [y ->]. cbn [with_num]. auto.
    - cbn [with_num]. rewrite zero by exact k0. auto.
  Qed.
End Tiling.

(** ** Instances *)

(** The greatest of floats, from minus infinity, and sums of integers, from zero. *)
Corollary guard_max (N : sizes) (s : sizing N) prec emax n d c e init (env : list (value (ieee prec emax))) :
  (exists x, eval env init = Num x) ->
  (forall a x, x < #n -> holds (positions (Num a :: Pos x :: env)) c = true ->
     exists y, eval (Num a :: Pos x :: env) e = Num y) ->
  eval env (EFold n d (EIte c d (EBin (Max : bop (ieee prec emax)) (EVar 0) e) (EVar 0)) init) =
  eval env (EFold n d (EBin (Max : bop (ieee prec emax)) (EVar 0)
                            (EIte c d e (ELit (S754_infinity true : lit (ieee prec emax))))) init).
Proof.
  intros (x & E) num. apply (guard (fun _ => True)); auto; [| eauto].
  intros [[] | [] | | [] m k] _; reflexivity.
Qed.

Corollary guard_sum (N : sizes) (s : sizing N) n d c e init (env : list (value integers)) :
  (exists x, eval env init = Num x) ->
  (forall a x, x < #n -> holds (positions (Num a :: Pos x :: env)) c = true ->
     exists y, eval (Num a :: Pos x :: env) e = Num y) ->
  eval env (EFold n d (EIte c d (EBin (Add : bop integers) (EVar 0) e) (EVar 0)) init) =
  eval env (EFold n d (EBin (Add : bop integers) (EVar 0) (EIte c d e (ELit (0%Z : lit integers)))) init).
Proof.
  intros (x & E) num. apply (guard (fun _ => True)); auto; [| eauto].
  intros y _. apply Z.add_0_r.
Qed.
