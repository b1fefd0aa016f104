(** * Merged statements that are accepted run as the plain ones *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat emit.Statements.
From Calque Require kernel.Kernel.
Import ListNotations.
Set Implicit Arguments.

Section StatementsProof.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation cindex := (cindex N). Notation ccond := (ccond N). Notation fexp := (fexp A N).
  Notation fstm := (fstm A N). Notation store := (fstore A). Notation mstm := (mstm A N).
  Notation view := (view (N := N)). Notation facts := (facts (N := N)).

  (** ** Loops *)

  Lemma iter_app j k f : forall a (m : store),
    iter (j + k) a f m = obind (iter j a f m) (iter k (a + Z.of_nat j)%Z f).
  Proof.
    induction j as [| j IH]; intros a m; cbn [iter Nat.add].
    - cbn. now rewrite Z.add_0_r.
    - destruct (f a m) as [m1 |]; cbn [obind]; [| reflexivity]. rewrite IH.
      now replace (a + 1 + Z.of_nat j)%Z with (a + Z.of_nat (S j))%Z by lia.
  Qed.

  Lemma ffor_iter n f (m : store) : ffor n f m = iter n 0%Z (fun z => f (Z.to_nat z)) m.
  Proof.
    revert m. induction n as [| n IH]; intros m; [reflexivity |]. cbn [ffor].
    replace (S n) with (n + 1) by lia. rewrite iter_app, IH.
    destruct (iter n 0 (fun z => f (Z.to_nat z)) m) as [m1 |]; cbn [obind iter]; [| reflexivity].
    rewrite Z.add_0_l, Nat2Z.id. now destruct (f n m1).
  Qed.

  Lemma iter_idle k f : forall a (m : store),
    (forall i m, (a <= i < a + Z.of_nat k)%Z -> f i m = Some m) -> iter k a f m = Some m.
  Proof.
    induction k as [| k IH]; intros a m idle; [reflexivity |]. cbn [iter].
    rewrite idle by lia. cbn [obind]. apply IH. intros i m1 Hi. apply idle. lia.
  Qed.

  Lemma iter_same k f g : forall a (m m' : store),
    (forall i m m', (a <= i < a + Z.of_nat k)%Z -> f i m = Some m' -> g i m = Some m') ->
    iter k a f m = Some m' -> iter k a g m = Some m'.
  Proof.
    induction k as [| k IH]; intros a m m' same E; [exact E |]. cbn [iter] in *.
    destruct (f a m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
    rewrite (same a m m1 ltac:(lia) E1). cbn [obind]. apply IH; [| exact E].
    intros i m2 m3 Hi. apply same. lia.
  Qed.

  (** Iterations beyond bounds do nothing, so a loop within them does the same. *)
  Lemma iter_narrow lo h a z f g (m m' : store) : (lo <= a)%Z -> (z <= h)%Z ->
    (forall i m m', (lo <= i < h)%Z -> f i m = Some m' ->
       ((a <= i < z)%Z -> g i m = Some m') /\ (~ (a <= i < z)%Z -> m' = m)) ->
    iter (Z.to_nat (h - lo)) lo f m = Some m' -> iter (Z.to_nat (z - a)) a g m = Some m'.
  Proof.
    intros la zh each E.
    set (g' := fun i m => if ((a <=? i) && (i <? z))%Z then g i m else Some m).
    assert (E' : iter (Z.to_nat (h - lo)) lo g' m = Some m').
    { eapply iter_same; [| exact E]. intros i m1 m2 Hi F. destruct (each i m1 m2 ltac:(lia) F) as [inside outside].
      unfold g'. destruct (Z.leb_spec a i), (Z.ltb_spec i z); cbn [andb]; try (apply inside; lia);
        f_equal; symmetry; apply outside; lia. }
    clear E each.
    destruct (Z.le_gt_cases z a) as [za | az].
    - replace (Z.to_nat (z - a)) with 0 by lia. cbn [iter].
      rewrite iter_idle in E'; [exact E' |]. intros i m1 Hi. unfold g'.
      destruct (Z.leb_spec a i), (Z.ltb_spec i z); cbn [andb]; auto; lia.
    - replace (Z.to_nat (h - lo)) with (Z.to_nat (a - lo) + (Z.to_nat (z - a) + Z.to_nat (h - z))) in E' by lia.
      rewrite iter_app, (@iter_idle (Z.to_nat (a - lo))) in E'.
      2: { intros i m1 Hi. unfold g'. destruct (Z.leb_spec a i), (Z.ltb_spec i z); cbn [andb]; auto; lia. }
      cbn [obind] in E'. rewrite iter_app in E'.
      replace (lo + Z.of_nat (Z.to_nat (a - lo)))%Z with a in E' by lia.
      destruct (iter (Z.to_nat (z - a)) a g' m) as [m1 |] eqn:E1; cbn [obind] in E'; [| discriminate].
      rewrite iter_idle in E'.
      + injection E' as ->. eapply iter_same; [| exact E1]. intros i m2 m3 Hi. unfold g'.
        destruct (Z.leb_spec a i), (Z.ltb_spec i z); cbn [andb]; auto; lia.
      + intros i m2 Hi. unfold g'. destruct (Z.leb_spec a i), (Z.ltb_spec i z); cbn [andb]; auto; lia.
  Qed.

  (** ** Indices and conditions *)

  Definition agrees (g : view) (p q : ienv) : Prop := forall l x, lookup g l = Some x -> kev q x = Some (p l).

  Lemma apply_right g p q : agrees g p q -> forall k x, apply g k = Some x -> kev q x = kev p k.
  Proof.
    intros ag. induction k; intros x E; cbn [apply] in E.
    - now apply ag in E.
    - now injection E as <-.
    - now injection E as <-.
    - destruct (apply g k1), (apply g k2); cbn in E; try discriminate. injection E as <-. cbn [kev].
      now rewrite (IHk1 _ eq_refl), (IHk2 _ eq_refl).
    - destruct (apply g k1), (apply g k2); cbn in E; try discriminate. injection E as <-. cbn [kev].
      now rewrite (IHk1 _ eq_refl), (IHk2 _ eq_refl).
    - destruct (apply g k1), (apply g k2); cbn in E; try discriminate. injection E as <-. cbn [kev].
      now rewrite (IHk1 _ eq_refl), (IHk2 _ eq_refl).
    - destruct (apply g k1), (apply g k2); cbn in E; try discriminate. injection E as <-. cbn [kev].
      now rewrite (IHk1 _ eq_refl), (IHk2 _ eq_refl).
    - destruct (apply g k1), (apply g k2); cbn in E; try discriminate. injection E as <-. cbn [kev].
      now rewrite (IHk1 _ eq_refl), (IHk2 _ eq_refl).
    - destruct (apply g k1), (apply g k2); cbn in E; try discriminate. injection E as <-. cbn [kev].
      now rewrite (IHk1 _ eq_refl), (IHk2 _ eq_refl).
    - destruct (apply g k1), (apply g k2); cbn in E; try discriminate. injection E as <-. cbn [kev].
      now rewrite (IHk1 _ eq_refl), (IHk2 _ eq_refl).
  Qed.

  Lemma apply_cond_right g p q : agrees g p q -> forall c x, apply_cond g c = Some x -> kholds q x = kholds p c.
  Proof.
    intros ag. induction c as [o a b | c IHc d IHd]; intros x E; cbn [apply_cond] in E.
    - destruct (apply g a) as [a' |] eqn:Ea, (apply g b) as [b' |] eqn:Eb; try discriminate. injection E as <-.
      cbn [kholds]. now rewrite (apply_right ag _ Ea), (apply_right ag _ Eb).
    - destruct (apply_cond g c), (apply_cond g d); try discriminate. injection E as <-.
      cbn [kholds]. now rewrite (IHc _ eq_refl), (IHd _ eq_refl).
  Qed.

  Lemma kev_occurs q v z k : occurs v k = false -> kev (upz q v z) k = kev q k.
  Proof.
    induction k as [l | | | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb];
      cbn [occurs kev]; intros E; try (apply orb_false_elim in E as [Ea Eb]; now rewrite (IHa Ea), (IHb Eb)); auto.
    unfold upz. now rewrite E.
  Qed.

  Lemma kholds_occurs q v z c : occurs_cond v c = false -> kholds (upz q v z) c = kholds q c.
  Proof.
    induction c as [o a b | c IHc d IHd]; cbn [occurs_cond kholds]; intros E; apply orb_false_elim in E as [Ea Eb].
    - now rewrite !kev_occurs.
    - now rewrite (IHc Ea), (IHd Eb).
  Qed.

  (** ** Expressions *)

  Context (J : judge A N) (fairly : fair J).

  Lemma total_cond_right q (F : facts) c : known q F -> total_cond J F c = true -> exists h, kholds q c = Some h.
  Proof.
    intros K. induction c as [o a b | c IHc d IHd]; cbn [total_cond kholds]; intros E; apply andb_true_iff in E as [Ea Eb].
    - destruct (@total_right _ _ _ _ fairly q F a K Ea) as [x ->], (@total_right _ _ _ _ fairly q F b K Eb) as [y ->]. cbn. eauto.
    - destruct (IHc Ea) as [x ->]. cbn. destruct x; [auto | eauto].
  Qed.

  Lemma known_cons q (F : facts) c b : known q F -> kholds q c = Some b -> known q ((c, b) :: F).
  Proof. intros K E c' b' [H | H]; [injection H as <- <-; exact E | now apply K]. Qed.

  Lemma decided q (F : facts) c b h : known q F -> is (decide J F c) b = true -> kholds q c = Some h -> h = b.
  Proof.
    intros K D E. unfold is in D. destruct (decide J F c) as [x |] eqn:Ex; [| discriminate].
    apply eqb_prop in D. subst. exact (@decide_right _ _ _ _ fairly q F c b h K Ex E).
  Qed.

  Lemma same_place_right g p q (F : facts) k k' z : agrees g p q -> known q F -> same_place J F g k k' = true ->
    kev p k = Some z -> kev q k' = Some z.
  Proof.
    intros ag K S E. unfold same_place in S. destruct (apply g k) as [x |] eqn:Ex; [| discriminate].
    apply (@same_right _ _ _ _ fairly q F x k' z K S). now rewrite (apply_right ag _ Ex).
  Qed.

  Lemma natural_some (o : option Z) n : natural o = Some n -> exists z, o = Some z /\ natural (Some z) = Some n.
  Proof. destruct o as [z |]; [eauto | discriminate]. Qed.

  Lemma same_exp_right p q (m : store) g : agrees g p q -> forall e e' F x, known q F ->
    same_exp J F g e e' = true -> fev p m e = Some x -> fev q m e' = Some x.
  Proof.
    intros ag. induction e as [r k | c | o a IHa | o a IHa b IHb | c a IHa b IHb |]; intros e' F x K S E;
      cbn [same_exp] in S.
    - destruct e' as [r' k' | | | | |]; try discriminate. apply andb_true_iff in S as [Er Sk].
      apply Nat.eqb_eq in Er. subst r'. cbn [fev] in *.
      destruct (natural (kev p k)) as [o |] eqn:En; cbn [obind] in E; [| discriminate].
      destruct (natural_some _ En) as (z & Ez & Nz). rewrite (same_place_right _ _ ag K Sk Ez), Nz. exact E.
    - destruct e'; try discriminate. cbn [fev] in *. now rewrite <- (lit_right fairly _ _ S).
    - destruct e' as [| | o' a' | | |]; try discriminate. apply andb_true_iff in S as [So Sa].
      cbn [fev] in *. destruct (fev p m a) as [y |] eqn:Ea; cbn [obind] in E; [| discriminate].
      rewrite (IHa a' F y K Sa eq_refl). cbn [obind]. now rewrite <- (uop_right fairly _ _ _ So).
    - destruct e' as [| | | o' a' b' | |]; try discriminate. apply andb_true_iff in S as [So S].
      apply andb_true_iff in S as [Sa Sb]. cbn [fev] in *.
      destruct (fev p m a) as [y |] eqn:Ea; cbn [obind] in E; [| discriminate].
      destruct (fev p m b) as [z |] eqn:Eb; cbn [obind] in E; [| discriminate].
      rewrite (IHa a' F y K Sa eq_refl), (IHb b' F z K Sb eq_refl). cbn [obind].
      now rewrite <- (bop_right fairly _ _ _ _ So).
    - destruct (apply_cond g c) as [x' |] eqn:Ec; [| discriminate]. cbn [fev] in E.
      destruct (kholds p c) as [h |] eqn:Eh; cbn [obind] in E; [| discriminate].
      rewrite <- (apply_cond_right ag _ Ec) in Eh.
      destruct (decide J F x') as [d |] eqn:Ed.
      + assert (h = d) as -> by exact (@decide_right _ _ _ _ fairly q F x' d h K Ed Eh). destruct d; eauto.
      + destruct e' as [| | | | c' a' b' |]; try discriminate.
        apply andb_true_iff in S as [S Sab]. apply andb_true_iff in S as [S Sf]. apply andb_true_iff in S as [St Stt].
        apply andb_true_iff in Sab as [Sa Sb]. destruct (@total_cond_right q F c' K St) as [h' Eh']. cbn [fev]. rewrite Eh'.
        cbn [obind]. pose proof (known_cons K Eh') as K'. destruct h'.
        * assert (h = true) as -> by exact (decided _ _ K' Stt Eh). now apply (IHa a' _ x K' Sa).
        * assert (h = false) as -> by exact (decided _ _ K' Sf Eh). now apply (IHb b' _ x K' Sb).
    - discriminate.
  Qed.

  (** ** Statements *)

  Lemma mruns_cons q (c : mstm) l m : mruns q (c :: l) m = obind (mrun q c m) (mruns q l).
  Proof. reflexivity. Qed.
  Lemma mrun_block q r d (b : list mstm) m :
    mrun q (MBlock r d b) m = obind (mruns q b (falloc m r (cells d))) (fun m' => Some (leave m m' r)).
  Proof. reflexivity. Qed.
  Lemma mrun_if q c (a b : list mstm) m :
    mrun q (MIf c a b) m = obind (kholds q c) (fun h => if h then mruns q a m else mruns q b m).
  Proof. reflexivity. Qed.
  Lemma mrun_for q v lo hi low high (b : list mstm) m :
    mrun q (MFor v lo hi low high b) m =
    obind (bound Z.max q lo low) (fun a => obind (bound Z.min q hi high) (fun z =>
      iter (Z.to_nat (z - a)) a (fun i => mruns (upz q v i) b) m)).
  Proof. reflexivity. Qed.

  Lemma done_right (o : option (list mstm)) : done o = true -> o = Some [].
  Proof. destruct o as [[| c l] |]; (reflexivity || discriminate). Qed.

  (** The greatest, or least, of bounds that have values. *)
  Lemma bound_max q lo low : (forall k, In k low -> exists x, kev q k = Some x) ->
    exists a, bound Z.max q lo low = Some a /\ (lo <= a)%Z /\
    forall i, (lo <= i)%Z -> ((a <= i)%Z <-> forall k x, In k low -> kev q k = Some x -> (x <= i)%Z).
  Proof.
    induction low as [| k low IH]; cbn [bound fold_right].
    - intros _. exists lo. repeat split; [lia | | lia]. now intros.
    - intros T. destruct (IH (fun k I => T k (or_intror I))) as (a & E & la & IHa).
      destruct (T k (or_introl eq_refl)) as [x Ex]. unfold bound in E. rewrite Ex, E. cbn [obind]. exists (Z.max x a).
      repeat split; [lia | |].
      + intros Hi k' x' [<- | In'] Ex'; [rewrite Ex in Ex'; injection Ex' as <-; lia |].
        apply (proj1 (IHa i ltac:(lia)) ltac:(lia) k' x' In' Ex').
      + intros All. pose proof (All k x (or_introl eq_refl) Ex).
        assert (a <= i)%Z by (apply IHa; [lia | intros; eapply All; eauto; now right]). lia.
  Qed.

  Lemma bound_min q hi high : (forall k, In k high -> exists x, kev q k = Some x) ->
    exists z, bound Z.min q hi high = Some z /\ (z <= hi)%Z /\
    forall i, (i < hi)%Z -> ((i < z)%Z <-> forall k x, In k high -> kev q k = Some x -> (i < x)%Z).
  Proof.
    induction high as [| k high IH]; cbn [bound fold_right].
    - intros _. exists hi. repeat split; [lia | | lia]. now intros.
    - intros T. destruct (IH (fun k I => T k (or_intror I))) as (z & E & zh & IHz).
      destruct (T k (or_introl eq_refl)) as [x Ex]. unfold bound in E. rewrite Ex, E. cbn [obind]. exists (Z.min x z).
      repeat split; [lia | |].
      + intros Hi k' x' [<- | In'] Ex'; [rewrite Ex in Ex'; injection Ex' as <-; lia |].
        apply (proj1 (IHz i ltac:(lia)) ltac:(lia) k' x' In' Ex').
      + intros All. pose proof (All k x (or_introl eq_refl) Ex).
        assert (i < z)%Z by (apply IHz; [lia | intros; eapply All; eauto; now right]). lia.
  Qed.

  (** Two lists of statements that do the same from here. *)
  Definition follows (q : ienv) (M M' : list mstm) (m m' : store) : Prop := mruns q M m = mruns q M' m'.

  Lemma cover_right q n (part : Z -> Z -> nat -> list cindex -> list cindex -> list mstm -> bool) cell
    (f : Z -> store -> option store) :
    (forall lo h v low high b m m', (0 <= lo < h)%Z -> (h <= n)%Z -> part lo h v low high b = true ->
       iter (Z.to_nat (h - lo)) lo f m = Some m' -> mrun q (MFor v lo h low high b) m = Some m') ->
    (forall lo M M' m m', (0 <= lo < n)%Z -> cell lo M = Some M' -> f lo m = Some m' -> follows q M M' m m') ->
    forall k lo M M' m m', (0 <= lo <= n)%Z -> cover n part cell k lo M = Some M' ->
      iter (Z.to_nat (n - lo)) lo f m = Some m' -> follows q M M' m m'.
  Proof.
    intros Hpart Hcell. induction k as [| k IH]; intros lo M M' m m' Hlo C E; [discriminate |]. cbn [cover] in C.
    destruct (Z.eqb_spec lo n) as [-> | ne].
    { injection C as <-. rewrite Z.sub_diag in E. cbn in E. injection E as <-. reflexivity. }
    assert (One : match cell lo M with Some M => cover n part cell k (lo + 1)%Z M | None => None end = Some M' ->
      follows q M M' m m').
    { intros C1. destruct (cell lo M) as [M1 |] eqn:E1; [| discriminate].
      replace (Z.to_nat (n - lo)) with (S (Z.to_nat (n - (lo + 1)))) in E by lia. cbn [iter] in E.
      destruct (f lo m) as [m1 |] eqn:Ef; cbn [obind] in E; [| discriminate].
      unfold follows. rewrite (Hcell lo M M1 m m1 ltac:(lia) E1 Ef). apply (IH (lo + 1)%Z); auto. lia. }
    destruct M as [| [r x e | r d b | v a h low high b | c' a b] M]; try exact (One C).
    destruct ((a =? lo)%Z && (lo <? h)%Z && (h <=? n)%Z && part lo h v low high b) eqn:P; [| exact (One C)].
    apply andb_true_iff in P as [P Pp]. apply andb_true_iff in P as [P Ph]. apply andb_true_iff in P as [Pa Pl].
    apply Z.eqb_eq in Pa. apply Z.ltb_lt in Pl. apply Z.leb_le in Ph. subst a.
    replace (Z.to_nat (n - lo)) with (Z.to_nat (h - lo) + Z.to_nat (n - h)) in E by lia. rewrite iter_app in E.
    destruct (iter (Z.to_nat (h - lo)) lo f m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
    replace (lo + Z.of_nat (Z.to_nat (h - lo)))%Z with h in E by lia.
    unfold follows. rewrite mruns_cons, (Hpart lo h v low high b m m1 ltac:(lia) Ph Pp E1). cbn [obind].
    apply (IH h); auto. lia.
  Qed.

  Lemma known_app q (F G : facts) : known q F -> known q G -> known q (F ++ G).
  Proof. intros K L c b H. apply in_app_iff in H as [H | H]; auto. Qed.

  Lemma fresh_right v g (F : facts) l p q z i : fresh J v g F l = true -> agrees g p q -> (0 <= z)%Z ->
    agrees ((i, KVar v) :: g) (upi p i (Z.to_nat z)) (upz q v z).
  Proof.
    intros Fr ag z0.
    apply andb_true_iff in Fr as [Fr _]. apply andb_true_iff in Fr as [Fg _].
    intros k x E. cbn [lookup] in E. destruct (Nat.eqb_spec k i) as [-> | ne].
    - injection E as <-. cbn [kev]. unfold upz, upi. rewrite !Nat.eqb_refl. now rewrite Z2Nat.id.
    - rewrite kev_occurs.
      + rewrite (ag _ _ E). unfold upi. destruct (Nat.eqb_spec k i); [contradiction | reflexivity].
      + assert (In (k, x) g) as I.
        { clear - E. induction g as [| [k' x'] g IH]; [discriminate |]. cbn [lookup] in E.
          destruct (Nat.eqb_spec k k') as [-> | ne]; [injection E as <-; now left | right; auto]. }
        apply (proj1 (forallb_forall _ _) Fg) in I. cbn [snd] in I. now apply negb_true_iff in I.
  Qed.

  Lemma fresh_known v g (F : facts) l q z : fresh J v g F l = true -> known q F -> known (upz q v z) F.
  Proof.
    intros Fr K c b I. apply andb_true_iff in Fr as [Fr _]. apply andb_true_iff in Fr as [_ Ff].
    rewrite kholds_occurs; [now apply K |]. apply (proj1 (forallb_forall _ _) Ff) in I. cbn [fst] in I.
    now apply negb_true_iff in I.
  Qed.

  Lemma fresh_bounds v g (F : facts) l : fresh J v g F l = true -> forall k, In k l -> occurs v k = false /\ total J F k = true.
  Proof.
    intros Fr k I. apply andb_true_iff in Fr as [_ Fl]. apply (proj1 (forallb_forall _ _) Fl) in I.
    apply andb_true_iff in I as [O T]. split; [now apply negb_true_iff in O | exact T].
  Qed.

  Lemma from_known q v lo h z : (lo <= z < h)%Z -> known (upz q v z) (from v lo h : facts).
  Proof.
    intros Hz c b [E | [E | []]]; injection E as <- <-; cbn [kholds kev]; unfold upz; rewrite Nat.eqb_refl; cbn;
      f_equal; [apply Z.leb_le || apply Z.geb_le | apply Z.ltb_lt]; lia.
  Qed.

  Lemma cell_right g p q z i : agrees g p q -> (0 <= z)%Z -> agrees ((i, KCst z) :: g) (upi p i (Z.to_nat z)) q.
  Proof.
    intros ag z0 k x E. cbn [lookup] in E. unfold upi. destruct (Nat.eqb_spec k i) as [-> | ne].
    - injection E as <-. cbn [kev]. now rewrite Z2Nat.id.
    - exact (ag _ _ E).
  Qed.

  Lemma beyond_known q v z k x o : occurs v k = false -> kev q k = Some x ->
    known (upz q v z) [(KCmp o (KVar v) k, Kernel.eval_cmp o z x)].
  Proof.
    intros O E c b [H | []]. injection H as <- <-. cbn [kholds]. rewrite (kev_occurs q v z k O), E. cbn [kev obind].
    unfold upz. now rewrite Nat.eqb_refl.
  Qed.

  Lemma between_known q v z low high :
    (forall k, In k (low ++ high) -> occurs v k = false /\ exists x, kev q k = Some x) ->
    (forall k x, In k low -> kev q k = Some x -> (x <= z)%Z) -> (forall k x, In k high -> kev q k = Some x -> (z < x)%Z) ->
    known (upz q v z) (between v low high : facts).
  Proof.
    intros Hk Hlow Hhigh c b I. apply in_app_iff in I as [I | I]; apply in_map_iff in I as (k & E & I);
      injection E as <- <-; destruct (Hk k) as (O & x & Ex); try (apply in_app_iff; auto).
    - replace true with (Kernel.eval_cmp Kernel.CGe z x).
      + apply (@beyond_known q v z k x Kernel.CGe O Ex). now left.
      + cbn. apply Z.leb_le. eauto.
    - replace true with (Kernel.eval_cmp Kernel.CLt z x).
      + apply (@beyond_known q v z k x Kernel.CLt O Ex). now left.
      + cbn. apply Z.ltb_lt. eauto.
  Qed.

  Lemma never_right q (F : facts) z low high : known q F -> never J F low high = true ->
    (forall k x, In k low -> kev q k = Some x -> (x <= z)%Z) -> (forall k x, In k high -> kev q k = Some x -> (z < x)%Z) ->
    (forall k, In k (low ++ high) -> exists x, kev q k = Some x) -> False.
  Proof.
    intros K H Hlow Hhigh T. unfold never in H. apply existsb_exists in H as (a & Ia & H). apply existsb_exists in H as (b & Ib & H).
    destruct (T a) as [x Ex]; [apply in_app_iff; auto |]. destruct (T b) as [y Ey]; [apply in_app_iff; auto |].
    pose proof (Hlow a x Ia Ex). pose proof (Hhigh b y Ib Ey).
    unfold is in H. destruct (decide J F (KCmp Kernel.CLt a b)) as [d |] eqn:D; [| discriminate].
    apply Bool.eqb_prop in H. subst d.
    assert (E : kholds q (KCmp Kernel.CLt a b) = Some true).
    { cbn [kholds]. rewrite Ex, Ey. cbn. f_equal. apply Z.ltb_lt. lia. }
    pose proof (@decide_right _ _ _ _ fairly q F _ _ _ K D E). discriminate.
  Qed.

  Definition right (c : fstm) : Prop := forall g F M M' p q m m', check J c g F M = Some M' -> agrees g p q ->
    known q F -> frun p c m = Some m' -> follows q M M' m m'.

  Lemma nothing_right c g F p q m m' : right c -> check J c g F [] = Some [] -> agrees g p q -> known q F ->
    frun p c m = Some m' -> m' = m.
  Proof. intros R C ag K E. pose proof (R _ _ _ _ _ _ _ _ C ag K E) as H. cbn in H. now injection H. Qed.

  Lemma whole_right c g F M p q m m' : right c -> check J c g F M = Some [] -> agrees g p q -> known q F ->
    frun p c m = Some m' -> mruns q M m = Some m'.
  Proof. intros R C ag K E. exact (R _ _ _ _ _ _ _ _ C ag K E). Qed.

  (** A loop over a part of the range. *)
  Lemma part_right b l g F p q : right b -> agrees g p q -> known q F -> forall lo h v low high b' m m',
    (0 <= lo < h)%Z ->
    (let g' := (l, KVar v) :: g in
     let F' := from v lo h ++ F in
     fresh J v g F (low ++ high) && (done (check J b g' (between v low high ++ F') b') || never J F low high) &&
     forallb (fun k => done (check J b g' ((KCmp Kernel.CGe (KVar v) k, false) :: F') [])) low &&
     forallb (fun k => done (check J b g' ((KCmp Kernel.CLt (KVar v) k, false) :: F') [])) high) = true ->
    iter (Z.to_nat (h - lo)) lo (fun z => frun (upi p l (Z.to_nat z)) b) m = Some m' ->
    mrun q (MFor v lo h low high b') m = Some m'.
  Proof.
    intros R ag K lo h v low high b' m m' Hlo C E. cbn zeta in C.
    apply andb_true_iff in C as [C Chigh]. apply andb_true_iff in C as [C Clow]. apply andb_true_iff in C as [Fr Cb].
    rewrite mrun_for.
    pose proof (@fresh_bounds v g F (low ++ high) Fr) as Fb.
    assert (Tlow : forall k, In k low -> exists x, kev q k = Some x).
    { intros k I. apply (@total_right _ _ _ _ fairly q F k K), (Fb k). apply in_app_iff. auto. }
    assert (Thigh : forall k, In k high -> exists x, kev q k = Some x).
    { intros k I. apply (@total_right _ _ _ _ fairly q F k K), (Fb k). apply in_app_iff. auto. }
    destruct (@bound_max q lo low Tlow) as (a & Ea & La & Ha), (@bound_min q h high Thigh) as (z & Ez & Lz & Hz).
    rewrite Ea, Ez. cbn [obind].
    eapply iter_narrow with (lo := lo) (h := h); [exact La | exact Lz | | exact E].
    intros i m1 m2 Hi Ei.
    pose proof (@fresh_right v g F (low ++ high) p q i l Fr ag ltac:(lia)) as ag'.
    pose proof (@fresh_known v g F (low ++ high) q i Fr K) as K'.
    pose proof (@from_known q v lo h i ltac:(lia)) as K1.
    pose proof (known_app K1 K') as K2. split.
    - intros inside. apply orb_true_iff in Cb as [Cb | Cb].
      2: { exfalso. apply (@never_right q F i low high K Cb).
           - intros k x I Ex. eapply (proj1 (Ha i ltac:(lia))); eauto. lia.
           - intros k x I Ex. eapply (proj1 (Hz i ltac:(lia))); eauto. lia.
           - intros k I. apply in_app_iff in I as [I | I]; auto. }
      apply done_right in Cb. apply (@whole_right b _ _ _ _ _ _ _ R Cb ag'); [| exact Ei]. apply known_app; [| exact K2].
      apply between_known.
      + intros k I. destruct (Fb k I) as [O T]. split; [exact O | now apply (@total_right _ _ _ _ fairly q F k K)].
      + intros k x I Ex. eapply (proj1 (Ha i ltac:(lia))); eauto. lia.
      + intros k x I Ex. eapply (proj1 (Hz i ltac:(lia))); eauto. lia.
    - intros outside.
      assert (Out : (exists k x, In k low /\ kev q k = Some x /\ (i < x)%Z) \/
        (exists k x, In k high /\ kev q k = Some x /\ (x <= i)%Z)).
      { assert (NL : (i < a)%Z \/ (z <= i)%Z) by lia. destruct NL as [NL | NL]; [left | right].
        - assert (D : forall l0, (forall k, In k l0 -> In k low) ->
            (exists k x, In k low /\ kev q k = Some x /\ (i < x)%Z) \/ (forall k x, In k l0 -> kev q k = Some x -> (x <= i)%Z)).
          { induction l0 as [| k l0 IH]; intros Sub; [right; now intros |].
            destruct (IH (fun k' I => Sub k' (or_intror I))) as [D | D]; [now left |].
            destruct (@total_right _ _ _ _ fairly q F k K) as [x Ex].
            { apply (Fb k). apply in_app_iff. left. apply Sub. now left. }
            destruct (Z.lt_ge_cases i x) as [lt | ge]; [left; exists k, x; split; [apply Sub; now left | auto] | right].
            intros k' x' [<- | I] Ex'; [rewrite Ex in Ex'; injection Ex' as <-; lia | eauto]. }
          destruct (D low (fun k I => I)) as [D' | D']; [exact D' |]. apply (Ha i ltac:(lia)) in D'. lia.
        - assert (D : forall l0, (forall k, In k l0 -> In k high) ->
            (exists k x, In k high /\ kev q k = Some x /\ (x <= i)%Z) \/ (forall k x, In k l0 -> kev q k = Some x -> (i < x)%Z)).
          { induction l0 as [| k l0 IH]; intros Sub; [right; now intros |].
            destruct (IH (fun k' I => Sub k' (or_intror I))) as [D | D]; [now left |].
            destruct (@total_right _ _ _ _ fairly q F k K) as [x Ex].
            { apply (Fb k). apply in_app_iff. right. apply Sub. now left. }
            destruct (Z.le_gt_cases x i) as [le | gt]; [left; exists k, x; split; [apply Sub; now left | auto] | right].
            intros k' x' [<- | I] Ex'; [rewrite Ex in Ex'; injection Ex' as <-; lia | eauto]. }
          destruct (D high (fun k I => I)) as [D' | D']; [exact D' |]. apply (Hz i ltac:(lia)) in D'. lia. }
      destruct Out as [(k & x & I & Ex & lt) | (k & x & I & Ex & le)].
      + apply (proj1 (forallb_forall _ _) Clow) in I as C'. apply done_right in C'.
        apply (@nothing_right b _ _ _ _ _ _ R C' ag'); [| exact Ei].
        apply (@known_app (upz q v i) [_] _); [| exact K2].
        replace false with (Kernel.eval_cmp Kernel.CGe i x) by (cbn; apply Z.leb_gt; lia).
        apply beyond_known; [apply (Fb k); apply in_app_iff; auto | exact Ex].
      + apply (proj1 (forallb_forall _ _) Chigh) in I as C'. apply done_right in C'.
        apply (@nothing_right b _ _ _ _ _ _ R C' ag'); [| exact Ei].
        apply (@known_app (upz q v i) [_] _); [| exact K2].
        replace false with (Kernel.eval_cmp Kernel.CLt i x) by (cbn; apply Z.ltb_ge; lia).
        apply beyond_known; [apply (Fb k); apply in_app_iff; auto | exact Ex].
  Qed.

  Theorem check_right c : right c.
  Proof.
    induction c as [| a IHa b IHb | r k e | r d b IHb | pol l n b IHb | c a IHa b IHb |];
      intros g F M M' p q m m' C ag K E; cbn [check] in C; cbn [frun] in E.
    - injection C as <-. injection E as <-. reflexivity.
    - destruct (check J a g F M) as [M1 |] eqn:C1; [| discriminate].
      destruct (frun p a m) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate].
      unfold follows. rewrite (IHa _ _ _ _ _ _ _ _ C1 ag K E1). exact (IHb _ _ _ _ _ _ _ _ C ag K E).
    - destruct M as [| [r' k' e' | | |] M]; try discriminate.
      destruct ((r' =? r) && same_place J F g k k' && same_exp J F g e e') eqn:S; [| discriminate]. injection C as <-.
      apply andb_true_iff in S as [S Se]. apply andb_true_iff in S as [Sr Sk]. apply Nat.eqb_eq in Sr. subst r'.
      destruct (natural (kev p k)) as [o |] eqn:En; cbn [obind] in E; [| discriminate].
      destruct (natural_some _ En) as (z & Ez & Nz).
      destruct (fev p m e) as [x |] eqn:Ex; cbn [obind] in E; [| discriminate].
      unfold follows. rewrite mruns_cons. cbn [mrun].
      rewrite (same_place_right _ _ ag K Sk Ez), Nz. cbn [obind].
      rewrite (@same_exp_right p q m g ag e e' F x K Se Ex). cbn [obind].
      rewrite E. reflexivity.
    - destruct M as [| [| r' d' b' | |] M]; try discriminate.
      destruct ((r' =? r) && (cells d' =? cells d) && done (check J b g F b')) eqn:S; [| discriminate]. injection C as <-.
      apply andb_true_iff in S as [S Sb]. apply andb_true_iff in S as [Sr Sd].
      apply Nat.eqb_eq in Sr, Sd. apply done_right in Sb. subst r'.
      destruct (frun p b (falloc m r (cells d))) as [m1 |] eqn:E1; cbn [obind] in E; [| discriminate]. injection E as <-.
      unfold follows. rewrite mruns_cons, mrun_block, Sd, (@whole_right _ _ _ _ _ _ _ _ IHb Sb ag K E1). reflexivity.
    - match type of E with (if ?x then _ else _) = _ => destruct x; [| discriminate] end.
      rewrite ffor_iter in E.
      eapply cover_right with (f := fun z => frun (upi p l (Z.to_nat z)) b) (n := Z.of_nat #n); [| | | exact C |].
      + intros lo h v low high b' m1 m2 Hlo Hh P Ei. exact (@part_right b l g F p q IHb ag K lo h v low high b' m1 m2 Hlo P Ei).
      + intros lo M1 M2 m1 m2 Hlo C1 E1. apply (IHb _ _ _ _ _ _ _ _ C1 (@cell_right g p q lo l ag ltac:(lia)) K E1).
      + lia.
      + rewrite Z.sub_0_r, Nat2Z.id. exact E.
    - destruct (apply_cond g c) as [x |] eqn:Ec; [| discriminate].
      destruct (kholds p c) as [h |] eqn:Eh; cbn [obind] in E; [| discriminate].
      rewrite <- (apply_cond_right ag _ Ec) in Eh.
      destruct (decide J F x) as [d |] eqn:Ed.
      + assert (h = d) as -> by exact (@decide_right _ _ _ _ fairly q F x d h K Ed Eh). destruct d; eauto.
      + destruct (done (check J a g ((x, true) :: F) []) && done (check J b g ((x, false) :: F) [])) eqn:No.
        { injection C as <-. apply andb_true_iff in No as [Na Nb]. apply done_right in Na, Nb.
          pose proof (known_cons K Eh) as K'. unfold follows. destruct h.
          - now rewrite (@nothing_right _ _ _ _ _ _ _ IHa Na ag K' E).
          - now rewrite (@nothing_right _ _ _ _ _ _ _ IHb Nb ag K' E). }
        destruct M as [| [| | | c' a' b'] M]; try discriminate.
        match type of C with (if ?y then _ else _) = _ => destruct y eqn:S; [| discriminate] end. injection C as <-.
        apply andb_true_iff in S as [S Sab]. apply andb_true_iff in S as [S Sf]. apply andb_true_iff in S as [St Stt].
        apply andb_true_iff in Sab as [Sa Sb]. apply done_right in Sa, Sb.
        destruct (@total_cond_right q F c' K St) as [h' Eh']. pose proof (known_cons K Eh') as K'.
        unfold follows. rewrite mruns_cons, mrun_if, Eh'. cbn [obind]. destruct h'.
        * assert (h = true) as -> by exact (decided _ _ K' Stt Eh). now rewrite (@whole_right _ _ _ _ _ _ _ _ IHa Sa ag K' E).
        * assert (h = false) as -> by exact (decided _ _ K' Sf Eh). now rewrite (@whole_right _ _ _ _ _ _ _ _ IHb Sb ag K' E).
    - discriminate.
  Qed.

  (** What is accepted does what the plain program does. *)
  Theorem statements_right c M q m m' : statements J c M = true -> frun q c m = Some m' -> mruns q M m = Some m'.
  Proof.
    intros S E. apply done_right in S. eapply whole_right; [apply check_right | exact S | | | exact E].
    - intros l x H. discriminate.
    - intros k b [].
  Qed.
End StatementsProof.
