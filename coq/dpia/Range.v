(** * Index ranges: two tests for the checker, and symbolic sizes

    [range_var] knows one thing, that an index variable of extent [n] may index
    an array of [n]; it is sound whatever the size variables stand for.
    [range_interval] computes with intervals at given sizes, narrowed by the
    index conditions above the access. *)

From Coq Require Import List Arith Bool ZArith Lia.
From Calque Require Import dpia.Syntax dpia.Typing.
From Calque Require kernel.Kernel.
Import ListNotations.
Set Implicit Arguments.

Section Range.
  Context {N : sizes}.
  Notation ix := (ix N). Notation cond := (cond N). Notation ctx := (ctx N).

  (** ** At all sizes *)

  Definition range_var (G : ctx) (i : ix) (n : size N) : bool :=
    match i with
    | XVar x => match nth_error (vars G) x with Some (TI k) => size_eqb N k n | _ => false end
    | _ => false
    end.

  Theorem range_var_sound (s : sizing N) G i n : range_var G i n = true -> in_range G i n.
  Proof.
    destruct i; cbn; try discriminate. destruct (nth_error (vars G) x) as [[d | k] |] eqn:looked;
      try discriminate. intros E f [bounds _]. apply size_eqb_eq in E. subst. now apply bounds.
  Qed.

  (** ** At given sizes: intervals *)

  Context {s : sizing N}.

  Fixpoint ix_eqb (i j : ix) : bool :=
    match i, j with
    | XVar x, XVar y => x =? y
    | XCst y, XCst z => (y =? z)%Z
    | XSize n, XSize m => size_eqb N n m
    | XAdd a b, XAdd c d | XSub a b, XSub c d => ix_eqb a c && ix_eqb b d
    | XMul a k, XMul c l => ix_eqb a c && (k =? l)%Z
    | XDiv a k, XDiv c l | XMod a k, XMod c l => ix_eqb a c && (k =? l)%positive
    | _, _ => false
    end.

  Lemma ix_eqb_eq i : forall j, ix_eqb i j = true -> i = j.
  Proof.
    induction i; intros []; cbn; try discriminate; rewrite ?andb_true_iff; intros E.
    - apply Nat.eqb_eq in E. congruence.
    - apply Z.eqb_eq in E. congruence.
    - apply size_eqb_eq in E. congruence.
    - destruct E. f_equal; auto.
    - destruct E. f_equal; auto.
    - destruct E as [E Ek]. apply Z.eqb_eq in Ek. f_equal; auto.
    - destruct E as [E Ek]. apply Pos.eqb_eq in Ek. f_equal; auto.
    - destruct E as [E Ek]. apply Pos.eqb_eq in Ek. f_equal; auto.
  Qed.

  Fixpoint interval (G : ctx) (i : ix) : option (Z * Z) :=
    let two a b (f : Z * Z -> Z * Z -> Z * Z) :=
      match interval G a, interval G b with Some x, Some y => Some (f x y) | _, _ => None end in
    match i with
    | XVar x =>
        match nth_error (vars G) x with Some (TI n) => Some (0, Z.of_nat #n - 1)%Z | _ => None end
    | XCst z => Some (z, z)
    | XSize n => Some (Z.of_nat #n, Z.of_nat #n)
    | XAdd a b => two a b (fun x y => (fst x + fst y, snd x + snd y)%Z)
    | XSub a b => two a b (fun x y => (fst x - snd y, snd x - fst y)%Z)
    | XMul a k =>
        option_map (fun x => if (0 <=? k)%Z then (fst x * k, snd x * k)%Z else
          (snd x * k, fst x * k)%Z)
                   (interval G a)
    | XDiv a k => option_map (fun x => (fst x / Zpos k, snd x / Zpos k)%Z) (interval G a)
    | XMod a k =>
        option_map (fun x => if (fst x / Zpos k =? snd x / Zpos k)%Z
                             then (fst x mod Zpos k, snd x mod Zpos k)%Z else (0, Zpos k - 1)%Z)
                   (interval G a)
    end.

  (** The comparisons that are known to hold. *)
  Fixpoint conjuncts (c : cond) : list (Kernel.cmp * ix * ix) :=
    match c with CCmp c i j => [(c, i, j)] | CAnd c1 c2 => conjuncts c1 ++ conjuncts c2 end.
  Definition known (G : ctx) : list (Kernel.cmp * ix * ix) :=
    flat_map (fun cb => if snd cb : bool then conjuncts (fst cb) else []) (facts G).

  Definition narrow (G : ctx) (i : ix) (x : Z * Z) (k : Kernel.cmp * ix * ix) : Z * Z :=
    let '(c, a, b) := k in
    if ix_eqb a i then
      match interval G b with
      | Some (lo, hi) =>
          match c with
          | Kernel.CLt => (fst x, Z.min (snd x) (hi - 1))
          | Kernel.CLe => (fst x, Z.min (snd x) hi)
          | Kernel.CGt => (Z.max (fst x) (lo + 1), snd x)
          | Kernel.CGe => (Z.max (fst x) lo, snd x)
          | Kernel.CEq => (Z.max (fst x) lo, Z.min (snd x) hi)
          | Kernel.CNe => x
          end
      | None => x
      end
    else x.

  Definition range_interval (G : ctx) (i : ix) (n : size N) : bool :=
    match interval G i with
    | Some x =>
        let y := fold_left (narrow G i) (known G) x in
        ((0 <=? fst y) && (snd y <? Z.of_nat #n))%Z
    | None => false
    end.

  Lemma interval_sound G f : fits G f ->
    forall i lo hi, interval G i = Some (lo, hi) -> (lo <= ixv f i <= hi)%Z.
  Proof.
    intros [bounds _] i. induction i; intros lo hi E; cbn [interval ixv option_map fst snd] in *.
    - destruct (nth_error (vars G) x) as [[d | n] |] eqn:looked; try discriminate.
      injection E as <- <-.
      pose proof (bounds _ _ looked). lia.
    - injection E as <- <-. lia.
    - injection E as <- <-. lia.
    - destruct (interval G i1) as [[a b] |], (interval G i2) as [[c d] |]; try discriminate.
      injection E as <- <-. specialize (IHi1 _ _ eq_refl). specialize (IHi2 _ _ eq_refl). cbn. lia.
    - destruct (interval G i1) as [[a b] |], (interval G i2) as [[c d] |]; try discriminate.
      injection E as <- <-. specialize (IHi1 _ _ eq_refl). specialize (IHi2 _ _ eq_refl). cbn. lia.
    - destruct (interval G i) as [[a b] |]; try discriminate. specialize (IHi _ _ eq_refl).
      cbn [option_map fst snd] in E.
      destruct (Z.leb_spec 0 k); injection E as <- <-; nia.
    - destruct (interval G i) as [[a b] |]; try discriminate. specialize (IHi _ _ eq_refl).
      cbn [option_map fst snd] in E.
      injection E as <- <-. split; apply Z.div_le_mono; lia.
    - destruct (interval G i) as [[a b] |]; try discriminate. specialize (IHi _ _ eq_refl).
      cbn [option_map fst snd] in E.
      pose proof (Z.mod_pos_bound (ixv f i) (Zpos k) ltac:(lia)) as ordinary.
      destruct (Z.eqb_spec (a / Zpos k) (b / Zpos k)) as [same | _].
      2: { assert (Elo : lo = 0%Z) by congruence. assert (Ehi : hi = (Zpos k - 1)%Z) by congruence.
           lia. }
      injection E as <- <-.
      assert (mid : (ixv f i / Zpos k = a / Zpos k)%Z).
      { pose proof (Z.div_le_mono a (ixv f i) (Zpos k) eq_refl (proj1 IHi)) as up.
        pose proof (Z.div_le_mono (ixv f i) b (Zpos k) eq_refl (proj2 IHi)) as down.
        rewrite <- same in down. apply Z.le_antisymm; assumption. }
      rewrite !Z.mod_eq by discriminate. rewrite mid, <- same. lia.
  Qed.

  Lemma conjuncts_hold f c : holds f c = true ->
    forall k a b, In (k, a, b) (conjuncts c) -> Kernel.eval_cmp k (ixv f a) (ixv f b) = true.
  Proof.
    induction c as [k0 i j | c1 IH1 c2 IH2]; cbn.
    - intros E k a b [H | []]. now injection H as <- <- <-.
    - rewrite andb_true_iff. intros [E1 E2] k a b H. apply in_app_iff in H as [H | H]; eauto.
  Qed.

  Lemma narrow_sound G f i : fits G f -> forall ks x,
    (forall k a b, In (k, a, b) ks -> Kernel.eval_cmp k (ixv f a) (ixv f b) = true) ->
    (fst x <= ixv f i <= snd x)%Z ->
    (fst (fold_left (narrow G i) ks x) <= ixv f i <= snd (fold_left (narrow G i) ks x))%Z.
  Proof.
    intros fit. induction ks as [| [[k a] b] ks IH]; intros x hold H; cbn [fold_left]; [exact H |].
    apply IH; [intros k' a' b' H'; apply hold; now right |].
    pose proof (hold k a b (or_introl eq_refl)) as cmp. unfold narrow.
    destruct (ix_eqb a i) eqn:same; [| exact H]. apply ix_eqb_eq in same. subst a.
    destruct (interval G b) as [[lo hi] |] eqn:Ib; [| exact H]. apply (interval_sound fit) in Ib.
    destruct k; cbn in *; try exact H; lia.
  Qed.

  Theorem range_interval_sound G i n : range_interval G i n = true -> in_range G i n.
  Proof.
    unfold range_interval. destruct (interval G i) as [[lo hi] |] eqn:Ii; [| discriminate].
    rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. intros [Hlo Hhi] f fit.
    pose proof (@narrow_sound G f i fit (known G) (lo, hi)) as bound.
    assert (hold : forall k a b, In (k, a, b) (known G) ->
      Kernel.eval_cmp k (ixv f a) (ixv f b) = true).
    { intros k a b H. apply in_flat_map in H as ([c t] & Hc & H). cbn in H.
      destruct t; [| destruct H].
      eapply conjuncts_hold; [| exact H]. now apply (proj2 fit). }
    specialize (bound hold (interval_sound fit _ Ii)). lia.
  Qed.
End Range.

(** ** Symbolic sizes: polynomials in normal form

    A sum of coefficients times sorted products of variables, higher degrees first,
    then by the variables; no coefficient is 0.  The order is that of c/dpia/poly.c. *)

Definition term := (nat * list nat)%type.

Fixpoint insert (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: l' => if x <=? y then x :: l else y :: insert x l' end.

(** At equal length: is [a] before [b]? *)
Fixpoint before (a b : list nat) : bool :=
  match a, b with
  | x :: a, y :: b => (x <? y) || ((x =? y) && before a b)
  | _, _ => false
  end.
Definition ahead (a b : list nat) : bool :=
  (length b <? length a) || ((length a =? length b) && before a b).

Fixpoint add_term (t : term) (p : list term) : list term :=
  match p with
  | [] => [t]
  | u :: p' =>
      if list_eq_dec Nat.eq_dec (snd t) (snd u) then (fst t + fst u, snd u) :: p'
      else if ahead (snd t) (snd u) then t :: p else u :: add_term t p'
  end.
Definition add_nonzero (t : term) (p : list term) : list term :=
  match fst t with O => p | _ => add_term t p end.
Definition poly_plus (p q : list term) : list term := fold_right add_nonzero q p.
Definition term_mul (t u : term) : term := (fst t * fst u, fold_right insert (snd u) (snd t)).
Definition poly_mul (p q : list term) : list term :=
  fold_right (fun t r => poly_plus (map (term_mul t) q) r) [] p.
Definition poly_lift (k : nat) : list term := add_nonzero (k, []) [].

Definition product (sigma : nat -> nat) (l : list nat) : nat :=
  fold_right (fun x p => sigma x * p) 1 l.
Definition term_val (sigma : nat -> nat) (t : term) : nat := fst t * product sigma (snd t).
Definition poly_val (sigma : nat -> nat) (p : list term) : nat :=
  fold_right (fun t r => term_val sigma t + r) 0 p.

Definition term_eqb (t u : term) : bool :=
  (fst t =? fst u) && if list_eq_dec Nat.eq_dec (snd t) (snd u) then true else false.
Fixpoint poly_eqb (p q : list term) : bool :=
  match p, q with
  | [], [] => true
  | t :: p, u :: q => term_eqb t u && poly_eqb p q
  | _, _ => false
  end.

Lemma term_eqb_eq t u : term_eqb t u = true <-> t = u.
Proof.
  destruct t as [a k], u as [b l]. unfold term_eqb. cbn [fst snd].
  rewrite andb_true_iff, Nat.eqb_eq.
  destruct (list_eq_dec Nat.eq_dec k l) as [same | ne]; split; intros E.
  - destruct E as [-> _]. now rewrite same.
  - split; [congruence | reflexivity].
  - destruct E. discriminate.
  - congruence.
Qed.

Lemma poly_eqb_eq p : forall q, poly_eqb p q = true <-> p = q.
Proof.
  induction p as [| t p IH]; intros [| u q]; cbn; try (split; congruence).
  rewrite andb_true_iff, term_eqb_eq, IH. split; [now intros [-> ->] | intros E; now injection E].
Qed.

Lemma product_insert sigma x l : product sigma (insert x l) = sigma x * product sigma l.
Proof.
  induction l as [| y l IH]; cbn; auto. destruct (x <=? y); cbn; [reflexivity |].
  unfold product in *. lia.
Qed.

Lemma term_mul_val sigma t u : term_val sigma (term_mul t u) = term_val sigma t * term_val sigma u.
Proof.
  destruct t as [a k], u as [b l]. unfold term_val, term_mul. cbn [fst snd].
  assert (E : product sigma (fold_right insert l k) = product sigma k * product sigma l).
  { induction k as [| x k IH]; cbn [fold_right]; [cbn; lia |].
    rewrite product_insert, IH. cbn. unfold product. lia. }
  rewrite E. nia.
Qed.

Lemma add_term_val sigma t p : poly_val sigma (add_term t p) = term_val sigma t + poly_val sigma p.
Proof.
  induction p as [| u p IH]; cbn [add_term]; [reflexivity |].
  destruct (list_eq_dec Nat.eq_dec (snd t) (snd u)) as [E | _].
  - cbn [poly_val fold_right]. unfold term_val. cbn [fst snd]. rewrite E. lia.
  - destruct (ahead (snd t) (snd u)); [reflexivity |].
    cbn [poly_val fold_right] in *. unfold poly_val in IH. rewrite IH. unfold poly_val. lia.
Qed.

Lemma add_nonzero_val sigma t p :
  poly_val sigma (add_nonzero t p) = term_val sigma t + poly_val sigma p.
Proof.
  unfold add_nonzero. destruct (fst t) eqn:E; [| apply add_term_val].
  unfold term_val. now rewrite E.
Qed.

Lemma poly_plus_val sigma p q :
  poly_val sigma (poly_plus p q) = poly_val sigma p + poly_val sigma q.
Proof.
  unfold poly_plus. induction p as [| t p IH]; cbn [fold_right]; [reflexivity |].
  rewrite add_nonzero_val, IH. cbn [poly_val fold_right]. unfold poly_val. lia.
Qed.

Lemma poly_mul_val sigma p q :
  poly_val sigma (poly_mul p q) = poly_val sigma p * poly_val sigma q.
Proof.
  unfold poly_mul. induction p as [| t p IH]; cbn [fold_right]; [reflexivity |].
  rewrite poly_plus_val, IH. cbn [poly_val fold_right].
  assert (E : poly_val sigma (map (term_mul t) q) = term_val sigma t * poly_val sigma q).
  { clear IH. induction q as [| u q IHq]; [cbn; lia |]. cbn [map poly_val fold_right].
    fold (poly_val sigma (map (term_mul t) q)) (poly_val sigma q).
    rewrite IHq, term_mul_val. lia. }
  rewrite E. fold (poly_val sigma p). lia.
Qed.

Lemma poly_lift_val sigma k : poly_val sigma (poly_lift k) = k.
Proof. unfold poly_lift. rewrite add_nonzero_val. unfold term_val. cbn. lia. Qed.

Definition symbols : sizes :=
  Sizes poly_mul poly_plus poly_lift poly_eqb poly_eqb_eq poly_val poly_mul_val poly_plus_val
    poly_lift_val.
Definition symbol (x : nat) : size symbols := [(1, [x])].
Definition constant (k : nat) : size symbols := poly_lift k.
