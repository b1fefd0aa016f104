(** * Rewriting with the rules of the library ends

    The measure of a graph, compared from left to right: the weight of the operators
    that merging, folding and lowering remove; the number of tuples and projections;
    the arithmetic above convolutions and normalisations ([heavy]); the number of
    operators, of which +, -, * and / count twice; the number of inputs that are read
    from operators ([reading]).  [falls_text] is a check of the text of a rule, after
    which every rewrite by it makes the measure smaller, in any graph; after
    [stays_text] no component but the last one becomes greater. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Check rewrite.Sound.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild rewrite.TermBuildProof rewrite.TermStep rewrite.TermHeavy rewrite.TermReads.
From Calque Require Import rewrite.TermFix.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** Operators that the rules make fewer. *)
Definition twice : list string := ["MatMul"; "CollapseSumLike"]%string.
Definition once : list string :=
  ["Conv"; "Gemm"; "BatchNormalization"; "LayerNormalization"; "GroupNormalization"; "InstanceNormalization";
   "L2Normalize"; "BiasAdd"; "ZerosLike"; "OnesLike"; "FullLike"; "ReshapeLike"; "BroadcastLike"; "CollapseSum";
   "LayoutTransform"; "Identity"]%string.

Definition great : weight := Weight (fun s => if is_one_of twice s then 2 else if is_one_of once s then 1 else 0) 0.
Definition fields : weight := Weight (fun _ => 0) 1.
Definition small : weight := Weight (fun s => if is_one_of arithmetic s then 2 else 1) 1.

Definition measure (g : tgraph) : list nat :=
  [total (weigh great) g; total (weigh fields) g; heavy g; total (weigh small) g; reading g].

(** ** The check *)

Definition used_up (r : rule) (w : weight) (name : string) : list nat :=
  map (total (fun a => pattern_weight (patterns r) w name (fst a))) (uses r).

Definition added (r : rule) (w : weight) (name : string) : option (list nat) :=
  option_map (map (total (pattern_weight (patterns r) w name)))
    (sim_roots (patterns r) (reached_sources r) (depth r) w name (target r)).

(** Of each choice of the target against each alternative of the source. *)
Definition compared (cmp : nat -> nat -> bool) (r : rule) (w : weight) (name : string) : bool :=
  match added r w name with
  | Some l => forallb (fun u => forallb (fun a => cmp a u) l) (used_up r w name)
  | None => false
  end.

Definition falls_by (r : rule) (name : string) : bool :=
  compared Nat.ltb r great name ||
  (compared Nat.leb r great name &&
   (compared Nat.ltb r fields name ||
    (compared Nat.leb r fields name &&
     (weighs_less r name || (weighs_no_more r name && compared Nat.ltb r small name))))).

Definition falls_text (r : rule) : bool :=
  readable r &&
  forallb (fun name => match added r great name with Some _ => falls_by r name | None => false end) (names r).

Definition stays_by (r : rule) (name : string) : bool :=
  compared Nat.leb r great name && compared Nat.leb r fields name && (weighs_less r name || weighs_no_more r name) &&
  compared Nat.leb r small name.

Definition stays_text (r : rule) : bool :=
  readable r &&
  forallb (fun name => match added r great name with Some _ => stays_by r name | None => false end) (names r).

(** What is new reads fewer operators than what is used up. *)
Definition reads_fewer (commutes : string -> bool) (r : rule) : Prop := forall g outputs M outs es st new,
  wf g -> grounded g -> known commutes r g outputs M outs -> build_roots r g M (List.length outs) = Some (es, st) ->
  whole st = g ++ new -> forall l, In l (uses r) -> (forall a, In a l -> must commutes r g M a) ->
  total (reads (whole st)) (seq (List.length g) (List.length new)) < total (fun a => reads (whole st) (node_at M a)) l.

(** ** It is right *)

Lemma falls_or_stays commutes r : readable r = true ->
  (forall name, In name (names r) -> (exists k, added r great name = Some k) /\
     (falls_by r name = true \/ stays_by r name = true /\ reads_fewer commutes r)) ->
  falls commutes measure r.
