(** * What is emitted computes what the graph means

    For every unit that [compile] gives, any scalars, any values of the inputs that have the
    declared sizes: the unit's run gives the graph's value, or it ends at a look-up of which an
    index is outside, and that Gather has no value. *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel kernel.Lower.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel.
From Calque Require Import rewrite.Sound rewrite.SoundModel.
From Calque Require rewrite.SoundOps.
From Calque Require Import model.Unit model.CallProof model.Compile model.State model.OperatorStep.
From Calque Require emit.Flat emit.Machine pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

(** The tensors at the outputs; [shapes] are the sizes of constants whose value is written on
    their nodes. *)
Definition outputs_of (S : arith) (inputs constants : N -> option (tensor (num S))) (shapes : N -> option sizes)
    (g : Pattern.tgraph) (outputs : list nat) : option (list (tensor (num S))) :=
  traverse (fun i => let? v := eval_node (den (tensors S inputs constants shapes)) g i in tensor_in v) outputs.

(** Every input that the graph names is there, with its declared sizes. *)
Definition inputs_fit {X} (inputs : N -> option (tensor X)) (g : Pattern.tgraph) : Prop :=
  forall n k, In n g -> Pattern.what (op n) = Pattern.KInput k ->
  exists t, inputs k = Some t /\ good t /\ declared_sizes (op n) = Some (dims t).

Lemma input_array_not_local k : is_local (input_array k) = false.
Proof.
  unfold is_local, input_array. rewrite Nat.odd_add_mul_2. cbn. apply andb_false_r.
Qed.

Lemma loaded_input {S} (u : unit_ S) inputs k t : inputs k = Some t ->
  forall o, loaded u inputs (input_array k) o = at_place S (cells t) o.
Proof.
  intros It o. unfold loaded. assert (e : Nat.even (input_array k) = true).
  { unfold input_array. now rewrite Nat.even_add_mul_2. }
  rewrite e. unfold input_array, arena, weights_array. cbn [Nat.eqb Nat.add].
  replace (Datatypes.S (Datatypes.S (2 * N.to_nat k)) - 2) with (N.to_nat k * 2) by lia.
  rewrite Nat.div_mul by lia. now rewrite N2Nat.id, It.
Qed.

Lemma loaded_arena {S} (u : unit_ S) inputs o : o < u_arena u -> loaded u inputs arena o <> None.
Proof.
  intros lt. unfold loaded. rewrite Nat.eqb_refl. apply Nat.ltb_lt in lt. rewrite lt. discriminate.
Qed.

(** Every node has a value: what a graph without look-ups by data always has. *)
Definition all_valued (S : arith) (inputs constants : N -> option (tensor (num S))) (shapes : N -> option sizes)
    (g : Pattern.tgraph) : Prop :=
  forall i, i < List.length g -> eval_node (den (tensors S inputs constants shapes)) g i <> None.

(** A Gather has none: an index is outside. *)
Definition outside_at (S : arith) (inputs constants : N -> option (tensor (num S))) (shapes : N -> option sizes)
    (g : Pattern.tgraph) : Prop :=
  exists i n, nth_error g i = Some n /\ Pattern.what (op n) = Pattern.KCall "Gather" /\
    eval_node (den (tensors S inputs constants shapes)) g i = None.

Lemma no_fetches_ends {S} (u : unit_ S) inputs : no_fetches u = true -> run_unit u inputs <> OutOfRange.
Proof.
  unfold no_fetches, run_unit. intros N. assert (run_calls (u_calls u) (loaded u inputs) <> OutOfRange) as R.
  { revert N. generalize (loaded u inputs). unfold run_calls. induction (u_calls u) as [| c l IH]; intros m N; [discriminate |].
    cbn [forallb each] in *. apply andb_true_iff in N as [Nc N]. destruct c as [f args | l0 x ix y]; [| discriminate].
    cbn [run_call]. destruct (Machine.frun64 _ _ _ _) as [m' |]; cbn [sure and_then]; [now apply IH | discriminate]. }
  destruct (run_calls _ _) as [m | |]; cbn [and_then]; [| congruence | discriminate].
  now destruct (traverse _ _).
Qed.

Section ModelProof.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (tensor (num S)).
  Notation memory := (Flat.fstore (scalar_algebra K)).
  Notation state := (state S).
  Variables inputs constants : N -> option tensor.
  Variable shapes : N -> option sizes.
  Variable size : nat.
  Notation constant_of := (const_value S constants shapes).
  Notation den := (Sound.den (tensors S inputs constants shapes)).

  Section Steps.
    Variables (W : list (num S)) (m0 : memory).
    Notation sound := (sound S size W m0).
    Hypothesis weights_there : forall o, m0 weights_array o = at_place S W o.
    Hypothesis inputs_there : forall k t, inputs k = Some t -> forall o, m0 (input_array k) o = at_place S (cells t) o.

    Lemma sound_ext values values' i st m : (forall j, values j = values' j) ->
      sound values i st m -> sound values' i st m.
    Proof.
      intros same H. constructor; try apply H. intros j b E.
      destruct (sound_bound _ _ _ _ _ _ _ _ H j b E) as (v & Ev & r). exists v. now rewrite <- same.
    Qed.

    Lemma add_constant_sound values i st m st' o : sound values i st m ->
      (exists rest, W = weights st' ++ rest) -> add_constant st o = Some st' ->
      exists t, o = Some t /\ sound (extended S values i (GTensor t)) (i + 1) st' m.
    Proof.
      intros H HW E. unfold add_constant in E. destruct o as [t |]; [| discriminate].
      destruct (Nat.eqb_spec (List.length (cells t)) (cell_count (dims t))) as [G |]; [| discriminate].
      injection E as <-. exists t. split; [reflexivity |]. apply sound_bind; auto.
      - cbn. split; [reflexivity |]. split; [exact G |]. intros _. eapply weights_at; eauto.
      - intros p [<- | []]. cbn. lia.
      - intros p [<- | []]. cbn. lia.
    Qed.

    Lemma add_input_sound values i st m st' k o t : sound values i st m ->
      (exists rest, W = weights st' ++ rest) -> add_input st k o = Some st' ->
      inputs k = Some t -> good t -> declared_sizes o = Some (dims t) ->
      sound (extended S values i (GTensor t)) (i + 1) st' m.
    Proof.
      intros H HW E It G D. unfold add_input in E. rewrite D in E. injection E as <-. apply sound_bind; auto.
      - cbn. split; [reflexivity |]. split; [exact G |]. intros _. apply has_cells; [exact G |]. intros o' _.
        rewrite (sound_frame _ _ _ _ _ _ _ _ H); [now apply inputs_there | apply input_array_not_local |].
        unfold input_array, arena. lia.
      - intros p [<- | []]. cbn. lia.
      - intros p [<- | []]. cbn. lia.
    Qed.

    Lemma sound_part values i st m b p : sound values i st m ->
      (exists j, nth_error (bound_to st) j = Some b) -> In p (places_in b) -> p_id p < next st + 0.
    Proof. intros H [j E] I. pose proof (sound_next _ _ _ _ _ _ _ _ H j b p E I). lia. Qed.

    Theorem add_node_sound values i st m st' n : sound values i st m ->
      (exists rest, W = weights st' ++ rest) ->
      (forall k, Pattern.what (op n) = Pattern.KInput k ->
         exists t, inputs k = Some t /\ good t /\ declared_sizes (op n) = Some (dims t)) ->
      add_node constant_of size st n = Some st' ->
      (exists v m', compute den values n = Some v /\ sound (extended S values i v) (i + 1) st' m') \/
      (Pattern.what (op n) = Pattern.KCall "Gather" /\ compute den values n = None /\
       run_calls (rev (calls st')) m0 = OutOfRange).
    Proof.
      intros H HW fit E. unfold add_node in E.
      destruct (traverse (nth_error (bound_to st)) (args n)) as [bs |] eqn:Eb; [| discriminate].
      destruct (sound_arguments _ _ _ _ _ _ _ _ _ _ H Eb) as (vs & Ev & F & from).
      unfold compute. rewrite Ev. unfold Sound.den. destruct (Pattern.what (op n)) as [| k | k v | name | k |] eqn:Wh.
      - destruct bs; [| discriminate]. injection E as <-. inversion F; subst. left. exists GAbsent, m. split; [reflexivity |].
        apply sound_bind; auto; try (intros p []). exact I.
      - destruct bs; [| discriminate]. inversion F; subst. destruct (fit k eq_refl) as (t & It & G & D).
        left. exists (GTensor t), m. cbn [Sound.inputs tensors]. rewrite It. unfold checked, guard.
        rewrite (proj2 (well_good t) G). split; [reflexivity |]. now apply (add_input_sound values i st m st' k (op n) t).
      - destruct bs; [| discriminate]. inversion F; subst.
        destruct (add_constant_sound values i st m st' _ H HW E) as (t & Et & H').
        left. exists (GTensor t), m. cbn [Sound.consts tensors]. rewrite Et. split; [reflexivity | exact H'].
      - destruct (add_call_sound S size W m0 values i st m st' name _ bs vs H weights_there F E)
          as [(v & m' & V & [well_ said] & H') | (-> & V & R)]; cbn [Sound.calls tensors].
        + left. exists v, m'. split; [| exact H']. apply op_calls_iff. split; [| now split].
          rewrite <- V. unfold op_value. now rewrite SoundOps.strip_inputs.
        + right. split; [reflexivity |]. split; [| exact R]. match goal with |- ?o = None => destruct o as [v |] eqn:O; [| reflexivity] end.
          apply op_calls_iff in O. destruct O as [O _]. rewrite <- O, <- V. unfold op_value. now rewrite SoundOps.strip_inputs.
      - destruct bs as [| [| ps |] [| ? ?]]; try discriminate. inversion F as [| ? v ? vs' r F']; subst.
        inversion F'; subst. destruct v as [| ts |]; cbn in r; try contradiction.
        unfold field_of in E. destruct (k <? 0)%Z; [discriminate |].
        destruct (nth_error ps (Z.to_nat k)) as [p |] eqn:Ep; [| discriminate]. injection E as <-.
        destruct (Forall2_nth _ _ _ r _ _ Ep) as (t & Et & kt). rewrite Et. left. exists (GTensor t), m.
        split; [reflexivity |]. apply sound_bind; auto; try (intros q []).
        + cbn. rewrite app_nil_r. exact kt.
        + subst q. apply (sound_part values i st m (GTuple ps)); auto.
          * apply from. now left.
          * cbn. now apply nth_error_In in Ep.
        + contradiction.
      - destruct (traverse _ bs) as [ps |] eqn:Ep; [| discriminate]. injection E as <-.
        destruct (tensors_rel _ bs vs ps F Ep) as (ts & Et & Fp).
        assert (traverse tensor_in vs = Some ts) as -> by exact Et. left. exists (GTuple ts), m.
        split; [reflexivity |]. apply sound_bind; auto.
        + cbn. rewrite app_nil_r. exact Fp.
        + intros p [].
        + cbn. intros p Ip. assert (exists b, In b bs /\ b = GTensor p) as (b & Ib & ->).
          { clear - Ep Ip. revert ps Ep Ip. induction bs as [| b bs IH]; intros ps Ep Ip; cbn [traverse] in Ep.
            - injection Ep as <-. destruct Ip.
            - destruct b as [q | |]; try discriminate. destruct (traverse _ bs) as [ps' |]; [| discriminate].
              injection Ep as <-. destruct Ip as [-> | Ip]; [exists (GTensor p); split; [now left | reflexivity] |].
              destruct (IH ps' eq_refl Ip) as (b & I & Eb). exists b. split; [now right | exact Eb]. }
          apply (sound_part values i st m (GTensor p)); auto. now left.
    Qed.

    Lemma add_node_weights st n st' : add_node constant_of size st n = Some st' ->
      exists more, weights st' = weights st ++ more.
    Proof.
      unfold add_node. destruct (traverse _ (args n)) as [bs |]; [| discriminate]. intros E.
      assert (constant_case : forall o, add_constant st o = Some st' -> exists more, weights st' = weights st ++ more).
      { intros o Eo. unfold add_constant in Eo. destruct o as [t |]; [| discriminate].
        destruct (List.length (cells t) =? cell_count (dims t)); [| discriminate]. injection Eo as <-. cbn. eauto. }
      destruct (Pattern.what (op n)) as [| k | k v | name | k |].
      - destruct bs; [| discriminate]. injection E as <-. cbn. eauto.
      - destruct bs; [| discriminate]. unfold add_input in E. destruct (declared_sizes (op n)); [| discriminate].
        injection E as <-. cbn. eauto.
      - destruct bs; [| discriminate]. eauto.
      - unfold add_call in E. exists []. rewrite app_nil_r.
        repeat match type of E with
               | match ?o with _ => _ end = _ => destruct o; try discriminate
               end.
        injection E as <-. reflexivity.
      - destruct bs as [| [| ps |] [| ? ?]]; try discriminate. destruct (field_of k ps); [| discriminate].
        injection E as <-. cbn. eauto.
      - destruct (traverse _ bs); [| discriminate]. injection E as <-. cbn. eauto.
    Qed.

    Lemma add_nodes_weights g : forall st st', add_nodes constant_of size st g = Some st' ->
      exists more, weights st' = weights st ++ more.
    Proof.
      induction g as [| n g IH]; intros st st' E; cbn [add_nodes] in E.
      - injection E as <-. exists []. now rewrite app_nil_r.
      - destruct (add_node constant_of size st n) as [st1 |] eqn:E1; [| discriminate].
        destruct (add_node_weights _ _ _ E1) as [a Ea]. destruct (IH _ _ E) as [b Eb].
        exists (a ++ b). now rewrite Eb, Ea, app_assoc.
    Qed.

    Lemma add_node_calls st n st' : add_node constant_of size st n = Some st' ->
      exists more, calls st' = more ++ calls st.
    Proof.
      unfold add_node. destruct (traverse _ (args n)) as [bs |]; [| discriminate]. intros E.
      assert (bound : forall b news w, st' = bind st b news w -> exists more, calls st' = more ++ calls st)
        by (intros b news w ->; now exists []).
      destruct (Pattern.what (op n)) as [| k | k v | name | k |].
      - destruct bs; [| discriminate]. injection E as <-. eauto.
      - destruct bs; [| discriminate]. unfold add_input in E. destruct (declared_sizes (op n)); [| discriminate].
        injection E as <-. eauto.
      - destruct bs; [| discriminate]. unfold add_constant in E. destruct (constant_of k v) as [t |]; [| discriminate].
        destruct (_ =? _); [| discriminate]. injection E as <-. eauto.
      - unfold add_call in E.
        repeat match type of E with
               | match ?o with _ => _ end = _ => destruct o; try discriminate
               end.
        injection E as <-. cbn [calls]. match goal with |- exists more, ?c :: _ = _ => now exists [c] end.
      - destruct bs as [| [| ps |] [| ? ?]]; try discriminate. destruct (field_of k ps); [| discriminate].
        injection E as <-. eauto.
      - destruct (traverse _ bs); [| discriminate]. injection E as <-. eauto.
    Qed.

    (** Once an index was outside, that is how the run ends. *)
    Lemma add_nodes_outside g : forall st st', add_nodes constant_of size st g = Some st' ->
      run_calls (rev (calls st)) m0 = OutOfRange -> run_calls (rev (calls st')) m0 = OutOfRange.
    Proof.
      induction g as [| n g IH]; intros st st' E R; cbn [add_nodes] in E; [now injection E as <- |].
      destruct (add_node constant_of size st n) as [st1 |] eqn:E1; [| discriminate]. apply (IH st1 st' E).
      destruct (add_node_calls _ _ _ E1) as [more ->]. now rewrite rev_app_distr, run_app, R.
    Qed.

    Lemma exec_later g s i st : ~ In i s -> fold_left (exec_node den g) s st i = st i.
    Proof.
      revert st. induction s as [| j s IH]; intros st N; [reflexivity |]. cbn [fold_left].
      rewrite IH by (intros I; apply N; now right). unfold exec_node.
      destruct (Nat.eqb_spec i j) as [-> |]; [elim N; now left | reflexivity].
    Qed.

    Theorem add_nodes_sound g : forall before st m st',
      sound (Graph.exec den (before ++ g) (seq 0 (List.length before))) (List.length before) st m ->
      (exists rest, W = weights st' ++ rest) -> inputs_fit inputs g ->
      add_nodes constant_of size st g = Some st' ->
      (exists m', sound (Graph.exec den (before ++ g) (seq 0 (List.length (before ++ g)))) (List.length (before ++ g)) st' m') \/
      (outside_at S inputs constants shapes (before ++ g) /\ run_calls (rev (calls st')) m0 = OutOfRange).
    Proof.
      induction g as [| n g IH]; intros before st m st' H HW fit E; cbn [add_nodes] in E.
      - injection E as <-. left. exists m. rewrite app_nil_r in *. exact H.
      - destruct (add_node constant_of size st n) as [st1 |] eqn:E1; [| discriminate].
        assert (HW1 : exists rest, W = weights st1 ++ rest).
        { destruct (add_nodes_weights _ _ _ E) as [more Em]. destruct HW as [rest ->]. rewrite Em, <- app_assoc. eauto. }
        assert (at_n : nth_error (before ++ n :: g) (List.length before) = Some n)
          by (now rewrite nth_error_app2, Nat.sub_diag by lia).
        destruct (add_node_sound _ _ _ _ st1 n H HW1) as [(v & m1 & Ev & H1) | (Gn & Ev & R)]; auto.
        { intros k Wh. apply fit; [now left | exact Wh]. }
        + replace (before ++ n :: g) with ((before ++ [n]) ++ g) in * by now rewrite <- app_assoc.
          apply (IH (before ++ [n]) st1 m1 st'); auto.
          { rewrite app_length. cbn [List.length]. eapply sound_ext; [| exact H1]. intros j.
            rewrite seq_app, Graph.exec_app. cbn [seq fold_left Nat.add]. unfold exec_node, extended.
            rewrite at_n. now rewrite Ev. }
          intros n' k In_. apply fit. now right.
        + right. split; [| exact (add_nodes_outside _ _ _ E R)]. exists (List.length before), n.
          split; [exact at_n |]. split; [exact Gn |]. unfold eval_node.
          rewrite app_length. cbn [List.length]. rewrite seq_app, Graph.exec_app. cbn [seq Nat.add fold_left].
          rewrite exec_later by (rewrite in_seq; lia). unfold exec_node. now rewrite Nat.eqb_refl, at_n.
    Qed.
  End Steps.

  (** ** From the beginning to the outputs *)

  Lemma read_held m p (t : tensor) : dims t = p_dims p -> good t -> has S m p (get (s_zero S) t) ->
    read_place m p = Some t.
  Proof.
    intros D G H. unfold read_place.
    assert (traverse (fun o => match m (p_array p) (p_base p + o) with Some (Some x) => Some x | _ => None end)
      (seq 0 (cell_count (p_dims p))) = Some (cells t)) as ->; [| rewrite <- D; now destruct t].
    unfold good in G. rewrite D in G.
    assert (gen : forall l k, k + List.length l = cell_count (p_dims p) ->
      (forall o, o < List.length l -> nth_error l o = nth_error (cells t) (k + o)) ->
      traverse (fun o => match m (p_array p) (p_base p + o) with Some (Some x) => Some x | _ => None end)
        (seq k (List.length l)) = Some l).
    { intros l. induction l as [| x l IH]; intros k len same; [reflexivity |]. cbn [List.length seq traverse] in *.
      destruct (index_at_spec (p_dims p) k) as [I P]; [lia |]. specialize (H _ I). rewrite P in H. rewrite H.
      rewrite (IH (Datatypes.S k)); [| lia |].
      - f_equal. f_equal. specialize (same 0 (Nat.lt_0_succ _)). cbn in same. rewrite Nat.add_0_r in same.
        unfold get. rewrite D, I, P. now apply nth_error_nth.
      - intros o lt. specialize (same (Datatypes.S o)). cbn in same. rewrite same by lia. f_equal. lia. }
    rewrite <- G. apply (gen (cells t) 0); [exact G | reflexivity].
  Qed.

  Theorem model_correct plan g outputs u :
    compile constant_of size plan g outputs = Some u -> inputs_fit inputs g ->
    match run_unit u inputs with
    | Finished outs => outputs_of S inputs constants shapes g outputs = Some outs /\ all_valued S inputs constants shapes g
    | OutOfRange => outside_at S inputs constants shapes g
    | Stuck => False
    end.
  Proof.
    unfold compile. intros C fit.
    destruct (add_nodes constant_of size (State [] [] [] [] plan 0) g) as [st |] eqn:E; [| discriminate].
    destruct (traverse (output_place st) outputs) as [ps |] eqn:Ep; [| discriminate]. injection C as <-.
    set (u := Unit (rev (calls st)) size (weights st) ps).
    set (m0 := loaded u inputs). set (W := weights st).
    assert (weights_there : forall o, m0 weights_array o = at_place S W o) by reflexivity.
    assert (inputs_there : forall k t, inputs k = Some t -> forall o, m0 (input_array k) o = at_place S (cells t) o)
      by (intros k t; apply loaded_input).
    destruct (add_nodes_sound W m0 weights_there inputs_there g [] (State [] [] [] [] plan 0) m0 st) as [(m & H) | (O & R)]; auto.
    { constructor; cbn; auto.
      - intros [| j] b Eb; discriminate.
      - intros [| j] b p Eb; discriminate.
      - now exists W.
      - exact (loaded_arena u inputs). }
    { exists []. now rewrite app_nil_r. }
    2: { unfold run_unit. cbn [u_calls u]. fold m0. now rewrite R. }
    unfold run_unit. cbn [u_calls u_outputs u]. fold m0. rewrite (sound_run _ _ _ _ _ _ _ _ H). cbn [and_then].
    assert (valued : all_valued S inputs constants shapes g).
    { intros i lt. destruct (nth_error (bound_to st) i) as [b |] eqn:Eb.
      - destruct (sound_bound _ _ _ _ _ _ _ _ H i b Eb) as (v & Ev & _). unfold eval_node. cbn [app] in Ev. congruence.
      - apply nth_error_None in Eb. rewrite (sound_length _ _ _ _ _ _ _ _ H) in Eb. cbn [app] in Eb. lia. }
    unfold outputs_of. assert (gen : forall l ps, traverse (output_place st) l = Some ps ->
      exists outs, traverse (fun i => let? v := eval_node den g i in tensor_in v) l = Some outs /\
        traverse (read_place m) ps = Some outs).
    { intros l. induction l as [| i l IH]; intros qs Eq; cbn [traverse] in Eq.
      - injection Eq as <-. exists []. split; reflexivity.
      - destruct (output_place st i) as [p |] eqn:Eo; [| discriminate].
        destruct (traverse (output_place st) l) as [qs' |]; [| discriminate]. injection Eq as <-.
        destruct (IH qs' eq_refl) as (outs & E1 & E2). unfold output_place in Eo.
        destruct (nth_error (bound_to st) i) as [[q | |] |] eqn:Eb; try discriminate.
        destruct (mem_place q (valid st)) eqn:M; [| discriminate]. injection Eo as ->.
        destruct (sound_bound _ _ _ _ _ _ _ _ H i _ Eb) as (v & Ev & r). destruct v as [t | |]; cbn in r; try contradiction.
        destruct r as (D & G & h). apply mem_place_iff in M. exists (t :: outs). cbn [traverse].
        assert (eval_node den g i = Some (GTensor t)) as -> by exact Ev.
        rewrite (read_held m p t D G (h M)), E2. cbn [tensor_in]. rewrite E1. split; reflexivity. }
    destruct (gen outputs ps Ep) as (outs & E1 & E2). rewrite E2. now split.
  Qed.

  (** So a graph whose nodes have values has its own, and the run gives it. *)
  Corollary model_runs plan g outputs u :
    compile constant_of size plan g outputs = Some u -> inputs_fit inputs g -> all_valued S inputs constants shapes g ->
    exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\ run_unit u inputs = Finished outs.
  Proof.
    intros C fit V. pose proof (model_correct plan g outputs u C fit) as M.
    destruct (run_unit u inputs) as [outs | |]; [exists outs; now split | | contradiction].
    destruct M as (i & n & E & _ & N). elim (V i); [now apply nth_error_bound in E | exact N].
  Qed.

  (** A unit without look-ups gives a value for all inputs. *)
  Corollary model_total plan g outputs u :
    compile constant_of size plan g outputs = Some u -> inputs_fit inputs g -> no_fetches u = true ->
    exists outs, outputs_of S inputs constants shapes g outputs = Some outs /\ run_unit u inputs = Finished outs.
  Proof.
    intros C fit N. pose proof (model_correct plan g outputs u C fit) as M.
    destruct (run_unit u inputs) as [outs | |] eqn:R; [exists outs; now split | | contradiction].
    elim (no_fetches_ends u inputs N R).
  Qed.
End ModelProof.
