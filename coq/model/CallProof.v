(** * A call computes its kernel program

    On places that hold the inputs it leaves in the others what the program stores, and
    nothing else changes. *)

From Coq Require Import Bool List Arith NArith ZArith Lia.
From Calque Require Import base.Lists kernel.Kernel kernel.Lower.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs.
From Calque Require Import model.Function model.FunctionProof model.Unit.
From Calque Require dpia.Syntax dpia.Target emit.Flat emit.Machine emit.MachineProof emit.Relocate.
Import ListNotations.
Open Scope nat_scope.

(** ** Windows *)

Definition within (w : window) (q o : nat) : Prop :=
  let '(q', b, n) := w in q = q' /\ b <= o < b + n.

Lemma disjoint_within v w q o : disjoint v w = true -> within v q o -> within w q o -> False.
Proof.
  destruct v as [[q1 b1] n1], w as [[q2 b2] n2]. unfold disjoint, within. intros D [-> H1] [-> H2].
  rewrite Nat.eqb_refl in D. cbn [negb orb] in D. apply orb_true_iff in D.
  rewrite !Nat.leb_le in D. lia.
Qed.

Lemma pairwise_nth {X} (r : X -> X -> bool) l : pairwise r l = true ->
  forall i j x y, i < j -> nth_error l i = Some x -> nth_error l j = Some y -> r x y = true.
Proof.
  induction l as [| a l IH]; intros P i j x y lt Ei Ej; [destruct i; discriminate |].
  cbn [pairwise] in P. apply andb_true_iff in P as [head P]. destruct j as [| j]; [lia |].
  destruct i as [| i]; cbn in Ei, Ej.
  - injection Ei as <-. rewrite forallb_forall in head. apply head. now apply nth_error_In in Ej.
  - apply (IH P i j); auto. lia.
Qed.

Lemma local_array_local r : is_local (local_array r) = true.
Proof.
  unfold is_local, local_array. apply andb_true_iff. split; [apply Nat.leb_le; lia |].
  replace (3 + 2 * r) with (1 + 2 * (1 + r)) by lia. now rewrite Nat.odd_add_mul_2.
Qed.

(** What a call that writes to [ws] leaves alone. *)
Definition spared (ws : list place) (q o : nat) : Prop :=
  is_local q = false /\ forall p, In p ws -> ~ within (window_of p) q o.

