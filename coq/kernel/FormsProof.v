(** * Normal forms keep the value *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Wf kernel.Forms.
Import ListNotations.
Open Scope Z_scope.

Scheme form_mut := Induction for form Sort Prop
  with atom_mut := Induction for atom Sort Prop.
Combined Scheme form_atom_ind from form_mut, atom_mut.

(** Every variable is within its extent. *)
Definition inside_ext (ext : list nat) (rho : list Z) : Prop :=
  forall n, 0 <= nth n rho 0 <= Z.of_nat (nth n ext 1%nat) - 1.

Lemma in_box_inside ext : forall rho, in_box ext rho = true -> inside_ext ext rho.
Proof.
  induction ext as [| d ext IH]; intros [| z rho] H n; try discriminate.
  - destruct n; simpl; lia.
  - simpl in H. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt in H.
    destruct n as [| n]; simpl; [lia |]. now apply IH.
Qed.

(** ** Intervals *)

Definition within_span (z : Z) (s : span) : Prop := fst s <= z <= snd s.

Lemma span_plus_sound y z s t :
  within_span y s -> within_span z t -> within_span (y + z) (span_plus s t).
Proof. unfold within_span, span_plus. simpl. lia. Qed.

Lemma span_mul_sound z s k : within_span z s -> within_span (z * k) (span_mul s k).
Proof.
  unfold within_span. destruct s as [l h]. unfold span_mul.
  destruct (Z.leb_spec 0 k); simpl; nia.
Qed.

Lemma span_by_sound z s m : 0 < m -> within_span z s -> within_span (z / m) (span_by s m).
Proof.
  unfold within_span, span_by. simpl. intros pos [L H].
  split; apply Z.div_le_mono; lia.
Qed.

Lemma same_quotient l h z m : 0 < m -> l <= z <= h -> l / m = h / m -> z / m = l / m.
Proof.
  intros pos [L H] E. pose proof (Z.div_le_mono l z m pos L).
  pose proof (Z.div_le_mono z h m pos H). lia.
Qed.

Lemma span_rest_sound z s m : 0 < m -> within_span z s -> within_span (z mod m) (span_rest s m).
Proof.
  unfold within_span. destruct s as [l h]. simpl fst. simpl snd. intros pos B. unfold span_rest.
  destruct ((l <=? h) && (l / m =? h / m)) eqn:E; simpl.
  - rewrite andb_true_iff, Z.eqb_eq in E. destruct E as [_ E].
    pose proof (same_quotient l h z m pos B E). rewrite Z.mod_eq by lia. rewrite H. nia.
  - pose proof (Z.mod_pos_bound z m pos). lia.
Qed.

(** Divisors are positive. *)
Fixpoint divides (a : ix) : bool :=
  match a with
  | IVar _ | ICst _ => true
  | IAdd a b | ISub a b => divides a && divides b
  | IMul a _ => divides a
  | IDiv a m | IMod a m => (0 <? m) && divides a
  end.

(** The same of forms, whose variables are among some. *)
Section Sound.
Variable among : nat -> bool.

Fixpoint divides_form (f : form) : bool :=
  match f with FCst _ => true | FTerm a _ f => divides_atom a && divides_form f end
with divides_atom (a : atom) : bool :=
  match a with AVar n => among n | ADiv f m | AMod f m => (0 <? m) && divides_form f end.

Lemma span_form_atom ext rho : inside_ext ext rho ->
  (forall f, divides_form f = true -> within_span (eval_form rho f) (span_form ext f)) /\
  (forall a, divides_atom a = true -> within_span (eval_atom rho a) (span_atom ext a)).
Proof.
  intros inn. apply form_atom_ind; simpl.
  - intros k _. unfold within_span. simpl. lia.
  - intros a IHa c f IHf D. apply andb_true_iff in D as [Da Df].
    apply span_plus_sound; [| auto]. rewrite Z.mul_comm. apply span_mul_sound. auto.
  - intros n _. apply inn.
  - intros f IH m D. apply andb_true_iff in D as [pos D]. apply Z.ltb_lt in pos.
    apply span_by_sound; auto.
  - intros f IH m D. apply andb_true_iff in D as [pos D]. apply Z.ltb_lt in pos.
    apply span_rest_sound; auto.
Qed.

Lemma span_form_sound ext rho f :
  inside_ext ext rho -> divides_form f = true -> within_span (eval_form rho f) (span_form ext f).
Proof. intros inn. apply (span_form_atom ext rho inn). Qed.

(** ** Order *)

Lemma then_cmp_eq c d : then_cmp c d = Eq -> c = Eq /\ d = Eq.
Proof. destruct c; simpl; intuition discriminate. Qed.

Lemma form_atom_cmp_eq key :
  (forall f g, form_cmp key f g = Eq -> f = g) /\
  (forall a b, atom_cmp key a b = Eq -> a = b).
Proof.
  apply form_atom_ind.
  - intros k [j | ? ? ?]; simpl; [| discriminate]. intros H. f_equal. now apply Z.compare_eq.
  - intros a IHa c f IHf [j | b d g]; simpl; [discriminate |]. intros H.
    apply then_cmp_eq in H as [Ea H]. apply then_cmp_eq in H as [Ec Ef].
    apply Z.compare_eq in Ec. subst. f_equal; auto.
  - intros n [m | |]; simpl; try discriminate. intros H. apply then_cmp_eq in H as [_ H].
    f_equal. now apply Nat.compare_eq.
  - intros f IH m [| g n | g n]; simpl; try discriminate. intros H.
    apply then_cmp_eq in H as [E H]. apply Z.compare_eq in H. subst. f_equal. auto.
  - intros f IH m [| g n | g n]; simpl; try discriminate. intros H.
    apply then_cmp_eq in H as [E H]. apply Z.compare_eq in H. subst. f_equal. auto.
Qed.

Lemma atom_cmp_eq key a b : atom_cmp key a b = Eq -> a = b.
Proof. apply form_atom_cmp_eq. Qed.

Lemma form_cmp_eq key f g : form_cmp key f g = Eq -> f = g.
Proof. apply form_atom_cmp_eq. Qed.

(** ** Sums *)

Lemma add_term_eval rho a c f :
  eval_form rho (add_term a c f) = c * eval_atom rho a + eval_form rho f.
Proof. unfold add_term. destruct (Z.eqb_spec c 0); subst; reflexivity. Qed.

Lemma scaled_plus_eval rho j c g : eval_form rho (scaled_plus j c g) = j + c * eval_form rho g.
Proof.
  induction g as [k | a y g IH]; simpl; [reflexivity |]. rewrite add_term_eval, IH. ring.
Qed.

Lemma merge_eval key rho : forall f c g,
  eval_form rho (merge key f c g) = eval_form rho f + c * eval_form rho g.
Proof.
  induction f as [j | a x f IH]; intros c g; [apply scaled_plus_eval |].
  induction g as [k | b y g IHg].
  - cbn [merge eval_form]. rewrite IH. simpl. ring.
  - simpl. destruct (atom_cmp key a b) eqn:E.
    + apply atom_cmp_eq in E. subst b. rewrite add_term_eval, IH. ring.
    + simpl. rewrite IH. simpl. ring.
    + rewrite add_term_eval. simpl in IHg. rewrite IHg. ring.
Qed.

Lemma quotient_atom_eval rho f m :
  0 < m -> eval_atom rho (quotient_atom f m) = eval_form rho f / m.
Proof.
  intros pos. unfold quotient_atom.
  destruct f as [k | [n | g j | g j] [| [p | p |] | p] [[| |] | ]]; try reflexivity.
  destruct (Z.ltb_spec 0 j); [| reflexivity].
  destruct (Z.ltb_spec 0 m); [| reflexivity].
  destruct (j * m <=? 2147483647); [| reflexivity].
  cbn [andb eval_atom eval_form].
  rewrite <- Z.div_div by lia. f_equal. lia.
Qed.

Lemma digit_term_pos key whole f : forall c g m,
  digit_term key whole f = Some (c, g, m) -> 0 < m.
Proof.
  induction f as [k | a x f IH]; intros c g m; simpl; [discriminate |].
  destruct a; try apply IH.
  destruct (Z.ltb_spec 0 m0); simpl; [| apply IH].
  destruct (_ =? _); [| apply IH]. intros H1. now injection H1 as <- <- <-.
Qed.

Lemma recombine_eval key rho fuel : forall f,
  eval_form rho (recombine key fuel f) = eval_form rho f.
Proof.
  induction fuel as [| fuel IH]; intros f; [reflexivity |]. cbn [recombine].
  destruct (digit_term key f f) as [[[c g] m] |] eqn:E; [| reflexivity].
  apply digit_term_pos in E. rewrite IH, !merge_eval.
  unfold of_atom. cbn [eval_form]. rewrite (quotient_atom_eval rho g m E). cbn [eval_atom].
  rewrite (Z.mod_eq (eval_form rho g) m) by lia. ring.
Qed.

Lemma plus_eval key rho f c g :
  eval_form rho (plus key f c g) = eval_form rho f + c * eval_form rho g.
Proof. unfold plus. now rewrite recombine_eval, merge_eval. Qed.

(** ** Quotients and remainders *)

Lemma divisible_remaining rho m f :
  0 < m -> eval_form rho f = m * eval_form rho (divisible m f) + eval_form rho (remaining m f).
Proof.
  intros pos. induction f as [k | a c f IH]; simpl; [ring |].
  destruct (Z.eqb_spec (c mod m) 0) as [E | _]; simpl; rewrite IH; [| ring].
  rewrite (Z.div_mod c m) at 1 by lia. rewrite E. ring.
Qed.

Lemma divides_remaining m f : divides_form f = true -> divides_form (remaining m f) = true.
Proof.
  induction f as [k | a c f IH]; simpl; [reflexivity |]. intros D.
  apply andb_true_iff in D as [Da Df]. destruct (_ =? _); simpl; [auto |].
  rewrite Da. auto.
Qed.

Lemma divides_divisible m f : divides_form f = true -> divides_form (divisible m f) = true.
Proof.
  induction f as [k | a c f IH]; simpl; [reflexivity |]. intros D.
  apply andb_true_iff in D as [Da Df]. destruct (_ =? _); simpl; [| auto].
  rewrite Da. auto.
Qed.

Lemma divides_add_term a c f :
  divides_atom a = true -> divides_form f = true -> divides_form (add_term a c f) = true.
Proof. intros A F. unfold add_term. destruct (c =? 0); simpl; [exact F | now rewrite A, F]. Qed.

Lemma divides_merge key f : forall c g,
  divides_form f = true -> divides_form g = true -> divides_form (merge key f c g) = true.
Proof.
  induction f as [j | a x f IH]; intros c g F G.
  - simpl. induction g as [k | b y g IHg]; simpl in *; [reflexivity |].
    apply andb_true_iff in G as [Gb G]. apply divides_add_term; auto.
  - simpl in F. apply andb_true_iff in F as [Fa F].
    induction g as [k | b y g IHg].
    + cbn [merge divides_form]. rewrite Fa. now apply IH.
    + pose proof G as G'. simpl in G'. apply andb_true_iff in G' as [Gb G'].
      simpl. destruct (atom_cmp key a b).
      * apply divides_add_term; auto.
      * simpl. rewrite Fa. now apply IH.
      * apply divides_add_term; [exact Gb |]. now apply IHg.
