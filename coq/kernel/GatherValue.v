(** * The gather form of a contribution has the value of the scatter form *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Forms kernel.FormsProof.
From Calque Require Import kernel.Gradient kernel.SweepProof kernel.GatherForm.
From Calque Require Import kernel.LinProof kernel.EquationsProof kernel.SolveProof kernel.PutProof.
From Calque Require Import kernel.GatherFormProof.
Import ListNotations.
Open Scope Z_scope.

(** ** Numbering *)

Definition at_slots (env : list Z) (slot : list nat) : list Z := map (fun s => nth s env 0) slot.

Lemma at_slots_seq pre k post :
  at_slots (pre ++ k ++ post) (seq (length pre) (length k)) = k.
Proof.
  transitivity (map (fun t => nth t (pre ++ k) 0) (seq (length pre) (length k))); [| apply map_nth_seq].
  unfold at_slots. apply map_ext_in. intros t int_.
  apply in_seq in int_. rewrite app_assoc, app_nth1; [reflexivity |]. rewrite app_length. lia.
Qed.

Lemma numbering_below groups : forall first own last s,
  (first + own <= last - length (concat (map snd groups)))%nat ->
  (length (concat (map snd groups)) <= last)%nat ->
  In s (numbering groups first own last) -> (first <= s < last)%nat \/ (s < first + own)%nat /\ (first <= s)%nat.
Proof.
  induction groups as [| [ids ns] groups IH]; intros first own last s H L ins; simpl in *.
  - apply in_seq in ins. right. lia.
  - rewrite app_length in *. apply in_app_iff in ins as [ins | ins].
    + apply in_seq in ins. left. lia.
    + apply IH in ins; [| lia | lia]. lia.
Qed.

Lemma box_extents_cons dims ids ns groups :
  box_extents dims ((ids, ns) :: groups) = box_extents dims groups ++ ns.
Proof.
  unfold box_extents. cbn [rev]. rewrite map_app, concat_app. cbn [map concat snd].
  now rewrite app_nil_r, app_assoc.
Qed.

Lemma box_extents_length dims groups :
  length (box_extents dims groups) = (length dims + length (concat (map snd groups)))%nat.
Proof.
  induction groups as [| [ids ns] groups IH].
  - unfold box_extents. simpl. now rewrite app_nil_r, Nat.add_0_r.
  - rewrite box_extents_cons, app_length, IH. cbn [map concat snd]. rewrite app_length. lia.
Qed.

Section Value.
  Variable F : field.
  Variable shapes : tid -> list nat.
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Notation "0r" := (Sums.r0 G).
  Notation sum := (@sum G _).
  Notation store := (store (text F)).

  (** The values of the box, in the order of the slots or of the variables. *)
  Lemma numbering_sum (dims : list nat) (a : list Z) groups : forall f : list Z -> R,
    sum f (box (concat (map snd groups) ++ dims)) =
    sum (fun b => f (at_slots (a ++ b)
          (numbering groups (length a) (length dims) (length a + length (box_extents dims groups)))))
        (box (box_extents dims groups)).
  Proof.
    induction groups as [| [ids ns] groups IH]; intros f.
    - unfold box_extents. simpl. rewrite app_nil_r. apply (sum_ext G). intros b inb. f_equal.
      rewrite <- (box_length _ _ inb). symmetry. rewrite <- (app_nil_r b) at 1. apply at_slots_seq.
    - rewrite box_extents_cons. cbn [map concat snd]. rewrite <- app_assoc, (sum_box_app G), (sum_swap G).
      rewrite IH, (sum_box_app G). apply (sum_ext G). intros b inb. apply (sum_ext G). intros k ink.
      f_equal. cbn [numbering]. unfold at_slots at 2. rewrite map_app.
      pose proof (box_length _ _ inb) as lb. pose proof (box_length _ _ ink) as lk.
      rewrite app_length.
      replace (length a + (length (box_extents dims groups) + length ns) - length ns)%nat
        with (length a + length (box_extents dims groups))%nat by lia.
      f_equal.
      + pose proof (at_slots_seq (a ++ b) k []) as E. rewrite app_nil_r, app_length, lb, lk in E.
        rewrite app_assoc. symmetry. exact E.
      + unfold at_slots. apply map_ext_in. intros s ins.
        apply numbering_below in ins; rewrite box_extents_length in *; try lia.
        rewrite app_assoc, (app_nth1 (a ++ b) k); [reflexivity |]. rewrite app_length, lb, ?box_extents_length. lia.
  Qed.

  Variable st : store.
  Variable dims cell : list nat.
  Variable c : contribution F.
  Variable a : list Z.
  Hypothesis a_in : in_box cell a = true.
  Hypothesis at_divides : forallb divides (at_ c) = true.
  Hypothesis guards_divide : forallb guard_divides (guards c) = true.
  Hypothesis weight_divides : ex_divides F (weight c) = true.

  Definition variables : list nat := concat (map snd (over c)) ++ dims.

  (** KG-Scatter: what the scatter form adds to the cell [a]. *)
  Definition hit_value : R :=
    sum (fun k => if holds_guards k (guards c) && same_cell cell a (map (eval_ix k) (at_ c))
                  then val F st k (weight c) else 0r) (box variables).

  Notation cells := (length cell).
  Notation boxes := (box_extents dims (over c)).
  Notation slot := (numbering (over c) cells (length dims) (cells + length boxes)).
  Notation ext := (cell ++ boxes).

  (** A point's weight, by the values of all slots. *)
  Definition weight_at (env : list Z) : R :=
    let k := at_slots env slot in
    if holds_guards k (guards c) then val F st k (weight c) else 0r.

  Definition here (env : list Z) : bool :=
    same_cell cell a (map (eval_ix (at_slots env slot)) (at_ c)).

  Lemma slot_range s : In s slot -> (cells <= s < length ext)%nat.
  Proof.
    intros ins. apply numbering_below in ins; rewrite ?app_length, ?box_extents_length in *; lia.
  Qed.

  Lemma hit_value_slots :
    hit_value = sum (fun b => if here (a ++ b) then weight_at (a ++ b) else 0r) (box boxes).
  Proof.
    unfold hit_value, variables. rewrite (numbering_sum dims a). unfold weight_at, here.
    rewrite (in_box_length _ _ a_in). apply (sum_ext G). intros b _.
    destruct (holds_guards _ _), (same_cell _ _ _); reflexivity.
  Qed.

  Lemma length_a : length a = cells.
  Proof. exact (in_box_length _ _ a_in). Qed.

  (** The substitution of the gather, at the values [v] of what is left. *)
  Section Put.
    Variable ys start : list nat.
    Variable S : solution.
    Variable more : list nat.
    Hypothesis ys_are : ys = boxes ++ more.
    Hypothesis ok : sound cells start S.
    Hypothesis start_seq : forall t, In t start -> (cells <= t < length (cell ++ ys))%nat.
    Variable n_top : nat.
    Notation kept := (alive S).
    Notation sl := (cell ++ ys).

    Definition the_substitution : substitution :=
      Substitution (map (slot_ix cells kept (gone S)) slot) variables
        (map (fun s => nth s sl O) kept ++ cell) (kept ++ seq 0 cells) n_top.

    Lemma slot_ix_divides t : divides (slot_ix cells kept (gone S) t) = true.
    Proof.
      unfold slot_ix. destruct (find_removed t (gone S)) as [[x m] |] eqn:E.
      - apply find_removed_in in E. apply (gone_open _ _ _ ok) in E as (pos & _ & _ & _).
        assert (D : divides (lin_ix cells kept x) = true)
          by (apply form_ix_divides, terms_of_divides).
        destruct (m =? 1); [exact D |]. cbn [divides]. apply Z.ltb_lt in pos. now rewrite pos, D.
      - now destruct (_ || _).
    Qed.

    Lemma substitution_placed v :
      in_box (kept_extents cell ys S) v = true -> placed the_substitution (v ++ a).
    Proof.
      intros inv. split; cbn [to moved the_substitution].
      - rewrite in_box_app by exact (in_box_length _ _ inv). unfold kept_extents in inv. now rewrite inv, a_in.
      - rewrite forallb_map. apply forallb_forall. intros t _. apply slot_ix_divides.
    Qed.

    Lemma substitution_before v :
      in_box (kept_extents cell ys S) v = true ->
      before the_substitution (v ++ a) = at_slots (full_env cell ys a S v) slot.
    Proof.
      intros inv. unfold before, the_substitution. cbn [moved]. rewrite map_map. unfold at_slots.
      apply map_ext_in. intros t int_. apply slot_range in int_.
      unfold full_env. rewrite app_nth2 by (rewrite length_a; lia). rewrite length_a.
      rewrite nth_map_seq; [reflexivity |]. rewrite ys_are, app_length. rewrite app_length in int_. lia.
    Qed.
  End Put.

  Lemma more_than_one t : (t < length cell)%nat -> nth t (cell ++ boxes) O = nth t cell O.
  Proof. intros lt. now rewrite app_nth1. Qed.

  Lemma boxes_positive : existsb (Nat.eqb 0) boxes = false ->
    forall t, (cells <= t < length ext)%nat -> (0 < nth t ext O)%nat.
  Proof.
    intros none t B. rewrite app_nth2 by lia. rewrite app_length in B.
    destruct (nth (t - cells) boxes O) as [| k] eqn:E; [| lia]. exfalso.
    assert (H : existsb (Nat.eqb 0) boxes = true).
    { apply existsb_exists. exists O. split; [| reflexivity]. rewrite <- E. apply nth_In. lia. }
    congruence.
  Qed.

  Lemma weight_at_more env post :
    (length ext <= length env)%nat -> weight_at (env ++ post) = weight_at env.
  Proof.
    intros len. unfold weight_at.
    replace (at_slots (env ++ post) slot) with (at_slots env slot); [reflexivity |].
    unfold at_slots. apply map_ext_in. intros s ins. apply slot_range in ins.
    rewrite app_nth1; [reflexivity | lia].
  Qed.

  (** *** The equations *)

  Definition the_key : list nat := seq 0 (length ext).
  Definition the_forms : list form :=
    map (fun i => form_of the_key ext (subst_ix (map IVar slot) i)) (at_ c).
  Definition the_state : box_state :=
    equations the_key (flat_map divisors the_forms) 0 cell the_forms (State ext [] []).

  Lemma vars_divide (l : list nat) : forallb divides (map IVar l) = true.
  Proof. induction l; simpl; auto. Qed.

  Lemma forms_divide : forallb (divides_form (among ext)) the_forms = true.
  Proof.
    unfold the_forms. rewrite forallb_map. revert at_divides. generalize (at_ c). intros l D.
    induction l as [| i l IH]; [reflexivity |]. simpl in D. apply andb_true_iff in D as [Di D].
    cbn [forallb]. rewrite IH by exact D. rewrite andb_true_r. apply divides_form_of.
    - intros n lt. unfold among. now apply Nat.ltb_lt.
    - apply subst_divides; [apply vars_divide | exact Di].
  Qed.

  Lemma forms_eval env : in_box ext env = true ->
    map (eval_form env) the_forms = map (eval_ix (at_slots env slot)) (at_ c).
  Proof.
    intros inn. unfold the_forms. rewrite map_map. revert at_divides. generalize (at_ c). intros l D.
    induction l as [| i l IH]; [reflexivity |]. simpl in D. apply andb_true_iff in D as [Di D].
    cbn [map]. rewrite IH by exact D. f_equal. rewrite form_of_eval.
    - rewrite eval_subst_ix, map_map. reflexivity.
    - now apply in_box_inside.
    - apply subst_divides; [apply vars_divide | exact Di].
  Qed.

  Lemma the_state_settled b : in_box boxes b = true ->
    exists d0, settled ext (a ++ b) the_state d0 (here (a ++ b)).
  Proof.
    intros inb.
    assert (inn : in_box ext (a ++ b) = true).
    { rewrite in_box_app by exact length_a. now rewrite a_in, inb. }
    destruct (equations_settled ext (a ++ b) inn the_key (flat_map divisors the_forms) cell the_forms
                0 a (State ext [] []) [] true) as (d0 & S & _).
    - exact length_a.
    - intros j lt. simpl. rewrite !app_nth1 by (rewrite ?length_a; lia). split; reflexivity.
    - exact forms_divide.
    - apply start_settled.
    - exists d0. rewrite forms_eval in S by exact inn. exact S.
  Qed.

  Definition fresh : list nat := skipn (length ext) (slots the_state).

  Lemma box_inhabited : existsb (Nat.eqb 0) boxes = false -> exists b, in_box boxes b = true.
  Proof.
    generalize boxes. intros l. induction l as [| n l IH]; simpl; intros H; [now exists [] |].
    destruct n as [| n]; [discriminate |]. destruct (IH H) as [b inb]. exists (0 :: b). simpl. exact inb.
  Qed.

  Lemma the_state_slots : existsb (Nat.eqb 0) boxes = false ->
    slots the_state = ext ++ fresh /\
    (forall t, (length ext <= t < length (slots the_state))%nat -> (0 < nth t (slots the_state) O)%nat) /\
    (forall x, In x (eqs the_state) -> in_scope ext the_state x).
  Proof.
    intros none. destruct (box_inhabited none) as [b inb].
    destruct (the_state_settled b inb) as [d0 [fr E D I sc _]].
    assert (EF : slots the_state = ext ++ fresh).
    { unfold fresh. rewrite E. f_equal. rewrite skipn_app, skipn_all, Nat.sub_diag. reflexivity. }
    split; [exact EF |]. split; [| exact sc]. intros t B. rewrite E in *. rewrite (app_length ext fr) in B.
    rewrite app_nth2 by lia. pose proof (in_box_nth_range _ _ (t - length ext) D ltac:(lia)). lia.
  Qed.

  Lemma hit_value_equations : existsb (Nat.eqb 0) boxes = false ->
    hit_value = sum (fun y => if forallb (null (a ++ y)) (eqs the_state)
                              then weight_at (a ++ y) else 0r) (box (boxes ++ fresh)).
  Proof.
    intros none. rewrite hit_value_slots, (sum_box_app G). apply (sum_ext G). intros b inb.
    apply in_box_box in inb. destruct (the_state_settled b inb) as [d0 [fr E D I _ _]].
    assert (EF : fresh = fr).
    { unfold fresh. rewrite E, skipn_app, skipn_all, Nat.sub_diag. reflexivity. }
    rewrite EF. transitivity (sum (fun d => if tuple_eqb d0 d then
        (fun _ => if here (a ++ b) then weight_at (a ++ b) else 0r) d else 0r) (box fr)).
    - symmetry. apply (sum_pick G tuple_eqb (fun _ => if here (a ++ b) then weight_at (a ++ b) else 0r));
        [apply tuple_eqb_spec | apply box_nodup | now apply in_box_box].
    - apply (sum_ext G). intros d ind. apply in_box_box in ind. rewrite app_assoc, I by exact ind.
      rewrite (weight_at_more (a ++ b) d).
      2: { rewrite !app_length, length_a, (in_box_length _ _ inb). lia. }
      destruct (tuple_eqb_spec d0 d) as [<- | ne].
      + destruct (tuple_eqb_spec d0 d0); [reflexivity | contradiction].
      + destruct (tuple_eqb_spec d d0); [congruence | reflexivity].
  Qed.

  (** *** The gather *)

  Definition wide_slots (sl : list nat) : list nat :=
    filter (fun s => (1 <? nth s sl 0)%nat || (length ext <=? s)%nat) (seq cells (length sl - cells)).

  Lemma wide_seq more t : In t (wide_slots (ext ++ more)) -> (cells <= t < length (cell ++ boxes ++ more))%nat.
  Proof.
    intros H. apply filter_In in H as [H _]. apply in_seq in H. rewrite !app_length in *. lia.
  Qed.

  Lemma wide_narrow more t : (cells <= t < length (cell ++ boxes ++ more))%nat ->
    ~ In t (wide_slots (ext ++ more)) -> (nth t (cell ++ boxes ++ more) O <= 1)%nat.
  Proof.
    intros B no. rewrite app_assoc in *. destruct (Nat.le_gt_cases (nth t (ext ++ more) O) 1); [assumption |].
    exfalso. apply no. apply filter_In. split; [apply in_seq; lia |].
    apply orb_true_iff. left. now apply Nat.ltb_lt.
  Qed.

  Lemma start_sound rs more :
    (forall x, In x rs -> supported_by (fun t => (t <? cells)%nat ||
        existsb (Nat.eqb t) (wide_slots (ext ++ more))) x) ->
    sound cells (wide_slots (ext ++ more)) (Solution rs [] (wide_slots (ext ++ more))).
  Proof.
    intros sup. split; cbn [alive rest gone].
    - intros t H. apply filter_In in H as [H _]. now apply in_seq in H.
    - intros t. simpl. tauto.
    - exact sup.
    - contradiction.
    - constructor.
    - apply NoDup_filter, seq_NoDup.
  Qed.

  Lemma state_sound : existsb (Nat.eqb 0) boxes = false ->
    sound cells (wide_slots (slots the_state)) (Solution (eqs the_state) [] (wide_slots (slots the_state))).
  Proof.
    intros none. destruct (the_state_slots none) as (E & _ & sc). rewrite E. apply start_sound.
    intros x inx t H. destruct (sc x inx) as [len sup]. specialize (sup t H).
    destruct (Nat.ltb_spec t cells) as [| ge]; [reflexivity |]. cbn [orb].
    apply existsb_exists. exists t. rewrite Nat.eqb_refl. split; [| reflexivity].
    assert (lt : (t < length (snd x))%nat).
    { destruct (Nat.lt_ge_cases t (length (snd x))); [assumption |]. exfalso. apply H.
      unfold coef. now apply nth_overflow. }
    apply filter_In. split; [apply in_seq; rewrite E in len; lia |].
    unfold wide in sup. apply orb_true_iff in sup as [sup | sup]; apply orb_true_iff;
      [left | now right]. apply Nat.ltb_lt in sup. apply Nat.ltb_lt.
    assert (t < length ext)%nat.
    { destruct (Nat.lt_ge_cases t (length ext)); [assumption |]. rewrite nth_overflow in sup by lia. lia. }
    rewrite app_nth1 by assumption. rewrite (nth_indep _ O 1%nat) by assumption. exact sup.
  Qed.

  Lemma plain_guards_hold f kept_n v own_l :
    placed f (v ++ a) -> length v = kept_n -> forallb divides own_l = true ->
    forallb (holds_comparison (v ++ a)) (plain_guards f kept_n own_l cell) =
    same_cell cell a (map (eval_ix (before f (v ++ a))) own_l).
  Proof.
    intros P len D. unfold plain_guards. rewrite forallb_map.
    assert (H : forall ce al l i, length al = length ce -> forallb divides l = true ->
      (forall j, (j < length ce)%nat -> nth (kept_n + (i + j)) (v ++ a) 0 = nth j al 0) ->
      forallb (fun p : ix * (nat * nat) => holds_comparison (v ++ a)
          (let '(x, (i, _)) := p in (CEq, put_side f x, IVar (kept_n + i)%nat)))
        (filter (fun p => negb (snd (snd p) <=? 1)%nat) (combine l (combine (seq i (length ce)) ce))) =
      same_cell ce al (map (eval_ix (before f (v ++ a))) l)).
    { induction ce as [| n ce IH]; intros al l i lal Dl at_.
      - destruct l; reflexivity.
      - destruct al as [| y al]; [discriminate |]. injection lal as lal.
        destruct l as [| x l]; [reflexivity |]. simpl in Dl. apply andb_true_iff in Dl as [Dx Dl].
        cbn [length seq combine map same_cell filter snd].
        assert (next : forall j, (j < length ce)%nat ->
                  nth (kept_n + (S i + j)) (v ++ a) 0 = nth j al 0).
        { intros j lt. specialize (at_ (S j)). rewrite Nat.add_succ_r in at_. apply at_. simpl. lia. }
        specialize (IH al l (S i) lal Dl next).
        destruct (n <=? 1)%nat; cbn [negb orb andb]; [exact IH |].
        cbn [forallb]. rewrite IH. f_equal. unfold holds_comparison. cbn [compare eval_cond eval_cmp eval_ix].
        rewrite put_side_eval by assumption.
        specialize (at_ O). rewrite Nat.add_0_r in at_. rewrite at_ by (simpl; lia). reflexivity. }
    apply H; [exact length_a | exact D |]. intros j _. simpl. rewrite app_nth2 by lia. f_equal. lia.
  Qed.

  Theorem gather_value (universal : bool) (own : list Z) :
    val F st a (gather shapes universal own dims cell c) = hit_value.
  Proof.
    unfold gather. destruct (existsb (Nat.eqb 0) boxes) eqn:none.
    { rewrite val_nought, hit_value_slots. rewrite box_empty; [reflexivity |].
      apply existsb_exists in none as (z & inz & E). apply Nat.eqb_eq in E. now subst. }
    fold the_key. fold the_forms. fold the_state.
    destruct universal.
    - cbn [slots]. change (filter _ (seq cells (length ext - cells))) with (wide_slots ext).
      cbn [alive gone rest]. set (S := Solution [] [] (wide_slots ext)).
      change (wide_slots ext) with (alive S) at 1 2 3 4 5 6 7.
      pose proof (start_sound [] [] ltac:(contradiction)) as ok. rewrite app_nil_r in ok. fold S in ok.
      set (f := Substitution _ _ _ _ _).
      assert (fs : f = the_substitution boxes S (length ext)) by reflexivity.
      rewrite val_mk_sum. change (map (fun s => nth s ext O) (alive S)) with (kept_extents cell boxes S).
      rewrite hit_value_slots.
      pose proof (sum_kept F cell boxes a a_in (wide_slots ext)) as SK.
      specialize (SK ltac:(intros t H; pose proof (wide_seq [] t) as W; rewrite !app_nil_r in W; now apply W)).
      specialize (SK ltac:(intros t B no; pose proof (wide_narrow [] t) as W; rewrite !app_nil_r in W; now apply W)).
      specialize (SK (boxes_positive none) S ok (fun env => if here env then weight_at env else 0r)).
      cbn [gone S forallb] in SK. rewrite SK. apply (sum_ext G). intros v inv. apply in_box_box in inv.
      assert (P : placed f (v ++ a)) by (rewrite fs; now apply (substitution_placed boxes (wide_slots ext) S ok)).
      rewrite put_guards_eval, put_eval by assumption.
      rewrite plain_guards_hold; [| exact P | | exact at_divides].
      2: { rewrite (in_box_length _ _ inv). unfold kept_extents. apply map_length. }
      rewrite fs, (substitution_before boxes S []) by (try exact inv; now rewrite app_nil_r).
      unfold here, weight_at. destruct (same_cell _ _ _), (holds_guards _ _); reflexivity.
    - set (n := length (slots the_state)).
      change (filter _ (seq cells (n - cells))) with (wide_slots (slots the_state)).
      set (S0 := Solution (eqs the_state) [] (wide_slots (slots the_state))).
      set (S := in_lowest_terms (eliminate n (slots the_state) S0)).
      destruct (the_state_slots none) as (E & pos & _).
      pose proof (state_sound none) as ok0. fold S0 in ok0.
      destruct (eliminate_correct cells (wide_slots (slots the_state)) n (slots the_state) S0 ok0) as [ok1 same1].
      destruct (lowest_terms_correct cells (wide_slots (slots the_state)) _ ok1) as [ok same2]. fold S in ok, same2.
      assert (sols : forall env, solves S env = forallb (null env) (eqs the_state)).
      { intros env. rewrite same2, same1. unfold solves, S0. cbn [rest gone forallb]. apply andb_true_r. }
      set (f := Substitution _ _ _ _ _).
      assert (fs : f = the_substitution (boxes ++ fresh) S n).
      { unfold f, the_substitution. now rewrite app_assoc, <- E. }
      rewrite val_mk_sum.
      replace (map (fun s => nth s (slots the_state) O) (alive S)) with (kept_extents cell (boxes ++ fresh) S)
        by (unfold kept_extents; now rewrite app_assoc, <- E).
      rewrite hit_value_equations by exact none.
      rewrite E in ok.
      assert (sl : cell ++ boxes ++ fresh = slots the_state) by (now rewrite app_assoc).
      assert (start_seq : forall t, In t (wide_slots (ext ++ fresh)) ->
                (cells <= t < length (cell ++ boxes ++ fresh))%nat) by apply wide_seq.
      assert (narrow : forall t, (cells <= t < length (cell ++ boxes ++ fresh))%nat ->
                ~ In t (wide_slots (ext ++ fresh)) -> (nth t (cell ++ boxes ++ fresh) O <= 1)%nat) by apply wide_narrow.
      assert (positive : forall t, (cells <= t < length (cell ++ boxes ++ fresh))%nat ->
                (0 < nth t (cell ++ boxes ++ fresh) O)%nat).
      { intros t B. rewrite sl in *. destruct (Nat.lt_ge_cases t (length ext)) as [lt | ge].
        - rewrite E, app_nth1 by exact lt. apply (boxes_positive none). lia.
        - apply pos. lia. }
      pose proof (sum_kept F cell (boxes ++ fresh) a a_in (wide_slots (ext ++ fresh)) start_seq narrow positive S ok
        (fun env => if forallb (null env) (rest S) then weight_at env else 0r)) as SK.
      transitivity (sum (fun y => if forallb (gone_ok (a ++ y)) (gone S)
        then if forallb (null (a ++ y)) (rest S) then weight_at (a ++ y) else 0r else 0r) (box (boxes ++ fresh))).
      2: { apply (sum_ext G). intros y _. rewrite <- sols. unfold solves.
           destruct (forallb (null (a ++ y)) (rest S)), (forallb (gone_ok (a ++ y)) (gone S)); reflexivity. }
      rewrite SK. apply (sum_ext G). intros v inv. apply in_box_box in inv.
      assert (P : placed f (v ++ a))
        by (rewrite fs; now apply (substitution_placed (boxes ++ fresh) (wide_slots (ext ++ fresh)) S ok)).
      rewrite put_guards_eval, put_eval by assumption.
      rewrite <- sl.
      rewrite (guards_of_hold cell (boxes ++ fresh) a a_in (wide_slots (ext ++ fresh)) start_seq positive S ok v inv).
      rewrite fs, (substitution_before (boxes ++ fresh) S fresh) by (try exact inv; reflexivity).
      unfold weight_at. destruct (forallb (in_range _ _ _ _ v) (gone S)); [| reflexivity].
      destruct (forallb (null _) (rest S)), (holds_guards _ _); reflexivity.
  Qed.
End Value.
