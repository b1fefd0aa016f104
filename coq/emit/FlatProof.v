(** * Flat arrays compute the same *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Sched dpia.Order dpia.Frame
  dpia.Loop dpia.Reduce.
From Calque Require Import emit.MiniC emit.Codegen emit.Flat.
Import ListNotations.
Set Implicit Arguments.

Section FlatProof.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation comm := (comm A N). Notation types := (@types N).
  Implicit Types (T : types) (V : nat -> Prop) (m : store A) (fm : fstore A) (ie : ienv).

  (** Outside the dead roots [V]: only leaves are allocated, and each is held at its offset. *)
  Definition related T V m fm : Prop :=
    (forall r p, ~ V r -> m r p <> None -> leaf (T r) p) /\
    (forall r p, ~ V r -> leaf (T r) p -> fm r (offset (T r) p) = m r p).

  Lemma related_mono T V V' m fm : (forall r, V r -> V' r) -> related T V m fm -> related T V' m fm.
  Proof. intros more [H1 H2]. split; intros r p out; [apply H1 | apply H2]; auto. Qed.

  Definition flat_loc T (x : loc) : fplace := (fst x, offset (T (fst x)) (snd x)).
  Definition flat_access T (x : access) : faccess := (fst x, flat_loc T (snd x)).
  Definition proper T (x : access) : Prop := leaf (T (root_of x)) (snd (snd x)).

  Lemma flat_exp_correct T V m fm ie e : related T V m fm ->
    forall x, xev ie m e = Some x -> (forall y, In y (loads ie e) -> ~ V (fst y)) ->
    fev ie fm (flat_exp T e) = Some x /\ floads ie (flat_exp T e) = map (flat_loc T) (loads ie e) /\
    (forall y, In y (loads ie e) -> leaf (T (fst y)) (snd y)).
  Proof.
    intros [alloc_leaf same].
    induction e as [r p | c | o e IH | o e1 IH1 e2 IH2 | c e1 IH1 e2 IH2 |];
      intros x E out; cbn [xev loads flat_exp] in *.
    - destruct (place ie p) as [q |] eqn:Ep; cbn in E; [| discriminate].
      destruct (m r q) as [[y |] |] eqn:C; try discriminate. injection E as <-.
      assert (live : ~ V r) by (apply (out (r, q)); now left).
      assert (lf : leaf (T r) q) by (apply alloc_leaf; auto; congruence).
      destruct (koffset_value _ _ _ Ep lf) as (k & Ek & Vk). rewrite Ek. cbn [fev floads].
      rewrite Vk, natural_of_nat. cbn [obind]. rewrite same, C by auto. split; [reflexivity |].
      split; [reflexivity |]. intros z [<- | []]. exact lf.
    - split; [exact E | split; [reflexivity | intros y []]].
    - destruct (xev ie m e) as [y |] eqn:Ey; cbn in E; [| discriminate].
      destruct (IH y eq_refl out) as (X & Lo & lf). cbn [fev floads]. rewrite X. now split.
    - destruct (xev ie m e1) as [y |] eqn:Ey; cbn in E; [| discriminate].
      destruct (xev ie m e2) as [z |] eqn:Ez; cbn in E; [| discriminate].
      destruct (IH1 y eq_refl) as (Xa & La & lfa); [intros w Hw; apply out, in_app_iff; now left |].
      destruct (IH2 z eq_refl) as (Xb & Lb & lfb);
        [intros w Hw; apply out, in_app_iff; now right |].
      cbn [fev floads]. rewrite Xa, Xb, La, Lb, map_app. cbn.
      split; [exact E | split; [reflexivity |]].
      intros w Hw. apply in_app_iff in Hw as [Hw | Hw]; auto.
    - cbn [fev floads]. destruct (kholds ie c) as [b |]; cbn in E; [| discriminate]. cbn [obind].
      destruct b; [now apply IH1 | now apply IH2].
    - discriminate.
  Qed.

  Lemma flat_for (T : types) V (f : nat -> store A -> option (store A)) g (Q : nat -> Prop) n :
    (forall i m1 m2 fm1, i < n -> f i m1 = Some m2 -> related T V m1 fm1 ->
       exists fm2, g i fm1 = Some fm2 /\ related T V m2 fm2 /\ Q i) ->
    forall m m' fm, for_ n f m = Some m' -> related T V m fm ->
    exists fm', ffor n g fm = Some fm' /\ related T V m' fm' /\ forall i, i < n -> Q i.
  Proof.
    induction n as [| n IH]; cbn; intros body m m' fm E rel.
    - injection E as <-. exists fm. split; auto. split; auto. intros i lt. lia.
    - destruct (for_ n f m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
      destruct (IH (fun i m1 m2 fm1 lt => body i m1 m2 fm1 (Nat.lt_lt_succ_r _ _ lt)) m m1 fm E1
        rel)
        as (fm1 & -> & rel1 & each).
      cbn. destruct (body n m1 m' fm1 (Nat.lt_succ_diag_r n) E rel1) as (fm2 & -> & rel2 & last).
      exists fm2. split; auto. split; auto. intros i lt.
      destruct (Nat.eq_dec i n) as [-> | ne]; [exact last | apply each; lia].
  Qed.

  Lemma flat_apart T (F : nat -> list access) FF n :
    apart (map (fun i => (i, F i)) (seq 0 n)) = true ->
    (forall i, i < n -> FF i = map (flat_access T) (F i) /\ forall x, In x (F i) -> proper T x) ->
    fapart n FF = true.
  Proof.
    intros free flat. rewrite apart_iff in free. unfold fapart.
    apply forallb_forall. intros i Hi. apply forallb_forall. intros j Hj. apply in_seq in Hi, Hj.
    destruct (Nat.eqb_spec i j) as [| ne]; [reflexivity |]. cbn [orb].
    destruct (flat i) as [Ei proper_i]; [lia |]. destruct (flat j) as [Ej proper_j]; [lia |].
    rewrite Ei, Ej. apply forallb_forall. intros fx Hx. apply forallb_forall. intros fy Hy.
    apply in_map_iff in Hx as (x & <- & Hx). apply in_map_iff in Hy as (y & <- & Hy).
    apply negb_true_iff. unfold fconflict. apply andb_false_iff. cbn [flat_access fst snd flat_loc].
    destruct (fst x || fst y) eqn:W; [right | now left].
    apply not_true_is_false. rewrite andb_true_iff, !Nat.eqb_eq. intros [same_root same_offset].
    apply (free i j x y); auto; [lia | lia |].
    specialize (proper_i x Hx). specialize (proper_j y Hy). unfold proper, root_of in *.
    rewrite same_root in *. destruct x as [bx [rx px]], y as [by_ [ry py]]. cbn in *. subst.
    f_equal. eapply offset_inj; eauto.
  Qed.

  Lemma flat_filter T r d xs :
    filter (fun x => negb (fst (snd x) =? r)) (map (flat_access (declare T r d)) xs) =
    map (flat_access T) (filter (fun x => negb (root_of x =? r)) xs).
  Proof.
    induction xs as [| x xs IH]; cbn; [reflexivity |]. unfold root_of at 1.
    cbn [flat_access flat_loc fst snd].
    destruct (Nat.eqb_spec (fst (snd x)) r) as [eq | ne]; cbn [negb]; [exact IH |].
    cbn [map]. rewrite IH. f_equal. unfold flat_access, flat_loc, declare.
    apply Nat.eqb_neq in ne. now rewrite ne.
  Qed.

  (** A tidy command that runs, runs on flat arrays. *)
  Theorem flat_correct (c : comm) : forall ie T V m m' fm,
    exec ie c m = Some m' -> tidy ie c -> related T V m fm -> clear V (footprint ie c) ->
    exists fm', frun ie (flat T (cgc c)) fm = Some fm' /\
      related T (fun r => V r \/ news c r) m' fm' /\
      ftouches ie (flat T (cgc c)) = map (flat_access T) (footprint ie c) /\
      (forall x, In x (footprint ie c) -> proper T x).
  Proof.
    induction c as [| c1 IH1 c2 IH2 | a v | r d c IH | p l n c IH | b c1 IH1 c2 IH2];
      intros ie T V m m' fm E tid rel out; cbn [exec footprint news tidy cgc flat] in *.
    - injection E as <-. exists fm. split; [reflexivity |].
      split; [eapply related_mono; [| exact rel]; auto | split; [reflexivity | intros x []]].
    - destruct tid as (tid1 & tid2 & sep).
      destruct (exec ie c1 m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
      destruct (IH1 ie T V m m1 fm E1 tid1 rel) as (fm1 & F1 & rel1 & t1 & p1).
      { intros x Hx. apply out, in_app_iff. now left. }
      destruct (IH2 ie T _ m1 m' fm1 E tid2 rel1) as (fm2 & F2 & rel2 & t2 & p2).
      { intros x Hx [HV | Hn]; [| now apply (sep x)]. apply (out x); auto. apply in_app_iff.
        now right. }
      exists fm2. cbn [frun ftouches]. rewrite F1. split; [exact F2 |]. split; [| split].
      + eapply related_mono; [| exact rel2]. cbn beta. intros r H. tauto.
      + rewrite t1, t2, map_app. reflexivity.
      + intros x Hx. apply in_app_iff in Hx as [Hx | Hx]; auto.
    - destruct (wr ie a []) as [t |] eqn:W; cbn in E; [| discriminate].
      destruct (rd ie m v []) as [x |] eqn:Rd; cbn in E; [| discriminate].
      destruct (@cga_correct N s ie a [] [] t (Forall2_nil _) W) as (p' & Ep & Pl).
      destruct (@cge_correct A N s ie m v [] [] x (Forall2_nil _) Rd) as [X Lo].
      rewrite Ep. destruct (m (aroot a) t) as [old |] eqn:C; [| discriminate]. injection E as <-.
      assert (live : ~ V (aroot a)) by
        (apply (out (true, (aroot a, t))), in_app_iff; right; now left).
      assert (lf : leaf (T (aroot a)) t) by (apply (proj1 rel); auto; congruence).
      destruct (koffset_value _ _ _ Pl lf) as (k & Ek & Vk). cbn [flat]. rewrite Ek.
      destruct (@flat_exp_correct T V m fm ie (cge v []) rel x X) as (FX & FL & lfs).
      { rewrite Lo. intros y Hy. apply (out (false, y)), in_app_iff. left. now apply in_map. }
      cbn [frun ftouches]. rewrite Vk, natural_of_nat. cbn [obind]. rewrite FX. cbn [obind].
      rewrite (proj2 rel), C by auto. eexists. split; [reflexivity |]. split; [split | split].
      + intros r q dead H. unfold set in H.
        destruct (Nat.eqb_spec r (aroot a)) as [-> | ne]; cbn in H.
        * destruct (path_eqb q t) eqn:B;
            [apply path_eqb_eq in B; now subst | apply (proj1 rel); auto].
        * apply (proj1 rel); [tauto | exact H].
      + intros r q dead lfq. unfold set, fset.
        destruct (Nat.eqb_spec r (aroot a)) as [-> | ne]; cbn [andb].
        * destruct (path_eqb q t) eqn:B.
          -- apply path_eqb_eq in B. subst. now rewrite Nat.eqb_refl.
          -- destruct (Nat.eqb_spec (offset (T (aroot a)) q) (offset (T (aroot a)) t)) as
               [same | ne].
             ++ apply offset_inj in same; auto. subst. now rewrite path_eqb_refl in B.
             ++ apply (proj2 rel); auto.
        * apply (proj2 rel); [tauto | exact lfq].
      + rewrite FL, Lo, map_app, !map_map. cbn [map]. f_equal.
      + intros y Hy. apply in_app_iff in Hy as [Hy | [<- | []]].
        * apply in_map_iff in Hy as (z & <- & Hz). rewrite <- Lo in Hz. exact (lfs z Hz).
        * exact lf.
    - destruct (IH ie (declare T r d) (fun r' => V r' /\ r' <> r) (alloc m r d) m'
        (falloc fm r (cells d)) E tid)
        as (fm1 & F1 & rel1 & t1 & p1).
      + split.
        * intros r' q dead H. unfold declare, alloc in *. destruct (Nat.eqb_spec r' r) as [-> | ne].
          -- destruct (leafb d q) eqn:B; [now apply leafb_iff | congruence].
          -- apply (proj1 rel); tauto.
        * intros r' q dead lf. unfold declare, alloc, falloc in *.
          destruct (Nat.eqb_spec r' r) as [-> | ne].
          -- rewrite (proj2 (leafb_iff d q) lf). apply offset_lt in lf. apply Nat.ltb_lt in lf.
             now rewrite lf.
          -- apply (proj2 rel); tauto.
      + intros x Hx [HV ne]. apply (out x); auto. apply filter_In. split; auto.
        now apply negb_true_iff, Nat.eqb_neq.
      + exists (leave fm fm1 r). cbn [frun ftouches]. rewrite F1. cbn [obind].
        split; [reflexivity |]. split; [split | split].
        * intros r' q dead H. pose proof (proj1 rel1 r' q ltac:(tauto) H) as lf.
          unfold declare in lf.
          destruct (Nat.eqb_spec r' r); [tauto | exact lf].
        * intros r' q dead lf. unfold leave. destruct (Nat.eqb_spec r' r) as [-> | ne]; [tauto |].
          pose proof (proj2 rel1 r' q ltac:(tauto)) as same. unfold declare in same.
          apply Nat.eqb_neq in ne. rewrite ne in same. now apply same.
        * rewrite t1. apply flat_filter.
        * intros x Hx. apply filter_In in Hx as [Hx ne]. apply negb_true_iff in ne.
          specialize (p1 x Hx). unfold proper, declare in *. now rewrite ne in p1.
    - destruct (may_loop p ie l #n c) eqn:May; [| discriminate].
      set (V' := fun r => V r \/ news c r).
      destruct (@flat_for T V' (fun i => exec (upi ie l i) c)
        (fun i => frun (upi ie l i) (flat T (cgc c)))
        (fun i => ftouches (upi ie l i) (flat T (cgc c)) =
          map (flat_access T) (footprint (upi ie l i) c) /\
                  forall x, In x (footprint (upi ie l i) c) -> proper T x) #n) with (m := m)
                    (m' := m') (fm := fm)
        as (fm' & F & rel' & each); auto.
      + intros i m1 m2 fm1 lt Ei rel1. destruct (tid i lt) as [tid_i sep].
        destruct (IH (upi ie l i) T V' m1 m2 fm1 Ei tid_i rel1) as (fm2 & F2 & rel2 & rest).
        * intros x Hx [HV | Hn]; [| now apply (sep x)]. apply (out x); auto. apply in_flat_map.
          exists i. split; auto. apply in_seq. lia.
        * exists fm2. split; auto. split; auto. eapply related_mono; [| exact rel2]. unfold V'.
          intros r H. tauto.
      + eapply related_mono; [| exact rel]. unfold V'. intros r H. tauto.
      + exists fm'. cbn [frun ftouches]. split; [| split; [exact rel' | split]].
        * rewrite F. destruct p; [reflexivity |]. cbn [may_loop] in May.
          now rewrite (@flat_apart T (fun i => footprint (upi ie l i) c)
            (fun i => ftouches (upi ie l i) (flat T (cgc c))) #n May each).
        * rewrite !flat_map_concat_map, concat_map, map_map. f_equal. apply map_ext_in.
          intros i Hi. apply in_seq in Hi. apply each. lia.
        * intros x Hx. apply in_flat_map in Hx as (i & Hi & Hx). apply in_seq in Hi.
          apply (each i); auto. lia.
    - cbn [frun ftouches]. rewrite cgb_value. cbn [obind]. destruct tid as [tid1 tid2].
      destruct (holds ie b).
      + destruct (IH1 ie T V m m' fm E tid1 rel out) as (fm' & F & rel' & rest).
        exists fm'. split; auto. split; auto. eapply related_mono; [| exact rel']. cbn beta.
        intros r H. tauto.
      + destruct (IH2 ie T V m m' fm E tid2 rel out) as (fm' & F & rel' & rest).
        exists fm'. split; auto. split; auto. eapply related_mono; [| exact rel']. cbn beta.
        intros r H. tauto.
  Qed.

  (** ** Whole programs on flat arrays *)

  (** The types of the inputs and of the output. *)
  Definition program_types (G : list data) (d : data) : types := fun r => nth r (G ++ [d]) DNum.

  Definition flat_program (G : list data) (e : exp A N) (d : data) : fstm A N :=
    flat (program_types G d) (cgc (compile G e d)).

  (** Each input lies flat in its root; the output has [cells d] places. *)
  Definition flat_ready (G : list data) (ws : list (value A)) (d : data) fm : Prop :=
    length ws = length G /\
    (forall k dk w, nth_error G k = Some dk -> nth_error ws k = Some w ->
       has_type dk w /\ forall p, leaf dk p -> fm k (offset dk p) = Some (look w p)) /\
    (forall o, o < cells d -> fm (length G) o <> None).

  Theorem flat_program_correct G (e : exp A N) d ws fm ie : ty (closed G) e d ->
    flat_ready G ws d fm ->
    exists fm', frun ie (flat_program G e d) fm = Some fm' /\
      (forall p, leaf d p -> fm' (length G) (offset d p) = Some (look (eval ws e) p)) /\
      (forall k dk p, nth_error G k = Some dk -> leaf dk p ->
        fm' k (offset dk p) = fm k (offset dk p)).
  Proof.
    intros T (len & Hin & Hout). set (Ty := program_types G d).
    assert (type_in : forall k dk, nth_error G k = Some dk -> Ty k = dk).
    { intros k dk Ek. unfold Ty, program_types. apply nth_error_nth.
      rewrite nth_error_app1; auto. now apply nth_error_bound in Ek. }
    assert (type_out : Ty (length G) = d).
    { unfold Ty, program_types. rewrite app_nth2, Nat.sub_diag by lia. reflexivity. }
    (* the trees that the flat store holds *)
    set (m := fun (r : nat) (p : path) =>
                if r <=? length G then (if leafb (Ty r) p then fm r (offset (Ty r) p) else None)
                  else None).
    assert (at_m : forall r p, r <= length G -> leaf (Ty r) p -> m r p = fm r (offset (Ty r) p)).
    { intros r p le lf. unfold m. apply Nat.leb_le in le. apply leafb_iff in lf.
      now rewrite le, lf. }
    assert (rdy : ready G ws d m).
    { split; [exact len | split].
      - intros k dk w Ek Ew. destruct (Hin k dk w Ek Ew) as [typed held]. split; [exact typed |].
        intros p lf. pose proof (nth_error_bound _ _ _ Ek). pose proof (type_in k dk Ek) as Tk.
        rewrite at_m by (rewrite ?Tk; auto; lia). rewrite Tk. now apply held.
      - intros p lf. rewrite at_m by (rewrite ?type_out; auto). rewrite type_out.
        now apply Hout, offset_lt. }
    destruct (compile_correct ie T rdy) as (m' & _ & E & out & kept).
    set (V := fun r => length G < r).
    assert (rel : related Ty V m fm).
    { split; intros r p live; unfold V in live.
      - unfold m. destruct (r <=? length G); [| tauto]. destruct (leafb (Ty r) p) eqn:B; [| tauto].
        intros _. now apply leafb_iff.
      - intros lf. rewrite at_m; auto. lia. }
    assert (HS : scoped (fun r => r < length G) (S (length G)) (closed G) (@inputs A N (length G))).
    { intros x t Hx. cbn in Hx. rewrite nth_error_map in Hx.
      destruct (nth_error G x) as [dx |] eqn:Ex; [| discriminate].
      pose proof (nth_error_bound _ _ _ Ex). exists (VRoot x). unfold inputs.
      rewrite nth_error_map, nth_seq by auto. split; auto. }
    assert (HP : forall r, r < length G -> r < S (length G)) by (intros; lia).
    destruct (proj1 (translation_neat T) ie (fun r => r < length G) (S (length G))
      (inputs (length G))
                (ARoot (length G)) HP HS (Nat.lt_succ_diag_r _) I) as (n1 & t1 & f1).
    destruct (@flat_correct (compile G e d) ie Ty V m m' fm E t1 rel) as (fm' & F & rel' & _ & _).
    { intros x Hx dead. apply f1 in Hx. unfold V in dead. lia. }
    assert (alive : forall r, r <= length G -> ~ (V r \/ news (compile G e d) r)).
    { intros r le [dead | H]; [unfold V in dead; lia |]. apply n1 in H. lia. }
    exists fm'. split; [exact F |]. split.
    - intros p lf. rewrite <- out by auto.
      rewrite <- (proj2 rel' (length G) p); [now rewrite type_out | |].
      + apply alive. lia.
      + now rewrite type_out.
    - intros k dk p Ek lf. pose proof (nth_error_bound _ _ _ Ek) as lt. pose proof (type_in k dk Ek) as Tk.
      pose proof (proj2 rel' k p (alive k ltac:(lia))) as after. rewrite Tk in after.
      rewrite (after lf), kept by auto.
      rewrite at_m by (rewrite ?Tk; auto; lia). now rewrite Tk.
  Qed.
End FlatProof.