Qed.

Lemma divides_quotient_atom f m :
  0 < m -> divides_form f = true -> divides_atom (quotient_atom f m) = true.
Proof.
  intros pos D. apply Z.ltb_lt in pos.
  assert (plain : divides_atom (ADiv f m) = true) by (simpl; now rewrite pos, D).
  unfold quotient_atom.
  destruct f as [k | [n | g j | g j] [| [p | p |] | p] [[| |] | ]]; try exact plain.
  destruct (Z.ltb_spec 0 j); [| exact plain]. apply Z.ltb_lt in pos.
  destruct (Z.ltb_spec 0 m); [| exact plain].
  destruct (j * m <=? 2147483647); [| exact plain]. cbn [andb divides_atom].
  simpl in D. rewrite !andb_true_iff in D. destruct D as [[_ D] _]. rewrite D.
  destruct (Z.ltb_spec 0 (j * m)); [reflexivity | nia].
Qed.

Lemma digit_term_divides key whole f : forall c g m,
  divides_form f = true -> digit_term key whole f = Some (c, g, m) -> divides_form g = true.
Proof.
  induction f as [k | a x f IH]; intros c g m D; simpl; [discriminate |].
  simpl in D. apply andb_true_iff in D as [Da D].
  destruct a; try now apply IH.
  destruct (_ && _); [| now apply IH]. intros H. injection H as <- <- <-.
  simpl in Da. now apply andb_true_iff in Da as [].
