(** * A gathered contribution is the sum of its points *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Forms kernel.FormsProof.
From Calque Require Import kernel.Gradient kernel.SweepProof kernel.GatherForm.
From Calque Require Import kernel.LinProof kernel.SolveProof kernel.PutProof.
Import ListNotations.
Open Scope Z_scope.

(** ** Boxes *)

Lemma in_box_map {A} (f : A -> Z) (g : A -> nat) l :
  (forall t, In t l -> 0 <= f t < Z.of_nat (g t)) -> in_box (map g l) (map f l) = true.
Proof.
  induction l as [| t l IH]; intros H; simpl; [reflexivity |].
  rewrite IH by (intros u inu; apply H; now right).
  specialize (H t (or_introl eq_refl)). rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. lia.
Qed.

Lemma box_empty d : In O d -> box d = [].
Proof.
  induction d as [| n d IH]; simpl; [contradiction |]. intros [-> | H]; [reflexivity |].
  rewrite (IH H). induction (seq 0 n); simpl; auto.
Qed.

Lemma map_nth_seq (a y : list Z) : map (fun t => nth t (a ++ y) 0) (seq (length a) (length y)) = y.
Proof.
  revert a. induction y as [| z y IH]; intros a; [reflexivity |]. cbn [length seq map].
  rewrite app_nth2, Nat.sub_diag by lia. simpl. f_equal.
  specialize (IH (a ++ [z])). rewrite <- app_assoc, app_length in IH. simpl in IH.
  now rewrite Nat.add_1_r in IH.
Qed.

Lemma nth_map_seq (f : nat -> Z) s n t :
  (s <= t < s + n)%nat -> nth (t - s) (map f (seq s n)) 0 = f t.
Proof.
  intros H. rewrite (nth_indep _ 0 (f O)) by (rewrite map_length, seq_length; lia).
  rewrite map_nth. f_equal. rewrite seq_nth by lia. lia.
Qed.

Lemma nth_map_place_of {A} (f : nat -> A) d t l : In t l -> nth (place_of t l) (map f l) d = f t.
Proof.
  intros H. destruct (place_of_spec t l H) as [lt E].
  rewrite (nth_indep (map f l) d (f O)) by now rewrite map_length. now rewrite (map_nth f), E.
Qed.

Lemma map_place_of (v : list Z) l :
  NoDup l -> length v = length l -> map (fun t => nth (place_of t l) v 0) l = v.
Proof.
  intros once len. apply (nth_ext _ _ 0 0); rewrite map_length; [congruence |].
  intros i lt. rewrite (nth_indep _ 0 (nth (place_of O l) v 0)) by now rewrite map_length.
  rewrite (map_nth (fun t => nth (place_of t l) v 0)). now rewrite place_of_nth.
Qed.

Lemma dot_agree l : forall rho rho',
  (forall t, nth t l 0 <> 0 -> nth t rho 0 = nth t rho' 0) -> dot l rho = dot l rho'.
Proof.
  induction l as [| c l IH]; intros rho rho' H; [reflexivity |].
  assert (T : dot l (tl rho) = dot l (tl rho')).
  { apply IH. intros t ne. specialize (H (S t) ne). destruct rho, rho'; simpl in *; auto;
      destruct t; auto. }
  assert (H0 : c * nth 0 rho 0 = c * nth 0 rho' 0).
  { destruct (Z.eq_dec c 0) as [-> |]; [reflexivity |]. f_equal. now apply (H O). }
  destruct rho as [| z rho], rho' as [| z' rho']; cbn [dot tl nth] in *;
    replace (dot l []) with 0 in T by (now destruct l); lia.
Qed.

Lemma lin_val_agree rho rho' x :
  (forall t, coef x t <> 0 -> nth t rho 0 = nth t rho' 0) -> lin_val rho x = lin_val rho' x.
Proof. intros H. unfold lin_val. f_equal. now apply dot_agree. Qed.

Lemma terms_of_eval env cells kept k l : forall s rho,
  (forall i, nth i l 0 <> 0 -> nth (place cells kept (s + i)) env 0 = nth i rho 0) ->
  eval_form env (terms_of cells kept s l k) = k + dot l rho.
Proof.
  induction l as [| c l IH]; intros s rho H; cbn [terms_of].
  - simpl. ring.
  - rewrite add_term_eval. cbn [eval_atom].
    rewrite (IH (S s) (tl rho)).
    + assert (H0 : c * nth (place cells kept s) env 0 = c * nth 0 rho 0).
      { destruct (Z.eq_dec c 0) as [-> |]; [reflexivity |]. f_equal. rewrite <- (Nat.add_0_r s).
        now apply (H O). }
      rewrite H0. destruct rho as [| z rho]; cbn [dot tl nth]; [| ring].
      replace (dot l []) with 0 by (now destruct l). ring.
    + intros i ne. specialize (H (S i) ne). rewrite Nat.add_succ_r in H. simpl in H |- *.
      rewrite H. destruct rho; [now destruct i | reflexivity].
Qed.

Lemma terms_of_divides cells kept k l : forall s,
  divides_form (fun _ => true) (terms_of cells kept s l k) = true.
Proof.
  induction l as [| c l IH]; intros s; cbn [terms_of]; [reflexivity |].
  now apply divides_add_term.
Qed.

(** ** Guards *)

Definition condition_holds (env : list Z) (c : condition) : bool :=
  match c with
  | Multiple m x => lin_val env x mod m =? 0
  | AtLeast x => 0 <=? lin_val env x
  | Below x k => lin_val env x <? k
  | Null x => null env x
  end.

Lemma residue_coef m x t : coef (residue m x) t <> 0 -> coef x t <> 0.
Proof.
  unfold residue, coef. cbn [snd]. intros H E. apply H.
  set (r := fun c : Z => if c mod m =? 0 then 0 else c).
  destruct (Nat.lt_ge_cases t (length (snd x))).
  - rewrite (nth_indep _ 0 (r 0)) by now rewrite map_length.
    rewrite (map_nth r), E. unfold r. now destruct (_ =? _).
  - now rewrite nth_overflow by now rewrite map_length.
Qed.

Lemma residue_mod env m x : m <> 0 -> lin_val env (residue m x) mod m = lin_val env x mod m.
Proof.
  intros ne. unfold residue, lin_val. cbn [fst snd].
  set (r := fun c : Z => if c mod m =? 0 then 0 else c).
  change (if fst x mod m =? 0 then 0 else fst x) with (r (fst x)).
  assert (one : forall c, r c mod m = c mod m).
  { intros c. unfold r. destruct (Z.eqb_spec (c mod m) 0) as [-> |]; [now apply Z.mod_0_l | reflexivity]. }
  assert (all : forall l env, dot (map r l) env mod m = dot l env mod m).
  { induction l as [| c l IH]; intros [| z e]; cbn [map dot]; try reflexivity.
    rewrite Zplus_mod, IH, Zmult_mod, one, <- Zmult_mod, <- Zplus_mod. reflexivity. }
  rewrite Zplus_mod, all, one, <- Zplus_mod. reflexivity.
Qed.

Lemma same_multiple_holds env c d :
  same_multiple c d = true -> (match c with Multiple m _ => m <> 0 | _ => True end) ->
  condition_holds env c = condition_holds env d.
Proof.
  destruct c as [m x | | |], d as [n y | | |]; try discriminate. simpl.
  rewrite andb_true_iff, Z.eqb_eq. intros [<- H] ne. apply orb_true_iff in H.
  assert (E : (lin_val env x - lin_val env y) mod m = 0 \/ (lin_val env x + lin_val env y) mod m = 0).
  { destruct H as [H | H]; [left | right]; apply (lin_eqb_val env) in H; rewrite nil_val in H;
      apply (f_equal (fun z => z mod m)) in H; rewrite residue_mod, mix_val, Z.mod_0_l in H by exact ne;
      rewrite <- H; f_equal; ring. }
  apply eq_true_iff_eq. rewrite !Z.eqb_eq, !Z.mod_divide by exact ne.
  rewrite !Z.mod_divide in E by exact ne.
  assert (EX : lin_val env x = (lin_val env x - lin_val env y) + lin_val env y) by ring.
  assert (EX' : lin_val env x = (lin_val env x + lin_val env y) + - lin_val env y) by ring.
  assert (EY : lin_val env y = lin_val env x + - (lin_val env x - lin_val env y)) by ring.
  assert (EY' : lin_val env y = (lin_val env x + lin_val env y) + - lin_val env x) by ring.
  destruct E as [E | E]; split; intros D.
  - rewrite EY. apply Z.divide_add_r; [exact D | now apply Z.divide_opp_r].
  - rewrite EX. now apply Z.divide_add_r.
  - rewrite EY'. apply Z.divide_add_r; [exact E | now apply Z.divide_opp_r].
  - rewrite EX'. apply Z.divide_add_r; [exact E | now apply Z.divide_opp_r].
Qed.

Definition proper (c : condition) : Prop := match c with Multiple m _ => m <> 0 | _ => True end.

Lemma without_repeats_holds env l : forall seen, (forall c, In c l -> proper c) ->
  forallb (condition_holds env) (without_repeats seen l) && forallb (condition_holds env) seen =
  forallb (condition_holds env) l && forallb (condition_holds env) seen.
Proof.
  induction l as [| c l IH]; intros seen ok; [reflexivity |]. cbn [without_repeats].
  assert (ok' : forall c, In c l -> proper c) by (intros d ind; apply ok; now right).
  destruct (existsb (same_multiple c) seen) eqn:E.
  - rewrite IH by exact ok'. cbn [forallb]. apply existsb_exists in E as (d & ind & E).
    apply (same_multiple_holds env) in E; [| apply (ok c); now left].
    destruct (forallb (condition_holds env) seen) eqn:S; [| now rewrite !andb_false_r].
    rewrite forallb_forall in S. now rewrite E, (S d ind).
  - cbn [forallb]. specialize (IH (c :: seen) ok'). cbn [forallb] in IH.
    destruct (condition_holds env c); [| reflexivity]. cbn [andb] in *. exact IH.
Qed.

Lemma surely_holds ext env c :
  in_box ext env = true -> surely ext c = true -> condition_holds env c = true.
Proof.
  intros inn. destruct c as [m x | x | x k | x]; cbn [surely condition_holds].
  - intros E. rewrite (lin_eqb_val env _ _ E), nil_val. apply Z.eqb_eq. apply Zmod_0_l.
  - pose proof (span_lin_sound ext env x inn) as B. unfold within_span in B.
    rewrite !Z.leb_le. lia.
  - pose proof (span_lin_sound ext env x inn) as B. unfold within_span in B.
    rewrite !Z.ltb_lt. lia.
  - pose proof (span_lin_sound ext env x inn) as B. destruct (span_lin ext x) as [l h].
    unfold within_span in B. simpl in B. unfold null. rewrite andb_true_iff, !Z.eqb_eq. lia.
Qed.

Lemma find_removed_once l t x m :
  NoDup (map slot_of l) -> In (t, x, m) l -> find_removed t l = Some (x, m).
Proof.
  induction l as [| [[u y] k] l IH]; intros once ini; [contradiction |].
  inversion once as [| ? ? notin once']; subst. cbn [find_removed].
  destruct ini as [E | ini].
  - injection E as -> -> ->. now rewrite Nat.eqb_refl.
  - destruct (Nat.eqb_spec t u) as [-> |]; [| now apply IH].
    exfalso. apply notin. apply in_map_iff. exists (u, x, m). auto.
Qed.

Lemma find_removed_in l t x m : find_removed t l = Some (x, m) -> In (t, x, m) l.
Proof.
  induction l as [| [[u y] k] l IH]; simpl; [discriminate |].
  destruct (Nat.eqb_spec t u) as [-> |]; [| auto]. intros H. injection H as -> ->. now left.
Qed.

Lemma find_removed_none l t : find_removed t l = None -> ~ In t (map slot_of l).
Proof.
  induction l as [| [[u y] k] l IH]; simpl; [tauto |].
  destruct (Nat.eqb_spec t u) as [-> | ne]; [discriminate |]. intros H [E | ini].
  - now apply ne.
  - now apply IH.
Qed.

(** ** The sum over what is left *)

Section Final.
  Variable F : field.
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Notation "0r" := (Sums.r0 G).
  Notation sum := (@sum G _).

  Lemma sum_graph {A B} (eqA : A -> A -> bool) (L : list A) (M : list B) (P : A -> bool) (C : B -> bool)
      (f : A -> R) (g : B -> A) (h : A -> B) (eqB : B -> B -> bool) :
    (forall a b, reflect (a = b) (eqA a b)) -> (forall a b, reflect (a = b) (eqB a b)) ->
    NoDup L -> NoDup M ->
    (forall y, In y L -> P y = true -> In (h y) M /\ C (h y) = true /\ g (h y) = y) ->
    (forall v, In v M -> C v = true -> In (g v) L /\ P (g v) = true /\ h (g v) = v) ->
    sum (fun y => if P y then f y else 0r) L = sum (fun v => if C v then f (g v) else 0r) M.
  Proof.
    intros eqA_ eqB_ onceL onceM HA HB.
    transitivity (sum (fun y => sum (fun v => if P y && C v && eqB (h y) v then f y else 0r) M) L).
    - apply sum_ext. intros y iny. destruct (P y) eqn:Py.
      + destruct (HA y iny Py) as (inh & Ch & _). symmetry.
        transitivity (sum (fun v => if eqB (h y) v then f y else 0r) M);
          [| now apply (sum_pick G eqB (fun _ => f y) M (h y))].
        apply sum_ext. intros v inv. cbn [andb]. destruct (eqB_ (h y) v) as [<- |].
        * now rewrite Ch.
        * now rewrite andb_false_r.
      + symmetry. apply sum_zero. reflexivity.
    - rewrite sum_swap. apply sum_ext. intros v inv. destruct (C v) eqn:Cv.
      + destruct (HB v inv Cv) as (ing & Pg & hg).
        transitivity (sum (fun y => if eqA (g v) y then f y else 0r) L);
          [| now apply (sum_pick G eqA f L (g v))].
        apply sum_ext. intros y iny. rewrite andb_true_r.
        destruct (eqA_ (g v) y) as [<- | ne].
        * rewrite Pg, hg. destruct (eqB_ v v); [reflexivity | contradiction].
        * destruct (P y) eqn:Py; [| reflexivity]. cbn [andb].
          destruct (eqB_ (h y) v) as [E |]; [| reflexivity]. exfalso. apply ne. rewrite <- E.
          now destruct (HA y iny Py) as (_ & _ & ->).
      + apply sum_zero. intros y _. now rewrite andb_false_r.
  Qed.

  Variable cell ys : list nat.
  Variable a : list Z.
  Hypothesis a_in : in_box cell a = true.
  Notation cells := (length cell).
  Notation sl := (cell ++ ys).
  Variable start : list nat.
  Hypothesis start_seq : forall t, In t start -> (cells <= t < length sl)%nat.
  Hypothesis narrow : forall t, (cells <= t < length sl)%nat -> ~ In t start -> (nth t sl O <= 1)%nat.
  Hypothesis positive : forall t, (cells <= t < length sl)%nat -> (0 < nth t sl O)%nat.
  Variable S : solution.
  Hypothesis ok : sound cells start S.
  Notation kept := (alive S).

  Definition kept_extents : list nat := map (fun t => nth t sl O) kept.

  (** The slots when those that are left have the values [v], the others 0. *)
  Definition base_env (v : list Z) : list Z :=
    a ++ map (fun t => if existsb (Nat.eqb t) kept then nth (place_of t kept) v 0 else 0)
             (seq cells (length ys)).

  (** The slots with what those that are gone have become. *)
  Definition full_env (v : list Z) : list Z :=
    a ++ map (fun t => eval_ix (v ++ a) (slot_ix cells kept (gone S) t)) (seq cells (length ys)).

  Definition in_range (v : list Z) (g : removed) : bool :=
    let '(s, x, m) := g in
    let z := lin_val (base_env v) x in
    (z mod m =? 0) && (0 <=? z) && (z <? (Z.of_nat (nth s sl O) - 1) * m + 1).

  Lemma length_a : length a = cells.
  Proof. exact (in_box_length _ _ a_in). Qed.

  Lemma kept_slots t : In t kept -> (cells <= t < length sl)%nat.
  Proof. intros H. apply start_seq, (all_slots _ _ _ ok). now left. Qed.

  Lemma existsb_kept t : existsb (Nat.eqb t) kept = true <-> In t kept.
  Proof.
    rewrite existsb_exists. split.
    - intros (u & inu & E). apply Nat.eqb_eq in E. now subst.
    - intros H. exists t. now rewrite Nat.eqb_refl.
  Qed.

  Lemma base_env_kept v t : In t kept -> nth t (base_env v) 0 = nth (place_of t kept) v 0.
  Proof.
    intros H. pose proof (kept_slots t H) as B. unfold base_env.
    rewrite app_nth2 by (rewrite length_a; lia). rewrite length_a.
    rewrite app_length in B. rewrite nth_map_seq by lia.
    now rewrite (proj2 (existsb_kept t) H).
  Qed.

  Lemma base_env_cell v t : (t < cells)%nat -> nth t (base_env v) 0 = nth t a 0.
  Proof. intros lt. unfold base_env. now rewrite app_nth1 by (rewrite length_a; lia). Qed.

  Lemma agree_open env v x :
    supported_by (open_slot cells S) x ->
    (forall t, (t < cells)%nat -> nth t env 0 = nth t a 0) ->
    (forall t, In t kept -> nth t env 0 = nth (place_of t kept) v 0) ->
    lin_val env x = lin_val (base_env v) x.
  Proof.
    intros X C Kp. apply lin_val_agree. intros t ne. specialize (X t ne). unfold open_slot in X.
    apply orb_true_iff in X as [lt | ink].
    - apply Nat.ltb_lt in lt. now rewrite base_env_cell, C.
    - apply existsb_kept in ink. now rewrite base_env_kept, Kp.
  Qed.

  Lemma lin_ix_eval v x :
    length v = length kept -> supported_by (open_slot cells S) x ->
    eval_ix (v ++ a) (lin_ix cells kept x) = lin_val (base_env v) x.
  Proof.
    intros len X. unfold lin_ix. rewrite form_ix_eval.
    rewrite (terms_of_eval _ _ _ _ _ 0 (base_env v)); [reflexivity |].
    intros t ne. simpl. specialize (X t ne). unfold open_slot in X. unfold place.
    destruct (Nat.ltb_spec t cells) as [lt | ge].
    - rewrite app_nth2 by lia. rewrite base_env_cell by exact lt. f_equal. lia.
    - cbn [orb] in X. apply existsb_kept in X. rewrite base_env_kept by exact X.
      apply app_nth1. rewrite len. now apply place_of_spec.
  Qed.

  Lemma slot_ix_eval v t :
    length v = length kept -> (cells <= t)%nat ->
    eval_ix (v ++ a) (slot_ix cells kept (gone S) t) =
    match find_removed t (gone S) with
    | Some (x, m) => lin_val (base_env v) x / m
    | None => if existsb (Nat.eqb t) kept then nth (place_of t kept) v 0 else 0
    end.
  Proof.
    intros len ge. unfold slot_ix.
    destruct (find_removed t (gone S)) as [[x m] |] eqn:E.
    - apply find_removed_in in E. apply (gone_open _ _ _ ok) in E as (pos & X & _ & _).
      destruct (Z.eqb_spec m 1) as [-> |]; cbn [eval_ix]; rewrite lin_ix_eval by assumption;
        [now rewrite Z.div_1_r | reflexivity].
    - destruct (Nat.ltb_spec t cells); [lia |]. cbn [orb].
      destruct (existsb (Nat.eqb t) kept) eqn:here; [| reflexivity]. apply existsb_kept in here.
      cbn [eval_ix]. unfold place. destruct (Nat.ltb_spec t cells); [lia |].
      apply app_nth1. rewrite len. now apply place_of_spec.
  Qed.

  Lemma full_env_nth v t :
    length v = length kept -> (cells <= t < length sl)%nat ->
    nth t (full_env v) 0 =
    match find_removed t (gone S) with
    | Some (x, m) => lin_val (base_env v) x / m
    | None => if existsb (Nat.eqb t) kept then nth (place_of t kept) v 0 else 0
    end.
  Proof.
    intros len B. unfold full_env. rewrite app_nth2 by (rewrite length_a; lia). rewrite length_a.
    rewrite app_length in B. rewrite nth_map_seq by lia. apply slot_ix_eval; [exact len | lia].
  Qed.

  Lemma kept_not_gone t : In t kept -> find_removed t (gone S) = None.
  Proof.
    intros H. destruct (find_removed t (gone S)) as [[x m] |] eqn:E; [| reflexivity].
    apply find_removed_in in E. apply (gone_open _ _ _ ok) in E as (_ & _ & no & _). contradiction.
  Qed.

  Lemma full_env_kept v t :
    length v = length kept -> In t kept -> nth t (full_env v) 0 = nth (place_of t kept) v 0.
  Proof.
    intros len H. rewrite full_env_nth by (exact len || now apply kept_slots).
    rewrite kept_not_gone by exact H. now rewrite (proj2 (existsb_kept t) H).
  Qed.

  Lemma full_env_cell v t : (t < cells)%nat -> nth t (full_env v) 0 = nth t a 0.
  Proof. intros lt. unfold full_env. now rewrite app_nth1 by (rewrite length_a; lia). Qed.

  Lemma gone_slots t x m : In (t, x, m) (gone S) -> (cells <= t < length sl)%nat.
  Proof.
    intros H. apply start_seq, (all_slots _ _ _ ok). right. apply in_map_iff. exists (t, x, m). auto.
  Qed.

  Lemma ys_extents : ys = map (fun t => nth t sl O) (seq cells (length ys)).
  Proof.
    clear. revert cell. induction ys as [| n l IH]; intros cell; [reflexivity |]. cbn [length seq map].
    rewrite app_nth2, Nat.sub_diag by lia. simpl. f_equal.
    specialize (IH (cell ++ [n])). rewrite <- app_assoc, app_length in IH. simpl in IH.
    now rewrite Nat.add_1_r in IH.
  Qed.

  Lemma base_env_in v : in_box kept_extents v = true -> in_box sl (base_env v) = true.
  Proof.
    intros inv. unfold base_env. rewrite in_box_app by exact length_a. rewrite a_in. cbn [andb].
    rewrite ys_extents at 1. apply in_box_map. intros t int_. apply in_seq in int_.
    assert (B : (cells <= t < length sl)%nat) by (rewrite app_length; lia).
    destruct (existsb (Nat.eqb t) kept) eqn:here; [| pose proof (positive t B); lia].
    apply existsb_kept in here. destruct (place_of_spec t kept here) as [lt _].
    pose proof (in_box_nth_range _ _ (place_of t kept) inv) as range. unfold kept_extents in range.
    rewrite map_length, nth_map_place_of in range by exact here. exact (range lt).
  Qed.

  Definition fill (v : list Z) : list Z :=
    map (fun t => eval_ix (v ++ a) (slot_ix cells kept (gone S) t)) (seq cells (length ys)).

  Definition pick_kept (y : list Z) : list Z := map (fun t => nth t (a ++ y) 0) kept.

  Theorem sum_kept (f : list Z -> R) :
    sum (fun y => if forallb (gone_ok (a ++ y)) (gone S) then f (a ++ y) else 0r) (box ys) =
    sum (fun v => if forallb (in_range v) (gone S) then f (full_env v) else 0r) (box kept_extents).
  Proof.
    change (sum (fun v => if forallb (in_range v) (gone S) then f (full_env v) else 0r) (box kept_extents))
      with (sum (fun v => if forallb (in_range v) (gone S) then (fun y => f (a ++ y)) (fill v) else 0r)
              (box kept_extents)).
    apply (sum_graph tuple_eqb (box ys) (box kept_extents) (fun y => forallb (gone_ok (a ++ y)) (gone S))
             _ (fun y => f (a ++ y)) fill pick_kept tuple_eqb);
      try apply tuple_eqb_spec; try apply box_nodup.
    - intros y iny P. rewrite forallb_forall in P. apply in_box_box in iny.
      assert (all : in_box sl (a ++ y) = true).
      { rewrite in_box_app by exact length_a. now rewrite a_in, iny. }
      assert (len : length (pick_kept y) = length kept) by apply map_length.
      assert (at_kept : forall t, In t kept -> nth t (a ++ y) 0 = nth (place_of t kept) (pick_kept y) 0).
      { intros t int_. unfold pick_kept. now rewrite (nth_map_place_of (fun t => nth t (a ++ y) 0)). }
      assert (at_gone : forall t x m, In (t, x, m) (gone S) ->
                lin_val (base_env (pick_kept y)) x = m * nth t (a ++ y) 0).
      { intros t x m ini. pose proof (P _ ini) as E. apply Z.eqb_eq in E. rewrite E. symmetry.
        apply (gone_open _ _ _ ok) in ini as (_ & X & _ & _). apply agree_open; [exact X | | exact at_kept].
        intros u lt. apply app_nth1. now rewrite length_a. }
      repeat split.
      + apply in_box_box. apply in_box_map. intros t int_.
        apply in_box_nth_range; [exact all | now apply kept_slots].
      + apply forallb_forall. intros [[t x] m] ini. unfold in_range.
        rewrite (at_gone t x m ini). pose proof (in_box_nth_range _ _ t all (proj2 (gone_slots t x m ini))).
        apply (gone_open _ _ _ ok) in ini as (pos & _ & _ & _).
        rewrite !andb_true_iff, Z.eqb_eq, Z.leb_le, Z.ltb_lt.
        rewrite Z.mul_comm, Z.mod_mul by lia. nia.
      + unfold fill. transitivity (map (fun t => nth t (a ++ y) 0) (seq (length a) (length y)));
          [| apply map_nth_seq]. rewrite length_a, (in_box_length _ _ iny).
        apply map_ext_in. intros t int_. apply in_seq in int_.
        rewrite slot_ix_eval by (exact len || lia).
        destruct (find_removed t (gone S)) as [[x m] |] eqn:E.
        * apply find_removed_in in E. rewrite (at_gone t x m E).
          apply (gone_open _ _ _ ok) in E as (pos & _ & _ & _).
          rewrite Z.mul_comm, Z.div_mul by lia. reflexivity.
        * destruct (existsb (Nat.eqb t) kept) eqn:H; [apply existsb_kept in H; now rewrite at_kept |].
          assert (B : (cells <= t < length sl)%nat) by (rewrite app_length; lia).
          pose proof (in_box_nth_range _ _ t all (proj2 B)) as R0.
          enough (nth t sl O <= 1)%nat by lia. apply narrow; [exact B |].
          rewrite (all_slots _ _ _ ok). intros [ink | ing].
          -- apply existsb_kept in ink. congruence.
          -- now apply find_removed_none in E.
    - intros v inv C. rewrite forallb_forall in C. apply in_box_box in inv.
      assert (len : length v = length kept).
      { rewrite (in_box_length _ _ inv). apply map_length. }
      assert (range : forall t x m, In (t, x, m) (gone S) ->
        0 < m /\ lin_val (base_env v) x = m * (lin_val (base_env v) x / m) /\
        0 <= lin_val (base_env v) x / m < Z.of_nat (nth t sl O)).
      { intros t x m ini. pose proof (C _ ini) as I. unfold in_range in I.
        apply (gone_open _ _ _ ok) in ini as (pos & _ & _ & _).
        rewrite !andb_true_iff, Z.eqb_eq, Z.leb_le, Z.ltb_lt in I. destruct I as [[I0 I1] I2].
        set (z := lin_val (base_env v) x) in *. pose proof (Z.div_mod z m ltac:(lia)) as E.
        split; [exact pos |]. split; [lia |]. split; [apply Z.div_pos; lia |]. nia. }
      pose proof (base_env_in v inv) as base_in.
      repeat split.
      + apply in_box_box. unfold fill. rewrite ys_extents at 1. apply in_box_map. intros t int_.
        apply in_seq in int_.
        assert (B : (cells <= t < length sl)%nat) by (rewrite app_length; lia).
        rewrite slot_ix_eval by (exact len || lia).
        destruct (find_removed t (gone S)) as [[x m] |] eqn:E.
        * apply find_removed_in in E. apply range in E. tauto.
        * destruct (existsb (Nat.eqb t) kept) eqn:H.
          -- apply existsb_kept in H. rewrite <- base_env_kept by exact H.
             now apply in_box_nth_range.
          -- pose proof (positive t B). lia.
      + apply forallb_forall. intros [[t x] m] ini. unfold gone_ok.
        change (a ++ fill v) with (full_env v).
        pose proof (gone_slots t x m ini) as B.
        rewrite full_env_nth by assumption.
        rewrite (find_removed_once _ t x m (gone_once _ _ _ ok) ini).
        apply Z.eqb_eq. destruct (range t x m ini) as (pos & E & _). rewrite <- E. symmetry.
        apply (gone_open _ _ _ ok) in ini as (_ & X & _ & _).
        apply agree_open; [exact X | intros; now apply full_env_cell | intros; now apply full_env_kept].
      + unfold pick_kept. change (a ++ fill v) with (full_env v).
        transitivity (map (fun t => nth (place_of t kept) v 0) kept);
          [| exact (map_place_of v kept (alive_once _ _ _ ok) len)].
        apply map_ext_in. intros t int_. now apply full_env_kept.
  Qed.

  (** The guards of the result say just this, and that what is left of the equations holds. *)
  Lemma condition_of_holds v q :
    length v = length kept ->
    (match q with Multiple _ x | AtLeast x | Below x _ | Null x => supported_by (open_slot cells S) x end) ->
    holds_comparison (v ++ a) (condition_of cells kept q) = condition_holds (base_env v) q.
  Proof.
    intros len X. unfold holds_comparison.
    destruct q; cbn [condition_of compare eval_cond eval_cmp eval_ix condition_holds];
      rewrite lin_ix_eval by assumption; reflexivity.
  Qed.

  Theorem guards_of_hold v :
    in_box kept_extents v = true ->
    forallb (holds_comparison (v ++ a)) (map (condition_of cells kept) (guards_of sl S)) =
    forallb (in_range v) (gone S) && forallb (null (full_env v)) (rest S).
  Proof.
    intros inv.
    assert (len : length v = length kept).
    { rewrite (in_box_length _ _ inv). apply map_length. }
    set (all := flat_map (range_guards sl) (gone S) ++ map Null (rest S)).
    assert (sup : forall q, In q all ->
      match q with Multiple _ x | AtLeast x | Below x _ | Null x => supported_by (open_slot cells S) x end /\
      proper q).
    { intros q inq. apply in_app_iff in inq as [inq | inq].
      - apply in_flat_map in inq as ([[t x] m] & ini & inq).
        apply (gone_open _ _ _ ok) in ini as (pos & X & _ & _). unfold range_guards in inq.
        destruct inq as [<- | [<- | [<- | []]]]; simpl; auto. split; [| lia].
        intros u H. apply X. now apply residue_coef in H.
      - apply in_map_iff in inq as (x & <- & inx). split; [now apply (rest_open _ _ _ ok) | exact I]. }
    assert (incl_ : forall q, In q (guards_of sl S) -> In q all).
    { unfold guards_of. fold all. intros q inq.
      assert (H : forall l seen, In q (without_repeats seen l) -> In q l).
      { induction l as [| c l IH]; intros seen H; simpl in *; [contradiction |].
        destruct (existsb _ _); [right; eapply IH, H |]. destruct H as [-> | H]; [now left |].
        right. eapply IH, H. }
      apply H in inq. now apply filter_In in inq as []. }
    rewrite forallb_map.
    transitivity (forallb (condition_holds (base_env v)) (guards_of sl S)).
    { revert incl_. generalize (guards_of sl S). intros l incl_.
      induction l as [| q l IH]; [reflexivity |]. cbn [forallb].
      rewrite IH by (intros; apply incl_; now right).
      rewrite condition_of_holds; [reflexivity | exact len |].
      apply sup, incl_. now left. }
    unfold guards_of. fold all.
    transitivity (forallb (condition_holds (base_env v)) (filter (fun c => negb (surely sl c)) all)).
    { pose proof (without_repeats_holds (base_env v) (filter (fun c => negb (surely sl c)) all) []) as W.
      cbn [forallb] in W. rewrite !andb_true_r in W. apply W.
      intros c inc. apply filter_In in inc as [inc _]. now apply sup. }
    rewrite (forallb_filter_true (condition_holds (base_env v)) (surely sl)).
    2: { intros c _. apply surely_holds. now apply base_env_in. }
    unfold all. rewrite forallb_app, forallb_map. f_equal.
    - assert (pos : forall t x m, In (t, x, m) (gone S) -> 0 < m)
        by (intros t x m ini; now apply (gone_open _ _ _ ok) in ini).
      revert pos. generalize (gone S). intros l pos.
      induction l as [| [[t x] m] l IH]; [reflexivity |]. cbn [flat_map forallb].
      rewrite forallb_app, IH by (intros; eapply pos; right; eassumption). f_equal.
      unfold range_guards, in_range. cbn [forallb condition_holds].
      rewrite residue_mod by (specialize (pos t x m (or_introl eq_refl)); lia).
      now rewrite andb_true_r, andb_assoc.
    - assert (X : forall x, In x (rest S) -> supported_by (open_slot cells S) x)
        by apply (rest_open _ _ _ ok).
      revert X. generalize (rest S). intros l X.
      induction l as [| x l IH]; [reflexivity |]. cbn [forallb].
      rewrite IH by (intros; apply X; now right). f_equal. cbn [condition_holds]. unfold null. f_equal.
      symmetry. apply agree_open; [apply X; now left | intros; now apply full_env_cell |
        intros; now apply full_env_kept].
  Qed.
End Final.
