(** * The function of a kernel program computes it *)

From Coq Require Import Bool List Arith ZArith Lia.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Lower kernel.LowerProof.
From Calque Require Import kernel.LowerTyped tensor.Tensor tensor.Attrs tensor.IndexProof.
From Calque Require Import model.Paths model.Function.
From Calque Require dpia.Syntax dpia.Typing dpia.Values dpia.Target emit.Flat emit.Whole emit.WholeProof.
From Calque Require emit.WholeFlat.
Import ListNotations.
Open Scope nat_scope.

Section FunctionProof.
  Variable S : scalars.
  Notation A := (scalar_algebra S).
  Notation N := Syntax.numbers.
  Notation stmt := (Kernel.stmt S).
  Notation store := (Kernel.store S).
  Notation value := (@Values.value A).
  Notation assignment := (@Whole.assignment A N).
  Notation ty := (@Typing.ty A N Syntax.numbers_sizing).
  Notation value_of := (@Whole.value_of A N Syntax.numbers_sizing).
  Notation meaning := (@Whole.meaning A N Syntax.numbers_sizing).
  Notation well := (@WholeFlat.well A N Syntax.numbers_sizing).

  Section Tensors.
    Variable ts : list (tid * sizes).
    Hypothesis once : NoDup (map fst ts).

    Lemma param_at t d : In (t, d) ts -> nth_error ts (param ts t) = Some (t, d).
    Proof.
      intros I. apply In_nth_error in I. destruct I as [k E].
      assert (nth_error (map fst ts) k = Some t) as F by now rewrite nth_error_map, E.
      unfold param. rewrite <- (nth_error_nth _ _ 0 F) at 1.
      rewrite place_of_nth; [exact E | exact once | now apply nth_error_bound in F].
    Qed.

    Lemma param_of k t d : nth_error ts k = Some (t, d) -> param ts t = k.
    Proof.
      intros E. assert (nth_error (map fst ts) k = Some t) as F by now rewrite nth_error_map, E.
      unfold param. rewrite <- (nth_error_nth _ _ 0 F). apply place_of_nth; [exact once |].
      now apply nth_error_bound in F.
    Qed.

    Lemma shape_at t d : In (t, d) ts -> shape_in ts t = d.
    Proof.
      intros I. apply param_at in I. unfold shape_in. apply nth_error_nth. now rewrite nth_error_map, I.
    Qed.

    Lemma known_in t : In t (map fst ts) -> In (t, shape_in ts t) ts.
    Proof.
      intros I. apply in_map_iff in I. destruct I as ([u d] & <- & I). cbn [fst].
      now rewrite (shape_at _ _ I).
    Qed.

    Lemma param_inj t u : In t (map fst ts) -> In u (map fst ts) -> param ts t = param ts u -> t = u.
    Proof.
      intros It Iu E. pose proof (param_at _ _ (known_in _ It)) as Et.
      pose proof (param_at _ _ (known_in _ Iu)) as Eu. congruence.
    Qed.

    Definition env (st : store) : list value := map (fun td => tree S (snd td) (st (fst td))) ts.
    Definition params : list (Syntax.data N) := map (fun td => array (snd td)) ts.

    Lemma env_length st : length (env st) = length params.
    Proof. unfold env, params. now rewrite !map_length. Qed.

    Lemma params_at t d : In (t, d) ts -> nth_error params (param ts t) = Some (array d).
    Proof. intros I. unfold params. now rewrite nth_error_map, (param_at _ _ I). Qed.

    Lemma replace_env (s : stmt) st : In (out s, Kernel.dims s) ts ->
      Whole.replace (param ts (out s)) (tree S (Kernel.dims s) (exec s st (out s))) (env st) = env (exec s st).
    Proof.
      intros I. apply nth_ext with (d := Values.junk) (d' := Values.junk).
      { rewrite WholeProof.length_replace. unfold env. now rewrite !map_length. }
      intros j _. apply nth_positions. rewrite WholeProof.nth_replace. unfold env.
      rewrite !nth_error_map, map_length. pose proof (param_at _ _ I) as E.
      destruct (Nat.eqb_spec j (param ts (out s))) as [-> | ne]; cbn [andb].
      - rewrite E. pose proof (nth_error_bound _ _ _ E) as lt. apply Nat.ltb_lt in lt. now rewrite lt.
      - destruct (nth_error ts j) as [[t d] |] eqn:Ej; [| reflexivity]. cbn [option_map fst snd]. f_equal.
        apply tree_ext. intros i _. unfold exec, upd. destruct (Nat.eqb_spec t (out s)) as [-> | _]; [| reflexivity].
        apply param_of in Ej. congruence.
    Qed.

    (** ** One statement *)

    Variable set : nat -> bool.
    Variable known : list tid.
    Hypothesis known_set : forall t, In t known -> In t (map fst ts) /\ set (param ts t) = true.

    Lemma seen_visible (s : stmt) e d t : In t known -> ~ In (out s) known -> In (out s, Kernel.dims s) ts ->
      Whole.visible set (Whole.Assignment (param ts (out s)) d e false : assignment) (param ts t) = true.
    Proof.
      intros It no Io. destruct (known_set t It) as [Ht St]. unfold Whole.visible. rewrite St.
      cbn [Whole.buffered Whole.target orb andb]. apply negb_true_iff, Nat.eqb_neq. intros E.
      apply param_inj in E; [subst; contradiction | exact Ht |]. apply in_map_iff. now exists (out s, Kernel.dims s).
    Qed.

    Lemma nth_seen (l : list value) k (f : nat -> bool) : f k = true ->
      nth k (map (fun kw => if f (fst kw) then snd kw else Values.junk) (combine (seq 0 (length l)) l)) Values.junk =
      nth k l Values.junk.
    Proof.
      intros T. destruct (nth_error l k) as [w |] eqn:E.
      - rewrite (nth_error_nth l k _ E). apply nth_error_nth. rewrite nth_error_map, (WholeProof.nth_numbered _ _ E).
        cbn [option_map fst snd]. now rewrite T.
      - apply nth_error_None in E. rewrite !nth_overflow; auto.
        rewrite map_length, combine_length, seq_length. lia.
    Qed.

    Lemma statement (s : stmt) (a : assignment) st :
      In (out s, Kernel.dims s) ts -> incl (loads (body s)) known -> ~ In (out s) known ->
      (forall t, in_bounds_stmt t (shape_in ts t) s) -> assign ts s = Some a ->
      nth_error params (Whole.target a) = Some (Whole.value_type a) /\
      ty (Whole.context params set a) (Whole.source a) (Whole.value_type a) /\
      Whole.replace (Whole.target a) (value_of set a (env st)) (env st) = env (exec s st) /\
      Whole.target a = param ts (out s).
    Proof.
      intros Io reads no safe E. unfold assign in E.
      destruct (lower_stmt S (shape_in ts) (param ts) s) as [e |] eqn:L; [| discriminate].
      injection E as <-. cbn [Whole.target Whole.value_type Whole.source].
      split; [now apply params_at |]. split; [| split; [| reflexivity]].
      - eapply lower_stmt_typed; [exact L | | exact safe]. intros t It. specialize (reads t It).
        unfold Whole.context. cbn [Typing.vars]. rewrite nth_error_map.
        rewrite (WholeProof.nth_numbered _ _ (params_at _ _ (known_in _ (proj1 (known_set t reads))))).
        cbn [option_map fst snd]. now rewrite (seen_visible s e (array (Kernel.dims s)) t reads no Io).
      - rewrite <- replace_env by exact Io. f_equal. unfold Whole.value_of. cbn [Whole.source].
        apply (lower_correct S (shape_in ts) s (param ts) e _ st L); [| exact safe].
        intros t It. specialize (reads t It). rewrite nth_seen.
        + apply nth_error_nth. unfold env. rewrite nth_error_map.
          now rewrite (param_at _ _ (known_in _ (proj1 (known_set t reads)))).
        + exact (seen_visible s e (array (Kernel.dims s)) t reads no Io).
    Qed.
  End Tensors.

  (** ** A list of statements *)

  Lemma statements ts p : forall set known st l,
    NoDup (map fst ts) -> incl (stored p) ts ->
    (forall t, In t known -> In t (map fst ts) /\ set (param ts t) = true) ->
    reads_known known p = true -> (forall s t, In s p -> in_bounds_stmt t (shape_in ts t) s) ->
    traverse (assign ts) p = Some l ->
    well (params ts) set l /\ meaning set l (env ts st) = env ts (exec_prog p st) /\
    forall t, In t known \/ In t (map out p) -> Whole.all_set set l (param ts t) = true.
  Proof.
    induction p as [| s p IH]; intros set known st l once sub Hk reads safe L; cbn [traverse] in L.
    - injection L as <-. cbn. split; [exact Logic.I |]. split; [reflexivity |].
      intros t [I | []]. now apply Hk.
    - destruct (assign ts s) as [a |] eqn:Ea; [| discriminate].
      destruct (traverse (assign ts) p) as [l' |] eqn:El; [| discriminate]. injection L as <-.
      cbn [reads_known] in reads. apply andb_true_iff in reads as [reads rest].
      apply andb_true_iff in reads as [reads no]. apply negb_true_iff in no.
      assert (no' : ~ In (out s) known).
      { intros I. apply existsb_eqb in I. congruence. }
      assert (reads' : incl (loads (body s)) known).
      { intros t I. rewrite forallb_forall in reads. apply existsb_eqb. now apply reads. }
      assert (Io : In (out s, Kernel.dims s) ts) by (apply sub; now left).
      destruct (statement ts once set known Hk s a st Io reads' no' (fun t => safe s t (or_introl eq_refl)) Ea)
        as (P & T & R & target_is).
      assert (Hk' : forall t, In t (out s :: known) ->
        In t (map fst ts) /\ Whole.after set a (param ts t) = true).
      { intros t [<- | I].
        - split; [apply in_map_iff; now exists (out s, Kernel.dims s) |].
          unfold Whole.after. now rewrite target_is, Nat.eqb_refl.
        - destruct (Hk t I) as [I' St]. split; [exact I' |]. unfold Whole.after. rewrite St. apply orb_true_r. }
      destruct (IH (Whole.after set a) (out s :: known) (exec s st) l' once) as (W & M & Sets); auto.
      { intros x I. apply sub. now right. }
      { intros s' t I. apply safe. now right. }
      split; [cbn [WholeFlat.well]; auto |]. split.
      + cbn [Whole.meaning]. rewrite R. exact M.
      + intros t [I | [<- | I]]; cbn [Whole.all_set fold_left]; apply Sets; [left; now right | left; now left | now right].
  Qed.

  (** [held ts st fm]: parameter [k] holds tensor [k] of [ts] in row-major order. *)
  Definition held (ts : list (tid * sizes)) (st : store) (fm : Flat.fstore A) : Prop :=
    forall k t d, nth_error ts k = Some (t, d) ->
    forall i, in_box d i = true -> fm k (position d i) = Some (Some (st t i)).

  Theorem function_correct ins (p : list stmt) f st fm ie :
    compile_function ins p = Some f ->
    (forall s t, In s p -> in_bounds_stmt t (shape_in (tensors ins p) t) s) ->
    held ins st fm ->
    (forall k d o, nth_error (f_params f) k = Some d -> o < cell_count d -> fm k o <> None) ->
    exists fm', Flat.frun (s := Syntax.numbers_sizing) ie (f_body f) fm = Some fm' /\
      held (tensors ins p) (exec_prog p st) fm'.
  Proof.
    unfold compile_function. set (ts := tensors ins p). intros C safe H there.
    destruct (distinct (map fst ts) && reads_known (map fst ins) p) eqn:ok; [| discriminate].
    apply andb_true_iff in ok as [once reads]. apply distinct_iff in once.
    destruct (traverse (assign ts) p) as [l |] eqn:L; [| discriminate]. injection C as <-.
    cbn [f_params f_body] in *. set (set := given_first (length ins)).
    assert (ins_at : forall k t d, nth_error ins k = Some (t, d) -> nth_error ts k = Some (t, d)).
    { intros k t d E. unfold ts, tensors. rewrite nth_error_app1; [exact E | now apply nth_error_bound in E]. }
    destruct (statements ts p set (map fst ins) st l once) as (W & M & Sets); auto.
    { intros x I. apply in_or_app. now right. }
    { intros t I. split; [unfold ts, tensors; rewrite map_app; apply in_or_app; now left |].
      apply in_map_iff in I. destruct I as ([t' d] & <- & I). apply In_nth_error in I. destruct I as [k E].
      cbn [fst]. rewrite (param_of ts once k t' d (ins_at k t' d E)). unfold set, given_first.
      apply Nat.ltb_lt. now apply nth_error_bound in E. }
    destruct (@WholeFlat.emitted_correct A N Syntax.numbers_sizing (params ts) l set (env ts st) fm ie W)
      as (fm' & F & len & out).
    { split; [apply env_length | split].
      - intros k d w Ed Ew Sk. unfold set, given_first in Sk. apply Nat.ltb_lt in Sk.
        destruct (nth_error ins k) as [[t d'] |] eqn:E; [| apply nth_error_None in E; lia].
        pose proof (ins_at _ _ _ E) as E'. unfold params in Ed. unfold env in Ew.
        rewrite nth_error_map, E' in Ed, Ew. cbn in Ed, Ew. injection Ed as <-. injection Ew as <-.
        split; [apply tree_typed |]. intros q lf. destruct (leaf_path _ _ lf) as (i & I & ->).
        rewrite offset_path, look_tree by exact I. now apply (H k t d').
      - intros k d o Ed lt. unfold params in Ed. rewrite nth_error_map in Ed.
        destruct (nth_error ts k) as [[t d'] |] eqn:E; [| discriminate]. cbn in Ed. injection Ed as <-.
        rewrite cells_array in lt. apply (there k d' o); [| exact lt]. now rewrite nth_error_map, E. }
    exists fm'. split; [exact F |]. intros k t d E i I. rewrite M in out.
    destruct (out k (array d) (tree S d (exec_prog p st t))) as [_ leaves].
    - unfold params. now rewrite nth_error_map, E.
    - unfold env. now rewrite nth_error_map, E.
    - rewrite <- (param_of ts once k t d E). apply Sets.
      apply nth_error_In in E. unfold ts, tensors in E. apply in_app_iff in E as [E | E].
      + left. apply in_map_iff. now exists (t, d).
      + right. unfold stored in E. apply in_map_iff in E. destruct E as (s & Es & I'). injection Es as <- _.
        now apply in_map.
    - rewrite <- (offset_path d i I), leaves by now apply path_leaf. now rewrite look_tree.
  Qed.
End FunctionProof.
