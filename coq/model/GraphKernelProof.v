(** * The kernel program of a graph computes the graph *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel kernel.KernelProof.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.IndexProof.
From Calque Require tensor.Infer.
From Calque Require Import rewrite.Sound rewrite.SoundModel.
From Calque Require rewrite.SoundOps kernel.InlineAll.
From Calque Require Import model.Function model.FunctionProof model.Compile model.State model.Operator model.OperatorStep.
From Calque Require Import model.ModelProof model.Rename model.GraphKernel model.GraphKernelState.
Import ListNotations.
Open Scope nat_scope.

(** ** The numbers of an operator's tensors *)

Section Actual.
  Context {S : arith}.
  Variables (xs : list (tid * sizes)) (p : list (Kernel.stmt (kernel_scalars S))) (next : tid).
  Hypothesis once : NoDup (formals S (List.length xs) p).
  Notation n := (List.length xs).
  Notation f := (actual S xs p next).

  Lemma actual_nth k t : nth_error (formals S n p) k = Some t ->
    f t = nth k (map fst xs ++ seq next (List.length p)) 0.
  Proof.
    intros E. unfold actual. rewrite <- (nth_error_nth _ _ 0 E) at 1.
    rewrite place_of_nth; [reflexivity | exact once | now apply nth_error_bound in E].
  Qed.

  Lemma actual_input k r : nth_error xs k = Some r -> f (tX k) = fst r.
  Proof.
    intros E. pose proof (nth_error_bound _ _ _ E) as lt. rewrite (actual_nth k).
    - rewrite app_nth1 by now rewrite map_length. apply nth_error_nth. now rewrite nth_error_map, E.
    - unfold formals. rewrite nth_error_app1 by now rewrite map_length, seq_length.
      rewrite nth_error_map, (nth_error_nth' (seq 0 n) 0) by now rewrite seq_length. now rewrite seq_nth.
  Qed.

  Lemma actual_output j s : nth_error p j = Some s -> f (out s) = next + j.
  Proof.
    intros E. pose proof (nth_error_bound _ _ _ E) as lt. rewrite (actual_nth (n + j)).
    - rewrite app_nth2 by (rewrite map_length; lia). rewrite map_length.
      replace (n + j - n) with j by lia. now rewrite seq_nth.
    - unfold formals. rewrite nth_error_app2 by (rewrite map_length, seq_length; lia).
      rewrite map_length, seq_length. replace (n + j - n) with j by lia. now rewrite nth_error_map, E.
  Qed.

  Lemma outs_once : NoDup (map out p).
  Proof.
    unfold formals in once. revert once. generalize (map tX (seq 0 n)) as l. intros l. induction l as [| a l IH]; [auto |].
    intros H. apply IH. now inversion H.
  Qed.

  (** What is stored has names of its own. *)
  Lemma actual_apart s t : (forall r, In r xs -> fst r < next) -> In s p ->
    In t (map tX (seq 0 n)) \/ In t (map out p) -> f t = f (out s) -> t = out s.
  Proof.
    intros below Is It E. apply In_nth_error in Is. destruct Is as [j Ej]. rewrite (actual_output j s Ej) in E.
    destruct It as [It | It].
    - exfalso. apply in_map_iff in It. destruct It as (k & <- & Ik). apply in_seq in Ik.
      destruct (nth_error xs k) as [r |] eqn:Er; [| apply nth_error_None in Er; lia].
      rewrite (actual_input k r Er) in E. apply nth_error_In in Er. apply below in Er. lia.
    - apply in_map_iff in It. destruct It as (s' & <- & Is'). apply In_nth_error in Is'. destruct Is' as [j' Ej'].
      rewrite (actual_output j' s' Ej') in E. assert (j' = j) by lia. congruence.
  Qed.
End Actual.

Section GraphKernelProof.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (Tensor.tensor (num S)).
  Notation stmt := (Kernel.stmt K).
  Notation named := (tid * sizes)%type.
  Notation kstate := (kstate S).
  Variables inputs_at constants : N -> option tensor.
  Variable shapes_of : N -> option sizes.
  Notation constant_of := (const_value S constants shapes_of).
  Notation den := (Sound.den (SoundModel.tensors S inputs_at constants shapes_of)).

  Section Steps.
    Variables (all : list (tid * source S)) (k0 : Kernel.store K).
    Hypothesis given_there : forall t src u, In (t, src) all -> source_value S inputs_at src = Some u -> k0 t = get (s_zero S) u.
    Notation ksound := (ksound S inputs_at all k0).
    Notation k_holds := (k_holds S k0).

    Lemma inputs_in {X} (P : X -> Prop) bs l xs : OpTable.inputs bs = Some l -> traverse (fun o : option X => o) l = Some xs ->
      (forall b x, In b bs -> b = GTensor x -> P x) -> forall x, In x xs -> P x.
    Proof.
      intros In_ T each. assert (forall x, In (Some x) l -> P x) as H.
      { unfold OpTable.inputs in In_. destruct (traverse operand bs) as [m |] eqn:O; [| discriminate]. injection In_ as <-.
        assert (sub : forall x, In (Some x) (trim m) -> In (Some x) m).
        { clear. intros x. induction m as [| a m IH]; [auto |]. cbn. destruct a as [y |].
          - intros [E | I]; [now left | right; now apply IH].
          - destruct (trim m) as [| b m']; [intros [] |]. intros [E | I]; [discriminate | right; now apply IH]. }
        intros x Ix. apply sub in Ix. clear sub T. revert m O Ix. induction bs as [| b bs IH]; intros m O Ix; cbn [traverse] in O.
        - injection O as <-. destruct Ix.
        - destruct (operand b) as [o |] eqn:Ob; [| discriminate]. destruct (traverse operand bs) as [m' |]; [| discriminate].
          injection O as <-. destruct Ix as [-> | Ix].
          + destruct b; cbn in Ob; try discriminate. injection Ob as <-. apply (each _ _ (or_introl eq_refl) eq_refl).
          + apply (IH (fun b' y Ib => each b' y (or_intror Ib)) m' eq_refl Ix). }
      intros x Ix. apply H. clear H each In_. revert xs T Ix. induction l as [| o l IH]; intros xs T Ix; cbn [traverse] in T.
      - injection T as <-. destruct Ix.
      - destruct o as [y |]; [| discriminate]. destruct (traverse _ l) as [ys |]; [| discriminate]. injection T as <-.
        destruct Ix as [-> | Ix]; [now left | right; now apply (IH ys)].
    Qed.

    Section Results.
      Variables (f : tid -> tid) (p : list stmt) (st : kstate) (x : tid -> Kernel.tensor K).
      Hypothesis stored_is : forall s i, In s p -> exec_prog (k_prog st) k0 (f (out s)) i = x (out s) i.
      Hypothesis outside : forall s i, In s p -> in_box (Kernel.dims s) i = false -> x (out s) i = s_zero S.
      Notation ts := (map (fun s => (f (out s), Kernel.dims s)) p).

      Lemma k_result_holds j d r (t : tensor) : k_result S f p j d = Some r -> dims t = d -> good t ->
        (forall i, in_box d i = true -> x (tY j) i = get (s_zero S) t i) -> k_holds st r t /\ In r ts.
      Proof.
        unfold k_result. intros E D G V. destruct (find (fun s => out s =? tY j) p) as [s |] eqn:F; [| discriminate].
        apply find_some in F. destruct F as [Is e]. apply Nat.eqb_eq in e.
        destruct (all2 Nat.eqb d (Kernel.dims s)) eqn:B; [| discriminate]. apply all2_eqb in B. injection E as <-.
        rewrite <- e, B. split; [| apply in_map_iff; now exists s].
        split; [cbn; congruence |]. split; [exact G |]. intros i. cbn [fst]. rewrite (stored_is s i Is), e.
        destruct (in_box d i) eqn:I; [now apply V |]. rewrite get_outside by congruence.
        rewrite <- e. apply outside; [exact Is | congruence].
      Qed.

      Lemma k_results_hold s b (v : gvalue tensor) : k_results S f p s = Some b -> s = map_value dims v ->
        Infer.good_value v ->
        match v with
        | GTensor t => forall i, in_box (dims t) i = true -> x (tY 0) i = get (s_zero S) t i
        | GTuple us => forall j t, nth_error us j = Some t ->
            forall i, in_box (dims t) i = true -> x (tY j) i = get (s_zero S) t i
        | GAbsent => False
        end ->
        value_rel (k_holds st) b v /\ incl (names_in b) ts.
      Proof.
        intros E -> G V. destruct v as [t | us |]; cbn [map_value k_results] in E; [| | contradiction].
        - destruct (k_result S f p 0 (dims t)) as [r |] eqn:R; [| discriminate]. injection E as <-.
          destruct (k_result_holds 0 _ r t R eq_refl G V) as [h i]. split; [exact h |]. intros r' [<- | []]. exact i.
        - destruct (traverse _ _) as [rs |] eqn:T; [| discriminate]. injection E as <-. cbn [value_rel names_in].
          assert (gen : forall us k qs, Forall good us ->
            traverse (fun jd => k_result S f p (fst jd) (snd jd))
              (combine (seq k (List.length (map dims us))) (map dims us)) = Some qs ->
            (forall j t, nth_error us j = Some t -> forall i, in_box (dims t) i = true -> x (tY (k + j)) i = get (s_zero S) t i) ->
            Forall2 (k_holds st) qs us /\ incl qs ts).
          { clear - stored_is outside. intros us. induction us as [| u us IH]; intros k qs G T V;
              cbn [map List.length seq combine traverse] in T.
            - injection T as <-. split; [constructor | intros q []].
            - destruct (k_result S f p (fst (k, dims u)) (snd (k, dims u))) as [q |] eqn:R; [| discriminate].
              destruct (traverse _ _) as [qs' |] eqn:T'; [| discriminate]. injection T as <-.
              inversion G as [| ? ? g G']; subst. cbn [fst snd] in R.
              destruct (k_result_holds k _ q u R eq_refl g) as [kq oq].
              { intros i I. specialize (V 0 u eq_refl i I). now rewrite Nat.add_0_r in V. }
              destruct (IH (k + 1) qs' G') as [F O].
              { rewrite <- T'. f_equal. f_equal. f_equal. lia. }
              { intros j t Ej i I. specialize (V (Datatypes.S j) t Ej i I). now replace (k + 1 + j) with (k + Datatypes.S j) by lia. }
              split; [now constructor |]. intros q' [<- | I]; auto. }
          rewrite map_length in T. apply (gen us 0 rs G); [now rewrite map_length | exact V].
      Qed.
    End Results.

    Theorem k_call_sound values i st st' name attrs bs vs : ksound values i st ->
      (exists more, all = k_sources st' ++ more) -> Forall2 (value_rel (k_holds st)) bs vs ->
      (forall b, In b bs -> incl (names_in b) (k_tensors st)) -> k_call S st name attrs bs = Some st' ->
      exists v, op_value S name attrs vs = Some v /\ (well v = true /\ stated name attrs v = true) /\
        ksound (extended S values i v) (i + 1) st'.
    Proof.
      intros H more F known E. unfold k_call in E.
      destruct (OpTable.inputs bs) as [l |] eqn:In_; [| discriminate].
      destruct (traverse (fun o : option named => o) l) as [xs |] eqn:Px; [| discriminate].
      destruct (op_infer name attrs (map (map_value snd) bs)) as [s |] eqn:Inf; [| discriminate].
      destruct (k_index S st name attrs xs) as [index |] eqn:Ki; [| discriminate].
      destruct (op_kernel S name attrs (map snd xs) (output_sizes s) (s_integer S) index) as [p |] eqn:Op; [| discriminate].
      set (f := actual S xs p (k_next st)) in *.
      destruct (k_results S f p s) as [b |] eqn:Re; [| discriminate].
      destruct (distinct (formals S (List.length xs) p) && reads_known (map tX (seq 0 (List.length xs))) p &&
        as_stated name attrs s) eqn:ok; [| discriminate]. injection E as <-.
      apply andb_true_iff in ok as [ok said]. apply andb_true_iff in ok as [once reads]. apply distinct_iff in once.
      assert (xs_in : forall r, In r xs -> In r (k_tensors st)).
      { apply (inputs_in _ bs l xs In_ Px). intros b' r Ib ->. apply (known _ Ib). now left. }
      destruct (operator_accepted S (k_holds st) snd name attrs bs vs l xs s index p) as
        (v & ts & V & -> & good_v & Fx & computes & safe_in); auto.
      { intros q t (D & G & _). now split. }
      { intros -> ts Fx. unfold k_index in Ki. change (String.eqb "Gather" "Gather") with true in Ki. cbv iota in Ki.
        destruct xs as [| x [| ix [| ? ?]]]; try discriminate Ki.
        destruct (look_up Nat.eqb (k_sources st) (fst ix)) as [[k | u] |] eqn:L; try discriminate Ki.
        destruct (axis_in attrs (Some 0%Z) (snd x)) as [axis |] eqn:Ax; [| discriminate].
        destruct (traverse (s_index S) (cells u)) as [index' |] eqn:Ti; [| discriminate].
        destruct (forallb _ index') eqn:Va; [| discriminate]. injection Ki as ->.
        inversion Fx as [| ? t1 ? ts' k1 Fx']; subst. inversion Fx' as [| ? t2 ? ts'' k2 Fx'']; subst. inversion Fx''; subst.
        exists t1, t2. split; [reflexivity |].
        rewrite (k_constant S inputs_at all k0 given_there values i st ix t2 u H (xs_in ix (or_intror (or_introl eq_refl))) k2 L).
        split; [exact Ti |]. rewrite (proj1 k1). exists axis. split; [exact Ax | exact Va]. }
      exists v. split; [exact V |].
      split; [split; [now apply good_well | rewrite (stated_sizes (Y := unit)); exact said] |].
      set (st1 := KState (k_bound st) (k_sources st) (k_prog st ++ map (rename K f) p) (k_tensors st) (k_next st)).
      assert (xs_below : forall r, In r xs -> fst r < k_next st).
      { intros r I. apply (k_below _ _ _ _ _ _ _ H). now apply xs_in. }
      assert (renamed : forall s i, In s p -> exec_prog (k_prog st1) k0 (f (out s)) i = exec_prog p (given_store ts) (out s) i).
      { intros s i' Is. cbn [st1 k_prog]. rewrite exec_prog_app.
        apply (rename_prog K f p (map tX (seq 0 (List.length xs))) (given_store ts) _ reads).
        - intros s' t Is' It. now apply actual_apart.
        - intros t It. apply in_map_iff in It. destruct It as (k & <- & Ik). apply in_seq in Ik. cbn in Ik.
          destruct (nth_error xs k) as [r |] eqn:Er; [| apply nth_error_None in Er; lia].
          destruct (Forall2_nth _ _ _ Fx k r Er) as (u & Eu & (_ & _ & E)). intros j. cbv beta.
          unfold f. rewrite (actual_input xs p (k_next st) once k r Er), E. now rewrite (given_at S ts k u Eu).
        - right. now apply in_map. }
      destruct (k_results_hold f p st1 (exec_prog p (given_store ts)) renamed) with
        (s := map_value dims v) (b := b) (v := v) as [rel names]; auto.
      { intros s i' Is B. apply stored_outside; auto. now apply (outs_once xs p once). }
      pose proof (k_extend S inputs_at all k0 values i st b v [] (map (rename K f) p)
        (map (fun s => (f (out s), Kernel.dims s)) p) (k_next st + List.length p) H) as E. cbv zeta in E.
      rewrite !app_nil_r in E. apply E.
      - revert rel. apply value_rel_mono. intros r u _ h. exact h.
      - intros r Ir. apply in_or_app. right. now apply names.
      - rewrite map_map. cbn [fst]. assert (map (fun s => f (out s)) p = seq (k_next st) (List.length p)) as ->; [| apply seq_NoDup].
        apply nth_ext with (d := 0) (d' := 0); [now rewrite map_length, seq_length |]. intros j lt. rewrite map_length in lt.
        rewrite seq_nth by exact lt. destruct (nth_error p j) as [s |] eqn:Es; [| apply nth_error_None in Es; lia].
        rewrite (nth_error_nth (map (fun s => f (out s)) p) j 0 (x := f (out s))) by now rewrite nth_error_map, Es.
        now apply actual_output.
      - intros r Ir. apply in_map_iff in Ir. destruct Ir as (s & <- & Is). cbn [fst]. apply In_nth_error in Is.
        destruct Is as [j Ej]. pose proof (nth_error_bound _ _ _ Ej). unfold f. rewrite (actual_output xs p (k_next st) once j s Ej). lia.
      - lia.
      - intros s Is. apply in_map_iff in Is. destruct Is as (s' & <- & Is'). apply in_map_iff. now exists s'.
      - intros t src [].
      - exact more.
      - intros shapes sh s Is. apply in_map_iff in Is. destruct Is as (s' & <- & Is').
        assert (new : forall s, In s p -> shapes (f (out s)) = Kernel.dims s).
        { intros s I. apply (sh (f (out s), Kernel.dims s)). apply in_or_app. right. apply in_map_iff. now exists s. }
        split; [cbn; symmetry; now apply new |]. intros u j J. cbn [rename body]. cbn [rename Kernel.dims] in J.
        apply (in_bounds_rename K f (fun t => shapes (f t)) shapes u (body s') j); [reflexivity |]. intros t.
        apply (safe_in (fun t => shapes (f t))); auto.
        intros k u' Eu. pose proof (Forall2_length Fx) as len. pose proof (nth_error_bound _ _ _ Eu).
        destruct (nth_error xs k) as [r |] eqn:Er; [| apply nth_error_None in Er; lia].
        destruct (Forall2_nth _ _ _ Fx k r Er) as (u'' & Eu'' & (D & _)). assert (u'' = u') by congruence. subst u''.
        unfold f. rewrite (actual_input xs p (k_next st) once k r Er), D. apply sh. apply in_or_app. left. apply xs_in.
        now apply nth_error_In in Er.
    Qed.
    Theorem k_node_sound values i st st' n : ksound values i st -> (exists more, all = k_sources st' ++ more) ->
      (forall k, Pattern.what (op n) = Pattern.KInput k ->
         exists t, inputs_at k = Some t /\ good t /\ declared_sizes (op n) = Some (dims t)) ->
      k_node S constant_of st n = Some st' ->
      exists v, compute den values n = Some v /\ ksound (extended S values i v) (i + 1) st'.
    Proof.
      intros H more fit E. unfold k_node in E.
      destruct (traverse (nth_error (k_bound st)) (args n)) as [bs |] eqn:Eb; [| discriminate].
      destruct (k_arguments S inputs_at all k0 values i st (args n) bs H Eb) as (vs & Ev & F & known).
      unfold compute. rewrite Ev. unfold Sound.den. destruct (Pattern.what (op n)) as [| k | k v | name | k |] eqn:Wh.
      - destruct bs; [| discriminate]. injection E as <-. inversion F; subst. exists GAbsent. split; [reflexivity |].
        apply k_alias_sound; auto; [exact I | intros r []].
      - destruct bs; [| discriminate]. inversion F; subst. destruct (fit k eq_refl) as (t & It & G & D).
        rewrite D in E. injection E as <-. exists (GTensor t). cbn [Sound.inputs SoundModel.tensors]. rewrite It.
        unfold checked, guard. rewrite (proj2 (well_good t) G). split; [reflexivity |]. now apply k_given_sound.
      - destruct bs; [| discriminate]. inversion F; subst. cbn [Sound.consts SoundModel.tensors].
        destruct (constant_of k v) as [t |]; [| discriminate].
        destruct (Nat.eqb_spec (List.length (cells t)) (cell_count (dims t))) as [G |]; [| discriminate].
        injection E as <-. exists (GTensor t). split; [reflexivity |]. now apply k_given_sound.
      - destruct (k_call_sound values i st st' name _ bs vs H more F known E) as (v & V & [well_ said] & H').
        exists v. split; [| exact H']. cbn [Sound.calls SoundModel.tensors]. apply op_calls_iff. split; [| now split].
        rewrite <- V. unfold op_value. now rewrite SoundOps.strip_inputs.
      - destruct bs as [| [| rs |] [| ? ?]]; try discriminate. inversion F as [| ? v ? vs' r F']; subst.
        inversion F'; subst. destruct v as [| us |]; cbn in r; try contradiction.
        destruct (k <? 0)%Z; [discriminate |].
        destruct (nth_error rs (Z.to_nat k)) as [q |] eqn:Eq; [| discriminate]. injection E as <-.
        destruct (Forall2_nth _ _ _ r _ _ Eq) as (u & Eu & ku). rewrite Eu. exists (GTensor u). split; [reflexivity |].
        apply k_alias_sound; auto. intros q' [<- | []]. apply (known _ (or_introl eq_refl)). now apply nth_error_In in Eq.
      - destruct (traverse _ bs) as [rs |] eqn:Er; [| discriminate]. injection E as <-.
        destruct (tensors_rel _ bs vs rs F Er) as (us & Eu & Fr).
        assert (traverse tensor_in vs = Some us) as -> by exact Eu. exists (GTuple us). split; [reflexivity |].
        apply k_alias_sound; auto. intros q Iq. cbn [names_in] in Iq.
        assert (exists b, In b bs /\ b = GTensor q) as (b & Ib & ->).
        { clear - Er Iq. revert rs Er Iq. induction bs as [| b bs IH]; intros rs Er Iq; cbn [traverse] in Er.
          - injection Er as <-. destruct Iq.
          - destruct b as [r | |]; try discriminate. destruct (traverse _ bs) as [rs' |]; [| discriminate].
            injection Er as <-. destruct Iq as [-> | Iq]; [exists (GTensor q); split; [now left | reflexivity] |].
            destruct (IH rs' eq_refl Iq) as (b & I & E'). exists b. split; [now right | exact E']. }
        apply (known _ Ib). now left.
    Qed.
  End Steps.

  (** ** What the program is given *)

  Lemma k_node_sources st n st' : k_node S constant_of st n = Some st' ->
    exists srcs, k_sources st' = k_sources st ++ srcs /\ k_next st <= k_next st' /\
      NoDup (map fst srcs) /\ forall t, In t (map fst srcs) -> k_next st <= t < k_next st'.
  Proof.
    unfold k_node. destruct (traverse _ (args n)) as [bs |]; [| discriminate]. intros E.
    assert (none : k_sources st' = k_sources st -> k_next st <= k_next st' ->
      exists srcs, k_sources st' = k_sources st ++ srcs /\ k_next st <= k_next st' /\
        NoDup (map fst srcs) /\ forall t, In t (map fst srcs) -> k_next st <= t < k_next st').
    { intros Es le. exists []. rewrite app_nil_r. split; [exact Es |]. split; [exact le |]. split; [constructor | intros t []]. }
    assert (one : forall src ds, st' = k_given S st src ds -> exists srcs, k_sources st' = k_sources st ++ srcs /\
      k_next st <= k_next st' /\ NoDup (map fst srcs) /\ forall t, In t (map fst srcs) -> k_next st <= t < k_next st').
    { intros src ds ->. exists [(k_next st, src)]. cbn. split; [reflexivity |]. split; [lia |].
      split; [constructor; [intros [] | constructor] |]. intros t [<- | []]. lia. }
    destruct (Pattern.what (op n)) as [| k | k v | name | k |].
    - destruct bs; [| discriminate]. injection E as <-. now apply none.
    - destruct bs; [| discriminate]. destruct (declared_sizes (op n)) as [ds |]; [| discriminate].
      injection E as <-. now apply (one (FromInput k) ds).
    - destruct bs; [| discriminate]. destruct (constant_of k v) as [t |]; [| discriminate].
      destruct (List.length (cells t) =? cell_count (dims t)); [| discriminate]. injection E as <-.
      now apply (one (FromConstant t) (dims t)).
    - unfold k_call in E.
      repeat match type of E with match ?o with _ => _ end = _ => destruct o; try discriminate E end.
      injection E as <-. apply none; cbn; [reflexivity | lia].
    - destruct bs as [| [| rs |] [| ? ?]]; try discriminate. destruct (k <? 0)%Z; [discriminate |].
      destruct (nth_error rs (Z.to_nat k)); [| discriminate]. injection E as <-. now apply none.
    - destruct (traverse _ bs); [| discriminate]. injection E as <-. now apply none.
  Qed.

  Lemma k_nodes_sources g : forall st st', k_nodes S constant_of st g = Some st' ->
    exists srcs, k_sources st' = k_sources st ++ srcs /\
      NoDup (map fst srcs) /\ forall t, In t (map fst srcs) -> k_next st <= t.
  Proof.
    induction g as [| n g IH]; intros st st' E; cbn [k_nodes] in E.
    - injection E as <-. exists []. rewrite app_nil_r. split; [reflexivity |]. split; [constructor | intros t []].
    - destruct (k_node S constant_of st n) as [st1 |] eqn:E1; [| discriminate].
      destruct (k_node_sources _ _ _ E1) as (a & Ea & le & oa & ba). destruct (IH _ _ E) as (b & Eb & ob & bb).
      exists (a ++ b). split; [now rewrite Eb, Ea, app_assoc |]. rewrite map_app. split.
      + apply NoDup_app_intro; auto. intros t I1 I2. apply ba in I1. apply bb in I2. lia.
      + intros t I. apply in_app_iff in I as [I | I]; [apply ba in I; lia | apply bb in I; lia].
  Qed.

  Lemma store_there (sources : list (tid * source S)) : NoDup (map fst sources) -> forall t src u,
    In (t, src) sources -> source_value S inputs_at src = Some u -> k_store S sources inputs_at t = get (s_zero S) u.
  Proof.
    intros once t src u I Su. assert (look_up Nat.eqb sources t = Some src) as L.
    { unfold look_up. destruct (find (fun b => Nat.eqb (fst b) t) sources) as [[t' src'] |] eqn:F.
      - apply find_some in F. destruct F as [I' e]. cbn in e. apply Nat.eqb_eq in e. subst t'. cbn. f_equal.
        apply In_nth_error in I, I'. destruct I as [a Ea], I' as [b Eb]. assert (a = b) as <-; [| pose proof (eq_trans (eq_sym Ea) Eb) as Q; now inversion Q].
        apply (proj1 (NoDup_nth_error (map fst sources)) once).
        + rewrite map_length. now apply nth_error_bound in Ea.
        + rewrite !nth_error_map.
          exact (eq_trans (f_equal (option_map fst) Ea) (eq_sym (f_equal (option_map fst) Eb))).
      - apply (find_none _ _ F) in I. cbn in I. now rewrite Nat.eqb_refl in I. }
    unfold k_store. rewrite L. destruct src as [k | w]; cbn in Su; [now rewrite Su | now injection Su as ->].
  Qed.

  (** ** The whole graph *)

  (** A program that leaves these values in its outputs. *)
  Definition program_gives (P : program S) (us : list tensor) : Prop :=
    Forall2 (fun t u => In (t, dims u) (p_tensors P) /\ good u /\
        forall i, exec_prog (p_prog P) (k_store S (p_sources P) inputs_at) t i = get (s_zero S) u i)
      (p_outputs P) us /\
    NoDup (map fst (p_tensors P)) /\
    (forall shapes, (forall r, In r (p_tensors P) -> shapes (fst r) = snd r) -> InlineAll.whole K shapes (p_prog P)) /\
    NoDup (map fst (p_sources P)) /\
    forall t src, In (t, src) (p_sources P) ->
      exists u, source_value S inputs_at src = Some u /\ In (t, dims u) (p_tensors P) /\ good u.

  Theorem graph_kernel_sound g outputs P : graph_kernel S constant_of g outputs = Some P -> inputs_fit inputs_at g ->
    exists us, outputs_of S inputs_at constants shapes_of g outputs = Some us /\ program_gives P us.
  Proof.
    unfold graph_kernel. intros E fit.
    destruct (k_nodes S constant_of (KState [] [] [] [] 0) g) as [st |] eqn:Es; [| discriminate].
    destruct (traverse _ outputs) as [outs |] eqn:Eo; [| discriminate]. injection E as <-. cbn [p_prog p_sources p_outputs p_tensors].
    destruct (k_nodes_sources _ _ _ Es) as (srcs & Esrc & once & _). cbn [k_sources app] in Esrc.
    assert (given_there := store_there (k_sources st)). rewrite Esrc in given_there at 1. specialize (given_there once).
    set (k0 := k_store S (k_sources st) inputs_at) in *.
    assert (H : ksound S inputs_at (k_sources st) k0 (Graph.exec den g (seq 0 (List.length g))) (List.length g) st).
    { assert (gen : forall g before st1, ksound S inputs_at (k_sources st) k0
          (Graph.exec den (before ++ g) (seq 0 (List.length before))) (List.length before) st1 ->
        inputs_fit inputs_at g -> k_nodes S constant_of st1 g = Some st ->
        ksound S inputs_at (k_sources st) k0 (Graph.exec den (before ++ g) (seq 0 (List.length (before ++ g))))
          (List.length (before ++ g)) st).
      { clear - given_there. intros g. induction g as [| n g IH]; intros before st1 H fit E; cbn [k_nodes] in E.
        - injection E as ->. rewrite app_nil_r in *. exact H.
        - destruct (k_node S constant_of st1 n) as [st2 |] eqn:E2; [| discriminate].
          destruct (k_nodes_sources _ _ _ E) as (more & Em & _).
          destruct (k_node_sound _ k0 given_there _ _ st1 st2 n H) as (v & Ev & H'); auto.
          { now exists more. }
          { intros k Wh. apply fit; [now left | exact Wh]. }
          replace (before ++ n :: g) with ((before ++ [n]) ++ g) in * by now rewrite <- app_assoc.
          apply (IH (before ++ [n]) st2); auto; [| intros n' k In_; apply fit; now right].
          rewrite app_length. cbn [List.length]. destruct H' as [a b c d e f' g' h]. constructor; auto.
          intros j b' Ej. destruct (b j b' Ej) as (w & Ew & r). exists w. split; [| exact r]. rewrite <- Ew.
          rewrite seq_app, Graph.exec_app. cbn [seq fold_left Nat.add]. unfold exec_node, extended.
          rewrite nth_error_app1 by (rewrite app_length; cbn; lia).
          rewrite nth_error_app2, Nat.sub_diag by lia. cbn [nth_error]. now rewrite Ev. }
      apply (gen g [] (KState [] [] [] [] 0)); auto. constructor; cbn.
      - reflexivity.
      - intros [| j] b Ej; discriminate.
      - intros r [].
      - constructor.
      - intros s [].
      - intros t src [].
      - now exists (k_sources st).
      - intros shapes _ s []. }
    assert (forall l os, traverse (fun i => match nth_error (k_bound st) i with Some (GTensor (t, _)) => Some t | _ => None end) l = Some os ->
      exists us, traverse (fun i => let? v := eval_node den g i in tensor_in v) l = Some us /\
        Forall2 (fun t u => In (t, dims u) (k_tensors st) /\ good u /\
          forall i, exec_prog (k_prog st) k0 t i = get (s_zero S) u i) os us) as gen.
    { intros l. induction l as [| i l IH]; intros os T; cbn [traverse] in T.
      - injection T as <-. exists []. split; [reflexivity | constructor].
      - destruct (nth_error (k_bound st) i) as [[[t d] | |] |] eqn:Eb; try discriminate.
        destruct (traverse _ l) as [os' |]; [| discriminate]. injection T as <-.
        destruct (IH os' eq_refl) as (us & E1 & F1).
        destruct (k_values _ _ _ _ _ _ _ H i _ Eb) as (v & Ev & r & sub). destruct v as [u | |]; cbn in r; try contradiction.
        exists (u :: us). cbn [traverse]. assert (eval_node den g i = Some (GTensor u)) as -> by exact Ev.
        cbn [tensor_in]. rewrite E1. split; [reflexivity |]. constructor; [| exact F1].
        destruct r as (D & G & e). cbn [fst snd] in D. split; [rewrite D; apply sub; now left | now split]. }
    destruct (gen outputs outs Eo) as (us & E1 & F1). exists us. split; [exact E1 |]. split; [exact F1 |].
    split; [exact (k_once _ _ _ _ _ _ _ H) |]. split; [intros shapes sh; now apply (k_whole _ _ _ _ _ _ _ H) |].
    split; [rewrite Esrc; exact once |]. intros t src I.
    destruct (k_from _ _ _ _ _ _ _ H t src I) as (u & Su & It & G & _). now exists u.
  Qed.

  (** Inlining any tensors in turn, and then dropping what is not needed, keeps the outputs. *)
  Corollary graph_kernel_inlined g outputs P ts : graph_kernel S constant_of g outputs = Some P -> inputs_fit inputs_at g ->
    exists us, outputs_of S inputs_at constants shapes_of g outputs = Some us /\
      Forall2 (fun t u => forall i,
          exec_prog (fst (InlineAll.live K (p_outputs P) (InlineAll.inline_all K (p_outputs P) ts (p_prog P))))
            (k_store S (p_sources P) inputs_at) t i = get (s_zero S) u i)
        (p_outputs P) us.
  Proof.
    intros E fit. destruct (graph_kernel_sound g outputs P E fit) as (us & Eu & F & once & wh & _). exists us. split; [exact Eu |].
    set (shapes := shape_in (p_tensors P)).
    assert (wh' : InlineAll.whole K shapes (p_prog P)).
    { apply wh. intros [t d] I. now apply shape_at. }
    destruct (InlineAll.inline_all_keeps K shapes (p_outputs P) ts (p_prog P) wh') as [_ same].
    assert (G : forall os us, incl os (p_outputs P) ->
      Forall2 (fun t u => In (t, dims u) (p_tensors P) /\ good u /\
          forall i, exec_prog (p_prog P) (k_store S (p_sources P) inputs_at) t i = get (s_zero S) u i) os us ->
      Forall2 (fun t u => forall i,
          exec_prog (fst (InlineAll.live K (p_outputs P) (InlineAll.inline_all K (p_outputs P) ts (p_prog P))))
            (k_store S (p_sources P) inputs_at) t i = get (s_zero S) u i) os us).
    { intros os us' sub F'. induction F' as [| t u os us' e _ IH]; constructor.
      - intros i. rewrite InlineAll.live_correct, same by (apply sub; now left). apply e.
      - apply IH. intros x I. apply sub. now right. }
    apply G; [apply incl_refl | exact F].
  Qed.
End GraphKernelProof.