Section BodyProof.
  Variable K : scalars.
  Notation A := (scalar_algebra K).
  Notation N' := Syntax.numbers.
  Notation memory := (Flat.fstore A).

  (** The place holds the cells of a kernel tensor. *)
  Definition holds_cells (m : memory) (p : place) (x : Kernel.tensor K) : Prop :=
    forall i, in_box (p_dims p) i = true ->
      m (p_array p) (p_base p + position (p_dims p) i) = Some (Some (x i)).

  Lemma dims_same (ds : list sizes) (ps : list place) :
    all2 (fun d p => all2 Nat.eqb d (p_dims p)) ds ps = true -> ds = map p_dims ps.
  Proof.
    revert ps. induction ds as [| d ds IH]; intros [| p ps] H; try discriminate; [reflexivity |].
    cbn [all2] in H. apply andb_true_iff in H as [E H]. cbn [map]. f_equal; [| now apply IH].
    apply (all2_iff _ eq) in E; [| apply Forall_forall; intros a _ b; apply Nat.eqb_eq].
    induction E; congruence.
  Qed.

  Lemma widest_nonneg (c : Flat.fstm A N') : (0 <= widest c)%Z.
  Proof. induction c; cbn [widest]; lia. Qed.

  Theorem body_correct ins (p : prog K) f args size st m :
    compile_function ins p = Some f -> f_inputs f = length ins ->
    function_ok size f args = true ->
    (forall s t, In s p -> in_bounds_stmt t (shape_in (tensors ins p) t) s) ->
    (forall k t d q, nth_error ins k = Some (t, d) -> nth_error args k = Some q -> holds_cells m q (st t)) ->
    (forall o, o < size -> m arena o <> None) ->
    exists m', Machine.frun64 (s := Syntax.numbers_sizing) room start (call_body f args) m = Some m' /\
      (forall k t d q, nth_error (tensors ins p) k = Some (t, d) -> nth_error args k = Some q ->
         p_dims q = d /\ holds_cells m' q (exec_prog p st t)) /\
      (forall q o, spared (skipn (f_inputs f) args) q o -> m' q o = m q o) /\
      (forall o, o < size -> m' arena o <> None).
  Proof.
    intros C inputs ok safe H there. unfold function_ok in ok.
    repeat (apply andb_true_iff in ok; destruct ok as [ok ?]).
    rename ok into Hd, H0 into Hfits, H1 into Hsets, H2 into Hin, H3 into Hpair, H4 into Harena, H5 into Hlocal.
    assert (params_ : f_params f = map snd (tensors ins p)).
    { unfold compile_function in C. destruct (distinct _ && _); [| discriminate].
      destruct (traverse _ p); [| discriminate]. now injection C as <-. }
    apply dims_same in Hd. set (n := length (f_params f)) in *.
    assert (len_args : length args = n) by (unfold n; rewrite Hd; now rewrite map_length).
    set (at_ := argument args). set (W := fun r => f_inputs f <=? r).
    set (len := fun r => match nth_error args r with Some q => cell_count (p_dims q) | None => 0 end).
    assert (arg : forall r, r < n -> exists q, nth_error args r = Some q).
    { intros r lt. destruct (nth_error args r) as [q |] eqn:E; [eauto |]. apply nth_error_None in E. lia. }
    assert (at_arg : forall r q, nth_error args r = Some q -> at_ r = (p_array q, p_base q) /\ len r = cell_count (p_dims q)).
    { intros r q E. unfold at_, argument, len. now rewrite E. }
    assert (at_local : forall r, n <= r -> at_ r = (local_array r, 0)).
    { intros r le. unfold at_, argument. destruct (nth_error args r) eqn:E; [| reflexivity].
      apply nth_error_bound in E. lia. }
    assert (not_local : forall r q, nth_error args r = Some q -> is_local (p_array q) = false).
    { intros r q E. apply nth_error_In in E. rewrite forallb_forall in Hlocal.
      specialize (Hlocal q E). now apply negb_true_iff in Hlocal. }
    assert (outs_at : forall r q, f_inputs f <= r -> nth_error args r = Some q ->
      nth_error (map window_of (skipn (f_inputs f) args)) (r - f_inputs f) = Some (window_of q)).
    { intros r q le E. rewrite nth_error_map, nth_error_skipn. now replace (f_inputs f + (r - f_inputs f)) with r by lia; rewrite E. }
    assert (apart_ : forall r o r' o', Relocate.writable n W r -> Relocate.inside n len r o -> Relocate.inside n len r' o' ->
      Relocate.spot at_ (r, o) = Relocate.spot at_ (r', o') -> r = r' /\ o = o').
    { intros r o r' o' wr I I' E. unfold Relocate.spot, Relocate.region, Relocate.base in E. cbn [fst snd] in E.
      destruct (Nat.lt_ge_cases r n) as [lt | ge], (Nat.lt_ge_cases r' n) as [lt' | ge'].
      - destruct wr as [? | w]; [lia |]. unfold W in w. apply Nat.leb_le in w.
        destruct (arg r lt) as [q Eq], (arg r' lt') as [q' Eq'].
        destruct (at_arg r q Eq) as [a1 l1], (at_arg r' q' Eq') as [a2 l2].
        unfold Relocate.inside in *. specialize (I lt). specialize (I' lt'). rewrite a1, a2 in E. rewrite l1 in I. rewrite l2 in I'.
        cbn [fst snd] in E. injection E as Ea Eb.
        assert (in1 : within (window_of q) (p_array q) (p_base q + o)) by (cbn; lia).
        assert (in2 : within (window_of q') (p_array q) (p_base q + o)) by (cbn; lia).
        destruct (Nat.eq_dec r r') as [<- | ne].
        + split; [reflexivity |]. assert (q = q') by congruence. subst q'. lia.
        + exfalso. destruct (Nat.lt_ge_cases r' (f_inputs f)) as [small | big].
          * rewrite forallb_forall in Hin. pose proof (outs_at r q w Eq) as M. apply nth_error_In in M.
            specialize (Hin _ M). rewrite forallb_forall in Hin.
            assert (D : disjoint (window_of q) (window_of q') = true).
            { apply Hin, in_map. apply (nth_error_In _ r'). now rewrite nth_error_firstn. }
            exact (disjoint_within _ _ _ _ D in1 in2).
          * pose proof (outs_at r q w Eq) as M1. pose proof (outs_at r' q' big Eq') as M2.
            destruct (Nat.lt_ge_cases r r').
            -- assert (D := pairwise_nth _ _ Hpair (r - f_inputs f) (r' - f_inputs f) _ _ ltac:(lia) M1 M2).
               exact (disjoint_within _ _ _ _ D in1 in2).
            -- assert (D := pairwise_nth _ _ Hpair (r' - f_inputs f) (r - f_inputs f) _ _ ltac:(lia) M2 M1).
               exact (disjoint_within _ _ _ _ D in2 in1).
      - destruct (arg r lt) as [q Eq]. rewrite (proj1 (at_arg r q Eq)), (at_local r' ge') in E. cbn [fst snd] in E.
        injection E as Ea _. pose proof (not_local r q Eq) as no. rewrite Ea in no. now rewrite local_array_local in no.
      - destruct (arg r' lt') as [q Eq]. rewrite (proj1 (at_arg r' q Eq)), (at_local r ge) in E. cbn [fst snd] in E.
        injection E as Ea _. pose proof (not_local r' q Eq) as no. rewrite <- Ea in no. now rewrite local_array_local in no.
      - rewrite (at_local r ge), (at_local r' ge') in E. cbn [fst snd] in E. unfold local_array in E. injection E as Ea Eo. lia. }
    set (fm := fun r o => if (r <? n) && (o <? len r) then m (fst (at_ r)) (snd (at_ r) + o) else None).
    assert (ins_at : forall k t d, nth_error ins k = Some (t, d) -> nth_error (tensors ins p) k = Some (t, d)).
    { intros k t d E. unfold tensors. rewrite nth_error_app1; [exact E | now apply nth_error_bound in E]. }
    assert (param_dims : forall k t d q, nth_error (tensors ins p) k = Some (t, d) -> nth_error args k = Some q -> p_dims q = d).
    { intros k t d q E Eq. assert (F : nth_error (f_params f) k = Some d) by (rewrite params_, nth_error_map, E; reflexivity).
      rewrite Hd, nth_error_map, Eq in F. cbn in F. congruence. }
    assert (fm_at : forall r q o, nth_error args r = Some q -> o < cell_count (p_dims q) ->
      fm r o = m (p_array q) (p_base q + o)).
    { intros r q o Eq lt. destruct (at_arg r q Eq) as [a l]. unfold fm. rewrite a, l.
      pose proof (nth_error_bound _ _ _ Eq) as b. rewrite len_args in b.
      apply Nat.ltb_lt in b, lt. now rewrite b, lt. }
    destruct (function_correct K ins p f st fm start C safe) as (fm' & F & held').
    { intros k t d E i I. destruct (arg k) as [q Eq].
      { pose proof (ins_at _ _ _ E) as E'. apply nth_error_bound in E'. unfold n. rewrite params_, map_length. exact E'. }
      pose proof (param_dims k t d q (ins_at _ _ _ E) Eq) as D. subst d.
      rewrite (fm_at k q _ Eq) by now apply position_lt. now apply (H k t (p_dims q) q). }
    { intros k d o E lt. pose proof (nth_error_bound _ _ _ E) as b. fold n in b. destruct (arg k b) as [q Eq].
      rewrite Hd, nth_error_map, Eq in E. cbn in E. injection E as <-. rewrite (fm_at k q o Eq lt).
      destruct (Nat.lt_ge_cases k (f_inputs f)) as [small | big].
      - rewrite inputs in small. destruct (nth_error ins k) as [[t d] |] eqn:Ei; [| apply nth_error_None in Ei; lia].
        destruct (index_at_spec _ _ lt) as [I P]. rewrite <- P.
        rewrite (H k t d q Ei Eq) by exact I. discriminate.
      - pose proof (outs_at k q big Eq) as M. apply nth_error_In in M. rewrite forallb_forall in Harena.
        specialize (Harena _ M). cbn in Harena. apply andb_true_iff in Harena as [Ea Eb].
        apply Nat.eqb_eq in Ea. apply Nat.leb_le in Eb. rewrite Ea. apply there. lia. }
    destruct (@Relocate.relocate_correct A N' at_ Syntax.numbers_sizing n W len) with
      (c := f_body f) (ie := start) (fm := fm) (fm' := fm') (m := m) as (m' & R & [in' same'] & _ & kept); auto.
    { intros r le. unfold Relocate.base. now rewrite (at_local r le). }
    { intros r r' le E. unfold Relocate.region in E. rewrite (at_local r le) in E.
      destruct (Nat.lt_ge_cases r' n) as [lt' | ge'].
      - destruct (arg r' lt') as [q Eq]. rewrite (proj1 (at_arg r' q Eq)) in E. cbn [fst] in E.
        pose proof (not_local r' q Eq) as no. rewrite <- E in no. now rewrite local_array_local in no.
      - rewrite (at_local r' ge') in E. cbn [fst] in E. unfold local_array in E. lia. }
    { split; intros r o some; unfold fm in *.
      - intros lt. destruct (o <? len r) eqn:B; [now apply Nat.ltb_lt |]. now rewrite andb_false_r in some.
      - destruct ((r <? n) && (o <? len r)); [reflexivity | congruence]. }
    exists m'. split.
    { eapply MachineProof.no_overflow with (most := widest (call_body f args)).
      - intros k. unfold room, Syntax.count. cbn. lia.
      - exact Hfits.
      - intros l. unfold start. pose proof (widest_nonneg (call_body f args)). cbn. lia.
      - exact R. }
    assert (results : forall k t d q, nth_error (tensors ins p) k = Some (t, d) -> nth_error args k = Some q ->
         p_dims q = d /\ holds_cells m' q (exec_prog p st t)).
    { intros k t d q E Eq. pose proof (param_dims k t d q E Eq) as D. split; [exact D |]. subst d. intros i I.
      pose proof (held' k t _ E i I) as V. destruct (at_arg k q Eq) as [a _].
      pose proof (same' k (position (p_dims q) i)) as same_. unfold Relocate.region, Relocate.base in same_.
      rewrite a in same_. cbn [fst snd] in same_. rewrite V in same_. apply same_. discriminate. }
    assert (frame : forall q o, spared (skipn (f_inputs f) args) q o -> m' q o = m q o).
    { intros q o [nl sp]. apply kept. split.
      - intros r o' w lt in_ E. destruct (arg r lt) as [q' Eq]. destruct (at_arg r q' Eq) as [a l].
        unfold Relocate.spot, Relocate.region, Relocate.base in E. cbn [fst snd] in E. rewrite a in E. cbn [fst snd] in E.
        injection E as Ea Eb. unfold W in w. apply Nat.leb_le in w. apply (sp q').
        + apply (nth_error_In _ (r - f_inputs f)). rewrite nth_error_skipn.
          now replace (f_inputs f + (r - f_inputs f)) with r by lia.
        + rewrite l in in_. cbn. lia.
      - intros r le E. unfold Relocate.region in E. rewrite (at_local r le) in E. cbn [fst] in E. subst q.
        now rewrite local_array_local in nl. }
    split; [exact results |]. split; [exact frame |].
    intros o lt. destruct (existsb (fun q => (p_array q =? arena) && (p_base q <=? o) && (o <? p_base q + cell_count (p_dims q)))
      (skipn (f_inputs f) args)) eqn:B.
    - apply existsb_exists in B. destruct B as (q & Iq & B). apply andb_true_iff in B as [B B3].
      apply andb_true_iff in B as [B1 B2]. apply Nat.eqb_eq in B1. apply Nat.leb_le in B2. apply Nat.ltb_lt in B3.
      apply In_nth_error in Iq. destruct Iq as [k Ek]. rewrite nth_error_skipn in Ek.
      pose proof (nth_error_bound _ _ _ Ek) as b. rewrite len_args in b. unfold n in b. rewrite params_, map_length in b.
      destruct (nth_error (tensors ins p) (f_inputs f + k)) as [[t d] |] eqn:Et; [| apply nth_error_None in Et; lia].
      destruct (results _ _ _ _ Et Ek) as [D V]. destruct (index_at_spec (p_dims q) (o - p_base q)) as [I P]; [lia |].
      specialize (V _ I). rewrite P, B1 in V. replace (p_base q + (o - p_base q)) with o in V by lia. rewrite V. discriminate.
    - rewrite frame; [now apply there |]. split; [reflexivity |]. intros q Iq W'. cbn in W'.
      apply not_true_iff_false in B. apply B, existsb_exists. exists q. split; [exact Iq |].
      destruct W' as [Ea [lo hi]]. rewrite <- Ea. apply Nat.leb_le in lo. apply Nat.ltb_lt in hi. now rewrite Nat.eqb_refl, lo, hi.
  Qed.
End BodyProof.

Section CallProof.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation A := (scalar_algebra K).
  Notation N' := Syntax.numbers.
  Notation tensor := (tensor (num S)).
  Notation memory := (Flat.fstore A).
  Notation store := (Kernel.store K).

  (** The place holds the cells of a kernel tensor. *)
  Definition has (m : memory) (p : place) (x : Kernel.tensor K) : Prop :=
    holds_cells K m p x.

  Theorem call_correct ins (p : prog K) f args size st m :
    compile_function ins p = Some f -> f_inputs f = length ins ->
    function_ok size f args = true ->
    (forall s t, In s p -> in_bounds_stmt t (shape_in (tensors ins p) t) s) ->
    (forall k t d q, nth_error ins k = Some (t, d) -> nth_error args k = Some q -> has m q (st t)) ->
    (forall o, o < size -> m arena o <> None) ->
    exists m', run_call (Call f args) m = Finished m' /\
      (forall k t d q, nth_error (tensors ins p) k = Some (t, d) -> nth_error args k = Some q ->
         p_dims q = d /\ has m' q (exec_prog p st t)) /\
      (forall q o, spared (skipn (f_inputs f) args) q o -> m' q o = m q o) /\
      (forall o, o < size -> m' arena o <> None).
  Proof.
    intros C inputs ok safe H there. destruct (body_correct K ins p f args size st m C inputs ok safe H there) as (m' & R & rest).
    exists m'. split; [unfold run_call; now rewrite R | exact rest].
  Qed.
End CallProof.
