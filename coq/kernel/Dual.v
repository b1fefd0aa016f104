(** * The tangent is the derivative

    Dual numbers a + b e with e * e = 0 over the ring of a kernel's text are a ring again;
    evaluating a kernel at [st + du * e] gives its value and its tangent.  For sums and
    products this is the derivative of polynomials; the inverse of a dual number is one as
    soon as the inverse of its first part is. *)

From Coq Require Import Bool List Lia Arith ZArith Ring Ring_theory.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Gradient kernel.SweepProof kernel.TangentProof.
Import ListNotations.
Open Scope Z_scope.

Section Dual.
  Variable F : field.
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Declare Scope ring_scope.
  Notation "0" := (Sums.r0 G) : ring_scope.
  Notation "1" := (Sums.r1 G) : ring_scope.
  Infix "+" := (Sums.radd G) : ring_scope.
  Infix "*" := (Sums.rmul G) : ring_scope.
  Infix "-" := (Sums.rsub G) : ring_scope.
  Local Open Scope ring_scope.
  Notation ex := (ex (text F)).
  Notation store := (store (text F)).
  Notation opp := (Sums.ropp G).
  Notation inv := (Sums.rinv G).

  Definition dual_number : Type := R * R.
  Definition dadd (x y : dual_number) : dual_number := (fst x + fst y, snd x + snd y).
  Definition dsub (x y : dual_number) : dual_number := (fst x - fst y, snd x - snd y).
  Definition dmul (x y : dual_number) : dual_number := (fst x * fst y, snd x * fst y + fst x * snd y).
  Definition dopp (x : dual_number) : dual_number := (opp (fst x), opp (snd x)).
  Definition dinv (x : dual_number) : dual_number :=
    (inv (fst x), opp (snd x * inv (fst x * fst x))).

  (** The derivative of a function of the values [vs] by its argument number [i]: that of its
      application to loads, in a store that has the values. *)
  Definition derivative (f : function) (vs : list R) (i : nat) : R :=
    slope F (fun _ k => nth (Z.to_nat (hd 0%Z k)) vs 0) []
      f (map (fun n => ELd O [ICst (Z.of_nat n)]) (seq 0 (length vs))) i.

  Definition dfunction (f : function) (l : list dual_number) : dual_number :=
    let vs := map fst l in
    (rfun F f vs,
     (fix go i l :=
        match l with
        | [] => 0
        | x :: l' => derivative f vs i * snd x + go (S i) l'
        end) O l).

  Lemma dual_laws : ring_theory ((0, 0) : dual_number) ((1, 0) : dual_number) dadd dmul dsub dopp eq.
  Proof.
    constructor; intros; unfold dadd, dmul, dsub, dopp;
      repeat match goal with x : dual_number |- _ => destruct x end; cbn [fst snd]; f_equal; ring.
  Qed.

  Lemma dual_divide_1 (x : dual_number) : dmul x (dinv (1, 0)) = x.
  Proof.
    destruct x as [a b]. unfold dmul, dinv. cbn [fst snd]. f_equal.
    - exact (rdivide_1 F a).
    - transitivity (b * inv 1); [ring | exact (rdivide_1 F b)].
  Qed.

  Lemma dual_neg c d : n_neg (base F) c = Some d ->
    (value F d, 0) = dopp (value F c, 0).
  Proof.
    intros H. unfold dopp. cbn [fst snd]. f_equal; [exact (value_neg F c d H) |].
    change ((0 : R) = opp 0). ring.
  Qed.

  (** Literals are constants. *)
  Definition dual : field :=
    {| base := base F; elt := dual_number; r0 := (0, 0); r1 := (1, 0); radd := dadd; rmul := dmul; rsub := dsub;
       ropp := dopp; r_laws := dual_laws; rinv := dinv; rdivide_1 := dual_divide_1;
       rmod := fun x y => (rmod F (fst x) (fst y), 0);
       rfun := dfunction;
       greatest_start := (greatest_start F, 0);
       greatest_step := fun x y => (greatest_step F (fst x) (fst y), 0);
       value := fun c => (value F c, 0);
       value_zero := fun c H => f_equal (fun x => (x, 0)) (value_zero F c H);
       value_one := fun c H => f_equal (fun x => (x, 0)) (value_one F c H);
       value_zero_is := value_zero_is F; value_one_is := value_one_is F; value_neg := dual_neg |}.

  (** Where [b] has an inverse that respects products, so has [b + b' e]. *)
  Lemma dual_inverse b b' :
    b * inv b = 1 -> inv (b * b) = inv b * inv b -> dmul (b, b') (dinv (b, b')) = (1, 0).
  Proof.
    intros unit square. unfold dmul, dinv. cbn [fst snd]. f_equal; [exact unit |].
    rewrite square.
    transitivity (b' * inv b - b * inv b * (b' * inv b)); [ring |].
    rewrite unit. ring.
  Qed.

  (** The same kernel. *)
  Fixpoint embed (e : ex) : Kernel.ex (text dual) :=
    match e with
    | ECst c => @ECst (text dual) c
    | ELd t l => ELd t l
    | EBin o a b => @EBin (text dual) o (embed a) (embed b)
    | EFn f l => @EFn (text dual) f (map embed l)
    | ESel c a b => ESel c (embed a) (embed b)
    | ERed r ns e => @ERed (text dual) r ns (embed e)
    end.

  Definition dual_store (st du : store) : Kernel.store (text dual) :=
    fun t i => ((st t i, du t i) : dual_number).

  (** No maxima, and no power with a literal exponent, whose slope is simplified. *)
  Fixpoint sums_only (e : ex) : bool :=
    match e with
    | ECst _ | ELd _ _ => true
    | EBin _ a b | ESel _ a b => sums_only a && sums_only b
    | EFn f l => match exponent F f l with Some (Some _) => false | _ => true end && forallb sums_only l
    | ERed r _ e => match fst r with KSum => true | KMax => false end && sums_only e
    end.

  Lemma slope_derivative st rho f (l : list ex) i :
    match exponent F f l with Some (Some _) => False | _ => True end ->
    slope F st rho f l i = derivative f (map (val F st rho) l) i.
  Proof.
    intros lit. unfold derivative. rewrite map_length. apply slope_same.
    - assert (H : forall m vs, map (val F st rho) m = skipn (length vs - length m) vs ->
        (length m <= length vs)%nat ->
        Forall2 (fun a a' => val F st rho a = val F (fun _ k => nth (Z.to_nat (hd 0%Z k)) vs 0) [] a') m
          (map (fun n => ELd O [ICst (Z.of_nat n)]) (seq (length vs - length m) (length m)))).
      { induction m as [| a m IH]; intros vs E le; [constructor |]. cbn [length map seq] in le, E |- *. constructor.
        - unfold SweepProof.val at 2. cbn [eval map eval_ix hd]. rewrite Nat2Z.id.
          pose proof (f_equal (fun v => nth O v (r0 F)) E) as N. cbv beta in N.
          rewrite nth_skipn, Nat.add_0_r in N. exact N.
        - replace (S (length vs - S (length m))) with (length vs - length m)%nat by lia. apply IH; [| lia].
          replace (length vs - length m)%nat with (S (length vs - S (length m))) by lia.
          assert (T : forall (A : Type) k (v : list A), skipn (S k) v = tl (skipn k v))
            by (clear; induction k as [| k IHk]; intros [| y v]; [reflexivity .. | exact (IHk v)]).
          rewrite T, <- E. reflexivity. }
      specialize (H l (map (val F st rho) l)). rewrite map_length, Nat.sub_diag in H. now apply H.
    - destruct f; try reflexivity. destruct l as [| a [| b [| c l]]]; try reflexivity.
      simpl in *. destruct (literal F b); [contradiction | reflexivity].
  Qed.

  Theorem tangent_dual (st du : store) (e : ex) : forall own rho,
    sums_only e = true ->
    eval (dual_store st du) rho (embed e) = ((eval st rho e, tangent F st du None own rho e) : dual_number).
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros own rho ok; cbn [sums_only] in ok.
    - reflexivity.
    - reflexivity.
    - apply andb_true_iff in ok as [A B]. cbn [embed]. simpl. rewrite (IHa own rho A), (IHb own rho B).
      destruct o; simpl; unfold dadd, dsub, dmul, dinv; simpl; f_equal.
      change (tangent F st du None own rho a * inv (eval st rho b) +
              eval st rho a * opp (tangent F st du None own rho b * inv (eval st rho b * eval st rho b)) =
              tangent F st du None own rho a * inv (eval st rho b) -
              eval st rho a * tangent F st du None own rho b * inv (eval st rho b * eval st rho b)).
      set (p := inv (eval st rho b)). set (q := inv (eval st rho b * eval st rho b)).
      apply (zero_both G). ring.
    - apply andb_true_iff in ok as [lit ok].
      set (g := fun x => (eval st rho x, tangent F st du None own rho x) : dual_number).
      assert (args : map (eval (dual_store st du) rho) (map embed l) = map g l).
      { rewrite map_map. apply map_ext_in. intros a ina. rewrite Forall_forall in IH.
        rewrite forallb_forall in ok. now apply IH, ok. }
      assert (D : dfunction f (map g l) =
        (rfun F f (map (eval st rho) l), tangent F st du None own rho (@EFn (text F) f l))).
      { unfold dfunction. rewrite map_map. cbn [fst]. f_equal. cbn [tangent].
        assert (S : forall i, slope F st rho f l i = derivative f (map (val F st rho) l) i)
          by (intros i; apply slope_derivative; now destruct (exponent F f l) as [[|] |]).
        change (map (fun x => fst (g x)) l) with (map (val F st rho) l).
        revert S. generalize (slope F st rho f l), (derivative f (map (val F st rho) l)). intros u v S.
        generalize O. clear - S. induction l as [| a l IHl]; intros n; [reflexivity |].
        cbn [map snd]. now rewrite S, IHl. }
      cbn [embed eval]. rewrite args.
      assert (which : (exists a, f = FNeg /\ l = [a]) \/
        ((forall vs, length vs = length l -> fid_value (text dual) f vs = dfunction f vs) /\
         forall vs, length vs = length l -> fid_value (text F) f vs = rfun F f vs)).
      { destruct f; try (right; split; reflexivity). destruct l as [| a [| b l]]; [| left; eauto |];
          right; split; intros [| ? [| ? ?]] len; try discriminate len; reflexivity. }
      destruct which as [(a & -> & ->) | [E E']].
      + cbn [map fid_value text]. unfold g. change (ropp dual) with dopp. unfold dopp. cbn [fst snd tangent].
        f_equal. unfold slope. cbn [weight_of]. rewrite val_mk_neg, val_unity. apply (zero_both G). ring.
      + rewrite E, D by now rewrite map_length. rewrite E' by now rewrite map_length. reflexivity.
    - apply andb_true_iff in ok as [A B]. cbn [embed tangent]. cbn [eval]. destruct (eval_cond rho c); auto.
    - apply andb_true_iff in ok as [sum_ ok]. destruct r as [[|] ids]; [| discriminate].
      cbn [embed tangent]. change (@eval (text F)) with (val F). change (@eval (text dual)) with (val dual).
      rewrite !val_red_sum. unfold sum. induction (box ns) as [| k ks IHk]; [reflexivity |].
      cbn [fold_right]. rewrite IHk. unfold SweepProof.val. rewrite (IH own (k ++ rho) ok). reflexivity.
  Qed.
End Dual.