Qed.

Lemma divides_recombine key fuel : forall f,
  divides_form f = true -> divides_form (recombine key fuel f) = true.
Proof.
  induction fuel as [| fuel IH]; intros f D; [exact D |]. cbn [recombine].
  destruct (digit_term key f f) as [[[c g] m] |] eqn:E; [| exact D].
  pose proof (digit_term_pos _ _ _ _ _ _ E) as pos.
  pose proof (digit_term_divides _ _ _ _ _ _ D E) as G.
  apply IH. repeat apply divides_merge; auto; unfold of_atom; cbn [divides_form].
  - cbn [divides_atom]. apply Z.ltb_lt in pos. now rewrite pos, G.
  - now rewrite divides_quotient_atom.
Qed.

Lemma divides_plus key f c g :
  divides_form f = true -> divides_form g = true -> divides_form (plus key f c g) = true.
Proof. intros. now apply divides_recombine, divides_merge. Qed.

Lemma constant_quotient_sound ext rho f m q :
  inside_ext ext rho -> divides_form f = true -> 0 < m ->
  constant_quotient ext f m = Some q -> eval_form rho f / m = q.
Proof.
  intros inn D pos. unfold constant_quotient.
  pose proof (span_form_sound ext rho f inn D) as B. destruct (span_form ext f) as [l h].
  destruct (Z.eqb_spec (l / m) (h / m)) as [E |]; [| discriminate].
  intros H. injection H as <-. now apply same_quotient with (h := h).
