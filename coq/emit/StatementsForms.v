(** * Sums of multiples of indices, and their ranges *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat emit.Tidy emit.TidyProof.
From Calque Require Import emit.Statements emit.StatementsProof.
From Calque Require Import dpia.CellsNormal.
From Calque Require kernel.Kernel.
Import ListNotations.
Set Implicit Arguments.

Section Forms.
  Context {N : sizes} {s : sizing N}.
  Notation cindex := (cindex N). Notation ccond := (ccond N). Notation facts := (facts (N := N)).

  Definition form := (list (Z * cindex) * Z)%type.

  (** Atoms have values. *)
  Definition of_terms (q : ienv) : list (Z * cindex) -> option Z :=
    fold_right (fun t r => obind (kev q (snd t)) (fun x => obind r (fun y => Some (fst t * x + y)%Z))) (Some 0%Z).
  Definition of_form (q : ienv) (f : form) : option Z := obind (of_terms q (fst f)) (fun x => Some (x + snd f)%Z).

  Definition key (k : cindex) : nat := match k with KVar l => S l | _ => 0 end.
  Fixpoint insert (c : Z) (a : cindex) (l : list (Z * cindex)) : list (Z * cindex) :=
    match l with
    | [] => if (c =? 0)%Z then [] else [(c, a)]
    | (d, b) :: r =>
        if index_eqb a b then if (c + d =? 0)%Z then r else (c + d, b)%Z :: r
        else if key a <? key b then if (c =? 0)%Z then l else (c, a) :: l
        else (d, b) :: insert c a r
    end.
  Definition number (z : Z) : form := ([], z).
  Definition atom (k : cindex) : form := ([(1%Z, k)], 0%Z).
  (** [f + k * g] *)
  Definition plus_times (f : form) (k : Z) (g : form) : form :=
    (fold_right (fun t l => insert (k * fst t) (snd t) l) (fst f) (fst g), (snd f + k * snd g)%Z).

  Lemma of_insert q c a x : kev q a = Some x -> forall l y, of_terms q l = Some y ->
    of_terms q (insert c a l) = Some (c * x + y)%Z.
  Proof.
    intros Ex. induction l as [| [d b] l IH]; intros y E; cbn [insert].
    - injection E as <-. destruct (Z.eqb_spec c 0) as [-> | ne]; cbn [of_terms fold_right snd fst]; [f_equal; lia |].
      now rewrite Ex.
    - cbn [of_terms fold_right snd fst] in E. fold (of_terms q l) in E.
      destruct (kev q b) as [xb |] eqn:Eb; cbn [obind] in E; [| discriminate].
      destruct (of_terms q l) as [yl |] eqn:El; cbn [obind] in E; [| discriminate]. injection E as <-.
      destruct (index_eqb a b) eqn:Eq.
      + apply index_eqb_eq in Eq. subst b. rewrite Ex in Eb. injection Eb as <-.
        destruct (Z.eqb_spec (c + d) 0) as [z | ne].
        * rewrite El. f_equal. nia.
        * cbn [of_terms fold_right snd fst]. fold (of_terms q l). rewrite Ex, El. cbn. f_equal. lia.
      + destruct (key a <? key b).
        * destruct (Z.eqb_spec c 0) as [-> | ne]; cbn [of_terms fold_right snd fst]; fold (of_terms q l);
            rewrite ?Ex, Eb, El; cbn; f_equal; lia.
        * cbn [of_terms fold_right snd fst]. fold (of_terms q (insert c a l)).
          rewrite Eb, (IH _ eq_refl). cbn. f_equal. lia.
  Qed.

  Lemma of_plus_times q f k g x y : of_form q f = Some x -> of_form q g = Some y ->
    of_form q (plus_times f k g) = Some (x + k * y)%Z.
  Proof.
    destruct f as [lf zf], g as [lg zg]. unfold of_form, plus_times. cbn [fst snd]. intros Ef Eg.
    destruct (of_terms q lf) as [xf |] eqn:Elf; cbn [obind] in Ef; [| discriminate]. injection Ef as <-.
    revert y Eg. induction lg as [| [c a] lg IH]; intros y Eg; cbn [fold_right fst snd] in *.
    - cbn in Eg. injection Eg as <-. rewrite Elf. cbn. f_equal. lia.
    - cbn [of_terms fold_right fst snd] in Eg. fold (of_terms q lg) in Eg.
      destruct (kev q a) as [xa |] eqn:Ea; cbn [obind] in Eg; [| discriminate].
      destruct (of_terms q lg) as [yl |] eqn:El; cbn [obind] in Eg; [| discriminate]. injection Eg as <-.
      specialize (IH _ eq_refl).
      destruct (of_terms q (fold_right (fun t l => insert (k * fst t) (snd t) l) lf lg)) as [r |] eqn:Er;
        cbn [obind] in IH; [| discriminate]. injection IH as IH.
      rewrite (of_insert _ (k * c)%Z _ Ea _ Er). cbn. f_equal. lia.
  Qed.

  (** ** Ranges *)

  Fixpoint least (F : facts) (v : nat) : option Z :=
    match F with
    | (KCmp Kernel.CGe (KVar l) (KCst z), true) :: F => if l =? v then Some z else least F v
    | _ :: F => least F v
    | [] => None
    end.
  Fixpoint above (F : facts) (v : nat) : option Z :=
    match F with
    | (KCmp Kernel.CLt (KVar l) (KCst z), true) :: F => if l =? v then Some z else above F v
    | _ :: F => above F v
    | [] => None
    end.

  Lemma known_tail q (c : ccond * bool) F : known q (c :: F) -> known q F.
  Proof. intros K d b I. apply K. now right. Qed.

  Lemma least_right q F v : known q F -> forall z, least F v = Some z -> (z <= q v)%Z.
  Proof.
    induction F as [| [c b] F IH]; intros K z E; [discriminate |]. pose proof (known_tail K) as K'. cbn [least] in E.
    destruct c as [[] [] [] | c d]; try destruct b; try (now apply IH).
    match type of E with (if ?l =? _ then _ else _) = _ => destruct (Nat.eqb_spec l v) as [-> | ne]; [| now apply IH] end.
    injection E as ->. specialize (K _ _ (or_introl eq_refl)). cbn in K. injection K as K. apply Z.leb_le in K. lia.
  Qed.
  Lemma above_right q F v : known q F -> forall z, above F v = Some z -> (q v < z)%Z.
  Proof.
    induction F as [| [c b] F IH]; intros K z E; [discriminate |]. pose proof (known_tail K) as K'. cbn [above] in E.
    destruct c as [[] [] [] | c d]; try destruct b; try (now apply IH).
    match type of E with (if ?l =? _ then _ else _) = _ => destruct (Nat.eqb_spec l v) as [-> | ne]; [| now apply IH] end.
    injection E as ->. specialize (K _ _ (or_introl eq_refl)). cbn in K. injection K as K. apply Z.ltb_lt in K. lia.
  Qed.

  (** The least and the greatest value of an atom, a form. *)
  Fixpoint range_atom (F : facts) (k : cindex) : option (Z * Z) :=
    match k with
    | KVar v => match least F v, above F v with Some a, Some b => Some (a, b - 1)%Z | _, _ => None end
    | KCst z => Some (z, z)
    | KAdd a b =>
        match range_atom F a, range_atom F b with
        | Some (x, y), Some (x', y') => Some (x + x', y + y')%Z
        | _, _ => None
        end
    | KMul (KCst c) a =>
        match range_atom F a with
        | Some (x, y) => if (0 <=? c)%Z then Some (c * x, c * y)%Z else Some (c * y, c * x)%Z
        | None => None
        end
    | KDiv a (KCst d) =>
        match range_atom F a with Some (x, y) => if (0 <? d)%Z then Some (x / d, y / d)%Z else None | None => None end
    | _ => None
    end.
  Fixpoint range_terms (F : facts) (l : list (Z * cindex)) : option (Z * Z) :=
    match l with
    | [] => Some (0, 0)%Z
    | (c, a) :: l =>
        match range_atom F a, range_terms F l with
        | Some (x, y), Some (x', y') =>
            if (0 <=? c)%Z then Some (c * x + x', c * y + y')%Z else Some (c * y + x', c * x + y')%Z
        | _, _ => None
        end
    end.
  Definition range (F : facts) (f : form) : option (Z * Z) :=
    match range_terms F (fst f) with Some (x, y) => Some (x + snd f, y + snd f)%Z | None => None end.

  Lemma range_atom_right q F : known q F -> forall k z x y, kev q k = Some z -> range_atom F k = Some (x, y) -> (x <= z <= y)%Z.
  Proof.
    intros K.
    induction k as [v | c | n | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb];
      intros z x y E R; cbn [range_atom] in R; try discriminate.
    - destruct (least F v) as [lo |] eqn:El; [| discriminate]. destruct (above F v) as [hi |] eqn:Eh; [| discriminate].
      injection R as <- <-. injection E as <-. pose proof (least_right v K El). pose proof (above_right v K Eh). lia.
    - injection R as <- <-. injection E as <-. lia.
    - cbn [kev] in E. destruct (kev q a) as [u |]; cbn [obind] in E; [| discriminate].
      destruct (kev q b) as [w |]; cbn [obind] in E; [| discriminate]. injection E as <-.
      destruct (range_atom F a) as [[xa ya] |]; [| discriminate]. destruct (range_atom F b) as [[xb yb] |]; [| discriminate].
      injection R as <- <-. specialize (IHa _ _ _ eq_refl eq_refl). specialize (IHb _ _ _ eq_refl eq_refl). lia.
    - destruct a as [| c | | | | | | | |]; try discriminate. cbn [kev] in E. cbn [obind] in E.
      destruct (kev q b) as [w |]; cbn [obind] in E; [| discriminate]. injection E as <-.
      destruct (range_atom F b) as [[xb yb] |]; [| discriminate]. specialize (IHb _ _ _ eq_refl eq_refl).
      destruct (Z.leb_spec 0 c); injection R as <- <-; nia.
    - destruct b as [| d | | | | | | | |]; try discriminate. cbn [kev] in E.
      destruct (kev q a) as [u |]; cbn [obind] in E; [| discriminate].
      destruct (range_atom F a) as [[xa ya] |]; [| discriminate]. specialize (IHa _ _ _ eq_refl eq_refl).
      destruct (Z.ltb_spec 0 d); [| discriminate]. injection E as <-. injection R as <- <-.
      split; apply Z.div_le_mono; lia.
  Qed.

  Lemma range_right q F f z : known q F -> of_form q f = Some z -> forall x y, range F f = Some (x, y) -> (x <= z <= y)%Z.
  Proof.
    intros K. destruct f as [l k]. unfold of_form, range. cbn [fst snd].
    destruct (of_terms q l) as [r |] eqn:El; cbn [obind]; [| discriminate]. intros Ez x y E. injection Ez as <-.
    destruct (range_terms F l) as [[x0 y0] |] eqn:E0; [| discriminate]. injection E as <- <-.
    enough (x0 <= r <= y0)%Z by lia. clear k. revert r x0 y0 El E0.
    induction l as [| [c a] l IH]; intros r x0 y0 El E0; cbn [range_terms] in E0.
    - injection E0 as <- <-. injection El as <-. lia.
    - cbn [of_terms fold_right fst snd] in El. fold (of_terms q l) in El.
      destruct (kev q a) as [xa |] eqn:Ea; cbn [obind] in El; [| discriminate].
      destruct (of_terms q l) as [yl |] eqn:Ell; cbn [obind] in El; [| discriminate]. injection El as <-.
      destruct (range_atom F a) as [[u w] |] eqn:Er; [| discriminate].
      destruct (range_terms F l) as [[u' w'] |]; [| discriminate].
      assert (u <= xa <= w)%Z by exact (@range_atom_right q F K a xa u w Ea Er).
      specialize (IH _ _ _ eq_refl eq_refl).
      destruct (Z.leb_spec 0 c); injection E0 as <- <-; nia.
  Qed.
End Forms.
