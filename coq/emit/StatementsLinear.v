(** * Indices as sums, and what ranges decide of them

    [linear] writes an index as a sum of multiples of variables and quotients; what a divisor divides is
    taken out of a quotient, and a rest that lies between 0 and the divisor is gone.  Ranges of variables,
    and conditions that hold, are facts. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat emit.Tidy emit.TidyProof.
From Calque Require Import emit.Statements emit.StatementsProof emit.StatementsForms.
From Calque Require Import dpia.CellsNormal.
From Calque Require kernel.Kernel.
Import ListNotations.
Set Implicit Arguments.
Section Linear.
  Context {N : sizes} {s : sizing N}.
  Notation cindex := (cindex N). Notation ccond := (ccond N). Notation facts := (facts (N := N)).
  Notation form := (form (N := N)).

  (** ** Quotients *)

  Fixpoint rebuild_terms (l : list (Z * cindex)) : cindex :=
    match l with [] => KCst 0 | (c, a) :: l => KAdd (KMul (KCst c) a) (rebuild_terms l) end.
  Definition rebuild (f : form) : cindex := KAdd (rebuild_terms (fst f)) (KCst (snd f)).

  Lemma rebuild_right q f z : of_form q f = Some z -> kev q (rebuild f) = Some z.
  Proof.
    destruct f as [l k]. unfold of_form, rebuild. cbn [fst snd kev].
    enough (H : forall r, of_terms q l = Some r -> kev q (rebuild_terms l) = Some r).
    { destruct (of_terms q l) as [r |]; cbn [obind]; [| discriminate]. intros E. injection E as <-.
      now rewrite (H _ eq_refl). }
    induction l as [| [c a] l IH]; intros r E; [injection E as <-; reflexivity |].
    cbn [of_terms fold_right fst snd] in E. fold (of_terms q l) in E.
    destruct (kev q a) as [xa |] eqn:Ea; cbn [obind] in E; [| discriminate].
    destruct (of_terms q l) as [yl |] eqn:El; cbn [obind] in E; [| discriminate]. injection E as <-.
    cbn [rebuild_terms kev]. rewrite Ea, (IH _ eq_refl). reflexivity.
  Qed.

  (** What [k] divides, by [k]; and the rest. *)
  Fixpoint out_of (k : Z) (l : list (Z * cindex)) : list (Z * cindex) * list (Z * cindex) :=
    match l with
    | [] => ([], [])
    | (c, a) :: l =>
        let (o, r) := out_of k l in if (c mod k =? 0)%Z then ((c / k, a)%Z :: o, r) else (o, (c, a) :: r)
    end.

  Lemma out_of_right q k l x : (0 < k)%Z -> of_terms q l = Some x -> exists o r,
    of_terms q (fst (out_of k l)) = Some o /\ of_terms q (snd (out_of k l)) = Some r /\ x = (k * o + r)%Z.
  Proof.
    intros pos. revert x. induction l as [| [c a] l IH]; intros x E.
    - injection E as <-. exists 0%Z, 0%Z. repeat split. lia.
    - cbn [of_terms fold_right fst snd] in E. fold (of_terms q l) in E.
      destruct (kev q a) as [xa |] eqn:Ea; cbn [obind] in E; [| discriminate].
      destruct (of_terms q l) as [yl |] eqn:El; cbn [obind] in E; [| discriminate]. injection E as <-.
      destruct (IH _ eq_refl) as (o & r & Eo & Er & ->). cbn [out_of].
      destruct (out_of k l) as [lo lr]. cbn [fst snd] in Eo, Er. destruct (Z.eqb_spec (c mod k) 0) as [z | nz]; cbn [fst snd].
      + exists (c / k * xa + o)%Z, r. cbn [of_terms fold_right fst snd]. fold (of_terms q lo). rewrite Ea, Eo. cbn.
        repeat split; auto. pose proof (Z_div_mod_eq_full c k). nia.
      + exists o, (c * xa + r)%Z. cbn [of_terms fold_right fst snd]. fold (of_terms q lr). rewrite Ea, Er. cbn.
        repeat split; auto. lia.
  Qed.

  Definition quotient_of (F : facts) (f : form) (k : Z) : form :=
    let (o, r) := out_of k (fst f) in
    let rest := (r, snd f mod k)%Z in
    match range F rest with
    | Some (x, y) =>
        if ((0 <=? x) && (y <? k))%Z then (o, snd f / k)%Z
        else plus_times (o, snd f / k)%Z 1 (atom (KDiv (rebuild rest) (KCst k)))
    | None => plus_times (o, snd f / k)%Z 1 (atom (KDiv (rebuild rest) (KCst k)))
    end.

  Lemma quotient_of_right q F f k z : known q F -> (0 < k)%Z -> of_form q f = Some z ->
    of_form q (quotient_of F f k) = Some (z / k)%Z.
  Proof.
    intros K pos E. destruct f as [l c]. unfold of_form in E. cbn [fst snd] in E.
    destruct (of_terms q l) as [x |] eqn:El; cbn [obind] in E; [| discriminate]. injection E as <-.
    destruct (@out_of_right q k l x pos El) as (o & r & Eo & Er & ->). unfold quotient_of. cbn [fst snd].
    destruct (out_of k l) as [lo lr]. cbn [fst snd] in *.
    assert (Erest : of_form q (lr, c mod k)%Z = Some (r + c mod k)%Z) by (unfold of_form; cbn [fst snd]; now rewrite Er).
    assert (Eout : of_form q (lo, c / k)%Z = Some (o + c / k)%Z) by (unfold of_form; cbn [fst snd]; now rewrite Eo).
    assert (Q : ((k * o + r + c) / k = o + c / k + (r + c mod k) / k)%Z).
    { replace (k * o + r + c)%Z with (r + c mod k + (o + c / k) * k)%Z by (pose proof (Z_div_mod_eq_full c k); nia).
      rewrite Z.div_add by lia. lia. }
    assert (At : of_form q (atom (KDiv (rebuild (lr, c mod k)%Z) (KCst k))) = Some ((r + c mod k) / k)%Z).
    { unfold of_form, atom. cbn [fst snd of_terms fold_right kev]. rewrite (@rebuild_right q _ _ Erest).
      cbn [obind]. rewrite (proj2 (Z.ltb_lt 0 k) pos). cbn [obind]. f_equal. lia. }
    assert (General : of_form q (plus_times (lo, c / k)%Z 1 (atom (KDiv (rebuild (lr, c mod k)%Z) (KCst k)))) =
      Some ((k * o + r + c) / k)%Z).
    { rewrite (@of_plus_times N s q _ 1%Z _ _ _ Eout At), Q. f_equal. lia. }
    destruct (range F (lr, c mod k)%Z) as [[u w] |] eqn:Rg; [| exact General].
    destruct ((0 <=? u) && (w <? k))%Z eqn:In; [| exact General].
    apply andb_true_iff in In as [I0 I1]. apply Z.leb_le in I0. apply Z.ltb_lt in I1.
    pose proof (@range_right N s q F _ _ K Erest u w Rg). rewrite Eout, Q, (Z.div_small (r + c mod k) k) by lia. f_equal. lia.
  Qed.

  Definition constant_of (f : form) : option Z := match f with ([], z) => Some z | _ => None end.

  Fixpoint linear (F : facts) (k : cindex) : form :=
    match k with
    | KVar _ => atom k
    | KCst z => number z
    | KSize n => number (Z.of_nat #n)
    | KAdd a b => plus_times (linear F a) 1 (linear F b)
    | KSub a b => plus_times (linear F a) (-1) (linear F b)
    | KMul a b =>
        match constant_of (linear F b), constant_of (linear F a) with
        | Some z, _ => plus_times (number 0) z (linear F a)
        | None, Some z => plus_times (number 0) z (linear F b)
        | None, None => atom k
        end
    | KDiv a b | KQuot a b =>
        match constant_of (linear F b) with
        | Some z => if (0 <? z)%Z then quotient_of F (linear F a) z else atom k
        | None => atom k
        end
    | KMod a b | KRem a b =>
        match constant_of (linear F b) with
        | Some z => if (0 <? z)%Z then plus_times (linear F a) (- z) (quotient_of F (linear F a) z) else atom k
        | None => atom k
        end
    end.

  Lemma of_atom q k z : kev q k = Some z -> of_form q (atom k) = Some z.
  Proof. intros E. unfold of_form, atom. cbn [fst snd of_terms fold_right]. rewrite E. cbn [obind]. f_equal. lia. Qed.

  Lemma constant_right q f z x : constant_of f = Some z -> of_form q f = Some x -> x = z.
  Proof. destruct f as [[| t l] c]; cbn; [| discriminate]. intros E V. injection E as <-. injection V as <-. reflexivity. Qed.

  Ltac operands q a b E x y :=
    destruct (kev q a) as [x |]; cbn [obind] in E; [| discriminate];
    destruct (kev q b) as [y |]; cbn [obind] in E; [| discriminate].

  Lemma linear_right q F : known q F -> forall k z, kev q k = Some z -> of_form q (linear F k) = Some z.
  Proof.
    intros K. induction k as [l | c | n | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb
      | a IHa b IHb]; intros z E; cbn [linear]; pose proof E as E0; cbn [kev] in E.
    - now apply of_atom.
    - injection E as <-. reflexivity.
    - injection E as <-. reflexivity.
    - operands q a b E x y.
      injection E as <-. rewrite (@of_plus_times N s q _ _ _ _ _ (IHa _ eq_refl) (IHb _ eq_refl)). f_equal; lia.
    - operands q a b E x y.
      injection E as <-. rewrite (@of_plus_times N s q _ _ _ _ _ (IHa _ eq_refl) (IHb _ eq_refl)). f_equal; lia.
    - operands q a b E x y.
      injection E as <-. specialize (IHa _ eq_refl). specialize (IHb _ eq_refl).
      destruct (constant_of (linear F b)) as [c |] eqn:Cb;
        [| destruct (constant_of (linear F a)) as [c |] eqn:Ca; [| now apply of_atom]].
      + rewrite (@constant_right q _ _ _ Cb IHb). rewrite (@of_plus_times N s q (number 0) c _ 0%Z _ eq_refl IHa). f_equal; lia.
      + rewrite (@constant_right q _ _ _ Ca IHa). rewrite (@of_plus_times N s q (number 0) c _ 0%Z _ eq_refl IHb). f_equal; lia.
    - operands q a b E x y.
      destruct (Z.ltb_spec 0 y); [| discriminate]. injection E as <-. specialize (IHa _ eq_refl). specialize (IHb _ eq_refl).
      destruct (constant_of (linear F b)) as [c |] eqn:Cb; [| now apply of_atom].
      pose proof (@constant_right q _ _ _ Cb IHb). subst c. destruct (Z.ltb_spec 0 y); [| now apply of_atom].
      now apply quotient_of_right.
    - operands q a b E x y.
      destruct (Z.ltb_spec 0 y); [| discriminate]. injection E as <-. specialize (IHa _ eq_refl). specialize (IHb _ eq_refl).
      destruct (constant_of (linear F b)) as [c |] eqn:Cb; [| now apply of_atom].
      pose proof (@constant_right q _ _ _ Cb IHb). subst c. destruct (Z.ltb_spec 0 y); [| now apply of_atom].
      rewrite (@of_plus_times N s q _ (- y)%Z _ _ _ IHa (@quotient_of_right q F _ y _ K ltac:(assumption) IHa)). f_equal.
      pose proof (Z_div_mod_eq_full x y). lia.
    - operands q a b E x y.
      destruct (Z.leb_spec 0 x), (Z.ltb_spec 0 y); cbn [andb] in E; try discriminate. injection E as <-.
      specialize (IHa _ eq_refl). specialize (IHb _ eq_refl).
      destruct (constant_of (linear F b)) as [c |] eqn:Cb; [| now apply of_atom].
      pose proof (@constant_right q _ _ _ Cb IHb). subst c. destruct (Z.ltb_spec 0 y); [| now apply of_atom].
      rewrite Z.quot_div_nonneg by lia. now apply quotient_of_right.
    - operands q a b E x y.
      destruct (Z.leb_spec 0 x), (Z.ltb_spec 0 y); cbn [andb] in E; try discriminate. injection E as <-.
      specialize (IHa _ eq_refl). specialize (IHb _ eq_refl).
      destruct (constant_of (linear F b)) as [c |] eqn:Cb; [| now apply of_atom].
      pose proof (@constant_right q _ _ _ Cb IHb). subst c. destruct (Z.ltb_spec 0 y); [| now apply of_atom].
      rewrite Z.rem_mod_nonneg by lia.
      rewrite (@of_plus_times N s q _ (- y)%Z _ _ _ IHa (@quotient_of_right q F _ y _ K ltac:(assumption) IHa)). f_equal.
      pose proof (Z_div_mod_eq_full x y). lia.
  Qed.

  (** ** Conditions *)

  Definition minus (f g : form) : form := plus_times f (-1) g.
  Definition negated (f : form) : form := minus (number 0) f.
  (** [f - 1], [- f - 1] *)
  Definition beyond (f : form) : form := minus f (number 1).
  Definition below (f : form) : form := minus (number (-1)) f.

  (** Forms that are not negative where [d op 0] is so, or not so. *)
  Definition says (o : Kernel.cmp) (h : bool) (d : form) : list form :=
    match o, h with
    | Kernel.CLt, true | Kernel.CGe, false => [below d]
    | Kernel.CLe, true | Kernel.CGt, false => [negated d]
    | Kernel.CGt, true | Kernel.CLe, false => [beyond d]
    | Kernel.CGe, true | Kernel.CLt, false => [d]
    | Kernel.CEq, true | Kernel.CNe, false => [d; negated d]
    | Kernel.CEq, false | Kernel.CNe, true => []
    end.

  Fixpoint said (F : facts) (c : ccond) (h : bool) : list form :=
    match c with
    | KCmp o a b => says o h (minus (linear F a) (linear F b))
    | KAnd c d => if h then said F c true ++ said F d true else []
    end.
  (** [c * (a / d) + r >= 0] without the division. *)
  Definition multiplied (F : facts) (f : form) : list form :=
    flat_map (fun t =>
      match snd t with
      | KDiv a (KCst d) =>
          if (0 <? d)%Z then
            let rest := plus_times f (- fst t) (atom (snd t)) in
            let x := if (0 <=? fst t)%Z then linear F a else minus (linear F a) (number (d - 1)) in
            [plus_times (plus_times (number 0) d rest) (fst t) x]
          else []
      | _ => []
      end) (fst f).
  (** [k * f + z >= 0], as [f + z / k >= 0]. *)
  Definition reduced (f : form) : form :=
    let k := fold_right (fun t => Z.gcd (fst t)) 0%Z (fst f) in
    if (1 <? k)%Z && forallb (fun t => fst t mod k =? 0)%Z (fst f)
    then (map (fun t => (fst t / k, snd t)%Z) (fst f), snd f / k)%Z else f.
  Definition not_negative (F : facts) : list form :=
    let l := flat_map (fun x => said F (fst x) (snd x)) F in map reduced (l ++ flat_map (multiplied F) l).

  (** Is the form at least 0? *)
  Definition in_range (F : facts) (f : form) : option bool :=
    match range F f with
    | Some (x, y) => if (0 <=? x)%Z then Some true else if (y <? 0)%Z then Some false else None
    | None => None
    end.
  Definition compared (F : facts) (f : form) : option bool :=
    fold_right (fun g r => match r with
      | Some _ => r
      | None =>
          if is (in_range F (minus f g)) true then Some true else
          if is (in_range F (plus_times f 1 g)) false then Some false else None
      end) (in_range F f) (not_negative F).

  Definition at_least (F : facts) (f : form) : option bool := compared F (reduced f).

  Definition decide_cmp (F : facts) (o : Kernel.cmp) (d : form) : option bool :=
    let equal :=
      match at_least F d, at_least F (negated d) with
      | Some false, _ | _, Some false => Some false
      | Some true, Some true => Some true
      | _, _ => None
      end in
    match o with
    | Kernel.CLt => at_least F (below d)
    | Kernel.CLe => at_least F (negated d)
    | Kernel.CGt => at_least F (beyond d)
    | Kernel.CGe => at_least F d
    | Kernel.CEq => equal
    | Kernel.CNe => option_map negb equal
    end.

  (** Has it a value? *)
  Definition positive (k : cindex) : bool :=
    match k with KCst z => (0 <? z)%Z | KSize n => 0 <? #n | _ => false end.
  Fixpoint total (F : facts) (k : cindex) : bool :=
    match k with
    | KVar _ | KCst _ | KSize _ => true
    | KAdd a b | KSub a b | KMul a b => total F a && total F b
    | KDiv a b | KMod a b => total F a && positive b
    | KQuot a b | KRem a b => total F a && positive b && is (at_least F (linear F a)) true
    end.

  Definition same_number (F : facts) (a b : cindex) : bool :=
    total F b && match minus (linear F a) (linear F b) with ([], 0%Z) => true | _ => false end.

  Fixpoint same_cond (F : facts) (c c' : ccond) : bool :=
    match c, c' with
    | KCmp o a b, KCmp o' a' b' =>
        match o, o' with
        | Kernel.CLt, Kernel.CLt | Kernel.CLe, Kernel.CLe | Kernel.CGt, Kernel.CGt | Kernel.CGe, Kernel.CGe
        | Kernel.CEq, Kernel.CEq | Kernel.CNe, Kernel.CNe => same_number F a a' && same_number F b b'
        | _, _ => false
        end
    | KAnd c d, KAnd c' d' => same_cond F c c' && same_cond F d d'
    | _, _ => false
    end.

  Fixpoint decided_by (F : facts) (c : ccond) : option bool :=
    match c with
    | KCmp o a b => decide_cmp F o (minus (linear F a) (linear F b))
    | KAnd c d =>
        match decided_by F c, decided_by F d with
        | Some true, r => r
        | Some false, _ | None, Some false => Some false
        | None, _ => None
        end
    end.
  Definition decision (F : facts) (c : ccond) : option bool :=
    match find (fun x => same_cond F c (fst x)) F with Some x => Some (snd x) | None => decided_by F c end.

  Lemma of_minus q f g x y : of_form q f = Some x -> of_form q g = Some y -> of_form q (minus f g) = Some (x - y)%Z.
  Proof. intros Ef Eg. unfold minus. rewrite (@of_plus_times N s q _ _ _ _ _ Ef Eg). f_equal; lia. Qed.

  Lemma says_right q o d x y z : of_form q d = Some z -> (z = x - y)%Z ->
    forall f, In f (says o (Kernel.eval_cmp o x y) d) -> exists w, of_form q f = Some w /\ (0 <= w)%Z.
  Proof.
    intros Ed ->.
    pose proof (@of_minus q _ _ _ _ (eq_refl : of_form q (number 0) = Some 0%Z) Ed) as En.
    pose proof (@of_minus q _ _ _ _ (eq_refl : of_form q (number (-1)) = Some (-1)%Z) Ed) as Eb.
    pose proof (@of_minus q _ _ _ _ Ed (eq_refl : of_form q (number 1) = Some 1%Z)) as Eu.
    destruct o; cbn [Kernel.eval_cmp];
      [destruct (Z.ltb_spec x y) | destruct (Z.leb_spec x y) | destruct (Z.ltb_spec y x) | destruct (Z.leb_spec y x)
      | destruct (Z.eqb_spec x y) | destruct (Z.eqb_spec x y)]; cbn [says negb In]; intros f I;
      repeat destruct I as [<- | I]; try contradiction; eexists; (split; [eassumption | lia]).
  Qed.

  Lemma kholds_cmp q o (a b : cindex) h : kholds q (KCmp o a b) = Some h -> exists x y,
    kev q a = Some x /\ kev q b = Some y /\ Kernel.eval_cmp o x y = h.
  Proof.
    cbn [kholds]. destruct (kev q a) as [x |]; cbn [obind]; [| discriminate].
    destruct (kev q b) as [y |]; cbn [obind]; [| discriminate]. intros E. injection E as E. eauto.
  Qed.

  Lemma difference_right q F a b x y : known q F -> kev q a = Some x -> kev q b = Some y ->
    of_form q (minus (linear F a) (linear F b)) = Some (x - y)%Z.
  Proof. intros K Ea Eb. apply of_minus; now apply linear_right. Qed.

  Lemma said_right q F : known q F -> forall c h, kholds q c = Some h ->
    forall f, In f (said F c h) -> exists w, of_form q f = Some w /\ (0 <= w)%Z.
  Proof.
    intros K. induction c as [o a b | c IHc d IHd]; intros h E f I; cbn [said] in I.
    - apply kholds_cmp in E as (x & y & Ea & Eb & <-).
      exact (@says_right q o _ x y _ (@difference_right q F _ _ _ _ K Ea Eb) eq_refl f I).
    - destruct h; [| destruct I]. cbn [kholds] in E. destruct (kholds q c) as [hc |]; cbn [obind] in E; [| discriminate].
      destruct hc; [| discriminate]. apply in_app_iff in I as [I | I]; eauto.
  Qed.

  Lemma of_terms_in q l : forall x t, of_terms q l = Some x -> In t l -> exists y, kev q (snd t) = Some y.
  Proof.
    induction l as [| u l IH]; intros x t E I; [destruct I |]. cbn [of_terms fold_right] in E. fold (of_terms q l) in E.
    destruct (kev q (snd u)) as [y |] eqn:Eu; cbn [obind] in E; [| discriminate].
    destruct (of_terms q l) as [r |]; cbn [obind] in E; [| discriminate]. destruct I as [<- | I]; eauto.
  Qed.

  Lemma multiplied_right q F f z : known q F -> of_form q f = Some z -> (0 <= z)%Z ->
    forall g, In g (multiplied F f) -> exists w, of_form q g = Some w /\ (0 <= w)%Z.
  Proof.
    intros K E pos g I. apply in_flat_map in I as ([c a] & I & J). cbn [fst snd] in J.
    destruct a as [| | | | | | a [| d | | | | | | | |] | | |]; try destruct J. destruct (Z.ltb_spec 0 d); [| destruct J].
    destruct J as [<- | []]. unfold of_form in E at 1.
    destruct (of_terms q (fst f)) as [r |] eqn:Er; cbn [obind] in E; [| discriminate].
    destruct (of_terms_in _ _ _ Er I) as (y & Ey). cbn [snd] in Ey.
    assert (Ef : of_form q f = Some z) by (unfold of_form; rewrite Er; exact E).
    pose proof (@of_plus_times N s q _ (- c)%Z _ _ _ Ef (@of_atom q _ _ Ey)) as Erest.
    cbn [kev] in Ey. destruct (kev q a) as [x |] eqn:Ea; cbn [obind] in Ey; [| discriminate].
    rewrite (proj2 (Z.ltb_lt 0 d)) in Ey by lia. injection Ey as Ey.
    pose proof (@linear_right q F K a x Ea) as El.
    pose proof (@of_plus_times N s q (number 0) d _ 0%Z _ eq_refl Erest) as Ed.
    pose proof (Z_div_mod_eq_full x d). pose proof (Z.mod_pos_bound x d ltac:(lia)).
    destruct (Z.leb_spec 0 c).
    - rewrite (@of_plus_times N s q _ c _ _ _ Ed El). eexists. split; [reflexivity |]. subst y. nia.
    - rewrite (@of_plus_times N s q _ c _ _ _ Ed (@of_minus q _ _ _ _ El (eq_refl : of_form q (number (d - 1)) = Some (d - 1)%Z))).
      eexists. split; [reflexivity |]. subst y. nia.
  Qed.

  Lemma reduced_right q f z : of_form q f = Some z -> exists w, of_form q (reduced f) = Some w /\ (0 <=? w)%Z = (0 <=? z)%Z.
  Proof.
    intros E. unfold reduced. set (k := fold_right _ _ _). destruct ((1 <? k)%Z && forallb _ _) eqn:D; [| eauto].
    apply andb_true_iff in D as [D1 D2]. apply Z.ltb_lt in D1. destruct f as [l c]. unfold of_form in *. cbn [fst snd] in *.
    destruct (of_terms q l) as [x |] eqn:El; cbn [obind] in E; [| discriminate]. injection E as <-.
    assert (Div : exists y, of_terms q (map (fun t => (fst t / k, snd t)%Z) l) = Some y /\ x = (k * y)%Z).
    { clearbody k. revert x El D2. induction l as [| [d a] l IH]; intros x El D2.
      - injection El as <-. exists 0%Z. split; [reflexivity | lia].
      - cbn [forallb fst] in D2. apply andb_true_iff in D2 as [Dd D2]. apply Z.eqb_eq in Dd.
        cbn [of_terms fold_right map fst snd] in *. fold (of_terms q l) in El.
        fold (of_terms q (map (fun t => (fst t / k, snd t)%Z) l)).
        destruct (kev q a) as [u |]; cbn [obind] in *; [| discriminate].
        destruct (of_terms q l) as [r |]; cbn [obind] in El; [| discriminate]. injection El as <-.
        destruct (IH r eq_refl D2) as (y & -> & ->). cbn [obind]. eexists. split; [reflexivity |].
        pose proof (Z_div_mod_eq_full d k). nia. }
    destruct Div as (y & -> & ->). cbn [obind]. eexists. split; [reflexivity |].
    pose proof (Z_div_mod_eq_full c k). pose proof (Z.mod_pos_bound c k ltac:(lia)).
    destruct (Z.leb_spec 0 (y + c / k)), (Z.leb_spec 0 (k * y + c)); auto; nia.
  Qed.

  Lemma not_negative_right q F : known q F -> forall f, In f (not_negative F) ->
    exists w, of_form q f = Some w /\ (0 <= w)%Z.
  Proof.
    intros K.
    assert (Said : forall f, In f (flat_map (fun x => said F (fst x) (snd x)) F) -> exists w, of_form q f = Some w /\ (0 <= w)%Z).
    { intros f I. apply in_flat_map in I as ([c h] & I & J). cbn [fst snd] in J. exact (@said_right q F K c h (K _ _ I) f J). }
    assert (All : forall f, In f (flat_map (fun x => said F (fst x) (snd x)) F ++
      flat_map (multiplied F) (flat_map (fun x => said F (fst x) (snd x)) F)) -> exists w, of_form q f = Some w /\ (0 <= w)%Z).
    { intros f I. apply in_app_iff in I as [I | I]; [now apply Said |].
      apply in_flat_map in I as (g & I & J). destruct (Said g I) as (w & E & pos). exact (@multiplied_right q F g w K E pos f J). }
    intros f I. apply in_map_iff in I as (g & <- & I). destruct (All g I) as (w & E & pos).
    destruct (reduced_right _ _ E) as (w' & E' & S). exists w'. split; [exact E' |].
    apply Z.leb_le. rewrite S. now apply Z.leb_le.
  Qed.

  Lemma in_range_right q F f z b : known q F -> of_form q f = Some z -> in_range F f = Some b -> b = (0 <=? z)%Z.
  Proof.
    intros K E. unfold in_range. destruct (range F f) as [[x y] |] eqn:R; [| discriminate].
    pose proof (@range_right N s q F f z K E x y R). destruct (Z.leb_spec 0 x), (Z.leb_spec 0 z); try lia.
    - intros B. now injection B.
    - destruct (Z.ltb_spec y 0); [lia | discriminate].
    - destruct (Z.ltb_spec y 0); [| discriminate]. intros B. now injection B.
  Qed.

  Lemma compared_right q F f z b : known q F -> of_form q f = Some z -> compared F f = Some b -> b = (0 <=? z)%Z.
  Proof.
    intros K E. unfold compared. pose proof (not_negative_right K) as NN.
    induction (not_negative F) as [| g l IH]; cbn [fold_right].
    - intros B. exact (@in_range_right q F f z b K E B).
    - specialize (IH (fun f I => NN f (or_intror I))).
      destruct (fold_right _ (in_range F f) l) as [r |]; [exact IH |]. clear IH.
      destruct (NN g (or_introl eq_refl)) as (w & Eg & pos).
      destruct (is (in_range F (minus f g)) true) eqn:I1.
      + unfold is in I1. destruct (in_range F (minus f g)) as [x |] eqn:R; [| discriminate]. apply eqb_prop in I1. subst x.
        pose proof (@in_range_right q F _ _ _ K (@of_minus q _ _ _ _ E Eg) R) as H. symmetry in H. apply Z.leb_le in H.
        intros B. injection B as <-. symmetry. apply Z.leb_le. lia.
      + destruct (is (in_range F (plus_times f 1 g)) false) eqn:I2; [| discriminate].
        unfold is in I2. destruct (in_range F (plus_times f 1 g)) as [x |] eqn:R; [| discriminate]. apply eqb_prop in I2. subst x.
        pose proof (@in_range_right q F _ _ _ K (@of_plus_times N s q _ 1%Z _ _ _ E Eg) R) as H. symmetry in H. apply Z.leb_gt in H.
        intros B. injection B as <-. symmetry. apply Z.leb_gt. lia.
  Qed.

  Lemma at_least_right q F f z b : known q F -> of_form q f = Some z -> at_least F f = Some b -> b = (0 <=? z)%Z.
  Proof.
    intros K E D. destruct (reduced_right _ _ E) as (w & E' & <-). exact (@compared_right q F _ w b K E' D).
  Qed.

  Lemma decided_by_right q F : known q F -> forall c b h, decided_by F c = Some b -> kholds q c = Some h -> h = b.
  Proof.
    intros K. induction c as [o x y | c IHc d IHd]; intros b h D E; cbn [decided_by] in D.
    - apply kholds_cmp in E as (u & w & Ex & Ey & <-). pose proof (@difference_right q F _ _ _ _ K Ex Ey) as Ed.
      set (e := minus (linear F x) (linear F y)) in *.
      pose proof (@of_minus q _ _ _ _ (eq_refl : of_form q (number 0) = Some 0%Z) Ed) as En.
      pose proof (@of_minus q _ _ _ _ (eq_refl : of_form q (number (-1)) = Some (-1)%Z) Ed) as Eb.
      pose proof (@of_minus q _ _ _ _ Ed (eq_refl : of_form q (number 1) = Some 1%Z)) as Eu.
      assert (Eqv : forall r, match at_least F e, at_least F (negated e) with
        | Some false, _ | _, Some false => Some false | Some true, Some true => Some true | _, _ => None end = Some r ->
        (u =? w)%Z = r).
      { intros r R. destruct (at_least F e) as [r1 |] eqn:R1; [apply (@at_least_right q F _ _ _ K Ed) in R1 |];
          (destruct (at_least F (negated e)) as [r2 |] eqn:R2; [apply (@at_least_right q F _ _ _ K En) in R2 |]);
          repeat match goal with H : context [(?p <=? ?q)%Z] |- _ => destruct (Z.leb_spec p q) end; subst;
          try discriminate; injection R as <-; destruct (Z.eqb_spec u w); lia. }
      destruct o; cbn [decide_cmp Kernel.eval_cmp] in *.
      + apply (@at_least_right q F _ _ _ K Eb) in D. subst b. apply eq_true_iff_eq. rewrite Z.ltb_lt, Z.leb_le. lia.
      + apply (@at_least_right q F _ _ _ K En) in D. subst b. apply eq_true_iff_eq. rewrite !Z.leb_le. lia.
      + apply (@at_least_right q F _ _ _ K Eu) in D. subst b. apply eq_true_iff_eq. rewrite Z.ltb_lt, Z.leb_le. lia.
      + apply (@at_least_right q F _ _ _ K Ed) in D. subst b. apply eq_true_iff_eq. rewrite !Z.leb_le. lia.
      + now apply Eqv.
      + match type of D with option_map _ ?r = _ => destruct r as [r0 |] eqn:R; [| discriminate] end.
        cbn in D. injection D as <-. now rewrite (Eqv _ eq_refl).
    - cbn [kholds] in E. destruct (kholds q c) as [hc |]; cbn [obind] in E; [| discriminate].
      destruct (decided_by F c) as [[] |] eqn:Dc.
      + rewrite (IHc _ _ eq_refl eq_refl) in E. eauto.
      + injection D as <-. rewrite (IHc _ _ eq_refl eq_refl) in E. now injection E.
      + destruct (decided_by F d) as [[] |] eqn:Dd; try discriminate. injection D as <-.
        destruct hc; [now apply (IHd _ _ eq_refl) | now injection E].
  Qed.

  Lemma positive_right q k : positive k = true -> exists z, kev q k = Some z /\ (0 <? z)%Z = true.
  Proof.
    destruct k; cbn [positive]; try discriminate; intros E.
    - cbn [kev]. eauto.
    - cbn [kev]. eexists. split; [reflexivity |]. apply Nat.ltb_lt in E. apply Z.ltb_lt. lia.
  Qed.

  Lemma total_right q F : known q F -> forall k, total F k = true -> exists z, kev q k = Some z.
  Proof.
    intros K.
    induction k as [l | z | n | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb];
      cbn [total kev]; intros E; eauto; apply andb_true_iff in E as [Ea Eb];
      try (destruct (IHa Ea) as [x ->], (IHb Eb) as [y ->]; cbn; eauto; fail);
      try (destruct (IHa Ea) as [x ->], (positive_right q _ Eb) as (y & -> & P); cbn; rewrite P; eauto; fail).
    all: apply andb_true_iff in Ea as [Ea Ep]; destruct (IHa Ea) as [x Ex], (positive_right q _ Ep) as (y & -> & P);
      rewrite Ex; cbn [obind]; rewrite P; unfold is in Eb;
      destruct (at_least F (linear F a)) as [h |] eqn:H; [| discriminate]; apply eqb_prop in Eb; subst h;
      apply (@at_least_right q F _ _ _ K (@linear_right q F K a x Ex)) in H; rewrite <- H; cbn; eauto.
  Qed.

  Lemma same_number_right q F a b z : known q F -> same_number F a b = true -> kev q a = Some z -> kev q b = Some z.
  Proof.
    intros K S E. apply andb_true_iff in S as [T S]. destruct (@total_right q F K b T) as [y Ey].
    pose proof (@difference_right q F _ _ _ _ K E Ey) as D.
    destruct (minus (linear F a) (linear F b)) as [[| t l] [| |]]; try discriminate.
    cbn in D. injection D as D. rewrite Ey. f_equal. lia.
  Qed.

  Lemma same_cond_right q F : known q F -> forall c c' h, same_cond F c c' = true -> kholds q c = Some h ->
    kholds q c' = Some h.
  Proof.
    intros K. induction c as [o a b | c IHc d IHd]; intros [o' a' b' | c' d'] h S E; try discriminate; cbn [same_cond] in S.
    - assert (o = o' /\ same_number F a a' = true /\ same_number F b b' = true) as (<- & Sa & Sb).
      { destruct o, o'; try discriminate; apply andb_true_iff in S as [Sa Sb]; auto. }
      apply kholds_cmp in E as (x & y & Ea & Eb & <-). cbn [kholds].
      now rewrite (@same_number_right q F _ _ _ K Sa Ea), (@same_number_right q F _ _ _ K Sb Eb).
    - apply andb_true_iff in S as [Sc Sd]. cbn [kholds] in *.
      destruct (kholds q c) as [hc |] eqn:Ec; cbn [obind] in E; [| discriminate].
      rewrite (IHc c' hc Sc eq_refl). cbn [obind]. destruct hc; [now apply IHd | exact E].
  Qed.

  Lemma decision_right q F c b h : known q F -> decision F c = Some b -> kholds q c = Some h -> h = b.
  Proof.
    intros K D E. unfold decision in D. destruct (find (fun x => same_cond F c (fst x)) F) as [[c' b'] |] eqn:Fd.
    - cbn [snd] in D. injection D as ->. apply find_some in Fd as [I S]. cbn [fst] in S.
      pose proof (@same_cond_right q F K _ _ _ S E) as E'. rewrite (K _ _ I) in E'. now injection E'.
    - exact (@decided_by_right q F K _ _ _ D E).
  Qed.
End Linear.
