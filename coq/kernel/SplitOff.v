(** * A reduction split off has the value and the tangent that it had in place

    In a store and a direction that satisfy the forward statements.  Its statement loads inside of
    its tensors. *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Forms kernel.FormsProof kernel.Gradient kernel.SweepProof kernel.GatherForm kernel.PutProof.
From Calque Require Import kernel.GradientProgram kernel.StepProof kernel.BackwardProof kernel.ForwardProof.
From Calque Require Import kernel.NeededProof kernel.Source kernel.TangentProof.
Import ListNotations.
Open Scope Z_scope.

Section Loads.
  Variable F : field.
  Notation ex := (ex (text F)).

  Lemma loads_in_select t D rho l (a b : ex) :
    (forallb (holds_comparison rho) l = true -> loads_in F t D rho a) ->
    (forallb (holds_comparison rho) l = false -> loads_in F t D rho b) ->
    loads_in F t D rho (mk_select l a b).
  Proof.
    destruct l as [| c l]; intros A B; [now apply A |]. unfold mk_select.
    destruct (is_zero a && is_zero b) eqn:Z.
    - apply andb_true_iff in Z as [Za _]. destruct a; try discriminate. exact I.
    - cbn [loads_in].
      rewrite conjunction_holds. destruct (forallb _ _); auto.
  Qed.

  Lemma loads_in_guarded t D rho path (e : ex) :
    (holds_guards rho path = true -> loads_in F t D rho e) ->
    loads_in F t D rho (fold_right guarded e path).
  Proof.
    induction path as [| [l b] path IH]; intros H; [now apply H |]. cbn [fold_right].
    unfold holds_guards in *. cbn [forallb] in H. unfold holds_guard at 1 in H. cbn [fst snd] in H.
    unfold guarded. cbn [fst snd]. destruct b; apply loads_in_select; intros C; try exact I;
      apply IH; intros P; apply H; rewrite C, P; reflexivity.
  Qed.

  Lemma loads_in_subst t D (e : ex) : forall f rho,
    loads_in F t D (map (eval_ix rho) f) e -> loads_in F t D rho (subst f e).
  Proof.
    induction e as [c | u l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros f rho H; cbn [subst loads_in] in *.
    - exact I.
    - intros E. rewrite map_map. rewrite (map_ext _ (eval_ix (map (eval_ix rho) f))) by (intros a; apply eval_subst_ix).
      now apply H.
    - destruct H. auto.
    - induction IH as [| a l here _ IHl]; [exact I |]. destruct H as [A H]. split; [now apply here | now apply IHl].
    - rewrite eval_subst_cond. destruct (eval_cond _ c); auto.
    - intros k ink. apply IH. rewrite eval_lift by now apply box_length. now apply H.
  Qed.

  Lemma loads_in_negated t D rho (e : ex) : loads_in F t D rho e -> loads_in F t D rho (negated F e).
  Proof.
    intros H. destruct e as [c | | | f l | |]; try (split; [exact H | exact I]).
    - simpl. destruct (n_neg (base F) c); [exact I | now split].
    - destruct f; try (split; [exact H | exact I]). destruct l as [| a [| b l]]; try (split; [exact H | exact I]).
      now destruct H.
  Qed.

  Lemma loads_in_mk t D rho o (a b : ex) :
    loads_in F t D rho a -> loads_in F t D rho b -> loads_in F t D rho (mk o a b).
  Proof.
    intros A B. destruct o; unfold mk; repeat match goal with |- context [if ?c then _ else _] => destruct c end;
      auto using loads_in_negated; now split.
  Qed.

  (** A guarded expression where the guards hold. *)
  Lemma select_tangent st du p own rho l (a b : ex) :
    tangent F st du p own rho (mk_select l a b) =
    tangent F st du p own rho (if forallb (holds_comparison rho) l then a else b).
  Proof.
    destruct l as [| c l]; [reflexivity |]. unfold mk_select.
    destruct (is_zero a && is_zero b) eqn:Z.
    - apply andb_true_iff in Z as [A B]. destruct a; try discriminate. destruct b; try discriminate.
      now destruct (forallb _ _).
    - cbn [tangent].
      rewrite conjunction_holds. now destruct (forallb _ _).
  Qed.

  Lemma guarded_value st du rho path (e : ex) : holds_guards rho path = true ->
    val F st rho (fold_right guarded e path) = val F st rho e /\
    forall p own, tangent F st du p own rho (fold_right guarded e path) = tangent F st du p own rho e.
  Proof.
    induction path as [| [l b] path IH]; intros H; [auto |].
    unfold holds_guards in *. cbn [forallb] in H. apply andb_true_iff in H as [G H].
    destruct (IH H) as [V T]. unfold holds_guard in G. cbn [fst snd] in G. cbn [fold_right].
    unfold guarded at 1 3. cbn [fst snd]. split.
    - destruct b; rewrite val_select; destruct (forallb _ l); try discriminate; exact V.
    - intros p own. destruct b; rewrite select_tangent; destruct (forallb _ l); try discriminate; apply T.
  Qed.
End Loads.

(** The cell that a tensor's own indices name. *)
Lemma cell_own d i : in_box d i = true -> cell_of d (own_at d i) = i /\ index_in d (own_at d i) = true.
Proof.
  intros I. unfold cell_of, own_at, index_in. destruct (scalar d) eqn:S.
  - rewrite (scalar_cell _ S) in I. split; [| now rewrite orb_true_r].
    destruct i as [| z [| y i]]; [discriminate | | simpl in I; now rewrite andb_false_r in I].
    apply in_box_cons in I as [R _]. f_equal. lia.
  - rewrite I. split; [now destruct i | reflexivity].
Qed.

(** ** Which expressions *)

Section Plain.
  Variable F : field.
  Notation ex := (ex (text F)).

  Definition is_select (e : ex) : bool := match e with ESel _ _ _ => true | _ => false end.

  Definition select_exponent (f : function) (l : list ex) : bool :=
    match f, l with FPow, [_; b] => is_select b | _, _ => false end.

  (** Sums over cells, no select as an exponent: where it loses a branch that is never taken,
      the exponent may become a literal, which has a slope of its own. *)
  Fixpoint plain (e : ex) : bool :=
    match e with
    | ECst _ | ELd _ _ => true
    | EBin _ a b | ESel _ a b => plain a && plain b
    | EFn f l => negb (select_exponent f l) && forallb plain l
    | ERed _ ns e => forallb (fun n => (0 <? n)%nat) ns && plain e
    end.

  Lemma split_literal O shapes P (e : ex) g path inside b e' b' :
    is_select e = false -> split F O shapes P e g path inside b = (e', b') -> literal F e' = literal F e.
  Proof.
    intros no H. destruct e as [c | t l | o x y | f l | c x y | r ns x]; try discriminate; cbn [split] in H.
    - now injection H as <- <-.
    - now injection H as <- <-.
    - destruct (split F O shapes P y _ _ _ _) as [y' b1], (split F O shapes P x _ _ _ _) as [x' b2].
      now injection H as <- <-.
    - match type of H with (let (_, _) := ?go in _) = _ => destruct go end. now injection H as <- <-.
    - destruct (split F O shapes P x _ _ _ b) as [x' b1].
      match type of H with (if ?c then _ else _) = _ => destruct c end; [| now injection H as <- <-].
      unfold split_off in H. destruct r as [[|] ids]; cbn in H; now injection H as <- <-.
  Qed.
End Plain.

Section Split.
  Variable F : field.
  Notation G := (ring_of F).
  Notation ex := (ex (text F)).
  Notation store := (store (text F)).
  Notation step := (step F).
  Notation builder := (builder F).
  Notation size b := (length (tensors F b)).
  Notation sum := (@sum G _).

  (** All forward statements, and a store and a direction in which they hold. *)
  Variable B : builder.
  Variables st du : store.
  Notation sh := (shape_of F B).

  Definition step_value (s : step) (i : list Z) : Sums.elt G :=
    let d := dims (does F s) in
    if index_in d i then val F st (cell_of d i) (body (does F s)) else r0 F.

  Definition step_tangent (s : step) (i : list Z) : Sums.elt G :=
    let d := dims (does F s) in
    if index_in d i
    then if fixed F s then r0 F
         else tangent F st du (stores_max F s) (own_at d (cell_of d i)) (cell_of d i) (body (does F s))
    else r0 F.

  Definition holds_step (s : step) : Prop :=
    forall i, st (out (does F s)) i = step_value s i /\ du (out (does F s)) i = step_tangent s i.

  Hypothesis hold : forall s, In s (steps F B) -> holds_step s.

  Definition step_inside (s : step) : Prop :=
    ex_divides F (body (does F s)) = true /\
    forall i t, In i (box (dims (does F s))) -> loads_in F t (sh t) i (body (does F s)).

  (** The source's store and direction, before the statement. *)
  Variables st0 du0 : store.
  Variable P : place.

  Definition extents (g : groups) : list nat := concat (map snd g) ++ box_ P.

  Definition at_point (g : groups) (path : list guard) (rho : list Z) : Prop :=
    in_box (extents g) rho = true /\ holds_guards rho path = true.

  Definition good (rho : list Z) (e' e : ex) : Prop :=
    same F st du rho e' st0 du0 rho e /\ forall t, loads_in F t (sh t) rho e'.

  (** ** The variables as they are *)

  Lemma placed_here g rho : in_box (extents g) rho = true ->
    placed (in_place P g) rho /\ before (in_place P g) rho = rho.
  Proof.
    intros I. pose proof (in_box_length _ _ I) as len. unfold extents in len. split; [split |].
    - exact I.
    - unfold in_place. cbn [moved]. rewrite forallb_map. now apply forallb_forall.
    - unfold before, in_place. cbn [moved]. rewrite <- len. pose proof (eval_vars rho []) as E.
      now rewrite app_nil_r in E.
  Qed.

  Lemma put_index_divides g n a : divides a = true -> divides (put_index (in_place P g) n a) = true.
  Proof.
    intros D. assert (M : forallb divides (moved (in_place P g)) = true)
      by (unfold in_place; cbn [moved]; rewrite forallb_map; now apply forallb_forall).
    unfold put_index. destruct (_ || _); [| now apply subst_divides].
    apply form_ix_divides. unfold normal. apply divides_form_of; [reflexivity | now apply subst_divides].
  Qed.

  Lemma put_comparisons_divide g l : forallb comparison_divides l = true ->
    forallb comparison_divides (put_comparisons (in_place P g) l) = true.
  Proof.
    intros D. assert (M : forallb divides (moved (in_place P g)) = true)
      by (unfold in_place; cbn [moved]; rewrite forallb_map; now apply forallb_forall).
    apply forallb_forall. intros c inc. apply filter_In in inc as [inc _].
    apply in_map_iff in inc as ([[o x] y] & <- & inc). rewrite forallb_forall in D. apply D in inc.
    simpl in inc |- *. apply andb_true_iff in inc as [X Y].
    apply andb_true_iff; split; apply form_ix_divides; (apply divides_form_of; [reflexivity | now apply subst_divides]).
  Qed.

  Lemma path_here g rho path : in_box (extents g) rho = true -> forallb guard_divides path = true ->
    holds_guards rho (map (fun q => (put_comparisons (in_place P g) (fst q), snd q)) path) = holds_guards rho path.
  Proof.
    intros I D. destruct (placed_here g rho I) as [Pl Be]. unfold holds_guards. rewrite forallb_map.
    induction path as [| [l b] path IH]; [reflexivity |]. simpl in D. apply andb_true_iff in D as [Dl D].
    cbn [forallb]. rewrite IH by exact D. f_equal. unfold holds_guard. cbn [fst snd]. f_equal.
    rewrite put_comparisons_eval by assumption. now rewrite Be.
  Qed.

  Lemma in_bound_order j : forall g off own, In j (bound_order g off own) <->
    (off <= j < off + length (concat (map snd g)) + own)%nat.
  Proof.
    induction g as [| [ids ns] g IH]; intros off own; cbn [bound_order map concat snd].
    - rewrite in_seq. simpl. lia.
    - rewrite in_app_iff, IH, in_seq, app_length. lia.
  Qed.

  Lemma select_divides l a b : forallb comparison_divides l = true ->
    ex_divides F a = true -> ex_divides F b = true -> ex_divides F (mk_select l a b) = true.
  Proof.
    intros L A E. destruct l as [| c l]; [exact A |]. unfold mk_select. destruct (_ && _); [exact A |].
    cbn [ex_divides]. rewrite A, E, !andb_true_r.
    assert (H : forall l d, forallb comparison_divides (comparisons d) = true -> forallb comparison_divides l = true ->
              forallb comparison_divides (comparisons (fold_left (fun c d => CAnd c (compare d)) l d)) = true).
    { clear. induction l as [| c l IH]; intros d D L; [exact D |]. simpl in L |- *. apply andb_true_iff in L as [C L].
      apply IH; [| exact L]. simpl. rewrite forallb_app, D. destruct c as [[o x] y]. simpl in *. now rewrite C. }
    simpl in L. apply andb_true_iff in L as [C L]. apply H; [| exact L]. destruct c as [[o x] y]. simpl in *. now rewrite C.
  Qed.

  (** ** A reduction as a statement of its own *)

  Definition own_variables (g : groups) (deps : list nat) : list ix :=
    map (fun j => if existsb (Nat.eqb j) deps then IVar (place_of j deps) else ICst 0) (seq 0 (length (extents g))).

  Definition own_extents (g : groups) (deps : list nat) : list nat :=
    match deps with [] => [1%nat] | _ => map (fun j => nth j (extents g) 0%nat) deps end.

  Section Off.
    Variables (g : groups) (path : list guard) (e x' x : ex) (r : reduced) (ns : list nat).
    Hypothesis e_is : e = @ERed (text F) r ns x.
    Hypothesis path_divides : forallb guard_divides path = true.
    Hypothesis full : forall n, In n (extents g) -> (0 < n)%nat.
    Notation n := (length (extents g)).
    Variable deps : list nat.
    Hypothesis deps_are :
      deps = filter (fun j => uses F j e || existsb (guard_uses j) path) (bound_order g 0 (length (box_ P))).
    Notation f := (own_variables g deps).
    Notation d := (own_extents g deps).
    Hypothesis inside : forall k rho, In k (box ns) -> at_point g path rho -> good (k ++ rho) x' x.

    Lemma deps_small j : In j deps -> (j < n)%nat.
    Proof.
      rewrite deps_are, filter_In, in_bound_order. unfold extents. rewrite app_length. lia.
    Qed.

    Lemma deps_used j : (j < n)%nat -> uses F j e || existsb (guard_uses j) path = true -> In j deps.
    Proof.
      intros lt u. rewrite deps_are. apply filter_In. split; [| exact u]. apply in_bound_order.
      unfold extents in lt. rewrite app_length in lt. lia.
    Qed.

    (** The values of all variables, those that are not used being 0. *)
    Definition back (i : list Z) : list Z := map (eval_ix i) f.

    Lemma back_nth i j : (j < n)%nat -> nth j (back i) 0 = if existsb (Nat.eqb j) deps then nth (place_of j deps) i 0 else 0.
    Proof.
      intros lt. unfold back, own_variables. rewrite map_map.
      rewrite (nth_map_lt _ _ _ 0%nat) by now rewrite seq_length.
      rewrite seq_nth by exact lt. simpl. now destruct (existsb _ _).
    Qed.

    Lemma back_length i : length (back i) = n.
    Proof. unfold back, own_variables. now rewrite !map_length, seq_length. Qed.

    Lemma back_in i : in_box d i = true -> in_box (extents g) (back i) = true.
    Proof.
      intros I. apply in_box_nth. split; [apply back_length |]. intros j lt. rewrite back_nth by exact lt.
      destruct (existsb (Nat.eqb j) deps) eqn:E.
      - apply existsb_eqb in E. pose proof (place_of_spec j deps E) as [pl at_]. unfold own_extents in I.
        destruct deps as [| j0 l] eqn:Dp; [contradiction |]. rewrite <- Dp in *.
        apply in_box_nth in I as [len R]. rewrite map_length in len, R. specialize (R _ pl).
        rewrite (nth_map_lt _ _ _ 0%nat) in R by exact pl. now rewrite at_ in R.
      - pose proof (full (nth j (extents g) 0%nat) (nth_In _ _ lt)). lia.
    Qed.

    (** The cell of the new tensor at a point. *)
    Definition index (rho : list Z) : list Z := map (fun j => nth j rho 0) deps.

    Lemma index_cell rho : in_box (extents g) rho = true ->
      index_in d (index rho) = true /\ in_box d (cell_of d (index rho)) = true /\
      agree_on (fun j => uses F j e || existsb (guard_uses j) path) (back (cell_of d (index rho))) rho.
    Proof.
      intros I. pose proof (in_box_length _ _ I) as len.
      assert (A : forall i, (forall j, In j deps -> nth (place_of j deps) i 0 = nth j rho 0) ->
                agree_on (fun j => uses F j e || existsb (guard_uses j) path) (back i) rho).
      { intros i H j u. destruct (Nat.lt_ge_cases j n) as [lt | ge].
        - pose proof (deps_used j lt u) as ind. rewrite back_nth by exact lt.
          rewrite (proj2 (existsb_eqb j deps) ind). now apply H.
        - rewrite !nth_overflow; [reflexivity | lia | rewrite back_length; lia]. }
      unfold index, own_extents in *. destruct deps as [| j0 l] eqn:Dp.
      - split; [reflexivity |]. split; [reflexivity |]. apply A. intros j [].
      - rewrite <- Dp in *.
        assert (B1 : in_box (map (fun j => nth j (extents g) 0%nat) deps) (map (fun j => nth j rho 0) deps) = true).
        { apply in_box_nth. rewrite !map_length. split; [reflexivity |]. intros k lt.
          rewrite (nth_map_lt _ _ _ 0%nat), (nth_map_lt _ _ _ 0%nat) by exact lt.
          apply in_box_nth_range; [exact I |]. apply deps_small. now apply nth_In. }
        assert (C : cell_of (map (fun j => nth j (extents g) 0%nat) deps) (map (fun j => nth j rho 0) deps) =
                    map (fun j => nth j rho 0) deps) by (rewrite Dp; reflexivity).
        rewrite C. split; [unfold index_in; now rewrite B1 |]. split; [exact B1 |]. apply A. intros j ind.
        pose proof (place_of_spec j deps ind) as [pl at_].
        rewrite (nth_map_lt _ _ _ 0%nat) by exact pl. now rewrite at_.
    Qed.

    Notation inner := (subst (lift (length ns) f) x').
    Notation closed := (fun y => fold_right guarded y
      (map (fun q => subst_guard f (put_comparisons (in_place P g) (fst q), snd q)) path)).

    Lemma closed_holds i : in_box d i = true ->
      holds_guards i (map (fun q => subst_guard f (put_comparisons (in_place P g) (fst q), snd q)) path) =
      holds_guards (back i) path.
    Proof.
      intros I. rewrite <- (map_map (fun q => (put_comparisons (in_place P g) (fst q), snd q)) (subst_guard f)).
      rewrite holds_guards_subst. apply path_here; [now apply back_in | exact path_divides].
    Qed.

    Lemma inner_good i k : in_box d i = true -> holds_guards (back i) path = true -> In k (box ns) ->
      same F st du (k ++ i) inner st0 du0 (k ++ back i) x /\ forall t, loads_in F t (sh t) (k ++ i) inner.
    Proof.
      intros I H ink. pose proof (box_length _ _ ink) as lk.
      destruct (inside k (back i) ink (conj (back_in i I) H)) as [S L].
      pose proof (same_subst F st du x' (lift (length ns) f) (k ++ i)) as S'.
      rewrite eval_lift in S' by exact lk. split.
      - exact (same_trans _ _ _ _ _ _ _ _ _ _ _ _ _ S' S).
      - intros t. apply loads_in_subst. rewrite eval_lift by exact lk. apply L.
    Qed.

    (** What the new statement stores at the cell of a point. *)
    Lemma off_same rho : at_point g path rho ->
      let i := cell_of d (index rho) in
      holds_guards i (map (fun q => subst_guard f (put_comparisons (in_place P g) (fst q), snd q)) path) = true /\
      same F st du i (@ERed (text F) r ns inner) st0 du0 rho e /\
      forall k, In k (box ns) -> same F st du (k ++ i) inner st0 du0 (k ++ rho) x.
    Proof.
      intros [I H] i. destruct (index_cell rho I) as (_ & C & A). fold i in C, A.
      assert (H' : holds_guards (back i) path = true).
      { rewrite (guards_agree path (back i) rho); [exact H |]. intros j u. apply A. now rewrite u, orb_true_r. }
      split; [now rewrite closed_holds |].
      assert (U : agree_on (fun j => uses F j e) (back i) rho) by (intros j u; apply A; now rewrite u).
      split.
      - apply same_trans with st0 du0 (back i) e.
        + rewrite e_is. apply same_red. intros k ink. now apply inner_good.
        + now apply same_agree.
      - intros k ink. apply same_trans with st0 du0 (k ++ back i) x; [now apply inner_good |].
        apply same_agree. intros j u. destruct (Nat.lt_ge_cases j (length k)) as [lt | ge]; [now rewrite !app_nth1 |].
        rewrite !app_nth2 by exact ge. apply U. rewrite e_is. simpl.
        replace (length ns + (j - length k))%nat with j by (apply box_length in ink; lia). exact u.
    Qed.
    Lemma index_loads rho : map (eval_ix rho) (map IVar deps) = index rho.
    Proof. unfold index. rewrite map_map. reflexivity. Qed.

    Lemma stored t c ids p fx rho :
      In (Step F (Stmt t d c) ids p fx) (steps F B) -> in_box (extents g) rho = true ->
      let i := cell_of d (index rho) in
      (forall j, index_in d j = true -> cell_of d j = i -> st t j = val F st i c) /\
      du t (index rho) = if fx then r0 F else tangent F st du p (own_at d i) i c.
    Proof.
      intros ins I i. destruct (index_cell rho I) as (J & C & _). split.
      - intros j inj E. destruct (hold _ ins j) as [V _]. unfold step_value in V. cbn [does out dims body] in V.
        rewrite inj, E in V. exact V.
      - destruct (hold _ ins (index rho)) as [_ T]. unfold step_tangent in T.
        cbn [does out dims body fixed stores_max] in T. rewrite J in T. exact T.
    Qed.

    Lemma off_inside_body y : ex_divides F y = true ->
      (forall i, in_box d i = true -> holds_guards (back i) path = true -> forall t, loads_in F t (sh t) i y) ->
      forall i t, In i (box d) -> loads_in F t (sh t) i (closed y).
    Proof.
      intros _ L i t ini. apply in_box_box in ini. apply loads_in_guarded. intros H.
      rewrite closed_holds in H by exact ini. now apply L.
    Qed.

    Lemma closed_divides y : ex_divides F y = true -> ex_divides F (closed y) = true.
    Proof.
      intros Y. assert (M : forallb divides f = true).
      { unfold own_variables. rewrite forallb_map. apply forallb_forall. intros j _. now destruct (existsb _ _). }
      clear - Y M path_divides. induction path as [| [l b] q IH]; [exact Y |].
      simpl in path_divides. apply andb_true_iff in path_divides as [Dl Dq]. cbn [map fold_right].
      assert (C : forallb comparison_divides (map (subst_comparison f) (put_comparisons (in_place P g) l)) = true).
      { rewrite forallb_map. apply forallb_forall. intros [[o x] y'] inc.
        pose proof (put_comparisons_divide g l Dl) as Dp. rewrite forallb_forall in Dp. apply Dp in inc.
        simpl in inc |- *. apply andb_true_iff in inc as [X Y']. now rewrite !subst_divides. }
      unfold guarded. cbn [fst snd subst_guard].
      destruct b; apply select_divides; auto; reflexivity.
    Qed.
    Lemma own_index i k : in_box d i = true -> length k = length ns ->
      let j := map (eval_ix (k ++ i)) (map IVar (seq (length ns) (length deps))) in
      index_in d j = true /\ cell_of d j = i.
    Proof.
      intros I lk j. assert (E : j = match deps with [] => [] | _ => i end).
      { unfold j. rewrite <- lk. pose proof (in_box_length _ _ I) as li. unfold own_extents in li.
        destruct deps as [| j0 l] eqn:Dp; [reflexivity |]. rewrite <- Dp in *. rewrite map_length in li.
        rewrite <- li. now apply eval_vars_from. }
      rewrite E. unfold own_extents in *. destruct deps as [| j0 l].
      - split; [reflexivity |]. destruct i as [| z [| y i]]; [discriminate | | simpl in I; now rewrite andb_false_r in I].
        apply in_box_cons in I as [R _]. unfold cell_of. simpl. f_equal. lia.
      - unfold index_in, cell_of. rewrite I. split; [reflexivity |]. destruct i; [discriminate | reflexivity].
    Qed.

    Hypothesis x'_divides : ex_divides F x' = true.

    Lemma inner_divides : ex_divides F inner = true.
    Proof.
      apply divides_subst; [| exact x'_divides]. apply lift_divides. unfold own_variables. rewrite forallb_map.
      apply forallb_forall. intros j _. now destruct (existsb _ _).
    Qed.

    Lemma first_inside t q ids l p fx : step_inside (Step F (Stmt t d (closed (@ERed (text F) (q, ids) ns inner))) l p fx).
    Proof.
      split; cbn [does dims body].
      - apply closed_divides, inner_divides.
      - apply off_inside_body; [apply inner_divides |]. intros i I H u k ink. now apply inner_good.
    Qed.
    Notation all_inside b := (forall s, In s (steps F b) -> step_inside s).

    Lemma shape_new t b ts ss : extends F (Builder F (tensors F b ++ (t, d) :: ts) ss) B -> sh (size b) = d.
    Proof.
      intros X. rewrite (extends_shape F _ B _ X) by (simpl; rewrite app_length; simpl; lia).
      unfold shape_of. simpl. now rewrite nth_middle.
    Qed.

    Theorem split_off_good b e2 b2 :
      split_off F P g deps path r ns x' b = (e2, b2) -> extends F b2 B ->
      (forall rho, at_point g path rho -> good rho e2 e) /\ ex_divides F e2 = true /\
      (all_inside b -> all_inside b2).
    Proof.
      intros H X. unfold split_off, new_tensor in H.
      assert (which : (exists ids, r = (KSum, ids)) \/ exists ids, r = (KMax, ids))
        by (clear; destruct r as [[|] ids]; eauto).
      set (t := size b) in *.
      assert (loads_own : forall rho, at_point g path rho -> sh t = d ->
                forall u, loads_in F u (sh u) rho (@ELd (text F) t (map IVar deps))).
      { intros rho [I _] E u -> . rewrite index_loads, E. now apply index_cell. }
      destruct which as [[ids R] | [ids R]]; rewrite R in H; cbn [fst snd] in H; injection H as <- <-; fold t.
      - assert (ins : In (Step F (Stmt t d (closed (@ERed (text F) (KSum, ids) ns inner)))
                    (match deps with [] => [name_none] | _ => map (fun j => nth j (concat (map fst g) ++ own P) 0) deps end)
                    None false) (steps F B)).
        { eapply extends_steps; [exact X |]. simpl. apply in_or_app. right. left. reflexivity. }
        assert (E : sh t = d) by exact (shape_new _ b [] _ X).
        split; [| split].
        + intros rho A. split; [| now apply loads_own].
          destruct (off_same rho A) as (Hp & [V T] & _). rewrite R in V, T. destruct A as [I A].
          destruct (stored _ _ _ _ _ rho ins I) as [SV ST]. destruct (index_cell rho I) as (J & _).
          destruct (guarded_value F st du _ _ (@ERed (text F) (KSum, ids) ns inner) Hp) as [GV GT].
          split.
          * unfold val. cbn [eval]. rewrite index_loads. fold t. rewrite (SV _ J eq_refl), GV. exact V.
          * intros own1 own2. cbn [tangent]. rewrite index_loads, ST, GT. apply T.
        + cbn [ex_divides]. rewrite forallb_map. now apply forallb_forall.
        + intros all s ins'. simpl in ins'. apply in_app_iff in ins' as [h | [<- | []]]; [now apply all |].
          apply first_inside.
      - set (tie := call FLess [inner; @ELd (text F) t (map IVar (seq (length ns) (length deps)))]) in *.
        match type of X with extends F ?b2 B => set (last := b2) in * end.
        cbn [emit tensors] in *.
        set (names_ := match deps with [] => [name_none] | _ => map (fun j => nth j (concat (map fst g) ++ own P) 0) deps end) in *.
        assert (ins : In (Step F (Stmt t d (closed (@ERed (text F) (KMax, ids) ns inner))) names_ (Some (t, S t)) false) (steps F B)).
        { eapply extends_steps; [exact X |]. simpl. apply in_or_app. left. apply in_or_app. right. left. reflexivity. }
        assert (ins2 : In (Step F (Stmt (S t) d (closed (@ERed (text F) (KSum, ids) ns (mk OSub unity tie)))) names_ None true) (steps F B)).
        { eapply extends_steps; [exact X |]. unfold last. simpl. rewrite (app_length (tensors F b)). simpl. rewrite Nat.add_1_r.
          apply in_or_app. right. left. reflexivity. }
        assert (E : sh t = d).
        { apply (shape_new (MaxOf (stores P)) b [(TiesOf (stores P), d)] (steps F last)). unfold last in X |- *. simpl in X |- *.
          rewrite <- app_assoc in X. exact X. }
        split; [| split].
        + intros rho A. split; [| now apply loads_own].
          destruct (off_same rho A) as (Hp & [V T] & S_). rewrite R in V, T. pose proof A as [I _].
          destruct (stored _ _ _ _ _ rho ins I) as [SV ST]. destruct (stored _ _ _ _ _ rho ins2 I) as [UV _].
          destruct (index_cell rho I) as (J & C & _).
          set (i := cell_of d (index rho)) in *.
          destruct (guarded_value F st du _ _ (@ERed (text F) (KMax, ids) ns inner) Hp) as [GV GT].
          destruct (guarded_value F st du _ _ (@ERed (text F) (KSum, ids) ns (mk OSub unity tie)) Hp) as [GU _].
          destruct (cell_own d i C) as [CO IO].
          split.
          * unfold val. cbn [eval]. rewrite index_loads. fold t. rewrite (SV _ J eq_refl), GV. exact V.
          * intros own1 own2. cbn [tangent]. rewrite index_loads, ST, GT.
            rewrite e_is, R. cbn [tangent]. cbn zeta. unfold max_value, max_ties. cbn [fst snd].
            rewrite (SV _ IO CO), GV, V, (UV _ IO CO), GU, val_red_sum. rewrite e_is, R.
            apply (sum_ext G). intros k ink. destruct (S_ k ink) as [Vk Tk]. rewrite Vk, (Tk (own_at d i) own2).
            f_equal. f_equal. apply (sum_ext G). intros j inj.
            rewrite val_mk, val_bin, val_unity.
            destruct (own_index i j C (box_length _ _ inj)) as [IJ CJ].
            change (val F st (j ++ i) tie) with (rfun F FLess
              [val F st (j ++ i) inner; st t (map (eval_ix (j ++ i)) (map IVar (seq (length ns) (length deps))))]).
            rewrite (SV _ IJ CJ), GV, V, e_is, R. destruct (S_ j inj) as [Vj _]. now rewrite Vj.
        + cbn [ex_divides]. rewrite forallb_map. now apply forallb_forall.
        + intros all s ins'. unfold last in ins'. simpl in ins'. apply in_app_iff in ins' as [h | [<- | []]].
          * apply in_app_iff in h as [h | [<- | []]]; [now apply all | apply first_inside].
          * assert (D : ex_divides F (@ERed (text F) (KSum, ids) ns (mk OSub unity tie)) = true).
            { cbn [ex_divides]. apply divides_mk; [reflexivity |]. unfold tie. cbn [call ex_divides forallb].
              rewrite inner_divides, forallb_map, andb_true_r. now apply forallb_forall. }
            split; cbn [does dims body]; [now apply closed_divides |].
            apply off_inside_body; [exact D |]. intros i I Hp u k ink.
            apply (loads_in_mk F u (sh u) (k ++ i) OSub unity tie); [exact Logic.I |]. unfold tie. cbn [call loads_in fold_right].
            split; [now apply inner_good |]. split; [| exact Logic.I]. intros ->. rewrite E.
            apply own_index; [exact I | now apply box_length].
    Qed.
  End Off.
End Split.
