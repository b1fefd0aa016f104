(** * What is read is the cell

    The value of a program at a path, over any scalars, is that of the cell which [read] gives
    for the place of this path: no law of arithmetic is used, so bit for bit.

    Data of the environment is related to what is known of it at all points that agree on the
    loops around, and under all further loops. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require dpia.Target.
From Calque Require Import base.Lists dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Match dpia.Cells.
Import ListNotations.
Set Implicit Arguments.
Open Scope nat_scope.

Section CellsProof.
  Context {A : algebra}.
  Notation ix := (ix numbers). Notation data := (data numbers). Notation exp := (exp A numbers).
  Notation value := (value A). Notation known := (known A). Notation point := (point A).
  Implicit Types (G : ctx numbers) (e : exp) (env : list value) (w : value) (p q : place) (t u : path)
    (R : list nat) (f g : nat -> Z) (r : point).

  (** ** Loops around, and points *)

  Definition within R f : Prop := forall x n, nth_error R x = Some n -> (0 <= f x < Z.of_nat n)%Z.
  Definition alike (n : nat) f g : Prop := forall x, x < n -> g x = f x.
  Definition agree (n : nat) r r' : Prop :=
    forall x, x < n -> ind r' x = ind r x /\ acc r' x = acc r x.
  (** Wherever the loops around stand as in [f], the place is the path. *)
  Definition stays R f p t : Prop := forall g, alike (length R) f g -> spot g p = Some t.

  Lemma within_alike R f g : within R f -> alike (length R) f g -> within R g.
  Proof.
    intros inside same x n E. rewrite same by (now apply nth_error_bound in E). now apply inside.
  Qed.

  Lemma within_app R R' f : within (R ++ R') f -> within R f.
  Proof.
    intros inside x n E. apply inside. rewrite nth_error_app1; [exact E |]. now apply nth_error_bound in E.
  Qed.

  Lemma agree_alike n r r' : agree n r r' -> alike n (ind r) (ind r').
  Proof. intros same x lt. now apply same. Qed.

  Lemma agree_trans n m r r' r'' : n <= m -> agree n r r' -> agree m r' r'' -> agree n r r''.
  Proof.
    intros le H1 H2 x lt. destruct (H1 x lt) as [E1 E2], (H2 x ltac:(lia)) as [E3 E4]. split; congruence.
  Qed.

  Lemma agree_put n r z a : agree n r (put r n z a).
  Proof. intros x lt. cbn. destruct (Nat.eqb_spec x n); [lia | auto]. Qed.

  Lemma within_put R r n k a : within R (ind r) -> k < n -> within (R ++ [n]) (ind (put r (length R) (Z.of_nat k) a)).
  Proof.
    intros inside lt x m E. cbn. destruct (Nat.eqb_spec x (length R)) as [-> | ne].
    - rewrite nth_error_app2, Nat.sub_diag in E by lia. injection E as <-. lia.
    - apply inside. rewrite nth_error_app1 in E; [exact E |]. apply nth_error_bound in E.
      rewrite app_length in E. cbn in E. lia.
  Qed.

  Lemma stays_here R f p t : stays R f p t -> spot f p = Some t.
  Proof. intros H. apply H. intros x lt. reflexivity. Qed.

  Lemma stays_more R R' f g p t : alike (length R) f g -> stays R f p t -> stays (R ++ R') g p t.
  Proof.
    intros same H h same'. apply H. intros x lt. rewrite same' by (rewrite app_length; lia). now apply same.
  Qed.

  (** ** Places *)

  Lemma spot_at f i p t : spot f (SAt i :: p) = Some t <->
    exists k u, t = At k :: u /\ ixv (s := numbers_sizing) f i = Z.of_nat k /\ spot f p = Some u.
  Proof.
    cbn. unfold index. split.
    - destruct (Z.leb_spec 0 (ixv f i)) as [le |]; [| discriminate].
      destruct (spot f p) as [u |]; [| discriminate]. intros E. injection E as <-.
      exists (Z.to_nat (ixv f i)), u. rewrite Z2Nat.id by exact le. auto.
    - intros (k & u & -> & -> & ->). destruct (Z.leb_spec 0 (Z.of_nat k)); [| lia]. now rewrite Nat2Z.id.
  Qed.

  Lemma stays_nil R f t : stays R f [] t <-> t = [].
  Proof.
    split; [intros H; apply stays_here in H; cbn in H; congruence |].
    intros -> g same. reflexivity.
  Qed.

  Definition keeps R f (i : ix) (k : nat) : Prop :=
    forall g, alike (length R) f g -> ixv (s := numbers_sizing) g i = Z.of_nat k.

  Lemma stays_at R f i p t : stays R f (SAt i :: p) t <->
    exists k u, t = At k :: u /\ keeps R f i k /\ stays R f p u.
  Proof.
    split.
    - intros H. pose proof (stays_here H) as here. apply spot_at in here as (k & u & -> & Ei & Ep).
      exists k, u. split; [reflexivity |].
      split; intros g same; specialize (H g same); apply spot_at in H as (k' & u' & E & Ei' & Ep');
        injection E as <- <-; assumption.
    - intros (k & u & -> & Hi & Hp) g same. apply spot_at. exists k, u. auto.
  Qed.

  Ltac stays_turn f p :=
    split;
    [ intros H; pose proof (stays_here H) as here; cbn in here;
      destruct (spot f p) as [u |] eqn:E; [| discriminate]; injection here as <-;
      exists u; split; [reflexivity |]; intros g same; specialize (H g same); cbn in H;
      destruct (spot g p); [| discriminate]; cbn in H; congruence
    | intros (u & -> & H) g same; cbn; now rewrite (H g same) ].

  Lemma stays_left R f p t : stays R f (SL :: p) t <-> exists u, t = L :: u /\ stays R f p u.
  Proof. stays_turn f p. Qed.

  Lemma stays_right R f p t : stays R f (SR :: p) t <-> exists u, t = Values.R :: u /\ stays R f p u.
  Proof. stays_turn f p. Qed.

  Lemma ix_same_eq i : forall j, ix_same i j = true -> i = j.
  Proof.
    induction i; intros [] E; cbn in E; try discriminate;
      rewrite ?andb_true_iff, ?Nat.eqb_eq, ?Z.eqb_eq, ?Pos.eqb_eq in E; intuition (f_equal; auto).
  Qed.

  Lemma turn_same_eq (a b : turn) : turn_same a b = true -> a = b.
  Proof. destruct a, b; cbn; try discriminate; auto. intros E. f_equal. now apply ix_same_eq. Qed.

  Lemma place_same_eq p : forall q, place_same p q = true -> p = q.
  Proof.
    induction p as [| a p IH]; intros [| b q] E; cbn in E; try discriminate; auto.
    apply andb_true_iff in E as [E1 E2]. f_equal; [now apply turn_same_eq | auto].
  Qed.

  (** ** Parts of values *)

  Notation DAry := (@DAry numbers).

  Lemma look_zip n d1 d2 w1 w2 i t : has_type (DAry n d1) w1 -> has_type (DAry n d2) w2 -> i < n ->
    (leaf d1 t -> look (zip_of w1 w2) (At i :: L :: t) = look w1 (At i :: t)) /\
    (leaf d2 t -> look (zip_of w1 w2) (At i :: Values.R :: t) = look w2 (At i :: t)).
  Proof.
    intros H1 H2 lt. pose proof (match_zip (root0 w2 H1) (root1 w1 H2)) as M. split; intros lf.
    - rewrite <- (proj2 M (At i :: L :: t)) by (cbn; auto).
      exact (proj2 (root0 w2 H1) (At i :: t) (conj lt lf)).
    - rewrite <- (proj2 M (At i :: Values.R :: t)) by (cbn; auto).
      exact (proj2 (root1 w1 H2) (At i :: t) (conj lt lf)).
  Qed.

  Lemma look_split n m d w i j t : has_type (DAry (n * m) d) w -> i < m -> j < n -> leaf d t ->
    look (split_of n m w) (At i :: At j :: t) = look w (At (i * n + j) :: t).
  Proof.
    intros H lti ltj lf. pose proof (match_split (N := numbers) n m (root0 (s := numbers_sizing) junk H)) as M.
    cbn in M. rewrite <- (proj2 M (At i :: At j :: t)) by (cbn; auto).
    apply (proj2 (root0 (s := numbers_sizing) junk H) (At (i * n + j) :: t)). cbn. split; [nia | exact lf].
  Qed.

  Lemma look_join n m d w i t : has_type (DAry m (DAry n d)) w -> i < n * m -> leaf d t ->
    look (join_of w) (At i :: t) = look w (At (i / n) :: At (i mod n) :: t).
  Proof.
    intros H lt lf. pose proof (match_join (root0 (s := numbers_sizing) junk H)) as M.
    assert (nz : n <> 0) by nia.
    rewrite <- (proj2 M (At i :: t)) by (cbn; auto). cbn [Target.rd].
    change (#n) with n. destruct (Nat.eqb_spec n 0) as [| _]; [lia |].
    apply (proj2 (root0 (s := numbers_sizing) junk H) (At (i / n) :: At (i mod n) :: t)). cbn.
    repeat split; [apply Nat.div_lt_upper_bound; lia | now apply Nat.mod_upper_bound | exact lf].
  Qed.

  Lemma look_rev n d w i t : has_type (DAry n d) w -> i < n -> leaf d t ->
    look (reverse_of w) (At i :: t) = look w (At (n - 1 - i) :: t).
  Proof.
    intros H lt lf. pose proof (match_rev (root0 (s := numbers_sizing) junk H)) as M.
    rewrite <- (proj2 M (At i :: t)) by (cbn; auto). cbn [Target.rd].
    change (#n) with n. destruct (Nat.ltb_spec i n) as [_ |]; [| lia].
    apply (proj2 (root0 (s := numbers_sizing) junk H) (At (n - 1 - i) :: t)). cbn. split; [lia | exact lf].
  Qed.

  Lemma look_transpose n m d w i j t : has_type (DAry n (DAry m d)) w -> i < n -> j < m -> leaf d t ->
    look (transpose_of m w) (At j :: At i :: t) = look w (At i :: At j :: t).
  Proof.
    intros H lti ltj lf. pose proof (match_tr (root0 (s := numbers_sizing) junk H)) as M.
    cbn in M. rewrite <- (proj2 M (At j :: At i :: t)) by (cbn; auto).
    exact (proj2 (root0 (s := numbers_sizing) junk H) (At i :: At j :: t) (conj lti (conj ltj lf))).
  Qed.

  (** ** What is known of an environment *)

  Variable inputs : list value.
  Notation cval := (cval inputs).

  Definition reads R r (d : data) (s : list nat -> place -> option (cell A)) w : Prop :=
    forall R' r' p t c, within (R ++ R') (ind r') -> agree (length R) r r' ->
      stays (R ++ R') (ind r') p t -> leaf d t -> s (R ++ R') p = Some c -> look w t = cval r' c.

  Definition knows R r (x : entry numbers) (k : known) w : Prop :=
    match x, k with
    | TD d, KData s => reads R r d s w
    | TI n, KIx i => exists j, w = Pos j /\ keeps R (ind r) i j
    | _, _ => False
    end.

  Definition env_knows R r G (K : list known) env : Prop :=
    forall x d, nth_error (vars G) x = Some d ->
      exists k w, nth_error K x = Some k /\ nth_error env x = Some w /\ knows R r d k w.

  Lemma keeps_more R R' f g i k : alike (length R) f g -> keeps R f i k -> keeps (R ++ R') g i k.
  Proof.
    intros same H h same'. apply H. intros x lt. rewrite same' by (rewrite app_length; lia). now apply same.
  Qed.

  Lemma knows_more R R' r r' x k w : agree (length R) r r' -> knows R r x k w -> knows (R ++ R') r' x k w.
  Proof.
    intros same. destruct x as [d | n], k as [i | s]; cbn; try tauto.
    - intros H R2 r2 p t c inside same2 st lf E. rewrite <- app_assoc in *.
      apply (H (R' ++ R2) r2 p t c); auto. eapply agree_trans; [| exact same | exact same2].
      rewrite app_length. lia.
    - intros (j & -> & H). exists j. split; [reflexivity |]. eapply keeps_more; [| exact H]. now apply agree_alike.
  Qed.

  Lemma env_knows_more R R' r r' G K env : agree (length R) r r' -> env_knows R r G K env ->
    env_knows (R ++ R') r' G K env.
  Proof.
    intros same H x d E. destruct (H x d E) as (k & w & Ek & Ew & know). exists k, w.
    split; [exact Ek |]. split; [exact Ew |]. now apply knows_more with r.
  Qed.

  Lemma env_knows_bind R r G K env d k w : knows R r d k w -> env_knows R r G K env ->
    env_knows R r (bind d G) (k :: K) (w :: env).
  Proof. intros know H [| x] d' E; cbn in *; [injection E as <-; eauto | auto]. Qed.

  Lemma env_knows_assume R r G K env c b : env_knows R r G K env -> env_knows R r (assume c b G) K env.
  Proof. intros H. exact H. Qed.

  (** ** Indices of the program at a point *)

  Lemma sub_var R r G K env x g : env_knows R r G K env -> is_index G x -> alike (length R) (ind r) g ->
    ixv (s := numbers_sizing) g (sub K x) = positions env x.
  Proof.
    intros H [n E] same. destruct (H x _ E) as (k & w & Ek & Ew & know). unfold sub, positions.
    rewrite Ek, Ew. destruct k as [i | s]; cbn in know; [| tauto]. destruct know as (j & -> & Hi).
    exact (Hi g same).
  Qed.

  Lemma sub_ix R r G K env i g : env_knows R r G K env -> ix_all (is_index G) i -> alike (length R) (ind r) g ->
    ixv (s := numbers_sizing) g (ix_subst (sub K) i) = ixv (s := numbers_sizing) (positions env) i.
  Proof.
    intros H scoped same. rewrite ixv_subst. apply ixv_ext. eapply ix_all_mono; [| exact scoped].
    intros x Hx. cbn. now apply sub_var with R r G.
  Qed.

  Lemma sub_cond R r G K env c g : env_knows R r G K env -> cond_all (is_index G) c -> alike (length R) (ind r) g ->
    holds (s := numbers_sizing) g (cond_subst (sub K) c) = holds (s := numbers_sizing) (positions env) c.
  Proof.
    intros H scoped same. rewrite holds_subst. apply holds_ext. eapply cond_all_mono; [| exact scoped].
    intros x Hx. cbn. now apply sub_var with R r G.
  Qed.

  (** ** The theorem *)

  Variable tidy : list nat -> ix -> ix.
  Hypothesis tidy_right : forall R f i, within R f ->
    ixv (s := numbers_sizing) f (tidy R i) = ixv (s := numbers_sizing) f i.

  Lemma keeps_tidy R f i k : within R f -> keeps R f i k -> keeps R f (tidy R i) k.
  Proof.
    intros inside H g same. rewrite tidy_right; [now apply H |]. now apply within_alike with f.
  Qed.

  Definition right e : Prop := forall G d K R r env p t c,
    ty G e d -> env_ok G env -> env_knows R r G K env -> within R (ind r) -> stays R (ind r) p t ->
    leaf d t -> read tidy K R e p = Some c -> look (eval env e) t = cval r c.

  (** Data read where it is used. *)
  Lemma right_reads e G d K R r env : right e -> ty G e d -> env_ok G env -> env_knows R r G K env ->
    reads R r d (fun R p => read tidy K R e p) (eval env e).
  Proof.
    intros H T ok know R' r' p t c inside same st lf E.
    apply (H G d K (R ++ R') r' env p t c); auto. now apply env_knows_more with r.
  Qed.

  Lemma fold_cell n R r d (v : nat -> value) (F : value -> value -> value) t init step w :
    within R (ind r) -> has_type d w -> look w t = cval r init ->
    (forall k a x, k < n -> has_type d a -> look a t = x ->
       has_type d (F a (v k)) /\
       look (F a (v k)) t = cval (put r (length R) (Z.of_nat k) x) step) ->
    look (fold_left F (map v (seq 0 n)) w) t = cval r (CFold (length R) n step init).
  Proof.
    intros inside H E each. cbn [Cells.cval]. rewrite <- E. clear E.
    assert (below : forall k, In k (seq 0 n) -> k < n) by (intros k ink; apply in_seq in ink; lia).
    revert w H below. generalize (seq 0 n) as ks.
    induction ks as [| k ks IH]; intros w H below; [reflexivity |]. cbn [map fold_left].
    destruct (each k w (look w t) (below k (or_introl eq_refl)) H eq_refl) as [H' E'].
    rewrite <- E'. apply IH; [exact H' |]. intros j inj. apply below. now right.
  Qed.

  Lemma hold_reads R r (n : nat) d p t k a : within R (ind r) -> stays R (ind r) p t -> k < n ->
    knows (R ++ [n]) (put r (length R) (Z.of_nat k) (look a t)) (TD d) (hold (length R) p) a.
  Proof.
    intros inside st lt R' r' q u c inside' same st' lf E. cbn in E.
    destruct (place_same q p) eqn:same_place; [| discriminate]. injection E as <-.
    apply place_same_eq in same_place. subst q. cbn [Cells.cval].
    destruct (same (length R)) as [_ ->]; [rewrite app_length; cbn; lia |].
    cbn. rewrite Nat.eqb_refl.
    assert (u = t) as ->; [| reflexivity].
    apply stays_here in st'. rewrite (st (ind r')) in st' by
      (intros x ltx; rewrite (proj1 (same x ltac:(rewrite app_length; lia))); cbn; destruct (Nat.eqb_spec x (length R)); [lia | reflexivity]).
    congruence.
  Qed.

  Lemma knows_position R r (n : size numbers) k a : knows (R ++ [n]) (put r (length R) (Z.of_nat k) a) (TI n) (KIx (XVar (length R))) (Pos k).
  Proof.
    exists k. split; [reflexivity |]. intros g same. cbn.
    rewrite same by (rewrite app_length; cbn; lia). cbn. now rewrite Nat.eqb_refl.
  Qed.

  Ltac both_some E := unfold both in E;
    repeat match type of E with match ?x with _ => _ end = Some _ => let H := fresh "Er" in destruct x eqn:H; [| discriminate] end;
    injection E as <-.

  Theorem read_right e : right e.
  Proof.
    induction e as [x | c0 | o e IH | o e1 IH1 e2 IH2 | pol n d0 f IHf e IH | pol n d0 f IHf | n d0 f IHf i IHi e IH
      | n d0 f IHf i IHi | n d1 d2 e1 IH1 e2 IH2 | n m e IH | n m e IH | e IH i | e1 IH1 e2 IH2 | e IH | e IH | n e IH
      | n m e IH | c0 d0 e1 IH1 e2 IH2 | d0 e IH f IHf];
      intros G d K R r env p t c T ok know inside st lf E; inversion T; subst; cbn [read] in E; cbn [eval].
    - (* var *)
      match goal with H : nth_error (vars G) x = Some _ |- _ => destruct (know _ _ H) as (k & w & Ek & Ew & kn) end.
      rewrite Ek in E. destruct k as [i | s]; [discriminate |]. rewrite (nth_error_nth _ _ _ Ew).
      apply (kn [] r p t c); rewrite ?app_nil_r; auto. intros y lt. auto.
    - destruct p; [| discriminate]. injection E as <-. apply stays_nil in st. subst t. reflexivity.
    - destruct p; [| discriminate]. destruct (read tidy K R e []) as [a |] eqn:Ea; [| discriminate]. injection E as <-.
      apply stays_nil in st as ->. cbn [Cells.cval].
      match goal with H : ty G e DNum |- _ => rewrite <- (IH _ _ _ _ r env [] [] _ H ok know inside (proj2 (stays_nil _ _ _) eq_refl) I Ea);
        destruct (has_num (eval_has_type H ok)) as [y ->] end. reflexivity.
    - destruct p; [| discriminate]. both_some E. apply stays_nil in st as ->. cbn [Cells.cval].
      match goal with H1 : ty G e1 DNum, H2 : ty G e2 DNum |- _ =>
        rewrite <- (IH1 _ _ _ _ r env [] [] _ H1 ok know inside (proj2 (stays_nil _ _ _) eq_refl) I Er);
        rewrite <- (IH2 _ _ _ _ r env [] [] _ H2 ok know inside (proj2 (stays_nil _ _ _) eq_refl) I Er0);
        destruct (has_num (eval_has_type H1 ok)) as [y ->], (has_num (eval_has_type H2 ok)) as [z ->] end. reflexivity.
    - (* map *)
      destruct p as [| [i | |] p]; try discriminate.
      apply stays_at in st as (k & u & -> & Hi & Hp). cbn [leaf] in lf. destruct lf as [lt lf].
      match goal with H : ty G e _ |- _ => pose proof H as Te end.
      destruct (has_ary (eval_has_type Te ok)) as (l & El & len & each). rewrite El. cbn [elems look].
      change (#n) with n in *. rewrite <- len in lt. destruct (nth_some _ lt) as [w Ew].
      rewrite nth_error_map, Ew. cbn [option_map].
      match goal with H : ty (bind _ _) f _ |- _ => refine (IHf _ _ _ _ r _ p u c H _ _ inside Hp lf E) end.
      + apply env_bind; [exact ok |]. cbn. eauto.
      + apply env_knows_bind; [| exact know]. intros R' r' q v c' inside' same st' lf' E'.
        rewrite <- (right_reads IH Te ok know R' (p := SAt i :: q) (t := At k :: v) inside' same); auto.
        * rewrite El. cbn [look]. now rewrite Ew.
        * apply stays_at. exists k, v. split; [reflexivity |]. split; [| exact st'].
          eapply keeps_more; [| exact Hi]. now apply agree_alike.
        * cbn. rewrite <- len. auto.
    - (* generate *)
      destruct p as [| [i | |] p]; try discriminate.
      apply stays_at in st as (k & u & -> & Hi & Hp). cbn [leaf] in lf. destruct lf as [lt lf].
      cbn [look]. rewrite nth_error_map, nth_seq by exact lt. cbn [option_map Nat.add].
      match goal with H : ty (bind _ _) f _ |- _ => refine (IHf _ _ _ _ r _ p u c H _ _ inside Hp lf E) end.
      + apply env_bind; [exact ok |]. cbn. eauto.
      + apply env_knows_bind; [| exact know]. cbn. eauto.
    - (* reduce *)
      both_some E.
      match goal with H : ty G e _ |- _ => pose proof H as Te end.
      match goal with H : ty G i _ |- _ => pose proof H as Ti end.
      match goal with H : ty _ f _ |- _ => pose proof H as Tf end.
      destruct (has_ary (eval_has_type Te ok)) as (l & El & len & each). rewrite El. cbn [elems].
      change (#n) with n in *.
      replace l with (map (fun k => nth k l junk) (seq 0 n)) by (rewrite <- len; symmetry; apply nth_tabulate).
      apply fold_cell with (d := d); [exact inside | now apply eval_has_type with G | |].
      + match goal with H : read _ _ _ i _ = Some _ |- _ => exact (IHi _ _ _ _ r env p t _ Ti ok know inside st lf H) end.
      + intros k a x lt Ha Hx. subst x. rewrite <- len in lt. destruct (nth_some _ lt) as [w Ew].
        rewrite (nth_error_nth _ _ _ Ew).
        assert (ok' : env_ok (bind (TD d) (bind (TD d1) G)) (a :: w :: env)).
        { apply env_bind; [apply env_bind |]; cbn; eauto. }
        split; [now apply (eval_has_type Tf) |].
        match goal with H : read _ _ _ f _ = Some _ |- _ => refine (IHf _ _ _ _ _ _ p t _ Tf ok' _ _ _ lf H) end.
        * apply env_knows_bind; [| apply env_knows_bind].
          -- apply hold_reads; auto. lia.
          -- intros R' r' q v c' inside' same st' lf' E'.
             rewrite <- app_assoc in inside', st', E'.
             rewrite <- (right_reads IH Te ok know ([n] ++ R') (p := SAt (XVar (length R)) :: q) (t := At k :: v) inside'); auto.
             ++ rewrite El. cbn [look]. now rewrite Ew.
             ++ eapply agree_trans; [| apply agree_put | exact same]. rewrite app_length. lia.
             ++ apply stays_at. exists k, v. split; [reflexivity |]. split; [| exact st'].
                intros g same'. cbn. rewrite same' by (rewrite !app_length; cbn; lia).
                rewrite (proj1 (same (length R) ltac:(rewrite app_length; cbn; lia))). cbn. now rewrite Nat.eqb_refl.
             ++ cbn. rewrite <- len. auto.
          -- apply env_knows_more with r; [apply agree_put | exact know].
        * apply within_put; [exact inside | lia].
        * eapply stays_more; [| exact st]. apply agree_alike, agree_put.
    - (* fold *)
      both_some E.
      match goal with H : ty G i _ |- _ => pose proof H as Ti end.
      match goal with H : ty _ f _ |- _ => pose proof H as Tf end.
      change (#n) with n.
      apply fold_cell with (d := d); [exact inside | now apply eval_has_type with G | |].
      + match goal with H : read _ _ _ i _ = Some _ |- _ => exact (IHi _ _ _ _ r env p t _ Ti ok know inside st lf H) end.
      + intros k a x lt Ha Hx. subst x.
        assert (ok' : env_ok (bind (TD d) (bind (TI n) G)) (a :: Pos k :: env)).
        { apply env_bind; [apply env_bind |]; cbn; eauto. }
        split; [now apply (eval_has_type Tf) |].
        match goal with H : read _ _ _ f _ = Some _ |- _ => refine (IHf _ _ _ _ _ _ p t _ Tf ok' _ _ _ lf H) end.
        * apply env_knows_bind; [| apply env_knows_bind].
          -- now apply hold_reads.
          -- apply knows_position.
          -- apply env_knows_more with r; [apply agree_put | exact know].
        * now apply within_put.
        * eapply stays_more; [| exact st]. apply agree_alike, agree_put.
    - (* zip *)
      match goal with H1 : ty G e1 _, H2 : ty G e2 _ |- _ => pose proof H1 as T1; pose proof H2 as T2 end.
      pose proof (fun i t => @look_zip _ _ _ _ _ i t (eval_has_type T1 ok) (eval_has_type T2 ok)) as Z.
      destruct p as [| [i | |] [| [j | |] p]]; try discriminate;
        apply stays_at in st as (k & u & -> & Hi & Hp); cbn [leaf] in lf; destruct lf as [lt lf].
      + apply stays_left in Hp as (v & -> & Hp). cbn [leaf] in lf. rewrite (proj1 (Z k v lt) lf).
        apply (IH1 _ _ _ _ r env (SAt i :: p) _ c T1 ok know inside); [| cbn; auto | exact E].
        apply stays_at. eauto.
      + apply stays_right in Hp as (v & -> & Hp). cbn [leaf] in lf. rewrite (proj2 (Z k v lt) lf).
        apply (IH2 _ _ _ _ r env (SAt i :: p) _ c T2 ok know inside); [| cbn; auto | exact E].
        apply stays_at. eauto.
    - (* split *)
      destruct p as [| [i | |] [| [j | |] p]]; try discriminate.
      apply stays_at in st as (k & u & -> & Hi & Hp). apply stays_at in Hp as (l & v & -> & Hj & Hp).
      cbn [leaf] in lf. destruct lf as [ltk [ltl lf]]. change (#n) with n in *. change (#m) with m in *.
      match goal with H : ty G e _ |- _ => pose proof H as Te end. cbn in Te.
      rewrite (@look_split _ _ _ _ k l v (eval_has_type Te ok)) by auto.
      refine (IH _ _ _ _ r env _ _ c Te ok know inside _ _ E); [| cbn; split; [nia | exact lf]].
      apply stays_at. exists (k * n + l), v. split; [reflexivity |]. split; [| exact Hp].
      apply keeps_tidy; [exact inside |]. intros g same. cbn [ixv]. rewrite (Hi g same), (Hj g same). lia.
    - (* join *)
      destruct p as [| [i | |] p]; try discriminate.
      apply stays_at in st as (k & u & -> & Hi & Hp). cbn [leaf] in lf. destruct lf as [lt lf].
      rewrite count_mul in lt. change (#n) with n in *. change (#m) with m in *.
      match goal with H : ty G e _ |- _ => pose proof H as Te end.
      destruct (Z.of_nat n) as [| pn |] eqn:En; try discriminate.
      rewrite (@look_join _ _ _ _ k u (eval_has_type Te ok)) by auto.
      refine (IH _ _ _ _ r env _ _ c Te ok know inside _ _ E).
      + apply stays_at. exists (k / n), (At (k mod n) :: u). split; [reflexivity |].
        split; [| apply stays_at; exists (k mod n), u; split; [reflexivity |]; split; [| exact Hp]].
        * apply keeps_tidy; [exact inside |]. intros g same. cbn [ixv]. rewrite (Hi g same), <- En.
          symmetry. apply Nat2Z.inj_div.
        * apply keeps_tidy; [exact inside |]. intros g same. cbn [ixv]. rewrite (Hi g same), <- En.
          symmetry. apply Nat2Z.inj_mod.
      + assert (n <> 0) by lia. cbn.
        repeat split; [apply Nat.div_lt_upper_bound; lia | now apply Nat.mod_upper_bound | exact lf].
    - (* idx *)
      match goal with H : ty G e _ |- _ => pose proof H as Te end.
      match goal with H : ix_all _ _ |- _ => pose proof H as scoped end.
      match goal with H : in_range _ _ _ |- _ => destruct (index_in_range ok H) as (k & Ek & ltk) end.
      rewrite Ek. destruct (has_ary (eval_has_type Te ok)) as (l & El & len & each).
      apply (IH _ _ _ _ r env _ (At k :: t) c Te ok know inside) in E.
      + rewrite <- E, El. cbn [look elems]. rewrite <- len in ltk. destruct (nth_some _ ltk) as [w Ew].
        now rewrite Ew, (nth_error_nth _ _ _ Ew).
      + apply stays_at. exists k, t. split; [reflexivity |]. split; [| exact st].
        apply keeps_tidy; [exact inside |]. intros g same. rewrite (@sub_ix R r G K env i g know scoped same).
        unfold index in Ek. destruct (Z.leb_spec 0 (ixv (s := numbers_sizing) (positions env) i)) as [le |]; [| discriminate].
        injection Ek as <-. now rewrite Z2Nat.id.
      + cbn. auto.
    - (* pair *)
      destruct p as [| [i | |] p]; try discriminate.
      + apply stays_left in st as (u & -> & st). cbn [leaf] in lf. cbn [look]. eapply IH1; eauto.
      + apply stays_right in st as (u & -> & st). cbn [leaf] in lf. cbn [look]. eapply IH2; eauto.
    - match goal with H : ty G e _ |- _ => pose proof H as Te end.
      apply (IH _ _ _ _ r env _ (L :: t) c Te ok know inside) in E; [| apply stays_left; eauto | exact lf].
      rewrite <- E. destruct (has_pair (eval_has_type Te ok)) as (a & b & -> & _). reflexivity.
    - match goal with H : ty G e _ |- _ => pose proof H as Te end.
      apply (IH _ _ _ _ r env _ (Values.R :: t) c Te ok know inside) in E; [| apply stays_right; eauto | exact lf].
      rewrite <- E. destruct (has_pair (eval_has_type Te ok)) as (a & b & -> & _). reflexivity.
    - (* reverse *)
      destruct p as [| [i | |] p]; try discriminate.
      apply stays_at in st as (k & u & -> & Hi & Hp). cbn [leaf] in lf. destruct lf as [lt lf]. change (#n) with n in *.
      match goal with H : ty G e _ |- _ => pose proof H as Te end.
      rewrite (@look_rev _ _ _ k u (eval_has_type Te ok)) by auto.
      refine (IH _ _ _ _ r env _ _ c Te ok know inside _ _ E); [| cbn; split; [lia | exact lf]].
      apply stays_at. exists (n - 1 - k), u. split; [reflexivity |]. split; [| exact Hp].
      apply keeps_tidy; [exact inside |]. intros g same. cbn [ixv]. rewrite (Hi g same). lia.
    - (* transpose *)
      destruct p as [| [i | |] [| [j | |] p]]; try discriminate.
      apply stays_at in st as (k & u & -> & Hi & Hp). apply stays_at in Hp as (l & v & -> & Hj & Hp).
      cbn [leaf] in lf. destruct lf as [ltk [ltl lf]]. change (#n) with n in *. change (#m) with m in *.
      match goal with H : ty G e _ |- _ => pose proof H as Te end.
      rewrite (@look_transpose _ _ _ _ l k v (eval_has_type Te ok)) by auto.
      refine (IH _ _ _ _ r env _ _ c Te ok know inside _ _ E); [| cbn; auto].
      apply stays_at. exists l, (At k :: v). split; [reflexivity |]. split; [exact Hj |]. apply stays_at. eauto.
    - (* select *)
      both_some E. cbn [Cells.cval].
      match goal with H : cond_all _ _ |- _ => rewrite (@sub_cond R r G K env c0 (ind r) know H) by (intros x lt; reflexivity) end.
      pose proof (env_assume c0 ok) as ok'.
      destruct (holds (positions env) c0); [eapply IH1 | eapply IH2]; eauto using env_knows_assume.
    - (* let *)
      match goal with H : ty G e _ |- _ => pose proof H as Te end.
      match goal with H : ty (bind _ _) f _ |- _ => refine (IHf _ _ _ _ r _ p t c H _ _ inside st lf E) end.
      + apply env_bind; [exact ok |]. cbn. now apply (eval_has_type Te).
      + apply env_knows_bind; [| exact know]. now apply (@right_reads e G d0 K R r env IH Te ok know).
  Qed.
End CellsProof.
