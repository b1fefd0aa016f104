(** * Copies under a substitution, with normal forms and without what always holds *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Forms kernel.FormsProof.
From Calque Require Import kernel.Gradient kernel.SweepProof kernel.GatherForm.
Import ListNotations.
Open Scope Z_scope.

(** ** Divisors stay positive *)

Lemma nth_divides f n : forallb divides f = true -> divides (nth n f (ICst 0)) = true.
Proof.
  intros H. destruct (Nat.lt_ge_cases n (length f)).
  - rewrite forallb_forall in H. apply H. now apply nth_In.
  - now rewrite nth_overflow.
Qed.

Lemma subst_divides f a : forallb divides f = true -> divides a = true -> divides (subst_ix f a) = true.
Proof.
  intros H. induction a as [n | z | a IHa b IHb | a IHa b IHb | a IHa k | a IHa m | a IHa m];
    cbn [divides subst_ix]; intros D; try (apply andb_true_iff in D as [D D']);
    try (rewrite ?D, ?IHa, ?IHb by assumption; reflexivity).
  now apply nth_divides.
Qed.

Lemma shift_divides m a : divides (shift_ix m a) = divides a.
Proof. induction a; simpl; congruence. Qed.

Lemma lift_divides m f : forallb divides f = true -> forallb divides (lift m f) = true.
Proof.
  intros H. unfold lift. rewrite forallb_app, !forallb_map. apply andb_true_iff. split.
  - now apply forallb_forall.
  - rewrite (forallb_ext _ divides); [exact H | apply shift_divides].
Qed.

Lemma form_ix_divides_parts :
  (forall f, divides_form (fun _ => true) f = true ->
     (forall o, match o with Some a => divides a | None => true end = true ->
                match added_ix f o with Some a => divides a | None => true end = true) /\
     (forall b, divides b = true -> divides (subtracted_ix f b) = true)) /\
  (forall a, divides_atom (fun _ => true) a = true -> divides (atom_ix a) = true).
Proof.
  assert (scaled : forall a c, divides a = true -> divides (scaled_ix a c) = true)
    by (intros a c D; unfold scaled_ix; now destruct (c =? 1)).
  assert (arranged : forall p k n, match p with Some a => divides a | None => true end = true ->
    (forall b, divides b = true -> divides (n b) = true) -> divides (arrange p k n) = true).
  { intros [a |] k n P N; unfold arrange; [| now apply N].
    assert (H : divides (n (if 0 <? k then IAdd a (ICst k) else a)) = true)
      by (apply N; destruct (0 <? k); simpl; now rewrite ?P).
    destruct (k <? 0); simpl; now rewrite ?H. }
  apply form_atom_ind.
  - intros k _. split; auto.
  - intros a IHa c f IHf D. simpl in D. apply andb_true_iff in D as [Da Df].
    destruct (IHf Df) as [P N]. specialize (IHa Da). split.
    + intros o O. cbn [added_ix]. apply P. destruct (c <? 0); [exact O |].
      destruct o; cbn [join_ix divides]; rewrite ?scaled; auto. now rewrite O.
    + intros b B. cbn [subtracted_ix]. apply N. destruct (c <? 0); [| exact B].
      cbn [divides]. now rewrite B, scaled.
  - reflexivity.
  - intros f IH m D. simpl in D. apply andb_true_iff in D as [pos D]. destruct (IH D) as [P N].
    cbn [atom_ix divides]. rewrite pos. now apply arranged; [apply P |].
  - intros f IH m D. simpl in D. apply andb_true_iff in D as [pos D]. destruct (IH D) as [P N].
    cbn [atom_ix divides]. rewrite pos. now apply arranged; [apply P |].
Qed.

Lemma form_ix_divides f : divides_form (fun _ => true) f = true -> divides (form_ix f) = true.
Proof.
  intros D. destruct (proj1 form_ix_divides_parts f D) as [P N]. unfold form_ix, arrange.
  specialize (P None eq_refl). destruct (added_ix f None) as [a |]; [| now apply N].
  assert (H : divides (subtracted_ix f (if 0 <? constant f then IAdd a (ICst (constant f)) else a)) = true)
    by (apply N; destruct (0 <? constant f); simpl; now rewrite ?P).
  destruct (constant f <? 0); simpl; now rewrite ?H.
Qed.

(** ** Positive divisors in expressions *)

Definition comparison_divides (c : comparison) : bool :=
  let '(_, a, b) := c in divides a && divides b.

Definition guard_divides (g : guard) : bool := forallb comparison_divides (fst g).

Section Put.
  Variable F : field.
  Variable shapes : tid -> list nat.
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Notation ex := (ex (text F)).
  Notation store := (store (text F)).
  Notation put := (put F shapes).
  Notation put_guards := (put_guards F).

  Fixpoint ex_divides (e : ex) : bool :=
    match e with
    | ECst _ => true
    | ELd _ l => forallb divides l
    | EBin _ a b => ex_divides a && ex_divides b
    | EFn _ l => forallb ex_divides l
    | ESel c a b => forallb comparison_divides (comparisons c) && ex_divides a && ex_divides b
    | ERed _ _ e => ex_divides e
    end.

  (** A substitution at values of the variables after it. *)
  Definition placed (f : substitution) (rho : list Z) : Prop :=
    in_box (to f) rho = true /\ forallb divides (moved f) = true.

  Definition before (f : substitution) (rho : list Z) : list Z := map (eval_ix rho) (moved f).

  Lemma under_placed ns f k rho :
    in_box ns k = true -> placed f rho -> placed (under ns f) (k ++ rho).
  Proof.
    intros ink [inn D]. split; cbn [under to moved].
    - rewrite in_box_app by exact (in_box_length _ _ ink). now rewrite ink, inn.
    - now apply lift_divides.
  Qed.

  Lemma under_before ns f k rho :
    in_box ns k = true -> before (under ns f) (k ++ rho) = k ++ before f rho.
  Proof. intros ink. unfold before, under. cbn [moved]. apply eval_lift. exact (in_box_length _ _ ink). Qed.

  Lemma normal_eval f rho a :
    placed f rho -> divides a = true ->
    eval_form rho (normal f (subst_ix (moved f) a)) = eval_ix (before f rho) a.
  Proof.
    intros [inn D] Da. unfold normal. rewrite form_of_eval.
    - apply eval_subst_ix.
    - now apply in_box_inside.
    - now apply subst_divides.
  Qed.

  Lemma put_side_eval f rho a :
    placed f rho -> divides a = true -> eval_ix rho (put_side f a) = eval_ix (before f rho) a.
  Proof. intros P D. unfold put_side. rewrite form_ix_eval. now apply normal_eval. Qed.

  Lemma put_index_eval f rho n a :
    placed f rho -> divides a = true -> eval_ix rho (put_index f n a) = eval_ix (before f rho) a.
  Proof.
    intros P D. unfold put_index. destruct (_ || _).
    - rewrite form_ix_eval. now apply normal_eval.
    - apply eval_subst_ix.
  Qed.

  Lemma put_indices_eval f rho l : forall d,
    placed f rho -> forallb divides l = true ->
    map (eval_ix rho) (put_indices f d l) = map (eval_ix (before f rho)) l.
  Proof.
    induction l as [| a l IH]; intros d P D; [reflexivity |].
    simpl in D. apply andb_true_iff in D as [Da D]. simpl.
    rewrite put_index_eval by assumption. f_equal. now apply IH.
  Qed.

  Lemma put_comparison_eval f rho c :
    placed f rho -> comparison_divides c = true ->
    holds_comparison rho (put_comparison f c) = holds_comparison (before f rho) c.
  Proof.
    destruct c as [[o a] b]. intros P D. simpl in D. apply andb_true_iff in D as [Da Db].
    unfold holds_comparison. simpl. now rewrite !put_side_eval.
  Qed.

  Lemma put_side_divides f rho a :
    placed f rho -> divides a = true -> divides (put_side f a) = true.
  Proof.
    intros [_ D] Da. apply form_ix_divides. apply divides_form_of; [reflexivity |].
    now apply subst_divides.
  Qed.

  Lemma always_sound f rho c :
    placed f rho -> comparison_divides c = true -> always f c = true ->
    holds_comparison rho c = true.
  Proof.
    destruct c as [[o a] b]. intros [inn _] D. simpl in D. apply andb_true_iff in D as [Da Db].
    unfold always. apply in_box_inside in inn.
    pose proof (span_form_sound (fun _ => true) (to f) rho
      (plus (key f) (normal f a) (-1) (normal f b)) inn) as B.
    destruct (span_form (to f) _) as [l h].
    unfold within_span in B. rewrite plus_eval in B. unfold normal in B.
    rewrite !form_of_eval in B by assumption. simpl fst in B. simpl snd in B.
    specialize (B (divides_plus _ _ _ _ _ (divides_form_of _ _ _ _ (fun _ _ => eq_refl) Da)
                                          (divides_form_of _ _ _ _ (fun _ _ => eq_refl) Db))).
    unfold holds_comparison. cbn [compare eval_cond].
    destruct o; cbn [eval_cmp]; rewrite ?andb_true_iff, ?orb_true_iff, ?Z.ltb_lt, ?Z.leb_le, ?Z.eqb_eq,
      ?negb_true_iff, ?Z.eqb_neq; lia.
  Qed.

  Lemma forallb_filter_true {A} (p q : A -> bool) l :
    (forall a, In a l -> q a = true -> p a = true) ->
    forallb p (filter (fun a => negb (q a)) l) = forallb p l.
  Proof.
    induction l as [| a l IH]; intros H; [reflexivity |]. simpl.
    rewrite <- IH by (intros b inb; apply H; now right).
    destruct (q a) eqn:E; simpl; [| reflexivity].
    now rewrite (H a (or_introl eq_refl) E).
  Qed.

  Lemma put_comparisons_eval f rho l :
    placed f rho -> forallb comparison_divides l = true ->
    forallb (holds_comparison rho) (put_comparisons f l) =
    forallb (holds_comparison (before f rho)) l.
  Proof.
    intros P D. unfold put_comparisons. rewrite forallb_filter_true.
    - rewrite forallb_map. revert D. induction l as [| c l IH]; intros D; [reflexivity |].
      simpl in D. apply andb_true_iff in D as [Dc D]. simpl.
      now rewrite put_comparison_eval, IH.
    - intros c inc. apply in_map_iff in inc as ([[o a] b] & <- & inc).
      rewrite forallb_forall in D. specialize (D _ inc). simpl in D. apply andb_true_iff in D as [Da Db].
      apply always_sound; [exact P |]. simpl. now rewrite !(put_side_divides f rho).
  Qed.

  Theorem put_eval (st : store) (e : ex) : forall f rho,
    placed f rho -> ex_divides e = true -> val F st rho (put f e) = val F st (before f rho) e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros f rho P D; simpl in D.
    - reflexivity.
    - unfold val. cbn [GatherForm.put eval]. f_equal. now apply put_indices_eval.
    - apply andb_true_iff in D as [Da Db].
      change (val F st rho (bin o (put f a) (put f b)) = val F st (before f rho) (bin o a b)).
      rewrite !val_bin. now rewrite IHa, IHb.
    - unfold val. cbn [GatherForm.put eval]. f_equal. rewrite map_map. apply map_ext_in.
      intros a ina. rewrite Forall_forall in IH. rewrite forallb_forall in D.
      exact (IH a ina f rho P (D a ina)).
    - rewrite !andb_true_iff in D. destruct D as [[Dc Da] Db].
      cbn [GatherForm.put]. rewrite val_select.
      rewrite put_comparisons_eval, comparisons_hold by assumption.
      rewrite IHa, IHb by assumption. reflexivity.
    - unfold val. cbn [GatherForm.put eval]. apply fold_left_ext_in. intros acc k ink.
      apply in_box_box in ink.
      f_equal. rewrite <- (under_before ns f k rho ink). apply IH; [now apply under_placed | exact D].
  Qed.

  Lemma opposite_holds rho c : holds_comparison rho (opposite c) = negb (holds_comparison rho c).
  Proof. destruct c as [[o a] b]. unfold holds_comparison. simpl. apply eval_cmp_neg. Qed.

  Theorem put_guards_eval (st : store) f rho gs : forall own e,
    placed f rho -> forallb guard_divides gs = true ->
    val F st rho (put_guards f own gs e) =
    if forallb (holds_comparison rho) own && holds_guards (before f rho) gs
    then val F st rho e else Sums.r0 G.
  Proof.
    induction gs as [| [l b] gs IH]; intros own e P D.
    - cbn [GatherForm.put_guards]. rewrite val_select, val_nought, andb_true_r. reflexivity.
    - simpl in D. apply andb_true_iff in D as [Dl D]. unfold guard_divides in Dl. simpl in Dl.
      unfold holds_guards. cbn [forallb]. fold (holds_guards (before f rho) gs).
      unfold holds_guard. cbn [fst snd].
      assert (many : val F st rho (mk_select own (mk_select (put_comparisons f l) nought
                       (put_guards f [] gs e)) nought) =
        if forallb (holds_comparison rho) own &&
           (xorb true (forallb (holds_comparison (before f rho)) l) && holds_guards (before f rho) gs)
        then val F st rho e else Sums.r0 G).
      { rewrite !val_select, put_comparisons_eval, IH, val_nought by assumption. simpl.
        destruct (forallb (holds_comparison rho) own); [| reflexivity].
        now destruct (forallb (holds_comparison (before f rho)) l). }
      destruct b.
      + destruct l as [| c [| c' l]].
        * exact many.
        * cbn [GatherForm.put_guards]. rewrite IH by assumption. rewrite forallb_app.
          rewrite put_comparisons_eval.
          -- simpl. rewrite opposite_holds, !andb_true_r. now rewrite andb_assoc.
          -- exact P.
          -- destruct c as [[o x] y]. simpl in Dl |- *. exact Dl.
        * exact many.
      + transitivity (val F st rho (put_guards f (own ++ put_comparisons f l) gs e));
          [now destruct l as [| ? [|]] |].
        rewrite IH by assumption. rewrite forallb_app.
        rewrite put_comparisons_eval by assumption.
        rewrite xorb_false_l. now rewrite andb_assoc.
  Qed.
End Put.
