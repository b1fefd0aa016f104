(** * What a graph's kernel program holds, node by node *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel kernel.KernelProof.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.IndexProof.
From Calque Require tensor.Infer.
From Calque Require Import rewrite.Sound rewrite.SoundModel.
From Calque Require rewrite.SoundOps kernel.InlineAll.
From Calque Require Import model.Function model.FunctionProof model.Compile model.State model.Operator model.OperatorStep.
From Calque Require Import model.ModelProof model.Rename model.GraphKernel.
Import ListNotations.
Open Scope nat_scope.

Section GraphKernelState.
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

  Definition source_value (src : source S) : option tensor :=
    match src with FromInput k => inputs_at k | FromConstant u => Some u end.

  Definition names_in (b : gvalue named) : list named :=
    match b with GTensor r => [r] | GTuple rs => rs | GAbsent => [] end.

  Section Steps.
    (** All that the program is given. *)
    Variables (all : list (tid * source S)) (k0 : Kernel.store K).
    Hypothesis given_there : forall t src u, In (t, src) all -> source_value src = Some u -> k0 t = get (s_zero S) u.

    Definition k_holds (st : kstate) (r : named) (u : tensor) : Prop :=
      dims u = snd r /\ good u /\ forall i, exec_prog (k_prog st) k0 (fst r) i = get (s_zero S) u i.

    Record ksound (values : nat -> option (gvalue tensor)) (i : nat) (st : kstate) : Prop := KSound {
      k_length : List.length (k_bound st) = i;
      k_values : forall j b, nth_error (k_bound st) j = Some b ->
        exists v, values j = Some v /\ value_rel (k_holds st) b v /\ incl (names_in b) (k_tensors st);
      k_below : forall r, In r (k_tensors st) -> fst r < k_next st;
      k_once : NoDup (map fst (k_tensors st));
      k_stored : forall s, In s (k_prog st) -> In (out s, Kernel.dims s) (k_tensors st);
      k_from : forall t src, In (t, src) (k_sources st) -> exists u, source_value src = Some u /\
        In (t, dims u) (k_tensors st) /\ good u /\ forall s, In s (k_prog st) -> out s <> t;
      k_all : exists more, all = k_sources st ++ more;
      k_whole : forall shapes, (forall r, In r (k_tensors st) -> shapes (fst r) = snd r) ->
        InlineAll.whole K shapes (k_prog st)
    }.

    Lemma k_arguments values i st l bs : ksound values i st -> traverse (nth_error (k_bound st)) l = Some bs ->
      exists vs, traverse values l = Some vs /\ Forall2 (value_rel (k_holds st)) bs vs /\
        forall b, In b bs -> incl (names_in b) (k_tensors st).
    Proof.
      intros H. revert bs. induction l as [| j l IH]; intros bs E; cbn [traverse] in E.
      - injection E as <-. exists []. split; [reflexivity |]. split; [constructor | intros b []].
      - destruct (nth_error (k_bound st) j) as [b |] eqn:Ej; [| discriminate].
        destruct (traverse (nth_error (k_bound st)) l) as [bs' |]; [| discriminate]. injection E as <-.
        destruct (IH bs' eq_refl) as (vs & E & F & from). destruct (k_values _ _ _ H j b Ej) as (v & Ev & r & sub).
        exists (v :: vs). cbn [traverse]. rewrite Ev, E. split; [reflexivity |]. split; [now constructor |].
        intros b' [<- | I]; auto.
    Qed.

    (** More statements, with names of their own, change nothing that is there. *)
    Lemma k_holds_more (st : kstate) q r u b srcs ts n : k_holds st r u -> (forall s, In s q -> out s <> fst r) ->
      k_holds (KState b srcs (k_prog st ++ q) ts n) r u.
    Proof.
      intros (D & G & E) no. split; [exact D |]. split; [exact G |]. intros i. cbn [k_prog].
      rewrite exec_prog_app, kernel_prog_frame by exact no. apply E.
    Qed.

    (** The state after a node. *)
    Lemma k_extend values i st b v srcs q ts n :
      ksound values i st ->
      let st' := KState (k_bound st ++ [b]) (k_sources st ++ srcs) (k_prog st ++ q) (k_tensors st ++ ts) n in
      value_rel (k_holds st') b v -> incl (names_in b) (k_tensors st ++ ts) ->
      NoDup (map fst ts) -> (forall r, In r ts -> k_next st <= fst r < n) -> k_next st <= n ->
      (forall s, In s q -> In (out s, Kernel.dims s) ts) ->
      (forall t src, In (t, src) srcs -> exists u, source_value src = Some u /\
         In (t, dims u) ts /\ good u /\ forall s, In s q -> out s <> t) ->
      (exists more, all = (k_sources st ++ srcs) ++ more) ->
      (forall shapes, (forall r, In r (k_tensors st ++ ts) -> shapes (fst r) = snd r) -> InlineAll.whole K shapes q) ->
      ksound (extended S values i v) (i + 1) st'.
    Proof.
      intros H st' rel names once below le outs from more wh. subst st'.
      assert (fresh : forall s r, In s q -> In r (k_tensors st) -> out s <> fst r).
      { intros s r Is Ir E. apply outs in Is. apply below in Is. apply (k_below _ _ _ H) in Ir. cbn in Is. lia. }
      constructor; cbn [k_bound k_sources k_prog k_tensors k_next].
      - rewrite app_length, (k_length _ _ _ H). reflexivity.
      - intros j b' E. unfold extended. destruct (Nat.eqb_spec j i) as [-> | ne].
        + rewrite nth_error_app2 in E by (rewrite (k_length _ _ _ H); lia).
          rewrite (k_length _ _ _ H), Nat.sub_diag in E. injection E as <-. exists v. auto.
        + pose proof (nth_error_bound _ _ _ E) as lt. rewrite app_length, (k_length _ _ _ H) in lt. cbn in lt.
          rewrite nth_error_app1 in E by (rewrite (k_length _ _ _ H); lia).
          destruct (k_values _ _ _ H j b' E) as (w & Ew & r & sub). exists w. split; [exact Ew |]. split.
          * revert r. apply value_rel_mono. intros x u Ix hx. apply k_holds_more; [exact hx |].
            intros s Is. apply fresh; [exact Is | now apply sub].
          * intros x Ix. apply in_or_app. left. now apply sub.
      - intros r I. apply in_app_iff in I as [I | I]; [apply (k_below _ _ _ H) in I; lia | now apply below].
      - rewrite map_app. apply NoDup_app_intro; [apply (k_once _ _ _ H) | exact once |].
        intros t I1 I2. apply in_map_iff in I1, I2. destruct I1 as (r1 & E1 & I1), I2 as (r2 & E2 & I2).
        apply (k_below _ _ _ H) in I1. apply below in I2. lia.
      - intros s I. apply in_or_app. apply in_app_iff in I as [I | I]; [left; now apply (k_stored _ _ _ H) | right; now apply outs].
      - intros t src I. apply in_app_iff in I as [I | I].
        + destruct (k_from _ _ _ H t src I) as (u & Su & It & G & no). exists u. split; [exact Su |].
          split; [apply in_or_app; now left |]. split; [exact G |].
          intros s Is. apply in_app_iff in Is as [Is | Is]; [now apply no |]. exact (fresh s (t, dims u) Is It).
        + destruct (from t src I) as (u & Su & It & G & no). exists u. split; [exact Su |].
          split; [apply in_or_app; now right |]. split; [exact G |].
          intros s Is. apply in_app_iff in Is as [Is | Is]; [| now apply no]. apply (k_stored _ _ _ H) in Is.
          apply (k_below _ _ _ H) in Is. apply below in It. cbn in *. lia.
      - exact more.
      - intros shapes sh s I. apply in_app_iff in I as [I | I].
        + apply (k_whole _ _ _ H shapes); [| exact I]. intros r Ir. apply sh, in_or_app. now left.
        + now apply (wh shapes).
    Qed.

    Lemma k_alias_sound values i st b v : ksound values i st -> value_rel (k_holds st) b v ->
      incl (names_in b) (k_tensors st) -> ksound (extended S values i v) (i + 1) (k_alias S st b).
    Proof.
      intros H rel names. pose proof (k_extend values i st b v [] [] [] (k_next st) H) as E. cbv zeta in E.
      rewrite !app_nil_r in E.
      apply E; try exact rel; try exact names; try exact (k_all _ _ _ H); try exact (le_n _); try apply NoDup_nil;
        try (intros ? []; fail); try (intros ? ? []; fail); intros ? _ ? [].
    Qed.

    Lemma k_given_sound values i st src u : ksound values i st -> source_value src = Some u -> good u ->
      (exists more, all = (k_sources st ++ [(k_next st, src)]) ++ more) ->
      ksound (extended S values i (GTensor u)) (i + 1) (k_given S st src (dims u)).
    Proof.
      intros H Su G more. set (t := k_next st).
      pose proof (k_extend values i st (GTensor (t, dims u)) (GTensor u) [(t, src)] [] [(t, dims u)] (t + 1) H) as E.
      cbv zeta in E. rewrite app_nil_r in E. apply E; auto.
      - cbn. split; [reflexivity |]. split; [exact G |]. intros j. cbn [fst k_prog].
        rewrite kernel_prog_frame.
        + rewrite (given_there t src u); [reflexivity | | exact Su]. destruct more as [more ->].
          apply in_or_app. left. apply in_or_app. right. now left.
        + intros s Is. apply (k_stored _ _ _ H) in Is. apply (k_below _ _ _ H) in Is. cbn in Is. unfold t. lia.
      - cbn. intros r [<- | []]. apply in_or_app. right. now left.
      - cbn. constructor; [intros [] | constructor].
      - intros r [<- | []]. cbn. unfold t. lia.
      - unfold t. lia.
      - intros s [].
      - intros t' src' [E' | []]. injection E' as <- <-. exists u. split; [exact Su |].
        split; [now left |]. split; [exact G | intros s []].
      - intros shapes _ s [].
    Qed.

    Lemma look_up_in {V} (l : list (tid * V)) t v : look_up Nat.eqb l t = Some v -> In (t, v) l.
    Proof.
      unfold look_up. destruct (find (fun b => Nat.eqb (fst b) t) l) as [[t' w] |] eqn:F; [| discriminate].
      cbn. intros E. injection E as ->.
      apply find_some in F. destruct F as [I e]. cbn in e. apply Nat.eqb_eq in e. now subst.
    Qed.

    (** A constant is the tensor that its name is bound to. *)
    Lemma k_constant values i st r u u' : ksound values i st -> In r (k_tensors st) -> k_holds st r u ->
      look_up Nat.eqb (k_sources st) (fst r) = Some (FromConstant u') -> u = u'.
    Proof.
      intros H Ir (D & G & E) L. apply look_up_in in L. destruct (k_from _ _ _ H _ _ L) as (w & Sw & It & G' & no).
      cbn in Sw. injection Sw as <-.
      assert (D' : dims u' = snd r).
      { destruct r as [t d]. cbn in *. pose proof (k_once _ _ _ H) as once.
        apply In_nth_error in Ir, It. destruct Ir as [a Ea], It as [b Eb].
        assert (a = b) as <-; [| congruence].
        apply (proj1 (NoDup_nth_error (map fst (k_tensors st))) once).
        - rewrite map_length. now apply nth_error_bound in Ea.
        - now rewrite !nth_error_map, Ea, Eb. }
      apply (tensor_ext (s_zero S)); auto; [congruence |]. intros j _. rewrite <- E.
      rewrite kernel_prog_frame by exact no. destruct (k_all _ _ _ H) as [more Ea].
      rewrite (given_there (fst r) (FromConstant u') u'); [reflexivity | | reflexivity]. rewrite Ea. apply in_or_app. now left.
    Qed.

    (** What a program stores is zero outside. *)
    Lemma stored_outside (p : list stmt) st s i : NoDup (map out p) -> In s p -> in_box (Kernel.dims s) i = false ->
      exec_prog p st (out s) i = s_zero S.
    Proof.
      intros once I B. apply in_split in I. destruct I as (a & b & ->). rewrite exec_prog_app.
      change (exec_prog (s :: b) (exec_prog a st)) with (exec_prog b (exec s (exec_prog a st))).
      rewrite kernel_prog_frame.
      - unfold exec, upd, Kernel.tabulate. rewrite Nat.eqb_refl, B. reflexivity.
      - intros s' Is E. rewrite map_app in once. cbn [map] in once. apply NoDup_remove_2 in once.
        apply once, in_or_app. right. rewrite <- E. now apply in_map.
    Qed.
  End Steps.
End GraphKernelState.
