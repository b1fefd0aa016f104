(** * What lowering gives is well typed

    So that the correctness of the translation applies to it: a kernel whose loads
    are inside their tensors becomes a C program that computes it. *)

From Coq Require Import Bool List Arith ZArith Lia.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Lower kernel.LowerProof.
From Calque Require kernel.Wf dpia.Syntax dpia.Typing dpia.Values.
Import ListNotations.
Open Scope nat_scope.

Section LowerTyped.
  Variable S : scalars.
  Variable shape : tid -> list nat.

  Notation A := (scalar_algebra S).
  Notation N := Syntax.numbers.
  Notation ctx := (Typing.ctx N).
  Notation ty := (@Typing.ty A N Syntax.numbers_sizing).
  Notation fits := (@Typing.fits N Syntax.numbers_sizing).
  Notation DNum := (@Syntax.DNum N).
  Notation TI := (@Syntax.TI N).
  Notation TD := (@Syntax.TD N).

  (** Every variable in scope is an index. *)
  Definition scoped (m : nat) (f : nat -> nat) (G : ctx) : Prop :=
    forall j, j < m -> Typing.is_index G (f j).

  Lemma lower_ix_scoped m f G a : scoped m f G -> forall a',
    lower_ix m f a = Some a' -> Syntax.ix_all (Typing.is_index G) a'.
  Proof.
    intros sc.
    induction a as [j | z | a IHa b IHb | a IHa b IHb | a IHa k | a IHa k | a IHa k];
      intros a' H; simpl in H.
    - destruct (Nat.ltb_spec j m) as [lt | _]; [| discriminate]. injection H as <-. now apply sc.
    - now injection H as <-.
    - destruct (lower_ix m f a) as [x |]; [| discriminate].
      destruct (lower_ix m f b) as [y |]; [| discriminate].
      injection H as <-. simpl. split; [now apply IHa | now apply IHb].
    - destruct (lower_ix m f a) as [x |]; [| discriminate].
      destruct (lower_ix m f b) as [y |]; [| discriminate].
      injection H as <-. simpl. split; [now apply IHa | now apply IHb].
    - destruct (lower_ix m f a) as [x |]; [| discriminate].
      injection H as <-. simpl. now apply IHa.
    - destruct k as [| k | k]; try discriminate.
      destruct (lower_ix m f a) as [x |]; [| discriminate]. injection H as <-. simpl. now apply IHa.
    - destruct k as [| k | k]; try discriminate.
      destruct (lower_ix m f a) as [x |]; [| discriminate]. injection H as <-. simpl. now apply IHa.
  Qed.

  Lemma lower_cond_scoped m f G c : scoped m f G -> forall c',
    lower_cond m f c = Some c' -> Syntax.cond_all (Typing.is_index G) c'.
  Proof.
    intros sc. induction c as [o a b | c IHc d IHd]; intros c' H; simpl in H.
    - destruct (lower_ix m f a) as [x |] eqn:Ea; [| discriminate].
      destruct (lower_ix m f b) as [y |] eqn:Eb; [| discriminate].
      injection H as <-. simpl. split; eapply lower_ix_scoped; eauto.
    - destruct (lower_cond m f c) as [x |]; [| discriminate].
      destruct (lower_cond m f d) as [y |]; [| discriminate].
      injection H as <-. simpl. split; [now apply IHc | now apply IHd].
  Qed.

  Lemma load_typed G : forall l d (e : Syntax.exp A N),
    ty G e (array d) ->
    Forall (Syntax.ix_all (Typing.is_index G)) l -> length l = length d ->
    (forall v, fits G v ->
       in_box d (map (@Syntax.ixv N Syntax.numbers_sizing v) l) = true) ->
    ty G (load S e l) DNum.
  Proof.
    induction l as [| a l IH]; intros d e T sc len inside; destruct d as [| n d]; try discriminate.
    - exact T.
    - inversion sc as [| ? ? sa sl]; subst. injection len as len. apply (IH d); auto.
      + econstructor; [exact T | exact sa |]. intros v F. specialize (inside v F). simpl in inside.
        apply andb_true_iff in inside as [range _]. apply andb_true_iff in range as [lo hi].
        apply Z.leb_le in lo. apply Z.ltb_lt in hi. split; [exact lo | exact hi].
      + intros v F. specialize (inside v F). simpl in inside.
        now apply andb_true_iff in inside as [_ inside].
  Qed.

  (** ** Contexts under folds and loops *)

  Fixpoint binds_folds (ns : list nat) (G : ctx) : ctx :=
    match ns with
    | [] => G
    | n :: ns' => binds_folds ns' (Typing.bind (TD DNum) (Typing.bind (TI n) G))
    end.

  Fixpoint binds_loops (ns : list nat) (G : ctx) : ctx :=
    match ns with [] => G | n :: ns' => binds_loops ns' (Typing.bind (TI n) G) end.

  Lemma fits_bind t G v : fits (Typing.bind t G) v -> fits G (fun x => v (Datatypes.S x)).
  Proof.
    intros [ranges known]. split.
    - intros x n E. now apply (ranges (Datatypes.S x)).
    - intros c b HI. rewrite <- (known (Syntax.cond_subst (Typing.shift (N := N)) c) b).
      + now rewrite Syntax.holds_subst.
      + apply in_map_iff. now exists (c, b).
  Qed.

  Lemma binds_folds_vars ns : forall G i,
    nth_error (Typing.vars (binds_folds ns G)) (2 * length ns + i) = nth_error (Typing.vars G) i.
  Proof.
    induction ns as [| n ns IH]; intros G i; [reflexivity |].
    simpl binds_folds. transitivity (nth_error (Typing.vars (Typing.bind (TD DNum) (Typing.bind (TI n) G))) (2 + i)).
    - rewrite <- (IH _ (2 + i)). f_equal. simpl length. lia.
    - reflexivity.
  Qed.

  Lemma binds_loops_vars ns : forall G i,
    nth_error (Typing.vars (binds_loops ns G)) (length ns + i) = nth_error (Typing.vars G) i.
  Proof.
    induction ns as [| n ns IH]; intros G i; [reflexivity |].
    simpl binds_loops. transitivity (nth_error (Typing.vars (Typing.bind (TI n) G)) (1 + i)).
    - rewrite <- (IH _ (1 + i)). f_equal. simpl length. lia.
    - reflexivity.
  Qed.

  Lemma binds_folds_index ns : forall G j n, nth_error ns j = Some n ->
    nth_error (Typing.vars (binds_folds ns G)) (2 * (length ns - 1 - j) + 1) = Some (TI n).
  Proof.
    induction ns as [| n0 ns IH]; intros G j n E; [destruct j; discriminate |].
    destruct j as [| j]; simpl in E.
    - injection E as ->. simpl binds_folds. simpl length.
      replace (2 * (Datatypes.S (length ns) - 1 - 0) + 1) with (2 * length ns + 1) by lia.
      now rewrite binds_folds_vars.
    - simpl binds_folds. rewrite <- (IH (Typing.bind (TD DNum) (Typing.bind (TI n0) G)) j n E).
      f_equal. simpl length. lia.
  Qed.

  Lemma binds_loops_index ns : forall G j n, nth_error ns j = Some n ->
    nth_error (Typing.vars (binds_loops ns G)) (length ns - 1 - j) = Some (TI n).
  Proof.
    induction ns as [| n0 ns IH]; intros G j n E; [destruct j; discriminate |].
    destruct j as [| j]; simpl in E.
    - injection E as ->. simpl binds_loops. simpl length.
      replace (Datatypes.S (length ns) - 1 - 0) with (length ns + 0) by lia.
      now rewrite binds_loops_vars.
    - simpl binds_loops. rewrite <- (IH (Typing.bind (TI n0) G) j n E).
      f_equal. simpl length. lia.
  Qed.

  Lemma fits_folds ns : forall G v, fits (binds_folds ns G) v ->
    fits G (fun x => v (2 * length ns + x)).
  Proof.
    induction ns as [| n ns IH]; intros G v F; [exact F |].
    apply IH, fits_bind, fits_bind in F. destruct F as [ranges known].
    assert (E : forall x, v (2 * length (n :: ns) + x) = v (2 * length ns + Datatypes.S (Datatypes.S x)))
      by (intros; f_equal; simpl length; lia).
    split.
    - intros x k Ex. rewrite E. now apply ranges.
    - intros c b HI. rewrite <- (known c b HI). apply Syntax.holds_ext.
      clear - E. apply Syntax.cond_all_mono with (P := fun _ => True); [intros; apply E |].
      induction c as [o i j | c IHc d IHd]; simpl; [| tauto].
      split; [induction i | induction j]; simpl; tauto.
  Qed.

  Lemma fits_loops ns : forall G v, fits (binds_loops ns G) v ->
    fits G (fun x => v (length ns + x)).
  Proof.
    induction ns as [| n ns IH]; intros G v F; [exact F |].
    apply IH, fits_bind in F. destruct F as [ranges known].
    assert (E : forall x, v (length (n :: ns) + x) = v (length ns + Datatypes.S x))
      by (intros; f_equal; simpl length; lia).
    split.
    - intros x k Ex. rewrite E. now apply ranges.
    - intros c b HI. rewrite <- (known c b HI). apply Syntax.holds_ext.
      clear - E. apply Syntax.cond_all_mono with (P := fun _ => True); [intros; apply E |].
      induction c as [o i j | c IHc d IHd]; simpl; [| tauto].
      split; [induction i | induction j]; simpl; tauto.
  Qed.

  (** Under folds the kernel reads the folds' indices, then what it read outside. *)
  Lemma read_folds (ns : list nat) m f v : exists ks : list Z,
    length ks = length ns /\
    (forall j, j < length ns -> nth j ks 0%Z = v (2 * (length ns - 1 - j) + 1)) /\
    read (length ns + m) (under (length ns) f) v =
      ks ++ read m f (fun x => v (2 * length ns + x)).
  Proof.
    exists (read (length ns) (fun j => 2 * (length ns - 1 - j) + 1) v).
    split; [apply read_length | split].
    - intros j lt. exact (read_nth _ (fun j => 2 * (length ns - 1 - j) + 1) v j lt).
    - apply nth_ext with (d := 0%Z) (d' := 0%Z); [now rewrite app_length, !read_length |].
      intros j lt. rewrite read_length in lt. rewrite read_nth by exact lt. unfold under.
      destruct (Nat.ltb_spec j (length ns)) as [less | more].
      + rewrite app_nth1 by now rewrite read_length. symmetry. exact (read_nth _ (fun j => 2 * (length ns - 1 - j) + 1) v j less).
      + rewrite app_nth2; rewrite read_length; [| exact more].
        symmetry. apply (read_nth m f (fun x => v (2 * length ns + x))). lia.
  Qed.

  Lemma in_box_sides d i : length i = length d ->
    (forall j n, nth_error d j = Some n -> (0 <= nth j i 0 < Z.of_nat n)%Z) -> in_box d i = true.
  Proof. intros len each. apply in_box_nth. split; [exact len |]. intros k lt. now apply each, nth_error_nth'. Qed.

  Lemma folds_typed r ns : forall G acc body,
    ty G acc DNum -> ty (binds_folds ns G) body DNum ->
    ty G (folds S r ns acc body) DNum.
  Proof.
    induction ns as [| n ns IH]; intros G acc body Ta Tb; simpl.
    - now constructor.
    - constructor; [exact Ta |]. apply IH; [now constructor | exact Tb].
  Qed.

  Definition holds_tensors (g : tid -> nat) (G : ctx) (e : ex S) : Prop :=
    forall t, In t (loads e) -> nth_error (Typing.vars G) (g t) = Some (TD (array (shape t))).

  Theorem lower_typed : forall (e : ex S) m f g e' G,
    lower S shape m f g e = Some e' ->
    scoped m f G -> holds_tensors g G e ->
    (forall v, fits G v -> Wf.safe shape (read m f v) e) ->
    ty G e' DNum.
  Proof.
    induction e as [c | t l | o a b IHa IHb | p l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros m f g e' G H sc tensors safe.
    - simpl in H. injection H as <-. constructor.
    - simpl in H. destruct (Nat.eqb_spec (length l) (length (shape t))) as [len |]; [| discriminate].
      destruct (traverse (lower_ix m f) l) as [l' |] eqn:El; [| discriminate].
      simpl in H. injection H as <-. apply load_typed with (d := shape t).
      + constructor. apply tensors. now left.
      + clear - El sc. revert l' El. induction l as [| a l IHl]; intros l' El; simpl in El.
        * injection El as <-. constructor.
        * destruct (lower_ix m f a) as [x |] eqn:Ea; [| discriminate].
          destruct (traverse (lower_ix m f) l) as [xs |]; [| discriminate].
          injection El as <-. constructor; [| now apply IHl]. eapply lower_ix_scoped; eauto.
      + rewrite <- len. clear - El. revert l' El. induction l as [| a l IHl]; intros l' El; simpl in El.
        * now injection El as <-.
        * destruct (lower_ix m f a) as [x |]; [| discriminate].
          destruct (traverse (lower_ix m f) l) as [xs |]; [| discriminate].
          injection El as <-. simpl. f_equal. now apply IHl.
      + intros v F. rewrite (lower_ixs_value _ _ v _ _ El). now apply (safe v F t).
    - simpl in H. destruct (lower S shape m f g a) as [a' |] eqn:Ea; [| discriminate].
      destruct (lower S shape m f g b) as [b' |] eqn:Eb; [| discriminate].
      injection H as <-. constructor.
      + eapply IHa; eauto; [intros t int_; apply tensors, in_or_app; auto | intros v F t; apply (safe v F t)].
      + eapply IHb; eauto; [intros t int_; apply tensors, in_or_app; auto | intros v F t; apply (safe v F t)].
    - destruct l as [| a [| b [| ? ?]]]; simpl in H; try discriminate.
      + destruct (lower S shape m f g a) as [a' |] eqn:Ea; [| discriminate].
        injection H as <-. inversion IH as [| ? ? IHa _]; subst. constructor.
        eapply IHa; eauto; [| intros v F t; apply (safe v F t)].
        intros t int_. apply tensors. simpl. now rewrite app_nil_r.
      + destruct (lower S shape m f g a) as [a' |] eqn:Ea; [| discriminate].
        destruct (lower S shape m f g b) as [b' |] eqn:Eb; [| discriminate].
        injection H as <-. inversion IH as [| ? ? IHa IHl]; subst.
        inversion IHl as [| ? ? IHb _]; subst. constructor.
        * eapply IHa; eauto; [| intros v F t; apply (safe v F t)].
          intros t int_. apply tensors. simpl. apply in_or_app. auto.
        * eapply IHb; eauto; [| intros v F t; apply (safe v F t)].
          intros t int_. apply tensors. simpl. rewrite app_nil_r. apply in_or_app. auto.
    - simpl in H. destruct (lower_cond m f c) as [c' |] eqn:Ec; [| discriminate].
      destruct (lower S shape m f g a) as [a' |] eqn:Ea; [| discriminate].
      destruct (lower S shape m f g b) as [b' |] eqn:Eb; [| discriminate].
      injection H as <-. constructor; [eapply lower_cond_scoped; eauto | |].
      + eapply IHa; eauto; [intros t int_; apply tensors, in_or_app; auto |].
        intros v [ranges known]. pose proof (known c' true (or_introl eq_refl)) as yes.
        rewrite (lower_cond_value _ _ _ _ _ Ec) in yes. intros t.
        assert (F : fits G v) by (split; [exact ranges | intros x y HI; apply known; now right]).
        pose proof (safe v F t) as here. simpl in here. now rewrite yes in here.
      + eapply IHb; eauto; [intros t int_; apply tensors, in_or_app; auto |].
        intros v [ranges known]. pose proof (known c' false (or_introl eq_refl)) as no.
        rewrite (lower_cond_value _ _ _ _ _ Ec) in no. intros t.
        assert (F : fits G v) by (split; [exact ranges | intros x y HI; apply known; now right]).
        pose proof (safe v F t) as here. simpl in here. now rewrite no in here.
    - cbn [lower] in H.
      destruct (lower S shape (length ns + m) (under (length ns) f)
                  (fun t => 2 * length ns + g t) e) as [e1 |] eqn:Ee; [| discriminate].
      cbn [option_map] in H. injection H as <-.
      apply folds_typed; [constructor |]. eapply IH; [exact Ee | | |].
      + intros j lt. unfold under. destruct (Nat.ltb_spec j (length ns)) as [less | more].
        * destruct (nth_error ns j) as [n |] eqn:En; [| apply nth_error_None in En; lia].
          exists n. now apply binds_folds_index.
        * destruct (sc (j - length ns)) as [n En]; [lia |]. exists n.
          now rewrite binds_folds_vars.
      + intros t int_. rewrite binds_folds_vars. now apply tensors.
      + intros v F t. destruct (read_folds ns m f v) as (ks & len & each & ->).
        apply (safe _ (fits_folds _ _ _ F) t). apply in_box_sides; [exact len |].
        intros j n En. assert (lt : j < length ns) by (apply nth_error_Some; congruence).
        rewrite (each j lt). apply (proj1 F). now apply binds_folds_index.
  Qed.

  Lemma generates_typed ns : forall G body,
    ty (binds_loops ns G) body DNum -> ty G (generates S ns body) (array ns).
  Proof.
    induction ns as [| n ns IH]; intros G body T; [exact T |].
    simpl. constructor. now apply IH.
  Qed.

  (** A statement whose loads are inside their tensors, where the context has them. *)
  Theorem lower_stmt_typed (s : stmt S) g e G :
    lower_stmt S shape g s = Some e ->
    holds_tensors g G (body s) ->
    (forall t, in_bounds_stmt t (shape t) s) ->
    ty G e (array (dims s)).
  Proof.
    unfold lower_stmt. intros H tensors safe.
    set (m := length (dims s)) in *.
    destruct (lower S shape m (fun j => m - 1 - j) (fun t => m + g t) (body s)) as [b |] eqn:Eb;
      [| discriminate].
    injection H as <-. apply generates_typed. eapply lower_typed; [exact Eb | | |].
    - intros j lt. destruct (nth_error (dims s) j) as [n |] eqn:En; [| apply nth_error_None in En; fold m in En; lia].
      exists n. now apply binds_loops_index.
    - intros t int_. unfold m. rewrite binds_loops_vars. now apply tensors.
    - intros v F t. apply (safe t). apply in_box_sides; [apply read_length |].
      intros j n En. assert (lt : j < m) by (apply nth_error_Some; congruence).
      rewrite (read_nth m (fun j => m - 1 - j) v j lt). apply (proj1 F). now apply binds_loops_index.
  Qed.
End LowerTyped.