Proof.
  intros text all g outputs e M outs h outputs' ok ground within lte A F.
  destruct (text_ok r text) as (ord & lay & lt & _).
  destruct (match_step r g outputs M outs h outputs' ok within F) as [okh _].
  assert (known commutes r g outputs M outs) as K.
  { now apply (known_at commutes r g outputs ord lay ok lt e). }
  destruct (some_name commutes r g outputs text M outs K) as (name & inn & named). destruct (all name inn) as [[k0 Ad0] all'].
  destruct (some_use commutes r g outputs text M outs K) as (l & inl & nd & musts_).
  pose proof F as F'. unfold rewrite_match in F'.
  destruct (build_roots r g M (List.length outs)) as [[es st] |] eqn:B; [| discriminate]. clear F'.
  assert (forall w k, added r w name = Some k -> exists new,
            whole st = g ++ new /\ (forall n j, In n new -> In j (args n) -> ~ inside r M j) /\
            Forall (fun j => ~ inside r M j) es /\
            exists a, In a k /\ total (weigh w) new <= a) as bound.
  { intros w k Ad. unfold added in Ad.
    destruct (sim_roots (patterns r) (reached_sources r) (depth r) w name (target r)) as [Bs |] eqn:Sm; [| discriminate].
    injection Ad as <-.
    destruct (roots_bounded commutes r g outputs ord M outs K ground w name named (List.length outs) es st Bs B Sm)
      as ([new Fn] & inB & out).
    exists new. split; [exact (fine_whole _ _ _ _ _ _ _ Fn) |]. split; [exact (fine_args _ _ _ _ _ _ _ Fn) |].
    split; [exact out |]. exists (total (pattern_weight (patterns r) w name) (keys r st)). split; [| exact (fine_weight _ _ _ _ _ _ _ Fn)].
    now apply in_map. }
  destruct (bound great k0 Ad0) as (new & whole_ & args_ & outs_ & _).
  destruct (step_image commutes r g outputs ok within M outs K h outputs' es st new B whole_ args_ outs_ F) as [from im].
  split; [exact (step_grounded commutes r g outputs text ok ground M outs K h outputs' es st B F) |].
  assert (forall w cmp, compared cmp r w name = true -> exists a u, cmp a u = true /\
            total (weigh w) h + u <= total (weigh w) g + a) as weighed.
  { intros w cmp C. unfold compared in C. destruct (added r w name) as [k |] eqn:Ad; [| discriminate].
    destruct (bound w k Ad) as (new' & whole' & _ & _ & a & ina & le).
    assert (new' = new) as -> by (rewrite whole_ in whole'; now apply app_inv_head in whole').
    pose proof (image_weight commutes r g outputs text M outs K h es st new whole_ w name from l named im nd musts_) as I.
    set (u := total (fun a => pattern_weight (patterns r) w name (fst a)) l) in *.
    assert (In u (used_up r w name)) as inu
      by (unfold used_up, u; now apply (in_map (total (fun a => pattern_weight (patterns r) w name (fst a))))).
    rewrite forallb_forall in C. specialize (C u inu). rewrite forallb_forall in C. specialize (C a ina).
    exists a, u. split; [exact C | lia]. }
  assert (forall w, compared Nat.ltb r w name = true -> total (weigh w) h < total (weigh w) g) as lighter.
  { intros w C. destruct (weighed w Nat.ltb C) as (a & u & au & le). apply Nat.ltb_lt in au. lia. }
  assert (forall w, compared Nat.leb r w name = true -> total (weigh w) h <= total (weigh w) g) as no_heavier.
  { intros w C. destruct (weighed w Nat.leb C) as (a & u & au & le). apply Nat.leb_le in au. lia. }
  assert (weighs_less r name || weighs_no_more r name = true -> not_higher r name = true) as lower.
  { unfold weighs_less, weighs_no_more, replaced, adds_none. now destruct (not_higher r name). }
  unfold measure. cbn [less].
  clear all. destruct all' as [all | [all fewer]].
  2: { unfold stays_by in all. rewrite !andb_true_iff in all. destruct all as [[[L1 L2] L3] L4].
    right. split; [now apply no_heavier |]. right. split; [now apply no_heavier |]. right. split.
    - pose proof (lower L3) as Lo. apply orb_true_iff in L3. destruct L3 as [L3 | L3].
      + pose proof (weighs_less_right commutes r g outputs text ok ground M outs K name named h outputs' es st new B whole_ F okh from im l inl nd musts_ Lo L3). lia.
      + exact (weighs_no_more_right commutes r g outputs text ok ground M outs K name named h outputs' es st new B whole_ F okh from im l inl nd musts_ Lo L3).
    - right. split; [now apply no_heavier |]. left.
      pose proof (fewer g outputs M outs es st new ok ground K B whole_ l inl musts_).
      pose proof (reading_image commutes r g outputs text ok M outs K
        (fun o => outs_inside commutes r g outputs text M outs K o) h es st new whole_ from im l nd musts_). lia. }
  unfold falls_by in all. apply orb_true_iff in all. rewrite andb_true_iff in all.
  destruct all as [S | [L all]]; [left; now apply lighter | right; split; [now apply no_heavier |]].
  apply orb_true_iff in all. rewrite andb_true_iff in all.
  destruct all as [S | [L' all]]; [left; now apply lighter | right; split; [now apply no_heavier |]].
  apply orb_true_iff in all. rewrite andb_true_iff in all.
  destruct all as [S | [L'' S]].
  - left. assert (not_higher r name = true) as Lo by (apply lower; now rewrite S).
    exact (weighs_less_right commutes r g outputs text ok ground M outs K name named h outputs' es st new B whole_ F okh from im l inl nd musts_ Lo S).
  - right. assert (not_higher r name = true) as Lo by (apply lower; now rewrite L'', orb_true_r). split.
    + exact (weighs_no_more_right commutes r g outputs text ok ground M outs K name named h outputs' es st new B whole_ F okh from im l inl nd musts_ Lo L'').
    + left. now apply lighter.
Qed.

Lemma some_or (A : Type) (o : option A) (b : bool) : match o with Some _ => b | None => false end = true ->
  (exists a, o = Some a) /\ b = true.
Proof. destruct o as [a |]; [| discriminate]. intros E. split; [now exists a | exact E]. Qed.

Theorem falls_text_right commutes r : falls_text r = true -> falls commutes measure r.
Proof.
  unfold falls_text. intros T. apply andb_true_iff in T. destruct T as [text all]. rewrite forallb_forall in all.
  apply falls_or_stays; [exact text |]. intros name inn. destruct (some_or _ _ _ (all name inn)) as [A B]. split; [exact A | now left].
Qed.

Theorem stays_text_right commutes r : stays_text r = true -> reads_fewer commutes r -> falls commutes measure r.
Proof.
  unfold stays_text. intros T fewer. apply andb_true_iff in T. destruct T as [text all]. rewrite forallb_forall in all.
  apply falls_or_stays; [exact text |]. intros name inn. destruct (some_or _ _ _ (all name inn)) as [A B]. split; [exact A |].
  right. now split.
Qed.