Qed.

Lemma divide_eval key ext rho f m :
  inside_ext ext rho -> divides_form f = true -> 0 < m ->
  eval_form rho (divide key ext f m) = eval_form rho f / m.
Proof.
  intros inn D pos. unfold divide. rewrite (divisible_remaining rho m f pos), Z.mul_comm.
  rewrite Z.div_add_l by lia.
  destruct (constant_quotient ext (remaining m f) m) as [q |] eqn:E; rewrite plus_eval.
  - apply (constant_quotient_sound ext rho) in E;
      [| exact inn | now apply divides_remaining | exact pos].
    rewrite E. simpl. ring.
  - unfold of_atom. cbn [eval_form]. rewrite quotient_atom_eval by exact pos. ring.
Qed.

Lemma modulo_eval key ext rho f m :
  inside_ext ext rho -> divides_form f = true -> 0 < m ->
  eval_form rho (modulo key ext f m) = eval_form rho f mod m.
Proof.
  intros inn D pos. unfold modulo. rewrite (divisible_remaining rho m f pos), Z.mul_comm.
  rewrite Z.add_comm, Z.mod_add by lia.
  destruct (constant_quotient ext (remaining m f) m) as [q |] eqn:E.
  - apply (constant_quotient_sound ext rho) in E;
      [| exact inn | now apply divides_remaining | exact pos].
    rewrite plus_eval, Z.mod_eq by lia. rewrite E. simpl. ring.
  - unfold of_atom. cbn [eval_form eval_atom]. ring.
Qed.

Lemma divides_form_of key ext a :
  (forall n, (1 < nth n ext 1)%nat -> among n = true) ->
  divides a = true -> divides_form (form_of key ext a) = true.
