(** * Sums in lanes stay inside

    A kernel whose loads are in their tensors keeps that when its sums are in lanes. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.InlineProof kernel.InlineAll.
From Calque Require Import kernel.Lanes kernel.LanesProof.
Import ListNotations.
Open Scope nat_scope.

Section Safe.
  Context {S : scalars}.
  Variable is_sum : red S -> bool.
  Variable plus : bop S.
  Variable lane : red S -> red S.
  Variable temp : nat -> tid.

  Notation ex := (ex S).
  Notation taken := (taken is_sum).
  Notation lanes_ex := (lanes_ex is_sum plus lane temp).
  Notation lanes_stmt := (lanes_stmt is_sum plus lane temp).
  Notation lanes_prog := (lanes_prog is_sum plus lane temp).

  (** What is not loaded has no bounds to keep. *)
  Lemma unloaded_in_bounds t d (e : ex) : ~ In t (loads e) -> forall rho, in_bounds t d rho e.
  Proof.
    induction e as [c | u l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind;
      intros no rho; cbn [in_bounds loads] in *.
    - exact I.
    - intros ->. elim no. now left.
    - split; [apply IHa | apply IHb]; intros I; apply no, in_or_app; auto.
    - induction IH as [| a l here _ IHl]; [exact I |]. cbn [fold_right flat_map] in *. split.
      + apply here. intros H. apply no, in_or_app. now left.
      + apply IHl. intros H. apply no, in_or_app. now right.
    - destruct (eval_cond rho c); [apply IHa | apply IHb]; intros I; apply no, in_or_app; auto.
    - intros k _. now apply IH.
  Qed.

  (** A tensor [t] that has the sizes [D], and [D'] afterwards. *)
  Variables (t : tid) (D D' : list nat).

  Lemma same_bounds (e : ex) rho : (In t (loads e) -> D' = D) -> in_bounds t D rho e -> in_bounds t D' rho e.
  Proof.
    intros same B. destruct (in_dec Nat.eq_dec t (loads e)) as [I | no]; [now rewrite same | now apply unloaded_in_bounds].
  Qed.

  Lemma strided_inside n q j : (0 <= q < Z.of_nat (n / lanes))%Z -> (0 <= j < Z.of_nat lanes)%Z ->
    (0 <= q * Z.of_nat lanes + j < Z.of_nat n)%Z.
  Proof. intros Q J. pose proof (Nat.mul_div_le n lanes). unfold lanes in *. lia. Qed.

  Lemma behind_inside n x : (0 <= x < Z.of_nat (n mod lanes))%Z ->
    (0 <= x + Z.of_nat (lanes * (n / lanes)) < Z.of_nat n)%Z.
  Proof. intros X. pose proof (Nat.div_mod n lanes). unfold lanes in *. lia. Qed.

  Lemma in_box_changed ns p z : 0 < length ns -> in_box (removelast ns) p = true -> (0 <= z < Z.of_nat (last ns O))%Z ->
    in_box ns (p ++ [z]) = true.
  Proof.
    intros pos Ip Iz. rewrite (app_removelast_last 0 (l := ns)) by now destruct ns.
    rewrite in_box_app by now apply in_box_length. rewrite Ip. cbn [andb in_box].
    rewrite andb_true_r, andb_true_iff, Z.leb_le, Z.ltb_lt. exact Iz.
  Qed.

  Lemma partial_bounds d u r ns (e : ex) i j : 0 < length ns -> in_box d i = true -> (0 <= j < Z.of_nat lanes)%Z ->
    in_bounds t D i (ERed r ns e) -> in_bounds t D (i ++ [j]) (body (partial_sums d u r ns e)).
  Proof.
    intros pos I J B. unfold partial_sums. cbn [body in_bounds]. intros k Ik. apply in_box_box in Ik.
    destruct (box_with_last _ _ _ Ik) as (p & q & -> & len & Ip & Q). apply in_bounds_subst.
    rewrite eval_last_at; [| exact len | exact pos | now apply in_box_length].
    specialize (B (p ++ [(q * Z.of_nat lanes + j)%Z])). rewrite <- (app_assoc p [_] i) in B. cbn [app] in B.
    match goal with |- in_bounds _ _ (p ++ ?z :: i) _ => replace z with (q * Z.of_nat lanes + j)%Z end.
    { apply B. apply in_box_changed; auto. now apply strided_inside. }
    cbn [eval_ix]. apply in_box_length in I. rewrite <- I. f_equal.
    - f_equal. rewrite <- len, <- app_assoc. symmetry. apply nth_middle.
    - rewrite (app_assoc (p ++ [q]) i [j]). replace (length ns + length i) with (length ((p ++ [q]) ++ i)).
      + symmetry. apply nth_middle.
      + rewrite !app_length. cbn [length]. lia.
  Qed.

  Lemma rest_bounds d r ns (e : ex) i : 0 < length ns -> in_box d i = true ->
    in_bounds t D i (ERed r ns e) -> in_bounds t D i (rest_sum d r ns e).
  Proof.
    intros pos I B. unfold rest_sum. cbn [in_bounds]. intros k Ik. apply in_box_box in Ik.
    destruct (box_with_last _ _ _ Ik) as (p & q & -> & len & Ip & Q). apply in_bounds_subst.
    set (a := IAdd _ _). pose proof (eval_last_at p q i [] a (length ns) (length d) len pos (in_box_length _ _ I)) as E.
    rewrite app_nil_r in E. rewrite E.
    specialize (B (p ++ [(q + Z.of_nat (lanes * (last ns O / lanes)))%Z])). rewrite <- (app_assoc p [_] i) in B. cbn [app] in B.
    match goal with |- in_bounds _ _ (p ++ ?z :: i) _ => replace z with (q + Z.of_nat (lanes * (last ns O / lanes)))%Z end.
    { apply B. apply in_box_changed; auto. now apply behind_inside. }
    unfold a. cbn [eval_ix]. f_equal. rewrite <- len, <- app_assoc. symmetry. apply nth_middle.
  Qed.

  Lemma lanes_ex_bounds d i : in_box d i = true -> forall (e : ex) next,
    in_bounds t D i e -> (In t (loads e) -> D' = D) ->
    (forall s, In s (snd (lanes_ex d next e)) -> out s = t -> D' = dims s) ->
    in_bounds t D' i (fst (lanes_ex d next e)).
  Proof.
    intros I. induction e as [c | u l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind;
      intros next B same there; try (now apply same_bounds).
    - specialize (IHa next). cbn [Lanes.lanes_ex] in *. destruct (lanes_ex d next a) as [a' p]. cbn [fst snd] in IHa.
      specialize (IHb (next + length p)). destruct (lanes_ex d (next + length p) b) as [b' q].
      cbn [fst snd loads in_bounds] in *. destruct B as [Ba Bb].
      split; [apply IHa | apply IHb]; auto; try (intros H; apply same, in_or_app; auto);
        intros s Is; apply there, in_or_app; auto.
    - cbn [Lanes.lanes_ex] in *.
      assert (there' : forall s, In s (snd (each S (lanes_ex d) next l)) -> out s = t -> D' = dims s).
      { intros s Is. apply there. now destruct (each S (lanes_ex d) next l). }
      clear there. replace (fst (let (l', p) := each S (lanes_ex d) next l in (EFn g l', p)))
        with (EFn g (fst (each S (lanes_ex d) next l))) by now destruct (each S (lanes_ex d) next l).
      cbn [in_bounds loads] in *. revert next there' same B.
      induction IH as [| a l here _ IHl]; intros next there' same B; [exact Logic.I |].
      rewrite each_split in *. cbn [fst snd fold_right flat_map] in *. destruct B as [Ba Bl]. split.
      + apply here; auto; [intros H; apply same, in_or_app; auto |]. intros s Is. apply there', in_or_app. auto.
      + apply IHl; auto; [intros s Is; apply there', in_or_app; auto |]. intros H. apply same, in_or_app. auto.
    - cbn [Lanes.lanes_ex] in *. destruct (taken d r ns e) eqn:T; [| now apply same_bounds].
      cbn [fst snd] in *. destruct (taken_last is_sum _ _ _ _ T) as [_ pos].
      assert (L : in_bounds t D' i (lane_sum lane d (temp next) r)).
      { unfold lane_sum. cbn [in_bounds]. intros j Ij E. rewrite (there _ (or_introl eq_refl) E). cbn [dims partial_sums].
        destruct j as [| z [| y j]]; [discriminate | | apply in_box_cons in Ij as [_ Ij]; discriminate].
        cbn [app]. rewrite (lane_index d) by exact I. rewrite in_box_app by now apply in_box_length. now rewrite I, Ij. }
      unfold lane_sums. destruct (last ns 0 mod lanes =? 0); [exact L |]. cbn [in_bounds]. split; [exact L |].
      apply same_bounds; [| now apply rest_bounds]. unfold rest_sum. cbn [loads]. now rewrite subst_loads.
  Qed.

  Lemma partials_bounds d : forall (e : ex) next s,
    (forall i, in_box d i = true -> in_bounds t D i e) -> (In t (loads e) -> D' = D) ->
    In s (snd (lanes_ex d next e)) -> forall i, in_box (dims s) i = true -> in_bounds t D' i (body s).
  Proof.
    induction e as [c | u l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind;
      intros next s B same Is; try contradiction.
    - specialize (IHa next s). cbn [Lanes.lanes_ex] in *. destruct (lanes_ex d next a) as [a' p]. cbn [fst snd] in IHa.
      specialize (IHb (next + length p) s). destruct (lanes_ex d (next + length p) b) as [b' q].
      cbn [fst snd loads in_bounds] in *.
      apply in_app_iff in Is as [Is | Is]; [apply IHa | apply IHb]; auto;
        try (intros i I; now apply (B i I)); intros H; apply same, in_or_app; auto.
    - cbn [Lanes.lanes_ex] in *. replace (snd (let (l', p) := each S (lanes_ex d) next l in (EFn g l', p)))
        with (snd (each S (lanes_ex d) next l)) in Is by now destruct (each S (lanes_ex d) next l).
      cbn [in_bounds loads] in *. revert next Is same B.
      induction IH as [| a l here _ IHl]; intros next Is same B; [destruct Is |].
      rewrite each_split in Is. cbn [snd fold_right flat_map] in *.
      apply in_app_iff in Is as [Is | Is]; [apply (here next s) | apply (IHl _ Is)]; auto;
        try (intros i I; now apply (B i I)); intros H; apply same, in_or_app; auto.
    - cbn [Lanes.lanes_ex] in Is. destruct (taken d r ns e) eqn:T; [| destruct Is]. destruct Is as [<- | []].
      destruct (taken_last is_sum _ _ _ _ T) as [_ pos]. intros i Ii. cbn [dims partial_sums] in Ii.
      apply in_box_split in Ii as (i0 & j & -> & I & J).
      destruct j as [| z [| y j]]; [discriminate | | apply in_box_cons in J as [_ J]; discriminate].
      apply in_box_cons in J as [J _]. apply same_bounds.
      + unfold partial_sums. cbn [body loads]. now rewrite subst_loads.
      + apply partial_bounds; auto.
  Qed.
End Safe.

(** [shapes] are the sizes of tensors, [shapes'] those with the temporaries. *)
Theorem lanes_prog_whole (S : scalars) is_sum plus lane temp first next (p : list (stmt S)) shapes shapes' :
  (forall s u, In s p -> In u (loads (body s)) -> fresh temp first u) ->
  (forall u, fresh temp first u -> shapes' u = shapes u) ->
  (forall s, In s (lanes_prog is_sum plus lane temp next p) -> shapes' (out s) = dims s) ->
  whole S shapes p -> whole S shapes' (lanes_prog is_sum plus lane temp next p).
Proof.
  intros F same sizes ok s Is. split; [symmetry; now apply sizes |]. intros t i Ii.
  revert next sizes Is. induction p as [| s0 p IH]; intros next sizes Is; [destruct Is |].
  cbn [lanes_prog] in *. set (q := lanes_stmt is_sum plus lane temp next s0) in *.
  apply in_app_iff in Is as [Is | Is].
  - destruct (ok s0 (or_introl eq_refl)) as [_ B].
    assert (eqt : In t (loads (body s0)) -> shapes' t = shapes t) by (intros It; apply same, (F s0); [now left | exact It]).
    assert (sizes' : forall s, In s q -> shapes' (out s) = dims s) by (intros s1 I1; apply sizes, in_or_app; now left).
    unfold q, lanes_stmt in *. destruct (lanes_ex is_sum plus lane temp (dims s0) next (body s0)) as [e ps] eqn:E.
    apply in_app_iff in Is as [Is | [<- | []]].
    + apply (partials_bounds is_sum plus lane temp t (shapes t) (shapes' t) (dims s0) (body s0) next s); auto.
      * intros i0 I0. now apply B.
      * now rewrite E.
    + cbn [dims body] in *. replace e with (fst (lanes_ex is_sum plus lane temp (dims s0) next (body s0))) by now rewrite E.
      apply (lanes_ex_bounds is_sum plus lane temp t (shapes t)); auto; [now apply B |].
      rewrite E. intros s1 I1 <-. apply sizes', in_or_app. now left.
  - apply (IH (fun s u I => F s u (or_intror I)) (fun s I => ok s (or_intror I)) (next + (length q - 1))); [| exact Is].
    intros s1 I1. apply sizes, in_or_app. now right.
Qed.
