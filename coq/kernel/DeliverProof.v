(** * The tensors of a result hold the gradients

    The statements that are kept, where the gradient by an output goes into the tensor that holds
    its given adjoint, leave there what all statements leave in the gradient's own tensor. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers.
From Calque Require Import kernel.Gradient kernel.SweepProof kernel.GradientProgram kernel.StepProof.
From Calque Require Import kernel.BackwardProof kernel.ForwardProof kernel.NeededProof kernel.RunProof.
From Calque Require Import kernel.Source kernel.SplitOff kernel.ForwardValues kernel.ResultProof.
Import ListNotations.
Open Scope Z_scope.

Section Deliver.
  Variable F : field.
  Variable O : options.
  Notation store := (store (text F)).
  Notation step := (step F).
  Notation builder := (builder F).
  Notation outs l := (map (fun s => out (does F s)) l).
  Notation size b := (length (tensors F b)).
  Notation run := (NeededProof.run F).

  (** ** Statements that store elsewhere *)

  Definition closed (ren : tid -> tid) (s : step) : step :=
    Step F (Stmt (ren (out (does F s))) (dims (does F s)) (body (does F s))) (names F s) (stores_max F s) (fixed F s).

  Lemma closed_same ren l : (forall s, In s l -> ren (out (does F s)) = out (does F s)) -> map (closed ren) l = l.
  Proof.
    intros H. rewrite <- (map_id l) at 2. apply map_ext_in. intros s ins. unfold closed. rewrite (H s ins).
    destruct s as [[o d e] n m f]. reflexivity.
  Qed.

  Lemma run_step_at s y i : run_step F s y (out (does F s)) i = step_value F y s i.
  Proof. unfold run_step. rewrite (upd_same (text F)). reflexivity. Qed.

  Lemma run_untouched l : forall y t, ~ In t (outs l) -> run l y t = y t.
  Proof.
    induction l as [| s l IH]; intros y t no; [reflexivity |]. cbn [NeededProof.run fold_left].
    fold (run l (run_step F s y)). rewrite IH by (intros h; apply no; now right).
    unfold run_step. apply (upd_other (text F)). intros ->. apply no. now left.
  Qed.

  (** None reads what an earlier one stores. *)
  Definition apart (ren : tid -> tid) (tail : list step) : Prop :=
    forall pre s post, tail = pre ++ s :: post -> forall s', In s' pre ->
      ~ In (ren (out (does F s'))) (loads (body (does F s))).

  Lemma apart_tail ren s tail : apart ren (s :: tail) -> apart ren tail.
  Proof.
    intros H pre s1 post E s' ins. apply (H (s :: pre) s1 post); [now rewrite E | now right].
  Qed.

  Lemma run_apart ren tail : apart ren tail -> NoDup (map (fun s => ren (out (does F s))) tail) ->
    forall y s i, In s tail -> run (map (closed ren) tail) y (ren (out (does F s))) i = step_value F y s i.
  Proof.
    induction tail as [| s0 tail IH]; intros A once y s i ins; [contradiction |].
    inversion once as [| ? ? no once']; subst. cbn [map NeededProof.run fold_left].
    fold (run (map (closed ren) tail) (run_step F (closed ren s0) y)). destruct ins as [<- | ins].
    - rewrite run_untouched.
      + change (ren (out (does F s0))) with (out (does F (closed ren s0))). now rewrite run_step_at.
      + rewrite map_map. exact no.
    - rewrite (IH (apart_tail ren s0 tail A) once' _ s i ins). apply run_step_frame. intros t h j.
      unfold run_step. rewrite (upd_other (text F)); [reflexivity |]. cbn [closed does out]. intros ->.
      apply in_split in ins as (pre & post & ->).
      exact (A (s0 :: pre) s post eq_refl s0 (or_introl eq_refl) h).
  Qed.

  (** ** What is kept *)

  Lemma use_cons roots s p : use F roots (s :: p) =
    let '(used, kept) := use F roots p in
    if existsb (Nat.eqb (out (does F s))) used then (loads (body (does F s)) ++ used, s :: kept) else (used, kept).
  Proof. reflexivity. Qed.

  Lemma use_app roots p q : use F roots (p ++ q) =
    (fst (use F (fst (use F roots q)) p), snd (use F (fst (use F roots q)) p) ++ snd (use F roots q)).
  Proof.
    induction p as [| s p IH].
    - change (use F roots q = (fst (use F roots q), snd (use F roots q))). now destruct (use F roots q).
    - cbn [app]. rewrite !use_cons, IH. destruct (use F (fst (use F roots q)) p) as [used kept].
      cbn [fst snd]. destruct (existsb (Nat.eqb (out (does F s))) used); reflexivity.
  Qed.

  Lemma use_grows roots q t : In t roots -> In t (fst (use F roots q)).
  Proof.
    intros int_. induction q as [| s q IH]; [exact int_ |]. rewrite use_cons.
    destruct (use F roots q) as [used kept]. cbn [fst] in *.
    destruct (existsb (Nat.eqb (out (does F s))) used); cbn [fst]; [apply in_or_app; now right | exact IH].
  Qed.

  Lemma use_all roots q : (forall s, In s q -> In (out (does F s)) roots) ->
    snd (use F roots q) = q /\ forall s t, In s q -> In t (loads (body (does F s))) -> In t (fst (use F roots q)).
  Proof.
    induction q as [| s q IH]; intros H; [split; [reflexivity | contradiction] |].
    destruct IH as [E L]; [intros s' h; apply H; now right |].
    pose proof (use_grows roots q (out (does F s)) (H s (or_introl eq_refl))) as G.
    rewrite use_cons. destruct (use F roots q) as [used kept].
    cbn [fst snd] in *. rewrite (proj2 (existsb_eqb _ _) G). cbn [fst snd]. split; [now rewrite E |].
    intros s' t [<- | ins] int_; apply in_or_app; [now left | right; eauto].
  Qed.

  (** The last statements [tail] store where [ren] says, the others where they did. *)
  Theorem renamed_run ren roots A tail y :
    (forall s, In s A -> ren (out (does F s)) = out (does F s)) ->
    (forall s, In s tail -> In (out (does F s)) roots) ->
    apart ren tail -> apart (fun t => t) tail ->
    NoDup (map (fun s => ren (out (does F s))) tail) -> NoDup (outs tail) ->
    let kept := run (map (closed ren) (used_steps F roots (A ++ tail))) y in
    let all := run (A ++ tail) y in
    (forall s i, In s tail -> kept (ren (out (does F s))) i = all (out (does F s)) i) /\
    (forall t i, In t roots -> ~ In t (outs tail) -> ~ In t (map (fun s => ren (out (does F s))) tail) ->
       kept t i = all t i).
  Proof.
    intros same rooted ap ap_id once once_id kept all.
    destruct (use_all roots tail rooted) as [E L].
    assert (K : used_steps F roots (A ++ tail) = used_steps F (fst (use F roots tail)) A ++ tail).
    { rewrite !used_steps_use, use_app. cbn [snd]. now rewrite E. }
    assert (sub : incl (used_steps F (fst (use F roots tail)) A) A).
    { rewrite used_steps_use. generalize (fst (use F roots tail)). intros r. clear.
      induction A as [| s A IH]; intros x h; [exact h |]. rewrite use_cons in h.
      destruct (use F r A) as [used kept]. cbn [snd] in *.
      destruct (existsb (Nat.eqb (out (does F s))) used); cbn [snd] in h; [destruct h as [<- | h]; [now left | right; auto] | right; auto]. }
    set (few := used_steps F (fst (use F roots tail)) A) in *.
    assert (kept_is : kept = run (map (closed ren) tail) (run few y)).
    { unfold kept. rewrite K, map_app, closed_same by (intros s h; apply same, sub, h).
      unfold NeededProof.run. now rewrite fold_left_app. }
    assert (all_is : all = run tail (run A y)).
    { unfold all, NeededProof.run. now rewrite fold_left_app. }
    assert (agree : forall t, In t (fst (use F roots tail)) -> forall i, run few y t i = run A y t i).
    { intros t h i. symmetry. unfold few. now apply needed_correct. }
    assert (plain : map (closed (fun t => t)) tail = tail) by (apply closed_same; reflexivity).
    split.
    - intros s i ins. rewrite kept_is, all_is, run_apart by assumption.
      rewrite <- plain at 1. change (out (does F s)) with ((fun t : tid => t) (out (does F s))).
      rewrite run_apart by assumption. apply run_step_frame. intros t h j. apply agree. now apply (L s).
    - intros t i r no no'. rewrite kept_is, all_is, (run_untouched tail) by exact no.
      rewrite run_untouched by (now rewrite map_map). apply agree. now apply use_grows.
  Qed.
End Deliver.

(** ** All of it *)

Section Delivered.
  Variable F : field.
  Variable O : options.
  Notation step := (step F).
  Notation builder := (builder F).
  Notation outs l := (map (fun s => out (does F s)) l).
  Notation size b := (length (tensors F b)).
  Notation run := (NeededProof.run F).

  Variables (n0 : nat) (b : builder) (outputs wrt current : list tid) (given_ l : table) (b' : builder).
  Notation is_output := (fun x => existsb (Nat.eqb x) outputs).
  Notation order := (filter (fun x => negb (is_output x)) wrt ++ filter is_output wrt).
  Hypothesis done : backward F O outputs order current b = Done (given_, l, b').
  Hypothesis outputs_once : NoDup outputs.
  Hypothesis wrt_once : NoDup wrt.
  Hypothesis wrt_small : forall x, In x wrt -> (x < n0)%nat.
  Hypothesis n0_small : (n0 <= size b)%nat.
  Hypothesis outs_between : forall s, In s (steps F b) -> (n0 <= out (does F s) < size b)%nat.
  Hypothesis no_adjoints : no_adjoint F b.

  Lemma in_order x : In x order <-> In x wrt.
  Proof.
    rewrite in_app_iff, !filter_In. destruct (is_output x); simpl; intuition congruence.
  Qed.

  Lemma order_once : NoDup order.
  Proof.
    apply NoDup_app_intro; [now apply NoDup_filter | now apply NoDup_filter |].
    intros x h h'. apply filter_In in h as [_ h]. apply filter_In in h' as [_ h']. now rewrite h' in h.
  Qed.

  Lemma order_length : length order = length wrt.
  Proof.
    rewrite app_length. clear. induction wrt as [| x w IH]; [reflexivity |]. simpl.
    destruct (is_output x); simpl; lia.
  Qed.

  (** Where everything is. *)
  Record places_ (m : nat) (ts0 ts1 ts2 : list (origin * list nat)) (ss1 ss2 : list step) : Prop := Places {
    p_given : given_ = combine outputs (seq (size b) (length outputs));
    p_tensors : tensors F b' = tensors F b ++ ts0 ++ ts1 ++ ts2;
    p_steps : steps F b' = steps F b ++ ss1 ++ ss2;
    p_first : map fst ts0 = map AdjointOf outputs;
    p_middle : forall q x, In q ts1 -> is_adjoint x q = true -> In x (outs (steps F b));
    p_last : map fst ts2 = map AdjointOf order;
    p_m : m = (size b + length ts0 + length ts1)%nat;
    p_l : l = combine order (seq m (length order));
    p_outs1 : forall s, In s ss1 -> (size b + length outputs <= out (does F s) < m)%nat;
    p_outs2 : outs ss2 = seq m (length order) }.

  Lemma backward_places : exists m ts0 ts1 ts2 ss1 ss2, places_ m ts0 ts1 ts2 ss1 ss2.
  Proof.
    unfold backward in done. destruct (give F outputs current b) as [[seeds g] bg] eqn:Eg.
    destruct (adjoints_of F O _ _ _ _ _ bg) as [[adj b2] | |] eqn:Ea; try discriminate. cbn [and_then] in done.
    destruct (gradients F O _ _ _ _ b2) as [[l' b3] | |] eqn:El; try discriminate. cbn [and_then] in done.
    injection done as -> -> ->.
    apply give_places in Eg as (G & Sg & ts0 & T0 & M0).
    apply adjoints_places in Ea as (ts1 & ss1 & T1 & S1 & A1 & O1).
    apply gradients_places in El as (L & ts2 & ss2 & T2 & M2 & S2 & U2).
    assert (len0 : length ts0 = length outputs) by (rewrite <- (map_length fst), M0; apply map_length).
    assert (Lg : size bg = (size b + length ts0)%nat) by (rewrite T0, app_length; reflexivity).
    assert (L2 : size b2 = (size b + length ts0 + length ts1)%nat) by (rewrite T1, app_length, Lg; reflexivity).
    exists (size b2), ts0, ts1, ts2, ss1, ss2. split; auto.
    - now rewrite T2, T1, T0, <- !app_assoc.
    - now rewrite S2, S1, Sg, <- !app_assoc.
    - intros q x inq is. specialize (A1 q x inq is). rewrite map_rev, <- in_rev in A1. exact A1.
    - intros s ins. apply O1 in ins. rewrite Lg in ins. lia.
  Qed.

  Section Placed.
    Variables (m : nat) (ts0 ts1 ts2 : list (origin * list nat)) (ss1 ss2 : list step).
    Hypothesis P : places_ m ts0 ts1 ts2 ss1 ss2.

    Lemma first_length : length ts0 = length outputs.
    Proof. rewrite <- (map_length fst), (p_first _ _ _ _ _ _ P). apply map_length. Qed.

    Lemma given_at o : In o outputs -> at_table given_ o = (size b + place_of o outputs)%nat.
    Proof.
      intros ino. unfold at_table. rewrite (p_given _ _ _ _ _ _ P).
      now rewrite (find_combine outputs (size b) o outputs_once ino).
    Qed.

    Lemma given_range o : In o outputs -> (size b <= at_table given_ o < size b + length outputs)%nat.
    Proof. intros ino. rewrite given_at by exact ino. pose proof (place_of_lt o outputs ino). unfold tid in *. lia. Qed.

    Lemma given_once x y : In x outputs -> In y outputs -> at_table given_ x = at_table given_ y -> x = y.
    Proof.
      intros hx hy. rewrite !given_at by assumption. intros E.
      assert (E' : place_of x outputs = place_of y outputs) by (unfold tid in *; lia).
      rewrite <- (nth_place_of x outputs 0%nat hx), <- (nth_place_of y outputs 0%nat hy). now rewrite E'.
    Qed.

    Lemma gradient_at x : In x wrt -> at_table l x = (m + place_of x order)%nat.
    Proof.
      intros inx. unfold at_table. rewrite (p_l _ _ _ _ _ _ P).
      pose proof (find_combine order m x order_once (proj2 (in_order x) inx)) as E.
      match goal with |- match ?f with _ => _ end = _ => change f with (find x (combine order (seq m (length order)))) end.
      unfold tid in *. now rewrite E.
    Qed.

    Lemma m_large : (size b + length outputs <= m)%nat.
    Proof. rewrite (p_m _ _ _ _ _ _ P), first_length. unfold tid in *; lia. Qed.

    Lemma size_b' : size b' = (m + length order)%nat.
    Proof.
      rewrite (p_tensors _ _ _ _ _ _ P), (app_length (tensors F b)), (app_length ts0), (app_length ts1), (p_m _ _ _ _ _ _ P).
      assert (E : length ts2 = length order) by (rewrite <- (map_length fst), (p_last _ _ _ _ _ _ P); apply map_length).
      unfold tid in *; lia.
    Qed.

    Lemma gradient_range x : In x wrt -> (m <= at_table l x < size b')%nat.
    Proof.
      intros inx. rewrite gradient_at, size_b' by exact inx.
      pose proof (place_of_lt x order (proj2 (in_order x) inx)). unfold tid in *; lia.
    Qed.

    Lemma gradient_once x y : In x wrt -> In y wrt -> at_table l x = at_table l y -> x = y.
    Proof.
      intros hx hy. rewrite !gradient_at by assumption. intros E.
      pose proof (proj1 (Nat.add_cancel_l _ _ _) E) as E'.
      rewrite <- (nth_place_of x order 0%nat (proj2 (in_order x) hx)), <- (nth_place_of y order 0%nat (proj2 (in_order y) hy)).
      now rewrite E'.
    Qed.

    Lemma outs_b' s : In s (steps F b') -> (out (does F s) < size b')%nat /\
      ~ (size b <= out (does F s) < size b + length outputs)%nat.
    Proof.
      rewrite (p_steps _ _ _ _ _ _ P). pose proof m_large. rewrite size_b'. intros h.
      apply in_app_iff in h as [h | h]; [apply outs_between in h; lia |]. apply in_app_iff in h as [h | h].
      - apply (p_outs1 _ _ _ _ _ _ P) in h. unfold tid in *; lia.
      - apply (in_map (fun s => out (does F s))) in h. rewrite (p_outs2 _ _ _ _ _ _ P) in h. apply in_seq in h. unfold tid in *; lia.
    Qed.

    Lemma given_kept o y : In o outputs -> run (steps F b') y (at_table given_ o) = y (at_table given_ o).
    Proof.
      intros ino. apply run_untouched. intros h. apply in_map_iff in h as (s & E & ins).
      apply outs_b' in ins as [_ no]. apply no. rewrite E. now apply given_range.
    Qed.

    (** The first adjoint by name. *)
    Lemma named r ts x : result_tensors F r = tensors F b' ++ ts -> In x wrt \/ In x outputs ->
      adjoint F r x = if is_output x then at_table given_ x else at_table l x.
    Proof.
      intros T inx. unfold adjoint. rewrite T, (p_tensors _ _ _ _ _ _ P), <- !app_assoc.
      rewrite first_place_app by (intros q h; now apply no_adjoints).
      destruct (is_output x) eqn:E.
      - apply existsb_eqb in E. rewrite given_at by exact E.
        now rewrite (first_place_adjoint ts0 outputs _ x (p_first _ _ _ _ _ _ P) E).
      - assert (no : ~ In x outputs) by (intros h; apply existsb_eqb in h; congruence).
        destruct inx as [inx | h]; [| contradiction]. rewrite gradient_at by exact inx.
        rewrite first_place_app.
        + rewrite first_place_app.
          * rewrite (first_place_adjoint ts2 order _ x (p_last _ _ _ _ _ _ P) (proj2 (in_order x) inx)).
            rewrite (p_m _ _ _ _ _ _ P). unfold tid in *; lia.
          * intros q h. destruct (is_adjoint x q) eqn:A; [| reflexivity].
            apply (p_middle _ _ _ _ _ _ P) in A; [| exact h]. apply in_map_iff in A as (s & E' & ins).
            apply outs_between in ins. apply wrt_small in inx. unfold tid in *; lia.
        + intros q h. destruct (is_adjoint x q) eqn:A; [| reflexivity]. exfalso. apply no.
          apply (in_map fst) in h. rewrite (p_first _ _ _ _ _ _ P) in h. apply in_map_iff in h as (o & E' & ino).
          unfold is_adjoint in A. rewrite <- E' in A. apply Nat.eqb_eq in A. now subst.
    Qed.
  End Placed.

  (** ** What the kept statements leave *)

  Notation r := (deliver F O outputs wrt current given_ l b').
  Notation both := (filter is_output wrt).

  Lemma in_both x : In x both <-> In x wrt /\ In x outputs.
  Proof. rewrite filter_In, (existsb_eqb x outputs). tauto. Qed.

  (** The result of copies [l2], [b2], of which the last statements [tail] go into given adjoints. *)
  Lemma deliver_run m ts0 ts1 ts2 ss1 ss2 l2 b2 A tail : places_ m ts0 ts1 ts2 ss1 ss2 ->
    copy_last F l both b' = (l2, b2) -> steps F b2 = A ++ tail ->
    outs tail = map (at_table l2) both -> NoDup (outs tail) ->
    (forall s, In s A -> ~ In (out (does F s)) (outs tail)) ->
    (forall pre s post, tail = pre ++ s :: post -> forall s', In s' pre -> forall t, In t (loads (body (does F s))) ->
       t <> out (does F s') /\ ~ (size b <= t < size b + length outputs)%nat) ->
    (forall x, In x wrt -> ~ In x outputs -> at_table l2 x = at_table l x) ->
    (forall x, In x wrt -> ~ In x outputs -> ~ In (at_table l2 x) (outs tail)) ->
    (exists ts, tensors F b2 = tensors F b' ++ ts) ->
    (forall o, In o outputs -> adjoint F r o = at_table given_ o) /\
    forall x y i, In x wrt -> run (result_steps F r) y (adjoint F r x) i = run (steps F b2) y (at_table l2 x) i.
  Proof.
    intros P C St tail_is once before reads others apart_others [ts T].
    assert (both_is : filter (fun x => match find x given_ with Some _ => true | None => false end) wrt = both).
    { apply filter_ext_in. intros x _. rewrite (p_given _ _ _ _ _ _ P). destruct (is_output x) eqn:E.
      - apply existsb_eqb in E. now rewrite (find_combine outputs (size b) x outputs_once E).
      - rewrite find_none; [reflexivity |]. intros h.
        rewrite fst_combine in h. apply existsb_eqb in h. congruence. }
    set (ren := fun u => match find u (map (fun x => (at_table l2 x, at_table given_ x)) both) with Some v => v | None => u end).
    assert (ren_both : forall x, In x both -> ren (at_table l2 x) = at_table given_ x).
    { intros x h. unfold ren. rewrite (find_at tid (at_table l2) (at_table given_) both x); [reflexivity | | exact h].
      pose proof once as once'. rewrite tail_is in once'. exact once'. }
    assert (ren_none : forall u, ~ In u (outs tail) -> ren u = u).
    { intros u no. unfold ren. rewrite find_none; [reflexivity |]. rewrite map_map. cbn [fst].
      intros h. apply no. rewrite tail_is. exact h. }
    assert (ren_tail : map (fun s => ren (out (does F s))) tail = map (at_table given_) both).
    { rewrite <- (map_map (fun s => out (does F s)) ren), tail_is, map_map. apply map_ext_in. exact ren_both. }
    assert (roots_are : exists asked, result_steps F r =
      map (closed F ren) (used_steps F (map (at_table l2) wrt ++ asked) (steps F b2)) /\
      result_tensors F r = tensors F b2).
    { unfold deliver. rewrite both_is, C. cbn [result_steps result_tensors]. eexists. split; reflexivity. }
    destruct roots_are as (asked & R & RT).
    assert (given_once_both : NoDup (map (at_table given_) both)).
    { pose proof (given_once m ts0 ts1 ts2 ss1 ss2 P) as inj.
      assert (H : NoDup both) by now apply NoDup_filter. assert (sub : forall x, In x both -> In x outputs)
        by (intros x h; now apply in_both in h).
      revert H sub. generalize both. clear - inj. intros q H sub. induction H as [| x w no _ IH]; simpl; constructor.
      - intros h. apply in_map_iff in h as (x' & E & inx'). apply no.
        rewrite (inj x x'); [exact inx' | apply sub; now left | apply sub; now right | now symmetry].
      - apply IH. intros x' h. apply sub. now right. }
    assert (in_given : forall s, In s tail -> exists x, In x both /\ ren (out (does F s)) = at_table given_ x).
    { intros s h. apply (in_map (fun s => ren (out (does F s)))) in h. rewrite ren_tail in h.
      apply in_map_iff in h as (x & E & inx). exists x. split; [exact inx | now symmetry]. }
    assert (nm : forall x, In x wrt \/ In x outputs -> adjoint F r x = if is_output x then at_table given_ x else at_table l x).
    { intros x h. apply (named m ts0 ts1 ts2 ss1 ss2 P r ts x); [| exact h]. now rewrite RT. }
    split.
    { intros o ino. rewrite nm by now right. now rewrite (proj2 (existsb_eqb _ _) ino). }
    intros x y i inx.
    destruct (renamed_run F ren (map (at_table l2) wrt ++ asked) A tail y) as [K1 K2].
    - intros s h. apply ren_none. now apply before.
    - intros s h. apply in_or_app. left. apply (in_map (fun s => out (does F s))) in h. rewrite tail_is in h.
      apply in_map_iff in h as (z & E & inz). apply in_map_iff. exists z. split; [exact E |]. now apply in_both in inz.
    - intros pre s post E s' h h'. destruct (reads pre s post E s' h _ h') as [_ no]. apply no.
      destruct (in_given s') as (z & inz & ->); [rewrite E; apply in_or_app; now left |].
      apply (given_range m ts0 ts1 ts2 ss1 ss2 P). now apply in_both in inz.
    - intros pre s post E s' h h'. destruct (reads pre s post E s' h _ h') as [no _]. now apply no.
    - now rewrite ren_tail.
    - exact once.
    - cbv zeta in K1, K2. rewrite <- St, <- R in K1, K2. rewrite nm by now left.
      destruct (is_output x) eqn:Ex.
      + apply existsb_eqb in Ex. assert (inb : In x both) by now apply in_both.
        assert (h : In (at_table l2 x) (outs tail)) by (rewrite tail_is; now apply in_map).
        apply in_map_iff in h as (s & E & ins). specialize (K1 s i ins). rewrite E, (ren_both x inb) in K1. exact K1.
      + assert (no : ~ In x outputs) by (intros h; apply existsb_eqb in h; congruence).
        rewrite <- (others x inx no). apply K2.
        * apply in_or_app. left. now apply in_map.
        * now apply apart_others.
        * rewrite ren_tail. intros h. apply in_map_iff in h as (z & E & inz). apply in_both in inz as [_ ino].
          rewrite (others x inx no) in E. pose proof (given_range m ts0 ts1 ts2 ss1 ss2 P z ino).
          pose proof (gradient_range m ts0 ts1 ts2 ss1 ss2 P x inx). pose proof (m_large m ts0 ts1 ts2 ss1 ss2 P).
          unfold tid in *; lia.
  Qed.

  Theorem delivered :
    (forall o, In o outputs -> adjoint F r o = at_table given_ o) /\
    (forall o y, In o outputs -> run (steps F b') y (at_table given_ o) = y (at_table given_ o)) /\
    (forall x y a, In x wrt -> In a (box (shape_of F b x)) ->
       run (result_steps F r) y (adjoint F r x) (own_at (shape_of F b x) a) =
       run (steps F b') y (at_table l x) (own_at (shape_of F b x) a)).
  Proof.
    destruct backward_places as (m & ts0 & ts1 & ts2 & ss1 & ss2 & P).
    assert (kept : forall o y, In o outputs -> run (steps F b') y (at_table given_ o) = y (at_table given_ o))
      by (intros o y h; exact (given_kept m ts0 ts1 ts2 ss1 ss2 P o y h)).
    pose proof (m_large m ts0 ts1 ts2 ss1 ss2 P) as large.
    assert (apart_ : forall x, In x wrt -> ~ (size b <= at_table l x < size b + length outputs)%nat)
      by (intros x h; pose proof (gradient_range m ts0 ts1 ts2 ss1 ss2 P x h); unfold tid in *; lia).
    destruct (1 <? length both)%nat eqn:several.
    - destruct (copy_last F l both b') as [l2 b2] eqn:C. pose proof C as C'. unfold copy_last in C'.
      match type of C' with (if ?q then _ else _) = _ => assert (yes : q = true) by exact several; rewrite yes in C' end.
      assert (keys : map fst l = order).
      { rewrite (p_l _ _ _ _ _ _ P). apply fst_combine. }
      apply copy_places in C' as (ts & ss & T & S & U & Q & keep & each & only).
      + destruct (deliver_run m ts0 ts1 ts2 ss1 ss2 l2 b2 (steps F b') ss P C S U) as [D1 D2].
        * rewrite Q. apply seq_NoDup.
        * intros s h. apply (outs_b' m ts0 ts1 ts2 ss1 ss2 P) in h as [lt _]. rewrite Q, in_seq. unfold tid in *; lia.
        * intros pre s post E s' h t h'. destruct (only s) as (z & i & inz & Bz); [rewrite E; apply in_or_app; right; now left |].
          rewrite Bz in h'. destruct h' as [<- | []]. apply in_both in inz as [inz _]. split; [| now apply apart_].
          assert (ins' : In (out (does F s')) (outs ss)) by (rewrite E; apply (in_map (fun s => out (does F s))), in_or_app; now left).
          rewrite Q, in_seq in ins'. pose proof (gradient_range m ts0 ts1 ts2 ss1 ss2 P z inz). unfold tid in *; lia.
        * intros x inx no. unfold at_table. now rewrite keep by (rewrite in_both; tauto).
        * intros x inx no. assert (E : at_table l2 x = at_table l x)
            by (unfold at_table; now rewrite keep by (rewrite in_both; tauto)).
          rewrite E, Q, in_seq. pose proof (gradient_range m ts0 ts1 ts2 ss1 ss2 P x inx). unfold tid in *; lia.
        * now exists ts.
        * split; [exact D1 |]. split; [exact kept |]. intros x y a inx ina. rewrite D2 by exact inx.
          rewrite S. unfold NeededProof.run at 1. rewrite fold_left_app. fold (run (steps F b') y).
          fold (run ss (run (steps F b') y)). set (z := run (steps F b') y).
          assert (low : forall x, In x wrt -> (at_table l x < size b')%nat)
            by (intros x' h; now apply (gradient_range m ts0 ts1 ts2 ss1 ss2 P)).
          assert (sh : (x < size b)%nat) by (apply wrt_small in inx; lia).
          assert (shape : shape_of F b' x = shape_of F b x).
          { unfold shape_of. rewrite (p_tensors _ _ _ _ _ _ P). now rewrite app_nth1. }
          destruct (in_dec Nat.eq_dec x outputs) as [ino | no].
          -- destruct (each x (proj2 (in_both x) (conj inx ino))) as (s & ins & Os & Ds & Bs).
             assert (plain : map (closed F (fun t => t)) ss = ss) by (apply closed_same; reflexivity).
             rewrite <- plain, <- Os. rewrite (run_apart F (fun t => t) ss).
             ++ unfold step_value. rewrite Ds, Bs, shape. apply in_box_box in ina.
                destruct (cell_own _ _ ina) as [CO IO]. rewrite IO, CO.
                unfold SweepProof.val. cbn [eval]. now rewrite own_ix_eval.
             ++ intros pre s1 post E s' h h'. destruct (only s1) as (z' & i' & inz & Bz); [rewrite E; apply in_or_app; right; now left |].
                rewrite Bz in h'. destruct h' as [h' | []].
                assert (ins' : In (out (does F s')) (outs ss)) by (rewrite E; apply (in_map (fun s => out (does F s))), in_or_app; now left).
                rewrite Q, in_seq in ins'. apply in_both in inz as [inz _]. apply low in inz. unfold tid in *; lia.
             ++ rewrite Q. apply seq_NoDup.
             ++ exact ins.
          -- assert (E : at_table l2 x = at_table l x)
               by (unfold at_table; now rewrite keep by (rewrite in_both; tauto)).
             rewrite E, run_untouched; [reflexivity |]. rewrite Q, in_seq. apply low in inx. unfold tid in *; lia.
      + now apply NoDup_filter.
      + intros x h. rewrite keys. apply in_order. now apply in_both in h.
      + intros x h. apply in_both in h as [h _]. apply wrt_small in h. pose proof (size_b' m ts0 ts1 ts2 ss1 ss2 P).
        unfold tid in *; lia.
    - assert (C : copy_last F l both b' = (l, b')) by (unfold copy_last; match goal with |- (if ?q then _ else _) = _ => replace q with false by (symmetry; exact several) end; reflexivity).
      assert (finish : forall A tail, steps F b' = A ++ tail -> outs tail = map (at_table l) both ->
        (length tail <= 1)%nat -> (forall s, In s A -> ~ In (out (does F s)) (outs tail)) ->
        (forall o, In o outputs -> adjoint F r o = at_table given_ o) /\
        (forall o y, In o outputs -> run (steps F b') y (at_table given_ o) = y (at_table given_ o)) /\
        (forall x y a, In x wrt -> In a (box (shape_of F b x)) ->
           run (result_steps F r) y (adjoint F r x) (own_at (shape_of F b x) a) =
           run (steps F b') y (at_table l x) (own_at (shape_of F b x) a))).
      { intros A tail St U short before.
        destruct (deliver_run m ts0 ts1 ts2 ss1 ss2 l b' A tail P C St U) as [D1 D2].
        - destruct tail as [| s [| s' tail]]; simpl in *; [constructor | constructor; [intros [] | constructor] | lia].
        - exact before.
        - intros pre s post E s' h. destruct pre as [| s1 pre]; [contradiction |].
          rewrite E in short. simpl in short. rewrite app_length in short. simpl in short. lia.
        - auto.
        - intros x inx no h. rewrite U in h. apply in_map_iff in h as (z & E & inz). apply in_both in inz as [inz ino].
          apply (gradient_once m ts0 ts1 ts2 ss1 ss2 P z x inz inx) in E. now subst.
        - exists []. now rewrite app_nil_r.
        - split; [exact D1 |]. split; [exact kept |]. intros x y a inx _. now apply D2. }
      pose proof (p_outs2 _ _ _ _ _ _ P) as O2. pose proof (p_steps _ _ _ _ _ _ P) as PS.
      destruct both as [| x w] eqn:Eb.
      + apply (finish (steps F b') []); [now rewrite app_nil_r | reflexivity | simpl; lia | intros s _ []].
      + destruct w as [| x' w]; [| discriminate several].
        assert (inw : In x wrt) by (assert (h : In x both) by (rewrite Eb; now left); now apply in_both in h).
        rewrite app_length in O2. simpl in O2. rewrite Nat.add_1_r, seq_S in O2.
        destruct ss2 as [| s0 ss0] using rev_ind; [destruct (length _) in O2; discriminate O2 |]. clear IHss0.
        rewrite map_app in O2. apply app_inj_tail in O2 as [O2 O3].
        assert (last_ : at_table l x = out (does F s0)).
        { rewrite O3. rewrite (gradient_at m ts0 ts1 ts2 ss1 _ P x inw). rewrite Eb. f_equal.
          assert (no : ~ In x (filter (fun x => negb (is_output x)) wrt)).
          { intros h. apply filter_In in h as [_ h]. assert (h' : In x both) by (rewrite Eb; now left).
            apply filter_In in h' as [_ h']. now rewrite h' in h. }
          now apply place_of_last. }
        apply (finish (steps F b ++ ss1 ++ ss0) [s0]).
        * rewrite PS, <- !app_assoc. reflexivity.
        * simpl. now rewrite last_.
        * simpl. lia.
        * intros s h [E | []]. rewrite O3 in E.
          apply in_app_iff in h as [h | h]; [apply outs_between in h; unfold tid in *; lia |].
          apply in_app_iff in h as [h | h].
          -- apply (p_outs1 _ _ _ _ _ _ P) in h. unfold tid in *; lia.
          -- apply (in_map (fun s => out (does F s))) in h. rewrite O2 in h. apply in_seq in h. unfold tid in *; lia.
  Qed.
End Delivered.
