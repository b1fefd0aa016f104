(** * Sums in lanes: what they compute, and that they stay inside *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.InlineProof kernel.InlineAll kernel.Lanes.
Import ListNotations.
Open Scope nat_scope.

(** ** Tuples and indices *)

Lemma eval_vars_mid pre i post :
  map (eval_ix (pre ++ i ++ post)) (map IVar (seq (length pre) (length i))) = i.
Proof.
  revert pre. induction i as [| z i IH]; intros pre; [reflexivity |].
  cbn [length seq map eval_ix]. f_equal.
  - rewrite app_nth2 by lia. now rewrite Nat.sub_diag.
  - specialize (IH (pre ++ [z])). rewrite app_length, <- app_assoc, Nat.add_1_r in IH. exact IH.
Qed.

Lemma eval_last_at r q i post a k m : length r = k - 1 -> 0 < k -> length i = m ->
  map (eval_ix ((r ++ [q]) ++ i ++ post)) (last_at k m a) = r ++ eval_ix ((r ++ [q]) ++ i ++ post) a :: i.
Proof.
  intros len pos <-. unfold last_at. rewrite map_app. cbn [map]. f_equal.
  - rewrite <- len, <- app_assoc. exact (eval_vars_mid [] r _).
  - f_equal. replace k with (length (r ++ [q])) by (rewrite app_length; cbn; lia). apply eval_vars_mid.
Qed.

Lemma length_removelast (ns : list nat) : length (removelast ns) = length ns - 1.
Proof.
  destruct ns as [| n ns]; [reflexivity |].
  assert (n :: ns <> []) as H by discriminate. apply (app_removelast_last 0) in H.
  apply (f_equal (@length nat)) in H. rewrite app_length in H. cbn [length] in *. lia.
Qed.

Lemma box_with_last ns n k : In k (box (with_last ns n)) ->
  exists r q, k = r ++ [q] /\ length r = length ns - 1 /\ in_box (removelast ns) r = true /\ (0 <= q < Z.of_nat n)%Z.
Proof.
  intros I. apply in_box_box, in_box_split in I as (r & t & -> & Ir & It).
  destruct t as [| q [| y t]]; try discriminate; [| apply in_box_cons in It as [_ It]; discriminate].
  apply in_box_cons in It as [B _]. exists r, q. repeat split; try lia; auto.
  rewrite (in_box_length _ _ Ir). apply length_removelast.
Qed.

Lemma change_last_app g r q : change_last g (r ++ [q]) = r ++ [g q].
Proof. unfold change_last. now rewrite removelast_last, last_last. Qed.

Section Value.
  Context {S : scalars}.
  Variable is_sum : red S -> bool.
  Variable plus : bop S.
  Variable lane : red S -> red S.
  Variable temp : nat -> tid.
  Hypothesis temp_inj : forall j k, temp j = temp k -> j = k.

  Notation ex := (ex S).
  Notation stmt := (stmt S).
  Notation store := (store S).
  Notation agree := (agree S).
  Notation taken := (taken is_sum).
  Notation added_in_lanes := (added_in_lanes plus lane).
  Notation lane_sums := (lane_sums plus lane).
  Notation lanes_ex := (lanes_ex is_sum plus lane temp).
  Notation lanes_stmt := (lanes_stmt is_sum plus lane temp).
  Notation lanes_prog := (lanes_prog is_sum plus lane temp).
  Notation eval_lanes := (eval_lanes is_sum plus lane).
  Notation exec_lanes := (exec_lanes is_sum plus lane).
  Notation exec_lanes_prog := (exec_lanes_prog is_sum plus lane).

  Lemma taken_last d r ns e : taken d r ns e = true -> 2 * lanes <= last ns 0 /\ 0 < length ns.
  Proof.
    unfold Lanes.taken. rewrite !andb_true_iff, Nat.leb_le. intros [[[[_ B] _] _] _]. split; [exact B |].
    destruct ns; [| cbn; lia]. unfold lanes in B. cbn in B. lia.
  Qed.

  (** ** One sum *)

  Lemma partial_value d t r ns (e : ex) st i j : 0 < length ns -> in_box d i = true ->
    eval st (i ++ [j]) (body (partial_sums d t r ns e)) =
    added r (with_last ns (last ns 0 / lanes))
      (fun k => eval st (change_last (fun q => q * Z.of_nat lanes + j)%Z k ++ i) e).
  Proof.
    intros pos I. unfold partial_sums, added. cbn [body eval]. apply fold_left_ext_in. intros acc k Ik.
    destruct (box_with_last _ _ _ Ik) as (p & q & -> & len & _ & _). f_equal.
    rewrite eval_subst, change_last_app. f_equal.
    rewrite eval_last_at; [| exact len | exact pos | now apply in_box_length].
    rewrite <- (app_assoc p [_] i). cbn [app]. do 2 f_equal. cbn [eval_ix].
    apply in_box_length in I. rewrite <- I. f_equal.
    - f_equal. rewrite <- len, <- app_assoc. apply nth_middle.
    - rewrite (app_assoc (p ++ [q]) i [j]). replace (length ns + length i) with (length ((p ++ [q]) ++ i)).
      + apply nth_middle.
      + rewrite !app_length. cbn [length]. lia.
  Qed.

  Lemma rest_value d r ns (e : ex) st i : 0 < length ns -> in_box d i = true ->
    eval st i (rest_sum d r ns e) =
    added r (with_last ns (last ns 0 mod lanes))
      (fun k => eval st (change_last (fun t => t + Z.of_nat (lanes * (last ns O / lanes)))%Z k ++ i) e).
  Proof.
    intros pos I. unfold rest_sum, added. cbn [eval]. apply fold_left_ext_in. intros acc k Ik.
    destruct (box_with_last _ _ _ Ik) as (p & q & -> & len & _ & _). f_equal.
    rewrite eval_subst, change_last_app. f_equal.
    assert (E := eval_last_at p q i [] (IAdd (IVar (length ns - 1)) (ICst (Z.of_nat (lanes * (last ns 0 / lanes)))))
                   (length ns) (length d) len pos (in_box_length _ _ I)).
    rewrite app_nil_r in E. rewrite E, <- (app_assoc p [(q + _)%Z] i). cbn [app]. do 2 f_equal. cbn [eval_ix]. f_equal.
    rewrite <- len, <- app_assoc. apply nth_middle.
  Qed.

  Lemma lane_index d i j : in_box d i = true ->
    map (eval_ix (j :: i)) (map IVar (seq 1 (length d)) ++ [IVar 0]) = i ++ [j].
  Proof.
    intros I. rewrite map_app. f_equal. rewrite <- (in_box_length _ _ I).
    rewrite <- (app_nil_r i) at 1. exact (eval_vars_mid [j] i []).
  Qed.

  (** In a store with the partial sums. *)
  Lemma sums_value d t r ns (e : ex) st st' i : 0 < length ns -> in_box d i = true ->
    (forall u, In u (loads e) -> agree st st' u) ->
    agree (exec (partial_sums d t r ns e) st) st' t ->
    eval st' i (lane_sums d t r ns e) = added_in_lanes r ns (fun k => eval st (k ++ i) e).
  Proof.
    intros pos I same there.
    assert (total : eval st' i (lane_sum lane d t r) =
      added (lane r) [lanes] (fun j => added r (with_last ns (last ns 0 / lanes))
        (fun k => eval st (change_last (fun q => q * Z.of_nat lanes + nth 0 j 0)%Z k ++ i) e))).
    { unfold lane_sum, added at 1. cbn [eval]. apply fold_left_ext_in. intros acc j Ij. f_equal.
      apply in_box_box in Ij. destruct j as [| z [| y j]]; [discriminate | | apply in_box_cons in Ij as [_ Ij]; discriminate].
      cbn [app nth]. rewrite (lane_index d) by exact I. rewrite <- (there (i ++ [z])).
      unfold exec. cbn [out dims partial_sums]. rewrite upd_same. unfold tabulate.
      rewrite in_box_app, I, Ij by now apply in_box_length. cbn [andb].
      now apply (partial_value d t r ns e st i z). }
    unfold Lanes.lane_sums, Lanes.added_in_lanes. destruct (last ns 0 mod lanes =? 0); [exact total |].
    cbn [eval]. f_equal; [exact total |]. rewrite <- (rest_value d r ns e st i pos I). symmetry. apply eval_frame.
    intros u Iu. apply same. unfold rest_sum in Iu. cbn [loads] in Iu. now rewrite subst_loads in Iu.
  Qed.

  (** ** Expressions *)

  Lemma each_split (one : nat -> ex -> ex * list stmt) next a l :
    each S one next (a :: l) =
    (fst (one next a) :: fst (each S one (next + length (snd (one next a))) l),
     snd (one next a) ++ snd (each S one (next + length (snd (one next a))) l)).
  Proof. cbn [each]. destruct (one next a) as [b p]. cbn [fst snd]. now destruct (each S one (next + length p) l). Qed.

  Lemma lanes_ex_value d st st' i : in_box d i = true -> forall (e : ex) next,
    (forall u, In u (loads e) -> agree st st' u) ->
    (forall s, In s (snd (lanes_ex d next e)) -> agree (exec s st) st' (out s)) ->
    eval st' i (fst (lanes_ex d next e)) = eval_lanes d st i e.
  Proof.
    intros I. induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind;
      intros next same there.
    - reflexivity.
    - cbn. symmetry. apply same. now left.
    - specialize (IHa next). cbn [Lanes.lanes_ex] in *. destruct (lanes_ex d next a) as [a' p]. cbn [fst snd] in IHa.
      specialize (IHb (next + length p)). destruct (lanes_ex d (next + length p) b) as [b' q]. cbn [fst snd] in *.
      cbn [loads eval Lanes.eval_lanes] in *. rewrite IHa, IHb; [reflexivity | | | |];
        intros s Is; first [apply same | apply there]; apply in_or_app; auto.
    - cbn [Lanes.lanes_ex] in *.
      assert (H : map (eval st' i) (fst (each S (lanes_ex d) next l)) = map (eval_lanes d st i) l).
      { assert (there' : forall s, In s (snd (each S (lanes_ex d) next l)) -> agree (exec s st) st' (out s)).
        { intros s Is. apply there. now destruct (each S (lanes_ex d) next l). }
        clear there. cbn [loads] in same. revert next there' same.
        induction IH as [| a l here _ IHl]; intros next there' same; [reflexivity |].
        rewrite each_split in *. cbn [fst snd map flat_map] in *. f_equal.
        - apply here; intros s Is; [apply same | apply there']; apply in_or_app; auto.
        - apply IHl; intros s Is; [apply there' | apply same]; apply in_or_app; auto. }
      destruct (each S (lanes_ex d) next l) as [l' p]. cbn [fst] in *. cbn [eval Lanes.eval_lanes]. now rewrite H.
    - change (eval st' i (ESel c a b) = eval st i (ESel c a b)). symmetry. now apply eval_frame.
    - cbn [Lanes.lanes_ex Lanes.eval_lanes] in *. destruct (taken d r ns e) eqn:T; cbn [fst snd] in *.
      + destruct (taken_last _ _ _ _ T) as [_ pos]. apply sums_value; auto. now apply (there _ (or_introl eq_refl)).
      + symmetry. now apply eval_frame.
  Qed.

  (** What the partial sums read, and where they are. *)
  Lemma partials d : forall (e : ex) next,
    map out (snd (lanes_ex d next e)) = map temp (seq next (length (snd (lanes_ex d next e)))) /\
    forall s u, In s (snd (lanes_ex d next e)) -> In u (loads (body s)) -> In u (loads e).
  Proof.
    assert (two : forall next p q, map out p = map temp (seq next (length p)) ->
      map out q = map temp (seq (next + length p) (length q)) ->
      map (@out S) (p ++ q) = map temp (seq next (length (p ++ q)))).
    { intros next p q P Q. now rewrite map_app, P, Q, app_length, seq_app, map_app. }
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; intros next;
      try (split; [reflexivity | intros s u []]).
    - specialize (IHa next). cbn [Lanes.lanes_ex]. destruct (lanes_ex d next a) as [a' p]. cbn [fst snd] in *.
      specialize (IHb (next + length p)). destruct (lanes_ex d (next + length p) b) as [b' q]. cbn [fst snd] in *.
      destruct IHa as [Oa La], IHb as [Ob Lb]. split; [now apply two |].
      intros s u Is Iu. cbn [loads]. apply in_or_app. apply in_app_iff in Is as [Is | Is]; eauto.
    - cbn [Lanes.lanes_ex]. replace (snd (let (l', p) := each S (lanes_ex d) next l in (EFn g l', p)))
        with (snd (each S (lanes_ex d) next l)) by now destruct (each S (lanes_ex d) next l).
      revert next. cbn [loads]. induction IH as [| a l here _ IHl]; intros next; [split; [reflexivity | intros s u []] |].
      rewrite each_split. cbn [fst snd]. destruct (here next) as [Oa La].
      destruct (IHl (next + length (snd (lanes_ex d next a)))) as [Ol Ll]. split; [now apply two |].
      intros s u Is Iu. cbn [flat_map]. apply in_or_app. apply in_app_iff in Is as [Is | Is]; eauto.
    - cbn [Lanes.lanes_ex]. destruct (taken d r ns e); [| split; [reflexivity | intros s u []]].
      split; [reflexivity |]. intros s u [<- | []] Iu. cbn [partial_sums body loads] in Iu. now rewrite subst_loads in Iu.
  Qed.

  (** ** Programs *)

  Definition fresh (next : nat) (u : tid) : Prop := forall j, next <= j -> u <> temp j.

  Lemma exec_own s (st st' : store) : (forall u, In u (loads (body s)) -> agree st st' u) ->
    agree (exec s st) (exec s st') (out s).
  Proof.
    intros same i. unfold exec. rewrite !upd_same. unfold tabulate. destruct (in_box (dims s) i); [| reflexivity].
    now apply eval_frame.
  Qed.

  Lemma partials_stored (p : list stmt) : forall next st st',
    map out p = map temp (seq next (length p)) ->
    (forall s u, In s p -> In u (loads (body s)) -> fresh next u /\ agree st st' u) ->
    forall s, In s p -> agree (exec s st) (exec_prog p st') (out s).
  Proof.
    induction p as [| s0 p IH]; intros next st st' O same s Is; [destruct Is |].
    cbn [length seq map] in O. injection O as O0 O.
    change (exec_prog (s0 :: p) st') with (exec_prog p (exec s0 st')).
    destruct Is as [<- | Is].
    - intros i. rewrite kernel_prog_frame.
      + apply exec_own. intros u Iu. apply (same s0 u); [now left | exact Iu].
      + intros s Is E. assert (I : In (out s) (map out p)) by now apply in_map. rewrite O in I.
        apply in_map_iff in I as (j & Ej & Ij). apply in_seq in Ij. rewrite E, O0 in Ej. apply temp_inj in Ej. lia.
    - apply (IH (Datatypes.S next)); [exact O | | exact Is]. intros s1 u I1 Iu.
      destruct (same s1 u (or_intror I1) Iu) as [F A]. split; [intros j lt; apply F; lia |].
      intros i. rewrite kernel_exec_frame; [apply A |]. rewrite O0. apply F. lia.
  Qed.

  Lemma fresh_later next next' u : next <= next' -> fresh next u -> fresh next' u.
  Proof. intros le F j lt. apply F. lia. Qed.

  (** [first]: where the temporaries of the whole program begin. *)
  Lemma lanes_stmt_value first next s (st st' : store) : first <= next ->
    (forall u, In u (loads (body s)) -> fresh first u) ->
    (forall u, fresh first u -> agree st st' u) ->
    forall u, fresh first u -> agree (exec_lanes s st) (exec_prog (lanes_stmt next s) st') u.
  Proof.
    intros le F same u Fu i. unfold Lanes.lanes_stmt. destruct (partials (dims s) (body s) next) as [O L].
    pose proof (lanes_ex_value (dims s) st (exec_prog (snd (lanes_ex (dims s) next (body s))) st')) as V.
    destruct (lanes_ex (dims s) next (body s)) as [e p] eqn:E. cbn [fst snd] in *.
    assert (kept : forall v, fresh first v -> agree st (exec_prog p st') v).
    { intros v Fv k. rewrite kernel_prog_frame; [now apply same |]. intros s0 I0 E0.
      assert (I : In (out s0) (map out p)) by now apply in_map. rewrite O in I.
      apply in_map_iff in I as (j & Ej & Ij). apply in_seq in Ij. apply (Fv j); [lia | congruence]. }
    rewrite exec_prog_app. change (exec_prog [?a] ?b) with (exec a b). unfold Lanes.exec_lanes, exec_prog, exec at 1.
    cbn [fold_left]. unfold exec at 1. cbn [out dims body].
    unfold upd. destruct (u =? out s); [| now apply kept]. unfold tabulate.
    destruct (in_box (dims s) i) eqn:B; [| reflexivity]. symmetry.
    specialize (V i B (body s) next). rewrite E in V. cbn [fst snd] in V. apply V.
    - intros v Iv. apply kept. now apply F.
    - apply (partials_stored p next st st' O). intros s0 v I0 Iv. specialize (L s0 v I0 Iv).
      split; [apply (fresh_later first); auto |]. apply same. now apply F.
  Qed.

  (** The program stores what the formula says, in every tensor but its new temporaries. *)
  Theorem lanes_prog_value first (p : list stmt) : forall next st st', first <= next ->
    (forall s u, In s p -> In u (loads (body s)) -> fresh first u) ->
    (forall u, fresh first u -> agree st st' u) ->
    forall u, fresh first u -> agree (exec_lanes_prog p st) (exec_prog (lanes_prog next p) st') u.
  Proof.
    induction p as [| s p IH]; intros next st st' le F same u Fu; [now apply same |].
    cbn [Lanes.lanes_prog]. intros i. rewrite exec_prog_app.
    change (exec_lanes_prog (s :: p) st) with (exec_lanes_prog p (exec_lanes s st)).
    apply IH; [lia | | | exact Fu].
    - intros s1 v I1. apply F. now right.
    - intros v Fv. apply (lanes_stmt_value first); auto. intros w Iw. apply (F s); [now left | exact Iw].
  Qed.
End Value.