Proof.
  intros wide.
  induction a as [n | z | a IHa b IHb | a IHa b IHb | a IHa k | a IHa m | a IHa m];
    cbn [divides form_of]; intros D; try (apply andb_true_iff in D as [D D']);
    try (apply divides_plus; auto; reflexivity).
  - destruct (Nat.leb_spec (nth n ext 1%nat) 1); [reflexivity |]. simpl. now rewrite wide by lia.
  - reflexivity.
  - rewrite D. apply Z.ltb_lt in D. specialize (IHa D'). unfold divide.
    destruct (constant_quotient ext _ m); apply divides_plus;
      auto using divides_divisible.
    unfold of_atom. cbn [divides_form]. rewrite divides_quotient_atom; auto using divides_remaining.
  - rewrite D. specialize (IHa D'). unfold modulo.
    destruct (constant_quotient ext _ m); [apply divides_plus; auto using divides_remaining |].
    unfold of_atom. cbn [divides_form divides_atom]. rewrite D, divides_remaining; auto.
Qed.

End Sound.

Theorem form_of_eval key ext rho a :
  inside_ext ext rho -> divides a = true -> eval_form rho (form_of key ext a) = eval_ix rho a.
Proof.
  intros inn. induction a as [n | z | a IHa b IHb | a IHa b IHb | a IHa k | a IHa m | a IHa m];
    cbn [divides form_of eval_ix]; intros D; try (apply andb_true_iff in D as [D D']).
  - destruct (Nat.leb_spec (nth n ext 1%nat) 1).
    + specialize (inn n). cbn [eval_form]. lia.
    + unfold of_atom. cbn [eval_form eval_atom]. ring.
  - reflexivity.
  - rewrite plus_eval, IHa, IHb by assumption. ring.
  - rewrite plus_eval, IHa, IHb by assumption. ring.
  - rewrite plus_eval, IHa by assumption. simpl. ring.
  - rewrite D. apply Z.ltb_lt in D.
    rewrite (divide_eval (fun _ => true)), IHa; auto using divides_form_of.
  - rewrite D. apply Z.ltb_lt in D.
    rewrite (modulo_eval (fun _ => true)), IHa; auto using divides_form_of.
Qed.

(** ** Back to index expressions *)

Definition maybe (rho : list Z) (o : option ix) : Z :=
  match o with Some a => eval_ix rho a | None => 0 end.

Fixpoint positive_part (rho : list Z) (f : form) : Z :=
  match f with
  | FCst _ => 0
  | FTerm a c f => (if c <? 0 then 0 else c * eval_atom rho a) + positive_part rho f
  end.

Fixpoint negative_part (rho : list Z) (f : form) : Z :=
  match f with
  | FCst _ => 0
  | FTerm a c f => (if c <? 0 then - c * eval_atom rho a else 0) + negative_part rho f
  end.

Lemma parts rho f : eval_form rho f = positive_part rho f + constant f - negative_part rho f.
Proof.
  induction f as [k | a c f IH]; simpl; [ring |]. rewrite IH. destruct (c <? 0); ring.
Qed.

Lemma scaled_ix_eval rho a c : eval_ix rho (scaled_ix a c) = c * eval_ix rho a.
Proof. unfold scaled_ix. destruct (Z.eqb_spec c 1); subst; cbn [eval_ix]; ring. Qed.

Lemma arrange_eval rho o k f z :
  (forall b, eval_ix rho (f b) = eval_ix rho b - z) ->
  eval_ix rho (arrange o k f) = maybe rho o + k - z.
Proof.
  intros H. unfold arrange. destruct o as [a |]; simpl.
  - destruct (Z.ltb_spec k 0); simpl; rewrite H; destruct (Z.ltb_spec 0 k); simpl; lia.
  - rewrite H. simpl. lia.
Qed.

Lemma form_ix_parts rho :
  (forall f, (forall o, maybe rho (added_ix f o) = maybe rho o + positive_part rho f) /\
             (forall b, eval_ix rho (subtracted_ix f b) = eval_ix rho b - negative_part rho f)) /\
  (forall a, eval_ix rho (atom_ix a) = eval_atom rho a).
Proof.
  apply form_atom_ind.
  - intros k. split; intros; simpl; ring.
  - intros a IHa c f [IHp IHn]. split; intros o; simpl.
    + rewrite IHp. destruct (c <? 0); [ring |].
      destruct o; cbn [join_ix maybe eval_ix]; rewrite scaled_ix_eval, IHa; ring.
    + rewrite IHn. destruct (c <? 0); [| ring]. simpl. rewrite scaled_ix_eval, IHa. ring.
  - reflexivity.
  - intros f [IHp IHn] m. simpl. f_equal.
    rewrite (arrange_eval rho _ _ _ (negative_part rho f)) by apply IHn.
    rewrite IHp, parts. simpl. ring.
  - intros f [IHp IHn] m. simpl. f_equal.
    rewrite (arrange_eval rho _ _ _ (negative_part rho f)) by apply IHn.
    rewrite IHp, parts. simpl. ring.
Qed.

Theorem form_ix_eval rho f : eval_ix rho (form_ix f) = eval_form rho f.
Proof.
  destruct (proj1 (form_ix_parts rho) f) as [P N]. unfold form_ix.
  rewrite (arrange_eval rho _ _ _ (negative_part rho f)) by apply N.
  rewrite P, parts. simpl. ring.
Qed.
