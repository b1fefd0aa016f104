(** * Programs of several assignments on flat arrays, as they are printed

    [Whole.emitted] is what calque-oracle prints: the translated assignments with one
    row-major array for each variable, and tidied.  It runs, and every array that has a
    value by then holds it. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Order.
From Calque Require Import emit.MiniC emit.Codegen emit.Flat emit.FlatProof emit.Tidy emit.TidyProof.
From Calque Require Import emit.Whole emit.WholeProof.
Import ListNotations.
Set Implicit Arguments.

Section WholeFlat.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation assignment := (@assignment A N).

  (** What [checked] decides: each assignment has its type where it stands. *)
  Fixpoint well (params : list data) (set : nat -> bool) (l : list assignment) : Prop :=
    match l with
    | [] => True
    | a :: rest =>
        nth_error params (target a) = Some (value_type a) /\
        ty (context params set a) (source a) (value_type a) /\
        well params (after set a) rest
    end.

  Lemma checked_well range : (forall G i n, range G i n = true -> in_range G i n) ->
    forall params l set, checked range params set l = true -> well params set l.
  Proof.
    intros sound params l. induction l as [| a l IH]; intros set C; [exact I |].
    cbn [checked] in C. apply andb_true_iff in C as [Ca Cl].
    destruct (nth_error params (target a)) as [d |] eqn:Et; [| discriminate].
    destruct (infer range (context params set a) (source a)) as [d' |] eqn:Ei; [| discriminate].
    apply andb_true_iff in Ca as [C1 C2]. apply data_eqb_eq in C1. apply data_eqb_eq in C2.
    subst d d'. apply infer_sound in Ei; [| exact sound]. cbn [well]. auto.
  Qed.

  Lemma well_runs params l : forall set env m ie, well params set l -> holding params set env m ->
    exists m', exec ie (translate_all params set l) m = Some m' /\
      holding params (all_set set l) (meaning set l env) m'.
  Proof.
    induction l as [| a l IH]; intros set env m ie W H.
    - exists m. split; [reflexivity | exact H].
    - destruct W as (Et & T & W). destruct (assignment_correct ie H Et T) as (m1 & E1 & H1).
      destruct (IH _ _ _ ie W H1) as (m2 & E2 & H2). destruct l as [| a' l].
      + exists m1. split; [exact E1 | exact H1].
      + exists m2. change (translate_all params set (a :: a' :: l)) with
          (CSeq (translate params set a) (translate_all params (after set a) (a' :: l))).
        cbn [exec]. rewrite E1. cbn [obind]. split; [exact E2 | exact H2].
  Qed.

  (** ** New variables lie above the arrays, and only these are touched *)

  Lemma scoped_roots params set (a : assignment) :
    scoped (seen set a (length params)) (length params) (context params set a) (roots params set a).
  Proof.
    intros k t Ek. unfold context in Ek. cbn [vars] in Ek. rewrite nth_error_map in Ek.
    destruct (nth_error (combine _ params) k) as [kd |] eqn:Ekd; cbn in Ek; [| discriminate].
    destruct (numbered_nth _ _ Ekd) as (d & -> & Ed). pose proof (nth_error_bound _ _ _ Ed) as lt.
    unfold roots. rewrite nth_error_map, nth_seq by lia. cbn [option_map Nat.add].
    eexists. split; [reflexivity |]. destruct (visible set a k) eqn:V; cbn; unfold seen; auto.
  Qed.

  Lemma neat_translate params set (a : assignment) ie :
    target a < length params -> ty (context params set a) (source a) (value_type a) ->
    neat ie (length params) (length params) (translate params set a).
  Proof.
    intros lt T. set (np := length params) in *.
    assert (HP : forall r, seen set a np r -> r < np) by (intros r [Hr _]; exact Hr).
    unfold translate. fold np. destruct (buffered a).
    - apply neat_new_at. apply neat_seq; [exact (le_n _) | |].
      + apply (proj1 (translation_neat T) ie (seen set a np)); cbn; auto.
        * intros r HR. apply HP in HR. lia.
        * apply scoped_S, scoped_roots.
      + apply neat_copy with (fun r => r = np); cbn; auto; try lia.
    - apply (proj1 (translation_neat T) ie (seen set a np)); cbn; auto. apply scoped_roots.
  Qed.

  Lemma neat_all params l : forall set ie, well params set l ->
    neat ie (length params) (length params) (translate_all params set l).
  Proof.
    induction l as [| a l IH]; intros set ie W.
    - split; [| split]; cbn; tauto.
    - destruct W as (Et & T & W). pose proof (nth_error_bound _ _ _ Et) as lt.
      destruct l as [| a' l]; [now apply neat_translate |].
      change (translate_all params set (a :: a' :: l)) with
        (CSeq (translate params set a) (translate_all params (after set a) (a' :: l))).
      apply neat_seq; [exact (le_n _) | now apply neat_translate | now apply IH].
  Qed.

  (** ** Flat arrays *)

  (** [holding], where the scalar at path [p] of parameter [k] is at [offset d p]. *)
  Definition flat_holding (params : list data) (set : nat -> bool) (env : list (value A))
      (fm : fstore A) : Prop :=
    length env = length params /\
    (forall k d w, nth_error params k = Some d -> nth_error env k = Some w -> set k = true ->
       has_type d w /\ forall p, leaf d p -> fm k (offset d p) = Some (look w p)) /\
    (forall k d o, nth_error params k = Some d -> o < cells d -> fm k o <> None).

  Theorem emitted_correct params (l : list assignment) set env fm ie : well params set l ->
    flat_holding params set env fm ->
    exists fm', frun ie (emitted params (translate_all params set l)) fm = Some fm' /\
      length (meaning set l env) = length params /\
      forall k d w, nth_error params k = Some d -> nth_error (meaning set l env) k = Some w ->
        all_set set l k = true -> has_type d w /\ forall p, leaf d p -> fm' k (offset d p) = Some (look w p).
  Proof.
    intros W (len & held & there). set (np := length params) in *. set (Ty := fun r => nth r params DNum).
    assert (type_at : forall k d, nth_error params k = Some d -> Ty k = d)
      by (intros k d E; unfold Ty; now apply nth_error_nth).
    set (m := fun (r : nat) (p : path) =>
                if r <? np then (if leafb (Ty r) p then fm r (offset (Ty r) p) else None) else None).
    assert (at_m : forall k d p, nth_error params k = Some d -> leaf d p -> m k p = fm k (offset d p)).
    { intros k d p E lf. unfold m. pose proof (nth_error_bound _ _ _ E) as lt. fold np in lt.
      apply Nat.ltb_lt in lt. rewrite lt, (type_at _ _ E). apply leafb_iff in lf. now rewrite lf. }
    assert (H : holding params set env m).
    { split; [exact len | split].
      - intros k d w E Ew Sk. destruct (held k d w E Ew Sk) as [typed at_]. split; [exact typed |].
        intros p lf. rewrite (at_m k d p E lf). now apply at_.
      - intros k d p E lf. rewrite (at_m k d p E lf). now apply (there k d), offset_lt. }
    destruct (@well_runs params l set env m ie W H) as (m' & E & (len' & held' & _)).
    destruct (@neat_all params l set ie W) as (n1 & t1 & f1). set (c := translate_all params set l) in *.
    assert (rel : related Ty (fun r => np <= r) m fm).
    { split; intros r p live.
      - unfold m. destruct (r <? np); [| tauto]. destruct (leafb (Ty r) p) eqn:B; [| tauto].
        intros _. now apply leafb_iff.
      - intros lf. destruct (nth_some params (i := r)) as [d Ed]; [fold np; lia |].
        rewrite (type_at _ _ Ed) in *. symmetry. now apply at_m. }
    destruct (@flat_correct A N s c ie Ty _ m m' fm E t1 rel) as (fm1 & F & rel' & _).
    { intros x Hx dead. apply f1 in Hx. fold np in Hx. lia. }
    destruct (tidy_correct _ _ (fun _ _ => eq_refl) F) as [(fm' & F' & same) _].
    exists fm'. split; [exact F' |]. split; [exact len' |]. intros k d w Ek Ew Sk.
    destruct (held' k d w Ek Ew Sk) as [typed at_]. split; [exact typed |]. intros p lf.
    pose proof (nth_error_bound _ _ _ Ek) as lt. rewrite <- same, <- (at_ p lf).
    rewrite <- (type_at _ _ Ek) in *. apply (proj2 rel'); [| exact lf]. intros [dead | Hn].
    - fold np in lt. lia.
    - apply n1 in Hn. lia.
  Qed.

  (** The same for a program that was checked. *)
  Corollary emitted_checked range : (forall G i n, range G i n = true -> in_range G i n) ->
    forall params (l : list assignment) set env fm ie, checked range params set l = true ->
    flat_holding params set env fm ->
    exists fm', frun ie (emitted params (translate_all params set l)) fm = Some fm' /\
      forall k d w, nth_error params k = Some d -> nth_error (meaning set l env) k = Some w ->
        all_set set l k = true -> has_type d w /\ forall p, leaf d p -> fm' k (offset d p) = Some (look w p).
  Proof.
    intros sound params l set env fm ie C H.
    destruct (@emitted_correct params l set env fm ie (checked_well _ sound _ _ _ C) H) as (fm' & E & _ & out). eauto.
  Qed.
End WholeFlat.
