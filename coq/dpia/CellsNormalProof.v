(** * The normal form keeps the value: bit for bit, over any scalars with the laws *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require kernel.Kernel.
From Calque Require Import base.Lists dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Tiling.
From Calque Require Import dpia.Cells dpia.CellsProof dpia.CellsForm dpia.CellsNormal.
Import ListNotations.
Set Implicit Arguments.
Open Scope nat_scope.

Section NormalProof.
  Context {A : algebra} (law : laws A).
  Variable inputs : list (value A).
  Notation cell := (cell A). Notation cond := (cond numbers). Notation point := (point A).
  Notation holdsn := (holds (s := numbers_sizing)).
  Notation cval := (cval inputs).
  Implicit Types (R : list nat) (r : point) (c : cell) (f : nat -> Z).

  (** ** All values are good *)

  Definition fine (o : option (scalar A)) : Prop := forall x, o = Some x -> good law x.
  Definition good_value (w : value A) : Prop := forall t, fine (look w t).
  Definition good_point r : Prop := forall l, fine (acc r l).
  Hypothesis inputs_good : forall w, In w inputs -> good_value w.

  Lemma fine_put r l z a : good_point r -> fine a -> good_point (put r l z a).
  Proof. intros G F x. cbn. destruct (x =? l); [exact F | apply G]. Qed.

  Lemma fold_fine (F : option (scalar A) -> nat -> option (scalar A)) n : forall a, fine a ->
    (forall k a, k < n -> fine a -> fine (F a k)) -> fine (fold_left F (seq 0 n) a).
  Proof.
    intros a G each.
    assert (below : forall k, In k (seq 0 n) -> k < n) by (intros k ink; apply in_seq in ink; lia).
    revert a G below. generalize (seq 0 n) as ks.
    induction ks as [| k ks IH]; intros a G below; [exact G |]. cbn. apply IH.
    - apply each; [apply below; now left | exact G].
    - intros j inj. apply below. now right.
  Qed.

  Lemma look_junk (t : path) : look (@junk A) t = None.
  Proof. destruct t as [| []]; reflexivity. Qed.

  Theorem cval_good c : forall r, good_point r -> fine (cval r c).
  Proof.
    induction c as [z | o a IH | o a IHa b IHb | x p | l | l n step IHs init IHi | c a IHa b IHb]; intros r G; cbn [Cells.cval].
    - intros y E. injection E as <-. apply good_lit.
    - intros y E. destruct (cval r a) eqn:Ea; [| discriminate]. injection E as <-. apply good_un. now apply (IH r G).
    - intros y E. destruct (cval r a) eqn:Ea; [| discriminate]. destruct (cval r b) eqn:Eb; [| discriminate].
      injection E as <-. apply good_bin; [now apply (IHa r G) | now apply (IHb r G)].
    - destruct (spot (ind r) p) as [t |]; [| discriminate].
      destruct (nth_in_or_default x inputs junk) as [I | ->]; [now apply inputs_good |].
      rewrite look_junk. discriminate.
    - apply G.
    - apply fold_fine; [now apply IHi |]. intros k a _ Fa. apply IHs. now apply fine_put.
    - destruct (holdsn (ind r) c); auto.
  Qed.

  (** ** Folds of the same terms *)

  Lemma fold_agree (P : option (scalar A) -> Prop) (F G : option (scalar A) -> nat -> option (scalar A)) n : forall a,
    P a -> (forall k a, k < n -> P a -> P (F a k) /\ F a k = G a k) ->
    fold_left F (seq 0 n) a = fold_left G (seq 0 n) a.
  Proof.
    intros a H each.
    assert (below : forall k, In k (seq 0 n) -> k < n) by (intros k ink; apply in_seq in ink; lia).
    revert a H below. generalize (seq 0 n) as ks.
    induction ks as [| k ks IH]; intros a H below; [reflexivity |]. cbn.
    destruct (each k a (below k (or_introl eq_refl)) H) as [H' E]. rewrite <- E. apply IH; [exact H' |].
    intros j inj. apply below. now right.
  Qed.

  Lemma fold_step r l n s t i : good_point r ->
    (forall k a, k < n -> fine a -> cval (put r l (Z.of_nat k) a) s = cval (put r l (Z.of_nat k) a) t) ->
    cval r (CFold l n s i) = cval r (CFold l n t i).
  Proof.
    intros G each. cbn [Cells.cval]. apply fold_agree with (P := fine); [now apply cval_good |].
    intros k a lt Fa. split; [| now apply each]. apply cval_good. now apply fine_put.
  Qed.

  (** ** Conditions *)

  Lemma decided_right R f o i j b : within R f -> decided R o i j = Some b ->
    Kernel.eval_cmp o (ixnv f i) (ixnv f j) = b.
  Proof.
    intros inside. unfold decided. destruct (span R (XSub i j)) as [[lo hi] |] eqn:E; [| discriminate].
    apply (@span_right R f _ _ _ inside) in E. cbn [ixv] in E.
    destruct o; cbn [Kernel.eval_cmp]; repeat match goal with
      | |- context [(?x <? ?y)%Z] => destruct (Z.ltb_spec x y)
      | |- context [(?x <=? ?y)%Z] => destruct (Z.leb_spec x y)
      | |- context [(?x =? ?y)%Z] => destruct (Z.eqb_spec x y)
      end; cbn; intros D; try discriminate; injection D as <-; try reflexivity; lia.
  Qed.

  Lemma difference o (x y : Z) : Kernel.eval_cmp o (x - y) 0 = Kernel.eval_cmp o x y.
  Proof.
    destruct o; cbn; repeat match goal with
      | |- context [(?x <? ?y)%Z] => destruct (Z.ltb_spec x y)
      | |- context [(?x <=? ?y)%Z] => destruct (Z.leb_spec x y)
      | |- context [(?x =? ?y)%Z] => destruct (Z.eqb_spec x y)
      end; cbn; try reflexivity; lia.
  Qed.

  Lemma open_right R f (c : cond) : within R f ->
    holdsn f c = match open R c with Some l => forallb (holdsn f) l | None => false end.
  Proof.
    intros inside. induction c as [o i j | a IHa b IHb]; cbn [open holds].
    - destruct (decided R o i j) as [[] |] eqn:E; try (rewrite (@decided_right R f o i j _ inside E); reflexivity).
      cbn [forallb holds]. rewrite (@tidy_right R f _ inside), andb_true_r. cbn [ixv]. now rewrite difference.
    - rewrite IHa, IHb. destruct (open R a) as [l |]; [| reflexivity]. destruct (open R b) as [m |].
      + now rewrite forallb_app.
      + apply andb_false_r.
  Qed.

  Lemma guarded_right r l a b :
    cval r (guarded l a b) = if forallb (holdsn (ind r)) l then cval r a else cval r b.
  Proof.
    destruct l as [| c l]; [reflexivity |]. cbn [guarded Cells.cval forallb].
    replace (holdsn (ind r) (fold_left (fun c d : cond => CAnd c d) l c)) with (holdsn (ind r) c && forallb (holdsn (ind r)) l); [reflexivity |].
    revert c. induction l as [| d l IH]; intros c; cbn [forallb fold_left]; [apply andb_true_r |].
    rewrite <- IH. cbn [holds]. now rewrite andb_assoc.
  Qed.

  Lemma tidy_place_right R f p : within R f -> spot f (map (tidy_turn R) p) = spot f p.
  Proof.
    intros inside. induction p as [| [i | |] p IH]; cbn; [reflexivity | | now rewrite IH | now rewrite IH].
    unfold index. now rewrite (@tidy_right R f _ inside), IH.
  Qed.

  Theorem polish_right c : forall R r, within R (ind r) -> good_point r -> cval r (polish R c) = cval r c.
  Proof.
    induction c as [z | o a IH | o a IHa b IHb | x p | l | l n step IHs init IHi | c a IHa b IHb];
      intros R r inside G; cbn [polish]; try reflexivity.
    - cbn. now rewrite IH.
    - cbn. now rewrite IHa, IHb.
    - cbn. now rewrite tidy_place_right.
    - destruct (Nat.eqb_spec l (length R)) as [-> |]; [| reflexivity].
      transitivity (cval r (CFold (length R) n step (polish R init))).
      + apply fold_step; [exact G |]. intros k x lt F. apply IHs; [now apply within_put | now apply fine_put].
      + cbn [Cells.cval]. now rewrite IHi.
    - cbn [Cells.cval]. rewrite (@open_right R (ind r) c inside). destruct (open R c) as [l |].
      + rewrite guarded_right. destruct (forallb _ l); auto.
      + now apply IHb.
  Qed.

  (** ** Two folds as one *)

  (** [r'] is [r] where the two loops are one; so far [d] loops are around. *)
  Definition moved (l : nat) (k : positive) (d : nat) r r' : Prop :=
    (forall x, x < S d -> ind r x = ixnv (ind r') (merged l k x)) /\
    (forall x, x < S d -> x <> l -> acc r x = acc r' (down l x)).

  Lemma moved_put l k d r r' z a : l < d -> moved l k d r r' ->
    moved l k (S d) (put r (S d) z a) (put r' d z a).
  Proof.
    intros lt [HI HA]. split; intros x ltx; cbn.
    - destruct (Nat.eqb_spec x (S d)) as [-> | ne].
      + unfold merged. destruct (Nat.ltb_spec (S d) l); [lia |]. destruct (Nat.eqb_spec (S d) l); [lia |].
        destruct (Nat.eqb_spec (S d) (S l)); [lia |]. cbn. rewrite Nat.sub_0_r, Nat.eqb_refl. reflexivity.
      + rewrite HI by lia. unfold merged.
        destruct (Nat.ltb_spec x l); [cbn; destruct (Nat.eqb_spec x d); [lia | reflexivity] |].
        destruct (Nat.eqb_spec x l); [cbn; destruct (Nat.eqb_spec l d); [lia | reflexivity] |].
        destruct (Nat.eqb_spec x (S l)); [cbn; destruct (Nat.eqb_spec l d); [lia | reflexivity] |].
        cbn. destruct (Nat.eqb_spec (x - 1) d); [lia | reflexivity].
    - intros nl. destruct (Nat.eqb_spec x (S d)) as [-> | ne].
      + unfold down. destruct (Nat.leb_spec (S d) l); [lia |]. cbn. now rewrite Nat.sub_0_r, Nat.eqb_refl.
      + rewrite HA by lia. unfold down. destruct (Nat.leb_spec x l).
        * destruct (Nat.eqb_spec x d); [lia | reflexivity].
        * destruct (Nat.eqb_spec (x - 1) d); [lia | reflexivity].
  Qed.

  Lemma merged_ix_right l k d r r' i j : moved l k d r r' -> merged_ix l k d i = Some j ->
    ixnv (ind r') j = ixnv (ind r) i.
  Proof.
    intros [HI _]. unfold merged_ix. destruct (scoped (S d) i) eqn:sc; [| discriminate]. intros E. injection E as <-.
    rewrite ixv_subst. apply ixv_ext. unfold scoped in sc.
    eapply (ix_allb_iff (N := numbers) (fun _ _ _ => true)) in sc; [| intros x; apply Nat.ltb_lt].
    eapply ix_all_mono; [| exact sc]. intros x lt. cbn beta. symmetry. now apply HI.
  Qed.

  Lemma merged_cond_right l k d r r' (c : cond) : moved l k d r r' -> forall (c' : cond), merged_cond l k d c = Some c' ->
    holdsn (ind r') c' = holdsn (ind r) c.
  Proof.
    intros M. induction c as [o i j | a IHa b IHb]; intros c' E; cbn [merged_cond] in E.
    - destruct (merged_ix l k d i) as [i' |] eqn:Ei; [| discriminate].
      destruct (merged_ix l k d j) as [j' |] eqn:Ej; [| discriminate]. injection E as <-. cbn [holds].
      now rewrite (merged_ix_right _ M Ei), (merged_ix_right _ M Ej).
    - destruct (merged_cond l k d a) as [a' |]; [| discriminate].
      destruct (merged_cond l k d b) as [b' |]; [| discriminate]. injection E as <-. cbn [holds].
      now rewrite (IHa _ eq_refl), (IHb _ eq_refl).
  Qed.

  Lemma merged_place_right l k d r r' p : moved l k d r r' -> forall q, traverse (merged_turn l k d) p = Some q ->
    spot (ind r') q = spot (ind r) p.
  Proof.
    intros M. induction p as [| [i | |] p IH]; intros q E; cbn [traverse merged_turn option_map] in E;
      [now injection E as <- | | |].
    - destruct (merged_ix l k d i) as [j |] eqn:Ei; [| discriminate]. cbn [option_map] in E.
      destruct (traverse (merged_turn l k d) p) as [q' |]; [| discriminate]. injection E as <-.
      cbn. unfold index. now rewrite (merged_ix_right _ M Ei), (IH _ eq_refl).
    - destruct (traverse (merged_turn l k d) p) as [q' |]; [| discriminate]. injection E as <-. cbn. now rewrite (IH _ eq_refl).
    - destruct (traverse (merged_turn l k d) p) as [q' |]; [| discriminate]. injection E as <-. cbn. now rewrite (IH _ eq_refl).
  Qed.

  Lemma rename_right l k c : forall d r r' c', l < d -> moved l k d r r' -> rename l k d c = Some c' ->
    cval r' c' = cval r c.
  Proof.
    induction c as [z | o a IH | o a IHa b IHb | x p | x | x n step IHs init IHi | c a IHa b IHb];
      intros d r r' c' lt M E; cbn [rename] in E; unfold both in E.
    - now injection E as <-.
    - destruct (rename l k d a) as [a' |] eqn:Ea; [| discriminate]. injection E as <-. cbn. now rewrite (IH _ _ _ _ lt M Ea).
    - destruct (rename l k d a) as [a' |] eqn:Ea; [| discriminate]. destruct (rename l k d b) as [b' |] eqn:Eb; [| discriminate].
      injection E as <-. cbn. now rewrite (IHa _ _ _ _ lt M Ea), (IHb _ _ _ _ lt M Eb).
    - destruct (traverse (merged_turn l k d) p) as [q |] eqn:Ep; [| discriminate]. injection E as <-. cbn.
      now rewrite (merged_place_right _ M Ep).
    - destruct (Nat.eqb_spec x l); [discriminate |]. destruct (Nat.ltb_spec d x); [discriminate |].
      injection E as <-. cbn. symmetry. apply (proj2 M); [lia | assumption].
    - destruct (Nat.eqb_spec x (S d)) as [-> |]; [| discriminate].
      destruct (rename l k (S d) step) as [s' |] eqn:Es; [| discriminate].
      destruct (rename l k d init) as [i' |] eqn:Ei; [| discriminate]. injection E as <-. cbn [Cells.cval].
      rewrite (IHi _ _ _ _ lt M Ei). apply fold_left_ext_in. intros a j _.
      apply (IHs (S d)); [lia | now apply moved_put | exact Es].
    - destruct (merged_cond l k d c) as [c0 |] eqn:Ec; [| discriminate].
      destruct (rename l k d a) as [a' |] eqn:Ea; [| discriminate]. destruct (rename l k d b) as [b' |] eqn:Eb; [| discriminate].
      injection E as <-. cbn [Cells.cval]. rewrite (merged_cond_right _ M Ec), (IHa _ _ _ _ lt M Ea), (IHb _ _ _ _ lt M Eb). reflexivity.
  Qed.

  Lemma moved_here l k r i j a b : j < Pos.to_nat k ->
    moved l k (S l) (put (put r l (Z.of_nat i) b) (S l) (Z.of_nat j) a) (put r l (Z.of_nat (i * Pos.to_nat k + j)) a).
  Proof.
    intros lt. destruct (divmod_join i lt) as [D M]. split; intros x ltx; cbn [ind acc put].
    - unfold merged. destruct (Nat.eqb_spec x (S l)) as [-> | ne].
      + destruct (Nat.ltb_spec (S l) l); [lia |]. destruct (Nat.eqb_spec (S l) l); [lia |].
        cbn. rewrite Nat.eqb_refl. rewrite <- positive_nat_Z, <- Nat2Z.inj_mod, M. reflexivity.
      + destruct (Nat.ltb_spec x l); [cbn; destruct (Nat.eqb_spec x l); [lia | reflexivity] |].
        destruct (Nat.eqb_spec x l) as [-> |]; [| lia].
        cbn. rewrite Nat.eqb_refl. rewrite <- positive_nat_Z, <- Nat2Z.inj_div, D. reflexivity.
    - intros nl. unfold down. destruct (Nat.eqb_spec x (S l)) as [-> | ne].
      + destruct (Nat.leb_spec (S l) l); [lia |]. cbn. now rewrite Nat.sub_0_r, Nat.eqb_refl.
      + destruct (Nat.leb_spec x l); [| lia]. destruct (Nat.eqb_spec x l); [lia | reflexivity].
  Qed.

  Lemma fold_concat {B C} (F : C -> B -> C) ll : forall a,
    fold_left (fun a l => fold_left F l a) ll a = fold_left F (concat ll) a.
  Proof. induction ll as [| l ll IH]; intros a; [reflexivity |]. cbn. now rewrite IH, fold_left_app. Qed.

  Lemma fold_map {B C D} (F : C -> D -> C) (g : B -> D) l : forall a,
    fold_left F (map g l) a = fold_left (fun a x => F a (g x)) l a.
  Proof. induction l as [| x l IH]; intros a; [reflexivity |]. apply IH. Qed.

  (** A sum over a and b is the sum over k a + b, term by term. *)
  Theorem merge_right l k r n t t' init : rename l k (S l) t = Some t' ->
    cval r (CFold l (n * Pos.to_nat k) t' init) = cval r (CFold l n (CFold (S l) (Pos.to_nat k) t (CAcc l)) init).
  Proof.
    intros E. cbn [Cells.cval]. set (m := Pos.to_nat k).
    rewrite (Nat.mul_comm n m).
    rewrite <- (map_id (seq 0 (m * n))), <- (concat_seq (fun x => x) m n), <- fold_concat, fold_map.
    apply fold_left_ext_in. intros a i _. rewrite fold_map. cbn [acc put]. rewrite Nat.eqb_refl.
    apply fold_left_ext_in. intros b j inj. apply in_seq in inj.
    apply (@rename_right l k t (S l) _ _ _ ltac:(lia)); [| exact E]. apply moved_here. lia.
  Qed.

  Lemma one_fold_right l n s m t r init : one_fold l n s = (m, t) ->
    cval r (CFold l m t init) = cval r (CFold l n s init).
  Proof.
    unfold one_fold. intros E.
    destruct s as [| | | | | l' m' t0 [| | | | x | |] |]; try (injection E as <- <-; reflexivity).
    destruct (Z.of_nat m') as [| k |] eqn:Em; try (injection E as <- <-; reflexivity).
    destruct (Nat.eqb_spec l' (S l)) as [-> |]; cbn [andb] in E; [| injection E as <- <-; reflexivity].
    destruct (Nat.eqb_spec x l) as [-> |]; [| injection E as <- <-; reflexivity].
    destruct (rename l k (S l) t0) as [t' |] eqn:Er; [| injection E as <- <-; reflexivity].
    injection E as <- <-.
    replace m' with (Pos.to_nat k) by (apply Nat2Z.inj; now rewrite positive_nat_Z).
    now apply merge_right.
  Qed.

  (** ** Guards *)

  Lemma unguarded_right r l n s i : good_point r ->
    cval r (CFold l n (unguarded law l s i) i) = cval r (CFold l n s i).
  Proof.
    intros G. unfold unguarded.
    destruct i as [z0 | | | | | |]; try reflexivity.
    destruct s as [| | | | | | c [| | o [| | | | x | |] e | | | |] [| | | | y | |]]; try reflexivity.
    destruct (pad law o z0) as [z |] eqn:P; [| reflexivity].
    destruct (Nat.eqb_spec x l) as [-> |]; [| reflexivity]. destruct (Nat.eqb_spec y l) as [-> |]; [| reflexivity].
    cbn [andb]. symmetry. destruct (pad_right law _ _ P) as (keeps & start & more & none).
    cbn [Cells.cval]. apply fold_agree with (P := fun a => fine a /\ forall x, a = Some x -> keeps x).
    - split; intros x E; injection E as <-; [apply good_lit | exact start].
    - intros k a lt [F Kp]. cbn [acc put]. rewrite Nat.eqb_refl.
      pose proof (cval_good e (fine_put l (Z.of_nat k) G F)) as Ge.
      destruct (holdsn _ c).
      + split; [| reflexivity]. destruct a as [x |]; [| split; intros; discriminate].
        destruct (cval _ e) as [y |]; [| split; intros; discriminate].
        split; intros w E; injection E as <-; [apply good_bin | apply more]; auto.
      + split; [now split |]. destruct a as [x |]; [| reflexivity]. cbn [Cells.cval]. now rewrite none by auto.
  Qed.

  Theorem fuse_right c : forall R r, within R (ind r) -> good_point r -> cval r (fuse law R c) = cval r c.
  Proof.
    induction c as [z | o a IH | o a IHa b IHb | x p | l | l n step IHs init IHi | c a IHa b IHb];
      intros R r inside G; cbn [fuse]; try reflexivity.
    - cbn. now rewrite IH.
    - cbn. now rewrite IHa, IHb.
    - destruct (Nat.eqb_spec l (length R)) as [-> |]; [| reflexivity].
      destruct (one_fold (length R) n (fuse law (R ++ [n]) step)) as [m t] eqn:E.
      rewrite (unguarded_right _ _ _ _ G), (one_fold_right _ _ _ _ _ E).
      transitivity (cval r (CFold (length R) n step (fuse law R init))).
      + apply fold_step; [exact G |]. intros k x lt F. apply IHs; [now apply within_put | now apply fine_put].
      + cbn [Cells.cval]. now rewrite IHi.
    - cbn [Cells.cval]. rewrite IHa, IHb by assumption. reflexivity.
  Qed.

  Theorem normal_right R r c : within R (ind r) -> good_point r -> cval r (normal law R c) = cval r c.
  Proof. intros inside G. unfold normal. now rewrite polish_right, fuse_right, polish_right. Qed.

  (** ** The same cell *)

  Lemma cond_same_eq (c : cond) : forall d, cond_same c d = true -> c = d.
  Proof.
    induction c as [o i j | a IHa b IHb]; intros [p k l | c d] E; cbn in E; try discriminate.
    - rewrite !andb_true_iff in E. destruct E as [[Eo Ei] Ej]. apply ix_same_eq in Ei, Ej. subst.
      f_equal. now destruct o, p.
    - apply andb_true_iff in E as [E1 E2]. f_equal; auto.
  Qed.

  Theorem same_right c : forall d r, same law c d = true -> cval r c = cval r d.
  Proof.
    induction c as [z | o a IH | o a IHa b IHb | x p | l | l n step IHs init IHi | c a IHa b IHb]; intros d r E;
      destruct d; cbn [same] in E; try discriminate; rewrite ?andb_true_iff in E; cbn [Cells.cval].
    - f_equal. now apply lit_same_right with law.
    - destruct E as [Eo Ea]. rewrite (IH _ r Ea). destruct (cval r d); [| reflexivity]. cbn. f_equal. now apply uop_same_right with law.
    - destruct E as [[Eo Ea] Eb]. rewrite (IHa _ r Ea), (IHb _ r Eb). destruct (cval r d1), (cval r d2); try reflexivity.
      f_equal. now apply bop_same_right with law.
    - destruct E as [Ex Ep]. apply Nat.eqb_eq in Ex. apply place_same_eq in Ep. now subst.
    - apply Nat.eqb_eq in E. now subst.
    - destruct E as [[[El En] Es] Ei]. apply Nat.eqb_eq in El, En. subst. rewrite (IHi _ r Ei).
      apply fold_left_ext_in. intros a k _. now apply IHs.
    - destruct E as [[Ec Ea] Eb]. apply cond_same_eq in Ec. subst. rewrite (IHa _ r Ea), (IHb _ r Eb). reflexivity.
  Qed.

  Theorem cell_eq_right R r c d : cell_eq law R c d = true -> within R (ind r) -> good_point r -> cval r c = cval r d.
  Proof.
    intros E inside G. rewrite <- (normal_right c inside G), <- (normal_right d inside G). now apply same_right.
  Qed.
End NormalProof.
