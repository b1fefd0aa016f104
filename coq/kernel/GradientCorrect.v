(** * The gradient of a program

    The result of the extracted function holds, in the tensor d<x>, for each cell of [x] the sum over
    the cells of the outputs of the given adjoint times the source's tangent in that cell's direction:
    the transposed Jacobian. *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof kernel.Numbers.
From Calque Require Import kernel.Sums kernel.Forms kernel.FormsProof kernel.Gradient kernel.SweepProof.
From Calque Require Import kernel.GatherForm kernel.PutProof kernel.GatherValue kernel.StepProof kernel.GradientProgram.
From Calque Require Import kernel.BackwardProof kernel.ProgramProof kernel.ForwardProof kernel.NeededProof kernel.RunProof.
From Calque Require Import kernel.Source kernel.TangentProof kernel.SplitOff kernel.SplitProof kernel.ForwardValues.
From Calque Require Import kernel.ResultProof kernel.DeliverProof.
Import ListNotations.
Open Scope Z_scope.

Theorem gradient_adjoint :
  forall F O shapes p outputs wrt r,
    gradient F O shapes p outputs wrt = Done r ->
    (0 < length shapes)%nat ->
    let order := filter (fun x => negb (existsb (Nat.eqb x) outputs)) wrt ++
                 filter (fun x => existsb (Nat.eqb x) outputs) wrt in
    exists current b given l b',
      forward F O shapes p p (seq 0 (length shapes)) (sources F shapes) = (current, b) /\
      backward F O outputs order current b = Done (given, l, b') /\
      r = deliver F O outputs wrt current given l b' /\
      let shape := shape_of F b in
      let last o := nth o current 0%nat in
      forall st0 du,
        let st := NeededProof.run F (steps F b') st0 in
        (forall s, In s (steps F b) -> ex_divides F (body (does F s)) = true) ->
        (forall s t i, In s (steps F b) -> In i (box (dims (does F s))) ->
           loads_in F t (shape t) i (body (does F s))) ->
        (forall t, In t order -> (t < length shapes)%nat) -> NoDup order ->
        (forall t, In t outputs -> (t < length shapes)%nat) -> NoDup outputs ->
        (forall t, scalar (shape t) = true -> du t [] = du t [0]) ->
        (forall t i, index_in (shape t) i = false -> du t i = r0 F) ->
        (forall t, (t < length shapes)%nat -> ~ In t order -> forall i, du t i = r0 F) ->
        (forall s i, In s (steps F b) -> In i (box (dims (does F s))) ->
           du (out (does F s)) i =
           if fixed F s then r0 F
           else tangent F st du (stores_max F s) (own_at (dims (does F s)) i) i (body (does F s))) ->
        map fst given = outputs /\ map fst l = order /\
        Sums.sum (K := ring_of F) (fun x => Sums.sum (K := ring_of F) (fun a =>
          rmul F (st (at_table l x) (own_at (shape x) a)) (du x a)) (box (shape x))) order =
        Sums.sum (K := ring_of F) (fun q => Sums.sum (K := ring_of F) (fun a =>
          rmul F (st (snd q) (own_at (shape (last (fst q))) a)) (du (last (fst q)) a))
            (box (shape (last (fst q))))) given.
Proof.
  intros F O shapes p outputs wrt r H some order. unfold gradient in H.
  destruct (forward F O shapes p p (seq 0 (length shapes)) (sources F shapes)) as [current b] eqn:E.
  fold order in H.
  destruct (backward F O outputs order current b) as [[[given l] b'] | |] eqn:B; try discriminate.
  cbn [and_then] in H. injection H as <-. exists current, b, given, l, b'.
  split; [reflexivity |]. split; [exact B |]. split; [reflexivity |].
  destruct (ForwardProof.forward_ordered F O shapes p current b some E) as (ok & len & once & known & fb & strict_b).
  intros shape last st0 du st divide inner early once_wrt outs_early outs_once scal inside zero follows.
  pose proof (RunProof.run_model F b' st0
    (RunProof.backward_sorted F O shapes outputs order current b given l b' fb strict_b B)) as model.
  assert (at_last : forall o, In o outputs -> In (last o) current).
  { intros o ino. apply nth_In. rewrite len. now apply outs_early. }
  assert (lasts : NoDup (map last outputs)).
  { assert (small : forall o, In o outputs -> (o < length current)%nat)
      by (intros o ino; rewrite len; now apply outs_early).
    clear - once outs_once small. induction outs_once as [| o l no _ IH]; simpl; constructor.
    - intros H. apply in_map_iff in H as (o' & E & ino'). apply no.
      replace o with o'; [exact ino' |].
      apply (proj1 (NoDup_nth current 0%nat) once); [apply small; now right | apply small; now left | exact E].
    - apply IH. intros o' ino'. apply small. now right. }
  exact (ProgramProof.backward_adjoint F O b (length shapes) ok st du order divide inner early once_wrt
           scal inside zero follows outputs current (fun o h => known _ (at_last o h)) lasts
           given l b' B model).
Qed.

(** ** What a user checks: that the source is well-formed *)

Section Check.
  Variable F : field.
  Variable shapes : list (list nat).
  Notation ex := (ex (text F)).
  Notation shape t := (nth t shapes []).

  (** A scalar read without index is read at 0. *)
  Fixpoint indexed (e : ex) : ex :=
    match e with
    | ECst c => ECst c
    | ELd t l => ELd t (match l with [] => if scalar (shape t) then [ICst 0] else [] | _ => l end)
    | EBin o a b => EBin o (indexed a) (indexed b)
    | EFn f l => EFn f (map indexed l)
    | ESel c a b => ESel c (indexed a) (indexed b)
    | ERed r ns e => ERed r ns (indexed e)
    end.

  (** It fills a tensor of the source that has cells, sums over boxes that have cells, divides
      indices by positive numbers, has no select as an exponent, and every load is seen to be inside
      of its tensor. *)
  Definition statement_check (s : stmt (text F)) : bool :=
    (out s <? length shapes)%nat && forallb (fun n => (0 <? n)%nat) (dims s) &&
    ex_divides F (body s) && plain F (body s) && forallb (fun t => (t <? length shapes)%nat) (loads (body s)) &&
    wf_stmt (fun t => shape t) (Stmt (out s) (dims s) (indexed (body s))).

  Fixpoint distinct (l : list nat) : bool :=
    match l with [] => true | x :: l' => negb (existsb (Nat.eqb x) l') && distinct l' end.

  Definition tensors_check (l : list tid) : bool :=
    distinct l && forallb (fun t => (t <? length shapes)%nat) l.

  Definition gradient_check (p : list (list Z * stmt (text F))) (outputs wrt : list tid) : bool :=
    (0 <? length shapes)%nat && forallb (fun s => statement_check (snd s)) p &&
    tensors_check outputs && tensors_check wrt.

  Lemma indexed_loads t (e : ex) : forall rho,
    in_bounds t (shape t) rho (indexed e) -> loads_in F t (shape t) rho e.
  Proof.
    induction e as [c | u l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros rho H; cbn [indexed in_bounds loads_in] in *.
    - exact I.
    - intros ->. unfold index_in. destruct l as [| i l].
      + destruct (scalar (shape t)) eqn:S; [cbn [map]; now rewrite orb_true_r |]. now rewrite (H eq_refl).
      + now rewrite (H eq_refl).
    - destruct H. auto.
    - induction IH as [| a l here _ IHl]; [exact I |]. destruct H as [A H]. split; [now apply here | now apply IHl].
    - destruct (eval_cond rho c); auto.
    - intros k ink. apply IH, H. now apply in_box_box.
  Qed.

  Lemma statement_check_sound s : statement_check s = true -> sound_statement F shapes s.
  Proof.
    unfold statement_check. rewrite !andb_true_iff, Nat.ltb_lt. intros [[[[[O Fu] D] Pl] L] W].
    apply wf_sound in W as [Dm B]. cbn [dims out] in Dm. rewrite forallb_forall in Fu, L. split.
    - exact O.
    - exact Dm.
    - intros n inn. apply Nat.ltb_lt. now apply Fu.
    - split; [exact D | exact Pl |]. intros t int_. apply Nat.ltb_lt. now apply L.
    - intros i t ini. apply indexed_loads. apply (B t i). now apply in_box_box.
  Qed.

  Lemma distinct_once l : distinct l = true -> NoDup l.
  Proof.
    induction l as [| x l IH]; intros H; [constructor |]. simpl in H. apply andb_true_iff in H as [N H].
    constructor; [| now apply IH]. intros h. apply existsb_eqb in h. rewrite h in N. discriminate.
  Qed.

  Lemma tensors_check_sound l : tensors_check l = true -> NoDup l /\ forall t, In t l -> (t < length shapes)%nat.
  Proof.
    intros H. apply andb_true_iff in H as [D L]. split; [now apply distinct_once |].
    intros t int_. rewrite forallb_forall in L. apply Nat.ltb_lt. now apply L.
  Qed.
End Check.

(** ** The transposed Jacobian *)

Section Correct.
  Variable F : field.
  Variable O : options.
  Variable shapes : list (list nat).
  Notation G := (ring_of F).
  Notation R := (Sums.elt G).
  Add Ring G_ring : (Sums.r_laws G).
  Notation "0r" := (Sums.r0 G).
  Infix "*r" := (Sums.rmul G) (at level 40).
  Infix "+r" := (Sums.radd G) (at level 50).
  Notation sum := (@sum G _).
  Notation store := (store (text F)).
  Notation run := (NeededProof.run F).
  Notation outs l := (map (fun s => out (does F s)) l).
  Notation n0 := (length shapes).
  Notation shape t := (nth t shapes []).

  Ltac kring := apply (zero_both G); ring.

  Lemma shape_source t : (t < n0)%nat -> shape_of F (sources F shapes) t = shape t.
  Proof.
    intros lt. unfold shape_of, sources. cbn [tensors].
    rewrite (nth_map_lt _ _ _ (0%nat, [])) by (rewrite combine_length, seq_length; lia).
    rewrite combine_nth by (now rewrite seq_length). reflexivity.
  Qed.

  Lemma unit_scalar D x a t : (t = x -> scalar D = true) -> unit_at F D x a t [] = unit_at F D x a t [0].
  Proof.
    intros S. unfold unit_at. destruct (Nat.eqb_spec t x) as [E | ne]; [| reflexivity].
    unfold cell_of. now rewrite (S E).
  Qed.

  Lemma unit_inside D x a i : in_box D a = true -> index_in D i = false -> unit_at F D x a x i = r0 F.
  Proof.
    intros I out_. unfold unit_at. rewrite Nat.eqb_refl. cbn [andb].
    destruct (tuple_eqb_spec (cell_of D i) a) as [E | ne]; [| reflexivity]. exfalso.
    unfold index_in, cell_of in *. destruct i as [| z i].
    - destruct (scalar D); [now rewrite orb_true_r in out_ |]. rewrite E, I in out_. discriminate.
    - rewrite E, I in out_. discriminate.
  Qed.

  Lemma given_as_map (g : table) : NoDup (map fst g) -> g = map (fun o => (o, at_table g o)) (map fst g).
  Proof.
    induction g as [| [o v] g IH]; intros once; [reflexivity |]. inversion once as [| ? ? no once']; subst.
    cbn [map fst]. f_equal; [unfold at_table; now rewrite find_here |]. rewrite IH at 1 by exact once'.
    apply map_ext_in. intros t int_. f_equal. unfold at_table. rewrite find_skip; [reflexivity |].
    intros ->. contradiction.
  Qed.

  Theorem gradient_correct p outputs wrt r :
    gradient F O shapes p outputs wrt = Done r ->
    gradient_check F shapes p outputs wrt = true ->
    forall st x a, In x wrt -> In a (box (shape x)) ->
      run (result_steps F r) st (adjoint F r x) (own_at (shape x) a) =
      sum (fun o => sum (fun c =>
        st (adjoint F r o) (own_at (shape o) c) *r
        tangent_source F p st (unit_at F (shape x) x a) o c) (box (shape o))) outputs.
  Proof.
    intros H C st0 x a inx ina. unfold gradient_check in C. rewrite !andb_true_iff in C.
    destruct C as [[[some C] Co] Cw]. apply Nat.ltb_lt in some.
    apply tensors_check_sound in Co as [outs_once outs_small]. apply tensors_check_sound in Cw as [wrt_once wrt_small].
    assert (ok : forall s, In s p -> sound_statement F shapes (snd s)).
    { intros s ins. apply statement_check_sound. rewrite forallb_forall in C. now apply C. }
    destruct (gradient_adjoint F O shapes p outputs wrt r H some) as (current & b & given_ & l & b' & E & B & -> & main).
    set (order := filter (fun x => negb (existsb (Nat.eqb x) outputs)) wrt ++
                  filter (fun x => existsb (Nat.eqb x) outputs) wrt) in *.
    destruct (ForwardProof.forward_ordered F O shapes p current b some E) as (ord & len & once & known & fb & strict_b).
    assert (So' : sorted F b') by exact (backward_sorted F O shapes outputs order current b given_ l b' fb strict_b B).
    assert (So : sorted F b).
    { split; [| exact (fine_order F shapes b fb)].
      intros s ins. destruct (fine_outs F shapes b fb s ins) as (Ro & _ & lo). split; [lia | exact lo]. }
    assert (between : forall s, In s (steps F b) -> (n0 <= out (does F s) < length (tensors F b))%nat)
      by (intros s ins; now destruct (fine_outs F shapes b fb s ins)).
    assert (noadj : no_adjoint F b)
      by (eapply forward_no_adjoint; [exact E | apply sources_no_adjoint]).
    destruct (delivered F O n0 b outputs wrt current given_ l b' B outs_once wrt_once wrt_small (fine_size F shapes b fb)
      between noadj) as (D1 & D2 & D3).
    destruct (backward_places F O n0 b outputs wrt current given_ l b' B (fine_size F shapes b fb)) as (m & ts0 & ts1 & ts2 & ss1 & ss2 & P).
    assert (Xb : forall s, In s (steps F b) -> In s (steps F b'))
      by (intros s ins; rewrite (p_steps _ _ _ _ _ _ _ _ _ _ _ _ _ P); apply in_or_app; now left).
    set (st := run (steps F b') st0). set (u := unit_at F (shape x) x a).
    set (du := direction F st (steps F b) u).
    (* the store and the direction satisfy the forward statements *)
    assert (hold : forall s, In s (steps F b) -> holds_step F st du s).
    { intros s ins i. split.
      - unfold st. rewrite run_folded.
        exact (folded_exact F (fun s x i => step_value F x s i) (run_step_frame F) b' st0 So' s i (Xb s ins)).
      - exact (folded_exact F (fun s x i => step_tangent F st x s i) (step_tangent_frame F st) b u So s i ins). }
    assert (Xs : extends F (sources F shapes) b).
    { destruct (forward_fine F O shapes p p (seq 0 n0) (sources F shapes) current b) as (_ & X & _); auto.
      - apply sources_fine.
      - unfold sources. simpl. rewrite map_length, combine_length, seq_length. lia.
      - intros t. assert (S : length (tensors F (sources F shapes)) = n0)
          by (unfold sources; simpl; rewrite map_length, combine_length, seq_length; lia).
        rewrite S. destruct (Nat.lt_ge_cases t n0); [rewrite seq_nth by lia; lia |].
        rewrite nth_overflow by (rewrite seq_length; lia). exact some.
      - intros t h. apply in_seq in h. unfold sources. simpl. rewrite map_length, combine_length, seq_length. lia.
      - apply seq_NoDup. }
    assert (size_s : length (tensors F (sources F shapes)) = n0)
      by (unfold sources; simpl; rewrite map_length, combine_length, seq_length; lia).
    assert (sh : forall t, (t < n0)%nat -> shape_of F b t = shape t).
    { intros t lt. rewrite (extends_shape F (sources F shapes) b t Xs) by (rewrite size_s; exact lt).
      now apply shape_source. }
    assert (du_source : forall t, (t < n0)%nat -> forall i, du t i = u t i).
    { intros t lt i. unfold du, direction. rewrite (folded_other F); [reflexivity |].
      intros h. apply in_map_iff in h as (s & <- & ins). apply between in ins. lia. }
    assert (du_late : forall t, (length (tensors F b) <= t)%nat -> forall i, du t i = r0 F).
    { intros t ge i. unfold du, direction. rewrite (folded_other F).
      - unfold u, unit_at. destruct (Nat.eqb_spec t x) as [-> |]; [| reflexivity].
        pose proof (fine_size F shapes b fb). apply wrt_small in inx. lia.
      - intros h. apply in_map_iff in h as (s & <- & ins). apply between in ins. lia. }
    assert (st_source : forall t, (t < n0)%nat -> forall i, st t i = st0 t i).
    { intros t lt i. unfold st. rewrite run_untouched; [reflexivity |]. intros h.
      apply in_map_iff in h as (s & E' & ins). rewrite (p_steps _ _ _ _ _ _ _ _ _ _ _ _ _ P) in ins.
      pose proof (fine_size F shapes b fb). apply in_app_iff in ins as [ins | ins]; [apply between in ins; lia |].
      apply in_app_iff in ins as [ins | ins].
      - apply (p_outs1 _ _ _ _ _ _ _ _ _ _ _ _ _ P) in ins. lia.
      - apply (in_map (fun s => out (does F s))) in ins. rewrite (p_outs2 _ _ _ _ _ _ _ _ _ _ _ _ _ P) in ins.
        apply in_seq in ins. pose proof (p_m _ _ _ _ _ _ _ _ _ _ _ _ _ P). lia. }
    destruct (forward_values F O shapes b st du hold p p (seq 0 n0) (sources F shapes) current b st0 u) as (V & A).
    { apply sources_fine. }
    { rewrite size_s. exact some. }
    { intros t. rewrite size_s. destruct (Nat.lt_ge_cases t n0); [rewrite seq_nth by lia; lia |].
      rewrite nth_overflow by (rewrite seq_length; lia). exact some. }
    { apply seq_length. }
    { exact E. }
    { apply extends_refl. }
    { exact ok. }
    { intros t lt. rewrite seq_nth by exact lt. simpl. split; [| now apply sh].
      intros i. split; [now apply st_source | now apply du_source]. }
    assert (inside : forall s, In s (steps F b) -> step_inside F b s) by (apply A; intros s []).
    assert (in_order_ : forall t, In t order <-> In t wrt).
    { intros t. unfold order. rewrite in_app_iff, !filter_In. destruct (existsb (Nat.eqb t) outputs); simpl; intuition congruence. }
    assert (order_once_ : NoDup order) by exact (order_once outputs wrt wrt_once).
    destruct (main st0 du) as (Gf & _ & identity).
    { intros s ins. now apply inside. }
    { intros s t i ins ini. now apply inside. }
    { intros t h. apply wrt_small. now apply in_order_. }
    { exact order_once_. }
    { exact outs_small. }
    { exact outs_once. }
    { intros t S. destruct (Nat.lt_ge_cases t n0) as [lt | ge].
      - rewrite !du_source by exact lt. apply unit_scalar. intros ->. now rewrite <- sh.
      - destruct (Nat.lt_ge_cases t (length (tensors F b))) as [lt | ge'].
        + pose proof (fine_all F shapes b fb t (conj ge lt)) as h. apply in_map_iff in h as (s & <- & ins).
          destruct (fine_outs F shapes b fb s ins) as (_ & Ds & _). rewrite <- Ds in S.
          destruct (hold s ins []) as [_ T1]. destruct (hold s ins [0]) as [_ T2]. rewrite T1, T2.
          unfold step_tangent, index_in, cell_of. rewrite S. rewrite (scalar_cell _ S). reflexivity.
        + now rewrite !du_late. }
    { intros t i O_. destruct (Nat.lt_ge_cases t n0) as [lt | ge].
      - rewrite du_source by exact lt. unfold u. destruct (Nat.eq_dec t x) as [-> | ne].
        + apply unit_inside; [now apply in_box_box |]. now rewrite <- sh.
        + unfold unit_at. destruct (Nat.eqb_spec t x); [contradiction | reflexivity].
      - destruct (Nat.lt_ge_cases t (length (tensors F b))) as [lt | ge'].
        + pose proof (fine_all F shapes b fb t (conj ge lt)) as h. apply in_map_iff in h as (s & <- & ins).
          destruct (fine_outs F shapes b fb s ins) as (_ & Ds & _). rewrite <- Ds in O_.
          destruct (hold s ins i) as [_ T1]. rewrite T1. unfold step_tangent. now rewrite O_.
        + now rewrite du_late. }
    { intros t lt no i. rewrite du_source by exact lt. unfold u, unit_at.
      destruct (Nat.eqb_spec t x) as [-> |]; [| reflexivity]. exfalso. apply no. now apply in_order_. }
    { intros s i ins ini. destruct (hold s ins i) as [_ T]. rewrite T. apply in_box_box in ini.
      unfold step_tangent, index_in. rewrite ini, (cell_of_box _ _ ini). reflexivity. }
    fold st in identity.
    rewrite <- (sh x) in ina |- * by now apply wrt_small. rewrite D3 by assumption. fold st.
    (* left: one cell; right: the source's tangent *)
    transitivity (sum (fun y => sum (fun c =>
      st (at_table l y) (own_at (shape_of F b y) c) *r du y c) (box (shape_of F b y))) order).
    - symmetry.
      transitivity (sum (fun y => if (x =? y)%nat then (fun _ => st (at_table l x) (own_at (shape_of F b x) a)) y else 0r) order).
      + apply (sum_ext G). intros y iny. apply in_order_ in iny. pose proof (wrt_small y iny) as lt.
        destruct (Nat.eqb_spec x y) as [<- | ne].
        * transitivity (sum (fun c => if tuple_eqb a c then (fun c => st (at_table l x) (own_at (shape_of F b x) c)) c else 0r)
            (box (shape_of F b x))).
          -- apply (sum_ext G). intros c inc. rewrite du_source by exact lt. unfold u, unit_at. rewrite Nat.eqb_refl.
             apply in_box_box in inc. rewrite <- (sh x lt), (cell_of_box _ _ inc). cbn [andb].
             destruct (tuple_eqb_spec c a) as [E1 | n1], (tuple_eqb_spec a c) as [E2 | n2]; try congruence.
             ++ rewrite E1. change (r1 F) with (Sums.r1 G). kring.
             ++ change (r0 F) with (Sums.r0 G). kring.
          -- apply (sum_pick G tuple_eqb (fun c => st (at_table l x) (own_at (shape_of F b x) c)));
               [apply tuple_eqb_spec | apply box_nodup | exact ina].
        * apply (sum_zero G). intros c _. rewrite du_source by exact lt. unfold u, unit_at.
          destruct (Nat.eqb_spec y x); [congruence |]. cbn [andb].
          change (r0 F) with (Sums.r0 G). kring.
      + apply (sum_pick G Nat.eqb (fun _ => st (at_table l x) (own_at (shape_of F b x) a)));
          [intros y; apply Nat.eqb_spec | exact order_once_ | now apply in_order_].
    - etransitivity; [exact identity |].
      assert (GM : given_ = map (fun o => (o, at_table given_ o)) outputs).
      { pose proof (given_as_map given_) as GM. rewrite Gf in GM. now apply GM. }
      transitivity (sum (fun o => sum (fun c => st0 (at_table given_ o) (own_at (shape o) c) *r
        tangent_source F p st0 u o c) (box (shape o))) outputs).
      + match goal with |- sum ?f given_ = _ => transitivity (sum f (map (fun o => (o, at_table given_ o)) outputs)) end.
        { now rewrite <- GM. }
        rewrite (sum_map G). apply (sum_ext G). intros o ino. cbn [fst snd].
        destruct (V o (outs_small o ino)) as [Vo So_]. rewrite So_. apply (sum_ext G). intros c inc.
        destruct (Vo c) as [_ Tc]. rewrite Tc. unfold st. now rewrite D2.
      + apply (sum_ext G). intros o ino. now rewrite D1.
  Qed.
End Correct.

(** ** What a result reads *)

(** Every load of the result is seen to be inside of its tensor. *)
Definition result_check F (r : result F) : bool :=
  let shapes := map snd (result_tensors F r) in
  forallb (fun s => wf_stmt (fun t => nth t shapes [])
    (Stmt (out (does F s)) (dims (does F s)) (indexed F shapes (body (does F s))))) (result_steps F r).

Theorem gradient_reads_inside F (r : result F) : result_check F r = true ->
  forall s i t, In s (result_steps F r) -> In i (box (dims (does F s))) ->
    loads_in F t (nth t (map snd (result_tensors F r)) []) i (body (does F s)).
Proof.
  unfold result_check. rewrite forallb_forall. intros H s i t ins ini. apply H in ins.
  apply wf_sound in ins as [_ B]. apply indexed_loads. apply (B t i). now apply in_box_box.
Qed.
