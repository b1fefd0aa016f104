(** * An operator's call leaves the operator's value in the arena *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel kernel.Lower kernel.Lookup.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.OpLookup tensor.IndexProof.
From Calque Require tensor.Infer tensor.OpCorrect tensor.Shapes.
From Calque Require Import tensor.Ops.
From Calque Require Import rewrite.SoundModel model.Function model.FunctionProof model.Unit model.CallProof model.Compile.
From Calque Require Import model.State model.Operator model.FetchProof.
From Calque Require emit.Flat.
Import ListNotations.
Open Scope nat_scope.

Lemma nth_error_combine {X Y} (l : list X) (m : list Y) : forall k x y,
  nth_error (combine l m) k = Some (x, y) <-> nth_error l k = Some x /\ nth_error m k = Some y.
Proof.
  revert m. induction l as [| a l IH]; intros [| b m] [| k] x y; cbn; try (split; [discriminate | intros []; discriminate]).
  - split; [intros E; injection E as -> ->; auto | intros [E F]; congruence].
  - apply IH.
Qed.

Lemma Forall2_nth {X Y} (R : X -> Y -> Prop) l m : Forall2 R l m -> forall k x, nth_error l k = Some x ->
  exists y, nth_error m k = Some y /\ R x y.
Proof.
  intros F. induction F as [| x y l m r _ IH]; intros [| k] z E; cbn in *; try discriminate; [| now apply IH].
  injection E as <-. eauto.
Qed.

Lemma allot_spec ds : forall id os ps rest, allot id os ds = Some (ps, rest) ->
  List.length ps = List.length ds /\
  forall p, In p ps -> id <= p_id p < id + List.length ps /\ p_array p = arena.
Proof.
  induction ds as [| d ds IH]; intros id os ps rest E; cbn [allot] in E.
  - inversion E. subst. split; [reflexivity | intros p []].
  - destruct os as [| o os]; [discriminate |]. destruct (allot (id + 1) os ds) as [[ps' r] |] eqn:A; [| discriminate].
    inversion E. subst. destruct (IH _ _ _ _ A) as [len each]. cbn [List.length]. split; [now rewrite len |].
    intros p [<- | I]; [split; [cbn; lia | reflexivity] |]. destruct (each p I). split; [lia | assumption].
Qed.

(** What an attribute states depends on the sizes. *)
Lemma stated_sizes {X Y} name attrs (v : gvalue (Tensor.tensor X)) :
  stated name attrs v = stated name attrs (map_value (fun d => Tensor d (@nil Y)) (map_value dims v)).
Proof. unfold stated. destruct (states_shape name "shape"), (attribute attrs "shape"), v; reflexivity. Qed.

Lemma good_well {X} (v : gvalue (Tensor.tensor X)) : Infer.good_value v -> well v = true.
Proof.
  destruct v as [t | ts |]; cbn; [apply well_good | | reflexivity].
  intros F. apply forallb_forall. intros t I. apply well_good. rewrite Forall_forall in F. now apply F.
Qed.

Section OperatorStep.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (tensor (num S)).
  Notation memory := (Flat.fstore (scalar_algebra K)).
  Notation state := (state S).
  Variable size : nat.
  Variables (W : list (num S)) (m0 : memory).
  Notation sound := (sound S size W m0).

  Lemma compiled ins (p : prog K) f : compile_function ins p = Some f ->
    f_inputs f = List.length ins /\ NoDup (map fst (tensors ins p)).
  Proof.
    unfold compile_function. destruct (distinct (map fst (tensors ins p)) && _) eqn:ok; [| discriminate].
    destruct (traverse _ p); [| discriminate]. intros E. injection E as <-. split; [reflexivity |].
    apply andb_true_iff in ok as [ok _]. now apply distinct_iff.
  Qed.

  (** *** Where results are *)

  Section Results.
    Variables (stored_at : list (tid * place)) (id : nat) (news : list place) (l : list place) (m : memory).
    Variable x : tid -> Kernel.tensor K.
    Hypothesis stored_has : forall t q, In (t, q) stored_at -> has S m q (x t) /\ In q news.

    Lemma result_keeps j d q (t : tensor) : result stored_at id j d = Some q -> dims t = d -> good t ->
      (forall i, in_box d i = true -> x (tY j) i = get (s_zero S) t i) ->
      keeps S l m q t /\ (In q news \/ p_id q = id + j).
    Proof.
      unfold result. intros E D G V. destruct (find (fun tp : nat * place => fst tp =? tY j) stored_at) as [[t' p] |] eqn:F.
      - apply find_some in F. destruct F as [I e]. cbn [fst] in e. apply Nat.eqb_eq in e. subst t'.
        destruct (all2 Nat.eqb d (p_dims p)) eqn:B; [| discriminate]. injection E as <-.
        apply all2_eqb in B.
        destruct (stored_has _ _ I) as [h i]. split; [| now left]. split; [congruence |]. split; [exact G |].
        intros _ j' I'. rewrite (h j' I'). do 2 f_equal. apply V. congruence.
      - destruct (Nat.eqb_spec (cell_count d) 0) as [z |]; [| discriminate]. injection E as <-.
        split; [| right; reflexivity]. split; [exact D |]. split; [exact G |]. intros _ j' I'. cbn [p_dims] in I'.
        apply position_lt in I'. lia.
    Qed.

    Lemma results_keeps s b (v : gvalue tensor) : results stored_at id s = Some b -> s = map_value dims v ->
      Infer.good_value v ->
      match v with
      | GTensor t => forall i, in_box (dims t) i = true -> x (tY 0) i = get (s_zero S) t i
      | GTuple us => forall j t, nth_error us j = Some t ->
          forall i, in_box (dims t) i = true -> x (tY j) i = get (s_zero S) t i
      | GAbsent => False
      end ->
      value_rel (keeps S l m) b v /\
      forall q, In q (places_in b) -> In q news \/ id <= p_id q < id + List.length (places_in b).
    Proof.
      intros E -> G V. destruct v as [t | us |]; cbn [map_value results] in E; [| | contradiction].
      - destruct (result stored_at id 0 (dims t)) as [q |] eqn:R; [| discriminate]. injection E as <-.
        destruct (result_keeps 0 _ q t R eq_refl G V) as [k o]. split; [exact k |].
        intros q' [<- | []]. cbn. destruct o; [now left | right; lia].
      - destruct (traverse _ _) as [ps |] eqn:T; [| discriminate]. injection E as <-. cbn [value_rel places_in].
        assert (gen : forall us k qs, Forall good us ->
          traverse (fun jd => result stored_at id (fst jd) (snd jd))
            (combine (seq k (List.length (map dims us))) (map dims us)) = Some qs ->
          (forall j t, nth_error us j = Some t -> forall i, in_box (dims t) i = true -> x (tY (k + j)) i = get (s_zero S) t i) ->
          Forall2 (keeps S l m) qs us /\ forall q, In q qs -> In q news \/ id + k <= p_id q < id + k + List.length qs).
        { clear - stored_has. intros us. induction us as [| u us IH]; intros k qs G T V; cbn [map List.length seq combine traverse] in T.
          - injection T as <-. split; [constructor | intros q []].
          - destruct (result stored_at id (fst (k, dims u)) (snd (k, dims u))) as [q |] eqn:R; [| discriminate].
            destruct (traverse _ _) as [qs' |] eqn:T'; [| discriminate]. injection T as <-.
            inversion G as [| ? ? g G']; subst. cbn [fst snd] in R.
            destruct (result_keeps k _ q u R eq_refl g) as [kq oq].
            { intros i I. specialize (V 0 u eq_refl i I). now rewrite Nat.add_0_r in V. }
            destruct (IH (k + 1) qs' G') as [F O].
            { rewrite <- T'. f_equal. f_equal. f_equal. lia. }
            { intros j t Ej i I. specialize (V (Datatypes.S j) t Ej i I). now replace (k + 1 + j) with (k + Datatypes.S j) by lia. }
            split; [now constructor |]. cbn [List.length]. intros q' [<- | I]; [destruct oq; [now left | right; lia] |].
            destruct (O q' I); [now left | right; lia]. }
        rewrite map_length in T. destruct (gen us 0 ps G) as [F O]; [now rewrite map_length | exact V |].
        split; [exact F |]. intros q I. destruct (O q I); [now left | right; lia].
    Qed.
  End Results.

  (** *** What a call leaves *)

  Section Work.
    Variables (values : nat -> option (gvalue tensor)) (i : nat) (st : state) (m : memory).
    Hypothesis H : sound values i st m.
    Hypothesis at_ : forall o, m0 weights_array o = at_place S W o.
    Variables (name : string) (attrs : attributes) (bs : list (gvalue place)) (vs : list (gvalue tensor)).
    Variables (l : list (option place)) (xs : list place) (s : gvalue sizes).
    Hypothesis F : Forall2 (value_rel (keeps S (valid st) m)) bs vs.
    Hypothesis In_ : inputs bs = Some l.
    Hypothesis Px : traverse (fun o : option place => o) l = Some xs.
    Hypothesis Inf : op_infer name attrs (map (map_value p_dims) bs) = Some s.
    Hypothesis here : forall x, In x xs -> mem_place x (valid st) = true.

    (** [x t] is what it stores as tensor [t]. *)
    Definition computes (x : tid -> Kernel.tensor K) (v : gvalue tensor) : Prop :=
      match v with
      | GTensor t => forall i, in_box (dims t) i = true -> x (tY 0) i = get (s_zero S) t i
      | GTuple us => forall j t, nth_error us j = Some t ->
          forall i, in_box (dims t) i = true -> x (tY j) i = get (s_zero S) t i
      | GAbsent => False
      end.

    Definition leaves (w : work S) (news : list place) (c : call S) : Prop :=
      exists v m' x, op_value S name attrs vs = Some v /\ s = map_value dims v /\ Infer.good_value v /\
        run_call c m = Finished m' /\ (forall q o, spared news q o -> m' q o = m q o) /\
        (forall o, o < size -> m' arena o <> None) /\ computes x v /\
        forall t q, In (t, q) (combine (stored_names w) news) -> has S m' q (x t) /\ In q news.

    Lemma manner_known index : manner_of st name attrs xs = Some (ByKernel index) -> name = "Gather"%string ->
      forall ts, Forall2 (keeps S (valid st) m) xs ts -> gathered S attrs index ts.
    Proof.
      intros Ki -> ts Fx. unfold manner_of in Ki. change (String.eqb "Gather" "Gather") with true in Ki. cbv iota in Ki.
      destruct xs as [| x [| ix [| ? ?]]]; try discriminate Ki.
      destruct (axis_in attrs (Some 0%Z) (p_dims x)) as [axis |] eqn:Ax; [| discriminate].
      destruct (known_cells st ix) as [cs |] eqn:Kc; [| discriminate].
      match type of Ki with match ?n with _ => _ end = _ => destruct n; [discriminate |] end. destruct (traverse (s_index S) cs) as [index' |] eqn:Ti; [| discriminate].
      destruct (forallb _ index') eqn:Va; [| discriminate]. destruct (gather_most <? List.length index'); [discriminate |].
      injection Ki as ->.
      inversion Fx as [| ? t1 ? ts' k1 Fx']; subst. inversion Fx' as [| ? t2 ? ts'' k2 Fx'']; subst. inversion Fx''; subst.
      exists t1, t2. split; [reflexivity |].
      pose proof (here ix (or_intror (or_introl eq_refl))) as Iix. apply mem_place_iff in Iix.
      rewrite (known_cells_value S size W m0 st values i m ix t2 cs H at_ k2 Iix Kc). split; [exact Ti |].
      rewrite (proj1 k1). exists axis. split; [exact Ax | exact Va].
    Qed.

    Lemma kernel_leaves index p news rest c :
      manner_of st name attrs xs = Some (ByKernel index) ->
      op_kernel S name attrs (map p_dims xs) (output_sizes s) (s_integer S) index = Some p ->
      allot (next st) (offsets st) (map snd (stored p)) = Some (news, rest) ->
      call_of size (Runs p) xs news = Some c -> leaves (Runs p) news c.
    Proof.
      intros Ki Op Al Ca. unfold leaves. cbn [call_of] in Ca.
      set (ins := combine (map tX (seq 0 (List.length xs))) (map p_dims xs)) in Ca.
      destruct (compile_function ins p) as [f |] eqn:Cf; [| discriminate].
      destruct (function_ok size f (xs ++ news)) eqn:ok; [| discriminate]. injection Ca as <-.
      destruct (operator_accepted S (keeps S (valid st) m) p_dims name attrs bs vs l xs s index p) as
        (v & ts & V & -> & good_v & Fx & comp & safe_in); auto.
      { intros q t (D & G & _). now split. }
      { now apply manner_known. }
      exists v.
      assert (ins_at : forall k t d, nth_error ins k = Some (t, d) -> t = tX k /\ exists q u,
        nth_error xs k = Some q /\ nth_error ts k = Some u /\ d = p_dims q /\ keeps S (valid st) m q u).
      { intros k t d Ek. unfold ins in Ek. apply nth_error_combine in Ek. destruct Ek as [E1 E2].
        rewrite nth_error_map in E1, E2. destruct (nth_error xs k) as [q |] eqn:Eq; [| discriminate]. cbn in E2. injection E2 as <-.
        destruct (nth_error (seq 0 (List.length xs)) k) as [j |] eqn:Ej; [| discriminate]. cbn in E1. injection E1 as <-.
        pose proof (nth_error_nth _ _ 0 Ej) as Nj. rewrite seq_nth in Nj by now apply nth_error_bound in Eq.
        cbn in Nj. subst j. split; [reflexivity |]. destruct (Forall2_nth _ _ _ Fx k q Eq) as (u & Eu & ku).
        exists q, u. auto. }
      assert (ins_len : List.length ins = List.length xs).
      { unfold ins. rewrite combine_length, !map_length, seq_length. apply Nat.min_id. }
      destruct (compiled ins p f Cf) as [f_ins once]. destruct (allot_spec _ _ _ _ _ Al) as [news_len news_at].
      rewrite map_length in news_len. unfold stored in news_len. rewrite map_length in news_len.
      assert (safe : forall s t, In s p -> in_bounds_stmt t (shape_in (tensors ins p) t) s).
      { apply safe_in.
        - intros k u Eu. destruct (nth_error ins k) as [[t' d] |] eqn:Ek.
          + destruct (ins_at k t' d Ek) as (-> & q & u' & Eq & Eu' & -> & (D & _)). assert (u' = u) by congruence. subst u'.
            rewrite D. apply shape_at; [exact once |]. apply in_or_app. left. now apply nth_error_In in Ek.
          + apply nth_error_None in Ek. apply nth_error_bound in Eu.
            pose proof (Forall2_length Fx). lia.
        - intros s' Is'. apply shape_at; [exact once |]. apply in_or_app. right. unfold stored. apply in_map_iff. now exists s'. }
      destruct (call_correct S ins p f (xs ++ news) size (given_store ts) m Cf f_ins ok safe) as (m' & Run & res & frame & ar).
      { intros k t d q Ek Eq. destruct (ins_at k t d Ek) as (-> & q' & u & Eq' & Eu & -> & (D & G & h)).
        rewrite nth_error_app1 in Eq by now apply nth_error_bound in Eq'. assert (q' = q) by congruence. subst q'.
        rewrite (given_at S ts k u Eu). apply h. apply mem_place_iff, here. now apply nth_error_In in Eq. }
      { exact (sound_arena _ _ _ _ _ _ _ _ H). }
      exists m', (exec_prog p (given_store ts)). split; [exact V |]. split; [reflexivity |]. split; [exact good_v |].
      split; [exact Run |]. split; [| split; [exact ar | split; [exact comp |]]].
      { assert (outs_are : skipn (f_inputs f) (xs ++ news) = news).
        { rewrite f_ins, ins_len. rewrite skipn_app, skipn_all, Nat.sub_diag. reflexivity. }
        now rewrite outs_are in frame. }
      intros t q I. pose proof (in_combine_r _ _ _ _ I) as Iq. split; [| exact Iq].
      apply In_nth_error in I. destruct I as [k Ek]. apply nth_error_combine in Ek. destruct Ek as [E1 E2].
      cbn [stored_names] in E1. rewrite nth_error_map in E1.
      destruct (nth_error (stored p) k) as [[t' d] |] eqn:Es; [| discriminate]. injection E1 as <-.
      apply (res (List.length ins + k) t' d q).
      - unfold tensors. rewrite nth_error_app2 by lia. now replace (List.length ins + k - List.length ins) with k by lia.
      - rewrite nth_error_app2 by lia. now replace (List.length ins + k - List.length xs) with k by lia.
    Qed.

    (** A look-up leaves the value, or there is none. *)
    Lemma look_leaves axis x ix news rest c :
      manner_of st name attrs xs = Some (ByLook axis) -> xs = [x; ix] ->
      (let w := Looks x ix (gather_look axis (p_dims x) (p_dims ix)) in
       allot (next st) (offsets st) (stored_sizes w) = Some (news, rest) -> call_of size w xs news = Some c ->
       leaves w news c \/ name = "Gather"%string /\ op_value S name attrs vs = None /\ run_call c m = OutOfRange).
    Proof.
      cbv zeta. intros Ki Ex Al Ca. unfold leaves. subst xs. unfold manner_of in Ki.
      destruct (String.eqb_spec name "Gather") as [G |]; [| discriminate]. subst name.
      destruct (axis_in attrs (Some 0%Z) (p_dims x)) as [axis' |] eqn:Ax; [| discriminate].
      assert (axis' = axis) as ->.
      { destruct (known_cells st ix) as [cs |]; [| now injection Ki].
        destruct (cell_count (Shapes.gather_dims axis' (p_dims x) (p_dims ix))); [now injection Ki |].
        destruct (traverse (s_index S) cs) as [index |]; [| discriminate].
        match type of Ki with (if ?c then _ else _) = _ => destruct c; [| discriminate] end.
        destruct (gather_most <? List.length index); [now injection Ki | discriminate]. }
      cbn [stored_sizes] in Al. unfold call_of in Ca. destruct news as [| y [| ? ?]]; try discriminate.
      destruct (look_ok size _ x ix y) eqn:ok; [| discriminate]. injection Ca as <-.
      cbn [allot] in Al. destruct (offsets st) as [| o os]; [discriminate |]. injection Al as <- _.
      set (y := Place (next st) arena o (ldims (gather_look axis (p_dims x) (p_dims ix)))) in *.
      destruct (inputs_rel _ bs vs l F In_) as (l' & Iv & F'). destruct (present_rel _ l l' [x; ix] F' Px) as (ts & -> & Fx).
      inversion Fx as [| ? tx ? ts' kx Fx']; subst. inversion Fx' as [| ? tix ? ts'' kix Fx'']; subst. inversion Fx''; subst.
      destruct kx as (Dx & Gx & hx), kix as (Di & Gi & hi).
      assert (below : axis < List.length (dims tx)) by (rewrite Dx; exact (OpCorrect.axis_below _ _ _ _ Ax)).
      assert (value : op_value S "Gather" attrs vs = option_map GTensor (gather S axis tx tix)).
      { unfold op_value. rewrite Iv. cbn. rewrite Dx, Ax. reflexivity. }
      assert (sizes_ : s = GTensor (ldims (gather_look axis (p_dims x) (p_dims ix)))).
      { unfold op_infer in Inf. rewrite Infer.inputs_map, In_ in Inf. cbn [option_map] in Inf.
        assert (l = [Some x; Some ix]) as ->.
        { clear - Px. destruct l as [| [a |] [| [b |] [| [d |] l']]]; cbn in Px; try discriminate;
            try (destruct (traverse _ l'); discriminate); congruence. }
        cbn in Inf. rewrite Ax in Inf. now injection Inf. }
      pose proof (fetch_correct S axis tx tix x ix y m size below Dx Di eq_refl) as C.
      specialize (C (hx (proj1 (mem_place_iff _ _) (here x (or_introl eq_refl))))
                    (hi (proj1 (mem_place_iff _ _) (here ix (or_intror (or_introl eq_refl))))) ok (sound_arena _ _ _ _ _ _ _ _ H)).
      destruct (gather S axis tx tix) as [t |] eqn:M.
      - left. destruct C as (m' & Run & held & [frame ar]). exists (GTensor t), m', (fun _ => get (s_zero S) t).
        assert (Dt : dims t = p_dims y).
        { unfold gather in M. unfold guard in M at 1. destruct (forallb _ (box (dims tix))); [| discriminate].
          cbn in M. injection M as <-. cbn [dims tabulate]. now rewrite Dx, Di. }
        split; [exact value |]. split; [cbn [map_value]; rewrite Dt; exact sizes_ |]. split.
        { cbn. unfold gather in M. unfold guard in M at 1. destruct (forallb _ (box (dims tix))); [| discriminate].
          cbn in M. injection M as <-. apply good_tabulate. }
        split; [exact Run |]. split; [| split; [exact ar | split]].
        + intros q o' [_ sp]. apply frame. apply sp. now left.
        + intros i' I'. reflexivity.
        + intros t' q [E | []]. injection E as _ <-. split; [exact held | now left].
      - right. auto.
    Qed.
  End Work.

  (** *** The step *)

  Lemma run_app c1 c2 (m1 : memory) : run_calls (c1 ++ c2) m1 = and_then (run_calls c1 m1) (run_calls c2).
  Proof.
    unfold run_calls. revert m1. induction c1 as [| c c1 IH]; intros m1; cbn; [reflexivity |].
    destruct (run_call c m1); cbn; [apply IH | reflexivity | reflexivity].
  Qed.

  (** The value, or the run ends with an index outside. *)
  Theorem add_call_sound values i st m st' name attrs bs vs :
    sound values i st m -> (forall o, m0 weights_array o = at_place S W o) ->
    Forall2 (value_rel (keeps S (valid st) m)) bs vs ->
    add_call size st name attrs bs = Some st' ->
    (exists v m', op_value S name attrs vs = Some v /\ (well v = true /\ stated name attrs v = true) /\
       sound (extended S values i v) (i + 1) st' m') \/
    (name = "Gather"%string /\ op_value S name attrs vs = None /\ run_calls (rev (calls st')) m0 = OutOfRange).
  Proof.
    intros H at_ F E. unfold add_call in E.
    destruct (inputs bs) as [l |] eqn:In_; [| discriminate].
    destruct (traverse (fun o : option place => o) l) as [xs |] eqn:Px; [| discriminate].
    destruct (op_infer name attrs (map (map_value p_dims) bs)) as [s |] eqn:Inf; [| discriminate].
    destruct (work_of st name attrs s xs) as [w |] eqn:Wo; [| discriminate].
    destruct (allot (next st) (offsets st) (stored_sizes w)) as [[news rest] |] eqn:Al; [| discriminate].
    destruct (call_of size w xs news) as [c |] eqn:Ca; [| discriminate].
    destruct (results (combine (stored_names w) news) (next st + List.length news) s) as [b |] eqn:Re; [| discriminate].
    destruct (forallb (fun x => mem_place x (valid st)) xs && as_stated name attrs s) eqn:ok; [| discriminate].
    injection E as <-. apply andb_true_iff in ok as [here said]. rewrite forallb_forall in here.
    destruct (allot_spec _ _ _ _ _ Al) as [_ news_at].
    assert (done : leaves m name attrs vs s w news c \/
      name = "Gather"%string /\ op_value S name attrs vs = None /\ run_call c m = OutOfRange).
    { unfold work_of in Wo. destruct (manner_of st name attrs xs) as [[index | axis] |] eqn:Ki; [| | discriminate].
      - destruct (op_kernel S name attrs (map p_dims xs) (output_sizes s) (s_integer S) index) as [p |] eqn:Op; [| discriminate].
        injection Wo as <-. left. eapply kernel_leaves; eauto.
      - destruct xs as [| x [| ix [| ? ?]]]; try discriminate. injection Wo as <-. eapply look_leaves; eauto. }
    destruct done as [(v & m' & x & V & -> & good_v & Run & frame & ar & comp & stored_has) | (G & N & Run)].
    2: { right. split; [exact G |]. split; [exact N |]. cbn [calls rev]. rewrite run_app, (sound_run _ _ _ _ _ _ _ _ H).
         cbn [and_then]. unfold run_calls. cbn [each]. now rewrite Run. }
    left. exists v, m'. unfold as_stated in said. split; [exact V |].
    split; [split; [now apply good_well | now rewrite (stated_sizes (Y := unit))] |].
    assert (kept : forall q t, In q (survive news (valid st)) -> keeps S (valid st) m q t -> has S m' q (get (s_zero S) t)).
    { intros q t Iq (D & G & h). unfold survive in Iq. apply filter_In in Iq. destruct Iq as [Iq B].
      apply andb_true_iff in B as [nl dis]. apply negb_true_iff in nl. rewrite forallb_forall in dis.
      intros j J. rewrite frame; [now apply h |]. split; [exact nl |].
      intros w' Iw wi. apply (disjoint_within _ _ _ _ (dis w' Iw) wi). cbn. split; [reflexivity |].
      pose proof (position_lt _ _ J). lia. }
    set (id := next st + List.length news) in *.
    set (empty := filter (fun q => cell_count (p_dims q) =? 0) (places_in b)).
    set (valid' := survive news (valid st) ++ news ++ empty).
    destruct (results_keeps (combine (stored_names w) news) id news valid' m' x stored_has _ b v Re eq_refl good_v comp)
      as [rel where_].
    constructor; cbn [bound_to valid calls weights next].
    - rewrite app_length, (sound_length _ _ _ _ _ _ _ _ H). reflexivity.
    - intros j b' E. unfold extended. destruct (Nat.eqb_spec j i) as [-> | ne].
      + rewrite nth_error_app2 in E by (rewrite (sound_length _ _ _ _ _ _ _ _ H); lia).
        rewrite (sound_length _ _ _ _ _ _ _ _ H), Nat.sub_diag in E. injection E as <-. eauto.
      + pose proof (nth_error_bound _ _ _ E) as lt. rewrite app_length, (sound_length _ _ _ _ _ _ _ _ H) in lt. cbn in lt.
        rewrite nth_error_app1 in E by (rewrite (sound_length _ _ _ _ _ _ _ _ H); lia).
        destruct (sound_bound _ _ _ _ _ _ _ _ H j b' E) as (u & Eu & r). exists u. split; [exact Eu |].
        revert r. apply value_rel_mono. intros q t Iq kq. destruct kq as (D & G & h). split; [exact D |]. split; [exact G |].
        intros I. pose proof (sound_next _ _ _ _ _ _ _ _ H j b' q E Iq) as nx. unfold valid' in I.
        apply in_app_iff in I as [I | I]; [apply kept; [exact I | now split] |].
        apply in_app_iff in I as [I | I].
        * apply news_at in I. lia.
        * unfold empty in I. apply filter_In in I. destruct I as [I _]. destruct (where_ q I) as [I' | I'].
          -- apply news_at in I'. lia.
          -- unfold id in I'. lia.
    - intros j b' q E I. destruct (Nat.eq_dec j i) as [-> | ne].
      + rewrite nth_error_app2 in E by (rewrite (sound_length _ _ _ _ _ _ _ _ H); lia).
        rewrite (sound_length _ _ _ _ _ _ _ _ H), Nat.sub_diag in E. injection E as <-.
        destruct (where_ q I) as [I' | I']; [apply news_at in I'; unfold id; lia | lia].
      + pose proof (nth_error_bound _ _ _ E) as lt. rewrite app_length, (sound_length _ _ _ _ _ _ _ _ H) in lt. cbn in lt.
        rewrite nth_error_app1 in E by (rewrite (sound_length _ _ _ _ _ _ _ _ H); lia).
        pose proof (sound_next _ _ _ _ _ _ _ _ H j b' q E I). unfold id. lia.
    - exact (sound_weights _ _ _ _ _ _ _ _ H).
    - cbn [rev]. rewrite run_app, (sound_run _ _ _ _ _ _ _ _ H). cbn [and_then]. unfold run_calls. cbn [each].
      now rewrite Run.
    - intros q o nl na. rewrite frame; [now apply (sound_frame _ _ _ _ _ _ _ _ H) |]. split; [exact nl |].
      intros w' Iw wi. cbn in wi. apply news_at in Iw. destruct Iw as [_ Iw].
      rewrite Iw in wi. now destruct wi.
    - exact ar.
  Qed.
End OperatorStep.
